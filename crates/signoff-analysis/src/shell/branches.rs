//! What different ways through the text leave behind, joined: a variable then has several values, a file several
//! contents.

use std::rc::Rc;

use compact_str::CompactString;

use super::{
    contents::Variable,
    machine::{Definitions, Settings, Shell, State},
    presence::Presence,
    scopes,
    shared::Shared,
    standing::Standing,
    streams::Stream,
    table::Table,
    variables::Attributed,
    written::Written,
};
use crate::value::{Arg, Origins, Value};

/// Places at which loops and functions are left are followed up to this number.
const MAX_LEFT: usize = 256;

/// What a command may change that is thought of in several ways: cheap to keep, and to compare.
#[derive(Clone)]
pub(super) struct Memory<'a> {
    variables: Table<Variable>,
    written: Table<Written>,
    presence: Shared<Presence>,
    positional: Option<Rc<Vec<Arg>>>,
    functions: Table<Definitions<'a>>,
    aliases: Table<Vec<Option<Value>>>,
    taken: Vec<(u32, usize)>,
    last: Option<Rc<Value>>,
    streams: Shared<Vec<(u32, Stream)>>,
    stops_at_failure: bool,
}

impl Memory<'_> {
    /// Whether nothing was written between the two.
    pub(super) fn has_written_as_much(&self, other: &Self) -> bool {
        self.written.is(&other.written)
    }
}

impl<'a> State<'a> {
    /// What is known now.
    pub(super) fn memory(&self) -> Memory<'a> {
        Memory {
            variables: self.variables.clone(),
            written: self.written.clone(),
            presence: self.presence.clone(),
            positional: self.positional.clone(),
            functions: self.functions.clone(),
            aliases: self.aliases.clone(),
            taken: self.taken.clone(),
            last: self.last.clone(),
            streams: self.streams.clone(),
            stops_at_failure: self.stops_at_failure,
        }
    }

    /// What was written since then was written by something that ends the shell.
    pub(super) fn recall_written(&mut self, then: &Memory<'a>) {
        self.written = then.written.clone();
    }

    /// Whether a file was written since then.
    pub(super) fn has_written_since(&self, then: &Memory<'a>) -> bool {
        !self.written.differing(&then.written).is_empty()
    }

    /// How many entries are looked at to tell what has changed since then.
    fn to_compare(&self, then: &Memory<'a>) -> usize {
        let variables = if self.variables.is(&then.variables) { 0 } else { self.variables.len() };
        let written = if self.written.is(&then.written) { 0 } else { self.written.len() };
        let functions = if self.functions.is(&then.functions) { 0 } else { self.functions.len() };
        variables + written + functions
    }

    /// The variables that have another value than they had then.
    pub(super) fn changed_variables(&self, then: &Memory<'a>) -> Vec<String> {
        self.variables.differing(&then.variables)
    }
}

impl<'a> Shell<'a> {
    /// Joins another possible end state into this one.
    pub(crate) fn merge(&mut self, other: State<'a>) {
        self.recall(&other.memory());
        self.state.exports_all |= other.exports_all;
        self.state.lastpipe |= other.lastpipe;
        if self.state.settings != other.settings {
            self.merge_settings(other.settings.into_inner());
        }
        if let Some(directory) = other.cwd {
            self.may_stand_in(directory);
        }
    }

    /// Joins several other possible end states into this one: each variable is joined once, not with every state anew.
    pub(super) fn merge_all(&mut self, mut others: Vec<State<'a>>) {
        if others.len() > 1 {
            self.merge_variables(&others);
            for other in &mut others {
                self.state.variables.overflow_like(&other.variables);
                other.variables = self.state.variables.clone();
            }
        }
        for other in others {
            self.merge(other);
        }
    }

    fn merge_variables(&mut self, others: &[State<'a>]) {
        let mut differing: Vec<CompactString> = Vec::new();
        for other in others {
            if self.is_spent() {
                return;
            }
            self.spend((self.state.variables.len() + other.variables.len()) / 64);
            let names = self.state.variables.differences(&other.variables).map(|(name, _, _)| name);
            differing.extend(names.cloned());
        }
        differing.sort_unstable();
        differing.dedup();
        self.spend(differing.len() * others.len() / 64);
        // Nothing is walked behind that, so nothing depends on it.
        if self.is_spent() {
            return;
        }
        for name in differing {
            if scopes::is_internal(&name) {
                for other in others {
                    self.join_variable(&name, other.variables.get(&name));
                }
                continue;
            }
            let mut possible = vec![self.state.variables.get(&name)];
            for there in others.iter().map(|other| other.variables.get(&name)) {
                if possible.last() != Some(&there) {
                    possible.push(there);
                }
            }
            let possible = possible.into_iter().map(|variable| self.possibly(&name, variable)).collect();
            let joined = Variable::one_of(possible, &name);
            self.state.variables.insert(name, joined);
        }
    }

    fn merge_settings(&mut self, mut there: Settings) {
        let here = &mut *self.state.settings;
        for name in &there.exported {
            if !here.exported.contains(name) {
                here.withheld.push(name.clone());
                here.exported.push(name.clone());
            }
        }
        let only_here = here.exported.iter().filter(|name| !there.exported.contains(name)).cloned();
        here.withheld.extend(only_here.chain(std::mem::take(&mut there.withheld)));
        here.withheld.sort_unstable();
        here.withheld.dedup();
        here.readonly.append(&mut there.readonly);
        here.readonly.sort_unstable();
        here.readonly.dedup();
        let attributes = std::mem::take(&mut there.attributes);
        self.merge_attributes(attributes);
        let Settings { elsewhere, previous, stacked, unsure, .. } = there;
        self.may_stand_as(&Standing { cwd: None, elsewhere, previous, stacked, unsure });
    }

    /// A variable that has an attribute on one way only may not have it.
    fn merge_attributes(&mut self, there: Vec<Attributed>) {
        for had in &mut self.state.settings.attributes {
            had.sure &= there.contains(had);
        }
        for had in there {
            if !self.state.settings.attributes.contains(&had) {
                self.state.settings.attributes.push(Attributed { sure: false, ..had });
            }
        }
    }

    /// What was known then may hold as well as what is known now: what happened since may not have happened.
    pub(super) fn recall(&mut self, then: &Memory<'a>) {
        self.spend(self.state.to_compare(then) / 64);
        if self.state.presence != then.presence {
            self.state.presence.in_both(&then.presence);
        }
        self.state.written.overflow_like(&then.written);
        self.state.join_taken(&then.taken);
        self.keep_written(&then.written);
        self.join_streams(&then.streams);
        self.recall_names(then);
    }

    /// The same for what names stand for, whatever has happened to files.
    pub(super) fn recall_names(&mut self, then: &Memory<'a>) {
        self.join_variables(&then.variables);
        if self.state.last != then.last {
            self.state.last = None;
        }
        join_definitions(&mut self.state.functions, &then.functions);
        join_definitions(&mut self.state.aliases, &then.aliases);
        self.state.stops_at_failure &= then.stops_at_failure;
        let same = match (&then.positional, &self.state.positional) {
            (Some(then), Some(now)) => Rc::ptr_eq(then, now),
            (then, now) => then.is_none() && now.is_none(),
        };
        if !same {
            self.state.positional = match (&then.positional, &self.state.positional) {
                (Some(then), Some(now)) if then.len() == now.len() => {
                    let joined = then.iter().zip(now.iter()).enumerate();
                    Some(Rc::new(joined.map(|(at, (then, now))| either_argument(at, then, now)).collect()))
                }
                _ => None,
            };
        }
    }

    /// A loop or function is left here: what is known now may hold behind it.
    pub(super) fn leave_here(&mut self) {
        if self.left.len() < MAX_LEFT {
            let left = (self.state.memory(), self.standing());
            self.left.push(left);
        } else {
            self.spend_out(self.at);
        }
    }

    /// What was known where a loop or function was left may hold now.
    pub(super) fn recall_left(&mut self, from: usize) {
        for (memory, standing) in self.left.split_off(from.min(self.left.len())) {
            self.recall(&memory);
            self.may_stand_as(&standing);
        }
    }

    /// What has changed since then may change again, any number of times: it may have any value. Says whether there was
    /// something.
    pub(super) fn widen(&mut self, then: &Memory<'a>) -> bool {
        let variables: Vec<String> =
            self.state.changed_variables(then).into_iter().filter(|name| !scopes::is_internal(name)).collect();
        variables.iter().for_each(|name| self.forget(name));
        for path in then.written.differing(&self.state.written) {
            if let Some(Written::Content(now)) = self.state.written.get(&path) {
                let now = now.clone().or_other();
                self.state.written.insert(path, Written::Content(now));
            }
        }
        !variables.is_empty()
    }

    /// What has happened to files since then may not have happened.
    pub(super) fn keep_weakly(&mut self, then: &State<'a>) {
        self.keep_written(&then.written);
        if self.state.presence != then.presence {
            self.state.presence.in_both(&then.presence);
        }
    }

    /// What was written before may still be there.
    pub(super) fn keep_written(&mut self, then: &Table<Written>) {
        for path in then.differing(&self.state.written) {
            let Some(was) = then.get(&path) else { continue };
            let joined = match self.state.written.get(&path) {
                Some(now) => was.clone().or(now.clone()),
                None => was.clone(),
            };
            self.state.written.insert(path, joined);
        }
    }

    /// Joins the variables of another possible state into those of this one.
    pub(super) fn join_variables(&mut self, others: &Table<Variable>) {
        self.state.variables.overflow_like(others);
        let differing: Vec<CompactString> =
            self.state.variables.differences(others).map(|(name, _, _)| name.clone()).collect();
        for name in differing {
            self.join_variable(&name, others.get(&name));
        }
    }

    pub(super) fn join_variable(&mut self, name: &str, other: Option<&Variable>) {
        let here = self.state.variables.get(name);
        if here == other {
            return;
        }
        if scopes::is_internal(name) {
            return self.join_hidden(name, other);
        }
        let joined = Variable::one_of(vec![self.possibly(name, here), self.possibly(name, other)], name);
        self.state.variables.insert(name, joined);
    }

    /// What a variable is on one way through the text, on which the text may not have set it.
    fn possibly(&self, name: &str, variable: Option<&Variable>) -> Variable {
        match variable {
            Some(variable) => variable.clone(),
            None => Variable::text(self.outside_value(name)),
        }
    }

    /// A variable has some value that is not known.
    pub(super) fn forget(&mut self, name: &str) {
        let name = self.referred(name).to_owned();
        self.remember_for_traps(&name);
        let variable = match self.state.variables.get(&name) {
            Some(before) if before.has_elements() => Variable::unknown_list(&name, before.origins()),
            _ => Variable::text(Value::unknown(format!("${name}"), Vec::new())),
        };
        self.state.variables.insert(name, variable);
    }
}

/// A name with more definitions than this, one of which counts, is not followed.
const MAX_DEFINITIONS: usize = 32;

/// What a name is defined as on one way through the text or on the other.
fn join_definitions<T: Clone + PartialEq>(here: &mut Table<Vec<Option<T>>>, there: &Table<Vec<Option<T>>>) {
    here.overflow_like(there);
    if here.is(there) {
        return;
    }
    let mut names = here.differing(there);
    names.extend(there.differing(here));
    for name in names {
        let undefined = vec![None];
        let mut all = here.get(&name).unwrap_or(&undefined).clone();
        for one in there.get(&name).unwrap_or(&undefined) {
            if all.len() <= MAX_DEFINITIONS && !all.contains(one) {
                all.push(one.clone());
            }
        }
        if all.len() > MAX_DEFINITIONS {
            here.overflow();
        }
        here.insert(name, all);
    }
}

/// An argument that is one of two.
fn either_argument(at: usize, then: &Arg, now: &Arg) -> Arg {
    if then.value == now.value {
        return now.clone();
    }
    let origins: Origins = then.value.origins().chain(now.value.origins()).cloned().collect();
    Arg { value: Value::unknown(format!("${}", at + 1), origins), span: now.span }
}
