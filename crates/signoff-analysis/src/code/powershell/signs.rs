//! Whether a text that arrives as a shell command is a script of PowerShell: by what no other shell has.

use super::{
    parse::parse,
    tree::{Body, ElementKind, Expression, Part, Statement, Word},
};
use crate::shell::families::windows;

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
pub(in crate::code) fn is_script(text: &str) -> Reading {
    if !text.contains(['$', '-', '(', '&', '|']) {
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
const ALIASES: &[&str] = &["iex", "iwr", "irm", "gci", "icm", "sls", "gwmi", "saps"];

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

/// Cmdlets that are known in small letters as well.
fn is_well_known(name: &str) -> bool {
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
