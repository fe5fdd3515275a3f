//! What the text says about a name: a variable, an element, an argument, or one of the shell's own.

use compact_str::CompactString;
use signoff_model::Dialect;

use super::parameter::any_of;
use crate::{
    shell::{
        contents::{Element, Key, Variable},
        machine::Shell,
        syntax::tree::{Index, Parameter},
    },
    value::{Arg, Origin, Value},
    words::is_listed,
};

/// What the text gives a name.
pub(super) enum Found {
    /// It says nothing about it: it comes from outside, or is not set.
    Outside,
    /// It takes care that there is nothing.
    Missing,
    One(Value),
    /// Each a word of its own.
    Fields(Vec<Value>),
}

/// Whether the shell itself gives a name a number.
pub(super) fn is_always_set(name: &str) -> bool {
    const OWN: &str =
        "SECONDS RANDOM SRANDOM EPOCHSECONDS EPOCHREALTIME LINENO COLUMNS LINES UID EUID PPID BASHPID OPTIND SHLVL";
    is_listed(OWN, name)
}

impl<'a> Shell<'a> {
    /// `${!prefix@}`: the names of variables. Those from outside are not known.
    pub(super) fn names_with_prefix(&self, prefix: &str) -> Vec<Value> {
        let mut names: Vec<&str> = self.state.variables.keys().filter(|name| name.starts_with(prefix)).collect();
        names.sort_unstable();
        if names.is_empty() {
            return vec![Value::unknown(format!("${{!{prefix}@}}"), Vec::new())];
        }
        names.into_iter().map(Value::text).collect()
    }

    /// `${!array[@]}`: the keys or indices of an array.
    pub(super) fn keys_of(&mut self, name: &str) -> Vec<Value> {
        let name = self.referred(name).to_owned();
        let unknown = || vec![Value::unknown(format!("${{!{name}[@]}}"), Vec::new())];
        let Some(variable) = self.state.variables.get(&name) else { return unknown() };
        let count = variable.count();
        let wanted = if count > 1 { self.picks.pick(&name, count) } else { 0 };
        let keys = match variable {
            Variable::Either(all) => all.get(wanted).and_then(Variable::keys),
            single => single.keys(),
        };
        keys.map_or_else(unknown, |keys| keys.into_iter().map(Value::text).collect())
    }

    /// What the text gives a name.
    pub(super) fn look_up(&mut self, parameter: &'a Parameter<'a>) -> Found {
        let name = parameter.name;
        // The subscript is expanded and evaluated, whatever the name stands for.
        let key = match &parameter.index {
            Some(Index::At(index)) => {
                let value = self.expand_single(index);
                self.compute(&value, parameter.span);
                Some(self.key(&value))
            }
            _ => None,
        };
        // The shell's own names begin with something else.
        if name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
            return self.look_up_variable(name, parameter.index.as_ref(), key.as_ref(), 0);
        }
        match name {
            "@" | "*" => {
                return match &self.state.positional {
                    Some(args) => Found::Fields(args.iter().map(|arg| arg.value.clone()).collect()),
                    None => Found::Outside,
                };
            }
            "#" => {
                return match &self.state.positional {
                    Some(args) if args.iter().any(Arg::splits) => Found::One(Value::unknown("$#", Vec::new())),
                    Some(args) => Found::One(Value::text(args.len().to_string())),
                    None => Found::Outside,
                };
            }
            "_" => {
                return Found::One(match &self.state.last {
                    Some(value) => value.as_ref().clone(),
                    None => Value::unknown("$_", Vec::new()),
                });
            }
            // The shell itself, and what it has started last.
            "$" | "!" | "BASHPID" => return Found::One(Value::unknown(format!("${name}"), vec![Origin::Started])),
            "?" | "-" => return Found::One(Value::unknown(format!("${name}"), Vec::new())),
            _ => {}
        }
        if let Ok(position) = name.parse::<usize>() {
            if position == 0 {
                return Found::One(self.state.settings.zero.clone().unwrap_or_else(|| Value::text("bash")));
            }
            return match &self.state.positional {
                // Behind something that may be any number of words, every position is off by as many.
                Some(args) if args.iter().take(position).any(Arg::splits) => {
                    let values = any_of(args.iter().map(|arg| arg.value.clone()).collect(), name);
                    Found::One(self.choose(name, values))
                }
                Some(args) => match args.get(position - 1) {
                    Some(arg) => Found::One(arg.value.clone()),
                    None => Found::Missing,
                },
                None => Found::Outside,
            };
        }
        self.look_up_variable(name, parameter.index.as_ref(), key.as_ref(), 0)
    }

    fn look_up_variable(&mut self, name: &str, index: Option<&'a Index<'a>>, key: Option<&Key>, depth: usize) -> Found {
        let name = CompactString::from(self.referred(name));
        let Some(variable) = self.state.variables.get(&name) else { return Found::Outside };
        let count = variable.count();
        let wanted = if count > 1 { self.picks.pick(&name, count) } else { 0 };
        let single = match variable {
            Variable::Scalar(values) => {
                let Some(value) = values.get(wanted).or(values.first()) else { return Found::Missing };
                if index.is_none() {
                    return Found::One(value.clone());
                }
                &Variable::text(value.clone())
            }
            Variable::Either(all) => match all.get(wanted).or(all.first()) {
                Some(single) => single,
                None => return Found::Outside,
            },
            single => single,
        };
        let first = Key { text: Some("0".to_owned()), number: Some(0) };
        let element = match (single, index, key) {
            (Variable::Reference(other), _, _) if depth < 8 => {
                let other = other.clone();
                return self.look_up_variable(&other, index, key, depth + 1);
            }
            (Variable::Unset | Variable::Reference(_), _, _) => return Found::Missing,
            (single, Some(Index::All | Index::Joined), _) => return Found::Fields(single.elements()),
            // In zsh the name alone stands for every element.
            (single @ (Variable::Array(_) | Variable::Map(_)), None, _) if self.dialect == Dialect::Zsh => {
                return Found::Fields(single.elements());
            }
            // In zsh the first element has the index one.
            (Variable::Array(elements), Some(_), _) if self.dialect == Dialect::Zsh => {
                Element::One(elements.iter().flatten().cloned().collect())
            }
            (single, Some(Index::At(_)), Some(key)) => single.element(key),
            (single, _, _) => single.element(&first),
        };
        match element {
            Element::One(values) => match any_of(values, &name) {
                one if one.len() < 2 => one.into_iter().next().map_or(Found::Missing, Found::One),
                // An index that is not known: any of the values.
                several => Found::One(self.choose(&format!("{name}[…]"), several)),
            },
            Element::Missing => Found::Missing,
        }
    }
}
