//! One judgement, with its time, and with a crash caught.

use std::{
    panic::{self, AssertUnwindSafe},
    time::{Duration, Instant},
};

use signoff_analysis::facts::{NoFacts, Whereabouts};
use signoff_model::{Assessment, Operation, Verdict};
use signoff_policy::{Context, Posture};

pub(crate) struct Judgement {
    /// None when the analysis crashed.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) assessment: Assessment,
    pub(crate) took: Duration,
}

impl Judgement {
    pub(crate) fn name(&self) -> &'static str {
        self.verdict.map_or("CRASH", Verdict::name)
    }

    /// The names of the rules that spoke, gravest first.
    pub(crate) fn rules(&self) -> Vec<&str> {
        let mut rules = Vec::new();
        for reason in &self.assessment.reasons {
            let rule = reason.rule.as_str();
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }
}

/// Keeps caught crashes from writing over the report.
pub(crate) fn silence_panics() {
    panic::set_hook(Box::new(|_| {}));
}

pub(crate) fn judge(operation: &Operation, posture: Posture) -> Judgement {
    let context = Context { posture, ..Context::default() };
    let started = Instant::now();
    let judged = panic::catch_unwind(AssertUnwindSafe(|| {
        let assessment = signoff_analysis::assess(operation, &Whereabouts::assumed(), &NoFacts);
        let verdict = signoff_policy::decide(&assessment, &context).verdict();
        (assessment, verdict)
    }));
    let took = started.elapsed();
    match judged {
        Ok((assessment, verdict)) => Judgement { verdict: Some(verdict), assessment, took },
        Err(_) => Judgement { verdict: None, assessment: Assessment::default(), took },
    }
}
