//! What the arguments of any tool give away, whatever its name says.

use serde_json::Value;
use signoff_model::{FileAction, Scope};

use super::{
    Reader, TOOL_CHANGES, TOOL_DESTROYS, TOOL_METADATA, TOOL_RUNS, TOOL_SECRET, TOOL_SENDS, TOOL_THIRD_PARTY, address,
    arguments::{Arguments, PATHS, PROSE, SQL, plain},
    carried, commands,
    kinds::{Kind, is_foreign},
    run::{run_sql, touch},
    statement::{is_data_tool, is_sql, statement_in},
    verbs::{self, Judgement},
};
use crate::{lexicon::words, path_effects::named, shell::families::own, shell::rules::SEND_SECRET};

/// Looks at the arguments of a tool; `kind` says what it is if it is known, `judgement` what its name says otherwise.
pub(super) fn inspect(reader: &mut Reader<'_>, args: &Arguments, kind: Option<Kind>, judgement: Option<Judgement>) {
    flags(reader, args);
    let judged = matches!(kind, Some(Kind::Shell | Kind::Types | Kind::Code(_) | Kind::Patch | Kind::Carrier));
    if judged {
        return;
    }
    // What a server calls its tools binds nobody: under the name of a look there may be anything.
    let stranger = kind.is_none() || is_foreign(&reader.call.name);
    let tool = plain(&reader.call.name);
    let own = kind == Some(Kind::Harmless) && ["slashcommand", "memory", "lsp", "skill"].contains(&tool.as_str());
    if !own {
        commands::run_all(reader, &without_subcommands(args, kind));
    }
    if stranger {
        commands::run_codes(reader, args);
        carried::judge(reader, args, carried::Names::Plain);
        statements(reader, args);
    }
    let sends = sends(reader, args, kind, judgement);
    for (key, text) in args.texts() {
        addresses(reader, &key, &text, kind, sends);
        let path = PATHS.contains(&key.as_str()) && !text.is_empty() && !address::is_url(&text);
        let any = (stranger || kind == Some(Kind::Fetch)) && is_path_like(&key, &text);
        if (path && !matches!(kind, Some(Kind::File(_) | Kind::Editor))) || any {
            touch(reader, FileAction::Read, &text, None);
            if sends == Sends::Away
                && reader.paths_left > 0
                && let Some(secret) = reader.files().secret(&text)
            {
                let span = reader.span_of(&text);
                reader.findings.report(&SEND_SECRET, named(secret), Scope::Remote, span);
            }
        }
    }
    let looks = matches!(judgement, Some(Judgement::Reads))
        || matches!(kind, Some(Kind::File(FileAction::Read | FileAction::List) | Kind::Fetch | Kind::Sql));
    if looks {
        actions(reader, args);
    }
}

/// The arguments without a command that is one of the tool's own: `{"command": "view"}` of an editor, a statement of a database.
/// Any other text under such a name is one for a shell, whatever the tool is called.
fn without_subcommands(args: &Arguments, kind: Option<Kind>) -> Arguments {
    const SUBCOMMANDS: &[&str] = &[
        "view",
        "read",
        "create",
        "write",
        "edit",
        "strreplace",
        "replace",
        "insert",
        "append",
        "undoedit",
        "undo",
        "delete",
        "rename",
        "move",
        "list",
        "search",
    ];
    let own = |value: &Value| {
        value.as_str().is_some_and(|text| match kind {
            Some(Kind::Editor | Kind::File(_)) => SUBCOMMANDS.contains(&plain(text).as_str()),
            Some(Kind::Sql) => is_sql(text),
            _ => false,
        })
    };
    let value = match &args.value {
        Value::Object(fields) => {
            let others = fields.iter().filter(|(key, value)| !(plain(key) == "command" && own(value)));
            Value::Object(others.map(|(key, value)| (key.clone(), value.clone())).collect())
        }
        other => other.clone(),
    };
    Arguments { value, complete: args.complete }
}

/// Whether a text stands for a file: by its look, or by the name it stands under.
pub(super) fn is_path_like(key: &str, text: &str) -> bool {
    if text.is_empty() || text.len() > 1024 || text.contains('\n') || PROSE.contains(&key) || address::is_url(text) {
        return false;
    }
    if ["query", "q", "search"].contains(&key) {
        return false;
    }
    let rooted = text.starts_with(['/', '~', '\\', '%'])
        || text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"))
        || matches!(text.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    if rooted {
        return true;
    }
    let called = ["file", "path", "attach", "folder", "upload", "document"].iter().any(|word| key.contains(word));
    !text.contains(char::is_whitespace) && (called || text.starts_with('.') || text.contains(['/', '\\']))
}

/// Whether what a tool is given leaves the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sends {
    Away,
    Nothing,
}

fn sends(reader: &Reader<'_>, args: &Arguments, kind: Option<Kind>, judgement: Option<Judgement>) -> Sends {
    const WORDS: &[&str] = &["post", "put", "upload", "attach", "email", "mail", "webhook", "message", "share"];
    let texts = args.texts();
    let method = texts.iter().any(|(key, text)| key == "method" && changes_by_method(text));
    let outside = texts.iter().any(|(_, text)| address::is_url(text) && !address::is_local(text));
    let named = kind.is_none() && words(&reader.call.name).iter().any(|word| WORDS.contains(&word.as_str()));
    let away = judgement == Some(Judgement::Sends)
        || named
        || method
        || outside && judgement != Some(Judgement::Reads) && kind != Some(Kind::Harmless);
    if away { Sends::Away } else { Sends::Nothing }
}

fn changes_by_method(text: &str) -> bool {
    matches!(text.to_ascii_uppercase().as_str(), "POST" | "PUT" | "PATCH" | "DELETE")
}

/// Addresses that a tool is given, and files behind an address.
fn addresses(reader: &mut Reader<'_>, key: &str, text: &str, kind: Option<Kind>, sends: Sends) {
    let lower = text.trim_start().to_ascii_lowercase();
    if lower.starts_with("file:") || lower.starts_with("view-source:file:") {
        touch(reader, FileAction::Read, text.trim(), None);
        return;
    }
    let span = reader.span_of(text);
    if lower.starts_with("javascript:") {
        reader.say(&TOOL_RUNS, reader.call.name.clone(), span);
    }
    let bare = matches!(key, "url" | "uri" | "href" | "endpoint" | "host") && !PROSE.contains(&key);
    if !address::is_url(text) && !bare {
        return;
    }
    if address::is_metadata(text) {
        reader.say(&TOOL_METADATA, text.to_owned(), span);
    }
    // Whoever only fetches a page of Signoff's reads; a browser could press what is on it.
    let only_reads = kind == Some(Kind::Fetch) && sends == Sends::Nothing;
    if address::is_own(text) && !only_reads && !PROSE.contains(&key) {
        reader.findings.report(&own::OWN_STATE, named(text.to_owned()), Scope::System, span);
    }
    let third = ["webhook", "callback", "notifyurl", "postback", "forwardto", "forwardurl", "exfil"];
    if third.iter().any(|word| key.contains(word)) && !address::is_local(text) {
        reader.say(&TOOL_THIRD_PARTY, text.to_owned(), span);
    }
}

/// SQL under a name for SQL, and in a tool for databases under any name that is not for people to read.
fn statements(reader: &mut Reader<'_>, args: &Arguments) {
    let data = is_data_tool(&reader.call.name);
    for (key, text) in args.texts() {
        let meant = SQL.contains(&key.as_str());
        // A search is written into the same fields, so that only what reads as a statement is one.
        let sure = meant && (data || !matches!(key.as_str(), "query" | "querystring"));
        if sure && is_sql(&text) {
            run_sql(reader, &text);
        } else if (meant || data && !PROSE.contains(&key.as_str()))
            && !searches_the_web(&reader.call.name)
            && let Some(statement) = statement_in(&text)
        {
            run_sql(reader, statement);
        }
    }
}

fn searches_the_web(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| word == "search")
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "web" | "docs" | "documentation" | "code" | "google" | "brave"))
}

/// What a tool that looks is told to do instead.
fn actions(reader: &mut Reader<'_>, args: &Arguments) {
    const ACTIONS: &[&str] =
        &["action", "mode", "operation", "op", "method", "verb", "subcommand", "act", "actiontype", "operationtype"];
    for (key, text) in args.texts() {
        let span = reader.span_of(&text);
        if ACTIONS.contains(&key.as_str()) && text.len() < 64 {
            let rule = match verbs::judge(&text) {
                _ if key == "method" && changes_by_method(&text) => Some(&TOOL_SENDS),
                Judgement::Destroys => Some(&TOOL_DESTROYS),
                Judgement::Sends => Some(&TOOL_SENDS),
                Judgement::Runs => Some(&TOOL_RUNS),
                Judgement::Changes => Some(&TOOL_CHANGES),
                Judgement::Reads | Judgement::Secrets | Judgement::Unknown => None,
            };
            if let Some(rule) = rule {
                reader.say(rule, text.clone(), span);
            }
        }
        let kinds = ["resourcetype", "resource", "kind", "resourcekind", "objecttype"];
        if kinds.contains(&key.as_str()) && verbs::judge(&text) == Judgement::Secrets {
            reader.say(&TOOL_SECRET, text.clone(), span);
        }
    }
    for (key, value) in args.groups().into_iter().flatten() {
        let first = words(key).into_iter().next().unwrap_or_default();
        let destroys =
            ["delete", "purge", "destroy", "wipe", "drop", "truncate", "erase", "remove"].contains(&first.as_str());
        // Stages of a pipeline that write, and those that run code on the server.
        match key.as_str() {
            "$out" | "$merge" => reader.say(&TOOL_CHANGES, key.clone(), reader.title),
            "$where" | "$function" | "$accumulator" => reader.say(&TOOL_RUNS, key.clone(), reader.title),
            _ if destroys && is_on(value) => reader.say(&TOOL_DESTROYS, key.clone(), reader.title),
            _ => {}
        }
    }
}

/// Settings that take somebody's questions or a sandbox away.
fn flags(reader: &mut Reader<'_>, args: &Arguments) {
    const ON: &[&str] = &[
        "dangerouslyskippermissions",
        "skippermissions",
        "bypasspermissions",
        "ignorepermissions",
        "bypassapprovals",
        "skipapproval",
        "skipapprovals",
        "noapproval",
        "yolo",
        "autoapprove",
        "autoapproveall",
        "alwaysapprove",
        "noconfirm",
        "skipconfirm",
        "skipconfirmation",
        "disablesandbox",
        "nosandbox",
        "dangerouslydisablesandbox",
        "dangerfullaccess",
        "allowalltools",
        "trustalltools",
        "withescalatedpermissions",
        "fullauto",
        "disablesafety",
        "allowdangerous",
    ];
    const MODES: &[&str] = &[
        "mode",
        "permissionmode",
        "approvalmode",
        "approvalpolicy",
        "sandbox",
        "sandboxmode",
        "askforapproval",
        "sandboxpermissions",
    ];
    const VALUES: &[&str] = &[
        "bypasspermissions",
        "acceptedits",
        "dontask",
        "yolo",
        "never",
        "dangerfullaccess",
        "fullauto",
        "autoedit",
        "requireescalated",
    ];
    for (key, value) in args.groups().into_iter().flatten() {
        let name = plain(key);
        let by_value = MODES.contains(&name.as_str())
            && value.as_str().is_some_and(|text| text.len() < 64 && VALUES.contains(&plain(text).as_str()));
        if ON.contains(&name.as_str()) && is_on(value) || by_value {
            let shown = format!("{} {key}={value}", reader.call.name);
            reader.say(&own::UNGUARDED_AGENT, shown, reader.title);
        }
    }
}

fn is_on(value: &Value) -> bool {
    match value {
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "1" | "on"),
        _ => false,
    }
}
