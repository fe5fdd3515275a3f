//! A client that speaks MCP over HTTP, as it stands on the wire.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    body::{Bytes, Incoming},
    client::conn::http1::handshake,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::mcp::Era;

/// What came back at once.
pub struct Heard {
    pub status: u16,
    pub headers: HeaderMap,
    body: Incoming,
    text: String,
    events: bool,
}

impl Heard {
    /// The next message of it; nothing at its end.
    pub async fn next(&mut self) -> Option<Value> {
        while self.events {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let data: Vec<&str> = event.lines().filter_map(|line| line.strip_prefix("data:")).collect();
                let data = data.join("\n").trim().to_owned();
                self.text = rest.to_owned();
                if !data.is_empty() {
                    return Some(serde_json::from_str(&data).unwrap());
                }
            }
            let piece = self.body.frame().await?.unwrap().into_data().unwrap();
            self.text.push_str(str::from_utf8(&piece).unwrap());
        }
        let whole = (&mut self.body).collect().await.unwrap().to_bytes();
        if whole.is_empty() {
            return None;
        }
        let text = String::from_utf8_lossy(&whole).into_owned();
        Some(serde_json::from_slice(&whole).unwrap_or(Value::from(text)))
    }

    /// The answer in it, behind whatever else is told.
    pub async fn answer(&mut self) -> Value {
        loop {
            let said = self.next().await.unwrap();
            if said.get("method").is_none() {
                return said;
            }
        }
    }
}

/// A client with the key of an agent.
#[derive(Clone)]
pub struct HttpClient {
    pub address: SocketAddr,
    pub headers: Vec<(String, String)>,
    pub era: Era,
    pub capabilities: Value,
}

impl HttpClient {
    pub fn new(address: SocketAddr, key: &str, era: Era) -> Self {
        let headers = vec![("authorization".to_owned(), format!("Bearer {key}"))];
        Self { address, headers, era, capabilities: json!({}) }
    }

    /// The same once it has introduced itself.
    pub async fn introduced(mut self) -> Self {
        if self.era == Era::Sessions {
            let hello = json!({"protocolVersion": "2025-11-25", "capabilities": self.capabilities, "clientInfo": {"name": "test", "version": "0"}});
            let mut said = self.send("initialize", hello, 0).await;
            assert_eq!(said.status, 200);
            let session = said.headers.get("mcp-session-id").unwrap().to_str().unwrap().to_owned();
            assert_eq!(said.answer().await["result"]["protocolVersion"], "2025-11-25");
            self.headers.push(("mcp-session-id".to_owned(), session));
            self.headers.push(("mcp-protocol-version".to_owned(), "2025-11-25".to_owned()));
            let told = self.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await;
            assert_eq!(told.status, 202);
        } else {
            let said = self.send("server/discover", json!({}), 0).await.answer().await;
            assert!(said["result"]["supportedVersions"].as_array().unwrap().contains(&"2026-07-28".into()), "{said}");
        }
        self
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(old, _)| old != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(old, _)| old != name);
        self
    }

    pub fn session(&self) -> &str {
        &self.headers.iter().find(|(name, _)| name == "mcp-session-id").unwrap().1
    }

    pub async fn request(&self, method: Method, body: &str, more: &[(&str, &str)]) -> Heard {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header(header::CONTENT_TYPE, "application/json");
        if !self.headers.iter().any(|(name, _)| name == "host") {
            request = request.header(header::HOST, self.address.to_string());
        }
        for (name, value) in self.headers.iter().map(|(name, value)| (&**name, &**value)).chain(more.iter().copied()) {
            request = request.header(name, value);
        }
        let response = sender.send_request(request.body(Full::new(Bytes::from(body.to_owned()))).unwrap()).await;
        let (parts, body) = response.unwrap().into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
        let events = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        Heard { status: parts.status.as_u16(), headers: parts.headers, body, text: String::new(), events }
    }

    pub async fn post(&self, body: &str) -> Heard {
        self.request(Method::POST, body, &[]).await
    }

    /// Makes a request of the protocol.
    pub async fn send(&self, method: &str, mut params: Value, id: u64) -> Heard {
        let mut more = Vec::new();
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        if self.era == Era::Stateless {
            let mut meta = params["_meta"].as_object().cloned().unwrap_or_default();
            let told = [
                ("protocolVersion", json!("2026-07-28")),
                ("clientInfo", json!({"name": "test", "version": "0"})),
                ("clientCapabilities", self.capabilities.clone()),
            ];
            meta.extend(told.map(|(name, value)| (format!("io.modelcontextprotocol/{name}"), value)));
            params["_meta"] = Value::Object(meta);
            more.extend([("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]);
            if method == "tools/call" {
                more.push(("mcp-name", &name));
            }
        }
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        self.request(Method::POST, &body, &more).await
    }

    pub async fn ask(&self, method: &str, params: Value) -> Value {
        self.send(method, params, 7).await.answer().await
    }

    /// The whole answer to the call of a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }
}
