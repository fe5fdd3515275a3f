//! Programs that code starts: an argument list, or a text for the shell.

use signoff_model::Dialect;

use super::{
    brackets::GIVEN,
    functions,
    lexer::Token,
    names::Start,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{
    shell::Language,
    value::{Feed, Origin, Piece, Value},
};

impl Reader<'_, '_> {
    pub(super) fn start(&mut self, how: Start, name: &str, args: &Args) -> Thing {
        let flat = args.flat();
        // A shell whose streams are given as a connection: `spawn("sh", in: socket)`.
        let connected = |origin: &Origin| matches!(origin, Origin::Download { .. });
        if flat.first().and_then(Thing::known).is_some_and(|first| opens_a_shell(&[first]))
            && args.origins().iter().any(connected)
        {
            self.seen.opens_shell = true;
        }
        let inherits = matches!(how, Start::Shell | Start::ShellOrProgram | Start::Exec);
        let shell_wanted =
            args.may_be_set("shell") && !matches!(args.named("shell"), Some(Thing::Text(value)) if value.is_empty());
        let first = args.either(0, &["args", "cmd", "command"]).cloned().unwrap_or_else(Thing::unknown);
        let argv: Option<Vec<Thing>> = match how {
            Start::Shell | Start::Capture => None,
            Start::ShellOrProgram => match (args.items.as_slice(), &first) {
                ([Thing::List(things)], _) => Some(things.clone()),
                ([_], _) | ([], _) => None,
                // What stands behind it says how the pipe is opened.
                ([Thing::Text(_), ..], _) if name == "IO.popen" => None,
                // In Ruby the first argument may hold variables of the environment.
                ([Thing::Record(_), rest @ ..], _) => match rest {
                    [_] => None,
                    rest => Some(rest.to_vec()),
                },
                _ => Some(flat),
            },
            Start::Subprocess => match &first {
                Thing::List(things) if !shell_wanted => Some(things.clone()),
                Thing::List(things) => {
                    let code = things.first().cloned().unwrap_or_else(Thing::unknown);
                    return self.run_shell_in(&code, args, inherits);
                }
                _ if shell_wanted || self.language == Language::Php => None,
                // `new ProcessBuilder("rm", "-rf", "x")` gives the words in a row; other languages a text with spaces.
                _ if self.language == Language::Java && args.items.len() > 1 => Some(flat),
                text @ (Thing::Text(_) | Thing::Path(_)) => match functions::split_words(text) {
                    Thing::List(words) => Some(words),
                    _ => None,
                },
                _ => None,
            },
            Start::Program => {
                let mut all = match &first {
                    Thing::List(things) => things.clone(),
                    other => vec![other.clone()],
                };
                if let Some(list) = args.named("args").or_else(|| args.get(1)) {
                    match list {
                        Thing::List(things) => all.extend(things.iter().cloned()),
                        Thing::Record(_) => {}
                        other if args.named("args").is_some() || self.language != Language::JavaScript => {
                            all.push(other.clone())
                        }
                        _ => {}
                    }
                }
                if matches!(self.language, Language::Python | Language::Other | Language::Go | Language::Java) {
                    all.extend(args.items.iter().skip(2).cloned());
                }
                if shell_wanted {
                    let code = functions::joined(&all, &Value::text(" "));
                    return self.run_shell_in(&code, args, inherits);
                }
                Some(all)
            }
            Start::Exec | Start::Spawn => {
                let skip = usize::from(how == Start::Spawn);
                let mut rest = flat.iter().skip(skip);
                let program = rest.next().cloned();
                // The next one repeats the name of the program.
                rest.next();
                program.map(|program| std::iter::once(program).chain(rest.cloned()).collect())
            }
            Start::Named => {
                let program = name.rsplit('.').next().unwrap_or(name).replace('_', "-");
                Some(std::iter::once(Thing::text(program)).chain(flat.iter().cloned()).collect())
            }
        };
        // Ruby names the files that a program prints to.
        for stream in ["out", "err"].iter().filter(|_| self.language == Language::Ruby) {
            if let Some(file @ (Thing::Text(_) | Thing::Path(_))) = args.named(stream) {
                self.shell.write(&file.arg(self.span), crate::path_effects::Write::Replace);
            }
        }
        let typed = self.typed(name, args);
        // Another program than the one that is named, or another shell.
        let other = args.named("executable").or_else(|| args.named("shell")).filter(|other| {
            matches!(other, Thing::Text(_) | Thing::Path(_)) && !matches!(other.known(), Some(known) if is_shell(known))
        });
        let argv = match (argv, other.cloned()) {
            (Some(argv), Some(other)) if args.named("executable").is_some() => {
                Some(std::iter::once(other).chain(argv.into_iter().skip(1)).collect())
            }
            (None, Some(other)) => Some(vec![other, Thing::text("-c"), first.clone()]),
            (argv, _) => argv,
        };
        let feed = match argv {
            Some(argv) => self.in_directory(args, |reader| reader.run_program(&argv, typed)),
            None if typed.is_none() => return self.run_shell_in(&first, args, inherits),
            None => self.in_directory(args, |reader| reader.shell_fed(&first, typed)),
        };
        self.outcome(feed, inherits)
    }

    /// What the code types into a program that it starts: what an argument gives, or whatever it sends later on.
    fn typed(&self, name: &str, args: &Args) -> Feed {
        let given = ["input", "stdin_data"].iter().find_map(|name| args.named(name));
        if let Some(thing) = given.filter(|thing| !matches!(thing, Thing::Name(name) if is_nothing(name))) {
            return Feed::of(thing.value());
        }
        let stream = args.named("stdin").filter(|thing| !matches!(thing, Thing::Name(name) if is_nothing(name)));
        // The other end of such a terminal or pipe is the code itself.
        let last = name.rsplit('.').next().unwrap_or(name);
        let held = name.starts_with("pexpect") || name.starts_with("PTY") || name.starts_with("node-pty");
        let writes = matches!(last, "popen" | "os.popen")
            && args
                .items
                .iter()
                .skip(1)
                .chain(args.named("mode"))
                .any(|mode| mode.known().is_some_and(|mode| mode.contains(['w', '+'])));
        if stream.is_some() || held || writes { Feed::from(Origin::Input) } else { Feed::none() }
    }

    /// Runs a text in a shell, in the directory that an option names.
    pub(super) fn run_shell_in(&mut self, code: &Thing, args: &Args, inherits: bool) -> Thing {
        let feed = self.in_directory(args, |reader| reader.shell_feed(code));
        self.outcome(feed, inherits)
    }

    pub(super) fn in_directory(&mut self, args: &Args, body: impl FnOnce(&mut Self) -> Feed) -> Feed {
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
    pub(super) fn outcome(&mut self, feed: Feed, inherits: bool) -> Thing {
        let flow = feed.into_flow();
        let thing = match flow.text {
            Some(value) => Thing::Text(value),
            None => Thing::result("output", flow.origins),
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

    /// Runs a text in a shell that something may be typed into, and gives back what it prints.
    pub(super) fn run_shell_typed(&mut self, code: &Thing, typed: Feed) -> Thing {
        if typed.is_none() {
            return self.run_shell_text(code);
        }
        let feed = self.shell_fed(code, typed);
        self.outcome(feed, false)
    }

    pub(super) fn shell_feed(&mut self, code: &Thing) -> Feed {
        let stdin = if self.seen.answers { Feed::from(Origin::Input) } else { self.stdin.clone() };
        self.shell_fed(code, stdin)
    }

    /// Runs a text in a shell that something is typed into.
    pub(super) fn shell_fed(&mut self, code: &Thing, stdin: Feed) -> Feed {
        let arg = code.arg(self.span);
        self.seen.opens_shell |= opens_a_shell(&arg.shown().split_whitespace().collect::<Vec<_>>());
        if arg.value.is_empty() {
            return Feed::none();
        }
        // One of many texts may be more than a word to the shell.
        if arg.value.origins().any(|origin| *origin == Origin::Astray) {
            self.shell.opaque(arg.shown().into_owned(), self.span);
        }
        // Whoever calls a block decides what it runs.
        let given = |piece: &Piece| matches!(piece, Piece::Unknown(unknown) if unknown.shown.starts_with(GIVEN));
        if arg.value.pieces().first().is_some_and(given) {
            self.shell.opaque(arg.shown().into_owned(), self.span);
        }
        self.seen.runs_unknown |= arg.value.prefix().is_empty() && arg.value.has_unknown();
        // What is started in the background goes on beside a loop that starts the next.
        self.seen.forks |= arg.known().is_some_and(|text| text.trim_end().ends_with('&'));
        self.shell.subshell(|shell| shell.run_text(&arg, Dialect::Sh, stdin))
    }

    /// Runs a program with its arguments.
    pub(super) fn run_program(&mut self, argv: &[Thing], stdin: Feed) -> Feed {
        let words: Vec<&str> = argv.iter().map(|thing| thing.known().unwrap_or("…")).collect();
        if opens_a_shell(&words) {
            self.seen.opens_shell = true;
        }
        self.seen.forks |= argv.iter().any(is_itself);
        self.seen.runs_unknown |= match argv {
            [Thing::Result { .. }, ..] => true,
            [.., flag, Thing::Result { .. }] => matches!(flag.known(), Some("-c" | "/c" | "-e")),
            _ => false,
        };
        let mut all: Vec<_> = argv.iter().map(|thing| thing.arg(self.span)).collect();
        if let (Some(first), Some(Thing::Name(name))) = (all.first_mut(), argv.first()) {
            match name.as_str() {
                "sys.executable" => first.value = Value::text("python3"),
                "process.execPath" | "process.argv0" => first.value = Value::text("node"),
                _ => {}
            }
        }
        let stdin = if stdin.is_none() && self.seen.answers { Feed::from(Origin::Input) } else { stdin };
        self.shell.run(&all, stdin, self.span)
    }
}

/// Whether a program is one of the usual shells, or nothing at all.
fn is_shell(program: &str) -> bool {
    matches!(program.rsplit('/').next(), Some("" | "sh" | "bash" | "zsh" | "dash"))
}

/// Whether a name stands for no input at all.
fn is_nothing(name: &str) -> bool {
    matches!(name.rsplit('.').next(), Some("DEVNULL" | "None" | "null" | "undefined" | "nil" | "ignore"))
}

/// Whether code types into programs that it has started: `p.stdin.write(…)`, `p.communicate(…)`, `c.sendline(…)`,
/// `cmd.Stdin = …`, `p.getOutputStream()`.
pub(super) fn types_answers(tokens: &[Token]) -> bool {
    let name = |token: &Token| match token {
        Token::Name(name) => Some(name.to_string()),
        _ => None,
    };
    tokens.iter().enumerate().any(|(at, token)| {
        let Token::Name(word) = token else { return false };
        let next = |step: usize| tokens.get(at + step);
        match &**word {
            "sendline" | "sendcontrol" | "StdinPipe" | "getOutputStream" | "stdin_data" => true,
            "communicate" => !matches!(next(2), Some(Token::Close(_))),
            "stdin" | "Stdin" | "StandardInput" => {
                next(2).and_then(name).is_some_and(|method| {
                    matches!(
                        method.as_str(),
                        "write" | "end" | "puts" | "print" | "write_all" | "WriteLine" | "writelines"
                    )
                }) || &**word == "Stdin" && matches!(next(1), Some(Token::Sign("=")))
            }
            _ => false,
        }
    })
}

/// Whether a thing names the code that is read.
fn is_itself(thing: &Thing) -> bool {
    let name = match thing {
        Thing::Name(name) => name.as_str(),
        Thing::Result { of, .. } => of.as_str(),
        _ => return false,
    };
    matches!(name, "__file__" | "__filename" | "$0" | "$PROGRAM_NAME" | "__FILE__" | "process.argv" | "sys.argv")
}

/// Whether these words start a shell that reads commands from its input.
fn opens_a_shell(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    matches!(
        name,
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "cmd" | "cmd.exe" | "powershell" | "powershell.exe" | "pwsh"
    ) && rest
        .iter()
        .all(|word| matches!(*word, "-i" | "-p" | "-l" | "--login" | "--noprofile" | "--norc") || word.contains('&'))
}
