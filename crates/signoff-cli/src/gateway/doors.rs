//! Where a gateway is found: its socket, the directory for what was decided without it, and the files that say its key and
//! address.

use std::{
    fs,
    net::SocketAddr,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use listenfd::ListenFd;
use signoff_gate::{Mode, Places};
use signoff_permit::VerifierKey;
use tokio::net::{UnixListener, UnixStream};

use super::{key, told};
use crate::failure::Failure;

/// The socket that was handed over by whoever has started this process, as systemd does.
pub(super) fn handed_over() -> Result<Option<UnixListener>, Failure> {
    let handed = ListenFd::from_env().take_unix_listener(0);
    let taken = handed.and_then(|handed| {
        let ready = |handed: std::os::unix::net::UnixListener| {
            handed.set_nonblocking(true).and_then(|()| UnixListener::from_std(handed))
        };
        handed.map(ready).transpose()
    });
    taken.map_err(|error| told("take over the socket", &error))
}

/// The local socket.
pub(super) async fn socket(places: &Places) -> Result<UnixListener, Failure> {
    let path = places.socket();
    // Where the gate has a user id of its own everybody may call, and is known by theirs.
    let (directory_mode, mode) = match places.mode() {
        Mode::Personal => (0o700, 0o600),
        Mode::Separated => (0o755, 0o666),
    };
    if let Some(directory) = path.parent() {
        let made = signoff_config::make_private_directory(directory)
            .and_then(|()| fs::set_permissions(directory, fs::Permissions::from_mode(directory_mode)));
        made.map_err(|error| told("make the directory of the socket", &error))?;
    }
    if UnixStream::connect(&path).await.is_ok() {
        return Err(Failure::usage("a gateway is running already", "已有网关在运行")
            .hint("stop it first, or use that one", "请先停止它，或直接使用它"));
    }
    // Whoever left it there is gone.
    let _ = fs::remove_file(&path);
    let bound = UnixListener::bind(&path)
        .and_then(|bound| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).map(|()| bound));
    bound.map_err(|error| told(&format!("listen at {}", path.display()), &error))
}

/// The directory of decisions that are made without the gateway. Where it has a user id of its own, everybody adds to their own file
/// there and sees no other.
pub(super) fn make_spool(places: &Places) -> Result<PathBuf, Failure> {
    let mode = match places.mode() {
        Mode::Personal => 0o700,
        // Files there belong to the group of the gate, which reads them; nobody else does.
        Mode::Separated => 0o3733,
    };
    let spool = places.spool();
    let made = signoff_config::make_private_directory(&spool)
        .and_then(|()| fs::set_permissions(&spool, fs::Permissions::from_mode(mode)));
    made.map(|()| spool).map_err(|error| told("make the directory of what was decided elsewhere", &error))
}

/// Whoever calls knows the gate by its key, and finds it by its address.
pub(super) fn be_found(places: &Places, verifier: &VerifierKey, address: SocketAddr) -> Result<(), Failure> {
    let mode = match places.mode() {
        Mode::Personal => {
            leave(&places.verifier(), &verifier.to_string(), 0o600)?;
            0o600
        }
        Mode::Separated => {
            if key::verifier(places)? != *verifier {
                return Err(Failure::internal(
                    "the key of the gate is not the one that its callers know",
                    "网关的密钥与调用方所知的不一致",
                )
                .hint("set it up anew: sudo signoff separate", "请重新设置：sudo signoff separate"));
            }
            0o644
        }
    };
    leave(&places.address(), &address.to_string(), mode)
}

fn leave(path: &Path, text: &str, mode: u32) -> Result<(), Failure> {
    signoff_config::replace_privately(path, text.as_bytes())
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(mode)))
        .map_err(|error| told("say where the gateway is", &error))
}
