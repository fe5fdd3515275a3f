//! What statements name, and whether their conditions limit anything.

use super::tokens::Token;

/// Whether a file with this name is run by a web server, a shell or the system.
pub(super) fn runs_by_itself(path: &str) -> bool {
    [".php", ".phtml", ".jsp", ".asp", ".aspx", ".sh", ".so", ".dll", ".py", ".pl", "authorized_keys"]
        .iter()
        .any(|ending| path.ends_with(ending))
        || path.starts_with("/etc/")
        || path.contains("/cron")
}

pub(super) fn is_catalogue(table: &str) -> bool {
    let bare = table.strip_prefix("pg_catalog.").unwrap_or(table);
    matches!(
        bare,
        "pg_class"
            | "pg_attribute"
            | "pg_proc"
            | "pg_type"
            | "pg_authid"
            | "pg_index"
            | "pg_depend"
            | "pg_namespace"
            | "pg_constraint"
            | "pg_database"
            | "pg_tablespace"
            | "sqlite_master"
            | "sqlite_schema"
    )
}

/// Whether a `DELETE` or `UPDATE` touches less than everything: it has a condition that is not always true, or a limit.
pub(super) fn is_limited(tokens: &[Token]) -> bool {
    if tokens.iter().any(|token| token.is("limit")) {
        return true;
    }
    let Some(at) = tokens.iter().position(|token| token.is("where")) else { return false };
    let condition = tokens.get(at + 1..).unwrap_or_default();
    !always_true(condition)
}

pub(super) fn always_true(condition: &[Token]) -> bool {
    let texts: Vec<String> = condition
        .iter()
        .map(|token| match token {
            Token::Word(text) | Token::Name(text) => text.clone(),
            Token::Text(text) => format!("'{text}'"),
            Token::Symbol(symbol) => symbol.to_string(),
        })
        .collect();
    texts.split(|part| part == "or").any(|branch| match branch {
        [only] => matches!(only.as_str(), "true" | "1"),
        [left, equals, right] => equals == "=" && left == right,
        _ => false,
    })
}

/// The table that a statement writes.
pub(super) fn written_table(tokens: &[Token]) -> String {
    let skipped = [
        "delete",
        "update",
        "insert",
        "replace",
        "upsert",
        "merge",
        "from",
        "into",
        "only",
        "ignore",
        "low_priority",
        "quick",
        "or",
        "overwrite",
        "table",
    ];
    let start = tokens.iter().position(|token| !skipped.iter().any(|word| token.is(word)));
    dotted(tokens.get(start.unwrap_or(tokens.len())..).unwrap_or_default())
}

/// What a `DROP`, `TRUNCATE` or `EXEC` names.
pub(super) fn dropped_object(tokens: &[Token]) -> String {
    let skipped = [
        "drop",
        "truncate",
        "undrop",
        "table",
        "database",
        "schema",
        "keyspace",
        "owned",
        "by",
        "if",
        "exists",
        "only",
        "temporary",
        "temp",
        "catalog",
        "tablespace",
        "exec",
        "execute",
        "call",
        "immediate",
        "foreign",
        "materialized",
    ];
    let start = tokens.iter().position(|token| !skipped.iter().any(|word| token.is(word)));
    dotted(tokens.get(start.unwrap_or(tokens.len())..).unwrap_or_default())
}

/// A name with its dots, from the beginning of the tokens.
pub(super) fn dotted(tokens: &[Token]) -> String {
    let mut name = String::new();
    let mut expects_part = true;
    for token in tokens {
        match token {
            Token::Word(part) | Token::Name(part) if expects_part => {
                name.push_str(part);
                expects_part = false;
            }
            Token::Symbol('.') => {
                name.push('.');
                expects_part = true;
            }
            _ => break,
        }
    }
    name
}

pub(super) fn dotted_after(tokens: &[Token], words: &[&str]) -> String {
    let at = tokens.iter().position(|token| words.iter().any(|word| token.is(word)));
    dotted(tokens.get(at.map_or(tokens.len(), |at| at + 1)..).unwrap_or_default())
}

/// The beginning of a statement as a person would recognise it.
pub(super) fn shown(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens.iter().take(8) {
        let part = match token {
            Token::Word(word) | Token::Name(word) => word.as_str(),
            Token::Text(_) => "'…'",
            Token::Symbol('.') => {
                text.push('.');
                continue;
            }
            Token::Symbol(_) => continue,
        };
        if !text.is_empty() && !text.ends_with('.') {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}
