//! Code in other languages than the shell's: what it would do to files, programs, databases and other machines.
//!
//! A lexer keeps texts and comments apart from code, a reader follows the calls and evaluates what is literal, and the
//! tables say which function does what. Danger words in texts are no danger; a call that is not known is harmless unless
//! its name says otherwise; code that is put together from unknown parts and run is a reason to ask.

mod acts;
pub(crate) mod allowance;
mod applescript;
mod assignments;
mod awk;
pub(crate) mod batch;
mod bindings;
mod brackets;
mod chains;
mod changes;
mod compiled;
mod decoding;
mod definitions;
mod evaluation;
mod exhaust;
mod expressions;
mod extents;
mod files;
mod functions;
mod glance;
mod held;
mod lexer;
mod lexicon;
mod line_ends;
mod lisp;
mod mapped;
mod methods;
mod names;
mod network;
pub(crate) mod powershell;
mod programs;
mod pure;
mod reachable;
mod reader;
mod readings;
pub mod rules;
mod statements;
mod structure;
mod tcl;
mod thing;

pub(crate) use glance::Glance;
pub(crate) use reachable::reachable;
pub use rules::RULES;

use crate::{
    shell::{Language, Shell},
    value::{Arg, Feed, Origin, Piece, Value},
};
use reader::Reader;
use signoff_model::{Span, Unread};

/// Reads code of a language that runs with what flows in, says what it does, and returns what flows out.
pub fn run(shell: &mut Shell<'_>, language: Language, code: &Arg, stdin: &Feed) -> Feed {
    let text = line_ends::unified(language, &text_of(language, code)).into_owned();
    // However little it does, all of it was copied and taken apart, and a loop does that again and again.
    shell.spend(text.len() / 256);
    match language {
        Language::Shell(dialect) => shell.run_text(code, dialect, stdin.clone()),
        Language::Sql => {
            crate::sql::verdict_of_text(shell, &code.value, crate::sql::Dialect::Any, code.span);
            Feed::from(Origin::Program("sql".into()))
        }
        Language::PowerShell => powershell::run(shell, &text, code.span, stdin),
        Language::AppleScript => applescript::run(shell, &text, code.span, stdin),
        Language::Tcl => tcl::run(shell, &text, code.span),
        Language::Other if lisp::run(shell, &text, code.span) => Feed::from(Origin::Program("code".into())),
        language => {
            let text = if language == Language::C { compiled::preprocessed(&text) } else { text };
            read(shell, language, &text, code.span, stdin)
        }
    }
}

/// Reads what a script of JavaScript does where it is the system's language for other applications.
pub(crate) fn run_automation(shell: &mut Shell<'_>, text: &str, span: Span) {
    applescript::run_javascript(shell, text, span);
}

/// Reads a text, and remembers meanwhile that it is the one that loads whatever is imported.
fn read(shell: &mut Shell<'_>, language: Language, text: &str, span: Span, stdin: &Feed) -> Feed {
    shell.loaders.push(text.into());
    let feed = readings::read(shell, language, text, span, stdin);
    shell.loaders.pop();
    feed
}

/// Code is read up to this length, in bytes; what lies behind it, or a longer text, is told as unread.
const LONGEST_SCRIPT: usize = 64 * 1024;

/// The part of a script that is read, and whether that is all of it.
pub(crate) fn readable(text: &str, longest: usize) -> (&str, bool) {
    if text.len() <= longest {
        return (text, true);
    }
    let end = (0..=longest).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    (text.get(..end).unwrap_or_default(), false)
}

/// Whether a whole text that arrives as a shell command is a script of PowerShell.
pub(crate) fn as_powershell(text: &str, glance: Glance) -> powershell::Reading {
    powershell::is_script(text, glance)
}

/// The variables that a script of PowerShell sets, in small letters.
pub(crate) fn powershell_variables(text: &str) -> Vec<String> {
    powershell::variables(text)
}

/// The text that PowerShell gets as `-EncodedCommand`.
pub(crate) fn utf16_in_base64(text: &str) -> Option<String> {
    decoding::utf16_in_base64(text)
}

/// A value whose wildcards are alive.
pub(crate) fn file_pattern(text: &str) -> Value {
    thing::pattern(&Value::text(text))
}

/// The text of the code; a part that is not known stands there as a name, so that it counts as an unknown value.
fn text_of(language: Language, code: &Arg) -> String {
    let mut text = String::new();
    for piece in code.value.pieces() {
        match piece {
            Piece::Text(part) | Piece::Glob(part) => text.push_str(part),
            // PowerShell has the same sign for its variables as the shell that took them for its own.
            Piece::Unknown(unknown) if language == Language::PowerShell && is_variable(&unknown.shown) => {
                text.push_str(&unknown.shown);
            }
            Piece::Unknown(_) => text.push_str("__unknown__"),
        }
    }
    text
}

fn is_variable(shown: &str) -> bool {
    shown.strip_prefix('$').is_some_and(|name| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
}

/// What shows only in the code as a whole, and what flows out.
fn finish(reader: &mut Reader<'_, '_>, text: &str) -> Feed {
    let span = reader.span;
    let seen = std::mem::take(&mut reader.seen);
    let peer =
        seen.connects.clone().filter(|address| !address.is_empty()).unwrap_or_else(|| "another machine".to_owned());
    let connected = seen.connects.is_some() || seen.listens;
    // What runs is not known, and the only thing that this code does besides is to talk to another machine.
    let obeys = seen.runs_unknown && reader.own.is_empty() && !network::is_local(&peer);
    let hands_over = seen.hands_over && seen.connects.is_some();
    if connected && (seen.opens_shell || hands_over || obeys) {
        reader.shell.tell(&rules::REVERSE_SHELL, peer, span);
    }
    if seen.forks && seen.endless && !seen.waits {
        reader.shell.tell(&rules::CODE_FORK_BOMB, "fork", span);
    }
    if let (true, Some(to)) = (seen.keys, &seen.sent) {
        reader.shell.tell_sent(&signoff_model::Secret::Typed.to_string(), to, span);
    }
    if let Some(place) = seen.ruins.filter(|_| exhaust::encrypts(text, reader.language)) {
        reader.shell.tell(&crate::shell::families::secrets::RANSOM, place, span);
    }
    if seen.endless && !seen.waits && exhaust::takes_without_end(text, reader.language) {
        reader.shell.tell(&rules::CODE_EXHAUST, shortened(text), span);
    }
    if seen.unread {
        reader.shell.findings.gap(Unread::Code, span);
        reader.shell.tell(&rules::CODE_LOST, shortened(text), span);
    }
    reader.take_output(name_of(reader.language))
}

fn shortened(text: &str) -> String {
    let line: String = text.chars().take_while(|letter| *letter != '\n').take(60).collect();
    if line.len() < text.len() { format!("{line}…") } else { line }
}

fn name_of(language: Language) -> &'static str {
    match language {
        Language::Python => "python",
        Language::Perl => "perl",
        Language::Ruby => "ruby",
        Language::JavaScript => "node",
        Language::Php => "php",
        Language::Lua => "lua",
        Language::Awk => "awk",
        Language::R => "R",
        Language::Java => "java",
        Language::C => "c",
        Language::Go => "go",
        Language::Rust => "rust",
        _ => "code",
    }
}

#[cfg(test)]
mod entries;
#[cfg(test)]
mod extents_tests;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod gaps;
#[cfg(test)]
mod handed;
#[cfg(test)]
mod other_ways_tests;
#[cfg(test)]
mod repeated;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod variables;
