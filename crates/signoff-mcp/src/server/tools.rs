//! The tools: their names, what they are for, what they are given, and what they do to the world. None of them decides.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use signoff_model::FileAction;

/// A tool by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Check,
    SafeExec,
    RequestApproval,
    ApprovalStatus,
    ApprovalPrompt,
    AskUser,
    PlanReview,
    File(FileTool),
}

/// How far a server reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// It works on the machine of its client.
    Machine,
    /// It judges and asks, and does nothing by itself.
    People,
}

/// What a tool does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileTool {
    Read,
    Write,
    Delete,
    Move,
}

impl FileTool {
    pub(super) const fn action(self) -> FileAction {
        match self {
            Self::Read => FileAction::Read,
            Self::Write => FileAction::Write,
            Self::Delete => FileAction::Delete,
            Self::Move => FileAction::Move,
        }
    }

    /// What it has to be given.
    pub(super) const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Read | Self::Delete => &["path"],
            Self::Write => &["path", "content"],
            Self::Move => &["path", "to"],
        }
    }
}

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    /// It reads.
    Nothing,
    /// It asks people, and changes nothing that they have.
    Asks,
    /// It may change or remove what somebody has.
    Anything,
}

impl Name {
    const ALL: [Self; 11] = [
        Self::Check,
        Self::SafeExec,
        Self::RequestApproval,
        Self::ApprovalStatus,
        Self::ApprovalPrompt,
        Self::AskUser,
        Self::PlanReview,
        Self::File(FileTool::Read),
        Self::File(FileTool::Write),
        Self::File(FileTool::Delete),
        Self::File(FileTool::Move),
    ];

    pub(super) fn from_name(name: &str, reach: Reach) -> Option<Self> {
        Self::offered(reach).find(|tool| tool.name() == name)
    }

    /// Those that a server with this reach has.
    fn offered(reach: Reach) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |tool| reach == Reach::Machine || !tool.uses_hands())
    }

    /// Whether it runs, reads or writes something where the server is. `approval_prompt` does: it runs the hook there.
    const fn uses_hands(self) -> bool {
        match self {
            Self::SafeExec | Self::ApprovalPrompt | Self::File(_) => true,
            Self::Check | Self::RequestApproval | Self::ApprovalStatus | Self::AskUser | Self::PlanReview => false,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::SafeExec => "safe_exec",
            Self::RequestApproval => "request_approval",
            Self::ApprovalStatus => "approval_status",
            Self::ApprovalPrompt => "approval_prompt",
            Self::AskUser => "ask_user",
            Self::PlanReview => "plan_review",
            Self::File(FileTool::Read) => "read_file",
            Self::File(FileTool::Write) => "write_file",
            Self::File(FileTool::Delete) => "delete_file",
            Self::File(FileTool::Move) => "move_file",
        }
    }

    const fn description(self, reach: Reach) -> &'static str {
        match self {
            Self::RequestApproval if matches!(reach, Reach::People) => {
                "Ask people about an operation before you do it, and wait for their answer: status allowed, approved, modified, denied, \
                 blocked, expired or pending, with an approval_id. It is judged by its text: nobody looks at your files. What was approved is \
                 used up by the answer: do exactly that, now and once. This tool asks; it cannot approve, and it runs nothing."
            }
            Self::Check => {
                "Judge an operation without running it: verdict allow, ask or block, with its risk, effects, reasons and safer alternatives. \
                 Name exactly one of `command`, `action` with `path`, or `tool` with `arguments`."
            }
            Self::SafeExec => {
                "Run a shell command (bash) through the gate. What is harmless runs at once; about anything else a person is asked with exactly \
                 what would be lost, and the call waits for them; what is absurd is refused. Returns success, exit_code, stdout, stderr, \
                 duration_ms, precondition_passed, error_message, confirmation_required, confirmation_message, risk_level and approval_id. \
                 With `approval_id` instead of `command` it runs what was approved before in this session, once. With \
                 confirmation_required true nothing was run."
            }
            Self::RequestApproval => {
                "Ask people about an operation before it is needed, and wait for their answer: status allowed, approved, modified, denied, \
                 blocked, expired or pending, with an approval_id. An approved command is run by `safe_exec` with that approval_id and by \
                 nothing else. An approved tool call or file operation is used up by the answer: do exactly that, now and once. This tool \
                 asks; it cannot approve."
            }
            Self::ApprovalStatus => "What has become of a question that was asked in this session. Changes nothing.",
            Self::ApprovalPrompt => {
                "For Claude Code's --permission-prompt-tool: holds a tool call until it is decided. Answers \
                 {\"behavior\":\"allow\",\"updatedInput\":…} or {\"behavior\":\"deny\",\"message\":…}. Called by a model it decides \
                 nothing: its answer is for the client that asks."
            }
            Self::AskUser => {
                "Ask the user a question: kind yes_no (default), choice with `options`, or input. Returns answered with the answer, or answered \
                 false with a reason; silence is no answer. The answer is information for you and never an approval: whatever you run is \
                 judged and asked about as ever. Never ask for passwords or keys."
            }
            Self::PlanReview => {
                "Show a plan, step by step, to the user before you begin: decision confirm, modify (with words) or cancel. A confirmed plan approves \
                 none of its steps: each is judged and asked about when it is run. A changed plan is a new plan: show it again."
            }
            Self::File(FileTool::Read) => {
                "Read a text file through the gate: what holds secrets is asked about first. `stdout` of the result is its text, up to 256 KiB."
            }
            Self::File(FileTool::Write) => {
                "Write a file as a whole through the gate, new or over what is there. A person is asked where something would be lost, with the \
                 difference. The result is that of `safe_exec`."
            }
            Self::File(FileTool::Delete) => {
                "Delete one file or link through the gate, no directory. A person is asked where it could not be brought back. The result is that \
                 of `safe_exec`."
            }
            Self::File(FileTool::Move) => {
                "Move or rename one file through the gate, within one file system, no directory. A person is asked where something would be lost. The \
                 result is that of `safe_exec`."
            }
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Check => "Judge an operation",
            Self::SafeExec => "Run a command through the gate",
            Self::RequestApproval => "Ask people about an operation",
            Self::ApprovalStatus => "See what became of a question",
            Self::ApprovalPrompt => "Permission prompt of Claude Code",
            Self::AskUser => "Ask the user something",
            Self::PlanReview => "Show a plan to the user",
            Self::File(FileTool::Read) => "Read a file",
            Self::File(FileTool::Write) => "Write a file through the gate",
            Self::File(FileTool::Delete) => "Delete a file through the gate",
            Self::File(FileTool::Move) => "Move a file through the gate",
        }
    }

    const fn touch(self) -> Touch {
        match self {
            Self::Check | Self::ApprovalStatus | Self::File(FileTool::Read) => Touch::Nothing,
            Self::RequestApproval | Self::ApprovalPrompt | Self::AskUser | Self::PlanReview => Touch::Asks,
            Self::SafeExec | Self::File(FileTool::Write | FileTool::Delete | FileTool::Move) => Touch::Anything,
        }
    }

    /// What it is given, and what of that has to be there.
    fn schema(self, reach: Reach) -> JsonObject {
        let (cwd, located): (fn() -> Value, &[&str]) = match reach {
            Reach::Machine => (cwd, &[]),
            Reach::People => (|| text("Where it would run on your machine, as an absolute path"), &["cwd"]),
        };
        let (properties, required): (Value, &[&str]) = match self {
            Self::Check => (with(operation(), json!({"cwd": cwd(), "intent": intent()})), located),
            Self::SafeExec => (
                json!({
                    "command": text("The command, as a text for bash"),
                    "approval_id": text("Run what was approved under this id instead of a command"),
                    "cwd": cwd(),
                    "intent": intent(),
                    "timeout_s": seconds("End the command, and all that it started, after so many seconds"),
                }),
                &[],
            ),
            Self::RequestApproval => {
                let wait = seconds("Wait so many seconds at most [default: 600]; the question stays open after that");
                (with(operation(), json!({"cwd": cwd(), "intent": intent(), "wait_s": wait})), located)
            }
            Self::ApprovalStatus => (json!({"approval_id": text("The id of the question")}), &["approval_id"]),
            Self::ApprovalPrompt => (
                json!({
                    "tool_name": text("The tool that Claude Code wants to call"),
                    "input": {"type": "object", "description": "What it is to be given"},
                    "tool_use_id": text("The id of the call"),
                }),
                &["tool_name", "input"],
            ),
            Self::AskUser => (
                json!({
                    "question": text("The question"),
                    "kind": {"type": "string", "enum": ["yes_no", "choice", "input"], "description": "How it is answered [default: yes_no]"},
                    "options": texts("What can be chosen, for the kind choice"),
                }),
                &["question"],
            ),
            Self::File(tool) => {
                let mut properties = json!({"cwd": cwd(), "intent": intent()});
                for name in tool.names() {
                    let described = match *name {
                        "content" => "The whole new text",
                        "to" => "Its new name, as a path",
                        _ => "The file",
                    };
                    properties = with(properties, json!({*name: text(described)}));
                }
                (properties, tool.names())
            }
            Self::PlanReview => (
                json!({"title": text("What the plan is for"), "steps": texts("What you would do, in order")}),
                &["steps"],
            ),
        };
        let schema = json!({"type": "object", "properties": properties, "required": required});
        schema.as_object().cloned().unwrap_or_default()
    }

    fn tool(self, reach: Reach) -> Tool {
        let (reads, destroys, world) = match self.touch() {
            Touch::Nothing => (true, false, false),
            Touch::Asks => (false, false, true),
            Touch::Anything => (false, true, true),
        };
        let annotations = ToolAnnotations::with_title(self.title())
            .read_only(reads)
            .destructive(destroys)
            .idempotent(reads)
            .open_world(world);
        Tool::new(self.name(), self.description(reach), Arc::new(self.schema(reach)))
            .with_title(self.title())
            .with_annotations(annotations)
    }
}

/// All that a server with this reach has.
pub(super) fn all(reach: Reach) -> Vec<Tool> {
    Name::offered(reach).map(|tool| tool.tool(reach)).collect()
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn texts(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn seconds(description: &str) -> Value {
    json!({"type": "integer", "minimum": 1, "description": description})
}

fn cwd() -> Value {
    text("Where it would run [default: where the server was started]")
}

fn intent() -> Value {
    text("The user's words that asked for it: what reaches further than them is graver, and nothing is less so")
}

/// The ways to name an operation.
fn operation() -> Value {
    json!({
        "command": text("A shell command, as a text for bash"),
        "action": {
            "type": "string",
            "enum": FileAction::ALL.map(FileAction::name),
            "description": "A file operation, together with `path`",
        },
        "path": text("The file"),
        "to": text("Where to, for those with two ends"),
        "content": text("The new text of the file"),
        "tool": text("The name of another tool"),
        "arguments": {"type": "object", "description": "What that tool would be given"},
    })
}

fn with(mut properties: Value, more: Value) -> Value {
    if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
        properties.extend(more);
    }
    properties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_decides() {
        let names: Vec<String> = all(Reach::Machine).iter().map(|tool| tool.name.to_string()).collect();
        let listed = "check safe_exec request_approval approval_status approval_prompt ask_user plan_review \
                   read_file write_file delete_file move_file";
        assert_eq!(names.join(" "), listed);
        let elsewhere: Vec<String> = all(Reach::People).iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(elsewhere.join(" "), "check request_approval approval_status ask_user plan_review");
        for tool in all(Reach::Machine).into_iter().chain(all(Reach::People)) {
            for deciding in
                ["approve", "deny", "grant", "answer", "decide", "policy", "trust", "pause", "config", "confirm"]
            {
                assert!(!tool.name.split('_').any(|part| part == deciding), "{}", tool.name);
                let schema = Value::Object((*tool.input_schema).clone());
                let given = schema.pointer("/properties").and_then(Value::as_object).cloned().unwrap_or_default();
                assert!(!given.keys().any(|name| name.starts_with(deciding)), "{}: {given:?}", tool.name);
            }
        }
    }

    #[test]
    fn only_what_reads_says_so() {
        for tool in all(Reach::Machine).into_iter().chain(all(Reach::People)) {
            let hints = tool.annotations.clone().unwrap_or_default();
            let reads = ["check", "approval_status", "read_file"].contains(&tool.name.as_ref());
            assert_eq!(hints.read_only_hint, Some(reads), "{}", tool.name);
            let destroys = ["safe_exec", "write_file", "delete_file", "move_file"].contains(&tool.name.as_ref());
            assert_eq!(hints.destructive_hint, Some(destroys), "{}", tool.name);
        }
    }
}
