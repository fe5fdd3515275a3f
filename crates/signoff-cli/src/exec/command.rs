//! The command of `signoff exec`: how it is run, and the text that it is judged by.

use std::ffi::OsString;

use signoff_exec::run::Program;
use signoff_model::{Dialect, Operation, ShellCommand};

use crate::failure::Failure;

/// What bash takes for a part of its own language where a command begins.
const RESERVED: &[&str] = &[
    "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "in", "select", "then", "time", "until", "while",
];

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
                Ok(Self { program: Program::Argv { program: program.into(), arguments }, text: as_bash(&texts) })
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

/// Words as a text from which bash would make the same words again.
fn as_bash(words: &[&str]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || "_@%+:,./-".contains(letter) || index > 0 && letter == '=';
        let begins = index == 0 && RESERVED.contains(word);
        if !word.is_empty() && word.chars().all(is_plain) && !begins {
            text.push_str(word);
        } else {
            text.push('\'');
            text.push_str(&word.replace('\'', r"'\''"));
            text.push('\'');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Wanted, as_bash};

    #[test]
    fn bash_makes_the_same_words_again() {
        for words in [
            &[
                "rm", "-rf", "a b", "it's", "$HOME", "*", "~", "{a,b}", "", "\n", "x=y", "\\", "!", "#", "a;b", "`ls`",
                "ü",
            ][..],
            &["printf", "%s", "<(x)", "\"", "\t", "&", "|", ">"],
        ] {
            let text = as_bash(&[&["printf", "%s\\0"], words].concat());
            let output = Command::new("bash").args(["-c", &text]).output().unwrap();
            let found: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
            let expected: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).chain([&b""[..]]).collect();
            assert_eq!(found, expected, "{text}");
        }
        for (words, expected) in
            [(&["if", "x"][..], "'if' x"), (&["A=b", "x"], "'A=b' x"), (&["make", "A=b"], "make A=b")]
        {
            assert_eq!(as_bash(words), expected);
        }
    }

    #[test]
    fn nothing_is_no_command() {
        for words in [&[][..], &[""], &["  "]] {
            let words: Vec<std::ffi::OsString> = words.iter().map(Into::into).collect();
            assert!(Wanted::new(&words).is_err());
        }
    }
}
