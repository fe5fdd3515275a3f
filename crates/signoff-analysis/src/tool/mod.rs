//! Tool calls: the tools of known agents are shell commands and file operations under other names and are judged as such;
//! other tools are judged by the words of their name, by what their arguments hold, and by what they say of themselves.
//!
//! A name proves nothing, so a tool that nobody here knows asks. What a tool says of itself may raise that, never lower it.

mod arguments;
mod known;
mod patch;
mod verbs;

use signoff_model::{Assessment, EffectKind, Reversible, Risk, Span, ToolCall};

use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    path_effects::{named, rules},
    rule::{Priority, Rule},
};

rules! {
    UNKNOWN_TOOL = Rule::new("unknown-tool", EffectKind::Opaque, Risk::Medium, "calls {}, a tool of which nothing is known", "调用 {}，其作用未知")
        .examples(&["tool: frobnicate {}"], &["tool: get_issue {}"]);
    TOOL_CHANGES = Rule::new("tool-changes", EffectKind::NetworkWrite, Risk::Medium, "changes something through the tool {}", "通过工具 {} 进行更改")
        .examples(&["tool: mcp__github__create_issue {}"], &["tool: mcp__github__list_issues {}"]);
    TOOL_DESTROYS = Rule::new("tool-destroys", EffectKind::Delete, Risk::High, "deletes or takes away something through the tool {}", "通过工具 {} 删除或移除内容")
        .reversible(Reversible::Unknown)
        .examples(&["tool: delete_repo {}"], &["tool: get_repo {}"]);
    TOOL_SENDS = Rule::new("tool-sends", EffectKind::Publish, Risk::High, "sends, publishes or pays through the tool {}", "通过工具 {} 发送、发布或付款")
        .reversible(Reversible::No)
        .examples(&["tool: send_email {}"], &["tool: list_emails {}"]);
    TOOL_RUNS = Rule::new("tool-runs", EffectKind::Opaque, Risk::Medium, "lets the tool {} run something that cannot be read", "让工具 {} 运行无法读取的内容")
        .examples(&["tool: browser_evaluate {}"], &["tool: browser_snapshot {}"]);
    TOOL_DECLARED = Rule::new("tool-declared", EffectKind::Opaque, Risk::Medium, "says of itself that it changes or destroys: {}", "工具自称会更改或破坏：{}")
        .examples(&["tool! get_thing {}"], &["tool: get_thing {}"]);
    TOOL_DELETE = Rule::new("tool-delete-file", EffectKind::Delete, Risk::Medium, "deletes {} through a tool", "通过工具删除 {}")
        .reversible(Reversible::Unknown).priority(Priority::P2)
        .examples(&["tool: delete_file {\"path\":\"a.rs\"}"], &["tool: read_file {\"path\":\"a.rs\"}"]);
    TOOL_TYPES = Rule::new("tool-types", EffectKind::Execute, Risk::Medium, "types into a running program: {}", "向正在运行的程序输入：{}")
        .examples(&["tool: write_stdin {\"chars\":\"y\"}"], &["tool: Bash {\"command\":\"ls\"}"]);
    TOOL_SECRET = Rule::new("tool-secret", EffectKind::SecretRead, Risk::High, "hands out secrets through the tool {}", "通过工具 {} 泄露机密")
        .examples(&["tool: get_secret {}"], &["tool: count_tokens {}"]);
}

/// Reads a tool call and says what it would do, on top of what was found before.
pub fn assess(call: &ToolCall, whereabouts: &Whereabouts, facts: &dyn Facts, findings: Findings) -> Assessment {
    let mut reader = Reader {
        call,
        whereabouts: whereabouts.clone(),
        facts,
        findings,
        shown: format!("{} {}", call.name, call.args),
    };
    reader.judge();
    reader.findings.finish()
}

/// What a tool call is judged with.
struct Reader<'a> {
    call: &'a ToolCall,
    /// Where it runs: some tools name a directory among their arguments.
    whereabouts: Whereabouts,
    facts: &'a dyn Facts,
    findings: Findings,
    /// The call as people are shown it: spans are ranges of this text.
    shown: String,
}

impl Reader<'_> {
    fn judge(&mut self) {
        let hints = self.call.hints;
        if hints.destructive == Some(true) {
            self.say(&TOOL_DECLARED, self.call.name.clone(), self.name_span());
        }
        if known::judge(self) {
            return;
        }
        let judgement = verbs::judge(&self.call.name);
        let rule = match judgement {
            verbs::Judgement::Reads if hints.read_only == Some(false) => Some(&TOOL_DECLARED),
            verbs::Judgement::Reads => None,
            verbs::Judgement::Changes => Some(&TOOL_CHANGES),
            verbs::Judgement::Destroys => Some(&TOOL_DESTROYS),
            verbs::Judgement::Sends => Some(&TOOL_SENDS),
            verbs::Judgement::Runs => Some(&TOOL_RUNS),
            verbs::Judgement::Secrets => Some(&TOOL_SECRET),
            verbs::Judgement::Unknown => Some(&UNKNOWN_TOOL),
        };
        if let Some(rule) = rule {
            self.say(rule, self.call.name.clone(), self.name_span());
        }
        arguments::inspect(self);
    }

    /// A rule speaks about something that is not a path.
    fn say(&mut self, rule: &'static Rule, name: impl Into<String>, span: Span) {
        let scope = match rule.kind {
            EffectKind::NetworkWrite | EffectKind::Publish | EffectKind::Delete => signoff_model::Scope::Remote,
            _ => signoff_model::Scope::Unknown,
        };
        self.findings.report(rule, named(name), scope, span);
    }

    fn name_span(&self) -> Span {
        Span::new(0, self.call.name.len())
    }

    /// Where a text among the arguments stands in what people are shown; the whole call if it cannot be found.
    fn span_of(&self, text: &str) -> Span {
        let written = serde_json::to_string(text).unwrap_or_default();
        let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
        match self.shown.get(self.call.name.len()..).and_then(|args| args.find(inner)).filter(|_| !inner.is_empty()) {
            Some(at) => Span::new(self.call.name.len() + at, self.call.name.len() + at + inner.len()),
            None => Span::new(0, self.shown.len()),
        }
    }
}

#[cfg(test)]
mod tests;
