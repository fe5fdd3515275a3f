//! PowerShell: a parser of its own, a walk over its tree, and what the cmdlets and the methods of .NET do.

use std::collections::BTreeMap;

use signoff_model::{Span, Unread};

use super::{decoding, network, rules, thing};
use crate::{
    path_effects::Write,
    shell::{Language, Shell, Written},
    value::{Arg, Feed},
};

mod actions;
mod call;
mod cmdlets;
mod commands;
mod evaluate;
mod expressions;
mod methods;
mod names;
mod parse;
mod requests;
mod signs;
mod things;
mod tree;

pub(crate) use signs::Reading;
pub(super) use signs::{ALIASES, SIGNS, begins_sign, is_script, is_sign_at, variables};

use call::{Call, Given};
use things::Thing;
use tree::{Body, Element, ElementKind, Expression, Parameter, Redirect, Statement, Word};

const MAX_DEPTH: usize = 24;
const MAX_STEPS: usize = 8192;
/// Lists that are longer are walked with one thing that stands for all of them.
const MAX_ROUNDS: usize = 16;

/// Reads a script.
pub(super) fn run(shell: &mut Shell<'_>, text: &str, span: Span, stdin: &Feed) -> Feed {
    let compact: String = text.to_ascii_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    let endless = ["while($true)", "while(1)", "for(;;)"].iter().any(|head| compact.contains(head));
    let starts = ["start-process", "start-job", "saps"].iter().any(|name| compact.contains(name));
    if endless && starts && !compact.contains("start-sleep") && !compact.contains("wait") {
        shell.tell(&rules::CODE_FORK_BOMB, "Start-Process", span);
    }
    if obeys_another(text) {
        shell.tell(&rules::REVERSE_SHELL, "another machine", span);
    }
    let script = parse::parse(text);
    if !script.complete {
        shell.findings.gap(Unread::Code, span);
        shell.tell(&rules::CODE_LOST, super::shortened(text), span);
    }
    let mut reader = Reader {
        shell,
        span,
        stdin: Thing::of_feed(stdin.clone()),
        variables: BTreeMap::new(),
        functions: BTreeMap::new(),
        aliases: BTreeMap::new(),
        calling: Vec::new(),
        depth: 0,
        steps: 0,
        loops: 0,
        spent: false,
    };
    reader.body(&script.body).feed()
}

/// Whether a script opens a connection and runs what it is told: what the words between them pass on is not followed,
/// since such a script is hardly ever written for anything else.
fn obeys_another(text: &str) -> bool {
    const CONNECTIONS: &[&str] = &["sockets.tcpclient", "sockets.tcplistener", "sockets.socket", "clientwebsocket"];
    const RUNNERS: &[&str] =
        &["iex", "invoke-expression", "invokescript", "scriptblock", "diagnostics.process", "cmd", "cmd.exe"];
    let lower: String = text.to_ascii_lowercase().chars().filter(|letter| *letter != '`').collect();
    let word = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '.');
    CONNECTIONS.iter().any(|name| lower.contains(name))
        && (lower.split(|letter| !word(letter)).any(|part| RUNNERS.contains(&part))
            || lower.contains("diagnostics.process"))
}

struct Reader<'s, 'a> {
    shell: &'s mut Shell<'a>,
    span: Span,
    stdin: Thing,
    /// By their names in small letters.
    variables: BTreeMap<String, Thing>,
    functions: BTreeMap<String, (Vec<Parameter>, Body)>,
    aliases: BTreeMap<String, String>,
    /// The functions that are being walked.
    calling: Vec<String>,
    depth: usize,
    steps: usize,
    /// How many loops the statement at hand stands in.
    loops: usize,
    /// Whether the work was given up.
    spent: bool,
}

impl Reader<'_, '_> {
    /// Walks statements and gives back what they put out.
    fn body(&mut self, body: &Body) -> Thing {
        if self.depth > MAX_DEPTH {
            self.give_up(Unread::DeepCode("PowerShell".to_owned()));
            return Thing::nothing();
        }
        self.depth += 1;
        let mut out = Thing::nothing();
        for statement in body.iter() {
            if self.steps > MAX_STEPS || self.shell.is_spent() {
                self.give_up(Unread::LongCode("PowerShell".to_owned()));
                break;
            }
            let next = self.statement(statement);
            out = out.and(next);
        }
        self.depth -= 1;
        out
    }

    /// Says once that not everything was walked.
    fn give_up(&mut self, why: Unread) {
        if !std::mem::replace(&mut self.spent, true) {
            self.shell.opaque(why, self.span);
        }
    }

    fn statement(&mut self, statement: &Statement) -> Thing {
        self.steps += 1;
        match statement {
            Statement::Pipeline(elements) => self.pipeline(elements),
            Statement::Assign { target, adds, value } => {
                let value = self.statement(value);
                self.assign(target, *adds, value);
                Thing::nothing()
            }
            Statement::Branches { conditions, bodies, otherwise } => {
                for condition in conditions {
                    self.statement(condition);
                }
                let before = self.variables.clone();
                let mut out = Thing::nothing();
                let mut ends = Vec::new();
                for body in bodies.iter().chain(otherwise) {
                    let printed = self.body(body);
                    out = if out.is_nothing() { printed } else { out.or(printed) };
                    ends.push(std::mem::replace(&mut self.variables, before.clone()));
                }
                for end in ends {
                    self.join(end);
                }
                out
            }
            Statement::Foreach { variable, list, body } => {
                let list = self.statement(list);
                let before = self.variables.clone();
                self.loops += 1;
                let mut out = Thing::nothing();
                for item in rounds(&list) {
                    self.set(variable, item);
                    let printed = self.body(body);
                    out = out.and(printed);
                }
                self.loops -= 1;
                self.join(before);
                out
            }
            Statement::Loop { heads, body } => {
                for head in heads {
                    self.statement(head);
                }
                let before = self.variables.clone();
                self.loops += 1;
                let mut out = self.body(body);
                // What the first round has changed counts in the second one.
                if self.variables != before {
                    self.join(before);
                    out = out.or(self.body(body));
                }
                self.loops -= 1;
                out
            }
            Statement::Bodies(bodies) => {
                let mut out = Thing::nothing();
                for (index, body) in bodies.iter().enumerate() {
                    let before = (index > 0).then(|| self.variables.clone());
                    let printed = self.body(body);
                    out = out.and(printed);
                    if let Some(before) = before {
                        self.join(before);
                    }
                }
                out
            }
            Statement::Function { name, parameters, body } => {
                self.functions.insert(name.clone(), (parameters.clone(), body.clone()));
                // The shell calls this one by itself.
                if name == "prompt" {
                    return self.body(&body.clone());
                }
                Thing::nothing()
            }
            Statement::Parameters(parameters) => {
                self.bind(parameters);
                Thing::nothing()
            }
            Statement::Chain(all) => {
                let mut out = Thing::nothing();
                for (index, statement) in all.iter().enumerate() {
                    let before = (index > 0).then(|| self.variables.clone());
                    let printed = self.statement(statement);
                    out = out.and(printed);
                    if let Some(before) = before {
                        self.join(before);
                    }
                }
                out
            }
            Statement::Nothing => Thing::nothing(),
        }
    }

    /// Another way through the script has left these variables.
    fn join(&mut self, other: BTreeMap<String, Thing>) {
        for (name, value) in other {
            let joined = match self.variables.remove(&name) {
                Some(here) => here.or(value),
                None => value,
            };
            self.keep(name, joined);
        }
    }

    /// Keeps what a variable holds; it is copied with every use, so that much of it is much work.
    fn keep(&mut self, name: String, value: Thing) {
        let (value, count) = value.bounded();
        self.steps += count / 8;
        self.variables.insert(name, value);
    }

    fn set(&mut self, name: &str, value: Thing) {
        if let Some(plain) = name.strip_prefix("env:")
            && plain != "path"
            && let Some(text) = value.known()
        {
            // Some variables make programs run other things.
            let setting = format!("{}={text}", plain.to_ascii_uppercase());
            self.shell.run(&[Arg::text("export", self.span), Arg::text(setting, self.span)], Feed::none(), self.span);
        }
        self.keep(name.to_owned(), value);
    }

    fn assign(&mut self, target: &Expression, adds: bool, value: Thing) {
        match target {
            Expression::Variable(name) => {
                let value = match (adds, self.variables.get(name).cloned()) {
                    (false, _) => value,
                    // A sum that grows with every round is not followed.
                    (true, Some(before)) if self.loops > 0 => {
                        let known = before.and(value);
                        Thing::unknown(&format!("${name}"), known.origins()).or(known)
                    }
                    (true, Some(before @ (Thing::List(_) | Thing::Table(_)))) => before.and(value),
                    (true, Some(before)) => before.joined(&value),
                    (true, None) => value,
                };
                self.set(name, value);
            }
            Expression::Cast(_, inner) => self.assign(inner, adds, value),
            Expression::List(targets) => {
                for (index, target) in targets.iter().enumerate() {
                    let part =
                        value.items().get(index).cloned().unwrap_or_else(|| Thing::unknown("$(…)", value.origins()));
                    self.assign(target, adds, part);
                }
            }
            Expression::Member(of, name) | Expression::Index(of, name) => {
                let key = self.evaluate(name).value().shown().to_ascii_lowercase();
                if let Expression::Variable(variable) = &**of {
                    let before = self.variables.get(variable).cloned();
                    let mut table = match before {
                        Some(Thing::Table(table)) => table,
                        Some(other) => vec![(String::new(), other)],
                        None => Vec::new(),
                    };
                    table.retain(|(name, _)| *name != key);
                    table.push((key, value));
                    self.keep(variable.clone(), Thing::Table(table));
                }
            }
            _ => {}
        }
    }

    /// Parameters get the arguments that stand in `$args`, or else their defaults.
    fn bind(&mut self, parameters: &[Parameter]) {
        let given = match self.variables.get("args") {
            Some(Thing::List(list)) => list.clone(),
            _ => Vec::new(),
        };
        let mut given = given.into_iter();
        for Parameter { name, default } in parameters {
            if self.variables.contains_key(&format!("given:{name}")) {
                continue;
            }
            let value = match (given.next(), default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.evaluate(default),
                (None, None) => continue,
            };
            self.variables.insert(name.clone(), value);
        }
    }

    fn pipeline(&mut self, elements: &[Element]) -> Thing {
        let mut input = self.stdin.clone();
        for element in elements {
            if self.steps > MAX_STEPS || self.shell.is_spent() {
                self.give_up(Unread::LongCode("PowerShell".to_owned()));
                break;
            }
            self.steps += 1;
            self.shell.spend(1);
            let out = match &element.kind {
                ElementKind::Expression(expression) => self.evaluate(expression),
                ElementKind::Command { name, words, .. } => self.command(name, words, input),
            };
            input = self.redirected(&element.redirects, out);
        }
        input
    }

    fn redirected(&mut self, redirects: &[Redirect], mut out: Thing) -> Thing {
        for redirect in redirects {
            let target = self.evaluate(&redirect.target);
            let how = if redirect.appends { Write::Append } else { Write::Replace };
            self.put(&target, how, &out);
            out = Thing::nothing();
        }
        out
    }

    /// Something is written to files.
    fn put(&mut self, target: &Thing, how: Write, content: &Thing) {
        for path in target.paths(self.span) {
            let shown = path.shown().to_ascii_lowercase();
            if shown.is_empty() || names::is_drive_of_settings(&shown) {
                continue;
            }
            // A share lies on another machine.
            if shown.starts_with("//") {
                self.shell.send(&shown, std::iter::empty(), &Feed::from_all(content.origins()), self.span);
                continue;
            }
            self.shell.write(&path, how);
            if how == Write::Replace || how == Write::Append {
                self.shell.remember_written(&path, Written::Content(content.feed()));
            }
            if names::runs_by_itself(&shown)
                && let Some(code) = content.known()
            {
                self.plant(&shown, &code);
            }
        }
    }

    /// Code of PowerShell will run by itself.
    fn plant(&mut self, name: &str, code: &str) {
        let quoted = format!("pwsh -Command '{}'", code.replace('\'', "'\\''"));
        self.shell.plant_command(name, &quoted, self.span);
    }

    fn command(&mut self, name: &Expression, words: &[Word], input: Thing) -> Thing {
        let name = self.evaluate(name);
        let mut given = Vec::new();
        for word in words {
            match word {
                Word::Parameter { raw, value } => {
                    given.push(Given::Name(raw.clone(), value.is_some()));
                    if let Some(value) = value {
                        given.push(Given::Value(self.evaluate(value)));
                    }
                }
                Word::Argument(expression) => given.push(Given::Value(self.evaluate(expression))),
                Word::Splat(name) => match self.variables.get(name).cloned() {
                    Some(Thing::Table(table)) => {
                        for (key, value) in table {
                            given.push(Given::Name(format!("-{key}"), true));
                            given.push(Given::Value(value));
                        }
                    }
                    Some(other) => given.extend(other.items().into_iter().map(Given::Value)),
                    None => given.push(Given::Value(Thing::unknown(&format!("@{name}"), Vec::new()))),
                },
            }
        }
        let mut out: Option<Thing> = None;
        for name in name.ways() {
            let printed = self.invoke(&name, given.clone(), input.clone());
            out = Some(match out {
                Some(before) => before.or(printed),
                None => printed,
            });
        }
        out.unwrap_or_else(Thing::nothing)
    }

    /// Runs what a thing names, with each value that its words may have.
    fn invoke(&mut self, name: &Thing, given: Vec<Given>, input: Thing) -> Thing {
        let open = given.iter().position(|word| matches!(word, Given::Value(Thing::Either(_))));
        if let Some(at) = open
            && let Some(Given::Value(Thing::Either(ways))) = given.get(at)
        {
            let mut out = Thing::nothing();
            for way in ways.clone() {
                let mut one = given.clone();
                if let Some(word) = one.get_mut(at) {
                    *word = Given::Value(way);
                }
                self.steps += 1;
                let printed = self.invoke(name, one, input.clone());
                out = if out.is_nothing() { printed } else { out.or(printed) };
                if self.steps > MAX_STEPS {
                    break;
                }
            }
            return out;
        }
        if let Thing::Block(body, _) = name {
            let args = given.into_iter().filter_map(Given::into_value).collect();
            return self.run_block(&body.clone(), args, input);
        }
        let Some(written) = name.known() else {
            let mut argv = vec![Arg { value: name.value(), span: self.span }];
            argv.extend(given.iter().flat_map(|word| word.args(self.span)));
            // Code that a text holds and `&` runs is a program of that name; what is not known at all is neither.
            return Thing::of_feed(self.shell.run(&argv, input.feed(), self.span));
        };
        let lower = written.to_ascii_lowercase();
        let lower = match self.aliases.get(&lower) {
            Some(name) => name.clone(),
            None => lower,
        };
        if let Some((parameters, body)) = self.functions.get(&lower).cloned() {
            return self.call_function(&lower, &parameters, &body, given, input);
        }
        self.cmdlet(&Call { name: names::resolve(&lower).to_owned(), written, given, input })
    }

    fn call_function(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        body: &Body,
        given: Vec<Given>,
        input: Thing,
    ) -> Thing {
        if self.calling.iter().filter(|running| *running == name).count() > 2 {
            return Thing::nothing();
        }
        let before = self.variables.clone();
        // Its own parameters take what follows them, whatever they mean elsewhere.
        let own: Vec<Parameter> = match body.first() {
            Some(Statement::Parameters(inner)) => parameters.iter().chain(inner).cloned().collect(),
            _ => parameters.to_vec(),
        };
        let given = given
            .into_iter()
            .map(|word| match word {
                Given::Name(raw, certain) => {
                    let short = raw.trim_start_matches('-').to_ascii_lowercase();
                    let certain = certain || own.iter().any(|known| known.name.starts_with(&short));
                    Given::Name(raw, certain)
                }
                word => word,
            })
            .collect();
        let call = Call { name: name.to_owned(), written: name.to_owned(), given, input: input.clone() };
        let bound = call.bound(&[]);
        for (name, value) in bound.named {
            let full =
                parameters.iter().find(|known| known.name.starts_with(&name)).map_or(name, |known| known.name.clone());
            self.variables.insert(full.clone(), value.unwrap_or_else(|| Thing::text("True")));
            self.variables.insert(format!("given:{full}"), Thing::nothing());
        }
        self.variables.insert("args".to_owned(), Thing::List(bound.free));
        self.variables.insert("input".to_owned(), input.clone());
        self.variables.insert("_".to_owned(), input);
        self.bind(parameters);
        self.calling.push(name.to_owned());
        let out = self.body(body);
        self.calling.pop();
        self.variables = before;
        out
    }

    /// Runs a block, once for each thing that flows in.
    fn run_block(&mut self, body: &Body, args: Vec<Thing>, input: Thing) -> Thing {
        let kept: Vec<(String, Option<Thing>)> = ["_", "psitem", "args", "input"]
            .iter()
            .map(|name| ((*name).to_owned(), self.variables.get(*name).cloned()))
            .collect();
        let mut out = Thing::nothing();
        self.variables.insert("args".to_owned(), Thing::List(args));
        let rounds = if input.is_nothing() { vec![None] } else { rounds(&input).into_iter().map(Some).collect() };
        self.loops += usize::from(rounds.len() > 1);
        for item in &rounds {
            if let Some(item) = item {
                self.variables.insert("_".to_owned(), item.clone());
                self.variables.insert("psitem".to_owned(), item.clone());
                self.variables.insert("input".to_owned(), item.clone());
            }
            let printed = self.body(body);
            out = out.and(printed);
        }
        self.loops -= usize::from(rounds.len() > 1);
        for (name, value) in kept {
            match value {
                Some(value) => self.variables.insert(name, value),
                None => self.variables.remove(&name),
            };
        }
        out
    }

    /// Runs a text as code of this script.
    fn evaluate_code(&mut self, code: &Thing) -> Thing {
        let mut out = Thing::nothing();
        for way in code.ways() {
            let printed = match (way.known(), &way) {
                (Some(text), _) => {
                    let script = parse::parse(&text);
                    if !script.complete {
                        self.shell.opaque(Unread::Code, self.span);
                    }
                    if obeys_another(&text) {
                        self.shell.tell(&rules::REVERSE_SHELL, "another machine", self.span);
                    }
                    self.body(&script.body)
                }
                (None, Thing::Block(body, _)) => self.run_block(&body.clone(), Vec::new(), Thing::nothing()),
                (None, way) if way.is_nothing() => {
                    self.shell.opaque(Unread::Part("Invoke-Expression".to_owned()), self.span);
                    Thing::nothing()
                }
                (None, way) => {
                    let code = Arg { value: way.value(), span: self.span };
                    Thing::of_feed(self.shell.run_code(Language::PowerShell, &code, Feed::none()))
                }
            };
            out = out.and(printed);
        }
        out
    }
}

/// The things that a loop goes over; one stands for all where there are too many or they are not known.
fn rounds(list: &Thing) -> Vec<Thing> {
    let mut all = Vec::new();
    for way in list.ways() {
        all.extend(way.items());
    }
    if all.len() > MAX_ROUNDS {
        let origins = list.origins();
        all.truncate(MAX_ROUNDS);
        all.push(Thing::unknown("$_", origins));
    }
    all
}
