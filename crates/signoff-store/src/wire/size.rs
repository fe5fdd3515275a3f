//! How much of something is kept. Whoever brings more is refused, before anything else is looked at: no record, and no line of
//! the ledger, is longer than a few of these.

use signoff_gate::{Event, StoreError};
use signoff_model::{Answer, Deed, Form, Modification, Report, Timestamp};

use super::{body, operation::WireOperation};

/// No question is longer as it is kept, nor are the words of an answer or a report, nor is a line of the ledger.
const AT_MOST: usize = 1_024 * 1_024;

/// Whether a text that would be kept is not too long.
pub(super) fn fits(length: usize) -> Result<(), StoreError> {
    if length <= AT_MOST { Ok(()) } else { Err(StoreError::Unkeepable("it is longer than 1 MiB".to_owned())) }
}

/// Whether what an event brings can be kept. What it adds by itself is little: time runs out on every approval that was kept.
pub(crate) fn is_bearable(event: &Event) -> Result<(), StoreError> {
    match event {
        Event::Answer { answer: Answer::Deny(words), .. } | Event::Report { report: Report::Failed(words), .. } => {
            fits(length_of(words))
        }
        Event::Withdraw { words, .. } => fits(length_of(words)),
        Event::Answer { answer: Answer::Modify(Modification { operation, form, .. }), .. } => {
            let form = match form {
                Some(Form::Input(text)) => length_of(text),
                // Each choice is one of a few words.
                Some(Form::Choice(options)) => options.len().saturating_mul(32),
                Some(Form::Confirmation) | None => 0,
            };
            fits(length_of(&WireOperation::from(operation)).saturating_add(form))
        }
        Event::Answer { answer: Answer::Approve | Answer::Choose(_) | Answer::Input(_), .. }
        | Event::Report { report: Report::Executed, .. }
        | Event::Tick
        | Event::Supersede { .. }
        | Event::Reopen { .. }
        | Event::Redeem { .. }
        | Event::Permit { .. } => Ok(()),
    }
}

/// Whether deeds from outside can be written.
pub(crate) fn are_writable<'d>(deeds: impl IntoIterator<Item = &'d Deed>) -> Result<(), StoreError> {
    deeds.into_iter().try_for_each(|deed| fits(body(deed, Timestamp::default()).len()))
}

fn length_of(text: &impl serde::Serialize) -> usize {
    serde_json::to_string(text).map_or(usize::MAX, |text| text.len())
}
