//! Reading a text several times: once for each element of a list that it loops over, and for each call of a function of
//! its own, so that what happens to one of them is judged by what that one is.
//!
//! Where that would be too often, the elements and calls that look like nothing special are taken together as one that is
//! not known; where even that is too often, all of them are.

use super::{
    LONGEST_SCRIPT,
    allowance::{self, Allowance},
    finish,
    held::Held,
    reader::{Frame, Reader},
    thing::{Args, Thing},
};
use crate::{
    findings::Findings,
    shell::{Language, Shell},
    value::{Feed, Origin, Piece, Value},
};
use signoff_model::Span;
use std::collections::{HashMap, HashSet};

/// A text is read so many times at least if it needs to be, and a short one so many times.
const FEW: usize = 2;
const MANY: usize = 64;
/// All readings of a short text together.
const ALL: usize = 4 * MANY;
/// All readings of any other text have this many bytes together: no text takes longer than they do.
const BYTES: usize = 2 * LONGEST_SCRIPT;
/// So many tokens are looked at to find out how far loops and functions reach; then all of them reach to the end.
const WORK: usize = 1 << 20;
/// So many loops and functions are told apart, and so many calls of a function.
const MOST: usize = 256;

/// A loop over a list that is known, or a function.
#[derive(Clone, Debug)]
struct Repeated {
    what: What,
    /// The name of the function.
    function: Option<String>,
    /// Whether this reading takes nothing for the parameters, since no call is known yet.
    unbound: bool,
    /// The list has this many elements, or the function is called in so many ways.
    size: usize,
    /// So many are left if those that look like nothing special are taken together.
    few: usize,
    /// Behind this token it ends.
    end: usize,
    /// Whether what it sets is used behind its end: asked only where there is more than one way to take it.
    escapes: Option<bool>,
    taken: Taken,
}

/// How the elements are taken; a number says with how many readings the next one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Each(usize),
    Few(usize),
    Together,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    /// By where it stands, and the length of the text that it stands in.
    Loop { at: usize, tokens: usize },
    /// By the place of its parameters.
    Function { at: usize, tokens: usize },
    /// One of two values that a condition decides between, by where it stands.
    Choice { at: usize, tokens: usize },
    /// A variable that may hold one thing or another, by its number.
    Variable(usize),
}

impl Repeated {
    /// Whether it may be around what stands there.
    fn encloses(&self, (at, tokens): (usize, usize)) -> bool {
        let Some((from, length)) = self.what.place() else { return true };
        // What stands in a text within the text is within whatever stands around that.
        length != tokens || from < at && at < self.end
    }

    /// Looks whether what it sets is used behind its end, as soon as that matters.
    fn ask(&mut self, frame: &Frame, work: &mut usize) {
        if let What::Loop { at, .. } | What::Function { at, .. } = self.what
            && self.escapes.is_none()
            && self.size.max(self.few) > 1
        {
            self.escapes = Some(frame.escapes(at, self.end, work));
        }
    }

    /// How many readings it makes by itself.
    fn count(&self) -> usize {
        match self.taken {
            Taken::Each(_) => self.size,
            Taken::Few(_) => self.few,
            Taken::Together => 1,
        }
    }
}

impl What {
    /// Where it stands, and the length of the text; none for what may be anywhere.
    fn place(self) -> Option<(usize, usize)> {
        match self {
            Self::Loop { at, tokens } | Self::Function { at, tokens } | Self::Choice { at, tokens } => {
                Some((at, tokens))
            }
            Self::Variable(_) => None,
        }
    }
}

/// A call of a function of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Call {
    /// With these arguments.
    With(Args),
    /// With anything that looks like nothing special.
    Unknown,
    /// With anything at all.
    Anything,
}

impl Call {
    /// Whether nothing is known of what it gives.
    fn is_blank(&self) -> bool {
        match self {
            Self::With(args) => args.all().all(|thing| *thing == Thing::unknown()),
            Self::Unknown | Self::Anything => true,
        }
    }

    fn is_conspicuous(&self) -> bool {
        matches!(self, Self::With(args) if args.items.is_empty() || args.all().any(is_conspicuous))
    }
}

/// An element of a list that is looped over.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Element {
    /// This one.
    One(Thing),
    /// Any of those that look like nothing special.
    Plain,
    /// Any of all.
    Any,
}

/// Which of the values of a variable a reading takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taking {
    /// What it holds if everything runs in the order of the text.
    First,
    /// The one with this number.
    Number(usize),
    /// Any of those that look like nothing special.
    Plain,
    /// Any of all.
    Any,
}

/// What a text is read several times for, and which of the readings this is.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings {
    all: Vec<Repeated>,
    /// Where each of them stands in that list.
    places: HashMap<What, usize>,
    /// What the functions of the text are called with, call by call.
    calls: HashMap<String, Vec<Call>>,
    /// Where the functions with parameters are among those that are told apart.
    functions: HashMap<String, usize>,
    /// Calls within functions of which no call was known then, by these functions: what they give may be known later on.
    provisional: Vec<(Vec<String>, String, Call)>,
    /// The functions whose parameters stand for something if nothing is given.
    defaults: HashSet<String>,
    /// Which texts name something secret, as far as that was asked.
    pub(super) secrets: HashMap<String, bool>,
    /// What the variables may hold.
    pub(super) held: Held,
    choice: usize,
    most: usize,
    /// So many combinations would be tried of any text of this length, if a reading of it took no more than usual.
    usual: usize,
    /// So many tokens may still be looked at to find out how far loops and functions reach.
    work: usize,
    /// Calls were left out, since there would be too many readings.
    left_out: bool,
    /// A function changes a list or a record that it was given.
    pub(super) changes_given: bool,
    /// Whether this reading is the one for whatever was left out: it takes nothing for known.
    rest: bool,
    /// The tokens of the text, and whether something is odd about them.
    pub(super) whole: Option<(Frame, bool)>,
    /// The steps that the last reading took.
    steps: usize,
}

impl Readings {
    fn of(text: &str) -> Self {
        let usual = (BYTES / text.len().max(1)).clamp(FEW, MANY);
        Self { most: usual, usual, work: WORK, ..Self::default() }
    }

    /// Remembers what a function is called with. What it calls itself with is kept in a form that does not change from
    /// one call to the next, since it would never come to an end.
    pub(super) fn remember(&mut self, function: &str, args: &Args, frame: &Frame) {
        let here = (frame.at, frame.tokens.len());
        let own = self.functions.get(function).and_then(|index| self.all.get(*index));
        let within = own.is_some_and(|own| own.encloses(here));
        let call = Call::With(if within { widened(args) } else { args.clone() });
        let around = self.all.iter().filter(|repeated| repeated.unbound && repeated.encloses(here));
        let around: Vec<String> = around.filter_map(|repeated| repeated.function.clone()).collect();
        if around.is_empty() {
            return self.keep(function, call);
        }
        let provisional = (around, function.to_owned(), call);
        if self.provisional.contains(&provisional) {
            return;
        }
        if self.provisional.len() < MOST {
            self.provisional.push(provisional);
        } else {
            self.left_out = true;
        }
    }

    /// Behind a round of readings: a call within a function that nobody calls may give anything; one within a function
    /// that is called is met again.
    fn settle(&mut self) {
        for (around, function, call) in std::mem::take(&mut self.provisional) {
            if !around.iter().any(|function| self.calls.contains_key(function)) {
                self.keep(&function, call);
            }
        }
    }

    /// Remembers that a function may be called by somebody who got its name.
    pub(super) fn loosen(&mut self, function: &str) {
        self.keep(function, Call::Unknown);
    }

    fn keep(&mut self, function: &str, call: Call) {
        if !self.calls.contains_key(function) && self.calls.len() >= MOST {
            self.left_out = true;
            return;
        }
        let calls = self.calls.entry(function.to_owned()).or_default();
        if calls.contains(&call) {
            return;
        }
        if calls.len() < MOST {
            calls.push(call);
        } else {
            self.left_out = true;
        }
    }

    /// Remembers that a function is not the same without arguments as with unknown ones.
    pub(super) fn has_defaults(&mut self, function: &str) {
        if !self.defaults.contains(function) {
            self.defaults.insert(function.to_owned());
        }
    }

    /// What this reading takes for the parameters of a function that stand at the current position; none while nothing
    /// is known of its calls.
    pub(super) fn call_of(&mut self, function: &str, frame: &Frame) -> Option<Call> {
        let calls = self.calls.get(function).map_or(&[][..], Vec::as_slice);
        let special = calls.iter().filter(|call| call.is_conspicuous()).count();
        let (size, few) = (calls.len(), special + usize::from(special < calls.len()));
        let what = What::Function { at: frame.at, tokens: frame.tokens.len() };
        let taken = self.taken(what, size.max(1), few.max(1), frame);
        if let Some(at) = self.places.get(&what).copied() {
            self.functions.insert(function.to_owned(), at);
            if let Some(repeated) = self.all.get_mut(at) {
                repeated.function = Some(function.to_owned());
                repeated.unbound = size == 0;
            }
        }
        if size == 0 {
            return None;
        }
        Some(match taken {
            _ if self.rest => Call::Anything,
            Taken::Each(stride) => self.calls.get(function)?.get(self.choice / stride % size)?.clone(),
            Taken::Few(stride) => {
                let mut special = self.calls.get(function)?.iter().filter(|call| call.is_conspicuous());
                special.nth(self.choice / stride % few).cloned().unwrap_or(Call::Unknown)
            }
            Taken::Together => Call::Anything,
        })
    }

    /// The element of a list that this reading takes. Those that are special stand among the others.
    pub(super) fn element_of(&mut self, things: &[Thing], special: &[&Thing], frame: &Frame) -> Element {
        let what = What::Loop { at: frame.at, tokens: frame.tokens.len() };
        self.one_of(what, things, special, frame)
    }

    fn one_of(&mut self, what: What, things: &[Thing], special: &[&Thing], frame: &Frame) -> Element {
        let (size, few) = (things.len(), special.len() + usize::from(special.len() < things.len()));
        match self.taken(what, size, few, frame) {
            _ if self.rest => Element::Any,
            Taken::Each(stride) => {
                things.get(self.choice / stride % size.max(1)).cloned().map_or(Element::Any, Element::One)
            }
            Taken::Few(stride) => {
                let one = special.get(self.choice / stride % few.max(1));
                one.map_or(Element::Plain, |thing| Element::One((*thing).clone()))
            }
            Taken::Together => Element::Any,
        }
    }

    /// One of two values, as this reading takes it.
    pub(super) fn choice_of(&mut self, two: &[Thing], special: &[&Thing], frame: &Frame) -> Element {
        let what = What::Choice { at: frame.at, tokens: frame.tokens.len() };
        self.one_of(what, two, special, frame)
    }

    /// Which value this reading takes for a variable.
    pub(super) fn value_of(&mut self, variable: usize, frame: &Frame) -> Taking {
        let (count, special) = self.held.counts(variable);
        let (size, few) = (1 + count, 1 + special.len() + usize::from(special.len() < count));
        let pick = |number: usize| number.checked_sub(1);
        match self.taken(What::Variable(variable), size, few, frame) {
            _ if self.rest => Taking::Any,
            Taken::Each(stride) => pick(self.choice / stride % size).map_or(Taking::First, Taking::Number),
            Taken::Few(stride) => match pick(self.choice / stride % few) {
                None => Taking::First,
                Some(at) => special.get(at).map_or(Taking::Plain, |number| Taking::Number(*number)),
            },
            Taken::Together => Taking::Any,
        }
    }

    fn taken(&mut self, what: What, size: usize, few: usize, frame: &Frame) -> Taken {
        let known = self.places.get(&what).and_then(|at| self.all.get_mut(*at));
        if let Some(repeated) = known {
            repeated.size = repeated.size.max(size);
            repeated.few = repeated.few.max(few);
            repeated.ask(frame, &mut self.work);
            return repeated.taken;
        }
        if self.all.len() >= MOST {
            return if size == 1 { Taken::Each(1) } else { Taken::Together };
        }
        let end = match (what, self.work.checked_sub(frame.tokens.len())) {
            (What::Loop { at, .. }, Some(_)) => frame.end_of_loop(at),
            (What::Function { at, .. }, Some(_)) => frame.end_of_function(at),
            _ => frame.tokens.len(),
        };
        if let What::Loop { at, .. } | What::Function { at, .. } = what {
            self.work = self.work.saturating_sub(end.saturating_sub(at));
        }
        // All take their first element until it is known how many there are.
        let taken = Taken::Each(1);
        self.places.insert(what, self.all.len());
        let mut repeated = Repeated { what, function: None, unbound: false, size, few, end, escapes: None, taken };
        repeated.ask(frame, &mut self.work);
        self.all.push(repeated);
        taken
    }

    /// Says with how many readings each of them changes, and how many readings that makes. Every combination is read if
    /// there are not too many; otherwise every combination of those that have to do with one another: that stand within
    /// one another, or use what the other one has set.
    fn arrange(&mut self) -> usize {
        let all: usize = self.all.iter().fold(1, |product, repeated| product.saturating_mul(repeated.size));
        let every = all <= self.most;
        let mut arranged: Vec<Repeated> = Vec::with_capacity(self.all.len());
        let mut readings = 1;
        for mut repeated in std::mem::take(&mut self.all) {
            let place = repeated.what.place();
            let related = |other: &Repeated| match place {
                Some(place) => other.escapes != Some(false) || other.encloses(place),
                None => true,
            };
            let before = arranged.iter().filter(|other| every || related(other));
            let stride = before.fold(1, |product: usize, other| product.saturating_mul(other.count()));
            let fits = |count: usize| stride.saturating_mul(count) <= self.most;
            let counts = matches!(repeated.what, What::Variable(number) if self.held.only_counts(number));
            repeated.taken = match () {
                // What names nothing gets no readings that are needed for something else.
                () if counts && !every => Taken::Together,
                () if fits(repeated.size) => Taken::Each(stride),
                () if fits(repeated.few) => Taken::Few(stride),
                () => Taken::Together,
            };
            // What only the work is too much for was not looked at one by one, so it may be anything.
            if repeated.taken == Taken::Together && !counts && stride.saturating_mul(repeated.few) <= self.usual {
                self.left_out |= self.most < self.usual;
            }
            if repeated.taken != Taken::Together {
                readings = readings.max(stride.saturating_mul(repeated.count()));
            }
            arranged.push(repeated);
        }
        self.all = arranged;
        readings
    }

    /// Takes the variables that may hold several things among those that the text is read for.
    fn tell_variables(&mut self) {
        for variable in self.held.settle() {
            let what = What::Variable(variable);
            let (count, _) = self.held.counts(variable);
            if self.places.contains_key(&what) || self.all.len() >= MOST {
                continue;
            }
            let (size, few, taken) = (1 + count, 1 + count, Taken::Each(1));
            self.places.insert(what, self.all.len());
            let (function, escapes) = (None, None);
            self.all.push(Repeated { what, function, unbound: false, size, few, end: 0, escapes, taken });
        }
    }

    /// How much there is to be read; a reading may come to more.
    fn sizes(&self) -> usize {
        let sizes = self.all.iter().map(|repeated| repeated.size + repeated.few);
        sizes.sum::<usize>() + self.calls.values().map(Vec::len).sum::<usize>() + self.held.size()
    }

    /// Whether one reading is enough: nothing is looped over, and no function gets anything that is known.
    fn is_plain(&self) -> bool {
        let blank = |(function, calls): (&String, &Vec<Call>)| {
            calls.iter().all(Call::is_blank) && !self.defaults.contains(function)
        };
        let within =
            |(_, function, call): &(Vec<String>, String, Call)| call.is_blank() && !self.defaults.contains(function);
        self.all.iter().all(|repeated| repeated.size == 1)
            && self.calls.iter().all(blank)
            && self.provisional.iter().all(within)
            && !self.left_out
            && !self.held.is_blurred()
    }
}

/// Arguments of a call of a function in the function itself, which may be those of any call that follows from it.
fn widened(args: &Args) -> Args {
    let wide = |thing: &Thing| match thing {
        Thing::Text(value) => Thing::Text(wide_value(value)),
        Thing::Path(value) => Thing::Path(wide_value(value)),
        Thing::Number(_) | Thing::Truth(_) => Thing::unknown(),
        Thing::List(_) | Thing::Record(_) => Thing::result("", thing.origins()),
        Thing::Result { origins, .. } => Thing::result("", origins.clone()),
        Thing::Name(_) | Thing::Many(_) | Thing::File(_) => thing.clone(),
    };
    Args {
        items: args.items.iter().map(wide).collect(),
        named: args.named.iter().map(|(name, thing)| (name.clone(), wide(thing))).collect(),
    }
}

/// A value up to its first part that is not known, and that part for all that follows.
fn wide_value(value: &Value) -> Value {
    let mut all = Value::default();
    let mut pieces = value.pieces().iter();
    for piece in pieces.by_ref() {
        if let Piece::Unknown(unknown) = piece {
            let mut origins = unknown.origins.clone();
            let climbs = |piece: &Piece| matches!(piece, Piece::Text(text) | Piece::Glob(text) if text.contains(".."));
            if pieces.any(climbs) && !origins.contains(&Origin::Astray) {
                origins.add(Origin::Astray);
            }
            all.extend(Value::unknown("…", origins));
            return all;
        }
        all.push(piece.clone());
    }
    all
}

/// Whether it is more than a plain name or path, and may mean something else together with what stands around it: a way
/// up or out, an option, words and signs of a shell.
pub(super) fn is_conspicuous(thing: &Thing) -> bool {
    match thing {
        Thing::Number(_) | Thing::Truth(_) => false,
        Thing::List(things) => things.iter().any(is_conspicuous),
        Thing::Record(fields) => fields.iter().any(|(_, thing)| is_conspicuous(thing)),
        thing => thing.known().is_none_or(|text| !is_plain_name(text)),
    }
}

fn is_plain_name(text: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/');
    let whole = |part: &str| !part.is_empty() && !part.starts_with(['.', '-']) && !part.ends_with('.');
    text.chars().all(letter) && text.split('/').all(whole) && !text.contains("..")
}

/// Reads a text as often as it needs to be. Whatever one of the readings leaves behind may be there afterwards.
pub(super) fn read(shell: &mut Shell<'_>, language: Language, text: &str, span: Span, stdin: &Feed) -> Feed {
    let before = std::mem::take(&mut shell.findings);
    let state = shell.state.clone();
    let mut readings = Readings::of(text);
    let mut feed = read_once(shell, language, text, span, stdin, &mut readings);
    let mut found = std::mem::take(&mut shell.findings);
    let first = readings.steps;
    shell.spend(allowance::fuel(first));
    readings.tell_variables();
    if !readings.is_plain() {
        let mut allowance = Allowance::new(text.len(), first, shell.rereading);
        readings.most = readings.most.min(allowance.combinations().max(FEW));
        let mut left = (BYTES / text.len().max(1)).clamp(readings.most + FEW, ALL);
        let mut known = usize::MAX;
        // A reading may come to calls and loops that those before it did not come to.
        readings.settle();
        'rounds: while known != readings.sizes() {
            known = readings.sizes();
            let count = readings.arrange();
            if count > left || !allowance.take(count) || readings.all.len() >= MOST {
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
                shell.rereading = shell.rereading.saturating_sub(readings.steps);
                if !allowance.pay(readings.steps) {
                    readings.left_out = true;
                    break 'rounds;
                }
                merged = Some(shell.state.clone());
            }
            readings.settle();
        }
        if readings.left_out {
            let merged = std::mem::replace(&mut shell.state, state);
            readings.rest = true;
            feed = read_once(shell, language, text, span, stdin, &mut readings);
            shell.spend(allowance::fuel(readings.steps));
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
    let fuel = shell.fuel();
    let mut reader = Reader::new(shell, language, span, stdin);
    reader.readings = std::mem::take(readings);
    reader.run(text);
    *readings = std::mem::take(&mut reader.readings);
    readings.steps = allowance::steps(reader.taken, fuel.saturating_sub(reader.shell.fuel()));
    finish(&mut reader, text)
}
