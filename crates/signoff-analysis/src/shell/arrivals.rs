//! Things that are copied, moved or unpacked over others, judged by what is really there: which files become others, and
//! who could bring those back.
//!
//! The text says what goes where, and the file system what stands there. Where it says nothing, the text alone is judged,
//! as by everything else that this module leaves alone.

use signoff_model::{Fate, NewText, Rewrite, Scope, Span};

use super::{
    machine::{Locus, Shell},
    stakes::Testimony,
};
use crate::{
    facts::{Arriving, Directories, Following, Laying, Reach, Replacement, Replacing, Sparing},
    path_effects::{OVERWRITE_LOST, OVERWRITE_UNCOUNTED, Write, write_rule},
    place::{Extent, Place},
    value::Arg,
    weighing::{MAX_LOOKUPS, is_plain},
};

/// Looking at what is laid over what costs as much as so many other looks: a text has a few of these, and whatever is behind
/// them asks.
const LOOKS: usize = 8;

/// Of so many files that would be lost each is told by itself; all of them are shown.
const TOLD_AT_MOST: usize = 32;

/// When a directory that is named stands for what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Where a dot is put behind it: `cp -r new/. work`.
    BehindDot,
    /// Where a slash is put behind it, too: `rsync -a new/ work`.
    BehindSlash,
    /// Always: `cp -rT new work`.
    Always,
}

/// In which way things are laid over others.
#[derive(Clone, Debug)]
pub struct Manner {
    /// What becomes of a link that stands there.
    pub replacing: Replacing,
    /// What becomes of directories.
    pub directories: Directories,
    /// What stays.
    pub sparing: Sparing,
    /// When a directory stands for what is in it.
    pub contents: Contents,
    /// Names of what does not go along.
    pub left_out: Vec<String>,
    /// Which links stand for what they lead to.
    pub following: Following,
    /// What is put behind the name of whatever is replaced, to keep it.
    pub kept_as: Option<String>,
}

impl Manner {
    /// One file over another, as far as nothing else is said.
    pub const fn single(replacing: Replacing) -> Self {
        Self {
            replacing,
            directories: Directories::Refused,
            sparing: Sparing::Nothing,
            contents: Contents::BehindDot,
            left_out: Vec::new(),
            following: Following::Nothing,
            kept_as: None,
        }
    }
}

impl Shell<'_> {
    /// Says so where something goes over files that nobody brings back: under its own name into a directory that stands
    /// where it is put, or in the place of what has that name.
    pub fn stake_arrivals(&mut self, sources: &[&Arg], target: &Arg, manner: &Manner) {
        if target.known().is_none() || !self.facts.reads_files() {
            return;
        }
        // Who takes a name takes it from a link, too.
        let to = match manner.replacing {
            Replacing::Content => self.place(&target.value),
            Replacing::Name => self.entry(&target.value),
        };
        let mut layings = Vec::new();
        for source in sources {
            let Some(things) = self.arriving(source, manner) else { return };
            layings.extend(things.into_iter().map(|what| Laying {
                what,
                to: to.path.clone(),
                replacing: manner.replacing,
                directories: manner.directories,
                sparing: manner.sparing,
                following: manner.following,
                kept_as: manner.kept_as.clone(),
            }));
        }
        self.stake_laid(&layings, &manner.left_out, target);
    }

    /// Says so where what an archive holds goes over files that nobody brings back.
    pub fn stake_unpacked(&mut self, archive: &Arg, stripped: usize, target: &Arg) {
        if archive.known().is_none() || target.known().is_none() || !self.facts.reads_files() {
            return;
        }
        let from = self.place(&archive.value);
        // What the text itself has put there is not what stands there now.
        if self.state.written.contains_key(&from.path) {
            return;
        }
        let laying = Laying {
            what: Arriving::Unpacked { archive: from.path.clone(), stripped },
            to: self.place(&target.value).path.clone(),
            replacing: Replacing::Name,
            directories: Directories::Merged,
            sparing: Sparing::Nothing,
            following: Following::Nothing,
            kept_as: None,
        };
        self.stake_laid(&[laying], &[], target);
    }

    /// Whether a directory of the project is known to stand at a place, since nothing has run that may have changed that.
    pub fn is_known_directory(&self, place: &Place) -> bool {
        self.testimony() == Some(Testimony::Whole)
            && *self.locus() == Locus::Here
            && place.extent == Extent::Exact
            && is_plain(place)
            && self.facts.reads_files()
            && self.facts.names(&place.path).is_some()
    }

    /// What a word names arrives: none where that cannot be told.
    fn arriving(&self, source: &Arg, manner: &Manner) -> Option<Vec<Arriving>> {
        let Some(text) = source.known() else {
            return match self.really_named(&source.value) {
                Some(found) => Some(found.iter().map(|place| Arriving::Named(place.path.clone())).collect()),
                None => self.anything_of(source),
            };
        };
        let ends_with_dot = matches!(text, "." | "..") || text.ends_with("/.") || text.ends_with("/..");
        let stands_for_contents = match manner.contents {
            Contents::BehindDot => ends_with_dot || cfg!(target_os = "macos") && text.ends_with('/'),
            Contents::BehindSlash => ends_with_dot || text.ends_with('/'),
            Contents::Always => true,
        };
        // A link is read where its content is wanted; a tree takes it along as it is.
        let reads = manner.directories == Directories::Refused && manner.replacing == Replacing::Content;
        let from =
            if reads || text.ends_with(['/', '.']) { self.place(&source.value) } else { self.entry(&source.value) };
        if from.extent != Extent::Exact || from.path.is_empty() {
            return None;
        }
        if stands_for_contents {
            return Some(vec![Arriving::Itself(from.path.clone())]);
        }
        // What a link is called is what the copy is called.
        let name = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        if from.file_name() == name {
            return Some(vec![Arriving::Named(from.path.clone())]);
        }
        None
    }

    /// What a search or a pattern names that cannot be looked up as it is: anything in the directory that it stands in.
    fn anything_of(&self, source: &Arg) -> Option<Vec<Arriving>> {
        let values = source.value.by_listing().unwrap_or_else(|| vec![source.value.clone()]);
        let mut arriving = Vec::new();
        for value in &values {
            let place = self.place(value);
            let reach = match place.extent {
                Extent::Contents => Reach::Directly,
                Extent::Pattern | Extent::Listed => Reach::AnyDepth,
                Extent::Exact | Extent::Below | Extent::Anywhere => continue,
            };
            arriving.push(Arriving::Any { below: place.path.clone(), reach });
        }
        (!arriving.is_empty()).then_some(arriving)
    }

    fn stake_laid(&mut self, layings: &[Laying], left_out: &[String], target: &Arg) {
        let Some(testimony) = self.testimony() else { return };
        let (mut replaced, mut complete) = (Vec::new(), true);
        for laying in layings {
            if *self.locus() == Locus::Here && self.lookups >= MAX_LOOKUPS {
                return self.tell_uncounted(target);
            }
            if !self.may_look() {
                return;
            }
            self.lookups += LOOKS - 1;
            let Some(found) = self.facts.overlaid(laying) else { return };
            complete &= found.complete;
            let goes_along = |one: &Replacement| {
                let below = one.path.strip_prefix(laying.to.as_str()).unwrap_or(&one.path);
                !below.split('/').any(|name| left_out.iter().any(|pattern| fits(name, pattern)))
            };
            replaced.extend(found.replaced.into_iter().filter(goes_along));
        }
        if testimony == Testimony::Against {
            replaced.retain(|one| !self.state.written.contains_key(&one.path) && !self.has_departed(&one.path));
        }
        let single = matches!(layings, [one] if replaced.len() == 1 && one.directories == Directories::Refused);
        // What is replaced and could not be counted, or not even be named, is not known to come back.
        let Some(lost) = self.lost_of(replaced.clone()).filter(|_| complete || testimony == Testimony::Against) else {
            return self.tell_uncounted(target);
        };
        let span = self.blamed(target.span);
        for (place, one) in lost.iter().take(TOLD_AT_MOST) {
            self.tell_replaced(place, span);
            if testimony == Testimony::Whole {
                self.note_copied(place, one.by.as_deref());
            }
        }
        lost.iter().for_each(|(place, _)| self.findings.at_stake(&place.path));
        if testimony != Testimony::Whole {
            return;
        }
        // All that is replaced and lost is known by name.
        self.findings.merged(self.place(&target.value).target());
        if let ([one], true, true) = (replaced.as_slice(), single, lost.is_empty()) {
            let place = Place::exactly(one.path.clone(), self.whereabouts);
            self.note_copied(&place, one.by.as_deref());
        }
    }

    /// Says so where files go that are known by their full paths, and that nobody brings back.
    pub(super) fn stake_overwritten(&mut self, lost: &[String], testimony: Testimony, span: Span) {
        let untouched = |path: &&String| !self.state.written.contains_key(*path) && !self.has_departed(path);
        let places: Vec<Place> = lost
            .iter()
            .filter(|path| testimony == Testimony::Whole || untouched(path))
            .map(|path| Place::exactly(path.clone(), self.whereabouts))
            .filter(is_missed)
            .collect();
        let span = self.blamed(span);
        places.iter().take(TOLD_AT_MOST).for_each(|place| self.tell_replaced(place, span));
        places.iter().for_each(|place| self.findings.at_stake(&place.path));
    }

    /// Says that a file is replaced which nobody brings back. What its name says is graver tells more.
    fn tell_replaced(&mut self, place: &Place, span: Span) {
        let by_name = write_rule(place, Write::Replace).filter(|rule| rule.risk >= OVERWRITE_LOST.risk);
        self.findings.report(by_name.unwrap_or(&OVERWRITE_LOST), place.target(), place.scope, span);
        self.findings.told(place.target());
    }

    /// Says that more is replaced than could be looked up.
    fn tell_uncounted(&mut self, target: &Arg) {
        let place = self.place(&target.value);
        if is_missed(&place) {
            let span = self.blamed(target.span);
            self.findings.report(&OVERWRITE_UNCOUNTED, place.target(), place.scope, span);
        }
    }

    /// Those of the files that nobody brings back, and that somebody may miss. None where they are too many to be counted, or
    /// the index of the repository is too long.
    fn lost_of(&self, mut replaced: Vec<Replacement>) -> Option<Vec<(Place, Replacement)>> {
        replaced.sort();
        replaced.dedup_by(|later, kept| later.path == kept.path);
        let mut found: Vec<(Place, Replacement)> = replaced
            .into_iter()
            .map(|one| (Place::exactly(one.path.clone(), self.whereabouts), one))
            .filter(|(place, _)| is_missed(place))
            .collect();
        let paths: Vec<String> = found.iter().map(|(place, _)| place.path.clone()).collect();
        if paths.is_empty() {
            return Some(Vec::new());
        }
        let mut stocks = self.facts.stocks(&paths, self.whereabouts)?.into_iter();
        found
            .retain(|_| stocks.next().is_some_and(|stock| stock.directories == 0 && stock.worst() == Some(Fate::Lost)));
        Some(found)
    }

    /// Notes that a file is replaced by another one, so that a person is shown how they differ.
    fn note_copied(&mut self, to: &Place, from: Option<&str>) {
        let Some(from) = from else { return };
        let shown = to.may_be_shown() && Place::exactly(from.to_owned(), self.whereabouts).may_be_shown();
        let text = if shown { NewText::Copied(from.to_owned()) } else { NewText::Secret };
        self.findings.rewrite(Rewrite { path: to.path.clone(), text });
    }
}

/// Whether somebody may miss what stands at a place.
fn is_missed(place: &Place) -> bool {
    matches!(place.scope, Scope::Project | Scope::Home | Scope::Outside) && !place.nature.is_passing()
}

/// Whether a name is one of those that a pattern with nothing but stars stands for. What stands between two stars is found
/// where it comes first: that leaves the most for what follows, so that nothing has to be tried twice.
fn fits(name: &str, pattern: &str) -> bool {
    let Some((first, others)) = pattern.split_once('*') else { return name == pattern };
    let (between, last) = others.rsplit_once('*').unwrap_or(("", others));
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in between.split('*') {
        match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, fitting, others) in [
            ("a", &["a"] as &[_], &["", "b", "aa"] as &[_]),
            ("*", &["", "a"], &[]),
            ("*.log", &[".log", "a.log", "a.log.log"], &["log", "a.logs"]),
            ("a*b", &["ab", "axb", "abb"], &["a", "b", "ba", "abc"]),
            ("a*a", &["aa", "aaa"], &["a"]),
            ("*a*b*", &["ab", "xaxbx", "aab"], &["ba", "b"]),
            ("*a*a", &["aa", "xaxa"], &["a", "aab"]),
        ] {
            fitting.iter().for_each(|name| assert!(fits(name, pattern), "{pattern} {name}"));
            others.iter().for_each(|name| assert!(!fits(name, pattern), "{pattern} {name}"));
        }
        // Nothing is tried twice, however many stars there are.
        assert!(!fits(&"a".repeat(250), &format!("{}b", "*a".repeat(200))));
    }
}
