//! How people are asked and how the ledger is kept: what every key does to the settings, and who may loosen it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod house;

use std::time::Duration;

use house::House;
use signoff_config::{
    ApprovalSettings, AssuranceSettings, EscalationSettings, LedgerSettings, MatchNumber, NoticeKind, QuietHours,
    Settings, Valued,
};
use signoff_model::{Assurance, PersonId};
use signoff_policy::{Layer, Origin};

/// A key, what holds before, and what would loosen or tighten that.
struct Case {
    key: &'static str,
    before: &'static str,
    looser: &'static [&'static str],
    tighter: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case { key: "approval.timeout", before: r#""10m""#, looser: &[r#""11m""#], tighter: &[r#""10m""#, r#""90s""#] },
    Case { key: "approval.run_within", before: r#""10m""#, looser: &[r#""11m""#], tighter: &[r#""10m""#, r#""90s""#] },
    Case {
        key: "approval.approvers",
        before: r#"["ann", "bob"]"#,
        looser: &["[]", r#"["ann"]"#, r#"["ann", "bob", "mallory"]"#],
        tighter: &[r#"["ann", "bob"]"#],
    },
    Case { key: "approval.quorum", before: "3", looser: &["1", "2"], tighter: &["3", "20"] },
    Case { key: "approval.separation", before: "true", looser: &["false"], tighter: &["true"] },
    Case { key: "approval.separation", before: "false", looser: &[], tighter: &["false", "true"] },
    Case {
        key: "approval.assurance.medium",
        before: r#""login""#,
        looser: &[r#""tap""#],
        tighter: &[r#""login""#, r#""passkey""#],
    },
    Case {
        key: "approval.assurance.high",
        before: r#""passkey""#,
        looser: &[r#""tap""#, r#""login""#],
        tighter: &[r#""passkey""#],
    },
    Case {
        key: "approval.assurance.critical",
        before: r#""login""#,
        looser: &[r#""tap""#],
        tighter: &[r#""login""#, r#""passkey""#],
    },
    Case {
        key: "approval.escalation.after",
        before: r#""2m""#,
        looser: &[r#""1m""#, r#""3m""#],
        tighter: &[r#""2m""#],
    },
    Case {
        key: "approval.escalation.to",
        before: r#"["carol"]"#,
        looser: &["[]", r#"["mallory"]"#],
        tighter: &[r#"["carol"]"#],
    },
    Case { key: "approval.burst", before: "30", looser: &["31", "1000"], tighter: &["30", "1"] },
    Case {
        key: "approval.quiet_hours",
        before: r#""22:00-07:00""#,
        looser: &[],
        tighter: &[r#""00:00-23:59""#, r#""12:00-13:00""#],
    },
    Case {
        key: "approval.match_number",
        before: r#""critical""#,
        looser: &[r#""never""#],
        tighter: &[r#""critical""#, r#""high""#],
    },
    Case { key: "approval.wake_for_critical", before: "true", looser: &[], tighter: &["true", "false"] },
    Case { key: "approval.remind_after", before: r#""2m""#, looser: &[], tighter: &[r#""1m""#, r#""3m""#] },
];

fn told(settings: &Settings, key: &str) -> Option<(String, Layer)> {
    let line = settings.explain().into_iter().find(|line| line.key == key)?;
    Some((line.value, line.origin.layer))
}

fn holds(value: &str, layer: Layer) -> Option<(String, Layer)> {
    Some((value.to_owned(), layer))
}

fn trust_project(house: &House) {
    let offered = signoff_config::offered(&house.project).unwrap().unwrap();
    signoff_config::trust(&house.locations.trusted, &offered).unwrap();
}

#[test]
fn a_project_tightens_and_loosens_only_where_it_is_trusted() {
    for Case { key, before, looser, tighter } in CASES {
        let house = House::new();
        house.user(&format!("{key} = {before}\n"));
        assert_eq!(told(&house.load().unwrap(), key), holds(before, Layer::User));
        for new in *tighter {
            house.project(&format!("{key} = {new}\n"));
            let settings = house.load().unwrap();
            assert_eq!(told(&settings, key), holds(new, Layer::Project));
            assert_eq!(settings.notices, [], "{key} = {new}");
        }
        for new in *looser {
            house.project(&format!("{key} = {new}\n"));
            let settings = house.load().unwrap();
            assert_eq!(told(&settings, key), holds(before, Layer::User), "{key} = {new}");
            let [notice] = settings.notices.as_slice() else { panic!("{key} = {new}: {:?}", settings.notices) };
            assert_eq!((notice.kind, notice.key.as_str()), (NoticeKind::Untrusted, *key));
            assert_eq!(notice.origin.place.as_ref().unwrap().1, 1);
            trust_project(&house);
            let settings = house.load().unwrap();
            assert_eq!(told(&settings, key), holds(new, Layer::Project));
            assert_eq!(settings.notices, [], "{key} = {new}");
        }
    }
}

#[test]
fn nobody_but_the_administrator_loosens_what_is_locked() {
    for Case { key, before, looser, tighter } in CASES {
        let house = House::new();
        house.administrator(&format!("locked = [\"{key}\"]\n{key} = {before}\n"));
        for new in *tighter {
            house.user(&format!("{key} = {new}\n"));
            let settings = house.load().unwrap();
            assert_eq!(told(&settings, key), holds(new, Layer::User));
            assert_eq!(settings.notices, [], "{key} = {new}");
        }
        for new in *looser {
            house.user(&format!("{key} = {new}\n"));
            let settings = house.load().unwrap();
            assert_eq!(told(&settings, key), holds(before, Layer::Administrator), "{key} = {new}");
            let [notice] = settings.notices.as_slice() else { panic!("{key} = {new}: {:?}", settings.notices) };
            assert_eq!((notice.kind, notice.key.as_str()), (NoticeKind::Locked, *key));
        }
    }
}

/// What nobody has set is the first thing that somebody else could set.
#[test]
fn an_untrusted_project_names_nobody_where_nobody_is_named() {
    let house = House::new();
    house.project("[approval]\napprovers = [\"mallory\"]\nescalation = { after = \"1s\", to = [\"mallory\"] }\n");
    let settings = house.load().unwrap();
    assert_eq!(settings.approval, ApprovalSettings::default());
    let keys: Vec<_> = settings.notices.iter().map(|notice| notice.key.as_str()).collect();
    assert_eq!(keys, ["approval.approvers", "approval.escalation.after", "approval.escalation.to"]);
}

fn persons(names: &[&str]) -> Vec<PersonId> {
    names.iter().map(|name| PersonId::new(*name).unwrap()).collect()
}

const EVERYTHING: &str = r#"[approval]
timeout = "1m"
run_within = "2m"
approvers = ["ann", "李 雷"]
quorum = 2
separation = true
burst = 5
quiet_hours = "22:00-07:00"
remind_after = "45s"
wake_for_critical = true
match_number = "high"

[approval.assurance]
medium = "login"
high = "passkey"
critical = "passkey"

[approval.escalation]
after = "30s"
to = ["carol"]

[ledger]
retention = "365d"
max_entries = 500000
checkpoint_every = 0x10
"#;

#[test]
fn every_value_has_its_type_and_its_line() {
    let house = House::new();
    house.user(EVERYTHING);
    let settings = house.load().unwrap();
    let path = std::sync::Arc::clone(&settings.files[0].path);
    let at = |line| Origin::in_file(Layer::User, std::sync::Arc::clone(&path), line);
    let seconds = Duration::from_secs;
    let approval = ApprovalSettings {
        timeout: Valued { value: seconds(60), origin: at(2) },
        run_within: Valued { value: seconds(120), origin: at(3) },
        approvers: Valued { value: persons(&["ann", "李 雷"]), origin: at(4) },
        quorum: Valued { value: 2, origin: at(5) },
        separation: Valued { value: true, origin: at(6) },
        burst: Valued { value: 5, origin: at(7) },
        quiet_hours: Valued { value: QuietHours::parse("22:00-07:00"), origin: at(8) },
        remind_after: Valued { value: Some(seconds(45)), origin: at(9) },
        wake_for_critical: Valued { value: true, origin: at(10) },
        match_number: Valued { value: MatchNumber::High, origin: at(11) },
        assurance: AssuranceSettings {
            medium: Valued { value: Assurance::Login, origin: at(14) },
            high: Valued { value: Assurance::Passkey, origin: at(15) },
            critical: Valued { value: Assurance::Passkey, origin: at(16) },
        },
        escalation: EscalationSettings {
            after: Valued { value: Some(seconds(30)), origin: at(19) },
            to: Valued { value: persons(&["carol"]), origin: at(20) },
        },
    };
    assert_eq!(settings.approval, approval);
    let ledger = LedgerSettings {
        retention: Valued { value: Some(seconds(365 * 24 * 3600)), origin: at(23) },
        max_entries: Valued { value: Some(500_000), origin: at(24) },
        checkpoint_every: Valued { value: 16, origin: at(25) },
    };
    assert_eq!(settings.ledger, ledger);
}

/// What is explained, as a file.
fn explained(settings: &Settings) -> String {
    let lines = settings.explain().into_iter();
    let lines = lines.filter(|line| line.key.starts_with("approval.") || line.key.starts_with("ledger."));
    lines.map(|line| format!("{} = {}\n", line.key, line.value)).collect()
}

#[test]
fn what_is_explained_can_be_written() {
    let house = House::new();
    assert_eq!(
        explained(&house.load().unwrap()),
        r#"approval.timeout = "5m"
approval.run_within = "5m"
approval.approvers = []
approval.quorum = 1
approval.separation = false
approval.assurance.medium = "tap"
approval.assurance.high = "login"
approval.assurance.critical = "login"
approval.escalation.to = []
approval.burst = 20
approval.match_number = "critical"
approval.wake_for_critical = false
ledger.checkpoint_every = 1000
"#
    );
    house.user(EVERYTHING);
    let told = explained(&house.load().unwrap());
    assert_eq!(
        told,
        r#"approval.timeout = "1m"
approval.run_within = "2m"
approval.approvers = ["ann", "李 雷"]
approval.quorum = 2
approval.separation = true
approval.assurance.medium = "login"
approval.assurance.high = "passkey"
approval.assurance.critical = "passkey"
approval.escalation.after = "30s"
approval.escalation.to = ["carol"]
approval.burst = 5
approval.quiet_hours = "22:00-07:00"
approval.match_number = "high"
approval.wake_for_critical = true
approval.remind_after = "45s"
ledger.retention = "365d"
ledger.max_entries = 500000
ledger.checkpoint_every = 16
"#
    );
    house.user(&told);
    assert_eq!(explained(&house.load().unwrap()), told);
}

#[test]
fn no_project_says_how_the_ledger_is_kept() {
    let house = House::new();
    house.user("[ledger]\nretention = \"365d\"\n");
    let before = house.load().unwrap().ledger;
    for text in [
        "[ledger]\nretention = \"1d\"\nmax_entries = 1\ncheckpoint_every = 1\n",
        "[ledger]\nretention = \"36500d\"\nmax_entries = 1000000\ncheckpoint_every = 9\n",
    ] {
        house.project(text);
        for trusted in [false, true] {
            if trusted {
                trust_project(&house);
            }
            let settings = house.load().unwrap();
            assert_eq!(settings.ledger, before);
            let notices: Vec<_> = settings.notices.iter().map(|notice| (notice.kind, notice.key.as_str())).collect();
            let kind = NoticeKind::SharedByProjects;
            let keys = ["ledger.retention", "ledger.max_entries", "ledger.checkpoint_every"];
            assert_eq!(notices, keys.map(|key| (kind, key)));
            for notice in &settings.notices {
                assert!(!notice.message.chinese.is_ascii() && !notice.hint.chinese.is_ascii(), "{notice}");
                assert!(notice.hint.english.contains("your own file"), "{notice}");
            }
        }
    }
}

#[test]
fn a_locked_ledger_is_kept_no_shorter() {
    let house = House::new();
    let check = |administrator: &str, user: &str, expected: &str| {
        house.administrator(&format!("locked = [\"ledger\"]\n{administrator}\n"));
        house.user(user);
        let settings = house.load().unwrap();
        let found = explained(&settings);
        assert!(found.ends_with(expected), "{found}");
    };
    let year = "ledger.retention = \"365d\"\n";
    check(year, "ledger.retention = \"30d\"", "ledger.retention = \"365d\"\nledger.checkpoint_every = 1000\n");
    check(year, "ledger.retention = \"400d\"", "ledger.retention = \"400d\"\nledger.checkpoint_every = 1000\n");
    check("", "ledger.retention = \"400d\"", "approval.wake_for_critical = false\nledger.checkpoint_every = 1000\n");
    let many = "ledger.max_entries = 1000\n";
    check(many, "ledger.max_entries = 999", "ledger.max_entries = 1000\nledger.checkpoint_every = 1000\n");
    check(many, "ledger.max_entries = 1001", "ledger.max_entries = 1001\nledger.checkpoint_every = 1000\n");
    check("", "ledger.max_entries = 1001", "approval.wake_for_critical = false\nledger.checkpoint_every = 1000\n");
    check("", "ledger.checkpoint_every = 1001", "ledger.checkpoint_every = 1000\n");
    check("", "ledger.checkpoint_every = 10", "ledger.checkpoint_every = 10\n");
}

#[test]
fn while_a_file_is_broken_nothing_that_loosens_counts() {
    let house = House::new();
    house.project("[policy\n");
    house.user(
        r#"[approval]
run_within = "1h"
burst = 1000
assurance = { medium = "tap", high = "tap", critical = "tap" }
escalation = { after = "1s", to = ["carol"] }
approvers = ["ann"]
quiet_hours = "22:00-07:00"
remind_after = "1m"
[ledger]
retention = "1d"
checkpoint_every = 1000000
"#,
    );
    let settings = signoff_config::strict_fallback(&house.locations).settings;
    let (found, usual) = (&settings.approval, ApprovalSettings::default());
    assert_eq!((&found.run_within, &found.burst), (&usual.run_within, &usual.burst));
    assert_eq!((found.assurance.high.value, found.assurance.critical.value), (Assurance::Login, Assurance::Login));
    assert_eq!(found.escalation, usual.escalation);
    assert_eq!(found.approvers.value, persons(&["ann"]), "whoever else would say yes is not stricter");
    assert_eq!(found.quiet_hours.value, QuietHours::parse("22:00-07:00"));
    assert_eq!(found.remind_after.value, Some(Duration::from_secs(60)));
    assert_eq!(settings.ledger, LedgerSettings::default());

    house.user(EVERYTHING);
    let strict = signoff_config::strict_fallback(&house.locations).settings;
    house.project("");
    let loaded = house.load().unwrap();
    let expected = ApprovalSettings { escalation: EscalationSettings::default(), ..loaded.approval };
    assert_eq!(strict.approval, expected, "what tightens still counts");
    assert_eq!((strict.ledger.retention.value, strict.ledger.checkpoint_every.value), (None, 16));
}
