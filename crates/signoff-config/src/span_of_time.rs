//! Lengths of time as people write them: a whole number and one unit, such as `90s`, `5m`, `1h` or `365d`.

use std::time::Duration;

const DAY: u64 = 24 * 3600;

/// What a length of time is for, which says how long it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// How long somebody waits: from a second, the shortest that makes sense for a person, to a day.
    Wait,
    /// How long something is kept: from a day to a hundred years.
    Keep,
}

impl Scale {
    /// The units, the largest first.
    const fn units(self) -> &'static [(char, u64)] {
        match self {
            Self::Wait => &[('h', 3600), ('m', 60), ('s', 1)],
            Self::Keep => &[('d', DAY), ('h', 3600), ('m', 60), ('s', 1)],
        }
    }

    /// The shortest and the longest length, in seconds.
    const fn limits(self) -> (u64, u64) {
        match self {
            Self::Wait => (1, DAY),
            Self::Keep => (DAY, 36_500 * DAY),
        }
    }

    /// The length of time that a text stands for, if it is one that is possible.
    pub(crate) fn parse(self, text: &str) -> Option<Duration> {
        let (unit, seconds) = self.units().iter().find(|(unit, _)| text.ends_with(*unit))?;
        let digits = text.strip_suffix(*unit)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let length = digits.parse::<u64>().ok()?.checked_mul(*seconds)?;
        let (shortest, longest) = self.limits();
        (shortest..=longest).contains(&length).then_some(Duration::from_secs(length))
    }

    /// The shortest text that stands for a length of whole seconds.
    pub(crate) fn written(self, length: Duration) -> String {
        let all = length.as_secs();
        let fits = self.units().iter().find(|(_, seconds)| all.is_multiple_of(*seconds));
        let (unit, seconds) = fits.unwrap_or(&('s', 1));
        format!("{}{unit}", all / seconds)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Scale;

    #[test]
    fn a_number_and_a_unit_are_a_length_of_time() {
        for (text, expected) in [
            ("1s", Some(1)),
            ("300s", Some(300)),
            ("5m", Some(300)),
            ("24h", Some(86_400)),
            ("25h", None),
            ("1d", None),
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
            assert_eq!(Scale::Wait.parse(text), expected.map(Duration::from_secs), "{text}");
        }
        for (seconds, expected) in [(1, "1s"), (90, "90s"), (300, "5m"), (3600, "1h"), (5400, "90m"), (86_400, "24h")] {
            assert_eq!(Scale::Wait.written(Duration::from_secs(seconds)), expected);
            assert_eq!(Scale::Wait.parse(expected), Some(Duration::from_secs(seconds)));
        }
    }

    #[test]
    fn what_is_kept_is_counted_in_days() {
        for (text, expected) in [
            ("1d", Some("1d")),
            ("365d", Some("365d")),
            ("36500d", Some("36500d")),
            ("48h", Some("2d")),
            ("30h", Some("30h")),
            ("36501d", None),
            ("0d", None),
            ("23h", None),
            ("d", None),
            ("1y", None),
            ("18446744073709551615d", None),
        ] {
            let found = Scale::Keep.parse(text).map(|length| Scale::Keep.written(length));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
