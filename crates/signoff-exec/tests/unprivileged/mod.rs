//! Runs a test as a user who may not do everything, since root may: then a right that is missing shows.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::{
    env, fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::Command,
};

/// Who is nobody in particular.
const NOBODY: u32 = 65534;

/// Who runs a test now.
#[derive(PartialEq, Eq)]
pub(crate) enum As {
    /// Somebody without special rights: the test goes on.
    Somebody,
    /// Root, for whom a process without rights has run the test meanwhile.
    Root,
}

/// Runs this test again without rights where this process has all of them.
#[track_caller]
pub(crate) fn without_rights(test: &str) -> As {
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) != 0) {
        return As::Somebody;
    }
    // The program itself may lie where others have no business.
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = directory.path().join("tests");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(&program)
        .args(["--exact", test, "--nocapture"])
        .current_dir("/")
        .env("TMPDIR", "/tmp")
        .gid(NOBODY)
        .uid(NOBODY)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "`{test}` is no test: {said}");
    As::Root
}
