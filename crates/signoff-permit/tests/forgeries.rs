//! Nobody but the gate makes a permit, and nothing of one can be changed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use signoff_permit::{Claims, IssuerKey, Permit, PermitError, VerifierKey};

fn claims() -> Claims {
    Claims {
        approval: [1; 16],
        operation: [2; 32],
        preview: [3; 32],
        policy: [4; 32],
        nonce: [5; 32],
        agent: "claude".to_owned(),
        session: "会话 1".to_owned(),
        issued_at: 1_000,
        expires_at: 2_000,
    }
}

fn issuer() -> IssuerKey {
    IssuerKey::from_seed([7; 32])
}

#[test]
fn a_permit_says_what_was_issued() {
    let permit = Permit::issue(claims(), &issuer()).unwrap();
    assert_eq!(issuer().verifier().verify(permit.text(), 1_999), Ok(claims()));
    assert_eq!(issuer().verifier().verify(permit.text(), 2_000), Err(PermitError::Expired));
    assert_eq!(issuer().verifier().authentic(permit.text()), Ok(claims()));
    assert_eq!(IssuerKey::from_seed([8; 32]).verifier().verify(permit.text(), 1_999), Err(PermitError::OtherKey));
    // A token that opens doors does not reach a log by accident.
    assert_eq!(format!("{permit:?}"), "Permit(…)");
}

#[test]
fn what_is_no_permit_is_told() {
    let verifier = issuer().verifier();
    for text in ["", "sgp1", "sgp1..", "sgp1.AA.AA", "sgp2.AA.AA", "yes", "sgp1.AA.AA.AA", "\u{202e}"] {
        assert_eq!(verifier.verify(text, 0), Err(PermitError::Malformed), "{text:?}");
    }
    assert_eq!(verifier.verify(&"sgp1.".repeat(1_000), 0), Err(PermitError::Malformed));
    let long = Claims { agent: "x".repeat(256), ..claims() };
    assert_eq!(Permit::issue(long, &issuer()).map(|_| ()), Err(PermitError::NameTooLong));
}

#[test]
fn keys_have_one_spelling() {
    let verifier = issuer().verifier();
    assert_eq!(VerifierKey::parse(&format!("{verifier}\n")), Ok(verifier));
    // The neutral element: every signature of zeros would fit.
    let weak = "sgk1.AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for text in ["", "sgk1.", "sgk1.AAAA", weak] {
        assert_eq!(VerifierKey::parse(text), Err(PermitError::NoKey), "{text}");
    }
}

/// A permit of one gate with the id of another key in it was not issued by that key.
#[test]
fn a_name_is_no_signature() {
    let other = IssuerKey::from_seed([8; 32]);
    let real = Permit::issue(claims(), &issuer()).unwrap();
    let forged = Permit::issue(claims(), &other).unwrap();
    let payload = |permit: &Permit| permit.text().split('.').nth(1).unwrap().to_owned();
    let signature = |permit: &Permit| permit.text().split('.').nth(2).unwrap().to_owned();
    let mixed = format!("sgp1.{}.{}", payload(&real), signature(&forged));
    assert_eq!(issuer().verifier().verify(&mixed, 1_500), Err(PermitError::Forged));
}

proptest! {
    /// Whatever is said is read again as it was.
    #[test]
    fn any_claims_are_read_again(
        approval: [u8; 16],
        operation: [u8; 32],
        nonce: [u8; 32],
        agent in "\\PC{0,60}",
        session in "\\PC{0,60}",
        issued_at: i64,
        expires_at: i64,
    ) {
        let claims = Claims { approval, operation, nonce, agent, session, issued_at, expires_at, ..claims() };
        let permit = Permit::issue(claims.clone(), &issuer()).unwrap();
        prop_assert_eq!(issuer().verifier().authentic(permit.text()), Ok(claims));
    }

    /// One character that differs, anywhere, and it is no permit.
    #[test]
    fn no_character_can_be_changed(at in any::<prop::sample::Index>(), with in "[ -~]") {
        let permit = Permit::issue(claims(), &issuer()).unwrap();
        let mut letters: Vec<char> = permit.text().chars().collect();
        let at = at.index(letters.len());
        let with = with.chars().next().unwrap();
        prop_assume!(letters[at] != with);
        letters[at] = with;
        let changed: String = letters.into_iter().collect();
        prop_assert!(issuer().verifier().authentic(&changed).is_err(), "{}", changed);
    }

    /// Texts of any kind are read without a panic, and none is a permit.
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}", payload in "[A-Za-z0-9_-]{0,400}", signature in "[A-Za-z0-9_-]{86}") {
        let verifier = issuer().verifier();
        prop_assert!(verifier.authentic(&text).is_err());
        let permit = format!("sgp1.{payload}.{signature}");
        prop_assert!(verifier.authentic(&permit).is_err());
        prop_assert!(VerifierKey::parse(&text).is_err());
    }
}
