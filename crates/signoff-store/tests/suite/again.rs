//! Questions that come from others: both change together, or neither does.

use std::sync::Arc;

use signoff_gate::{Asked, Event, Happened, NewApproval, Refusal, Store};
use signoff_model::{AgentId, Answer, ApprovalId, Origin, PersonId, Stage};

use super::{answer, asked, by, next_id, question};

fn instead_of(from: ApprovalId, key: &str) -> NewApproval {
    let mut new = question("agent", key);
    new.id = next_id();
    new.question.origin = Some(Origin::Changed { from, by: by("ann") });
    new
}

/// What takes the place of another question closes it, and nothing takes the place of one that is decided.
pub(crate) async fn one_takes_the_place_of_another(store: &dyn Store) {
    let first = asked(store, question("agent", "first")).await;
    // What cannot be kept takes the place of nothing: what it would come from is as it was.
    let mut too_long = instead_of(first.id, "too long");
    too_long.question.card = "x".repeat(2 * 1_024 * 1_024);
    assert!(store.ask(too_long).await.is_err());
    assert_eq!(store.approval(first.id).await.unwrap(), Some(first.clone()));
    let new = instead_of(first.id, "second");
    let second = asked(store, new.clone()).await;
    assert_eq!(second.question.origin, new.question.origin);
    let stage = store.approval(first.id).await.unwrap().unwrap().stage;
    assert!(matches!(stage, Stage::Superseded { by, .. } if by == second.id), "{stage:?}");
    let late = store.happen(first.id, answer("ann", Answer::Approve)).await.unwrap().unwrap();
    assert_eq!(late.outcome, Err(Refusal::Closed));
    // Whoever asks again for the same finds it, and closes nothing.
    assert_eq!(store.ask(new).await.unwrap(), Asked::Before(second.clone()));
    // Somebody has decided meanwhile: nothing is asked.
    store.happen(second.id, answer("bob", Answer::Approve)).await.unwrap();
    let third = instead_of(second.id, "third");
    let refused = store.ask(third.clone()).await.unwrap();
    assert!(
        matches!(&refused, Asked::Refused(Happened { outcome: Err(Refusal::Closed), approval, .. }) if approval.id == second.id),
        "{refused:?}"
    );
    assert_eq!(store.approval(third.id).await.unwrap(), None);
    assert_eq!(store.approval(second.id).await.unwrap().unwrap().stage.name(), "approved");
    // And nothing comes from what is not there.
    assert!(store.ask(instead_of(ApprovalId::from_bits(u128::MAX), "fourth")).await.is_err());
    let bodies: Vec<String> = store.ledger(0, 100).await.unwrap().into_iter().map(|entry| entry.body).collect();
    let told = |what: &str| bodies.iter().filter(|body| body.contains(&format!(r#""what":"{what}""#))).count();
    assert_eq!((told("asked"), told("superseded"), told("superseding-refused")), (2, 1, 1), "{bodies:#?}");
    assert!(bodies.iter().any(|body| body.contains(&format!(r#""instead-of":"{}""#, first.id))), "{bodies:#?}");
}

fn reopening(from: ApprovalId, key: &str) -> NewApproval {
    let mut new = question("agent", key);
    new.id = next_id();
    let (words, reason) = ("no".to_owned(), "copied yesterday".to_owned());
    let refused_by = PersonId::new("ann").unwrap();
    new.question.origin = Some(Origin::Reopened { from, refused_by, words, reason });
    new
}

/// A refusal is reopened once, stays a refusal, and what comes from it is not reopened again.
pub(crate) async fn a_refusal_is_reopened_once(store: &dyn Store) {
    let not_reopenable = |said: &Asked| {
        assert!(
            matches!(said, Asked::Refused(Happened { outcome: Err(Refusal::NotReopenable), .. })),
            "nothing is asked: {said:?}"
        );
    };
    let first = asked(store, question("agent", "first")).await;
    not_reopenable(&store.ask(reopening(first.id, "early")).await.unwrap());
    store.happen(first.id, answer("ann", Answer::Deny("no".to_owned()))).await.unwrap();
    let mut stranger = reopening(first.id, "stranger");
    stranger.requester.agent = AgentId::new("stranger").unwrap();
    let said = store.ask(stranger).await.unwrap();
    assert!(matches!(said, Asked::Refused(Happened { outcome: Err(Refusal::NotRequester), .. })), "{said:?}");
    let second = asked(store, reopening(first.id, "second")).await;
    let stage = store.approval(first.id).await.unwrap().unwrap().stage;
    assert!(matches!(stage, Stage::Denied { reopened: Some(with), .. } if with == second.id), "{stage:?}");
    not_reopenable(&store.ask(reopening(first.id, "third")).await.unwrap());
    store.happen(second.id, answer("bob", Answer::Deny("no".to_owned()))).await.unwrap();
    not_reopenable(&store.ask(reopening(second.id, "fourth")).await.unwrap());
    let bodies: Vec<String> = store.ledger(0, 100).await.unwrap().into_iter().map(|entry| entry.body).collect();
    let told = |what: &str| bodies.iter().filter(|body| body.contains(&format!(r#""what":"{what}""#))).count();
    assert_eq!((told("asked"), told("reopened"), told("reopening-refused")), (2, 1, 4), "{bodies:#?}");
    assert!(bodies.iter().any(|body| body.contains(r#""reason":"copied yesterday""#)), "{bodies:#?}");
}

/// Of many who would take the place of the same question one does.
pub(crate) async fn one_of_many_takes_the_place(store: Arc<dyn Store>) {
    let first = asked(&*store, question("agent", "first")).await;
    let running: Vec<_> = (0..16)
        .map(|number| {
            let (store, new) = (Arc::clone(&store), instead_of(first.id, &format!("new {number}")));
            tokio::spawn(async move { store.ask(new).await.unwrap() })
        })
        .collect();
    let answered = store.happen(first.id, answer("ann", Answer::Approve)).await.unwrap().unwrap();
    let mut new = Vec::new();
    for one in running {
        if let Asked::New(approval) = one.await.unwrap() {
            new.push(approval.id);
        }
    }
    let stage = store.happen(first.id, Event::Tick).await.unwrap().unwrap().approval.stage;
    match (stage, new.as_slice()) {
        (Stage::Superseded { by, .. }, [one]) => assert!(by == *one && answered.outcome.is_err()),
        (Stage::Approved(_), []) => assert!(answered.outcome.is_ok()),
        other => panic!("there is one winner: {other:?}"),
    }
}
