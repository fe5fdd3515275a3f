//! Scripts of `sed`, read as far as they write files or run commands.

/// What a step of a script does beyond changing the text that flows through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Writes to a file.
    Writes(String),
    /// Reads a file in.
    Reads(String),
    /// Runs a command.
    Runs(String),
    /// Runs what flows through as a command.
    RunsInput,
    /// Leaves nothing.
    Empties,
}

/// Reads a script. What is not a script of `sed` gives no steps: `sed` would refuse it.
pub(super) fn read(script: &str) -> Vec<Step> {
    whole(script).steps
}

/// Whether a script lets whole lines through and does nothing else to them: it prints, deletes and ends.
pub(super) fn only_chooses(script: &str) -> bool {
    whole(script).chooses
}

/// Whether a script prints something by itself, or may.
pub(super) fn prints(script: &str) -> bool {
    whole(script).prints
}

/// The texts that a script puts in: behind, before and in the place of lines, and for what it finds in them.
pub(super) fn added(script: &str) -> Vec<String> {
    whole(script).added
}

fn whole(script: &str) -> Reader<'_> {
    let mut reader = Reader { rest: script, steps: Vec::new(), added: Vec::new(), chooses: true, prints: false };
    while !reader.rest.is_empty() {
        reader.command();
    }
    reader
}

struct Reader<'a> {
    rest: &'a str,
    steps: Vec<Step>,
    added: Vec<String>,
    /// Whether every command so far prints, deletes or ends.
    chooses: bool,
    /// Whether a command so far prints something, even if nothing is printed by default.
    prints: bool,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..).unwrap_or_default();
        Some(letter)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, letters: &[char]) {
        self.rest = self.rest.trim_start_matches(letters);
    }

    /// The text up to the end of the line.
    fn line(&mut self) -> &'a str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line.trim()
    }

    /// The text up to an unescaped mark.
    fn until(&mut self, mark: char) -> String {
        let mut text = String::new();
        let mut in_brackets = false;
        while let Some(letter) = self.next() {
            match letter {
                '\\' => {
                    text.push(letter);
                    text.extend(self.next());
                }
                '[' if !in_brackets => {
                    in_brackets = mark != '[';
                    text.push(letter);
                }
                ']' => {
                    in_brackets = false;
                    text.push(letter);
                }
                letter if letter == mark && (!in_brackets || !self.rest.contains(']')) => break,
                letter if letter == mark && in_brackets && mark == '/' => text.push(letter),
                letter if letter == mark => break,
                letter => text.push(letter),
            }
        }
        text
    }

    /// One address in front of a command; whether there was one.
    fn address(&mut self) -> bool {
        match self.peek() {
            Some('/') => {
                self.next();
                self.until('/');
                self.skip(&['I', 'M']);
            }
            Some('\\') => {
                self.next();
                if let Some(mark) = self.next() {
                    self.until(mark);
                }
                self.skip(&['I', 'M']);
            }
            Some('$') => drop(self.next()),
            Some(letter) if letter.is_ascii_digit() || letter == '+' || letter == '~' => {
                self.rest = self
                    .rest
                    .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '~' || letter == '+');
            }
            _ => return false,
        }
        true
    }

    fn command(&mut self) {
        self.skip(&[' ', '\t', '\n', ';', '{', '}']);
        let before = self.rest;
        let mut addressed = self.address();
        self.skip(&[' ', '\t']);
        if self.peek() == Some(',') {
            self.next();
            self.skip(&[' ', '\t']);
            self.address();
            let whole = before.get(..before.len() - self.rest.len()).unwrap_or_default().replace(' ', "");
            addressed = whole != "1,$";
        }
        self.skip(&[' ', '\t', '!']);
        let Some(letter) = self.next() else { return };
        self.chooses &= matches!(letter, 'p' | 'd' | 'q' | 'Q' | 'n' | 'b' | 't' | 'T' | ':' | '{' | '}' | '#');
        self.prints |= matches!(letter, 'p' | 'P' | 'l' | '=' | 'a' | 'i' | 'c' | 'r' | 'R' | 'e' | 'F');
        match letter {
            's' => self.substitution(addressed),
            'y' => {
                if let Some(mark) = self.next() {
                    self.until(mark);
                    self.until(mark);
                }
            }
            'w' | 'W' => {
                let file = self.line().to_owned();
                self.steps.push(Step::Writes(file));
            }
            'r' | 'R' => {
                let file = self.line().to_owned();
                self.steps.push(Step::Reads(file));
            }
            'e' => {
                let command = self.line().to_owned();
                self.steps.push(if command.is_empty() || command.starts_with([';', '}']) {
                    Step::RunsInput
                } else {
                    Step::Runs(command)
                });
            }
            'd' if !addressed => self.steps.push(Step::Empties),
            'a' | 'i' | 'c' => loop {
                let line = self.line();
                let text = line.trim_start_matches('\\').trim_end_matches('\\').trim_start();
                if !text.is_empty() {
                    self.added.push(text.to_owned());
                }
                if !line.ends_with('\\') || self.rest.is_empty() {
                    break;
                }
            },
            // A label ends where the next command may begin.
            ':' | 'b' | 't' | 'T' => {
                self.skip(&[' ', '\t']);
                self.rest = self.rest.trim_start_matches(|letter: char| !matches!(letter, ';' | '}' | '\n'));
            }
            '#' => drop(self.line()),
            _ => {}
        }
    }

    fn substitution(&mut self, addressed: bool) {
        let Some(mark) = self.next() else { return };
        let pattern = self.until(mark);
        let by = self.until(mark);
        self.added.push(plain(&by));
        while let Some(flag) = self.peek() {
            match flag {
                'w' => {
                    self.next();
                    let file = self.line().to_owned();
                    self.steps.push(Step::Writes(file));
                    return;
                }
                'e' => {
                    self.next();
                    let whole = matches!(pattern.as_str(), ".*" | "^.*$" | "^.*" | ".*$" | "^");
                    let plain = !by.contains('&') && !by.contains('\\');
                    self.steps.push(if whole && plain { Step::Runs(by.clone()) } else { Step::RunsInput });
                    // What is put in may be a command by itself, if the line held nothing else.
                    if !(whole && plain) && by.contains(' ') && !by.contains('&') {
                        self.steps.push(Step::Runs(by.replace(['\\'], "")));
                    }
                }
                'p' => {
                    self.next();
                    self.prints = true;
                }
                'g' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => drop(self.next()),
                _ => break,
            }
        }
        if !addressed && by.is_empty() && matches!(pattern.as_str(), ".*" | "^.*$" | ".\\+" | ".+") {
            self.steps.push(Step::Empties);
        }
    }
}

/// A replacement as the text that it puts in.
fn plain(by: &str) -> String {
    let mut text = String::new();
    let mut letters = by.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                other => text.extend(other),
            },
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_chosen_or_written_anew() {
        for script in [
            "p",
            "1d",
            "/x/d",
            "/a/,/b/d",
            "5q",
            "$!d",
            "/x/{p;q}",
            "/a/!d;/b/p",
            "1~2p",
            "\\,x,d",
            "# s/a/b/\np",
            "n;d",
        ] {
            assert!(only_chooses(script), "{script}");
        }
        for script in [
            "s/a/b/",
            "1d;s/a/b/",
            "y/a/b/",
            "a x",
            "i\\\nx",
            "c x",
            "r f",
            "e ls",
            "N;P;D",
            "G",
            "x",
            "=",
            "l",
            "{s/a/b/}",
            "/x/{p;s/a/b/}",
            "p;z",
            "F",
        ] {
            assert!(!only_chooses(script), "{script}");
        }
    }

    #[test]
    fn writes_and_runs_are_seen() {
        let writes = |file: &str| vec![Step::Writes(file.to_owned())];
        let runs = |command: &str| vec![Step::Runs(command.to_owned())];
        for (script, steps) in [
            ("s/a/b/g", vec![]),
            ("s/we/e/;p", vec![]),
            ("/DROP/p", vec![]),
            ("s|/usr/bin|/opt/e|", vec![]),
            ("s/[/]/e/", vec![]),
            ("1e rm -rf data", runs("rm -rf data")),
            ("s/.*/rm -rf data/e", runs("rm -rf data")),
            ("s/x/y/e", vec![Step::RunsInput]),
            ("e", vec![Step::RunsInput]),
            ("w out.txt", writes("out.txt")),
            ("/x/w out.txt", writes("out.txt")),
            ("s/a/b/w out.txt", writes("out.txt")),
            ("s/a/b/gw /etc/x", writes("/etc/x")),
            ("d", vec![Step::Empties]),
            ("1,$d", vec![Step::Empties]),
            ("s/.*//", vec![Step::Empties]),
            ("1d", vec![]),
            ("/x/d", vec![]),
            ("/a/,/b/d", vec![]),
            ("a\\\nwow e", vec![]),
            ("$a some words e", vec![]),
            ("r /etc/shadow", vec![Step::Reads("/etc/shadow".to_owned())]),
        ] {
            assert_eq!(read(script), steps, "{script}");
        }
    }
}
