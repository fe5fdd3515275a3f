//! A gateway that is started by whoever needs one. It goes again when nobody does.

use std::{
    env,
    os::unix::net::UnixStream,
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use signoff_gate::{Mode, Places, Wanted};
use signoff_model::Stage;
use signoff_server::App;

use super::told;
use crate::failure::Failure;

/// So long it may take to be there.
const START_WITHIN: Duration = Duration::from_secs(10);
/// How often it is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Where nothing is open, it goes after so long without a call.
const IDLE_FOR: Duration = Duration::from_secs(600);
/// How often it is looked whether anybody needs it.
const CHECK_EVERY: Duration = Duration::from_secs(5);

/// Makes sure that a gateway listens, where somebody has used one here before. The first one is started by a person, who is
/// invited by it; and one with a user id of its own is started by the system.
pub(crate) fn be_there(places: &Places) -> Result<(), Failure> {
    let socket = places.socket();
    if places.mode() == Mode::Separated || !places.store().exists() || UnixStream::connect(&socket).is_ok() {
        return Ok(());
    }
    let program = env::current_exe().map_err(|error| told("find this program", &error))?;
    // Nothing of whoever needs it reaches it: neither variables, nor a terminal, nor a directory that could not be unmounted.
    let mut gateway = Command::new(program)
        .args(["serve", "--on-demand"])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| told("start a gateway", &error))?;
    let begun = Instant::now();
    while begun.elapsed() < START_WITHIN {
        if UnixStream::connect(&socket).is_ok() {
            return Ok(());
        }
        // Of two that begin at once, one goes; the other is on its way.
        let _ = gateway.try_wait();
        thread::sleep(LOOK_EVERY);
    }
    Err(Failure::internal("the gateway does not start", "网关无法启动")
        .hint("see why: signoff serve", "查看原因：signoff serve"))
}

/// Leaves the session of whoever has started this process, so that nothing that ends there ends it.
pub(super) fn detach() {
    // Whoever leads a session already has left.
    let _ = rustix::process::setsid();
}

/// Ends as soon as nobody needs the gateway any more.
pub(super) async fn until_idle(app: &Arc<App>) {
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        if app.idle_for() < IDLE_FOR {
            continue;
        }
        let open = Wanted { stage: Some(Stage::PENDING.to_owned()), at_most: 1, ..Wanted::default() };
        if app.store().list(open).await.is_ok_and(|open| open.is_empty()) {
            return;
        }
    }
}
