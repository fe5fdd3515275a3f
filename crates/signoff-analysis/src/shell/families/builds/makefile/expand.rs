//! References and functions of make, put in as far as their values are known.

use super::{MAX_EXPANDED, MAX_NESTING, MAX_REFERENCES, MAX_VALUE, Makefile, lines::split_outside};
use crate::facts::FileText;

/// Where a text is expanded.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) target: String,
    pub(super) needs: Vec<String>,
    pub(super) stem: String,
    /// The arguments of the function that is called.
    pub(super) arguments: Vec<String>,
    /// Shell code that make runs for the value.
    pub(super) runs: Vec<String>,
    /// Whether the text hangs on what is not known.
    pub(super) unknown: bool,
}

/// At most this many rounds of a loop are made.
const MAX_ROUNDS: usize = 200;

impl Makefile<'_> {
    /// Expands a text that make expands while it reads. Tells whether it hangs on what is not known.
    pub(super) fn expand_now(&mut self, text: &str) -> (String, bool) {
        let mut scope = Scope::default();
        let text = self.expand(text, &mut scope, 0);
        self.runs.append(&mut scope.runs);
        (text, scope.unknown)
    }

    /// Puts in what is known: `$(X)`, `${X}`, `$X`, functions; `$$` is a dollar.
    pub(super) fn expand(&mut self, text: &str, scope: &mut Scope, depth: usize) -> String {
        let mut all = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            if all.len() > MAX_VALUE {
                self.unread.push("$()".to_owned());
                return all;
            }
            let (before, from) = rest.split_at(at);
            all.push_str(before);
            if let Some(behind) = from.strip_prefix("$$") {
                all.push('$');
                rest = behind;
            } else if let Some((name, behind)) = bracketed(from) {
                let value = self.reference(name, scope, depth);
                all.push_str(&value);
                rest = behind;
            } else if from.starts_with("$(") || from.starts_with("${") {
                // Make gives up at a reference without an end.
                self.unread.push("$(".to_owned());
                return all;
            } else {
                let mut letters = from.chars();
                letters.next();
                if let Some(name) = letters.next() {
                    let value = self.reference(name.encode_utf8(&mut [0; 4]), scope, depth);
                    all.push_str(&value);
                }
                rest = letters.as_str();
            }
        }
        all.push_str(rest);
        self.expanded += all.len();
        all
    }

    fn reference(&mut self, inner: &str, scope: &mut Scope, depth: usize) -> String {
        self.references += 1;
        if self.references > MAX_REFERENCES || self.expanded > MAX_EXPANDED || depth >= MAX_NESTING * 4 {
            self.unread.push(format!("$({inner})"));
            return placeholder(inner, scope);
        }
        if let Some((function, rest)) = inner.split_once([' ', '\t'])
            && function.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        {
            return self.function(function, rest.trim_start(), scope, depth + 1);
        }
        if let Some((name, change)) = split_outside(inner, ':')
            && let Some((from, to)) = change.split_once('=')
        {
            let whole = if from.contains('%') { "" } else { "%" };
            let call = format!("{whole}{from},{whole}{to},$({name})");
            return self.function("patsubst", &call, scope, depth + 1);
        }
        let name = if inner.contains('$') { self.expand(inner, scope, depth + 1) } else { inner.to_owned() };
        self.variable(name.trim(), scope, depth)
    }

    fn variable(&mut self, name: &str, scope: &mut Scope, depth: usize) -> String {
        if let Some(value) = automatic(name, scope) {
            return value;
        }
        if let Ok(number) = name.parse::<usize>()
            && !scope.arguments.is_empty()
        {
            return scope.arguments.get(number).cloned().unwrap_or_default();
        }
        if let Some(value) = self.variables.get(name).cloned() {
            return self.expand(&value, scope, depth + 1);
        }
        match name {
            "MAKE" => "make".to_owned(),
            "RM" => "rm -f".to_owned(),
            "SHELL" => "/bin/sh".to_owned(),
            "CC" | "CXX" | "LD" | "AR" | "AS" => "cc".to_owned(),
            name => placeholder(name, scope),
        }
    }

    fn function(&mut self, name: &str, rest: &str, scope: &mut Scope, depth: usize) -> String {
        match name {
            "shell" => {
                let code = self.expand(rest, scope, depth);
                scope.unknown = true;
                scope.runs.push(code.clone());
                return format!("$({code})");
            }
            "eval" => {
                let text = self.expand(rest, scope, depth);
                self.read_text(&text);
                return String::new();
            }
            "info" | "warning" | "error" => {
                self.expand(rest, scope, depth);
                return String::new();
            }
            "file" => {
                let text = self.expand(rest, scope, depth);
                let path = text.split(',').next().unwrap_or_default();
                if path.trim_start().starts_with('>') {
                    scope.runs.push(format!(": {path}"));
                    return String::new();
                }
                return placeholder("file", scope);
            }
            "guile" => {
                self.unread.push(format!("$(guile {rest})"));
                return String::new();
            }
            "value" => return self.variables.get(rest.trim()).cloned().unwrap_or_default(),
            "if" => return self.choice(rest, scope, depth),
            "foreach" => return self.each(rest, scope, depth),
            "call" => {
                let arguments: Vec<String> =
                    parts(rest, usize::MAX).iter().map(|part| self.expand(part.trim(), scope, depth)).collect();
                let body = arguments.first().and_then(|name| self.variables.get(name.trim())).cloned();
                let Some(body) = body else { return placeholder(rest, scope) };
                let before = std::mem::replace(&mut scope.arguments, arguments);
                let text = self.expand(&body, scope, depth);
                scope.arguments = before;
                return text;
            }
            _ => {}
        }
        let before = std::mem::take(&mut scope.unknown);
        let arguments: Vec<String> =
            parts(rest, usize::MAX).iter().map(|part| self.expand(part, scope, depth)).collect();
        let unknown = std::mem::replace(&mut scope.unknown, before);
        // The pattern of a file name stays one; the value of a variable may be anything.
        let mut lengths: Vec<usize> = arguments.iter().map(String::len).collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        let large = lengths.iter().take(2).fold(1_usize, |all, length| all.saturating_mul(*length)) > MAX_VALUE * 16;
        let vague = large && arguments.len() > 1 || arguments.iter().any(|argument| argument.contains('$'));
        let value = if vague && name != "strip" { None } else { self.pure(name, &arguments, scope) };
        scope.unknown |= unknown;
        value.unwrap_or_else(|| placeholder(&format!("{name} {rest}"), scope))
    }

    /// Functions that only change their arguments.
    fn pure(&mut self, name: &str, arguments: &[String], scope: &mut Scope) -> Option<String> {
        let one = arguments.first().map(String::as_str).unwrap_or_default();
        let two = arguments.get(1).map(String::as_str).unwrap_or_default();
        let three = arguments.get(2).map(String::as_str).unwrap_or_default();
        let each = |words: &str, change: &dyn Fn(&str) -> String| -> String {
            words.split_whitespace().map(change).collect::<Vec<_>>().join(" ")
        };
        let directory = |word: &str| word.rfind('/').and_then(|at| word.get(..=at)).unwrap_or("./").to_owned();
        let file = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
        let matches = |word: &str| one.split_whitespace().any(|pattern| stem(pattern, word).is_some());
        Some(match name {
            "subst" if !one.is_empty() => three.replace(one, two),
            "patsubst" => each(three, &|word| match stem(one.trim(), word) {
                Some(stem) => two.trim().replacen('%', stem, 1),
                None => word.to_owned(),
            }),
            "strip" => each(one, &str::to_owned),
            "filter" => two.split_whitespace().filter(|word| matches(word)).collect::<Vec<_>>().join(" "),
            "filter-out" => two.split_whitespace().filter(|word| !matches(word)).collect::<Vec<_>>().join(" "),
            "findstring" => if two.contains(one) { one } else { "" }.to_owned(),
            "sort" => {
                let mut words: Vec<&str> = one.split_whitespace().collect();
                words.sort_unstable();
                words.dedup();
                words.join(" ")
            }
            "words" => one.split_whitespace().count().to_string(),
            "firstword" => one.split_whitespace().next().unwrap_or_default().to_owned(),
            "lastword" => one.split_whitespace().last().unwrap_or_default().to_owned(),
            "dir" => each(one, &directory),
            "notdir" => each(one, &file),
            "basename" => each(one, &|word| {
                let start = word.rfind('/').map_or(0, |at| at + 1);
                match word.rfind('.').filter(|at| *at > start) {
                    Some(at) => word.get(..at).unwrap_or(word).to_owned(),
                    None => word.to_owned(),
                }
            }),
            "addsuffix" => each(two, &|word| format!("{word}{}", one.trim())),
            "addprefix" => each(two, &|word| format!("{}{word}", one.trim())),
            "abspath" | "realpath" => each(one, &str::to_owned),
            "or" => arguments.iter().find(|part| !part.trim().is_empty()).cloned().unwrap_or_default(),
            "and" => match arguments.iter().any(|part| part.trim().is_empty()) {
                true => String::new(),
                false => arguments.last().cloned().unwrap_or_default(),
            },
            "wildcard" => {
                if one.contains(['*', '?', '[']) {
                    scope.unknown = true;
                    return Some(one.to_owned());
                }
                let look = self.look;
                let there = |word: &&str| !matches!(look(word), FileText::Missing);
                one.split_whitespace().filter(there).collect::<Vec<_>>().join(" ")
            }
            _ => return None,
        })
    }

    fn choice(&mut self, rest: &str, scope: &mut Scope, depth: usize) -> String {
        let parts = parts(rest, 3);
        let before = std::mem::take(&mut scope.unknown);
        let condition = parts.first().map(|part| self.expand(part.trim(), scope, depth)).unwrap_or_default();
        let unknown = std::mem::replace(&mut scope.unknown, before);
        let holds = if unknown {
            self.branches = self.branches.max(2);
            self.world == 0
        } else {
            !condition.trim().is_empty()
        };
        let part = parts.get(if holds { 1 } else { 2 }).copied().unwrap_or_default();
        self.expand(part, scope, depth)
    }

    fn each(&mut self, rest: &str, scope: &mut Scope, depth: usize) -> String {
        let parts = parts(rest, 3);
        let [name, list, body] = parts.as_slice() else { return String::new() };
        let name = self.expand(name.trim(), scope, depth);
        let list = self.expand(list, scope, depth);
        let before = self.variables.remove(&name);
        let mut all = Vec::new();
        let words: Vec<&str> = list.split_whitespace().collect();
        if words.len() > MAX_ROUNDS {
            self.unread.push(format!("$(foreach {name})"));
        }
        for word in words.into_iter().take(MAX_ROUNDS) {
            if all.iter().map(String::len).sum::<usize>() > MAX_VALUE {
                self.unread.push(format!("$(foreach {name})"));
                break;
            }
            // The word is a value already: a dollar in it is none of make's.
            self.variables.insert(name.clone(), word.replace('$', "$$"));
            all.push(self.expand(body, scope, depth));
        }
        match before {
            Some(value) => self.variables.insert(name, value),
            None => self.variables.remove(&name),
        };
        all.join(" ")
    }
}

/// The stem of a word that fits a pattern.
pub(super) fn stem<'w>(pattern: &str, word: &'w str) -> Option<&'w str> {
    match pattern.split_once('%') {
        Some((front, back)) => word.strip_prefix(front)?.strip_suffix(back),
        None => (pattern == word).then_some(""),
    }
}

/// A variable of the shell that stands for what is not known.
fn placeholder(name: &str, scope: &mut Scope) -> String {
    scope.unknown = true;
    let plain: String = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    format!("${{{plain}}}")
}

fn automatic(name: &str, scope: &Scope) -> Option<String> {
    let mut letters = name.chars();
    let value = match letters.next()? {
        '@' => scope.target.clone(),
        '<' => scope.needs.first().cloned().unwrap_or_default(),
        '^' | '+' | '?' => scope.needs.join(" "),
        '*' => scope.stem.clone(),
        '|' | '%' => String::new(),
        _ => return None,
    };
    let each = |change: &dyn Fn(&str) -> String| value.split_whitespace().map(change).collect::<Vec<_>>().join(" ");
    match letters.as_str() {
        "" => Some(value),
        "D" => Some(each(&|word| word.rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned())),
        "F" => Some(each(&|word| word.rsplit('/').next().unwrap_or(word).to_owned())),
        _ => None,
    }
}

/// The arguments of a function; the last takes all that is left.
fn parts(text: &str, most: usize) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while all.len() + 1 < most
        && let Some((part, behind)) = split_outside(rest, ',')
    {
        all.push(part);
        rest = behind;
    }
    all.push(rest);
    all
}

/// `$(name)` or `${name}` at the beginning of a text: the name and what follows.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('$')?;
    let (open, close) = match rest.chars().next()? {
        '(' => ('(', ')'),
        '{' => ('{', '}'),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, letter) in rest.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some((rest.get(1..at)?, rest.get(at + 1..)?));
            }
        }
    }
    None
}
