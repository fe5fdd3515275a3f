use std::{fs, path::Path, process::Command};

use signoff_analysis::facts::{Archiver, MemberPaths, Unpacking};

use super::{Content, crc32, each_member};
use crate::testing::write;

/// All of an archive.
fn whole(archive: &Path) -> Unpacking {
    let is_zip = fs::read(archive).is_ok_and(|bytes| bytes.starts_with(b"PK"));
    Unpacking {
        archive: archive.to_str().unwrap().to_owned(),
        by: if is_zip { Archiver::Zip } else { Archiver::Tar },
        paths: MemberPaths::Stripped(0),
        chosen: Vec::new(),
        left_out: Vec::new(),
    }
}

/// What is in an archive, or nothing where that cannot be told.
fn held(archive: &Path) -> Option<Vec<(String, Option<u64>)>> {
    let mut all = Vec::new();
    each_member(&whole(archive), &mut |path, content| {
        let length = match content {
            Content::Bytes(bytes) => Some(bytes.len() as u64),
            Content::Sum { length, .. } => Some(length),
            Content::NoFile => None,
        };
        all.push((path.to_str().unwrap().to_owned(), length));
    })?;
    all.sort();
    Some(all)
}

fn run(directory: &Path, words: &[&str]) {
    let done = Command::new(words[0]).current_dir(directory).args(&words[1..]).output().unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// The real archivers pack, and what they have packed is found again.
#[test]
fn members_are_those_that_were_packed() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let long = format!("{}/{}", "d".repeat(60), "n".repeat(80));
    for (path, content) in [("t/a", "one"), ("t/sub/b", ""), ("t/é ü", "three")] {
        write(&root.join(path), content);
    }
    write(&root.join("t").join(&long), "deep");
    std::os::unix::fs::symlink("a", root.join("t/link")).unwrap();
    let mut expected: Vec<(String, Option<u64>)> = [("t/a", Some(3)), ("t/sub/b", Some(0)), ("t/é ü", Some(5))]
        .map(|(path, length)| (path.to_owned(), length))
        .to_vec();
    expected.push((format!("t/{long}"), Some(4)));
    expected.push(("t/link".to_owned(), None));
    expected.sort();
    for words in [
        ["tar", "--format=gnu", "-cf", "x", "t"],
        ["tar", "--format=pax", "-cf", "x", "t"],
        ["tar", "--format=ustar", "-cf", "x", "./t"],
        ["tar", "-z", "-cf", "x", "t"],
        ["zip", "-qry", "x.zip", "t", "-D"],
    ] {
        run(root, &words);
        let archive = if words[0] == "zip" { root.join("x.zip") } else { root.join("x") };
        assert_eq!(held(&archive).as_ref(), Some(&expected), "{words:?}");
        // Half of an archive says nothing about the other half.
        let bytes = fs::read(&archive).unwrap();
        fs::write(&archive, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(held(&archive), None, "{words:?}, cut");
        fs::remove_file(archive).unwrap();
    }
}

#[test]
fn what_is_no_archive_that_is_known_says_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x");
    for content in [&b""[..], b"PK", b"PK\x05\x06", b"\x1f\x8b\x08", b"BZh91AY&SY", b"a text", &[0xff; 2048]] {
        fs::write(&file, content).unwrap();
        assert_eq!(held(&file), None, "{content:?}");
    }
    assert_eq!(held(dir.path()), None, "a directory");
    assert_eq!(held(&dir.path().join("none")), Some(Vec::new()), "nothing comes out of nothing");
}

#[test]
fn the_sum_is_that_of_zip() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(crc32(b""), 0);
}

#[test]
fn names_are_left_out_as_tar_leaves_them_out() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(&root.join("t/a/b/f"), "x");
    for (packing, stripped) in
        [("tar -cf x t", 0), ("tar -cf x t", 1), ("tar -cf x ./t", 1), ("tar -cf x ./t", 2), ("tar -cf x t", 9)]
    {
        run(root, &["sh", "-c", packing]);
        let mut found = Vec::new();
        let unpacking = Unpacking { paths: MemberPaths::Stripped(stripped), ..whole(&root.join("x")) };
        each_member(&unpacking, &mut |path, _| found.push(path.to_owned())).unwrap();
        fs::create_dir(root.join("out")).unwrap();
        run(root, &["tar", "-C", "out", "-xf", "x", &format!("--strip-components={stripped}")]);
        let mut unpacked = std::collections::BTreeMap::new();
        crate::testing::contents(&root.join("out"), Path::new(""), &mut unpacked);
        assert_eq!(found, unpacked.into_keys().collect::<Vec<_>>(), "{packing}, {stripped}");
        fs::remove_dir_all(root.join("out")).unwrap();
    }
}
