//! Everything that can go wrong at the edge, with what to do about it.

use std::{
    io,
    panic::{self, AssertUnwindSafe},
};

use signoff_card::Language;

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

    /// The exit code where others are those of a command that was run: 1 would be taken for its own.
    pub(crate) const fn exit_code_beside_a_command(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Internal | Self::ReaderGone => 125,
        }
    }
}

/// The same in every language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words {
    english: String,
    chinese: String,
}

impl Words {
    fn new(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self { english: english.into(), chinese: chinese.into() }
    }

    pub(crate) fn told(&self, language: Language) -> &str {
        in_language(language, &self.english, &self.chinese)
    }
}

/// The one of two texts that is told.
pub(crate) const fn in_language<'t>(language: Language, english: &'t str, chinese: &'t str) -> &'t str {
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// Something that went wrong. Every message is given in English and in Chinese, in this order; which of them is told is
/// decided at the edge.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: Words,
    pub(crate) hint: Option<Box<Words>>,
}

impl Failure {
    pub(crate) fn usage(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, message: Words::new(english, chinese), hint: None }
    }

    pub(crate) fn internal(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self { kind: Kind::Internal, message: Words::new(english, chinese), hint: None }
    }

    /// Signoff itself failed.
    pub(crate) fn defect() -> Self {
        Self::internal("Signoff itself failed: this is a defect", "Signoff 自身出错：这是一个缺陷").hint(
            "treat the operation as not allowed, and report it with the message above",
            "请视该操作为不允许，并附上以上信息报告此缺陷",
        )
    }

    pub(crate) fn hint(mut self, english: impl Into<String>, chinese: impl Into<String>) -> Self {
        self.hint = Some(Box::new(Words::new(english, chinese)));
        self
    }

    pub(crate) fn read(error: &io::Error) -> Self {
        Self::internal(format!("cannot read the input: {error}"), format!("无法读取输入：{error}"))
    }

    pub(crate) fn write(error: &io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { Kind::ReaderGone } else { Kind::Internal };
        let failure = Self::internal(format!("cannot write the output: {error}"), format!("无法写入输出：{error}"));
        Self { kind, ..failure }
    }

    /// The message and the hint as a person at a terminal reads them.
    pub(crate) fn told(&self, language: Language) -> String {
        let [error, hint] = match language {
            Language::English => ["error: ", "\n hint: "],
            Language::Chinese => ["错误：", "\n提示："],
        };
        let mut text = format!("{error}{}", self.message.told(language));
        if let Some(words) = &self.hint {
            text.push_str(hint);
            text.push_str(words.told(language));
        }
        text
    }
}

/// A defect is a failure like any other: it has its exit code, it is never a yes, and the rest of a batch goes on.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    // Nothing that the work could leave half done is used afterwards.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| Failure::defect())
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
