//! What an agent does, as far as its pane shows it. Time and what was seen are given.

use crate::reading::Fingerprint;

/// For so long a pane that does not change is still one in which somebody works: agents draw something all the time.
const QUIET_FOR: u64 = 5_000;
/// For so long a dialog must have been away before the same one is another: a screen is drawn in pieces.
const AWAY_FOR: u64 = 1_000;

/// A point in time, in milliseconds.
pub type Millis = u64;

/// What an agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing changes, and nothing is asked.
    Idle,
    /// Something changes.
    Working,
    /// It waits for its user.
    Waiting {
        /// What it wants.
        what: String,
        /// Since when.
        since: Millis,
    },
    /// It was answered, and has not taken the answer.
    Stuck {
        /// What it wanted.
        what: String,
        /// Since when.
        since: Millis,
    },
    /// There is no agent any more.
    Gone,
}

impl State {
    /// Its name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Working => "working",
            Self::Waiting { .. } => "waiting",
            Self::Stuck { .. } => "stuck",
            Self::Gone => "gone",
        }
    }

    /// What it waits for, and since when.
    pub fn waits(&self) -> Option<(&str, Millis)> {
        match self {
            Self::Waiting { what, since } | Self::Stuck { what, since } => Some((what, *since)),
            Self::Idle | Self::Working | Self::Gone => None,
        }
    }
}

/// What becomes of a dialog that is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// It is new.
    New,
    /// It is the one that was there.
    Known,
    /// It is the one that was answered, and it is back, or has never been away.
    Back,
}

/// How far a dialog has been dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Open,
    /// Something was typed.
    Answered,
    /// It was told that the answer was not taken.
    Told,
}

/// What is remembered of a pane.
#[derive(Clone, Debug, Default)]
pub struct Pane {
    dialog: Option<(Fingerprint, String, Millis, Stand)>,
    /// Since when the dialog has been away.
    away: Option<Millis>,
    looked: Option<(u64, Millis)>,
    agent: bool,
}

impl Pane {
    /// An agent has the terminal, and its screen is known by this number.
    pub fn shows(&mut self, screen: u64, now: Millis) {
        self.agent = true;
        if self.looked.is_none_or(|(before, _)| before != screen) {
            // What is seen for the first time may have stood there for long.
            let since = if self.looked.is_some() { now } else { now.saturating_sub(QUIET_FOR) };
            self.looked = Some((screen, since));
        }
    }

    /// A dialog is there.
    pub fn meets(&mut self, dialog: &Fingerprint, what: &str, now: Millis) -> Met {
        let was_away = self.away.take();
        match &mut self.dialog {
            Some((known, _, _, stand))
                if known == dialog && was_away.is_none_or(|since| now.saturating_sub(since) < AWAY_FOR) =>
            {
                let met = if *stand == Stand::Answered { Met::Back } else { Met::Known };
                if met == Met::Back {
                    *stand = Stand::Told;
                }
                return met;
            }
            Some(_) | None => {}
        }
        self.dialog = Some((dialog.clone(), what.to_owned(), now, Stand::Open));
        Met::New
    }

    /// No dialog is there.
    pub fn misses(&mut self, now: Millis) {
        if self.dialog.is_some() {
            self.away.get_or_insert(now);
        }
    }

    /// Something was typed into the dialog. From now on nothing is, as long as it does not go.
    pub fn answered(&mut self) {
        if let Some((_, _, _, stand)) = &mut self.dialog {
            *stand = Stand::Answered;
        }
    }

    /// Nothing was typed although something should have been: whatever is there now is looked at as if it were new.
    pub fn is_to_be_considered_again(&mut self) {
        self.dialog = None;
    }

    /// It was answered and did not go.
    pub fn did_not_take_it(&mut self) {
        if let Some((_, _, _, stand)) = &mut self.dialog {
            *stand = Stand::Told;
        }
    }

    /// Whether the dialog that is there now is this one, and nothing was typed into it.
    pub fn is_open(&self, dialog: &Fingerprint) -> bool {
        self.away.is_none()
            && self.dialog.as_ref().is_some_and(|(known, _, _, stand)| known == dialog && *stand == Stand::Open)
    }

    /// There is no agent.
    pub fn is_left(&mut self) {
        *self = Self { agent: false, ..Self::default() };
    }

    /// What the agent does.
    pub fn state(&self, now: Millis) -> State {
        if !self.agent {
            return State::Gone;
        }
        if let (Some((_, what, since, stand)), None) = (&self.dialog, self.away) {
            let (what, since) = (what.clone(), *since);
            return match stand {
                Stand::Told => State::Stuck { what, since },
                Stand::Open | Stand::Answered => State::Waiting { what, since },
            };
        }
        match self.looked {
            Some((_, changed)) if now.saturating_sub(changed) < QUIET_FOR => State::Working,
            Some(_) | None => State::Idle,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pane() -> Pane {
        let mut pane = Pane::default();
        pane.shows(1, 0);
        pane
    }

    #[test]
    fn a_dialog_is_new_once() {
        let (mut pane, dialog) = (pane(), Fingerprint::of("a"));
        assert_eq!(pane.meets(&dialog, "ls", 10), Met::New);
        assert!(pane.is_open(&dialog));
        for now in 11..20 {
            assert_eq!(pane.meets(&dialog, "ls", now), Met::Known);
        }
        assert_eq!(pane.meets(&Fingerprint::of("b"), "ls", 20), Met::New);
        assert!(!pane.is_open(&dialog));
    }

    #[test]
    fn what_was_answered_is_not_answered_again_until_it_has_been_away() {
        let (mut pane, dialog) = (pane(), Fingerprint::of("a"));
        pane.meets(&dialog, "ls", 10);
        pane.answered();
        pane.misses(20);
        assert_eq!(pane.meets(&dialog, "ls", 30), Met::Back);
        assert_eq!(pane.meets(&dialog, "ls", 40), Met::Known);
        assert_eq!(pane.state(50), State::Stuck { what: "ls".to_owned(), since: 10 });
        pane.misses(60);
        pane.misses(1_000);
        assert_eq!(pane.meets(&dialog, "ls", 1_060), Met::New, "the agent asks the same again");
    }

    #[test]
    fn the_state_is_told_by_what_is_seen() {
        let mut pane = Pane::default();
        assert_eq!(pane.state(0), State::Gone);
        pane.shows(1, 10_000);
        assert_eq!(pane.state(10_000), State::Idle, "nobody knows for how long it has stood there");
        pane.shows(2, 10_100);
        assert_eq!(pane.state(10_200), State::Working);
        pane.shows(2, 16_000);
        assert_eq!(pane.state(16_000), State::Idle);
        pane.meets(&Fingerprint::of("a"), "ls", 16_100);
        assert_eq!(pane.state(99_000), State::Waiting { what: "ls".to_owned(), since: 16_100 });
        pane.misses(99_100);
        assert_eq!(pane.state(99_100), State::Idle);
        pane.is_left();
        assert_eq!(pane.state(99_200), State::Gone);
    }

    proptest! {
        /// However often a dialog is drawn, it is answered once as long as it has never been away for long.
        #[test]
        fn one_dialog_one_answer(steps in prop::collection::vec((any::<bool>(), 0_u64..AWAY_FOR), 1..40)) {
            let (mut pane, dialog) = (pane(), Fingerprint::of("a"));
            let (mut now, mut answers) = (0, 0);
            for (is_there, later) in steps {
                now += if is_there { later } else { 0 };
                if is_there {
                    if pane.meets(&dialog, "ls", now) == Met::New {
                        answers += 1;
                        pane.answered();
                    }
                } else {
                    pane.misses(now);
                }
            }
            prop_assert!(answers <= 1);
        }
    }
}
