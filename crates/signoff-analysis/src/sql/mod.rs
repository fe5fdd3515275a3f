//! What SQL text does: a reader of its tokens that tells reads from everything else.
//!
//! It knows no grammar. A statement counts as a read only if it begins like one and nothing in it writes, locks, calls
//! something with effects or reaches for files of the server; what it does not know is unclear, and unclear asks.

mod functions;
mod hidden;
mod names;
pub mod rules;
mod statements;
mod tokens;

pub use rules::RULES;
use signoff_model::Span;
use tokens::Backslash;

use crate::{
    path_effects::Write,
    place::Nature,
    rule::Rule,
    shell::Shell,
    value::{Arg, Piece, Value},
};

/// Whose SQL it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// PostgreSQL and its relatives.
    Postgres,
    /// MySQL and MariaDB.
    MySql,
    /// SQLite.
    Sqlite,
    /// Transact-SQL.
    TSql,
    /// Not known.
    Any,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Changes rows.
    Write,
    /// Changes every row of a table.
    WriteAll,
    /// Changes the structure, and what is there stays.
    Schema,
    /// Drops a table, a column or another part with its data.
    Drop,
    /// Drops a whole database or schema.
    DropDatabase,
    /// Changes who may do what.
    Rights,
    /// Changes the server: settings, sessions, locks, logs.
    Server,
    /// Reads or writes files of the server.
    Files,
    /// Writes a program to where the server or another program runs it.
    Plant,
    /// Runs a command on the server.
    Command,
    /// Changes the catalogue behind the server's back.
    Catalogue,
    /// Shows passwords or their hashes.
    Secrets,
    /// Runs a procedure, a function or a text whose effect cannot be seen.
    Hidden,
    /// Cannot be read as a statement.
    Unclear,
}

impl Deed {
    /// The rule that speaks about it when the text comes through a command line.
    pub fn rule(self) -> &'static Rule {
        match self {
            Self::Write => &rules::WRITE,
            Self::WriteAll => &rules::WRITE_ALL,
            Self::Schema => &rules::SCHEMA,
            Self::Drop => &rules::DROP,
            Self::DropDatabase => &rules::DROP_DATABASE,
            Self::Rights => &rules::RIGHTS,
            Self::Server => &rules::SERVER,
            Self::Files => &rules::FILES,
            Self::Plant => &rules::PLANT,
            Self::Command => &rules::COMMAND,
            Self::Catalogue => &rules::CATALOGUE,
            Self::Secrets => &rules::SECRETS,
            Self::Hidden => &rules::HIDDEN,
            Self::Unclear => &rules::UNCLEAR,
        }
    }
}

/// One thing that a text does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub deed: Deed,
    /// To which table, database, function or account, as far as the text names it.
    pub object: String,
}

/// Where an unknown part stood.
const UNKNOWN: &str = "__unknown__";

/// Everything that a text does beyond reading.
pub fn deeds_of_text(text: &str, dialect: Dialect) -> Vec<Finding> {
    let mut all = Vec::new();
    // Servers differ on whether a carriage return ends a line, and a comment with it.
    if text.replace("\r\n", "\n").contains('\r') {
        all = deeds_of_text(&text.replace('\r', "\n"), dialect);
    }
    statements::read(text, dialect, Backslash::IsText, &mut all, 0);
    // Servers differ on whether a backslash hides a quote, so the worse reading counts.
    if text.contains("\\'") || text.contains("\\\"") {
        statements::read(text, dialect, Backslash::Escapes, &mut all, 0);
    }
    all
}

/// Says to the machine what a text does, as far as it is known.
pub fn verdict_of_text(shell: &mut Shell<'_>, text: &Value, dialect: Dialect, span: Span) {
    let findings = match text.known() {
        Some(known) => deeds_of_text(known, dialect),
        None => {
            let mut filled = String::new();
            for piece in text.pieces() {
                match piece {
                    Piece::Text(part) | Piece::Glob(part) => filled.push_str(part),
                    Piece::Unknown(_) => filled.push_str(UNKNOWN),
                }
            }
            deeds_of_text(&filled, dialect)
        }
    };
    if findings.iter().any(|finding| finding.deed == Deed::Files) {
        own_files(shell, &text.shown(), span);
    }
    for finding in findings {
        let object = if finding.object.contains(UNKNOWN) { text.shown().into_owned() } else { finding.object };
        shell.shows_secrets |= finding.deed == Deed::Secrets;
        shell.tell(finding.deed.rule(), object, span);
    }
}

/// Statements that name files, such as `ATTACH`: whoever opens Signoff's store can change it.
pub fn own_files(shell: &mut Shell<'_>, text: &str, span: Span) {
    // Most texts name nothing of the kind, and each place costs a look.
    let named = text.split(['\'', '"', '`']).filter(|part| part.to_ascii_lowercase().contains("signoff"));
    for part in named {
        let path = part.strip_prefix("file:").unwrap_or(part);
        let path = Arg::text(path.split('?').next().unwrap_or(path), span);
        if shell.place(&path.value).nature == Nature::Signoff {
            shell.write(&path, Write::Edit);
        }
    }
}

#[cfg(test)]
mod tests;
