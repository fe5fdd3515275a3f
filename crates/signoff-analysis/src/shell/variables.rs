//! Variables: assignments, declarations, and the values that different ways through the text give them.

use signoff_model::Span;

use super::{
    expand::MAX_ALTERNATIVES,
    machine::{Shell, State, Variable},
    picks::Next,
    syntax::tree::{AssignedValue, Assignment, SimpleCommand, Word, WordPart},
};
use crate::value::{Arg, Feed, Origin, Piece, Value};

/// An array is followed up to this many elements.
const MAX_ELEMENTS: usize = 256;

/// An array that grows longer than this is unknown.
const MAX_LENGTH: usize = 2048;

/// Variables that the shell expands by itself.
const PROMPTS: &[&str] = &["PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT"];

/// Builtins whose arguments are assignments.
pub(super) const DECLARATIONS: &[&str] = &["declare", "typeset", "local", "export", "readonly"];

impl Shell<'_> {
    pub(super) fn assign(&mut self, assignment: &Assignment) {
        let name = &self.state.resolve(&assignment.name).to_owned();
        let variable = match &assignment.value {
            AssignedValue::Scalar(word) => {
                let value = self.expand_alternatives(word);
                match (&assignment.index, assignment.append) {
                    (Some(index), _) => {
                        let index = self.expand_single(index);
                        self.assign_element(name, &index, value.into_iter().next().unwrap_or_default());
                        return;
                    }
                    (None, true) => Variable::Scalar(self.appended(name, value)),
                    (None, false) => Variable::Scalar(value),
                }
            }
            AssignedValue::Array(elements) => {
                let mut values = match self.state.variables.get(name) {
                    Some(Variable::Array(values)) if assignment.append => values.clone(),
                    _ => Vec::new(),
                };
                let mut entries = match self.state.variables.get(name) {
                    Some(Variable::Map(entries)) if assignment.append => entries.clone(),
                    _ => Vec::new(),
                };
                for element in elements {
                    if let Some(index) = &element.index {
                        let key = self.expand_single(index);
                        let value = self.expand_single(&element.value);
                        match key.known().and_then(|text| text.parse::<usize>().ok()) {
                            Some(at) if at == values.len() => values.push(value),
                            _ => entries.push((key.shown().trim_matches(['"', '\'']).to_owned(), value)),
                        }
                        continue;
                    }
                    let mut args = self.expand_words(std::slice::from_ref(&element.value));
                    values.extend(args.drain(..).map(|arg| arg.value));
                }
                if values.len() > MAX_LENGTH {
                    let origins = values.iter().flat_map(Value::origins).take(64).cloned().collect();
                    Variable::Scalar(vec![Value::unknown(format!("${name}"), origins)])
                } else if entries.is_empty() {
                    Variable::Array(values)
                } else {
                    entries.extend(values.into_iter().enumerate().map(|(at, value)| (at.to_string(), value)));
                    Variable::Map(entries)
                }
            }
        };
        if name == "PROMPT_COMMAND"
            && let Variable::Scalar(values) = &variable
        {
            for value in values.clone() {
                self.subshell(|shell| {
                    shell.run_text(&Arg { value, span: assignment.span }, shell.dialect, Feed::none())
                });
            }
        }
        if PROMPTS.contains(&name.as_str())
            && let Variable::Scalar(values) = &variable
        {
            for value in values.clone() {
                self.run_prompt(&value, assignment.span);
            }
        }
        self.state.variables.insert(name.clone(), variable);
    }

    /// A text that is expanded like a prompt: substitutions in it run.
    pub(super) fn run_prompt(&mut self, value: &Value, span: Span) {
        let mut code = Value::text(": \"");
        code.extend(value.clone());
        code.push(Piece::Text("\"".to_owned()));
        if value.shown().contains(['$', '`']) && value.known().is_some() {
            let outer = self.captured;
            self.captured = true;
            self.subshell(|shell| shell.run_text(&Arg { value: code, span }, shell.dialect, Feed::none()));
            self.captured = outer;
        }
    }

    /// Every value that an assigned word may have.
    fn expand_alternatives(&mut self, word: &Word) -> Vec<Value> {
        let outer = std::mem::take(&mut self.picks);
        let mut values = vec![self.expand_single(word)];
        let end = loop {
            match self.picks.advance() {
                Next::Round => {
                    let value = self.expand_single(word);
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                end => break end,
            }
        };
        self.picks = outer;
        if end == Next::TooMany || values.len() > MAX_ALTERNATIVES {
            return vec![Value::unknown("…", values.iter().flat_map(Value::origins).cloned().collect())];
        }
        values
    }

    fn appended(&self, name: &str, values: Vec<Value>) -> Vec<Value> {
        let Some(Variable::Scalar(heads)) = self.state.variables.get(name) else { return values };
        let mut all = Vec::new();
        for head in heads {
            for tail in &values {
                let mut value = head.clone();
                value.extend(tail.clone());
                all.push(value);
            }
        }
        all.truncate(MAX_ALTERNATIVES);
        all
    }

    fn assign_element(&mut self, name: &str, index: &Value, value: Value) {
        let key = index.known().map(|text| text.trim_matches(['"', '\'']).to_owned());
        let named = key.as_ref().is_some_and(|key| key.parse::<usize>().is_err());
        let mut values = match self.state.variables.remove(name) {
            Some(Variable::Map(mut entries)) if entries.len() < MAX_ELEMENTS => {
                entries.push((key.unwrap_or_default(), value));
                self.state.variables.insert(name.to_owned(), Variable::Map(entries));
                return;
            }
            None if named => {
                self.state.variables.insert(name.to_owned(), Variable::Map(vec![(key.unwrap_or_default(), value)]));
                return;
            }
            Some(Variable::Map(entries)) => entries.into_iter().map(|(_, value)| value).collect(),
            Some(Variable::Array(values)) => values,
            Some(Variable::Scalar(values)) => values,
            Some(Variable::Reference(_)) | None => Vec::new(),
        };
        match index.known().and_then(|text| text.parse::<usize>().ok()) {
            Some(at) if at < MAX_ELEMENTS => {
                while values.len() <= at {
                    values.push(Value::default());
                }
                if let Some(slot) = values.get_mut(at) {
                    *slot = value;
                }
            }
            _ => values.push(value),
        }
        self.state.variables.insert(name.to_owned(), Variable::Array(values));
    }

    /// `declare`, `local`, `export` and their kin: their arguments are assignments.
    pub(super) fn declare(&mut self, builtin: &str, simple: &SimpleCommand, stdin: Feed) -> Feed {
        let plumbing = self.plumb(&simple.redirects, stdin);
        let mut prints = simple.words.len() == 1;
        let mut refers = false;
        let mut exports = builtin == "export";
        for word in simple.words.iter().skip(1) {
            let array = word.parts.iter().find_map(|part| match part {
                WordPart::Array(elements) => Some(elements),
                _ => None,
            });
            if let (Some(elements), Some(WordPart::Literal(head))) = (array, word.parts.first()) {
                let name = head.trim_end_matches(['=', '+']).to_owned();
                self.hide(builtin, &name);
                let mut values = Vec::new();
                let mut entries = Vec::new();
                for element in elements {
                    if let Some(index) = &element.index {
                        let key = self.expand_single(index);
                        let value = self.expand_single(&element.value);
                        entries.push((key.shown().trim_matches(['"', '\'']).to_owned(), value));
                        continue;
                    }
                    values.extend(
                        self.expand_words(std::slice::from_ref(&element.value)).into_iter().map(|arg| arg.value),
                    );
                }
                let variable = if entries.is_empty() { Variable::Array(values) } else { Variable::Map(entries) };
                self.state.variables.insert(name, variable);
                continue;
            }
            let mut whole = self.expand_alternatives(word);
            let first = whole.first().cloned().unwrap_or_default();
            let text = first.prefix();
            if let Some(flags) = text.strip_prefix('-') {
                prints |= flags.contains('p') && simple.words.len() == 2;
                refers |= flags.contains('n') && builtin != "export";
                exports |= flags.contains('x');
                continue;
            }
            let Some((name, _)) = text.split_once('=') else {
                let name = first.shown().into_owned();
                if exports {
                    self.state.exported.push(name.clone());
                    if let Some(Variable::Scalar(values)) = self.state.variables.get(&name).cloned()
                        && let Some(value) = values.into_iter().next()
                    {
                        self.set_environment(&[(name.clone(), value)], simple.span);
                    }
                }
                let inside = matches!(builtin, "declare" | "typeset") && !self.locals.is_empty();
                if builtin == "local" || inside {
                    self.hide(builtin, &name);
                    self.state.variables.insert(name, Variable::Scalar(vec![Value::default()]));
                }
                continue;
            };
            let appends = name.ends_with('+');
            let (name, skip) = (name.trim_end_matches('+').to_owned(), name.len() + 1);
            if refers && let Some(other) = super::options::strip(&first, skip).known() {
                self.state.variables.insert(name, Variable::Reference(other.to_owned()));
                continue;
            }
            let mut values: Vec<Value> = whole.drain(..).map(|value| super::options::strip(&value, skip)).collect();
            if appends {
                values = self.appended(&name, values);
            }
            self.hide(builtin, &name);
            self.state.variables.insert(name.clone(), Variable::Scalar(values.clone()));
            if exports {
                self.state.exported.push(name.clone());
            }
            if exports && let Some(value) = values.into_iter().next() {
                self.set_environment(&[(name, value)], simple.span);
            }
        }
        let feed =
            if prints && builtin != "local" { self.print_environment(builtin, simple.span) } else { Feed::none() };
        self.flow_out(&plumbing, feed)
    }

    /// Remembers what a local variable hides, to bring it back when the function ends.
    fn hide(&mut self, builtin: &str, name: &str) {
        if matches!(builtin, "local" | "declare" | "typeset") {
            let before = self.state.variables.get(name).cloned();
            if let Some(frame) = self.locals.last_mut() {
                frame.push((name.to_owned(), before));
            }
        }
    }

    /// Joins another possible end state into this one.
    pub(super) fn merge(&mut self, other: State) {
        if !other.variables.is(&self.state.variables) {
            for (name, variable) in other.variables.iter() {
                self.join_variable(name, Some(variable));
            }
            let only_here: Vec<String> =
                self.state.variables.keys().filter(|name| !other.variables.contains_key(name)).cloned().collect();
            for name in only_here {
                self.join_variable(&name, None);
            }
        }
        for name in other.uncertain {
            if !self.state.uncertain.contains(&name) {
                self.state.uncertain.push(name);
            }
        }
        self.state.functions.extend(&other.functions);
        self.state.aliases.extend(&other.aliases);
        self.state.written.extend(&other.written);
        for directory in other.elsewhere.into_iter().chain(other.cwd) {
            self.state.may_stand_in(directory);
        }
    }

    /// Joins the variables of an earlier state into this one.
    pub(super) fn merge_variables(&mut self, before: &State) {
        if before.variables.is(&self.state.variables) {
            return;
        }
        let names: Vec<String> = self.state.variables.keys().cloned().collect();
        for name in names {
            self.join_variable(&name, before.variables.get(&name));
        }
    }

    fn join_variable(&mut self, name: &str, other: Option<&Variable>) {
        let here = self.state.variables.get(name);
        if here == other {
            return;
        }
        let outside = || Value::unknown(format!("${name}"), vec![Origin::Variable(name.to_owned())]);
        let list = |variable: Option<&Variable>| match variable {
            Some(Variable::Scalar(values)) => values.clone(),
            Some(Variable::Array(values)) => values.clone(),
            Some(Variable::Map(entries)) => entries.iter().map(|(_, value)| value.clone()).collect(),
            Some(Variable::Reference(_)) | None => vec![outside()],
        };
        if matches!((here, other), (Some(Variable::Array(_)), Some(Variable::Array(_)))) {
            let mut values = list(here);
            for value in list(other) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            self.state.variables.insert(name.to_owned(), Variable::Array(values));
            return;
        }
        let mut values = list(here);
        for value in list(other) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.len() > MAX_ALTERNATIVES {
            values =
                vec![Value::unknown(format!("${name}"), values.iter().flat_map(Value::origins).cloned().collect())];
        }
        self.state.variables.insert(name.to_owned(), Variable::Scalar(values));
    }

    /// A variable has some value that is not known.
    pub(super) fn forget(&mut self, name: &str) {
        self.state
            .variables
            .insert(name.to_owned(), Variable::Scalar(vec![Value::unknown(format!("${name}"), Vec::new())]));
    }
}
