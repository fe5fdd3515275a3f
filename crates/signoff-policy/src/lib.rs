//! From what an operation would do to what becomes of it.
//!
//! The way in is an [`Assessment`] and a [`Context`], the way out a [`Decision`]. Everything is a value: nothing here
//! looks at the world, asks the time or reads a file, so that the same input always gets the same answer. [`decide`] knows
//! the built-in table alone, [`judge`] hears the configured [`Rules`] as well.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod command_pattern;
mod context;
mod granting;
mod judge;
mod lifting;
mod origin;
mod path_pattern;
mod question;
mod raising;
mod request;
mod rules;
mod table;

pub use command_pattern::{CommandPattern, PatternError, WordPattern};
pub use context::{Context, GrantMatch, Posture, Thresholds};
pub use granting::{GrantPattern, RUNS_ANYTHING, Ungrantable};
pub use judge::{Judgement, Says, Voice, judge};
pub use origin::{Layer, Origin};
pub use path_pattern::PathPattern;
pub use request::{Request, tool_name};
pub use rules::{Conditions, Confirmation, Listed, Priority, Provenance, Rule, Rules, ToolRules};

use signoff_model::{Assessment, Decision};
use table::Step;

/// What becomes of an operation.
///
/// The order of the steps is the order of the laws: a prohibition beats everything, distrust beats every permission,
/// a human's grant beats the table, and the table speaks last.
pub fn decide(assessment: &Assessment, context: &Context) -> Decision {
    if assessment.prohibition.is_some() {
        return question::reject(assessment);
    }
    let risk = assessment.effective_risk();
    let distrusted = context.trust <= context.thresholds.paranoid_mode;
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

#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod tests;
