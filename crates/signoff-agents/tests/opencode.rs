//! The plugin of OpenCode, run as OpenCode runs it: what it calls is what runs, and whatever is not a yes throws.
//!
//! It needs Node; where that is missing, only its text is looked at.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};
use signoff_agents::{
    Client,
    install::{Ground, Scope, install},
};

/// Calls the plugin with the object that is run afterwards, as OpenCode does: `trigger(…, {args}); tool.execute(args)`.
const CALLER: &str = r#"
import { SignoffPlugin } from "./signoff.mjs"
const hooks = await SignoffPlugin({ directory: "/p" })
const args = JSON.parse(process.argv[2])
try {
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args })
  console.log(JSON.stringify({ runs: args }))
} catch (error) {
  console.log(JSON.stringify({ refused: error.message }))
}
"#;

fn plugin(program: &Path) -> String {
    let nowhere = PathBuf::from("/nonexistent");
    let ground = Ground {
        home: nowhere.clone(),
        project: nowhere.clone(),
        machine: nowhere,
        program: program.to_owned(),
        moved: vec![],
    };
    install(Client::OpenCode, Scope::User, &ground, &|_| Ok(None)).unwrap().remove(0).after.unwrap()
}

/// What becomes of a call where the hook says this and ends so.
fn becomes(directory: &Path, said: &str, code: i32) -> Option<Value> {
    let hook = directory.join("signoff");
    fs::write(&hook, format!("#!/bin/sh\ncat > /dev/null\necho why >&2\nprintf '%s' '{said}'\nexit {code}\n")).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(directory.join("signoff.mjs"), plugin(&hook)).unwrap();
    fs::write(directory.join("caller.mjs"), CALLER).unwrap();
    let asked = json!({"command": "rm -rf a b", "description": "x", "timeout": 5}).to_string();
    let ran = Command::new("node").arg(directory.join("caller.mjs")).arg(asked).output().ok()?;
    Some(serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr))))
}

#[test]
fn what_was_approved_is_what_opencode_runs() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    assert!(!plugin(Path::new("/usr/bin/signoff")).contains("output.args ="), "it would run what it has shown");
    let asked = json!({"runs": {"command": "rm -rf a b", "description": "x", "timeout": 5}});
    for (said, code, wanted) in [
        (r#"{"decision":"allow"}"#, 0, asked.clone()),
        // Left to the rules of OpenCode.
        (r#"{"decision":"defer"}"#, 0, asked),
        (
            r#"{"decision":"allow","args":{"command":"rm -rf a","description":"x"}}"#,
            0,
            json!({"runs": {"command": "rm -rf a", "description": "x"}}),
        ),
        (
            r#"{"decision":"allow","args":["rm"]}"#,
            0,
            json!({"refused": "a person has changed this call, and it cannot be run so"}),
        ),
        (
            r#"{"decision":"allow","args":null}"#,
            0,
            json!({"refused": "a person has changed this call, and it cannot be run so"}),
        ),
        (r#"{"decision":"deny","reason":"no"}"#, 2, json!({"refused": "no"})),
        (r#"{"decision":"deny","reason":"no"}"#, 0, json!({"refused": "no"})),
        (r#"{"decision":"allow"}"#, 2, json!({"refused": "why"})),
        ("{}", 0, json!({"refused": "not allowed by Signoff"})),
        ("null", 0, json!({"refused": "why"})),
        ("", 0, json!({"refused": "not allowed by Signoff"})),
    ] {
        let Some(found) = becomes(directory, said, code) else { return };
        assert_eq!(found, wanted, "{said} {code}");
    }
}
