//! From an operation to what becomes of it: what it would do, looked at in the world, under the policy that counts there.

mod binding;
mod policies;

use std::{
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::Arc,
};

pub use binding::Surroundings;
pub use policies::{Policies, Policy};
use signoff_analysis::facts::{Facts, NoFacts, Whereabouts};
use signoff_config::{Fault, Notice};
use signoff_facts::{Evidence, LocalFacts, WhereaboutsError, WitnessedFacts};
use signoff_model::{Assessment, Operation, Sight, Stock, Verdict};
use signoff_policy::{Judgement, Posture};

use crate::{Places, trusting::Scores};

/// How to judge.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What is looked at.
    pub sight: Sight,
    /// Another posture than the configured one, for who only wants to know.
    pub posture: Option<Posture>,
    /// What was asked for, in the user's words.
    pub intent: Option<String>,
    /// The home of whoever would run it, where that is not the user of this process.
    pub home: Option<PathBuf>,
    /// How far whoever asks is trusted, by project.
    pub scores: Scores,
}

/// An operation with what it would do and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The operation.
    pub operation: Operation,
    /// What it would do.
    pub assessment: Assessment,
    /// What becomes of it.
    pub judgement: Judgement,
}

impl Judged {
    /// Which rules have spoken, by their stable ids.
    pub fn rules(&self) -> Vec<String> {
        self.assessment.reasons.iter().map(|reason| reason.rule.as_str().to_owned()).collect()
    }
}

/// An operation that is to run, judged by a fresh look, with everything that the judgement rests on.
pub struct Look {
    /// The operation with what becomes of it.
    pub judged: Judged,
    /// What was seen.
    pub evidence: Evidence,
    /// Where it would run.
    pub whereabouts: Whereabouts,
    /// The policy that it was judged by.
    pub policy: Arc<Policy>,
}

/// Why nothing could be judged. None of these is a yes.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// A file of settings cannot be read or understood.
    #[error("{}", .0.told().english)]
    Configuration(Fault),
    /// The working directory is none.
    #[error(transparent)]
    Whereabouts(#[from] WhereaboutsError),
    /// The working directory is not named.
    #[error("the working directory has no name")]
    NoDirectory,
    /// A defect in Signoff itself.
    #[error("Signoff itself failed: this is a defect")]
    Defect,
}

impl From<Fault> for JudgeError {
    fn from(fault: Fault) -> Self {
        Self::Configuration(fault)
    }
}

/// Somebody who is told how far the counting of what would be lost is.
pub type Progress<'a> = &'a mut dyn FnMut(&Stock);

/// Judges operations.
pub struct Judge<'p> {
    terms: Terms,
    policies: Policies<'p>,
}

impl<'p> Judge<'p> {
    /// A judge who reads the settings at these places.
    pub fn new(terms: Terms, places: &'p Places) -> Self {
        Self { terms, policies: Policies::new(places) }
    }

    /// The same for who must not stop working while a file of settings is broken.
    #[must_use]
    pub fn going_on_strictly(self) -> Self {
        Self { policies: self.policies.going_on_strictly(), ..self }
    }

    /// The policies that were met so far.
    pub fn policies(&self) -> &Policies<'p> {
        &self.policies
    }

    /// What does not count in the files that were read since somebody asked last.
    pub fn notices(&self) -> Vec<Notice> {
        self.policies.notices()
    }

    /// Where an operation would run.
    ///
    /// # Errors
    ///
    /// When there is no such directory.
    pub fn whereabouts(&self, cwd: &Path) -> Result<Whereabouts, JudgeError> {
        if cwd.as_os_str().is_empty() {
            return Err(JudgeError::NoDirectory);
        }
        match self.terms.sight {
            Sight::TextAlone => Ok(Whereabouts::assumed_in(&cwd.to_string_lossy())),
            Sight::Local => Ok(match &self.terms.home {
                Some(home) => signoff_facts::whereabouts_of(cwd, home)?,
                None => signoff_facts::whereabouts(cwd)?,
            }),
        }
    }

    /// Judges an operation that nobody runs on this word.
    ///
    /// # Errors
    ///
    /// When there is no policy to judge by, or Signoff itself fails.
    pub fn judge(&self, operation: Operation, at: &Whereabouts, told: Progress<'_>) -> Result<Judged, JudgeError> {
        let local = LocalFacts::default();
        let facts: &dyn Facts = match self.terms.sight {
            Sight::Local => &local,
            Sight::TextAlone => &NoFacts,
        };
        let policy = self.policy_at(at)?;
        self.judge_by(operation, at, (facts, &local), &policy, told)
    }

    /// Judges an operation that is to run in a directory, and remembers what the judgement rests on. Nothing is taken over
    /// from an earlier look: a file of settings may have been tightened meanwhile, and another directory may stand in this
    /// place.
    ///
    /// # Errors
    ///
    /// When there is no such directory, no policy to judge by, or Signoff itself fails.
    pub fn look(&self, operation: Operation, cwd: &Path, told: Progress<'_>) -> Result<Look, JudgeError> {
        self.policies.forget();
        let facts = WitnessedFacts::default();
        let whereabouts = self.whereabouts(cwd)?;
        let policy = self.policy_at(&whereabouts)?;
        let seen: &dyn Facts = match self.terms.sight {
            Sight::Local => {
                facts.stand_on(&whereabouts.cwd);
                &facts
            }
            Sight::TextAlone => &NoFacts,
        };
        let mut judged = self.judge_by(operation, &whereabouts, (seen, facts.local()), &policy, told)?;
        if self.terms.sight == Sight::Local {
            facts.witness_arrivals(&judged.assessment.rewrites);
        }
        judged.judgement = judged.judgement.before_running(&judged.assessment);
        Ok(Look { judged, evidence: facts.evidence(), whereabouts, policy })
    }

    /// The policy that counts in a place. A project of which only the text is known has no file to read.
    fn policy_at(&self, at: &Whereabouts) -> Result<Arc<Policy>, JudgeError> {
        let project = match self.terms.sight {
            Sight::Local => Some(Path::new(&at.project)),
            Sight::TextAlone => None,
        };
        Ok(self.policies.of(project)?)
    }

    fn judge_by(
        &self,
        operation: Operation,
        at: &Whereabouts,
        (facts, local): (&dyn Facts, &LocalFacts),
        policy: &Policy,
        told: Progress<'_>,
    ) -> Result<Judged, JudgeError> {
        // A defect is a failure like any other: nothing that the work could leave half done is used afterwards.
        let judged = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut assessment = signoff_analysis::assess(&operation, at, facts);
            if let Some(intent) = &self.terms.intent {
                signoff_analysis::intent::heed(intent, &mut assessment);
            }
            let keys = &policy.settings.trust;
            let trust = self.terms.scores.of(&at.project, keys.initial.value, keys.paranoid_mode.value);
            let mut judgement = policy.judge(&operation, &assessment, self.terms.posture, trust);
            if judgement.decision.verdict() == Verdict::Ask && self.terms.sight == Sight::Local {
                assessment.preview = local.preview(&assessment, at, told);
                judgement = judgement.with_preview(&assessment);
            }
            (assessment, judgement)
        }));
        let (assessment, judgement) = judged.map_err(|_| JudgeError::Defect)?;
        Ok(Judged { operation, assessment, judgement })
    }
}
