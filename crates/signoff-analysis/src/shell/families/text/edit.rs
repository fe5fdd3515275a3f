//! Programs that change text files in place.

use signoff_model::Unread;

use super::{EDIT_MANY, LOAD_TABLE, PATCH, PLAIN, edit_in_place, hooks, read_all};
use crate::{
    path_effects::{Depth, Write},
    shell::{
        Call, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Value},
};

pub(super) fn iconv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "fto", long_values: &["from-code", "to-code", "output"], ..PLAIN },
    );
    let feed = read_all(shell, options.operands.iter().copied(), &call.stdin, "iconv").changed_by("iconv");
    match options.value(&["o", "output"]) {
        Some(output) => {
            shell.write(output, Write::Replace);
            Feed::none()
        }
        None => feed,
    }
}

/// `yq -i`, `dasel put`, `crudini --set`: editors of structured files.
pub(super) fn document(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "fprwtsoIP",
            long_values: &[
                "file",
                "from-file",
                "read",
                "write",
                "type",
                "selector",
                "output-format",
                "input-format",
                "indent",
            ],
            ..PLAIN
        },
    );
    let words: Vec<&Arg> = options.operands.to_vec();
    match call.name.as_str() {
        "crudini" => {
            let file = words.first();
            if options.has(&["set", "del", "merge"]) {
                file.iter().for_each(|file| edit_in_place(shell, file, Write::Edit));
                return Feed::none();
            }
            return read_all(shell, file.copied(), &call.stdin, &call.name).changed_by(&call.name);
        }
        "dasel" if matches!(call.arg(0), Some("put" | "delete")) => {
            if let Some(file) = options.value(&["f", "file"]) {
                edit_in_place(shell, file, Write::Edit);
            }
            return Feed::none();
        }
        _ => {}
    }
    let verb = usize::from(matches!(
        options.operand(0),
        Some("e" | "eval" | "ea" | "eval-all" | "r" | "read" | "w" | "write" | "select")
    ));
    if let Some(filter) = words.get(verb) {
        // The variables of these are those of the environment.
        let set = |(name, value): &(String, Value)| (name.clone(), Arg { value: value.clone(), span: call.span });
        let own: Vec<(String, Arg)> = call.variables.iter().map(set).collect();
        let given: Vec<(String, &Arg)> = own.iter().map(|(name, value)| (name.clone(), value)).collect();
        hooks::run(shell, call, filter, &given);
    }
    let files: Vec<&Arg> = words.into_iter().skip(verb + 1).collect();
    if options.has(&["i", "inplace", "in-place", "I"]) && call.name != "jql" {
        files.iter().for_each(|file| edit_in_place(shell, file, Write::Edit));
        return Feed::none();
    }
    read_all(shell, files, &call.stdin, &call.name).changed_by(&call.name)
}

pub(super) fn xml(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let edits = match call.name.as_str() {
        "tidy" => call.has_any(&["-m", "-modify", "-im", "-mi"]),
        "xmlstarlet" | "xml" => {
            matches!(call.arg(0), Some("ed" | "edit" | "fo" | "format"))
                && call.has_any(&["-L", "--inplace", "-i"])
                && !matches!(call.arg(0), Some("fo"))
        }
        _ => false,
    };
    let output = call.args.windows(2).find_map(|pair| match pair {
        [flag, file] if flag.is("-o") || flag.is("--output") => Some(file),
        _ => None,
    });
    if let Some(output) = output.filter(|_| call.name == "xmllint" || call.name == "xsltproc") {
        shell.write(output, Write::Replace);
    }
    let Some(file) = call.args.last().filter(|last| !last.is_option()) else {
        return call.stdin.clone().changed_by(&call.name);
    };
    if edits && call.has_any(&["-L", "--inplace", "-m", "-modify", "-im", "-mi"]) {
        edit_in_place(shell, file, Write::Edit);
        return Feed::none();
    }
    read_all(shell, [file], &call.stdin, &call.name).changed_by(&call.name)
}

pub(super) fn line_ends(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { short_values: "c", long_values: &["convmode", "info"], ..PLAIN });
    if options.has(&["i", "info", "O", "to-stdout", "h", "help", "V", "version"]) {
        return call.output();
    }
    let fresh = options.has(&["n", "newfile"]);
    for (index, file) in options.operands.iter().enumerate() {
        match fresh {
            true if index % 2 == 0 => {}
            true => shell.write(file, Write::Replace),
            false => edit_in_place(shell, file, Write::Edit),
        }
    }
    if options.operands.is_empty() { call.stdin.clone().changed_by(&call.name) } else { Feed::none() }
}

const PATCH_OPTIONS: Syntax = Syntax {
    short_values: "pidoFrBzVYDg",
    long_values: &[
        "strip",
        "input",
        "directory",
        "output",
        "fuzz",
        "reject-file",
        "prefix",
        "suffix",
        "version-control",
        "basename-prefix",
        "ifdef",
        "get",
    ],
    long_flags: &["dry-run", "reverse", "force", "batch", "backup", "ed", "help"],
    ..PLAIN
};

/// `patch` changes the files that the patch names; an `ed` script in it would run commands.
pub(super) fn patch(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PATCH_OPTIONS);
    if call.asks_for_help() || options.has(&["dry-run", "C", "check"]) {
        return Feed::none();
    }
    if options.has(&["e", "ed"]) {
        shell.opaque(Unread::EdPatch, call.span);
    }
    if let Some(output) = options.value(&["o", "output"]) {
        shell.write(output, Write::Replace);
    }
    if let Some(file) = options.operands.first() {
        edit_in_place(shell, file, Write::Edit);
    }
    if let Some(directory) = options.value(&["d", "directory"]) {
        shell.write(directory, Write::Append);
    }
    let named = options.value(&["i", "input"]).or(options.operands.get(1).copied());
    let name = named.map_or_else(|| "stdin".to_owned(), |patch| patch.shown().into_owned());
    if call.stdin.origins.iter().any(|origin| matches!(origin, Origin::Download { .. })) {
        shell.tell(&EDIT_MANY, name, call.span);
    } else {
        shell.tell(&PATCH, name, call.span);
    }
    Feed::none()
}

/// `apply_patch`, the editing tool of coding agents: the patch names each file and what happens to it.
pub(super) fn apply_patch(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let given = call.args.first().map(|arg| arg.value.clone()).or_else(|| call.stdin.text.clone());
    let Some(text) = given.as_ref().and_then(Value::known) else {
        shell.tell(&EDIT_MANY, call.name.as_str(), call.span);
        return Feed::none();
    };
    for line in text.lines() {
        let file = |name: &str| Arg::text(name.trim(), call.span);
        if let Some(name) = line.strip_prefix("*** Delete File:") {
            shell.delete(&file(name), Depth::Single);
        } else if let Some(name) = line.strip_prefix("*** Add File:") {
            shell.write(&file(name), Write::New);
        } else if let Some(name) = line.strip_prefix("*** Update File:").or(line.strip_prefix("*** Move to:")) {
            shell.write(&file(name), Write::Edit);
        }
    }
    Feed::none()
}

/// `sd` edits files in place, or what flows in.
pub(super) fn sd(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "nf", long_values: &["max-replacements", "flags"], ..PLAIN });
    let files = options.operands.get(2..).unwrap_or_default();
    if options.has(&["p", "preview"]) {
        return read_all(shell, files.iter().copied(), &call.stdin, "sd").changed_by("sd");
    }
    let by = options.operand(1).unwrap_or_default().to_owned();
    for file in files {
        edit_in_place(shell, file, Write::Edit);
        shell.remember_fragment(file, &by);
    }
    if files.is_empty() { call.stdin.clone().changed_by("sd") } else { Feed::none() }
}

/// Search and replace over whole trees.
pub(super) fn many(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PLAIN);
    let dry = call.asks_for_help()
        || call.args.is_empty()
        || match call.name.as_str() {
            "ruplacer" => !options.has(&["go"]),
            "comby" => !call.has_any(&["-i", "-in-place", "--in-place"]),
            "sad" => !options.has(&["k", "commit"]),
            _ => options.has(&["s", "dry-run", "print-changed-files", "simulate", "n"]),
        };
    if !dry {
        let what = options.operands.last().map_or_else(|| call.name.to_string(), |last| last.shown().into_owned());
        shell.tell(&EDIT_MANY, what, call.span);
    }
    Feed::none()
}

/// `mlr`: its verbs print; `-I` edits in place, `tee`, `split` and `--ofmt` write.
pub(super) fn miller(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let files = || {
        call.args.iter().rev().take_while(|arg| arg.shown().contains('.') && !arg.value.prefix().contains(['$', ' ']))
    };
    if call.has("-I") {
        files().for_each(|file| edit_in_place(shell, file, Write::Edit));
        return Feed::none();
    }
    let mut dsl = call.args.iter().filter(|arg| {
        arg.value.prefix().contains("system(")
            || arg.value.prefix().contains("exec(")
            || arg.value.prefix().contains("| \"")
    });
    if let Some(code) = dsl.next() {
        shell.opaque(Unread::MillerCommand, code.span);
    }
    let listed: Vec<Arg> = files().cloned().collect();
    read_all(shell, &listed, &call.stdin, "mlr").changed_by("mlr")
}

pub(super) fn csvsql(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "i",
            long_values: &["db", "query", "tables", "db-schema", "before-insert", "after-insert"],
            ..PLAIN
        },
    );
    if let Some(database) = options.value(&["db"])
        && options.has(&["insert", "overwrite", "before-insert", "after-insert"])
    {
        shell.tell(&LOAD_TABLE, database.shown().into_owned(), call.span);
    }
    read_all(shell, options.operands.iter().copied(), &call.stdin, "csvsql").changed_by("csvsql")
}
