//! The command of `signoff exec`: how it is run, and the text that it is judged by.

use std::{ffi::OsString, path::Path};

use signoff_analysis::shell::text_of_words;
use signoff_exec::{file, run::Program};
use signoff_model::{Dialect, FileOperation, Operation, ShellCommand};

use crate::failure::Failure;

/// A command that is to be run.
pub(super) struct Wanted {
    pub(super) deed: Deed,
    /// What is judged and shown: a program as a text for bash.
    pub(super) operation: Operation,
}

/// How it is done.
pub(super) enum Deed {
    Program(Program),
    File(file::Deed),
}

impl Wanted {
    /// One word is a text for bash, several are a program and its arguments.
    pub(super) fn new(words: &[OsString]) -> Result<Self, Failure> {
        let mut texts = Vec::new();
        for word in words {
            // What is no text cannot be shown, and so cannot be approved.
            texts.push(word.to_str().ok_or_else(|| {
                Failure::usage("the command is not valid UTF-8", "命令不是有效的 UTF-8").hint(
                    "name files with such names by a pattern, or rename them first",
                    "请用通配符指定这类文件，或先将其改名",
                )
            })?);
        }
        match texts.as_slice() {
            [] => Err(empty()),
            [text] if text.trim().is_empty() => Err(empty()),
            [text] => Ok(Self::program(Program::Bash((*text).into()), (*text).to_owned())),
            [program, arguments @ ..] => {
                let arguments = arguments.iter().map(OsString::from).collect();
                Ok(Self::program(Program::Argv { program: program.into(), arguments }, text_of_words(&texts)))
            }
        }
    }

    fn program(program: Program, text: String) -> Self {
        let operation = Operation::Shell(ShellCommand { command: text, dialect: Dialect::Bash });
        Self { deed: Deed::Program(program), operation }
    }

    /// What was approved, seen from a directory.
    pub(super) fn approved(operation: Operation, directory: &Path) -> Result<Self, Failure> {
        match operation {
            Operation::Shell(shell) => Self::new(&[shell.command.into()]),
            Operation::File(asked) => {
                let really = super::file::really(asked.clone(), directory)?;
                // A link that was put in the way meanwhile leads to something that nobody was shown.
                if really != asked {
                    return Err(Failure::usage("what was asked about lies elsewhere now", "所询问的文件现已位于别处"));
                }
                Self::file(asked)
            }
            Operation::Tool(_) => Err(Failure::usage("what was asked for is no command", "所请求的不是命令")),
        }
    }

    pub(super) fn file(operation: FileOperation) -> Result<Self, Failure> {
        Ok(Self { deed: Deed::File(super::file::deed(&operation)?), operation: Operation::File(operation) })
    }

    /// What people read of it.
    pub(super) fn text(&self) -> String {
        self.operation.text().into_owned()
    }
}

fn empty() -> Failure {
    Failure::usage("no command was given", "未给出命令").hint("signoff exec -- 'COMMAND'", "signoff exec -- '命令'")
}

#[cfg(test)]
mod tests {
    use super::Wanted;

    #[test]
    fn nothing_is_no_command() {
        for words in [&[][..], &[""], &["  "]] {
            let words: Vec<std::ffi::OsString> = words.iter().map(Into::into).collect();
            assert!(Wanted::new(&words).is_err());
        }
    }
}
