//! Secrets that the text has put into a commit, and where it sends that: to a repository that only this text knows of, it gives
//! them away.

use super::Step;
use crate::{
    place::Nature,
    shell::{Shell, Written, families::secrets::hostage::put_in_project},
    value::{Arg, Value},
};

/// The lists of what was staged, and of the remotes that were added.
const STAGED: &str = "the staging area";
const ADDED: &str = "the added remotes";

/// `git add paths`: remembers the first secret among them.
pub(super) fn add(shell: &mut Shell<'_>, step: &Step<'_>) {
    let everything = step.args.iter().any(|arg| arg.is("-A") || arg.is("--all") || arg.is("."));
    let named = step.args.iter().filter(|arg| !arg.is_option()).find_map(|arg| secret_at(shell, arg));
    let copied = || everything.then(|| put_in_project(shell, |_| true)?.secret().map(str::to_owned)).flatten();
    if let Some(secret) = named.or_else(copied) {
        shell.keep(STAGED, Value::text(secret));
    }
}

/// `git commit -m "$(cat key)"`, `git tag -m …`: what is said about a commit goes along with it.
pub(super) fn message(shell: &mut Shell<'_>, step: &Step<'_>) {
    let said = step.args.iter().find_map(|arg| arg.value.secret());
    if let Some(secret) = said.map(Value::text) {
        shell.keep(STAGED, secret);
    }
}

/// `git remote add name address`.
pub(super) fn add_remote(shell: &mut Shell<'_>, name: &Arg) {
    shell.keep(ADDED, name.value.clone());
}

/// The secret that would leave with what is pushed to this remote. Whoever has set the other remotes up knows what is in the
/// repository, and is asked about the push.
pub(super) fn given_away(shell: &Shell<'_>, remote: &Arg) -> Option<String> {
    let text = remote.value.prefix();
    let added = || shell.kept(ADDED).contains(&remote.value);
    let address = text.contains("://") || text.split_once(':').is_some_and(|(host, _)| host.contains(['@', '.']));
    let staged = shell.kept(STAGED).iter().find_map(Value::known)?.to_owned();
    (address || added()).then_some(staged)
}

fn secret_at(shell: &Shell<'_>, arg: &Arg) -> Option<String> {
    let place = shell.place(&arg.value);
    let holds = match shell.written(&place.path) {
        Some(Written::Content(feed)) => feed.secret().is_some(),
        _ => place.nature == Nature::Secret,
    };
    holds.then(|| place.shown.clone())
}
