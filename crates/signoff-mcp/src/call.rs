//! A `tools/call`, taken at its word: whatever could be understood in two ways is no call.

use serde_json::{Map, Value, value::RawValue};
use signoff_agents::{
    exact,
    jsonrpc::{Fault, Fields, Id, Message},
};
use signoff_model::{Digest, Operation, ToolCall, ToolHints};

/// The request that makes a server do something.
pub(crate) const METHOD: &str = "tools/call";

/// The parts of it that have a meaning for everybody.
const PARTS: [&str; 5] = ["name", "arguments", "_meta", "requestState", "task"];

/// Nobody gives a tool a longer name.
const LONGEST_NAME: usize = 512;

/// Where a request says which protocol it speaks, since 2026-07-28.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// A call of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) id: Id,
    pub(crate) raw_id: Box<RawValue>,
    /// The tool, as the server calls it.
    pub(crate) tool: String,
    /// What it is given, with whatever else stands beside it: all of that is shown.
    pub(crate) args: Value,
    /// What the client wants to be told progress under.
    pub(crate) progress_token: Option<Value>,
    /// What the server has said to go on with.
    pub(crate) state: Option<String>,
    /// Whether something stands beside the arguments that the server has asked for.
    pub(crate) brings_more: bool,
    /// Whether its result has to say of what kind it is.
    pub(crate) is_stateless: bool,
}

impl Call {
    pub(crate) fn read(message: &Message<'_>) -> Result<Self, Fault> {
        let (Some(id), Some(raw_id)) = (message.id.clone(), message.raw_id) else { return Err(Fault::Wrong("id")) };
        let params = message.params.ok_or(Fault::Wrong("params"))?;
        if !params.get().starts_with('{') {
            return Err(Fault::Wrong("params"));
        }
        let params = Fields::read(params.get(), &PARTS)?;
        let text = |name: &'static str| match params.get(name) {
            None => Ok(None),
            Some(raw) => serde_json::from_str::<String>(raw.get()).map(Some).map_err(|_| Fault::Wrong(name)),
        };
        let tool = text("name")?.filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME);
        let tool = tool.ok_or(Fault::Wrong("name"))?;
        let mut fields = match params.get("arguments").map(|raw| value(raw, "arguments")).transpose()? {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(fields)) => fields,
            Some(_) => return Err(Fault::Wrong("arguments")),
        };
        for (name, raw) in params.others() {
            let beside = value(raw, "params")?;
            if fields.insert(name.clone(), beside).is_some() {
                return Err(Fault::Name(format!("`{}` stands there twice", name.escape_debug())));
            }
        }
        let about = params.get("_meta").map(|raw| value(raw, "_meta")).transpose()?.unwrap_or_default();
        let token = about.get("progressToken").filter(|token| token.is_string() || token.is_i64()).cloned();
        Ok(Self {
            id,
            raw_id: raw_id.to_owned(),
            tool,
            args: Value::Object(fields),
            progress_token: token,
            state: text("requestState")?,
            brings_more: !params.others().is_empty(),
            is_stateless: about.get(VERSION).is_some(),
        })
    }

    /// What the gate judges: the tool under the name of its server, with what it says of itself.
    pub(crate) fn operation(&self, server: &str, hints: ToolHints) -> Operation {
        let hints = match takes_our_name(&self.tool) {
            // Nothing behind a proxy is Signoff itself, and what says so is asked about.
            true => ToolHints { destructive: Some(true), ..hints },
            false => hints,
        };
        Operation::Tool(ToolCall { name: format!("mcp__{server}__{}", self.tool), args: self.args.clone(), hints })
    }

    /// What tells it from every other call: a call that is made again is the same.
    pub(crate) fn digest(&self) -> Digest {
        let args = self.args.to_string();
        Digest::of(format!("{}:{}\n{}:{args}\n", self.tool.len(), self.tool, args.len()).as_bytes())
    }
}

fn value(raw: &RawValue, name: &'static str) -> Result<Value, Fault> {
    exact::read(raw.get()).map_err(|error| match error.is_data() {
        true => Fault::Name(format!("`{name}` holds a name twice: `{}`", error.to_string().escape_debug())),
        false => Fault::NotJson(error.to_string()),
    })
}

/// Whether a name could be taken for one of Signoff's own.
pub(crate) fn takes_our_name(name: &str) -> bool {
    let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    letters.contains("signoff")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use serde_json::json;

    use super::*;

    fn call(params: &str) -> Result<Call, Fault> {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        Message::read(line.as_bytes()).and_then(|message| Call::read(&message))
    }

    #[test]
    fn a_call_is_taken_at_its_word() {
        let read = call(r#"{"name":"get_page","arguments":{"page":7},"_meta":{"progressToken":"p"}}"#).unwrap();
        assert_eq!((read.tool.as_str(), &read.args), ("get_page", &json!({"page": 7})));
        assert_eq!((read.progress_token, read.is_stateless, read.brings_more), (Some(json!("p")), false, false));
        assert_eq!(call(r#"{"name":"x"}"#).unwrap().args, json!({}));
        assert_eq!(call(r#"{"name":"x","arguments":null}"#).unwrap().args, json!({}));
        let again = r#"{"name":"x","arguments":{"a":1},"inputResponses":{"k":{"action":"accept"}},"requestState":"s",
                        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
        let again = call(again).unwrap();
        assert_eq!(again.args, json!({"a": 1, "inputResponses": {"k": {"action": "accept"}}}));
        assert!(again.brings_more && again.is_stateless && again.state.as_deref() == Some("s"));
    }

    #[test]
    fn odd_shapes_are_no_calls() {
        let deep = format!(r#"{{"name":"x","arguments":{{"a":{}{}}}}}"#, "[".repeat(500), "]".repeat(500));
        let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(600));
        for params in [
            "[]",
            r#"["get_page",{}]"#,
            "null",
            "\"x\"",
            "{}",
            r#"{"name":7}"#,
            r#"{"name":""}"#,
            r#"{"name":null,"arguments":{}}"#,
            r#"{"name":["get_page"]}"#,
            r#"{"name":"get_page","name":"delete_page"}"#,
            r#"{"name":"get_page","Name":"delete_page"}"#,
            r#"{"name":"get_page","n\u0061me":"delete_page"}"#,
            r#"{"name":"x","arguments":{"a":1},"arguments":{"a":2}}"#,
            r#"{"name":"x","arguments":{"a":1},"ARGUMENTS":{"a":2}}"#,
            r#"{"name":"x","arguments":{"a":1,"a":2}}"#,
            r#"{"name":"x","arguments":{"a":{"b":1,"b":2}}}"#,
            r#"{"name":"x","arguments":[1]}"#,
            r#"{"name":"x","arguments":"{}"}"#,
            r#"{"name":"x","arguments":{"a":"\ud800"}}"#,
            r#"{"name":"x","arguments":{"input":1},"input":2}"#,
            r#"{"name":"x","_meta":{"a":1,"a":2}}"#,
            &deep,
            &long,
        ] {
            assert!(call(params).is_err(), "{params}");
        }
        for id in ["", r#""id":null,"#, r#""id":1.5,"#, r#""id":[1],"#] {
            let line = format!(r#"{{{id}"method":"tools/call","params":{{"name":"x"}}}}"#);
            assert!(Message::read(line.as_bytes()).and_then(|message| Call::read(&message)).is_err(), "{id}");
        }
    }

    #[test]
    fn nothing_behind_a_proxy_is_signoff_itself() {
        let hints = |tool: &str| {
            let Operation::Tool(tool) =
                call(&json!({"name": tool}).to_string()).unwrap().operation("s", ToolHints::default())
            else {
                panic!("no tool")
            };
            tool.hints.destructive
        };
        for tool in ["signoff_check", "Sign-Off_list", "mcp__signoff__get", "SIGNOFF.status"] {
            assert_eq!(hints(tool), Some(true), "{tool}");
        }
        assert_eq!(hints("get_page"), None);
    }

    #[test]
    fn calls_that_only_look_alike_differ() {
        let digest = |params: &str| call(params).unwrap().digest();
        let one = digest(r#"{"name":"get_page","arguments":{"a":1,"b":2}}"#);
        assert_eq!(one, digest(r#"{"arguments":{"b":2,"a":1},"name":"get_page"}"#));
        for other in [
            // With a Cyrillic letter, with a zero-width one, in upper case, and with other arguments.
            r#"{"name":"gеt_page","arguments":{"a":1,"b":2}}"#,
            r#"{"name":"get_page\u200b","arguments":{"a":1,"b":2}}"#,
            r#"{"name":"Get_page","arguments":{"a":1,"b":2}}"#,
            r#"{"name":"get_page","arguments":{"a":1,"b":"2"}}"#,
        ] {
            assert_ne!(one, digest(other), "{other}");
        }
    }
}
