//! The files, people and agents of a gateway, which are there before it runs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use signoff_gate::{Places, Store};
use signoff_model::{Actor, AgentId, PersonId};
use signoff_server::Accounts;
use tempfile::TempDir;

use super::Running;
use crate::Kept;

/// Everybody's password.
pub const PASSWORD: &str = "correct horse battery";

/// Those who can call a gateway.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// The names of the people. The first of them is the one for whom the agents work.
    pub people: Vec<String>,
    /// The keys of the agents.
    pub keys: Vec<String>,
}

/// A directory of its own for a gateway, with a directory in which agents work.
pub struct Site {
    root: TempDir,
    kept: Kept,
}

impl Site {
    /// A place where nobody has joined yet.
    pub fn new(kept: Kept) -> Self {
        let root = TempDir::new().unwrap();
        let site = Self { root, kept };
        fs::create_dir_all(site.work()).unwrap();
        site.write("work/notes.txt", "mine");
        site
    }

    /// The place of another node on the same database: with the same key, settings and people.
    pub fn beside(&self) -> Self {
        let other = Self::new(self.kept.clone());
        for file in [self.places().key(), self.root.path().join("user/config.toml")] {
            let to = other.root.path().join(file.strip_prefix(self.root.path()).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            // With its mode: nobody else may read the key.
            fs::copy(file, to).unwrap();
        }
        other
    }

    /// Where everything is.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Where agents work.
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// Writes a file below the root.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What the user's own settings say.
    pub fn configure(&self, text: &str) {
        self.write("user/config.toml", text);
    }

    /// Where the gateway's own files are.
    pub fn places(&self) -> Places {
        Places::below(self.root.path())
    }

    /// The store, while nobody serves it.
    pub async fn store(&self) -> Arc<dyn Store> {
        let file = self.places().store();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        self.kept.open(&file).await
    }

    /// So many people join, and so many agents get a key.
    pub async fn join(&self, people: usize, agents: usize) -> Joined {
        let store = self.store().await;
        let accounts = Accounts::new(&*store);
        let mut joined = Joined::default();
        for number in 0..people {
            let name = PersonId::new(format!("person-{number}")).unwrap();
            let invitation = accounts.invite(&name, Actor::Gate).await.unwrap();
            accounts.accept(&invitation, PASSWORD).await.unwrap();
            joined.people.push(name.to_string());
        }
        let owner = PersonId::new("person-0").unwrap();
        for number in 0..agents {
            let agent = AgentId::new(format!("agent-{number}")).unwrap();
            joined.keys.push(accounts.add_agent(&agent, &owner, Actor::Gate).await.unwrap());
        }
        joined
    }

    /// The program with its files here.
    pub fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.work()).env("SIGNOFF_E2E_ROOT", self.root.path());
        // What cargo sets for its own programs lies wherever the sources do.
        command.env_remove("LD_LIBRARY_PATH").env("LANG", "C").env_remove("LC_ALL").stdin(Stdio::null());
        command
    }

    /// Starts a gateway by any command that ends in serving with the files of this place.
    pub fn serve_with(&self, command: Command) -> Running {
        Running::start(command, &self.places().address())
    }

    /// Starts a gateway, with these arguments beside where it listens and what it keeps, and waits until it can work.
    pub fn serve(&self, program: &Path, arguments: &[&str]) -> Running {
        let mut all = vec!["serve", "--bind", "127.0.0.1:0"];
        if let Kept::InADatabase(url) = &self.kept {
            all.extend(["--store", url]);
        }
        all.extend(arguments);
        self.serve_with(self.command(program, &all))
    }
}
