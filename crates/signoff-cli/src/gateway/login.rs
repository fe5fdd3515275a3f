//! A login of the command line. It ends with the command that needed it, also where somebody ends that with Ctrl-C: nobody
//! finds a token later that still opens something.

use std::{
    io::{Read as _, Write as _},
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::Value;
use signal_hook::{
    SigId,
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
    low_level::{emulate_default_handler, pipe, unregister},
};
use signoff_server::client::Client;

use super::runtime;

/// So long the gateway is waited for. Whoever wants to go goes then.
const LOGGED_OUT_WITHIN: Duration = Duration::from_secs(2);

/// What ends a command from outside, if anybody is asked. Whoever is killed leaves a login behind, which ends by itself.
const ENDS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// As long as this is there, somebody is logged in.
pub(super) struct Login {
    client: Client,
    signals: Vec<SigId>,
    listens: Option<UnixStream>,
}

impl Login {
    /// The login of whoever calls.
    pub(super) fn of(client: Client) -> Self {
        let mut login = Self { client, signals: Vec::new(), listens: None };
        // Where nobody can listen for signals, the login still ends with the command.
        let _ = login.listen();
        login
    }

    fn listen(&mut self) -> std::io::Result<()> {
        let (mut hears, told) = UnixStream::pair()?;
        self.listens = Some(hears.try_clone()?);
        let which = Arc::new(AtomicUsize::new(0));
        for signal in ENDS {
            let number = usize::try_from(signal).unwrap_or_default();
            self.signals.push(flag::register_usize(signal, Arc::clone(&which), number)?);
            self.signals.push(pipe::register(signal, told.try_clone()?)?);
        }
        let client = self.client.clone();
        let wait = move || {
            if !matches!(hears.read(&mut [0]), Ok(1)) {
                return;
            }
            log_out(&client);
            let _ = std::io::stderr().write_all(b"\n");
            let signal = i32::try_from(which.load(Ordering::SeqCst)).unwrap_or(SIGINT);
            let _ = emulate_default_handler(signal);
        };
        thread::Builder::new().name("signoff-login".to_owned()).spawn(wait).map(drop)
    }
}

impl Drop for Login {
    fn drop(&mut self) {
        for signal in self.signals.drain(..) {
            unregister(signal);
        }
        // The thread that listens goes.
        if let Some(listens) = &self.listens {
            let _ = listens.shutdown(Shutdown::Both);
        }
        log_out(&self.client);
    }
}

/// A gateway that is away has nobody to log out; the login then ends by itself.
fn log_out(client: &Client) {
    if let Ok(runtime) = runtime() {
        let asked = client.call::<Value>(http::Method::POST, "/v1/logout", None, LOGGED_OUT_WITHIN);
        let _ = runtime.block_on(asked);
    }
}
