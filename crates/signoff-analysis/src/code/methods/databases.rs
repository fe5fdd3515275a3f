//! Methods that run SQL, or change the rows of a database without it.

use crate::code::thing::Args;

/// Whether a text begins with a word of SQL.
pub(super) fn begins_like_sql(text: &str) -> bool {
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

/// Whether the chain of names leads to a store of keys and values on a server.
pub(super) fn is_of_store(of: &str) -> bool {
    let first = of.split(['.', '(']).next().unwrap_or_default();
    matches!(
        first,
        "redis" | "ioredis" | "Redis" | "valkey" | "aioredis" | "StrictRedis" | "pymemcache" | "memcache" | "memjs"
    )
}

/// Whether the chain of names is one of an object mapper, so that the last name deletes or changes rows.
pub(super) fn is_query(of: &str, name: &str, args: &Args) -> bool {
    let mut chain = of.split('.');
    let has = |words: &[&str]| of.split('.').any(|part| words.contains(&part));
    let model = chain.next().is_some_and(|first| first.starts_with(|letter: char| letter.is_ascii_uppercase()));
    match name {
        "sync" => args.is_set("force"),
        "destroy" if args.named("where").is_some() => true,
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
