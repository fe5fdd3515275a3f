//! Patches: which files they add, change, delete and move.

use signoff_model::FileAction;

/// One change of a patch: what, to which path, and where to for a move.
pub(super) type Change = (FileAction, String, Option<String>);

/// The changes of a patch in the form of `apply_patch` or as a unified diff; none if it is neither.
pub(super) fn changes(text: &str) -> Option<Vec<Change>> {
    let mut found: Vec<Change> = Vec::new();
    let mut old = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            found.push((FileAction::Create, path.trim().to_owned(), None));
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            found.push((FileAction::Edit, path.trim().to_owned(), None));
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            found.push((FileAction::Delete, path.trim().to_owned(), None));
        } else if let Some(path) = line.strip_prefix("*** Move to: ") {
            if let Some(last) = found.last_mut() {
                *last = (FileAction::Move, last.1.clone(), Some(path.trim().to_owned()));
            }
        } else if let Some(path) = line.strip_prefix("--- ") {
            old = Some(path_of(path));
        } else if let Some(path) = line.strip_prefix("+++ ") {
            match (old.take(), path_of(path)) {
                (Some(before), after) if after == "/dev/null" => found.push((FileAction::Delete, before, None)),
                (Some(before), after) if before == "/dev/null" => found.push((FileAction::Create, after, None)),
                (Some(_), after) => found.push((FileAction::Edit, after, None)),
                (None, _) => {}
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The path in a line of a unified diff, without the prefix that git adds and the time that diff adds.
fn path_of(text: &str) -> String {
    let path = text.split('\t').next().unwrap_or(text).trim();
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned()
}
