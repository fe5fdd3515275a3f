//! Commands about refs and commits: here history is lost, or code runs on the way.

use signoff_model::{EffectKind, Refs, Scope, Target};

use super::{
    Step, branch,
    discards::{self, Brought},
    local, lose, make_branch, own_branch, rules, staged, tree,
};
use crate::{
    path_effects::Write,
    place::Nature,
    shell::{
        Shell, Written,
        options::{Options, Syntax, strip},
        quote,
    },
    value::{Arg, Feed, Origin, Origins, Value},
};

const NONE: Syntax =
    Syntax { short_values: "", long_values: &[], long_flags: &[], stops_at_operand: false, single_dash_long: false };

/// Commands that only look.
pub(super) const READS: &[&str] = &[
    "status",
    "log",
    "ls-files",
    "rev-parse",
    "rev-list",
    "ls-tree",
    "merge-base",
    "for-each-ref",
    "show-ref",
    "name-rev",
    "describe",
    "shortlog",
    "show-branch",
    "check-ignore",
    "check-attr",
    "check-ref-format",
    "check-mailmap",
    "count-objects",
    "fsck",
    "var",
    "verify-commit",
    "verify-tag",
    "verify-pack",
    "range-diff",
    "cherry",
    "whatchanged",
    "diff-tree",
    "diff-index",
    "diff-files",
    "bugreport",
    "show-index",
    "column",
    "stripspace",
    "mailinfo",
    "mailsplit",
    "interpret-trailers",
    "get-tar-commit-id",
    "patch-id",
    "merge-tree",
    "diff-pairs",
    "last-modified",
    "repo",
    "diagnose",
    "fmt-merge-msg",
    "request-pull",
    "gui",
    "citool",
    "k",
    "instaweb",
    "browse",
];

/// Commands that add to the repository, or tidy it without losing anything.
const ADDITIVE: &[&str] = &[
    "merge",
    "cherry-pick",
    "revert",
    "init",
    "notes",
    "commit-tree",
    "mktree",
    "write-tree",
    "hash-object",
    "mktag",
    "repack",
    "pack-refs",
    "pack-objects",
    "commit-graph",
    "multi-pack-index",
    "rerere",
    "unpack-objects",
    "index-pack",
    "merge-index",
    "merge-one-file",
    "merge-file",
    "unpack-file",
    "prune-packed",
    "update-server-info",
    "symbolic-ref",
    "format-patch",
    "bundle",
    "fast-export",
    "pack-redundant",
    "merge-recursive",
    "merge-resolve",
    "merge-octopus",
    "merge-ours",
    "merge-subtree",
    "replay",
    "backfill",
    "refs",
];

/// Judges a verb of this room; none if it is of another.
pub(super) fn judge(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) -> Option<Feed> {
    match verb {
        "branch" => delete_or_move_branch(shell, step),
        "tag" => {
            staged::message(shell, step);
            tag(shell, step);
        }
        "commit" => {
            staged::message(shell, step);
            commit(shell, step);
        }
        "rebase" => rebase(shell, step),
        "reflog" => reflog(shell, step),
        "gc" => {
            if step.args.iter().filter_map(|arg| arg.known()?.split_once('=')).any(|(name, when)| {
                let prunes = abbreviates(name, "--prune", "--p") || name == "--aggressive";
                prunes && matches!(when, "now" | "all")
            }) {
                lose(shell, &rules::DROP_HISTORY, Target::Named(step.shown()), step.span());
                shell.safer("git gc");
            }
        }
        "prune" => {
            if !step.options(&NONE).has(&["n", "dry-run"]) {
                lose(shell, &rules::DROP_HISTORY, Target::Named(step.shown()), step.span());
                shell.safer("git prune -n");
            }
        }
        "filter-branch" | "filter-repo" => filter(shell, step, verb),
        "replace" => {
            let options = step.options(&NONE);
            if !options.has(&["l", "list"]) && !step.args.is_empty() {
                lose(shell, &rules::MOVE_BRANCH, Target::Named(step.shown()), step.span());
            }
        }
        "update-ref" => update_ref(shell, step),
        "fast-import" => lose(shell, &rules::MOVE_BRANCH, Target::Named(step.shown()), step.span()),
        "bisect" => return Some(bisect(shell, step)),
        "difftool" | "mergetool" => external_tool(shell, step),
        "grep" => return Some(grep(shell, step)),
        "maintenance" => {
            if step.args.first().is_some_and(|arg| arg.is("start")) {
                shell.tell(&rules::SCHEDULE, "git maintenance", step.span());
            }
        }
        "for-each-repo" => {
            let words = step.args.iter().position(|arg| arg.is("--")).map(|at| at + 1);
            let start = words.or_else(|| step.args.iter().position(|arg| !arg.is_option())).unwrap_or(step.args.len());
            run_git(shell, step, step.args.get(start..).unwrap_or_default());
        }
        "credential" => {
            if step
                .args
                .first()
                .is_some_and(|arg| arg.is("fill") || arg.is("approve") || arg.is("reject") || arg.is("capability"))
            {
                shell.tell(&rules::CREDENTIAL, step.shown(), step.span());
            }
            return Some(Feed::from(crate::value::Origin::Secret("git credential".to_owned())));
        }
        "credential-store"
        | "credential-cache"
        | "credential-osxkeychain"
        | "credential-manager"
        | "credential-libsecret" => {
            shell.tell(&rules::CREDENTIAL, step.shown(), step.span());
            return Some(Feed::from(crate::value::Origin::Secret("git credential".to_owned())));
        }
        "show" | "diff" | "blame" | "annotate" | "cat-file" => return Some(look(shell, step, verb)),
        "archive" => return Some(archive(shell, step)),
        "daemon" | "http-backend" => shell.tell(&rules::SERVE, step.shown(), step.span()),
        "rev-parse" if step.args.iter().any(|arg| arg.is("--show-toplevel")) => {
            let project = shell.whereabouts().project.clone();
            return Some(match shell.cwd().is_some_and(|cwd| crate::place::is_within(cwd, &project)) {
                true => Feed::of(crate::value::Value::text(format!("{project}\n"))),
                false => step.output(),
            });
        }
        verb if READS.contains(&verb) => {
            if verb == "log" {
                return Some(look(shell, step, verb));
            }
            if verb == "ls-files" {
                return Some(Feed::from_all(tracked(step)));
            }
        }
        "merge" | "cherry-pick" | "revert" if gives_up(step) => {
            lose(shell, &rules::GIVE_UP, Target::Named(step.shown()), step.span());
        }
        verb if ADDITIVE.contains(&verb) => {
            hooks_from_template(shell, step);
            written_by_bundle(shell, step, verb);
            merge_or_pick(shell, step, verb);
            return Some(local(shell, EffectKind::Create, step));
        }
        _ => return None,
    }
    Some(step.output())
}

/// The files that `git ls-files` prints: those below the working directory, unless a path leads out of it.
fn tracked(step: &Step<'_>) -> Origins {
    let list = |under: &str| Origin::listing("git ls-files", under);
    let leads_up = |path: &&str| path.split('/').any(|part| part == "..");
    let outside = step.args.iter().filter_map(Arg::known).filter(leads_up);
    let outside = outside.map(|path| list(&format!("{}/**/*", path.trim_end_matches('/'))));
    outside.chain([list("**/*")]).collect()
}

/// What `git merge`, `cherry-pick` and `revert` bring into the work tree.
fn merge_or_pick(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) {
    const MERGE: Syntax = Syntax {
        short_values: "msXF",
        long_values: &["message", "strategy", "strategy-option", "file", "into-name", "cleanup"],
        ..NONE
    };
    const PICK: Syntax = Syntax {
        short_values: "mX",
        long_values: &["mainline", "strategy", "strategy-option", "cleanup", "empty"],
        ..NONE
    };
    let options = step.options(if verb == "merge" { &MERGE } else { &PICK });
    if options.has(&["continue", "quit", "no-overwrite-ignore"]) {
        return;
    }
    let brought: Vec<Brought<'_>> = match verb {
        "merge" if options.operands.is_empty() => vec![Brought::Remote(None)],
        "merge" => options.operands.iter().map(|commit| Brought::All(commit)).collect(),
        "cherry-pick" => options.operands.iter().map(|commit| Brought::Picked(commit)).collect(),
        "revert" => options.operands.iter().map(|commit| Brought::TakenBack(commit)).collect(),
        _ => return,
    };
    discards::stake_brought(shell, step, &brought);
}

/// Whether a step that stopped halfway is given up or passed over: what was resolved in it so far is lost.
pub(super) fn gives_up(step: &Step<'_>) -> bool {
    step.args
        .iter()
        .take_while(|arg| !arg.is("--"))
        .filter_map(Arg::known)
        .any(|arg| abbreviates(arg, "--abort", "--ab") || abbreviates(arg, "--skip", "--sk"))
}

/// Whether a word is a long option, or its beginning as far as git still takes it for that one.
fn abbreviates(word: &str, full: &str, shortest: &str) -> bool {
    word.starts_with(shortest) && full.starts_with(word)
}

/// Runs a git command behind another one.
pub(super) fn run_git(shell: &mut Shell<'_>, step: &Step<'_>, words: &[Arg]) -> Feed {
    let mut argv = vec![Arg::text("git", step.verb.span)];
    argv.extend(words.iter().cloned());
    shell.run(&argv, Feed::none(), step.span())
}

fn delete_or_move_branch(shell: &mut Shell<'_>, step: &Step<'_>) {
    const BRANCH: Syntax = Syntax {
        short_values: "u",
        long_values: &["set-upstream-to", "sort", "format", "points-at"],
        long_flags: &[
            "delete",
            "force",
            "move",
            "copy",
            "list",
            "remotes",
            "all",
            "merged",
            "no-merged",
            "contains",
            "show-current",
        ],
        ..NONE
    };
    let options = step.options(&BRANCH);
    let forced = options.has(&["f", "force"]);
    if options.has(&["D"]) || options.has(&["d", "delete"]) && forced {
        for name in &options.operands {
            // A branch that the text has made, and on which it has put nothing, is no loss.
            let own = own_branch(shell, step, Some(name));
            if own.is_some_and(|own| shell.removes_made(&own)) && !options.has(&["r", "remotes"]) {
                local(shell, EffectKind::HistoryRewrite, step);
                continue;
            }
            let target = if options.has(&["r", "remotes"]) {
                Target::Named(name.shown().into_owned())
            } else {
                branch(name.shown())
            };
            lose(shell, &rules::DELETE_BRANCH, target, step.verb.span.to(name.span));
        }
        if options.operands.is_empty() {
            lose(shell, &rules::DELETE_BRANCH, branch("?"), step.span());
        }
        if let [only] = options.operands.as_slice()
            && let Some(name) = only.known()
        {
            shell.safer(format!("git branch -d {}", quote(name)));
        }
    } else if let (true, [_, onto, ..]) =
        (options.has(&["M", "C"]) || forced && options.has(&["m", "move", "c", "copy"]), options.operands.as_slice())
    {
        // With two names the second one is overwritten, if there is such a branch.
        lose(shell, &rules::MOVE_BRANCH, branch(onto.shown()), step.span());
    } else if options.has(&[
        "d",
        "delete",
        "m",
        "M",
        "move",
        "c",
        "C",
        "copy",
        "u",
        "set-upstream-to",
        "edit-description",
    ]) {
        local(shell, EffectKind::HistoryRewrite, step);
    } else if forced {
        let name = options.operands.first().map_or("?".into(), |arg| arg.shown());
        lose(shell, &rules::MOVE_BRANCH, branch(name), step.span());
    } else if !options.operands.is_empty()
        && !options.has(&["list", "l", "merged", "no-merged", "contains", "points-at"])
    {
        make_branch(shell, step, options.operands.first().copied(), &[]);
        local(shell, EffectKind::Create, step);
    }
}

fn tag(shell: &mut Shell<'_>, step: &Step<'_>) {
    const TAG: Syntax = Syntax {
        short_values: "mFu",
        long_values: &["message", "file", "local-user", "sort", "format", "points-at", "cleanup"],
        long_flags: &["delete", "force", "list", "verify", "annotate", "sign"],
        ..NONE
    };
    let options = step.options(&TAG);
    if options.has(&["d", "delete", "f", "force"]) {
        for name in options.operands.iter().take(if options.has(&["d", "delete"]) { usize::MAX } else { 1 }) {
            lose(
                shell,
                &rules::DELETE_TAG,
                Target::Ref { name: Refs::Named(name.shown().into_owned()), remote: None },
                step.span(),
            );
        }
    } else if !options.operands.is_empty() && !options.has(&["l", "list", "v", "verify", "n", "contains", "merged"]) {
        local(shell, EffectKind::Create, step);
    }
}

fn commit(shell: &mut Shell<'_>, step: &Step<'_>) {
    const COMMIT: Syntax = Syntax {
        short_values: "mFcCt",
        long_values: &[
            "message",
            "file",
            "author",
            "date",
            "reuse-message",
            "reedit-message",
            "fixup",
            "squash",
            "template",
            "cleanup",
            "trailer",
            "pathspec-from-file",
        ],
        long_flags: &["amend", "dry-run", "no-edit", "no-verify", "all", "allow-empty"],
        ..NONE
    };
    let options = step.options(&COMMIT);
    if options.has(&["dry-run"]) {
        return;
    }
    if options.has(&["amend"]) {
        shell.report(&rules::REWRITE_LOCAL, branch("HEAD"), Scope::Project, step.span());
    } else {
        local(shell, EffectKind::Create, step);
    }
}

fn rebase(shell: &mut Shell<'_>, step: &Step<'_>) {
    const REBASE: Syntax = Syntax {
        short_values: "xsXC",
        long_values: &["exec", "onto", "strategy", "strategy-option", "empty", "whitespace"],
        long_flags: &["abort", "continue", "skip", "quit", "edit-todo", "show-current-patch", "interactive", "root"],
        ..NONE
    };
    let options = step.options(&REBASE);
    for code in options.values(&["x", "exec"]) {
        super::run_shell(shell, code);
    }
    if gives_up(step) {
        lose(shell, &rules::GIVE_UP, Target::Named(step.shown()), step.span());
        return;
    }
    if !options.has(&["continue", "quit", "edit-todo", "show-current-patch", "root"]) {
        let onto = options.value(&["onto"]).or(options.operands.first().copied());
        let brought: Vec<Brought<'_>> = match onto {
            Some(onto) => std::iter::once(onto).chain(options.operands.get(1).copied()).map(Brought::All).collect(),
            None => vec![Brought::Remote(None)],
        };
        discards::stake_brought(shell, step, &brought);
    }
    if !options.has(&["show-current-patch"]) {
        let onto = options.operands.first().map_or("HEAD".into(), |arg| arg.shown());
        let interactive = options.has(&["i", "interactive", "edit-todo"]);
        if interactive && list_editor(shell, step).is_some_and(|editor| drops_lines(&editor)) {
            shell.report(&rules::DROP_COMMITS, branch(onto.clone()), Scope::Project, step.span());
        }
        // From the very first commit on, nothing stays as others know it.
        let rule = if options.has(&["root"]) { &rules::REWRITE_HISTORY } else { &rules::REWRITE_LOCAL };
        shell.report(rule, branch(onto), Scope::Project, step.span());
    }
}

/// What edits the list of commits in the place of a person.
fn list_editor(shell: &Shell<'_>, step: &Step<'_>) -> Option<String> {
    const NAMES: &[&str] = &["GIT_SEQUENCE_EDITOR", "GIT_EDITOR", "VISUAL", "EDITOR"];
    let given = step.call.args.iter().find_map(|arg| {
        let (key, value) = arg.known()?.split_once('=')?;
        matches!(key.to_ascii_lowercase().as_str(), "sequence.editor" | "core.editor").then(|| value.to_owned())
    });
    given.or_else(|| {
        NAMES.iter().find_map(|name| {
            let own = step.call.variables.iter().find(|(variable, _)| variable == name).map(|(_, value)| value);
            own.or_else(|| shell.variable(name)).map(|value| value.shown().into_owned())
        })
    })
}

/// Whether an editor takes lines out of a list, or marks them so.
fn drops_lines(editor: &str) -> bool {
    editor.contains("drop")
        || editor.split([' ', '\'', '"', ';']).any(|word| {
            word.strip_suffix('d').is_some_and(|address| {
                address.ends_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '/' | '$'))
            })
        })
        || ["truncate", "rm ", "cp /dev/null"].iter().any(|word| editor.contains(word))
}

fn reflog(shell: &mut Shell<'_>, step: &Step<'_>) {
    let dry = step.options(&NONE).has(&["n", "dry-run"]);
    if step.args.first().is_some_and(|arg| arg.is("expire") || arg.is("delete") || arg.is("drop")) && !dry {
        lose(shell, &rules::DROP_HISTORY, Target::Named(step.shown()), step.span());
        shell.safer("git reflog");
    }
}

fn filter(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) {
    const FILTER: Syntax = Syntax {
        short_values: "d",
        long_values: &[
            "env-filter",
            "tree-filter",
            "index-filter",
            "parent-filter",
            "msg-filter",
            "commit-filter",
            "tag-name-filter",
            "setup",
            "subdirectory-filter",
            "original",
            "state-branch",
        ],
        ..NONE
    };
    let options = step.options(&FILTER);
    if verb == "filter-repo" && options.has(&["analyze", "dry-run", "version"]) {
        return;
    }
    if verb == "filter-branch" {
        for name in ["setup", "env-filter", "tree-filter", "index-filter", "msg-filter", "commit-filter"] {
            for code in options.values(&[name]) {
                super::run_shell(shell, code);
            }
        }
    }
    lose(shell, &rules::REWRITE_HISTORY, Target::Named(step.shown()), step.span());
}

fn update_ref(shell: &mut Shell<'_>, step: &Step<'_>) {
    const UPDATE: Syntax = Syntax { short_values: "m", long_flags: &["stdin", "no-deref", "create-reflog"], ..NONE };
    let options = step.options(&UPDATE);
    let name = options.operands.first().map_or("--stdin".into(), |arg| arg.shown());
    let target = Target::Ref { name: Refs::Named(name.into_owned()), remote: None };
    lose(shell, if options.has(&["d"]) { &rules::DROP_HISTORY } else { &rules::MOVE_BRANCH }, target, step.span());
}

fn bisect(shell: &mut Shell<'_>, step: &Step<'_>) -> Feed {
    if step.args.first().is_some_and(|arg| arg.is("run")) {
        return shell.run(step.args.get(1..).unwrap_or_default(), Feed::none(), step.span());
    }
    local(shell, EffectKind::Overwrite, step)
}

/// `git difftool -x 'program'` and the like.
fn external_tool(shell: &mut Shell<'_>, step: &Step<'_>) {
    const TOOL: Syntax = Syntax { short_values: "xt", long_values: &["extcmd", "tool"], ..NONE };
    let options = step.options(&TOOL);
    for code in options.values(&["x", "extcmd"]) {
        let mut code = code.clone();
        // The two files are put behind it, of which one is that of the working tree, whatever it says itself.
        code.value.extend(Value::text(" \"$LOCAL\" \"$REMOTE\""));
        super::run_shell(shell, &code);
    }
}

/// `git grep -O` opens what it finds in a program of one's choice.
///
/// Outside the index it reads whatever it is given.
fn grep(shell: &mut Shell<'_>, step: &Step<'_>) -> Feed {
    for arg in step.args.iter().take_while(|arg| !arg.is("--")) {
        let text = arg.value.prefix();
        let long = text.split_once('=').filter(|(name, _)| abbreviates(name, "--open-files-in-pager", "--op"));
        let skip = match long {
            Some((name, _)) => name.len() + 1,
            None if text.starts_with("-O") && text.len() > 2 => 2,
            None => continue,
        };
        let mut code = Arg { value: strip(&arg.value, skip), span: arg.span };
        // The files that it has found are put behind it.
        code.value.extend(Value::text(" \"$FOUND\""));
        super::run_shell(shell, &code);
    }
    const GREP: Syntax = Syntax {
        short_values: "efmABC",
        long_values: &["max-depth", "threads", "max-count", "context", "after-context", "before-context"],
        ..NONE
    };
    let options = step.options(&GREP);
    let mut feed = step.output();
    let content = !options.has(&["l", "L", "c", "q", "files-with-matches", "files-without-match", "count", "quiet"]);
    let given = options.has(&["e", "f"]);
    for operand in options.operands.iter().skip(usize::from(!given)).filter(|_| content) {
        if shell.place(&operand.value).nature == Nature::Secret {
            feed = feed.then(shell.read(operand));
        }
    }
    feed
}

/// Commands that show content: it may be that of a secret, it may go to a file, and a setting may run a program on it.
fn look(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) -> Feed {
    const LOOK: Syntax = Syntax {
        short_values: "SGLn",
        long_values: &[
            "output",
            "format",
            "author",
            "grep",
            "since",
            "until",
            "committer",
            "date",
            "diff-filter",
            "max-count",
        ],
        ..NONE
    };
    let options = step.options(&LOOK);
    tree::write_option(shell, &options, &["output"]);
    let content = match verb {
        "log" => options.has(&["p", "u", "patch"]),
        "cat-file" => !options.has(&["t", "s", "e"]),
        "diff" => {
            !options.has(&["stat", "name-only", "name-status", "quiet", "shortstat", "numstat", "summary", "check"])
        }
        _ => !options.has(&["stat", "name-only", "name-status"]),
    };
    let mut feed = step.output();
    for operand in options.operands.iter().filter(|_| content) {
        // `commit:path` names a file as a commit has it.
        let at = operand.value.prefix().find(':').map_or(0, |at| at + 1);
        let path = Arg { value: strip(&operand.value, at), span: operand.span };
        if let (true, Some(name), [_]) = (is_own_commit(operand), path.known(), options.operands.as_slice()) {
            feed = feed.also_from(crate::value::Origin::Committed(name.to_owned()));
        }
        if !path.value.is_empty() && shell.place(&path.value).nature == Nature::Secret {
            feed = feed.then(shell.read(&path));
        }
    }
    feed
}

/// `HEAD~1:path`, `:path`, `1a2b3c4:path`: a file in the history of the branch that is checked out. What has come from
/// elsewhere may be anybody's.
fn is_own_commit(operand: &Arg) -> bool {
    let Some((commit, path)) = operand.known().and_then(|text| text.split_once(':')) else { return false };
    let number = commit.len() >= 7 && commit.chars().all(|letter| letter.is_ascii_hexdigit());
    !path.is_empty() && (commit.is_empty() || commit.starts_with("HEAD") || commit.starts_with('@') || number)
}

/// An archive is made of what a commit holds: a secret among it stays one inside, wherever it goes.
fn archive(shell: &mut Shell<'_>, step: &Step<'_>) -> Feed {
    const ARCHIVE: Syntax = Syntax {
        short_values: "o",
        long_values: &["output", "exec", "remote", "format", "prefix", "add-file", "add-virtual-file", "mtime"],
        ..NONE
    };
    let options = step.options(&ARCHIVE);
    if let Some(code) = options.value(&["exec"]) {
        super::run_shell(shell, code);
    }
    if let Some(address) = options.value(&["remote"]) {
        super::remote::transport(shell, address);
    }
    let mut content = step.output();
    for path in options.operands.iter().filter_map(|operand| committed_path(operand)) {
        if shell.place(&path.value).nature == Nature::Secret {
            content = content.then(shell.read(&path));
        }
    }
    for file in options.values(&["add-file"]) {
        content = content.then(shell.read(file));
    }
    let Some(file) = options.value(&["o", "output"]) else { return content };
    shell.write(file, Write::Replace);
    if content.secret().is_some() {
        shell.remember_written(file, Written::Content(content));
    }
    Feed::none()
}

/// The path that an operand names within a commit: `commit:path`, a plain path, or one behind the signs that say how it
/// is looked for (`:/path`, `:(top,icase)path`). None where the path is left out (`:!path`).
fn committed_path(operand: &Arg) -> Option<Arg> {
    let text = operand.value.prefix();
    let at = match text.strip_prefix(':') {
        Some(magic) if magic.starts_with(['!', '^']) => return None,
        Some(magic) if magic.starts_with('(') => {
            let end = magic.find(')')?;
            let words = magic.get(1..end).unwrap_or_default();
            if words.split(',').any(|word| word == "exclude") {
                return None;
            }
            end + 2
        }
        _ => text.find(':').map_or(0, |at| at + 1),
    };
    let path = Arg { value: strip(&operand.value, at), span: operand.span };
    (!path.value.is_empty()).then_some(path)
}

/// `git init --template` brings hooks along.
pub(super) fn hooks_from_template(shell: &mut Shell<'_>, step: &Step<'_>) {
    const TEMPLATE: Syntax = Syntax { long_values: &["template"], ..NONE };
    if !step.verb.is("init") && !step.verb.is("clone") {
        return;
    }
    let options = Options::read(step.args, &TEMPLATE);
    if let Some(template) = options.value(&["template"]).filter(|template| !template.value.is_empty()) {
        shell.tell(&rules::HOOKS, template.shown(), template.span);
    }
}

fn written_by_bundle(shell: &mut Shell<'_>, step: &Step<'_>, verb: &str) {
    if verb == "bundle" && step.args.first().is_some_and(|arg| arg.is("create")) {
        let file = step.args.iter().skip(1).find(|arg| !arg.is_option()).cloned();
        if let Some(file) = file.filter(|file| !file.is("-")) {
            shell.write(&file, Write::Replace);
        }
    }
}
