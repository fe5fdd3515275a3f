//! What all routes share.

use std::{collections::HashSet, net::SocketAddr, sync::Arc, time::Instant};

use signoff_gate::{Gate, Store};

use crate::{Accounts, tries::Tries};

/// The gate with what the routes need beside it.
pub struct App {
    pub(crate) gate: Gate,
    /// The names under which this server is called. Anything else is a page that was led here by a name of its own.
    pub(crate) hosts: HashSet<String>,
    pub(crate) log_ins: Tries,
    pub(crate) requests: Tries,
    pub(crate) started: Instant,
}

pub(crate) type Shared = Arc<App>;

/// So many times a minute somebody may try to log in under one name.
const LOG_INS_A_MINUTE: u32 = 10;
/// So many times a minute one agent may ask for something. Whoever is in a loop is told so.
const REQUESTS_A_MINUTE: u32 = 6_000;

impl App {
    /// An app that answers under the names of an address, and under these.
    pub fn new(gate: Gate, address: Option<SocketAddr>, names: impl IntoIterator<Item = String>) -> Self {
        let mut hosts: HashSet<String> = names.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        if let Some(address) = address {
            let port = address.port();
            hosts.extend([address.to_string(), format!("localhost:{port}")]);
            if address.ip().is_loopback() {
                hosts.extend([format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
            }
        }
        Self {
            gate,
            hosts,
            log_ins: Tries::new(LOG_INS_A_MINUTE),
            requests: Tries::new(REQUESTS_A_MINUTE),
            started: Instant::now(),
        }
    }

    /// Whatever keeps approvals and accounts.
    pub fn store(&self) -> &dyn Store {
        self.gate.store()
    }

    /// The accounts of people and agents.
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts::new(self.gate.store())
    }
}
