//! The clients for Python and TypeScript: what they know of the API is made from its description, and they work against a real gateway.
//! `SIGNOFF_BLESS=1` brings the files up to date.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

#[path = "clients/description.rs"]
mod description;
#[path = "clients/python.rs"]
mod python;
#[path = "clients/texts.rs"]
mod texts;
#[path = "clients/typescript.rs"]
mod typescript;

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations")
}

/// Every path, method, field, value and what has to be there, as the server says it, is what the clients know.
#[test]
fn what_the_clients_know_is_what_the_server_says() {
    let (description, texts) = (description::of_agents(), texts::all());
    let files = [
        ("python/signoff_client/_wire.py", python::wire(&description)),
        ("python/signoff_client/_words.py", python::words(&texts)),
        ("typescript/wire.d.ts", typescript::types(&description)),
        ("typescript/wire.js", typescript::routes(&description)),
        ("typescript/words.js", typescript::words(&texts)),
    ];
    for (path, wanted) in files {
        let file = integrations().join(path);
        if env::var_os("SIGNOFF_BLESS").is_some() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &wanted).unwrap();
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            found == wanted,
            "integrations/{path} is stale; bring it up to date with: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test clients"
        );
    }
}

/// Runs the tests of a client in its own language against real gateways. Where the language is not there, that is said aloud.
#[track_caller]
fn run(language: &str, arguments: &[&str], directory: &str) {
    let mut command = Command::new(language);
    command.args(arguments).current_dir(integrations().join(directory));
    command.env("SIGNOFF_SITE", env!("CARGO_BIN_EXE_signoff-site")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env_remove("LD_LIBRARY_PATH");
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            // Past what a test that does not fail keeps to itself.
            let why = format!("SKIPPED: the client in integrations/{directory} was not tested: {language}: {error}\n");
            io::stderr().write_all(why.as_bytes()).unwrap();
            return;
        }
    };
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    // A run that found no tests has not failed either.
    assert!(said.contains("Ran ") || said.contains("# tests "), "{said}");
}

#[test]
fn the_python_client_at_a_real_gateway() {
    // With everything that Python would warn about: a connection that is left open, a thread that died.
    run("python3", &["-W", "error", "-m", "unittest"], "python");
}

#[test]
fn the_typescript_client_at_a_real_gateway() {
    run("node", &["--test", "--test-reporter=tap", "tests/gate.test.js"], "typescript");
}
