//! Where the output goes: standard output, and standard error for failures. Nothing else in this crate prints.

use std::{
    env,
    io::{self, BufWriter, IsTerminal, Stdout, Write},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signoff_card::{Language, terminal::Colour};

use crate::failure::{Failure, Kind};
use crate::wrong_arguments;

/// As wide as cards are painted where there is no terminal to ask.
pub(crate) const COLUMNS: usize = 100;

/// Standard output, gathered and written whole.
pub(crate) struct Output(BufWriter<Descriptor>);

/// Standard output as the system sees it. The standard library takes an output that cannot be written to, such as one
/// that is open for reading only, for one that takes everything; a verdict would be lost without a word. (An output that
/// is closed it opens anew on `/dev/null` before anything of ours runs: there the exit code alone tells the verdict.)
struct Descriptor(Stdout);

impl Write for Descriptor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(&self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(Descriptor(io::stdout())))
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write_all(bytes).map_err(|error| Failure::write(&error))
    }

    /// Hands over what was written so far, for readers that wait for every line.
    pub(crate) fn deliver(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| Failure::write(&error))
    }
}

/// A flag that says whether somebody wants this process to end, for work that can be taken back on the way.
pub(crate) fn interrupted() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted)).map_err(|error| Failure::read(&error))?;
    }
    Ok(interrupted)
}

/// How wide a card may be and whether it may have colour.
pub(crate) fn canvas() -> (usize, Colour) {
    let Some(columns) = terminal_columns() else { return (COLUMNS, Colour::Off) };
    (columns, colour())
}

/// Whether a terminal may be painted in colour.
pub(crate) fn colour() -> Colour {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    if is_set("NO_COLOR") || is_dumb { Colour::Off } else { Colour::On }
}

/// A line on the terminal that says how far something is, for whatever takes longer than a moment.
pub(crate) struct Progress {
    since: Instant,
    told: Option<Instant>,
}

/// Nothing is said about what takes less than this.
const A_MOMENT: Duration = Duration::from_millis(700);
/// The line changes so often at most.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new() -> Self {
        Self { since: Instant::now(), told: None }
    }

    /// Says how far it is, if it is time to and somebody is there to read it.
    pub(crate) fn tell(&mut self, text: impl FnOnce() -> String) {
        let due = self.told.map_or(self.since + A_MOMENT, |told| told + BETWEEN_LINES);
        if Instant::now() >= due && io::stderr().is_terminal() {
            self.told = Some(Instant::now());
            complain(&format!("\r\x1b[K{}", text()));
        }
    }

    /// It is done: the line goes.
    pub(crate) fn clear(&mut self) {
        if self.told.take().is_some() {
            complain("\r\x1b[K");
        }
    }
}

/// How wide the terminal is that standard output goes to; none if it goes elsewhere.
pub(crate) fn terminal_columns() -> Option<usize> {
    let stdout = io::stdout();
    let columns = || rustix::termios::tcgetwinsize(&stdout).map_or(0, |size| usize::from(size.ws_col));
    stdout.is_terminal().then(columns).map(|columns| if columns == 0 { COLUMNS } else { columns })
}

/// Prints what the argument parser has to say: help and version to standard output, mistakes to standard error.
pub(crate) fn print_arguments_message(
    error: &clap::Error,
    language: Language,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let message = error.render().to_string();
    if error.use_stderr() {
        match language {
            Language::English => complain(&message),
            Language::Chinese => complain(&wrong_arguments::in_chinese(error)),
        }
        return Ok(ExitCode::from(Kind::Usage.exit_code()));
    }
    output.text(&message)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn report_failure(failure: &Failure, language: Language) {
    if failure.kind != Kind::ReaderGone {
        complain(&format!("{}\n", failure.told(language)));
    }
}

/// Tells a person something beside the answer.
pub(crate) fn note(message: &str) {
    complain(message);
}

/// Writes to standard error. If even that is gone, the exit code has to say it all.
fn complain(message: &str) {
    let _ = io::stderr().write_all(message.as_bytes());
}
