//! The servers that a client starts or calls for its tools (`mcpServers`): each is put behind the proxy, or taken out from behind it, and
//! everything else in the file stays as it stands. Each keeps its name and a process of its own, so that one that dies takes no other with it.

use std::{collections::BTreeSet, path::Path};

use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstObject, CstRootNode},
};
use serde_json::Value;

/// Where clients keep their servers, at the top or for one of their projects.
const LISTS: [&str; 2] = ["mcpServers", "servers"];
/// What the variables are called that hold what must not stand on a command line.
const HEADER: &str = "SIGNOFF_HEADER_";
const URL: &str = "SIGNOFF_URL";

/// What the file becomes, and what becomes of each server in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Servers {
    /// The whole text.
    pub text: String,
    /// Each server by its name.
    pub fates: Vec<(String, Fate)>,
}

/// What becomes of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is behind the proxy from now on.
    Guarded,
    /// It was before.
    Already,
    /// It is Signoff's own.
    Itself,
    /// It is as it was without the proxy.
    Bare,
    /// It is left as it is, for this reason.
    Left(Hindrance),
}

/// Why a server is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// It has no name that rules could have.
    Name,
    /// What it is started with is no text.
    Command,
    /// It speaks the older transport, which the proxy does not.
    OlderTransport,
    /// It says neither what to start nor what to call.
    NoServer,
    /// One of its headers is no text.
    Headers,
    /// It is not behind the proxy.
    NotBehind,
    /// It was changed by hand, in a way that cannot be taken back here.
    ByHand,
}

/// Why a file is left alone as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrangeServers {
    /// It cannot be read.
    #[error("it is no JSON: {0}")]
    NotJson(String),
    /// It holds none.
    #[error("there is no `mcpServers` in it")]
    None,
    /// Readers would differ in which of two counts.
    #[error("`{0}` stands there twice")]
    Twice(String),
    /// Rules for one would count for the other.
    #[error("`{0}` and another server would have the same name for rules: rename one of them")]
    SameName(String),
}

/// Whether something can be the name of a server for rules.
pub type IsName<'n> = &'n dyn Fn(&str) -> bool;

/// Puts every server behind the proxy, which is this program.
///
/// # Errors
///
/// When the file holds no servers, or could be read in two ways.
pub fn guard_servers(text: &str, program: &str, is_name: IsName<'_>) -> Result<Servers, StrangeServers> {
    each(text, |list| {
        let mut names = BTreeSet::new();
        let mut fates = Vec::new();
        for (key, entry) in entries(list)? {
            let fate = match name_of(&key, is_name) {
                None => match as_it_stands(&entry, program) {
                    Some(fate) => fate,
                    None => Fate::Left(Hindrance::Name),
                },
                Some(name) if !names.insert(name.clone()) => return Err(StrangeServers::SameName(key)),
                Some(name) => match as_it_stands(&entry, program) {
                    Some(fate) => fate,
                    None => guarded(&entry, program, &name),
                },
            };
            fates.push((key, fate));
        }
        Ok(fates)
    })
}

/// Takes every server out from behind the proxy.
///
/// # Errors
///
/// When the file holds no servers, or could be read in two ways.
pub fn bare_servers(text: &str) -> Result<Servers, StrangeServers> {
    each(text, |list| Ok(entries(list)?.into_iter().map(|(key, entry)| (key, bared(&entry))).collect()))
}

fn each(
    text: &str,
    change: impl Fn(&CstObject) -> Result<Vec<(String, Fate)>, StrangeServers>,
) -> Result<Servers, StrangeServers> {
    let not_json = |error: String| StrangeServers::NotJson(error);
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| not_json(error.to_string()))?;
    let object = root.object_value().ok_or_else(|| not_json("it is no object".to_owned()))?;
    once(&object)?;
    let mut holders = vec![object.clone()];
    if let Some(projects) = object.object_value("projects") {
        once(&projects)?;
        holders.extend(projects.properties().iter().filter_map(|project| project.object_value()));
    }
    let mut fates = Vec::new();
    let mut found = false;
    for holder in holders {
        once(&holder)?;
        for list in LISTS.iter().filter_map(|name| holder.object_value(name)) {
            found = true;
            fates.extend(change(&list)?);
        }
    }
    if !found {
        return Err(StrangeServers::None);
    }
    Ok(Servers { text: root.to_string(), fates })
}

/// The servers of a list, each of which stands there once, with fields that do.
fn entries(list: &CstObject) -> Result<Vec<(String, CstObject)>, StrangeServers> {
    once(list)?;
    let mut found = Vec::new();
    for property in list.properties() {
        let (Some(name), Some(entry)) = (property.decoded_name(), property.object_value()) else { continue };
        once(&entry)?;
        found.push((name, entry));
    }
    Ok(found)
}

/// Each name stands there once.
fn once(object: &CstObject) -> Result<(), StrangeServers> {
    let mut names = BTreeSet::new();
    for name in object.properties().iter().filter_map(|property| property.decoded_name()) {
        if !names.insert(name.clone()) {
            return Err(StrangeServers::Twice(name));
        }
    }
    Ok(())
}

/// The name of a server for rules: its own, or that without what no name can hold.
fn name_of(key: &str, is_name: IsName<'_>) -> Option<String> {
    let plain: String = key.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    [key, plain.trim_matches('-')].into_iter().find(|name| is_name(name)).map(str::to_owned)
}

/// What is already as it should be, or is once its program is this one.
fn as_it_stands(entry: &CstObject, program: &str) -> Option<Fate> {
    let (command, args) = (text_of(entry, "command")?, texts_of(entry, "args")?);
    if !is_ours(&command) || args.first().is_none_or(|first| first != "mcp") {
        return None;
    }
    let is_proxy = args.get(1).is_some_and(|second| second == "--proxy");
    match (is_proxy, command == program) {
        (true, true) => Some(Fate::Already),
        (false, true) => Some(Fate::Itself),
        // Another program that is called so is another program.
        (true, false) => {
            set(entry, "command", CstInputValue::String(program.to_owned()));
            Some(Fate::Guarded)
        }
        (false, false) => None,
    }
}

fn guarded(entry: &CstObject, program: &str, name: &str) -> Fate {
    let begin = ["mcp", "--proxy", "--name", name].map(str::to_owned);
    if entry.get("command").is_some() {
        let (Some(command), Some(args)) = (text_of(entry, "command"), texts_of(entry, "args")) else {
            return Fate::Left(Hindrance::Command);
        };
        let all = begin.into_iter().chain(["--".to_owned(), command]).chain(args);
        set(entry, "command", CstInputValue::String(program.to_owned()));
        set(entry, "args", strings(all));
        return Fate::Guarded;
    }
    if text_of(entry, "type").is_some_and(|kind| kind == "sse") {
        return Fate::Left(Hindrance::OlderTransport);
    }
    let field = if entry.get("httpUrl").is_some() { "httpUrl" } else { "url" };
    let (Some(url), Some(place)) = (text_of(entry, field), entry.get(field)) else {
        return Fate::Left(Hindrance::NoServer);
    };
    let headers = entry.get("headers").map(|headers| headers.object_value());
    let mut sent = Vec::new();
    for header in headers.iter().flatten().flat_map(CstObject::properties) {
        let value = header.value().and_then(|value| value.to_serde_value());
        let (Some(name), Some(Value::String(value))) = (header.decoded_name(), value) else {
            return Fate::Left(Hindrance::Headers);
        };
        sent.push((name, value));
    }
    let mut args = begin.to_vec();
    let mut variables = Vec::new();
    // What stands behind a question mark is often a key.
    if url.contains('?') {
        args.extend(["--url-env".to_owned(), URL.to_owned()]);
        variables.push((URL.to_owned(), url));
    } else {
        args.extend(["--url".to_owned(), url]);
    }
    for (number, (name, value)) in (1..).zip(sent) {
        let variable = format!("{HEADER}{number}");
        args.extend(["--header-env".to_owned(), format!("{name}={variable}")]);
        variables.push((variable, value));
    }
    let at = place.property_index();
    place.remove();
    if let Some(headers) = entry.get("headers") {
        headers.remove();
    }
    entry.insert(at, "command", CstInputValue::String(program.to_owned()));
    entry.insert(at + 1, "args", strings(args));
    if entry.get("type").is_some() {
        set(entry, "type", CstInputValue::String("stdio".to_owned()));
    }
    if !variables.is_empty() {
        let env = entry.object_value_or_set("env");
        for (name, value) in variables {
            set(&env, &name, CstInputValue::String(value));
        }
    }
    Fate::Guarded
}

fn bared(entry: &CstObject) -> Fate {
    let (Some(command), Some(args)) = (text_of(entry, "command"), texts_of(entry, "args")) else {
        return Fate::Left(Hindrance::NotBehind);
    };
    if !is_ours(&command) || !args.starts_with(&["mcp".to_owned(), "--proxy".to_owned()]) {
        return Fate::Left(Hindrance::NotBehind);
    }
    let mut words = args.into_iter().skip(2);
    let (mut url, mut headers) = (None, Vec::new());
    while let Some(word) = words.next() {
        let env = |name: &str| entry.object_value("env").and_then(|env| text_of(&env, name));
        match word.as_str() {
            "--" => {
                let Some(command) = words.next() else { return Fate::Left(Hindrance::ByHand) };
                set(entry, "command", CstInputValue::String(command));
                set(entry, "args", strings(words));
                return Fate::Bare;
            }
            "--name" | "--wait" | "--lang" => drop(words.next()),
            "--url" => url = words.next(),
            "--url-env" => url = words.next().and_then(|variable| env(&variable)),
            "--header-env" => {
                let named = words.next().unwrap_or_default();
                let Some((name, variable)) = named.split_once('=') else { return Fate::Left(Hindrance::ByHand) };
                let Some(value) = env(variable) else { return Fate::Left(Hindrance::ByHand) };
                headers.push((name.to_owned(), CstInputValue::String(value)));
            }
            _ => return Fate::Left(Hindrance::ByHand),
        }
    }
    let (Some(url), Some(place)) = (url, entry.get("command")) else { return Fate::Left(Hindrance::ByHand) };
    let at = place.property_index();
    place.remove();
    if let Some(args) = entry.get("args") {
        args.remove();
    }
    entry.insert(at, "url", CstInputValue::String(url));
    if !headers.is_empty() {
        entry.insert(at + 1, "headers", CstInputValue::Object(headers));
    }
    if entry.get("type").is_some() {
        set(entry, "type", CstInputValue::String("http".to_owned()));
    }
    if let Some(env) = entry.object_value("env") {
        let is_own = |name: &str| name == URL || name.starts_with(HEADER);
        for variable in env.properties() {
            if variable.decoded_name().is_some_and(|name| is_own(&name)) {
                variable.remove();
            }
        }
        if env.properties().is_empty()
            && let Some(env) = entry.get("env")
        {
            env.remove();
        }
    }
    Fate::Bare
}

/// Whether a program goes by our name. Which one it is, its path says.
fn is_ours(command: &str) -> bool {
    Path::new(command).file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("signoff"))
}

fn text_of(object: &CstObject, name: &str) -> Option<String> {
    match object.get(name)?.value()?.to_serde_value()? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The texts of a list; none of them where there is no list.
fn texts_of(object: &CstObject, name: &str) -> Option<Vec<String>> {
    let Some(list) = object.get(name) else { return Some(Vec::new()) };
    let Value::Array(values) = list.value()?.to_serde_value()? else { return None };
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn strings(texts: impl IntoIterator<Item = String>) -> CstInputValue {
    CstInputValue::Array(texts.into_iter().map(CstInputValue::String).collect())
}

fn set(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        Some(property) => property.set_value(value),
        None => drop(object.append(name, value)),
    }
}

#[cfg(test)]
mod tests;
