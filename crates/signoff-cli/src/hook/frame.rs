//! What stands around a hook from its first moment: whatever goes wrong inside ends in a no that the client hears.
//!
//! A hook that dies, hangs or says nothing lets most clients run the call. So a no is ready before anything else is done: for a
//! panic on any thread, for a deadline that passes while a disk or a gateway is waited for, for every signal that would end this process
//! and can be heard, and, as far as a process can say anything then, for its own abort. Whoever speaks first has spoken.

use std::{
    io::{self, Read as _, Write as _},
    os::unix::net::UnixStream,
    panic,
    process::exit,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use signal_hook::{
    consts::{
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2,
        SIGVTALRM, SIGXCPU, SIGXFSZ,
    },
    low_level::pipe,
};
use signoff_agents::{
    Client,
    hook::{Reply, unheeded},
};

/// The exit code of a no.
const NO: i32 = 2;

/// What ends a process without a word, unless somebody listens. Nobody can listen to a kill.
const ENDING: [i32; 14] = [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGTRAP,
    SIGSYS,
];

/// What is done once this process was ended from outside.
type Farewell = Box<dyn FnOnce() + Send>;

/// Stands around one call of a hook.
pub(super) struct Frame {
    begun: Instant,
    client: Client,
    spoken: Arc<AtomicBool>,
    late: Arc<Mutex<String>>,
    farewell: Arc<Mutex<Option<Farewell>>>,
}

impl Frame {
    /// Makes sure that this process ends in a no unless somebody says something else.
    pub(super) fn around(client: Client) -> Self {
        let spoken = Arc::new(AtomicBool::new(false));
        let late = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&spoken);
        panic::set_hook(Box::new(move |defect| {
            let words = format!("Signoff itself failed, this is a defect; the call was not allowed: {defect}");
            speak_once(&heard, &unheeded(client, &words));
            exit(NO);
        }));
        // A stack that overflows and memory that runs out are told on standard error by the runtime, which then aborts. What could
        // not be arranged leaves the client with a process that was killed.
        let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, NO, Arc::new(AtomicBool::new(true)));
        let frame = Self { begun: Instant::now(), client, spoken, late, farewell: Arc::default() };
        frame.watch();
        frame
    }

    /// Says no when it is too late for anything else, and when somebody ends this process.
    fn watch(&self) {
        let (spoken, late, client) = (Arc::clone(&self.spoken), Arc::clone(&self.late), self.client);
        let farewell = Arc::clone(&self.farewell);
        let (signals, until) = (signals(), self.begun + client.answer_within());
        let watch = move || {
            let was_ended = signals.is_ok_and(|signals| is_ended_before(until, signals));
            thread::sleep(if was_ended { Duration::ZERO } else { until.saturating_duration_since(Instant::now()) });
            let words = late.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let words = match (was_ended, words.is_empty()) {
                (true, _) => {
                    "Signoff was ended by a signal before it could decide; the call was not allowed".to_owned()
                }
                (false, true) => "Signoff could not decide in time".to_owned(),
                (false, false) => words,
            };
            speak_once(&spoken, &unheeded(client, &words));
            if was_ended {
                take_leave(&farewell);
            }
            exit(NO);
        };
        if thread::Builder::new().name("signoff-deadline".to_owned()).spawn(watch).is_err() {
            speak_once(&self.spoken, &unheeded(self.client, "Signoff cannot watch its own deadline"));
            exit(NO);
        }
    }

    /// How long is left for somebody to decide, so that an answer in words comes before the deadline does.
    pub(super) fn left(&self) -> Duration {
        const MARGIN: Duration = Duration::from_secs(2);
        self.client.answer_within().saturating_sub(MARGIN).saturating_sub(self.begun.elapsed())
    }

    /// What is said from now on where it is too late.
    pub(super) fn say_if_late(&self, words: &str) {
        words.clone_into(&mut self.late.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What is done from now on when somebody ends this process, after the no was said.
    pub(super) fn do_when_ended(&self, farewell: impl FnOnce() + Send + 'static) {
        *self.farewell.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(farewell));
    }

    /// Says what was decided, and ends this process.
    pub(super) fn end(self, reply: &Reply) -> ! {
        speak_once(&self.spoken, reply);
        exit(i32::from(reply.code));
    }
}

/// Where a byte arrives for each signal that would end this process.
fn signals() -> io::Result<UnixStream> {
    let (heard, caught) = UnixStream::pair()?;
    for signal in ENDING {
        pipe::register(signal, caught.try_clone()?)?;
    }
    Ok(heard)
}

/// Whether a signal comes before it is too late. Other signals may end the waiting before its time.
fn is_ended_before(until: Instant, mut signals: UnixStream) -> bool {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || signals.set_read_timeout(Some(left)).is_err() {
            return false;
        }
        match signals.read(&mut [0]) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
            Err(_) => return false,
        }
    }
}

/// Does what is left to be done, for a moment: whoever has ended this process does not wait.
fn take_leave(farewell: &Mutex<Option<Farewell>>) {
    const A_MOMENT: Duration = Duration::from_secs(5);
    let Some(farewell) = farewell.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let (done, over) = mpsc::channel();
    let leave = move || {
        farewell();
        let _ = done.send(());
    };
    if thread::Builder::new().name("signoff-farewell".to_owned()).spawn(leave).is_ok() {
        let _ = over.recv_timeout(A_MOMENT);
    }
}

/// Says something, unless something was said before. What could not be said whole is a no.
fn speak_once(spoken: &AtomicBool, reply: &Reply) {
    if spoken.swap(true, Ordering::AcqRel) {
        // Whoever spoke first is about to end this process.
        loop {
            thread::park();
        }
    }
    let told = io::stderr().write_all(reply.stderr.as_bytes());
    let mut stdout = io::stdout().lock();
    let said = stdout.write_all(reply.stdout.as_bytes()).and_then(|()| stdout.flush());
    if said.is_err() || told.is_err() {
        exit(NO);
    }
}
