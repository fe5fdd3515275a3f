//! Python.

use super::{Act, Start};
use crate::path_effects::{Depth, Write};

pub(super) fn act(name: &str) -> Option<Act> {
    Some(match name {
        "os.system" => Act::Start(Start::Shell),
        "os.popen"
        | "subprocess.getoutput"
        | "subprocess.getstatusoutput"
        | "commands.getoutput"
        | "commands.getstatusoutput"
        | "asyncio.create_subprocess_shell"
        | "get_ipython.system" => Act::Start(Start::Capture),
        "subprocess.run"
        | "subprocess.call"
        | "subprocess.check_call"
        | "subprocess.check_output"
        | "subprocess.Popen"
        | "pexpect.spawn"
        | "pexpect.run"
        | "pty.spawn"
        | "invoke.run"
        | "fabric.local"
        | "envoy.run" => Act::Start(Start::Subprocess),
        "asyncio.create_subprocess_exec" => Act::Start(Start::Program),
        "os.execv" | "os.execve" | "os.execvp" | "os.execvpe" | "os.execl" | "os.execle" | "os.execlp"
        | "os.execlpe" | "os.posix_spawn" | "os.posix_spawnp" => Act::Start(Start::Exec),
        "os.spawnl" | "os.spawnle" | "os.spawnlp" | "os.spawnv" | "os.spawnve" | "os.spawnvp" => {
            Act::Start(Start::Spawn)
        }
        "os.remove" | "os.unlink" | "send2trash.send2trash" | "send2trash" => Act::Delete(Depth::Single),
        "os.rmdir" | "os.removedirs" => Act::Delete(Depth::EmptyOnly),
        "shutil.rmtree" | "distutils.dir_util.remove_tree" => Act::Delete(Depth::Recursive),
        "open"
        | "io.open"
        | "io.FileIO"
        | "codecs.open"
        | "os.open"
        | "gzip.open"
        | "gzip.GzipFile"
        | "bz2.open"
        | "bz2.BZ2File"
        | "lzma.open"
        | "lzma.LZMAFile"
        | "os.fdopen"
        | "zipfile.ZipFile"
        | "zipfile.PyZipFile"
        | "tarfile.open"
        | "tarfile.TarFile"
        | "tarfile.TarFile.open"
        | "shelve.open"
        | "dbm.open" => Act::Open,
        "linecache.getline" | "linecache.getlines" => Act::Read,
        "fileinput.input" | "fileinput.FileInput" => Act::Stream,
        "logging.FileHandler" | "logging.basicConfig" => Act::Write(Write::Append),
        "shutil.make_archive"
        | "numpy.save"
        | "numpy.savetxt"
        | "numpy.savez"
        | "np.save"
        | "np.savetxt"
        | "np.savez" => Act::Write(Write::Replace),
        "shutil.unpack_archive" => Act::Unpack,
        "os.truncate" => Act::Write(Write::Empty),
        "os.rename" | "os.renames" | "os.replace" | "shutil.move" => Act::Move,
        "shutil.copy" | "shutil.copy2" | "shutil.copyfile" => Act::Copy,
        "shutil.copytree" => Act::CopyTree,
        "os.symlink" | "os.link" => Act::Link,
        "os.mkdir" | "os.makedirs" | "os.mkfifo" | "os.mknod" => Act::MakeDirectory,
        "os.chmod" => Act::Rights(1, 0),
        "os.chown" | "shutil.chown" | "os.lchown" => Act::Owner(0),
        "os.chdir" => Act::Directory,
        "glob.glob" | "glob.iglob" => Act::Matches,
        "os.listdir" | "os.scandir" => Act::Listing,
        "os.walk" => Act::Tree,
        "requests.get" | "requests.head" | "httpx.get" | "httpx.head" | "urllib.urlopen" | "urllib2.urlopen" => {
            Act::Fetch
        }
        "urllib.request.urlretrieve" | "urllib.urlretrieve" | "wget.download" => Act::Download,
        "urllib.request.urlopen"
        | "urllib.request.Request"
        | "requests.request"
        | "httpx.request"
        | "requests.Request" => Act::Request,
        "requests.post" | "requests.put" | "requests.patch" | "requests.delete" | "httpx.post" | "httpx.put"
        | "httpx.patch" | "httpx.delete" => Act::Send,
        "smtplib.SMTP" | "smtplib.SMTP_SSL" | "django.core.mail.send_mail" | "send_mail" => Act::Mail,
        "socket.socket"
        | "socket.create_connection"
        | "asyncio.open_connection"
        | "ssl.wrap_socket"
        | "telnetlib.Telnet"
        | "websocket.create_connection"
        | "websockets.connect"
        | "websockets.sync.client.connect"
        | "pwn.remote"
        | "trio.open_tcp_stream"
        | "anyio.connect_tcp" => Act::Connect,
        "socket.create_server" | "asyncio.start_server" | "socketserver.TCPServer" => Act::Listen,
        "os.dup2" => Act::HandOver,
        "exec"
        | "eval"
        | "compile"
        | "code.interact"
        | "code.compile_command"
        | "runpy.run_code"
        | "runpy._run_code"
        | "timeit.timeit"
        | "timeit.repeat"
        | "timeit.Timer"
        | "cProfile.run"
        | "cProfile.runctx"
        | "profile.run"
        | "profile.runctx"
        | "pdb.run"
        | "pdb.runeval"
        | "bdb.run"
        | "trace.run"
        | "get_ipython.run_cell"
        | "get_ipython.ex" => Act::Eval,
        "execfile" | "runpy.run_path" => Act::Load,
        "__import__" | "importlib.import_module" => Act::Module,
        "getattr" => Act::Member,
        "map" | "filter" => Act::Map,
        "print" | "sys.stdout.write" | "pprint.pprint" | "pprint" | "sys.stdout.buffer.write" | "rich.print" => {
            Act::Print
        }
        "os.kill" | "os.killpg" => Act::Kill,
        "os.fork" | "os.forkpty" | "pty.fork" => Act::Fork,
        "time.sleep" | "os.wait" | "os.waitpid" | "asyncio.sleep" => Act::Wait,
        "django.core.management.call_command" | "call_command" | "management.call_command" => Act::Manage,
        "input" | "sys.stdin.read" | "sys.stdin.readline" | "sys.stdin.readlines" | "sys.stdin.buffer.read" => {
            Act::Input
        }
        "os.getenv" | "os.environ.get" => Act::Environment,
        "dotenv.dotenv_values" => Act::Read,
        "keyring.get_password" => Act::Password,
        _ => return name.strip_prefix("sh.").filter(|name| !name.contains('.')).map(|_| Act::Start(Start::Named)),
    })
}
