//! A makefile as far as it can be read without make: its rules, and what runs while it is read. It touches nothing;
//! the files that it includes are looked up by the one who asks.

mod expand;
mod lines;
mod recipes;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::{code::readable, facts::FileText};

/// Looks up the text of a file by the name that the makefile gives it.
pub(super) type Look<'l> = &'l dyn Fn(&str) -> FileText;

/// Files include each other, and variables nest, at most this deep.
const MAX_NESTING: usize = 8;

/// At most this many ways through the conditionals are followed.
const MAX_WORLDS: usize = 4;

/// At most this many references are put in, and no value grows longer than this: a makefile can double a text in a line.
const MAX_REFERENCES: usize = 50_000;
const MAX_VALUE: usize = 256 * 1024;

/// A makefile is read up to this length, in bytes: several times, where its conditions are not known.
const LONGEST: usize = 256 * 1024;

/// At most this many bytes are put together for all references: values that grow are put in again and again.
const MAX_EXPANDED: usize = 4 << 20;

/// Programs whose language the recipes are read in.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"];

/// What a makefile does for some targets.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    /// The shell text that runs while the file is read, whatever the target.
    pub(super) while_read: Vec<String>,
    /// The shell text of each target; none if no rule makes it.
    pub(super) targets: Vec<(String, Option<String>)>,
    /// What could not be read.
    pub(super) unread: Vec<String>,
}

/// What is asked of a makefile.
pub(super) struct Wanted<'w> {
    /// The makefiles: name and text.
    pub(super) files: &'w [(String, String)],
    /// The variables of the command line.
    pub(super) settings: &'w [(String, String)],
    /// What else make knows by itself: variables that the file may set anew.
    pub(super) defaults: &'w [(String, String)],
    /// The targets; the first of the file if there is none.
    pub(super) targets: &'w [String],
}

/// Reads makefiles. Conditions that hang on what is not known are followed in each way.
pub(super) fn read(wanted: &Wanted<'_>, look: Look<'_>) -> Vec<Made> {
    let mut all: Vec<Made> = Vec::new();
    let mut world = 0;
    loop {
        let mut makefile = Makefile::new(look, world);
        let mut made = makefile.make(wanted);
        world += 1;
        let done = world >= makefile.branches;
        if !done && world >= MAX_WORLDS {
            made.unread.push("if".to_owned());
        }
        if !all.contains(&made) {
            all.push(made);
        }
        if done || world >= MAX_WORLDS {
            return all;
        }
    }
}

/// One way through a makefile.
struct Makefile<'l> {
    look: Look<'l>,
    /// Which branch of an unknown condition is followed.
    world: usize,
    /// How many branches the longest unknown condition has.
    branches: usize,
    rules: Vec<Rule>,
    variables: HashMap<String, String>,
    /// Variables that the file cannot set, since the command line does.
    fixed: Vec<String>,
    /// The files that were included, to be made anew if there is a rule for them.
    included: Vec<Included>,
    runs: Vec<String>,
    unread: Vec<String>,
    /// The sign in front of a line of a recipe.
    prefix: char,
    nesting: usize,
    references: usize,
    /// The bytes that were put together for them.
    expanded: usize,
}

struct Included {
    name: String,
    missing: bool,
}

/// One rule.
#[derive(Clone, Debug, Default)]
struct Rule {
    names: Vec<String>,
    needs: Vec<String>,
    lines: Vec<String>,
    /// The pattern of a static pattern rule, by which each name has its stem.
    pattern: Option<String>,
    /// Variables that hold for these targets only.
    settings: Vec<(String, String)>,
    /// Whether a name hangs on what is not known.
    loose: bool,
}

impl<'l> Makefile<'l> {
    fn new(look: Look<'l>, world: usize) -> Self {
        Self {
            look,
            world,
            branches: 1,
            rules: Vec::new(),
            variables: HashMap::new(),
            fixed: Vec::new(),
            included: Vec::new(),
            runs: Vec::new(),
            unread: Vec::new(),
            prefix: '\t',
            nesting: 0,
            references: 0,
            expanded: 0,
        }
    }

    fn make(&mut self, wanted: &Wanted<'_>) -> Made {
        for (name, value) in wanted.defaults.iter().chain(wanted.settings) {
            self.variables.insert(name.clone(), value.clone());
        }
        self.fixed = wanted.settings.iter().map(|(name, _)| name.clone()).collect();
        self.variables.insert("MAKECMDGOALS".to_owned(), wanted.targets.join(" "));
        for (name, text) in wanted.files {
            self.variables.insert("MAKEFILE_LIST".to_owned(), name.clone());
            let (text, whole) = readable(text, LONGEST);
            if !whole {
                self.unread.push(name.clone());
            }
            self.read_text(text);
        }
        self.check_settings();
        let mut targets = Vec::new();
        // Make first makes its own files anew, if there is a rule for them.
        let own: Vec<(String, bool)> = wanted
            .files
            .iter()
            .map(|(name, _)| (name.clone(), false))
            .chain(self.included.iter().map(|included| (included.name.clone(), included.missing)))
            .collect();
        for (name, missing) in own {
            if !self.rules.iter().any(|rule| rule.names.contains(&name)) {
                continue;
            }
            let generated = [".d", ".P", ".Po", ".Plo", ".dep", ".depend"];
            if missing && !generated.iter().any(|ending| name.ends_with(ending)) {
                self.unread.push(name.clone());
            }
            if let Some(code) = self.code(&name) {
                self.runs.push(code);
            }
        }
        let names =
            if wanted.targets.is_empty() { self.first().into_iter().collect() } else { wanted.targets.to_vec() };
        for name in names {
            let code = self.code(&name);
            targets.push((name, code));
        }
        let mut unread = std::mem::take(&mut self.unread);
        unread.dedup();
        unread.truncate(16);
        Made { while_read: std::mem::take(&mut self.runs), targets, unread }
    }

    /// Settings that change how everything is read.
    fn check_settings(&mut self) {
        let mut strange = Vec::new();
        if let Some(program) = self.known("SHELL") {
            let mut words = program.split_whitespace();
            let mut first = words.next().unwrap_or("sh");
            if first.ends_with("/env") {
                first = words.next().unwrap_or("sh");
            }
            let name = first.rsplit('/').next().unwrap_or(first);
            if !SHELLS.contains(&name) || first.contains('/') && !first.starts_with('/') {
                strange.push(format!("SHELL = {program}"));
            }
        }
        if let Some(flags) = self.known(".SHELLFLAGS") {
            let plain = |word: &str| {
                word.starts_with(['-', '+']) && !word.contains("rcfile") && !word.contains("init-file")
                    || matches!(word, "pipefail" | "errexit" | "nounset" | "xtrace" | "posix")
            };
            if !flags.split_whitespace().all(plain) {
                strange.push(format!(".SHELLFLAGS = {flags}"));
            }
        }
        for name in ["MAKEFLAGS", "GNUMAKEFLAGS"] {
            if let Some(flags) = self.known(name)
                && flags.split_whitespace().any(|word| {
                    ["--eval", "-E", "-f", "--file", "--makefile", "-C", "--dir", "-I", "--include"]
                        .iter()
                        .any(|option| word.starts_with(option))
                        || word.contains('=') && !word.starts_with("--")
                })
            {
                strange.push(format!("{name} = {flags}"));
            }
        }
        self.unread.extend(strange);
    }

    /// The value of a variable that is set, with all others put in.
    fn known(&mut self, name: &str) -> Option<String> {
        self.variables.contains_key(name).then(|| self.expand_now(&format!("$({name})")).0)
    }

    fn set(&mut self, name: &str, value: String) {
        if value.len() > MAX_VALUE {
            self.unread.push(name.to_owned());
        } else if !self.fixed.iter().any(|fixed| fixed == name) {
            self.variables.insert(name.to_owned(), value);
        }
    }

    /// The target that is made when none is named.
    fn first(&mut self) -> Option<String> {
        if let Some(goal) = self.known(".DEFAULT_GOAL").filter(|goal| !goal.trim().is_empty()) {
            return Some(goal.trim().to_owned());
        }
        let plain = |name: &&String| (!name.starts_with('.') || name.contains('/')) && !name.contains('%');
        self.rules.iter().flat_map(|rule| &rule.names).find(plain).cloned()
    }
}
