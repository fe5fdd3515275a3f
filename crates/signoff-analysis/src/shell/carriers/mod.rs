//! Files that the text itself writes and a later command runs or translates: the source of a program, the script of a
//! package, a test. A tool that would pass as a build of the project is judged by what the text has put before it.

mod built;
mod compile;
mod generated;
mod gradle;
mod table;

pub(super) use built::builds;

use compile::compiles;
use signoff_model::Dialect;
use table::{CARRIERS, CARRYING, Carrier, NAMING, OBEDIENT, OBEYING};

use super::{Call, Language, Shell, Written, run::base_name, scripts::language_of_name};
use crate::{
    facts::FileText,
    value::{Arg, Feed, Origin, Origins, Value},
};

/// Programs that run their own kind of file when they are given one.
const RUN_NAMED: &[&str] = &[
    "dotnet",
    "dotnet-script",
    "csharp",
    "rust-script",
    "scala-cli",
    "kscript",
    "yaegi",
    "gorun",
    "cling",
    "root",
    "v",
    "zig",
    "swift",
    "cargo-script",
];

/// Programs that run what a compiler has made for them.
const RUN_CLASSES: &[&str] = &["java", "scala", "kotlin", "mono", "dotnet", "ocamlrun"];

/// Programs that run scripts of a package.
const RUN_SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun", "nr", "node"];

/// Programs that run what lies among the installed packages.
const RUN_INSTALLED: &[&str] = &["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun"];

/// Whether a program may run or translate files that the text has written before.
pub(super) fn carries(name: &str) -> bool {
    CARRYING.holds(name)
        || OBEDIENT.holds(name)
        || [RUN_NAMED, RUN_CLASSES, RUN_SCRIPTS, RUN_INSTALLED].iter().any(|names| names.contains(&name))
        || matches!(name, "make" | "gmake")
        || compiles(name)
}

/// Whether a program runs files by names that are not those of files.
pub(super) fn names_files(name: &str) -> bool {
    NAMING.holds(name)
}

/// Where a patch is remembered that was applied to the project.
const PATCHED: &str = "#patch";

impl Shell<'_> {
    /// Judges what a command runs of the files that the text has written before, and remembers what it makes of them.
    pub(super) fn run_carried(&mut self, call: &Call) {
        let name = call.name.as_str();
        let carriers = if CARRYING.holds(name) { CARRIERS } else { &[] };
        for carrier in carriers.iter().filter(|carrier| carrier.programs.contains(&name)) {
            if carrier.verbs.is_empty() || call.has_any(carrier.verbs) {
                self.run_files(call, carrier.files);
            }
        }
        if RUN_SCRIPTS.contains(&name) {
            self.run_edited(call);
        }
        self.run_unseen(call);
        match name {
            "go" => self.generate(call),
            "gradle" | "gradlew" => self.build_with_gradle(call),
            _ => {}
        }
        if RUN_INSTALLED.contains(&name) {
            self.run_installed(call);
        }
        if matches!(name, "make" | "gmake") {
            self.make_implicitly(call);
        }
        if RUN_NAMED.contains(&name) {
            self.run_named(call);
        }
        if RUN_CLASSES.contains(&name) {
            self.run_classes(call);
        } else if compiles(name) {
            self.compile(call);
        }
    }

    /// A tool that obeys or runs files of the project, of which another machine has put one there.
    fn run_unseen(&mut self, call: &Call) {
        let fed = call.stdin.text.is_none() && call.stdin.is_foreign() && call.has_any(&["-", "/dev/stdin"]);
        if !OBEDIENT.holds(&call.name) || self.state.written.len() == 0 && !fed {
            return;
        }
        let foreign = |written: &Written| {
            let unread =
                |one: &Written| matches!(one, Written::Content(feed) if feed.text.is_none() && feed.is_foreign());
            written.alternatives().iter().any(unread).then(|| written.content()).flatten()
        };
        let mut unseen: Vec<(String, Feed)> = self
            .state
            .written
            .iter()
            .filter_map(|(path, written)| Some((path.to_owned(), foreign(written)?)))
            .collect();
        if fed {
            unseen.push(("/dev/stdin".to_owned(), call.stdin.clone()));
        }
        if unseen.is_empty() {
            return;
        }
        unseen.sort_by(|(first, _), (second, _)| first.cmp(second));
        let obeying = |carrier: &&Carrier| {
            carrier.programs.contains(&call.name.as_str()) && (carrier.verbs.is_empty() || call.has_any(carrier.verbs))
        };
        let files: Vec<&(&str, &str)> = OBEYING.iter().filter(obeying).flat_map(|carrier| carrier.files).collect();
        if files.is_empty() {
            return;
        }
        let named: Vec<String> = call.args.iter().map(|arg| self.place(&arg.value).path.clone()).collect();
        // What is served to browsers does not run here.
        let served = |path: &str| {
            path.ends_with(".min.js")
                || path
                    .split('/')
                    .any(|part| matches!(part, "public" | "static" | "assets" | "www" | "vendor" | "wwwroot"))
        };
        unseen.retain(|(path, _)| !served(path));
        let found = unseen.into_iter().find(|(path, _)| {
            let name = base_name(path);
            path.ends_with(PATCHED)
                || path == "/dev/stdin"
                || named.contains(path)
                || files.iter().any(|(start, end)| name.starts_with(start) && name.ends_with(end))
        });
        if let Some((path, feed)) = found {
            let feed = if is_order(&path, call) { ordered(feed) } else { feed };
            self.subshell(|shell| shell.run_feed(Language::Other, feed, call.span));
        }
    }

    /// Remembers that something was applied to the files of the project as a patch.
    pub(crate) fn remember_patch(&mut self, feed: &Feed) {
        if let (true, Some(cwd)) = (feed.text.is_none() && feed.is_foreign(), self.cwd()) {
            let key = format!("{cwd}/{PATCHED}");
            self.state.written.insert(key, Written::Content(feed.clone()));
        }
    }

    /// `npx eslint`: a program that the text itself has put among the installed ones.
    fn run_installed(&mut self, call: &Call) {
        let words = call.args.iter().enumerate().filter(|(_, arg)| !arg.is_option()).take(2);
        for (at, name) in words.filter_map(|(at, arg)| Some((at, arg.known()?))) {
            let path = format!("node_modules/.bin/{name}");
            let program = Arg::text(path, call.span);
            if self.state.written.contains_key(&self.place(&program.value).path) {
                let mut argv = vec![program];
                argv.extend(call.args.get(at + 1..).unwrap_or_default().iter().cloned());
                self.subshell(|shell| shell.run(&argv, call.stdin.clone(), call.span));
                return;
            }
        }
    }

    /// `make x` makes a program of `x.c` without being told how.
    fn make_implicitly(&mut self, call: &Call) {
        for target in call.args.iter().filter(|arg| !arg.is_option()) {
            let Some(name) = target.known().filter(|name| !name.contains('=')) else { continue };
            for ending in ["c", "cc", "cpp", "C", "go", "rs"] {
                let source = self.place(&Value::text(format!("{name}.{ending}"))).path.clone();
                if let Some(Written::Content(feed)) = self.state.written.get(&source).cloned() {
                    let language = language_of_name(&source);
                    self.remember_written(target, Written::Compiled(language, feed));
                }
            }
        }
    }

    /// Tools that run the files or modules which their command line names: `coverage run m.py`, `uvicorn m:app`.
    pub(super) fn run_naming(&mut self, call: &Call) {
        if call.asks_for_help() {
            return;
        }
        let mut wanted: Vec<String> = Vec::new();
        for arg in &call.args {
            let text = arg.known().unwrap_or_default();
            let text = text.split_once('=').map_or(text, |(_, value)| value);
            match text.split_once(':') {
                Some((module, _)) => wanted.push(format!("{}.py", module.replace('.', "/"))),
                None if text.contains('.') => wanted.push(text.to_owned()),
                None => wanted.push(format!("{text}.py")),
            }
        }
        if call.name == "flask" {
            let app = self.variable("FLASK_APP").and_then(Value::known).map(str::to_owned);
            match app {
                Some(app) => {
                    let module = app.split(':').next().unwrap_or(&app).to_owned();
                    wanted.push(if module.ends_with(".py") {
                        module
                    } else {
                        format!("{}.py", module.replace('.', "/"))
                    });
                }
                None => wanted.extend(["wsgi.py".to_owned(), "app.py".to_owned()]),
            }
        }
        for file in wanted.iter().filter(|file| language_of_ending(file)).take(8) {
            let path = self.place(&Value::text(file.as_str())).path.clone();
            let language = language_of_name(file);
            if let Some(feed) = self.state.written.get(&path).and_then(Written::content) {
                self.run_written(language, path, feed, call.span);
            } else if matches!(self.facts.text(&path), FileText::Text(_)) {
                self.run_script(language, &Arg::text(file.as_str(), call.span), &[], Feed::none());
            }
        }
    }

    /// A tool prints over a file. That is how reports are made; a source or a manifest is lost by it.
    pub(crate) fn write_over(&mut self, file: &Arg) {
        let place = self.place(&file.value);
        let lost = matches!(place.nature, crate::place::Nature::Important | crate::place::Nature::Source);
        let how = if lost { crate::path_effects::Write::Empty } else { crate::path_effects::Write::Replace };
        self.write_at(&place, how, file.span);
    }

    /// Remembers what an edit put into a file that tells a tool what to run: scripts of a package, rules of `make`.
    pub(crate) fn remember_edit(&mut self, file: &Arg, added: &str) {
        let place = self.place(&file.value);
        if added.is_empty() {
            return;
        }
        match base_name(&place.path) {
            "package.json" => {
                for (name, code) in pairs(added) {
                    self.remember_script(&place.path, &name, &code);
                }
            }
            "Makefile" | "makefile" | "GNUmakefile" if added.contains("\n\t") => {
                self.remember_written(file, Written::Content(Feed::of(Value::text(added))));
            }
            _ => {}
        }
    }

    /// Remembers a script that the text puts into a manifest.
    pub(crate) fn remember_script(&mut self, manifest: &str, name: &str, code: &str) {
        let key = format!("{manifest}#{name}");
        self.state.written.insert(key, Written::Content(Feed::of(Value::text(code))));
    }

    /// `npm test`: the script that the text has put into the manifest before.
    fn run_edited(&mut self, call: &Call) {
        let words: Vec<&str> = call.args.iter().filter_map(Arg::known).collect();
        let wanted = |name: &str| words.contains(&name) || name == "test" && words.first() == Some(&"t");
        let mut found: Vec<(String, Feed)> = self
            .state
            .written
            .iter()
            .filter_map(|(path, written)| match (path.split_once("package.json#"), written) {
                (Some((_, name)), Written::Content(feed)) if wanted(name) => Some((path.to_owned(), feed.clone())),
                _ => None,
            })
            .collect();
        found.sort_by(|(first, _), (second, _)| first.cmp(second));
        for (_, feed) in found.into_iter().take(4) {
            self.subshell(|shell| shell.run_feed(Language::Shell(Dialect::Sh), feed, call.span));
        }
    }

    /// Runs the written files whose names fit.
    fn run_files(&mut self, call: &Call, files: &[(&str, &str)]) {
        let fits = |path: &str| {
            let name = base_name(path);
            files.iter().any(|(start, end)| {
                name.starts_with(start)
                    && name.ends_with(end)
                    && (!end.is_empty() || start.ends_with('.') || name.trim_end_matches(".kts") == *start)
            })
        };
        let mut found: Vec<String> = self.state.written.keys().filter(|path| fits(path)).map(str::to_owned).collect();
        found.sort();
        for path in found.into_iter().take(16) {
            let Some(feed) = self.state.written.get(&path).and_then(Written::content) else { continue };
            let language = match base_name(&path) {
                "Rakefile" | "Gemfile" => Language::Ruby,
                "SConstruct" | "wscript" => Language::Python,
                "CMakeLists.txt" => {
                    if let Some(text) = feed.known() {
                        super::families::builds::cmake_script(self, &Arg::text(text, call.span));
                    }
                    continue;
                }
                name if name.ends_with(".gemspec") => Language::Ruby,
                name => language_of_name(name),
            };
            self.run_written(language, path, feed, call.span);
        }
    }

    /// Runs the written files that the command line names.
    fn run_named(&mut self, call: &Call) {
        for arg in call.args.iter().filter(|arg| !arg.is_option()) {
            let path = self.place(&arg.value).path.clone();
            if let Some(Written::Content(feed)) = self.state.written.get(&path).cloned() {
                let language = language_of_name(base_name(&path));
                self.subshell(|shell| shell.run_feed(language, feed, call.span));
            }
        }
    }

    /// `java Name` runs the class that was made from `Name.java` before.
    fn run_classes(&mut self, call: &Call) {
        let names: Vec<&str> = call.args.iter().filter_map(Arg::known).map(base_name).collect();
        let mut found: Vec<(String, Language, Feed)> = Vec::new();
        for (path, written) in self.state.written.iter() {
            if let Written::Compiled(language, source) = written
                && names.iter().any(|name| stem(name) == stem(base_name(path)) || *name == base_name(path))
            {
                found.push((path.to_owned(), *language, source.clone()));
            }
        }
        found.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        if let Some((_, language, source)) = found.into_iter().next() {
            self.subshell(|shell| shell.run_feed(language, source, call.span));
        }
    }
}

/// Whether a file only says what shall be put together, and is no code by itself: a person may well want that.
fn is_order(path: &str, call: &Call) -> bool {
    let name = base_name(path);
    path.ends_with(PATCHED)
        || matches!(call.name.as_str(), "docker" | "docker-compose" | "podman" | "podman-compose" | "nerdctl")
        || name.starts_with("requirements")
        || name.starts_with("constraints")
        || name.ends_with(".lock")
}

/// What was fetched, however it came.
fn ordered(feed: Feed) -> Feed {
    let origins = feed.into_flow().origins.into_iter().map(|origin| match origin {
        Origin::Download { url, .. } => Origin::Download { url, encrypted: true },
        origin => origin,
    });
    Feed::from_all(origins.collect::<Origins>())
}

/// Whether a file is a script by its name.
fn language_of_ending(file: &str) -> bool {
    !matches!(language_of_name(base_name(file)), Language::Shell(_) | Language::Other)
}

/// The pairs in a piece of JSON: `"name": "text"`.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let parts: Vec<&str> = text.split('"').collect();
    for window in parts.windows(4) {
        if let [_, name, between, value] = window
            && between.trim() == ":"
        {
            all.push(((*name).to_owned(), (*value).to_owned()));
        }
    }
    all
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests;
