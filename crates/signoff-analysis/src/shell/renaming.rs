//! Whether a text gives names of programs another meaning, or may do so: only where it does not, a name says what runs.

use compact_str::CompactString;

use super::{
    sieves,
    syntax::tree::{Command, Compound, Item, SimpleCommand, Word, WordPart},
};

/// Deeper nesting may hide anything.
const MAX_DEPTH: usize = 16;

/// Commands that give names a meaning, or run a text that may.
const NAMING: &[&str] = &[
    ".",
    "alias",
    "autoload",
    "emulate",
    "enable",
    "eval",
    "hash",
    "mapfile",
    "readarray",
    "rehash",
    "setopt",
    "shopt",
    "source",
    "trap",
    "zmodload",
];

/// Commands that set the variables which their words name.
const SETTING: &[&str] = &[
    "declare", "export", "float", "getopts", "integer", "let", "local", "read", "readonly", "typeset", "unset", "vared",
];

/// Commands that run the command behind them in this shell.
const LEADING: &[&str] = &["-", "builtin", "command", "exec", "nocorrect", "noglob", "time"];

/// Variables that decide what a name means.
const DECIDING: &[&str] =
    &["BASH_ALIASES", "BASH_CMDS", "PATH", "aliases", "commands", "functions", "galiases", "path"];

/// Whether some of these commands may give a name of a program another meaning.
pub(super) fn renames(items: &[Item], depth: usize) -> bool {
    depth > MAX_DEPTH
        || items.iter().any(|item| {
            let pipelines =
                std::iter::once(&item.list.first).chain(item.list.rest.iter().map(|(_, pipeline)| pipeline));
            pipelines.into_iter().any(|pipeline| pipeline.commands.iter().any(|command| by_command(command, depth)))
        })
}

fn by_command(command: &Command, depth: usize) -> bool {
    match command {
        Command::Function(function) => {
            sieves::KNOWN.holds(function.name) || depth > MAX_DEPTH || by_command(function.body, depth + 1)
        }
        Command::Simple(simple) => by_simple(simple),
        Command::Compound(compound) => match &compound.kind {
            Compound::Group(body) | Compound::Subshell(body) | Compound::ArithmeticFor { body, .. } => {
                renames(body, depth + 1)
            }
            Compound::If { branches, otherwise } => {
                let bodies = branches.iter().flat_map(|(condition, body)| [*condition, *body]);
                bodies.chain(*otherwise).any(|body| renames(body, depth + 1))
            }
            Compound::While { condition, body, .. } => renames(condition, depth + 1) || renames(body, depth + 1),
            Compound::For { names, body, .. } => {
                names.iter().any(|name| DECIDING.contains(name)) || renames(body, depth + 1)
            }
            Compound::Case { arms, .. } => arms.iter().any(|arm| renames(arm.body, depth + 1)),
            Compound::Test(_) | Compound::Arithmetic(_) => false,
        },
        Command::Coproc { .. } => true,
    }
}

fn by_simple(simple: &SimpleCommand) -> bool {
    simple.assignments.iter().any(|assignment| DECIDING.contains(&assignment.name)) || by_words(simple.words)
}

fn by_words(words: &[Word]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    // What is not written out may be anything.
    let Some(program) = text_of(first) else { return true };
    match program.as_str() {
        "[" => false,
        name if name.contains(['*', '?', '[', '{']) => true,
        name if NAMING.contains(&name) => true,
        name if LEADING.contains(&name) => {
            let option = |word: &&Word| text_of(word).is_some_and(|text| text.starts_with('-'));
            by_words(rest.get(rest.iter().take_while(option).count()..).unwrap_or_default())
        }
        // Only what stands right behind `-v` is set.
        "printf" => match rest.first().map(text_of) {
            Some(Some(text)) if text == "-v" => rest.get(1).is_some_and(may_decide),
            Some(Some(text)) => text.strip_prefix("-v").is_some_and(decides),
            Some(None) => true,
            None => false,
        },
        name if SETTING.contains(&name) => rest.iter().any(may_decide),
        _ => false,
    }
}

/// Whether a word behind a command that sets variables may name one that decides what a name means.
fn may_decide(word: &Word) -> bool {
    match (text_of(word), word.parts.first()) {
        // A reference may lead to any of them.
        (Some(text), _) if text.starts_with('-') => text.contains('n'),
        (Some(text), _) => decides(&text),
        (None, Some(WordPart::Literal(start))) => !start.contains('=') || decides(start),
        (None, _) => true,
    }
}

/// Whether what stands before `=` is such a variable, or no plain name at all.
fn decides(text: &str) -> bool {
    let name = text.split(['=', '+']).next().unwrap_or(text);
    DECIDING.contains(&name) || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The text of a word, if all of it is written out.
pub(super) fn text_of(word: &Word) -> Option<CompactString> {
    let mut text = CompactString::default();
    for part in word.parts {
        match part {
            // The shell may make other words of it, or several. A bracket alone is the name of a test.
            WordPart::Literal(part) if part.contains(['{', '*', '?', '[']) && *part != "[" => return None,
            WordPart::Literal(part) | WordPart::SingleQuoted(part) => text.push_str(part),
            WordPart::DoubleQuoted(parts) => {
                for part in *parts {
                    let WordPart::SingleQuoted(part) = part else { return None };
                    text.push_str(part);
                }
            }
            _ => return None,
        }
    }
    Some(text)
}
