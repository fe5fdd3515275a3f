//! The JSON schema for editors, made from the table of keys.
//!
//! It is built by hand: the reader is no serde type, since every value needs its place, so a derive such as that of
//! `schemars` would describe a second set of types that nothing keeps equal to what is read.

use serde_json::{Map, Value, json};
use signoff_model::{EffectKind, MAX_NAME};

use crate::{
    keys::{Bounds, Form, KEYS, Key},
    span_of_time::Scale,
};

/// The schema of a configuration file.
pub fn schema() -> Value {
    let mut root = table();
    for key in KEYS {
        insert(&mut root, key.path, key);
    }
    root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".to_owned(), json!("Signoff configuration"));
    Value::Object(root)
}

fn table() -> Map<String, Value> {
    let mut table = Map::new();
    table.insert("type".to_owned(), json!("object"));
    table.insert("additionalProperties".to_owned(), json!(false));
    table
}

/// Puts a key below the table at the beginning of its path; tables on the way are made where there are none.
fn insert(at: &mut Map<String, Value>, path: &str, key: &Key) {
    let Some((part, rest)) = path.split_once('.') else {
        place(at, "properties", Map::new, |properties| {
            properties.insert(path.to_owned(), described(key));
        });
        if key.about.ends_with(MUST_BE_GIVEN)
            && let Value::Array(required) = at.entry("required").or_insert_with(|| json!([]))
        {
            required.push(json!(path));
        }
        return;
    };
    match part.strip_suffix("[]") {
        Some(name) => place(at, "properties", Map::new, |properties| {
            place(properties, name, list, |list| place(list, "items", table, |items| insert(items, rest, key)));
        }),
        None if part == "<name>" => place(at, "additionalProperties", table, |tool| insert(tool, rest, key)),
        None => place(at, "properties", Map::new, |properties| {
            place(properties, part, table, |table| insert(table, rest, key));
        }),
    }
}

/// What the sentence about a key ends with that has to be there.
const MUST_BE_GIVEN: &str = "Must be given.";

/// A time of the day as a pattern.
const TIME_OF_DAY: &str = "([01][0-9]|2[0-3]):[0-5][0-9]";

/// Changes the object at a name, which is made where there is none.
fn place(
    at: &mut Map<String, Value>,
    name: &str,
    new: impl FnOnce() -> Map<String, Value>,
    change: impl FnOnce(&mut Map<String, Value>),
) {
    let mut object = match at.remove(name) {
        Some(Value::Object(object)) => object,
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) | None => new(),
    };
    change(&mut object);
    at.insert(name.to_owned(), Value::Object(object));
}

fn list() -> Map<String, Value> {
    let mut list = Map::new();
    list.insert("type".to_owned(), json!("array"));
    list
}

fn described(key: &Key) -> Value {
    let text = || json!({"type": "string", "minLength": 1});
    let list = |items: Value| json!({"type": "array", "items": items});
    let name = || json!({"type": "string", "pattern": "^[a-z0-9-]{1,64}$"});
    let mut value = match key.form {
        Form::OneOf(words) => json!({"enum": words}),
        Form::Switch => json!({"type": "boolean"}),
        Form::Share => json!({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.001}),
        Form::Time(Scale::Wait) => json!({"type": "string", "pattern": "^[0-9]+[smh]$"}),
        Form::Time(Scale::Keep) => json!({"type": "string", "pattern": "^[0-9]+[smhd]$"}),
        Form::Whole(Bounds { least, most }) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Form::Hours => json!({"type": "string", "pattern": format!("^{TIME_OF_DAY}-{TIME_OF_DAY}$")}),
        Form::Persons => json!({
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
            "uniqueItems": true,
        }),
        Form::Text => text(),
        Form::RuleName => name(),
        Form::RuleNames => list(name()),
        Form::Effects => list(json!({"enum": EffectKind::ALL.map(EffectKind::name)})),
        Form::Commands | Form::Paths | Form::Tools | Form::Examples | Form::Words | Form::Keys => list(text()),
    };
    if let Value::Object(value) = &mut value {
        value.insert("description".to_owned(), json!(key.about));
        if let Some(default) = key.default.and_then(|default| serde_json::from_str::<Value>(default).ok()) {
            value.insert("default".to_owned(), default);
        }
    }
    value
}
