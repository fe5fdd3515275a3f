//! A server in a directory of its own, with a person and an agent.

use std::{fs, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode, header},
};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use signoff_gate::{Change, Gate, LocalEyes, Places, Store, SystemMint};
use signoff_model::{Actor, AgentId, PersonId};
use signoff_permit::{IssuerKey, VerifierKey};
use signoff_server::{App, Limits, NONCE, PROOF, router};
use signoff_store::{Clock, Sqlite, system_clock};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) const HOST: &str = "127.0.0.1:7777";

pub(crate) struct Place {
    root: TempDir,
    app: Arc<App>,
    router: Router,
    pub(crate) agent_key: String,
    pub(crate) login: String,
    pub(crate) csrf: String,
    pub(crate) verifier: VerifierKey,
}

/// Where a request comes from.
#[derive(Clone, Copy)]
pub(crate) struct From<'a> {
    pub(crate) agent_key: &'a str,
    pub(crate) session: &'a str,
    pub(crate) cwd: &'a str,
}

impl Place {
    pub(crate) async fn new() -> Self {
        Self::made(system_clock(), |app| app).await
    }

    /// The same with other limits.
    pub(crate) async fn limited(limits: Limits) -> Self {
        Self::made(system_clock(), |app| app.with_limits(limits)).await
    }

    /// The same with another clock.
    pub(crate) async fn with_clock(clock: Clock) -> Self {
        Self::made(clock, |app| app).await
    }

    /// The same behind a proxy.
    pub(crate) async fn behind_tls() -> Self {
        Self::made(system_clock(), App::behind_tls).await
    }

    async fn made(clock: Clock, change: impl FnOnce(App) -> App) -> Self {
        let root = TempDir::new().unwrap();
        fs::create_dir_all(root.path().join("work")).unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&root.path().join("s.db"), clock).unwrap());
        let places = Places::below(&root.path().join("signoff"));
        let key = IssuerKey::from_seed([7; 32]);
        let verifier = key.verifier();
        let gate = Gate::new(store, key, Box::new(SystemMint), Arc::new(LocalEyes::new(places)));
        let app = Arc::new(change(App::new(gate, Some(HOST.parse().unwrap()), [])));
        let (owner, agent) = (PersonId::new("olga").unwrap(), AgentId::new("claude").unwrap());
        let invitation = app.accounts().invite(&owner, Actor::Gate).await.unwrap();
        app.accounts().accept(&invitation, "correct horse").await.unwrap();
        let agent_key = app.accounts().add_agent(&agent, &owner, Actor::Gate).await.unwrap();
        let router = router(Arc::clone(&app));
        let mut place = Self { root, app, router, agent_key, login: String::new(), csrf: String::new(), verifier };
        let credentials = json!({"person": "olga", "password": "correct horse"});
        let (status, login) = place.call("POST", "/v1/login", None, Some(credentials)).await;
        assert_eq!(status, StatusCode::OK, "{login}");
        place.login = login["token"].as_str().unwrap().to_owned();
        place.csrf = login["csrf"].as_str().unwrap().to_owned();
        place
    }

    pub(crate) fn cwd(&self) -> String {
        self.root.path().join("work").to_str().unwrap().to_owned()
    }

    pub(crate) fn file(&self, name: &str, text: &str) {
        fs::write(self.root.path().join("work").join(name), text).unwrap();
    }

    /// Puts another directory with the same files into the place of the first.
    pub(crate) fn replace_directory(&self) {
        let (work, new) = (self.root.path().join("work"), self.root.path().join("new"));
        fs::create_dir(&new).unwrap();
        for entry in fs::read_dir(&work).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), new.join(entry.file_name())).unwrap();
        }
        fs::rename(&work, self.root.path().join("old")).unwrap();
        fs::rename(&new, &work).unwrap();
    }

    pub(crate) fn configure(&self, text: &str) {
        let user = self.root.path().join("signoff/user");
        fs::create_dir_all(&user).unwrap();
        fs::write(user.join("config.toml"), text).unwrap();
    }

    async fn send(&self, request: Request<Body>) -> (StatusCode, Value) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    fn request(&self, method: &str, path: &str, bearer: Option<&str>, body: Option<Value>) -> Request<Body> {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, HOST);
        if let Some(bearer) = bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {bearer}"));
        }
        request = request.header("signoff-session", "session-1");
        match body {
            Some(body) => {
                request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())).unwrap()
            }
            None => request.body(Body::empty()).unwrap(),
        }
    }

    pub(crate) async fn call(
        &self,
        method: &str,
        path: &str,
        bearer: Option<&str>,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        // A stream of events does not end by itself.
        let answer = self.send(self.request(method, path, bearer, body));
        tokio::time::timeout(Duration::from_secs(60), answer).await.unwrap()
    }

    pub(crate) async fn agent(&self, method: &str, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        self.call(method, path, Some(&self.agent_key), body).await
    }

    pub(crate) async fn person(&self, method: &str, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        self.call(method, path, Some(&self.login), body).await
    }

    pub(crate) async fn ask(&self, key: &str, command: &str) -> (StatusCode, Value) {
        let body = json!({"key": key, "operation": {"kind": "shell", "cmd": command}, "cwd": self.cwd()});
        self.agent("POST", "/v1/requests", Some(body)).await
    }

    /// The same from somewhere else: another agent, session or directory.
    /// The verdict on a command under a key that nobody has used before.
    pub(crate) async fn verdict(&self, command: &str) -> Value {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        self.ask(&format!("key {number}"), command).await.1
    }

    pub(crate) async fn ask_from(&self, from: From<'_>, key: &str, command: &str) -> Value {
        let From { agent_key, session, cwd } = from;
        let body = json!({"key": key, "operation": {"kind": "shell", "cmd": command}, "cwd": cwd});
        let mut request = self.request("POST", "/v1/requests", Some(agent_key), Some(body));
        request.headers_mut().insert("signoff-session", session.parse().unwrap());
        self.send(request).await.1
    }

    pub(crate) fn here(&self) -> (String, String) {
        (self.agent_key.clone(), self.cwd())
    }

    /// A directory beside the one where everything happens.
    pub(crate) fn elsewhere(&self) -> String {
        let path = self.root.path().join("elsewhere");
        fs::create_dir_all(&path).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Makes somebody else who can log in.
    pub(crate) async fn log_in_as(&self, name: &str) -> String {
        let person = PersonId::new(name).unwrap();
        let invitation = self.app.accounts().invite(&person, Actor::Gate).await.unwrap();
        self.app.accounts().accept(&invitation, "correct horse").await.unwrap();
        let credentials = json!({"person": name, "password": "correct horse"});
        let (_, login) = self.call("POST", "/v1/login", None, Some(credentials)).await;
        login["token"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn remove(&self, name: &str) {
        self.app.accounts().remove(&PersonId::new(name).unwrap(), Actor::Gate).await.unwrap();
    }

    /// Makes the accounts what a version has left behind that knew no roles.
    pub(crate) async fn forget_roles(&self) {
        for item in self.app.store().items("people", None, 100).await.unwrap() {
            let mut record: Value = serde_json::from_str(&item.text).unwrap();
            for field in ["role", "invited_by"] {
                record.as_object_mut().unwrap().remove(field);
            }
            self.put("people", &item.name, Some(item.text), Some(record.to_string())).await;
        }
    }

    pub(crate) async fn put(&self, shelf: &'static str, name: &str, from: Option<String>, to: Option<String>) {
        let change = Change { shelf, name: name.to_owned(), from, to, deed: None };
        assert!(self.app.store().change(vec![change]).await.unwrap());
    }

    /// Somebody's logins, as they are kept.
    pub(crate) async fn logins_of(&self, person: &str) -> Vec<(String, String)> {
        let all = self.app.store().items("logins", None, 1_000).await.unwrap().into_iter();
        all.filter(|item| item.text.contains(person)).map(|item| (item.name, item.text)).collect()
    }

    /// How many things lie on a shelf.
    /// What lies on a shelf under a name.
    pub(crate) async fn item(&self, shelf: &'static str, name: &str) -> Option<String> {
        self.app.store().item(shelf, name).await.unwrap()
    }

    pub(crate) async fn kept(&self, shelf: &'static str) -> usize {
        self.app.store().items(shelf, None, 1_000).await.unwrap().len()
    }

    /// Lets the clock of the store strike.
    pub(crate) async fn tick(&self) {
        self.app.store().tick(100).await.unwrap();
    }

    /// What the ledger says has happened, with its details.
    pub(crate) async fn deeds(&self, what: &str) -> Vec<Value> {
        let entries = self.app.store().ledger(0, 10_000).await.unwrap();
        let bodies = entries.iter().map(|entry| serde_json::from_str::<Value>(&entry.body).unwrap());
        bodies.filter(|body| body["what"] == what).collect()
    }

    pub(crate) async fn outcome(&self, id: &str) -> Value {
        self.agent("GET", &format!("/v1/requests/{id}"), None).await.1
    }

    pub(crate) async fn answer(&self, id: &str, answer: Value) -> (StatusCode, Value) {
        self.person("POST", &format!("/v1/approvals/{id}/answer"), Some(answer)).await
    }

    pub(crate) async fn answer_as(&self, login: &str, id: &str, answer: Value) -> (StatusCode, Value) {
        self.call("POST", &format!("/v1/approvals/{id}/answer"), Some(login), Some(answer)).await
    }

    /// Somebody else who has joined, by the token of their login.
    pub(crate) async fn join(&self, name: &str) -> String {
        let person = PersonId::new(name).unwrap();
        let invitation = self.app.accounts().invite(&person, Actor::Gate).await.unwrap();
        self.app.accounts().accept(&invitation, "long enough").await.unwrap();
        let credentials = json!({"person": name, "password": "long enough"});
        let (_, login) = self.call("POST", "/v1/login", None, Some(credentials)).await;
        login["token"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn redeem(&self, permit: &str, attempt: u8, around: Value) -> (StatusCode, Value) {
        let mut body = around;
        body["permit"] = json!(permit);
        body["attempt"] = json!(format!("{attempt:02x}").repeat(32));
        self.agent("POST", "/v1/permits/redeem", Some(body)).await
    }

    /// The permit for a command that a person has approved, in whatever form it was asked.
    pub(crate) async fn approved(&self, command: &str) -> String {
        let (_, verdict) = self.ask(command, command).await;
        let id = verdict["approval"].as_str().unwrap_or_else(|| panic!("{command} asks: {verdict}")).to_owned();
        self.approve(&id).await
    }

    /// The permit of a question that a person says yes to.
    pub(crate) async fn approve(&self, id: &str) -> String {
        let (_, shown) = self.person("GET", &format!("/v1/approvals/{id}"), None).await;
        let answer = match shown["form"]["kind"].as_str().unwrap() {
            "confirmation" => json!({"answer": "approve"}),
            "choice" => json!({"answer": "choose", "choice": "go-ahead"}),
            _ => json!({"answer": "input", "text": shown["form"]["text"]}),
        };
        let (status, answered) = self.answer(id, answer).await;
        assert_eq!(status, StatusCode::OK, "{answered}");
        self.outcome(id).await["permit"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn ledger_length(&self) -> u64 {
        u64::try_from(self.app.store().ledger(0, 1_000).await.unwrap().len()).unwrap()
    }

    /// Signs the ledger as it is now, and says up to which entry.
    pub(crate) async fn checkpoint(&self) -> u64 {
        let key = IssuerKey::from_seed([7; 32]);
        signoff_store::checkpoint_now(self.app.store(), &key).await.unwrap().unwrap().number
    }

    /// What a route says that does not speak JSON.
    pub(crate) async fn text(&self, path: &str, bearer: Option<&str>) -> (StatusCode, String) {
        let response = self.router.clone().oneshot(self.request("GET", path, bearer, None)).await.unwrap();
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// The same over the local socket, where everybody is an agent.
    pub(crate) async fn on_socket(&self, method: &str, path: &str, bearer: &str) -> StatusCode {
        let directory = TempDir::new().unwrap();
        let socket = directory.path().join("s");
        let listener = tokio::net::UnixListener::bind(&socket).unwrap();
        let owner = PersonId::new("olga").unwrap();
        let user = rustix::process::geteuid().as_raw();
        let allowed: signoff_server::Owners = Box::new(move |uid| (uid == user).then(|| owner.clone()));
        let serving = tokio::spawn(signoff_server::serve_socket(
            Arc::clone(&self.app),
            listener,
            allowed,
            std::future::pending(),
        ));
        let mut stream = tokio::net::UnixStream::connect(&socket).await.unwrap();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: signoff\r\nsignoff-session: s\r\nauthorization: Bearer {bearer}\r\n\
             content-length: 0\r\nconnection: close\r\n\r\n"
        );
        tokio::io::AsyncWriteExt::write_all(&mut stream, text.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut answer).await.unwrap();
        serving.abort();
        std::str::from_utf8(&answer[9..]).unwrap().parse().unwrap()
    }

    /// Asks so often on one connection of the local socket, each time by another name, and says how often that was heard.
    pub(crate) async fn heard_on_socket(&self, times: usize) -> usize {
        let directory = TempDir::new().unwrap();
        let socket = directory.path().join("s");
        let listener = tokio::net::UnixListener::bind(&socket).unwrap();
        let allowed: signoff_server::Owners = Box::new(|_| PersonId::new("olga").ok());
        let serving = signoff_server::serve_socket(Arc::clone(&self.app), listener, allowed, std::future::pending());
        let serving = tokio::spawn(serving);
        let stream = tokio::net::UnixStream::connect(&socket).await.unwrap();
        let mut stream = tokio::io::BufReader::new(stream);
        let mut heard = 0;
        for name in 0..times {
            let text = format!(
                "GET /v1/requests/none HTTP/1.1\r\nhost: signoff\r\nsignoff-session: s\r\nsignoff-agent: a{name}\r\n\r\n"
            );
            tokio::io::AsyncWriteExt::write_all(&mut stream, text.as_bytes()).await.unwrap();
            let (mut length, mut status) = (0, String::new());
            loop {
                let mut line = String::new();
                tokio::io::AsyncBufReadExt::read_line(&mut stream, &mut line).await.unwrap();
                if status.is_empty() {
                    status = line.clone();
                }
                if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
                    length = text.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            tokio::io::AsyncReadExt::read_exact(&mut stream, &mut body).await.unwrap();
            heard += usize::from(!status.contains(" 429 "));
        }
        serving.abort();
        heard
    }

    pub(crate) async fn with_header(&self, name: &'static str, value: &str) -> (StatusCode, Value) {
        let mut request = self.request("GET", "/v1/me", Some(&self.login), None);
        request.headers_mut().insert(name, value.parse().unwrap());
        self.send(request).await
    }

    pub(crate) async fn by_cookie(&self, csrf: Option<&str>) -> StatusCode {
        let mut request = self.request("POST", "/v1/agents", None, Some(json!({"agent": "codex"})));
        let cookie = format!("other=1; signoff={}", self.login);
        request.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
        if let Some(csrf) = csrf {
            request.headers_mut().insert("signoff-csrf", csrf.parse().unwrap());
        }
        self.send(request).await.0
    }

    pub(crate) async fn proved(&self, nonce: &str) -> (u16, [u8; 64], Vec<u8>) {
        let mut request = self.request("GET", "/v1/health", None, None);
        request.headers_mut().insert(NONCE, nonce.parse().unwrap());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let proof = Base64UrlUnpadded::decode_vec(response.headers()[PROOF].to_str().unwrap()).unwrap();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, proof.try_into().unwrap(), body.to_vec())
    }

    /// Serves on a port, as this place is called.
    pub(crate) async fn serve(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(signoff_server::serve_tcp(Arc::clone(&self.app), listener, std::future::pending()));
        address
    }

    /// The head of a request of the agent, with these headers as well.
    pub(crate) fn raw(&self, method: &str, path: &str, headers: &str) -> String {
        let key = &self.agent_key;
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {HOST}\r\nauthorization: Bearer {key}\r\nsignoff-session: s\r\n\
             connection: close\r\n{headers}\r\n"
        )
    }

    /// Logs somebody in who has joined with the usual password.
    pub(crate) async fn log_in(&self, name: &str) -> String {
        let credentials = json!({"person": name, "password": "correct horse"});
        let (_, login) = self.call("POST", "/v1/login", None, Some(credentials)).await;
        login["token"].as_str().unwrap().to_owned()
    }

    /// The cookie that a route sets.
    pub(crate) async fn cookie(&self, path: &str, bearer: Option<&str>, body: Option<Value>) -> String {
        let response = self.router.clone().oneshot(self.request("POST", path, bearer, body)).await.unwrap();
        response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned()
    }

    /// The events from the beginning on, or why there are none.
    pub(crate) async fn stream(&self, login: &str) -> Result<Events, StatusCode> {
        let response = self.router.clone().oneshot(self.request("GET", "/v1/events", Some(login), None)).await.unwrap();
        match response.status() {
            StatusCode::OK => Ok(Events { body: response.into_body(), heard: String::new() }),
            status => Err(status),
        }
    }

    /// The first events behind a number, with their own.
    pub(crate) async fn events(&self, after: u64, count: usize) -> Vec<(u64, String)> {
        let mut request = self.request("GET", "/v1/events", Some(&self.login), None);
        request.headers_mut().insert("last-event-id", after.to_string().parse().unwrap());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let mut body = response.into_body();
        let mut text = String::new();
        while text.matches("\n\n").count() < count {
            let frame = tokio::time::timeout(Duration::from_secs(20), body.frame()).await.unwrap();
            text.push_str(std::str::from_utf8(frame.unwrap().unwrap().data_ref().unwrap()).unwrap());
        }
        let events = text.split("\n\n").filter(|event| !event.is_empty());
        let read = |event: &str| {
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
            (field("id: ").parse().unwrap(), field("data: "))
        };
        events.map(read).collect()
    }
}

/// A stream of events.
#[derive(Debug)]
pub(crate) struct Events {
    body: Body,
    heard: String,
}

impl Events {
    /// Listens until something is heard.
    pub(crate) async fn until(&mut self, what: &str) {
        while !self.heard.contains(what) {
            assert!(self.more().await, "it ended without {what}: {}", self.heard);
        }
    }

    /// Listens until it ends, and gives all that was heard.
    pub(crate) async fn rest(mut self) -> String {
        let ended = async { while self.more().await {} };
        tokio::time::timeout(Duration::from_secs(20), ended).await.expect("it does not end");
        self.heard
    }

    async fn more(&mut self) -> bool {
        let frame = tokio::time::timeout(Duration::from_secs(20), self.body.frame()).await.expect("nothing is heard");
        let Some(frame) = frame else { return false };
        self.heard.push_str(std::str::from_utf8(frame.unwrap().data_ref().unwrap()).unwrap());
        true
    }
}
