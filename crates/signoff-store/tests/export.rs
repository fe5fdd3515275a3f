//! An export of the ledger, in the hands of somebody who would like it to say something else.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod suite;

use std::{
    io::{self, BufReader, Read},
    sync::LazyLock,
};

use proptest::prelude::*;
use signoff_gate::Store;
use signoff_model::Answer;
use signoff_permit::{CheckpointError, IssuerKey};
use signoff_store::{
    Broken, CHECKPOINTS, Flaw, Flawed, Impossible, LedgerError, Sqlite, checkpoint_now, verify_export,
};
use suite::{
    Hands,
    checkpoints::{exported, grow, issuer, keys},
};

/// A ledger with two checkpoints and two entries behind them: twelve lines.
static EXPORT: LazyLock<String> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&directory.path().join("signoff.db"), Hands::new().clock()).unwrap();
        let id = suite::asked(&store, suite::question("agent", "key")).await.id;
        store.happen(id, suite::answer("ann", Answer::Approve)).await.unwrap();
        store.happen(id, suite::redeem("agent")).await.unwrap();
        checkpoint_now(&store, &issuer()).await.unwrap();
        grow(&store, 5).await;
        checkpoint_now(&store, &issuer()).await.unwrap();
        grow(&store, 2).await;
        exported(&store).await
    })
});

/// What is wrong with other lines.
fn flaw(lines: &[&str]) -> Result<(u64, Option<u64>), Flawed> {
    verify_export(lines.join("\n").as_bytes(), &keys())
        .map(|verified| (verified.last, verified.up_to.map(|checkpoint| checkpoint.number)))
}

#[test]
fn the_first_flaw_is_named() {
    let lines: Vec<&str> = EXPORT.lines().collect();
    assert_eq!(lines.len(), 12);
    assert_eq!(flaw(&lines), Ok((10, Some(8))));
    let told = |line, flaw: Flaw| Err(Flawed { line, flaw });
    let without = |at: usize| lines.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, line)| *line).collect();
    let taken_out: Vec<&str> = without(1);
    assert_eq!(flaw(&taken_out), told(2, Broken::Gap { expected: 2 }.into()));
    assert_eq!(flaw(&lines[1..]), told(1, Broken::Gap { expected: 1 }.into()));
    assert_eq!(flaw(&[&lines[..2], &lines[1..]].concat()), told(3, Broken::Gap { expected: 3 }.into()));
    let changed = lines[1].replace("ann", "bob");
    let mut with = lines.clone();
    with[1] = &changed;
    assert_eq!(flaw(&with), told(2, Broken::Changed { number: 2 }.into()));
    // What stands beside the text is what the text says.
    let beside = lines[1].replacen("\"at\":1000000", "\"at\":1000001", 1);
    with[1] = &beside;
    assert_eq!(flaw(&with), told(2, Broken::Changed { number: 2 }.into()));
    // A checkpoint elsewhere than behind its entry, of another key, or made up.
    let mut moved = lines.clone();
    moved.swap(2, 3);
    assert_eq!(flaw(&moved), told(3, Broken::Checkpoint { number: 3 }.into()));
    let forged = lines[3].replace("\"}", "A\"}");
    with = lines.clone();
    with[3] = &forged;
    assert_eq!(flaw(&with), told(4, CheckpointError::Malformed.into()));
    let other = verify_export(EXPORT.as_bytes(), &[IssuerKey::from_seed([8; 32]).verifier()]);
    assert_eq!(other.unwrap_err().flaw, Flaw::Checkpoint(CheckpointError::OtherKey));
    for odd in ["{}", "[]", "null", "x", "{\"number\":1}", &lines[1].replace("{\"number\"", "{ \"number\"")] {
        with = lines.clone();
        with[1] = odd;
        assert_eq!(flaw(&with), told(2, Flaw::NoLine { expected: 2 }), "{odd}");
    }
    assert_eq!(flaw(&taken_out).unwrap_err().to_string(), "line 2: entry 2 is missing");
}

/// Who cuts off the end behind the last checkpoint is not found out, and that is what is said; who cuts off more is.
#[test]
fn what_is_behind_the_last_checkpoint_is_not_vouched_for() {
    let lines: Vec<&str> = EXPORT.lines().collect();
    assert_eq!(flaw(&lines[..11]), Ok((9, Some(8))));
    assert_eq!(flaw(&lines[..10]), Ok((8, Some(8))));
    assert_eq!(flaw(&lines[..9]), Ok((8, Some(3))));
    assert_eq!(flaw(&lines[..3]), Ok((3, None)));
    let cut: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != 8).map(|(_, line)| *line).collect();
    assert_eq!(flaw(&cut), Err(Flawed { line: 9, flaw: Broken::Checkpoint { number: 8 }.into() }));
}

/// A ledger that was cut or written anew is exported as it is, and neither verified nor signed.
#[tokio::test]
async fn a_ledger_that_was_written_anew_is_not_signed() {
    for (script, broken) in [
        ("DELETE FROM ledger WHERE number > 4", Broken::Checkpoint { number: 8 }),
        ("UPDATE ledger SET digest = zeroblob(32) WHERE number = 8", Broken::Checkpoint { number: 8 }),
        ("UPDATE ledger SET body = replace(body, 'allowed', 'denied') WHERE number = 9", Broken::Changed { number: 9 }),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("signoff.db");
        let store = Sqlite::open(&path, Hands::new().clock()).unwrap();
        grow(&store, 8).await;
        checkpoint_now(&store, &issuer()).await.unwrap();
        grow(&store, 4).await;
        rusqlite::Connection::open(&path).unwrap().execute_batch(script).unwrap();
        assert_eq!(checkpoint_now(&store, &issuer()).await, Err(LedgerError::Broken(broken)), "{script}");
        let export = exported(&store).await;
        assert!(verify_export(export.as_bytes(), &keys()).is_err(), "{script}");
        assert_eq!(store.items(CHECKPOINTS, None, 10).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn checkpoints_are_read_in_pages() {
    let directory = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&directory.path().join("signoff.db"), Hands::new().clock()).unwrap();
    suite::checkpoints::many_checkpoints(&store, 1_300).await;
}

/// A text without an end, of which nobody holds more than a line.
struct Endless {
    repeated: &'static [u8],
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.left).min(self.repeated.len());
        buffer[..length].copy_from_slice(&self.repeated[..length]);
        self.left -= length;
        Ok(length)
    }
}

#[test]
fn a_line_without_an_end_is_not_waited_for() {
    let endless = |repeated| BufReader::new(Endless { repeated, left: usize::MAX });
    let refused = verify_export(endless(b"x"), &keys());
    assert_eq!(refused, Err(Flawed { line: 1, flaw: Flaw::NoLine { expected: 1 } }));
    let nested = verify_export(endless(b"[[[[[[[["), &keys());
    assert_eq!(nested, Err(Flawed { line: 1, flaw: Flaw::NoLine { expected: 1 } }));
    struct Broke;
    impl Read for Broke {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let unread = verify_export(BufReader::new(Broke), &keys());
    assert_eq!(unread, Err(Flawed { line: 1, flaw: Flaw::Unread("the disk is gone".to_owned()) }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(2_000 * suite::cases()).unwrap()))]

    /// One byte that differs, anywhere: it is told, or it is a blank at the end of a line.
    #[test]
    fn no_byte_can_be_changed(at in any::<prop::sample::Index>(), with: u8) {
        let mut bytes = EXPORT.clone().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != with);
        bytes[at] = with;
        if verify_export(&bytes[..], &keys()).is_ok() {
            let lines = |text: &[u8]| -> Vec<Vec<u8>> {
                let lines = text.split(|byte| *byte == b'\n').map(|line| line.trim_ascii().to_vec());
                lines.filter(|line| !line.is_empty()).collect()
            };
            prop_assert_eq!(lines(&bytes), lines(EXPORT.as_bytes()), "{} at {}", with, at);
        }
    }

    /// Lines of any kind are read without a panic.
    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400), text in "[{}\\[\\]\",:0-9a-z\\\\\n ]{0,200}") {
        let _ = verify_export(&bytes[..], &keys());
        let _ = verify_export(text.as_bytes(), &keys());
        let behind = format!("{}{text}", *EXPORT);
        let _ = verify_export(behind.as_bytes(), &keys());
    }
}

/// A gate that was led to believe in a yes which nobody gave has written a ledger that holds together, and signed it.
#[tokio::test]
async fn a_redemption_without_a_yes_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&directory.path().join("signoff.db"), Hands::new().clock()).unwrap();
    let id = suite::asked(&store, suite::question("agent", "key")).await.id;
    let by = signoff_model::Actor::Agent(suite::requester("agent"));
    let details = vec![("stage", "redeemed".to_owned())];
    let redeemed = signoff_model::Deed { what: "redeemed", by, approval: Some(id), details };
    store.record(vec![redeemed]).await.unwrap();
    checkpoint_now(&store, &issuer()).await.unwrap();
    let flaw = Broken::Impossible { number: 2, why: Impossible::NoYes }.into();
    assert_eq!(verify_export(exported(&store).await.as_bytes(), &keys()), Err(Flawed { line: 2, flaw }));
}
