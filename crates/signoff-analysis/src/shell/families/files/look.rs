//! Looking at files without reading them: lists, names, sizes, sums.

use super::PLAIN;
use crate::{
    place::{Extent, join},
    shell::{
        Call, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Origins, Value},
};

const LS: Syntax = Syntax {
    short_values: "ITwLP",
    long_values: &[
        "hide",
        "ignore",
        "tabsize",
        "width",
        "level",
        "ignore-glob",
        "sort",
        "time",
        "color",
        "block-size",
        "time-style",
        "git-ignore",
    ],
    ..PLAIN
};

/// `ls` and its kin print names that may be used as paths later.
pub(super) fn list(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = if call.name == "ls" { Syntax { short_values: "ITw", ..LS } } else { LS };
    let options = Options::read(&call.args, &syntax);
    if options.operands.is_empty() {
        return Feed::from(Origin::listing(call.name.clone(), ""));
    }
    let whole = options.has(&["d", "directory", "list-dirs"]);
    let origins: Origins = options.operands.iter().map(|operand| listing_of(&call.name, operand, whole)).collect();
    Feed::from_all(origins)
}

/// The list that a program prints about one operand: a file is printed as it was named, and so is a directory where it is
/// wanted as a `whole`; otherwise the names of what lies in it are.
fn listing_of(program: &str, operand: &Arg, whole: bool) -> Origin {
    match operand.value.known_with_globs() {
        Some(text) if whole || operand.known().is_none() || is_file_name(&text) => {
            Origin::listing(program, text.into_owned())
        }
        // What lies in the working directory has its path in its name.
        Some(text) if matches!(&*text, "." | "./") => Origin::listing(program, ""),
        Some(text) => Origin::Names { by: program.to_owned(), of: text.into_owned() },
        None => Origin::Program(program.into()),
    }
}

/// Whether a path is named as files are, with an ending, and not as directories are.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && stem != "." && ending.starts_with(|letter: char| letter.is_ascii_alphabetic())
    })
}

/// `locate` prints paths from all over the machine.
pub(super) fn locate(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "dln", long_values: &["database", "limit", "onlyin", "name"], ..PLAIN },
    );
    let pattern = options.operand(0).unwrap_or_default().replace('/', "?");
    Feed::from(Origin::listing(call.name.clone(), format!("/**/*{pattern}*")))
}

pub(super) fn pwd(shell: &mut Shell<'_>, _call: &Call) -> Feed {
    match shell.cwd() {
        Some(cwd) => Feed::of(Value::text(format!("{cwd}\n"))),
        None => Feed::from(Origin::Variable("PWD".to_owned())),
    }
}

/// `realpath` and `readlink -f` give the absolute path; plain `readlink` gives what a link says, which is not known.
pub(super) fn realpath(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { long_values: &["relative-to", "relative-base"], ..PLAIN });
    let resolves = call.name.ends_with("realpath") && !options.has(&["relative-to", "relative-base"])
        || options.has(&["f", "e", "m", "canonicalize", "canonicalize-existing", "canonicalize-missing"]);
    match options.operand(0) {
        Some(path) if resolves && options.operands.len() == 1 => match join(shell.cwd(), path) {
            Some(path) => {
                let path = shell.facts().follow(&path).unwrap_or(path);
                Feed::of(Value::text(format!("{path}\n")))
            }
            None => passed_on(call),
        },
        _ => passed_on(call),
    }
}

/// The origins of the arguments go on into what is printed.
fn passed_on(call: &Call) -> Feed {
    let mut origins: Origins = call.args.iter().flat_map(|arg| arg.value.origins().cloned()).collect();
    if call.name.ends_with("dirname") {
        origins.retain(|origin| *origin != Origin::TemporaryName);
    }
    // A link that is listed leads elsewhere.
    if origins.iter().any(|origin| origin.list().is_some()) {
        origins.blurred_by(Origin::Program(call.name.clone()));
    }
    if origins.is_empty() { call.output() } else { Feed::from_all(origins) }
}

/// `which rm` prints a path that ends in the name: enough to know what runs.
pub(super) fn which(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PLAIN);
    match options.operand(0) {
        Some(name) if call.name == "which" && options.operands.len() == 1 && !name.contains('/') => {
            Feed::of(Value::text(format!("/usr/bin/{name}\n")))
        }
        _ => call.output(),
    }
}

/// Programs that look at names, sizes, kinds and sums, and show no content.
pub(super) fn only_looks(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PLAIN);
    for operand in &options.operands {
        let place = shell.place(&operand.value);
        if place.extent != Extent::Anywhere {
            shell.note(signoff_model::EffectKind::Read, place.target(), place.scope, operand.span);
        }
    }
    call.output()
}
