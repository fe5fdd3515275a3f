//! Interpreters: one-liners, heredocs and script files. What the code does is judged in [`crate::code`], or by the walker
//! if it is shell code; this family finds the code.

mod debuggers;
mod engines;
mod fish;
mod fish_words;
mod python;
mod scan;
mod scripting;
mod shells;
mod windows;
mod zsh;

pub use scripting::other as language;

use crate::{
    facts::FileText,
    rule::Rule,
    shell::{Call, Judge, Language, Shell, Written, families},
    value::{Arg, Feed, Origin},
};

/// The rules of this family: what the code does has its own rules.
pub static RULES: &[&Rule] = &[];

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    if name == "r2" {
        return Some(debuggers::disassembler);
    }
    let plain = name.trim_end_matches("-dbg").trim_end_matches("-debug");
    // `python3.13t` and `python3.12d` are builds of the same interpreter.
    let plain = match plain.strip_suffix(['t', 'd']) {
        Some(version) if version.starts_with("python") && version.ends_with(|letter: char| letter.is_ascii_digit()) => {
            version
        }
        _ => plain,
    };
    let plain = plain.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    Some(match plain.trim_end_matches('-') {
        "bash" | "sh" | "zsh" | "dash" | "ksh" | "ksh93" | "mksh" | "ash" | "rbash" | "yash" | "posh" | "csh"
        | "tcsh" | "oksh" | "rzsh" | "rksh" => shells::posix,
        "fish" | "nu" | "xonsh" | "elvish" | "ion" | "osh" | "ysh" => shells::modern,
        "python" | "pypy" | "ipython" | "bpython" | "pythonw" | "micropython" | "graalpy" | "py" | "jython"
        | "sage" => python::judge,
        "perl" | "raku" => scripting::perl,
        "ruby" | "jruby" | "irb" | "truffleruby" => scripting::ruby,
        "node" | "nodejs" | "tsx" | "ts-node" | "ts-node-esm" | "babel-node" | "esno" | "zx" | "iojs" | "qjs"
        | "d8" | "electron" | "nw" => scripting::node,
        "php" | "php-cli" | "hhvm" => scripting::php,
        "lua" | "luajit" | "texlua" | "luau" => scripting::lua,
        "Rscript" | "R" | "r" | "littler" => scripting::r,
        "julia" | "elixir" | "iex" | "erl" | "escript" | "ghci" | "runghc" | "runhaskell" | "stack-ghci" | "ocaml"
        | "swift" | "racket" | "guile" | "sbcl" | "clisp" | "ecl" | "octave" | "octave-cli" | "crystal" | "nim"
        | "dart" | "coffee" | "janet" | "chicken-csi" | "csi" | "gosh" | "chibi-scheme" | "swipl" | "gp" | "scilab"
        | "nickle" | "tcc" | "newlisp" | "fennel" | "hy" | "vala" => scripting::other,
        "java" | "jshell" | "groovy" | "scala" | "kotlin" | "kotlinc" | "scala-cli" | "amm" | "bsh" | "jrunscript" => {
            scripting::java
        }
        "ghc" => engines::ghc,
        "gnuplot" | "matlab" | "maxima" => engines::plotter,
        "pdflatex" | "xelatex" | "lualatex" | "latex" | "tex" | "pdftex" | "luatex" | "xetex" | "latexmk"
        | "tectonic" | "luahbtex" | "platex" | "uplatex" | "context" | "dvilualatex" => engines::tex,
        "tclsh" | "wish" | "expect" | "jimsh" => scripting::tcl,
        "osascript" => scripting::osascript,
        "powershell" | "pwsh" | "powershell-preview" | "pwsh-preview" => windows::powershell,
        "radare" | "rizin" => debuggers::disassembler,
        "gdb" | "lldb" | "gdb-multiarch" | "rust-lldb" | "cgdb" | "gdbtui" | "ddd" => debuggers::judge,
        // `rust-gdb`, and those for other machines: `arm-none-eabi-gdb`.
        plain if plain.ends_with("-gdb") => debuggers::judge,
        _ => return None,
    })
}

/// Runs code of a language with its arguments.
fn run_code(shell: &mut Shell<'_>, language: Language, code: &Arg, args: &[Arg], stdin: Feed) -> Feed {
    shell.with_arguments(args, |shell| shell.run_code(language, code, stdin))
}

/// Whether the arguments of a program that also does other things hold code, or name a file of it.
pub fn runs_code(call: &Call) -> bool {
    let code = |arg: &Arg| match arg.value.prefix() {
        "-e" | "--eval" | "-i" | "--init" | "-f" | "--file" | "-" => true,
        text => [".clj", ".cljc", ".bb"].iter().any(|ending| text.ends_with(ending)),
    };
    call.args.iter().any(code) || call.args.is_empty() && !call.stdin.is_none()
}

/// Runs a script file: as the program that it is known as, if one has this name, or else by its content.
fn run_file(shell: &mut Shell<'_>, language: Language, file: &Arg, args: &[Arg], call: &Call) -> Feed {
    // Node also finds a script by its name without the ending, and the index of a directory.
    if let (Language::JavaScript, Some(path)) = (language, file.known())
        && !is_readable(shell, file)
    {
        for ending in [".js", ".cjs", ".ts", "/index.js"] {
            let found = Arg::text(format!("{path}{ending}"), file.span);
            if is_readable(shell, &found) {
                return shell.run_script(language, &found, args, call.stdin.clone());
            }
        }
    }
    if let Some(path) = file.known() {
        let name = path.rsplit('/').next().unwrap_or(path);
        let name = name.strip_suffix(".phar").unwrap_or(name);
        // `python manage.py`, `php artisan`, `ruby bin/rails`, `node node_modules/.bin/jest` are programs of their own.
        let name = module_program(path).unwrap_or(name);
        let is_program = (!name.contains('.') || name == "manage.py") && !is_made(shell, file);
        if is_program
            && find(name).is_none()
            && let Some(judge) = families::find(name)
        {
            let inner = Call {
                name: name.into(),
                program: file.clone(),
                args: args.to_vec(),
                variables: call.variables.clone(),
                stdin: call.stdin.clone(),
                span: call.span,
            };
            return judge(shell, &inner);
        }
        if path.starts_with("http://") || path.starts_with("https://") {
            let origin = Origin::Download { url: path.to_owned(), encrypted: path.starts_with("https://") };
            return shell.run_feed(language, Feed::from(origin), file.span);
        }
    }
    shell.run_script(language, file, args, call.stdin.clone())
}

/// The program that a file of an installed package is: `node_modules/rimraf/bin.js`, `node_modules/webpack/bin/webpack.js`.
fn module_program(path: &str) -> Option<&str> {
    let (_, inside) = path.rsplit_once("node_modules/")?;
    let (package, file) = match inside.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/')?.1.split_once('/')?,
        None => inside.split_once('/')?,
    };
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = [".js", ".cjs", ".mjs"].iter().find_map(|ending| name.strip_suffix(ending))?;
    Some(if matches!(stem, "bin" | "cli" | "index" | "main" | "cmd" | "run") { package } else { stem })
}

/// Whether the command itself has put something at this path: then that runs, whatever its name.
fn is_made(shell: &Shell<'_>, file: &Arg) -> bool {
    matches!(shell.written(&shell.place(&file.value).path), Some(Written::Content(_)))
}

/// Whether the text of a file is known: from the disk, or because the command itself has written it.
fn is_readable(shell: &Shell<'_>, file: &Arg) -> bool {
    let path = shell.place(&file.value).path.clone();
    matches!(shell.written(&path), Some(Written::Content(_))) || matches!(shell.facts().text(&path), FileText::Text(_))
}

/// Runs what flows in as code; without anything that flows in, a session opens that nobody types into.
fn run_stdin(shell: &mut Shell<'_>, language: Language, args: &[Arg], call: &Call) -> Feed {
    if call.stdin.is_none() {
        return call.output();
    }
    shell.with_arguments(args, |shell| shell.run_feed(language, call.stdin.clone(), call.span))
}

#[cfg(test)]
mod fish_tests;
#[cfg(test)]
mod tests;
