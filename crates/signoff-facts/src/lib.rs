//! What the analysis may know about the real file system.
//!
//! This room looks and never touches: nothing here writes, runs a program or decides. Whatever an agent could have put
//! in the way (a pipe, a device, an endless link, a file that changes under the reader) gets a plain answer and costs a
//! bounded amount of work.

mod account;
mod ancestry;
mod archive;
mod change;
mod directory;
mod discards;
mod evidence;
mod follow;
mod foreground;
mod git;
mod glob;
mod inventory;
mod overlay;
mod preview;
mod script;
#[cfg(test)]
mod testing;
mod whereabouts;

pub use signoff_analysis::project::NOWHERE;

pub use account::{home, home_of, ids_of, name_of, user_name};
pub use ancestry::{Above, agent_above, agent_in_environment};
pub use evidence::{Evidence, Question, WitnessedFacts};
pub use foreground::{AgentProcess, Foreground, foreground_of};
use inventory::OtherNames;
pub use inventory::{Budget, inventory};
pub use script::TEXT_AT_MOST;
pub use whereabouts::{WhereaboutsError, whereabouts, whereabouts_of};

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use signoff_analysis::facts::{Discard, Discarded, Facts, FileText, Laying, Overlaid, Whereabouts};
use signoff_model::{Preview, Stock};

/// A directory with more entries than this is not looked through.
const NAMES_AT_MOST: usize = 4096;

/// The names in a directory. A name that is no text could be hiding something, so that then nothing is known.
fn names_in(directory: &Path) -> Option<Vec<String>> {
    if !directory.is_absolute() {
        return None;
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).ok()? {
        if names.len() == NAMES_AT_MOST {
            return None;
        }
        names.push(entry.ok()?.file_name().into_string().ok()?);
    }
    Some(names)
}

/// The file system of this machine, as one operation finds it: for the next one, look anew.
#[derive(Debug, Default)]
pub struct LocalFacts {
    /// What was counted last in full, so that it need not be counted again to be shown.
    counted: RefCell<Option<(Vec<String>, Preview, OtherNames)>>,
    /// What was met on the way to the paths that were followed.
    plain: RefCell<follow::Plain>,
    /// The path that was followed last, and where it leads: things of one directory are asked about side by side.
    followed: RefCell<Option<(String, Option<String>)>>,
    /// Files of which git would forget what it has staged: it brings nothing of those back.
    unstaged: RefCell<HashSet<PathBuf>>,
}

impl Facts for LocalFacts {
    fn text(&self, path: &str) -> FileText {
        script::read(Path::new(path))
    }

    fn names(&self, directory: &str) -> Option<Vec<String>> {
        names_in(Path::new(directory))
    }

    fn matches(&self, directory: &str, pattern: &str) -> Option<Vec<String>> {
        glob::expand(Path::new(directory), pattern, glob::Limits::DECIDING)
    }

    fn stocks(&self, paths: &[String], whereabouts: &Whereabouts) -> Option<Vec<Stock>> {
        let doomed: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let (found, others) = inventory::complete_inventory(&doomed, whereabouts, Budget::DECIDING)?;
        let mut by_path: HashMap<&str, Stock> =
            found.losses.iter().map(|loss| (loss.path.as_str(), loss.stock)).collect();
        let stocks = paths.iter().map(|path| by_path.remove(path.as_str()).unwrap_or_default()).collect();
        *self.counted.borrow_mut() = Some((paths.to_vec(), found, others));
        Some(stocks)
    }

    fn is_made_again(&self, path: &str, whereabouts: &Whereabouts) -> Option<bool> {
        inventory::is_made_again(Path::new(path), whereabouts)
    }

    fn discarded(&self, directory: &str, discard: &Discard, whereabouts: &Whereabouts) -> Option<Discarded> {
        let (discarded, unstaged) = discards::discarded(Path::new(directory), discard, whereabouts)?;
        self.unstaged.borrow_mut().extend(unstaged);
        Some(discarded)
    }

    fn overlaid(&self, laying: &Laying) -> Option<Overlaid> {
        overlay::overlaid(laying)
    }

    fn has_other_names(&self, path: &str) -> bool {
        std::fs::symlink_metadata(path).is_ok_and(|there| there.is_file() && there.nlink() > 1)
    }

    fn follow(&self, path: &str) -> Option<String> {
        if let Some((last, found)) = &*self.followed.borrow()
            && last == path
        {
            return found.clone();
        }
        let found = follow::follow(Path::new(path), &mut self.plain.borrow_mut());
        let found = found.map(|found| found.to_string_lossy().into_owned());
        *self.followed.borrow_mut() = Some((path.to_owned(), found.clone()));
        found
    }
}
