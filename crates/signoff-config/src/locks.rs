//! What a layer may not loosen, and why.

use signoff_policy::{Layer, Origin};

use crate::settings::{Standing, Valued};

/// Why a value may not be loosened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The file is a project's, and nobody has trusted it.
    Untrusted,
    /// The administrator has locked the key, in this line.
    Locked(Origin),
}

/// The keys that the administrator has locked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locks {
    locked: Vec<Valued<String>>,
}

impl Locks {
    pub(crate) fn add(&mut self, locked: Vec<Valued<String>>) {
        self.locked.extend(locked);
    }

    /// Why a layer may not loosen a key, if it may not.
    pub(crate) fn forbid(&self, layer: Layer, standing: Standing, key: &str) -> Option<Why> {
        let locked = || {
            let covers = |lock: &&Valued<String>| {
                key == lock.value || key.strip_prefix(lock.value.as_str()).is_some_and(|rest| rest.starts_with('.'))
            };
            self.locked.iter().find(covers).map(|lock| Why::Locked(lock.origin.clone()))
        };
        match (layer, standing) {
            (Layer::Project, Standing::Untrusted) => Some(Why::Untrusted),
            (Layer::Project, Standing::Trusted) | (Layer::User, _) => locked(),
            (Layer::Administrator | Layer::Default, _) => None,
        }
    }
}
