//! JavaScript: node, deno and bun.

use super::{Act, Start};
use crate::path_effects::{Depth, Write};

pub(super) fn act(name: &str) -> Option<Act> {
    if let Some(name) = name.strip_prefix("fs.") {
        return file_system(name.trim_end_matches("Sync"));
    }
    if let Some(name) = name.strip_prefix("Deno.") {
        return deno(name.trim_end_matches("Sync"));
    }
    Some(match name {
        "child_process.exec" | "child_process.execSync" | "shelljs.exec" | "execa.command" | "execa.commandSync" => {
            Act::Start(Start::Capture)
        }
        "$" | "zx.$" | "Bun.$" | "bun.$" | "execa.$" => Act::Start(Start::Capture),
        "child_process.spawn"
        | "child_process.spawnSync"
        | "child_process.execFile"
        | "child_process.execFileSync"
        | "child_process.fork"
        | "execa"
        | "execa.execa"
        | "execa.execaSync"
        | "execa.sync"
        | "cross-spawn"
        | "cross-spawn.sync"
        | "node-pty.spawn" => Act::Start(Start::Program),
        "Bun.spawn" | "Bun.spawnSync" | "os.exec" => Act::Start(Start::Subprocess),
        "shelljs.rm" | "shelljs.mv" | "shelljs.cp" | "shelljs.chmod" | "shelljs.cat" | "shelljs.sed" | "shelljs.ln"
        | "shelljs.mkdir" | "shelljs.find" => Act::Start(Start::Named),
        "rimraf" | "rimraf.sync" | "rimraf.rimraf" | "rimraf.rimrafSync" | "del" | "del.sync" | "del.deleteAsync"
        | "del.deleteSync" | "trash" => Act::Delete(Depth::Recursive),
        "Bun.write" => Act::Write(Write::Replace),
        "glob.sync" | "glob.globSync" | "glob" | "glob.glob" | "fast-glob" | "fast-glob.sync" | "globby" => {
            Act::Matches
        }
        "process.chdir" => Act::Directory,
        "fetch" | "Request" | "node-fetch" | "http.request" | "https.request" | "axios" | "axios.request" | "got"
        | "undici.fetch" | "undici.request" | "ky" => Act::Request,
        "http.get" | "https.get" | "axios.get" | "axios.head" | "got.get" | "superagent.get" | "ky.get" => Act::Fetch,
        "axios.post"
        | "axios.put"
        | "axios.patch"
        | "axios.delete"
        | "got.post"
        | "got.put"
        | "got.patch"
        | "got.delete"
        | "superagent.post"
        | "superagent.put"
        | "superagent.delete"
        | "navigator.sendBeacon"
        | "ky.post"
        | "ky.put"
        | "ky.delete" => Act::Send,
        "net.connect"
        | "net.createConnection"
        | "net.Socket"
        | "tls.connect"
        | "WebSocket"
        | "ws"
        | "ws.WebSocket"
        | "Deno.connect"
        | "Deno.connectTls"
        | "Bun.connect"
        | "dgram.createSocket"
        | "io"
        | "socket.io-client"
        | "socket.io-client.io" => Act::Connect,
        "net.createServer" | "tls.createServer" | "Deno.listen" | "Bun.listen" => Act::Listen,
        "eval"
        | "Function"
        | "worker_threads.Worker"
        | "Worker"
        | "vm.runInNewContext"
        | "vm.runInThisContext"
        | "vm.runInContext"
        | "vm.Script" => Act::Eval,
        "require" | "import" => Act::Module,
        "Reflect.get" => Act::Member,
        "console.log" | "console.info" | "process.stdout.write" | "console.table" | "console.dir" => Act::Print,
        "process.kill" => Act::Kill,
        "Artisan.call" => Act::Artisan,
        "setTimeout" | "setInterval" => Act::Wait,
        "nodemailer.createTransport" => Act::Mail,
        "keytar.getPassword" => Act::Password,
        _ => return None,
    })
}

fn file_system(name: &str) -> Option<Act> {
    Some(match name {
        "unlink" => Act::Delete(Depth::Single),
        "rm" | "rmdir" => Act::DeleteMaybeTree,
        "remove" | "emptyDir" => Act::Delete(Depth::Recursive),
        "writeFile" | "outputFile" | "writeJson" | "outputJson" | "createWriteStream" => Act::Write(Write::Replace),
        "appendFile" => Act::Write(Write::Append),
        "truncate" => Act::Write(Write::Empty),
        "open" => Act::Open,
        "readFile" | "createReadStream" | "readJson" => Act::Read,
        "readdir" | "opendir" => Act::Listing,
        "glob" => Act::Matches,
        "rename" | "move" => Act::Move,
        "copyFile" | "cp" | "copy" => Act::Copy,
        "symlink" | "link" => Act::Link,
        "mkdir" | "ensureDir" | "mkdirp" => Act::MakeDirectory,
        "chmod" => Act::Rights(1, 0),
        "chown" => Act::Owner(0),
        _ => return None,
    })
}

fn deno(name: &str) -> Option<Act> {
    Some(match name {
        "run" | "Command" => Act::Start(Start::Program),
        "remove" => Act::DeleteMaybeTree,
        "writeTextFile" | "writeFile" | "create" => Act::Write(Write::Replace),
        "readTextFile" | "readFile" | "open" => Act::Read,
        "readDir" => Act::Listing,
        "rename" => Act::Move,
        "copyFile" => Act::Copy,
        "symlink" | "link" => Act::Link,
        "mkdir" => Act::MakeDirectory,
        "chmod" => Act::Rights(1, 0),
        "chown" => Act::Owner(0),
        "chdir" => Act::Directory,
        "truncate" => Act::Write(Write::Empty),
        "kill" => Act::Kill,
        "connect" => Act::Connect,
        "env.get" | "env.toObject" => Act::Environment,
        _ => return None,
    })
}
