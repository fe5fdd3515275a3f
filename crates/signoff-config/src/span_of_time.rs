//! Lengths of time as people write them: a whole number and one unit, such as `90s`, `5m` or `1h`.

use std::time::Duration;

/// The units, the largest first.
const UNITS: [(char, u64); 3] = [('h', 3600), ('m', 60), ('s', 1)];

/// The shortest length that makes sense for a person, and the longest that anybody waits.
pub(crate) const SHORTEST: Duration = Duration::from_secs(1);
pub(crate) const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The length of time that a text stands for, if it is one that is possible.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let (unit, seconds) = UNITS.into_iter().find(|(unit, _)| text.ends_with(*unit))?;
    let digits = text.strip_suffix(unit)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let length = Duration::from_secs(digits.parse::<u64>().ok()?.checked_mul(seconds)?);
    (SHORTEST..=LONGEST).contains(&length).then_some(length)
}

/// The shortest text that stands for a length of whole seconds.
pub(crate) fn written(length: Duration) -> String {
    let all = length.as_secs();
    let fits = UNITS.into_iter().find(|(_, seconds)| all.is_multiple_of(*seconds));
    let (unit, seconds) = fits.unwrap_or(('s', 1));
    format!("{}{unit}", all / seconds)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{parse, written};

    #[test]
    fn a_number_and_a_unit_are_a_length_of_time() {
        for (text, expected) in [
            ("1s", Some(1)),
            ("300s", Some(300)),
            ("5m", Some(300)),
            ("24h", Some(86_400)),
            ("25h", None),
            ("0s", None),
            ("s", None),
            ("", None),
            ("5", None),
            ("-5s", None),
            ("+5s", None),
            ("1.5h", None),
            ("5 m", None),
            ("1h30m", None),
            ("5ms", None),
            ("99999999999999999999s", None),
            ("18446744073709551615h", None),
            ("٥s", None),
        ] {
            assert_eq!(parse(text), expected.map(Duration::from_secs), "{text}");
        }
        for (seconds, expected) in [(1, "1s"), (90, "90s"), (300, "5m"), (3600, "1h"), (5400, "90m")] {
            assert_eq!(written(Duration::from_secs(seconds)), expected);
            assert_eq!(parse(expected), Some(Duration::from_secs(seconds)));
        }
    }
}
