//! `make` and `just`: what their files say is judged where it can be read, the names of the targets where not.

use signoff_model::{Dialect, Span, Unread};

use super::{justfile::Justfile, makefile, rules, tasks};
use crate::{
    facts::FileText,
    path_effects::DELETE_OUTSIDE,
    place::Nature,
    shell::{
        Call, Language, Shell, Written,
        families::unknown,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Value},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// Variables of make whose value runs as a command.
const PROGRAMS: &[&str] = &[
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "FC",
    "RM",
    "SHELL",
    "MAKE",
    "RANLIB",
    "STRIP",
    "INSTALL",
    "LEX",
    "YACC",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO",
    "GO",
    "PYTHON",
    "NODE",
    "NPM",
    "SUDO",
    "DOCKER",
    "PERL",
    "TAR",
    "CURL",
    "GIT",
    "LINKER",
    "HOSTCC",
    "NVCC",
    "CCACHE",
    "CMAKE",
    "RUSTDOC",
    "JAVA",
    "MVN",
];

/// A variable on the command line or in front of the command: a program in it runs.
pub(super) fn variable(shell: &mut Shell<'_>, name: &str, value: &Value, span: Span) {
    if value.is_empty() {
        return;
    }
    let text = value.prefix();
    let strange = text.contains([' ', ';', '|', '&', '`', '>', '$', '/']) || value.has_unknown();
    if PROGRAMS.contains(&name) && strange && !value.has_unknown() || text.contains("$(shell ") || text.contains('`') {
        let code = shell_function(text).map_or_else(|| value.clone(), Value::text);
        shell.run_code(Language::Shell(Dialect::Sh), &Arg { value: code, span }, Feed::none());
    }
}

/// The code of the functions `$(shell …)` in a text, with references of make as those of a shell: `$(HOME)` is `${HOME}`.
fn shell_function(text: &str) -> Option<String> {
    const OPENS: &str = "$(shell ";
    let mut codes = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(OPENS) {
        let mut depth = 1_usize;
        let end = behind.char_indices().find_map(|(at, letter)| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        let code = behind.get(..end.unwrap_or(behind.len())).unwrap_or_default();
        codes.push(references(code));
        rest = behind.get(code.len()..).unwrap_or_default();
    }
    (!codes.is_empty()).then(|| codes.join("\n"))
}

/// A text in which references to variables of make are written as a shell writes them.
fn references(code: &str) -> String {
    let mut all = String::new();
    let mut rest = code;
    while let Some((before, behind)) = rest.split_once('$') {
        all.push_str(before);
        let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let name = behind.strip_prefix('(').and_then(|inner| inner.split_once(')')).map(|(name, _)| name);
        match name.filter(is_name) {
            Some(name) => {
                all.push_str(&format!("${{{name}}}"));
                rest = behind.get(name.len() + 2..).unwrap_or_default();
            }
            None => {
                all.push('$');
                // Two of them stand for one that the shell sees.
                rest = behind.strip_prefix('$').unwrap_or(behind);
            }
        }
    }
    all.push_str(rest);
    all
}

pub(super) fn variables_in_front(shell: &mut Shell<'_>, call: &Call) {
    for (name, value) in &call.variables {
        variable(shell, name, value, call.span);
    }
}

/// `make`, `gmake`, `bmake`, `nmake`, `remake`.
pub(super) fn make(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const MAKE: Syntax = Syntax {
        short_values: "fCIoWE",
        long_values: &[
            "file",
            "makefile",
            "directory",
            "include-dir",
            "old-file",
            "assume-old",
            "new-file",
            "what-if",
            "assume-new",
            "eval",
        ],
        long_flags: &["just-print", "dry-run", "recon", "question", "touch", "print-data-base", "version", "help"],
        ..NONE
    };
    let options = Options::read(&call.args, &MAKE);
    if options.has(&["help", "version", "v", "h"]) {
        return call.output();
    }
    variables_in_front(shell, call);
    for code in options.values(&["E", "eval"]) {
        eval(shell, code);
    }
    let mut targets: Vec<&Arg> = Vec::new();
    let mut settings: Vec<(String, Value)> = Vec::new();
    for operand in &options.operands {
        match assignment(operand) {
            Some((name, value)) => {
                variable(shell, &name, &value, operand.span);
                settings.push((name, value));
            }
            None => targets.push(operand),
        }
    }
    let prints = options.has(&["n", "just-print", "dry-run", "recon", "q", "question", "p", "print-data-base"]);
    let mode = if prints { Mode::Print } else { Mode::Make };
    let before = shell.state.cwd.clone();
    if let Some(directory) = options.value(&["C", "directory"]) {
        let place = shell.place(&directory.value);
        let whole = matches!(place.nature, Nature::Root | Nature::HomeTree | Nature::SystemTree);
        if whole && mode == Mode::Make && targets.iter().any(|target| target.value.prefix().contains("clean")) {
            shell.report(&DELETE_OUTSIDE, place.target(), place.scope, directory.span);
        }
        shell.state.stand_in(&place.path);
    }
    let mut named: Vec<Option<Arg>> = options.values(&["f", "file", "makefile"]).cloned().map(Some).collect();
    if named.is_empty() {
        named.push(None);
    }
    let extra = call.variables.iter().filter(|(name, _)| name == "MAKEFILES");
    for word in extra.flat_map(|(_, value)| value.shown().split_whitespace().map(str::to_owned).collect::<Vec<_>>()) {
        named.insert(0, Some(Arg::text(word, call.span)));
    }
    let (mut files, mut silent) = (Vec::new(), true);
    for file in named {
        if let Some(file) = file.as_ref().filter(|file| file.is("-") || file.is("/dev/stdin")) {
            match call.stdin.known() {
                Some(text) => files.push(("-".to_owned(), text.to_owned())),
                None => {
                    shell.opaque(Unread::Part("make -f -".to_owned()), file.span);
                    silent = false;
                }
            }
            continue;
        }
        match find_file(shell, file.as_ref(), &["GNUmakefile", "makefile", "Makefile"], call) {
            Found::Text(name, text) => files.push((name, text)),
            Found::Unread => silent = false,
            Found::None => {}
        }
    }
    if !files.is_empty() {
        let dirs: Vec<String> =
            options.values(&["I", "include-dir"]).map(|directory| directory.shown().into_owned()).collect();
        run_makefiles(shell, &files, &dirs, &settings, &targets, mode, call);
    } else if silent && mode == Mode::Make {
        by_name(shell, &targets, call);
    }
    shell.state.cwd = before;
    call.output()
}

/// `--eval='$(shell …)'` runs while the makefile is read; `--eval='x: ; code'` is a rule.
fn eval(shell: &mut Shell<'_>, code: &Arg) {
    let shown = code.shown();
    let text = match shell_function(&shown) {
        Some(code) => code,
        None => shown.split_once([';', '\t']).map_or(String::new(), |(_, recipe)| recipe.trim().to_owned()),
    };
    // `$(HOME)` is a variable of the environment unless a makefile sets it, and `$$` a dollar sign.
    let mut text = text.replace("$$", "$");
    for name in ["HOME", "PWD", "USER", "TMPDIR", "OLDPWD"] {
        text = text.replace(&format!("$({name})"), &format!("${name}"));
    }
    shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(text, code.span), Feed::none());
}

/// `NAME=value` on the command line.
pub(super) fn assignment(arg: &Arg) -> Option<(String, Value)> {
    let text = arg.value.prefix();
    let at = text.find('=')?;
    let name = text.get(..at)?.trim_end_matches([':', '+', '?', '!']);
    let named = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    named.then(|| (name.to_owned(), crate::shell::options::strip(&arg.value, at + 1)))
}

fn by_name(shell: &mut Shell<'_>, targets: &[&Arg], call: &Call) {
    for target in targets {
        let shown = format!("{} {}", call.name, target.shown());
        match target.known() {
            Some(name) => {
                tasks::judge(shell, name, &shown, call.program.span.to(target.span));
            }
            None if target.value.prefix().is_empty() => {}
            None => {
                tasks::judge(shell, target.value.prefix(), &shown, call.program.span.to(target.span));
            }
        }
    }
}

/// A file of recipes, looked for where the shell is now.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// Its name and its text.
    Text(String, String),
    /// It cannot be read, which was said.
    Unread,
    /// There is none, or nobody looked.
    None,
}

/// The text of a file by its name: what the command has written, or what is there.
pub(super) fn look(shell: &Shell<'_>, name: &str) -> FileText {
    let place = shell.place(&Value::text(name));
    shell.text_at(&place.path)
}

/// Finds the file that was named, or the first of those that are looked for.
fn find_file(shell: &mut Shell<'_>, file: Option<&Arg>, names: &[&str], call: &Call) -> Found {
    let candidates: Vec<Arg> = match file {
        Some(file) => vec![file.clone()],
        None => names.iter().map(|name| Arg::text(*name, call.program.span)).collect(),
    };
    for candidate in candidates {
        let place = shell.place(&candidate.value);
        match look(shell, &candidate.shown()) {
            FileText::Text(text) => return Found::Text(candidate.shown().into_owned(), text),
            FileText::TooLarge | FileText::Unreadable => {
                let fetched = shell.written(&place.path).and_then(Written::content).filter(Feed::is_foreign);
                match fetched {
                    Some(feed) => drop(shell.run_feed(Language::Other, feed, call.span)),
                    None => shell.opaque(place.shown.clone(), call.span),
                }
                return Found::Unread;
            }
            FileText::NotKnown if file.is_some() && place.nature == Nature::Temporary => {
                shell.tell(&rules::BUILD_PLUGIN, place.shown.clone(), candidate.span);
                return Found::Unread;
            }
            // What is not there now may be there when the command runs.
            FileText::Missing | FileText::Binary if file.is_some() => {
                shell.opaque(place.shown.clone(), candidate.span);
                return Found::Unread;
            }
            FileText::NotKnown | FileText::Missing | FileText::Binary => {}
        }
    }
    Found::None
}

/// So many letters of a makefile are as much work as a short line of it.
const LETTERS: usize = 16;

/// Whether recipes run, or only what runs while the file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Make,
    Print,
}

/// Judges what makefiles do for the targets.
fn run_makefiles(
    shell: &mut Shell<'_>,
    files: &[(String, String)],
    include_dirs: &[String],
    settings: &[(String, Value)],
    targets: &[&Arg],
    mode: Mode,
    call: &Call,
) {
    let settings: Vec<(String, String)> =
        settings.iter().map(|(name, value)| (name.clone(), value.shown().into_owned())).collect();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let key = format!("{}#{}#{settings:?}", shell.cwd().unwrap_or_default(), names.join(","));
    let mut defaults = vec![("HOME".to_owned(), shell.whereabouts().home.clone())];
    if let Some(cwd) = shell.cwd() {
        defaults.push(("CURDIR".to_owned(), cwd.to_owned()));
    }
    let environment = ["MAKEFLAGS", "GNUMAKEFLAGS"].iter().filter_map(|name| {
        let (_, value) = call.variables.iter().find(|(own, _)| own == name)?;
        Some(((*name).to_owned(), value.shown().into_owned()))
    });
    defaults.extend(environment);
    let wanted: Vec<String> = targets.iter().map(|target| target.shown().into_owned()).collect();
    // Each line and each variable in it is a piece of its own, however short.
    let pieces = |text: &str| text.bytes().filter(|byte| matches!(byte, b'\n' | b'$')).count();
    shell.step(files.iter().map(|(_, text)| pieces(text) + text.len() / LETTERS).sum());
    if shell.is_spent() {
        return shell.opaque(Unread::Part(call.name.to_string()), call.span);
    }
    let all = {
        let shell = &*shell;
        let look = |name: &str| {
            let first = look(shell, name);
            let further = include_dirs.iter().map(|directory| look(shell, &format!("{directory}/{name}")));
            std::iter::once(first).chain(further).find(|text| *text != FileText::Missing).unwrap_or(FileText::Missing)
        };
        let wanted = makefile::Wanted { files, settings: &settings, defaults: &defaults, targets: &wanted };
        makefile::read(&wanted, &look)
    };
    let span_of = |at: usize| targets.get(at).map_or(call.program.span, |target| target.span);
    let (mut ran, mut unread): (Vec<(String, String)>, Vec<String>) = (Vec::new(), Vec::new());
    for made in all {
        for code in made.while_read {
            run_once(shell, &mut ran, &key, code, call.program.span);
        }
        for what in made.unread {
            if !unread.contains(&what) {
                shell.opaque(Unread::Part(what.clone()), call.span);
                unread.push(what);
            }
        }
        if mode == Mode::Print {
            continue;
        }
        for (at, (name, code)) in made.targets.into_iter().enumerate() {
            match code {
                Some(code) => run_once(shell, &mut ran, &format!("{key}#{name}"), code, span_of(at)),
                None => {
                    tasks::judge(shell, &name, &format!("{} {name}", call.name), span_of(at));
                }
            }
        }
    }
}

/// Runs a piece of code, unless it ran already or runs now.
fn run_once(shell: &mut Shell<'_>, ran: &mut Vec<(String, String)>, key: &str, code: String, span: Span) {
    let pair = (key.to_owned(), code);
    if ran.contains(&pair) || shell.reading.contains(&pair.0) || pair.1.trim().is_empty() {
        return;
    }
    shell.reading.push(pair.0.clone());
    shell.run_code(Language::Shell(Dialect::Sh), &Arg::text(pair.1.clone(), span), Feed::none());
    shell.reading.pop();
    ran.push(pair);
}

/// Where just looks for its file: here and further up.
const JUSTFILES: &[&str] = &[
    "justfile",
    "Justfile",
    ".justfile",
    "../justfile",
    "../Justfile",
    "../.justfile",
    "../../justfile",
    "../../Justfile",
    "../../.justfile",
];

/// `just recipe args`.
pub(super) fn just(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const JUST: Syntax = Syntax {
        short_values: "fd",
        long_values: &[
            "justfile",
            "working-directory",
            "shell",
            "shell-arg",
            "set",
            "dotenv-path",
            "dotenv-filename",
            "color",
            "dump-format",
        ],
        stops_at_operand: true,
        ..NONE
    };
    let options = Options::read(&call.args, &JUST);
    if options.has(&[
        "n",
        "dry-run",
        "l",
        "list",
        "summary",
        "dump",
        "show",
        "s",
        "evaluate",
        "init",
        "fmt",
        "variables",
        "help",
        "h",
        "version",
        "V",
        "groups",
        "completions",
        "man",
        "changelog",
    ]) {
        return call.output();
    }
    if options.has(&["c", "command"]) {
        return shell.run(call.args.get(options.first_operand..).unwrap_or_default(), call.stdin.clone(), call.span);
    }
    if let Some(program) = options.value(&["shell"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), program.span);
    }
    let targets: Vec<&Arg> = options.operands.iter().copied().filter(|arg| assignment(arg).is_none()).collect();
    let file = options.value(&["f", "justfile"]).cloned();
    let first = targets.get(..targets.len().min(1)).unwrap_or_default();
    match find_file(shell, file.as_ref(), JUSTFILES, call) {
        Found::Text(name, text) => {
            let args: Vec<String> = targets.iter().skip(1).map(|arg| arg.shown().into_owned()).collect();
            run_justfile(shell, &name, &text, first.first().copied(), &args, call);
        }
        Found::Unread => {}
        Found::None => {
            by_name(shell, first, call);
            for recipe in first {
                let behind = call.args.iter().skip_while(|arg| arg != recipe).skip(1);
                unknown::judge_flags(shell, call, recipe, &behind.cloned().collect::<Vec<_>>());
            }
        }
    }
    call.output()
}

fn run_justfile(shell: &mut Shell<'_>, file: &str, text: &str, target: Option<&Arg>, args: &[String], call: &Call) {
    let directory = file.rsplit_once('/').map(|(directory, _)| format!("{directory}/")).unwrap_or_default();
    let mut recipes = {
        let shell = &*shell;
        Justfile::read(text, &|name| {
            look(shell, &if name.starts_with('/') { name.to_owned() } else { format!("{directory}{name}") })
        })
    };
    let key = format!("{}#{file}", shell.cwd().unwrap_or_default());
    let mut ran = Vec::new();
    // Recipes run where their file is.
    let before = shell.state.cwd.clone();
    if !directory.is_empty() {
        let place = shell.place(&Value::text(directory));
        shell.state.stand_in(&place.path);
    }
    for code in std::mem::take(&mut recipes.while_read) {
        run_once(shell, &mut ran, &key, code, call.program.span);
    }
    let span = target.map_or(call.program.span, |target| target.span);
    let name = target.map(|target| target.shown().into_owned()).or_else(|| recipes.first().map(str::to_owned));
    match name.as_deref().map(|name| (name, recipes.code(name, args))) {
        Some((name, Some(code))) => run_once(shell, &mut ran, &format!("{key}#{name}{args:?}"), code, span),
        Some((name, None)) => {
            tasks::judge(shell, name, &format!("{} {name}", call.name), span);
        }
        None => {}
    }
    shell.state.cwd = before;
    for what in recipes.unread {
        shell.opaque(Unread::Part(what), span);
    }
}
