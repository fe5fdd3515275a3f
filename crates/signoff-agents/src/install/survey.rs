//! Whether a hook stands as it should, by what is written.

use std::path::Path;

use super::{Ground, Read, Scope, Unwritable, codex_trust, install, place, switches::switched_off, uninstall};
use crate::Client;

/// How a hook stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Nothing of ours is written there.
    Absent,
    /// Something is, and not what would be written now: another program, fewer events, other limits.
    Different,
    /// It is written, but the client is told to run no hooks.
    SwitchedOff,
    /// It is written, but the client runs only what its user has trusted.
    Untrusted,
    /// It is what would be written now.
    Current,
}

/// How the hook of a client stands in one place.
///
/// # Errors
///
/// When the client has no such place, or what is there cannot be understood.
pub fn presence(client: Client, scope: Scope, ground: &Ground, read: Read<'_>) -> Result<Presence, Unwritable> {
    let path = place(client, scope, ground).ok_or(Unwritable::NoPlace { client, scope })?;
    if !uninstall(client, scope, ground, read)?.iter().any(super::Change::is_one) {
        return Ok(Presence::Absent);
    }
    let text = |path: &Path| read(path).ok().flatten();
    if client == Client::Codex && scope != Scope::Managed {
        let hooks = text(&path).unwrap_or_default();
        let config = text(&ground.of_user(client).join("config.toml"));
        let is_project_trusted =
            scope != Scope::Project || codex_trust::trusts_project(&ground.project, config.as_deref());
        if !is_project_trusted || codex_trust::trust(&path, &hooks, config.as_deref()) == codex_trust::Trusted::No {
            return Ok(Presence::Untrusted);
        }
    }
    if switched_off(client, scope, ground, read).is_some() {
        return Ok(Presence::SwitchedOff);
    }
    let changes = install(client, scope, ground, read)?;
    Ok(if changes.iter().any(super::Change::is_one) { Presence::Different } else { Presence::Current })
}
