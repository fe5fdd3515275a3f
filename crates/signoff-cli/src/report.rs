//! What callers get: the JSON form of a judgement. These types are the wire's and nobody else's.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use signoff_analysis::rule;
use signoff_card::{Language, rule_message, visible};
use signoff_model::{Coverage, Decision, Effect, Reason, Span, Target};

use crate::{failure::Failure, judge::Judged};

#[derive(Serialize)]
pub(crate) struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    verdict: &'static str,
    decision: WireDecision<'a>,
    risk: &'static str,
    reasons: Vec<WireReason<'a>>,
    effects: Vec<WireEffect<'a>>,
    coverage: WireCoverage,
    safer: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireDecision<'a> {
    ExecuteDirectly,
    RequireConfirmation { reason: &'a str, warning_level: &'static str },
    RequireChoice { question: &'a str, options: Vec<&'static str>, default: &'static str },
    RequireInput { prompt: &'a str, placeholder: &'a str, validation: &'a str },
    Reject { reason: &'a str, suggestion: Option<&'a str> },
}

#[derive(Serialize)]
struct WireReason<'a> {
    rule: &'a str,
    message: String,
    span: [usize; 2],
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
struct WireGap {
    kind: &'static str,
    what: String,
    span: [usize; 2],
}

/// The answer to a line that could not be judged.
#[derive(Serialize)]
pub(crate) struct ErrorReport<'a> {
    id: &'a Value,
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
        Self {
            id: None,
            verdict: judged.decision.verdict().name(),
            decision: decision(&judged.decision),
            risk: assessment.effective_risk().name(),
            reasons: assessment.reasons.iter().map(|reason| wire_reason(reason, language)).collect(),
            effects: assessment.effects.iter().map(effect).collect(),
            coverage: coverage(&assessment.coverage),
            safer: assessment.safer.iter().map(|safer| safer.command.as_str()).collect(),
            intent,
        }
    }

    pub(crate) const fn answering(mut self, id: &'a Value) -> Self {
        self.id = Some(id);
        self
    }

    /// The report as a line of JSON.
    pub(crate) fn line(&self) -> String {
        line(self)
    }
}

impl<'a> ErrorReport<'a> {
    pub(crate) fn new(id: &'a Value, number: usize, failure: &'a Failure) -> Self {
        Self { id, error: WireError { line: number, message: &failure.message, hint: failure.hint.as_deref() } }
    }

    /// The report as a line of JSON.
    pub(crate) fn line(&self) -> String {
        line(self)
    }
}

fn line(value: &impl Serialize) -> String {
    // Nothing here can fail to become JSON: there are no maps with odd keys and no numbers that are not finite.
    let mut line =
        serde_json::to_string(value).unwrap_or_else(|error| format!(r#"{{"error":{{"message":"{error}"}}}}"#));
    line.push('\n');
    line
}

const fn pair(span: Span) -> [usize; 2] {
    [span.start, span.end]
}

fn decision(decision: &Decision) -> WireDecision<'_> {
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
        Decision::Reject { reason, suggestion } => WireDecision::Reject { reason, suggestion: suggestion.as_deref() },
    }
}

fn wire_reason(reason: &Reason, language: Language) -> WireReason<'_> {
    let message = match rule::find(reason.rule.as_str()) {
        Some(rule) if language != Language::English => rule_message(rule, &reason.subject, language),
        Some(_) | None => visible(&reason.message),
    };
    WireReason { rule: reason.rule.as_str(), message, span: pair(reason.span) }
}

fn effect(effect: &Effect) -> WireEffect<'_> {
    WireEffect {
        kind: effect.kind.name(),
        target: target(&effect.target),
        scope: effect.scope.name(),
        reversible: effect.reversible.name(),
        span: pair(effect.span),
    }
}

fn target(target: &Target) -> WireTarget<'_> {
    match target {
        Target::Path(name) => WireTarget::Path { name },
        Target::Matches(name) => WireTarget::Matches { name },
        Target::Listed { by, under } => WireTarget::Listed { by, under },
        Target::Ref { name, remote } => WireTarget::Ref { name: name.name(), remote: remote.as_deref() },
        Target::Named(_) | Target::DefaultRemote | Target::Unread(_) => WireTarget::Named { name: target.name() },
        Target::Unresolved(name) => WireTarget::Unresolved { name },
    }
}

fn coverage(coverage: &Coverage) -> WireCoverage {
    match coverage {
        Coverage::Full => WireCoverage::Full,
        Coverage::Partial(gaps) => WireCoverage::Partial {
            unread: gaps
                .iter()
                .map(|gap| WireGap { kind: gap.what.kind(), what: gap.what.to_string(), span: pair(gap.span) })
                .collect(),
        },
    }
}
