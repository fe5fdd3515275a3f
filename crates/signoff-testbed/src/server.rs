//! A PostgreSQL server, and databases on it.

use std::{
    io,
    path::{Path, PathBuf},
    process::Output,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    installed::{Runner, programs},
    watchdog::Watchdog,
};

/// Who owns everything on the server.
const USER: &str = "signoff";

/// A server that has not started by then does not.
const STARTED_WITHIN: Duration = Duration::from_secs(60);

/// Whether what is committed outlives the power of the machine. What outlives a crash of the server does so either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Each commit waits for the disk, as it does in earnest.
    Flushed,
    /// None does: for tests that are about something else.
    Unflushed,
}

/// A running server. It stops when this is dropped, or when the process ends.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    runner: Runner,
    directory: PathBuf,
    watchdog: Option<Watchdog>,
    databases: AtomicU32,
}

/// A database on a server, with nothing in it.
#[derive(Debug)]
pub struct Database<'s> {
    server: &'s Server,
    name: String,
}

impl Server {
    /// The one server of this process, for tests that need no other. Nothing is flushed.
    pub fn shared() -> io::Result<&'static Self> {
        static SHARED: OnceLock<Result<Server, String>> = OnceLock::new();
        let server = SHARED.get_or_init(|| Self::start(Durability::Unflushed).map_err(|error| error.to_string()));
        server.as_ref().map_err(|why| io::Error::other(why.clone()))
    }

    /// Makes a server of its own, and starts it.
    pub fn start(durability: Durability) -> io::Result<Self> {
        let (programs, runner) = (programs()?, Runner::find()?);
        let directory = tempfile::Builder::new().prefix("signoff-pg-").tempdir_in(runner.ground())?.keep();
        runner.own(&directory)?;
        let mut server = Self { programs, runner, directory, watchdog: None, databases: AtomicU32::new(0) };
        // Set first, so that the directory is cleared away whatever happens next.
        server.watchdog = Some(Watchdog::set(runner, &server.directory, &server.command_line(durability))?);
        let data = server.directory.join("data");
        let data = data.to_string_lossy();
        server.run("initdb", &["-D", &data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])?;
        server.restart()?;
        Ok(server)
    }

    fn command_line(&self, durability: Durability) -> Vec<String> {
        let place = |path: &Path| path.to_string_lossy().into_owned();
        let flushed = match durability {
            Durability::Flushed => "on",
            Durability::Unflushed => "off",
        };
        let mut words =
            vec![place(&self.programs.join("postgres")), "-D".to_owned(), place(&self.directory.join("data"))];
        // Nobody but the owner of the directory can reach it, so that nobody has to prove anything.
        words.extend(["-k".to_owned(), place(&self.directory)]);
        let settings = [
            "listen_addresses=",
            &format!("fsync={flushed}"),
            "max_connections=200",
            "shared_buffers=32MB",
            "logging_collector=off",
        ];
        words.extend(settings.iter().flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()]));
        words
    }

    /// The directory with its socket.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Ends all of its processes at once, without a word to any of them.
    pub fn crash(&self) -> io::Result<()> {
        self.tell("crash")
    }

    /// Starts it again, and waits until it has repaired itself.
    pub fn restart(&self) -> io::Result<()> {
        self.tell("start")?;
        let begun = Instant::now();
        while self.psql("postgres", "SELECT 1").is_err() {
            if begun.elapsed() > STARTED_WITHIN {
                let log = std::fs::read_to_string(self.directory.join("log")).unwrap_or_default();
                return Err(io::Error::other(format!("the server does not start:\n{log}")));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Makes an empty database.
    pub fn database(&self) -> io::Result<Database<'_>> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::SeqCst));
        self.psql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(Database { server: self, name })
    }

    fn tell(&self, word: &str) -> io::Result<()> {
        self.watchdog.as_ref().map_or_else(|| Err(io::Error::other("the server has stopped")), |dog| dog.tell(word))
    }

    /// Runs a script and gives what it selects, one line for each row, with bars between columns.
    fn psql(&self, database: &str, script: &str) -> io::Result<String> {
        let place = self.directory.to_string_lossy();
        let words =
            ["-h", &place, "-U", USER, "-d", database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", script];
        let output = self.run("psql", &words)?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn run(&self, program: &str, words: &[&str]) -> io::Result<Output> {
        let output = self.runner.command(&self.programs.join(program), &self.directory).args(words).output()?;
        if output.status.success() {
            return Ok(output);
        }
        Err(io::Error::other(format!("{program}: {}", String::from_utf8_lossy(&output.stderr))))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(watchdog) = self.watchdog.take() {
            // A directory that is left over is no reason to fail a test.
            let _ = watchdog.dismiss();
        }
    }
}

impl Database<'_> {
    /// Where it is reached.
    pub fn url(&self) -> String {
        self.url_through(self.server.directory())
    }

    /// Where it is reached through a socket in another directory.
    pub(crate) fn url_through(&self, directory: &Path) -> String {
        format!("postgresql:///{}?user={USER}&host={}", self.name, directory.display())
    }

    /// Runs a script as the owner of everything, and gives what it selects.
    pub fn sql(&self, script: &str) -> io::Result<String> {
        self.server.psql(&self.name, script)
    }

    /// The server that it is on.
    pub fn server(&self) -> &Server {
        self.server
    }
}
