//! What several tests need: how many cases are generated (always the same in a usual run, others and more when somebody asks
//! for them), git itself, and everything that is in a tree.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use proptest::test_runner::{Config, RngSeed};

pub(crate) mod landscape;
pub(crate) mod plots;

/// The usual number of cases, or as many as `PROPTEST_CASES` says.
pub(crate) fn generated(usual: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let rng_seed = if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) };
    Config { cases: wanted.unwrap_or(usual), rng_seed, failure_persistence: None, ..Config::default() }
}

/// Runs git with no settings but those of the repository, and gives what it says.
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    fed_git(directory, arguments, &[])
}

/// The same with something to read.
pub(crate) fn fed_git(directory: &Path, arguments: &[&str], input: &[u8]) -> String {
    let words: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    let output = any_git(directory, &words, input);
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs git, whatever comes of it.
pub(crate) fn try_git(directory: &Path, arguments: &[&str]) -> bool {
    let words: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    any_git(directory, &words, &[]).status.success()
}

/// Runs git with words that need not be texts. Stores are bare of everything that nobody needs, and no repository is looked
/// for above the temporary directory that all tests work in.
pub(crate) fn any_git(directory: &Path, arguments: &[&OsStr], input: &[u8]) -> Output {
    let mut child = Command::new("git")
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TEMPLATE_DIR", "")
        .env("GIT_CEILING_DIRECTORIES", std::env::temp_dir())
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"])
        .args(["-c", "advice.addEmbeddedRepo=false", "-c", "maintenance.auto=false"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git runs");
    // Whoever reads nothing closes it early.
    let _ = child.stdin.take().expect("it was asked for").write_all(input);
    child.wait_with_output().expect("git ends")
}

pub(crate) fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// Everything below a path that is no directory, with its content, mode and length.
pub(crate) fn contents(path: &Path, below: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, u32, u64)>) {
    let Ok(metadata) = fs::symlink_metadata(path) else { return };
    if metadata.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            let entry = entry.unwrap();
            contents(&entry.path(), &below.join(entry.file_name()), found);
        }
        return;
    }
    let content = match fs::read_link(path) {
        Ok(target) => target.into_os_string().into_encoded_bytes(),
        Err(_) => fs::read(path).unwrap(),
    };
    let mode = if metadata.is_symlink() { 0 } else { metadata.permissions().mode() & 0o100 };
    found.insert(below.to_owned(), (content, mode, metadata.len()));
}

/// Makes a directory a copy of another one, with everything as it is.
pub(crate) fn copied(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}
