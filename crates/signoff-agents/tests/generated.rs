//! The table of answers in `docs/agents.md` and the plugin for Claude Code are made from the code. Run with `SIGNOFF_BLESS=1` to bring it up to date.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::{env, fs, path::PathBuf};

use serde_json::json;
use signoff_agents::{
    Client, Standing,
    hook::{Answer, Call, Moment, can_change, reply},
    install::{Ground, Scope, install},
};
use signoff_model::{Dialect, Operation, ShellCommand};

const BEGIN: &str = "<!-- made by `SIGNOFF_BLESS=1 cargo test -p signoff-agents --test generated` -->\n";
const END: &str = "<!-- end -->\n";

fn call(client: Client) -> Call {
    let (event, tool) = match client {
        Client::Gemini => ("BeforeTool", "run_shell_command"),
        _ => ("PreToolUse", "Bash"),
    };
    Call {
        client,
        moment: Moment::Before,
        event: event.to_owned(),
        tool: tool.to_owned(),
        input: json!({"command": "ls"}),
        cwd: None,
        session: String::new(),
        id: None,
        transcript: None,
        mode: None,
    }
}

/// What is written and the exit code, as a cell.
fn cell(client: Client, answer: &Answer) -> String {
    let replied = reply(&call(client), answer);
    let said = replied.stdout.trim().to_owned();
    let said = if said.is_empty() { "nothing".to_owned() } else { format!("`{said}`") };
    let beside = if replied.stderr.is_empty() { "" } else { ", the reason on stderr" };
    format!("{said}{beside}, exit {}", replied.code)
}

fn table() -> String {
    let mut text =
        "| client | allow | not allowed | what a person has changed | answers within | it waits | known by |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    let changed = Operation::Shell(ShellCommand { command: "ls -l".to_owned(), dialect: Dialect::Bash });
    for client in Client::ALL {
        let takes = if can_change(&call(client), &changed) {
            "runs the new form"
        } else {
            "refused, with the new form in words"
        };
        let known = match client.standing() {
            Standing::Run => "run",
            Standing::Experimental => "its documents: experimental",
        };
        text.push_str(&format!(
            "| {} | {} | {} | {takes} | {} s | {} s | {known} |\n",
            client.title(),
            cell(client, &Answer::Allow("why".to_owned())),
            cell(client, &Answer::Deny("why".to_owned())),
            client.answer_within().as_secs(),
            client.waits().as_secs(),
        ));
    }
    text
}

/// The plugin for Claude Code has the same hooks, with the program wherever it is found.
#[test]
fn the_plugin_is_up_to_date() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude/signoff/hooks/hooks.json");
    let nowhere = PathBuf::from("/");
    let ground = Ground {
        home: nowhere.clone(),
        project: nowhere.clone(),
        machine: nowhere,
        program: "signoff".into(),
        moved: vec![],
    };
    let changes = install(Client::Claude, Scope::User, &ground, &|_| Ok(None)).unwrap();
    let wanted = changes.into_iter().next().and_then(|change| change.after).unwrap();
    if env::var_os("SIGNOFF_BLESS").is_some() {
        fs::write(&file, &wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "the plugin is stale: SIGNOFF_BLESS=1 cargo test -p signoff-agents --test generated");
}

#[test]
fn the_table_of_answers_is_up_to_date() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md");
    let found = fs::read_to_string(&file).unwrap();
    let (before, rest) = found.split_once(BEGIN).unwrap_or_else(|| panic!("the beginning of the table is gone"));
    let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("the end of the table is gone"));
    let wanted = format!("{before}{BEGIN}\n{}\n{END}{after}", table());
    if env::var_os("SIGNOFF_BLESS").is_some() {
        fs::write(&file, &wanted).unwrap();
        return;
    }
    assert!(found == wanted, "docs/agents.md is stale: SIGNOFF_BLESS=1 cargo test -p signoff-agents --test generated");
}
