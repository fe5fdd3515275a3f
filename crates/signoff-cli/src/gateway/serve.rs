//! `signoff serve`: the gateway.

use std::{fs, net::SocketAddr, os::unix::fs::MetadataExt as _, sync::Arc, time::Duration};

use signoff_card::{Language, visible};
use signoff_gate::{Gate, LocalEyes, Mode, Places, Store, SystemMint};
use signoff_model::{Actor, Answerer, Assurance, ChannelId, PersonId};
use signoff_permit::VerifierKey;
use signoff_server::{App, Owners};
use signoff_store::{Postgres, Sqlite, Timekeeper, own, system_clock, take_over};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
};

use super::{
    doors, key, not_owned, noticing, of_account, of_store, on_demand, own_name, sealing::Sealer, standing, told,
};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::ServeArguments,
    judge::language,
    output,
    person::Person,
};

/// After this, whoever still waits is left: they come back under the same key.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);
/// How often decisions are taken in that were made without the gateway.
const TAKE_IN_EVERY: Duration = Duration::from_secs(2);
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
    if arguments.on_demand {
        on_demand::detach();
    }
    open_files();
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = built.map_err(|error| told("start", &error))?;
    runtime.block_on(serve(arguments, places))
}

async fn serve(arguments: &ServeArguments, places: &Places) -> Result<(), Failure> {
    let language = language(arguments.lang);
    under_its_own_user_id(places)?;
    let (key, seal) = (key::secret(&places.key())?, key::secret(&places.key())?);
    let store = store(arguments.store.as_deref(), places).await?;
    owned(&*store, &key.verifier(), arguments).await?;
    let mut bound = TcpListener::bind(arguments.bind).await;
    if bound.is_err() && arguments.on_demand {
        // Callers find it by the address that it leaves, whichever that is.
        bound = TcpListener::bind((arguments.bind.ip(), 0)).await;
    }
    let listener = bound.map_err(|error| told(&format!("listen at {}", arguments.bind), &error))?;
    let address = listener.local_addr().map_err(|error| told("listen", &error))?;
    let (socket, own_socket) = match doors::handed_over()? {
        Some(handed) => (handed, false),
        None => (doors::socket(places).await?, true),
    };
    let eyes = Arc::new(LocalEyes::new(places.clone()));
    let gate = Gate::new(Arc::clone(&store), key, Box::new(SystemMint), eyes);
    let verifier = gate.verifier();
    let app = App::new(gate, Some(address), arguments.name.iter().cloned());
    let app = app.speaking_mcp(Arc::new(signoff_mcp::server::Network::default()));
    let app = Arc::new(if arguments.behind_proxy { app.behind_tls() } else { app });
    doors::be_found(places, &verifier, address)?;
    let owner = PersonId::new(own_name()).map_err(|bad| Failure::internal(bad.to_string(), bad.to_string()))?;
    greet(&app, &owner, address, places, language).await?;

    let (leaving, left) = watch::channel(false);
    let gone = |mut left: watch::Receiver<bool>| async move {
        // A sender that is gone has left as well.
        let _ = left.wait_for(|left| *left).await;
    };
    let owners = owners(places, owner.clone());
    let tcp = tokio::spawn(signoff_server::serve_tcp(Arc::clone(&app), listener, gone(left.clone())));
    let local = tokio::spawn(signoff_server::serve_socket(Arc::clone(&app), socket, owners, gone(left)));
    let time = tokio::spawn(keep_time(Arc::clone(&store)));
    let sealer = Arc::new(Sealer { store, key: seal, places: places.clone(), language });
    let sealing = tokio::spawn({
        let sealer = Arc::clone(&sealer);
        async move { sealer.keep().await }
    });
    let spool = doors::make_spool(places)?;
    let taking_in = tokio::spawn({
        let (store, spool, owners) = (Arc::clone(&sealer.store), spool.clone(), self::owners(places, owner.clone()));
        async move {
            loop {
                // What cannot be taken in now is there the next time.
                let _ = signoff_store::take_in(&spool, &*store, &owners).await;
                tokio::time::sleep(TAKE_IN_EVERY).await;
            }
        }
    });
    let noticing = tokio::spawn({
        let app = Arc::clone(&app);
        async move { noticing::where_nobody_looks(&app, language).await }
    });
    let marking = tokio::spawn({
        let (app, places) = (Arc::clone(&app), places.clone());
        async move { tokio::join!(standing::mark(&app, &places), standing::mark_distrust(&app, &places)) }
    });
    tokio::select! {
        left = asked_to_leave() => left?,
        () = on_demand::until_idle(&app), if arguments.on_demand => {}
    }
    let _ = leaving.send(true);
    let _ = tokio::time::timeout(LEAVE_WITHIN, async { (tcp.await, local.await) }).await;
    time.abort();
    marking.abort();
    noticing.abort();
    taking_in.abort();
    sealing.abort();
    let _ = tokio::time::timeout(LEAVE_WITHIN, sealer.finish()).await;
    // The next one finds no traces of this one; they are of no use to anybody.
    // The socket of somebody else who hands it over stays theirs.
    let _ = fs::remove_file(places.address());
    if own_socket {
        let _ = fs::remove_file(places.socket());
    }
    Ok(())
}

/// The store is that of the gate with this key, or becomes it where a person at a terminal says so.
async fn owned(store: &dyn Store, key: &VerifierKey, arguments: &ServeArguments) -> Result<(), Failure> {
    if arguments.accept_new_key {
        if Person::here().is_err() {
            return Err(Failure::usage(
                "`--accept-new-key` needs a person at a terminal",
                "`--accept-new-key` 需要有人在终端前操作",
            )
            .hint("run it in a terminal of your own, once", "请在自己的终端中运行一次"));
        }
        let by = PersonId::new(own_name()).map_err(|bad| Failure::internal(bad.to_string(), bad.to_string()))?;
        let by = Actor::Person(Answerer { person: by, channel: ChannelId::inbox(), assurance: Assurance::Login });
        return take_over(store, key, &by).await.map_err(|error| not_owned(&error));
    }
    own(store, key).await.map_err(|error| not_owned(&error))
}

/// Takes as many open files as the system grants: each connection is one, and the usual thousand is soon gone.
fn open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // Where that is not granted, whoever finds no place waits.
    let _ = setrlimit(Resource::Nofile, rustix::process::Rlimit { current: limit.maximum, ..limit });
}

/// Says where the gateway is. The first person is invited by whoever has started it at a terminal, and by nobody else.
async fn greet(
    app: &App,
    owner: &PersonId,
    address: SocketAddr,
    places: &Places,
    language: Language,
) -> Result<(), Failure> {
    let socket = visible(&places.socket().to_string_lossy());
    let text = match language {
        Language::English => format!("The gateway answers people at http://{address} and agents at {socket}\n"),
        Language::Chinese => format!("网关在 http://{address} 应答人，在 {socket} 应答智能体\n"),
    };
    output::note(&text);
    if !app.accounts().people().await.map_err(|error| of_account(&error))?.is_empty() {
        return Ok(());
    }
    let note = match (Person::here(), places.mode()) {
        (Ok(_), Mode::Personal) => {
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
        (_, Mode::Separated) => in_language(
            language,
            "Nobody can answer yet: stop the gateway and run `sudo signoff people invite NAME` at a terminal of your own.\n",
            "还没有人可以回答：请停止网关，并在自己的终端运行 `sudo signoff people invite NAME`。\n",
        )
        .to_owned(),
        (Err(_), Mode::Personal) => in_language(
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

/// For whom whatever runs under a user id works.
fn owners(places: &Places, owner: PersonId) -> Owners {
    let own = rustix::process::geteuid().as_raw();
    match places.mode() {
        Mode::Personal => Box::new(move |uid| (uid == own || uid == 0).then(|| owner.clone())),
        // The gate itself asks nothing.
        Mode::Separated => Box::new(move |uid| {
            let name = (uid != own).then(|| signoff_facts::name_of(uid)).flatten()?;
            PersonId::new(name).ok()
        }),
    }
}

/// On a machine that is set up for it, the gateway runs under its own user id, and under no other.
fn under_its_own_user_id(places: &Places) -> Result<(), Failure> {
    if places.mode() == Mode::Personal {
        return Ok(());
    }
    let secrets = places.secrets();
    let kept = fs::metadata(&secrets).map_err(|error| told("look at the directory of the gate", &error))?;
    if kept.uid() != rustix::process::geteuid().as_raw() {
        return Err(Failure::usage(
            "the gateway of this machine runs under a user id of its own",
            "本机的网关以独立的用户身份运行",
        )
        .hint("see `systemctl status signoff`", "请查看 `systemctl status signoff`"));
    }
    if kept.mode() & 0o077 != 0 {
        let path = visible(&secrets.to_string_lossy());
        return Err(Failure::internal(
            format!("others can look into the directory of the gate: `{path}`"),
            format!("其他人可以查看网关的目录：`{path}`"),
        )
        .hint(format!("take it away from them: chmod 700 '{path}'"), format!("请收回权限：chmod 700 '{path}'")));
    }
    Ok(())
}
