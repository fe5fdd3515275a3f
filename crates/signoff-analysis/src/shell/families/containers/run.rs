//! Commands inside containers: `docker run`, `docker exec`.

use signoff_model::Span;

use super::{HOST_MOUNT, Host, REMOTE};
use crate::{
    path_effects::Write,
    place::{Nature, Place},
    shell::{
        Call, Locus, Mount, Shell, Written,
        families::{self, network::elsewhere},
        subcommands::Line,
    },
    value::{Arg, Feed, Origin},
};

const RUN: &str = "\
    -e --env -v --volume --mount -w --workdir -p --publish --name --network --net -u --user \
    --entrypoint -h --hostname -m --memory -l --label --cpus --platform --pull --restart --env-file \
    --add-host --dns --device --gpus --cap-add --cap-drop --security-opt --shm-size --tmpfs --ulimit \
    --log-driver --log-opt --pid --ipc --uts --userns --volumes-from --link --expose --cidfile -a \
    --attach -c --cpu-shares --ip --ip6 --mac-address --network-alias --net-alias --stop-signal \
    --stop-timeout --sysctl --runtime --health-cmd --health-interval --health-retries --health-timeout \
    --health-start-period --group-add --cgroup-parent --cgroupns --annotation --isolation \
    --oom-score-adj --pids-limit --storage-opt --volume-driver --device-cgroup-rule --device-read-bps \
    --device-write-bps --blkio-weight --cpuset-cpus --cpuset-mems --cpu-period --cpu-quota \
    --memory-swap --memory-reservation --memory-swappiness --domainname --dns-search --dns-option \
    --label-file --pod --secret --authfile --arch --os --uidmap --gidmap --hooks-dir --log-level \
    --detach-keys --cgroup-conf --env-merge --variant --index";

pub(super) fn run(shell: &mut Shell<'_>, call: &Call, verb: &str, args: &[Arg]) -> Feed {
    let line = Line::leading(args, RUN);
    let Some((image, inner)) = line.rest.split_first() else { return call.output() };
    let mut mounts = mounts(shell, &line);
    mounts.extend(devices(shell, &line));
    powers(shell, &line, call);
    for lender in line.all_values(&["--volumes-from"]) {
        families::own::shares_own_files(shell, &lender);
    }
    // What shares the processes or the network of the gate's container reaches it from within.
    for shared in line.all_values(&["--pid", "--ipc", "--network", "--net", "--uts"]) {
        families::own::joins_own_container(shell, &shared);
    }
    // Another program gets what the gate has stored.
    let is_gate = families::own::names_signoff(&image.shown())
        && line.value(&["--entrypoint"]).is_none()
        && families::own::is_own_command(inner);
    if !is_gate {
        tell_own_volumes(shell, &mounts, call.span);
    }
    if families::desktop::mines(&image.shown()) || inner.iter().any(|arg| families::desktop::joins_pool(&arg.shown())) {
        shell.tell(&families::desktop::MINE, image.shown(), call.span);
    }
    let argv = inner_command(&line, image, inner);
    // What is printed is the name of the new container, when nobody waits for its own output.
    let apart = line.has(&["-d", "--detach"]) || verb == "create";
    if let Some(file) = line.value(&["--cidfile"]) {
        shell.write(&file, Write::New);
        shell.remember_written(&file, Written::Content(Feed::from(Origin::Started)));
    }
    let printed = if apart { Feed::from(Origin::Started) } else { call.output() };
    if argv.is_empty() {
        return printed;
    }
    // Without a working directory of its own, the command is taken to start where the project is mounted.
    let cwd = line.value(&["-w", "--workdir"]).and_then(|cwd| cwd.known().map(str::to_owned));
    let project = mounts.iter().find(|mount| !mount.target.starts_with("/dev"));
    let cwd = cwd.or_else(|| project.map(|mount| mount.target.clone())).unwrap_or_else(|| "/".to_owned());
    let out = shell.contained(mounts, Some(cwd), |shell| shell.run(&argv, call.stdin.clone(), call.span));
    if apart { printed } else { out }
}

/// Says so if a volume of the gate is among what a container sees.
fn tell_own_volumes(shell: &mut Shell<'_>, mounts: &[Mount], span: Span) {
    for mount in mounts {
        let name = match &mount.source {
            Some(place) => families::own::volume_at(&place.path),
            None => Some(mount.shown.as_str()),
        };
        if name.is_some_and(families::own::is_own_volume) {
            shell.tell(&families::own::OWN_STATE, mount.shown.clone(), span);
        }
    }
}

/// Says so if a service of a project is run with a volume of the gate.
pub(super) fn tell_lent_volumes(shell: &mut Shell<'_>, line: &Line<'_>, span: Span) {
    let mounts = mounts(shell, line);
    tell_own_volumes(shell, &mounts, span);
}

/// The argument list that runs in the container. Images that wrap one program are taken for that program.
fn inner_command(line: &Line<'_>, image: &Arg, inner: &[Arg]) -> Vec<Arg> {
    if let Some(program) = line.value(&["--entrypoint"])
        && !program.value.is_empty()
    {
        let mut argv = vec![program];
        argv.extend(inner.iter().cloned());
        return argv;
    }
    let Some(first) = inner.first() else { return Vec::new() };
    let is_program = first.known().is_none_or(|name| {
        let base = name.rsplit('/').next().unwrap_or(name);
        name.contains('/')
            || families::find(base).is_some()
            || matches!(base, "sh" | "bash" | "ash" | "cd" | "echo" | "true" | "test")
    });
    if is_program {
        return inner.to_vec();
    }
    let shown = image.shown();
    let base = shown.rsplit('/').next().unwrap_or_default().split([':', '@']).next().unwrap_or_default();
    let program = match base {
        "aws-cli" => "aws",
        "google-cloud-cli" | "cloud-sdk" => "gcloud",
        "azure-cli" => "az",
        "opentofu" => "tofu",
        "mongo" => "mongosh",
        "redis" | "valkey" => "redis-cli",
        other => other,
    };
    let holds_database = matches!(base, "postgres" | "mysql" | "mariadb" | "mongo" | "redis" | "valkey");
    if !holds_database && families::find(program).is_some() {
        let mut argv = vec![Arg::text(program, image.span)];
        argv.extend(inner.iter().cloned());
        return argv;
    }
    inner.to_vec()
}

/// What the container sees of this machine; says so where that is too much.
fn mounts(shell: &mut Shell<'_>, line: &Line<'_>) -> Vec<Mount> {
    let mut all = Vec::new();
    for volume in line.all_values(&["-v", "--volume"]) {
        let shown = volume.shown().into_owned();
        let Some((source, rest)) = split_source(&shown) else { continue };
        let (target, options) = rest.split_once(':').unwrap_or((rest, ""));
        let read_only = options.split(',').any(|option| option == "ro");
        all.push(mount(shell, source, target, read_only, &volume));
    }
    for spec in line.all_values(&["--mount"]) {
        let shown = spec.shown().into_owned();
        let field = |names: &[&str]| {
            shown.split(',').find_map(|part| {
                part.split_once('=').filter(|(name, _)| names.contains(name)).map(|(_, value)| value.to_owned())
            })
        };
        let (Some(source), Some(target)) = (field(&["source", "src"]), field(&["target", "destination", "dst"])) else {
            continue;
        };
        let read_only = shown.split(',').any(|part| matches!(part, "readonly" | "ro" | "readonly=true" | "ro=true"));
        all.push(mount(shell, &source, &target, read_only, &spec));
    }
    all
}

/// The source of `source:target[:options]`; none for a volume without a name.
fn split_source(shown: &str) -> Option<(&str, &str)> {
    // A drive letter is not a source.
    let drive = shown.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && shown.as_bytes().get(1) == Some(&b':')
        && shown.as_bytes().get(2).is_some_and(|third| matches!(third, b'\\' | b'/'))
        && !shown.starts_with('/');
    let from = if drive { 2 } else { 0 };
    let at = shown.get(from..)?.find(':')? + from;
    Some((shown.get(..at)?, shown.get(at + 1..)?))
}

fn mount(shell: &mut Shell<'_>, source: &str, target: &str, read_only: bool, arg: &Arg) -> Mount {
    let place = source_place(shell, source);
    if let Some(place) = &place {
        let socket = ["docker.sock", "podman.sock", "containerd.sock", "crio.sock"]
            .iter()
            .any(|name| place.path.ends_with(name));
        let powerful = match place.nature {
            _ if socket => true,
            Nature::Root
            | Nature::SystemTree
            | Nature::HomeTree
            | Nature::Disk
            | Nature::Accounts
            | Nature::Secret
            | Nature::SshAccess
            | Nature::Signoff => true,
            Nature::SystemFile | Nature::StartUp | Nature::LoginProfile | Nature::GitHooks | Nature::AgentSettings => {
                !read_only
            }
            _ => false,
        };
        if powerful {
            shell.tell(&HOST_MOUNT, arg.shown(), arg.span);
        }
    }
    let target = if target.len() > 1 { target.trim_end_matches('/') } else { target };
    Mount { source: place, shown: source.to_owned(), target: target.to_owned() }
}

/// Where a source lies on this machine; none for a volume with a name.
fn source_place(shell: &Shell<'_>, source: &str) -> Option<Place> {
    let cwd = shell.cwd().unwrap_or(&shell.whereabouts().project);
    let here =
        ["$PWD", "${PWD}", "$(pwd)", "`pwd`", "%cd%", "$(PWD)"].iter().find_map(|name| source.strip_prefix(name));
    let home = ["~", "$HOME", "${HOME}"].iter().find_map(|name| source.strip_prefix(name));
    let path = match (here, home) {
        (Some(rest), _) => format!("{cwd}{rest}"),
        (None, Some(rest)) => format!("{}{rest}", shell.whereabouts().home),
        (None, None) if source.starts_with(['/', '.']) => source.to_owned(),
        (None, None) if source.contains('$') => return Some(Place::anywhere(source)),
        (None, None) => return None,
    };
    Some(Place::of_path(&path, Some(cwd), shell.whereabouts(), shell.facts()))
}

/// The devices of this machine that the container may use.
fn devices(shell: &Shell<'_>, line: &Line<'_>) -> Vec<Mount> {
    let all = line.has(&["--privileged"]).then(|| "/dev".to_owned());
    let given = line.all_values(&["--device"]);
    let named = given.iter().map(|value| value.shown().into_owned());
    let mount = |spec: String| {
        let mut parts = spec.split(':');
        let source = parts.next().unwrap_or_default();
        let target = parts.next().filter(|target| target.starts_with('/')).unwrap_or(source);
        Mount { source: source_place(shell, source), shown: source.to_owned(), target: target.to_owned() }
    };
    all.into_iter().chain(named).map(mount).collect()
}

/// Options that lift the walls around a container.
fn powers(shell: &mut Shell<'_>, line: &Line<'_>, call: &Call) {
    let mut given = Vec::new();
    if line.has(&["--privileged"]) {
        given.push("--privileged".to_owned());
    }
    for (names, dangerous) in [
        (&["--pid"][..], &["host"][..]),
        (&["--userns"], &["host"]),
        (&["--cgroupns"], &["host"]),
        (&["--security-opt"], &["unconfined", "label=disable", "label:disable"]),
        (
            &["--cap-add"],
            &["ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO", "CAP_SYS_ADMIN"],
        ),
        (&["--device"], &["/dev/sd", "/dev/nvme", "/dev/mem", "/dev/vd", "/dev/dm-", "/dev/mapper"]),
    ] {
        for value in line.all_values(names) {
            let shown = value.shown();
            let found = dangerous.iter().any(|danger| shown.contains(danger));
            let debugs = names == ["--cap-add"] && shown == "SYS_PTRACE";
            if found && !debugs {
                given.push(format!("{} {shown}", names.first().copied().unwrap_or_default()));
            }
        }
    }
    if !given.is_empty() {
        shell.tell(&HOST_MOUNT, given.join(" "), call.span);
    }
}

pub(super) fn exec(shell: &mut Shell<'_>, call: &Call, args: &[Arg], host: Host) -> Feed {
    let line = Line::leading(args, "-e --env -w --workdir -u --user --env-file --detach-keys --index");
    let Some((container, argv)) = line.rest.split_first() else { return call.output() };
    inside(shell, call, container.shown().into_owned(), argv, host)
}

/// Runs a command in a container that lives on.
pub(super) fn inside(shell: &mut Shell<'_>, call: &Call, name: String, argv: &[Arg], host: Host) -> Feed {
    if argv.is_empty() {
        return call.output();
    }
    if host == Host::Another && !elsewhere::is_judged_by_itself(argv) {
        shell.tell(&REMOTE, name.clone(), call.span);
    }
    if ends_container(shell, &name, argv, call.span) {
        return Feed::none();
    }
    shell.elsewhere(Locus::Remote(name), |shell| shell.run(argv, call.stdin.clone(), call.span))
}

/// Says so if a command stops the first process of the container that it runs in: that is the container, and not the
/// machine.
pub(in crate::shell::families) fn ends_container(shell: &mut Shell<'_>, name: &str, argv: &[Arg], span: Span) -> bool {
    let mut words = argv.iter().filter(|arg| !arg.is_option());
    let ends = words.next().is_some_and(|program| program.is("kill")) && words.any(|target| target.is("1"));
    if ends {
        shell.tell(&families::processes::STOP_PROCESS, name, span);
    }
    ends
}
