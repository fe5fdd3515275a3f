//! Who keeps the server, and outlives whoever needs it by a moment: a shell that does as it is told line by line, and clears
//! everything away when nobody can tell it anything any more. A killed test closes its end of the pipe as well.

use std::{
    io::{self, BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    sync::{Mutex, PoisonError},
};

use crate::installed::Runner;

/// Each word is answered with a line once it is done. A crash is one of the whole machine as far as the server can tell: nobody
/// in it lives to tidy up. The first process is halted before, so that it cannot begin to repair.
const SCRIPT: &str = r#"
directory=$1
shift
server=
while read -r word; do
    case $word in
    start)
        "$@" </dev/null >>"$directory/log" 2>&1 &
        server=$!
        ;;
    crash)
        kill -STOP "$server"
        all=$(ps -A -o pid= -o ppid= | awk -v server="$server" '$2 == server { print $1 }')
        kill -KILL $all "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        ;;
    esac
    echo "$word"
done
kill -QUIT "$server" 2>/dev/null
wait
rm -rf "$directory"
"#;

#[derive(Debug)]
pub(crate) struct Watchdog {
    line: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    process: Child,
}

impl Watchdog {
    /// Sets one on a server that is run by this command and keeps everything in this directory.
    pub(crate) fn set(runner: Runner, directory: &Path, server: &[String]) -> io::Result<Self> {
        let mut command = runner.command(Path::new("sh"), directory);
        command.args(["-c", SCRIPT, "watchdog"]).arg(directory).args(server);
        // Whoever interrupts a test at the terminal interrupts the test, and not this.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let taken = process.stdin.take().zip(process.stdout.take());
        let (told, heard) = taken.ok_or_else(|| io::Error::other("there is no pipe to the watchdog"))?;
        Ok(Self { line: Mutex::new((told, BufReader::new(heard))), process })
    }

    /// Tells it a word, and waits until that is done.
    pub(crate) fn tell(&self, word: &str) -> io::Result<()> {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, heard) = &mut *line;
        writeln!(told, "{word}")?;
        let mut answer = String::new();
        heard.read_line(&mut answer)?;
        if answer.trim() == word { Ok(()) } else { Err(io::Error::other("the watchdog is gone")) }
    }

    /// Lets it clear away, and waits until it has.
    pub(crate) fn dismiss(self) -> io::Result<()> {
        let Self { line, mut process } = self;
        drop(line);
        process.wait().map(|_| ())
    }
}
