//! The command line.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use signoff_agents::Client;
use signoff_card::Language;
use signoff_policy::Posture;

use crate::{
    agents::arguments::{
        DOCTOR_EXAMPLES, DOCTOR_HELP, DoctorArguments, INSTALL_EXAMPLES, INSTALL_HELP, InstallArguments, UNINSTALL_HELP,
    },
    gateway::arguments::{
        GRANT_EXAMPLES, GRANT_HELP, GrantArguments, INBOX_EXAMPLES, INBOX_HELP, InboxArguments, LEDGER_EXAMPLES,
        LEDGER_HELP, LOCKDOWN_EXAMPLES, LOCKDOWN_HELP, LedgerArguments, LockdownArguments, PAUSE_EXAMPLES, PAUSE_HELP,
        PauseArguments, PeopleArguments, PermitArguments, REQUEST_EXAMPLES, REQUEST_HELP, RequestArguments,
        SEPARATE_EXAMPLES, SEPARATE_HELP, SERVE_EXAMPLES, SERVE_HELP, SeparateArguments, ServeArguments,
        TRUST_EXAMPLES, TRUST_HELP, TrustArguments,
    },
    judge::{Terms, language},
    proxy::arguments::{ACP_EXAMPLES, ACP_HELP, AcpArguments, MCP_EXAMPLES, MCP_HELP, McpArguments},
    watch::arguments::{WATCH_EXAMPLES, WATCH_HELP, WatchArguments},
};

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
should look first, or whether it must not run at all. Nothing is run and nothing is changed.

Of a terminal screen it says whether an agent waits there for permission, for what, and which keys are the yes and the no.";

const CHECK_EXAMPLES: &str = "\
Examples:
  signoff check 'git reset --hard'
  signoff check --posture strict --lang zh 'cargo add serde'
  signoff check --kind file 'delete src/'
  signoff check --kind tool delete_page '{\"page\": 7}'
  signoff check --batch --facts none < operations.jsonl
  tmux capture-pane -p | signoff check --kind screen --json

Batch lines:
  {\"id\": 1, \"kind\": \"shell\", \"cmd\": \"ls\", \"cwd\": \"/srv/app\"}
  {\"id\": 2, \"kind\": \"file\", \"op\": \"move\", \"path\": \"a -> b\"}
  {\"id\": 3, \"kind\": \"tool\", \"tool\": \"fetch\", \"args\": {\"url\": \"https://example.com\"}}
  {\"id\": 4, \"kind\": \"screen\", \"screen\": \"…\", \"columns\": 80, \"cursor\": [0, 12], \"running\": \"codex\"}

Exit status:
  0   allow; of a screen: no agent waits; of a batch: every line was judged
  10  ask; of a screen: an agent waits for permission
  20  block; of a screen: something else waits, which is never answered
  2   wrong usage; of a batch: a line was not understood
  1   internal error";

const EXEC_HELP: &str = "\
Run a command through the gate

Reads what the command would really do. What is harmless runs at once; about everything else it asks at the terminal, with \
exactly what would be lost, and then runs what was shown or says what has changed since. What is absurd is not run. Without a \
person at a terminal nothing is run that needs an answer.";

const HOOK_HELP: &str = "\
Answer one call of a coding agent's hook

Agents call this themselves, as `signoff install` arranges it: what the agent wants to do comes as JSON on standard input, and the \
answer goes out in the form that this agent heeds. What is harmless passes, what is absurd is refused, and everything else is held \
while a person decides. Whatever goes wrong is a refusal.";

const HOOK_EXAMPLES: &str = "\
Examples:
  echo '{\"hook_event_name\": \"PreToolUse\", \"cwd\": \"/tmp\", \"session_id\": \"s\",
         \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"ls\"}}' | signoff hook claude

Exit status:
  0  what was answered stands on standard output
  2  refused, in the form of the agent and with the reason on standard error";

const EXEC_EXAMPLES: &str = "\
Examples:
  signoff exec -- 'rm -rf ./tmp_*'
  signoff exec --timeout 5m -- cargo test
  signoff exec --intent 'clean up the build' -- 'git clean -fdx'
  signoff exec --json -- git status
  signoff exec --no-wait --json -- 'rm -rf ./data'
  signoff exec --approval 0198a1ed83
  echo '{\"op\": \"delete\", \"path\": \"notes.txt\"}' | signoff exec --file

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
    /// Run the gateway of this machine under a user id of its own
    #[command(long_about = SEPARATE_HELP, after_help = SEPARATE_EXAMPLES)]
    Separate(SeparateArguments),
    /// Open questions of agents, and answers to them
    #[command(long_about = INBOX_HELP, after_help = INBOX_EXAMPLES)]
    Inbox(InboxArguments),
    /// How far you trust which agents where
    #[command(long_about = TRUST_HELP, after_help = TRUST_EXAMPLES)]
    Trust(TrustArguments),
    /// Stop asking for a while, an hour at most
    #[command(long_about = PAUSE_HELP, after_help = PAUSE_EXAMPLES)]
    Pause(PauseArguments),
    /// Block whatever is not harmless, until a person lifts it
    #[command(long_about = LOCKDOWN_HELP, after_help = LOCKDOWN_EXAMPLES)]
    Lockdown(LockdownArguments),
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
    /// Let coding agents ask Signoff before they do something
    #[command(long_about = INSTALL_HELP, after_help = INSTALL_EXAMPLES)]
    Install(InstallArguments),
    /// Take the hook out of an agent's settings
    #[command(long_about = UNINSTALL_HELP)]
    Uninstall(InstallArguments),
    /// Say which agents are guarded, and which are not and why
    #[command(long_about = DOCTOR_HELP, after_help = DOCTOR_EXAMPLES)]
    Doctor(DoctorArguments),
    /// Serve agents that speak MCP, or stand in front of another MCP server
    #[command(long_about = MCP_HELP, after_help = MCP_EXAMPLES)]
    Mcp(McpArguments),
    /// Answer one call of a coding agent's hook
    #[command(long_about = HOOK_HELP, after_help = HOOK_EXAMPLES)]
    Hook(HookArguments),
    /// Stand between an editor and an agent: what it asks permission for goes through the gate
    #[command(long_about = ACP_HELP, after_help = ACP_EXAMPLES)]
    Acp(AcpArguments),
    /// Answer the prompts of agents in tmux
    #[command(long_about = WATCH_HELP, after_help = WATCH_EXAMPLES)]
    Watch(WatchArguments),
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
            Self::Pause(arguments) => arguments.desk.lang,
            Self::Trust(arguments) => arguments.desk.lang,
            Self::Lockdown(arguments) => arguments.desk.lang,
            Self::Separate(arguments) => arguments.lang,
            Self::Inbox(arguments) => arguments.desk.lang,
            Self::Request(arguments) => arguments.lang,
            Self::People(arguments) => arguments.desk.lang,
            Self::Permit(arguments) => arguments.lang,
            Self::Ledger(arguments) => arguments.lang,
            Self::Grant(arguments) => arguments.desk.lang,
            Self::Install(arguments) | Self::Uninstall(arguments) => arguments.lang,
            Self::Doctor(arguments) => arguments.lang,
            Self::Mcp(arguments) => arguments.lang,
            Self::Acp(arguments) => arguments.lang,
            Self::Watch(arguments) => arguments.language(),
            Self::Hook(_) | Self::Completions { .. } | Self::Man { .. } => None,
        }
    }

    /// Whether it handles a password, the token of a login, a permit or the key of the gate.
    pub(crate) const fn holds_secrets(&self) -> bool {
        match self {
            Self::Exec(_)
            | Self::Serve(_)
            | Self::Pause(_)
            | Self::Trust(_)
            | Self::Lockdown(_)
            | Self::Separate(_)
            | Self::Inbox(_)
            | Self::Request(_)
            | Self::People(_)
            | Self::Permit(_)
            | Self::Ledger(_)
            | Self::Grant(_)
            | Self::Hook(_)
            | Self::Watch(_)
            | Self::Mcp(_)
            | Self::Acp(_) => true,
            Self::Check(_)
            | Self::Undo(_)
            | Self::Config(_)
            | Self::Rules(_)
            | Self::Install(_)
            | Self::Uninstall(_)
            | Self::Doctor(_)
            | Self::Completions { .. }
            | Self::Man { .. } => false,
        }
    }
}

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// The operation: a shell text, `OP PATH` for a file, a name and a JSON object for a tool, the rows of a screen [default:
    /// standard input]
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
    #[arg(
        value_name = "COMMAND",
        required_unless_present_any = ["approval", "file"],
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) command: Vec<OsString>,
    /// Do something to a file instead, given on standard input as {"op": …, "path": …}: read, write (content), delete, move (to)
    #[arg(long, conflicts_with_all = ["command", "approval", "timeout"])]
    pub(crate) file: bool,
    /// Run what was approved at the gateway under this id, where it was asked for
    #[arg(long, value_name = "ID", conflicts_with_all = ["command", "intent", "no_wait"])]
    pub(crate) approval: Option<String>,
    /// Where people have to be asked at the gateway, do not wait for them: exit 120, and run it later with --approval
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Who asks at the gateway; only the same one runs what was approved
    #[arg(long, value_name = "NAME", default_value = "exec")]
    pub(crate) agent: String,
    /// The session that asks at the gateway; only the same one runs what was approved [default: that of the terminal]
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
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
pub(crate) struct HookArguments {
    /// Whose hook this is
    #[arg(value_name = "AGENT", value_parser = client_parser())]
    pub(crate) client: Client,
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
    /// What is visible of a terminal: does an agent wait there?
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
            Self::Shell | Self::File | Self::Tool | Self::Screen => true,
            Self::Sql | Self::Reply => false,
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

pub(crate) fn client_parser() -> impl clap::builder::TypedValueParser<Value = Client> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Client::ALL.map(Client::name))
        .map(|name| Client::from_name(&name).unwrap_or(Client::Claude))
}

fn posture_parser() -> impl clap::builder::TypedValueParser<Value = Posture> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Posture::ALL.map(Posture::name))
        .map(|name| Posture::from_name(&name).unwrap_or_default())
}

pub(crate) fn language_parser() -> impl clap::builder::TypedValueParser<Value = Language> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Language::ALL.map(Language::name))
        .map(|name| Language::from_name(&name).unwrap_or_default())
}
