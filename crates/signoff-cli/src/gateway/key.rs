//! The key of the gate: the secret half, which the gateway alone reads, and the other, by which its callers know it.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

use rustix::fs::OFlags;
use signoff_card::visible;
use signoff_gate::{Mint as _, Mode, Places, SystemMint};
use signoff_permit::{IssuerKey, VerifierKey};

use super::{no_gateway, no_randomness, told};
use crate::failure::Failure;

/// The secret of the gate. It is made once, and only its owner may read it.
pub(super) fn secret(path: &Path) -> Result<IssuerKey, Failure> {
    if let Some(directory) = path.parent() {
        signoff_config::make_private_directory(directory)
            .map_err(|error| told("make the directory of the key", &error))?;
    }
    match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make(path)?;
            read(path).map_err(|error| told("read the key", &error))?
        }
        read => read.map_err(|error| told("read the key", &error))?,
    }
}

/// The key that is kept, or why it must not be used.
fn read(path: &Path) -> io::Result<Result<IssuerKey, Failure>> {
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let mut file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let mut seed = [0; 32];
    let mode = file.metadata()?.permissions().mode();
    file.read_exact(&mut seed)?;
    if mode & 0o077 == 0 {
        return Ok(Ok(IssuerKey::from_seed(seed)));
    }
    let path = visible(&path.to_string_lossy());
    let failure = Failure::internal(
        format!("others can read the key of the gate: `{path}`"),
        format!("其他人可以读取网关的密钥：`{path}`"),
    );
    let hint = (format!("take it away from them: chmod 600 '{path}'"), format!("请收回权限：chmod 600 '{path}'"));
    Ok(Err(failure.hint(hint.0, hint.1)))
}

/// Makes a key under another name, and gives it its own once all of it is on the disk: whoever dies meanwhile leaves none, and
/// of two that begin at once one makes it.
fn make(path: &Path) -> Result<(), Failure> {
    let seed = *SystemMint.nonce().map_err(|none| no_randomness(&none))?.as_bytes();
    let name = SystemMint.nonce().map_err(|none| no_randomness(&none))?.to_string();
    let new = path.with_extension(format!("key.{name}"));
    let made = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&seed)?;
        file.sync_all()?;
        match fs::hard_link(&new, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        fs::remove_file(&new)?;
        path.parent().map_or(Ok(()), |directory| fs::File::open(directory)?.sync_all())
    })();
    made.map_err(|error| told("keep the key", &error))
}

/// The key by which callers know the gate of this machine or user.
pub(crate) fn verifier(places: &Places) -> Result<VerifierKey, Failure> {
    let path = places.verifier();
    let text = signoff_config::text_of_file(&path).ok().flatten().ok_or_else(no_gateway)?;
    let shown = visible(&path.to_string_lossy());
    if places.mode() == Mode::Separated {
        let kept = fs::symlink_metadata(&path).map_err(|error| told("look at the key of the gate", &error))?;
        if kept.uid() != 0 || kept.mode() & 0o022 != 0 {
            return Err(Failure::internal(
                format!("somebody other than the administrator can change `{shown}`"),
                format!("管理员以外的人可以修改 `{shown}`"),
            )
            .hint("set it up anew: sudo signoff separate", "请重新设置：sudo signoff separate"));
        }
    }
    VerifierKey::parse(&text).map_err(|_| {
        Failure::internal(format!("`{shown}` holds no key"), format!("`{shown}` 中没有密钥"))
            .hint("start the gateway again: signoff serve", "请重新启动网关：signoff serve")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn a_key_is_made_once_and_by_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state/gate.key");
        let keys: Vec<String> = std::thread::scope(|scope| {
            let making: Vec<_> =
                (0..8).map(|_| scope.spawn(|| secret(&path).map(|key| key.verifier().to_string()))).collect();
            making.into_iter().map(|made| made.join().unwrap().ok().unwrap()).collect()
        });
        assert!(keys.windows(2).all(|two| two[0] == two[1]), "{keys:?}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let left: Vec<_> =
            fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["gate.key"], "nothing is left beside it");
    }

    #[test]
    fn a_maker_that_died_leaves_no_key_in_the_way() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("gate.key");
        fs::write(path.with_extension("key.of-somebody-who-died"), "half").unwrap();
        assert!(secret(&path).is_ok());
    }
}
