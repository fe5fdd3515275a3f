//! Rounds over the possible values of variables: what depends on a branch is judged with each value, and two such
//! variables with each pair.

/// More rounds than this are not gone through; the caller then says that something stayed unread.
const MAX_ROUNDS: usize = 24;

/// Which value each variable has in this round.
#[derive(Clone, Debug, Default)]
pub(super) struct Picks {
    picked: Vec<Pick>,
    rounds: usize,
}

#[derive(Clone, Debug)]
struct Pick {
    name: String,
    count: usize,
    index: usize,
}

/// What comes after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Another round, with other values.
    Round,
    /// Every combination was gone through.
    Done,
    /// There are more combinations than are gone through.
    TooMany,
}

impl Picks {
    /// The index of the value that a variable of this many values has in this round. The same name has the same index
    /// throughout the round.
    pub(super) fn pick(&mut self, name: &str, count: usize) -> usize {
        if let Some(pick) = self.picked.iter().find(|pick| pick.name == name) {
            return pick.index % count.max(1);
        }
        self.picked.push(Pick { name: name.to_owned(), count, index: 0 });
        0
    }

    /// Whether there is no other combination: nothing that was picked so far could be something else.
    pub(super) const fn is_only_round(&self) -> bool {
        self.picked.is_empty()
    }

    /// Goes on to the next combination.
    pub(super) fn advance(&mut self) -> Next {
        self.rounds += 1;
        for pick in &mut self.picked {
            pick.index += 1;
            if pick.index < pick.count {
                return if self.rounds < MAX_ROUNDS { Next::Round } else { Next::TooMany };
            }
            pick.index = 0;
        }
        Next::Done
    }
}
