//! The verdicts of the previous run, kept beside the workspace and out of version control.

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::Context;
use signoff_policy::Posture;

use super::score::Outcome;
use crate::workspace;

pub(crate) struct History {
    path: PathBuf,
    verdicts: BTreeMap<String, String>,
}

/// How a row changed since the previous run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Better,
    Worse,
    /// Another verdict of the same worth.
    Sideways,
}

impl History {
    /// The previous run under this posture; empty when there was none.
    pub(crate) fn read(posture: Posture) -> anyhow::Result<Self> {
        let path = workspace::root().join(".eval").join(format!("{posture}.json"));
        let verdicts = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| format!("{} is broken", path.display()))?,
            Err(_) => BTreeMap::new(),
        };
        Ok(Self { path, verdicts })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }

    /// The verdict of the previous run and what the change is worth, for a row whose verdict changed.
    pub(crate) fn change(&self, outcome: &Outcome) -> Option<(&str, Change)> {
        let before = self.verdicts.get(&outcome.row.id)?;
        let now = outcome.judgement.name();
        if before == now {
            return None;
        }
        let worth = |verdict: &str| {
            if verdict == outcome.row.label.name() {
                2
            } else {
                i32::from(outcome.row.accept.iter().any(|accepted| accepted.name() == verdict))
            }
        };
        let change = match worth(now).cmp(&worth(before)) {
            std::cmp::Ordering::Greater => Change::Better,
            std::cmp::Ordering::Less => Change::Worse,
            std::cmp::Ordering::Equal => Change::Sideways,
        };
        Some((before, change))
    }

    /// Takes in the verdicts of this run and keeps those of rows that were filtered out.
    pub(crate) fn remember(&mut self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            self.verdicts.insert(outcome.row.id.clone(), outcome.judgement.name().to_owned());
        }
    }

    pub(crate) fn write(&self) -> anyhow::Result<()> {
        if let Some(directory) = self.path.parent() {
            fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        }
        let text = serde_json::to_string_pretty(&self.verdicts)?;
        fs::write(&self.path, text).with_context(|| format!("cannot write {}", self.path.display()))
    }
}
