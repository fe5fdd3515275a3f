//! A wire to a server that can be cut at a word: right before the server hears it, or right before its answer comes back.

use std::{
    io::{self, Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use tempfile::TempDir;

use crate::Database;

/// The name of a server's socket at the usual port.
const SOCKET: &str = ".s.PGSQL.5432";

/// Where a wire is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The server never hears the word.
    BeforeItArrives,
    /// The server does as it is told, and nobody hears of it.
    BeforeItIsAnswered,
    /// Nothing is carried any more, and nobody hangs up: neither side can tell.
    Silently,
}

/// What is found where the wire was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// Another wire.
    Open,
    /// Nothing: whoever calls is hung up on.
    Shut,
}

/// A wire to a database.
#[derive(Debug)]
pub struct Wire {
    directory: TempDir,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    server: PathBuf,
    plan: Mutex<Plan>,
    cuts: AtomicUsize,
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    /// What comes next: the word at which to cut, where, and what then.
    next: Option<(&'static str, Cut, Afterwards)>,
    now: Afterwards,
}

impl Wire {
    /// A wire to the server of a database, which carries everything until it is told otherwise.
    pub fn to(database: &Database<'_>) -> io::Result<Self> {
        let directory = TempDir::new()?;
        let listener = UnixListener::bind(directory.path().join(SOCKET))?;
        let state = Arc::new(State {
            server: database.server().directory().join(SOCKET),
            plan: Mutex::new(Plan { next: None, now: Afterwards::Open }),
            cuts: AtomicUsize::new(0),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for caller in listener.incoming().flatten() {
                // Dropping a call hangs up.
                if shared.plan().now == Afterwards::Open {
                    let _ = connect(caller, &shared);
                }
            }
        });
        Ok(Self { directory, state })
    }

    /// Where a database is reached through it.
    pub fn url(&self, database: &Database<'_>) -> String {
        database.url_through(self.directory.path())
    }

    /// Cuts the call in which this word is said next.
    pub fn cut_at(&self, word: &'static str, cut: Cut, then: Afterwards) {
        self.state.plan().next = Some((word, cut, then));
    }

    /// Takes calls again.
    pub fn mend(&self) {
        self.state.plan().now = Afterwards::Open;
    }

    /// How often it was cut.
    pub fn cuts(&self) -> usize {
        self.state.cuts.load(Ordering::SeqCst)
    }
}

impl State {
    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to cut at what is being said, and where. Happens once.
    fn cut_at(&self, said: &[u8]) -> Option<Cut> {
        let mut plan = self.plan();
        let (word, cut, then) = plan.next?;
        if !said.windows(word.len()).any(|part| part == word.as_bytes()) {
            return None;
        }
        *plan = Plan { next: None, now: then };
        self.cuts.fetch_add(1, Ordering::SeqCst);
        Some(cut)
    }
}

/// One call: what is said goes there, and what is answered comes back.
fn connect(caller: UnixStream, state: &Arc<State>) -> io::Result<()> {
    let server = UnixStream::connect(&state.server)?;
    let (back_to, back_from) = (caller.try_clone()?, server.try_clone()?);
    let answers = Arc::new(Mutex::new(Carry::On));
    let (shared, carried) = (Arc::clone(state), Arc::clone(&answers));
    thread::spawn(move || {
        let answer_with = |how| *carried.lock().unwrap_or_else(PoisonError::into_inner) = how;
        carry(&caller, &server, |said| match shared.cut_at(said) {
            None => Carry::On,
            Some(Cut::BeforeItArrives) => Carry::HangUp,
            Some(Cut::BeforeItIsAnswered) => {
                answer_with(Carry::HangUp);
                Carry::On
            }
            Some(Cut::Silently) => {
                answer_with(Carry::Nothing);
                Carry::Nothing
            }
        });
    });
    thread::spawn(move || {
        carry(&back_from, &back_to, |_| *answers.lock().unwrap_or_else(PoisonError::into_inner));
    });
    Ok(())
}

/// What to do with what was just said.
#[derive(Clone, Copy, Debug)]
enum Carry {
    On,
    Nothing,
    HangUp,
}

/// Carries bytes until one side hangs up, or it is told to, and hangs up on both then.
fn carry(mut from: &UnixStream, mut to: &UnixStream, mut how: impl FnMut(&[u8]) -> Carry) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer) {
        let Some(said) = buffer.get(..length).filter(|said| !said.is_empty()) else { break };
        match how(said) {
            Carry::On if to.write_all(said).is_ok() => {}
            Carry::On | Carry::HangUp => break,
            // What is said from now on is not even read.
            Carry::Nothing => loop {
                thread::park();
            },
        }
    }
    // Whoever has hung up already does not mind.
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
