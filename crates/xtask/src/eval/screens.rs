//! Scores what is read on screens: what waits, about what, and which keys answer it.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use signoff_analysis::screen::{self, Agent, Reading, Subject, View, WaitingFor};

use super::{
    Options,
    corpus::{json_lines, lines, stem},
    report::shortened,
};

#[derive(Deserialize)]
struct Row {
    id: String,
    screen: String,
    label: String,
    accept: Vec<String>,
    agent: Option<String>,
    command: Option<String>,
    yes: Option<String>,
    no: Option<String>,
    #[serde(default)]
    why: String,
}

/// What a screen was read as, in the words of the corpus.
struct Found {
    kind: &'static str,
    agent: Option<String>,
    command: Option<String>,
    yes: Option<String>,
    no: Option<String>,
    held: bool,
}

#[derive(Default)]
struct Counts {
    rows: usize,
    strict: usize,
    right: usize,
    false_prompts: usize,
    prompts: usize,
    commands: usize,
    keys: usize,
    agents: usize,
    held: usize,
}

/// Reads every row of the sets of screens and prints what is wrong. Whether all of them were right.
pub(crate) fn run(corpora: &Path, options: &Options) -> anyhow::Result<bool> {
    let mut counts = Counts::default();
    for path in json_lines(corpora)?.into_iter().filter(|path| stem(path).starts_with("screens")) {
        if options.set.as_ref().is_some_and(|wanted| !stem(&path).contains(wanted.as_str())) {
            continue;
        }
        for (number, line) in lines(&path)?.iter().enumerate() {
            let row: Row = serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), number + 1))?;
            counts.count(&row, options);
        }
    }
    if counts.rows > 0 {
        counts.print();
    }
    Ok(counts.is_all_right())
}

fn found(text: &str) -> Found {
    let nothing = |kind| Found { kind, agent: None, command: None, yes: None, no: None, held: false };
    match screen::read(&View::of(text)) {
        Reading::Nothing => nothing("not_prompt"),
        Reading::Other(waiting) if waiting.what == WaitingFor::Page => nothing("not_prompt"),
        Reading::Other(waiting) => Found { agent: waiting.program, ..nothing("other_prompt") },
        Reading::Prompt(prompt) => match prompt.subject {
            Subject::Menu => nothing("not_prompt"),
            Subject::Question(_) => nothing("other_prompt"),
            _ => Found {
                kind: "prompt",
                agent: prompt.agent.map(|agent| Agent::name(agent).to_owned()),
                command: Some(prompt.subject.to_string()),
                yes: prompt.yes.as_ref().map(ToString::to_string),
                no: prompt.no.as_ref().map(ToString::to_string),
                held: prompt.may_be_answered().is_none(),
            },
        },
    }
}

impl Counts {
    fn count(&mut self, row: &Row, options: &Options) {
        let found = found(&row.screen);
        let right = row.accept.iter().any(|kind| kind == found.kind);
        let (command, keys) = (found.command == row.command, found.yes == row.yes && found.no == row.no);
        self.rows += 1;
        self.strict += usize::from(found.kind == row.label);
        self.right += usize::from(right);
        self.false_prompts += usize::from(found.kind == "prompt" && !right);
        let is_prompt = row.label == "prompt";
        if is_prompt {
            self.prompts += 1;
            self.commands += usize::from(command);
            self.keys += usize::from(keys);
            self.agents += usize::from(found.agent == row.agent);
            self.held += usize::from(found.held);
        }
        let wrong = !right || is_prompt && !(command && keys);
        if options.quiet || !(wrong || options.all) {
            return;
        }
        println!(
            "{} {}: {} for {} ({})",
            if wrong { "WRONG" } else { "right" },
            row.id,
            found.kind,
            row.label,
            row.why
        );
        for (name, found, wanted) in
            [("command", &found.command, &row.command), ("yes", &found.yes, &row.yes), ("no", &found.no, &row.no)]
        {
            if is_prompt && found != wanted {
                let shown = |text: &Option<String>| shortened(text.as_deref().unwrap_or("–"));
                println!("    {name}: {} for {}", shown(found), shown(wanted));
            }
        }
    }

    fn print(&self) {
        let Self { rows, strict, right, false_prompts, prompts, commands, keys, agents, held } = self;
        println!("screens: {right} of {rows} right ({strict} strictly), {false_prompts} false prompts");
        println!(
            "of {prompts} prompts: {commands} commands, {keys} pairs of keys and {agents} agents right; {held} held for people\n"
        );
    }

    const fn is_all_right(&self) -> bool {
        self.right == self.rows && self.commands == self.prompts && self.keys == self.prompts
    }
}
