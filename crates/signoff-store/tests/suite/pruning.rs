//! Old entries go, what is left can still be checked, and whoever cuts a ledger off otherwise is found out.

use std::{sync::Arc, time::Duration};

use signoff_gate::Store;
use signoff_model::{Actor, Answer};
use signoff_permit::{CheckpointError, IssuerKey};
use signoff_store::{
    Broken, CHECKPOINTS, Flaw, LedgerError, Pruned, Verified, beginning, checkpoint_now, prune, stats, told,
    verify_export,
};

use super::{
    Hands, answer, asked,
    checkpoints::{exported, grow, issuer, keys},
    question,
};

pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) async fn pruned(store: &dyn Store, older_than: Duration) -> Option<(u64, u64)> {
    let pruned = prune(store, &issuer(), older_than, &Actor::Gate).await.unwrap();
    pruned.map(|Pruned { from, up_to }| (from, up_to.number))
}

async fn numbers(store: &dyn Store) -> Vec<u64> {
    store.ledger(0, 1_000).await.unwrap().iter().map(|entry| entry.number).collect()
}

async fn verified(store: &dyn Store) -> Result<Verified, Flaw> {
    verify_export(exported(store).await.as_bytes(), &keys()).map_err(|flawed| flawed.flaw)
}

/// Entries that are old enough go up to a checkpoint; the ledger says so, and what is left is verified from there on.
pub(crate) async fn old_entries_go(store: &dyn Store, hands: &Hands) {
    let key = issuer();
    assert_eq!(pruned(store, DAY).await, None, "there is nothing");
    grow(store, 4).await;
    hands.pass(2 * DAY);
    assert_eq!(pruned(store, DAY).await, None, "nothing is signed");
    let first = checkpoint_now(store, &key).await.unwrap().unwrap();
    grow(store, 3).await;
    checkpoint_now(store, &key).await.unwrap();
    assert_eq!(pruned(store, 3 * DAY).await, None, "nothing is as old as that");
    assert_eq!(pruned(store, DAY).await, Some((1, 4)));
    assert_eq!(numbers(store).await, [5, 6, 7, 8]);
    let entry = told(&store.ledger(7, 1).await.unwrap()[0].body).unwrap();
    assert_eq!(entry.what, "pruned");
    let digest = signoff_model::Digest::from_bytes(first.digest).to_string();
    for (name, value) in [("from", "1"), ("to", "4"), ("digest", &digest), ("older-than", "86400s")] {
        assert_eq!(entry.details[name], value, "{name}");
    }
    let place = issuer().verifier().beginning(&beginning(store).await.unwrap().unwrap().text).unwrap();
    assert_eq!((place.number, place.digest), (first.number, first.digest));
    let whole = verified(store).await.unwrap();
    assert_eq!((whole.begins, whole.last, whole.up_to.unwrap().number), (Some(place), 8, 7));
    assert_eq!(stats(store).await.unwrap().entries, 4);
    assert_eq!(pruned(store, DAY).await, None, "it is done");

    // It goes on from there, also where everything that is signed is gone.
    hands.pass(2 * DAY);
    let last = checkpoint_now(store, &key).await.unwrap().unwrap();
    assert_eq!(last.number, 8);
    assert_eq!(pruned(store, DAY).await, Some((5, 8)));
    assert_eq!(numbers(store).await, [9]);
    assert_eq!(store.items(CHECKPOINTS, None, 10).await.unwrap().len(), 1);
    assert_eq!(verified(store).await.unwrap().last, 9);
    grow(store, 2).await;
    assert_eq!(checkpoint_now(store, &key).await.unwrap().unwrap().number, 11);
    assert_eq!(verified(store).await.unwrap().up_to.unwrap().number, 11);

    // A new key goes on as well; whoever verifies needs both.
    let other = IssuerKey::from_seed([8; 32]);
    grow(store, 1).await;
    assert_eq!(checkpoint_now(store, &other).await.unwrap().unwrap().number, 12);
    assert_eq!(verified(store).await.unwrap_err(), Flaw::Checkpoint(CheckpointError::OtherKey));
    let both = [other.verifier(), issuer().verifier()];
    assert_eq!(verify_export(exported(store).await.as_bytes(), &both).unwrap().last, 12);
    hands.pass(2 * DAY);
    assert_eq!(prune(store, &other, DAY, &Actor::Gate).await.unwrap().unwrap().up_to.number, 12);
    assert_eq!(verify_export(exported(store).await.as_bytes(), &[other.verifier()]).unwrap().last, 13);
}

/// Nothing goes that is about an approval on which time still runs, however old it is.
pub(crate) async fn what_is_open_stays(store: &dyn Store, hands: &Hands) {
    grow(store, 2).await;
    let mut new = question("agent", "open");
    (new.terms.decide_within, new.terms.run_within) = (30 * DAY, DAY);
    checkpoint_now(store, &issuer()).await.unwrap();
    let id = asked(store, new).await.id;
    grow(store, 2).await;
    checkpoint_now(store, &issuer()).await.unwrap();
    assert_eq!(store.first_open().await.unwrap(), Some(3));
    hands.pass(10 * DAY);
    assert_eq!(pruned(store, DAY).await, Some((1, 2)));
    assert_eq!(numbers(store).await, [3, 4, 5, 6]);
    assert_eq!(pruned(store, DAY).await, None);
    store.happen(id, answer("ann", Answer::Approve)).await.unwrap();
    checkpoint_now(store, &issuer()).await.unwrap();
    hands.pass(DAY / 2);
    assert_eq!(pruned(store, DAY).await, None, "the yes can be used");
    hands.pass(2 * DAY);
    store.tick(10).await.unwrap();
    assert_eq!(store.first_open().await.unwrap(), None);
    assert_eq!(pruned(store, DAY).await, Some((3, 7)));
    assert!(store.approval(id).await.unwrap().is_some());
    verified(store).await.unwrap();
}

/// What was cut, changed or made up is told, and neither signed nor shortened.
pub(crate) async fn no_other_end_is_cut_off(store: &dyn Store, hands: &Hands) {
    for _ in 0..3 {
        grow(store, 3).await;
        checkpoint_now(store, &issuer()).await.unwrap();
    }
    hands.pass(2 * DAY);
    grow(store, 1).await;
    assert_eq!(pruned(store, DAY).await, Some((1, 9)));
    grow(store, 2).await;
    checkpoint_now(store, &issuer()).await.unwrap();
    let export = exported(store).await;
    let lines: Vec<&str> = export.lines().collect();
    assert!(lines[0].starts_with("{\"beginning\":\"sgb1."), "{}", lines[0]);
    let flaw = |lines: &[&str]| verify_export(lines.join("\n").as_bytes(), &keys()).map_err(|flawed| flawed.flaw);
    assert!(flaw(&lines).is_ok());
    assert_eq!(flaw(&lines[1..]), Err(Broken::Checkpoint { number: 9 }.into()));
    assert_eq!(flaw(&lines[2..]), Err(Broken::Gap { expected: 1 }.into()));
    // One more entry is gone than the gate has removed.
    let mut cut = lines.clone();
    cut.remove(2);
    assert_eq!(flaw(&cut), Err(Broken::Gap { expected: 10 }.into()));
    // The gate's word that the ledger stood somewhere is not its word that it has removed what was before.
    let (_, last) = lines.split_last().map(|(last, rest)| (rest, *last)).unwrap();
    let made_up = last.replace("checkpoint", "beginning");
    assert_eq!(flaw(&[&made_up]), Err(CheckpointError::Malformed.into()));
    let renamed = made_up.replace("sgc1", "sgb1");
    assert_eq!(flaw(&[&renamed]), Err(CheckpointError::Forged.into()));
    // The end that tells of the removal is missing.
    assert_eq!(flaw(&lines[..3]), Err(Flaw::Untold { number: 9 }));
    // A beginning from before, behind what it is about.
    let mut twice = lines.clone();
    twice.push(lines[0]);
    assert_eq!(flaw(&twice), Err(Flaw::Beginning { number: 9 }));
    let changed = lines[3].replace("allowed", "blocked").replace("pruned", "allowed");
    cut = lines.clone();
    cut[3] = &changed;
    assert_eq!(flaw(&cut), Err(Broken::Changed { number: 11 }.into()));
}

/// Several nodes remove at the same time, and others write: each stretch goes once, and nothing else does.
pub(crate) async fn many_prune_at_once(nodes: &[Arc<dyn Store>], hands: &Hands, rounds: usize) {
    for _ in 0..rounds {
        grow(&*nodes[0], 20).await;
        checkpoint_now(&*nodes[0], &issuer()).await.unwrap();
        hands.pass(2 * DAY);
        let each = nodes.iter().cycle().take(6).cloned().enumerate();
        let running: Vec<_> = each
            .map(|(at, node)| {
                tokio::spawn(async move {
                    if at % 3 == 2 {
                        grow(&*node, 5).await;
                        return None;
                    }
                    prune(&*node, &issuer(), DAY, &Actor::Gate).await.unwrap()
                })
            })
            .collect();
        let mut won = 0;
        for one in running {
            won += usize::from(one.await.unwrap().is_some());
        }
        assert_eq!(won, 1);
        verified(&*nodes[0]).await.unwrap();
    }
}

/// A store that was damaged is left as it is.
pub(crate) async fn refuses(store: &dyn Store, broken: Broken) {
    let refused = prune(store, &issuer(), DAY, &Actor::Gate).await;
    assert_eq!(refused, Err(LedgerError::Broken(broken)));
}
