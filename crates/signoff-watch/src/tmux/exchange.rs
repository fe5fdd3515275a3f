//! What is asked and what comes back. An answer counts from a word on that nobody else could have written, up to another such word.

use signoff_gate::{Mint as _, SystemMint};

use super::{
    command::{Command, line},
    protocol::Block,
};

/// Why tmux could not be asked, or has not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// There is no such program.
    #[error("tmux is not installed: {0}")]
    NoTmux(String),
    /// It is too old.
    #[error("tmux {0} is too old")]
    TooOld(String),
    /// No server listens there, or there is no such session or pane.
    #[error("{0}")]
    Refused(String),
    /// It has gone away, or says nothing.
    #[error("tmux does not answer: {0}")]
    Silent(String),
    /// A command cannot be written, or there are no random numbers.
    #[error("cannot ask tmux: {0}")]
    Unasked(&'static str),
}

/// Commands with the two words around their answers.
pub(super) struct Exchange {
    from: String,
    to: String,
    /// The lines to write.
    pub(super) text: String,
}

impl Exchange {
    pub(super) fn of(list: &[Command]) -> Result<Self, Trouble> {
        let (from, to) = (secret_word()?, secret_word()?);
        let commands = line(list).ok_or(Trouble::Unasked("a word holds the end of a line"))?;
        // An empty line would end the client.
        let commands = if commands.is_empty() { commands } else { format!("{commands}\n") };
        let text = format!("display-message -p {from}\n{commands}display-message -p {to}\n");
        Ok(Self { from, to, text })
    }

    pub(super) fn begins_with(&self, block: &Block) -> bool {
        block.lines.as_slice() == [self.from.as_str()]
    }

    pub(super) fn ends_with(&self, block: &Block) -> bool {
        block.lines.as_slice() == [self.to.as_str()]
    }
}

/// A word that nobody can guess.
pub(super) fn secret_word() -> Result<String, Trouble> {
    let nonce = SystemMint.nonce().map_err(|_| Trouble::Unasked("there are no random numbers"))?;
    Ok(format!("signoff{}", nonce.to_string().chars().take(24).collect::<String>()))
}

/// Why the first command failed that did.
pub(super) fn whole(blocks: Vec<Block>) -> Result<Vec<Block>, Trouble> {
    match blocks.iter().find(|block| block.failed) {
        Some(failed) => Err(Trouble::Refused(failed.lines.join(" "))),
        None => Ok(blocks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_empty_and_no_word_is_used_twice() {
        let empty = Exchange::of(&[]).unwrap();
        assert!(empty.text.lines().all(|line| !line.is_empty()), "{}", empty.text);
        assert_eq!(empty.text.lines().count(), 2);
        let some = Exchange::of(&[Command::new(["list-panes"])]).unwrap();
        assert_eq!(some.text.lines().nth(1), Some("list-panes"));
        assert_ne!(empty.from, some.from);
    }
}
