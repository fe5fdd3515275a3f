//! Calls of other tools and operations on files that say what they do in unusual ways.

mod judging;

use judging::{decision, example};
use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
    rule,
};
use signoff_model::{FileAction, FileOperation, Operation};
use signoff_policy::Posture;

fn check(cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (wanted, rule, text) in cases {
        let assessment = example(text);
        let found = decision(&assessment).verdict().to_string();
        if found != *wanted
            || !rule.is_empty() && !assessment.reasons.iter().any(|reason| reason.rule.as_str() == *rule)
        {
            wrong.push(format!("{found} for {wanted} {rule}: {text}  {:?}", assessment.reasons));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn tools() {
    check(&[
        ("ask", "delete-data", r#"tool: str_replace_editor {"command": "delete", "path": "app.db"}"#),
        ("allow", "", r#"tool: str_replace_editor {"command": "view", "path": "README.md"}"#),
        (
            "ask",
            "delete-file",
            r#"tool: apply_patch {"patch": "*** Begin Patch\n*** Delete File: src/a.rs\n*** End Patch"}"#,
        ),
        (
            "ask",
            "write-system",
            r#"tool: apply_patch {"patch": "*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: /etc/hosts\n@@\n-a\n+b\n*** End Patch"}"#,
        ),
        (
            "ask",
            "write-system",
            r#"tool: apply_patch {"patch": "--- /dev/null\n+++ b//etc/hosts\n@@ -0,0 +1 @@\n+x\n"}"#,
        ),
        ("allow", "", r#"tool: apply_patch {"patch": "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-a\n+b\n"}"#),
        ("ask", "delete-tree", r#"tool: bash "rm -rf src""#),
        ("ask", "delete-tree", r#"tool: bash ["rm", "-rf", "src"]"#),
        ("ask", "delete-tree", r#"tool: run_command {"argv": ["rm", "-rf", "src"]}"#),
        ("ask", "delete-tree", r#"tool: execute {"script": "rm -rf src"}"#),
        ("ask", "delete-tree", r#"tool: run_code {"code": "import shutil\nshutil.rmtree('src')"}"#),
        ("allow", "", r#"tool: bash {"command": "ls"}"#),
        ("ask", "sql-drop", r#"tool: query {"sql": "/* look */ DROP TABLE users"}"#),
        ("ask", "sql-drop", r#"tool: query {"sql": "-- look\nDROP TABLE users"}"#),
        ("allow", "", r#"tool: query {"sql": "SELECT 1"}"#),
        ("ask", "push", r#"tool: git_push {"branch": "main"}"#),
        ("allow", "", r#"tool: git_status {}"#),
        ("allow", "", r#"tool: git {"operation": "status"}"#),
        ("allow", "", r#"tool: git {"command": "log --oneline -3"}"#),
        ("allow", "", r#"tool: git {"args": ["diff", "--stat"]}"#),
        ("ask", "push", r#"tool: git {"operation": "push"}"#),
        ("ask", "force-push", r#"tool: git {"operation": "push", "force": true}"#),
        ("ask", "force-push", r#"tool: git {"command": "push", "args": ["--force"]}"#),
        ("ask", "discard-changes", r#"tool: git {"command": "git reset --hard"}"#),
        ("ask", "unknown-tool", r#"tool: git {"operation": "status", "then": {"text": "x"}}"#),
        ("allow", "", r#"tool: kubectl {"command": "get pods -A"}"#),
        ("ask", "cluster-delete", r#"tool: kubectl {"args": ["delete", "pod", "x"]}"#),
        ("ask", "unknown-tool", r#"tool: kubectl {"resource": "x"}"#),
        ("allow", "", r#"tool: git_create_branch {"branch": "x"}"#),
        ("ask", "tool-destroys", r#"tool: github_delete_repo {"repo": "x"}"#),
        ("ask", "unknown-tool", r#"tool: records {"action": "delete", "force": "yes"}"#),
        ("ask", "tool-sends", r#"tool: send_email {"to": "a@example.com", "body": "hi"}"#),
        ("allow", "", r#"tool: list_users {}"#),
        ("allow", "", r#"tool: search {"query": "drop table"}"#),
    ]);
}

#[test]
fn files() {
    check(&[
        ("ask", "delete-data", "file: delete app.db"),
        ("allow", "", "file: read README.md"),
        ("ask", "read-secret", "file: read .env"),
        ("ask", "rights-unknown", "file: chmod run.sh"),
        ("ask", "write-system", "file: write /etc/hosts"),
        ("allow", "", "file: write /tmp/a"),
    ]);
}

#[test]
fn a_posture_is_found_by_its_name() {
    for (name, posture) in
        [("strict", Posture::Strict), ("balanced", Posture::Balanced), ("permissive", Posture::Permissive)]
    {
        assert_eq!(Posture::from_name(name), Some(posture));
        assert_eq!(posture.to_string(), name);
    }
    assert_eq!(Posture::from_name("Strict"), None);
}

#[test]
fn a_rule_is_found_by_its_name() {
    assert_eq!(rule::find("delete-tree").map(|rule| rule.id), Some("delete-tree"));
    assert!(rule::find("no-such-rule").is_none());
}

#[test]
fn rights_are_judged_by_the_mode() {
    for (wanted, path, mode) in
        [("allow", "run.sh", "755"), ("ask", "src", "777"), ("block", "/bin/bash", "4755"), ("allow", "/tmp/a", "777")]
    {
        let operation = Operation::File(FileOperation {
            action: FileAction::Chmod,
            path: path.to_owned(),
            to: Some(mode.to_owned()),
            content: None,
        });
        let assessment = assess(&operation, &Whereabouts::assumed(), &NoFacts);
        assert_eq!(decision(&assessment).verdict().to_string(), wanted, "{mode} {path}: {:?}", assessment.reasons);
    }
}
