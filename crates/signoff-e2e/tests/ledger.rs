//! The ledger in the hands of its users: read where no gateway runs, taken away, and checked elsewhere.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
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

/// Makes the key and the store of a gateway that has written ten entries so many days ago and signed them.
fn grown_old(home: &Home, days: i64) {
    use signoff_model::{Actor, Deed, Timestamp};
    use signoff_store::{Sqlite, checkpoint_now};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let then = i64::try_from(now.as_millis()).unwrap() - days * 24 * 60 * 60 * 1_000;
    let state = home.root.path().join("state");
    DirBuilder::new().mode(0o700).create(&state).unwrap();
    let seed = [9; 32];
    let mut key = OpenOptions::new().write(true).create_new(true).mode(0o600).open(state.join("gate.key")).unwrap();
    key.write_all(&seed).unwrap();
    runtime.block_on(async {
        let store: std::sync::Arc<dyn signoff_gate::Store> = std::sync::Arc::new(
            Sqlite::open(&state.join("gate.db"), std::sync::Arc::new(move || Timestamp::from_millis(then))).unwrap(),
        );
        let deed =
            || Deed { what: "allowed", by: Actor::Gate, approval: None, details: vec![("text", "ls".to_owned())] };
        store.record((0..10).map(|_| deed()).collect()).await.unwrap();
        checkpoint_now(&*store, &signoff_permit::IssuerKey::from_seed(seed)).await.unwrap().unwrap();
    });
}

/// A gateway removes what is older than `ledger.retention`, and what is left is verified from there on.
#[test]
fn a_gateway_removes_what_is_older_than_it_keeps() {
    let home = Home::new();
    grown_old(&home, 40);
    decided(&home, &["ls"]);
    assert!(stdout(&ledger(&home, &["verify"])).contains("Whole: 11 entries"), "nothing goes by itself");
    home.write("user/config.toml", "[ledger]\nretention = \"30d\"\n");
    let first = || lines(&ledger(&home, &["list", "--json"]))[0]["number"].as_u64();
    // A gateway looks at its ledger once it has started, which may be later than it is stopped here.
    (0..5).find(|_| {
        decided(&home, &["pwd"]);
        first() != Some(1)
    });
    assert_eq!(first(), Some(11));
    assert!(stdout(&ledger(&home, &["list", "--what", "pruned"])).contains("pruned"));
    let verified = ledger(&home, &["verify"]);
    let whole = stdout(&verified);
    assert!(whole.contains("It begins behind entry 10"), "{whole}");
    let file = home.root.path().join("ledger.jsonl");
    let name = file.to_str().unwrap();
    assert_eq!(ledger(&home, &["export", name]).status.code(), Some(0));
    assert_eq!(stdout(&ledger(&home, &["verify", name])), whole);
    // Whoever cuts off more is found out.
    let export = fs::read_to_string(&file).unwrap();
    let without: String =
        export.lines().filter(|line| !line.contains("\"number\":11,")).map(|l| format!("{l}\n")).collect();
    fs::write(&file, without).unwrap();
    let broken = ledger(&home, &["verify", name]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(stdout(&broken).contains("entry 11"), "{}", stdout(&broken));
    // Without a person at a terminal nothing goes.
    complains(&ledger(&home, &["prune", "--older-than", "30d"]), "terminal");
}

/// A gateway removes the earliest entries of a ledger that is longer than `ledger.max_entries`, and none of today.
#[test]
fn a_gateway_removes_what_is_more_than_it_keeps() {
    let home = Home::new();
    grown_old(&home, 3);
    let limited = |most: u32| home.write("user/config.toml", &format!("[ledger]\nmax_entries = {most}\n"));
    let first = || lines(&ledger(&home, &["list", "--json"]))[0]["number"].as_u64();
    limited(1_000);
    decided(&home, &["ls"]);
    assert_eq!(first(), Some(1), "there is room");
    limited(5);
    // A gateway looks at its ledger once it has started, which may be later than it is stopped here.
    (0..5).find(|_| {
        decided(&home, &["pwd"]);
        first() != Some(1)
    });
    assert_eq!(first(), Some(11), "up to the checkpoint");
    let pruned = ledger(&home, &["list", "--what", "pruned", "--json"]);
    let body = lines(&pruned)[0]["body"].as_str().unwrap().to_owned();
    assert!(body.contains(r#""at-most":"5""#) && body.contains(r#""kind":"gate""#), "{body}");
    // What is of today stays, however much it is.
    limited(1);
    decided(&home, &["ls", "pwd"]);
    decided(&home, &["ls", "pwd"]);
    assert_eq!(first(), Some(11));
    assert!(stdout(&ledger(&home, &["verify"])).contains("It begins behind entry 10"));
}

/// Whoever replaces the key of a gate, or comes to its store with another one, does not serve it, and is told what to do.
#[test]
fn a_gate_with_another_key_does_not_serve() {
    let home = Home::new();
    decided(&home, &["ls"]);
    let key = home.root.path().join("state/gate.key");
    let own = fs::read(&key).unwrap();
    fs::write(&key, [42; 32]).unwrap();
    let serve = |more: &[&str]| home.signoff(&[&["serve", "--bind", "127.0.0.1:0"], more].concat()).output().unwrap();
    let before = lines(&ledger(&home, &["list", "--json"])).len();
    complains(&serve(&[]), "belongs to a gate with another key");
    complains(&serve(&[]), "--accept-new-key");
    let chinese = serve(&["--lang", "zh"]);
    assert!(String::from_utf8_lossy(&chinese.stderr).contains("另一把密钥"), "{chinese:?}");
    // On purpose means: by a person.
    complains(&serve(&["--accept-new-key"]), "terminal");
    assert_eq!(lines(&ledger(&home, &["list", "--json"])).len(), before, "nothing has changed");
    fs::write(&key, own).unwrap();
    decided(&home, &["pwd"]);
    assert!(stdout(&ledger(&home, &["verify"])).contains("Whole"));
}
