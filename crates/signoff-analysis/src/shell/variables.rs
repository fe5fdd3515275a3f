//! Variables: assignments, declarations, and the values that different ways through the text give them.

use signoff_model::Span;

use super::{
    expand::MAX_ALTERNATIVES,
    machine::{Shell, Variable},
    picks::Next,
    syntax::tree::{AssignedValue, Assignment, SimpleCommand, Word, WordPart},
};
use crate::value::{Arg, Feed, Piece, Value};

/// An array is followed up to this many elements.
const MAX_ELEMENTS: usize = 256;

/// An array that grows longer than this is unknown.
const MAX_LENGTH: usize = 2048;

/// Variables that the shell expands by itself.
const PROMPTS: &[&str] = &["PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT"];

/// Builtins whose arguments are assignments.
pub(super) const DECLARATIONS: &[&str] = &["declare", "typeset", "local", "export", "readonly"];

/// Variables that programs always see, since the shell itself got them from outside.
const INHERITED: &[&str] = &["PATH"];

impl Shell<'_> {
    /// Gives a variable a value. Everything that sets variables comes through here: references, elements, names that
    /// cannot be set again, and exports are the same for all of them.
    pub(super) fn set_variable(&mut self, name: &str, variable: Variable, span: Span) {
        if let Some((base, index)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            self.run_subscripts(&Value::text(name), span);
            let value = match variable {
                Variable::Scalar(values) | Variable::Array(values) => values.into_iter().next(),
                Variable::Map(_) | Variable::Reference(_) => None,
            };
            let base = self.state.resolve(base).to_owned();
            return self.assign_element(&base, &Value::text(index), value.unwrap_or_default());
        }
        let name = self.state.resolve(name).to_owned();
        self.spend(match &variable {
            Variable::Scalar(values) => values.iter().map(Value::size).sum::<usize>() / 512,
            Variable::Array(values) => values.len() / 8,
            Variable::Map(entries) => entries.len() / 8,
            Variable::Reference(_) => 0,
        });
        if self.state.readonly.contains(&name) {
            // Bash refuses; another shell, or a branch in which it was not declared, does not.
            return self.join_variable(&name, Some(&variable));
        }
        let exported =
            self.state.exports_all || INHERITED.contains(&name.as_str()) || self.state.exported.contains(&name);
        if exported && let Variable::Scalar(values) = &variable {
            for value in values.clone() {
                self.set_environment(&[(name.clone(), value)], span);
            }
        }
        self.state.variables.insert(name, variable);
    }

    pub(super) fn assign(&mut self, assignment: &Assignment) {
        let name = &self.state.resolve(&assignment.name).to_owned();
        let variable = match &assignment.value {
            AssignedValue::Scalar(word) => {
                let value = self.expand_alternatives(word);
                match (&assignment.index, assignment.append) {
                    (Some(index), _) => {
                        let index = self.expand_single(index);
                        self.run_subscripts(&index, assignment.span);
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
                    Some(Variable::Scalar(values)) if assignment.append => values.get(..1).unwrap_or_default().to_vec(),
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
        self.set_variable(name, variable, assignment.span);
    }

    /// A text that is expanded like a prompt: substitutions in it run.
    pub(super) fn run_prompt(&mut self, value: &Value, span: Span) {
        let mut code = Value::text(": \"");
        code.extend(value.clone());
        code.push(Piece::text("\""));
        if value.shown().contains(['$', '`']) && value.known().is_some() {
            let outer = self.captured;
            self.captured = true;
            self.subshell(|shell| shell.run_text(&Arg { value: code, span }, shell.dialect, Feed::none()));
            self.captured = outer;
        }
    }

    /// Every value that an assigned word may have.
    fn expand_alternatives(&mut self, word: &Word) -> Vec<Value> {
        if let [WordPart::Literal(_) | WordPart::SingleQuoted(_)] | [] = word.parts.as_slice() {
            return vec![self.expand_single(word)];
        }
        let outer = std::mem::take(&mut self.picks);
        let before = self.state.clone();
        let mut values = vec![self.expand_single(word)];
        let end = loop {
            match self.picks.advance() {
                Next::Round => {
                    let state = std::mem::replace(&mut self.state, before.clone());
                    let value = self.expand_single(word);
                    self.merge(state);
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

    /// The values of a variable with something behind each; of an array, its first element grows.
    fn appended(&self, name: &str, values: Vec<Value>) -> Vec<Value> {
        let heads = match self.state.variables.get(name) {
            Some(Variable::Scalar(heads)) => heads.as_slice(),
            Some(Variable::Array(elements)) => elements.get(..1).unwrap_or_default(),
            Some(Variable::Map(_) | Variable::Reference(_)) | None => return values,
        };
        let mut all = Vec::new();
        for head in heads {
            for tail in &values {
                let mut value = head.clone();
                value.extend(tail.clone());
                all.push(value);
            }
        }
        super::expand::any_of(all, name)
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
        let mut hides = false;
        let mut freezes = builtin == "readonly";
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
                self.set_variable(&name, variable, simple.span);
                continue;
            }
            let mut whole = self.expand_alternatives(word);
            let first = whole.first().cloned().unwrap_or_default();
            let text = first.prefix();
            if let Some(flags) = text.strip_prefix('-') {
                prints |= flags.contains('p') && simple.words.len() == 2;
                refers |= flags.contains('n') && builtin != "export";
                exports |= flags.contains('x');
                hides |= flags.contains('n') && builtin == "export";
                freezes |= flags.contains('r') && builtin != "export";
                continue;
            }
            if text == "+x" {
                hides = true;
                continue;
            }
            let Some((name, _)) = text.split_once('=') else {
                let name = first.shown().into_owned();
                if freezes {
                    self.state.readonly.push(name.clone());
                }
                if hides {
                    self.state.exported.retain(|exported| *exported != name);
                } else if exports {
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
            if hides {
                self.state.exported.retain(|exported| *exported != name);
            } else if exports {
                self.state.exported.push(name.clone());
            }
            self.set_variable(&name, Variable::Scalar(values), simple.span);
            if freezes {
                self.state.readonly.push(name);
            }
        }
        let feed =
            if prints && builtin != "local" { self.print_environment(builtin, simple.span) } else { Feed::none() };
        self.flow_out(&plumbing, feed)
    }

    /// Programs do not see these variables any more.
    pub fn withhold(&mut self, is_withheld: impl Fn(&str) -> bool) {
        self.state.exported.retain(|name| !is_withheld(name));
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
}
