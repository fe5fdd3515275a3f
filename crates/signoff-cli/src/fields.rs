//! One JSON object from outside, taken at its word: nothing in it may be overlooked because it was spelt in another way,
//! and nothing may stand there twice.

use serde_json::{Map, Value};
use signoff_card::visible;

use crate::{arguments::Kind, failure::Failure};

/// What every line may hold.
const COMMON: [&str; 3] = ["id", "kind", "cwd"];

/// The names under which the arguments of a tool come: ours, and those of the protocols that agents speak.
pub(crate) const ARGUMENTS: [&str; 3] = ["args", "arguments", "input"];

/// Words that callers use for a field, with its name.
const OTHER_WORDS: [(&str, &str); 36] = [
    ("dir", "cwd"),
    ("directory", "cwd"),
    ("workdir", "cwd"),
    ("working_dir", "cwd"),
    ("working_directory", "cwd"),
    ("command", "cmd"),
    ("command_line", "cmd"),
    ("shell", "dialect"),
    ("language", "dialect"),
    ("cmdline", "cmd"),
    ("operation", "op"),
    ("action", "op"),
    ("file", "path"),
    ("file_path", "path"),
    ("filepath", "path"),
    ("filename", "path"),
    ("body", "content"),
    ("data", "content"),
    ("text", "content"),
    ("tool_name", "tool"),
    ("arg", "args"),
    ("argument", "args"),
    ("arguments_json", "args"),
    ("inputs", "args"),
    ("kwargs", "args"),
    ("param", "args"),
    ("params", "args"),
    ("parameter", "args"),
    ("parameters", "args"),
    ("payload", "args"),
    ("raw_input", "args"),
    ("tool_args", "args"),
    ("tool_arguments", "args"),
    ("tool_input", "args"),
    ("annotations", "hints"),
    ("tool_hints", "hints"),
];

/// Options of the command line that hold for a whole batch.
const FOR_THE_BATCH: [&str; 3] = ["posture", "facts", "intent"];

/// The fields that belong to a kind of operation alone.
const fn own(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Shell | Kind::Sql => &["cmd", "dialect"],
        Kind::File => &["op", "path", "content"],
        Kind::Tool => &["tool", "args", "arguments", "input", "hints"],
        Kind::Reply => &["reply"],
        Kind::Screen => &["screen", "columns", "cursor", "running"],
    }
}

/// The value of a JSON text, exactly as it stands: a name that stands twice in an object is an error, since nobody can
/// tell which of the two would be used.
pub(crate) fn exact(text: &str) -> Result<Value, Failure> {
    signoff_agents::exact::read(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let [english, chinese] = if text.trim_end().contains('\n') {
            [format!("line {line} column {column}"), format!("第 {line} 行第 {column} 列")]
        } else {
            [format!("column {column}"), format!("第 {column} 列")]
        };
        if error.is_data() {
            let said = error.to_string();
            let name = visible(said.rsplit_once(" at line ").map_or(said.as_str(), |(name, _)| name));
            Failure::usage(
                format!("`{name}` stands there twice, at {english}"),
                format!("`{name}` 重复出现（{chinese}）"),
            )
        } else {
            Failure::usage(format!("not JSON, at {english}"), format!("不是 JSON（{chinese}）"))
        }
    })
}

/// The fields of an object.
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        match exact(text)? {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(Failure::usage("this is no JSON object", "不是 JSON 对象")),
        }
    }

    /// Takes a value as it is. What is null is not there.
    pub(crate) fn value(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// What a field says, without taking it.
    pub(crate) fn says(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Failure::usage(format!("`{name}` must be a text"), format!("`{name}` 必须是文本"))
                .hint(format!("put it in quotes: \"{name}\": \"…\""), format!("请加引号：\"{name}\": \"…\""))),
        }
    }

    /// A whole number that counts something.
    pub(crate) fn count(&mut self, name: &str) -> Result<Option<usize>, Failure> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_u64().and_then(|count| usize::try_from(count).ok()).map(Some).ok_or_else(|| {
            Failure::usage(format!("`{name}` must be a whole number"), format!("`{name}` 必须是整数"))
                .hint(format!("for example \"{name}\": 80"), format!("例如 \"{name}\": 80"))
        })
    }

    /// A value that may have one of several names, and only one of them.
    pub(crate) fn under_one_of(&mut self, names: &[&str]) -> Result<Option<Value>, Failure> {
        let given: Vec<&str> = names.iter().copied().filter(|name| self.0.contains_key(*name)).collect();
        match given.as_slice() {
            [] => Ok(None),
            [name] => Ok(self.value(name)),
            [first, second, ..] => Err(Failure::usage(
                format!("`{first}` and `{second}` are the same field, so that it stands there twice"),
                format!("`{first}` 与 `{second}` 是同一字段，重复出现"),
            )),
        }
    }

    /// Whether every field is one of this kind, or a note of the caller. A note must not look like a field: what was
    /// meant to be judged would be judged as if it were not there.
    pub(crate) fn check(&self, kind: Kind) -> Result<(), Failure> {
        let known: Vec<&str> = COMMON.iter().chain(own(kind)).copied().collect();
        for key in self.0.keys().filter(|key| !known.contains(&key.as_str())) {
            let meant = OTHER_WORDS
                .iter()
                .map(|(word, name)| {
                    // Only arguments may be left out, so that only they would be missed in silence.
                    let is_slip = *name == "args" && word.len() > 4 && is_near(key, word);
                    (is_slip || normal(word) == normal(key), *name)
                })
                .chain(known.iter().map(|name| (is_near(key, name), *name)))
                .find(|(fits, name)| *fits && known.contains(name));
            let shown = visible(key);
            if let Some(option) = FOR_THE_BATCH.iter().find(|option| normal(option) == normal(key)) {
                return Err(Failure::usage(
                    format!("`{shown}` does not belong to a line"),
                    format!("`{shown}` 不能写在单独一行中"),
                )
                .hint(
                    format!("give --{option} on the command line, for the whole batch"),
                    format!("请在命令行用 --{option} 为整批指定"),
                ));
            }
            if let Some((_, name)) = meant {
                return Err(Failure::usage(format!("unknown field `{shown}`"), format!("未知字段 `{shown}`"))
                    .hint(format!("`{name}` is the name of this field"), format!("该字段名为 `{name}`")));
            }
            let elsewhere = Kind::ALL.into_iter().find(|other| own(*other).contains(&key.as_str()));
            if let Some(other) = elsewhere {
                let (kind, other) = (kind.name(), other.name());
                return Err(Failure::usage(
                    format!("`{shown}` does not belong to the kind `{kind}`"),
                    format!("`{shown}` 不属于类型 `{kind}`"),
                )
                .hint(format!("it belongs to the kind `{other}`"), format!("它属于类型 `{other}`")));
            }
        }
        Ok(())
    }
}

fn normal(key: &str) -> String {
    key.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Whether a key is a slip of the pen for a name. The shorter a name, the more other words are close to it.
fn is_near(key: &str, name: &str) -> bool {
    let key = normal(key);
    let allowed = match name.len() {
        0..=2 => 0,
        3 | 4 => 1,
        _ => 2,
    };
    key.chars().count() <= name.len() + 2 && distance(&key, name) <= allowed
}

/// How many letters were left out, added, changed or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut letter_before = None;
    for (row, letter) in left.chars().enumerate() {
        let mut line = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX - 1);
            let changed = at(&last, column) + usize::from(letter != *other);
            let mut cost = changed.min(at(&last, column + 1) + 1).min(at(&line, column) + 1);
            let other_before = column.checked_sub(1).and_then(|index| right.get(index));
            if letter_before.as_ref() == Some(other) && other_before == Some(&letter) {
                cost = cost.min(at(&before, column - 1) + 1);
            }
            line.push(cost);
        }
        before = std::mem::replace(&mut last, line);
        letter_before = Some(letter);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Fields, distance, is_near};
    use crate::arguments::Kind;

    #[test]
    fn distance_counts_slips() {
        for (left, right, expected) in [
            ("cmd", "cmd", 0),
            ("cdw", "cwd", 1),
            ("pth", "path", 1),
            ("", "args", 4),
            ("destructve", "destructive", 1),
        ] {
            assert_eq!(distance(left, right), expected, "{left} {right}");
            assert_eq!(distance(right, left), expected, "{right} {left}");
        }
    }

    #[test]
    fn slips_are_told_from_notes() {
        for (key, name) in [("CMD", "cmd"), ("cdw", "cwd"), ("hint", "hints"), ("dialetc", "dialect"), ("ID", "id")] {
            assert!(is_near(key, name), "{key}");
        }
        for kind in [Kind::Shell, Kind::File, Kind::Tool] {
            for note in ["label", "why", "accept", "tags", "licence", "source", "no", "lang", "commands", "confirmed"] {
                let fields = Fields::parse(&format!(r#"{{"{note}": 1}}"#)).unwrap_or_else(|_| panic!("{note}"));
                assert_eq!(fields.check(kind), Ok(()), "{note} {kind:?}");
            }
        }
    }
}
