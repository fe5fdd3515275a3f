//! Modules of Ruby: methods, each up to the `end` that is indented as much and that the words before it ask for.

use super::{Stretch, words};

/// Every method goes with all classes before it; with more of them than that, the whole text counts.
const MAX_CLASSES: usize = 64;

/// Words that open a block where a statement or a value begins.
const OPENERS: &[&str] = &["if", "unless", "while", "until", "case", "for", "begin", "def", "class", "module"];

/// The methods of a module. None where a text over several lines may hold what looks like one, or where it is not clear
/// which word an `end` belongs to.
pub(super) fn stretches(module: &str) -> Option<Vec<Stretch<'_>>> {
    if ["<<", "=begin", "%q", "%Q", "%(", "%{", "__END__"].iter().any(|mark| module.contains(mark)) {
        return None;
    }
    let mut all = Vec::new();
    let (mut start, mut at) = (0, 0);
    // Whoever names a class may call its methods, or hand it to somebody who does.
    let mut classes: Vec<&str> = Vec::new();
    let mut open: Option<(Vec<&str>, usize, usize)> = None;
    for line in module.split_inclusive('\n') {
        let body = without_comment(line.trim());
        // A quote that goes on in the next line may hold anything.
        if body.matches('"').count() % 2 == 1 || body.matches('\'').count() % 2 == 1 || body.ends_with('\\') {
            return None;
        }
        let indent = line.len() - line.trim_start().len();
        match open.take() {
            Some(method) if body.is_empty() => open = Some(method),
            Some((names, outer, depth)) => {
                let depth = depth.checked_add_signed(change(body)?)?;
                match (depth, indent) {
                    (0, indent) if indent == outer => {
                        let alone = body == "end";
                        super::push(&mut all, module.get(start..at + line.len()), alone.then_some(names));
                        start = at + line.len();
                    }
                    (1.., indent) if indent > outer => open = Some((names, outer, depth)),
                    _ => return None,
                }
            }
            None => {
                classes.extend(super::name_after(body, &["class"]));
                if classes.len() > MAX_CLASSES {
                    return None;
                }
                if let Some(name) = super::name_after(body, &["def"])
                    && is_plain_head(body)
                {
                    super::push(&mut all, module.get(start..at), None);
                    start = at;
                    open = Some((std::iter::once(name).chain(classes.iter().copied()).collect(), indent, 1));
                }
            }
        }
        at += line.len();
    }
    super::push(&mut all, module.get(start..), None);
    Some(all)
}

/// A line without the comment at its end, if it is certain that it is one.
fn without_comment(body: &str) -> &str {
    match body.split_once('#') {
        Some((before, _)) if before.is_empty() || before.ends_with([' ', '\t']) && !before.contains(QUOTES) => {
            before.trim_end()
        }
        _ => body,
    }
}

/// Signs between which words may stand that are no words of the language.
const QUOTES: [char; 5] = ['"', '\'', '`', '/', '%'];

/// `def name(a, b)` and nothing else.
fn is_plain_head(body: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || "_ (),.*&?!:".contains(letter);
    body.chars().all(plain) && !words(body).any(|word| word == "end")
}

/// By how much a line changes how many blocks are open; none if that is not clear.
fn change(body: &str) -> Option<isize> {
    let quoted = body.contains(QUOTES);
    // A comment that could not be told from a text.
    if quoted && body.replace("#{", "").contains('#') || body.contains(';') {
        return None;
    }
    let mut change = 0;
    let mut loops = false;
    let mut end = 0;
    for word in words(body) {
        let at = body.get(end..)?.find(word)? + end;
        let before = body.get(..at)?;
        end = at + word.len();
        let member = before.ends_with(['.', ':', '@', '$']) || body.get(end..)?.starts_with([':', '?', '!', '=']);
        let begins = before.trim_end().is_empty();
        if member {
            continue;
        }
        match word {
            "end" if begins => change -= 1,
            "end" => return None,
            "do" => {
                let rest = body.get(end..)?.trim();
                let last = rest.is_empty() || rest.len() > 1 && rest.starts_with('|') && rest.ends_with('|');
                if !last {
                    return None;
                }
                change += isize::from(!loops);
            }
            word if OPENERS.contains(&word) => {
                let value = before.trim_end().ends_with(['=', '(', '[', ',', '{', '|', '&', '<', '+'])
                    || words(before).last().is_some_and(|word| {
                        matches!(word, "return" | "and" | "or" | "not" | "then" | "else" | "do" | "in" | "end")
                    }) && before.ends_with(' ');
                // Within a text it opens nothing.
                if value && quoted {
                    return None;
                }
                if begins || value {
                    change += 1;
                    loops |= matches!(word, "while" | "until" | "for");
                }
            }
            _ => {}
        }
    }
    Some(change)
}
