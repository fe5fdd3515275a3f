//! The separated mode with real user ids: the gateway runs under one, agents and the person under another, and the system
//! keeps them apart. Needs the rights to become other users; without them it says so.
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
    os::{
        fd::AsRawFd as _,
        unix::{
            fs::{PermissionsExt as _, chown},
            net::UnixListener,
            process::CommandExt as _,
        },
    },
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use program::tmux::Terminal;
use serde_json::Value;

const PASSWORD: &str = "correct horse battery";

/// Two accounts that every Debian has, and nobody uses.
const GATE: &str = "nobody";
const AGENT: &str = "daemon";

/// A machine of its own below a directory, set up by its administrator.
struct Machine {
    root: tempfile::TempDir,
    /// The program where everybody may run it.
    program: PathBuf,
    administrator: Terminal,
}

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("skipped: other users can only be tried by root");
    }
    root
}

fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

impl Machine {
    fn set_up() -> Self {
        let root = tempfile::tempdir().unwrap();
        open_to_all(root.path());
        let program = root.path().join("signoff");
        fs::copy(env!("CARGO_BIN_EXE_signoff-e2e"), &program).unwrap();
        open_to_all(&program);
        let administrator = Terminal::open(root.path(), 120, 50);
        administrator
            .enter(&format!("export SIGNOFF_E2E_MACHINE='{}'; s() {{ ./signoff \"$@\"; }}", root.path().display()));
        administrator.run(&format!("s separate --user {GATE} --invite {AGENT}"));
        let shown = administrator.wait_for("Do it?");
        assert!(shown.contains("etc/signoff/gate.pub"), "{shown}");
        administrator.enter("y");
        administrator.wait_for("runs under a user id of its own");
        let machine = Self { root, program, administrator };
        let (uid, gid) = signoff_facts::ids_of(AGENT).unwrap();
        fs::create_dir_all(machine.project()).unwrap();
        for part in ["home", "home/daemon", "home/daemon/project"] {
            chown(machine.path(part), Some(uid), Some(gid)).unwrap();
            open_to_all(&machine.path(part));
        }
        machine
    }

    fn path(&self, part: &str) -> PathBuf {
        self.root.path().join(part)
    }

    fn project(&self) -> PathBuf {
        self.path("home/daemon/project")
    }

    /// A program with the rights of a user, in the project.
    fn with_rights_of(&self, user: &str, program: &Path) -> Command {
        let (uid, gid) = signoff_facts::ids_of(user).unwrap();
        let mut command = Command::new(program);
        command.uid(uid).gid(gid).current_dir(self.project()).stdin(Stdio::null());
        command.env("SIGNOFF_E2E_MACHINE", self.root.path()).env("LANG", "C").env_remove("LC_ALL");
        command
    }

    fn signoff(&self, user: &str, arguments: &[&str]) -> Command {
        let mut command = self.with_rights_of(user, &self.program);
        command.args(arguments);
        command
    }

    /// What an agent does in a shell of its own.
    fn agent(&self, text: &str) -> Output {
        self.with_rights_of(AGENT, Path::new("/bin/sh")).args(["-c", text]).output().unwrap()
    }

    /// Starts the gateway as systemd would: with the socket that agents call.
    fn start(&self) -> Running {
        let run = self.path("run/signoff");
        fs::create_dir_all(&run).unwrap();
        let (uid, gid) = signoff_facts::ids_of(GATE).unwrap();
        chown(&run, Some(uid), Some(gid)).unwrap();
        open_to_all(&run);
        let path = run.join("gate.sock");
        let _ = fs::remove_file(&path);
        let socket = UnixListener::bind(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::empty()).unwrap();
        let mut gate = self.with_rights_of(GATE, Path::new("/bin/sh"));
        let text = format!(
            "LISTEN_PID=$$ LISTEN_FDS=1 exec '{}' serve --bind 127.0.0.1:0 3<&{}",
            self.program.display(),
            socket.as_raw_fd()
        );
        let gate = gate.args(["-c", &text]).stderr(fs::File::create(self.path("gate.log")).unwrap()).spawn().unwrap();
        let running = Running { gate, socket };
        let until = Instant::now() + Duration::from_secs(30);
        while !self.path("run/signoff/gateway").exists() {
            assert!(Instant::now() < until, "{}", fs::read_to_string(self.path("gate.log")).unwrap());
            thread::sleep(Duration::from_millis(30));
        }
        running
    }

    /// A terminal of the person, who is the user of the agents as well.
    fn desk(&self) -> Terminal {
        let desk = Terminal::open(self.root.path(), 120, 50);
        let (uid, gid) = signoff_facts::ids_of(AGENT).unwrap();
        desk.enter(&format!(
            "export SIGNOFF_E2E_MACHINE='{}'; s() {{ setpriv --reuid {uid} --regid {gid} --clear-groups ./signoff \"$@\"; }}",
            self.root.path().display()
        ));
        desk
    }
}

struct Running {
    gate: std::process::Child,
    #[allow(dead_code, reason = "whoever hands a socket over keeps it")]
    socket: UnixListener,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.gate.kill();
        let _ = self.gate.wait();
    }
}

fn invitation(screen: &str) -> String {
    screen.split_whitespace().find(|word| word.starts_with("sgi1.")).unwrap().to_owned()
}

#[test]
fn an_agent_with_the_users_id_reaches_neither_key_nor_store_nor_gate() {
    if !is_root() {
        return;
    }
    let machine = Machine::set_up();
    let running = machine.start();
    let root = machine.root.path().display();

    // Neither read, nor written, nor taken away, nor replaced.
    for attempt in [
        format!("cat {root}/var/lib/signoff/gate.key"),
        format!("cat {root}/var/lib/signoff/gate.db"),
        format!("ls {root}/var/lib/signoff"),
        format!("echo > {root}/var/lib/signoff/gate.db"),
        format!("mv {root}/var/lib/signoff {root}/var/lib/gone"),
        format!("rm -f {root}/run/signoff/gate.sock && test ! -e {root}/run/signoff/gate.sock"),
        format!("echo 127.0.0.1:9 > {root}/run/signoff/gateway"),
        format!("echo sgk1.x > {root}/etc/signoff/gate.pub"),
        format!("echo '[policy]' > {root}/etc/signoff/policy.toml"),
        format!("echo '{{}}' > {root}/etc/signoff/trusted.json"),
        format!("rm {root}/etc/signoff/gate.pub"),
        format!("kill -9 {}", running.gate.id()),
        format!("cat /proc/{}/mem", running.gate.id()),
        format!("cat /proc/{}/environ", running.gate.id()),
    ] {
        let done = machine.agent(&attempt);
        assert!(!done.status.success(), "{attempt}: {}", String::from_utf8_lossy(&done.stdout));
        let said = String::from_utf8_lossy(&done.stderr).to_lowercase();
        assert!(said.contains("denied") || said.contains("not permitted"), "{attempt}: {said}");
    }
    let asked = machine.signoff(AGENT, &["request", "ls"]).output().unwrap();
    assert_eq!(asked.status.code(), Some(0), "it still answers: {}", String::from_utf8_lossy(&asked.stderr));

    // With the program itself: no second gateway, no invitation, no settings of its own.
    let refused = |arguments: &[&str], why: &str| {
        let done = machine.signoff(AGENT, arguments).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && said.contains(why), "{arguments:?}: {said}");
    };
    refused(&["serve", "--bind", "127.0.0.1:0"], "runs under a user id of its own");
    refused(&["people", "invite", "mallory"], "no terminal");
    refused(&["separate", "--undo"], "only the administrator");
    let home = machine.path("home/daemon/.config/signoff");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("config.toml"), "[policy]\nrequire_confirmation = false\n").unwrap();
    fs::write(machine.project().join("notes.txt"), "mine").unwrap();
    let checked = machine.signoff(AGENT, &["check", "rm notes.txt"]).output().unwrap();
    assert_eq!(checked.status.code(), Some(10), "settings in a home do not count");
}

/// An agent with the user id of the person looks into what they have open.
#[track_caller]
fn desk_is_closed(machine: &Machine, desk: &Terminal) {
    let inbox: Vec<u32> =
        desk.children().into_iter().filter(|(_, line)| line.contains("inbox")).map(|(id, _)| id).collect();
    let [id] = inbox.as_slice() else { panic!("{:?}", desk.children()) };
    // What it may look into at all is like that for whoever does not close it.
    let open = machine.agent("cat /proc/$$/environ > /dev/null && head -c 0 /proc/$$/mem");
    assert!(open.status.success(), "{open:?}");
    for part in ["environ", "mem", "maps", "auxv", "fd", "cwd/", "root/"] {
        let done =
            machine.agent(&format!("test -d /proc/{id}/{part} && ls /proc/{id}/{part} || cat /proc/{id}/{part}"));
        let said = String::from_utf8_lossy(&done.stderr).to_lowercase();
        assert!(!done.status.success() && said.contains("denied"), "{part}: {:?} {said}", done.status);
    }
}

#[test]
fn a_person_answers_a_gateway_of_another_user() {
    if !is_root() {
        return;
    }
    let machine = Machine::set_up();
    let join = invitation(&machine.administrator.screen());
    let _running = machine.start();
    let desk = machine.desk();
    desk.run(&format!("s people join {join}"));
    desk.wait_for("Choose a password");
    desk.enter(PASSWORD);
    desk.wait_for("The same again");
    desk.enter(PASSWORD);
    desk.wait_for("Welcome, daemon");
    desk.run("s inbox");
    desk.wait_for("Password of daemon");
    // Neither while they type their password, nor with the login that they have then, is the desk open to their agents.
    desk_is_closed(&machine, &desk);
    desk.enter(PASSWORD);
    desk.wait_for("Waiting for questions");
    desk_is_closed(&machine, &desk);

    fs::write(machine.project().join("notes.txt"), "mine").unwrap();
    let asking = machine
        .signoff(AGENT, &["request", "--json", "rm notes.txt"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let screen = desk.wait_for("Approve?");
    assert!(screen.contains("NOT in git: lost for good"), "{screen}");
    desk.enter("y");
    desk.wait_for("It is approved.");
    let done = asking.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((done.status.code(), &said["outcome"]), (Some(0), &"approved".into()), "{said}");

    // What the gate may not look at, it does not take for nothing.
    let hidden = machine.project().join("private");
    fs::create_dir(&hidden).unwrap();
    fs::write(hidden.join("secret.txt"), "mine").unwrap();
    let (uid, gid) = signoff_facts::ids_of(AGENT).unwrap();
    for path in [hidden.clone(), hidden.join("secret.txt")] {
        chown(&path, Some(uid), Some(gid)).unwrap();
    }
    fs::set_permissions(&hidden, fs::Permissions::from_mode(0o700)).unwrap();
    for command in ["rm -rf ./private/*", "rm -f private/s*.txt", "rm -rf private"] {
        let asked = machine.signoff(AGENT, &["request", "--json", "--wait", "1ms", command]).output().unwrap();
        assert_eq!(asked.status.code(), Some(120), "{command}: {}", String::from_utf8_lossy(&asked.stdout));
    }
    // What is decided without the gate comes to it, whatever the user's files are like, and is read by nobody else.
    let text = format!(
        "umask 077; '{}' exec -- 'echo spooled here'; stat -c %a {}/run/signoff/spool/*",
        machine.program.display(),
        machine.root.path().display()
    );
    let ran = machine.with_rights_of(AGENT, Path::new("/bin/sh")).args(["-c", &text]).output().unwrap();
    assert!(String::from_utf8_lossy(&ran.stdout).contains("spooled here"), "{ran:?}");
    assert!(!String::from_utf8_lossy(&ran.stderr).contains("ledger"), "{ran:?}");
    let spool = machine.path("run/signoff/spool");
    assert_eq!(fs::metadata(&spool).unwrap().permissions().mode() & 0o7777, 0o3733);
    let until = Instant::now() + Duration::from_secs(30);
    while fs::read_dir(&spool).unwrap().count() > 0 {
        assert!(Instant::now() < until, "nobody takes it in");
        thread::sleep(Duration::from_millis(50));
    }
    let kept =
        ["gate.db", "gate.db-wal"].map(|name| fs::read(machine.path("var/lib/signoff").join(name)).unwrap_or_default());
    let has = |text: &[u8]| kept.iter().any(|file| file.windows(text.len()).any(|window| window == text));
    assert!(has(b"echo spooled here"), "it is in the ledger");

    // The home is that of whoever asks.
    let blocked = machine.signoff(AGENT, &["request", "--json", "rm -rf ~"]).output().unwrap();
    assert_eq!(blocked.status.code(), Some(122), "{}", String::from_utf8_lossy(&blocked.stdout));
}
