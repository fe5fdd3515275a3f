//! The command line.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use signoff_card::Language;
use signoff_policy::Posture;

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
    /// List the rules, or explain one
    Rules(RulesArguments),
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

impl Command {
    /// The language that was asked for by name.
    pub(crate) const fn language(&self) -> Option<Language> {
        match self {
            Self::Check(arguments) => arguments.lang,
            Self::Rules(arguments) => arguments.lang,
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
    /// How careful to be
    #[arg(long, value_name = "P", default_value_t = Posture::Balanced, value_parser = posture_parser())]
    pub(crate) posture: Posture,
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
