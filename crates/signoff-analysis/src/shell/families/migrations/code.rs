//! Code that runs inside an application, with all that it has open: `rails runner`, `manage.py shell -c`, `artisan tinker`,
//! `wp eval`.

use super::{MAPPER, TASK};
use crate::{
    lexicon,
    shell::{Call, Language, Shell},
    sql,
    value::{Arg, Feed},
    words::{Words, is_listed},
};

/// Methods of object mappers that change rows or tables.
const WRITES: &[&str] = &[
    "delete",
    "delete_all",
    "destroy",
    "destroy_all",
    "destroy_by",
    "delete_by",
    "update_all",
    "update",
    "updateOrCreate",
    "update_or_create",
    "truncate",
    "forceDelete",
    "save",
    "create",
    "createMany",
    "bulk_create",
    "bulk_update",
    "insert",
    "insert_all",
    "upsert",
    "upsert_all",
    "drop",
    "drop_table",
    "dropIfExists",
    "dropAllTables",
    "drop_all",
    "create_all",
    "touch_all",
    "increment",
    "decrement",
    "set_password",
    "create_user",
    "create_superuser",
    "firstOrCreate",
    "get_or_create",
    "find_or_create_by",
    "update_columns",
    "update_attribute",
    "update_column",
    "save!",
    "create!",
    "update!",
    "destroy!",
    "wipe",
    "migrate",
    "fresh",
    "rollback",
    "purge",
    "reset",
    "flush",
];

/// Functions that run a command of the framework by its name.
const CALLS: &[(&str, &str)] = &[
    ("call_command", "manage.py"),
    ("call", "artisan"),
    ("callSilently", "artisan"),
    ("queue", "artisan"),
    ("invoke", "rake"),
    ("load_tasks", "rake"),
];

/// Functions that run SQL.
const STATEMENTS: &[&str] = &[
    "execute",
    "exec_query",
    "statement",
    "unprepared",
    "raw",
    "exec_update",
    "exec_delete",
    "select_all",
    "delete_sql",
    "executescript",
];

/// Reads what flows into a framework's shell as code; a session that nobody types into does nothing.
pub(in crate::shell::families) fn run_stdin(shell: &mut Shell<'_>, language: Language, call: &Call) -> Feed {
    match &call.stdin.text {
        Some(text) => run(shell, language, &Arg { value: text.clone(), span: call.span }),
        None if call.stdin.is_none() => call.output(),
        None => shell.run_feed(language, call.stdin.clone(), call.span),
    }
}

/// Reads code of a framework's shell.
pub(in crate::shell::families) fn run(shell: &mut Shell<'_>, language: Language, code: &Arg) -> Feed {
    let Some(text) = code.known() else {
        return shell.run_code(language, code, Feed::none());
    };
    for (at, name) in members(text) {
        let rest = text.get(at + name.len()..).unwrap_or_default();
        let called = rest.trim_start().starts_with('(');
        if let (Some((_, program)), Some(command)) = (CALLS.iter().find(|(call, _)| *call == name), first_string(rest))
        {
            let argv: Vec<Arg> = std::iter::once(*program)
                .chain(command.split_whitespace())
                .map(|word| Arg::text(word, code.span))
                .collect();
            shell.run(&argv, Feed::none(), code.span);
        } else if let (true, Some(statement)) = (runs_statement(name, rest), first_string(rest)) {
            let value = crate::value::Value::text(statement);
            sql::verdict_of_text(shell, &value, sql::Dialect::Any, code.span);
        } else if (WRITES.contains(&name) || says_it_writes(name)) && (called || language == Language::Ruby) {
            shell.tell(&MAPPER, name, code.span);
        }
    }
    for task in text.split("Rake::Task[").skip(1) {
        if let Some(name) = first_string(task) {
            let argv = [Arg::text("rake", code.span), Arg::text(name, code.span)];
            shell.run(&argv, Feed::none(), code.span);
        }
    }
    if text.contains("eval(") && text.contains("base64") {
        shell.tell(&TASK, "eval", code.span);
    }
    shell.run_code(language, code, Feed::none())
}

/// Whether the name of a function of several words says that it takes away, changes or sends what the application keeps:
/// `wp_delete_user`, `deleteMany`, `deliver_now`. What is only remembered comes back.
fn says_it_writes(name: &str) -> bool {
    static DEEDS: Words<32> = Words::new(
        "delete destroy truncate purge wipe erase uninstall deactivate cancel insert update upsert send mail deliver",
    );
    static REMEMBERED: Words<8> = Words::new("cache cached transient memo");
    const DEEPEST: usize = 3;
    let words = lexicon::words(name);
    words.len() > 1
        && words.iter().take(DEEPEST).any(|word| DEEDS.holds(word))
        && !words.iter().any(|word| REMEMBERED.holds(word))
        // `update_count`, `mail_settings`, `insert_before`: what is said about it.
        && !words.last().is_some_and(|last| is_listed("count counts settings at before after by date time size id", last))
}

/// Whether a function runs SQL. Of those that are called so for other reasons as well, what they get must be a statement.
fn runs_statement(name: &str, rest: &str) -> bool {
    let changes = |text: &str| {
        let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        matches!(
            first.as_str(),
            "delete" | "truncate" | "drop" | "update" | "insert" | "alter" | "create" | "merge" | "grant"
        )
    };
    STATEMENTS.contains(&name)
        || matches!(name, "query" | "query!" | "execute!") && first_string(rest).is_some_and(changes)
}

/// The names behind `.`, `->` or `::`, and plain calls.
fn members(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = rest.find(|letter: char| letter.is_alphabetic() || letter == '_')? + at;
        let word = text.get(start..)?;
        let end =
            word.find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '!'))).unwrap_or(word.len());
        at = start + end;
        let before = text.get(..start).unwrap_or_default();
        Some((
            start,
            text.get(start..start + end)?,
            before.ends_with(['.', '>', ':']) || text.get(start + end..).is_some_and(|rest| rest.starts_with('(')),
        ))
    })
    .filter_map(|(start, name, counts)| counts.then_some((start, name)))
}

/// The first string that follows an opening parenthesis.
fn first_string(rest: &str) -> Option<&str> {
    let rest = rest.trim_start().trim_start_matches('(').trim_start();
    let quote = rest.chars().next().filter(|letter| matches!(letter, '\'' | '"' | ':'))?;
    let inner = rest.get(1..)?;
    let end = if quote == ':' {
        inner.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(inner.len())
    } else {
        inner.find(quote)?
    };
    inner.get(..end)
}
