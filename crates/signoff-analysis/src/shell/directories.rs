//! Where the shell stands: `cd`, `pushd`, `popd`, and where they lead back to.

use std::rc::Rc;

use signoff_model::Scope;

use super::{
    call::Call,
    contents::Variable,
    machine::{MAX_DIRECTORIES, Shell},
};
use crate::{
    facts::FileText,
    place::{self, Extent, Nature},
    value::{Arg, Origin, Value},
};

impl Shell<'_> {
    pub(super) fn change_directory(&mut self, call: &Call) {
        let before = self.state.cwd.clone();
        let oldpwd = self.variable("OLDPWD").cloned();
        self.stand_anew();
        let Some(target) = call.args.iter().find(|arg| !arg.is_option() || arg.is("-")) else {
            self.state.settings.elsewhere.clear();
            self.state.settings.previous = before;
            self.state.cwd = match self.state.variables.get("HOME") {
                Some(_) => self.variable("HOME").and_then(Value::known).map(Rc::from),
                None => Some(self.whereabouts.home.as_str().into()),
            };
            return;
        };
        if target.is("-") {
            let previous = match oldpwd {
                Some(value) => value.known().map(Rc::from),
                None => self.state.settings.previous.take(),
            };
            self.state.cwd = previous.or_else(|| Some(self.whereabouts.project.as_str().into()));
            self.state.settings.previous = before;
            return;
        }
        let from = self.state.settings.elsewhere.clone();
        self.enter(target);
        self.search_path(target, before.as_deref(), &from);
        self.state.settings.previous = before;
    }

    /// Behind a list that may have failed to change the directory, the shell may stand where it stood. It may stand in
    /// the directories before that as well, if several have failed; those are followed if more could be lost there.
    pub(super) fn may_have_stayed(&mut self, start: Option<Rc<str>>, others: impl Iterator<Item = Rc<str>>) {
        let here = self.state.cwd.clone().into_iter().chain(start.clone());
        let known = here.map(|path| self.gravity(&path)).max().unwrap_or(0);
        let graver = others.filter(|other| self.gravity(other) > known).collect::<Vec<_>>();
        for directory in start.into_iter().chain(graver) {
            self.make_room();
            self.state.may_stand_in(directory);
        }
    }

    /// Of too many directories that the shell may stand in, the one goes where the least could be lost.
    fn make_room(&mut self) {
        if self.state.settings.elsewhere.len() < MAX_DIRECTORIES {
            return;
        }
        let all = self.state.settings.elsewhere.iter().enumerate();
        let least = all.min_by_key(|(_, path)| self.gravity(path)).map(|(at, _)| at);
        if let Some(least) = least {
            self.state.settings.elsewhere.remove(least);
        }
    }

    /// How much could be lost if something is done in a directory that is meant for another.
    fn gravity(&self, path: &str) -> u8 {
        let place = place::Place::of_path(path, None, self.whereabouts, self.facts);
        match (place.nature, place.scope) {
            (Nature::Rebuilt | Nature::Cache | Nature::Temporary | Nature::Stream, _) => 0,
            _ if place.is_grave() => 4,
            (_, Scope::System) => 3,
            (_, Scope::Temp) => 0,
            (_, Scope::Project) => 1,
            _ => 2,
        }
    }

    /// Where the shell may stand, as a value: each of the directories, in a round of its own.
    pub(super) fn standing(&mut self, shown: &str) -> Value {
        let origins = || vec![Origin::Variable("PWD".to_owned())];
        if self.state.settings.elsewhere.is_empty() {
            return self.cwd().map_or_else(|| Value::unknown(shown, origins()), Value::text);
        }
        self.looked_around.set(true);
        let here = self.state.cwd.iter().chain(&self.state.settings.elsewhere);
        let all = here.map(|path| Value::text(&**path)).collect();
        self.choose("PWD", all)
    }

    /// The shell sets these anew, whatever the text has put there.
    fn stand_anew(&mut self) {
        self.state.variables.remove("PWD");
        self.state.variables.remove("OLDPWD");
    }

    /// Goes where a path leads.
    fn enter(&mut self, target: &Arg) {
        // Not what depends on the directory, but what changes it: the others are changed below.
        let here = self.state.cwd.clone();
        let path = place::Place::resolve(&target.value, here.as_deref(), self.whereabouts, self.facts);
        // From each directory that the shell may stand in, a relative path leads to another one.
        let text = target.known().unwrap_or("/");
        self.state.settings.elsewhere = if text.starts_with('/') {
            Vec::new()
        } else {
            let elsewhere = self.state.settings.elsewhere.iter();
            elsewhere.filter_map(|from| place::join(Some(from), text)).map(Rc::from).collect()
        };
        self.state.cwd = match path.extent {
            // The shell keeps the path as it was written: `cd ..` leads back to where a link was entered.
            Extent::Exact => match target.known() {
                Some(text) => place::join(here.as_deref(), text).map(Rc::from),
                None => Some(path.path.into()),
            },
            // A directory that is not known is taken for the project: what is deleted there is judged as if it were.
            Extent::Anywhere => Some(self.whereabouts.project.as_str().into()),
            Extent::Contents | Extent::Pattern | Extent::Below | Extent::Listed => {
                Some(format!("{}/…", path.path.trim_end_matches('/')).into())
            }
        };
    }

    /// A plain name is looked for in the directories of `CDPATH` as well.
    fn search_path(&mut self, target: &Arg, before: Option<&str>, elsewhere: &[Rc<str>]) {
        let Some(text) = target.known().map(str::to_owned) else { return };
        let plain = !text.starts_with('/') && !matches!(text.split('/').next(), Some("." | ".."));
        let searched = match self.state.variables.get("CDPATH") {
            Some(Variable::Scalar(values)) if plain => values.clone(),
            _ => return,
        };
        for path in searched.iter().filter_map(Value::known) {
            for directory in path.split(':').filter(|directory| !directory.is_empty()) {
                for from in before.into_iter().chain(elsewhere.iter().map(|path| &**path)) {
                    let base = place::join(Some(from), directory);
                    if let Some(found) = place::join(base.as_deref(), &text) {
                        self.state.may_stand_in(found.into());
                    }
                }
            }
        }
    }

    pub(super) fn push_directory(&mut self, call: &Call) {
        let stays = call.has("-n");
        let target = call.args.iter().find(|arg| !arg.is("-n") && !arg.is("--"));
        let here = self.state.cwd.clone();
        self.spend(here.as_ref().map_or(0, |path| path.len()) / 32);
        match target {
            Some(arg) if rotation(arg).is_some() => {
                let mut stack = self.directories();
                if let Some(count) = rotation(arg).and_then(|rotation| rotation.position(stack.len())) {
                    stack.rotate_left(count);
                    self.stand_on(stack, stays);
                }
            }
            Some(arg) if stays => {
                let place = place::Place::resolve(&arg.value, self.cwd(), self.whereabouts, self.facts);
                self.state.settings.stacked.push(place.path.into());
            }
            Some(arg) => {
                self.stand_anew();
                self.state.settings.stacked.extend(here.clone());
                self.enter(arg);
                self.state.settings.previous = here;
            }
            None => {
                let mut stack = self.directories();
                if stack.len() > 1 {
                    stack.swap(0, 1);
                    self.stand_on(stack, stays);
                }
            }
        }
    }

    pub(super) fn pop_directory(&mut self, call: &Call) {
        let stays = call.has("-n");
        let mut stack = self.directories();
        let at = match call.args.iter().find_map(rotation) {
            Some(rotation) => rotation.position(stack.len()),
            None => Some(usize::from(stays)),
        };
        if let Some(at) = at
            && stack.len() > 1
            && at < stack.len()
        {
            stack.remove(at);
            self.stand_on(stack, stays || at > 0);
        }
    }

    /// The stack of directories, with the one where the shell stands first.
    fn directories(&self) -> Vec<Rc<str>> {
        self.state.cwd.iter().chain(self.state.settings.stacked.iter().rev()).cloned().collect()
    }

    fn stand_on(&mut self, mut stack: Vec<Rc<str>>, stays: bool) {
        if stack.is_empty() {
            return;
        }
        let top = stack.remove(0);
        stack.reverse();
        self.state.settings.stacked = stack;
        if !stays {
            self.stand_anew();
            self.state.settings.previous = self.state.cwd.replace(top);
        }
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
}

/// `+2` counts from the top of the stack, `-2` from its bottom.
enum Rotation {
    Top(usize),
    Bottom(usize),
}

impl Rotation {
    fn position(&self, length: usize) -> Option<usize> {
        match self {
            Self::Top(count) => Some(*count).filter(|count| *count < length),
            Self::Bottom(count) => length.checked_sub(count + 1),
        }
    }
}

fn rotation(arg: &Arg) -> Option<Rotation> {
    let text = arg.known()?;
    match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(digits), _) => digits.parse().ok().map(Rotation::Top),
        (_, Some(digits)) => digits.parse().ok().map(Rotation::Bottom),
        (None, None) => None,
    }
}
