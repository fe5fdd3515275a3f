//! What a tool would put into a file: the whole text, or parts that come in the place of others.

use serde_json::{Map, Value};
use signoff_model::{FileAction, NewText, Occurrences, Part};

use super::arguments::{Arguments, plain};

/// Keys whose value is the whole text of a file.
const WHOLE: &[&str] = &["content", "contents", "filetext", "text", "codecontent", "newcontent", "data"];

/// Keys whose values are a part of a text, and what comes in its place.
const PARTS: &[[&str; 2]] = &[
    ["oldstring", "newstring"],
    ["oldstr", "newstr"],
    ["oldtext", "newtext"],
    ["targetcontent", "replacementcontent"],
    ["search", "replace"],
];

/// Keys that say that every such part is meant.
const EVERY: &[&str] = &["replaceall", "allowmultiple", "replaceglobally"];

/// What the arguments of a tool say that becomes of the text of a file; none where they leave it open.
pub(super) fn new_text(args: &Arguments, action: FileAction) -> Option<NewText> {
    let whole = || match &args.value {
        Value::Object(fields) => WHOLE.iter().find_map(|key| text(fields, key)),
        _ => None,
    };
    match action {
        FileAction::Write | FileAction::Create | FileAction::Overwrite => whole().map(NewText::Whole),
        FileAction::Append => whole().map(NewText::Appended),
        FileAction::Edit => {
            let parts: Vec<Part> = args.groups().into_iter().filter_map(part).collect();
            (!parts.is_empty()).then_some(NewText::Parts(parts))
        }
        FileAction::Read
        | FileAction::List
        | FileAction::Truncate
        | FileAction::Delete
        | FileAction::Move
        | FileAction::Copy
        | FileAction::Chmod
        | FileAction::Symlink => None,
    }
}

fn part(fields: &Map<String, Value>) -> Option<Part> {
    let (old, new) = PARTS.iter().find_map(|[old, new]| Some((text(fields, old)?, text(fields, new)?)))?;
    let every = fields.iter().any(|(key, value)| EVERY.contains(&plain(key).as_str()) && *value == Value::Bool(true));
    Some(Part { old, new, occurrences: if every { Occurrences::All } else { Occurrences::One } })
}

fn text(fields: &Map<String, Value>, wanted: &str) -> Option<String> {
    fields.iter().find(|(key, _)| plain(key) == wanted).and_then(|(_, value)| value.as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use signoff_model::{FileAction, NewText, Occurrences, Part};

    use super::{Arguments, new_text};

    #[test]
    fn what_tools_call_their_texts_is_known() {
        let read = |action, args: &Value| new_text(&Arguments::read(args), action);
        let whole = |text: &str| Some(NewText::Whole(text.into()));
        let parts = |parts: &[(&str, &str, Occurrences)]| {
            let part = |(old, new, occurrences): &(&str, &str, Occurrences)| Part {
                old: (*old).into(),
                new: (*new).into(),
                occurrences: *occurrences,
            };
            Some(NewText::Parts(parts.iter().map(part).collect()))
        };
        for (action, args, expected) in [
            (FileAction::Write, json!({"file_path": "a", "content": "{\"x\": 1}"}), whole("{\"x\": 1}")),
            (FileAction::Write, json!({"command": "create", "path": "a", "file_text": "b"}), whole("b")),
            (FileAction::Append, json!({"path": "a", "content": "b"}), Some(NewText::Appended("b".into()))),
            (FileAction::Edit, json!({"old_string": "a", "new_string": ""}), parts(&[("a", "", Occurrences::One)])),
            (FileAction::Edit, json!({"old_str": "[1]", "new_str": "[2]"}), parts(&[("[1]", "[2]", Occurrences::One)])),
            (
                FileAction::Edit,
                json!({"edits": [
                    {"old_string": "a", "new_string": "b"},
                    {"old_string": "c", "new_string": "d", "replace_all": true},
                ]}),
                parts(&[("a", "b", Occurrences::One), ("c", "d", Occurrences::All)]),
            ),
            (FileAction::Edit, json!({"path": "a", "insert_line": 3}), None),
            (FileAction::Delete, json!({"content": "b"}), None),
        ] {
            assert_eq!(read(action, &args), expected, "{args}");
        }
    }
}
