//! PHP. Names of functions arrive in lower case.

use super::{Act, Start};
use crate::path_effects::{Depth, Write};

pub(super) fn act(name: &str) -> Option<Act> {
    Some(match name {
        "pcntl_exec" => Act::Start(Start::Program),
        "system" | "passthru" => Act::Start(Start::Shell),
        "exec" | "shell_exec" | "popen" => Act::Start(Start::Capture),
        "proc_open" => Act::Start(Start::Subprocess),
        "unlink" | "File.delete" | "Storage.delete" => Act::Delete(Depth::Single),
        "rmdir" => Act::Delete(Depth::EmptyOnly),
        "File.deleteDirectory" | "File.cleanDirectory" | "Storage.deleteDirectory" => Act::Delete(Depth::Recursive),
        "fopen" | "splfileobject" | "SplFileObject" => Act::Open,
        // They set variables by names that nobody sees.
        "extract" | "parse_str" => Act::Opaque,
        "Closure.fromCallable" | "reflectionfunction" | "ReflectionFunction" => Act::Module,
        "file_put_contents" | "File.put" => Act::Write(Write::Replace),
        "ftruncate" => Act::Write(Write::Empty),
        "file_get_contents" | "file" | "readfile" | "parse_ini_file" | "File.get" | "show_source"
        | "highlight_file" => Act::Read,
        "rename" | "move_uploaded_file" => Act::Move,
        "copy" => Act::Copy,
        "symlink" | "link" => Act::Link,
        "mkdir" => Act::MakeDirectory,
        "chmod" => Act::Rights(1, 0),
        "chown" | "chgrp" => Act::Owner(0),
        "chdir" => Act::Directory,
        "glob" => Act::Matches,
        "scandir" | "readdir" => Act::Listing,
        "curl_init" => Act::Fetch,
        "Http.get" => Act::Fetch,
        "Http.post" | "Http.put" | "Http.delete" | "Http.patch" => Act::Send,
        "fsockopen" | "pfsockopen" | "stream_socket_client" | "socket_connect" | "socket_create" => Act::Connect,
        "socket_listen" | "stream_socket_server" | "socket_create_listen" => Act::Listen,
        "eval" | "assert" | "create_function" => Act::Eval,
        "include" | "require" | "include_once" | "require_once" => Act::Load,
        "call_user_func" | "call_user_func_array" => Act::Apply,
        "array_map" | "array_walk" | "iterator_apply" | "array_filter" => Act::Map,
        "echo" | "print" | "var_dump" | "print_r" | "dump" | "dd" | "var_export" => Act::Print,
        "printf" => Act::PrintFormat,
        "posix_kill" => Act::Kill,
        "pcntl_fork" => Act::Fork,
        "sleep" | "usleep" | "pcntl_wait" => Act::Wait,
        "mysqli_query" | "pg_query" | "mysql_query" | "DB.statement" | "DB.unprepared" | "DB.delete" | "DB.update"
        | "DB.insert" | "DB.select" => Act::Sql,
        "Artisan.call" => Act::Artisan,
        "mail" | "Mail.send" | "Mail.to" => Act::Mail,
        "getenv" => Act::Environment,
        _ => return None,
    })
}
