//! Commands that throw work away, judged by what the work tree really has.
//!
//! Only forms that are sure are read here: every word is known, every option is one of a few, and git is told neither by
//! options nor by variables to work anywhere else. Whatever else is written is judged by the text alone.

use signoff_model::{EffectKind, Reversible, Scope, Target};

use super::{Step, lose, rules};
use crate::{
    facts::{CleanedIgnored, Discard, Discarded, Whereabouts},
    place::{Extent, Place, is_within},
    shell::{Call, Shell, stakes::Testimony},
    value::{Arg, Value},
};

/// So many staged versions are told one by one.
const STAGED_AT_MOST: usize = 16;

/// Variables that lead git, or whoever looks for it, to another program or to other settings.
const LEADING: &[&str] = &["HOME", "PATH", "XDG_CONFIG_HOME"];
const LEADING_KINDS: &[&str] = &["GIT_", "LD_", "DYLD_"];

/// What a command would throw away, for a milder as for a graver judgement; none where the text alone has to be judged.
pub(super) fn known(shell: &mut Shell<'_>, step: &Step<'_>, discard: Option<Discard>) -> Option<Discarded> {
    found(shell, step, discard).filter(|(_, testimony)| *testimony == Testimony::Whole).map(|(found, _)| found)
}

/// The same where nothing but a graver judgement comes of it: something that goes for good, also behind other commands.
pub(super) fn losing(shell: &mut Shell<'_>, step: &Step<'_>, discard: Option<Discard>) -> Option<Discarded> {
    found(shell, step, discard).map(|(found, _)| found).filter(|found| !found.lost.is_empty() || found.unseen)
}

fn found(shell: &mut Shell<'_>, step: &Step<'_>, discard: Option<Discard>) -> Option<(Discarded, Testimony)> {
    let discard = discard?;
    // Outside of the project more counts than what is lost.
    if !is_called_here(shell, step) || shell.place(&Value::text(".")).scope != Scope::Project {
        return None;
    }
    shell.discarded(&discard)
}

/// So many commits are looked at that one command brings.
const BROUGHT_AT_MOST: usize = 4;

/// Says so where what other commits have goes over something that git is told to ignore: git does not ask about that.
pub(super) fn stake_brought(shell: &mut Shell<'_>, step: &Step<'_>, brought: &[Brought<'_>]) {
    for each in brought.iter().take(BROUGHT_AT_MOST) {
        if let Some((found, testimony)) = found(shell, step, each.discard()) {
            shell.stake_overwritten(&found.lost, testimony, step.span());
            if found.unseen {
                lose(shell, &rules::DISCARD, Target::Path(".".to_owned()), step.span());
            }
        }
    }
}

/// What a work tree holds that git ignores.
pub(super) enum InTree {
    /// Nothing that nobody makes again, as far as is known.
    Nothing,
    /// This.
    Lost(Vec<String>),
    /// It is there, and too much to be looked through.
    Unknown,
}

/// What goes with a work tree besides what git has.
pub(super) fn ignored_in(shell: &mut Shell<'_>, step: &Step<'_>, tree: &Place) -> InTree {
    let is_named = tree.extent == Extent::Exact && tree.scope != Scope::Temp && is_called_here(shell, step);
    if !is_named || shell.testimony().is_none() || !shell.may_look() || shell.facts.names(&tree.path).is_none() {
        return InTree::Nothing;
    }
    // What builds make in there is known by where it lies in that tree.
    let whereabouts =
        Whereabouts { cwd: tree.path.clone(), home: shell.whereabouts.home.clone(), project: tree.path.clone() };
    let found = [CleanedIgnored::Only, CleanedIgnored::Too].into_iter().find_map(|ignored| {
        let discard = Discard::Untracked { paths: Vec::new(), directories: true, ignored, repositories: true };
        shell.facts.discarded(&tree.path, &discard, &whereabouts)
    });
    match found {
        Some(found) if found.lost.is_empty() && !found.unseen => InTree::Nothing,
        Some(found) => InTree::Lost(found.lost),
        None => InTree::Unknown,
    }
}

/// What comes into the work tree from other commits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Brought<'a> {
    /// All that is in a commit.
    All(&'a Arg),
    /// All that is in the branch of another repository that is named, or else in the one that is followed.
    Remote(Option<(&'a Arg, &'a Arg)>),
    /// What a commit has changed, or all those of a range.
    Picked(&'a Arg),
    /// What it was before.
    TakenBack(&'a Arg),
}

impl Brought<'_> {
    fn discard(self) -> Option<Discard> {
        let whole = |commit: &str| Some(Discard::Brought { commit: commit.to_owned(), since: None });
        let part = |commit: String, since: String| Some(Discard::Brought { commit, since: Some(since) });
        match self {
            Self::All(commit) => whole(commit.known()?),
            Self::Remote(None) => whole("@{u}"),
            Self::Remote(Some((remote, branch))) => {
                let branch = branch.known()?.trim_start_matches('+');
                let branch = branch.split_once(':').map_or(branch, |(from, _)| from);
                whole(&format!("{}/{branch}", remote.known()?))
            }
            Self::Picked(range) => match range.known()?.split_once("..") {
                Some((since, commit)) => part(commit.trim_start_matches('.').to_owned(), since.to_owned()),
                None => part(range.known()?.to_owned(), format!("{}^", range.known()?)),
            },
            Self::TakenBack(commit) => part(format!("{}^", commit.known()?), commit.known()?.to_owned()),
        }
    }
}

/// Whether nothing goes.
pub(super) fn is_nothing(found: &Discarded) -> bool {
    found.lost.is_empty() && found.rebuilt.is_empty() && !found.unseen
}

/// What is known to go is shown before anybody is asked about the target. A version that was staged and stands nowhere
/// else is told by itself: no list of files shows it.
pub(super) fn stake(shell: &mut Shell<'_>, step: &Step<'_>, found: &Discarded, target: Target) {
    found.lost.iter().chain(&found.rebuilt).for_each(|path| shell.findings.at_stake(path));
    for path in found.staged.iter().take(STAGED_AT_MOST) {
        let place = Place::exactly(path.clone(), shell.whereabouts);
        lose(shell, &rules::DISCARD_STAGED, Target::Named(place.shown), step.span());
    }
    if !found.unseen {
        shell.findings.told(target);
    }
}

/// Something is made as it was, and nothing goes by that.
pub(super) fn note_restored(shell: &mut Shell<'_>, step: &Step<'_>) {
    let target = Target::Named(format!("git {}", step.shown()));
    let span = shell.blamed(step.span());
    shell.findings.note(EffectKind::Overwrite, target, Scope::Project, Reversible::WithGit, span);
}

/// Whether git works where the shell stands, or where `-C` leads to.
fn is_called_here(shell: &Shell<'_>, step: &Step<'_>) -> bool {
    let Some(verb_at) = step.call.args.len().checked_sub(step.args.len() + 1) else { return false };
    let (globals, rest) = step.call.args.split_at_checked(verb_at).unwrap_or_default();
    let is_verb = |arg: &Arg| arg.known().is_some() && arg.known() == step.verb.known();
    let mut globals = globals.iter();
    while let Some(global) = globals.next() {
        let leads = match global.known() {
            Some("-C") => globals.next().and_then(Arg::known).is_some_and(|directory| !directory.is_empty()),
            Some("-P" | "--no-pager" | "--no-optional-locks") => true,
            _ => false,
        };
        if !leads {
            return false;
        }
    }
    let leading = |name: &str| LEADING.contains(&name) || LEADING_KINDS.iter().any(|kind| name.starts_with(kind));
    is_git(step.call) && rest.first().is_some_and(is_verb) && !shell.state.variables.keys().any(leading)
}

/// Whether a call is of the git that is installed, and not of something that has its name.
pub(super) fn is_git(call: &Call) -> bool {
    const INSTALLED: &[&str] =
        &["git", "/usr/bin/git", "/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git", "/opt/local/bin/git"];
    call.program.known().is_some_and(|program| INSTALLED.contains(&program))
}

/// The words of a command, if each of them is known.
fn words<'s>(step: &'s Step<'_>) -> Option<Vec<&'s str>> {
    step.args.iter().map(Arg::known).collect()
}

/// The whole work tree is made as one commit has it: `git reset --hard`, `git checkout -f`, `git switch -f`. `flags` are
/// the options that change nothing about that, and `names` those that name a branch to be made.
pub(super) fn to_one_commit(step: &Step<'_>, flags: &[&str], names: &[&str]) -> Option<Discard> {
    let mut commit = None;
    let mut words = words(step)?.into_iter();
    while let Some(word) = words.next() {
        if names.contains(&word) {
            words.next()?;
        } else if word.starts_with('-') {
            flags.contains(&word).then_some(())?;
        } else if commit.replace(word).is_some() || word.is_empty() {
            return None;
        }
    }
    Some(Discard::ToCommit { commit: commit.unwrap_or("HEAD").to_owned(), paths: None })
}

/// Whether that leaves the branch where it is.
pub(super) fn stays(discard: &Discard) -> bool {
    matches!(discard, Discard::ToCommit { commit, .. } if commit == "HEAD" || commit == "@")
}

/// `git checkout [commit] -- paths`, also without the dashes where `is_path_like` tells what the first word is.
pub(super) fn of_checkout(step: &Step<'_>, is_path_like: fn(&Arg) -> bool) -> Option<Discard> {
    let words = words(step)?;
    let end = words.iter().position(|word| *word == "--");
    let (before, behind) = match end {
        Some(end) => (words.get(..end)?, words.get(end + 1..)?),
        None => (words.as_slice(), [].as_slice()),
    };
    let mut named = Vec::new();
    for word in before {
        match *word {
            "-q" | "--quiet" => {}
            word if word.starts_with('-') || word.is_empty() => return None,
            word => named.push(word),
        }
    }
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let is_path = |word: &&str| step.args.iter().any(|arg| arg.known() == Some(word) && is_path_like(arg));
    match (named.as_slice(), end) {
        ([], Some(_)) if !behind.is_empty() => Some(Discard::ToIndex { paths: owned(behind) }),
        ([commit], Some(_)) if !behind.is_empty() => {
            Some(Discard::ToCommit { commit: (*commit).to_owned(), paths: Some(owned(behind)) })
        }
        ([path], None) if is_path(path) => Some(Discard::ToIndex { paths: owned(&[path]) }),
        ([commit, paths @ ..], None) if !paths.is_empty() && !is_path(commit) => {
            Some(Discard::ToCommit { commit: (*commit).to_owned(), paths: Some(owned(paths)) })
        }
        _ => None,
    }
}

/// The one word of `git checkout word`, where a file of that name is there: without one it is a branch.
pub(super) fn of_named_file(shell: &Shell<'_>, word: &Arg) -> Option<Discard> {
    let name = word.known()?;
    let path = shell.place(&word.value).path.clone();
    let stocks = shell.facts.stocks(&[path], shell.whereabouts)?;
    stocks.iter().any(|stock| stock.worst().is_some()).then(|| Discard::ToIndex { paths: vec![name.to_owned()] })
}

/// `git restore [--source commit] [--staged --worktree] paths`.
pub(super) fn of_restore(step: &Step<'_>) -> Option<Discard> {
    let (mut staged, mut source, mut paths, mut ended) = (false, None, Vec::new(), false);
    let mut words = words(step)?.into_iter();
    while let Some(word) = words.next() {
        match word {
            _ if ended || !word.starts_with('-') => paths.push(word.to_owned()),
            "--" => ended = true,
            "-W" | "--worktree" | "-q" | "--quiet" => {}
            "-S" | "--staged" | "-SW" | "-WS" => staged = true,
            "-s" | "--source" => source = Some(words.next()?.to_owned()),
            word => source = Some(word.strip_prefix("--source=")?.to_owned()),
        }
    }
    if paths.is_empty() {
        return None;
    }
    Some(match source {
        Some(commit) => Discard::ToCommit { commit, paths: Some(paths) },
        None if staged => Discard::ToCommit { commit: "HEAD".to_owned(), paths: Some(paths) },
        None => Discard::ToIndex { paths },
    })
}

/// `git rm -rf paths`: what goes besides what the last commit has.
pub(super) fn of_remove(step: &Step<'_>) -> Option<Discard> {
    let (letters, paths) = letters_and_paths(step, &["--force", "--quiet", "--ignore-unmatch"])?;
    let usual = letters.chars().all(|letter| "rfq".contains(letter)) && !paths.is_empty();
    usual.then_some(Discard::Removed { paths })
}

/// `git read-tree --reset -u commit` and `git read-tree -m -u commit`.
pub(super) fn of_read_tree(step: &Step<'_>) -> Option<Discard> {
    let (letters, trees) = letters_and_paths(step, &["--reset", "--quiet"])?;
    let usual = letters.chars().all(|letter| "muvq".contains(letter)) && letters.contains('u');
    let [commit] = <[String; 1]>::try_from(trees).ok()?;
    let resets = step.args.iter().any(|arg| arg.is("--reset"));
    usual.then_some(if resets { Discard::ToCommit { commit, paths: None } } else { Discard::ToTree { commit } })
}

/// `git checkout-index -f -a` and `git checkout-index -f paths`.
pub(super) fn of_checkout_index(step: &Step<'_>) -> Option<Discard> {
    let (letters, paths) = letters_and_paths(step, &["--force", "--all", "--quiet", "--index"])?;
    let usual = letters.chars().all(|letter| "fauq".contains(letter));
    let all = letters.contains('a') || step.args.iter().any(|arg| arg.is("--all"));
    let paths = match (all, paths.is_empty()) {
        (true, true) => vec![".".to_owned()],
        (false, false) => paths,
        _ => return None,
    };
    usual.then_some(Discard::ToIndex { paths })
}

/// `git clean`.
pub(super) fn of_clean(step: &Step<'_>) -> Option<Discard> {
    let (letters, paths) = letters_and_paths(step, &["--force", "--quiet"])?;
    let has = |letter: char| letters.contains(letter);
    let forced = letters.matches('f').count() + step.args.iter().filter(|arg| arg.is("--force")).count();
    let ignored = match (has('x'), has('X')) {
        (false, false) => CleanedIgnored::Kept,
        (true, false) => CleanedIgnored::Too,
        (false, true) => CleanedIgnored::Only,
        (true, true) => return None,
    };
    let usual = letters.chars().all(|letter| "fdxXq".contains(letter));
    usual.then(|| Discard::Untracked { paths, directories: has('d'), ignored, repositories: forced > 1 })
}

/// The letters of all short options, and the operands.
fn letters_and_paths(step: &Step<'_>, long: &[&str]) -> Option<(String, Vec<String>)> {
    let (mut letters, mut paths, mut ended) = (String::new(), Vec::new(), false);
    for word in words(step)? {
        match word.strip_prefix('-').filter(|_| !ended) {
            None => paths.push(word.to_owned()),
            Some("-") => ended = true,
            Some(cluster) if !cluster.starts_with('-') && !cluster.is_empty() => letters.push_str(cluster),
            Some(_) => long.contains(&word).then_some(())?,
        }
    }
    Some((letters, paths))
}

/// Whether something that goes stands at a path, in it, or in its way.
pub(super) fn concerns(found: &Discarded, path: &str) -> bool {
    found.lost.iter().chain(&found.rebuilt).any(|lost| is_within(lost, path) || is_within(path, lost))
}
