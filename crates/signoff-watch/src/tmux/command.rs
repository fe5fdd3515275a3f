//! Commands for tmux as words, and the two ways of writing them: as a line that tmux parses, and as the arguments of a process.

/// One command: its name and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command(Vec<String>);

/// Commands that run one behind the other, with nothing in between. One that fails keeps the others from running.
pub type List = Vec<Command>;

impl Command {
    /// A command of these words.
    pub fn new<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Self {
        Self(words.into_iter().map(Into::into).collect())
    }

    fn line(&self) -> String {
        self.0.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A list as a line. None where a word holds the end of one.
pub(super) fn line(list: &[Command]) -> Option<String> {
    let whole = list.iter().map(Command::line).collect::<Vec<_>>().join(" ; ");
    (!whole.contains(['\n', '\r', '\0'])).then_some(whole)
}

/// A list as arguments.
pub(super) fn arguments(list: &[Command]) -> Vec<String> {
    let mut words = Vec::new();
    for (at, command) in list.iter().enumerate() {
        if at > 0 {
            words.push(";".to_owned());
        }
        // Behind a word such a sign would end the command.
        let kept = |word: &String| word.strip_suffix(';').map_or_else(|| word.clone(), |rest| format!("{rest}\\;"));
        words.extend(command.0.iter().map(kept));
    }
    words
}

/// A word as tmux reads it back, and also a shell: what a person may paste.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | ':' | '@');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words() {
        let list = vec![
            Command::new(["send-keys", "-t", "%3", "-l", "--", "it's; $HOME #{x}"]),
            Command::new(["display-message", "-p", ""]),
        ];
        assert_eq!(
            line(&list).as_deref(),
            Some(r#"send-keys -t '%3' -l -- 'it'\''s; $HOME #{x}' ; display-message -p ''"#)
        );
        assert_eq!(line(&[Command::new(["a\nkill-server"])]), None);
        assert_eq!(arguments(&[Command::new(["a", "b;"]), Command::new(["c"])]), ["a", "b\\;", ";", "c"]);
    }
}
