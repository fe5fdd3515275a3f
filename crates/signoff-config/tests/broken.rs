//! Files that are wrong, and files that are meant to do harm: one clear fault with its place and a remedy, and never a hang.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod house;
#[path = "../../signoff-exec/tests/unprivileged/mod.rs"]
mod unprivileged;

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, sync::mpsc, thread, time::Duration};

use house::{House, write};
use nix::{sys::stat::Mode, unistd};
use signoff_config::{FaultKind, NoticeKind, read_text};
use unprivileged::{As, without_rights};

#[track_caller]
fn check(text: &str, kind: FaultKind, told: &str, hint: &str) {
    let fault = read_text(text, Path::new("c.toml")).unwrap_err();
    assert_eq!(fault.kind(), kind, "{fault}");
    assert!(fault.to_string().starts_with(told), "{fault}");
    assert!(fault.hint().english.contains(hint), "{:?}", fault.hint());
    assert!(!fault.message().chinese.is_ascii(), "{fault}");
    assert!(!fault.hint().chinese.is_ascii(), "{fault}");
}

#[test]
fn a_fault_names_line_column_key_and_remedy() {
    use FaultKind::{BadValue, Duplicate, Misplaced, MissingKey, Syntax, UnknownKey, WrongType};
    let rule = "[[policy.rule]]\nid = \"a\"\nmessage = \"m\"\n";
    for (text, kind, told, hint) in [
        (
            "[policy]\npostrue = \"strict\"",
            UnknownKey,
            "c.toml:2:1: unknown key `policy.postrue`",
            "did you mean `policy.posture`?",
        ),
        ("[trust]\nlow_rust_auto_approve = 1", UnknownKey, "c.toml:2:1: unknown key", "`trust.low_risk_auto_approve`"),
        ("posture = \"strict\"", UnknownKey, "c.toml:1:1: unknown key `posture`", "did you mean `policy.posture`?"),
        ("[aproval]\n", UnknownKey, "c.toml:1:2: unknown key `aproval`", "did you mean `approval`?"),
        ("[approval]\ntimout = \"5m\"", UnknownKey, "c.toml:2:1: unknown key", "did you mean `approval.timeout`?"),
        ("[approval]\nbanana = \"5m\"", UnknownKey, "c.toml:2:1: unknown key", "known here: `timeout`, `run_within`"),
        ("[approval]\nrun_withn = \"5m\"", UnknownKey, "c.toml:2:1", "did you mean `approval.run_within`?"),
        ("[approval]\nseperation = true", UnknownKey, "c.toml:2:1", "did you mean `approval.separation`?"),
        ("approval.asurance.high = \"tap\"", UnknownKey, "c.toml:1:10", "did you mean `approval.assurance`?"),
        (
            "approval.assurance.critcal = \"tap\"",
            UnknownKey,
            "c.toml:1:20: unknown key `approval.assurance.critcal`",
            "did you mean `approval.assurance.critical`?",
        ),
        ("approval.escalation.aftr = \"5m\"", UnknownKey, "c.toml:1:21", "did you mean `approval.escalation.after`?"),
        ("[ledgr]", UnknownKey, "c.toml:1:2: unknown key `ledgr`", "did you mean `ledger`?"),
        ("[ledger]\nretension = \"1d\"", UnknownKey, "c.toml:2:1", "did you mean `ledger.retention`?"),
        ("[approval]\nrun_within = \"25h\"", BadValue, "c.toml:2:14: `approval.run_within` cannot be", "`\"24h\"`"),
        (
            "[approval]\nremind_after = 5",
            WrongType,
            "c.toml:2:16: `approval.remind_after` must be a length",
            "`\"5m\"`",
        ),
        ("[approval.escalation]\nafter = \"soon\"", BadValue, "c.toml:2:9: `approval.escalation.after`", "`\"1s\"`"),
        ("[approval]\nescalation = \"5m\"", WrongType, "c.toml:2:14: `approval.escalation` must be a table", "a table"),
        ("[approval]\nassurance = \"tap\"", WrongType, "c.toml:2:13: `approval.assurance` must be a table", "a table"),
        ("approval.assurance.high = \"pass\"", BadValue, "c.toml:1:27", "write one of `tap`, `login`, `passkey`"),
        ("approval.assurance.high = \"logon\"", BadValue, "c.toml:1:27", "did you mean `login`?"),
        ("[approval]\nquorum = 0", BadValue, "c.toml:2:10: `approval.quorum` cannot be `0`", "from 1 to 20"),
        ("[approval]\nquorum = 21", BadValue, "c.toml:2:10: `approval.quorum` cannot be `21`", "from 1 to 20"),
        ("[approval]\nquorum = -1", BadValue, "c.toml:2:10: `approval.quorum` cannot be `-1`", "from 1 to 20"),
        (
            "[approval]\nquorum = 1.5",
            WrongType,
            "c.toml:2:10: `approval.quorum` must be a whole number",
            "whole number",
        ),
        ("[approval]\nquorum = \"2\"", WrongType, "c.toml:2:10", "a whole number"),
        ("[approval]\nburst = 1001", BadValue, "c.toml:2:9: `approval.burst` cannot be `1001`", "from 1 to 1000"),
        ("[approval]\nburst = 99999999999999999999", BadValue, "c.toml:2:9", "from 1 to 1000"),
        ("[approval]\nseparation = \"yes\"", WrongType, "c.toml:2:14", "write `true` or `false`"),
        ("[approval]\napprovers = \"ann\"", WrongType, "c.toml:2:13: `approval.approvers` must be a list", "a list"),
        ("[approval]\napprovers = [1]", WrongType, "c.toml:2:14", "a text"),
        (
            "[approval]\napprovers = [\"\"]",
            BadValue,
            "c.toml:2:14: `approval.approvers` is empty",
            "between the quotes",
        ),
        (
            "[approval]\napprovers = [\n  \"ann\",\n  \" bob\",\n]",
            BadValue,
            "c.toml:4:3: ` bob` in `approval.approvers` has control or invisible characters",
            "write the name anew",
        ),
        ("approval.escalation.to = [\"a\\u200bnn\"]", BadValue, "c.toml:1:27", "write the name anew"),
        (
            &format!("[approval]\napprovers = [\"{}\"]", "x".repeat(201)),
            BadValue,
            "c.toml:2:14: a name in `approval.approvers` is too long",
            "at most 200 bytes",
        ),
        (
            "[approval]\napprovers = [\"ann\", \"ann\"]",
            Duplicate,
            "c.toml:2:21: `approval.approvers` names `ann` twice",
            "remove one",
        ),
        (
            "[approval]\nquiet_hours = \"22-7\"",
            BadValue,
            "c.toml:2:15: `approval.quiet_hours` cannot be `22-7`",
            "such as `\"22:00-07:00\"`",
        ),
        ("[approval]\nquiet_hours = \"08:00-08:00\"", BadValue, "c.toml:2:15", "two different times"),
        ("[approval]\nquiet_hours = 22", WrongType, "c.toml:2:15: `approval.quiet_hours` must be hours", "22:00-07:00"),
        ("[ledger]\nretention = \"1h\"", BadValue, "c.toml:2:13: `ledger.retention` cannot be `1h`", "`\"365d\"`"),
        ("[ledger]\nretention = 365", WrongType, "c.toml:2:13: `ledger.retention` must be a length", "`\"365d\"`"),
        ("[ledger]\ncheckpoint_every = 0", BadValue, "c.toml:2:20", "from 1 to 1000000"),
        ("[approval]\ntimeout = 3", WrongType, "c.toml:2:11: `approval.timeout` must be a length of time", "`\"5m\"`"),
        ("[approval]\ntimeout = \"0s\"", BadValue, "c.toml:2:11: `approval.timeout` cannot be `0s`", "`\"1s\"`"),
        ("[approval]\ntimeout = \"never\"", BadValue, "c.toml:2:11", "whole number"),
        ("[approval]\ntimeout = true", WrongType, "c.toml:2:11", ""),
        ("[plan]\n", UnknownKey, "c.toml:1:2: unknown key `plan`", ""),
        ("[channel]\n", UnknownKey, "c.toml:1:2: unknown key `channel`", ""),
        ("policy.tools.x.always_confrim = true", UnknownKey, "c.toml:1:16: unknown key", "always_confirm"),
        (
            "[policy]\nposture = \"strct\"",
            BadValue,
            "c.toml:2:11: `policy.posture` cannot be `strct`",
            "did you mean `strict`?",
        ),
        ("[policy]\nposture = \"x\"", BadValue, "c.toml:2:11", "write one of `strict`, `balanced`, `permissive`"),
        ("[policy]\nposture = 3", WrongType, "c.toml:2:11: `policy.posture` must be a text", "write a text"),
        ("policy = 3", WrongType, "c.toml:1:10: `policy` must be a table", "write a table"),
        ("[policy]\nrequire_confirmation = \"no\"", WrongType, "c.toml:2:24", "write `true` or `false`"),
        (
            "[trust]\ninitial = 0.0001",
            BadValue,
            "c.toml:2:11: `trust.initial` cannot be `0.0001`",
            "at most three decimals",
        ),
        ("[trust]\ninitial = 1.5", BadValue, "c.toml:2:11", "from 0 to 1"),
        ("[trust]\ninitial = -0.5", BadValue, "c.toml:2:11", "from 0 to 1"),
        ("[trust]\ninitial = nan", BadValue, "c.toml:2:11", "from 0 to 1"),
        ("[trust]\ninitial = 5e-1", BadValue, "c.toml:2:11", "from 0 to 1"),
        ("[trust]\ninitial = 0x1", WrongType, "c.toml:2:11", "decimal number"),
        ("[policy", Syntax, "c.toml:1:8: this is not TOML", "correct the line"),
        ("a = 1\na = 2", Syntax, "c.toml:2:1: this is not TOML: duplicate key", ""),
        ("[policy]\n[policy]", Syntax, "c.toml:2:", ""),
        ("locked = []", Misplaced, "c.toml:1:1: `locked` counts only", "administrator"),
        ("[policy.tools]\nx = 1", WrongType, "c.toml:2:5: `policy.tools.x` must be a table", ""),
        ("[policy.tools.x]\nsafe_commands = [\"\"]", BadValue, "c.toml:2:18", ""),
        ("[policy.tools.x]\nsafe_commands = [\"*\"]", BadValue, "c.toml:2:17: `*` permits programs", "one program"),
        ("[policy.tools.x]\nsafe_commands = [\"a 'b\"]", BadValue, "c.toml:2:18: a quote", "close the quote"),
        ("[policy.tools.x]\nsafe_commands = \"ls\"", WrongType, "c.toml:2:17", "write a list"),
        ("[[policy.rule]]\nid = \"a\"", MissingKey, "c.toml:1:1: a rule has no `verdict`", "add `verdict = …`"),
        ("[[policy.rule]]\n\nid = \"A b\"", BadValue, "c.toml:3:6: `A b` is not a name", "small letters"),
        (&format!("{rule}verdict = \"ask\""), MissingKey, "c.toml:1:1: rule `a` does not say", "`commands`, `paths`"),
        (&format!("{rule}verdict = \"allow\"\ncommands = [\"* x\"]"), BadValue, "c.toml:5:12", "one program"),
        (&format!("{rule}verdict = \"ask\"\neffects = [\"delte\"]"), BadValue, "c.toml:5:12", "did you mean `delete`?"),
        (
            &format!("{rule}verdict = \"block\"\ncommands = [\"x\"]\nlifts = [\"b\"]"),
            Misplaced,
            "c.toml:6:9",
            "remove `lifts`",
        ),
        (
            &format!("{rule}verdict = \"allow\"\ncommands = [\"x\"]\nimported_from = \"claude\"\nlifts = [\"b\"]"),
            Misplaced,
            "c.toml:7:9",
            "remove `lifts`",
        ),
        (
            &format!("{rule}verdict = \"ask\"\ncommands = [\"x\"]\n{rule}verdict = \"ask\"\ncommands = [\"x\"]"),
            Duplicate,
            "c.toml:7:6: two rules are called `a`",
            "another name",
        ),
        (
            &format!("{rule}verdict = \"ask\"\ncommands = [\"x\"]\nexamples = {{ alow = [] }}"),
            UnknownKey,
            "c.toml:6:14",
            "allow",
        ),
    ] {
        check(text, kind, told, hint);
    }
}

#[test]
fn marks_and_line_ends_of_other_editors_are_fine() {
    let settings = read_text("\u{feff}[policy]\r\nposture = \"strict\"\r\n", Path::new("c.toml")).unwrap();
    assert_eq!(settings.posture.origin.place.as_ref().unwrap().1, 2);
    let fault = read_text("\u{feff}postrue = 1\r\n", Path::new("c.toml")).unwrap_err();
    assert!(fault.to_string().starts_with("c.toml:1:1: "), "{fault}");
    let fault = read_text("# 配置\n[policy] # 策略\n\"é\" = 1\n", Path::new("c.toml")).unwrap_err();
    assert!(fault.to_string().starts_with("c.toml:3:1: unknown key `policy.é`"), "{fault}");
}

/// Runs something that must not take long.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || send.send(work()));
    receive.recv_timeout(Duration::from_secs(20)).unwrap()
}

#[test]
fn hostile_texts_are_faults_and_take_no_time() {
    let many_rules: String = (0..3000)
        .map(|number| format!("[[policy.rule]]\nid=\"a{number}\"\nmessage=\"m\"\nverdict=\"ask\"\ncommands=[\"x\"]\n"))
        .collect();
    for text in [
        "[".repeat(200_000),
        format!("x = {}", "[".repeat(200_000)),
        format!("x = {}", "{a=".repeat(50_000)),
        format!("{}x = 1", "a.".repeat(50_000)),
        format!("[policy]\n{}", "\u{0}".repeat(1000)),
        format!("[policy.tools.x]\nsafe_commands = [{}]", "\"ls\",".repeat(30_000)),
        format!("[policy.tools.x]\nsafe_commands = [\"{}\"]", "* ".repeat(100_000)),
        format!("{} = 1", "x".repeat(200_000)),
        many_rules,
        "a = 1\n".repeat(30_000),
        "\"\"\"".to_owned(),
        "'''".repeat(10_000),
    ] {
        let shown: String = text.chars().take(40).collect();
        let result = in_time(move || read_text(&text, Path::new("c.toml")));
        assert!(result.is_err(), "{shown}");
    }
}

#[test]
fn what_is_no_ordinary_file_of_reasonable_size_is_a_fault() {
    type Make = fn(&Path);
    let cases: [(&str, Make, FaultKind); 6] = [
        ("too large", |path| write(path, "# ".repeat(1 << 19)), FaultKind::TooLarge),
        ("invalid UTF-8", |path| write(path, b"# \xff\xfe"), FaultKind::NotText),
        ("directory", |path| fs::create_dir_all(path).unwrap(), FaultKind::NotRegular),
        (
            "pipe",
            |path| {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                unistd::mkfifo(path, Mode::S_IRWXU).unwrap();
            },
            FaultKind::NotRegular,
        ),
        (
            "link to a device",
            |path| {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink("/dev/zero", path).unwrap();
            },
            FaultKind::NotRegular,
        ),
        (
            "link to itself",
            |path| {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(path, path).unwrap();
            },
            FaultKind::Unreadable,
        ),
    ];
    for (name, make, kind) in cases {
        for of_project in [false, true] {
            let house = House::new();
            let path = if of_project { house.project_file() } else { house.locations.user.clone() };
            make(&path);
            let expected = if of_project && name.starts_with("link") { FaultKind::Symlink } else { kind };
            let locations = house.locations.clone();
            let fault = in_time(move || signoff_config::load(&locations)).unwrap_err();
            assert_eq!((fault.kind(), fault.file()), (expected, path.as_path()), "{name}");
            assert!(!fault.hint().english.is_empty(), "{name}");
            let fallback = signoff_config::strict_fallback(&house.locations);
            assert_eq!(fallback.faults, [fault], "{name}");
        }
    }
}

#[test]
fn an_unreadable_file_is_a_fault() {
    if without_rights("an_unreadable_file_is_a_fault") == As::Root {
        return;
    }
    let house = House::new();
    house.user("[policy]\nposture = \"strict\"\n");
    for (path, mode) in [(house.locations.user.as_path(), 0o000), (house.locations.user.parent().unwrap(), 0o000)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let fault = house.load().unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Unreadable);
        assert!(fault.to_string().contains("home/config.toml: cannot read the file"), "{fault}");
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }
}

/// Whoever has settings must not come to have none by a slip of somebody else.
#[test]
fn a_link_that_leads_nowhere_is_a_fault() {
    let house = House::new();
    fs::create_dir_all(house.locations.user.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("dotfiles/gone.toml", &house.locations.user).unwrap();
    let fault = house.load().unwrap_err();
    assert_eq!((fault.kind(), fault.file()), (FaultKind::Unreadable, house.locations.user.as_path()));
    assert!(fault.hint().english.contains("remove the link") && !fault.hint().chinese.is_ascii());
}

#[test]
fn what_everybody_can_write_is_nobodys_settings() {
    for administrators in [true, false] {
        let house = House::new();
        let path = if administrators { &house.locations.administrator } else { &house.locations.user };
        write(path, "[policy]\nposture = \"permissive\"\n");
        assert!(house.load().is_ok());
        fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
        let fault = house.load().unwrap_err();
        assert_eq!((fault.kind(), fault.file()), (FaultKind::Exposed, path.as_path()));
        assert!(fault.hint().english.contains("chmod o-w") && !fault.hint().chinese.is_ascii());
        fs::set_permissions(path, fs::Permissions::from_mode(0o664)).unwrap();
        assert!(house.load().is_ok(), "many have a group of their own");
    }
}

#[test]
fn a_byte_that_is_no_text_is_found_in_its_line() {
    let house = House::new();
    write(&house.locations.user, b"[policy]\n# \xe4\xbd\xa0 \xff\n");
    let fault = house.load().unwrap_err();
    assert!(fault.to_string().contains("config.toml:2:5: this is not UTF-8"), "{fault}");
}

#[test]
fn a_link_does_not_lend_the_trust_of_another_project() {
    let house = House::new();
    house.project("[policy]\nposture = \"permissive\"\n");
    let offered = signoff_config::offered(&house.project).unwrap().unwrap();
    signoff_config::trust(&house.locations.trusted, &offered).unwrap();
    let other = house.root.path().join("other");
    for (link, target) in [(".signoff", house.project.join(".signoff")), (".signoff/config.toml", house.project_file())]
    {
        let _ = fs::remove_dir_all(&other);
        fs::create_dir_all(other.join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, other.join(link)).unwrap();
        let locations = signoff_config::Locations { project: Some(other.clone()), ..house.locations.clone() };
        assert_eq!(signoff_config::load(&locations).unwrap_err().kind(), FaultKind::Symlink, "{link}");
    }
    // The user's own file may be a link, as those who keep their files under version control have it.
    write(&house.root.path().join("dotfiles.toml"), "[policy]\nposture = \"strict\"\n");
    fs::create_dir_all(house.locations.user.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(house.root.path().join("dotfiles.toml"), &house.locations.user).unwrap();
    let locations = signoff_config::Locations { project: None, ..house.locations };
    assert_eq!(signoff_config::load(&locations).unwrap().posture.value, signoff_policy::Posture::Strict);
}

#[test]
fn a_record_of_trust_is_private_whole_or_worth_nothing() {
    let house = House::new();
    house.project("[policy]\nposture = \"permissive\"\n");
    let store = &house.locations.trusted;
    let offered = signoff_config::offered(&house.project).unwrap().unwrap();
    signoff_config::trust(store, &offered).unwrap();
    assert_eq!(fs::metadata(store).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(store.parent().unwrap()).unwrap().permissions().mode() & 0o077, 0);
    let good = fs::read_to_string(store).unwrap();

    let is_untrusted = || {
        let settings = house.load().unwrap();
        let told = settings.notices.iter().any(|notice| notice.kind == NoticeKind::TrustUnknown);
        told && settings.posture.value == signoff_policy::Posture::Balanced
    };
    for broken in ["", "{", "[]", &good.replace("\"version\":1", "\"version\":2"), good.get(..good.len() / 2).unwrap()]
    {
        write(store, broken);
        assert!(is_untrusted(), "{broken}");
        assert_eq!(signoff_config::trust(store, &offered).unwrap_err().kind(), FaultKind::TrustStore, "{broken}");
    }
    write(store, &good);
    assert!(!is_untrusted());
    fs::set_permissions(store, fs::Permissions::from_mode(0o622)).unwrap();
    assert!(is_untrusted(), "others can write it");
    fs::remove_file(store).unwrap();
    unistd::mkfifo(store, Mode::S_IRWXU).unwrap();
    assert!(is_untrusted(), "a pipe");

    fs::remove_file(store).unwrap();
    write(&store.with_file_name("trusted.json.new"), "left by a writer that died");
    signoff_config::trust(store, &offered).unwrap();
    assert!(!is_untrusted());
}
