//! What agents do, seen by somebody who has not followed them: two looks, a moment apart.

use std::{collections::HashMap, time::Duration};

use signoff_facts::{Foreground, foreground_of};
use tokio::time::sleep;

use crate::{
    happening::Remembered,
    reading::{Sight, read},
    scope::Scope,
    tmux::{Link, Listed, PaneId, Snapshot, Socket, Trouble},
};

/// Between the two looks.
const MOMENT: Duration = Duration::from_millis(400);

/// What the agents of a server do.
///
/// # Errors
///
/// When the server is not there.
pub async fn survey(socket: &Socket, scope: &Scope) -> Result<Vec<Remembered>, Trouble> {
    let link = Link::new(socket.clone());
    let panes: Vec<Listed> = Listed::all(&link).await?.into_iter().filter(|pane| scope.holds(pane)).collect();
    let before = look(&link, &panes).await;
    if before.is_empty() {
        return Ok(Vec::new());
    }
    sleep(MOMENT).await;
    let after = look(&link, &panes).await;
    let mut found = Vec::new();
    for listed in &panes {
        let Some((seen, agent)) = after.get(&listed.pane) else { continue };
        let moved = before.get(&listed.pane).is_none_or(|(was, _)| was.rows != seen.rows);
        let (state, what, note) = match read(seen, agent) {
            _ if seen.in_mode => ("idle", None, Some("copy mode".to_owned())),
            Sight::Dialog(dialog) => ("waiting", Some(dialog.subject()), None),
            Sight::Other(program) => ("working", None, Some(program)),
            Sight::Nothing => (if moved { "working" } else { "idle" }, None, None),
        };
        found.push(Remembered {
            name: listed.name(),
            socket: socket.options(),
            pane: listed.pane.to_string(),
            place: listed.place(),
            program: Some(agent.clone()),
            state: state.to_owned(),
            what,
            since: None,
            note,
        });
    }
    Ok(found)
}

/// The panes in which an agent has the terminal.
async fn look(link: &Link, panes: &[Listed]) -> HashMap<PaneId, (Snapshot, String)> {
    let mut found = HashMap::new();
    for listed in panes {
        // A pane that has just gone has no agent any more.
        if let Foreground::Agent(agent) = foreground_of(listed.pid)
            && let Ok(seen) = Snapshot::of(link, listed.pane).await
        {
            found.insert(listed.pane, (seen, agent.name));
        }
    }
    found
}
