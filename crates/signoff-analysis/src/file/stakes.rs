//! File operations judged by what is really there, as deletes and writes of a shell are.
//!
//! Only for plain places; what the text names as absurd, as a secret or as a setting is judged by the text. Without facts
//! everything is.

use std::cell::{Cell, RefCell};

use signoff_model::{EffectKind, Fate, Reversible, Span, Stock};

use super::{Reader, depth_of, names_data};
use crate::{
    path_effects::{self, DELETE_UNIGNORED, Depth, WRITE_FILE, Write},
    place::{Extent, Nature, Place},
    rule::Rule,
    value::Value,
    weighing::{self, MAX_LOOKUPS, Replaced},
};

/// The file system as the operations of one call find it, one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    lookups: Cell<usize>,
    disturbed: Cell<bool>,
    /// What was answered last: one operation asks about the same path more than once.
    answered: RefCell<Option<(String, Option<Stock>)>>,
}

impl Ground {
    /// Something was done that may have put other things where something is looked for.
    pub(crate) fn disturb(&self) {
        self.disturbed.set(true);
    }

    /// Whether the file system may be another one by now.
    pub(crate) fn is_disturbed(&self) -> bool {
        self.disturbed.get()
    }
}

impl Reader<'_> {
    /// How much stands at a path; none where nobody can tell.
    fn stock(&self, path: &str) -> Option<Stock> {
        if path.is_empty() || !self.may_look() {
            return None;
        }
        if let Some((asked, answer)) = &*self.ground.answered.borrow()
            && asked == path
        {
            return *answer;
        }
        self.ground.lookups.set(self.ground.lookups.get() + 1);
        let asked = path.to_owned();
        let stocks = self.facts.stocks(std::slice::from_ref(&asked), self.whereabouts);
        let answer = stocks.and_then(|stocks| stocks.first().copied());
        *self.ground.answered.borrow_mut() = Some((asked, answer));
        answer
    }

    /// Whether the file system may be asked, and is still as it was before the first operation.
    fn may_look(&self) -> bool {
        self.facts.reads_files() && !self.ground.is_disturbed() && self.ground.lookups.get() < MAX_LOOKUPS
    }

    /// Whether a file is known to stand at a place.
    pub(super) fn is_file(&self, place: &Place) -> bool {
        let is_file = |stock: Stock| stock.directories == 0 && stock.worst().is_some();
        place.extent == Extent::Exact && self.stock(&place.path).is_some_and(is_file)
    }

    /// Whether something stands where another reading of a path leads, or is too much to tell. A tool that trims or decodes
    /// a path finds it there. Where nobody can look, what is written is judged by the text, which says enough.
    pub(super) fn is_there(&self, path: &str, written: &str) -> bool {
        if !self.may_look() {
            return false;
        }
        let place = self.place(path);
        // The file system itself says whether it minds the case of letters.
        if place.path.eq_ignore_ascii_case(&self.place(written).path) {
            return false;
        }
        place.extent == Extent::Exact && self.stock(&place.path).is_none_or(|stock| !is_empty(&stock))
    }

    /// The entry that a path names: a link, and not what it leads to.
    pub(crate) fn entry(&self, path: &str) -> Place {
        if path.contains(['*', '?']) {
            return self.place(path);
        }
        let cwd = Some(self.whereabouts.cwd.as_str());
        Place::resolve_entry(&Value::text(path), cwd, self.whereabouts, self.facts)
    }

    /// What goes with a path: the entry itself, unless what it leads to must never go. Some tools look where a link leads
    /// before they act.
    fn going(&self, path: &str, rule: impl Fn(&Place) -> Option<&'static Rule>) -> Place {
        let (entry, leads) = (self.entry(path), self.place(path));
        let is_absurd = rule(&leads).is_some_and(|rule| rule.prohibition.is_some());
        if entry.path != leads.path && is_absurd { leads } else { entry }
    }

    /// Something is gone or replaced: what there is of it is shown.
    fn stake(&mut self, place: &Place) {
        self.findings.at_stake(&place.path);
        self.findings.told(place.target());
    }

    /// The path names something that would be deleted.
    pub(super) fn delete(&mut self, path: &str, span: Span) {
        let place = self.going(path, |place| path_effects::delete_rule(place, depth_of(path, place)));
        let stock = if place.extent == Extent::Exact { self.stock(&place.path) } else { None };
        if stock.is_none_or(|stock| !is_empty(&stock)) && self.may_stake(&place) {
            self.findings.unlinked(&place.path);
            self.findings.told(place.target());
        }
        let Some(stock) = stock.filter(|_| weighing::is_plain(&place)) else {
            // Too much to be looked through: its name alone does not make it what a build makes.
            let unproven = weighing::is_plain(&place)
                && place.nature.is_passing()
                && self.may_look()
                && self.facts.is_made_again(&place.path, self.whereabouts) == Some(false);
            if unproven {
                return self.findings.report(&DELETE_UNIGNORED, place.target(), place.scope, span);
            }
            let known =
                stock.filter(|_| place.nature == Nature::Important).and_then(|stock| weighing::way_back(&stock));
            return match known {
                Some(known) => {
                    path_effects::delete_known(self.findings, &place, depth_of(path, &place), known, span);
                }
                None => path_effects::delete(self.findings, &place, depth_of(path, &place), span),
            };
        };
        let depth = if stock.directories > 0 { Depth::Recursive } else { Depth::Single };
        match weighing::delete(&place, depth, &stock) {
            Some(rule) => self.findings.report(rule, place.target(), place.scope, span),
            None => self.findings.note(EffectKind::Delete, place.target(), place.scope, Reversible::Yes, span),
        }
    }

    /// Whether it is worth a look what would go, where the verdict does not depend on it.
    fn may_stake(&self, place: &Place) -> bool {
        self.facts.reads_files() && place.extent == Extent::Exact && !place.path.is_empty()
    }

    /// Judges a write by what it would replace. Tells whether that was possible.
    pub(super) fn write_known(&mut self, place: &Place, how: Write, span: Span) -> bool {
        let nothing_stays = matches!(place.nature, Nature::Stream | Nature::Connection | Nature::Disk);
        // What is added to a file takes nothing from it.
        let weighed = how != Write::Append && place.extent == Extent::Exact;
        if !weighed || nothing_stays || place.nature.is_passing() {
            return false;
        }
        let Some(stock) = self.stock(&place.path) else { return false };
        let there = stock.worst().is_some() && stock.directories == 0;
        if there {
            self.stake(place);
        }
        if !weighing::is_plain_to_write(place) {
            return false;
        }
        // Who makes a file where one stands replaces it.
        let how = if there && how == Write::New { Write::Replace } else { how };
        match weighing::overwrite(place, how, &stock) {
            Replaced::Known(rule) => self.findings.report(rule, place.target(), place.scope, span),
            Replaced::Nothing => path_effects::write(self.findings, place, Write::New, span),
            // The rest of the file stays, and git has not got what was there before.
            Replaced::ByName if how == Write::Edit && stock.worst() == Some(Fate::Lost) && there => {
                self.findings.report_as(&WRITE_FILE, Reversible::WithBackup, place.target(), place.scope, span);
            }
            Replaced::ByName => return false,
        }
        true
    }

    /// Something that is known by its path is moved to another one.
    pub(super) fn relocate(&mut self, path: &str, to: &str, span: Span, to_span: Span) {
        let to = self.place(to);
        let from = self.going(path, |from| path_effects::move_rule(from, &to));
        let stock = if from.extent == Extent::Exact { self.stock(&from.path) } else { None };
        match stock {
            Some(stock) if is_empty(&stock) && weighing::is_plain(&from) => {
                self.findings.note(EffectKind::Move, from.target(), from.scope, Reversible::Yes, span);
            }
            _ => {
                let rule = path_effects::move_rule(&from, &to);
                let away = rule.is_some_and(|rule| rule.reversible != Reversible::Yes);
                if away && stock.is_none_or(|stock| !is_empty(&stock)) && self.may_stake(&from) {
                    self.stake(&from);
                }
                path_effects::carry_off(self.findings, &from, &to, span);
            }
        }
        let is_itself = from.path == to.path && from.extent == Extent::Exact && to.extent == Extent::Exact;
        if to.nature != Nature::Stream && !is_itself {
            self.arrive(&from, &to, to_span);
        }
    }

    /// Whether it is known that nothing lies at a place which nobody could bring back.
    pub(super) fn is_kept_by_git(&mut self, place: &Place) -> bool {
        self.stock(&place.path).is_some_and(|stock| stock.worst() != Some(Fate::Lost))
    }

    /// Something is put at a place, or into it where it is a directory.
    pub(super) fn arrive(&mut self, from: &Place, to: &Place, span: Span) {
        let is_directory = weighing::is_plain(to)
            && to.extent == Extent::Exact
            && from.extent == Extent::Exact
            && self.stock(&to.path).is_some_and(|stock| stock.directories > 0);
        let inside = is_directory.then(|| {
            let path = format!("{}/{}", to.path.trim_end_matches('/'), from.file_name());
            Place::of_path(&path, None, self.whereabouts, self.facts)
        });
        let to = inside.as_ref().unwrap_or(to);
        self.note_copied(from, to);
        if self.write_known(to, Write::Replace, span) {
            return;
        }
        match names_data(to) {
            true => self.replace(to, span),
            false => path_effects::write(self.findings, to, Write::Replace, span),
        }
    }
}

fn is_empty(stock: &Stock) -> bool {
    stock.directories == 0 && stock.worst().is_none()
}
