//! Tool calls: the tools of known agents are shell commands and file operations under other names and are judged as such;
//! other tools are judged by the words of their name, by what their arguments hold, and by what they say of themselves.
//!
//! A name proves nothing, so a tool that nobody here knows asks. What a tool says of itself may raise that, never lower it.

mod address;
mod arguments;
mod carried;
mod code;
mod commands;
mod contents;
mod inspect;
mod kinds;
mod known;
mod own;
mod patch;
mod run;
mod statement;
mod verbs;

use std::cell::Cell;

use serde_json::Value;
use signoff_model::{Assessment, EffectKind, Reversible, Risk, Span, ToolCall, Unread};

pub(crate) use self::arguments::COMMANDS;
use self::{arguments::Arguments, own::Own, verbs::Judgement};
use crate::{
    facts::{Facts, Whereabouts},
    file::{self, Ground},
    findings::Findings,
    path_effects::{named, rules},
    rule::{Priority, Rule},
    shell::families::own::OWN_STATE,
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
    TOOL_SECRET = Rule::new("tool-secret", EffectKind::SecretRead, Risk::High, "hands out secrets through the tool {}", "通过工具 {} 交出机密")
        .examples(&["tool: get_secret {}", "tool: kubectl_get {\"resourceType\":\"secret\"}"], &["tool: count_tokens {}"]);
    TOOL_DROPS_DATABASE = Rule::new("tool-drops-database", EffectKind::DatabaseSchema, Risk::Critical, "drops the whole database or schema {} through a tool", "通过工具删除整个数据库或模式 {}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["tool: execute_sql {\"sql\":\"DROP DATABASE shop\"}"], &["tool: execute_sql {\"sql\":\"DROP TABLE shop\"}"]);
    TOOL_METADATA = Rule::new("tool-metadata", EffectKind::SecretRead, Risk::High, "asks a service that hands out the credentials of this machine: {}", "访问会泄露本机凭据的元数据服务：{}")
        .examples(&["tool: fetch {\"url\":\"http://169.254.169.254/latest/meta-data/\"}"], &["tool: fetch {\"url\":\"https://example.com\"}"]);
    TOOL_THIRD_PARTY = Rule::new("tool-third-party", EffectKind::NetworkWrite, Risk::High, "lets {} know what the tool finds", "让 {} 得知工具的结果")
        .reversible(Reversible::No)
        .examples(&["tool: search {\"q\":\"x\",\"webhook_url\":\"https://example.com\"}"], &["tool: search {\"q\":\"x\"}"]);
    TOOL_UNREAD = Rule::new("tool-unread", EffectKind::Opaque, Risk::Medium, "gives {} more or deeper arguments than are read", "传给 {} 的参数过多或过深，未能全部读取")
        .examples(&["tool: get_thing {\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"], &["tool: get_thing {\"a\":[[1]]}"]);
}

/// How many commands, statements, texts of code and calls among the arguments are read.
const MAX_RUNS: usize = 128;

/// How many bytes of paths are read: each of them in every way that some system reads it.
const MAX_PATHS: usize = 128 * 1024;

/// So many bytes are searched to tell where something stands; after that, the whole call is to blame.
const MAX_SEARCHED: usize = 16 << 20;

/// The words of a longer name are not read: nobody gives a tool such a name.
const LONGEST_NAME: usize = 512;

/// What a tool with such a name is called: there is no word in it, so nothing is known of the tool.
const NAMELESS: &str = "…";

/// Reads a tool call and says what it would do, on top of what was found before.
pub fn assess(call: &ToolCall, whereabouts: &Whereabouts, facts: &dyn Facts, findings: Findings) -> Assessment {
    let title = Span::new(0, call.name.len());
    let shown = format!("{} {}", call.name, call.args);
    // What it is given is read all the same.
    let nameless = (call.name.len() > LONGEST_NAME).then(|| ToolCall { name: NAMELESS.to_owned(), ..call.clone() });
    let mut reader = Reader {
        call: nameless.as_ref().unwrap_or(call),
        whereabouts: whereabouts.clone(),
        facts,
        findings,
        shown,
        title,
        runs_left: MAX_RUNS,
        paths_left: MAX_PATHS,
        searched: Cell::new(0),
        ground: Ground::default(),
        nested: 0,
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
    /// Where the name of the tool stands in it.
    title: Span,
    /// How many commands, statements, texts of code and calls may still be read.
    runs_left: usize,
    /// How many bytes of paths may still be read.
    paths_left: usize,
    /// How many bytes were searched to tell where something stands.
    searched: Cell<usize>,
    /// What is known of the file system behind everything that was read so far.
    ground: Ground,
    /// How many calls this one stands in.
    nested: usize,
}

impl Reader<'_> {
    fn judge(&mut self) {
        if self.call.name == NAMELESS {
            self.findings.gap(Unread::TooLong, self.title);
        }
        let args = Arguments::read(&self.call.args);
        if !args.complete {
            self.unread();
        }
        let hints = self.call.hints;
        if hints.destructive == Some(true) {
            self.say(&TOOL_DECLARED, self.call.name.clone(), self.title);
        }
        match own::judge(&self.call.name) {
            Some(Own::Looks) => return,
            Some(Own::Answers) => {
                self.say(&OWN_STATE, self.call.name.clone(), self.title);
                return;
            }
            Some(Own::Runs) => {
                commands::run_tool(self, &args);
                return;
            }
            Some(Own::Unknown) | None => {}
        }
        if let Some(kind) = known::judge(self, &args) {
            inspect::inspect(self, &args, Some(kind), None);
            return;
        }
        let judgement = verbs::judge(&self.call.name);
        let rule = match judgement {
            Judgement::Reads if hints.read_only == Some(false) => Some(&TOOL_DECLARED),
            Judgement::Reads => None,
            Judgement::Changes => Some(&TOOL_CHANGES),
            Judgement::Destroys => Some(&TOOL_DESTROYS),
            Judgement::Sends => Some(&TOOL_SENDS),
            Judgement::Runs if commands::are_all(&self.call.name, &args) => None,
            Judgement::Runs => Some(&TOOL_RUNS),
            Judgement::Secrets => Some(&TOOL_SECRET),
            Judgement::Unknown => Some(&UNKNOWN_TOOL),
        };
        if let Some(rule) = rule {
            self.say(rule, self.call.name.clone(), self.title);
        }
        // Arguments have names, and without them nobody knows what a text is for.
        if matches!(&args.value, Value::String(text) if !text.is_empty())
            || matches!(&args.value, Value::Array(items) if !items.is_empty())
        {
            self.unread();
        }
        inspect::inspect(self, &args, None, Some(judgement));
    }

    /// Something among the arguments is not read, and so it asks.
    fn unread(&mut self) {
        let name = self.call.name.clone();
        self.findings.gap(Unread::Arguments(name.clone()), self.title);
        self.say(&TOOL_UNREAD, name, self.title);
    }

    /// Takes one of the texts that may be read; says so if there is none left.
    fn spend(&mut self, span: Span) -> bool {
        match self.runs_left.checked_sub(1) {
            Some(left) => self.runs_left = left,
            None => {
                self.findings.gap(Unread::FurtherCommands, span);
                self.say(&TOOL_UNREAD, self.call.name.clone(), self.title);
                return false;
            }
        }
        true
    }

    /// The judgement of files, from where the tool runs.
    fn files(&mut self) -> file::Reader<'_> {
        file::Reader {
            whereabouts: &self.whereabouts,
            facts: self.facts,
            findings: &mut self.findings,
            ground: &self.ground,
        }
    }

    /// A rule speaks about something that is not a path.
    fn say(&mut self, rule: &'static Rule, name: impl Into<String>, span: Span) {
        let scope = match rule.kind {
            EffectKind::NetworkWrite | EffectKind::Publish | EffectKind::Delete => signoff_model::Scope::Remote,
            _ => signoff_model::Scope::Unknown,
        };
        self.findings.report(rule, named(name), scope, span);
    }

    /// Where a text among the arguments stands in what people are shown; the whole call if it cannot be found.
    fn span_of(&self, text: &str) -> Span {
        let written = serde_json::to_string(text).unwrap_or_default();
        let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
        let start = self.title.end;
        let args = self.shown.get(start..).unwrap_or_default();
        let searched = self.searched.get();
        let found = (searched < MAX_SEARCHED && !inner.is_empty()).then(|| args.find(inner)).flatten();
        self.searched.set(searched.saturating_add(found.unwrap_or(args.len())));
        match found {
            Some(at) => Span::new(start + at, start + at + inner.len()),
            None => Span::new(0, self.shown.len()),
        }
    }
}

#[cfg(test)]
mod tests;
