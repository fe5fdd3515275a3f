use std::collections::BTreeMap;

use crate::{Bound, Digest, Loss, Preview, Risk, Tally};

/// What people were shown of what would be lost, as far as it is kept: a grant that was given for it reaches no further, and
/// whoever finds something else later can say what differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// One for each thing that is named or matched.
    pub things: Vec<ShownThing>,
    /// The files that would be lost for good, as long as the list is short enough to be kept.
    pub lost: Vec<ShownFile>,
    /// How much would be lost for good.
    pub total: Tally,
    /// Whether all of it was looked at, and is kept here.
    pub complete: bool,
}

/// One thing that would go or be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownThing {
    /// Where it is.
    pub path: String,
    /// How much goes with it, whoever could bring it back.
    pub all: Tally,
}

/// A file that would be lost for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFile {
    /// Where it is.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

impl Shown {
    /// So many bytes of paths are kept beside a question: it is written to the disk before anybody is asked.
    const KEPT_AT_MOST: usize = 32 * 1024;

    /// What of a preview is kept. Where there is none, nothing is at stake.
    pub fn of(preview: Option<&Preview>) -> Self {
        let Some(preview) = preview else { return Self { complete: true, ..Self::default() } };
        let mut shown = Self { complete: preview.complete, ..Self::default() };
        let mut room = Self::KEPT_AT_MOST;
        for loss in &preview.losses {
            shown.total += loss.stock.lost;
            shown.complete &= loss.complete && shown.keep(loss, &mut room);
        }
        // What was counted and is not named would be missing from the list.
        shown.complete &= usize::try_from(shown.total.files).is_ok_and(|files| files == shown.lost.len());
        shown
    }

    /// Keeps a loss as far as there is room, and says whether there was.
    fn keep(&mut self, loss: &Loss, room: &mut usize) -> bool {
        let mut fits = |path: &str| match room.checked_sub(path.len()) {
            Some(left) => {
                *room = left;
                true
            }
            None => false,
        };
        if !fits(&loss.path) {
            return false;
        }
        self.things.push(ShownThing { path: loss.path.clone(), all: loss.stock.whole() });
        for file in &loss.lost {
            let path = if file.below.is_empty() { loss.path.clone() } else { format!("{}/{}", loss.path, file.below) };
            if !fits(&path) {
                return false;
            }
            self.lost.push(ShownFile { path, bytes: file.bytes });
        }
        true
    }

    /// Whether what would be lost for good now is no more than this: the same files or fewer, none of them longer. What git or a
    /// build brings back may have become another.
    pub fn covers(&self, now: &Self) -> bool {
        let known: BTreeMap<&str, u64> = self.lost.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
        let reaches = |file: &ShownFile| known.get(file.path.as_str()).is_some_and(|bytes| file.bytes <= *bytes);
        self.complete && now.complete && now.lost.iter().all(reaches)
    }
}

/// Something that a question rests on beside what would be lost: a file that is about to run, a directory, what a pattern stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// What it is.
    pub aspect: Aspect,
    /// Its path, or the pattern.
    pub about: String,
    /// What tells it from another one in its place.
    pub digest: Digest,
}

/// What differs between what was shown and what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// How much would be lost for good, in all.
    Total,
    /// A file or another thing that would be lost or replaced.
    Loss,
    /// How a file would differ from what it is, or what stands in it.
    Text,
    /// The content of a file that would run, or take the place of another one.
    Content,
    /// The directory itself.
    Directory,
    /// Where a link leads.
    Link,
    /// What a directory holds.
    Listing,
    /// What a pattern stands for.
    Matches,
    /// Whether a file has other names.
    Names,
    /// What whoever runs it says of its environment, or of the schema of a tool.
    Surroundings,
    /// How grave it is.
    Risk,
    /// What the policy says.
    Policy,
    /// There is more than is told here.
    Further,
}

impl Aspect {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Total,
        Self::Loss,
        Self::Text,
        Self::Content,
        Self::Directory,
        Self::Link,
        Self::Listing,
        Self::Matches,
        Self::Names,
        Self::Surroundings,
        Self::Risk,
        Self::Policy,
        Self::Further,
    ];

    /// The stable name used on the wire and on disk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Loss => "loss",
            Self::Text => "text",
            Self::Content => "content",
            Self::Directory => "directory",
            Self::Link => "link",
            Self::Listing => "listing",
            Self::Matches => "matches",
            Self::Names => "names",
            Self::Surroundings => "surroundings",
            Self::Risk => "risk",
            Self::Policy => "policy",
            Self::Further => "further",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|aspect| aspect.name() == name)
    }

    /// The part of a [`Binding`](crate::Binding) that it belongs to.
    pub const fn bound(self) -> Bound {
        match self {
            Self::Content | Self::Directory | Self::Link | Self::Surroundings => Bound::Operation,
            Self::Policy => Bound::Policy,
            Self::Total
            | Self::Loss
            | Self::Text
            | Self::Listing
            | Self::Matches
            | Self::Names
            | Self::Risk
            | Self::Further => Bound::Preview,
        }
    }
}

/// One thing that is not what was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// What differs.
    pub aspect: Aspect,
    /// The path, the pattern, or nothing where it is about all of it.
    pub about: String,
    /// What was shown.
    pub was: Measure,
    /// What is there.
    pub is: Measure,
}

/// How much there is of something, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// It is not there.
    Absent,
    /// It is there, and that is all that is known.
    There,
    /// So much.
    Amount(Tally),
    /// So grave.
    Grave(Risk),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LostFile, Stock, ThingKind};

    fn preview(files: &[(&str, u64)]) -> Preview {
        let mut stock = Stock::default();
        files.iter().for_each(|(_, bytes)| stock.lost += Tally { files: 1, bytes: *bytes });
        let lost = files.iter().map(|(below, bytes)| LostFile { below: (*below).to_owned(), bytes: *bytes }).collect();
        let (path, kind) = ("build".to_owned(), ThingKind::Directory);
        let loss = Loss { path, kind, stock, lost, spared: Vec::new(), complete: true };
        Preview { losses: vec![loss], changes: Vec::new(), complete: true }
    }

    fn shown(files: &[(&str, u64)]) -> Shown {
        Shown::of(Some(&preview(files)))
    }

    #[test]
    fn nothing_reaches_further_than_what_was_shown() {
        let before = shown(&[("a", 3), ("b", 5)]);
        for (name, now, expected) in [
            ("the same", shown(&[("a", 3), ("b", 5)]), true),
            ("less", shown(&[("b", 5)]), true),
            ("nothing", shown(&[]), true),
            ("nothing is at stake", Shown::of(None), true),
            ("a shorter file", shown(&[("a", 2)]), true),
            ("a longer file", shown(&[("a", 4)]), false),
            ("another file", shown(&[("c", 1)]), false),
            ("one more", shown(&[("a", 3), ("b", 5), ("c", 0)]), false),
            ("not all of it was looked at", Shown { complete: false, ..shown(&[]) }, false),
        ] {
            assert_eq!(before.covers(&now), expected, "{name}");
        }
        assert!(!Shown { complete: false, ..before.clone() }.covers(&before), "what was not shown in full");
        assert!(!Shown::of(None).covers(&before), "nothing was at stake");
    }

    #[test]
    fn what_is_not_named_is_not_shown() {
        let mut unnamed = preview(&[("a", 3)]);
        unnamed.losses[0].stock.lost.files = 2;
        assert!(!Shown::of(Some(&unnamed)).complete);
        let many: Vec<String> = (0..4_000).map(|number| format!("{number:020}")).collect();
        let many: Vec<(&str, u64)> = many.iter().map(|name| (name.as_str(), 1)).collect();
        let cut = shown(&many);
        assert_eq!((cut.complete, cut.total.files), (false, 4_000));
        assert!(cut.lost.len() < 2_000, "{}", cut.lost.len());
    }

    #[test]
    fn every_aspect_has_a_name_of_its_own() {
        for aspect in Aspect::ALL {
            assert_eq!(Aspect::from_name(aspect.name()), Some(aspect));
        }
        assert_eq!(Aspect::from_name("else"), None);
    }
}
