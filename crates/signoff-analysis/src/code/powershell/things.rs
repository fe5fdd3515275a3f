//! What an expression of a script stands for, as far as it can be known.

use std::rc::Rc;

use super::{super::thing as code_thing, tree::Body};
use crate::value::{Arg, Feed, Origin, Origins, Piece, Value};
use signoff_model::Span;

/// The most values that something may have at a time, and the longest list that is followed.
const MAX_EITHER: usize = 4;
pub(super) const MAX_LIST: usize = 512;
/// A variable holds at most this many things, nested at most this deep.
const MAX_THINGS: usize = 1024;
const MAX_DEPTH: usize = 32;

/// What an expression stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Thing {
    /// A text or a number, known or not.
    Text(Value),
    /// Several things; none of them is nothing.
    List(Vec<Thing>),
    /// Named things.
    Table(Vec<(String, Thing)>),
    /// A block of code that has not run yet.
    Block(Body, Rc<str>),
    /// A type, or an object of it, by its name in small letters.
    Object(String, Origins),
    /// One of these, as the way through the script decides.
    Either(Vec<Thing>),
}

impl Thing {
    pub(super) fn text(text: impl Into<compact_str::CompactString>) -> Self {
        Self::Text(Value::text(text))
    }

    /// A list of things. What is left of a list that is too long to follow is one thing that nobody knows.
    pub(super) fn list(things: impl IntoIterator<Item = Self>) -> Self {
        let mut things = things.into_iter();
        let mut all: Vec<Self> = things.by_ref().take(MAX_LIST).collect();
        let mut origins = Origins::NONE;
        let mut left = things.take(MAX_LIST).peekable();
        let is_cut = left.peek().is_some();
        origins.extend(left.flat_map(|thing| thing.origins()));
        if is_cut {
            all.push(Self::unknown("…", origins));
        }
        Self::List(all)
    }

    /// The same, unless it holds more than is followed: then only where it comes from. A list of lists could double with
    /// every line, or become as deep as the text is long. Says how many things it holds as well.
    pub(super) fn bounded(self) -> (Self, usize) {
        let mut room = MAX_THINGS;
        let fits = self.fits(&mut room, 0);
        (if fits { self } else { Self::unknown("…", self.origins()) }, MAX_THINGS - room)
    }

    fn fits(&self, room: &mut usize, depth: usize) -> bool {
        let Some(left) = room.checked_sub(1) else { return false };
        *room = left;
        match self {
            Self::List(things) | Self::Either(things) => {
                depth < MAX_DEPTH && things.iter().all(|thing| thing.fits(room, depth + 1))
            }
            Self::Table(fields) => depth < MAX_DEPTH && fields.iter().all(|(_, thing)| thing.fits(room, depth + 1)),
            Self::Text(_) | Self::Block(..) | Self::Object(..) => true,
        }
    }

    pub(super) fn unknown(shown: &str, origins: impl Into<Origins>) -> Self {
        Self::Text(Value::unknown(shown, origins))
    }

    pub(super) const fn nothing() -> Self {
        Self::List(Vec::new())
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::List(list) if list.is_empty())
    }

    /// What a command puts out. What is known of a secret is still a secret.
    pub(super) fn of_feed(feed: Feed) -> Self {
        if feed.is_none() {
            return Self::nothing();
        }
        let alternatives = feed.alternatives();
        if !alternatives.is_empty() {
            return Self::Either(alternatives.iter().cloned().map(Self::Text).collect());
        }
        let telling = |origin: &Origin| matches!(origin, Origin::Secret(_) | Origin::Download { .. });
        if feed.origins.iter().any(telling) {
            return Self::unknown("$(…)", feed.into_flow().origins);
        }
        Self::Text(feed.into_value("$(…)"))
    }

    /// What flows from it into a command.
    pub(super) fn feed(&self) -> Feed {
        match self {
            Self::Text(value) => Feed::of(value.clone()),
            Self::List(list) if list.is_empty() => Feed::none(),
            Self::Either(all) => all.iter().map(Self::feed).reduce(Feed::or).unwrap_or_default(),
            Self::Block(_, source) => Feed::of(Value::text(&**source)),
            Self::List(list) => {
                let mut text = Value::default();
                for (index, thing) in list.iter().enumerate() {
                    if index > 0 {
                        text.push(Piece::text("\n"));
                    }
                    text.extend(thing.value());
                }
                Feed::of(text)
            }
            other => Feed::from_all(other.origins_or_program()),
        }
    }

    fn origins_or_program(&self) -> Origins {
        let origins = self.origins();
        if origins.is_empty() { Origin::Program("PowerShell".into()).into() } else { origins }
    }

    /// It as a text.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(value) => value.clone(),
            Self::List(list) => {
                let mut all = Value::default();
                for (index, thing) in list.iter().enumerate() {
                    if index > 0 {
                        all.push(Piece::text(" "));
                    }
                    all.extend(thing.value());
                }
                all
            }
            Self::Block(_, source) => Value::text(&**source),
            Self::Object(name, origins) => Value::unknown(format!("[{name}]"), origins.clone()),
            Self::Table(_) => Value::unknown("@{…}", self.origins()),
            Self::Either(_) => Value::unknown("$(…)", self.origins()),
        }
    }

    pub(super) fn known(&self) -> Option<String> {
        match self {
            Self::Text(value) => value.known().map(str::to_owned),
            Self::List(list) => match list.as_slice() {
                [only] => only.known(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where it comes from.
    pub(super) fn origins(&self) -> Origins {
        let mut all = Origins::NONE;
        let mut add = |origins: Origins| all.extend(origins);
        match self {
            Self::Text(value) => add(value.origins().cloned().collect()),
            Self::List(list) | Self::Either(list) => list.iter().for_each(|thing| add(thing.origins())),
            Self::Table(table) => table.iter().for_each(|(_, thing)| add(thing.origins())),
            Self::Object(_, origins) => add(origins.clone()),
            Self::Block(..) => {}
        }
        all
    }

    /// Its parts, one by one.
    pub(super) fn items(&self) -> Vec<Self> {
        match self {
            Self::List(list) => list.clone(),
            other => vec![other.clone()],
        }
    }

    /// Each thing that it may be.
    pub(super) fn ways(&self) -> Vec<Self> {
        match self {
            Self::Either(all) => all.clone(),
            other => vec![other.clone()],
        }
    }

    /// This or the other, as the way through the script decides.
    pub(super) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let mut all: Vec<Self> = Vec::new();
        for way in self.ways().into_iter().chain(other.ways()) {
            if !all.contains(&way) {
                all.push(way);
            }
        }
        if all.len() > MAX_EITHER {
            let origins: Origins = all.iter().flat_map(Self::origins).collect();
            return Self::unknown("$(…)", origins);
        }
        Self::Either(all)
    }

    /// One thing behind the other.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (first, second) if first.is_nothing() => second,
            (first, second) if second.is_nothing() => first,
            (Self::List(mut first), second) => {
                first.extend(second.items());
                Self::list(first)
            }
            (first, second) => {
                let mut all = vec![first];
                all.extend(second.items());
                Self::list(all)
            }
        }
    }

    /// The texts that it may be, put together with others.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let mut all: Option<Self> = None;
        for first in self.ways() {
            for second in other.ways() {
                let mut value = first.value();
                value.extend(second.value());
                let way = Self::Text(value);
                all = Some(match all {
                    Some(before) => before.or(way),
                    None => way,
                });
            }
        }
        all.unwrap_or_else(Self::nothing)
    }

    /// The paths that it names, each of them in every way.
    pub(super) fn paths(&self, span: Span) -> Vec<Arg> {
        let mut all = Vec::new();
        for item in self.items() {
            for way in item.ways() {
                match way {
                    Self::List(_) => all.extend(way.paths(span)),
                    // Paths in one text, a line each.
                    Self::Text(value) => all.push(Arg { value: path(&value), span }),
                    Self::Object(_, origins) if origins.is_empty() => {}
                    other => all.push(Arg { value: path(&other.value()), span }),
                }
            }
        }
        all
    }
}

/// A path with the slashes of other systems; a drive keeps its own. Wildcards are alive.
pub(super) fn path(value: &Value) -> Value {
    let mut all = Value::default();
    for piece in value.pieces() {
        all.push(match piece {
            Piece::Text(text) => {
                let text = text.strip_prefix("\\\\?\\").unwrap_or(text);
                let text = text.strip_prefix("FileSystem::").unwrap_or(text);
                if is_on_drive(text) { Piece::text(text) } else { Piece::text(text.replace('\\', "/")) }
            }
            Piece::Glob(text) => Piece::glob(text.replace('\\', "/")),
            piece => piece.clone(),
        });
    }
    let drive = matches!(all.pieces(), [Piece::Text(text)] if is_on_drive(text));
    if drive { all } else { code_thing::pattern(&all) }
}

fn is_on_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use super::MAX_LIST;
    use crate::testing::check;

    /// A script in which `LIST` stands for so many harmless paths.
    fn with_paths(count: usize, script: &str) -> String {
        let paths: Vec<String> = (0..count).map(|number| format!("'build/{number}'")).collect();
        format!("pwsh -c \"{}\"", script.replace("LIST", &paths.join(",")))
    }

    #[test]
    fn nothing_falls_off_the_end_of_a_list() {
        for script in [
            "Remove-Item -Recurse -Force LIST,'~'",
            "LIST,'~' | Remove-Item -Recurse -Force",
            "\\$a = @(LIST,'~'); Remove-Item -Recurse -Force \\$a",
            "\\$a = LIST; \\$a += '~'; Remove-Item -Recurse -Force \\$a",
            "Remove-Item -Recurse -Force -Path @(LIST,'~')",
        ] {
            check(Block, &[&with_paths(3, script), &with_paths(70, script)]);
            check(Ask, &[&with_paths(MAX_LIST, script), &with_paths(MAX_LIST + 100, script)]);
        }
        for script in ["Remove-Item -Recurse -Force LIST", "LIST | Remove-Item", "\\$a = @(LIST); Write-Output \\$a"] {
            check(Allow, &[&with_paths(70, script)]);
        }
    }

    #[test]
    fn code_of_which_a_command_is_not_known_asks() {
        check(
            Ask,
            &[
                "pwsh -c 'iex (\" \"+$x)'",
                "pwsh -c 'iex (\"ls; \"+$x)'",
                "pwsh -c \"ls; $X\"",
                "pwsh -c \" $X\"",
                "pwsh -c 'iex $x'",
                "python3 -c \" $X\"",
                "node -e \";$X\"",
            ],
        );
        check(
            Allow,
            &["pwsh -c 'iex (\"ls \"+$x)'", "pwsh -c \"ls $X\"", "pwsh -c 'ls; $x'", "pwsh -c \"$x = 1; $x\""],
        );
    }

    #[test]
    fn ranges_and_letters_are_not_cut_silently() {
        let long = format!("pwsh -c \"iex (-join ([char[]]'{}Remove-Item -Recurse ~'))\"", " ".repeat(16 * MAX_LIST));
        let behind = format!("pwsh -c \"iex (-join ([char[]]'ls {};Remove-Item ~'))\"", "x".repeat(16 * MAX_LIST));
        check(Ask, &[&long, &behind, "pwsh -c '1..99999 | ForEach-Object { Remove-Item -Recurse $_ }'"]);
        check(Allow, &["pwsh -c '1..99999 | ForEach-Object { $_ * 2 }'", "pwsh -c '(1..1000) -join \",\"'"]);
    }
}
