//! What differs between what a person was shown and what is there, thing by thing, as far as it is known. That something differs at
//! all is said by the binding; this only says what, and nothing is decided by it.

use std::collections::BTreeMap;

use signoff_model::{Aspect, Binding, Bound, Deviation, Digest, Measure, Question, Rest, Shown, Tally};

use crate::Seen;

/// So many differences are told one by one.
const TOLD_AT_MOST: usize = 20;

/// What differs of a question, now that it was looked at again with these surroundings.
pub(crate) fn deviations(question: &Question, seen: &Seen, surroundings: Digest) -> Vec<Deviation> {
    let mut found = Vec::new();
    of_losses(&question.shown, &seen.shown, &mut found);
    of_rests(&question.rests, &seen.rests, &mut found);
    let (was, is) = (question.risk, seen.judged.assessment.effective_risk());
    if was != is {
        found.push(plain(Aspect::Risk, Measure::Grave(was), Measure::Grave(is)));
    }
    found.extend(of_binding(&question.binding, &seen.binding, (question.surroundings, surroundings)));
    shortened(found)
}

/// What differs where nothing is kept of what was shown: a person has changed the operation, and it was looked at then.
pub(crate) fn of_binding(was: &Binding, is: &Binding, surroundings: (Digest, Digest)) -> Vec<Deviation> {
    let mut found = Vec::new();
    if surroundings.0 != surroundings.1 {
        found.push(plain(Aspect::Surroundings, Measure::There, Measure::There));
    }
    if was.differing(is).contains(&Bound::Policy) {
        found.push(plain(Aspect::Policy, Measure::There, Measure::There));
    }
    found
}

/// What differs of what would be lost.
pub fn differing_losses(was: &Shown, is: &Shown) -> Vec<Deviation> {
    let mut found = Vec::new();
    of_losses(was, is, &mut found);
    shortened(found)
}

fn plain(aspect: Aspect, was: Measure, is: Measure) -> Deviation {
    Deviation { aspect, about: String::new(), was, is }
}

/// The things and the files that would be lost, by their paths; a thing that is itself a file is one of them.
fn by_path(shown: &Shown) -> BTreeMap<&str, Tally> {
    let files = shown.lost.iter().map(|file| (file.path.as_str(), Tally { files: 1, bytes: file.bytes }));
    shown.things.iter().map(|thing| (thing.path.as_str(), thing.all)).chain(files).collect()
}

fn of_losses(was: &Shown, is: &Shown, found: &mut Vec<Deviation>) {
    if was.total != is.total {
        found.push(plain(Aspect::Total, Measure::Amount(was.total), Measure::Amount(is.total)));
    }
    let (before, now) = (by_path(was), by_path(is));
    let measured = |tally: Option<&Tally>| tally.map_or(Measure::Absent, |tally| Measure::Amount(*tally));
    let paths = before.keys().chain(now.keys().filter(|path| !before.contains_key(*path)));
    for path in paths {
        let (old, new) = (before.get(path), now.get(path));
        // Of a list that was cut nobody knows whether something stood behind it.
        let is_known = old.is_some() && new.is_some() || was.complete && is.complete;
        if old != new && is_known {
            let about = (*path).to_owned();
            found.push(Deviation { aspect: Aspect::Loss, about, was: measured(old), is: measured(new) });
        }
    }
}

fn of_rests(was: &[Rest], is: &[Rest], found: &mut Vec<Deviation>) {
    let by_name = |rests: &[Rest]| -> BTreeMap<(Aspect, String), Digest> {
        rests.iter().map(|rest| ((rest.aspect, rest.about.clone()), rest.digest)).collect()
    };
    let (before, now) = (by_name(was), by_name(is));
    for (name, old) in &before {
        if now.get(name) != Some(old) {
            let (aspect, about) = name.clone();
            let is = if now.contains_key(name) { Measure::There } else { Measure::Absent };
            found.push(Deviation { aspect, about, was: Measure::There, is });
        }
    }
    for (aspect, about) in now.keys().filter(|name| !before.contains_key(*name)) {
        let (aspect, about) = (*aspect, about.clone());
        found.push(Deviation { aspect, about, was: Measure::Absent, is: Measure::There });
    }
}

/// Nobody reads more than a few; how many there are besides is said.
fn shortened(mut found: Vec<Deviation>) -> Vec<Deviation> {
    let further = found.len().saturating_sub(TOLD_AT_MOST);
    if further > 0 {
        found.truncate(TOLD_AT_MOST);
        let files = u64::try_from(further).unwrap_or(u64::MAX);
        found.push(plain(Aspect::Further, Measure::Absent, Measure::Amount(Tally { files, bytes: 0 })));
    }
    found
}

/// A difference as the ledger tells it.
pub(crate) fn told(deviation: &Deviation) -> String {
    let measure = |measure: Measure| match measure {
        Measure::Absent => "none".to_owned(),
        Measure::There => "there".to_owned(),
        Measure::Amount(Tally { files, bytes }) => format!("{files} files {bytes} bytes"),
        Measure::Grave(risk) => risk.name().to_owned(),
    };
    let Deviation { aspect, about, was, is } = deviation;
    format!("{} {about}: {} -> {}", aspect.name(), measure(*was), measure(*is))
}

#[cfg(test)]
mod tests {
    use signoff_model::{ShownFile, ShownThing};

    use super::*;

    fn shown(files: &[(&str, u64)]) -> Shown {
        let mut shown = Shown { complete: true, ..Shown::default() };
        for (path, bytes) in files {
            shown.total += Tally { files: 1, bytes: *bytes };
            shown.lost.push(ShownFile { path: (*path).to_owned(), bytes: *bytes });
        }
        shown.things.push(ShownThing { path: "build".to_owned(), all: shown.total });
        shown
    }

    fn losses(was: &Shown, is: &Shown) -> Vec<String> {
        let mut found = Vec::new();
        of_losses(was, is, &mut found);
        found.iter().map(told).collect()
    }

    #[test]
    fn each_file_is_told_with_what_it_was_and_is() {
        let before = shown(&[("build/a", 3), ("build/b", 5)]);
        assert_eq!(losses(&before, &before), [""; 0]);
        assert_eq!(
            losses(&before, &shown(&[("build/b", 6), ("build/c", 1)])),
            [
                "total : 2 files 8 bytes -> 2 files 7 bytes",
                "loss build: 2 files 8 bytes -> 2 files 7 bytes",
                "loss build/a: 1 files 3 bytes -> none",
                "loss build/b: 1 files 5 bytes -> 1 files 6 bytes",
                "loss build/c: none -> 1 files 1 bytes",
            ]
        );
        // What was not kept may have been there.
        let cut = Shown { complete: false, ..shown(&[("build/a", 3)]) };
        assert_eq!(losses(&cut, &before).len(), 2, "the total and the directory");
    }

    #[test]
    fn what_it_rests_on_is_told_by_its_name() {
        let rest = |aspect, about: &str, byte: u8| Rest {
            aspect,
            about: about.to_owned(),
            digest: Digest::from_bytes([byte; 32]),
        };
        let before = [rest(Aspect::Content, "/p/a.sh", 1), rest(Aspect::Matches, "*.log", 1)];
        let mut found = Vec::new();
        of_rests(&before, &before, &mut found);
        assert_eq!(found, []);
        of_rests(&before, &[rest(Aspect::Content, "/p/a.sh", 2), rest(Aspect::Link, "/p/l", 1)], &mut found);
        let found: Vec<String> = found.iter().map(told).collect();
        assert_eq!(
            found,
            ["content /p/a.sh: there -> there", "matches *.log: there -> none", "link /p/l: none -> there"]
        );
    }

    #[test]
    fn more_than_anybody_reads_is_counted() {
        let many: Vec<String> = (0..40).map(|number| format!("build/{number:02}")).collect();
        let many: Vec<(&str, u64)> = many.iter().map(|name| (name.as_str(), 1)).collect();
        let mut found = Vec::new();
        of_losses(&shown(&[]), &shown(&many), &mut found);
        let found = shortened(found);
        assert_eq!(found.len(), TOLD_AT_MOST + 1);
        assert_eq!(found.last().map(told).as_deref(), Some("further : none -> 22 files 0 bytes"));
    }
}
