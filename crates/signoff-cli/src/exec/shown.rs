//! What a person was shown, to be compared with what is there right before it runs (law 3).

use std::collections::BTreeMap;

use signoff_card::{Language, deviation_line, visible, visible_name};
use signoff_facts::{Evidence, Question};
use signoff_gate::differing_losses;
use signoff_model::{Aspect, Loss, Measure, Preview, Shown};

use super::words::Words;
use crate::judge::Judged;

/// The differences are told up to this many.
const DIFFERENCES_AT_MOST: usize = 20;

/// What differs between what was shown and what is there now, as lines; none where nothing does.
pub(super) fn differences(
    shown: (&Judged, &Evidence),
    now: (&Judged, &Evidence),
    (words, language): (&Words, Language),
) -> Option<String> {
    let ((shown, seen), (now, found)) = (shown, now);
    let mut lines: Vec<String> = Vec::new();
    let empty = Preview::default();
    let preview = |judged: &'_ Judged| judged.assessment.preview.clone();
    let (before, after) = (preview(shown).unwrap_or(empty.clone()), preview(now).unwrap_or(empty));
    compare(&before, &after, (words, language), &mut lines);
    // The same length, and another text.
    for change in after.changes.iter().filter(|change| !before.changes.contains(change)) {
        let line = words.differs.replace("{}", &visible_name(&change.path));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    for question in found.changed_since(seen) {
        let about = match question {
            Question::Ground(path)
            | Question::Text(path)
            | Question::Names(path)
            | Question::Links(path)
            | Question::Arriving(path)
            | Question::Follow(path) => path.clone(),
            Question::Matches { pattern, .. } => pattern.clone(),
            // Told by the losses, thing by thing.
            Question::Stock(_) | Question::Discarded { .. } | Question::Overlaid(_) if !lines.is_empty() => continue,
            Question::Stock(paths) => paths.join(" "),
            Question::Discarded { directory, .. } => directory.clone(),
            Question::Overlaid(laying) => laying.to.clone(),
        };
        let line = words.differs.replace("{}", &visible(&about));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let same = shown.assessment == now.assessment && shown.judgement == now.judgement;
    if lines.is_empty() {
        return (!same).then(|| words.differs.replace("{}", now.judgement.decision.name()));
    }
    let omitted = lines.len().saturating_sub(DIFFERENCES_AT_MOST);
    lines.truncate(DIFFERENCES_AT_MOST);
    if omitted > 0 {
        lines.push(words.differs.replace("{}", &format!("… +{omitted}")));
    }
    Some(lines.concat())
}

fn compare(before: &Preview, after: &Preview, (words, language): (&Words, Language), lines: &mut Vec<String>) {
    let measured = differing_losses(&Shown::of(Some(before)), &Shown::of(Some(after)));
    let by_path = |preview: &Preview| -> BTreeMap<String, Loss> {
        preview.losses.iter().map(|loss| (loss.path.clone(), loss.clone())).collect()
    };
    let (before, after) = (by_path(before), by_path(after));
    for (path, loss) in &after {
        let template = match before.get(path) {
            None => words.came,
            Some(old) if old != loss => words.differs,
            Some(_) => continue,
        };
        // Where it is known how much it was and is, that is told as well.
        let told = measured.iter().find(|one| one.aspect == Aspect::Loss && one.about == *path);
        let told = told.filter(|one| one.was != Measure::Absent).map(|one| deviation_line(one, language));
        lines.push(template.replace("{}", &told.unwrap_or_else(|| visible_name(path))));
    }
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        lines.push(words.went.replace("{}", &visible_name(path)));
    }
    // The files in what is a directory, and how much it is in all.
    for one in &measured {
        let is_told = before.contains_key(&one.about) || after.contains_key(&one.about);
        let template = match (one.was, one.is) {
            _ if is_told => continue,
            (Measure::Absent, _) if one.aspect == Aspect::Loss => words.came,
            (_, Measure::Absent) => words.went,
            _ => words.differs,
        };
        let about = match one.aspect {
            Aspect::Loss if one.was == Measure::Absent || one.is == Measure::Absent => visible_name(&one.about),
            _ => deviation_line(one, language),
        };
        lines.push(template.replace("{}", &about));
    }
}
