//! An order as it is stored.

use serde::{Deserialize, Serialize};
use signoff_gate::{Order, StoreError};
use signoff_model::{PersonId, Timestamp};

use super::{Unreadable, missing, wrong};

const VERSION: u8 = 1;

/// The stored text of an order, once it is certain that it would be read again as it is.
pub(crate) fn kept_order(order: &Order) -> Result<String, StoreError> {
    let Order { by, until } = order;
    let wire = WireOrder { v: VERSION, by: by.to_string(), until: until.map(Timestamp::millis) };
    let text = serde_json::to_string(&wire).unwrap_or_default();
    match read_order(&text) {
        Ok(again) if again == *order => Ok(text),
        Ok(_) => Err(StoreError::Unkeepable("it would be read again as something else".to_owned())),
        Err(why) => Err(StoreError::Unkeepable(why.0)),
    }
}

/// The order of a stored text.
pub(crate) fn read_order(text: &str) -> Result<Order, Unreadable> {
    if !text.starts_with('{') {
        return before_versions(text).ok_or_else(|| missing("order"));
    }
    let WireOrder { v, by, until } = serde_json::from_str(text)?;
    if v != VERSION {
        return Err(missing("v"));
    }
    Ok(Order { by: PersonId::new(by).map_err(wrong("by"))?, until: until.map(Timestamp::from_millis) })
}

/// The first form: until when, where nought is no end, and who, who may have spaces in their name.
fn before_versions(text: &str) -> Option<Order> {
    let (until, by) = text.split_once(' ')?;
    let until = until.parse().ok().map(Timestamp::from_millis)?;
    Some(Order { by: PersonId::new(by).ok()?, until: (until.millis() != 0).then_some(until) })
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WireOrder {
    v: u8,
    by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}
