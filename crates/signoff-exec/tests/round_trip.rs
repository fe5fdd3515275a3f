//! A backup, a loss and an undo give back the very same tree.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on fails"
)]

mod tree;

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use proptest::prelude::*;
use signoff_exec::{
    Store,
    backup::{BackupId, BackupRequest, Destination, Moment, Progress, Restored, State},
};
use tree::{Plant, Planted, assert_same, fell, grow, look};

const NOW: Moment = Moment { seconds: 1_800_000_000, nanoseconds: 5 };

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn id(name: &str) -> BackupId {
    BackupId::new(name).unwrap()
}

fn back_up(store: &Store, name: &str, paths: &[&Path]) {
    let paths = paths.iter().map(|path| path.to_path_buf()).collect();
    let request = BackupRequest { id: id(name), time: NOW, command: "rm -rf tree".into(), paths };
    store.back_up(&request, &mut go_on).unwrap();
}

fn restore(store: &Store, name: &str) -> Restored {
    store.restore(&id(name), &Destination::Original, NOW, &mut go_on).unwrap()
}

fn ground() -> (tempfile::TempDir, PathBuf, Store) {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    let store = Store::open(&base.join("store")).unwrap();
    (directory, base.join("work"), store)
}

fn plant() -> impl Strategy<Value = Plant> {
    // Rights that take reading away from the owner cannot be backed up by anybody but root.
    let mode = prop::sample::select(vec![0o644, 0o600, 0o444, 0o755, 0o4755, 0o2711, 0o1644, 0o777, 0o6644]);
    let directory = prop::sample::select(vec![0o755, 0o700, 0o555, 0o1777, 0o2775]);
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let target = prop::collection::vec(1_u8.., 1..100);
    let piece = (0_u64..300_000, prop::collection::vec(any::<u8>(), 1..9000));
    prop_oneof![
        4 => (bytes.clone(), mode.clone()).prop_map(|(content, mode)| Plant::File { content, mode }),
        1 => (0..100_000_usize, any::<u8>()).prop_map(|(n, byte)| Plant::File { content: vec![byte; n], mode: 0o640 }),
        2 => (prop::collection::vec(piece, 0..4), 0_u64..3_000_000)
            .prop_map(|(pieces, length)| Plant::Sparse { pieces, length }),
        4 => directory.prop_map(|mode| Plant::Directory { mode }),
        2 => target.prop_map(|target| Plant::Symlink { target }),
        1 => prop::sample::select(vec!["..", "/", "/dev/zero", "gone/away", "."])
            .prop_map(|target| Plant::Symlink { target: target.into() }),
        2 => (0_usize..5).prop_map(|back| Plant::HardLink { back }),
        1 => mode.prop_map(|mode| Plant::Fifo { mode }),
        1 => bytes.prop_map(|value| Plant::Attribute { value }),
    ]
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[a-z]{1,3}".prop_map(String::into_bytes),
        2 => prop::collection::vec(any::<u8>(), 1..40),
        1 => prop::sample::select(vec!["-rf", "a\nb", " ", "%41", "*", "清理", "\u{202e}txt", "manifest.json"])
            .prop_map(|name| name.as_bytes().to_vec()),
        1 => Just(vec![b'x'; 255]),
    ]
    .prop_map(|name| name.into_iter().map(|byte| if byte == 0 || byte == b'/' { b'_' } else { byte }).collect())
    .prop_filter("names of something else", |name: &Vec<u8>| name != b"." && name != b"..")
}

fn planted() -> impl Strategy<Value = Planted> {
    (plant(), 0_usize..4, name(), (-1_000_000_000_i64..4_000_000_000, 0_i64..1_000_000_000))
        .prop_map(|(plant, parent, name, modified)| Planted { plant, parent, name, modified })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_comes_back_as_it_was(plants in prop::collection::vec(planted(), 0..25)) {
        let (_directory, work, store) = ground();
        grow(&work, &plants);
        let before = look(&work);
        back_up(&store, "one", &[&work]);
        assert_same(&before, &look(&work));
        fell(&work);
        store.seal_after(&id("one")).unwrap();
        let restored = restore(&store, "one");
        assert_same(&before, &look(&work));
        prop_assert_eq!(restored.placed, before.len());
        prop_assert_eq!(&restored.notes, &[]);

        // Once more, and nothing is left to be done.
        let again = restore(&store, "one");
        prop_assert_eq!((again.placed, again.replaced, again.kept), (0, 0, before.len()));
        assert_same(&before, &look(&work));
    }

    #[test]
    fn what_is_left_of_a_tree_is_completed(
        plants in prop::collection::vec(planted(), 1..20),
        lost in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let (_directory, work, store) = ground();
        grow(&work, &plants);
        let before = look(&work);
        back_up(&store, "one", &[&work]);
        let paths: Vec<_> = before.keys().cloned().collect();
        let restricted = before.values().any(|seen| seen.mode & 0o170_200 == 0o040_000);
        for index in lost {
            // Only root can take something out of a directory that is read-only, and put it back.
            if !restricted || rustix::process::geteuid().is_root() {
                fell(&work.join(index.get(&paths)));
            }
        }
        restore(&store, "one");
        let after = look(&work);
        // Taking something out of a directory that stays does not change its rights here, so everything is as before.
        assert_same(&before, &after);
    }
}

#[test]
fn several_paths_are_one_backup() {
    let (_directory, work, store) = ground();
    fs::create_dir_all(work.join("deep/er")).unwrap();
    for name in ["a", "deep/b", "deep/er/c", "stays"] {
        fs::write(work.join(name), name).unwrap();
    }
    fs::hard_link(work.join("a"), work.join("deep/a2")).unwrap();
    let before = look(&work);
    let paths = [work.join("deep/er"), work.join("a"), work.join("deep/a2"), work.join("deep/er/c")];
    back_up(&store, "one", &paths.each_ref().map(PathBuf::as_path));
    for path in &paths[..3] {
        fell(path);
    }
    restore(&store, "one");
    let names = |tree: &std::collections::BTreeMap<PathBuf, tree::Seen>| {
        tree.iter().map(|(path, seen)| (path.clone(), seen.content.clone(), seen.same_as.clone())).collect::<Vec<_>>()
    };
    assert_eq!(names(&before), names(&look(&work)));

    let listed = store.list().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].state, State::Restored(NOW));
    let description = listed[0].description.as_ref().unwrap();
    assert_eq!(description.command, "rm -rf tree");
    assert_eq!(description.paths, [work.join("a"), work.join("deep/a2"), work.join("deep/er")]);
    let size = listed[0].size.unwrap();
    assert_eq!((size.entries, size.bytes), (4, "adeep/er/c".len() as u64));
}

#[test]
fn directories_above_are_made_again() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, work, store) = ground();
    fs::create_dir_all(work.join("a/b")).unwrap();
    fs::set_permissions(work.join("a"), fs::Permissions::from_mode(0o750)).unwrap();
    fs::write(work.join("a/b/c"), "content").unwrap();
    back_up(&store, "one", &[&work.join("a/b/c")]);
    fell(&work);
    restore(&store, "one");
    assert_eq!(fs::read(work.join("a/b/c")).unwrap(), b"content");
    assert_eq!(fs::metadata(work.join("a")).unwrap().permissions().mode() & 0o7777, 0o750);
}

#[test]
fn a_tree_can_be_restored_beside() {
    let (_directory, work, store) = ground();
    fs::create_dir(&work).unwrap();
    fs::write(work.join("file"), "saved").unwrap();
    let before = look(&work);
    back_up(&store, "one", &[&work]);
    fs::write(work.join("file"), "changed by somebody").unwrap();
    let beside = work.parent().unwrap().join("beside");
    fs::create_dir(&beside).unwrap();
    store.restore(&id("one"), &Destination::Beside(beside.clone()), NOW, &mut go_on).unwrap();
    assert_same(&before, &look(&beside.join(work.strip_prefix("/").unwrap())));
    assert_eq!(fs::read(work.join("file")).unwrap(), b"changed by somebody");
}

/// Thousands of small files are the usual case of a tree that somebody deletes by mistake, and flushing each of them by
/// itself would take minutes on a real disk. How long it takes is printed, for `docs/benchmarks.md`.
#[test]
fn thousands_of_files_come_back() {
    let (_directory, work, store) = ground();
    for directory in 0..50 {
        let directory = work.join(directory.to_string());
        fs::create_dir_all(&directory).unwrap();
        for file in 0..100 {
            fs::write(directory.join(file.to_string()), format!("content {file}").repeat(20)).unwrap();
        }
    }
    let before = look(&work);
    let began = std::time::Instant::now();
    back_up(&store, "one", &[&work]);
    let saved = began.elapsed();
    fell(&work);
    store.seal_after(&id("one")).unwrap();
    let began = std::time::Instant::now();
    assert_eq!(restore(&store, "one").placed, 5_051);
    println!("5,000 files: backed up in {saved:.0?}, restored in {:.0?}", began.elapsed());
    assert_same(&before, &look(&work));
}
