//! The gate's own mark on a small thing that is kept by name. Whoever can write into the store, and has no key, can take such a thing
//! away, or put an older one of the same name back; they cannot make one, change one, or put one under another name.

use signoff_model::Digest;
use signoff_permit::MacKey;

/// What the key of this mark is for.
pub(crate) const PURPOSE: &str = "item";

/// Every message begins with this, so that none of another kind is one.
const DOMAIN: &str = "signoff item v1";

/// The text with the mark before it.
pub(crate) fn marked(key: &MacKey, shelf: &str, name: &str, text: &str) -> String {
    format!("{} {text}", Digest::from_bytes(key.mac(&message(shelf, name, text))))
}

/// The text without its mark; none where that is not the gate's.
pub(crate) fn unmarked<'t>(key: &MacKey, shelf: &str, name: &str, kept: &'t str) -> Option<&'t str> {
    let (mark, text) = kept.split_once(' ')?;
    let mark = Digest::parse(mark)?;
    key.is_of(&message(shelf, name, text), mark.as_bytes()).then_some(text)
}

/// The text without whatever stands before it, for whoever only takes it away.
pub(crate) fn bare(kept: &str) -> &str {
    match kept.split_once(' ') {
        Some((mark, text)) if Digest::parse(mark).is_some() => text,
        _ => kept,
    }
}

/// Neither a shelf nor a name has a line's end in it.
fn message(shelf: &str, name: &str, text: &str) -> Vec<u8> {
    format!("{DOMAIN}\n{shelf}\n{name}\n{text}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_of_one_text_under_one_name() {
        let key = MacKey::from_bytes([1; 32]);
        let kept = marked(&key, "grants", "a", "{\"uses\": 1}");
        let read = |key: &MacKey, shelf, name, kept: &str| unmarked(key, shelf, name, kept).map(str::to_owned);
        assert_eq!(read(&key, "grants", "a", &kept).as_deref(), Some("{\"uses\": 1}"));
        let other = MacKey::from_bytes([2; 32]);
        for (name, found) in [
            ("another key", read(&other, "grants", "a", &kept)),
            ("another shelf", read(&key, "orders", "a", &kept)),
            ("another name", read(&key, "grants", "b", &kept)),
            ("another text", read(&key, "grants", "a", &kept.replace('1', "9"))),
            ("no mark", read(&key, "grants", "a", "{\"uses\": 1}")),
            ("nothing", read(&key, "grants", "a", "")),
        ] {
            assert_eq!(found, None, "{name}");
        }
        assert_eq!(bare(&kept), "{\"uses\": 1}");
        assert_eq!(bare("{\"uses\": 1}"), "{\"uses\": 1}");
    }
}
