//! Whose store it is, how many questions wait in it, and whether it can work.

use signoff_gate::Store;
use signoff_model::{Actor, Answer};
use signoff_permit::IssuerKey;
use signoff_store::{NotOwned, checkpoint_now, own, take_over, told};

use super::{answer, asked, checkpoints::grow, question};

/// The first key that comes has the store, on whichever node, and another one only on purpose.
pub(crate) async fn the_first_key_has_it(nodes: [&dyn Store; 2]) {
    let (ours, other) = (IssuerKey::from_seed([1; 32]).verifier(), IssuerKey::from_seed([2; 32]).verifier());
    own(nodes[0], &ours).await.unwrap();
    for node in nodes {
        own(node, &ours).await.unwrap();
        let kept = Some(ours.to_string());
        assert_eq!(own(node, &other).await, Err(NotOwned::OtherKey { kept }));
    }
    assert!(nodes[0].ledger(0, 10).await.unwrap().is_empty(), "nothing has changed");
    take_over(nodes[1], &other, &Actor::Gate).await.unwrap();
    own(nodes[0], &other).await.unwrap();
    assert!(own(nodes[0], &ours).await.is_err());
    let entries = nodes[0].ledger(0, 10).await.unwrap();
    let changed = told(&entries[0].body).unwrap();
    assert_eq!((entries.len(), changed.what.as_str()), (1, "key-changed"));
    assert_eq!((&changed.details["from"], &changed.details["to"]), (&ours.to_string(), &other.to_string()));
}

/// A store of an earlier version knows no key, and has checkpoints of one.
pub(crate) async fn a_signature_tells_whose_it_is(store: &dyn Store) {
    let (ours, other) = (IssuerKey::from_seed([1; 32]), IssuerKey::from_seed([2; 32]));
    grow(store, 3).await;
    checkpoint_now(store, &ours).await.unwrap();
    assert_eq!(own(store, &other.verifier()).await, Err(NotOwned::OtherKey { kept: None }));
    own(store, &ours.verifier()).await.unwrap();
}

/// All questions that wait are counted, and no others.
pub(crate) async fn what_waits_is_counted(store: &dyn Store) {
    assert_eq!(store.pending().await, Ok(0));
    for number in 0..250 {
        asked(store, question("agent", &format!("key {number}"))).await;
    }
    let decided = asked(store, question("agent", "decided")).await.id;
    assert_eq!(store.pending().await, Ok(251));
    store.happen(decided, answer("ann", Answer::Approve)).await.unwrap();
    assert_eq!(store.pending().await, Ok(250));
    assert_eq!(store.ready().await, Ok(()));
}
