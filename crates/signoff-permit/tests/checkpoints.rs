//! What the gate says of its ledger, and nobody else.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use signoff_permit::{Checkpoint, CheckpointError, Claims, IssuerKey, Permit, PermitError};

const KEPT: Checkpoint = Checkpoint { number: 1_000, digest: [2; 32], at: 1_700_000_000_000 };

/// This text was written by the first version, and is read by every later one.
const TEXT: &str = "sgc1.Af6BLBLzq0zmAAAAAAAAA-gCAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgAAAYvP5WgA.StdgM6c9Sb6zqe0Sad2FfTeQx_2pNAQKWWrTYveOsF91h-Mj0qBVmOue3OmT_Lics_jg2FXodC3ccjqKAok-Dg";

fn issuer() -> IssuerKey {
    IssuerKey::from_seed([7; 32])
}

#[test]
fn a_checkpoint_has_one_text() {
    assert_eq!(KEPT.sign(&issuer()), TEXT);
    assert_eq!(issuer().verifier().checkpoint(TEXT), Ok(KEPT));
    assert_eq!(IssuerKey::from_seed([8; 32]).verifier().checkpoint(TEXT), Err(CheckpointError::OtherKey));
}

/// That a ledger stood somewhere does not say that the gate has removed what was before.
#[test]
fn a_checkpoint_is_no_beginning() {
    let (verifier, beginning) = (issuer().verifier(), KEPT.sign_as_beginning(&issuer()));
    assert!(beginning.starts_with("sgb1."));
    assert_eq!(verifier.beginning(&beginning), Ok(KEPT));
    assert_eq!(verifier.checkpoint(&beginning), Err(CheckpointError::Malformed));
    assert_eq!(verifier.checkpoint(&beginning.replace("sgb1", "sgc1")), Err(CheckpointError::Forged));
    assert_eq!(verifier.beginning(TEXT), Err(CheckpointError::Malformed));
    assert_eq!(verifier.beginning(&TEXT.replace("sgc1", "sgb1")), Err(CheckpointError::Forged));
    assert_eq!(IssuerKey::from_seed([8; 32]).verifier().beginning(&beginning), Err(CheckpointError::OtherKey));
}

/// A statement of one kind is none of another, though the same key has signed both.
#[test]
fn a_permit_is_no_checkpoint() {
    let digest = [2; 32];
    let claims = Claims {
        approval: [1; 16],
        operation: digest,
        preview: digest,
        policy: digest,
        nonce: digest,
        agent: "claude".to_owned(),
        session: "s".to_owned(),
        issued_at: 0,
        expires_at: i64::MAX,
    };
    let permit = Permit::issue(claims, &issuer()).unwrap();
    let verifier = issuer().verifier();
    assert_eq!(verifier.checkpoint(permit.text()), Err(CheckpointError::Malformed));
    assert!(verifier.checkpoint(&permit.text().replace("sgp1", "sgc1")).is_err());
    assert_eq!(verifier.authentic(TEXT), Err(PermitError::Malformed));
    assert!(verifier.authentic(&TEXT.replace("sgc1", "sgp1")).is_err());
    // Bytes that fit, signed as something else.
    let signature = |text: &str| text.rsplit('.').next().unwrap().to_owned();
    let mixed = TEXT.replace(&signature(TEXT), &signature(permit.text()));
    assert_eq!(verifier.checkpoint(&mixed), Err(CheckpointError::Forged));
}

#[test]
fn what_is_no_checkpoint_is_told() {
    for text in ["", "sgc1", "sgc1..", "sgc1.AA.AA", "sgc2.AA.AA", "sgc1.AA.AA.AA"] {
        assert_eq!(issuer().verifier().checkpoint(text), Err(CheckpointError::Malformed), "{text:?}");
    }
    let newer = TEXT.replacen("sgc1.A", "sgc1.C", 1);
    assert_eq!(issuer().verifier().checkpoint(&newer), Err(CheckpointError::NewerForm));
}

proptest! {
    #[test]
    fn any_checkpoint_is_read_again(number: u64, digest: [u8; 32], at: i64) {
        let checkpoint = Checkpoint { number, digest, at };
        prop_assert_eq!(issuer().verifier().checkpoint(&checkpoint.sign(&issuer())), Ok(checkpoint));
    }

    /// One character that differs, anywhere, and it is no checkpoint.
    #[test]
    fn no_character_can_be_changed(at in any::<prop::sample::Index>(), with in "[ -~]") {
        let mut letters: Vec<char> = TEXT.chars().collect();
        let at = at.index(letters.len());
        let with = with.chars().next().unwrap();
        prop_assume!(letters[at] != with);
        letters[at] = with;
        let changed: String = letters.into_iter().collect();
        prop_assert!(issuer().verifier().checkpoint(&changed).is_err(), "{}", changed);
    }

    /// Texts of any kind are read without a panic.
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}", payload in "[A-Za-z0-9_-]{0,400}", signature in "[A-Za-z0-9_-]{86}") {
        let verifier = issuer().verifier();
        prop_assert!(verifier.checkpoint(&text).is_err());
        let checkpoint = format!("sgc1.{payload}.{signature}");
        prop_assert!(verifier.checkpoint(&checkpoint).is_err());
    }
}
