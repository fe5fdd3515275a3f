//! Answering for somebody else: a person hands it over to another one, for a while. It is theirs to take back at any time, it is never
//! more than they have themselves, and whoever it was handed to cannot hand it on.

use std::time::Duration;

use signoff_model::{Actor, Answerer, Deed, Delegation, PersonId, Stead};

use crate::{Change, Gate, GateError, Item, Store, StoreError, shelves};

/// One for each person, under their name.
const SHELF: &str = "delegations";

/// So many people hand something over at most.
const AT_MOST: u32 = 1_000;

/// Why somebody cannot hand their answering over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DelegationRefusal {
    /// It would never end, or has ended already.
    #[error("answering is handed over for between a minute and 30 days")]
    Lasting,
    /// To oneself.
    #[error("it is handed over to somebody else")]
    Oneself,
    /// There is no such person.
    #[error("there is no such person")]
    Nobody,
    /// Somebody has changed it meanwhile.
    #[error("it was changed meanwhile: look again")]
    Meanwhile,
}

impl DelegationRefusal {
    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lasting => "delegation-lasting",
            Self::Oneself => "delegation-oneself",
            Self::Nobody => "delegation-nobody",
            Self::Meanwhile => "delegation-meanwhile",
        }
    }
}

impl Gate {
    /// A person hands their answering over. Whoever it was handed to before no longer has it.
    pub async fn hand_over(&self, by: Answerer, to: PersonId, lasts: Duration) -> Result<Delegation, GateError> {
        if to == by.person {
            return Err(DelegationRefusal::Oneself.into());
        }
        if lasts < Duration::from_secs(60) || lasts > Delegation::LONGEST {
            return Err(DelegationRefusal::Lasting.into());
        }
        let at = self.store().now().await?;
        let delegation = Delegation { by, to, at, until: at.after(lasts) };
        let name = delegation.by.person.to_string();
        let from = self.store().item(SHELF, &name).await?;
        let to = Some(self.store().delegation_as_kept(&delegation)?);
        let details = vec![("to", delegation.to.to_string()), ("until", delegation.until.millis().to_string())];
        let by = Actor::Person(delegation.by.clone());
        let deed = Some(Deed { what: "handed-over", by, approval: None, details });
        if self.store().change(vec![Change { shelf: SHELF, name, from, to, deed }]).await? {
            Ok(delegation)
        } else {
            Err(DelegationRefusal::Meanwhile.into())
        }
    }

    /// A person takes back what they have handed over.
    pub async fn take_back(&self, by: Answerer) -> Result<(), GateError> {
        let name = by.person.to_string();
        let from = self.store().item(SHELF, &name).await?.ok_or(GateError::NotFound)?;
        let deed = Some(ended(&name, Actor::Person(by)));
        let change = Change { shelf: SHELF, name, from: Some(from), to: None, deed };
        if self.store().change(vec![change]).await? { Ok(()) } else { Err(DelegationRefusal::Meanwhile.into()) }
    }

    /// Who has handed over to whom, as far as it has not ended.
    pub async fn delegations(&self) -> Result<Vec<Delegation>, GateError> {
        let now = self.store().now().await?;
        let kept = self.handed_over().await?;
        Ok(kept.into_iter().filter(|delegation| now < delegation.until).collect())
    }

    /// In whose stead a person may speak. Whether that has ended is for the clock to say by which the answer is heard.
    pub(crate) async fn steads(&self, person: &PersonId) -> Result<Vec<Stead>, GateError> {
        let theirs = self.handed_over().await?.into_iter().filter(|delegation| delegation.to == *person);
        Ok(theirs.map(|Delegation { by, until, .. }| Stead { person: by.person, until }).collect())
    }

    /// What is on the shelf. What cannot be read gives nobody a voice.
    async fn handed_over(&self) -> Result<Vec<Delegation>, GateError> {
        let items = shelves::all(self.store(), SHELF, AT_MOST).await?;
        Ok(items.into_iter().filter_map(|item| self.store().kept_delegation(&item.text).ok()).collect())
    }
}

/// The changes by which nobody speaks for a person any more, nor they for anybody, for whoever takes their account away.
///
/// # Errors
///
/// When the store fails.
pub async fn delegations_ending_with(
    kept_by: &dyn Store,
    person: &PersonId,
    by: &Actor,
) -> Result<Vec<Change>, StoreError> {
    let items = kept_by.items(SHELF, None, AT_MOST).await?;
    let concerns = |item: &Item| {
        item.name == person.as_str() || kept_by.kept_delegation(&item.text).is_ok_and(|one| one.to == *person)
    };
    let change = |item: Item| {
        let deed = Some(ended(&item.name, by.clone()));
        Change { shelf: SHELF, name: item.name, from: Some(item.text), to: None, deed }
    };
    Ok(items.into_iter().filter(concerns).map(change).collect())
}

fn ended(name: &str, by: Actor) -> Deed {
    Deed { what: "taken-back", by, approval: None, details: vec![("person", name.to_owned())] }
}
