//! The hooks of coding agents: writing them, taking them out, and finding out whether they stand.

pub(crate) mod arguments;
mod canary;
pub(crate) mod doctor;
pub(crate) mod install;
pub(crate) mod program;
pub(crate) mod writing;

use std::path::{Path, PathBuf};

use signoff_agents::{
    Client,
    install::{Ground, Scope},
};
use signoff_gate::Places;

use crate::failure::Failure;

/// Where the files of agents lie.
fn ground(places: &Places) -> Result<Ground, Failure> {
    let program = program::own()?;
    let here = std::env::current_dir().map_err(|error| Failure::read(&error))?;
    let project = signoff_facts::whereabouts(&here).map_or(here, |there| PathBuf::from(there.project));
    Ok(Ground {
        home: places.home().to_owned(),
        project,
        machine: places.machine().to_owned(),
        program,
        moved: moved(),
    })
}

/// Clients that are told by a variable where their directory is, as whoever calls this tells it.
fn moved() -> Vec<(Client, PathBuf)> {
    let told = [(Client::Claude, "CLAUDE_CONFIG_DIR"), (Client::Codex, "CODEX_HOME")];
    let there = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    told.into_iter().filter_map(|(client, name)| Some((client, there(name)?))).collect()
}

/// Whether somebody uses a client here: it can be started, or has left its directory.
fn is_used(client: Client, ground: &Ground) -> bool {
    ground.of_user(client).is_dir() || program::found(client).is_some()
}

/// Reads a file of a client.
pub(crate) fn text(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

pub(crate) const SCOPES: [Scope; 3] = [Scope::Managed, Scope::User, Scope::Project];
