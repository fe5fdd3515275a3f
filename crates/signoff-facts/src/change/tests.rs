use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use signoff_analysis::facts::Whereabouts;
use signoff_model::{Basis, Comparison, Difference, LineEnd, NewText, Occurrences, Part, Rewrite, Side};
use tempfile::TempDir;

use super::{LocalFacts, TEXT_AT_MOST, compare, difference};
use crate::testing::generated;

fn at(path: &Path, text: NewText) -> Comparison {
    let rewrite = Rewrite { path: path.to_str().unwrap().to_owned(), text };
    compare(&rewrite, Instant::now() + Duration::from_secs(10))
}

fn whole(text: &str) -> NewText {
    NewText::Whole(text.to_owned())
}

fn part(old: &str, new: &str, occurrences: Occurrences) -> NewText {
    NewText::Parts(vec![Part { old: old.into(), new: new.into(), occurrences }])
}

fn directory() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    (directory, root)
}

#[track_caller]
fn lines(comparison: Comparison) -> (Basis, Vec<String>) {
    let Comparison::Lines(Difference { basis, hunks, .. }) = comparison else { panic!("{comparison:?}") };
    let mut told = Vec::new();
    for hunk in hunks {
        told.push(format!("@{},{}", hunk.old_start, hunk.new_start));
        told.extend(hunk.lines.iter().map(|line| {
            let end = if line.end == LineEnd::Text { "\\" } else { "" };
            format!("{}{}{end}", line.side.sign(), line.text)
        }));
    }
    (basis, told)
}

#[test]
fn a_file_is_compared_with_what_it_would_become() {
    let (_directory, root) = directory();
    let file = root.join("f");
    fs::write(&file, "1\n2\n3\n4\n5\n6\n7\n8\n9\n").unwrap();
    let told = |text| lines(at(&file, text));
    assert_eq!(
        told(whole("1\n2\n3\n4\nfive\n6\n7\n8\n9\n")),
        (Basis::File, ["@2,2", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"].map(str::to_owned).to_vec())
    );
    assert_eq!(told(part("5\n", "", Occurrences::One)).1[4], "-5");
    assert_eq!(told(NewText::Appended("10".into())).1.last().unwrap(), "+10\\");
    assert_eq!(at(&file, whole(&fs::read_to_string(&file).unwrap())), Comparison::Same);
    assert_eq!(
        lines(at(&root.join("fresh"), whole("a\n"))),
        (Basis::Nothing, vec!["@1,1".to_owned(), "+a".to_owned()])
    );
    // Emptied, every line goes.
    assert_eq!(told(whole("")).1.iter().filter(|line| line.starts_with('-')).count(), 9);
}

#[test]
fn a_part_that_cannot_be_found_is_told_alone() {
    let (_directory, root) = directory();
    let file = root.join("f");
    fs::write(&file, "a\nb\na\n").unwrap();
    let told = |text| lines(at(&file, text));
    assert_eq!(told(part("x", "y", Occurrences::One)).0, Basis::Part { found: 0 });
    assert_eq!(told(part("a", "y", Occurrences::One)).0, Basis::Part { found: 2 });
    assert_eq!(told(part("a", "y", Occurrences::All)).0, Basis::File);
    assert_eq!(told(part("", "y", Occurrences::One)).0, Basis::Part { found: 0 });
    assert_eq!(lines(at(&root.join("fresh"), part("", "y", Occurrences::One))).0, Basis::Nothing);
    let grows = part("a", &"x".repeat(usize::try_from(TEXT_AT_MOST).unwrap() - 1), Occurrences::All);
    assert_eq!(at(&file, grows), Comparison::TooLarge);
}

#[test]
fn what_is_no_readable_text_says_so() {
    let (_directory, root) = directory();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(root.join(name), bytes).unwrap();
        root.join(name)
    };
    let binary = write("binary", b"\x7fELF\0");
    assert_eq!(at(&binary, whole("x")), Comparison::Binary);
    let long = usize::try_from(TEXT_AT_MOST).unwrap() + 1;
    let large = write("large", &vec![b'x'; long]);
    assert_eq!(at(&large, whole("x")), Comparison::TooLarge);
    assert_eq!(at(&write("small", b"x"), whole(&"x".repeat(long))), Comparison::TooLarge);
    assert_eq!(at(&root, whole("x")), Comparison::Unreadable, "a directory");
    assert_eq!(at(&root.join("small"), NewText::Secret), Comparison::Secret);
}

/// The path was followed when it was judged: a link there now was put there since.
#[test]
fn a_link_that_came_since_is_not_followed() {
    let (_directory, root) = directory();
    fs::write(root.join("key"), "secret\n").unwrap();
    symlink("key", root.join("notes.txt")).unwrap();
    fs::create_dir(root.join("real")).unwrap();
    symlink("real", root.join("way")).unwrap();
    fs::write(root.join("real/f"), "x\n").unwrap();
    for path in ["notes.txt", "way/f"] {
        assert_eq!(at(&root.join(path), whole("x")), Comparison::Unreadable, "{path}");
    }
}

#[test]
fn many_files_and_long_ones_take_a_bounded_time() {
    let (_directory, root) = directory();
    let old: String = (0..60_000).map(|n| format!("{}\n", n * 7 % 1000)).collect();
    let new: String = (0..60_000).map(|n| format!("{}\n", n * 13 % 1000)).collect();
    fs::write(root.join("f"), &old).unwrap();
    let rewrite = Rewrite { path: root.join("f").to_str().unwrap().to_owned(), text: NewText::Whole(new) };
    let here = Whereabouts {
        cwd: root.to_str().unwrap().to_owned(),
        home: "/nonexistent".to_owned(),
        project: root.to_str().unwrap().to_owned(),
    };
    let started = Instant::now();
    let changes = LocalFacts::default().changes(&vec![rewrite; 40], &here);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!(changes.len(), 40);
    assert_eq!(changes.last().unwrap().comparison, Comparison::TooMany);
    let Comparison::Lines(difference) = &changes[0].comparison else { panic!("{changes:?}") };
    assert!(difference.added > 0 && difference.removed > 0);
}

/// The text of a difference as `patch` reads it.
fn unified(difference: &Difference) -> String {
    let mut text = "--- f\n+++ f\n".to_owned();
    for hunk in &difference.hunks {
        let (old, new) = hunk.counts();
        let start = |start: u64, count: u64| if count == 0 { start - 1 } else { start };
        text += &format!("@@ -{},{old} +{},{new} @@\n", start(hunk.old_start, old), start(hunk.new_start, new));
        for line in &hunk.lines {
            text += &format!("{}{}\n", line.side.sign(), line.text);
            if line.end == LineEnd::Text {
                text += "\\ No newline at end of file\n";
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(generated(64))]

    /// Whoever takes the lines that go out of the old text and puts those that come in has the new text: git agrees.
    #[test]
    fn git_makes_the_new_text_of_the_old_one_by_the_difference(
        old in "([a-c]{0,2}\n){0,12}[a-c]{0,2}",
        new in "([a-c]{0,2}\n){0,12}[a-c]{0,2}",
    ) {
        let comparison = difference(&old, &new, Basis::File, Instant::now() + Duration::from_secs(10));
        let Comparison::Lines(found) = comparison else {
            prop_assert_eq!(old, new);
            return Ok(());
        };
        let count = |side| found.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.side == side).count() as u64;
        prop_assert_eq!((count(Side::New), count(Side::Old)), (found.added, found.removed));
        let (_directory, root) = directory();
        fs::write(root.join("f"), &old).unwrap();
        fs::write(root.join("d"), unified(&found)).unwrap();
        let done = Command::new("git").current_dir(&root).args(["apply", "--unidiff-zero", "-p0", "d"]).output().unwrap();
        prop_assert!(done.status.success(), "{}\n{}", unified(&found), String::from_utf8_lossy(&done.stderr));
        prop_assert_eq!(fs::read_to_string(root.join("f")).unwrap_or_default(), new);
    }
}
