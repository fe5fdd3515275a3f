//! What configuration does to verdicts, through the program.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use program::{Home, complains, stdout};
use serde_json::Value;

const USER: &str = "user/config.toml";
const PROJECT: &str = "work/project/.signoff/config.toml";
const ADMINISTRATOR: &str = "etc/config.toml";

fn verdict(home: &Home, command: &str) -> String {
    judged(home, &["check", "--json", command])["verdict"].as_str().unwrap().to_owned()
}

fn judged(home: &Home, arguments: &[&str]) -> Value {
    let output = home.output(arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Every key that disables or enables something, with a command whose verdict it changes.
#[test]
fn every_key_does_what_it_says() {
    for (file, text, operation, before, after) in [
        (USER, "[policy]\nposture = \"strict\"", &["git add ."][..], "allow", "ask"),
        (USER, "[policy]\nposture = \"permissive\"", &["rm src/a.rs"], "ask", "allow"),
        (USER, "[policy]\nrequire_confirmation = false", &["git push -f origin main"], "ask", "allow"),
        (USER, "[policy]\nrequire_confirmation = false", &["rm -rf ~"], "block", "block"),
        (
            USER,
            "[policy.tools.read_file]\nalways_confirm = true",
            &["--kind", "file", "read README.md"],
            "allow",
            "ask",
        ),
        (
            USER,
            "[policy.tools.delete_file]\nalways_confirm = true",
            &["--kind", "file", "delete /tmp/x"],
            "allow",
            "ask",
        ),
        (USER, "[policy.tools.shell_execute]\nsafe_commands = [\"git push\"]", &["git push"], "ask", "allow"),
        (
            USER,
            "[policy.tools.shell_execute]\ndangerous_patterns = [\"terraform apply\"]",
            &["terraform plan && terraform apply"],
            "ask",
            "ask",
        ),
        (
            USER,
            "[policy.tools.shell_execute]\ndangerous_patterns = [\"cargo bench\"]",
            &["cargo bench"],
            "allow",
            "ask",
        ),
        (USER, "[trust]\ninitial = 0.9\n[policy]\nposture = \"strict\"", &["git add ."], "allow", "allow"),
        (USER, "[trust]\ninitial = 0.1", &["ls"], "allow", "ask"),
        (USER, "[trust]\nparanoid_mode = 0.6", &["ls"], "allow", "ask"),
        (
            USER,
            "[trust]\nlow_risk_auto_approve = 0.4\n[policy]\nposture = \"strict\"",
            &["git add ."],
            "allow",
            "allow",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"cargo *\"]",
            &["cargo build"],
            "allow",
            "block",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"npm publish\"]",
            &["npm publish"],
            "ask",
            "allow",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"ask\"\npaths = [\"infra/**\"]",
            &["touch infra/a"],
            "allow",
            "ask",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"ask\"\neffects = [\"create\"]",
            &["touch notes"],
            "allow",
            "ask",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"block\"\ntools = [\"fetch\"]",
            &["--kind", "tool", "fetch", "{\"url\": \"https://example.com\"}"],
            "allow",
            "block",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"ask\"\neffects = [\"network-read\"]",
            &["curl https://example.com/x"],
            "allow",
            "ask",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"git fetch *\"]",
            &["git -C src --no-pager fetch"],
            "allow",
            "block",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"git push *\"]",
            &["git -C src push origin main"],
            "ask",
            "ask",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"mkfs.ext4 /dev/sdz9\"]",
            &["mkfs.ext4 /dev/sdz9"],
            "block",
            "block",
        ),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"mkfs.ext4 /dev/sdz9\"]\nlifts = [\"format-disk\"]",
            &["mkfs.ext4 /dev/sdz9"],
            "block",
            "allow",
        ),
        (
            PROJECT,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"allow\"\ncommands = [\"mkfs.ext4 /dev/sdz9\"]\nlifts = [\"format-disk\"]",
            &["mkfs.ext4 /dev/sdz9"],
            "block",
            "block",
        ),
        (ADMINISTRATOR, "[policy]\nposture = \"strict\"", &["git add ."], "allow", "ask"),
        (PROJECT, "[policy]\nposture = \"strict\"", &["git add ."], "allow", "ask"),
        (PROJECT, "[policy]\nrequire_confirmation = false", &["git push -f origin main"], "ask", "ask"),
    ] {
        let home = Home::new();
        let arguments = [&["check", "--json"], operation].concat();
        assert_eq!(judged(&home, &arguments)["verdict"], before, "before: {operation:?}");
        home.write(file, text);
        let judged = judged(&home, &arguments);
        assert_eq!(judged["verdict"], after, "{text}\n{operation:?}: {judged}");
    }
}

/// What the administrator locks can be tightened and not loosened.
#[test]
fn a_lock_holds_against_the_user() {
    let home = Home::new();
    home.write(
        USER,
        "[policy]\nposture = \"permissive\"\nrequire_confirmation = false\n[approval]\ntimeout = \"1h\"\n",
    );
    assert_eq!(verdict(&home, "rm src/a.rs"), "allow");
    home.write(ADMINISTRATOR, "locked = [\"policy\", \"approval.timeout\"]\n");
    assert_eq!(verdict(&home, "rm src/a.rs"), "ask");
    let shown = home.output(&["config"]);
    assert!(stdout(&shown).contains("approval.timeout = \"5m\""), "{}", stdout(&shown));
    assert!(String::from_utf8_lossy(&shown.stderr).contains("locked by"));
}

/// Of several rules with the same verdict the one of the highest priority is told first.
#[test]
fn a_priority_says_who_is_told_first() {
    for (first, second) in [("P0", "P2"), ("P2", "P0")] {
        let home = Home::new();
        let rule = |id: &str, priority: &str| {
            format!(
                "[[policy.rule]]\nid = \"{id}\"\nmessage = \"of {priority}\"\npriority = \"{priority}\"\n\
                 verdict = \"block\"\ncommands = [\"make *\"]\n"
            )
        };
        home.write(USER, &format!("{}{}", rule("a", first), rule("b", second)));
        assert_eq!(judged(&home, &["check", "--json", "make all"])["decision"]["reason"], "of P0");
    }
}

#[test]
fn tools_that_delete_files_always_ask_unless_somebody_says_otherwise() {
    let home = Home::new();
    let call = ["check", "--json", "--kind", "tool", "delete_file", "{\"path\": \"/tmp/x\"}"];
    let speaks = || {
        let judged = judged(&home, &call);
        let reasons = judged["reasons"].as_array().unwrap();
        reasons.iter().any(|reason| reason["rule"] == "policy.tools.delete_file.always_confirm")
    };
    assert!(speaks());
    home.write(USER, "[policy.tools.delete_file]\nalways_confirm = false");
    assert!(!speaks());
}

#[test]
fn a_rule_stands_on_the_card_with_its_line() {
    let home = Home::new();
    home.write(
        USER,
        "[[policy.rule]]\nid = \"no-push\"\nmessage = \"main is pushed by CI\"\nmessage_zh = \"main 由 CI 推送\"\n\
         verdict = \"block\"\ncommands = [\"git push * main\"]\n\n\
         [[policy.rule]]\nid = \"publish-me\"\nmessage = \"we publish by hand\"\nverdict = \"allow\"\ncommands = [\"npm publish\"]\n",
    );
    let output = home.output(&["check", "git push origin main"]);
    assert_eq!(output.status.code(), Some(20));
    let card = stdout(&output);
    assert!(card.contains("no-push: main is pushed by CI"), "{card}");
    assert!(card.contains("user/config.toml:1)"), "{card}");
    assert!(stdout(&home.output(&["check", "--lang", "zh", "git push origin main"])).contains("main 由 CI 推送"));
    let permitted = home.output(&["check", "npm publish"]);
    assert_eq!(permitted.status.code(), Some(0));
    assert!(stdout(&permitted).contains("permitted"), "{}", stdout(&permitted));
    let json = judged(&home, &["check", "--json", "npm publish"]);
    assert_eq!(json["permitted"][0]["rule"], "publish-me", "{json}");
    assert_eq!(json["permitted"][0]["lifts"][0], "publish-package", "{json}");
    let json = judged(&home, &["check", "--json", "git push origin main"]);
    assert_eq!(json["decision"]["reason"], "main is pushed by CI", "{json}");
    assert_eq!(json["reasons"][0]["rule"], "no-push", "{json}");
    // A question that only one part of is permitted is about the rest.
    let rest = judged(&home, &["check", "--json", "npm publish; git push -f origin dev"]);
    assert_eq!(rest["verdict"], "ask");
    assert!(rest["decision"]["reason"].as_str().unwrap().contains("dev"), "{rest}");
}

#[test]
fn what_is_broken_is_no_policy() {
    for (file, text, message) in [
        (USER, "[policy]\npostur = \"strict\"", "user/config.toml:2:1: "),
        (USER, "[policy]\nposture = \"lax\"", "user/config.toml:2:"),
        (ADMINISTRATOR, "[policy", "etc/config.toml:1:"),
        (PROJECT, "policy = 1", "config.toml:1:"),
        (
            USER,
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"make *\"]\nexamples = { block = [\"ls\"] }",
            "user/config.toml:6:1: rule `x` expects block for `ls`",
        ),
    ] {
        let home = Home::new();
        home.write(file, text);
        for arguments in [&["check", "ls"][..], &["check", "--json", "ls"], &["exec", "--", "touch made"], &["config"]]
        {
            let output = home.output(arguments);
            complains(&output, message);
            assert!(String::from_utf8_lossy(&output.stderr).contains(" hint: "), "{text}");
            let output = home.output(&[&arguments[..1], &["--lang", "zh"], &arguments[1..]].concat());
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{stderr}");
            assert!(stderr.starts_with("错误：") && stderr.contains("config.toml:"), "{stderr}");
            assert!(stderr.contains("\n提示："), "{stderr}");
        }
        assert!(!home.project().join("made").exists(), "broken policy is not no policy");
    }
}

#[test]
fn what_a_project_may_not_say_is_told_and_does_not_count() {
    let home = Home::new();
    home.write(PROJECT, "[policy]\nposture = \"permissive\"\n");
    let output = home.output(&["check", "rm src/a.rs"]);
    assert_eq!(output.status.code(), Some(10));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("note: ") && stderr.contains("config.toml:2: "), "{stderr}");
    // In another directory it is not this project's file.
    let elsewhere = home.output(&["check", "--cwd", "/", "rm src/a.rs"]);
    assert!(elsewhere.stderr.is_empty());
}

/// A pipe in place of a record or of another program's settings must not hold anybody up.
#[test]
fn nobody_waits_for_a_pipe() {
    let home = Home::new();
    home.write(
        USER,
        "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"make *\"]\nexamples = { block = [\"make a\"] }",
    );
    let state = home.root.path().join("state");
    std::fs::create_dir_all(&state).unwrap();
    let pipe = state.join("checked.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let in_time = |arguments: &[&str]| {
        let mut timed = std::process::Command::new("timeout");
        timed.arg("20").arg(env!("CARGO_BIN_EXE_signoff-e2e")).args(arguments);
        timed.current_dir(home.project()).env("SIGNOFF_E2E_ROOT", home.root.path()).env("LANG", "C");
        timed.output().unwrap()
    };
    assert_eq!(in_time(&["check", "make a"]).status.code(), Some(20));
    // A record that could not be read is written anew.
    std::fs::remove_file(&pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let output = in_time(&["config", "import", "claude", pipe.to_str().unwrap()]);
    complains(&output, "not a regular file");
}

#[test]
fn examples_are_checked_once_for_each_state_of_the_files() {
    let home = Home::new();
    let rule = |example: &str| {
        format!(
            "[[policy.rule]]\nid = \"x\"\nmessage = \"m\"\nverdict = \"block\"\ncommands = [\"make *\"]\nexamples = {{ block = [\"{example}\"] }}\n"
        )
    };
    home.write(USER, &rule("make all"));
    assert_eq!(verdict(&home, "make all"), "block");
    let record = std::fs::read_to_string(home.root.path().join("state/checked.json")).unwrap();
    assert_eq!(verdict(&home, "make all"), "block");
    home.write(USER, &rule("ls"));
    complains(&home.output(&["check", "ls"]), "rule `x` expects block");
    assert_eq!(std::fs::read_to_string(home.root.path().join("state/checked.json")).unwrap(), record);
}
