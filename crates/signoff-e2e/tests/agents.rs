//! `signoff install`, `uninstall` and `doctor`, as a person uses them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use program::{Home, gateway::terminal, stdout};
use serde_json::Value;

/// A home in which some agents are used.
fn with_agents(agents: &[&str]) -> Home {
    let home = Home::new();
    for agent in agents {
        fs::create_dir_all(home.root.path().join("home").join(agent)).unwrap();
    }
    home
}

fn settings(home: &Home) -> PathBuf {
    home.root.path().join("home/.claude/settings.json")
}

/// The program in a place that is the user's own.
fn own_program(home: &Home) -> PathBuf {
    let program = home.root.path().join("bin/signoff");
    if !program.exists() {
        fs::create_dir(program.parent().unwrap()).unwrap();
        fs::set_permissions(program.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        copied(&program);
    }
    program
}

/// Copied by another process, so that nothing of this one holds it open.
fn copied(program: &Path) {
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_signoff-e2e")).arg(program).status().unwrap().success());
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(home: &Home, arguments: &[&str]) -> (Option<i32>, String, String) {
    // Wherever the sources lie, somebody else may be able to write there; and what is installed on the machine is not looked at.
    let mut command = Command::new(own_program(home));
    command.args(arguments).current_dir(home.project()).env("SIGNOFF_E2E_ROOT", home.root.path());
    let output = command.env("PATH", "/usr/bin:/bin").env("LANG", "C").env_remove("LC_ALL").output().unwrap();
    (output.status.code(), stdout(&output).to_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_hook_is_installed_once_and_stands() {
    let home = with_agents(&[".claude"]);
    // Claude Code ignores a file with a comment in it, and a hook that is written there with it.
    fs::write(settings(&home), "{\n  // mine\n  \"model\": \"opus\"\n}\n").unwrap();
    let (code, _, complaint) = run(&home, &["install", "claude"]);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("without comments"), "{complaint}");
    fs::write(settings(&home), "{\n  \"model\": \"opus\"\n}\n").unwrap();
    let (code, said, _) = run(&home, &["doctor"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("NO HOOK") && said.contains("signoff install claude"), "{said}");

    let (_, shown, _) = run(&home, &["install", "--dry-run", "claude"]);
    assert!(shown.contains("+ ") && shown.contains("Nothing was written"), "{shown}");
    assert!(!fs::read_to_string(settings(&home)).unwrap().contains("hooks"));

    let (code, said, complaint) = run(&home, &["install", "claude"]);
    assert_eq!(code, Some(0), "{complaint}");
    assert!(said.contains("~/.claude/settings.json   + PreToolUse, PermissionRequest"), "{said}");
    assert!(said.contains("(backup kept)"), "{said}");
    let backup = fs::read_to_string(settings(&home).with_file_name("settings.json.before-signoff")).unwrap();
    assert!(backup.contains("opus") && !backup.contains("hooks"));
    assert!(fs::read_to_string(settings(&home)).unwrap().contains("opus"));
    let (_, said, _) = run(&home, &["install", "claude"]);
    assert!(said.contains("is as it should be"), "{said}");

    let (code, said, _) = run(&home, &["doctor"]);
    assert_eq!(code, Some(0), "{said}");
    for part in ["hook installed", "refuses the canary", "denies when Signoff is broken", "holds 540 s", "ok"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (_, said, _) = run(&home, &["doctor", "--json"]);
    let found: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&found[0]["agent"], &found[0]["guarded"]), (&"claude".into(), &true.into()));
    let (_, said, _) = run(&home, &["doctor", "--lang", "zh"]);
    assert!(said.contains("已安装钩子"), "{said}");
    // What is written calls this very program, which refuses what is absurd.
    let written: Value = serde_json::from_str(&fs::read_to_string(settings(&home)).unwrap()).unwrap();
    let entry = &written["hooks"]["PreToolUse"][0]["hooks"][0];
    let called = Command::new(entry["command"].as_str().unwrap()).args(["hook", "claude"]).output().unwrap();
    assert_eq!(called.status.code(), Some(2));
}

#[test]
fn what_is_switched_off_changed_or_broken_is_told() {
    let home = with_agents(&[".claude", ".codex"]);
    run(&home, &["install", "all"]);
    assert_eq!(run(&home, &["doctor"]).0, Some(0));
    let good = fs::read_to_string(settings(&home)).unwrap();
    for (bad, words) in [
        (good.replace("\"hooks\": {", "\"disableAllHooks\": true,\n  \"hooks\": {"), "SWITCHED OFF"),
        (good.replace("\"timeout\": 600", "\"timeout\": 5"), "not as this version"),
        (good.replace("\"*\"", "\" * \""), "not as this version"),
        (good.replacen("{\n", "{ // mine\n", 1), "is not what Claude Code reads"),
        (good.replace("PreToolUse\"", "PreToolUsed\""), "not as this version"),
        ("{ broken".to_owned(), "is not what Claude Code reads"),
    ] {
        fs::write(settings(&home), &bad).unwrap();
        let (code, said, _) = run(&home, &["doctor", "claude"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(words) && said.contains("NOT GUARDED"), "{words}: {said}");
    }
    let config = home.root.path().join("home/.codex/config.toml");
    fs::write(&config, "model = \"x\"\n").unwrap();
    let (code, said, _) = run(&home, &["doctor", "codex"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("NOT TRUSTED"), "{said}");
    // A file that is not understood is left alone.
    let (code, _, complaint) = run(&home, &["install", "claude"]);
    assert_eq!(code, Some(2), "{complaint}");
    assert_eq!(fs::read_to_string(settings(&home)).unwrap(), "{ broken");
}

#[test]
fn only_a_person_takes_a_hook_out() {
    let home = with_agents(&[".claude"]);
    run(&home, &["install", "claude"]);
    let before = fs::read_to_string(settings(&home)).unwrap();
    let (code, _, complaint) = run(&home, &["uninstall", "claude"]);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("terminal"), "{complaint}");
    assert_eq!(fs::read_to_string(settings(&home)).unwrap(), before);
    let desk = terminal(&home);
    desk.run(&format!("'{}' uninstall claude", own_program(&home).display()));
    // What goes is shown line by line, to the last one.
    desk.wait_for("-   }");
    assert!(!settings(&home).exists(), "nothing was there before");
    // What was there comes back to the letter.
    let mine = "{\"model\":\"opus\",\"hooks\":{}}";
    fs::write(settings(&home), mine).unwrap();
    run(&home, &["install", "claude"]);
    assert_ne!(fs::read_to_string(settings(&home)).unwrap(), mine);
    desk.run(&format!("'{}' uninstall claude; echo it is done", own_program(&home).display()));
    desk.wait_for("\nit is done");
    assert_eq!(fs::read_to_string(settings(&home)).unwrap(), mine);
}

#[test]
fn a_program_that_others_can_change_is_not_installed() {
    let home = with_agents(&[".claude"]);
    let directory = home.root.path().join("open");
    fs::create_dir(&directory).unwrap();
    let program = directory.join("signoff");
    copied(&program);
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
    let output = Command::new(&program)
        .args(["install", "claude"])
        .env("SIGNOFF_E2E_ROOT", home.root.path())
        .current_dir(home.project())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("somebody else can change"), "{output:?}");
    assert!(!settings(&home).exists());
}

#[test]
fn a_link_stays_a_link_and_a_script_can_be_run() {
    let home = with_agents(&[".claude", ".cline"]);
    let kept = home.root.path().join("dotfiles.json");
    fs::write(&kept, "{}\n").unwrap();
    std::os::unix::fs::symlink(&kept, settings(&home)).unwrap();
    run(&home, &["install", "claude"]);
    assert!(fs::symlink_metadata(settings(&home)).unwrap().is_symlink());
    assert!(fs::read_to_string(&kept).unwrap().contains("PreToolUse"));
    run(&home, &["install", "cline"]);
    let script = home.root.path().join("home/.cline/hooks/PreToolUse.bash");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o111, 0o111);
    assert_eq!(run(&home, &["doctor", "cline"]).0, Some(0));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    let (code, said, _) = run(&home, &["doctor", "cline"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cannot be run"), "{said}");
    run(&home, &["install", "cline"]);
    assert_eq!(run(&home, &["doctor", "cline"]).0, Some(0));
}

/// What a project brings along is not started in the name of an agent, and neither is what others can change.
#[test]
fn a_program_that_an_agent_could_have_put_there_is_not_started() {
    let home = with_agents(&[".claude"]);
    let fake = home.project().join("claude");
    fs::write(&fake, "#!/bin/sh\ntouch started\necho 2.1.325\n").unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    for arguments in [&["install", "claude"][..], &["doctor", "claude"]] {
        let mut command = Command::new(own_program(&home));
        command.args(arguments).current_dir(home.project()).env("SIGNOFF_E2E_ROOT", home.root.path());
        let paths = format!("{}:/usr/bin:/bin", home.project().display());
        let output = command.env("PATH", paths).env("LANG", "C").output().unwrap();
        assert!(!home.project().join("started").exists(), "{output:?}");
        if arguments.contains(&"doctor") {
            assert!(stdout(&output).contains("version was not asked for"), "{output:?}");
        }
    }
}
