//! What a command prints where somebody sees it: secrets that it is given or that flow through it.

use signoff_model::Span;

use super::{
    builtins::unseen_secret,
    families::network::elsewhere,
    machine::Shell,
    run::base_name,
    sieves::{self, LetsOut},
    streams::Plumbing,
};
use crate::{
    path_effects,
    value::{Arg, Feed, Piece, Value},
    words::Words,
};

/// What there is still to say about what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// Nothing: it was said, or nobody sees it.
    NoMore,
    /// What comes out of it is seen, and only its family says what that is.
    WhatComesOut,
}

/// Programs that print what flows into them, or a part of it in another form.
static PASSING: Words<64> = Words::new(
    "cat tac rev cut base64 base32 head tail tr fold fmt xxd od hexdump tee nl paste sort uniq less more \
    strings bat",
);

/// Programs that print a part of what flows into them, as their arguments say.
static FILTERS: Words<32> = Words::new("sed gsed awk gawk mawk grep egrep fgrep rg jq gojq jaq yq");

/// Programs that print a part of what they are told, as their family says.
static RENDERERS: Words<8> = Words::new("kubectl oc k kubecolor");

/// Programs that run code of another language, given as an argument or flowing in, that nobody walks through.
static INTERPRETERS: Words<64> = Words::new(
    "python pypy ipython node nodejs tsx ts-node deno bun ruby perl php lua luajit awk gawk mawk Rscript \
    julia elixir",
);

/// Whether a program runs code of another language, given as an argument or flowing in, that nobody walks through.
fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.holds(name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.'))
}

/// Whether a program may print what it is given or what flows into it, or run one that does. Of the others nothing is
/// asked.
pub(super) fn may_print(name: &str) -> bool {
    matches!(name, "echo" | "printf" | "print" | "tee")
        || PASSING.holds(name)
        || FILTERS.holds(name)
        || RENDERERS.holds(name)
        || is_interpreter(name)
        || elsewhere::wraps(name)
        || sieves::KNOWN.holds(name)
}

/// The secret that code prints, if the shell has put one into it where something is printed.
fn printed_by_code(code: &Value) -> Option<String> {
    let mut before = String::new();
    for piece in code.pieces() {
        match piece {
            Piece::Text(text) | Piece::Glob(text) => before.push_str(text),
            Piece::Unknown(unknown) => {
                let secret = unknown.origins.iter().find_map(unseen_secret);
                if secret.is_some() && ends_in_print(&before) {
                    return secret;
                }
            }
        }
    }
    None
}

/// Whether what stands next in code is printed: the innermost open bracket is that of a call that prints, or the
/// statement begins with a word that does.
fn ends_in_print(code: &str) -> bool {
    const PRINTS: &[&str] = &[
        "print",
        "println",
        "printf",
        "puts",
        "p",
        "pp",
        "say",
        "echo",
        "console.log",
        "console.error",
        "console.info",
        "console.warn",
        "sys.stdout.write",
        "sys.stderr.write",
        "process.stdout.write",
        "process.stderr.write",
        "io.write",
        "$stdout.puts",
        "STDOUT.puts",
        "warn",
        "cat",
        "var_dump",
        "print_r",
    ];
    let mut closed = 0_usize;
    for (at, letter) in code.char_indices().rev() {
        match letter {
            ')' => closed += 1,
            '(' if closed > 0 => closed -= 1,
            '(' => {
                let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$');
                let before = code.get(..at).unwrap_or_default().trim_end();
                let name = before.rsplit(|letter| !is_name(letter)).next().unwrap_or_default();
                return PRINTS.contains(&name);
            }
            _ => {}
        }
    }
    let statement = code.rsplit(['\n', ';', '{', '}']).next().unwrap_or_default();
    statement.split_whitespace().next().is_some_and(|word| PRINTS.contains(&word))
}

/// Whether what is written there is seen at once.
pub(super) fn is_screen(path: &str) -> bool {
    let descriptor = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|start| path.strip_prefix(start));
    matches!(path, "/dev/tty" | "/dev/stderr" | "/dev/stdout") || matches!(descriptor, Some("1" | "2"))
}

fn holds_unseen(feed: &Feed) -> bool {
    feed.text.iter().flat_map(Value::origins).chain(&feed.origins).any(|origin| unseen_secret(origin).is_some())
}

impl Shell<'_> {
    /// Says which secrets a command prints where somebody sees them, if it [may print](may_print) any.
    pub(super) fn show_printed(
        &mut self,
        name: &str,
        argv: &[Arg],
        variables: &[(String, Value)],
        plumbing: &Plumbing,
        span: Span,
    ) -> Shows {
        // What runs in the background prints where everything else does; what stands in a pipeline, for the next.
        let shows = plumbing.shows() && !self.captured && (!self.concurrent || self.last_stage || !self.heard)
            || plumbing.shows_beside();
        // A copy may go to the screen whatever becomes of the rest.
        if !shows && !argv.iter().filter_map(Arg::known).any(is_screen) {
            return Shows::NoMore;
        }
        // `nohup echo`, `env cat`: what a wrapper runs prints where the wrapper does.
        let bare = elsewhere::bare(argv);
        let (name, args) = match bare.split_first() {
            Some((program, args)) => (program.known().unwrap_or(name), args),
            None => (name, [].as_slice()),
        };
        let base = base_name(name);
        if matches!(base, "echo" | "printf" | "print") && shows {
            self.show_variables(args);
        }
        if shows && is_interpreter(base) {
            self.show_in_code(args, &plumbing.stdin, span);
        }
        // A copy goes to the screen whatever becomes of the rest, and what flows in is printed as arguments.
        let copies = base == "tee" && args.iter().filter_map(Arg::known).any(is_screen);
        let prints = bare.is_empty() || matches!(base, "echo" | "printf") && argv.len() > bare.len();
        let passes = PASSING.holds(base) || prints || self.may_be_another(name, variables);
        if copies || shows && passes {
            self.show_passed(&plumbing.stdin, span);
            return Shows::NoMore;
        }
        if shows && RENDERERS.holds(base) {
            return Shows::WhatComesOut;
        }
        let filters = shows && FILTERS.holds(base) && sieves::lets_out(base, args) != Some(LetsOut::Measure);
        if filters && holds_unseen(&plumbing.stdin) { Shows::WhatComesOut } else { Shows::NoMore }
    }

    /// Code that the shell puts a secret into, as an argument of what prints, shows it.
    fn show_in_code(&mut self, args: &[Arg], stdin: &Feed, span: Span) {
        let codes = args.iter().map(|arg| (&arg.value, arg.span)).chain(stdin.text.iter().map(|text| (text, span)));
        let shown: Vec<_> = codes.filter_map(|(code, span)| Some((printed_by_code(code)?, span))).collect();
        for (name, span) in shown {
            self.tell(&path_effects::READ_SECRET, name, span);
        }
    }

    /// Whether a name that stands for a filter may be something else here: it lies in a directory of somebody's own, or
    /// the text says where programs are looked for.
    fn may_be_another(&self, name: &str, variables: &[(String, Value)]) -> bool {
        const DIRECTORIES: &[&str] = &["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"];
        let base = base_name(name);
        let is_usual = match name.strip_suffix(base) {
            Some("") => !self.state.variables.contains_key("PATH") && !variables.iter().any(|(name, _)| name == "PATH"),
            Some(directory) => DIRECTORIES.contains(&directory),
            None => false,
        };
        sieves::KNOWN.holds(base) && !is_usual
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask};

    use crate::testing::check;

    #[test]
    fn code_that_prints_what_the_shell_puts_into_it_shows_it() {
        check(
            Ask,
            &[
                r#"python3 -c "print('$GITHUB_TOKEN')""#,
                r#"python3 -c "import os; print('token: ' + '$GITHUB_TOKEN')""#,
                r#"python3 -c "import sys; sys.stdout.write('$GITHUB_TOKEN')""#,
                r#"node -e "console.log('$GITHUB_TOKEN')""#,
                r#"node -e "console.log({token: '$GITHUB_TOKEN'})""#,
                r#"ruby -e "puts '$GITHUB_TOKEN'""#,
                r#"perl -e "print '$GITHUB_TOKEN'""#,
                r#"php -r "echo '$GITHUB_TOKEN';""#,
                r#"awk "BEGIN { print \"$GITHUB_TOKEN\" }""#,
                "python3 - <<END\nprint('$GITHUB_TOKEN')\nEND",
                r#"env X=1 python3 -c "print('$GITHUB_TOKEN')""#,
            ],
        );
        check(
            Allow,
            &[
                r#"python3 -c "print(len('$GITHUB_TOKEN'))""#,
                r#"python3 -c "print(bool('$GITHUB_TOKEN'))""#,
                r#"python3 -c "print('$HOME')""#,
                r#"node -e "console.log('$npm_package_version')""#,
                r#"V=$(python3 -c "print('$GITHUB_TOKEN')")"#,
                r#"python3 -c "print('$GITHUB_TOKEN')" > /dev/null"#,
                r#"node -e "const t = '$GITHUB_TOKEN'; console.log(t.length)""#,
            ],
        );
    }
}
