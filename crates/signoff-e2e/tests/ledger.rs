//! The ledger in the hands of its users: read where no gateway runs, taken away, and checked elsewhere.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    fs,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use program::{Home, complains, lines, stdout};

/// Lets a gateway of its own decide about these commands, and ends it.
fn decided(home: &Home, commands: &[&str]) {
    let serve = ["serve", "--bind", "127.0.0.1:0"];
    let mut server = home.signoff(&serve).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while !home.root.path().join("state/gateway").exists() {
        assert!(Instant::now() < until, "the gateway does not come");
        thread::sleep(Duration::from_millis(20));
    }
    for command in commands {
        home.signoff(&["request", "--wait", "1s", command]).output().unwrap();
    }
    Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert!(server.wait().unwrap().success());
}

fn ledger(home: &Home, arguments: &[&str]) -> Output {
    home.signoff(&[&["ledger"], arguments].concat()).output().unwrap()
}

#[test]
fn a_ledger_is_read_taken_away_and_checked() {
    let home = Home::new();
    complains(&ledger(&home, &["list"]), "there is no ledger");
    decided(&home, &["ls", "rm -rf /", "PASSWORD=hunter2 ls"]);

    let listed = ledger(&home, &["list"]);
    let text = stdout(&listed);
    for part in ["allowed", "blocked", "rm -rf /", "PASSWORD=[masked] ls"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("hunter2"));
    let blocked = lines(&ledger(&home, &["list", "--what", "blocked", "--json"]));
    assert_eq!(blocked.len(), 1);
    let number = blocked[0]["number"].to_string();
    let shown = ledger(&home, &["show", &number]);
    assert!(stdout(&shown).contains("critical") && stdout(&shown).contains("rm -rf /"), "{}", stdout(&shown));
    assert!(stdout(&ledger(&home, &["show", &number, "--lang", "zh"])).contains("条目"));
    complains(&ledger(&home, &["show", "4711"]), "there is no entry 4711");
    let last = lines(&ledger(&home, &["list", "--limit", "1", "--json"]));
    let behind = lines(&ledger(&home, &["list", "--after", "1", "--limit", "1", "--json"]));
    assert_eq!((last[0]["number"].as_u64(), behind[0]["number"].as_u64()), (Some(3), Some(2)));
    let stats = &lines(&ledger(&home, &["stats", "--json"]))[0];
    assert_eq!((&stats["what"]["allowed"], &stats["agents"]["script"]), (&2.into(), &3.into()), "{stats}");
    assert!(stdout(&ledger(&home, &["stats"])).contains("decisions by risk"));

    // The gateway has signed all of it when it went.
    let whole = ledger(&home, &["verify"]);
    assert_eq!(whole.status.code(), Some(0));
    assert!(stdout(&whole).contains("Sealed up to entry 3"), "{}", stdout(&whole));

    let file = home.root.path().join("ledger.jsonl");
    let name = file.to_str().unwrap();
    assert_eq!(ledger(&home, &["export", name]).status.code(), Some(0));
    assert_eq!(ledger(&home, &["export"]).stdout, fs::read(&file).unwrap());
    complains(&ledger(&home, &["export", name]), "cannot open");
    // Elsewhere, there is nothing but the export and the key.
    let key = fs::read_to_string(home.root.path().join("state/gate.pub")).unwrap();
    let elsewhere = Home::new();
    complains(&ledger(&elsewhere, &["verify", name]), "there is no key");
    complains(&ledger(&elsewhere, &["verify", name, "--key", "x"]), "that is no key");
    complains(&ledger(&elsewhere, &["verify", "/nonexistent", "--key", key.trim()]), "cannot open");
    let verified = ledger(&elsewhere, &["verify", name, "--key", key.trim()]);
    assert_eq!((verified.status.code(), verified.stdout), (Some(0), whole.stdout));

    // And what was changed is named.
    let export = fs::read_to_string(&file).unwrap();
    fs::write(&file, export.replacen("rm -rf /", "rm -rf .", 1)).unwrap();
    let broken = ledger(&elsewhere, &["verify", name, "--key", key.trim()]);
    assert_eq!(broken.status.code(), Some(1));
    assert_eq!(stdout(&broken), "Broken, in line 2 of its export: entry 2, or one before it, was changed.\n");
    let broken = ledger(&elsewhere, &["verify", name, "--key", key.trim(), "--json"]);
    assert_eq!((broken.status.code(), &lines(&broken)[0]["entry"]), (Some(1), &2.into()));
}

/// Where a gateway runs, it is asked, and only a person at a terminal is told.
#[test]
fn a_gateway_that_runs_is_asked_by_people() {
    let home = Home::new();
    let serve = ["serve", "--bind", "127.0.0.1:0"];
    let mut server = home.signoff(&serve).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while !home.root.path().join("state/gateway").exists() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    complains(&ledger(&home, &["list"]), "terminal");
    // One that was killed has left its address, and nobody listens there.
    Command::new("kill").args(["-9", &server.id().to_string()]).status().unwrap();
    server.wait().unwrap();
    assert!(home.root.path().join("state/gateway").exists());
    assert_eq!(ledger(&home, &["list"]).status.code(), Some(0));
}
