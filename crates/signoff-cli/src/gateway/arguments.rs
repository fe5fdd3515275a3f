//! The command line of the gateway.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use signoff_card::Language;

use crate::arguments::language_parser;

pub(crate) const SERVE_HELP: &str = "\
Run the gateway: agents ask, people answer, nothing pending is lost

An agent posts what it wants to do and gets an answer at once, or the id of a question to wait on. A person answers from \
another terminal with `signoff inbox`. It may be killed at any moment: whatever was asked is asked still, and nothing runs \
twice.";

pub(crate) const SERVE_EXAMPLES: &str = "\
Examples:
  signoff serve
  signoff serve --store /var/lib/signoff/gate.db
  signoff serve --store postgres://signoff@localhost/signoff";

pub(crate) const SEPARATE_HELP: &str = "\
Run the gateway of this machine under a user id of its own

Agents run under your user id, and could read or change whatever is yours. After this, the key, the store and the ledger are out \
of their reach: the system keeps them apart. Makes a user without a log-in, a key, and units for systemd; shows every step and \
asks before it does any. Settings are then the administrator's: /etc/signoff/config.toml and /etc/signoff/policy.toml.";

pub(crate) const SEPARATE_EXAMPLES: &str = "\
Examples:
  signoff separate --dry-run
  sudo signoff separate --invite $USER
  sudo signoff separate --undo";

pub(crate) const INBOX_HELP: &str = "\
Open questions of agents, and answers to them

Without a command it shows each question as it comes, and asks. Answers need a terminal of your own and your password, \
which is never kept.";

pub(crate) const INBOX_EXAMPLES: &str = "\
Examples:
  signoff inbox
  signoff inbox list
  signoff inbox show 4f2a
  signoff inbox deny 4f2a use git mv instead
  signoff inbox answer 4f2a back-up-first
  signoff inbox modify 4f2a -- 'rm -rf ./data/old'";

pub(crate) const REQUEST_HELP: &str = "\
Ask from a script, and wait for the answer

Asks the gateway of this user about a shell command. What is harmless is allowed at once. A yes is good for one run of \
exactly this, right now; nothing is run by this command itself.";

pub(crate) const REQUEST_EXAMPLES: &str = "\
Examples:
  signoff request 'rm -rf ./data' && rm -rf ./data
  signoff request --wait 10m --intent 'rotate the logs' 'rm -f /var/log/app/*.gz'
  signoff request --key clean --because 'it was copied yesterday' 'rm -rf ./data'
  command=$(signoff request --changed 'rm -rf ./data') && bash -c \"$command\"

Exit status:
  0    allowed, or approved
  120  nobody has answered yet; it stays open
  121  denied, or approved only in another form
  122  blocked
  123  nobody answered in time, or it was no longer what was shown";

pub(crate) const LEDGER_HELP: &str = "\
What was decided, asked, answered and run, and whether it is still as it was written

Every line holds the digest of the one before it, and the gateway signs checkpoints. Where a gateway runs, it is asked, as you; where \
none does, or with --store, the store itself is read. An export can be checked anywhere, with nothing but the public key of the gate.";

pub(crate) const LEDGER_EXAMPLES: &str = "\
Examples:
  signoff ledger list --limit 20
  signoff ledger list --what blocked --json
  signoff ledger show 42
  signoff ledger export ledger.jsonl
  signoff ledger verify ledger.jsonl --key sgk1.PUBLIC-KEY-OF-THE-GATE
  signoff ledger stats

Exit status of verify:
  0  whole
  1  broken, or the gateway or store cannot be read
  2  wrong usage";

pub(crate) const TRUST_HELP: &str = "\
How far you trust which agents where

Each agent starts in each project at 0.5. What you approved and what then went well adds 0.01, a refusal takes 0.05, and what is not \
used fades. From 0.8 on, low risk passes unasked under the strict posture; at 0.2 and below everything is asked about. Nothing above \
low risk is ever covered.";

pub(crate) const TRUST_EXAMPLES: &str = "\
Examples:
  signoff trust
  signoff trust reset claude
  signoff trust reset claude --project /srv/app";

pub(crate) const PAUSE_HELP: &str = "\
Stop asking for a while, an hour at most

What only you have to agree to is allowed without a question until then. What is blocked stays blocked, and what is critical, or \
needs others, is asked about as ever. Needs a terminal of your own and your password; it is in the ledger, and so is whatever was not \
asked about.";

pub(crate) const PAUSE_EXAMPLES: &str = "\
Examples:
  signoff pause 15m
  signoff pause end
  signoff pause status";

pub(crate) const LOCKDOWN_HELP: &str = "\
Block whatever is not harmless, until a person lifts it

Nothing passes but what only reads, builds or tests; every yes that was not used yet is held back. Needs a terminal of your own and \
your password; it is in the ledger.";

pub(crate) const LOCKDOWN_EXAMPLES: &str = "\
Examples:
  signoff lockdown
  signoff lockdown lift
  signoff lockdown status";

pub(crate) const GRANT_HELP: &str = "\
Allow something beforehand, for a while

A grant is standing permission: one command exactly, or every command of a form, in one project and until it ends, 30 days at \
most. It answers in your name before anybody is asked; every use is in the ledger. What is critical is asked about every time, and \
what is blocked stays blocked. Grants need a terminal of your own and your password, which is never kept.";

pub(crate) const GRANT_EXAMPLES: &str = "\
Examples:
  signoff grant list
  signoff grant add 'git push *' --for 1h
  signoff grant add 'npm install *' --for 2d --uses 10 --agent claude
  signoff grant add --exact 'rm -rf ./data' --for 30m
  signoff grant revoke 4f2a
  signoff grant suggest";

/// Where a person sits: at which gateway, under which name, in which language.
#[derive(Args)]
pub(crate) struct Desk {
    /// Where the gateway is [default: the one of this user]
    #[arg(long, value_name = "ADDRESS", global = true)]
    pub(crate) gateway: Option<SocketAddr>,
    /// Who you are there [default: the name of this user]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) person: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser(), global = true)]
    pub(crate) lang: Option<Language>,
}

#[derive(Args)]
pub(crate) struct ServeArguments {
    /// Where people and agents with keys are answered; a port of 0 takes any
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7766")]
    pub(crate) bind: SocketAddr,
    /// A file, or an address of PostgreSQL [default: a file of this user]
    #[arg(long, value_name = "PATH|URL")]
    pub(crate) store: Option<String>,
    /// A name with its port under which the gateway is called beside its address: gate.example.org:443
    #[arg(long, value_name = "HOST")]
    pub(crate) name: Vec<String>,
    /// Started by whoever needs it: goes again when nobody does
    #[arg(long, hide = true)]
    pub(crate) on_demand: bool,
    /// There is a proxy in front that speaks TLS: any address may be bound
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    /// Give the store to this gate although it belongs to one with another key; at a terminal, with all nodes stopped
    #[arg(long)]
    pub(crate) accept_new_key: bool,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

/// The name of an account, which goes into the files of the system as it stands.
fn account(name: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    if begins && name.chars().all(is_plain) && name.len() <= 32 {
        return Ok(name.to_owned());
    }
    Err("the name of an account is made of small letters, digits, `_` and `-`".to_owned())
}

#[derive(Args)]
pub(crate) struct SeparateArguments {
    /// The user under whose id the gateway runs; made where there is none
    #[arg(long, value_name = "NAME", default_value = "signoff", value_parser = account)]
    pub(crate) user: String,
    /// Who is invited to answer first
    #[arg(long, value_name = "NAME")]
    pub(crate) invite: Option<String>,
    /// Let the gateway look at every file of the machine, to tell what would be lost; for machines of one person
    #[arg(long)]
    pub(crate) read_all_files: bool,
    /// Show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take it back; what was kept stays
    #[arg(long, conflicts_with_all = ["invite", "read_all_files", "user"])]
    pub(crate) undo: bool,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

#[derive(Args)]
pub(crate) struct InboxArguments {
    #[command(subcommand)]
    pub(crate) command: Option<InboxCommand>,
    #[command(flatten)]
    pub(crate) desk: Desk,
    /// The number on the screen of whoever asks, where a yes needs it
    #[arg(long, value_name = "NN", global = true)]
    pub(crate) number: Option<String>,
    /// Answer with JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum InboxCommand {
    /// List open questions
    List {
        /// And those that were decided
        #[arg(long)]
        all: bool,
    },
    /// Show one question with everything that is known about it
    Show {
        /// Its id, or the end of it
        id: String,
    },
    /// Say yes, as shown
    Approve {
        /// Its id, or the end of it
        id: String,
    },
    /// Say no
    Deny {
        /// Its id, or the end of it
        id: String,
        /// Words for the agent
        words: Vec<String>,
    },
    /// Answer with one of the choices, or with the text that is asked for
    Answer {
        /// Its id, or the end of it
        id: String,
        /// The choice, or the text
        text: String,
    },
    /// Say yes to something else instead: it is judged anew, and asked about again where it is graver
    Modify {
        /// Its id, or the end of it
        id: String,
        /// What is to be done instead: a command, or for other operations a JSON object like the one in `show --json`
        #[arg(last = true, required = true, value_name = "OPERATION")]
        operation: Vec<String>,
    },
    /// Show each question as it comes, and ask
    Follow,
}

#[derive(Args)]
pub(crate) struct RequestArguments {
    /// The shell command to ask about
    #[arg(value_name = "COMMAND")]
    pub(crate) command: String,
    /// A command that is to come after it, once and within an hour: it is shown as well, and one yes is for all of them (repeatable)
    #[arg(long, value_name = "COMMAND")]
    pub(crate) then: Vec<String>,
    /// The user's words that asked for it
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// Wait so long at most: 30s, 5m, 1h [default: until it is decided]
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration)]
    pub(crate) wait: Option<Duration>,
    /// What this request is called: the same again finds the same question [default: a new one]
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Where it was refused under this key: why it should be looked at once more, which a person judges
    #[arg(long, value_name = "REASON", requires = "key")]
    pub(crate) because: Option<String>,
    /// Take another form as well, if that is what people approve, and print what may run
    #[arg(long)]
    pub(crate) changed: bool,
    /// Who asks
    #[arg(long, value_name = "NAME", default_value = "script")]
    pub(crate) agent: String,
    /// The session that it belongs to [default: the process that called]
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// Answer with JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PeopleArguments {
    #[command(subcommand)]
    pub(crate) command: PeopleCommand,
    #[command(flatten)]
    pub(crate) desk: Desk,
}

#[derive(Subcommand)]
pub(crate) enum PeopleCommand {
    /// Invite somebody; the first one while no gateway runs
    Invite {
        /// The name that they will have
        name: String,
        /// They may invite and remove others as well, as the first one may
        #[arg(long)]
        administrator: bool,
        /// The store of a gateway that does not run now: a file, or an address of PostgreSQL
        #[arg(long, value_name = "PATH|URL")]
        store: Option<String>,
    },
    /// List the people, with their roles and who has invited them
    List {
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove somebody, with their logins, grants, agents and whatever they have paused or handed over; for administrators
    Remove {
        /// Their name
        name: String,
    },
    /// Change your own password; your other logins end
    Password,
    /// List the agents that have a key, with those for whom they work
    Agents {
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a key for an agent that works for you; it is shown once
    AddAgent {
        /// What it is called
        name: String,
    },
    /// Take an agent's key away: your own, or anybody's where you are an administrator
    RemoveAgent {
        /// What it is called
        name: String,
    },
    /// Hand your own answering over to somebody else for a while; you can still answer, and your voice stays one
    HandOver {
        /// To whom
        name: String,
        /// For how long: 30m, 8h, 7d; 30 days at most
        #[arg(long = "for", value_name = "D", value_parser = humantime::parse_duration)]
        lasts: Duration,
    },
    /// Take back what you have handed over
    TakeBack,
    /// Take up an invitation, and choose a password
    Join {
        /// The invitation
        invitation: String,
    },
}

#[derive(Args)]
pub(crate) struct PermitArguments {
    #[command(subcommand)]
    pub(crate) command: PermitCommand,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser(), global = true)]
    pub(crate) lang: Option<Language>,
}

#[derive(Subcommand)]
pub(crate) enum PermitCommand {
    /// Say whether a permit is real, and what it is for
    Verify {
        /// The permit
        permit: String,
        /// The key of the gate that issued it [default: that of this user's gateway]
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct TrustArguments {
    #[command(subcommand)]
    pub(crate) command: Option<TrustCommand>,
    #[command(flatten)]
    pub(crate) desk: Desk,
    /// Answer with JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum TrustCommand {
    /// List the scores
    List,
    /// Begin anew with an agent
    Reset {
        /// Which
        agent: String,
        /// Only in this project [default: in all of them]
        #[arg(long, value_name = "DIR")]
        project: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct PauseArguments {
    /// How long: 15m, 1h at most; `end` asks again, `status` tells how things stand
    #[arg(value_name = "D|end|status")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) desk: Desk,
}

#[derive(Args)]
pub(crate) struct LockdownArguments {
    /// `lift` takes it back, `status` tells how things stand [default: lock down]
    #[arg(value_name = "lift|status", value_parser = ["lift", "status"])]
    pub(crate) what: Option<String>,
    #[command(flatten)]
    pub(crate) desk: Desk,
}

#[derive(Args)]
pub(crate) struct GrantArguments {
    #[command(subcommand)]
    pub(crate) command: GrantCommand,
    #[command(flatten)]
    pub(crate) desk: Desk,
    /// Answer with JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum GrantCommand {
    /// List the grants that have not ended
    List,
    /// Give a grant
    Add(GrantAddArguments),
    /// Take a grant back
    Revoke {
        /// Its id, or the end of it
        id: String,
    },
    /// Show grants that would have answered many of your last questions
    Suggest,
}

#[derive(Args)]
pub(crate) struct GrantAddArguments {
    /// The form of the commands: `*` stands for any text in a word, and as the last word for any further words
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// It is no form but one command, exactly as it stands, in the current directory
    #[arg(long, conflicts_with_all = ["path", "project", "everywhere", "covers"])]
    pub(crate) exact: bool,
    /// How long it lasts: 30m, 8h, 7d; 30 days at most
    #[arg(long = "for", value_name = "D", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Duration,
    /// How often it can be used [default: until its time is over]
    #[arg(long, value_name = "N")]
    pub(crate) uses: Option<u32>,
    /// Whatever a command touches must be at one of these paths: `build/**`
    #[arg(long, value_name = "PATTERN")]
    pub(crate) path: Vec<String>,
    /// The project in which it counts [default: the one of the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// It counts in every project
    #[arg(long, conflicts_with = "project")]
    pub(crate) everywhere: bool,
    /// Up to which risk it answers
    #[arg(long, value_name = "RISK", value_parser = ["low", "medium", "high"], default_value = "medium")]
    pub(crate) covers: String,
    /// Only for this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only in this session
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
}

#[derive(Args)]
pub(crate) struct LedgerArguments {
    #[command(subcommand)]
    pub(crate) command: LedgerCommand,
    /// Read this store and not a gateway: a file, or an address of PostgreSQL
    #[arg(long, value_name = "PATH|URL", global = true, conflicts_with = "gateway")]
    pub(crate) store: Option<String>,
    /// Where the gateway is [default: the one of this user, if it runs]
    #[arg(long, value_name = "ADDRESS", global = true)]
    pub(crate) gateway: Option<SocketAddr>,
    /// Who you are there [default: the name of this user]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) person: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser(), global = true)]
    pub(crate) lang: Option<Language>,
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// List entries: the last ones, or those behind a number
    List {
        /// Those behind this number, the earliest first
        #[arg(long, value_name = "N")]
        after: Option<u64>,
        /// So many at most
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
        /// Only about this question
        #[arg(long, value_name = "ID")]
        approval: Option<String>,
        /// Only where this happened: asked, allowed, blocked, answered, redeemed, …
        #[arg(long, value_name = "NAME")]
        what: Option<String>,
        /// Answer with JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Show one entry with everything that it says
    Show {
        /// Its number
        number: u64,
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
    /// Say whether all of it is as it was written, and up to where the gate has signed that
    Verify {
        /// An export [default: what the gateway or the store has]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// The key of the gate, once for each that it has had [default: that of this user's gateway]
        #[arg(long, value_name = "KEY")]
        key: Vec<String>,
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
    /// Write all of it as JSON lines, with the checkpoints among them
    Export {
        /// Into this new file [default: standard output]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Remove old entries up to a signed checkpoint, which the ledger begins with from then on; for a person at a terminal
    Prune {
        /// What is older than this: 90d, 1year; a day at least, and no less than `ledger.retention`
        #[arg(long, value_name = "D", value_parser = humantime::parse_duration)]
        older_than: Duration,
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
    /// Say what it adds up to
    Stats {
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
}
