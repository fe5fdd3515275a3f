//! Deletes and overwrites judged by what is really there: what a pattern matches, what git can restore, what is lost for
//! good.
//!
//! The file system is as it was before the text began. As long as nothing has run that may have changed it, it speaks for
//! and against what the text does; behind that, it only speaks against it ([`Testimony`]). Where it says nothing, the text
//! alone is judged, which is never weaker than law 5: what the text names as absurd is judged by the text.

use std::rc::Rc;

use memchr::memmem;
use signoff_model::{Dialect, EffectKind, Fate, NewText, Reversible, Rewrite, Risk, Span, Stock};

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
    path_effects::{self, DELETE_UNIGNORED, Depth, OVERWRITE_LINKED, OVERWRITE_LOST, WILDCARD_DELETE, Write},
    place::{Extent, Nature, Place, is_within},
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
    // The whole text is looked through for each of them.
    OTHER_PATTERNS.iter().any(|sign| memmem::find(text.as_bytes(), sign.as_bytes()).is_some())
}

/// What the file system of before the text is worth for what the text does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Testimony {
    /// Nothing has run that may have changed it: what it knows makes a judgement milder or graver.
    Whole,
    /// Something has run: what it knows may only make a judgement graver.
    Against,
}

/// Whether what a program is given runs where the shell stands, before anything else does.
pub(super) fn runs_here_and_now(name: &str) -> bool {
    PASSING_ON.holds(name)
}

impl Shell<'_> {
    /// A program has run: what it may have changed is not known to the file system of before.
    pub(super) fn note_disturbed(&mut self, call: &Call) {
        // Behind the first of them, the others change nothing.
        self.disturbed = self.disturbed || !READERS.holds(&call.name) && !families::git::only_looks(self, call);
    }

    /// Something that is not in this text has run before it.
    pub(crate) fn note_disturbed_before(&mut self) {
        self.disturbed = true;
    }

    /// Whether something has run that may have changed the file system.
    pub(crate) fn has_disturbed(&self) -> bool {
        self.disturbed
    }

    /// What the file system may say about what happens now; none where the shell may stand anywhere.
    pub(super) fn testimony(&self) -> Option<Testimony> {
        match self.is_settled() {
            true => Some(Testimony::Whole),
            false => self.state.settings.elsewhere.is_empty().then_some(Testimony::Against),
        }
    }

    /// Whether the text has moved away what stood at a path.
    pub(super) fn has_departed(&self, path: &str) -> bool {
        self.departed.iter().any(|departed| is_within(path, departed))
    }

    /// Judges a delete by what is really there. Tells whether that was possible.
    pub(super) fn delete_known(&mut self, arg: &Arg, named: &[Rc<Place>], depth: Depth) -> bool {
        let Some(testimony) = self.testimony().filter(|_| depth != Depth::EmptyOnly) else { return false };
        if !self.may_look() || !named.iter().all(|place| is_plain(place)) {
            return false;
        }
        let Some(there) = self.really_named(&arg.value) else { return self.delete_uncounted(arg, named, depth) };
        let (plain, special): (Vec<Rc<Place>>, Vec<Rc<Place>>) = there.into_iter().partition(|place| is_plain(place));
        let paths: Vec<String> = plain.iter().map(|place| place.path.clone()).collect();
        let Some(stocks) = self.facts.stocks(&paths, self.whereabouts) else {
            return self.delete_uncounted(arg, named, depth);
        };
        let mut stock = Stock::default();
        stocks.iter().for_each(|each| stock += *each);
        // Without its option, `rm` leaves directories alone.
        if depth != Depth::Recursive && stock.directories > 0 {
            return false;
        }
        // Behind other commands nothing is said about what the text alone asks about already.
        let raises = |place: &Rc<Place>| {
            let by_name = path_effects::delete_rule(place, depth).map_or(Risk::None, |rule| rule.risk);
            by_name <= Risk::Low && weighing::delete(place, depth, &stock).is_some_and(|rule| rule.risk > Risk::Low)
        };
        let departed = || paths.iter().any(|path| self.has_departed(path));
        if testimony == Testimony::Against && (!named.iter().all(raises) || departed()) {
            return false;
        }
        for place in &special {
            self.delete_at(place, depth, arg.span);
            self.findings.at_stake(&place.path);
        }
        match self.unlinks {
            true => paths.iter().for_each(|path| self.findings.unlinked(path)),
            false => paths.iter().for_each(|path| self.findings.at_stake(path)),
        }
        let spared: Vec<&Rc<Place>> = plain
            .iter()
            .zip(&stocks)
            .filter(|(_, stock)| stock.worst() == Some(Fate::Rebuilt))
            .map(|(place, _)| place)
            .collect();
        let span = self.blamed(arg.span);
        for place in named {
            if testimony == Testimony::Whole {
                self.findings.told(place.target());
            }
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
            self.delete_moved(place, depth, span);
        }
        true
    }

    /// How a file that the project does not work without could come back: it is grave to lose whatever the answer, and the card
    /// says the same about it in every row.
    pub(super) fn way_back(&mut self, place: &Place) -> Option<Reversible> {
        let known = place.nature == Nature::Important && place.extent == Extent::Exact;
        if !known || self.testimony() != Some(Testimony::Whole) || !self.may_look() {
            return None;
        }
        let stocks = self.facts.stocks(std::slice::from_ref(&place.path), self.whereabouts)?;
        weighing::way_back(stocks.first()?)
    }

    /// Judges a delete of more than can be looked through in passing: what has only the name of something that a build makes is not
    /// taken for that. Tells whether there is such a thing.
    fn delete_uncounted(&mut self, arg: &Arg, named: &[Rc<Place>], depth: Depth) -> bool {
        let is_unproven = |place: &Rc<Place>| {
            place.nature.is_passing() && self.facts.is_made_again(&place.path, self.whereabouts) == Some(false)
        };
        let (unproven, others): (Vec<&Rc<Place>>, Vec<&Rc<Place>>) = named.iter().partition(|place| is_unproven(place));
        if unproven.is_empty() {
            return false;
        }
        self.stake_named(&arg.value, named);
        let span = self.blamed(arg.span);
        for place in unproven {
            self.findings.report(&DELETE_UNIGNORED, place.target(), place.scope, span);
            self.forget_made_at(place);
            self.delete_moved(place, depth, span);
        }
        others.iter().for_each(|place| self.delete_at(place, depth, arg.span));
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
        let Some(testimony) = self.testimony() else { return false };
        // What the text has put there itself is not what was there before.
        let touched = || self.state.written.contains_key(&place.path) || self.has_departed(&place.path);
        if testimony == Testimony::Against && touched() {
            return false;
        }
        let Some(stocks) = self.facts.stocks(std::slice::from_ref(&place.path), self.whereabouts) else { return false };
        let Some(stock) = stocks.first() else { return false };
        // Whoever writes into a file changes it under each of its names, and git brings back no more than one of them.
        if matches!(stock.worst(), Some(Fate::Git | Fate::Rebuilt)) && self.facts.has_other_names(&place.path) {
            self.findings.report(&OVERWRITE_LINKED, place.target(), place.scope, span);
        }
        match weighing::overwrite(place, how, stock) {
            Replaced::Known(_) if testimony == Testimony::Against && stock.worst() != Some(Fate::Lost) => false,
            Replaced::Known(rule) => {
                self.findings.at_stake(&place.path);
                self.findings.report(rule, place.target(), place.scope, span);
                if testimony == Testimony::Whole {
                    self.findings.told(place.target());
                    self.replaced.push(place.path.clone());
                }
                true
            }
            Replaced::Nothing if testimony == Testimony::Whole => {
                path_effects::write(&mut self.findings, place, Write::New, span);
                true
            }
            Replaced::Nothing | Replaced::ByName => false,
        }
    }

    /// Says so where a file is changed or replaced that is there, as far as is known, and that nobody brings back. What the
    /// text alone says of it is for others to say.
    pub fn overwrite_lost(&mut self, place: &Place, span: Span) {
        let is_exact = weighing::is_plain_to_write(place) && place.extent == Extent::Exact;
        if !is_exact || self.testimony() != Some(Testimony::Whole) || !self.may_look() {
            return;
        }
        let Some(stocks) = self.facts.stocks(std::slice::from_ref(&place.path), self.whereabouts) else { return };
        let is_lost = |stock: &Stock| stock.directories == 0 && stock.worst() == Some(Fate::Lost);
        if stocks.iter().any(is_lost) && !place.nature.is_passing() {
            let span = self.blamed(span);
            self.findings.at_stake(&place.path);
            self.findings.report(&OVERWRITE_LOST, place.target(), place.scope, span);
            self.findings.told(place.target());
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

    /// What git would throw away where the shell stands, if that can be told, and what that is worth.
    pub(super) fn discarded(&mut self, discard: &Discard) -> Option<(Discarded, Testimony)> {
        let testimony = self.testimony()?;
        if !self.may_look() {
            return None;
        }
        Some((self.facts.discarded(self.cwd()?, discard, self.whereabouts)?, testimony))
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
    pub(super) fn really_named(&self, value: &Value) -> Option<Vec<Rc<Place>>> {
        if value.known().is_some() {
            return Some(vec![self.entry(value)]);
        }
        Some(self.matched(value)?.into_iter().map(|path| self.entry(&Value::text(path))).collect())
    }

    /// The words that bash makes of a value with patterns; none if that cannot be told.
    pub(super) fn matched(&self, value: &Value) -> Option<Vec<String>> {
        if self.dialect != Dialect::Bash || self.other_patterns {
            return None;
        }
        self.facts.matches(self.cwd()?, &pattern(value)?)
    }

    /// Whether the file system may be asked, once more.
    pub(super) fn may_look(&mut self) -> bool {
        let may = self.facts.reads_files() && *self.locus() == Locus::Here && self.lookups < MAX_LOOKUPS;
        self.lookups += usize::from(may);
        may
    }

    /// Remembers what would be shown as lost, where the text alone is judged.
    pub(super) fn stake_named(&mut self, value: &Value, places: &[Rc<Place>]) {
        let named = if self.may_look() { self.really_named(value) } else { None };
        if let Some(named) = named {
            match self.unlinks {
                true => named.iter().for_each(|place| self.findings.unlinked(&place.path)),
                false => named.iter().for_each(|place| self.findings.at_stake(&place.path)),
            }
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
