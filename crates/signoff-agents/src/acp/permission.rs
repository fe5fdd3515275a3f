//! What an agent wants to be permitted, and which of its options says what. An option counts by its kind alone, and only where nobody could
//! take it for another one.

use serde_json::{Map, Value, json, value::RawValue};
use signoff_model::{Dialect, Digest, Operation, ShellCommand, ToolCall, ToolHints};

use crate::{
    exact,
    hook::command_alone,
    jsonrpc::{Fault, Id, Message},
};

/// How an agent asks.
pub(super) const METHOD: &str = "session/request_permission";

/// What is judged where an agent does not say what it runs: nobody knows what such a call does.
const ACTION: &str = "acp_action";

/// What an agent wants to be permitted.
#[derive(Clone, Debug)]
pub(super) struct Permission {
    pub(super) id: Id,
    pub(super) raw_id: Box<RawValue>,
    /// The session of the editor.
    pub(super) session: String,
    /// The call of a tool that it is about.
    pub(super) tool_call: Option<String>,
    /// What would be done.
    pub(super) operation: Operation,
    /// The text that is said to be run where the operation is only what is said about it.
    pub(super) said: Option<Operation>,
    /// Where, if that is said.
    pub(super) cwd: Option<String>,
    /// The option for a yes to this once.
    pub(super) yes: Option<String>,
    /// The option for a no.
    pub(super) no: Option<String>,
}

impl Permission {
    pub(super) fn read(message: &Message<'_>) -> Result<Self, Fault> {
        let (Some(id), Some(raw_id)) = (message.id.clone(), message.raw_id) else { return Err(Fault::Wrong("id")) };
        let params = message.params.ok_or(Fault::Wrong("params"))?;
        let params = exact::read(params.get()).map_err(|error| match error.is_data() {
            true => Fault::Name(format!("`params` holds a name twice: `{}`", error.to_string().escape_debug())),
            false => Fault::NotJson(error.to_string()),
        })?;
        let session = text(&params, "sessionId").ok_or(Fault::Wrong("sessionId"))?;
        let options = params.get("options").and_then(Value::as_array).ok_or(Fault::Wrong("options"))?;
        let wanted = Wanted::of(&params);
        Ok(Self {
            id,
            raw_id: raw_id.to_owned(),
            session: session.to_owned(),
            tool_call: wanted.tool_call,
            operation: wanted.operation,
            said: wanted.said,
            cwd: wanted.cwd,
            yes: only(options, "allow_once"),
            no: first(options, "reject_once"),
        })
    }

    /// What tells it from every other one: the same call of a tool that is asked about again is the same.
    pub(super) fn key(&self) -> String {
        let call = self.tool_call.as_deref().unwrap_or_default();
        let shown = self.operation.text();
        let text = format!("{}:{}\n{}:{call}\n{shown}", self.session.len(), self.session, call.len());
        Digest::of(text.as_bytes()).to_string()
    }

    /// The answer of an option, as a line. Without one it is that nothing was chosen.
    pub(super) fn answer(&self, option: Option<&str>, words: &str) -> Vec<u8> {
        let outcome = match option {
            Some(option) => json!({"outcome": "selected", "optionId": option}),
            None => json!({"outcome": "cancelled"}),
        };
        let id: Value = serde_json::from_str(self.raw_id.get()).unwrap_or_default();
        let result = json!({"outcome": outcome, "_meta": {"signoff": {"reason": words}}});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "result": result})).into_bytes()
    }
}

/// What is said to be done.
struct Wanted {
    tool_call: Option<String>,
    operation: Operation,
    said: Option<Operation>,
    cwd: Option<String>,
}

impl Wanted {
    fn of(params: &Value) -> Self {
        let subject = params.get("subject").filter(|subject| subject.is_object());
        let call = params.get("toolCall").filter(|call| call.is_object());
        let tool_call = call.or_else(|| subject.and_then(|subject| subject.get("toolCall")));
        let id = tool_call.or(subject).and_then(|call| text(call, "toolCallId")).map(str::to_owned);
        let known = |operation, cwd: Option<&str>| Self {
            tool_call: id.clone(),
            operation,
            said: None,
            cwd: cwd.map(str::to_owned),
        };
        match (subject, call) {
            // Two at once are not one of them.
            (Some(_), Some(_)) => {}
            (Some(subject), None) if text(subject, "type") == Some("command") => {
                if let Some(command) = text(subject, "command").filter(|command| !command.trim().is_empty()) {
                    return known(shell(command), text(subject, "cwd"));
                }
            }
            _ => {
                if let Some(command) = tool_call.and_then(run_by) {
                    return known(shell(&command), None);
                }
            }
        }
        let said = tool_call.filter(|call| text(call, "kind") == Some("execute")).and_then(|call| text(call, "title"));
        Self { said: said.map(shell), ..known(action(params), None) }
    }
}

/// The command that a call of a tool is given, where that is all of it.
fn run_by(call: &Value) -> Option<String> {
    if text(call, "kind") != Some("execute") {
        return None;
    }
    let mut input: Map<String, Value> = call.get("rawInput")?.as_object()?.clone();
    // The same once more, as a list.
    if let (Some(command), Some(Value::Array(all))) = (input.get("command"), input.get("commands"))
        && all.as_slice() == std::slice::from_ref(command)
    {
        input.remove("commands");
    }
    command_alone(&input).map(str::to_owned)
}

/// Everything that is known of what an agent wants, without what only numbers it.
fn action(params: &Value) -> Operation {
    let mut args = params.as_object().cloned().unwrap_or_default();
    for numbers in ["sessionId", "options", "_meta"] {
        args.remove(numbers);
    }
    for call in ["toolCall", "subject"] {
        if let Some(Value::Object(call)) = args.get_mut(call) {
            call.remove("toolCallId");
            call.remove("status");
        }
    }
    let args = match (args.len(), args.remove("toolCall")) {
        (1, Some(call @ Value::Object(_))) => call,
        (_, Some(call)) => {
            args.insert("toolCall".to_owned(), call);
            Value::Object(args)
        }
        (_, None) => Value::Object(args),
    };
    Operation::Tool(ToolCall { name: ACTION.to_owned(), args, hints: ToolHints::default() })
}

fn shell(command: &str) -> Operation {
    Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash })
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

/// The one option of a kind; none where there are several, or its id is that of another one as well.
fn only(options: &[Value], kind: &str) -> Option<String> {
    let mut found = options.iter().filter(|option| text(option, "kind") == Some(kind));
    let (Some(option), None) = (found.next(), found.next()) else { return None };
    own_id(options, option)
}

/// The first option of a kind whose id is its own.
fn first(options: &[Value], kind: &str) -> Option<String> {
    options.iter().filter(|option| text(option, "kind") == Some(kind)).find_map(|option| own_id(options, option))
}

fn own_id(options: &[Value], option: &Value) -> Option<String> {
    let id = text(option, "optionId")?;
    let same = options.iter().filter(|option| text(option, "optionId") == Some(id)).count();
    (same == 1).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        clippy::panic,
        reason = "a test that cannot go on has failed"
    )]

    use super::*;

    fn read(params: &Value) -> Result<Permission, Fault> {
        let line = json!({"jsonrpc": "2.0", "id": 0, "method": METHOD, "params": params}).to_string();
        Message::read(line.as_bytes()).and_then(|message| Permission::read(&message))
    }

    fn options() -> Value {
        json!([
            {"optionId": "proceed_always", "name": "Allow for this session", "kind": "allow_always"},
            {"optionId": "proceed_once", "name": "Allow", "kind": "allow_once"},
            {"optionId": "cancel", "name": "Reject", "kind": "reject_once"},
        ])
    }

    fn v1(call: Value) -> Permission {
        read(&json!({"sessionId": "s", "toolCall": call, "options": options()})).unwrap()
    }

    /// What was seen of Copilot, OpenCode, Gemini and Kimi.
    #[test]
    fn a_command_is_one_where_the_agent_says_what_it_is_given() {
        let copilot = json!({"toolCallId": "c", "title": "Remove temp dir", "kind": "execute", "status": "pending",
            "rawInput": {"command": "rm -rf ./tmp_a", "commands": ["rm -rf ./tmp_a"]}});
        assert_eq!(v1(copilot).operation, shell("rm -rf ./tmp_a"));
        let opencode = json!({"toolCallId": "c", "title": "rm -rf ./tmp_a", "kind": "execute", "status": "pending",
            "locations": [], "rawInput": {"command": "rm -rf ./tmp_a"}});
        assert_eq!(v1(opencode).operation, shell("rm -rf ./tmp_a"));
        let gemini = v1(json!({"toolCallId": "c", "title": "rm -rf ./tmp_a", "kind": "execute", "status": "pending",
            "content": [{"type": "content", "content": {"type": "text", "text": "(remove temp)"}}], "locations": []}));
        let Operation::Tool(tool) = &gemini.operation else { panic!("no tool") };
        assert_eq!((tool.name.as_str(), &tool.args["title"]), (ACTION, &json!("rm -rf ./tmp_a")));
        assert!(tool.args.get("toolCallId").is_none() && tool.args["content"].is_array());
        assert_eq!(gemini.said, Some(shell("rm -rf ./tmp_a")));
        let kimi = v1(json!({"toolCallId": "0:c", "title": "Bash",
            "content": [{"type": "content", "content": {"type": "text", "text": "Running: rm -rf ./tmp_a"}}]}));
        assert!(matches!(kimi.operation, Operation::Tool(_)) && kimi.said.is_none());
        for input in [
            json!({"command": "ls", "stdin": "rm -rf /"}),
            json!({"command": "ls", "commands": ["rm -rf /"]}),
            json!({"command": ["ls", "-l"]}),
            json!("ls"),
        ] {
            let call = v1(json!({"title": "ls", "kind": "execute", "rawInput": input}));
            assert!(matches!(call.operation, Operation::Tool(_)), "{input}");
        }
        // Whatever else a tool does with a command, it is not known to run it.
        assert!(matches!(v1(json!({"kind": "edit", "rawInput": {"command": "ls"}})).operation, Operation::Tool(_)));
    }

    #[test]
    fn the_second_version_is_read_as_well() {
        let command = json!({"sessionId": "s", "title": "Run", "subject": {"type": "command", "command": "ls", "cwd": "/srv", "toolCallId": "c"}, "options": options()});
        let permission = read(&command).unwrap();
        assert_eq!((permission.operation, permission.cwd.as_deref()), (shell("ls"), Some("/srv")));
        assert_eq!(permission.tool_call.as_deref(), Some("c"));
        let call = json!({"sessionId": "s", "title": "Run", "subject": {"type": "tool_call", "toolCall":
            {"toolCallId": "c", "kind": "execute", "rawInput": {"command": "ls"}}}, "options": options()});
        assert_eq!(read(&call).unwrap().operation, shell("ls"));
        for other in [json!({"type": "new", "command": "ls"}), json!(null)] {
            let unknown =
                json!({"sessionId": "s", "title": "Run", "description": "d", "subject": other, "options": options()});
            let Operation::Tool(tool) = read(&unknown).unwrap().operation else { panic!("no tool") };
            assert_eq!((&tool.args["title"], &tool.args["description"]), (&json!("Run"), &json!("d")));
        }
        let mut both = command;
        both["toolCall"] = json!({"kind": "execute", "rawInput": {"command": "true"}});
        assert!(matches!(read(&both).unwrap().operation, Operation::Tool(_)));
    }

    #[test]
    fn an_option_counts_by_its_kind_where_it_is_the_only_one() {
        let chosen = |options: Value| {
            let permission = read(&json!({"sessionId": "s", "toolCall": {"title": "x"}, "options": options})).unwrap();
            (permission.yes, permission.no)
        };
        let some = |yes: &str, no: &str| (Some(yes.to_owned()), Some(no.to_owned()));
        assert_eq!(chosen(options()), some("proceed_once", "cancel"));
        let option = |id: &str, kind: &str| json!({"optionId": id, "name": "Allow once", "kind": kind});
        for (options, wanted) in [
            (json!([]), (None, None)),
            // Never for more than this once, never by a name, and never for a kind that nobody knows.
            (json!([option("allow_once", "allow_always"), option("yes", "allow_once_new")]), (None, None)),
            (json!([{"optionId": "allow_once", "name": "Allow once"}]), (None, None)),
            (json!([option("a", "allow_once"), option("b", "allow_once"), option("r", "reject_always")]), (None, None)),
            (
                json!([option("a", "allow_once"), option("a", "allow_always"), option("r", "reject_once")]),
                (None, Some("r".to_owned())),
            ),
            (json!([option("a", "allow_once"), option("a", "reject_once")]), (None, None)),
            (json!([7, option("a", "ALLOW_ONCE")]), (None, None)),
        ] {
            assert_eq!(chosen(options.clone()), wanted, "{options}");
        }
    }

    #[test]
    fn what_is_odd_is_no_request() {
        for params in [
            json!([]),
            json!({"toolCall": {}, "options": []}),
            json!({"sessionId": 7, "toolCall": {}, "options": []}),
            json!({"sessionId": "s", "toolCall": {}}),
            json!({"sessionId": "s", "toolCall": {}, "options": {}}),
        ] {
            assert!(read(&params).is_err(), "{params}");
        }
        let twice = r#"{"id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"title":"a","title":"b"},"options":[]}}"#;
        assert!(Message::read(twice.as_bytes()).and_then(|message| Permission::read(&message)).is_err());
    }

    #[test]
    fn an_answer_is_what_was_chosen_or_nothing() {
        let permission = v1(json!({"title": "x"}));
        let answer = |option| serde_json::from_slice::<Value>(&permission.answer(option, "why")).unwrap();
        assert_eq!(answer(Some("a"))["result"]["outcome"], json!({"outcome": "selected", "optionId": "a"}));
        assert_eq!(answer(None)["result"]["outcome"], json!({"outcome": "cancelled"}));
        assert_eq!(answer(None)["result"]["_meta"]["signoff"]["reason"], "why");
    }
}
