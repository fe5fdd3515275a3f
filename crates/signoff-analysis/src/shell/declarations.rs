//! `declare`, `local`, `export` and their kin, however they are spelt: what they make of variables.

use signoff_model::Span;

use super::{
    call::Call,
    contents::Variable,
    machine::Shell,
    options,
    syntax::{
        self, Limits,
        tree::{AssignedValue, Command, SimpleCommand, WordPart},
    },
    variables::{Attribute, Attributed},
};
use crate::{
    value::{Arg, Feed, Origin, Origins, Value},
    words::Words,
};

/// Builtins whose arguments are assignments.
pub(super) static DECLARATIONS: Words<16> = Words::new("declare typeset local export readonly");

/// What the options of a declaration say.
#[derive(Clone, Debug, Default)]
struct Flags {
    global: bool,
    refers: bool,
    exports: bool,
    withholds: bool,
    freezes: bool,
    functions: bool,
    array: bool,
    map: bool,
    shows: bool,
    attribute: Option<Attribute>,
    /// Whether it takes an attribute away.
    plain: bool,
    /// Whether there were operands.
    operands: bool,
}

impl Flags {
    fn new(builtin: &str) -> Self {
        Self { exports: builtin == "export", freezes: builtin == "readonly", ..Self::default() }
    }

    /// Reads an option; says whether it was one.
    fn read(&mut self, builtin: &str, text: &str) -> bool {
        if self.operands {
            return false;
        }
        if let Some(letters) = text.strip_prefix('+').filter(|letters| !letters.is_empty()) {
            self.withholds |= letters.contains('x');
            self.plain |= letters.contains(['l', 'u', 'i']);
            return true;
        }
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else { return false };
        for letter in letters.chars() {
            match letter {
                'g' => self.global = true,
                'n' if builtin == "export" => self.withholds = true,
                'n' => self.refers = true,
                'x' => self.exports = true,
                'r' => self.freezes = true,
                'f' | 'F' => self.functions = true,
                'a' => self.array = true,
                'A' => self.map = true,
                'p' => self.shows = true,
                'l' => self.attribute = Some(Attribute::Lower),
                'u' => self.attribute = Some(Attribute::Upper),
                'i' => self.attribute = Some(Attribute::Integer),
                _ => {}
            }
        }
        true
    }
}

impl<'a> Shell<'a> {
    /// A declaration as the parser sees it: its arguments are assignments, which the shell does not split.
    pub(super) fn declare(&mut self, builtin: &str, simple: &'a SimpleCommand<'a>, stdin: Feed) -> Feed {
        for assignment in simple.assignments {
            if let AssignedValue::Scalar(word) = &assignment.value {
                self.expand_alternatives(word);
            }
        }
        let plumbing = self.plumb(simple.redirects, stdin);
        let mut flags = Flags::new(builtin);
        for word in simple.words.iter().skip(1) {
            if self.is_spent() {
                self.spend_out(simple.span);
                break;
            }
            let array = word.parts.iter().find_map(|part| match part {
                WordPart::Array(elements) => Some(elements),
                _ => None,
            });
            if let (Some(elements), Some(WordPart::Literal(head))) = (array, word.parts.first()) {
                let appends = head.ends_with("+=");
                let name = head.trim_end_matches(['=', '+']).to_owned();
                if flags.map && !appends && !self.state.variables.get(&name).is_some_and(Variable::has_keys) {
                    self.prepare(builtin, &flags, &name);
                    self.state.variables.insert(name.clone(), Variable::Map(Vec::new()));
                }
                if appends {
                    self.prepare(builtin, &flags, &name);
                }
                let variable = self.array(&name, elements, appends);
                self.declare_value(builtin, &mut flags, &name, variable, simple.span);
                continue;
            }
            for whole in self.expand_braced(word) {
                self.declare_word(builtin, &mut flags, whole, simple.span);
            }
        }
        let feed = self.declared(builtin, &flags, simple.span);
        self.flow_out(&plumbing, feed)
    }

    /// A declaration that is only known to be one when it runs: `builtin declare`, `$e x=1`.
    pub(super) fn declare_call(&mut self, call: &Call) -> Feed {
        let mut flags = Flags::new(&call.name);
        for arg in &call.args {
            if self.is_spent() {
                self.spend_out(call.span);
                break;
            }
            self.declare_word(&call.name, &mut flags, vec![arg.value.clone()], call.span);
        }
        self.declared(&call.name, &flags, call.span)
    }

    fn declare_word(&mut self, builtin: &str, flags: &mut Flags, whole: Vec<Value>, span: Span) {
        let text = whole.first().map_or("", Value::prefix);
        if flags.read(builtin, text) {
            return;
        }
        flags.operands = true;
        let Some(name) = memchr::memchr(b'=', text.as_bytes()).and_then(|end| text.get(..end)) else {
            for value in whole {
                self.declare_name(builtin, flags, &value, span);
            }
            return;
        };
        let appends = name.ends_with('+');
        let (name, skip) = (name.trim_end_matches('+'), name.len() + 1);
        let values: Vec<Value> = whole.iter().map(|value| options::strip(value, skip)).collect();
        if flags.refers {
            self.has_references = true;
            // A reference to an element evaluates its subscript whenever it is used.
            for value in &values {
                self.run_subscripts(value, span);
            }
            let referred = values.iter().map(|value| match value.known() {
                Some(other) => Variable::Reference(other.to_owned()),
                None => {
                    Variable::text(Value::unknown(format!("${name}"), value.origins().cloned().collect::<Origins>()))
                }
            });
            let variable = Variable::one_of(referred.collect(), name);
            self.prepare(builtin, flags, name);
            self.state.variables.insert(name, variable);
            return;
        }
        // `declare -a a='(x y)'`: the text is read as elements.
        let listed = flags.array || flags.map || self.state.variables.get(name).is_some_and(Variable::has_elements);
        let in_brackets = |value: &Value| value.shown().starts_with('(') && value.shown().ends_with(')');
        if listed && values.iter().any(in_brackets) {
            let variables = values.iter().map(|value| self.array_of_text(name, value, appends)).collect();
            let variable = Variable::one_of(variables, name);
            return self.declare_value(builtin, flags, name, variable, span);
        }
        if appends {
            self.prepare(builtin, flags, name);
        }
        let variable = match self.state.variables.get(name) {
            Some(before) if appends => {
                let heads = before.alternatives();
                let grown = heads.iter().flat_map(|head| values.iter().map(|tail| head.clone().with_text(name, tail)));
                Variable::one_of(grown.collect(), name)
            }
            _ => Variable::Scalar(values),
        };
        self.declare_value(builtin, flags, name, variable, span);
    }

    /// A text in brackets as an array takes it.
    fn array_of_text(&mut self, name: &str, value: &Value, append: bool) -> Variable {
        let unknown = |value: &Value| Variable::unknown_list(name, value.origins().cloned().collect::<Origins>());
        let Some(text) = value.known() else { return unknown(value) };
        // It is charged before it is read: a text that turns out to be no array was read as well.
        self.spend(text.len() / 64);
        if self.arena.is_full() {
            self.spend_out(self.at);
            return unknown(value);
        }
        let code = self.arena.text(&format!("a={text}"));
        let script = syntax::parse(code, self.dialect, &Limits::default(), self.arena);
        let [item] = script.items else { return unknown(value) };
        let [Command::Simple(simple)] = item.list.first.commands else { return unknown(value) };
        let [assignment] = simple.assignments else { return unknown(value) };
        match &assignment.value {
            AssignedValue::Array(elements) if script.errors.is_empty() => self.array(name, elements, append),
            _ => unknown(value),
        }
    }

    /// A name without a value: it gets its attributes, and in a function it is local and has no value yet.
    fn declare_name(&mut self, builtin: &str, flags: &Flags, name: &Value, span: Span) {
        let Some(name) = name.known().map(str::to_owned) else { return };
        if flags.functions || flags.shows {
            if flags.exports {
                add(&mut self.state.settings.exported, &name);
            }
            return;
        }
        self.mark(flags, &name);
        if flags.exports {
            let values = match self.state.variables.get(&name) {
                Some(Variable::Scalar(values)) => values.clone(),
                _ => Vec::new(),
            };
            for value in values {
                self.set_environment(&[(name.clone(), value)], span);
            }
        }
        let inside = is_scoped(builtin) && !self.locals.is_empty() && !flags.global;
        let empty = if flags.map {
            Variable::Map(Vec::new())
        } else if flags.array {
            Variable::Array(Vec::new())
        } else {
            Variable::Unset
        };
        if inside {
            self.hide(&name);
            if matches!(self.state.variables.get(&name), Some(Variable::Unset) | None) {
                self.state.variables.insert(name, empty);
            }
        } else if flags.map && !self.state.variables.contains_key(&name) {
            self.state.variables.insert(name, empty);
        } else if flags.refers
            && let Some(Variable::Scalar(values)) = self.state.variables.get(&name).cloned()
        {
            self.has_references = true;
            let referred =
                values.iter().filter_map(|value| value.known().map(|text| Variable::Reference(text.to_owned())));
            let variable = Variable::one_of(referred.collect(), &name);
            self.state.variables.insert(name, variable);
        }
    }

    fn declare_value(&mut self, builtin: &str, flags: &mut Flags, name: &str, variable: Variable, span: Span) {
        flags.operands = true;
        self.prepare(builtin, flags, name);
        let freezes = std::mem::take(&mut flags.freezes);
        self.mark(flags, name);
        flags.freezes = freezes;
        if flags.global {
            self.set_global(name, variable, span);
        } else if builtin == "local" && self.locals.is_empty() {
            // Bash refuses outside of a function; another shell does not.
            self.join_variable(name, Some(&variable));
        } else {
            self.set_variable(name, variable, span);
        }
        if freezes {
            add(&mut self.state.settings.readonly, name);
        }
    }

    /// Makes room for a value: what a local variable hides is put aside.
    fn prepare(&mut self, builtin: &str, flags: &Flags, name: &str) {
        if is_scoped(builtin) && !flags.global && !self.locals.is_empty() {
            self.hide(memchr::memchr(b'[', name.as_bytes()).and_then(|end| name.get(..end)).unwrap_or(name));
        }
    }

    /// Gives a variable the attributes that the options name.
    fn mark(&mut self, flags: &Flags, name: &str) {
        // Each of them is looked through, and copied with every subshell.
        let marked = self.state.settings.exported.len()
            + self.state.settings.readonly.len()
            + self.state.settings.attributes.len();
        self.spend(marked / 256);
        if flags.freezes {
            add(&mut self.state.settings.readonly, name);
        }
        if flags.withholds {
            self.state.settings.exported.retain(|exported| exported != name);
        } else if flags.exports {
            add(&mut self.state.settings.exported, name);
        }
        if flags.plain {
            self.doubt_attributes(name);
        }
        if let Some(attribute) = flags.attribute {
            self.state.settings.attributes.retain(|had| had.name != name || !had.sure && self.conditional);
            self.state.settings.attributes.push(Attributed {
                name: name.to_owned(),
                attribute,
                sure: !self.conditional,
            });
        }
    }

    /// What a declaration prints.
    fn declared(&mut self, builtin: &str, flags: &Flags, span: Span) -> Feed {
        if !flags.operands && !flags.functions && builtin != "local" {
            return self.print_environment(builtin, span);
        }
        if flags.operands && (flags.shows || flags.functions && builtin != "export") {
            return Feed::from(Origin::Program(builtin.into()));
        }
        Feed::none()
    }

    /// The argument of `unset` names a variable, an element or a function.
    pub(super) fn unset(&mut self, call: &Call) {
        let mut args = call.args.as_slice();
        let (mut functions, mut variables, mut references) = (false, false, false);
        while let [first, rest @ ..] = args
            && first.is_option()
        {
            let letters = first.value.prefix();
            functions |= letters.contains('f');
            variables |= letters.contains('v');
            references |= letters.contains('n');
            args = rest;
        }
        for arg in args {
            self.unset_one(arg, functions, variables, references);
        }
    }

    fn unset_one(&mut self, arg: &Arg, functions: bool, variables: bool, references: bool) {
        let Some(name) = arg.value.known_with_globs().map(|name| name.into_owned()) else { return };
        if functions {
            self.state.functions.remove(&name);
            return;
        }
        if let Some((base, index)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            self.run_subscripts(&Value::text(name.as_str()), arg.span);
            let base = self.referred(base).to_owned();
            if matches!(index, "@" | "*") {
                return self.unset_variable(&base);
            }
            // The index is expanded once more.
            let index = if index.contains(['$', '`']) { Value::unknown(index, Vec::new()) } else { Value::text(index) };
            let key = self.key(&index);
            if let Some(before) = self.state.variables.get(&base).cloned() {
                let left = before.alternatives().into_iter().map(|one| one.without_element(&base, &key));
                let left = Variable::one_of(left.collect(), &base);
                self.state.variables.insert(base, left);
            }
            return;
        }
        let target = if references { name.clone() } else { self.referred(&name).to_owned() };
        let is_function = self.state.functions.contains_key(&name) && !variables;
        match self.state.variables.get(&target) {
            Some(Variable::Unset) if is_function => {
                self.state.functions.remove(&name);
            }
            // A variable from outside may have the name, or none has it, and then the function goes.
            None if is_function => self.doubt_function(&name),
            Some(Variable::Either(all)) if is_function && all.contains(&Variable::Unset) => {
                self.doubt_function(&name);
                self.unset_variable(&target);
            }
            _ => self.unset_variable(&target),
        }
    }

    /// The function may not be defined any more.
    fn doubt_function(&mut self, name: &str) {
        if let Some(definitions) = self.state.functions.get(name)
            && !definitions.contains(&None)
        {
            let mut definitions = definitions.clone();
            definitions.push(None);
            self.state.functions.insert(name.to_owned(), definitions);
        }
    }
}

/// Adds a name that is not there yet: what is declared again and again must not make the state grow.
fn add(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|had| had == name) {
        names.push(name.to_owned());
    }
}

/// Whether what the builtin declares in a function is local.
fn is_scoped(builtin: &str) -> bool {
    matches!(builtin, "local" | "declare" | "typeset")
}
