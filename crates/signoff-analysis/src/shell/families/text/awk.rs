//! `awk`: a program in a language of its own, over files.

use signoff_model::Dialect;

use super::{PLAIN, awk_program, awk_steps, edit_in_place, read_all};
use crate::{
    path_effects::Write,
    shell::{
        Call, Language, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed},
};

const AWK: Syntax = Syntax {
    short_values: "FvfeilEW",
    long_values: &["field-separator", "assign", "file", "source", "include", "load", "exec"],
    stops_at_operand: true,
    ..PLAIN
};

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help_first() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &AWK);
    let scripts: Vec<Arg> = options.values(&["f", "file", "E", "exec"]).cloned().collect();
    let sources: Vec<Arg> = options.values(&["e", "source"]).cloned().collect();
    let inline = scripts.is_empty() && sources.is_empty();
    let files: Vec<&Arg> =
        options.operands.iter().skip(usize::from(inline)).copied().filter(|arg| !is_assignment(arg)).collect();
    if options.values(&["i", "include"]).any(|library| library.is("inplace")) {
        files.iter().for_each(|file| edit_in_place(shell, file, Write::Edit));
    }
    let read = read_all(shell, files.iter().copied(), &call.stdin, "awk");
    let feed = read.clone().changed_by("awk");
    for script in &scripts {
        match script.is("-") || script.is("/dev/stdin") {
            true => drop(shell.run_feed(Language::Awk, call.stdin.clone(), script.span)),
            false => drop(shell.run_script(Language::Awk, script, &[], feed.clone())),
        }
    }
    let program = options.operands.first().filter(|_| inline).map(|program| (*program).clone());
    if let Some(program) = &program {
        follow(shell, call, &options, program, &read);
    }
    for code in sources.iter().chain(program.as_ref()) {
        let out = shell.run_code(Language::Awk, code, feed.clone());
        // A program that only begins reads nothing: what it prints is all there is.
        if out.known().is_some() && code.known().is_some_and(only_begins) {
            return out;
        }
    }
    let chooses = |program: &Arg| program.known().is_some_and(awk_program::only_chooses);
    let plain = options.given.iter().all(|given| matches!(given.name.as_str(), "F" | "field-separator"))
        && options.operands.len() == files.len() + usize::from(inline);
    if plain && program.as_ref().is_some_and(chooses) { read.chosen_by("awk") } else { feed }
}

/// Runs a program whose text and input are known step by step, if all of it can be followed. What it starts is judged beside the
/// reading of the code, and counts only where no agent should do it: there are many kinds of `awk`, and each has ways of its own.
fn follow(shell: &mut Shell<'_>, call: &Call, options: &Options<'_>, program: &Arg, read: &Feed) -> Option<()> {
    let code = program.known()?;
    let input = if only_begins(code) { "" } else { read.known()? };
    let mut variables = Vec::new();
    for given in &options.given {
        let value = given.value.as_ref()?.known()?;
        match given.name.as_str() {
            "F" | "field-separator" => variables.push(("FS".to_owned(), separator(value)?)),
            "v" | "assign" => {
                let (name, value) = value.split_once('=')?;
                (!value.contains('\\')).then_some(())?;
                variables.push((name.to_owned(), value.to_owned()));
            }
            _ => return None,
        }
    }
    // What stands among the files and sets a variable is set when its turn comes.
    if call.args.iter().any(is_assignment) && options.operands.iter().skip(1).any(|arg| is_assignment(arg)) {
        return None;
    }
    let done = awk_steps::run(code, input, &variables)?;
    shell.spend(1 + done.steps / 256);
    let before = std::mem::take(&mut shell.findings);
    for command in &done.commands {
        let command = Arg::text(command.as_str(), program.span);
        shell.subshell(|shell| shell.run_text(&command, Dialect::Sh, Feed::none()));
    }
    let found = std::mem::replace(&mut shell.findings, before);
    if found.is_prohibited() {
        shell.findings.append(found);
    }
    Some(())
}

/// What stands between the fields, as an option says it.
fn separator(value: &str) -> Option<String> {
    match value {
        "t" | "\\t" => Some("\t".to_owned()),
        value if value.contains('\\') => None,
        value => Some(value.to_owned()),
    }
}

/// Whether a program consists of one block that runs before any input.
fn only_begins(code: &str) -> bool {
    let Some(block) = code.trim().strip_prefix("BEGIN").map(str::trim_start).and_then(|rest| rest.strip_prefix('{'))
    else {
        return false;
    };
    let mut depth = 1;
    let end = block.char_indices().find(|(_, letter)| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    end.is_some_and(|(at, _)| at + 1 == block.len())
}

/// `name=value` among the operands sets a variable.
fn is_assignment(arg: &Arg) -> bool {
    arg.value.prefix().split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}
