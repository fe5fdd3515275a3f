//! Coding agents started from a command line: without their questions, or with other permissions.

use super::{AGENT_PERMISSIONS, UNGUARDED_AGENT};
use crate::{
    shell::{
        Call, Shell,
        families::{cloud, migrations},
    },
    value::Feed,
};

/// Options that take an agent's questions away, whichever agent it is.
const UNGUARDED: &[&str] = &[
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    "--yolo",
    "--full-auto",
    "--allow-all-tools",
    "--allow-all-paths",
    "--allow-all",
    "--yes-always",
    "--dangerously-allow-all",
    "--auto-approve-all",
    "--auto-approve",
    "--skip-permissions-unsafe",
    "--no-sandbox-approval",
    "--trust-all-tools",
    "--bare",
];

/// Options with a value that takes the questions away.
const UNGUARDED_VALUES: &[(&str, &[&str])] = &[
    ("--permission-mode", &["bypassPermissions", "acceptEdits", "dontAsk"]),
    ("--approval-mode", &["yolo", "auto_edit", "full-auto", "auto-edit"]),
    ("--ask-for-approval", &["never", "on-failure"]),
    ("-a", &["never", "on-failure"]),
    ("--sandbox", &["danger-full-access"]),
    ("-s", &["danger-full-access"]),
    ("--auto", &["high", "medium"]),
];

/// Short options that mean the same, by agent.
const UNGUARDED_SHORT: &[(&str, &str)] = &[
    ("gemini", "-y"),
    ("qwen", "-y"),
    ("kimi", "-y"),
    ("crush", "-y"),
    ("cursor-agent", "-f"),
    ("cursor-agent", "--force"),
    ("aider", "--yes"),
    ("cline", "-y"),
];

pub(super) fn agent(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let printed = call.output();
    // Other programs of these names move databases from one state to the next, and steer services in a cloud.
    let says = |words: &[&str]| call.args.iter().any(|arg| arg.known().is_some_and(|text| words.contains(&text)));
    if call.name == "goose" && says(&["up", "down", "reset", "redo", "up-to", "down-to", "up-by-one", "fix"]) {
        return migrations::goose(shell, call);
    }
    const CLOUD: &[&str] =
        &["app", "env", "svc", "job", "pipeline", "task", "secret", "storage", "run", "deploy", "init"];
    if call.name == "copilot" && call.arg(0).is_some_and(|word| CLOUD.contains(&word)) {
        return cloud::generic(shell, call);
    }
    if call.asks_for_help() {
        return printed;
    }
    for (at, arg) in call.args.iter().enumerate() {
        let Some(text) = arg.known() else { continue };
        if text == "--" {
            break;
        }
        let (name, inline) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let value = inline.or_else(|| call.arg(at + 1));
        let by_value = UNGUARDED_VALUES
            .iter()
            .any(|(option, values)| *option == name && value.is_some_and(|value| values.contains(&value)));
        let short = UNGUARDED_SHORT.iter().any(|(agent, option)| *agent == call.name && *option == text);
        let config = matches!(name, "-c" | "--config")
            && value.is_some_and(|value| value.contains("approval_policy") || value.contains("sandbox_mode"));
        if UNGUARDED.contains(&name) || by_value || short || config {
            shell.tell(&UNGUARDED_AGENT, format!("{} {text}", call.name), arg.span);
        }
        if matches!(
            name,
            "--allowedTools"
                | "--allowed-tools"
                | "--allow-tool"
                | "--permission-prompt-tool"
                | "--mcp-config"
                | "--settings"
                | "--add-dir-trusted"
        ) {
            shell.tell(&AGENT_PERMISSIONS, format!("{} {text}", call.name), arg.span);
        }
    }
    let verb = call.args.iter().find(|arg| !arg.is_option());
    let verb_at = call.args.iter().position(|arg| !arg.is_option()).unwrap_or_default();
    let action = call
        .args
        .get(verb_at + 1..)
        .unwrap_or_default()
        .iter()
        .find(|arg| !arg.is_option())
        .and_then(|arg| arg.known());
    let changes = match verb.and_then(|arg| arg.known()) {
        Some("config") => matches!(action, Some("set" | "add" | "remove" | "unset" | "rm" | "edit" | "reset")),
        Some(
            "mcp" | "plugin" | "plugins" | "extensions" | "extension" | "hooks" | "permissions" | "features" | "skills",
        ) => {
            matches!(
                action,
                Some(
                    "add"
                        | "add-json"
                        | "add-from-claude-desktop"
                        | "remove"
                        | "install"
                        | "uninstall"
                        | "enable"
                        | "disable"
                        | "link"
                        | "update"
                        | "reset-project-choices"
                        | "rm"
                        | "edit"
                        | "marketplace"
                        | "set"
                        | "allow"
                )
            )
        }
        Some("logout" | "setup-token" | "login") => true,
        _ => false,
    };
    if changes {
        let what = format!(
            "{} {} {}",
            call.name,
            verb.map_or_else(Default::default, |arg| arg.shown()),
            action.unwrap_or_default()
        );
        shell.tell(&AGENT_PERMISSIONS, what.trim_end().to_owned(), call.span);
    }
    printed
}
