//! The abstract shell: it walks through a text as a shell would, runs nothing, and writes down what would happen.
//!
//! Families of commands get a [`Call`] and this machine, and use its methods to say what the call does. Nothing in
//! here knows a particular program.

use std::rc::Rc;

use signoff_model::{Dialect, EffectKind, Reversible, Scope, Span, Target};

use super::{picks::Picks, rules, run::Language, syntax::tree::Command, table::Table};
use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    path_effects::{self, Depth, Rights, Write},
    place::{Nature, Place},
    rule::Rule,
    value::{Arg, Feed, Origin, Value},
};

/// One program about to run, with everything that is known about how.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The name of the program without its directory, such as `git`.
    pub name: String,
    /// The word that names the program.
    pub program: Arg,
    /// The arguments, without the program.
    pub args: Vec<Arg>,
    /// The variables set for this call alone, as in `A=b program`.
    pub variables: Vec<(String, Value)>,
    /// What flows in.
    pub stdin: Feed,
    /// The whole command in the input.
    pub span: Span,
}

impl Call {
    /// The known text of the argument at this position.
    pub fn arg(&self, index: usize) -> Option<&str> {
        self.args.get(index).and_then(|arg| arg.known())
    }

    /// Whether some argument is exactly this text.
    pub fn has(&self, text: &str) -> bool {
        self.args.iter().any(|arg| arg.is(text))
    }

    /// Whether some argument is one of these texts.
    pub fn has_any(&self, texts: &[&str]) -> bool {
        self.args.iter().any(|arg| arg.known().is_some_and(|known| texts.contains(&known)))
    }

    /// Whether the call only asks for help or a version, for programs that read options behind operands too.
    pub fn asks_for_help(&self) -> bool {
        self.asks_by(HELP) || self.asks_alone(&["-h", "-V", "help", "version", "-version", "-help"])
    }

    /// Whether the call only asks for help or a version, for programs that stop reading options at the first operand:
    /// what wraps a command, runs code or reads an expression hands everything behind it on.
    pub fn asks_for_help_first(&self) -> bool {
        self.asks_first_by(HELP)
    }

    /// Whether the program would read one of these words as an option of its own, wherever it stands.
    pub fn asks_by(&self, words: &[&str]) -> bool {
        self.reads_as_option(words, self.args.len())
    }

    /// Whether the program would read one of these words as an option of its own, before any operand.
    pub fn asks_first_by(&self, words: &[&str]) -> bool {
        let is_operand = |arg: &Arg| arg.is("-") || !arg.value.prefix().starts_with('-');
        self.reads_as_option(words, self.args.iter().position(is_operand).unwrap_or(self.args.len()))
    }

    /// Whether one of these words is the only argument.
    pub fn asks_alone(&self, words: &[&str]) -> bool {
        self.args.len() == 1 && self.has_any(words)
    }

    /// A word is not read as an option behind `--`, nor where the argument before it may take it as a value. An
    /// argument that is not known may be either of the two.
    fn reads_as_option(&self, words: &[&str], end: usize) -> bool {
        let mut may_be_value = false;
        for arg in self.args.iter().take(end) {
            let text = arg.value.prefix();
            if arg.is("--") || text.is_empty() && arg.known().is_none() {
                return false;
            }
            if !may_be_value && arg.known().is_some_and(|known| words.contains(&known)) {
                return true;
            }
            may_be_value = text.len() > 1 && text.starts_with('-') && !text.contains('=');
        }
        false
    }
}

/// The options by which nearly every program explains itself instead of working.
const HELP: &[&str] = &["--help", "--version"];

/// A family's judgement of a call: says to the machine what happens and returns what flows out.
pub type Judge = fn(&mut Shell<'_>, &Call) -> Feed;

/// Where the commands run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Locus {
    /// On this machine.
    Here,
    /// On another machine, in a running container, or in a cluster: the name says which.
    Remote(String),
    /// In a container that is thrown away afterwards and sees nothing of this machine.
    ThrowAway,
}

/// What the text has made of a file before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// Its content is what flowed in.
    Content(Feed),
    /// It is a copy of, or a link to, this program.
    Program(String),
    /// It is a symbolic link to this path.
    Link(String),
    /// It is a directory that was fetched or unpacked: nobody has seen what lies below it.
    Tree {
        /// The address or the archive.
        from: String,
        /// Whether it was unpacked among other files, so that not everything below came with it.
        among_others: bool,
    },
    /// A compiler made it from this source.
    Compiled(Language, Feed),
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// One value; several if it depends on a branch.
    Scalar(Vec<Value>),
    /// An array.
    Array(Vec<Value>),
    /// An associative array: keys with values.
    Map(Vec<(String, Value)>),
    /// Another name for a variable (`declare -n`).
    Reference(String),
}

/// A function or alias that is being walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Running {
    pub(super) name: String,
    pub(super) args: Vec<Arg>,
}

/// What the text has changed in the shell so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(super) variables: Table<Variable>,
    pub(super) functions: Table<Rc<Command>>,
    pub(super) aliases: Table<Value>,
    /// The arguments of the script or function; none at the top.
    pub(super) positional: Option<Vec<Arg>>,
    /// The working directory; none when it is not known.
    pub(super) cwd: Option<String>,
    /// Other directories that the shell may stand in, since a `cd` may not have run or may have failed.
    pub(super) elsewhere: Vec<String>,
    /// Whether there were more of them than are followed; the walk then stops and asks.
    pub(super) lost_directory: bool,
    /// The directory before the last `cd`.
    pub(super) previous: Option<String>,
    /// What `pushd` has put aside.
    pub(super) stacked: Vec<String>,
    /// Whether the shell stops at the first failure (`set -e`).
    pub(super) stops_at_failure: bool,
    /// Functions that may not have been defined, since their definition stands behind a condition.
    pub(super) uncertain: Vec<String>,
    /// The variables that programs see which the shell starts.
    pub(super) exported: Vec<String>,
    /// What flows in on descriptors that `exec` has opened for the shell itself.
    pub(super) descriptors: Vec<(u32, Feed)>,
    /// Whether a descriptor of the shell itself is a network connection.
    pub(super) connected: bool,
    /// Files that the text has written, by absolute path.
    pub(super) written: Table<Written>,
    pub(super) locus: Option<Locus>,
    /// What the container that the commands run in sees of this machine.
    pub(super) mounts: Vec<Mount>,
    pub(super) elevated: bool,
}

/// A part of this machine, or a volume, that a container sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// What it sees; none for a volume with a name.
    pub source: Option<Place>,
    /// The source as the text names it.
    pub shown: String,
    /// Where in the container.
    pub target: String,
}

impl State {
    /// The shell may stand in this directory as well.
    pub(super) fn may_stand_in(&mut self, directory: String) {
        let known = self.cwd.as_deref() == Some(&directory) || self.elsewhere.contains(&directory);
        if !known && self.elsewhere.len() >= MAX_DIRECTORIES {
            self.lost_directory = true;
        } else if !known {
            self.elsewhere.push(directory);
        }
    }

    /// The name behind references to it. A circle of references ends somewhere on it.
    pub(super) fn resolve<'n>(&'n self, name: &'n str) -> &'n str {
        let mut name = name;
        for _ in 0..8 {
            match self.variables.get(name) {
                Some(Variable::Reference(other)) => name = other,
                _ => break,
            }
        }
        name
    }

    /// Whether the text has changed more than is followed.
    pub(super) fn overflowed(&self) -> bool {
        self.lost_directory
            || self.variables.overflowed()
            || self.functions.overflowed()
            || self.aliases.overflowed()
            || self.written.overflowed()
    }
}

/// The abstract shell.
pub struct Shell<'a> {
    /// What was found.
    pub findings: Findings,
    pub(super) whereabouts: &'a Whereabouts,
    pub(super) facts: &'a dyn Facts,
    pub(super) dialect: Dialect,
    pub(crate) state: State,
    /// How deep texts, functions and wrappers are nested.
    pub(super) depth: usize,
    /// How much work is left.
    pub(super) fuel: usize,
    /// While a nested text is read: the part of the outer input that is to blame for what it does.
    pub(super) blame: Option<Span>,
    /// The names of the functions that are being walked, for recursion.
    pub(super) calls: Vec<Running>,
    /// Scripts that are being read from files, against loops.
    pub(super) reading: Vec<String>,
    /// Which of several possible values each variable has in this round.
    pub(super) picks: Picks,
    /// What `trap` has put aside for later.
    pub(super) traps: Vec<Arg>,
    /// Whether the command at hand may not run at all: it stands behind a condition.
    pub(super) conditional: bool,
    /// How many loops the command at hand stands in.
    pub(super) loops: usize,
    /// Whether the command at hand runs beside others: in a pipeline or in the background.
    pub(super) concurrent: bool,
    /// Whether what the command at hand prints is taken by a substitution and not shown.
    pub(super) captured: bool,
    /// What `local` has hidden, for each function that is being walked.
    pub(super) locals: Vec<Vec<(String, Option<Variable>)>>,
}

/// Nested deeper than this, a text is not read any more.
pub(super) const MAX_DEPTH: usize = 40;
/// More directories that the shell may stand in are not followed.
const MAX_DIRECTORIES: usize = 4;
/// The number of commands that are looked at.
const FUEL: usize = 10_000;

impl<'a> Shell<'a> {
    /// A fresh shell.
    pub fn new(whereabouts: &'a Whereabouts, facts: &'a dyn Facts, dialect: Dialect) -> Self {
        let state = State { cwd: Some(whereabouts.cwd.clone()), ..State::default() };
        Self {
            findings: Findings::default(),
            whereabouts,
            facts,
            dialect,
            state,
            depth: 0,
            fuel: FUEL,
            blame: None,
            calls: Vec::new(),
            reading: Vec::new(),
            picks: Picks::default(),
            traps: Vec::new(),
            conditional: false,
            loops: 0,
            concurrent: false,
            captured: false,
            locals: Vec::new(),
        }
    }

    /// Blames everything that follows on one part of the input: what runs is not written there as a shell would read it.
    pub(crate) fn blame_on(&mut self, span: Span) {
        self.blame = Some(span);
    }

    /// Where the commands run.
    pub fn locus(&self) -> &Locus {
        self.state.locus.as_ref().unwrap_or(&Locus::Here)
    }

    /// Whether the commands run with raised rights.
    pub fn is_elevated(&self) -> bool {
        self.state.elevated
    }

    /// The working directory, if it is known.
    pub fn cwd(&self) -> Option<&str> {
        self.state.cwd.as_deref()
    }

    /// Where the operation runs.
    pub fn whereabouts(&self) -> &Whereabouts {
        self.whereabouts
    }

    /// What is known about the world.
    pub fn facts(&self) -> &'a dyn Facts {
        self.facts
    }

    /// The value of a variable, if the text sets it to one value.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        match self.state.variables.get(self.state.resolve(name)) {
            Some(Variable::Scalar(values)) if values.len() == 1 => values.first(),
            Some(Variable::Array(values)) => values.first(),
            _ => None,
        }
    }

    /// The arguments of the script or code that runs; none where they are not known.
    pub fn arguments(&self) -> Option<&[Arg]> {
        self.state.positional.as_deref()
    }

    /// A rule speaks.
    pub fn report(&mut self, rule: &'static Rule, target: Target, scope: Scope, span: Span) {
        if *self.locus() == Locus::ThrowAway && stays_inside(rule) {
            return;
        }
        let span = self.blame.unwrap_or(span);
        let scope = if matches!(self.locus(), Locus::Here) { scope } else { Scope::Remote };
        self.findings.report(rule, target, scope, span);
    }

    /// A rule speaks about something that has a name and is not a path. The scope follows from the kind of effect.
    pub fn tell(&mut self, rule: &'static Rule, name: impl Into<String>, span: Span) {
        let scope = match rule.kind {
            EffectKind::NetworkRead
            | EffectKind::NetworkWrite
            | EffectKind::Publish
            | EffectKind::SecretSend
            | EffectKind::DatabaseRead
            | EffectKind::DatabaseWrite
            | EffectKind::DatabaseSchema
            | EffectKind::DatabaseRights => Scope::Remote,
            EffectKind::System | EffectKind::Process | EffectKind::Privilege => Scope::System,
            EffectKind::Opaque | EffectKind::Execute => Scope::Unknown,
            _ => Scope::Project,
        };
        self.report(rule, Target::Named(name.into()), scope, span);
    }

    /// Something happens that is no reason to ask.
    pub fn note(&mut self, kind: EffectKind, target: Target, scope: Scope, span: Span) {
        let span = self.blame.unwrap_or(span);
        self.findings.note(kind, target, scope, Reversible::Yes, span);
    }

    /// Something runs that could not be read: a gap, and a reason to ask.
    pub fn opaque(&mut self, what: impl Into<String>, span: Span) {
        let what = what.into();
        self.findings.gap(what.clone(), self.blame.unwrap_or(span));
        self.tell(&rules::OPAQUE, what, span);
    }

    /// There is a less risky way to the same end.
    pub fn safer(&mut self, command: impl Into<String>) {
        if self.blame.is_none() {
            self.findings.safer(command);
        }
    }

    /// Where a value leads when it is used as a path.
    pub fn place(&self, value: &Value) -> Place {
        let through = self.through_links(value, true);
        let value = through.as_ref().unwrap_or(value);
        let place = Place::resolve(value, self.cwd(), self.whereabouts, self.facts);
        if self.state.mounts.is_empty() { place } else { self.seen_from_outside(place) }
    }

    /// The same value with links followed that the text itself has made; none if there is none on the way. `enters` says
    /// whether a link at the very end is followed as well.
    fn through_links(&self, value: &Value, enters: bool) -> Option<Value> {
        if !self.state.written.iter().any(|(_, written)| matches!(written, Written::Link(_))) {
            return None;
        }
        let text = value.prefix();
        let full = crate::place::join(self.cwd(), text)?;
        let later = value.pieces().iter().skip(usize::from(!text.is_empty()));
        let enters = enters || text.is_empty() || text.ends_with(['/', '.']) || later.clone().next().is_some();
        let (rest, target) = self.state.written.iter().find_map(|(path, written)| match written {
            Written::Link(target) => {
                let rest = full.strip_prefix(path.as_str())?;
                (rest.starts_with('/') || rest.is_empty() && enters).then_some((rest, target))
            }
            _ => None,
        })?;
        let slash = if text.is_empty() || text.ends_with('/') { "/" } else { "" };
        let mut followed = Value::text(format!("{}{rest}{slash}", target.trim_end_matches('/')));
        if followed.is_empty() {
            followed = Value::text("/");
        }
        later.for_each(|piece| followed.push(piece.clone()));
        Some(followed)
    }

    /// The entry that a value names, itself and not what a link there points at.
    pub fn entry(&self, value: &Value) -> Place {
        let through = self.through_links(value, false);
        let value = through.as_ref().unwrap_or(value);
        let place = Place::resolve_entry(value, self.cwd(), self.whereabouts, self.facts);
        if self.state.mounts.is_empty() { place } else { self.seen_from_outside(place) }
    }

    /// A place in a container as the place on this machine that is mounted there; [`Scope::Remote`] if none is.
    fn seen_from_outside(&self, inside: Place) -> Place {
        let within = |target: &str| {
            target == "/"
                || inside.path == target
                || inside.path.strip_prefix(target).is_some_and(|rest| rest.starts_with('/'))
        };
        // Deleting a directory also takes what is mounted below it.
        let holds = |target: &str| {
            inside.path == "/" || target.strip_prefix(inside.path.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        if inside.path.is_empty() {
            return inside;
        }
        let found = self
            .state
            .mounts
            .iter()
            .filter(|mount| within(&mount.target) || holds(&mount.target))
            .max_by_key(|mount| mount.target.len());
        let Some(mount) = found else { return Place { scope: Scope::Remote, ..inside } };
        let rest = inside.path.strip_prefix(mount.target.trim_end_matches('/')).unwrap_or_default();
        match &mount.source {
            Some(source) if !source.path.is_empty() => {
                let path = format!("{}{rest}", source.path.trim_end_matches('/'));
                let mut outside =
                    Place::of_path(if path.is_empty() { "/" } else { &path }, None, self.whereabouts, self.facts);
                if inside.extent != crate::place::Extent::Exact {
                    outside.extent = inside.extent;
                }
                outside
            }
            _ => Place {
                path: format!("{}{rest}", mount.shown),
                shown: format!("{}{rest}", mount.shown),
                scope: Scope::Unknown,
                nature: Nature::Data,
                ..inside
            },
        }
    }

    /// Where an effect at this place happens: what a throw-away container does to a mounted place happens here.
    fn locus_of(&self, place: &Place) -> &Locus {
        match self.locus() {
            Locus::ThrowAway if !self.state.mounts.is_empty() && place.scope != Scope::Remote => &Locus::Here,
            locus => locus,
        }
    }

    /// The places that a value may name: one for each list that it may be an entry of.
    fn places(&self, value: &Value) -> Vec<Place> {
        match value.by_listing() {
            Some(values) => values.iter().map(|value| self.place(value)).collect(),
            None => vec![self.place(value)],
        }
    }

    /// The argument names something that would be deleted.
    pub fn delete(&mut self, arg: &Arg, depth: Depth) {
        if arg.known().is_some() {
            let entry = self.entry(&arg.value);
            return self.delete_at(&entry, depth, arg.span);
        }
        for place in self.places(&arg.value) {
            self.delete_at(&place, depth, arg.span);
        }
    }

    /// Something at this place would be deleted.
    pub fn delete_at(&mut self, place: &Place, depth: Depth, span: Span) {
        let span = self.blame.unwrap_or(span);
        match self.locus_of(place) {
            Locus::Here => path_effects::delete(&mut self.findings, place, depth, span),
            Locus::ThrowAway => {}
            Locus::Remote(_) => self.change_elsewhere(place, EffectKind::Delete, span),
        }
    }

    /// The argument names something that would be written.
    pub fn write(&mut self, arg: &Arg, how: Write) {
        for place in self.places(&arg.value) {
            self.write_at(&place, how, arg.span);
        }
    }

    /// Something at this place would be written.
    pub fn write_at(&mut self, place: &Place, how: Write, span: Span) {
        // What the text knew of the file holds no longer; who knows better remembers it afterwards.
        if self.state.written.contains_key(&place.path) && place.nature != Nature::Stream {
            let unread = Feed::from(Origin::File(place.shown.clone()));
            self.state.written.insert(place.path.clone(), Written::Content(unread));
        }
        let span = self.blame.unwrap_or(span);
        match self.locus_of(place) {
            Locus::Here => path_effects::write(&mut self.findings, place, how, span),
            Locus::ThrowAway => {}
            Locus::Remote(_) => self.change_elsewhere(place, EffectKind::Overwrite, span),
        }
    }

    /// What the first argument names would go to where the second one leads; `how` says what happens to what stood there.
    pub fn relocate(&mut self, from: &Arg, to: &Arg, how: Write) {
        let (source, target) = (self.entry(&from.value), self.place(&to.value));
        let span = self.blame.unwrap_or(from.span);
        match self.locus_of(&source) {
            Locus::Here => {
                let arrival = self.blame.unwrap_or(to.span);
                path_effects::relocate(&mut self.findings, (&source, span), (&target, arrival), how);
            }
            Locus::ThrowAway => {}
            Locus::Remote(_) => self.change_elsewhere(&source, EffectKind::Move, span),
        }
    }

    /// The argument names something whose content would be read; what flows out remembers a secret.
    pub fn read(&mut self, arg: &Arg) -> Feed {
        let place = self.place(&arg.value);
        self.read_at(&place, arg.span)
    }

    /// What stands at this place would be read.
    pub fn read_at(&mut self, place: &Place, span: Span) -> Feed {
        if let Some(Written::Content(feed)) = self.state.written.get(&place.path) {
            return feed.clone();
        }
        if place.path == "/dev/null" {
            return Feed::of(Value::default());
        }
        let span = self.blame.unwrap_or(span);
        if *self.locus_of(place) == Locus::ThrowAway {
            return Feed::from(Origin::File(place.shown.clone()));
        }
        match path_effects::read(&mut self.findings, place, span) {
            Some(secret) => Feed::from(Origin::Secret(secret)),
            None => Feed::from(Origin::File(place.shown.clone())),
        }
    }

    /// The rights or the owner of what the argument names would change.
    pub fn change_rights(&mut self, arg: &Arg, rights: Rights, depth: Depth) {
        let span = self.blame.unwrap_or(arg.span);
        for place in self.places(&arg.value) {
            match self.locus_of(&place) {
                Locus::Here => {
                    // A copy of a shell that runs with its owner's rights is a shell with those rights.
                    let copied = match self.state.written.get(&place.path) {
                        Some(Written::Program(name)) => path_effects::is_shell(name),
                        _ => false,
                    };
                    if copied && rights == Rights::SetUser {
                        self.findings.report(&path_effects::ROOT_SHELL, place.target(), place.scope, span);
                    }
                    path_effects::change_rights(&mut self.findings, &place, rights, depth, span);
                }
                Locus::ThrowAway => {}
                Locus::Remote(_) => self.change_elsewhere(&place, EffectKind::Permission, span),
            }
        }
    }

    /// Something on another machine would change.
    fn change_elsewhere(&mut self, place: &Place, kind: EffectKind, span: Span) {
        let absurd = match place.nature {
            Nature::Root => Some(&path_effects::DELETE_ROOT),
            Nature::SystemTree if kind == EffectKind::Delete => Some(&path_effects::DELETE_SYSTEM),
            Nature::Disk if kind == EffectKind::Overwrite => Some(&path_effects::WRITE_DISK),
            _ => None,
        };
        let rule = match (absurd, kind) {
            (Some(rule), _) => rule,
            (None, EffectKind::Delete) => &rules::REMOTE_DELETE,
            (None, _) if place.nature == Nature::Stream || place.nature == Nature::Temporary => return,
            (None, _) => &rules::REMOTE_CHANGE,
        };
        self.report(rule, place.target(), Scope::Remote, span);
    }

    /// Remembers what the text has made of a file.
    pub fn remember_written(&mut self, arg: &Arg, written: Written) {
        let place = self.place(&arg.value);
        if place.extent == crate::place::Extent::Exact {
            self.state.written.insert(place.path, written);
        }
    }

    /// What the text has made of a file before.
    pub fn written(&self, path: &str) -> Option<&Written> {
        self.state.written.get(path)
    }

    /// Something would be sent to another machine: asks, and blocks if a secret is in it.
    pub fn send<'f>(&mut self, to: &str, values: impl Iterator<Item = &'f Value>, feed: &Feed, span: Span) {
        let secret = feed
            .secret()
            .map(str::to_owned)
            .or_else(|| values.into_iter().find_map(|value| value.secret().map(str::to_owned)));
        match secret {
            Some(secret) => self.tell(&rules::SEND_SECRET, format!("{secret} → {to}"), span),
            None => self.tell(&rules::SEND, to, span),
        }
    }

    /// Runs `body` as if on another machine or in a container.
    pub fn elsewhere<T>(&mut self, locus: Locus, body: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.state.clone();
        self.state.locus = Some(locus);
        self.state.mounts.clear();
        self.state.cwd = None;
        let result = body(self);
        self.state = state;
        result
    }

    /// Runs `body` as if in a fresh container that sees only the mounts of this machine.
    pub fn contained<T>(&mut self, mounts: Vec<Mount>, cwd: Option<String>, body: impl FnOnce(&mut Self) -> T) -> T {
        self.elsewhere(Locus::ThrowAway, |shell| {
            shell.state.mounts = mounts;
            shell.state.cwd = cwd;
            body(shell)
        })
    }

    /// Does `body` in a program that asks a person before each step, with nobody there to say yes: unless it would be
    /// absurd, only the asking remains. `what` names the thing that is asked about.
    pub fn asking(&mut self, what: Target, span: Span, body: impl Fn(&mut Self)) {
        let before = std::mem::take(&mut self.findings);
        body(self);
        let tried = std::mem::replace(&mut self.findings, before);
        if tried.is_prohibited() {
            body(self);
        } else if tried.risk() > signoff_model::Risk::None {
            self.report(&rules::ASKS_FIRST, what, Scope::Project, span);
        }
    }

    /// Runs `body` with raised rights.
    pub fn elevated<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.state.elevated, true);
        let result = body(self);
        self.state.elevated = before;
        result
    }

    /// Runs `body` in a copy of the shell: what it changes in variables and directory is forgotten, what it does stays.
    pub fn subshell<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.state.clone();
        let result = body(self);
        let written = std::mem::take(&mut self.state.written);
        self.state = state;
        self.state.written = written;
        result
    }
}

/// Whether what a rule speaks about ends with the container that it happens in.
fn stays_inside(rule: &Rule) -> bool {
    rule.prohibition.is_none()
        && matches!(
            rule.kind,
            EffectKind::System
                | EffectKind::Privilege
                | EffectKind::Process
                | EffectKind::Execute
                | EffectKind::Permission
                | EffectKind::Create
                | EffectKind::Overwrite
                | EffectKind::Delete
                | EffectKind::Move
                | EffectKind::HistoryRewrite
        )
}
