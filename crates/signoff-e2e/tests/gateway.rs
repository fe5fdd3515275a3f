//! The gateway as people and agents use it: served in one terminal, answered in another, asked from a third.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    io::{Read as _, Write as _},
    os::unix::net::UnixListener,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use program::{
    Home,
    gateway::{Gateway, ended, terminal},
    stdout,
};

#[test]
fn a_person_answers_from_another_terminal() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let asking = gateway.request(&["rm notes.txt"]);
    let screen = gateway.asked_about("rm notes.txt");
    for part in ["script asks for ", "rm notes.txt", "NOT in git: lost for good"] {
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

/// In a container the leader of the session is often outside, and has no number.
#[test]
fn whoever_is_led_from_outside_of_its_container_can_ask() {
    let apart = |program: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--pid", "--fork", "--"]).args(program);
        command
    };
    if !apart(&["true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("not tried: this system lets nobody have a process space of their own");
        return;
    }
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let asked = apart(&[env!("CARGO_BIN_EXE_signoff-e2e"), "exec", "--no-wait", "--", "rm notes.txt"])
        .current_dir(gateway.home.project())
        .env("SIGNOFF_E2E_ROOT", gateway.home.root.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&asked.stderr);
    assert_eq!(asked.status.code(), Some(120), "{words}");
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
}

#[test]
fn a_person_pauses_the_questions_and_locks_everything_down() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    let exec = |command: &str| gateway.home.output(&["exec", "--", command]);
    gateway.log_in("s pause 10m");
    gateway.desk.wait_for("Paused by");
    let ran = exec("rm notes.txt");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(!gateway.home.project().join("notes.txt").exists());
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains("has paused the questions for 9m"), "{said}");
    gateway.log_in("s pause end");
    gateway.desk.wait_for("asked as usual");

    gateway.log_in("s lockdown");
    gateway.desk.wait_for("Locked down by");
    let blocked = |command: &str| {
        let until = Instant::now() + Duration::from_secs(30);
        // The mark for those who decide by themselves comes a moment later.
        while exec(command).status.code() != Some(122) {
            assert!(Instant::now() < until, "{command} passes");
            thread::sleep(Duration::from_millis(50));
        }
    };
    blocked("touch new.txt");
    assert_eq!(exec("ls").status.code(), Some(0));
    // It outlives the gateway.
    gateway.kill();
    assert_eq!(exec("touch new.txt").status.code(), Some(122));
    gateway.restart();
    assert_eq!(exec("touch new.txt").status.code(), Some(122));
    gateway.log_in("s lockdown lift");
    gateway.desk.wait_for("asked as usual");
    let until = Instant::now() + Duration::from_secs(30);
    while exec("touch new.txt").status.code() != Some(0) {
        assert!(Instant::now() < until, "it stays locked");
        thread::sleep(Duration::from_millis(50));
    }
    // Nobody pauses for longer, and an agent not at all.
    let refused = gateway.home.output(&["pause", "2h"]);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    let refused = gateway.home.output(&["pause", "5m"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no terminal"), "a person at a terminal only");
}

#[test]
fn what_was_approved_is_run_later_once_and_by_its_session_alone() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let exec = |arguments: &[&str]| {
        let done = gateway.home.output(&[&["exec", "--json"], arguments].concat());
        let said: serde_json::Value = serde_json::from_str(stdout(&done).trim())
            .unwrap_or_else(|_| String::from_utf8_lossy(&done.stderr).into_owned().into());
        (done.status.code(), said)
    };
    let (code, said) = exec(&["--no-wait", "--session", "one", "--", "rm notes.txt"]);
    assert_eq!((code, &said["confirmation_required"]), (Some(120), &true.into()), "{said}");
    let id = said["approval_id"].as_str().unwrap().to_owned();
    // Nobody has answered yet.
    assert_eq!(exec(&["--session", "one", "--approval", &id]).0, Some(120));
    gateway.asked_about("rm notes.txt");
    gateway.desk.enter("y");
    gateway.desk.wait_for("It is approved.");
    // Another session finds nothing, from wherever it comes.
    let (code, said) = exec(&["--session", "two", "--approval", &id]);
    assert_ne!(code, Some(0), "{said}");
    assert!(gateway.home.project().join("notes.txt").exists());
    // It runs where it was asked for, not where somebody stands now.
    let mut elsewhere = gateway.home.signoff(&["exec", "--json", "--session", "one", "--approval", &id]);
    let done = elsewhere.current_dir("/").output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
    assert!(!gateway.home.project().join("notes.txt").exists());
    assert_eq!(exec(&["--session", "one", "--approval", &id]).0, Some(123), "once");

    // What has changed since does not run.
    gateway.home.write("work/project/data/a.txt", "a");
    let (_, said) = exec(&["--no-wait", "--session", "one", "--", "rm -r data"]);
    let id = said["approval_id"].as_str().unwrap().to_owned();
    gateway.asked_about("rm -r data");
    gateway.desk.enter("y");
    let until = Instant::now() + Duration::from_secs(30);
    while gateway.desk.screen().matches("It is approved.").count() < 2 {
        assert!(Instant::now() < until, "{}", gateway.desk.screen());
        thread::sleep(Duration::from_millis(30));
    }
    gateway.home.write("work/project/data/b.txt", "b");
    assert_eq!(exec(&["--session", "one", "--approval", &id]).0, Some(123));
    assert!(gateway.home.project().join("data/b.txt").exists());
}

/// The processes that serve below a directory.
fn serving(root: &std::path::Path) -> Vec<String> {
    let start = format!("{}\0serve\0", root.join("signoff").display());
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
    let line = |path: &std::path::Path| std::fs::read(path.join("cmdline")).unwrap_or_default();
    let ours = processes.filter(|path| line(path).starts_with(start.as_bytes()));
    ours.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_gateway_is_started_by_whoever_needs_one_and_inherits_nothing() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.kill();
    let root = gateway.home.root.path().canonicalize().unwrap();
    let program = root.join("signoff");
    // Copied by another process: what this one writes, a child of another test may hold open, and then it cannot be started.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_signoff-e2e")).arg(&program).status();
    assert!(copied.unwrap().success());
    let ask = |key: &str| {
        let mut command = Command::new(&program);
        command.args(["request", "--json", "--wait", "1ms", "--session", "s", "--key", key, "rm notes.txt"]);
        command.current_dir(gateway.home.project()).env("LEAKED", "secret").stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    // Two at once start one.
    let both = [ask("a"), ask("b")].map(ended);
    for (code, said) in &both {
        assert_eq!(*code, Some(120), "{said}");
    }
    let until = Instant::now() + Duration::from_secs(30);
    let running = loop {
        let running = serving(&root);
        if running.len() == 1 {
            break running;
        }
        assert!(Instant::now() < until, "{running:?}");
        thread::sleep(Duration::from_millis(50));
    };
    let id = &running[0];
    match std::fs::read(format!("/proc/{id}/environ")) {
        Ok(environment) => {
            assert!(environment.is_empty(), "{}", String::from_utf8_lossy(&environment));
            assert_eq!(std::fs::read_link(format!("/proc/{id}/cwd")).unwrap(), std::path::Path::new("/"));
        }
        // Nobody else may look into it, which is another test.
        Err(_) => println!("skipped: only root sees what a gateway has inherited"),
    }
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<&str> = status.rsplit(") ").next().unwrap().split(' ').collect();
    assert_eq!((fields[3], fields[4]), (id.as_str(), "0"), "its own session, without a terminal");
    // What was asked is there, and the person answers it.
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
    Command::new("kill").arg(id).status().unwrap();
}

#[test]
fn nobody_gets_a_gateway_where_no_person_has_used_one() {
    let home = Home::new();
    let asked = home.output(&["request", "ls"]);
    assert!(!asked.status.success());
    assert!(String::from_utf8_lossy(&asked.stderr).contains("signoff serve"), "{asked:?}");
    assert!(serving(&home.root.path().canonicalize().unwrap()).is_empty());
}

#[test]
fn what_exec_decides_by_itself_comes_into_the_ledger() {
    let gateway = Gateway::start();
    for command in ["echo one", "echo TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"] {
        assert_eq!(gateway.home.output(&["exec", "--", command]).status.code(), Some(0));
    }
    assert_eq!(gateway.home.output(&["exec", "--", "rm -rf /"]).status.code(), Some(122));
    gateway.kill();
    // What is decided meanwhile is taken in by the next one.
    assert_eq!(gateway.home.output(&["exec", "--", "echo two"]).status.code(), Some(0));
    gateway.restart();
    let until = Instant::now() + Duration::from_secs(30);
    let spool = gateway.home.root.path().join("state/run/spool");
    while std::fs::read_dir(&spool).unwrap().count() > 0 {
        assert!(Instant::now() < until, "nobody takes it in");
        thread::sleep(Duration::from_millis(50));
    }
    gateway.log_in("s ledger list --limit 40");
    let screen = gateway.desk.wait_for("echo two");
    for part in ["echo one", "rm -rf /", "blocked"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    assert!(!screen.contains("ghp_0123456789"), "{screen}");
}

#[test]
fn an_agent_is_told_at_once_whether_anybody_is_there() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    // Whoever has just joined has not looked at anything.
    let asked = gateway.home.output(&["request", "--wait", "1ms", "rm notes.txt"]);
    assert!(String::from_utf8_lossy(&asked.stderr).contains("nobody is attending"), "{asked:?}");
    // So is whoever sits at the gateway's own terminal.
    gateway.server.wait_for("A question waits, and nobody is attending");
    gateway.server.wait_for_bell();
    // A desktop that writes down what it is told.
    let told = gateway.home.root.path().join("told");
    gateway.home.write("bin/notify-send", &format!("#!/bin/sh\necho \"$@\" >> '{}'\n", told.display()));
    let bin = gateway.home.root.path().join("bin");
    Command::new("chmod").arg("755").arg(bin.join("notify-send")).status().unwrap();
    gateway.desk.enter(&format!("export PATH='{}':$PATH", bin.display()));
    gateway.log_in("s inbox");
    gateway.asked_about("rm notes.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for("Words for the agent");
    gateway.desk.enter("");
    gateway.desk.wait_for("Waiting for questions");
    let asked = gateway.home.output(&["request", "--wait", "1ms", "rm -f notes.txt"]);
    assert!(!String::from_utf8_lossy(&asked.stderr).contains("nobody is attending"), "{asked:?}");
    gateway.asked_about("rm -f notes.txt");
    let until = Instant::now() + Duration::from_secs(30);
    while !told.exists() {
        assert!(Instant::now() < until, "the desktop is told");
        thread::sleep(Duration::from_millis(50));
    }
    let told = std::fs::read_to_string(&told).unwrap();
    assert!(told.contains("A question waits") && !told.contains("notes.txt"), "{told}");
}

#[test]
fn a_plan_shows_its_steps_and_a_stale_yes_what_differs() {
    let gateway = Gateway::start();
    gateway.home.write("work/project/notes.txt", "mine");
    gateway.home.write("work/project/other.txt", "mine");
    gateway.log_in("s inbox");
    let asked = gateway.request(&["--then", "rm notes.txt", "git push origin a"]);
    let screen = gateway.asked_about("rm notes.txt");
    for part in ["git push origin a", "Then, step 2", "your yes is one for this, once"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    gateway.desk.enter("y");
    assert_eq!(ended(asked).0, Some(0));
    // The step needs no other yes, once.
    let step = gateway.home.output(&["request", "--json", "rm notes.txt"]);
    assert!(stdout(&step).contains("\"outcome\":\"allowed\""), "{step:?}");
    let again = gateway.home.output(&["request", "--wait", "1ms", "rm notes.txt"]);
    assert_eq!(again.status.code(), Some(120), "{again:?}");
    gateway.asked_about("rm notes.txt");
    gateway.answer(2, "n");
    // What has become another thing between the question and the yes is not run, and whoever asked is told what differs.
    let asked = gateway.request(&["rm other.txt"]);
    gateway.asked_about("rm other.txt");
    gateway.home.write("work/project/other.txt", "more than anybody was shown");
    gateway.desk.enter("y");
    let (code, told) = ended(asked);
    assert_eq!((code, &told["outcome"]), (Some(123), &"stale".into()), "{told}");
    assert!(told.to_string().contains("other.txt: was 1 file (4 B), is 1 file (27 B)"), "{told}");
}

/// Whoever has the half of the key that is for everybody tells a real permit from every other, with no gateway anywhere.
#[test]
fn a_permit_is_checked_without_asking_anybody() {
    use signoff_permit::{Claims, IssuerKey, Permit};
    let home = Home::new();
    let (gate, other) = (IssuerKey::from_seed([7; 32]), IssuerKey::from_seed([8; 32]));
    let claims = Claims {
        approval: [1; 16],
        operation: [2; 32],
        preview: [3; 32],
        policy: [4; 32],
        nonce: [5; 32],
        agent: "claude".to_owned(),
        session: "s-1".to_owned(),
        issued_at: 1,
        expires_at: 2,
    };
    let permit = Permit::issue(claims, &gate).unwrap().text().to_owned();
    let verify = |permit: &str, key: &IssuerKey| {
        let key = key.verifier().to_string();
        let checked = home.output(&["permit", "verify", permit, "--key", &key]);
        (checked.status.code(), stdout(&checked).to_owned())
    };
    let (code, told) = verify(&permit, &gate);
    assert_eq!(code, Some(0), "{told}");
    for part in ["authentic", "claude", "s-1", &"02".repeat(32)] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let mut forged = permit.clone();
    let last = if forged.pop() == Some('A') { 'B' } else { 'A' };
    forged.push(last);
    for (what, (code, told)) in [
        ("another key", verify(&permit, &other)),
        ("a changed permit", verify(&forged, &gate)),
        ("no permit", verify("sgp1.x", &gate)),
    ] {
        assert!(code != Some(0) && !told.contains("authentic"), "{what}: {code:?} {told}");
    }
}

#[test]
fn nobody_gets_around_others_because_no_gateway_runs() {
    let home = Home::new();
    home.write("work/project/notes.txt", "mine");
    for settings in [
        "[approval]\napprovers = [\"ann\", \"bob\"]\nquorum = 2\n",
        "[approval]\napprovers = [\"ann\"]\n",
        "[approval]\nseparation = true\n",
        "[approval.assurance]\nhigh = \"passkey\"\n",
    ] {
        home.write("user/config.toml", settings);
        let refused = home.output(&["exec", "--", "rm notes.txt"]);
        assert_eq!(refused.status.code(), Some(120), "{settings}");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("somebody else has to agree"), "{settings}: {said}");
    }
    // Where the word of whoever sits here is enough, only that is missing.
    home.write("user/config.toml", "[approval]\nquorum = 1\n");
    let refused = home.output(&["exec", "--", "rm notes.txt"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no terminal"), "{refused:?}");
}
