//! The configuration that counts for an operation: loaded once for each project and each look, and its examples checked.

use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use signoff_analysis::{
    facts::{NoFacts, Whereabouts},
    rule,
};
use signoff_config::{Checked, Fault, Notice, Settings};
use signoff_model::{Assessment, Dialect, Digest, Operation, ShellCommand, Trust, Verdict};
use signoff_policy::{Context, GrantMatch, GrantPattern, Judgement, Posture, Request, Rules};

use crate::Places;

/// What counts in one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The settings, with where each comes from.
    pub settings: Settings,
    rules: Rules,
}

/// What counts where nobody has configured anything.
impl Default for Policy {
    fn default() -> Self {
        Self::from(Settings::default())
    }
}

impl From<Settings> for Policy {
    fn from(settings: Settings) -> Self {
        Self { rules: settings.policy(), settings }
    }
}

impl Policy {
    /// What becomes of an operation. Who only wants to know may ask for another posture than the configured one.
    pub fn judge(
        &self,
        operation: &Operation,
        assessment: &Assessment,
        posture: Option<Posture>,
        trust: Option<Trust>,
    ) -> Judgement {
        let configured = self.context(trust, None);
        let context = Context { posture: posture.unwrap_or(configured.posture), ..configured };
        self.judge_in(&context, operation, assessment)
    }

    /// What becomes of an operation that a grant fits.
    pub fn judge_granted(
        &self,
        operation: &Operation,
        assessment: &Assessment,
        grant: GrantMatch,
        trust: Trust,
    ) -> Judgement {
        self.judge_in(&self.context(Some(trust), Some(grant)), operation, assessment)
    }

    /// Whether nobody would be asked about an operation but for what a form names.
    pub fn is_reached(
        &self,
        form: &GrantPattern,
        operation: &Operation,
        assessment: &Assessment,
        stands_in: &[&str],
    ) -> bool {
        let invocations = signoff_analysis::invocations(operation);
        let request = Request { operation, invocations: &invocations };
        form.reaches(assessment, &self.context(None, None), &request, stands_in)
    }

    /// Whoever nothing is known about is trusted as everybody is at the beginning.
    fn context(&self, trust: Option<Trust>, grant: Option<GrantMatch>) -> Context {
        self.settings.context(trust.unwrap_or(self.settings.trust.initial.value), grant)
    }

    fn judge_in(&self, context: &Context, operation: &Operation, assessment: &Assessment) -> Judgement {
        let invocations =
            if self.rules.ask_for_commands(assessment) { signoff_analysis::invocations(operation) } else { Vec::new() };
        let request = Request { operation, invocations: &invocations };
        signoff_policy::judge(assessment, context, &self.rules, &request)
    }

    /// What tells this policy from every other one: its settings, and the program that reads them.
    pub fn digest(&self) -> Digest {
        Checked::digest(&self.settings, env!("CARGO_PKG_VERSION"))
    }

    /// What becomes of a command by its text alone, as the examples of rules mean it.
    fn verdict_on_text(&self, command: &str) -> Verdict {
        let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::default() });
        let assessment = signoff_analysis::assess(&operation, &Whereabouts::assumed(), &NoFacts);
        self.judge(&operation, &assessment, None, None).decision.verdict()
    }
}

/// The policies of the projects that were met so far.
pub struct Policies<'p> {
    places: &'p Places,
    loaded: RefCell<HashMap<Option<PathBuf>, Arc<Policy>>>,
    /// What somebody should hear of, each once.
    noticed: RefCell<Vec<Notice>>,
    told: RefCell<usize>,
    while_broken: WhileBroken,
    faults: RefCell<Vec<Fault>>,
}

/// What is done while a file of settings is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhileBroken {
    /// Nothing is judged.
    Stop,
    /// The strict posture holds.
    GoOnStrictly,
}

impl<'p> Policies<'p> {
    /// Policies out of the files at these places.
    pub fn new(places: &'p Places) -> Self {
        Self {
            places,
            loaded: RefCell::default(),
            noticed: RefCell::default(),
            told: RefCell::default(),
            while_broken: WhileBroken::Stop,
            faults: RefCell::default(),
        }
    }

    /// The same for who must not stop working: while a file is broken, the strict posture holds, and [`faults`](Self::faults) says so.
    #[must_use]
    pub fn going_on_strictly(self) -> Self {
        Self { while_broken: WhileBroken::GoOnStrictly, ..self }
    }

    /// What is wrong with the files under which something was judged strictly.
    pub fn faults(&self) -> Vec<Fault> {
        self.faults.borrow().clone()
    }

    /// Forgets what was loaded: a file may say something else by now.
    pub fn forget(&self) {
        self.loaded.borrow_mut().clear();
    }

    /// What does not count in the files that were read since somebody asked last.
    pub fn notices(&self) -> Vec<Notice> {
        let noticed = self.noticed.borrow();
        let before = self.told.replace(noticed.len());
        noticed.get(before..).unwrap_or_default().to_vec()
    }

    /// The policy of a project, or of no project at all.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or understood: that is no policy, and then nothing is judged.
    pub fn of(&self, project: Option<&Path>) -> Result<Arc<Policy>, Fault> {
        let key = project.map(Path::to_owned);
        if let Some(policy) = self.loaded.borrow().get(&key) {
            return Ok(Arc::clone(policy));
        }
        let policy = match self.load(project) {
            Ok(policy) => policy,
            Err(fault) if self.while_broken == WhileBroken::GoOnStrictly => {
                *self.faults.borrow_mut() = vec![fault];
                Policy::from(signoff_config::strict_fallback(&self.places.locations(project)).settings)
            }
            Err(fault) => return Err(fault),
        };
        let policy = Arc::new(policy);
        let exists = |name: &str| rule::find(name).is_some();
        let mut noticed = self.noticed.borrow_mut();
        for notice in policy.settings.notices.iter().chain(&policy.settings.unknown_lifts(exists)) {
            if !noticed.contains(notice) {
                noticed.push(notice.clone());
            }
        }
        self.loaded.borrow_mut().insert(key, Arc::clone(&policy));
        Ok(policy)
    }

    fn load(&self, project: Option<&Path>) -> Result<Policy, Fault> {
        let policy = Policy::from(signoff_config::load(&self.places.locations(project))?);
        self.check_examples(&policy)?;
        Ok(policy)
    }

    /// Examples are checked once after each change of a file, or of the program.
    fn check_examples(&self, policy: &Policy) -> Result<(), Fault> {
        if policy.settings.examples.is_empty() {
            return Ok(());
        }
        let record = self.places.checked();
        let digest = Checked::digest(&policy.settings, env!("CARGO_PKG_VERSION"));
        // What cannot be read has not been checked.
        let text = signoff_config::text_of_file(&record).ok().flatten().unwrap_or_default();
        let mut checked = Checked::from_json(&text);
        if checked.covers(digest) {
            return Ok(());
        }
        let faults = signoff_config::check_examples(&policy.settings, |command| policy.verdict_on_text(command));
        if let Some(fault) = faults.into_iter().next() {
            return Err(fault);
        }
        checked.remember(digest);
        // What cannot be remembered is checked again next time.
        let _ = signoff_config::replace_privately(&record, checked.to_json().as_bytes());
        Ok(())
    }
}
