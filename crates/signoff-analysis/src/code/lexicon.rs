//! Names that say what a function of the project does, when nothing else does.
//!
//! A verb alone says nothing here: every list has its `remove` and every widget its `reset`. What counts is the verb with
//! its object, and so the verbs are not those of [`crate::lexicon`].

use crate::lexicon;

/// Whether the name of a function says that it destroys, resets or deploys something.
pub(super) fn says_it_destroys(name: &str) -> bool {
    let words = lexicon::words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // `drop_duplicates`, `clear_cache`, `reset_index`, `destroy` of a widget: everyday and harmless.
    let whole = has(&[
        "db",
        "database",
        "databases",
        "table",
        "tables",
        "schema",
        "everything",
        "prod",
        "production",
        "collections",
        "indices",
        "users",
        "records",
    ]);
    match words.as_slice() {
        [only] => matches!(only.as_str(), "wipe" | "nuke" | "obliterate" | "initdb" | "resetdb" | "dropdb"),
        [first, ..] => {
            let all = has(&["all"]) || whole;
            match first.as_str() {
                "wipe" | "nuke" | "obliterate" | "purge" | "erase" => true,
                "delete" | "destroy" | "terminate" if words.get(1).is_some_and(|object| is_resource(object)) => true,
                "drop" | "delete" | "destroy" | "truncate" | "remove" | "clear" | "flush" | "empty" | "clean"
                | "cleanup" => all,
                "reset" | "recreate" | "rebuild" | "reinit" | "reinitialize" | "init" | "initialize" | "seed"
                | "restore" | "rollback" | "overwrite" => whole,
                "deploy" | "publish" => {
                    has(&["prod", "production", "release", "package", "all", "live", "app", "site", "stack"])
                }
                "migrate" => has(&["fresh", "down", "reset"]),
                _ => has(&["wipe", "nuke"]) && all,
            }
        }
        [] => false,
    }
}

/// Whether it is something that a service keeps, and that is gone for good when it is deleted there.
fn is_resource(word: &str) -> bool {
    let one = word.strip_suffix('s').unwrap_or(word);
    matches!(
        one,
        "account"
            | "backup"
            | "blob"
            | "bucket"
            | "cluster"
            | "customer"
            | "dataset"
            | "deployment"
            | "domain"
            | "experiment"
            | "function"
            | "instance"
            | "namespace"
            | "organization"
            | "pod"
            | "project"
            | "queue"
            | "release"
            | "repo"
            | "repository"
            | "secret"
            | "service"
            | "snapshot"
            | "stack"
            | "stream"
            | "subscription"
            | "tenant"
            | "topic"
            | "user"
            | "volume"
            | "workspace"
    )
}

/// Whether a function only looks at what it gets, even if that is a function.
pub(super) fn only_looks(name: &str) -> bool {
    matches!(
        name,
        "help"
            | "hasattr"
            | "isinstance"
            | "issubclass"
            | "callable"
            | "type"
            | "id"
            | "dir"
            | "vars"
            | "signature"
            | "getsource"
            | "getsourcefile"
            | "getdoc"
            | "getmembers"
            | "getfile"
            | "dis"
            | "setattr"
            | "typeof"
            | "is_callable"
            | "function_exists"
            | "method_exists"
            | "assertEqual"
            | "assertIs"
            | "spyOn"
            | "object"
            | "delattr"
            | "log"
            | "keys"
            | "getOwnPropertyNames"
            | "inspect"
            | "isfunction"
            | "ismodule"
            | "wraps"
            | "update_wrapper"
            | "assertThat"
            | "mock"
            | "spy"
            | "stub"
    )
}

/// Whether a method keeps what it gets or looks for it, and calls nothing.
pub(super) fn keeps(name: &str) -> bool {
    matches!(
        name,
        "append"
            | "push"
            | "add"
            | "insert"
            | "unshift"
            | "extend"
            | "update"
            | "set"
            | "put"
            | "setdefault"
            | "concat"
            | "index"
            | "indexOf"
            | "count"
            | "includes"
            | "remove"
            | "join"
            | "fill"
            | "get"
            | "pop"
    )
}

/// Whether a function of PHP calls one of those whose name it gets.
pub(super) fn takes_callbacks(name: &str) -> bool {
    matches!(
        name,
        "usort"
            | "uasort"
            | "uksort"
            | "array_reduce"
            | "array_walk_recursive"
            | "array_any"
            | "array_all"
            | "array_find"
            | "array_find_key"
            | "array_udiff"
            | "array_diff_ukey"
            | "array_uintersect"
            | "array_intersect_ukey"
            | "preg_replace_callback"
            | "preg_replace_callback_array"
            | "mb_ereg_replace_callback"
            | "register_shutdown_function"
            | "register_tick_function"
            | "header_register_callback"
            | "set_error_handler"
            | "set_exception_handler"
            | "spl_autoload_register"
            | "ob_start"
            | "forward_static_call"
            | "forward_static_call_array"
            | "pcntl_signal"
            | "fromCallable"
    )
}

/// Whether a method asks something about a text, or makes another one of it.
pub(super) fn asks_a_text(name: &str) -> bool {
    matches!(
        name,
        "startswith"
            | "startsWith"
            | "start_with?"
            | "endswith"
            | "endsWith"
            | "end_with?"
            | "includes"
            | "include?"
            | "indexOf"
            | "index"
            | "count"
            | "split"
            | "replace"
            | "strip"
            | "ljust"
            | "rjust"
            | "padEnd"
            | "padStart"
    )
}

/// Whether a method makes another text of the one that it is called on.
pub(super) fn rewrites_text(name: &str) -> bool {
    matches!(
        name.trim_end_matches('!'),
        "replace"
            | "replaceAll"
            | "sub"
            | "gsub"
            | "tr"
            | "translate"
            | "strip"
            | "lstrip"
            | "rstrip"
            | "trim"
            | "chomp"
            | "chop"
            | "removeprefix"
            | "removesuffix"
            | "delete_prefix"
            | "delete_suffix"
            | "slice"
            | "substring"
            | "substr"
            | "split"
            | "rsplit"
            | "partition"
            | "rpartition"
            | "lower"
            | "upper"
            | "downcase"
            | "upcase"
            | "toLowerCase"
            | "toUpperCase"
            | "swapcase"
            | "reverse"
            | "concat"
            | "padEnd"
            | "padStart"
            | "format"
            | "with_suffix"
            | "with_name"
            | "with_stem"
            | "relative_to"
    )
}

/// Whether a function writes what it gets in another form, by its name: encoders, formatters, containers.
pub(super) fn rewrites(name: &str) -> bool {
    matches!(
        name,
        "dumps"
            | "dict"
            | "list"
            | "tuple"
            | "set"
            | "str"
            | "repr"
            | "bytes"
            | "bytearray"
            | "format"
            | "stringify"
            | "inspect"
            | "pformat"
            | "encode"
            | "decode"
            | "quote"
            | "quote_plus"
            | "urlencode"
            | "b64encode"
            | "urlsafe_b64encode"
            | "b32encode"
            | "hexlify"
            | "btoa"
            | "compress"
            | "join"
            | "items"
            | "values"
            | "copy"
            | "deepcopy"
            | "from"
            | "assign"
            | "entries"
            | "fromEntries"
            | "BytesIO"
            | "StringIO"
            | "sorted"
            | "zip"
            | "json_encode"
            | "serialize"
            | "http_build_query"
            | "base64_encode"
            | "encode64"
            | "strict_encode64"
            | "to_json"
            | "generate"
            | "Dumper"
            | "encode_json"
            | "encode_base64"
            | "Marshal"
            | "NewReader"
            | "NewBuffer"
            | "NewBufferString"
            | "EncodeToString"
            | "Sprintf"
            | "Sprint"
            | "string"
            | "String"
            | "FormData"
            | "Blob"
            | "URLSearchParams"
            | "dump"
            | "safe_dump"
            | "asdict"
            | "reversed"
            | "filter"
            | "map"
            | "Join"
    )
}

#[cfg(test)]
mod tests {
    use super::says_it_destroys;

    #[test]
    fn names_that_destroy_are_told_from_everyday_ones() {
        for name in [
            "init_db",
            "reset_database",
            "resetDatabase",
            "drop_all",
            "dropTables",
            "wipe",
            "nukeEverything",
            "purge_users",
            "deleteAllUsers",
            "seed_database",
            "truncateTables",
            "clear_db",
            "deploy_production",
            "dropDatabase",
            "delete_experiment",
            "deleteBucket",
            "terminate_instances",
        ] {
            assert!(says_it_destroys(name), "{name}");
        }
        for name in [
            "drop_duplicates",
            "dropna",
            "drop",
            "clear",
            "reset_index",
            "reset",
            "delete",
            "remove",
            "destroy",
            "init",
            "initialize",
            "clear_cache",
            "flush",
            "seed",
            "truncate",
            "deploy",
            "get_all",
            "remove_prefix",
            "setup",
            "main",
            "list_tables",
            "create_table",
            "init_app",
            "restore_state",
            "clean_text",
            "removesuffix",
            "clearTimeout",
            "initDatabaseless",
            "delete_node",
            "delete_key",
            "destroy_window",
            "remove_user_input",
        ] {
            assert!(!says_it_destroys(name), "{name}");
        }
    }
}
