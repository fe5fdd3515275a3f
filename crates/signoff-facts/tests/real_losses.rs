//! Deletes judged by what is really there: what git restores, what a build makes again, what is lost, and what nobody may
//! conclude from the file system because the text has changed it before.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a project that cannot be made must fail the test")]

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use signoff_analysis::assess;
use signoff_facts::{LocalFacts, whereabouts};
use signoff_model::{Dialect, FileAction, FileOperation, Listing, Operation, Prohibition, Risk, ShellCommand};
use tempfile::TempDir;

/// A repository with sources, build output, notes that nobody else has, and a cache.
fn project() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let write = |path: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    };
    ["src/a.rs", "src/b.rs", "docs/x.md", "changed/f", "vendored/target/f", "Cargo.toml"].into_iter().for_each(write);
    fs::write(root.join(".gitignore"), "target/\ntmp_cache/\n.env\n").unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .current_dir(root)
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(arguments)
            .status();
        assert!(done.unwrap().success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-f", "."]);
    git(&["commit", "-qm", "x"]);
    fs::write(root.join("changed/f"), "y").unwrap();
    ["target/debug/o", "tmp_cache/1", "tmp_cache/2", "tmp_backup/1", "notes.txt", ".env", "build/o", "new/src.rs"]
        .into_iter()
        .for_each(write);
    fs::write(root.join("tmp_backup/1"), "kept").unwrap();
    fs::create_dir(root.join("empty")).unwrap();
    symlink("src", root.join("link")).unwrap();
    directory
}

fn judged(root: &Path, command: &str) -> (Risk, Vec<String>) {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    let assessment = assess(&operation, &whereabouts(root).unwrap(), &LocalFacts::default());
    let rules = assessment.reasons.iter().map(|reason| reason.rule.as_str().to_owned()).collect();
    (assessment.effective_risk(), rules)
}

#[test]
fn what_would_be_lost_decides() {
    let project = project();
    for (command, risk, rule) in [
        ("rm -rf src", Risk::Medium, "delete-tracked"),
        ("rm src/a.rs", Risk::Medium, "delete-tracked"),
        ("rm src/*.rs", Risk::Medium, "delete-tracked"),
        ("rm -rf docs src", Risk::Medium, "delete-tracked"),
        ("cd src && rm -rf *", Risk::Medium, "delete-tracked"),
        ("ls; cat notes.txt; rm -rf src", Risk::Medium, "delete-tracked"),
        ("rm -rf changed", Risk::High, "delete-tree"),
        ("rm notes.txt", Risk::High, "delete-lost"),
        ("rm -rf tmp_*", Risk::High, "wildcard-delete"),
        ("rm -rf tmp_c*", Risk::Low, "delete-rebuilt"),
        ("rm -rf tmp_cache", Risk::Low, "delete-rebuilt"),
        ("rm -rf target", Risk::Low, "delete-rebuilt"),
        ("rm -rf build", Risk::Medium, "delete-unignored"),
        ("rm -rf vendored/target", Risk::Low, "delete-rebuilt"),
        ("rm -rf new", Risk::High, "delete-tree"),
        ("rm .env", Risk::High, "delete-settings"),
        ("rm -rf .git src", Risk::Critical, "delete-repository"),
    ] {
        let (found, rules) = judged(project.path(), command);
        assert_eq!((found, rules.iter().any(|id| id == rule)), (risk, true), "{command}: {rules:?}");
    }
}

/// More than can be looked through in passing has no more than its name; that alone does not make it build output.
#[test]
fn what_is_too_much_to_count_is_no_build_output_by_its_name() {
    let project = project();
    for directory in ["build", "out", "target", "node_modules"] {
        let directory = project.path().join(directory).join("many");
        fs::create_dir_all(&directory).unwrap();
        for at in 0..2_100 {
            fs::write(directory.join(format!("{at}")), "x").unwrap();
        }
    }
    for (command, risk) in [
        ("rm -rf build", Risk::Medium),
        ("rm -rf out", Risk::Medium),
        ("rm -rf out/*", Risk::Medium),
        ("rm -rf out/many/*", Risk::Medium),
        ("make; rm -rf ./out", Risk::Medium),
        ("rm -rf target out", Risk::Medium),
        ("rm -rf node_modules", Risk::Medium),
        ("python3 -c 'import shutil; shutil.rmtree(\"out\")'", Risk::Medium),
        ("rm -rf target", Risk::Low),
        ("rm -rf target/*", Risk::Low),
        ("rm -rf target/many/*", Risk::Low),
    ] {
        let (found, rules) = judged(project.path(), command);
        let expected = if risk == Risk::Medium { "delete-unignored" } else { "delete-rebuilt" };
        assert_eq!((found, rules.iter().any(|id| id == expected)), (risk, true), "{command}: {rules:?}");
    }
    let operation = Operation::File(FileOperation::parse(FileAction::Delete, "out").unwrap());
    let assessment = assess(&operation, &whereabouts(project.path()).unwrap(), &LocalFacts::default());
    assert_eq!(assessment.effective_risk(), Risk::Medium);
    fs::write(project.path().join(".gitignore"), "target/\ntmp_cache/\nout/\nnode_modules\n").unwrap();
    for command in ["rm -rf out", "rm -rf node_modules", "rm -rf out/*"] {
        let (risk, rules) = judged(project.path(), command);
        assert_eq!((risk, rules.as_slice()), (Risk::Low, ["delete-rebuilt".to_owned()].as_slice()), "{command}");
    }
}

#[test]
fn what_is_not_there_is_not_lost() {
    let project = project();
    for command in
        ["rm -rf nothing", "rm -rf nothing_*", "rm -f *.nothing", "rm -rf empty", "rm -rf none/*", "rm -rf src/none*"]
    {
        let (risk, rules) = judged(project.path(), command);
        assert!(risk <= Risk::Low && rules.is_empty(), "{command}: {rules:?}");
    }
}

/// Whatever runs before may have put something there.
#[test]
fn what_the_text_has_changed_before_is_judged_by_the_text() {
    let project = project();
    for command in [
        "mv src nothing; rm -rf nothing",
        "mv src nothing && rm -rf nothing",
        "git checkout -b x; rm -rf nothing",
        "./make_it; rm -rf data",
        "cp -r src nothing; rm -rf src",
        "cp notes.txt nothing; rm notes.txt; mv nothing data; rm -rf data",
        "ln -s src data; rm -rf data/*",
        "echo x > src/a.rs; rm -rf src",
        "for i in 1 2; do rm -rf data; mv src data; done",
        "while read x; do rm -rf data; mv src data; done",
        "python3 -c \"import os,shutil; os.rename('src','data'); shutil.rmtree('data')\"",
        "mv src data | rm -rf data",
        "f() { rm -rf data; }; mv src data; f",
        "trap 'rm -rf data' EXIT; mv src data",
        "eval 'mv src data'; rm -rf data",
        "bash -c 'mv src data'; rm -rf data",
        "$(mv src data); rm -rf data",
        "rm -rf $(mv src data; echo data)",
        "cat <(mv src data); rm -rf data",
        "exec 3> src/a.rs; rm -rf src",
        "git stash; rm -rf data",
        "cd /nowhere; cd -; mv src data; rm -rf data",
    ] {
        let (risk, rules) = judged(project.path(), command);
        assert!(risk >= Risk::Medium && !rules.contains(&"delete-tracked".to_owned()), "{command}: {risk:?} {rules:?}");
    }
}

#[test]
fn patterns_that_bash_may_take_otherwise_are_judged_by_the_text() {
    let project = project();
    for command in [
        "shopt -s dotglob; rm -rf n*",
        "shopt -s nullglob extglob; rm -rf !(src)",
        "set -f; rm -rf n*",
        "GLOBIGNORE=x; rm -rf *.nothing",
        "rm -rf $X*",
        "rm -rf .*",
        "zsh -c 'rm -rf *(.)'",
    ] {
        let (risk, rules) = judged(project.path(), command);
        assert!(risk >= Risk::High, "{command}: {risk:?} {rules:?}");
    }
}

#[test]
fn no_fact_lifts_what_is_absurd_or_reaches_further() {
    let project = project();
    let operation =
        |command: &str| Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    let here = whereabouts(project.path()).unwrap();
    for command in ["rm -rf /nowhere /", "rm -rf ~", "rm -rf nothing /"] {
        let assessment = assess(&operation(command), &here, &LocalFacts::default());
        assert_eq!(assessment.prohibition, Some(Prohibition::Absurd), "{command}");
    }
    // A link goes alone; what it leads to is another matter.
    assert_eq!(judged(project.path(), "rm link").0, Risk::High);
    assert!(judged(project.path(), "rm -rf link/*").0 >= Risk::Medium);
}

/// A link that is called like build output, and ignored like it, leads to something that is neither.
#[test]
fn what_a_link_leads_to_is_no_build_output() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("data"), "x").unwrap();
    symlink(elsewhere.path(), project.path().join("out")).unwrap();
    fs::create_dir(project.path().join("notes")).unwrap();
    fs::write(project.path().join("notes/kept"), "x").unwrap();
    symlink("notes", project.path().join("dist")).unwrap();
    fs::write(project.path().join(".gitignore"), "out\ndist\n").unwrap();
    for command in ["rm -rf dist/*", "rm dist/kept", "rm -rf out/*"] {
        let (risk, rules) = judged(project.path(), command);
        assert!(!rules.iter().any(|rule| rule == "delete-rebuilt"), "{command}: {risk:?} {rules:?}");
    }
}

#[test]
fn what_would_be_replaced_decides() {
    let project = project();
    for (command, risk, rule) in [
        ("echo x > notes.txt", Risk::Medium, Some("overwrite-lost")),
        ("cp src/a.rs notes.txt", Risk::Medium, Some("overwrite-lost")),
        ("cp src/a.rs new/src.rs", Risk::Medium, Some("overwrite-lost")),
        ("cat > changed/f < src/a.rs", Risk::Medium, Some("overwrite-lost")),
        ("echo x > src/a.rs", Risk::Low, Some("write-file")),
        ("echo x > docs/new.md", Risk::Low, None),
        ("echo x > target/debug/o", Risk::Low, None),
        ("echo x >> notes.txt", Risk::Low, None),
        (": > notes.txt", Risk::High, Some("empty-file")),
        ("mv src/a.rs notes.txt", Risk::Medium, Some("overwrite-lost")),
        ("mv docs/x.md tmp_backup/1", Risk::Medium, Some("overwrite-lost")),
        ("mv tmp_cache/1 tmp_backup", Risk::Medium, Some("overwrite-lost")),
        ("mv tmp_cache/1 tmp_backup/", Risk::Medium, Some("overwrite-lost")),
        ("mv -t tmp_backup tmp_cache/2 tmp_cache/1", Risk::Medium, Some("overwrite-lost")),
        ("mv tmp_cache/2 tmp_backup", Risk::Low, Some("move-file")),
        ("mv -n src/a.rs notes.txt", Risk::Low, Some("move-file")),
        ("mv -b src/a.rs notes.txt", Risk::Low, Some("move-file")),
        ("mv src/a.rs docs/x.md", Risk::Low, Some("move-file")),
        ("mv src/a.rs new/other.rs", Risk::Low, Some("move-file")),
        ("cp tmp_cache/1 tmp_backup", Risk::Medium, Some("overwrite-lost")),
        ("cp tmp_cache/1 tmp_cache/2 tmp_backup/", Risk::Medium, Some("overwrite-lost")),
        ("cp -n tmp_cache/1 tmp_backup/", Risk::Low, None),
        // What the text has made before is its own.
        ("echo a > notes2.txt; echo b > notes2.txt", Risk::Low, Some("write-file")),
    ] {
        let (found, rules) = judged(project.path(), command);
        assert!(found <= risk && (risk <= Risk::Low || found == risk), "{command}: {found:?} {rules:?}");
        assert_eq!(rules.first().map(String::as_str), rule, "{command}");
    }
}

#[test]
fn a_pattern_that_matches_what_is_lost_says_so_and_offers_the_rest() {
    let project = project();
    let operation = Operation::Shell(ShellCommand { command: "rm -rf ./tmp_*".into(), dialect: Dialect::Bash });
    let here = whereabouts(project.path()).unwrap();
    let assessment = assess(&operation, &here, &LocalFacts::default());
    assert_eq!(assessment.reasons[0].rule.as_str(), "wildcard-delete");
    assert_eq!(assessment.safer[0].command, "rm -rf ./tmp_cache");
    // The offer can be typed as it stands, wherever the text goes and whatever the things are called.
    fs::create_dir_all(project.path().join("deep/tmp_cache; ls")).unwrap();
    fs::write(project.path().join("deep/tmp_cache; ls/o"), "x").unwrap();
    fs::create_dir(project.path().join("deep/tmp_notes")).unwrap();
    fs::write(project.path().join("deep/tmp_notes/n"), "x").unwrap();
    fs::write(project.path().join("deep/.gitignore"), "tmp_cache*\n").unwrap();
    for (cwd, command, offered) in [
        ("deep", "rm -rf tmp_*", "rm -rf './tmp_cache; ls'"),
        (".", "cd deep && rm -rf tmp_*", "rm -rf './deep/tmp_cache; ls'"),
    ] {
        let operation = Operation::Shell(ShellCommand { command: command.into(), dialect: Dialect::Bash });
        let there = whereabouts(&project.path().join(cwd)).unwrap();
        let assessment = assess(&operation, &there, &LocalFacts::default());
        assert_eq!(assessment.safer.first().map(|safer| safer.command.as_str()), Some(offered), "{command}");
    }
    let (risk, _) = judged(project.path(), "rm -rf ./tmp_cache");
    assert!(risk < assessment.effective_risk());
    assert_eq!(assessment.listing, Listing::Whole);
    for command in
        ["rm -rf tmp_cache; find . -name '*.md' -delete", "rm -rf notes.txt $X", "rm notes.txt; mv src/a.rs /elsewhere"]
    {
        let operation = Operation::Shell(ShellCommand { command: command.into(), dialect: Dialect::Bash });
        assert_ne!(assess(&operation, &here, &LocalFacts::default()).listing, Listing::Whole, "{command}");
    }
}

/// In code the order of things is not followed: what would be lost is shown, and decides nothing.
#[test]
fn what_code_deletes_is_shown_and_judged_by_the_text() {
    let project = project();
    let here = whereabouts(project.path()).unwrap();
    let root = project.path().canonicalize().unwrap();
    for (command, stakes) in [
        ("python3 -c \"import shutil; shutil.rmtree('src')\"", &["src"][..]),
        ("python3 -c \"import os; os.remove('notes.txt')\"", &["notes.txt"]),
        ("python3 -c \"from pathlib import Path; Path('notes.txt').unlink()\"", &["notes.txt"]),
        ("node -e \"require('fs').rmSync('src', {recursive: true})\"", &["src"]),
        ("ruby -e \"require 'fileutils'; FileUtils.rm_rf('new')\"", &["new"]),
        ("perl -e \"unlink 'notes.txt'\"", &["notes.txt"]),
        ("php -r \"unlink('notes.txt');\"", &["notes.txt"]),
    ] {
        let operation = Operation::Shell(ShellCommand { command: command.into(), dialect: Dialect::Bash });
        let found = assess(&operation, &here, &LocalFacts::default());
        let by_text = assess(&operation, &here, &signoff_analysis::facts::NoFacts);
        assert_eq!((found.effective_risk(), &found.reasons), (by_text.effective_risk(), &by_text.reasons), "{command}");
        let expected: Vec<String> = stakes.iter().map(|path| root.join(path).to_str().unwrap().to_owned()).collect();
        assert_eq!(found.at_stake, expected, "{command}");
    }
}

/// What loses one of several names is still there under the others, and the preview says so; the verdict is as if it had
/// none, since the other name may be the next to go.
#[test]
fn what_has_another_name_stays_under_it() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for words in [&["git", "init", "-q"][..], &["mkdir", "-p", "d", "e", "o"]] {
        assert!(std::process::Command::new(words[0]).current_dir(&root).args(&words[1..]).status().unwrap().success());
    }
    for (first, second) in [("d/apart", "kept"), ("d/both", "e/both"), ("d/within", "d/again"), ("o/x", "o/y")] {
        std::fs::write(root.join(first), "four").unwrap();
        std::fs::hard_link(root.join(first), root.join(second)).unwrap();
    }
    std::fs::write(root.join("d/alone"), "four").unwrap();
    for (command, linked, lost) in [
        ("rm kept", 1, 0),
        ("rm d/apart kept", 0, 2),
        ("rm -rf d", 2, 3),
        ("rm -rf d e", 1, 5),
        ("rm -rf d kept e", 0, 7),
        ("rm d/within", 1, 0),
        ("rm o/x; rm o/y", 0, 2),
        ("rm o/*", 0, 2),
        // Something else happens to what is in it, or may happen.
        ("rm o/x; echo other > o/y", 0, 2),
        ("rm o/x \"$UNKNOWN\"", 0, 1),
        ("rm -P o/x", 0, 1),
        ("echo other > o/x", 0, 1),
        ("mv d/alone o/x", 0, 1),
    ] {
        let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
        let (here, facts) = (whereabouts(&root).unwrap(), LocalFacts::default());
        let assessment = assess(&operation, &here, &facts);
        assert!(assessment.effective_risk() >= Risk::Medium, "{command}: {:?}", assessment.reasons);
        let stock = facts.preview(&assessment, &here, &mut |_| {}).unwrap().stock();
        assert_eq!((stock.linked.files, stock.lost.files), (linked, lost), "{command}");
    }
}
