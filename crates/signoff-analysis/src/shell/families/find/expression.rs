//! The expression of `find`: which files each action gets.

use crate::value::{Arg, Origin, Value};

/// What `find` does with a file.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Prints its path.
    Print,
    /// Prints something about it, in this format if one is known.
    PrintFormat(Option<Arg>),
    /// Deletes it; the argument that says so.
    Delete(Arg),
    /// Writes something about it to this file.
    Write(Arg),
    /// Writes this about it to the file.
    Format(Arg, Option<Arg>),
    /// Runs a program for it.
    Run {
        /// The argument list, with `{}` for the file.
        argv: Vec<Arg>,
        /// Where it runs.
        from: From,
    },
}

/// Where a search runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// Where the search itself runs.
    Here,
    /// In the directory that holds the file, which is given by its name alone.
    ItsDirectory,
}

/// Whether a format of `-printf` gives the path of each file as it was found, and nothing else.
pub(super) fn prints_paths(format: &str) -> bool {
    ["%p", "\\n", "\\0", "\\t", "\n", "\t", " "]
        .iter()
        .fold(format.to_owned(), |rest, part| rest.replace(part, ""))
        .is_empty()
}

/// Which files are meant, as far as the tests in front of an action tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// The patterns of which the name matches one; none if any name does.
    names: Option<Vec<String>>,
    /// The patterns of which the path matches one.
    paths: Option<Vec<String>>,
    /// Only what is empty.
    pub(super) empty: bool,
    /// Some other test holds too.
    narrowed: bool,
    /// A test of the age holds too.
    aged: bool,
}

impl Selection {
    /// What is found below a root, as patterns that stand behind it.
    pub(super) fn patterns(&self, root: &str) -> Vec<String> {
        let base = root.trim_end_matches('/');
        if let Some(names) = &self.names {
            return names.iter().map(|name| [base, "/**/", name].concat()).collect();
        }
        if let Some(paths) = &self.paths {
            let relative = |path: &String| {
                let path = path.trim_end_matches('*').trim_end_matches('/');
                match path.strip_prefix(base).map(|rest| rest.trim_start_matches('/')) {
                    Some(rest) if !rest.is_empty() && !rest.contains(['*', '?', '[']) => format!("{base}/{rest}"),
                    _ => format!("{base}/**/{}", path.trim_start_matches(['.', '*', '/'])),
                }
            };
            return paths.iter().map(relative).collect();
        }
        let some = self.narrowed || (self.aged && !base.is_empty());
        vec![if some {
            format!("{base}/**/*")
        } else if base.is_empty() {
            "/".to_owned()
        } else {
            base.to_owned()
        }]
    }

    /// Whichever of two alternatives holds.
    fn or(self, other: Self) -> Self {
        let both = |a: Option<Vec<String>>, b: Option<Vec<String>>| match (a, b) {
            (Some(mut a), Some(b)) => {
                a.extend(b);
                Some(a)
            }
            _ => None,
        };
        let limited = |selection: &Self| selection.narrowed || selection.names.is_some() || selection.paths.is_some();
        let narrowed = limited(&self) && limited(&other);
        Self {
            names: both(self.names, other.names),
            paths: both(self.paths, other.paths),
            empty: self.empty && other.empty,
            narrowed,
            aged: self.aged && other.aged,
        }
    }
}

/// A whole search.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Where it begins.
    pub(super) roots: Vec<Arg>,
    /// The actions, each with the files that it gets.
    pub(super) actions: Vec<(Action, Selection)>,
}

/// Reads the arguments of `find`.
pub(super) fn read(args: &[Arg]) -> Search {
    let mut rest = args;
    let mut search = Search::default();
    while let Some((first, behind)) = rest.split_first() {
        match first.known() {
            Some("-H" | "-L" | "-P" | "-E" | "-X" | "-d" | "-s" | "-x" | "--") => rest = behind,
            Some("-D") => rest = behind.get(1..).unwrap_or_default(),
            // So the search on other systems is told where to begin.
            Some("-f") => {
                search.roots.extend(behind.first().cloned());
                rest = behind.get(1..).unwrap_or_default();
            }
            Some(text) if text.starts_with("-O") => rest = behind,
            _ => break,
        }
    }
    while let Some((first, behind)) = rest.split_first() {
        let text = first.value.prefix();
        if (text.starts_with('-') && text.len() > 1) || matches!(first.known(), Some("(" | "!" | ")" | ",")) {
            break;
        }
        search.roots.push(first.clone());
        rest = behind;
    }
    // Where it begins stands in a file, which may name anything.
    for pair in rest.windows(2) {
        if let [option, file] = pair
            && option.is("-files0-from")
        {
            let from = Origin::File(file.shown().into_owned());
            search.roots.push(Arg { value: Value::unknown(file.shown().into_owned(), from), span: file.span });
        }
    }
    if search.roots.is_empty() {
        let span = args.first().map(|arg| signoff_model::Span::new(arg.span.start, arg.span.start)).unwrap_or_default();
        search.roots.push(Arg::text(".", span));
    }
    let mut reader = Reader { rest, actions: Vec::new(), depth: 0 };
    let mut selection = Selection::default();
    while !reader.rest.is_empty() {
        selection = reader.alternatives(&Selection::default());
        // A closing parenthesis or comma without an opening one: go on behind it.
        reader.rest = reader.rest.get(1..).unwrap_or_default();
    }
    search.actions = reader.actions;
    if search.actions.is_empty() {
        search.actions.push((Action::Print, selection));
    }
    search
}

/// `*.py[co]` as `*.pyc` and `*.pyo`: a few letters in brackets are told one by one.
fn spelled_out(pattern: String) -> Vec<String> {
    const MOST: usize = 6;
    let parts = pattern.split_once('[').and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    match parts {
        Some((before, (letters, behind)))
            if (1..=MOST).contains(&letters.len())
                && letters.bytes().all(|letter| letter.is_ascii_alphanumeric())
                && !behind.contains('[') =>
        {
            letters.chars().map(|letter| format!("{before}{letter}{behind}")).collect()
        }
        _ => vec![pattern],
    }
}

struct Reader<'a> {
    rest: &'a [Arg],
    actions: Vec<(Action, Selection)>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a Arg> {
        let (first, behind) = self.rest.split_first()?;
        self.rest = behind;
        Some(first)
    }

    /// Whether the value that comes next is the name of the person who is logged in.
    fn names_logged_in(&self) -> bool {
        self.rest.first().is_some_and(|arg| arg.value.unknowns().next().is_some_and(crate::place::is_user))
    }

    fn at(&self, texts: &[&str]) -> bool {
        self.rest.first().and_then(|arg| arg.known()).is_some_and(|text| texts.contains(&text))
    }

    /// `a -o b`: each alternative begins with what held before.
    fn alternatives(&mut self, before: &Selection) -> Selection {
        let mut all = self.sequence(before);
        while self.at(&["-o", "-or", ","]) {
            self.next();
            let other = self.sequence(before);
            all = all.or(other);
        }
        all
    }

    /// `a b`, `a -a b`: each test narrows what the next one gets.
    fn sequence(&mut self, before: &Selection) -> Selection {
        let mut selection = before.clone();
        while !self.rest.is_empty() && !self.at(&["-o", "-or", ",", ")"]) {
            selection = self.primary(selection);
        }
        selection
    }

    fn primary(&mut self, mut selection: Selection) -> Selection {
        let Some(arg) = self.next() else { return selection };
        let Some(text) = arg.known() else { return Selection { narrowed: true, ..selection } };
        match text {
            "-a" | "-and" => {}
            "!" | "-not" => {
                // Everything but a few names is everything.
                let spares = self.at(&["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"]);
                while self.at(&["!", "-not"]) {
                    self.next();
                }
                self.primary(selection.clone());
                selection.narrowed |= !spares;
            }
            "(" if self.depth < 64 => {
                self.depth += 1;
                selection = self.alternatives(&selection);
                self.depth -= 1;
                if self.at(&[")"]) {
                    self.next();
                }
            }
            "-name" | "-iname" | "-lname" | "-ilname" => {
                let pattern = self.pattern();
                // A pattern that every name matches is no condition.
                if pattern.chars().any(|letter| letter != '*') {
                    selection.names = Some(spelled_out(pattern));
                }
            }
            "-path" | "-ipath" | "-wholename" | "-iwholename" => selection.paths = Some(vec![self.pattern()]),
            "-empty" => selection.empty = true,
            "-size" => {
                let size = self.next();
                selection.empty |= size.is_some_and(|size| size.is("0") || size.is("0c"));
                selection.narrowed = true;
            }
            "-type" | "-xtype" => selection.narrowed |= self.next().is_some_and(|kind| kind.is("l")),
            "-maxdepth" | "-mindepth" => {
                self.next();
            }
            "-mtime" | "-atime" | "-ctime" | "-mmin" | "-amin" | "-cmin" | "-newer" | "-anewer" | "-cnewer"
            | "-used" | "-Btime" | "-Bmin" => {
                self.next();
                selection.aged = true;
            }
            // Whoever runs it owns nearly everything that can be deleted.
            "-user" if self.names_logged_in() => {
                self.next();
            }
            "-user" | "-group" | "-uid" | "-gid" | "-perm" | "-regex" | "-iregex" | "-links" | "-inum"
            | "-samefile" | "-fstype" | "-flags" | "-context" | "-xattr" | "-xattrname" => {
                self.next();
                selection.narrowed = true;
            }
            // Nearly everything can be read or written by whoever asks: below the root that spares nothing.
            "-readable" | "-writable" => selection.aged = true,
            "-nouser" | "-nogroup" | "-executable" => selection.narrowed = true,
            "-regextype" | "-files0-from" | "-D" => {
                self.next();
            }
            "-print" | "-print0" | "-printx" => self.actions.push((Action::Print, selection.clone())),
            "-ls" => self.actions.push((Action::PrintFormat(None), selection.clone())),
            "-printf" => {
                let format = self.next().cloned();
                self.actions.push((Action::PrintFormat(format), selection.clone()));
            }
            "-delete" => self.actions.push((Action::Delete(arg.clone()), selection.clone())),
            "-fprint" | "-fprint0" | "-fls" => {
                if let Some(file) = self.next() {
                    self.actions.push((Action::Write(file.clone()), selection.clone()));
                }
            }
            "-fprintf" => {
                if let Some(file) = self.next() {
                    let format = self.next().cloned();
                    self.actions.push((Action::Format(file.clone(), format), selection.clone()));
                }
            }
            // What the last two ask is answered by whoever runs this, and that is the agent itself.
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let argv = self.command();
                let from = if text.ends_with("dir") { From::ItsDirectory } else { From::Here };
                self.actions.push((Action::Run { argv, from }, selection.clone()));
            }
            _ if text.starts_with("-newer") => {
                self.next();
                selection.aged = true;
            }
            _ => {}
        }
        selection
    }

    /// The pattern behind a test; one that is not known matches something.
    fn pattern(&mut self) -> String {
        self.next()
            .and_then(|arg| arg.value.known_with_globs().map(|text| text.into_owned()))
            .unwrap_or_else(|| "?*".to_owned())
    }

    /// The argument list up to `;` or `{} +`.
    fn command(&mut self) -> Vec<Arg> {
        let mut argv: Vec<Arg> = Vec::new();
        while let Some(arg) = self.next() {
            let ends = arg.is(";")
                || arg.is("\\;")
                || ((arg.is("+") || arg.is("\\+"))
                    && argv.last().is_some_and(|last| last.value.shown().contains("{}")));
            if ends {
                break;
            }
            argv.push(arg.clone());
        }
        argv
    }
}
