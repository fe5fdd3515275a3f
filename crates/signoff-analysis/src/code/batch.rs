//! Batches of `cmd.exe`: commands with its builtins, conditions and loops.

use std::collections::BTreeMap;

use signoff_model::{Span, Unread};

use super::{LONGEST_SCRIPT, glance::Glance, readable, rules};
use crate::{
    path_effects::{Depth, Write},
    shell::{Shell, Written, families::windows, rules as shell_rules},
    value::{Arg, Feed, Origin, Value},
};

const MAX_COMMANDS: usize = 512;
const MAX_DEPTH: usize = 12;
/// So many items of a list are gone through.
const MAX_ITEMS: usize = 64;
/// A command is filled in up to this length, which is as much as `cmd.exe` takes.
const LONGEST_COMMAND: usize = 8191;

/// Whether a text shows signs of `cmd.exe` that no other shell has.
pub(crate) fn is_script(text: &str) -> bool {
    let (text, _) = readable(text, LONGEST_SCRIPT);
    const BUILTINS: &[&str] = &["rd", "rmdir", "del", "erase", "dir", "copy", "xcopy", "move", "start", "attrib"];
    let marked =
        || memchr::memchr2(b'%', b'@', text.as_bytes()).is_some() || text.contains(" /") || text.contains("if ");
    // A script of another shell that is long enough to matter shows it soon.
    if text.contains("$(") || text.contains("<<") || !marked() {
        return false;
    }
    if text.trim() == "%0|%0" {
        return true;
    }
    commands(text).iter().any(|(command, _)| {
        let lower = command.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let switch = |word: &&str| {
            let name = word.strip_prefix('/').unwrap_or_default();
            let short = name.split(':').next().unwrap_or_default();
            matches!(short.len(), 1) && short.chars().all(|letter| letter.is_ascii_alphabetic())
        };
        match words.as_slice() {
            ["if", "exist" | "defined" | "errorlevel" | "/i", ..] => true,
            ["if", "not", "exist" | "defined" | "errorlevel", ..] => true,
            ["for", rest @ ..] => rest.windows(2).any(|pair| match pair {
                [variable, word] => variable.starts_with('%') && word.starts_with("in"),
                _ => false,
            }),
            ["@echo", "off"] => true,
            [name, rest @ ..] => {
                let name = name.trim_start_matches('@').trim_end_matches(".exe");
                BUILTINS.contains(&name) && rest.iter().any(switch)
            }
            [] => false,
        }
    })
}

/// Programs of Windows that are called from other shells as well.
pub(super) const PROGRAMS: &[&str] = &[
    "certutil",
    "bitsadmin",
    "wmic",
    "reg",
    "schtasks",
    "icacls",
    "takeown",
    "vssadmin",
    "mshta",
    "regsvr32",
    "rundll32",
    "cscript",
    "wscript",
    "wevtutil",
];

/// Whether one of [`PROGRAMS`] stands at the beginning of a text.
pub(super) fn begins_program(text: &[u8]) -> bool {
    let word = text.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    PROGRAMS.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(word))
}

/// Whether a text calls programs of Windows, whose words another shell would not read as they are meant.
pub(crate) fn calls_windows(text: &str, glance: Glance) -> bool {
    let (text, _) = readable(text, LONGEST_SCRIPT);
    glance.program
        && !text.contains("<<")
        && commands(text).iter().any(|(command, _)| {
            let first = command.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            PROGRAMS.contains(&first.trim_end_matches(".exe"))
        })
}

/// Reads a batch.
pub(crate) fn run(shell: &mut Shell<'_>, text: &str, span: Span, stdin: &Feed) -> Feed {
    let (text, whole) = readable(text, LONGEST_SCRIPT);
    if !whole {
        shell.opaque(Unread::LongCode("cmd".to_owned()), span);
    }
    let compact: String = text.to_ascii_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    if compact.contains("%0|%0") || compact.contains("start%0") || compact.contains("start\"\"%0") {
        shell.tell(&shell_rules::FORK_BOMB, "%0", span);
    }
    let mut reader = Batch { shell, span, variables: BTreeMap::new(), left: MAX_COMMANDS };
    reader.text(text, stdin.clone(), 0)
}

struct Batch<'s, 'a> {
    shell: &'s mut Shell<'a>,
    span: Span,
    /// By their names in small letters.
    variables: BTreeMap<String, String>,
    left: usize,
}

impl Batch<'_, '_> {
    fn text(&mut self, text: &str, stdin: Feed, depth: usize) -> Feed {
        if depth > MAX_DEPTH {
            self.shell.opaque(Unread::DeepCode("cmd".to_owned()), self.span);
            return Feed::none();
        }
        let mut feed = stdin;
        for (command, piped) in commands(text) {
            if self.left == 0 {
                self.shell.opaque(Unread::LongCode("cmd".to_owned()), self.span);
                return Feed::none();
            }
            self.left -= 1;
            let input = if piped { std::mem::take(&mut feed) } else { Feed::none() };
            feed = self.command(&command, input, depth);
        }
        feed
    }

    fn command(&mut self, command: &str, stdin: Feed, depth: usize) -> Feed {
        let command = command.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '@');
        let lower = command.to_ascii_lowercase();
        let first = lower.split_whitespace().next().unwrap_or_default();
        match first {
            "" | "rem" => return Feed::none(),
            label if label.starts_with(':') => return Feed::none(),
            "if" => return self.condition(command, stdin, depth),
            "for" => return self.each(command, stdin, depth),
            "else" | "do" | "call" => {
                let rest = command.get(first.len()..).unwrap_or_default().trim();
                return self.text(rest, stdin, depth + 1);
            }
            _ => {}
        }
        if let Some(grouped) = inside_brackets(command) {
            return self.text(&grouped, stdin, depth + 1);
        }
        let filled = self.filled(command);
        let (words, redirects) = words(&filled);
        let feed = self.simple(&filled, words, stdin, depth);
        let mut out = feed;
        for (file, appends) in redirects {
            if file.eq_ignore_ascii_case("nul") || file.starts_with('&') {
                continue;
            }
            // Each is as dear as a command.
            if self.left == 0 {
                self.shell.opaque(Unread::LongCode("cmd".to_owned()), self.span);
                break;
            }
            self.left -= 1;
            let file = self.path(&file);
            self.shell.write(&file, if appends { Write::Append } else { Write::Replace });
            self.shell.remember_written(&file, Written::Content(std::mem::take(&mut out)));
        }
        out
    }

    fn simple(&mut self, line: &str, words: Vec<String>, stdin: Feed, depth: usize) -> Feed {
        let Some((program, args)) = words.split_first() else { return Feed::none() };
        let name = program.to_ascii_lowercase();
        let switch = |word: &&String| {
            word.starts_with('/') && word.len() > 1 && !word.get(1..).is_some_and(|rest| rest.contains('/'))
        };
        let free: Vec<&String> = args.iter().filter(|word| !switch(word)).collect();
        let has = |wanted: &str| args.iter().any(|word| word.eq_ignore_ascii_case(wanted));
        match name.trim_end_matches(".exe") {
            "echo" | "echo." => {
                let text = line.get(program.len()..).unwrap_or_default();
                let text = text.split(['>', '<']).next().unwrap_or_default().trim();
                Feed::of(Value::text(text.replace('^', "")))
            }
            "set" => {
                let text = line.get(program.len()..).unwrap_or_default().trim().trim_matches('"');
                match text.split_once('=') {
                    Some((name, value)) if !name.starts_with('/') => {
                        self.variables.insert(name.trim().to_ascii_lowercase(), value.trim_end().to_owned());
                        let setting = Arg::text(format!("{}={}", name.trim(), value.trim_end()), self.span);
                        self.shell.run(&[Arg::text("export", self.span), setting], Feed::none(), self.span);
                    }
                    Some((name, _)) => {
                        let name = name.split_whitespace().last().unwrap_or_default().to_ascii_lowercase();
                        self.variables.remove(&name);
                    }
                    None => {
                        if text.is_empty() {
                            self.shell.tell(&rules::SHOW_ENVIRONMENT, "set", self.span);
                        }
                    }
                }
                Feed::none()
            }
            "del" | "erase" | "rd" | "rmdir" => {
                let depth = if has("/s") { Depth::Recursive } else { Depth::Single };
                for word in free {
                    let path = self.path(word);
                    self.shell.delete(&path, depth);
                }
                Feed::none()
            }
            "type" | "more" => {
                let mut feed = Feed::none();
                for word in free {
                    let path = self.path(word);
                    feed = feed.then(self.shell.read(&path));
                }
                if feed.is_none() { stdin } else { feed }
            }
            "copy" | "xcopy" => {
                if let [from, to, ..] = free.as_slice() {
                    let (from, to) = (self.path(from), self.path(to));
                    let content = self.shell.read(&from);
                    self.shell.write(&to, Write::Append);
                    if content.secret().is_some() {
                        self.shell.remember_written(&to, Written::Content(content));
                    }
                }
                Feed::none()
            }
            "move" | "ren" | "rename" => {
                if let [from, to, ..] = free.as_slice() {
                    let (from, to) = (self.path(from), self.path(to));
                    self.shell.relocate(&from, &to, Write::Replace);
                }
                Feed::none()
            }
            "cd" | "chdir" | "pushd" => {
                if let Some(to) = free.first() {
                    let to = self.path(to);
                    self.shell.go_to(to, self.span);
                }
                Feed::none()
            }
            "md" | "mkdir" => {
                for word in free {
                    let path = self.path(word);
                    self.shell.write(&path, Write::New);
                }
                Feed::none()
            }
            "format" => {
                self.shell.tell(&windows::FORMAT_DRIVE, line.trim().to_owned(), self.span);
                Feed::none()
            }
            "start" => {
                let mut rest = args
                    .iter()
                    .skip_while(|word| switch(word) || word.is_empty() || word.contains(' ') && !word.contains('\\'));
                let line: Vec<String> = rest
                    .by_ref()
                    .filter(|word| !matches!(word.to_ascii_lowercase().as_str(), "/b" | "/min" | "/wait" | "/max"))
                    .cloned()
                    .collect();
                if line.first().is_some_and(|word| word.contains("://")) {
                    return Feed::none();
                }
                self.simple(&line.join(" "), line.clone(), stdin, depth + 1)
            }
            "dir" | "tree" => {
                let under = free.first().map(|word| word.replace('\\', "/")).unwrap_or_default();
                Feed::from(Origin::Listing { by: "dir".to_owned(), under })
            }
            "echo:" | "cls" | "ver" | "title" | "pause" | "goto" | "exit" | "setlocal" | "endlocal" | "popd"
            | "path" | "color" | "chcp" | "vol" | "prompt" | "timeout" | "shift" | "assoc" | "ftype" | "findstr"
            | "where" | "sort" => Feed::from(Origin::Program(name.into())),
            "cmd" => {
                let at = args
                    .iter()
                    .position(|word| matches!(word.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r" | "//c"));
                match at {
                    Some(at) => {
                        let rest = args.get(at + 1..).unwrap_or_default().join(" ");
                        self.text(&rest, stdin, depth + 1)
                    }
                    None => Feed::from(Origin::Program(name.into())),
                }
            }
            _ => {
                let mut argv = vec![self.program(program)];
                argv.extend(args.iter().map(|word| Arg::text(word.as_str(), self.span)));
                self.shell.run(&argv, stdin, self.span)
            }
        }
    }

    /// A program, which is found in the working directory as well.
    fn program(&self, name: &str) -> Arg {
        let named = self.path(name);
        if name.contains(['\\', '/']) {
            // A program by its path, with the slashes of other systems.
            return match named.known() {
                Some(text) => Arg::text(text.replace('\\', "/"), self.span),
                None => named,
            };
        }
        for ending in ["", ".exe", ".bat", ".cmd"] {
            let local = Value::text(format!("./{name}{ending}"));
            if self.shell.written(&self.shell.place(&local).path).is_some() {
                return Arg { value: local, span: self.span };
            }
        }
        named
    }

    fn path(&self, word: &str) -> Arg {
        let text = windows::path(word);
        let drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if text.contains('%') && text.matches('%').count() > 1 {
            return Arg { value: Value::unknown(text.clone(), vec![Origin::Variable(text)]), span: self.span };
        }
        let value = if drive { Value::text(text) } else { super::file_pattern(&text.replace('\\', "/")) };
        Arg { value, span: self.span }
    }

    /// `if [not] exist x command`, `if a==b command`.
    fn condition(&mut self, command: &str, stdin: Feed, depth: usize) -> Feed {
        let mut rest = command.get(2..).unwrap_or_default().trim_start();
        loop {
            let begins = |word: &&&str| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
            match ["not ", "/i "].iter().find(begins) {
                Some(word) => rest = rest.get(word.len()..).unwrap_or_default().trim_start(),
                None => break,
            }
        }
        let lower = rest.to_ascii_lowercase();
        let named = ["exist ", "defined ", "errorlevel "].iter().any(|word| lower.starts_with(word));
        let mut skipped = if named { skip_word(rest) } else { rest };
        let compared = skipped;
        skipped = skip_word(skipped);
        if !named {
            // `a == b`, `a==b`, `a equ b`.
            let head = compared.get(..compared.len() - skipped.len()).unwrap_or_default();
            let signed = skipped.trim_start();
            let sign = signed.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            if matches!(sign.as_str(), "==" | "equ" | "neq" | "lss" | "leq" | "gtr" | "geq") {
                skipped = skip_word(skip_word(skipped));
            } else if head.trim_end().ends_with("==") {
                skipped = skip_word(skipped);
            }
        }
        let body = skipped.trim();
        // `( … ) else ( … )`.
        if body.starts_with('(')
            && let Some(end) = bracket_end(body)
        {
            let then = body.get(1..end).unwrap_or_default().to_owned();
            let behind = body.get(end + 1..).unwrap_or_default().trim().to_owned();
            let first = self.text(&then, stdin.clone(), depth + 1);
            let second = self.text(&behind, stdin, depth + 1);
            return first.or(second);
        }
        self.text(body, stdin, depth + 1)
    }

    /// `for %x in (list) do command`.
    fn each(&mut self, command: &str, stdin: Feed, depth: usize) -> Feed {
        let lower = command.to_ascii_lowercase();
        let (Some(open), Some(at)) = (lower.find('('), lower.find(" in ").or_else(|| lower.find(" in("))) else {
            self.shell.opaque(Unread::Code, self.span);
            return Feed::none();
        };
        let head = command.get(..at).unwrap_or_default();
        let variable = head.split_whitespace().last().unwrap_or_default().to_owned();
        let Some(end) = command.get(open..).and_then(bracket_end).map(|end| open + end) else {
            self.shell.opaque(Unread::Code, self.span);
            return Feed::none();
        };
        let list = command.get(open + 1..end).unwrap_or_default();
        let body = command.get(end + 1..).unwrap_or_default().trim_start();
        let body = match body.get(..2) {
            Some(word) if word.eq_ignore_ascii_case("do") => body.get(2..).unwrap_or_default().trim_start(),
            _ => {
                self.shell.opaque(Unread::Code, self.span);
                return Feed::none();
            }
        };
        let head = head.to_ascii_lowercase();
        let items: Vec<String> = if head.contains("/f") {
            let inner = list.trim().trim_matches(['\'', '`']);
            if list.trim().starts_with(['\'', '`']) {
                self.text(inner, stdin.clone(), depth + 1);
            }
            vec!["%unknown%".to_owned()]
        } else if head.contains("/l") {
            vec!["1".to_owned()]
        } else {
            let root = head.split("/r").nth(1).map(|rest| rest.split('%').next().unwrap_or_default().trim().to_owned());
            let items =
                list.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|item| !item.is_empty());
            let items = items.map(|item| match &root {
                Some(root) if !root.is_empty() => format!("{}\\{item}", root.trim_end_matches('\\')),
                _ => item.to_owned(),
            });
            self.shell.first_of(items, MAX_ITEMS, self.span)
        };
        let mut out = Feed::none();
        for item in items {
            let places = body.matches('%').count() + body.matches(variable.as_str()).count();
            let grown = places.saturating_mul(item.len()).saturating_add(body.len());
            if grown > LONGEST_COMMAND || variable.is_empty() {
                self.shell.opaque(Unread::LongCode("cmd".to_owned()), self.span);
                break;
            }
            let mut text = body.to_owned();
            // `%~fx` is the full name of what `%x` stands for.
            let letter = variable.trim_start_matches('%');
            for changed in ["~f", "~dp", "~n", "~nx", "~x", "~", "~dpn", "~dpnx"] {
                text =
                    text.replace(&format!("%%{changed}{letter}"), &item).replace(&format!("%{changed}{letter}"), &item);
            }
            let text = text.replace(&variable, &item);
            out = out.then(self.text(&text, stdin.clone(), depth + 1));
        }
        out
    }

    /// A command with the variables put in that the text sets. Others stay as they are written.
    fn filled(&mut self, command: &str) -> String {
        let mut all = String::new();
        let mut rest = command;
        while let Some(at) = rest.find(['%', '!']) {
            if all.len() > LONGEST_COMMAND {
                self.shell.opaque(Unread::LongCode("cmd".to_owned()), self.span);
                return all;
            }
            let sign = rest.get(at..at + 1).unwrap_or("%");
            all.push_str(rest.get(..at).unwrap_or_default());
            let tail = rest.get(at + 1..).unwrap_or_default();
            let Some(end) = tail.find(sign) else {
                rest = rest.get(at..).unwrap_or_default();
                break;
            };
            let name = tail.get(..end).unwrap_or_default();
            let (plain, part) = name.split_once(":~").map_or((name, None), |(plain, part)| (plain, Some(part)));
            match (self.variables.get(&plain.to_ascii_lowercase()), part) {
                (Some(value), None) => all.push_str(value),
                (Some(value), Some(part)) => all.push_str(&portion(value, part)),
                (None, Some(_)) => {
                    // Letters out of something that is not known are how a command is hidden.
                    self.shell.opaque(Unread::Part(format!("%{name}%")), self.span);
                }
                (None, None) => {
                    all.push_str(sign);
                    rest = tail;
                    continue;
                }
            }
            rest = tail.get(end + 1..).unwrap_or_default();
        }
        all.push_str(rest);
        all
    }
}

/// `%x:~2,3%`: three letters from the third on.
fn portion(value: &str, part: &str) -> String {
    let mut numbers = part.split(',').map(|number| number.trim().parse::<i64>().ok());
    let letters: Vec<char> = value.chars().collect();
    let length = i64::try_from(letters.len()).unwrap_or(0);
    let place = |number: i64| {
        usize::try_from(if number < 0 { (length + number).max(0) } else { number.min(length) }).unwrap_or(0)
    };
    let from = place(numbers.next().flatten().unwrap_or(0));
    let to = match numbers.next().flatten() {
        Some(count) if count >= 0 => (from + usize::try_from(count).unwrap_or(0)).min(letters.len()),
        Some(count) => place(count),
        None => letters.len(),
    };
    letters.get(from..to.max(from)).unwrap_or_default().iter().collect()
}

/// The commands of a text, and whether what the one before prints flows into each.
fn commands(text: &str) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    let mut command = String::new();
    let mut piped = false;
    let (mut quoted, mut depth) = (false, 0_usize);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '^' if !quoted => match letters.next() {
                Some('\n') | None => {}
                Some(next) => command.push(next),
            },
            '"' => {
                quoted = !quoted;
                command.push(letter);
            }
            '(' if !quoted => {
                depth += 1;
                command.push(letter);
            }
            ')' if !quoted => {
                depth = depth.saturating_sub(1);
                command.push(letter);
            }
            '&' if !quoted && command.trim_end().ends_with('>') => command.push(letter),
            '&' | '|' | '\n' if depth == 0 && (!quoted || letter == '\n') => {
                let double = letters.peek() == Some(&letter);
                if double {
                    letters.next();
                }
                // A condition holds for everything that is joined to it; that is how it is read here anyway.
                if !command.trim().is_empty() {
                    all.push((std::mem::take(&mut command), piped));
                }
                command.clear();
                piped = letter == '|' && !double;
                quoted = false;
            }
            letter => command.push(letter),
        }
    }
    if !command.trim().is_empty() {
        all.push((command, piped));
    }
    all
}

/// The words of a command and the files that it writes.
fn words(command: &str) -> (Vec<String>, Vec<(String, bool)>) {
    let mut all = Vec::new();
    let mut redirects = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut begun) = (false, false);
    let mut target: Option<bool> = None;
    let mut letters = command.chars().peekable();
    let mut close = |word: &mut String, begun: &mut bool, target: &mut Option<bool>| {
        if !std::mem::replace(begun, false) {
            return;
        }
        let text = std::mem::take(word);
        match target.take() {
            Some(appends) => redirects.push((text, appends)),
            None => all.push(text),
        }
    };
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                begun = true;
            }
            '>' if !quoted => {
                // The number of a stream is no word.
                if word.len() == 1 && word.chars().all(|letter| letter.is_ascii_digit()) {
                    word.clear();
                    begun = false;
                }
                close(&mut word, &mut begun, &mut target);
                let appends = letters.peek() == Some(&'>');
                if appends {
                    letters.next();
                }
                target = Some(appends);
            }
            '<' if !quoted => close(&mut word, &mut begun, &mut target),
            letter if (letter.is_whitespace() || letter == ';') && !quoted => close(&mut word, &mut begun, &mut target),
            letter => {
                word.push(letter);
                begun = true;
            }
        }
    }
    close(&mut word, &mut begun, &mut target);
    (all, redirects)
}

/// Where the bracket ends that a text begins with.
fn bracket_end(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// What stands in the brackets around a whole command, and behind them.
fn inside_brackets(command: &str) -> Option<String> {
    let command = command.trim();
    if !command.starts_with('(') {
        return None;
    }
    let end = bracket_end(command)?;
    let inner = command.get(1..end).unwrap_or_default();
    Some(format!("{inner}\n{}", command.get(end + 1..).unwrap_or_default()))
}

/// A text behind its first word.
fn skip_word(text: &str) -> &str {
    let text = text.trim_start();
    let mut quoted = false;
    let end = text.find(|letter: char| {
        if letter == '"' {
            quoted = !quoted;
        }
        letter.is_whitespace() && !quoted
    });
    text.get(end.unwrap_or(text.len())..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_passes_the_glance() {
        for name in PROGRAMS {
            for name in [(*name).to_owned(), name.to_ascii_uppercase()] {
                assert!(calls_windows(&name, Glance::at(&name)), "{name}");
            }
        }
    }
}
