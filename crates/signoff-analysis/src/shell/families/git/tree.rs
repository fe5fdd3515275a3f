//! Commands that touch the working tree: here uncommitted work is lost.

use signoff_model::{EffectKind, Fate, Risk, Scope, Stock, Target};

use super::{
    Step, branch,
    discards::{self, Brought, InTree},
    is_scratch, local, lose, make_branch, remote, rules,
};
use crate::{
    facts::{Discard, Replacing},
    path_effects::{DELETE_REBUILT, DELETE_UNIGNORED, Write},
    place::{Extent, Nature, Place},
    shell::{
        Manner, Shell, Written,
        options::{Options, Syntax},
        quote,
    },
    value::{Arg, Feed, Value},
    words::is_listed,
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// Judges a verb of this room; none if it is of another.
pub(super) fn judge(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) -> Option<Feed> {
    match verb {
        "reset" => reset(shell, step),
        "checkout" => checkout(shell, step),
        "restore" => restore(shell, step),
        "switch" => switch(shell, step),
        "clean" => clean(shell, step),
        "stash" => stash(shell, step),
        "rm" => remove(shell, step),
        "add" | "stage" | "mv" | "am" | "apply" | "update-index" | "sparse-checkout" => {
            return Some(additive(shell, step, verb));
        }
        "worktree" => worktree(shell, step),
        "submodule" => submodule(shell, step),
        "checkout-index" => {
            let options = step.options(&Syntax {
                long_values: &["prefix", "stage"],
                long_flags: &[
                    "all",
                    "force",
                    "quiet",
                    "no-create",
                    "index",
                    "stdin",
                    "temp",
                    "ignore-skip-worktree-bits",
                ],
                ..NONE
            });
            // What is put elsewhere leaves the working tree as it is.
            let apart = options.value(&["prefix"]).is_some_and(|prefix| {
                let place = shell.place(&prefix.value);
                place.scope == Scope::Temp
                    || place.nature == Nature::Temporary
                    || place.nature == Nature::Rebuilt && !holds_lost(shell, &place)
            });
            if options.has(&["f", "force"])
                && !apart
                && matches!(discard_all(shell, step, discards::of_checkout_index(step)), Loss::None)
            {
                discards::note_restored(shell, step);
            }
        }
        "read-tree" => {
            let options = step.options(&Syntax {
                long_values: &["index-output", "prefix", "exclude-per-directory"],
                long_flags: &["reset", "dry-run", "empty", "quiet", "trivial", "aggressive"],
                ..NONE
            });
            let discard = discards::of_read_tree(step);
            match (options.has(&["u"]) && !options.has(&["n", "dry-run"]), options.has(&["reset"])) {
                (false, _) => {}
                (true, true) => {
                    if matches!(discard_all(shell, step, discard), Loss::None) {
                        local(shell, EffectKind::Overwrite, step);
                    }
                }
                // By the text alone git refuses to go over what has changed; what is staged has not, for it.
                (true, false) => {
                    if let Some(found) = discards::losing(shell, step, discard) {
                        lose(shell, &rules::DISCARD, whole(), step.span());
                        discards::stake(shell, step, &found, whole());
                        offer_stash(shell);
                    }
                }
            }
        }
        _ => return None,
    }
    Some(step.output())
}

/// Whether something in a directory is known to be lost if it goes, or may be.
fn holds_lost(shell: &Shell<'_>, place: &Place) -> bool {
    let is_lost = |stock: &Stock| stock.worst() == Some(Fate::Lost);
    shell.facts.reads_files()
        && shell
            .facts
            .stocks(std::slice::from_ref(&place.path), shell.whereabouts)
            .is_none_or(|stocks| stocks.iter().any(is_lost))
}

fn whole() -> Target {
    Target::Path(".".to_owned())
}

/// Adds, edits or moves in a way that git or one step can undo.
fn additive(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) -> Feed {
    const APPLY: Syntax = Syntax {
        short_values: "pC",
        long_values: &["directory", "exclude", "include", "whitespace", "unsafe-paths"],
        ..NONE
    };
    match verb {
        "mv" => {
            let options = step.options(&NONE);
            if let (Some((to, from)), false) = (options.operands.split_last(), options.has(&["n", "dry-run"])) {
                for from in from {
                    if options.has(&["f", "force"]) {
                        shell.stake_arrivals(&[from], to, &Manner::single(Replacing::Name));
                    }
                    shell.relocate(from, to, Write::Append);
                }
            }
            step.output()
        }
        "apply" => {
            let options = step.options(&APPLY);
            if options.has(&["stat", "numstat", "summary", "check"]) && !options.has(&["apply"]) {
                return step.output();
            }
            if options.has(&["unsafe-paths"]) {
                shell.tell(&crate::path_effects::WRITE_OUTSIDE, "--unsafe-paths", step.span());
            }
            for patch in &options.operands {
                let feed = shell.written(&shell.place(&patch.value).path).and_then(Written::content);
                shell.remember_patch(&feed.unwrap_or_default());
            }
            if options.operands.is_empty() || options.operands.iter().any(|patch| patch.is("-")) {
                shell.remember_patch(&step.call.stdin);
            }
            local(shell, EffectKind::Overwrite, step)
        }
        "am" if super::history::gives_up(step) => {
            lose(shell, &rules::GIVE_UP, Target::Named(step.shown()), step.span());
            step.output()
        }
        "update-index" => {
            unwatched(shell, step);
            local(shell, EffectKind::Overwrite, step)
        }
        "sparse-checkout" | "am" => local(shell, EffectKind::Overwrite, step),
        "add" | "stage" => {
            super::staged::add(shell, step);
            local(shell, EffectKind::Create, step)
        }
        _ => local(shell, EffectKind::Create, step),
    }
}

/// Changes of a file that git is told not to look at are seen by nobody: with what an agent obeys, that matters.
fn unwatched(shell: &mut Shell<'_>, step: &Step<'_>) {
    let hides = |arg: &Arg| arg.is("--assume-unchanged") || arg.is("--skip-worktree");
    if !step.args.iter().any(hides) {
        return;
    }
    for file in step.args.iter().filter(|arg| !arg.is_option()) {
        const OBEYED: &str = "CLAUDE.md CLAUDE.local.md AGENTS.md GEMINI.md .cursorrules .windsurfrules .clinerules \
            copilot-instructions.md";
        let place = shell.place(&file.value);
        let name = place.path.rsplit('/').next().unwrap_or_default().to_owned();
        if matches!(place.nature, Nature::AgentSettings | Nature::GitHooks) || is_listed(OBEYED, &name) {
            lose(shell, &rules::UNWATCHED, Target::Named(place.shown.clone()), file.span);
        }
    }
}

/// What would be lost can be put aside; in a copy that goes anyway nothing is.
fn offer_stash(shell: &mut Shell<'_>) {
    if shell.findings.risk() > Risk::Low {
        shell.safer("git stash");
    }
}

fn reset(shell: &mut Shell<'_>, step: &Step<'_>) {
    const RESET: Syntax = Syntax {
        long_values: &["pathspec-from-file"],
        long_flags: &["hard", "soft", "mixed", "merge", "keep", "quiet", "patch"],
        ..NONE
    };
    let options = step.options(&RESET);
    if options.has(&["hard", "merge"]) {
        let discard = discards::to_one_commit(step, &["--hard", "-q", "--quiet"], &[]);
        let stays = discard.as_ref().is_some_and(discards::stays);
        match discard_all(shell, step, discard) {
            Loss::None if stays => discards::note_restored(shell, step),
            Loss::None => move_head(shell, step, &options),
            Loss::Some => {}
        }
    } else if options.operands.iter().any(|arg| arg.splits()) && options.uncertain {
        // An unknown word could be `--hard`.
        lose(shell, &rules::DISCARD, whole(), step.span());
    } else {
        if let (true, Some(commit)) = (options.has(&["keep"]), options.operands.first()) {
            discards::stake_brought(shell, step, &[Brought::All(commit)]);
        }
        move_head(shell, step, &options);
    }
}

fn move_head(shell: &mut Shell<'_>, step: &Step<'_>, options: &Options<'_>) {
    let moved = options.operands.first().map_or("HEAD".into(), |arg| arg.shown());
    shell.report(&rules::REWRITE_LOCAL, Target::Named(moved.into_owned()), Scope::Project, step.span());
}

/// Whether a command throws anything away.
enum Loss {
    None,
    Some,
}

/// All uncommitted work would go, as far as it is not known that there is none.
fn discard_all(shell: &mut Shell<'_>, step: &Step<'_>, discard: Option<Discard>) -> Loss {
    let found = discards::known(shell, step, discard);
    if found.as_ref().is_some_and(discards::is_nothing) {
        return Loss::None;
    }
    lose(shell, &rules::DISCARD, whole(), step.span());
    if let Some(found) = found {
        discards::stake(shell, step, &found, whole());
    }
    offer_stash(shell);
    Loss::Some
}

fn checkout(shell: &mut Shell<'_>, step: &Step<'_>) {
    const CHECKOUT: Syntax = Syntax {
        short_values: "bB",
        long_values: &["orphan", "conflict", "pathspec-from-file"],
        long_flags: &[
            "force",
            "ours",
            "theirs",
            "detach",
            "track",
            "no-track",
            "guess",
            "no-guess",
            "merge",
            "patch",
            "quiet",
            "progress",
            "no-progress",
            "recurse-submodules",
            "overlay",
            "no-overlay",
            "ignore-other-worktrees",
            "ignore-skip-worktree-bits",
            "overwrite-ignore",
            "no-overwrite-ignore",
        ],
        ..NONE
    };
    let options = step.options(&CHECKOUT);
    if options.has(&["f", "force"]) {
        const FLAGS: &[&str] = &["-f", "--force", "-q", "--quiet", "-d", "--detach", "--progress", "--no-progress"];
        discard_all(shell, step, discards::to_one_commit(step, FLAGS, &["-b", "-B"]));
    }
    if let Some(name) = options.value(&["B"]) {
        shell.report(&rules::MOVE_BRANCH, branch(name.shown()), Scope::Project, step.span());
    }
    if let Some(name) = options.value(&["b"]) {
        make_branch(shell, step, Some(name), &["-b"]);
    }
    let is_forced = options.has(&["f", "force"]);
    let keeps_ignored = options.has(&["no-overwrite-ignore", "orphan"]);
    let brought: Vec<Brought<'_>> = match options.operands.first() {
        Some(commit) if !is_forced && !keeps_ignored => vec![Brought::All(commit)],
        _ => Vec::new(),
    };
    if options.has(&["b", "B", "orphan"]) {
        discards::stake_brought(shell, step, &brought);
        local(shell, EffectKind::Create, step);
        return;
    }
    if options.has(&["ours", "theirs"]) {
        take_side(shell, step, &options);
        return;
    }
    if options.has(&["p", "patch"]) || options.value(&["pathspec-from-file"]).is_some() {
        lose(shell, &rules::DISCARD, whole(), step.span());
        return;
    }
    let paths = paths_of_checkout(step, &options);
    // A name that says nothing may be that of a file, which is then made as it was.
    if let ([], [only]) = (paths.as_slice(), options.operands.as_slice())
        && let Some(discard) = discards::of_named_file(shell, only)
    {
        return discard_paths(shell, step, &[only], Some(discard));
    }
    if paths.is_empty() {
        discards::stake_brought(shell, step, &brought);
        local(shell, EffectKind::Create, step);
        return;
    }
    discard_paths(shell, step, &paths, discards::of_checkout(step, is_path_like));
}

/// One side of a conflict for each file: in one that is named it is a choice, over a whole directory it throws away what
/// was resolved by hand.
fn take_side(shell: &mut Shell<'_>, step: &Step<'_>, options: &Options<'_>) {
    let many = |arg: &&&Arg| {
        let text = arg.shown();
        matches!(&*text, "." | ".." | ":/" | "*")
            || text.ends_with('/')
            || arg.value.has_glob()
            || arg.known().is_none()
    };
    match options.operands.iter().find(many) {
        Some(path) => lose(shell, &rules::DISCARD, Target::Path(path.shown().into_owned()), step.span()),
        None => {
            local(shell, EffectKind::Overwrite, step);
        }
    }
}

/// Which operands of `git checkout` are paths: those behind `--`, all but the first if there are several, and a single
/// one that looks like a file.
fn paths_of_checkout<'a>(step: &'a Step<'_>, options: &Options<'a>) -> Vec<&'a Arg> {
    if let Some(end) = step.args.iter().position(|arg| arg.is("--")) {
        let behind: Vec<&Arg> = step.args.iter().skip(end + 1).collect();
        if !behind.is_empty() {
            return behind;
        }
        return Vec::new();
    }
    match options.operands.as_slice() {
        [] => Vec::new(),
        [only] if is_path_like(only) => vec![only],
        [only] if only.splits() && !only.value.prefix().is_empty() => Vec::new(),
        [_] => Vec::new(),
        [first, rest @ ..] if is_path_like(first) => std::iter::once(*first).chain(rest.iter().copied()).collect(),
        [_, rest @ ..] => rest.to_vec(),
    }
}

/// Whether a word that may be a branch or a file is rather a file.
fn is_path_like(arg: &Arg) -> bool {
    if arg.value.has_glob() {
        return true;
    }
    let Some(text) = arg.known() else {
        return arg.value.prefix().starts_with("./");
    };
    if matches!(text, "." | ".." | ":/" | "*" | "src")
        || text.starts_with("./")
        || text.starts_with("../")
        || text.ends_with('/')
    {
        return true;
    }
    if text.starts_with(":/") || text.starts_with(":(") || text.starts_with(":!") {
        return true;
    }
    let name = text.rsplit('/').next().unwrap_or(text);
    if matches!(
        name,
        "Makefile" | "Dockerfile" | "LICENSE" | "README" | "Gemfile" | "Procfile" | "Rakefile" | "Justfile" | "file"
    ) {
        return true;
    }
    if name.starts_with('.') && name.len() > 1 && !name.starts_with("..") {
        return true;
    }
    // A version such as `v1.2.x` or a range such as `main..x` is no file.
    let numbered = name.trim_start_matches('v').starts_with(|letter: char| letter.is_ascii_digit());
    match name.rsplit_once('.') {
        Some((stem, ending)) if !numbered && !text.contains("..") && !text.contains('@') => {
            !stem.is_empty()
                && (1..=6).contains(&ending.len())
                && ending.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && ending.chars().all(|letter| letter.is_ascii_alphanumeric())
        }
        _ => false,
    }
}

/// The changes of these paths would go, as far as it is not known that there are none.
fn discard_paths(shell: &mut Shell<'_>, step: &Step<'_>, paths: &[&Arg], discard: Option<Discard>) {
    let found = discards::known(shell, step, discard);
    if found.as_ref().is_some_and(discards::is_nothing) {
        discards::note_restored(shell, step);
        return;
    }
    let places: Vec<_> = paths.iter().map(|path| (*path, shell.place(&path.value))).collect();
    // What is found below none of the paths may have been found below any of them.
    let found = found.filter(|found| places.iter().any(|(_, place)| discards::concerns(found, &place.path)));
    for (path, place) in places {
        if let Some(found) = &found {
            if !discards::concerns(found, &place.path) {
                continue;
            }
            discards::stake(shell, step, found, place.target());
        }
        if matches!(place.nature, Nature::Rebuilt | Nature::Temporary | Nature::Cache) && place.extent == Extent::Exact
        {
            shell.note(EffectKind::Overwrite, place.target(), place.scope, path.span);
            continue;
        }
        let text = path.value.prefix();
        let wide = place.extent != Extent::Exact
            || text.ends_with('/')
            || text.starts_with(':')
            || matches!(place.nature, Nature::ProjectTree | Nature::Root | Nature::HomeTree)
            || matches!(place.file_name(), "src" | "lib" | "app" | "test" | "tests" | "docs" | "crates" | "packages");
        let rule = if wide { &rules::DISCARD } else { &rules::DISCARD_FILE };
        lose(shell, rule, place.target(), step.verb.span.to(path.span));
    }
    if let (false, Some(names)) = (is_scratch(shell), known_names(paths)) {
        shell.safer(format!("git stash push -- {names}"));
    }
}

fn known_names(paths: &[&Arg]) -> Option<String> {
    if paths.len() > 4 {
        return None;
    }
    let names: Option<Vec<String>> = paths.iter().map(|path| path.known().map(quote)).collect();
    names.map(|names| names.join(" "))
}

fn restore(shell: &mut Shell<'_>, step: &Step<'_>) {
    const RESTORE: Syntax = Syntax {
        short_values: "s",
        long_values: &["source", "conflict", "pathspec-from-file"],
        long_flags: &[
            "staged",
            "worktree",
            "patch",
            "quiet",
            "ours",
            "theirs",
            "merge",
            "ignore-unmerged",
            "overlay",
            "no-overlay",
        ],
        ..NONE
    };
    let options = step.options(&RESTORE);
    if options.has(&["staged", "S"]) && !options.has(&["worktree", "W"]) {
        local(shell, EffectKind::Overwrite, step);
        return;
    }
    if options.operands.is_empty() && (options.has(&["p", "patch"]) || options.value(&["pathspec-from-file"]).is_some())
    {
        lose(shell, &rules::DISCARD, whole(), step.span());
        return;
    }
    discard_paths(shell, step, &options.operands, discards::of_restore(step));
}

fn switch(shell: &mut Shell<'_>, step: &Step<'_>) {
    const SWITCH: Syntax = Syntax {
        short_values: "cC",
        long_values: &["create", "force-create", "orphan", "conflict"],
        long_flags: &["force", "discard-changes", "detach", "track", "guess", "no-guess", "merge", "quiet"],
        ..NONE
    };
    let options = step.options(&SWITCH);
    if options.has(&["f", "force", "discard-changes"]) {
        const FLAGS: &[&str] = &["-f", "--force", "--discard-changes", "-q", "--quiet", "-d", "--detach"];
        discard_all(shell, step, discards::to_one_commit(step, FLAGS, &["-c", "--create", "-C", "--force-create"]));
    }
    if let (Some(commit), false, false) = (
        options.operands.first(),
        options.has(&["f", "force", "discard-changes"]),
        options.has(&["no-overwrite-ignore"]),
    ) {
        discards::stake_brought(shell, step, &[Brought::All(commit)]);
    }
    match options.value(&["C", "force-create"]) {
        Some(name) => shell.report(&rules::MOVE_BRANCH, branch(name.shown()), Scope::Project, step.span()),
        None => {
            if let Some(name) = options.value(&["c", "create"]) {
                make_branch(shell, step, Some(name), &["-c", "--create"]);
            }
            local(shell, EffectKind::Create, step);
        }
    }
}

fn clean(shell: &mut Shell<'_>, step: &Step<'_>) {
    const CLEAN: Syntax = Syntax {
        short_values: "e",
        long_values: &["exclude"],
        long_flags: &["force", "dry-run", "interactive", "quiet"],
        ..NONE
    };
    let options = step.options(&CLEAN);
    if options.has(&["n", "dry-run"]) {
        return;
    }
    let rebuilt = |arg: &&Arg| {
        let place = shell.place(&arg.value);
        matches!(place.nature, Nature::Rebuilt | Nature::Temporary | Nature::Cache) && !place.is_unknown()
    };
    let is_rebuilt = !options.operands.is_empty() && options.operands.iter().all(rebuilt);
    let target = match options.operands.as_slice() {
        [] => whole(),
        [only] => shell.place(&only.value).target(),
        [first, ..] => Target::Named(format!("{}, …", first.shown())),
    };
    // A name alone says that a build makes it again; what is there may say that nobody does.
    if is_rebuilt {
        match discards::losing(shell, step, discards::of_clean(step)) {
            Some(found) => {
                discards::stake(shell, step, &found, target.clone());
                lose(shell, &DELETE_UNIGNORED, target, step.span());
            }
            None => drop(local(shell, EffectKind::Delete, step)),
        }
        return;
    }
    // What is not tracked in a repository that the text has just made is everything in its directory.
    let here = Arg::text(".", step.span());
    let place = shell.place(&here.value);
    if options.operands.is_empty()
        && options.has(&["d"])
        && matches!(place.nature, Nature::HomeTree | Nature::Root | Nature::SystemTree)
        && shell.written(&format!("{}/.git", place.path.trim_end_matches('/'))).is_some()
    {
        shell.delete(&here, crate::path_effects::Depth::Recursive);
    }
    if let Some(found) = discards::known(shell, step, discards::of_clean(step)) {
        if discards::is_nothing(&found) {
            local(shell, EffectKind::Delete, step);
            return;
        }
        discards::stake(shell, step, &found, target.clone());
        if found.lost.is_empty() && !found.unseen {
            lose(shell, &DELETE_REBUILT, target, step.span());
            return;
        }
    }
    lose(shell, &rules::CLEAN, target, step.span());
    let mut letters = String::from("n");
    for letter in ["d", "x", "X"] {
        if options.has(&[letter]) {
            letters.push_str(letter);
        }
    }
    shell.safer(format!("git clean -{letters}"));
}

fn stash(shell: &mut Shell<'_>, step: &Step<'_>) {
    match step.args.iter().find(|arg| !arg.is_option()).and_then(|arg| arg.known()) {
        Some("drop") => {
            let which = step.args.get(1).map_or("stash@{0}".into(), |arg| arg.shown());
            lose(shell, &rules::DROP_STASH, Target::Named(which.into_owned()), step.span());
            shell.safer("git stash show -p");
        }
        Some("clear") => {
            lose(shell, &rules::DROP_STASH, Target::Named("stash".to_owned()), step.span());
            shell.safer("git stash list");
        }
        Some("list" | "show") => {}
        verb => {
            if let Some("pop" | "apply") = verb {
                let last = Arg::text("stash", step.span());
                let named = step.args.iter().filter(|arg| !arg.is_option()).nth(1);
                discards::stake_brought(shell, step, &[Brought::Picked(named.unwrap_or(&last))]);
            }
            local(shell, EffectKind::Create, step);
        }
    }
}

fn remove(shell: &mut Shell<'_>, step: &Step<'_>) {
    const REMOVE: Syntax = Syntax {
        long_values: &["pathspec-from-file"],
        long_flags: &["cached", "force", "dry-run", "quiet", "ignore-unmatch", "sparse"],
        ..NONE
    };
    let options = step.options(&REMOVE);
    if options.has(&["n", "dry-run"]) {
        return;
    }
    if options.has(&["cached"]) {
        local(shell, EffectKind::Overwrite, step);
        return;
    }
    let mut forced = options.has(&["f", "force"]);
    let recursive = options.has(&["r"]);
    let found = if forced { discards::known(shell, step, discards::of_remove(step)) } else { None };
    // Where there is nothing that the last commit does not hold, force forces nothing.
    forced &= !found.as_ref().is_some_and(discards::is_nothing);
    for path in &options.operands {
        let place = shell.place(&path.value);
        if let Some(found) = found.as_ref().filter(|found| discards::concerns(found, &place.path)) {
            discards::stake(shell, step, found, place.target());
        }
        let all =
            matches!(place.nature, Nature::ProjectTree) || path.value.prefix().starts_with(":/") || place.is_unknown();
        // Without force git refuses to remove what the last commit does not hold.
        let rule = if all || forced && (recursive || place.is_pattern()) {
            &rules::REMOVE_TRACKED
        } else if forced {
            &rules::DISCARD_FILE
        } else {
            &rules::REMOVE_FILE
        };
        lose(shell, rule, place.target(), step.verb.span.to(path.span));
    }
}

fn worktree(shell: &mut Shell<'_>, step: &Step<'_>) {
    const WORKTREE: Syntax =
        Syntax { short_values: "bB", long_values: &["reason", "expire"], long_flags: &["force"], ..NONE };
    let options = step.options(&WORKTREE);
    match options.operand(0) {
        Some("remove") if options.has(&["f", "force"]) => {
            let Some(path) = options.operands.get(1) else { return };
            let place = shell.place(&path.value);
            if place.scope == Scope::Temp {
                shell.note(EffectKind::Delete, place.target(), place.scope, path.span);
                return;
            }
            lose(shell, &rules::REMOVE_WORKTREE, place.target(), step.span());
            if let Some(name) = path.known() {
                shell.safer(format!("git worktree remove {}", quote(name)));
            }
        }
        // Without force, git refuses where something is not committed, but takes away what it ignores.
        Some("remove") => {
            let Some(path) = options.operands.get(1) else { return };
            let place = shell.place(&path.value);
            match discards::ignored_in(shell, step, &place) {
                InTree::Lost(lost) => {
                    lose(shell, &rules::REMOVE_WORKTREE, place.target(), step.span());
                    lost.iter().for_each(|path| shell.findings.at_stake(path));
                }
                InTree::Unknown => lose(shell, &rules::REMOVE_WORKTREE, place.target(), step.span()),
                InTree::Nothing => drop(local(shell, EffectKind::Overwrite, step)),
            }
        }
        Some("add") => {
            if let Some(name) = options.value(&["B"]) {
                shell.report(&rules::MOVE_BRANCH, branch(name.shown()), Scope::Project, step.span());
            }
            if let Some(path) = options.operands.get(1) {
                shell.remember_built(path);
            }
            local(shell, EffectKind::Create, step);
        }
        Some("list") | None => {}
        Some(_) => {
            local(shell, EffectKind::Overwrite, step);
        }
    }
}

fn submodule(shell: &mut Shell<'_>, step: &Step<'_>) {
    const SUBMODULE: Syntax = Syntax {
        short_values: "bj",
        long_values: &["branch", "name", "reference", "depth", "jobs", "recommend-shallow"],
        long_flags: &["force", "recursive", "init", "remote", "quiet"],
        ..NONE
    };
    let verb_at = step.args.iter().position(|arg| !arg.is_option()).unwrap_or(step.args.len());
    let verb = step.args.get(verb_at).and_then(|arg| arg.known()).unwrap_or_default();
    let rest = step.args.get(verb_at + 1..).unwrap_or_default();
    if verb == "foreach" {
        let start = rest.iter().position(|arg| !arg.is_option()).unwrap_or(rest.len());
        run_words(shell, rest.get(start..).unwrap_or_default());
        return;
    }
    let options = Options::read(rest, &SUBMODULE);
    let forced = options.has(&["f", "force"]);
    match verb {
        "deinit" if forced => {
            let which = options.operands.first().map_or("--all".into(), |arg| arg.shown());
            lose(shell, &rules::REMOVE_WORKTREE, Target::Named(which.into_owned()), step.span());
        }
        "update" if forced => lose(shell, &rules::DISCARD, Target::Named("submodules".to_owned()), step.span()),
        "status" | "summary" | "" => {}
        _ => {
            if let Some(address) = options.operands.first().filter(|_| verb == "add") {
                remote::transport(shell, address);
            }
            local(shell, EffectKind::Create, step);
        }
    }
}

/// Runs words as `git submodule foreach` and `git rebase --exec` do: one word is a text for the shell, several are an
/// argument list.
pub(super) fn run_words(shell: &mut Shell<'_>, words: &[Arg]) -> Feed {
    let Some((first, rest)) = words.split_first() else { return Feed::none() };
    if rest.is_empty() {
        return super::run_shell(shell, first);
    }
    let mut value = Value::default();
    let mut span = first.span;
    for word in words {
        if !value.is_empty() {
            value.extend(Value::text(" "));
        }
        match word.known() {
            Some(known) => value.extend(Value::text(quote(known))),
            None => value.extend(word.value.clone()),
        }
        span = span.to(word.span);
    }
    super::run_shell(shell, &Arg { value, span })
}

/// A file that an option names would be written.
pub(super) fn write_option(shell: &mut Shell<'_>, options: &Options<'_>, names: &[&str]) {
    if let Some(file) = options.value(names).cloned() {
        shell.write(&file, Write::Replace);
    }
}
