//! One program about to run.

use compact_str::CompactString;
use signoff_model::Span;

use super::options::{Rehearsals, is_off};
use crate::value::{Arg, Feed, Origin, Value};

/// One program about to run, with everything that is known about how.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The name of the program without its directory, such as `git`.
    pub name: CompactString,
    /// The word that names the program.
    pub program: Arg,
    /// The arguments, without the program.
    pub args: Vec<Arg>,
    /// The variables set for this call alone, as in `A=b program`.
    pub variables: Vec<(String, Value)>,
    /// What flows in.
    pub stdin: Feed,
    /// The whole command in the input.
    pub span: Span,
}

impl Call {
    /// What the program prints, of which nothing more is known than whose it is.
    pub fn output(&self) -> Feed {
        Feed::from(Origin::Program(self.name.clone()))
    }

    /// The known text of the argument at this position.
    pub fn arg(&self, index: usize) -> Option<&str> {
        self.args.get(index).and_then(|arg| arg.known())
    }

    /// Whether some argument is exactly this text.
    pub fn has(&self, text: &str) -> bool {
        self.args.iter().any(|arg| arg.is(text))
    }

    /// Whether some argument is one of these texts.
    pub fn has_any(&self, texts: &[&str]) -> bool {
        self.args.iter().any(|arg| arg.known().is_some_and(|known| texts.contains(&known)))
    }

    /// Whether one of these switches makes the call look and not act, and no other turns it off again.
    pub fn rehearses(&self, switches: &[&str]) -> bool {
        let rehearsals = Rehearsals::of(&self.args);
        self.args.iter().enumerate().any(|(at, arg)| {
            let given = arg.value.prefix().split('=').next().is_some_and(|name| switches.contains(&name));
            given && !rehearsals.is_taken_back(at)
        })
    }

    /// Whether the call only asks for help or a version, for programs that read options behind operands too.
    pub fn asks_for_help(&self) -> bool {
        self.asks_by(HELP) || self.asks_alone(&["-h", "-V", "help", "version", "-version", "-help"])
    }

    /// Whether the call only asks for help or a version, for programs that stop reading options at the first operand:
    /// what wraps a command, runs code or reads an expression hands everything behind it on.
    pub fn asks_for_help_first(&self) -> bool {
        self.asks_first_by(HELP)
    }

    /// Whether the program would read one of these words as an option of its own, wherever it stands.
    pub fn asks_by(&self, words: &[&str]) -> bool {
        self.reads_as_option(words, self.args.len())
    }

    /// Whether the program would read one of these words as an option of its own, before any operand.
    pub fn asks_first_by(&self, words: &[&str]) -> bool {
        let is_operand = |arg: &Arg| arg.is("-") || !arg.value.prefix().starts_with('-');
        self.reads_as_option(words, self.args.iter().position(is_operand).unwrap_or(self.args.len()))
    }

    /// Whether one of these words is the only argument.
    pub fn asks_alone(&self, words: &[&str]) -> bool {
        self.args.len() == 1 && self.has_any(words)
    }

    /// `--help=false`: some programs read a switch with a value, and the last one counts.
    fn takes_back_help(&self) -> bool {
        let takes_back =
            |text: &str| text.split_once('=').is_some_and(|(name, value)| HELP.contains(&name) && is_off(value));
        self.args.iter().any(|arg| takes_back(arg.value.prefix()))
    }

    /// A word is not read as an option behind `--`, nor where the argument before it may take it as a value. An
    /// argument that is not known may be either of the two.
    fn reads_as_option(&self, words: &[&str], end: usize) -> bool {
        let mut may_be_value = false;
        for arg in self.args.iter().take(end) {
            let text = arg.value.prefix();
            if arg.is("--") || text.is_empty() && arg.known().is_none() {
                return false;
            }
            if !may_be_value && arg.known().is_some_and(|known| words.contains(&known)) {
                return !self.takes_back_help();
            }
            may_be_value = text.len() > 1 && text.starts_with('-') && !text.contains('=');
        }
        false
    }
}

/// The options by which nearly every program explains itself instead of working.
const HELP: &[&str] = &["--help", "--version"];
