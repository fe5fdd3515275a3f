//! What the program can do in which this runs.

use std::path::Path;

use signoff_agents::passage::Gatekeeper;
use signoff_facts::AgentProcess;

use crate::{
    happening::{Happening, Remembered, Who},
    tightening::Words,
};

/// What is configured where an agent works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Whether what is harmless is answered without a person.
    pub auto_confirm: bool,
    /// So many lines above a dialog are searched for danger.
    pub context_lines: usize,
    /// Words that make a person answer.
    pub words: Words,
}

/// The program. All of this may take as long as disks do, except for what is told.
pub trait Host: Send + Sync {
    /// Whoever judges and asks for one agent.
    ///
    /// # Errors
    ///
    /// When there are no random numbers: then nobody is asked, and nothing is answered.
    fn keeper(&self, who: &Who, agent: &AgentProcess) -> Result<Gatekeeper, String>;
    /// What is configured where an agent works. Whatever cannot be read is strict.
    fn terms(&self, cwd: &Path) -> Terms;
    /// Whether an agent that works there calls Signoff's own hook.
    fn is_hooked(&self, agent: &str, cwd: &Path) -> bool;
    /// Whether somebody has paused an agent.
    fn is_paused(&self, who: &Who) -> bool;
    /// Something has happened.
    fn happened(&self, what: &Happening);
    /// What is known now about all agents.
    fn remember(&self, all: &[Remembered]);
    /// The time, in milliseconds since 1970.
    fn now(&self) -> u64;
}
