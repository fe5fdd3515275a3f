//! Redis and its kin, other stores of keys, and what comes to them over a plain connection.

use signoff_model::Span;

use super::{PLANT_FILE, SCRIPT, SERVER, STORE_CODE, STORE_WRITE, WIPE};
use crate::{
    path_effects::Write,
    rule::Rule,
    shell::{Call, Shell, families::network::is_here, subcommands::Line},
    value::{Arg, Feed},
};

/// Commands of Redis that only look.
const REDIS_READS: &[&str] = &[
    "get",
    "mget",
    "getrange",
    "substr",
    "strlen",
    "exists",
    "type",
    "ttl",
    "pttl",
    "expiretime",
    "pexpiretime",
    "keys",
    "scan",
    "dbsize",
    "randomkey",
    "info",
    "ping",
    "echo",
    "time",
    "lastsave",
    "role",
    "select",
    "auth",
    "hello",
    "quit",
    "wait",
    "waitaof",
    "dump",
    "object",
    "hget",
    "hmget",
    "hgetall",
    "hkeys",
    "hvals",
    "hlen",
    "hexists",
    "hscan",
    "hstrlen",
    "hrandfield",
    "lrange",
    "llen",
    "lindex",
    "lpos",
    "smembers",
    "scard",
    "sismember",
    "smismember",
    "sscan",
    "srandmember",
    "sinter",
    "sunion",
    "sdiff",
    "sintercard",
    "zrange",
    "zrangebyscore",
    "zrevrange",
    "zrevrangebyscore",
    "zrangebylex",
    "zcard",
    "zcount",
    "zscore",
    "zmscore",
    "zrank",
    "zrevrank",
    "zscan",
    "zlexcount",
    "zrandmember",
    "xrange",
    "xrevrange",
    "xlen",
    "xread",
    "xinfo",
    "xpending",
    "getbit",
    "bitcount",
    "bitpos",
    "pfcount",
    "geopos",
    "geodist",
    "geohash",
    "geosearch",
    "georadius_ro",
    "command",
    "monitor",
    "subscribe",
    "psubscribe",
    "pubsub",
    "readonly",
    "readwrite",
    "asking",
    "lolwut",
    "help",
    "multi",
    "exec",
    "discard",
    "watch",
    "unwatch",
    "lcs",
    "sort_ro",
    "json.get",
    "json.mget",
    "json.type",
    "json.objkeys",
    "json.arrlen",
    "ft.search",
    "ft.info",
    "ft._list",
    "ft.aggregate",
    "ft.explain",
    "ts.get",
    "ts.range",
    "ts.info",
    "bf.exists",
    "bf.info",
    "graph.ro_query",
    "eval_ro",
    "touch",
    "module_list",
    "sentinel",
];

pub(super) fn redis(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VALUES: &str = "\
    -h -p -s -a -u -n -r -i -d -D -t -X --user --pass --sni --cacert --cert --key --pattern \
    --quoted-pattern --lru-test --rdb --functions-rdb --eval --intrinsic-latency --memkeys-samples \
    --show-pushes --count";
    let line = Line::leading(&call.args, VALUES);
    if call.asks_first_by(&["--help", "--version", "-v"]) {
        return call.output();
    }
    if let Some(file) = line.value(&["--rdb", "--functions-rdb"]) {
        shell.write(&file, Write::Replace);
    }
    let host = line.value(&["-h", "-u"]).map(|host| host.shown().into_owned());
    if let Some(host) = host.filter(|host| call.stdin.secret().is_some() && !is_here(host)) {
        shell.send(&host, std::iter::empty(), &call.stdin, call.span);
    }
    if line.has(&["--pipe"]) {
        shell.tell(&STORE_WRITE, "redis-cli --pipe", call.span);
    } else if line.given.iter().any(|given| given.name == "--eval") {
        shell.tell(&STORE_CODE, "redis-cli --eval", call.span);
    } else if line.has(&["--cluster"]) {
        let verb = line.rest.first().and_then(Arg::known);
        if !matches!(verb, Some("check" | "info" | "help")) {
            shell.tell(&SERVER, "redis-cli --cluster", call.span);
        }
    } else if !line.rest.is_empty() {
        redis_command(shell, line.rest, call.span);
    } else if let Some(text) = &call.stdin.text {
        let text = text.shown().into_owned();
        for one in text.lines() {
            let words: Vec<Arg> =
                one.split_whitespace().map(|word| Arg::text(word.trim_matches(['"', '\'']), call.span)).collect();
            redis_command(shell, &words, call.span);
        }
    } else if !call.stdin.is_none() {
        shell.tell(&SCRIPT, "redis-cli", call.span);
    }
    call.output()
}

/// Whether the words name a place where a file that is written becomes a log-in, a job or a page.
fn plants(words: &[String]) -> bool {
    const PLACES: &[&str] = &[
        "/.ssh",
        "authorized_keys",
        "/cron",
        "crontab",
        "/etc/",
        "/var/www",
        "/htdocs",
        ".php",
        ".jsp",
        "/.config/autostart",
        "/init.d",
    ];
    words.iter().any(|word| PLACES.iter().any(|place| word.contains(place)) || word == "/etc")
}

fn redis_command(shell: &mut Shell<'_>, words: &[Arg], span: Span) {
    let Some(first) = words.first() else { return };
    // One argument may hold the whole command.
    let shown: Vec<String> = words
        .iter()
        .flat_map(|word| word.shown().split_whitespace().map(str::to_lowercase).collect::<Vec<_>>())
        .collect();
    let command = shown.first().map_or("", String::as_str);
    let sub = shown.get(1).map_or("", String::as_str);
    let rule: &'static Rule = match (command, sub) {
        ("flushall" | "flushdb", _) => &WIPE,
        // The server writes its memory wherever it is told to: a log-in key, a table of jobs, a page of a web server.
        ("config", "set")
            if shown.get(2).is_some_and(|key| matches!(key.as_str(), "dir" | "dbfilename")) && plants(&shown) =>
        {
            &PLANT_FILE
        }
        ("config", "get" | "help") | ("client", "list" | "getname" | "info" | "id" | "help") => return,
        ("memory", "usage" | "stats" | "doctor" | "help") | ("slowlog", "get" | "len") | ("latency", _) => return,
        ("acl", "list" | "whoami" | "users" | "cat" | "getuser")
        | ("script" | "function", "exists" | "list" | "stats" | "dump") => return,
        ("cluster", "info" | "nodes" | "slots" | "shards" | "keyslot" | "countkeysinslot" | "myid")
        | ("module", "list") => return,
        ("debug", "object" | "sleep") | ("shutdown", "abort") => return,
        ("sentinel", "set" | "failover" | "remove" | "reset" | "monitor") => &SERVER,
        (
            "config" | "client" | "shutdown" | "replicaof" | "slaveof" | "cluster" | "failover" | "debug" | "acl"
            | "save" | "bgsave" | "bgrewriteaof" | "swapdb" | "psync" | "sync" | "reset" | "memory" | "slowlog",
            _,
        ) => &SERVER,
        ("eval" | "evalsha" | "fcall" | "function" | "script" | "module", _) => &STORE_CODE,
        _ if REDIS_READS.contains(&command) => return,
        _ if !first.value.has_unknown() || first.value.pieces().len() > 1 => &STORE_WRITE,
        _ => &SCRIPT,
    };
    shell.tell(rule, words.iter().take(4).map(|word| word.shown().into_owned()).collect::<Vec<_>>().join(" "), span);
}

/// Commands that come over a plain connection to a store on this machine: as lines, or as Redis packs them.
pub fn over_connection(shell: &mut Shell<'_>, text: &str, span: Span) {
    const ORDERS: &[&str] = &[
        "flushall",
        "flushdb",
        "del",
        "unlink",
        "set",
        "config",
        "shutdown",
        "slaveof",
        "replicaof",
        "eval",
        "module",
        "rename",
        "restore",
        "migrate",
        "debug",
        "script",
    ];
    let lines = || text.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let packed = lines().next().is_some_and(|line| line.starts_with('*'));
    let orders: Vec<String> = match packed {
        true => vec![lines().filter(|line| !line.starts_with(['*', '$'])).collect::<Vec<_>>().join(" ")],
        false => lines().map(str::to_owned).collect(),
    };
    for order in orders {
        let words: Vec<&str> = order.split_whitespace().collect();
        let first = words.first().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
        if first == "flush_all" {
            shell.tell(&WIPE, order.as_str(), span);
        } else if ORDERS.contains(&first.as_str()) {
            let words: Vec<Arg> = words.iter().map(|word| Arg::text(*word, span)).collect();
            redis_command(shell, &words, span);
        } else if first == "delete" {
            shell.tell(&STORE_WRITE, order.as_str(), span);
        }
    }
}

/// `hbase shell`: what is typed into it.
pub(super) fn hbase(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const LOSES: &[&str] =
        &["drop", "drop_all", "truncate", "truncate_preserve", "delete", "deleteall", "delete_snapshot"];
    const CHANGES: &[&str] = &["disable", "disable_all", "put", "alter", "restore_snapshot", "drop_namespace", "grant"];
    if call.arg(0) != Some("shell") {
        return call.output();
    }
    match &call.stdin.text {
        Some(text) => {
            for line in text.shown().lines() {
                let order = line.split_whitespace().next().unwrap_or_default();
                if LOSES.contains(&order) {
                    shell.tell(&WIPE, line.trim(), call.span);
                } else if CHANGES.contains(&order) {
                    shell.tell(&STORE_WRITE, line.trim(), call.span);
                }
            }
        }
        None if call.stdin.is_none() => {}
        None => shell.tell(&SCRIPT, call.name.as_str(), call.span),
    }
    call.output()
}

/// `elasticdump --input=a --output=b`: where the output is a server, data there is changed.
pub(super) fn elasticdump(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "--input --output --type --limit --searchBody --direction");
    if line.asks_for_help() {
        return call.output();
    }
    if let Some(to) = line.value(&["--output"]) {
        match to.shown().contains("://") {
            true => shell.tell(&STORE_WRITE, format!("{} → {}", call.name, to.shown()), to.span),
            false if to.is("$") => {}
            false => {
                shell.write(&to, Write::Replace);
            }
        }
    }
    if line.has(&["--delete", "--deleteAll"]) {
        shell.tell(&WIPE, call.name.as_str(), call.span);
    }
    call.output()
}
