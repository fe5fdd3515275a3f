use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proptest::{prelude::*, sample::subsequence};
use signoff_analysis::facts::{
    Archiver, Arriving, Directories, Following, Laying, MemberPaths, Replacement, Replacing, Sparing, Unpacking,
};

use super::overlaid;
use crate::testing::{contents, generated, write};

/// Where a command is run: two trees side by side, with everything that stands there written down.
struct Sandbox {
    dir: tempfile::TempDir,
    root: PathBuf,
}

impl Sandbox {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (path, content) in files {
            match content.strip_prefix("-> ") {
                Some(target) => {
                    let link = root.join(path);
                    fs::create_dir_all(link.parent().unwrap()).unwrap();
                    std::os::unix::fs::symlink(target, link).unwrap();
                }
                None => write(&root.join(path), content),
            }
        }
        Self { dir, root }
    }

    fn seen(&self) -> BTreeMap<PathBuf, (Vec<u8>, u32, u64)> {
        let mut all = BTreeMap::new();
        contents(&self.root, Path::new(""), &mut all);
        all
    }

    /// Runs a command here and tells whose content is another one, or gone, afterwards: of what stood where it arrives.
    fn changed_by(&self, words: &[&str]) -> Vec<String> {
        let before = self.seen();
        Command::new(words[0]).current_dir(&self.root).args(&words[1..]).stderr(Stdio::null()).output().unwrap();
        let after = self.seen();
        let same = |path: &PathBuf, held: &(Vec<u8>, u32, u64)| after.get(path).is_some_and(|now| now.0 == held.0);
        before
            .iter()
            .filter(|(path, held)| !path.starts_with("a") && !same(path, held))
            .map(|(path, _)| path.to_str().unwrap().to_owned())
            .collect()
    }

    fn laid(&self, what: Arriving, to: &str, replacing: Replacing, sparing: Sparing) -> (Vec<String>, bool) {
        // What takes a name takes it from another thing of its kind, and from a directory nothing.
        let is_moved = matches!(&what, Arriving::Named(_)) && replacing == Replacing::Name;
        let directories = if is_moved { Directories::Refused } else { Directories::Merged };
        let laying = Laying {
            what,
            to: self.full(to),
            replacing,
            directories,
            sparing,
            following: Following::Nothing,
            kept_as: None,
        };
        let found = overlaid(&laying).unwrap();
        let below =
            |one: &Replacement| Path::new(&one.path).strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned();
        (found.replaced.iter().map(below).collect(), found.complete)
    }

    fn full(&self, path: &str) -> String {
        self.root.join(path).to_str().unwrap().to_owned()
    }
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// The program itself is asked what it replaces.
#[test]
fn what_is_replaced_is_what_the_program_replaces() {
    use Replacing::{Content, Name};
    use Sparing::{Newer, Nothing};
    let files: &[(&str, &str)] = &[
        ("a/same", "same"),
        ("a/other", "new"),
        ("a/as_long", "abc"),
        ("a/only_here", "x"),
        ("a/dir/deep/f", "new"),
        ("a/file_for_dir", "x"),
        ("a/link", "-> other"),
        ("a/into_link", "new"),
        ("b/same", "same"),
        ("b/other", "old"),
        ("b/as_long", "xyz"),
        ("b/only_there", "x"),
        ("b/dir/deep/f", "old"),
        ("b/dir/deep/g", "old"),
        ("b/file_for_dir/f", "x"),
        ("b/into_link", "-> ../aside"),
        ("aside", "old"),
        ("c/a/other", "old"),
        ("c/same", "x"),
        ("to_c", "-> c"),
        ("f", "old"),
    ];
    let named = |path: &str| Arriving::Named(path.to_owned());
    let itself = |path: &str| Arriving::Itself(path.to_owned());
    for (words, what, to, replacing, sparing, expected) in [
        (
            &["cp", "-r", "a/.", "b"][..],
            itself("a"),
            "b",
            Content,
            Nothing,
            &["aside", "b/as_long", "b/dir/deep/f", "b/other"][..],
        ),
        (&["cp", "-r", "a", "b"], named("a"), "b", Content, Nothing, &[]),
        (&["cp", "-r", "a", "c"], named("a"), "c", Content, Nothing, &["c/a/other"]),
        (&["cp", "-r", "a", "to_c"], named("a"), "to_c", Content, Nothing, &["c/a/other"]),
        (
            &["cp", "-rT", "a", "b"],
            itself("a"),
            "b",
            Content,
            Nothing,
            &["aside", "b/as_long", "b/dir/deep/f", "b/other"],
        ),
        (&["cp", "a/other", "f"], named("a/other"), "f", Content, Nothing, &["f"]),
        (&["cp", "a/other", "b"], named("a/other"), "b", Content, Nothing, &["b/other"]),
        (&["cp", "a/into_link", "b"], named("a/into_link"), "b", Content, Nothing, &["aside"]),
        (&["cp", "a/other", "b/none"], named("a/other"), "b/none", Content, Nothing, &[]),
        (&["cp", "-r", "a", "new"], named("a"), "new", Content, Nothing, &[]),
        (&["mv", "a/other", "b"], named("a/other"), "b", Name, Nothing, &["b/other"]),
        (&["mv", "a", "c"], named("a"), "c", Name, Nothing, &[]),
        (&["mv", "a/dir", "b"], named("a/dir"), "b", Name, Nothing, &[]),
        (&["mv", "-T", "a", "b"], named("a"), "b", Name, Nothing, &[]),
        (&["mv", "a/into_link", "b"], named("a/into_link"), "b", Name, Nothing, &["b/into_link"]),
        (&["install", "a/other", "a/same", "b"], named("a/other"), "b", Content, Nothing, &["b/other"]),
        // What is there was written later.
        (&["cp", "-ru", "a/.", "b"], itself("a"), "b", Content, Newer, &[]),
        (
            &["rsync", "-a", "a/", "b/"],
            itself("a"),
            "b",
            Name,
            Nothing,
            &["b/as_long", "b/dir/deep/f", "b/into_link", "b/other"],
        ),
    ] {
        let sandbox = Sandbox::new(files);
        let what = match what {
            Arriving::Named(path) => Arriving::Named(sandbox.full(&path)),
            Arriving::Itself(path) => Arriving::Itself(sandbox.full(&path)),
            other => other,
        };
        let (found, complete) = sandbox.laid(what, to, replacing, sparing);
        assert_eq!(
            (found.as_slice(), complete),
            (&expected.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>()[..], true),
            "{words:?}"
        );
        if is_installed(words[0]) {
            assert_eq!(sandbox.changed_by(words), found, "{words:?}");
        }
        drop(sandbox.dir);
    }
}

#[test]
fn an_archive_replaces_what_it_holds_and_differs() {
    let files: &[(&str, &str)] = &[
        ("a/p/same", "same"),
        ("a/p/other", "new"),
        ("a/p/new", "x"),
        ("p/same", "same"),
        ("p/other", "old"),
        ("other", "old"),
    ];
    for (packing, unpacking, archive, stripped, expected) in [
        (&["tar", "-C", "a", "-czf", "a/x", "p"][..], &["tar", "-xf", "a/x"][..], "a/x", 0, "p/other"),
        (&["tar", "-C", "a", "-cf", "a/x", "p"], &["tar", "-xf", "a/x", "--strip-components=1"], "a/x", 1, "other"),
        (&["sh", "-c", "cd a && zip -qr x.zip p"], &["unzip", "-qo", "a/x.zip"], "a/x.zip", 0, "p/other"),
    ] {
        let sandbox = Sandbox::new(files);
        assert!(Command::new(packing[0]).current_dir(&sandbox.root).args(&packing[1..]).status().unwrap().success());
        let what = Arriving::Unpacked(Unpacking {
            archive: sandbox.full(archive),
            by: if archive.ends_with("zip") { Archiver::Zip } else { Archiver::Tar },
            paths: MemberPaths::Stripped(stripped),
            chosen: Vec::new(),
            left_out: Vec::new(),
        });
        let (found, complete) = sandbox.laid(what, "", Replacing::Name, Sparing::Nothing);
        assert_eq!((found.clone(), complete), (vec![expected.to_owned()], true), "{unpacking:?}");
        assert_eq!(sandbox.changed_by(unpacking), found, "{unpacking:?}");
    }
}

#[test]
fn what_is_too_much_is_said_to_be_more() {
    let sandbox = Sandbox::new(&[]);
    for number in 0..=super::ENTRIES {
        write(&sandbox.root.join(format!("a/{number}")), "new");
        write(&sandbox.root.join(format!("b/{number}")), "other");
    }
    let (found, complete) =
        sandbox.laid(Arriving::Itself(sandbox.full("a")), "b", Replacing::Content, Sparing::Nothing);
    assert!(!complete && found.len() >= super::ENTRIES - 1, "{}", found.len());
}

proptest! {
    #![proptest_config(generated(64))]

    /// Trees of all kinds over each other: what `cp` changes is what was said.
    #[test]
    fn generated_trees_are_laid_as_cp_lays_them(
        new in subsequence(&["a/x", "a/y", "a/d/x", "a/d/y", "a/e/x", "a/e/d/x", "a/l"], 0..=7),
        old in subsequence(&["b/x", "b/d/x", "b/d/z", "b/e", "b/d/y/x", "b/l"], 0..=6),
        same in any::<bool>(),
    ) {
        let content = if same { "same" } else { "new" };
        let with = |paths: &[&'static str], content: &'static str| -> Vec<(&'static str, &'static str)> {
            paths.iter().map(|path| (*path, if path.ends_with("/l") { "-> x" } else { content })).collect()
        };
        let files = [with(&new, content), with(&old, "same"), vec![("b/keep", "k"), ("a/keep", "k")]].concat();
        let sandbox = Sandbox::new(&files);
        let (found, complete) =
            sandbox.laid(Arriving::Itself(sandbox.full("a")), "b", Replacing::Content, Sparing::Nothing);
        prop_assert!(complete);
        prop_assert_eq!(sandbox.changed_by(&["cp", "-r", "a/.", "b"]), found);
    }
}
