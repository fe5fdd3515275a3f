//! What the known functions do, said to the machine.

use signoff_model::{Dialect, EffectKind, Scope, Target};

use super::{
    functions, lexicon,
    names::{self, Act},
    network,
    reader::Reader,
    rules,
    thing::{Args, ENVIRONMENT, Thing, pattern},
};
use crate::{
    path_effects::{Depth, Rights, Write},
    shell::{Language, Written},
    value::{Feed, Origin, Piece, Value},
};

/// The name of what has been judged as code already.
const JUDGED: &str = "judged code";

impl Reader<'_, '_> {
    /// Does what a known function does.
    pub(super) fn perform(&mut self, act: Act, name: &str, args: Args) -> Thing {
        match act {
            Act::Shell | Act::Capture | Act::ShellOrProgram | Act::Subprocess | Act::Program | Act::Exec | Act::Spawn | Act::ProgramByName => {
                self.start(act, name, &args)
            }
            Act::Delete(depth) => self.delete_each(&args, depth),
            Act::DeleteMaybeTree => {
                let tree = args.may_be_set("recursive") || args.get(1).is_some_and(Thing::is_true);
                self.delete_each(&Args { items: args.items.iter().take(1).cloned().collect(), named: Vec::new() }, if tree { Depth::Recursive } else { Depth::Single })
            }
            Act::Open => self.open(&args),
            Act::OpenOrRun => self.open_or_run(&args),
            Act::Write(how) => self.write_to(args.either(0, &["file", "path", "filename"]), how, args.get(1), &args),
            Act::WriteTo(position) => self.write_to(args.either(position, &["file", "con", "path"]), Write::Replace, args.get(0), &args),
            Act::Read => self.read_file(args.either(0, &["file", "path"]), name),
            Act::Matches => {
                let value = args.get(0).map(|thing| pattern(&thing.value())).unwrap_or_default();
                Thing::Many(value)
            }
            Act::Listing => {
                let under = args.get(0).map(|thing| thing.value().shown().into_owned()).unwrap_or_default();
                Thing::result(name, vec![Origin::Listing { by: name.to_owned(), under }])
            }
            Act::Tree => {
                let top = args.get(0).map_or_else(|| Thing::text("."), Clone::clone);
                let under = top.value().shown().into_owned();
                let below = Thing::result("", vec![Origin::Listing { by: name.to_owned(), under }]);
                Thing::Many(top.below(&below).value())
            }
            Act::Move => {
                if let (Some(from), Some(to)) = (args.either(0, &["src"]), args.either(1, &["dst"])) {
                    let (from, to) = (from.arg(self.span), to.arg(self.span));
                    self.shell.relocate(&from, &to);
                }
                Thing::unknown()
            }
            Act::Copy => {
                self.copy(&args);
                Thing::unknown()
            }
            Act::Link => {
                if let Some(to) = args.get(1) {
                    self.shell.write(&to.arg(self.span), Write::New);
                }
                Thing::unknown()
            }
            Act::MakeDirectory => {
                if let Some(path) = args.get(0) {
                    self.shell.write(&path.arg(self.span), Write::New);
                }
                Thing::unknown()
            }
            Act::Rights(mode, path) => {
                self.change_rights(args.get(mode), args.get(path));
                Thing::unknown()
            }
            Act::RightsAs(rights) => {
                if let Some(path) = args.items.last() {
                    self.shell.change_rights(&path.arg(self.span), rights, Depth::Recursive);
                }
                Thing::unknown()
            }
            Act::Owner(position) => {
                if let Some(path) = args.get(position).or_else(|| args.items.last()) {
                    self.shell.change_rights(&path.arg(self.span), Rights::Owner, Depth::Single);
                }
                Thing::unknown()
            }
            Act::Directory => {
                if let Some(path) = args.get(0) {
                    self.run_program(&[Thing::text("cd"), path.clone()], Feed::none());
                }
                Thing::unknown()
            }
            Act::Fetch | Act::Request | Act::Send | Act::Mail => network::perform(self, act, name, &args),
            Act::Connect | Act::Listen => {
                let address = args.get(0).and_then(|thing| network::address_of(thing, args.get(1)));
                if act == Act::Listen {
                    self.seen.listens = true;
                } else {
                    let known = self.seen.connects.take().filter(|known| !known.is_empty());
                    self.seen.connects = Some(known.or(address).unwrap_or_default());
                }
                Thing::result("socket", Vec::new())
            }
            Act::HandOver => {
                self.seen.hands_over = true;
                Thing::unknown()
            }
            Act::Eval => {
                let code = match name {
                    "create_function" => args.items.last(),
                    _ => args.either(0, &["text", "exprs"]),
                };
                self.evaluate(code, name)
            }
            Act::Load => self.load(args.get(0)),
            Act::Module => self.module(args.get(0), &args),
            Act::Member => match (args.get(0), args.known(1)) {
                (Some(thing), Some(member)) => self.member(&thing.clone(), &member.to_owned()),
                (Some(Thing::Name(module)), None) if matches!(module.as_str(), "os" | "subprocess" | "shutil" | "builtins" | "__builtins__") => {
                    self.shell.opaque(format!("{module}.…"), self.span);
                    Thing::unknown()
                }
                _ => Thing::result("", args.origins()),
            },
            Act::Apply => self.apply(&args),
            Act::Map => self.map(&args),
            Act::Print => self.print_all(name, &args),
            Act::PrintFormat => {
                let rest = Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: Vec::new() };
                let text = args.get(0).map_or_else(Thing::unknown, |text| functions::format(text, &rest));
                self.print(&[text], "", "");
                Thing::unknown()
            }
            Act::Kill => self.kill(&args),
            Act::Fork => {
                self.seen.forks = true;
                self.straight = false;
                Thing::unknown()
            }
            Act::Wait => {
                self.seen.waits = true;
                Thing::unknown()
            }
            Act::Sql => {
                self.sql(&args);
                Thing::result("rows", Vec::new())
            }
            Act::Manage => self.delegate("manage.py", &args),
            Act::Artisan => self.delegate("artisan", &args),
            Act::Input => self.input(),
            Act::Environment => match args.get(0) {
                Some(variable) => self.environment_variable(&variable.value().shown()),
                None => Thing::Name("os.environ".to_owned()),
            },
            Act::Password => {
                self.shell.tell(&rules::SHOW_PASSWORD, name, self.span);
                Thing::result("", vec![Origin::Secret("a stored password".to_owned())])
            }
        }
    }

    /// A function about which nothing is known but its name.
    pub(super) fn call_unknown(&mut self, name: &str, args: Args) -> Thing {
        let last = name.rsplit('.').next().unwrap_or(name);
        if let Some(thing) = super::methods::by_name(self, name, last, &args) {
            return thing;
        }
        if matches!(last, "file_exists" | "exists" | "existsSync" | "exist?" | "is_file" | "isfile") {
            self.checked = args.get(0).map(Thing::value);
        }
        if lexicon::says_it_destroys(last) && !is_standard(name) {
            self.shell.tell(&rules::DESTRUCTIVE_FUNCTION, last, self.span);
        }
        if let Some(handed) = self.handed_function(&args) {
            let element = args.items.iter().find(|thing| !matches!(thing, Thing::Name(_))).map_or_else(Thing::unknown, Thing::element);
            return self.call_name(&handed, Args { items: vec![element], named: Vec::new() });
        }
        self.unfollowed(name, &args)
    }

    /// A function among the arguments that does something when it is called.
    pub(super) fn handed_function(&self, args: &Args) -> Option<String> {
        args.items.iter().find_map(|thing| match thing {
            Thing::Name(name) => {
                let plain = names::plain(self.language, name);
                let act = names::act(self.language, &plain)?;
                let acts = matches!(
                    act,
                    Act::Shell | Act::Capture | Act::ShellOrProgram | Act::Subprocess | Act::Program | Act::Delete(_) | Act::DeleteMaybeTree | Act::Eval | Act::Kill
                );
                acts.then(|| name.clone())
            }
            _ => None,
        })
    }

    // ---- programs ----

    fn start(&mut self, act: Act, name: &str, args: &Args) -> Thing {
        let flat = args.flat();
        let inherits = matches!(act, Act::Shell | Act::ShellOrProgram | Act::Exec);
        let shell_wanted = args.may_be_set("shell") && !matches!(args.named("shell"), Some(Thing::Text(value)) if value.is_empty());
        let first = args.either(0, &["args", "cmd", "command"]).cloned().unwrap_or_else(Thing::unknown);
        let argv: Option<Vec<Thing>> = match act {
            Act::Shell | Act::Capture => None,
            Act::ShellOrProgram => match (args.items.as_slice(), &first) {
                ([Thing::List(things)], _) => Some(things.clone()),
                ([_], _) | ([], _) => None,
                // In Ruby the first argument may hold variables of the environment.
                ([Thing::Record(_), rest @ ..], _) => match rest {
                    [_] => None,
                    rest => Some(rest.to_vec()),
                },
                _ => Some(flat.clone()),
            },
            Act::Subprocess => match &first {
                Thing::List(things) if !shell_wanted => Some(things.clone()),
                Thing::List(things) => {
                    let code = things.first().cloned().unwrap_or_else(Thing::unknown);
                    return self.run_shell_in(&code, args, inherits);
                }
                _ if shell_wanted || self.language == Language::Php => None,
                // `new ProcessBuilder("rm", "-rf", "x")` gives the words in a row; other languages a text with spaces.
                _ if self.language == Language::Java && args.items.len() > 1 => Some(flat.clone()),
                text @ (Thing::Text(_) | Thing::Path(_)) => match functions::split_words(text) {
                    Thing::List(words) => Some(words),
                    _ => None,
                },
                _ => None,
            },
            Act::Program => {
                let mut all = match &first {
                    Thing::List(things) => things.clone(),
                    other => vec![other.clone()],
                };
                if let Some(list) = args.named("args").or_else(|| args.get(1)) {
                    match list {
                        Thing::List(things) => all.extend(things.iter().cloned()),
                        Thing::Record(_) => {}
                        other if args.named("args").is_some() || self.language != Language::JavaScript => all.push(other.clone()),
                        _ => {}
                    }
                }
                if self.language == Language::Python || self.language == Language::Other {
                    all.extend(args.items.iter().skip(2).cloned());
                }
                if shell_wanted {
                    let code = functions::joined(&all, &Value::text(" "));
                    return self.run_shell_in(&code, args, inherits);
                }
                Some(all)
            }
            Act::Exec | Act::Spawn => {
                let skip = usize::from(act == Act::Spawn);
                let mut rest = flat.iter().skip(skip);
                let program = rest.next().cloned();
                // The next one repeats the name of the program.
                rest.next();
                program.map(|program| std::iter::once(program).chain(rest.cloned()).collect())
            }
            _ => {
                let program = name.rsplit('.').next().unwrap_or(name).replace('_', "-");
                Some(std::iter::once(Thing::text(program)).chain(flat.iter().cloned()).collect())
            }
        };
        let feed = match argv {
            Some(argv) => self.in_directory(args, |reader| reader.run_program(&argv, Feed::none())),
            None => return self.run_shell_in(&first, args, inherits),
        };
        self.outcome(feed, inherits)
    }

    /// Runs a text in a shell, in the directory that an option names.
    fn run_shell_in(&mut self, code: &Thing, args: &Args, inherits: bool) -> Thing {
        let feed = self.in_directory(args, |reader| reader.shell_feed(code));
        self.outcome(feed, inherits)
    }

    fn in_directory(&mut self, args: &Args, body: impl FnOnce(&mut Self) -> Feed) -> Feed {
        let Some(directory) = args.named("cwd").or_else(|| args.named("chdir")).cloned() else { return body(self) };
        let before = self.shell.cwd().map(str::to_owned);
        self.run_program(&[Thing::text("cd"), directory], Feed::none());
        let feed = body(self);
        if let Some(before) = before {
            self.run_program(&[Thing::text("cd"), Thing::text(before)], Feed::none());
        }
        feed
    }

    /// What a program prints goes on to what the code prints, or is given back.
    fn outcome(&mut self, feed: Feed, inherits: bool) -> Thing {
        let thing = match feed.text {
            Some(value) => Thing::Text(value),
            None => Thing::result("output", feed.origins),
        };
        if inherits {
            self.print(&[thing], "", "");
            return Thing::unknown();
        }
        thing
    }

    /// Runs a text in a shell and gives back what it prints.
    pub(super) fn run_shell_text(&mut self, code: &Thing) -> Thing {
        let feed = self.shell_feed(code);
        self.outcome(feed, false)
    }

    fn shell_feed(&mut self, code: &Thing) -> Feed {
        let arg = code.arg(self.span);
        self.seen.opens_shell |= opens_a_shell(&arg.shown().split_whitespace().collect::<Vec<_>>());
        if arg.value.is_empty() {
            return Feed::none();
        }
        let stdin = self.stdin.clone();
        self.shell.subshell(|shell| shell.run_text(&arg, Dialect::Sh, stdin))
    }

    /// Runs a program with its arguments.
    pub(super) fn run_program(&mut self, argv: &[Thing], stdin: Feed) -> Feed {
        let words: Vec<&str> = argv.iter().map(|thing| thing.known().unwrap_or("…")).collect();
        if opens_a_shell(&words) {
            self.seen.opens_shell = true;
        }
        let mut all: Vec<_> = argv.iter().map(|thing| thing.arg(self.span)).collect();
        if let (Some(first), Some(Thing::Name(name))) = (all.first_mut(), argv.first()) {
            match name.as_str() {
                "sys.executable" => first.value = Value::text("python3"),
                "process.execPath" | "process.argv0" => first.value = Value::text("node"),
                _ => {}
            }
        }
        self.shell.run(&all, stdin, self.span)
    }

    // ---- files ----

    fn delete_each(&mut self, args: &Args, depth: Depth) -> Thing {
        let mut things = args.flat();
        if things.is_empty() {
            things.push(self.look_up("$_"));
        }
        for thing in things {
            match thing {
                Thing::Record(_) | Thing::Truth(_) | Thing::Number(_) => {}
                thing => self.shell.delete(&thing.arg(self.span), depth),
            }
        }
        Thing::unknown()
    }

    fn open(&mut self, args: &Args) -> Thing {
        let Some(path) = args.either(0, &["file", "path"]).cloned() else { return Thing::unknown() };
        if path.number() == Some(0) {
            return self.input();
        }
        let mode = args.either(1, &["mode", "flags", "open"]);
        let how = match mode {
            None => None,
            Some(mode) => match mode.known() {
                Some(mode) if mode.starts_with('w') => Some(Write::Replace),
                Some(mode) if mode.starts_with('a') => Some(Write::Append),
                Some(mode) if mode.starts_with(['x', 'c']) => Some(Write::New),
                Some(mode) if mode.contains('+') => Some(Write::Edit),
                Some(_) => None,
                None => Some(Write::Edit),
            },
        };
        match how {
            Some(how) => {
                self.shell.write(&path.arg(self.span), how);
                Thing::File(path.value())
            }
            None => self.read_file(Some(&path), "open"),
        }
    }

    /// `open(F, "> path")`, `open(F, "cmd |")`, `open(F, "|-", "cmd")`, `open("| cmd")`.
    fn open_or_run(&mut self, args: &Args) -> Thing {
        let skip = usize::from(self.language == Language::Perl);
        let handle = args.get(0).cloned();
        let Some(first) = args.get(skip).cloned() else { return Thing::unknown() };
        let text = first.value();
        let known = text.prefix().trim().to_owned();
        let second = args.get(skip + 1).cloned();
        let path = |mark: &str| {
            let skipped = text.prefix().find(mark).map_or(0, |at| at + mark.len());
            let gap = text.prefix().get(skipped..).map_or(0, |rest| rest.len() - rest.trim_start().len());
            second.clone().unwrap_or_else(|| Thing::Text(crate::shell::options::strip(&text, skipped + gap)))
        };
        let thing = if known.starts_with('|') || known == "-|" || text.known().is_some_and(|text| text.trim_end().ends_with('|')) {
            let mut rest = args.items.get(skip + 1..).unwrap_or_default().to_vec();
            if rest.is_empty() {
                let command = text.shown().trim().trim_matches('|').to_owned();
                let command = if text.known().is_some() { Thing::text(command) } else { Thing::Text(text.clone()) };
                self.run_shell_text(&command)
            } else if rest.len() == 1 {
                let command = rest.pop().unwrap_or_else(Thing::unknown);
                self.run_shell_text(&command)
            } else {
                let feed = self.run_program(&rest, Feed::none());
                self.outcome(feed, false)
            }
        } else if known.starts_with(">&") || known.starts_with("<&") {
            self.seen.hands_over = true;
            Thing::unknown()
        } else if known.starts_with(">>") {
            self.file_written(&path(">>"), Write::Append)
        } else if known.starts_with('>') || known.starts_with("+>") {
            self.file_written(&path(">"), Write::Replace)
        } else if known.starts_with('<') {
            self.read_file(Some(&path("<")), "open")
        } else if self.language == Language::Ruby {
            return self.open(args);
        } else {
            self.read_file(Some(&first), "open")
        };
        if let Some(Thing::Name(name)) = handle.filter(|_| skip == 1) {
            self.bind(&name, thing.clone());
        }
        thing
    }

    fn file_written(&mut self, path: &Thing, how: Write) -> Thing {
        self.shell.write(&path.arg(self.span), how);
        Thing::File(path.value())
    }

    /// A path is written, maybe with a known content.
    pub(super) fn write_to(&mut self, path: Option<&Thing>, how: Write, content: Option<&Thing>, args: &Args) -> Thing {
        let Some(path) = path.filter(|path| !matches!(path, Thing::Truth(_))) else { return Thing::unknown() };
        let appends = matches!(args.named("flag").and_then(Thing::known), Some("a")) || args.is_set("append") || matches!(args.get(2), Some(Thing::Name(name)) if name.contains("FILE_APPEND"));
        let path = path.arg(self.span);
        self.shell.write(&path, if appends && how == Write::Replace { Write::Append } else { how });
        if let Some(content) = content {
            self.shell.remember_written(&path, Written::Content(Feed::of(content.value())));
        }
        Thing::File(path.value)
    }

    /// A file is read; what comes out remembers a secret.
    pub(super) fn read_file(&mut self, path: Option<&Thing>, name: &str) -> Thing {
        let Some(path) = path else { return Thing::unknown() };
        if path.number() == Some(0) || matches!(path.known(), Some("php://stdin" | "/dev/stdin" | "-")) {
            return self.input();
        }
        if matches!(path, Thing::Name(name) if matches!(name.as_str(), "STDIN" | "sys.stdin" | "process.stdin.fd")) {
            return self.input();
        }
        if let Some(url) = path.known().filter(|path| path.contains("://")) {
            return network::downloaded(self, &url.to_owned());
        }
        let value = path.value();
        if value.prefix().is_empty() && value.has_unknown() {
            return Thing::result(name, vec![Origin::File(value.shown().into_owned())]);
        }
        let feed = self.shell.read(&path.arg(self.span));
        match feed.text {
            Some(value) => Thing::Text(value),
            None => Thing::result(name, feed.origins),
        }
    }

    fn copy(&mut self, args: &Args) {
        let (Some(from), Some(to)) = (args.either(0, &["src"]).cloned(), args.either(1, &["dst"]).cloned()) else { return };
        if self.absent.as_ref() == Some(&to.value()) {
            self.shell.write(&to.arg(self.span), Write::New);
            return;
        }
        self.run_program(&[Thing::text("cp"), Thing::text("-r"), from, to], Feed::none());
    }

    fn change_rights(&mut self, mode: Option<&Thing>, path: Option<&Thing>) {
        let Some(path) = path else { return };
        let rights = match mode {
            Some(Thing::Number(mode)) if mode & 0o6000 != 0 => Rights::SetUser,
            Some(Thing::Number(mode)) if mode & 0o002 != 0 => Rights::Open,
            Some(Thing::Number(mode)) if mode & 0o400 == 0 => Rights::Closed,
            Some(Thing::Text(text)) if text.known().is_some_and(|mode| mode.contains('s') || mode.len() == 4 && mode.starts_with(['4', '6', '2'])) => Rights::SetUser,
            Some(Thing::Text(text)) if text.known().is_some_and(|mode| mode.ends_with(['2', '3', '6', '7'])) => Rights::Open,
            _ => Rights::Usual,
        };
        self.shell.change_rights(&path.arg(self.span), rights, Depth::Single);
    }

    // ---- code ----

    /// A text runs as code.
    pub(super) fn evaluate(&mut self, code: Option<&Thing>, name: &str) -> Thing {
        let Some(code) = code else { return Thing::unknown() };
        let judged = matches!(code, Thing::Result { of, .. } if of == JUDGED);
        if judged || matches!(code, Thing::Number(_) | Thing::Truth(_) | Thing::Record(_) | Thing::Many(_)) {
            return Thing::result(JUDGED, Vec::new());
        }
        if let Some(known) = code.known() {
            let value = self.run(&known.to_owned());
            // What was only compiled here has been judged, so that running it later needs no more.
            return if matches!(name, "compile" | "parse" | "vm.Script" | "Function") { Thing::result(JUDGED, Vec::new()) } else { value };
        }
        if matches!(name, "timeit.timeit" | "assert" | "parse") {
            return Thing::result(JUDGED, Vec::new());
        }
        let value = code.value();
        let feed = match value.pieces() {
            [Piece::Unknown(unknown)] if !unknown.origins.is_empty() => Feed { text: None, origins: unknown.origins.clone() },
            _ => {
                self.shell.opaque(format!("{name}({})", value.shown()), self.span);
                return Thing::unknown();
            }
        };
        self.shell.run_feed(self.language, feed, self.span);
        Thing::result(JUDGED, Vec::new())
    }

    /// A file runs as code.
    fn load(&mut self, file: Option<&Thing>) -> Thing {
        let Some(file) = file else { return Thing::unknown() };
        if let Some(url) = file.known().filter(|path| path.contains("://") && !path.starts_with("file://")) {
            let thing = network::downloaded(self, &url.to_owned());
            return self.evaluate(Some(&thing), "include");
        }
        if file.known().is_some() {
            let arg = file.arg(self.span);
            self.shell.run_script(self.language, &arg, &[], Feed::none());
        }
        Thing::unknown()
    }

    fn module(&mut self, name: Option<&Thing>, args: &Args) -> Thing {
        match name.and_then(Thing::known) {
            Some(url) if url.starts_with("http://") || url.starts_with("https://") => {
                let thing = network::downloaded(self, &url.to_owned());
                self.evaluate(Some(&thing), "import")
            }
            Some(url) if url.starts_with("data:") => {
                self.shell.opaque("import of a data address", self.span);
                Thing::unknown()
            }
            Some(known) => {
                // `__import__('os.path')` gives `os`; so does nobody who hides something.
                Thing::Name(functions::module_name(known))
            }
            None => Thing::result("module", args.origins()),
        }
    }

    /// The first argument names the function, the others are for it.
    fn apply(&mut self, args: &Args) -> Thing {
        let Some(function) = args.get(0) else { return Thing::unknown() };
        let mut rest = Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: args.named.clone() };
        if let [Thing::List(things)] = rest.items.as_slice() {
            rest.items = things.clone();
        }
        match function {
            Thing::Text(text) => match text.known() {
                Some(name) => self.call_name(&name.to_owned(), rest),
                None => Thing::unknown(),
            },
            other => self.call(&other.clone(), rest),
        }
    }

    /// A function is called on every element of a list.
    fn map(&mut self, args: &Args) -> Thing {
        let function = args.items.iter().find_map(|thing| match thing {
            Thing::Name(name) => Some(name.clone()),
            Thing::Text(text) if self.language == Language::Php => text.known().map(str::to_owned),
            _ => None,
        });
        let elements = args.items.iter().find(|thing| matches!(thing, Thing::Many(_) | Thing::List(_) | Thing::Result { .. }));
        match (function, elements) {
            (Some(function), Some(elements)) => {
                let each = match elements {
                    Thing::List(things) => things.clone(),
                    other => vec![other.element()],
                };
                for element in each.into_iter().take(64) {
                    self.call_name(&function, Args { items: vec![element], named: Vec::new() });
                }
                Thing::result("", args.origins())
            }
            _ => Thing::result("", args.origins()),
        }
    }

    /// A management command is judged like the same command on the command line.
    fn delegate(&mut self, program: &str, args: &Args) -> Thing {
        let mut argv = vec![Thing::text(program)];
        argv.extend(args.flat().into_iter().filter(|thing| !matches!(thing, Thing::Record(_))));
        for (name, thing) in &args.named {
            if thing.is_true() {
                argv.push(Thing::text(if name.starts_with('-') { name.clone() } else { format!("--{}", name.replace('_', "-")) }));
            }
        }
        // Laravel takes the options in the same text as the command.
        if let Some(Thing::List(words)) = argv.get(1).map(functions::split_words) {
            argv.splice(1..2, words);
        }
        let feed = self.run_program(&argv, Feed::none());
        self.outcome(feed, false)
    }

    fn kill(&mut self, args: &Args) -> Thing {
        let (first, second) = (args.get(0).cloned(), args.get(1).cloned());
        // Perl and Ruby name the signal first.
        let (process, signal) = match self.language {
            Language::Perl | Language::Ruby => (second, first),
            _ => (first, second),
        };
        let own = |name: &str| matches!(name, "os.getpid" | "process.pid" | "$$" | "Process.pid" | "getpid");
        if matches!(&process, Some(Thing::Name(name)) if own(name)) || matches!(&process, Some(Thing::Result { of, .. }) if own(of)) {
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

    /// What the first text among the arguments does as SQL.
    pub(super) fn sql(&mut self, args: &Args) {
        for thing in &args.items {
            if matches!(thing, Thing::Text(_)) {
                crate::sql::verdict_of_text(self.shell, &thing.value(), crate::sql::Dialect::Any, self.span);
                return;
            }
        }
    }

    // ---- input and output ----

    /// What flows in.
    pub(super) fn input(&self) -> Thing {
        match &self.stdin.text {
            Some(value) => Thing::Text(value.clone()),
            None if self.stdin.origins.is_empty() => Thing::result("stdin", vec![Origin::Input]),
            None => Thing::result("stdin", self.stdin.origins.clone()),
        }
    }

    fn print_all(&mut self, name: &str, args: &Args) -> Thing {
        if args.named("file").is_some_and(|file| !matches!(file, Thing::Name(name) if name.ends_with("stdout"))) {
            let target = args.named("file").cloned();
            if let Some(Thing::Text(_)) = &target {
                self.write_to(target.as_ref(), Write::Replace, None, args);
            }
            return Thing::unknown();
        }
        let mut items = args.items.clone();
        if items.is_empty() && matches!(self.language, Language::Perl | Language::Awk) {
            items.push(self.input());
        }
        for thing in &items {
            self.show_environment(thing);
        }
        let (between, end) = match self.language {
            Language::Perl | Language::Php => ("", ""),
            Language::Ruby if name.ends_with("puts") || name == "p" => ("\n", "\n"),
            Language::Ruby => ("", ""),
            _ if name.ends_with("write") => ("", ""),
            Language::R if name == "cat" => (" ", ""),
            _ => (" ", "\n"),
        };
        match args.named("end").and_then(Thing::known) {
            Some(end) => self.print(&items, between, &end.to_owned()),
            None => self.print(&items, between, if self.language == Language::Perl && name == "say" { "\n" } else { end }),
        }
        Thing::unknown()
    }

    /// The whole environment is shown, if that is what the thing is.
    pub(super) fn show_environment(&mut self, thing: &Thing) {
        for origin in thing.origins() {
            match origin {
                Origin::Secret(name) if name == ENVIRONMENT => self.shell.tell(&rules::SHOW_ENVIRONMENT, name, self.span),
                Origin::Variable(name) if crate::shell::families::secrets::is_secret_variable(&name) => {
                    self.shell.tell(&rules::SHOW_ENVIRONMENT, name, self.span);
                }
                _ => {}
            }
        }
    }

    /// Notes that something was only looked at.
    pub(super) fn note(&mut self, kind: EffectKind, name: &str, scope: Scope) {
        self.shell.note(kind, Target::Named(name.to_owned()), scope, self.span);
    }
}

/// Whether a name belongs to a library about which enough is known, so that it is no function of the project.
fn is_standard(name: &str) -> bool {
    let module = name.split('.').next().unwrap_or(name);
    name.contains('.') && matches!(module, "os" | "sys" | "re" | "json" | "shutil" | "subprocess" | "pandas" | "pd" | "numpy" | "np" | "torch" | "plt" | "matplotlib" | "tf" | "sklearn" | "path" | "console" | "Math" | "JSON" | "process")
}

/// Whether these words start a shell that reads commands from its input.
fn opens_a_shell(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "cmd" | "cmd.exe" | "powershell" | "powershell.exe" | "pwsh")
        && rest.iter().all(|word| matches!(*word, "-i" | "-p" | "-l" | "--login" | "--noprofile" | "--norc") || word.contains('&'))
}
