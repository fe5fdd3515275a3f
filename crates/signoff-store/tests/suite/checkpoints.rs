//! Signed statements about the ledger, and what can be told of it by whoever has a copy.

use signoff_gate::{Change, Store};
use signoff_model::{Actor, Deed};
use signoff_permit::{IssuerKey, VerifierKey};
use signoff_store::{CHECKPOINTS, Export, Verified, checkpoint, checkpoint_after, checkpoint_now, verify_export};

pub(crate) fn issuer() -> IssuerKey {
    IssuerKey::from_seed([7; 32])
}

pub(crate) fn keys() -> [VerifierKey; 1] {
    [issuer().verifier()]
}

/// Adds so many entries.
pub(crate) async fn grow(store: &dyn Store, entries: usize) {
    let deed = |number| Deed {
        what: "allowed",
        by: Actor::Gate,
        approval: None,
        details: vec![("number", format!("{number}")), ("words", "a \"quote\"\n换行\u{1b}".to_owned())],
    };
    store.record((0..entries).map(deed).collect()).await.unwrap();
}

pub(crate) async fn exported(store: &dyn Store) -> String {
    let mut export = Export::new(store);
    let mut text = String::new();
    while let Some(lines) = export.next().await.unwrap() {
        text.push_str(&lines);
    }
    text
}

/// A checkpoint is made in time and on demand, and an export with them is checked by its reader alone.
pub(crate) async fn a_ledger_is_signed(store: &dyn Store) {
    let key = issuer();
    assert_eq!(checkpoint(store, &key).await.unwrap(), None);
    assert_eq!(checkpoint_now(store, &key).await.unwrap(), None);
    assert_eq!(verify_export(exported(store).await.as_bytes(), &keys()), Ok(Verified::default()));
    grow(store, 999).await;
    assert_eq!(checkpoint(store, &key).await.unwrap(), None);
    grow(store, 1).await;
    let first = checkpoint(store, &key).await.unwrap().expect("a thousand entries");
    assert_eq!(first.number, 1_000);
    assert_eq!(first.digest, *store.ledger(999, 1).await.unwrap()[0].digest.as_bytes());
    assert_eq!(checkpoint(store, &key).await.unwrap(), None);
    assert_eq!(checkpoint_now(store, &key).await.unwrap(), Some(first), "there is one already");
    assert_eq!(checkpoint_after(store, &key, 0).await.unwrap(), None, "it has not grown");
    grow(store, 3).await;
    assert_eq!(checkpoint(store, &key).await.unwrap(), None);
    assert_eq!(checkpoint_after(store, &key, 4).await.unwrap(), None);
    let second = checkpoint_now(store, &key).await.unwrap().expect("there are more entries");
    assert_eq!(second.number, 1_003);
    grow(store, 2).await;
    let export = exported(store).await;
    assert_eq!(export.lines().count(), 1_005 + 2);
    let verified = Verified { begins: None, last: 1_005, up_to: Some(second) };
    assert_eq!(verify_export(export.as_bytes(), &keys()), Ok(verified));
    // A new key begins anew, and whoever checks needs both.
    let other = IssuerKey::from_seed([8; 32]);
    let third = checkpoint(store, &other).await.unwrap().expect("nothing is signed with this key yet");
    assert_eq!(third.number, 1_005);
    let export = exported(store).await;
    let both = [other.verifier(), issuer().verifier()];
    assert_eq!(verify_export(export.as_bytes(), &both), Ok(Verified { begins: None, last: 1_005, up_to: Some(third) }));
    assert!(verify_export(export.as_bytes(), &keys()).is_err());
    let names: Vec<String> =
        store.items(CHECKPOINTS, None, 10).await.unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["00000000000000001000", "00000000000000001003", "00000000000000001005"]);
}

/// More checkpoints than are read at a time, each behind its entry.
pub(crate) async fn many_checkpoints(store: &dyn Store, count: u64) {
    grow(store, usize::try_from(count).unwrap() + 10).await;
    let entries = store.ledger(0, 1_000).await.unwrap();
    let rest = store.ledger(1_000, 1_000).await.unwrap();
    let key = issuer();
    let kept = entries.iter().chain(&rest).take(usize::try_from(count).unwrap()).map(|entry| {
        let signed =
            signoff_permit::Checkpoint { number: entry.number, digest: *entry.digest.as_bytes(), at: 0 }.sign(&key);
        let name = format!("{:020}", entry.number);
        Change { shelf: CHECKPOINTS, name, from: None, to: Some(signed), deed: None }
    });
    assert!(store.change(kept.collect()).await.unwrap());
    let export = exported(store).await;
    assert_eq!(export.matches("sgc1").count(), usize::try_from(count).unwrap());
    let verified = verify_export(export.as_bytes(), &keys()).unwrap();
    assert_eq!((verified.last, verified.up_to.unwrap().number), (count + 10, count));
}
