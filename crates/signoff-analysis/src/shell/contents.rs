//! What a variable holds: a text, an array with or without gaps, nothing, or one of several such things.

use super::expand::MAX_ALTERNATIVES;
use crate::value::{Origins, Piece, Unknown, Value};

/// An array is followed up to this many elements by index.
const MAX_ELEMENTS: usize = 256;

/// An array that grows longer than this is unknown.
pub(super) const MAX_LENGTH: usize = 2048;

/// The key of an element whose key is not known; no text can spell it.
pub(super) const ANY_KEY: &str = "\u{1}";

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// One value; several if it depends on a branch.
    Scalar(Vec<Value>),
    /// An array: its elements by index, with gaps.
    Array(Vec<Option<Value>>),
    /// An associative array: keys with values.
    Map(Vec<(String, Value)>),
    /// Another name for a variable (`declare -n`).
    Reference(String),
    /// The text takes care that it has no value.
    Unset,
    /// One of these, none of which is of this kind or has several values itself: it depends on a branch.
    Either(Vec<Self>),
}

/// An index or a key, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// The text, for a map.
    pub(super) text: Option<String>,
    /// The number that it evaluates to, for an array.
    pub(super) number: Option<i64>,
}

/// What stands at an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// One value, or one of several.
    One(Vec<Value>),
    /// Nothing.
    Missing,
}

impl Variable {
    /// One value.
    pub(super) fn text(value: Value) -> Self {
        Self::Scalar(vec![value])
    }

    /// An array without gaps.
    pub(super) fn list(values: Vec<Value>) -> Self {
        Self::Array(values.into_iter().map(Some).collect())
    }

    /// An array of any number of words, none of them known.
    pub(super) fn unknown_list(name: &str, origins: Origins) -> Self {
        let mut words = Value::default();
        words.push(Piece::from(Unknown { shown: format!("${{{name}[@]}}"), origins, splits: true }));
        Self::Array(vec![Some(words)])
    }

    /// How many things it may be.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Scalar(values) => values.len(),
            Self::Either(all) => all.len(),
            Self::Array(_) | Self::Map(_) | Self::Reference(_) | Self::Unset => 1,
        }
    }

    /// Each of the things that it may be, by itself.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        match self {
            Self::Scalar(values) => values.iter().cloned().map(Self::text).collect(),
            Self::Either(all) => all.clone(),
            single => vec![single.clone()],
        }
    }

    /// One of these. Of too many, nothing is known but where they come from.
    pub(super) fn one_of(all: Vec<Self>, name: &str) -> Self {
        // Nearly always they are texts.
        if all.iter().all(|one| matches!(one, Self::Scalar(_))) {
            let mut distinct: Vec<Value> = Vec::with_capacity(MAX_ALTERNATIVES + 1);
            let mut origins = Origins::NONE;
            for value in all.into_iter().flat_map(Self::into_texts) {
                if distinct.len() > MAX_ALTERNATIVES {
                    origins.extend(value.origins().cloned());
                } else if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            if distinct.len() > MAX_ALTERNATIVES {
                origins.extend(distinct.iter().flat_map(Value::origins).cloned());
                return Self::text(Value::unknown(format!("${name}"), origins));
            }
            return Self::Scalar(distinct);
        }
        let mut distinct: Vec<Self> = Vec::with_capacity(MAX_ALTERNATIVES + 1);
        for one in all.iter().flat_map(Self::alternatives) {
            if distinct.len() <= MAX_ALTERNATIVES && !distinct.contains(&one) {
                distinct.push(one);
            }
        }
        if distinct.len() > MAX_ALTERNATIVES {
            let origins: Origins = all.iter().flat_map(Self::origins).collect();
            return if all.iter().any(Self::has_elements) {
                Self::unknown_list(name, origins)
            } else {
                Self::text(Value::unknown(format!("${name}"), origins))
            };
        }
        match distinct.pop() {
            Some(only) if distinct.is_empty() => only,
            Some(last) => {
                distinct.push(last);
                Self::Either(distinct)
            }
            None => Self::Unset,
        }
    }

    /// The texts that it may be; none if it is something else.
    fn into_texts(self) -> Vec<Value> {
        match self {
            Self::Scalar(values) => values,
            Self::Array(_) | Self::Map(_) | Self::Reference(_) | Self::Unset | Self::Either(_) => Vec::new(),
        }
    }

    /// Whether it is an array of some kind, on some way through the text.
    pub(super) fn has_elements(&self) -> bool {
        match self {
            Self::Array(_) | Self::Map(_) => true,
            Self::Either(all) => all.iter().any(Self::has_elements),
            Self::Scalar(_) | Self::Reference(_) | Self::Unset => false,
        }
    }

    /// Whether it has string keys, on some way through the text.
    pub(super) fn has_keys(&self) -> bool {
        match self {
            Self::Map(_) => true,
            Self::Either(all) => all.iter().any(Self::has_keys),
            Self::Array(_) | Self::Scalar(_) | Self::Reference(_) | Self::Unset => false,
        }
    }

    /// Where its unknown parts come from.
    pub(super) fn origins(&self) -> Origins {
        let mut all = Origins::NONE;
        self.gather(&mut all);
        all
    }

    fn gather(&self, all: &mut Origins) {
        let mut add = |value: &Value| all.extend(value.origins().cloned());
        match self {
            Self::Scalar(values) => values.iter().for_each(add),
            Self::Array(elements) => elements.iter().flatten().for_each(add),
            Self::Map(entries) => entries.iter().for_each(|(_, value)| add(value)),
            Self::Either(each) => each.iter().for_each(|one| one.gather(all)),
            Self::Reference(_) | Self::Unset => {}
        }
    }

    /// How much there is of it, as work.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Scalar(values) => values.iter().map(Value::size).sum::<usize>() / 512,
            Self::Array(elements) => {
                elements.len() / 8 + elements.iter().flatten().map(Value::size).sum::<usize>() / 512
            }
            Self::Map(entries) => {
                entries.len() / 8 + entries.iter().map(|(_, value)| value.size()).sum::<usize>() / 512
            }
            Self::Either(all) => all.iter().map(Self::weight).sum(),
            Self::Reference(_) | Self::Unset => 0,
        }
    }

    /// All elements in order, of a thing that is no alternative of others.
    pub(super) fn elements(&self) -> Vec<Value> {
        match self {
            Self::Scalar(values) => values.get(..1).unwrap_or_default().to_vec(),
            Self::Array(elements) => elements.iter().flatten().cloned().collect(),
            Self::Map(entries) => entries.iter().map(|(_, value)| value.clone()).collect(),
            Self::Reference(_) | Self::Unset | Self::Either(_) => Vec::new(),
        }
    }

    /// The keys or indices in order, of a thing that is no alternative of others; none where they are not known.
    pub(super) fn keys(&self) -> Option<Vec<String>> {
        match self {
            Self::Scalar(values) if values.iter().any(Value::has_unknown) => None,
            Self::Scalar(_) => Some(vec!["0".to_owned()]),
            Self::Array(elements) if elements.iter().flatten().any(splits) => None,
            Self::Array(elements) => {
                let taken = elements.iter().enumerate().filter(|(_, element)| element.is_some());
                Some(taken.map(|(at, _)| at.to_string()).collect())
            }
            Self::Map(entries) if entries.iter().any(|(key, _)| key == ANY_KEY) => None,
            Self::Map(entries) => Some(entries.iter().map(|(key, _)| key.clone()).collect()),
            Self::Unset => Some(Vec::new()),
            Self::Reference(_) | Self::Either(_) => None,
        }
    }

    /// What stands at an index, in a thing that is no alternative of others.
    pub(super) fn element(&self, key: &Key) -> Element {
        match self {
            Self::Scalar(values) => match (values.first(), key.number) {
                (Some(value), Some(0 | -1)) => Element::One(vec![value.clone()]),
                (Some(value), _) if value.has_unknown() => Element::One(vec![value.clone()]),
                (Some(_), Some(_)) | (None, _) => Element::Missing,
                (Some(value), None) => Element::One(vec![value.clone(), Value::default()]),
            },
            Self::Array(elements) => {
                let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
                let at = key.number.map(|number| if number < 0 { length + number } else { number });
                // Behind something that may be any number of words, every index is off by as many.
                let first_loose = elements.iter().position(|element| element.as_ref().is_some_and(splits));
                let backwards = key.number.is_some_and(|number| number < 0);
                match (at.and_then(|at| usize::try_from(at).ok()), first_loose) {
                    (Some(at), None) => match elements.get(at) {
                        Some(Some(value)) => Element::One(vec![value.clone()]),
                        _ => Element::Missing,
                    },
                    (Some(at), Some(loose)) if at < loose && !backwards => match elements.get(at) {
                        Some(Some(value)) => Element::One(vec![value.clone()]),
                        _ => Element::Missing,
                    },
                    (None, None) if at.is_some() => Element::Missing,
                    _ => Element::One(elements.iter().flatten().cloned().collect()),
                }
            }
            Self::Map(entries) => {
                let loose = entries.iter().any(|(key, _)| key == ANY_KEY);
                match (&key.text, entries.iter().rev().find(|(name, _)| Some(name) == key.text.as_ref())) {
                    (Some(_), Some((_, value))) if !loose => Element::One(vec![value.clone()]),
                    (Some(_), None) if !loose => Element::Missing,
                    _ if entries.is_empty() => Element::Missing,
                    _ => Element::One(entries.iter().map(|(_, value)| value.clone()).collect()),
                }
            }
            Self::Reference(_) | Self::Unset | Self::Either(_) => Element::Missing,
        }
    }

    /// The same with another element at an index, for a thing that is no alternative of others.
    pub(super) fn with_element(self, name: &str, key: &Key, value: Value, append: bool) -> Self {
        let before = if append { self.element(key) } else { Element::Missing };
        let value = match (append, before) {
            (true, Element::One(before)) if before.len() == 1 => {
                let mut whole = before.into_iter().next().unwrap_or_default();
                whole.extend(value);
                whole
            }
            (true, Element::One(before)) => {
                let origins: Origins = before.iter().flat_map(Value::origins).chain(value.origins()).cloned().collect();
                Value::unknown(format!("${{{name}[…]}}"), origins)
            }
            (true, Element::Missing) | (false, _) => value,
        };
        let mut elements = match self {
            Self::Map(mut entries) => {
                let text = key.text.clone().unwrap_or_else(|| ANY_KEY.to_owned());
                match entries.iter_mut().find(|(name, _)| *name == text && text != ANY_KEY) {
                    Some((_, slot)) => *slot = value,
                    None => entries.push((text, value)),
                }
                return if entries.len() > MAX_LENGTH {
                    Self::unknown_list(name, Self::Map(entries).origins())
                } else {
                    Self::Map(entries)
                };
            }
            Self::Array(elements) => elements,
            Self::Scalar(values) => values.into_iter().take(1).map(Some).collect(),
            Self::Reference(_) | Self::Unset | Self::Either(_) => Vec::new(),
        };
        let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
        let at = key.number.map(|number| if number < 0 { length + number } else { number });
        let loose = elements.iter().flatten().any(splits);
        match at.and_then(|at| usize::try_from(at).ok()) {
            Some(at) if at < MAX_ELEMENTS && !loose => {
                if elements.len() <= at {
                    elements.resize(at + 1, None);
                }
                if let Some(slot) = elements.get_mut(at) {
                    *slot = Some(value);
                }
                Self::Array(elements)
            }
            // It stands there alone, at some index.
            _ if elements.is_empty() => Self::Map(vec![(ANY_KEY.to_owned(), value)]),
            _ => {
                elements.push(Some(value));
                Self::unknown_list(name, Self::Array(elements).origins())
            }
        }
    }

    /// The same without the element at an index, for a thing that is no alternative of others.
    pub(super) fn without_element(self, name: &str, key: &Key) -> Self {
        match self {
            Self::Map(mut entries) => match &key.text {
                Some(text) if !entries.iter().any(|(key, _)| key == ANY_KEY) => {
                    entries.retain(|(key, _)| key != text);
                    Self::Map(entries)
                }
                _ => Self::unknown_list(name, Self::Map(entries).origins()),
            },
            Self::Array(mut elements) => {
                let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
                let at = key.number.map(|number| if number < 0 { length + number } else { number });
                match at.and_then(|at| usize::try_from(at).ok()) {
                    Some(at) if !elements.iter().flatten().any(splits) => {
                        if let Some(slot) = elements.get_mut(at) {
                            *slot = None;
                        }
                        while matches!(elements.last(), Some(None)) {
                            elements.pop();
                        }
                        Self::Array(elements)
                    }
                    _ => Self::unknown_list(name, Self::Array(elements).origins()),
                }
            }
            Self::Scalar(_) if key.number == Some(0) => Self::Unset,
            other => other,
        }
    }

    /// The same with text behind it, or behind its first element, for a thing that is no alternative of others.
    pub(super) fn with_text(self, name: &str, tail: &Value) -> Self {
        match self {
            Self::Scalar(values) => {
                let grown = values.into_iter().map(|mut value| {
                    value.extend(tail.clone());
                    value
                });
                Self::Scalar(grown.collect())
            }
            Self::Array(_) | Self::Map(_) => {
                let first = Key { text: Some("0".to_owned()), number: Some(0) };
                self.with_element(name, &first, tail.clone(), true)
            }
            Self::Reference(_) | Self::Unset | Self::Either(_) => Self::text(tail.clone()),
        }
    }

    /// An array that is too long to be followed is unknown.
    pub(super) fn bounded(self, name: &str) -> Self {
        match &self {
            Self::Array(elements) if elements.len() > MAX_LENGTH => Self::unknown_list(name, self.origins()),
            Self::Map(entries) if entries.len() > MAX_LENGTH => Self::unknown_list(name, self.origins()),
            _ => self,
        }
    }
}

/// Whether it may be any number of words.
fn splits(value: &Value) -> bool {
    value.unknowns().any(|unknown| unknown.splits)
}
