//! Command lines of interpreters: options up to the code or the script, and then what the code gets.

use crate::{
    shell::options::strip,
    value::{Arg, Value},
};

/// How an interpreter reads its command line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Syntax {
    /// Letters that are followed by code.
    pub(super) code: &'static str,
    /// Words that are followed by code, without dashes.
    pub(super) code_words: &'static [&'static str],
    /// Letters that are followed by another value.
    pub(super) values: &'static str,
    /// Words that are followed by another value.
    pub(super) value_words: &'static [&'static str],
    /// Letters that may have a value attached, and never take the next word.
    pub(super) attached: &'static str,
    /// Letters and words that name code to be loaded first.
    pub(super) preload: &'static [&'static str],
    /// Behind the code everything belongs to the code.
    pub(super) code_ends: bool,
    /// A single dash begins a word.
    pub(super) long_dash: bool,
}

/// A command line that was read.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The code, in the order in which it was given.
    pub(super) code: Vec<Arg>,
    /// What is loaded first.
    pub(super) preload: Vec<Arg>,
    /// The letters and words that were given, with their values.
    pub(super) options: Vec<(String, Option<Arg>)>,
    /// What follows: the script and its arguments, or the arguments of the code.
    pub(super) operands: Vec<Arg>,
}

impl Line {
    /// Whether one of these options was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The value of one of these options.
    pub(super) fn value(&self, names: &[&str]) -> Option<&Arg> {
        self.options.iter().rev().find(|(name, _)| names.contains(&name.as_str())).and_then(|(_, value)| value.as_ref())
    }

    /// All code as one text, a line each.
    pub(super) fn whole_code(&self) -> Option<Arg> {
        let mut parts = self.code.iter();
        let mut all = parts.next()?.clone();
        for part in parts {
            all.value.extend(Value::text("\n"));
            all.value.extend(part.value.clone());
            all.span = all.span.to(part.span);
        }
        Some(all)
    }
}

/// Reads a command line.
pub(super) fn read(args: &[Arg], syntax: &Syntax) -> Line {
    let mut line = Line::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.value.prefix();
        if arg.is("--") {
            break_off(&mut line, rest.as_slice());
            return line;
        }
        if !text.starts_with('-') || text.len() < 2 {
            line.operands.push(arg.clone());
            line.operands.extend(rest.as_slice().iter().cloned());
            return line;
        }
        let word = text.strip_prefix("--").or_else(|| if syntax.long_dash { text.strip_prefix('-') } else { None });
        match word {
            Some(word) => read_word(word, arg, &mut rest, syntax, &mut line),
            None => read_letters(arg, &mut rest, syntax, &mut line),
        }
        if syntax.code_ends && !line.code.is_empty() {
            break_off(&mut line, rest.as_slice());
            return line;
        }
    }
    line
}

fn break_off(line: &mut Line, rest: &[Arg]) {
    line.operands.extend(rest.iter().cloned());
}

fn read_word(word: &str, arg: &Arg, rest: &mut std::slice::Iter<'_, Arg>, syntax: &Syntax, line: &mut Line) {
    let (name, inline) = match word.split_once('=') {
        Some((name, _)) => {
            let skipped = arg.value.prefix().find('=').map_or(0, |at| at + 1);
            (name, Some(Arg { value: strip(&arg.value, skipped), span: arg.span }))
        }
        None => (word, None),
    };
    let lower = if syntax.long_dash { name.to_ascii_lowercase() } else { name.to_owned() };
    let name = lower.as_str();
    let takes =
        syntax.code_words.contains(&name) || syntax.value_words.contains(&name) || syntax.preload.contains(&name);
    let value = inline.or_else(|| if takes { rest.next().cloned() } else { None });
    keep(name, value, syntax.code_words.contains(&name), syntax, line);
}

fn read_letters(arg: &Arg, rest: &mut std::slice::Iter<'_, Arg>, syntax: &Syntax, line: &mut Line) {
    let text = arg.value.prefix();
    for (at, letter) in text.char_indices().skip(1) {
        let name = letter.to_string();
        let behind = Arg { value: strip(&arg.value, at + letter.len_utf8()), span: arg.span };
        if syntax.attached.contains(letter) {
            // The value, if there is one, is made of what cannot be letters of options.
            let value: String = behind.value.prefix().to_owned();
            let taken = attached_length(letter, &value);
            line.options.push((name, Some(Arg::text(value.get(..taken).unwrap_or_default(), arg.span))));
            if taken > 0 {
                let next = Arg { value: strip(&behind.value, taken), span: arg.span };
                if !next.value.is_empty() {
                    let dashed = Arg {
                        value: {
                            let mut dashed = Value::text("-");
                            dashed.extend(next.value);
                            dashed
                        },
                        span: arg.span,
                    };
                    read_letters(&dashed, rest, syntax, line);
                }
                return;
            }
            continue;
        }
        let is_code = syntax.code.contains(letter);
        if is_code || syntax.values.contains(letter) || syntax.preload.contains(&name.as_str()) {
            let value = if behind.value.is_empty() { rest.next().cloned() } else { Some(behind) };
            keep(&name, value, is_code, syntax, line);
            return;
        }
        line.options.push((name, None));
    }
}

/// How much of what is attached to a letter is its value: a number for most, a suffix for in-place editing.
fn attached_length(letter: char, text: &str) -> usize {
    match letter {
        'i' if text.starts_with('.') || text.starts_with('~') => text.len(),
        'i' => 0,
        'D' | 'C' | 'x' | 'T' | 'W' | 'K' => text.len(),
        _ => text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'x').count(),
    }
}

fn keep(name: &str, value: Option<Arg>, is_code: bool, syntax: &Syntax, line: &mut Line) {
    if let Some(value) = &value {
        if is_code {
            line.code.push(value.clone());
        } else if syntax.preload.contains(&name) {
            line.preload.push(value.clone());
        }
    }
    line.options.push((name.to_owned(), value));
}
