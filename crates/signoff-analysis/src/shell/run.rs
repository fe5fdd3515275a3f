//! Running, in the abstract: an argument list, a text, a script.

use compact_str::CompactString;
use signoff_model::{Dialect, Span, Unread};

use super::{
    builtins::{SETUP_OUTPUT, SETUP_VERBS},
    call::Call,
    contents::Variable,
    families, fetched,
    machine::{Definitions, MAX_DEPTH, Shell},
    rules,
    scripts::{language_of_name, language_of_text},
    shown::Shows,
    stakes,
    streams::Plumbing,
    syntax::{self, Limits},
    table::Table,
    written::Written,
};
use crate::{
    code,
    facts::FileText,
    place::{Extent, Nature},
    value::{Arg, Feed, Origin, Origins, Piece, Value},
    words::Words,
};

/// Behind so many arguments, each one costs as much as a few commands.
const MANY_WORDS: usize = 256;

/// Builtins that POSIX calls special.
const SPECIAL: &[&str] =
    &[":", ".", "eval", "exec", "export", "readonly", "set", "shift", "times", "trap", "unset", "return"];

/// Builtins that change the shell they run in.
static CHANGES_SHELL: Words<64> = Words::new(
    ". alias break cd chdir continue declare enable eval exec exit export getopts hash let local mapfile \
    popd pushd read readarray readonly return set shift shopt source trap typeset unalias unset",
);

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

impl<'a> Shell<'a> {
    /// Runs an argument list: the first word names the program. For wrappers such as `sudo` or `xargs`.
    pub fn run(&mut self, argv: &[Arg], stdin: Feed, span: Span) -> Feed {
        self.run_with(Vec::new(), argv, stdin, span)
    }

    /// Runs an argument list with variables that are set for it alone.
    pub fn run_with(&mut self, variables: Vec<(String, Value)>, argv: &[Arg], stdin: Feed, span: Span) -> Feed {
        // A program that another one starts does nothing to the shell, even if the shell has one of that name.
        if argv.first().and_then(Arg::known).is_some_and(|name| CHANGES_SHELL.holds(name)) {
            return self.subshell(|shell| shell.run_program(argv.to_vec(), variables, stdin, span));
        }
        self.run_program(argv.to_vec(), variables, stdin, span)
    }

    /// What runs in the place of the shell, such as code in another language, goes to a directory.
    pub fn go_to(&mut self, directory: Arg, span: Span) {
        self.run_program(vec![Arg::text("cd", span), directory], Vec::new(), Feed::none(), span);
    }

    /// Runs a simple command: an alias, a function, a builtin or a program.
    pub(super) fn run_words(
        &mut self,
        argv: Vec<Arg>,
        variables: Vec<(String, Value)>,
        plumbing: &Plumbing,
        span: Span,
    ) -> Feed {
        let Some(program) = argv.first() else {
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
            let base = base_name(name);
            self.check_connection(plumbing, base, span);
            if self.trades.prints(base)
                && self.show_printed(name, &argv, &variables, plumbing, span) == Shows::WhatComesOut
            {
                let feed = self.run_aliased(argv, variables, plumbing, span);
                self.show_passed(&feed, span);
                return feed;
            }
        }
        self.run_aliased(argv, variables, plumbing, span)
    }

    /// Runs a simple command whose first word may be an alias.
    fn run_aliased(
        &mut self,
        argv: Vec<Arg>,
        variables: Vec<(String, Value)>,
        plumbing: &Plumbing,
        span: Span,
    ) -> Feed {
        let Some((program, args)) = argv.split_first() else { return Feed::none() };
        if let Some(name) = program.known()
            && let Some(definitions) = self.state.aliases.get(name)
            && !self.calls.iter().any(|call| call.name == name)
        {
            // A script does not expand aliases: the program of that name is the other reading.
            let mut definitions = definitions.clone();
            let plain = families::find(name).is_some() || self.state.functions.contains_key(name);
            if plain && !definitions.contains(&None) {
                definitions.push(None);
            }
            return self.in_each_state(&definitions, |shell, definition| match definition {
                Some(code) => shell.expand_alias(name, code.clone(), args, &plumbing.stdin, span),
                None => shell.run_function(argv.clone(), variables.clone(), plumbing, span),
            });
        }
        if (self.dialect == Dialect::Sh || self.may_be_posix)
            && !variables.is_empty()
            && program.known().is_some_and(|name| SPECIAL.contains(&name))
        {
            // What is set for one of these stays set, if the shell is strict about that.
            let kept = variables.clone();
            let feed = self.run_function(argv, variables, plumbing, span);
            for (name, value) in kept {
                self.join_variable(&name, Some(&Variable::text(value)));
            }
            return feed;
        }
        self.run_function(argv, variables, plumbing, span)
    }

    /// Runs a simple command, aliases aside.
    fn run_function(
        &mut self,
        argv: Vec<Arg>,
        variables: Vec<(String, Value)>,
        plumbing: &Plumbing,
        span: Span,
    ) -> Feed {
        if let Some((program, args)) = argv.split_first()
            && let Some(name) = program.known()
            && let Some(definitions) = self.state.functions.get(name).cloned()
        {
            return self.in_each_state(&definitions, |shell, definition| match definition {
                Some(body) => {
                    shell.call_with(&variables, |shell| shell.call_function(name, body.0, args, &plumbing.stdin, span))
                }
                None => {
                    let stdin = shell.rest_of_input(Some(name), &plumbing.stdin);
                    shell.run_program(argv.clone(), variables.clone(), stdin, span)
                }
            });
        }
        let stdin = self.rest_of_input(argv.first().and_then(Arg::known), &plumbing.stdin);
        self.run_program(argv, variables, stdin, span)
    }

    /// Does something with each of several things that may be the case, each time in the state that there is now, and
    /// joins what comes of it.
    fn in_each_state<T>(&mut self, cases: &[T], mut body: impl FnMut(&mut Self, &T) -> Feed) -> Feed {
        let Some((last, others)) = cases.split_last() else { return Feed::none() };
        if others.is_empty() {
            return body(self, last);
        }
        let before = self.state.clone();
        let mut feed: Option<Feed> = None;
        for case in cases {
            let ended = std::mem::replace(&mut self.state, before.clone());
            let printed = body(self, case);
            feed = Some(match feed {
                Some(feed) => {
                    self.merge(ended);
                    feed.or(printed)
                }
                None => printed,
            });
        }
        feed.unwrap_or_default()
    }

    /// Runs a function with variables that are set for it alone: they hide those of the same names, as local ones of a
    /// function around it would. What it does to them may reach those that they hide (`export`, `readonly`, `unset`).
    fn call_with(&mut self, variables: &[(String, Value)], body: impl FnOnce(&mut Self) -> Feed) -> Feed {
        if variables.is_empty() {
            return body(self);
        }
        self.locals.push(Vec::new());
        for (name, value) in variables {
            self.hide(name);
            self.state.variables.insert(name.clone(), Variable::text(value.clone()));
        }
        let feed = body(self);
        let mut reached = Vec::new();
        for (name, value) in variables {
            let now = self.state.variables.get(name).cloned();
            if now.as_ref() != Some(&Variable::text(value.clone())) {
                reached.push((name, now));
            }
        }
        self.leave_scope();
        for (name, now) in reached {
            self.join_variable(name, now.as_ref());
        }
        feed
    }

    /// Aliases of the text are taken as if they were expanded: an interactive shell would.
    fn expand_alias(&mut self, name: &str, mut code: Value, args: &[Arg], stdin: &Feed, span: Span) -> Feed {
        for arg in args {
            code.push(Piece::text(" "));
            for piece in arg.value.pieces() {
                code.push(match piece {
                    Piece::Text(text) => Piece::text(super::quote(text)),
                    piece => piece.clone(),
                });
            }
        }
        let running = self.running(name, args);
        self.calls.push(running);
        let feed = self.run_text(&Arg { value: code, span }, self.dialect, stdin.clone());
        self.calls.pop();
        feed
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
        let Some(mut program) = words.next() else { return Feed::none() };
        if let Some(value) = self.usual_place(&program.value) {
            program.value = value;
        }
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            self.spend_out(span);
            return Feed::none();
        }
        let Some(path) = program.known().map(CompactString::from) else {
            let words: Vec<Arg> = words.collect();
            // A pattern is tried on every program that is worth hiding, in every directory of programs.
            self.spend(if program.value.has_glob() { 8 } else { 0 });
            if let Some(named) = program_by_glob(&program) {
                let resolved = std::iter::once(Arg::text(named, program.span)).chain(words.iter().cloned()).collect();
                self.run_program(resolved, variables, stdin, span);
            }
            if !self.is_variable_of_another(&program.shown(), &words) {
                self.report_unknown_program(&program, span);
            }
            return Feed::from(Origin::Program("".into()));
        };
        // Every wrapper holds the arguments that are left, and each is looked at.
        self.spend(1 + words.len() / 4 + 4 * words.len().saturating_sub(MANY_WORDS));
        let mut args: Vec<Arg> = words.collect();
        if self.fuel == 0 {
            self.spend_out(span);
            // What is absurd does not become less so by what stands beside it.
            let last = args.len().saturating_sub(MANY_WORDS).max(MANY_WORDS)..args.len();
            args = args
                .drain(..)
                .enumerate()
                .filter(|(at, arg)| *at < MANY_WORDS || last.contains(at) || self.is_grave(arg))
                .map(|(_, arg)| arg)
                .collect();
        }
        self.depth += 1;
        let call = Call { name: base_name(&path).into(), program, args, variables, stdin, span };
        // Variables that are set for this program alone are seen by it, and by the code that it runs.
        let exported = self.state.settings.exported.len();
        let before: Vec<_> =
            call.variables.iter().map(|(name, _)| (name.clone(), self.state.variables.get(name).cloned())).collect();
        for (name, value) in &call.variables {
            self.state.variables.insert(name.clone(), Variable::Scalar(vec![value.clone()]));
            self.state.settings.exported.push(name.clone());
        }
        self.doubt_made(&call);
        let host = usize::from(!super::stakes::runs_here_and_now(&call.name));
        self.hosts += host;
        let feed = self.judge(&call, &path);
        self.hosts -= host;
        self.restore(before);
        if !call.variables.is_empty() {
            self.state.settings.exported.truncate(exported);
        }
        self.depth -= 1;
        feed
    }

    /// Whether a word is one of those that make a command absurd, by its letters alone: the root, a home, a disk.
    fn is_grave(&self, arg: &Arg) -> bool {
        let text = arg.value.known_with_globs().unwrap_or_default();
        let plain = text.trim_end_matches(['*', '.']).trim_end_matches('/');
        let is_top = plain.strip_prefix('/').is_some_and(|rest| !rest.contains('/'));
        text.starts_with("/dev/")
            || text.starts_with('/') && (plain.is_empty() || is_top)
            || plain == self.whereabouts().home
    }

    fn judge(&mut self, call: &Call, path: &str) -> Feed {
        if path.contains('/') {
            if let Some(feed) = self.run_path(call) {
                return feed;
            }
        } else if let Some(feed) = self.run_builtin(call) {
            return feed;
        } else if let Some(feed) = self.run_searched(call) {
            return feed;
        }
        let trade = self.trades.of(&call.name);
        // Who knows what is in the files that are made remembers it behind this.
        if !trade.makes.is_empty() {
            families::outputs::judge(self, call, trade.makes);
        }
        if trade.carries && (self.state.written.len() > 0 || call.stdin.text.is_some() || call.stdin.is_foreign()) {
            self.run_carried(call);
        }
        if trade.names_files {
            self.run_naming(call);
        }
        if let Some(workshop) = trade.workshop {
            self.work_in_fetched(call, workshop);
        }
        if trade.manages_packages {
            families::own::removed_by_manager(self, call);
        }
        self.note_ungating(call, trade);
        if trade.empties {
            families::builds::emptied::judge(self, call);
        }
        self.clean_moved(call);
        let outer = std::mem::take(&mut self.shows_secrets);
        let told = self.findings.reasons().len();
        let feed = match trade.judge {
            Some(judge) => judge(self, call),
            None => families::unknown::judge(self, call),
        };
        if !trade.uses_keys {
            families::secrets::handed::judge(self, call, told);
        }
        self.note_disturbed(call);
        if trade.reaches {
            families::own::watch(self, call, told);
        }
        let feed = if trade.looks_up { families::own::looked_up(call, feed) } else { feed };
        let shows_secrets = std::mem::replace(&mut self.shows_secrets, outer);
        if trade.builds {
            self.note_built(call);
        }
        if shows_secrets && trade.queries {
            return Feed::from(Origin::Secret("the passwords of a database".to_owned()));
        }
        let verb = || call.args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known());
        let plain = feed.text.is_none() && matches!(&*feed.origins, [Origin::Program(_)]);
        if plain && verb().is_some_and(|verb| SETUP_VERBS.contains(&verb)) && !path.contains('/') {
            return Feed::from(Origin::Program(SETUP_OUTPUT.into()));
        }
        // Only builtins are known to print nothing; a program always may.
        if feed.is_none() { self.trades.output(&call.name) } else { feed }
    }

    /// A program in a directory that the text has put on the search path. None if it lies elsewhere, or may.
    fn run_searched(&mut self, call: &Call) -> Option<Feed> {
        if !self.state.variables.contains_key("PATH") {
            return None;
        }
        let found = self.on_search_path(&call.name)?;
        let sure = self.variable("PATH").is_some();
        let found = Call { program: Arg::text(found, call.program.span), ..call.clone() };
        self.run_path(&found).filter(|_| sure)
    }

    /// A program named by a path: one that the text has written, a script of the project, or a well-known program.
    /// None if the name alone decides.
    fn run_path(&mut self, call: &Call) -> Option<Feed> {
        let place = self.place(&call.program.value);
        if self.is_pouring(&place.path) {
            self.opaque(Unread::Script(place.shown.clone()), call.span);
        }
        if let Some(written) = self.state.written.get(&place.path).cloned() {
            let mut out: Option<Feed> = None;
            for one in written.alternatives() {
                if let Some(feed) = self.run_made(one, call) {
                    out = Some(out.map_or(feed.clone(), |before| before.or(feed)));
                }
            }
            if out.is_some() {
                return out;
            }
        }
        if let Some(original) = self.original_of(&place.path) {
            let copy = Written::Content(Feed::from(Origin::Exactly(original)));
            return self.run_made(&copy, call);
        }
        if self.is_built(&place.path) {
            return None;
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
        let text = self.facts.text(&place.path);
        // A script is asked about there when it is run.
        if place.extent == Extent::Exact && !matches!(text, FileText::Text(_)) {
            self.run_strewn(language_of_name(&call.name), self.strewn_at(&place.path), call.span);
        }
        match text {
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
        if self.fuel == 0 || self.depth >= MAX_DEPTH || self.arena.is_full() {
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
        self.other_patterns |= stakes::names_other_patterns(&text);
        self.may_be_posix |= super::names_posix(&text);
        let outer = self.blame;
        // What prints a text ends it with a line end, which is not in the input.
        let written = text.trim_end_matches('\n');
        let script = match self.place_in_source(written) {
            Some(offset) => {
                syntax::parse_within(self.arena.text(written), offset, dialect, &Limits::default(), self.arena)
            }
            None => {
                self.blame = Some(outer.unwrap_or(code.span));
                syntax::parse(self.arena.text(&text), dialect, &Limits::default(), self.arena)
            }
        };
        self.check_form(&script, code.span);
        self.depth += 1;
        self.texts += 1;
        let feed = self.walk(&script, stdin);
        self.texts -= 1;
        self.depth -= 1;
        self.blame = outer;
        feed
    }

    /// Where a text that runs stands in the input, if it stands there as it is and only once: what it does is then shown
    /// where it is written, and not on the whole argument, variable or heredoc that brings it.
    fn place_in_source(&mut self, text: &str) -> Option<usize> {
        /// The work is bounded by the length of the input times the number of texts.
        const LONGEST: usize = 1 << 16;
        const MOST: usize = 32;
        if self.blame.is_some() || text.len() < 2 || self.source.len() > LONGEST || self.searches >= MOST {
            return None;
        }
        self.searches += 1;
        let first = self.source.find(text)?;
        // A comment that says the same must not draw the eye away from what runs.
        let commented = self.comments.iter().any(|comment| (comment.start..comment.end).contains(&first));
        let known = self.comments.len() < syntax::MAX_COMMENTS;
        (known && !commented && self.source.rfind(text) == Some(first)).then_some(first)
    }

    /// Reads a text as code of some language and runs it in a shell or interpreter of its own.
    pub fn run_code(&mut self, language: Language, code: &Arg, stdin: Feed) -> Feed {
        match language {
            Language::Shell(dialect) => self.subshell(|shell| {
                shell.leave_unexported();
                shell.leave_functions();
                // It does not know what the shell around it was told to do at a failure, nor what that is in the middle of.
                shell.state.stops_at_failure = false;
                let around = (std::mem::take(&mut shell.in_returnable), std::mem::take(&mut shell.tolerant));
                let outer = std::mem::replace(&mut shell.dialect, dialect);
                let feed = shell.with_fresh_input(|shell| shell.run_text(code, dialect, stdin));
                shell.dialect = outer;
                (shell.in_returnable, shell.tolerant) = around;
                feed
            }),
            language => {
                if is_unseen(language, &code.value) {
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
    pub(super) fn restore(&mut self, before: impl IntoIterator<Item = (String, Option<Variable>)>) {
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
                let seen = listed(&self.state.settings.exported) && !listed(&self.state.settings.withheld);
                !seen && !name.starts_with("__unknown_") && !super::scopes::is_internal(name)
            })
            .map(str::to_owned)
            .collect();
        for name in names {
            if let Some(variable) = self.state.variables.get(&name) {
                // An array never gets there.
                let mut seen: Vec<Variable> =
                    variable.alternatives().into_iter().filter(|one| matches!(one, Variable::Scalar(_))).collect();
                seen.push(Variable::Unset);
                let seen = Variable::one_of(seen, &name);
                self.state.variables.insert(name, seen);
            }
        }
    }

    /// A shell of its own sees only the functions that were exported, and no alias.
    fn leave_functions(&mut self) {
        let kept: Vec<(String, Definitions<'a>)> = self
            .state
            .functions
            .iter()
            .filter(|(name, _)| self.state.settings.exported.iter().any(|exported| exported == name))
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
        match feed.text.clone() {
            Some(value) => self.run_code(language, &Arg { value, span }, Feed::none()),
            None if feed.origins.is_empty() => Feed::none(),
            None if let Some(text) = self.text_of_copy(&feed) => {
                let path = feed.copied_from().unwrap_or_default().to_owned();
                if self.reading.contains(&path) {
                    return Feed::none();
                }
                self.reading.push(path);
                let out = self.run_code(language, &Arg { value: text, span }, Feed::none());
                self.reading.pop();
                out
            }
            None => {
                let out = self.run_unknown(feed.into_flow().origins, Unread::Inflow, span);
                match language {
                    Language::Shell(_) => Feed::from(Origin::Program("sh".into())),
                    _ => out,
                }
            }
        }
    }

    /// Code that is not known runs: how bad that is depends on where it comes from.
    pub(super) fn run_unknown(&mut self, origins: Origins, what: Unread, span: Span) -> Feed {
        let mut reported = false;
        for origin in &origins {
            match origin {
                Origin::Download { url, encrypted } => {
                    let rule = match encrypted {
                        false => &rules::UNENCRYPTED_CODE,
                        true if fetched::is_anybodys(url) => &rules::UNTRUSTED_CODE,
                        true => &rules::DOWNLOADED_CODE,
                    };
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
        Feed::from(Origin::Program("code".into()))
    }
}

/// Whether what matters of a code is not known: all of it but what separates statements, or, where a word in the place
/// of a command is one, a whole command.
fn is_unseen(language: Language, code: &Value) -> bool {
    let separates = |letter: char| letter.is_whitespace() || letter == ';';
    let says_nothing = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Glob(text) => text.chars().all(separates),
        Piece::Unknown(_) => true,
    };
    let pieces = code.pieces();
    code.has_unknown()
        && (pieces.iter().all(says_nothing)
            || language == Language::PowerShell && (0..pieces.len()).any(|at| is_command(code, at)))
}

/// Whether the piece at this position is not known and stands where PowerShell reads a command.
fn is_command(code: &Value, at: usize) -> bool {
    let pieces = code.pieces();
    let Some(Piece::Unknown(unknown)) = pieces.get(at) else { return false };
    if unknown.origins.contains(&Origin::Decoded) {
        return true;
    }
    let text = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Glob(text) => Some(text.to_string()),
        Piece::Unknown(_) => None,
    };
    let before: String = pieces.iter().take(at).map(|piece| text(piece).unwrap_or_else(|| "$".to_owned())).collect();
    let before = before.chars().rev().find(|letter| *letter == '\n' || !letter.is_whitespace()).unwrap_or(';');
    // Between double quotes a variable of the script is often taken for one of the shell: what the script sets is its own.
    let behind = pieces.get(at + 1).and_then(text).unwrap_or_default();
    let is_expression = behind.trim_start_matches([' ', '\t']).starts_with(['=', '+', '.', '[', '-']);
    let is_set = || {
        let shown = code.shown();
        shown.match_indices(&unknown.shown).any(|(at, name)| {
            shown.get(at + name.len()..).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.starts_with('=') || rest.starts_with("in ")
            })
        })
    };
    matches!(before, ';' | '\n' | '|' | '{' | '&') && !is_expression && !is_set()
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
    let pattern = super::expand::pattern::Pattern::new(&pattern);
    HIDDEN
        .iter()
        .find(|name| {
            let fits = |place: &&str| pattern.has_room_for(place.len() + name.len());
            places.iter().filter(|place| fits(place)).any(|place| pattern.matches(&format!("{place}{name}")))
        })
        .map(|name| (*name).to_owned())
}

/// The last component of a path.
pub(super) fn base_name(path: &str) -> &str {
    let slash = path.as_bytes().iter().rposition(|byte| *byte == b'/');
    slash.and_then(|slash| path.get(slash + 1..)).unwrap_or(path)
}
