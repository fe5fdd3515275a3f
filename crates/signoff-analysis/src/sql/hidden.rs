//! What hides in a statement that begins harmlessly: writes in a `WITH`, calls, `INTO`, secrets among the columns.

use super::{
    Deed, UNKNOWN, functions,
    names::{runs_by_itself, shown},
    statements::Reading,
    tokens::Token,
};

impl Reading<'_> {
    /// Strings that are themselves statements.
    pub(super) fn texts_inside(&mut self, tokens: &[Token]) {
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
    pub(super) fn read_with_side_effects(&mut self, tokens: &[Token]) {
        self.later_statements(tokens);
        self.calls(tokens);
        self.into(tokens);
        self.secrets(tokens);
        if tokens.first().is_some_and(|token| token.word() == Some(UNKNOWN)) {
            self.add(Deed::Unclear, UNKNOWN);
        }
    }

    /// Writes inside a read: in a `WITH`, behind a condition, or as a second statement without a separator.
    pub(super) fn later_statements(&mut self, tokens: &[Token]) {
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
                "delete" if next_is(&["from"]) || before.is_some_and(|token| token.is("then")) => {
                    self.inner(rest, Self::write)
                }
                "insert"
                    if next_is(&["into", "ignore", "or", "overwrite"])
                        || before.is_some_and(|token| token.is("then")) =>
                {
                    self.inner(rest, Self::write)
                }
                "update"
                    if next.is_some_and(|token| token.named().is_some())
                        && rest.iter().any(|token| token.is("set")) =>
                {
                    self.inner(rest, Self::write)
                }
                "merge" if next_is(&["into"]) => self.inner(rest, Self::write),
                "drop" if next_is(OBJECTS) => self.inner(rest, Self::drop),
                "truncate" if next_is(&["table"]) => self.inner(rest, Self::drop),
                "alter" if next_is(OBJECTS) => self.inner(rest, Self::alter),
                "create" if next_is(OBJECTS) => self.inner(rest, Self::create),
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
                    return self.inner(rest, Self::execute);
                }
                _ => continue,
            }
            return;
        }
    }

    pub(super) fn calls(&mut self, tokens: &[Token]) {
        self.calls_of(tokens, &[]);
    }

    /// Functions that are called, limited to some deeds unless none are named.
    pub(super) fn calls_of(&mut self, tokens: &[Token], only: &[Deed]) {
        for pair in tokens.windows(2) {
            let [Token::Word(name) | Token::Name(name), next] = pair else { continue };
            if !next.is_symbol('(') {
                continue;
            }
            if let Some(deed) = functions::deed(name)
                && (only.is_empty() || only.contains(&deed))
            {
                self.add(deed, name.as_str());
            }
        }
        if tokens.iter().any(|token| token.named() == Some("xp_cmdshell")) {
            self.add(Deed::Command, "xp_cmdshell");
        }
    }

    /// `SELECT … INTO`.
    pub(super) fn into(&mut self, tokens: &[Token]) {
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
    pub(super) fn secrets(&mut self, tokens: &[Token]) {
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
