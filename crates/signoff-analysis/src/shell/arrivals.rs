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
    facts::{
        Archiver, Arriving, Directories, Following, KeptAs, Laying, MemberPaths, Reach, Replacement, Replacing,
        Sparing, Unpacking,
    },
    path_effects::{OVERWRITE_LOST, OVERWRITE_UNCOUNTED, Write, write_rule},
    place::{Extent, Place},
    stars::fits,
    value::{Arg, Feed, Origin, Value},
    weighing::{MAX_LOOKUPS, is_plain},
};

/// Looking at what is laid over what costs as much as so many other looks: a text has a few of these, and whatever is behind
/// them asks.
const LOOKS: usize = 8;

/// Of so many files that would be lost each is told by itself, about as many as are kept of anything; all of them are shown.
const TOLD_AT_MOST: usize = 192;

/// Programs that make of an archive nothing but the same archive in another form.
const UNPACKERS: &[&str] = &["cat", "zcat", "gunzip", "gzip", "pigz", "unpigz", "pv", "tee", "head", "tail"];

/// Where an archive comes from.
#[derive(Clone, Copy, Debug)]
pub enum Packed<'a> {
    /// A word names it.
    Named(&'a Arg),
    /// It flows in.
    Flowing(&'a Feed),
}

/// What an archiver is told about the members.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// By which program.
    pub by: Archiver,
    /// What of their paths counts.
    pub paths: MemberPaths,
    /// Those that are wanted; all without.
    pub chosen: Vec<String>,
    /// Those that are left out.
    pub left_out: Vec<String>,
    /// Where whatever they replace is kept.
    pub kept_as: Option<KeptAs>,
}

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
    /// Where whatever is replaced is kept.
    pub kept_as: Option<KeptAs>,
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

    /// Says so where what an archive holds goes over files that nobody brings back, or may do so: an archive of which it
    /// cannot be told what is in it may hold whatever stands there.
    pub fn stake_unpacked(&mut self, packed: Packed<'_>, wanted: &Wanted, target: &Arg) {
        if !self.facts.reads_files() {
            return;
        }
        if target.known().is_none() {
            return;
        }
        let archives = match packed {
            Packed::Named(archive) => self.named_archives(archive, wanted),
            Packed::Flowing(feed) => self.flowing_archives(feed),
        };
        let Some(archives) = archives else { return self.stake_anything_at(target) };
        // What the text itself has put there is not what stands there now.
        if archives.iter().any(|archive| self.state.written.contains_key(archive)) {
            return;
        }
        let to = self.place(&target.value).path.clone();
        let laying = |archive: &String| Laying {
            what: Arriving::Unpacked(Unpacking {
                archive: archive.clone(),
                by: wanted.by,
                paths: wanted.paths,
                chosen: wanted.chosen.clone(),
                left_out: wanted.left_out.clone(),
            }),
            to: to.clone(),
            replacing: Replacing::Name,
            directories: Directories::Merged,
            sparing: Sparing::Nothing,
            following: Following::Nothing,
            kept_as: wanted.kept_as.clone(),
        };
        let layings: Vec<Laying> = archives.iter().map(laying).collect();
        self.stake_laid(&layings, &[], target);
    }

    /// The archives that a word names; none if that cannot be told.
    fn named_archives(&self, archive: &Arg, wanted: &Wanted) -> Option<Vec<String>> {
        match archive.known() {
            // `unzip` matches patterns itself.
            Some(text) if wanted.by == Archiver::Zip && text.contains(['*', '?', '[']) => {
                let found = self.facts.matches(self.cwd()?, text)?;
                Some(found.into_iter().map(|path| self.place(&Value::text(path)).path.clone()).collect())
            }
            Some(_) => Some(vec![self.place(&archive.value).path.clone()]),
            None => Some(self.really_named(&archive.value)?.iter().map(|place| place.path.clone()).collect()),
        }
    }

    /// The archives whose content flows in, as they are or unpacked before.
    fn flowing_archives(&self, feed: &Feed) -> Option<Vec<String>> {
        let mut archives = Vec::new();
        for origin in feed.origins.iter() {
            match origin {
                Origin::Exactly(path) => archives.push(path.clone()),
                Origin::File(path) => archives.push(self.place(&Value::text(path.clone())).path.clone()),
                Origin::Program(program) if UNPACKERS.contains(&program.as_str()) => {}
                // What somebody else has sent is judged by that.
                Origin::Download { .. } => return Some(Vec::new()),
                _ => return None,
            }
        }
        (!archives.is_empty()).then_some(archives)
    }

    /// Says so where something is unpacked over things that nobody brings back, and it cannot be told over which.
    pub fn stake_anything_at(&mut self, target: &Arg) {
        if self.testimony().is_none() || !self.may_look() {
            return;
        }
        let place = self.place(&target.value);
        let stocks = self.facts.stocks(std::slice::from_ref(&place.path), self.whereabouts);
        if stocks.is_none_or(|stocks| stocks.iter().any(|stock| stock.worst() == Some(Fate::Lost))) {
            self.tell_uncounted(target);
        }
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
            let Some(found) = self.facts.overlaid(laying) else {
                if let Arriving::Unpacked(_) = laying.what {
                    self.stake_anything_at(target);
                }
                return;
            };
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
        let untouched = |path: &&String| !self.state.written.contains_key(path) && !self.has_departed(path);
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
        let source = Place::exactly(from.to_owned(), self.whereabouts);
        let text = match source.is_device() {
            _ if to.is_device() => return,
            // Out of this one nothing comes, and that is known.
            true if from == "/dev/null" && to.may_be_shown() => NewText::Whole(String::new()),
            true => return,
            false if to.may_be_shown() && source.may_be_shown() => NewText::Copied(from.to_owned()),
            false => NewText::Secret,
        };
        self.findings.rewrite(Rewrite { path: to.path.clone(), text });
    }
}

/// Whether somebody may miss what stands at a place.
fn is_missed(place: &Place) -> bool {
    matches!(place.scope, Scope::Project | Scope::Home | Scope::Outside) && !place.nature.is_passing()
}
