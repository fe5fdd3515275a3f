//! The recipes of a makefile or justfile, as far as they can be read without make.

use std::collections::HashMap;

/// The recipes of one file.
#[derive(Debug, Default)]
pub(super) struct Recipes {
    targets: Vec<Target>,
    variables: HashMap<String, String>,
    /// Whether other files are pulled in, which are not read.
    pub(super) includes: bool,
}

/// One target.
#[derive(Debug, Default)]
struct Target {
    names: Vec<String>,
    needs: Vec<String>,
    lines: Vec<String>,
}

/// Variables nest at most this deep.
const MAX_NESTING: usize = 8;

impl Recipes {
    /// Reads a makefile.
    pub(super) fn of_make(text: &str) -> Self {
        Self::read(text, Self::make_header)
    }

    /// Reads a justfile.
    pub(super) fn of_just(text: &str) -> Self {
        Self::read(text, Self::just_header)
    }

    fn read(text: &str, header: fn(&mut Self, &str) -> Option<Target>) -> Self {
        let mut recipes = Self::default();
        let mut current: Option<Target> = None;
        let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
        for line in joined.lines() {
            if line.trim().is_empty() {
                continue;
            }
            if line.starts_with(['\t', ' '])
                && let Some(target) = &mut current
            {
                target.lines.push(line.trim().to_owned());
                continue;
            }
            if line.starts_with('#') {
                continue;
            }
            let opened = header(&mut recipes, line);
            if let Some(done) = std::mem::replace(&mut current, opened) {
                recipes.targets.push(done);
            }
        }
        recipes.targets.extend(current);
        recipes
    }

    fn make_header(&mut self, line: &str) -> Option<Target> {
        let line = line.trim();
        if line.starts_with("include ") || line.starts_with("-include ") || line.starts_with("sinclude ") {
            self.includes = true;
            return None;
        }
        for operator in [":::=", "::=", ":=", "?=", "+=", "!=", "="] {
            if let Some((name, value)) = line.split_once(operator)
                && let name = name.trim().trim_start_matches("export ").trim_start_matches("override ").trim()
                && !name.is_empty()
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
            {
                let value =
                    if operator == "!=" { format!("$(shell {})", value.trim()) } else { value.trim().to_owned() };
                self.variables.insert(name.to_owned(), value);
                return None;
            }
        }
        let (names, rest) = line.split_once(':')?;
        let rest = rest.trim_start_matches(':');
        let (needs, inline) =
            rest.split_once(';').map_or((rest, None), |(needs, code)| (needs, Some(code.trim().to_owned())));
        Some(Target {
            names: names.split_whitespace().map(str::to_owned).collect(),
            needs: needs.split_whitespace().filter(|need| *need != "|").map(str::to_owned).collect(),
            lines: inline.into_iter().collect(),
        })
    }

    fn just_header(&mut self, line: &str) -> Option<Target> {
        let line = line.trim().trim_start_matches('@');
        if line.starts_with('[') || line.starts_with("set ") || line.starts_with("export ") {
            return None;
        }
        if line.starts_with("import") || line.starts_with("mod ") {
            self.includes = true;
            return None;
        }
        if let Some((name, value)) = line.split_once(":=") {
            self.variables.insert(
                name.trim().trim_start_matches("alias ").to_owned(),
                value.trim().trim_matches(['"', '\'']).to_owned(),
            );
            return None;
        }
        let (names, needs) = line.split_once(':')?;
        Some(Target {
            names: names.split_whitespace().take(1).map(str::to_owned).collect(),
            needs: needs
                .split_whitespace()
                .filter(|need| *need != "&&")
                .map(|need| need.trim_matches(['(', ')']).to_owned())
                .collect(),
            lines: Vec::new(),
        })
    }

    /// The target that is made when none is named.
    pub(super) fn first(&self) -> Option<&str> {
        self.targets.iter().flat_map(|target| &target.names).find(|name| !name.starts_with('.')).map(String::as_str)
    }

    /// Sets a variable as the command line does.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// The shell text of a target and of all that it needs; none if there is no such target.
    pub(super) fn code(&self, name: &str) -> Option<String> {
        let mut seen = Vec::new();
        let mut code = String::new();
        self.collect(name, &mut seen, &mut code).then_some(code)
    }

    fn collect<'r>(&'r self, name: &str, seen: &mut Vec<&'r str>, code: &mut String) -> bool {
        let mut found = false;
        for target in &self.targets {
            let Some(own) = target.names.iter().find(|own| *own == name) else { continue };
            found = true;
            if seen.contains(&own.as_str()) && target.lines.is_empty() {
                continue;
            }
            if !seen.contains(&own.as_str()) {
                seen.push(own);
            }
            for need in &target.needs {
                if !seen.contains(&need.as_str()) {
                    self.collect(need, seen, code);
                }
            }
            for line in &target.lines {
                let line = line.trim_start_matches(['@', '-', '+']).trim_start();
                // A subshell per line, as make has it: a change of directory ends with the line.
                code.push_str("( ");
                code.push_str(&self.expand(line, name, 0));
                code.push_str("\n)\n");
            }
        }
        found
    }

    /// Puts variables in: `$(X)`, `${X}`, `{{X}}`; `$$` is a dollar, `$@` the target.
    fn expand(&self, text: &str, target: &str, depth: usize) -> String {
        let mut all = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['$', '{']) {
            let (before, from) = rest.split_at(at);
            all.push_str(before);
            if let Some(inner) = from.strip_prefix("{{").and_then(|inner| inner.split_once("}}")) {
                self.put(inner.0.trim(), target, depth, &mut all);
                rest = inner.1;
            } else if let Some(behind) = from.strip_prefix("$$") {
                all.push('$');
                rest = behind;
            } else if let Some(behind) = from.strip_prefix("$@") {
                all.push_str(target);
                rest = behind;
            } else if let Some((name, behind)) = bracketed(from) {
                self.put(name, target, depth, &mut all);
                rest = behind;
            } else {
                let mut letters = from.chars();
                all.extend(letters.next());
                rest = letters.as_str();
            }
        }
        all.push_str(rest);
        all
    }

    fn put(&self, name: &str, target: &str, depth: usize, all: &mut String) {
        if let Some(code) = name.strip_prefix("shell ") {
            all.push_str("$(");
            all.push_str(&self.expand(code, target, depth + 1));
            all.push(')');
        } else if let Some(value) = self.variables.get(name).filter(|_| depth < MAX_NESTING) {
            let value = self.expand(value, target, depth + 1);
            all.push_str(&value);
        } else if matches!(name, "MAKE") {
            all.push_str("make");
        } else if matches!(name, "RM") {
            all.push_str("rm -f");
        } else if matches!(name, "CC" | "CXX" | "LD" | "AR" | "AS") {
            all.push_str("cc");
        } else {
            let plain: String =
                name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
            all.push_str(&format!("${{{plain}}}"));
        }
    }
}

/// `$(name)` or `${name}` at the beginning of a text: the name and what follows.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('$')?;
    let (open, close) = match rest.chars().next()? {
        '(' => ('(', ')'),
        '{' => ('{', '}'),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, letter) in rest.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some((rest.get(1..at)?, rest.get(at + 1..)?));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_brings_what_it_needs() {
        let text = "OUT := build\n.PHONY: all clean\nall: app\napp: dep\n\t@cc -o $(OUT)/$@ x.c\ndep:\n\techo $$HOME\nclean:\n\trm -rf $(OUT)\n";
        let recipes = Recipes::of_make(text);
        assert_eq!(recipes.first(), Some("all"));
        assert_eq!(recipes.code("clean").as_deref(), Some("( rm -rf build\n)\n"));
        assert_eq!(recipes.code("app").as_deref(), Some("( echo $HOME\n)\n( cc -o build/app x.c\n)\n"));
        assert_eq!(recipes.code("nothing"), None);
    }

    #[test]
    fn the_command_line_sets_variables() {
        let mut recipes = Recipes::of_make("CC = gcc\nall:\n\t$(CC) x.c\n");
        recipes.set("CC", "sh -c 'rm -rf data' #");
        assert_eq!(recipes.code("all").as_deref(), Some("( sh -c 'rm -rf data' # x.c\n)\n"));
    }

    #[test]
    fn a_justfile_reads_alike() {
        let recipes = Recipes::of_just(
            "dir := \"out\"\n\n# builds\nbuild arg='x': prep\n    cargo build {{dir}}\nprep:\n    mkdir -p out\n",
        );
        assert_eq!(recipes.code("build").as_deref(), Some("( mkdir -p out\n)\n( cargo build out\n)\n"));
    }

    #[test]
    fn loops_end() {
        let recipes = Recipes::of_make("a: b\n\techo a\nb: a\n\techo b\nX = $(X)\nc:\n\techo $(X)\n");
        assert!(recipes.code("a").is_some());
        assert!(recipes.code("c").is_some());
    }
}
