//! Examples that rules carry: what must come out of the whole configuration. Whoever can judge a command is given, since
//! nothing here can.

use std::{collections::VecDeque, path::Path};

use serde_json::{Value, json};
use signoff_model::{Digest, Verdict};
use signoff_policy::Origin;

use crate::{
    fault::{Fault, FaultKind, Position, Words},
    settings::Settings,
};

/// A command and what must become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The rule that carries it.
    pub rule: String,
    /// The command.
    pub command: String,
    /// What must become of it.
    pub expected: Verdict,
    /// Where it stands.
    pub origin: Origin,
}

/// Judges every example, and says which of them do not come out as they should.
pub fn check_examples(settings: &Settings, judge: impl Fn(&str) -> Verdict) -> Vec<Fault> {
    let fails = |example: &Example| {
        let found = judge(&example.command);
        (found != example.expected).then(|| failure(example, found))
    };
    settings.examples.iter().filter_map(fails).collect()
}

fn failure(example: &Example, found: Verdict) -> Fault {
    let Example { rule, command, expected, origin } = example;
    let (file, line) = match &origin.place {
        Some((file, line)) => (file.as_path(), *line),
        None => (Path::new(""), 1),
    };
    Fault::new(
        FaultKind::ExampleFails,
        file,
        Words::new(
            format!("rule `{rule}` expects {expected} for `{command}`, and the verdict is {found}"),
            format!("规则 `{rule}` 期望 `{command}` 的结果为 {expected}，实际为 {found}"),
        ),
        Words::new("correct the rule or its example", "请改正该规则或其示例"),
    )
    .at(Position { line, column: 1 })
    .key(format!("policy.rule.{rule}.examples"))
}

/// Which configurations have had their examples checked, so that it is done once after each change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    digests: VecDeque<Digest>,
}

/// So many configurations are remembered; the oldest are forgotten first.
const REMEMBERED: usize = 64;

impl Checked {
    /// What stands for a configuration under a version of the program: another version may judge otherwise.
    pub fn digest(settings: &Settings, version: &str) -> Digest {
        let mut text = format!("signoff {version}\n");
        for file in &settings.files {
            text.push_str(&format!("{} {:?} {}\n", file.layer, file.standing, file.digest));
        }
        Digest::of(text.as_bytes())
    }

    /// Whether the examples of this configuration have been checked.
    pub fn covers(&self, digest: Digest) -> bool {
        self.digests.contains(&digest)
    }

    /// Remembers that they have been.
    pub fn remember(&mut self, digest: Digest) {
        self.digests.retain(|other| *other != digest);
        self.digests.push_back(digest);
        while self.digests.len() > REMEMBERED {
            self.digests.pop_front();
        }
    }

    /// As it is stored.
    pub fn to_json(&self) -> String {
        let digests: Vec<String> = self.digests.iter().map(Digest::to_string).collect();
        json!({"version": 1, "checked": digests}).to_string()
    }

    /// As it was stored. Whatever cannot be read has not been checked.
    pub fn from_json(text: &str) -> Self {
        let mut checked = Self::default();
        let stored: Value = serde_json::from_str(text).unwrap_or_default();
        if stored.get("version") != Some(&json!(1)) {
            return checked;
        }
        let digests = stored.get("checked").and_then(Value::as_array).into_iter().flatten();
        for digest in digests.filter_map(Value::as_str).filter_map(Digest::parse) {
            checked.remember(digest);
        }
        checked
    }
}
