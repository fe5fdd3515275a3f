//! Places: where a path leads, in whose territory it lies, and what kind of thing stands there.

mod guess;
mod home;
mod in_project;
mod names;
mod nature;
mod secret_names;
mod spellings;
mod system;
mod windows;

pub use home::{is_user, with_user};
pub(crate) use names::{TOP_DIRECTORIES, holds_own_state, is_hook};
pub use nature::{Nature, is_agent_directory, is_own_program};
use signoff_model::{Scope, Target, Unread};
pub use spellings::{Reading, spellings};
use windows::is_windows_path;

use crate::{
    facts::{Facts, Whereabouts},
    shell::expand::pattern,
    value::{Origin, Piece, Unknown, Value},
};

/// How exactly a place is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// This one path.
    Exact,
    /// Everything directly in this directory, as in `dir/*`.
    Contents,
    /// What a pattern matches in this directory.
    Pattern,
    /// Something below this directory whose name is not known.
    Below,
    /// Whatever a program lists in this directory and below.
    Listed,
    /// Nothing is known about where it lies.
    Anywhere,
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The absolute path without dots: the path itself, or the directory that a pattern or an unknown name stands in.
    /// Empty if nothing is known.
    pub path: String,
    /// How exactly it is known.
    pub extent: Extent,
    /// The path as a person would name it: relative to the project, or to the home directory.
    pub shown: String,
    /// In whose territory it lies.
    pub scope: Scope,
    /// What stands there.
    pub nature: Nature,
    /// The program that lists it, if the place is an entry of a list.
    pub listed_by: Option<String>,
}

impl Place {
    /// Finds the place that a value names when it is used as a path in `cwd` (none: the directory is not known).
    pub fn resolve(value: &Value, cwd: Option<&str>, whereabouts: &Whereabouts, facts: &dyn Facts) -> Self {
        let named = with_user(value, whereabouts);
        let value = named.as_ref().unwrap_or(value);
        let through = through_process(value, cwd);
        let value = through.as_ref().unwrap_or(value);
        let mut place = Self::resolve_plainly(value, cwd, whereabouts, facts);
        if place.is_unknown()
            && !guess::is_grave(place.nature)
            && let Some(nature) = behind_unknown(value)
        {
            place.nature = nature;
        }
        place
    }

    /// Whether what stands there is no file that holds a text, so that there is none to compare.
    pub(crate) fn is_device(&self) -> bool {
        matches!(self.nature, Nature::Disk | Nature::Stream | Nature::Connection)
    }

    /// Whether anybody may read what stands there without being asked about it.
    pub(crate) fn may_be_shown(&self) -> bool {
        !matches!(
            self.nature,
            Nature::Secret
                | Nature::Signoff
                | Nature::Accounts
                | Nature::SshAccess
                | Nature::Disk
                | Nature::Stream
                | Nature::Connection
        )
    }

    /// Whether the place that a value names may be another one in another directory. Where this says no, it is the same.
    pub fn depends_on_directory(value: &Value) -> bool {
        match value.pieces().first() {
            // What a process has open, and where it stands, is seen from where it stands.
            Some(Piece::Text(text)) => !text.starts_with('/') || text.contains("proc") || text.contains("dev"),
            // It leads anywhere, unless it is known what it is.
            Some(Piece::Unknown(first)) => first.listed().is_some() || home::is_user(first),
            _ => true,
        }
    }

    fn resolve_plainly(value: &Value, cwd: Option<&str>, whereabouts: &Whereabouts, facts: &dyn Facts) -> Self {
        if let Some(Piece::Unknown(first)) = value.pieces().first()
            && !is_temporary(first)
            && first.listed().is_none()
        {
            return Self::anywhere(&value.shown());
        }
        // Nearly every path is written out.
        if let [Piece::Text(text)] = value.pieces() {
            if is_windows_path(text) {
                return Self::windows(text, whereabouts);
            }
            return match arrive(cwd, text, facts) {
                Some(path) => Self::at(path, Extent::Exact, "", whereabouts),
                None => Self::anywhere(&value.shown()),
            };
        }
        let mut fixed = String::new();
        let mut tail = String::new();
        let mut unknown = false;
        let mut glob = false;
        let mut astray = false;
        for piece in value.pieces() {
            match piece {
                Piece::Text(text) if !unknown && !glob => fixed.push_str(text),
                Piece::Text(text) => tail.push_str(text),
                Piece::Glob(text) => {
                    glob = true;
                    tail.push_str(text);
                }
                Piece::Unknown(part) => {
                    if fixed.is_empty() && !unknown && is_temporary(part) {
                        fixed.push_str("/tmp/");
                    }
                    unknown = true;
                    astray |= part.climbs();
                    tail.push_str(&part.shown);
                }
            }
        }
        if fixed.is_empty() && unknown {
            let Some((by, under)) = listing(value) else { return Self::anywhere(&value.shown()) };
            let behind = match value.pieces() {
                [_] => "",
                [_, Piece::Text(text)] => text.as_str(),
                _ => return Self::anywhere(&value.shown()),
            };
            // It leads out of what is listed.
            let steps_up = value.origins().any(|origin| *origin == Origin::Astray);
            if climbs(behind) || steps_up && !behind.is_empty() {
                return Self::anywhere(&value.shown());
            }
            if value.origins().any(Origin::is_names) {
                let meant = Self::listed(by, under, cwd, whereabouts, facts);
                // Whatever has such a name in the working directory.
                let here = Self::listed(by, "", cwd, whereabouts, facts);
                return match meant.is_grave() && !here.is_grave() {
                    // Where the list tells of a secret, that is meant all the same; a tree as a whole is not what goes.
                    true if guess::is_grave(meant.nature) => meant,
                    true => Self::anywhere(&value.shown()),
                    false => here,
                };
            }
            let under = if under.is_empty() { "." } else { under };
            let list = |under: &str| Self::listed(by, under, cwd, whereabouts, facts);
            return match behind.strip_prefix('/') {
                None if behind.is_empty() => list(under),
                // Something of a known name in each directory that is listed.
                Some(name) => list(&format!("{}/**/{name}", under.trim_end_matches('/'))),
                None if under.ends_with('/') => list(&format!("{under}{behind}")),
                // Another name beside each entry: nothing that is listed.
                None => Self::beside(&list(under), under, &value.shown(), whereabouts),
            };
        }
        if let [Piece::Text(_), Piece::Unknown(entry), rest @ ..] = value.pieces()
            && fixed.ends_with('/')
            && !astray
            && let Some((by, under)) = entry.listed()
        {
            // The names of a list behind a directory: what `ls dir` prints, as `dir/{}`.
            let behind = match rest {
                [] => Some(""),
                [Piece::Text(text)] => Some(text.as_str()).filter(|text| text.starts_with('/') && !climbs(text)),
                _ => None,
            };
            let listed = match behind.map(|behind| behind.trim_matches('/')) {
                Some("") => Some(format!("{fixed}{}", split_pattern(under).1)),
                Some(name) => Some(format!("{fixed}**/{name}")),
                None => None,
            };
            if let Some(listed) = listed {
                return Self::listed(by, &listed, cwd, whereabouts, facts);
            }
        }
        if is_windows_path(&fixed) {
            return Self::windows(&fixed, whereabouts);
        }
        if !unknown && !glob {
            let Some(path) = arrive(cwd, &fixed, facts) else { return Self::anywhere(&value.shown()) };
            return Self::at(path, Extent::Exact, "", whereabouts);
        }
        let (directory, stem) = match fixed.rfind('/') {
            Some(slash) => (fixed.get(..=slash).unwrap_or_default(), fixed.get(slash + 1..).unwrap_or_default()),
            None => ("", fixed.as_str()),
        };
        let name = format!("{stem}{tail}");
        let Some(path) = arrive(cwd, if directory.is_empty() { "." } else { directory }, facts) else {
            return Self::anywhere(&value.shown());
        };
        if astray || climbs(&name) {
            return Self::anywhere(&value.shown());
        }
        let extent = match (unknown, name.as_str()) {
            (true, _) => Extent::Below,
            (false, "*" | ".*" | "*/" | "**" | "**/*" | "*.*" | "?*" | ".[!.]*" | ".??*") => Extent::Contents,
            (false, _) => Extent::Pattern,
        };
        Self::at(path, extent, &name, whereabouts)
    }

    /// Finds the entry that a value names, for what is done to a symbolic link and not to what it points at: deleting it
    /// or giving it another name.
    pub fn resolve_entry(value: &Value, cwd: Option<&str>, whereabouts: &Whereabouts, facts: &dyn Facts) -> Self {
        let split = value.known().map(|text| text.rsplit_once('/').unwrap_or((".", text)));
        let Some((directory, name)) = split.filter(|(_, name)| !matches!(*name, "" | "." | "..")) else {
            return Self::resolve(value, cwd, whereabouts, facts);
        };
        if value.known().is_some_and(is_windows_path) {
            return Self::resolve(value, cwd, whereabouts, facts);
        }
        let directory = if directory.is_empty() { "/" } else { directory };
        match arrive(cwd, directory, facts) {
            Some(path) => Self::at(normalised(format!("{path}/{name}")), Extent::Exact, "", whereabouts),
            None => Self::anywhere(&value.shown()),
        }
    }

    /// The place of an exact path that is already absolute or relative to `cwd`.
    pub fn of_path(path: &str, cwd: Option<&str>, whereabouts: &Whereabouts, facts: &dyn Facts) -> Self {
        let expanded = match path.strip_prefix('~') {
            Some("") => whereabouts.home.clone(),
            Some(rest) if rest.starts_with('/') => format!("{}{rest}", whereabouts.home),
            _ => path.to_owned(),
        };
        Self::resolve(&Value::text(expanded), cwd, whereabouts, facts)
    }

    /// A place of which nothing is known.
    pub fn anywhere(shown: &str) -> Self {
        Self {
            path: String::new(),
            extent: Extent::Anywhere,
            shown: shown.to_owned(),
            scope: Scope::Unknown,
            nature: Nature::Ordinary,
            listed_by: None,
        }
    }

    /// The place of an entry of a list: whatever `by` prints under a directory, behind which a pattern may stand.
    fn listed(by: &str, under: &str, cwd: Option<&str>, whereabouts: &Whereabouts, facts: &dyn Facts) -> Self {
        let (directory, pattern) = split_pattern(under);
        let expanded = match directory.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", whereabouts.home),
            _ if directory.is_empty() => ".".to_owned(),
            _ => directory.to_owned(),
        };
        let Some(path) = join(cwd, &expanded) else {
            return Self { listed_by: Some(by.to_owned()), ..Self::anywhere(under) };
        };
        let path = facts.follow(&path).unwrap_or(path);
        let mut place = Self::at(path, Extent::Listed, pattern, whereabouts);
        place.listed_by = Some(by.to_owned());
        place
    }

    /// The place of another name beside each entry of a list. What is listed may be an entry of its own list.
    fn beside(listed: &Self, under: &str, shown: &str, whereabouts: &Whereabouts) -> Self {
        let is_entry = under != "." && split_pattern(under).1.is_empty();
        match listed.path.rsplit_once('/').filter(|_| is_entry) {
            Some((directory, _)) => {
                let directory = if directory.is_empty() { "/" } else { directory };
                Self::at(directory.to_owned(), Extent::Below, shown, whereabouts)
            }
            None if listed.path.is_empty() => listed.clone(),
            None => Self { extent: Extent::Below, ..listed.clone() },
        }
    }

    /// The place at an absolute path without dots and links.
    pub fn exactly(path: String, whereabouts: &Whereabouts) -> Self {
        Self::at(path, Extent::Exact, "", whereabouts)
    }

    fn at(path: String, extent: Extent, name: &str, whereabouts: &Whereabouts) -> Self {
        let mut scope = scope_of(&path, whereabouts);
        let mut nature = nature::classify(&path, scope, extent, name, whereabouts);
        if nature == Nature::Temporary && reaches_project(&path, extent, name, whereabouts) {
            // A project in a temporary directory is nobody's leftover.
            scope = Scope::Outside;
            nature = if extent == Extent::Pattern { Nature::Ordinary } else { Nature::ProjectTree };
        }
        if let Some(drive) = Self::on_mounted_drive(&path, whereabouts) {
            match (extent, drive.nature) {
                (Extent::Exact | Extent::Contents, whole) => (scope, nature) = (drive.scope, whole),
                (Extent::Listed, whole) if name.is_empty() => (scope, nature) = (drive.scope, whole),
                (_, Nature::SystemTree | Nature::SystemFile) => (scope, nature) = (Scope::System, Nature::SystemFile),
                _ => {}
            }
        }
        let mut shown = show(&path, whereabouts);
        if extent == Extent::Listed {
            // The pattern stays out of the name: the target says what lists, and where.
        } else if extent != Extent::Exact {
            if shown == "." {
                shown.clear();
            } else if !shown.ends_with('/') {
                shown.push('/');
            }
            shown.push_str(name);
        }
        Self { path, extent, shown, scope, nature, listed_by: None }
    }

    /// The place as the target of an effect.
    pub fn target(&self) -> Target {
        match self.extent {
            Extent::Exact => Target::Path(self.shown.clone()),
            Extent::Contents | Extent::Pattern => Target::Matches(self.shown.clone()),
            Extent::Listed => {
                Target::Listed { by: self.listed_by.clone().unwrap_or_default(), under: self.shown.clone() }
            }
            Extent::Below | Extent::Anywhere => match Unread::flowing(&self.shown) {
                Some(unread) => Target::Unread(unread),
                None => Target::Unresolved(self.shown.clone()),
            },
        }
    }

    /// Whether what stands there is such that nobody may overlook it.
    pub fn is_grave(&self) -> bool {
        guess::is_grave(self.nature)
            || matches!(
                self.nature,
                Nature::Root | Nature::HomeTree | Nature::SystemTree | Nature::Disk | Nature::GitStore
            )
    }

    /// The last component of the path.
    pub fn file_name(&self) -> &str {
        let slash = memchr::memrchr(b'/', self.path.as_bytes());
        slash.and_then(|slash| self.path.get(slash + 1..)).unwrap_or(&self.path)
    }

    /// Whether a pattern decides what it is.
    pub fn is_pattern(&self) -> bool {
        matches!(self.extent, Extent::Contents | Extent::Pattern | Extent::Listed)
    }

    /// Whether it is not known what it is.
    pub fn is_unknown(&self) -> bool {
        matches!(self.extent, Extent::Below | Extent::Anywhere)
    }
}

/// What stands between the slashes of a path. Paths are short and asked about all the time: looking at their bytes one by
/// one takes a fraction of the time of a general search.
fn components(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let path = rest?;
        let slash = path.bytes().position(|byte| byte == b'/');
        let (part, behind) = match slash.and_then(|at| path.split_at_checked(at)) {
            Some((part, behind)) => (part, behind.get(1..)),
            None => (path, None),
        };
        rest = behind;
        Some(part)
    })
}

/// The list that a value is an entry of, if it begins with one.
fn listing(value: &Value) -> Option<(&str, &str)> {
    match value.pieces().first() {
        Some(Piece::Unknown(first)) => first.listed(),
        _ => None,
    }
}

/// Whether it is the path of a fresh temporary file and nothing else.
fn is_temporary(unknown: &Unknown) -> bool {
    !unknown.origins.is_empty() && unknown.origins.iter().all(|origin| *origin == Origin::TemporaryName)
}

/// What a list is about, as a directory and the pattern behind it.
fn split_pattern(under: &str) -> (&str, &str) {
    let start = |glob: usize| under.get(..glob).and_then(|before| before.rfind('/')).map_or(0, |slash| slash + 1);
    let at = memchr::memchr3(b'*', b'?', b'[', under.as_bytes()).map_or(under.len(), start);
    under.split_at_checked(at).unwrap_or((under, ""))
}

/// Whether a part of a path leads up.
fn climbs(path: &str) -> bool {
    components(path).any(|part| part == "..")
}

/// Puts a path behind a directory and takes out the dots; none if the path is relative and the directory not known.
pub fn join(cwd: Option<&str>, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return match in_process(path, cwd) {
            Seen::Here => Some(normalise(path)),
            Seen::At(path) => Some(normalise(&path)),
            Seen::Nowhere => None,
        };
    }
    Some(normalised(below(cwd?, path)))
}

/// A path behind the directory that it begins in.
fn below(directory: &str, path: &str) -> String {
    let mut whole = String::with_capacity(directory.len() + 1 + path.len());
    whole.push_str(directory);
    whole.push('/');
    whole.push_str(path);
    whole
}

/// Where a path leads: links are followed before `..` steps back over them, as the system does it.
fn arrive(cwd: Option<&str>, path: &str, facts: &dyn Facts) -> Option<String> {
    let whole = if path.starts_with('/') { path.to_owned() } else { below(cwd?, path) };
    let whole = match in_process(&whole, cwd) {
        Seen::Here => whole,
        Seen::At(path) => path,
        Seen::Nowhere => return None,
    };
    Some(facts.follow(&whole).unwrap_or_else(|| normalised(whole)))
}

/// Where a path below `/proc` leads that goes through a process.
enum Seen {
    /// It goes through none.
    Here,
    /// To this path.
    At(String),
    /// To a directory that only that process knows.
    Nowhere,
}

/// A path through what a process has as its root or its directory: the root is that of the machine, and the directory is
/// that of the shell if the process is the one that looks.
fn in_process(path: &str, cwd: Option<&str>) -> Seen {
    let name = path.bytes().position(|byte| !matches!(byte, b'/' | b'.')).and_then(|at| path.get(at..));
    if !name.is_some_and(|name| name.starts_with("proc/")) {
        return Seen::Here;
    }
    let mut rest = path.to_owned();
    let mut seen = Seen::Here;
    for _ in 0..8 {
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let (process, behind) = match parts.as_slice() {
            ["proc", process, "task", _, behind @ ..] | ["proc", process, behind @ ..] => (*process, behind),
            _ => return seen,
        };
        let itself = matches!(process, "self" | "thread-self");
        let (base, behind) = match behind {
            ["root", behind @ ..] => ("", behind),
            ["cwd", behind @ ..] if itself => match cwd {
                Some(cwd) => (cwd, behind),
                None => return Seen::Nowhere,
            },
            ["cwd", ..] => return Seen::Nowhere,
            _ => return seen,
        };
        let slash = if path.ends_with('/') && !behind.is_empty() { "/" } else { "" };
        rest = format!("{base}/{}{slash}", behind.join("/"));
        seen = Seen::At(rest.clone());
    }
    seen
}

/// The same for a process whose number is a pattern or is not known, such as `/proc/$$/root/etc`: taken as the one that
/// looks.
fn through_process(value: &Value, cwd: Option<&str>) -> Option<Value> {
    let [Piece::Text(start), Piece::Unknown(_) | Piece::Glob(_), Piece::Text(behind), rest @ ..] = value.pieces()
    else {
        return None;
    };
    if normalise(start) != "/proc" || !behind.starts_with('/') {
        return None;
    }
    let Seen::At(path) = in_process(&format!("/proc/self{behind}"), cwd) else { return None };
    let mut through = Value::text(path);
    rest.iter().for_each(|piece| through.push(piece.clone()));
    Some(through)
}

/// What stands behind the unknown part of a path, if it would be grave to overlook it.
fn behind_unknown(value: &Value) -> Option<Nature> {
    let pieces = value.pieces();
    let last = pieces.iter().rposition(|piece| matches!(piece, Piece::Unknown(_)))?;
    let mut ending = String::new();
    for piece in pieces.get(last + 1..).unwrap_or_default() {
        match piece {
            Piece::Text(text) | Piece::Glob(text) => ending.push_str(text),
            Piece::Unknown(_) => {}
        }
    }
    let ending = ending.trim_end_matches(['*', '/']);
    if let (0, Some(Piece::Unknown(unknown))) = (last, pieces.first())
        && let Some(nature) = unknown.origins.iter().find_map(|origin| match origin {
            Origin::Variable(name) => guess::of_variable(name, ending),
            _ => None,
        })
    {
        return Some(nature);
    }
    guess::of_ending(value.prefix(), ending)
}

/// Takes `.`, `..` and doubled slashes out of an absolute path.
pub fn normalise(path: &str) -> String {
    if is_normal(path) { path.to_owned() } else { without_dots(path) }
}

/// The same for a path that need not be copied.
fn normalised(mut path: String) -> String {
    if is_normal(&path) {
        return path;
    }
    // Directories are often written with a slash behind them.
    if path.strip_suffix('/').is_some_and(is_normal) {
        path.pop();
        return path;
    }
    without_dots(&path)
}

/// Most paths are as they should be: behind each slash stands something that does not begin with a dot.
fn is_normal(path: &str) -> bool {
    path.starts_with('/') && !path.ends_with('/') && !has_behind_slash(path, |byte| byte == b'/' || byte == b'.')
}

/// Whether such a byte stands behind some slash. Every byte is looked at, so that the processor can take many at once.
fn has_behind_slash(path: &str, is: impl Fn(u8) -> bool) -> bool {
    let pairs = path.bytes().zip(path.bytes().skip(1));
    pairs.fold(false, |found, (before, byte)| found | ((before == b'/') & is(byte)))
}

fn without_dots(path: &str) -> String {
    let mut all = String::with_capacity(path.len() + 1);
    for part in components(path) {
        match part {
            "" | "." => {}
            ".." => all.truncate(all.rfind('/').unwrap_or_default()),
            part => {
                all.push('/');
                all.push_str(part);
            }
        }
    }
    if all.is_empty() {
        all.push('/');
    }
    all
}

/// Whether `path` is `directory` or lies below it.
pub fn is_within(path: &str, directory: &str) -> bool {
    directory == "/" || behind(path, directory).is_some()
}

/// What stands behind a directory in the path of something in it: nothing for itself, and else a slash and the names below.
pub(crate) fn behind<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    path.strip_prefix(directory).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn scope_of(path: &str, whereabouts: &Whereabouts) -> Scope {
    if is_within(path, &whereabouts.project) {
        return Scope::Project;
    }
    if names::TEMPORARY.holds_start_of(path) && !names::TEMPORARY.holds(path) {
        return Scope::Temp;
    }
    if is_within(path, &whereabouts.home) || names::is_some_home(path) {
        // Where the project lies is not known: a path deep in somebody's home is as likely its own as not.
        if whereabouts.is_assumed() && !is_within(path, &whereabouts.home) && names::is_deep_in_home(path) {
            return Scope::Project;
        }
        return Scope::Home;
    }
    if path == "/" || names::SYSTEM.holds_start_of(path) {
        return Scope::System;
    }
    Scope::Outside
}

/// Whether what is meant holds the whole project. A name that is not known is not taken for the very one.
fn reaches_project(path: &str, extent: Extent, name: &str, whereabouts: &Whereabouts) -> bool {
    if !is_within(&whereabouts.project, path) {
        return false;
    }
    match extent {
        Extent::Exact | Extent::Contents | Extent::Listed => true,
        Extent::Pattern => {
            let below = whereabouts.project.get(path.len()..).unwrap_or_default();
            let (pattern, next) = (components(name).next(), components(below).find(|part| !part.is_empty()));
            pattern.zip(next).is_some_and(|(pattern, next)| pattern::matches(pattern, next))
        }
        Extent::Below | Extent::Anywhere => false,
    }
}

fn show(path: &str, whereabouts: &Whereabouts) -> String {
    if path == whereabouts.project {
        return ".".to_owned();
    }
    if let Some(rest) = path.strip_prefix(&whereabouts.project).and_then(|rest| rest.strip_prefix('/')) {
        return rest.to_owned();
    }
    if let Some(above) = steps_up(path, &whereabouts.project) {
        return above;
    }
    if path == whereabouts.home {
        return "~".to_owned();
    }
    if let Some(rest) = path.strip_prefix(&whereabouts.home).and_then(|rest| rest.strip_prefix('/')) {
        return format!("~/{rest}");
    }
    path.to_owned()
}

/// `..`, `../x`, `../../x`: for what lies at most two levels above the project, below the home directory.
fn steps_up(path: &str, project: &str) -> Option<String> {
    let parent = project.rsplit_once('/')?.0;
    let grand = parent.rsplit_once('/')?.0;
    for (ancestor, steps) in [(parent, ".."), (grand, "../..")] {
        if ancestor.matches('/').count() < 3 {
            return None;
        }
        if path == ancestor {
            return Some(steps.to_owned());
        }
        if let Some(rest) = path.strip_prefix(ancestor).and_then(|rest| rest.strip_prefix('/')) {
            return Some(format!("{steps}/{rest}"));
        }
    }
    None
}

#[cfg(test)]
mod tests;
