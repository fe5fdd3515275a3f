//! What shells themselves say about a text. Nothing of it is run: they are asked to parse it, and to print what they
//! have read.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Whether bash accepts the text. Extended patterns are on from the start, as a text may switch them on.
pub(crate) fn bash_accepts(text: &str) -> bool {
    let accepts = |options: &[&str]| {
        let arguments = [options, &["-n", "-c", "--", text]].concat();
        // An error inside `[[ ]]` is printed, but the status says nothing of it. Warnings are no refusals.
        let output = run("bash", &arguments, "");
        output.status.success() && String::from_utf8_lossy(&output.stderr).lines().all(|line| line.contains("warning:"))
    };
    accepts(&["-O", "extglob"]) || accepts(&[])
}

/// The text as bash prints what it has read, if it accepts it without a warning. Needs bash 5.2, which prints the inside
/// of `$(…)` anew too.
pub(crate) fn bash_prints(text: &str) -> Option<String> {
    let output = run("bash", &["--norc", "--noprofile", "--pretty-print", "-O", "extglob", "/dev/stdin"], text);
    let clean = output.status.success() && output.stderr.is_empty();
    clean.then(|| String::from_utf8(output.stdout).ok()).flatten()
}

/// Whether dash accepts the text.
pub(crate) fn dash_accepts(text: &str) -> bool {
    let output = run("dash", &["-n"], text);
    output.status.success() && output.stderr.is_empty()
}

/// Whether zsh accepts the text. `zsh -n` would not do: it runs no program, but it expands words, and so reads files.
pub(crate) fn zsh_accepts(text: &str) -> bool {
    let output = run("zsh", &["-f", "-c", "zmodload zsh/parameter && unalias -a; functions[f]=$1", "zsh", text], "");
    output.status.success() && output.stderr.is_empty()
}

/// The text as zsh prints what it has read, if it accepts it. It is made the body of a function, which is not called:
/// the assignment takes any text for the body, so none can get out of it.
pub(crate) fn zsh_prints(text: &str) -> Option<String> {
    const PRINT: &str = "unalias -a; zmodload zsh/parameter && functions[f]=$1 && functions f";
    let output = run("zsh", &["-f", "-c", PRINT, "zsh", text], "");
    let printed =
        String::from_utf8(output.stdout).ok().filter(|_| output.status.success() && output.stderr.is_empty())?;
    let body = printed.strip_prefix("f () {\n")?.strip_suffix("}\n")?;
    Some(body.to_owned())
}

/// Whether a program is there. Says so when it is not, past the capture of the test harness: a test that compares nothing
/// must not look like one that found nothing. `./test` installs the shells.
pub(crate) fn is_installed(program: &str) -> bool {
    let found = Command::new(program).args(["-c", ":"]).stdin(Stdio::null()).output().is_ok();
    if !found {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {program} is not installed: nothing was compared with it");
    }
    found
}

fn run(program: &str, arguments: &[&str], input: &str) -> Output {
    // Bash itself has texts over which it never ends.
    let mut child = Command::new("timeout")
        .args(["5", program])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .env("PATH", "/usr/bin:/bin")
        .spawn()
        .expect("the shell is installed");
    // A shell that refuses the text may stop reading it. Our texts fit into a pipe, so this does not wait.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the shell ends")
}
