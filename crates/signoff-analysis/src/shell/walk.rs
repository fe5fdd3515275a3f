//! The walk over the tree: every part of a compound command by itself, in the order in which the shell would run it.
//!
//! Conditions are not trusted: both branches are walked, and what a branch changes is kept as one possibility more.

use signoff_model::Span;

use super::{
    machine::{MAX_DEPTH, Running, Shell, State, Variable, Written},
    picks::Next,
    rules,
    syntax::tree::{
        AndOr, AssignedValue, CaseArm, Command, Compound, CompoundCommand, Connector, FunctionDefinition, Item,
        Pipeline, Script, SimpleCommand, SyntaxErrorKind, Word, WordPart,
    },
    variables::DECLARATIONS,
};
use crate::value::{Arg, Feed, Origin, Value};

/// A loop over known words is walked once for each, up to this many.
const MAX_ROUNDS: usize = 256;

/// A function that calls itself with ever new arguments is followed so far.
const MAX_RECURSION: usize = 4;

impl Shell<'_> {
    /// Walks a whole script and returns what it prints.
    pub(super) fn walk(&mut self, script: &Script, stdin: Feed) -> Feed {
        for error in &script.errors {
            let rule = match error.kind {
                // Bash warns and takes the rest of the text as the body.
                SyntaxErrorKind::UnclosedHereDocument => continue,
                SyntaxErrorKind::TooDeep | SyntaxErrorKind::TooLong | SyntaxErrorKind::OutOfFuel => &rules::BUDGET,
                SyntaxErrorKind::Unexpected
                | SyntaxErrorKind::UnclosedQuote
                | SyntaxErrorKind::UnclosedBracket
                | SyntaxErrorKind::UnclosedCompound
                | SyntaxErrorKind::BadExpansion => &rules::SYNTAX,
            };
            let what = error.kind.describe();
            self.findings.gap(what, self.blame.unwrap_or(error.span));
            self.tell(rule, what, error.span);
        }
        self.walk_items(&script.items, &stdin)
    }

    pub(super) fn walk_items(&mut self, items: &[Item], stdin: &Feed) -> Feed {
        let mut out = Feed::none();
        for item in items {
            let before = self.concurrent;
            self.concurrent |= item.background;
            let outer = self.conditional;
            self.conditional |= item.background;
            let start = self.state.cwd.clone();
            let feed = if item.background {
                self.subshell(|shell| shell.walk_list(&item.list, stdin))
            } else {
                self.walk_list(&item.list, stdin)
            };
            self.concurrent = before;
            self.conditional = outer;
            // A `cd` may fail, or not run at all; unless the text takes care of that, it goes on where it was.
            if self.state.cwd != start
                && !self.state.stops_at_failure
                && !leaves_on_failure(&item.list)
                && !self.surely_exists()
                && let Some(start) = start
            {
                self.state.may_stand_in(start);
            }
            out = out.then(feed);
        }
        out
    }

    fn walk_list(&mut self, list: &AndOr, stdin: &Feed) -> Feed {
        let mut out = self.walk_pipeline(&list.first, stdin);
        for (_, pipeline) in &list.rest {
            // What follows `&&` or `||` may run or not: variables that it sets have both values afterwards.
            let before = changes_variables(pipeline).then(|| self.state.clone());
            let outer = std::mem::replace(&mut self.conditional, true);
            out = out.then(self.walk_pipeline(pipeline, stdin));
            self.conditional = outer;
            if let Some(before) = before {
                self.merge_variables(&before);
            }
        }
        out
    }

    fn walk_pipeline(&mut self, pipeline: &Pipeline, stdin: &Feed) -> Feed {
        if let [only] = pipeline.commands.as_slice() {
            return self.walk_command(only, stdin.clone());
        }
        let before = self.concurrent;
        self.concurrent = true;
        let mut feed = stdin.clone();
        for command in &pipeline.commands {
            let input = feed;
            feed = self.subshell(|shell| shell.walk_command(command, input));
            if feed.is_none() {
                // Something flows between the two, even if nothing is known about it.
                feed = Feed::from(Origin::Program(String::new()));
            }
        }
        self.concurrent = before;
        feed
    }

    pub(super) fn walk_command(&mut self, command: &Command, stdin: Feed) -> Feed {
        if self.fuel == 0 || self.depth >= MAX_DEPTH || self.state.overflowed() {
            self.spend_out(command.span());
            return Feed::none();
        }
        self.fuel -= 1;
        self.depth += 1;
        let feed = match command {
            Command::Simple(simple) => self.walk_simple(simple, stdin),
            Command::Compound(compound) => self.walk_compound(compound, stdin),
            Command::Function(function) => {
                self.define(function);
                Feed::none()
            }
            Command::Coproc { body, .. } => self.subshell(|shell| shell.walk_command(body, Feed::from(Origin::Input))),
        };
        self.depth -= 1;
        feed
    }

    /// The budget is spent: says so once.
    pub(super) fn spend_out(&mut self, span: Span) {
        let span = self.blame.unwrap_or(span);
        if !self.findings.has(&rules::BUDGET) {
            self.findings.gap("the budget is spent", span);
            self.tell(&rules::BUDGET, "the rest of it", span);
        }
    }

    fn define(&mut self, function: &FunctionDefinition) {
        self.state.functions.insert(function.name.clone(), function.body.clone());
        if self.conditional {
            self.state.uncertain.push(function.name.clone());
        } else {
            self.state.uncertain.retain(|name| *name != function.name);
        }
        // The shell calls these by itself.
        if matches!(
            function.name.as_str(),
            "command_not_found_handle" | "command_not_found_handler" | "precmd" | "preexec" | "chpwd"
        ) {
            self.call_function(&function.name, &[], &Feed::none(), function.span);
        }
    }

    /// Calls a function of the text, if there is one of this name.
    pub(super) fn call_function(&mut self, name: &str, args: &[Arg], stdin: &Feed, span: Span) -> Option<Feed> {
        let body = self.state.functions.get(name)?.clone();
        let running = self.calls.iter().filter(|call| call.name == name);
        let (levels, repeated) = (running.clone().count(), running.clone().any(|call| call.args.as_slice() == args));
        if levels > 0 && self.concurrent {
            self.tell(&rules::FORK_BOMB, name, span);
        }
        // The same arguments again tell nothing new; ever new ones are not followed for ever.
        if repeated {
            return Some(Feed::none());
        }
        if levels >= MAX_RECURSION {
            self.opaque(format!("the function {name}, which calls itself"), span);
            return Some(Feed::none());
        }
        self.calls.push(Running { name: name.to_owned(), args: args.to_vec() });
        self.locals.push(Vec::new());
        let before = self.concurrent;
        self.concurrent = false;
        let positional = self.state.positional.replace(args.to_vec());
        let feed = self.walk_command(&body, stdin.clone());
        self.state.positional = positional;
        self.concurrent = before;
        let hidden = self.locals.pop().unwrap_or_default();
        self.restore(hidden.into_iter().rev().collect());
        self.calls.pop();
        Some(feed)
    }

    fn walk_compound(&mut self, compound: &CompoundCommand, stdin: Feed) -> Feed {
        let plumbing = self.plumb(&compound.redirects, stdin);
        let stdin = plumbing.stdin.clone();
        let outer = self.conditional;
        self.conditional |= !matches!(compound.kind, Compound::Group(_) | Compound::Subshell(_));
        let feed = match &compound.kind {
            Compound::Group(items) => self.walk_items(items, &stdin),
            Compound::Subshell(items) => self.subshell(|shell| shell.walk_items(items, &stdin)),
            Compound::If { branches, otherwise } => self.walk_if(branches, otherwise.as_deref(), &stdin),
            Compound::While { condition, body, .. } => self.walk_while(condition, body, &stdin),
            Compound::For { names, words, body, .. } => self.walk_for(names, words.as_deref(), body, &stdin),
            Compound::ArithmeticFor { header, body } => {
                self.expand_value(header);
                for name in assigned_in_arithmetic(header) {
                    self.forget(&name);
                }
                self.walk_while(&[], body, &stdin)
            }
            Compound::Case { word, arms } => self.walk_case(word, arms, &stdin),
            Compound::Arithmetic(parts) => {
                self.arithmetic(parts);
                for name in assigned_in_arithmetic(parts) {
                    self.forget(&name);
                }
                Feed::none()
            }
            Compound::Test(words) => {
                for word in words {
                    self.expand_single(word);
                }
                Feed::none()
            }
        };
        self.conditional = outer;
        self.flow_out(&plumbing, feed)
    }

    fn walk_if(&mut self, branches: &[(Vec<Item>, Vec<Item>)], otherwise: Option<&[Item]>, stdin: &Feed) -> Feed {
        let mut out = Feed::none();
        let mut ends: Vec<State> = Vec::new();
        for (condition, body) in branches {
            self.walk_items(condition, stdin);
            let before = self.state.clone();
            out = out.then(self.walk_items(body, stdin));
            ends.push(std::mem::replace(&mut self.state, before));
        }
        if let Some(body) = otherwise {
            out = out.then(self.walk_items(body, stdin));
        }
        for end in ends {
            self.merge(end);
        }
        out
    }

    fn walk_while(&mut self, condition: &[Item], body: &[Item], stdin: &Feed) -> Feed {
        // A known input is read line by line, so that `while read x` sees each of them.
        if let Some(text) = stdin.known()
            && !text.is_empty()
            && text.lines().count() <= MAX_ROUNDS
            && reads_input(condition)
        {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let mut out = Feed::none();
            for line in lines {
                let stdin = Feed::of(Value::text(format!("{line}\n")));
                self.walk_items(condition, &stdin);
                out = out.then(self.walk_items(body, &stdin));
            }
            return out;
        }
        let before = self.state.clone();
        self.loops += 1;
        self.walk_items(condition, stdin);
        let mut out = self.walk_items(body, stdin);
        // The second round sees what the first has changed. Loops in loops would double the work at each level: there,
        // what has changed is unknown afterwards.
        if self.loops > 1 {
            self.forget_changes(&before);
        } else if self.state.variables != before.variables || self.state.cwd != before.cwd {
            self.walk_items(condition, stdin);
            out = out.then(self.walk_items(body, stdin));
        }
        self.loops -= 1;
        self.merge_variables(&before);
        out
    }

    /// Whatever a loop has changed in variables is not known any more.
    fn forget_changes(&mut self, before: &State) {
        let changed: Vec<String> = self
            .state
            .variables
            .iter()
            .filter(|(name, variable)| before.variables.get(name) != Some(variable))
            .map(|(name, _)| name.clone())
            .collect();
        changed.iter().for_each(|name| self.forget(name));
    }

    fn walk_for(&mut self, names: &[String], words: Option<&[Word]>, body: &[Item], stdin: &Feed) -> Feed {
        let values: Vec<Value> = match words {
            Some(words) => self.expand_words(words).into_iter().map(|arg| arg.value).collect(),
            None => match &self.state.positional {
                Some(args) => args.iter().map(|arg| arg.value.clone()).collect(),
                None => vec![Value::unknown("$@", vec![Origin::Variable("@".to_owned())])],
            },
        };
        let mut out = Feed::none();
        let rounds: Vec<Value> = if values.len() <= MAX_ROUNDS {
            values
        } else {
            vec![Value::unknown(format!("${}", names.first().map_or("x", String::as_str)), Vec::new())]
        };
        for value in &rounds {
            for name in names {
                self.state.variables.insert(name.clone(), Variable::Scalar(vec![value.clone()]));
            }
            out = out.then(self.walk_items(body, stdin));
        }
        // A `break` may have left any of them.
        for name in names {
            let mut values = rounds.clone();
            values.dedup();
            if !values.is_empty() {
                self.state.variables.insert(name.clone(), Variable::Scalar(super::expand::any_of(values, name)));
            }
        }
        out
    }

    fn walk_case(&mut self, word: &Word, arms: &[CaseArm], stdin: &Feed) -> Feed {
        self.expand_single(word);
        let mut out = Feed::none();
        let before = self.state.clone();
        let mut ends = Vec::new();
        for arm in arms {
            for pattern in &arm.patterns {
                self.expand_single(pattern);
            }
            out = out.then(self.walk_items(&arm.body, stdin));
            let start = if arm.falls_through { self.state.clone() } else { before.clone() };
            ends.push(std::mem::replace(&mut self.state, start));
        }
        for end in ends {
            self.merge(end);
        }
        out
    }

    fn walk_simple(&mut self, simple: &SimpleCommand, stdin: Feed) -> Feed {
        // `exec < file` has given the shell itself another input.
        let own = self.state.descriptors.iter().rev().find(|(number, _)| *number == 0);
        let stdin = match own {
            Some((_, feed)) if stdin.is_none() => feed.clone(),
            _ => stdin,
        };
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                self.assign(assignment);
            }
            let plumbing = self.plumb(&simple.redirects, stdin);
            return self.flow_out(&plumbing, Feed::none());
        }
        if let Some(WordPart::Literal(name)) = simple.words.first().and_then(|word| word.parts.first())
            && DECLARATIONS.contains(&name.as_str())
            && !self.state.functions.contains_key(name)
        {
            return self.declare(name, simple, stdin);
        }
        let outer = std::mem::take(&mut self.picks);
        let feed = self.run_everywhere(simple, &stdin);
        // Values that depend on a branch: the same command again with each of the others.
        loop {
            match self.picks.advance() {
                Next::Done => break,
                Next::TooMany => {
                    self.opaque("values that depend on too many branches", simple.span);
                    break;
                }
                Next::Round => {
                    let state = self.state.clone();
                    self.run_everywhere(simple, &stdin);
                    let written = std::mem::take(&mut self.state.written);
                    self.state = state;
                    self.state.written = written;
                }
            }
        }
        self.picks = outer;
        feed
    }

    /// Runs a command in each directory that it may stand in.
    fn run_everywhere(&mut self, simple: &SimpleCommand, stdin: &Feed) -> Feed {
        let elsewhere = self.state.elsewhere.clone();
        for directory in &elsewhere {
            let state = self.state.clone();
            self.state.cwd = Some(directory.clone());
            self.run_simple(simple, stdin.clone());
            let written = std::mem::take(&mut self.state.written);
            self.state = state;
            self.state.written = written;
        }
        self.run_simple(simple, stdin.clone())
    }

    fn run_simple(&mut self, simple: &SimpleCommand, stdin: Feed) -> Feed {
        let mut variables = Vec::with_capacity(simple.assignments.len());
        for assignment in &simple.assignments {
            let value = match &assignment.value {
                AssignedValue::Scalar(word) => self.expand_single(word),
                AssignedValue::Array(elements) => {
                    for element in elements {
                        self.expand_single(&element.value);
                    }
                    Value::unknown("(…)", Vec::new())
                }
            };
            variables.push((assignment.name.clone(), value));
        }
        let argv = self.expand_words(&simple.words);
        let plumbing = self.plumb(&simple.redirects, stdin);
        let feed = self.run_words(&argv, variables, &plumbing, simple.span);
        self.flow_out(&plumbing, feed)
    }

    /// What a command wrote to a file is remembered, so that running the file is judged by it.
    pub(super) fn remember_output(&mut self, path: String, feed: Feed, append: bool) {
        let content = match (self.state.written.remove(&path), append) {
            (Some(Written::Content(before)), true) => before.then(feed),
            _ => feed,
        };
        self.state.written.insert(path, Written::Content(content));
    }
}

/// Whether a list ends the script, function or loop when its first command fails: `cd x || exit`.
fn leaves_on_failure(list: &AndOr) -> bool {
    list.rest.iter().any(|(connector, pipeline)| {
        *connector == Connector::Or
            && pipeline.commands.iter().any(|command| match command {
                Command::Simple(simple) => match simple.words.first().map(|word| word.parts.as_slice()) {
                    Some([WordPart::Literal(name)]) => {
                        !matches!(name.as_str(), "true" | ":" | "echo" | "printf" | "cd" | "mkdir")
                    }
                    _ => true,
                },
                Command::Compound(_) => true,
                _ => false,
            })
    })
}

/// Whether a condition takes a line of the input each time it is asked.
fn reads_input(condition: &[Item]) -> bool {
    condition.iter().any(|item| {
        item.list.first.commands.iter().any(|command| match command {
            Command::Simple(simple) => {
                matches!(simple.words.first().map(|word| word.parts.as_slice()), Some([WordPart::Literal(name)]) if name == "read")
            }
            _ => false,
        })
    })
}

/// Whether a pipeline sets variables of this shell.
fn changes_variables(pipeline: &Pipeline) -> bool {
    match pipeline.commands.as_slice() {
        [Command::Simple(simple)] => match simple.words.first().and_then(|word| word.parts.first()) {
            None => !simple.assignments.is_empty(),
            Some(WordPart::Literal(name)) => {
                DECLARATIONS.contains(&name.as_str())
                    || matches!(name.as_str(), "read" | "unset" | "set" | "eval" | "printf" | "let")
            }
            Some(_) => false,
        },
        [Command::Compound(_)] => true,
        _ => false,
    }
}

/// The variables that an arithmetic text assigns.
fn assigned_in_arithmetic(parts: &[WordPart]) -> Vec<String> {
    let mut names = Vec::new();
    for part in parts {
        let (WordPart::Literal(text) | WordPart::SingleQuoted(text)) = part else { continue };
        let mut word = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter.is_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            let assigns = match letter {
                '=' => letters.peek() != Some(&'='),
                '+' | '-' | '*' | '/' | '%' | '|' | '&' | '^' => matches!(letters.peek(), Some('=' | '+' | '-')),
                letter if letter.is_whitespace() => continue,
                _ => false,
            };
            if assigns && !word.is_empty() {
                names.push(std::mem::take(&mut word));
            }
            word.clear();
        }
    }
    names
}

impl SyntaxErrorKind {
    /// What went wrong, in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Unexpected => "a word or sign that cannot stand there",
            Self::UnclosedQuote => "a quote that does not end",
            Self::UnclosedBracket => "a bracket that does not end",
            Self::UnclosedCompound => "a compound command that does not end",
            Self::UnclosedHereDocument => "a heredoc that does not end",
            Self::BadExpansion => "an expansion that the shell refuses",
            Self::TooDeep => "it is nested too deeply",
            Self::TooLong => "it is too long",
            Self::OutOfFuel => "it takes too much work",
        }
    }
}
