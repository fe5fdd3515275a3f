//! Signoff as a thing that other programs steer: a service, a container, a deployment, a session, a process.
//!
//! Every call passes by here, so that no family needs to remember Signoff by itself.

use signoff_model::{EffectKind, Span};

use super::{
    OWN_PROCESS,
    pattern::{Covers, matches_signoff},
};
use crate::{
    rule,
    shell::{Call, Shell, families::tool},
    value::{Arg, Feed, Origin, Value},
    words::Words,
};

/// Programs whose words name services, containers, deployments and machines.
static STEERS: Words<256> = Words::new(
    "systemctl service rc-service invoke-rc.d rc-update chkconfig update-rc.d insserv initctl sv s6-svc s6-rc \
    supervisorctl pm2 forever monit god circusctl launchctl brew loginctl machinectl busctl start-stop-daemon \
    docker podman nerdctl finch docker-compose podman-compose crictl ctr lxc incus virsh vagrant limactl multipass \
    kubectl oc k3s microk8s minikube helm helmfile nomad consul docker-machine flyctl fly heroku gcloud aws az \
    sc sc.exe net net.exe nssm nssm.exe taskkill taskkill.exe tskill synoservice synoservicectl runit",
);

/// Programs that change a process, whose number or name stands among their arguments.
static REACHES: Words<64> = Words::new(
    "renice ionice chrt taskset prlimit choom cpulimit nsenter cgclassify cgexec migratepages numactl schedtool \
    uclampset coresched pidfd_send_signal jattach injcode reptyr neercs retty dumpcore procdump",
);

/// Programs that print the numbers of the processes that they are asked about.
static LOOKS_UP: Words<32> =
    Words::new("ps lsof fuser systemctl launchctl docker podman nerdctl ss netstat supervisorctl pm2 tasklist");

/// Verbs that leave what runs as it is: they look, or start, build or remove something else under the name.
static LEAVES: Words<128> = Words::new(
    "run create build tag push pull apply up install start enable upgrade load import login cat status show logs \
    inspect get describe list ls ps top images rmi history explain is-active is-enabled search",
);

/// Verbs that stop or change what runs, whatever the program says about them.
static ENDS: Words<64> = Words::new(
    "stop kill rm remove restart reload pause suspend update rename disconnect delete del scale disable mask \
    rollout patch edit set cordon drain evict down try-restart force-reload unload bootout remove-instance",
);

/// Whether a word names Signoff as a service, a container, a deployment or a session.
pub fn is_own_thing(arg: &Arg) -> bool {
    let listed = arg.value.origins().any(|origin| match origin {
        Origin::Listing { under, .. } => under.split([' ', ',']).any(is_own_name),
        Origin::Process(name) => super::names_signoff(name),
        _ => false,
    });
    listed || arg.known().is_some_and(is_own_name)
}

/// Whether a text is a name that Signoff goes by: `signoff`, `signoff.service`, `deploy/signoff`, `signoff:0.1`,
/// `app=signoff`, `stack_signoff_1`. A file of that name is no such thing.
fn is_own_name(text: &str) -> bool {
    let name = text.rsplit(['/', '=']).next().unwrap_or(text);
    let name = name.split([':', '@']).next().unwrap_or(name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_file = matches!(ending, "yml" | "yaml" | "json" | "toml" | "md" | "rs" | "tar" | "gz" | "zip" | "tgz");
    // What the work on Signoff itself puts up beside the gate.
    let beside = ["dev", "test", "tests", "build", "ci", "docs"];
    let is_beside = name.split(['-', '_', '.']).any(|word| beside.contains(&word));
    !is_file
        && !is_beside
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'))
        && super::names_signoff(name)
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
        .any(|word| is_own_name(word.trim_matches(['"', '\''])))
    {
        shell.tell(&OWN_PROCESS, named, span);
    }
}

/// Whether a pattern by which processes are chosen chooses Signoff's as well.
pub fn chooses_own_process(pattern: &Arg, covers: Covers) -> bool {
    pattern.known().is_some_and(|text| matches_signoff(text, covers))
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
    if !STEERS.holds(&call.name) || call.asks_for_help() {
        return;
    }
    let Some(at) = call.args.iter().position(is_own_thing) else { return };
    // A formula or an image of the name is not what runs.
    let of_something_else =
        call.name == "brew" && !call.has("services") || call.args.iter().take(at).any(|arg| arg.is("image"));
    if of_something_else {
        return;
    }
    let verb = |arg: &&Arg| arg.known().is_some_and(|word| ENDS.holds(word) || LEAVES.holds(word));
    let ends = match call.args.iter().take(at).rev().find(verb).and_then(Arg::known) {
        Some(verb) => ENDS.holds(verb),
        None => shell.findings.reasons().iter().skip(told).any(|reason| {
            let kind = rule::find(reason.rule.as_str()).map(|rule| rule.kind);
            !matches!(kind, None | Some(EffectKind::Publish | EffectKind::SecretRead | EffectKind::NetworkRead))
        }),
    };
    if ends && !shell.findings.has(&OWN_PROCESS) {
        tool::speak(shell, call, &OWN_PROCESS, 0);
    }
}

/// What a program prints that was asked about Signoff's process: its number among other things.
pub fn looked_up(call: &Call, feed: Feed) -> Feed {
    if feed.text.is_some() || !LOOKS_UP.holds(&call.name) {
        return feed;
    }
    match call.args.iter().find(|arg| super::names_signoff(&arg.shown())) {
        Some(arg) => {
            let mut origins = feed.into_flow().origins;
            origins.push(Origin::Process(arg.shown().into_owned()));
            Feed::from_all(origins)
        }
        None => feed,
    }
}
