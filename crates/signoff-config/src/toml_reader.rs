//! Values out of TOML, each with its place: what is of another type, unknown or impossible is a fault that says where it
//! stands and what to write instead.

use std::{ops::Range, str::FromStr, sync::Arc, time::Duration};

use signoff_model::{BadName, MAX_NAME, PersonId};
use signoff_policy::{CommandPattern, Layer, Listed, Origin, PathPattern, PatternError};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    decimal,
    fault::{Fault, FaultKind, Position, Words},
    file::Contents,
    keys::{self, Bounds, KEYS},
    nearest::nearest,
    quiet_hours::QuietHours,
    settings::Valued,
    span_of_time::Scale,
};

/// A list may not be longer than this: matching stays cheap whatever a file says.
const LONGEST_LIST: usize = 1024;

/// A file on its way from text to values.
pub(crate) struct Reader<'t> {
    contents: &'t Contents,
    text: &'t str,
    pub(crate) layer: Layer,
}

pub(crate) type Value<'t> = Spanned<DeValue<'t>>;

impl<'t> Reader<'t> {
    pub(crate) fn new(contents: &'t Contents, layer: Layer) -> Self {
        // Some editors put a mark at the beginning of a text that is none of its characters.
        let text = contents.text.strip_prefix('\u{feff}').unwrap_or(&contents.text);
        Self { contents, text, layer }
    }

    pub(crate) fn parse(&self) -> Result<DeTable<'t>, Fault> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let what = error.message().lines().next().unwrap_or_default().to_owned();
            let fault = Fault::new(
                FaultKind::Syntax,
                self.contents.path.as_path(),
                Words::new(format!("this is not TOML: {what}"), format!("这不是合法的 TOML：{what}")),
                Words::new(
                    "correct the line; `signoff config` shows every key and its form",
                    "请改正该行；`signoff config` 会列出所有键及其格式",
                ),
            );
            fault.at(self.position(error.span().unwrap_or_default()))
        })?;
        Ok(table.into_inner())
    }

    /// Where something stands.
    fn position(&self, span: Range<usize>) -> Position {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Position {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }

    pub(crate) fn origin(&self, span: Range<usize>) -> Origin {
        Origin::in_file(self.layer, Arc::clone(&self.contents.path), self.position(span).line)
    }

    pub(crate) fn fault(&self, kind: FaultKind, key: &str, span: Range<usize>, message: Words, hint: Words) -> Fault {
        Fault::new(kind, self.contents.path.as_path(), message, hint).at(self.position(span)).key(key)
    }

    /// Makes sure that a table holds nothing but keys that exist.
    pub(crate) fn known(&self, table: &DeTable<'t>, path: &str) -> Result<(), Fault> {
        let names = keys::names_below(path);
        if names.contains(&"<name>") {
            return Ok(());
        }
        // Faults are told in the order of the file.
        let mut unknown: Vec<_> = table.keys().filter(|name| !names.contains(&name.get_ref().as_ref())).collect();
        unknown.sort_by_key(|name| name.span().start);
        match unknown.first() {
            None => Ok(()),
            Some(name) => Err(self.unknown_key(name, path, &names)),
        }
    }

    fn unknown_key(&self, name: &Spanned<std::borrow::Cow<'t, str>>, path: &str, names: &[&'static str]) -> Fault {
        let written: &str = name.get_ref();
        let full = if path.is_empty() { written.to_owned() } else { format!("{path}.{written}") };
        let last = |key: &'static str| key.rsplit('.').next().unwrap_or(key);
        let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let near = nearest(written, names.iter().copied()).map(join);
        let elsewhere = || {
            let near = nearest(written, KEYS.iter().map(|key| last(key.path)))?;
            KEYS.iter().find(|key| last(key.path) == near).map(|key| key.path.to_owned())
        };
        let hint = match near.or_else(elsewhere) {
            Some(meant) => Words::new(format!("did you mean `{meant}`?"), format!("您是想写 `{meant}` 吗？")),
            None => {
                let all = names.join("`, `");
                Words::new(format!("known here: `{all}`"), format!("此处可用的键：`{all}`"))
            }
        };
        self.fault(
            FaultKind::UnknownKey,
            &full,
            name.span(),
            Words::new(format!("unknown key `{full}`"), format!("未知的键 `{full}`")),
            hint,
        )
    }

    fn wrong_type(&self, key: &str, value: &Value<'t>, wanted: &Words) -> Fault {
        let found = value.get_ref().type_str();
        self.fault(
            FaultKind::WrongType,
            key,
            value.span(),
            Words::new(
                format!("`{key}` must be {}, and this is of type {found}", wanted.english),
                format!("`{key}` 应为{}，此处类型为 {found}", wanted.chinese),
            ),
            Words::new(format!("write {}", wanted.english), format!("请写成{}", wanted.chinese)),
        )
    }

    pub(crate) fn table<'v>(&self, key: &str, value: &'v Value<'t>) -> Result<&'v DeTable<'t>, Fault> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.wrong_type(key, value, &Words::new("a table", "表"))),
        }
    }

    pub(crate) fn array<'v>(&self, key: &str, value: &'v Value<'t>) -> Result<&'v [Value<'t>], Fault> {
        match value.get_ref() {
            DeValue::Array(values) if values.len() <= LONGEST_LIST => Ok(values.as_ref()),
            DeValue::Array(_) => Err(self.fault(
                FaultKind::BadValue,
                key,
                value.span(),
                Words::new(
                    format!("`{key}` has more than {LONGEST_LIST} entries"),
                    format!("`{key}` 超过 {LONGEST_LIST} 项"),
                ),
                Words::new(
                    "write fewer; several patterns can become one with `*`",
                    "请减少条目；多个模式可用 `*` 合并为一个",
                ),
            )),
            _ => Err(self.wrong_type(key, value, &Words::new("a list", "列表"))),
        }
    }

    pub(crate) fn switch(&self, key: &str, value: &Value<'t>) -> Result<Valued<bool>, Fault> {
        match value.get_ref() {
            DeValue::Boolean(switch) => Ok(Valued { value: *switch, origin: self.origin(value.span()) }),
            _ => Err(self.wrong_type(key, value, &Words::new("`true` or `false`", " `true` 或 `false`"))),
        }
    }

    pub(crate) fn share(&self, key: &str, value: &Value<'t>) -> Result<Valued<u16>, Fault> {
        let text = match value.get_ref() {
            DeValue::Float(number) => number.as_str(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            _ => {
                return Err(self.wrong_type(
                    key,
                    value,
                    &Words::new("a decimal number such as `0.5`", "小数，例如 `0.5`"),
                ));
            }
        };
        match decimal::thousandths(text) {
            Some(value_) => Ok(Valued { value: value_, origin: self.origin(value.span()) }),
            None => Err(self.fault(
                FaultKind::BadValue,
                key,
                value.span(),
                Words::new(format!("`{key}` cannot be `{text}`"), format!("`{key}` 不能是 `{text}`")),
                Words::new(
                    "write a number from 0 to 1 with at most three decimals, such as `0.25`",
                    "请写 0 到 1 之间、最多三位小数的数，例如 `0.25`",
                ),
            )),
        }
    }

    pub(crate) fn time(&self, key: &str, value: &Value<'t>, scale: Scale) -> Result<Valued<Duration>, Fault> {
        let DeValue::String(text) = value.get_ref() else {
            let wanted = match scale {
                Scale::Wait => Words::new("a length of time such as `\"5m\"`", "时长，例如 `\"5m\"`"),
                Scale::Keep => Words::new("a length of time such as `\"365d\"`", "时长，例如 `\"365d\"`"),
            };
            return Err(self.wrong_type(key, value, &wanted));
        };
        let hint = || match scale {
            Scale::Wait => Words::new(
                "write a whole number and `s`, `m` or `h`, from `\"1s\"` to `\"24h\"`, such as `\"5m\"`",
                "请写整数加 `s`、`m` 或 `h`，从 `\"1s\"` 到 `\"24h\"`，例如 `\"5m\"`",
            ),
            Scale::Keep => Words::new(
                "write a whole number and `d`, from `\"1d\"` to `\"36500d\"`, such as `\"365d\"`",
                "请写整数加 `d`，从 `\"1d\"` 到 `\"36500d\"`，例如 `\"365d\"`",
            ),
        };
        match scale.parse(text) {
            Some(length) => Ok(Valued { value: length, origin: self.origin(value.span()) }),
            None => Err(self.fault(
                FaultKind::BadValue,
                key,
                value.span(),
                Words::new(format!("`{key}` cannot be `{text}`"), format!("`{key}` 不能是 `{text}`")),
                hint(),
            )),
        }
    }

    /// A whole number within bounds, which the type of the number has room for.
    pub(crate) fn whole<N: TryFrom<u32>>(
        &self,
        key: &str,
        value: &Value<'t>,
        bounds: Bounds,
    ) -> Result<Valued<N>, Fault> {
        let DeValue::Integer(number) = value.get_ref() else {
            return Err(self.wrong_type(key, value, &Words::new("a whole number", "整数")));
        };
        let Bounds { least, most } = bounds;
        let found = u32::from_str_radix(number.as_str(), number.radix()).ok();
        match found.filter(|found| (least..=most).contains(found)).and_then(|found| N::try_from(found).ok()) {
            Some(found) => Ok(Valued { value: found, origin: self.origin(value.span()) }),
            None => Err(self.fault(
                FaultKind::BadValue,
                key,
                value.span(),
                Words::new(format!("`{key}` cannot be `{number}`"), format!("`{key}` 不能是 `{number}`")),
                Words::new(
                    format!("write a whole number from {least} to {most}"),
                    format!("请写 {least} 到 {most} 之间的整数"),
                ),
            )),
        }
    }

    pub(crate) fn hours(&self, key: &str, value: &Value<'t>) -> Result<Valued<QuietHours>, Fault> {
        let DeValue::String(text) = value.get_ref() else {
            let wanted = Words::new("hours such as `\"22:00-07:00\"`", "时段，例如 `\"22:00-07:00\"`");
            return Err(self.wrong_type(key, value, &wanted));
        };
        match QuietHours::parse(text) {
            Some(hours) => Ok(Valued { value: hours, origin: self.origin(value.span()) }),
            None => Err(self.fault(
                FaultKind::BadValue,
                key,
                value.span(),
                Words::new(format!("`{key}` cannot be `{text}`"), format!("`{key}` 不能是 `{text}`")),
                Words::new(
                    "write two different times from `00:00` to `23:59` with `-` between them, such as `\"22:00-07:00\"`",
                    "请写两个不同的时刻（`00:00` 到 `23:59`），中间用 `-` 连接，例如 `\"22:00-07:00\"`",
                ),
            )),
        }
    }

    /// Names of people, each of them once: who is named twice would still be one person.
    pub(crate) fn persons(&self, key: &str, value: &Value<'t>) -> Result<Valued<Vec<PersonId>>, Fault> {
        let mut persons: Vec<PersonId> = Vec::new();
        for (text, span) in self.texts(key, value)? {
            let person = PersonId::new(text).map_err(|why| self.no_person(key, text, span.clone(), why))?;
            if persons.contains(&person) {
                return Err(self.fault(
                    FaultKind::Duplicate,
                    key,
                    span,
                    Words::new(format!("`{key}` names `{text}` twice"), format!("`{key}` 中 `{text}` 出现了两次")),
                    Words::new("remove one of the two", "请删除其中一个"),
                ));
            }
            persons.push(person);
        }
        Ok(Valued { value: persons, origin: self.origin(value.span()) })
    }

    fn no_person(&self, key: &str, text: &str, span: Range<usize>, why: BadName) -> Fault {
        let (message, hint) = match why {
            BadName::Empty => (
                Words::new(format!("a name in `{key}` is empty"), format!("`{key}` 中有一个空的名字")),
                Words::new("write something between the quotes", "请在引号之间填写内容"),
            ),
            BadName::TooLong => (
                Words::new(format!("a name in `{key}` is too long"), format!("`{key}` 中有一个名字过长")),
                Words::new(format!("write at most {MAX_NAME} bytes"), format!("请写不超过 {MAX_NAME} 字节的名字")),
            ),
            BadName::Unprintable => (
                Words::new(
                    format!("`{text}` in `{key}` has control or invisible characters, or blanks at its ends"),
                    format!("`{key}` 中的 `{text}` 含有控制字符、不可见字符或首尾空格"),
                ),
                Words::new(
                    "write the name anew, without blanks before and behind it",
                    "请重新输入该名字，前后不要留空格",
                ),
            ),
        };
        self.fault(FaultKind::BadValue, key, span, message, hint)
    }

    /// A text that is not empty.
    pub(crate) fn text<'v>(&self, key: &str, value: &'v Value<'t>) -> Result<&'v str, Fault> {
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => Ok(text),
            DeValue::String(_) => Err(self.fault(
                FaultKind::BadValue,
                key,
                value.span(),
                Words::new(format!("`{key}` is empty"), format!("`{key}` 为空")),
                Words::new("write something between the quotes", "请在引号之间填写内容"),
            )),
            _ => Err(self.wrong_type(key, value, &Words::new("a text in quotes", "引号内的文本"))),
        }
    }

    /// One of the words that a type has names for.
    pub(crate) fn one_of<T>(
        &self,
        key: &str,
        value: &Value<'t>,
        names: &[&'static str],
        from_name: impl Fn(&str) -> Option<T>,
    ) -> Result<Valued<T>, Fault> {
        let text = self.text(key, value)?;
        match from_name(text) {
            Some(found) => Ok(Valued { value: found, origin: self.origin(value.span()) }),
            None => Err(self.no_such_name(key, value.span(), text, names)),
        }
    }

    fn no_such_name(&self, key: &str, span: Range<usize>, text: &str, names: &[&'static str]) -> Fault {
        let all = names.join("`, `");
        let hint = match nearest(text, names.iter().copied()) {
            Some(meant) => Words::new(format!("did you mean `{meant}`?"), format!("您是想写 `{meant}` 吗？")),
            None => Words::new(format!("write one of `{all}`"), format!("可用的值：`{all}`")),
        };
        let message = Words::new(format!("`{key}` cannot be `{text}`"), format!("`{key}` 不能是 `{text}`"));
        self.fault(FaultKind::BadValue, key, span, message, hint)
    }

    pub(crate) fn texts<'v>(&self, key: &str, value: &'v Value<'t>) -> Result<Vec<(&'v str, Range<usize>)>, Fault> {
        self.array(key, value)?.iter().map(|value| Ok((self.text(key, value)?, value.span()))).collect()
    }

    pub(crate) fn commands(&self, key: &str, value: &Value<'t>) -> Result<Vec<Listed>, Fault> {
        let listed = |(text, span): (&str, Range<usize>)| {
            let pattern: CommandPattern = self.pattern(key, text, span.clone())?;
            Ok(Listed { pattern, origin: self.origin(span) })
        };
        self.texts(key, value)?.into_iter().map(listed).collect()
    }

    pub(crate) fn paths(&self, key: &str, value: &Value<'t>) -> Result<Vec<PathPattern>, Fault> {
        self.texts(key, value)?.into_iter().map(|(text, span)| self.pattern(key, text, span)).collect()
    }

    fn pattern<P: FromStr<Err = PatternError>>(&self, key: &str, text: &str, span: Range<usize>) -> Result<P, Fault> {
        text.parse().map_err(|error| {
            let (message, hint) = match error {
                PatternError::Empty => (
                    Words::new("a pattern is empty", "模式为空"),
                    Words::new(
                        "write the words of a command, such as `git push *`",
                        "请写命令的各个词，例如 `git push *`",
                    ),
                ),
                PatternError::UnclosedQuote => (
                    Words::new("a quote in the pattern does not end", "模式中的引号没有结束"),
                    Words::new("close the quote", "请补上引号"),
                ),
                PatternError::TooLong => (
                    Words::new("a pattern is too long", "模式过长"),
                    Words::new("use `*` for what differs", "请用 `*` 表示变化的部分"),
                ),
            };
            self.fault(FaultKind::BadValue, key, span, message, hint)
        })
    }

    pub(crate) fn names<T>(
        &self,
        key: &str,
        value: &Value<'t>,
        names: &[&'static str],
        from_name: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, Fault> {
        let named = |(text, span): (&str, Range<usize>)| {
            from_name(text).ok_or_else(|| self.no_such_name(key, span, text, names))
        };
        self.texts(key, value)?.into_iter().map(named).collect()
    }
}
