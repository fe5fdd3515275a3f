//! Git and its kin: every way to lose work or history, to publish, and to make version control run programs.

mod aliases;
mod config;
mod discards;
mod extensions;
mod history;
mod losses;
mod others;
mod remote;
mod rules;
mod staged;
mod tree;

use signoff_model::{Dialect, EffectKind, Refs, Scope, Span, Target, Unread};

pub(crate) use self::config::{CODE_VARIABLES, PLACE_VARIABLES};
pub use self::rules::RULES;
use crate::{
    path_effects::Write,
    place::Nature,
    rule::Rule,
    shell::{Call, Judge, Language, Locus, Made, Shell, Written, options::Options, options::Syntax},
    value::{Arg, Feed, Origin, Value},
};

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[find, others::find];

fn find(name: &str) -> Option<Judge> {
    match name {
        "git" | "hub" => Some(judge),
        "git-upload-pack" | "git-receive-pack" | "git-shell" | "gitk" | "git-gui" | "git-cola" => Some(harmless),
        "git-crypt" | "git-sumi" => None,
        name if name.starts_with("git-") => Some(judge_dashed),
        _ => None,
    }
}

/// One git command behind the global options.
struct Step<'c> {
    call: &'c Call,
    /// The word that names the command.
    verb: &'c Arg,
    /// The arguments behind it.
    args: &'c [Arg],
}

impl Step<'_> {
    /// From the program to the last argument.
    fn span(&self) -> Span {
        let start = self.call.program.span.to(self.verb.span);
        self.args.last().map_or(start, |last| start.to(last.span))
    }

    fn options(&self, syntax: &Syntax) -> Options<'_> {
        Options::read(self.args, syntax)
    }

    /// The command as a person would write it, without the global options.
    fn shown(&self) -> String {
        let mut all = self.verb.shown().into_owned();
        for arg in self.args {
            all.push(' ');
            all.push_str(&arg.shown());
        }
        all
    }

    fn output(&self) -> Feed {
        Feed::from(Origin::Program(self.call.name.clone()))
    }
}

/// The branch of this name, if it is sure which repository it belongs to: the one that the shell stands in.
fn own_branch(shell: &Shell<'_>, step: &Step<'_>, name: Option<&Arg>) -> Option<Made> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '/' | '.');
    let name = name?.known().filter(|name| name.chars().all(is_plain))?;
    let directory = is_plainly_called(shell, step).then(|| shell.cwd())??;
    Some(Made::Branch(directory.to_owned(), name.to_owned()))
}

/// A branch is made by a command that says nothing else: git fails if there is one of this name.
fn make_branch(shell: &mut Shell<'_>, step: &Step<'_>, name: Option<&Arg>, flags: &[&str]) {
    let is_flag = |text: &str| !text.starts_with('-') || text == "-q" || text == "--quiet" || flags.contains(&text);
    if step.args.iter().all(|arg| arg.known().is_some_and(is_flag))
        && let Some(branch) = own_branch(shell, step, name)
    {
        shell.note_made(branch);
    }
}

/// Whether git is told neither before its command nor by variables to work anywhere else than where the shell stands.
fn is_plainly_called(shell: &Shell<'_>, step: &Step<'_>) -> bool {
    let is_verb = |arg: &Arg| arg.known().is_some() && arg.known() == step.verb.known();
    step.call.name == "git"
        && step.call.args.first().is_some_and(is_verb)
        && step.call.args.len() == step.args.len() + 1
        && !shell.state.variables.keys().any(|name| name.starts_with("GIT_"))
}

/// Whether a call of git shows something and leaves all files as they are.
pub(in crate::shell) fn only_looks(shell: &Shell<'_>, call: &Call) -> bool {
    const LOOKS: &[&str] = &["status", "diff", "log", "show", "rev-parse", "ls-files", "describe"];
    // What is shown may be put into a file, or handed to another program.
    let is_plain = |word: &str| !["--o", "-o", "-O", "--ext", "--text"].iter().any(|odd| word.starts_with(odd));
    discards::is_git(call)
        && call.args.first().and_then(Arg::known).is_some_and(|verb| LOOKS.contains(&verb))
        && call.args.iter().all(|arg| arg.known().is_some_and(is_plain))
        && !shell.state.variables.keys().any(|name| name.starts_with("GIT_") || name.ends_with("PAGER"))
}

/// An alias given on the command line.
struct Alias {
    name: String,
    meaning: Arg,
}

/// Global options whose value is the next argument.
const GLOBAL_VALUES: &[&str] =
    &["--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source", "--exec-path", "--config-env"];

/// The words of a command of git from its verb on, without the options before it; none for another program. A word that
/// is not known may be anything, so that what stands there is left as it is.
pub(crate) fn without_globals<'w>(program: &str, words: &'w [Option<String>]) -> Option<&'w [Option<String>]> {
    if program != "git" {
        return None;
    }
    let mut rest = words;
    while let Some((Some(option), behind)) = rest.split_first() {
        if !option.starts_with('-') {
            break;
        }
        let takes_a_word = matches!(option.as_str(), "-C" | "-c")
            || GLOBAL_VALUES.contains(&option.as_str()) && option != "--exec-path";
        rest = if takes_a_word { behind.get(1..).unwrap_or_default() } else { behind };
    }
    Some(rest)
}

/// Aliases must not lead to each other for ever.
const MAX_ALIASES: usize = 8;

fn harmless(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    call.output()
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let aliases = config::from_variables(shell, call);
    carries_secret(shell, call);
    let before = shell.state.cwd.clone();
    let feed = judge_globals(shell, call, aliases);
    shell.state.cwd = before;
    feed
}

/// `git init directory` makes a repository in which nothing is tracked.
fn remember_repository(shell: &mut Shell<'_>, step: &Step<'_>) {
    let directory =
        step.args.iter().find(|arg| !arg.is_option()).map_or_else(|| Value::text("."), |arg| arg.value.clone());
    let path = shell.place(&directory).path.clone();
    let store = Arg::text(format!("{}/.git", path.trim_end_matches('/')), step.verb.span);
    shell.remember_written(&store, Written::Content(Feed::none()));
}

/// An address or a header with a secret in it takes the secret to whoever is asked.
fn carries_secret(shell: &mut Shell<'_>, call: &Call) {
    const TALKS: &[&str] = &["clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive"];
    if call.has_any(TALKS)
        && let Some(arg) = call.args.iter().find(|arg| arg.value.secret().is_some())
    {
        shell.send("a repository", std::iter::once(&arg.value), &Feed::none(), arg.span);
        return;
    }
    // In front of the `@` a variable is what the address is for; in the path it is for whoever is asked.
    let in_path = |arg: &&Arg| {
        let text = arg.value.prefix();
        text.split_once("://").is_some_and(|(_, rest)| rest.contains('/')) && !arg.shown().contains('@')
    };
    for arg in call.args.iter().filter(|_| call.has_any(TALKS)).filter(in_path) {
        let secret = arg.value.origins().find_map(|origin| match origin {
            Origin::Variable(name) if super::secrets::is_grave_variable(name) => Some(name.clone()),
            _ => None,
        });
        if let Some(name) = secret {
            let feed = Feed::from(Origin::Secret(format!("${name}")));
            shell.send("a repository", std::iter::empty::<&Value>(), &feed, arg.span);
        }
    }
}

/// `git-foo …` is `git foo …`.
fn judge_dashed(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let aliases = config::from_variables(shell, call);
    let name = call.name.strip_prefix("git-").unwrap_or_default();
    let verb = Arg::text(name, call.program.span);
    dispatch(shell, &Step { call, verb: &verb, args: &call.args }, &aliases, 0)
}

fn judge_globals(shell: &mut Shell<'_>, call: &Call, mut aliases: Vec<Alias>) -> Feed {
    let mut index = 0;
    while let Some(arg) = call.args.get(index) {
        let text = arg.value.prefix();
        if !text.starts_with('-') {
            break;
        }
        index += 1;
        let next = call.args.get(index);
        match (text, arg.known()) {
            (_, Some("-C")) => {
                let place = next.map(|next| shell.place(&next.value));
                shell.state.stand_in(&place.map(|place| place.path.clone()).unwrap_or_default());
                index += 1;
            }
            (_, Some("-c")) => {
                if let Some(pair) = next {
                    aliases.extend(config::from_pair(shell, pair));
                }
                index += 1;
            }
            (_, Some("--exec-path")) => {}
            (text, _) if text.starts_with("--exec-path=") => {
                shell.tell(&rules::FOREIGN_CONFIG, arg.shown().trim_start_matches("--exec-path="), arg.span);
            }
            (text, _) if text.starts_with("--config-env") => {
                let pair = if arg.is("--config-env") { next } else { Some(arg) };
                if let Some(pair) = pair {
                    config::from_environment(shell, pair);
                }
                index += usize::from(arg.is("--config-env"));
            }
            (_, Some(known)) if GLOBAL_VALUES.contains(&known) => index += 1,
            _ => {}
        }
    }
    let Some(verb) = call.args.get(index) else { return harmless(shell, call) };
    let args = call.args.get(index + 1..).unwrap_or_default();
    in_own_tree(shell, call.args.get(..index).unwrap_or_default(), verb);
    dispatch(shell, &Step { call, verb, args }, &aliases, 0)
}

/// A repository of Signoff's own settings or store: whatever git writes there changes the gate.
fn in_own_tree(shell: &mut Shell<'_>, globals: &[Arg], verb: &Arg) {
    const LOOKS: &[&str] = &["diff", "show", "grep", "blame", "cat-file", "ls-remote", "archive", "help", "version"];
    if verb.known().is_some_and(|verb| history::READS.contains(&verb) || LOOKS.contains(&verb)) {
        return;
    }
    let named = globals.iter().enumerate().filter_map(|(at, arg)| {
        let text = arg.value.prefix();
        match ["--git-dir", "--work-tree"].iter().find(|option| text.starts_with(**option)) {
            Some(option) if text == *option => globals.get(at + 1).map(|next| next.value.clone()),
            Some(option) => Some(crate::shell::options::strip(&arg.value, option.len() + 1)),
            None => None,
        }
    });
    let own = std::iter::once(Value::text(".")).chain(named).find(|tree| shell.place(tree).nature == Nature::Signoff);
    if let Some(tree) = own {
        shell.write(&Arg { value: tree, span: verb.span }, Write::Edit);
    }
}

/// Help is asked for right behind the verb. Behind switches it is as well, where git itself reads them; anywhere else the
/// word may be a value, or belong to a program that git runs.
fn asks_for_help(verb: &str, args: &[Arg]) -> bool {
    let help = |arg: &Arg| arg.is("--help") || arg.is("-h");
    if args.first().is_some_and(help) {
        return true;
    }
    const READ_BY_GIT: &[&str] = &[
        "reset",
        "push",
        "clean",
        "checkout",
        "switch",
        "restore",
        "branch",
        "tag",
        "commit",
        "rm",
        "mv",
        "gc",
        "prune",
        "fetch",
        "merge",
        "rebase",
        "revert",
        "cherry-pick",
        "add",
        "repack",
        "update-ref",
    ];
    const SWITCHES: &[&str] = &[
        "--hard",
        "--soft",
        "--mixed",
        "--keep",
        "--merge",
        "--force",
        "--delete",
        "--all",
        "--tags",
        "--mirror",
        "--prune",
        "--quiet",
        "--staged",
        "--worktree",
        "--amend",
        "--abort",
        "--cached",
        "--force-with-lease",
    ];
    let is_switch = |arg: &Arg| {
        let text = arg.known().unwrap_or("…");
        SWITCHES.contains(&text)
            || text.len() > 1
                && text
                    .strip_prefix('-')
                    .is_some_and(|letters| letters.chars().all(|letter| "fdxXqDrv".contains(letter)))
    };
    READ_BY_GIT.contains(&verb) && args.iter().position(help).is_some_and(|at| args.iter().take(at).all(is_switch))
}

fn dispatch(shell: &mut Shell<'_>, step: &Step<'_>, aliases: &[Alias], depth: usize) -> Feed {
    let Some(verb) = step.verb.known() else {
        shell.tell(&crate::shell::rules::UNKNOWN_PROGRAM, format!("git {}", step.verb.shown()), step.verb.span);
        return step.output();
    };
    if asks_for_help(verb, step.args) {
        return step.output();
    }
    if depth < MAX_ALIASES && !is_builtin(verb) && !history::READS.contains(&verb) {
        let mut meanings = aliases::meanings(shell, aliases, step.verb, verb);
        if meanings.is_empty() {
            meanings.extend(config::stored_alias(shell, verb).map(|text| Arg::text(text, step.verb.span)));
        }
        let feeds = meanings.iter().map(|meaning| expand(shell, step, meaning, aliases, depth));
        if let Some(feed) = feeds.reduce(Feed::or) {
            return feed;
        }
    }
    if verb == "init" {
        remember_repository(shell, step);
    }
    if let Some(feed) = tree::judge(shell, step, verb)
        .or_else(|| history::judge(shell, step, verb))
        .or_else(|| remote::judge(shell, step, verb))
    {
        return feed;
    }
    match verb {
        "config" => config::command(shell, step),
        "help" | "version" => step.output(),
        verb => match usual_alias(verb) {
            Some(full) => {
                let full = Arg::text(full, step.verb.span);
                dispatch(shell, &Step { call: step.call, verb: &full, args: step.args }, &[], MAX_ALIASES)
            }
            None => extensions::judge(shell, step, verb),
        },
    }
}

/// Runs what an alias stands for: a shell text behind `!`, otherwise a git command.
fn expand(shell: &mut Shell<'_>, step: &Step<'_>, meaning: &Arg, aliases: &[Alias], depth: usize) -> Feed {
    if meaning.value.prefix().starts_with('!') {
        let mut value = crate::shell::options::strip(&meaning.value, 1);
        for arg in step.args {
            value.extend(Value::text(" "));
            value.extend(arg.value.clone());
        }
        return run_shell(shell, &Arg { value, span: meaning.span });
    }
    let Some(text) = meaning.known() else {
        shell.opaque(Unread::GitAlias(meaning.shown().into_owned()), meaning.span);
        return step.output();
    };
    let mut words = text.split_whitespace().map(|word| Arg::text(word.trim_matches(['"', '\'']), meaning.span));
    let Some(verb) = words.next() else { return step.output() };
    let args: Vec<Arg> = words.chain(step.args.iter().cloned()).collect();
    dispatch(shell, &Step { call: step.call, verb: &verb, args: &args }, aliases, depth + 1)
}

/// Git does not let an alias hide a command of its own.
fn is_builtin(verb: &str) -> bool {
    matches!(
        verb,
        "add"
            | "am"
            | "apply"
            | "branch"
            | "checkout"
            | "cherry-pick"
            | "clean"
            | "clone"
            | "commit"
            | "config"
            | "diff"
            | "fetch"
            | "gc"
            | "init"
            | "log"
            | "merge"
            | "mv"
            | "pull"
            | "push"
            | "rebase"
            | "reflog"
            | "remote"
            | "reset"
            | "restore"
            | "revert"
            | "rm"
            | "show"
            | "stash"
            | "status"
            | "submodule"
            | "switch"
            | "tag"
            | "worktree"
    )
}

/// What people's usual aliases mean.
fn usual_alias(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "co" => "checkout",
        "ci" => "commit",
        "br" => "branch",
        "sw" => "switch",
        "rs" => "restore",
        "rb" => "rebase",
        "ps" => "push",
        "cl" => "clone",
        _ => return None,
    })
}

/// Runs a text as git does: in a shell of its own.
fn run_shell(shell: &mut Shell<'_>, code: &Arg) -> Feed {
    shell.run_code(Language::Shell(Dialect::Sh), code, Feed::none())
}

/// Work that is not committed would go. In a temporary or throw-away place nobody misses it.
fn lose(shell: &mut Shell<'_>, rule: &'static Rule, target: Target, span: Span) {
    if is_scratch(shell) {
        shell.note(rule.kind, target, Scope::Temp, span);
    } else {
        shell.report(rule, target, Scope::Project, span);
    }
}

fn is_scratch(shell: &Shell<'_>) -> bool {
    *shell.locus() == Locus::ThrowAway || shell.place(&Value::text(".")).scope == Scope::Temp
}

/// Something additive or restorable happens in the repository.
fn local(shell: &mut Shell<'_>, kind: EffectKind, step: &Step<'_>) -> Feed {
    shell.note(kind, Target::Named(format!("git {}", step.shown())), Scope::Project, step.span());
    step.output()
}

fn branch(name: impl Into<String>) -> Target {
    Target::Ref { name: Refs::Named(name.into()), remote: None }
}

#[cfg(test)]
mod tests;
