//! Methods of things: what they do is known by their name and by what they are called on.

use signoff_model::{Dialect, Secret};

use super::{
    functions, lexicon, network,
    reader::Reader,
    rules,
    thing::{Args, Thing, pattern},
};
use crate::{
    path_effects::{Depth, Rights, Write},
    shell::{Language, Locus, families::own},
    value::{Feed, Origin, Origins, Piece, Value},
};

/// Calls a method of something that is no plain name.
pub(super) fn call(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) -> Thing {
    hand_elements(reader, thing, name, args);
    let found = match thing {
        Thing::Text(_) => of_text(reader, thing, name, args).or_else(|| of_path(reader, thing, name, args)),
        Thing::Path(_) | Thing::Many(_) => {
            of_path(reader, thing, name, args).or_else(|| of_text(reader, thing, name, args))
        }
        Thing::File(path) => of_file(reader, path, name, args),
        Thing::List(things) => of_list(reader, things, name, args),
        Thing::Name(function) => Some(of_function(reader, function, name, args)),
        _ => None,
    };
    if let Some(found) = found {
        return found;
    }
    let of = match thing {
        Thing::Result { of, .. } => format!("{of}.{name}"),
        _ => name.to_owned(),
    };
    // An interpreter within the interpreter.
    if reader.language == Language::Python
        && of.starts_with("code.Interactive")
        && matches!(name, "runsource" | "runcode" | "push" | "interact")
    {
        return reader.evaluate(args.get(0), name);
    }
    // What watches a program runs it.
    let watches = ["trace.Trace", "bdb.Bdb", "pdb.Pdb", "cProfile.Profile", "profile.Profile", "timeit.Timer"];
    if reader.language == Language::Python
        && watches.iter().any(|watcher| of.starts_with(watcher))
        && matches!(name, "run" | "runctx" | "runeval" | "runcall" | "runfunc")
        && matches!(args.get(0), Some(Thing::Text(_) | Thing::Result { .. }))
    {
        return reader.evaluate(args.get(0), name);
    }
    if let Some(function) = reader.own_function(&of) {
        reader.remember_call(&function, args);
    }
    if is_loop(name) {
        // A function among the arguments has had its element already.
        if args.items.is_empty() {
            reader.element = Some(reader.element_of_loop(thing));
        }
        if let Some(function) = reader.handed_function(args) {
            reader.call_name(&function, &Args { items: vec![thing.element()], named: Vec::new() });
        }
    }
    // `line.execute()` in Groovy and `line.!` in Scala run what they are called on.
    if reader.language == Language::Java
        && matches!(name, "execute" | "!" | "!!")
        && matches!(thing, Thing::Result { origins, .. } if !origins.is_empty())
    {
        return reader.run_shell_text(thing);
    }
    if let Some(result) = by_name(reader, &of, name, args) {
        return result;
    }
    if lexicon::says_it_destroys(name) {
        reader.shell.tell(&rules::DESTRUCTIVE_FUNCTION, name, reader.span);
    }
    if !lexicon::only_looks(name) && !lexicon::rewrites(name) && !lexicon::asks_a_text(name) {
        if let Some(harmful) = reader.harm_in(&thing.origins()).filter(|_| !args.items.is_empty()) {
            reader.shell.opaque(format!("{harmful}.…"), reader.span);
        } else if reader.call_handed(args).is_none() && !is_loop(name) {
            reader.warn_of_handed(name, args);
        }
    }
    // A connection that was opened with a setting gives rows, and not the setting.
    let used = |origin: &Origin| matches!(origin, Origin::Variable(_)) && !lexicon::rewrites(name);
    let mut origins: Origins = thing.origins();
    origins.extend(args.origins().into_iter().filter(|origin| !used(origin)));
    Thing::result(&shortened(&of), origins)
}

/// Whatever gets a function that does something may call it with what it is called on: `list.sort(key=f)`,
/// `list.some(f)`, `text.replace(pattern, f)`. Those that loop do it themselves.
fn hand_elements(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) {
    if is_loop(name) || lexicon::keeps(name) || lexicon::only_looks(name) {
        return;
    }
    let elements = match thing {
        Thing::List(things) => things.clone(),
        Thing::Text(_) | Thing::Path(_) => vec![thing.clone()],
        Thing::Many(_) => vec![thing.element()],
        Thing::Result { .. } if calls_for_each(name) => vec![thing.element()],
        _ => return,
    };
    let Some(function) = reader.handed_function(args) else { return };
    for element in reader.shell.first_of(elements, 64, reader.span) {
        reader.call_name(&function, &Args { items: vec![element], named: Vec::new() });
    }
}

fn shortened(of: &str) -> String {
    of.chars().take(160).collect()
}

pub(super) fn is_loop(name: &str) -> bool {
    matches!(
        name,
        "each"
            | "forEach"
            | "map"
            | "each_with_index"
            | "each_child"
            | "flatMap"
            | "filter"
            | "select"
            | "any"
            | "every"
            | "each_line"
    )
}

/// Whether a method calls what it gets with each element, or with the whole, of whatever it is called on.
pub(super) fn calls_for_each(name: &str) -> bool {
    is_loop(name)
        || matches!(
            name,
            "apply"
                | "applymap"
                | "agg"
                | "aggregate"
                | "transform"
                | "pipe"
                | "then"
                | "sort"
                | "sort_by"
                | "some"
                | "find"
                | "reduce"
                | "any?"
                | "all?"
        )
}

/// `f.call(…)`, `f.apply(…)`, `f.bind(…)`, `promise.then(…)`.
fn of_function(reader: &mut Reader<'_, '_>, function: &str, name: &str, args: &Args) -> Thing {
    match name {
        "call" => reader.call_name(
            function,
            &Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: args.named.clone() },
        ),
        "apply" if function == "Reflect" => {
            let called = args.get(0).cloned().unwrap_or_else(Thing::unknown);
            let items = match args.get(2) {
                Some(Thing::List(things)) => things.clone(),
                other => other.into_iter().cloned().collect(),
            };
            reader.call(&called, &Args { items, named: Vec::new() })
        }
        "apply" => {
            let items = match args.get(1) {
                Some(Thing::List(things)) => things.clone(),
                Some(other) => vec![other.clone()],
                None => Vec::new(),
            };
            reader.call_name(function, &Args { items, named: Vec::new() })
        }
        "bind" => {
            // What is bound to arguments is called with them, sooner or later.
            let bound = args.items.get(1..).unwrap_or_default();
            let itself = Args { items: vec![Thing::Name(function.to_owned())], named: Vec::new() };
            if !bound.is_empty() && reader.handed_function(&itself).is_some() {
                reader.call_name(function, &Args { items: bound.to_vec(), named: Vec::new() });
            }
            Thing::Name(function.to_owned())
        }
        _ => Thing::result(function, args.origins()),
    }
}

fn of_text(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) -> Option<Thing> {
    let known = thing.known();
    let computed = |text: Option<String>| Some(text.map_or_else(|| Thing::result("", thing.origins()), Thing::text));
    match name {
        "execute" if reader.language == Language::Java => Some(reader.run_shell_text(thing)),
        // A module of Erlang is named by a symbol: `:os.cmd(…)`.
        _ if reader.language == Language::Other
            && known.is_some_and(|module| reader.knows(&format!("{module}.{name}"))) =>
        {
            let full = format!("{}.{name}", known.unwrap_or_default());
            Some(reader.call_name(&full, args))
        }
        "decode" if args.known(0) == Some("base64") => computed(known.and_then(super::decoding::base64)),
        "encode" | "decode" | "toString" | "to_s" | "strip_margin" | "as_posix" | "dup" | "freeze" | "toCharArray"
        | "getBytes" | "to_sym" | "String" => Some(thing.clone()),
        "unwrap" | "expect" | "unwrap_or_default" | "to_string" | "to_owned" | "clone" | "as_str" | "as_bytes"
        | "into"
            if reader.language == Language::Rust =>
        {
            Some(thing.clone())
        }
        "join" => match args.get(0) {
            Some(Thing::List(things)) => Some(functions::joined(things, &thing.value())),
            _ => Some(Thing::result("", args.origins())),
        },
        "format" => Some(functions::format(thing, args)),
        "concat" => Some(args.items.iter().fold(thing.clone(), Thing::joined)),
        "replace" | "replaceAll" | "gsub" | "sub" | "tr" => match (known, args.known(0), args.known(1)) {
            (Some(text), Some(from), Some(to)) if !from.is_empty() && name != "tr" => {
                Some(Thing::text(text.replace(from, to)))
            }
            _ => Some(Thing::result("", thing.origins())),
        },
        "strip" | "trim" | "chomp" | "rstrip" | "lstrip" | "trimEnd" | "trimStart" | "stripIndent" => {
            computed(known.map(|text| text.trim().to_owned()))
        }
        "lower" | "toLowerCase" | "downcase" => computed(known.map(str::to_lowercase)),
        "upper" | "toUpperCase" | "upcase" => computed(known.map(str::to_uppercase)),
        "reverse" => Some(functions::reversed(thing)),
        "split" => match (known, args.known(0)) {
            (Some(text), Some("")) => {
                Some(Thing::List(text.chars().take(4096).map(|letter| Thing::text(letter.to_string())).collect()))
            }
            (Some(text), Some(mark)) => Some(Thing::List(text.split(mark).take(4096).map(Thing::text).collect())),
            (_, None) => Some(functions::split_words(thing)),
            _ => Some(Thing::result("", thing.origins())),
        },
        "unpack1" | "unpack" => match args.known(0) {
            Some("m" | "m0") => computed(known.and_then(super::decoding::base64)),
            _ => Some(Thing::result("", thing.origins())),
        },
        "hex" | "fromhex" => computed(known.and_then(super::decoding::hexadecimal)),
        "constantize" | "to_proc" => known.map(|text| Thing::Name(text.to_owned())),
        _ => None,
    }
}

fn of_list(reader: &mut Reader<'_, '_>, things: &[Thing], name: &str, args: &Args) -> Option<Thing> {
    match name {
        "execute" if reader.language == Language::Java => {
            let feed = reader.run_program(things, Feed::none());
            Some(reader.outcome(feed, false))
        }
        "join" => Some(functions::joined(things, &args.get(0).map(Thing::value).unwrap_or_default())),
        "reverse" => Some(functions::reversed(&Thing::List(things.to_vec()))),
        "pack" => {
            let text: Option<String> = match args.known(0) {
                Some("m" | "m0") => None,
                Some(format) if format.starts_with(['H', 'h']) => {
                    things.first().and_then(Thing::known).and_then(super::decoding::hexadecimal)
                }
                _ => things
                    .iter()
                    .map(|thing| thing.number().and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32))
                    .collect(),
            };
            Some(text.map_or_else(Thing::unknown, Thing::text))
        }
        // A program and its arguments, put together step by step.
        "arg" | "args" if reader.language == Language::Rust => {
            let mut all = things.to_vec();
            all.extend(args.flat());
            Some(Thing::List(all))
        }
        "status" | "spawn" | "output" | "exec" if reader.language == Language::Rust => {
            let feed = reader.in_directory(args, |reader| reader.run_program(things, Feed::none()));
            Some(reader.outcome(feed, false))
        }
        "current_dir" | "stdin" | "stdout" | "stderr" | "env" | "envs" | "env_clear"
            if reader.language == Language::Rust =>
        {
            Some(Thing::List(things.to_vec()))
        }
        "execute" if reader.language == Language::Java => {
            reader.run_program(things, Feed::none());
            Some(Thing::unknown())
        }
        "concat" | "push" | "append" | "extend" | "add" | "insert" | "unshift" => {
            let mut all = things.to_vec();
            all.extend(args.flat());
            all.truncate(4096);
            Some(Thing::List(all))
        }
        "start" | "run" => None,
        _ if is_loop(name) => {
            if let Some(function) = reader.handed_function(args) {
                for thing in reader.shell.first_of(things, 64, reader.span) {
                    reader.call_name(&function, &Args { items: vec![thing.clone()], named: Vec::new() });
                }
                return Some(Thing::unknown());
            }
            None
        }
        _ => None,
    }
}

fn of_path(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) -> Option<Thing> {
    let arg = thing.arg(reader.span);
    let is_path = matches!(thing, Thing::Path(_));
    match name {
        "unlink" | "delete" | "deleteOnExit" | "deleteIfExists" if is_path => reader.shell.delete(&arg, Depth::Single),
        "rmdir" | "removedirs" if is_path => reader.shell.delete(&arg, Depth::EmptyOnly),
        "rmtree" | "deleteDir" | "deleteRecursively" | "remove_tree" | "rm_rf" | "rmtree_p" if is_path => {
            reader.shell.delete(&arg, Depth::Recursive)
        }
        "write_text" | "write_bytes" | "write" | "writeText" | "setText" | "spew" | "spew_utf8" if is_path => {
            reader.write_to(Some(thing), Write::Replace, args.get(0), args);
        }
        "append" | "appendText" if is_path => reader.shell.write(&arg, Write::Append),
        "touch" | "mkdir" | "mkdirs" | "createNewFile" | "symlink_to" | "hardlink_to" | "mkpath" if is_path => {
            reader.shell.write(&arg, Write::New)
        }
        "rename" | "replace" | "move" | "renameTo" if is_path => {
            if let Some(to) = args.get(0) {
                reader.shell.relocate(&arg, &to.arg(reader.span), Write::Replace);
            }
        }
        "chmod" if is_path => {
            let rights = match args.get(0).and_then(Thing::number) {
                Some(mode) if mode & 0o6000 != 0 => Rights::SetUser,
                Some(mode) if mode & 0o002 != 0 => Rights::Open,
                _ => Rights::Usual,
            };
            reader.shell.change_rights(&arg, rights, Depth::Single);
        }
        "read_text" | "read_bytes" | "readText" | "readLines" | "getText" | "text" | "read" | "slurp" | "readlines"
            if is_path =>
        {
            return Some(reader.read_file(Some(thing), "read"));
        }
        "open" if is_path => {
            let mut items = vec![thing.clone()];
            items.extend(args.items.iter().cloned());
            return Some(reader.perform(super::names::Act::Open, "open", &Args { items, named: args.named.clone() }));
        }
        "glob" | "rglob" if is_path => {
            let deep = if name == "rglob" { "**/" } else { "" };
            let mut value = thing.clone().below(&Thing::text("")).value();
            let found = pattern(&Value::text(format!("{deep}{}", args.known(0).unwrap_or("*"))));
            for piece in found.pieces() {
                value.push(piece.clone());
            }
            return Some(Thing::Many(value));
        }
        "iterdir" | "listFiles" | "children" | "eachFile" | "eachFileRecurse" if is_path => {
            let mut value = thing.clone().below(&Thing::text("")).value();
            value.push(Piece::glob("*"));
            return Some(Thing::Many(value));
        }
        "joinpath" | "resolve" | "join" if is_path && !args.items.is_empty() => {
            return Some(args.items.iter().fold(thing.clone(), Thing::below));
        }
        "resolve" | "absolute" | "expanduser" | "as_posix" | "toPath" | "toFile" | "toString" | "to_s"
        | "toAbsolutePath" | "normalize"
            if is_path =>
        {
            if let Some(rest) = thing.known().and_then(|path| path.strip_prefix("~/")).filter(|_| name == "expanduser")
            {
                return Some(Thing::Path(Value::text(format!("{}/{rest}", reader.shell.whereabouts().home))));
            }
            return Some(thing.clone());
        }
        "sorted" | "stream" | "parallel" | "iterator" | "toList" | "collect" | "sort" | "reversed" | "toArray"
            if matches!(thing, Thing::Many(_)) =>
        {
            return Some(thing.clone());
        }
        _ if is_loop(name) && matches!(thing, Thing::Many(_)) => {
            if let Some(function) = reader.handed_function(args) {
                reader.call_name(&function, &Args { items: vec![thing.element()], named: Vec::new() });
                return Some(Thing::unknown());
            }
            reader.element = Some(thing.element());
            return None;
        }
        _ => return None,
    }
    Some(Thing::unknown())
}

fn of_file(reader: &mut Reader<'_, '_>, path: &Value, name: &str, args: &Args) -> Option<Thing> {
    match name {
        "write" | "puts" | "print" | "writelines" | "write_text" | "printf" | "end" | "println" => {
            if let Some(content) = args.get(0) {
                reader.put_into(path, content);
            }
            Some(Thing::unknown())
        }
        "truncate" if args.items.is_empty() || args.get(0).and_then(Thing::number) == Some(0) => Some(Thing::unknown()),
        _ => None,
    }
}

/// Whether a call records what a person types.
fn records_keys(of: &str, name: &str) -> bool {
    let keyboard = of.contains("keyboard") || of.contains("pynput") || of.contains("pyxhook");
    keyboard
        && matches!(
            name,
            "Listener"
                | "record"
                | "start_recording"
                | "read_key"
                | "read_event"
                | "hook"
                | "on_press"
                | "on_release"
                | "HookManager"
        )
}

/// What a call does by its last name, whatever it is called on.
pub(super) fn by_name(reader: &mut Reader<'_, '_>, of: &str, name: &str, args: &Args) -> Option<Thing> {
    if reader.language == Language::Java && name == "execute" && args.items.is_empty() {
        reader.seen.runs_unknown = true;
    }
    let in_memory = of.contains(":memory:");
    // GitPython: `repo.git.reset("--hard")` is `git reset --hard`.
    if reader.language == Language::Python && of.strip_suffix(name).is_some_and(|base| base.ends_with(".git.")) {
        let verb = Args { items: vec![Thing::text(name.replace('_', "-"))], named: Vec::new() };
        let all = Args { items: verb.items.into_iter().chain(args.flat()).collect(), named: args.named.clone() };
        return Some(reader.delegate("git", &all));
    }
    if records_keys(of, name) {
        reader.seen.secret = Some(Secret::Typed.to_string());
        reader.seen.keys = true;
        reader.shell.tell(&rules::CODE_KEYS, shortened(of), reader.span);
        return Some(Thing::result(of, vec![Origin::Secret(Secret::Typed.to_string())]));
    }
    let asks_about = matches!(
        name,
        "exists" | "existsSync" | "isfile" | "is_file" | "file_exists" | "stat" | "statSync" | "getsize" | "dirname"
    );
    if !asks_about && !lexicon::only_looks(name) {
        reader.opens_own(args);
    }
    if matches!(name, "connect" | "Database" | "DatabaseSync" | "open" | "better-sqlite3") {
        reader.opens_database(args);
    }
    match name {
        "unlink" | "unlinkSync" | "rmtree" | "rm_rf" | "rimraf" | "deleteRecursively" | "deleteDir"
            if !of.starts_with("redis") =>
        {
            let depth = if name.starts_with("unlink") { Depth::Single } else { Depth::Recursive };
            let what = args.get(0).map_or_else(
                || Thing::result(of.rsplit_once('.').map_or(of, |(base, _)| base), Vec::new()),
                Clone::clone,
            );
            reader.shell.delete(&what.arg(reader.span), depth);
        }
        "connect" if args.known(0) == Some(":memory:") => return Some(Thing::result(":memory:", Vec::new())),
        // Without a file, it keeps everything in memory.
        "connect" if of.starts_with("duckdb") && args.items.is_empty() && args.named.is_empty() => {
            return Some(Thing::result(":memory:", Vec::new()));
        }
        "connect" if of.starts_with("socket") || of.contains("Socket") => {
            let address = args.get(0).and_then(|thing| network::address_of(thing, args.get(1)));
            reader.seen.connects = Some(address.unwrap_or_default());
        }
        // Only who looks for open doors asks for the number of the mistake, at many of them.
        "connect_ex" if !reader.straight => {
            let address = args.get(0).and_then(|thing| network::address_of(thing, args.get(1)));
            if !address.as_deref().is_some_and(network::is_local) {
                reader.shell.tell(
                    &rules::CODE_SCAN,
                    address.unwrap_or_else(|| "other machines".to_owned()),
                    reader.span,
                );
            }
        }
        "bind" | "listen" if of.starts_with("socket") => reader.seen.listens = true,
        "accept" => reader.seen.waits = true,
        "execute" | "executescript" | "executemany" | "exec" | "query" | "raw" | "do" | "prepare" | "execute_sql"
        | "exec_query" | "executeRaw" | "$executeRaw" | "$executeRawUnsafe" | "$queryRaw" | "$queryRawUnsafe"
        | "run" | "exec_driver_sql" | "read_sql" | "executeQuery" | "executeUpdate" | "fetch_all" | "text"
        | "select_all" => {
            let sql =
                args.items.iter().find(|thing| matches!(thing, Thing::Text(value) if begins_like_sql(value.prefix())));
            match sql {
                Some(sql) if !in_memory => {
                    let sql = sql.value();
                    crate::sql::verdict_of_text(reader.shell, &sql, crate::sql::Dialect::Any, reader.span);
                }
                Some(_) => {}
                None => return None,
            }
            return Some(Thing::result(of, Vec::new()));
        }
        "system" | "popen" | "doShellScript" | "execSync" | "shellExec" | "shell_exec" | "getoutput" | "runCommand"
        | "run_command" | "execCommand"
            if matches!(args.get(0), Some(Thing::Text(_))) =>
        {
            let code = args.get(0).cloned().unwrap_or_else(Thing::unknown);
            return Some(reader.run_shell_text(&code));
        }
        "upload_file" if reader.names_secret(args) => {
            let feed = Feed::from(Origin::Secret(Secret::File.to_string()));
            reader.shell.send(&shortened(of), std::iter::empty(), &feed, reader.span);
        }
        "storbinary" | "storlines" | "upload_file" | "upload_fileobj" | "put_object" => {
            return Some(network::send(reader, args.get(0), args));
        }
        "request" if matches!(args.known(0), Some("POST" | "PUT" | "DELETE" | "PATCH")) => {
            return Some(network::send(reader, args.get(1), args));
        }
        "method" if reader.language == Language::Ruby && args.known(0).is_some() => {
            let base = of.rsplit_once('.').map_or("", |(base, _)| base);
            return Some(Thing::Name(format!("{base}.{}", args.known(0).unwrap_or_default())));
        }
        "exec_command" => {
            if let Some(code) = args.get(0) {
                let arg = code.arg(reader.span);
                reader
                    .shell
                    .elsewhere(Locus::Remote(of.to_owned()), |shell| shell.run_text(&arg, Dialect::Sh, Feed::none()));
            }
        }
        "drop_all" | "dropDatabase" | "drop_database" | "drop_collection" | "dropCollection" | "deleteMany"
        | "delete_many" | "deleteOne" | "delete_one" | "delete_all" | "destroy_all" | "truncate_table" | "flushall"
        | "flushdb" | "flushAll" | "flushDb" | "drop_table" | "drop_tables" | "dropTable" | "dropTables"
        | "dropIfExists" | "update_all" | "updateMany" | "update_many" | "bulk_delete" | "delete_index"
        | "remove_collection" | "dropSchema" | "drop_schema" | "destroyAll" | "deleteAll" | "delete_collection"
        | "delete_table"
            if !in_memory =>
        {
            reader.shell.tell(&rules::CODE_DATABASE, shortened(of), reader.span);
        }
        "delete" | "destroy" | "truncate" | "drop" | "sync" | "remove" | "update" | "forceDelete" | "_raw_delete"
        | "delete!" | "destroy!"
            if is_query(of, name, args) && !in_memory =>
        {
            reader.shell.tell(&rules::CODE_DATABASE, shortened(of), reader.span);
        }
        "post" | "put" | "patch" | "delete" if is_client(of) => return Some(network::send(reader, args.get(0), args)),
        "get" | "head" if is_client(of) => {
            let url = args.get(0).map(|thing| thing.value().shown().into_owned()).unwrap_or_default();
            return Some(network::downloaded(reader, &url));
        }
        // What carries a secret to another machine, whatever it is usually for.
        "sendmail" | "send_message" | "sendMail" | "gethostbyname" | "getaddrinfo" | "gethostbyname_ex" | "resolve"
        | "resolve4" | "lookup" | "dns_get_record" | "gethostbynamel" | "checkdnsrr" | "curl_setopt"
        | "curl_setopt_array" | "mail" | "ping"
            if Feed::from_all(args.origins()).secret().is_some() =>
        {
            return Some(network::send(reader, args.get(0), args));
        }
        "put" | "upload" | "putfo" | "fastPut" | "UploadFile"
            if ["paramiko", "sftp", "SFTP", "ftp", "scp", "boto3", "storage", "s3"]
                .iter()
                .any(|way| of.contains(way))
                && reader.names_secret(args) =>
        {
            let feed = Feed::from(Origin::Secret(of.to_owned()));
            reader.shell.send(&shortened(of), std::iter::empty(), &feed, reader.span);
        }
        "end" | "write" if of.starts_with("response") && Feed::from_all(args.origins()).secret().is_some() => {
            return Some(network::send(reader, None, args));
        }
        // What a message holds is put into it in many ways; code that reads a secret and mails, mails the secret.
        "sendmail" | "send_message" | "sendMail" | "deliver_now" | "deliver_later" if reader.seen.secret.is_some() => {
            let feed = Feed::from_all(reader.seen.secret.iter().cloned().map(Origin::Secret).collect::<Origins>());
            reader.shell.send(&shortened(of), std::iter::empty(), &feed, reader.span);
        }
        "sendmail" | "send_message" | "sendMail" | "deliver_now" | "deliver_later" => {
            reader.seen.sent.get_or_insert_with(|| of.to_owned());
            reader.shell.tell(&rules::CODE_MAIL, shortened(of), reader.span);
        }
        "chat_postMessage" => reader.shell.tell(&rules::CODE_REMOTE, shortened(of), reader.span),
        "postMessage" if of.contains("chat.") => reader.shell.tell(&rules::CODE_REMOTE, shortened(of), reader.span),
        "send" | "sendall" | "sendto" | "write" | "write_all" | "Write" if of.starts_with("socket") => {
            let to = reader.seen.connects.clone().unwrap_or_else(|| "another machine".to_owned());
            let feed = Feed::from_all(args.origins());
            if !network::is_local(&to) || feed.secret().is_some() {
                reader.shell.send(&to, std::iter::empty(), &feed, reader.span);
            }
        }
        _ if changes_service(of, name) => reader.shell.tell(&rules::CODE_REMOTE, shortened(of), reader.span),
        "kill" | "terminate" | "suspend" if of.starts_with("psutil") => {
            if let Some(name) = reader.names_in_texts(own::names_signoff) {
                own::steered_by_code(reader.shell, &name, reader.span);
            }
            reader.shell.tell(&rules::CODE_PROCESS, shortened(of), reader.span);
        }
        "getRuntime" => return Some(Thing::Name("Runtime.getRuntime".to_owned())),
        "mainModule" => return Some(Thing::unknown()),
        "require" if args.known(0).is_some() => {
            reader.shell.import(reader.language, args.known(0).unwrap_or_default(), reader.span);
            return Some(Thing::Name(functions::module_name(args.known(0).unwrap_or_default())));
        }
        "const_get" | "import_module" if args.known(0).is_some() => {
            reader.shell.import(reader.language, args.known(0).unwrap_or_default(), reader.span);
            return Some(Thing::Name(args.known(0).unwrap_or_default().to_owned()));
        }
        "environ" | "env" => return None,
        "items" | "copy" | "to_h" | "entries" | "keys" | "values" | "to_s" | "inspect" | "to_json" | "to_a"
        | "toString"
            if functions::is_environment(of.rsplit_once('.').map_or("", |(base, _)| base)) =>
        {
            return Some(if name == "keys" { Thing::unknown() } else { Thing::Name("os.environ".to_owned()) });
        }
        "dict" | "Object.entries" | "Object.assign" if matches!(args.get(0), Some(Thing::Name(name)) if functions::is_environment(name)) =>
        {
            return Some(Thing::Name("os.environ".to_owned()));
        }
        "public_send" | "send" | "__send__" if reader.language == Language::Ruby && args.known(0).is_some() => {
            let base = of.rsplit_once('.').map_or("", |(base, _)| base);
            let target = if base.is_empty() {
                args.known(0).unwrap_or_default().to_owned()
            } else {
                format!("{base}.{}", args.known(0).unwrap_or_default())
            };
            return Some(reader.call_name(
                &target,
                &Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: args.named.clone() },
            ));
        }
        "instance_eval" | "class_eval" | "module_eval" | "runInContext" | "runInThisContext" | "runInNewContext"
            if matches!(args.get(0), Some(Thing::Text(_))) =>
        {
            return Some(reader.evaluate(args.get(0), name));
        }
        "loads" | "load"
            if of.starts_with("pickle")
                || of.starts_with("dill")
                || of.starts_with("cloudpickle")
                || of.starts_with("marshal")
                || of.starts_with("jsonpickle") =>
        {
            let foreign = args
                .origins()
                .iter()
                .any(|origin| matches!(origin, Origin::Download { .. } | Origin::Decoded | Origin::Input));
            if foreign {
                reader.shell.run_feed(reader.language, Feed::from_all(args.origins()), reader.span);
            }
        }
        _ => return None,
    }
    Some(Thing::result(&shortened(of), args.origins()))
}

/// Whether a text begins with a word of SQL.
fn begins_like_sql(text: &str) -> bool {
    let word: String = text.trim_start().chars().take_while(|letter| letter.is_ascii_alphabetic()).take(12).collect();
    matches!(
        word.to_ascii_uppercase().as_str(),
        "SELECT"
            | "INSERT"
            | "UPDATE"
            | "DELETE"
            | "DROP"
            | "CREATE"
            | "ALTER"
            | "TRUNCATE"
            | "PRAGMA"
            | "VACUUM"
            | "WITH"
            | "GRANT"
            | "REVOKE"
            | "BEGIN"
            | "COMMIT"
            | "MERGE"
            | "REPLACE"
            | "EXPLAIN"
            | "SHOW"
            | "SET"
            | "CALL"
            | "COPY"
            | "LOCK"
            | "RENAME"
            | "ATTACH"
            | "DETACH"
            | "REINDEX"
            | "ANALYZE"
            | "ROLLBACK"
            | "EXEC"
    )
}

/// Whether the chain of names is one of an object mapper, so that the last name deletes or changes rows.
fn is_query(of: &str, name: &str, args: &Args) -> bool {
    let mut chain = of.split('.');
    let has = |words: &[&str]| of.split('.').any(|part| words.contains(&part));
    let model = chain.next().is_some_and(|first| first.starts_with(|letter: char| letter.is_ascii_uppercase()));
    match name {
        "sync" => args.is_set("force"),
        "update" => has(&["objects", "query", "where"]) && !of.starts_with("hashlib"),
        "remove" => has(&["collection", "getCollection"]) || of.starts_with("db."),
        "drop" => of.starts_with("db.") || has(&["collection", "Schema", "getCollection", "__table__", "schema"]),
        "truncate" => model && args.items.is_empty() || has(&["table", "DB"]),
        _ => {
            has(&[
                "objects",
                "query",
                "filter",
                "where",
                "find_by",
                "find",
                "first",
                "last",
                "table",
                "all",
                "filter_by",
                "session",
                "get",
            ]) && !of.starts_with("document")
                && (model || has(&["objects", "query", "filter_by", "session", "where", "table"]))
        }
    }
}

/// Whether the chain of names is a client of HTTP.
fn is_client(of: &str) -> bool {
    let first = of.split('.').next().unwrap_or(of);
    matches!(
        first,
        "requests"
            | "httpx"
            | "axios"
            | "aiohttp"
            | "session"
            | "client"
            | "http"
            | "LWP"
            | "HTTP"
            | "$ua"
            | "Faraday"
            | "RestClient"
            | "urllib3"
            | "superagent"
            | "got"
            | "$http"
    ) && (of.contains("Session")
        || of.contains("Client")
        || of.contains("UserAgent")
        || matches!(first, "axios" | "session" | "$ua" | "superagent" | "got" | "http" | "urllib3"))
}

/// Whether a call changes something at a service that is reached through this library.
fn changes_service(of: &str, name: &str) -> bool {
    let library = of.split(['.', '/']).find(|part| !part.is_empty()).unwrap_or(of).trim_start_matches('@');
    let verb = name.trim_start_matches("batch_").trim_start_matches("bulk_").trim_start_matches("batch");
    let lower = verb.to_ascii_lowercase();
    // Whatever is changed there is changed for others.
    let shared = matches!(
        library,
        "boto3"
            | "aws-sdk"
            | "aws_sdk"
            | "botocore"
            | "aioboto3"
            | "google"
            | "google-cloud"
            | "googleapiclient"
            | "azure"
            | "stripe"
            | "github"
            | "gitlab"
            | "octokit"
            | "Octokit"
            | "slack_sdk"
            | "twilio"
            | "sendgrid"
            | "shopify"
            | "firebase_admin"
            | "firebase-admin"
            | "cloudflare"
            | "CloudFlare"
            | "digitalocean"
            | "hvac"
            | "oci"
            | "heroku3"
            | "jira"
            | "kubernetes"
    );
    // What is created there is everyday work; what is deleted is gone.
    let kept = matches!(
        library,
        "mlflow"
            | "wandb"
            | "huggingface_hub"
            | "docker"
            | "pinecone"
            | "qdrant_client"
            | "weaviate"
            | "chromadb"
            | "elasticsearch"
            | "opensearchpy"
            | "pulsar"
            | "kafka"
            | "confluent_kafka"
            | "pika"
            | "nats"
            | "minio"
            | "hdfs"
            | "pyarrow"
            | "snowflake"
            | "influxdb_client"
            | "consul"
            | "etcd3"
            | "openai"
            | "anthropic"
            | "prefect"
            | "airflow"
            | "clearml"
            | "neptune"
            | "supabase"
            | "notion_client"
            | "pyairtable"
            | "meilisearch"
            | "typesense"
            | "algoliasearch"
            | "ldap3"
            | "kazoo"
    );
    shared && changes_cloud(&lower) || kept && DESTROYS.iter().any(|destroys| lower.starts_with(destroys))
}

/// How the names of methods begin that take something away.
const DESTROYS: &[&str] = &["delete", "remove", "destroy", "terminate", "purge", "drop", "prune", "kill", "rm"];

fn changes_cloud(name: &str) -> bool {
    [
        "delete",
        "terminate",
        "put",
        "create",
        "update",
        "stop",
        "reboot",
        "modify",
        "attach",
        "detach",
        "upload",
        "run_",
        "start_",
        "send_",
        "publish",
        "invoke",
        "purge",
        "copy_object",
        "revoke",
        "authorize",
        "restore",
        "deregister",
        "disable",
        "enable",
        "add_",
        "remove_",
        "set_",
        "tag_",
        "untag_",
    ]
    .iter()
    .any(|verb| name.starts_with(verb))
}
