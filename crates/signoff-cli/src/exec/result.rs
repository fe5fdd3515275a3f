//! What callers get of a run: the JSON form of design §7.

use serde::Serialize;
use signoff_card::Language;
use signoff_exec::run::{Captured, ExecutionResult};

use super::words::Words;

/// What became of a command, whether or not it was run.
#[derive(Serialize)]
pub(super) struct WireResult {
    success: bool,
    exit_code: Option<i32>,
    stdout: String,
    stderr: String,
    duration_ms: u64,
    precondition_passed: bool,
    error_message: Option<String>,
    confirmation_required: bool,
    confirmation_message: Option<String>,
    risk_level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_id: Option<String>,
}

/// Why a command was not run.
pub(super) enum NotRun {
    /// Nobody could be asked.
    NeedsConfirmation(String),
    /// Somebody said no, it is forbidden, or it is no longer what was shown.
    Refused(String),
}

impl WireResult {
    /// Of a command that was not run.
    pub(super) fn not_run(why: NotRun, risk_level: &'static str) -> Self {
        let (confirmation_message, error_message) = match why {
            NotRun::NeedsConfirmation(message) => (Some(message.trim_end().to_owned()), None),
            NotRun::Refused(message) => (None, Some(message.trim_end().to_owned())),
        };
        Self {
            success: false,
            exit_code: None,
            stdout: String::new(),
            stderr: String::new(),
            duration_ms: 0,
            precondition_passed: false,
            error_message,
            confirmation_required: confirmation_message.is_some(),
            confirmation_message,
            risk_level,
            backup_id: None,
            approval_id: None,
        }
    }

    /// Of a command that was.
    pub(super) fn of(
        result: &ExecutionResult,
        error_message: Option<String>,
        risk_level: &'static str,
        backup_id: Option<String>,
        language: Language,
    ) -> Self {
        Self {
            success: result.success,
            exit_code: result.exit_code,
            stdout: text(&result.stdout, language),
            stderr: text(&result.stderr, language),
            duration_ms: u64::try_from(result.duration.as_millis()).unwrap_or(u64::MAX),
            precondition_passed: true,
            error_message,
            confirmation_required: false,
            confirmation_message: None,
            risk_level,
            backup_id,
            approval_id: None,
        }
    }

    /// The same with the question that was asked about it.
    pub(super) fn about(self, approval_id: Option<String>) -> Self {
        Self { approval_id, ..self }
    }

    /// As a line of JSON.
    pub(super) fn line(&self) -> String {
        let line = serde_json::to_string(self);
        line.unwrap_or_else(|error| format!(r#"{{"success":false,"error_message":"{error}"}}"#)) + "\n"
    }
}

/// The head and the tail of an output, with how much lies between.
fn text(captured: &Captured, language: Language) -> String {
    let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match captured.whole() {
        Some(whole) => part(&whole),
        None => {
            let cut = Words::of(language).cut.replace("{}", &captured.left_out.to_string());
            format!("{}{cut}{}", part(&captured.head), part(&captured.tail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NotRun, WireResult};

    #[test]
    fn what_was_not_run_says_why_in_one_field() {
        let refused = WireResult::not_run(NotRun::Refused("Nothing was run.\n".to_owned()), "high").line();
        assert!(refused.contains(r#""error_message":"Nothing was run.","confirmation_required":false"#), "{refused}");
        let asked = WireResult::not_run(NotRun::NeedsConfirmation("needs an answer".to_owned()), "high").line();
        assert!(asked.contains(r#""confirmation_message":"needs an answer""#), "{asked}");
        assert!(asked.contains(r#""confirmation_required":true"#) && asked.contains(r#""success":false"#), "{asked}");
    }
}
