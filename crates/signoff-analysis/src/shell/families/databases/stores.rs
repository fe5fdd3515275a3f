//! Stores that are not asked in SQL.

use super::{DROP, RESTORE, SCRIPT, SERVER, STORE_CODE, STORE_WRITE, WIPE};
use crate::{
    path_effects::Write,
    place::Nature,
    shell::{
        Call, Language, Shell,
        families::secrets,
        subcommands::{ByVerb, Deed, Line, Tool},
    },
    value::{Arg, Feed, Value},
};
use signoff_model::Span;

pub(super) fn mongo(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VALUES: &str = "\
    --eval -f --file --host -h --port -u --username -p --password --authenticationDatabase --tlsCAFile \
    --tlsCertificateKeyFile --apiVersion --retryWrites --shell-opt";
    let line = Line::read(&call.args, VALUES);
    if call.asks_for_help() {
        return call.output();
    }
    let texts = line.all_values(&["--eval"]);
    for text in &texts {
        mongo_script(shell, &text.value, text.span);
    }
    let mut scripts = line.all_values(&["-f", "--file"]);
    scripts.extend(
        line.words
            .iter()
            .filter(|word| word.known().is_some_and(|word| word.ends_with(".js") || word.ends_with(".mongodb")))
            .map(|word| (*word).clone()),
    );
    for script in &scripts {
        shell.tell(&SCRIPT, script.shown(), script.span);
    }
    if texts.is_empty() && scripts.is_empty() {
        match &call.stdin.text {
            Some(text) => mongo_script(shell, text, call.span),
            None if call.stdin.is_none() => {}
            None => shell.tell(&SCRIPT, call.name.as_str(), call.span),
        }
    }
    call.output()
}

/// Methods that change something, by how their names begin.
const MONGO_CHANGES: &[&str] = &[
    "drop",
    "delete",
    "remove",
    "insert",
    "update",
    "replace",
    "findAndModify",
    "findOneAnd",
    "bulkWrite",
    "createIndex",
    "createCollection",
    "createUser",
    "createRole",
    "createView",
    "ensureIndex",
    "rename",
    "mapReduce",
    "save",
    "convertToCapped",
    "grant",
    "revoke",
    "changeUserPassword",
    "setProfilingLevel",
    "initializeOrderedBulkOp",
    "initializeUnorderedBulkOp",
    "hideIndex",
    "unhideIndex",
    "reIndex",
    "compact",
    "cloneCollection",
    "copyTo",
    "copyDatabase",
    "watchAndDelete",
    "shardCollection",
    "enableSharding",
];
const MONGO_SERVER: &[&str] = &[
    "shutdownServer",
    "killOp",
    "fsyncLock",
    "fsyncUnlock",
    "stepDown",
    "freeze",
    "reconfig",
    "initiate",
    "addShard",
    "removeShard",
    "moveChunk",
    "adminCommand",
    "runCommand",
    "killCursors",
    "setParameter",
];
const MONGO_READ_COMMANDS: &[&str] = &[
    "ping",
    "serverStatus",
    "hello",
    "isMaster",
    "ismaster",
    "buildInfo",
    "dbStats",
    "collStats",
    "listDatabases",
    "listCollections",
    "listIndexes",
    "find",
    "count",
    "distinct",
    "explain",
    "connectionStatus",
    "currentOp",
    "getParameter",
    "hostInfo",
    "top",
    "replSetGetStatus",
    "getCmdLineOpts",
    "getLog",
    "usersInfo",
    "rolesInfo",
    "validate",
    "dataSize",
    "features",
    "profile",
];

fn mongo_script(shell: &mut Shell<'_>, text: &Value, span: Span) {
    let Some(code) = text.known() else {
        return shell.tell(&SCRIPT, text.shown(), span);
    };
    if code.contains("child_process") || code.contains("require(") || code.contains("process.") || code.contains("fs.")
    {
        shell.run_code(Language::JavaScript, &Arg { value: text.clone(), span }, Feed::none());
    }
    // Members by dot and by index, since `db["users"]["drop"]()` is the same call.
    let parts = code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$'));
    let mut called = Vec::new();
    // What is called again is looked at once.
    let mut seen = std::collections::HashSet::new();
    let mut before = '\n';
    let mut at = 0;
    for part in parts {
        let end = at + part.len();
        let is_call = || {
            let behind = code.get(end..).unwrap_or_default();
            behind.trim_start_matches(['"', '\'', '`', ']', ' ']).starts_with('(')
        };
        // `db.x.explain().remove(…)` says how it would be done.
        let explained = || code.get(..at).is_some_and(is_explained);
        let calls = !part.is_empty() && matches!(before, '.' | '"' | '\'' | '`') && is_call() && !explained();
        if (calls || part.starts_with('$')) && seen.insert(part) {
            called.push(part);
        }
        before = code.get(end..).and_then(|rest| rest.chars().next()).unwrap_or('\n');
        at = end + before.len_utf8();
    }
    for name in called {
        let rule = if name == "dropDatabase" {
            &DROP
        } else if MONGO_CHANGES.iter().any(|verb| name.starts_with(verb)) || matches!(name, "$out" | "$merge") {
            &STORE_WRITE
        } else if matches!(name, "adminCommand" | "runCommand")
            && MONGO_READ_COMMANDS.iter().any(|read| names_command(code, name, read))
        {
            continue;
        } else if MONGO_SERVER.contains(&name) {
            &SERVER
        } else if matches!(name, "eval" | "load" | "Function" | "$where" | "$function") {
            &STORE_CODE
        } else {
            continue;
        };
        shell.tell(rule, name, span);
    }
    let sets_up = ["rs.", "sh."].iter().any(|object| code.contains(object))
        && ["rs.add", "rs.remove", "sh.add", "sh.stop", "sh.start"].iter().any(|call| code.contains(call));
    if sets_up {
        shell.tell(&SERVER, code.chars().take(60).collect::<String>(), span);
    }
}

/// Whether what stands before a method is a call of `explain`. What a pipeline writes to, it writes when explained with
/// statistics as well; only the method itself does not run.
fn is_explained(before: &str) -> bool {
    let Some(behind) = before.strip_suffix('.').and_then(|text| text.trim_end().strip_suffix(')')) else {
        return false;
    };
    behind.rsplit_once(".explain(").is_some_and(|(_, mode)| !mode.contains(['(', ')', ';']))
}

/// Whether the argument of `runCommand` begins with this command.
fn names_command(code: &str, method: &str, command: &str) -> bool {
    code.split(method).skip(1).all(|rest| {
        let rest = rest.trim_start_matches(|letter: char| "({ \"'".contains(letter) || letter.is_whitespace());
        rest.strip_prefix(command).is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric()))
    })
}

pub(super) fn etcd(shell: &mut Shell<'_>, call: &Call) -> Feed {
    fn del(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
        let everything = line.has(&["--prefix", "--from-key"])
            && line.words.get(1).is_none_or(|key| key.known().is_some_and(str::is_empty));
        let rule = if everything { &WIPE } else { &STORE_WRITE };
        Deed::Tell(rule).done(shell, call, line)
    }
    /// A cluster keeps its secrets here, under names that say so.
    fn get(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
        let secret = |key: &str| key.contains("/secrets") || secrets::is_secret_name(key);
        let shows = !line.has(&["--keys-only", "--count-only"]);
        if shows && line.words.get(1).is_some_and(|key| key.known().is_some_and(secret)) {
            return Deed::Reveal(&secrets::SHOW_SECRET).done(shell, call, line);
        }
        call.output()
    }
    static TOOL: Tool = Tool {
        values: "\
        --endpoints --cacert --cert --key --user --password -w --write-out --command-timeout --dial-timeout \
        --limit",
        dry: &[],
        deeds: &[
            (
                Deed::Harmless,
                "\
            watch, member list, endpoint, alarm list, snapshot status, snapshot save, auth status, \
            user list, user get, role list, role get, check, lease list, lease timetolive, ls",
            ),
            (Deed::Judge(get), "get"),
            (Deed::Judge(del), "del, rm"),
            (Deed::Tell(&RESTORE), "snapshot restore"),
            (Deed::Tell(&SERVER), "member, alarm, auth, user, role, defrag, compaction, move-leader, downgrade"),
        ],
        otherwise: Deed::Tell(&STORE_WRITE),
    };
    TOOL.judge(shell, call)
}

pub(super) fn influx(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VERBS: ByVerb =
        ByVerb { destroys: Deed::Tell(&WIPE), changes: Deed::Tell(&STORE_WRITE), unclear: Deed::Tell(&STORE_WRITE) };
    static TOOL: Tool = Tool {
        values: "\
        --host --token -t --org -o --bucket -b --org-id --configs-path -c --active-config -f --file -n \
        --name",
        dry: &[],
        deeds: &[(Deed::Harmless, "ping, query, config list, config ls, backup, export")],
        otherwise: Deed::ByVerb(&VERBS),
    };
    TOOL.judge(shell, call)
}

pub(super) fn sqlite_utils(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static TOOL: Tool = Tool {
        values: "-p --param --pk --attach --csv-opt",
        dry: &[],
        deeds: &[(
            Deed::Harmless,
            "tables, views, rows, schema, indexes, triggers, search, dump, memory, plugins, analyze-tables, query",
        )],
        otherwise: Deed::Tell(&STORE_WRITE),
    };
    let line = Line::read(&call.args, TOOL.values);
    if let Some(name) = line.words.iter().find(|word| shell.place(&word.value).nature == Nature::Signoff) {
        shell.write(name, Write::Edit);
    }
    let query = if line.word(0) == Some("query") { line.words.get(2) } else { line.words.get(1) };
    let is_query = line.word(0) == Some("query") || line.word(0).is_some_and(|word| word.contains('.'));
    if let (true, Some(query)) = (is_query, query) {
        crate::sql::verdict_of_text(shell, &query.value, crate::sql::Dialect::Sqlite, query.span);
        return call.output();
    }
    TOOL.judge(shell, call)
}

/// Cypher: everything but `MATCH … RETURN` and its relatives changes the graph.
pub(super) fn cypher(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line =
        Line::read(&call.args, "-a --address -u --username -p --password -d --database -f --file --format -P --param");
    for name in line.all_values(&["-f", "--file"]) {
        shell.tell(&SCRIPT, name.shown(), name.span);
    }
    let text = match line.words.first() {
        Some(text) => Some(text.value.clone()),
        None => call.stdin.text.clone(),
    };
    let Some(text) = text else {
        if !call.stdin.is_none() {
            shell.tell(&SCRIPT, "cypher-shell", call.span);
        }
        return call.output();
    };
    let shown = text.shown().to_lowercase();
    let changes = [
        "create", "merge", "delete", "detach", "set", "remove", "drop", "foreach", "load", "call", "alter", "grant",
        "revoke", "deny", "start", "stop",
    ];
    if text.has_unknown()
        || shown.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| changes.contains(&word))
    {
        shell.tell(&STORE_WRITE, text.shown(), call.span);
    }
    call.output()
}
