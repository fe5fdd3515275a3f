//! Methods that are known by their names, whatever they are called on.

use signoff_model::{Dialect, Secret};

use super::{
    databases::{begins_like_sql, is_of_store, is_query},
    services::{changes_service, empties_queue, is_client},
    shortened,
};
use crate::{
    code::{
        functions, lexicon, network,
        reader::Reader,
        rules,
        thing::{Args, Thing},
    },
    path_effects::Depth,
    shell::{
        Language, Locus,
        families::{own, system::SCHEDULE},
    },
    value::{Feed, Origin, Origins},
};

/// The options by which a request of PHP changes something over there.
const SENDING: &[&str] = &["CURLOPT_POST", "CURLOPT_POSTFIELDS", "CURLOPT_CUSTOMREQUEST", "CURLOPT_UPLOAD"];

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
pub(in crate::code) fn by_name(reader: &mut Reader<'_, '_>, of: &str, name: &str, args: &Args) -> Option<Thing> {
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
            reader.delete(&what, depth);
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
        "run" | "sudo" if of.starts_with("fabric") && args.get(0).is_some() => {
            let arg = args.get(0).map(|code| code.arg(reader.span)).unwrap_or_default();
            reader
                .shell
                .elsewhere(Locus::Remote(of.to_owned()), |shell| shell.run_text(&arg, Dialect::Sh, Feed::none()));
        }
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
        "extractall" | "extract" | "extract_all" if reader.language == Language::Python => {
            let position = usize::from(name == "extract");
            reader.unpack(None, args.either(position, &["path"]));
        }
        "to_csv" | "to_json" | "to_excel" | "to_parquet" | "to_pickle" | "to_html" | "to_feather" | "to_markdown"
        | "to_xml" | "to_latex" | "to_hdf" | "to_stata" | "savefig" | "tofile"
            if reader.language == Language::Python =>
        {
            let file = args.either(0, &["path_or_buf", "path", "excel_writer", "buf", "fname"]).cloned();
            if let Some(file @ (Thing::Text(_) | Thing::Path(_))) = file {
                reader.write_to(Some(&file), crate::path_effects::Write::Replace, None, args);
            }
        }
        // A settings file is read, and what stands in it is shown by its parts.
        "read" | "read_file" if of.contains("ConfigParser") => {
            let read = reader.read_file(args.get(0), name);
            return Some(Thing::result(of, read.origins()));
        }
        // `[].constructor.constructor("code")` is the function that makes functions.
        "constructor" if reader.language == Language::JavaScript && matches!(args.get(0), Some(Thing::Text(_))) => {
            return Some(reader.evaluate(args.get(0), "Function"));
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
        "delete" | "del" | "unlink" | "set" | "mset" | "setex" | "hset" | "hdel" | "rename" | "incr" | "lpush"
        | "rpush" | "sadd" | "srem" | "zrem" | "xadd" | "xdel" | "xtrim" | "expire" | "eval"
            if is_of_store(of) =>
        {
            reader.shell.tell(&rules::CODE_DATABASE, shortened(of), reader.span);
        }
        "queue_purge" | "queue_delete" | "exchange_delete" | "delete_topics" | "deleteTopics" => {
            reader.shell.tell(&rules::CODE_DATABASE, shortened(of), reader.span);
        }
        // Only whoever builds a query has nothing to say about what goes.
        "del" | "truncate" if reader.language == Language::JavaScript && args.items.is_empty() && !in_memory => {
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
        // A request of PHP is put together step by step.
        "curl_setopt" if matches!(args.get(1), Some(Thing::Name(option)) if SENDING.contains(&option.as_str())) => {
            return Some(network::send(reader, None, args));
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
        // A secret that is said in a room is in everybody's hands.
        "chat_postMessage" | "chat_update" | "postMessage" | "files_upload" | "files_upload_v2" | "filesUploadV2"
        | "send_file" | "send_document" | "sendDocument"
            if Feed::from_all(args.origins()).secret().is_some()
                || args.all().any(|thing| reader.is_secret_path(thing)) =>
        {
            let feed = Feed::from(Origin::Secret(shortened(of)));
            reader.shell.send(&shortened(of), std::iter::empty(), &feed, reader.span);
        }
        // A table of jobs that a library writes.
        "write" | "write_to_user" | "new" if of.starts_with("crontab") => {
            reader.shell.tell(&SCHEDULE, shortened(of), reader.span);
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
        "stop" | "kill" | "remove" | "restart" | "pause" | "prune" if of.starts_with("docker") => {
            if let Some(name) = reader.names_in_texts(own::names_signoff) {
                own::steered_by_code(reader.shell, &name, reader.span);
            }
            if changes_service(of, name) {
                reader.shell.tell(&rules::CODE_REMOTE, shortened(of), reader.span);
            }
        }
        _ if empties_queue(of, name) => reader.shell.tell(&rules::CODE_DATABASE, shortened(of), reader.span),
        _ if changes_service(of, name) => reader.shell.tell(&rules::CODE_REMOTE, shortened(of), reader.span),
        "kill" | "terminate" | "suspend" if of.starts_with("psutil") => {
            if let Some(name) = reader.names_in_texts(own::names_signoff) {
                own::steered_by_code(reader.shell, &name, reader.span);
            }
            reader.shell.tell(&rules::CODE_PROCESS, shortened(of), reader.span);
        }
        // A library of C that was loaded by name, as with `ctypes`.
        "process_vm_readv" | "process_vm_writev" => return Some(reader.attach(args, 0)),
        "ptrace" => return Some(reader.attach(args, 1)),
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
