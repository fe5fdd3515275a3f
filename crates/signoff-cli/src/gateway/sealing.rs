//! What the gateway does for its ledger while it runs: it makes checkpoints, and removes what is older than is wanted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use signoff_card::{Language, visible};
use signoff_config::LedgerSettings;
use signoff_gate::{Places, Store};
use signoff_model::Actor;
use signoff_permit::IssuerKey;
use signoff_store::{LedgerError, Prunable, checkpoint_after, prune};

use crate::output;

/// How often it is looked how long the ledger is.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// What was written is signed after this, however little it is.
const AT_LEAST_EVERY: Duration = Duration::from_secs(3_600);

/// Nothing younger goes, however much there is.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Whoever signs what the ledger says.
pub(super) struct Sealer {
    pub(super) store: Arc<dyn Store>,
    pub(super) key: IssuerKey,
    pub(super) places: Places,
    pub(super) language: Language,
}

impl Sealer {
    /// Signs after as many entries as is configured, and at least every hour; at the beginning, too, for whatever the one
    /// before has left behind when it was killed. Behind that, whatever is too old goes.
    pub(super) async fn keep(&self) {
        let mut due = Instant::now();
        let mut told = None;
        loop {
            let now = Instant::now();
            let hourly = now >= due;
            let grown = if hourly { 1 } else { u64::from(self.settings().checkpoint_every.value) };
            let kept = match checkpoint_after(&*self.store, &self.key, grown).await {
                Ok(made) => {
                    if hourly || made.is_some() {
                        due = now.checked_add(AT_LEAST_EVERY).unwrap_or(now);
                    }
                    if hourly { self.remove_old().await } else { Ok(()) }
                }
                Err(error) => Err(self.told(&error)),
            };
            // It is said once, and not every few seconds.
            if let Err(text) = &kept
                && told.as_ref() != Some(text)
            {
                output::note(text);
            }
            told = kept.err();
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Removes what is older than `ledger.retention`, and then what is more than `ledger.max_entries`, where these are set.
    async fn remove_old(&self) -> Result<(), String> {
        let LedgerSettings { retention, max_entries, .. } = self.settings();
        if let Some(retention) = retention.value {
            self.remove(retention.into()).await?;
        }
        if let Some(most) = max_entries.value {
            self.remove(Prunable { older_than: A_DAY, at_most: Some(u64::from(most)) }).await?;
        }
        Ok(())
    }

    async fn remove(&self, prunable: Prunable) -> Result<(), String> {
        let pruned = prune(&*self.store, &self.key, prunable, &Actor::Gate).await;
        pruned.map(|_| ()).map_err(|error| {
            let why = visible(&error.to_string());
            match self.language {
                Language::English => format!("warning: old entries of the ledger are not removed: {why}\n"),
                Language::Chinese => format!("警告：账本中的旧条目未被移除：{why}\n"),
            }
        })
    }

    /// Signs what is there, once the gateway goes.
    pub(super) async fn finish(&self) {
        if let Err(error) = checkpoint_after(&*self.store, &self.key, 1).await {
            output::note(&self.told(&error));
        }
    }

    /// Settings that cannot be read are told to whoever asks for something; the ledger is signed meanwhile, and nothing goes.
    fn settings(&self) -> LedgerSettings {
        signoff_config::load(&self.places.locations(None)).map(|settings| settings.ledger).unwrap_or_default()
    }

    fn told(&self, error: &LedgerError) -> String {
        let why = visible(&error.to_string());
        match self.language {
            Language::English => format!("warning: the ledger gets no checkpoint: {why}\n"),
            Language::Chinese => format!("警告：账本没有得到检查点：{why}\n"),
        }
    }
}
