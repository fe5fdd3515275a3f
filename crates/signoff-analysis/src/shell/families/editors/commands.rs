//! Commands of `vi` and `ex`, read as far as they write, delete or run something. A command that is not known to be
//! harmless stays unread, since most of them can be given another one.

use signoff_model::Unread;

use super::{expressions, keys, words};
use crate::{shell::Language, words::is_short_for};

/// What a command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Runs a shell command.
    Runs(String),
    /// Runs a shell command that gets the text.
    Filters(String),
    /// Runs something that cannot be read.
    Opaque(Unread),
    /// Writes the files that are open.
    Writes,
    /// Writes another file.
    WritesTo(String),
    /// Reads another file.
    Reads(String),
    /// Opens another file, which is written with the others from then on.
    Opens(String),
    /// Goes to another directory.
    Goes(String),
    /// Runs code of another language.
    Code(Language, String),
    /// Changes the text.
    Edits,
    /// Looks for this in the text, and changes what it finds.
    Picks(String),
    /// Puts this into the text.
    Adds(String),
    /// Leaves nothing of the text.
    Empties,
}

/// Reads commands of `ex`, as given by `-c`: several stand behind each other with `|`.
pub(super) fn read_ex(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    read_at(text, &mut steps, 0);
    steps
}

/// Commands in commands are read so deep.
const DEEPEST: usize = 16;

fn read_at(text: &str, steps: &mut Vec<Step>, depth: usize) {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut whole = line.trim().to_owned();
        // A line that begins with a backslash goes on with the one before.
        while let Some(more) = lines.next_if(|next| next.trim_start().starts_with('\\')) {
            whole.push_str(more.trim_start().trim_start_matches('\\'));
        }
        let (_, command) = split_range(whole.trim_start_matches([':', ' ', '\t']));
        if matches!(command, "a" | "i" | "c" | "append" | "insert" | "change") {
            steps.push(Step::Edits);
            steps.push(Step::Adds(typed(&mut lines)));
            continue;
        }
        if let Some((language, mark)) = here_document(command) {
            let code = lines.by_ref().take_while(|line| line.trim() != mark).collect::<Vec<_>>().join("\n");
            if language == Language::Lua {
                expressions::read_lua(&code, steps, depth);
            }
            steps.push(Step::Code(language, code));
            continue;
        }
        let mut rest = whole.as_str();
        while !rest.is_empty() {
            let body = rest.trim_start_matches([':', ' ', '\t', '|']);
            let (range, command) = split_range(body);
            if takes_the_line(command) {
                one(range, command, steps, depth);
                break;
            }
            let end = end_of_command(command);
            one(range, command.get(..end).unwrap_or(command).trim(), steps, depth);
            rest = command.get(end..).unwrap_or_default().trim_start_matches('|');
        }
    }
}

/// The commands that a command does.
pub(super) fn inner(text: &str, steps: &mut Vec<Step>, depth: usize) {
    if depth < DEEPEST {
        read_at(text, steps, depth + 1);
    } else {
        steps.push(Step::Opaque(Unread::EditorCommand));
    }
}

/// The lines that are typed in, up to a lone dot.
pub(super) fn typed<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    lines.take_while(|line| line.trim_end() != ".").collect::<Vec<_>>().join("\n")
}

/// `python3 << EOF`: the language of the lines that follow, and what ends them.
fn here_document(command: &str) -> Option<(Language, &str)> {
    let (word, behind) = split_word(command);
    let mark = behind.trim().strip_prefix("<<")?.trim_start_matches([' ', '-']);
    Some((words::language(word)?, mark.strip_prefix("trim").map_or(mark, str::trim_start)))
}

/// The range in front of a command, and the command.
pub(super) fn split_range(text: &str) -> (&str, &str) {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '/' | '?' => {
                let mut escaped = false;
                for (_, inner) in letters.by_ref() {
                    match inner {
                        '\\' if !escaped => escaped = true,
                        inner if inner == letter && !escaped => break,
                        _ => escaped = false,
                    }
                }
            }
            '\'' => drop(letters.next()),
            '0'..='9' | '%' | '$' | '.' | ',' | ';' | '+' | '-' | ' ' | '*' => {}
            _ => return (text.get(..at).unwrap_or_default().trim(), text.get(at..).unwrap_or_default().trim()),
        }
    }
    (text.trim(), "")
}

/// The name of a command, and all that stands behind it.
fn split_word(command: &str) -> (&str, &str) {
    // The version of a language belongs to its name, a number behind another command does not.
    let numbered = ["python3", "py3", "vim9"].iter().find(|name| command.starts_with(**name));
    let start = numbered.map_or(0, |name| name.len());
    let inside = command.get(start..).unwrap_or_default();
    let end = start + inside.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(inside.len());
    command.split_at_checked(end).unwrap_or((command, ""))
}

/// Commands for which `|` is a part of what they get.
fn takes_the_line(command: &str) -> bool {
    let (word, behind) = split_word(command);
    let filters = || behind.trim_start_matches('!').trim_start().starts_with('!') || behind.starts_with('!');
    command.starts_with('!')
        || is_short_for(words::MODIFIERS, word)
        || is_short_for(words::EVERYWHERE, word)
        || is_short_for(words::TAKE_THE_LINE, word)
        || words::language(word).is_some()
        || is_short_for("w|rite r|ead", word) && filters()
        // `1i|text`
        || is_short_for("a|ppend i|nsert c|hange", word) && behind.trim_start().starts_with('|')
}

/// Where a command ends: at a bar outside of its patterns.
fn end_of_command(command: &str) -> usize {
    let (word, _) = split_word(command);
    let is_expression = is_short_for(words::EXPRESSIONS, word) || is_short_for("exe|cute", word);
    let mut quote = None;
    let mut escaped = false;
    let mut letters = command.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' | '\'' if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() && is_expression => quote = Some(letter),
            // In an expression two bars say *or*.
            '|' if is_expression && letters.next_if(|(_, next)| *next == '|').is_some() => {}
            '|' if quote.is_none() => return at,
            _ => {}
        }
    }
    command.len()
}

fn one(range: &str, command: &str, steps: &mut Vec<Step>, depth: usize) {
    let (word, behind) = split_word(command);
    let forced = behind.strip_prefix('!');
    let argument = forced.unwrap_or(behind).trim();
    match command.chars().next() {
        // A place to go to, or a comment.
        None | Some('"' | '#' | '=') => return,
        Some('!') => {
            let shell = argument.to_owned();
            match range.is_empty() {
                true => steps.push(Step::Runs(shell)),
                false => steps.extend([Step::Filters(shell), Step::Edits]),
            }
            return;
        }
        Some('<' | '>' | '&' | '~') => return steps.push(Step::Edits),
        _ => {}
    }
    let run_backticks = |steps: &mut Vec<Step>| {
        for code in argument.split('`').skip(1).step_by(2) {
            match code.strip_prefix('=') {
                Some(code) => expressions::read(code, steps, depth),
                None => steps.push(Step::Runs(code.to_owned())),
            }
        }
    };
    match word {
        _ if is_short_for(words::MODIFIERS, word) || is_short_for(words::EVERYWHERE, word) => {
            inner(argument, steps, depth);
        }
        _ if is_short_for("filt|er", word) => inner(&words::behind_pattern(argument).1, steps, depth),
        _ if is_short_for("g|lobal v|global", word) => {
            let (pattern, commands) = words::behind_pattern(argument);
            steps.push(Step::Edits);
            steps.push(Step::Picks(pattern.clone()));
            if commands == "d" && matches!(pattern.as_str(), "^" | ".*" | "." | "$" | "") && word.starts_with('g') {
                steps.push(Step::Empties);
            } else {
                inner(&commands, steps, depth);
            }
        }
        "w" | "W" | "x" | "X" if argument.is_empty() => steps.push(Step::Writes),
        _ if is_short_for(words::WRITERS, word) => {
            run_backticks(steps);
            let filter =
                argument.strip_prefix('!').or_else(|| forced.filter(|rest| rest.starts_with(char::is_alphabetic)));
            if let Some(filter) = filter.filter(|_| word.starts_with('w')) {
                steps.push(Step::Filters(filter.trim().to_owned()));
            } else if argument.is_empty() || argument.starts_with("++") {
                steps.push(Step::Writes);
            } else {
                steps.push(Step::WritesTo(argument.trim_start_matches(['>', ' ']).to_owned()));
            }
        }
        _ if is_short_for("sav|eas mks|ession mkv|imrc mkvie|w mk|exrc wv|iminfo wsh|ada wu|ndo mksp|ell", word) => {
            run_backticks(steps);
            steps.push(Step::WritesTo(if argument.is_empty() { "Session.vim" } else { argument }.to_owned()));
        }
        _ if is_short_for("redi|r", word) => match argument.strip_prefix('>') {
            Some(file) if !argument.starts_with("=>") => {
                steps.push(Step::WritesTo(file.trim_start_matches(['>', ' ']).to_owned()));
            }
            _ => {}
        },
        _ if is_short_for("r|ead e|dit", word) && argument.starts_with('!') => {
            steps.push(Step::Runs(argument.trim_start_matches('!').trim().to_owned()));
        }
        "r" | "re" | "rea" | "read" => {
            run_backticks(steps);
            // `r!date`
            match forced {
                Some(code) => steps.push(Step::Runs(code.trim().to_owned())),
                None if argument.is_empty() => {}
                None => steps.push(Step::Reads(argument.to_owned())),
            }
        }
        _ if is_short_for(words::OPENERS, word) => {
            run_backticks(steps);
            opens(argument, steps, depth);
        }
        _ if is_short_for("cd chd|ir lc|d lch|dir tc|d tch|dir", word) => {
            run_backticks(steps);
            steps.push(Step::Goes(argument.to_owned()));
        }
        _ if is_short_for("d|elete dl dp", word) => {
            steps.push(if matches!(range, "%" | "1,$" | "," | "0,$") { Step::Empties } else { Step::Edits });
        }
        _ if is_short_for("s|ubstitute sno|magic sm|agic", word) => {
            steps.push(Step::Edits);
            let (pattern, replaced) = words::behind_pattern(behind.trim_start());
            steps.extend(Some(pattern).filter(|pattern| !pattern.is_empty()).map(Step::Picks));
            match replaced.strip_prefix("\\=") {
                Some(code) => expressions::read(code, steps, depth),
                None => {
                    let added = super::super::text::texts_put_in(&format!("s{}", behind.trim_start()));
                    steps.extend(Some(added).filter(|added| !added.trim().is_empty()).map(Step::Adds));
                }
            }
        }
        _ if is_short_for("norm|al", word) => {
            steps.push(Step::Edits);
            keys::read(argument, steps, depth);
        }
        _ if is_short_for("a|ppend i|nsert c|hange", word) => {
            steps.push(Step::Edits);
            let text = argument.strip_prefix('|').filter(|text| !text.is_empty());
            steps.extend(text.map(|text| Step::Adds(text.to_owned())));
        }
        _ if is_short_for(words::EDITS, word) => steps.push(Step::Edits),
        _ if is_short_for("ter|minal te", word) => {
            steps.extend(Some(argument).filter(|code| !code.is_empty()).map(|code| Step::Runs(code.to_owned())));
        }
        _ if is_short_for("mak|e lmak|e", word) => steps.push(Step::Runs(format!("make {argument}"))),
        _ if is_short_for("gr|ep lgr|ep grepa|dd lgrepa|dd", word) => {
            steps.push(Step::Runs(format!("grep -n {argument} /dev/null")));
        }
        // What it reads may be typed by nobody, but flow in.
        _ if is_short_for("sh|ell", word) => steps.push(Step::Opaque(Unread::EditorOutput)),
        _ if is_short_for("so|urce luaf|ile pyf|ile py3f|ile pyxf|ile rubyf|ile tclf|ile", word) => {
            let script = Step::Opaque(Unread::Script(argument.to_owned()));
            steps.extend(Some(script).filter(|_| !argument.is_empty()));
        }
        _ if let Some(language) = words::language(word) => {
            if language == Language::Lua {
                expressions::read_lua(argument, steps, depth);
            }
            steps.push(Step::Code(language, argument.to_owned()));
        }
        _ if is_short_for("exe|cute", word) => {
            let (text, sure) = expressions::joined(argument);
            inner(&text, steps, depth);
            if !sure {
                steps.push(Step::Opaque(Unread::EditorCommand));
            }
        }
        _ if is_short_for(words::EXPRESSIONS, word) => {
            // An option or a variable of the environment decides what runs later.
            let target = argument.trim_start();
            if is_short_for("let cons|t", word) && target.starts_with(['&', '$', '@']) {
                steps.push(Step::Opaque(Unread::EditorCode(word.to_owned())));
            }
            expressions::read(argument, steps, depth);
        }
        _ if is_short_for("se|t setl|ocal setg|lobal", word) => {
            if !argument.split_whitespace().all(words::is_plain_setting) {
                steps.push(Step::Opaque(Unread::EditorCode(word.to_owned())));
            }
        }
        _ if is_short_for("au|tocmd", word) => automatic(argument, steps, depth),
        _ if words::is_harmless(word) => run_backticks(steps),
        _ => steps.push(Step::Opaque(Unread::EditorCode(word.to_owned()))),
    }
}

/// `e +command file`: files that are opened, and the command that is done there.
fn opens(argument: &str, steps: &mut Vec<Step>, depth: usize) {
    let mut rest = argument.trim_start();
    while let Some(option) = rest.strip_prefix('+') {
        let mut escaped = false;
        let ends = |letter: char| {
            let end = letter.is_whitespace() && !escaped;
            escaped = letter == '\\' && !escaped;
            end
        };
        let end = option.find(ends).unwrap_or(option.len());
        let (command, behind) = option.split_at_checked(end).unwrap_or((option, ""));
        if !command.starts_with('+') {
            inner(&command.replace("\\ ", " "), steps, depth);
        }
        rest = behind.trim_start();
    }
    let files = rest.split_whitespace().filter(|file| !file.starts_with(['!', '#', '`']));
    steps.extend(files.map(|file| Step::Opens(file.to_owned())));
}

/// `au VimLeave * command`: what is done when something happens.
fn automatic(argument: &str, steps: &mut Vec<Step>, depth: usize) {
    let mut rest = argument;
    // The event and the pattern of files stand in front.
    for _ in 0..2 {
        rest = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
    }
    while let Some(option) = rest.strip_prefix("++") {
        rest = option.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
    }
    inner(rest, steps, depth);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ex_commands() {
        let runs = |command: &str| Step::Runs(command.to_owned());
        let adds = |text: &str| Step::Adds(text.to_owned());
        let picks = |text: &str| Step::Picks(text.to_owned());
        for (text, steps) in [
            (":%d|w|q", vec![Step::Empties, Step::Writes]),
            ("%s/a/b/g|x", vec![Step::Edits, picks("a"), adds("b"), Step::Writes]),
            (":!rm -rf x | cat", vec![runs("rm -rf x | cat")]),
            ("w !sudo tee %", vec![Step::Filters("sudo tee %".to_owned())]),
            ("%!sort | uniq", vec![Step::Filters("sort | uniq".to_owned()), Step::Edits]),
            ("r !date", vec![runs("date")]),
            ("r!date", vec![runs("date")]),
            ("w! /etc/hosts", vec![Step::WritesTo("/etc/hosts".to_owned())]),
            ("1,5d", vec![Step::Edits]),
            ("g/^/d", vec![Step::Edits, picks("^"), Step::Empties]),
            ("g/a/g/b/!ls", vec![Step::Edits, picks("a"), Step::Edits, picks("b"), runs("ls")]),
            ("g/x/exe \"!ls\"", vec![Step::Edits, picks("x"), runs("ls")]),
            ("call system('ls')", vec![runs("ls")]),
            ("silent !ls", vec![runs("ls")]),
            ("tab bel vert keepalt !ls", vec![runs("ls")]),
            ("argdo %s/a/b/ge | update", vec![Step::Edits, picks("a"), adds("b"), Step::Writes]),
            ("sil! bufdo %d | w", vec![Step::Empties, Step::Writes]),
            ("e src/main.rs", vec![Step::Opens("src/main.rs".to_owned())]),
            ("e +!ls\\ -l x", vec![runs("ls -l"), Step::Opens("x".to_owned())]),
            ("set nu", vec![]),
            ("/foo/d", vec![Step::Edits]),
            ("normal ggdG", vec![Step::Edits, Step::Empties]),
            ("normal Ox y", vec![Step::Edits, adds("x y")]),
            ("normal :!ls", vec![Step::Edits, runs("ls")]),
            ("exe \"normal :!ls\\<CR>\"", vec![Step::Edits, runs("ls")]),
            ("1i\nx y\n.\nx", vec![Step::Edits, adds("x y"), Step::Writes]),
            ("qa!", vec![]),
            ("if has('nvim') || 1 | q | endif", vec![]),
            ("frobnicate", vec![Step::Opaque(Unread::EditorCode("frobnicate".to_owned()))]),
        ] {
            assert_eq!(read_ex(text), steps, "{text}");
        }
    }

    #[test]
    fn commands_in_commands_are_read_only_so_deep() {
        for word in ["silent ", "argdo ", "g/x/", "exe 'sil! "] {
            let deep = format!("{}w", word.repeat(100_000));
            assert!(read_ex(&deep).contains(&Step::Opaque(Unread::EditorCommand)), "{word}");
        }
    }
}
