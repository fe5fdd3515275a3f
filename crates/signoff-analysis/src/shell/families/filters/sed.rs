//! The simple part of `sed`, on a text that is known.

/// What `sed` prints for a script of plain substitutions, translations, deletions and prints by line number. None if the
/// script does anything else, so that nothing is guessed. `quiet` stands for `-n`.
pub fn sed_text(text: &str, script: &str, quiet: bool) -> Option<String> {
    let commands: Vec<Command> = commands(script)?;
    if commands.iter().any(|command| command.action.runs()) {
        return None;
    }
    followed(text, &commands, quiet).map(|followed| followed.printed)
}

/// The commands that `sed` runs while it goes over a text, by the flag or the command `e`. None if the script does
/// anything that is not followed.
pub fn sed_commands(text: &str, script: &str) -> Option<String> {
    // What a command prints takes the place of the line, so that only what comes before it is known.
    let commands: Vec<Command> = commands(script)?;
    let first = commands.iter().position(|command| command.action.runs())?;
    if commands.iter().skip(first + 1).any(|command| command.action.runs()) {
        return None;
    }
    followed(text, &commands, false).map(|followed| followed.runs)
}

/// What a script makes of a text.
#[derive(Default)]
struct Followed {
    printed: String,
    /// The lines that run as commands.
    runs: String,
}

fn followed(text: &str, commands: &[Command], quiet: bool) -> Option<Followed> {
    let mut runs = String::new();
    let mut all = String::with_capacity(text.len());
    let last = text.lines().count();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let (bare, end) = match line.strip_suffix('\n') {
            Some(bare) => (bare, "\n"),
            None => (line, ""),
        };
        let mut space = bare.to_owned();
        let mut deleted = false;
        let mut printed = 0;
        for command in commands {
            if deleted || !command.lines.holds(index + 1, last) {
                continue;
            }
            match &command.action {
                Action::Delete => deleted = true,
                Action::Print => {
                    all.push_str(&space);
                    all.push('\n');
                    printed += 1;
                }
                Action::Run => {
                    runs.push_str(&space);
                    runs.push('\n');
                }
                Action::Substitute { from, to, everywhere, then_run } => {
                    if everywhere_grows(&space, from, to) {
                        return None;
                    }
                    let found = space.contains(from.as_str());
                    space = if *everywhere {
                        space.replace(from.as_str(), to)
                    } else {
                        space.replacen(from.as_str(), to, 1)
                    };
                    if space.len() > super::MOST {
                        return None;
                    }
                    if found && *then_run {
                        runs.push_str(&space);
                        runs.push('\n');
                    }
                }
                Action::Translate(pairs) => {
                    space = space
                        .chars()
                        .map(|letter| pairs.iter().find(|(from, _)| *from == letter).map_or(letter, |(_, to)| *to))
                        .collect();
                }
            }
        }
        if !deleted && !quiet {
            all.push_str(&space);
            all.push_str(end);
        }
        if all.len() > super::MOST || printed > 64 {
            return None;
        }
    }
    Some(Followed { printed: all, runs })
}

struct Command {
    lines: Lines,
    action: Action,
}

enum Lines {
    All,
    One(usize),
    Last,
    Range(usize, usize),
}

impl Lines {
    fn holds(&self, line: usize, last: usize) -> bool {
        match self {
            Self::All => true,
            Self::One(wanted) => line == *wanted,
            Self::Last => line == last,
            Self::Range(from, to) => (*from..=*to).contains(&line),
        }
    }
}

enum Action {
    Delete,
    Print,
    Substitute {
        from: String,
        to: String,
        everywhere: bool,
        then_run: bool,
    },
    Translate(Vec<(char, char)>),
    /// The line runs as a command.
    Run,
}

impl Action {
    /// Whether the line may run as a command.
    fn runs(&self) -> bool {
        matches!(self, Self::Run | Self::Substitute { then_run: true, .. })
    }
}

fn commands(script: &str) -> Option<Vec<Command>> {
    let mut found = Vec::new();
    let mut rest = script.trim_start_matches([';', ' ', '\n']);
    while !rest.is_empty() {
        let (lines, after) = address(rest)?;
        let letter = after.chars().next()?;
        let body = after.get(letter.len_utf8()..)?;
        let (action, after) = match letter {
            'd' => (Action::Delete, body),
            'p' => (Action::Print, body),
            'e' if body.is_empty() || body.starts_with([';', '\n']) => (Action::Run, body),
            's' => {
                let (from, to, after) = halves(body)?;
                let flags: String = after.chars().take_while(|flag| flag.is_ascii_alphanumeric()).collect();
                if !flags.chars().all(|flag| matches!(flag, 'g' | 'e')) {
                    return None;
                }
                let (everywhere, then_run) = (flags.contains('g'), flags.contains('e'));
                (
                    Action::Substitute { from: literal(&from)?, to: replacement(&to)?, everywhere, then_run },
                    after.get(flags.len()..)?,
                )
            }
            'y' => {
                let (from, to, after) = halves(body)?;
                if from.chars().count() != to.chars().count() || from.contains('\\') || to.contains('\\') {
                    return None;
                }
                (Action::Translate(from.chars().zip(to.chars()).collect()), after)
            }
            _ => return None,
        };
        found.push(Command { lines, action });
        let trimmed = after.trim_start_matches([';', ' ', '\n']);
        if trimmed.len() == after.len() && !after.is_empty() {
            return None;
        }
        rest = trimmed;
    }
    Some(found)
}

fn address(text: &str) -> Option<(Lines, &str)> {
    if let Some(rest) = text.strip_prefix('$') {
        return Some((Lines::Last, rest));
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let end = digits(text);
    if end == 0 {
        return Some((Lines::All, text));
    }
    let from = text.get(..end)?.parse().ok()?;
    let rest = text.get(end..)?;
    let Some(more) = rest.strip_prefix(',') else { return Some((Lines::One(from), rest)) };
    if let Some(rest) = more.strip_prefix('$') {
        return Some((Lines::Range(from, usize::MAX), rest));
    }
    let end = digits(more);
    let to = more.get(..end)?.parse().ok()?;
    Some((Lines::Range(from, to), more.get(end..)?))
}

/// The two parts of `s/a/b/` or `y/a/b/`, and what follows.
fn halves(text: &str) -> Option<(String, String, &str)> {
    let delimiter = text.chars().next()?;
    let mut parts = [String::new(), String::new()];
    let mut rest = text.get(delimiter.len_utf8()..)?;
    for part in &mut parts {
        loop {
            let letter = rest.chars().next()?;
            rest = rest.get(letter.len_utf8()..)?;
            if letter == delimiter {
                break;
            }
            part.push(letter);
            if letter == '\\' {
                let next = rest.chars().next()?;
                rest = rest.get(next.len_utf8()..)?;
                if next == delimiter {
                    part.pop();
                }
                part.push(next);
            }
        }
    }
    let [from, to] = parts;
    Some((from, to, rest))
}

/// A pattern that stands for itself.
fn literal(pattern: &str) -> Option<String> {
    if pattern.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                escaped @ ('.' | '*' | '[' | ']' | '^' | '$' | '\\' | '/') => text.push(escaped),
                _ => return None,
            },
            '.' | '*' | '[' | '^' | '$' => return None,
            letter => text.push(letter),
        }
    }
    Some(text)
}

fn replacement(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                'n' => plain.push('\n'),
                't' => plain.push('\t'),
                escaped @ ('\\' | '/' | '&') => plain.push(escaped),
                _ => return None,
            },
            '&' => return None,
            letter => plain.push(letter),
        }
    }
    Some(plain)
}

/// Whether a replacement could make the text longer than is followed.
fn everywhere_grows(space: &str, from: &str, to: &str) -> bool {
    let times = space.len() / from.len().max(1) + 1;
    times.saturating_mul(to.len()) > super::MOST
}
