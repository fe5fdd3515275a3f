//! An agent that asks, waits, redeems, runs and reports, and kills itself at a point. It does not give up on a gateway that is
//! away, and whoever takes its place knows nothing but the key.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use axum::http::Method;
use serde_json::{Value, json};
use signoff_gate::{Mint as _, SystemMint};
use signoff_permit::IssuerKey;
use signoff_server::client::{CallError, Caller, Client, Gateway};

use super::{
    node::SEED,
    point::{Point, reach},
};

const GIVE_UP: Duration = Duration::from_secs(60);

pub(super) fn run(root: &Path, key: &str, nodes: &str, point: Option<Point>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let secret = fs::read_to_string(root.join("agent.key")).unwrap();
    let caller = Caller::Agent { key: secret, session: "s".to_owned() };
    let mut calls = Calls { root, nodes: nodes.split(',').collect(), caller, next: 0 };
    let ended = runtime.block_on(go(&mut calls, root, key, point));
    println!("{ended}");
}

async fn go(calls: &mut Calls<'_>, root: &Path, key: &str, point: Option<Point>) -> String {
    let directory = root.join("work");
    let command = format!("rm {key}.txt");
    let body = json!({
        "key": key, "operation": {"kind": "shell", "cmd": command}, "cwd": directory.to_str().unwrap(),
    });
    let verdict = calls.call(Method::POST, "/v1/requests", Some(&body)).await;
    let id = match &verdict {
        Ok(verdict) => verdict["approval"].as_str().unwrap_or_else(|| panic!("it asks: {verdict}")).to_owned(),
        Err(code) => return format!("ask {code}"),
    };
    reach(point, "asked");
    let permit = loop {
        match calls.call(Method::GET, &format!("/v1/requests/{id}?wait_ms=2000"), None).await {
            Err(code) => return format!("wait {code}"),
            Ok(outcome) => match outcome["outcome"].as_str().unwrap() {
                "pending" => {}
                "approved" => break outcome["permit"].as_str().unwrap().to_owned(),
                other => return other.to_owned(),
            },
        }
    };
    reach(point, "approved");
    let attempt = SystemMint.nonce().unwrap();
    let body = json!({"permit": permit, "attempt": attempt.to_string()});
    if let Err(code) = calls.call(Method::POST, "/v1/permits/redeem", Some(&body)).await {
        return code;
    }
    reach(point, "redeemed");
    let mut file = OpenOptions::new().create(true).append(true).open(root.join("executed")).unwrap();
    file.write_all(format!("{key}\n").as_bytes()).unwrap();
    reach(point, "executed");
    let body = json!({"permit": permit, "success": true});
    if let Err(code) = calls.call(Method::POST, "/v1/permits/report", Some(&body)).await {
        return format!("report {code}");
    }
    reach(point, "reported");
    "ran".to_owned()
}

/// Calls whichever node answers.
pub(super) struct Calls<'r> {
    pub(super) root: &'r Path,
    pub(super) nodes: Vec<&'r str>,
    pub(super) caller: Caller,
    pub(super) next: usize,
}

impl Calls<'_> {
    /// What a node says, or the code of what is wrong.
    pub(super) async fn call(&mut self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let begun = Instant::now();
        loop {
            let node = self.nodes[self.next % self.nodes.len()];
            let address = fs::read_to_string(self.root.join(format!("{node}.address"))).ok();
            let address: Option<SocketAddr> = address.and_then(|text| text.parse().ok());
            let answered = match address {
                None => Err(CallError::NoGateway(node.to_owned())),
                Some(address) => {
                    let key = IssuerKey::from_seed(SEED).verifier();
                    let client = Client::new(Gateway::Port(address), key, self.caller.clone());
                    client.call(method.clone(), path, body, Duration::from_secs(10)).await
                }
            };
            match answered {
                Ok(value) => return Ok(value),
                Err(CallError::Problem { code, detail, .. }) if !is_passing(&code) => {
                    return Err(if detail.is_empty() { "unnamed".to_owned() } else { code });
                }
                // A port may have been taken over by a stranger; that one proves nothing.
                Err(error) => assert!(begun.elapsed() < GIVE_UP, "{error}"),
            }
            self.next += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Whether it may be otherwise in a moment.
fn is_passing(code: &str) -> bool {
    matches!(code, "in-doubt" | "store-unavailable" | "too-many")
}
