//! Every reason and effect points at the part of the input that causes it.
#![allow(clippy::unwrap_used, reason = "a span that is no range of the text must fail the test")]

mod judging;

use judging::shell;

/// Each command with the part of it that the gravest reason points at.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (command, part) in cases {
        let assessment = shell(command);
        for effect in &assessment.effects {
            effect.span.of(command).unwrap();
        }
        let found: Vec<&str> = assessment.reasons.iter().map(|reason| reason.span.of(command).unwrap()).collect();
        if found.first() != Some(part) {
            wrong.push(format!("{command}\n  points at {found:?}, not at {part:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_command_does_is_shown_where_it_stands() {
    check(&[
        ("ls; rm -rf src", "src"),
        ("echo 中; rm -rf src", "src"),
        ("ls && git push -f origin main", "git push -f origin main"),
    ]);
}

#[test]
fn what_a_text_inside_the_input_does_is_shown_where_it_is_written() {
    check(&[
        ("bash -c \"echo 中; rm -rf src\"", "src"),
        ("sudo -u me sh -c 'ls; rm -rf src; ls'", "src"),
        ("eval 'ls; rm -rf src'", "src"),
        ("X='rm -rf src'; eval \"$X\"", "src"),
        ("bash <<'E'\nls\nrm -rf src\nE\n", "src"),
        ("bash <<< 'ls; rm -rf src'", "src"),
        ("echo 'ls; rm -rf src' | sh", "src"),
        ("bash -c 'ls; sh -c \"pwd; rm -rf src\"'", "src"),
        ("printf 'rm -rf src' > /tmp/x.sh; bash /tmp/x.sh", "src"),
    ]);
}

#[test]
fn what_is_not_written_there_is_blamed_on_what_brings_it() {
    check(&[
        // Put together, decoded, or written twice: no one place is the right one.
        ("bash -c \"rm -rf s$(echo rc)\"", "\"rm -rf s$(echo rc)\""),
        ("bash -c 'rm -rf src'; bash -c 'rm -rf src'", "'rm -rf src'"),
        ("echo cm0gLXJmIHNyYw== | base64 -d | sh", "sh"),
        // A comment that says the same draws no mark.
        ("echo cm0gLXJmIHNyYw== | base64 -d | sh # rm -rf src", "sh"),
        ("{ # rm -rf src\n  echo cm0gLXJmIHNyYw== | base64 -d | sh\n}", "sh"),
    ]);
}
