//! Perl.

use super::{Act, Start};
use crate::path_effects::{Depth, Write};

pub(super) fn act(name: &str) -> Option<Act> {
    let last = name.rsplit('.').next().unwrap_or(name);
    if let Some(("IO.Socket", class)) = name.rsplit_once(".new").and_then(|(class, _)| class.rsplit_once('.'))
        && matches!(class, "INET" | "INET6" | "IP" | "SSL" | "UNIX")
    {
        return Some(Act::Connect);
    }
    if matches!(name, "IO.Socket.INET" | "IO.Socket.IP" | "IO.Socket.SSL" | "IO.Socket.new") {
        return Some(Act::Connect);
    }
    if name == "IO.File.new" {
        return Some(Act::Open);
    }
    if last == "fdopen" {
        return Some(Act::HandOver);
    }
    let name = match name.split('.').next() {
        Some("File" | "POSIX" | "IO" | "Cwd" | "Path" | "MIME" | "IPC") if last != name => last,
        _ => name,
    };
    Some(match name {
        "system" | "exec" | "run" | "capture" | "capturex" | "systemx" | "run3" | "shell" => {
            Act::Start(Start::ShellOrProgram)
        }
        "readpipe" | "qx" => Act::Start(Start::Capture),
        "unlink" => Act::Delete(Depth::Single),
        "rmdir" => Act::Delete(Depth::EmptyOnly),
        "rmtree" | "remove_tree" | "pathrmdir" => Act::Delete(Depth::Recursive),
        "open" => Act::OpenOrRun,
        "open2" => Act::StartBehind(2),
        "open3" => Act::StartBehind(3),
        "execv" | "execvp" | "execl" | "execlp" => Act::Start(Start::Program),
        "dbmopen" => Act::WriteTo(1),
        "tie" => Act::WriteTo(2),
        "syscall" => Act::Opaque,
        "sysopen" => Act::WriteTo(1),
        "truncate" => Act::Write(Write::Empty),
        "write_file" | "overwrite_file" | "spew" => Act::Write(Write::Replace),
        "append_file" => Act::Write(Write::Append),
        "read_file" | "slurp" => Act::Read,
        "rename" | "move" | "mv" => Act::Move,
        "copy" | "cp" => Act::Copy,
        "symlink" | "link" => Act::Link,
        "mkdir" | "mkpath" | "make_path" => Act::MakeDirectory,
        "chmod" => Act::Rights(0, 1),
        "chown" => Act::Owner(2),
        "chdir" => Act::Directory,
        "glob" | "bsd_glob" => Act::Matches,
        "readdir" => Act::Listing,
        "find" | "finddepth" => Act::Tree,
        "get" | "getstore" | "head" | "getprint" => Act::Fetch,
        "socket" | "connect" => Act::Connect,
        "listen" => Act::Listen,
        "eval" | "evalbytes" => Act::Eval,
        "do" => Act::Load,
        "require" => Act::Module,
        "print" | "say" => Act::Print,
        "printf" => Act::PrintFormat,
        "kill" => Act::Kill,
        "fork" => Act::Fork,
        "sleep" | "wait" | "waitpid" => Act::Wait,
        _ => return None,
    })
}
