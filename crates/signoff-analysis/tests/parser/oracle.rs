//! What bash itself says about a text. Nothing is run: `bash -n` only parses.

use std::process::{Command, Stdio};

/// Whether bash accepts the text. Extended patterns are on from the start, as a text may switch them on.
pub(crate) fn bash_accepts(text: &str) -> bool {
    let accepts = |options: &[&str]| {
        Command::new("bash")
            .args(options)
            .args(["-n", "-c", text])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .env("PATH", "/usr/bin:/bin")
            .status()
            .expect("bash is installed")
            .success()
    };
    accepts(&["-O", "extglob"]) || accepts(&[])
}
