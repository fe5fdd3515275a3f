//! The command of `signoff exec`: how it is run, and the text that it is judged by.

use std::ffi::OsString;

use signoff_analysis::shell::text_of_words;
use signoff_exec::run::Program;
use signoff_model::{Dialect, Operation, ShellCommand};

use crate::failure::Failure;

/// A command that is to be run.
pub(super) struct Wanted {
    pub(super) program: Program,
    /// The same as a text for bash, which is what is judged and shown.
    pub(super) text: String,
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
            [text] => Ok(Self { program: Program::Bash((*text).into()), text: (*text).to_owned() }),
            [program, arguments @ ..] => {
                let arguments = arguments.iter().map(OsString::from).collect();
                Ok(Self { program: Program::Argv { program: program.into(), arguments }, text: text_of_words(&texts) })
            }
        }
    }

    pub(super) fn operation(&self) -> Operation {
        Operation::Shell(ShellCommand { command: self.text.clone(), dialect: Dialect::Bash })
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
