//! A gateway with a person and an agent's key, for tests of clients in other languages: it says where everything is in one line of
//! JSON, and then obeys the lines it is given. When nobody gives any more, everything is gone.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a harness that cannot go on fails")]

use std::{env, fs, io, net::SocketAddr, path::Path};

use serde_json::json;
use signoff_e2e::{
    Kept,
    gateway::{PASSWORD, Running, Site},
};

fn main() {
    // The program lies beside this one.
    let program = env::current_exe().unwrap().with_file_name("signoff-e2e");
    let site = Site::new(Kept::InAFile);
    // On the local socket an agent works for whoever runs it, who has no account here.
    site.configure("[approval]\napprovers = [\"person-0\"]\n");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let joined = runtime.block_on(site.join(1, 1));
    let mut running = Some(site.serve(&program, &[]));
    let address = running.as_ref().map(Running::address).unwrap();
    let state = site.root().join("state");
    let said = json!({
        "url": format!("http://{address}"),
        "socket": state.join("run/gate.sock"),
        "key": joined.keys.first(),
        "gate_key": fs::read_to_string(state.join("gate.pub")).unwrap(),
        "person": joined.people.first(),
        "password": PASSWORD,
        "work": site.work(),
        "settings": site.root().join("user/config.toml"),
    });
    println!("{said}");
    for line in io::stdin().lines() {
        match line.unwrap().as_str() {
            // As a power cut would.
            "kill" => drop(running.take()),
            "start" => running = Some(again(&site, &program, address)),
            other => panic!("nobody knows what {other:?} is"),
        }
        println!("done");
    }
}

/// Starts it where it was before, since its callers look for it there.
fn again(site: &Site, program: &Path, address: SocketAddr) -> Running {
    site.serve_with(site.command(program, &["serve", "--bind", &address.to_string()]))
}
