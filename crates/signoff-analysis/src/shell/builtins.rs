//! What the shell does itself: directories, variables, evaluation, reading.

use std::rc::Rc;

use signoff_model::{Dialect, Secret, Span, Unread};

use super::{call::Call, contents::Variable, machine::Shell, rules, run::Language, walk::COMPARISONS};
use crate::{
    path_effects,
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
        if self.dialect == Dialect::Zsh {
            self.run_zsh_builtin(call);
        }
        match call.name.as_str() {
            "history" => {
                self.change_history(call);
                None
            }
            "fc" => Some(self.run_history(call)),
            "r" if self.dialect == Dialect::Zsh => Some(self.run_history(call)),
            "jobs" if call.args.iter().any(|arg| arg.is_option() && arg.value.prefix().contains('p')) => {
                Some(Feed::from(Origin::Started))
            }
            ":" | "true" | "false" | "exit" | "return" | "break" | "continue" | "wait" | "jobs" | "fg" | "bg"
            | "disown" | "times" | "shopt" | "setopt" | "unsetopt" | "compopt" | "caller" | "umask" | "ulimit"
            | "logout" | "suspend" | "getopts" | "dirs" | "autoload" | "zstyle" | "compdef" | "emulate" | "rehash"
            | "unalias" => {
                if matches!(call.name.as_str(), "break" | "continue" | "return") {
                    self.leave_here();
                }
                if call.name == "shopt" {
                    self.set_options(call);
                }
                if matches!(call.name.as_str(), "exit" | "logout") {
                    self.exit_here();
                }
                if call.name == "getopts" {
                    self.get_options(call);
                }
                // `wait -p` puts the number of what has ended into an element; zsh computes the arguments of the others.
                let evaluated = match call.name.as_str() {
                    "wait" => call.args.iter().skip_while(|arg| !arg.is("-p")).nth(1),
                    "exit" | "return" | "break" | "continue" if self.dialect == Dialect::Zsh => call.args.first(),
                    _ => None,
                };
                if let Some(arg) = evaluated {
                    self.run_subscripts(&arg.value, arg.span);
                }
                Some(Feed::none())
            }
            "test" | "[" | "[[" => {
                let computes = |sign: &Arg| {
                    self.dialect == Dialect::Zsh && sign.known().is_some_and(|sign| COMPARISONS.contains(&sign))
                };
                let sides = call.args.windows(3).filter_map(|triple| match triple {
                    [left, sign, right] if computes(sign) => Some([left.clone(), right.clone()]),
                    _ => None,
                });
                let names = call.args.windows(2).filter_map(|pair| match pair {
                    [option, name] if option.is("-v") || option.is("-R") => Some(name.clone()),
                    _ => None,
                });
                for arg in sides.flatten().chain(names).collect::<Vec<_>>() {
                    self.run_subscripts(&arg.value, arg.span);
                }
                Some(Feed::none())
            }
            "cd" | "chdir" => {
                self.change_directory(call);
                Some(Feed::none())
            }
            "pushd" => {
                self.push_directory(call);
                Some(Feed::none())
            }
            "popd" => {
                self.pop_directory(call);
                Some(Feed::none())
            }
            "pwd" => Some(match self.cwd() {
                Some(cwd) => Feed::of(Value::text(format!("{cwd}\n"))),
                None => Feed::from(Origin::Program("pwd".into())),
            }),
            "unset" => {
                self.unset(call);
                Some(Feed::none())
            }
            "declare" | "typeset" | "local" | "export" | "readonly" => Some(self.declare_call(call)),
            "set" => Some(self.set(call)),
            "shift" => {
                let count = match call.args.first() {
                    None => Some(1),
                    Some(arg) => arg.known().and_then(|text| text.trim().parse::<usize>().ok()),
                };
                self.state.positional = match (&self.state.positional, count) {
                    // What may be any number of words may be shifted away or not.
                    (Some(args), Some(count)) if args.iter().take(count).any(Arg::splits) => None,
                    (Some(args), Some(count)) if count <= args.len() => {
                        Some(Rc::new(args.iter().skip(count).cloned().collect()))
                    }
                    // More than there are: the shell refuses.
                    (Some(args), Some(_)) => Some(args.clone()),
                    (_, None) | (None, _) => None,
                };
                Some(Feed::none())
            }
            "read" | "mapfile" | "readarray" => {
                self.read_variables(call);
                Some(Feed::none())
            }
            "complete" | "compgen" | "bind" => {
                self.complete(call);
                Some(Feed::none())
            }
            "hash" if call.args.first().is_some_and(|arg| arg.value.prefix().starts_with("-p")) => {
                let attached = call.args.first().map(|arg| super::options::strip(&arg.value, 2)).unwrap_or_default();
                let (path, name) = if attached.is_empty() {
                    (call.args.get(1).map(|arg| arg.value.clone()), call.arg(2))
                } else {
                    (Some(attached), call.arg(1))
                };
                if let (Some(path), Some(name)) = (path, name) {
                    self.state.aliases.insert(name.to_owned(), vec![Some(path)]);
                }
                Some(Feed::none())
            }
            "hash" => Some(Feed::none()),
            "let" => {
                for arg in &call.args {
                    self.compute(&arg.value, arg.span);
                }
                Some(Feed::none())
            }
            "printf" if call.args.first().is_some_and(|arg| arg.value.prefix().starts_with("-v")) => {
                Some(self.print_into_variable(call))
            }
            "alias" => {
                for arg in &call.args {
                    let text = arg.value.prefix();
                    if let Some((name, _)) = text.split_once('=') {
                        let value = super::options::strip(&arg.value, name.len() + 1);
                        self.doubt_ending(name);
                        self.state.aliases.insert(name.to_owned(), vec![Some(value)]);
                    }
                }
                Some(Feed::none())
            }
            "eval" => Some(self.evaluate(call)),
            "source" | "." => Some(self.source(call)),
            "exec" => Some(self.replace_shell(call)),
            "command" | "builtin" => Some(self.bypass_functions(call)),
            "trap" => {
                self.set_trap(call);
                Some(Feed::none())
            }
            "type" | "which" | "whence" => Some(self.name_program(call)),
            "enable" if call.has("-f") => {
                self.opaque(Unread::LibraryBuiltin, call.span);
                Some(Feed::none())
            }
            "enable" => {
                // A program is looked for instead of what the shell does itself.
                if call.args.iter().any(|arg| arg.is_option() && arg.value.prefix().contains('n')) {
                    for name in call.args.iter().filter(|arg| !arg.is_option()).filter_map(Arg::known) {
                        self.doubt_ending(name);
                        let program = Value::text(format!("/usr/bin/{name}"));
                        self.state.aliases.insert(name.to_owned(), vec![Some(program)]);
                    }
                }
                Some(Feed::none())
            }
            _ => None,
        }
    }

    /// `complete`, `compgen`, `bind`: options that bring code.
    fn complete(&mut self, call: &Call) {
        let mut rest = call.args.iter();
        while let Some(arg) = rest.next() {
            let letters = arg.value.prefix();
            let wanted = if call.name == "bind" { "xX" } else { "AoGWFCXPSV" };
            let Some(at) = letters.strip_prefix('-').and_then(|letters| letters.find(|sign| wanted.contains(sign)))
            else {
                continue;
            };
            let attached = super::options::strip(&arg.value, at + 2);
            let value = match attached.is_empty() {
                true => rest.next().cloned(),
                false => Some(Arg { value: attached, span: arg.span }),
            };
            let Some(value) = value else { return };
            match letters.as_bytes().get(at + 1) {
                // The list of words is expanded once more.
                Some(b'W') => self.run_prompt(&value.value, value.span),
                // Only the words that are asked for at once need the function now.
                Some(b'F') if call.name == "compgen" => drop(self.run_text(&value, self.dialect, Feed::none())),
                Some(b'C' | b'x' | b'X') => {
                    // `bind -x` takes `"keys": command`.
                    let shown = value.shown();
                    let text = shown.split_once(": ").map_or(&*shown, |(_, text)| text).to_owned();
                    let is_pattern = call.name != "bind" && letters.as_bytes().get(at + 1) == Some(&b'X');
                    if !is_pattern {
                        self.subshell(|shell| {
                            shell.run_text(&Arg::text(text, value.span), shell.dialect, Feed::none())
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// Some option is next, with any of the values that may be meant for it.
    fn get_options(&mut self, call: &Call) {
        let (Some(letters), Some(name)) = (call.arg(0), call.arg(1)) else { return };
        let letters = letters.to_owned();
        let explicit = call.args.get(2..).unwrap_or_default();
        let args = if explicit.is_empty() {
            self.state.positional.as_ref().map(|args| args.to_vec())
        } else {
            Some(explicit.to_vec())
        };
        self.forget(name);
        let Some(args) = args else {
            let value = Value::unknown("$OPTARG", vec![Origin::Input]);
            return self.set_variable("OPTARG", Variable::text(value), call.span);
        };
        let mut values = Vec::new();
        for arg in &args {
            if !arg.is_option() {
                values.push(arg.value.clone());
                continue;
            }
            // The rest of a cluster behind a letter that takes a value is that value.
            let valued =
                arg.value.prefix().char_indices().skip(1).find(|(_, letter)| letters.contains(&format!("{letter}:")));
            values.extend(valued.map(|(at, letter)| super::options::strip(&arg.value, at + letter.len_utf8())));
        }
        values.dedup();
        let values = super::expand::any_of(values, "OPTARG");
        if !values.is_empty() {
            self.set_variable("OPTARG", Variable::Scalar(values), call.span);
        }
    }

    /// `shopt`: options that change what the walk thinks of commands that follow.
    fn set_options(&mut self, call: &Call) {
        let mut letters = String::new();
        call.args.iter().filter(|arg| arg.is_option()).for_each(|arg| letters.push_str(arg.value.prefix()));
        let may_name = |option: &str| call.args.iter().any(|arg| arg.known().is_none_or(|name| name == option));
        let unknown = call.args.iter().any(|arg| arg.known().is_none());
        self.state.lastpipe |= may_name("lastpipe") && (unknown || letters.contains('s'));
        self.patterns_vanish |= may_name("nullglob") || may_name("failglob");
        // A program that cannot be started does not end the shell then.
        if may_name("execfail") {
            self.doubt_ending("exec");
        }
        if may_name("errexit") && !letters.contains('s') {
            self.state.stops_at_failure = false;
        }
    }

    fn set(&mut self, call: &Call) -> Feed {
        if call.args.is_empty() {
            return self.print_environment("set", call.span);
        }
        let mut named: Option<bool> = None;
        for arg in call.args.iter().take_while(|arg| !arg.is("--") && !arg.is("-")) {
            let Some(text) = arg.known() else {
                // It may say anything, and so may what follows.
                self.state.stops_at_failure = false;
                self.forget_presence();
                break;
            };
            // What stands there is not replaced then.
            if text.starts_with('-') && text.contains('C') || text == "noclobber" {
                self.forget_presence();
            }
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
        let start = match call.args.iter().position(|arg| arg.is("--") || arg.is("-")) {
            // `set -` alone leaves the arguments as they are.
            Some(at) if at + 1 == call.args.len() && call.arg(at) == Some("-") => return Feed::none(),
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
        Feed::from(Origin::Secret(Secret::EnvironmentBy(by.to_owned()).to_string()))
    }

    /// `printf -v name format …`: what would be printed becomes the value of a variable.
    fn print_into_variable(&mut self, call: &Call) -> Feed {
        let attached = call.arg(0).and_then(|text| text.strip_prefix("-v")).filter(|name| !name.is_empty());
        let skip = if attached.is_some() { 1 } else { 2 };
        let Some(name) = attached.or_else(|| call.arg(1)).map(str::to_owned) else { return Feed::none() };
        let mut argv = vec![call.program.clone()];
        argv.extend(call.args.iter().skip(skip).cloned());
        let flow = self.run_program(argv, Vec::new(), Feed::none(), call.span).into_flow();
        let value = flow.text.unwrap_or_else(|| Value::unknown(format!("${name}"), flow.origins));
        self.set_variable(&name, Variable::Scalar(vec![value]), call.span);
        Feed::none()
    }

    fn evaluate(&mut self, call: &Call) -> Feed {
        let mut code = Value::default();
        for (index, arg) in call.args.iter().filter(|arg| !arg.is("--")).enumerate() {
            if index > 0 {
                code.push(Piece::text(" "));
            }
            code.extend(arg.value.clone());
        }
        if code.known().is_none() && self.is_setup_output(&code) {
            return Feed::none();
        }
        let code = Arg { value: code, span: call.span };
        self.report_filled_in(&code);
        self.with_fresh_input(|shell| shell.run_text(&code, shell.dialect, call.stdin.clone()))
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
            return self.source_feed(call.stdin.clone(), call.span);
        }
        let found = file.known().and_then(|name| self.on_search_path(name)).map(|path| Arg::text(path, file.span));
        let file = found.as_ref().unwrap_or(file);
        let place = self.place(&file.value);
        if let Some(super::written::Written::Content(feed)) = self.state.written.get(&place.path).cloned() {
            if self.is_setup_output(&feed.clone().into_value("")) {
                return Feed::none();
            }
            self.in_returnable += 1;
            let feed = self.source_feed(feed, call.span);
            self.in_returnable -= 1;
            return feed;
        }
        self.in_returnable += 1;
        let feed = self.with_fresh_input(|shell| shell.source_script(file, call));
        self.in_returnable -= 1;
        feed
    }

    /// Runs a text in this shell, so that what it sets stays.
    pub(super) fn source_feed(&mut self, feed: Feed, span: Span) -> Feed {
        let feed = self.settle(feed, "source");
        match feed.text.clone() {
            Some(value) => self.run_text(&Arg { value, span }, self.dialect, Feed::none()),
            None => self.run_feed(Language::Shell(self.dialect), feed, span),
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

    /// What a filter shows of a variable that is named like a secret is a part of the secret.
    pub(super) fn show_passed(&mut self, stdin: &Feed, span: Span) {
        let origins = stdin.text.iter().flat_map(Value::origins).chain(&stdin.origins);
        if let Some(name) = origins.into_iter().find_map(unseen_secret) {
            self.tell(&path_effects::READ_SECRET, name, span);
        }
    }

    /// Printing a variable that is named like a secret shows the secret.
    pub(super) fn show_variables(&mut self, args: &[Arg]) {
        for arg in args {
            if let Some(name) = arg.value.origins().find_map(unseen_secret) {
                self.tell(&path_effects::READ_SECRET, name, arg.span);
            }
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

/// The secret that nobody was asked about when it was taken, but whoever prints it shows.
pub(super) fn unseen_secret(origin: &Origin) -> Option<String> {
    match origin {
        Origin::Variable(name) if super::families::secrets::is_secret_variable(name) => Some(format!("${name}")),
        Origin::Secret(name) if name == super::families::infrastructure::UNSEEN_OUTPUTS => Some(name.clone()),
        _ => None,
    }
}
