//! Signoff as a thing that other programs steer: a service, a container, a deployment, a session, a process.
//!
//! Every call passes by here, so that no family needs to remember Signoff by itself.

use signoff_model::{EffectKind, Span};

use super::{
    OWN_PROCESS, OWN_STATE, PERHAPS_OWN,
    pattern::{Covers, matches_signoff},
    steering::{self, Fate, Naming, Order},
};
use crate::{
    place::Nature,
    rule,
    shell::{Call, Shell, expand::pattern::Pattern, families::tool},
    value::{Arg, Feed, Origin, Value},
    words::Words,
};

/// Programs that change a process, whose number or name stands among their arguments.
static REACHES: Words<64> = Words::new(
    "renice ionice chrt taskset prlimit choom cpulimit nsenter cgclassify cgexec migratepages numactl schedtool \
    uclampset coresched pidfd_send_signal jattach injcode reptyr neercs retty dumpcore procdump",
);

/// Programs that list what runs, by its name: services, containers, deployments, sessions.
static LISTS: Words<32> =
    Words::new("docker podman nerdctl crictl kubectl oc helm pm2 systemctl supervisorctl launchctl tmux");

/// Programs that print the numbers of the processes that they are asked about.
static NUMBERS: Words<16> = Words::new("ps lsof fuser ss netstat tasklist");

/// Whether a program lists what runs, by its name.
pub fn lists_things(name: &str) -> bool {
    LISTS.holds(name)
}

/// What the work on Signoff itself puts up beside the gate.
const BESIDE: &[&str] = &["dev", "test", "tests", "build", "ci", "docs", "e2e", "demo"];

/// Whether a word names Signoff as a service, a container or a deployment.
fn is_own_thing(arg: &Arg, naming: Naming) -> bool {
    // `signoff:*` names all processes of a group.
    is_looked_up(arg) || arg.value.known_with_globs().is_some_and(|text| is_own_name(&text, naming))
}

/// Whether a value was looked up by the name of Signoff.
fn is_looked_up(arg: &Arg) -> bool {
    arg.value.origins().any(|origin| match origin {
        Origin::Listing { under, .. } => under.split([' ', ',']).any(lists_own),
        Origin::Process(name) => super::names_signoff(name) || matches_signoff(name, Covers::Part),
        _ => false,
    })
}

/// Whether a filter of a list lets Signoff through. That of a name is a pattern of which any part may match.
fn lists_own(filter: &str) -> bool {
    is_own_name(filter, Naming::Composed)
        || filter.strip_prefix("name=").is_some_and(|name| matches_signoff(name.trim_matches('/'), Covers::Part))
}

/// Whether a session of a terminal is the one in which Signoff asks. Who works on something of that name calls the
/// session after it as well, so only what says that it is the gate counts.
pub fn is_own_session(arg: &Arg) -> bool {
    const GATE: &[&str] = &[
        "gate",
        "serve",
        "server",
        "watch",
        "inbox",
        "daemon",
        "prod",
        "main",
        "approval",
        "approvals",
        "answers",
        "ask",
    ];
    let Some(text) = arg.known() else { return is_own_thing(arg, Naming::Given) };
    let text = text.rsplit(['/', '=']).next().unwrap_or(text).trim_start_matches("title:");
    let says_gate =
        |rest: &str| words_of(rest).all(|word| GATE.contains(&word) || word.bytes().all(|b| b.is_ascii_digit()));
    // A window of the name in another session is the gate's as well: `main:signoff.0`.
    text.split([':', '@', '.']).any(|name| behind_own_name(name).is_some_and(says_gate))
}

/// Whether a text is a name that Signoff goes by: `signoff`, `signoff.service`, `deploy/signoff`, `signoff:0.1`,
/// `app=signoff`, `stack_signoff_1`. A file of that name is no such thing, nor is what only ends in it.
fn is_own_name(text: &str, naming: Naming) -> bool {
    // Between slashes `pm2` takes a pattern of names.
    if let Some(pattern) = text.strip_prefix('/').and_then(|text| text.strip_suffix('/')) {
        return matches_signoff(pattern, Covers::Part);
    }
    let own = |part: &str| is_own_part(part.rsplit('/').next().unwrap_or(part), naming);
    match text.split_once('=') {
        Some((key, value)) => own(key) || own(value),
        None => own(text),
    }
}

fn is_own_part(name: &str, naming: Naming) -> bool {
    // A set of letters may hold the sign that ends a name, so patterns come first.
    if name.contains(['*', '?', '[']) {
        return is_own_pattern(name.trim_end_matches(":*"), naming);
    }
    let name = name.split([':', '@']).next().unwrap_or(name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_file = matches!(ending, "yml" | "yaml" | "json" | "toml" | "md" | "rs" | "tar" | "gz" | "zip" | "tgz");
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    if is_file || !is_plain {
        return false;
    }
    if let Some(rest) = behind_own_name(name) {
        return !words_of(rest).any(|word| BESIDE.contains(&word));
    }
    if naming == Naming::Stored && is_own_volume(name) {
        return true;
    }
    // `dev.signoff.agent`: the names of agents of macOS begin with a domain.
    if name.split('.').skip(1).any(|label| behind_own_name(label).is_some()) {
        return true;
    }
    // `project-signoff-1` is what `compose` calls the container of a service; `design-signoff` is somebody's own name.
    let mut parts = name.rsplit(['-', '_']);
    naming == Naming::Composed
        && parts.next().is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        && parts.next().is_some_and(super::names_signoff)
}

/// Whether a pattern of names, as `systemctl` takes them, lets the gate through. One without a letter of its own is meant
/// for everything, in programs that take patterns at all.
fn is_own_pattern(pattern: &str, naming: Naming) -> bool {
    const NAMES: &[&str] = &["signoff", "signoffd", "signoff-hook", "signoff-gate", "dev.signoff.agent"];
    let pattern = pattern.trim_end_matches(".service").to_ascii_lowercase();
    if naming != Naming::Matched && !pattern.contains(|letter: char| letter.is_ascii_alphanumeric()) {
        return false;
    }
    let pattern = Pattern::new(&pattern);
    NAMES.iter().any(|name| pattern.matches(name) || pattern.matches(&format!("{name}.service")))
}

/// What follows the name of Signoff at the beginning of a name.
fn behind_own_name(name: &str) -> Option<&str> {
    let first = name.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
    super::names_signoff(first).then(|| name.get(first.len()..).unwrap_or_default())
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(['-', '_', '.']).filter(|word| !word.is_empty())
}

/// Whether a value stands for Signoff's own process: by its name, or by a number that was looked up by it or that a file
/// of Signoff holds.
pub fn is_own_process(arg: &Arg) -> bool {
    super::names_signoff(&arg.shown()) || comes_from_signoff(&arg.value)
}

fn comes_from_signoff(value: &Value) -> bool {
    value.origins().any(|origin| match origin {
        // A process is looked up by a pattern: `pgrep sign`, `ps aux | grep [s]ignoff`.
        Origin::Process(name) => super::names_signoff(name) || matches_signoff(name, Covers::Part),
        Origin::File(name) | Origin::Secret(name) => super::names_signoff(name),
        Origin::Program(name) => super::names_signoff(name),
        _ => false,
    })
}

/// Says so if what code stops or steers, as it names it, is Signoff.
pub fn steered_by_code(shell: &mut Shell<'_>, named: &str, span: Span) {
    if named
        .split(|letter: char| letter.is_whitespace() || letter == ',')
        .any(|word| is_own_name(word.trim_matches(['"', '\'']), Naming::Composed))
    {
        shell.tell(&OWN_PROCESS, named, span);
    }
}

/// Whether a pattern by which processes are chosen chooses Signoff's as well.
pub fn chooses_own_process(pattern: &Arg, covers: Covers) -> bool {
    pattern.value.known_with_globs().is_some_and(|text| matches_signoff(&text, covers))
}

/// Whether a path leads into Signoff's running process: its memory, its open files, what limits it. What everybody may
/// know about a process is not meant.
pub fn is_inside_own_process(value: &Value) -> bool {
    const KNOWN_TO_ALL: &[&str] =
        &["/status", "/stat", "/statm", "/comm", "/cmdline", "/limits", "/io", "/cgroup", "/wchan", "/sched"];
    if value.known().is_some() || !value.prefix().starts_with("/proc/") || !comes_from_signoff(value) {
        return false;
    }
    let shown = value.shown();
    !KNOWN_TO_ALL.iter().any(|known| shown.ends_with(known))
}

/// Whether a program tells the number of a process.
pub fn looks_up(name: &str) -> bool {
    NUMBERS.holds(name) || LISTS.holds(name)
}

/// Says so if a call stops or changes Signoff as a service, container, deployment or process. `told` is the number of
/// reasons before the call was judged: where the words of the program do not decide, the judgement of its family does.
pub fn watch(shell: &mut Shell<'_>, call: &Call, told: usize) {
    if REACHES.holds(&call.name) {
        if let Some(at) = call.args.iter().position(is_own_process) {
            tool::speak(shell, call, &OWN_PROCESS, at);
        }
        return;
    }
    if call.asks_for_help() {
        return;
    }
    for order in steering::read(shell, call) {
        obeyed(shell, call, &order, told);
    }
}

fn obeyed(shell: &mut Shell<'_>, call: &Call, order: &Order, told: usize) {
    if order.fate == Fate::Copied {
        copied(shell, call, order);
        return;
    }
    if !order.things.iter().any(|thing| is_own_thing(thing, order.naming)) {
        return;
    }
    let ends = match order.fate {
        Fate::Ends => true,
        Fate::MayEnd => {
            tool::speak(shell, call, &PERHAPS_OWN, 0);
            false
        }
        Fate::Stays | Fate::Copied => false,
        Fate::AsJudged => shell.findings.reasons().iter().skip(told).any(|reason| {
            let kind = rule::find(reason.rule.as_str()).map(|rule| rule.kind);
            !matches!(kind, None | Some(EffectKind::Publish | EffectKind::SecretRead | EffectKind::NetworkRead))
        }),
    };
    if ends && !shell.findings.has(&OWN_PROCESS) {
        tool::speak(shell, call, &OWN_PROCESS, 0);
    }
}

/// Files go into the gate's container, or its own files come out: there its policy, its key and its record lie. Where its
/// files lie in a container, that is the gate's container, whatever it is called.
fn copied(shell: &mut Shell<'_>, call: &Call, order: &Order) {
    let path_in_own = |arg: &Arg| {
        let shown = arg.shown();
        let (name, path) = shown.split_once(':')?;
        let is_own = is_looked_up(arg) || is_own_thing(&Arg::text(name, arg.span), order.naming);
        is_own.then(|| path.to_owned())
    };
    let is_own_file = |arg: &Arg| {
        let shown = arg.shown();
        shown.rsplit_once(':').is_some_and(|(name, path)| {
            // The program itself is built and copied by whoever works on it.
            let is_program =
                path.ends_with("/signoff") && !["/etc/", "/var/", "/run/"].iter().any(|top| path.starts_with(top));
            !is_program
                && !words_of(name).any(|word| BESIDE.contains(&word))
                && shell.place(&Value::text(path)).nature == Nature::Signoff
        })
    };
    let Some((to, from)) = order.things.split_last() else { return };
    let is_taken = |path: String| super::names_signoff(&path) || path.trim_matches('/').is_empty();
    let taken = from.iter().any(|arg| path_in_own(arg).is_some_and(is_taken) || is_own_file(arg));
    if path_in_own(to).is_some() || is_own_file(to) || taken {
        tool::speak(shell, call, &OWN_STATE, 0);
    }
}

/// Whether a volume of this name holds what the gate has stored. `compose` writes the project before it.
pub fn is_own_volume(name: &str) -> bool {
    const STORED: &[&str] =
        &["data", "db", "state", "store", "config", "etc", "var", "lib", "key", "keys", "volume", "pgdata"];
    let stored =
        |name: &str| behind_own_name(name).is_some_and(|rest| words_of(rest).all(|word| STORED.contains(&word)));
    stored(name) || name.split_once('_').is_some_and(|(_, rest)| stored(rest))
}

/// The name of the volume that a directory of this machine holds: `/var/lib/docker/volumes/name/_data`.
pub fn volume_at(path: &str) -> Option<&str> {
    path.split_once("/volumes/").and_then(|(_, rest)| rest.split('/').next())
}

/// Says so if a container is given the files of the gate's own one.
pub fn shares_own_files(shell: &mut Shell<'_>, lender: &Arg) {
    let shown = lender.shown();
    let name = shown.split(':').next().unwrap_or_default();
    if is_looked_up(lender) || is_own_thing(&Arg::text(name, lender.span), Naming::Composed) {
        shell.tell(&OWN_STATE, format!("--volumes-from {shown}"), lender.span);
    }
}

/// Says so if a container is put into the gate's own one: `--pid=container:signoff`.
pub fn joins_own_container(shell: &mut Shell<'_>, shared: &Arg) {
    let shown = shared.shown();
    let Some(name) = shown.strip_prefix("container:") else { return };
    if is_looked_up(shared) || is_own_thing(&Arg::text(name, shared.span), Naming::Composed) {
        shell.tell(&OWN_PROCESS, shown.clone(), shared.span);
    }
}

/// Whether what a program steers is watched here.
pub fn is_watched(name: &str) -> bool {
    steering::steers(name)
}

/// Whether a program may reach a process or what runs: [`watch`] has to look at what it is told.
pub fn may_reach(name: &str) -> bool {
    REACHES.holds(name) || steering::steers(name)
}

/// What a program that [tells the number of a process](looks_up) prints if it was asked about Signoff's: that number among
/// other things.
pub fn looked_up(call: &Call, feed: Feed) -> Feed {
    if feed.text.is_some() {
        return feed;
    }
    match call.args.iter().find(|arg| super::names_signoff(&arg.shown())) {
        Some(arg) => {
            let mut origins = feed.into_flow().origins;
            origins.add(Origin::Process(arg.shown().into_owned()));
            Feed::from_all(origins)
        }
        None => feed,
    }
}
