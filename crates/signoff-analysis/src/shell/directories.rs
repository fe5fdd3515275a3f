//! Where the shell stands: `cd`, `pushd`, `popd`, and where they lead back to.

use std::rc::Rc;

use super::{
    call::Call,
    contents::Variable,
    machine::Shell,
    standing::{IfFailed, Standing},
};
use crate::{
    facts::FileText,
    place::{self, Extent},
    value::{Arg, Value},
};

impl Shell<'_> {
    pub(super) fn change_directory(&mut self, call: &Call) {
        let before = self.standing();
        let oldpwd = self.variable("OLDPWD").cloned();
        self.stand_anew();
        let is_target = |arg: &&Arg| !arg.is_option() || arg.is("-");
        let mut targets = call.args.iter().filter(is_target);
        let target = targets.next();
        let plain = targets.next().is_none() && call.args.iter().filter(|arg| !is_target(arg)).all(is_plain_option);
        let sure = match target {
            None => {
                self.state.settings.elsewhere.clear();
                self.state.cwd = match self.state.variables.get("HOME") {
                    Some(_) => self.variable("HOME").and_then(Value::known).map(Rc::from),
                    None => Some(self.whereabouts.home.as_str().into()),
                };
                plain && self.surely_exists()
            }
            Some(target) if target.is("-") => {
                let known = oldpwd.as_ref().map(|value| value.known().map(Rc::from).into_iter().collect());
                let mut back = known.unwrap_or_else(|| before.previous.clone()).into_iter();
                // A directory that is not known is taken for the project.
                self.disturbed |= back.len() == 0;
                self.state.cwd = back.next().or_else(|| Some(self.whereabouts.project.as_str().into()));
                self.state.settings.elsewhere = back.collect();
                false
            }
            Some(target) => {
                let known = self.enter(target);
                self.search_path(target, &before);
                known && plain && self.surely_exists()
            }
        };
        self.come_from(before, sure);
    }

    /// The directory was changed, if that has worked.
    fn come_from(&mut self, before: Standing, sure: bool) {
        self.stood_for_traps(&before);
        self.state.settings.previous = before.directories().cloned().collect();
        self.if_failed = if sure { IfFailed::Never } else { IfFailed::In(before) };
    }

    /// The shell sets these anew, whatever the text has put there.
    fn stand_anew(&mut self) {
        self.state.variables.remove("PWD");
        self.state.variables.remove("OLDPWD");
    }

    /// Goes where a path leads. Says whether that is known.
    fn enter(&mut self, target: &Arg) -> bool {
        let led =
            if self.links { Some(self.place(&target.value)).filter(|led| led.extent == Extent::Exact) } else { None };
        let led = led.map(|led| Rc::from(led.path.as_str()));
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
        // The file system says nothing about a directory of which nobody knows which it is.
        self.disturbed |= path.extent != Extent::Exact;
        self.state.cwd = match path.extent {
            // The shell keeps the path as it was written: `cd ..` leads back to where a link was entered.
            Extent::Exact => match target.known() {
                Some(text) => place::join(here.as_deref(), text).map(Rc::from),
                None => Some(path.path.as_str().into()),
            },
            // A directory that is not known is taken for the project: what is deleted there is judged as if it were.
            Extent::Anywhere => Some(self.whereabouts.project.as_str().into()),
            Extent::Contents | Extent::Pattern | Extent::Below | Extent::Listed => {
                Some(format!("{}/…", path.path.trim_end_matches('/')).into())
            }
        };
        // What a search names below a directory may be that directory itself.
        if matches!(path.extent, Extent::Below | Extent::Listed) && !path.path.is_empty() {
            self.may_stand_in(path.path.as_str().into());
        }
        // Through a link of the text's own, the shell also stands where that leads: `..` is seen from there.
        if let Some(led) = led {
            self.may_stand_in(led);
        }
        path.extent == Extent::Exact && target.known().is_some_and(|text| !text.is_empty())
    }

    /// A plain name is looked for in the directories of `CDPATH` as well.
    fn search_path(&mut self, target: &Arg, before: &Standing) {
        let Some(text) = target.known().map(str::to_owned) else { return };
        let plain = !text.starts_with('/') && !matches!(text.split('/').next(), Some("." | ".."));
        // In zsh the same list stands in an array.
        let variables = ["CDPATH", "cdpath"].into_iter().filter_map(|name| self.state.variables.get(name));
        let alternatives = variables.filter(|_| plain).flat_map(Variable::alternatives);
        let searched: Vec<Value> = alternatives.flat_map(|variable| variable.elements()).collect();
        if searched.iter().any(|value| value.known().is_none()) {
            // It may lead anywhere, which is taken for the project.
            self.disturbed = true;
            self.may_stand_in(self.whereabouts.project.as_str().into());
            self.may_stand_in(self.whereabouts.home.as_str().into());
        }
        for path in searched.iter().filter_map(Value::known) {
            for directory in path.split(':').filter(|directory| !directory.is_empty()) {
                for from in before.directories() {
                    let base = place::join(Some(from), directory);
                    if let Some(found) = place::join(base.as_deref(), &text) {
                        self.may_stand_in(found.into());
                    }
                }
            }
        }
    }

    pub(super) fn push_directory(&mut self, call: &Call) {
        let stays = call.has("-n");
        let target = call.args.iter().find(|arg| !arg.is("-n") && !arg.is("--"));
        let before = self.standing();
        // The stack is copied.
        self.spend(before.cwd.as_ref().map_or(0, |path| path.len()) / 32 + before.stacked.len() / 4);
        match target {
            Some(arg) if rotation(arg).is_some() => {
                let mut stack = self.directories();
                if let Some(count) = rotation(arg).and_then(|rotation| rotation.position(stack.len())) {
                    stack.rotate_left(count);
                    self.stand_on(stack, stays, before);
                }
            }
            Some(arg) if stays => {
                let place = place::Place::resolve(&arg.value, self.cwd(), self.whereabouts, self.facts);
                self.state.settings.stacked.push(place.path.into());
            }
            Some(arg) => {
                self.stand_anew();
                let known = self.enter(arg);
                self.search_path(arg, &before);
                let sure = known && call.args.len() == 1 && self.surely_exists();
                let settings = &mut *self.state.settings;
                settings.unsure |= !before.elsewhere.is_empty();
                settings.stacked.extend(before.directories().cloned());
                self.come_from(before, sure);
            }
            None => {
                let mut stack = self.directories();
                if stack.len() > 1 {
                    stack.swap(0, 1);
                    self.stand_on(stack, stays, before);
                }
            }
        }
    }

    pub(super) fn pop_directory(&mut self, call: &Call) {
        let stays = call.has("-n");
        let before = self.standing();
        self.spend(before.stacked.len() / 4);
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
            self.stand_on(stack, stays || at > 0, before);
        }
    }

    /// The stack of directories, with the one where the shell stands first.
    fn directories(&self) -> Vec<Rc<str>> {
        self.state.cwd.iter().chain(self.state.settings.stacked.iter().rev()).cloned().collect()
    }

    fn stand_on(&mut self, mut stack: Vec<Rc<str>>, stays: bool, before: Standing) {
        if stack.is_empty() {
            return;
        }
        let top = stack.remove(0);
        if before.unsure {
            // Any of them may be on top.
            if !stays {
                self.stand_anew();
                self.state.cwd = Some(top);
                self.state.settings.elsewhere.clear();
                stack.into_iter().for_each(|directory| self.may_stand_in(directory));
                self.come_from(before, false);
            }
            return;
        }
        stack.reverse();
        self.state.settings.stacked = stack;
        if !stays {
            self.stand_anew();
            self.state.cwd = Some(top);
            self.state.settings.elsewhere.clear();
            self.come_from(before, false);
        }
    }

    /// Whether the working directory is known to exist, so that entering it did not fail.
    fn surely_exists(&self) -> bool {
        let Some(cwd) = self.state.cwd.as_deref() else { return false };
        let usual = ["/", "/tmp", "/etc", "/usr", "/var", "/home"].contains(&cwd);
        // From another one the same words lead elsewhere.
        self.state.settings.elsewhere.is_empty()
            && (usual
                || place::is_within(&self.whereabouts.project, cwd)
                || place::is_within(&self.whereabouts.home, cwd)
                || !matches!(self.facts.text(cwd), FileText::NotKnown | FileText::Missing))
    }
}

/// Whether `cd` takes the option for one that changes nothing of where it leads.
fn is_plain_option(arg: &Arg) -> bool {
    arg.known().is_some_and(|text| text.trim_start_matches('-').chars().all(|letter| "LPe@".contains(letter)))
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
