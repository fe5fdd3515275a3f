//! The posture table: total over risk and posture, without a catch-all arm, so that a new level cannot slip through.

use signoff_model::{Assessment, Coverage, Reversible, Risk};

use crate::{Context, Posture};

/// What the table says about one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Let it run.
    Allow,
    /// Ask yes or no.
    Ask,
    /// Ask in a form that cannot be answered by habit.
    AskGravely,
}

pub(crate) fn step(risk: Risk, context: &Context, assessment: &Assessment) -> Step {
    match (risk, context.posture) {
        (Risk::None, Posture::Strict | Posture::Balanced | Posture::Permissive)
        | (Risk::Low, Posture::Balanced | Posture::Permissive) => Step::Allow,
        (Risk::Low, Posture::Strict) => {
            if context.trust >= context.thresholds.low_risk_auto_approve {
                Step::Allow
            } else {
                Step::Ask
            }
        }
        (Risk::Medium, Posture::Permissive) => {
            if can_be_restored(assessment) {
                Step::Allow
            } else {
                Step::Ask
            }
        }
        (Risk::Medium, Posture::Strict | Posture::Balanced)
        | (Risk::High, Posture::Strict | Posture::Balanced | Posture::Permissive)
        | (Risk::Critical, Posture::Permissive) => Step::Ask,
        (Risk::Critical, Posture::Strict | Posture::Balanced) => Step::AskGravely,
    }
}

/// Whether everything that the operation changes is known and could be brought back. An operation without any known
/// change proves nothing, since something made it risky.
fn can_be_restored(assessment: &Assessment) -> bool {
    let mut changes = assessment.effects.iter().filter(|effect| !effect.kind.only_looks()).peekable();
    assessment.coverage == Coverage::Full
        && changes.peek().is_some()
        && changes.all(|effect| match effect.reversible {
            Reversible::Yes | Reversible::WithGit | Reversible::WithBackup => true,
            Reversible::No | Reversible::Unknown => false,
        })
}
