//! Small things that are kept by name.

use std::sync::Arc;

use signoff_gate::{Change, Item, Store, StoreError};
use signoff_model::{Actor, Deed};

use super::{Hands, verify_all};

const SHELF: &str = "people";

pub(crate) fn change(name: &str, from: Option<&str>, to: Option<&str>) -> Change {
    let (from, to) = (from.map(str::to_owned), to.map(str::to_owned));
    Change { shelf: SHELF, name: name.to_owned(), from, to, deed: None }
}

/// The same, with a line in the ledger.
fn told(change: Change) -> Change {
    let details = vec![("name", change.name.clone())];
    Change { deed: Some(Deed { what: "person-changed", by: Actor::Gate, approval: None, details }), ..change }
}

async fn lines(store: &dyn Store) -> usize {
    store.ledger(0, 1_000).await.unwrap().len()
}

/// A thing is changed by who has seen what it is, and by nobody else; with its line in the ledger, or without one.
pub(crate) async fn a_change_counts_from_what_was_seen(store: &dyn Store) {
    assert_eq!(store.item(SHELF, "ann").await.unwrap(), None);
    for (from, to, counts) in [
        (Some("x"), Some("y"), false),
        (Some("x"), None, false),
        (None, Some("x"), true),
        (None, Some("y"), false),
        (Some("y"), Some("z"), false),
        (Some("y"), None, false),
        (Some("x"), Some("y"), true),
        // Who only makes sure changes nothing.
        (Some("y"), Some("y"), true),
        (Some("x"), Some("x"), false),
        (Some("y"), None, true),
        (None, None, true),
        (None, Some(""), true),
        (Some(""), Some("again"), true),
    ] {
        let (before, entries) = (store.item(SHELF, "ann").await.unwrap(), lines(store).await);
        let said = store.change(vec![told(change("ann", from, to))]).await.unwrap();
        assert_eq!(said, counts, "{from:?} {to:?}");
        let expected = if counts { to.map(str::to_owned) } else { before };
        assert_eq!(store.item(SHELF, "ann").await.unwrap(), expected, "{from:?} {to:?}");
        assert_eq!(lines(store).await, entries + usize::from(counts), "{from:?} {to:?}");
    }
    let entries = lines(store).await;
    assert!(store.change(vec![change("ann", Some("again"), Some("quietly"))]).await.unwrap());
    assert!(store.change(Vec::new()).await.unwrap());
    assert_eq!(lines(store).await, entries);
    assert_eq!(store.item(SHELF, "ann").await.unwrap().as_deref(), Some("quietly"));
    // The same name on another shelf is another thing.
    assert_eq!(store.item("keys", "ann").await.unwrap(), None);
    verify_all(store).await;
}

/// All of several changes, or none.
pub(crate) async fn changes_go_together(store: &dyn Store) {
    let both = |from: Option<&str>, to: &str| {
        vec![told(change("a", from, Some(to))), told(change("b", from, Some(to))), change("c", from, Some(to))]
    };
    assert!(store.change(both(None, "1")).await.unwrap());
    assert_eq!(lines(store).await, 2);
    assert!(store.change(vec![change("c", Some("1"), Some("other"))]).await.unwrap());
    assert!(!store.change(both(Some("1"), "2")).await.unwrap());
    assert_eq!(lines(store).await, 2);
    for name in ["a", "b"] {
        assert_eq!(store.item(SHELF, name).await.unwrap().as_deref(), Some("1"));
    }
    // What cannot be kept takes all others with it.
    let with_bad = vec![told(change("a", Some("1"), None)), change("d", None, Some("a\0b"))];
    assert!(matches!(store.change(with_bad).await, Err(StoreError::Unkeepable(_))));
    assert_eq!(store.item(SHELF, "a").await.unwrap().as_deref(), Some("1"));
    // A second change sees what the first has made of it.
    let twice = vec![change("a", Some("1"), Some("2")), change("a", Some("2"), None), change("e", None, Some("a"))];
    assert!(store.change(twice).await.unwrap());
    assert!(!store.change(vec![change("e", Some("a"), None), change("e", Some("a"), None)]).await.unwrap());
    let kept: Vec<String> = store.items(SHELF, None, 10).await.unwrap().into_iter().map(|item| item.name).collect();
    assert_eq!(kept, ["b", "c", "e"]);
    verify_all(store).await;
}

/// Of many who change the same from the same, on all nodes, one does.
pub(crate) async fn one_changer_wins(nodes: &[Arc<dyn Store>], rounds: usize) {
    let store = &nodes[0];
    let mut seen: Option<String> = None;
    for round in 0..rounds {
        let running: Vec<_> = (0..32)
            .zip(nodes.iter().cycle())
            .map(|(number, store)| {
                let (store, to) = (Arc::clone(store), format!("{round} {number}"));
                // Half of them leave no line in the ledger.
                let change = change("contended", seen.as_deref(), Some(&to));
                let change = if number % 2 == 0 { told(change) } else { change };
                tokio::spawn(async move { (store.change(vec![change]).await.unwrap(), to, number % 2) })
            })
            .collect();
        let before = lines(&**store).await;
        let mut won = Vec::new();
        for one in running {
            let (counts, to, quiet) = one.await.unwrap();
            if counts {
                won.push((to, quiet));
            }
        }
        assert_eq!(won.len(), 1, "{won:?}");
        assert!(lines(&**store).await <= before + 1);
        seen = Some(won.remove(0).0);
        for node in nodes {
            assert_eq!(node.item(SHELF, "contended").await.unwrap(), seen);
        }
    }
    verify_all(&**store).await;
}

/// Names of every kind are kept as they are, and come in the order of their bytes.
pub(crate) async fn shelves_are_paged_by_name(store: &dyn Store) {
    let long = "x".repeat(200);
    let mut names = vec![
        "",
        " ",
        "'",
        "\"",
        "\\",
        "%",
        "_",
        "a",
        "A",
        "aa",
        "a b",
        "a'b\"c",
        "Z",
        "z",
        "zz",
        "é",
        "e\u{301}",
        "İ",
        "ß",
        "李雷",
        "🦀",
        "\u{ffff}",
        "\u{10ffff}",
        "\u{1}",
        "a\nb",
        "\u{202e}",
        "{}",
        "$1",
        "?1",
        &long,
    ];
    for name in &names {
        assert!(store.change(vec![change(name, None, Some(&format!("of {name}")))]).await.unwrap(), "{name:?}");
    }
    let elsewhere = Change { shelf: "keys", ..change("b", None, Some("on another shelf")) };
    assert!(store.change(vec![elsewhere]).await.unwrap());
    names.sort_unstable_by(|one, other| one.as_bytes().cmp(other.as_bytes()));
    let (mut seen, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = store.items(SHELF, after.as_deref(), 7).await.unwrap();
        assert!(page.len() <= 7);
        let Some(last) = page.last() else { break };
        after = Some(last.name.clone());
        seen.extend(page);
    }
    let item = |name: &&str| Item { name: (*name).to_owned(), text: format!("of {name}") };
    assert_eq!(seen, names.iter().map(item).collect::<Vec<_>>());
    for name in &names {
        assert_eq!(store.item(SHELF, name).await.unwrap(), Some(format!("of {name}")));
    }
    assert_eq!(store.items("nothing", None, 10).await.unwrap(), []);
    assert_eq!(store.items(SHELF, None, 0).await.unwrap(), []);
}

/// What one store could not keep, none does.
pub(crate) async fn what_cannot_be_kept_is_refused(store: &dyn Store) {
    let (most, too_much) = ("x".repeat(256 * 1_024), "x".repeat(256 * 1_024 + 1));
    for (name, text) in
        [("a", "a\0b"), ("a", "\0"), ("a\0", "a"), ("a", too_much.as_str()), (&"x".repeat(1_025), "long name")]
    {
        let refused = store.change(vec![told(change(name, None, Some(text)))]).await;
        assert!(matches!(refused, Err(StoreError::Unkeepable(_))), "{refused:?}");
    }
    assert_eq!((lines(store).await, store.items(SHELF, None, 10).await.unwrap()), (0, Vec::new()));
    // Nothing like it is ever there, and nobody can have seen it.
    assert_eq!(store.item(SHELF, "a\0").await.unwrap(), None);
    assert!(store.change(vec![change("a", None, Some(&most)), change("b", None, Some("b"))]).await.unwrap());
    assert!(!store.change(vec![change("b", Some("b\0"), None)]).await.unwrap());
    assert_eq!(store.items(SHELF, Some("a\0b"), 10).await.unwrap().len(), 1);
    assert_eq!(store.items(SHELF, Some("\0"), 10).await.unwrap().len(), 2);
    assert_eq!(store.item(SHELF, "a").await.unwrap(), Some(most));
}

/// The time is what the next entry gets.
pub(crate) async fn the_store_tells_the_time(store: &dyn Store, hands: &Hands) {
    assert_eq!(store.now().await.unwrap(), hands.now());
    hands.pass(std::time::Duration::from_secs(7));
    let now = store.now().await.unwrap();
    assert_eq!(now, hands.now());
    store.change(vec![told(change("ann", None, Some("x")))]).await.unwrap();
    assert_eq!(store.ledger(0, 1).await.unwrap()[0].at, now);
}
