//! Rules that permit: which reasons they take away, and which they cannot reach.
//!
//! A permission reaches only what it can be seen to mean: a command that stands for itself, or a whole file operation or
//! tool call. What lies outside of that, what is critical, and what is prohibited stays as it is, unless a person has named
//! the very rule that says so. Signoff's own state stays out of reach for all of them.

use std::borrow::Cow;

use signoff_model::{
    Assessment, Coverage, Effect, EffectKind, Invocation, Operation, Prohibition, Reason, Risk, RuleId, Span, Verdict,
};

use crate::{Request, Rule, Rules, Says, Voice, request::tool_name};

/// With more reasons or effects than this some may have been left out of the assessment, and nobody can say of what is not
/// there that it is permitted.
const SEEN_AT_MOST: usize = 128;

/// A part of the operation that can be permitted by itself.
struct Unit<'a> {
    span: Span,
    invocation: Option<&'a Invocation>,
}

/// The assessment without what is permitted, and who permits it.
pub(crate) fn lift<'a>(
    assessment: &'a Assessment,
    rules: &Rules,
    request: &Request<'_>,
) -> (Cow<'a, Assessment>, Vec<Voice>) {
    let untouched = (Cow::Borrowed(assessment), Vec::new());
    let too_many = assessment.reasons.len() > SEEN_AT_MOST || assessment.effects.len() > SEEN_AT_MOST;
    if assessment.prohibition == Some(Prohibition::OwnState) || assessment.risk == Risk::None || too_many {
        return untouched;
    }
    let permitted = permitted(assessment, rules, request);
    if permitted.is_empty() {
        return untouched;
    }
    let mut voices: Vec<Voice> = Vec::new();
    let mut kept: Vec<Reason> = Vec::new();
    // A reason of critical risk that no rule names by itself may be the one that prohibits.
    let mut prohibited = assessment.prohibition.is_some();
    let mut all_named = assessment.reasons.iter().any(|reason| reason.risk == Risk::Critical);
    for reason in &assessment.reasons {
        let by = permitted.iter().find(|permission| permission.reaches(reason));
        all_named &= reason.risk < Risk::Critical || by.is_some();
        match by {
            None => kept.push(reason.clone()),
            Some(permission) => {
                note(&mut voices, permission, &reason.rule);
                if !permission.takes_away() {
                    kept.push(reason.clone());
                }
            }
        }
    }
    prohibited &= !all_named;
    if prohibited {
        return (Cow::Borrowed(assessment), Vec::new());
    }
    let covered = |span: Span| span.length() > 0 && permitted.iter().any(|permission| permission.covers(span));
    let coverage = match &assessment.coverage {
        Coverage::Full => Coverage::Full,
        Coverage::Partial(gaps) => {
            let left: Vec<_> = gaps.iter().filter(|gap| !covered(gap.span)).cloned().collect();
            // A part that is unread and has no place cannot have been permitted.
            if left.is_empty() && !gaps.is_empty() { Coverage::Full } else { Coverage::Partial(left) }
        }
    };
    let risk = risk_of_the_rest(assessment, &kept, &covered);
    for permission in &permitted {
        // Also a permission that only makes a small change pass has spoken.
        if risk < assessment.risk && permission.takes_away() && voices.is_empty() {
            voices.push(permission.voice(Vec::new()));
        }
    }
    let lifted = Assessment { risk, prohibition: None, coverage, reasons: kept, ..assessment.clone() };
    (Cow::Owned(lifted), voices)
}

/// The risk of what is left. Risk that no reason explains stays, except for changes that are permitted themselves.
fn risk_of_the_rest(assessment: &Assessment, kept: &[Reason], covered: &dyn Fn(Span) -> bool) -> Risk {
    let gravest = |reasons: &[Reason]| reasons.iter().map(|reason| reason.risk).max().unwrap_or_default();
    let explained = gravest(&assessment.reasons);
    let rest = gravest(kept);
    let changes = |effect: &&Effect| {
        matches!(
            effect.kind,
            EffectKind::Create | EffectKind::Overwrite | EffectKind::Delete | EffectKind::Move | EffectKind::Permission
        )
    };
    let floor = if assessment.risk > explained.max(Risk::Low) {
        assessment.risk
    } else if assessment.effects.iter().filter(changes).any(|effect| !covered(effect.span))
        || (explained == Risk::None && assessment.effects.is_empty())
    {
        assessment.risk.min(Risk::Low)
    } else {
        Risk::None
    };
    rest.max(floor)
}

/// Adds a reason to what a rule is known to have lifted.
fn note(voices: &mut Vec<Voice>, permission: &Permission<'_>, rule: &RuleId) {
    let new = permission.voice(Vec::new());
    let same = |voice: &&mut Voice| voice.id == new.id && voice.origin == new.origin && voice.span == new.span;
    match voices.iter_mut().find(same) {
        Some(Voice { says: Says::Lifts(lifted), .. }) => {
            if !lifted.contains(rule) {
                lifted.push(rule.clone());
            }
        }
        _ => voices.push(permission.voice(vec![rule.clone()])),
    }
}

/// A rule or entry that permits a part of the operation.
struct Permission<'a> {
    span: Span,
    by: Permitter<'a>,
}

enum Permitter<'a> {
    Rule(&'a Rule),
    SafeCommand { tool: &'a str, listed: &'a crate::Listed },
}

impl Permission<'_> {
    fn covers(&self, span: Span) -> bool {
        self.takes_away() && self.span.contains(span)
    }

    /// Whether the permission is about this reason. A reason without a place is about the whole, and what is critical has to
    /// be named.
    fn reaches(&self, reason: &Reason) -> bool {
        let named = match self.by {
            Permitter::Rule(rule) => rule.lifts_by_name(reason.rule.as_str()),
            Permitter::SafeCommand { .. } => false,
        };
        let may = named || (reason.risk < Risk::Critical && self.takes_away());
        may && reason.span.length() > 0 && self.span.contains(reason.span)
    }

    /// Whether the reason goes; otherwise it stays as a question.
    fn takes_away(&self) -> bool {
        match self.by {
            Permitter::Rule(rule) => rule.verdict == Verdict::Allow,
            Permitter::SafeCommand { .. } => true,
        }
    }

    fn voice(&self, lifted: Vec<RuleId>) -> Voice {
        match self.by {
            Permitter::Rule(rule) => Voice::of(rule, Says::Lifts(lifted), Some(self.span)),
            Permitter::SafeCommand { tool, listed } => Voice::safe_command(tool, listed, lifted, self.span),
        }
    }
}

/// Every permission that fits a part of the operation.
fn permitted<'a>(assessment: &Assessment, rules: &'a Rules, request: &Request<'_>) -> Vec<Permission<'a>> {
    let tool = tool_name(request.operation);
    let lifting = rules.rules.iter().filter(|rule| match rule.verdict {
        Verdict::Allow => true,
        Verdict::Ask => !rule.lifts.is_empty(),
        Verdict::Block => false,
    });
    let mut all = Vec::new();
    let units = units(request);
    for rule in lifting {
        for unit in units.iter().filter(|unit| permits(rule, unit, assessment, &tool)) {
            all.push(Permission { span: unit.span, by: Permitter::Rule(rule) });
        }
    }
    for rules in rules.tools.iter().filter(|rules| rules.name == tool) {
        for listed in &rules.safe_commands {
            for invocation in units.iter().filter_map(|unit| unit.invocation) {
                if listed.pattern.permits(&invocation.argv) {
                    let by = Permitter::SafeCommand { tool: &rules.name, listed };
                    all.push(Permission { span: invocation.span, by });
                }
            }
        }
    }
    all
}

fn units<'a>(request: &Request<'a>) -> Vec<Unit<'a>> {
    match request.operation {
        Operation::Shell(_) => {
            let plain = request.invocations.iter().filter(|invocation| invocation.plain);
            plain.map(|invocation| Unit { span: invocation.span, invocation: Some(invocation) }).collect()
        }
        // A file operation or tool call is one thing, and its fields are what they are.
        Operation::File(_) | Operation::Tool(_) => {
            vec![Unit { span: Span::new(0, request.operation.text().len()), invocation: None }]
        }
    }
}

fn permits(rule: &Rule, unit: &Unit<'_>, assessment: &Assessment, tool: &str) -> bool {
    let conditions = &rule.conditions;
    let names_tool = conditions.tools.is_empty() || conditions.tools.iter().any(|pattern| pattern.matches(tool));
    let names_command = conditions.commands.is_empty()
        || unit
            .invocation
            .is_some_and(|invocation| conditions.commands.iter().any(|pattern| pattern.permits(&invocation.argv)));
    let about_effects = !conditions.paths.is_empty() || !conditions.effects.is_empty();
    names_tool
        && names_command
        && !conditions.is_empty()
        && (!about_effects || all_are_meant(rule, unit, &assessment.effects))
}

/// Whether everything that the part would do is of a kind and at a path that the rule names. One effect beside is enough to
/// take the permission away, and where nothing is known to happen nothing is permitted.
fn all_are_meant(rule: &Rule, unit: &Unit<'_>, effects: &[Effect]) -> bool {
    let conditions = &rule.conditions;
    let inside = |effect: &&Effect| unit.span.contains(effect.span) || effect.span.contains(unit.span);
    let mut inside = effects.iter().filter(inside).peekable();
    inside.peek().is_some()
        && inside.all(|effect| {
            (conditions.effects.is_empty() || conditions.effects.contains(&effect.kind))
                && (conditions.paths.is_empty() || conditions.paths.iter().any(|path| path.permits(&effect.target)))
        })
}
