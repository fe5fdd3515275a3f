//! `signoff serve`: the gateway.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read as _, Write as _},
    net::SocketAddr,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
    sync::Arc,
    time::Duration,
};

use signoff_card::{Language, visible};
use signoff_gate::{Gate, LocalEyes, Mint as _, Places, Store, SystemMint};
use signoff_model::{Actor, Answerer, Assurance, ChannelId, PersonId};
use signoff_permit::IssuerKey;
use signoff_server::{Allowed, App};
use signoff_store::{Postgres, Sqlite, Timekeeper, system_clock};
use tokio::{
    net::{TcpListener, UnixListener, UnixStream},
    signal::unix::{SignalKind, signal},
    sync::watch,
};

use super::{no_randomness, of_account, of_store, own_name, sealing::Sealer};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::ServeArguments,
    judge::language,
    output,
    person::Person,
};

/// After this, whoever still waits is left: they come back under the same key.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);
/// Time is looked at at least so often.
const LOOK_AT_LEAST: Duration = Duration::from_millis(500);

pub(crate) fn run(arguments: &ServeArguments, places: &Places) -> Result<(), Failure> {
    if !arguments.bind.ip().is_loopback() && !arguments.behind_proxy {
        return Err(Failure::usage(
            format!("`{}` can be reached from other machines, and this server speaks no TLS", arguments.bind),
            format!("`{}` 可被其他机器访问，而本服务不提供 TLS", arguments.bind),
        )
        .hint(
            "bind to 127.0.0.1, or put a TLS proxy in front and say so with --behind-proxy",
            "请绑定到 127.0.0.1，或在前面放置 TLS 代理并使用 --behind-proxy",
        ));
    }
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = built.map_err(|error| told("start", &error))?;
    runtime.block_on(serve(arguments, places))
}

async fn serve(arguments: &ServeArguments, places: &Places) -> Result<(), Failure> {
    let language = language(arguments.lang);
    let (key, seal) = (key(places)?, key(places)?);
    let store = store(arguments.store.as_deref(), places).await?;
    let listener = TcpListener::bind(arguments.bind)
        .await
        .map_err(|error| told(&format!("listen at {}", arguments.bind), &error))?;
    let address = listener.local_addr().map_err(|error| told("listen", &error))?;
    let socket = socket(&places.socket()).await?;
    let eyes = Arc::new(LocalEyes::new(places.clone()));
    let gate = Gate::new(Arc::clone(&store), key, Box::new(SystemMint), eyes);
    let verifier = gate.verifier();
    let app = Arc::new(App::new(gate, Some(address), arguments.name.iter().cloned()));
    // Whoever calls knows the gate by its key, and finds it by these.
    leave(&places.verifier(), &verifier.to_string())?;
    leave(&places.address(), &address.to_string())?;
    let owner = PersonId::new(own_name()).map_err(|bad| Failure::internal(bad.to_string(), bad.to_string()))?;
    greet(&app, &owner, address, &places.socket(), language).await?;

    let (leaving, left) = watch::channel(false);
    let gone = |mut left: watch::Receiver<bool>| async move {
        // A sender that is gone has left as well.
        let _ = left.wait_for(|left| *left).await;
    };
    let allowed = Allowed { user: rustix::process::geteuid().as_raw(), owner };
    let tcp = tokio::spawn(signoff_server::serve_tcp(Arc::clone(&app), listener, gone(left.clone())));
    let local = tokio::spawn(signoff_server::serve_socket(Arc::clone(&app), socket, allowed, gone(left)));
    let time = tokio::spawn(keep_time(Arc::clone(&store)));
    let sealer = Arc::new(Sealer { store, key: seal, places: places.clone(), language });
    let sealing = tokio::spawn({
        let sealer = Arc::clone(&sealer);
        async move { sealer.keep().await }
    });
    asked_to_leave().await?;
    let _ = leaving.send(true);
    let _ = tokio::time::timeout(LEAVE_WITHIN, async { (tcp.await, local.await) }).await;
    time.abort();
    sealing.abort();
    let _ = tokio::time::timeout(LEAVE_WITHIN, sealer.finish()).await;
    // The next one finds no traces of this one; they are of no use to anybody.
    for trace in [places.address(), places.socket()] {
        let _ = fs::remove_file(trace);
    }
    Ok(())
}

/// Says where the gateway is. The first person is invited by whoever has started it at a terminal, and by nobody else.
async fn greet(
    app: &App,
    owner: &PersonId,
    address: SocketAddr,
    socket: &Path,
    language: Language,
) -> Result<(), Failure> {
    let socket = visible(&socket.to_string_lossy());
    let text = match language {
        Language::English => format!("The gateway answers people at http://{address} and agents at {socket}\n"),
        Language::Chinese => format!("网关在 http://{address} 应答人，在 {socket} 应答智能体\n"),
    };
    output::note(&text);
    if !app.accounts().people().await.map_err(|error| of_account(&error))?.is_empty() {
        return Ok(());
    }
    let note = match Person::here() {
        Ok(_) => {
            let by = Answerer { person: owner.clone(), channel: ChannelId::inbox(), assurance: Assurance::Login };
            let invited = app.accounts().invite(owner, Actor::Person(by)).await;
            let invitation = invited.map_err(|error| of_account(&error))?;
            match language {
                Language::English => format!(
                    "Nobody can answer yet. In another terminal, choose your password with:\n\n  signoff people join {invitation}\n\n"
                ),
                Language::Chinese => {
                    format!("还没有人可以回答。请在另一个终端设置你的密码：\n\n  signoff people join {invitation}\n\n")
                }
            }
        }
        Err(_) => in_language(
            language,
            "Nobody can answer yet: stop the gateway and run `signoff people invite NAME` at a terminal of your own.\n",
            "还没有人可以回答：请停止网关，并在自己的终端运行 `signoff people invite NAME`。\n",
        )
        .to_owned(),
    };
    output::note(&note);
    Ok(())
}

/// Lets time run out on whatever is due.
async fn keep_time(store: Arc<dyn Store>) {
    loop {
        match store.tick(256).await {
            Ok(ticked) if !ticked.ended.is_empty() => {}
            Ok(_) | Err(_) => tokio::time::sleep(LOOK_AT_LEAST).await,
        }
    }
}

async fn asked_to_leave() -> Result<(), Failure> {
    let listen = |kind| signal(kind).map_err(|error| told("listen for signals", &error));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

/// The store that was asked for: an address of PostgreSQL, or a file.
pub(super) async fn store(asked: Option<&str>, places: &Places) -> Result<Arc<dyn Store>, Failure> {
    let path = match asked {
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            let store = Postgres::connect(url, Timekeeper::Database).await.map_err(|error| of_store(&error))?;
            return Ok(Arc::new(store));
        }
        Some(path) => path.into(),
        None => places.store(),
    };
    if let Some(directory) = path.parent() {
        signoff_config::make_private_directory(directory)
            .map_err(|error| told("make the directory of the store", &error))?;
    }
    Ok(Arc::new(Sqlite::open(&path, system_clock()).map_err(|error| of_store(&error))?))
}

/// The secret of the gate. It is made once, and only its owner may read it.
fn key(places: &Places) -> Result<IssuerKey, Failure> {
    let path = places.key();
    if let Some(directory) = path.parent() {
        signoff_config::make_private_directory(directory)
            .map_err(|error| told("make the directory of the key", &error))?;
    }
    let mut seed = [0; 32];
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(mut file) => {
            seed = *SystemMint.nonce().map_err(|none| no_randomness(&none))?.as_bytes();
            let written = file.write_all(&seed).and_then(|()| file.sync_all());
            written.map_err(|error| told("keep the key", &error))?;
            Ok(IssuerKey::from_seed(seed))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let read = fs::File::open(&path).and_then(|mut file| {
                let mode = file.metadata()?.permissions().mode();
                file.read_exact(&mut seed).map(|()| mode)
            });
            let mode = read.map_err(|error| told("read the key", &error))?;
            if mode & 0o077 != 0 {
                let path = visible(&path.to_string_lossy());
                return Err(Failure::internal(
                    format!("others can read the key of the gate: `{path}`"),
                    format!("其他人可以读取网关的密钥：`{path}`"),
                )
                .hint(
                    format!("take it away from them: chmod 600 '{path}'"),
                    format!("请收回权限：chmod 600 '{path}'"),
                ));
            }
            Ok(IssuerKey::from_seed(seed))
        }
        Err(error) => Err(told("keep the key", &error)),
    }
}

/// The local socket, in a directory that only its owner may enter.
async fn socket(path: &Path) -> Result<UnixListener, Failure> {
    if let Some(directory) = path.parent() {
        let made = signoff_config::make_private_directory(directory)
            .and_then(|()| fs::set_permissions(directory, fs::Permissions::from_mode(0o700)));
        made.map_err(|error| told("make the directory of the socket", &error))?;
    }
    if UnixStream::connect(path).await.is_ok() {
        return Err(Failure::usage("a gateway is running already", "已有网关在运行")
            .hint("stop it first, or use that one", "请先停止它，或直接使用它"));
    }
    // Whoever left it there is gone.
    let _ = fs::remove_file(path);
    UnixListener::bind(path).map_err(|error| told(&format!("listen at {}", path.display()), &error))
}

fn leave(path: &Path, text: &str) -> Result<(), Failure> {
    signoff_config::replace_privately(path, text.as_bytes()).map_err(|error| told("say where the gateway is", &error))
}

fn told(what: &str, error: &io::Error) -> Failure {
    Failure::internal(format!("cannot {what}: {error}"), format!("无法完成（{what}）：{error}"))
}
