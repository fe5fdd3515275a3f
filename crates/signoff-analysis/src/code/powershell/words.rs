//! The text of a script as statements, commands and words.

use super::Pipelines;
use crate::value::{Origin, Piece, Value};

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A bare or quoted word, and whether it was quoted.
    Text(Value, bool),
    /// `( … )`, `$( … )`, `@( … )`.
    Group(String),
    /// `{ … }`.
    Block(String),
}

impl Pipelines<'_, '_> {
    /// The words of a command.
    pub(super) fn words(&self, text: &str) -> Vec<Word> {
        let mut all = Vec::new();
        let mut at = 0;
        while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or_default();
            if letter.is_whitespace() || letter == ',' {
                at += letter.len_utf8();
                continue;
            }
            let opener = ["$(", "@(", "@{", "(", "{"].iter().find(|mark| rest.starts_with(**mark));
            if let Some(mark) = opener {
                let length = group_length(rest.get(mark.len() - 1..).unwrap_or_default()) + mark.len() - 1;
                let inner = rest.get(mark.len()..length.saturating_sub(1)).unwrap_or_default().to_owned();
                all.push(if mark.ends_with('{') { Word::Block(inner) } else { Word::Group(inner) });
                at += length.max(1);
                continue;
            }
            if letter == '\'' || letter == '"' {
                let length = quote_length(rest);
                let inner = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
                let value = if letter == '"' { self.filled(inner) } else { Value::text(inner.replace("''", "'")) };
                all.push(Word::Text(value, true));
                at += length.max(1);
                continue;
            }
            let length = rest
                .find(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | '{' | '"' | '\''))
                .unwrap_or(rest.len())
                .max(letter.len_utf8());
            let word = rest.get(..length).unwrap_or_default().replace('`', "");
            let home = word.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
            let word = match home {
                Some(rest) => format!("{}{rest}", self.shell.whereabouts().home),
                None => word,
            };
            all.push(Word::Text(self.filled(&word), false));
            at += length;
        }
        all
    }

    /// A text with its variables put in.
    pub(super) fn filled(&self, text: &str) -> Value {
        let mut value = Value::default();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            value.push(Piece::text(rest.get(..at).unwrap_or_default()));
            let tail = rest.get(at + 1..).unwrap_or_default();
            let length = tail
                .find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | ':')))
                .unwrap_or(tail.len());
            let name = tail.get(..length).unwrap_or_default();
            let known = self
                .variables
                .iter()
                .rev()
                .find(|(variable, _)| *variable == name.to_ascii_lowercase())
                .map(|(_, value)| value.clone());
            match (known, name.to_ascii_lowercase().as_str()) {
                (Some(known), _) => value.extend(known),
                (None, "home" | "env:home" | "env:userprofile") => {
                    value.push(Piece::text(self.shell.whereabouts().home.clone()))
                }
                (None, "env:systemdrive" | "env:homedrive") => value.push(Piece::text("C:")),
                (None, "env:systemroot" | "env:windir") => value.push(Piece::text("C:\\Windows")),
                (None, "env:programfiles" | "env:programdata") => value.push(Piece::text("C:\\Program Files")),
                (None, "env:appdata" | "env:localappdata") => {
                    value.push(Piece::text(format!("{}/AppData", self.shell.whereabouts().home)))
                }
                (None, "env:temp" | "env:tmp") => value.push(Piece::text("/tmp")),
                (None, "true" | "false" | "null" | "") => value.push(Piece::text(format!("${name}"))),
                (None, _) => value.extend(Value::unknown(format!("${name}"), vec![Origin::Variable(name.to_owned())])),
            }
            rest = tail.get(length..).unwrap_or_default();
        }
        value.push(Piece::text(rest));
        value
    }
}

/// The statements of a script, each as the commands of its pipeline.
pub(super) fn statements(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut pipeline = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let close = |pipeline: &mut Vec<String>, from: usize, to: usize, ends: bool, all: &mut Vec<Vec<String>>| {
        let command = text.get(from..to).unwrap_or_default().trim();
        if !command.is_empty() {
            pipeline.push(command.to_owned());
        }
        if ends && !pipeline.is_empty() {
            all.push(std::mem::take(pipeline));
        }
    };
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let before_is_space =
            text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with(char::is_whitespace));
        match letter {
            '\'' | '"' => at += quote_length(rest),
            '(' | '{' => at += group_length(rest),
            '`' => at += 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            '<' if rest.starts_with("<#") => {
                close(&mut pipeline, start, at, false, &mut all);
                at += rest.find("#>").map_or(rest.len(), |end| end + 2);
                start = at;
            }
            '#' if before_is_space => {
                close(&mut pipeline, start, at, true, &mut all);
                at += rest.find('\n').unwrap_or(rest.len());
                start = at;
            }
            '|' | '&' if rest.starts_with("||") || rest.starts_with("&&") => {
                close(&mut pipeline, start, at, true, &mut all);
                at += 2;
                start = at;
            }
            '|' => {
                close(&mut pipeline, start, at, false, &mut all);
                at += 1;
                start = at;
            }
            ';' | '\n' => {
                let continues = letter == '\n'
                    && text.get(start..at).is_some_and(|line| line.trim().is_empty())
                    && !pipeline.is_empty();
                if !continues {
                    close(&mut pipeline, start, at, true, &mut all);
                    start = at + 1;
                }
                at += 1;
            }
            letter => at += letter.len_utf8(),
        }
    }
    close(&mut pipeline, start, text.len(), true, &mut all);
    all
}

/// The length of a quoted text with its quotes.
fn quote_length(text: &str) -> usize {
    let quote = text.chars().next().unwrap_or_default();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '`' && quote == '"' {
            letters.next();
        } else if letter == quote {
            return at + 1;
        }
    }
    text.len()
}

/// The length of a bracketed text with its brackets.
fn group_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match letter {
            '\'' | '"' => {
                at += quote_length(text.get(at..).unwrap_or_default());
                continue;
            }
            '(' | '{' => depth += 1,
            ')' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += letter.len_utf8();
    }
    text.len()
}
