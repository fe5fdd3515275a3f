//! What other systems of version control throw away: by the system, the verb and what it is told.

use super::rules;
use crate::{rule::Rule, shell::options::Options, words::is_listed};

/// A verb by which work or history goes. Lists are texts, separated by spaces.
#[derive(Debug)]
struct Loss {
    /// The programs that have the verb.
    systems: &'static str,
    /// The verb, alone or with the one behind it: `stash+drop`.
    verbs: &'static str,
    /// Options of which one has to be given; none if it goes anyway.
    only_by: &'static [&'static str],
    /// What is said about it.
    rule: &'static Rule,
}

const fn loss(systems: &'static str, verbs: &'static str, rule: &'static Rule) -> Loss {
    Loss { systems, verbs, only_by: &[], rule }
}

const fn loss_by(
    systems: &'static str,
    verbs: &'static str,
    only_by: &'static [&'static str],
    rule: &'static Rule,
) -> Loss {
    Loss { systems, verbs, only_by, rule }
}

static LOSSES: &[Loss] = &[
    loss("bzr brz fossil sl p4 darcs got mtn", "revert", &rules::DISCARD),
    loss("pijul", "reset", &rules::DISCARD),
    loss("bzr brz fossil sl p4", "clean clean-tree purge", &rules::DISCARD),
    loss_by("sl", "goto go update up checkout co", &["C", "clean"], &rules::DISCARD),
    loss_by("fossil", "checkout co update", &["f", "force"], &rules::DISCARD),
    loss_by("fossil", "close", &["f", "force"], &rules::DISCARD),
    loss_by("cvs", "update up upd", &["C"], &rules::DISCARD),
    loss_by("p4", "sync", &["f"], &rules::DISCARD),
    loss_by("repo", "sync", &["force-sync", "d", "detach", "force-checkout", "force-remove-dirty"], &rules::DISCARD),
    loss_by("fossil", "rm delete forget", &["hard"], &rules::REMOVE_TRACKED),
    loss_by("bzr brz", "rm remove del delete", &["no-backup", "force"], &rules::REMOVE_TRACKED),
    loss_by("got cvs sl", "rm remove delete", &["f", "force"], &rules::REMOVE_TRACKED),
    loss_by("cvs", "release", &["d"], &rules::REMOVE_TRACKED),
    loss("fossil", "stash+drop stash+rm", &rules::DROP_STASH),
    loss_by("bzr brz", "shelve", &["destroy"], &rules::DROP_STASH),
    loss_by("bzr brz", "unshelve", &["delete-only"], &rules::DROP_STASH),
    loss_by("sl", "shelve unshelve", &["d", "delete", "cleanup"], &rules::DROP_STASH),
    loss_by("p4", "shelve", &["d"], &rules::DROP_STASH),
    loss("darcs", "obliterate unpull unrecord rebase+obliterate", &rules::DROP_HISTORY),
    loss("pijul", "unrecord channel+delete", &rules::DROP_HISTORY),
    loss("fossil", "shun scrub", &rules::DROP_HISTORY),
    loss("sl", "strip debugstrip hide prune", &rules::DROP_HISTORY),
    loss("gotadmin", "cleanup", &rules::DROP_HISTORY),
    loss_by("got", "branch ref", &["d"], &rules::DELETE_BRANCH),
    loss_by("cvs", "admin", &["o"], &rules::REWRITE_HISTORY),
    loss("hg chg", "strip debugstrip rollback prune", &rules::DROP_HISTORY),
    loss("jj", "abandon op+abandon operation+abandon", &rules::DROP_HISTORY),
    loss("jj", "restore", &rules::DISCARD),
];

/// What is said about a verb of one of these systems, if something goes by it. `operand` is the first behind the verb.
pub(super) fn rule(system: &str, verb: &str, options: &Options<'_>, operand: &str) -> Option<&'static Rule> {
    let says = |words: &str| match words.split_once('+') {
        Some((first, second)) => first == verb && second == operand,
        None => words == verb,
    };
    LOSSES
        .iter()
        .find(|loss| {
            is_listed(loss.systems, system)
                && loss.verbs.split(' ').any(says)
                && (loss.only_by.is_empty() || options.has(loss.only_by))
        })
        .map(|loss| loss.rule)
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask};

    use crate::testing::check;

    #[test]
    fn what_throws_work_away_asks() {
        check(
            Ask,
            &[
                "fossil rm --hard x",
                "fossil revert",
                "fossil revert src/x.c",
                "fossil clean",
                "fossil stash drop",
                "fossil checkout --force trunk",
                "fossil shun abcdef",
                "bzr rm --no-backup x",
                "bzr revert --no-backup",
                "brz revert",
                "bzr clean-tree --force",
                "bzr shelve --destroy",
                "got revert -R .",
                "got rm -f x",
                "got branch -d feature",
                "gotadmin cleanup -p",
                "pijul reset",
                "pijul unrecord ABC",
                "pijul channel delete x",
                "svn revert -R .",
                "svn cleanup --remove-unversioned",
                "hg revert --no-backup x",
                "hg debugstrip tip",
                "hg prune .",
                "jj abandon",
                "jj abandon xyz",
                "jj restore",
                "jj restore src/x.rs",
                "jj -R ../other abandon x",
                "sl revert --all",
                "sl hide x",
                "sl goto -C main",
                "sl shelve --delete x",
                "darcs obliterate --last 1",
                "darcs unrecord",
                "cvs update -C",
                "cvs remove -f x.c",
                "p4 revert ...",
                "p4 sync -f ...",
                "mtn revert .",
            ],
        );
    }

    #[test]
    fn looking_adding_and_rehearsing_is_harmless() {
        check(
            Allow,
            &[
                "fossil rm x",
                "fossil status",
                "fossil add x",
                "fossil update",
                "fossil stash save -m x",
                "fossil stash list",
                "fossil clean --dry-run",
                "bzr status",
                "bzr add x",
                "bzr commit -m x",
                "bzr shelve",
                "got status",
                "got diff",
                "got commit -m x",
                "got branch feature",
                "got branch -l",
                "got update",
                "got stage x",
                "pijul record -m x",
                "pijul reset --dry-run",
                "pijul channel",
                "pijul log",
                "svn status",
                "svn diff",
                "svn update",
                "svn cleanup",
                "hg status",
                "hg commit -m x",
                "hg shelve",
                "jj log",
                "jj new",
                "jj undo",
                "jj describe -m x",
                "jj squash",
                "jj op log",
                "jj abandon --help",
                "jj restore -h",
                "sl status",
                "sl goto main",
                "sl amend",
                "sl",
                "darcs record -m x",
                "darcs whatsnew",
                "cvs update",
                "cvs diff",
                "p4 sync",
                "p4 opened",
                "p4 revert -n ...",
                "mtn status",
            ],
        );
    }
}
