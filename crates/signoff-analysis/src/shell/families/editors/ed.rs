//! Scripts of `ed`: a command a line, and texts that end with a lone dot.

use signoff_model::Unread;

use super::{
    commands::{Step, split_range, typed},
    words::behind_pattern,
};

/// Reads a script.
pub(super) fn read(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (range, command) = split_range(line.trim());
        if matches!(command, "a" | "i" | "c") {
            steps.push(Step::Edits);
            steps.push(Step::Adds(typed(&mut lines)));
            continue;
        }
        one(range, command, &mut steps);
    }
    steps
}

fn one(range: &str, command: &str, steps: &mut Vec<Step>) {
    let mut letters = command.chars();
    let Some(letter) = letters.next() else { return };
    let argument = letters.as_str().trim_start_matches('q').trim();
    let run = |steps: &mut Vec<Step>, code: &str| steps.push(Step::Runs(code.trim().to_owned()));
    match letter {
        '!' => run(steps, letters.as_str()),
        '#' | '=' | 'h' | 'H' | 'P' | 'p' | 'n' | 'l' | 'k' | 'q' | 'Q' | 'u' | 'z' | 'y' => {}
        'd' => steps.push(if matches!(range, "%" | "1,$" | "," | "0,$") { Step::Empties } else { Step::Edits }),
        'j' | 'm' | 't' | 'x' | 'a' | 'i' | 'c' => steps.push(Step::Edits),
        's' => {
            steps.push(Step::Edits);
            let (pattern, _) = behind_pattern(letters.as_str());
            steps.extend(Some(pattern).filter(|pattern| !pattern.is_empty()).map(Step::Picks));
            let added = super::super::text::texts_put_in(command);
            steps.extend(Some(added).filter(|added| !added.trim().is_empty()).map(Step::Adds));
        }
        'g' | 'v' => {
            let (pattern, commands) = behind_pattern(letters.as_str());
            steps.push(Step::Edits);
            steps.push(Step::Picks(pattern.clone()));
            let (range, inner) = split_range(commands.trim_end_matches('\\'));
            match inner.chars().next() {
                Some('d') if letter == 'g' && matches!(pattern.as_str(), "^" | ".*" | "." | "$" | "") => {
                    steps.push(Step::Empties);
                }
                // It is not done once more for every line.
                Some('g' | 'v' | 'G' | 'V') => steps.push(Step::Opaque(Unread::EdInput)),
                _ => one(range, inner, steps),
            }
        }
        'w' | 'W' => match argument.strip_prefix('!') {
            Some(code) => steps.push(Step::Filters(code.trim().to_owned())),
            None if argument.is_empty() => steps.push(Step::Writes),
            None => steps.push(Step::WritesTo(argument.to_owned())),
        },
        'e' | 'E' | 'r' | 'f' => match argument.strip_prefix('!') {
            Some(code) => run(steps, code),
            None if argument.is_empty() => {}
            None if letter == 'r' => steps.push(Step::Reads(argument.to_owned())),
            None => steps.push(Step::Opens(argument.to_owned())),
        },
        _ => steps.push(Step::Opaque(Unread::EdInput)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts() {
        assert_eq!(read("1,$d\nw"), [Step::Empties, Step::Writes]);
        assert_eq!(read(",d\nwq"), [Step::Empties, Step::Writes]);
        let adds = Step::Adds("!rm -rf x".to_owned());
        assert_eq!(read("a\n!rm -rf x\n.\nw\nq"), [Step::Edits, adds, Step::Writes]);
        assert_eq!(read("!ls"), [Step::Runs("ls".to_owned())]);
        assert_eq!(read("w out.txt"), [Step::WritesTo("out.txt".to_owned())]);
        assert_eq!(read("1,5p\n$n\nH\nq"), []);
        assert_eq!(read("g/x/!ls"), [Step::Edits, Step::Picks("x".to_owned()), Step::Runs("ls".to_owned())]);
        assert_eq!(read("G/x/"), [Step::Opaque(Unread::EdInput)]);
    }
}
