//! What an expression stands for, as far as it can be known.

use crate::value::{Arg, Origin, Origins, Piece, Value};
use compact_str::CompactString;
use signoff_model::Span;

/// The longest text that is put together, and the most parts that it has.
const LONGEST: usize = 16 * 1024;
const PARTS: usize = 64;
/// A variable holds at most this many things, nested at most this deep.
const THINGS: usize = 1024;
const DEEPEST: usize = 32;

/// How the whole environment is named as a secret.
pub(super) const ENVIRONMENT: &str = "the environment";

/// What an expression stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Thing {
    /// A text, or bytes.
    Text(Value),
    /// A number.
    Number(i64),
    /// True or false.
    Truth(bool),
    /// A list.
    List(Vec<Thing>),
    /// Named values.
    Record(Vec<(String, Thing)>),
    /// Something that the text does not define: a module, a class, a function, by its full name.
    Name(String),
    /// The object that stands for a path.
    Path(Value),
    /// Every path that the value matches.
    Many(Value),
    /// An open file.
    File(Value),
    /// What came out of a call that is not followed: the chain of names, and where its content comes from.
    Result {
        /// The names, such as `User.objects.all`.
        of: String,
        /// Where the content comes from.
        origins: Origins,
    },
}

impl Thing {
    /// A text that is known.
    pub(super) fn text(text: impl Into<CompactString>) -> Self {
        Self::Text(Value::text(text))
    }

    /// Nothing is known.
    pub(super) fn unknown() -> Self {
        Self::Result { of: String::new(), origins: Origins::NONE }
    }

    /// The result of something that is not followed.
    pub(super) fn result(of: &str, origins: impl Into<Origins>) -> Self {
        Self::Result { of: of.to_owned(), origins: origins.into() }
    }

    /// The known text.
    pub(super) fn known(&self) -> Option<&str> {
        match self {
            Self::Text(value) | Self::Path(value) => value.known(),
            _ => None,
        }
    }

    /// The number.
    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it is known to be true, or a number or truth that may be any.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Truth(truth) => *truth,
            Self::Number(number) => *number != 0,
            Self::Result { of, .. } => of == super::held::COUNTED,
            _ => false,
        }
    }

    /// The value when it is used as a text.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(value) | Self::Path(value) | Self::Many(value) => value.clone(),
            Self::Number(number) => Value::text(number.to_string()),
            Self::Truth(truth) => Value::text(truth.to_string()),
            Self::Name(name) => Value::unknown(name.clone(), self.origins()),
            Self::File(path) => Value::unknown("…", vec![Origin::File(path.shown().into_owned())]),
            Self::Result { of, origins } => {
                let shown = if of.is_empty() { "…".to_owned() } else { format!("{of}(…)") };
                Value::unknown(shown, origins.clone())
            }
            Self::List(_) | Self::Record(_) => Value::unknown("…", self.origins()),
        }
    }

    /// The value as an argument.
    pub(super) fn arg(&self, span: Span) -> Arg {
        Arg { value: self.value(), span }
    }

    /// Where the content comes from.
    pub(super) fn origins(&self) -> Origins {
        let mut all = Origins::NONE;
        self.gather(&mut all, 0);
        all
    }

    /// The same, unless it holds more than is followed: then only where it comes from. A list of lists could double with
    /// every line, or become as deep as the text is long. Says how many things it holds as well.
    pub(super) fn bounded(self) -> (Self, usize) {
        let mut room = THINGS;
        let fits = self.fits(&mut room, 0);
        (if fits { self } else { Self::result("", self.origins()) }, THINGS - room)
    }

    /// How many things it holds beside itself, as far as they are followed.
    pub(super) fn count(&self) -> usize {
        let mut room = THINGS;
        self.fits(&mut room, 0);
        (THINGS - room).saturating_sub(1)
    }

    fn fits(&self, room: &mut usize, depth: usize) -> bool {
        let Some(left) = room.checked_sub(1) else { return false };
        *room = left;
        match self {
            Self::List(things) => depth < DEEPEST && things.iter().all(|thing| thing.fits(room, depth + 1)),
            Self::Record(fields) => depth < DEEPEST && fields.iter().all(|(_, thing)| thing.fits(room, depth + 1)),
            _ => true,
        }
    }

    fn gather(&self, all: &mut Origins, depth: usize) {
        let mut add = |origin: &Origin| all.add(origin.clone());
        match self {
            Self::Text(value) | Self::Path(value) | Self::Many(value) => value.origins().for_each(add),
            Self::File(path) => add(&Origin::File(path.shown().into_owned())),
            Self::Name(name) if super::functions::is_environment(name) => add(&Origin::Secret(ENVIRONMENT.to_owned())),
            Self::Name(name) if super::functions::can_do_harm(name) => add(&Origin::Dangerous(name.clone())),
            Self::Result { origins, .. } => origins.iter().for_each(add),
            Self::List(things) if depth < 8 => things.iter().for_each(|thing| thing.gather(all, depth + 1)),
            Self::Record(fields) if depth < 8 => fields.iter().for_each(|(_, thing)| thing.gather(all, depth + 1)),
            _ => {}
        }
    }

    /// What was made of it in a way that is not followed. What is made of an entry of a list may be no entry of it, but
    /// it is as grave as one.
    pub(super) fn rewritten(&self) -> Self {
        let mut origins = self.origins();
        if let Self::Text(value) | Self::Path(value) | Self::Many(value) = self
            && value.has_glob()
        {
            origins.add(Origin::Listing { by: "glob".to_owned(), under: value.shown().into_owned() });
        }
        origins.blurred_by(Origin::Others);
        Self::result("", origins)
    }

    /// One of the elements, if it is something that has elements.
    pub(super) fn element(&self) -> Self {
        match self {
            Self::Many(value) => Self::Path(value.clone()),
            Self::List(things) => match things.as_slice() {
                [only] => only.clone(),
                [] => Self::unknown(),
                [first, rest @ ..] if rest.iter().all(|thing| thing == first) => first.clone(),
                _ => Self::result("", self.origins()),
            },
            Self::Result { of, origins } => Self::result(of, origins.clone()),
            other => Self::result("", other.origins()),
        }
    }

    /// Both texts, one behind the other.
    pub(super) fn joined(self, other: &Self) -> Self {
        let more = other.value();
        if matches!(&self, Self::Text(value) if value.is_empty()) {
            return Self::Text(more);
        }
        let mut value = self.value();
        let length: usize = value.pieces().iter().chain(more.pieces()).map(piece_length).sum();
        if length > LONGEST || value.pieces().len() + more.pieces().len() > PARTS {
            return Self::result("", self.origins());
        }
        value.extend(more);
        Self::Text(value)
    }

    /// The first path with the other one below it.
    pub(super) fn below(self, other: &Self) -> Self {
        let name = other.value();
        if name.prefix().starts_with('/') || self.known() == Some("") {
            return Self::Path(name);
        }
        let mut value = self.value();
        if self.known().is_none_or(|known| !known.ends_with('/')) {
            value.push(Piece::Text("/".into()));
        }
        value.extend(name);
        Self::Path(value)
    }
}

fn piece_length(piece: &Piece) -> usize {
    match piece {
        Piece::Text(text) | Piece::Glob(text) => text.len(),
        Piece::Unknown(unknown) => unknown.shown.len(),
    }
}

/// A value whose text is read as a pattern of file names.
pub(super) fn pattern(value: &Value) -> Value {
    let mut all = Value::default();
    for piece in value.pieces() {
        match piece {
            Piece::Text(text) if text.contains(['*', '?', '[', '{']) => {
                let fixed = text.find(['*', '?', '[', '{']).unwrap_or(0);
                let fixed = text.get(..fixed).and_then(|before| before.rfind('/')).map_or(0, |slash| slash + 1);
                all.push(Piece::text(text.get(..fixed).unwrap_or_default()));
                all.push(Piece::glob(text.get(fixed..).unwrap_or_default()));
            }
            piece => all.push(piece.clone()),
        }
    }
    all
}

/// What a call was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Args {
    /// By position.
    pub(super) items: Vec<Thing>,
    /// By name; the fields of a record among the arguments as well.
    pub(super) named: Vec<(String, Thing)>,
}

impl Args {
    /// The argument at a position.
    pub(super) fn get(&self, index: usize) -> Option<&Thing> {
        self.items.get(index)
    }

    /// The known text at a position.
    pub(super) fn known(&self, index: usize) -> Option<&str> {
        self.get(index).and_then(Thing::known)
    }

    /// The argument of a name.
    pub(super) fn named(&self, name: &str) -> Option<&Thing> {
        self.named.iter().rev().find(|(key, _)| key == name).map(|(_, thing)| thing)
    }

    /// The argument at a position, or else of one of these names.
    pub(super) fn either(&self, index: usize, names: &[&str]) -> Option<&Thing> {
        self.get(index).or_else(|| names.iter().find_map(|name| self.named(name)))
    }

    /// Whether an argument of this name is true.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.named(name).is_some_and(Thing::is_true)
    }

    /// Whether an argument of this name is there and not known to be false.
    pub(super) fn may_be_set(&self, name: &str) -> bool {
        self.named(name).is_some_and(|thing| !matches!(thing, Thing::Truth(false) | Thing::Number(0)))
    }

    /// Everything that is given.
    pub(super) fn all(&self) -> impl Iterator<Item = &Thing> {
        self.items.iter().chain(self.named.iter().map(|(_, thing)| thing))
    }

    /// Where the contents come from.
    pub(super) fn origins(&self) -> Origins {
        let mut all = Origins::NONE;
        for thing in self.all() {
            thing.gather(&mut all, 0);
        }
        all
    }

    /// All things in a row, lists opened up.
    pub(super) fn flat(&self) -> Vec<Thing> {
        let mut all = Vec::new();
        for thing in &self.items {
            match thing {
                Thing::List(things) => all.extend(things.iter().cloned()),
                other => all.push(other.clone()),
            }
        }
        all
    }
}
