//! A delegation as it is stored.

use serde::{Deserialize, Serialize};
use signoff_gate::StoreError;
use signoff_model::{Delegation, PersonId, Timestamp};

use super::{Unreadable, approval::WireAnswerer, missing, wrong};

const VERSION: u8 = 1;

/// The stored text of a delegation, once it is certain that it would be read again as it is.
pub(crate) fn kept_delegation(delegation: &Delegation) -> Result<String, StoreError> {
    let Delegation { by, to, at, until } = delegation;
    let wire = WireDelegation { v: VERSION, by: by.into(), to: to.to_string(), at: at.millis(), until: until.millis() };
    let text = serde_json::to_string(&wire).unwrap_or_default();
    match read_delegation(&text) {
        Ok(again) if again == *delegation => Ok(text),
        Ok(_) => Err(StoreError::Unkeepable("it would be read again as something else".to_owned())),
        Err(why) => Err(StoreError::Unkeepable(why.0)),
    }
}

/// The delegation of a stored text.
pub(crate) fn read_delegation(text: &str) -> Result<Delegation, Unreadable> {
    let WireDelegation { v, by, to, at, until } = serde_json::from_str(text)?;
    if v != VERSION {
        return Err(missing("v"));
    }
    Ok(Delegation {
        by: by.try_into()?,
        to: PersonId::new(to).map_err(wrong("to"))?,
        at: Timestamp::from_millis(at),
        until: Timestamp::from_millis(until),
    })
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireDelegation {
    v: u8,
    by: WireAnswerer,
    to: String,
    at: i64,
    until: i64,
}
