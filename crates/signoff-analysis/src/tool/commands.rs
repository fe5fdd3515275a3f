//! Commands among the arguments: texts for a shell, argument lists, and programs beside their arguments, at any depth.

use serde_json::{Map, Value};

use super::{
    Reader, TOOL_RUNS,
    arguments::{Arguments, COMMANDS, plain},
    code,
    known::enter_directory,
    run::{run_code, run_shell, run_words},
};
use crate::{lexicon::words, shell::Language, words::is_listed};

/// Keys that name a program whose arguments stand beside it.
const PROGRAMS: &[&str] = &["command", "cmd", "program", "executable", "exec", "binary", "process", "run"];
/// Keys that hold the arguments of a program.
const ARGUMENTS: &[&str] = &["args", "arguments", "argv", "params", "parameters", "commandargs", "arglist"];

/// Keys under which a command holds its text.
const HELD: &[&str] = &["value", "values", "text", "raw", "string", "content", "line", "source"];

/// The commands of a shell tool; one that holds none cannot be read.
pub(super) fn run_tool(reader: &mut Reader<'_>, args: &Arguments) {
    let before = reader.runs_left;
    match &args.value {
        Value::String(text) => text_or_code(reader, text),
        Value::Array(items) => list(reader, "command", items),
        _ => {}
    }
    run_all(reader, args);
    if let Value::Object(fields) = &args.value {
        let text = |key: &str| fields.get(key).and_then(Value::as_str);
        let unread = (reader.runs_left == before).then(|| ["input", "code", "text"].iter().find_map(|key| text(key)));
        for text in text("script").into_iter().chain(unread.flatten()) {
            text_or_code(reader, text);
        }
    }
    if reader.runs_left == before {
        reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.title);
    }
}

/// Whether a tool with such a name runs the one command that it is given, here, and has nothing else to go by: then the command
/// says everything.
pub(super) fn are_all(name: &str, args: &Arguments) -> bool {
    const RUNNING: &str = "run execute exec shell sh bash zsh terminal command cmd line in";
    const BESIDE: &[&str] =
        &["timeout", "timeoutms", "timeoutseconds", "description", "reason", "cwd", "workdir", "workingdirectory"];
    let Value::Object(fields) = &args.value else { return false };
    let keys: Vec<String> = fields.keys().map(|key| plain(key)).collect();
    let (commands, others): (Vec<&String>, Vec<&String>) =
        keys.iter().partition(|key| COMMANDS.contains(&key.as_str()));
    commands.len() == 1
        && others.iter().all(|key| BESIDE.contains(&key.as_str()))
        && fields.values().all(|value| !value.is_object() && !value.is_array())
        && fields.iter().all(|(key, value)| value.is_string() || !COMMANDS.contains(&plain(key).as_str()))
        && words(name).iter().all(|word| word == "mcp" || is_listed(RUNNING, word))
}

/// Every command that some object among the arguments holds.
pub(super) fn run_all(reader: &mut Reader<'_>, args: &Arguments) {
    for group in args.groups() {
        let before = (reader.whereabouts.cwd.clone(), reader.runs_left);
        enter_directory(reader, &Value::Object(directories(group)));
        run_group(reader, group);
        if reader.runs_left != before.1 {
            environment(reader, group);
        }
        reader.whereabouts.cwd = before.0;
    }
}

/// The fields of an object that may name a directory, without the rest.
fn directories(group: &Map<String, Value>) -> Map<String, Value> {
    let short = |value: &Value| value.as_str().is_some_and(|text| text.len() < 4096);
    group.iter().filter(|(_, value)| short(value)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn run_group(reader: &mut Reader<'_>, group: &Map<String, Value>) {
    let field = |keys: &[&str]| {
        group.iter().find(|(key, _)| keys.contains(&plain(key).as_str())).map(|(key, value)| (plain(key), value))
    };
    let rest = field(ARGUMENTS).map(|(_, value)| value);
    if let Some((used, Value::String(program))) =
        field(PROGRAMS).filter(|_| matches!(rest, Some(Value::Array(_) | Value::String(_))))
    {
        match rest {
            Some(Value::Array(items)) => {
                let texts: Option<Vec<String>> = items.iter().map(scalar).collect();
                match texts {
                    Some(texts) => {
                        let mut words: Vec<&str> = program.split_whitespace().collect();
                        words.extend(texts.iter().map(String::as_str));
                        run_words(reader, &words);
                    }
                    None => reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.title),
                }
            }
            Some(Value::String(text)) => run_shell(reader, &format!("{program} {text}")),
            _ => {}
        }
        others(reader, group, &used);
        return;
    }
    if let Some((_, Value::Array(items))) = field(&["argv"]) {
        list(reader, "argv", items);
    }
    others(reader, group, "");
}

/// The commands of an object that stand under a name for commands, but for one that has run.
fn others(reader: &mut Reader<'_>, group: &Map<String, Value>, used: &str) {
    let several = group.keys().filter(|key| COMMANDS.contains(&plain(key).as_str())).count() > 1;
    for (key, value) in group {
        let key = plain(key);
        if key == used || !COMMANDS.contains(&key.as_str()) {
            continue;
        }
        match value {
            // Beside a command it says which shell runs it.
            Value::String(text)
                if several && matches!(key.as_str(), "shell" | "bash") && text.split_whitespace().count() == 1 => {}
            Value::String(text) => text_or_code(reader, text),
            Value::Array(items) => list(reader, &key, items),
            // A text in a holder; other objects are looked at by themselves.
            Value::Object(held) => {
                for (_, text) in held.iter().filter(|(name, _)| HELD.contains(&plain(name).as_str())) {
                    match text {
                        Value::String(text) => text_or_code(reader, text),
                        Value::Array(items) => list(reader, &key, items),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// A list under a name for commands: of texts, of argument lists, or of words.
fn list(reader: &mut Reader<'_>, key: &str, items: &[Value]) {
    if items.iter().all(Value::is_object) {
        // Each of them is looked at by itself.
        return;
    }
    let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
    match texts {
        // `commands` is a list of texts; `command` as a list is one argument list.
        Some(texts) if key.ends_with('s') => texts.iter().for_each(|text| text_or_code(reader, text)),
        Some(texts) => run_words(reader, &texts),
        None => {
            for item in items {
                match item {
                    Value::String(text) => text_or_code(reader, text),
                    Value::Array(words) => list(reader, "argv", words),
                    Value::Object(_) => {}
                    _ => reader.say(&TOOL_RUNS, reader.call.name.clone(), reader.title),
                }
            }
        }
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn text_or_code(reader: &mut Reader<'_>, text: &str) {
    let name = plain(&reader.call.name);
    if name.contains("powershell") || name.contains("pwsh") {
        run_code(reader, Language::PowerShell, text);
    } else {
        run_shell(reader, text);
    }
}

/// The environment that a command gets: some variables make a program run other things.
fn environment(reader: &mut Reader<'_>, group: &Map<String, Value>) {
    let variables = group.iter().find(|(key, _)| ["env", "environment", "envvars"].contains(&plain(key).as_str()));
    let Some((_, Value::Object(variables))) = variables else { return };
    let settings: Vec<String> =
        variables.iter().filter_map(|(name, value)| Some(format!("{name}={}", scalar(value)?))).collect();
    let mut words = vec!["env"];
    words.extend(settings.iter().map(String::as_str));
    words.push("true");
    run_words(reader, &words);
}

/// Code under one of the names for code, in a tool whose name says nothing of a language.
pub(super) fn run_codes(reader: &mut Reader<'_>, args: &Arguments) {
    let named = code::named(reader, args);
    for (key, text) in args.texts() {
        if !code::CODE.contains(&key.as_str()) {
            continue;
        }
        let languages = match named {
            Some(language) => vec![language],
            None => code::sniffed(&text),
        };
        if languages.is_empty() && key == "script" {
            run_shell(reader, &text);
        }
        for language in languages {
            let found = std::mem::take(&mut reader.findings);
            run_code(reader, language, &text);
            let code = std::mem::replace(&mut reader.findings, found);
            // A text of another language gives nothing but noise here, unless it would do harm.
            if named.is_some() || code.is_prohibited() || code.risk() > signoff_model::Risk::Low {
                reader.findings.append(code);
            }
        }
    }
}
