//! Which function of which language does what.

mod compiled;
mod javascript;
mod perl;
mod php;
mod python;
mod ruby;
mod several;

use crate::{
    path_effects::{Depth, Rights, Write},
    shell::Language,
};

/// How a function starts a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Runs a text in a shell and prints what that prints.
    Shell,
    /// Runs a text in a shell and gives back what that prints.
    Capture,
    /// One text is for a shell; several are a program and its arguments.
    ShellOrProgram,
    /// A list is a program and its arguments; a text is a program, or for a shell if an option says so.
    Subprocess,
    /// A program, and then its arguments as a list or in a row.
    Program,
    /// Like `Program`, with the name of the program repeated before the arguments.
    Exec,
    /// Like `Exec`, with a mode in front.
    Spawn,
    /// A function that is named like the program which it runs.
    Named,
}

/// What a function does with what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Starts a program.
    Start(Start),
    /// Starts a program whose words stand behind this many streams.
    StartBehind(usize),
    /// Does something that nobody can read.
    Opaque,
    /// Names a program; its arguments are put behind it by methods, and a last method starts it.
    Builder,
    /// Deletes every path that it is given.
    Delete(Depth),
    /// Deletes every path that it is given, whole trees if an option says so.
    DeleteMaybeTree,
    /// Opens a file; the second argument says for what.
    Open,
    /// Perl's `open`, which runs programs as well.
    OpenOrRun,
    /// Writes the second argument to the path in the first one.
    Write(Write),
    /// Writes to the path in this position.
    WriteTo(usize),
    /// Reads the file and gives back its content.
    Read,
    /// The same, or runs what stands behind a bar: `IO.read("|command")`.
    ReadOrRun,
    /// Lists what matches a pattern.
    Matches,
    /// Lists a directory.
    Listing,
    /// Lists a whole tree.
    Tree,
    /// Moves the first path to the second one.
    Move,
    /// Copies the first path to the second one.
    Copy,
    /// Copies a tree over the one at the second path.
    CopyTree,
    /// Makes the second path a link to the first one.
    Link,
    /// Makes a directory.
    MakeDirectory,
    /// Changes rights; the mode stands at this position, the path at the other.
    Rights(usize, usize),
    /// Changes an owner; the path stands at this position.
    Owner(usize),
    /// Changes rights in this way, whatever it is given.
    RightsAs(Rights),
    /// Changes the working directory.
    Directory,
    /// Fetches an address.
    Fetch,
    /// Fetches an address into the file that the second argument names.
    Download,
    /// Unpacks the archive in the first argument into the directory in the second one.
    Unpack,
    /// Reads files line by line; an option says that they are written anew.
    Stream,
    /// Fetches an address; the method or the presence of data says whether it sends.
    Request,
    /// Sends to an address.
    Send,
    /// Sends mail.
    Mail,
    /// Opens a connection.
    Connect,
    /// Opens a port.
    Listen,
    /// Makes a connection the input or output of a program.
    HandOver,
    /// Runs a text as code of the same language.
    Eval,
    /// Runs a file as code of the same language.
    Load,
    /// Brings in a module by its name.
    Module,
    /// A member by its name: `getattr(os, 'system')`.
    Member,
    /// Runs the function that the first argument names, on the others.
    Apply,
    /// The first argument is a function that is called on every element of the second one.
    Map,
    /// Prints what it is given.
    Print,
    /// Prints in a format.
    PrintFormat,
    /// Sends a signal.
    Kill,
    /// Reaches into the memory of another process, whose number stands at this place among the arguments.
    Attach(usize),
    /// Makes a new process.
    Fork,
    /// Waits.
    Wait,
    /// Runs SQL.
    Sql,
    /// A management command of Django.
    Manage,
    /// A command of Laravel.
    Artisan,
    /// Reads what flows in.
    Input,
    /// Gives one variable of the environment, or the whole of it.
    Environment,
    /// Shows or takes a stored password.
    Password,
}

/// What the function of this full name does; none if nothing is known about it.
pub(super) fn act(language: Language, name: &str) -> Option<Act> {
    match language {
        Language::Python => python::act(name),
        Language::JavaScript => javascript::act(name),
        Language::Perl => perl::act(name),
        Language::Ruby => ruby::act(name),
        Language::Php => php::act(name),
        Language::Lua => several::lua(name),
        Language::Awk => several::awk(name),
        Language::R => several::r(name),
        Language::Java => several::java(name),
        Language::C => compiled::c(name),
        Language::Go => compiled::go(name),
        Language::Rust => compiled::rust(name),
        _ => several::other(name),
    }
}

/// The name without the parts that change nothing about what it means.
pub(super) fn plain(language: Language, name: &str) -> String {
    // Perl writes a function as a value with a sign before it, and its package as it likes.
    let owned;
    let mut name = name;
    if language == Language::Python {
        // A module brings along those that it uses itself: `glob.os.remove`. Calling what is called is the same call.
        const BROUGHT: &[&str] = &[".os.", ".subprocess.", ".shutil.", ".builtins.", ".posix."];
        if memchr::memchr_iter(b'.', name.as_bytes()).nth(1).is_some() {
            let brought = BROUGHT.iter().filter_map(|module| name.rfind(module)).max();
            name = brought.and_then(|at| name.get(at + 1..)).unwrap_or(name);
        }
        name = name.strip_suffix(".__call__").unwrap_or(name);
        if let Some(rest) = name.strip_prefix("posix.") {
            return format!("os.{rest}");
        }
    }
    if language == Language::Perl && (name.starts_with('&') || name.contains("::")) {
        owned = name.trim_start_matches('&').replace("::", ".");
        name = &owned;
    }
    let prefixes: &[&str] = match language {
        Language::Python => &["builtins.", "__builtins__.", "__builtin__."],
        Language::JavaScript => &["globalThis.", "window.", "global.", "self.", "process.mainModule.", "module."],
        Language::Perl => &["CORE.GLOBAL.", "CORE.", "main."],
        Language::Ruby => &["Kernel.", "Object.", "self."],
        Language::Lua => &["_G.", "_ENV.", "package.loaded."],
        Language::Java => &[
            "java.lang.",
            "java.io.",
            "java.net.",
            "java.nio.file.",
            "java.nio.channels.",
            "javax.net.ssl.",
            "System.Diagnostics.",
            "System.IO.",
            "System.Net.Sockets.",
        ],
        Language::C => &["std.filesystem.", "std.experimental.filesystem.", "std.", "fs.", "boost.filesystem."],
        Language::Other => &["Base.Filesystem.", "Base."],
        Language::Rust => &["std.", "tokio.", "async_std.", "self.", "crate."],
        _ => &[],
    };
    while let Some(rest) = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)) {
        name = rest;
    }
    match language {
        Language::Php if !name.starts_with('$') && !name.contains('.') => name.to_ascii_lowercase(),
        Language::JavaScript => name.replacen("fs.promises.", "fs.", 1).replacen(".default.", ".", 1),
        _ => name.to_owned(),
    }
}
