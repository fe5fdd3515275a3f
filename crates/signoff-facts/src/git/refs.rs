//! Which commit a name stands for, read from the files of a repository. Where git could come to another answer, because
//! several things have the name or something replaces a commit, there is none.

use std::{fs, io, path::Path};

use super::{
    Repository,
    object_name::ObjectName,
    objects::{ObjectKind, Objects},
    read_bytes,
};

/// References to references are followed so often.
const STEPS_AT_MOST: usize = 5;
/// A longer list of references is not read.
const LIST_AT_MOST: u64 = 4 << 20;
/// Nobody goes further back than this by counting.
const BACK_AT_MOST: usize = 256;

/// The commit that a word of a command stands for, and its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) tree: ObjectName,
}

/// A reference, as far as it can be told.
enum Reference {
    Missing,
    Unknown,
    At(ObjectName),
}

impl Repository {
    /// The commit that a word stands for.
    pub(super) fn commit(&self, word: &str, objects: &mut Objects) -> Option<Commit> {
        let references = self.references()?;
        let end = word.find(['~', '^']).unwrap_or(word.len());
        let (name, mut steps) = word.split_at_checked(end)?;
        let mut content = self.named(name, &references, objects)?;
        let mut walked = 0;
        while let Some(kind) = steps.chars().next() {
            steps = steps.get(1..)?;
            let digits = steps.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(steps.len());
            let (number, rest) = steps.split_at_checked(digits)?;
            steps = rest;
            let number: usize = if number.is_empty() { 1 } else { number.parse().ok()? };
            let (rounds, which) = match kind {
                '~' => (number, 1),
                '^' => (usize::from(number > 0), number),
                _ => return None,
            };
            for _ in 0..rounds {
                walked += 1;
                // Grafts give commits other parents than they have.
                if walked > BACK_AT_MOST || self.shared.join("info/grafts").exists() {
                    return None;
                }
                let parent = lines(&content, "parent ").nth(which.checked_sub(1)?)?;
                content = commit_at(ObjectName::from_hex(parent, objects.hash())?, objects)?;
            }
        }
        let tree = lines(&content, "tree ").next()?;
        Some(Commit { tree: ObjectName::from_hex(tree, objects.hash())? })
    }

    /// The same for a word that may as well say where somebody was before, what a branch follows, or the name that a branch
    /// has elsewhere.
    pub(super) fn commit_or_guess(&self, word: &str, objects: &mut Objects) -> Option<Commit> {
        match word {
            "-" | "@{-1}" => self.commit(&self.left_last()?, objects),
            "@{u}" | "@{upstream}" => self.commit(&self.followed()?, objects),
            word => self.commit(word, objects).or_else(|| self.commit(&format!("origin/{word}"), objects)),
        }
    }

    /// Where the work tree was before the last switch.
    fn left_last(&self) -> Option<String> {
        let log = String::from_utf8(read_bytes(&self.own.join("logs/HEAD"), LIST_AT_MOST)?).ok()?;
        let (_, moved) = log.rsplit_once("\tcheckout: moving from ")?;
        Some(moved.split_once(" to ")?.0.to_owned())
    }

    /// The branch of another repository that the one of this work tree follows.
    fn followed(&self) -> Option<String> {
        let head = loose(&self.own.join("HEAD")).ok()??;
        let branch = head.strip_prefix("ref: refs/heads/")?.trim_end();
        let settings = self.settings()?;
        let remote = settings.value(&format!("branch.{branch}.remote"))?;
        let merged = settings.value(&format!("branch.{branch}.merge"))?.strip_prefix("refs/heads/")?;
        Some(if remote == "." { merged.to_owned() } else { format!("{remote}/{merged}") })
    }

    /// The content of the commit that a name without steps stands for.
    fn named(&self, name: &str, references: &str, objects: &mut Objects) -> Option<String> {
        if let Some(object) = ObjectName::from_hex(name, objects.hash()) {
            return commit_at(object, objects);
        }
        let name = if name == "@" { "HEAD" } else { name };
        if name.ends_with("HEAD") && name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_') {
            return match self.reference(name, references, objects, 0) {
                Reference::At(object) => commit_at(object, objects),
                Reference::Missing | Reference::Unknown => None,
            };
        }
        if !is_plain(name) || fs::symlink_metadata(self.own.join(name)).is_ok() {
            return None;
        }
        let mut found = None;
        let tail = |name: &str| format!("refs/remotes/{name}/HEAD");
        let full = ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].map(|before| format!("{before}{name}"));
        for candidate in full.into_iter().chain([tail(name)]) {
            match self.reference(&candidate, references, objects, 0) {
                Reference::Missing => {}
                Reference::Unknown => return None,
                Reference::At(_) if found.is_some() => return None,
                Reference::At(object) => found = Some(object),
            }
        }
        commit_at(found?, objects)
    }

    /// The list of references that have no file of their own; none if it cannot be read, if references are kept in another
    /// way, or if some of them put objects into the place of others.
    fn references(&self) -> Option<String> {
        let storage = self.settings()?;
        if storage.value("extensions.refstorage").is_some_and(|storage| storage != "files") {
            return None;
        }
        let file = self.shared.join("packed-refs");
        let list = match fs::symlink_metadata(&file) {
            Ok(_) => String::from_utf8(read_bytes(&file, LIST_AT_MOST)?).ok()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(_) => return None,
        };
        let replaced = fs::read_dir(self.shared.join("refs/replace")).is_ok_and(|mut found| found.next().is_some());
        (!replaced && !list.contains(" refs/replace/")).then_some(list)
    }

    fn reference(&self, name: &str, list: &str, objects: &Objects, depth: usize) -> Reference {
        if depth == STEPS_AT_MOST {
            return Reference::Unknown;
        }
        // These belong to one work tree alone.
        if ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].iter().any(|own| name.starts_with(own)) {
            return Reference::Unknown;
        }
        let store = if name.starts_with("refs/") { &self.shared } else { &self.own };
        match loose(&store.join(name)) {
            Ok(Some(text)) => match text.strip_prefix("ref:").map(str::trim) {
                Some(next) if next.starts_with("refs/") && is_plain(next) => {
                    self.reference(next, list, objects, depth + 1)
                }
                Some(_) => Reference::Unknown,
                None => ObjectName::from_hex(text.trim_end(), objects.hash()).map_or(Reference::Unknown, Reference::At),
            },
            Ok(None) => {
                let line = |line: &str| line.split_once(' ').filter(|(_, at)| *at == name).map(|(at, _)| at.to_owned());
                match list.lines().find_map(line) {
                    Some(object) => {
                        ObjectName::from_hex(&object, objects.hash()).map_or(Reference::Unknown, Reference::At)
                    }
                    None => Reference::Missing,
                }
            }
            Err(()) => Reference::Unknown,
        }
    }
}

/// What stands in the file of a reference; nothing if there is none.
fn loose(file: &Path) -> Result<Option<String>, ()> {
    match fs::symlink_metadata(file) {
        // A directory of references.
        Ok(metadata) if metadata.is_dir() => Ok(None),
        Ok(_) => {
            let bytes = read_bytes(file, 4096).ok_or(())?;
            String::from_utf8(bytes).map(Some).map_err(|_| ())
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(_) => Err(()),
    }
}

/// Whether a name can be nothing but that of a reference.
fn is_plain(name: &str) -> bool {
    let sign = |letter: char| letter.is_ascii_alphanumeric() || "-_./+#".contains(letter);
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    name.chars().all(sign) && !name.contains("..") && !name.starts_with('-') && name.split('/').all(part)
}

/// The text of a commit, behind any tags in front of it.
fn commit_at(name: ObjectName, objects: &mut Objects) -> Option<String> {
    let mut name = name;
    for _ in 0..STEPS_AT_MOST {
        let (kind, content) = objects.read(&name)?;
        // Names and messages may be in any encoding; what is read stands before them.
        let text = String::from_utf8_lossy(&content).into_owned();
        match kind {
            ObjectKind::Commit => return Some(text),
            ObjectKind::Tag => name = ObjectName::from_hex(lines(&text, "object ").next()?, objects.hash())?,
            ObjectKind::Tree | ObjectKind::Blob => return None,
        }
    }
    None
}

/// The values of one kind in the head of a commit.
fn lines<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().take_while(|line| !line.is_empty()).filter_map(move |line| line.strip_prefix(key))
}
