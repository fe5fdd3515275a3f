//! What the known functions do, said to the machine.

use signoff_model::{EffectKind, Scope, Secret, Target};

use super::{
    functions, lexicon,
    names::{self, Act},
    network,
    reader::Reader,
    rules,
    thing::{Args, ENVIRONMENT, Thing, pattern},
};
use crate::{
    facts::Replacing,
    path_effects::{Depth, Rights, Write},
    place::Nature,
    shell::{Language, Manner},
    value::{Arg, Feed, Origin, Value},
};

impl Reader<'_, '_> {
    /// Does what a known function does.
    pub(super) fn perform(&mut self, act: Act, name: &str, args: &Args) -> Thing {
        match act {
            Act::Start(how) => {
                // There nobody waits for what is started, unless the name says so.
                self.seen.forks |= self.language == Language::JavaScript && !name.ends_with("Sync");
                self.start(how, name, args)
            }
            Act::StartBehind(skipped) => {
                let items = args.items.get(skipped..).unwrap_or_default().to_vec();
                self.start(names::Start::ShellOrProgram, name, &Args { items, named: args.named.clone() })
            }
            Act::Opaque => {
                self.shell.opaque(format!("{name}(…)"), self.span);
                Thing::unknown()
            }
            Act::Builder => Thing::List(args.items.iter().take(1).cloned().collect()),
            Act::Delete(depth) => self.delete_each(args, depth),
            Act::DeleteMaybeTree => {
                let tree = args.may_be_set("recursive")
                    || args.get(1).is_some_and(|how| how.is_true() || matches!(how.known(), Some("s" | "rf")));
                self.delete_each(
                    &Args { items: args.items.iter().take(1).cloned().collect(), named: Vec::new() },
                    if tree { Depth::Recursive } else { Depth::Single },
                )
            }
            // `IO::File->new('>path')`.
            Act::Open if self.language == Language::Perl && args.items.len() == 1 => {
                let items = [Thing::unknown()].into_iter().chain(args.items.iter().cloned()).collect();
                self.open_or_run(&Args { items, named: Vec::new() })
            }
            Act::Open => {
                let file = self.open(args);
                // A block of Ruby gets the file.
                if self.language == Language::Ruby && (self.is_open('{') || self.is_name("do")) {
                    self.element = Some(file.clone());
                }
                file
            }
            Act::OpenOrRun => self.open_or_run(args),
            Act::Write(how) => self.write_to(args.either(0, &["file", "path", "filename"]), how, args.get(1), args),
            Act::WriteTo(position) => {
                self.write_to(args.either(position, &["file", "con", "path"]), Write::Replace, args.get(0), args)
            }
            Act::Read => {
                // `file_get_contents($url, false, $context)` sends what the context holds.
                let to = args.known(0).filter(|to| to.contains("://") && args.items.len() > 1);
                if let Some(to) = to
                    && Feed::from_all(args.origins()).secret().is_some()
                {
                    let to = Thing::text(to);
                    return network::send(self, Some(&to), args);
                }
                self.read_file(args.either(0, &["file", "path"]), name)
            }
            Act::ReadOrRun => match args.get(0).map(Thing::value) {
                Some(value) if value.prefix().trim_start().starts_with('|') => self.open_or_run(args),
                _ => self.read_file(args.get(0), name),
            },
            Act::Stream => {
                let file = args.either(0, &["files"]).cloned();
                let anew = file.iter().filter(|_| args.may_be_set("inplace"));
                for file in anew.flat_map(|file| self.paths(file)).collect::<Vec<_>>() {
                    self.shell.write(&file, Write::Edit);
                }
                match file {
                    Some(Thing::List(files)) => {
                        let mut origins = crate::value::Origins::NONE;
                        for file in self.shell.first_of(files, 64, self.span) {
                            origins.extend(self.read_file(Some(&file), name).origins());
                        }
                        Thing::result(name, origins)
                    }
                    file => Thing::result(name, self.read_file(file.as_ref(), name).origins()),
                }
            }
            Act::Download => {
                if let Some(file) = args.either(1, &["filename", "out"]).cloned() {
                    self.write_to(Some(&file), Write::Replace, None, args);
                }
                let address = args.items.iter().take(1).cloned().collect();
                network::perform(self, Act::Fetch, name, &Args { items: address, named: args.named.clone() })
            }
            Act::Unpack => {
                self.unpack(args.get(0), args.either(1, &["extract_dir", "path"]));
                Thing::unknown()
            }
            Act::Matches => {
                // Within another directory, the names in it are found.
                if let Some(root) = ["root_dir", "base", "cwd", "dir_fd"].iter().find_map(|name| args.named(name)) {
                    return self.names_in(root);
                }
                let value = args.get(0).map(|thing| self.home_pattern(&thing.value())).unwrap_or_default();
                Thing::Many(value)
            }
            Act::Listing => {
                let under = args.get(0).map(|thing| thing.value().shown().into_owned()).unwrap_or_default();
                let mut origins = vec![Origin::Listing { by: name.to_owned(), under }];
                // The directory above is among the entries.
                if matches!(name, "Dir.entries" | "Dir.foreach") {
                    origins.push(Origin::Astray);
                }
                Thing::result(name, origins)
            }
            Act::Tree => {
                // Perl names the trees behind what it does to each file.
                let last = args.items.iter().rev().find(|thing| thing.known().is_some());
                let top = last.filter(|_| self.language == Language::Perl).or(args.get(0));
                let top = top.map_or_else(|| Thing::text("."), Clone::clone);
                let under = top.value().shown().into_owned();
                let below = Thing::result("", vec![Origin::Listing { by: name.to_owned(), under }]);
                let all = Thing::Many(top.clone().below(&below).value());
                self.seen.walked = Some(top);
                if self.seen.deletes_each && !self.seen.chosen {
                    self.delete_walked();
                }
                self.seen.chosen = false;
                if self.language == Language::Ruby && (self.is_open('{') || self.is_name("do")) {
                    self.element = Some(all.element());
                }
                all
            }
            Act::Move => {
                if let (Some(from), Some(to)) = (args.either(0, &["src"]), args.either(1, &["dst"])) {
                    let to = to.arg(self.span);
                    for from in self.paths(from) {
                        self.shell.stake_arrivals(&[&from], &to, &Manner::single(Replacing::Name));
                        self.shell.relocate(&from, &to, Write::Replace);
                    }
                }
                Thing::unknown()
            }
            Act::Copy => {
                self.copy(args, &["-r"]);
                Thing::unknown()
            }
            // It takes the place itself, and not a name in it.
            Act::CopyTree => {
                self.copy(args, &["-r", "-T"]);
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
                    self.shell.go_to(path.arg(self.span), self.span);
                }
                Thing::unknown()
            }
            Act::Fetch | Act::Request | Act::Send | Act::Mail => network::perform(self, act, name, args),
            Act::Connect | Act::Listen => {
                self.opens_own(args);
                let address = args.get(0).and_then(|thing| network::address_of(thing, args.get(1)));
                if act == Act::Listen {
                    self.seen.listens = true;
                } else {
                    let known = self.seen.connects.take().filter(|known| !known.is_empty());
                    self.seen.connects = Some(known.or(address.clone()).unwrap_or_default());
                }
                network::connection(address)
            }
            Act::HandOver => {
                self.seen.hands_over = true;
                Thing::unknown()
            }
            // Without a text or a block, Perl takes the variable that needs no name.
            Act::Eval if self.language == Language::Perl && args.items.is_empty() && !self.is_open('{') => {
                let code = self.look_up("$_");
                self.evaluate(Some(&code), name)
            }
            // A worker gets a text that is code, or the name of a file.
            Act::Eval if name.ends_with("Worker") && !args.may_be_set("eval") => self.load(args.get(0)),
            Act::Eval => {
                let code = match name {
                    "create_function" | "Function" => args.items.last(),
                    _ => args.either(0, &["text", "exprs"]),
                };
                self.evaluate(code, name)
            }
            Act::Load => self.load(args.get(0)),
            Act::Module => self.module(args.get(0), args),
            Act::Member => match (args.get(0), args.known(1)) {
                (Some(thing), Some(member)) => {
                    self.take_method(thing, member);
                    self.member(thing, member)
                }
                // It counts when it is called.
                _ => Thing::result("", args.origins()),
            },
            Act::Apply => self.apply(args),
            Act::Map => self.map(args),
            Act::Print => self.print_all(name, args),
            Act::PrintFormat => {
                let rest = Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: Vec::new() };
                let text = args.get(0).map_or_else(Thing::unknown, |text| functions::format(text, &rest));
                self.print(&[text], "", "");
                Thing::unknown()
            }
            Act::Kill => self.kill(args),
            Act::Attach(at) => self.attach(args, at),
            Act::Fork => {
                self.seen.forks = true;
                self.straight = false;
                Thing::unknown()
            }
            Act::Wait => {
                self.seen.waits = true;
                // `setTimeout("code", 1)`.
                if let (Language::JavaScript, Some(code @ Thing::Text(_))) = (self.language, args.get(0)) {
                    return self.evaluate(Some(&code.clone()), name);
                }
                // What is started later is started all the same.
                self.call_handed(args).unwrap_or_else(Thing::unknown)
            }
            Act::Sql => {
                self.sql(args);
                Thing::result("rows", Vec::new())
            }
            Act::Manage => self.delegate("manage.py", args),
            Act::Artisan => self.delegate("artisan", args),
            Act::Input => self.input_or_files(name),
            Act::Environment => match args.get(0) {
                Some(variable) => self.environment_variable(&variable.value().shown()),
                None => {
                    let all = Thing::Name("os.environ".to_owned());
                    if name == "ENV.each" {
                        self.element = Some(all.clone());
                    }
                    // What stands alone in R is printed.
                    let before = self.frame.at.checked_sub(4).and_then(|at| self.frame.tokens.get(at));
                    if self.language == Language::R && matches!(before, None | Some(super::lexer::Token::End)) {
                        self.show_environment(&all);
                    }
                    all
                }
            },
            Act::Password => {
                self.shell.tell(&rules::SHOW_PASSWORD, name, self.span);
                Thing::result("", vec![Origin::Secret(Secret::StoredPassword.to_string())])
            }
        }
    }

    /// A pattern of file names; Perl puts the home directory in the place of a tilde.
    pub(super) fn home_pattern(&self, value: &Value) -> Value {
        match value.known().and_then(|text| text.strip_prefix('~')) {
            Some(rest) if self.language == Language::Perl && (rest.is_empty() || rest.starts_with('/')) => {
                pattern(&Value::text(format!("{}{rest}", self.shell.whereabouts().home)))
            }
            _ => pattern(value),
        }
    }

    /// Something is done with a file or a socket that is named: whoever opens Signoff's store or speaks to its socket
    /// can change what it keeps and answer in a person's place.
    pub(super) fn opens_own(&mut self, args: &Args) {
        // No path is half as long, and every call passes by here.
        const LONGEST: usize = 8192;
        let named = args.items.iter().chain(args.named.iter().map(|(_, thing)| thing));
        let texts: Vec<String> = named
            .filter_map(|thing| match thing {
                Thing::Text(value) | Thing::Path(value) if value.size() <= LONGEST => Some(value.shown().into_owned()),
                _ => None,
            })
            .filter(|text| text.to_ascii_lowercase().contains("signoff") && !text.contains(char::is_whitespace))
            .collect();
        for text in texts {
            let path =
                ["file:", "unix:", "sqlite:"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(&text);
            let path = path.split('?').next().unwrap_or(path);
            let path = Arg::text(if path.starts_with("//") { path.trim_start_matches("//") } else { path }, self.span);
            if self.shell.place(&path.value).nature == Nature::Signoff {
                self.shell.write(&path, Write::Edit);
            }
        }
    }

    /// A database is opened: one that holds passwords or sessions of a person is read like any other secret.
    pub(super) fn opens_database(&mut self, args: &Args) {
        let Some(thing) = args.either(0, &["database", "filename", "path"]).cloned() else { return };
        let value = match &thing {
            Thing::Text(value) | Thing::Path(value) | Thing::Many(value) => value.clone(),
            Thing::List(_) => thing.element().value(),
            _ => return,
        };
        let plain = value
            .known()
            .and_then(|text| text.strip_prefix("file:"))
            .map(|text| text.split('?').next().unwrap_or(text));
        let value = plain.map_or(value.clone(), Value::text);
        let path = Arg { value, span: self.span };
        if self.shell.place(&path.value).nature == Nature::Secret {
            self.shell.read(&path);
        }
    }

    /// A function about which nothing is known but its name.
    pub(super) fn call_unknown(&mut self, name: &str, args: &Args) -> Thing {
        let last = name.rsplit('.').next().unwrap_or(name);
        if let Some(thing) = super::methods::by_name(self, name, last, args) {
            return thing;
        }
        if matches!(last, "file_exists" | "exists" | "existsSync" | "exist?" | "is_file" | "isfile") {
            self.checked = args.get(0).map(Thing::value);
        }
        self.seen.forks |= last == "Process" && args.named("target").is_some();
        if lexicon::says_it_destroys(last) && !is_standard(name) {
            self.shell.tell(&rules::DESTRUCTIVE_FUNCTION, last, self.span);
        }
        // `Thread(target=os.system, args=(…,))` calls what it is given by name.
        let target = ["target", "func", "function", "callback"].iter().find_map(|name| args.named(name)).cloned();
        if let Some(function @ Thing::Name(_)) = target {
            let items = match args.named("args") {
                Some(Thing::List(things)) => things.clone(),
                Some(other) => vec![other.clone()],
                None => Vec::new(),
            };
            return self.call(&function, &Args { items, named: Vec::new() });
        }
        // A function as a value is no call; it becomes one when something is there to call it with.
        if !lexicon::only_looks(last) {
            if let Some(result) = self.call_handed(args) {
                return result;
            }
            if let Some(handed) = self.handed_by_text(last, args) {
                if let Some(result) = self.call_with(&handed, args) {
                    return result;
                }
                // A list that nobody knows, or what is printed behind it.
                if args.items.len() > 1 || last == "ob_start" {
                    return self.call_name(&handed, &Args { items: vec![Thing::unknown()], named: Vec::new() });
                }
                return Thing::unknown();
            }
            // Nothing is known of what it is called with, only that it is.
            let of_each = name.contains('.') && super::methods::calls_for_each(last);
            if let Some(handed) = self.handed_function(args).filter(|_| of_each) {
                return self.call_name(&handed, &Args { items: vec![Thing::unknown()], named: Vec::new() });
            }
            self.warn_of_handed(name, args);
        }
        self.unfollowed(name, args)
    }

    /// Calls a function among the arguments with whatever else is there: with the texts in a row, and with each element
    /// of a list. None if there is no such function, or nothing to call it with.
    pub(super) fn call_handed(&mut self, args: &Args) -> Option<Thing> {
        let handed = self.handed_function(args)?;
        self.call_with(&handed, args)
    }

    /// Calls a function with whatever is data among these arguments.
    fn call_with(&mut self, handed: &str, args: &Args) -> Option<Thing> {
        let is_name = |thing: &Thing| matches!(thing, Thing::Name(_)) || thing.known() == Some(handed);
        let data: Vec<&Thing> = args.all().filter(|thing| !is_name(thing)).collect();
        if data.is_empty() {
            return None;
        }
        let given = |thing: &&Thing| !matches!(thing, Thing::Number(_) | Thing::Truth(_) | Thing::List(_));
        let row: Vec<Thing> = data.iter().copied().filter(given).cloned().collect();
        let lists: Vec<Thing> = data.iter().copied().filter(|thing| matches!(thing, Thing::List(_))).cloned().collect();
        let mut result = Thing::unknown();
        let elements = Args { items: lists, named: Vec::new() }.flat();
        for element in self.shell.first_of(elements, 64, self.span) {
            result = self.call_name(handed, &Args { items: vec![element], named: Vec::new() });
        }
        let texts: Vec<Thing> = row.iter().filter(|thing| **thing != Thing::unknown()).cloned().collect();
        if !texts.is_empty() || !data.iter().any(|thing| matches!(thing, Thing::List(_))) {
            let items = if texts.is_empty() { vec![Thing::unknown()] } else { texts };
            result = self.call_name(handed, &Args { items, named: Vec::new() });
        }
        Some(result)
    }

    /// Whoever gets a module that can do harm, or something that such a function was put into, may use it on whatever
    /// else it gets.
    pub(super) fn warn_of_handed(&mut self, name: &str, args: &Args) {
        let texts = args.all().any(|thing| matches!(thing, Thing::Text(_) | Thing::List(_)));
        if let Some(harmful) = self.harm_in(&args.origins()).filter(|_| texts) {
            self.shell.opaque(format!("{name}({harmful})"), self.span);
        }
    }

    /// The first of these origins from which harm can be taken: a whole module, or a function that does some.
    pub(super) fn harm_in(&self, origins: &[Origin]) -> Option<String> {
        origins.iter().find_map(|origin| match origin {
            Origin::Dangerous(name) if !name.contains('.') || self.does_harm(name) => Some(name.clone()),
            _ => None,
        })
    }

    /// Whether a function does something that cannot be undone, or starts a program.
    pub(super) fn does_harm(&self, name: &str) -> bool {
        let plain = names::plain(self.language, name);
        matches!(
            names::act(self.language, &plain),
            Some(Act::Start(_) | Act::Delete(_) | Act::DeleteMaybeTree | Act::Eval | Act::Kill)
        )
    }

    /// A function among the arguments that does something when it is called.
    pub(super) fn handed_function(&self, args: &Args) -> Option<String> {
        args.all().find_map(|thing| match thing {
            Thing::Name(name) if self.does_harm(name) => Some(name.clone()),
            _ => None,
        })
    }

    /// In PHP a function is handed over by its name, as a text.
    fn handed_by_text(&self, taker: &str, args: &Args) -> Option<String> {
        if self.language != Language::Php || !lexicon::takes_callbacks(taker) {
            return None;
        }
        args.items.iter().filter_map(Thing::known).find(|name| self.does_harm(name)).map(str::to_owned)
    }

    /// What flows in, or in Perl and Ruby the files that are named behind the code or in a list of the code itself.
    pub(super) fn input_or_files(&mut self, name: &str) -> Thing {
        let takes = matches!(self.language, Language::Perl | Language::Ruby) && !name.to_lowercase().contains("stdin");
        if !takes || !self.stdin.is_none() {
            return self.input();
        }
        let named = self.value_of(if self.language == Language::Perl { "@ARGV" } else { "ARGV" });
        let files = match named {
            Some(Thing::List(files)) => files,
            Some(file) => vec![file],
            None => {
                let given = self.shell.arguments().unwrap_or_default();
                given.iter().map(|arg| Thing::Text(arg.value.clone())).collect()
            }
        };
        if files.is_empty() {
            return self.input();
        }
        let mut origins = crate::value::Origins::NONE;
        for file in self.shell.first_of(files, 64, self.span) {
            origins.extend(self.read_file(Some(&file), name).origins());
        }
        origins.add(Origin::Input);
        Thing::result("stdin", origins)
    }

    /// What flows in.
    pub(super) fn input(&self) -> Thing {
        if let Some(line) = &self.line {
            return Thing::result("getline", line.origins().and(self.stdin.origins.clone()));
        }
        match &self.stdin.text {
            Some(value) => Thing::Text(value.clone()),
            None if self.stdin.origins.is_empty() => Thing::result("stdin", vec![Origin::Input]),
            None => Thing::result("stdin", self.stdin.origins.clone()),
        }
    }

    fn print_all(&mut self, name: &str, args: &Args) -> Thing {
        if args.named("file").is_some_and(|file| !matches!(file, Thing::Name(name) if name.ends_with("stdout"))) {
            let target = args.named("file").cloned();
            match &target {
                Some(Thing::Text(_)) => {
                    self.write_to(target.as_ref(), Write::Replace, None, args);
                }
                Some(Thing::File(path)) => self.put_all(&path.clone(), args),
                _ => {}
            }
            return Thing::unknown();
        }
        if let Some(path) = self.handle.take() {
            self.put_all(&path, args);
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
            Some(end) => self.print(&items, between, end),
            None => {
                self.print(&items, between, if self.language == Language::Perl && name == "say" { "\n" } else { end })
            }
        }
        Thing::unknown()
    }

    /// What is printed goes to a file.
    fn put_all(&mut self, path: &Value, args: &Args) {
        for thing in self.shell.first_of(&args.items, 64, self.span) {
            self.put_into(path, thing);
        }
    }

    /// The whole environment is shown, if that is what the thing is.
    pub(super) fn show_environment(&mut self, thing: &Thing) {
        if let Thing::Name(of) | Thing::Result { of, .. } = thing
            && ["Rails.application.credentials", "Rails.application.secrets"].iter().any(|store| of.starts_with(store))
        {
            self.shell.tell(&rules::SHOW_PASSWORD, of.clone(), self.span);
        }
        for origin in thing.origins() {
            match origin {
                Origin::Secret(name) if name == ENVIRONMENT => {
                    self.shell.tell(&rules::SHOW_ENVIRONMENT, "environ", self.span)
                }
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
    name.contains('.')
        && matches!(
            module,
            "os" | "sys"
                | "re"
                | "json"
                | "shutil"
                | "subprocess"
                | "pandas"
                | "pd"
                | "numpy"
                | "np"
                | "torch"
                | "plt"
                | "matplotlib"
                | "tf"
                | "sklearn"
                | "path"
                | "console"
                | "Math"
                | "JSON"
                | "process"
        )
}
