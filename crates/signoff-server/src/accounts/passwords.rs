//! Passwords: what can be one, and what is kept of it.

use argon2::{Argon2, PasswordHash, PasswordHasher as _, PasswordVerifier as _};

use super::AccountError;

/// The shortest password, in characters.
pub const PASSWORD_AT_LEAST: usize = 10;
/// A longer one is refused: hashing it would be work for nothing.
pub(super) const PASSWORD_AT_MOST: usize = 512;

/// The hash of no password, for names of nobody.
pub(super) const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c2lnbm9mZm5vYm9keQ$Kyc0ZYWhpTSDbOkSkCSQnlnSbjRLSmcXgNHNqkJDbQI";

/// Whether a text can be a password, for whoever asks for one and wants to say so at once.
pub fn can_be_password(text: &str) -> bool {
    (PASSWORD_AT_LEAST..=PASSWORD_AT_MOST).contains(&text.chars().count())
}

/// Hashing takes tens of milliseconds on purpose: others are served meanwhile.
pub(super) async fn hashed(password: String) -> Result<String, AccountError> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|error| AccountError::Randomness(error.to_string()))?;
    let hashed = tokio::task::spawn_blocking(move || {
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    let failed = || AccountError::Randomness("the password could not be hashed".to_owned());
    hashed.await.map_err(|_| failed())?.map_err(|_| failed())
}

pub(super) async fn is_password(kept: String, password: String) -> bool {
    if password.chars().count() > PASSWORD_AT_MOST {
        return false;
    }
    let compared = tokio::task::spawn_blocking(move || {
        PasswordHash::new(&kept).is_ok_and(|kept| Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
    });
    compared.await.unwrap_or(false)
}
