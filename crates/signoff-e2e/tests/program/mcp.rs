//! A client that speaks MCP, line by line, as it stands on the wire.

#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::Home;

/// How a client speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// With `initialize`, as of 2025-11-25.
    Sessions,
    /// With everything in each request, as of 2026-07-28.
    Stateless,
}

pub struct McpClient {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    kept: Vec<Value>,
    era: Era,
    capabilities: Value,
    ids: u64,
}

impl McpClient {
    /// A client that has introduced itself.
    pub fn start(home: &Home, era: Era, capabilities: Value) -> Self {
        let mut client = Self::silent(home, era, capabilities);
        match era {
            Era::Sessions => {
                let hello = json!({"protocolVersion": "2025-11-25", "capabilities": client.capabilities, "clientInfo": {"name": "test", "version": "0"}});
                let said = client.ask("initialize", hello);
                assert_eq!(said["result"]["protocolVersion"], "2025-11-25", "{said}");
                client.tell("notifications/initialized", json!({}));
            }
            Era::Stateless => {
                let said = client.ask("server/discover", json!({}));
                let versions = said["result"]["supportedVersions"].as_array().unwrap();
                assert!(versions.contains(&"2026-07-28".into()), "{said}");
            }
        }
        client
    }

    /// A client that has said nothing yet.
    pub fn silent(home: &Home, era: Era, capabilities: Value) -> Self {
        let mut command = home.signoff(&["mcp", "--session", "mcp-test"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = child.stdout.take().unwrap();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).unwrap_or_else(|_| Value::from(line));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, kept: Vec::new(), era, capabilities, ids: 0 }
    }

    pub fn line(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    pub fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.ids += 1;
        if self.era == Era::Stateless {
            let mut meta = params["_meta"].as_object().cloned().unwrap_or_default();
            let told = [
                ("protocolVersion", json!("2026-07-28")),
                ("clientInfo", json!({"name": "test", "version": "0"})),
                ("clientCapabilities", self.capabilities.clone()),
            ];
            meta.extend(told.map(|(name, value)| (format!("io.modelcontextprotocol/{name}"), value)));
            params["_meta"] = Value::Object(meta);
        }
        let id = self.ids;
        self.line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The next message that fits. Others are kept for whoever waits for them.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(at) = self.kept.iter().position(&fits) {
                return self.kept.remove(at);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(message) => self.kept.push(message),
                Err(_) => panic!("no {what} among {:#?}", self.kept),
            }
        }
    }

    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        self.wait_for("answer", |message| message["id"] == id && message.get("method").is_none())
    }

    pub fn call_with(&mut self, tool: &str, arguments: Value, meta: Value) -> u64 {
        self.send("tools/call", json!({"name": tool, "arguments": arguments, "_meta": meta}))
    }

    /// The result of a tool.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.call_with(tool, arguments, json!({}));
        self.answer(id)["result"].clone()
    }

    /// Goes, and says how the server ended.
    pub fn leave(&mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().unwrap().code()
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
