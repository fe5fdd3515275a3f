//! What people have told the gate to do until further notice: not to ask for a while, or to let nothing pass but what is
//! harmless.

use std::time::Duration;

use signoff_model::{Actor, Answerer, Assurance, ChannelId, Deed, Form, PersonId, Requester, Risk, Timestamp};

use crate::{Change, Gate, GateError, Refusal, Store, StoreError, answering, eyes::Seen};

/// Nobody stops asking for longer.
pub const PAUSE_AT_MOST: Duration = Duration::from_secs(3_600);

const SHELF: &str = "standing";
const PAUSE: &str = "pause";
const LOCKDOWN: &str = "lockdown";
/// An order that changes under the hands of whoever changes it is tried again so many times.
const ROUNDS: usize = 8;

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Who gave it.
    pub by: PersonId,
    /// Until when it counts; none where somebody has to take it back.
    pub until: Option<Timestamp>,
}

/// Whose orders somebody may take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Their own.
    Own,
    /// Everybody's.
    Everybodys,
}

/// The orders that count now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What needs a yes that this person could give alone is not asked about.
    pub pause: Option<Order>,
    /// Whatever is not harmless is blocked.
    pub lockdown: Option<Order>,
}

impl Gate {
    /// The orders that count now.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn standing(&self) -> Result<Standing, GateError> {
        let mut standing = Standing::default();
        for item in self.store().items(SHELF, None, 8).await? {
            match item.name.as_str() {
                PAUSE => {
                    let now = self.store().now().await?;
                    // What cannot be read allows nothing.
                    let pause = self.store().kept_order(&item.text).ok();
                    standing.pause = pause.filter(|order| order.until.is_some_and(|until| now < until));
                }
                LOCKDOWN => {
                    // And what cannot be read still locks: nobody knows by whom.
                    standing.lockdown = Some(self.store().kept_order(&item.text)?);
                }
                _ => {}
            }
        }
        Ok(standing)
    }

    /// Stops asking for a while about what this person could say yes to alone. There is one pause at a time, and that of
    /// somebody else is only for those to replace who may end it.
    ///
    /// # Errors
    ///
    /// When it is too long, whoever wants it is not sure enough, somebody else has paused, or the store fails.
    pub async fn pause(&self, by: Answerer, reach: Reach, lasts: Duration) -> Result<Order, GateError> {
        if lasts.is_zero() || lasts > PAUSE_AT_MOST {
            return Err(GateError::TooLong { at_most: PAUSE_AT_MOST });
        }
        let until = self.store().now().await?.after(lasts);
        let order = Order { by: by.person.clone(), until: Some(until) };
        self.order(PAUSE, Some(&order), "paused", by, reach).await?;
        Ok(order)
    }

    /// Asks again.
    ///
    /// # Errors
    ///
    /// When somebody else has paused and this is not theirs to end, or the store fails.
    pub async fn resume(&self, by: Answerer, reach: Reach) -> Result<(), GateError> {
        self.order(PAUSE, None, "resumed", by, reach).await
    }

    /// Blocks whatever is not harmless, until somebody lifts that. What somebody else has locked down stays theirs: else
    /// whoever locks it down again could lift it.
    ///
    /// # Errors
    ///
    /// When whoever wants it is not sure enough, or the store fails.
    pub async fn lock_down(&self, by: Answerer) -> Result<Order, GateError> {
        let order = Order { by: by.person.clone(), until: None };
        match self.order(LOCKDOWN, Some(&order), "locked-down", by, Reach::Own).await {
            Ok(()) => Ok(order),
            Err(GateError::NotYours { by }) => Ok(Order { by, until: None }),
            Err(error) => Err(error),
        }
    }

    /// Lets pass again what may pass.
    ///
    /// # Errors
    ///
    /// When somebody else has locked down and this is not theirs to lift, or the store fails.
    pub async fn lift(&self, by: Answerer, reach: Reach) -> Result<(), GateError> {
        self.order(LOCKDOWN, None, "lifted", by, reach).await
    }

    async fn order(
        &self,
        name: &str,
        order: Option<&Order>,
        what: &'static str,
        by: Answerer,
        reach: Reach,
    ) -> Result<(), GateError> {
        if by.assurance < Assurance::Login {
            return Err(GateError::refused(Refusal::AssuranceTooLow { needed: Assurance::Login }));
        }
        let to = order.map(|order| self.store().order_as_kept(order)).transpose()?;
        let until = order.and_then(|order| order.until).map(|until| ("until", until.millis().to_string()));
        for _ in 0..ROUNDS {
            let from = self.store().item(SHELF, name).await?;
            if order.is_none() && from.is_none() {
                return Ok(());
            }
            if let (Reach::Own, Some(text)) = (reach, &from) {
                self.is_theirs(&by.person, text).await?;
            }
            let details = until.clone().into_iter().collect();
            let deed = Deed { what, by: Actor::Person(by.clone()), approval: None, details };
            let change = Change { shelf: SHELF, name: name.to_owned(), from, to: to.clone(), deed: Some(deed) };
            if self.store().change(vec![change]).await? {
                return Ok(());
            }
        }
        Err(StoreError::Unavailable("others change the same all the time".to_owned()).into())
    }

    /// Whether an order is this person's, or does not count any more. One that cannot be read is nobody's.
    async fn is_theirs(&self, person: &PersonId, text: &str) -> Result<(), GateError> {
        let order = self.store().kept_order(text)?;
        let now = self.store().now().await?;
        let counts = order.until.is_none_or(|until| now < until);
        if counts && order.by != *person { Err(GateError::NotYours { by: order.by }) } else { Ok(()) }
    }
}

/// The change by which a pause ends with its person, for whoever takes their account away.
///
/// # Errors
///
/// When the store fails.
pub async fn pause_ending_with(
    kept_by: &dyn Store,
    person: &PersonId,
    by: &Actor,
) -> Result<Option<Change>, StoreError> {
    let kept = kept_by.item(SHELF, PAUSE).await?;
    let theirs = kept.filter(|text| kept_by.kept_order(text).is_ok_and(|order| order.by == *person));
    Ok(theirs.map(|text| {
        let deed = Deed { what: "resumed", by: by.clone(), approval: None, details: Vec::new() };
        Change { shelf: SHELF, name: PAUSE.to_owned(), from: Some(text), to: None, deed: Some(deed) }
    }))
}

impl Standing {
    /// Who has locked down what would happen here, if it is not harmless.
    pub(crate) fn locks(&self, risk: Risk) -> Option<&PersonId> {
        self.lockdown.as_ref().filter(|_| risk > Risk::None).map(|order| &order.by)
    }

    /// Who has said beforehand that they need not be asked about this: it is for them alone to say yes to, and not as grave as
    /// what has to be typed.
    pub(crate) fn spares(&self, seen: &Seen, requester: &Requester) -> Option<&Order> {
        let order = self.pause.as_ref()?;
        // Whoever is not trusted is asked about in everything.
        let distrusted = seen.trust <= seen.policy.settings.trust.paranoid_mode.value;
        let grave = seen.judged.assessment.effective_risk() >= Risk::Critical
            || matches!(Form::of(&seen.judged.judgement.decision), None | Some(Form::Input(_)));
        let terms = seen.asking.clone().terms(requester);
        let by = Answerer { person: order.by.clone(), channel: ChannelId::inbox(), assurance: Assurance::Login };
        (!grave && !distrusted && answering::could_approve_alone(&terms, requester, &by)).then_some(order)
    }
}
