//! Where the files of Signoff itself lie.

use std::path::{Path, PathBuf};

use signoff_config::Locations;

/// Where configuration, records and backups lie. They come from the user id and never from the environment, which an agent
/// can change.
#[derive(Clone, Debug)]
pub struct Places {
    mode: Mode,
    /// Where the files of the machine begin.
    machine: PathBuf,
    /// The home of the user that this process runs as.
    home: PathBuf,
    /// The administrator's settings.
    administrator: PathBuf,
    /// The user's settings.
    settings: PathBuf,
    /// Which files of projects are trusted.
    trusted: PathBuf,
    /// What Signoff remembers for the user that this process runs as.
    own: PathBuf,
    /// What only the gate may read.
    secrets: PathBuf,
    /// The public half of its key.
    verifier: PathBuf,
    /// Where it can be found while it runs.
    run: PathBuf,
    /// Where people call it.
    address: PathBuf,
}

/// Under whose user id the gateway runs (law 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Under that of the agents. Its key and store are kept from them by the analysis alone.
    Personal,
    /// Under one of its own, so that the system keeps them apart. Settings are the administrator's then: a file in the home of
    /// a user is a file of their agents, too.
    Separated,
}

impl Places {
    /// Where they lie for the user that this process runs as.
    pub fn of_this_machine() -> Self {
        Self::of_machine(Path::new("/"), &signoff_facts::home())
    }

    /// The same for a machine whose files begin at this directory, and a user with this home.
    ///
    /// A machine is set up for the separated mode when the key of its gate lies where only the administrator can have put it.
    pub fn of_machine(root: &Path, home: &Path) -> Self {
        let etc = root.join("etc/signoff");
        let administrator = etc.join("config.toml");
        let own = home.join(".local/share/signoff");
        // Whatever cannot be read is no reason to believe that nobody has set up anything.
        if matches!(signoff_config::text_of_file(&etc.join("gate.pub")), Ok(None)) {
            return Self::personal((root, home), administrator, home.join(".config/signoff/config.toml"), own);
        }
        Self::separated((root, home), own)
    }

    /// Where they lie on a machine that is set up for the separated mode.
    fn separated((root, home): (&Path, &Path), own: PathBuf) -> Self {
        let (etc, run) = (root.join("etc/signoff"), root.join("run/signoff"));
        Self {
            mode: Mode::Separated,
            machine: root.to_owned(),
            home: home.to_owned(),
            administrator: etc.join("config.toml"),
            settings: etc.join("policy.toml"),
            trusted: etc.join("trusted.json"),
            own,
            secrets: root.join("var/lib/signoff"),
            verifier: etc.join("gate.pub"),
            address: run.join("gateway"),
            run,
        }
    }

    /// All of them below one directory.
    pub fn below(root: &Path) -> Self {
        let (administrator, user) = (root.join("etc/config.toml"), root.join("user/config.toml"));
        Self::personal((root, &root.join("home")), administrator, user, root.join("state"))
    }

    fn personal((root, home): (&Path, &Path), administrator: PathBuf, settings: PathBuf, state: PathBuf) -> Self {
        Self {
            mode: Mode::Personal,
            machine: root.to_owned(),
            home: home.to_owned(),
            administrator,
            settings,
            trusted: state.join("trusted.json"),
            secrets: state.clone(),
            verifier: state.join("gate.pub"),
            address: state.join("gateway"),
            run: state.join("run"),
            own: state,
        }
    }

    /// Under whose user id the gateway runs.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Where the files of the machine begin.
    pub fn machine(&self) -> &Path {
        &self.machine
    }

    /// The home of the user that this process runs as.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The same machine, once it is set up for the separated mode.
    pub fn once_separated(&self) -> Self {
        Self::separated((&self.machine, &self.home), self.own.clone())
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
        self.trusted.clone()
    }

    /// The record of configurations whose examples have been checked.
    pub fn checked(&self) -> PathBuf {
        self.own.join("checked.json")
    }

    /// The directory of what only the gate may read.
    pub fn secrets(&self) -> PathBuf {
        self.secrets.clone()
    }

    /// The store of a gateway that has no other.
    pub fn store(&self) -> PathBuf {
        self.secrets.join("gate.db")
    }

    /// The secret half of the gate's key.
    pub fn key(&self) -> PathBuf {
        self.secrets.join("gate.key")
    }

    /// The other half, by which whoever calls the gate knows it.
    pub fn verifier(&self) -> PathBuf {
        self.verifier.clone()
    }

    /// Where the gateway that runs now can be called by people.
    pub fn address(&self) -> PathBuf {
        self.address.clone()
    }

    /// Where it can be called by agents.
    pub fn socket(&self) -> PathBuf {
        self.run.join("gate.sock")
    }

    /// What is there as long as everything is locked down that is not harmless.
    pub fn lockdown(&self) -> PathBuf {
        self.run.join("lockdown")
    }

    /// What names the agents, a line each, whom somebody trusts so little that every operation of theirs is asked about.
    pub fn distrust(&self) -> PathBuf {
        self.run.join("distrust")
    }

    /// Where decisions lie that were made without the gateway, until it takes them into the ledger.
    pub fn spool(&self) -> PathBuf {
        self.run.join("spool")
    }

    /// Where a hook leaves notes for the next one.
    pub fn held(&self) -> PathBuf {
        self.own.join("held")
    }

    /// Where a watcher of terminals leaves what it knows, and whom people have paused.
    pub fn watch(&self) -> PathBuf {
        self.own.join("watch")
    }

    /// Where backups are kept.
    pub fn backups(&self) -> PathBuf {
        self.own.join("backups")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use std::fs;

    use super::*;

    #[test]
    fn a_machine_is_separated_once_the_administrator_has_put_a_key_there() {
        let machine = tempfile::tempdir().unwrap();
        let (root, home) = (machine.path(), machine.path().join("home/me"));
        let personal = Places::of_machine(root, &home);
        assert_eq!(personal.mode(), Mode::Personal);
        assert!(personal.key().starts_with(&home), "the key is the user's own");
        assert!(personal.locations(None).user.starts_with(&home));

        fs::create_dir_all(root.join("etc/signoff")).unwrap();
        fs::write(root.join("etc/signoff/gate.pub"), "").unwrap();
        let separated = Places::of_machine(root, &home);
        assert_eq!(separated.mode(), Mode::Separated);
        for shared in
            [separated.key(), separated.store(), separated.socket(), separated.verifier(), separated.trusted()]
        {
            assert!(!shared.starts_with(&home), "{} lies in the home of a user", shared.display());
        }
        assert!(!separated.locations(None).user.starts_with(&home), "nobody loosens policy from a home");
        assert!(separated.backups().starts_with(&home), "backups are the user's");
    }
}
