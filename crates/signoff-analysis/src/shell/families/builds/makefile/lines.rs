//! The lines of a makefile: assignments, rules, conditions, directives.

use super::{Included, MAX_EXPANDED, MAX_NESTING, MAX_VALUE, Makefile, Rule};
use crate::facts::FileText;

/// One conditional that is open.
struct Condition {
    /// Whether the lines of the present branch count.
    taken: bool,
    /// Whether a branch has counted already.
    settled: bool,
    /// Whether a branch hung on what is not known.
    unknown: bool,
    /// The number of the present branch.
    branch: usize,
}

/// A variable of several lines that is open.
struct Definition {
    /// None if it does not count.
    name: Option<String>,
    lines: Vec<String>,
    nested: usize,
}

/// How a line reads.
enum Form<'t> {
    Assignment { name: &'t str, operator: &'static str, value: &'t str },
    Rule { names: &'t str, rest: &'t str },
    Other,
}

const OPERATORS: [&str; 7] = [":::=", "::=", ":=", "?=", "+=", "!=", "="];

impl Makefile<'_> {
    /// Reads the lines of one text.
    pub(super) fn read_text(&mut self, text: &str) {
        if self.nesting >= MAX_NESTING {
            self.unread.push("include".to_owned());
            return;
        }
        self.nesting += 1;
        let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
        let mut current: Option<usize> = None;
        let mut conditions: Vec<Condition> = Vec::new();
        let mut definition: Option<Definition> = None;
        for whole in joined.lines() {
            if let Some(open) = &mut definition {
                match first_word(whole) {
                    "endef" if open.nested == 0 => {
                        if let Some(Definition { name: Some(name), lines, .. }) = definition.take() {
                            self.set(&name, lines.join("\n"));
                        }
                        continue;
                    }
                    "endef" => open.nested -= 1,
                    "define" => open.nested += 1,
                    _ => {}
                }
                open.lines.push(whole.to_owned());
                continue;
            }
            let active = conditions.iter().all(|condition| condition.taken);
            if let Some(line) = whole.strip_prefix(self.prefix)
                && let Some(rule) = current.and_then(|at| self.rules.get_mut(at))
            {
                if active && !line.trim().is_empty() {
                    rule.lines.push(line.trim().to_owned());
                }
                continue;
            }
            let line = without_comment(whole).trim();
            if line.is_empty() || self.condition(&mut conditions, line) {
                continue;
            }
            let bare = without_modifiers(line);
            if first_word(bare) == "define" {
                let name =
                    bare.get("define".len()..).unwrap_or_default().trim().trim_end_matches([':', '=', '?', '+', '!']);
                let name = active.then(|| self.expand_now(name.trim()).0);
                definition = Some(Definition { name, lines: Vec::new(), nested: 0 });
                current = None;
                continue;
            }
            if active {
                current = self.line(line);
            }
        }
        self.nesting -= 1;
    }

    /// Reads one line; gives the rule that it opens.
    fn line(&mut self, line: &str) -> Option<usize> {
        let word = first_word(line);
        let rest = line.get(word.len()..).unwrap_or_default().trim();
        let form = form_of(without_modifiers(line));
        match (word, form) {
            (_, Form::Assignment { name, operator, value }) => {
                self.assign(name, operator, value);
                None
            }
            ("include" | "-include" | "sinclude", _) => {
                self.include(rest, word != "include");
                None
            }
            ("load" | "-load", _) => {
                self.unread.push(line.to_owned());
                None
            }
            ("vpath" | "unexport" | "undefine" | "export" | "override" | "private", Form::Other) => {
                self.expand_now(rest);
                None
            }
            (_, Form::Rule { names, rest }) => self.rule(names, rest),
            (_, Form::Other) => {
                // What the line becomes is a line itself: `$(eval …)`, `$(RULES)`, or nothing.
                let (text, _) = self.expand_now(line);
                if text != line && text.contains([':', '=', '\n']) {
                    self.read_text(&text);
                }
                None
            }
        }
    }

    fn assign(&mut self, name: &str, operator: &'static str, value: &str) {
        let (name, _) = self.expand_now(name);
        let value = match operator {
            "!=" => {
                let (code, _) = self.expand_now(value);
                self.runs.push(code);
                format!("$(shell {value})")
            }
            "=" => value.to_owned(),
            "?=" if self.variables.contains_key(&name) => return,
            "?=" => value.to_owned(),
            "+=" => {
                if value.contains("shell") {
                    self.expand_now(value);
                }
                let before = self.variables.get(&name).cloned().unwrap_or_default();
                format!("{before} {value}").trim().to_owned()
            }
            _ => {
                let (text, unknown) = self.expand_now(value);
                // What is not known stays a reference; what is known counts as it is now.
                if unknown || text.contains('$') { value.to_owned() } else { text }
            }
        };
        // `X := $(X) more` would go round in circles.
        let own = [format!("$({name})"), format!("${{{name}}}")];
        let before = self.variables.get(&name).map(String::as_str).unwrap_or_default();
        let times: usize = own.iter().map(|own| value.matches(own.as_str()).count()).sum();
        if times.saturating_mul(before.len()) > MAX_VALUE || self.expanded > MAX_EXPANDED {
            self.unread.push(name);
            return;
        }
        let value = own.iter().fold(value, |value, own| value.replace(own.as_str(), before));
        self.expanded += value.len();
        if name == ".RECIPEPREFIX" {
            self.prefix = value.chars().next().unwrap_or('\t');
        }
        self.set(&name, value);
    }

    fn rule(&mut self, names: &str, rest: &str) -> Option<usize> {
        let (names, loose) = self.expand_now(names.trim_end_matches('&'));
        let names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        let rest = rest.trim_start_matches(':').trim_start();
        // `target: NAME = value` sets a variable for this target.
        let (needs, inline) = split_outside(rest, ';').map_or((rest, None), |(needs, code)| (needs, Some(code)));
        if let Form::Assignment { name, operator, value } = form_of(without_modifiers(rest))
            && name.split_whitespace().count() == 1
        {
            let value = if operator == "!=" { format!("$(shell {value})") } else { value.to_owned() };
            let settings = vec![(name.to_owned(), value)];
            self.rules.push(Rule { names, settings, loose, ..Rule::default() });
            return None;
        }
        let (pattern, needs) = match split_outside(needs, ':') {
            Some((pattern, needs)) => (Some(self.expand_now(pattern).0.trim().to_owned()), needs),
            None => (None, needs),
        };
        let (needs, _) = self.expand_now(needs);
        self.rules.push(Rule {
            names,
            needs: needs.split_whitespace().filter(|need| *need != "|").map(str::to_owned).collect(),
            lines: inline.map(|code| code.trim().to_owned()).filter(|code| !code.is_empty()).into_iter().collect(),
            pattern,
            settings: Vec::new(),
            loose,
        });
        Some(self.rules.len() - 1)
    }

    fn include(&mut self, names: &str, optional: bool) {
        let (names, unknown) = self.expand_now(names);
        if unknown || names.contains(['*', '?', '[', '$', '~']) {
            self.unread.push(format!("include {names}"));
            return;
        }
        for name in names.split_whitespace() {
            let text = (self.look)(name);
            self.included.push(Included { name: name.to_owned(), missing: text == FileText::Missing });
            match text {
                FileText::Text(text) => {
                    let before = self.variables.get("MAKEFILE_LIST").cloned().unwrap_or_default();
                    self.variables.insert("MAKEFILE_LIST".to_owned(), format!("{before} {name}"));
                    self.read_text(&text);
                }
                FileText::Missing if optional => {}
                // Nobody looked: the project's own files are judged by their names.
                FileText::NotKnown => {}
                FileText::Missing | FileText::Binary | FileText::TooLarge | FileText::Unreadable => {
                    self.unread.push(format!("include {name}"));
                }
            }
        }
    }

    /// Reads a line of a conditional. Tells whether it was one.
    fn condition(&mut self, open: &mut Vec<Condition>, line: &str) -> bool {
        let word = first_word(line);
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let outer = open.iter().all(|condition| condition.taken);
                let mut condition = Condition { taken: false, settled: false, unknown: false, branch: 0 };
                if outer {
                    self.branch(&mut condition, line);
                }
                open.push(condition);
            }
            "else" => {
                let rest = line.get("else".len()..).unwrap_or_default().trim();
                let outer = open.split_last().is_some_and(|(_, outer)| outer.iter().all(|outer| outer.taken));
                let Some(condition) = open.last_mut() else { return true };
                condition.branch += 1;
                condition.taken = false;
                if outer && !condition.settled {
                    if rest.is_empty() {
                        condition.taken = true;
                        condition.settled = true;
                    } else {
                        self.branch(condition, rest);
                    }
                }
            }
            "endif" => {
                open.pop();
            }
            _ => return false,
        }
        true
    }

    fn branch(&mut self, condition: &mut Condition, line: &str) {
        let holds = self.holds(line);
        condition.taken = match holds {
            Some(holds) => holds,
            None => {
                condition.unknown = true;
                self.branches = self.branches.max(condition.branch + 2);
                condition.branch == self.world
            }
        };
        condition.settled |= condition.taken;
    }

    /// Whether a condition holds; none if that is not known.
    fn holds(&mut self, line: &str) -> Option<bool> {
        let word = first_word(line);
        let rest = line.get(word.len()..).unwrap_or_default().trim();
        match word {
            "ifdef" | "ifndef" => {
                let (name, _) = self.expand_now(rest);
                let set = self.variables.get(&name).map(|value| !value.is_empty())?;
                Some(set == (word == "ifdef"))
            }
            _ => {
                let (left, right) = match rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
                    Some(inner) => split_outside(inner, ',')?,
                    None => {
                        let quote = rest.chars().next()?;
                        let (left, right) = rest.strip_prefix(quote)?.split_once(quote)?;
                        (left, right.trim().trim_matches(['"', '\'']))
                    }
                };
                let (left, left_unknown) = self.expand_now(left.trim());
                let (right, right_unknown) = self.expand_now(right.trim());
                if left_unknown || right_unknown {
                    return None;
                }
                Some((left.trim() == right.trim()) == (word == "ifeq"))
            }
        }
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn without_modifiers(line: &str) -> &str {
    let mut rest = line;
    while let "export" | "override" | "private" = first_word(rest) {
        let behind = rest.trim_start().get(first_word(rest).len()..).unwrap_or_default().trim_start();
        if behind.is_empty() || behind.starts_with([':', '=', '?', '+', '!']) {
            return rest;
        }
        rest = behind;
    }
    rest
}

fn form_of(line: &str) -> Form<'_> {
    for (at, letter) in outside(line) {
        let rest = line.get(at..).unwrap_or_default();
        let before = line.get(..at).unwrap_or_default().trim();
        if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            if before.is_empty() || before.contains(';') || outside(before).any(|(_, letter)| letter.is_whitespace()) {
                return Form::Other;
            }
            let value = rest.get(operator.len()..).unwrap_or_default().trim();
            return Form::Assignment { name: before, operator, value };
        }
        if letter == ':' {
            return Form::Rule { names: before, rest: rest.get(1..).unwrap_or_default() };
        }
    }
    Form::Other
}

/// The letters outside of references and functions, with their positions.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut depth, mut before) = (0_usize, ' ');
    text.char_indices().filter(move |(_, letter)| {
        let was = depth;
        match letter {
            '(' | '{' if depth > 0 || before == '$' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = *letter;
        was == 0 && depth == 0
    })
}

/// Splits at the first such letter outside of references.
pub(super) fn split_outside(text: &str, at: char) -> Option<(&str, &str)> {
    let (position, letter) = outside(text).find(|(_, letter)| *letter == at)?;
    Some((text.get(..position)?, text.get(position + letter.len_utf8()..)?))
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    let escaped = |at: usize| line.get(..at).is_some_and(|before| before.ends_with('\\'));
    match outside(line).find(|(at, letter)| *letter == '#' && !escaped(*at)) {
        Some((at, _)) => line.get(..at).unwrap_or(line),
        None => line,
    }
}
