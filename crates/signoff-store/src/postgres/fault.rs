//! What an error of PostgreSQL, or of the way to it, means.

use std::error::Error as _;

use signoff_gate::StoreError;
use tokio_postgres::{
    Error,
    error::{DbError, Severity, SqlState},
};

/// Why something could not be done. None of these says whether a commit that was under way was kept: whoever sends one knows
/// that it is in doubt until it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The connection is gone, or cannot be made. Another one may do.
    Lost(String),
    /// Somebody else was in the way. The same may succeed when it is tried again.
    Contended(String),
    /// Trying again does not help.
    Final(StoreError),
}

impl Fault {
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Final(StoreError::Damaged(what.into()))
    }

    /// What whoever uses the store is told, when it is given up.
    pub(super) fn told(self) -> StoreError {
        match self {
            Self::Lost(text) | Self::Contended(text) => StoreError::Unavailable(text),
            Self::Final(error) => error,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error.as_db_error() {
            Some(said) => of_server(said),
            None => Self::Lost(text_of(&error)),
        }
    }
}

/// What is in a row cannot be what was written there.
pub(super) fn unreadable(error: Error) -> Fault {
    Fault::damaged(text_of(&error))
}

/// Whether the server has said that it did not do what it was told. Where it ends the connection instead, it may have: while it
/// waits for a standby, a commit is on its own disk already.
pub(super) fn is_refusal(error: &Error) -> bool {
    error.as_db_error().is_some_and(|said| !ends_connection(said))
}

fn ends_connection(said: &DbError) -> bool {
    // A severity that is not understood is the worse one.
    !matches!(said.parsed_severity(), Some(Severity::Error))
}

fn of_server(said: &DbError) -> Fault {
    let text = format!("{} ({})", said.message(), said.code().code());
    let code = said.code();
    let is_one_of = |codes: &[SqlState]| codes.contains(code);
    if is_one_of(&[SqlState::DISK_FULL]) {
        return Fault::Final(StoreError::Full(text));
    }
    if is_one_of(&[
        SqlState::DATA_CORRUPTED,
        SqlState::INDEX_CORRUPTED,
        SqlState::UNDEFINED_TABLE,
        SqlState::UNDEFINED_COLUMN,
        SqlState::INVALID_SCHEMA_NAME,
        SqlState::DATATYPE_MISMATCH,
    ]) {
        return Fault::Final(StoreError::Damaged(text));
    }
    // These end the connection as well, and yet nobody gets further by calling again at once.
    if is_one_of(&[
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        SqlState::INVALID_PASSWORD,
        SqlState::INVALID_CATALOG_NAME,
        SqlState::INSUFFICIENT_PRIVILEGE,
    ]) {
        return Fault::Final(StoreError::Unavailable(text));
    }
    // The last of these is a server that has become a standby; the next one in the address may be what it was.
    if ends_connection(said) || is_one_of(&[SqlState::READ_ONLY_SQL_TRANSACTION]) {
        return Fault::Lost(text);
    }
    if is_one_of(&[
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::QUERY_CANCELED,
        // Somebody was faster under the same key, without waiting for the head.
        SqlState::UNIQUE_VIOLATION,
    ]) {
        return Fault::Contended(text);
    }
    Fault::Final(StoreError::Unavailable(text))
}

/// An error with what caused it. What is left out are the details, in which a server quotes rows.
fn text_of(error: &Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
