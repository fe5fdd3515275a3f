//! Parameter expansion: `$x`, `${x:-y}`, `${x%.txt}` and the rest.

use signoff_model::Dialect;

use super::{
    LETTERS, SIGNS, is_name,
    lookup::Found,
    pattern::{Cutter, LONGEST_RESULT, Reach, TooDear, push_plain},
};
use crate::{
    shell::{
        contents::Variable,
        machine::Shell,
        options::strip,
        syntax::{
            self, Arena, Limits,
            tree::{AssignedValue, Command, Index, Parameter, ParameterOperation, ReplaceWhich, Word, WordPart},
        },
    },
    value::{Origin, Origins, Value},
};
use compact_str::CompactString;
use smallvec::{SmallVec, smallvec};

/// A variable may have this many values at a time; with more it is unknown.
pub(in crate::shell) const MAX_ALTERNATIVES: usize = 4;

/// Variables that always begin with the root directory.
const ABSOLUTE: &[&str] = &["PATH", "OLDPWD", "MAIL", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "MANPATH"];

/// A name longer than this that stands in another variable is not followed.
const MAX_NAME: usize = 1024;

/// So many comparisons of a letter with a part of a pattern are one step.
const COMPARISONS: usize = 8;

/// Whether a parameter has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Yes,
    No,
    Unclear,
}

impl Parameter<'_> {
    /// Whether it stands for several fields: `$@`, `$*`, `${a[@]}`.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.name, "@" | "*")
            || matches!(self.index, Some(Index::All | Index::Joined))
            || matches!(self.operation, ParameterOperation::NamesWithPrefix)
    }

    /// Whether its fields become one in quotes: `"$*"`, `"${a[*]}"`.
    pub(super) fn joins(&self) -> bool {
        self.name == "*" || self.index == Some(Index::Joined)
    }
}

impl<'a> Shell<'a> {
    /// The value of `$name` where the text gives it one and no other, as nearly always.
    pub(super) fn one_value(&self, parameter: &Parameter<'_>) -> Option<&Value> {
        let plain = matches!(parameter.operation, ParameterOperation::Value)
            && parameter.index.is_none()
            && !parameter.indirect
            && !self.has_references
            // The shell's own names begin with something else.
            && parameter.name.starts_with(|letter: char| letter.is_ascii_lowercase());
        if !plain {
            return None;
        }
        match self.state.variables.get(parameter.name)? {
            Variable::Scalar(values) if values.len() == 1 => values.first(),
            _ => None,
        }
    }

    /// The values of a parameter expansion: one, or several for a list.
    pub(super) fn parameter(&mut self, parameter: &'a Parameter<'a>) -> SmallVec<[Value; 1]> {
        if matches!(parameter.operation, ParameterOperation::NamesWithPrefix) {
            return self.names_with_prefix(parameter.name).into();
        }
        if parameter.indirect
            && matches!(parameter.index, Some(Index::All | Index::Joined))
            && matches!(parameter.operation, ParameterOperation::Value)
        {
            return self.keys_of(parameter.name).into();
        }
        let indirect = parameter.indirect && !matches!(parameter.operation, ParameterOperation::NamesWithPrefix);
        let pointed = if indirect { self.pointed(parameter) } else { None };
        let parameter = match &pointed {
            Some(pointed) => pointed,
            None if indirect => return smallvec![Value::unknown(format!("${{!{}}}", parameter.name), Vec::new())],
            None => parameter,
        };
        let mut shown = CompactString::const_new("$");
        shown.push_str(parameter.name);
        let list = parameter.is_list();
        let found = self.look_up(parameter);
        let outside = |shell: &mut Self| {
            let name = shell.referred(parameter.name).to_owned();
            match name.as_str() {
                "PWD" => shell.here(&shown),
                "OLDPWD" => shell.there(&shown),
                name => shell.outer_variable(name, &shown),
            }
        };
        if !list {
            let (value, set) = match found {
                Found::Outside => (outside(self), Set::Unclear),
                Found::Missing => (Value::default(), Set::No),
                Found::One(value) => (value, Set::Yes),
                // In zsh the name of an array is all of it.
                Found::Fields(values) => {
                    let set = if values.is_empty() { Set::No } else { Set::Yes };
                    return SmallVec::from_vec(self.list_parameter(parameter, values, set, &shown));
                }
            };
            return smallvec![self.operate(parameter, value, set, &shown)];
        }
        let (values, set) = match found {
            Found::Outside => (vec![outside(self)], Set::Unclear),
            Found::Missing => (Vec::new(), Set::No),
            Found::One(value) => (vec![value], Set::Yes),
            Found::Fields(values) => {
                let set = if values.is_empty() { Set::No } else { Set::Yes };
                (values, set)
            }
        };
        SmallVec::from_vec(self.list_parameter(parameter, values, set, &shown))
    }

    /// The values of an expansion of a list.
    fn list_parameter(
        &mut self,
        parameter: &'a Parameter<'a>,
        values: Vec<Value>,
        set: Set,
        shown: &str,
    ) -> Vec<Value> {
        match &parameter.operation {
            ParameterOperation::Value => values,
            ParameterOperation::Substring { offset, length } => {
                self.slice(parameter, values, offset, length.as_deref())
            }
            ParameterOperation::Length => {
                let loose = values.iter().flat_map(Value::unknowns).any(|unknown| unknown.splits);
                vec![if set == Set::Unclear || loose {
                    Value::unknown("${#…}", Vec::new())
                } else {
                    Value::text(values.len().to_string())
                }]
            }
            ParameterOperation::Default { .. } | ParameterOperation::Require { .. } if set == Set::Yes => values,
            // One word stands for all of them.
            ParameterOperation::Default { .. }
            | ParameterOperation::Require { .. }
            | ParameterOperation::Assign { .. }
            | ParameterOperation::Alternate { .. } => {
                let first = values.into_iter().next().unwrap_or_default();
                vec![self.operate(parameter, first, set, shown)]
            }
            _ => values.into_iter().map(|value| self.operate(parameter, value, set, shown)).collect(),
        }
    }

    /// The parameter that `${!name}` points at; none if that is not known.
    fn pointed(&mut self, parameter: &'a Parameter<'a>) -> Option<&'a Parameter<'a>> {
        let target = match parameter.name.parse::<usize>() {
            Ok(_) => match self.look_up(parameter) {
                Found::One(value) => value,
                Found::Outside | Found::Missing | Found::Fields(_) => return None,
            },
            Err(_) => self.variable(parameter.name)?.clone(),
        };
        self.step(target.size() / LETTERS);
        // The subscript of what it points at is evaluated as well.
        self.run_subscripts(&target, parameter.span);
        let known = target.known().filter(|target| target.len() <= MAX_NAME)?;
        // A long name is looked up, copied and shown.
        self.step(2 + known.len() / 8);
        // The name is kept for as long as the tree, however often it is asked for.
        if self.arena.is_full() {
            self.spend_out(parameter.span);
            return None;
        }
        let target = self.arena.text(known);
        let (name, index) = match target.split_once('[') {
            Some((name, "@]")) => (name, Some(Index::All)),
            Some((name, "*]")) => (name, Some(Index::Joined)),
            Some((name, index)) => {
                let parts = self.arena.list(&[WordPart::SingleQuoted(index.trim_end_matches(']'))]);
                (name, Some(Index::At(self.arena.node(Word { parts, span: parameter.span }))))
            }
            None => (target, parameter.index),
        };
        let is_special = matches!(name, "@" | "*" | "#" | "?" | "-" | "$" | "!" | "0");
        if !is_name(name) && !is_special && !name.bytes().all(|byte| byte.is_ascii_digit()) || name.is_empty() {
            self.refused_expansion();
        }
        Some(self.arena.node(Parameter { name, index, indirect: false, ..*parameter }))
    }

    /// `${a[@]:1}`, `${@:2:3}`: some of the fields.
    fn slice(
        &mut self,
        parameter: &'a Parameter<'a>,
        values: Vec<Value>,
        offset: &'a Word<'a>,
        length: Option<&'a Word<'a>>,
    ) -> Vec<Value> {
        let number = |value: &Value| value.known().and_then(|text| text.trim().parse::<i64>().ok());
        let offset = number(&self.arithmetic(offset.parts));
        let length = length.map(|length| number(&self.arithmetic(length.parts)));
        let (Some(offset), None | Some(Some(_))) = (offset, length) else {
            let origins: Origins = values.iter().flat_map(Value::origins).cloned().collect();
            return vec![Value::unknown("${…:…}", origins)];
        };
        // The arguments count from one; the name of the shell stands before them.
        let mut values = values;
        let mut first = i64::from(matches!(parameter.name, "@" | "*"));
        if first == 1 && offset == 0 {
            let zero = self.state.settings.zero.clone().unwrap_or_else(|| Value::text("bash"));
            values.insert(0, zero);
            first = 0;
        }
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

    /// The value of a variable that the text does not set.
    pub(in crate::shell) fn outside_value(&self, name: &str) -> Value {
        self.outer_variable(name, &format!("${name}"))
    }

    /// Variables that a shell has from outside.
    fn outer_variable(&self, name: &str, shown: &str) -> Value {
        match name {
            "HOME" => Value::text(self.whereabouts.home.as_str()),
            "PWD" => match self.cwd() {
                Some(cwd) => Value::text(cwd),
                None => Value::unknown(shown, vec![Origin::Variable(name.to_owned())]),
            },
            "OLDPWD" => match self.state.settings.previous.as_slice() {
                [only] => Value::text(&**only),
                _ => Value::unknown(shown, vec![Origin::Variable(name.to_owned())]),
            },
            "TMPDIR" | "TMP" | "TEMP" | "RUNNER_TEMP" => Value::text("/tmp"),
            "SHELL" | "BASH" => Value::text("/bin/bash"),
            "IFS" => Value::text(" \t\n"),
            _ => Value::unknown(shown, vec![Origin::Variable(name.to_owned())]),
        }
    }

    /// One of several possible values: which, the round says; the walker comes back for the others.
    pub(in crate::shell) fn choose(&mut self, name: &str, values: Vec<Value>) -> Value {
        let wanted = if values.len() > 1 { self.picks.pick(name, values.len()) } else { 0 };
        values.into_iter().nth(wanted).unwrap_or_default()
    }

    fn operate(&mut self, parameter: &'a Parameter<'a>, value: Value, set: Set, shown: &str) -> Value {
        if !matches!(parameter.operation, ParameterOperation::Value) {
            self.step(1 + value.size() / LETTERS);
            // Each field of a list is paid for by itself.
            if self.fuel == 0 {
                self.spend_out(self.at);
                return unknown_like(&value, shown);
            }
        }
        match &parameter.operation {
            ParameterOperation::Value => value,
            ParameterOperation::Length => match value.known() {
                Some(text) => Value::text(text.chars().count().to_string()),
                None => Value::unknown("${#…}", Vec::new()),
            },
            ParameterOperation::Default { or_empty, word } | ParameterOperation::Assign { or_empty, word } => {
                let other = self.expand_single(word);
                let result = self.default(parameter.name, value, other, set, *or_empty);
                if matches!(parameter.operation, ParameterOperation::Assign { .. }) {
                    self.set_variable(parameter.name, Variable::Scalar(vec![result.clone()]), parameter.span);
                }
                result
            }
            ParameterOperation::Require { word, .. } => {
                self.expand_single(word);
                value
            }
            ParameterOperation::Alternate { word, or_empty } => {
                let other = self.expand_single(word);
                if value.has_unknown() && (set == Set::Unclear || *or_empty) {
                    self.choose(&format!("{}+", parameter.name), vec![other, Value::default()])
                } else if set == Set::No || (*or_empty && value.is_empty()) {
                    Value::default()
                } else {
                    other
                }
            }
            ParameterOperation::RemovePrefix { longest, pattern } => {
                let pattern = self.pattern_text(pattern);
                self.cut(value, pattern, |text, cutter| {
                    Ok(cutter.prefix(text, Reach::of(*longest))?.map_or(text, |(_, rest)| rest).to_owned())
                })
            }
            ParameterOperation::RemoveSuffix { longest, pattern } => {
                let pattern = self.pattern_text(pattern);
                self.cut(value, pattern, |text, cutter| {
                    Ok(cutter.suffix(text, Reach::of(*longest))?.map_or(text, |(rest, _)| rest).to_owned())
                })
            }
            ParameterOperation::Replace { which, pattern, with } => {
                let pattern = self.pattern_text(pattern);
                let with = self.expand_single(with);
                let Some(with) = with.known().map(str::to_owned) else {
                    return changed(shown, value.origins().chain(with.origins()));
                };
                // In newer shells `&` stands for what was there.
                if with.contains('&') && value.known().is_some() {
                    let by = |found: &str| with.replace('&', found);
                    let grown =
                        self.cut(value.clone(), pattern.clone(), |text, cutter| replaced(text, cutter, *which, by));
                    let plain =
                        self.cut(value, pattern, |text, cutter| replaced(text, cutter, *which, |_| with.clone()));
                    return self.choose(&format!("{}&", parameter.name), vec![grown, plain]);
                }
                self.cut(value, pattern, |text, cutter| replaced(text, cutter, *which, |_| with.clone()))
            }
            ParameterOperation::Substring { offset, length } => self.substring(value, offset, length.as_deref(), shown),
            ParameterOperation::ChangeCase { upper, all, pattern } => {
                let pattern = self.pattern_text(pattern);
                if pattern.as_deref() != Some("") {
                    return unknown_like(&value, shown);
                }
                change(&value, |text| change_case(text, *upper, *all))
            }
            ParameterOperation::Transform(letter) => match letter {
                'U' => change(&value, |text| text.to_uppercase()),
                'L' => change(&value, |text| text.to_lowercase()),
                // The value is expanded like a prompt: substitutions in it run.
                'P' => {
                    self.run_prompt(&value, parameter.span);
                    unknown_like(&value, shown)
                }
                'E' => match value.known().map(str::to_owned) {
                    Some(text) => self.unescape(&text).unwrap_or_else(|| unknown_like(&value, shown)),
                    None => unknown_like(&value, shown),
                },
                'Q' => change(&value, crate::shell::quote),
                'u' => change(&value, |text| change_case(text, true, false)),
                _ => unknown_like(&value, shown),
            },
            ParameterOperation::NamesWithPrefix => Value::unknown(shown, Vec::new()),
            ParameterOperation::Other(word) => {
                let inside = self.expand_single(word);
                // `${name::=value}` of zsh gives the variable the value, whatever it had.
                if self.dialect == Dialect::Zsh && inside.prefix().starts_with(":=") {
                    let given = strip(&inside, ":=".len());
                    self.set_variable(parameter.name, Variable::text(given.clone()), parameter.span);
                    return given;
                }
                changed(shown, value.origins().chain(inside.origins()))
            }
        }
    }

    /// The text as it would stand in `$'…'`.
    fn unescape(&mut self, text: &str) -> Option<Value> {
        self.step(16 + text.len() / 8);
        let code = format!("x=$'{}'", text.replace('\'', "\\'"));
        let arena = Arena::new();
        let script = syntax::parse(&code, Dialect::Bash, &Limits::default(), &arena);
        let item = script.items.first().filter(|_| script.errors.is_empty())?;
        let Some(Command::Simple(simple)) = item.list.first.commands.first() else { return None };
        match simple.assignments.first().map(|assignment| &assignment.value) {
            Some(AssignedValue::Scalar(Word { parts: [WordPart::SingleQuoted(text)], .. }))
                if simple.words.is_empty() =>
            {
                Some(Value::text(*text))
            }
            _ => None,
        }
    }

    fn default(&mut self, name: &str, value: Value, other: Value, set: Set, or_empty: bool) -> Value {
        match set {
            // Whoever sets `PYTHON` or `CC` names another build of the same tool.
            Set::Unclear if value.has_unknown() && other.known().is_some_and(|tool| names_tool(name, tool)) => other,
            // The variable comes from outside: it may be set or not.
            Set::Unclear if value.has_unknown() => self.choose(&format!("{name}-"), vec![other, value]),
            Set::No => other,
            Set::Yes | Set::Unclear if or_empty && value.is_empty() => other,
            Set::Yes | Set::Unclear => value,
        }
    }

    fn substring(&mut self, value: Value, offset: &'a Word<'a>, length: Option<&'a Word<'a>>, shown: &str) -> Value {
        let offset = self.arithmetic(offset.parts);
        let length = length.map(|length| self.arithmetic(length.parts));
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

    /// What a pattern cuts out of a value or puts into it; it is paid by the comparisons that it takes.
    fn cut(
        &mut self,
        value: Value,
        pattern: Option<String>,
        how: impl Fn(&str, &mut Cutter) -> Result<String, TooDear>,
    ) -> Value {
        let (Some(text), Some(pattern)) = (value.known(), pattern.as_deref()) else {
            return unknown_cut(&value, pattern.as_deref());
        };
        // Which letters a class has beyond ASCII depends on the locale, and whether large ones are small ones on an option.
        if pattern.contains("[:") && !text.is_ascii() || self.other_patterns {
            return unknown_cut(&value, Some(pattern));
        }
        self.step(pattern.len() / 8);
        let mut cutter = Cutter::new(pattern);
        let cut = how(text, &mut cutter);
        let made = cut.as_ref().map_or(LONGEST_RESULT, String::len);
        // Each letter may be where a match begins.
        self.step(1 + cutter.steps / COMPARISONS + text.len() / SIGNS + made / LETTERS);
        let cut = cut.and_then(|text| if text.len() > LONGEST_RESULT { Err(TooDear) } else { Ok(text) });
        match cut {
            Ok(text) => Value::text(text),
            Err(TooDear) => unknown_cut(&value, Some(pattern)),
        }
    }

    /// A pattern as text, with quoted signs escaped; none if it is not known, or if shells take it in more than one way.
    fn pattern_text(&mut self, word: &'a Word<'a>) -> Option<String> {
        let mut pattern = String::new();
        let mut is_known = true;
        for part in word.parts {
            // What is quoted means itself; what comes out of a variable means what its signs do.
            let (text, quoted) = match part {
                WordPart::Literal(text) => ((*text).to_owned(), false),
                part => {
                    let value = self.expand_value(std::slice::from_ref(part));
                    let quoted = matches!(part, WordPart::SingleQuoted(_) | WordPart::DoubleQuoted(_));
                    let plain = quoted
                        || matches!(part, WordPart::Parameter(_) | WordPart::Command(_) | WordPart::Arithmetic(_));
                    match value.known_with_globs() {
                        Some(text) if plain => (text.into_owned(), quoted),
                        _ => {
                            is_known = false;
                            continue;
                        }
                    }
                }
            };
            if quoted {
                push_plain(&mut pattern, &text);
            } else {
                is_known &= means_one_thing(&text, word.parts.len());
                pattern.push_str(&text);
            }
        }
        is_known.then_some(pattern)
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

/// Whether every shell takes some unquoted text of a pattern in the one way that is followed here: no backslash, no home
/// directory, no set that other parts reach into, no class that depends on the locale, no extended pattern.
fn means_one_thing(text: &str, parts: usize) -> bool {
    let is_open = text.rfind('[').is_some_and(|open| text.rfind(']').is_none_or(|close| close < open));
    let extended = ["?(", "*(", "+(", "@(", "!("].iter().any(|sign| text.contains(sign));
    let by_locale = text.contains("[=") || text.contains("[.");
    !(text.contains('\\') || text.starts_with('~') || extended || by_locale || parts > 1 && is_open)
}

/// The text with what matches replaced.
fn replaced(
    text: &str,
    cutter: &mut Cutter,
    which: ReplaceWhich,
    with: impl Fn(&str) -> String,
) -> Result<String, TooDear> {
    match which {
        ReplaceWhich::First => cutter.replaced(text, with, false),
        ReplaceWhich::All => cutter.replaced(text, with, true),
        // A match of nothing is one: `${x/#/a}` puts something before the text.
        ReplaceWhich::Prefix => Ok(match cutter.prefix(text, Reach::Longest)? {
            Some((found, rest)) => format!("{}{rest}", with(found)),
            None => text.to_owned(),
        }),
        ReplaceWhich::Suffix => Ok(match cutter.suffix(text, Reach::Longest)? {
            Some((rest, found)) => format!("{rest}{}", with(found)),
            None => text.to_owned(),
        }),
    }
}

/// What some change of a known text makes of a value.
fn change(value: &Value, how: impl Fn(&str) -> String) -> Value {
    match value.known() {
        Some(text) => Value::text(how(text)),
        None => unknown_like(value, "${…}"),
    }
}

/// A part of a value, or a value with other parts, of which no more is known than the pattern that cuts it.
fn unknown_cut(value: &Value, pattern: Option<&str>) -> Value {
    match pattern {
        // Another part of the path of a temporary file is not that file.
        Some(pattern) if pattern.contains('/') => {
            let origins = value.origins().filter(|origin| !matches!(origin, Origin::TemporaryName));
            let mut origins = origins.cloned().collect::<Origins>();
            origins.blurred_by(Origin::Others);
            Value::unknown("${…}", origins)
        }
        _ => unknown_like(value, "${…}"),
    }
}

/// Any of several values; too many are unknown.
pub(in crate::shell) fn any_of(values: Vec<Value>, name: &str) -> Vec<Value> {
    if values.len() <= MAX_ALTERNATIVES {
        return values;
    }
    vec![Value::unknown(format!("${name}"), values.iter().flat_map(Value::origins).cloned().collect::<Origins>())]
}

/// A part of a value that is not known. A part of a temporary name is none.
fn unknown_like(value: &Value, shown: &str) -> Value {
    changed(shown, value.origins())
}

/// An unknown text that was made from others; a part of a process number is no process number.
fn changed<'o>(shown: &str, origins: impl Iterator<Item = &'o Origin>) -> Value {
    let whole = |origin: &&Origin| !matches!(origin, Origin::Started | Origin::TemporaryName);
    let mut origins: Origins = origins.filter(whole).cloned().collect();
    origins.blurred_by(Origin::Others);
    Value::unknown(shown, origins)
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
