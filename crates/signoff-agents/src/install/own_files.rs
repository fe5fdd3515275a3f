//! Clients that take a file of its own for each hook.

use std::path::{Path, PathBuf};

use super::{
    Change, File, Unwritable,
    entries::{DELEGATE, events},
    json,
};
use crate::Client;

/// The plugin of OpenCode: it calls the hook, and throws where that does not say yes.
const PLUGIN: &str = include_str!("opencode_plugin.js");

pub(super) fn changes(
    file: &File<'_>,
    read: &dyn Fn(&Path) -> Result<Option<String>, Unwritable>,
) -> Result<Vec<Change>, Unwritable> {
    match file.client {
        Client::Cline => {
            let mut changes = Vec::new();
            for event in events(file.client) {
                // It runs every script of that name, whatever its ending, so that one of the user stays beside ours.
                changes.push(script(file, file.path.join(format!("{event}.bash")), event, read)?);
                // Earlier releases have taken the plain name.
                let earlier = script(&File { program: None, ..file.clone() }, file.path.join(event), event, read)?;
                changes.extend(Some(earlier).filter(Change::is_one));
            }
            Ok(changes)
        }
        Client::Amp => {
            let settings = json::change(file, read(&file.path)?)?;
            let called = script(file, file.path.with_file_name(DELEGATE), "amp.permissions", read)?;
            // What is called is there before anybody calls it, and goes after.
            Ok(if file.program.is_some() { vec![called, settings] } else { vec![settings, called] })
        }
        Client::OpenCode => {
            let before = read(&file.path)?;
            let program = file.program.map(|program| serde_json::Value::from(program).to_string());
            let after = program.map(|program| PLUGIN.replace("\"signoff\"", &program));
            let kept = keep_others(before.as_deref(), after, "\"hook\", \"opencode\"");
            Ok(vec![file.change(before, kept, events(file.client))])
        }
        // Everything in it is ours, so that the file goes with it.
        _ => {
            let before = read(&file.path)?;
            let change = json::change(file, before.clone())?;
            let ours = json::change(&File { program: None, ..file.clone() }, before.clone())?;
            let rest = ours.after.unwrap_or_default();
            let is_empty =
                matches!(serde_json::from_str::<serde_json::Value>(&rest), Ok(rest) if rest.get("hooks").is_none());
            let after = if file.program.is_none() && is_empty { None } else { change.after };
            Ok(vec![file.change(before, after, events(file.client))])
        }
    }
}

/// A script that calls our hook. Somebody else's is not overwritten.
fn script(
    file: &File<'_>,
    path: PathBuf,
    event: &'static str,
    read: &dyn Fn(&Path) -> Result<Option<String>, Unwritable>,
) -> Result<Change, Unwritable> {
    let before = read(&path)?;
    let after = file.command().map(|command| format!("#!/bin/sh\nexec {command}\n"));
    let mark = format!(" hook {}\n", file.client.name());
    let is_ours = before.as_deref().is_none_or(|text| text.starts_with("#!/bin/sh\nexec ") && text.ends_with(&mark));
    if after.is_some() && !is_ours {
        let (client, why) = (file.client, "somebody else's script has this name".to_owned());
        return Err(Unwritable::Strange { path, client, why });
    }
    let after = if is_ours { after } else { before.clone() };
    Ok(Change { path, is_program: true, ..file.change(before, after, &[event]) })
}

/// What becomes of a file that is wholly ours. One that somebody else has put there is left alone when ours goes.
fn keep_others(before: Option<&str>, after: Option<String>, mark: &str) -> Option<String> {
    let is_ours = before.is_some_and(|text| text.contains(mark));
    match (before, after) {
        (Some(before), None) if !is_ours => Some(before.to_owned()),
        (_, after) => after,
    }
}
