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
use crate::value::{Arg, Feed, Value};

/// What there is still to say about what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// Nothing: it was said, or nobody sees it.
    NoMore,
    /// What comes out of it is seen, and only its family says what that is.
    WhatComesOut,
}

/// Whether a program prints what flows into it, or a part of it in another form.
fn passes_on(name: &str) -> bool {
    matches!(
        name,
        "cat"
            | "tac"
            | "rev"
            | "cut"
            | "base64"
            | "base32"
            | "head"
            | "tail"
            | "tr"
            | "fold"
            | "fmt"
            | "xxd"
            | "od"
            | "hexdump"
            | "tee"
            | "nl"
            | "paste"
            | "sort"
            | "uniq"
            | "less"
            | "more"
            | "strings"
            | "bat"
    )
}

/// Whether a program prints a part of what flows into it, as its arguments say.
fn filters_on(name: &str) -> bool {
    matches!(
        name,
        "sed" | "gsed" | "awk" | "gawk" | "mawk" | "grep" | "egrep" | "fgrep" | "rg" | "jq" | "gojq" | "jaq" | "yq"
    )
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
    /// Says which secrets a command prints where somebody sees them.
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
        // A copy goes to the screen whatever becomes of the rest, and what flows in is printed as arguments.
        let copies = base == "tee" && args.iter().filter_map(Arg::known).any(is_screen);
        let prints = bare.is_empty() || matches!(base, "echo" | "printf") && argv.len() > bare.len();
        let passes = passes_on(base) || prints || self.may_be_another(name, variables);
        if copies || shows && passes {
            self.show_passed(&plumbing.stdin, span);
            return Shows::NoMore;
        }
        let filters = shows && filters_on(base) && sieves::lets_out(base, args) != Some(LetsOut::Measure);
        if filters && holds_unseen(&plumbing.stdin) { Shows::WhatComesOut } else { Shows::NoMore }
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
        sieves::KNOWN.contains(&base) && !is_usual
    }
}
