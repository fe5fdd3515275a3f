//! Connections: each is served on its own, there are only so many, and whoever says nothing is hung up on.

use std::{pin::pin, sync::Arc};

use axum::{Router, serve::Listener};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
};

use crate::Limits;

/// Serves connections until the future ends, each by what is made for whoever is at its other end, and then those that are in the middle of a request to its end.
pub(crate) async fn serve<L: Listener>(
    mut listener: L,
    service: impl Fn(L::Addr) -> Router,
    limits: Limits,
    until: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let (leaving, left) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut until = pin!(until);
    loop {
        // Who finds no place waits in the queue of the system, and takes nothing here.
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, (stream, peer)) = tokio::select! {
            () = &mut until => break,
            next = next => next,
        };
        connections.spawn(one(stream, service(peer), limits, left.clone(), place.ok()));
        while connections.try_join_next().is_some() {}
    }
    leaving.send_replace(true);
    while connections.join_next().await.is_some() {}
}

/// Serves one connection, and keeps its place for as long as that takes.
async fn one<P>(
    stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    service: Router,
    limits: Limits,
    mut left: watch::Receiver<bool>,
    place: P,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_within)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = pin!(connection);
    // However it ends, whoever called knows it by then.
    let asked_to_leave = async { left.wait_for(|left| *left).await.is_ok() };
    let _ = tokio::select! {
        ended = connection.as_mut() => ended,
        _ = asked_to_leave => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    drop(place);
}
