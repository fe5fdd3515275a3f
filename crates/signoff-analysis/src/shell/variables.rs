//! Variables: assignments, and the values that different ways through the text give them.

use compact_str::CompactString;
use signoff_model::{Dialect, Span};

use super::{
    contents::{Key, Variable},
    expand::{EVALUATED, MAX_ALTERNATIVES},
    machine::Shell,
    picks::Next,
    syntax::tree::{ArrayElement, AssignedValue, Assignment, ParameterOperation, Word, WordPart},
};
use crate::value::{Arg, Feed, Origins, Piece, Value};

/// Variables that the shell expands by itself.
const PROMPTS: &[&str] = &["PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT"];

/// Variables that programs always see, since the shell itself got them from outside.
const INHERITED: &[&str] = &["PATH"];

/// Variables of the shell itself that hold numbers: what they are given is evaluated.
const COUNTERS: &[&str] = &["RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD", "LINENO"];

/// What happens to every value that a variable is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    /// It becomes lower case (`declare -l`).
    Lower,
    /// It becomes upper case (`declare -u`).
    Upper,
    /// It is computed (`declare -i`).
    Integer,
}

/// An attribute of a variable, and whether the variable has it for sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attributed {
    pub(super) name: String,
    pub(super) attribute: Attribute,
    pub(super) sure: bool,
}

impl<'a> Shell<'a> {
    /// Gives a variable a value. Everything that sets variables comes through here: references, elements, names that
    /// cannot be set again, and exports are the same for all of them.
    pub(super) fn set_variable(&mut self, name: &str, variable: Variable, span: Span) {
        if let Some((base, index)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            self.run_subscripts(&Value::text(name), span);
            let values = match variable {
                Variable::Scalar(values) => values,
                other => other.elements(),
            };
            let base = self.referred(base).to_owned();
            return self.assign_element(&base, &Value::text(index), values, false);
        }
        let name = CompactString::from(self.referred(name));
        self.spend(variable.weight());
        self.evaluate_numbers(&name, &variable, span);
        let mut variable = self.attributed(&name, variable);
        match self.state.variables.get(&name) {
            // Bash refuses; another shell, or a branch in which it was not declared, does not.
            _ if self.state.settings.readonly.iter().any(|frozen| *frozen == name) => {
                return self.join_variable(&name, Some(&variable));
            }
            // A text that is given to an array becomes its first element.
            Some(before) if before.has_elements() && matches!(variable, Variable::Scalar(_)) => {
                let first = Key { text: Some("0".to_owned()), number: Some(0) };
                variable = with_elements(before, &name, &first, &variable.elements_of_all(), false);
            }
            // A name that may refer to another one.
            Some(Variable::Either(all)) => {
                let others = all.iter().filter_map(|one| match one {
                    Variable::Reference(other) => Some(other.clone()),
                    _ => None,
                });
                for other in others.collect::<Vec<_>>() {
                    self.join_variable(&other, Some(&variable));
                }
            }
            _ => {}
        }
        let exported = self.state.exports_all
            || INHERITED.contains(&name.as_str())
            || self.state.settings.exported.iter().any(|exported| *exported == name);
        if exported && let Variable::Scalar(values) = &variable {
            for value in values.clone() {
                self.set_environment(&[(name.to_string(), value)], span);
            }
        }
        self.remember_for_traps(&name);
        if self.volatile.iter().any(|volatile| *volatile == name) {
            return self.forget(&name);
        }
        self.state.variables.insert(name, variable);
    }

    pub(super) fn assign(&mut self, assignment: &'a Assignment<'a>) {
        let name = &self.referred(assignment.name).to_owned();
        let variable = match &assignment.value {
            AssignedValue::Scalar(word) => {
                let values = self.expand_alternatives(word);
                match (&assignment.index, assignment.append) {
                    (Some(index), append) => {
                        let index = self.expand_single(index);
                        self.run_subscripts(&index, assignment.span);
                        self.assign_element(name, &index, values, append);
                        return;
                    }
                    (None, true) => return self.append_text(name, values, assignment.span),
                    (None, false) => Variable::Scalar(values),
                }
            }
            AssignedValue::Array(elements) => self.array(name, elements, assignment.append),
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
        if name == "BASH_ARGV0"
            && let Variable::Scalar(values) = &variable
        {
            self.state.settings.zero = Some(match values.as_slice() {
                [only] => only.clone(),
                _ => Value::unknown("$0", values.iter().flat_map(Value::origins).cloned().collect::<Origins>()),
            });
        }
        if PROMPTS.contains(&name.as_str())
            && let Variable::Scalar(values) = &variable
        {
            for value in values.clone() {
                self.run_prompt(&value, assignment.span);
            }
        }
        if self.dialect == Dialect::Zsh && assignment.index.is_none() && variable.has_elements() {
            for pair in variable.elements().chunks(2) {
                if let [key, value] = pair {
                    self.fill_zsh_table(name, key.known(), std::slice::from_ref(value));
                }
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

    /// What a body gives with each of the values that variables may have, since they depend on a branch. None if there
    /// are more of them than are followed.
    pub(super) fn in_every_way<T: PartialEq>(&mut self, mut body: impl FnMut(&mut Self) -> T) -> (Vec<T>, Next) {
        let outer = std::mem::take(&mut self.picks);
        let before = self.state.clone();
        let mut results = vec![body(self)];
        let end = loop {
            match self.picks.advance() {
                Next::Round => {
                    let state = std::mem::replace(&mut self.state, before.clone());
                    let result = body(self);
                    self.merge(state);
                    if !results.contains(&result) {
                        results.push(result);
                    }
                }
                end => break end,
            }
        };
        self.picks = outer;
        (results, end)
    }

    /// Every value that an assigned word may have.
    pub(super) fn expand_alternatives(&mut self, word: &'a Word<'a>) -> Vec<Value> {
        // `~+` is where the shell stands, which may not be sure.
        let plain = match word.parts {
            [WordPart::Literal(text)] => !text.starts_with('~'),
            parts => parts.iter().all(|part| self.is_fixed(part)),
        };
        self.alternatives(plain, |shell| shell.expand_single(word))
    }

    /// Whether a part of a word has one value whatever the round, runs nothing and changes nothing.
    fn is_fixed(&self, part: &WordPart<'_>) -> bool {
        match part {
            WordPart::Literal(text) => !text.contains('~'),
            WordPart::SingleQuoted(_) => true,
            WordPart::DoubleQuoted(parts) => parts.iter().all(|part| self.is_fixed(part)),
            WordPart::Parameter(parameter) => {
                matches!(parameter.operation, ParameterOperation::Value)
                    && parameter.index.is_none()
                    && !parameter.indirect
                    && self.has_one_value(parameter.name)
            }
            _ => false,
        }
    }

    /// Whether the text gives a variable, or an argument of the function, one value and no other.
    fn has_one_value(&self, name: &str) -> bool {
        let is_argument = name.bytes().all(|byte| matches!(byte, b'1'..=b'9'));
        match &self.state.positional {
            Some(args) if is_argument => !args.iter().any(Arg::splits),
            _ if self.has_references || is_argument => false,
            _ => matches!(self.state.variables.get(name), Some(Variable::Scalar(values)) if values.len() == 1),
        }
    }

    /// Every value that an expansion may have; a plain one has the same in every round.
    pub(super) fn alternatives(&mut self, plain: bool, mut expand: impl FnMut(&mut Self) -> Value) -> Vec<Value> {
        if plain {
            return vec![expand(self)];
        }
        let (values, end) = self.in_every_way(expand);
        if end == Next::TooMany || values.len() > MAX_ALTERNATIVES {
            return vec![Value::unknown("…", values.iter().flat_map(Value::origins).cloned().collect::<Origins>())];
        }
        values
    }

    /// What an array may hold after it was given these elements.
    pub(super) fn array(&mut self, name: &str, elements: &'a [ArrayElement<'a>], append: bool) -> Variable {
        let (arrays, end) = self.in_every_way(|shell| {
            let before = shell.state.variables.get(name).cloned();
            let starts = match &before {
                Some(before) if append => before.alternatives(),
                Some(before) if before.has_keys() => vec![Variable::Map(Vec::new())],
                _ => vec![Variable::Array(Vec::new())],
            };
            let mut added = Vec::with_capacity(elements.len());
            for element in elements {
                match &element.index {
                    Some(index) => {
                        let index = shell.expand_single(index);
                        shell.run_subscripts(&index, shell.at);
                        let key = shell.key(&index);
                        added.push((Some(key), shell.expand_single(&element.value)));
                    }
                    None => {
                        let args = shell.expand_words(std::slice::from_ref(&element.value));
                        added.extend(args.into_iter().map(|arg| (None, arg.value)));
                    }
                }
            }
            // Each is put into every array that it may be.
            shell.step(added.len().saturating_mul(starts.len()));
            let filled = starts.into_iter().map(|start| fill(start, name, &added));
            Variable::one_of(filled.collect(), name)
        });
        if end == Next::TooMany {
            let origins = arrays.iter().flat_map(Variable::origins).collect();
            return Variable::unknown_list(name, origins);
        }
        Variable::one_of(arrays, name)
    }

    /// An index as a map and as an array would take it.
    pub(super) fn key(&mut self, index: &Value) -> Key {
        let text = index.known_with_globs().map(|text| text.trim_matches(['"', '\'']).to_owned());
        self.step(text.as_ref().map_or(0, String::len) / EVALUATED);
        let number = match &text {
            Some(text) => text.trim().parse().ok().or_else(|| self.number(text)),
            None => None,
        };
        Key { text, number }
    }

    /// Puts text behind what a variable holds.
    pub(super) fn append_text(&mut self, name: &str, values: Vec<Value>, span: Span) {
        let integer =
            self.state.settings.attributes.iter().any(|had| had.name == name && had.attribute == Attribute::Integer);
        // Both what is there and what is added are evaluated.
        let numbers = if integer { self.state.variables.get(name).cloned() } else { None };
        for variable in numbers.into_iter().chain([Variable::Scalar(values.clone())]) {
            self.evaluate_numbers(name, &variable, span);
        }
        let whole = match self.state.variables.get(name) {
            Some(_) if integer => Variable::text(Value::unknown(format!("${name}"), Vec::new())),
            Some(before) => {
                let heads = before.alternatives();
                let grown = heads.iter().flat_map(|head| values.iter().map(|tail| head.clone().with_text(name, tail)));
                Variable::one_of(grown.collect(), name)
            }
            None => {
                let head = self.outside_value(name);
                let grown = values.into_iter().map(|tail| {
                    let mut value = head.clone();
                    value.extend(tail);
                    value
                });
                Variable::Scalar(grown.collect())
            }
        };
        self.set_variable(name, whole, span);
    }

    pub(super) fn assign_element(&mut self, name: &str, index: &Value, values: Vec<Value>, append: bool) {
        let key = self.key(index);
        self.evaluate_numbers(name, &Variable::Scalar(values.clone()), self.at);
        let before = match self.state.variables.get(name) {
            Some(before) => before.clone(),
            // A key that is no number: the array was declared somewhere else.
            None if key.number.is_none() && key.text.is_some() => Variable::Map(Vec::new()),
            None => Variable::Unset,
        };
        if self.dialect == Dialect::Zsh {
            self.fill_zsh_table(name, key.text.as_deref(), &values);
        }
        // The shell's own tables of aliases and of programs that it has found.
        if let ("BASH_ALIASES" | "BASH_CMDS", Some(alias)) = (name, &key.text) {
            self.state.aliases.insert(alias.as_str(), values.iter().cloned().map(Some).collect());
        }
        self.spend(before.weight());
        let after = with_elements(&before, name, &key, &values, append);
        self.remember_for_traps(name);
        if self.state.settings.readonly.iter().any(|frozen| frozen == name) {
            return self.join_variable(name, Some(&after));
        }
        self.state.variables.insert(name, after);
    }

    /// What is given to a variable that holds numbers is evaluated, and with it the subscripts in its text.
    fn evaluate_numbers(&mut self, name: &str, variable: &Variable, span: Span) {
        let counts = COUNTERS.contains(&name)
            || self.state.settings.attributes.iter().any(|had| had.name == name && had.attribute == Attribute::Integer);
        if counts {
            for value in variable.alternatives().iter().flat_map(Variable::elements_of_all) {
                self.run_subscripts(&value, span);
                self.step(value.size() / EVALUATED);
            }
        }
    }

    /// Every value in the form that the attributes of the variable give it.
    fn attributed(&self, name: &str, variable: Variable) -> Variable {
        if self.state.settings.attributes.is_empty() {
            return variable;
        }
        let mut variable = variable;
        for had in self.state.settings.attributes.iter().filter(|had| had.name == name) {
            let Variable::Scalar(values) = &variable else {
                let origins = variable.origins();
                return Variable::unknown_list(name, origins);
            };
            let turned = values.iter().map(|value| match (had.attribute, value.known()) {
                (Attribute::Lower, Some(text)) => Value::text(text.to_lowercase()),
                (Attribute::Upper, Some(text)) => Value::text(text.to_uppercase()),
                (Attribute::Integer, Some(text)) => match self.number(text) {
                    Some(number) => Value::text(number.to_string()),
                    None => Value::unknown(format!("${name}"), Vec::new()),
                },
                (_, None) => Value::unknown(format!("${name}"), value.origins().cloned().collect::<Origins>()),
            });
            let mut turned: Vec<Variable> = turned.map(Variable::text).collect();
            if !had.sure {
                turned.push(variable.clone());
            }
            variable = Variable::one_of(turned, name);
        }
        variable
    }

    /// The attributes of a variable may have gone, or may never have been given.
    pub(super) fn doubt_attributes(&mut self, name: &str) {
        if self.state.settings.attributes.iter().any(|had| had.name == name) {
            let all = self.state.settings.attributes.iter_mut();
            all.filter(|had| had.name == name).for_each(|had| had.sure = false);
        }
    }

    /// Programs do not see these variables any more.
    pub fn withhold(&mut self, is_withheld: impl Fn(&str) -> bool) {
        self.state.settings.exported.retain(|name| !is_withheld(name));
    }
}

impl Variable {
    /// The texts that it may be.
    fn elements_of_all(&self) -> Vec<Value> {
        match self {
            Self::Scalar(values) => values.clone(),
            other => other.elements(),
        }
    }
}

/// An array with one of these values at an index.
fn with_elements(before: &Variable, name: &str, key: &Key, values: &[Value], append: bool) -> Variable {
    let starts = before.alternatives();
    let filled = starts
        .iter()
        .flat_map(|start| values.iter().map(|value| start.clone().with_element(name, key, value.clone(), append)));
    Variable::one_of(filled.collect(), name)
}

/// An array with more elements: those without an index come behind the one before.
fn fill(start: Variable, name: &str, added: &[(Option<Key>, Value)]) -> Variable {
    let mut filled = match start {
        Variable::Scalar(values) => Variable::list(values),
        Variable::Reference(_) | Variable::Unset | Variable::Either(_) => Variable::Array(Vec::new()),
        array => array,
    };
    let named = |key: &Key| key.number.is_none() && key.text.is_some();
    if let Variable::Array(elements) = &filled
        && elements.is_empty()
        && added.iter().any(|(key, _)| key.as_ref().is_some_and(named))
    {
        filled = Variable::Map(Vec::new());
    }
    // Elements without an index in an associative array are its keys and values by turns.
    if matches!(filled, Variable::Map(_)) && added.iter().any(|(key, _)| key.is_none()) {
        for pair in added.chunks(2) {
            if let [(None, key), (None, value)] = pair {
                let key = Key { text: key.known().map(str::to_owned), number: None };
                filled = filled.with_element(name, &key, value.clone(), false);
            } else {
                return Variable::unknown_list(
                    name,
                    added.iter().flat_map(|(_, value)| value.origins().cloned()).collect(),
                );
            }
        }
        return filled.bounded(name);
    }
    let mut next: Option<i64> = None;
    for (key, value) in added {
        match (key, &mut filled) {
            (Some(key), _) => {
                next = key.number.map(|number| number + 1);
                filled = filled.with_element(name, key, value.clone(), false);
            }
            (None, Variable::Array(elements)) if next.is_none_or(|next| i64::try_from(elements.len()) == Ok(next)) => {
                elements.push(Some(value.clone()));
                next = next.map(|next| next + 1);
            }
            (None, _) => {
                let key = Key { text: next.map(|next| next.to_string()), number: next };
                next = next.map(|next| next + 1);
                filled = filled.with_element(name, &key, value.clone(), false);
            }
        }
    }
    filled.bounded(name)
}
