//! What sets a machine up, as values: they are shown before anything is done, and done in this order.

use std::path::{Path, PathBuf};

/// One thing that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A program is run.
    Run(Vec<String>),
    /// A program is put where only the administrator can change it.
    Copy { from: PathBuf, to: PathBuf },
    /// A directory is made, for somebody.
    Directory { path: PathBuf, mode: u32, user: Option<String> },
    /// A file is written that everybody may read.
    Write { path: PathBuf, text: String },
    /// The key of the gate is made, unless there is one, and its public half is put where its callers look.
    Key { secret: PathBuf, public: PathBuf, user: String },
    /// A file is taken away.
    Remove(PathBuf),
    /// The first person is invited.
    Invite { name: String },
}

impl Step {
    /// The step as a line for people.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Run(words) => words.join(" "),
            Self::Copy { from, to } => format!("install -m 755 {} {}", from.display(), to.display()),
            Self::Directory { path, mode, user: Some(user) } => {
                format!("install -d -m {mode:o} -o {user} {}", path.display())
            }
            Self::Directory { path, mode, user: None } => format!("install -d -m {mode:o} {}", path.display()),
            Self::Write { path, .. } => format!("write {}", path.display()),
            Self::Key { secret, public, .. } => format!("key {} (public: {})", secret.display(), public.display()),
            Self::Remove(path) => format!("rm -f {}", path.display()),
            Self::Invite { name } => format!("signoff people invite {name}"),
        }
    }
}

/// What is to be set up.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Where the files of the machine begin.
    pub(super) machine: PathBuf,
    /// The user of the gate.
    pub(super) user: String,
    /// Whether there is such a user.
    pub(super) account_exists: bool,
    /// This program.
    pub(super) program: PathBuf,
    /// Whether nobody but the administrator can change it.
    pub(super) program_is_safe: bool,
    /// Who is invited first.
    pub(super) invite: Option<String>,
    /// Whether the gate may look at every file.
    pub(super) reads_all: bool,
    /// Whether systemd runs the machine.
    pub(super) systemd: bool,
}

/// Where the program lies, unless it lies somewhere safe already.
pub(super) fn installed(machine: &Path) -> PathBuf {
    machine.join("usr/local/bin/signoff")
}

fn unit(machine: &Path, name: &str) -> PathBuf {
    machine.join("etc/systemd/system").join(name)
}

fn words(text: &str) -> Step {
    Step::Run(text.split(' ').map(str::to_owned).collect())
}

impl Wanted {
    /// The steps. People are invited before the gateway runs, since the first of them is invited by whoever sets it up.
    pub(super) fn plan(&self) -> Vec<Step> {
        let Self { machine, user, .. } = self;
        let mut steps = Vec::new();
        if !self.account_exists {
            steps.push(words(&format!(
                "useradd --system --user-group --home-dir /var/lib/signoff --no-create-home --shell /usr/sbin/nologin {user}"
            )));
        }
        let program = if self.program_is_safe { self.program.clone() } else { installed(machine) };
        if !self.program_is_safe {
            steps.push(Step::Copy { from: self.program.clone(), to: program.clone() });
        }
        let (etc, kept) = (machine.join("etc/signoff"), machine.join("var/lib/signoff"));
        steps.extend([
            Step::Directory { path: etc.clone(), mode: 0o755, user: None },
            Step::Directory { path: kept.clone(), mode: 0o700, user: Some(user.clone()) },
            Step::Key { secret: kept.join("gate.key"), public: etc.join("gate.pub"), user: user.clone() },
            Step::Write { path: unit(machine, "signoff.socket"), text: SOCKET.replace("{user}", user) },
            Step::Write { path: unit(machine, "signoff.service"), text: self.service(&program) },
        ]);
        if let Some(name) = &self.invite {
            steps.push(Step::Invite { name: name.clone() });
        }
        if self.systemd {
            steps.push(words("systemctl daemon-reload"));
            steps.push(words("systemctl enable --now signoff.socket signoff.service"));
        }
        steps
    }

    fn service(&self, program: &Path) -> String {
        let sees = if self.reads_all { SEES_ALL } else { "" };
        let text = SERVICE.replace("{user}", &self.user).replace("{sees}", sees);
        text.replace("{program}", &program.display().to_string())
    }
}

/// What takes it back. The ledger stays.
pub(super) fn undo(machine: &Path, systemd: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    if systemd {
        steps.push(words("systemctl disable --now signoff.socket signoff.service"));
    }
    steps.extend([
        Step::Remove(unit(machine, "signoff.socket")),
        Step::Remove(unit(machine, "signoff.service")),
        Step::Remove(machine.join("etc/signoff/gate.pub")),
    ]);
    if systemd {
        steps.push(words("systemctl daemon-reload"));
    }
    steps
}

/// Where agents call. Who they are is told by their user id.
const SOCKET: &str = "\
[Unit]
Description=Signoff, where agents ask
Documentation=man:signoff-serve(1)

[Socket]
ListenStream=/run/signoff/gate.sock
SocketMode=0666
SocketUser={user}
DirectoryMode=0755
RemoveOnStop=yes

[Install]
WantedBy=sockets.target
";

/// The gateway, which may look at files and change none but its own.
const SERVICE: &str = "\
[Unit]
Description=Signoff, the approval gateway
Documentation=man:signoff-serve(1)
Requires=signoff.socket
After=network.target signoff.socket

[Service]
User={user}
ExecStart={program} serve
Restart=on-failure
UMask=0077
StateDirectory=signoff
StateDirectoryMode=0700
RuntimeDirectory=signoff
RuntimeDirectoryMode=0755
RuntimeDirectoryPreserve=yes
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
{sees}
[Install]
WantedBy=multi-user.target
";

/// Files that others may not read are shown to whoever is asked about them: for machines of one person.
const SEES_ALL: &str = "\
AmbientCapabilities=CAP_DAC_READ_SEARCH
CapabilityBoundingSet=CAP_DAC_READ_SEARCH
";

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Wanted {
        Wanted {
            machine: "/".into(),
            user: "signoff".to_owned(),
            account_exists: false,
            program: "/home/dev/.cargo/bin/signoff".into(),
            program_is_safe: false,
            invite: Some("dev".to_owned()),
            reads_all: false,
            systemd: true,
        }
    }

    #[test]
    fn a_machine_is_set_up_step_by_step() {
        let shown: Vec<String> = wanted().plan().iter().map(Step::shown).collect();
        assert_eq!(
            shown,
            [
                "useradd --system --user-group --home-dir /var/lib/signoff --no-create-home --shell /usr/sbin/nologin signoff",
                "install -m 755 /home/dev/.cargo/bin/signoff /usr/local/bin/signoff",
                "install -d -m 755 /etc/signoff",
                "install -d -m 700 -o signoff /var/lib/signoff",
                "key /var/lib/signoff/gate.key (public: /etc/signoff/gate.pub)",
                "write /etc/systemd/system/signoff.socket",
                "write /etc/systemd/system/signoff.service",
                "signoff people invite dev",
                "systemctl daemon-reload",
                "systemctl enable --now signoff.socket signoff.service",
            ]
        );
    }

    #[test]
    fn an_agent_cannot_change_the_program_that_runs() {
        let service = |wanted: &Wanted| {
            let steps = wanted.plan();
            let text = steps.into_iter().find_map(|step| match step {
                Step::Write { path, text } if path.ends_with("signoff.service") => Some(text),
                _ => None,
            });
            text.unwrap()
        };
        assert!(service(&wanted()).contains("ExecStart=/usr/local/bin/signoff serve\n"));
        let safe = Wanted { program: "/usr/bin/signoff".into(), program_is_safe: true, ..wanted() };
        assert!(service(&safe).contains("ExecStart=/usr/bin/signoff serve\n"));
        assert!(!service(&safe).contains("CAP_"), "nothing is seen that others may not read, unless somebody says so");
        assert!(service(&Wanted { reads_all: true, ..safe }).contains("CAP_DAC_READ_SEARCH"));
    }

    #[test]
    fn taking_it_back_leaves_the_ledger() {
        let shown: Vec<String> = undo(Path::new("/"), false).iter().map(Step::shown).collect();
        assert!(shown.iter().all(|line| !line.contains("/var/lib")), "{shown:?}");
        assert!(shown.contains(&"rm -f /etc/signoff/gate.pub".to_owned()), "{shown:?}");
    }
}
