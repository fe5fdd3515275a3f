//! Files with several names: of one that loses a name, nothing is lost as long as another one stays.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    ops::ControlFlow,
    os::unix::ffi::OsStrExt,
    path::PathBuf,
};

use signoff_model::ThingKind;

use super::{DEPTH_AT_MOST, doomed::outermost};
use crate::directory::{Directory, Look};

/// What happens to the names of files that have several.
#[derive(Debug, Default)]
pub(super) struct Going {
    /// How many names of each file go,
    names: HashMap<(u64, u64), u64>,
    /// and the files that something else happens to.
    changed: HashSet<(u64, u64)>,
}

impl Going {
    /// The names at and below all that goes; none if they cannot be told, or are more than may be looked at.
    pub(super) fn of(paths: &[PathBuf], unlinked: Option<&HashSet<PathBuf>>, entries: u64) -> Option<Self> {
        let mut walk = Walk { going: Self::default(), left: entries, unlinks: false };
        for path in outermost(paths) {
            let path = path.components().as_path();
            walk.unlinks = unlinked.is_some_and(|unlinked| unlinked.contains(path));
            let above = Directory::at(path.parent().unwrap_or(path)).ok();
            let name = path.file_name().map_or(&b"."[..], OsStr::as_bytes);
            // What is not there has no name that could go.
            let Some((above, look)) = above.and_then(|above| above.look(name).ok().map(|look| (above, look))) else {
                continue;
            };
            walk.visit(&above, name, &look, 0)?;
        }
        Some(walk.going)
    }

    /// Whether a file keeps a name.
    pub(super) fn leaves(&self, look: &Look) -> bool {
        let file = (look.device, look.inode);
        !self.changed.contains(&file) && self.names.get(&file).is_some_and(|going| *going < look.names)
    }
}

struct Walk {
    going: Going,
    left: u64,
    /// Whether what is looked at now loses nothing but its name.
    unlinks: bool,
}

impl Walk {
    fn visit(&mut self, above: &Directory, name: &[u8], look: &Look, depth: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if look.kind == ThingKind::File && look.names > 1 {
            let file = (look.device, look.inode);
            *self.going.names.entry(file).or_default() += 1;
            if !self.unlinks {
                self.going.changed.insert(file);
            }
        }
        if !look.is_directory() {
            return Some(());
        }
        if depth >= DEPTH_AT_MOST {
            return None;
        }
        let directory = above.listed(name).ok()?;
        let mut names = Vec::new();
        let listed = directory.names(|name, _| {
            names.push(name.as_bytes().to_vec());
            if names.len() as u64 > self.left { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        listed.ok()?;
        for name in &names {
            let look = directory.look(name).ok()?;
            self.visit(&directory, name, &look, depth + 1)?;
        }
        Some(())
    }
}
