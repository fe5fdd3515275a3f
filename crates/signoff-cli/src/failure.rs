//! Everything that can go wrong at the edge, with what to do about it.

use std::{
    fmt, io,
    panic::{self, AssertUnwindSafe},
};

/// What kind of failure it is; each kind has its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The caller asked for something that cannot be done.
    Usage,
    /// The machine did not play along.
    Internal,
    /// Whoever read the output has gone. Nobody is left to tell, and a verdict that was not delivered is none.
    ReaderGone,
}

impl Kind {
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Internal | Self::ReaderGone => 1,
        }
    }
}

/// Something that went wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, message: message.into(), hint: None }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self { kind: Kind::Internal, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn read(error: &io::Error) -> Self {
        Self::internal(format!("cannot read the input: {error}"))
    }

    pub(crate) fn write(error: &io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { Kind::ReaderGone } else { Kind::Internal };
        Self { kind, message: format!("cannot write the output: {error}"), hint: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// A defect is a failure like any other: it has its exit code, it is never a yes, and the rest of a batch goes on.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    // Nothing that the work could leave half done is used afterwards.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        Failure::internal("Signoff itself failed: this is a defect")
            .hint("treat the operation as not allowed, and report it with the message above")
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, guarded};

    #[test]
    fn a_defect_is_a_failure_and_no_verdict() {
        assert_eq!(guarded(|| 1), Ok(1));
        let failure = guarded(|| -> i32 { panic!("a defect") }).unwrap_err();
        assert_eq!((failure.kind, failure.kind.exit_code()), (Kind::Internal, 1));
    }
}
