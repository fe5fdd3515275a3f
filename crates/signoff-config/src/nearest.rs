//! What somebody may have meant who wrote a name that does not exist.

/// The name that is nearest to what was written, if one is near enough to be meant.
pub(crate) fn nearest<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Nobody means a name by something much longer, and comparing stays cheap whatever a file says.
    if written.chars().count() > 64 {
        return None;
    }
    let allowed = (written.chars().count() / 3).max(1);
    let written = written.to_lowercase().replace('-', "_");
    names
        .into_iter()
        .map(|name| (distance(&written, &name.to_lowercase().replace('-', "_")), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many characters have to be added, removed or replaced.
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (place, character) in one.chars().enumerate() {
        let mut diagonal = place;
        let mut left = place + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, other) in row.iter_mut().skip(1).zip(&two) {
            let above = *cell;
            let replaced = diagonal + usize::from(character != *other);
            left = replaced.min(above + 1).min(left + 1);
            diagonal = above;
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_are_those_of_levenshtein() {
        for (one, two, expected) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("rust", "risk", 2),
            ("same", "same", 0),
        ] {
            assert_eq!(distance(one, two), expected, "{one} and {two}");
        }
    }

    #[test]
    fn a_slip_finds_its_name_and_nonsense_does_not() {
        let names = ["posture", "require_confirmation", "low_risk_auto_approve"];
        for (written, expected) in [
            ("postrue", Some("posture")),
            ("Posture", Some("posture")),
            ("require-confirmation", Some("require_confirmation")),
            ("low_rust_auto_approve", Some("low_risk_auto_approve")),
            ("banana", None),
            ("x", None),
        ] {
            assert_eq!(nearest(written, names), expected, "{written}");
        }
        assert_eq!(nearest(&"posture".repeat(1000), names), None);
    }
}
