//! The clock on the wall of this machine, for hours in which nobody is disturbed. Nothing is decided by it.

use tz::TimeZone;

/// So many minutes it is before the clock of the world, now. Where nobody can tell, it shows the same.
pub(crate) fn ahead() -> i16 {
    // Of the machine, and not of the environment of whoever has started the gateway.
    let here = TimeZone::local();
    let seconds = here.ok().and_then(|zone| zone.find_current_local_time_type().ok().map(|kind| kind.ut_offset()));
    i16::try_from(seconds.unwrap_or_default() / 60).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_clock_is_further_than_a_day() {
        assert!((-24 * 60..=24 * 60).contains(&super::ahead()));
    }
}
