//! An operation on its way through a proxy: judged here, asked about at the gateway, let go once. What the house around it can do (starting a
//! gateway, copying files, writing to the ledger's spool) is for the program that it runs in.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde_json::Value;
use signoff_card::Language;
use signoff_gate::{
    Places, Scores,
    judging::{self, Look},
};
use signoff_model::{Decision, Manner, Operation, PersonId, Risk, Sight, Verdict};
use signoff_server::client::CallError;

use crate::{
    door::{Door, Met, Outcome, Wish},
    words,
};

/// What the ledger says of what may pass.
const ALLOWED: &str = "allowed";

/// What takes a copy back that nobody needs.
pub type Discard = Box<dyn FnOnce() + Send>;

/// What the program can do in which a proxy runs. Words are for whoever has asked.
pub trait House: Send + Sync {
    /// Where the files of Signoff lie.
    fn places(&self) -> &Places;
    /// The way to the gateway, which is started where that is possible.
    ///
    /// # Errors
    ///
    /// When nobody can be asked there.
    fn door(&self) -> Result<Door, String>;
    /// A line for the ledger about what was decided here.
    fn note(&self, what: &str, look: &Look);
    /// Who has locked everything down that is not harmless.
    fn locked_by(&self) -> Option<String>;
    /// Copies what an operation takes away.
    ///
    /// # Errors
    ///
    /// When that cannot be done: then nothing may run.
    fn back_up(&self, look: &Look) -> Result<Discard, String>;
    /// Tells whoever looks at this program something beside what is said to the two sides.
    fn tell(&self, words: &str);
    /// What went wrong, in words.
    fn failed(&self, error: &CallError) -> String;
}

/// Stands at the door of one proxy.
#[derive(Clone)]
pub struct Gatekeeper {
    house: Arc<dyn House>,
    /// The language of whoever hears what was decided.
    pub language: Language,
    /// So long a call is held.
    hold: Duration,
    environment: Arc<BTreeMap<String, String>>,
}

/// What becomes of an operation at once.
#[derive(Debug)]
pub enum Way {
    /// It may pass.
    Free,
    /// It must not, in words.
    Shut(String),
    /// People have to be asked.
    Ask(Box<Case>),
}

/// Something that people have to be asked about.
#[derive(Clone, Debug)]
pub struct Case {
    /// What, without a schema.
    pub wish: Wish,
    /// Why it is not harmless.
    pub why: String,
    /// Whether a plain yes of the person for whom the agent works is enough.
    pub owner_decides: bool,
}

/// Why something may not pass. None of these is a yes.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody could be asked at the gateway.
    Unreached(String),
    /// A person said no.
    Denied(String),
    /// It was refused otherwise, or nobody has answered yet.
    Refused(String),
    /// A person said yes, and that cannot be used.
    Unusable(String),
}

impl Refusal {
    /// What is said about it.
    pub fn words(&self) -> &str {
        match self {
            Self::Unreached(words) | Self::Denied(words) | Self::Refused(words) | Self::Unusable(words) => words,
        }
    }
}

/// A yes that was not used yet.
#[derive(Debug, PartialEq, Eq)]
pub struct Yes {
    permit: String,
    manner: Manner,
}

/// How far the asking has come.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// Nobody has to be asked any more.
    Free,
    /// Somebody said yes.
    Yes(Yes),
}

impl Gatekeeper {
    /// Whoever stands there in a house.
    pub fn new(
        house: Arc<dyn House>,
        language: Language,
        hold: Duration,
        environment: BTreeMap<String, String>,
    ) -> Self {
        Self { house, language, hold, environment: Arc::new(environment) }
    }

    /// Judges an operation. It may take as long as disks do.
    pub fn judge(&self, operation: Operation, cwd: &Path) -> Way {
        self.weigh(operation, cwd, |what, look| self.house.note(what, look))
    }

    /// The same for who lets nothing pass, whatever is said here: that it might have passed is no line in the ledger.
    pub fn foresee(&self, operation: Operation, cwd: &Path) -> Way {
        self.weigh(operation, cwd, |what, look| {
            if what != ALLOWED {
                self.house.note(what, look);
            }
        })
    }

    fn weigh(&self, operation: Operation, cwd: &Path, note: impl Fn(&str, &Look)) -> Way {
        let (look, told) = match self.look(operation, cwd) {
            Ok(look) => look,
            Err(error) => return Way::Shut(words::unjudged(&error, self.language)),
        };
        let risk = look.judged.assessment.effective_risk();
        if risk > Risk::None
            && let Some(by) = self.house.locked_by()
        {
            return Way::Shut(words::locked(&by, self.language));
        }
        // Settings that cannot be read might have said that more than one person has to agree.
        let is_known = told.is_empty();
        let why = format!("{}{told}", words::why(&look.judged, self.language));
        match look.judged.judgement.decision.verdict() {
            Verdict::Allow => {
                note(ALLOWED, &look);
                Way::Free
            }
            Verdict::Block => {
                note("blocked", &look);
                Way::Shut(words::blocked(&why, self.language))
            }
            Verdict::Ask => {
                let case = self.case(look, why);
                Way::Ask(Box::new(Case { owner_decides: case.owner_decides && is_known, ..case }))
            }
        }
    }

    /// Why an operation must not run at all; none where it may, or people could say so.
    pub fn absurd(&self, operation: Operation, cwd: &Path) -> Option<String> {
        let (look, _) = self.look(operation, cwd).ok()?;
        let blocked = look.judged.judgement.decision.verdict() == Verdict::Block;
        blocked.then(|| words::blocked(&words::why(&look.judged, self.language), self.language))
    }

    /// Tells whoever looks at this program something.
    pub fn tell(&self, words: &str) {
        self.house.tell(words);
    }

    fn case(&self, look: Look, why: String) -> Case {
        let risk = look.judged.assessment.effective_risk();
        let name = PersonId::new(signoff_facts::user_name().unwrap_or_default()).ok();
        let approval = &look.policy.settings.approval;
        let alone = name.is_some_and(|name| signoff_gate::owner_decides_alone(approval, risk, &name));
        let plain = matches!(look.judged.judgement.decision, Decision::RequireConfirmation { .. });
        let wish = Wish {
            operation: look.judged.operation,
            cwd: look.whereabouts.cwd,
            intent: None,
            environment: BTreeMap::clone(&self.environment),
            schema: None,
        };
        Case { wish, why, owner_decides: alone && plain }
    }

    /// A fresh look, and what is wrong with the settings that it was judged by.
    fn look(&self, operation: Operation, cwd: &Path) -> Result<(Look, String), String> {
        let terms =
            judging::Terms { sight: Sight::Local, posture: None, intent: None, home: None, scores: Scores::default() };
        let judge = judging::Judge::new(terms, self.house.places()).going_on_strictly();
        let look = judge.look(operation, cwd, &mut |_| {}).map_err(|error| error.to_string())?;
        let faults = judge.policies().faults();
        let told = faults.iter().map(|fault| {
            let told = fault.told();
            format!("\n{}", if self.language == Language::English { told.english } else { told.chinese })
        });
        Ok((look, told.collect()))
    }

    /// Asks people, and waits for them. `asked` is told the id of the question, for whoever may want to take it back.
    ///
    /// # Errors
    ///
    /// When nobody said yes: then nothing may pass.
    pub async fn ask(
        &self,
        key: &str,
        case: &Case,
        wish: &Wish,
        asked: impl Fn(&Arc<Door>, &str) + Send + Sync,
    ) -> Result<Asked, Refusal> {
        let language = self.language;
        let door = self.door(case).await?;
        let failed = |error: CallError| {
            let words = self.house.failed(&error);
            match error {
                CallError::NoGateway(_) => Refusal::Unreached(words::nobody(&case.why, &words, language)),
                _ => Refusal::Refused(words),
            }
        };
        let question = match door.ask(key, wish).await.map_err(failed)? {
            Met::Free => return Ok(Asked::Free),
            Met::Blocked(why) => return Err(Refusal::Refused(words::blocked(&why, language))),
            Met::Question(question) => question,
        };
        asked(&door, &question.id);
        let outcome = match question.outcome {
            // From here on somebody answers there, and an error is no reason to ask anybody else.
            Outcome::Open => {
                let waited = door.wait(&question.id, self.hold).await;
                waited.map_err(|error| Refusal::Refused(self.house.failed(&error)))?
            }
            decided => decided,
        };
        Err(Refusal::Refused(match outcome {
            Outcome::Approved { permit, manner, changed: None } => return Ok(Asked::Yes(Yes { permit, manner })),
            // The yes is left as it is: nothing else was approved, and what was asked for would run.
            Outcome::Approved { changed: Some(operation), .. } => words::changed(&operation.text(), language),
            Outcome::Denied { by, words } => return Err(Refusal::Denied(words::denied(&by, &words, language))),
            Outcome::Open => words::open(&question.id, language),
            Outcome::Expired | Outcome::Superseded(_) | Outcome::Redeemed | Outcome::Over => words::expired(language),
        }))
    }

    /// Uses a yes up, after the backup that it asks for and a last look of the gate: right before something is let go. What was let go is
    /// known by what is given back, when it is reported.
    ///
    /// # Errors
    ///
    /// When it is no longer what was shown, or was used before: then nothing may pass.
    pub async fn redeem(&self, yes: Yes, case: &Case, schema: Option<&Value>) -> Result<String, Refusal> {
        let unusable = |cause: &str| Refusal::Unusable(words::unapproved(cause, self.language));
        let discard = match yes.manner {
            Manner::AsShown => None,
            Manner::BackUpFirst => {
                let (keeper, wish) = (self.clone(), case.wish.clone());
                let copied = tokio::task::spawn_blocking(move || keeper.back_up(wish)).await;
                Some(copied.unwrap_or_else(|defect| Err(defect.to_string())).map_err(|cause| unusable(&cause))?)
            }
        };
        let door = self.door(case).await?;
        if let Err(error) = door.redeem(&yes.permit, &case.wish.environment, schema).await {
            if let Some(discard) = discard {
                discard();
            }
            return Err(unusable(&self.house.failed(&error)));
        }
        Ok(yes.permit)
    }

    fn back_up(&self, wish: Wish) -> Result<Discard, String> {
        let (look, _) = self.look(wish.operation, &PathBuf::from(wish.cwd))?;
        self.house.back_up(&look)
    }

    /// Says what became of what was let go.
    pub async fn report(&self, permit: &str, success: bool, words: &str) {
        let house = Arc::clone(&self.house);
        if let Ok(Ok(door)) = tokio::task::spawn_blocking(move || house.door()).await {
            door.report(permit, success, words).await;
        }
    }

    /// A gateway may have to be started first, which is waited for aside.
    async fn door(&self, case: &Case) -> Result<Arc<Door>, Refusal> {
        let house = Arc::clone(&self.house);
        let there = tokio::task::spawn_blocking(move || house.door()).await;
        let there = there.unwrap_or_else(|defect| Err(defect.to_string()));
        there.map(Arc::new).map_err(|cause| Refusal::Unreached(words::nobody(&case.why, &cause, self.language)))
    }
}
