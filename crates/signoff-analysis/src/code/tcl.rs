//! Tcl and expect: everything is a command made of words.

use signoff_model::{Dialect, Span, Unread};

use super::{LONGEST_SCRIPT, readable, rules};
use crate::{
    path_effects::{Depth, Write},
    shell::Shell,
    value::{Arg, Feed, Origin, Value},
};

/// Deeper nesting is not read.
const MAX_DEPTH: usize = 24;
/// More commands are not read.
const MAX_COMMANDS: usize = 1024;
/// Reading so many bytes is as much work as one command of a shell.
const BYTES: usize = 64;

/// Reads a script.
pub(super) fn run(shell: &mut Shell<'_>, text: &str, span: Span) -> Feed {
    let (text, whole) = readable(text, LONGEST_SCRIPT);
    if !whole {
        shell.opaque(Unread::LongCode("Tcl".to_owned()), span);
    }
    let mut interpreter =
        Interpreter { shell, span, commands: 0, printed: None, spawned: false, peer: None, obeys: false };
    interpreter.script(text, 0);
    if let Some(peer) = interpreter.peer.take().filter(|_| interpreter.obeys) {
        interpreter.shell.tell(&rules::REVERSE_SHELL, peer, span);
    }
    match interpreter.printed {
        Some(text) => Feed::of(Value::text(text)),
        None => Feed::from(Origin::Program("tcl".into())),
    }
}

struct Interpreter<'s, 'a> {
    shell: &'s mut Shell<'a>,
    span: Span,
    commands: usize,
    printed: Option<String>,
    /// Whether a program was started that gets what is sent.
    spawned: bool,
    /// The other end of a connection.
    peer: Option<String>,
    /// Whether something that is not known runs, or a shell that is told what to do.
    obeys: bool,
}

/// A word as it is written.
#[derive(Debug, Clone)]
struct Word {
    text: String,
    /// In braces: nothing in it is replaced.
    braced: bool,
}

impl Interpreter<'_, '_> {
    fn script(&mut self, text: &str, depth: usize) {
        if depth > MAX_DEPTH {
            self.shell.opaque(Unread::DeepCode("Tcl".to_owned()), self.span);
            return;
        }
        // A bracket that never ends holds all that follows, which is read again for each of them.
        self.shell.spend(text.len() / BYTES);
        if self.shell.fuel() == 0 {
            self.shell.opaque(Unread::LongCode("Tcl".to_owned()), self.span);
            return;
        }
        for command in commands_of(text) {
            self.commands += 1;
            if self.commands > MAX_COMMANDS {
                self.shell.opaque(Unread::LongCode("Tcl".to_owned()), self.span);
                return;
            }
            self.command(&command, depth);
        }
    }

    fn command(&mut self, words: &[Word], depth: usize) {
        for word in words {
            if !word.braced {
                for inner in substitutions(&word.text) {
                    self.script(&inner, depth + 1);
                }
            }
        }
        let Some((program, rest)) = words.split_first() else { return };
        let argument = |index: usize| rest.get(index).map(|word| word.text.as_str()).unwrap_or_default();
        match program.text.as_str() {
            "exec" | "spawn" | "system" => {
                self.spawned |= program.text == "spawn";
                let skipped = rest.iter().take_while(|word| word.text.starts_with('-') && word.text != "--").count();
                let argv: Vec<Arg> = rest.iter().skip(skipped).map(|word| self.arg(word)).collect();
                self.obeys |= argv.first().is_some_and(|program| program.known().is_none())
                    || argv.iter().any(|arg| arg.is("-c")) && argv.last().is_some_and(|code| code.known().is_none());
                if program.text == "system"
                    || argv.iter().any(|arg| matches!(arg.known(), Some("|" | ">" | ">>" | "<" | "2>" | ">&" | "|&")))
                {
                    let text: Vec<_> = argv.iter().map(|arg| arg.shown().into_owned()).collect();
                    self.shell.subshell(|shell| {
                        shell.run_text(&Arg::text(text.join(" "), self.span), Dialect::Sh, Feed::none())
                    });
                } else {
                    // What is spawned has a terminal that the script types into.
                    let stdin = if program.text == "spawn" { Feed::from(Origin::Input) } else { Feed::none() };
                    self.shell.run(&argv, stdin, self.span);
                }
            }
            "open" if argument(0).starts_with('|') => {
                let program = argument(0).trim_start_matches(['|', ' ']).split(' ').next().unwrap_or_default();
                self.obeys |= matches!(program.rsplit('/').next(), Some("sh" | "bash" | "zsh" | "dash"))
                    || program.starts_with('$');
                let code = Arg::text(argument(0).trim_start_matches('|'), self.span);
                self.shell.subshell(|shell| shell.run_text(&code, Dialect::Sh, Feed::none()));
            }
            "open" if argument(1).starts_with(['w', 'a']) || argument(1).contains('+') => {
                if let Some(word) = rest.first() {
                    let arg = self.path(word);
                    self.shell.write(&arg, if argument(1).starts_with('a') { Write::Append } else { Write::Replace });
                }
            }
            "open" => {
                if let Some(word) = rest.first() {
                    let arg = self.path(word);
                    self.shell.read(&arg);
                }
            }
            "file" => self.file(rest),
            "cd" => {
                let home = Arg::text(self.shell.whereabouts().home.clone(), self.span);
                let to = rest.first().map_or(home, |word| self.arg(word));
                self.shell.go_to(to, self.span);
            }
            "source" => {
                if let Some(word) = rest.first() {
                    let arg = self.arg(word);
                    self.shell.run_script(crate::shell::Language::Tcl, &arg, &[], Feed::none());
                }
            }
            "send" | "exp_send" if self.spawned => {
                let text = rest
                    .iter()
                    .filter(|word| !word.text.starts_with('-') && word.text != "--")
                    .map(|word| word.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" ");
                let line = text.replace("\\r", "").replace("\\n", "").trim().to_owned();
                // What is typed may be an answer or a command: both are looked at as a command.
                if line.contains(' ') {
                    self.shell.subshell(|shell| shell.run_text(&Arg::text(line, self.span), Dialect::Sh, Feed::none()));
                }
            }
            "interact" => {}
            "puts" => {
                let text = rest.last().map(|word| word.text.clone()).unwrap_or_default();
                if rest.len() == 1 && !text.contains(['$', '[']) {
                    let printed = self.printed.get_or_insert_default();
                    printed.push_str(&text);
                    printed.push('\n');
                }
            }
            "eval" | "uplevel" | "subst" | "after" | "catch" => {
                for word in rest {
                    self.script(&word.text, depth + 1);
                }
                if rest.iter().any(|word| !word.braced && word.text.starts_with('$')) && program.text == "eval" {
                    self.obeys = true;
                    self.shell.opaque(Unread::VariableCode, self.span);
                }
            }
            "socket" if argument(0) == "-server" => self.peer = Some("whoever connects".to_owned()),
            "socket" => {
                self.peer = Some(argument(0).to_owned());
                self.shell.tell(&crate::shell::rules::SEND, argument(0).to_owned(), self.span);
            }
            "if" | "while" | "for" | "foreach" | "proc" | "switch" | "expect" | "namespace" | "try"
            | "expect_before" | "expect_after" => {
                for word in rest.iter().filter(|word| word.braced) {
                    self.script(&word.text, depth + 1);
                }
            }
            name if rest.is_empty() && super::lexicon::says_it_destroys(name) => {
                self.shell.tell(&rules::DESTRUCTIVE_FUNCTION, name.to_owned(), self.span);
            }
            _ => {}
        }
    }

    fn file(&mut self, rest: &[Word]) {
        let verb = rest.first().map(|word| word.text.as_str()).unwrap_or_default();
        let operands: Vec<Arg> = rest
            .iter()
            .skip(1)
            .filter(|word| !matches!(word.text.as_str(), "-force" | "--"))
            .map(|word| self.path(word))
            .collect();
        match verb {
            "delete" => {
                for arg in &operands {
                    self.shell.delete(arg, Depth::Recursive);
                }
            }
            "rename" => {
                if let [from, to] = operands.as_slice() {
                    self.shell.relocate(from, to, Write::Replace);
                }
            }
            "copy" => {
                if let [_, to] = operands.as_slice() {
                    self.shell.write(to, Write::Append);
                }
            }
            _ => {}
        }
    }

    /// A path: Tcl itself knows what `~` stands for.
    fn path(&self, word: &Word) -> Arg {
        match word.text.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                let home = &self.shell.whereabouts().home;
                self.arg(&Word { text: format!("{home}{rest}"), ..word.clone() })
            }
            _ => self.arg(word),
        }
    }

    fn arg(&self, word: &Word) -> Arg {
        if !word.braced && word.text.contains(['$', '[']) {
            if word.text.starts_with("[glob ") {
                let pattern = word
                    .text
                    .trim_start_matches("[glob ")
                    .trim_end_matches(']')
                    .rsplit(' ')
                    .next()
                    .unwrap_or("*")
                    .to_owned();
                let pattern = match pattern.strip_prefix("~/") {
                    Some(rest) => format!("{}/{rest}", self.shell.whereabouts().home),
                    None => pattern,
                };
                return Arg { value: super::thing::pattern(&Value::text(pattern)), span: self.span };
            }
            return Arg { value: Value::unknown(word.text.clone(), Vec::new()), span: self.span };
        }
        Arg::text(word.text.trim_start_matches("{*}"), self.span)
    }
}

/// The commands of a script, each as its words.
fn commands_of(text: &str) -> Vec<Vec<Word>> {
    let mut commands = Vec::new();
    let mut words: Vec<Word> = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some(&(at, letter)) = letters.peek() {
        match letter {
            '\n' | ';' => {
                letters.next();
                if !words.is_empty() {
                    commands.push(std::mem::take(&mut words));
                }
            }
            '#' if words.is_empty() => while letters.next_if(|(_, letter)| *letter != '\n').is_some() {},
            letter if letter.is_whitespace() => {
                letters.next();
            }
            '\\' => {
                letters.next();
                letters.next();
            }
            _ => {
                let rest = text.get(at..).unwrap_or_default();
                let (word, length) = word_of(rest);
                words.push(word);
                while letters.next_if(|(place, _)| *place < at + length).is_some() {}
            }
        }
    }
    if !words.is_empty() {
        commands.push(words);
    }
    commands
}

/// The word that begins a text, and its length there. Never empty, so that reading goes on.
fn word_of(text: &str) -> (Word, usize) {
    let first = text.chars().next().unwrap_or_default();
    if first == '{' {
        let length = bracket_length(text, '{', '}');
        return (Word { text: text.get(1..length - 1).unwrap_or_default().to_owned(), braced: true }, length);
    }
    if first == '"' {
        let mut escaped = false;
        let end = text.char_indices().skip(1).find(|(_, letter)| {
            let ends = *letter == '"' && !escaped;
            escaped = *letter == '\\' && !escaped;
            ends
        });
        let length = end.map_or(text.len(), |(at, _)| at + 1);
        let inner = text.get(1..length.saturating_sub(1).max(1)).unwrap_or_default();
        return (Word { text: inner.to_owned(), braced: false }, length);
    }
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match letter {
            '[' => at += bracket_length(text.get(at..).unwrap_or_default(), '[', ']'),
            letter if letter.is_whitespace() || letter == ';' => break,
            letter => at += letter.len_utf8(),
        }
    }
    (Word { text: text.get(..at).unwrap_or_default().to_owned(), braced: false }, at.max(first.len_utf8()))
}

/// The length of a bracketed text with both its brackets; at least two bytes, or the whole rest if it never closes.
fn bracket_length(text: &str, open: char, close: char) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    text.len().max(1)
}

/// The scripts in square brackets inside a word.
fn substitutions(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('[')) {
        let start = at + found;
        let length = bracket_length(text.get(start..).unwrap_or_default(), '[', ']');
        all.push(text.get(start + 1..(start + length).saturating_sub(1)).unwrap_or_default().to_owned());
        at = start + length;
    }
    all
}
