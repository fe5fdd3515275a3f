//! Starting agents in panes, and interrupting them.

use std::time::Duration;

use signoff_facts::{Foreground, foreground_of};
use tokio::time::sleep;

use crate::tmux::{Command, Link, Listed, Snapshot, Socket, Trouble, Unclear, listening, quoted};

/// So many panes share a window: in smaller ones dialogs are cut.
const PANES_OF_WINDOW: usize = 4;
/// The size of a window that nobody looks at.
const SIZE: (&str, &str) = ("220", "60");
/// Between two presses of a key that has to be pressed twice.
const BETWEEN: Duration = Duration::from_millis(150);

/// What is started.
#[derive(Clone, Debug)]
pub struct Swarm {
    /// The session, which must not exist.
    pub session: String,
    /// So many agents.
    pub count: usize,
    /// Where they work.
    pub directory: String,
    /// The agent and its arguments.
    pub command: Vec<String>,
}

/// Starts agents, and says what they are called and in which panes they are.
///
/// # Errors
///
/// When the session exists, or tmux does not play along. What was started then stays.
pub async fn start(socket: &Socket, swarm: &Swarm) -> Result<Vec<(String, String)>, Trouble> {
    let link = Link::new(socket.clone());
    let mut started = Vec::new();
    for number in 0..swarm.count {
        let (name, target) = (format!("agent-{number}"), format!("={}:", swarm.session));
        let place: Vec<&str> = match number {
            0 => vec!["new-session", "-d", "-x", SIZE.0, "-y", SIZE.1, "-s", &swarm.session],
            _ if number.is_multiple_of(PANES_OF_WINDOW) => vec!["new-window", "-t", &target],
            _ => vec!["split-window", "-t", &target],
        };
        let mut words: Vec<String> = place.into_iter().map(str::to_owned).collect();
        words.extend(["-P", "-F", "#{pane_id}", "-c", &swarm.directory, "--"].map(str::to_owned));
        words.extend(runnable(&swarm.command));
        let blocks = link.run(&vec![Command::new(words)]).await?;
        let pane = blocks.iter().flat_map(|block| &block.lines).next().cloned().unwrap_or_default();
        let named = vec![
            Command::new(["set-option", "-p", "-t", &pane, "@signoff_agent", &name]),
            Command::new(["select-layout", "-t", &pane, "tiled"]),
        ];
        link.run(&named).await?;
        started.push((name, pane));
    }
    Ok(started)
}

/// A command as tmux runs it without a shell in between: one word alone it would give to a shell.
fn runnable(command: &[String]) -> Vec<String> {
    match command {
        [alone] => vec![format!("exec {}", quoted(alone))],
        several => several.to_vec(),
    }
}

/// Why an agent was not interrupted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStopped {
    /// The pane cannot be looked at.
    #[error(transparent)]
    Unclear(#[from] Unclear),
    /// No agent has its terminal.
    #[error("no agent has the terminal of this pane")]
    NoAgent,
    /// Keys do not reach it.
    #[error("keys do not reach the agent: the pane is in copy mode, or its keys go to other panes as well")]
    NotListening,
    /// It changed in the very moment.
    #[error("the pane changed in this moment; try again")]
    Changed,
}

/// The keys that interrupt an agent.
fn interrupt(agent: &str) -> &'static [&'static str] {
    match agent {
        // They end with this key, or throw away what was typed.
        "claude" | "codex" | "gemini" | "qwen" | "copilot" => &["Escape"],
        "opencode" => &["Escape", "Escape"],
        _ => &["C-c"],
    }
}

/// Interrupts the agent in a pane, and says what was typed.
///
/// # Errors
///
/// When no agent is there, or keys do not reach it: then nothing was typed.
pub async fn stop(socket: &Socket, listed: &Listed) -> Result<String, NotStopped> {
    let link = Link::new(socket.clone());
    let mut sent = Vec::new();
    let Foreground::Agent(agent) = foreground_of(listed.pid) else { return Err(NotStopped::NoAgent) };
    for key in interrupt(&agent.name) {
        if !sent.is_empty() {
            sleep(BETWEEN).await;
        }
        let seen = Snapshot::of(&link, listed.pane).await?;
        if !seen.takes_keys() {
            return Err(NotStopped::NotListening);
        }
        if foreground_of(seen.pid) != Foreground::Agent(agent.clone()) {
            return if sent.is_empty() { Err(NotStopped::NoAgent) } else { Ok(sent.join(" ")) };
        }
        let pane = listed.pane.to_string();
        // Whatever it draws meanwhile, it is the same agent in the same pane.
        let (then, or) = (format!("send-keys -t {pane} {key} ; display-message -p typed"), "display-message -p kept");
        let condition = listening(&seen);
        let command = Command::new(["if-shell", "-F", "-t", &pane, &condition, &then, or]);
        let blocks = link.run(&vec![command]).await.map_err(Unclear::from)?;
        if !blocks.iter().any(|block| block.lines.as_slice() == ["typed"]) {
            return Err(NotStopped::Changed);
        }
        sent.push((*key).to_owned());
    }
    Ok(sent.join(" "))
}
