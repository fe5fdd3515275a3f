//! Running, in the abstract: an argument list, a text, a script.

use signoff_model::{Dialect, Span};

use super::{families, machine::{Call, MAX_DEPTH, Shell}, rules};
use crate::value::{Arg, Feed, Value};

/// A language that a text can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A shell.
    Shell(Dialect),
    /// Python.
    Python,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// JavaScript or TypeScript.
    JavaScript,
    /// PHP.
    Php,
    /// Lua.
    Lua,
    /// awk.
    Awk,
    /// R.
    R,
    /// Java, Groovy, Kotlin or Scala as a script.
    Java,
    /// PowerShell.
    PowerShell,
    /// AppleScript.
    AppleScript,
    /// Tcl and expect.
    Tcl,
    /// SQL of some database.
    Sql,
    /// Something else: the name of the interpreter says what.
    Other,
}

impl Shell<'_> {
    /// Runs an argument list: the first word names the program. For wrappers such as `sudo` or `xargs`.
    pub fn run(&mut self, argv: &[Arg], stdin: Feed, span: Span) -> Feed {
        self.run_with(Vec::new(), argv, stdin, span)
    }

    /// Runs an argument list with variables that are set for it alone.
    pub fn run_with(&mut self, variables: Vec<(String, Value)>, argv: &[Arg], stdin: Feed, span: Span) -> Feed {
        let Some((program, args)) = argv.split_first() else { return Feed::none() };
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            self.tell(&rules::BUDGET, program.shown().into_owned(), span);
            self.findings.gap("the budget is spent", span);
            return Feed::none();
        }
        self.fuel -= 1;
        self.depth += 1;
        let Some(path) = program.known() else {
            self.tell(&rules::UNKNOWN_PROGRAM, program.shown().into_owned(), span);
            self.depth -= 1;
            return Feed::none();
        };
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let call = Call { name, program: program.clone(), args: args.to_vec(), variables, stdin, span };
        let feed = match families::find(&call.name) {
            Some(judge) => judge(self, &call),
            None => families::unknown::judge(self, &call),
        };
        self.depth -= 1;
        feed
    }

    /// Reads a text as shell code and runs it. What it does is blamed on the argument.
    pub fn run_text(&mut self, _code: &Arg, _dialect: Dialect, _stdin: Feed) -> Feed {
        Feed::none()
    }

    /// Reads a text as code of some language and runs it.
    pub fn run_code(&mut self, _language: Language, _code: &Arg, _stdin: Feed) -> Feed {
        Feed::none()
    }

    /// Runs what flows in as code of some language: `… | sh`, `python3 -`, `bash < file`.
    pub fn run_feed(&mut self, _language: Language, _feed: Feed, _span: Span) -> Feed {
        Feed::none()
    }

    /// Runs a script file with arguments: reads it when that is possible, otherwise follows the rule for the project's
    /// own scripts.
    pub fn run_script(&mut self, _language: Language, _file: &Arg, _args: &[Arg], _stdin: Feed) -> Feed {
        Feed::none()
    }
}
