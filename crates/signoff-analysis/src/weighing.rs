//! A delete or a write weighed by what is really there: the one judgement for shell commands and file operations alike.
//!
//! What is there comes in as a value. Where it says nothing, the name of the place alone counts, and what is absurd by its
//! name, a secret or a setting stays judged by that.

use signoff_model::{Fate, Reversible, Risk, Scope, Stock};

use crate::{
    path_effects::{
        self, DELETE_LOST, DELETE_REBUILT, DELETE_TRACKED, DELETE_UNIGNORED, Depth, EMPTY_FILE, OVERWRITE_LOST,
        WRITE_FILE, Write,
    },
    place::{Extent, Nature, Place},
    rule::Rule,
};

/// The file system is asked so often at most about one operation; after that, the text alone is judged.
pub(crate) const MAX_LOOKUPS: usize = 64;

/// What a write does to what stood there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replaced {
    /// Nothing stood there: something new is made.
    Nothing,
    /// This rule speaks about it.
    Known(&'static Rule),
    /// What is there says no more than its name.
    ByName,
}

/// Whether nothing but what would be lost counts for a place: it lies in the project, and is neither settings nor secrets
/// nor the project itself.
pub(crate) fn is_plain(place: &Place) -> bool {
    place.scope == Scope::Project
        && matches!(place.nature, Nature::Ordinary | Nature::Source | Nature::Data | Nature::Rebuilt | Nature::Cache)
}

/// Whether what would be lost counts for a write to a place. A file that the project does not work without is written
/// every day, and no name says whether somebody has kept what is in it.
pub(crate) fn is_plain_to_write(place: &Place) -> bool {
    is_plain(place) || place.scope == Scope::Project && place.nature == Nature::Important
}

/// Whether what a directory holds goes over sources of the project, where nobody sees which of them it replaces. What a build
/// has made is laid there again by the next one. From another machine it comes from nowhere.
pub(crate) fn is_laid_over_sources(from: Option<&Place>, to: &Place) -> bool {
    let own = from.filter(|from| from.scope == Scope::Project);
    to.extent == Extent::Exact
        && to.scope == Scope::Project
        && match to.nature {
            Nature::Source => own.is_none_or(|from| from.nature != Nature::Rebuilt),
            Nature::ProjectTree => own.is_none(),
            _ => false,
        }
}

/// The rule that speaks about a delete of which it is known what goes; none where nothing does.
pub(crate) fn delete(place: &Place, depth: Depth, stock: &Stock) -> Option<&'static Rule> {
    let by_name = path_effects::delete_rule(place, depth);
    let risk_by_name = by_name.map_or(Risk::None, |rule| rule.risk);
    match stock.worst()? {
        Fate::Rebuilt => Some(&DELETE_REBUILT),
        // What only builds make is no worse because somebody has put it into git.
        Fate::Git if risk_by_name < DELETE_TRACKED.risk => by_name,
        Fate::Git => Some(&DELETE_TRACKED),
        // The other name may be the next to go, so that this is judged as if there were none.
        Fate::Linked | Fate::Lost if place.nature.is_passing() => Some(&DELETE_UNIGNORED),
        Fate::Linked | Fate::Lost if risk_by_name >= DELETE_LOST.risk => by_name,
        Fate::Linked | Fate::Lost => Some(&DELETE_LOST),
    }
}

/// How something comes back that is grave to lose wherever it could come back from; none where nothing is known of it.
pub(crate) fn way_back(stock: &Stock) -> Option<Reversible> {
    match stock.worst()? {
        Fate::Git => Some(Reversible::WithGit),
        Fate::Lost => Some(Reversible::No),
        Fate::Rebuilt | Fate::Linked => None,
    }
}

/// What a write would do to the file at a place.
pub(crate) fn overwrite(place: &Place, how: Write, stock: &Stock) -> Replaced {
    match (stock.worst(), how) {
        // A directory has nothing written to it; what would be written goes into it, or nowhere.
        _ if stock.directories > 0 => Replaced::ByName,
        (None, _) => Replaced::Nothing,
        (Some(_), Write::Append | Write::Edit) => Replaced::ByName,
        (Some(Fate::Linked | Fate::Lost), _) if place.nature.is_passing() => Replaced::ByName,
        (Some(Fate::Linked | Fate::Lost), Write::Empty) => Replaced::Known(&EMPTY_FILE),
        (Some(Fate::Linked | Fate::Lost), Write::New | Write::Replace) => Replaced::Known(&OVERWRITE_LOST),
        (Some(Fate::Git), Write::Replace) if !place.nature.is_passing() => Replaced::Known(&WRITE_FILE),
        (Some(Fate::Git | Fate::Rebuilt), _) => Replaced::ByName,
    }
}
