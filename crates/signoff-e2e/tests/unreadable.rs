//! In the personal mode an agent has the user id of the person, and of the gateway: nevertheless it looks neither into the
//! desk at which they answer nor into the gateway, where it would find the login with which it could answer itself. Needs the
//! rights to become another user, since nobody can be kept out who is root; without them it says so.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is left out says so"
)]

mod program;

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    process::{Command, Output},
};

use program::tmux::Terminal;

const PASSWORD: &str = "correct horse battery";

/// An account that every Debian has, and nobody uses.
const USER: &str = "daemon";

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let (uid, gid) = signoff_facts::ids_of(USER).unwrap();
        for part in ["", "work", "work/project"] {
            fs::create_dir_all(root.path().join(part)).unwrap();
            chown(root.path().join(part), Some(uid), Some(gid)).unwrap();
        }
        let program = root.path().join("signoff");
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_signoff-e2e")).arg(&program).status();
        assert!(copied.unwrap().success());
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Self { root }
    }

    fn terminal(&self) -> Terminal {
        let (uid, gid) = signoff_facts::ids_of(USER).unwrap();
        let terminal = Terminal::open(&self.root.path().join("work/project"), 120, 50);
        let root = self.root.path().display();
        terminal.enter(&format!(
            "export SIGNOFF_E2E_ROOT='{root}'; s() {{ setpriv --reuid {uid} --regid {gid} --clear-groups '{root}/signoff' \"$@\"; }}"
        ));
        terminal
    }

    /// What an agent does in a shell of its own.
    fn agent(&self, text: &str) -> Output {
        let (uid, gid) = signoff_facts::ids_of(USER).unwrap();
        Command::new("/bin/sh").uid(uid).gid(gid).current_dir(self.root.path()).args(["-c", text]).output().unwrap()
    }

    #[track_caller]
    fn is_closed(&self, terminal: &Terminal, what: &str) {
        let found: Vec<u32> =
            terminal.children().into_iter().filter(|(_, line)| line.contains(what)).map(|(id, _)| id).collect();
        let [id] = found.as_slice() else { panic!("{:?}", terminal.children()) };
        for part in ["environ", "mem", "maps", "auxv", "fd", "cwd/", "root/"] {
            let path = format!("/proc/{id}/{part}");
            let done = self.agent(&format!("test -d {path} && ls {path} || cat {path}"));
            let said = String::from_utf8_lossy(&done.stderr).to_lowercase();
            assert!(!done.status.success() && said.contains("denied"), "{what} {part}: {:?} {said}", done.status);
        }
    }
}

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("skipped: other users can only be tried by root");
    }
    root
}

#[test]
fn an_agent_with_the_users_id_looks_into_neither_desk_nor_gateway() {
    if !is_root() {
        return;
    }
    let place = Place::new();
    // Whoever does not close themselves is open to their own user: what follows is no mere matter of this machine.
    let open = place.agent(
        "sleep 60 & cat /proc/$!/environ > /dev/null && cat /proc/$!/maps > /dev/null; code=$?; kill $!; exit $code",
    );
    assert!(open.status.success(), "{open:?}");

    let (server, desk) = (place.terminal(), place.terminal());
    server.run("s serve --bind 127.0.0.1:0");
    let screen = server.wait_for("signoff people join");
    let invitation = screen.split_whitespace().find(|word| word.starts_with("sgi1.")).unwrap().to_owned();
    place.is_closed(&server, " serve ");
    desk.run(&format!("s people join {invitation}"));
    desk.wait_for("Choose a password");
    place.is_closed(&desk, " people join ");
    desk.enter(PASSWORD);
    desk.wait_for("The same again");
    desk.enter(PASSWORD);
    desk.wait_for("Welcome");
    for (command, shown) in [("s inbox", "Waiting for questions"), ("s people password", "Choose a password")] {
        desk.run(command);
        desk.wait_for("Password of");
        let words = command.strip_prefix('s').unwrap();
        place.is_closed(&desk, words);
        desk.enter(PASSWORD);
        desk.wait_for(shown);
        place.is_closed(&desk, words);
        desk.key("C-c");
    }
    // What a closed process starts is open again, and does what it did before.
    let told = "s exec -- 'sleep 1; cat /proc/self/environ > /dev/null && echo can look at itself'";
    desk.run(told);
    desk.wait_for("Run it?");
    desk.enter("y");
    desk.wait_for("\ncan look at itself");
}
