//! What callers get: the JSON form of a judgement. These types are the wire's and nobody else's.

use std::borrow::Cow;

use serde::Serialize;
use signoff_card::{Language, in_words, reason_message, subject_name, unread_name, voice_message};
use signoff_model::{
    Assessment, Basis, Change, Comparison, Coverage, Decision, Difference, Effect, LineEnd, Loss, Operation, Preview,
    Reason, Refs, RuleId, Span, Tally, Target, ThingKind,
};
use signoff_policy::{Says, Voice};

use crate::{failure::Failure, judge::Judged, request::Id};

#[derive(Serialize)]
pub(crate) struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    verdict: &'static str,
    decision: WireDecision,
    risk: &'static str,
    reasons: Vec<WireReason<'a>>,
    effects: Vec<WireEffect<'a>>,
    coverage: WireCoverage,
    safer: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    permitted: Vec<WirePermission<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<WirePreview<'a>>,
    /// What the spans count in, where that is not what the caller sent: the words of a file operation or a tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireDecision {
    ExecuteDirectly,
    RequireConfirmation { reason: String, warning_level: &'static str },
    RequireChoice { question: String, options: Vec<&'static str>, default: &'static str },
    RequireInput { prompt: String, placeholder: String, validation: String },
    Reject { reason: String, suggestion: Option<String> },
}

#[derive(Serialize)]
struct WireReason<'a> {
    rule: &'a str,
    message: String,
    span: [usize; 2],
    /// The line that a configured rule stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
}

/// Something that the user's configuration permits beforehand.
#[derive(Serialize)]
struct WirePermission<'a> {
    rule: &'a str,
    message: String,
    origin: String,
    lifts: Vec<&'a str>,
}

#[derive(Serialize)]
struct WireEffect<'a> {
    kind: &'static str,
    target: WireTarget<'a>,
    scope: &'static str,
    reversible: &'static str,
    span: [usize; 2],
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireTarget<'a> {
    Path { name: &'a str },
    Matches { name: &'a str },
    Listed { by: &'a str, under: &'a str },
    Ref { name: Cow<'a, str>, remote: Option<&'a str> },
    Named { name: Cow<'a, str> },
    Unresolved { name: &'a str },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireCoverage {
    Full,
    Partial { unread: Vec<WireGap> },
}

#[derive(Serialize)]
struct WirePreview<'a> {
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    losses: Vec<WireLoss<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<WireChange<'a>>,
}

/// How a file would differ from what it is.
#[derive(Serialize)]
struct WireChange<'a> {
    path: &'a str,
    comparison: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<u64>,
    /// A unified diff, as `patch` reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct WireLoss<'a> {
    path: &'a str,
    kind: &'static str,
    directories: u64,
    git: WireTally,
    rebuilt: WireTally,
    /// What stays under another name.
    linked: WireTally,
    lost: WireTally,
    /// The files that are lost, by their paths below this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost_files: Vec<WireFile<'a>>,
    complete: bool,
}

#[derive(Serialize)]
struct WireFile<'a> {
    path: &'a str,
    bytes: u64,
}

#[derive(Serialize)]
struct WireTally {
    files: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct WireGap {
    kind: &'static str,
    what: String,
    span: [usize; 2],
}

/// The answer to a line that could not be judged.
#[derive(Serialize)]
pub(crate) struct ErrorReport<'a> {
    id: &'a Id,
    error: WireError<'a>,
}

#[derive(Serialize)]
struct WireError<'a> {
    line: usize,
    message: &'a str,
    hint: Option<&'a str>,
}

impl<'a> Report<'a> {
    /// The messages are English unless another language was asked for by name: the locale of a terminal must not change
    /// what a script reads.
    pub(crate) fn new(judged: &'a Judged, asked: Option<Language>, intent: Option<&'a str>) -> Self {
        let language = asked.unwrap_or_default();
        let assessment = &judged.assessment;
        let voices = &judged.judgement.voices;
        let whole = Span::new(0, judged.operation.text().len());
        let raising = voices.iter().filter_map(|voice| wire_voice(voice, whole, language));
        Self {
            id: None,
            verdict: judged.judgement.decision.verdict().name(),
            decision: decision(in_words(&judged.judgement, assessment, &judged.operation.text(), language)),
            risk: assessment.effective_risk().name(),
            reasons: raising
                .chain(assessment.reasons.iter().map(|reason| wire_reason(reason, assessment, language)))
                .collect(),
            effects: assessment.effects.iter().map(|effect| wire_effect(effect, language)).collect(),
            coverage: coverage(&assessment.coverage, language),
            safer: assessment.safer.iter().map(|safer| safer.command.as_str()).collect(),
            permitted: voices.iter().filter_map(|voice| wire_permission(voice, language)).collect(),
            preview: assessment.preview.as_ref().map(wire_preview),
            text: match &judged.operation {
                Operation::Shell(_) => None,
                Operation::File(_) | Operation::Tool(_) => Some(judged.operation.text().into_owned()),
            },
            intent,
        }
    }

    pub(crate) const fn answering(mut self, id: &'a Id) -> Self {
        self.id = Some(id);
        self
    }

    /// The report as a line of JSON.
    pub(crate) fn line(&self) -> String {
        line(self)
    }
}

impl<'a> ErrorReport<'a> {
    pub(crate) fn new(id: &'a Id, number: usize, failure: &'a Failure, asked: Option<Language>) -> Self {
        let language = asked.unwrap_or_default();
        let hint = failure.hint.as_ref().map(|hint| hint.told(language));
        Self { id, error: WireError { line: number, message: failure.message.told(language), hint } }
    }

    /// The report as a line of JSON.
    pub(crate) fn line(&self) -> String {
        line(self)
    }
}

pub(crate) fn line(value: &impl Serialize) -> String {
    // Nothing here can fail to become JSON: there are no maps with odd keys and no numbers that are not finite.
    let mut line =
        serde_json::to_string(value).unwrap_or_else(|error| format!(r#"{{"error":{{"message":"{error}"}}}}"#));
    line.push('\n');
    line
}

fn wire_preview(preview: &Preview) -> WirePreview<'_> {
    WirePreview {
        complete: preview.complete,
        losses: preview.losses.iter().map(wire_loss).collect(),
        changes: preview.changes.iter().map(wire_change).collect(),
    }
}

fn wire_change(change: &Change) -> WireChange<'_> {
    let difference = match &change.comparison {
        Comparison::Lines(difference) => Some(difference),
        Comparison::Same
        | Comparison::Binary
        | Comparison::TooLarge
        | Comparison::Unreadable
        | Comparison::Secret
        | Comparison::TooMany => None,
    };
    WireChange {
        path: &change.path,
        comparison: change.comparison.name(),
        against: difference.map(|difference| match difference.basis {
            Basis::File => "file",
            Basis::Nothing => "nothing",
            Basis::Part { .. } => "part",
        }),
        added: difference.map(|difference| difference.added),
        removed: difference.map(|difference| difference.removed),
        diff: difference.map(|difference| unified(&change.path, difference)),
    }
}

/// A difference as the text that `diff -u` writes and `patch` reads.
fn unified(path: &str, difference: &Difference) -> String {
    let old = if difference.basis == Basis::Nothing { "/dev/null" } else { path };
    let mut text = format!("--- {old}\n+++ {path}\n");
    for hunk in &difference.hunks {
        let (old, new) = hunk.counts();
        // Where there is no line, the one before it is named.
        let start = |start: u64, count: u64| if count == 0 { start.saturating_sub(1) } else { start };
        text.push_str(&format!("@@ -{},{old} +{},{new} @@\n", start(hunk.old_start, old), start(hunk.new_start, new)));
        for line in &hunk.lines {
            text.push(line.side.sign());
            text.push_str(&line.text);
            text.push('\n');
            if line.end == LineEnd::Text {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}

fn wire_loss(loss: &Loss) -> WireLoss<'_> {
    let tally = |tally: Tally| WireTally { files: tally.files, bytes: tally.bytes };
    WireLoss {
        path: &loss.path,
        kind: match loss.kind {
            ThingKind::File => "file",
            ThingKind::Directory => "directory",
            ThingKind::Link => "link",
            ThingKind::Special => "special",
        },
        directories: loss.stock.directories,
        git: tally(loss.stock.git),
        rebuilt: tally(loss.stock.rebuilt),
        linked: tally(loss.stock.linked),
        lost: tally(loss.stock.lost),
        lost_files: match loss.kind {
            ThingKind::Directory => {
                loss.lost.iter().map(|file| WireFile { path: &file.below, bytes: file.bytes }).collect()
            }
            ThingKind::File | ThingKind::Link | ThingKind::Special => Vec::new(),
        },
        complete: loss.complete,
    }
}

const fn pair(span: Span) -> [usize; 2] {
    [span.start, span.end]
}

fn decision(decision: Decision) -> WireDecision {
    match decision {
        Decision::ExecuteDirectly => WireDecision::ExecuteDirectly,
        Decision::RequireConfirmation { reason, warning_level } => {
            WireDecision::RequireConfirmation { reason, warning_level: warning_level.name() }
        }
        Decision::RequireChoice { question, options, default } => WireDecision::RequireChoice {
            question,
            options: options.iter().map(|option| option.name()).collect(),
            default: default.name(),
        },
        Decision::RequireInput { prompt, placeholder, validation } => {
            WireDecision::RequireInput { prompt, placeholder, validation }
        }
        Decision::Reject { reason, suggestion } => WireDecision::Reject { reason, suggestion },
    }
}

fn wire_reason<'a>(reason: &'a Reason, assessment: &Assessment, language: Language) -> WireReason<'a> {
    let message = reason_message(reason, assessment, language);
    WireReason { rule: reason.rule.as_str(), message, span: pair(reason.span), origin: None }
}

/// A configured rule that asks or blocks, beside the built-in ones.
fn wire_voice(voice: &Voice, whole: Span, language: Language) -> Option<WireReason<'_>> {
    match voice.says {
        Says::Raises(_) | Says::MayRaise(_) => Some(WireReason {
            rule: &voice.id,
            message: voice_message(voice, language),
            span: pair(voice.span.unwrap_or(whole)),
            origin: Some(voice.origin.to_string()),
        }),
        Says::Lifts(_) | Says::WaivesQuestions => None,
    }
}

fn wire_permission(voice: &Voice, language: Language) -> Option<WirePermission<'_>> {
    let lifts = match &voice.says {
        Says::Lifts(rules) => rules.iter().map(RuleId::as_str).collect(),
        Says::WaivesQuestions => Vec::new(),
        Says::Raises(_) | Says::MayRaise(_) => return None,
    };
    let message = voice_message(voice, language);
    Some(WirePermission { rule: &voice.id, message, origin: voice.origin.to_string(), lifts })
}

fn wire_effect(effect: &Effect, language: Language) -> WireEffect<'_> {
    WireEffect {
        kind: effect.kind.name(),
        target: target(&effect.target, language),
        scope: effect.scope.name(),
        reversible: effect.reversible.name(),
        span: pair(effect.span),
    }
}

/// Names are those of the machine, exactly as they are; what has no name of its own is told in words.
fn target(target: &Target, language: Language) -> WireTarget<'_> {
    let in_words = || subject_name(&target.subject(), language).into();
    match target {
        Target::Path(name) => WireTarget::Path { name },
        Target::Matches(name) => WireTarget::Matches { name },
        Target::Listed { by, under } => WireTarget::Listed { by, under },
        Target::Ref { name: Refs::Named(name), remote } => {
            WireTarget::Ref { name: name.into(), remote: remote.as_deref() }
        }
        Target::Ref { remote, .. } => WireTarget::Ref { name: in_words(), remote: remote.as_deref() },
        Target::Named(name) => WireTarget::Named { name: name.into() },
        Target::DefaultRemote | Target::Unread(_) | Target::Sent { .. } => WireTarget::Named { name: in_words() },
        Target::Unresolved(name) => WireTarget::Unresolved { name },
    }
}

fn coverage(coverage: &Coverage, language: Language) -> WireCoverage {
    match coverage {
        Coverage::Full => WireCoverage::Full,
        Coverage::Partial(gaps) => WireCoverage::Partial {
            unread: gaps
                .iter()
                .map(|gap| WireGap {
                    kind: gap.what.kind(),
                    what: unread_name(&gap.what, language),
                    span: pair(gap.span),
                })
                .collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use signoff_analysis::{
        facts::{NoFacts, Whereabouts},
        rule,
    };
    use signoff_card::{Language, in_words, visible};
    use signoff_model::{Decision, Dialect, Operation, ShellCommand, Target};
    use signoff_policy::{Context, Posture};

    fn text(decision: &Decision) -> &str {
        match decision {
            Decision::ExecuteDirectly => "",
            Decision::RequireConfirmation { reason, .. } | Decision::Reject { reason, .. } => reason,
            Decision::RequireChoice { question, .. } => question,
            Decision::RequireInput { prompt, .. } => prompt,
        }
    }

    /// The card finds the reason of a question by itself; it must be the one that the policy decided by.
    #[test]
    fn the_words_of_a_question_are_those_of_the_decision() {
        let mut compared = 0;
        for command in rule::all().flat_map(|rule| rule.speaks) {
            let operation =
                Operation::Shell(ShellCommand { command: (*command).to_owned(), dialect: Dialect::default() });
            let assessment = signoff_analysis::assess(&operation, &Whereabouts::assumed(), &NoFacts);
            // What a program lists is told in better words, and a change that no rule speaks about is named.
            let is_listed = assessment.effects.iter().any(|effect| matches!(effect.target, Target::Listed { .. }));
            if is_listed || assessment.reasons.is_empty() {
                continue;
            }
            for posture in Posture::ALL {
                let decision = signoff_policy::decide(&assessment, &Context { posture, ..Context::default() });
                let told = in_words(&decision.clone().into(), &assessment, command, Language::English);
                // What to type stands behind the reason.
                let said = match &told {
                    Decision::RequireInput { prompt, .. } => prompt.split("; type `").next().unwrap_or(prompt),
                    told => text(told),
                };
                assert_eq!(said, visible(text(&decision)), "{posture:?} {command}");
                compared += 1;
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
