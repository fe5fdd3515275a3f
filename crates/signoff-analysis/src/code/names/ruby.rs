//! Ruby.

use super::{Act, Start};
use crate::path_effects::{Depth, Rights, Write};

pub(super) fn act(name: &str) -> Option<Act> {
    Some(match name {
        "system" | "exec" | "spawn" | "Process.spawn" | "Process.exec" | "Process.run" => {
            Act::Start(Start::ShellOrProgram)
        }
        "capture2" | "capture3" | "capture2e" | "popen3" | "popen2" | "popen2e" | "IO.popen" | "PTY.spawn"
        | "Open3.capture2" | "Open3.capture3" | "Open3.capture2e" | "Open3.popen3" | "Open3.popen2"
        | "Open3.popen2e" | "Open3.pipeline" => Act::Start(Start::ShellOrProgram),
        "sh" => Act::Start(Start::Shell),
        "FileUtils.rm"
        | "FileUtils.rm_f"
        | "FileUtils.remove"
        | "File.delete"
        | "File.unlink"
        | "FileUtils.remove_file"
        | "rm"
        | "rm_f" => Act::Delete(Depth::Single),
        "FileUtils.rm_rf"
        | "FileUtils.rm_r"
        | "FileUtils.rmtree"
        | "FileUtils.remove_dir"
        | "FileUtils.remove_entry"
        | "FileUtils.remove_entry_secure"
        | "rm_rf"
        | "rm_r"
        | "rmtree" => Act::Delete(Depth::Recursive),
        "Dir.rmdir" | "Dir.delete" | "Dir.unlink" | "FileUtils.rmdir" => Act::Delete(Depth::EmptyOnly),
        "File.open" | "File.new" | "IO.open" => Act::Open,
        "require" | "require_relative" => Act::Module,
        "open" | "URI.open" | "IO.sysopen" | "File.sysopen" => Act::OpenOrRun,
        "File.write" | "IO.write" | "File.binwrite" | "IO.binwrite" => Act::Write(Write::Replace),
        "File.truncate" => Act::Write(Write::Empty),
        "IO.read" | "IO.readlines" | "IO.foreach" | "IO.binread" => Act::ReadOrRun,
        "File.read" | "File.readlines" | "File.foreach" | "File.binread" => Act::Read,
        "$stdout.reopen" | "STDOUT.reopen" | "$stderr.reopen" | "STDERR.reopen" => Act::Open,
        "File.rename" | "FileUtils.mv" | "FileUtils.move" | "mv" => Act::Move,
        "IO.copy_stream" | "FileUtils.cp" | "FileUtils.cp_r" | "FileUtils.copy" | "FileUtils.install" | "cp"
        | "cp_r" => Act::Copy,
        "File.symlink" | "FileUtils.ln_s" | "FileUtils.ln_sf" | "File.link" => Act::Link,
        "FileUtils.mkdir" | "FileUtils.mkdir_p" | "Dir.mkdir" => Act::MakeDirectory,
        "File.chmod" | "FileUtils.chmod" => Act::Rights(0, 1),
        "FileUtils.chmod_R" => Act::RightsAs(Rights::Open),
        "File.chown" | "FileUtils.chown" | "FileUtils.chown_R" => Act::Owner(2),
        "Dir.chdir" | "FileUtils.cd" => Act::Directory,
        "Dir.glob" | "Dir" => Act::Matches,
        "Dir.entries" | "Dir.children" | "Dir.each_child" | "Dir.foreach" => Act::Listing,
        "Find.find" => Act::Tree,
        "Net.HTTP.get" | "Net.HTTP.get_response" | "Net.HTTP.get_print" => Act::Fetch,
        "Net.HTTP.post" | "Net.HTTP.post_form" | "HTTParty.post" | "RestClient.post" | "Faraday.post"
        | "HTTParty.delete" | "RestClient.delete" | "RestClient.put" | "HTTParty.put" => Act::Send,
        "HTTParty.get" | "RestClient.get" | "Faraday.get" | "URI.parse.read" => Act::Fetch,
        "Net.SMTP.start" | "Mail.deliver" => Act::Mail,
        "TCPSocket.new"
        | "TCPSocket.open"
        | "TCPSocket"
        | "Socket.tcp"
        | "UDPSocket.new"
        | "Socket.new"
        | "OpenSSL.SSL.SSLSocket.new" => Act::Connect,
        "TCPServer.new" | "TCPServer.open" => Act::Listen,
        "eval" | "instance_eval" | "class_eval" | "module_eval" | "binding.eval" => Act::Eval,
        "load" => Act::Load,
        "send" | "public_send" | "__send__" => Act::Apply,
        "const_get" => Act::Module,
        "method" => Act::Module,
        "puts" | "print" | "p" | "pp" | "$stdout.puts" | "$stdout.write" | "STDOUT.puts" | "STDOUT.write" => Act::Print,
        "printf" => Act::PrintFormat,
        "Process.kill" => Act::Kill,
        "fork" | "Process.fork" => Act::Fork,
        "sleep" | "Process.wait" | "Process.waitpid" => Act::Wait,
        "gets" | "$<.read" | "$<.readlines" | "ARGF.readlines" | "ARGF.each_line" | "STDIN.read" | "$stdin.read"
        | "ARGF.read" | "STDIN.gets" | "$stdin.gets" | "readlines" | "STDIN.each_line" => Act::Input,
        "syscall" | "Fiddle.dlopen" | "Fiddle.Function.new" => Act::Opaque,
        "ENV.fetch" => Act::Environment,
        "ENV.to_h" | "ENV.to_a" | "ENV.each" | "ENV.inspect" => Act::Environment,
        _ => return None,
    })
}
