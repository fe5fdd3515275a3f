//! Every rule keeps its word: it speaks on its own examples, is silent on those beside them, and what the analysis
//! offers instead is less risky by the same policy.

mod judging;

use std::collections::HashSet;

use judging::{decision, rules, shell};
use signoff_analysis::rule;
use signoff_model::Verdict;

#[test]
fn names_are_unique_and_texts_complete() {
    let mut seen = HashSet::new();
    for rule in rule::all() {
        assert!(seen.insert(rule.id), "`{}` stands for two rules", rule.id);
        assert!(
            rule.id.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-'),
            "{}",
            rule.id
        );
        assert_eq!(
            rule.en.contains("{}"),
            rule.zh.contains("{}"),
            "`{}`: one text names the target, the other not",
            rule.id
        );
        assert!(!rule.zh.is_ascii(), "`{}` has no Chinese text", rule.id);
        assert!(!rule.en.ends_with('.'), "`{}`: a reason is no sentence", rule.id);
    }
}

#[test]
fn every_rule_speaks_on_its_examples() {
    let mut wrong = Vec::new();
    for rule in rule::all() {
        for command in rule.speaks {
            if !rules(command).iter().any(|id| id == rule.id) {
                wrong.push(format!("`{}` is silent on {command:?}: {:?}", rule.id, rules(command)));
            }
        }
        for command in rule.silent {
            if rules(command).iter().any(|id| id == rule.id) {
                wrong.push(format!("`{}` speaks on {command:?}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_rule_has_an_example() {
    let bare: Vec<_> = rule::all().filter(|rule| rule.speaks.is_empty()).map(|rule| rule.id).collect();
    assert!(bare.is_empty(), "without an example: {bare:?}");
}

#[test]
fn what_is_offered_instead_is_less_risky() {
    let mut wrong = Vec::new();
    let mut offered = 0;
    for rule in rule::all() {
        for command in rule.speaks {
            let assessment = shell(command);
            for alternative in &assessment.safer {
                offered += 1;
                let instead = shell(&alternative.command);
                if decision(&instead).verdict() != Verdict::Allow && instead.risk >= assessment.risk {
                    wrong.push(format!(
                        "{command:?} ({}) → {:?} ({})",
                        assessment.risk, alternative.command, instead.risk
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(offered > 0, "nothing is offered at all");
}
