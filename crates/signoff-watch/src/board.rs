//! What is known about all agents, for whoever asks for the status.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::sleep};

use crate::{
    happening::{Remembered, Who},
    host::Host,
    state::State,
};

/// What changes within this time is written together.
const TOGETHER: Duration = Duration::from_millis(200);

/// The board.
#[derive(Default)]
pub(crate) struct Board {
    all: Mutex<BTreeMap<(Vec<String>, String), Remembered>>,
    changed: Notify,
}

impl Board {
    /// Puts up what an agent does.
    pub(crate) fn put(&self, who: &Who, state: &State, note: Option<String>) {
        let entry = Remembered {
            name: who.name.clone(),
            socket: who.socket.options(),
            pane: who.pane.to_string(),
            place: who.place.clone(),
            program: who.program.clone(),
            state: state.name().to_owned(),
            what: state.waits().map(|(what, _)| what.to_owned()),
            since: state.waits().map(|(_, since)| since),
            note,
        };
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (entry.socket.clone(), entry.pane.clone());
        if all.get(&key) != Some(&entry) {
            all.insert(key, entry);
            self.changed.notify_one();
        }
    }

    /// Takes down a pane that has gone, or in which no agent has ever been.
    pub(crate) fn take_down(&self, who: &Who) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.remove(&(who.socket.options(), who.pane.to_string())).is_some() {
            self.changed.notify_one();
        }
    }

    /// Hands over what is known, whenever that changes.
    pub(crate) async fn publish(self: Arc<Self>, host: Arc<dyn Host>) {
        loop {
            let all: Vec<Remembered> =
                self.all.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
            let host = Arc::clone(&host);
            let _ = tokio::task::spawn_blocking(move || host.remember(&all)).await;
            self.changed.notified().await;
            sleep(TOGETHER).await;
        }
    }
}
