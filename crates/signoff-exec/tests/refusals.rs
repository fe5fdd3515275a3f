//! What cannot be done is said plainly, and nothing is half done.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on fails"
)]

mod tree;
mod unprivileged;

use std::{
    fs::{self, Permissions},
    ops::ControlFlow,
    os::{
        fd::BorrowedFd,
        unix::{
            fs::{PermissionsExt, symlink},
            net::UnixListener,
        },
    },
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use signoff_exec::{
    Store,
    backup::{
        BackupError, BackupErrorKind, BackupId, BackupRequest, Conflict, ConflictReason, Destination, Moment, NoteKind,
        Progress, Prune, Restored, Room, Size, State,
    },
};
use tree::{assert_same, fell, look};
use unprivileged::{As, without_rights};

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn id(name: &str) -> BackupId {
    BackupId::new(name).unwrap()
}

const fn moment(seconds: i64) -> Moment {
    Moment { seconds, nanoseconds: 0 }
}

fn request(name: &str, paths: &[&Path]) -> BackupRequest {
    let paths = paths.iter().map(|path| path.to_path_buf()).collect();
    BackupRequest { id: id(name), time: moment(1), command: "rm".into(), paths }
}

fn back_up(store: &Store, name: &str, paths: &[&Path]) -> Result<Size, BackupError> {
    store.back_up(&request(name, paths), &mut go_on)
}

fn restore(store: &Store, name: &str) -> Result<Restored, BackupError> {
    store.restore(&id(name), &Destination::Original, moment(2), &mut go_on)
}

/// A directory with a store and a tree of two files.
fn ground() -> (tempfile::TempDir, PathBuf, Store) {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    let store = Store::open(&base.join("store")).unwrap();
    let work = base.join("work");
    fs::create_dir(&work).unwrap();
    fs::write(work.join("a"), "content of a").unwrap();
    fs::write(work.join("b"), "content of b").unwrap();
    (directory, work, store)
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The error is of this kind, has a hint, says this, and has left nothing in the store.
fn check<T: std::fmt::Debug>(result: Result<T, BackupError>, store: &Store, kind: BackupErrorKind, says: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(says), "{error}");
    assert!(!error.hint().is_empty());
    assert_eq!(store.list().unwrap(), [], "nothing half done");
}

struct NoRoom;

impl Room for NoRoom {
    fn available(&self, _: BorrowedFd<'_>) -> std::io::Result<u64> {
        Ok(10)
    }
}

#[test]
fn no_room_is_found_out_before_anything_is_copied() {
    let (_directory, work, store) = ground();
    let store = store.with_room(NoRoom);
    let before = look(&work);
    check(back_up(&store, "one", &[&work]), &store, BackupErrorKind::NoRoom, "are needed, 10 are free");
    assert_same(&before, &look(&work));
}

#[test]
fn a_sparse_file_needs_the_room_that_it_takes() {
    let (_directory, work, store) = ground();
    struct Little;
    impl Room for Little {
        fn available(&self, _: BorrowedFd<'_>) -> std::io::Result<u64> {
            Ok(1 << 20)
        }
    }
    fs::File::create(work.join("sparse")).unwrap().set_len(8 << 20).unwrap();
    back_up(&store.with_room(Little), "one", &[&work]).unwrap();
}

#[test]
fn no_room_for_a_restore_is_found_out_before_anything_is_placed() {
    let (_directory, work, store) = ground();
    back_up(&store, "one", &[&work]).unwrap();
    fell(&work);
    let store = store.with_room(NoRoom);
    let error = restore(&store, "one").unwrap_err();
    assert_eq!(error.kind(), BackupErrorKind::NoRoom);
    assert!(!work.exists());
}

struct Plenty;

impl Room for Plenty {
    fn available(&self, _: BorrowedFd<'_>) -> std::io::Result<u64> {
        Ok(u64::MAX)
    }
}

/// Says that the test runs where it may mount what it likes.
const OWN_MOUNTS: &str = "SIGNOFF_EXEC_OWN_MOUNTS";

/// Runs a test again in name spaces of its own, where everybody may mount something. Systems that forbid this to everybody
/// but root are still asked to do it by root.
fn with_own_mounts(test: &str) -> bool {
    if std::env::var_os(OWN_MOUNTS).is_some() {
        return true;
    }
    let flags = if is_root() { "-m" } else { "-rm" };
    let possible =
        std::process::Command::new("unshare").args([flags, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
    if !possible.is_ok_and(|output| output.status.success()) {
        // Then at least the room that there is said to be counts.
        let (_directory, work, store) = ground();
        check(back_up(&store.with_room(NoRoom), "one", &[&work]), &ground().2, BackupErrorKind::NoRoom, "10 are free");
        return false;
    }
    let output = std::process::Command::new("unshare")
        .arg(flags)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(OWN_MOUNTS, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "{said}");
    false
}

fn mount(arguments: &[&str], at: &Path) {
    let done = std::process::Command::new("mount").args(arguments).arg(at).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A directory with a small file system below it, and a tree that does not fit there.
fn small_disk() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    let (small, work) = (base.join("small"), base.join("work"));
    for path in [&small, &work] {
        fs::create_dir(path).unwrap();
    }
    mount(&["-t", "tmpfs", "-o", "size=256k", "tmpfs"], &small);
    fs::write(work.join("a"), vec![1; 100_000]).unwrap();
    fs::create_dir(work.join("deep")).unwrap();
    fs::write(work.join("deep/large"), vec![1; 1_000_000]).unwrap();
    (directory, small, work)
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    if !with_own_mounts("a_full_disk_leaves_nothing_behind") {
        return;
    }
    let (_directory, small, work) = small_disk();
    let store = Store::open(&small.join("store")).unwrap().with_room(Plenty);
    check(back_up(&store, "one", &[&work]), &store, BackupErrorKind::NoRoom, "not enough room");
    assert_eq!(fs::read_dir(small.join("store")).unwrap().count(), 0);
}

#[test]
fn a_restore_that_finds_no_room_leaves_nothing_behind() {
    if !with_own_mounts("a_restore_that_finds_no_room_leaves_nothing_behind") {
        return;
    }
    let (_directory, small, work) = small_disk();
    let store = Store::open(&work.parent().unwrap().join("store")).unwrap().with_room(Plenty);
    back_up(&store, "one", &[&work]).unwrap();
    let restored = store.restore(&id("one"), &Destination::Beside(small.clone()), moment(2), &mut go_on);
    let error = restored.unwrap_err();
    assert!(matches!(error, BackupError::NoRoom { .. }), "{error}");
    assert_eq!(fs::read_dir(&small).unwrap().count(), 0, "neither files nor directories");
    assert_eq!(store.list().unwrap()[0].state, State::Complete);
}

#[test]
fn a_read_only_file_system_is_said_plainly() {
    if !with_own_mounts("a_read_only_file_system_is_said_plainly") {
        return;
    }
    let (_directory, small, work) = small_disk();
    let store = Store::open(&work.parent().unwrap().join("store")).unwrap();
    back_up(&store, "one", &[&work.join("a")]).unwrap();
    mount(&["-o", "remount,ro"], &small);
    let error = store.restore(&id("one"), &Destination::Beside(small.clone()), moment(2), &mut go_on).unwrap_err();
    assert_eq!(error.kind(), BackupErrorKind::Denied);
    assert!(error.to_string().contains("the file system is read-only"), "{error}");
    assert_eq!(store.list().unwrap()[0].state, State::Complete);
    let error = Store::open(&small.join("store")).err().unwrap();
    assert!(error.to_string().contains("the file system is read-only"), "{error}");
}

#[test]
fn a_store_inside_is_refused_both_ways() {
    let (_directory, work, store) = ground();
    let base = work.parent().unwrap();
    let says = "lie inside each other";
    check(back_up(&store, "one", &[base]), &store, BackupErrorKind::Usage, says);
    check(back_up(&store, "one", &[&base.join("store")]), &store, BackupErrorKind::Usage, says);
    fs::write(base.join("store/note"), "").unwrap();
    check(back_up(&store, "one", &[&base.join("store/note")]), &store, BackupErrorKind::Usage, says);
    // A name that only seems to lie elsewhere.
    symlink(base, work.join("up")).unwrap();
    check(back_up(&store, "one", &[&work.join("up/store/note")]), &store, BackupErrorKind::Usage, says);
    // A link to the store is only a link.
    symlink(base.join("store"), work.join("link")).unwrap();
    back_up(&store, "one", &[&work]).unwrap();
}

#[test]
fn what_no_copy_brings_back_is_refused() {
    let (_directory, work, store) = ground();
    let _socket = UnixListener::bind(work.join("socket")).unwrap();
    check(back_up(&store, "one", &[&work]), &store, BackupErrorKind::Usage, "is a socket");
    check(back_up(&store, "one", &[Path::new("/dev/null")]), &store, BackupErrorKind::Usage, "is a device");
}

#[test]
fn what_is_not_there_is_not_backed_up() {
    let (_directory, work, store) = ground();
    let missing = work.join("missing");
    check(back_up(&store, "one", &[&work, &missing]), &store, BackupErrorKind::Usage, "does not exist");
    check(back_up(&store, "one", &[&missing.join("deep")]), &store, BackupErrorKind::Usage, "does not exist");
    check(back_up(&store, "one", &[&work.join("a/below")]), &store, BackupErrorKind::Usage, "does not exist");
}

#[test]
fn what_may_not_be_read_is_not_backed_up() {
    if without_rights("what_may_not_be_read_is_not_backed_up") == As::Root {
        return;
    }
    let (_directory, work, store) = ground();
    fs::set_permissions(work.join("b"), Permissions::from_mode(0o000)).unwrap();
    check(back_up(&store, "one", &[&work]), &store, BackupErrorKind::Denied, "permission denied");
}

/// Does something to the tree while it is copied, every time again.
fn back_up_while(store: &Store, work: &Path, mut meanwhile: impl FnMut(u32)) -> Result<Size, BackupError> {
    let mut calls = 0;
    store.back_up(&request("one", &[work]), &mut |_| {
        calls += 1;
        meanwhile(calls);
        ControlFlow::Continue(())
    })
}

/// Does something to a tree, for the nth time.
type Meddling = fn(&Path, u32);

#[test]
fn what_keeps_changing_is_found_out() {
    let meddlings: [Meddling; 4] = [
        // It grows.
        |work, call| fs::write(work.join("a"), "x".repeat(100 + call as usize)).unwrap(),
        // It changes after it was copied, and keeps its length.
        |work, call| fs::write(work.join("a"), format!("Content{call:05}")).unwrap(),
        // Something is added.
        |work, call| fs::write(work.join(format!("new{call}")), "").unwrap(),
        // It becomes a link to something else, and back.
        |work, call| {
            fs::remove_file(work.join("b")).unwrap();
            if call % 2 == 1 {
                symlink("/etc/passwd", work.join("b")).unwrap();
            } else {
                fs::write(work.join("b"), "content of b").unwrap();
            }
        },
    ];
    for meddling in meddlings {
        let (_directory, work, store) = ground();
        let result = back_up_while(&store, &work, |call| meddling(&work, call));
        check(result, &store, BackupErrorKind::Changed, "grew, changed or vanished meanwhile");
    }
}

#[test]
fn what_vanishes_altogether_is_found_out() {
    let (_directory, work, store) = ground();
    let result = back_up_while(&store, &work, |_| fell(&work));
    check(result, &store, BackupErrorKind::Usage, "does not exist");
}

#[test]
fn a_link_that_is_put_in_the_way_is_not_followed() {
    let (_directory, work, store) = ground();
    let outside = work.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("b"), "content of b").unwrap();
    fs::create_dir(work.join("a.d")).unwrap();
    fs::write(work.join("a.d/b"), "content of b").unwrap();
    // From the first copied piece on, the directory is a link to one that looks the same.
    let result = back_up_while(&store, &work, |_| {
        fell(&work.join("a.d"));
        let _ = symlink(&outside, work.join("a.d"));
    });
    check(result, &store, BackupErrorKind::Changed, "meanwhile");
}

#[test]
fn a_change_that_is_over_is_no_hindrance() {
    let (_directory, work, store) = ground();
    back_up_while(&store, &work, |call| {
        if call == 1 {
            fs::write(work.join("b"), "something new").unwrap();
        }
    })
    .unwrap();
    let before = look(&work);
    fell(&work);
    restore(&store, "one").unwrap();
    assert_same(&before, &look(&work));
}

#[test]
fn a_backup_can_be_called_off() {
    let (_directory, work, store) = ground();
    let result = store.back_up(&request("one", &[&work]), &mut |_| ControlFlow::Break(()));
    check(result, &store, BackupErrorKind::Cancelled, "called off");
}

#[test]
fn a_restore_that_is_broken_off_anywhere_is_finished_by_another() {
    let (_directory, work, store) = ground();
    fs::create_dir(work.join("deep")).unwrap();
    fs::write(work.join("deep/c"), "content of c").unwrap();
    fs::hard_link(work.join("a"), work.join("deep/twin")).unwrap();
    symlink("nowhere", work.join("deep/link")).unwrap();
    fs::set_permissions(work.join("deep"), Permissions::from_mode(0o2755)).unwrap();
    let before = look(&work);
    back_up(&store, "one", &[&work]).unwrap();
    let mut cancelled = 0;
    for break_at in 1.. {
        fell(&work);
        let mut calls = 0;
        let result = store.restore(&id("one"), &Destination::Original, moment(2), &mut |_| {
            calls += 1;
            if calls == break_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match result {
            Ok(_) => break,
            Err(BackupError::Cancelled) => assert!(!work.exists(), "nothing was touched"),
            Err(error) => panic!("{error}"),
        }
        cancelled += 1;
        assert!(!matches!(store.list().unwrap()[0].state, State::HalfRestored));
        restore(&store, "one").unwrap();
        assert_same(&before, &look(&work));
        assert_eq!(store.list().unwrap()[0].state, State::Restored(moment(2)));
    }
    assert!(cancelled > 2);
    assert_same(&before, &look(&work));
}

/// Something comes up where a file is about to get its name.
#[test]
fn a_restore_that_is_broken_off_is_finished_by_the_next() {
    let (_directory, work, store) = ground();
    let before = look(&work);
    back_up(&store, "one", &[&work]).unwrap();
    fell(&work.join("a"));
    fell(&work.join("b"));
    let in_the_way = work.join("b");
    let result = store.restore(&id("one"), &Destination::Original, moment(2), &mut |far| {
        if far.done == far.total {
            fs::write(&in_the_way, "by somebody else").unwrap();
        }
        ControlFlow::Continue(())
    });
    let error = result.unwrap_err();
    assert!(matches!(error, BackupError::Unfinished { .. }), "{error}");
    assert_eq!(error.kind(), BackupErrorKind::Conflict);
    assert_eq!(fs::read(&in_the_way).unwrap(), b"by somebody else");
    assert_eq!(fs::read(work.join("a")).unwrap(), b"content of a");
    assert_eq!(fs::read_dir(&work).unwrap().count(), 2, "nothing is left under another name");
    assert_eq!(store.list().unwrap()[0].state, State::HalfRestored);
    assert_eq!(store.prune(&Prune { before: Some(moment(99)), keep_bytes: None }).unwrap(), [], "it is still needed");
    fs::remove_file(&in_the_way).unwrap();
    restore(&store, "one").unwrap();
    assert_same(&before, &look(&work));
}

/// A manifest says where things go, so that it must say so of itself as well.
#[test]
fn a_manifest_that_reaches_beyond_what_it_names_is_damaged() {
    type Forgery = fn(&mut Value, &str);
    let forgeries: [(&str, Forgery); 4] = [
        ("an entry elsewhere", |manifest, base| manifest["entries"][1]["path"] = json!(format!("{base}/elsewhere"))),
        ("a path that climbs", |manifest, base| manifest["entries"][1]["path"] = json!(format!("{base}/work/../x"))),
        ("an entry twice", |manifest, base| manifest["entries"][1]["path"] = json!(format!("{base}/work/b"))),
        ("a directory elsewhere", |manifest, base| manifest["above"][0]["path"] = json!(format!("{base}/elsewhere"))),
    ];
    for (what, forge) in forgeries {
        let (_directory, work, store) = ground();
        back_up(&store, "one", &[&work]).unwrap();
        fell(&work);
        let base = work.parent().unwrap();
        let file = base.join("store/one/manifest.json");
        let text = fs::read_to_string(&file).unwrap();
        let (header, body) = text.split_once('\n').unwrap();
        let mut body: Value = serde_json::from_str(body).unwrap();
        forge(&mut body, base.to_str().unwrap());
        let mut header: Value = serde_json::from_str(header).unwrap();
        let digest =
            sha2::Digest::finalize(sha2::Digest::chain_update(<sha2::Sha256 as sha2::Digest>::new(), body.to_string()));
        header["sha256"] = digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
        fs::write(&file, format!("{header}\n{body}")).unwrap();
        let error = restore(&store, "one").unwrap_err();
        assert_eq!(error.kind(), BackupErrorKind::Untrusted, "{what}: {error}");
        assert!(!work.exists() && !base.join("elsewhere").exists(), "{what}");
    }
}

/// Whoever may write there could put anything into a backup.
#[test]
fn a_store_that_others_can_write_is_refused() {
    let (_directory, work, _) = ground();
    let path = work.parent().unwrap().join("store");
    for mode in [0o777, 0o770, 0o702] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let error = Store::open(&path).err().unwrap();
        assert_eq!(error.kind(), BackupErrorKind::Untrusted, "{mode:o}: {error}");
        assert!(error.hint().contains("chmod"), "{}", error.hint());
    }
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    Store::open(&path).unwrap();
}

#[test]
fn two_who_prune_at_once_do_not_stumble_over_each_other() {
    let (_directory, work, store) = ground();
    for number in 0..30 {
        back_up(&store, &format!("b{number}"), &[&work]).unwrap();
    }
    let everything = Prune { before: Some(moment(99)), keep_bytes: None };
    let path = work.parent().unwrap().join("store");
    let removed = std::thread::scope(|scope| {
        let prune = || Store::open(&path).unwrap().prune(&everything).unwrap().len();
        let all: Vec<_> = (0..4).map(|_| scope.spawn(prune)).collect();
        all.into_iter().map(|one| one.join().unwrap()).sum::<usize>()
    });
    assert_eq!(removed, 30);
    assert_eq!(store.list().unwrap(), []);
}

#[test]
fn somebody_else_keeps_away_from_a_backup_that_is_being_made() {
    let (_directory, work, store) = ground();
    let other = Store::open(&work.parent().unwrap().join("store")).unwrap();
    let mut looked = 0;
    back_up_while(&store, &work, |_| {
        looked += 1;
        assert_eq!(other.list().unwrap()[0].state, State::InUse);
        if looked == 1 {
            assert_eq!(other.remove(&id("one")).unwrap_err().kind(), BackupErrorKind::Busy);
        }
    })
    .unwrap();
    assert!(looked > 0);
    assert_eq!(other.list().unwrap()[0].state, State::Complete);
}

#[test]
fn names_are_used_once() {
    let (_directory, work, store) = ground();
    back_up(&store, "one", &[&work]).unwrap();
    let error = back_up(&store, "one", &[&work]).unwrap_err();
    assert_eq!(error.to_string(), "there is a backup `one` already");
    store.verify(&id("one"), &mut go_on).unwrap();
    assert_eq!(restore(&store, "two").unwrap_err().to_string(), "there is no backup `two`");
}

#[test]
fn without_a_manifest_nothing_is_trusted() {
    let (_directory, work, store) = ground();
    back_up(&store, "one", &[&work]).unwrap();
    let slot = work.parent().unwrap().join("store/one");
    fs::remove_file(slot.join("manifest.json")).unwrap();
    let listed = store.list().unwrap();
    assert_eq!(listed[0].state, State::HalfMade);
    assert_eq!(listed[0].description.as_ref().unwrap().command, "rm", "what it was for is known");
    assert_eq!(restore(&store, "one").unwrap_err().kind(), BackupErrorKind::Untrusted);
    assert_eq!(store.prune(&Prune { before: Some(moment(99)), keep_bytes: None }).unwrap(), []);
    store.remove(&id("one")).unwrap();
    assert_eq!(store.list().unwrap(), []);
}

#[test]
fn a_damaged_backup_is_refused_before_anything_is_touched() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 6] = [
        ("file 0 is not what was saved", |slot| fs::write(slot.join("files/0"), "Content of a").unwrap()),
        ("file 1 has another length", |slot| fs::write(slot.join("files/1"), "short").unwrap()),
        ("file 1 is gone", |slot| fs::remove_file(slot.join("files/1")).unwrap()),
        ("manifest.json is not what was written", |slot| {
            let text = fs::read_to_string(slot.join("manifest.json")).unwrap();
            fs::write(slot.join("manifest.json"), text.replace("work/a", "work/c")).unwrap();
        }),
        ("manifest.json is cut off", |slot| fs::write(slot.join("manifest.json"), "").unwrap()),
        ("has the format 2", |slot| {
            let text = fs::read_to_string(slot.join("manifest.json")).unwrap();
            fs::write(slot.join("manifest.json"), text.replace("\"version\":1", "\"version\":2")).unwrap();
        }),
    ];
    for (says, damage) in damages {
        let (_directory, work, store) = ground();
        back_up(&store, "one", &[&work]).unwrap();
        fell(&work);
        damage(&work.parent().unwrap().join("store/one"));
        let error = restore(&store, "one").unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(error.kind(), BackupErrorKind::Untrusted);
        assert!(!work.exists(), "{says}");
    }
}

#[test]
fn what_is_there_now_is_not_overwritten() {
    let (_directory, work, store) = ground();
    back_up(&store, "one", &[&work]).unwrap();
    fs::remove_file(work.join("a")).unwrap();
    store.seal_after(&id("one")).unwrap();
    // Made by somebody after the command.
    fs::create_dir(work.join("a")).unwrap();
    fs::write(work.join("b"), "my own").unwrap();
    let before = look(&work);
    let error = restore(&store, "one").unwrap_err();
    let BackupError::Conflicts(conflicts) = &error else { panic!("{error}") };
    let expected = [("a", ConflictReason::OtherKind), ("b", ConflictReason::OtherContents)];
    assert_eq!(*conflicts, expected.map(|(name, reason)| Conflict { path: work.join(name), reason }));
    assert!(error.to_string().contains("and 1 more are in the way"), "{error}");
    assert_same(&before, &look(&work));
    assert_eq!(store.list().unwrap()[0].state, State::Complete);
}

#[test]
fn a_file_where_a_directory_was_is_one_conflict() {
    let (_directory, work, store) = ground();
    fs::create_dir(work.join("deep")).unwrap();
    fs::write(work.join("deep/c"), "c").unwrap();
    back_up(&store, "one", &[&work.join("deep")]).unwrap();
    fell(&work);
    fs::write(&work, "a file").unwrap();
    let Err(BackupError::Conflicts(conflicts)) = restore(&store, "one") else { panic!() };
    assert_eq!(conflicts, [Conflict { path: work.clone(), reason: ConflictReason::OtherKind }]);
    // A link to a directory is no directory either: somebody could lead the restore anywhere.
    fs::remove_file(&work).unwrap();
    symlink("/tmp", &work).unwrap();
    assert_eq!(restore(&store, "one").unwrap_err().kind(), BackupErrorKind::Conflict);
}

#[test]
fn what_the_command_left_behind_is_replaced() {
    let (_directory, work, store) = ground();
    fs::hard_link(work.join("a"), work.join("twin")).unwrap();
    symlink("a", work.join("link")).unwrap();
    fs::create_dir(work.join("deep")).unwrap();
    let before = look(&work);
    back_up(&store, "one", &[&work]).unwrap();
    // An overwrite through both names, a changed link, a link in place of a file, and changed rights.
    fs::write(work.join("a"), "overwritten").unwrap();
    fs::remove_file(work.join("link")).unwrap();
    symlink("elsewhere", work.join("link")).unwrap();
    fs::remove_file(work.join("b")).unwrap();
    symlink("a", work.join("b")).unwrap();
    fs::set_permissions(work.join("deep"), Permissions::from_mode(0o711)).unwrap();
    assert_eq!(restore(&store, "one").unwrap_err().kind(), BackupErrorKind::Conflict, "not known who wrote it");
    store.seal_after(&id("one")).unwrap();
    assert_eq!(store.seal_after(&id("one")).unwrap_err().kind(), BackupErrorKind::Usage);
    let restored = restore(&store, "one").unwrap();
    assert_eq!((restored.placed, restored.replaced, restored.kept), (0, 5, 1));
    assert_same(&before, &look(&work));
}

#[test]
fn what_was_changed_after_the_command_is_not_replaced() {
    let (_directory, work, store) = ground();
    back_up(&store, "one", &[&work.join("a")]).unwrap();
    fs::write(work.join("a"), "by the command").unwrap();
    store.seal_after(&id("one")).unwrap();
    fs::write(work.join("a"), "by a person").unwrap();
    assert_eq!(restore(&store, "one").unwrap_err().kind(), BackupErrorKind::Conflict);
    assert_eq!(fs::read(work.join("a")).unwrap(), b"by a person");
}

#[test]
fn what_somebody_brought_back_already_is_kept() {
    let (_directory, work, store) = ground();
    back_up(&store, "one", &[&work]).unwrap();
    fell(&work.join("a"));
    fell(&work.join("b"));
    store.seal_after(&id("one")).unwrap();
    fs::write(work.join("a"), "content of a").unwrap();
    fs::set_permissions(work.join("a"), Permissions::from_mode(0o640)).unwrap();
    fs::write(work.join("new"), "").unwrap();
    let restored = restore(&store, "one").unwrap();
    assert_eq!((restored.placed, restored.replaced, restored.kept), (1, 0, 2));
    assert_eq!(restored.notes.iter().map(|note| &note.kind).collect::<Vec<_>>(), [&NoteKind::AttributesKept]);
    assert_eq!(fs::metadata(work.join("a")).unwrap().permissions().mode() & 0o7777, 0o640);
}

#[test]
fn a_name_that_was_not_saved_is_told_about() {
    let (_directory, work, store) = ground();
    fs::hard_link(work.join("a"), work.parent().unwrap().join("outside")).unwrap();
    back_up(&store, "one", &[&work]).unwrap();
    fell(&work);
    let restored = restore(&store, "one").unwrap();
    assert_eq!(restored.notes.iter().map(|note| &note.kind).collect::<Vec<_>>(), [&NoteKind::LinksElsewhere]);
}

#[test]
fn a_directory_that_takes_nothing_is_found_out_before_anything_is_placed() {
    if without_rights("a_directory_that_takes_nothing_is_found_out_before_anything_is_placed") == As::Root {
        return;
    }
    let (_directory, work, store) = ground();
    fs::create_dir(work.join("closed")).unwrap();
    fs::write(work.join("closed/c"), "c").unwrap();
    back_up(&store, "one", &[&work]).unwrap();
    fell(&work.join("a"));
    fs::remove_file(work.join("closed/c")).unwrap();
    fs::set_permissions(work.join("closed"), Permissions::from_mode(0o555)).unwrap();
    let error = restore(&store, "one").unwrap_err();
    assert_eq!(error.kind(), BackupErrorKind::Denied);
    assert!(!work.join("a").exists());
}

#[test]
fn old_backups_go_when_somebody_says_so() {
    let (_directory, work, store) = ground();
    for (name, time) in [("old", 10), ("older", 5), ("new", 20)] {
        let request = BackupRequest { time: moment(time), ..request(name, &[&work]) };
        store.back_up(&request, &mut go_on).unwrap();
    }
    let names = || store.list().unwrap().iter().map(|listed| listed.id.to_string()).collect::<Vec<_>>();
    assert_eq!(names(), ["new", "old", "older"], "newest first");
    assert_eq!(store.prune(&Prune::default()).unwrap(), []);
    assert_eq!(store.prune(&Prune { before: Some(moment(10)), keep_bytes: None }).unwrap(), [id("older")]);
    let size = store.list().unwrap()[0].size.unwrap().allocated;
    assert_eq!(store.prune(&Prune { before: None, keep_bytes: Some(size) }).unwrap(), [id("old")]);
    assert_eq!(names(), ["new"]);
}
