//! Debuggers: commands on their command line can run programs, the shell and code.

use signoff_model::Dialect;

use super::run_code;
use crate::{
    shell::{Call, Language, Shell},
    value::{Arg, Feed},
};

/// Debuggers: what their commands run, and the program that they start.
pub fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut runs = false;
    let mut program: &[Arg] = &[];
    let mut args = call.args.as_slice();
    while let Some((arg, rest)) = args.split_first() {
        args = rest;
        match arg.value.prefix() {
            "-ex"
            | "--ex"
            | "-eval-command"
            | "--eval-command"
            | "-iex"
            | "-o"
            | "--one-line"
            | "-O"
            | "--one-line-before-file"
            | "-c" => {
                if let Some((command, rest)) = rest.split_first() {
                    args = rest;
                    runs |= matches!(command.known(), Some("run" | "r" | "start" | "process launch"));
                    run_command(shell, command);
                }
            }
            "--args" | "-args" | "--" => {
                program = rest;
                break;
            }
            "-x" | "--command" | "-command" | "-s" | "--source" => {
                if let Some((file, rest)) = rest.split_first() {
                    args = rest;
                    shell.run_script(Language::Other, file, &[], Feed::none());
                }
            }
            _ => {}
        }
    }
    if let Some(text) = call.stdin.known() {
        for line in text.lines() {
            run_command(shell, &Arg::text(line, call.span));
        }
    }
    if call.stdin.text.is_none() && call.stdin.is_foreign() {
        shell.run_feed(Language::Other, call.stdin.clone(), call.span);
    }
    if runs && !program.is_empty() {
        return shell.run(program, call.stdin.clone(), call.span);
    }
    call.output()
}

/// `shell …`, `!…`, `python …`, `call system("…")`.
fn run_command(shell: &mut Shell<'_>, command: &Arg) {
    let text = command.value.prefix().trim_start();
    let skipped = command.value.prefix().len() - text.len();
    let behind = |words: &[&str]| {
        words.iter().find(|word| text.starts_with(**word)).map(|word| Arg {
            value: crate::shell::options::strip(&command.value, skipped + word.len()),
            span: command.span,
        })
    };
    if let Some(code) = behind(&["shell ", "platform shell ", "!", "make "]) {
        shell.subshell(|shell| shell.run_text(&code, Dialect::Sh, Feed::none()));
    } else if let Some(code) = behind(&["python ", "py ", "script ", "python-interactive ", "pi "]) {
        run_code(shell, Language::Python, &code, &[], Feed::none());
    } else if let Some(code) = behind(&["call ", "print ", "p ", "expr ", "expression ", "output ", "compile code "]) {
        // A cast in front of the call says what it gives: `(int)system("…")`.
        let mut skipped = 0;
        let text = code.value.prefix().to_owned();
        while let Some(rest) = text.get(skipped..).map(str::trim_start).filter(|rest| rest.starts_with('('))
            && let Some(end) = rest.find(')')
            && rest
                .get(1..end)
                .is_some_and(|cast| cast.chars().all(|letter| letter.is_alphanumeric() || "_ *()".contains(letter)))
        {
            skipped = text.len() - rest.len() + end + 1;
        }
        let code = Arg { value: crate::shell::options::strip(&code.value, skipped), span: code.span };
        run_code(shell, Language::C, &code, &[], Feed::none());
    }
}
