//! Being noticed: a question that waits is told to whoever looks elsewhere, by the bell of a terminal and by the desktop. Nothing of
//! the question itself leaves this process by that.

use std::{
    io::{self, IsTerminal as _},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use signoff_card::Language;
use signoff_server::App;
use tokio::time::{Instant, sleep};

use crate::{failure::in_language, output};

/// So often at most the gateway itself says that something waits.
const TELL_EVERY: Duration = Duration::from_secs(30);
/// So many entries of the ledger are looked at in one go.
const AT_ONCE: u32 = 256;
/// After this the store is asked again that could not say.
const TRY_EVERY: Duration = Duration::from_secs(5);

/// Tells the desktop. Where there is none, nobody is told.
pub(super) fn on_desktop(language: Language) {
    let text = in_language(language, "A question waits for your answer.", "有一个问题等待您回答。");
    let mut command = if cfg!(target_os = "macos") {
        let mut command = Command::new("osascript");
        command.args(["-e", &format!("display notification \"{text}\" with title \"Signoff\"")]);
        command
    } else {
        let mut command = Command::new("notify-send");
        command.args(["--app-name=signoff", "Signoff", text]);
        command
    };
    let told = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    // It ends by itself, and somebody has to take note of that.
    if let Ok(mut told) = told {
        thread::spawn(move || told.wait());
    }
}

/// Says at the gateway's own terminal, and on its desktop, that a question waits which nobody attends to.
pub(super) async fn where_nobody_looks(app: &App, language: Language) {
    let store = app.store();
    let mut told: Option<Instant> = None;
    let mut after = None;
    loop {
        let Ok(length) = store.news(after.unwrap_or_default()).await else {
            sleep(TRY_EVERY).await;
            continue;
        };
        // What was there before is asked about by whoever opens the inbox.
        let from = after.unwrap_or(length);
        let Ok(subjects) = store.subjects(from, AT_ONCE).await else {
            sleep(TRY_EVERY).await;
            continue;
        };
        after = Some(subjects.last().map_or(length, |last| last.number));
        let is_early = told.is_some_and(|told| told.elapsed() < TELL_EVERY);
        let mut waits = false;
        for id in subjects.iter().filter_map(|subject| subject.approval).filter(|_| !is_early) {
            waits |= app.waits_alone(id).await.unwrap_or(false);
        }
        if waits {
            told = Some(Instant::now());
            let bell = if io::stderr().is_terminal() { "\u{7}" } else { "" };
            let text = in_language(
                language,
                "A question waits, and nobody is attending: signoff inbox\n",
                "有一个问题在等待，且无人值守：signoff inbox\n",
            );
            output::note(&format!("{bell}{text}"));
            on_desktop(language);
        }
    }
}
