//! Commands of `vi`, `ex` and `ed`, read as far as they write, delete or run something.

use signoff_model::Unread;

use crate::shell::Language;

/// What a command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Runs a shell command.
    Runs(String),
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
    /// Runs code of another language.
    Code(Language, String),
    /// Changes the text.
    Edits,
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
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut rest = line.trim();
        let (_, command) = split_range(rest.trim_start_matches([':', ' ', '\t']));
        if matches!(command, "a" | "i" | "c" | "append" | "insert" | "change") {
            steps.push(Step::Edits);
            steps.push(Step::Adds(typed(&mut lines)));
            continue;
        }
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
fn inner(text: &str, steps: &mut Vec<Step>, depth: usize) {
    if depth < DEEPEST {
        read_at(text, steps, depth + 1);
    } else {
        steps.push(Step::Opaque(Unread::EditorCommand));
    }
}

/// Commands that do the one behind them to everything that is open.
const EVERYWHERE: &[&str] =
    &["argdo", "argd", "bufdo", "bufd", "windo", "wind", "tabdo", "tabd", "cdo", "cfdo", "cfd", "ldo", "lfdo", "lfd"];

/// Whether a word only says how, or to what, the command behind it is done.
fn is_prefix(word: &str) -> bool {
    EVERYWHERE.contains(&word)
        || matches!(
            word,
            "silent"
                | "sil"
                | "noautocmd"
                | "noa"
                | "keepjumps"
                | "keepj"
                | "keeppatterns"
                | "keepp"
                | "keepalt"
                | "keepa"
                | "keepmarks"
                | "verbose"
                | "unsilent"
                | "confirm"
        )
}

/// Reads a script of `ed`: a command a line, and texts that end with a lone dot.
pub(super) fn read_ed(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (range, command) = split_range(line.trim());
        if matches!(command, "a" | "i" | "c") {
            steps.push(Step::Edits);
            steps.push(Step::Adds(typed(&mut lines)));
            continue;
        }
        one(range, command, &mut steps, 0);
    }
    steps
}

/// The lines that are typed in, up to a lone dot.
fn typed<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    lines.take_while(|line| line.trim_end() != ".").collect::<Vec<_>>().join("\n")
}

/// The range in front of a command, and the command.
fn split_range(text: &str) -> (&str, &str) {
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

/// Commands for which `|` is a part of what they get.
fn takes_the_line(command: &str) -> bool {
    let filter = |name: &str| {
        command
            .strip_prefix(name)
            .is_some_and(|rest| rest.trim_start_matches([' ', '!']).is_empty() || rest.trim_start().starts_with('!'))
    };
    command.starts_with('!')
        || ["w", "write", "r", "read"]
            .iter()
            .any(|name| filter(name) && command.contains('!') && command.contains(" !"))
        || ["lua ", "py ", "py3 ", "python ", "python3 ", "perl ", "ruby ", "tcl "]
            .iter()
            .any(|name| command.starts_with(name))
        || EVERYWHERE.iter().any(|name| command.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '!'])))
        || ["global", "g/", "g!", "v/", "normal", "terminal", "term ", "te "]
            .iter()
            .any(|name| command.starts_with(name))
}

/// Where a command ends: at a bar outside of its patterns.
fn end_of_command(command: &str) -> usize {
    let mut quote = None;
    let mut escaped = false;
    for (at, letter) in command.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' | '\'' if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() && !command.starts_with(['s', 'w', 'x']) => quote = Some(letter),
            '|' if quote.is_none() => return at,
            _ => {}
        }
    }
    command.len()
}

fn one(range: &str, command: &str, steps: &mut Vec<Step>, depth: usize) {
    let word_end = command.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(command.len());
    let (word, behind) = command.split_at_checked(word_end).unwrap_or((command, ""));
    let forced = behind.strip_prefix('!');
    let argument = forced.unwrap_or(behind).trim();
    if let Some(shell) = command.strip_prefix('!') {
        steps.push(Step::Runs(shell.trim().to_owned()));
        if !range.is_empty() {
            steps.push(Step::Edits);
        }
        return;
    }
    if is_prefix(word) {
        return inner(argument, steps, depth);
    }
    match word {
        "e" | "edit" | "E" | "args" | "ar" | "argadd" | "arga" | "n" | "next" | "badd" | "tabe" | "tabedit" | "sp"
        | "split" | "vs" | "vsplit" | "new" | "vnew" | "fin" | "find"
            if !argument.is_empty() && !argument.starts_with(['!', '+']) =>
        {
            steps.extend(argument.split_whitespace().map(|file| Step::Opens(file.to_owned())));
        }
        "w" | "write" | "wq" | "x" | "xit" | "exit" | "wn" | "update" | "up" | "wa" | "wall" | "wqa" | "xa"
        | "xall" | "wqall" | "W" => {
            if let Some(filter) = argument.strip_prefix('!').filter(|_| word.starts_with('w')) {
                let filter = filter.trim();
                let shell = matches!(
                    filter.split_whitespace().next(),
                    Some("sh" | "bash" | "zsh" | "python" | "python3" | "perl")
                );
                steps.push(if shell { Step::Opaque(Unread::EditorOutput) } else { Step::Runs(filter.to_owned()) });
            } else if argument.is_empty() || argument.starts_with("++") {
                steps.push(Step::Writes);
            } else {
                steps.push(Step::WritesTo(argument.trim_start_matches(['>', ' ']).to_owned()));
            }
        }
        "r" | "read" | "e" | "edit" | "E" | "f" if argument.starts_with('!') => {
            steps.push(Step::Runs(argument.trim_start_matches('!').trim().to_owned()))
        }
        "r" | "read" | "e" | "edit" | "E" if forced.is_some() && !argument.is_empty() && word.starts_with('r') => {
            steps.push(Step::Runs(argument.to_owned()))
        }
        "r" | "read" if !argument.is_empty() => steps.push(Step::Reads(argument.to_owned())),
        "d" | "delete" | "dl" => {
            steps.push(if matches!(range, "%" | "1,$" | "," | ",p" | "0,$") { Step::Empties } else { Step::Edits })
        }
        "s" | "substitute" | "m" | "move" | "t" | "copy" | "j" | "join" | "normal" | "norm" | "a" | "i" | "c"
        | "put" | "retab" | "sort" | "sor" => {
            steps.push(Step::Edits);
            if matches!(word, "s" | "substitute") {
                let added = super::super::text::texts_put_in(&format!("s{behind}"));
                steps.extend(Some(added).filter(|added| !added.trim().is_empty()).map(Step::Adds));
            }
            if word == "normal" || word == "norm" {
                normal(argument, range, steps);
            }
        }
        "g" | "global" | "v" | "vglobal" => {
            steps.push(Step::Edits);
            let mark = behind.trim_start_matches('!').chars().next().unwrap_or('/');
            let mut parts = behind.trim_start_matches('!').splitn(3, mark).skip(1);
            let (pattern, inner) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            if inner == "d" && matches!(pattern, "^" | ".*" | "." | "$" | "") && word.starts_with('g') {
                steps.push(Step::Empties);
            } else if let Some(shell) = inner.strip_prefix('!') {
                steps.push(Step::Runs(shell.to_owned()));
            }
        }
        "terminal" | "term" | "te" | "ter" if !argument.is_empty() => steps.push(Step::Runs(argument.to_owned())),
        "sh" | "shell" | "sus" | "suspend" => {}
        "so" | "source" | "luafile" | "pyfile" | "py3file" | "rubyfile" if !argument.is_empty() => {
            steps.push(Step::Opaque(Unread::Script(argument.to_owned())));
        }
        "call" | "cal" | "let" | "echo" | "ec" | "eval" | "lua" | "py" | "py3" | "python" | "python3" | "perl"
        | "perldo" | "ruby" | "rubydo" | "tcl" | "exe" | "exec" | "execute" | "pythonx" | "pyx" | "mz" | "mzscheme"
        | "luado" | "pydo" => expression(word, argument, steps, depth),
        _ => {}
    }
}

/// Keys typed in normal mode: `ggdG` leaves nothing.
fn normal(keys: &str, _range: &str, steps: &mut Vec<Step>) {
    if keys.contains("ggdG") || keys.contains("dG") {
        steps.push(Step::Empties);
    }
    // Behind one of these keys everything is typed in.
    if let Some(text) =
        keys.find(['i', 'a', 'o', 'I', 'A', 'O', 'c', 'C', 's', 'S', 'R']).and_then(|at| keys.get(at + 1..))
        && !text.is_empty()
    {
        steps.push(Step::Adds(text.trim_end_matches('\u{1b}').to_owned()));
    }
    if let Some((_, shell)) = keys.split_once(":!") {
        steps.push(Step::Runs(shell.trim_end_matches(['\r', '\n']).to_owned()));
    }
}

/// Expressions and other languages: calls that run or delete are read when their argument is plain.
fn expression(word: &str, argument: &str, steps: &mut Vec<Step>, depth: usize) {
    // Expressions of the editor look like those of Lua, and its functions have names that Lua does not use.
    let language = match word {
        "lua" | "luado" | "call" | "cal" | "let" | "echo" | "ec" | "eval" => Some(Language::Lua),
        "py" | "py3" | "python" | "python3" | "pythonx" | "pyx" | "pydo" => Some(Language::Python),
        "perl" | "perldo" => Some(Language::Perl),
        "ruby" | "rubydo" => Some(Language::Ruby),
        "tcl" => Some(Language::Tcl),
        _ => None,
    };
    if let Some(language) = language {
        steps.push(Step::Code(language, argument.to_owned()));
    } else if matches!(word, "exe" | "exec" | "execute") {
        let text = argument.trim_matches(['"', '\'']);
        if argument.contains('.') && argument.contains("..") {
            steps.push(Step::Opaque(Unread::EditorCommand));
        } else {
            inner(text, steps, depth);
        }
    } else if [
        "system",
        "execute(",
        "popen",
        "delete(",
        "remove",
        "unlink",
        "rmtree",
        "writefile",
        "exec",
        "subprocess",
    ]
    .iter()
    .any(|name| argument.contains(name))
    {
        steps.push(Step::Opaque(Unread::EditorCode(word.to_owned())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ex_commands() {
        let runs = |command: &str| Step::Runs(command.to_owned());
        let adds = |text: &str| Step::Adds(text.to_owned());
        for (text, steps) in [
            (":%d|w|q", vec![Step::Empties, Step::Writes]),
            ("%s/a/b/g|x", vec![Step::Edits, adds("b"), Step::Writes]),
            (":!rm -rf x | cat", vec![runs("rm -rf x | cat")]),
            ("w !sudo tee %", vec![runs("sudo tee %")]),
            ("r !date", vec![runs("date")]),
            ("w! /etc/hosts", vec![Step::WritesTo("/etc/hosts".to_owned())]),
            ("1,5d", vec![Step::Edits]),
            ("g/^/d", vec![Step::Edits, Step::Empties]),
            ("call system('ls')", vec![Step::Code(Language::Lua, "system('ls')".to_owned())]),
            ("silent !ls", vec![runs("ls")]),
            ("argdo %s/a/b/ge | update", vec![Step::Edits, adds("b"), Step::Writes]),
            ("sil! bufdo %d | w", vec![Step::Empties, Step::Writes]),
            ("e src/main.rs", vec![Step::Opens("src/main.rs".to_owned())]),
            ("set nu", vec![]),
            ("/foo/d", vec![Step::Edits]),
            ("normal ggdG", vec![Step::Edits, Step::Empties]),
            ("normal Ox y", vec![Step::Edits, adds("x y")]),
            ("1i\nx y\n.\nx", vec![Step::Edits, adds("x y"), Step::Writes]),
            ("qa!", vec![]),
        ] {
            assert_eq!(read_ex(text), steps, "{text}");
        }
    }

    #[test]
    fn ed_scripts() {
        assert_eq!(read_ed("1,$d\nw"), [Step::Empties, Step::Writes]);
        assert_eq!(read_ed(",d\nwq"), [Step::Empties, Step::Writes]);
        let adds = Step::Adds("!rm -rf x".to_owned());
        assert_eq!(read_ed("a\n!rm -rf x\n.\nw\nq"), [Step::Edits, adds, Step::Writes]);
        assert_eq!(read_ed("!ls"), [Step::Runs("ls".to_owned())]);
        assert_eq!(read_ed("w out.txt"), [Step::WritesTo("out.txt".to_owned())]);
    }

    #[test]
    fn commands_in_commands_are_read_only_so_deep() {
        for word in ["silent ", "argdo ", "exe ", "exe 'sil! "] {
            let deep = format!("{}w", word.repeat(100_000));
            assert!(read_ex(&deep).contains(&Step::Opaque(Unread::EditorCommand)), "{word}");
        }
    }
}
