//! Hours of the day in which nobody is disturbed, as people write them: `22:00-07:00`. Which clock is meant is not decided here.

use std::fmt;

const MINUTES_OF_AN_HOUR: u16 = 60;
const HOURS_OF_A_DAY: u16 = 24;

/// A part of every day, which may go past midnight. The minute of its end no longer belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuietHours {
    /// Minutes since midnight.
    from: u16,
    /// Minutes since midnight, never the same as `from`: nobody could tell whether that is the whole day or nothing.
    until: u16,
}

impl QuietHours {
    /// The hours that a text stands for, if it is two times of the day with `-` between them.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, until) = text.split_once('-')?;
        let (from, until) = (minute_of_day(from)?, minute_of_day(until)?);
        (from != until).then_some(Self { from, until })
    }

    /// Its beginning and its end, in minutes since midnight.
    pub const fn minutes(self) -> [u16; 2] {
        [self.from, self.until]
    }

    /// Whether a minute of the day, counted from midnight, is among them.
    pub fn cover(self, minute: u16) -> bool {
        match self.from < self.until {
            true => (self.from..self.until).contains(&minute),
            false => minute >= self.from || minute < self.until,
        }
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, until] =
            [self.from, self.until].map(|minute| (minute / MINUTES_OF_AN_HOUR, minute % MINUTES_OF_AN_HOUR));
        write!(f, "{:02}:{:02}-{:02}:{:02}", from.0, from.1, until.0, until.1)
    }
}

/// The minute that a time of the day such as `07:30` stands for.
fn minute_of_day(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let two_digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !two_digits(hour) || !two_digits(minute) {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < HOURS_OF_A_DAY && minute < MINUTES_OF_AN_HOUR).then_some(hour * MINUTES_OF_AN_HOUR + minute)
}

#[cfg(test)]
mod tests {
    use super::QuietHours;

    #[test]
    fn two_times_of_the_day_are_quiet_hours() {
        for text in ["22:00-07:00", "00:00-23:59", "12:30-13:15", "23:59-00:00"] {
            assert_eq!(QuietHours::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "-",
            "22:00",
            "22:00-",
            "22-7",
            "22:00-7:00",
            "24:00-07:00",
            "22:60-07:00",
            "22:00 - 07:00",
            "22:00-07:00-08:00",
            "22:00–07:00",
            "08:00-08:00",
            "+1:00-07:00",
            "２２:00-07:00",
        ] {
            assert_eq!(QuietHours::parse(text), None, "{text}");
        }
    }

    #[test]
    fn they_may_go_past_midnight_and_end_before_their_last_minute() {
        for (hours, minute, expected) in [
            ("22:00-07:00", 22 * 60, true),
            ("22:00-07:00", 0, true),
            ("22:00-07:00", 7 * 60 - 1, true),
            ("22:00-07:00", 7 * 60, false),
            ("22:00-07:00", 22 * 60 - 1, false),
            ("12:00-13:00", 12 * 60, true),
            ("12:00-13:00", 13 * 60, false),
            ("12:00-13:00", 0, false),
        ] {
            assert_eq!(QuietHours::parse(hours).unwrap().cover(minute), expected, "{hours} {minute}");
        }
    }
}
