use std::time::Duration;

use crate::Timestamp;

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// When those who were asked are reminded, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reminding {
    /// So long after the question, where nobody has answered.
    pub after: Duration,
    /// When nobody is disturbed.
    pub quiet: Option<Quiet>,
}

/// A part of every day in which nobody is disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// Its beginning, in minutes since midnight.
    pub from: u16,
    /// Its end, in minutes since midnight, which no longer belongs to it. It may be before the beginning, and then it is on the
    /// next day.
    pub until: u16,
    /// So many minutes the clock of those people is before the one of the world.
    pub ahead: i16,
}

impl Quiet {
    /// The first moment from this one on at which somebody may be disturbed.
    pub fn over(self, moment: Timestamp) -> Timestamp {
        let local = moment.millis().saturating_add(i64::from(self.ahead) * MINUTE);
        let (since_midnight, [from, until]) =
            (local.rem_euclid(DAY), [self.from, self.until].map(|minute| i64::from(minute) * MINUTE));
        let quiet = if from < until {
            (from..until).contains(&since_midnight)
        } else {
            since_midnight >= from || since_midnight < until
        };
        let left = (until - since_midnight).rem_euclid(DAY);
        if quiet { Timestamp::from_millis(moment.millis().saturating_add(left)) } else { moment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A moment on some day, by the clock of the world.
    fn at(hour: i64, minute: i64, second: i64) -> Timestamp {
        Timestamp::from_millis(20_000 * DAY + (hour * 60 + minute) * MINUTE + second * 1_000)
    }

    #[test]
    fn nobody_is_disturbed_in_the_quiet_hours() {
        let night = |ahead| Quiet { from: 22 * 60, until: 7 * 60 + 30, ahead };
        let noon = Quiet { from: 12 * 60, until: 13 * 60, ahead: 0 };
        for (name, quiet, moment, expected) in [
            ("before", noon, at(11, 59, 59), at(11, 59, 59)),
            ("its first moment", noon, at(12, 0, 0), at(13, 0, 0)),
            ("within", noon, at(12, 30, 1), at(13, 0, 0)),
            ("its end", noon, at(13, 0, 0), at(13, 0, 0)),
            ("in the evening", night(0), at(23, 0, 0), at(31, 30, 0)),
            ("past midnight", night(0), at(0, 10, 0), at(7, 30, 0)),
            ("in the day", night(0), at(9, 0, 0), at(9, 0, 0)),
            ("people in the east", night(8 * 60), at(15, 0, 0), at(23, 30, 0)),
            ("people in the east, awake", night(8 * 60), at(23, 45, 0), at(23, 45, 0)),
            ("people in the west", night(-5 * 60), at(4, 0, 0), at(12, 30, 0)),
        ] {
            assert_eq!(quiet.over(moment), expected, "{name}");
        }
    }
}
