//! SQL among the arguments, told from a search for the same words.

use crate::lexicon::words;

/// Whether a text begins like SQL: for an argument that is meant to hold some.
pub(super) fn is_sql(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "select", "insert", "update", "delete", "drop", "create", "alter", "truncate", "with", "grant", "revoke",
        "explain", "show", "set", "begin", "commit", "rollback", "merge", "replace", "call", "copy", "vacuum",
        "analyze", "describe", "pragma", "declare", "exec", "execute", "use", "lock", "reindex", "attach", "do",
        "values", "table",
    ];
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(' || letter == ';');
    if text.starts_with("--") || text.starts_with("/*") {
        return true;
    }
    let first: String = text.chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
    VERBS.iter().any(|verb| first.eq_ignore_ascii_case(verb)) && text.len() > first.len() + 2
}

/// The part of any text that reads as a statement which changes something, from its first word to the end.
pub(super) fn statement_in(text: &str) -> Option<&str> {
    let starts = std::iter::once(0).chain(text.match_indices(';').map(|(at, _)| at + 1));
    starts.filter_map(|at| text.get(at..)).map(str::trim_start).find(|part| reads_as_change(part))
}

fn reads_as_change(text: &str) -> bool {
    const OBJECTS: &[&str] = &[
        "database",
        "schema",
        "table",
        "view",
        "index",
        "user",
        "role",
        "function",
        "procedure",
        "trigger",
        "sequence",
        "type",
        "column",
        "constraint",
        "materialized",
        "keyspace",
        "extension",
        "tablespace",
        "system",
        "unique",
        "temp",
        "temporary",
        "or",
    ];
    let words: Vec<String> = text
        .split(|letter: char| letter.is_whitespace() || letter == '(')
        .filter(|word| !word.is_empty())
        .take(64)
        .map(str::to_ascii_lowercase)
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["drop" | "alter" | "create", object, _, ..] => OBJECTS.contains(object),
        ["delete", "from", _, ..] | ["insert" | "replace" | "merge", "into", _, ..] => true,
        ["truncate", "table", _, ..] | ["truncate", _] => true,
        ["update", rest @ ..] => rest.contains(&"set"),
        ["grant", rest @ ..] => rest.contains(&"on") && rest.contains(&"to"),
        ["revoke", rest @ ..] => rest.contains(&"on") && rest.contains(&"from"),
        ["exec" | "execute", name, ..] => name.contains("xp_") || name.contains("sp_"),
        _ => false,
    }
}

/// Whether the name of a tool or of its server says that it deals with a database.
pub(super) fn is_data_tool(name: &str) -> bool {
    const DATA: &[&str] = &[
        "sql",
        "query",
        "queries",
        "table",
        "tables",
        "database",
        "databases",
        "db",
        "schema",
        "schemas",
        "postgres",
        "postgresql",
        "pg",
        "mysql",
        "mariadb",
        "sqlite",
        "rows",
        "records",
        "bigquery",
        "snowflake",
        "clickhouse",
        "supabase",
        "redshift",
        "duckdb",
        "mssql",
        "oracle",
        "cockroachdb",
        "neon",
        "planetscale",
        "migration",
    ];
    words(name).iter().any(|word| DATA.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_told_from_a_search() {
        for text in [
            "drop database x",
            "users; DROP TABLE users",
            "DELETE FROM t",
            "update t set a = 1",
            "truncate table t",
            "grant all on t to x",
        ] {
            assert!(statement_in(text).is_some(), "{text}");
        }
        for text in [
            "drop in sales",
            "delete the channel",
            "update on the release",
            "how to drop table users",
            "SELECT * FROM t",
            "create a page",
            "grant proposal",
            "users",
        ] {
            assert_eq!(statement_in(text), None, "{text}");
        }
    }
}
