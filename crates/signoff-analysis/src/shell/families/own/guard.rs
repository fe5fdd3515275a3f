//! Signoff as a thing that other programs steer: a service, a container, a deployment, a session, a process.
//!
//! Every call passes by here, so that no family needs to remember Signoff by itself.

use signoff_model::{EffectKind, Span};

use super::{
    OWN_PROCESS, OWN_STATE,
    pattern::{Covers, matches_signoff},
    steering::{self, Fate, Naming, Order},
};
use crate::{
    rule,
    shell::{Call, Shell, families::tool},
    value::{Arg, Feed, Origin, Value},
    words::Words,
};

/// Programs that change a process, whose number or name stands among their arguments.
static REACHES: Words<64> = Words::new(
    "renice ionice chrt taskset prlimit choom cpulimit nsenter cgclassify cgexec migratepages numactl schedtool \
    uclampset coresched pidfd_send_signal jattach injcode reptyr neercs retty dumpcore procdump",
);

/// Programs that print the numbers of the processes that they are asked about.
static LOOKS_UP: Words<32> =
    Words::new("ps lsof fuser systemctl launchctl docker podman nerdctl ss netstat supervisorctl pm2 tasklist");

/// Whether a word names Signoff as a service, a container or a deployment.
fn is_own_thing(arg: &Arg, naming: Naming) -> bool {
    let listed = arg.value.origins().any(|origin| match origin {
        Origin::Listing { under, .. } => under.split([' ', ',']).any(lists_own),
        Origin::Process(name) => super::names_signoff(name) || matches_signoff(name, Covers::Part),
        _ => false,
    });
    // `signoff:*` names all processes of a group.
    listed || arg.value.known_with_globs().is_some_and(|text| is_own_name(&text, naming))
}

/// Whether a filter of a list lets Signoff through. That of a name is a pattern of which any part may match.
fn lists_own(filter: &str) -> bool {
    is_own_name(filter, Naming::Composed)
        || filter.strip_prefix("name=").is_some_and(|name| matches_signoff(name.trim_matches('/'), Covers::Part))
}

/// Whether a session of a terminal is the one in which Signoff asks. Who works on something of that name calls the
/// session after it as well, so only what says that it is the gate counts.
pub fn is_own_session(arg: &Arg) -> bool {
    const GATE: &[&str] = &["gate", "serve", "server", "watch", "inbox", "daemon", "prod", "main"];
    let Some(text) = arg.known() else { return is_own_thing(arg, Naming::Given) };
    let name = text.rsplit(['/', '=']).next().unwrap_or(text).trim_start_matches("title:");
    let name = name.split([':', '@', '.']).next().unwrap_or(name);
    behind_own_name(name)
        .is_some_and(|rest| words_of(rest).all(|word| GATE.contains(&word) || word.bytes().all(|b| b.is_ascii_digit())))
}

/// Whether a text is a name that Signoff goes by: `signoff`, `signoff.service`, `deploy/signoff`, `signoff:0.1`,
/// `app=signoff`, `stack_signoff_1`. A file of that name is no such thing, nor is what only ends in it.
fn is_own_name(text: &str, naming: Naming) -> bool {
    let own = |part: &str| is_own_part(part.rsplit('/').next().unwrap_or(part), naming);
    match text.split_once('=') {
        Some((key, value)) => own(key) || own(value),
        None => own(text),
    }
}

fn is_own_part(name: &str, naming: Naming) -> bool {
    let name = name.split([':', '@']).next().unwrap_or(name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_file = matches!(ending, "yml" | "yaml" | "json" | "toml" | "md" | "rs" | "tar" | "gz" | "zip" | "tgz");
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    if is_file || !is_plain {
        return false;
    }
    if let Some(rest) = behind_own_name(name) {
        // What the work on Signoff itself puts up beside the gate.
        const BESIDE: &[&str] = &["dev", "test", "tests", "build", "ci", "docs", "e2e", "demo"];
        return !words_of(rest).any(|word| BESIDE.contains(&word));
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

/// Says so if a call stops or changes Signoff as a service, container, deployment or process. `told` is the number of
/// reasons before the call was judged: where the words of the program do not decide, the judgement of its family does.
pub fn watch(shell: &mut Shell<'_>, call: &Call, told: usize) {
    if REACHES.holds(&call.name) {
        if let Some(at) = call.args.iter().position(is_own_process) {
            tool::speak(shell, call, &OWN_PROCESS, at);
        }
        return;
    }
    if !steering::steers(&call.name) || call.asks_for_help() {
        return;
    }
    let Some(order) = steering::read(call) else { return };
    if order.fate == Fate::Copied {
        copied(shell, call, &order);
        return;
    }
    if !order.things.iter().any(|thing| is_own_thing(thing, order.naming)) {
        return;
    }
    let ends = match order.fate {
        Fate::Ends => true,
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

/// Files go into the gate's container, or its own files come out: there its policy, its key and its record lie.
fn copied(shell: &mut Shell<'_>, call: &Call, order: &Order) {
    let own = |arg: &Arg| {
        let shown = arg.shown();
        let (name, path) = shown.split_once(':')?;
        is_own_thing(&Arg::text(name, arg.span), order.naming).then(|| path.to_owned())
    };
    let Some((to, from)) = order.things.split_last() else { return };
    let taken =
        from.iter().filter_map(own).any(|path| super::names_signoff(&path) || path.trim_matches('/').is_empty());
    if own(to).is_some() || taken {
        tool::speak(shell, call, &OWN_STATE, 0);
    }
}

/// Whether a volume of this name holds what the gate has stored.
pub fn is_own_volume(name: &str) -> bool {
    const STORED: &[&str] = &["data", "db", "state", "store", "config", "etc", "var", "lib", "key", "keys", "volume"];
    behind_own_name(name).is_some_and(|rest| words_of(rest).all(|word| STORED.contains(&word)))
}

/// Says so if a container is given the files of the gate's own one.
pub fn shares_own_files(shell: &mut Shell<'_>, lender: &Arg) {
    let shown = lender.shown();
    let name = shown.split(':').next().unwrap_or_default();
    if is_own_thing(&Arg::text(name, lender.span), Naming::Composed) {
        shell.tell(&OWN_STATE, format!("--volumes-from {shown}"), lender.span);
    }
}

/// Whether what a program steers is watched here.
pub fn is_watched(name: &str) -> bool {
    steering::steers(name)
}

/// What a program prints that was asked about Signoff's process: its number among other things.
pub fn looked_up(call: &Call, feed: Feed) -> Feed {
    if feed.text.is_some() || !LOOKS_UP.holds(&call.name) {
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
