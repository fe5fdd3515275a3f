//! Deletes judged by what is really there: what a pattern matches, what git can restore, what is lost for good.
//!
//! The file system is as it was before the text began, so that it says something about a delete only as long as nothing has
//! run that may have changed it. Where it says nothing, the text alone is judged, which is never weaker than law 5: what
//! the text names as absurd is judged by the text.

use std::rc::Rc;

use signoff_model::{Dialect, EffectKind, Fate, NewText, Reversible, Rewrite, Span, Stock};

use super::{
    call::Call,
    expand::pattern::push_plain,
    families,
    machine::{Locus, Shell},
    quote,
    written::Written,
};
use crate::{
    facts::{Discard, Discarded},
    path_effects::{self, Depth, OVERWRITE_LOST, WILDCARD_DELETE, Write},
    place::{Extent, Place},
    value::{Arg, Piece, Value},
    weighing::{self, MAX_LOOKUPS, Replaced, is_plain},
    words::{Words, lines},
};

/// Programs that look and leave everything as it is, whatever their options.
static READERS: Words<64> = Words::of_lines(lines![
    "ls", "cat", "head", "tail", "wc", "grep", "stat", "file", "du", "df", "pwd", "echo", "printf", "true", "test",
    "[", "date", "whoami", "basename", "dirname", "realpath", "readlink", "which", "sleep",
]);

/// Programs that run what they are given in the same directory, at once and only once.
static PASSING_ON: Words<64> = Words::of_lines(lines![
    "bash", "sh", "dash", "zsh", "ksh", "eval", "command", "builtin", "exec", "source", ".", "time", "timeout", "nice",
    "nohup", "env", "stdbuf", "ionice",
]);

/// What makes bash match patterns in another way than usual.
const OTHER_PATTERNS: &[&str] = &["shopt", "GLOBIGNORE", "noglob", "set -f", "BASHOPTS", "nocasematch"];

/// A command with more names than this is no alternative that anybody reads.
const OFFERED_AT_MOST: usize = 8;

/// Whether a text names what makes shells match patterns in another way than usual.
pub(super) fn names_other_patterns(text: &str) -> bool {
    OTHER_PATTERNS.iter().any(|sign| text.contains(sign))
}

/// What of a thing that is there is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacing {
    /// What is in it: a link is followed.
    Content,
    /// The thing of that name itself.
    Name,
}

/// Whether what a program is given runs where the shell stands, before anything else does.
pub(super) fn runs_here_and_now(name: &str) -> bool {
    PASSING_ON.holds(name)
}

impl Shell<'_> {
    /// A program has run: what it may have changed is not known to the file system of before.
    pub(super) fn note_disturbed(&mut self, call: &Call) {
        self.disturbed |= !READERS.holds(&call.name) && !families::git::only_looks(self, call);
    }

    /// Something that is not in this text has run before it.
    pub(crate) fn note_disturbed_before(&mut self) {
        self.disturbed = true;
    }

    /// Whether something has run that may have changed the file system.
    pub(crate) fn has_disturbed(&self) -> bool {
        self.disturbed
    }

    /// Judges a delete by what is really there. Tells whether that was possible.
    pub(super) fn delete_known(&mut self, arg: &Arg, named: &[Rc<Place>], depth: Depth) -> bool {
        if depth == Depth::EmptyOnly || !self.is_settled() || !self.may_look() {
            return false;
        }
        if !named.iter().all(|place| is_plain(place)) {
            return false;
        }
        let Some(there) = self.really_named(&arg.value) else { return false };
        let (plain, special): (Vec<Rc<Place>>, Vec<Rc<Place>>) = there.into_iter().partition(|place| is_plain(place));
        let paths: Vec<String> = plain.iter().map(|place| place.path.clone()).collect();
        let Some(stocks) = self.facts.stocks(&paths, self.whereabouts) else { return false };
        let mut stock = Stock::default();
        stocks.iter().for_each(|each| stock += *each);
        // Without its option, `rm` leaves directories alone.
        if depth != Depth::Recursive && stock.directories > 0 {
            return false;
        }
        for place in &special {
            self.delete_at(place, depth, arg.span);
            self.findings.at_stake(&place.path);
        }
        paths.iter().for_each(|path| self.findings.at_stake(path));
        let spared: Vec<&Rc<Place>> = plain
            .iter()
            .zip(&stocks)
            .filter(|(_, stock)| stock.worst() == Some(Fate::Rebuilt))
            .map(|(place, _)| place)
            .collect();
        let span = self.blamed(arg.span);
        for place in named {
            self.findings.told(place.target());
            self.forget_made_at(place);
            match weighing::delete(place, depth, &stock) {
                Some(rule) if rule.risk >= WILDCARD_DELETE.risk && place.is_pattern() && special.is_empty() => {
                    self.findings.report(&WILDCARD_DELETE, place.target(), place.scope, span);
                    if depth == Depth::Recursive && !spared.is_empty() && spared.len() < plain.len() {
                        self.offer_the_rest(&spared);
                    }
                }
                Some(rule) => self.findings.report(rule, place.target(), place.scope, span),
                None => self.findings.note(EffectKind::Delete, place.target(), place.scope, Reversible::Yes, span),
            }
        }
        true
    }

    /// Offers to delete only what a build makes again. The offer stands for the whole text, and so runs where that begins.
    fn offer_the_rest(&mut self, spared: &[&Rc<Place>]) {
        if spared.len() > OFFERED_AT_MOST {
            return;
        }
        let here = |place: &Rc<Place>| {
            place.path.strip_prefix(&self.whereabouts.cwd).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned)
        };
        let Some(names) = spared.iter().map(|place| here(place)).collect::<Option<Vec<String>>>() else { return };
        let names: Vec<String> = names.iter().map(|name| quote(&format!("./{name}"))).collect();
        self.findings.safer(format!("rm -rf {}", names.join(" ")));
    }

    /// Judges a write by what it would replace: nothing, what git or a build brings back, or what is lost. Tells whether
    /// that was possible.
    pub(super) fn overwrite_known(&mut self, place: &Place, how: Write, span: Span) -> bool {
        let weighed = matches!(how, Write::Replace | Write::Empty) && weighing::is_plain_to_write(place);
        if !weighed || place.extent != Extent::Exact || !self.may_look() {
            return false;
        }
        let settled = self.is_settled();
        // Behind other commands the file system may still raise what the text says, for what the text has not touched itself.
        if !settled && (!self.state.settings.elsewhere.is_empty() || self.state.written.contains_key(&place.path)) {
            return false;
        }
        let Some(stocks) = self.facts.stocks(std::slice::from_ref(&place.path), self.whereabouts) else { return false };
        match stocks.first().map_or(Replaced::ByName, |stock| weighing::overwrite(place, how, stock)) {
            Replaced::Known(rule) if !settled => {
                let lost = stocks.first().is_some_and(|stock| stock.worst() == Some(Fate::Lost));
                if lost {
                    self.findings.at_stake(&place.path);
                    self.findings.report(rule, place.target(), place.scope, span);
                }
                lost
            }
            _ if !settled => false,
            Replaced::Known(rule) => {
                self.findings.at_stake(&place.path);
                self.findings.told(place.target());
                self.findings.report(rule, place.target(), place.scope, span);
                self.replaced.push(place.path.clone());
                true
            }
            Replaced::Nothing => {
                path_effects::write(&mut self.findings, place, Write::New, span);
                true
            }
            Replaced::ByName => false,
        }
    }

    /// Notes what becomes of the files that the text replaces, where it says what they hold in the end.
    pub(crate) fn note_rewrites(&mut self) {
        for path in std::mem::take(&mut self.replaced) {
            let Some(content) = self.state.written.get(&path).and_then(Written::content) else { continue };
            let text = match content.known() {
                Some(_) if content.secret().is_some() => NewText::Secret,
                Some(text) => NewText::Whole(text.to_owned()),
                None => continue,
            };
            self.findings.rewrite(Rewrite { path, text });
        }
    }

    /// Says so where something goes over a file that nobody brings back: one of the name of the target, or of the name of
    /// the source where the target is a directory. What is not known is judged by the text.
    pub fn stake_replaced(&mut self, source: &Arg, target: &Arg, how: Replacing) {
        let Some(name) = source.known().map(|text| text.trim_end_matches('/')) else { return };
        let name = name.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | "..")).map(str::to_owned);
        if target.known().is_none() || !self.is_settled() || !self.may_look() {
            return;
        }
        let there = self.place(&target.value);
        let place = match name {
            Some(name) if self.facts.names(&there.path).is_some() => {
                self.entry(&Value::text(format!("{}/{name}", there.path.trim_end_matches('/'))))
            }
            Some(_) if how == Replacing::Name => self.entry(&target.value),
            _ => there,
        };
        if place.extent != Extent::Exact || !is_plain(&place) || place.nature.is_passing() {
            return;
        }
        let stocks = self.facts.stocks(std::slice::from_ref(&place.path), self.whereabouts);
        let Some(stock) = stocks.as_ref().and_then(|stocks| stocks.first()) else { return };
        // A directory is not replaced by anything unless it is empty.
        if stock.directories == 0 && stock.worst() == Some(Fate::Lost) {
            let span = self.blamed(target.span);
            self.findings.at_stake(&place.path);
            self.findings.told(place.target());
            self.findings.report(&OVERWRITE_LOST, place.target(), place.scope, span);
        }
    }

    /// What git would throw away where the shell stands, if that can be told.
    pub(super) fn discarded(&mut self, discard: &Discard) -> Option<Discarded> {
        if !self.is_settled() || !self.may_look() {
            return None;
        }
        self.facts.discarded(self.cwd()?, discard, self.whereabouts)
    }

    /// Whether the file system is still as it was before the text began, and the text is followed in its order.
    fn is_settled(&self) -> bool {
        // In code of other languages the order of things is not followed.
        let followed = self.loaders.is_empty() && !self.concurrent && self.state.settings.elsewhere.is_empty();
        // Other programs run it in another directory, again and again, or when nobody looks any more.
        let directly = self.hosts <= 1 && self.traps.is_empty();
        followed && directly && !self.disturbed && !self.links && !self.moves && self.state.settings.mounts.is_empty()
    }

    /// The things that a value names, as they are: none if that cannot be told, an empty list if there is nothing.
    fn really_named(&self, value: &Value) -> Option<Vec<Rc<Place>>> {
        if value.known().is_some() {
            return Some(vec![self.entry(value)]);
        }
        if self.dialect != Dialect::Bash || self.other_patterns {
            return None;
        }
        let found = self.facts.matches(self.cwd()?, &pattern(value)?)?;
        Some(found.into_iter().map(|path| self.entry(&Value::text(path))).collect())
    }

    /// Whether the file system may be asked, once more.
    fn may_look(&mut self) -> bool {
        let may = self.facts.reads_files() && *self.locus() == Locus::Here && self.lookups < MAX_LOOKUPS;
        self.lookups += usize::from(may);
        may
    }

    /// Remembers what would be shown as lost, where the text alone is judged.
    pub(super) fn stake_named(&mut self, value: &Value, places: &[Rc<Place>]) {
        let named = if self.may_look() { self.really_named(value) } else { None };
        if let Some(named) = named {
            named.iter().for_each(|place| self.findings.at_stake(&place.path));
            places.iter().for_each(|place| self.findings.told(place.target()));
        }
    }
}

/// A value with living patterns as one text; none if a part of it is not known.
fn pattern(value: &Value) -> Option<String> {
    let mut text = String::new();
    for piece in value.pieces() {
        match piece {
            Piece::Text(part) => push_plain(&mut text, part),
            Piece::Glob(part) => text.push_str(part),
            Piece::Unknown(_) => return None,
        }
    }
    Some(text)
}
