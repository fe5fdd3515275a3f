//! Clients that take SQL on the command line, from a file or from standard input.

use signoff_model::Span;

use super::{SCRIPT, meta};
use crate::{
    facts::FileText,
    path_effects::Write,
    place::{Extent, Nature},
    shell::{Call, Shell, Written, families::unknown, options::strip, subcommands::Line},
    sql::{self, Dialect},
    value::{Arg, Feed, Origin, Value},
};

/// A file of statements runs.
pub(super) fn file(shell: &mut Shell<'_>, file: &Arg, dialect: Dialect) {
    let place = shell.place(&file.value);
    if let Some(Written::Content(feed)) = shell.written(&place.path).cloned() {
        return feed_in(shell, &feed, dialect, file.span);
    }
    if place.extent == Extent::Exact
        && let FileText::Text(text) = shell.facts().text(&place.path)
    {
        return text_in(shell, &Value::text(text), dialect, file.span);
    }
    shell.tell(&SCRIPT, file.shown(), file.span);
}

/// What flows in runs.
fn feed_in(shell: &mut Shell<'_>, feed: &Feed, dialect: Dialect, span: Span) {
    if feed.is_none() {
        return;
    }
    match &feed.text {
        Some(text) => text_in(shell, text, dialect, span),
        None => {
            let source = feed.origins.first();
            let shown = match source {
                Some(Origin::File(name)) => name.clone(),
                Some(Origin::Program(name)) => name.to_string(),
                Some(Origin::Download { url, .. }) => url.clone(),
                _ => "standard input".to_owned(),
            };
            shell.tell(&SCRIPT, shown, span);
        }
    }
}

/// A text of statements and the client's own commands runs.
fn text_in(shell: &mut Shell<'_>, text: &Value, dialect: Dialect, span: Span) {
    let left = match dialect {
        Dialect::Postgres => meta::without_commands(shell, text, span, meta::psql),
        Dialect::MySql => meta::without_commands(shell, text, span, meta::mysql),
        Dialect::Sqlite => {
            let printed = meta::printed(std::iter::once(text));
            sqlite_without_commands(shell, text, &printed, span)
        }
        Dialect::TSql | Dialect::Any => text.clone(),
    };
    sql::verdict_of_text(shell, &left, dialect, span);
}

fn sqlite_without_commands(shell: &mut Shell<'_>, text: &Value, printed: &Feed, span: Span) -> Value {
    meta::without_commands(shell, text, span, |shell, text, span| meta::sqlite(shell, text, printed, span))
}

pub(super) fn postgres(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VALUES: &str = "\
    -c --command -f --file -h --host -p --port -U --username -d --dbname -v --set --variable -o \
    --output -L --log-file -P --pset -F --field-separator -R --record-separator -T --table-attr -e \
    --execute --url --database --user --certs-dir";
    // In psql the letter only echoes; in its relatives it runs a statement.
    static PSQL: &str = "\
    -c --command -f --file -h --host -p --port -U --username -d --dbname -v --set --variable -o \
    --output -L --log-file -P --pset -F --field-separator -R --record-separator -T --table-attr";
    let is_psql = call.name == "psql";
    let line = Line::read(&call.args, if is_psql { PSQL } else { VALUES });
    if call.asks_by(&["--help", "--version", "-?"]) || is_psql && line.has(&["-l", "--list", "-V"]) {
        return call.output();
    }
    if call.name == "cockroach" && !matches!(line.word(0), Some("sql" | "shell")) {
        return cockroach(shell, call, &line);
    }
    for target in line.all_values(&["-o", "--output", "-L", "--log-file"]) {
        match target.known().and_then(|target| target.strip_prefix('|')) {
            Some(code) => {
                let code = Arg::text(code, target.span);
                shell.run_text(&code, signoff_model::Dialect::Sh, meta::rows_of(&call.name));
            }
            None => shell.write_over(&target),
        }
    }
    let texts = line.all_values(if is_psql { &["-c", "--command"] } else { &["-c", "--command", "-e", "--execute"] });
    let files = line.all_values(&["-f", "--file"]);
    for text in &texts {
        text_in(shell, &text.value, Dialect::Postgres, text.span);
    }
    for name in &files {
        if name.is("-") {
            feed_in(shell, &call.stdin, Dialect::Postgres, call.span);
        } else {
            file(shell, name, Dialect::Postgres);
        }
    }
    if texts.is_empty() && files.is_empty() {
        feed_in(shell, &call.stdin, Dialect::Postgres, call.span);
    }
    call.output()
}

fn cockroach(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match line.word(0) {
        Some(
            "demo" | "version" | "gen" | "start" | "start-single-node" | "statement-diag" | "convert-url"
            | "auth-session" | "cert",
        )
        | None => {}
        Some("node") if matches!(line.word(1), Some("ls" | "status")) => {}
        Some(_) => shell.tell(&super::SERVER, line.named(&call.name), call.span),
    }
    call.output()
}

pub(super) fn mysql(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VALUES: &str = "\
    -e --execute -h --host -u --user -P --port -S --socket -D --database --pager --tee --init-command \
    --default-character-set --defaults-file --defaults-extra-file --protocol --ssl-ca --ssl-cert \
    --ssl-key --prompt --delimiter --sqlc -f --file";
    let line = Line::read(&call.args, VALUES);
    if call.asks_by(&["--help", "--version", "-V", "-?", "-I"]) {
        return call.output();
    }
    for program in line.all_values(&["--pager"]) {
        shell.run_text(&program, signoff_model::Dialect::Sh, meta::rows_of(&call.name));
    }
    for target in line.all_values(&["--tee"]) {
        shell.write(&target, Write::Append);
    }
    let texts = line.all_values(&["-e", "--execute", "--init-command", "--sqlc"]);
    for text in &texts {
        text_in(shell, &text.value, Dialect::MySql, text.span);
    }
    if call.name == "mysqlsh" {
        for name in line.all_values(&["-f", "--file"]) {
            shell.tell(&SCRIPT, name.shown(), name.span);
        }
    }
    if texts.is_empty() {
        feed_in(shell, &call.stdin, Dialect::MySql, call.span);
    }
    call.output()
}

pub(super) fn sqlite(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VALUES: &str = "\
    -cmd -init -separator -nullvalue -newline -mmap -maxsize -heap -lookaside -pagecache -vfs -c -s -f \
    -A -storage-version --cmd --init --separator --nullvalue --newline";
    let line = Line::read(&call.args, VALUES);
    if call.asks_by(&["--help", "-help", "--version", "-version"]) {
        return call.output();
    }
    let read_only = call.has("-readonly") || call.has("--readonly");
    let mut kept = line.words.first().map_or(Kept::Nowhere, |name| Kept::of(shell, name));
    let mut output = call.output();
    if let (Some(name), Kept::InFile) = (line.words.first(), kept) {
        let read = shell.read(name);
        if read.secret().is_some() {
            output = read;
        }
    }
    if read_only {
        kept = Kept::Nowhere;
    }
    let mut texts: Vec<Arg> = line.plain_values(&["-cmd", "--cmd", "-c", "-s"]);
    texts.extend(line.words_from(1).iter().map(|text| (*text).clone()));
    let mut files = line.plain_values(&["-init", "--init", "-f"]);
    files.retain(|name| !name.is("/dev/null"));
    let printed = meta::printed(texts.iter().map(|text| &text.value));
    for text in &texts {
        kept = statements(shell, &text.value, kept, &printed, text.span);
    }
    for name in &files {
        if kept == Kept::InFile {
            file(shell, name, Dialect::Sqlite);
        }
    }
    if texts.is_empty() && files.is_empty() {
        match &call.stdin.text {
            Some(text) => {
                let printed = meta::printed(std::iter::once(text));
                statements(shell, text, kept, &printed, call.span);
            }
            None if kept == Kept::Nowhere => {}
            None => feed_in(shell, &call.stdin, Dialect::Sqlite, call.span),
        }
    }
    output
}

/// Where the database at hand is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// In a file that somebody may need.
    InFile,
    /// In memory or in the temporary directory, or nothing can be written: only what leaves it counts.
    Nowhere,
}

impl Kept {
    /// Where the database of this name is kept.
    fn of(shell: &mut Shell<'_>, name: &Arg) -> Self {
        let in_memory = |name: &str| name.is_empty() || name.contains(":memory:") || name.contains("mode=memory");
        match shell.place(&name.value).nature {
            _ if name.known().is_some_and(in_memory) => Self::Nowhere,
            Nature::Temporary => Self::Nowhere,
            // Whoever opens Signoff's store can change it: no statement needs to be read for that.
            Nature::Signoff => {
                shell.write(name, Write::Edit);
                Self::InFile
            }
            _ => Self::InFile,
        }
    }
}

/// Statements and the client's own commands for a database, line by line where a command opens another database. Tells
/// where the one is kept that is open then.
fn statements(shell: &mut Shell<'_>, text: &Value, mut kept: Kept, printed: &Feed, span: Span) -> Kept {
    let Some(known) = text.known().filter(|text| text.lines().any(|line| meta::opened(line).is_some())) else {
        statements_in(shell, text, kept, printed, span);
        return kept;
    };
    let mut before = String::new();
    for line in known.split_inclusive('\n') {
        let Some(opened) = meta::opened(line) else {
            before.push_str(line);
            continue;
        };
        statements_in(shell, &Value::text(std::mem::take(&mut before)), kept, printed, span);
        let name = Arg::text(opened.name, span);
        kept = Kept::of(shell, &name);
        match (opened.how, kept) {
            (meta::Opens::Anew, Kept::InFile) => shell.write(&name, Write::Empty),
            (meta::Opens::ToRead, _) => kept = Kept::Nowhere,
            _ => {}
        }
    }
    statements_in(shell, &Value::text(before), kept, printed, span);
    kept
}

fn statements_in(shell: &mut Shell<'_>, text: &Value, kept: Kept, printed: &Feed, span: Span) {
    if kept == Kept::InFile {
        let left = sqlite_without_commands(shell, text, printed, span);
        return sql::verdict_of_text(shell, &left, Dialect::Sqlite, span);
    }
    if let Some(known) = text.known() {
        for command in known.lines().filter_map(meta::unknown_dot_command) {
            shell.opaque(format!(".{command}"), span);
        }
    }
    let left = sqlite_without_commands(shell, text, printed, span);
    let Some(known) = left.known() else { return };
    sql::own_files(shell, known, span);
    for finding in sql::deeds_of_text(known, Dialect::Sqlite) {
        let leaves = match finding.deed {
            sql::Deed::Command | sql::Deed::Plant | sql::Deed::Hidden => true,
            sql::Deed::Files if finding.object == "writefile" || finding.object.starts_with("copy") => {
                !write_named(shell, known, span)
            }
            sql::Deed::Files => !finding.object.contains("memory"),
            _ => false,
        };
        if leaves {
            shell.tell(finding.deed.rule(), finding.object, span);
        }
    }
}

/// The files that statements write are written, whatever database is open: `writefile('a', …)`, `COPY … TO 'a'`. Tells
/// whether every one of them is named by a plain text.
fn write_named(shell: &mut Shell<'_>, text: &str, span: Span) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut plain = true;
    let calls = lower.match_indices("writefile").map(|(at, word)| (at + word.len(), '('));
    let copies = lower.match_indices("copy").filter_map(|(at, _)| {
        let end = lower.get(at..)?.find(';').map_or(lower.len(), |end| at + end);
        lower.get(at..end)?.rfind(" to ").map(|to| (at + to + " to".len(), ' '))
    });
    for (at, opens) in calls.chain(copies) {
        let behind = text.get(at..).unwrap_or_default().trim_start();
        let behind = behind.strip_prefix(opens).unwrap_or(behind).trim_start();
        let quoted = behind.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
        match quoted.filter(|(_, rest)| !rest.trim_start().starts_with(['|', '\''])) {
            Some((file, _)) => shell.write_over(&Arg::text(file, span)),
            None => plain &= opens == ' ' && behind.to_ascii_lowercase().starts_with("stdout"),
        }
    }
    plain
}

/// Clients that differ only in which option holds the statement.
pub(super) fn others(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static VALUES: &str = "\
    -q -Q -e -f -i -S -U -P -d -h -u -p -o -s --query --execute --file --queries-file --host --port \
    --user --password --database -execute -database -host -port -username -password -format --format -n \
    --catalog --schema --server --namespace --conn --endpoint -a -w -c --input-file --hivevar \
    --hiveconf --org --bucket --token --multiquery-file -precision --name --db";
    let line = Line::read(&call.args, VALUES);
    if call.asks_by(&["--help", "--version", "-?", "-version"]) {
        return call.output();
    }
    let dialect = match call.name.as_str() {
        "sqlcmd" | "osql" | "isql" | "mssql-cli" | "tsql" => Dialect::TSql,
        _ => Dialect::Any,
    };
    if call.name == "influx" && !line.words.is_empty() {
        return super::stores::influx(shell, call);
    }
    if call.name == "snow" && line.word(0) != Some("sql") {
        unknown::judge_words(shell, call);
        return call.output();
    }
    if call.name == "clickhouse" && line.word(0) == Some("local") || matches!(call.name.as_str(), "textql" | "csvsql") {
        return call.output();
    }
    if call.name == "sqlite-utils" {
        return super::stores::sqlite_utils(shell, call);
    }
    let mut texts = line.all_values(&["-q", "-Q", "-e", "--query", "--execute", "-execute"]);
    if call.name == "cbq" {
        texts.extend(line.all_values(&["-s", "--script"]));
    }
    for text in &texts {
        let shelled = text.known().and_then(|known| known.trim_start().trim_start_matches(':').strip_prefix("!!"));
        if let Some(code) = shelled {
            shell.run_text(&Arg::text(code, text.span), signoff_model::Dialect::Sh, Feed::none());
        } else {
            sql::verdict_of_text(shell, &text.value, dialect, text.span);
        }
    }
    let mut files = line.all_values(&["-f", "-i", "--file", "--queries-file", "--input-file"]);
    // `sqlplus user/password @script`.
    let scripts = line.words.iter().filter(|word| call.name == "sqlplus" && word.value.prefix().starts_with('@'));
    files.extend(scripts.map(|word| Arg { value: strip(&word.value, 1), span: word.span }));
    for name in &files {
        file(shell, name, dialect);
    }
    if texts.is_empty() && files.is_empty() {
        feed_in(shell, &call.stdin, dialect, call.span);
    }
    call.output()
}
