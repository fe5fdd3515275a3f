use std::ops::AddAssign;

use crate::Change;

/// Who could bring something back that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// Git has exactly this content.
    Git,
    /// A build makes it again.
    Rebuilt,
    /// It stays, under another name that it has elsewhere.
    Linked,
    /// Nobody: it is lost for good.
    Lost,
}

impl Fate {
    /// Every fate, the lightest first.
    pub const ALL: [Self; 4] = [Self::Git, Self::Rebuilt, Self::Linked, Self::Lost];

    /// The stable name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Rebuilt => "rebuilt",
            Self::Linked => "linked",
            Self::Lost => "lost",
        }
    }
}

/// So many files with so much in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files, links and other things that are no directories.
    pub files: u64,
    /// Their lengths, taken together.
    pub bytes: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.files = self.files.saturating_add(other.files);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// How much goes, by who could bring it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// What git can restore.
    pub git: Tally,
    /// What a build makes again.
    pub rebuilt: Tally,
    /// What stays under another name.
    pub linked: Tally,
    /// What is lost for good.
    pub lost: Tally,
    /// The directories among it.
    pub directories: u64,
}

impl Stock {
    /// What has one fate.
    pub const fn of(&self, fate: Fate) -> Tally {
        match fate {
            Fate::Git => self.git,
            Fate::Rebuilt => self.rebuilt,
            Fate::Linked => self.linked,
            Fate::Lost => self.lost,
        }
    }

    /// Adds files with one fate.
    pub fn add(&mut self, fate: Fate, tally: Tally) {
        match fate {
            Fate::Git => self.git += tally,
            Fate::Rebuilt => self.rebuilt += tally,
            Fate::Linked => self.linked += tally,
            Fate::Lost => self.lost += tally,
        }
    }

    /// All of it.
    pub fn whole(&self) -> Tally {
        let mut whole = self.git;
        whole += self.rebuilt;
        whole += self.linked;
        whole += self.lost;
        whole
    }

    /// What has come to it since it was like that.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let tally = |fate| {
            let (now, then) = (self.of(fate), before.of(fate));
            Tally { files: now.files.saturating_sub(then.files), bytes: now.bytes.saturating_sub(then.bytes) }
        };
        Self {
            git: tally(Fate::Git),
            rebuilt: tally(Fate::Rebuilt),
            linked: tally(Fate::Linked),
            lost: tally(Fate::Lost),
            directories: self.directories.saturating_sub(before.directories),
        }
    }

    /// The worst fate of anything in it; none where no file goes.
    pub fn worst(&self) -> Option<Fate> {
        Fate::ALL.into_iter().rev().find(|fate| self.of(*fate).files > 0)
    }
}

impl AddAssign for Stock {
    fn add_assign(&mut self, other: Self) {
        for fate in Fate::ALL {
            self.add(fate, other.of(fate));
        }
        self.directories = self.directories.saturating_add(other.directories);
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThingKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, which goes without what it points at.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

/// One thing that would go or be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Where it is.
    pub path: String,
    /// What it is.
    pub kind: ThingKind,
    /// How much goes with it.
    pub stock: Stock,
    /// The files in it that would be lost for good, in the order of their names; all of them up to a bound that nobody
    /// reads to the end.
    pub lost: Vec<LostFile>,
    /// Where the rest of it lies, which git or a build brings back.
    pub spared: Vec<Spared>,
    /// Whether all of it was looked at.
    pub complete: bool,
}

/// A file that would be lost for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostFile {
    /// Its path below the thing that goes.
    pub below: String,
    /// Its length.
    pub bytes: u64,
}

/// Files in a directory that would go and come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spared {
    /// The path of the directory below the thing that goes; empty for that itself.
    pub below: String,
    /// How much of the directory this is.
    pub extent: SparedExtent,
    /// What there is.
    pub stock: Stock,
}

/// How much of a directory comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SparedExtent {
    /// Everything in it and below.
    Whole,
    /// Files that lie directly in it, beside what is lost.
    Beside,
}

/// What would be gone or replaced, computed before anybody is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// One for each thing that is named or matched.
    pub losses: Vec<Loss>,
    /// How files would differ from what they are.
    pub changes: Vec<Change>,
    /// Whether all of it was looked at: what cannot be listed in full cannot be answered by habit.
    pub complete: bool,
}

impl Preview {
    /// How much goes in all.
    pub fn stock(&self) -> Stock {
        let mut all = Stock::default();
        self.losses.iter().for_each(|loss| all += loss.stock);
        all
    }
}
