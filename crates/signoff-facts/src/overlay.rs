//! Which files would become others if something were laid over what is there: a copy, a move, what an archive holds.
//!
//! Only directories that stand on both sides are looked into: what arrives where nothing stands replaces nothing, however
//! much it is. What is the same already counts as nothing, and what was not looked at any more is said.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use signoff_analysis::facts::{
    Arriving, Directories, Following, KeptAs, Laying, Overlaid, Reach, Replacement, Replacing, Sparing,
};

use crate::{
    archive::{self, Content},
    git::read_bytes,
};

/// So many things that arrive are looked at.
const ENTRIES: usize = 4_000;

/// So many bytes are compared. What is as long and was not compared counts as something else.
const COMPARED_BYTES: u64 = 4 << 20;

/// Nested deeper than this, directories are not looked into.
const DEPTH_AT_MOST: usize = 128;

/// The files that would become others; none where it cannot be told what arrives.
pub(crate) fn overlaid(laying: &Laying) -> Option<Overlaid> {
    // Who names a link to a directory as the place means the directory.
    let to = fs::canonicalize(&laying.to).ok().filter(|to| to.is_dir());
    let is_directory = to.is_some();
    let to = to.unwrap_or_else(|| PathBuf::from(&laying.to));
    let ground = if is_directory { Some(to.as_path()) } else { to.parent() };
    let mut look = Look {
        ground: ground?.to_owned(),
        replacing: laying.replacing,
        directories: laying.directories,
        sparing: laying.sparing,
        following: laying.following,
        kept_as: laying.kept_as.clone(),
        entries_left: ENTRIES,
        compared_left: COMPARED_BYTES,
        found: Overlaid { replaced: Vec::new(), complete: true },
    };
    match &laying.what {
        Arriving::Named(from) => {
            let from = Path::new(from);
            let to = if is_directory { to.join(from.file_name()?) } else { to };
            look.lay(from, &to, 0);
        }
        Arriving::Itself(from) => look.lay(Path::new(from), &to, 0),
        Arriving::Any { below, reach } => look.lay_any(Path::new(below), (&to, is_directory), *reach, 0),
        Arriving::Unpacked(unpacking) => {
            archive::each_member(unpacking, &mut |path, content| {
                look.spend(|look| look.unpack(&content, &to.join(path)));
            })?;
        }
    }
    // A directory tells its names in no order.
    look.found.replaced.sort();
    Some(look.found)
}

struct Look {
    replacing: Replacing,
    directories: Directories,
    sparing: Sparing,
    following: Following,
    kept_as: Option<KeptAs>,
    /// The directory that things are laid into or beside: what is kept elsewhere has its path seen from there.
    ground: PathBuf,
    entries_left: usize,
    compared_left: u64,
    found: Overlaid,
}

impl Look {
    /// Looks at one thing more, if that may be.
    fn spend(&mut self, look: impl FnOnce(&mut Self)) {
        match self.entries_left.checked_sub(1) {
            Some(left) => {
                self.entries_left = left;
                look(self);
            }
            None => self.found.complete = false,
        }
    }

    /// What arrives comes to stand at a path: a directory is merged with the one that is there.
    fn lay(&mut self, from: &Path, to: &Path, depth: usize) {
        let follows = match self.following {
            Following::Nothing => false,
            Following::Named => depth == 0,
            Following::Everything => true,
        };
        let led = if follows && from.is_symlink() { fs::canonicalize(from).ok() } else { None };
        let from = led.as_deref().unwrap_or(from);
        let (arriving, there) = match (fs::symlink_metadata(from), fs::symlink_metadata(to)) {
            (Ok(arriving), Ok(there)) => (arriving, there),
            (Err(error), _) | (_, Err(error)) => {
                self.found.complete &= is_missing(&error);
                return;
            }
        };
        let is_itself = (arriving.dev(), arriving.ino()) == (there.dev(), there.ino());
        let stays = self.sparing == Sparing::Newer && arriving.modified().ok() <= there.modified().ok();
        match (arriving.is_dir(), there.is_dir()) {
            _ if is_itself => {}
            (true, _) if self.directories == Directories::Refused => {}
            (true, true) => self.merge(from, to, depth),
            // No file takes the place of a directory.
            (false, true) => {}
            // Who writes into things does not make a directory of one.
            (true, false) if self.replacing == Replacing::Content => {}
            (true, false) => self.replace(to, None),
            (false, false) if stays => {}
            (false, false) => {
                // A link that arrives takes the place of what is there, and is not written into it.
                let through = self.replacing == Replacing::Content && there.is_symlink() && !arriving.is_symlink();
                let Some((to, there)) = (if through { led_to(to) } else { Some((to.to_owned(), there)) }) else {
                    return;
                };
                // What is kept under another name goes there, also where nothing changes.
                if self.kept_as.is_some() || !self.is_same((from, &arriving), (&to, &there)) {
                    self.replace(&to, Some(from));
                }
            }
        }
    }

    fn merge(&mut self, from: &Path, to: &Path, depth: usize) {
        let Some(entries) = fs::read_dir(from).ok().filter(|_| depth < DEPTH_AT_MOST) else {
            self.found.complete = false;
            return;
        };
        for entry in entries {
            let Ok(entry) = entry else {
                self.found.complete = false;
                return;
            };
            let name = entry.file_name();
            self.spend(|look| look.lay(&from.join(&name), &to.join(&name), depth + 1));
            if self.entries_left == 0 {
                self.found.complete = false;
                return;
            }
        }
    }

    /// Any of what lies in a directory arrives under its own name.
    fn lay_any(&mut self, below: &Path, (to, is_directory): (&Path, bool), reach: Reach, depth: usize) {
        let Some(entries) = fs::read_dir(below).ok().filter(|_| depth < DEPTH_AT_MOST) else {
            self.found.complete &= depth == 0;
            return;
        };
        for entry in entries.flatten() {
            let from = entry.path();
            let place = if is_directory { to.join(entry.file_name()) } else { to.to_owned() };
            self.spend(|look| look.lay(&from, &place, 1));
            if self.entries_left == 0 {
                self.found.complete = false;
                return;
            }
            if reach == Reach::AnyDepth && entry.file_type().is_ok_and(|kind| kind.is_dir()) && from != to {
                self.lay_any(&from, (to, is_directory), reach, depth + 1);
            }
        }
    }

    /// What an archive holds comes to stand at a path. Archivers take away what stands there first.
    fn unpack(&mut self, content: &Content<'_>, to: &Path) {
        let there = match fs::symlink_metadata(to) {
            Ok(there) => there,
            Err(error) => {
                self.found.complete &= is_missing(&error);
                return;
            }
        };
        if there.is_dir() {
            return;
        }
        let is_same = there.is_file()
            && match content {
                Content::Bytes(bytes) => {
                    bytes.len() as u64 == there.len() && self.read(to, &there).as_deref() == Some(*bytes)
                }
                Content::Sum { length, crc } => {
                    *length == there.len() && self.read(to, &there).is_some_and(|found| archive::crc32(&found) == *crc)
                }
                Content::NoFile => false,
            };
        // What is kept under another name goes there, also where nothing changes.
        if !is_same || self.kept_as.is_some() {
            self.replace(to, None);
        }
    }

    fn is_same(&mut self, (from, arriving): (&Path, &Metadata), (to, there): (&Path, &Metadata)) -> bool {
        if arriving.is_symlink() && there.is_symlink() {
            return fs::read_link(from).ok().is_some_and(|target| fs::read_link(to).is_ok_and(|other| other == target));
        }
        if !arriving.is_file() || !there.is_file() || arriving.len() != there.len() {
            return false;
        }
        match (self.read(from, arriving), self.read(to, there)) {
            (Some(from), Some(to)) => from == to,
            _ => false,
        }
    }

    fn read(&mut self, path: &Path, metadata: &Metadata) -> Option<Vec<u8>> {
        self.compared_left = self.compared_left.checked_sub(metadata.len())?;
        read_bytes(path, metadata.len())
    }

    fn replace(&mut self, path: &Path, by: Option<&Path>) {
        let kept = self.kept_as.as_ref().map(|kept_as| {
            let elsewhere = kept_as.below.as_ref().map(|below| self.ground.join(below));
            let below = path.strip_prefix(&self.ground).unwrap_or(path);
            let mut kept =
                elsewhere.map_or_else(|| path.to_owned(), |directory| directory.join(below)).into_os_string();
            kept.push(&kept_as.ending);
            PathBuf::from(kept)
        });
        let (path, by) = match &kept {
            // Nothing had the name under which it is kept.
            Some(kept) if fs::symlink_metadata(kept).map_or(true, |there| there.is_dir()) => return,
            Some(kept) => (kept.as_path(), Some(path)),
            None => (path, by),
        };
        let by = by.and_then(Path::to_str).map(str::to_owned);
        match path.to_str() {
            Some(path) => self.found.replaced.push(Replacement { path: path.to_owned(), by }),
            None => self.found.complete = false,
        }
    }
}

/// What a link leads to, if it is no directory.
fn led_to(link: &Path) -> Option<(PathBuf, Metadata)> {
    let path = fs::canonicalize(link).ok()?;
    let metadata = fs::symlink_metadata(&path).ok().filter(|metadata| !metadata.is_dir())?;
    Some((path, metadata))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
