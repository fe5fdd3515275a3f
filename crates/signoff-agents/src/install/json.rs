//! Clients that read JSON, with comments in it or without.

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode},
};
use serde_json::Value;

use super::{
    Change, File, Unwritable,
    entries::{Layout, command_of, entry, events, layout},
    is_ours,
    readable::readable,
};

/// What becomes of such a file.
pub(super) fn change(file: &File<'_>, before: Option<String>) -> Result<Change, Unwritable> {
    let events = events(file.client);
    let text = before.clone().unwrap_or_default();
    if text.trim().is_empty() && file.program.is_none() {
        return Ok(file.change(before.clone(), before, events));
    }
    // What the client cannot read it ignores, and what is ours with it. What is ours goes from anywhere.
    if file.program.is_some() {
        readable(file.client, &text).map_err(|why| file.strange(why))?;
    }
    let options = ParseOptions::default();
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", text.as_str()),
    };
    let root = CstRootNode::parse(if text.trim().is_empty() { "{}\n" } else { text }, &options)
        .map_err(|error| file.strange(error.to_string()))?;
    let object = root.object_value().ok_or_else(|| file.strange("it is no object"))?;
    let layout = layout(file.client);
    let hooks = match layout {
        Layout::Rules => object.clone(),
        Layout::Grouped | Layout::Plain => match (object.object_value("hooks"), file.program) {
            (Some(hooks), _) => hooks,
            (None, None) => return Ok(file.change(before.clone(), before, events)),
            (None, Some(_)) if object.get("hooks").is_some() => return Err(file.strange("`hooks` is no object")),
            (None, Some(_)) => {
                if layout == Layout::Plain && object.get("version").is_none() && before.is_none() {
                    object.append("version", CstInputValue::Number("1".to_owned()));
                }
                object.object_value_or_set("hooks")
            }
        },
    };
    take_out(file, &hooks);
    if let Some(entry) = entry(file) {
        let entry =
            CstInputValue::Object(entry.iter().map(|(name, value)| ((*name).to_owned(), input(value))).collect());
        for event in events {
            if hooks.get(event).is_some() && hooks.array_value(event).is_none() {
                return Err(file.strange(format!("`{event}` is no list")));
            }
            let list = hooks.array_value_or_set(event);
            list.ensure_multiline();
            match layout {
                Layout::Grouped => {
                    let group = [
                        ("matcher", CstInputValue::String("*".to_owned())),
                        ("hooks", CstInputValue::Array(vec![entry.clone()])),
                    ];
                    let group = group.map(|(name, value)| (name.to_owned(), value)).to_vec();
                    list.append(CstInputValue::Object(group));
                }
                Layout::Plain => drop(list.append(entry.clone())),
                // The first rule that fits counts.
                Layout::Rules => drop(list.insert(0, entry.clone())),
            }
        }
    } else if layout != Layout::Rules && hooks.properties().is_empty() {
        // Nothing of anybody is left there.
        if let Some(property) = object.get("hooks") {
            property.remove();
        }
    }
    let mut after = format!("{mark}{root}");
    if !after.ends_with('\n') {
        after.push('\n');
    }
    // What was put there and taken out again leaves what was there before.
    if before.is_none() && file.program.is_none() {
        return Ok(file.change(None, None, events));
    }
    let same = before.as_ref().is_some_and(|before| is_same(before, &after));
    let after = if same { before.clone() } else { Some(after) };
    Ok(file.change(before, after, events))
}

/// Whether two texts say the same: then the first one is left as it stands.
fn is_same(one: &str, other: &str) -> bool {
    let value = |text: &str| {
        let root = CstRootNode::parse(text.trim_start_matches('\u{feff}'), &ParseOptions::default()).ok()?;
        // What says nothing at all is no object that says nothing.
        Some(root.to_serde_value())
    };
    matches!((value(one), value(other)), (Some(one), Some(other)) if one == other)
}

/// Takes out what is ours, and what holds nothing else.
fn take_out(file: &File<'_>, hooks: &CstObject) {
    let ours = |entry: &CstNode| {
        let value = entry.to_serde_value().unwrap_or_default();
        command_of(&value).is_some_and(|command| is_ours(&command, file.client))
    };
    for property in hooks.properties() {
        let Some(list) = property.array_value() else { continue };
        let before = list.elements().len();
        for element in list.elements() {
            let group: Option<CstArray> = element.as_object().and_then(|group| group.array_value("hooks"));
            match group {
                Some(entries) => {
                    let all = entries.elements();
                    let (ours, others): (Vec<_>, Vec<_>) = all.into_iter().partition(ours);
                    if others.is_empty() && !ours.is_empty() {
                        element.remove();
                    } else {
                        ours.into_iter().for_each(CstNode::remove);
                    }
                }
                None if ours(&element) => element.remove(),
                None => {}
            }
        }
        // A list that only held ours goes with it, unless it comes back.
        if list.elements().is_empty() && before > 0 && file.program.is_none() {
            property.remove();
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
