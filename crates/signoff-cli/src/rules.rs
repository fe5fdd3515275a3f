//! `signoff rules`: what the analysis can say.

use serde::Serialize;
use signoff_analysis::rule::{self, Priority, Rule};
use signoff_card::{Language, risk_name, rule_text, terminal, visible};
use signoff_model::{Prohibition, Risk};

use crate::{
    arguments::RulesArguments,
    failure::Failure,
    judge::language,
    output::{self, Output},
};

#[derive(Serialize)]
struct WireRule {
    id: &'static str,
    kind: &'static str,
    risk: &'static str,
    reversible: &'static str,
    priority: &'static str,
    prohibited: Option<&'static str>,
    en: &'static str,
    zh: &'static str,
    speaks: &'static [&'static str],
    silent: &'static [&'static str],
}

pub(crate) fn run(arguments: &RulesArguments, output: &mut Output) -> Result<(), Failure> {
    let rules: Vec<&Rule> = match &arguments.id {
        None => rule::all().collect(),
        Some(id) => vec![rule::find(id).ok_or_else(|| {
            let id = visible(id);
            Failure::usage(format!("there is no rule `{id}`"), format!("没有规则 `{id}`"))
                .hint("signoff rules lists them all", "signoff rules 列出全部规则")
        })?],
    };
    if arguments.json {
        let wire: Vec<WireRule> = rules.iter().map(|rule| wire(rule)).collect();
        let text = serde_json::to_string(&wire).map_err(|error| Failure::write(&error.into()))?;
        return output.text(&format!("{text}\n"));
    }
    let language = language(arguments.lang);
    // Whatever else reads the list reads it line by line.
    let columns = output::terminal_columns();
    let widest = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        let text = rule_text(rule, language).replace("{}", "…");
        let (priority, risk) = (priority(rule.priority), risk(rule.risk, language));
        output.text(&listed(&format!("{:<widest$}  {priority}  {risk}  ", rule.id), &text, columns))?;
        if arguments.id.is_some() {
            let [speaks, silent] = match language {
                Language::English => ["speaks on", "silent on"],
                Language::Chinese => ["会指出", "不涉及"],
            };
            examples(speaks, rule.speaks, output)?;
            examples(silent, rule.silent, output)?;
        }
    }
    Ok(())
}

/// A line of the list, broken where the terminal ends and indented to what it belongs to.
fn listed(head: &str, text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return format!("{head}{text}\n") };
    // Only the risk may be in another script, where a character takes two columns.
    let indent = head.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
    let lines = terminal::wrap(text, columns.saturating_sub(indent));
    format!("{head}{}\n", lines.join(&format!("\n{}", " ".repeat(indent))))
}

fn examples(label: &str, commands: &[&str], output: &mut Output) -> Result<(), Failure> {
    for command in commands {
        output.text(&format!("  {label}  {}\n", visible(command)))?;
    }
    Ok(())
}

/// The name of a risk, as wide as the widest.
fn risk(risk: Risk, language: Language) -> String {
    let name = risk_name(risk, language);
    match language {
        Language::English => format!("{name:<8}"),
        // Every character takes two columns.
        Language::Chinese => format!("{name}{}", "  ".repeat(2_usize.saturating_sub(name.chars().count()))),
    }
}

const fn priority(priority: Priority) -> &'static str {
    match priority {
        Priority::P0 => "P0",
        Priority::P1 => "P1",
        Priority::P2 => "P2",
    }
}

fn wire(rule: &Rule) -> WireRule {
    WireRule {
        id: rule.id,
        kind: rule.kind.name(),
        risk: rule.risk.name(),
        reversible: rule.reversible.name(),
        priority: priority(rule.priority),
        prohibited: rule.prohibition.map(|prohibition| match prohibition {
            Prohibition::Absurd => "absurd",
            Prohibition::OwnState => "own-state",
        }),
        en: rule.en,
        zh: rule.zh,
        speaks: rule.speaks,
        silent: rule.silent,
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_rule_is_broken_where_the_terminal_ends() {
        assert_eq!(
            listed("id  P0  ", "deletes the whole file system", None),
            "id  P0  deletes the whole file system\n"
        );
        let broken = "id  P0  deletes the\n        whole file\n        system\n";
        assert_eq!(listed("id  P0  ", "deletes the whole file system", Some(20)), broken);
        assert_eq!(listed("id  低  ", "删除整个文件系统", Some(16)), "id  低  删除整个\n        文件系统\n");
    }
}
