//! Several approvals to which something happens in one step.

use std::sync::Arc;

use signoff_gate::{Done, Event, Refusal, Store};
use signoff_model::{Answer, ApprovalId};

use super::{answer, asked, question};

/// Each has its own state and its own lines in the ledger; what is not there is passed over.
pub(crate) async fn each_has_its_own_end(store: &dyn Store) {
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(asked(store, question("agent", &number.to_string())).await.id);
    }
    store.happen(ids[1], answer("bob", Answer::Deny("no".to_owned()))).await.unwrap();
    let yes = || answer("ann", Answer::Approve);
    let nowhere = ApprovalId::from_bits(u128::MAX);
    let events = vec![(ids[0], yes()), (ids[1], yes()), (nowhere, yes()), (ids[2], yes()), (ids[2], yes())];
    let happened = store.happen_together(events).await.unwrap();
    let outcomes: Vec<_> = happened.iter().map(|one| one.as_ref().map(|one| one.outcome.clone())).collect();
    let (decided, closed) = (Some(Ok(Done::Decided)), Some(Err(Refusal::Closed)));
    assert_eq!(outcomes, [decided.clone(), closed.clone(), None, decided, closed]);
    for (id, stage) in [(ids[0], "approved"), (ids[1], "denied"), (ids[2], "approved")] {
        assert_eq!(store.approval(id).await.unwrap().unwrap().stage.name(), stage);
    }
    let lines = store.ledger(4, 100).await.unwrap();
    let about: Vec<_> = lines.iter().map(|entry| entry.approval.unwrap()).collect();
    assert_eq!(about, [ids[0], ids[1], ids[2], ids[2]]);
    assert_eq!(store.happen_together(Vec::new()).await.unwrap(), []);
    super::verify_all(store).await;
}

/// Of many who answer the same ones together, one is first for all of them.
pub(crate) async fn one_is_first_for_all(store: Arc<dyn Store>) {
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(asked(&*store, question("agent", &number.to_string())).await.id);
    }
    let running: Vec<_> = (0..12)
        .map(|number| {
            let said = if number % 2 == 0 { Answer::Approve } else { Answer::Deny(number.to_string()) };
            // Some begin at the other end.
            let mut events: Vec<(ApprovalId, Event)> =
                ids.iter().map(|id| (*id, answer("ann", said.clone()))).collect();
            if number % 3 == 0 {
                events.reverse();
            }
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.happen_together(events).await.unwrap() })
        })
        .collect();
    let mut winners = 0;
    for one in running {
        let won = one.await.unwrap().into_iter().flatten().filter(|one| one.outcome.is_ok()).count();
        assert!(won == 0 || won == ids.len(), "all of it, or nothing: {won}");
        winners += usize::from(won > 0);
    }
    assert_eq!(winners, 1);
}
