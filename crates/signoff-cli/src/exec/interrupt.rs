//! Ctrl-C while a question is open: it is taken back before this process ends, so that nobody answers for nobody.

use std::{
    io::{Read as _, Write as _},
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use signal_hook::{
    SigId,
    consts::SIGINT,
    low_level::{emulate_default_handler, pipe, unregister},
};
use signoff_gate::Places;

use super::elsewhere::own_session;
use crate::{failure::Failure, gateway::Calls};

/// So long the gateway is waited for. Whoever wants to go goes then.
const TAKEN_BACK_WITHIN: Duration = Duration::from_secs(2);

/// As long as this is there, Ctrl-C takes a question back. A process that is ended otherwise leaves it open: whoever comes back
/// finds the answer under its id.
pub(super) struct TakesBack {
    signal: SigId,
    ends: UnixStream,
}

impl TakesBack {
    pub(super) fn on_interrupt(
        places: &Places,
        (agent, session): (&str, Option<&str>),
        id: &str,
    ) -> Result<Self, Failure> {
        let unheard = |error: std::io::Error| Failure::read(&error);
        let (mut hears, told) = UnixStream::pair().map_err(unheard)?;
        let ends = hears.try_clone().map_err(unheard)?;
        let calls = Calls::local(places, agent, &session.map_or_else(own_session, str::to_owned))?;
        let path = format!("/v1/requests/{id}/withdraw");
        let signal = pipe::register(SIGINT, told).map_err(unheard)?;
        let wait = move || {
            if !matches!(hears.read(&mut [0]), Ok(1)) {
                return;
            }
            let (done, heard) = mpsc::channel();
            thread::spawn(move || {
                let _ = calls.post::<Value>(&path, &json!({"words": "interrupted at the terminal"}));
                let _ = done.send(());
            });
            let _ = heard.recv_timeout(TAKEN_BACK_WITHIN);
            let _ = std::io::stderr().write_all(b"\n");
            let _ = emulate_default_handler(SIGINT);
        };
        let spawned = thread::Builder::new().name("signoff-interrupt".to_owned()).spawn(wait);
        spawned.map_err(unheard)?;
        Ok(Self { signal, ends })
    }
}

impl Drop for TakesBack {
    fn drop(&mut self) {
        unregister(self.signal);
        // The thread that listens goes.
        let _ = self.ends.shutdown(Shutdown::Both);
    }
}
