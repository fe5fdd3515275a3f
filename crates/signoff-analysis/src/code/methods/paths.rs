//! Methods of paths and open files.

use super::is_loop;
use crate::{
    code::{
        names::Act,
        reader::Reader,
        thing::{Args, Thing, pattern},
    },
    path_effects::{Depth, Rights, Write},
    shell::Language,
    value::{Piece, Value},
};

pub(super) fn of_path(reader: &mut Reader<'_, '_>, thing: &Thing, name: &str, args: &Args) -> Option<Thing> {
    let arg = thing.arg(reader.span);
    let is_path = matches!(thing, Thing::Path(_));
    match name {
        "remove" if is_path && reader.language == Language::Perl => reader.delete(thing, Depth::Single),
        "unlink" | "delete" | "deleteOnExit" | "deleteIfExists" if is_path => {
            reader.delete(thing, Depth::Single);
        }
        "rmdir" | "removedirs" if is_path => reader.delete(thing, Depth::EmptyOnly),
        "rmtree" | "deleteDir" | "deleteRecursively" | "remove_tree" | "rm_rf" | "rmtree_p" if is_path => {
            reader.delete(thing, Depth::Recursive)
        }
        "write_text" | "write_bytes" | "write" | "writeText" | "setText" | "spew" | "spew_utf8" if is_path => {
            reader.write_to(Some(thing), Write::Replace, args.get(0), args);
        }
        "append" | "appendText" if is_path => reader.shell.write(&arg, Write::Append),
        "touch" | "mkdir" | "mkdirs" | "createNewFile" | "symlink_to" | "hardlink_to" | "mkpath" if is_path => {
            reader.shell.write(&arg, Write::New)
        }
        // With two arguments it is the text that is changed.
        "replace" if args.items.len() > 1 => return None,
        "rename" | "replace" | "move" | "renameTo" if is_path => {
            if let Some(to) = args.get(0) {
                for from in reader.paths(thing) {
                    reader.shell.relocate(&from, &to.arg(reader.span), Write::Replace);
                }
            }
        }
        "chmod" if is_path => {
            let rights = match args.get(0).and_then(Thing::number) {
                Some(mode) if mode & 0o6000 != 0 => Rights::SetUser,
                Some(mode) if mode & 0o002 != 0 => Rights::Open,
                _ => Rights::Usual,
            };
            reader.shell.change_rights(&arg, rights, Depth::Single);
        }
        "read_text" | "read_bytes" | "readText" | "readLines" | "getText" | "text" | "read" | "slurp" | "readlines"
        | "slurp_utf8" | "lines" | "json" | "bytes" | "arrayBuffer" | "stream"
            if is_path =>
        {
            return Some(reader.read_file(Some(thing), "read"));
        }
        "open" if is_path => {
            let mut items = vec![thing.clone()];
            items.extend(args.items.iter().cloned());
            return Some(reader.perform(Act::Open, "open", &Args { items, named: args.named.clone() }));
        }
        "glob" | "rglob" if is_path => {
            let deep = if name == "rglob" { "**/" } else { "" };
            let mut value = thing.clone().below(&Thing::text("")).value();
            let found = pattern(&Value::text(format!("{deep}{}", args.known(0).unwrap_or("*"))));
            for piece in found.pieces() {
                value.push(piece.clone());
            }
            return Some(Thing::Many(value));
        }
        "iterdir" | "listFiles" | "children" | "each_child" | "eachFile" | "eachFileRecurse" if is_path => {
            let mut value = thing.clone().below(&Thing::text("")).value();
            value.push(Piece::glob("*"));
            return Some(Thing::Many(value));
        }
        "with_suffix" | "with_name" | "with_stem" | "relative_to" if is_path => {
            return Some(Thing::Path(thing.rewritten().value()));
        }
        "joinpath" | "resolve" | "join" if is_path && !args.items.is_empty() => {
            return Some(args.items.iter().fold(thing.clone(), Thing::below));
        }
        "resolve" | "absolute" | "expanduser" | "as_posix" | "toPath" | "toFile" | "toString" | "to_s"
        | "toAbsolutePath" | "normalize"
            if is_path =>
        {
            if let Some(rest) = thing.known().and_then(|path| path.strip_prefix("~/")).filter(|_| name == "expanduser")
            {
                return Some(Thing::Path(Value::text(format!("{}/{rest}", reader.shell.whereabouts().home))));
            }
            return Some(thing.clone());
        }
        "sorted" | "stream" | "parallel" | "iterator" | "toList" | "collect" | "sort" | "reversed" | "toArray"
            if matches!(thing, Thing::Many(_)) =>
        {
            return Some(thing.clone());
        }
        _ if is_loop(name) && matches!(thing, Thing::Many(_)) => {
            if let Some(function) = reader.handed_function(args) {
                reader.call_name(&function, &Args { items: vec![thing.element()], named: Vec::new() });
                return Some(Thing::unknown());
            }
            reader.element = Some(thing.element());
            return None;
        }
        _ => return None,
    }
    Some(Thing::unknown())
}

pub(super) fn of_file(reader: &mut Reader<'_, '_>, path: &Value, name: &str, args: &Args) -> Option<Thing> {
    match name {
        "write" | "puts" | "print" | "writelines" | "write_text" | "printf" | "end" | "println" => {
            if let Some(content) = args.get(0) {
                reader.put_into(path, content);
            }
            Some(Thing::unknown())
        }
        "truncate" if args.items.is_empty() || args.get(0).and_then(Thing::number) == Some(0) => Some(Thing::unknown()),
        _ => None,
    }
}
