//! The form of a question. Its words are the card's: what a decision says here is what its gravest rule says, and nothing
//! where no rule speaks.

use signoff_model::{Assessment, Choice, Decision, Effect, EffectKind, Reason, Risk, Scope, WarningLevel};

use crate::Posture;

/// The longest name that a person is asked to type.
const TYPED_AT_MOST: usize = 64;

/// What to type where the target has no name that can be typed.
const FALLBACK_WORDS: &str = "go ahead";

pub(crate) fn reject(assessment: &Assessment) -> Decision {
    let suggestion = assessment.safer.first().map(|alternative| alternative.command.clone());
    Decision::Reject { reason: why(assessment), suggestion }
}

/// The question about something harmless from an agent that is not trusted.
pub(crate) fn distrust(risk: Risk) -> Decision {
    Decision::RequireConfirmation { reason: String::new(), warning_level: WarningLevel::of(risk) }
}

pub(crate) fn confirmation(assessment: &Assessment, risk: Risk) -> Decision {
    Decision::RequireConfirmation { reason: why(assessment), warning_level: WarningLevel::of(risk) }
}

/// The question about something that must not be answered by habit: a choice whose default is safe where a backup would
/// save everything, otherwise a name to type.
pub(crate) fn grave(assessment: &Assessment, posture: Posture, risk: Risk) -> Decision {
    match posture {
        Posture::Strict => typed(assessment),
        Posture::Balanced if a_backup_would_save_it(assessment) => Decision::RequireChoice {
            question: why(assessment),
            options: vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference],
            default: Choice::Cancel,
        },
        Posture::Balanced => typed(assessment),
        Posture::Permissive => confirmation(assessment, risk),
    }
}

fn typed(assessment: &Assessment) -> Decision {
    let name = name_to_type(assessment);
    Decision::RequireInput { prompt: why(assessment), placeholder: name.clone(), validation: name }
}

/// What the gravest rule says, if one speaks.
fn why(assessment: &Assessment) -> String {
    gravest(assessment).map(|reason| reason.message.clone()).unwrap_or_default()
}

/// The first of the gravest reasons.
fn gravest(assessment: &Assessment) -> Option<&Reason> {
    assessment.reasons.iter().rev().max_by_key(|reason| reason.risk)
}

/// Whether a copy taken before would save all that the operation loses. A backup that saves only a part must not be
/// offered as the way out.
fn a_backup_would_save_it(assessment: &Assessment) -> bool {
    let mut losses = assessment.effects.iter().filter(|effect| loses_something(effect.kind)).peekable();
    losses.peek().is_some() && losses.all(can_be_copied)
}

/// Whether an effect of this kind may lose something: files and history that go, and data of a database.
const fn loses_something(kind: EffectKind) -> bool {
    kind.displaces() || matches!(kind, EffectKind::DatabaseWrite | EffectKind::DatabaseSchema)
}

fn can_be_copied(effect: &Effect) -> bool {
    let is_here = match effect.scope {
        Scope::Project | Scope::Temp | Scope::Home | Scope::System | Scope::Outside => true,
        Scope::Remote | Scope::Unknown => false,
    };
    effect.target.is_file() && is_here
}

/// The name of what would be hit: the target of the effect that the gravest reason is about.
fn name_to_type(assessment: &Assessment) -> String {
    let reason = gravest(assessment);
    let hit = reason.and_then(|reason| {
        assessment.effects.iter().find(|effect| reason.span.contains(effect.span) || effect.span.contains(reason.span))
    });
    let loss = assessment.effects.iter().find(|effect| loses_something(effect.kind));
    [
        hit.map(|effect| effect.target.name()),
        loss.map(|effect| effect.target.name()),
        reason.map(|reason| reason.subject.name()),
    ]
    .into_iter()
    .flatten()
    .map(|name| name.trim().to_owned())
    .find(|name| can_be_typed(name))
    .unwrap_or_else(|| FALLBACK_WORDS.to_owned())
}

/// Whether a person can be expected to type this exactly as it stands. Nobody can type what they cannot see, and an empty
/// text would make Enter a yes.
fn can_be_typed(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= TYPED_AT_MOST
        && name.chars().all(|c| c.is_ascii_graphic() || c == ' ' || (!c.is_ascii() && c.is_alphanumeric()))
}
