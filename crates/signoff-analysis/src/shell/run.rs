//! Running, in the abstract: an argument list, a text, a script.

use std::rc::Rc;

use compact_str::CompactString;
use signoff_model::{Dialect, Span, Unread};

use super::{
    builtins::{SETUP_OUTPUT, SETUP_VERBS},
    call::Call,
    families,
    machine::{MAX_DEPTH, Shell, Variable},
    rules,
    streams::Plumbing,
    syntax::{self, Limits, tree::Command},
    table::Table,
    written::Written,
};
use crate::{
    code,
    facts::FileText,
    place::{Extent, Nature, Place},
    value::{Arg, Feed, Origin, Piece, Value},
};

/// A language that a text can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A shell.
    Shell(Dialect),
    /// Python.
    Python,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// JavaScript or TypeScript.
    JavaScript,
    /// PHP.
    Php,
    /// Lua.
    Lua,
    /// awk.
    Awk,
    /// R.
    R,
    /// Java, Groovy, Kotlin, Scala or C#.
    Java,
    /// C, C++ or Objective-C.
    C,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// PowerShell.
    PowerShell,
    /// AppleScript.
    AppleScript,
    /// Tcl and expect.
    Tcl,
    /// SQL of some database.
    Sql,
    /// Something else: the name of the interpreter says what.
    Other,
}

impl Shell<'_> {
    /// Runs an argument list: the first word names the program. For wrappers such as `sudo` or `xargs`.
    pub fn run(&mut self, argv: &[Arg], stdin: Feed, span: Span) -> Feed {
        self.run_program(argv.to_vec(), Vec::new(), stdin, span)
    }

    /// Runs an argument list with variables that are set for it alone.
    pub fn run_with(&mut self, variables: Vec<(String, Value)>, argv: &[Arg], stdin: Feed, span: Span) -> Feed {
        self.run_program(argv.to_vec(), variables, stdin, span)
    }

    /// Runs a simple command: an alias, a function, a builtin or a program.
    pub(super) fn run_words(
        &mut self,
        argv: Vec<Arg>,
        variables: Vec<(String, Value)>,
        plumbing: &Plumbing,
        span: Span,
    ) -> Feed {
        let Some((program, args)) = argv.split_first() else {
            // Every word vanished: only the assignments are left.
            for (name, value) in variables {
                self.set_variable(&name, Variable::Scalar(vec![value]), span);
            }
            return Feed::none();
        };
        if !variables.is_empty() {
            self.set_environment(&variables, span);
        }
        if let Some(name) = program.known() {
            self.check_connection(plumbing, base_name(name), span);
            if matches!(name, "echo" | "printf" | "print") && plumbing.shows() && !self.captured && !self.concurrent {
                self.show_variables(args);
            }
            if let Some(feed) = self.expand_alias(name, args, &plumbing.stdin, span) {
                // A script does not expand aliases: the program of that name is the other reading.
                if families::find(name).is_some() {
                    self.run_program(argv.clone(), variables, plumbing.stdin.clone(), span);
                }
                return feed;
            }
            if self.state.uncertain.iter().any(|uncertain| uncertain == name) {
                self.run_program(argv.clone(), variables.clone(), plumbing.stdin.clone(), span);
            }
            if self.state.functions.contains_key(name) {
                let before: Vec<_> =
                    variables.iter().map(|(name, _)| (name.clone(), self.state.variables.get(name).cloned())).collect();
                for (name, value) in variables {
                    self.state.variables.insert(name, Variable::Scalar(vec![value]));
                }
                let feed = self.call_function(name, args, &plumbing.stdin, span).unwrap_or_default();
                self.restore(before);
                return feed;
            }
        }
        self.run_program(argv, variables, plumbing.stdin.clone(), span)
    }

    /// Aliases of the text are taken as if they were expanded: an interactive shell would.
    fn expand_alias(&mut self, name: &str, args: &[Arg], stdin: &Feed, span: Span) -> Option<Feed> {
        let mut code = self.state.aliases.get(name)?.clone();
        if self.calls.iter().any(|call| call.name == name) {
            return None;
        }
        for arg in args {
            code.push(Piece::text(" "));
            for piece in arg.value.pieces() {
                code.push(match piece {
                    Piece::Text(text) => Piece::text(quote(text)),
                    piece => piece.clone(),
                });
            }
        }
        let running = self.running(name, args);
        self.calls.push(running);
        let feed = self.run_text(&Arg { value: code, span }, self.dialect, stdin.clone());
        self.calls.pop();
        Some(feed)
    }

    /// Runs a builtin or a program, functions and aliases aside.
    pub(super) fn run_program(
        &mut self,
        argv: Vec<Arg>,
        variables: Vec<(String, Value)>,
        stdin: Feed,
        span: Span,
    ) -> Feed {
        let mut words = argv.into_iter();
        let Some(program) = words.next() else { return Feed::none() };
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            self.spend_out(span);
            return Feed::none();
        }
        let Some(path) = program.known().map(CompactString::from) else {
            let words: Vec<Arg> = words.collect();
            if let Some(named) = program_by_glob(&program) {
                let resolved = std::iter::once(Arg::text(named, program.span)).chain(words.iter().cloned()).collect();
                self.run_program(resolved, variables, stdin, span);
            }
            if !self.is_variable_of_another(&program.shown(), &words) {
                self.report_unknown_program(&program, span);
            }
            return Feed::from(Origin::Program(String::new()));
        };
        // Every wrapper holds the arguments that are left.
        self.spend(1 + words.len() / 8);
        self.depth += 1;
        let call = Call { name: base_name(&path).to_owned(), program, args: words.collect(), variables, stdin, span };
        // Variables that are set for this program alone are seen by it, and by the code that it runs.
        let exported = self.state.exported.len();
        let before: Vec<_> =
            call.variables.iter().map(|(name, _)| (name.clone(), self.state.variables.get(name).cloned())).collect();
        for (name, value) in &call.variables {
            self.state.variables.insert(name.clone(), Variable::Scalar(vec![value.clone()]));
            self.state.exported.push(name.clone());
        }
        let feed = self.judge(&call, &path);
        self.restore(before);
        self.state.exported.truncate(exported);
        self.depth -= 1;
        feed
    }

    fn judge(&mut self, call: &Call, path: &str) -> Feed {
        if path.contains('/') {
            if let Some(feed) = self.run_path(call) {
                return feed;
            }
        } else if let Some(feed) = self.run_builtin(call) {
            return feed;
        }
        if self.state.written.len() > 0 || call.stdin.text.is_some() {
            self.run_carried(call);
        }
        families::own::removed_by_manager(self, call);
        let feed = match families::find(&call.name) {
            Some(judge) => judge(self, call),
            None => families::unknown::judge(self, call),
        };
        let verb = call.args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known());
        let plain = feed.text.is_none() && matches!(feed.origins.as_slice(), [Origin::Program(_)]);
        if plain && verb.is_some_and(|verb| SETUP_VERBS.contains(&verb)) && !path.contains('/') {
            return Feed::from(Origin::Program(SETUP_OUTPUT.to_owned()));
        }
        // Only builtins are known to print nothing; a program always may.
        if feed.is_none() { Feed::from(Origin::Program(call.name.clone())) } else { feed }
    }

    /// A program named by a path: one that the text has written, a script of the project, or a well-known program.
    /// None if the name alone decides.
    fn run_path(&mut self, call: &Call) -> Option<Feed> {
        let place = self.place(&call.program.value);
        match self.state.written.get(&place.path).cloned() {
            Some(Written::Program(name)) => {
                let mut argv = vec![Arg::text(name, call.program.span)];
                argv.extend(call.args.iter().cloned());
                return Some(self.run_program(argv, call.variables.clone(), call.stdin.clone(), call.span));
            }
            Some(Written::Content(feed)) => {
                let language = feed.known().map_or(Language::Shell(self.dialect), language_of_text);
                return Some(self.with_arguments(&call.args, |shell| shell.run_feed(language, feed, call.span)));
            }
            Some(Written::Compiled(language, source)) => {
                return Some(self.with_arguments(&call.args, |shell| shell.run_feed(language, source, call.span)));
            }
            Some(Written::Link(_) | Written::Tree { .. }) | None => {}
        }
        let directory = place.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let installed = ["/bin", "/sbin", "/.bin"].iter().any(|end| directory.ends_with(end));
        if installed && families::find(&call.name).is_some() {
            return None;
        }
        // A build that the tree brings along, such as `./gradlew`, is as usual as `make` in it.
        if families::builds::find(&call.name).is_none()
            && let Some(feed) = self.run_fetched(&place, call.program.span)
        {
            return Some(feed);
        }
        match self.facts.text(&place.path) {
            FileText::Text(text) => {
                // The system goes by the first line; only a text without one is what its name says.
                let language =
                    if text.starts_with("#!") { language_of_text(&text) } else { language_of_name(&call.name) };
                Some(self.run_script(language, &call.program, &call.args, call.stdin.clone()))
            }
            FileText::TooLarge | FileText::Unreadable => {
                self.opaque(Unread::Script(place.shown.clone()), call.span);
                Some(Feed::from(Origin::Program(call.name.clone())))
            }
            FileText::NotKnown | FileText::Missing | FileText::Binary if place.nature == Nature::Temporary => {
                self.opaque(Unread::Program(place.shown.clone()), call.span);
                Some(Feed::from(Origin::Program(call.name.clone())))
            }
            FileText::NotKnown | FileText::Missing | FileText::Binary => None,
        }
    }

    /// Reads a text as shell code and runs it in this shell. What it does is blamed on the argument.
    pub fn run_text(&mut self, code: &Arg, dialect: Dialect, stdin: Feed) -> Feed {
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            self.spend_out(code.span);
            return Feed::none();
        }
        if code.value.pieces().iter().all(|piece| matches!(piece, Piece::Unknown(_))) && !code.value.is_empty() {
            return self.run_unknown(code.value.origins().cloned().collect(), code.value.unread(), code.span);
        }
        // Unknown parts become variables of their own: data in the code, unless they name a program.
        let mut text = String::new();
        for piece in code.value.pieces() {
            match piece {
                Piece::Text(part) | Piece::Glob(part) => text.push_str(part),
                Piece::Unknown(unknown) => {
                    let name = format!("__unknown_{}", self.state.variables.len());
                    text.push_str(&format!("${{{name}}}"));
                    let value = Value::unknown(unknown.shown.clone(), unknown.origins.clone());
                    self.state.variables.insert(name, Variable::Scalar(vec![value]));
                }
            }
        }
        let script = syntax::parse(&text, dialect, &Limits::default());
        let outer = self.blame;
        self.blame = Some(outer.unwrap_or(code.span));
        self.depth += 1;
        let feed = self.walk(&script, stdin);
        self.depth -= 1;
        self.blame = outer;
        feed
    }

    /// Reads a text as code of some language and runs it in a shell or interpreter of its own.
    pub fn run_code(&mut self, language: Language, code: &Arg, stdin: Feed) -> Feed {
        match language {
            Language::Shell(dialect) => self.subshell(|shell| {
                shell.leave_unexported();
                shell.leave_functions();
                shell.run_text(code, dialect, stdin)
            }),
            language => {
                let whole = code.value.pieces().iter().all(|piece| matches!(piece, Piece::Unknown(_)));
                if whole && !code.value.is_empty() {
                    return self.run_unknown(code.value.origins().cloned().collect(), code.value.unread(), code.span);
                }
                if self.fuel == 0 || self.depth >= MAX_DEPTH {
                    self.spend_out(code.span);
                    return Feed::none();
                }
                self.fuel -= 1;
                self.depth += 1;
                let outer = self.blame;
                self.blame = Some(outer.unwrap_or(code.span));
                let feed = self.subshell(|shell| shell.hearing(|shell| code::run(shell, language, code, &stdin)));
                self.blame = outer;
                self.depth -= 1;
                feed
            }
        }
    }

    /// Gives variables back the values that they had.
    pub(super) fn restore(&mut self, before: Vec<(String, Option<Variable>)>) {
        for (name, value) in before {
            match value {
                Some(value) => self.state.variables.insert(name, value),
                None => {
                    self.state.variables.remove(&name);
                }
            }
        }
    }

    /// A shell of its own sees only what was exported: every other variable of the text may be empty there.
    fn leave_unexported(&mut self) {
        let names: Vec<String> = self
            .state
            .variables
            .keys()
            .filter(|name| {
                let listed = |names: &[String]| names.iter().any(|listed| listed == name);
                let seen = listed(&self.state.exported) && !listed(&self.state.withheld);
                !seen && !name.starts_with("__unknown_")
            })
            .map(str::to_owned)
            .collect();
        for name in names {
            if let Some(Variable::Scalar(mut values)) = self.state.variables.get(&name).cloned()
                && !values.iter().any(Value::is_empty)
            {
                values.push(Value::default());
                let values = super::expand::any_of(values, &name);
                self.state.variables.insert(name, Variable::Scalar(values));
            }
        }
    }

    /// A shell of its own sees only the functions that were exported, and no alias.
    fn leave_functions(&mut self) {
        let kept: Vec<(String, Rc<Command>)> = self
            .state
            .functions
            .iter()
            .filter(|(name, _)| self.state.exported.iter().any(|exported| exported == name))
            .map(|(name, body)| (name.to_owned(), body.clone()))
            .collect();
        self.state.functions = Table::default();
        self.state.aliases = Table::default();
        for (name, body) in kept {
            self.state.functions.insert(name, body);
        }
    }

    /// Runs what flows in as code of some language: `… | sh`, `python3 -`, `bash < file`.
    pub fn run_feed(&mut self, language: Language, feed: Feed, span: Span) -> Feed {
        if !feed.alternatives().is_empty() {
            let mut out = Feed::none();
            for value in feed.alternatives() {
                out = out.or(self.run_feed(language, Feed::of(value.clone()), span));
            }
            return out;
        }
        match feed.text {
            Some(value) => self.run_code(language, &Arg { value, span }, Feed::none()),
            None if feed.origins.is_empty() => Feed::none(),
            None => {
                let out = self.run_unknown(feed.origins, Unread::Inflow, span);
                match language {
                    Language::Shell(_) => Feed::from(Origin::Program("sh".to_owned())),
                    _ => out,
                }
            }
        }
    }

    /// Code that is not known runs: how bad that is depends on where it comes from.
    pub(super) fn run_unknown(&mut self, origins: Vec<Origin>, what: Unread, span: Span) -> Feed {
        let mut reported = false;
        for origin in &origins {
            match origin {
                Origin::Download { url, encrypted } => {
                    let rule = if *encrypted { &rules::DOWNLOADED_CODE } else { &rules::UNENCRYPTED_CODE };
                    self.findings.gap(Unread::Sent(url.clone()), self.blamed(span));
                    self.tell(rule, url.clone(), span);
                    reported = true;
                }
                Origin::Decoded => {
                    self.findings.gap(Unread::Decoded, self.blamed(span));
                    self.tell_unread(&rules::DECODED_CODE, what.clone(), span);
                    reported = true;
                }
                _ => {}
            }
        }
        if !reported {
            self.opaque(what, span);
        }
        Feed::from(Origin::Program("code".to_owned()))
    }

    /// Runs a script file with arguments: reads it when that is possible, otherwise follows the rule for the project's
    /// own scripts.
    pub fn run_script(&mut self, language: Language, file: &Arg, args: &[Arg], stdin: Feed) -> Feed {
        self.subshell(|shell| shell.with_arguments(args, |shell| shell.read_and_run(language, file, args, stdin)))
    }

    /// Runs a script file in this shell.
    pub(super) fn source_script(&mut self, file: &Arg, call: &Call) -> Feed {
        let args = call.args.get(1..).unwrap_or_default();
        let language = Language::Shell(self.dialect);
        if args.is_empty() {
            return self.read_and_run(language, file, args, call.stdin.clone());
        }
        self.with_arguments(args, |shell| shell.read_and_run(language, file, args, call.stdin.clone()))
    }

    /// Runs `body` with these as the positional parameters.
    pub(super) fn with_arguments<T>(&mut self, args: &[Arg], body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.positional.replace(Rc::new(args.to_vec()));
        let result = body(self);
        self.state.positional = before;
        result
    }

    fn read_and_run(&mut self, language: Language, file: &Arg, args: &[Arg], stdin: Feed) -> Feed {
        let place = self.place(&file.value);
        match self.state.written.get(&place.path).cloned() {
            Some(Written::Content(feed)) => return self.run_feed(language, feed, file.span),
            Some(Written::Program(name)) => {
                self.opaque(Unread::Copy(name), file.span);
                return Feed::none();
            }
            Some(Written::Compiled(language, source)) => return self.run_feed(language, source, file.span),
            Some(Written::Link(_) | Written::Tree { .. }) | None => {}
        }
        if let Some(feed) = self.run_fetched(&place, file.span) {
            return feed;
        }
        if matches!(place.path.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
            return self.run_feed(language, stdin, file.span);
        }
        if let Some(feed) = self.read_descriptor(&place.path) {
            return self.run_feed(language, feed, file.span);
        }
        if place.extent != Extent::Exact {
            let origins: Vec<Origin> = file.value.origins().cloned().collect();
            return self.run_unknown(origins, Unread::Part(place.shown), file.span);
        }
        let text = self.facts.text(&place.path);
        self.run_file(language, &place, text, file, args, stdin)
    }

    fn run_file(
        &mut self,
        language: Language,
        place: &Place,
        text: FileText,
        file: &Arg,
        args: &[Arg],
        stdin: Feed,
    ) -> Feed {
        match text {
            FileText::Text(text) => {
                if self.reading.contains(&place.path) {
                    return Feed::none();
                }
                let language = match language {
                    Language::Shell(_) if file.span == Span::default() => language_of_text(&text),
                    language => language,
                };
                self.reading.push(place.path.clone());
                let feed = self.run_code(language, &Arg { value: Value::text(text), span: file.span }, stdin);
                self.reading.pop();
                feed
            }
            FileText::NotKnown if place.nature != Nature::Temporary => {
                // The rubric's rule for the project's own scripts: the name and the arguments say what it is for.
                let call = Call {
                    name: place.file_name().to_owned(),
                    program: file.clone(),
                    args: args.to_vec(),
                    variables: Vec::new(),
                    stdin,
                    span: file.span,
                };
                families::unknown::judge(self, &call)
            }
            FileText::NotKnown | FileText::Missing | FileText::Binary | FileText::TooLarge | FileText::Unreadable => {
                self.opaque(Unread::Script(place.shown.clone()), file.span);
                Feed::none()
            }
        }
    }
}

/// The program that a pattern such as `/bin/r[m]` would find: one of those that are worth hiding.
fn program_by_glob(program: &Arg) -> Option<String> {
    const HIDDEN: &[&str] = &[
        "rm",
        "dd",
        "sh",
        "bash",
        "git",
        "chmod",
        "chown",
        "mkfs",
        "shred",
        "curl",
        "wget",
        "nc",
        "sudo",
        "mv",
        "cp",
        "find",
        "kill",
        "perl",
        "python3",
        "tee",
        "truncate",
        "unlink",
        "rmdir",
        "ssh",
        "scp",
        "base64",
        "eval",
        "dropdb",
        "psql",
        "docker",
        "kubectl",
        "terraform",
        "cat",
    ];
    let pattern = program.value.known_with_globs()?;
    if !program.value.has_glob() {
        return None;
    }
    let places = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", ""];
    HIDDEN
        .iter()
        .find(|name| places.iter().any(|place| super::expand::pattern::matches(&pattern, &format!("{place}{name}"))))
        .map(|name| (*name).to_owned())
}

/// The last component of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A word in single quotes, so that it stays one word when it is read again.
fn quote(text: &str) -> String {
    if !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./=:,@%+".contains(letter)) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The language of a script, by its first line.
fn language_of_text(text: &str) -> Language {
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else {
        return Language::Shell(Dialect::Bash);
    };
    let mut words = line.split_whitespace().map(base_name).filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = match words.next() {
        Some("env") => words.next(),
        other => other,
    };
    language_of_program(program.unwrap_or("sh"))
}

fn language_of_program(program: &str) -> Language {
    match program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.') {
        "python" | "pypy" | "uv" | "pipx" => Language::Python,
        "perl" => Language::Perl,
        "ruby" => Language::Ruby,
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" | "zx" => Language::JavaScript,
        "php" => Language::Php,
        "lua" | "luajit" => Language::Lua,
        "awk" | "gawk" | "mawk" => Language::Awk,
        "Rscript" => Language::R,
        "zsh" => Language::Shell(Dialect::Zsh),
        "sh" | "dash" | "ash" => Language::Shell(Dialect::Sh),
        "bash" | "ksh" => Language::Shell(Dialect::Bash),
        "pwsh" | "powershell" => Language::PowerShell,
        "expect" | "tclsh" | "wish" => Language::Tcl,
        "osascript" => Language::AppleScript,
        _ => Language::Other,
    }
}

/// The language of a script, by its name.
pub(super) fn language_of_name(name: &str) -> Language {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("py") => Language::Python,
        Some("pl" | "pm") => Language::Perl,
        Some("rb") => Language::Ruby,
        Some("js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx") => Language::JavaScript,
        Some("php") => Language::Php,
        Some("lua") => Language::Lua,
        Some("java" | "kt" | "kts" | "scala" | "sc" | "groovy" | "gradle" | "cs" | "csx") => Language::Java,
        Some("c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "m" | "mm" | "C" | "cu") => Language::C,
        Some("go") => Language::Go,
        Some("rs") => Language::Rust,
        Some("swift" | "hs" | "ml" | "nim" | "cr" | "d" | "jl" | "ex" | "exs" | "erl" | "zig" | "v" | "dart") => {
            Language::Other
        }
        Some("zsh") => Language::Shell(Dialect::Zsh),
        _ => Language::Shell(Dialect::Bash),
    }
}
