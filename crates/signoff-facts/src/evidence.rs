//! What an assessment rests on: every question that was asked of the file system, with a digest of the answer.
//!
//! Two assessments of the same operation that rest on the same evidence are the same. Where one answer differs, what was
//! shown to a person is not what would run (law 3).

use std::{cell::RefCell, collections::BTreeMap, fs, os::unix::fs::MetadataExt as _};

use sha2::{Digest, Sha256};
use signoff_analysis::facts::{Arriving, Discard, Discarded, Facts, FileText, Laying, Overlaid, Whereabouts};
use signoff_model::{NewText, Rewrite, Stock};

use crate::LocalFacts;

/// A question to the file system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// Which directory stands at a path, whatever is in it.
    Ground(String),
    /// What a file holds that is about to run.
    Text(String),
    /// What a directory holds.
    Names(String),
    /// What a pattern stands for in a directory.
    Matches {
        /// The directory.
        directory: String,
        /// The pattern.
        pattern: String,
    },
    /// Where a path leads.
    Follow(String),
    /// Whether a file has other names.
    Links(String),
    /// How much would go.
    Stock(Vec<String>),
    /// What git would throw away.
    Discarded {
        /// Where it is called.
        directory: String,
        /// In which way.
        discard: Discard,
    },
    /// Which files something would replace.
    Overlaid(Laying),
    /// Which file comes in the place of another one.
    Arriving(String),
}

/// The answers to all questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence(BTreeMap<Question, [u8; 32]>);

impl Evidence {
    /// What was asked, with a digest of each answer.
    pub fn answers(&self) -> impl Iterator<Item = (&Question, &[u8; 32])> {
        self.0.iter()
    }

    /// The questions that have got another answer since, or are new.
    pub fn changed_since<'e>(&'e self, before: &'e Self) -> impl Iterator<Item = &'e Question> {
        let changed = self.0.iter().filter(|(question, answer)| before.0.get(question) != Some(answer));
        let gone = before.0.keys().filter(|question| !self.0.contains_key(question));
        changed.map(|(question, _)| question).chain(gone)
    }
}

/// The file system, with everything remembered that it was asked.
#[derive(Debug, Default)]
pub struct WitnessedFacts {
    local: LocalFacts,
    evidence: RefCell<Evidence>,
}

impl WitnessedFacts {
    /// The facts themselves.
    pub fn local(&self) -> &LocalFacts {
        &self.local
    }

    /// Remembers which directory stands at a path: another one that was put in its place is another ground.
    pub fn stand_on(&self, directory: &str) {
        let identity = fs::metadata(directory).map(|found| (found.dev(), found.ino())).ok();
        self.remember(Question::Ground(directory.to_owned()), identity, |identity| format!("{identity:?}"));
    }

    /// Remembers the files that come in the place of others: not all of what is in them is shown.
    pub fn witness_arrivals(&self, rewrites: &[Rewrite]) {
        for rewrite in rewrites {
            if let NewText::Copied(from) = &rewrite.text {
                self.remember(Question::Arriving(from.clone()), identity(from), |identity| format!("{identity:?}"));
            }
        }
    }

    /// What was asked, and answered.
    pub fn evidence(self) -> Evidence {
        self.evidence.into_inner()
    }

    fn remember<T>(&self, question: Question, answer: T, bytes: impl FnOnce(&T) -> String) -> T {
        let digest = Sha256::digest(bytes(&answer));
        self.evidence.borrow_mut().0.insert(question, digest.into());
        answer
    }
}

/// What differs as soon as there is another file at a path, or something else in it.
fn identity(path: &str) -> Option<[i64; 7]> {
    let found = fs::metadata(path).ok()?;
    let (device, inode, length) = (found.dev(), found.ino(), found.len());
    Some([
        device.cast_signed(),
        inode.cast_signed(),
        length.cast_signed(),
        found.mtime(),
        found.mtime_nsec(),
        found.ctime(),
        found.ctime_nsec(),
    ])
}

impl Facts for WitnessedFacts {
    fn text(&self, path: &str) -> FileText {
        self.remember(Question::Text(path.to_owned()), self.local.text(path), |text| format!("{text:?}"))
    }

    fn names(&self, directory: &str) -> Option<Vec<String>> {
        let names = self.local.names(directory).map(|mut names| {
            names.sort();
            names
        });
        self.remember(Question::Names(directory.to_owned()), names, |names| format!("{names:?}"))
    }

    fn matches(&self, directory: &str, pattern: &str) -> Option<Vec<String>> {
        let question = Question::Matches { directory: directory.to_owned(), pattern: pattern.to_owned() };
        self.remember(question, self.local.matches(directory, pattern), |found| format!("{found:?}"))
    }

    fn stocks(&self, paths: &[String], whereabouts: &Whereabouts) -> Option<Vec<Stock>> {
        self.remember(Question::Stock(paths.to_vec()), self.local.stocks(paths, whereabouts), |stocks| {
            format!("{stocks:?}")
        })
    }

    fn is_made_again(&self, path: &str, whereabouts: &Whereabouts) -> Option<bool> {
        // Nothing rests on it but the verdict, which is compared as a whole.
        self.local.is_made_again(path, whereabouts)
    }

    fn discarded(&self, directory: &str, discard: &Discard, whereabouts: &Whereabouts) -> Option<Discarded> {
        let question = Question::Discarded { directory: directory.to_owned(), discard: discard.clone() };
        let found = self.local.discarded(directory, discard, whereabouts);
        self.remember(question, found, |found| format!("{found:?}"))
    }

    fn overlaid(&self, laying: &Laying) -> Option<Overlaid> {
        self.remember(Question::Overlaid(laying.clone()), self.local.overlaid(laying), |found| {
            let files = found.iter().flat_map(|found| &found.replaced).filter_map(|one| one.by.as_deref());
            let archive = match &laying.what {
                Arriving::Unpacked(unpacking) => Some(unpacking.archive.as_str()),
                Arriving::Named(_) | Arriving::Itself(_) | Arriving::Any { .. } => None,
            };
            // What arrives may be more than is compared, or nothing that could be shown.
            let arriving: Vec<_> = files.chain(archive).map(identity).collect();
            format!("{found:?} {arriving:?}")
        })
    }

    fn has_other_names(&self, path: &str) -> bool {
        let found = self.local.has_other_names(path);
        self.remember(Question::Links(path.to_owned()), found, |found| format!("{found:?}"))
    }

    fn follow(&self, path: &str) -> Option<String> {
        self.remember(Question::Follow(path.to_owned()), self.local.follow(path), |found| format!("{found:?}"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use signoff_analysis::facts::{Arriving, Directories, Facts, Following, Laying, Replacing, Sparing};
    use signoff_model::{NewText, Rewrite};

    use super::{Question, WitnessedFacts};

    #[test]
    fn another_directory_in_the_same_place_is_another_ground() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let here = root.join("here");
        fs::create_dir(&here).unwrap();
        let look = || {
            let facts = WitnessedFacts::default();
            facts.stand_on(here.to_str().unwrap());
            facts.evidence()
        };
        let before = look();
        fs::write(here.join("new"), "").unwrap();
        assert_eq!(look().changed_since(&before).count(), 0, "what is in it is another question");
        fs::rename(&here, root.join("there")).unwrap();
        assert_eq!(look().changed_since(&before).count(), 1, "gone");
        fs::create_dir(&here).unwrap();
        assert_eq!(look().changed_since(&before).count(), 1, "another one");
        fs::remove_dir(&here).unwrap();
        std::os::unix::fs::symlink("there", &here).unwrap();
        assert_eq!(look().changed_since(&before).count(), 0, "the same one, by another way");
    }

    #[test]
    fn other_content_on_its_way_over_a_file_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let full = |name: &str| root.join(name).to_str().unwrap().to_owned();
        // No text, of the same length: nothing that could be shown differs.
        fs::write(root.join("old"), "\0old").unwrap();
        fs::write(root.join("new"), "\0new").unwrap();
        let look = || {
            let facts = WitnessedFacts::default();
            let replaced = facts.overlaid(&Laying {
                what: Arriving::Itself(full("new")),
                to: full("old"),
                replacing: Replacing::Content,
                directories: Directories::Refused,
                sparing: Sparing::Nothing,
                following: Following::Nothing,
                kept_as: None,
            });
            assert_eq!(replaced.unwrap().replaced.len(), 1);
            facts.evidence()
        };
        let moved = || {
            let facts = WitnessedFacts::default();
            facts.witness_arrivals(&[Rewrite { path: full("old"), text: NewText::Copied(full("new")) }]);
            facts.evidence()
        };
        let (before, moved_before) = (look(), moved());
        assert_eq!(look().changed_since(&before).count() + moved().changed_since(&moved_before).count(), 0);
        fs::write(root.join("new"), "\0bad").unwrap();
        assert_eq!(look().changed_since(&before).count(), 1);
        assert_eq!(moved().changed_since(&moved_before).count(), 1);
    }

    #[test]
    fn another_answer_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let script = root.join("s.sh");
        fs::write(&script, "echo a\n").unwrap();
        let look = || {
            let facts = WitnessedFacts::default();
            facts.text(script.to_str().unwrap());
            facts.matches(root.to_str().unwrap(), "*.txt");
            facts.names(root.to_str().unwrap());
            facts.evidence()
        };
        let before = look();
        assert_eq!(look().changed_since(&before).count(), 0);
        fs::write(&script, "echo b\n").unwrap();
        let now = look();
        let changed: Vec<_> = now.changed_since(&before).collect();
        assert_eq!(changed, [&Question::Text(script.to_str().unwrap().to_owned())]);
        fs::write(root.join("new.txt"), "").unwrap();
        assert_eq!(look().changed_since(&now).count(), 2);
    }
}
