//! Where the files of Signoff itself lie.

use std::path::{Path, PathBuf};

use signoff_config::Locations;

/// Where configuration, records and backups lie. They come from the user id and never from the environment, which an agent
/// can change.
#[derive(Clone, Debug)]
pub struct Places {
    /// The administrator's settings.
    administrator: PathBuf,
    /// The user's settings.
    settings: PathBuf,
    /// What Signoff remembers.
    state: PathBuf,
}

impl Places {
    /// Where they lie for the user that this process runs as.
    pub fn of_this_machine() -> Self {
        let home = signoff_facts::home();
        Self {
            administrator: PathBuf::from("/etc/signoff/config.toml"),
            settings: home.join(".config/signoff/config.toml"),
            state: home.join(".local/share/signoff"),
        }
    }

    /// All of them below one directory.
    pub fn below(root: &Path) -> Self {
        Self {
            administrator: root.join("etc/config.toml"),
            settings: root.join("user/config.toml"),
            state: root.join("state"),
        }
    }

    /// Where configuration lies for a project, if there is one.
    pub fn locations(&self, project: Option<&Path>) -> Locations {
        Locations {
            administrator: self.administrator.clone(),
            user: self.settings.clone(),
            project: project.map(Path::to_owned),
            trusted: self.trusted(),
        }
    }

    /// The record of project files that the user has trusted.
    pub fn trusted(&self) -> PathBuf {
        self.state.join("trusted.json")
    }

    /// The record of configurations whose examples have been checked.
    pub fn checked(&self) -> PathBuf {
        self.state.join("checked.json")
    }

    /// Where backups are kept.
    pub fn backups(&self) -> PathBuf {
        self.state.join("backups")
    }
}
