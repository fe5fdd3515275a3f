//! Whether a text that arrives as a shell command is a script of PowerShell: by what no other shell has.

use memchr::memchr_iter;

use super::{
    parse::parse,
    tree::{Body, ElementKind, Expression, Part, Statement, Word},
};
use crate::{
    code::{Glance, glance::is_of_word},
    shell::families::windows,
};

/// How a text reads as a script of PowerShell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Nothing in it is of this language.
    Foreign,
    /// It looks like this language, but not all of it could be read.
    Partial,
    /// It looks like this language, and was read to its end.
    Complete,
}

/// Whether a text is a script of PowerShell.
pub(in crate::code) fn is_script(text: &str, glance: Glance) -> Reading {
    if !may_be_script(text, glance) {
        return Reading::Foreign;
    }
    let script = parse(text);
    match script.complete {
        true if has_sign(&script.body, 0) => Reading::Complete,
        // What begins as a script is one, even if something in it is not known.
        false if script.body.first().is_some_and(begins_script) => Reading::Partial,
        _ => Reading::Foreign,
    }
}

/// Whether one of the signs may be found at all. Nearly every text is of another shell, and reading it twice is dear: this
/// looks where a sign may stand, remembers what it has seen ahead, and lets through whatever could be one.
fn may_be_script(text: &str, glance: Glance) -> bool {
    let bytes = text.as_bytes();
    let mut ahead = Ahead::default();
    let begins = || bytes.first() == Some(&b'.') && matches!(bytes.get(1), Some(b' ' | b'{'));
    glance.of_powershell || memchr_iter(b'$', bytes).any(|at| is_variable_of_script(bytes, at, &mut ahead)) || begins()
}

/// Whether a mark that stands here is one of this language. The shapes of the marks in [`Glance`] must let through whatever
/// is one.
pub(in crate::code) fn is_sign_at(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b'\n');
    let rest = bytes.get(at + 1..).unwrap_or_default();
    let next = rest.first().copied().unwrap_or(b'\n');
    match bytes.get(at) {
        // `Verb-Noun`, `'{0}' -f $x`, comparisons that no other shell has.
        Some(b'-') if before.is_ascii_alphabetic() => next.is_ascii_uppercase() || starts_with_any(rest, NOUNS),
        Some(b'-') if rest.starts_with(b"f ") => {
            let left = bytes.get(..at).unwrap_or_default().trim_ascii_end();
            matches!(left.last(), Some(b'\'' | b'"' | b')'))
        }
        Some(b'-') => begins_comparison(rest),
        // `[Type]::Member`, `[int] $x`.
        Some(b']') => matches!(
            rest.trim_ascii_start().first(),
            Some(b':' | b'$' | b'\'' | b'"' | b'(' | b'@' | b'[' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z')
        ),
        Some(b'@') => matches!(next, b'{' | b'(' | b'\'' | b'"'),
        Some(b'&') if before == b'&' => false,
        Some(b'&') => rest.len() > 1 && matches!(next, b' ' | b'\t' | b'(' | b'{' | b'\'' | b'"' | b'$'),
        Some(b'%' | b'?') => before.is_ascii_whitespace() && matches!(next, b'{' | b' '),
        Some(b'(') => {
            const BEFORE: &[&str] = &["param", "foreach", "if", "while", "switch", "for", "elseif", "until", "catch"];
            let left = bytes.get(..at).unwrap_or_default().trim_ascii_end();
            // Each of them ends in one of these letters.
            let may_end =
                matches!(left.last().map(u8::to_ascii_lowercase), Some(b'm' | b'h' | b'f' | b'e' | b'r' | b'l'));
            let ends = |word: &&str| {
                let from = left.len().checked_sub(word.len());
                from.and_then(|from| left.get(from..)).is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
            };
            may_end && BEFORE.iter().any(ends)
        }
        _ => false,
    }
}

fn starts_with_any(bytes: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| bytes.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes())))
}

/// Whether a comparison or an operator of this language begins here, behind its dash.
fn begins_comparison(rest: &[u8]) -> bool {
    let words: &[&str] = match rest {
        [first, second, ..] => match [first | 0x20, second | 0x20] {
            [b'm', b'a'] => &["match "],
            [b'l', b'i'] => &["like "],
            [b'j', b'o'] => &["join"],
            [b'r', b'e'] => &["replace"],
            [b's', b'p'] => &["split"],
            [b'n', b'o'] => &["notmatch "],
            [b'c', b'o'] => &["contains "],
            _ => return false,
        },
        _ => return false,
    };
    starts_with_any(rest, words)
}

/// Words that only this language has, aside from [`ALIASES`].
pub(in crate::code) const SIGNS: &[&str] =
    &["foreach ", "foreach(", "foreach{", "function ", "filter ", "where ", "where{", "try ", "try{", "trap ", "ri "];

/// Whether a word begins here that only this language has.
pub(in crate::code) fn begins_sign(rest: &[u8]) -> bool {
    starts_with_any(rest, SIGNS) || starts_with_any(rest, ALIASES)
}

/// The brackets that close what was looked for last. Each is asked for at places that only move forward, so that a text
/// full of openings is still looked through once.
#[derive(Debug, Default)]
struct Ahead {
    /// Behind `${`.
    brace: Closing,
    /// Behind `${…}[`.
    subscript_of_braces: Closing,
    /// Behind `$x[`.
    subscript_of_name: Closing,
}

/// The next place of a byte, and from where on it is the next one.
#[derive(Debug, Default)]
struct Closing {
    looked_from: usize,
    found: Option<Option<usize>>,
}

impl Closing {
    /// The next place of the byte, from here on.
    fn next(&mut self, bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
        match self.found {
            Some(None) if from >= self.looked_from => return None,
            Some(Some(at)) if (self.looked_from..=at).contains(&from) => return Some(at),
            _ => {}
        }
        let found = bytes.get(from..).and_then(|rest| rest.iter().position(|byte| *byte == wanted)).map(|at| from + at);
        *self = Self { looked_from: from, found: Some(found) };
        found
    }
}

/// A sign behind a variable stands at most this many blanks away; with more of them, the text is read to find out.
const MAX_BLANKS: usize = 256;

/// `$x = …`, `${x} = …`, `$x[0] = …`, `$x.y`, `$env:x`, with the dollar sign at this place.
fn is_variable_of_script(bytes: &[u8], dollar: usize, ahead: &mut Ahead) -> bool {
    let rest = bytes.get(dollar + 1..).unwrap_or_default();
    let (name, subscript) = match rest.first() {
        Some(b'{') => {
            let close = ahead.brace.next(bytes, dollar + 1, b'}');
            (close.map_or(0, |close| close - dollar), &mut ahead.subscript_of_braces)
        }
        _ => (rest.iter().take_while(|byte| is_of_word(**byte)).count(), &mut ahead.subscript_of_name),
    };
    let mut end = dollar + 1 + name;
    if bytes.get(end) == Some(&b'[')
        && let Some(close) = subscript.next(bytes, end, b']')
    {
        end = close + 1;
    }
    if end == dollar + 1 {
        return false;
    }
    let automatic = || match rest.first().map(u8::to_ascii_lowercase) {
        Some(b'e' | b'p' | b'l') => starts_with_any(rest, &["env:", "psversion", "lastexitcode"]),
        _ => false,
    };
    let behind = bytes.get(end..).unwrap_or_default();
    // Nearly every variable ends at something that is none of the signs.
    match behind.first() {
        Some(b'=' | b'+' | b'-' | b'*' | b'/' | b'%' | b'?' | b'.') => {}
        Some(blank) if blank.is_ascii_whitespace() => {}
        _ => return automatic(),
    }
    let near = behind.get(..MAX_BLANKS).unwrap_or(behind);
    let sign = behind.get(near.len() - near.trim_ascii_start().len()..).unwrap_or_default();
    let far = near.len() == MAX_BLANKS && sign.first().is_some_and(u8::is_ascii_whitespace);
    let assigns = match sign {
        [b'=', b'=', ..] => far,
        [b'=', ..] | [b'+' | b'-' | b'*' | b'/' | b'%', b'=', ..] | [b'?', b'?', b'=', ..] => true,
        _ => far,
    };
    let member = behind.first() == Some(&b'.') && behind.get(1).is_some_and(u8::is_ascii_alphabetic);
    let starts = || {
        let before = bytes.get(..dollar).unwrap_or_default();
        let left = before.trim_ascii_end();
        matches!(left.last(), None | Some(b';' | b'(' | b'|' | b'{' | b'=' | b'}'))
            || before.get(left.len()..).is_some_and(|blank| blank.contains(&b'\n'))
    };
    assigns || member && starts() || automatic()
}

/// Whether a text that begins like this is a script, although not all of it is known.
fn begins_script(statement: &Statement) -> bool {
    match statement {
        Statement::Pipeline(elements) => match elements.first().map(|element| &element.kind) {
            Some(ElementKind::Command { name, invoked, .. }) => *invoked || is_named_like_cmdlet(name),
            _ => false,
        },
        Statement::Chain(all) => all.first().is_some_and(begins_script),
        other => is_sign(other, 0),
    }
}

/// The variables that a script sets, in small letters.
pub(in crate::code) fn variables(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    collect(&parse(text).body, &mut all, 0);
    all
}

fn collect(body: &Body, all: &mut Vec<String>, depth: usize) {
    for statement in body.iter().filter(|_| depth < 16) {
        match statement {
            Statement::Assign { target, value, .. } => {
                let mut targets = vec![target];
                while let Some(target) = targets.pop() {
                    match target {
                        Expression::Variable(name) => all.push(name.clone()),
                        Expression::Cast(_, inner) => targets.push(inner),
                        Expression::List(list) => targets.extend(list),
                        _ => {}
                    }
                }
                if let Statement::Pipeline(_) | Statement::Assign { .. } = &**value {
                    collect(&std::rc::Rc::new(vec![Statement::clone(value)]), all, depth + 1);
                }
            }
            Statement::Foreach { variable, body, .. } => {
                all.push(variable.clone());
                collect(body, all, depth + 1);
            }
            Statement::Branches { bodies, otherwise, .. } => {
                bodies.iter().chain(otherwise).for_each(|body| collect(body, all, depth + 1));
            }
            Statement::Bodies(bodies) => bodies.iter().for_each(|body| collect(body, all, depth + 1)),
            Statement::Loop { heads, body } => {
                collect(&std::rc::Rc::new(heads.clone()), all, depth + 1);
                collect(body, all, depth + 1);
            }
            Statement::Function { parameters, body, .. } => {
                all.extend(parameters.iter().map(|parameter| parameter.name.clone()));
                collect(body, all, depth + 1);
            }
            Statement::Parameters(parameters) => {
                all.extend(parameters.iter().map(|parameter| parameter.name.clone()));
            }
            Statement::Chain(inner) => collect(&std::rc::Rc::new(inner.clone()), all, depth + 1),
            Statement::Pipeline(_) | Statement::Nothing => {}
        }
    }
}

fn has_sign(body: &Body, depth: usize) -> bool {
    depth < 8 && body.iter().any(|statement| is_sign(statement, depth))
}

fn is_sign(statement: &Statement, depth: usize) -> bool {
    match statement {
        Statement::Assign { .. }
        | Statement::Foreach { .. }
        | Statement::Parameters(_)
        | Statement::Branches { .. } => true,
        Statement::Loop { heads, .. } => !heads.is_empty(),
        Statement::Bodies(bodies) => bodies.len() > 1 || bodies.iter().any(|body| has_sign(body, depth + 1)),
        Statement::Function { body, .. } => has_sign(body, depth + 1),
        Statement::Chain(all) => all.iter().any(|statement| is_sign(statement, depth)),
        Statement::Pipeline(elements) => elements.iter().any(|element| match &element.kind {
            ElementKind::Command { name, words, invoked } => {
                *invoked
                    || has_block(name, words)
                    || is_named_like_cmdlet(name)
                    || matches!(name, Expression::Text(parts) if is_named(parts, ALIASES) && !words.is_empty())
            }
            ElementKind::Expression(expression) => is_of_objects(expression, depth),
        }),
        Statement::Nothing => false,
    }
}

/// Aliases that no other shell has for anything.
pub(in crate::code) const ALIASES: &[&str] = &["iex", "iwr", "irm", "gci", "icm", "sls", "gwmi", "saps"];

/// Names that are this language's only with a block behind them.
const WITH_BLOCK: &[&str] = &["%", "?", "foreach", "where"];

fn is_named(parts: &[Part], names: &[&str]) -> bool {
    matches!(parts, [Part::Text(text)] if names.iter().any(|name| text.eq_ignore_ascii_case(name)))
}

fn has_block(name: &Expression, words: &[Word]) -> bool {
    let Expression::Text(parts) = name else { return false };
    // Ruby has a program of this name.
    let deletes = |word: &Word| match word {
        Word::Parameter { raw, .. } => {
            ["-recurse", "-force", "-r", "-rec"].iter().any(|name| raw.eq_ignore_ascii_case(name))
        }
        _ => false,
    };
    is_named(parts, WITH_BLOCK) && matches!(words.first(), Some(Word::Argument(Expression::Block(..))))
        || is_named(parts, &["ri"]) && words.iter().any(deletes)
}

fn is_named_like_cmdlet(name: &Expression) -> bool {
    match name {
        Expression::Text(parts) => match parts.as_slice() {
            [Part::Text(text)] => windows::is_cmdlet(text) || is_well_known(&text.to_ascii_lowercase()),
            _ => false,
        },
        _ => false,
    }
}

/// What the cmdlets are about that are known in small letters as well.
const NOUNS: &[&str] = &[
    "childitem",
    "item",
    "content",
    "object",
    "expression",
    "webrequest",
    "restmethod",
    "process",
    "host",
    "output",
    "location",
    "path",
    "service",
    "itemproperty",
    "eventlog",
    "computer",
    "volume",
    "disk",
    "mppreference",
];

/// Cmdlets that are known in small letters as well.
fn is_well_known(name: &str) -> bool {
    super::names::is_cmdlet(name) && name.split_once('-').is_some_and(|(_, noun)| NOUNS.contains(&noun))
}

/// `[Type]::Member`, `(New-Object …).Method()`, `$x.Method()`.
fn is_of_objects(expression: &Expression, depth: usize) -> bool {
    match expression {
        Expression::Call(of, ..) | Expression::Member(of, _) => match &**of {
            Expression::Type(_) | Expression::Variable(_) => true,
            Expression::Group(body) => has_sign(body, depth + 1),
            other => is_of_objects(other, depth),
        },
        Expression::Group(body) => has_sign(body, depth + 1),
        Expression::Binary(sign, left, right) => {
            sign.starts_with('-') && sign.len() > 1 || is_of_objects(left, depth) || is_of_objects(right, depth)
        }
        Expression::Cast(..) | Expression::Table(_) => true,
        Expression::Variable(name) => {
            name.starts_with("env:") || name.starts_with("psversion") || name == "lastexitcode"
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{has_sign, may_be_script};
    use crate::code::{Glance, powershell::parse::parse};

    /// A text that is looked at once only must not hold a sign. A comparison alone does nothing and is left out.
    #[test]
    fn whatever_is_a_sign_is_seen_at_a_glance() {
        const PIECES: &[&str] = &[
            "ls",
            "echo 'a b'",
            "$x = 1",
            "$x=1",
            "${x} = 'a'",
            "$x[0] = 2",
            "$x.y = 2",
            "$a, $b = 1, 2",
            "$x += 'a'",
            "$x /= 2",
            "[int]$x = 1",
            "[int] $x",
            "[char] 92",
            "[Math]::Max(1, 2)",
            "$x.Trim()",
            "$env:PATH",
            "@{ a = 1 }",
            "if ($x) { ls }",
            "foreach ($f in $x) { ls }",
            "while ($true) { ls }",
            "do { ls } while ($x)",
            "switch ($x) { 1 { ls } }",
            "try { ls } catch { ls }",
            "function f { $x = 1 }",
            "param($x)",
            "& $x a",
            "& 'a b'",
            "Get-Item a",
            "remove-item a",
            "iex $x",
            "ls | % { $_ }",
            "ls | ? { $_ }",
            "ls | where { $_ }",
            "ri a -recurse",
            "('{0}' -f 'a')",
        ];
        let mut signs = 0;
        for first in PIECES {
            for second in PIECES {
                for text in [(*first).to_owned(), format!("{first}; {second}"), format!("{first}\n{second}")] {
                    let script = parse(&text);
                    if script.complete && has_sign(&script.body, 0) {
                        signs += 1;
                        assert!(may_be_script(&text, Glance::at(&text)), "{text}");
                    }
                }
            }
        }
        assert!(signs > 2000, "{signs}");
    }

    #[test]
    fn texts_of_other_shells_are_told_at_a_glance() {
        for text in ["git status", "cd a && npm test", "for f in *.rs; do wc -l \"$f\"; done", "[ -f x ] || exit 1"] {
            assert!(!may_be_script(text, Glance::at(text)), "{text}");
        }
    }
}
