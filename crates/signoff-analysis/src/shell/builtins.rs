//! What the shell does itself: directories, variables, evaluation, reading.

use std::rc::Rc;

use signoff_model::{Span, Unread};

use super::{
    call::Call,
    machine::{Shell, Variable},
    rules,
    run::Language,
};
use crate::{
    facts::FileText,
    path_effects,
    place::{self, Extent},
    value::{Arg, Feed, Origin, Piece, Value},
};

/// The origin of what a program prints for the purpose of being evaluated.
pub(super) const SETUP_OUTPUT: &str = "setup for a shell";

/// Subcommands that print such a text.
pub(super) const SETUP_VERBS: &[&str] = &[
    "completion",
    "completions",
    "shellenv",
    "hook",
    "init",
    "activate",
    "docker-env",
    "env",
    "shell.bash",
    "shell.zsh",
];

impl Shell<'_> {
    /// Runs a builtin; none if there is none of this name.
    pub(super) fn run_builtin(&mut self, call: &Call) -> Option<Feed> {
        match call.name.as_str() {
            ":" | "true" | "false" | "exit" | "return" | "break" | "continue" | "wait" | "jobs" | "fg" | "bg"
            | "disown" | "times" | "shopt" | "setopt" | "unsetopt" | "compopt" | "caller" | "umask" | "ulimit"
            | "logout" | "suspend" | "getopts" | "dirs" | "autoload" | "zstyle" | "compdef" | "emulate" | "rehash"
            | "unalias" => {
                if matches!(call.name.as_str(), "break" | "continue" | "return") {
                    self.leave_here();
                }
                if call.name == "getopts"
                    && let Some(name) = call.arg(1)
                {
                    self.forget(name);
                    let values: Vec<Value> = match &self.state.positional {
                        Some(args) => args.iter().filter(|arg| !arg.is_option()).map(|arg| arg.value.clone()).collect(),
                        None => vec![Value::unknown("$OPTARG", vec![Origin::Input])],
                    };
                    let values = super::expand::any_of(values, "OPTARG");
                    self.set_variable("OPTARG", Variable::Scalar(values), call.span);
                }
                Some(Feed::none())
            }
            "test" | "[" | "[[" => {
                for pair in call.args.windows(2) {
                    if let [option, name] = pair
                        && (option.is("-v") || option.is("-R"))
                    {
                        self.run_subscripts(&name.value, name.span);
                    }
                }
                Some(Feed::none())
            }
            "cd" | "chdir" | "pushd" => {
                self.change_directory(call);
                Some(Feed::none())
            }
            "popd" => {
                if let Some(directory) = self.state.stacked.pop() {
                    self.state.cwd = Some(directory);
                }
                Some(Feed::none())
            }
            "pwd" => Some(match self.cwd() {
                Some(cwd) => Feed::of(Value::text(format!("{cwd}\n"))),
                None => Feed::from(Origin::Program("pwd".to_owned())),
            }),
            "unset" => {
                for arg in &call.args {
                    if let Some(name) = arg.known() {
                        self.set_variable(name, Variable::Scalar(vec![Value::default()]), arg.span);
                        self.state.functions.remove(name);
                    }
                }
                Some(Feed::none())
            }
            "set" => Some(self.set(call)),
            "shift" => {
                let count = call.arg(0).and_then(|text| text.parse().ok()).unwrap_or(1);
                if let Some(args) = &self.state.positional {
                    self.state.positional = Some(Rc::new(args.iter().skip(count).cloned().collect()));
                }
                Some(Feed::none())
            }
            "read" | "mapfile" | "readarray" => {
                self.read_variables(call);
                Some(Feed::none())
            }
            "complete" | "compgen" | "bind" => {
                for pair in call.args.windows(2) {
                    if let [option, code] = pair
                        && (option.is("-C") || option.is("-x"))
                    {
                        // `bind -x` takes `"keys": command`.
                        let text = code
                            .shown()
                            .split_once(": ")
                            .map_or(code.shown().into_owned(), |(_, text)| text.to_owned());
                        self.subshell(|shell| shell.run_text(&Arg::text(text, code.span), shell.dialect, Feed::none()));
                    }
                }
                Some(Feed::none())
            }
            "hash" if call.args.first().is_some_and(|arg| arg.is("-p")) => {
                if let (Some(path), Some(name)) = (call.args.get(1), call.arg(2)) {
                    self.state.aliases.insert(name.to_owned(), path.value.clone());
                }
                Some(Feed::none())
            }
            "hash" => Some(Feed::none()),
            "let" => {
                for arg in &call.args {
                    self.run_subscripts(&arg.value, arg.span);
                }
                Some(Feed::none())
            }
            "printf" if call.args.first().is_some_and(|arg| arg.is("-v")) => Some(self.print_into_variable(call)),
            "alias" => {
                for arg in &call.args {
                    let text = arg.value.prefix();
                    if let Some((name, _)) = text.split_once('=') {
                        let value = super::options::strip(&arg.value, name.len() + 1);
                        self.state.aliases.insert(name.to_owned(), value);
                    }
                }
                Some(Feed::none())
            }
            "eval" => Some(self.evaluate(call)),
            "source" | "." => Some(self.source(call)),
            "exec" => Some(self.replace_shell(call)),
            "command" | "builtin" => Some(self.bypass_functions(call)),
            "trap" => {
                let args: Vec<&Arg> = call.args.iter().skip_while(|arg| arg.is("--")).collect();
                if let [code, _, ..] = args.as_slice()
                    && !code.is_option()
                    && !code.is("-")
                {
                    // It runs later, with the values that variables have then. Before each command is soon as well.
                    if args.iter().any(|arg| arg.is("DEBUG")) {
                        self.run_text(code, self.dialect, Feed::none());
                    }
                    if self.traps.len() < 16 {
                        let span = self.blamed(code.span);
                        self.traps.push(Arg { value: code.value.clone(), span });
                    } else {
                        self.spend_out(code.span);
                    }
                }
                Some(Feed::none())
            }
            "type" | "which" | "whence" => Some(self.name_program(call)),
            "enable" if call.has("-f") => {
                self.opaque(Unread::LibraryBuiltin, call.span);
                Some(Feed::none())
            }
            "enable" => Some(Feed::none()),
            _ => None,
        }
    }

    fn change_directory(&mut self, call: &Call) {
        // The shell sets it anew, whatever the text has put there.
        self.state.variables.remove("PWD");
        let target = call.args.iter().find(|arg| !arg.is_option() || arg.is("-"));
        let before = self.state.cwd.clone();
        if call.name == "pushd" {
            self.state.stacked.extend(before.clone());
            self.spend(before.as_ref().map_or(0, String::len) / 32);
        }
        let Some(target) = target else {
            self.state.elsewhere.clear();
            self.state.previous = before;
            self.state.cwd = Some(self.whereabouts.home.clone());
            return;
        };
        if target.is("-") {
            self.state.cwd = self.state.previous.take().or_else(|| Some(self.whereabouts.project.clone()));
            self.state.previous = before;
            return;
        }
        let path = place::Place::resolve(&target.value, self.cwd(), self.whereabouts, self.facts);
        // From each directory that the shell may stand in, a relative path leads to another one.
        let text = target.known().unwrap_or("/");
        self.state.elsewhere = if text.starts_with('/') {
            Vec::new()
        } else {
            self.state.elsewhere.iter().filter_map(|from| place::join(Some(from), text)).collect()
        };
        self.state.previous = before;
        self.state.cwd = match path.extent {
            // The shell keeps the path as it was written: `cd ..` leads back to where a link was entered.
            Extent::Exact => match target.known() {
                Some(text) => place::join(self.cwd(), text),
                None => Some(path.path),
            },
            // A directory that is not known is taken for the project: what is deleted there is judged as if it were.
            Extent::Anywhere => Some(self.whereabouts.project.clone()),
            Extent::Contents | Extent::Pattern | Extent::Below | Extent::Listed => {
                Some(format!("{}/…", path.path.trim_end_matches('/')))
            }
        };
    }

    /// Whether the working directory is known to exist, so that entering it did not fail.
    pub(super) fn surely_exists(&self) -> bool {
        let Some(cwd) = self.cwd() else { return false };
        let usual = ["/", "/tmp", "/etc", "/usr", "/var", "/home"].contains(&cwd);
        usual
            || place::is_within(&self.whereabouts.project, cwd)
            || place::is_within(&self.whereabouts.home, cwd)
            || !matches!(self.facts.text(cwd), FileText::NotKnown | FileText::Missing)
    }

    fn set(&mut self, call: &Call) -> Feed {
        if call.args.is_empty() {
            return self.print_environment("set", call.span);
        }
        let mut named: Option<bool> = None;
        for arg in call.args.iter().take_while(|arg| !arg.is("--")) {
            let text = arg.value.prefix();
            if let Some(on) = named.take() {
                match text {
                    "errexit" => self.state.stops_at_failure = on && !self.conditional,
                    "allexport" => self.state.exports_all |= on,
                    _ => {}
                }
                continue;
            }
            let (on, letters) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
                (Some(letters), _) => (true, letters),
                (_, Some(letters)) => (false, letters),
                (None, None) => break,
            };
            if letters.contains('e') {
                self.state.stops_at_failure = on && !self.conditional;
            }
            self.state.exports_all |= on && letters.contains('a');
            named = letters.ends_with('o').then_some(on);
        }
        let start = match call.args.iter().position(|arg| arg.is("--")) {
            Some(at) => at + 1,
            None => {
                let is_option = |arg: &Arg| arg.is_option() || arg.value.prefix().starts_with('+');
                let names = |at: usize| {
                    at.checked_sub(1).and_then(|at| call.args.get(at)).is_some_and(|arg| arg.shown().ends_with('o'))
                };
                match call.args.iter().enumerate().find(|(at, arg)| !is_option(arg) && !names(*at)) {
                    Some((at, _)) => at,
                    None => return Feed::none(),
                }
            }
        };
        self.state.positional = Some(Rc::new(call.args.iter().skip(start).cloned().collect()));
        Feed::none()
    }

    /// The whole environment is printed: every secret in it.
    pub(super) fn print_environment(&mut self, by: &str, span: Span) -> Feed {
        self.tell(&super::families::secrets::SHOW_ENVIRONMENT, by, span);
        Feed::from(Origin::Secret(format!("the environment, printed by {by}")))
    }

    fn read_variables(&mut self, call: &Call) {
        // `-u 3` reads another descriptor; `-C code` runs for every few lines.
        let valued = |letter: &str| {
            let at = call.args.iter().position(|arg| arg.is_option() && arg.value.prefix().contains(letter))?;
            let attached = call.arg(at).and_then(|text| text.split_once(letter)).map_or("", |(_, rest)| rest);
            if attached.is_empty() { call.args.get(at + 1).cloned() } else { Some(Arg::text(attached, call.span)) }
        };
        if call.name != "read"
            && let Some(code) = valued("C")
        {
            self.run_text(&code, self.dialect, Feed::none());
        }
        let other = valued("u").and_then(|number| number.known().and_then(|text| text.parse().ok()));
        let feed = other.and_then(|number| self.state.stream(number)).and_then(|stream| stream.input.clone());
        let other;
        let call = match feed {
            Some(stdin) => {
                other = Call { stdin, ..call.clone() };
                &other
            }
            None => call,
        };
        let mut names: Vec<String> = Vec::new();
        let (mut skip, mut array) = (false, call.name != "read");
        for arg in &call.args {
            if std::mem::take(&mut skip) {
                continue;
            }
            match arg.known() {
                Some(text) if text.starts_with('-') && text.ends_with('a') => array = true,
                Some(text) if text.starts_with('-') && text.len() > 1 => {
                    // The last letter of a cluster may take the next word as its value.
                    let valued = if call.name == "read" { "dnNptui" } else { "dnOsuCc" };
                    let takes_value = text.chars().next_back().is_some_and(|letter| valued.contains(letter));
                    skip = takes_value;
                }
                Some(text) => names.push(text.to_owned()),
                None => {}
            }
        }
        if names.is_empty() {
            names.push(if call.name == "read" { "REPLY" } else { "MAPFILE" }.to_owned());
        }
        // With another delimiter than the line end, as in `read -d ''`, the whole text may be one record.
        let whole = call.args.iter().any(|arg| arg.is_option() && arg.shown().ends_with('d'));
        let line = call.stdin.known().and_then(|text| if whole { Some(text.trim_end()) } else { text.lines().next() });
        let line = line.map(str::to_owned);
        if array {
            let values = match call.stdin.known() {
                Some(text) if call.name == "read" => text.split_whitespace().map(Value::text).collect(),
                Some(text) => text.lines().map(Value::text).collect(),
                None => vec![Value::unknown(format!("${}", names.concat()), call.stdin.origins.clone())],
            };
            self.set_variable(&names.concat(), Variable::Array(values), call.span);
            return;
        }
        let separators = match call.variables.iter().rfind(|(name, _)| name == "IFS") {
            Some((_, value)) => value.shown().into_owned(),
            None => self.separators(),
        };
        let mut rest = line.as_deref().map(|line| line.trim_matches(|letter| separators.contains(letter)));
        let count = names.len();
        for (index, name) in names.into_iter().enumerate() {
            let value = match rest {
                None => match &call.stdin.text {
                    Some(value) if count == 1 => Feed::of(value.clone()).into_value("$REPLY"),
                    _ => {
                        let origins =
                            if call.stdin.is_none() { vec![Origin::Input] } else { call.stdin.origins.clone() };
                        Value::unknown(format!("${name}"), origins)
                    }
                },
                Some(text) if index + 1 == count => Value::text(text),
                Some(text) => {
                    let (word, after) = text.split_once(|letter| separators.contains(letter)).unwrap_or((text, ""));
                    let white = |letter: char| letter.is_whitespace() && separators.contains(letter);
                    rest = Some(after.trim_start_matches(white));
                    Value::text(word)
                }
            };
            self.set_variable(&name, Variable::Scalar(vec![value]), call.span);
        }
    }

    /// `printf -v name format …`: what would be printed becomes the value of a variable.
    fn print_into_variable(&mut self, call: &Call) -> Feed {
        let Some(name) = call.arg(1).map(str::to_owned) else { return Feed::none() };
        let mut argv = vec![call.program.clone()];
        argv.extend(call.args.iter().skip(2).cloned());
        let feed = self.run_program(argv, Vec::new(), Feed::none(), call.span);
        let value = feed.text.unwrap_or_else(|| Value::unknown(format!("${name}"), feed.origins));
        self.set_variable(&name, Variable::Scalar(vec![value]), call.span);
        Feed::none()
    }

    fn evaluate(&mut self, call: &Call) -> Feed {
        let mut code = Value::default();
        for (index, arg) in call.args.iter().filter(|arg| !arg.is("--")).enumerate() {
            if index > 0 {
                code.push(Piece::Text(" ".to_owned()));
            }
            code.extend(arg.value.clone());
        }
        if code.known().is_none() && self.is_setup_output(&code) {
            return Feed::none();
        }
        self.run_text(&Arg { value: code, span: call.span }, self.dialect, call.stdin.clone())
    }

    /// Whether the value is what a program prints for the purpose of being evaluated, such as `ssh-agent -s`.
    fn is_setup_output(&self, code: &Value) -> bool {
        const SETUP: &[&str] = &[
            SETUP_OUTPUT,
            "ssh-agent",
            "direnv",
            "pyenv",
            "rbenv",
            "nodenv",
            "goenv",
            "jenv",
            "plenv",
            "starship",
            "dircolors",
            "fnm",
            "zoxide",
            "thefuck",
            "keychain",
            "gpg-agent",
            "register-python-argcomplete",
            "resize",
            "atuin",
            "getopt",
            "lesspipe",
            "swiftly",
            "anyenv",
            "sheldon",
        ];
        let mut origins = code.origins().peekable();
        origins.peek().is_some()
            && code.pieces().iter().all(|piece| matches!(piece, Piece::Unknown(_)))
            && origins.all(|origin| matches!(origin, Origin::Program(name) if SETUP.contains(&name.as_str())))
    }

    fn source(&mut self, call: &Call) -> Feed {
        let Some(file) = call.args.iter().find(|arg| !arg.is_option()) else { return Feed::none() };
        if file.known().is_some_and(|path| ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"].contains(&path)) {
            return self.source_feed(call.stdin.clone(), call);
        }
        let found = file.known().and_then(|name| self.on_search_path(name)).map(|path| Arg::text(path, file.span));
        let file = found.as_ref().unwrap_or(file);
        let place = self.place(&file.value);
        if let Some(super::written::Written::Content(feed)) = self.state.written.get(&place.path).cloned() {
            if self.is_setup_output(&feed.clone().into_value("")) {
                return Feed::none();
            }
            return self.source_feed(feed, call);
        }
        self.source_script(file, call)
    }

    /// Runs a text in this shell, so that what it sets stays.
    fn source_feed(&mut self, feed: Feed, call: &Call) -> Feed {
        let feed = self.settle(feed, "source");
        match feed.text {
            Some(value) => self.run_text(&Arg { value, span: call.span }, self.dialect, Feed::none()),
            None => self.run_feed(Language::Shell(self.dialect), feed, call.span),
        }
    }

    fn replace_shell(&mut self, call: &Call) -> Feed {
        let mut args = call.args.as_slice();
        while let [first, rest @ ..] = args {
            if first.is("-a") {
                args = rest.split_first().map_or(rest, |(_, rest)| rest);
            } else if first.is_option() {
                args = rest;
            } else {
                break;
            }
        }
        if args.is_empty() {
            return Feed::none();
        }
        self.run_program(args.to_vec(), call.variables.clone(), call.stdin.clone(), call.span)
    }

    fn bypass_functions(&mut self, call: &Call) -> Feed {
        if call.args.first().is_some_and(|arg| arg.is("-v") || arg.is("-V")) {
            return self.name_program(call);
        }
        let args: Vec<Arg> = call.args.iter().skip_while(|arg| arg.is("-p") || arg.is("--")).cloned().collect();
        if args.is_empty() {
            return Feed::none();
        }
        self.run_program(args, call.variables.clone(), call.stdin.clone(), call.span)
    }

    /// `which x`, `command -v x`: prints where the program is, which is as good as its name.
    fn name_program(&mut self, call: &Call) -> Feed {
        match call.args.iter().rfind(|arg| !arg.is_option()).and_then(|arg| arg.known()) {
            // A copy of the file is a copy of the program.
            Some(name)
                if !name.contains('/')
                    && call.name != "type"
                    && !self.state.functions.contains_key(name)
                    && super::families::find(name).is_some() =>
            {
                Feed::of(Value::text(format!("/usr/bin/{name}\n")))
            }
            Some(name) => Feed::of(Value::text(format!("{name}\n"))),
            None => Feed::from(Origin::Program(call.name.clone())),
        }
    }

    /// Printing a variable that is named like a secret shows the secret.
    pub(super) fn show_variables(&mut self, args: &[Arg]) {
        for arg in args {
            let secret = arg.value.origins().find_map(|origin| match origin {
                Origin::Variable(name) if super::families::secrets::is_secret_variable(name) => Some(name.clone()),
                _ => None,
            });
            if let Some(name) = secret {
                self.tell(&path_effects::READ_SECRET, format!("${name}"), arg.span);
            }
        }
    }

    /// What `trap` has put aside runs at the end.
    pub(super) fn spring_traps(&mut self) {
        for code in std::mem::take(&mut self.traps) {
            self.run_text(&code, self.dialect, Feed::none());
        }
    }

    /// Variables are set for programs that run later: some of them make programs run other code.
    pub(super) fn set_environment(&mut self, variables: &[(String, Value)], span: Span) {
        super::families::wrappers::environment(self, variables, span);
    }

    pub(super) fn report_unknown_program(&mut self, program: &Arg, span: Span) {
        // Words that another machine sends are a program that it sends.
        let fetched = program.value.origins().any(|origin| matches!(origin, Origin::Download { .. }));
        if fetched && program.value.prefix().is_empty() {
            self.run_unknown(program.value.origins().cloned().collect(), program.value.unread(), span);
        }
        self.tell(&rules::UNKNOWN_PROGRAM, program.shown().into_owned(), span);
        self.findings.gap(Unread::ProgramName, self.blamed(span));
    }
}
