//! The recipes of a justfile, as far as they can be read without just.

use std::collections::HashMap;

use crate::facts::FileText;

/// The recipes of a justfile and of what it imports.
#[derive(Debug, Default)]
pub(super) struct Justfile {
    recipes: Vec<Recipe>,
    variables: HashMap<String, String>,
    /// The shell text that runs whatever the recipe: the values of variables.
    pub(super) while_read: Vec<String>,
    /// What could not be read.
    pub(super) unread: Vec<String>,
}

/// One recipe.
#[derive(Clone, Debug, Default)]
struct Recipe {
    name: String,
    parameters: Vec<String>,
    needs: Vec<String>,
    lines: Vec<String>,
}

/// Imports and variables nest at most this deep.
const MAX_NESTING: usize = 8;

/// At most this many recipes are looked at for one.
const MAX_RECIPES: usize = 256;

type Look<'l> = &'l dyn Fn(&str) -> FileText;

impl Justfile {
    /// Reads a justfile, and through `look` what it imports.
    pub(super) fn read(text: &str, look: Look<'_>) -> Self {
        let mut all = Self::default();
        all.read_text(text, look, 0);
        all
    }

    fn read_text(&mut self, text: &str, look: Look<'_>, depth: usize) {
        let mut current: Option<Recipe> = None;
        let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
        for line in joined.lines() {
            if line.trim().is_empty() {
                continue;
            }
            if line.starts_with(['\t', ' '])
                && let Some(recipe) = &mut current
            {
                recipe.lines.push(line.to_owned());
                continue;
            }
            if line.starts_with('#') {
                continue;
            }
            self.recipes.extend(current.take());
            current = self.header(line.trim().trim_start_matches('@'), look, depth);
        }
        self.recipes.extend(current);
    }

    fn header(&mut self, line: &str, look: Look<'_>, depth: usize) -> Option<Recipe> {
        let word = line.split_whitespace().next().unwrap_or_default();
        match word {
            "import" | "import?" => {
                let name = line.get(word.len()..).unwrap_or_default().trim().trim_matches(['"', '\'']);
                self.import(name, word == "import?", look, depth);
                return None;
            }
            "mod" | "mod?" => {
                // The recipes of a module have names of their own; nobody reads them here.
                let name = line.get(word.len()..).unwrap_or_default().trim();
                let file = format!("{}.just", name.split_whitespace().next().unwrap_or_default());
                if look(&file) != FileText::NotKnown {
                    self.unread.push(format!("mod {name}"));
                }
                return None;
            }
            "set" => {
                if line.contains("shell")
                    && !["bash", "sh", "zsh", "dash", "powershell", "pwsh", "cmd"].iter().any(|shell| {
                        line.contains(&format!("{shell}\""))
                            || line.contains(&format!("{shell}\'"))
                            || line.contains(&format!("{shell}.exe"))
                    })
                    && line.contains('[')
                {
                    self.unread.push(line.to_owned());
                }
                return None;
            }
            _ if line.starts_with('[') => return None,
            _ => {}
        }
        if let Some((name, value)) = line.split_once(":=") {
            let name = name.trim();
            if let Some(alias) = name.strip_prefix("alias ") {
                let needs = vec![value.trim().to_owned()];
                return Some(Recipe { name: alias.trim().to_owned(), needs, ..Recipe::default() });
            }
            let name = name.trim_start_matches("export ").trim().to_owned();
            let value = value.trim();
            self.while_read.extend(backticks(value).into_iter().map(str::to_owned));
            let value = match backticks(value).first() {
                Some(code) => format!("$({code})"),
                None => value.trim_matches(['"', '\'']).to_owned(),
            };
            self.variables.insert(name, value);
            return None;
        }
        let (head, needs) = line.split_once(':')?;
        let mut words = head.split_whitespace();
        let name = words.next()?.to_owned();
        let parameters = words
            .map(|word| word.trim_start_matches(['+', '*', '$']).split('=').next().unwrap_or(word).to_owned())
            .collect();
        let needs = needs
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .filter(|need| *need != "&&")
            .map(|need| need.trim_matches(['(', ')']).to_owned())
            .collect();
        Some(Recipe { name, parameters, needs, lines: Vec::new() })
    }

    fn import(&mut self, name: &str, optional: bool, look: Look<'_>, depth: usize) {
        match look(name) {
            FileText::Text(text) if depth < MAX_NESTING => self.read_text(&text, look, depth + 1),
            FileText::Missing if optional => {}
            FileText::NotKnown => {}
            _ => self.unread.push(format!("import {name}")),
        }
    }

    /// The recipe that runs when none is named.
    pub(super) fn first(&self) -> Option<&str> {
        self.recipes.first().map(|recipe| recipe.name.as_str())
    }

    /// The shell text of a recipe and of all that it needs; none if there is no such recipe.
    pub(super) fn code(&self, name: &str, args: &[String]) -> Option<String> {
        let (mut seen, mut code) = (Vec::new(), String::new());
        self.collect(name, args, &mut seen, &mut code).then_some(code)
    }

    fn collect<'r>(&'r self, name: &str, args: &[String], seen: &mut Vec<&'r str>, code: &mut String) -> bool {
        let Some(recipe) = self.recipes.iter().find(|recipe| recipe.name == name) else { return false };
        if seen.contains(&recipe.name.as_str()) {
            return true;
        }
        if seen.len() >= MAX_RECIPES {
            // A program whose name is not known stands for what is not looked at.
            code.push_str("\"$OTHER_RECIPES\"\n");
            return true;
        }
        seen.push(&recipe.name);
        for need in &recipe.needs {
            self.collect(need, &[], seen, code);
        }
        let given: HashMap<&str, &str> =
            recipe.parameters.iter().map(String::as_str).zip(args.iter().map(String::as_str)).collect();
        if let Some(interpreter) = recipe.lines.first().and_then(|line| line.trim().strip_prefix("#!")) {
            let indent = recipe.lines.first().map_or(0, |line| line.len() - line.trim_start().len());
            code.push_str(&format!("{} <<'JUST_END'\n", interpreter.trim()));
            for line in recipe.lines.iter().skip(1) {
                code.push_str(&self.expand(line.get(indent..).unwrap_or(line.trim_start()), &given, 0));
                code.push('\n');
            }
            code.push_str("JUST_END\n");
            return true;
        }
        for line in &recipe.lines {
            let line = line.trim().trim_start_matches(['@', '-']).trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // A shell per line, as just has it: a change of directory ends with the line.
            code.push_str(&format!("( {}\n)\n", self.expand(line, &given, 0)));
        }
        true
    }

    /// Puts in what stands between double braces.
    fn expand(&self, text: &str, given: &HashMap<&str, &str>, depth: usize) -> String {
        let mut all = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, from)) = rest.split_once("{{")
            && let Some((inner, behind)) = from.split_once("}}")
        {
            all.push_str(before);
            let name = inner.trim();
            if let Some(value) = given.get(name) {
                all.push_str(value);
            } else if let Some(code) = backticks(name).first() {
                all.push_str(&format!("$({code})"));
            } else if let Some(value) = self.variables.get(name).filter(|_| depth < MAX_NESTING) {
                all.push_str(&self.expand(value, given, depth + 1));
            } else {
                let plain = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
                all.push_str(&format!("${{{}}}", plain.collect::<String>()));
            }
            rest = behind;
        }
        all.push_str(rest);
        all
    }
}

/// The code between backticks, and in `shell('…')`.
fn backticks(value: &str) -> Vec<&str> {
    let mut all: Vec<&str> = value.split('`').skip(1).step_by(2).filter(|code| !code.is_empty()).collect();
    if let Some((_, code)) = value.split_once("shell(") {
        let quote = code.chars().next().filter(|letter| matches!(letter, '"' | '\''));
        all.extend(quote.and_then(|quote| code.get(1..)?.split(quote).next()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Justfile {
        Justfile::read(text, &|_| FileText::Missing)
    }

    #[test]
    fn a_recipe_brings_what_it_needs() {
        let file =
            read("dir := \"out\"\n\n# builds\nbuild arg='x': prep\n    cargo build {{dir}}\nprep:\n    mkdir -p out\n");
        assert_eq!(file.code("build", &[]).as_deref(), Some("( mkdir -p out\n)\n( cargo build out\n)\n"));
        assert_eq!(file.code("nothing", &[]), None);
    }

    #[test]
    fn arguments_aliases_and_scripts_are_read() {
        let file = read("alias r := run\nrun what:\n  {{what}} now\npy:\n  #!/usr/bin/env python3\n  import os\n");
        assert_eq!(file.code("run", &["ls".to_owned()]).as_deref(), Some("( ls now\n)\n"));
        assert!(file.code("r", &[]).is_some());
        assert_eq!(file.code("py", &[]).as_deref(), Some("/usr/bin/env python3 <<'JUST_END'\nimport os\nJUST_END\n"));
    }

    #[test]
    fn values_run_and_imports_are_looked_for() {
        let file = read("now := `date`\nimport 'more.just'\nx:\n  echo {{now}}\n");
        assert_eq!(file.while_read, ["date"]);
        assert_eq!(file.unread, ["import more.just"]);
    }
}
