//! Files that the text has written, so that running or reading one later is judged by what is in it.

use super::{machine::Shell, run::Language};
use crate::{
    place::{Extent, Nature, Place, is_within},
    value::{Arg, Feed, Origin},
};

/// What the text has made of a file before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// Its content is what flowed in.
    Content(Feed),
    /// It is a copy of, or a link to, this program.
    Program(String),
    /// It is a symbolic link to this path.
    Link(String),
    /// It is a directory that was fetched or unpacked: nobody has seen what lies below it.
    Tree {
        /// The address or the archive.
        from: String,
        /// Whether it was unpacked among other files, so that not everything below came with it.
        among_others: bool,
    },
    /// A compiler made it from this source.
    Compiled(Language, Feed),
}

impl Written {
    /// What is in a file that is one of the two, as different ways through the text leave it: whatever runs it runs
    /// both.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Content(first), Self::Content(second)) => Self::Content(first.or(second)),
            // Neither is better known than the other; what has content can be read.
            (Self::Content(feed), _) | (_, Self::Content(feed)) => Self::Content(feed),
            (first, _) => first,
        }
    }
}

impl Shell<'_> {
    /// Remembers what the text has made of a file.
    pub fn remember_written(&mut self, arg: &Arg, written: Written) {
        let place = self.place(&arg.value);
        if place.extent == Extent::Exact {
            self.state.written.insert(place.path, written);
        }
    }

    /// Remembers what the text has put at a place, itself and not where a link there leads.
    pub fn remember_made(&mut self, entry: &Place, written: Written) {
        if entry.extent == Extent::Exact {
            self.state.written.insert(entry.path.clone(), written);
        }
    }

    /// What the text has made of a file before.
    pub fn written(&self, path: &str) -> Option<&Written> {
        self.state.written.get(path)
    }

    /// What a command wrote to a file is remembered, so that running the file is judged by it.
    pub(super) fn remember_output(&mut self, path: String, feed: Feed, append: bool) {
        let content = match (self.state.written.remove(&path), append) {
            (Some(Written::Content(before)), true) => before.then(feed),
            _ => feed,
        };
        self.state.written.insert(path, Written::Content(content));
    }

    /// Something else that is not known may have been written to a file.
    pub(super) fn complain_into(&mut self, path: &str) {
        if let Some(Written::Content(feed)) = self.state.written.get(path) {
            let unread = feed.clone().or(Feed::from(Origin::Program(String::new())));
            self.state.written.insert(path.to_owned(), Written::Content(unread));
        }
    }

    /// A file was changed in a way that is not followed: what the text knew of it holds no longer.
    pub(super) fn forget_written(&mut self, place: &Place) {
        if self.state.written.contains_key(&place.path) && place.nature != Nature::Stream {
            let unread = Feed::from(Origin::File(place.shown.clone()));
            self.state.written.insert(place.path.clone(), Written::Content(unread));
        }
    }

    /// Files may have come to lie below a directory, in the place of those that the text knows.
    pub(super) fn forget_below(&mut self, directory: &str) {
        let known: Vec<String> = self
            .state
            .written
            .iter()
            .filter(|(path, written)| is_within(path, directory) && matches!(written, Written::Content(_)))
            .map(|(path, _)| path.to_owned())
            .collect();
        for path in known {
            let unread = Feed::from(Origin::File(path.clone()));
            self.state.written.insert(path, Written::Content(unread));
        }
    }

    /// What lies at one path, and below it, lies at the other as well.
    pub fn remember_copy(&mut self, from: &str, to: &str) {
        if from.is_empty() || to.is_empty() {
            return;
        }
        let copies: Vec<(String, Written)> = self
            .state
            .written
            .iter()
            .filter_map(|(path, written)| {
                let rest = path.strip_prefix(from).filter(|rest| rest.starts_with('/'))?;
                Some((format!("{to}{rest}"), written.clone()))
            })
            .collect();
        for (path, written) in copies {
            self.state.written.insert(path, written);
        }
    }
}
