//! Codex runs no hook that its user has not trusted, and says nothing about it. Trust is a digest of the hook in its configuration;
//! whoever installs the hook has seen it, and so it is written beside it.

use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toml_edit::{DocumentMut, Item, Table, value};

use super::{Change, File, Unwritable, entries::command_of, is_ours};
use crate::Client;

/// Whether Codex will run a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trusted {
    /// It will.
    Yes,
    /// It skips it.
    No,
}

/// What has to stand in its configuration.
pub(super) fn change(
    file: &File<'_>,
    hooks: &Change,
    config: &Path,
    before: Option<String>,
) -> Result<Option<Change>, Unwritable> {
    let there = File { path: config.to_owned(), ..file.clone() };
    let text = before.clone().unwrap_or_default();
    let mut document: DocumentMut = text.parse().map_err(|error| there.strange(format!("{error}")))?;
    let path = file.path.to_string_lossy().into_owned();
    let wanted = marks(&path, hooks.after.as_deref());
    let known = marks(&path, hooks.before.as_deref());
    if wanted.is_empty() && known.is_empty() {
        return Ok(None);
    }
    let root = document.as_table_mut();
    let table = |parent: &mut Table, name: &str| -> Result<(), Unwritable> {
        let entry = parent.entry(name).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        if entry.is_table() { Ok(()) } else { Err(there.strange(format!("`{name}` is no table"))) }
    };
    table(root, "hooks")?;
    let Some(hooks) = root.get_mut("hooks").and_then(Item::as_table_mut) else { return Ok(None) };
    table(hooks, "state")?;
    let Some(state) = hooks.get_mut("state").and_then(Item::as_table_mut) else { return Ok(None) };
    for (key, _) in &known {
        state.remove(key);
    }
    for (key, digest) in wanted {
        let mut trusted = Table::new();
        trusted.insert("trusted_hash", value(digest));
        state.insert(&key, Item::Table(trusted));
    }
    let is_empty = state.is_empty();
    if is_empty {
        hooks.remove("state");
    }
    if hooks.is_empty() {
        root.remove("hooks");
    }
    let after = document.to_string();
    let after = if after.is_empty() && before.is_none() { None } else { Some(after) };
    Ok(Some(there.change(before, after, &["trust"])))
}

/// Whether Codex will run what is ours in a file of hooks, by what its configuration says.
pub fn trust(path: &Path, hooks: &str, config: Option<&str>) -> Trusted {
    let marks = marks(&path.to_string_lossy(), Some(hooks));
    let document: Option<DocumentMut> = config.unwrap_or_default().parse().ok();
    let state = document.as_ref().and_then(|document| document.get("hooks")?.get("state"));
    let is_trusted = |(key, digest): &(String, String)| {
        let said = state.and_then(|state| state.get(key)?.get("trusted_hash")).and_then(Item::as_str);
        let is_off = state.and_then(|state| state.get(key)?.get("enabled")).and_then(Item::as_bool) == Some(false);
        said == Some(digest) && !is_off
    };
    if !marks.is_empty() && marks.iter().all(is_trusted) { Trusted::Yes } else { Trusted::No }
}

/// Whether Codex reads anything at all in a project: only where its user trusts it.
pub(super) fn trusts_project(project: &Path, config: Option<&str>) -> bool {
    let document: Option<DocumentMut> = config.unwrap_or_default().parse().ok();
    let projects = document.as_ref().and_then(|document| document.get("projects"));
    let said = projects.and_then(|projects| projects.get(&*project.to_string_lossy())?.get("trust_level"));
    said.and_then(Item::as_str) == Some("trusted")
}

/// The key and the digest of each of our hooks, as Codex makes them.
fn marks(path: &str, hooks: Option<&str>) -> Vec<(String, String)> {
    let value: Value = hooks.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let Some(events) = value.get("hooks").and_then(Value::as_object) else { return Vec::new() };
    let mut marks = Vec::new();
    for (event, groups) in events {
        for (place, group) in groups.as_array().into_iter().flatten().enumerate() {
            let entries = group.get("hooks").and_then(Value::as_array);
            for (within, entry) in entries.into_iter().flatten().enumerate() {
                let command = command_of(entry).unwrap_or_default();
                if is_ours(&command, Client::Codex) {
                    let name = snake(event);
                    let digest = digest(&name, group.get("matcher"), entry);
                    marks.push((format!("{path}:{name}:{place}:{within}"), digest));
                }
            }
        }
    }
    marks
}

/// The digest of one hook: canonical JSON with sorted keys and everything that is left out filled in.
fn digest(event: &str, matcher: Option<&Value>, entry: &Value) -> String {
    let filled = json!({
        "async": entry.get("async").cloned().unwrap_or(json!(false)),
        "command": entry.get("command").cloned().unwrap_or_default(),
        "timeout": entry.get("timeout").cloned().unwrap_or(json!(600)),
        "type": entry.get("type").cloned().unwrap_or(json!("command")),
    });
    let mut canonical = json!({"event_name": event, "hooks": [filled]});
    if let (Some(matcher), Some(fields)) = (matcher, canonical.as_object_mut()) {
        fields.insert("matcher".to_owned(), matcher.clone());
    }
    let digest = Sha256::digest(canonical.to_string().as_bytes());
    let hexadecimal: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hexadecimal}")
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
