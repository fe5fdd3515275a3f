//! A call that a person has to decide about: it is held while they are asked, and let go with their yes, once.

use std::collections::BTreeMap;

use signoff_agents::{
    Client,
    door::{Door, Met, Outcome, Wish},
    hook::{Answer, Moment, can_change},
    words,
};
use signoff_gate::judging::Look;
use signoff_model::{Decision, Manner, Operation, PersonId};
use signoff_server::client::CallError;
use tokio::runtime::Runtime;

use super::{Hook, held::Held};
use crate::{
    exec::{rescue, surroundings},
    failure::Failure,
    gateway,
};

/// What is said where somebody has decided in front of the client.
const DECIDED_THERE: &str = "answered in the client's own dialog";

/// Asks people, and waits for them as long as the client does.
pub(super) fn hold(
    hook: &Hook<'_>,
    (look, is_policy_whole): (&Look, bool),
    intent: Option<&str>,
    why: &str,
) -> Result<Answer, String> {
    let risk = look.judged.assessment.effective_risk();
    let name = PersonId::new(signoff_facts::user_name().unwrap_or_default()).ok();
    let approval = &look.policy.settings.approval;
    // A file that cannot be read may be the one that says who else has to agree.
    let alone = is_policy_whole && name.is_none_or(|name| signoff_gate::owner_decides_alone(approval, risk, &name));
    let told = |failure: &Failure| failure.message.told(hook.language).to_owned();
    // Whoever sits in front of the client may decide alone, and a plain yes is enough: its own dialog asks them.
    let plain = matches!(look.judged.judgement.decision, Decision::RequireConfirmation { .. });
    let there = alone && plain && is_attended(hook) && hook.call.moment == Moment::Before;
    let ask_there = || {
        hook.note("asked-at-client", look);
        Ok(Answer::AskThere(words::ask_there(why, hook.language)))
    };
    let nowhere = |cause: &str| match there {
        true => ask_there(),
        false => {
            hook.note("refused", look);
            Err(words::nobody(why, cause, hook.language))
        }
    };
    if let Err(failure) = gateway::is_there(hook.places) {
        return nowhere(&told(&failure));
    }
    // The dialog appears at once, and the hook that it calls asks on every channel beside it: the first answer counts.
    let is_silent = matches!(hook.call.mode.as_deref(), Some("bypassPermissions" | "dontAsk"));
    if there && !is_silent {
        return ask_there();
    }
    // From here on somebody answers, and an error is no reason to ask anybody else.
    let asked = Desk::of(hook, look, intent)
        .and_then(|desk| desk.runtime.block_on(desk.asked()).map_err(|error| gateway::failure(&error)));
    asked.unwrap_or_else(|failure| {
        // It knows of nothing that it has not answered.
        hook.note("refused", look);
        Err(told(&failure))
    })
}

/// Says what became of a call that was let go, or that its client has asked about by itself.
pub(super) fn report(hook: &Hook<'_>, held: &Held, success: bool) {
    let (Ok(runtime), Ok(door)) = (gateway::runtime(), door(hook)) else { return };
    runtime.block_on(async {
        match &held.permit {
            Some(permit) => {
                let words = if success { "" } else { "the client says that it failed" };
                door.report(permit, success, words).await;
            }
            // Nobody said yes at the gateway, and still it ran: whoever sits in front of the client has.
            None => door.withdraw(&held.approval, DECIDED_THERE).await,
        }
    });
}

/// Whether somebody sits in front of the client who can be asked by it.
fn is_attended(hook: &Hook<'_>) -> bool {
    hook.call.client == Client::Claude
        && std::env::var_os("CLAUDE_CODE_SESSION_ATTENDED")
            .is_some_and(|attended| attended == "1" || attended == "true")
}

/// The gateway, called as the client in its session.
fn door(hook: &Hook<'_>) -> Result<Door, Failure> {
    gateway::door(hook.places, hook.call.client.name(), &hook.session())
}

/// Where somebody is asked about one call.
struct Desk<'d> {
    hook: &'d Hook<'d>,
    look: &'d Look,
    door: Door,
    runtime: Runtime,
    wish: Wish,
}

impl<'d> Desk<'d> {
    fn of(hook: &'d Hook<'d>, look: &'d Look, intent: Option<&str>) -> Result<Self, Failure> {
        let environment: BTreeMap<String, String> = surroundings();
        let wish = Wish {
            operation: look.judged.operation.clone(),
            cwd: look.whereabouts.cwd.clone(),
            intent: intent.map(str::to_owned),
            environment,
            schema: None,
        };
        Ok(Self { hook, look, door: door(hook)?, runtime: gateway::runtime()?, wish })
    }

    async fn asked(&self) -> Result<Result<Answer, String>, CallError> {
        let (hook, language) = (self.hook, self.hook.language);
        if hook.call.moment == Moment::Permission && self.was_let_go().await {
            return Ok(Ok(Answer::Allow(words::approved(language))));
        }
        let question = match self.door.ask(&hook.digest().to_string(), &self.wish).await? {
            Met::Free => return Ok(Ok(Answer::Allow(words::harmless(language)))),
            Met::Blocked(why) => return Ok(Err(words::blocked(&why, language))),
            Met::Question(question) => question,
        };
        let id = question.id;
        hook.frame.say_if_late(&words::open(&id, language));
        if hook.call.moment == Moment::Permission {
            hook.call_note().leave(&Held { approval: id.clone(), permit: None });
            self.watch_dialog(&id);
        }
        let outcome = match question.outcome {
            Outcome::Open => self.door.wait(&id, hook.frame.left()).await?,
            decided => decided,
        };
        Ok(match outcome {
            Outcome::Approved { permit, manner, changed } => self.let_go(&id, permit, manner, changed).await,
            Outcome::Denied { by, words } => Err(words::denied(&by, &words, language)),
            // The dialog of the client stays, and whoever sits there may still answer.
            Outcome::Open if is_attended(hook) && hook.call.moment == Moment::Permission => Ok(Answer::Nothing),
            Outcome::Open => Err(words::open(&id, language)),
            Outcome::Expired | Outcome::Superseded(_) | Outcome::Redeemed | Outcome::Over => {
                Err(words::expired(language))
            }
        })
    }

    /// Takes the question back when the dialog of the client was answered meanwhile: it ends its hook then.
    fn watch_dialog(&self, id: &str) {
        // Where that cannot be done, the hook after the call takes it back.
        let (Ok(runtime), Ok(door)) = (gateway::runtime(), door(self.hook)) else { return };
        let id = id.to_owned();
        self.hook.frame.do_when_ended(move || runtime.block_on(door.withdraw(&id, DECIDED_THERE)));
    }

    /// Whether the hook before the call was given a yes for it, which the gate still knows of. It counts for one question of the client.
    async fn was_let_go(&self) -> bool {
        let Some(held) = self.hook.yes_note().take() else { return false };
        let outcome = self.door.outcome(&held.approval, std::time::Duration::ZERO).await;
        matches!(outcome, Ok((_, Outcome::Redeemed)))
    }

    /// Uses the yes up, after the backup that it asks for and a last look of the gate, and lets the call go.
    async fn let_go(
        &self,
        id: &str,
        permit: String,
        manner: Manner,
        changed: Option<Operation>,
    ) -> Result<Answer, String> {
        let (hook, language) = (self.hook, self.hook.language);
        if let Some(operation) = changed.as_ref().filter(|operation| !can_change(hook.call, operation)) {
            // The yes is left as it is: nothing else was approved, and this client would run what it had asked for.
            return Err(words::changed(&operation.text(), language));
        }
        let rescue = match manner {
            Manner::AsShown => None,
            Manner::BackUpFirst => match self.backed_up(changed.as_ref()) {
                Ok(rescue) => Some(rescue),
                Err(failure) => return Err(words::unapproved(failure.message.told(language), language)),
            },
        };
        if let Err(error) = self.door.redeem(&permit, &self.wish.environment, None).await {
            if let Some(rescue) = rescue {
                rescue.discard();
            }
            return Err(words::unapproved(gateway::failure(&error).message.told(language), language));
        }
        let held = Held { approval: id.to_owned(), permit: Some(permit) };
        hook.call_note().leave(&held);
        if hook.call.moment == Moment::Before {
            hook.yes_note().leave(&held);
        }
        Ok(match changed {
            Some(operation) => Answer::AllowChanged(Box::new(operation), words::approved(language)),
            None => Answer::Allow(words::approved(language)),
        })
    }

    /// Copies what would go.
    fn backed_up(&self, changed: Option<&Operation>) -> Result<rescue::Rescue, Failure> {
        let hook = self.hook;
        let unlooked = |why: String| Failure::internal(why.clone(), why);
        let cwd = hook.directory().map_err(unlooked)?;
        let operation = changed.unwrap_or(&self.look.judged.operation).clone();
        let text = operation.text().into_owned();
        let (look, _) = hook.look(operation, &cwd, self.wish.intent.clone()).map_err(unlooked)?;
        let paths = rescue::paths(&look.judged.assessment);
        let interrupted = crate::output::interrupted()?;
        rescue::back_up(hook.places, &text, &paths, &interrupted, hook.language)
    }
}
