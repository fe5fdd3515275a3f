//! The words of a tool's name: what they say it does.

/// What the name of a tool says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It looks.
    Reads,
    /// It changes or makes something.
    Changes,
    /// It takes something away.
    Destroys,
    /// It sends, publishes or pays.
    Sends,
    /// It runs something.
    Runs,
    /// It hands out secrets.
    Secrets,
    /// Nothing.
    Unknown,
}

/// Words that say it wherever they stand.
const DESTROYS: &[&str] = &[
    "delete",
    "del",
    "drop",
    "remove",
    "rm",
    "destroy",
    "purge",
    "wipe",
    "erase",
    "truncate",
    "clear",
    "reset",
    "revoke",
    "uninstall",
    "unlink",
    "terminate",
    "kill",
    "discard",
    "expunge",
    "shred",
    "nuke",
    "deprovision",
    "detach",
    "unpublish",
    "ban",
    "kick",
    "overwrite",
    "flush",
    "empty",
    "prune",
    "stop",
    "shutdown",
    "disable",
    "cancel",
    "abort",
    "close",
    "rollback",
    "revert",
    "evict",
    "drain",
    "cordon",
    "force",
];
const SENDS: &[&str] = &[
    "send",
    "publish",
    "deploy",
    "pay",
    "charge",
    "refund",
    "purchase",
    "buy",
    "checkout",
    "invite",
    "tweet",
    "upload",
    "submit",
    "push",
    "dispatch",
    "broadcast",
    "notify",
    "reply",
    "transfer",
    "withdraw",
    "mint",
    "trade",
    "swap",
    "donate",
    "subscribe",
    "dm",
    "forward",
    "promote",
    "ship",
    "announce",
];
const CHANGES: &[&str] = &[
    "create",
    "update",
    "modify",
    "edit",
    "write",
    "put",
    "patch",
    "insert",
    "upsert",
    "add",
    "append",
    "replace",
    "rename",
    "restore",
    "migrate",
    "restart",
    "start",
    "enable",
    "grant",
    "rotate",
    "approve",
    "reject",
    "assign",
    "unassign",
    "install",
    "upgrade",
    "apply",
    "import",
    "save",
    "store",
    "sync",
    "register",
    "configure",
    "provision",
    "attach",
    "lock",
    "unlock",
    "mark",
    "toggle",
    "increment",
    "click",
    "press",
    "fill",
    "drag",
    "hover_click",
    "tap",
    "swipe",
    "type",
    "keyboard",
    "mouse",
    "accept",
    "decline",
    "reopen",
    "merge",
    "rebase",
    "commit",
    "fork",
    "generate",
    "mutate",
    "link",
    "unarchive",
    "set",
    "change",
    "copy",
    "move",
    "make",
    "new",
    "init",
    "reboot",
    "resize",
    "scale",
    "tag",
    "label",
    "unlabel",
    "pin",
    "unpin",
    "vote",
    "react",
    "complete",
    "finish",
    "transition",
];
const RUNS: &[&str] = &[
    "execute",
    "exec",
    "eval",
    "evaluate",
    "invoke",
    "spawn",
    "shell",
    "bash",
    "terminal",
    "script",
    "javascript",
    "python",
    "powershell",
    "cmd",
    "repl",
];
const SECRETS: &[&str] = &[
    "secret",
    "secrets",
    "password",
    "passwords",
    "credential",
    "credentials",
    "apikey",
    "privatekey",
    "token",
    "tokens",
    "otp",
    "totp",
];

/// Words that are verbs in front and things elsewhere: they count only where nothing says that the tool looks.
const WEAK: &[&str] = &[
    "post", "message", "email", "mail", "release", "order", "book", "comment", "share", "schedule", "trigger", "run",
    "archive", "star", "sign", "call", "request", "query", "process", "handle", "manage", "action", "perform", "do",
    "use", "issue", "ticket", "booking", "event", "job", "task", "build", "workflow", "pipeline", "convert",
];
const READS: &[&str] = &[
    "get",
    "list",
    "read",
    "search",
    "find",
    "describe",
    "show",
    "view",
    "fetch",
    "lookup",
    "check",
    "count",
    "status",
    "info",
    "inspect",
    "preview",
    "validate",
    "explain",
    "summarize",
    "summarise",
    "analyze",
    "analyse",
    "ping",
    "help",
    "version",
    "whoami",
    "browse",
    "screenshot",
    "snapshot",
    "wait",
    "think",
    "thinking",
    "plan",
    "resolve",
    "diff",
    "compare",
    "logs",
    "log",
    "history",
    "ls",
    "glob",
    "grep",
    "tree",
    "stat",
    "head",
    "tail",
    "retrieve",
    "query",
    "lint",
    "test",
    "tests",
    "typecheck",
    "format",
    "compile",
    "calculate",
    "compute",
    "parse",
    "ask",
    "todo",
    "todoread",
    "todowrite",
    "docs",
    "documentation",
    "schema",
    "schemas",
    "metrics",
    "trace",
    "monitor",
    "watch",
    "scan",
    "audit",
    "verify",
    "navigate",
    "scroll",
    "hover",
    "back",
    "select",
    "exists",
    "is",
    "has",
    "download",
    "dashboard",
    "report",
    "weather",
    "time",
    "date",
    "now",
    "translate",
    "suggest",
    "recommend",
    "autocomplete",
    "outline",
    "symbols",
    "definition",
    "references",
    "diagnostics",
    "blame",
    "graph",
    "topology",
    "health",
    "aggregate",
    "sequentialthinking",
    "messages",
    "requests",
    "errors",
    "results",
];

/// Judges a name by its words.
pub(super) fn judge(name: &str) -> Judgement {
    let words = words(tool_part(name));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let reads = words.iter().any(|word| READS.contains(&word.as_str()) && !WEAK.contains(&word.as_str()));
    if has(DESTROYS) {
        return Judgement::Destroys;
    }
    if has(SENDS) {
        return Judgement::Sends;
    }
    if has(RUNS) {
        return Judgement::Runs;
    }
    if has(SECRETS) {
        // Counting tokens of a text is nothing secret; fetching a token is.
        let counts =
            words.iter().any(|word| matches!(word.as_str(), "count" | "list" | "estimate" | "limit" | "usage"));
        if !counts {
            return Judgement::Secrets;
        }
    }
    if has(CHANGES) {
        return Judgement::Changes;
    }
    // Many interfaces take a search by POST.
    let asked = words.iter().any(|word| word == "post")
        && words.last().is_some_and(|last| matches!(last.as_str(), "query" | "search"));
    if reads || asked {
        return Judgement::Reads;
    }
    if words.first().is_some_and(|first| READS.contains(&first.as_str())) {
        return Judgement::Reads;
    }
    match words.iter().any(|word| WEAK.contains(&word.as_str())) {
        true => Judgement::Changes,
        false => Judgement::Unknown,
    }
}

/// The name of the tool itself, without the server's.
pub(super) fn tool_part(name: &str) -> &str {
    let name = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or(name, |(_, tool)| tool);
    name.rsplit(['.', '/', ':']).next().unwrap_or(name)
}

/// The words of a name in snake, kebab or camel case, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let after = letters.get(at + 1);
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let begins = letter.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
                || before.is_some_and(|before| before.is_uppercase())
                    && after.is_some_and(|after| after.is_lowercase()));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(letter.to_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}
