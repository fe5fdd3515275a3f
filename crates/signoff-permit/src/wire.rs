//! The bytes of a permit. Everything has its fixed place and length, save for the two names, which carry theirs: there is one
//! way to write a permit and one way to read it.

use base64ct::{Base64UrlUnpadded, Encoding};

use crate::{Claims, KeyId, PermitError};

pub(crate) const PREFIX: &str = "sgp1";
const VERSION: u8 = 1;
/// What is signed begins with this, so that no other statement of the same key is a permit.
const DOMAIN: &[u8] = b"signoff permit v1\n";
/// No permit is longer; the longest has two names of 255 bytes.
const LONGEST: usize = 1_500;

pub(crate) fn encode(claims: &Claims, key: KeyId) -> Option<Vec<u8>> {
    let Claims { approval, operation, preview, policy, nonce, agent, session, issued_at, expires_at } = claims;
    let mut bytes = vec![VERSION];
    bytes.extend_from_slice(&key.0);
    bytes.extend_from_slice(approval);
    for digest in [operation, preview, policy, nonce] {
        bytes.extend_from_slice(digest);
    }
    bytes.extend_from_slice(&issued_at.to_be_bytes());
    bytes.extend_from_slice(&expires_at.to_be_bytes());
    for name in [agent, session] {
        bytes.push(u8::try_from(name.len()).ok()?);
        bytes.extend_from_slice(name.as_bytes());
    }
    Some(bytes)
}

pub(crate) fn decode(payload: &[u8]) -> Result<(Claims, KeyId), PermitError> {
    let mut rest = Rest(payload);
    let [version] = rest.array()?;
    if version != VERSION {
        return Err(if version > VERSION { PermitError::NewerForm } else { PermitError::Malformed });
    }
    let key = KeyId(rest.array()?);
    let claims = Claims {
        approval: rest.array()?,
        operation: rest.array()?,
        preview: rest.array()?,
        policy: rest.array()?,
        nonce: rest.array()?,
        issued_at: i64::from_be_bytes(rest.array()?),
        expires_at: i64::from_be_bytes(rest.array()?),
        agent: rest.name()?,
        session: rest.name()?,
    };
    if rest.0.is_empty() { Ok((claims, key)) } else { Err(PermitError::Malformed) }
}

/// What of a payload is still to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], PermitError> {
        let (array, rest) = self.0.split_first_chunk().ok_or(PermitError::Malformed)?;
        self.0 = rest;
        Ok(*array)
    }

    fn name(&mut self) -> Result<String, PermitError> {
        let [length] = self.array()?;
        let (name, rest) = self.0.split_at_checked(usize::from(length)).ok_or(PermitError::Malformed)?;
        self.0 = rest;
        String::from_utf8(name.to_vec()).map_err(|_| PermitError::Malformed)
    }
}

pub(crate) fn signed(payload: &[u8]) -> Vec<u8> {
    [DOMAIN, payload].concat()
}

pub(crate) fn text(prefix: &str, payload: &[u8], signature: &[u8; 64]) -> String {
    let (payload, signature) = (Base64UrlUnpadded::encode_string(payload), Base64UrlUnpadded::encode_string(signature));
    format!("{prefix}.{payload}.{signature}")
}

/// The payload and the signature of a text of three parts, the first of which is this one.
pub(crate) fn parts(text: &str, prefix: &str) -> Option<(Vec<u8>, [u8; 64])> {
    if text.len() > LONGEST {
        return None;
    }
    let mut parts = text.split('.');
    let (first, payload, signature) = (parts.next()?, parts.next()?, parts.next()?);
    if first != prefix || parts.next().is_some() {
        return None;
    }
    let decoded = |part| Base64UrlUnpadded::decode_vec(part).ok();
    Some((decoded(payload)?, decoded(signature)?.try_into().ok()?))
}
