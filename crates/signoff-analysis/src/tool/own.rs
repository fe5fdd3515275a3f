//! Signoff's own tools: an agent may look and ask, and must not answer.

use crate::lexicon::words;

/// What a tool of Signoff's does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// It looks, or asks a person.
    Looks,
    /// It runs something through the gate: what that is, is judged.
    Runs,
    /// It answers in a person's place, or changes what is allowed.
    Answers,
    /// Nobody knows.
    Unknown,
}

/// What a tool does if it is Signoff's own.
pub(super) fn judge(name: &str) -> Option<Own> {
    const ANSWERS: &[&str] = &[
        "approve",
        "answer",
        "deny",
        "reject",
        "confirm",
        "allow",
        "accept",
        "decline",
        "pause",
        "resume",
        "lockdown",
        "disable",
        "stop",
        "kill",
        "uninstall",
        "reset",
        "set",
        "update",
        "delete",
        "remove",
        "create",
        "add",
        "revoke",
        "write",
        "edit",
        "enable",
        "redeem",
        "issue",
        "respond",
        "reply",
        "resolve",
        "unlock",
        "override",
        "bypass",
        "import",
        "install",
        "put",
        "patch",
        "clear",
        "forget",
    ];
    const LOOKS: &[&str] = &[
        "check", "assess", "judge", "list", "ls", "show", "get", "status", "explain", "doctor", "request", "wait",
        "poll", "describe", "preview", "verify", "help", "version", "search", "plan", "read", "ask",
    ];
    const POWERS: &[&str] = &["grant", "grants", "trust", "permit", "policy", "config", "rules", "channel"];
    // Those of our server that do something to a file are judged by what they do.
    const FILES: &[&str] = &["read_file", "write_file", "delete_file", "move_file"];
    let (server, tool) = match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        Some((server, tool)) => (Some(server), tool),
        None => (None, name),
    };
    if server == Some("signoff") && FILES.contains(&tool) {
        return None;
    }
    let words = words(name);
    let named = words.iter().any(|word| matches!(word.as_str(), "signoff" | "signoffd"))
        || words.windows(2).any(|pair| matches!(pair, [sign, off] if sign == "sign" && off == "off"));
    if !named {
        return None;
    }
    // Somebody else's server can call its tools as it likes: that they only look, or go through the gate, is not believed.
    let is_foreign = server.is_some_and(|server| !server.eq_ignore_ascii_case("signoff"));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    Some(match () {
        () if has(ANSWERS) => Own::Answers,
        () if has(LOOKS) && !is_foreign => Own::Looks,
        () if has(POWERS) => Own::Answers,
        () if is_foreign => Own::Unknown,
        () if has(&["exec", "run", "execute", "sql"]) => Own::Runs,
        () if has(&["inbox", "ledger"]) => Own::Looks,
        () => Own::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_is_told_from_answering() {
        for (name, expected) in [
            ("signoff_check", Some(Own::Looks)),
            ("mcp__signoff__inbox_list", Some(Own::Looks)),
            ("mcp__signoff__list_grants", Some(Own::Looks)),
            ("mcp__signoff__request_approval", Some(Own::Looks)),
            ("signoff_approve", Some(Own::Answers)),
            ("signoffApprove", Some(Own::Answers)),
            ("SignOff.Approve", Some(Own::Answers)),
            ("signoff_check_and_approve", Some(Own::Answers)),
            ("mcp__signoff__grant", Some(Own::Answers)),
            ("signoff/exec", Some(Own::Runs)),
            ("signoff_frobnicate", Some(Own::Unknown)),
            ("mcp__signoff__safe_exec", Some(Own::Runs)),
            ("mcp__signoff__ask_user", Some(Own::Looks)),
            ("mcp__signoff__delete_file", None),
            ("mcp__other__signoff_check", Some(Own::Unknown)),
            ("mcp__other__signoff_exec", Some(Own::Unknown)),
            ("mcp__other__signoff_approve", Some(Own::Answers)),
            ("mcp__other__signoff_grant", Some(Own::Answers)),
            ("mcp__Signoff__grant", Some(Own::Answers)),
            ("designoff_approve", None),
            ("approve", None),
        ] {
            assert_eq!(judge(name), expected, "{name}");
        }
    }
}
