//! Where unknown things come from.

use std::{mem::discriminant, ops::Deref};

use compact_str::CompactString;

/// So many origins are told apart.
const MAX_ORIGINS: usize = 16;

/// Where something unknown came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A variable that the text does not set.
    Variable(String),
    /// The content of something secret.
    Secret(String),
    /// Fetched from another machine.
    Download {
        /// From where.
        url: String,
        /// Whether the way is encrypted.
        encrypted: bool,
    },
    /// A list of paths or names that a program prints.
    Listing {
        /// The program.
        by: String,
        /// What it lists, as the text names it: a directory, or a directory with a pattern behind it such as
        /// `src/**/*.pyc`; empty for the working directory.
        under: String,
    },
    /// The names that a program prints of what lies in a directory. They lead there only behind its path: alone they
    /// name things in the working directory.
    Names {
        /// The program.
        by: String,
        /// The directory, as the text names it, perhaps with a pattern behind it.
        of: String,
    },
    /// The path of a fresh temporary file or directory.
    TemporaryName,
    /// Something that was taken, nobody knows how, out of a module or function that can do harm.
    Dangerous(String),
    /// One of many texts, of which one may lead out of the directory that stands before it.
    Astray,
    /// Decoded from something that is not known.
    Decoded,
    /// Exactly these bytes, which are no text: what a decoder gives before it is unpacked.
    Bytes(Vec<u8>),
    /// The content of a file.
    File(String),
    /// Nothing but the whole content of the file at this absolute path: what runs it runs the file.
    Exactly(String),
    /// Nothing but the whole content of a file of the project, as it was committed under this name.
    Committed(String),
    /// What a program prints.
    Program(CompactString),
    /// The number of a running process that was looked up by this name.
    Process(String),
    /// The number of a process that the text itself has started, such as `$!`.
    Started,
    /// What a person or another process types.
    Input,
    /// Places that are not told apart: too many of them, or texts that were known once.
    Others,
}

impl Origin {
    /// A list of paths that a program prints.
    pub fn listing(by: impl Into<String>, under: impl Into<String>) -> Self {
        Self::Listing { by: by.into(), under: under.into() }
    }

    /// Whether it says what the content is to the byte, which holds no longer once something is added or changed.
    pub(super) const fn is_exact(&self) -> bool {
        matches!(self, Self::Bytes(_) | Self::Exactly(_) | Self::Committed(_))
    }

    /// The secret that it stands for, if it does.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::Secret(name) => Some(name),
            _ => None,
        }
    }

    /// The list that it is, if it is one: what makes it, and what it lists.
    pub fn list(&self) -> Option<(&str, &str)> {
        match self {
            Self::Listing { by, under } | Self::Names { by, of: under } => Some((by.as_str(), under.as_str())),
            _ => None,
        }
    }

    /// Whether it is a list of names that are no paths.
    pub const fn is_names(&self) -> bool {
        matches!(self, Self::Names { .. })
    }

    /// Whether it says where a path leads. That holds for the path as it is, and for nothing that is made of it.
    const fn leads(&self) -> bool {
        matches!(self, Self::Listing { .. } | Self::Names { .. } | Self::TemporaryName)
    }

    /// Whether it makes matters worse: such an origin is not forgotten among many others.
    const fn is_grave(&self) -> bool {
        matches!(
            self,
            Self::Secret(_)
                | Self::Download { .. }
                | Self::Dangerous(_)
                | Self::Astray
                | Self::Decoded
                | Self::Process(_)
                | Self::Input
        )
    }
}

/// The places that something comes from, each of them once.
///
/// Where it comes from matters, not how often: values that feed each other must not grow without end. Of too many
/// places, those stay that make matters worse, and [`Origin::Others`] stands for the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<Origin>);

impl Origins {
    /// None.
    pub const NONE: Self = Self(Vec::new());

    /// One more place.
    pub fn add(&mut self, origin: Origin) {
        // Where there are too many already, one more is one of the others.
        if self.0.contains(&origin) || self.0.contains(&Origin::Others) && !origin.is_grave() {
            return;
        }
        if self.0.len() < MAX_ORIGINS {
            return self.0.push(origin);
        }
        let mut kinds = Vec::new();
        self.0.push(origin);
        self.0.retain(|origin| {
            let is_new = !kinds.contains(&discriminant(origin));
            kinds.push(discriminant(origin));
            is_new && origin.is_grave()
        });
        self.0.push(Origin::Others);
    }

    /// These places and the others.
    pub fn and(mut self, others: impl IntoIterator<Item = Origin>) -> Self {
        self.extend(others);
        self
    }

    /// Something else was made of what comes from there, or flows with it: what is known of where it leads holds for a
    /// part of it at most.
    pub fn blurred_by(&mut self, origin: Origin) {
        if self.0.iter().any(Origin::leads) {
            self.add(origin);
        }
    }

    /// Only those places.
    pub fn retain(&mut self, keep: impl FnMut(&Origin) -> bool) {
        self.0.retain(keep);
    }
}

impl Deref for Origins {
    type Target = [Origin];

    fn deref(&self) -> &[Origin] {
        &self.0
    }
}

impl Extend<Origin> for Origins {
    fn extend<I: IntoIterator<Item = Origin>>(&mut self, origins: I) {
        origins.into_iter().for_each(|origin| self.add(origin));
    }
}

impl FromIterator<Origin> for Origins {
    fn from_iter<I: IntoIterator<Item = Origin>>(origins: I) -> Self {
        let mut all = Self::NONE;
        all.extend(origins);
        all
    }
}

impl From<Origin> for Origins {
    fn from(origin: Origin) -> Self {
        Self(vec![origin])
    }
}

impl From<Vec<Origin>> for Origins {
    fn from(origins: Vec<Origin>) -> Self {
        origins.into_iter().collect()
    }
}

impl IntoIterator for Origins {
    type Item = Origin;
    type IntoIter = std::vec::IntoIter<Origin>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Origins {
    type Item = &'a Origin;
    type IntoIter = std::slice::Iter<'a, Origin>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_files(count: usize) -> impl Iterator<Item = Origin> {
        (0..count).map(|number| Origin::File(number.to_string()))
    }

    #[test]
    fn a_place_counts_once() {
        let twice: Origins = of_files(3).chain(of_files(3)).collect();
        assert_eq!(twice.len(), 3);
    }

    #[test]
    fn of_many_places_the_grave_ones_stay_wherever_they_stand() {
        let secret = Origin::Secret("~/.ssh/id_rsa".to_owned());
        for before in [0, 1, MAX_ORIGINS - 1, MAX_ORIGINS, 3 * MAX_ORIGINS] {
            let all: Origins = of_files(before).chain([secret.clone()]).chain(of_files(100)).collect();
            assert!(all.contains(&secret), "{before} before it");
            assert!(all.contains(&Origin::Others), "{before} before it");
            assert!(all.len() <= MAX_ORIGINS);
        }
        let secrets = (0..100).map(|number| Origin::Secret(number.to_string()));
        let all: Origins = secrets.chain([Origin::Decoded]).collect();
        assert!(all.contains(&Origin::Decoded));
    }

    #[test]
    fn of_many_lists_none_is_left_that_would_stand_for_all() {
        let all: Origins = (0..40).map(|number| Origin::listing("find", number.to_string())).collect();
        assert!(all.contains(&Origin::Others));
        assert!(all.iter().all(|origin| origin.list().is_none()), "{all:?}");
        let entry = super::super::Unknown { shown: String::new(), origins: all, splits: false };
        assert_eq!(entry.listed(), None);
    }

    #[test]
    fn only_what_leads_somewhere_is_blurred() {
        for (origin, places) in [
            (Origin::listing("find", "build"), 2),
            (Origin::TemporaryName, 2),
            (Origin::Input, 1),
            (Origin::File("a".to_owned()), 1),
        ] {
            let mut origins = Origins::from(origin.clone());
            origins.blurred_by(Origin::Others);
            assert_eq!(origins.len(), places, "{origin:?}");
        }
    }
}
