//! What the variables of a text may hold, and where.
//!
//! A text is read from its beginning to its end, but it does not run like that: a loop comes back to its head with what
//! its body has set, a function is called when what stands around it has been set again, and a branch may be left out.
//! So each place that sets a variable is remembered with what it sets, from one reading to the next, and a place that
//! uses the variable may find there whatever can have reached it.

use super::{
    structure::{Scope, Structure},
    thing::Thing,
};
use crate::value::{Origin, Origins};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// So many variables are told apart, so many places that set one, and so many values that such a place gives it.
const VARIABLES: usize = 4096;
const SITES: usize = 24;
const VALUES: usize = 6;
/// A value that is made of the one before it is followed so many times.
const ROUNDS: usize = 1;
/// A list that grows is followed up to this length.
const LONGEST: usize = 64;
/// All values together.
const TOTAL: usize = 4096;
/// So many uses of a variable are remembered.
const USES: usize = 32;

/// A place in the text: the token, and where within a text that stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) at: usize,
    /// The token of the text within the text.
    pub(super) within: Option<usize>,
}

/// How a variable is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// Whether whoever comes to the end of the block has come by here.
    pub(super) sure: bool,
    /// Whether the value is made of the one that the variable had.
    pub(super) grows: bool,
    /// Whether it is set to nothing at all.
    pub(super) blank: bool,
    /// Whether only something in it changes: that makes it nobody's own variable.
    pub(super) within: bool,
}

/// A place that sets a variable.
#[derive(Clone, Debug)]
struct Site {
    spot: Spot,
    sure: bool,
    values: Vec<Thing>,
    /// There are more values than are told apart; where those come from.
    wide: Option<Origins>,
    /// A number that grows, and whether there are several.
    number: Option<Thing>,
    numbers: bool,
    /// What it has set in this reading, and whether the reading has come by.
    current: Option<Thing>,
    passed: bool,
}

#[derive(Clone, Debug, Default)]
struct Variable {
    sites: Vec<Site>,
    /// The functions that set it.
    functions: HashSet<Scope>,
    /// The place that was the last to set it in this reading.
    last: Option<usize>,
    /// The same, among more places than are told apart, and whether it sets it for certain.
    newest: Option<(Spot, bool)>,
    /// More places set it than are told apart.
    crowded: bool,
    /// What it may hold other than what the order of the text says, and whether that looks special, as soon as it was asked.
    others: Vec<(Other, Option<bool>)>,
    uses: Vec<Spot>,
    /// There are more uses than that.
    much_used: bool,
}

/// Something that a variable may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    /// What a place has set in this reading.
    Current(usize),
    /// One of the values of a place.
    Value(usize, usize),
    /// Any of many values of a place.
    Wide(usize),
}

/// How a value gets from where it is set to where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// In the order of the text.
    On,
    /// By way of a loop or a call.
    Around,
}

/// What a variable may hold at a place.
#[derive(Debug)]
pub(super) struct Found {
    /// The number of the variable.
    pub(super) variable: usize,
    /// What it holds if everything runs in the order of the text.
    pub(super) base: Option<Thing>,
    /// What it may hold instead.
    pub(super) others: Vec<Choice>,
}

/// One of the values that a variable may hold instead of the first.
#[derive(Debug)]
pub(super) struct Choice {
    /// Which of all those of the variable it is.
    pub(super) number: usize,
    pub(super) thing: Thing,
    /// Whether it looks special, as far as that is known.
    pub(super) special: Option<bool>,
}

/// What all variables of a text may hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    structure: Option<Rc<Structure>>,
    names: HashMap<String, usize>,
    variables: Vec<Variable>,
    total: usize,
    /// A number is used that comes around, or a variable that is set in too many places.
    blurred: bool,
}

/// How a number is named that may be any.
pub(super) const COUNTED: &str = "a number";

/// Whether it is a number or a truth: nothing that a file or a program is named by.
pub(super) fn is_counted(thing: &Thing) -> bool {
    matches!(thing, Thing::Number(_) | Thing::Truth(_)) || matches!(thing, Thing::Result { of, .. } if of == COUNTED)
}

impl Held {
    /// A reading of the text begins.
    pub(super) fn begin(&mut self, structure: impl FnOnce() -> Structure) {
        self.structure.get_or_insert_with(|| Rc::new(structure()));
        for variable in &mut self.variables {
            (variable.last, variable.newest) = (None, None);
            variable.sites.iter_mut().for_each(|site| (site.current, site.passed) = (None, false));
        }
    }

    /// Whether everything runs in the order of the text.
    pub(super) fn is_plain(&self) -> bool {
        self.structure.as_ref().is_none_or(|structure| structure.is_plain())
    }

    /// Whether a name is a parameter of the function around a place.
    pub(super) fn is_parameter(&self, name: &str, spot: Spot) -> bool {
        self.structure.as_ref().is_some_and(|structure| structure.declares(name, spot.at))
    }

    /// How much is known.
    pub(super) fn size(&self) -> usize {
        self.total
    }

    /// A variable is set. Says whether that can be remembered.
    pub(super) fn set(&mut self, name: &str, spot: Spot, thing: &Thing, how: Setting) -> bool {
        let Some(structure) = self.structure.clone().filter(|structure| !structure.is_plain()) else { return true };
        let Some(variable) = self.number_of(name) else { return false };
        let function = structure.function_at(spot.at);
        let Some(variable) = self.variables.get_mut(variable) else { return false };
        if !how.within {
            variable.functions.insert(function);
        }
        variable.newest = Some((spot, how.sure));
        let known = variable.sites.iter().position(|site| site.spot == spot);
        let at = match known {
            Some(at) => at,
            None if variable.sites.len() < SITES => {
                let sure = how.sure;
                variable.sites.push(Site {
                    spot,
                    sure,
                    values: Vec::new(),
                    wide: None,
                    number: None,
                    numbers: false,
                    current: None,
                    passed: false,
                });
                variable.sites.len() - 1
            }
            None => {
                variable.crowded = true;
                variable.last = None;
                return true;
            }
        };
        variable.last = Some(at);
        let Some(site) = variable.sites.get_mut(at) else { return false };
        site.passed = true;
        if how.blank {
            site.current = None;
            return true;
        }
        site.current = Some(thing.clone());
        self.total += usize::from(site.keep(thing, how.grows, self.total >= TOTAL));
        true
    }

    fn number_of(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = self.names.get(name) {
            return Some(*number);
        }
        if self.variables.len() >= VARIABLES {
            return None;
        }
        self.names.insert(name.to_owned(), self.variables.len());
        self.variables.push(Variable::default());
        Some(self.variables.len() - 1)
    }

    /// What a variable may hold at a place; `flow` is what was set last in the order of the text.
    pub(super) fn find(&mut self, name: &str, spot: Spot, flow: Option<Thing>) -> Found {
        let known = self.structure.clone().filter(|structure| !structure.is_plain()).zip(self.number_of(name));
        let Some((structure, number)) = known else {
            return Found { variable: 0, base: flow, others: Vec::new() };
        };
        let Some(variable) = self.variables.get_mut(number) else {
            return Found { variable: 0, base: flow, others: Vec::new() };
        };
        if variable.uses.len() >= USES {
            variable.much_used = true;
        } else if !variable.uses.contains(&spot) {
            variable.uses.push(spot);
        }
        if variable.crowded {
            return Found { variable: number, base: variable.in_crowd(spot, flow, &structure), others: Vec::new() };
        }
        let reaching = variable.reaching(name, spot, &structure);
        let flows = reaching.is_empty() || reaching.iter().any(|(site, _)| Some(*site) == variable.last);
        let mut base = if flows { flow } else { None };
        let mut found: Vec<(Other, Thing)> = Vec::new();
        let mut numbers = Vec::new();
        for (at, way) in reaching {
            if Some(at) == variable.last && way == Way::On {
                continue;
            }
            let Some(site) = variable.sites.get(at) else { continue };
            if way == Way::On && site.passed {
                found.extend(site.current.iter().map(|thing| (Other::Current(at), thing.clone())));
                continue;
            }
            let values = site.values.iter().enumerate();
            found.extend(values.map(|(nth, thing)| (Other::Value(at, nth), thing.clone())));
            if let Some(origins) = &site.wide {
                found.push((Other::Wide(at), anything(origins.clone())));
            }
            numbers.extend(site.number.clone());
            if site.numbers {
                numbers.push(Thing::result(COUNTED, Vec::new()));
            }
        }
        if base.is_none() && !found.is_empty() {
            base = Some(found.remove(0).1);
        }
        if base.as_ref().is_none_or(is_counted) && numbers.iter().any(|number| Some(number) != base.as_ref()) {
            base = Some(Thing::result(COUNTED, Vec::new()));
        }
        let mut others: Vec<Choice> = Vec::new();
        for (other, thing) in found {
            if base.as_ref() == Some(&thing) || others.iter().any(|choice| choice.thing == thing) {
                continue;
            }
            let (number, special) = variable.number_of(other);
            others.push(Choice { number, thing, special });
        }
        Found { variable: number, base, others }
    }

    /// Says whether one of the values looks special.
    pub(super) fn mark(&mut self, variable: usize, number: usize, special: bool) {
        let other = self.variables.get_mut(variable).and_then(|variable| variable.others.get_mut(number));
        if let Some((_, marked)) = other {
            *marked = Some(special);
        }
    }

    /// How many values a variable may hold besides the first, and which of them may be special.
    pub(super) fn counts(&self, variable: usize) -> (usize, Vec<usize>) {
        let others = self.variables.get(variable).map_or(&[][..], |variable| variable.others.as_slice());
        let special = others.iter().enumerate().filter(|(_, (_, special))| *special != Some(false)).map(|(at, _)| at);
        (others.len(), special.collect())
    }

    /// Whether all that a variable may hold are numbers.
    pub(super) fn only_counts(&self, number: usize) -> bool {
        let Some(variable) = self.variables.get(number) else { return false };
        let site = |at: usize| variable.sites.get(at);
        variable.others.iter().all(|(other, _)| match other {
            Other::Current(at) => {
                site(*at).is_some_and(|site| site.wide.is_none() && site.values.iter().all(is_counted))
            }
            Other::Value(at, nth) => site(*at).and_then(|site| site.values.get(*nth)).is_some_and(is_counted),
            Other::Wide(_) => false,
        })
    }

    /// Behind the first reading: finds what was set behind its use, or elsewhere, and may be there when it is used. Gives
    /// the variables that may hold more than one thing.
    pub(super) fn settle(&mut self) -> Vec<usize> {
        let Some(structure) = self.structure.clone().filter(|structure| !structure.is_plain()) else {
            return Vec::new();
        };
        let mut numbers: Vec<(&String, &usize)> = self.names.iter().collect();
        numbers.sort_by_key(|(_, number)| **number);
        let mut several = Vec::new();
        for (name, number) in numbers {
            let Some(variable) = self.variables.get_mut(*number) else { continue };
            if variable.crowded {
                self.blurred = true;
                continue;
            }
            self.blurred |= variable.much_used;
            let mut around: Vec<usize> = Vec::new();
            for spot in variable.uses.clone() {
                let reaching = variable.reaching(name, spot, &structure).into_iter();
                around.extend(reaching.filter(|(_, way)| *way == Way::Around).map(|(site, _)| site));
            }
            around.sort_unstable();
            around.dedup();
            for at in around {
                let Some(site) = variable.sites.get(at) else { continue };
                self.blurred |= site.number.is_some();
                let wide = site.wide.is_some().then_some(Other::Wide(at));
                let values = (0..site.values.len()).map(|nth| Other::Value(at, nth));
                for other in values.chain(wide).collect::<Vec<_>>() {
                    variable.number_of(other);
                }
            }
            if !variable.others.is_empty() {
                several.push(*number);
            }
        }
        several
    }

    /// Whether another reading may know less of a variable than the first.
    pub(super) fn is_blurred(&self) -> bool {
        self.blurred
    }
}

/// One of many things.
fn anything(mut origins: Origins) -> Thing {
    origins.add(Origin::Astray);
    Thing::result("", origins)
}

impl Site {
    /// Remembers a value, and says whether it is another one.
    fn keep(&mut self, thing: &Thing, grows: bool, full: bool) -> bool {
        if is_counted(thing) && grows {
            self.numbers |= self.number.as_ref().is_some_and(|number| number != thing);
            self.number.get_or_insert_with(|| thing.clone());
            return false;
        }
        if self.values.contains(thing) {
            return false;
        }
        // What a list grows by in one round it may grow by in the next as well.
        if let (true, Some(Thing::List(held)), Thing::List(more)) = (grows, self.values.first_mut(), thing) {
            let before = held.len();
            for thing in more {
                if held.len() < LONGEST && !held.contains(thing) {
                    held.push(thing.clone());
                }
            }
            if held.len() < LONGEST {
                return held.len() > before;
            }
        }
        if self.values.len() < if grows { ROUNDS } else { VALUES } && !full {
            self.values.push(thing.clone());
            return true;
        }
        let another = self.wide.is_none();
        self.wide.get_or_insert_default().extend(thing.origins());
        another
    }
}

impl Variable {
    /// The number of something that the variable may hold, and whether it looks special if that was asked before.
    fn number_of(&mut self, other: Other) -> (usize, Option<bool>) {
        if let Some(at) = self.others.iter().position(|(known, _)| *known == other) {
            return (at, self.others.get(at).and_then(|(_, special)| *special));
        }
        // What changes from reading to reading may become special.
        let special = (!matches!(other, Other::Value(..))).then_some(true);
        self.others.push((other, special));
        (self.others.len() - 1, special)
    }

    /// What it holds at a place if too many places set it: what was set last, if that is certain.
    fn in_crowd(&self, spot: Spot, flow: Option<Thing>, structure: &Structure) -> Option<Thing> {
        let certain = self
            .newest
            .is_some_and(|(newest, sure)| sure && newest.within.is_none() && structure.is_around(newest.at, spot.at));
        let straight = structure.function_at(spot.at).is_none() && !structure.is_looped(spot.at) && self.only_outside();
        if certain && straight && !structure.is_confused() {
            return flow;
        }
        Some(anything(flow.map(|thing| thing.origins()).unwrap_or_default()))
    }

    fn only_outside(&self) -> bool {
        self.functions.iter().all(Option::is_none)
    }

    /// The places whose values may be there at a place where the variable is used.
    fn reaching(&self, name: &str, spot: Spot, structure: &Structure) -> Vec<(usize, Way)> {
        let sites = self.sites.iter().enumerate();
        if structure.is_confused() {
            return sites.map(|(at, _)| (at, Way::Around)).collect();
        }
        let p = spot.at;
        let owner_at = |at: usize| structure.owner(name, at, |function| self.functions.contains(&function));
        let (owner, function) = (owner_at(p), structure.function_at(p));
        // The last place that everything has come by that comes here.
        let mut last: Option<usize> = None;
        for site in &self.sites {
            let at = site.spot.at;
            let comes_by = site.sure && at < p && site.spot.within.is_none() && structure.is_around(at, p);
            if comes_by
                && last.is_none_or(|last| last < at)
                && structure.function_at(at) == function
                && owner_at(at) == owner
            {
                last = Some(at);
            }
        }
        let again = last.is_none() && !structure.is_fresh(owner, function);
        let comes_around = |at: usize| {
            let from = structure.common_loop(p, at);
            again || from.is_some_and(|from| last.is_none_or(|last| last < from))
        };
        let mut all = Vec::new();
        for (index, site) in sites {
            let at = site.spot.at;
            if owner_at(at) != owner {
                continue;
            }
            let there = structure.function_at(at);
            let way = if there != function {
                let outer = structure.is_within(there, p);
                // A function that is defined further down has not been called yet.
                let later = at > p && function.is_none() && !structure.is_looped(p) && structure.runs_in_order();
                (if outer { last.is_none() } else { !later }).then_some(Way::Around)
            } else if at >= p {
                let beside = at == p && spot.within.is_some();
                (beside || comes_around(at)).then_some(Way::Around)
            } else {
                last.is_none_or(|last| last <= at).then_some(Way::On)
            };
            all.extend(way.map(|way| (index, way)));
        }
        all
    }
}
