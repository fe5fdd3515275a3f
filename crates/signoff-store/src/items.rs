//! Small things that are kept by name: what every store does with them alike.

use std::collections::BTreeMap;

use signoff_gate::{Change, StoreError};

use crate::wire;

/// No name of a thing is longer, in bytes: the index of a database has to hold it.
const NAME_AT_MOST: usize = 1_024;

/// No thing is longer, in bytes.
const TEXT_AT_MOST: usize = 256 * 1_024;

/// Where a thing is kept: its shelf, and its name there.
pub(crate) type Place = (&'static str, String);

/// What things become, by their places.
pub(crate) type Becoming = BTreeMap<Place, Option<String>>;

pub(crate) fn place_of(change: &Change) -> Place {
    (change.shelf, change.name.clone())
}

/// Whether everything that is to be kept would be read again as it is, on whichever store.
pub(crate) fn are_keepable(changes: &[Change]) -> Result<(), StoreError> {
    let refused = |why: &str| Err(StoreError::Unkeepable(why.to_owned()));
    for Change { name, to, .. } in changes {
        let text = to.as_deref().unwrap_or_default();
        if name.contains('\0') || text.contains('\0') {
            return refused("a database keeps no text with a zero byte");
        }
        if name.len() > NAME_AT_MOST {
            return refused("its name is longer than 1024 bytes");
        }
        if text.len() > TEXT_AT_MOST {
            return refused("it is longer than 256 KiB");
        }
    }
    wire::are_writable(changes.iter().filter_map(|change| change.deed.as_ref()))
}

/// What changes make of the things that they are about; none where one of those is not what its changer has seen.
pub(crate) fn changed(
    changes: &[Change],
    mut kept: impl FnMut(&Place) -> Result<Option<String>, StoreError>,
) -> Result<Option<Becoming>, StoreError> {
    let mut becoming = Becoming::new();
    for change in changes {
        let place = place_of(change);
        let found = match becoming.get(&place) {
            Some(text) => text.clone(),
            None => kept(&place)?,
        };
        if found != change.from {
            return Ok(None);
        }
        becoming.insert(place, change.to.clone());
    }
    Ok(Some(becoming))
}

/// From where on a shelf is listed. No name has a zero byte, so that whatever is behind a text with one is behind what stands
/// before it.
pub(crate) fn behind(after: &str) -> &str {
    after.split('\0').next().unwrap_or_default()
}
