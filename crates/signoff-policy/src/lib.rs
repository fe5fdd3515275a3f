//! From what an operation would do to what becomes of it.
//!
//! The way in is an [`Assessment`] and a [`Context`], the way out a [`Decision`]. Everything is a value: nothing here
//! looks at the world, asks the time or reads a file, so that the same input always gets the same answer.

mod context;
mod question;
mod table;

pub use context::{Context, GrantMatch, Posture};

use signoff_model::{Assessment, Coverage, Decision, Risk, Trust};
use table::Step;

/// What becomes of an operation.
///
/// The order of the steps is the order of the laws: a prohibition beats everything, distrust beats every permission,
/// a human's grant beats the table, and the table speaks last.
pub fn decide(assessment: &Assessment, context: &Context) -> Decision {
    if let Some(prohibition) = assessment.prohibition {
        return question::reject(assessment, prohibition);
    }
    let risk = effective_risk(assessment);
    let distrusted = context.trust <= Trust::PARANOID;
    if !distrusted && context.grant.is_some_and(|grant| grant.lifts(risk)) {
        return Decision::ExecuteDirectly;
    }
    match table::step(risk, context, assessment) {
        Step::Allow if distrusted => question::distrust(risk),
        Step::Allow => Decision::ExecuteDirectly,
        Step::Ask => question::confirmation(assessment, risk),
        Step::AskGravely => question::grave(assessment, context.posture, risk),
    }
}

/// The risk that counts: never below any single reason, and at least medium where a part stayed unread. The analysis
/// already sees to both; the policy does not rely on it.
fn effective_risk(assessment: &Assessment) -> Risk {
    let floor = match assessment.coverage {
        Coverage::Full => Risk::None,
        Coverage::Partial(_) => Risk::Medium,
    };
    assessment.reasons.iter().map(|reason| reason.risk).fold(assessment.risk.max(floor), Risk::max)
}

#[cfg(test)]
mod tests;
