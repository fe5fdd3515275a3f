//! Shells: `bash -c`, scripts, and what flows in.

use signoff_model::{Dialect, Secret, Unread};

use super::{fish, run_code, run_stdin, scan, zsh};
use crate::{
    facts::FileText,
    shell::{Call, Language, Shell, Written},
    value::{Arg, Feed, Origin},
};

fn dialect(name: &str) -> Dialect {
    match name {
        "zsh" | "rzsh" => Dialect::Zsh,
        "sh" | "dash" | "ash" | "posh" | "yash" => Dialect::Sh,
        _ => Dialect::Bash,
    }
}

/// The command line of a shell.
#[derive(Default)]
struct Line<'c> {
    /// `-c`: the first operand is code.
    code: bool,
    /// `-s`: the operands are arguments of what flows in.
    stdin: bool,
    /// `-n`: nothing runs.
    check_only: bool,
    /// `-i`: somebody sits before it.
    interactive: bool,
    /// `-O name`, `+O name`: what `shopt` would set.
    shopt: Vec<&'c Arg>,
    /// `--rcfile`: what runs before a session.
    start_up: Option<&'c Arg>,
    operands: &'c [Arg],
}

impl<'c> Line<'c> {
    fn read(args: &'c [Arg]) -> Self {
        let mut line = Self::default();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let text = arg.value.prefix();
            if matches!(text, "--" | "-") && arg.known().is_some() {
                at += 1;
                break;
            }
            let Some(letters) = text.strip_prefix(['-', '+']).filter(|letters| !letters.is_empty()) else { break };
            at += 1;
            match letters.strip_prefix('-') {
                Some("rcfile" | "init-file") => {
                    line.start_up = args.get(at);
                    at += 1;
                }
                Some(_) => {}
                None => {
                    let given = text.starts_with('-');
                    line.code |= given && letters.contains('c');
                    line.stdin |= given && letters.contains('s');
                    line.check_only |= given && letters.contains('n');
                    line.interactive |= given && letters.contains('i');
                    // `-o name` and `-O name` take the next word, wherever they stand in the cluster.
                    for letter in letters.chars().filter(|letter| matches!(letter, 'o' | 'O')) {
                        line.shopt.extend(args.get(at).filter(|_| letter == 'O'));
                        at += 1;
                    }
                }
            }
        }
        line.operands = args.get(at..).unwrap_or_default();
        line
    }
}

/// What a shell shows to whoever types into it.
fn session(call: &Call) -> Feed {
    Feed::from_all(vec![
        Origin::Program(call.name.clone()),
        Origin::Secret(Secret::Session(call.name.to_string()).to_string()),
    ])
}

/// Shells in the manner of `sh`.
pub(super) fn posix(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let language = Language::Shell(dialect(&call.name));
    if call.asks_for_help_first() {
        return call.output();
    }
    let line = Line::read(&call.args);
    if let Some(file) = line.start_up {
        shell.run_script(language, file, &[], Feed::none());
    }
    if line.check_only {
        return Feed::none();
    }
    let set = options_set(shell, call, &line);
    if set.is_empty() {
        return run_line(shell, call, &line, language);
    }
    // They hold for this shell alone.
    shell.subshell(|shell| {
        let argv = ["shopt", "-s"].map(|word| Arg::text(word, call.span)).into_iter().chain(set);
        shell.run(&argv.collect::<Vec<_>>(), Feed::none(), call.span);
        run_line(shell, call, &line, language)
    })
}

/// The options of `shopt` that a shell begins with: those that it is told, and those that its environment names.
fn options_set(shell: &Shell<'_>, call: &Call, line: &Line<'_>) -> Vec<Arg> {
    let given = call.variables.iter().rfind(|(name, _)| name == "BASHOPTS").map(|(_, value)| value);
    let named = given.or_else(|| shell.variable("BASHOPTS")).cloned();
    let named = named.into_iter().flat_map(|names| match names.known() {
        Some(names) => names.split(':').map(|name| Arg::text(name, call.span)).collect(),
        None => vec![Arg { value: names, span: call.span }],
    });
    line.shopt.iter().map(|arg| (*arg).clone()).chain(named).collect()
}

fn run_line(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>, language: Language) -> Feed {
    // A session begins with what this variable names.
    let session_begins = line.interactive || line.operands.is_empty() && call.stdin.is_none();
    if session_begins && language == Language::Shell(Dialect::Sh) {
        let given = call.variables.iter().rfind(|(name, _)| name == "ENV").map(|(_, value)| value);
        let file = given.or_else(|| shell.variable("ENV")).filter(|file| !file.is_empty()).cloned();
        if let Some(value) = file {
            shell.run_script(language, &Arg { value, span: call.span }, &[], Feed::none());
        }
    }
    match line.operands {
        [code, rest @ ..] if line.code => {
            let split = code.known().filter(|_| language == Language::Shell(Dialect::Zsh)).and_then(zsh::split_forms);
            let split = split.map(|text| Arg::text(text, code.span));
            let code = split.as_ref().unwrap_or(code);
            shell.report_filled_in(code);
            // The next operand is `$0`; the arguments come behind it.
            let name = rest.first().map(|arg| arg.value.clone());
            shell.with_name(name, |shell| {
                run_code(shell, language, code, rest.get(1..).unwrap_or_default(), call.stdin.clone())
            })
        }
        operands if line.stdin || operands.is_empty() => {
            let feed = run_stdin(shell, language, operands, call);
            // Whoever feeds a shell what is not known holds it: what comes out is the shell's answer.
            match &call.stdin.text {
                Some(_) => feed,
                // Nothing flows in: somebody sits before it, and sees whatever it shows.
                None if call.stdin.is_none() => session(call),
                None => call.output(),
            }
        }
        [file, args @ ..] => shell.run_script(language, file, args, call.stdin.clone()),
        [] => call.output(),
    }
}

const MODERN: scan::Syntax = scan::Syntax {
    code: "cC",
    code_words: &["command", "commands", "init-command", "execute"],
    values: "oDf",
    value_words: &["config", "env-config", "features", "debug", "profile", "rc", "include-path"],
    attached: "",
    preload: &[],
    code_ends: false,
    long_dash: false,
};

/// Shells with a language of their own, which is close enough for simple commands.
pub(super) fn modern(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let language = Language::Shell(Dialect::Bash);
    let line = scan::read(&call.args, &MODERN);
    // In Nushell the letter leaves out the settings, and the code runs all the same.
    let checks_only = line.has(&["no-execute"]) || line.has(&["n"]) && call.name != "nu";
    if call.asks_for_help_first() || checks_only {
        return call.output();
    }
    let is_fish = call.name == "fish";
    if let Some(code) = line.whole_code() {
        let code = if is_fish { as_bash(shell, &code) } else { code };
        return run_code(shell, language, &code, &line.operands, call.stdin.clone());
    }
    match line.operands.as_slice() {
        [] if is_fish && call.stdin.known().is_some() => {
            let code = as_bash(shell, &Arg { value: call.stdin.text.clone().unwrap_or_default(), span: call.span });
            run_code(shell, language, &code, &[], Feed::none())
        }
        [file, args @ ..] if is_fish && let Some(text) = text_of(shell, file) => {
            let code = as_bash(shell, &Arg::text(text, file.span));
            shell.subshell(|shell| run_code(shell, language, &code, args, call.stdin.clone()))
        }
        [] => run_stdin(shell, language, &[], call),
        [file, args @ ..] => shell.run_script(language, file, args, call.stdin.clone()),
    }
}

/// Code of fish in the words of bash. Where it says more than bash can, it is read as far as it looks the same, and is told
/// as unread.
fn as_bash(shell: &mut Shell<'_>, code: &Arg) -> Arg {
    let read = code.known().and_then(fish::in_bash);
    if !read.as_ref().is_some_and(|read| read.certain) {
        shell.opaque(Unread::Code, code.span);
    }
    read.map_or_else(|| code.clone(), |read| Arg::text(read.text, code.span))
}

/// The text of a script, if it is known.
fn text_of(shell: &Shell<'_>, file: &Arg) -> Option<String> {
    let path = shell.place(&file.value).path.clone();
    match shell.written(&path) {
        Some(Written::Content(feed)) => feed.known().map(str::to_owned),
        Some(_) => None,
        None => match shell.facts().text(&path) {
            FileText::Text(text) => Some(text),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask};

    use crate::testing::check;

    #[test]
    fn a_shell_begins_with_the_options_that_it_is_told() {
        check(
            Ask,
            &[
                "bash -O execfail -c 'cd /tmp/x || exec nosuch; rm -rf *'",
                "bash -O extglob -O execfail -c 'cd /tmp/x || exec nosuch; rm -rf *'",
                "bash -eO execfail -c 'cd /tmp/x || exec nosuch; rm -rf *'",
                "BASHOPTS=extglob:execfail bash -c 'cd /tmp/x || exec nosuch; rm -rf *'",
                "bash -O \"$X\" -c 'cd /tmp/x || exec nosuch; rm -rf *'",
                "bash -O lastpipe -c 'echo src | read x; rm -rf \"$x\"'",
            ],
        );
        check(
            Allow,
            &[
                "bash -c 'cd /tmp/x || exec nosuch; rm -rf *'",
                "bash -O extglob -c 'cd /tmp/x || exit; rm -rf *'",
                "bash -O globstar -c 'rm -f **/*.pyc'",
                "bash -O nullglob -c 'for f in *.rs; do wc -l \"$f\"; done'",
                "bash -O execfail -c 'ls'; cd /tmp/x || exec nosuch; echo hi",
            ],
        );
    }
}
