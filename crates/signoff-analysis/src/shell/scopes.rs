//! Local variables: what a function hides comes back when it ends.
//!
//! What a local variable hides is kept among the variables themselves, under a name that no text can spell, so that it
//! is joined like everything else when a variable is local on one way through a function and not on another.

use compact_str::CompactString;
use signoff_model::Span;

use super::{contents::Variable, machine::Shell};

/// What is hidden where the text has not set the variable.
const OUTSIDE: Variable = Variable::Either(Vec::new());

/// The name that keeps what a local variable hides, for a function so deep.
fn slot(depth: usize, name: &str) -> CompactString {
    const SLOTS: &str = "\u{1}0:\u{1}1:\u{1}2:\u{1}3:\u{1}4:\u{1}5:\u{1}6:\u{1}7:\u{1}8:\u{1}9:";
    internal('\u{1}', SLOTS, depth, name)
}

/// The name that is there when the variable may not be local after all.
fn doubt(depth: usize, name: &str) -> CompactString {
    const DOUBTS: &str = "\u{2}0:\u{2}1:\u{2}2:\u{2}3:\u{2}4:\u{2}5:\u{2}6:\u{2}7:\u{2}8:\u{2}9:";
    internal('\u{2}', DOUBTS, depth, name)
}

/// A name that no text can spell. Every local variable needs some, and nearly all are of functions that are not deep in
/// others: their names begin with three letters out of a list.
fn internal(kind: char, beginnings: &str, depth: usize, name: &str) -> CompactString {
    let mut all = match beginnings.get(3 * depth..3 * depth + 3) {
        Some(beginning) => CompactString::from(beginning),
        None => compact_str::format_compact!("{kind}{depth}:"),
    };
    all.push_str(name);
    all
}

/// Whether a name is none of the text's own.
pub(super) fn is_internal(name: &str) -> bool {
    name.starts_with(['\u{1}', '\u{2}'])
}

impl Shell<'_> {
    /// The variable is local from here on; a local one that it becomes now has no value yet.
    pub(super) fn hide(&mut self, name: &str) {
        // What is frozen outside stays what it is, or is what the function makes of it.
        if self.state.settings.readonly.iter().any(|frozen| frozen == name) {
            return;
        }
        let depth = self.locals.len();
        let Some(frame) = self.locals.last_mut() else { return };
        if !frame.iter().any(|local| local == name) {
            frame.push(name.to_owned());
        }
        let slot = slot(depth, name);
        let now = self.state.variables.get(name).cloned().unwrap_or(OUTSIDE);
        if !self.state.variables.contains_key(&slot) {
            self.state.variables.insert(slot, now);
            self.state.variables.insert(name, Variable::Unset);
            self.doubt_attributes(name);
        } else if self.state.variables.remove(&doubt(depth, name)).is_some() {
            // Where it was not local yet, what it stands for now is what it hides.
            self.join_hidden(&slot, Some(&now));
            self.join_variable(name, Some(&Variable::Unset));
        }
    }

    /// The function ends: what its local variables hide comes back.
    pub(super) fn leave_scope(&mut self) {
        let depth = self.locals.len();
        for name in self.locals.pop().unwrap_or_default() {
            let Some(hidden) = self.state.variables.remove(&slot(depth, &name)) else { continue };
            let doubtful = self.state.variables.remove(&doubt(depth, &name)).is_some();
            // What was exported was the local one.
            if self.state.settings.exported.contains(&name) && !self.state.settings.withheld.contains(&name) {
                self.state.settings.withheld.push(name.clone());
            }
            self.doubt_attributes(&name);
            let hidden = (hidden != OUTSIDE).then_some(hidden);
            if doubtful {
                self.join_variable(&name, hidden.as_ref());
            } else {
                self.restore([(name, hidden)]);
            }
        }
    }

    /// Joins what the two ways through the text keep under an internal name.
    pub(super) fn join_hidden(&mut self, internal: &str, other: Option<&Variable>) {
        let here = self.state.variables.get(internal).cloned();
        if internal.starts_with('\u{2}') {
            return self.state.variables.insert(internal, Variable::Unset);
        }
        let name = internal.split_once(':').map_or(internal, |(_, name)| name).to_owned();
        let hidden = match (here, other) {
            (Some(here), Some(other)) => {
                let outside = |variable: Variable| {
                    if variable == OUTSIDE { Variable::text(self.outside_value(&name)) } else { variable }
                };
                Variable::one_of(vec![outside(here), outside(other.clone())], &name)
            }
            (Some(only), None) => only,
            (None, Some(only)) => only.clone(),
            (None, None) => return,
        };
        if !self.state.variables.contains_key(internal) || other.is_none() {
            self.state.variables.insert(internal.replacen('\u{1}', "\u{2}", 1), Variable::Unset);
        }
        self.state.variables.insert(internal, hidden);
    }

    /// Gives the global variable of this name a value, whatever hides it.
    pub(super) fn set_global(&mut self, name: &str, variable: Variable, span: Span) {
        let hiding: Vec<usize> =
            (1..=self.locals.len()).filter(|depth| self.state.variables.contains_key(&slot(*depth, name))).collect();
        for depth in hiding {
            if !self.state.variables.contains_key(&doubt(depth, name)) {
                return self.state.variables.insert(slot(depth, name), variable);
            }
            self.join_hidden(&slot(depth, name), Some(&variable));
            self.join_variable(name, Some(&variable));
        }
        self.set_variable(name, variable, span);
    }

    /// The variable has no value any more. In a function that is called by the one that it is local to, it is not local
    /// any more either.
    pub(super) fn unset_variable(&mut self, name: &str) {
        if self.state.settings.readonly.iter().any(|frozen| frozen == name) {
            return self.join_variable(name, Some(&Variable::Unset));
        }
        self.state.variables.insert(name, Variable::Unset);
        let inner = self.locals.len();
        if inner > 0 && !self.state.variables.contains_key(&slot(inner, name)) {
            self.uncover(name, inner);
        }
        self.doubt_attributes(name);
    }

    /// What the innermost of the functions around hides is seen again.
    fn uncover(&mut self, name: &str, inner: usize) {
        for depth in (1..inner).rev() {
            let Some(hidden) = self.state.variables.get(&slot(depth, name)).cloned() else { continue };
            let hidden = (hidden != OUTSIDE).then_some(hidden);
            if self.state.variables.contains_key(&doubt(depth, name)) {
                self.join_variable(name, hidden.as_ref());
                continue;
            }
            self.state.variables.remove(&slot(depth, name));
            return self.restore([(name.to_owned(), hidden)]);
        }
    }
}
