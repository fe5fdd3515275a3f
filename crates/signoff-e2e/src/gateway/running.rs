//! A gateway that runs.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// A gateway that cannot work by then does not start.
const STARTED_WITHIN: Duration = Duration::from_secs(60);

/// A process that serves. It is killed when this is dropped.
pub struct Running {
    child: Child,
    address: SocketAddr,
    started_in: Duration,
}

impl Running {
    /// Starts it, and waits until it says that it can work. Where it listens is found in a file that it leaves.
    pub(super) fn start(mut command: Command, says: &Path) -> Self {
        let _ = fs::remove_file(says);
        let begun = Instant::now();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let address = loop {
            let said = fs::read_to_string(says).ok().and_then(|text| text.parse().ok());
            if let Some(address) = said.filter(|address| is_ready(*address)) {
                break address;
            }
            if let Some(status) = child.try_wait().unwrap() {
                let mut words = String::new();
                child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
                panic!("it does not start: {status}\n{words}");
            }
            assert!(begun.elapsed() < STARTED_WITHIN, "it does not start");
            thread::sleep(Duration::from_millis(1));
        };
        Self { child, address, started_in: begun.elapsed() }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How long it took from the start of the process until it could work.
    pub const fn started_in(&self) -> Duration {
        self.started_in
    }

    /// How much of its memory is resident, and how much was at most, in KiB.
    pub fn resident(&self) -> (u64, u64) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().trim_end_matches(" kB").parse().unwrap()
        };
        (field("VmRSS:"), field("VmHWM:"))
    }

    /// Asks it to leave, and waits until it has.
    pub fn stop(mut self) -> ExitStatus {
        let process = Pid::from_child(&self.child);
        kill_process(process, Signal::TERM).unwrap();
        self.child.wait().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether whoever listens there can work.
fn is_ready(address: SocketAddr) -> bool {
    let asked = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "GET /v1/ready HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    asked().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}
