//! A machine with a user and a project, in a temporary directory.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use signoff_config::{Fault, Locations, Settings};
use tempfile::TempDir;

pub(crate) struct House {
    pub(crate) locations: Locations,
    pub(crate) project: PathBuf,
    pub(crate) root: TempDir,
}

impl House {
    pub(crate) fn new() -> Self {
        let root = TempDir::new().unwrap();
        let path = fs::canonicalize(root.path()).unwrap();
        let project = path.join("project");
        fs::create_dir_all(project.join(".signoff")).unwrap();
        let locations = Locations {
            administrator: path.join("etc/config.toml"),
            user: path.join("home/config.toml"),
            project: Some(project.clone()),
            trusted: path.join("data/signoff/trusted.json"),
        };
        Self { locations, project, root }
    }

    pub(crate) fn load(&self) -> Result<Settings, Fault> {
        signoff_config::load(&self.locations)
    }

    pub(crate) fn administrator(&self, text: &str) {
        write(&self.locations.administrator, text);
    }

    pub(crate) fn user(&self, text: &str) {
        write(&self.locations.user, text);
    }

    pub(crate) fn project_file(&self) -> PathBuf {
        self.project.join(signoff_config::PROJECT_FILE)
    }

    pub(crate) fn project(&self, text: &str) {
        write(&self.project_file(), text);
    }
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
