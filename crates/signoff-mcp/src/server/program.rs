//! This program once more, as a process of its own: what judges and runs for everybody else does so here, too. A defect there ends a call and
//! not the server.

use std::{ffi::OsString, path::Path, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, Command},
};

/// More than this it does not say.
const OUTPUT_AT_MOST: u64 = 64 << 20;
/// What is kept of its complaints.
const COMPLAINT_AT_MOST: u64 = 64 << 10;
/// So long it has to end what it runs.
const END_WITHIN: Duration = Duration::from_secs(15);

/// What it has said.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) code: Option<i32>,
}

/// Runs this program with these arguments in a directory, and gives it something to read. Dropped before the end, it is ended, with whatever
/// it runs.
pub(super) async fn run(
    program: &Path,
    arguments: Vec<OsString>,
    directory: &Path,
    input: &[u8],
) -> Result<Said, String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Neither a signal for the server's group nor its terminal is for this one; nobody in front of the client decides by it.
    command.process_group(0).env_remove("CLAUDE_CODE_SESSION_ATTENDED");
    let child = command.spawn().map_err(|error| format!("cannot start in `{}`: {error}", directory.display()))?;
    let mut running = Running(Some(child));
    let Some(child) = running.0.as_mut() else { return Err("cannot start".to_owned()) };
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let give = async move {
        if let Some(mut stdin) = stdin {
            // Who does not read it says so in another way.
            let _ = stdin.write_all(input).await;
        }
    };
    let ((), stdout, stderr, status) =
        tokio::join!(give, read(stdout, OUTPUT_AT_MOST), read(stderr, COMPLAINT_AT_MOST), child.wait());
    let status = status.map_err(|error| error.to_string())?;
    running.0 = None;
    let (stdout, is_whole) = stdout;
    if !is_whole {
        return Err("the answer is too long".to_owned());
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Said { stdout: text(stdout), stderr: text(stderr.0), code: status.code() })
}

/// What comes out of a stream up to a length, and whether that is all. The rest is read as well: whoever writes it must not wait.
async fn read(stream: Option<impl AsyncRead + Unpin>, at_most: u64) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let Some(mut stream) = stream else { return (bytes, true) };
    let read = (&mut stream).take(at_most).read_to_end(&mut bytes).await;
    let rest = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    (bytes, read.is_ok() && rest.is_ok_and(|rest| rest == 0))
}

/// A process that is ended when nobody waits for it any more.
struct Running(Option<Child>);

impl Drop for Running {
    fn drop(&mut self) {
        let Some(mut child) = self.0.take() else { return };
        signal(&child, Signal::TERM);
        // It ends what it runs by itself; where nobody is left to see to that, the signal has to be enough.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if tokio::time::timeout(END_WITHIN, child.wait()).await.is_err() {
                    signal(&child, Signal::KILL);
                }
            });
        }
    }
}

/// Tells the group of a process that has not been waited for: its number is nobody else's yet.
fn signal(child: &Child, signal: Signal) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process_group(pid, signal);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    fn arguments(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[tokio::test]
    async fn it_says_what_it_has_read() {
        let said =
            run(Path::new("/bin/sh"), arguments(&["-c", "cat; echo no >&2; exit 3"]), Path::new("/"), b"yes").await;
        let Said { stdout, stderr, code } = said.unwrap();
        assert_eq!((stdout.as_str(), stderr.as_str(), code), ("yes", "no\n", Some(3)));
        assert!(run(Path::new("/dev/null/nowhere"), Vec::new(), Path::new("/"), b"").await.is_err());
        assert!(run(Path::new("/bin/sh"), Vec::new(), Path::new("/dev/null/nowhere"), b"").await.is_err());
    }

    #[tokio::test]
    async fn who_is_not_waited_for_is_ended() {
        let directory = std::env::temp_dir().join(format!("signoff-mcp-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let waiting = run(Path::new("/bin/sh"), arguments(&["-c", "echo $$ > pid; sleep 60; true"]), &directory, b"");
        let ended = tokio::time::timeout(Duration::from_millis(500), waiting).await;
        assert!(ended.is_err());
        tokio::time::sleep(Duration::from_millis(300)).await;
        let pid = std::fs::read_to_string(directory.join("pid")).unwrap();
        let left = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        assert!(left.is_empty() || left.contains(") Z "), "{left}");
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
