//! The configuration that counts for an operation: loaded once for each project and each look, its examples checked, and what does not
//! count in it told.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    rc::Rc,
};

use signoff_analysis::{
    facts::{NoFacts, Whereabouts},
    rule,
};
use signoff_card::{Language, visible};
use signoff_config::{Checked, Fault, Notice, Settings};
use signoff_model::{Assessment, Dialect, Operation, ShellCommand, Verdict};
use signoff_policy::{Context, Judgement, Posture, Request, Rules};

use crate::{
    failure::{Failure, in_language},
    output,
    places::Places,
};

/// What counts in one project.
pub(crate) struct Policy {
    pub(crate) settings: Settings,
    rules: Rules,
}

impl Policy {
    /// What becomes of an operation. `check` may be asked for another posture than the configured one.
    pub(crate) fn judge(&self, operation: &Operation, assessment: &Assessment, posture: Option<Posture>) -> Judgement {
        let configured = self.settings.context(self.settings.trust.initial.value, None);
        let context = Context { posture: posture.unwrap_or(configured.posture), ..configured };
        let invocations =
            if self.rules.ask_for_commands(assessment) { signoff_analysis::invocations(operation) } else { Vec::new() };
        let request = Request { operation, invocations: &invocations };
        signoff_policy::judge(assessment, &context, &self.rules, &request)
    }

    /// What becomes of a command by its text alone, as the examples of rules mean it.
    fn verdict_on_text(&self, command: &str) -> Verdict {
        let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::default() });
        let assessment = signoff_analysis::assess(&operation, &Whereabouts::assumed(), &NoFacts);
        self.judge(&operation, &assessment, None).decision.verdict()
    }
}

/// The policies of the projects that were met so far.
pub(crate) struct Policies<'p> {
    places: &'p Places,
    language: Language,
    loaded: RefCell<HashMap<Option<PathBuf>, Rc<Policy>>>,
    /// What has been told already: once is enough.
    told: RefCell<HashSet<String>>,
}

impl<'p> Policies<'p> {
    pub(crate) fn new(places: &'p Places, language: Language) -> Self {
        Self { places, language, loaded: RefCell::default(), told: RefCell::default() }
    }

    /// Forgets what was loaded: a file may say something else by now.
    pub(crate) fn forget(&self) {
        self.loaded.borrow_mut().clear();
    }

    /// The policy of a project, or of no project at all. A file that cannot be read or understood is no policy, and then
    /// nothing is judged.
    pub(crate) fn of(&self, project: Option<&Path>) -> Result<Rc<Policy>, Failure> {
        let key = project.map(Path::to_owned);
        if let Some(policy) = self.loaded.borrow().get(&key) {
            return Ok(Rc::clone(policy));
        }
        let settings = signoff_config::load(&self.places.locations(project)).map_err(|fault| failure(&fault))?;
        let policy = Rc::new(Policy { rules: settings.policy(), settings });
        self.check_examples(&policy)?;
        let exists = |name: &str| rule::find(name).is_some();
        for notice in policy.settings.notices.iter().chain(&policy.settings.unknown_lifts(exists)) {
            let text = told(notice, self.language);
            if self.told.borrow_mut().insert(text.clone()) {
                output::note(&text);
            }
        }
        self.loaded.borrow_mut().insert(key, Rc::clone(&policy));
        Ok(policy)
    }

    /// Examples are checked once after each change of a file, or of the program.
    fn check_examples(&self, policy: &Policy) -> Result<(), Failure> {
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
        if let Some(fault) = faults.first() {
            return Err(failure(fault));
        }
        checked.remember(digest);
        // What cannot be remembered is checked again next time.
        let _ = signoff_config::replace_privately(&record, checked.to_json().as_bytes());
        Ok(())
    }
}

/// A fault in a file, as the command line tells it.
pub(crate) fn failure(fault: &Fault) -> Failure {
    let (told, hint) = (fault.told(), fault.hint());
    Failure::usage(visible(&told.english), visible(&told.chinese)).hint(visible(&hint.english), visible(&hint.chinese))
}

/// Something that does not count, with the line that it stands in.
pub(crate) fn told(notice: &Notice, language: Language) -> String {
    let message = in_language(language, &notice.message.english, &notice.message.chinese);
    let hint = in_language(language, &notice.hint.english, &notice.hint.chinese);
    let text = match &notice.origin.place {
        Some((file, line)) => format!("{}:{line}: {message}", file.display()),
        None => message.to_owned(),
    };
    match language {
        Language::English => format!("note: {}\n hint: {}\n", visible(&text), visible(hint)),
        Language::Chinese => format!("注意：{}\n提示：{}\n", visible(&text), visible(hint)),
    }
}
