//! Files that are written anew, edited or cut into pieces, and directories that are called like something a build makes, judged by
//! who could bring them back.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a project that cannot be made must fail the test")]

use std::{fs, path::Path, process::Command};

use signoff_analysis::assess;
use signoff_facts::{LocalFacts, whereabouts};
use signoff_model::{Assessment, Dialect, Operation, Risk, ShellCommand};

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .current_dir(root)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn write(root: &Path, path: &str, content: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn assessed(root: &Path, command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    assess(&operation, &whereabouts(root).unwrap(), &LocalFacts::default())
}

/// What is written anew, edited or cut into pieces over a file that nobody has.
#[test]
fn files_that_are_replaced_in_other_ways_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    git(root, &["init", "-q", "-b", "main"]);
    for path in ["tracked.txt", "big.txt", "data.log"] {
        write(root, path, "one\ntwo\n");
    }
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "x"]);
    for path in ["data.log.gz", "xaa", "part-ab", "xx00", "notes.txt", "old.txt.gz", "old.txt"] {
        write(root, path, "mine\n");
    }
    for (command, staked) in [
        ("gzip -f data.log", "data.log.gz"),
        ("gzip -kf data.log", "data.log.gz"),
        ("gunzip -f old.txt.gz", "old.txt"),
        ("split -l 1 big.txt", "xaa"),
        ("split -l 1 big.txt part-", "part-ab"),
        ("csplit big.txt 1", "xx00"),
        ("sed -i s/a/b/ notes.txt", "notes.txt"),
        ("perl -pi -e s/a/b/ notes.txt", "notes.txt"),
        ("cat big.txt > notes.txt", "notes.txt"),
    ] {
        let found = assessed(root, command);
        assert!(found.effective_risk() >= Risk::Medium, "{command}: {:?}", found.reasons);
        assert!(found.at_stake.iter().any(|path| path.ends_with(&format!("/{staked}"))), "{command}: {found:?}");
    }
    for command in [
        "gzip data.log",
        "gzip -f tracked.txt",
        "split -l 1 big.txt fresh-",
        "csplit -f fresh big.txt 1",
        "sed -i s/a/b/ tracked.txt",
        "sed -i.bak s/a/b/ notes.txt",
        "sed --in-place=.bak s/a/b/ notes.txt",
        "sed s/a/b/ notes.txt",
        "echo x > new.txt && sed -i s/x/y/ new.txt",
    ] {
        let found = assessed(root, command);
        assert!(found.effective_risk() <= Risk::Low, "{command}: {:?}", found.reasons);
    }
    // Another name of the same file changes with it.
    assert!(assessed(root, "echo x > tracked.txt").effective_risk() <= Risk::Low);
    fs::hard_link(root.join("tracked.txt"), root.join("linked.txt")).unwrap();
    let found = assessed(root, "echo x > tracked.txt");
    assert_eq!(found.reasons[0].rule.as_str(), "overwrite-linked", "{:?}", found.reasons);
}

/// A common name alone does not say that something is built: what builds it has to be there.
#[test]
fn what_has_the_name_of_a_build_comes_back_only_where_something_builds() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    git(root, &["init", "-q", "-b", "main"]);
    write(root, ".gitignore", "build/\ndist/\nnode_modules/\nsub/\n");
    write(root, "notes.md", "x");
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "x"]);
    for path in ["build/thesis.doc", "dist/a", "node_modules/x/y", "sub/build/a"] {
        write(root, path, "mine");
    }
    let risk = |command: &str| assessed(root, command).effective_risk();
    for command in ["rm -rf build", "rm -rf dist", "git clean -fdX build", "rm -rf sub/build"] {
        assert!(risk(command) >= Risk::Medium, "{command}");
    }
    assert!(risk("rm -rf node_modules") <= Risk::Low);
    write(root, "sub/package.json", "{}");
    assert!(risk("rm -rf sub/build") <= Risk::Low && risk("rm -rf build") >= Risk::Medium);
    write(root, "Makefile", "all:");
    for command in ["rm -rf build", "rm -rf dist", "git clean -fdX build", "rm -rf build/*"] {
        assert!(risk(command) <= Risk::Low, "{command}: {:?}", assessed(root, command).reasons);
    }
}

/// A long index is read, too: what git has is known in a large repository.
#[test]
fn a_large_repository_is_no_reason_to_be_silent() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    git(root, &["init", "-q", "-b", "main"]);
    write(root, "tracked.txt", "x");
    git(root, &["add", "."]);
    let blob = "d670460b4b4aece5915caf5c68d12f560a9fe3e4";
    let rows: String = (0..40_000).map(|at| format!("100644 {blob}\tlarge/directory/file-{at:08}.txt\n")).collect();
    let list = root.join("rows");
    fs::write(&list, rows).unwrap();
    let fed = Command::new("git")
        .current_dir(root)
        .args(["update-index", "--add", "--index-info"])
        .stdin(fs::File::open(&list).unwrap())
        .status()
        .unwrap();
    assert!(fed.success() && fs::metadata(root.join(".git/index")).unwrap().len() > 2 << 20);
    write(root, "notes.txt", "mine");
    assert_eq!(assessed(root, "echo x > notes.txt").effective_risk(), Risk::Medium);
    assert!(assessed(root, "echo x > tracked.txt").effective_risk() <= Risk::Low);
}
