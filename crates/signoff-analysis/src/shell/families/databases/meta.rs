//! Commands of the clients themselves, which stand between SQL statements: `\!` of psql, `.shell` of sqlite3, `system`
//! of mysql.

use signoff_model::{Dialect as ShellDialect, Span};

use super::clients;
use crate::{
    shell::Shell,
    sql,
    value::{Arg, Feed, Origin, Value},
};

fn run(shell: &mut Shell<'_>, code: &str, span: Span) {
    run_reading(shell, code, Feed::none(), span);
}

/// A command of the client runs, and this flows into it.
fn run_reading(shell: &mut Shell<'_>, code: &str, input: Feed, span: Span) {
    let code = Arg::text(code.trim().to_owned(), span);
    shell.subshell(|shell| shell.run_text(&code, ShellDialect::Sh, input));
}

/// What a client prints when nobody knows what the database holds.
pub(super) fn rows_of(client: &str) -> Feed {
    Feed::from(Origin::Program(client.into()))
}

/// A file, or a program that reads what is printed if it begins with a bar.
fn output(shell: &mut Shell<'_>, to: &str, printed: &Feed, span: Span) {
    let to = to.trim().trim_matches(['\'', '"']);
    match to.strip_prefix('|') {
        Some(code) => run_reading(shell, code, printed.clone(), span),
        None if matches!(to, "" | "stdout" | "stderr" | "on" | "off") => {}
        None => shell.write_over(&from_home(to, shell, span)),
    }
}

/// The file that a client's own command names. Some clients put the home directory for a tilde, as a shell does.
fn from_home(file: &str, shell: &Shell<'_>, span: Span) -> Arg {
    match file.strip_prefix("~/") {
        Some(rest) => Arg::text(format!("{}/{rest}", shell.whereabouts().home), span),
        None => Arg::text(file, span),
    }
}

fn input(shell: &mut Shell<'_>, from: &str, dialect: sql::Dialect, span: Span) {
    let from = from.trim().trim_matches(['\'', '"']);
    match from.strip_prefix('|') {
        Some(code) => run(shell, code, span),
        None => clients::file(shell, &Arg::text(from, span), dialect),
    }
}

/// Takes psql's own commands out of a text, says what they do, and returns the SQL that is left.
pub(super) fn psql(shell: &mut Shell<'_>, text: &str, span: Span) -> String {
    let mut left = String::new();
    let mut quote = None;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '\\') => {
                let rest = text.get(at + 1..).unwrap_or_default();
                let end = rest.find('\n').unwrap_or(rest.len());
                let line = rest.get(..end).unwrap_or_default();
                psql_command(shell, line, span);
                for _ in 0..line.chars().count() {
                    letters.next();
                }
                left.push(' ');
                continue;
            }
            _ => {}
        }
        left.push(letter);
    }
    left
}

fn psql_command(shell: &mut Shell<'_>, line: &str, span: Span) {
    if let Some(code) = line.strip_prefix('!') {
        return run(shell, code, span);
    }
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    // Text between backquotes runs in a shell, in the arguments of any command.
    for code in rest.split('`').skip(1).step_by(2) {
        run(shell, code, span);
    }
    match name {
        "copy" => {
            let lower = rest.to_lowercase();
            let program = lower.find(" program ").and_then(|at| rest.get(at + 9..));
            if let Some(code) = program {
                run(shell, code.trim().trim_matches('\''), span);
            }
            if let Some(at) = lower.find(" from ") {
                if !rest.starts_with('(') {
                    shell.tell(sql::Deed::Write.rule(), rest.get(..at).unwrap_or_default(), span);
                }
            } else if let (Some(at), None) = (lower.rfind(" to "), program) {
                let target = rest.get(at + 4..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
                output(shell, target, &rows_of("psql"), span);
            }
        }
        "o" | "out" | "w" | "write" | "g" | "gx" => output(shell, rest, &rows_of("psql"), span),
        "i" | "include" | "ir" | "include_relative" => input(shell, rest, sql::Dialect::Postgres, span),
        "gexec" | "lo_import" | "lo_unlink" | "password" => {
            shell.tell(sql::Deed::Hidden.rule(), format!("\\{name}"), span)
        }
        "lo_export" => output(shell, rest.rsplit(' ').next().unwrap_or_default(), &rows_of("psql"), span),
        _ => {}
    }
}

/// Takes mysql's own commands out of a text, says what they do, and returns the SQL that is left.
pub(super) fn mysql(shell: &mut Shell<'_>, text: &str, span: Span) -> String {
    let mut left = String::new();
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        for (short, long) in [("\\!", "system "), ("\\.", "source "), ("\\T", "tee "), ("\\P", "pager ")] {
            if let Some(at) = line.find(short) {
                let command = line.split_off(at);
                mysql_command(shell, long.trim(), command.get(short.len()..).unwrap_or_default(), span);
            }
        }
        let trimmed = line.trim().trim_end_matches(';');
        let (name, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        match name.to_ascii_lowercase().as_str() {
            name @ ("system" | "source" | "tee" | "pager") if !rest.is_empty() => {
                mysql_command(shell, name, rest, span)
            }
            _ => left.push_str(&line),
        }
    }
    left
}

fn mysql_command(shell: &mut Shell<'_>, name: &str, rest: &str, span: Span) {
    match name {
        "system" => run(shell, rest, span),
        "pager" => run_reading(shell, rest, rows_of("mysql"), span),
        "source" => input(shell, rest, sql::Dialect::MySql, span),
        _ => output(shell, rest, &rows_of("mysql"), span),
    }
}

/// Takes the dot commands of sqlite3 out of a text, says what they do, and returns the SQL that is left. `printed` is what
/// the statements of the whole call print: a command may pipe it into a program.
pub(super) fn sqlite(shell: &mut Shell<'_>, text: &str, printed: &Feed, span: Span) -> String {
    let mut left = String::new();
    for line in text.split_inclusive('\n') {
        match line.trim_start().strip_prefix('.') {
            Some(command) => dot_command(shell, command.trim(), printed, span),
            None => left.push_str(line),
        }
    }
    left
}

/// How a command opens another database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// As it is.
    AsItIs,
    /// Empty, whatever was in it.
    Anew,
    /// Without changing it.
    ToRead,
}

/// Another database that is open from here on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) how: Opens,
}

/// The database that a line of sqlite3 opens, if it opens one: `.open --new shop.db`, `.connection 1`.
pub(super) fn opened(line: &str) -> Option<Opened> {
    let command = line.trim_start().strip_prefix('.')?;
    let mut words = command.split_whitespace();
    let name = words.next()?;
    if name.len() >= 4 && "connection".starts_with(name) && words.clone().next().is_some() {
        // Which database that connection has is not followed.
        return Some(Opened { name: "another connection".to_owned(), how: Opens::AsItIs });
    }
    if name.len() < 2 || !"open".starts_with(name) {
        return None;
    }
    let (mut how, mut file) = (Opens::AsItIs, String::new());
    for word in words {
        match word.trim_start_matches('-') {
            "new" if word.starts_with('-') => how = Opens::Anew,
            "readonly" if word.starts_with('-') => how = Opens::ToRead,
            _ if word.starts_with('-') => {}
            _ => file = word.trim_matches(['\'', '"']).to_owned(),
        }
    }
    Some(Opened { name: file, how })
}

/// The dot commands of sqlite3.
const DOT_COMMANDS: &str = "\
    archive auth backup bail binary cd changes check clone columns comment connection constant crlf crnl databases \
    dbconfig dbinfo dbtotxt dump echo eqp excel exit expert explain filectrl fullschema headers help highlight \
    import imposter indexes indices intck keyword limit lint load log maxrows mode nonce nullvalue once open \
    output parameter print progress prompt quit read recover restore rows save scanstats schema selftest separator \
    session sha3sum shell show stats system tables timeout timer trace unmodule version vfsinfo vfslist vfsname \
    width www";

/// The name of a dot command about which nothing is known. The program takes any unambiguous beginning of a name.
pub(super) fn unknown_dot_command(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix('.')?.split_whitespace().next()?;
    meant(name).is_empty().then_some(name)
}

/// The commands that a name may stand for: the one that it is, or every one that begins with it.
fn meant(name: &str) -> Vec<&'static str> {
    let all = || DOT_COMMANDS.split(' ').filter(|known| known.starts_with(name));
    match all().find(|known| *known == name) {
        Some(known) => vec![known],
        None => all().collect(),
    }
}

/// The words of a dot command, without their quotes.
fn dot_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

fn dot_command(shell: &mut Shell<'_>, command: &str, printed: &Feed, span: Span) {
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let words = dot_words(rest);
    let operands = || words.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let first = || operands().next().unwrap_or_default();
    let last = || operands().next_back().unwrap_or_default();
    for meant in meant(name) {
        match meant {
            "shell" | "system" => run(shell, rest, span),
            // The rest of the line belongs to a command behind a bar.
            "output" | "once" if first().starts_with('|') => {
                let code: Vec<&str> =
                    words.iter().map(String::as_str).skip_while(|word| word.starts_with('-')).collect();
                output(shell, &code.join(" "), printed, span);
            }
            "output" | "once" | "log" | "trace" => output(shell, first(), printed, span),
            "read" => input(shell, rest, sql::Dialect::Sqlite, span),
            "import" => {
                if let Some(code) = first().strip_prefix('|') {
                    run(shell, code, span);
                }
                shell.tell(sql::Deed::Write.rule(), last(), span);
            }
            "backup" | "save" | "clone" => output(shell, last(), printed, span),
            "restore" => shell.tell(&super::RESTORE, last(), span),
            "load" => shell.tell(sql::Deed::Hidden.rule(), rest, span),
            _ => {}
        }
    }
}

/// What the texts of a call print, if each statement selects a text that stands there and nothing changes the form.
pub(super) fn printed<'t>(texts: impl Iterator<Item = &'t Value>) -> Feed {
    let mut all = String::new();
    for text in texts {
        let Some(lines) = text.known().and_then(printed_by) else { return rows_of("sqlite3") };
        all.push_str(&lines);
    }
    Feed::of(Value::text(all))
}

fn printed_by(text: &str) -> Option<String> {
    let mut all = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(command) = line.strip_prefix('.') {
            let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            match meant(name).as_slice() {
                ["output"] | ["once"] => {}
                ["print"] => {
                    all.push_str(&dot_words(rest).join(" "));
                    all.push('\n');
                }
                _ => return None,
            }
            continue;
        }
        let (verb, selected) = line.split_at_checked("select".len())?;
        let quoted = selected.trim().trim_end_matches(';').trim_end().strip_prefix('\'')?.strip_suffix('\'')?;
        if !verb.eq_ignore_ascii_case("select") || quoted.replace("''", "").contains('\'') {
            return None;
        }
        all.push_str(&quoted.replace("''", "'"));
        all.push('\n');
    }
    Some(all)
}

/// What is left of a text after its client's commands were taken out, as a value.
pub(super) fn without_commands(
    shell: &mut Shell<'_>,
    value: &Value,
    span: Span,
    take_out: impl FnOnce(&mut Shell<'_>, &str, Span) -> String,
) -> Value {
    match value.known() {
        Some(text) if text.contains('\\') || text.trim_start().starts_with('.') || has_word_command(text) => {
            Value::text(take_out(shell, text, span))
        }
        _ => value.clone(),
    }
}

fn has_word_command(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with('.')
            || ["system", "source", "tee", "pager"]
                .iter()
                .any(|word| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
    })
}
