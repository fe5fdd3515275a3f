//! `sed`: edits what flows through, or files in place; its script can write files and run commands.

use signoff_model::{Dialect, Scope, Unread};

use super::{
    edit_in_place, read_all,
    sed_script::{self, Step},
};
use crate::{
    facts::FileText,
    path_effects::Write,
    place::Nature,
    shell::{
        Call, Language, Shell, Written,
        families::filters::{Lines, sed_commands, sed_text},
        options::strip,
    },
    value::{Arg, Feed, Value},
};

#[derive(Default)]
struct Given {
    in_place: bool,
    /// Whether the old text is kept.
    kept: bool,
    quiet: bool,
    scripts: Vec<Arg>,
    script_files: Vec<Arg>,
    operands: Vec<Arg>,
}

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let mut given = read_options(&call.args);
    // To GNU's sed an empty word is a script that does nothing: with nothing printed, nothing is left of the files.
    let mut empties = given.in_place
        && given.quiet
        && given.scripts.is_empty()
        && given.script_files.is_empty()
        && given.operands.first().is_some_and(|first| first.value.is_empty());
    if empties {
        // The BSD form has a script between that word and the files, and leaves what the script prints.
        let before_files = if given.operands.len() > 2 { 2 } else { 1 };
        given.operands.drain(..before_files);
        given.scripts.push(Arg::text("", call.span));
    }
    // The BSD form gives the ending of the backup as a word of its own, mostly an empty one.
    if given.in_place
        && given.operands.first().is_some_and(|first| {
            first.value.is_empty() || (first.value.prefix().starts_with('.') && given.operands.len() > 2)
        })
    {
        given.operands.remove(0);
    }
    if given.scripts.is_empty() && given.script_files.is_empty() && !given.operands.is_empty() {
        given.scripts.push(given.operands.remove(0));
    }
    for script in &given.scripts {
        empties |= run(shell, script, &call.stdin, &given.operands);
    }
    // Nothing is printed unless a script says so.
    let reads_all = given.script_files.is_empty() && given.scripts.iter().all(|script| script.known().is_some());
    empties |= given.quiet
        && reads_all
        && !given.scripts.is_empty()
        && !given.scripts.iter().any(|script| sed_script::prints(&script.shown()));
    for file in &given.script_files {
        let feed = if file.is("-") || file.is("/dev/stdin") { call.stdin.clone() } else { shell.read(file) };
        let seen = feed.text.clone().or_else(|| shell.text_of_copy(&feed));
        match seen {
            Some(value) => empties |= run(shell, &Arg { value, span: file.span }, &Feed::none(), &given.operands),
            // A script can run commands: one that another machine sends is code from there.
            None if feed.is_foreign() => drop(shell.run_feed(Language::Other, feed, file.span)),
            // Whose it is, nobody knows: like any script outside of the project.
            None if is_strange(shell, file) => shell.opaque(Unread::Script(file.shown().into_owned()), file.span),
            None => {}
        }
    }
    if given.in_place {
        let added: String =
            given.scripts.iter().flat_map(|script| sed_script::added(&script.shown())).collect::<Vec<_>>().join("\n");
        for file in given.operands.iter().filter(|_| !added.is_empty()) {
            let place = shell.place(&file.value);
            shell.plant(&place, &added, file.span);
        }
        let how = if empties { Write::Empty } else { Write::Edit };
        for file in &given.operands {
            let changed = edited(shell, file, &given);
            // The old text is kept under another name.
            edit_in_place(shell, file, if given.kept && how == Write::Edit { Write::Append } else { how });
            shell.remember_edit(file, &added);
            match changed {
                Some(changed) => shell.remember_written(file, Written::Content(Feed::of(Value::text(changed)))),
                None => shell.remember_fragment(file, &added),
            }
        }
        return Feed::none();
    }
    if given.operands.is_empty()
        && let (Some(text), [script]) = (call.stdin.known(), given.scripts.as_slice())
        && let Some(changed) = script.known().and_then(|script| sed_text(text, script, given.quiet))
    {
        return Feed::of(Value::text(changed));
    }
    let chooses = given.script_files.is_empty()
        && given.scripts.iter().all(|script| script.known().is_some_and(sed_script::only_chooses));
    Lines::chosen_if(chooses).of(read_all(shell, &given.operands, &call.stdin, "sed"), "sed")
}

/// Whether a script that could not be read is not the project's own.
fn is_strange(shell: &Shell<'_>, file: &Arg) -> bool {
    let place = shell.place(&file.value);
    !file.is("-") && (place.scope != Scope::Project || place.nature == Nature::Temporary)
}

/// What becomes of a file that the text has written, if that is known.
fn edited(shell: &Shell<'_>, file: &Arg, given: &Given) -> Option<String> {
    let path = shell.place(&file.value).path.clone();
    let mut text = match shell.written(&path) {
        Some(Written::Content(feed)) => feed.known()?.to_owned(),
        Some(_) => return None,
        None => match shell.facts().text(&path) {
            FileText::Text(text) => text,
            _ => return None,
        },
    };
    for script in &given.scripts {
        text = sed_text(&text, script.known()?, given.quiet)?;
    }
    given.script_files.is_empty().then_some(text)
}

/// Runs a script: says what it writes and runs, and whether it leaves nothing of a file.
fn run(shell: &mut Shell<'_>, script: &Arg, stdin: &Feed, files: &[Arg]) -> bool {
    let text = script.shown().into_owned();
    let mut empties = false;
    for step in sed_script::read(&text) {
        match step {
            Step::Writes(file) => {
                let file = Arg::text(file, script.span);
                shell.write(&file, Write::Replace);
                if !matches!(file.known(), Some("/dev/stdout" | "/dev/stderr")) {
                    // Some or all of the lines that flow through come to stand there.
                    let feed = match stdin.known().filter(|_| files.is_empty()) {
                        Some(text) => Feed::of(Value::text(text)),
                        None => read_all(shell, files, stdin, "sed").changed_by("sed"),
                    };
                    shell.remember_written(&file, Written::Content(feed));
                }
            }
            Step::Reads(file) => {
                shell.read(&Arg::text(file, script.span));
            }
            Step::Runs(command) => {
                shell.run_text(&Arg::text(command, script.span), Dialect::Sh, Feed::none());
            }
            Step::RunsInput => {
                let lines = stdin.known().filter(|_| files.is_empty()).zip(script.known());
                match lines.and_then(|(lines, script)| sed_commands(lines, script)) {
                    Some(code) => {
                        drop(shell.run_text(&Arg::text(code, script.span), Dialect::Sh, Feed::none()));
                    }
                    None => shell.opaque(Unread::SedLines, script.span),
                }
            }
            Step::Empties => empties = true,
        }
    }
    empties
}

fn read_options(args: &[Arg]) -> Given {
    let mut given = Given::default();
    let mut rest = args.iter();
    let mut ended = false;
    while let Some(arg) = rest.next() {
        let text = arg.value.prefix();
        if ended || !text.starts_with('-') || text == "-" {
            given.operands.push(arg.clone());
            continue;
        }
        let behind = |at: usize| Arg { value: strip(&arg.value, at), span: arg.span };
        match text {
            "--" => ended = true,
            "--expression" => given.scripts.extend(rest.next().cloned()),
            "--file" => given.script_files.extend(rest.next().cloned()),
            "--line-length" => drop(rest.next()),
            _ if text.starts_with("--expression=") => given.scripts.push(behind("--expression=".len())),
            _ if text.starts_with("--file=") => given.script_files.push(behind("--file=".len())),
            "--quiet" | "--silent" => given.quiet = true,
            _ if text.starts_with("--in-place") || text.starts_with("--in-p") => {
                given.in_place = true;
                given.kept |= text.contains('=');
            }
            _ if text.starts_with("--") => {}
            _ => {
                for (at, letter) in text.char_indices().skip(1) {
                    let mut value_of = || {
                        let value = behind(at + 1);
                        if value.value.is_empty() { rest.next().cloned() } else { Some(value) }
                    };
                    match letter {
                        'i' | 'I' => {
                            given.in_place = true;
                            given.kept |= letter == 'i' && !behind(at + 1).value.is_empty();
                        }
                        'n' => {
                            given.quiet = true;
                            continue;
                        }
                        'e' => given.scripts.extend(value_of()),
                        'f' => given.script_files.extend(value_of()),
                        'l' => drop(value_of()),
                        _ => continue,
                    }
                    break;
                }
            }
        }
    }
    given
}
