//! What can be told of a single word or redirection of the tree without expanding anything.

use signoff_model::Dialect;

use super::syntax::tree::{Command, RedirectOperator, Word, WordPart};

/// Programs that do no more with what they read than print a part of it.
const FILTERS: &[&str] = &["head", "tail", "wc", "grep", "egrep", "fgrep", "cat", "cut", "tr", "nl"];

/// Whether a command does no more than print a part of what it reads.
pub(super) fn is_filter(command: &Command<'_>) -> bool {
    let Command::Simple(simple) = command else { return false };
    let mut words = simple.words.iter().map(|word| written(word, Dialect::Zsh));
    let named = matches!(words.next(), Some((Some(program), true)) if FILTERS.contains(&program.as_str()));
    named && simple.assignments.is_empty() && simple.redirects.is_empty() && words.all(|(_, literal)| literal)
}

/// Whether a redirection leaves something behind that a later command may run or read.
pub(super) fn writes_a_file(operator: RedirectOperator, target: &Word<'_>, dialect: Dialect) -> bool {
    let target = written(target, dialect).0;
    let nowhere = target.as_deref().is_some_and(|target| matches!(target, "/dev/null" | "/dev/stdout" | "/dev/stderr"));
    let descriptor =
        || target.as_deref().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'));
    match operator {
        RedirectOperator::Read | RedirectOperator::HereString | RedirectOperator::HereDocument => false,
        RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput => !nowhere && !descriptor(),
        RedirectOperator::Write
        | RedirectOperator::Clobber
        | RedirectOperator::Append
        | RedirectOperator::ReadWrite
        | RedirectOperator::WriteBoth
        | RedirectOperator::AppendBoth => !nowhere,
    }
}

/// The word as the program gets it, if that is known, and whether it stands for itself.
pub(super) fn written(word: &Word<'_>, dialect: Dialect) -> (Option<String>, bool) {
    let mut text = String::new();
    let mut literal = true;
    match add(word.parts, dialect, &mut text, &mut literal) {
        Some(()) => (Some(text), literal),
        None => (None, false),
    }
}

fn add(parts: &[WordPart<'_>], dialect: Dialect, text: &mut String, literal: &mut bool) -> Option<()> {
    for part in parts {
        match part {
            WordPart::SingleQuoted(quoted) => text.push_str(quoted),
            WordPart::DoubleQuoted(inner) => add(inner, dialect, text, literal)?,
            WordPart::Literal(bare) => {
                // Brackets alone are a test, braces alone the place of a name.
                let signs: &[char] = match dialect {
                    Dialect::Bash | Dialect::Sh => &['*', '?', '[', '{'],
                    Dialect::Zsh => &['*', '?', '[', '{', '^', '#', '<'],
                };
                let alive = bare.contains(signs) && !matches!(*bare, "[" | "]" | "{}");
                if alive {
                    return None;
                }
                // A home directory and zsh's `=program` are known by name only.
                let named = bare.contains('~') || (dialect == Dialect::Zsh && bare.starts_with('='));
                *literal &= !named;
                text.push_str(bare);
            }
            WordPart::Parameter(_)
            | WordPart::Command(_)
            | WordPart::Process { .. }
            | WordPart::Arithmetic(_)
            | WordPart::ExtendedGlob { .. }
            | WordPart::Array(_) => return None,
        }
    }
    Some(())
}
