//! What a message says in the head of its request, beside the body: since 2026-07-28 whoever stands on the way reads it there, and a server
//! refuses a head that says something else than the body.

use std::collections::HashMap;

use base64ct::{Base64, Encoding as _};
use http::{HeaderName, HeaderValue};
use serde_json::Value;
use signoff_agents::jsonrpc::{Fields, Message};

/// Where a request says which protocol it speaks, since 2026-07-28.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The head of one message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Head {
    /// The protocol that it names itself; none where a session has one.
    pub(super) version: Option<String>,
    /// What is said of it in the head.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// Which arguments of which tools stand in the head as well, as the server's own list of tools says.
#[derive(Debug, Default)]
pub(super) struct Annotated(HashMap<String, Vec<(Vec<String>, String)>>);

impl Head {
    pub(super) fn of(message: &Message<'_>, annotated: &Annotated) -> Self {
        let (Some(method), Some(params)) = (&message.method, message.params) else { return Self::default() };
        let Ok(params) = Fields::read(params.get(), &["_meta", "name", "uri", "taskId", "arguments"]) else {
            return Self::default();
        };
        let value = |name: &str| params.get(name).and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
        let version = value("_meta").and_then(|meta| meta.get(VERSION)?.as_str().map(str::to_owned));
        if version.is_none() {
            return Self::default();
        }
        let mut headers = Vec::new();
        let mut put = |name: &str, text: &str| {
            let (name, value) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&encoded(text)));
            headers.extend(name.ok().zip(value.ok()));
        };
        put("mcp-method", method);
        let named = match method.as_str() {
            "tools/call" | "prompts/get" => "name",
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
            "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
            _ => "",
        };
        let name = value(named).and_then(|name| name.as_str().map(str::to_owned));
        if let Some(name) = &name {
            put("mcp-name", name);
        }
        if let (Some(name), "tools/call") = (&name, method.as_str()) {
            let arguments = value("arguments").unwrap_or_default();
            for (path, header) in annotated.0.get(name).into_iter().flatten() {
                let given = path.iter().try_fold(&arguments, |value, part| value.get(part));
                let text = match given {
                    Some(Value::String(text)) => text.clone(),
                    Some(plain @ (Value::Bool(_) | Value::Number(_))) => plain.to_string(),
                    _ => continue,
                };
                put(&format!("mcp-param-{header}"), &text);
            }
        }
        Self { version, headers }
    }
}

impl Annotated {
    /// Remembers what a list of tools says. What is described anew counts anew.
    pub(super) fn learn(&mut self, tools: &str) {
        let Ok(Value::Array(tools)) = serde_json::from_str(tools) else { return };
        for tool in tools {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
            let mut found = Vec::new();
            annotations(tool.pointer("/inputSchema/properties"), &mut Vec::new(), &mut found);
            self.0.remove(name);
            if !found.is_empty() {
                self.0.insert(name.to_owned(), found);
            }
        }
    }
}

fn annotations(properties: Option<&Value>, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    let Some(Value::Object(properties)) = properties else { return };
    for (name, schema) in properties {
        path.push(name.clone());
        if let Some(header) = schema.get("x-mcp-header").and_then(Value::as_str) {
            found.push((path.clone(), header.to_owned()));
        }
        annotations(schema.get("properties"), path, found);
        path.pop();
    }
}

/// A text as it may stand in a head.
fn encoded(text: &str) -> String {
    let is_odd = text.bytes().any(|byte| !(0x20..=0x7e).contains(&byte));
    let has_edges = text.starts_with(' ') || text.ends_with(' ');
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    if !is_odd && !has_edges && !looks_encoded {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", Base64::encode_string(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use serde_json::json;

    use super::*;

    fn head(message: &Value, annotated: &Annotated) -> Vec<(String, String)> {
        let line = message.to_string();
        let head = Head::of(&Message::read(line.as_bytes()).unwrap(), annotated);
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    #[test]
    fn the_head_says_what_the_body_says() {
        let meta = json!({VERSION: "2026-07-28"});
        let mut annotated = Annotated::default();
        annotated.learn(
            r#"[{"name":"写","inputSchema":{"properties":{"region":{"type":"string","x-mcp-header":"Region"},
                "deep":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}}]"#,
        );
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "写", "arguments": {"region": "eu\r\nx: y", "deep": {"n": 3}}, "_meta": meta}});
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            head(&call, &annotated),
            [
                pair("mcp-method", "tools/call"),
                pair("mcp-name", "=?base64?5YaZ?="),
                pair("mcp-param-n", "3"),
                pair("mcp-param-region", "=?base64?ZXUNCng6IHk=?="),
            ]
        );
        let read =
            json!({"id": 1, "method": "resources/read", "params": {"uri": "file:///x", "name": "y", "_meta": meta}});
        assert_eq!(head(&read, &annotated), [pair("mcp-method", "resources/read"), pair("mcp-name", "file:///x")]);
        // Before 2026-07-28 the body says all of it.
        let old = json!({"id": 1, "method": "tools/call", "params": {"name": "x"}});
        assert_eq!(head(&old, &annotated), []);
    }
}
