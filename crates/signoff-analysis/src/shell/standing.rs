//! Where the shell may stand. A `cd` may fail, and what follows then happens where the shell was: behind `&&` it has
//! worked, behind `||` it has not, and behind `;` nobody knows.

use std::rc::Rc;

use signoff_model::Scope;

use super::{
    branches::Memory,
    machine::{Shell, State},
};
use crate::{
    place::Nature,
    value::{Origin, Value},
};

/// As many other directories are told apart; of more, one of each kind stays.
pub(super) const FEW: usize = 3;
/// More directories than these are not followed.
const MANY: usize = 8;

/// The directories that the shell may stand in, and where it may go back to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The directory, if it is known.
    pub(super) cwd: Option<Rc<str>>,
    /// Others that it may be as well.
    pub(super) elsewhere: Vec<Rc<str>>,
    /// Those that it may have been before the last `cd`. None of them if that is not known.
    pub(super) previous: Vec<Rc<str>>,
    /// What `pushd` has put aside.
    pub(super) stacked: Vec<Rc<str>>,
    /// Whether the stack may be another one, made of some of these.
    pub(super) unsure: bool,
}

impl Standing {
    pub(super) fn directories(&self) -> impl Iterator<Item = &Rc<str>> {
        self.cwd.iter().chain(&self.elsewhere)
    }
}

/// Where the shell stands if the command that was walked last has failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum IfFailed {
    /// Where it stands otherwise.
    #[default]
    There,
    /// It has not failed, or nothing follows if it has.
    Never,
    /// In one of these.
    In(Standing),
}

impl<'a> Shell<'a> {
    /// Where the shell may stand now.
    pub(super) fn standing(&self) -> Standing {
        let settings = &self.state.settings;
        Standing {
            cwd: self.state.cwd.clone(),
            elsewhere: settings.elsewhere.clone(),
            previous: settings.previous.clone(),
            stacked: settings.stacked.clone(),
            unsure: settings.unsure,
        }
    }

    /// Whether that is where the shell may stand now.
    fn stands_as(&self, standing: &Standing) -> bool {
        let settings = &self.state.settings;
        self.state.cwd == standing.cwd
            && settings.elsewhere == standing.elsewhere
            && settings.previous == standing.previous
            && settings.stacked == standing.stacked
            && settings.unsure == standing.unsure
    }

    /// The shell stands there, and nowhere else.
    pub(super) fn stand_as(&mut self, standing: Standing) {
        if self.stands_as(&standing) {
            return;
        }
        self.state.cwd = standing.cwd;
        let settings = &mut *self.state.settings;
        settings.elsewhere = standing.elsewhere;
        settings.previous = standing.previous;
        settings.stacked = standing.stacked;
        settings.unsure = standing.unsure;
    }

    /// The shell may stand there as well.
    pub(super) fn may_stand_as(&mut self, other: &Standing) {
        for directory in other.directories() {
            self.may_stand_in(directory.clone());
        }
        let settings = &self.state.settings;
        if settings.previous != other.previous {
            self.may_come_from(&other.previous);
        }
        if self.state.settings.stacked != other.stacked || other.unsure && !self.state.settings.unsure {
            let settings = &mut *self.state.settings;
            for directory in &other.stacked {
                if settings.stacked.len() < MANY && !settings.stacked.contains(directory) {
                    settings.stacked.push(directory.clone());
                }
            }
            settings.unsure = true;
        }
    }

    /// One of these may be where it was before.
    fn may_come_from(&mut self, others: &[Rc<str>]) {
        // A directory that is not known is taken for the project, here as well.
        let unknown: [Rc<str>; 1] = [self.whereabouts.project.as_str().into()];
        self.disturbed |= self.state.settings.previous.is_empty() || others.is_empty();
        let settings = &mut *self.state.settings;
        if settings.previous.is_empty() {
            settings.previous.extend(unknown.iter().cloned());
        }
        let others = if others.is_empty() { &unknown } else { others };
        for other in others {
            if !settings.previous.contains(other) && settings.previous.len() < MANY {
                settings.previous.push(other.clone());
            }
        }
    }

    /// The shell may stand in this directory as well. Of those where the same could be lost, the last ones stay.
    pub(super) fn may_stand_in(&mut self, directory: Rc<str>) {
        let elsewhere = &self.state.settings.elsewhere;
        if self.state.cwd.as_ref() == Some(&directory) || elsewhere.contains(&directory) {
            return;
        }
        if elsewhere.len() >= FEW {
            self.spend(1 + directory.len() / 64);
            let elsewhere = &self.state.settings.elsewhere;
            let kind = self.kind(&directory);
            let kinds: Vec<Kind> = elsewhere.iter().map(|path| self.kind(path)).collect();
            let same = kinds.iter().position(|other| *other == kind);
            let least = kinds.iter().enumerate().min_by_key(|(_, other)| other.gravity()).map(|(at, _)| at);
            match (same, least) {
                (Some(at), _) => drop(self.state.settings.elsewhere.remove(at)),
                (None, Some(at)) if kinds.len() >= MANY => {
                    if kinds.get(at).is_some_and(|other| other.gravity() > kind.gravity()) {
                        return;
                    }
                    self.state.settings.elsewhere.remove(at);
                }
                _ => {}
            }
        }
        self.state.settings.elsewhere.push(directory);
    }

    fn kind(&self, path: &str) -> Kind {
        let place = self.resolved(&Value::text(path));
        Kind { nature: place.nature, scope: place.scope, grave: place.is_grave() }
    }

    /// Does `body` in each directory that the shell may stand in, as far as it depends on that, and joins what comes of
    /// it. Only one of them happens: what was known before may still hold.
    pub(super) fn everywhere<T>(&mut self, mut body: impl FnMut(&mut Self) -> T, mut join: impl FnMut(&mut T, T)) -> T {
        // Most commands stand in one.
        if self.state.settings.elsewhere.is_empty() {
            return body(self);
        }
        let before = self.state.clone();
        let outer = self.looked_around.replace(false);
        let mut result = body(self);
        // What did not care where it stands does the same elsewhere.
        if self.looked_around.get() {
            let failed = std::mem::take(&mut self.if_failed);
            for directory in &before.settings.elsewhere {
                let there = State { cwd: Some(directory.clone()), ..before.clone() };
                let here = std::mem::replace(&mut self.state, there);
                self.state.settings.elsewhere.clear();
                let other = body(self);
                self.go_on_anyway();
                join(&mut result, other);
                let there = std::mem::replace(&mut self.state, here);
                let moved = there.cwd.as_ref() != Some(directory) || !there.settings.elsewhere.is_empty();
                let same = there.variables.is(&before.variables)
                    && there.functions.is(&before.functions)
                    && there.aliases.is(&before.aliases)
                    && there.streams == self.state.streams;
                if moved || !same {
                    self.merge(there);
                } else {
                    self.keep_written(&there.written);
                }
            }
            self.keep_weakly(&before);
            self.if_failed = failed;
        }
        self.looked_around.set(outer || self.looked_around.get());
        result
    }

    /// A file may not have been there to be opened for the last command, and then it did not run at all: what was known
    /// before it holds as well, and it has failed where the shell stood then.
    pub(super) fn may_not_have_run(&mut self, then: &Memory<'a>, stood: Standing) {
        self.recall_names(then);
        if self.stands_as(&stood) {
            return;
        }
        let now = self.standing();
        let failed = match std::mem::take(&mut self.if_failed) {
            IfFailed::Never => stood,
            IfFailed::There => {
                self.may_stand_as(&stood);
                self.standing()
            }
            IfFailed::In(standing) => {
                self.stand_as(standing);
                self.may_stand_as(&stood);
                self.standing()
            }
        };
        self.stand_as(now);
        self.if_failed = IfFailed::In(failed);
    }

    /// What comes next comes whether the last command has failed or not.
    pub(super) fn go_on_anyway(&mut self) {
        match std::mem::take(&mut self.if_failed) {
            IfFailed::There | IfFailed::Never => {}
            IfFailed::In(standing) => self.may_stand_as(&standing),
        }
    }

    /// Where the shell stands if the last command has failed; none if nothing follows then.
    pub(super) fn failed_standing(&mut self) -> Option<Standing> {
        match std::mem::take(&mut self.if_failed) {
            IfFailed::There => Some(self.standing()),
            IfFailed::Never => None,
            IfFailed::In(standing) => Some(standing),
        }
    }

    /// `$PWD` and `~+`: each of the directories, in a round of its own.
    pub(super) fn here(&mut self, shown: &str) -> Value {
        let origins = || vec![Origin::Variable("PWD".to_owned())];
        if self.state.settings.elsewhere.is_empty() {
            return self.cwd().map_or_else(|| Value::unknown(shown, origins()), Value::text);
        }
        self.looked_around.set(true);
        let all = self.standing().directories().map(|path| Value::text(&**path)).collect();
        self.choose("PWD", all)
    }

    /// `$OLDPWD` and `~-`: each of the directories that it may be.
    pub(super) fn there(&mut self, shown: &str) -> Value {
        let all: Vec<Value> = self.state.settings.previous.iter().map(|path| Value::text(&**path)).collect();
        if all.is_empty() {
            return Value::unknown(shown, vec![Origin::Variable("OLDPWD".to_owned())]);
        }
        self.choose("OLDPWD", all)
    }
}

/// What could be lost or shown in a directory by what is meant for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    nature: Nature,
    scope: Scope,
    grave: bool,
}

impl Kind {
    fn gravity(self) -> u8 {
        match (self.nature, self.scope) {
            (Nature::Rebuilt | Nature::Cache | Nature::Temporary | Nature::Stream, _) => 0,
            _ if self.grave => 4,
            (_, Scope::System) => 3,
            (_, Scope::Temp) => 0,
            (_, Scope::Project) => 1,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_happens_in_one_of_several_directories_may_not_have_happened() {
        check(
            Verdict::Block,
            &[
                "mkdir a; echo 'rm -rf ~' > a/s.sh; echo 'echo hi' > s.sh; cd a; cp s.sh /tmp/t.sh; bash /tmp/t.sh",
                "echo 'rm -rf ~' > s.sh; cd a; { echo echo hi; } > s.sh; cd ..; bash s.sh",
                "echo 'rm -rf ~' > s.sh; P=$PWD; cd a; { echo echo hi; } > s.sh; bash $P/s.sh",
                "echo 'rm -rf ~' > s.sh; P=$PWD; cd a; echo echo hi > s.sh; bash $P/s.sh",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "P=$PWD; cd a; { echo hi; } > foo.txt; rm $P/foo.txt",
                "cd a; { echo hi; } > foo.txt; cd -; rm foo.txt",
                "cd a; (echo hi) > foo.txt; cd -; rm foo.txt",
            ],
        );
    }

    #[test]
    fn only_the_shell_itself_can_go_elsewhere() {
        check(
            Verdict::Ask,
            &[
                "nice cd /tmp && rm -rf src",
                "nohup cd /tmp && rm -rf src",
                "timeout 5 cd /tmp; rm -rf src",
                "enable -n cd; cd /tmp; rm -rf src",
                "env 'BASH_FUNC_cd%%=() { :; }' bash -c 'cd /tmp; rm -rf src'",
                "find build -type d -exec sh -c 'cd \"$1\" && rm -rf ../src' _ {} \\;",
            ],
        );
    }
}
