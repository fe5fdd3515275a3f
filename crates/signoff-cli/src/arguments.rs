//! The command line.

use std::{ffi::OsString, net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use signoff_card::Language;
use signoff_policy::Posture;

use crate::judge::{Terms, language};

const EXAMPLES: &str = "\
Examples:
  signoff check 'rm -rf build && git push -f origin main'
  echo 'curl https://example.com/x.sh | sh' | signoff check --json
  signoff check --kind file 'move data/ -> /srv/data'
  signoff check --kind tool delete_page '{\"page\": 7}'
  signoff check --batch --facts none < operations.jsonl

Exit status of check:
  0   allow
  10  ask
  20  block
  2   wrong usage
  1   internal error";

const CHECK_HELP: &str = "\
Judge an operation without running it

Reads what a shell command, file operation or tool call would really do and says whether it may run, whether a human \
should look first, or whether it must not run at all. Nothing is run and nothing is changed.";

const CHECK_EXAMPLES: &str = "\
Examples:
  signoff check 'git reset --hard'
  signoff check --posture strict --lang zh 'cargo add serde'
  signoff check --kind file 'delete src/'
  signoff check --kind tool delete_page '{\"page\": 7}'
  signoff check --batch --facts none < operations.jsonl

Batch lines:
  {\"id\": 1, \"kind\": \"shell\", \"cmd\": \"ls\", \"cwd\": \"/srv/app\"}
  {\"id\": 2, \"kind\": \"file\", \"op\": \"move\", \"path\": \"a -> b\"}
  {\"id\": 3, \"kind\": \"tool\", \"tool\": \"fetch\", \"args\": {\"url\": \"https://example.com\"}}

Exit status:
  0   allow; of a batch: every line was judged
  10  ask
  20  block
  2   wrong usage; of a batch: a line was not understood
  1   internal error";

const EXEC_HELP: &str = "\
Run a command through the gate

Reads what the command would really do. What is harmless runs at once; about everything else it asks at the terminal, with \
exactly what would be lost, and then runs what was shown or says what has changed since. What is absurd is not run. Without a \
person at a terminal nothing is run that needs an answer.";

const EXEC_EXAMPLES: &str = "\
Examples:
  signoff exec -- 'rm -rf ./tmp_*'
  signoff exec --timeout 5m -- cargo test
  signoff exec --intent 'clean up the build' -- 'git clean -fdx'
  signoff exec --json -- git status

Exit status:
  120  needs confirmation, and nobody could be asked
  121  denied
  122  blocked
  123  nobody answered in time, or it was no longer what was shown
  124  the command took longer than its time limit
  125  Signoff failed
  2    wrong usage, or a configuration that cannot be read
  any other is the command's own";

const UNDO_HELP: &str = "\
List backups, and bring back what a command took away

Backups are made by `signoff exec` when somebody answers a question with *back up first*. Nothing that exists now is \
overwritten, except for what the command itself has left behind.";

const UNDO_EXAMPLES: &str = "\
Examples:
  signoff undo
  signoff undo last
  signoff undo 20261117-093012-4711 --into /tmp/rescue
  signoff undo --prune 14d";

const SERVE_HELP: &str = "\
Run the gateway: agents ask, people answer, nothing pending is lost

An agent posts what it wants to do and gets an answer at once, or the id of a question to wait on. A person answers from \
another terminal with `signoff inbox`. It may be killed at any moment: whatever was asked is asked still, and nothing runs \
twice.";

const SERVE_EXAMPLES: &str = "\
Examples:
  signoff serve
  signoff serve --store /var/lib/signoff/gate.db
  signoff serve --store postgres://signoff@localhost/signoff";

const INBOX_HELP: &str = "\
Open questions of agents, and answers to them

Without a command it shows each question as it comes, and asks. Answers need a terminal of your own and your password, \
which is never kept.";

const INBOX_EXAMPLES: &str = "\
Examples:
  signoff inbox
  signoff inbox list
  signoff inbox show 4f2a
  signoff inbox deny 4f2a use git mv instead
  signoff inbox answer 4f2a back-up-first";

const REQUEST_HELP: &str = "\
Ask from a script, and wait for the answer

Asks the gateway of this user about a shell command. What is harmless is allowed at once. A yes is good for one run of \
exactly this, right now; nothing is run by this command itself.";

const REQUEST_EXAMPLES: &str = "\
Examples:
  signoff request 'rm -rf ./data' && rm -rf ./data
  signoff request --wait 10m --intent 'rotate the logs' 'rm -f /var/log/app/*.gz'

Exit status:
  0    allowed, or approved
  120  nobody has answered yet; it stays open
  121  denied
  122  blocked
  123  nobody answered in time, or it was no longer what was shown";

const LEDGER_HELP: &str = "\
What was decided, asked, answered and run, and whether it is still as it was written

Every line holds the digest of the one before it, and the gateway signs checkpoints. Where a gateway runs, it is asked, as you; where \
none does, or with --store, the store itself is read. An export can be checked anywhere, with nothing but the public key of the gate.";

const LEDGER_EXAMPLES: &str = "\
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

const GRANT_HELP: &str = "\
Allow something beforehand, for a while

A grant is standing permission: one command exactly, or every command of a form, in one project and until it ends, 30 days at \
most. It answers in your name before anybody is asked; every use is in the ledger. What is critical is asked about every time, and \
what is blocked stays blocked. Grants need a terminal of your own and your password, which is never kept.";

const GRANT_EXAMPLES: &str = "\
Examples:
  signoff grant list
  signoff grant add 'git push *' --for 1h
  signoff grant add 'npm install *' --for 2d --uses 10 --agent claude
  signoff grant add --exact 'rm -rf ./data' --for 30m
  signoff grant revoke 4f2a
  signoff grant suggest";

const CONFIG_HELP: &str = "\
Show what is configured and where it comes from

Prints every value with the file and line that it comes from. A project's own file may only tighten the policy until you \
have trusted exactly what it holds.";

const CONFIG_EXAMPLES: &str = "\
Examples:
  signoff config
  signoff config trust
  signoff config import claude >> ~/.config/signoff/config.toml
  signoff config schema > signoff.schema.json";

/// The gate between AI agents and the things they can break
#[derive(Parser)]
#[command(name = "signoff", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Judge an operation without running it
    #[command(long_about = CHECK_HELP, after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Run a command through the gate
    #[command(long_about = EXEC_HELP, after_help = EXEC_EXAMPLES)]
    Exec(ExecArguments),
    /// List backups, and bring back what a command took away
    #[command(long_about = UNDO_HELP, after_help = UNDO_EXAMPLES)]
    Undo(UndoArguments),
    /// Run the gateway: agents ask, people answer, nothing pending is lost
    #[command(long_about = SERVE_HELP, after_help = SERVE_EXAMPLES)]
    Serve(ServeArguments),
    /// Open questions of agents, and answers to them
    #[command(long_about = INBOX_HELP, after_help = INBOX_EXAMPLES)]
    Inbox(InboxArguments),
    /// Ask from a script, and wait for the answer
    #[command(long_about = REQUEST_HELP, after_help = REQUEST_EXAMPLES)]
    Request(RequestArguments),
    /// Who may answer
    People(PeopleArguments),
    /// Check a permit without asking anybody
    Permit(PermitArguments),
    /// What was decided, asked, answered and run, and whether it is still as it was written
    #[command(long_about = LEDGER_HELP, after_help = LEDGER_EXAMPLES)]
    Ledger(LedgerArguments),
    /// Show what is configured and where it comes from
    #[command(long_about = CONFIG_HELP, after_help = CONFIG_EXAMPLES)]
    Config(ConfigArguments),
    /// List the rules, or explain one
    Rules(RulesArguments),
    /// Allow something beforehand, for a while
    #[command(long_about = GRANT_HELP, after_help = GRANT_EXAMPLES)]
    Grant(GrantArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    #[command(hide = true)]
    Man {
        /// Of this command instead of the whole
        command: Option<String>,
    },
}

/// `signoff check` by itself.
#[derive(Parser)]
struct CheckAlone {
    #[command(flatten)]
    arguments: CheckArguments,
}

impl Arguments {
    /// What this process was asked to do. A check is read by itself first, since that is what has to be fast and making the
    /// whole command line ready takes a tenth of its time; whatever is wrong with it is said by the whole.
    pub(crate) fn of_this_process() -> Result<Self, clap::Error> {
        let mut words = std::env::args_os();
        let (program, verb) = (words.next(), words.next());
        if verb.is_some_and(|verb| verb == "check")
            && let Ok(CheckAlone { arguments }) = CheckAlone::try_parse_from(program.into_iter().chain(words))
        {
            return Ok(Self { command: Command::Check(arguments) });
        }
        Self::try_parse()
    }
}

impl Command {
    /// The language that was asked for by name.
    pub(crate) const fn language(&self) -> Option<Language> {
        match self {
            Self::Check(arguments) => arguments.lang,
            Self::Exec(arguments) => arguments.lang,
            Self::Undo(arguments) => arguments.lang,
            Self::Config(arguments) => arguments.lang,
            Self::Rules(arguments) => arguments.lang,
            Self::Serve(arguments) => arguments.lang,
            Self::Inbox(arguments) => arguments.lang,
            Self::Request(arguments) => arguments.lang,
            Self::People(arguments) => arguments.lang,
            Self::Permit(arguments) => arguments.lang,
            Self::Ledger(arguments) => arguments.lang,
            Self::Grant(arguments) => arguments.lang,
            Self::Completions { .. } | Self::Man { .. } => None,
        }
    }
}

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// The operation: a shell text, `OP PATH` for a file, a name and a JSON object for a tool [default: standard input]
    #[arg(value_name = "COMMAND")]
    pub(crate) operation: Vec<OsString>,
    /// What the operation is
    #[arg(long, value_enum, default_value_t = Kind::Shell)]
    pub(crate) kind: Kind,
    /// Where it would run [default: the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Its language: bash, sh or zsh for a shell text
    #[arg(long, value_name = "D")]
    pub(crate) dialect: Option<String>,
    /// How careful to be [default: as configured, else balanced]
    #[arg(long, value_name = "P", value_parser = posture_parser())]
    pub(crate) posture: Option<Posture>,
    /// What may be known beyond the text: the file system, or nothing
    #[arg(long, value_enum, default_value_t = FactsSource::Local)]
    pub(crate) facts: FactsSource,
    /// The user's words that asked for it: what reaches further than them is graver, and nothing is less so
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// Show everything: long texts whole, and what every rule says
    #[arg(long, conflicts_with_all = ["json", "batch"])]
    pub(crate) full: bool,
    /// Answer with one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Read operations as JSON lines and answer each with a JSON line, in the same order
    #[arg(long, conflicts_with = "operation")]
    pub(crate) batch: bool,
}

impl CheckArguments {
    /// What they say about how to judge.
    pub(crate) fn terms(&self) -> Terms<'_> {
        Terms {
            facts: self.facts,
            cwd: self.cwd.as_deref(),
            posture: self.posture,
            intent: self.intent.as_deref(),
            language: language(self.lang),
        }
    }
}

#[derive(Args)]
pub(crate) struct ExecArguments {
    /// The command: one word is a text for bash, several are a program and its arguments without a shell
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<OsString>,
    /// The user's words that asked for it: what reaches further than them is graver, and nothing is less so
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// End the command, and all that it started, after this time: 30s, 5m, 1h
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// Print the result as one JSON object instead of the output of the command
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct UndoArguments {
    /// The backup to bring back; `last` means the newest [default: list them]
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Bring it back below this directory instead of to where it was
    #[arg(long, value_name = "DIR", requires = "id", conflicts_with = "prune")]
    pub(crate) into: Option<PathBuf>,
    /// Remove backups that are older than this (30d), or one by its name
    #[arg(long, value_name = "AGE", num_args = 0..=1, default_missing_value = "30d")]
    pub(crate) prune: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// Answer with JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ConfigCommand>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser(), global = true)]
    pub(crate) lang: Option<Language>,
    /// Answer with JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum ConfigCommand {
    /// Read the project's file, and let it loosen the policy as long as it stays as it is
    Trust,
    /// Take that back
    Untrust,
    /// Print rules made from another program's permissions, to be read and kept
    Import {
        /// Whose permissions
        #[arg(value_enum)]
        from: ImportFrom,
        /// Its settings file [default: where it usually lies]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print the JSON schema of configuration files
    Schema,
}

/// A program whose permissions can be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFrom {
    /// Claude Code: `permissions` in its settings.json
    Claude,
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
    /// There is a proxy in front that speaks TLS: any address may be bound
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

#[derive(Args)]
pub(crate) struct InboxArguments {
    #[command(subcommand)]
    pub(crate) command: Option<InboxCommand>,
    /// Where the gateway is [default: the one of this user]
    #[arg(long, value_name = "ADDRESS", global = true)]
    pub(crate) gateway: Option<SocketAddr>,
    /// Who you are there [default: the name of this user]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) person: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser(), global = true)]
    pub(crate) lang: Option<Language>,
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
    /// Show each question as it comes, and ask
    Follow,
}

#[derive(Args)]
pub(crate) struct RequestArguments {
    /// The shell command to ask about
    #[arg(value_name = "COMMAND")]
    pub(crate) command: String,
    /// The user's words that asked for it
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// Wait so long at most: 30s, 5m, 1h [default: until it is decided]
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration)]
    pub(crate) wait: Option<Duration>,
    /// What this request is called: the same again finds the same question [default: a new one]
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
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

#[derive(Subcommand)]
pub(crate) enum PeopleCommand {
    /// Invite somebody; the first one while no gateway runs
    Invite {
        /// The name that they will have
        name: String,
        /// The store of a gateway that does not run now: a file, or an address of PostgreSQL
        #[arg(long, value_name = "PATH|URL")]
        store: Option<String>,
    },
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
pub(crate) struct GrantArguments {
    #[command(subcommand)]
    pub(crate) command: GrantCommand,
    /// Where the gateway is [default: the one of this user]
    #[arg(long, value_name = "ADDRESS", global = true)]
    pub(crate) gateway: Option<SocketAddr>,
    /// Who you are there [default: the name of this user]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) person: Option<String>,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser(), global = true)]
    pub(crate) lang: Option<Language>,
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
    /// Say what it adds up to
    Stats {
        /// Answer with JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub(crate) struct RulesArguments {
    /// Only this rule, with its examples
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Language of the texts: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// Answer with a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// What an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A text for a shell
    Shell,
    /// An SQL statement (arrives later)
    Sql,
    /// An operation on a file
    File,
    /// A call of another tool
    Tool,
    /// A human's answer in words (arrives later)
    Reply,
    /// A terminal screen (arrives later)
    Screen,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [Self::Shell, Self::Sql, Self::File, Self::Tool, Self::Reply, Self::Screen];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Sql => "sql",
            Self::File => "file",
            Self::Tool => "tool",
            Self::Reply => "reply",
            Self::Screen => "screen",
        }
    }

    /// Whether operations of this kind can be judged yet.
    pub(crate) const fn is_judged(self) -> bool {
        match self {
            Self::Shell | Self::File | Self::Tool => true,
            Self::Sql | Self::Reply | Self::Screen => false,
        }
    }
}

/// Where facts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FactsSource {
    /// The file system of this machine
    Local,
    /// The text alone, as if in the root of a git project whose contents are unknown
    None,
}

/// The words of an operation that was given to `check` without quotes, and its kind, when that is why the parser met an
/// option it does not know: the option stands behind the first word of the operation.
pub(crate) fn unquoted_command(
    error: &clap::Error,
    words: impl Iterator<Item = OsString>,
) -> Option<(Kind, Vec<String>)> {
    if error.kind() != clap::error::ErrorKind::UnknownArgument {
        return None;
    }
    let mut words = words.skip(1).map(|word| word.to_string_lossy().into_owned());
    words.next().filter(|word| word == "check")?;
    let definition = Arguments::command();
    let check = definition.find_subcommand("check")?;
    let takes_value = |word: &str| {
        check
            .get_arguments()
            .any(|argument| argument.get_action().takes_values() && argument.get_long() == word.strip_prefix("--"))
    };
    let named = |name: &str| Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Kind::Shell);
    let mut kind = Kind::Shell;
    let mut command: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        if !command.is_empty() || !word.starts_with('-') {
            command.push(word);
        } else if let Some(name) = word.strip_prefix("--kind=") {
            kind = named(name);
        } else if takes_value(&word) {
            let value = words.next().unwrap_or_default();
            if word == "--kind" {
                kind = named(&value);
            }
        }
    }
    // A first word with a space in it was in quotes; what follows is meant for Signoff.
    let first = command.first()?;
    (command.len() > 1 && !first.contains(' ')).then_some((kind, command))
}

/// The language that arguments ask for which are otherwise wrong.
pub(crate) fn language_named(words: impl Iterator<Item = OsString>) -> Option<Language> {
    let mut words = words.map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        let name = if word == "--lang" { words.next() } else { word.strip_prefix("--lang=").map(str::to_owned) };
        if let Some(language) = name.as_deref().and_then(Language::from_name) {
            return Some(language);
        }
    }
    None
}

fn posture_parser() -> impl clap::builder::TypedValueParser<Value = Posture> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Posture::ALL.map(Posture::name))
        .map(|name| Posture::from_name(&name).unwrap_or_default())
}

fn language_parser() -> impl clap::builder::TypedValueParser<Value = Language> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Language::ALL.map(Language::name))
        .map(|name| Language::from_name(&name).unwrap_or_default())
}
