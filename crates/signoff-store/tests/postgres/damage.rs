//! A database that holds something else than was written, or refuses to.

use signoff_gate::{Asked, Store, StoreError, Wanted};
use signoff_model::Answer;
use signoff_store::{Broken, Postgres, Timekeeper, verify};

use crate::{Fixture, suite};

/// Whoever changes, takes out or swaps entries is found out, and where.
#[tokio::test]
async fn what_was_tampered_with_is_named() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    for key in ["a", "b", "c"] {
        let id = suite::asked(&*node, suite::question("agent", key)).await.id;
        node.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap();
    }
    let untouched = node.ledger(0, 100).await.unwrap();
    assert!(verify(None, &untouched).is_ok());
    fixture.database.sql("CREATE TABLE signoff.copy AS TABLE signoff.ledger").unwrap();
    for (script, expected) in [
        ("UPDATE signoff.ledger SET body = replace(body, 'ann', 'bob') WHERE number = 2", Broken::Changed { number: 2 }),
        ("UPDATE signoff.ledger SET digest = decode(repeat('00', 32), 'hex') WHERE number = 3", Broken::Changed {
            number: 3,
        }),
        ("DELETE FROM signoff.ledger WHERE number = 2", Broken::Gap { expected: 2 }),
        ("DELETE FROM signoff.ledger WHERE number = 1", Broken::Gap { expected: 1 }),
        (
            "UPDATE signoff.ledger SET number = 99 WHERE number = 2; UPDATE signoff.ledger SET number = 2 WHERE number = 3;
             UPDATE signoff.ledger SET number = 3 WHERE number = 99",
            Broken::Changed { number: 2 },
        ),
    ] {
        fixture.database.sql(script).unwrap();
        assert_eq!(verify(None, &node.ledger(0, 100).await.unwrap()), Err(expected), "{script}");
        fixture.database.sql("TRUNCATE signoff.ledger; INSERT INTO signoff.ledger TABLE signoff.copy").unwrap();
        assert_eq!(node.ledger(0, 100).await.unwrap(), untouched);
    }
    // Whoever cuts off the end leaves a gap before what comes next: the head knows where it was.
    fixture.database.sql("DELETE FROM signoff.ledger WHERE number > 4").unwrap();
    suite::asked(&*node, suite::question("agent", "d")).await;
    assert_eq!(verify(None, &node.ledger(0, 100).await.unwrap()), Err(Broken::Gap { expected: 5 }));
}

#[tokio::test]
async fn a_newer_store_is_left_alone() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    fixture.database.sql("UPDATE signoff.version SET version = 99").unwrap();
    let newer = StoreError::Newer { found: 99, known: 3 };
    assert_eq!(fixture.connect().await.map(|_| ()), Err(newer.clone()));
    // A node that was there before notices as well, and writes nothing.
    assert_eq!(node.ask(suite::question("agent", "key")).await, Err(newer));
    assert_eq!(node.ledger(0, 10).await.unwrap(), []);
}

#[tokio::test]
async fn what_belongs_to_another_program_is_left_alone() {
    let fixture = Fixture::new();
    fixture.database.sql("CREATE SCHEMA signoff").unwrap();
    // An empty place is what an administrator prepares.
    drop(fixture.connect().await.unwrap());
    fixture
        .database
        .sql("DROP SCHEMA signoff CASCADE; CREATE SCHEMA signoff; CREATE TABLE signoff.theirs (x int)")
        .unwrap();
    let refused = fixture.connect().await.map(|_| ());
    assert!(matches!(refused, Err(StoreError::Damaged(_))), "{refused:?}");
    assert_eq!(
        fixture.database.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'signoff'::regnamespace").unwrap(),
        "1"
    );
}

#[tokio::test]
async fn an_address_that_leads_nowhere() {
    let fixture = Fixture::new();
    let url = fixture.database.url();
    let tls = format!("{url}&sslmode=require");
    for address in [
        "postgresql:///nothing?user=signoff&host=/nowhere",
        "no address at all",
        &tls,
        &url.replace("test_", "no_such_"),
        &url.replace("user=signoff", "user=nobody_known"),
    ] {
        let refused = Postgres::connect(address, Timekeeper::Given(fixture.hands.clock())).await.map(|_| ());
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{address}: {refused:?}");
    }
    let secret = "postgres://user:hunter2?hunter3=x@host/db";
    let refused = Postgres::connect(secret, Timekeeper::Database).await.map(|_| ()).unwrap_err().to_string();
    assert!(!refused.contains("hunter"), "{refused}");
}

/// What the server says when it cannot write, and how often.
fn refusing(code: &str, times: u32) -> String {
    format!(
        "CREATE SEQUENCE signoff.refused;
         CREATE FUNCTION signoff.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             IF nextval('signoff.refused') <= {times} THEN RAISE EXCEPTION 'not now' USING ERRCODE = '{code}'; END IF;
             RETURN NEW;
         END $$;
         CREATE TRIGGER refusing BEFORE INSERT ON signoff.ledger FOR EACH ROW EXECUTE FUNCTION signoff.refuse()"
    )
}

/// A full disk is told as one, and when there is room again, everything goes on.
#[tokio::test]
async fn a_full_disk_is_told_as_one() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    fixture.database.sql(&refusing("53100", 1)).unwrap();
    let full = node.ask(suite::question("agent", "key")).await;
    assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
    assert_eq!(node.ledger(0, 10).await.unwrap(), []);
    suite::asked(&*node, suite::question("agent", "key")).await;
    suite::verify_all(&*node).await;
}

#[tokio::test]
async fn whoever_was_in_the_way_is_waited_for() {
    for code in ["40001", "40P01", "55P03", "23505"] {
        let fixture = Fixture::new();
        let node = fixture.node().await;
        fixture.database.sql(&refusing(code, 3)).unwrap();
        let approval = suite::asked(&*node, suite::question("agent", "key")).await;
        assert_eq!(node.approval(approval.id).await.unwrap(), Some(approval), "{code}");
        assert_eq!(node.ledger(0, 10).await.unwrap().len(), 1, "{code}");
    }
    let fixture = Fixture::new();
    let node = fixture.node().await;
    fixture.database.sql(&refusing("40001", 1_000)).unwrap();
    let never = node.ask(suite::question("agent", "key")).await;
    assert!(matches!(never, Err(StoreError::Unavailable(_))), "{never:?}");
}

/// An approval that cannot be read is the trouble of whoever wants it, and of nobody else in the same commit.
#[tokio::test]
async fn a_damaged_approval_troubles_nobody_else() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    let broken = suite::asked(&*node, suite::question("agent", "broken")).await.id;
    let whole = suite::asked(&*node, suite::question("agent", "whole")).await.id;
    fixture.database.sql("UPDATE signoff.approvals SET record = '{}' WHERE request_key = 'broken'").unwrap();
    let (damaged, answered, again, other) = tokio::join!(
        node.happen(broken, suite::answer("ann", Answer::Approve)),
        node.happen(whole, suite::answer("ann", Answer::Approve)),
        node.ask(suite::question("agent", "broken")),
        node.ask(suite::question("agent", "other")),
    );
    assert!(matches!(damaged, Err(StoreError::Damaged(_))), "{damaged:?}");
    assert!(matches!(again, Err(StoreError::Damaged(_))), "{again:?}");
    assert_eq!(answered.unwrap().unwrap().approval.stage.name(), "approved");
    assert!(matches!(other, Ok(Asked::New(_))), "{other:?}");
    let listed = node.list(Wanted { at_most: 10, ..Wanted::default() }).await.unwrap();
    assert_eq!(listed.len(), 2, "it does not hide the others: {listed:?}");
    fixture.hands.pass(std::time::Duration::from_secs(1_000));
    let ticked = node.tick(10).await.unwrap();
    assert_eq!((ticked.ended.len(), ticked.next), (2, None), "{ticked:?}");
    let last = node.ledger(3, 100).await.unwrap();
    assert_eq!(last.iter().filter(|entry| entry.body.contains("damaged")).count(), 1, "{last:?}");
    assert!(last.iter().any(|entry| entry.approval == Some(broken) && entry.body.contains("damaged")), "{last:?}");
    // Once is enough.
    let length = node.ledger(0, 100).await.unwrap().len();
    node.tick(10).await.unwrap();
    assert_eq!(node.ledger(0, 100).await.unwrap().len(), length);
    suite::verify_all(&*node).await;
}

/// A change that the database does not take keeps nobody else's from being kept.
#[tokio::test]
async fn a_change_that_cannot_be_kept_troubles_nobody_else() {
    let fixture = Fixture::new();
    let node = fixture.node().await;
    let script = "CREATE FUNCTION signoff.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                  BEGIN
                      IF NEW.request_key = 'huge' THEN RAISE EXCEPTION 'too much' USING ERRCODE = '54000'; END IF;
                      RETURN NEW;
                  END $$;
                  CREATE TRIGGER refusing BEFORE INSERT ON signoff.approvals
                  FOR EACH ROW EXECUTE FUNCTION signoff.refuse()";
    fixture.database.sql(script).unwrap();
    let (first, refused, last) = tokio::join!(
        node.ask(suite::question("agent", "first")),
        node.ask(suite::question("agent", "huge")),
        node.ask(suite::question("agent", "last")),
    );
    assert!(matches!((first, last), (Ok(Asked::New(_)), Ok(Asked::New(_)))));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(node.ledger(0, 10).await.unwrap().len(), 2);
    suite::verify_all(&*node).await;
}
