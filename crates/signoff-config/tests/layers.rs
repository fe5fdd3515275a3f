//! Layers on top of each other: what counts, where it comes from, and what is left out with a notice.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod house;

use house::House;
use signoff_config::{FaultKind, NoticeKind, Standing, Untrusted};
use signoff_model::{Trust, Verdict};
use signoff_policy::{Layer, Posture};

#[test]
fn without_files_the_defaults_hold() {
    let settings = House::new().load().unwrap();
    assert_eq!(settings.posture.value, Posture::Balanced);
    assert!(settings.require_confirmation.value);
    let policy = settings.policy();
    let tool = |name: &str| policy.tools.iter().find(|tool| tool.name == name).unwrap();
    assert!(tool("delete_file").always_confirm.is_some());
    let safe: Vec<_> = tool("shell_execute").safe_commands.iter().map(|listed| listed.pattern.to_string()).collect();
    assert_eq!(safe, ["git status", "git diff", "ls", "pwd"]);
    let trust = &settings.trust;
    let thousandths =
        [&trust.initial, &trust.increment, &trust.decrement, &trust.low_risk_auto_approve, &trust.paranoid_mode]
            .map(|value| value.value.thousandths());
    assert_eq!(thousandths, [500, 10, 50, 800, 200]);
    assert!(settings.notices.is_empty() && settings.files.is_empty());
}

#[test]
fn a_later_layer_says_more_and_every_value_knows_its_line() {
    let house = House::new();
    house.administrator("[policy]\nposture = \"strict\"\n");
    house.user("[policy]\nposture = \"permissive\"\n[trust]\ninitial = 0.4\n");
    let settings = house.load().unwrap();
    assert_eq!((settings.posture.value, settings.posture.origin.layer), (Posture::Permissive, Layer::User));
    assert_eq!(settings.posture.origin.place.as_ref().unwrap().1, 2);
    assert_eq!(settings.trust.initial.value, Trust::from_thousandths(400));
    assert_eq!(settings.trust.initial.origin.place.as_ref().unwrap().1, 4);
    let explained = settings.explain();
    let line = |key: &str| explained.iter().find(|line| line.key == key).unwrap();
    assert_eq!(line("policy.posture").value, "\"permissive\"");
    assert_eq!(line("trust.initial").value, "0.4");
    assert_eq!(line("trust.paranoid_mode").origin.to_string(), "default");
    assert!(line("trust.initial").origin.to_string().starts_with("user ("));
}

#[test]
fn what_is_locked_can_be_tightened_and_not_loosened() {
    let house = House::new();
    house.administrator("locked = [\"policy\", \"trust.initial\"]\n[policy]\nposture = \"balanced\"\n");
    house.user(
        "[policy]\nposture = \"permissive\"\nrequire_confirmation = false\n\
         [policy.tools.delete_file]\nalways_confirm = false\n\
         [policy.tools.shell_execute]\nsafe_commands = [\"ls\", \"git push *\"]\n\
         [[policy.rule]]\nid = \"a\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"x\"]\n\
         [[policy.rule]]\nid = \"b\"\nmessage = \"m\"\nverdict = \"ask\"\ncommands = [\"x\"]\nlifts = [\"c\"]\n\
         [trust]\ninitial = 0.9\nincrement = 0.5\n",
    );
    let settings = house.load().unwrap();
    assert_eq!(settings.posture.value, Posture::Balanced);
    assert!(settings.require_confirmation.value);
    let tool = |name: &str| settings.tools.iter().find(|tool| tool.name == name).unwrap();
    assert!(tool("delete_file").always_confirm.value);
    assert_eq!(tool("shell_execute").safe_commands.value.len(), 1);
    assert_eq!(settings.rules.len(), 1, "a rule that asks goes on asking");
    assert_eq!(settings.rules[0].lifts, [""; 0]);
    assert_eq!(settings.trust.initial.value, Trust::INITIAL);
    assert_eq!(settings.trust.increment.value.thousandths(), 500, "what is not locked may be loosened");
    assert_eq!(settings.notices.len(), 7, "{:#?}", settings.notices);
    assert!(settings.notices.iter().all(|notice| notice.kind == NoticeKind::Locked));

    house.user("[policy]\nposture = \"strict\"\n");
    let settings = house.load().unwrap();
    assert_eq!((settings.posture.value, settings.notices.len()), (Posture::Strict, 0));
}

/// Everything that a project file could loosen, and everything that it may tighten.
const LOOSENS: &str = "[policy]\nposture = \"permissive\"\nrequire_confirmation = false\n\
    [policy.tools.delete_file]\nalways_confirm = false\n\
    [policy.tools.shell_execute]\nsafe_commands = [\"git push *\"]\n\
    [[policy.rule]]\nid = \"a\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"x\"]\nlifts = [\"wipe-disk\"]\n\
    [approval]\ntimeout = \"1h\"\nrun_within = \"1h\"\napprovers = [\"mallory\"]\nburst = 1000\n\
    assurance.high = \"tap\"\nassurance.critical = \"tap\"\nescalation = { after = \"1s\", to = [\"mallory\"] }\n\
    [trust]\ninitial = 0.9\nincrement = 0.9\ndecrement = 0.001\nlow_risk_auto_approve = 0.1\nparanoid_mode = 0.1\n";
const TIGHTENS: &str = "[policy]\nposture = \"strict\"\n\
    [policy.tools.shell_execute]\nalways_confirm = true\nsafe_commands = [\"ls\"]\ndangerous_patterns = [\"kill\"]\n\
    [[policy.rule]]\nid = \"a\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"x\"]\n\
    [[policy.rule]]\nid = \"b\"\nmessage = \"m\"\nverdict = \"ask\"\npaths = [\"**/.env\"]\n\
    [approval]\ntimeout = \"30s\"\nrun_within = \"30s\"\nquorum = 2\nseparation = true\nburst = 5\nassurance.medium = \"passkey\"\n\
    [trust]\ninitial = 0.1\nincrement = 0.001\ndecrement = 0.9\nlow_risk_auto_approve = 0.9\nparanoid_mode = 0.3\n";

#[test]
fn a_project_may_tighten() {
    let house = House::new();
    house.project(TIGHTENS);
    let settings = house.load().unwrap();
    assert!(settings.notices.is_empty(), "{:#?}", settings.notices);
    assert_eq!(settings.posture.value, Posture::Strict);
    assert_eq!(settings.posture.origin.layer, Layer::Project);
    assert_eq!(settings.rules.len(), 2);
    assert_eq!(settings.trust.paranoid_mode.value.thousandths(), 300);
    assert_eq!(settings.approval.timeout.value.as_secs(), 30);
    let shell = settings.tools.iter().find(|tool| tool.name == "shell_execute").unwrap();
    assert!(shell.always_confirm.value);
    assert_eq!((shell.safe_commands.value.len(), shell.dangerous_patterns.len()), (1, 1));
}

#[test]
fn an_untrusted_project_loosens_nothing_and_is_told_so() {
    let house = House::new();
    let before = house.load().unwrap();
    house.project(LOOSENS);
    let settings = house.load().unwrap();
    assert_eq!(settings.posture, before.posture);
    assert_eq!(settings.require_confirmation, before.require_confirmation);
    assert_eq!(settings.trust, before.trust);
    assert_eq!(settings.approval, before.approval);
    assert_eq!(settings.rules, before.rules);
    let untrusted = |notice: &&signoff_config::Notice| notice.kind == NoticeKind::Untrusted;
    let keys: Vec<&str> = settings.notices.iter().filter(untrusted).map(|notice| notice.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "policy.posture",
            "policy.require_confirmation",
            "policy.tools.delete_file.always_confirm",
            "policy.tools.shell_execute.safe_commands",
            "approval.timeout",
            "approval.run_within",
            "approval.approvers",
            "approval.assurance.high",
            "approval.assurance.critical",
            "approval.escalation.after",
            "approval.escalation.to",
            "approval.burst",
            "trust.initial",
            "trust.increment",
            "trust.decrement",
            "trust.low_risk_auto_approve",
            "trust.paranoid_mode",
            "policy.rule.a",
        ]
    );
    for notice in &settings.notices {
        assert!(!notice.message.chinese.is_ascii(), "{notice}");
        assert!(!notice.hint.english.is_empty() && !notice.hint.chinese.is_empty(), "{notice}");
    }
}

#[test]
fn a_trusted_project_loosens_until_a_byte_changes() {
    let house = House::new();
    house.project(LOOSENS);
    let offered = signoff_config::offered(&house.project).unwrap().unwrap();
    assert_eq!(offered.text, LOOSENS);
    signoff_config::trust(&house.locations.trusted, &offered).unwrap();
    let settings = house.load().unwrap();
    assert_eq!(settings.posture.value, Posture::Permissive);
    assert_eq!(settings.files[0].standing, Standing::Trusted);
    let [rule] = settings.rules.as_slice() else { panic!("{settings:?}") };
    assert_eq!((rule.verdict, rule.lifts.len()), (Verdict::Allow, 0), "no project lifts a built-in rule");
    assert_eq!(settings.notices.iter().map(|notice| notice.kind).collect::<Vec<_>>(), [NoticeKind::LiftsOfProject]);

    house.project(&format!("{LOOSENS}\n"));
    assert_eq!(house.load().unwrap().posture.value, Posture::Balanced, "another byte is another file");

    house.project(LOOSENS);
    assert_eq!(house.load().unwrap().posture.value, Posture::Permissive);
    assert_eq!(signoff_config::untrust(&house.locations.trusted, &house.project).unwrap(), Untrusted::Removed);
    assert_eq!(signoff_config::untrust(&house.locations.trusted, &house.project).unwrap(), Untrusted::WasNot);
    assert_eq!(house.load().unwrap().posture.value, Posture::Balanced);
}

#[test]
fn what_was_trusted_is_what_was_shown() {
    let house = House::new();
    house.project("[policy]\nposture = \"strict\"\n");
    let offered = signoff_config::offered(&house.project).unwrap().unwrap();
    house.project(LOOSENS);
    signoff_config::trust(&house.locations.trusted, &offered).unwrap();
    assert_eq!(house.load().unwrap().files[0].standing, Standing::Untrusted);
}

#[test]
fn a_locked_key_binds_a_trusted_project_too() {
    let house = House::new();
    house.administrator("locked = [\"policy.posture\"]\n");
    house.project("[policy]\nposture = \"permissive\"\nrequire_confirmation = false\n");
    let offered = signoff_config::offered(&house.project).unwrap().unwrap();
    signoff_config::trust(&house.locations.trusted, &offered).unwrap();
    let settings = house.load().unwrap();
    assert_eq!((settings.posture.value, settings.require_confirmation.value), (Posture::Balanced, false));
}

#[test]
fn a_broken_file_is_an_error_and_hooks_go_on_strictly() {
    let house = House::new();
    house.administrator("[[policy.rule]]\nid = \"a\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"x\"]\n");
    house.user(
        "[policy]\nposture = \"permissive\"\nrequire_confirmation = false\n[policy.tools.delete_file]\nalways_confirm = false\n\
         [[policy.rule]]\nid = \"b\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"x\"]\n[trust]\nparanoid_mode = 0.0\n",
    );
    house.project("[policy\n");
    assert_eq!(house.load().unwrap_err().kind(), FaultKind::Syntax);
    let fallback = signoff_config::strict_fallback(&house.locations);
    assert_eq!(fallback.faults.len(), 1);
    let settings = fallback.settings;
    assert_eq!((settings.posture.value, settings.require_confirmation.value), (Posture::Strict, true));
    assert_eq!(settings.rules.iter().map(|rule| rule.id.as_str()).collect::<Vec<_>>(), ["a"]);
    assert!(settings.tools.iter().all(|tool| tool.safe_commands.value.is_empty()));
    assert!(settings.tools.iter().any(|tool| tool.name == "delete_file" && tool.always_confirm.value));
    assert_eq!(settings.trust.paranoid_mode.value, Trust::PARANOID);
}

#[test]
fn examples_are_checked_by_whoever_can_judge_and_remembered() {
    let house = House::new();
    house.user(
        "[[policy.rule]]\nid = \"a\"\nmessage = \"m\"\nverdict = \"ask\"\ncommands = [\"x *\"]\n\
         examples = { allow = [\"y\"], ask = [\"x 1\", \"x 2\"] }\n",
    );
    let settings = house.load().unwrap();
    let judge = |command: &str| if command.starts_with('x') { Verdict::Ask } else { Verdict::Allow };
    assert_eq!(signoff_config::check_examples(&settings, judge), []);
    let faults = signoff_config::check_examples(&settings, |_| Verdict::Allow);
    assert_eq!(faults.len(), 2);
    assert_eq!((faults[0].kind(), faults[0].position().unwrap().line), (FaultKind::ExampleFails, 6));
    assert!(
        faults[0].to_string().contains("rule `a` expects ask for `x 1`, and the verdict is allow"),
        "{}",
        faults[0]
    );

    let mut checked = signoff_config::Checked::default();
    let digest = signoff_config::Checked::digest(&settings, "1");
    assert!(!checked.covers(digest));
    checked.remember(digest);
    let stored = signoff_config::Checked::from_json(&checked.to_json());
    assert!(stored.covers(digest) && !stored.covers(signoff_config::Checked::digest(&settings, "2")));
    for broken in ["", "{", "{\"version\": 2, \"checked\": []}", "[]"] {
        assert_eq!(signoff_config::Checked::from_json(broken), signoff_config::Checked::default());
    }
    for number in 0..100_u8 {
        checked.remember(signoff_model::Digest::of(&[number]));
    }
    assert!(!checked.covers(digest), "the oldest are forgotten");
}

#[test]
fn lifts_of_rules_that_do_not_exist_are_told() {
    let house = House::new();
    house.user("[[policy.rule]]\nid = \"a\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"x\"]\nlifts = [\"b\", \"c\"]\n");
    let notices = house.load().unwrap().unknown_lifts(|id| id == "b");
    assert_eq!(notices.len(), 1);
    assert!(notices[0].message.english.contains("`c`"));
}
