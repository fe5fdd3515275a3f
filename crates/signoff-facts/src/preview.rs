//! What a person is shown of the things that would go.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use signoff_analysis::{facts::Whereabouts, place::Place};
use signoff_model::{Assessment, Coverage, Listing, Preview, Stock};

use crate::{
    Budget, LocalFacts,
    inventory::{Beside, OtherNames, inventory_beside},
};

/// A person waits at most this long for what would be lost to be counted.
const PREVIEW_WITHIN: Duration = Duration::from_secs(2);

impl LocalFacts {
    /// What there is of the things that an assessment says are at stake, and how files would differ from what they are, named
    /// as a person would name them; none where nothing is known to go. `progress` is told what was found so far.
    pub fn preview(
        &self,
        assessment: &Assessment,
        whereabouts: &Whereabouts,
        progress: &mut dyn FnMut(&Stock),
    ) -> Option<Preview> {
        let at_stake = assessment.at_stake.as_slice();
        let changes = self.changes(&assessment.rewrites, whereabouts);
        if at_stake.is_empty() && changes.is_empty() {
            return None;
        }
        // Where it is not known what else goes, the other names of a file may go as well.
        let unlinked: HashSet<PathBuf> = match (assessment.listing, &assessment.coverage) {
            (Listing::Whole, Coverage::Full) => assessment.unlinked.iter().map(PathBuf::from).collect(),
            _ => HashSet::new(),
        };
        let is_counted = |(paths, _, others): &(Vec<String>, Preview, OtherNames)| {
            paths == at_stake && (unlinked.is_empty() || *others == OtherNames::None)
        };
        let counted = self.counted.take().filter(is_counted);
        let mut preview = match counted {
            _ if at_stake.is_empty() => Preview { complete: true, ..Preview::default() },
            Some((_, preview, _)) => preview,
            None => {
                let unstaged = self.unstaged.borrow();
                let beside = Beside { unstaged: Some(&unstaged), unlinked: Some(&unlinked) };
                count(at_stake, beside, whereabouts, progress)
            }
        };
        preview.complete &= assessment.listing != Listing::Cut;
        for loss in &mut preview.losses {
            loss.path = Place::exactly(std::mem::take(&mut loss.path), whereabouts).shown;
        }
        preview.changes = changes;
        Some(preview)
    }
}

fn count(
    at_stake: &[String],
    beside: Beside<'_>,
    whereabouts: &Whereabouts,
    progress: &mut dyn FnMut(&Stock),
) -> Preview {
    let paths: Vec<PathBuf> = at_stake.iter().map(PathBuf::from).collect();
    let until = Instant::now() + PREVIEW_WITHIN;
    inventory_beside(beside, &paths, whereabouts, Budget::SHOWING, &mut |found| {
        progress(found);
        if Instant::now() < until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
}
