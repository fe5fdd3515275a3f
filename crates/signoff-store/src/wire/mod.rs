//! The stored form of approvals, grants, delegations, orders, scores and the ledger's entries: JSON with a version. These types are apart from those of the
//! model, so that what is on a disk does not change when a word of the program does.

mod approval;
mod deed;
mod delegation;
#[cfg(test)]
mod golden;
mod grant;
mod operation;
mod order;
mod shown;
mod size;
mod terms;
mod trust;

pub(crate) use approval::{read, write};
pub use deed::{Doer, Told, told};
pub(crate) use deed::{body, subject};
pub(crate) use delegation::{kept_delegation, read_delegation};
pub(crate) use grant::{kept_grant, read_grant};
pub(crate) use order::{kept_order, read_order};
pub(crate) use size::{are_writable, is_bearable};
pub(crate) use trust::{kept_trust, read_trust};

use signoff_gate::StoreError;
use signoff_model::{Approval, Stage};

/// The stored text of a question that is new, once it is certain that it would be read again as it is.
pub(crate) fn kept_new(approval: &Approval) -> Result<String, StoreError> {
    let text = approval::write(approval);
    is_same(read(&text), approval)?;
    size::fits(text.len())?;
    Ok(text)
}

/// The stored text of an approval that was read and has got another stage. All the rest has been read again before as it is.
pub(crate) fn kept(approval: &Approval) -> Result<String, StoreError> {
    is_keepable(&approval.stage)?;
    Ok(approval::write(approval))
}

/// Whether a stage would be read again as it is.
pub(crate) fn is_keepable(stage: &Stage) -> Result<(), StoreError> {
    is_same(approval::again(stage), stage)
}

fn is_same<T: PartialEq>(read: Result<T, Unreadable>, meant: &T) -> Result<(), StoreError> {
    match read {
        Ok(again) if again == *meant => Ok(()),
        Ok(_) => Err(StoreError::Unkeepable("it would be read again as something else".to_owned())),
        Err(why) => Err(StoreError::Unkeepable(why.0)),
    }
}

/// Why a stored text is none of ours.
#[derive(Debug)]
pub(crate) struct Unreadable(pub(crate) String);

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// Says which field holds something that it cannot hold.
fn wrong<T>(field: &'static str) -> impl FnOnce(T) -> Unreadable {
    move |_| Unreadable(format!("`{field}` is not what it has to be"))
}

fn missing(field: &'static str) -> Unreadable {
    Unreadable(format!("`{field}` is not what it has to be"))
}
