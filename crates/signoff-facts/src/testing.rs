//! What several tests need: how many cases are generated (always the same in a usual run, others and more when somebody asks
//! for them), git itself, and everything that is in a tree.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use proptest::test_runner::{Config, RngSeed};

/// The usual number of cases, or as many as `PROPTEST_CASES` says.
pub(crate) fn generated(usual: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let rng_seed = if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) };
    Config { cases: wanted.unwrap_or(usual), rng_seed, failure_persistence: None, ..Config::default() }
}

/// Runs git with no settings but those of the repository.
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
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
