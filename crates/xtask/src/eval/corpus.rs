//! The labelled rows.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints, Verdict};

/// One labelled operation.
pub(crate) struct Row {
    pub(crate) set: String,
    pub(crate) id: String,
    pub(crate) operation: Operation,
    /// The operation as one line of text.
    pub(crate) text: String,
    pub(crate) label: Verdict,
    /// Every verdict that a fair judge would accept.
    pub(crate) accept: Vec<Verdict>,
    pub(crate) why: String,
    pub(crate) tags: Vec<String>,
}

impl Row {
    /// Whether there is only one fair verdict.
    pub(crate) fn is_undisputed(&self) -> bool {
        self.accept.len() == 1
    }
}

/// Sets of the corpora whose kind is not judged yet, and the screens, which are read and not judged (`screens.rs`).
const NOT_JUDGED: &[&str] = &["sql", "chat_replies", "screens", "shell_nasty"];

#[derive(Deserialize)]
struct WireRow {
    id: String,
    cmd: Option<String>,
    op: Option<String>,
    path: Option<String>,
    tool: Option<String>,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    hints: WireHints,
    label: String,
    accept: Vec<String>,
    #[serde(default)]
    why: String,
    #[serde(default)]
    tags: Vec<String>,
}

/// What a tool says of itself.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireHints {
    read_only: Option<bool>,
    destructive: Option<bool>,
    open_world: Option<bool>,
}

/// The rows of every set that can be judged. A row says by its fields what it is: a command, a file operation, a tool call.
pub(crate) fn read_all(corpora: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for path in json_lines(corpora)? {
        let set = stem(&path);
        if NOT_JUDGED.contains(&set.as_str()) {
            continue;
        }
        for (number, line) in lines(&path)?.iter().enumerate() {
            let row = read_row(&set, line).with_context(|| format!("{}:{}", path.display(), number + 1))?;
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Every file of JSON lines in a directory, by name.
pub(crate) fn json_lines(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

pub(crate) fn lines(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
}

pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

pub(crate) fn shell(command: String) -> Operation {
    Operation::Shell(ShellCommand { command, dialect: Dialect::Bash })
}

fn read_row(set: &str, line: &str) -> anyhow::Result<Row> {
    let wire: WireRow = serde_json::from_str(line)?;
    let operation = match (wire.cmd, wire.op, wire.tool) {
        (Some(command), None, None) => shell(command),
        (None, Some(op), None) => {
            let path = wire.path.context("`path` is missing")?;
            let action = FileAction::from_name(&op).with_context(|| format!("unknown op `{op}`"))?;
            Operation::File(FileOperation::parse(action, &path).with_context(|| format!("bad path `{path}`"))?)
        }
        (None, None, Some(name)) => {
            let WireHints { read_only, destructive, open_world } = wire.hints;
            let hints = ToolHints { read_only, destructive, open_world };
            Operation::Tool(ToolCall { name, args: wire.args, hints })
        }
        _ => bail!("a row holds either `cmd`, or `op` and `path`, or `tool` and `args`"),
    };
    let text = operation.text().into_owned();
    let label = verdict(&wire.label)?;
    let accept = wire.accept.iter().map(|name| verdict(name)).collect::<anyhow::Result<_>>()?;
    Ok(Row { set: set.to_owned(), id: wire.id, operation, text, label, accept, why: wire.why, tags: wire.tags })
}

fn verdict(name: &str) -> anyhow::Result<Verdict> {
    match name {
        "allow" => Ok(Verdict::Allow),
        "ask" => Ok(Verdict::Ask),
        "block" => Ok(Verdict::Block),
        other => bail!("unknown verdict `{other}`"),
    }
}
