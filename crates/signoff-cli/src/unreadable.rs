//! Keeps what this process holds (a password, the token of a login, a permit, the key of the gate) from others who run
//! under the same user id: they may neither look into its memory, nor attach to it, nor make it leave a copy when it falls.

use crate::failure::Failure;

/// Closes this process. From here on its files below `/proc` belong to root, so whoever looks at itself there has to have
/// done so, or has to go on without; what it starts is open again.
#[cfg(target_os = "linux")]
pub(crate) fn become_unreadable() -> Result<(), Failure> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| {
        let error = std::io::Error::from(error);
        Failure::internal(
            format!("cannot keep the memory of this process from others: {error}"),
            format!("无法阻止他人读取本进程的内存：{error}"),
        )
    })
}

/// The system asks for the password of an administrator before anybody looks into another process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn become_unreadable() -> Result<(), Failure> {
    Ok(())
}
