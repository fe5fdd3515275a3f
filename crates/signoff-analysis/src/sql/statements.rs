//! What one statement does.

use super::{
    Deed, Dialect, Finding, UNKNOWN, functions,
    tokens::{Backslash, Token, statements},
};

/// Texts inside texts are read this deep.
const MAX_DEPTH: usize = 4;

/// Reads a text and adds what it does.
pub(super) fn read(text: &str, dialect: Dialect, backslash: Backslash, found: &mut Vec<Finding>, depth: usize) {
    if depth > MAX_DEPTH {
        found.push(Finding { deed: Deed::Hidden, object: "…".to_owned() });
        return;
    }
    let mut reading = Reading { dialect, backslash, depth, temporary: Vec::new(), found };
    for statement in statements(text, dialect, backslash) {
        reading.statement(&statement);
    }
}

struct Reading<'f> {
    dialect: Dialect,
    backslash: Backslash,
    depth: usize,
    /// Tables that the text itself has made for the session.
    temporary: Vec<String>,
    found: &'f mut Vec<Finding>,
}

/// Statements that only look, or only touch the session.
const HARMLESS: &[&str] = &[
    "select",
    "with",
    "values",
    "table",
    "show",
    "describe",
    "desc",
    "help",
    "use",
    "begin",
    "start",
    "commit",
    "rollback",
    "savepoint",
    "release",
    "end",
    "abort",
    "reset",
    "declare",
    "fetch",
    "close",
    "move",
    "deallocate",
    "discard",
    "listen",
    "unlisten",
    "analyze",
    "analyse",
    "checksum",
    "print",
    "go",
    "from",
    "summarize",
    "pivot",
    "unpivot",
    "exists",
    "detach",
    "set",
    "if",
    "while",
    "else",
    "delimiter",
    "handler",
    "waitfor",
    "raiserror",
    "return",
    "goto",
    "list",
    "consistency",
    "tracing",
    "paging",
    "expand",
    "source_file",
];

const SERVER: &[&str] = &[
    "shutdown",
    "kill",
    "flush",
    "purge",
    "lock",
    "unlock",
    "checkpoint",
    "vacuum",
    "cluster",
    "reindex",
    "optimize",
    "repair",
    "dbcc",
    "change",
    "stop",
    "install",
    "uninstall",
    "load",
    "notify",
    "binlog",
    "cache",
    "reconfigure",
    "system",
    "restart",
    "clone",
    "pause",
    "cancel",
    "backup",
];

impl Reading<'_> {
    fn add(&mut self, deed: Deed, object: impl Into<String>) {
        let finding = Finding { deed, object: object.into() };
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }

    fn nested(&mut self, text: &str) {
        read(text, self.dialect, self.backslash, self.found, self.depth + 1);
    }

    fn statement(&mut self, tokens: &[Token]) {
        let opening = tokens.iter().take_while(|token| token.is_symbol('(')).count();
        let tokens = tokens.get(opening..).unwrap_or_default();
        let Some(first) = tokens.first() else { return };
        let rest = tokens.get(1..).unwrap_or_default();
        let Some(verb) = first.word() else {
            return self.add(Deed::Unclear, shown(tokens));
        };
        match verb {
            "explain" => self.explain(rest),
            "describe" | "desc" if rest.first().is_some_and(|token| token.is("analyze")) => self.explain(rest),
            "prepare" => match rest.iter().position(|token| token.is("as")) {
                Some(at) => self.statement(rest.get(at + 1..).unwrap_or_default()),
                None => self.texts_inside(rest),
            },
            "set" => self.set(rest),
            "pragma" => self.pragma(rest),
            "reset"
                if rest.first().is_some_and(|token| {
                    token.is("master")
                        || token.is("slave")
                        || token.is("replica")
                        || token.is("persist")
                        || token.is("binary")
                }) =>
            {
                self.add(Deed::Server, shown(tokens));
            }
            "show" | "help" | "use" | "values" if verb != "values" => {}
            _ if HARMLESS.contains(&verb) => self.read_with_side_effects(tokens),
            "delete" | "update" | "insert" | "upsert" | "merge" => self.write(tokens),
            "replace" => self.write(tokens),
            "drop" | "truncate" | "undrop" => self.drop(tokens),
            "alter" => self.alter(tokens),
            "create" => self.create(tokens),
            "rename" | "comment" | "refresh" | "import" | "optimise" => self.add(Deed::Schema, shown(tokens)),
            "security" | "grant" | "revoke" | "deny" | "reassign" => self.add(Deed::Rights, shown(tokens)),
            "copy" => self.copy(tokens),
            "load" if rest.first().is_some_and(|token| token.is("data") || token.is("xml")) => {
                self.add(Deed::Write, named_after(tokens, &["table"]));
            }
            "bulk" => self.add(Deed::Write, shown(tokens)),
            "attach" => self.add(Deed::Files, shown(tokens)),
            "export" | "unload" => self.add(Deed::Files, shown(tokens)),
            "restore" => self.add(Deed::Drop, shown(tokens)),
            "call" | "exec" | "execute" => self.execute(tokens),
            "do" => {
                self.add(Deed::Hidden, "DO");
                self.texts_inside(rest);
            }
            _ if SERVER.contains(&verb) => self.add(Deed::Server, shown(tokens)),
            _ => self.add(Deed::Unclear, shown(tokens)),
        }
    }

    fn explain(&mut self, rest: &[Token]) {
        let runs = match rest.first() {
            Some(token) if token.is("analyze") || token.is("analyse") => true,
            Some(token) if token.is_symbol('(') => {
                let options = rest.iter().take_while(|token| !token.is_symbol(')'));
                let mut options = options.skip_while(|token| !(token.is("analyze") || token.is("analyse")));
                options.next().is_some()
                    && !options.next().is_some_and(|value| value.is("false") || value.is("off") || value.is("0"))
            }
            _ => false,
        };
        if runs {
            let begins = |token: &Token| {
                token.word().is_some_and(|word| {
                    matches!(
                        word,
                        "select"
                            | "with"
                            | "insert"
                            | "update"
                            | "delete"
                            | "merge"
                            | "execute"
                            | "create"
                            | "values"
                            | "replace"
                            | "table"
                    )
                })
            };
            if let Some(at) = rest.iter().position(begins) {
                self.statement(rest.get(at..).unwrap_or_default());
            }
        }
    }

    fn set(&mut self, rest: &[Token]) {
        let words: Vec<&str> = rest.iter().filter_map(Token::named).take(3).collect();
        match words.as_slice() {
            ["persist" | "persist_only" | "global" | "@@global" | "@@persist" | "@@persist_only", ..] => {
                self.add(Deed::Server, shown(rest))
            }
            ["session_replication_role", ..] | ["session" | "local", "session_replication_role", ..] => {
                self.add(Deed::Server, shown(rest))
            }
            ["password" | "role", ..] | ["session", "authorization", ..] | ["default", "role", ..] => {
                self.add(Deed::Rights, shown(rest))
            }
            _ => self.read_with_side_effects(rest),
        }
    }

    fn pragma(&mut self, rest: &[Token]) {
        const READS: &[&str] = &[
            "table_info",
            "table_xinfo",
            "table_list",
            "index_list",
            "index_info",
            "index_xinfo",
            "foreign_key_list",
            "foreign_key_check",
            "integrity_check",
            "quick_check",
            "database_list",
            "compile_options",
            "function_list",
            "module_list",
            "pragma_list",
            "collation_list",
            "query_only",
            "busy_timeout",
            "cache_size",
            "temp_store",
            "case_sensitive_like",
            "mmap_size",
            "threads",
            "data_version",
            "page_count",
            "freelist_count",
            "analysis_limit",
            "optimize",
            "recursive_triggers",
            "show_tables",
            "table_infos",
        ];
        let names: Vec<&str> = rest.iter().filter_map(Token::named).collect();
        let name = if rest.get(1).is_some_and(|token| token.is_symbol('.')) { names.get(1) } else { names.first() };
        let name = name.copied().unwrap_or_default();
        let sets = rest.iter().any(|token| token.is_symbol('=') || token.is_symbol('('));
        let turns_on = matches!(names.last(), Some(&("on" | "1" | "true" | "yes")));
        match name {
            _ if READS.contains(&name) => {}
            "wal_checkpoint" | "incremental_vacuum" => self.add(Deed::Server, format!("PRAGMA {name}")),
            _ if !sets => {}
            "foreign_keys" if turns_on => {}
            "writable_schema" if turns_on => self.add(Deed::Catalogue, "PRAGMA writable_schema"),
            _ => self.add(Deed::Server, format!("PRAGMA {name}")),
        }
    }

    fn write(&mut self, tokens: &[Token]) {
        let object = written_table(tokens);
        if self.temporary.contains(&object) || object.starts_with('#') {
            return self.read_with_side_effects(tokens.get(1..).unwrap_or_default());
        }
        let verb = tokens.first().and_then(Token::word).unwrap_or_default();
        if is_catalogue(&object) {
            self.add(Deed::Catalogue, object.as_str());
        } else if matches!(verb, "delete" | "update") && !is_limited(tokens) {
            self.add(Deed::WriteAll, object.as_str());
        } else {
            self.add(Deed::Write, object.as_str());
        }
        self.calls(tokens.get(1..).unwrap_or_default());
        self.later_statements(tokens.get(1..).unwrap_or_default());
    }

    fn drop(&mut self, tokens: &[Token]) {
        let words: Vec<&str> = tokens.iter().filter_map(Token::word).take(3).collect();
        let object = dropped_object(tokens);
        match words.get(1).copied().unwrap_or_default() {
            "database" | "schema" | "owned" | "keyspace" | "catalog" | "tablespace"
                if words.first() == Some(&"drop") =>
            {
                self.add(Deed::DropDatabase, object);
            }
            "user" | "role" | "login" | "policy" | "group" | "credential" => self.add(Deed::Rights, shown(tokens)),
            "temporary" | "temp" => {}
            _ if self.temporary.contains(&object) || object.starts_with('#') => {}
            "index" | "view" | "function" | "procedure" | "trigger" | "sequence" | "type" | "extension"
            | "aggregate" | "operator" | "rule" | "cast" | "event" | "publication" | "subscription" | "collation"
            | "domain" | "synonym" | "prepare" => {
                self.add(Deed::Schema, shown(tokens));
            }
            _ => self.add(Deed::Drop, object),
        }
        self.later_statements(tokens.get(1..).unwrap_or_default());
    }

    fn alter(&mut self, tokens: &[Token]) {
        let second = tokens.get(1).and_then(Token::word).unwrap_or_default();
        let has = |word: &str| tokens.iter().any(|token| token.is(word));
        match second {
            "user" | "role" | "login" | "group" | "policy" | "authorization" => self.add(Deed::Rights, shown(tokens)),
            "default" if has("privileges") => self.add(Deed::Rights, shown(tokens)),
            "system" | "server" | "instance" | "database" => self.add(Deed::Server, shown(tokens)),
            _ if has("owner") || has("security") => self.add(Deed::Rights, shown(tokens)),
            _ if has("drop") || has("truncate") => self.add(Deed::Drop, shown(tokens)),
            _ => self.add(Deed::Schema, shown(tokens)),
        }
        self.later_statements(tokens.get(1..).unwrap_or_default());
    }

    fn create(&mut self, tokens: &[Token]) {
        let words: Vec<&str> = tokens.iter().filter_map(Token::word).take(5).collect();
        let temporary = words.iter().take(4).any(|word| matches!(*word, "temp" | "temporary"))
            || words.get(1) == Some(&"table") && words.get(2).is_some_and(|name| name.starts_with('#'));
        if temporary {
            let name = tokens.iter().skip_while(|token| !(token.is("table") || token.is("view"))).skip(1);
            let mut name = name.filter(|token| !["if", "not", "exists"].iter().any(|word| token.is(word)));
            self.temporary.extend(name.next().and_then(Token::named).map(str::to_owned));
            return self.read_with_side_effects(tokens.get(1..).unwrap_or_default());
        }
        match words.get(1).copied().unwrap_or_default() {
            "user" | "role" | "login" | "policy" | "group" | "credential" => self.add(Deed::Rights, shown(tokens)),
            "function" if words.contains(&"soname") || tokens.iter().any(|token| token.is("soname")) => {
                self.add(Deed::Hidden, shown(tokens))
            }
            "extension" | "server" | "subscription" | "publication" => self.add(Deed::Server, shown(tokens)),
            _ => self.add(Deed::Schema, shown(tokens)),
        }
        self.calls_of(tokens, &[Deed::Command]);
    }

    fn copy(&mut self, tokens: &[Token]) {
        let mut depth = 0usize;
        let outer: Vec<&Token> = tokens
            .iter()
            .filter(|token| {
                depth += usize::from(token.is_symbol('('));
                let keep = depth == 0;
                depth = depth.saturating_sub(usize::from(token.is_symbol(')')));
                keep
            })
            .collect();
        let has = |word: &str| outer.iter().any(|token| token.is(word));
        if has("program") {
            self.add(Deed::Command, shown(tokens));
        } else if has("from") {
            self.add(Deed::Write, outer.get(1).and_then(|token| token.named()).unwrap_or("COPY"));
        } else if has("to") && !has("stdout") {
            self.add(Deed::Files, shown(tokens));
        }
        if let Some(start) = tokens.iter().position(|token| token.is_symbol('(')) {
            self.read_with_side_effects(tokens.get(start + 1..).unwrap_or_default());
        }
    }

    fn execute(&mut self, tokens: &[Token]) {
        let name = dropped_object(tokens);
        let last = name.rsplit('.').next().unwrap_or_default();
        match functions::deed(last) {
            Some(Deed::Command) => self.add(Deed::Command, last),
            _ if matches!(
                last,
                "sp_help"
                    | "sp_helptext"
                    | "sp_columns"
                    | "sp_tables"
                    | "sp_who"
                    | "sp_who2"
                    | "sp_databases"
                    | "sp_spaceused"
            ) => {}
            _ => self.add(Deed::Hidden, shown(tokens)),
        }
        self.texts_inside(tokens.get(1..).unwrap_or_default());
        self.calls(tokens.get(1..).unwrap_or_default());
    }

    /// Strings that are themselves statements.
    fn texts_inside(&mut self, tokens: &[Token]) {
        for token in tokens {
            if let Token::Text(text) = token {
                let before = self.found.len();
                self.nested(text);
                // A string that is no statement at all is only a string.
                let mut index = 0;
                self.found.retain(|finding| {
                    index += 1;
                    index <= before || finding.deed != Deed::Unclear
                });
            }
        }
    }

    /// A statement that begins like a read: whatever in it is more than that.
    fn read_with_side_effects(&mut self, tokens: &[Token]) {
        self.later_statements(tokens);
        self.calls(tokens);
        self.into(tokens);
        self.secrets(tokens);
        if tokens.first().is_some_and(|token| token.word() == Some(UNKNOWN)) {
            self.add(Deed::Unclear, UNKNOWN);
        }
    }

    /// Writes inside a read: in a `WITH`, behind a condition, or as a second statement without a separator.
    fn later_statements(&mut self, tokens: &[Token]) {
        for (index, token) in
            tokens.iter().enumerate().skip(usize::from(tokens.first().is_some_and(|token| token.is("select"))))
        {
            let Some(word) = token.word() else { continue };
            let before = index.checked_sub(1).and_then(|at| tokens.get(at));
            if before.is_some_and(|token| {
                token.is_symbol('.')
                    || ["as", "for", "on", "key", "of", "or", "before", "after"].iter().any(|word| token.is(word))
            }) && !before.is_some_and(|token| token.is("as") && word != "update")
            {
                continue;
            }
            let rest = tokens.get(index..).unwrap_or_default();
            let next = rest.get(1);
            let next_is = |words: &[&str]| next.and_then(Token::word).is_some_and(|word| words.contains(&word));
            const OBJECTS: &[&str] = &[
                "table",
                "database",
                "schema",
                "view",
                "index",
                "user",
                "role",
                "login",
                "function",
                "procedure",
                "trigger",
                "sequence",
                "owned",
                "keyspace",
                "system",
                "materialized",
                "type",
                "extension",
                "column",
            ];
            match word {
                "delete" if next_is(&["from"]) || before.is_some_and(|token| token.is("then")) => self.write(rest),
                "insert"
                    if next_is(&["into", "ignore", "or", "overwrite"])
                        || before.is_some_and(|token| token.is("then")) =>
                {
                    self.write(rest)
                }
                "update"
                    if next.is_some_and(|token| token.named().is_some())
                        && rest.iter().any(|token| token.is("set")) =>
                {
                    self.write(rest)
                }
                "merge" if next_is(&["into"]) => self.write(rest),
                "drop" if next_is(OBJECTS) => self.drop(rest),
                "truncate" if next_is(&["table"]) => self.drop(rest),
                "alter" if next_is(OBJECTS) => self.alter(rest),
                "create" if next_is(OBJECTS) => self.create(rest),
                "grant" | "revoke"
                    if rest.iter().any(|token| token.is("to") || token.is("from"))
                        && next.is_some_and(|token| token.word().is_some()) =>
                {
                    self.add(Deed::Rights, shown(rest));
                }
                "exec" | "execute"
                    if next.is_some_and(|token| token.named().is_some() || token.is_symbol('('))
                        && !next_is(&["function", "procedure"]) =>
                {
                    return self.execute(rest);
                }
                _ => continue,
            }
            return;
        }
    }

    fn calls(&mut self, tokens: &[Token]) {
        self.calls_of(tokens, &[]);
    }

    /// Functions that are called, limited to some deeds unless none are named.
    fn calls_of(&mut self, tokens: &[Token], only: &[Deed]) {
        for pair in tokens.windows(2) {
            let [Token::Word(name) | Token::Name(name), next] = pair else { continue };
            if !next.is_symbol('(') {
                continue;
            }
            if let Some(deed) = functions::deed(name) {
                if only.is_empty() || only.contains(&deed) {
                    self.add(deed, name.as_str());
                }
            }
        }
        if tokens.iter().any(|token| token.named() == Some("xp_cmdshell")) {
            self.add(Deed::Command, "xp_cmdshell");
        }
    }

    /// `SELECT … INTO`.
    fn into(&mut self, tokens: &[Token]) {
        for (index, token) in tokens.iter().enumerate() {
            if !token.is("into")
                || index == 0
                || tokens
                    .get(index - 1)
                    .is_some_and(|before| ["insert", "ignore", "merge", "replace"].iter().any(|word| before.is(word)))
            {
                continue;
            }
            match tokens.get(index + 1) {
                Some(Token::Word(word)) if word == "outfile" || word == "dumpfile" => {
                    let file = tokens
                        .iter()
                        .skip(index)
                        .find_map(|token| if let Token::Text(text) = token { Some(text.as_str()) } else { None });
                    let code = tokens.iter().any(|token| matches!(token, Token::Text(text) if text.contains("<?") || text.contains("<%") || text.starts_with("#!")));
                    let deed = if code || file.is_some_and(runs_by_itself) { Deed::Plant } else { Deed::Files };
                    self.add(deed, file.unwrap_or("INTO OUTFILE"));
                }
                Some(Token::Word(word))
                    if word.starts_with('@') || word.starts_with('#') || word == "temp" || word == "temporary" => {}
                Some(Token::Symbol(':' | '#')) | None => {}
                Some(table) => self.add(Deed::Schema, format!("SELECT INTO {}", table.named().unwrap_or_default())),
            }
        }
    }

    /// Password hashes and keys among what a read shows.
    fn secrets(&mut self, tokens: &[Token]) {
        const TABLES: &[&str] = &["pg_shadow", "pg_authid", "sql_logins", "pg_user_mapping"];
        const COLUMNS: &[&str] = &[
            "authentication_string",
            "rolpassword",
            "password_hash",
            "hashed_password",
            "encrypted_password",
            "password_digest",
            "password",
            "passwd",
            "api_key",
            "apikey",
            "secret_key",
            "access_token",
            "refresh_token",
            "private_key",
        ];
        if let Some(table) = tokens.iter().filter_map(Token::named).find(|name| TABLES.contains(name)) {
            return self.add(Deed::Secrets, table);
        }
        let listed = tokens.iter().take_while(|token| !token.is("from"));
        let mut shows_from = tokens.iter().any(|token| token.is("from"));
        let mut depth = 0usize;
        for token in listed {
            depth += usize::from(token.is_symbol('('));
            depth = depth.saturating_sub(usize::from(token.is_symbol(')')));
            if depth == 0 && shows_from && token.named().is_some_and(|name| COLUMNS.contains(&name)) {
                self.add(Deed::Secrets, token.named().unwrap_or_default());
                shows_from = false;
            }
        }
    }
}

/// Whether a file with this name is run by a web server, a shell or the system.
fn runs_by_itself(path: &str) -> bool {
    [".php", ".phtml", ".jsp", ".asp", ".aspx", ".sh", ".so", ".dll", ".py", ".pl", "authorized_keys"]
        .iter()
        .any(|ending| path.ends_with(ending))
        || path.starts_with("/etc/")
        || path.contains("/cron")
}

fn is_catalogue(table: &str) -> bool {
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
fn is_limited(tokens: &[Token]) -> bool {
    if tokens.iter().any(|token| token.is("limit")) {
        return true;
    }
    let Some(at) = tokens.iter().position(|token| token.is("where")) else { return false };
    let condition = tokens.get(at + 1..).unwrap_or_default();
    !always_true(condition)
}

fn always_true(condition: &[Token]) -> bool {
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
fn written_table(tokens: &[Token]) -> String {
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
fn dropped_object(tokens: &[Token]) -> String {
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
fn dotted(tokens: &[Token]) -> String {
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

fn named_after(tokens: &[Token], words: &[&str]) -> String {
    let at = tokens.iter().position(|token| words.iter().any(|word| token.is(word)));
    dotted(tokens.get(at.map_or(tokens.len(), |at| at + 1)..).unwrap_or_default())
}

/// The beginning of a statement as a person would recognise it.
fn shown(tokens: &[Token]) -> String {
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
