//! A connection to a gateway that is kept open, as the libraries do that agents use. It speaks no more of HTTP than the gateway
//! answers with: whoever measures shares the processor with the gateway, and what the measurement needs is not there for it.

use std::{fmt::Write as _, net::SocketAddr};

use axum::http::Method;
use serde_json::{Value, json};
use signoff_server::client::Caller;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::PASSWORD;

/// What a gateway says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body; nothing where there is none.
    pub body: Value,
}

impl Reply {
    /// A field of the body that is a text; empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        self.body.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Somebody on a connection of their own.
pub struct Line {
    stream: TcpStream,
    address: SocketAddr,
    caller: Caller,
    /// What was received last, kept for its room.
    received: Vec<u8>,
}

impl Line {
    /// Connects as somebody.
    pub async fn open(address: SocketAddr, caller: Caller) -> Self {
        Self { stream: connected(address).await, address, caller, received: Vec::new() }
    }

    /// Goes on as an agent with another key.
    pub fn becomes_agent(&mut self, key: &str, session: &str) {
        self.caller = Caller::Agent { key: key.to_owned(), session: session.to_owned() };
    }

    /// Connects as an agent with a key.
    pub async fn agent(address: SocketAddr, key: &str, session: &str) -> Self {
        Self::open(address, Caller::Agent { key: key.to_owned(), session: session.to_owned() }).await
    }

    /// Connects as a person, who logs in with the password.
    pub async fn person(address: SocketAddr, name: &str) -> Self {
        let mut line = Self::open(address, Caller::Nobody).await;
        let credentials = json!({"person": name, "password": PASSWORD});
        let login = line.post("/v1/login", &credentials).await;
        assert_eq!(login.status, 200, "{}", login.body);
        line.caller = Caller::Person { token: login.text("token").to_owned() };
        line
    }

    /// Another connection of the same caller.
    pub async fn again(&self) -> Self {
        Self::open(self.address, self.caller.clone()).await
    }

    /// The same agent in another session.
    pub async fn again_in(&self, session: &str) -> Self {
        let caller = match &self.caller {
            Caller::Agent { key, .. } => Caller::Agent { key: key.clone(), session: session.to_owned() },
            other => other.clone(),
        };
        Self::open(self.address, caller).await
    }

    /// Another connection, of nobody in particular.
    pub async fn as_nobody(&self) -> Self {
        Self::open(self.address, Caller::Nobody).await
    }

    /// The same at another node.
    pub async fn again_at(&self, address: SocketAddr) -> Self {
        Self::open(address, self.caller.clone()).await
    }

    /// Calls a route with a body, for whoever puts many of these calls beside each other.
    pub async fn post_owned(&mut self, path: String, body: Value) -> Reply {
        self.post(&path, &body).await
    }

    /// The same without a body.
    pub async fn get_owned(&mut self, path: String) -> Reply {
        self.get(&path).await
    }

    /// Calls a route without a body.
    pub async fn get(&mut self, path: &str) -> Reply {
        self.call(Method::GET, path, String::new()).await
    }

    /// Calls a route with a body.
    pub async fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.call(Method::POST, path, body.to_string()).await
    }

    /// Calls a route that says something else than JSON.
    pub async fn plain(&mut self, path: &str) -> String {
        let (_, body) = self.answer(&Method::GET, path, "").await;
        String::from_utf8(body.to_vec()).unwrap()
    }

    /// Calls a route with any text as its body.
    pub async fn call(&mut self, method: Method, path: &str, body: String) -> Reply {
        let (status, body) = self.answer(&method, path, &body).await;
        Reply { status, body: serde_json::from_slice(body).unwrap_or(Value::Null) }
    }

    async fn answer(&mut self, method: &Method, path: &str, body: &str) -> (u16, &[u8]) {
        // A server hangs up on whoever says nothing for a while.
        if hung_up(&self.stream) {
            self.stream = connected(self.address).await;
        }
        let request = self.request(method, path, body);
        // Where it hears no more, it has said why.
        let sent = self.stream.write_all(request.as_bytes()).await;
        let (head, length) = loop {
            if let Some(found) = measured(&self.received) {
                break found;
            }
            let read = self.stream.read_buf(&mut self.received).await.unwrap();
            assert_ne!(read, 0, "it hangs up without a word: {sent:?}");
        };
        while self.received.len() < head + length {
            let read = self.stream.read_buf(&mut self.received).await.unwrap();
            assert_ne!(read, 0, "it hangs up in the middle");
        }
        let (head, body) = self.received.split_at(head);
        let head = std::str::from_utf8(head).unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
    }

    /// A request in full.
    fn request(&mut self, method: &Method, path: &str, body: &str) -> String {
        self.received.clear();
        let mut text = String::with_capacity(512 + body.len());
        write!(text, "{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.address).unwrap();
        match &self.caller {
            Caller::Nobody => {}
            Caller::LocalAgent { agent, session } => {
                write!(text, "signoff-agent: {agent}\r\nsignoff-session: {session}\r\n").unwrap();
            }
            Caller::Agent { key, session } => {
                write!(text, "authorization: Bearer {key}\r\nsignoff-session: {session}\r\n").unwrap();
            }
            Caller::Person { token } => write!(text, "authorization: Bearer {token}\r\n").unwrap(),
        }
        if !body.is_empty() {
            write!(text, "content-type: application/json\r\ncontent-length: {}\r\n", body.len()).unwrap();
        }
        text.push_str("\r\n");
        text.push_str(body);
        text
    }
}

/// How long the head of an answer is, and how long its body. None where the head is not there yet.
fn measured(received: &[u8]) -> Option<(usize, usize)> {
    const END: &[u8] = b"\r\n\r\n";
    let end = received.windows(END.len()).position(|window| window == END)?;
    let head = std::str::from_utf8(&received[..end]).unwrap();
    let mut fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    let length = fields.find_map(|(name, value)| match name.to_ascii_lowercase().as_str() {
        "content-length" => Some(value.trim().parse().unwrap()),
        "transfer-encoding" => panic!("what has no length is not read here: {head}"),
        _ => None,
    });
    Some((end + END.len(), length.unwrap_or(0)))
}

/// Whether the other end is gone, as far as that is known by now.
fn hung_up(stream: &TcpStream) -> bool {
    !matches!(stream.try_read(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
}

async fn connected(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_as_long_as_it_says() {
        for (received, expected) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n", None),
            ("HTTP/1.1 200 OK\r\ndate: x:y\r\nContent-Length: 7\r\n\r\n{}", Some((49, 7))),
            ("HTTP/1.1 204 No Content\r\n\r\n", Some((27, 0))),
        ] {
            assert_eq!(measured(received.as_bytes()), expected, "{received}");
        }
    }
}
