//! Methods of texts and lists.

use super::is_loop;
use crate::{
    code::{
        decoding, functions,
        reader::Reader,
        thing::{Args, Thing},
    },
    shell::Language,
    value::Feed,
};

pub(super) fn of_text(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) -> Option<Thing> {
    let known = thing.known();
    let computed = |text: Option<String>| Some(text.map_or_else(|| thing.rewritten(), Thing::text));
    match name {
        "execute" if reader.language == Language::Java => Some(reader.run_shell_text(thing)),
        // A module of Erlang is named by a symbol: `:os.cmd(…)`.
        _ if reader.language == Language::Other
            && known.is_some_and(|module| reader.knows(&format!("{module}.{name}"))) =>
        {
            let full = format!("{}.{name}", known.unwrap_or_default());
            Some(reader.call_name(&full, args))
        }
        "decode" if args.known(0) == Some("base64") => computed(known.and_then(decoding::base64)),
        "encode" | "decode" | "toString" | "to_s" | "strip_margin" | "as_posix" | "dup" | "freeze" | "toCharArray"
        | "getBytes" | "to_sym" | "String" => Some(thing.clone()),
        "unwrap" | "expect" | "unwrap_or_default" | "to_string" | "to_owned" | "clone" | "as_str" | "as_bytes"
        | "into"
            if reader.language == Language::Rust =>
        {
            Some(thing.clone())
        }
        "join" => match args.get(0) {
            Some(Thing::List(things)) => Some(functions::joined(things, &thing.value())),
            _ => Some(Thing::result("", args.origins())),
        },
        "format" => Some(functions::format(thing, args)),
        "translate" if reader.language == Language::Python => match (known, args.get(0)) {
            (Some(text), Some(Thing::Record(table))) if args.items.len() == 1 => {
                let turned: Option<String> = text
                    .chars()
                    .map(|letter| {
                        let one = letter.to_string();
                        match table.iter().find(|(from, _)| *from == one) {
                            Some((_, to)) => to.known().map(str::to_owned),
                            None => Some(one),
                        }
                    })
                    .collect();
                computed(turned)
            }
            _ => Some(thing.rewritten()),
        },
        "concat" => Some(args.items.iter().fold(thing.clone(), Thing::joined)),
        "replace" | "replaceAll" | "gsub" | "sub" | "tr" => match (known, args.known(0), args.known(1)) {
            (Some(text), Some(from), Some(to)) if !from.is_empty() && name != "tr" && args.items.len() == 2 => {
                // Only the first one goes.
                let once = name == "sub" || name == "replace" && reader.language == Language::JavaScript;
                Some(Thing::text(if once { text.replacen(from, to, 1) } else { text.replace(from, to) }))
            }
            _ => Some(thing.rewritten()),
        },
        "strip" | "trim" | "chomp" | "rstrip" | "lstrip" | "trimEnd" | "trimStart" | "stripIndent" => {
            let Some(given) = args.get(0) else { return computed(known.map(|text| text.trim().to_owned())) };
            // The signs that go are given: any of them in Python, the text as it is in Ruby.
            let stripped = known.zip(given.known()).filter(|_| reader.language == Language::Python);
            computed(stripped.map(|(text, signs)| {
                let goes = |letter: char| signs.contains(letter);
                let text = if name == "rstrip" { text } else { text.trim_start_matches(goes) };
                if name == "lstrip" { text } else { text.trim_end_matches(goes) }.to_owned()
            }))
        }
        "lower" | "toLowerCase" | "downcase" => computed(known.map(str::to_lowercase)),
        "upper" | "toUpperCase" | "upcase" => computed(known.map(str::to_uppercase)),
        "reverse" => Some(functions::reversed(thing)),
        "split" => match (known, args.known(0)) {
            (Some(text), Some("")) => {
                Some(Thing::List(text.chars().take(4096).map(|letter| Thing::text(letter.to_string())).collect()))
            }
            (Some(text), Some(mark)) => Some(Thing::List(text.split(mark).take(4096).map(Thing::text).collect())),
            (_, None) => Some(functions::split_words(thing)),
            _ => Some(thing.rewritten()),
        },
        "unpack1" | "unpack" => match args.known(0) {
            Some("m" | "m0") => computed(known.and_then(decoding::base64)),
            _ => Some(Thing::result("", thing.origins())),
        },
        "hex" | "fromhex" => computed(known.and_then(decoding::hexadecimal)),
        "constantize" | "to_proc" => known.map(|text| Thing::Name(text.to_owned())),
        _ => None,
    }
}

pub(super) fn of_list(reader: &mut Reader<'_, '_>, things: &[Thing], name: &str, args: &Args) -> Option<Thing> {
    match name {
        // Bytes that are no text stay numbers until they are one.
        "decode" if reader.language == Language::Python => {
            let bytes: Option<Vec<u8>> = things.iter().map(|thing| u8::try_from(thing.number()?).ok()).collect();
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            Some(text.map_or_else(|| Thing::result("", Thing::List(things.to_vec()).origins()), Thing::text))
        }
        "execute" if reader.language == Language::Java => {
            let feed = reader.run_program(things, Feed::none());
            Some(reader.outcome(feed, false))
        }
        "join" => Some(functions::joined(things, &args.get(0).map(Thing::value).unwrap_or_default())),
        "reverse" => Some(functions::reversed(&Thing::List(things.to_vec()))),
        "pack" => {
            let text: Option<String> = match args.known(0) {
                Some("m" | "m0") => None,
                Some(format) if format.starts_with(['H', 'h']) => {
                    things.first().and_then(Thing::known).and_then(decoding::hexadecimal)
                }
                _ => things
                    .iter()
                    .map(|thing| thing.number().and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32))
                    .collect(),
            };
            Some(text.map_or_else(Thing::unknown, Thing::text))
        }
        // A program and its arguments, put together step by step.
        "arg" | "args" if reader.language == Language::Rust => {
            let mut all = things.to_vec();
            all.extend(args.flat());
            Some(Thing::List(all))
        }
        "status" | "spawn" | "output" | "exec" if reader.language == Language::Rust => {
            let feed = reader.in_directory(args, |reader| reader.run_program(things, Feed::none()));
            Some(reader.outcome(feed, false))
        }
        "current_dir" | "stdin" | "stdout" | "stderr" | "env" | "envs" | "env_clear"
            if reader.language == Language::Rust =>
        {
            Some(Thing::List(things.to_vec()))
        }
        "execute" if reader.language == Language::Java => {
            reader.run_program(things, Feed::none());
            Some(Thing::unknown())
        }
        // What is taken away is what comes out.
        "pop" | "shift" if reader.straight => {
            let thing = match (name, args.get(0)) {
                ("pop", None) => things.last(),
                ("shift", None) | ("pop", Some(Thing::Number(0))) => things.first(),
                _ => None,
            };
            Some(thing.cloned().unwrap_or_else(|| Thing::result("", Thing::List(things.to_vec()).origins())))
        }
        "concat" | "push" | "append" | "extend" | "add" | "insert" | "unshift" => {
            let mut all = things.to_vec();
            all.extend(args.flat());
            all.truncate(4096);
            Some(Thing::List(all))
        }
        "start" | "run" => None,
        _ if is_loop(name) => {
            if let Some(function) = reader.handed_function(args) {
                for thing in reader.shell.first_of(things, 64, reader.span) {
                    reader.call_name(&function, &Args { items: vec![thing.clone()], named: Vec::new() });
                }
                return Some(Thing::unknown());
            }
            None
        }
        _ => None,
    }
}
