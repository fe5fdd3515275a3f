//! Harm together with the hiding of its traces: what is done may be somebody's wish, but nobody who means well also takes
//! care that it is not found out.

use signoff_model::{EffectKind, Reason, Risk, Span};

use super::{
    Shell,
    families::{system::HIDE_TRACES, windows::CLEAR_LOGS},
};
use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    HIDE_HARM = Rule::new("hide-harm", EffectKind::System, Risk::Critical, "does harm and removes the traces of it: {}", "造成损害并清除痕迹：{}")
        .absurd().priority(Priority::P0)
        .examples(
            &["rm -rf data/exports && history -c", "sudo yum remove -y rsyslog; rm -rf data/old", "sudo auditctl -e 0; sudo rm -rf /var/backups/pg", "aws s3 rb s3://acme --force; rm -f ~/.bash_history", "sudo userdel -r audit; sudo shred -u /var/log/auth.log*"],
            &["history -c", "sudo journalctl --vacuum-time=7d && docker system prune -af --volumes", "rm -f ~/.bash_history", "sudo yum install -y rsyslog; rm -rf data/old"],
        );
}

/// Where the traces of what people do are kept.
const TRACES: &[&str] = &[
    ".bash_history",
    ".zsh_history",
    ".sh_history",
    ".history",
    "fish_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".mongosh",
    "ConsoleHost_history.txt",
    "/var/log",
    "/var/log/auth.log",
    "/var/log/syslog",
    "/var/log/secure",
    "/var/log/messages",
    "/var/log/wtmp",
    "/var/log/btmp",
    "/var/log/lastlog",
    "/var/log/audit",
    "/var/log/journal",
];

/// What stops the recording, as it is named in the reasons of other families.
const RECORDERS: &[&str] = &[
    "rsyslog",
    "syslog",
    "syslog-ng",
    "auditd",
    "systemd-journald",
    "stop-logging",
    "delete-trail",
    "falco",
    "osqueryd",
];

/// Verbs with which the recording begins or goes on.
const BEGINNINGS: &[&str] = &["install", "reinstall", "start", "restart", "reload", "enable", "unmask", "add"];

impl Shell<'_> {
    /// Says so if something grave was found, and with it that its traces are removed.
    pub(super) fn check_hiding(&mut self, span: Span) {
        let reasons = self.findings.reasons();
        let hidden = reasons.iter().find(|reason| reason.risk > Risk::Low && hides(reason));
        // The logs of the machine itself are never cleared on the way of something else.
        let of_machine = reasons.iter().any(|reason| reason.rule.as_str() == CLEAR_LOGS.id);
        let Some(hidden) = hidden else { return };
        let log = reasons.iter().any(|reason| hides(reason) && reason.subject.name().starts_with("/var/log"));
        let harm = reasons.iter().find(|reason| is_harm(reason, of_machine) || log && changes_accounts(reason));
        if let Some(harm) = harm {
            let what = format!("{}, {}", harm.subject.name(), hidden.subject.name());
            self.tell(&HIDE_HARM, what, span);
        }
    }
}

/// Whether the reason is that somebody gets in, or out, who did not before: beside the logs of that, it is harm.
fn changes_accounts(reason: &Reason) -> bool {
    crate::rule::find(reason.rule.as_str())
        .is_some_and(|rule| rule.kind == EffectKind::Privilege && rule.risk >= Risk::High && !hides(reason))
        && !matches!(reason.rule.as_str(), "root-rights")
}

/// Whether the reason is that a trace is removed, or that nothing is recorded any more.
fn hides(reason: &Reason) -> bool {
    let name = reason.subject.name();
    if reason.rule.as_str() == HIDE_TRACES.id {
        return !is_upkeep(&name);
    }
    if reason.rule.as_str() == CLEAR_LOGS.id {
        return true;
    }
    let mut words = name.split([' ', ',']);
    is_trace(&name)
        || words.clone().any(|word| RECORDERS.contains(&word.trim_end_matches(".service")))
            && !words.any(|word| BEGINNINGS.contains(&word))
}

/// Old entries of a log are dropped every day by somebody; all of them are not.
fn is_upkeep(name: &str) -> bool {
    let kept = |option: &str| {
        name.split_once(option)
            .map(|(_, rest)| rest.trim_start_matches(['=', ' ']).split(' ').next().unwrap_or_default())
    };
    let amount = ["--vacuum-time", "--vacuum-size", "--vacuum-files"].iter().find_map(|option| kept(option));
    match amount {
        Some(amount) => !matches!(amount, "1s" | "0" | "1" | "0s" | "1B" | "1K" | "1ms" | "1us"),
        None => ["--rotate", "--flush", "--sync", "--relinquish", "bleachbit"].iter().any(|word| name.contains(word)),
    }
}

fn is_trace(name: &str) -> bool {
    let path = name.trim_end_matches(['/', '*']);
    TRACES.iter().any(|trace| path == *trace || path.ends_with(&format!("/{}", trace.trim_start_matches('/'))))
}

/// Whether the reason is harm by itself, and not the hiding; beside cleared logs, a change of the machine is.
fn is_harm(reason: &Reason, changes_count: bool) -> bool {
    let Some(rule) = crate::rule::find(reason.rule.as_str()) else { return false };
    let grave = matches!(
        rule.kind,
        EffectKind::Delete
            | EffectKind::Overwrite
            | EffectKind::Move
            | EffectKind::NetworkWrite
            | EffectKind::SecretRead
            | EffectKind::SecretSend
            | EffectKind::DatabaseWrite
            | EffectKind::DatabaseSchema
            | EffectKind::Publish
    ) || changes_count
        && matches!(rule.kind, EffectKind::System | EffectKind::Opaque | EffectKind::Privilege);
    // Reading the history itself is part of clearing it.
    grave && rule.risk >= Risk::High && !hides(reason) && !reason.subject.name().contains("history")
}
