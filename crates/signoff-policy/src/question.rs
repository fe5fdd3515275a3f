//! The form of a question. Its words are the card's: what a decision says here is what its gravest rule says, and nothing
//! where no rule speaks.

use signoff_model::{Assessment, Choice, Decision, Effect, EffectKind, Reason, Risk, Scope, Target, WarningLevel};

use crate::Posture;

/// The longest name that a person is asked to type.
const TYPED_AT_MOST: usize = 64;

/// What to type where an assessment names nothing at all.
const FALLBACK_WORDS: &str = "go ahead";

/// Verbs behind which stands what is lost.
const TAKES_AWAY: &[&str] = &[
    "delete",
    "deletion",
    "destroy",
    "rm",
    "rb",
    "rmi",
    "remove",
    "drop",
    "purge",
    "wipe",
    "erase",
    "nuke",
    "reset",
    "terminate",
    "prune",
    "uninstall",
    "undefine",
    "unregistervm",
    "unpublish",
    "truncate",
    "flush",
    "clear",
    "clean",
    "kill",
    "down",
    "archive",
    "yank",
];

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

pub(crate) fn typed(assessment: &Assessment) -> Decision {
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

/// The name of what would be hit: the target of the effect that the gravest reason is about. Where it has none that can be
/// typed, what is done has to be typed instead; nobody is asked for words that would fit anything.
fn name_to_type(assessment: &Assessment) -> String {
    let reason = gravest(assessment);
    let hit = reason.and_then(|reason| {
        let touches = |effect: &&Effect| reason.span.contains(effect.span) || effect.span.contains(reason.span);
        let mut touched = assessment.effects.iter().filter(touches);
        touched.clone().find(|effect| effect.target.subject() == reason.subject).or_else(|| touched.next())
    });
    let loss = assessment.effects.iter().find(|effect| loses_something(effect.kind));
    let targets = [hit, loss].into_iter().flatten().map(|effect| &effect.target);
    let subject = reason.map(|reason| Target::Named(reason.subject.name().into_owned()));
    let all: Vec<&Target> = targets.chain(subject.as_ref()).collect();
    let names = all.iter().flat_map(|target| names_of(target));
    let acts = all.iter().filter_map(|target| act_in(&target.name()));
    let rule = reason.map(|reason| reason.rule.as_str().to_owned());
    let kind = assessment.effects.first().map(|effect| effect.kind.name().to_owned());
    let first =
        names.chain(acts).chain(rule).chain(kind).map(|name| name.trim().to_owned()).find(|name| can_be_typed(name));
    first.unwrap_or_else(|| FALLBACK_WORDS.to_owned())
}

/// The names of a target, best first: what a command takes away, the target as it is called, the end of a path.
fn names_of(target: &Target) -> Vec<String> {
    let whole = target.name().into_owned();
    match target {
        Target::Named(phrase) => object_in(phrase).into_iter().chain([whole]).collect(),
        Target::Path(path) => {
            let end = path.trim_end_matches('/').rsplit('/').next().map(str::to_owned);
            [whole].into_iter().chain(end).collect()
        }
        Target::Matches(_)
        | Target::Listed { .. }
        | Target::Ref { .. }
        | Target::DefaultRemote
        | Target::Unresolved(_)
        | Target::Unread(_)
        | Target::Sent { .. } => vec![whole],
    }
}

/// What the command in a phrase takes away, if the phrase is one: the words behind its first verb that says so, without
/// options and settings. `kubectl delete ns prod` is about `ns prod`, and `terraform destroy` says nothing more.
fn object_in(phrase: &str) -> Option<String> {
    let mut words = phrase.split(' ');
    // A statement names the table in front of what goes from it.
    if words.next()?.eq_ignore_ascii_case("alter") {
        return words.nth(1).map(str::to_owned);
    }
    words.by_ref().find(|word| takes_away(word))?;
    let plain = words.filter(|word| !word.starts_with('-') && !word.contains('=') && can_be_typed(word));
    let object = plain.collect::<Vec<_>>().join(" ");
    (!object.is_empty()).then_some(object)
}

/// What the command in a phrase does, without what it does it to.
fn act_in(phrase: &str) -> Option<String> {
    let plain = |word: &&str| !word.starts_with('-') && !word.contains(['=', '$', '*']) && can_be_typed(word);
    let mut act: Vec<&str> = Vec::new();
    for word in phrase.split(' ').take_while(plain) {
        act.push(word);
        if act.len() > 1 && takes_away(word) {
            break;
        }
    }
    (!act.is_empty()).then(|| act.join(" "))
}

fn takes_away(word: &str) -> bool {
    word.split(['-', ':', '.', '_']).any(|part| TAKES_AWAY.iter().any(|verb| part.eq_ignore_ascii_case(verb)))
}

/// Whether a person can be expected to type this exactly as it stands. Nobody can type what they cannot see, an empty text
/// would make Enter a yes, and a sign or two, such as `.` or `/`, are typed without a thought.
fn can_be_typed(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric)
        && name.chars().count() <= TYPED_AT_MOST
        && name.chars().all(|c| c.is_ascii_graphic() || c == ' ' || (!c.is_ascii() && c.is_alphanumeric()))
}
