//! Lua, awk, R, the languages of the Java machine, and those without a table of their own.

use super::{Act, Start};
use crate::path_effects::{Depth, Write};

pub(super) fn lua(name: &str) -> Option<Act> {
    Some(match name {
        "os.execute" => Act::Start(Start::Shell),
        // The editors that have Lua inside.
        "io.popen" | "vim.fn.system" | "vim.fn.systemlist" | "vim.fn.jobstart" | "vim.fn.termopen" | "system"
        | "systemlist" | "jobstart" | "termopen" => Act::Start(Start::Capture),
        "vim.system" => Act::Start(Start::Subprocess),
        "vim.fn.delete" | "vim.fs.rm" | "delete" => Act::DeleteMaybeTree,
        "vim.uv.fs_unlink" | "vim.loop.fs_unlink" => Act::Delete(Depth::Single),
        "vim.fn.writefile" | "writefile" => Act::WriteTo(1),
        "os.remove" => Act::Delete(Depth::Single),
        "lfs.rmdir" => Act::Delete(Depth::EmptyOnly),
        "os.rename" => Act::Move,
        "io.open" => Act::Open,
        "io.output" => Act::Write(Write::Replace),
        "io.lines" => Act::Read,
        "lfs.dir" => Act::Listing,
        "lfs.chdir" => Act::Directory,
        "load" | "loadstring" => Act::Eval,
        "dofile" | "loadfile" => Act::Load,
        "require" => Act::Module,
        "print" | "io.write" => Act::Print,
        "io.read" => Act::Input,
        "os.getenv" => Act::Environment,
        "socket.tcp" | "socket.connect" | "socket.connect4" | "socket.udp" | "ngx.socket.tcp" | "vim.uv.new_tcp"
        | "vim.loop.new_tcp" => Act::Connect,
        "socket.bind" => Act::Listen,
        "socket.http.request" | "http.request" => Act::Request,
        _ => return None,
    })
}

pub(super) fn awk(name: &str) -> Option<Act> {
    Some(match name {
        "system" => Act::Start(Start::Shell),
        "print" => Act::Print,
        "printf" => Act::PrintFormat,
        "getline" => Act::Input,
        _ => return None,
    })
}

pub(super) fn r(name: &str) -> Option<Act> {
    Some(match name {
        "system" | "shell" => Act::Start(Start::Shell),
        "system2" | "processx.run" | "sys.exec_wait" => Act::Start(Start::Program),
        "unlink" => Act::DeleteMaybeTree,
        "file.remove" | "fs.file_delete" => Act::Delete(Depth::Single),
        "fs.dir_delete" => Act::Delete(Depth::Recursive),
        "file.rename" => Act::Move,
        "file.copy" => Act::Copy,
        "file.symlink" => Act::Link,
        "dir.create" => Act::MakeDirectory,
        "Sys.chmod" => Act::Rights(1, 0),
        "setwd" => Act::Directory,
        "list.files" | "dir" => Act::Listing,
        "Sys.glob" => Act::Matches,
        "writeLines" | "write" | "write.csv" | "write.table" | "saveRDS" | "readr.write_csv" => Act::WriteTo(1),
        "file" => Act::Open,
        "readLines" | "readRDS" | "read.csv" => Act::Read,
        "download.file" => Act::Fetch,
        "httr.POST" | "httr.PUT" | "httr.DELETE" => Act::Send,
        "httr.GET" => Act::Fetch,
        "eval" | "parse" => Act::Eval,
        "source" => Act::Load,
        "socketConnection" | "make.socket" | "socketSelect" => Act::Connect,
        "serverSocket" => Act::Listen,
        "print" | "cat" | "message" => Act::Print,
        "dbExecute" | "DBI.dbExecute" | "dbSendQuery" | "DBI.dbSendQuery" | "dbGetQuery" | "DBI.dbGetQuery"
        | "dbSendStatement" => Act::Sql,
        "Sys.getenv" => Act::Environment,
        "do.call" => Act::Apply,
        _ => return None,
    })
}

pub(super) fn java(name: &str) -> Option<Act> {
    Some(match name {
        "ProcessBuilder" | "new ProcessBuilder" | "Process" => Act::Start(Start::Subprocess),
        "Runtime.getRuntime.exec" => Act::Start(Start::Subprocess),
        "Files.delete" | "Files.deleteIfExists" => Act::Delete(Depth::Single),
        "FileUtils.deleteDirectory"
        | "FileUtils.forceDelete"
        | "FileUtils.deleteQuietly"
        | "FileUtils.cleanDirectory"
        | "org.apache.commons.io.FileUtils.deleteDirectory"
        | "os.remove.all" => Act::Delete(Depth::Recursive),
        "os.remove" => Act::Delete(Depth::Single),
        "Files.write" | "Files.writeString" | "Files.newBufferedWriter" => Act::Write(Write::Replace),
        "FileWriter" | "PrintWriter" | "FileOutputStream" => Act::Write(Write::Replace),
        "Files.readString" | "Files.readAllLines" | "Files.lines" | "Files.readAllBytes" => Act::Read,
        "Files.move" => Act::Move,
        "Files.copy" => Act::Copy,
        "Files.createDirectory" | "Files.createDirectories" => Act::MakeDirectory,
        "Files.list" | "Files.newDirectoryStream" => Act::Listing,
        "Files.walk" | "Files.walkFileTree" => Act::Tree,
        // C#.
        "Directory.Delete" => Act::DeleteMaybeTree,
        "File.Delete" | "File.delete" => Act::Delete(Depth::Single),
        "Process.Start" => Act::Start(Start::Program),
        "File.WriteAllText" | "File.WriteAllBytes" | "File.Create" => Act::Write(Write::Replace),
        "File.ReadAllText" | "File.ReadAllBytes" | "File.ReadAllLines" => Act::Read,
        "Console.WriteLine" | "Console.Write" => Act::Print,
        "Environment.GetEnvironmentVariable" => Act::Environment,
        "Socket"
        | "TcpClient"
        | "SocketChannel.open"
        | "SSLSocketFactory.getDefault"
        | "System.Net.Sockets.TcpClient"
        | "Net.Sockets.TcpClient" => Act::Connect,
        "ServerSocket" | "TcpListener" | "ServerSocketChannel.open" => Act::Listen,
        "println" | "print" | "System.out.println" | "System.out.print" => Act::Print,
        "System.getenv" => Act::Environment,
        "GroovyShell.evaluate" | "Eval.me" | "evaluate" => Act::Eval,
        _ => return None,
    })
}

pub(super) fn other(name: &str) -> Option<Act> {
    Some(match name {
        // Elixir, Erlang.
        "os.cmd" => Act::Start(Start::Capture),
        "gen_tcp.connect"
        | "ssl.connect"
        | "gen_udp.open"
        | "Sockets.connect"
        | "connect"
        | "TCPSocket.new"
        | "Network.Socket.connect"
        | "newSocket"
        | "net.dial" => Act::Connect,
        "gen_tcp.listen" | "Sockets.listen" | "TCPServer.new" => Act::Listen,
        "System.cmd" => Act::Start(Start::Program),
        "System.shell" => Act::Start(Start::Shell),
        "File.rm" | "File.rm!" | "file.delete" => Act::Delete(Depth::Single),
        "File.rm_rf" | "File.rm_rf!" | "file.del_dir_r" => Act::Delete(Depth::Recursive),
        "File.write" | "File.write!" | "file.write_file" => Act::Write(Write::Replace),
        "File.read" | "File.read!" | "file.read_file" => Act::Read,
        "File.rename" => Act::Move,
        "Code.eval_string" => Act::Eval,
        "IO.puts" | "IO.inspect" | "IO.write" => Act::Print,
        "System.get_env" | "System.fetch_env" | "System.fetch_env!" => Act::Environment,
        // Haskell.
        "System.Process.callCommand" | "callCommand" | "System.Process.system" | "System.Cmd.system" => {
            Act::Start(Start::Shell)
        }
        "System.Process.readProcess" | "readProcess" | "callProcess" | "System.Process.callProcess" | "rawSystem" => {
            Act::Start(Start::Program)
        }
        "System.Directory.removeDirectoryRecursive"
        | "removeDirectoryRecursive"
        | "removePathForcibly"
        | "System.Directory.removePathForcibly" => Act::Delete(Depth::Recursive),
        "System.Directory.removeFile" | "removeFile" => Act::Delete(Depth::Single),
        // OCaml.
        "Sys.command" => Act::Start(Start::Shell),
        "Unix.system" | "Unix.open_process_in" => Act::Start(Start::Shell),
        "Sys.remove" | "Unix.unlink" => Act::Delete(Depth::Single),
        "Unix.rmdir" => Act::Delete(Depth::EmptyOnly),
        // Julia.
        "rm" => Act::DeleteMaybeTree,
        "Cmd" => Act::Start(Start::Subprocess),
        "read" => Act::Read,
        // Octave and Matlab.
        "rmdir" => Act::DeleteMaybeTree,
        "dos" | "unix" => Act::Start(Start::ShellOrProgram),
        "mv" => Act::Move,
        // Lisps.
        "uiop.run-program"
        | "run-program"
        | "sb-ext.run-program"
        | "ext.shell"
        | "shell-command"
        | "shell-command-to-string" => Act::Start(Start::ShellOrProgram),
        "delete-file" => Act::Delete(Depth::Single),
        "delete-directory" | "delete-directory/files" => Act::Delete(Depth::Recursive),
        // Nim, Crystal, D, Go-like and general.
        "execShellCmd" | "execCmd" | "system" | "executeShell" | "Process.run" | "shell" | "exec" => {
            Act::Start(Start::ShellOrProgram)
        }
        "removeFile!" | "deleteFile" => Act::Delete(Depth::Single),
        "FileManager.default.removeItem" | "FileManager.default.trashItem" => Act::Delete(Depth::Recursive),
        "println" | "print" | "puts" | "putStrLn" | "print_endline" | "print_string" => Act::Print,
        "eval" | "include_string" => Act::Eval,
        _ => return None,
    })
}
