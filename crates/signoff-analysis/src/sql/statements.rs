//! What one statement does.

use super::{
    Deed, Dialect, Finding, functions,
    names::{dotted_after, dropped_object, is_catalogue, is_limited, shown, written_table},
    tokens::{Backslash, Token, statements},
};

/// Texts inside texts are read this deep.
const MAX_DEPTH: usize = 4;

/// Statements without a text between them nest at most this deep: each is looked through to its end.
const MAX_INSIDE: usize = 32;

/// Reads a text and adds what it does.
pub(super) fn read(text: &str, dialect: Dialect, backslash: Backslash, found: &mut Vec<Finding>, depth: usize) {
    if depth > MAX_DEPTH {
        found.push(Finding { deed: Deed::Hidden, object: "…".to_owned() });
        return;
    }
    let mut reading = Reading { dialect, backslash, depth, inside: 0, temporary: Vec::new(), found };
    for statement in statements(text, dialect, backslash) {
        reading.statement(&statement);
    }
}

pub(super) struct Reading<'f> {
    dialect: Dialect,
    backslash: Backslash,
    depth: usize,
    /// How many statements stand around the one at hand, without a text between them.
    inside: usize,
    /// Tables that the text itself has made for the session.
    temporary: Vec<String>,
    pub(super) found: &'f mut Vec<Finding>,
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
    pub(super) fn add(&mut self, deed: Deed, object: impl Into<String>) {
        let finding = Finding { deed, object: object.into() };
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }

    pub(super) fn nested(&mut self, text: &str) {
        read(text, self.dialect, self.backslash, self.found, self.depth + 1);
    }

    /// Reads a statement inside the one at hand. Too deep, it stays unclear.
    pub(super) fn inner(&mut self, tokens: &[Token], read: impl FnOnce(&mut Self, &[Token])) {
        if self.inside >= MAX_INSIDE {
            return self.add(Deed::Unclear, shown(tokens.get(..8).unwrap_or(tokens)));
        }
        self.inside += 1;
        read(self, tokens);
        self.inside -= 1;
    }

    pub(super) fn statement(&mut self, tokens: &[Token]) {
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
                Some(at) => self.inner(rest.get(at + 1..).unwrap_or_default(), Self::statement),
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
                self.add(Deed::Write, dotted_after(tokens, &["table"]));
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

    pub(super) fn explain(&mut self, rest: &[Token]) {
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
                self.inner(rest.get(at..).unwrap_or_default(), Self::statement);
            }
        }
    }

    pub(super) fn set(&mut self, rest: &[Token]) {
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

    pub(super) fn pragma(&mut self, rest: &[Token]) {
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

    pub(super) fn write(&mut self, tokens: &[Token]) {
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

    pub(super) fn drop(&mut self, tokens: &[Token]) {
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

    pub(super) fn alter(&mut self, tokens: &[Token]) {
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

    pub(super) fn create(&mut self, tokens: &[Token]) {
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

    pub(super) fn copy(&mut self, tokens: &[Token]) {
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

    pub(super) fn execute(&mut self, tokens: &[Token]) {
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
}
