//! File operations and tool calls judged by what is really there: what git restores, what is lost, what is not there at
//! all, and what a link, a directory or an odd spelling makes of a path.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a project that cannot be made must fail the test")]

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use serde_json::{Value, json};
use signoff_analysis::assess;
use signoff_facts::{LocalFacts, whereabouts};
use signoff_model::{
    Assessment, Dialect, EffectKind, FileAction, FileOperation, Listing, Operation, Prohibition, Reversible, Risk,
    ShellCommand, ToolCall, ToolHints,
};
use tempfile::TempDir;

/// A repository with sources, settings, build output, and notes that nobody else has.
fn project() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let write = |path: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x\n").unwrap();
    };
    [
        "src/a.rs",
        "src/b.rs",
        "src/main.rs",
        "docs/x.md",
        "changed/f",
        "config/database.yml",
        "data/kept.db",
        "package.json",
    ]
    .into_iter()
    .for_each(write);
    fs::write(root.join(".gitignore"), "target/\n.env\n").unwrap();
    symlink("docs", root.join("tracked_link")).unwrap();
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
    fs::write(root.join("changed/f"), "y\n").unwrap();
    fs::write(root.join("package.json"), "{}\n").unwrap();
    ["target/debug/o", "notes.txt", ".env", "new/src.rs", "data/app.db", "inbox/notes.txt"].into_iter().for_each(write);
    fs::create_dir(root.join("empty")).unwrap();
    symlink("src", root.join("link")).unwrap();
    symlink("notes.txt", root.join("to_notes")).unwrap();
    symlink("nothing.txt", root.join("dangling")).unwrap();
    directory
}

fn assessed(root: &Path, operation: &Operation) -> Assessment {
    assess(operation, &whereabouts(root).unwrap(), &LocalFacts::default())
}

fn file(text: &str) -> Operation {
    let (action, path) = text.split_once(' ').unwrap();
    Operation::File(FileOperation::parse(FileAction::from_name(action).unwrap(), path).unwrap())
}

fn tool(name: &str, args: Value) -> Operation {
    Operation::Tool(ToolCall { name: name.to_owned(), args, hints: ToolHints::default() })
}

fn rules(assessment: &Assessment) -> Vec<&str> {
    assessment.reasons.iter().map(|reason| reason.rule.as_str()).collect()
}

/// What is at stake, below the root of the project.
fn at_stake(assessment: &Assessment, root: &Path) -> Vec<String> {
    let root = root.canonicalize().unwrap();
    let below = |path: &String| Path::new(path).strip_prefix(&root).unwrap().to_string_lossy().into_owned();
    assessment.at_stake.iter().map(below).collect()
}

#[track_caller]
fn check(cases: &[(&str, Risk, Option<&str>, &[&str])]) {
    let project = project();
    for (text, risk, rule, stakes) in cases {
        let assessment = assessed(project.path(), &file(text));
        let found = (assessment.effective_risk(), rules(&assessment));
        assert_eq!(found.0, *risk, "{text}: {found:?}");
        assert_eq!(found.1.first().copied(), *rule, "{text}: {found:?}");
        assert_eq!(at_stake(&assessment, project.path()), *stakes, "{text}");
    }
}

/// What is grave to lose is told to come back, or not, as it really would, by whatever door it is asked about.
#[test]
fn what_is_important_says_how_it_comes_back() {
    let project = project();
    let root = project.path();
    let shell = |command: &str| Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    for (operation, wanted) in [
        (file("delete src/main.rs"), Reversible::WithGit),
        (shell("rm src/main.rs"), Reversible::WithGit),
        (file("delete package.json"), Reversible::No),
        (shell("rm package.json"), Reversible::No),
        // Behind something that may have changed it, nobody knows.
        (shell("make && rm src/main.rs"), Reversible::WithBackup),
    ] {
        let assessment = assessed(root, &operation);
        assert_eq!(assessment.effective_risk(), Risk::Critical, "{operation:?}");
        let deletes = assessment.effects.iter().filter(|effect| effect.kind == EffectKind::Delete);
        let told: Vec<Reversible> = deletes.map(|effect| effect.reversible).collect();
        assert_eq!(told, [wanted], "{operation:?}");
    }
}

#[test]
fn what_a_delete_loses_decides() {
    check(&[
        ("delete src/a.rs", Risk::Medium, Some("delete-tracked"), &["src/a.rs"]),
        ("delete src/", Risk::Medium, Some("delete-tracked"), &["src"]),
        ("delete docs", Risk::Medium, Some("delete-tracked"), &["docs"]),
        ("delete notes.txt", Risk::High, Some("delete-lost"), &["notes.txt"]),
        ("delete changed/f", Risk::High, Some("delete-lost"), &["changed/f"]),
        ("delete new", Risk::High, Some("delete-tree"), &["new"]),
        ("delete data/app.db", Risk::High, Some("delete-data"), &["data/app.db"]),
        ("delete data/kept.db", Risk::Medium, Some("delete-tracked"), &["data/kept.db"]),
        ("delete target", Risk::Low, Some("delete-rebuilt"), &["target"]),
        // Nothing is there, or nothing in it.
        ("delete nothing", Risk::Low, None, &[]),
        ("delete src/nothing.rs", Risk::Low, None, &[]),
        ("delete empty", Risk::Low, None, &["empty"]),
    ]);
}

#[test]
fn important_files_secrets_and_stores_keep_their_gravity() {
    check(&[
        ("delete src/main.rs", Risk::Critical, Some("delete-important"), &["src/main.rs"]),
        ("delete config/database.yml", Risk::Critical, Some("delete-important"), &["config/database.yml"]),
        ("delete config/none/database.yml", Risk::Critical, Some("delete-important"), &[]),
        ("delete .env", Risk::High, Some("delete-settings"), &[".env"]),
        ("write .env", Risk::High, Some("change-secret"), &[".env"]),
        ("write .env.production", Risk::Critical, Some("change-production"), &[]),
        ("delete .git", Risk::Critical, Some("delete-repository"), &[".git"]),
        ("delete .", Risk::Critical, Some("delete-project"), &[""]),
        // What nobody has kept of them is worse than their name says.
        ("write package.json", Risk::Medium, Some("overwrite-lost"), &["package.json"]),
        ("write src/main.rs", Risk::Low, Some("write-file"), &["src/main.rs"]),
    ]);
    let project = project();
    for absurd in ["delete /", "delete ~", "write /dev/sda", "edit /etc/passwd", "move / -> x"] {
        let assessment = assessed(project.path(), &file(absurd));
        assert_eq!(assessment.prohibition, Some(Prohibition::Absurd), "{absurd}");
    }
}

#[test]
fn what_a_write_replaces_decides() {
    check(&[
        ("write notes.txt", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("overwrite notes.txt", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("create notes.txt", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("truncate notes.txt", Risk::High, Some("empty-file"), &["notes.txt"]),
        ("write changed/f", Risk::Medium, Some("overwrite-lost"), &["changed/f"]),
        ("write src/a.rs", Risk::Low, Some("write-file"), &["src/a.rs"]),
        ("overwrite data/kept.db", Risk::Low, Some("write-file"), &["data/kept.db"]),
        ("overwrite data/app.db", Risk::Medium, Some("overwrite-lost"), &["data/app.db"]),
        ("write target/debug/o", Risk::Low, None, &[]),
        ("edit notes.txt", Risk::Low, Some("write-file"), &["notes.txt"]),
        ("edit src/a.rs", Risk::Low, Some("write-file"), &["src/a.rs"]),
        ("append notes.txt", Risk::Low, None, &[]),
        // Nothing is there: something new is made.
        ("write fresh.txt", Risk::Low, None, &[]),
        ("overwrite data/fresh.db", Risk::Low, None, &[]),
        ("truncate fresh.txt", Risk::Low, None, &[]),
        ("edit fresh.txt", Risk::Low, None, &[]),
        ("create deep/er/fresh.txt", Risk::Low, None, &[]),
        // A directory has nothing written to it.
        ("write docs", Risk::Low, Some("write-file"), &[]),
        ("create docs", Risk::Low, None, &[]),
    ]);
    let project = project();
    let reversible = |text| assessed(project.path(), &file(text)).effects[0].reversible;
    assert_eq!(reversible("edit notes.txt"), Reversible::WithBackup);
    assert_eq!(reversible("edit src/a.rs"), Reversible::WithGit);
}

#[test]
fn what_arrives_somewhere_replaces_what_is_there() {
    check(&[
        ("move src/a.rs -> notes.txt", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("move src/a.rs -> src/c.rs", Risk::Low, Some("move-file"), &[]),
        ("move src/a.rs -> src/b.rs", Risk::Low, Some("move-file"), &["src/b.rs"]),
        ("move notes.txt -> inbox", Risk::Medium, Some("overwrite-lost"), &["inbox/notes.txt"]),
        ("move src/a.rs -> inbox", Risk::Low, Some("move-file"), &[]),
        ("move nothing -> elsewhere", Risk::Low, None, &[]),
        ("copy src/a.rs -> notes.txt", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("copy src/a.rs -> fresh.rs", Risk::Low, None, &[]),
        ("copy notes.txt -> inbox", Risk::Medium, Some("overwrite-lost"), &["inbox/notes.txt"]),
        ("symlink fresh -> src", Risk::Low, None, &[]),
        ("symlink notes.txt -> src", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("move notes.txt -> notes.txt", Risk::Low, Some("move-file"), &[]),
    ]);
}

#[test]
fn a_link_goes_itself_and_is_written_through() {
    check(&[
        ("delete link", Risk::High, Some("delete-lost"), &["link"]),
        ("delete tracked_link", Risk::Medium, Some("delete-tracked"), &["tracked_link"]),
        ("delete link/a.rs", Risk::Medium, Some("delete-tracked"), &["src/a.rs"]),
        // With a slash behind it, it is what the link leads to.
        ("delete link/", Risk::Medium, Some("delete-tracked"), &["src"]),
        ("delete to_notes", Risk::High, Some("delete-lost"), &["to_notes"]),
        ("write to_notes", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        ("write link/a.rs", Risk::Low, Some("write-file"), &["src/a.rs"]),
        ("write link/main.rs", Risk::Low, Some("write-file"), &["src/main.rs"]),
        ("delete link/main.rs", Risk::Critical, Some("delete-important"), &["src/main.rs"]),
        ("write dangling", Risk::Low, None, &[]),
        ("copy src/a.rs -> to_notes", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
        // A step back is one from where the link leads.
        ("delete link/../notes.txt", Risk::High, Some("delete-lost"), &["notes.txt"]),
        ("delete nothing/../notes.txt", Risk::High, Some("delete-lost"), &["notes.txt"]),
        ("write docs/../notes.txt", Risk::Medium, Some("overwrite-lost"), &["notes.txt"]),
    ]);
}

#[test]
fn links_out_of_the_project_lead_where_they_lead() {
    let project = project();
    let root = project.path();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("f"), "x").unwrap();
    for (name, target) in [
        ("beyond", elsewhere.path().to_str().unwrap()),
        ("whole", "/"),
        ("accounts", "/etc/passwd"),
        ("etc", "/etc"),
        ("secret", ".env"),
    ] {
        symlink(target, root.join(name)).unwrap();
    }
    let found = |text: &str| assessed(root, &file(text));
    // Some tools look where a link leads before they delete: what is absurd there stays absurd.
    for text in ["delete whole", "delete whole/", "delete etc", "move whole -> x", "write accounts", "edit accounts"] {
        assert_eq!(found(text).prohibition, Some(Prohibition::Absurd), "{text}");
    }
    for text in ["write secret", "edit secret"] {
        assert_eq!(rules(&found(text)).first(), Some(&"change-secret"), "{text}");
        assert_eq!(at_stake(&found(text), root), [".env"], "{text}");
    }
    assert_eq!(rules(&found("delete beyond")), ["delete-lost"]);
    assert!(found("delete beyond/f").at_stake[0].ends_with("/f"));
}

#[test]
fn an_odd_spelling_does_not_hide_what_is_there() {
    let project = project();
    let root = project.path();
    for (text, least) in [
        ("delete  src", Risk::Medium),
        ("delete \"notes.txt\"", Risk::High),
        ("delete %6Eotes.txt", Risk::High),
        ("delete notes.txt\u{a0}", Risk::High),
        ("delete src\\", Risk::Medium),
        ("delete `.`", Risk::Critical),
        ("delete . ", Risk::Critical),
        ("write notes.txt\t", Risk::Medium),
        ("write %2E/notes.txt", Risk::Medium),
    ] {
        let assessment = assessed(root, &file(text));
        assert!(assessment.effective_risk() >= least, "{text}: {:?}", rules(&assessment));
    }
    let uri = format!("delete file://{}/notes.txt", root.canonicalize().unwrap().display());
    assert!(assessed(root, &file(&uri)).effective_risk() >= Risk::High);
    // The file system says whether it minds the case of letters.
    let folded = root.join("NOTES.TXT").exists();
    let assessment = assessed(root, &file("delete NOTES.TXT"));
    assert_eq!(assessment.effective_risk() >= Risk::High, folded, "{:?}", rules(&assessment));
    // What may be grave is judged as that, whatever is there.
    assert_eq!(rules(&assessed(root, &file("write .Env"))).first(), Some(&"change-secret"));
}

#[test]
fn patterns_and_what_is_too_much_are_judged_by_the_text() {
    let project = project();
    let root = project.path();
    assert_eq!(rules(&assessed(root, &file("delete src/*"))), ["bulk-delete"]);
    assert_eq!(rules(&assessed(root, &file("delete nothing/*"))), ["bulk-delete"]);
    fs::create_dir(root.join("many")).unwrap();
    for number in 0..2_500 {
        fs::write(root.join("many").join(number.to_string()), "").unwrap();
    }
    let many = assessed(root, &file("delete many"));
    assert_eq!((rules(&many), at_stake(&many, root)), (vec!["delete-tree"], vec!["many".to_owned()]));
    assert_eq!(many.listing, Listing::Whole);
    // More than is looked through is not the same as nothing.
    for (text, rule) in
        [("delete many\t", "delete-tree"), ("delete \"many\"", "delete-tree"), ("delete . ", "delete-project")]
    {
        let found = assessed(root, &file(text));
        assert!(rules(&found).contains(&rule), "{text}: {:?}", rules(&found));
    }
}

#[test]
fn tools_are_judged_by_what_is_there_as_well() {
    let project = project();
    let root = project.path();
    for (name, args, risk, stakes) in [
        ("Write", json!({"file_path": "notes.txt", "content": "y"}), Risk::Medium, &["notes.txt"][..]),
        ("Write", json!({"file_path": "fresh.txt", "content": "y"}), Risk::Low, &[]),
        ("Write", json!({"file_path": "src/a.rs", "content": "y"}), Risk::Low, &["src/a.rs"]),
        ("delete_file", json!({"path": "notes.txt"}), Risk::High, &["notes.txt"]),
        // A delete through a tool always asks.
        ("delete_file", json!({"path": "nothing"}), Risk::Medium, &[]),
        ("delete_files", json!({"paths": ["src/a.rs", "src/b.rs"]}), Risk::Medium, &["src/a.rs", "src/b.rs"]),
        ("move_file", json!({"source": "src/a.rs", "destination": "notes.txt"}), Risk::Medium, &["notes.txt"]),
    ] {
        let assessment = assessed(root, &tool(name, args.clone()));
        assert_eq!(assessment.effective_risk(), risk, "{name} {args}: {:?}", rules(&assessment));
        assert_eq!(at_stake(&assessment, root), stakes, "{name} {args}");
    }
}

/// Whatever was done before in the same call may have put something there.
#[test]
fn what_a_call_has_changed_before_is_judged_by_the_text() {
    let project = project();
    let root = project.path();
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: nothing.txt\n*** Delete File: nothing.txt\n*** End Patch";
    let call = |tool: &str, args: Value| json!({"tool": tool, "arguments": args});
    let batch = |calls: Value| tool("batch", json!({"calls": calls}));
    for operation in [
        tool("apply_patch", json!({"patch": patch})),
        batch(json!([
            call("move_file", json!({"source": "src", "destination": "nothing"})),
            call("Bash", json!({"command": "rm -rf nothing"})),
        ])),
        batch(json!([
            call("Bash", json!({"command": "mv src nothing"})),
            call("Bash", json!({"command": "rm -rf nothing"})),
        ])),
        batch(json!([
            call("python", json!({"code": "import os; os.rename('src', 'nothing')"})),
            call("Bash", json!({"command": "rm -rf nothing"})),
        ])),
        batch(json!([call("Bash", json!({"command": "rm -rf .git"})), call("delete_file", json!({"path": "docs"})),])),
    ] {
        let assessment = assessed(root, &operation);
        let found = rules(&assessment);
        assert!(
            found.iter().any(|rule| matches!(*rule, "delete-file" | "delete-tree" | "delete-repository"))
                && !found.contains(&"delete-tracked"),
            "{operation:?}: {found:?}"
        );
    }
}
