//! The arguments of a tool as a bounded tree: texts that hold further arguments are opened, and what is too deep or too
//! much is left out and said to be.

use serde_json::{Map, Value};

use crate::lexicon::words;

/// How deep arguments are read. What nests deeper is not read and therefore asks.
pub(super) const MAX_DEPTH: usize = 48;
/// How many values are read.
pub(super) const MAX_VALUES: usize = 4096;

/// Keys whose value is a text for a shell.
pub(crate) const COMMANDS: &[&str] = &[
    "command",
    "cmd",
    "commands",
    "commandline",
    "clicommand",
    "cmdline",
    "commandtorun",
    "commandstring",
    "shellcommand",
    "terminalcommand",
    "bash",
    "shell",
    "run",
    "exec",
];
/// Keys whose value is a path.
pub(super) const PATHS: &[&str] = &[
    "path",
    "filepath",
    "file",
    "filename",
    "absolutepath",
    "targetfile",
    "notebookpath",
    "paths",
    "filepaths",
    "files",
    "uri",
    "directory",
    "dir",
    "dirpath",
    "folder",
    "relativepath",
    "sourcefile",
    "inputpath",
    "filenames",
    "directorypath",
    "localpath",
    "targetdirectory",
    "relativeworkspacepath",
    "absolutefilepath",
    "searchpath",
];
/// Keys whose value is SQL.
pub(super) const SQL: &[&str] = &["sql", "query", "statement", "sqlquery", "querystring", "statements"];
/// Keys whose value people read: whatever it holds, nothing of it runs or is opened.
pub(super) const PROSE: &[&str] = &[
    "description",
    "prompt",
    "text",
    "message",
    "body",
    "content",
    "contents",
    "title",
    "pattern",
    "globpattern",
    "regex",
    "thought",
    "fact",
    "plan",
    "oldstring",
    "newstring",
    "oldtext",
    "newtext",
    "oldstr",
    "newstr",
    "filetext",
    "newsource",
    "codeedit",
    "codecontent",
    "reason",
    "explanation",
    "comment",
    "subject",
    "summary",
    "instructions",
    "instruction",
    "objective",
    "question",
    "note",
    "label",
    "diff",
    "patch",
];
/// Keys that only hold a value and say nothing of it: the name above them counts.
const HOLDERS: &[&str] = &["value", "values", "raw", "string", "item", "items", "list"];
/// The words of a longer key are not read: nobody gives an argument such a name.
const LONGEST_KEY: usize = 512;

/// Arguments that are read as a whole, or as far as the limits reach.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) value: Value,
    /// Whether everything is in it.
    pub(super) complete: bool,
}

impl Arguments {
    /// Reads arguments within the limits.
    pub(super) fn read(args: &Value) -> Self {
        let mut reading = Reading { left: MAX_VALUES, complete: true };
        let value = reading.unfold("", args, 0);
        Self { value, complete: reading.complete }
    }

    /// Every text among the arguments, with the name of its key in lower case and without signs.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        each(&self.value, "", &mut |key, value| {
            if let Value::String(text) = value {
                found.push((key.to_owned(), text.clone()));
            }
        });
        found
    }

    /// Every object among the arguments, the outermost first.
    pub(super) fn groups(&self) -> Vec<&Map<String, Value>> {
        let mut found = Vec::new();
        let mut open = vec![&self.value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items.iter().rev()),
                Value::Object(fields) => {
                    found.push(fields);
                    open.extend(fields.values());
                }
                _ => {}
            }
        }
        found
    }
}

/// Goes over the leaves, each with the name of its key.
fn each<'v>(value: &'v Value, key: &str, visit: &mut impl FnMut(&str, &'v Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| each(item, key, visit)),
        Value::Object(fields) => {
            for (name, item) in fields {
                let own = plain(name);
                let holds = !key.is_empty() && HOLDERS.contains(&own.as_str());
                each(item, if holds { key } else { &own }, visit);
            }
        }
        leaf => visit(key, leaf),
    }
}

/// A key in lower case and without signs.
pub(super) fn plain(key: &str) -> String {
    words(key).concat()
}

struct Reading {
    left: usize,
    complete: bool,
}

impl Reading {
    fn unfold(&mut self, key: &str, value: &Value, depth: usize) -> Value {
        if depth > MAX_DEPTH || self.left == 0 {
            self.complete = false;
            return Value::Null;
        }
        self.left -= 1;
        match value {
            Value::String(text)
                // Whatever is not meant for people to read may be opened by the tool.
                if text.trim_start().starts_with(['{', '[']) && !PROSE.contains(&plain(key).as_str()) =>
            {
                match serde_json::from_str::<Value>(text) {
                    Ok(inner) => self.unfold(key, &inner, depth + 1),
                    Err(_) => value.clone(),
                }
            }
            Value::Array(items) => Value::Array(items.iter().map_while(|item| self.next(key, item, depth)).collect()),
            Value::Object(fields) => Value::Object(
                fields
                    .iter()
                    .map_while(|(name, item)| {
                        let name = if name.len() > LONGEST_KEY { self.nameless() } else { name.clone() };
                        let item = self.next(&name, item, depth)?;
                        Some((name, item))
                    })
                    .collect(),
            ),
            leaf => leaf.clone(),
        }
    }

    /// The name in the place of one that nobody reads: not everything is in what was read.
    fn nameless(&mut self) -> String {
        self.complete = false;
        "…".to_owned()
    }

    fn next(&mut self, key: &str, item: &Value, depth: usize) -> Option<Value> {
        if self.left == 0 {
            self.complete = false;
            return None;
        }
        Some(self.unfold(key, item, depth + 1))
    }
}
