//! Checkpoints of the ledger, made by the gateway while it runs.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use signoff_card::{Language, visible};
use signoff_gate::{Places, Store};
use signoff_permit::IssuerKey;
use signoff_store::{LedgerError, checkpoint_after};

use crate::output;

/// How often it is looked how long the ledger is.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// What was written is signed after this, however little it is.
const AT_LEAST_EVERY: Duration = Duration::from_secs(3_600);

/// Whoever signs what the ledger says.
pub(super) struct Sealer {
    pub(super) store: Arc<dyn Store>,
    pub(super) key: IssuerKey,
    pub(super) places: Places,
    pub(super) language: Language,
}

impl Sealer {
    /// Signs after as many entries as is configured, and at least every hour; at the beginning, too, for whatever the one
    /// before has left behind when it was killed.
    pub(super) async fn keep(&self) {
        let mut due = Instant::now();
        let mut told = None;
        loop {
            let now = Instant::now();
            let grown = if now >= due { 1 } else { self.every() };
            match checkpoint_after(&*self.store, &self.key, grown).await {
                Ok(made) => {
                    if grown == 1 || made.is_some() {
                        due = now.checked_add(AT_LEAST_EVERY).unwrap_or(now);
                    }
                    told = None;
                }
                // It is said once, and not every few seconds.
                Err(error) => {
                    let text = self.told(&error);
                    if told.as_ref() != Some(&text) {
                        output::note(&text);
                        told = Some(text);
                    }
                }
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Signs what is there, once the gateway goes.
    pub(super) async fn finish(&self) {
        if let Err(error) = checkpoint_after(&*self.store, &self.key, 1).await {
            output::note(&self.told(&error));
        }
    }

    /// Settings that cannot be read are told to whoever asks for something; the ledger is signed meanwhile.
    fn every(&self) -> u64 {
        let settings = signoff_config::load(&self.places.locations(None)).map(|settings| settings.ledger);
        u64::from(settings.unwrap_or_default().checkpoint_every.value)
    }

    fn told(&self, error: &LedgerError) -> String {
        let why = visible(&error.to_string());
        match self.language {
            Language::English => format!("warning: the ledger gets no checkpoint: {why}\n"),
            Language::Chinese => format!("警告：账本没有得到检查点：{why}\n"),
        }
    }
}
