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

/// Endings of what is always a file. What has any other may be a directory: `conf.d`, `chart.js`, `App.app`, what
/// `mktemp -d` makes.
const OF_FILES: &[&str] = &[
    "7z",
    "a",
    "bin",
    "bz2",
    "c",
    "cc",
    "class",
    "conf",
    "cpp",
    "crate",
    "csv",
    "deb",
    "dll",
    "dmg",
    "dump",
    "elf",
    "exe",
    "gem",
    "gif",
    "gz",
    "h",
    "hex",
    "hpp",
    "html",
    "ico",
    "img",
    "iso",
    "jar",
    "jpeg",
    "jpg",
    "json",
    "jsonl",
    "key",
    "ko",
    "lib",
    "lock",
    "log",
    "lz4",
    "map",
    "md",
    "mp3",
    "mp4",
    "o",
    "obj",
    "parquet",
    "patch",
    "pdb",
    "pdf",
    "pem",
    "php",
    "pid",
    "png",
    "proto",
    "py",
    "pyc",
    "pyo",
    "rb",
    "rlib",
    "rpm",
    "rs",
    "sh",
    "so",
    "sql",
    "sqlite",
    "svg",
    "tar",
    "tbz",
    "tgz",
    "toml",
    "tsbuildinfo",
    "tsv",
    "ttf",
    "txt",
    "txz",
    "vsix",
    "war",
    "wasm",
    "wav",
    "webp",
    "whl",
    "woff",
    "woff2",
    "xml",
    "xz",
    "yaml",
    "yml",
    "zip",
    "zst",
];

/// Endings of what is a file as a rule, where a pattern asks for all of them.
const OF_FILES_AS_A_RULE: &[&str] = &[
    "css", "db", "dylib", "go", "java", "js", "jsx", "kt", "less", "lua", "mjs", "orig", "out", "pl", "rej", "scss",
    "snap", "swp", "tex", "tmp", "ts", "tsx", "vue",
];

/// `ls` and its kin print names that may be used as paths later.
pub(super) fn list(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = if call.name == "ls" { Syntax { short_values: "ITw", ..LS } } else { LS };
    let options = Options::read(&call.args, &syntax);
    let whole = options.has(&["d", "directory", "list-dirs"]);
    let mut origins = Origins::NONE;
    if options.operands.is_empty() {
        origins.add(Origin::listing(call.name.clone(), ""));
    }
    for operand in &options.operands {
        origins.extend(lists_of(shell, &call.name, operand, whole));
    }
    // The directory itself and the one above it are among the names.
    if options.has(&["a", "all", "f"]) && !whole {
        origins.add(Origin::Astray);
    }
    Feed::from_all(origins)
}

/// The lists that a program prints about one operand: a file is printed as it was named, and so is a directory where it is
/// wanted as a `whole`; otherwise the names of what lies in it are.
fn lists_of(shell: &Shell<'_>, program: &str, operand: &Arg, whole: bool) -> Vec<Origin> {
    let Some(text) = operand.value.known_with_globs() else { return vec![Origin::Program(program.into())] };
    let path = || Origin::listing(program, text.as_ref());
    let names = || Origin::Names { by: program.to_owned(), of: text.clone().into_owned() };
    match operand.known() {
        _ if whole => vec![path()],
        // What lies in the working directory has its path in its name.
        Some("." | "./") => vec![Origin::listing(program, "")],
        Some(text) if is_file(shell, text) => vec![path()],
        Some(_) => vec![names()],
        None if are_files(&text) => vec![path()],
        // Files and directories: of the first the paths, of the others the names in them.
        None => vec![path(), names()],
    }
}

/// Whether a path is that of a file: nobody who has looked has found a directory there, and it has an ending that only
/// files have.
fn is_file(shell: &Shell<'_>, path: &str) -> bool {
    endings(path).any(|ending| OF_FILES.contains(&ending))
        && join(shell.cwd(), path).is_none_or(|path| shell.facts().names(&path).is_none())
}

/// Whether a pattern matches files and no directories. Packages are named like files, and are directories.
fn are_files(pattern: &str) -> bool {
    let holds_packages = |part: &str| part == "node_modules" || part.starts_with('@');
    let is_file = |ending: &str| OF_FILES.contains(&ending) || OF_FILES_AS_A_RULE.contains(&ending);
    let directory = pattern.rsplit('/').nth(1).unwrap_or_default();
    !holds_packages(directory) && endings(pattern).any(is_file)
}

/// What stands behind the last dot of a name, and before the numbers of old copies: `app.log.3`, `libx.so.1.2`.
fn endings(path: &str) -> impl Iterator<Item = &str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let named = [name, plain].into_iter().filter_map(|name| name.rsplit_once('.'));
    named.filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending)
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
