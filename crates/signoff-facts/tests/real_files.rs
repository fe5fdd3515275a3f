//! The analysis on a real directory: scripts are read, links are followed where the system follows them.
#![allow(clippy::unwrap_used, reason = "a directory that cannot be made must fail the test")]

use std::{fs, os::unix::fs::symlink, path::Path};

use signoff_analysis::{assess, facts::Whereabouts};
use signoff_facts::LocalFacts;
use signoff_model::{Assessment, Dialect, Operation, Prohibition, Risk, ShellCommand};

fn judge(project: &Path, command: &str) -> Assessment {
    let project = project.to_str().unwrap().to_owned();
    let whereabouts = Whereabouts { cwd: project.clone(), home: "/home/nobody-here".to_owned(), project };
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    assess(&operation, &whereabouts, &LocalFacts::default())
}

fn rules(assessment: &Assessment) -> Vec<&str> {
    assessment.reasons.iter().map(|reason| reason.rule.as_str()).collect()
}

/// A project outside the temporary directory's rules would need another place, so the paths are canonical and the
/// project is named explicitly: what lies in it counts as the project's.
fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src/notes"), "nobody else has this").unwrap();
    fs::write(root.join("wipe.sh"), "#!/bin/bash\nrm -rf src\n").unwrap();
    fs::write(root.join("hello.sh"), "echo hello\n").unwrap();
    fs::write(root.join("deploy.sh"), "echo nothing is deployed\n").unwrap();
    fs::write(root.join("wipe.py"), "import shutil\nshutil.rmtree('src')\n").unwrap();
    fs::write(root.join("padded.sh"), format!("{}\nrm -rf src\n", "# padding".repeat(60_000))).unwrap();
    fs::write(root.join("Makefile"), "DIR = src\nhello:\n\techo hello\nwipe: hello\n\trm -rf $(DIR)\n").unwrap();
    fs::write(root.join("package.json"), r#"{"scripts": {"hello": "echo hello", "wipe": "rm -rf src"}}"#).unwrap();
    fs::write(root.join("pls"), "#!/usr/bin/perl -w\nuse File::Path;\nrmtree('src');\n").unwrap();
    fs::write(root.join("ok"), "#!/usr/bin/env python3\nimport os\nprint(os.getcwd())\n").unwrap();
    fs::write(root.join("bad"), "#!/usr/bin/env -S python3 -u\nimport shutil\nshutil.rmtree('src')\n").unwrap();
    fs::write(root.join("shellish"), "rm -rf src\n").unwrap();
    fs::write(root.join("w.js"), "require('fs').rmSync('src', { recursive: true });\n").unwrap();
    fs::create_dir_all(root.join("package")).unwrap();
    fs::write(root.join("package/__main__.py"), "import shutil\nshutil.rmtree('src')\n").unwrap();
    symlink("/", root.join("root")).unwrap();
    symlink("/etc/passwd", root.join("accounts")).unwrap();
    directory
}

#[test]
fn scripts_are_judged_by_what_they_hold() {
    let directory = project();
    let root = directory.path();
    for harmless in ["bash hello.sh", "./hello.sh", "./deploy.sh", "make hello", "npm run hello", "source hello.sh"] {
        assert!(judge(root, harmless).risk <= Risk::Low, "{harmless}: {:?}", judge(root, harmless).reasons);
    }
    for harmful in
        ["bash wipe.sh", "./wipe.sh", "sh ./wipe.sh", "python3 wipe.py", "make wipe", "npm run wipe", ". ./wipe.sh"]
    {
        assert_eq!(rules(&judge(root, harmful)).first(), Some(&"delete-tree"), "{harmful}");
    }
}

#[test]
fn a_script_that_cannot_be_read_asks() {
    let directory = project();
    let root = directory.path();
    for unread in ["bash padded.sh", "bash missing.sh", "./padded.sh", "bash src"] {
        let assessment = judge(root, unread);
        assert!(assessment.risk >= Risk::Medium, "{unread}: {assessment:?}");
    }
}

#[test]
fn every_script_that_a_pattern_matches_is_read() {
    let directory = project();
    let root = directory.path();
    let harmless = r#"for f in hel*.sh; do bash "$f"; done"#;
    assert!(judge(root, harmless).risk <= Risk::Low, "{:?}", judge(root, harmless).reasons);
    for harmful in [r#"for f in *.py; do python3 "$f"; done"#, r#"for f in ./wip*.sh; do sh "$f"; done"#] {
        assert_eq!(rules(&judge(root, harmful)).first(), Some(&"delete-tree"), "{harmful}");
    }
    // What lies deeper than one directory is not looked for.
    let deeper = r#"for f in */*.sh; do sh "$f"; done"#;
    assert!(judge(root, deeper).risk >= Risk::Medium, "{:?}", judge(root, deeper));
}

#[test]
fn links_are_followed_where_the_system_follows_them() {
    let directory = project();
    let root = directory.path();
    for absurd in ["rm -rf root/", "rm -rf root/*", "cd root && rm -rf *", "rm -rf root/../etc", "echo x >> accounts"] {
        assert_eq!(judge(root, absurd).prohibition, Some(Prohibition::Absurd), "{absurd}");
    }
    // A link itself can go without what it points at.
    for link in ["rm root", "rm -f accounts", "mv accounts elsewhere", "unlink root"] {
        assert_eq!(judge(root, link).prohibition, None, "{link}: {:?}", judge(root, link).reasons);
    }
}

#[test]
fn a_script_is_read_in_the_language_of_its_first_line() {
    let directory = project();
    let root = directory.path();
    assert!(judge(root, "./ok").risk <= Risk::Low, "{:?}", judge(root, "./ok").reasons);
    for harmful in ["./pls", "./bad", "bash shellish", "./shellish", "python3 -m wipe", "python3 -m package", "node w"]
    {
        assert_eq!(rules(&judge(root, harmful)).first(), Some(&"delete-tree"), "{harmful}");
    }
}
