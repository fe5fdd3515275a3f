//! Commands that a program carries among its arguments: whoever starts, watches, times or repeats other programs is told
//! which in a few ways that are always the same, whatever it is called.

use std::borrow::Cow;

use signoff_model::{Dialect, Risk};

use crate::{
    findings::Findings,
    shell::{Call, Language, Shell, families, families::tool::attached_or_next},
    sql,
    value::{Arg, Feed},
    words::{Words, is_listed},
};

/// Options whose value is a command, without their dashes and in small letters.
static COMMANDS: Words<128> = Words::new(
    "c command cmd exec x execute run run-command shell shell-command preview runner onsuccess onfailure on-success on-failure on-change onchange on-update onpass onfail on-pass on-fail after before hook then player terminal-command program-command",
);

/// Options whose value may be a statement for a database, without their dashes.
static STATEMENTS: Words<32> = Words::new("q c e s query sql exec execute statement command eval");

/// Options whose value may be code, without their dashes.
static CODE: Words<32> = Words::new("e c eval code execute x r script-code");

/// Verbs behind which a command stands.
static STARTS: Words<32> = Words::new("run exec start launch spawn call wrap exec-once");

/// Programs that can do grave harm, wherever among the operands they are named.
static GRAVE: Words<64> =
    Words::new("rm sh bash zsh dash sudo doas dd shred find mkfs wipefs python python3 perl ruby node");

/// Verbs of programs that read a command and do not run it.
static ONLY_READS: Words<128> = Words::new(
    "check explain lint analyze analyse validate verify parse classify audit inspect describe show print query search grep judge assess format fmt help plan",
);

/// Which findings of a command count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// Everything that asks: it stands where a command stands.
    Asks,
    /// Only what no agent should do: it may be a command.
    Absurd,
}

/// Judges the commands among the arguments of a program of which no more is known.
pub fn judge(shell: &mut Shell<'_>, call: &Call) {
    // Who is asked what it thinks of a command does not run it.
    let first = call.args.iter().find(|arg| !arg.is_option()).and_then(Arg::known);
    if first.is_some_and(|verb| ONLY_READS.holds(verb)) {
        return;
    }
    let end = call.args.iter().position(|arg| arg.is("--")).unwrap_or(call.args.len());
    if let Some(argv) = call.args.get(end + 1..).filter(|argv| begins_with_program(argv)) {
        consider(shell, Counts::Asks, |shell| shell.run(argv, Feed::none(), call.span));
    }
    // One command among the operands is enough: trying every word would take for ever where they are many.
    let mut tried = false;
    for (at, arg) in call.args.iter().enumerate().take(end) {
        let text = arg.value.prefix();
        if let Some(body) = text.strip_prefix('-') {
            let name = option_name(body);
            if STATEMENTS.holds(&name)
                && let Some(text) = attached_or_next(call, at).filter(|text| is_statement(text.value.prefix()))
            {
                sql::verdict_of_text(shell, &text.value, sql::Dialect::Any, text.span);
                continue;
            }
            if COMMANDS.holds(&name)
                && let Some(code) = attached_or_next(call, at).filter(is_command)
            {
                consider(shell, Counts::Asks, |shell| {
                    shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none())
                });
            }
            continue;
        }
        let starts = at.checked_sub(1).and_then(|before| call.arg(before)).is_some_and(|before| {
            STARTS.holds(before) && !call.arg(at - 1).is_some_and(|before| before.starts_with('-'))
        });
        if starts && is_command(arg) {
            consider(shell, Counts::Asks, |shell| shell.run_code(Language::Shell(Dialect::Sh), arg, Feed::none()));
        }
        let rest = call.args.get(at..end).unwrap_or_default();
        if tried || rest.len() < 2 {
            continue;
        }
        if starts && begins_with_program(rest) {
            tried = true;
            consider(shell, Counts::Asks, |shell| shell.run(rest, Feed::none(), call.span));
        } else if arg.known().is_some_and(|text| GRAVE.holds(base(text))) {
            tried = true;
            consider(shell, Counts::Absurd, |shell| shell.run(rest, Feed::none(), call.span));
        }
    }
}

/// The name of an option, behind its dash, in small letters. Most are written so.
fn option_name(body: &str) -> Cow<'_, str> {
    let name = body.trim_start_matches('-');
    let end = name.bytes().position(|byte| byte == b'=').unwrap_or(name.len());
    let name = name.get(..end).unwrap_or_default();
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

/// Judges code in the options of a program of which nothing is known: it may be the interpreter of some language. What
/// checks, formats or searches code takes it in the same way, and so only what is absurd counts.
pub fn judge_code(shell: &mut Shell<'_>, call: &Call) {
    const SEARCHES: &str = "semgrep opengrep weggli gogrep spatch coccigrep comby rg ugrep tree-sitter jsonnet cel";
    if is_listed(SEARCHES, &call.name) {
        return;
    }
    for (at, arg) in call.args.iter().enumerate().take_while(|(_, arg)| !arg.is("--")) {
        let Some(body) = arg.value.prefix().strip_prefix('-') else { continue };
        let name = option_name(body);
        if CODE.holds(&name)
            && let Some(code) = attached_or_next(call, at).filter(|code| code.value.prefix().contains(['(', '[']))
        {
            consider(shell, Counts::Absurd, |shell| shell.run_code(Language::Other, &code, Feed::none()));
        }
    }
}

/// `bin/app rpc 'App.Repo.delete_all(App.User)'`: a program of the project that runs code in itself, with all that it has
/// open.
pub fn evaluate(shell: &mut Shell<'_>, call: &Call) {
    const VERBS: &[&str] = &["rpc", "eval", "rpcterms", "runner", "tinker", "shell", "console"];
    let takes_code = |arg: &Arg| arg.known().is_some_and(|text| VERBS.contains(&text));
    let Some(at) = call.args.iter().take(2).position(takes_code) else { return };
    let is_code = |arg: &&Arg| !arg.is_option() && arg.value.prefix().contains(['(', '.']);
    if let Some(code) = call.args.iter().skip(at + 1).find(is_code) {
        families::migrations::code::run(shell, Language::Other, code);
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether the first of these words names a program that is known.
fn begins_with_program(argv: &[Arg]) -> bool {
    argv.first().and_then(Arg::known).is_some_and(|name| !name.starts_with('-') && families::find(base(name)).is_some())
}

/// Whether a text is a command: several words, of which the first names a program that is known.
fn is_command(text: &Arg) -> bool {
    let mut words = text.value.prefix().split_whitespace();
    // With these words code of other languages begins, and no command that matters here.
    const CODE_BEGINS: &str = "import print require use from def class return let const var select with";
    let program =
        words.next().is_some_and(|name| !is_listed(CODE_BEGINS, name) && families::find(base(name)).is_some());
    program && (words.next().is_some() || text.value.has_unknown())
}

/// Whether a text is a statement that changes a database: by its first two words, which no sentence begins with.
fn is_statement(text: &str) -> bool {
    let mut words = text.split_whitespace().map(str::to_ascii_lowercase);
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    const THINGS: &str =
        "table database schema keyspace bucket collection index view user role scope stream sequence type";
    match first.as_str() {
        "drop" | "alter" | "create" => is_listed(THINGS, &second),
        "truncate" => second == "table" || words.next().is_none(),
        "delete" => second == "from",
        "insert" => second == "into",
        "update" => words.next().is_some_and(|word| word == "set"),
        "grant" | "revoke" => text.to_ascii_lowercase().contains(" on "),
        _ => false,
    }
}

/// Tries a command, and keeps what was found if it counts.
fn consider(shell: &mut Shell<'_>, counts: Counts, run: impl FnOnce(&mut Shell<'_>) -> Feed) {
    let before = std::mem::take(&mut shell.findings);
    shell.subshell(run);
    let found: Findings = std::mem::replace(&mut shell.findings, before);
    if found.is_prohibited() || counts == Counts::Asks && found.risk() > Risk::Low {
        shell.findings.append(found);
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn a_command_is_judged_wherever_it_is_carried() {
        check(
            Verdict::Block,
            &[
                "mywatcher -- rm -rf ~",
                "mywatcher --command 'rm -rf ~' src",
                "mywatcher --exec='rm -rf ~'",
                "myrunner run rm -rf ~",
                "myrunner start 'rm -rf ~'",
                "mytimer 5s rm -rf ~",
                "mylock /tmp/l bash -c 'rm -rf ~'",
                "mylang -e 'Process.system(\"rm -rf ~\");'",
                "mylisp --eval '(system \"rm -rf ~\")'",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "mywatcher -- rm -rf src",
                "mywatcher -x 'git push --force'",
                "myrunner exec git push --force",
                "pm2 start 'rm -rf src'",
                "pueue add 'rm -rf src'",
                "pueue add -- rm -rf src",
                "tsp rm -rf src",
                "mydb -q 'DROP TABLE users'",
                "mydb sql --query 'DELETE FROM users'",
                "mydb -e 'update users set admin = 1'",
                "myctl dynsec deleteClient x",
                "myctl DeleteKeyspace x",
                "myctl removenode x",
                "foreman run rm -rf src",
                "tox exec -- rm -rf src",
            ],
        );
    }

    #[test]
    fn what_only_looks_like_a_command_is_none() {
        check(
            Verdict::Allow,
            &[
                "mytool -- src/rm.rs",
                "mytool --message 'rm -rf ~'",
                "mytool --title 'git push --force'",
                "mytool -c config.toml",
                "mywatcher -- cargo test",
                "mywatcher --exec 'npm test'",
                "myrunner run test",
                "myrunner run build --release",
                "myrunner start app.js",
                "./gate check --command 'rm -rf ~' --json",
                "mytool explain -- rm -rf ~",
                "mytool add 'rm -rf ~'",
                "mypy -c 'import shutil; shutil.rmtree(\"/\")'",
                "black -c 'import os; os.system(\"rm -rf ~\")'",
                "semgrep -e 'os.system(\"rm -rf ~\")' --lang python src",
                "mylang -e 'print(1)'",
                "mydb -q 'SELECT 1'",
                "mytool -c 'update the docs'",
                "mytool GetKeyspaces",
                "mygenerator component deleteButton DeleteButton",
                "myrunner DeleteUserTest",
                "pm2 start app.js --name rm",
                "pm2 start npm -- start",
                "foreman start",
                "man rm",
                "tldr rm",
                "pgrep -f bash",
                "systemctl status bash",
                "apt show find",
                "mytool say 'rm -rf ~'",
                "mytool find . -name x",
                "mytool run find src",
                "mytool node app.js",
            ],
        );
    }
}
