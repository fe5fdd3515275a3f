//! Code that runs code: texts, files, functions named by texts, and commands of frameworks.

use signoff_model::Unread;

use super::{
    functions, network,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{
    shell::Language,
    value::{Feed, Piece},
};

/// The name of what has been judged as code already.
const JUDGED: &str = "judged code";
/// The most elements on which a function is followed.
pub(super) const EACH: usize = 512;

impl Reader<'_, '_> {
    /// A text runs as code.
    pub(super) fn evaluate(&mut self, code: Option<&Thing>, name: &str) -> Thing {
        let Some(code) = code else { return Thing::unknown() };
        let judged = matches!(code, Thing::Result { of, .. } if of == JUDGED);
        if judged || matches!(code, Thing::Number(_) | Thing::Truth(_) | Thing::Record(_) | Thing::Many(_)) {
            return Thing::result(JUDGED, Vec::new());
        }
        if let Some(known) = code.known() {
            let value = self.run(known);
            // What was only compiled here has been judged, so that running it later needs no more.
            return if matches!(name, "compile" | "parse" | "vm.Script" | "Function") {
                Thing::result(JUDGED, Vec::new())
            } else {
                value
            };
        }
        if matches!(name, "timeit.timeit" | "assert" | "parse") {
            return Thing::result(JUDGED, Vec::new());
        }
        self.seen.runs_unknown = true;
        let value = code.value();
        let feed = match value.pieces() {
            [Piece::Unknown(unknown)] if !unknown.origins.is_empty() => Feed::from_all(unknown.origins.clone()),
            _ => {
                self.shell.opaque(format!("{name}({})", value.shown()), self.span);
                return Thing::unknown();
            }
        };
        self.shell.run_feed(self.language, feed, self.span);
        Thing::result(JUDGED, Vec::new())
    }

    /// A file runs as code.
    pub(super) fn load(&mut self, file: Option<&Thing>) -> Thing {
        let Some(file) = file else { return Thing::unknown() };
        if let Some(url) = file.known().filter(|path| path.contains("://") && !path.starts_with("file://")) {
            let thing = network::downloaded(self, url);
            return self.evaluate(Some(&thing), "include");
        }
        if file.known().is_some() {
            let arg = file.arg(self.span);
            self.shell.run_script(self.language, &arg, &[], Feed::none());
        }
        Thing::unknown()
    }

    pub(super) fn module(&mut self, name: Option<&Thing>, args: &Args) -> Thing {
        match name.and_then(Thing::known) {
            Some(url) if url.starts_with("http://") || url.starts_with("https://") => {
                let thing = network::downloaded(self, url);
                self.evaluate(Some(&thing), "import")
            }
            Some(url) if url.starts_with("data:") => {
                self.shell.opaque(Unread::DataImport, self.span);
                Thing::unknown()
            }
            Some(known) => {
                self.shell.import(self.language, known, self.span);
                // What is named by its whole path is no module of anybody.
                if known.starts_with('/') && self.language != Language::Python {
                    return self.load(name);
                }
                // `__import__('os.path')` gives `os`; so does nobody who hides something.
                Thing::Name(functions::module_name(known))
            }
            None => Thing::result("module", args.origins()),
        }
    }

    /// The first argument names the function, the others are for it.
    pub(super) fn apply(&mut self, args: &Args) -> Thing {
        let Some(function) = args.get(0) else { return Thing::unknown() };
        let mut rest = Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: args.named.clone() };
        if let [Thing::List(things)] = rest.items.as_slice() {
            rest.items = things.clone();
        }
        match function {
            Thing::Text(text) => match text.known() {
                Some(name) => self.call_name(name, &rest),
                None => {
                    self.shell.opaque(Unread::Code, self.span);
                    Thing::unknown()
                }
            },
            other => self.call(other, &rest),
        }
    }

    /// A function is called on every element of a list.
    pub(super) fn map(&mut self, args: &Args) -> Thing {
        // In PHP it goes by its name, on either side of a list that may go by a name as well.
        let names = || {
            args.items.iter().filter_map(|thing| match thing {
                Thing::Name(name) => Some(name.clone()),
                Thing::Text(text) if self.language == Language::Php => text.known().map(str::to_owned),
                _ => None,
            })
        };
        let harmful = names().find(|name| self.does_harm(name));
        let does_harm = harmful.is_some();
        let function = harmful.or_else(|| names().next());
        let is_function = |thing: &Thing| matches!(thing, Thing::Name(_)) || thing.known() == function.as_deref();
        let is_list = |thing: &&Thing| matches!(thing, Thing::Many(_) | Thing::List(_) | Thing::Result { .. });
        // A tuple of one looks like what is in it.
        let elements = args.items.iter().find(is_list).or_else(|| args.items.iter().find(|thing| !is_function(thing)));
        match (function, elements) {
            (Some(function), Some(elements)) => {
                let each = match elements {
                    Thing::List(things) => things.clone(),
                    Thing::Text(_) => vec![elements.clone()],
                    other => vec![other.element()],
                };
                let whole = matches!(elements, Thing::List(_)) && each.len() <= EACH;
                let each = self.shell.first_of(each, EACH, self.span);
                let results: Vec<Thing> = each
                    .into_iter()
                    .map(|element| self.call_name(&function, &Args { items: vec![element], named: Vec::new() }))
                    .collect();
                if whole { Thing::List(results) } else { Thing::result("", args.origins()) }
            }
            // Nothing is known of what it is called with, only that it is.
            (Some(function), None) if does_harm && args.items.len() > 1 => {
                self.call_name(&function, &Args { items: vec![Thing::unknown()], named: Vec::new() })
            }
            _ => Thing::result("", args.origins()),
        }
    }

    /// A management command is judged like the same command on the command line.
    pub(super) fn delegate(&mut self, program: &str, args: &Args) -> Thing {
        let mut argv = vec![Thing::text(program)];
        argv.extend(args.flat().into_iter().filter(|thing| !matches!(thing, Thing::Record(_))));
        for (name, thing) in &args.named {
            if thing.is_true() {
                argv.push(Thing::text(if name.starts_with('-') {
                    name.clone()
                } else {
                    format!("--{}", name.replace('_', "-"))
                }));
            }
        }
        // Laravel takes the options in the same text as the command.
        if let Some(Thing::List(words)) = argv.get(1).map(functions::split_words) {
            argv.splice(1..2, words);
        }
        let feed = self.run_program(&argv, Feed::none());
        self.outcome(feed, false)
    }

    pub(super) fn kill(&mut self, args: &Args) -> Thing {
        let (first, second) = (args.get(0).cloned(), args.get(1).cloned());
        // Perl and Ruby name the signal first.
        let (process, signal) = match self.language {
            Language::Perl | Language::Ruby => (second, first),
            _ => (first, second),
        };
        let own = |name: &str| matches!(name, "os.getpid" | "process.pid" | "$$" | "Process.pid" | "getpid");
        if matches!(&process, Some(Thing::Name(name)) if own(name))
            || matches!(&process, Some(Thing::Result { of, .. }) if own(of))
        {
            return Thing::unknown();
        }
        if signal.as_ref().and_then(Thing::number) == Some(0) {
            return Thing::unknown();
        }
        let mut argv = vec![Thing::text("kill")];
        if let Some(signal) = signal.as_ref().and_then(Thing::number) {
            argv.push(Thing::text(format!("-{signal}")));
        }
        argv.push(process.unwrap_or_else(Thing::unknown));
        self.run_program(&argv, Feed::none());
        Thing::unknown()
    }

    /// Code looks into the memory of a process: the same as a debugger that is told its number. Its own is its own.
    pub(super) fn attach(&mut self, args: &Args, at: usize) -> Thing {
        let process = args.get(at).cloned().unwrap_or_else(Thing::unknown);
        let is_own = |name: &str| matches!(name, "os.getpid" | "getpid" | "os.Getpid" | "syscall.Getpid");
        let own = match &process {
            Thing::Name(name) => is_own(name),
            Thing::Result { of, .. } => is_own(of),
            other => other.number() == Some(0),
        };
        if !own {
            self.run_program(&[Thing::text("gdb"), Thing::text("-p"), process], Feed::none());
        }
        Thing::unknown()
    }

    /// What the first text among the arguments does as SQL.
    pub(super) fn sql(&mut self, args: &Args) {
        for thing in &args.items {
            if matches!(thing, Thing::Text(_)) {
                crate::sql::verdict_of_text(self.shell, &thing.value(), crate::sql::Dialect::Any, self.span);
                return;
            }
        }
    }
}
