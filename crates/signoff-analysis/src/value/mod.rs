//! Values as far as they can be known from a text: what a word expands to, what flows through a pipe.
//!
//! A value that cannot be known is *unknown*, never empty; it remembers where it came from, so that a secret or a
//! download is still recognised when it arrives somewhere else.

mod origins;

use std::{borrow::Cow, ops::Deref, rc::Rc};

use compact_str::CompactString;
use signoff_model::{Span, Unread};
use smallvec::{SmallVec, smallvec};

pub use origins::{Origin, Origins};

/// A text that is put together from parts is followed up to this length; a longer one is unknown.
const MAX_TEXT: usize = 64 * 1024;
/// A feed may be one of this many texts; one with more is unknown.
const MAX_EITHER: usize = 4;
/// A value has at most this many parts; one with more is unknown.
const MAX_PIECES: usize = 64;

/// How what flows in is shown, which no part of the text writes.
pub const INFLOW: &str = "what flows in";

/// Something that cannot be known from the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// How the text writes it, such as `$DIR` or `$(…)`.
    pub shown: String,
    /// Where it comes from.
    pub origins: Origins,
    /// Whether the shell would split it into several words, or drop it when it is empty.
    pub splits: bool,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Known text.
    Text(CompactString),
    /// A glob pattern that is alive: `*`, `?`, `[a-z]`, an extended glob.
    Glob(CompactString),
    /// Something that cannot be known.
    Unknown(Rc<Unknown>),
}

impl Piece {
    /// Known text.
    pub fn text(text: impl Into<CompactString>) -> Self {
        Self::Text(text.into())
    }

    /// A pattern that is alive.
    pub fn glob(pattern: impl Into<CompactString>) -> Self {
        Self::Glob(pattern.into())
    }

    /// The part as a person would write it.
    fn shown(&self) -> &str {
        match self {
            Self::Text(text) | Self::Glob(text) => text,
            Self::Unknown(unknown) => &unknown.shown,
        }
    }
}

impl From<Unknown> for Piece {
    fn from(unknown: Unknown) -> Self {
        Self::Unknown(Rc::new(unknown))
    }
}

/// Holding one piece more costs as much as so many bytes.
const PIECE: usize = 16;

/// What a word expands to, as far as it can be known.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Most values have one part, and that one is short.
    pieces: SmallVec<[Piece; 1]>,
}

impl Clone for Value {
    fn clone(&self) -> Self {
        // Nearly every value has one part.
        match self.pieces.as_slice() {
            [only] => Self { pieces: smallvec![only.clone()] },
            all => Self { pieces: all.iter().cloned().collect() },
        }
    }
}

impl Value {
    /// A value that is fully known.
    pub fn text(text: impl Into<CompactString>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::default() } else { Self { pieces: smallvec![Piece::Text(text)] } }
    }

    /// A value of which nothing is known.
    pub fn unknown(shown: impl Into<String>, origins: impl Into<Origins>) -> Self {
        Self { pieces: smallvec![Piece::from(Unknown { shown: shown.into(), origins: origins.into(), splits: false })] }
    }

    /// What stays unread where this is code.
    pub fn unread(&self) -> Unread {
        let shown = self.shown();
        if shown == INFLOW { Unread::Inflow } else { shown.into() }
    }

    /// The parts in order; adjacent texts are one part.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Adds a part at the end. A text that grows beyond all use becomes unknown.
    pub fn push(&mut self, piece: Piece) {
        match (self.pieces.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) if last.len() + text.len() > MAX_TEXT => self.give_up(),
            (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
            (_, piece) => {
                self.pieces.push(piece);
                if self.pieces.len() > MAX_PIECES {
                    self.give_up();
                }
            }
        }
    }

    /// Adds text at the end.
    pub fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) if last.len() + text.len() <= MAX_TEXT => last.push_str(text),
            _ => self.push(Piece::text(text)),
        }
    }

    fn give_up(&mut self) {
        let mut origins: Origins = self.origins().cloned().collect();
        if self.has_words() {
            origins.blurred_by(Origin::Others);
        }
        *self = Self::unknown("…", origins);
    }

    /// Adds another value at the end.
    pub fn extend(&mut self, other: Self) {
        if self.pieces.is_empty() {
            *self = other;
            return;
        }
        for piece in other.pieces {
            self.push(piece);
        }
    }

    /// Adds a copy of another value at the end.
    pub fn extend_from(&mut self, other: &Self) {
        match other.pieces.as_slice() {
            _ if self.pieces.is_empty() => *self = other.clone(),
            [Piece::Text(text)] => self.push_text(text),
            pieces => pieces.iter().for_each(|piece| self.push(piece.clone())),
        }
    }

    /// How much there is of it, in bytes. Many short pieces are as dear as long ones.
    pub fn size(&self) -> usize {
        self.pieces.iter().map(|piece| piece.shown().len()).sum::<usize>() + PIECE * self.pieces.len().saturating_sub(1)
    }

    /// Whether it is known to be empty.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text, if the value is fully known and holds no live pattern.
    pub fn known(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with patterns as they are written, if nothing in it is unknown.
    pub fn known_with_globs(&self) -> Option<Cow<'_, str>> {
        if let Some(text) = self.known() {
            return Some(Cow::Borrowed(text));
        }
        let mut all = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) | Piece::Glob(text) => all.push_str(text),
                Piece::Unknown(_) => return None,
            }
        }
        Some(Cow::Owned(all))
    }

    /// The value as a program gets it where no file is called like the patterns in it.
    pub fn unmatched(&self) -> Cow<'_, Self> {
        if !self.has_glob() {
            return Cow::Borrowed(self);
        }
        let mut all = Self::default();
        for piece in &self.pieces {
            match piece {
                Piece::Glob(pattern) => all.push_text(pattern),
                other => all.push(other.clone()),
            }
        }
        Cow::Owned(all)
    }

    /// The value as a person would write it, unknown parts by the way the text names them.
    #[inline]
    pub fn shown(&self) -> Cow<'_, str> {
        match self.pieces.as_slice() {
            [] => Cow::Borrowed(""),
            [only] => Cow::Borrowed(only.shown()),
            _ => Cow::Owned(self.all_shown()),
        }
    }

    /// The value as a person would write it, put together from its parts.
    fn all_shown(&self) -> String {
        let mut text = String::with_capacity(self.size());
        self.pieces.iter().for_each(|piece| text.push_str(piece.shown()));
        text
    }

    /// The known text that it begins with.
    pub fn prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether there is more to it than blanks between unknown parts.
    fn has_words(&self) -> bool {
        let is_blank = |letter: char| letter.is_whitespace() || letter.is_control();
        self.pieces.iter().any(|piece| match piece {
            Piece::Text(text) => !text.chars().all(is_blank),
            Piece::Glob(_) => true,
            Piece::Unknown(_) => false,
        })
    }

    /// Whether some part is unknown.
    pub fn has_unknown(&self) -> bool {
        self.unknowns().next().is_some()
    }

    /// Whether some part is a live pattern.
    pub fn has_glob(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)))
    }

    /// The unknown parts.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Unknown(unknown) => Some(unknown.as_ref()),
            Piece::Text(_) | Piece::Glob(_) => None,
        })
    }

    /// Where the unknown parts come from.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.unknowns().flat_map(|unknown| unknown.origins.iter())
    }

    /// The secret that it holds, if it holds one.
    pub fn secret(&self) -> Option<&str> {
        self.origins().find_map(Origin::secret)
    }

    /// What a value stands for when a part of it is an entry of a list, and comes from somewhere else as well: one value
    /// for each list, and one for the rest. None if the value stands for itself.
    pub fn by_listing(&self) -> Option<Vec<Self>> {
        let lists = || self.origins().filter(|origin| origin.list().is_some());
        let is_mixed = |unknown: &Unknown| unknown.is_listed_and_more();
        if lists().nth(1).is_none() && !self.unknowns().any(is_mixed) {
            return None;
        }
        let narrowed = |keep: &dyn Fn(&Origin) -> bool| {
            let pieces = self.pieces.iter().map(|piece| match piece {
                Piece::Unknown(unknown) if unknown.origins.iter().any(keep) => {
                    let origins = unknown.origins.iter().filter(|origin| keep(origin)).cloned().collect();
                    Piece::from(Unknown { origins, ..Unknown::clone(unknown) })
                }
                piece => piece.clone(),
            });
            Self { pieces: pieces.collect() }
        };
        let mut all: Vec<Self> = lists().map(|list| narrowed(&|origin| origin == list)).collect();
        if self.unknowns().any(is_mixed) {
            // What was made of a name may have the path of the directory before it.
            let made: Vec<Self> = all.iter().filter_map(Self::with_paths).collect();
            all.extend(made);
            all.push(narrowed(&|origin| origin.list().is_none()));
        }
        Some(all)
    }

    /// The same with the paths of what is listed where it has only the names; none if it has none of them.
    fn with_paths(&self) -> Option<Self> {
        if !self.origins().any(Origin::is_names) {
            return None;
        }
        let path = |origin: &Origin| match origin {
            Origin::Names { by, of } => Origin::listing(by.as_str(), of.as_str()),
            origin => origin.clone(),
        };
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Unknown(unknown) => {
                let origins = unknown.origins.iter().map(path).collect();
                Piece::from(Unknown { origins, ..Unknown::clone(unknown) })
            }
            piece => piece.clone(),
        });
        Some(Self { pieces: pieces.collect() })
    }
}

impl Unknown {
    /// The list that it is an entry of: what makes it, and what it lists. None if it may be something else as well.
    pub fn listed(&self) -> Option<(&str, &str)> {
        if self.is_listed_and_more() {
            return None;
        }
        self.origins.iter().find_map(Origin::list)
    }

    /// Whether it may lead out of a directory that stands before it.
    pub fn climbs(&self) -> bool {
        self.origins.iter().any(|origin| match origin {
            Origin::Astray => true,
            Origin::Listing { under, .. } => under.split('/').any(|part| part == ".."),
            _ => false,
        })
    }

    /// Whether it may be an entry of a list, and something else as well.
    fn is_listed_and_more(&self) -> bool {
        let in_place = |origin: &Origin| origin.list().is_none() && *origin != Origin::Astray;
        self.origins.iter().any(|origin| origin.list().is_some()) && self.origins.iter().any(in_place)
    }
}

/// One word of an argument list, as far as it can be known, with the part of the input that gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arg {
    /// What it expands to.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

impl Arg {
    /// An argument that is fully known.
    pub fn text(text: impl Into<CompactString>, span: Span) -> Self {
        Self { value: Value::text(text), span }
    }

    /// The text, if it is fully known.
    pub fn known(&self) -> Option<&str> {
        self.value.known()
    }

    /// Whether it is exactly this text.
    pub fn is(&self, text: &str) -> bool {
        self.value.known() == Some(text)
    }

    /// The argument as a program gets it where no file is called like the patterns in it.
    pub fn unmatched(&self) -> Self {
        Self { value: self.value.unmatched().into_owned(), span: self.span }
    }

    /// The argument as a person would write it.
    pub fn shown(&self) -> Cow<'_, str> {
        self.value.shown()
    }

    /// Whether it begins with a dash and is more than a dash.
    pub fn is_option(&self) -> bool {
        let prefix = self.value.prefix();
        prefix.len() > 1 && prefix.starts_with('-')
    }

    /// Whether the shell would make several words of it, or none.
    pub fn splits(&self) -> bool {
        self.value.unknowns().any(|unknown| unknown.splits)
    }
}

/// What flows into or out of a command. Copies share it: every command passes it on to what runs inside of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feed(Option<Rc<Flow>>);

/// What is known about something that flows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The text, as far as it is known.
    pub text: Option<Value>,
    /// The texts that it may be, where it depends on the way through the text; the text itself is then not known.
    either: Vec<Value>,
    /// Where it comes from. Empty for a feed that carries nothing.
    pub origins: Origins,
}

impl Flow {
    const NOTHING: &'static Self = &Self { text: None, either: Vec::new(), origins: Origins::NONE };

    const fn of(text: Value, origins: Origins) -> Self {
        Self { text: Some(text), either: Vec::new(), origins }
    }

    fn is_nothing(&self) -> bool {
        self.text.is_none() && self.either.is_empty() && self.origins.is_empty()
    }

    /// Where it comes from, for one that loses its text: the words that stood in it or beside it came from nowhere else.
    pub fn without_text(mut self) -> Origins {
        if self.text.iter().chain(&self.either).any(Value::has_words) {
            self.origins.blurred_by(Origin::Others);
        }
        self.origins
    }
}

impl Deref for Feed {
    type Target = Flow;

    fn deref(&self) -> &Flow {
        self.0.as_deref().unwrap_or(Flow::NOTHING)
    }
}

impl From<Flow> for Feed {
    fn from(flow: Flow) -> Self {
        Self((!flow.is_nothing()).then(|| Rc::new(flow)))
    }
}

impl Feed {
    /// Nothing flows.
    pub const fn none() -> Self {
        Self(None)
    }

    /// What is known about it.
    pub fn into_flow(self) -> Flow {
        self.0.map(Rc::unwrap_or_clone).unwrap_or_default()
    }

    /// A text that is known, at least in part.
    pub fn of(value: Value) -> Self {
        let origins: Origins = value.origins().cloned().collect();
        Self::known_from(value, origins)
    }

    /// A text that is known although it comes from somewhere, such as a secret.
    pub fn known_from(text: Value, origins: impl Into<Origins>) -> Self {
        Flow::of(text, origins.into()).into()
    }

    /// A text that is not known.
    pub fn from(origin: Origin) -> Self {
        Self::from_all(origin)
    }

    /// A text that is not known and comes from several places.
    pub fn from_all(origins: impl Into<Origins>) -> Self {
        Flow { text: None, either: Vec::new(), origins: origins.into() }.into()
    }

    /// The text, if it is fully known.
    pub fn known(&self) -> Option<&str> {
        self.text.as_ref().and_then(Value::known)
    }

    /// Whether nothing flows that would be missed: no text at all, or nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.is_none() || self.known().is_some_and(|text| text.trim().is_empty())
    }

    /// Whether nothing flows at all.
    pub const fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The texts that it may be, where it depends on the way through the text.
    pub fn alternatives(&self) -> &[Value] {
        &self.either
    }

    /// What it may be: each of the alternatives, the one text, nothing, or something unknown.
    fn possible(&self) -> Vec<Value> {
        if !self.either.is_empty() {
            return self.either.clone();
        }
        vec![match &self.text {
            Some(text) => text.clone(),
            None if self.origins.is_empty() => Value::default(),
            None => Value::unknown(INFLOW, self.origins.clone()),
        }]
    }

    /// A feed that is one of these; with too many of them it is not known.
    fn one_of(mut values: Vec<Value>, origins: Origins) -> Self {
        let mut distinct: Vec<Value> = Vec::new();
        for value in values.drain(..) {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        match distinct.len() {
            0 => Self::none(),
            1 if origins.is_empty() => Flow { text: distinct.pop(), either: Vec::new(), origins }.into(),
            2..=MAX_EITHER => Flow { text: None, either: distinct, origins }.into(),
            _ if origins.is_empty() => Self::from(Origin::Program("".into())),
            _ => Self::from_all(Flow { text: None, either: distinct, origins }.without_text()),
        }
    }

    /// Either this or the other: which of them flows depends on the way through the text.
    pub fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let mut values = self.possible();
        values.extend(other.possible());
        Self::one_of(values, joined(self.into_flow().origins, other.into_flow().origins))
    }

    /// This, or something else from the same places: a loop may go round another number of times.
    pub fn or_other(self) -> Self {
        if self.text.is_none() && self.either.is_empty() {
            return self;
        }
        let mut origins = self.origins.clone();
        if origins.is_empty() {
            origins.add(Origin::Program("".into()));
        }
        self.or(Self::from_all(origins))
    }

    /// The secret that it carries, if it carries one.
    pub fn secret(&self) -> Option<&str> {
        self.origins.iter().find_map(Origin::secret)
    }

    /// The name of the file of the project that it is nothing but a committed version of.
    pub fn committed_as(&self) -> Option<&str> {
        self.origins.iter().find_map(|origin| match origin {
            Origin::Committed(name) if self.text.is_none() && self.either.is_empty() => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether something in it was fetched from another machine, or decoded so that nobody has read it.
    pub fn is_foreign(&self) -> bool {
        self.origins.iter().any(|origin| matches!(origin, Origin::Download { .. } | Origin::Decoded))
    }

    /// The file that it is nothing but the content of.
    pub fn copied_from(&self) -> Option<&str> {
        match &*self.origins {
            [Origin::File(_), Origin::Exactly(path)] | [Origin::Exactly(path)]
                if self.text.is_none() && self.either.is_empty() =>
            {
                Some(path.as_str())
            }
            _ => None,
        }
    }

    /// The content after it was unpacked, if it is known to the byte.
    pub(crate) fn inflated(&self) -> Option<Self> {
        let bytes = self.origins.iter().find_map(|origin| match origin {
            Origin::Bytes(bytes) => Some(bytes),
            _ => None,
        })?;
        let text = String::from_utf8(crate::inflate::inflate(bytes)?).ok()?;
        Some(Self::of(Value::text(text)))
    }

    /// The same content after a program changed it in a way that is not followed: the text is lost, the origins stay.
    /// An entry of a list is then an entry no longer.
    pub fn changed_by(self, program: &str) -> Self {
        let mut flow = self.chosen_by(program).into_flow();
        flow.origins.blurred_by(Origin::Program(program.into()));
        flow.into()
    }

    /// Whole lines of the same content, some or all, in whatever order: what is known of each of them still holds.
    pub fn chosen_by(self, program: &str) -> Self {
        let mut origins = self.into_flow().without_text();
        origins.retain(|origin| !origin.is_exact() && *origin != Origin::Started);
        if origins.is_empty() {
            origins.add(Origin::Program(program.into()));
        }
        Self::from_all(origins)
    }

    /// The same content, which comes from there as well.
    pub fn also_from(self, origin: Origin) -> Self {
        let mut flow = self.into_flow();
        flow.origins.add(origin);
        flow.into()
    }

    /// Both contents, one after the other.
    pub fn then(self, other: Self) -> Self {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        if !self.either.is_empty() || !other.either.is_empty() {
            let mut values = Vec::new();
            for first in self.possible() {
                for second in other.possible() {
                    let mut value = first.clone();
                    value.extend(second);
                    values.push(value);
                }
            }
            return Self::one_of(values, joined(self.into_flow().origins, other.into_flow().origins));
        }
        let (first, second) = (self.into_flow(), other.into_flow());
        let origins = joined(first.origins, second.origins);
        match (first.text, second.text) {
            (Some(mut text), Some(behind)) => {
                text.extend(behind);
                Self::known_from(text, origins)
            }
            (Some(text), None) | (None, Some(text)) => Self::from_all(Flow::of(text, origins).without_text()),
            (None, None) => Self::from_all(origins),
        }
    }

    /// The content as the value of a substitution: without its final line ends.
    pub fn into_value(self, shown: &str) -> Value {
        let flow = self.into_flow();
        match flow.text {
            Some(mut value) => {
                if let Some(Piece::Text(last)) = value.pieces.last_mut() {
                    last.truncate(last.trim_end_matches('\n').len());
                    if last.is_empty() {
                        value.pieces.pop();
                    }
                }
                value
            }
            None => Value::unknown(shown, flow.origins),
        }
    }
}

/// The origins of two contents, one behind the other: as other bytes than before.
fn joined(first: Origins, second: Origins) -> Origins {
    first.into_iter().chain(second).filter(|origin| !origin.is_exact()).collect()
}
