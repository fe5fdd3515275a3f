//! The shell text of a target: of the rules that make it and all that it needs.

use super::{
    MAX_VALUE, Makefile, Rule,
    expand::{Scope, stem},
};

/// At most this many targets are looked at for one.
const MAX_STEPS: usize = 2000;

/// What a target needs is followed at most this deep.
const MAX_DEPTH: usize = 64;

/// Implicit rules follow each other at most this far.
const MAX_CHAIN: usize = 5;

/// What was gathered for a target.
#[derive(Default)]
struct Gathered {
    seen: std::collections::HashSet<String>,
    /// The rules whose targets are not known, each once.
    loose: std::collections::HashSet<usize>,
    code: String,
    depth: usize,
    /// Whether all lines of a recipe run in one shell.
    one_shell: bool,
}

/// How a rule speaks about a target.
enum Fit {
    /// By its name.
    Named(String),
    /// By a pattern, with this stem.
    Pattern(String),
}

impl Makefile<'_> {
    /// The shell text of a target and of all that it needs; none if no rule makes it.
    pub(super) fn code(&mut self, name: &str) -> Option<String> {
        let one_shell = self.rules.iter().any(|rule| rule.names.iter().any(|name| name == ".ONESHELL"));
        let mut gathered = Gathered { one_shell, ..Gathered::default() };
        self.gather(name, 0, &mut gathered).then_some(gathered.code)
    }

    fn gather(&mut self, name: &str, chain: usize, gathered: &mut Gathered) -> bool {
        let name = name.trim_start_matches("./");
        if !gathered.seen.insert(name.to_owned()) {
            return true;
        }
        if gathered.seen.len() > MAX_STEPS || gathered.depth > MAX_DEPTH || gathered.code.len() > MAX_VALUE {
            self.unread.push("make".to_owned());
            return true;
        }
        let fits: Vec<(usize, Fit)> =
            self.rules.iter().enumerate().filter_map(|(at, rule)| fit(rule, name).map(|fit| (at, fit))).collect();
        let sets = fits.iter().any(|(at, _)| self.rules.get(*at).is_some_and(|rule| !rule.settings.is_empty()));
        let before = sets.then(|| self.variables.clone());
        for (at, _) in &fits {
            for (variable, value) in self.rules.get(*at).map(|rule| rule.settings.clone()).unwrap_or_default() {
                self.set(&variable, value);
            }
        }
        let (mut found, mut has_lines) = (false, false);
        for (at, fit) in &fits {
            if let Fit::Named(stem) = fit
                && let Some(rule) = self.rules.get(*at).cloned().filter(|rule| rule.settings.is_empty())
            {
                found = true;
                has_lines |= !rule.lines.is_empty();
                self.emit(&rule, name, stem, chain, gathered);
            }
        }
        if !has_lines && chain < MAX_CHAIN {
            for (at, fit) in &fits {
                if let Fit::Pattern(stem) = fit
                    && let Some(rule) = self.rules.get(*at).cloned().filter(|rule| !rule.lines.is_empty())
                {
                    found = true;
                    self.emit(&rule, name, stem, chain + 1, gathered);
                }
            }
        }
        if !found {
            // A name that hangs on what is not known may be that of any rule by pattern; and the other way round.
            let vague = name.contains(['$', '*', '?', '[']);
            for at in 0..self.rules.len() {
                let Some(rule) = self.rules.get(at).filter(|rule| !rule.lines.is_empty()).cloned() else { continue };
                let by_pattern = vague && rule.names.iter().any(|name| name.contains('%'));
                let default = rule.names.iter().any(|name| name == ".DEFAULT");
                if (rule.loose || by_pattern || default) && (default || gathered.loose.insert(at)) {
                    found = true;
                    self.emit(&rule, name, "*", chain + 1, gathered);
                }
            }
        }
        // What a target sets holds for what it needs, and no longer.
        if let Some(before) = before {
            self.variables = before;
        }
        found
    }

    fn emit(&mut self, rule: &Rule, name: &str, stem: &str, chain: usize, gathered: &mut Gathered) {
        let needs: Vec<String> = rule.needs.iter().map(|need| need.replacen('%', stem, 1)).collect();
        gathered.depth += 1;
        for need in &needs {
            self.gather(need, chain, gathered);
        }
        gathered.depth -= 1;
        let one_shell = gathered.one_shell;
        let mut whole = String::new();
        for line in &rule.lines {
            let mut scope =
                Scope { target: name.to_owned(), needs: needs.clone(), stem: stem.to_owned(), ..Scope::default() };
            let text = self.expand(line, &mut scope, 0);
            // Make runs the code of `$(shell …)` itself, quoted or not.
            for code in &scope.runs {
                if text.contains(['\'', '#', '\\']) || !text.contains(&format!("$({code})")) {
                    subshell(&mut gathered.code, code);
                }
            }
            for part in text.lines() {
                let part = part.trim_start().trim_start_matches(['@', '-', '+', ' ', '\t']);
                if one_shell {
                    whole.push_str(part);
                    whole.push('\n');
                } else if !part.is_empty() && !part.starts_with('#') {
                    subshell(&mut gathered.code, part);
                }
            }
        }
        if !whole.is_empty() {
            subshell(&mut gathered.code, whole.trim_end());
        }
    }
}

/// A subshell per line, as make has it: a change of directory ends with the line.
fn subshell(code: &mut String, line: &str) {
    code.push_str("( ");
    code.push_str(line);
    code.push_str("\n)\n");
}

fn fit(rule: &Rule, name: &str) -> Option<Fit> {
    for own in &rule.names {
        let own = own.trim_start_matches("./");
        if own == name {
            let by = rule.pattern.as_deref().and_then(|pattern| stem(pattern, name)).unwrap_or_default();
            return Some(Fit::Named(by.to_owned()));
        }
        if own.contains('%')
            && let Some(stem) = stem(own, name)
        {
            return Some(Fit::Pattern(stem.to_owned()));
        }
        // `.c.o:` is the old way to write `%.o: %.c`.
        if let Some(endings) = own.strip_prefix('.')
            && rule.needs.is_empty()
            && !own.chars().any(char::is_uppercase)
            && let Some((_, ending)) = endings.split_once('.')
            && let Some(stem) = name.strip_suffix(ending).and_then(|rest| rest.strip_suffix('.'))
        {
            return Some(Fit::Pattern(stem.to_owned()));
        }
    }
    None
}
