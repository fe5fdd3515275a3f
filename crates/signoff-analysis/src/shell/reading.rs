//! `read`, `mapfile` and how far an input has been read: several commands take from one input by turns.

use super::{
    call::Call,
    contents::{MAX_LENGTH, Variable},
    expand::SIGNS,
    machine::{Shell, State},
};
use crate::value::{Arg, Feed, Origin, Origins, Piece, Value};

/// It is not known how far an input has been read.
pub(super) const LOST: usize = usize::MAX;

/// Programs that take all of their input unless they are told otherwise.
const GREEDY: &[&str] = &[
    "cat", "sort", "head", "tail", "sed", "grep", "egrep", "awk", "gawk", "tee", "xargs", "sh", "bash", "zsh", "dash",
    "wc", "tr", "cut", "uniq", "python", "python3", "perl", "ruby", "node", "jq", "dd", "od", "xxd", "base64", "tac",
    "rev", "paste", "column", "less", "more",
];

impl State<'_> {
    /// How much of a descriptor has been read.
    pub(super) fn taken(&self, descriptor: u32) -> usize {
        self.taken.iter().find(|(number, _)| *number == descriptor).map_or(0, |(_, taken)| *taken)
    }

    /// A descriptor has been read so far.
    pub(super) fn set_taken(&mut self, descriptor: u32, taken: usize) {
        self.taken.retain(|(number, _)| *number != descriptor);
        if taken > 0 {
            self.taken.push((descriptor, taken));
        }
    }

    /// A descriptor may have been read as far as on another way through the text.
    pub(super) fn join_taken(&mut self, there: &[(u32, usize)]) {
        if self.taken == there {
            return;
        }
        let numbers: Vec<u32> = self.taken.iter().chain(there).map(|(number, _)| *number).collect();
        for number in numbers {
            let other = there.iter().find(|(there, _)| *there == number).map_or(0, |(_, taken)| *taken);
            if self.taken(number) != other {
                self.set_taken(number, LOST);
            }
        }
    }
}

/// After so many lines a callback runs that says nothing else.
const USUAL_QUANTUM: usize = 5000;

/// So many lines are handed to a callback.
const MAX_CALLS: usize = 32;

/// What the options of `read` and `mapfile` say.
#[derive(Default)]
struct Request {
    names: Vec<String>,
    array: Option<String>,
    /// The end of a record; none is the end of the text.
    delimiter: Option<char>,
    /// At most so many characters or lines.
    most: Option<usize>,
    /// Exactly so many characters, whatever they are.
    exact: bool,
    skip: usize,
    raw: bool,
    /// Whether the delimiters are cut off.
    trims: bool,
    descriptor: u32,
    callback: Option<Arg>,
    /// After so many lines the callback runs; one if that is not known.
    quantum: usize,
    /// Whether an option cannot be followed.
    lost: bool,
}

impl Request {
    fn new(call: &Call) -> Self {
        let reads = call.name == "read";
        let valued = if reads { "adinNptu" } else { "dnOsuCc" };
        let mut request = Self { delimiter: Some('\n'), quantum: USUAL_QUANTUM, ..Self::default() };
        let mut args = call.args.iter();
        let mut options = true;
        while let Some(arg) = args.next() {
            let text = arg.value.prefix();
            if !options || !arg.is_option() {
                options = false;
                match arg.known() {
                    // `read "name?prompt"`, as zsh has it.
                    Some(name) => {
                        request.names.push(name.split_once('?').map_or(name, |(name, _)| name).to_owned());
                    }
                    None => request.lost = true,
                }
                continue;
            }
            if arg.is("--") {
                options = false;
                continue;
            }
            for (at, letter) in text.char_indices().skip(1) {
                if !valued.contains(letter) {
                    request.raw |= reads && letter == 'r';
                    request.trims |= !reads && letter == 't';
                    request.lost |= reads && matches!(letter, 'A' | 'k' | 'q');
                    continue;
                }
                let attached = super::options::strip(&arg.value, at + letter.len_utf8());
                let value = if attached.is_empty() {
                    args.next().cloned()
                } else {
                    Some(Arg { value: attached, span: arg.span })
                };
                request.option(letter, value.unwrap_or_default(), reads);
                break;
            }
        }
        request
    }

    fn option(&mut self, letter: char, value: Arg, reads: bool) {
        let number = value.known().and_then(|text| text.trim().parse::<usize>().ok());
        match letter {
            'a' => match value.known() {
                Some(name) => self.array = Some(name.to_owned()),
                None => self.lost = true,
            },
            'd' => match value.known() {
                Some(text) => self.delimiter = text.chars().next(),
                None => self.lost = true,
            },
            'n' | 'N' => {
                self.most = number.filter(|number| *number > 0 || reads);
                self.exact = letter == 'N';
                self.lost |= number.is_none();
            }
            's' => {
                self.skip = number.unwrap_or(0);
                self.lost |= number.is_none();
            }
            'O' => self.lost |= number != Some(0),
            'u' => match number.and_then(|number| u32::try_from(number).ok()) {
                Some(number) => self.descriptor = number,
                None => self.lost = true,
            },
            'C' => self.callback = Some(value),
            'c' => self.quantum = number.unwrap_or(1).max(1),
            _ => {}
        }
    }
}

/// A character, and whether a backslash stood before it.
type Letter = (char, bool);

impl Shell<'_> {
    /// What is left of the input of the shell for a program that runs now.
    pub(super) fn rest_of_input(&mut self, program: Option<&str>, stdin: &Feed) -> Feed {
        let greedy = || program.is_some_and(|name| GREEDY.contains(&super::run::base_name(name)));
        if stdin.text.is_none() {
            // In a substitution the input is that of the shell around it.
            if self.captured && stdin.is_none() && greedy() {
                self.state.set_taken(0, LOST);
            }
            return stdin.clone();
        }
        let rest = self.rest_of(stdin, self.state.taken(0));
        if greedy() {
            self.state.set_taken(0, LOST);
        }
        rest
    }

    fn rest_of(&self, feed: &Feed, taken: usize) -> Feed {
        match (feed.known(), taken) {
            (_, 0) => feed.clone(),
            (Some(text), taken) if taken != LOST => Feed::of(Value::text(text.get(taken..).unwrap_or_default())),
            _ => {
                let mut origins = feed.origins.clone();
                origins.add(Origin::Input);
                Feed::from_all(origins)
            }
        }
    }

    /// Runs `body`, which reads its input from the beginning: what it was given is already the rest.
    pub(super) fn with_fresh_input<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.state.taken(0);
        self.state.set_taken(0, 0);
        let result = body(self);
        let inner = self.state.taken(0);
        let lost = outer == LOST || inner == LOST;
        self.state.set_taken(0, if lost { LOST } else { outer + inner });
        result
    }

    /// `mapfile -C code` runs the code with the index and the line behind it, which no shell takes apart again.
    fn call_back(&mut self, call: &Call, code: &Arg, input: &Feed, request: &Request) {
        let unknown = || Value::unknown("$line", self.origins_read(call, input, request));
        let read: Vec<(usize, Value)> = match input.known() {
            Some(text) if !request.lost => {
                let lines = lines(text, request).0.into_iter().enumerate();
                lines.filter(|(at, _)| (at + 1).is_multiple_of(request.quantum)).collect()
            }
            _ => vec![(0, unknown())],
        };
        for (at, line) in self.first_of(read, MAX_CALLS, call.span) {
            let mut whole = code.value.clone();
            whole.push(Piece::text(format!(" {at} ")));
            for piece in line.pieces() {
                whole.push(match piece {
                    Piece::Text(text) | Piece::Glob(text) => Piece::text(super::quote(text)),
                    piece @ Piece::Unknown(_) => piece.clone(),
                });
            }
            self.run_text(&Arg { value: whole, span: code.span }, self.dialect, Feed::none());
        }
    }

    pub(super) fn read_variables(&mut self, call: &Call) {
        let mut request = Request::new(call);
        let descriptor = request.descriptor;
        let input = match descriptor {
            0 => call.stdin.clone(),
            other => match self.state.stream(other).and_then(|stream| stream.input.clone()) {
                Some(feed) => self.rest_of(&feed, self.state.taken(other)),
                None => call.stdin.clone(),
            },
        };
        let reads = call.name == "read";
        if let Some(code) = request.callback.take() {
            self.call_back(call, &code, &input, &request);
        }
        // Every letter of it is looked at, however little is taken.
        self.step(input.known().map_or(0, str::len) / SIGNS);
        if !reads || request.array.is_some() {
            let usual = if reads { "REPLY" } else { "MAPFILE" };
            let name = request.array.clone().or(request.names.first().cloned()).unwrap_or_else(|| usual.to_owned());
            let variable = match input.known() {
                Some(text) if !request.lost && reads => {
                    let (record, length) = record(text, &request);
                    self.advance(descriptor, length);
                    Variable::list(all_fields(&record, self.separators()))
                }
                Some(text) if !request.lost => {
                    let (lines, length) = lines(text, &request);
                    self.advance(descriptor, length);
                    Variable::list(lines)
                }
                _ => {
                    self.advance(descriptor, LOST);
                    Variable::unknown_list(&name, self.origins_read(call, &input, &request))
                }
            };
            if let Variable::Array(elements) = &variable {
                self.step(elements.len());
            }
            let base = self.referred(&name).to_owned();
            self.state.variables.insert(base, Variable::Array(Vec::new()));
            return self.set_variable(&name, variable.bounded(&name), call.span);
        }
        if request.names.is_empty() {
            request.names.push("REPLY".to_owned());
        }
        match input.known() {
            Some(text) if !request.lost => {
                let (record, length) = record(text, &request);
                self.advance(descriptor, length);
                // Without a name the line stays as it is.
                let whole = call.args.iter().all(Arg::is_option) || request.exact;
                let separators = if whole { "" } else { self.separators() };
                for (name, value) in named_fields(&record, separators, &request.names) {
                    self.set_variable(name, Variable::text(value), call.span);
                }
            }
            _ => {
                self.advance(descriptor, LOST);
                let one = match (&input.text, request.names.as_slice()) {
                    (Some(value), [_]) if is_one_line(value) && !request.lost => {
                        Some(Feed::of(value.clone()).into_value("$REPLY"))
                    }
                    _ => None,
                };
                let origins = self.origins_read(call, &input, &request);
                for name in &request.names {
                    let value = one.clone().unwrap_or_else(|| Value::unknown(format!("${name}"), origins.clone()));
                    self.set_variable(name, Variable::text(value), call.span);
                }
            }
        }
    }

    /// Where the records that are read come from. A part of a line is no entry of a list, even if the line is one.
    fn origins_read(&self, call: &Call, input: &Feed, request: &Request) -> Origins {
        if input.is_none() {
            return Origin::Input.into();
        }
        let mut origins = input.clone().into_flow().without_text();
        let fields = request.names.len() > 1 || request.array.is_some();
        let in_fields = fields && self.separators().contains(|letter: char| !letter.is_whitespace());
        let by_lines = matches!(request.delimiter, None | Some('\n' | '\0')) || request.exact;
        let by_letters = call.name == "read" && request.most.is_some();
        if in_fields || !by_lines || by_letters {
            origins.blurred_by(Origin::Others);
        }
        origins
    }

    fn advance(&mut self, descriptor: u32, length: usize) {
        let before = self.state.taken(descriptor);
        let after = if before == LOST || length == LOST { LOST } else { before + length };
        self.state.set_taken(descriptor, after);
    }
}

/// Whether its known parts hold no end of a line, but at the end.
fn is_one_line(value: &Value) -> bool {
    let count = value.pieces().len();
    value.pieces().iter().enumerate().all(|(at, piece)| match piece {
        Piece::Text(text) if at + 1 == count => !text.trim_end_matches('\n').contains('\n'),
        Piece::Text(text) => !text.contains('\n'),
        Piece::Glob(_) | Piece::Unknown(_) => true,
    })
}

/// The next record of a text, and how many bytes it takes up.
fn record(text: &str, request: &Request) -> (Vec<Letter>, usize) {
    let mut letters = Vec::new();
    let mut walk = text.char_indices();
    while let Some((at, letter)) = walk.next() {
        if request.most == Some(letters.len()) {
            return (letters, at);
        }
        if letter == '\\' && !request.raw {
            match walk.next() {
                // The line goes on.
                Some((_, '\n')) | None => {}
                Some((_, escaped)) => letters.push((escaped, true)),
            }
        } else if Some(letter) == request.delimiter && !request.exact {
            return (letters, at + letter.len_utf8());
        } else {
            letters.push((letter, false));
        }
    }
    (letters, text.len())
}

/// The lines of a text, and how many bytes they take up.
fn lines(text: &str, request: &Request) -> (Vec<Value>, usize) {
    let mut lines = Vec::new();
    let mut rest = text;
    let mut skip = request.skip;
    while !rest.is_empty() && request.most.is_none_or(|most| lines.len() < most) {
        // More of them are not followed, and all of the text is taken.
        if lines.len() > MAX_LENGTH && request.most.is_none() {
            return (lines, text.len());
        }
        let found = request.delimiter.and_then(|delimiter| rest.find(delimiter).map(|at| (at, delimiter.len_utf8())));
        let (end, length) = found.unwrap_or((rest.len(), 0));
        let kept = if request.trims { end } else { end + length };
        if skip > 0 {
            skip -= 1;
        } else {
            lines.push(Value::text(rest.get(..kept).unwrap_or_default()));
        }
        rest = rest.get(end + length..).unwrap_or_default();
    }
    (lines, text.len() - rest.len())
}

/// The fields of a record for so many names: the last one gets what is left.
fn named_fields<'n>(record: &[Letter], separators: &str, names: &'n [String]) -> Vec<(&'n str, Value)> {
    let mut rest = trim(record, separators);
    let mut fields = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        let value = if at + 1 < names.len() {
            let (field, after) = next_field(rest, separators);
            rest = after;
            field
        } else {
            let (field, after) = next_field(rest, separators);
            if after.is_empty() { field } else { trim_end(rest, separators) }
        };
        fields.push((name.as_str(), text_of(value)));
    }
    fields
}

fn all_fields(record: &[Letter], separators: &str) -> Vec<Value> {
    let mut rest = trim(record, separators);
    let mut fields = Vec::new();
    // More of them are not followed.
    while !rest.is_empty() && fields.len() <= MAX_LENGTH {
        let (field, after) = next_field(rest, separators);
        fields.push(text_of(field));
        rest = after;
    }
    fields
}

fn text_of(letters: &[Letter]) -> Value {
    Value::text(letters.iter().map(|(letter, _)| letter).collect::<String>())
}

fn is_separator((letter, escaped): Letter, separators: &str) -> bool {
    !escaped && separators.contains(letter)
}

fn is_white(letter: Letter, separators: &str) -> bool {
    is_separator(letter, separators) && letter.0.is_ascii_whitespace()
}

/// The field at the beginning, and what comes behind its separator.
fn next_field<'r>(record: &'r [Letter], separators: &str) -> (&'r [Letter], &'r [Letter]) {
    let end = record.iter().position(|letter| is_separator(*letter, separators)).unwrap_or(record.len());
    let (field, behind) = record.split_at(end);
    let after = trim_start(behind, separators);
    let after = match after.split_first() {
        Some((first, rest)) if is_separator(*first, separators) => trim_start(rest, separators),
        _ => after,
    };
    (field, after)
}

fn trim_start<'r>(record: &'r [Letter], separators: &str) -> &'r [Letter] {
    let start = record.iter().position(|letter| !is_white(*letter, separators)).unwrap_or(record.len());
    record.get(start..).unwrap_or_default()
}

fn trim_end<'r>(record: &'r [Letter], separators: &str) -> &'r [Letter] {
    let end = record.iter().rposition(|letter| !is_white(*letter, separators)).map_or(0, |last| last + 1);
    record.get(..end).unwrap_or_default()
}

fn trim<'r>(record: &'r [Letter], separators: &str) -> &'r [Letter] {
    trim_end(trim_start(record, separators), separators)
}
