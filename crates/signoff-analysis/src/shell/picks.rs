//! Rounds over the possible values of variables: what depends on a branch is judged with each value, and two such
//! variables with each pair.

use signoff_model::{Span, Unread};

use super::machine::Shell;
use crate::value::Feed;

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

impl Shell<'_> {
    /// Runs `body` with each of the values that variables and feeds may have, since they depend on a branch.
    pub(super) fn in_every_round(&mut self, span: Span, mut body: impl FnMut(&mut Self) -> Feed) -> Feed {
        let outer = std::mem::take(&mut self.picks);
        let before = self.state.clone();
        let mut feed = body(self);
        loop {
            match self.picks.advance() {
                Next::Done => break,
                Next::TooMany => {
                    self.opaque(Unread::Branches, span);
                    break;
                }
                Next::Round => {
                    // Which of them runs is not known, and so it is not known which has failed.
                    self.go_on_anyway();
                    let state = std::mem::replace(&mut self.state, before.clone());
                    feed = feed.or(body(self));
                    self.go_on_anyway();
                    self.merge(state);
                }
            }
        }
        self.picks = outer;
        feed
    }

    /// One of the texts that flow in, where there are several: which, the round says.
    pub(super) fn settle(&mut self, feed: Feed, key: &str) -> Feed {
        let alternatives = feed.alternatives();
        if alternatives.is_empty() {
            return feed;
        }
        let wanted = self.picks.pick(key, alternatives.len());
        alternatives.get(wanted).cloned().map_or(feed, Feed::of)
    }
}
