//! Files that are taken hostage: each of many is encrypted, and what it was before goes.

use signoff_model::Scope;

use super::{ENCRYPT_EACH, RANSOM};
use crate::{
    place::{Extent, Nature, Place},
    shell::{Call, Shell, Written, families::tool},
    value::{Arg, Feed},
};

/// A file is encrypted: worth a word if it stands for each of many outside the project.
pub(super) fn encrypt(shell: &mut Shell<'_>, file: &Arg) {
    let place = shell.place(&file.value);
    if is_each(&place) {
        shell.report(&ENCRYPT_EACH, place.target(), place.scope, file.span);
    }
}

/// Programs that encrypt a file and leave nothing of what it was: `ccrypt`, `mcrypt -u`.
pub(super) fn in_place(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || call.has_any(&["-d", "--decrypt", "-c", "--cat"]) || call.name == "ccdecrypt" {
        return call.output();
    }
    let whole = call.has_any(&["-r", "-R", "--recursive", "--rec-symlinks"]);
    for at in tool::operands(call, "-K --key -k --keyfile -E --envvar -S --suffix -f -o -a -m") {
        let Some(file) = call.args.get(at) else { continue };
        let place = shell.place(&file.value);
        let tree = whole && matches!(place.nature, Nature::Root | Nature::SystemTree | Nature::HomeTree);
        if is_each(&place) || tree {
            shell.report(&RANSOM, place.target(), place.scope, file.span);
        } else if whole || call.name != "aescrypt" {
            shell.write(file, crate::path_effects::Write::Replace);
        }
    }
    call.output()
}

/// A file is removed: what was encrypted before is then all that is left of each of them.
pub(crate) fn remove(shell: &mut Shell<'_>, file: &Arg) {
    if shell.findings.has(&ENCRYPT_EACH) {
        packed(shell, file);
    }
}

/// A file is put into an archive with a password, and removed.
pub(crate) fn packed(shell: &mut Shell<'_>, file: &Arg) {
    let place = shell.place(&file.value);
    if is_each(&place) {
        shell.report(&RANSOM, place.target(), place.scope, file.span);
    }
}

/// Whether a place stands for each of many files that are not the project's.
fn is_each(place: &Place) -> bool {
    let many = place.is_pattern() || place.extent == Extent::Below;
    many && matches!(place.scope, Scope::Home | Scope::System | Scope::Outside)
}

/// What the text itself has put of a secret into a file that looks like any other: whoever publishes the project
/// publishes it.
pub(crate) fn hidden_in_project(shell: &Shell<'_>) -> Option<Feed> {
    put_in_project(shell, |place| place.nature != Nature::Secret)
}

/// What the text itself has put of a secret into one of such files here.
pub(crate) fn put_in_project(shell: &Shell<'_>, such: impl Fn(&Place) -> bool) -> Option<Feed> {
    shell.state.written.iter().find_map(|(path, written)| {
        let Written::Content(feed) = written else { return None };
        feed.secret()?;
        let place = shell.place(&crate::value::Value::text(path.to_owned()));
        let beside = shell.cwd().is_some_and(|cwd| crate::place::is_within(path, cwd));
        ((place.scope == Scope::Project || beside) && such(&place)).then(|| feed.clone())
    })
}
