//! Who is there to answer: whoever has looked at their questions a moment ago. An agent is told at once where nobody is, and not
//! after everybody has waited.

use std::time::Duration;

use signoff_model::{ApprovalId, PersonId, Stage, Terms, Timestamp};

use crate::{Change, Gate, GateError};

const SHELF: &str = "attending";
/// Whoever has looked so lately is there.
pub const ATTENDS_FOR: Duration = Duration::from_secs(120);

impl Gate {
    /// A person looks at their questions.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn attend(&self, person: &PersonId) -> Result<(), GateError> {
        let until = self.store().now().await?.after(ATTENDS_FOR).millis().to_string();
        let name = person.to_string();
        let from = self.store().item(SHELF, &name).await?;
        // Where somebody else was quicker, it says the same.
        self.store().change(vec![Change { shelf: SHELF, name, from, to: Some(until), deed: None }]).await?;
        Ok(())
    }

    /// Whether a question is open to which nobody attends who may answer it.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn waits_alone(&self, id: ApprovalId) -> Result<bool, GateError> {
        let approval = self.store().approval(id).await?;
        match approval.filter(|approval| matches!(approval.stage, Stage::Pending { .. })) {
            Some(approval) => Ok(!self.is_attended(&approval.terms).await?),
            None => Ok(false),
        }
    }

    /// Whether anybody is there who may answer under these terms, themselves or in somebody's stead.
    pub(crate) async fn is_attended(&self, terms: &Terms) -> Result<bool, GateError> {
        for person in &terms.approvers {
            if self.attends(person).await? {
                return Ok(true);
            }
        }
        for handed in self.delegations().await? {
            if terms.approvers.contains(&handed.by.person) && self.attends(&handed.to).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn attends(&self, person: &PersonId) -> Result<bool, GateError> {
        let (text, now) = tokio::try_join!(self.store().item(SHELF, person.as_str()), self.store().now())?;
        let until = text.and_then(|text| text.parse().ok()).map(Timestamp::from_millis);
        Ok(until.is_some_and(|until| now < until))
    }
}
