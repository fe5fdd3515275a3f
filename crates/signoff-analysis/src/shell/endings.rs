//! What surely ends: the shell, the function or the round of a loop, so that nothing which follows runs. Whatever is not
//! known here goes on.

use super::{
    functions::Body,
    loops::leaves_early,
    machine::{MAX_DEPTH, Shell},
    syntax::tree::{
        Command, Compound, ParameterOperation, Pipeline, Redirect, RedirectOperator, RedirectTarget, SimpleCommand,
        Word, WordPart,
    },
};

/// The commands by which something ends.
const ENDINGS: &[&str] = &["exit", "return", "break", "continue", "exec"];

/// Where a command stands that may end something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// In the text at hand: it is enough that it leaves the function or the round of the loop.
    Here,
    /// In a function that is called there: what returns from it goes on behind the call.
    InFunction,
}

impl<'a> Shell<'a> {
    /// The text gives a name another meaning. What ends by that name is not sure any more, even if the text takes the
    /// meaning back.
    pub(super) fn doubt_ending(&mut self, name: &str) {
        self.doubts_endings |= ENDINGS.contains(&name);
    }

    /// Whether nothing follows a pipeline, whatever comes of it: it ends the shell, the function or the round of a loop.
    pub(super) fn surely_leaves(&self, pipeline: &'a Pipeline<'a>) -> bool {
        matches!(pipeline.commands, [only] if !self.doubts_endings && self.ends(only, Stands::Here, 0))
    }

    fn ends(&self, command: &'a Command<'a>, stands: Stands, depth: usize) -> bool {
        match command {
            Command::Simple(simple) => {
                opens_surely(simple.redirects) && simple.assignments.is_empty() && self.ends_by_name(simple, stands)
            }
            Command::Compound(compound) => match &compound.kind {
                Compound::Group(items) if depth < MAX_DEPTH && opens_surely(compound.redirects) => {
                    for item in *items {
                        let alone = item.list.rest.is_empty() && !item.background;
                        if alone && matches!(item.list.first.commands, [only] if self.ends(only, stands, depth + 1)) {
                            return true;
                        }
                        // It may return before.
                        if stands == Stands::InFunction && leaves_early(std::slice::from_ref(item)) {
                            return false;
                        }
                    }
                    false
                }
                _ => false,
            },
            Command::Function(_) | Command::Coproc { .. } => false,
        }
    }

    fn ends_by_name(&self, simple: &'a SimpleCommand<'a>, stands: Stands) -> bool {
        let Some((name, args)) = simple.words.split_first() else { return false };
        let [WordPart::Literal(name)] = name.parts else { return false };
        if self.state.aliases.contains_key(name) {
            return false;
        }
        if let Some(bodies) = self.state.functions.get(name) {
            let exits = |body: &Option<Body<'a>>| body.is_some_and(|body| self.ends(body.0, Stands::InFunction, 0));
            // A trap may return from the function before, and what another name stands for may as well.
            let plain = stands == Stands::Here && !self.may_spring() && self.state.aliases.len() == 0;
            return plain && !bodies.is_empty() && bodies.iter().all(exits);
        }
        // With a question for help it says what it would do and goes on.
        let plain = args.iter().all(|arg| self.is_no_option(arg));
        match *name {
            "exit" => plain,
            "return" => plain && stands == Stands::Here && self.in_returnable > 0,
            "break" | "continue" => plain && stands == Stands::Here && self.in_loops > 0,
            // Without a program it only opens and closes files.
            "exec" => {
                matches!(args.first().map(|arg| arg.parts), Some([WordPart::Literal(program)]) if !program.starts_with('-'))
            }
            _ => false,
        }
    }

    /// Whether a word is surely none that begins with a dash: a number, or a variable that the text has not set.
    fn is_no_option(&self, word: &'a Word<'a>) -> bool {
        let parts = match word.parts {
            [WordPart::DoubleQuoted(parts)] => parts,
            parts => parts,
        };
        match parts {
            [WordPart::Literal(text) | WordPart::SingleQuoted(text)] => !text.starts_with(['-', '{', '*', '?', '[']),
            [WordPart::Parameter(parameter)] => {
                let set = self.state.variables.contains_key(parameter.name);
                let given =
                    parameter.name.starts_with(|letter: char| letter.is_ascii_digit() || "@*-_".contains(letter));
                matches!(parameter.operation, ParameterOperation::Value) && !parameter.indirect && !set && !given
            }
            [WordPart::Arithmetic(_)] => true,
            _ => false,
        }
    }
}

/// Whether redirections surely open what they name: where one fails, the command does not run at all.
pub(super) fn opens_surely(redirects: &[Redirect]) -> bool {
    redirects.iter().all(|redirect| {
        let target = match &redirect.target {
            RedirectTarget::Word(word) => word.parts,
            RedirectTarget::HereDocument(_) => return true,
        };
        let to = |known: &[&str]| matches!(target, [WordPart::Literal(name)] if known.contains(name));
        match redirect.operator {
            RedirectOperator::HereString | RedirectOperator::HereDocument => true,
            RedirectOperator::DuplicateOutput | RedirectOperator::DuplicateInput => to(&["0", "1", "2"]),
            RedirectOperator::Read => to(&["/dev/null"]) || matches!(target, [WordPart::Process { .. }]),
            RedirectOperator::Write | RedirectOperator::Append | RedirectOperator::WriteBoth => {
                to(&["/dev/null"]) || matches!(target, [WordPart::Process { .. }])
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn behind_what_ends_only_the_first_has_worked() {
        check(
            Verdict::Allow,
            &[
                "cd /tmp/x || exit; rm -rf src",
                "cd /tmp/x || exit 1; rm -rf src",
                "cd /tmp/x || exit $?; rm -rf src",
                "cd /tmp/x || exit \"$E_NOCD\"; rm -rf src",
                "cd /tmp/x || { echo no; exit 1; } >&2; rm -rf src",
                "cd /tmp/x || exec true; rm -rf src",
                "f() { cd /tmp/x || return 1; rm -rf src; }; f",
                "f() { (cd /tmp/x || return; rm -rf src); }; f",
                "for i in 1; do cd /tmp/x || break; rm -rf src; done",
                "die() { echo no; exit 1; }; cd /tmp/x || die; rm -rf src",
                "for i in 1; do (cd /tmp/x || exit; rm -rf src); done",
            ],
        );
    }

    #[test]
    fn what_may_not_end_does_not_count() {
        check(
            Verdict::Ask,
            &[
                // Where a file cannot be opened, the command does not run.
                "cd /tmp/x || exit < missing; rm -rf src",
                "cd /tmp/x || { exit; } < missing; rm -rf src",
                "die() { exit 1; } < missing; cd /tmp/x || die; rm -rf src",
                "die() { exit 1; }; cd /tmp/x || die < missing; rm -rf src",
                "die() { exit 1 < missing; }; cd /tmp/x || die; rm -rf src",
                "readonly X; cd /tmp/x || X=1 exit; rm -rf src",
                // What is only asked for help goes on.
                "cd /tmp/x || exit --help; rm -rf src",
                "X=--help; cd /tmp/x || exit $X; rm -rf src",
                "f() { cd /tmp/x || return --help; rm -rf src; }; f",
                "die() { exit $1; }; cd /tmp/x || die --help; rm -rf src",
                // No program, or one that may not be found.
                "cd /tmp/x || exec -a x; rm -rf src",
                "cd /tmp/x || exec -l; rm -rf src",
                "cd /tmp/x || exec --; rm -rf src",
                "E=; cd /tmp/x || exec $E; rm -rf src",
                "shopt -s execfail; cd /tmp/x || exec nosuch; rm -rf src",
                // Another meaning.
                "exit() { :; }; cd /tmp/x || exit; rm -rf src",
                "exit() { :; }; die() { exit 1; }; cd /tmp/x || die; rm -rf src",
                "exit() { :; }; die() { { exit 1; }; }; cd /tmp/x || die; rm -rf src",
                "die() { exit() { :; }; exit; }; cd /tmp/x || die; rm -rf src",
                "die() { exit() { :; }; exit; unset -f exit; }; cd /tmp/x || die; rm -rf src",
                "alias exit=true; cd /tmp/x || exit; rm -rf src",
                "enable -n exit; cd /tmp/x || exit; rm -rf src",
                // It returns before.
                "die() { return; exit 1; }; cd /tmp/x || die; rm -rf src",
                "die() { builtin return; exit 1; }; cd /tmp/x || die; rm -rf src",
                "die() { command return; exit 1; }; cd /tmp/x || die; rm -rf src",
                "die() { while ! return; do :; done; exit 1; }; cd /tmp/x || die; rm -rf src",
                "trap 'return 0' ERR; die() { false; exit 1; }; cd /tmp/x || die; rm -rf src",
                // Another shell is in no loop and in no function.
                "for i in 1; do (cd /tmp/x || continue; rm -rf src); done",
                "for i in 1; do { cd /tmp/x || break; rm -rf src; } | cat; done",
                "for i in 1; do { cd /tmp/x || break; rm -rf src; } & done",
                "for i in 1; do x=$(cd /tmp/x || break; rm -rf src); done",
                "for i in 1; do bash -c 'cd /tmp/x || break; rm -rf src'; done",
                "f() { bash -c 'cd /tmp/x || return; rm -rf src'; }; f",
                "f() { cd /tmp/x || continue; rm -rf src; }; for i in 1; do f; done",
            ],
        );
    }

    #[test]
    fn what_cannot_open_its_files_does_not_run() {
        check(
            Verdict::Ask,
            &[
                "f() { cd /tmp; true; }; f < missing; rm -rf src",
                "{ cd /tmp; } < missing; rm -rf src",
                "{ cd /tmp; true; } < missing; rm -rf src",
                "for i in 1; do cd /tmp; done < missing; rm -rf src",
                "v=src; { v=build; } < missing; rm -rf $v",
                "v=src; f() { v=build; }; f < missing; rm -rf $v",
                "v=src; export v=build < missing; rm -rf $v",
                "v=src; eval v=build < missing; rm -rf $v",
                "v=src; unset v < missing; rm -rf \"$v\"",
                "set -- src; set -- build < missing; rm -rf $1",
                "set -e < missing; cd /tmp/x; rm -rf src",
                "f() { rm -rf src; }; unset -f f < missing; f",
                "f() { rm -rf src; }; { f() { :; }; } < missing; f",
                "readonly v=src; f() { local v=build; rm -rf $v; }; f",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "v=src; { v=build; } 2>/dev/null; rm -rf $v",
                "v=src; v=build < missing; rm -rf $v",
                "v=src; read v <<< build; rm -rf $v",
                "cd /tmp > /dev/null 2>&1; rm -rf src",
            ],
        );
    }

    #[test]
    fn a_failure_ends_the_shell_that_was_told_so() {
        check(
            Verdict::Allow,
            &[
                "set -e; cd /tmp/x; rm -rf src",
                "set -euo pipefail; cd /tmp/x; rm -rf src",
                "set -e; (cd /tmp/x; rm -rf src)",
                "set -e; { cd /tmp/x; }; rm -rf src",
                "bash -c 'set -e; cd /tmp/x; rm -rf src'",
            ],
        );
        check(
            Verdict::Ask,
            &[
                // Another shell was not told.
                "set -e; bash -c 'cd /tmp/x; rm -rf src'",
                "set -e; bash <<< 'cd /tmp/x; rm -rf src'",
                "set -e; echo 'cd /tmp/x; rm -rf src' | bash",
                "set -e; echo 'cd /tmp/x; rm -rf src' > s.sh; bash s.sh",
                "set -e; find . -maxdepth 0 -exec sh -c 'cd /tmp/x; rm -rf src' \\;",
                // It may have been told otherwise.
                "set -e; if a; then set +e; fi; cd /tmp/x; rm -rf src",
                "set -e; case $1 in x) set +e;; esac; cd /tmp/x; rm -rf src",
                "set -e; a && set +e; cd /tmp/x; rm -rf src",
                "set -e; set $X; cd /tmp/x; rm -rf src",
                "set -e; set +o \"$n\"; cd /tmp/x; rm -rf src",
                "set -e; shopt -uo errexit; cd /tmp/x; rm -rf src",
                "f() { if a; then return; fi; set -e; }; f; cd /tmp/x; rm -rf src",
                // In brackets, what may fail does not end it.
                "set -e; { cd /tmp/x && true; }; rm -rf src",
                "set -e; { { ! cd /tmp/x; }; }; rm -rf src",
            ],
        );
    }
}
