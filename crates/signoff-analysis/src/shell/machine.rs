//! The abstract shell: it walks through a text as a shell would, runs nothing, and writes down what would happen.
//!
//! Families of commands get a [`Call`] and this machine, and use its methods to say what the call does. Nothing in
//! here knows a particular program.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use signoff_model::{Dialect, EffectKind, Reversible, Scope, Secret, Span, Target, Unread};

use super::{
    branches::Memory,
    call::Call,
    chain::Chain,
    contents::Variable,
    functions::Body,
    overwritten::Reads,
    picks::Picks,
    places::AskedPlaces,
    presence::Presence,
    rules,
    shared::Shared,
    standing::{IfFailed, Standing},
    streams::Stream,
    syntax::{Arena, tree::Script},
    table::Table,
    trade::Trades,
    traps::Trap,
    ungated::Ungating,
    variables::Attributed,
    written::{Strewn, Written},
};
use crate::{
    facts::{Facts, Whereabouts},
    findings::Findings,
    place::{Place, is_within},
    rule::Rule,
    value::{Arg, Feed, Value},
};

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

/// A function or alias that is being walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Running<'a> {
    pub(super) name: String,
    pub(super) args: Vec<Arg>,
    /// The variables as they were at the call.
    pub(super) variables: Table<Variable>,
    /// The functions as they were at the call.
    pub(super) functions: Table<Definitions<'a>>,
}

/// The bodies that a function may have; none where there may be no function of the name.
pub(super) type Definitions<'a> = Vec<Option<Body<'a>>>;

/// What the text has changed in the shell so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State<'a> {
    pub(super) variables: Table<Variable>,
    /// Functions with their bodies; with several if it depends on a branch, and none where it may not be defined.
    pub(super) functions: Table<Definitions<'a>>,
    /// Aliases in the same way.
    pub(super) aliases: Table<Vec<Option<Value>>>,
    /// The arguments of the script or function; none at the top.
    pub(super) positional: Option<Rc<Vec<Arg>>>,
    /// What stands in `$_`, where that is followed.
    pub(super) last: Option<Rc<Value>>,
    /// The working directory; none when it is not known. Whatever depends on it asks [`Shell::cwd`], which notes that.
    pub(super) cwd: Option<Rc<str>>,
    /// Whether the shell stops at the first failure (`set -e`).
    pub(super) stops_at_failure: bool,
    /// Whether every variable that is set is exported (`set -a`).
    pub(super) exports_all: bool,
    /// What is open besides the streams that flow through the walk: by `exec`, or for the command that runs.
    pub(super) streams: Shared<Vec<(u32, Stream)>>,
    /// How much of them has been read; number zero is the input that flows through the walk.
    pub(super) taken: Vec<(u32, usize)>,
    /// Whether the last command of a pipeline may run in this shell (`shopt -s lastpipe`).
    pub(super) lastpipe: bool,
    /// Whether there were more of them than are followed; the walk then stops and asks.
    pub(super) lost_descriptor: bool,
    /// Files that the text has written, by absolute path.
    pub(super) written: Table<Written>,
    /// What the text knows about files that were there before it.
    pub(super) presence: Shared<Presence>,
    /// What few texts change.
    pub(super) settings: Shared<Settings>,
}

/// What few texts change in the shell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// What stands in `$0`, where the text says it.
    pub(super) zero: Option<Value>,
    /// Other directories that the shell may stand in, since a `cd` may not have run or may have failed.
    pub(super) elsewhere: Vec<Rc<str>>,
    /// Where it may have been before the last `cd`.
    pub(super) previous: Vec<Rc<str>>,
    /// What `pushd` has put aside.
    pub(super) stacked: Vec<Rc<str>>,
    /// Whether that may be another stack, made of some of these.
    pub(super) unsure: bool,
    /// The variables that programs see which the shell starts.
    pub(super) exported: Vec<String>,
    /// Those of them that programs may not see after all.
    pub(super) withheld: Vec<String>,
    /// Variables whose values are turned into something else.
    pub(super) attributes: Vec<Attributed>,
    /// Variables that cannot be set again.
    pub(super) readonly: Vec<String>,
    pub(super) locus: Option<Locus>,
    /// What the container that the commands run in sees of this machine.
    pub(super) mounts: Vec<Mount>,
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

impl State<'_> {
    /// The shell stands in this directory; one that is not known has no path.
    pub(super) fn stand_in(&mut self, path: &str) {
        self.cwd = Some(path).filter(|path| !path.is_empty()).map(Rc::from);
    }

    /// Whether the text has changed more than is followed.
    pub(super) fn overflowed(&self) -> bool {
        self.lost_descriptor
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
    /// The command at hand, for what has no place of its own in the text.
    pub(super) at: Span,
    /// Where the trees of all texts are kept.
    pub(super) arena: &'a Arena,
    pub(super) whereabouts: &'a Whereabouts,
    pub(super) facts: &'a dyn Facts,
    pub(super) dialect: Dialect,
    pub(crate) state: State<'a>,
    /// Whether the whole text was read to its end in the language of another shell as well.
    pub(super) foreign: bool,
    /// The variables that it sets in that language, in small letters.
    pub(super) foreign_variables: Vec<String>,
    /// Whether what is being deleted loses nothing but its name.
    pub(super) unlinks: bool,
    /// How deep texts, functions and wrappers are nested.
    pub(super) depth: usize,
    /// How much work is left.
    pub(super) fuel: usize,
    /// The steps that were taken and are not paid for yet.
    pub(super) steps: usize,
    /// How many steps are left for reading texts of other languages again.
    pub(crate) rereading: usize,
    /// The input, for showing what a text inside it does where it is written.
    pub(super) source: &'a str,
    /// The comments in it.
    pub(super) comments: &'a [Span],
    /// How often a text was looked for in the input.
    pub(super) searches: usize,
    /// How many texts inside texts the command at hand stands in.
    pub(super) texts: usize,
    /// While a nested text is read that does not stand in the input as it is: the part that is to blame for what it does.
    pub(super) blame: Option<Span>,
    /// The names of the functions that are being walked, for recursion.
    pub(super) calls: Vec<Running<'a>>,
    /// Scripts that are being read from files, against loops.
    pub(super) reading: Vec<String>,
    /// The code of other languages that is being read: what it names decides what of a module runs.
    pub(crate) loaders: Vec<Rc<str>>,
    /// What was found in modules that code has loaded, by their paths and what of them runs.
    pub(super) modules: Vec<(String, String, Findings)>,
    /// Which of them a text has loaded, by the first of the paths that it may lie at.
    pub(super) loaded: Vec<(Rc<str>, String, usize)>,
    /// Which of several possible values each variable has in this round.
    pub(super) picks: Picks,
    /// What `trap` has put aside for later.
    pub(super) traps: Vec<Trap>,
    /// How many of them belong to shells around this one.
    pub(super) first_trap: usize,
    /// What was known where the shells at hand may have ended.
    pub(super) ended: Vec<Memory<'a>>,
    /// How many shells the command at hand stands in, besides the first.
    pub(super) nested: usize,
    /// The variables that are given a value, where that is asked for.
    pub(super) assigned: Option<Vec<String>>,
    /// Variables that a trap may change at any time.
    pub(super) volatile: Vec<String>,
    /// The values that variables have had while a trap could spring.
    pub(super) past: Table<Variable>,
    /// The directories that the shell has left while a trap could spring.
    pub(super) past_places: Vec<Rc<str>>,
    /// Whether the text uses `$_`: it is kept only then.
    pub(super) follows_last: bool,
    /// Whether the text names what makes shells match patterns in another way than usual.
    pub(super) other_patterns: bool,
    /// Whether a text names the mode in which what is set for some builtins stays set.
    pub(super) may_be_posix: bool,
    /// How often the file system was asked what would be lost.
    pub(super) lookups: usize,
    /// Whether the command at hand may not run at all: it stands behind a condition.
    pub(super) conditional: bool,
    /// How many loops the command at hand stands in.
    pub(super) loops: usize,
    /// Whether the command at hand runs beside others: in a pipeline or in the background.
    pub(super) concurrent: bool,
    /// Whether what the command at hand prints is taken by a substitution and not shown.
    pub(super) captured: bool,
    /// Whether it is the last stage of a pipeline that runs, whose output nobody else takes.
    pub(super) last_stage: bool,
    /// Whether what the command at hand prints flows anywhere that is followed: it is put together only then.
    pub(super) heard: bool,
    /// The bodies of `>(…)` in the command at hand: what the command prints flows into them.
    pub(super) outlets: Vec<&'a Script<'a>>,
    /// What was known where the loops and functions at hand may have been left.
    pub(super) left: Vec<(Memory<'a>, Standing)>,
    /// The files that enclosing commands print to.
    pub(super) pouring: Vec<String>,
    /// Files that several commands have written at a time.
    pub(super) contended: Vec<String>,
    /// Commands in the names of files that some program may take for its options.
    pub(super) option_codes: Vec<Arg>,
    /// Whether a statement of the command at hand shows the secrets of a database.
    pub(crate) shows_secrets: bool,
    /// The commands that leave out whatever names Signoff.
    pub(super) ungated: Vec<Ungating>,
    /// Whether the text has moved anything.
    pub(super) moves: bool,
    /// Whether something has run that may have changed what the file system looked like before.
    pub(super) disturbed: bool,
    /// The files that are known to be there and are replaced.
    pub(super) replaced: Vec<String>,
    /// Where things stood that the text has moved elsewhere.
    pub(super) departed: Vec<String>,
    /// How many of the programs around the command at hand, itself among them, may run it elsewhere or later.
    pub(super) hosts: usize,
    /// Whether something that the text has started may still run.
    pub(super) leaves_running: bool,
    /// The lists of commands that are being walked, for what each of them has made.
    pub(super) chains: Vec<Chain>,
    /// What was written to files of which it is not known which they are.
    pub(super) strewn: Vec<Strewn>,
    /// Whether the text has made a link somewhere: only then paths are looked at for them.
    pub(super) links: bool,
    /// The places that were asked for last.
    pub(super) asked_places: RefCell<AskedPlaces>,
    pub(super) trades: Trades,
    /// Whether the text has made a variable that stands for another one.
    pub(super) has_references: bool,
    /// Whether something depended on the working directory since this was last set to false.
    pub(super) looked_around: Cell<bool>,
    /// Where the shell stands if the command that was walked last has failed.
    pub(super) if_failed: IfFailed,
    /// How many of the lists and conditions around the command at hand go on if it fails, although the shell was told to
    /// stop then.
    pub(super) tolerant: usize,
    /// How many loops are around the command at hand, in the function at hand.
    pub(super) in_loops: usize,
    /// How many functions and texts that are sourced are around it, in the shell at hand: `return` leaves them.
    pub(super) in_returnable: usize,
    /// Whether a pattern that matches nothing may be no word at all.
    pub(super) patterns_vanish: bool,
    /// Whether the text has given another meaning to something that ends a shell, a function or a loop.
    pub(super) doubts_endings: bool,
    /// Names that nobody else uses, made by `mktemp` and given to nothing else.
    pub(super) fresh: Vec<String>,
    /// What was read in the pipeline at hand.
    pub(super) reads: Reads,
    /// The variables that may be local, for each function that is being walked.
    pub(super) locals: Vec<Vec<String>>,
}

/// Nested deeper than this, a text is not read any more.
pub(super) const MAX_DEPTH: usize = 40;
/// The number of commands that are looked at.
const FUEL: usize = 8_000;
/// As much work as one of them is so many steps.
const STEPS: usize = 16;

impl<'a> Shell<'a> {
    /// A fresh shell.
    pub fn new(whereabouts: &'a Whereabouts, facts: &'a dyn Facts, dialect: Dialect, arena: &'a Arena) -> Self {
        let state = State { cwd: Some(whereabouts.cwd.as_str().into()), ..State::default() };
        Self {
            findings: Findings::default(),
            at: Span::default(),
            arena,
            whereabouts,
            facts,
            dialect,
            state,
            foreign: false,
            foreign_variables: Vec::new(),
            unlinks: false,
            depth: 0,
            fuel: FUEL,
            steps: 0,
            rereading: crate::code::allowance::IN_ALL,
            source: "",
            comments: &[],
            searches: 0,
            texts: 0,
            blame: None,
            calls: Vec::new(),
            reading: Vec::new(),
            loaders: Vec::new(),
            modules: Vec::new(),
            loaded: Vec::new(),
            picks: Picks::default(),
            traps: Vec::new(),
            first_trap: 0,
            ended: Vec::new(),
            nested: 0,
            assigned: None,
            volatile: Vec::new(),
            past: Table::default(),
            past_places: Vec::new(),
            follows_last: false,
            other_patterns: false,
            may_be_posix: false,
            lookups: 0,
            conditional: false,
            loops: 0,
            concurrent: false,
            captured: false,
            last_stage: false,
            heard: false,
            outlets: Vec::new(),
            left: Vec::new(),
            pouring: Vec::new(),
            contended: Vec::new(),
            option_codes: Vec::new(),
            shows_secrets: false,
            ungated: Vec::new(),
            moves: false,
            disturbed: false,
            departed: Vec::new(),
            replaced: Vec::new(),
            hosts: 0,
            leaves_running: false,
            chains: Vec::new(),
            strewn: Vec::new(),
            links: false,
            asked_places: RefCell::default(),
            trades: Trades::default(),
            has_references: false,
            looked_around: Cell::new(false),
            if_failed: IfFailed::default(),
            tolerant: 0,
            in_loops: 0,
            in_returnable: 0,
            patterns_vanish: dialect == Dialect::Zsh,
            doubts_endings: false,
            fresh: Vec::new(),
            reads: Reads::default(),
            locals: Vec::new(),
        }
    }

    /// How much work is left.
    pub(crate) fn fuel(&self) -> usize {
        self.fuel
    }

    /// Charges for work that grows with what is handled: long values, long paths, many arguments.
    pub(crate) fn spend(&mut self, amount: usize) {
        self.fuel = self.fuel.saturating_sub(amount);
    }

    /// Charges for work that is too small for a unit of its own: an expansion, a stretch of text that is looked through.
    pub(super) fn step(&mut self, steps: usize) {
        self.steps += steps;
        if self.steps >= STEPS {
            self.spend(self.steps / STEPS);
            self.steps %= STEPS;
        }
    }

    /// Blames everything that follows on one part of the input: what runs is not written there as a shell would read it.
    pub(crate) fn blame_on(&mut self, span: Span) {
        self.blame = Some(span);
    }

    /// Runs `body`, blaming everything that it does on one part of the input: it stands in a file and not there.
    pub(super) fn blaming<T>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.blame;
        self.blame = Some(outer.unwrap_or(span));
        let result = body(self);
        self.blame = outer;
        result
    }

    /// Where the commands run.
    pub fn locus(&self) -> &Locus {
        self.state.settings.locus.as_ref().unwrap_or(&Locus::Here)
    }

    /// Whether the container that the commands run in sees some part of this machine.
    pub fn sees_this_machine(&self) -> bool {
        !self.state.settings.mounts.is_empty()
    }

    /// The name behind references to it. A circle of references ends somewhere on it.
    pub(super) fn referred<'n>(&'n self, name: &'n str) -> &'n str {
        let mut name = name;
        // Few texts have references at all.
        for _ in 0..if self.has_references { 8 } else { 0 } {
            match self.state.variables.get(name) {
                Some(Variable::Reference(other)) => name = other,
                _ => break,
            }
        }
        name
    }

    /// The working directory, if it is known.
    pub fn cwd(&self) -> Option<&str> {
        self.asked_cwd().map(|cwd| &**cwd)
    }

    /// The working directory, if it is known, for something that depends on it.
    pub(super) fn asked_cwd(&self) -> Option<&Rc<str>> {
        self.looked_around.set(true);
        self.state.cwd.as_ref()
    }

    /// Where the operation runs.
    pub fn whereabouts(&self) -> &Whereabouts {
        self.whereabouts
    }

    /// What is known about the world.
    pub fn facts(&self) -> &'a dyn Facts {
        self.facts
    }

    /// Whether the text may set a variable.
    pub fn sets(&self, name: &str) -> bool {
        self.state.variables.get(self.referred(name)).is_some()
    }

    /// The value of a variable, if the text sets it to one value.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        match self.state.variables.get(self.referred(name)) {
            Some(Variable::Scalar(values)) if values.len() == 1 => values.first(),
            Some(Variable::Array(elements)) => elements.first().and_then(Option::as_ref),
            _ => None,
        }
    }

    /// The arguments of the script or code that runs; none where they are not known.
    pub fn arguments(&self) -> Option<&[Arg]> {
        self.state.positional.as_deref().map(Vec::as_slice)
    }

    /// The part of the input that is to blame for what happens at this place.
    pub(super) fn blamed(&self, span: Span) -> Span {
        self.blame.unwrap_or(if span == Span::default() { self.at } else { span })
    }

    /// A rule speaks.
    pub fn report(&mut self, rule: &'static Rule, target: Target, scope: Scope, span: Span) {
        if *self.locus() == Locus::ThrowAway && stays_inside(rule) {
            return;
        }
        let span = self.blamed(span);
        let scope = if matches!(self.locus(), Locus::Here) { scope } else { Scope::Remote };
        self.findings.report(rule, target, scope, span);
    }

    /// A rule speaks about something that has a name and is not a path. The scope follows from the kind of effect.
    pub fn tell(&mut self, rule: &'static Rule, name: impl Into<String>, span: Span) {
        self.report(rule, Target::Named(name.into()), scope_of(rule), span);
    }

    /// A rule speaks about something that could not be read.
    pub fn tell_unread(&mut self, rule: &'static Rule, what: Unread, span: Span) {
        self.report(rule, Target::Unread(what), scope_of(rule), span);
    }

    /// Something happens that is no reason to ask.
    pub fn note(&mut self, kind: EffectKind, target: Target, scope: Scope, span: Span) {
        let span = self.blamed(span);
        self.findings.note(kind, target, scope, Reversible::Yes, span);
    }

    /// Something runs that could not be read: a gap, and a reason to ask.
    pub fn opaque(&mut self, what: impl Into<Unread>, span: Span) {
        let what = what.into();
        self.findings.gap(what.clone(), self.blamed(span));
        self.tell_unread(&rules::OPAQUE, what, span);
    }

    /// The first of several things that run, up to a number that is followed: if there are more, they are a gap.
    pub(crate) fn first_of<T>(&mut self, things: impl IntoIterator<Item = T>, most: usize, span: Span) -> Vec<T> {
        let mut things = things.into_iter();
        let first: Vec<T> = things.by_ref().take(most).collect();
        if things.next().is_some() {
            self.opaque(Unread::Rest, span);
        }
        first
    }

    /// There is a less risky way to the same end.
    pub fn safer(&mut self, command: impl Into<String>) {
        if self.blame.is_none() && self.texts == 0 {
            self.findings.safer(command);
        }
    }

    /// Something would be sent to another machine: asks, and blocks if a secret is in it.
    pub fn send<'f>(&mut self, to: &str, values: impl Iterator<Item = &'f Value>, feed: &Feed, span: Span) {
        let secret = feed
            .secret()
            .map(str::to_owned)
            .or_else(|| values.into_iter().find_map(|value| value.secret().map(str::to_owned)));
        match secret {
            Some(secret) => self.tell_sent(&secret, to, span),
            None => self.tell(&rules::SEND, to, span),
        }
    }

    /// A secret would go to another machine.
    pub fn tell_sent(&mut self, secret: &str, to: &str, span: Span) {
        let target = Target::Sent { what: Secret::called(secret), to: to.to_owned() };
        self.report(&rules::SEND_SECRET, target, scope_of(&rules::SEND_SECRET), span);
    }

    /// Runs `body` as if on another machine or in a container.
    pub fn elsewhere<T>(&mut self, locus: Locus, body: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.state.clone();
        self.state.settings.locus = Some(locus);
        self.state.settings.mounts.clear();
        self.state.cwd = None;
        let outer = std::mem::take(&mut self.if_failed);
        let result = body(self);
        self.if_failed = outer;
        self.state = state;
        result
    }

    /// Runs `body` as if in a fresh container that sees only the mounts of this machine. What it writes there may stay: it does not
    /// where the container never starts, or fails.
    pub fn contained<T>(&mut self, mounts: Vec<Mount>, cwd: Option<String>, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.written.clone();
        let (result, written) = self.elsewhere(Locus::ThrowAway, |shell| {
            shell.state.settings.mounts = mounts;
            shell.state.cwd = cwd.map(Rc::from);
            let result = body(shell);
            let sources: Vec<&Place> =
                shell.state.settings.mounts.iter().filter_map(|mount| mount.source.as_ref()).collect();
            let stays = |path: &str| sources.iter().any(|source| is_within(path, &source.path));
            let written: Vec<(String, Written)> = shell
                .state
                .written
                .differences(&before)
                .filter(|(path, _, _)| stays(path))
                .filter_map(|(path, here, _)| Some((path.to_string(), here?.clone())))
                .collect();
            (result, written)
        });
        for (path, written) in written {
            let all = match before.get(&path) {
                Some(other) => other.clone().or(written),
                None => written,
            };
            self.state.written.insert(path, all);
        }
        result
    }

    /// Runs `body` as if on this machine itself, seen from a container that has broken out.
    pub fn broken_out<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.elsewhere(Locus::Here, |shell| {
            shell.state.cwd = Some("/".into());
            body(shell)
        })
    }

    /// Runs `body` as a login shell does, on another machine or on this one: it stands in the home directory.
    pub fn logged_in<T>(&mut self, locus: Locus, body: impl FnOnce(&mut Self) -> T) -> T {
        let home = (locus == Locus::Here).then(|| Rc::from(self.whereabouts.home.as_str()));
        self.elsewhere(locus, |shell| {
            shell.state.cwd = home;
            body(shell)
        })
    }

    /// Runs `body` with this in `$0`.
    pub fn with_name<T>(&mut self, name: Option<Value>, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.state.settings.zero, name);
        let result = body(self);
        self.state.settings.zero = before;
        result
    }

    /// Runs `body`, whose output somebody takes up.
    pub fn hearing<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.heard, true);
        let result = body(self);
        self.heard = before;
        result
    }

    /// What was printed before and what is printed now.
    pub(super) fn gather(&self, before: Feed, now: Feed) -> Feed {
        if self.heard { before.then(now) } else { Feed::none() }
    }

    /// Runs `body` in a copy of the shell: what it changes in variables and directory is forgotten, what it does stays.
    pub fn subshell<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        // The whole state is copied.
        self.spend(1);
        let mut state = self.state.clone();
        let traps = std::mem::replace(&mut self.first_trap, self.traps.len());
        let ended = self.ended.len();
        self.nested += 1;
        let outer = std::mem::take(&mut self.if_failed);
        // What leaves a loop does nothing in a shell inside the loop.
        let loops = std::mem::take(&mut self.in_loops);
        let result = body(self);
        self.in_loops = loops;
        self.if_failed = outer;
        self.spring_traps(self.first_trap);
        for memory in self.ended.split_off(ended) {
            self.recall(&memory);
        }
        self.nested -= 1;
        self.first_trap = traps;
        // What it has written and read stays; the rest is as it was.
        std::mem::swap(&mut state.written, &mut self.state.written);
        std::mem::swap(&mut state.taken, &mut self.state.taken);
        self.state = state;
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

/// Where a thing lies that only has a name, by what happens to it.
const fn scope_of(rule: &Rule) -> Scope {
    match rule.kind {
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
    }
}
