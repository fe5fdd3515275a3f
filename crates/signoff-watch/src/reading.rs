//! What a moment of a pane means: a dialog of an agent, another program that waits, or nothing.

use std::fmt;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use signoff_analysis::screen::{self, Agent, Change, Cursor, Keys, Prompt, Reading, Subject, View};
use signoff_model::{Dialect, FileAction, FileOperation, Operation, ShellCommand, ToolCall, ToolHints};

use crate::tmux::Snapshot;

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A dialog of an agent.
    Dialog(Box<Dialog>),
    /// Another program waits for something.
    Other(String),
    /// Nothing waits.
    Nothing,
}

/// A dialog of an agent that waits for its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    /// What stands there.
    pub prompt: Prompt,
    /// By what it is known again.
    pub fingerprint: Fingerprint,
}

/// By what a dialog is known again: the pane, the process in it, what the dialog is about and what can be chosen. Not the mark, which keys move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

#[cfg(test)]
impl Fingerprint {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a pane shows, where an agent of this name has its terminal.
pub fn read(seen: &Snapshot, agent: &str) -> Sight {
    let view = View {
        rows: seen.rows.iter().map(String::as_str).collect(),
        columns: Some(seen.width),
        cursor: Some(Cursor { row: seen.cursor.1, column: seen.cursor.0 }),
        running: Some(Agent::from_name(agent).unwrap_or(Agent::Unnamed)),
    };
    match screen::read(&view) {
        Reading::Nothing => Sight::Nothing,
        Reading::Other(waiting) => {
            let program = waiting.program.unwrap_or_default();
            Sight::Other(format!("{program} {}", waiting.what.name()).trim().to_owned())
        }
        Reading::Prompt(prompt) => {
            let fingerprint = fingerprint(seen, &prompt);
            Sight::Dialog(Box::new(Dialog { prompt: *prompt, fingerprint }))
        }
    }
}

fn fingerprint(seen: &Snapshot, prompt: &Prompt) -> Fingerprint {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    };
    part(&seen.pane.to_string());
    part(&seen.pid.to_string());
    part(&format!("{:?}", prompt.agent));
    part(&format!("{:?}", prompt.subject));
    part(prompt.question.as_deref().unwrap_or_default());
    for choice in &prompt.choices {
        part(&format!("{:?} {}", choice.number, choice.label));
    }
    Fingerprint(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

impl Dialog {
    /// What would be done, where that can be judged: one operation, of which everything was seen.
    pub fn operation(&self) -> Option<Operation> {
        operation(&self.prompt.subject).filter(|_| self.prompt.is_whole())
    }

    /// What to type for the yes that a policy gives: only where nothing is in doubt.
    pub fn certain_yes(&self) -> Option<&Keys> {
        self.prompt.may_be_answered()
    }

    /// What to type for the yes that a person gives who was shown the operation. Where the default is no, they know better.
    pub fn approved_yes(&self) -> Option<&Keys> {
        let clear = self.prompt.doubts.iter().all(|doubt| *doubt == screen::Doubt::DefaultIsNo);
        self.prompt.yes.as_ref().filter(|_| clear && self.operation().is_some())
    }

    /// What to type for a no, where it is clear which key that is.
    pub fn no(&self) -> Option<&Keys> {
        let unclear = |doubt: &screen::Doubt| {
            matches!(doubt, screen::Doubt::ChoicesCut | screen::Doubt::MarkUnseen | screen::Doubt::Imitation)
        };
        self.prompt.no.as_ref().filter(|_| !self.prompt.doubts.iter().any(unclear))
    }

    /// What it is about, for people.
    pub fn subject(&self) -> String {
        self.prompt.subject.to_string()
    }
}

/// The operation of a subject. None where it is none, or more than one, or cannot be told.
fn operation(subject: &Subject) -> Option<Operation> {
    let file = |action: FileAction, path: &str| {
        let path = path.trim();
        let named = !path.is_empty() && !path.contains(" -> ");
        named.then(|| Operation::File(FileOperation { action, path: path.to_owned(), to: None, content: None }))
    };
    let tool = |name: &str, args: Value| {
        Operation::Tool(ToolCall { name: name.to_owned(), args, hints: ToolHints::default() })
    };
    match subject {
        Subject::Shell(command) if !command.trim().is_empty() => {
            Some(Operation::Shell(ShellCommand { command: command.clone(), dialect: Dialect::Bash }))
        }
        Subject::File { change, path, .. } => {
            let action = match change {
                Change::Read => FileAction::Read,
                Change::Create => FileAction::Create,
                Change::Edit => FileAction::Edit,
                Change::Overwrite => FileAction::Overwrite,
                Change::Delete => FileAction::Delete,
            };
            file(action, path)
        }
        Subject::Mention(what) if what.contains("://") => Some(tool("WebFetch", json!({"url": what}))),
        Subject::Mention(what) => file(FileAction::Read, what),
        Subject::Fetch(address) if !address.trim().is_empty() => Some(tool("WebFetch", json!({"url": address}))),
        // Arguments that are not read exactly might be others.
        Subject::Tool { name, arguments } => {
            let args = signoff_agents::exact::read(arguments).ok().filter(Value::is_object)?;
            (!name.trim().is_empty()).then(|| tool(name.trim(), args))
        }
        Subject::Shell(_)
        | Subject::Fetch(_)
        | Subject::Plan(_)
        | Subject::FolderTrust
        | Subject::HookTrust
        | Subject::Grant(_)
        | Subject::Network(_)
        | Subject::Question(_)
        | Subject::Menu
        | Subject::Unknown(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_one_operation_is_judged() {
        let file = |change, path: &str| Subject::File { change, path: path.to_owned(), shown: Vec::new() };
        let tool = |arguments: &str| Subject::Tool { name: "files - read".to_owned(), arguments: arguments.to_owned() };
        for (subject, is_one) in [
            (Subject::Shell("ls".to_owned()), true),
            (Subject::Shell("  ".to_owned()), false),
            (file(Change::Edit, "src/a.rs"), true),
            (file(Change::Create, ""), false),
            (tool(r#"{"path": "a"}"#), true),
            (tool(r#"{"path": "a", "path": "b"}"#), false),
            (tool(r#"path: "a""#), false),
            (Subject::Plan("1. delete everything".to_owned()), false),
            (Subject::FolderTrust, false),
            (Subject::HookTrust, false),
            (Subject::Grant("x".to_owned()), false),
            (Subject::Network("x".to_owned()), false),
            (Subject::Question("x".to_owned()), false),
            (Subject::Menu, false),
            (Subject::Unknown("x".to_owned()), false),
        ] {
            assert_eq!(operation(&subject).is_some(), is_one, "{subject:?}");
        }
    }
}
