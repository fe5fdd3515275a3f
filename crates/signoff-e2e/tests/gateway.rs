//! The gateway as people and agents use it: served in one terminal, answered in another, asked from a third.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    io::{Read as _, Write as _},
    os::unix::net::UnixListener,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use program::{Home, stdout, tmux::Terminal};
use serde_json::Value;

const PASSWORD: &str = "correct horse battery";

/// A gateway with one person who has joined.
struct Gateway {
    home: Home,
    server: Terminal,
    desk: Terminal,
}

fn terminal(home: &Home) -> Terminal {
    let terminal = Terminal::open(&home.project(), 110, 40);
    let program = env!("CARGO_BIN_EXE_signoff-e2e");
    terminal.enter(&format!("export SIGNOFF_E2E_ROOT='{}'; s() {{ '{program}' \"$@\"; }}", home.root.path().display()));
    terminal
}

impl Gateway {
    fn start() -> Self {
        let home = Home::new();
        let (server, desk) = (terminal(&home), terminal(&home));
        server.run("s serve --bind 127.0.0.1:0");
        let screen = server.wait_for("signoff people join");
        let invitation = screen.split_whitespace().find(|word| word.starts_with("sgi1.")).unwrap().to_owned();
        desk.run(&format!("s people join {invitation}"));
        desk.wait_for("Choose a password");
        desk.enter(PASSWORD);
        desk.wait_for("The same again");
        desk.enter(PASSWORD);
        let screen = desk.wait_for("Welcome");
        assert!(!screen.contains(PASSWORD), "nobody reads it over a shoulder:\n{screen}");
        Self { home, server, desk }
    }

    fn restart(&self) {
        self.server.run("s serve --bind 127.0.0.1:0");
        self.server.wait_for("The gateway answers");
    }

    /// Ends it at once, as a power cut would.
    fn kill(&self) {
        let root = self.home.root.path().to_str().unwrap().to_owned();
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let path = process.path();
            let read = |name: &str| std::fs::read(path.join(name)).unwrap_or_default();
            let (line, around) = (read("cmdline"), read("environ"));
            let has = |text: &[u8], part: &str| text.windows(part.len()).any(|window| window == part.as_bytes());
            if has(&line, "\0serve\0") && has(&around, &root) {
                let id = process.file_name().into_string().unwrap();
                Command::new("kill").args(["-9", &id]).status().unwrap();
            }
        }
        self.server.wait_for("Killed");
    }

    fn log_in(&self, command: &str) {
        self.desk.run(command);
        self.desk.wait_for("Password of");
        self.desk.enter(PASSWORD);
    }

    /// Waits until the person is asked about a command: what is typed before does not count.
    #[track_caller]
    fn asked_about(&self, command: &str) -> String {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let screen = self.desk.screen();
            let asked = screen.rfind("Approve?").is_some_and(|at| screen.rfind(command).is_some_and(|text| text < at));
            if asked {
                return screen;
            }
            assert!(Instant::now() < until, "nobody is asked about {command:?} on:\n{screen}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    fn request(&self, arguments: &[&str]) -> Child {
        let mut command = self.home.signoff(&[&["request", "--json"], arguments].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

fn ended(child: Child) -> (Option<i32>, Value) {
    let output = child.wait_with_output().unwrap();
    let said = serde_json::from_str(stdout(&output).trim());
    (output.status.code(), said.unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&output.stderr).into_owned())))
}

#[test]
fn a_person_answers_from_another_terminal() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let asking = gateway.request(&["rm notes.txt"]);
    let screen = gateway.asked_about("rm notes.txt");
    for part in ["script asks, in", "rm notes.txt", "NOT in git: lost for good"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    let (code, said) = ended(asking);
    assert_eq!((code, &said["outcome"]), (Some(0), &"approved".into()), "{said}");
    // A no comes with its words.
    let asking = gateway.request(&["rm -f notes.txt"]);
    gateway.asked_about("rm -f notes.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for("Words for the agent");
    gateway.desk.enter("move it instead");
    gateway.desk.wait_for("It is denied.");
    let (code, said) = ended(asking);
    assert_eq!((code, &said["words"]), (Some(121), &"move it instead".into()), "{said}");
    // What is harmless or absurd asks nobody.
    assert_eq!(ended(gateway.request(&["ls"])).0, Some(0));
    assert_eq!(ended(gateway.request(&["rm -rf /"])).0, Some(122));
}

#[test]
fn nothing_pending_is_lost_when_the_gateway_is_killed() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let asking = gateway.request(&["--key", "k", "rm notes.txt"]);
    gateway.log_in("s inbox list");
    gateway.desk.wait_for("pending");
    gateway.kill();
    gateway.restart();
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    // Whoever asked has waited for it to come back, and is told.
    let (code, said) = ended(asking);
    assert_eq!((code, &said["outcome"]), (Some(0), &"approved".into()), "{said}");
}

#[test]
fn exec_asks_here_and_there_and_the_first_answer_counts() {
    let gateway = Gateway::start();
    let hands = terminal(&gateway.home);
    for name in ["a.txt", "b.txt", "c.txt"] {
        gateway.home.write(&format!("work/project/{name}"), "mine");
    }
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    // Answered there.
    hands.run("s exec -- 'rm a.txt'; echo code $?");
    hands.wait_for("Run it?");
    gateway.asked_about("rm a.txt");
    gateway.desk.enter("y");
    hands.wait_for("code 0");
    assert!(!gateway.home.project().join("a.txt").exists());
    // Answered here: nobody there is asked any more.
    hands.run("s exec -- 'rm b.txt'; echo code $?");
    hands.wait_for("Run it?");
    gateway.asked_about("rm b.txt");
    hands.enter("y");
    hands.wait_for("code 0");
    assert!(!gateway.home.project().join("b.txt").exists());
    gateway.desk.enter("y");
    gateway.desk.wait_for("no longer open");
    // A no there is a no here.
    hands.run("s exec -- 'rm c.txt'; echo code $?");
    hands.wait_for("Run it?");
    gateway.asked_about("rm c.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for("Words for the agent");
    gateway.desk.enter("keep it");
    let screen = hands.wait_for("code 121");
    assert!(screen.contains("keep it"), "{screen}");
    assert!(gateway.home.project().join("c.txt").exists());
    // And without a terminal it waits for the answer of people.
    let mut command = Command::new("setsid");
    let program = env!("CARGO_BIN_EXE_signoff-e2e");
    command.args(["--wait", program, "exec", "--json", "--", "rm -f c.txt"]).current_dir(gateway.home.project());
    command.env("SIGNOFF_E2E_ROOT", gateway.home.root.path()).stdin(Stdio::null());
    let waiting = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    gateway.asked_about("rm -f c.txt");
    gateway.desk.enter("y");
    let (code, result) = ended(waiting);
    assert_eq!((code, &result["success"]), (Some(0), &true.into()), "{result}");
    assert!(result["approval_id"].is_string(), "{result}");
}

/// An agent that runs the command for people, at a terminal of its own making or without one, is refused before it is even
/// asked for a password.
#[test]
fn an_agent_cannot_answer() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let asking = gateway.request(&["--wait", "20s", "rm notes.txt"]);
    for arguments in [&["inbox", "list"][..], &["inbox", "approve", "0"], &["people", "invite", "mallory"]] {
        let output = gateway.home.signoff(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let line = format!("CLAUDECODE=1 s {}; echo code $?", arguments.join(" "));
        gateway.desk.run(&line);
        let screen = gateway.desk.wait_for("code 2");
        assert!(screen.contains("whose word does not count"), "{screen}");
    }
    let checked = gateway.home.output(&["check", "signoff inbox approve 01a1"]);
    assert_eq!(checked.status.code(), Some(20), "{}", stdout(&checked));
    assert_eq!(ended(asking).0, Some(120));
}

/// Whoever sits at the path of the socket and says yes to everything is not the gate.
#[test]
fn a_squatter_on_the_socket_allows_nothing() {
    let gateway = Gateway::start();
    gateway.kill();
    let path = gateway.home.root.path().join("state/run/gate.sock");
    std::fs::remove_file(&path).unwrap();
    let squatter = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for stream in squatter.incoming() {
            let mut stream = stream.unwrap();
            let mut asked = [0; 4_096];
            let _ = stream.read(&mut asked);
            let body = r#"{"verdict":"allow","decision":"execute_directly","risk":"none","reasons":[],"safer":[]}"#;
            let proof = "A".repeat(86);
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nsignoff-proof: {proof}\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let (code, said) = ended(gateway.request(&["rm -rf src"]));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.as_str().unwrap().contains("not the gate"), "{said}");
}

#[test]
fn a_gateway_that_cannot_be_safe_does_not_start() {
    let home = Home::new();
    let wide = home.output(&["serve", "--bind", "0.0.0.0:0"]);
    assert_eq!(wide.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wide.stderr).contains("speaks no TLS"));
    let mut first = home.signoff(&["serve", "--bind", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while !home.root.path().join("state/gateway").exists() {
        assert!(Instant::now() < until);
        thread::sleep(Duration::from_millis(30));
    }
    let second = home.output(&["serve", "--bind", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(1), "{}", String::from_utf8_lossy(&second.stderr));
    // What only its owner may read stays so.
    let key = home.root.path().join("state/gate.key");
    let mode = |path: &std::path::Path| {
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777
    };
    assert_eq!((mode(&key), mode(&home.root.path().join("state/run"))), (0o600, 0o700));
    Command::new("kill").arg(first.id().to_string()).status().unwrap();
    assert_eq!(first.wait().unwrap().code(), Some(0));
    let mut words = String::new();
    first.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(words.contains("signoff people invite NAME"), "nobody at a terminal was invited by it: {words}");
    assert!(!words.contains("sgi1."), "{words}");
    std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let open = home.output(&["serve", "--bind", "127.0.0.1:0"]);
    assert!(String::from_utf8_lossy(&open.stderr).contains("others can read the key"));
}
