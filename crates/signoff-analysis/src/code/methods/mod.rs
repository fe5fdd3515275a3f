//! Methods of things: what they do is known by their name and by what they are called on.

mod databases;
mod named;
mod paths;
mod services;
mod texts;

pub(super) use named::by_name;

use super::{
    lexicon,
    reader::Reader,
    rules,
    thing::{Args, Thing},
};
use crate::{
    shell::Language,
    value::{Origin, Origins},
};
use paths::{of_file, of_path};
use texts::{of_list, of_text};

/// Calls a method of something that is no plain name.
pub(super) fn call(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) -> Thing {
    hand_elements(reader, thing, name, args);
    // `list.each(&:delete)` calls the method of that name on each.
    if let (Language::Ruby, Some(method)) = (reader.language, args.known(0))
        && (calls_for_each(name) || name.starts_with("each"))
        && !matches!(thing, Thing::Text(_))
    {
        let element = reader.element_of_loop(thing);
        let method = method.to_owned();
        call(reader, &element, &method, &Args::default());
    }
    let found = match thing {
        Thing::Text(_) => of_text(reader, thing, name, args).or_else(|| of_path(reader, thing, name, args)),
        Thing::Path(_) | Thing::Many(_) => {
            of_path(reader, thing, name, args).or_else(|| of_text(reader, thing, name, args))
        }
        Thing::File(path) => of_file(reader, path, name, args),
        Thing::List(things) => of_list(reader, things, name, args),
        Thing::Name(function) => Some(of_function(reader, function, name, args)),
        _ => None,
    };
    if let Some(found) = found {
        return found;
    }
    let of = match thing {
        Thing::Result { of, .. } => format!("{of}.{name}"),
        _ => name.to_owned(),
    };
    // An interpreter within the interpreter.
    if reader.language == Language::Python
        && of.starts_with("code.Interactive")
        && matches!(name, "runsource" | "runcode" | "push" | "interact")
    {
        return reader.evaluate(args.get(0), name);
    }
    // What watches a program runs it.
    let watches = ["trace.Trace", "bdb.Bdb", "pdb.Pdb", "cProfile.Profile", "profile.Profile", "timeit.Timer"];
    if reader.language == Language::Python
        && watches.iter().any(|watcher| of.starts_with(watcher))
        && matches!(name, "run" | "runctx" | "runeval" | "runcall" | "runfunc")
        && matches!(args.get(0), Some(Thing::Text(_) | Thing::Result { .. }))
    {
        return reader.evaluate(args.get(0), name);
    }
    if let Some(function) = reader.own_function(&of) {
        reader.remember_call(&function, args);
    }
    // A block behind it gets the thing itself.
    if reader.language == Language::Ruby && matches!(name, "tap" | "then" | "yield_self") {
        reader.element = Some(thing.clone());
    }
    if is_loop(name) {
        // A function among the arguments has had its element already.
        if args.items.is_empty() {
            reader.element = Some(reader.element_of_loop(thing));
        }
        if let Some(function) = reader.handed_function(args) {
            reader.call_name(&function, &Args { items: vec![thing.element()], named: Vec::new() });
        }
    }
    // `line.execute()` in Groovy and `line.!` in Scala run what they are called on.
    if reader.language == Language::Java
        && matches!(name, "execute" | "!" | "!!")
        && matches!(thing, Thing::Result { origins, .. } if !origins.is_empty())
    {
        return reader.run_shell_text(thing);
    }
    if let Some(result) = by_name(reader, &of, name, args) {
        return result;
    }
    if lexicon::says_it_destroys(name) {
        reader.shell.tell(&rules::DESTRUCTIVE_FUNCTION, name, reader.span);
    }
    if !lexicon::only_looks(name) && !lexicon::rewrites(name) && !lexicon::asks_a_text(name) {
        if let Some(harmful) = reader.harm_in(&thing.origins()).filter(|_| !args.items.is_empty()) {
            reader.shell.opaque(format!("{harmful}.…"), reader.span);
        } else if reader.call_handed(args).is_none() && !is_loop(name) {
            reader.warn_of_handed(name, args);
        }
    }
    // A connection that was opened with a setting gives rows, and not the setting.
    let used = |origin: &Origin| matches!(origin, Origin::Variable(_)) && !lexicon::rewrites(name);
    let mut origins: Origins = thing.origins();
    if lexicon::rewrites_text(name) {
        origins.blurred_by(Origin::Others);
    }
    origins.extend(args.origins().into_iter().filter(|origin| !used(origin)));
    Thing::result(&shortened(&of), origins)
}

/// Whatever gets a function that does something may call it with what it is called on: `list.sort(key=f)`,
/// `list.some(f)`, `text.replace(pattern, f)`. Those that loop do it themselves.
fn hand_elements(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) {
    if is_loop(name) || lexicon::keeps(name) || lexicon::only_looks(name) {
        return;
    }
    let elements = match thing {
        Thing::List(things) => things.clone(),
        Thing::Text(_) | Thing::Path(_) => vec![thing.clone()],
        Thing::Many(_) => vec![thing.element()],
        Thing::Result { .. } if calls_for_each(name) => vec![thing.element()],
        _ => return,
    };
    let Some(function) = reader.handed_function(args) else { return };
    for element in reader.shell.first_of(elements, 64, reader.span) {
        reader.call_name(&function, &Args { items: vec![element], named: Vec::new() });
    }
}

fn shortened(of: &str) -> String {
    of.chars().take(160).collect()
}

pub(super) fn is_loop(name: &str) -> bool {
    matches!(
        name,
        "each"
            | "forEach"
            | "map"
            | "each_with_index"
            | "each_child"
            | "flatMap"
            | "filter"
            | "select"
            | "any"
            | "every"
            | "each_line"
    )
}

/// Whether a method calls what it gets with each element, or with the whole, of whatever it is called on.
pub(super) fn calls_for_each(name: &str) -> bool {
    is_loop(name)
        || matches!(
            name,
            "apply"
                | "applymap"
                | "agg"
                | "aggregate"
                | "transform"
                | "pipe"
                | "then"
                | "sort"
                | "sort_by"
                | "some"
                | "find"
                | "reduce"
                | "any?"
                | "all?"
        )
}

/// `f.call(…)`, `f.apply(…)`, `f.bind(…)`, `promise.then(…)`.
fn of_function(reader: &mut Reader<'_, '_>, function: &str, name: &str, args: &Args) -> Thing {
    match name {
        "call" => reader.call_name(
            function,
            &Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: args.named.clone() },
        ),
        "apply" if function == "Reflect" => {
            let called = args.get(0).cloned().unwrap_or_else(Thing::unknown);
            let items = match args.get(2) {
                Some(Thing::List(things)) => things.clone(),
                other => other.into_iter().cloned().collect(),
            };
            reader.call(&called, &Args { items, named: Vec::new() })
        }
        "apply" => {
            let items = match args.get(1) {
                Some(Thing::List(things)) => things.clone(),
                Some(other) => vec![other.clone()],
                None => Vec::new(),
            };
            reader.call_name(function, &Args { items, named: Vec::new() })
        }
        "bind" => {
            // What is bound to arguments is called with them, sooner or later.
            let bound = args.items.get(1..).unwrap_or_default();
            let itself = Args { items: vec![Thing::Name(function.to_owned())], named: Vec::new() };
            if !bound.is_empty() && reader.handed_function(&itself).is_some() {
                reader.call_name(function, &Args { items: bound.to_vec(), named: Vec::new() });
            }
            Thing::Name(function.to_owned())
        }
        _ => Thing::result(function, args.origins()),
    }
}
