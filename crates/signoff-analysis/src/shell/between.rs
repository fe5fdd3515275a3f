//! What may run between the making of a thing and its removal, and surely leaves it what it was: it is still there, and
//! nothing lies in it that was there before. Whatever is not known here may have done anything.

use super::call::Call;
use crate::value::Arg;

/// What a program leaves as it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Directories, branches and clusters.
    Everything,
    /// Branches and clusters: directories may have been filled out of the history.
    AllButDirectories,
    /// Nothing is sure.
    Nothing,
}

/// Programs that read, print, wait, fetch, copy or unpack, whatever their arguments say. What they delete or move is
/// noticed where it happens.
const HARMLESS: &[&str] = &[
    "[",
    "basename",
    "cat",
    "chmod",
    "cmp",
    "cp",
    "curl",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "false",
    "file",
    "find",
    "grep",
    "head",
    "helm",
    "hexdump",
    "install",
    "jq",
    "kubectl",
    "ls",
    "md5sum",
    "mkdir",
    "mktemp",
    "nl",
    "od",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "readlink",
    "realpath",
    "rg",
    "rm",
    "rmdir",
    "sed",
    "seq",
    "sha1sum",
    "sha256sum",
    "sleep",
    "sort",
    "stat",
    "tail",
    "tee",
    "test",
    "time",
    "touch",
    "tr",
    "tree",
    "true",
    "type",
    "uname",
    "uniq",
    "wc",
    "wget",
    "which",
    "whoami",
    "xxd",
    "yq",
    ":",
];

/// Compilers, and what builds or tests without being told anything.
const BUILDS: &[&str] = &[
    "c++",
    "cc",
    "clang",
    "clang++",
    "cmake",
    "configure",
    "ctest",
    "g++",
    "gcc",
    "javac",
    "jest",
    "meson",
    "mocha",
    "ninja",
    "pytest",
    "rustc",
    "tox",
    "tsc",
    "vitest",
];

/// Programs that build or test by what they are told to do.
const TOLD: &[&str] = &[
    "make", "gmake", "just", "task", "cargo", "go", "npm", "pnpm", "yarn", "bun", "mvn", "gradle", "dotnet", "pip",
    "pip3",
];

/// What they may be told.
const ERRANDS: &[&str] = &[
    "add",
    "all",
    "bench",
    "build",
    "check",
    "ci",
    "clippy",
    "compile",
    "doc",
    "docs",
    "fmt",
    "get",
    "i",
    "init",
    "install",
    "lint",
    "run",
    "test",
    "tests",
    "typecheck",
    "verify",
    "vet",
];

/// What a program leaves as it was made.
pub(super) fn leaves(call: &Call) -> Leaves {
    // Whatever is not called by its plain name may be anything.
    if !call.program.is(&call.name) {
        return Leaves::Nothing;
    }
    let name = call.name.as_str();
    let harmless = match name {
        "cd" => matches!(call.args.as_slice(), [only] if only.known().is_some_and(|to| !to.starts_with('-'))),
        "rsync" | "tar" | "unzip" => !call.args.iter().any(|arg| arg.value.prefix().starts_with("--rem")),
        "git" => return leaves_by_git(&call.args),
        // Only the name of a cluster or of a branch is ever looked for again, and that is noticed.
        "kind" | "k3d" => true,
        _ if TOLD.contains(&name) => words(&call.args).is_some_and(|words| words.iter().all(|word| is_errand(word))),
        _ => HARMLESS.contains(&name) || BUILDS.contains(&name),
    };
    if harmless { Leaves::Everything } else { Leaves::Nothing }
}

/// Whether a word says to build or to test, or only where or with how many.
fn is_errand(word: &str) -> bool {
    ERRANDS.contains(&word) || word.starts_with("./") || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The arguments that are neither options nor variables of a build; none if they cannot be known.
fn words(args: &[Arg]) -> Option<Vec<&str>> {
    let known: Option<Vec<&str>> = args.iter().map(Arg::known).collect();
    Some(known?.into_iter().filter(|arg| !arg.starts_with('-') && !arg.contains('=')).collect())
}

fn leaves_by_git(args: &[Arg]) -> Leaves {
    const READS: &[&str] = &[
        "blame",
        "cat-file",
        "clone",
        "describe",
        "diff",
        "grep",
        "log",
        "ls-files",
        "ls-remote",
        "ls-tree",
        "rev-list",
        "rev-parse",
        "shortlog",
        "show",
        "status",
        "version",
    ];
    let Some((verb, rest)) = args.split_first().and_then(|(verb, rest)| Some((verb.known()?, rest))) else {
        return Leaves::Nothing;
    };
    let options = || rest.iter().map(|arg| arg.value.prefix()).filter(|text| text.starts_with('-') && *text != "-");
    let known = rest.iter().all(|arg| arg.known().is_some());
    match verb {
        verb if READS.contains(&verb) => Leaves::Everything,
        // What goes by `-D` is noticed; by `-d`, `-m` and the like a name may come to stand for something else.
        "branch"
            if known
                && options().all(|option| {
                    matches!(option, "-D" | "-a" | "-r" | "-v" | "-vv" | "--list" | "--show-current" | "-q")
                }) =>
        {
            Leaves::Everything
        }
        "switch" if known && options().all(|option| matches!(option, "-c" | "--create" | "-q" | "--quiet")) => {
            Leaves::AllButDirectories
        }
        "checkout" if known && options().all(|option| matches!(option, "-b" | "-q" | "--quiet")) => {
            Leaves::AllButDirectories
        }
        "add" => Leaves::Everything,
        _ => Leaves::Nothing,
    }
}
