//! What bash itself says about a text. Nothing is run: `bash -n` only parses.

use std::process::{Command, Stdio};

/// Whether bash accepts the text. Extended patterns are on from the start, as a text may switch them on.
pub(crate) fn bash_accepts(text: &str) -> bool {
    let accepts = |options: &[&str]| {
        Command::new("bash")
            .args(options)
            .args(["-n", "-c", "--", text])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .env("PATH", "/usr/bin:/bin")
            .output()
            .map(|output| {
                // An error inside `[[ ]]` is printed, but the status says nothing of it. Warnings are no refusals.
                let printed = String::from_utf8_lossy(&output.stderr);
                output.status.success() && printed.lines().all(|line| line.contains("warning:"))
            })
            .expect("bash is installed")
    };
    accepts(&["-O", "extglob"]) || accepts(&[])
}
