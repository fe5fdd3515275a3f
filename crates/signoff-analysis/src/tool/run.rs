//! What a tool is found to do is judged where it belongs: by the shell, by the readers of code and SQL, by the judgement of
//! files.

use signoff_model::{Dialect, FileAction, FileOperation, Span};

use super::{Reader, TOOL_DELETE, TOOL_DROPS_DATABASE};
use crate::{
    file::LONGEST_PATH,
    shell::{Language, Shell, syntax::Arena},
    sql,
    value::{Arg, Feed, Value as Known},
};

/// Walks with an abstract shell and keeps what it finds; everything is blamed on `span`.
fn with_shell(reader: &mut Reader<'_>, span: Span, body: impl FnOnce(&mut Shell<'_>)) {
    let findings = std::mem::take(&mut reader.findings);
    let whereabouts = reader.whereabouts.clone();
    let arena = Arena::new();
    let mut shell = Shell::new(&whereabouts, reader.facts, Dialect::Bash, &arena);
    shell.findings = findings;
    shell.blame_on(span);
    if reader.ground.is_disturbed() {
        shell.note_disturbed_before();
    }
    body(&mut shell);
    shell.note_rewrites();
    if shell.has_disturbed() {
        reader.ground.disturb();
    }
    reader.findings = shell.findings;
}

pub(super) fn run_shell(reader: &mut Reader<'_>, text: &str) {
    let span = reader.span_of(text);
    if !reader.spend(span) {
        return;
    }
    with_shell(reader, span, |shell| {
        shell.run_text(&Arg::text(text, span), Dialect::Bash, Feed::none());
    });
}

pub(super) fn run_words(reader: &mut Reader<'_>, words: &[&str]) {
    let span = Span::new(0, reader.shown.len());
    if !reader.spend(span) {
        return;
    }
    let argv: Vec<Arg> = words.iter().map(|word| Arg::text(*word, span)).collect();
    with_shell(reader, span, |shell| {
        shell.run(&argv, Feed::none(), span);
    });
}

pub(super) fn run_code(reader: &mut Reader<'_>, language: Language, code: &str) {
    let span = reader.span_of(code);
    if !reader.spend(span) {
        return;
    }
    with_shell(reader, span, |shell| {
        shell.run_code(language, &Arg::text(code, span), Feed::none());
    });
    reader.ground.disturb();
}

/// Reads SQL that a tool hands to a database as it is. A command line may still mean a throw-away database; here the
/// statement is all there is.
pub(super) fn run_sql(reader: &mut Reader<'_>, statement: &str) {
    let span = reader.span_of(statement);
    if !reader.spend(span) {
        return;
    }
    with_shell(reader, span, |shell| {
        sql::verdict_of_text(shell, &Known::text(statement), sql::Dialect::Any, span);
    });
    if let Some(finding) = sql::deeds_of_text(statement, sql::Dialect::Any)
        .into_iter()
        .find(|finding| finding.deed == sql::Deed::DropDatabase)
    {
        reader.say(&TOOL_DROPS_DATABASE, finding.object, span);
    }
}

/// Does something to one path. A delete through a tool always asks, whatever is deleted.
pub(super) fn touch(reader: &mut Reader<'_>, action: FileAction, path: &str, to: Option<&str>) {
    let longest = to.map_or(0, str::len).max(path.len());
    match reader.paths_left.checked_sub(path.len() + to.map_or(0, str::len)) {
        Some(left) if longest <= LONGEST_PATH => reader.paths_left = left,
        _ => {
            reader.paths_left = 0;
            return reader.unread();
        }
    }
    let (span, to_span) = (reader.span_of(path), to.map_or_else(Span::default, |to| reader.span_of(to)));
    let operation = FileOperation { action, path: path.to_owned(), to: to.map(str::to_owned), content: None };
    let mut inner = reader.files();
    inner.judge(&operation, span, to_span);
    if action == FileAction::Delete {
        let place = inner.entry(path);
        reader.findings.report(&TOOL_DELETE, place.target(), place.scope, span);
    }
}
