//! Commands of git that throw work away, judged by what the work tree really has, and not by that where somebody could
//! have changed it or where git works elsewhere.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a project that cannot be made must fail the test")]

use std::{fs, path::Path, process::Command};

use signoff_analysis::assess;
use signoff_facts::{LocalFacts, whereabouts};
use signoff_model::{Assessment, Dialect, Listing, Operation, Risk, ShellCommand};
use tempfile::TempDir;

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .current_dir(root)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"])
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

/// A repository in which everything is committed; another branch has one file more.
fn project() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    git(root, &["init", "-q", "-b", "main"]);
    for path in ["src/a.rs", "src/b.rs", "docs/x.md", "Makefile"] {
        write(root, path, "x");
    }
    write(root, ".gitignore", "target/\n.env\n");
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "one"]);
    git(root, &["commit", "-qm", "two", "--allow-empty"]);
    git(root, &["checkout", "-qb", "other"]);
    write(root, "added", "x");
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "three"]);
    git(root, &["checkout", "-q", "main"]);
    directory
}

fn assessed(root: &Path, command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    assess(&operation, &whereabouts(root).unwrap(), &LocalFacts::default())
}

/// The risk, the gravest rule, and what is at stake below the root.
fn judged(root: &Path, command: &str) -> (Risk, String, Vec<String>) {
    let assessment = assessed(root, command);
    let rule = assessment.reasons.first().map(|reason| reason.rule.as_str().to_owned()).unwrap_or_default();
    let root = root.canonicalize().unwrap();
    let below = |path: &String| Path::new(path).strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    (assessment.effective_risk(), rule, assessment.at_stake.iter().map(below).collect())
}

fn check(root: &Path, rows: &[(&str, Risk, &str, &[&str])]) {
    for (command, risk, rule, at_stake) in rows {
        let found = judged(root, command);
        let expected = (*risk, (*rule).to_owned(), at_stake.iter().map(|path| (*path).to_owned()).collect());
        assert_eq!(found, expected, "{command}");
        if *risk <= Risk::Low {
            assert!(
                assessed(root, command).safer.is_empty(),
                "{command}: there is nothing safer than what is harmless"
            );
        }
    }
}

#[test]
fn where_nothing_has_changed_nothing_is_lost() {
    let project = project();
    let root = project.path();
    check(
        root,
        &[
            ("git reset --hard", Risk::Low, "", &[]),
            ("git reset --hard HEAD", Risk::Low, "", &[]),
            ("git reset -q --hard @", Risk::Low, "", &[]),
            ("git -C . reset --hard", Risk::Low, "", &[]),
            ("cd src && git reset --hard", Risk::Low, "", &[]),
            ("git -C src --no-pager checkout -- .", Risk::Low, "", &[]),
            ("git status && git reset --hard", Risk::Low, "", &[]),
            ("git reset --hard > /dev/null 2>&1", Risk::Low, "", &[]),
            ("git reset --hard 2>/dev/null; echo done", Risk::Low, "", &[]),
            ("bash -c 'cd src && git reset --hard'", Risk::Low, "", &[]),
            ("timeout 5 git reset --hard", Risk::Low, "", &[]),
            ("/usr/bin/git reset --hard", Risk::Low, "", &[]),
            ("cd src && cd - && git reset --hard", Risk::Low, "", &[]),
            ("git status --short; git diff --stat; git reset --hard", Risk::Low, "", &[]),
            ("git reset --hard HEAD~1", Risk::Low, "rewrite-local", &[]),
            ("git reset --hard other", Risk::Low, "rewrite-local", &[]),
            ("git checkout -- .", Risk::Low, "", &[]),
            ("git checkout .", Risk::Low, "", &[]),
            ("git checkout -- src/a.rs Makefile", Risk::Low, "", &[]),
            ("git checkout -- 'src/*.rs'", Risk::Low, "", &[]),
            ("git checkout HEAD -- src", Risk::Low, "", &[]),
            ("git checkout other -- src docs", Risk::Low, "", &[]),
            ("git checkout other src", Risk::Low, "", &[]),
            ("git restore .", Risk::Low, "", &[]),
            ("git restore --source=HEAD~1 src/a.rs", Risk::Low, "", &[]),
            ("git restore -SW .", Risk::Low, "", &[]),
            ("git checkout -f other", Risk::Low, "", &[]),
            ("git checkout -f", Risk::Low, "", &[]),
            ("git switch -f other", Risk::Low, "", &[]),
            ("git switch --discard-changes -c new", Risk::Low, "", &[]),
            ("git clean -fd", Risk::Low, "", &[]),
            ("git clean -fdx", Risk::Low, "", &[]),
            ("git rm -rf src", Risk::Low, "remove-from-git", &[]),
        ],
    );
    // What was deleted comes back.
    fs::remove_file(root.join("src/a.rs")).unwrap();
    fs::remove_dir_all(root.join("docs")).unwrap();
    check(root, &[("git reset --hard", Risk::Low, "", &[]), ("git restore .", Risk::Low, "", &[])]);
}

#[test]
fn what_has_changed_is_at_stake() {
    let project = project();
    let root = project.path();
    write(root, "src/a.rs", "changed");
    write(root, "staged", "x");
    write(root, "docs/x.md", "staged");
    git(root, &["add", "staged", "docs"]);
    write(root, "added", "in the way of the other branch");
    check(
        root,
        &[
            ("git reset --hard", Risk::High, "discard-changes", &["docs/x.md", "src/a.rs", "staged"]),
            ("git reset --hard other", Risk::High, "discard-changes", &["added", "docs/x.md", "src/a.rs", "staged"]),
            ("git reset --hard HEAD~1", Risk::High, "discard-changes", &["docs/x.md", "src/a.rs", "staged"]),
            ("git checkout -f other", Risk::High, "discard-changes", &["added", "docs/x.md", "src/a.rs", "staged"]),
            ("git checkout -f", Risk::High, "discard-changes", &["docs/x.md", "src/a.rs", "staged"]),
            ("git checkout -- .", Risk::High, "discard-changes", &["src/a.rs"]),
            ("git restore .", Risk::High, "discard-changes", &["src/a.rs"]),
            ("git restore src/a.rs", Risk::Medium, "discard-file", &["src/a.rs"]),
            ("git checkout -- src/a.rs src/b.rs", Risk::Medium, "discard-file", &["src/a.rs"]),
            ("git checkout -- docs src/b.rs", Risk::Low, "", &[]),
            ("git checkout HEAD -- docs", Risk::High, "discard-changes", &["docs/x.md"]),
            ("git checkout other -- added", Risk::Medium, "discard-file", &["added"]),
            ("git restore -SW docs/x.md", Risk::Medium, "discard-file", &["docs/x.md"]),
            ("git rm -rf src", Risk::High, "remove-tracked", &["src/a.rs"]),
            ("git rm -rf Makefile", Risk::Low, "remove-from-git", &[]),
            // A pattern that may match what has changed.
            ("git checkout -- 'src/*.rs'", Risk::Medium, "discard-file", &[]),
            ("git checkout -- 'docs/*.rs'", Risk::Low, "", &[]),
        ],
    );
    let assessment = assessed(root, "git reset --hard");
    assert_eq!(assessment.listing, Listing::Whole);
    assert_eq!(assessment.safer[0].command, "git stash");
    // A staged version that nobody sees cannot be copied before it goes.
    write(root, "staged", "changed since");
    assert_ne!(assessed(root, "git reset --hard").listing, Listing::Whole);
    assert_eq!(assessed(root, "git restore .").listing, Listing::Whole);

    // Every file is shown as lost, what is staged as well.
    let facts = LocalFacts::default();
    let operation = Operation::Shell(ShellCommand { command: "git reset --hard".into(), dialect: Dialect::Bash });
    let here = whereabouts(root).unwrap();
    let preview = facts.preview(&assess(&operation, &here, &facts), &here, &mut |_| {}).unwrap();
    assert_eq!((preview.stock().lost.files, preview.stock().git.files), (3, 0), "{preview:?}");
}

#[test]
fn what_is_cleaned_is_what_decides() {
    let project = project();
    let root = project.path();
    write(root, "target/debug/o", "x");
    check(
        root,
        &[
            ("git clean -f", Risk::Low, "", &[]),
            ("git clean -fd", Risk::Low, "", &[]),
            ("git clean -fdX", Risk::Low, "delete-rebuilt", &["target"]),
            ("git clean -fdx", Risk::Low, "delete-rebuilt", &["target"]),
        ],
    );
    write(root, ".env", "SECRET=1");
    write(root, "notes.txt", "x");
    write(root, "new/deep/f", "x");
    check(
        root,
        &[
            ("git clean -f", Risk::High, "clean-untracked", &["notes.txt"]),
            ("git clean -f src", Risk::Low, "", &[]),
            ("git clean -fd", Risk::High, "clean-untracked", &["new", "notes.txt"]),
            ("git clean -fd -- new", Risk::High, "clean-untracked", &["new"]),
            ("git clean -fdX", Risk::High, "clean-untracked", &[".env", "target"]),
            ("git clean -fx", Risk::High, "clean-untracked", &[".env", "notes.txt"]),
            ("git clean -fd ':!new'", Risk::High, "clean-untracked", &[]),
            ("git clean -fd -e notes.txt", Risk::High, "clean-untracked", &[]),
            ("git clean -fd", Risk::High, "clean-untracked", &["new", "notes.txt"]),
            ("cd src && git clean -fdx", Risk::Low, "", &[]),
        ],
    );
    assert_eq!(assessed(root, "git clean -fd").listing, Listing::Whole);
}

/// A clean work tree says nothing where the text changes it before, or where git works elsewhere.
#[test]
fn what_cannot_be_told_is_judged_by_the_text() {
    let project = project();
    let root = project.path();
    git(root, &["worktree", "add", "-q", "-b", "side", "tree"]);
    for command in [
        "echo x >> src/a.rs; git reset --hard",
        "echo x >> src/a.rs && git checkout -- .",
        "./change; git reset --hard",
        "make && git checkout -- src",
        "git pull; git reset --hard",
        "git stash pop; git reset --hard",
        "git diff --output=src/a.rs; git reset --hard",
        "GIT_EXTERNAL_DIFF=./x git diff; git reset --hard",
        "git reset --hard & git stash pop; git reset --hard",
        "./change | git reset --hard",
        "for i in 1 2; do git reset --hard; ./change; done",
        "GIT_DIR=../other/.git git reset --hard",
        "GIT_WORK_TREE=.. git reset --hard",
        "GIT_INDEX_FILE=x git checkout -- .",
        "export GIT_DIR=/x; git reset --hard",
        "env GIT_DIR=../other/.git git reset --hard",
        "git --git-dir=../other/.git reset --hard",
        "git --work-tree=.. checkout -- .",
        "git --git-dir ../other/.git --work-tree . reset --hard",
        "git -c core.worktree=.. reset --hard",
        "git -c submodule.recurse=true reset --hard",
        "git -C /srv/other reset --hard",
        "git -C $D reset --hard",
        "git -C \"$D\" reset --hard",
        "cd \"$D\" && git reset --hard",
        "cd /srv/other; git reset --hard",
        "HOME=/x git reset --hard",
        "PATH=.:$PATH git reset --hard",
        "git reset --hard --recurse-submodules",
        "git checkout -f --recurse-submodules other",
        "git reset --hard $X",
        "git reset --hard no-such-branch",
        "git reset --hard @{u}",
        "git reset --hard abc1234",
        "git reset --merge",
        "git reset --hard HEAD~99",
        "git checkout -f --orphan new",
        "git checkout -p",
        "git checkout -- ':(exclude)x'",
        "git checkout -- ':/'",
        "git checkout --pathspec-from-file=list",
        "git checkout -- $FILES",
        "git restore --source=origin/x .",
        "ssh host 'git reset --hard'",
        "ssh host git -C /srv/app reset --hard",
        "./git reset --hard",
        "cd */ && git reset --hard",
        "cd - && git reset --hard",
        "pushd $D && git reset --hard",
        "env -C /srv git reset --hard",
        "sudo -D /srv git reset --hard",
        "sudo -i git reset --hard",
        "su - bob -c 'git reset --hard'",
        "chroot /mnt git reset --hard",
        "find . -name x -execdir git reset --hard \\;",
        "git submodule foreach 'git reset --hard'",
        "git submodule foreach git reset --hard",
        "git rebase --exec 'git reset --hard' main",
        "git bisect run git reset --hard",
        "tmux new -d -c /srv 'git reset --hard'",
        "watch git reset --hard",
        "npm --prefix x exec -- git reset --hard",
        "echo 'git reset --hard' | at now + 1 hour",
        "trap 'git reset --hard' EXIT; ./change",
        "trap 'git reset --hard' USR1; sleep 1000",
        "nohup git reset --hard &",
        "parallel 'cd {} && git reset --hard' ::: a b",
        "for d in */; do git -C $d reset --hard; done",
        "ls | while read d; do (cd $d && git reset --hard); done",
        "python3 -c \"import os; os.chdir('/srv'); os.system('git reset --hard')\"",
        "python3 -c \"import subprocess; subprocess.run(['git','reset','--hard'], cwd='/srv')\"",
        "docker exec c git reset --hard",
        "f() { git reset --hard; }; ./change; f",
        "coproc ./change; git reset --hard",
        "./change & sleep 1; git reset --hard",
        "find . -name x -exec git checkout -- {} +",
        "echo src | xargs git checkout --",
        "hub reset --hard",
        "bash ./change && git reset --hard",
        "$(./change); git reset --hard",
        "git reset --hard $(./change)",
        "cat <(./change); git reset --hard",
        "trap './change' DEBUG; git reset --hard",
        "mkdir x && mount --bind /srv/other x && git -C x reset --hard",
        "git worktree add ../wt && git reset --hard",
    ] {
        let (risk, rule, at_stake) = judged(root, command);
        assert!(risk >= Risk::Medium && at_stake.is_empty(), "{command}: {risk:?} {rule} {at_stake:?}");
    }
    // A work tree of its own has an index of its own.
    assert_eq!(judged(root, "git -C tree reset --hard").0, Risk::Low);
    write(root, "tree/src/a.rs", "changed");
    assert_eq!(judged(root, "git reset --hard").0, Risk::Low);
    let tree = judged(root, "cd tree && git reset --hard");
    assert_eq!((tree.0, tree.2), (Risk::High, vec!["tree/src/a.rs".to_owned()]));
}

/// Settings of the repository that make git see another work tree, or go further than it usually does.
#[test]
fn settings_that_lead_elsewhere_make_things_unknown() {
    let change = |command: &[&str]| {
        let project = project();
        git(project.path(), command);
        judged(project.path(), "git reset --hard")
    };
    let elsewhere = tempfile::tempdir().unwrap();
    for command in [
        &["config", "core.worktree", elsewhere.path().to_str().unwrap()][..],
        &["update-index", "--split-index"],
        &["replace", "HEAD", "HEAD~1"],
    ] {
        assert_eq!(change(command).0, Risk::High, "{command:?}");
    }
    // Extensions that only make git faster change nothing.
    for command in [&["update-index", "--untracked-cache"][..], &["config", "core.fsmonitor", "true"], &["gc", "-q"]] {
        assert_eq!(change(command).0, Risk::Low, "{command:?}");
    }

    let (project, part) = (project(), project());
    let root = project.path();
    git(root, &["submodule", "add", "-q", part.path().to_str().unwrap(), "part"]);
    git(root, &["commit", "-qm", "part"]);
    write(root, "part/src/a.rs", "changed");
    assert_eq!(judged(root, "git reset --hard").0, Risk::Low, "it is left alone");
    assert_eq!(judged(root, "git reset --hard --recurse-submodules").0, Risk::High);
    git(root, &["config", "submodule.recurse", "true"]);
    assert_eq!(judged(root, "git reset --hard").0, Risk::High);
}

#[test]
fn a_conflict_is_work_too() {
    let project = project();
    let root = project.path();
    write(root, "src/a.rs", "ours");
    git(root, &["commit", "-qam", "ours"]);
    git(root, &["checkout", "-q", "other"]);
    write(root, "src/a.rs", "theirs");
    git(root, &["commit", "-qam", "theirs"]);
    let merged = Command::new("git").current_dir(root).args(["merge", "-q", "main"]).output().unwrap();
    assert!(!merged.status.success());
    let (risk, _, at_stake) = judged(root, "git reset --hard");
    assert_eq!((risk, at_stake.contains(&"src/a.rs".to_owned())), (Risk::High, true));
    assert_eq!(judged(root, "git checkout -- src").0, Risk::High);
}

/// `git read-tree` and `git checkout-index` throw away as much as their better known kin, and nothing where nothing differs.
#[test]
fn plumbing_is_judged_by_what_differs() {
    let project = project();
    let root = project.path();
    check(
        root,
        &[
            ("git checkout-index -f -a", Risk::Low, "", &[]),
            ("git checkout-index -fu src/a.rs", Risk::Low, "", &[]),
            ("git read-tree --reset -u HEAD", Risk::Low, "", &[]),
            ("git read-tree -m -u other", Risk::None, "", &[]),
        ],
    );
    write(root, "src/a.rs", "changed");
    write(root, "docs/x.md", "staged");
    git(root, &["add", "docs"]);
    check(
        root,
        &[
            ("git checkout-index -f -a", Risk::High, "discard-changes", &["src/a.rs"]),
            ("git checkout-index -f src/a.rs", Risk::High, "discard-changes", &["src/a.rs"]),
            ("git checkout-index -f src/b.rs", Risk::Low, "", &[]),
            ("git read-tree -u --reset HEAD", Risk::High, "discard-changes", &["docs/x.md", "src/a.rs"]),
            // What has only changed stays; what is staged goes.
            ("git read-tree -mu HEAD", Risk::High, "discard-changes", &["docs/x.md"]),
            ("touch z && git read-tree -m -u HEAD", Risk::High, "discard-changes", &["docs/x.md"]),
            ("git read-tree -m HEAD", Risk::None, "", &[]),
        ],
    );
    // Git itself is asked.
    git(root, &["read-tree", "-m", "-u", "HEAD"]);
    assert_eq!(fs::read_to_string(root.join("docs/x.md")).unwrap(), "x");
    assert_eq!(fs::read_to_string(root.join("src/a.rs")).unwrap(), "changed");
    git(root, &["checkout-index", "-f", "-a"]);
    assert_eq!(fs::read_to_string(root.join("src/a.rs")).unwrap(), "x");
}

/// A version that was staged and stands nowhere else is on the card, and no list of files holds it.
#[test]
fn a_staged_version_that_nobody_sees_is_told() {
    let project = project();
    let root = project.path();
    write(root, "docs/x.md", "staged");
    git(root, &["add", "docs"]);
    write(root, "docs/x.md", "changed since");
    for (command, told) in
        [("git reset --hard", true), ("git checkout HEAD -- docs", true), ("git restore docs", false)]
    {
        let found = assessed(root, command);
        let staged = found.reasons.iter().find(|reason| reason.rule.as_str() == "discard-staged");
        assert_eq!(staged.map(|reason| reason.subject.to_string()), told.then(|| "docs/x.md".to_owned()), "{command}");
    }
}

/// What the other branch has and git ignores here, git replaces without a word.
#[test]
fn what_is_ignored_and_comes_from_another_commit_is_at_stake() {
    let project = project();
    let root = project.path();
    git(root, &["checkout", "-q", "-b", "keeps"]);
    write(root, ".env", "KEY=theirs");
    write(root, "conf/local.ini", "theirs");
    write(root, "target/o", "theirs");
    git(root, &["add", "-f", "."]);
    git(root, &["commit", "-qm", "with secrets"]);
    git(root, &["checkout", "-q", "main"]);
    write(root, ".gitignore", "target/\n.env\nconf/\n");
    git(root, &["commit", "-qam", "more is ignored"]);
    let all = [
        "git checkout keeps",
        "git switch keeps",
        "git switch -c new keeps",
        "git checkout -b new keeps",
        "git checkout --detach keeps",
        "git merge keeps",
        "git rebase keeps",
        "git rebase --onto keeps HEAD~1",
        "git cherry-pick keeps",
        "git cherry-pick main..keeps",
        "git reset --keep keeps",
        "git checkout -",
        "git switch -",
        "touch z && git checkout keeps",
    ];
    for command in all {
        assert!(assessed(root, command).effective_risk() <= Risk::Low, "{command} meets nothing");
    }
    write(root, "conf/local.ini", "mine");
    write(root, "target/o", "made");
    for command in all {
        let (risk, rule, staked) = judged(root, command);
        assert_eq!(
            (risk, rule.as_str(), &staked[..]),
            (Risk::Medium, "overwrite-lost", &["conf/local.ini".to_owned()][..]),
            "{command}"
        );
    }
    let (risk, _, staked) = judged(root, "git reset --hard keeps");
    assert_eq!((risk, &staked[..]), (Risk::High, &["conf/local.ini".to_owned(), "target/o".to_owned()][..]));
    for command in [
        "git checkout --no-overwrite-ignore keeps",
        "git revert HEAD",
        "git cherry-pick HEAD",
        "git merge HEAD~1",
        "git checkout other",
        "git pull",
        "git rebase --continue",
        "git checkout nothing",
    ] {
        assert!(assessed(root, command).effective_risk() <= Risk::Low, "{command}");
    }
    write(root, ".env", "KEY=mine");
    assert_eq!(judged(root, "git checkout keeps").0, Risk::High, "a secret is more");
    // What has been fetched is known to come.
    git(root, &["update-ref", "refs/remotes/origin/main", "keeps"]);
    git(root, &["update-ref", "refs/remotes/origin/away", "keeps"]);
    git(root, &["config", "branch.main.remote", "origin"]);
    git(root, &["config", "branch.main.merge", "refs/heads/main"]);
    for command in
        ["git pull", "git pull origin main", "git pull --rebase", "git merge", "git rebase", "git checkout away"]
    {
        assert_eq!(judged(root, command).2, [".env", "conf/local.ini"], "{command}");
    }
    // The truth: nothing is said, and it is gone.
    git(root, &["checkout", "-q", "keeps"]);
    assert_eq!(fs::read_to_string(root.join("conf/local.ini")).unwrap(), "theirs");
}

/// Git refuses to remove a work tree with something new in it, and takes away what it ignores.
#[test]
fn what_is_ignored_goes_with_its_work_tree() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    git(root, &["init", "-q", "-b", "main"]);
    write(root, ".gitignore", "target/\n.env\ntree/\n");
    write(root, "Cargo.toml", "x");
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "x"]);
    git(root, &["worktree", "add", "-q", "tree"]);
    let tree = &root.join("tree");
    write(tree, "target/o", "made");
    let risk = || assessed(root, "git worktree remove tree").effective_risk();
    assert!(risk() <= Risk::Low, "{:?}", assessed(root, "git worktree remove tree").reasons);
    write(tree, ".env", "KEY=1");
    let found = assessed(root, "git worktree remove tree");
    assert_eq!((risk(), found.at_stake.len()), (Risk::High, 1), "{found:?}");
    assert!(found.at_stake[0].ends_with("tree/.env"));
    git(root, &["worktree", "remove", "tree"]);
    assert!(!tree.exists());
}

/// With force, what stands at the other place is replaced.
#[test]
fn what_is_put_elsewhere_replaces_what_stands_there() {
    let project = project();
    let root = project.path();
    let command = "git checkout-index --prefix=dist/ -f -a";
    assert!(assessed(root, command).effective_risk() <= Risk::Low);
    write(root, "dist/src/a.rs", "mine");
    assert_eq!(assessed(root, command).effective_risk(), Risk::High);
    git(root, &["checkout-index", "--prefix=dist/", "-f", "-a"]);
    assert_eq!(fs::read_to_string(root.join("dist/src/a.rs")).unwrap(), "x");
}

/// Git leaves alone what it was told to look away from, and so nobody is asked about it.
#[test]
fn what_git_was_told_to_leave_out_stays() {
    let project = project();
    let root = project.path();
    git(root, &["update-index", "--skip-worktree", "src/a.rs"]);
    write(root, "src/a.rs", "mine");
    check(root, &[("git reset --hard", Risk::Low, "", &[]), ("git checkout -f", Risk::Low, "", &[])]);
    git(root, &["reset", "--hard"]);
    assert_eq!(fs::read_to_string(root.join("src/a.rs")).unwrap(), "mine");
}
