//! The effect counts, not the spelling: a harmful command stays harmful, and a harmless one harmless, behind every
//! wrapper, quoting, substitution and control structure.

mod judging;

use judging::{rules, verdict};
use signoff_model::Verdict;

/// Ways to run a command, with `@` for the command and `#` for the command in single quotes.
const WRAPPERS: &[&str] = &[
    "@",
    "@; echo done",
    "echo start && @",
    "false || @",
    "(@)",
    "{ @; }",
    "@ &",
    "! @",
    "time @",
    "if true; then @; fi",
    "if false; then echo a; else @; fi",
    "while true; do @; break; done",
    "until @; do sleep 1; done",
    "for i in 1 2; do @; done",
    "case x in x) @;; esac",
    "f() { @; }; f",
    "function f { @; }\nf",
    "echo \"$(@)\"",
    "echo `@`",
    "x=$(@)",
    "a=($(@))",
    "cat <(@)",
    "echo hi > \"$(@; echo /dev/null)\"",
    "cat <<EOF\n$(@)\nEOF",
    ": ${x:=$(@)}",
    "echo $(( $(@) + 1 ))",
    "[[ -n $(@) ]]",
    "bash -c #",
    "sh -c #",
    "bash <<< #",
    "eval #",
    "bash <<'EOF'\n@\nEOF",
    "x=#; eval \"$x\"",
    "x=#; bash -c \"$x\"",
    "echo # | sh",
    "printf '%s\\n' # | bash",
    "trap # EXIT",
    "alias go=#; go",
    "timeout 60 @",
    "nohup @ > /dev/null 2>&1 &",
    "nice -n 19 @",
    "ionice -c3 nice @",
    "setsid @",
    "stdbuf -oL @",
    "env @",
    "env A=1 @",
    "env -i PATH=/bin @",
    "command @",
    "exec @",
    "flock /tmp/lock @",
    "watch -n 5 #",
    "script -qc # /dev/null",
    "/usr/bin/env @",
    "xargs -n1 @ < /dev/null",
    "find . -maxdepth 0 -exec @ \\;",
    "echo #> /tmp/x.sh; bash /tmp/x.sh",
    "cat > /tmp/y.sh <<'EOF'\n@\nEOF\nchmod +x /tmp/y.sh && /tmp/y.sh",
    "# a comment\n@",
    "echo 'a; b' ; @",
    ">/dev/null @",
    "2>&1 @",
    "coproc @",
    "true && { echo a; ( @ ); }",
    "git -c alias.x=\"!@\" x",
    "busybox sh -c #",
    "python3 -c 'import os; os.system(\"@\")'",
    "perl -e 'system(\"@\")'",
    "awk 'BEGIN { system(\"@\") }'",
];

/// Commands without quotes in them, so that they fit into every wrapper.
const HARMFUL: &[&str] = &[
    "rm -rf data",
    "git reset --hard origin/main",
    "git push --force origin main",
    "git clean -fdx",
    "dropdb app",
    "truncate -s 0 app.db",
    "terraform destroy -auto-approve",
    "npm publish",
    "kubectl delete namespace prod",
    "cat .env",
];

const ABSURD: &[&str] = &["rm -rf /", "rm -rf ~", "mkfs.ext4 /dev/sda1", "chmod -R 777 /"];

const HARMLESS: &[&str] =
    &["ls -la", "git status", "cargo test", "rm -rf target", "cat README.md", "git log --oneline -5"];

fn wrap(wrapper: &str, command: &str) -> String {
    wrapper.replace('#', &format!("'{command}'")).replace('@', command)
}

fn product(commands: &[&str], accepts: impl Fn(Verdict) -> bool) {
    let mut wrong = Vec::new();
    for wrapper in WRAPPERS {
        let wrapper = if wrapper.starts_with("# ") { wrapper.replacen('#', "\u{1}", 1) } else { (*wrapper).to_owned() };
        for command in commands {
            let text = wrap(&wrapper, command).replace('\u{1}', "#");
            let found = verdict(&text);
            if !accepts(found) {
                wrong.push(format!("{found}: {text:?}  {:?}", rules(&text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn harmful_commands_ask_behind_every_wrapper() {
    product(HARMFUL, |verdict| verdict != Verdict::Allow);
}

#[test]
fn absurd_commands_are_blocked_behind_every_wrapper() {
    product(ABSURD, |verdict| verdict == Verdict::Block);
}

/// Wrappers that are a reason to ask by themselves.
const ASKING: &[&str] = &["trap", "alias", "git -c", "script", "echo hi >"];

#[test]
fn harmless_commands_pass_behind_every_wrapper() {
    let mut wrong = Vec::new();
    for wrapper in WRAPPERS.iter().filter(|wrapper| !ASKING.iter().any(|word| wrapper.starts_with(word))) {
        let wrapper = if wrapper.starts_with("# ") { wrapper.replacen('#', "\u{1}", 1) } else { (*wrapper).to_owned() };
        for command in HARMLESS {
            let text = wrap(&wrapper, command).replace('\u{1}', "#");
            let found = verdict(&text);
            if found != Verdict::Allow {
                wrong.push(format!("{found}: {text:?}  {:?}", rules(&text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
