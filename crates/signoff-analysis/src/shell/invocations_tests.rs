use serde_json::json;
use signoff_model::{Dialect, Operation, ShellCommand, ToolCall, ToolHints};

use super::{NAMED_AT_MOST, of};

/// The commands of a text: a `+` before those that are plain, `?` for a word that is not known.
fn named(text: &str) -> Vec<String> {
    let operation = Operation::Shell(ShellCommand { command: text.into(), dialect: Dialect::Bash });
    let all = of(&operation);
    for invocation in &all {
        assert!(invocation.span.of(text).is_some(), "{text}: {invocation:?}");
    }
    all.iter()
        .map(|invocation| {
            let words: Vec<_> = invocation.argv.iter().map(|word| word.as_deref().unwrap_or("?")).collect();
            format!("{}{}", if invocation.plain { "+" } else { "" }, words.join(" "))
        })
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(named(text), expected, "{text}");
}

#[test]
fn plain_commands_are_words_and_nothing_else() {
    check("git status", &["+git status"]);
    check("git status; rm -rf x", &["+git status", "+rm -rf x"]);
    check("git commit -m 'a b' \"c d\" e\\ f", &["+git commit -m a b c d e f"]);
    check("a && b || c & d", &["+a", "+b", "+c", "+d"]);
    check("if a; then b; else c; fi", &["+a", "+b", "+c"]);
    check("{ a; (b); }", &["+a", "+b"]);
    check("! a", &["+a"]);
    check("cd x && npm test", &["+cd x", "+npm test"]);
    check("[ -f x ] && a", &["+[ -f x ]", "+a"]);
    check("git push origin main # rm x", &["+git push origin main"]);
    check("", &[]);
}

#[test]
fn whatever_a_shell_expands_is_not_plain() {
    check("rm -rf ./build/* ../src", &["rm -rf ? ../src"]);
    check("git $WHAT", &["git ?"]);
    check("rm {a,b}", &["rm ?"]);
    check("cat ~/.ssh/id", &["cat ~/.ssh/id"]);
    check("git status > x", &["git status"]);
    check("git status 2>&1", &["git status"]);
    check("A=1 git status", &["git status"]);
    check("ls $(rm x)", &["rm x", "ls ?"]);
    check("ls `rm x`", &["rm x", "ls ?"]);
    check("diff <(a) >(b)", &["a", "b", "diff ? ?"]);
    check("cat <<X\n$(rm y)\nX", &["rm y", "cat"]);
    check("echo ${a:-$(rm z)} $(( $(b) ))", &["rm z", "b", "echo ? ?"]);
    check("x=$(a)", &["a"]);
    check("for i in $(a); do b; done", &["a", "b"]);
}

/// Options before the verb of git: heard by whoever forbids the verb, and never a part of what is permitted.
#[test]
fn a_verb_is_heard_behind_the_options_before_it() {
    check("git -C x push origin", &["git push origin", "+git -C x push origin"]);
    check("git --no-pager -c a=b --git-dir x/.git push", &["git push", "+git --no-pager -c a=b --git-dir x/.git push"]);
    check("git --git-dir=x --exec-path=y push", &["git push", "+git --git-dir=x --exec-path=y push"]);
    check("/usr/bin/git -C $X push", &["/usr/bin/git push", "/usr/bin/git -C ? push"]);
    check("git -C", &["git", "+git -C"]);
    check("git $X push", &["git ? push"]);
    check("sudo git -C x push", &["git push", "git -C x push", "x push", "push", "+sudo git -C x push"]);
    check("docker -C x push", &["+docker -C x push"]);
}

#[test]
fn what_is_around_a_command_counts() {
    check("echo 'git push' | sh", &["echo git push", "sh"]);
    check("npm test | tail -5", &["+npm test", "tail -5"]);
    check("npm test | tail -5 | sh", &["npm test", "tail -5", "sh"]);
    check("npm test | tee x", &["npm test", "tee x"]);
    check("{ a; } > x; b", &["a", "b"]);
    check("git() { rm -rf x; }; git status", &["rm -rf x", "git status"]);
    check("alias git=rm; git status", &["alias git=rm", "git status"]);
    check("PATH=/tmp; git status", &["git status"]);
    check("export A=1; git status", &["export A=1", "git status"]);
    check("$X; git status", &["?", "git status"]);
    check("echo rm > s.sh; ./s.sh", &["echo rm", "./s.sh"]);
    check("a > /dev/null; b", &["a", "+b"]);
    check("coproc a; b", &["a", "b"]);
    check("git st\u{200b}atus", &["git st\u{200b}atus"]);
}

#[test]
fn commands_behind_others_are_named() {
    check("sudo -u me git push", &["me git push", "git push", "push", "+sudo -u me git push"]);
    check("bash -c 'git push; ls'", &["git push", "ls", "+bash -c git push; ls"]);
    check("bash -lc \"git push $X\"", &["?", "bash -lc ?"]);
    check("env A=1 sh -ec 'a b'", &["A=1 sh -ec a b", "sh -ec a b", "a b", "a b", "+env A=1 sh -ec a b"]);
    check("eval git push", &["git push", "eval git push"]);
    check("bash x.sh", &["+bash x.sh"]);
    check("find . -exec rm {} +", &[". -exec rm {} +", "rm {} +", "{} +", "+", "+find . -exec rm {} +"]);
}

#[test]
fn what_cannot_be_read_is_a_command_of_unknown_words() {
    for text in ["git push '", "if a; then", "a | | b", &"(".repeat(500)] {
        let named = named(text);
        assert!(named.contains(&"?".to_owned()), "{text}: {named:?}");
        assert!(named.iter().all(|command| !command.starts_with('+')), "{text}: {named:?}");
    }
    let many = named(&"a;".repeat(NAMED_AT_MOST + 10));
    assert_eq!(many.len(), NAMED_AT_MOST + 1);
    assert!(many.iter().all(|command| !command.starts_with('+')));
    assert_eq!(many.last().map(String::as_str), Some("?"));
    let mut nested = "a".to_owned();
    for _ in 0..12 {
        nested = format!("bash -c {}", super::super::quote(&nested));
    }
    assert!(named(&nested).contains(&"?".to_owned()));
}

#[test]
fn texts_behind_many_wrappers_are_not_read_without_end() {
    let mut nested = "a".to_owned();
    for _ in 0..7 {
        nested = format!("env {}-c {}", "bash ".repeat(22), super::super::quote(&nested));
    }
    let started = std::time::Instant::now();
    let named = named(&nested);
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    assert!(named.contains(&"?".to_owned()) && named.iter().all(|command| !command.starts_with('+')));
}

#[test]
fn tools_that_run_commands_are_looked_into() {
    let args = json!({"command": "git push; ls $X", "note": "rm -rf x", "more": [{"cmd": "a"}]});
    let operation = Operation::Tool(ToolCall { name: "bash".into(), args, hints: ToolHints::default() });
    let all = of(&operation);
    let programs: Vec<_> = all.iter().map(|invocation| invocation.argv[0].clone().unwrap()).collect();
    assert_eq!(programs, ["git", "ls", "a"]);
    assert!(all.iter().all(|invocation| !invocation.plain && invocation.span.end == operation.text().len()));
}
