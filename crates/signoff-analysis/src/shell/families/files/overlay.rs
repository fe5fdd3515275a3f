//! What goes over something that stands there already, where options or another machine leave open whether it is a file or
//! a tree.

use signoff_model::Scope;

use super::{copy::arrivals, sync::remote_host};
use crate::{
    path_effects::{BULK_WRITE, Write, is_database},
    shell::Shell,
    value::Arg,
    weighing::is_laid_over_sources,
};

/// Whether what a copy of `source` to `target` replaces is a database by its name: no directory has such a one.
pub(super) fn is_over_database(shell: &Shell<'_>, source: &Arg, target: &Arg) -> bool {
    let (arrival, _) = arrivals(shell, source, target);
    is_database(&shell.place(&arrival.value))
}

/// Says so if what another directory holds is laid over the sources of the project: nobody sees which of them it replaces.
pub(in crate::shell::families) fn overlay(shell: &mut Shell<'_>, source: &Arg, target: &Arg) {
    let contents = match source.value.known_with_globs() {
        Some(text) => text.ends_with("/.") || text.ends_with('/') || text == "." || text.ends_with("/*") || text == "*",
        None => false,
    };
    let (from, to) = (shell.place(&source.value), shell.place(&target.value));
    let from = remote_host(source).is_none().then_some(&*from);
    // What is known to be lost is told by name; the rest of the project's own git has.
    let known = from.is_some_and(|from| from.scope == Scope::Project) && shell.findings.is_merged(&to.target());
    if contents && !known && is_laid_over_sources(from, &to) {
        shell.report(&BULK_WRITE, to.target(), to.scope, source.span.to(target.span));
    }
}

/// Something comes to a target from another machine or out of a container, under the name that it has there.
pub(in crate::shell::families) fn bring(shell: &mut Shell<'_>, source: &Arg, target: &Arg) {
    let bare = match source.known() {
        Some(text) => Arg::text(text.trim_end_matches('/'), source.span),
        None => source.clone(),
    };
    let name = match bare.known() {
        Some(text) => {
            Arg::text(text.rsplit(['/', ':']).next().filter(|name| !name.is_empty()).unwrap_or("."), source.span)
        }
        None => source.clone(),
    };
    let how = if is_over_database(shell, &name, target) { Write::Replace } else { Write::Append };
    let (arrival, _) = arrivals(shell, &name, target);
    let written = if how == Write::Replace { &arrival } else { target };
    shell.write(written, how);
    overlay(shell, &bare, target);
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask};

    use crate::testing::check;

    #[test]
    fn a_database_is_replaced_whatever_brings_the_other_one() {
        check(
            Ask,
            &[
                "cp -a old.db data.db",
                "rsync old.db data.db",
                "rsync -a old.db data.db",
                "rsync -a h:x.db data.db",
                "rsync -av h:/srv/x.db ./",
                "scp h:x data.db",
                "scp web:/srv/x.db .",
                "scp -P 2222 me@h:/srv/app.sqlite3 var/app.sqlite3",
                "sftp h:x data.db",
                "docker cp c:/x data.db",
                "docker cp c:/srv/app.db .",
                "podman cp c:/x data.db",
                "kubectl cp pod:/x data.db",
                "rclone copyto r:x data.db",
                "aws s3 cp s3://b/x data.db",
                "gsutil cp gs://b/x data.db",
            ],
        );
    }

    #[test]
    fn what_comes_beside_it_replaces_none() {
        check(
            Allow,
            &[
                "cp -a old.db /tmp/data.db",
                "cp -a --backup=numbered old.db data.db",
                "rsync -n old.db data.db",
                "rsync -b old.db data.db",
                "rsync --ignore-existing old.db data.db",
                "rsync -a data.db /tmp/",
                "rsync -a fixtures/x.db tests/data/x.db",
                "scp h:x.log .",
                "scp h:x.db /tmp/",
                "scp h:report.pdf ~/Downloads/",
                "docker cp c:/var/log/x.log .",
                "docker cp c:/app/dist /tmp/dist",
                "docker cp data.db c:/x",
                "docker cp c:/x -",
                "kubectl cp pod:/x ./x",
                "rclone copyto r:x /tmp/data.db",
                "aws s3 cp s3://b/x.json .",
            ],
        );
    }

    #[test]
    fn a_tree_over_the_sources_asks() {
        check(
            Ask,
            &[
                "cp -r old/. src/",
                "cp -r old/* src/",
                "rsync -a old/ src/",
                "rsync -a h:old/ src/",
                "scp -r h:old/* src/",
                "docker cp c:/app/. src/",
                "kubectl cp pod:/app/. src/",
                "rsync -a ../other/ ./",
            ],
        );
        check(
            Allow,
            &[
                "cp -r old src/",
                "cp a.rs b.rs src/",
                "cp -r dist/. lib/",
                "cp -r src/. /tmp/src/",
                "rsync -a src/ backup/",
                "rsync -a src/ dist/",
                "rsync -an old/ src/",
                "rsync -a assets src/",
                "scp -r h:assets src/",
                "docker cp c:/app/assets src/",
            ],
        );
    }
}
