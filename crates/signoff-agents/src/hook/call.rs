//! What a client says about a tool call: one shape for each of them, read by the names that it uses.

use std::fmt;

use serde_json::{Map, Value};

use crate::{Client, exact};

/// When a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before a tool is called.
    Before,
    /// Before the client asks its user.
    Permission,
    /// After a tool was called, and whether that went well.
    After {
        /// Whether it did.
        success: bool,
    },
    /// At another moment, at which nothing is decided.
    Other,
}

/// What a client says.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Who says it. Others load the hooks of Claude Code, too.
    pub client: Client,
    /// When.
    pub moment: Moment,
    /// The event by its name there; some answers repeat it.
    pub event: String,
    /// The tool.
    pub tool: String,
    /// What it is given.
    pub input: Value,
    /// Where the client works; none where it does not say.
    pub cwd: Option<String>,
    /// Its session; empty where it has none.
    pub session: String,
    /// What the client calls this one call, where it says so; the same before it and after.
    pub id: Option<String>,
    /// Where it writes what was said, if it says so.
    pub transcript: Option<String>,
    /// How it asks its user, if it says so.
    pub mode: Option<String>,
}

/// What could not be read, and who has sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// Who.
    pub client: Client,
    /// Why not.
    pub why: Unreadable,
}

/// Why nothing can be said about what a client sent. None of these is a yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is no JSON.
    NotJson(String),
    /// It is no object.
    NotAnObject,
    /// A field is missing.
    Missing(&'static str),
    /// A field holds something else than it should.
    Wrong(&'static str),
    /// A name stands twice in one object, and nobody can tell which of the two the client goes by.
    Twice(String),
    /// Nobody knows this event.
    UnknownEvent(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "the hook was given no JSON: {why}"),
            Self::NotAnObject => f.write_str("the hook was given no JSON object"),
            Self::Missing(field) => write!(f, "the hook was given no `{field}`"),
            Self::Wrong(field) => write!(f, "the hook was given a `{field}` that cannot be read"),
            Self::Twice(name) => write!(f, "the hook was given `{}` twice", name.escape_debug()),
            Self::UnknownEvent(event) => write!(f, "the event `{}` is not known", event.escape_debug()),
        }
    }
}

/// Where a client writes what.
struct Shape {
    event: &'static str,
    tool: &'static str,
    input: &'static str,
    cwd: &'static [&'static str],
    session: &'static str,
    id: &'static str,
}

/// The names that Claude Code uses, and those who have taken them over.
const CLAUDE: Shape = Shape {
    event: "/hook_event_name",
    tool: "/tool_name",
    input: "/tool_input",
    cwd: &["/cwd"],
    session: "/session_id",
    id: "/tool_use_id",
};

const fn shape(client: Client) -> Shape {
    match client {
        Client::Claude | Client::Codex | Client::Gemini | Client::Qwen => CLAUDE,
        Client::Kimi => Shape { id: "/tool_call_id", ..CLAUDE },
        Client::Copilot => Shape {
            event: "/hookName",
            tool: "/toolName",
            input: "/toolArgs",
            cwd: &["/cwd"],
            session: "/sessionId",
            id: "",
        },
        Client::Cursor => Shape { cwd: &["/cwd", "/workspace_roots/0"], session: "/conversation_id", ..CLAUDE },
        Client::Cline => Shape {
            event: "/hookName",
            tool: "/tool_call/name",
            input: "/tool_call/input",
            cwd: &["/workspaceInfo/rootPath", "/workspaceRoots/0"],
            session: "/taskId",
            id: "/tool_call/id",
        },
        Client::Windsurf => Shape {
            event: "/agent_action_name",
            tool: "/tool_info/mcp_tool_name",
            input: "/tool_info",
            cwd: &["/tool_info/cwd"],
            session: "/trajectory_id",
            id: "",
        },
        Client::Goose => Shape { event: "/event", cwd: &["/working_dir"], ..CLAUDE },
        Client::Antigravity => Shape {
            event: "/hookEventName",
            tool: "/toolCall/name",
            input: "/toolCall/args",
            cwd: &["/toolCall/args/Cwd", "/workspacePaths/0"],
            session: "/conversationId",
            id: "",
        },
        Client::OpenCode => Shape {
            event: "/event",
            tool: "/tool",
            input: "/args",
            cwd: &["/cwd"],
            session: "/sessionID",
            id: "/callID",
        },
        // It sends what the tool is given, and nothing else.
        Client::Amp => Shape { event: "", tool: "", input: "", cwd: &[], session: "", id: "" },
    }
}

impl Call {
    /// What a client says, which was installed under this name. `tool` is the name of the tool where it is told beside the payload.
    ///
    /// # Errors
    ///
    /// When it cannot be read: then nothing may run.
    pub fn read(installed: Client, payload: &str, tool: Option<&str>) -> Result<Self, Misread> {
        let by_name = |why| Misread { client: installed, why };
        let value = read(payload).map_err(by_name)?;
        let fields = value.as_object().ok_or_else(|| by_name(Unreadable::NotAnObject))?;
        let client = caller(installed, fields);
        Self::of(client, fields, &value, tool).map_err(|why| Misread { client, why })
    }

    fn of(client: Client, fields: &Map<String, Value>, value: &Value, tool: Option<&str>) -> Result<Self, Unreadable> {
        if client == Client::Amp {
            let tool = tool.filter(|tool| !tool.is_empty()).ok_or(Unreadable::Missing("AGENT_TOOL_NAME"))?;
            return Ok(Self::of_tool(client, tool.to_owned(), value.clone()));
        }
        // With its capital names Copilot says what Claude Code says.
        let shape =
            if client == Client::Copilot && fields.contains_key("hook_event_name") { CLAUDE } else { shape(client) };
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let event = match text(shape.event) {
            Some(event) => event,
            // Copilot does not say which one it is: only what was called has a result.
            None if client == Client::Copilot && fields.contains_key("toolResult") => "postToolUse".to_owned(),
            None if client == Client::Copilot => "preToolUse".to_owned(),
            None if client == Client::Antigravity => "PreToolUse".to_owned(),
            None => return Err(Unreadable::Missing(shape.event.get(1..).unwrap_or_default())),
        };
        let moment = moment(client, &event, value).ok_or_else(|| Unreadable::UnknownEvent(event.clone()))?;
        let mut call = Self {
            client,
            moment,
            event,
            tool: String::new(),
            input: Value::Null,
            cwd: directory(&shape, value)?,
            session: text(shape.session).unwrap_or_default(),
            id: text(shape.id).filter(|id| !id.is_empty()),
            transcript: text("/transcript_path"),
            mode: text("/permission_mode"),
        };
        if moment != Moment::Other {
            (call.tool, call.input) = called(&call, &shape, value)?;
        }
        Ok(call)
    }

    /// Whether the tool is itself a question to the user.
    pub fn asks_its_user(&self) -> bool {
        asks_its_user(&self.tool)
    }

    /// Whether the tool does nothing but ask the user, under a name that could be anybody's elsewhere.
    pub fn is_only_a_question(&self) -> bool {
        self.client == Client::OpenCode && self.tool == "question"
    }

    fn of_tool(client: Client, tool: String, input: Value) -> Self {
        Self {
            client,
            moment: Moment::Before,
            event: String::new(),
            tool,
            input,
            cwd: None,
            session: String::new(),
            id: None,
            transcript: None,
            mode: None,
        }
    }
}

/// The value of a text in which every name stands once.
fn read(text: &str) -> Result<Value, Unreadable> {
    exact::read(text).map_err(|error| match error.is_data() {
        true => Unreadable::Twice(exact::name_of(&error)),
        false => Unreadable::NotJson(error.to_string()),
    })
}

/// Where the client works, by the first place that says so. What is no whole path is judged nowhere else in its stead.
fn directory(shape: &Shape, value: &Value) -> Result<Option<String>, Unreadable> {
    for pointer in shape.cwd {
        match value.pointer(pointer) {
            None | Some(Value::Null) => {}
            Some(Value::String(cwd)) if cwd.is_empty() => {}
            Some(Value::String(cwd)) if cwd.starts_with('/') => return Ok(Some(cwd.clone())),
            Some(_) => return Err(Unreadable::Wrong(pointer.get(1..).unwrap_or_default())),
        }
    }
    Ok(None)
}

/// Whether a tool is itself a question to the user: a plan that they approve, a choice that they make. Nobody else's yes may stand in
/// for their answer.
pub fn asks_its_user(tool: &str) -> bool {
    matches!(
        tool,
        "ExitPlanMode"
            | "exit_plan_mode"
            | "plan_exit"
            | "AskUserQuestion"
            | "ask_user"
            | "ask_user_question"
            | "ask_followup_question"
            | "plan_mode_respond"
            | "request_user_input"
            | "question"
    )
}

/// The tool and what it is given.
fn called(call: &Call, shape: &Shape, value: &Value) -> Result<(String, Value), Unreadable> {
    let field = |pointer: &str| value.pointer(pointer).cloned();
    let given = |name: &'static str| field(&format!("/{name}")).ok_or(Unreadable::Missing(name));
    // Some events are about one tool, and do not name it.
    let (tool, input) = match call.event.as_str() {
        "beforeShellExecution" | "afterShellExecution" => {
            let command = given("command")?;
            return Ok(("Shell".to_owned(), Value::Object(Map::from_iter([("command".to_owned(), command)]))));
        }
        "beforeReadFile" => {
            let path = given("file_path")?;
            return Ok(("Read".to_owned(), Value::Object(Map::from_iter([("file_path".to_owned(), path)]))));
        }
        "pre_run_command" | "post_run_command" => (Some("run_command".to_owned()), shape.input),
        "pre_write_code" | "post_write_code" => (Some("write_file".to_owned()), shape.input),
        "pre_read_code" | "post_read_code" => (Some("read_file".to_owned()), shape.input),
        "pre_mcp_tool_use" | "post_mcp_tool_use" => (None, "/tool_info/mcp_tool_arguments"),
        "beforeMCPExecution" | "afterMCPExecution" => (None, shape.input),
        "permissionRequest" if call.client == Client::Copilot => (None, "/toolInput"),
        _ => (None, shape.input),
    };
    let tool = match tool {
        Some(tool) => tool,
        None => field(shape.tool)
            .ok_or(Unreadable::Missing("tool_name"))?
            .as_str()
            .filter(|tool| !tool.is_empty())
            .ok_or(Unreadable::Wrong("tool_name"))?
            .to_owned(),
    };
    let input = match field(input) {
        // Some write it as a text.
        Some(Value::String(text)) => read(&text).map_err(|why| match why {
            Unreadable::Twice(_) => why,
            _ => Unreadable::Wrong("tool_input"),
        })?,
        Some(input) => input,
        None => return Err(Unreadable::Missing("tool_input")),
    };
    if !input.is_object() {
        return Err(Unreadable::Wrong("tool_input"));
    }
    Ok((of_server(&call.event, value, tool), input))
}

/// The whole name of a tool: what a server offers must not pass for what the client itself has under that name.
fn of_server(event: &str, value: &Value, tool: String) -> String {
    let named = match event {
        "pre_mcp_tool_use" | "post_mcp_tool_use" => value.pointer("/tool_info/mcp_server_name"),
        // It tells where the server is, and not what it is called.
        "beforeMCPExecution" | "afterMCPExecution" => None,
        _ => return tool,
    };
    let server = named.and_then(Value::as_str).filter(|server| !server.is_empty()).unwrap_or("unknown");
    format!("mcp__{server}__{tool}")
}

/// Who sends this. Copilot and Cursor load the hooks of Claude Code, with payloads of their own.
fn caller(installed: Client, fields: &Map<String, Value>) -> Client {
    let has = |name: &str| fields.contains_key(name);
    let says = |name: &str, value: &str| fields.get(name).and_then(Value::as_str) == Some(value);
    match installed {
        Client::Amp | Client::OpenCode => installed,
        _ if has("cursor_version") => Client::Cursor,
        _ if has("clineVersion") => Client::Cline,
        _ if says("client_type", "kimi_code_cli") => Client::Kimi,
        _ if has("agent_action_name") => Client::Windsurf,
        _ if has("toolCall") && has("conversationId") => Client::Antigravity,
        _ if has("toolName") && has("sessionId") => Client::Copilot,
        // Only Copilot says when it happened without saying where it writes that down.
        Client::Claude if has("timestamp") && !has("transcript_path") => Client::Copilot,
        _ => installed,
    }
}

/// The moment that an event stands for; none where nobody knows.
fn moment(client: Client, event: &str, value: &Value) -> Option<Moment> {
    let went_well = || {
        let said = ["/success", "/tool_response/success", "/toolResult/success"];
        let failed = value.pointer("/toolResult/resultType").and_then(Value::as_str) == Some("failure");
        !failed && said.iter().all(|pointer| value.pointer(pointer).and_then(Value::as_bool) != Some(false))
    };
    Some(match (client, event) {
        (Client::Gemini, "BeforeTool") | (Client::Cline, "tool_call" | "PreToolUse") => Moment::Before,
        (Client::Gemini, "AfterTool") | (Client::Cline, "tool_result" | "PostToolUse") => {
            Moment::After { success: went_well() }
        }
        (Client::Copilot, "preToolUse") => Moment::Before,
        (Client::Copilot, "permissionRequest") => Moment::Permission,
        (Client::Copilot, "postToolUse") => Moment::After { success: went_well() },
        (Client::Cursor, "beforeShellExecution" | "beforeMCPExecution" | "beforeReadFile" | "preToolUse") => {
            Moment::Before
        }
        (Client::Cursor, "afterShellExecution" | "afterMCPExecution" | "postToolUse") => {
            Moment::After { success: went_well() }
        }
        (Client::Windsurf, "pre_run_command" | "pre_write_code" | "pre_read_code" | "pre_mcp_tool_use") => {
            Moment::Before
        }
        (Client::Windsurf, "post_run_command" | "post_write_code" | "post_read_code" | "post_mcp_tool_use") => {
            Moment::After { success: true }
        }
        (Client::OpenCode, "tool.execute.before") | (Client::Goose, "BeforeShellExecution") => Moment::Before,
        (Client::OpenCode, "tool.execute.after") => Moment::After { success: went_well() },
        // The names of Claude Code, which many have taken over.
        (Client::Gemini | Client::Cline | Client::Windsurf | Client::OpenCode, _) => return None,
        (_, "PreToolUse") => Moment::Before,
        (_, "PermissionRequest") => Moment::Permission,
        (_, "PostToolUse") => Moment::After { success: went_well() },
        (_, "PostToolUseFailure") => Moment::After { success: false },
        (
            _,
            "SessionStart" | "SessionEnd" | "UserPromptSubmit" | "Stop" | "SubagentStart" | "SubagentStop"
            | "PreCompact" | "PostCompact" | "Notification" | "PostToolBatch" | "Setup",
        ) => Moment::Other,
        _ => return None,
    })
}
