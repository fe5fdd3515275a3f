//! The other interpreters, each by a table of its options.

use super::{
    run_code, run_file, run_stdin,
    scan::{self, Line, Syntax},
};
use crate::{
    code,
    facts::FileText,
    path_effects::Write,
    shell::{Call, Language, Shell, families},
    value::{Arg, Feed, Origin, Value},
};

/// Runs what a command line asks for: code, a script, or what flows in.
fn run_line(shell: &mut Shell<'_>, call: &Call, language: Language, line: &Line) -> Feed {
    load_first(shell, language, line);
    if let Some(code) = line.whole_code() {
        return run_code(shell, language, &code, &line.operands, call.stdin.clone());
    }
    match line.operands.split_first() {
        Some((file, args)) if file.is("-") => run_stdin(shell, language, args, call),
        Some((file, args)) => run_file(shell, language, file, args, call),
        None => run_stdin(shell, language, &[], call),
    }
}

/// What options say is loaded before anything else.
fn load_first(shell: &mut Shell<'_>, language: Language, line: &Line) {
    if matches!(language, Language::Perl | Language::Ruby) {
        for (_, directory) in line.options.iter().filter(|(name, _)| name == "I") {
            directory.iter().for_each(|directory| families::wrappers::search_modules(shell, directory));
        }
    }
    for file in &line.preload {
        // Perl puts what stands behind `-M` into its code as it is.
        let is_module = |letter: char| letter.is_ascii_alphanumeric() || "_:=,.-/'+%$@&! ".contains(letter);
        if language == Language::Perl && !file.known().is_some_and(|text| text.chars().all(is_module)) {
            run_code(shell, language, file, &[], Feed::none());
            continue;
        }
        let name = file.known().map(|name| name.split('=').next().unwrap_or(name).trim_end_matches(".pm"));
        if let Some(name) = name {
            shell.import(language, name, file.span);
        }
        if file.value.prefix().contains('/') || file.value.has_unknown() {
            shell.run_script(language, file, &[], Feed::none());
        }
    }
    // So it does with what it splits lines by, if that is quoted.
    if let Some(mark) = line.value(&["F"]).filter(|_| language == Language::Perl)
        && mark.value.prefix().starts_with(['/', '"', '\''])
    {
        run_code(shell, language, mark, &[], Feed::none());
    }
}

const PERL: Syntax = Syntax {
    code: "eE",
    code_words: &[],
    values: "IFVd",
    value_words: &[],
    attached: "i0lCDxTWt",
    preload: &["M", "m"],
    code_ends: false,
    long_dash: false,
};

pub(super) fn perl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let args = reattached(&call.args);
    let line = scan::read(&args, &PERL);
    if line.has(&["c", "v", "V", "h"]) && line.code.is_empty() {
        return call.output();
    }
    stream_editor(shell, call, Language::Perl, line)
}

/// `-F:` and `-MModule` have their value attached; alone they have none.
fn reattached(args: &[Arg]) -> Vec<Arg> {
    args.iter().filter(|arg| !matches!(arg.known(), Some("-F" | "-V" | "-d"))).cloned().collect()
}

/// Perl and Ruby can run code on every line of files, and write the files anew.
fn stream_editor(shell: &mut Shell<'_>, call: &Call, language: Language, mut line: Line) -> Feed {
    let loops = line.has(&["n", "p"]);
    let files: Vec<Arg> =
        if line.code.is_empty() { line.operands.iter().skip(1).cloned().collect() } else { line.operands.clone() };
    if line.code.is_empty() && line.has(&["i"]) {
        // The code stands in a file; what it is done to does not.
        files.iter().for_each(|file| shell.write(file, Write::Edit));
    }
    if line.code.is_empty() || !(loops || line.has(&["i"])) {
        return run_line(shell, call, language, &line);
    }
    load_first(shell, language, &line);
    // `xargs perl -e 's/a/b/' -pi`: options behind the code are still options.
    let in_place = line.has(&["i"]);
    let mut content = if files.is_empty() { call.stdin.clone() } else { Feed::none() };
    for file in &files {
        if in_place {
            shell.write(file, Write::Edit);
        } else {
            content = content.then(shell.read(file));
        }
    }
    let code = line.whole_code().unwrap_or_default();
    if in_place {
        let added = families::text::texts_put_in(&code.shown());
        files.iter().for_each(|file| shell.remember_fragment(file, &added));
    }
    line.operands.clear();
    let code = if loops { for_each_line(language, code) } else { code };
    let out = run_code(shell, language, &code, &files, content.clone().changed_by(&call.name));
    if line.has(&["p"]) && !in_place { content.changed_by(&call.name) } else { out }
}

/// The code as it runs: once for every line, and with what it has set for the lines before.
fn for_each_line(language: Language, code: Arg) -> Arg {
    let (before, behind) = match language {
        Language::Ruby => ("while gets\n", "\nend"),
        _ => ("while (<>) {\n", "\n}"),
    };
    let mut all = Value::text(before);
    all.extend(code.value);
    all.extend(Value::text(behind));
    Arg { value: all, span: code.span }
}

const RUBY: Syntax = Syntax {
    code: "e",
    code_words: &[],
    values: "ICEFS",
    value_words: &["encoding", "external-encoding", "internal-encoding", "enable", "disable", "backtrace-limit"],
    attached: "i0KTWx",
    preload: &["r"],
    code_ends: false,
    long_dash: false,
};

pub(super) fn ruby(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `-S name` looks for the script in the search path: the next word is the script.
    let args: Vec<Arg> = call.args.iter().filter(|arg| !arg.is("-S") && !arg.is("-F")).cloned().collect();
    let line = scan::read(&args, &RUBY);
    // `-v` with a script only makes it talkative.
    let asks = line.has(&["c", "h", "version", "help"]) || line.has(&["v"]) && line.operands.is_empty();
    if asks && line.code.is_empty() {
        return call.output();
    }
    // `-run -e httpd directory`: the library `un` is loaded, and its command serves the directory.
    let library = args.iter().any(|arg| matches!(arg.known(), Some("-run" | "-run.rb")))
        || args.windows(2).any(|pair| matches!(pair, [option, name] if option.is("-r") && name.is("un")));
    if library && line.code.iter().any(|code| code.known().is_some_and(|code| code.trim() == "httpd")) {
        let rest: Vec<Arg> = args.iter().skip_while(|arg| !arg.shown().ends_with("httpd")).skip(1).cloned().collect();
        families::network::serve(shell, &rest, call);
        return call.output();
    }
    stream_editor(shell, call, Language::Ruby, line)
}

const NODE: Syntax = Syntax {
    code: "ep",
    code_words: &["eval", "print", "execute"],
    values: "CPT",
    value_words: &[
        "input-type",
        "conditions",
        "env-file",
        "inspect-port",
        "title",
        "stack-trace-limit",
        "tsconfig",
        "project",
        "compiler-options",
        "dir",
        "cwd",
    ],
    attached: "",
    preload: &["r", "require", "import", "loader", "experimental-loader"],
    code_ends: false,
    long_dash: false,
};

pub(super) fn node(shell: &mut Shell<'_>, call: &Call) -> Feed {
    families::network::exposed::judge(shell, call);
    // `-pe code` and `-p -e code`: only the last letter of the two takes the code.
    let args: Vec<Arg> = call
        .args
        .iter()
        .enumerate()
        .filter_map(|(index, arg)| match arg.known() {
            Some("-pe" | "-ep") => Some(Arg::text("-p", arg.span)),
            Some("-p" | "--print")
                if call.args.get(index + 1).is_some_and(|next| matches!(next.known(), Some("-e" | "--eval"))) =>
            {
                None
            }
            _ => Some(arg.clone()),
        })
        .collect();
    let line = scan::read(&args, &NODE);
    // What is loaded before anything else may come from another machine.
    for (at, arg) in call.args.iter().enumerate().filter(|(_, arg)| arg.is_option()) {
        let name = arg.value.prefix().split('=').next().unwrap_or_default().trim_start_matches('-').to_owned();
        let loaded =
            if NODE.preload.contains(&name.as_str()) { families::tool::attached_or_next(call, at) } else { None };
        let Some(url) = loaded.as_ref().and_then(Arg::known).filter(|text| text.starts_with("http")) else { continue };
        if let Some((scheme @ ("http" | "https"), _)) = url.split_once("://") {
            let origin = Origin::Download { url: url.to_owned(), encrypted: scheme == "https" };
            shell.run_feed(Language::JavaScript, Feed::from(origin), arg.span);
        }
    }
    if line.has(&["v", "version", "h", "help", "c", "check", "v8-options"])
        || args.first().is_some_and(|arg| arg.is("inspect"))
    {
        return call.output();
    }
    if line.has(&["p", "print"])
        && let Some(code) = line.code.last().filter(|code| !code.shown().contains([';', '\n']))
    {
        return run_code(shell, Language::JavaScript, &printed(code), &line.operands, call.stdin.clone());
    }
    // `node --run name` runs a script of the project's manifest.
    if line.has(&["run"])
        && line.code.is_empty()
        && let Some(name) = line.value(&["run"]).or(line.operands.first())
    {
        let npm = [Arg::text("npm", name.span), Arg::text("run", name.span), name.clone()];
        return shell.run(&npm, Feed::none(), call.span);
    }
    if line.has(&["test", "run"]) && line.code.is_empty() {
        return call.output();
    }
    run_line(shell, call, Language::JavaScript, &line)
}

/// The code of an expression whose value is printed.
fn printed(code: &Arg) -> Arg {
    let mut value = Value::text("console.log(");
    value.extend(code.value.clone());
    value.extend(Value::text(")"));
    Arg { value, span: code.span }
}

const PHP: Syntax = Syntax {
    code: "rBRE",
    code_words: &["run", "process-begin", "process-code", "process-end"],
    values: "cdfStzg",
    value_words: &["php-ini", "define", "file", "server", "docroot", "rf", "rc", "re", "rz", "ri"],
    attached: "",
    preload: &[],
    code_ends: false,
    long_dash: false,
};

pub(super) fn php(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = scan::read(&call.args, &PHP);
    if line.code.is_empty()
        && line.has(&[
            "v",
            "m",
            "i",
            "l",
            "h",
            "version",
            "modules",
            "info",
            "syntax-check",
            "help",
            "ini",
            "S",
            "server",
        ])
    {
        if line.has(&["S", "server"]) {
            crate::shell::families::network::serve(shell, &call.args, call);
        }
        return call.output();
    }
    if let Some(file) = line.value(&["f", "file"]) {
        return run_file(shell, Language::Php, file, &line.operands, call);
    }
    for setting in line
        .options
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "d" | "define"))
        .filter_map(|(_, value)| value.as_ref())
    {
        if setting.shown().starts_with("auto_prepend_file") {
            shell.opaque(setting.shown().into_owned(), setting.span);
        }
    }
    run_line(shell, call, Language::Php, &line)
}

const LUA: Syntax = Syntax { code: "e", preload: &["l"], attached: "O", ..EMPTY };

const EMPTY: Syntax = Syntax {
    code: "",
    code_words: &[],
    values: "",
    value_words: &[],
    attached: "",
    preload: &[],
    code_ends: false,
    long_dash: false,
};

pub(super) fn lua(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = scan::read(&call.args, &LUA);
    if line.has(&["v", "b"]) && line.code.is_empty() {
        return call.output();
    }
    run_line(shell, call, Language::Lua, &line)
}

const R: Syntax = Syntax {
    code: "e",
    values: "fgd",
    value_words: &["file", "gui", "debugger", "default-packages", "encoding"],
    ..EMPTY
};

pub(super) fn r(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.args.first().is_some_and(|arg| arg.is("CMD")) {
        return match (call.arg(1), call.args.get(2)) {
            (Some("BATCH"), Some(file)) => run_file(shell, Language::R, file, &[], call),
            _ => call.output(),
        };
    }
    let line = scan::read(&call.args, &R);
    if line.has(&["version", "help"]) {
        return call.output();
    }
    if let Some(file) = line.value(&["f", "file"]).filter(|file| !file.is("-")) {
        return run_file(shell, Language::R, file, &[], call);
    }
    if call.name == "R" && line.code.is_empty() && !line.operands.is_empty() {
        return call.output();
    }
    run_line(shell, call, Language::R, &line)
}

const OTHER: Syntax = Syntax {
    code: "eE",
    code_words: &["eval", "eval-file-code", "expression", "execute", "command"],
    values: "LpJItmrl",
    value_words: &["project", "threads", "procs", "sysimage", "name", "sname", "cookie", "load", "require", "path"],
    ..EMPTY
};

/// Languages of which little is read: what starts a program, and what is plain shell text.
pub fn other(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let single = matches!(call.name.as_str(), "erl");
    let mut syntax = Syntax { long_dash: single, ..OTHER };
    match call.name.as_str() {
        "guile" | "hy" => syntax.code = "c",
        "clisp" => syntax.code = "x",
        "swipl" => syntax.code = "g",
        "erl" => syntax.code_words = &["eval"],
        "swift" | "crystal" | "nim" | "dart"
            if call.args.first().is_some_and(|arg| !arg.is_option() && !arg.value.prefix().contains(['.', '/'])) =>
        {
            // `crystal eval code`, `nim e file`, and otherwise a build.
            return match (call.arg(0), call.args.get(1)) {
                (Some("eval"), Some(code)) if call.name == "crystal" => {
                    run_code(shell, Language::Ruby, code, &[], call.stdin.clone())
                }
                (Some("eval" | "e"), Some(code)) => run_code(shell, Language::Other, code, &[], call.stdin.clone()),
                _ if matches!(call.name.as_str(), "swift" | "dart") => families::packages::small(shell, call),
                _ => families::unknown::judge(shell, call),
            };
        }
        _ => {}
    }
    if call.asks_for_help_first() || call.asks_alone(&["-version", "-v", "-V", "-h"]) {
        return call.output();
    }
    let line = scan::read(&call.args, &syntax);
    if call.name == "iex" {
        return elixir(shell, call, &line);
    }
    run_line(shell, call, Language::Other, &line)
}

/// `iex -S mix`: a session in an application, or a task of the project that runs in one.
fn elixir(shell: &mut Shell<'_>, call: &Call, line: &Line) -> Feed {
    if let Some(code) = line.whole_code() {
        return families::migrations::code::run(shell, Language::Other, &code);
    }
    match line.operands.split_first() {
        Some((script, [])) if script.is("mix") && line.has(&["S"]) => {}
        Some((script, _)) if script.is("mix") && line.has(&["S"]) => {
            shell.run(&line.operands, Feed::none(), call.span);
        }
        Some(_) => return run_line(shell, call, Language::Other, line),
        None => {}
    }
    families::migrations::code::run_stdin(shell, Language::Other, call)
}

const JAVA: Syntax = Syntax {
    code: "e",
    code_words: &["execution-code", "eval", "e", "expression"],
    values: "D",
    value_words: &[
        "cp",
        "classpath",
        "class-path",
        "jar",
        "module",
        "module-path",
        "startup",
        "feedback",
        "add-modules",
        "p",
        "m",
        "add-opens",
        "add-exports",
        "source",
    ],
    attached: "",
    preload: &[],
    code_ends: false,
    long_dash: false,
};

pub(super) fn java(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = Syntax { long_dash: matches!(call.name.as_str(), "java" | "kotlinc" | "kotlin"), ..JAVA };
    if call.asks_first_by(&["--version", "-version", "--help", "-help"]) || call.asks_alone(&["-V"]) {
        return call.output();
    }
    let line = scan::read(&call.args, &syntax);
    if let Some(agent) =
        line.options.iter().find(|(name, _)| name.starts_with("javaagent") || name.starts_with("agentpath"))
    {
        let path = agent.0.split_once(':').map_or("", |(_, path)| path);
        shell.run_script(Language::Other, &Arg::text(path, call.span), &[], Feed::none());
    }
    if line.has(&["jar", "module", "m"]) {
        if let Some(file) = line.value(&["jar", "module", "m"]).or(line.operands.first()) {
            families::unknown::judge_inner(shell, call, file);
        }
        return families::unknown::judge(shell, call);
    }
    let is_source = |file: &Arg| {
        let text = file.shown();
        [".java", ".kts", ".scala", ".groovy", ".sc", ".jsh", ".kt"].iter().any(|ending| text.ends_with(ending))
    };
    match (call.name.as_str(), line.operands.first()) {
        ("jshell", Some(file)) if file.is("-") => run_stdin(shell, Language::Java, &[], call),
        ("java" | "kotlin" | "scala", Some(file)) if !is_source(file) && line.code.is_empty() => {
            families::unknown::judge_inner(shell, call, file);
            families::unknown::judge(shell, call)
        }
        ("kotlinc", Some(_)) if !line.has(&["script"]) && line.code.is_empty() => call.output(),
        _ => run_line(shell, call, Language::Java, &line),
    }
}

const TCL: Syntax = Syntax { code: "c", values: "f", ..EMPTY };

pub(super) fn tcl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = scan::read(&call.args, &TCL);
    if let Some(file) = line.value(&["f"]).filter(|file| !file.is("-")) {
        return run_file(shell, Language::Tcl, file, &line.operands, call);
    }
    run_line(shell, call, Language::Tcl, &line)
}

const OSASCRIPT: Syntax = Syntax { code: "e", values: "ls", ..EMPTY };

/// What a script tells other applications: one on the command line, in a file that can be read, or one that flows in.
fn automation(shell: &mut Shell<'_>, call: &Call, line: &scan::Line) {
    let script = match (line.whole_code(), line.operands.first()) {
        (Some(code), _) => code.known().map(str::to_owned),
        (None, Some(file)) if !file.is("-") => match shell.text_at(&shell.place(&file.value).path) {
            FileText::Text(text) => Some(text),
            _ => None,
        },
        (None, _) => call.stdin.known().map(str::to_owned),
    };
    if let Some(text) = script {
        code::run_automation(shell, &text, call.span);
    }
}

pub(super) fn osascript(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = scan::read(&call.args, &OSASCRIPT);
    let language = match line.value(&["l"]) {
        Some(name) if name.shown().eq_ignore_ascii_case("javascript") => Language::JavaScript,
        _ => Language::AppleScript,
    };
    if language == Language::JavaScript {
        automation(shell, call, &line);
    }
    let feed = run_line(shell, call, language, &line);
    if feed.is_none() { Feed::from(Origin::Program("osascript".into())) } else { feed }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn javascript_that_tells_other_applications_is_read() {
        check(
            Block,
            &[
                "osascript -l JavaScript -e 'Application(\"Terminal\").doScript(\"rm -rf ~\")'",
                "osascript -lJavaScript -e 'var t = Application(\"Terminal\"); t.doScript(\"rm -rf ~\")'",
            ],
        );
        check(
            Ask,
            &[
                "osascript -l JavaScript -e 'Application(\"Finder\").delete(Path(\"/Users/me/x\"))'",
                "osascript -l JavaScript -e 'Application(\"System Events\").keystroke(\"x\")'",
                "osascript -l JavaScript -e 'Application(\"Mail\").outgoingMessages[0].send()'",
                "osascript -l JavaScript -e 'ObjC.import(\"Foundation\"); $.NSTask.alloc.init'",
                "osascript -l JavaScript -e '$.NSFileManager.defaultManager.removeItemAtPathError(p, null)'",
                "echo 'Application(\"Finder\").emptyTrash()' | osascript -l JavaScript",
            ],
        );
        check(
            Allow,
            &[
                "osascript -l JavaScript -e '1 + 1'",
                "osascript -l JavaScript -e 'console.log(JSON.stringify({a: 1}))'",
                "osascript -l JavaScript -e 'Application(\"Finder\").name()'",
                "osascript -l JavaScript -e 'Application(\"Safari\").windows[0].currentTab.url()'",
                "osascript -l JavaScript -e 'var m = new Map(); m.delete(1)'",
                "node -e 'const m = new Map(); m.delete(\"Application\")'",
            ],
        );
    }
}
