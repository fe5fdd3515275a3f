//! Python: `-c`, `-m`, scripts, and what flows in.

use signoff_model::Unread;

use super::{run_code, run_file, run_stdin};
use crate::{
    path_effects::Write,
    shell::{Call, Language, Shell, families},
    value::{Arg, Feed, Origin},
};

/// What the command line asks for.
enum Wanted<'c> {
    Code(Arg, &'c [Arg]),
    Module(Arg, &'c [Arg]),
    Script(&'c Arg, &'c [Arg]),
    Input(&'c [Arg]),
    Nothing,
}

pub(super) fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `sage -python …` is Python itself.
    let args = match call.args.as_slice() {
        [first, rest @ ..] if matches!(first.known(), Some("-python" | "--python" | "-python3" | "--python3")) => rest,
        args => args,
    };
    if shell.variable("PYTHONPATH").is_some() {
        // Whatever lies there under these names is loaded before anything else.
        shell.import(Language::Python, "sitecustomize", call.span);
        shell.import(Language::Python, "usercustomize", call.span);
    }
    match wanted(args) {
        Wanted::Nothing => call.output(),
        Wanted::Code(code, args) if call.name.contains("ipython") => {
            let code = without_magic(shell, &code);
            run_code(shell, Language::Python, &code, args, call.stdin.clone())
        }
        Wanted::Code(code, args) => run_code(shell, Language::Python, &code, args, call.stdin.clone()),
        Wanted::Module(module, args) => run_module(shell, call, &module, args),
        Wanted::Script(file, args) => {
            // A directory runs the file in it that has this name.
            let main = super::super::files::inside(file, &Arg::text("__main__.py", file.span));
            if super::is_readable(shell, &main) {
                return run_file(shell, Language::Python, &main, args, call);
            }
            run_file(shell, Language::Python, file, args, call)
        }
        Wanted::Input(args) => run_stdin(shell, Language::Python, args, call),
    }
}

/// Runs the lines of a session that are no Python but commands, and gives the others.
fn without_magic(shell: &mut Shell<'_>, code: &Arg) -> Arg {
    let Some(text) = code.known().filter(|text| text.contains(['!', '%'])) else { return code.clone() };
    let mut rest = String::new();
    for line in text.lines() {
        let bare = line.trim_start();
        let command = match bare.trim_start_matches('%').split_once(char::is_whitespace) {
            _ if bare.starts_with('!') => bare.trim_start_matches('!'),
            _ if !bare.starts_with('%') => "",
            Some(("sx" | "system" | "bash" | "sh" | "script", command)) => command,
            Some(("timeit" | "time" | "prun", code)) => {
                rest.push_str(code);
                ""
            }
            Some(("matplotlib" | "load_ext" | "autoreload" | "config" | "who" | "whos" | "history", _)) => "",
            // Many of them are named like the program that they run.
            _ => bare.trim_start_matches('%'),
        };
        if !command.is_empty() {
            let command = Arg::text(command, code.span);
            shell.subshell(|shell| shell.run_text(&command, signoff_model::Dialect::Sh, Feed::none()));
        } else if !bare.starts_with('%') {
            rest.push_str(line);
        }
        rest.push('\n');
    }
    Arg::text(rest, code.span)
}

fn wanted(args: &[Arg]) -> Wanted<'_> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.value.prefix();
        let behind = |count: usize| args.get(at + count..).unwrap_or_default();
        if arg.is("-") {
            return Wanted::Input(behind(1));
        }
        let Some(letters) = text.strip_prefix('-') else { return Wanted::Script(arg, behind(1)) };
        if letters.starts_with('-') {
            if matches!(letters, "-help" | "-version" | "-help-all" | "-help-env") {
                return Wanted::Nothing;
            }
            at += if letters == "-check-hash-based-pycs" { 2 } else { 1 };
            continue;
        }
        let mut step = 1;
        for (index, letter) in letters.char_indices() {
            match letter {
                'V' | 'h' | '?' => return Wanted::Nothing,
                'c' | 'm' => {
                    let attached = crate::shell::options::strip(&arg.value, index + 2);
                    let (value, rest) = if attached.is_empty() {
                        (args.get(at + 1).cloned().unwrap_or_default(), behind(2))
                    } else {
                        (Arg { value: attached, span: arg.span }, behind(1))
                    };
                    return if letter == 'c' { Wanted::Code(value, rest) } else { Wanted::Module(value, rest) };
                }
                'W' | 'X' | 'Q' => {
                    step = if letters.len() == index + 1 { 2 } else { 1 };
                    break;
                }
                _ => {}
            }
        }
        at += step;
    }
    Wanted::Input(&[])
}

/// `python -m module …`: most modules are programs of their own.
fn run_module(shell: &mut Shell<'_>, call: &Call, module: &Arg, args: &[Arg]) -> Feed {
    let Some(name) = module.known() else {
        if args.first().is_some_and(|arg| arg.is("--help") || arg.is("--version")) {
            return call.output();
        }
        shell.opaque(Unread::Module(module.shown().into_owned()), module.span);
        return call.output();
    };
    // The working directory comes first: a module of the project hides any other of its name.
    let path = name.replace('.', "/");
    if let Some((package, _)) = name.rsplit_once('.') {
        shell.import(Language::Python, package, module.span);
    }
    for file in [format!("{path}.py"), format!("{path}/__main__.py")] {
        let file = Arg::text(file, module.span);
        if super::is_readable(shell, &file) {
            return shell.run_script(Language::Python, &file, args, call.stdin.clone());
        }
    }
    let operands = || args.iter().filter(|arg| !arg.is_option());
    match name {
        "json.tool" | "json" | "tokenize" | "ast" | "dis" | "pyclbr" => {
            let input = match operands().next() {
                Some(file) => shell.read(file),
                None => call.stdin.clone(),
            };
            if let Some(out) = operands().nth(1) {
                shell.write(out, Write::Replace);
            }
            return input.changed_by(name);
        }
        "base64" | "quopri" | "encodings.rot_13" | "uu" => {
            let mut feed = match operands().next() {
                Some(file) => shell.read(file),
                None => call.stdin.clone(),
            };
            feed = feed.changed_by(name);
            if args.iter().any(|arg| arg.is("-d") || arg.is("-u")) || name.starts_with("enc") {
                feed = feed.also_from(Origin::Decoded);
            }
            return feed;
        }
        "zipfile" | "tarfile" => {
            let unpacks = args.iter().position(|arg| arg.is("-e") || arg.is("--extract"));
            let makes = args.iter().position(|arg| arg.is("-c") || arg.is("--create"));
            if let Some(at) = unpacks
                && let Some(archive) = args.get(at + 1)
            {
                let mut argv = vec![Arg::text("tar", module.span), Arg::text("xf", module.span), archive.clone()];
                if let Some(to) = args.get(at + 2) {
                    argv.extend([Arg::text("-C", module.span), to.clone()]);
                }
                shell.run(&argv, Feed::none(), call.span);
            }
            if let Some(archive) = makes.and_then(|at| args.get(at + 1)) {
                shell.write(archive, Write::Replace);
            }
            return call.output();
        }
        "venv" | "virtualenv" => {
            for directory in operands() {
                shell.write(directory, Write::New);
            }
            return call.output();
        }
        "timeit" => {
            for code in operands() {
                run_code(shell, Language::Python, code, &[], Feed::none());
            }
            return call.output();
        }
        "pdb" | "cProfile" | "profile" | "trace" | "runpy" | "viztracer" | "scalene" | "kernprof" | "bdb"
        | "debugpy" => {
            let debugger = Call { name: name.into(), args: args.to_vec(), ..call.clone() };
            families::network::exposed::judge(shell, &debugger);
            if name == "pdb" {
                obey(shell, &debugger);
            }
            let first = args.iter().position(|arg| !arg.is_option() && arg.value.prefix().ends_with(".py"));
            return match first.and_then(|at| args.get(at).map(|file| (at, file))) {
                Some((at, file)) => {
                    run_file(shell, Language::Python, file, args.get(at + 1..).unwrap_or_default(), call)
                }
                None => call.output(),
            };
        }
        "django" => return as_program(shell, call, "django-admin", module, args),
        "IPython" => return as_program(shell, call, "ipython", module, args),
        "http.server" | "SimpleHTTPServer" => {
            families::network::serve(shell, args, call);
            return call.output();
        }
        "this" | "site" | "sysconfig" | "platform" | "compileall" | "py_compile" | "unittest" | "pytest"
        | "doctest" | "pydoc" | "ensurepip" | "webbrowser" | "idlelib" | "calendar" | "code" | "antigravity"
        | "turtle" | "turtledemo" | "test" | "zipapp" | "symtable" | "pickletools" | "mypy" | "ruff" | "black"
        | "flake8" | "isort" | "pylint" | "coverage" | "sphinx" | "build" | "tox" | "nox" | "pre_commit"
            if families::find(name).is_none() =>
        {
            return call.output();
        }
        _ => {}
    }
    let last = name.rsplit('.').next().unwrap_or(name).replace('_', "-");
    for known in [name.to_owned(), name.replace('_', "-"), last] {
        if families::find(&known).is_some() && (super::find(&known).is_none() || !known.contains('.')) {
            return as_program(shell, call, &known, module, args);
        }
    }
    let inner = Call {
        name: name.into(),
        program: module.clone(),
        args: args.to_vec(),
        variables: Vec::new(),
        stdin: call.stdin.clone(),
        span: call.span,
    };
    families::unknown::judge(shell, &inner)
}

/// `pdb -c '!code'`, and the lines that flow in: whatever is no order of the debugger is code.
fn obey(shell: &mut Shell<'_>, call: &Call) {
    const ORDERS: &str = "c cont continue n next s step r return w where bt u up d down l list ll longlist q quit exit h help b \
        break tbreak cl clear disable enable ignore condition until unt args a whatis source restart run EOF";
    let given = call
        .args
        .iter()
        .enumerate()
        .filter(|(_, arg)| arg.is("-c") || arg.is("--command") || arg.value.prefix().starts_with("--command="));
    let orders: Vec<Arg> = given.filter_map(|(at, _)| families::tool::attached_or_next(call, at)).collect();
    let flows = call.stdin.text.clone().map(|value| Arg { value, span: call.span });
    for order in orders.iter().chain(&flows) {
        let shown = order.shown();
        for line in shown.lines().map(str::trim) {
            let word = line.split_whitespace().next().unwrap_or_default();
            let code = line.trim_start_matches('!');
            let code = ["p ", "pp ", "display ", "interact ", "commands "]
                .iter()
                .find_map(|word| code.strip_prefix(word))
                .unwrap_or(code);
            if !crate::words::is_listed(ORDERS, word) {
                run_code(shell, Language::Python, &Arg::text(code, order.span), &[], Feed::none());
            }
        }
    }
}

fn as_program(shell: &mut Shell<'_>, call: &Call, name: &str, module: &Arg, args: &[Arg]) -> Feed {
    let mut argv = vec![Arg::text(name, module.span)];
    argv.extend(args.iter().cloned());
    shell.run(&argv, call.stdin.clone(), call.span)
}
