//! Between two programs: the one that has started us, and the one that we start. When one of them goes, so does the other.

use std::{ffi::OsString, future::Future, io, process::ExitCode, sync::Arc, time::Duration};

use signoff_agents::{jsonrpc::Outlet, program::Program};
use signoff_card::visible;
use signoff_mcp::{Remote, Target};
use tokio::{
    io::{DuplexStream, ReadHalf, Stdin, duplex, split, stdin, stdout},
    process::ChildStdout,
    runtime::{Builder, Runtime},
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
    time::timeout,
};

use crate::failure::Failure;

/// So many threads wait for disks, for a gateway that starts, and for the two sides.
const WAITING_AT_MOST: usize = 256;
/// So much is on the way to a server over HTTP, and from it.
const PIPE: usize = 1 << 16;
/// So long the last words of a program that has ended may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// So long it may take until what was asked is taken back.
const TAKE_BACK_WITHIN: Duration = Duration::from_secs(3);

/// What runs between the two.
pub(super) struct Between {
    /// Takes what the one says that has started us.
    pub(super) from_client: JoinHandle<io::Result<()>>,
    /// Takes what the other says.
    pub(super) from_server: JoinHandle<io::Result<()>>,
}

/// The two sides, before anything was said.
pub(super) struct Sides<S> {
    pub(super) client: Stdin,
    pub(super) to_client: Outlet,
    pub(super) server: S,
    pub(super) to_server: Outlet,
}

/// Starts the program behind us and stands between until one of the sides is gone. `leave` takes back what was asked.
pub(super) fn stand<L: Future<Output = ()>>(
    command: &[OsString],
    begin: impl FnOnce(Sides<ChildStdout>) -> (Between, L),
) -> Result<ExitCode, Failure> {
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let (mut program, stdin_of, stdout_of) = Program::start(command).map_err(|error| unstarted(command, &error))?;
        let to_server = Outlet::new(stdin_of);
        let sides = Sides {
            client: stdin(),
            to_client: Outlet::new(stdout()),
            server: stdout_of,
            to_server: to_server.clone(),
        };
        let (Between { from_client, mut from_server }, leave) = begin(sides);
        let is_gone = tokio::select! {
            _ = from_client => false,
            () = told_to_end() => false,
            _ = &mut from_server => true,
        };
        // What was asked is taken back, whether or not a gateway is there to hear it.
        let _ = timeout(TAKE_BACK_WITHIN, leave).await;
        let code = program_end(&mut program, &to_server).await;
        if !is_gone {
            let _ = timeout(LAST_WORDS, from_server).await;
        }
        Ok(ExitCode::from(code))
    });
    // Whoever waits for the input of this process waits for somebody who has gone.
    runtime.shutdown_background();
    ended
}

/// Stands between the one that has started us and a server over HTTP, until the first is gone.
pub(super) fn stand_before<L: Future<Output = ()>>(
    target: Target,
    begin: impl FnOnce(Sides<ReadHalf<DuplexStream>>) -> (Between, L),
) -> Result<ExitCode, Failure> {
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let (proxy, remote) = duplex(PIPE);
        let (server, to_server) = split(proxy);
        let (from_proxy, to_proxy) = split(remote);
        let remote = Remote::new(target, to_proxy).map_err(|why| {
            let why = visible(&why);
            Failure::internal(format!("cannot speak TLS here: {why}"), format!("无法使用 TLS：{why}"))
        })?;
        let conversing = tokio::spawn(Arc::clone(&remote).converse(from_proxy));
        let to_server = Outlet::new(to_server);
        let sides = Sides { client: stdin(), to_client: Outlet::new(stdout()), server, to_server: to_server.clone() };
        let (Between { from_client, from_server }, leave) = begin(sides);
        tokio::select! {
            _ = from_client => {}
            () = told_to_end() => {}
            _ = from_server => {}
        }
        let _ = timeout(TAKE_BACK_WITHIN, leave).await;
        let _ = timeout(LAST_WORDS, to_server.close()).await;
        let _ = timeout(LAST_WORDS, conversing).await;
        remote.leave().await;
        Ok(ExitCode::SUCCESS)
    });
    // Whoever waits for the input of this process waits for somebody who has gone.
    runtime.shutdown_background();
    ended
}

async fn program_end(program: &mut Program, to_server: &Outlet) -> u8 {
    let _ = timeout(LAST_WORDS, to_server.close()).await;
    program.end().await
}

fn runtime() -> Result<Runtime, Failure> {
    let built =
        Builder::new_multi_thread().worker_threads(2).max_blocking_threads(WAITING_AT_MOST).enable_all().build();
    built.map_err(|error| Failure::internal(format!("cannot start: {error}"), format!("无法启动：{error}")))
}

/// Somebody ends this process.
pub(crate) async fn told_to_end() {
    let heard = |kind| async move {
        match signal(kind) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = heard(SignalKind::terminate()) => {}
        () = heard(SignalKind::interrupt()) => {}
        () = heard(SignalKind::hangup()) => {}
    }
}

fn unstarted(command: &[OsString], error: &io::Error) -> Failure {
    let name = visible(&command.first().cloned().unwrap_or_default().to_string_lossy());
    Failure::internal(format!("cannot start `{name}`: {error}"), format!("无法启动 `{name}`：{error}"))
}
