//! Every rule keeps its word: it speaks on its own examples, is silent on those beside them, and what the analysis
//! offers instead is less risky by the same policy.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a row that cannot be read must fail the test")]

mod judging;

use std::{collections::HashSet, fs, path::Path};

use judging::{example, rules, shell};
use serde_json::Value;
use signoff_analysis::rule;
use signoff_model::Verdict;
use signoff_policy::{Context, Posture, decide};

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
    let bare: Vec<_> =
        rule::all().filter(|rule| rule.speaks.is_empty() && !rule.needs_facts).map(|rule| rule.id).collect();
    assert!(bare.is_empty(), "without an example: {bare:?}");
}

/// The shell commands of the project's own corpora.
fn corpora() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    let sets = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    sets.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            rows.filter_map(|row| row["cmd"].as_str().map(str::to_owned)).collect::<Vec<_>>()
        })
        .collect()
}

/// Alternatives that were offered when this was written; fewer mean that many offers were lost.
const OFFERED_AT_LEAST: usize = 370;

/// Commands with more than one harm, of which what is offered may leave one.
const TOGETHER: &[&str] = &[
    "git push -f origin main :old",
    "git push origin +main:prod :old",
    "git push --force --delete origin old",
    "git push -f origin main && git branch -D old",
    "git reset --hard && git push -f origin main",
    "git clean -fdx && git checkout -- . && git push -f",
    "rm -rf src && rm -rf tests/*",
    "npm publish && git push -f origin main",
    "find . -name '*.log' -delete; git push -f origin main",
    "terraform destroy -auto-approve && git push --force",
];

#[test]
fn what_is_offered_instead_is_less_risky() {
    let mut wrong = Vec::new();
    let mut offered = 0;
    let examples = rule::all().flat_map(|rule| rule.speaks).map(|command| (*command).to_owned());
    let together = TOGETHER.iter().map(|command| (*command).to_owned());
    for command in examples.chain(corpora()).chain(together) {
        let assessment = example(&command);
        for alternative in &assessment.safer {
            offered += 1;
            let instead = shell(&alternative.command);
            for posture in Posture::ALL {
                let decided = decide(&instead, &Context { posture, ..Context::default() }).verdict();
                if decided == Verdict::Block || (decided == Verdict::Ask && instead.risk >= assessment.risk) {
                    let (before, after) = (assessment.risk, instead.risk);
                    let alternative = &alternative.command;
                    wrong.push(format!("{posture:?}: {command:?} ({before}) → {alternative:?} ({after})"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(offered >= OFFERED_AT_LEAST, "only {offered} are offered");
}
