//! Parameter expansion: `$x`, `${x:-y}`, `${x%.txt}` and the rest.

use super::pattern;
use crate::{
    shell::{
        machine::{Shell, Variable},
        syntax::tree::{Index, Parameter, ParameterOperation, ReplaceWhich, Word, WordPart},
    },
    value::{Arg, Origin, Piece, Value},
};
use compact_str::format_compact;
use smallvec::smallvec;

/// A variable may have this many values at a time; with more it is unknown.
pub(in crate::shell) const MAX_ALTERNATIVES: usize = 4;

/// Variables that always begin with the root directory.
const ABSOLUTE: &[&str] = &["PATH", "OLDPWD", "MAIL", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "MANPATH"];

impl Parameter {
    /// Whether it stands for several fields: `$@`, `$*`, `${a[@]}`.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.name.as_str(), "@" | "*") || matches!(self.index, Some(Index::All | Index::Joined))
    }

    /// Whether its fields become one in quotes: `"$*"`, `"${a[*]}"`.
    pub(super) fn joins(&self) -> bool {
        self.name == "*" || self.index == Some(Index::Joined)
    }
}

impl Shell<'_> {
    /// The values of a parameter expansion: one, or several for a list.
    pub(super) fn parameter(&mut self, parameter: &Parameter) -> Vec<Value> {
        let indirect = parameter.indirect && parameter.operation != ParameterOperation::NamesWithPrefix;
        let pointed = if indirect { self.pointed(parameter) } else { None };
        let parameter = match &pointed {
            Some(pointed) => pointed,
            None if indirect => return vec![Value::unknown(format!("${{!{}}}", parameter.name), Vec::new())],
            None => parameter,
        };
        let shown = format_compact!("${}", parameter.name);
        let values = self.look_up(parameter);
        let unset = values.is_none();
        let values = values.unwrap_or_else(|| {
            let name = self.state.resolve(&parameter.name).to_owned();
            vec![self.outer_variable(&name, &shown)]
        });
        if parameter.is_list() && parameter.operation == ParameterOperation::Value {
            return values;
        }
        if let (true, ParameterOperation::Substring { offset, length }) = (parameter.is_list(), &parameter.operation) {
            return self.slice(parameter, values, offset, length.as_ref());
        }
        if parameter.is_list() && !matches!(parameter.operation, ParameterOperation::Length) {
            return values.into_iter().map(|value| self.operate(parameter, value, unset, &shown)).collect();
        }
        if parameter.operation == ParameterOperation::Length && (parameter.is_list() || parameter.name == "@") {
            return vec![if unset {
                Value::unknown("${#…}", Vec::new())
            } else {
                Value::text(values.len().to_string())
            }];
        }
        let value = self.choose(&parameter.name, values);
        vec![self.operate(parameter, value, unset, &shown)]
    }

    /// The values that the text gives a name; none if it says nothing about it.
    fn look_up(&mut self, parameter: &Parameter) -> Option<Vec<Value>> {
        let name = parameter.name.as_str();
        // The subscript is expanded and evaluated, whatever the name stands for.
        let index = match &parameter.index {
            Some(Index::At(index)) => {
                let value = self.expand_single(index);
                self.run_subscripts(&value, parameter.span);
                value
            }
            _ => Value::default(),
        };
        match name {
            "@" | "*" => {
                let positional = self.state.positional.as_ref()?;
                return Some(positional.iter().map(|arg| arg.value.clone()).collect());
            }
            "#" => {
                let count = self.state.positional.as_ref()?.len();
                return Some(vec![Value::text(count.to_string())]);
            }
            // The shell itself, and what it has started last.
            "$" | "!" | "BASHPID" => return Some(vec![Value::unknown(format!("${name}"), vec![Origin::Started])]),
            "?" | "-" | "_" => return Some(vec![Value::unknown(format!("${name}"), Vec::new())]),
            _ => {}
        }
        if let Ok(position) = name.parse::<usize>() {
            if position == 0 {
                return Some(vec![self.state.zero.clone().unwrap_or_else(|| Value::text("bash"))]);
            }
            let positional = self.state.positional.as_ref()?;
            return Some(vec![positional.get(position - 1).map(|arg: &Arg| arg.value.clone()).unwrap_or_default()]);
        }
        let variable = self.state.variables.get(self.state.resolve(name)).cloned()?;
        Some(match (variable, &parameter.index) {
            (Variable::Scalar(values), _) => values,
            (Variable::Reference(_), _) => return None,
            (Variable::Map(entries), Some(Index::All | Index::Joined)) => {
                entries.into_iter().map(|(_, value)| value).collect()
            }
            (Variable::Map(entries), Some(Index::At(_))) => {
                let wanted = index.known().map(|text| text.trim_matches(['"', '\'']));
                match entries.iter().rev().find(|(key, _)| Some(key.as_str()) == wanted) {
                    Some((_, value)) => vec![value.clone()],
                    None => any_of(entries.into_iter().map(|(_, value)| value).collect(), name),
                }
            }
            (Variable::Map(_), None) => vec![Value::default()],
            (Variable::Array(values), Some(Index::All | Index::Joined)) => values,
            (Variable::Array(values), None) => vec![values.first().cloned().unwrap_or_default()],
            (Variable::Array(values), Some(Index::At(_))) => {
                match index.known().and_then(|text| text.trim().parse::<usize>().ok()) {
                    Some(at) => vec![values.get(at).cloned().unwrap_or_default()],
                    // An index that is no number: any of the values.
                    None => any_of(values, name),
                }
            }
        })
    }

    /// The parameter that `${!name}` points at; none if that is not known.
    fn pointed(&mut self, parameter: &Parameter) -> Option<Parameter> {
        let target = match parameter.name.parse::<usize>() {
            Ok(_) => self.look_up(parameter)?.into_iter().next()?,
            Err(_) => self.variable(&parameter.name)?.clone(),
        };
        let target = target.known()?;
        let (name, index) = match target.split_once('[') {
            Some((name, "@]")) => (name, Some(Index::All)),
            Some((name, "*]")) => (name, Some(Index::Joined)),
            Some((name, index)) => {
                let text = WordPart::SingleQuoted(index.trim_end_matches(']').into());
                (name, Some(Index::At(Word { parts: smallvec![text], span: parameter.span })))
            }
            None => (target, parameter.index.clone()),
        };
        Some(Parameter { name: name.into(), index, indirect: false, ..parameter.clone() })
    }

    /// `${a[@]:1}`, `${@:2:3}`: some of the fields.
    fn slice(&mut self, parameter: &Parameter, values: Vec<Value>, offset: &Word, length: Option<&Word>) -> Vec<Value> {
        let number = |value: &Value| value.known().and_then(|text| text.trim().parse::<i64>().ok());
        let offset = number(&self.arithmetic(&offset.parts));
        let length = length.map(|length| number(&self.arithmetic(&length.parts)));
        let (Some(offset), None | Some(Some(_))) = (offset, length) else {
            let origins = values.iter().flat_map(Value::origins).cloned().collect();
            return vec![Value::unknown("${…:…}", origins)];
        };
        // The arguments count from one; the name of the shell stands before them.
        let first = i64::from(matches!(parameter.name.as_str(), "@" | "*"));
        let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
        let start = if offset < 0 { (count + offset).max(0) } else { (offset - first).max(0) };
        let take = length.flatten().map_or(usize::MAX, |length| usize::try_from(length).unwrap_or(0));
        values.into_iter().skip(usize::try_from(start).unwrap_or(0)).take(take).collect()
    }

    /// What a program sees in a variable, as far as it is known.
    pub fn environment_variable(&self, name: &str) -> Value {
        match self.variable(name) {
            Some(value) => value.clone(),
            None => self.outer_variable(name, &format!("${name}")),
        }
    }

    /// Variables that a shell has from outside.
    fn outer_variable(&self, name: &str, shown: &str) -> Value {
        match name {
            "HOME" => Value::text(self.whereabouts.home.as_str()),
            "PWD" => match self.cwd() {
                Some(cwd) => Value::text(cwd),
                None => Value::unknown(shown, vec![Origin::Variable(name.to_owned())]),
            },
            "TMPDIR" | "TMP" | "TEMP" | "RUNNER_TEMP" => Value::text("/tmp"),
            "SHELL" | "BASH" => Value::text("/bin/bash"),
            "IFS" => Value::text(" \t\n"),
            _ => Value::unknown(shown, vec![Origin::Variable(name.to_owned())]),
        }
    }

    /// One of several possible values: which, the round says; the walker comes back for the others.
    fn choose(&mut self, name: &str, values: Vec<Value>) -> Value {
        let wanted = if values.len() > 1 { self.picks.pick(name, values.len()) } else { 0 };
        values.into_iter().nth(wanted).unwrap_or_default()
    }

    fn operate(&mut self, parameter: &Parameter, value: Value, unset: bool, shown: &str) -> Value {
        match &parameter.operation {
            ParameterOperation::Value => value,
            ParameterOperation::Length => match value.known() {
                Some(text) => Value::text(text.chars().count().to_string()),
                None => Value::unknown("${#…}", Vec::new()),
            },
            ParameterOperation::Default { or_empty, word } | ParameterOperation::Assign { or_empty, word } => {
                let other = self.expand_single(word);
                let result = self.default(&parameter.name, value, other, unset, *or_empty);
                if matches!(parameter.operation, ParameterOperation::Assign { .. }) {
                    self.set_variable(&parameter.name, Variable::Scalar(vec![result.clone()]), parameter.span);
                }
                result
            }
            ParameterOperation::Require { word, .. } => {
                self.expand_single(word);
                value
            }
            ParameterOperation::Alternate { word, or_empty } => {
                let other = self.expand_single(word);
                if value.has_unknown() {
                    self.choose(&format!("{}+", parameter.name), vec![other, Value::default()])
                } else if unset || (*or_empty && value.is_empty()) {
                    Value::default()
                } else {
                    other
                }
            }
            ParameterOperation::RemovePrefix { longest, pattern } => {
                let pattern = self.pattern_text(pattern);
                change(value, pattern, |text, pattern| pattern::remove_prefix(text, pattern, *longest).to_owned())
            }
            ParameterOperation::RemoveSuffix { longest, pattern } => {
                let pattern = self.pattern_text(pattern);
                change(value, pattern, |text, pattern| pattern::remove_suffix(text, pattern, *longest).to_owned())
            }
            ParameterOperation::Replace { which, pattern, with } => {
                let pattern = self.pattern_text(pattern);
                let with = self.expand_single(with);
                let Some(with) = with.known().map(str::to_owned) else {
                    return changed(shown, value.origins().chain(with.origins()));
                };
                change(value, pattern, |text, pattern| match which {
                    ReplaceWhich::First => pattern::replace(text, pattern, &with, false),
                    ReplaceWhich::All => pattern::replace(text, pattern, &with, true),
                    ReplaceWhich::Prefix => {
                        let rest = pattern::remove_prefix(text, pattern, true);
                        if rest.len() == text.len() { text.to_owned() } else { format!("{with}{rest}") }
                    }
                    ReplaceWhich::Suffix => {
                        let rest = pattern::remove_suffix(text, pattern, true);
                        if rest.len() == text.len() { text.to_owned() } else { format!("{rest}{with}") }
                    }
                })
            }
            ParameterOperation::Substring { offset, length } => self.substring(value, offset, length.as_ref(), shown),
            ParameterOperation::ChangeCase { upper, all, pattern } => {
                let pattern = self.pattern_text(pattern);
                if pattern.as_deref() != Some("") {
                    return unknown_like(&value, shown);
                }
                change(value, pattern, |text, _| change_case(text, *upper, *all))
            }
            ParameterOperation::Transform(letter) => match letter {
                'U' => change(value, Some(String::new()), |text, _| text.to_uppercase()),
                'L' => change(value, Some(String::new()), |text, _| text.to_lowercase()),
                // The value is expanded like a prompt: substitutions in it run.
                'P' => {
                    self.run_prompt(&value, parameter.span);
                    unknown_like(&value, shown)
                }
                'u' => change(value, Some(String::new()), |text, _| change_case(text, true, false)),
                _ => unknown_like(&value, shown),
            },
            ParameterOperation::NamesWithPrefix => Value::unknown(shown, Vec::new()),
            ParameterOperation::Other(word) => {
                let inside = self.expand_single(word);
                changed(shown, value.origins().chain(inside.origins()))
            }
        }
    }

    fn default(&mut self, name: &str, value: Value, other: Value, unset: bool, or_empty: bool) -> Value {
        if value.has_unknown() && unset {
            // Whoever sets `PYTHON` or `CC` names another build of the same tool.
            if other.known().is_some_and(|tool| names_tool(name, tool)) {
                return other;
            }
            // The variable comes from outside: it may be set or not.
            return self.choose(&format!("{name}-"), vec![other, value]);
        }
        match (value.is_empty(), or_empty) {
            (true, true) => other,
            // An argument that is missing is not set; one that is there may be empty.
            (true, false) if name.parse::<usize>().is_ok() => self.choose(&format!("{name}-"), vec![other, value]),
            (true, false) => value,
            (false, _) => value,
        }
    }

    fn substring(&mut self, value: Value, offset: &Word, length: Option<&Word>, shown: &str) -> Value {
        let offset = self.arithmetic(&offset.parts);
        let length = length.map(|length| self.arithmetic(&length.parts));
        let number = |value: &Value| value.known().and_then(|text| text.trim().parse::<i64>().ok());
        // The first character of a list of absolute paths is known even if the rest is not.
        let is_path =
            value.origins().any(|origin| matches!(origin, Origin::Variable(name) if ABSOLUTE.contains(&name.as_str())));
        if is_path && number(&offset) == Some(0) && length.as_ref().and_then(number) == Some(1) {
            return Value::text("/");
        }
        let (Some(text), Some(offset)) = (value.known(), number(&offset)) else { return unknown_like(&value, shown) };
        let count = text.chars().count();
        let size = i64::try_from(count).unwrap_or(i64::MAX);
        let start = if offset < 0 { (size + offset).max(0) } else { offset.min(size) };
        let end = match length.as_ref().map(number) {
            None => size,
            Some(None) => return unknown_like(&value, shown),
            Some(Some(length)) if length < 0 => (size + length).max(start),
            Some(Some(length)) => start.saturating_add(length).min(size),
        };
        let (start, end) = (usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0));
        Value::text(text.chars().skip(start).take(end.saturating_sub(start)).collect::<String>())
    }

    /// A pattern as text, with quoted glob characters escaped; none if it is not known.
    fn pattern_text(&mut self, word: &Word) -> Option<String> {
        let mut args = Vec::new();
        self.expand_fields(&word.parts, word.span, &mut args);
        let mut text = String::new();
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            for piece in arg.value.pieces() {
                match piece {
                    Piece::Text(part) => {
                        for letter in part.chars() {
                            if "*?[\\".contains(letter) {
                                text.push('\\');
                            }
                            text.push(letter);
                        }
                    }
                    Piece::Glob(part) => text.push_str(part),
                    Piece::Unknown(_) => return None,
                }
            }
        }
        Some(text)
    }
}

/// Whether a variable is the usual one for naming a tool: `PYTHON` for `python3`, `CC` for `gcc`.
fn names_tool(variable: &str, tool: &str) -> bool {
    let base = tool.rsplit('/').next().unwrap_or(tool);
    let plain = base.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    let named = variable.trim_end_matches("_BIN").trim_end_matches("_CMD").trim_end_matches("_EXE");
    let named = named.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match named {
        "CC" => matches!(plain, "cc" | "gcc" | "clang" | "tcc" | "icc"),
        "CXX" => matches!(plain, "c++" | "g++" | "clang++"),
        "LD" | "AR" | "NM" | "RANLIB" | "STRIP" | "OBJCOPY" => plain.to_ascii_uppercase().ends_with(named),
        "MAKE" => matches!(plain, "make" | "gmake" | "ninja"),
        "PKG_MANAGER" | "PACKAGE_MANAGER" => matches!(plain, "npm" | "pnpm" | "yarn" | "bun"),
        "CONTAINER_ENGINE" | "CONTAINER_RUNTIME" | "DOCKER" => matches!(plain, "docker" | "podman" | "nerdctl"),
        named => !plain.is_empty() && named == plain.to_ascii_uppercase().replace('-', "_"),
    }
}

fn change(value: Value, pattern: Option<String>, how: impl Fn(&str, &str) -> String) -> Value {
    match (value.known(), pattern) {
        // Long texts are not worth the time: patterns cost the square of the length.
        (Some(text), Some(pattern)) if text.len() <= if pattern.contains('*') { 256 } else { 2048 } => {
            Value::text(how(text, &pattern))
        }
        _ => unknown_like(&value, "${…}"),
    }
}

/// Any of several values; too many are unknown.
pub(in crate::shell) fn any_of(values: Vec<Value>, name: &str) -> Vec<Value> {
    if values.len() <= MAX_ALTERNATIVES {
        return values;
    }
    vec![Value::unknown(format!("${name}"), values.iter().flat_map(Value::origins).cloned().collect())]
}

/// A part of a value that is not known. A part of a temporary name is none.
fn unknown_like(value: &Value, shown: &str) -> Value {
    changed(shown, value.origins())
}

/// An unknown text that was made from others; a part of a process number is no process number.
fn changed<'o>(shown: &str, origins: impl Iterator<Item = &'o Origin>) -> Value {
    Value::unknown(shown, origins.filter(|origin| !matches!(origin, Origin::Started | Origin::TemporaryName)).cloned().collect())
}

fn change_case(text: &str, upper: bool, all: bool) -> String {
    let turn = |part: &str| if upper { part.to_uppercase() } else { part.to_lowercase() };
    if all {
        return turn(text);
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    let (head, tail) = text.split_at(first);
    format!("{}{tail}", turn(head))
}
