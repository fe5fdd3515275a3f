//! What `trap` puts aside: it runs later, with the values that variables have at that moment.

use signoff_model::Span;

use super::{call::Call, contents::Variable, machine::Shell, standing::Standing};
use crate::value::{Arg, Feed};

/// Places where a shell may end are followed up to this number.
const MAX_ENDS: usize = 256;

/// More traps than this are not followed.
const MAX_TRAPS: usize = 16;

/// Code that runs when something happens.
#[derive(Clone, Debug)]
pub(super) struct Trap {
    code: Arg,
    moment: Moment,
}

/// When a trap springs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// When the shell ends.
    Exit,
    /// When the function ends that is nested so deep.
    Return(usize),
    /// Before or after any command: a failure, a signal, every command.
    Anytime,
}

impl Shell<'_> {
    pub(super) fn set_trap(&mut self, call: &Call) {
        let args: Vec<&Arg> = call.args.iter().skip_while(|arg| arg.is("--")).collect();
        let [code, events @ ..] = args.as_slice() else { return };
        if events.is_empty() || code.is_option() || code.is("-") || code.value.is_empty() {
            return;
        }
        // Before each command is soon as well.
        if events.iter().any(|event| event.is("DEBUG")) {
            self.run_text(code, self.dialect, Feed::none());
        }
        let depth = self.locals.len();
        let span = self.blamed(code.span);
        for event in events {
            let moment = match event.known().map(|name| name.trim_start_matches("SIG")) {
                Some("EXIT" | "0") => Moment::Exit,
                Some("RETURN") => Moment::Return(depth),
                _ => Moment::Anytime,
            };
            self.put_aside(Trap { code: Arg { value: code.value.clone(), span }, moment });
        }
    }

    /// In zsh a function whose name is `TRAP` and that of a signal is called when the signal comes.
    pub(super) fn set_trap_function(&mut self, name: &str, span: Span) {
        let Some(signal) = name.strip_prefix("TRAP") else { return };
        if signal.is_empty() || !signal.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) {
            return;
        }
        let code = Arg::text(name, self.blamed(span));
        if signal == "DEBUG" {
            self.run_text(&code, self.dialect, Feed::none());
        }
        self.put_aside(Trap { code, moment: if signal == "EXIT" { Moment::Exit } else { Moment::Anytime } });
    }

    fn put_aside(&mut self, trap: Trap) {
        let same = |other: &Trap| other.moment == trap.moment && other.code.value == trap.code.value;
        if self.traps.iter().skip(self.first_trap).any(same) {
            return;
        }
        if self.traps.len() >= MAX_TRAPS {
            return self.spend_out(trap.code.span);
        }
        if trap.moment == Moment::Anytime {
            self.find_volatile(&trap.code);
        }
        self.traps.push(trap);
    }

    /// What code changes that may run between any two commands may have any value from now on.
    fn find_volatile(&mut self, code: &Arg) {
        let findings = std::mem::take(&mut self.findings);
        let outer = self.assigned.replace(Vec::new());
        self.subshell(|shell| shell.run_text(code, shell.dialect, Feed::none()));
        let changed = std::mem::replace(&mut self.assigned, outer).unwrap_or_default();
        self.findings = findings;
        for name in changed {
            self.forget(&name);
            self.volatile.push(name);
        }
    }

    /// Whether a trap may spring between any two commands.
    pub(super) fn may_spring(&self) -> bool {
        self.traps.iter().any(|trap| match trap.moment {
            Moment::Anytime => true,
            Moment::Exit => self.state.stops_at_failure,
            Moment::Return(_) => false,
        })
    }

    /// A variable gets another value: a trap may have seen the one that it had.
    pub(super) fn remember_for_traps(&mut self, name: &str) {
        if let Some(assigned) = &mut self.assigned {
            assigned.push(name.to_owned());
        }
        if self.traps.is_empty() || !self.may_spring() {
            return;
        }
        let Some(now) = self.state.variables.get(name) else { return };
        let mut all = vec![now.clone()];
        all.extend(self.past.get(name).cloned());
        self.past.insert(name.to_owned(), Variable::one_of(all, name));
    }

    /// The shell goes to another directory: a trap may have sprung where it was.
    pub(super) fn stood_for_traps(&mut self, before: &Standing) {
        if self.traps.is_empty() || !self.may_spring() {
            return;
        }
        for directory in before.directories() {
            if !self.past_places.contains(directory) {
                self.past_places.push(directory.clone());
            }
        }
    }

    /// The shell may end here: what it does then is done with what is known here.
    fn end_here(&mut self) {
        if self.traps.len() <= self.first_trap {
            return;
        }
        let traps = std::mem::take(&mut self.traps);
        for trap in traps.iter().skip(self.first_trap).filter(|trap| trap.moment == Moment::Exit) {
            self.subshell(|shell| shell.run_text(&trap.code, shell.dialect, Feed::none()));
        }
        self.traps = traps;
    }

    /// The shell ends here, or may: what it has written so far may be all.
    pub(super) fn exit_here(&mut self) {
        let before = self.state.memory();
        self.end_here();
        if self.nested > 0 && self.ended.len() < MAX_ENDS {
            self.ended.push(self.state.memory());
        } else if self.nested > 0 {
            self.spend_out(self.at);
        }
        self.state.recall_written(&before);
    }

    /// A command may fail here and end the shell.
    pub(super) fn may_end_here(&mut self) {
        let before = self.state.memory();
        if self.ended.len() < MAX_ENDS && !self.ended.last().is_some_and(|last| last.has_written_as_much(&before)) {
            self.ended.push(before);
        }
    }

    /// A function ends.
    pub(super) fn return_here(&mut self) {
        if self.traps.is_empty() {
            return;
        }
        let depth = self.locals.len();
        let returns = |trap: &&Trap| matches!(trap.moment, Moment::Return(at) if at == depth || at == 0);
        let codes: Vec<Arg> = self.traps.iter().filter(returns).map(|trap| trap.code.clone()).collect();
        for code in codes {
            let before = self.state.memory();
            self.run_text(&code, self.dialect, Feed::none());
            self.recall(&before);
        }
    }

    /// A shell ends: the traps that were set since there were this many spring.
    pub(super) fn spring_traps(&mut self, from: usize) {
        if self.traps.len() <= from {
            return;
        }
        let eager = self.may_spring();
        let traps = self.traps.split_off(from);
        for trap in traps.iter().filter(|trap| !matches!(trap.moment, Moment::Return(_))) {
            self.run_text(&trap.code, self.dialect, Feed::none());
            if eager && (self.past.len() > 0 || !self.past_places.is_empty()) {
                self.subshell(|shell| {
                    for directory in shell.past_places.clone() {
                        shell.may_stand_in(directory);
                    }
                    let past = shell.past.clone();
                    for (name, variable) in past.iter() {
                        shell.join_variable(name, Some(variable));
                    }
                    shell.run_text(&trap.code, shell.dialect, Feed::none());
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn a_trap_springs_wherever_the_shell_has_stood() {
        check(
            Verdict::Ask,
            &[
                "trap 'rm -rf src' ERR; false; cd /tmp",
                "trap 'rm -rf src' USR1; make; cd /tmp",
                "set -e; trap 'rm -rf src' EXIT; make; cd /tmp",
                "cd /tmp; trap 'rm -rf src' ERR; cd -; cd /tmp",
                "trap 'rm -rf src' ERR; pushd /tmp; make; popd; cd /tmp",
            ],
        );
        check(
            Verdict::Allow,
            &["trap 'rm -rf src' EXIT; cd /tmp", "cd /tmp && trap 'rm -rf src' ERR && cd /tmp/y && make"],
        );
    }
}
