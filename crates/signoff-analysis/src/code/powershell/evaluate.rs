//! What expressions stand for. What is put together from texts is put together here as well.

use signoff_model::Unread;

use super::{
    Reader,
    things::{MAX_LIST, Thing},
    tree::{Expression, Part},
};
use crate::value::{Origin, Origins, Value};

impl Reader<'_, '_> {
    pub(super) fn evaluate(&mut self, expression: &Expression) -> Thing {
        self.steps += 1;
        match expression {
            Expression::Text(parts) => self.text(parts),
            Expression::Variable(name) => self.variable(name),
            Expression::List(list) => {
                // What stands behind the part that is followed is looked at as well: it may run something.
                let things: Vec<Thing> = list.iter().map(|item| self.evaluate(item)).collect();
                Thing::list(things)
            }
            Expression::Table(entries) => {
                let mut table = Vec::new();
                for (key, value) in entries {
                    let key = self.evaluate(key).value().shown().to_ascii_lowercase();
                    let value = self.statement(value);
                    table.push((key, value));
                }
                Thing::Table(table)
            }
            Expression::Group(body) => self.body(body),
            Expression::Block(body, source) => Thing::Block(body.clone(), source.clone()),
            Expression::Type(name) => Thing::Object(name.clone(), Origins::NONE),
            Expression::Cast(name, inner) => {
                let inner = self.evaluate(inner);
                self.cast(name, inner)
            }
            Expression::Member(of, name) => {
                let of = self.evaluate(of);
                let name = self.evaluate(name).value().shown().to_ascii_lowercase();
                self.member(&of, &name)
            }
            Expression::Call(of, name, args) => {
                let of = self.evaluate(of);
                let name = self.evaluate(name);
                let args: Vec<Thing> = args.iter().map(|arg| self.evaluate(arg)).collect();
                match name.known() {
                    Some(name) => self.method(&of, &name.to_ascii_lowercase(), &args),
                    None => {
                        self.shell.opaque(Unread::Code, self.span);
                        Thing::unknown("$(…)", of.origins())
                    }
                }
            }
            Expression::Index(of, index) => {
                let of = self.evaluate(of);
                let index = self.evaluate(index);
                element(&of, &index)
            }
            Expression::Binary(sign, left, right) => self.binary(sign, left, right),
            Expression::Unary(sign, inner) => {
                if sign == "++"
                    && let Expression::Variable(name) = &**inner
                {
                    self.set(name, Thing::unknown("$(…)", Vec::new()));
                    return Thing::nothing();
                }
                let inner = self.evaluate(inner);
                match sign.as_str() {
                    "-join" => joined(&inner, ""),
                    "-split" => split(&inner, " "),
                    "-" => match inner.known() {
                        Some(number) => Thing::text(format!("-{number}")),
                        None => inner,
                    },
                    _ => Thing::unknown("$(…)", Vec::new()),
                }
            }
        }
    }

    fn text(&mut self, parts: &[Part]) -> Thing {
        let mut all = Thing::text("");
        for (at, part) in parts.iter().enumerate() {
            let next = match part {
                // The home, where a path begins with it.
                Part::Text(text) if at == 0 => match text.strip_prefix('~') {
                    Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
                        Thing::text(format!("{}{rest}", self.shell.whereabouts().home))
                    }
                    _ => Thing::text(text.as_str()),
                },
                Part::Text(text) => Thing::text(text.as_str()),
                Part::Inserted(inner) => self.evaluate(inner),
            };
            all = all.joined(&next);
        }
        all
    }

    fn variable(&self, name: &str) -> Thing {
        if let Some(known) = self.variables.get(name) {
            return known.clone();
        }
        let home = &self.shell.whereabouts().home;
        match name {
            "home" | "env:home" | "env:userprofile" | "env:homepath" => Thing::text(home.as_str()),
            "env:systemdrive" | "env:homedrive" => Thing::text("C:"),
            "env:systemroot" | "env:windir" => Thing::text("C:\\Windows"),
            "env:programfiles" => Thing::text("C:\\Program Files"),
            "env:programdata" | "env:allusersprofile" => Thing::text("C:\\ProgramData"),
            "env:comspec" => Thing::text("cmd.exe"),
            "env:appdata" => Thing::text(format!("{home}/AppData/Roaming")),
            "env:localappdata" => Thing::text(format!("{home}/AppData/Local")),
            "env:temp" | "env:tmp" => Thing::text("/tmp"),
            "pwd" | "psscriptroot" => Thing::text("."),
            "profile" => Thing::text(format!("{home}/Documents/PowerShell/profile.ps1")),
            "true" => Thing::text("True"),
            "false" => Thing::text("False"),
            "null" => Thing::nothing(),
            "args" => match self.shell.arguments() {
                Some(args) => Thing::List(args.iter().map(|arg| Thing::Text(arg.value.clone())).collect()),
                None => Thing::unknown("$args", vec![Origin::Variable("args".to_owned())]),
            },
            name => {
                let plain = name.strip_prefix("env:").unwrap_or(name);
                let secret = name.starts_with("env:") && is_secret(plain);
                let origin =
                    if secret { Origin::Secret(format!("${name}")) } else { Origin::Variable(plain.to_owned()) };
                Thing::unknown(&format!("${name}"), vec![origin])
            }
        }
    }

    fn cast(&mut self, name: &str, inner: Thing) -> Thing {
        match name {
            "char" => match inner.known().and_then(|text| number(&text)).and_then(char::from_u32) {
                Some(letter) => Thing::text(letter.to_string()),
                None => inner,
            },
            "char[]" => match (inner.known(), &inner) {
                (Some(text), _) => letters(&text),
                (None, Thing::List(list)) => {
                    Thing::List(list.iter().map(|item| self.cast("char", item.clone())).collect())
                }
                _ => inner,
            },
            "int" | "int32" | "byte" | "uint32" | "long" | "int64" => match inner.known() {
                Some(text) if text.chars().count() == 1 && !text.chars().all(|letter| letter.is_ascii_digit()) => {
                    Thing::text(text.chars().map(u32::from).sum::<u32>().to_string())
                }
                Some(text) => match number(&text) {
                    Some(number) => Thing::text(number.to_string()),
                    None => Thing::text(text),
                },
                None => inner,
            },
            "scriptblock" => self.block_of(&inner),
            "void" => Thing::nothing(),
            "string" => joined(&inner, " "),
            "wmiclass" | "adsi" | "wmi" | "adsisearcher" => {
                Thing::Object(format!("{name}:{}", inner.value().shown().to_ascii_lowercase()), inner.origins())
            }
            _ => inner,
        }
    }

    /// Code that is made from a text.
    pub(super) fn block_of(&mut self, code: &Thing) -> Thing {
        match code.known() {
            Some(text) => {
                let script = super::parse::parse(&text);
                if !script.complete {
                    self.shell.opaque(Unread::Code, self.span);
                }
                Thing::Block(script.body, text.into())
            }
            None => {
                let value = code.value();
                self.shell.run_code(
                    crate::shell::Language::PowerShell,
                    &crate::value::Arg { value, span: self.span },
                    crate::value::Feed::none(),
                );
                self.shell.tell_unread(&crate::shell::rules::OPAQUE, Unread::ScriptBlock, self.span);
                Thing::unknown("{…}", code.origins())
            }
        }
    }

    fn member(&mut self, of: &Thing, name: &str) -> Thing {
        match of {
            Thing::Table(table) => match table.iter().find(|(key, _)| key == name) {
                Some((_, thing)) => thing.clone(),
                None => Thing::unknown("$(…)", of.origins()),
            },
            Thing::Either(ways) => {
                let ways: Vec<Thing> = ways.iter().map(|way| self.member(way, name)).collect();
                ways.into_iter().reduce(Thing::or).unwrap_or_else(Thing::nothing)
            }
            Thing::Object(class, origins) => match (class.as_str(), name) {
                ("io.path", "directoryseparatorchar") => Thing::text("\\"),
                ("environment", "newline") => Thing::text("\n"),
                ("environment", "username") | ("environment", "machinename") => Thing::unknown("$(…)", Vec::new()),
                ("environment", "systemdirectory") => Thing::text("C:\\Windows\\System32"),
                ("environment", "currentdirectory") => Thing::text("."),
                ("string", "empty") => Thing::text(""),
                (class, name) if class.contains("encoding") || class.contains("net.") || class.contains("wmi") => {
                    Thing::Object(format!("{class}.{name}"), origins.clone())
                }
                _ => Thing::unknown("$(…)", origins.clone()),
            },
            // The same entry by another of its names.
            Thing::Text(_) | Thing::List(_)
                if matches!(
                    name,
                    "fullname"
                        | "name"
                        | "path"
                        | "pspath"
                        | "providerpath"
                        | "value"
                        | "content"
                        | "rawcontent"
                        | "line"
                        | "text"
                        | "target"
                        | "definition"
                        | "source"
                        | "basename"
                ) =>
            {
                of.clone()
            }
            Thing::Text(value) if matches!(name, "directory" | "directoryname" | "parent" | "psparentpath") => {
                Thing::unknown(&value.shown(), Vec::new())
            }
            _ => {
                let listed = |origin: &Origin| !matches!(origin, Origin::Listing { .. });
                Thing::unknown("$(…)", of.origins().into_iter().filter(listed).collect::<Origins>())
            }
        }
    }

    fn binary(&mut self, sign: &str, left: &Expression, right: &Expression) -> Thing {
        let left = self.evaluate(left);
        let right = self.evaluate(right);
        match sign {
            "+" => match (left.known().and_then(|text| number(&text)), right.known().and_then(|text| number(&text))) {
                (Some(first), Some(second)) => Thing::text(first.saturating_add(second).to_string()),
                _ => match (&left, &right) {
                    (Thing::List(_), _) => left.and(right),
                    (Thing::Table(first), Thing::Table(second)) => {
                        Thing::Table(first.iter().chain(second).cloned().collect())
                    }
                    _ => left.joined(&right),
                },
            },
            "-" | "*" | "/" | "%" => {
                let known = |thing: &Thing| thing.known().and_then(|text| number(&text));
                match (known(&left), known(&right)) {
                    (Some(first), Some(second)) => {
                        let result = match sign {
                            "-" => first.checked_sub(second),
                            "*" => first.checked_mul(second),
                            "/" => first.checked_div(second),
                            _ => first.checked_rem(second),
                        };
                        result
                            .map_or_else(|| Thing::unknown("$(…)", Vec::new()), |value| Thing::text(value.to_string()))
                    }
                    (None, Some(times)) if sign == "*" && times <= 64 => {
                        let mut all = Thing::text("");
                        for _ in 0..times {
                            all = all.joined(&left);
                        }
                        all
                    }
                    _ => Thing::unknown("$(…)", left.origins()),
                }
            }
            "-f" => format(&left, &right),
            "-join" => joined(&left, &right.value().shown()),
            "-split" | "-csplit" | "-isplit" => match right.known() {
                Some(by) => split(&left, &by.replace('\\', "")),
                None => Thing::unknown("$(…)", left.origins()),
            },
            "-replace" | "-creplace" | "-ireplace" => replaced(&left, &right),
            ".." => match (
                left.known().and_then(|text| text.parse::<i64>().ok()),
                right.known().and_then(|text| text.parse::<i64>().ok()),
            ) {
                (Some(from), Some(to)) => {
                    let up = (from..=to).map(|number| Thing::text(number.to_string()));
                    let down = (to..=from).rev().map(|number| Thing::text(number.to_string()));
                    if from <= to { Thing::list(up) } else { Thing::list(down) }
                }
                _ => Thing::unknown("$(…)", Vec::new()),
            },
            "?:" | "??" => left.or(right),
            "-as" => left,
            "-bxor" => Thing::unknown("$(…)", vec![Origin::Decoded]),
            _ => Thing::unknown("$(…)", Vec::new()),
        }
    }
}

/// Whether a variable of the environment is named like a secret.
fn is_secret(name: &str) -> bool {
    ["secret", "token", "password", "passwd", "api_key", "apikey", "access_key", "private_key", "credential"]
        .iter()
        .any(|word| name.contains(word))
}

/// A whole number, in any of the ways to write it.
pub(super) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.trim().parse().ok(),
    }
}

fn element(of: &Thing, index: &Thing) -> Thing {
    let place = |length: usize, text: &str| {
        let at: i64 = text.parse().ok()?;
        let length = i64::try_from(length).ok()?;
        usize::try_from(if at < 0 { at + length } else { at }).ok()
    };
    match (of, index) {
        (Thing::Table(table), index) => {
            let key = index.value().shown().to_ascii_lowercase();
            table
                .iter()
                .find(|(name, _)| *name == key)
                .map_or_else(|| Thing::unknown("$(…)", of.origins()), |(_, thing)| thing.clone())
        }
        (of, Thing::List(all)) => Thing::List(all.iter().map(|index| element(of, index)).collect()),
        (Thing::List(list), index) => index
            .known()
            .and_then(|text| list.get(place(list.len(), &text)?).cloned())
            .unwrap_or_else(|| Thing::unknown("$(…)", of.origins())),
        (Thing::Text(value), index) => {
            let letter = value.known().and_then(|text| {
                let letters: Vec<char> = text.chars().collect();
                letters.get(place(letters.len(), &index.known()?)?).copied()
            });
            letter.map_or_else(|| Thing::unknown("$(…)", of.origins()), |letter| Thing::text(letter.to_string()))
        }
        _ => Thing::unknown("$(…)", of.origins()),
    }
}

pub(super) fn joined(list: &Thing, by: &str) -> Thing {
    let mut all = Value::default();
    for (index, item) in list.items().iter().enumerate() {
        if index > 0 {
            all.push(crate::value::Piece::text(by));
        }
        all.extend(item.value());
    }
    Thing::Text(all)
}

/// The letters of a text. A script may be put together from them, so more of them are followed than of other lists.
fn letters(text: &str) -> Thing {
    const MOST: usize = 16 * MAX_LIST;
    let mut letters = text.chars();
    let mut all: Vec<Thing> = letters.by_ref().take(MOST).map(|letter| Thing::text(letter.to_string())).collect();
    if letters.next().is_some() {
        all.push(Thing::unknown("…", vec![Origin::Decoded]));
    }
    Thing::List(all)
}

pub(super) fn split(text: &Thing, by: &str) -> Thing {
    match text.known() {
        Some(text) if by.is_empty() => letters(&text),
        Some(text) if by == " " => Thing::list(text.split_whitespace().map(Thing::text)),
        Some(text) => Thing::list(text.split(by).map(Thing::text)),
        None => Thing::unknown("$(…)", text.origins()),
    }
}

fn replaced(text: &Thing, by: &Thing) -> Thing {
    let (from, to) = match by {
        Thing::List(list) => {
            (list.first().and_then(Thing::known), list.get(1).map_or(Some(String::new()), Thing::known))
        }
        other => (other.known(), Some(String::new())),
    };
    let plain = |from: &str| !from.contains(['*', '+', '?', '[', '(', '^', '$', '|', '{']);
    match (text.known(), from, to) {
        (Some(text), Some(from), Some(to)) if plain(&from) => {
            let from = from.replace("\\\\", "\u{1}").replace('\\', "").replace('\u{1}', "\\");
            if from.is_empty() { Thing::text(text) } else { Thing::text(text.replace(&from, &to)) }
        }
        _ => Thing::unknown("$(…)", text.origins()),
    }
}

/// `'{0} {1}' -f a, b`.
pub(super) fn format(text: &Thing, args: &Thing) -> Thing {
    let Some(text) = text.known() else {
        return Thing::unknown("$(…)", text.origins().and(args.origins()));
    };
    let items = args.items();
    let mut all = Thing::text("");
    let mut rest = text.as_str();
    while let Some(at) = rest.find('{') {
        all = all.joined(&Thing::text(rest.get(..at).unwrap_or_default()));
        let tail = rest.get(at + 1..).unwrap_or_default();
        if let Some(behind) = tail.strip_prefix('{') {
            all = all.joined(&Thing::text("{"));
            rest = behind;
            continue;
        }
        let Some(end) = tail.find('}') else {
            rest = tail;
            break;
        };
        let index = tail.get(..end).unwrap_or_default();
        let digits: String = index.chars().take_while(char::is_ascii_digit).collect();
        let item = digits.parse::<usize>().ok().and_then(|index| items.get(index).cloned());
        all = all.joined(&item.unwrap_or_else(|| Thing::unknown("{…}", Vec::new())));
        rest = tail.get(end + 1..).unwrap_or_default();
    }
    all.joined(&Thing::text(rest))
}
