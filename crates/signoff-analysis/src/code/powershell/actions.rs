//! Cmdlets that list, delete, move, copy and start things.

use std::rc::Rc;

use super::{
    Reader,
    call::{Bound, Call, program},
    names::is_drive_of_settings,
    rules,
    things::Thing,
    tree::{ElementKind, Expression, Part, Statement},
};
use crate::{
    path_effects::{Depth, Write},
    shell::{Written, families::windows},
    value::{Arg, Feed, Origin, Origins, Piece, Value},
};

impl Reader<'_, '_> {
    pub(super) fn remove(&mut self, call: &Call, bound: &Bound) {
        let recursive = ["recurse", "r", "rec", "rf", "fr", "s"].iter().any(|name| bound.has(name));
        let depth = if recursive { Depth::Recursive } else { Depth::Single };
        let mut targets = bound.all(&["path", "literalpath"]);
        // `rd /s /q x` is not of this language, and is written in it all the same.
        let switch = |thing: &Thing| thing.known().is_some_and(|text| text.len() == 2 && text.starts_with('/'));
        let tree = targets.iter().any(|thing| thing.known().is_some_and(|text| text.eq_ignore_ascii_case("/s")));
        targets.retain(|thing| !switch(thing));
        let depth = if tree { Depth::Recursive } else { depth };
        if targets.is_empty() {
            targets.push(match &call.input {
                input if input.is_nothing() => return,
                input => input.clone(),
            });
        }
        let patterns: Vec<String> = ["include", "filter"]
            .iter()
            .filter_map(|name| bound.get(&[name]))
            .flat_map(Thing::items)
            .filter_map(|thing| thing.known())
            .collect();
        let mut paths: Vec<Arg> = targets.iter().flat_map(|target| target.paths(self.span)).collect();
        spare_build_output(&mut paths);
        for path in paths {
            let shown = path.shown().to_ascii_lowercase();
            if is_drive_of_settings(&shown) {
                windows::delete_key(self.shell, &call.written, &shown, self.span);
                continue;
            }
            // `Remove-Item * -Include *.log` deletes what fits, and nothing else.
            let narrowed: Vec<Arg> = match path.value.known_with_globs() {
                Some(text) if !patterns.is_empty() && !is_on_drive(&text) => {
                    let under = text.trim_end_matches(['*', '/']).to_owned();
                    let under = if under.is_empty() { ".".to_owned() } else { under };
                    patterns
                        .iter()
                        .map(|pattern| listing(&narrow(&under, pattern, recursive)))
                        .map(|origin| Arg { value: Value::unknown("$_", vec![origin]), span: self.span })
                        .collect()
                }
                _ => vec![path],
            };
            for path in narrowed {
                self.shell.delete(&as_listed(path), depth);
            }
        }
    }

    /// `Get-ChildItem`: a list of what lies somewhere.
    pub(super) fn list(&mut self, bound: &Bound) -> Thing {
        let recurse = ["recurse", "r", "rec", "s", "depth"].iter().any(|name| bound.has(name));
        let named: Vec<String> = match bound.at(&["path", "literalpath"], 0) {
            Some(thing) => thing.items().iter().map(|item| item.value().shown().replace('\\', "/")).collect(),
            None => vec![String::new()],
        };
        let patterns: Vec<String> = [bound.get(&["filter"]), bound.get(&["include"]), bound.free.get(1)]
            .into_iter()
            .flatten()
            .flat_map(Thing::items)
            .map(|thing| thing.value().shown().into_owned())
            .collect();
        let mut origins = Vec::new();
        for under in &named {
            let lower = under.to_ascii_lowercase();
            if lower.starts_with("env:") {
                if lower.len() < 6 {
                    self.shell.tell(&rules::SHOW_ENVIRONMENT, "Env:", self.span);
                }
                return Thing::unknown("$(…)", vec![Origin::Secret("Env:".to_owned())]);
            }
            if is_drive_of_settings(&lower) {
                return Thing::unknown("$(…)", Vec::new());
            }
            let (base, own) = match under.rsplit_once('/') {
                Some((base, last)) if last.contains('*') => (base.to_owned(), Some(last.to_owned())),
                None if under.contains('*') => (String::new(), Some(under.clone())),
                _ => (under.clone(), None),
            };
            let own = own.filter(|pattern| pattern != "*" || !recurse);
            match (patterns.is_empty(), own) {
                (true, None) => origins.push(listing(&base)),
                (true, Some(pattern)) => origins.push(listing(&narrow(&base, &pattern, recurse))),
                (false, own) => {
                    let base = if own.is_some() { base } else { under.clone() };
                    origins.extend(patterns.iter().map(|pattern| listing(&narrow(&base, pattern, recurse))));
                }
            }
        }
        Thing::unknown("$_", origins)
    }

    /// `Where-Object`: what fits of a list is named by the condition, where it looks at names.
    pub(super) fn filter(&mut self, call: &Call, bound: &Bound) -> Thing {
        self.run_blocks(call, bound);
        let block = bound.all(&["filterscript"]).into_iter().find_map(|thing| match thing {
            Thing::Block(body, _) => Some(body),
            _ => None,
        });
        let patterns = match &block {
            Some(body) => match body.as_slice() {
                [Statement::Pipeline(elements)] => match elements.as_slice() {
                    [only] => match &only.kind {
                        ElementKind::Expression(expression) => names_wanted(expression),
                        ElementKind::Command { .. } => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            // `where Name -eq bin`.
            None => match bound.free.first().and_then(Thing::known) {
                Some(name) if name.eq_ignore_ascii_case("name") => ["eq", "like", "in"]
                    .iter()
                    .find_map(|sign| bound.get(&[sign]))
                    .map(|thing| thing.items().iter().filter_map(Thing::known).collect()),
                _ => None,
            },
        };
        let (Some(patterns), Thing::Text(value)) = (patterns, &call.input) else { return call.input.clone() };
        let origins: Origins = value.origins().cloned().collect();
        let mut narrowed = Vec::new();
        for origin in &origins {
            match origin {
                Origin::Listing { under, .. } if !under.contains('*') => {
                    narrowed.extend(patterns.iter().map(|pattern| listing(&narrow(under, pattern, true))));
                }
                other => narrowed.push(other.clone()),
            }
        }
        Thing::unknown("$_", narrowed)
    }

    /// `ForEach-Object`.
    pub(super) fn each(&mut self, call: &Call, bound: &Bound) -> Thing {
        let things = bound.all(&["process", "begin", "end", "parallel"]);
        let mut out = Thing::nothing();
        let mut ran = false;
        for thing in things {
            match thing {
                Thing::Block(body, _) => {
                    let printed = self.run_block(&body, Vec::new(), call.input.clone());
                    out = out.and(printed);
                    ran = true;
                }
                other => match other.known() {
                    // `% Delete`: a method of each of them.
                    Some(name) if !ran => return self.method(&call.input, &name.to_ascii_lowercase(), &[]),
                    _ => {}
                },
            }
        }
        out
    }

    pub(super) fn relocate(&mut self, call: &Call, bound: &Bound) {
        let from = bound.at(&["path", "literalpath"], 0).unwrap_or(&call.input).clone();
        let position = usize::from(bound.get(&["path", "literalpath"]).is_none() && call.input.is_nothing());
        let Some(to) = bound.at(&["destination", "newname"], position).cloned() else { return };
        let mut arrivals = to.paths(self.span);
        let Some(mut arrival) = arrivals.pop() else { return };
        for path in from.paths(self.span) {
            // A new name stands beside the old one.
            if call.name == "rename-item"
                && let (Some(old), Some(new)) = (path.known(), arrival.known())
                && let Some((directory, _)) = old.rsplit_once('/')
                && !new.contains('/')
            {
                arrival = Arg::text(format!("{directory}/{new}"), self.span);
            }
            self.shell.relocate(&as_listed(path), &arrival, Write::Replace);
        }
    }

    pub(super) fn copy(&mut self, call: &Call, bound: &Bound) {
        let from = bound.at(&["path", "literalpath"], 0).unwrap_or(&call.input).clone();
        let position = usize::from(bound.get(&["path", "literalpath"]).is_none() && call.input.is_nothing());
        let Some(to) = bound.at(&["destination"], position).cloned() else { return };
        let mut content = Feed::none();
        for path in from.paths(self.span) {
            content = content.then(self.shell.read(&path));
        }
        let away = bound.has("tosession");
        for path in to.paths(self.span) {
            let share = path.shown().starts_with("//");
            if away || share {
                self.shell.send(&path.shown(), std::iter::empty(), &content, self.span);
                continue;
            }
            self.shell.write(&path, Write::Append);
            if content.secret().is_some() || matches!(&*content.origins, [Origin::Download { .. }, ..]) {
                self.shell.remember_written(&path, Written::Content(content.clone()));
            }
        }
    }

    pub(super) fn archive(&mut self, name: &str, call: &Call, bound: &Bound) {
        let from = bound.at(&["path", "literalpath"], 0).unwrap_or(&call.input).clone();
        let position = usize::from(bound.get(&["path", "literalpath"]).is_none());
        let to = bound.at(&["destinationpath"], position).cloned();
        let mut content = Feed::none();
        for path in from.paths(self.span) {
            content = content.then(self.shell.read(&path));
        }
        let Some(to) = to else { return };
        for path in to.paths(self.span) {
            if name == "compress-archive" {
                let how = if bound.has("force") { Write::Replace } else { Write::New };
                self.shell.write(&path, how);
                self.shell.remember_written(&path, Written::Content(content.clone()));
            } else {
                self.shell.write(&path, Write::New);
                self.shell.remember_unpacked(&from.value().shown(), &content, Some(&path));
            }
        }
    }

    /// `Start-Process`.
    pub(super) fn start(&mut self, bound: &Bound) -> Thing {
        let Some(file) = bound.at(&["filepath", "path", "literalpath"], 0).cloned() else { return Thing::nothing() };
        let position = usize::from(bound.get(&["filepath", "path", "literalpath"]).is_none());
        let named = program(&file, self.span);
        let mut argv = vec![self.here(named)];
        let list = bound.at(&["argumentlist", "args"], position).cloned().unwrap_or_else(Thing::nothing);
        for item in list.items() {
            match item.known() {
                Some(text) => argv.extend(words(&text).into_iter().map(|word| Arg::text(word, self.span))),
                None => argv.push(Arg { value: item.value(), span: self.span }),
            }
        }
        if bound.shown(&["verb"], 99).eq_ignore_ascii_case("runas") {
            self.shell.tell(&rules::CODE_SYSTEM, "RunAs", self.span);
        }
        let address = argv.first().map(|arg| arg.shown().into_owned()).unwrap_or_default();
        if address.contains("://") {
            return Thing::nothing();
        }
        Thing::of_feed(self.shell.run(&argv, Feed::none(), self.span))
    }

    /// `Invoke-WmiMethod -Class Win32_Process -Name Create -ArgumentList …`.
    pub(super) fn ask_machine(&mut self, call: &Call, bound: &Bound) -> Thing {
        let name = bound.shown(&["name", "methodname"], 1).to_ascii_lowercase();
        let class = bound.shown(&["class", "classname"], 0).to_ascii_lowercase();
        if class.contains("win32_process") && name == "create" {
            let code = match bound.get(&["argumentlist", "arguments"]) {
                Some(Thing::Table(table)) => {
                    table.iter().find(|(key, _)| key == "commandline").map(|(_, thing)| thing.clone())
                }
                Some(other) => other.items().first().cloned(),
                None => None,
            };
            match code.as_ref().and_then(Thing::known) {
                Some(code) => self.command_line(&code),
                None => self.shell.opaque(signoff_model::Unread::Code, self.span),
            }
        }
        self.tell_system(call, bound);
        Thing::nothing()
    }

    /// A command line as Windows starts it.
    pub(super) fn command_line(&mut self, code: &str) {
        let words = [Arg::text("cmd", self.span), Arg::text("/c", self.span), Arg::text(code, self.span)];
        self.shell.run(&words, Feed::none(), self.span);
    }
}

fn is_on_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

fn listing(under: &str) -> Origin {
    Origin::Listing { by: "Get-ChildItem".to_owned(), under: under.to_owned() }
}

/// `bin` beside `obj` is what a build of .NET leaves there; alone it may be anything.
fn spare_build_output(paths: &mut Vec<Arg>) {
    let beside = |text: &str| {
        text.strip_suffix("bin").filter(|base| base.is_empty() || base.ends_with('/')).map(|base| format!("{base}obj"))
    };
    let inside =
        |text: &str| !text.starts_with(['/', '~']) && !text.split('/').any(|part| part == "..") && !is_on_drive(text);
    let known: Vec<String> = paths.iter().filter_map(|path| path.known()).map(str::to_owned).collect();
    paths.retain(|path| match path.known() {
        Some(text) => !(inside(text) && beside(text).is_some_and(|other| known.contains(&other))),
        None => true,
    });
    for path in paths {
        let [Piece::Unknown(unknown)] = path.value.pieces() else { continue };
        let lists: Vec<String> = unknown
            .origins
            .iter()
            .filter_map(|origin| match origin {
                Origin::Listing { under, .. } => Some(under.clone()),
                _ => None,
            })
            .collect();
        let kept: Origins = unknown
            .origins
            .iter()
            .filter(|origin| match origin {
                Origin::Listing { under, .. } => {
                    !(inside(under) && beside(under).is_some_and(|other| lists.contains(&other)))
                }
                _ => true,
            })
            .cloned()
            .collect();
        path.value = Value::unknown(unknown.shown.clone(), kept);
    }
}

/// A directory with a pattern below it, at any depth or right there.
fn narrow(under: &str, pattern: &str, recurse: bool) -> String {
    let base = match under.trim_end_matches('/') {
        "" if under.starts_with('/') => "",
        "" => ".",
        base => base,
    };
    if recurse { format!("{base}/**/{pattern}") } else { format!("{base}/{pattern}") }
}

/// A list of everything in a directory is the directory's content.
fn as_listed(path: Arg) -> Arg {
    let [Piece::Unknown(unknown)] = path.value.pieces() else { return path };
    let [Origin::Listing { under, .. }] = &*unknown.origins else { return path };
    if under.contains('*') {
        return path;
    }
    let text = match under.trim_end_matches(['/', '\\']) {
        "" if under.is_empty() => "*".to_owned(),
        base => format!("{base}/*"),
    };
    let value = if is_on_drive(&text) { Value::text(text) } else { super::thing::pattern(&Value::text(text)) };
    Arg { value, span: path.span }
}

/// The names that a condition asks for; none where it asks for something else.
fn names_wanted(condition: &Expression) -> Option<Vec<String>> {
    let literal = |expression: &Expression| -> Option<Vec<String>> {
        match expression {
            Expression::Text(parts) => match parts.as_slice() {
                [Part::Text(text)] => Some(vec![text.clone()]),
                _ => None,
            },
            Expression::List(list) => list
                .iter()
                .map(|item| match item {
                    Expression::Text(parts) => match parts.as_slice() {
                        [Part::Text(text)] => Some(text.clone()),
                        _ => None,
                    },
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    };
    match condition {
        Expression::Group(body) => match body.as_slice() {
            [Statement::Pipeline(elements)] => match elements.as_slice() {
                [only] => match &only.kind {
                    ElementKind::Expression(inner) => match literal(inner) {
                        Some(_) => None,
                        None => names_wanted(inner),
                    },
                    ElementKind::Command { .. } => None,
                },
                _ => None,
            },
            _ => None,
        },
        Expression::Binary(sign, left, right) => {
            let is_name = |side: &Expression, wanted: &[&str]| match side {
                Expression::Member(of, name) => {
                    matches!(&**of, Expression::Variable(item) if item == "_" || item == "psitem")
                        && matches!(&**name, Expression::Text(parts) if matches!(parts.as_slice(), [Part::Text(text)] if wanted.iter().any(|name| text.eq_ignore_ascii_case(name))))
                }
                _ => false,
            };
            match sign.as_str() {
                "-or" => {
                    let mut all = names_wanted(left)?;
                    all.extend(names_wanted(right)?);
                    Some(all)
                }
                "-and" => names_wanted(left).or_else(|| names_wanted(right)),
                "-eq" | "-like" | "-ieq" | "-ilike" if is_name(left, &["name"]) => literal(right),
                "-eq" | "-ieq" if is_name(left, &["extension"]) => {
                    Some(literal(right)?.into_iter().map(|ending| format!("*{ending}")).collect())
                }
                "-in" if is_name(left, &["name"]) => match &**right {
                    Expression::Group(body) => match body.as_slice() {
                        [Statement::Pipeline(elements)] => match elements.first().map(|element| &element.kind) {
                            Some(ElementKind::Expression(Expression::Group(inner))) => {
                                group_literal(inner).and_then(|inner| literal(&inner))
                            }
                            Some(ElementKind::Expression(inner)) => literal(inner),
                            _ => None,
                        },
                        _ => None,
                    },
                    other => literal(other),
                },
                "-match" | "-imatch" if is_name(left, &["name"]) => {
                    let text = literal(right)?.pop()?;
                    let inner = text.strip_prefix("^(")?.strip_suffix(")$")?;
                    let plain =
                        |name: &&str| name.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
                    inner.split('|').map(|name| Some(name).filter(plain).map(str::to_owned)).collect()
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn group_literal(body: &Rc<Vec<Statement>>) -> Option<Expression> {
    match body.as_slice() {
        [Statement::Pipeline(elements)] => match elements.first().map(|element| &element.kind) {
            Some(ElementKind::Expression(inner)) => Some(inner.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The words of a command line of Windows: blanks part them, double quotes hold them together.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    let mut begun = false;
    for letter in text.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                begun = true;
            }
            letter if letter.is_whitespace() && !quoted => {
                if begun {
                    all.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            letter => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if begun {
        all.push(word);
    }
    all
}
