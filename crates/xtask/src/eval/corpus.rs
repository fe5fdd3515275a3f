//! The labelled rows.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use serde::Deserialize;
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, Verdict};

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

/// How the rows of a set are to be read. The other sets of the corpora join here once their kinds can be judged.
#[derive(Clone, Copy)]
enum Kind {
    Shell,
    File,
}

#[derive(Deserialize)]
struct WireRow {
    id: String,
    cmd: Option<String>,
    op: Option<String>,
    path: Option<String>,
    label: String,
    accept: Vec<String>,
    #[serde(default)]
    why: String,
    #[serde(default)]
    tags: Vec<String>,
}

pub(crate) fn read_all(corpora: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for path in json_lines(corpora)? {
        let set = stem(&path);
        let kind = match set.as_str() {
            "file_ops" => Kind::File,
            _ if set.starts_with("commands_") => Kind::Shell,
            _ => continue,
        };
        for (number, line) in lines(&path)?.iter().enumerate() {
            let row = read_row(&set, kind, line).with_context(|| format!("{}:{}", path.display(), number + 1))?;
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

fn read_row(set: &str, kind: Kind, line: &str) -> anyhow::Result<Row> {
    let wire: WireRow = serde_json::from_str(line)?;
    let (operation, text) = match kind {
        Kind::Shell => {
            let command = wire.cmd.context("`cmd` is missing")?;
            (shell(command.clone()), command)
        }
        Kind::File => {
            let (op, path) = (wire.op.context("`op` is missing")?, wire.path.context("`path` is missing")?);
            let action = FileAction::from_name(&op).with_context(|| format!("unknown op `{op}`"))?;
            let operation = FileOperation::parse(action, &path).with_context(|| format!("bad path `{path}`"))?;
            (Operation::File(operation), format!("{op} {path}"))
        }
    };
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
