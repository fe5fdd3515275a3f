//! Kimi Code reads TOML, and drops every hook of a file in which one of them may wait for too long.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::{Change, File, Unwritable, entries::events, is_ours};

/// The longest that a hook may wait, in seconds.
const AT_MOST: i64 = 600;

/// Why Kimi drops every hook of a file; none where it takes them.
pub(super) fn dropped(document: &DocumentMut) -> Option<String> {
    let hooks = document.get("hooks").and_then(Item::as_array_of_tables)?;
    hooks.iter().find_map(|hook| {
        let timeout = hook.get("timeout")?;
        let fits = timeout.as_integer().is_some_and(|seconds| (1..=AT_MOST).contains(&seconds));
        let said = timeout.to_string();
        (!fits).then(|| format!("a hook with `timeout = {}`, for which all of them are dropped", said.trim()))
    })
}

pub(super) fn change(file: &File<'_>, before: Option<String>) -> Result<Change, Unwritable> {
    let events = events(file.client);
    let text = before.clone().unwrap_or_default();
    let mut document: DocumentMut = text.parse().map_err(|error| file.strange(format!("{error}")))?;
    // Ours would be dropped with the others.
    if file.program.is_some()
        && let Some(why) = dropped(&document)
    {
        return Err(file.strange(why));
    }
    let hooks = match document.entry("hooks").or_insert(Item::ArrayOfTables(ArrayOfTables::new())) {
        Item::ArrayOfTables(hooks) => hooks,
        _ => return Err(file.strange("`hooks` is no list of tables")),
    };
    hooks.retain(|hook| {
        let command = hook.get("command").and_then(Item::as_str).unwrap_or_default();
        !is_ours(command, file.client)
    });
    if let Some(command) = file.command() {
        for event in events {
            let mut table = Table::new();
            table.insert("event", value(*event));
            table.insert("command", value(&command));
            table.insert("timeout", value(i64::try_from(file.client.waits().as_secs()).unwrap_or(600)));
            hooks.push(table);
        }
    }
    if hooks.is_empty() {
        document.remove("hooks");
    }
    let after = document.to_string();
    let after = if after.is_empty() && before.is_none() { None } else { Some(after) };
    Ok(file.change(before, after, events))
}
