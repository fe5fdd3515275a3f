//! Reading a text several times: once for each element of a list that it loops over, and for each call of a function of
//! its own, so that what happens to one of them is judged by what that one is.

use super::{
    finish,
    lexer::Token,
    reader::{Frame, Reader},
    thing::{Args, Thing},
};
use crate::{
    findings::Findings,
    shell::{Language, Shell},
    value::{Feed, Origin},
};
use signoff_model::Span;
use std::collections::HashMap;

/// A text is read so many times at least if it needs to be, and a short one so many times.
const FEW: usize = 6;
const MANY: usize = 64;
/// All readings of a text that is longer than that have this many bytes together.
const BYTES: usize = 128 * 1024;
/// So many loops and functions are told apart.
const MOST: usize = 256;

/// A loop over a list that is known, or a function that is called with something that is known.
#[derive(Clone, Debug)]
struct Repeated {
    what: What,
    /// The list has this many elements, or the function is called in so many ways.
    size: usize,
    /// Behind this token it ends.
    end: usize,
    /// With how many readings the next element is taken; none if there would be too many readings.
    stride: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// By where it stands, and the length of the text that it stands in.
    Loop { at: usize, tokens: usize },
    /// By the place of its parameters.
    Function { at: usize, tokens: usize },
}

impl Repeated {
    /// Whether it may be around what stands there.
    fn encloses(&self, (at, tokens): (usize, usize)) -> bool {
        let (from, length) = self.what.place();
        // What stands in a text within the text is within whatever stands around that.
        length != tokens || from < at && at < self.end
    }
}

impl What {
    fn place(self) -> (usize, usize) {
        match self {
            Self::Loop { at, tokens } | Self::Function { at, tokens } => (at, tokens),
        }
    }
}

/// What a text is read several times for, and which of the readings this is.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings {
    all: Vec<Repeated>,
    /// What the functions of the text are called with, call by call.
    calls: HashMap<String, Vec<Args>>,
    /// Where the functions with parameters are among those that are told apart.
    functions: HashMap<String, usize>,
    choice: usize,
    most: usize,
    /// Calls were left out, since there would be too many readings.
    left_out: bool,
    /// Whether this reading is the one for whatever was left out: it takes nothing for known.
    rest: bool,
}

impl Readings {
    fn of(text: &str) -> Self {
        Self { most: (BYTES / text.len().max(1)).clamp(FEW, MANY), ..Self::default() }
    }

    /// Remembers what a function is called with. What it calls itself with would never come to an end.
    pub(super) fn remember(&mut self, function: &str, args: &Args, frame: &Frame) {
        let here = (frame.at, frame.tokens.len());
        let own = self.functions.get(function).and_then(|index| self.all.get(*index));
        if self.calls.contains_key(function) && own.is_some_and(|own| own.encloses(here)) {
            return;
        }
        let calls = self.calls.entry(function.to_owned()).or_default();
        if calls.contains(args) {
            return;
        }
        if calls.len() < self.most {
            calls.push(args.clone());
        } else {
            self.left_out = true;
        }
    }

    /// What this reading takes for the parameters of a function that stand at the current position.
    pub(super) fn call_of(&mut self, function: &str, frame: &Frame) -> Option<Args> {
        let count = self.calls.get(function).map_or(0, Vec::len);
        let what = What::Function { at: frame.at, tokens: frame.tokens.len() };
        let index = self.index_of(what, count.max(1), frame).filter(|_| !self.rest);
        if let Some(at) = self.all.iter().position(|repeated| repeated.what == what) {
            self.functions.insert(function.to_owned(), at);
        }
        let Some(index) = index else { return Some(anything()) };
        self.calls.get(function)?.get(index).cloned()
    }

    /// The element of a list that this reading takes; none if it is not known, or there would be too many readings.
    pub(super) fn element_of(&mut self, things: &[Thing], frame: &Frame) -> Option<Thing> {
        if self.rest || things.len() < 2 || !things.iter().all(|thing| matches!(thing, Thing::Text(_))) {
            return None;
        }
        if things.len() > self.most {
            return None;
        }
        let place = What::Loop { at: frame.at, tokens: frame.tokens.len() };
        things.get(self.index_of(place, things.len(), frame)?).cloned()
    }

    fn index_of(&mut self, what: What, size: usize, frame: &Frame) -> Option<usize> {
        let known = self.all.iter_mut().find(|repeated| repeated.what == what);
        if let Some(repeated) = known {
            repeated.size = repeated.size.max(size);
            return Some(self.choice / repeated.stride? % size);
        }
        if self.all.len() >= MOST {
            return Some(0).filter(|_| size == 1);
        }
        let end = frame.end_of(what.place().0);
        self.all.push(Repeated { what, size, end, stride: Some(1) });
        // All take their first element until it is known how many there are.
        Some(0)
    }

    /// Says with how many readings each of them changes, and how many readings that makes. Every combination is read if
    /// there are not too many; otherwise every combination of those that stand within one another.
    fn arrange(&mut self) -> usize {
        let all: usize = self.all.iter().fold(1, |product, repeated| product.saturating_mul(repeated.size));
        let every = all <= self.most;
        let mut arranged: Vec<Repeated> = Vec::with_capacity(self.all.len());
        let mut readings = 1;
        for mut repeated in std::mem::take(&mut self.all) {
            let place = repeated.what.place();
            let before = arranged.iter().filter(|other| other.stride.is_some() && (every || other.encloses(place)));
            let stride = before.fold(1, |product: usize, other| product.saturating_mul(other.size));
            let needed = stride.saturating_mul(repeated.size);
            repeated.stride = Some(stride).filter(|_| needed <= self.most);
            if repeated.stride.is_some() {
                readings = readings.max(needed);
            }
            arranged.push(repeated);
        }
        self.all = arranged;
        readings
    }

    /// How much there is to be read; a reading may come to more.
    fn sizes(&self) -> usize {
        self.all.iter().map(|repeated| repeated.size).sum::<usize>() + self.calls.values().map(Vec::len).sum::<usize>()
    }

    fn is_plain(&self) -> bool {
        self.all.iter().all(|repeated| repeated.size == 1) && self.calls.is_empty() && !self.left_out
    }
}

impl Frame {
    /// Where a loop or function ends whose head stands at a position. It may say that it ends later.
    fn end_of(&self, from: usize) -> usize {
        let whole = self.tokens.len();
        if let Some(lines) = &self.lines {
            let behind = lines.partition_point(|(at, _)| *at <= from);
            let own = behind.checked_sub(1).and_then(|index| lines.get(index)).map_or(0, |(_, indent)| *indent);
            let rest = lines.get(behind..).unwrap_or_default();
            return rest.iter().find(|(_, indent)| *indent <= own).map_or(whole, |(at, _)| *at);
        }
        let (mut depth, mut head) = (0_usize, true);
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close('}') if depth <= 1 => return at,
                Token::Close(_) if depth > 0 => depth -= 1,
                Token::Close(')') if head => head = false,
                Token::Close(_) => return at,
                _ => {}
            }
        }
        whole
    }
}

/// What a function is called with if nothing is known of it.
fn anything() -> Args {
    Args { items: vec![Thing::result("", vec![Origin::Astray]); 16], named: Vec::new() }
}

/// Whether a text may lead out of a directory that stands before it.
pub(super) fn leads_astray(thing: &Thing) -> bool {
    thing.known().is_none_or(|text| text.contains("..") || text.starts_with(['/', '~']))
}

/// Reads a text as often as it needs to be. Whatever one of the readings leaves behind may be there afterwards.
pub(super) fn read(shell: &mut Shell<'_>, language: Language, text: &str, span: Span, stdin: &Feed) -> Feed {
    let before = std::mem::take(&mut shell.findings);
    let state = shell.state.clone();
    let mut readings = Readings::of(text);
    let mut feed = read_once(shell, language, text, span, stdin, &mut readings);
    let mut found = Findings::default();
    if readings.is_plain() {
        found = std::mem::take(&mut shell.findings);
    } else {
        let mut left = readings.most + FEW;
        let mut known = usize::MAX;
        // A reading may come to calls and loops that those before it did not come to.
        while known != readings.sizes() {
            known = readings.sizes();
            let count = readings.arrange();
            if count > left {
                readings.left_out = true;
                break;
            }
            left -= count;
            shell.findings = Findings::default();
            found = Findings::default();
            let mut merged = None;
            for choice in 0..count {
                shell.state = state.clone();
                readings.choice = choice;
                feed = read_once(shell, language, text, span, stdin, &mut readings);
                found.append(std::mem::take(&mut shell.findings));
                if let Some(merged) = merged.take() {
                    shell.merge(merged);
                }
                merged = Some(shell.state.clone());
            }
        }
        if readings.left_out {
            let merged = std::mem::replace(&mut shell.state, state);
            readings.rest = true;
            feed = read_once(shell, language, text, span, stdin, &mut readings);
            found.append(std::mem::take(&mut shell.findings));
            shell.merge(merged);
        }
    }
    shell.findings = before;
    shell.findings.append(found);
    feed
}

fn read_once(
    shell: &mut Shell<'_>,
    language: Language,
    text: &str,
    span: Span,
    stdin: &Feed,
    readings: &mut Readings,
) -> Feed {
    let mut reader = Reader::new(shell, language, span, stdin);
    reader.readings = std::mem::take(readings);
    reader.run(text);
    *readings = std::mem::take(&mut reader.readings);
    finish(&mut reader, text)
}
