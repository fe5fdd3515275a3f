//! Rules that ask or block: whether they speak, and how sure that is.

use serde_json::Value;
use signoff_model::{Assessment, Effect, Operation, Span, Verdict};

use crate::{
    Conditions, Layer, Origin, Request, Rules, Says, ToolRules, Voice,
    command_pattern::{End, Match},
    request::{names_of, tool_name},
};

/// Every configured rule that asks or blocks here.
pub(crate) fn voices(assessment: &Assessment, rules: &Rules, request: &Request<'_>) -> Vec<Voice> {
    let names = names_of(&tool_name(request.operation));
    let mut voices = Vec::new();
    let raising = rules.rules.iter().filter(|rule| rule.verdict > Verdict::Allow);
    for rule in raising {
        let (found, span) = speaks(&rule.conditions, assessment, request, &names);
        let says = match found {
            Match::No => continue,
            Match::Possible => Says::MayRaise(rule.verdict),
            Match::Yes => Says::Raises(rule.verdict),
        };
        voices.push(Voice::of(rule, says, span));
    }
    for tool in rules.tools.iter().filter(|tool| is_named(&tool.name, &names)) {
        // What is built in is about tools that others bring along; what a file operation does is known better than its name.
        let is_meant =
            |origin: &&Origin| origin.layer != Layer::Default || matches!(request.operation, Operation::Tool(_));
        if let Some(origin) = tool.always_confirm.as_ref().filter(is_meant) {
            voices.push(Voice::always_confirm(&tool.name, origin));
        }
        voices.extend(dangerous(tool, request));
    }
    voices
}

fn is_named(name: &str, names: &[String]) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    names.contains(&name)
}

/// Whether the conditions hold somewhere in the operation, and where.
fn speaks(
    conditions: &Conditions,
    assessment: &Assessment,
    request: &Request<'_>,
    names: &[String],
) -> (Match, Option<Span>) {
    if conditions.is_empty() {
        return (Match::No, None);
    }
    let called = |name: &String| conditions.tools.iter().any(|tool| tool.matches(name));
    let as_written = tool_name(request.operation).into_owned();
    if !conditions.tools.is_empty() && !called(&as_written) && !names.iter().any(called) {
        return (Match::No, None);
    }
    let about_effects = !conditions.paths.is_empty() || !conditions.effects.is_empty();
    if conditions.commands.is_empty() {
        return if about_effects { among(conditions, &assessment.effects, None) } else { (Match::Yes, None) };
    }
    let mut best = (Match::No, None);
    for invocation in request.invocations {
        let command = conditions.commands.iter().map(|pattern| pattern.matches(&invocation.argv, End::AsWritten));
        let command = command.max().unwrap_or(Match::No);
        let effect = if command != Match::No && about_effects {
            among(conditions, &assessment.effects, Some(invocation.span)).0
        } else {
            Match::Yes
        };
        let found = command.min(effect);
        if found > best.0 {
            best = (found, Some(invocation.span));
        }
    }
    best
}

/// Whether one of the effects, in a part of the text where one is given, is of a kind and at a path that the conditions
/// name.
fn among(conditions: &Conditions, effects: &[Effect], within: Option<Span>) -> (Match, Option<Span>) {
    let mut best = (Match::No, None);
    for effect in effects {
        let elsewhere = within.is_some_and(|span| !span.contains(effect.span) && !effect.span.contains(span));
        if elsewhere || (!conditions.effects.is_empty() && !conditions.effects.contains(&effect.kind)) {
            continue;
        }
        let paths = conditions.paths.iter().map(|pattern| pattern.means(effect.kind, &effect.target)).max();
        let found = paths.unwrap_or(Match::Yes);
        if found > best.0 {
            best = (found, Some(effect.span));
        }
    }
    best
}

/// The patterns of a tool that its owner calls dangerous. They are open at their end: `rm -rf` means whatever is removed.
fn dangerous<'a>(tool: &'a ToolRules, request: &'a Request<'_>) -> impl Iterator<Item = Voice> + 'a {
    tool.dangerous_patterns.iter().filter_map(move |listed| {
        let in_commands = request
            .invocations
            .iter()
            .map(|invocation| (listed.pattern.matches(&invocation.argv, End::Open), Some(invocation.span)))
            .max_by_key(|(found, _)| *found)
            .unwrap_or((Match::No, None));
        let found = match request.operation {
            Operation::Tool(call) if in_arguments(&call.args, listed, ARGUMENT_DEPTH) => (Match::Yes, None),
            Operation::Tool(_) | Operation::Shell(_) | Operation::File(_) => in_commands,
        };
        let says = match found.0 {
            Match::No => return None,
            Match::Possible => Says::MayRaise(Verdict::Ask),
            Match::Yes => Says::Raises(Verdict::Ask),
        };
        Some(Voice::dangerous_pattern(&tool.name, listed, says, found.1))
    })
}

/// How deep arguments are looked into; what nests deeper than this counts as a hit.
const ARGUMENT_DEPTH: usize = 32;

fn in_arguments(value: &Value, listed: &crate::Listed, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    match value {
        Value::String(text) => listed.pattern.occurs_in(text),
        Value::Array(values) => values.iter().any(|value| in_arguments(value, listed, depth)),
        Value::Object(fields) => fields.values().any(|value| in_arguments(value, listed, depth)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
