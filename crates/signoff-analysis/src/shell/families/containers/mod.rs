//! Containers, images and virtual machines.

mod compose;
mod machines;
mod run;
mod services;

pub(in crate::shell::families) use run::ends_container;
use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::{Depth, Write, rules},
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Shell, Variable,
        families::files::bring,
        subcommands::{ByVerb, Deed, Line, Tool},
    },
    value::{Arg, Feed, Origin},
    words::is_listed,
};

rules! {
    HOST_MOUNT = Rule::new("container-host-access", EffectKind::Privilege, Risk::High, "gives a container power over this machine: {}", "赋予容器控制本机的能力：{}")
        .priority(Priority::P0)
        .examples(&["docker run --privileged alpine", "docker run -v /:/host alpine ls", "docker run -v /var/run/docker.sock:/var/run/docker.sock x", "docker run --pid=host alpine"], &["docker run --rm -v \"$PWD:/src\" alpine ls", "docker run -v /tmp/x:/x alpine"]);
    VOLUME_DELETE = Rule::new("volume-delete", EffectKind::Delete, Risk::Critical, "deletes container volumes with their data: {}", "删除容器卷及其数据：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["docker volume rm pgdata", "docker volume prune -f", "docker system prune -af --volumes", "docker compose down -v"], &["docker volume ls", "docker compose down"]);
    PRUNE = Rule::new("container-prune", EffectKind::Delete, Risk::High, "deletes every container, image or network that is not in use: {}", "删除所有未使用的容器、镜像或网络：{}")
        .reversible(Reversible::No)
        .examples(&["docker system prune -f", "docker container prune", "docker image prune -a"], &["docker system df", "docker builder prune"]);
    DELETE_MANY = Rule::new("container-delete-many", EffectKind::Delete, Risk::High, "removes whatever containers or images are listed: {}", "删除列出的所有容器或镜像：{}")
        .reversible(Reversible::No)
        .examples(&["docker rm -fv $(docker ps -aq)", "docker rmi -f $(docker images -q)", "docker stop $(docker ps -q)"], &["docker rm -f testdb"]);
    DELETE = Rule::new("container-delete", EffectKind::Delete, Risk::Low, "removes the container or image {}", "删除容器或镜像 {}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["docker rm -f testdb", "docker rmi app:old"], &["docker ps -a"]);
    STOP = Rule::new("container-stop", EffectKind::Process, Risk::Low, "stops or restarts the container {}", "停止或重启容器 {}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["docker stop web", "docker compose down"], &["docker ps"]);
    PUSH = Rule::new("image-push", EffectKind::Publish, Risk::High, "publishes the image {}", "发布镜像 {}")
        .reversible(Reversible::No)
        .examples(&["docker push acme/app:1", "docker buildx build --push -t acme/app .", "skopeo copy docker://a/b docker://c/d"], &["docker pull acme/app:1", "docker build -t acme/app ."]);
    REGISTRY_DELETE = Rule::new("registry-delete", EffectKind::NetworkWrite, Risk::High, "deletes from an image registry: {}", "从镜像仓库中删除：{}")
        .reversible(Reversible::No)
        .examples(&["crane delete acme/app:1", "skopeo delete docker://registry.example.com/app:1"], &["crane ls acme/app"]);
    LOGIN = Rule::new("registry-login", EffectKind::System, Risk::Medium, "changes the log-ins to image registries: {}", "更改镜像仓库登录：{}")
        .reversible(Reversible::Yes)
        .examples(&["docker login -u me registry.example.com", "docker logout"], &["docker info"]);
    SWARM = Rule::new("swarm-change", EffectKind::NetworkWrite, Risk::High, "changes a cluster of container hosts: {}", "更改容器主机集群：{}")
        .examples(&["docker stack rm app", "docker service update --image x web", "docker swarm leave --force"], &["docker service ls", "docker stack ps app"]);
    REMOTE = Rule::new("remote-containers", EffectKind::NetworkWrite, Risk::High, "changes containers on another machine: {}", "更改另一台机器上的容器：{}")
        .examples(&["docker -H ssh://prod rm -f web", "docker --context prod stop web", "DOCKER_HOST=tcp://10.0.0.5 docker rm web", "docker -H ssh://prod cp x web:/app/x"], &["docker -H ssh://prod ps", "docker -H ssh://prod cp web:/app/x /tmp/x"]);
    CONTEXT = Rule::new("container-settings", EffectKind::System, Risk::Medium, "changes the settings of the container tool: {}", "更改容器工具的设置：{}")
        .reversible(Reversible::Unknown)
        .examples(&["docker context rm prod", "docker plugin install x/y"], &["docker context ls"]);
    MACHINE_DELETE = Rule::new("machine-delete", EffectKind::Delete, Risk::Critical, "deletes a virtual machine, its disk or its snapshots: {}", "删除虚拟机、磁盘或快照：{}")
        .reversible(Reversible::No)
        .examples(&["vagrant destroy -f", "virsh undefine web", "qm destroy 100", "VBoxManage unregistervm web --delete"], &["vagrant status", "virsh list", "qm list"]);
    MACHINE_CHANGE = Rule::new("machine-change", EffectKind::System, Risk::Medium, "changes a virtual machine or its host: {}", "更改虚拟机或其主机：{}")
        .examples(&["qm set 100 --memory 4096", "virsh shutdown web", "VBoxManage import a.ovf"], &["qm config 100", "VBoxManage list vms"]);
}

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[find, machines::find];

fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "docker" | "podman" | "nerdctl" | "finch" => docker,
        "docker-compose" | "podman-compose" | "nerdctl-compose" => compose::compose,
        "buildah" | "skopeo" | "crane" | "gcrane" | "regctl" | "oras" | "ctr" | "crictl" | "cosign"
        | "docker-machine" | "kaniko" | "apptainer" | "singularity" | "devcontainer" | "dive" | "toolbox"
        | "distrobox" => images,
        _ => return None,
    })
}

const GLOBAL: &str = "\
    -H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection \
    --identity --root --runroot --storage-driver --storage-opt -n --namespace -a --address \
    --cgroup-manager";

/// The words before the one that matters, and what follows it.
struct Command<'a> {
    words: Vec<&'a str>,
    args: &'a [Arg],
    host: Host,
}

/// Whose containers they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Host {
    /// Those of this machine.
    This,
    /// Those of another one.
    Another,
}

/// Whether the containers are those of another machine: by an option, or by a variable that the text sets.
fn host(shell: &Shell<'_>, call: &Call, global: &Line<'_>) -> Host {
    let set = |name: &str| {
        let here = call.variables.iter().find(|(variable, _)| variable == name).map(|(_, value)| value);
        here.or_else(|| shell.variable(name)).filter(|value| !value.is_empty()).cloned()
    };
    let option = |names: &[&str]| global.value(names).map(|arg| arg.value);
    let whose = |local: bool| if local { Host::This } else { Host::Another };
    let address = option(&["-H", "--host", "--url"]).or_else(|| set("DOCKER_HOST")).or_else(|| set("CONTAINER_HOST"));
    if let Some(address) = address {
        let address = address.prefix();
        let local = address.starts_with("unix:")
            || address.starts_with("npipe:")
            || address.starts_with("fd:")
            || super::network::is_here(address);
        return whose(local);
    }
    // Contexts of this name lead to a virtual machine on this one.
    const LOCAL: &str = "default desktop-linux desktop-windows colima orbstack rancher-desktop rootless lima lima-docker \
        minikube podman podman-machine-default";
    let context = option(&["-c", "--context", "--connection"]).or_else(|| set("DOCKER_CONTEXT"));
    whose(context.is_none_or(|context| context.known().is_some_and(|name| is_listed(LOCAL, name))))
}

/// What changes nothing on the machine that it is asked of.
const LOOKS: &str = "ps ls list inspect logs log images top stats port version info events diff history search df du config \
    show help cp save export wait attach login logout context buildx";

/// Containers of another machine change: what is asked of it is not a look.
fn tell_remote(shell: &mut Shell<'_>, call: &Call, words: &[&str]) {
    // What is copied there changes it; what is copied from there does not.
    let into = words.last() == Some(&"cp") && call.args.last().is_some_and(|to| to.shown().contains(':'));
    let Some(verb) = words.last().filter(|verb| into || !is_listed(LOOKS, verb)) else { return };
    // What runs in a container that is there is judged by itself.
    if *verb == "exec" || words.first() == Some(&"context") || call.asks_for_help() {
        return;
    }
    shell.tell(&REMOTE, words.join(" "), call.span);
}

fn command<'c>(shell: &Shell<'_>, call: &'c Call) -> Option<Command<'c>> {
    let global = Line::leading(&call.args, GLOBAL);
    let host = host(shell, call, &global);
    let (words, args) = path(global.rest)?;
    Some(Command { words, args, host })
}

/// What a call of the container tools is asked to do, as the family reads it: the verb below its groups, what follows it,
/// and the project if the containers are those of one.
pub struct Order<'c> {
    /// The groups and the verb: `container stop`, `compose down`.
    pub words: Vec<&'c str>,
    /// What stands behind the verb.
    pub args: &'c [Arg],
    /// The names of the project of `compose`.
    pub projects: Vec<Arg>,
    /// The names that it has only from a directory in which somebody may just as well work on it.
    pub checkouts: Vec<Arg>,
}

/// Reads a call of the container tools as [`Order`].
pub fn order<'c>(shell: &Shell<'_>, call: &'c Call) -> Option<Order<'c>> {
    let (mut words, mut args) = match call.name.as_str() {
        "docker" | "podman" | "nerdctl" | "finch" => path(Line::leading(&call.args, GLOBAL).rest)?,
        name if name.ends_with("-compose") => (vec!["compose"], call.args.as_slice()),
        _ => path(Line::leading(&call.args, IMAGES.values).rest)?,
    };
    let (mut projects, mut checkouts) = (Vec::new(), Vec::new());
    if words == ["compose"] {
        let global = Line::leading(args, compose::GLOBAL);
        (projects, checkouts) = compose::projects(shell, call, &global);
        let (verb, rest) = global.rest.split_first()?;
        words.push(verb.known().unwrap_or_default());
        args = rest;
    }
    Some(Order { words, args, projects, checkouts })
}

fn path(args: &[Arg]) -> Option<(Vec<&str>, &[Arg])> {
    let mut args = args;
    let (first, rest) = args.split_first()?;
    let mut words = vec![first.known().unwrap_or_default()];
    args = rest;
    const GROUPS: &[&str] = &[
        "container",
        "image",
        "volume",
        "network",
        "system",
        "builder",
        "buildx",
        "compose",
        "context",
        "swarm",
        "stack",
        "service",
        "node",
        "secret",
        "config",
        "plugin",
        "manifest",
        "trust",
        "pod",
        "machine",
        "generate",
        "play",
        "kube",
        "checkpoint",
        "model",
        "scout",
        "mcp",
        "sandbox",
        "imagetools",
        "desktop",
        "namespace",
        "farm",
        "quadlet",
        "artifact",
    ];
    while words.last().is_some_and(|word| GROUPS.contains(word)) {
        // A group may have options of its own, which come before its verb.
        let inner = Line::leading(args, "--builder");
        let Some((next, rest)) = inner.rest.split_first() else { break };
        if words.last() == Some(&"compose") {
            break;
        }
        words.push(next.known().unwrap_or_default());
        args = rest;
    }
    Some((words, args))
}

fn docker(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(command) = command(shell, call) else { return call.output() };
    if command.host == Host::Another && command.words.last() != Some(&"compose") {
        tell_remote(shell, call, &command.words);
    }
    let mut words = command.words.as_slice();
    if let [group, rest @ ..] = words
        && matches!(*group, "container" | "image")
        && !rest.is_empty()
    {
        // `docker container rm` is `docker rm`; only the verbs of images differ.
        words = if *group == "container" { rest } else { words };
    }
    match words {
        [verb @ ("run" | "create")] => run::run(shell, call, verb, command.args),
        ["exec"] => run::exec(shell, call, command.args, command.host),
        ["inspect"] if command.args.iter().any(|arg| arg.shown().contains("Config.Env")) => {
            shell.tell(&super::secrets::SHOW_ENVIRONMENT, "docker inspect", call.span);
            Feed::from(Origin::Secret("the environment of a container".to_owned()))
        }
        ["ps" | "ls" | "list"] => listing(call, command.args),
        ["compose"] => compose::judge(shell, call, words, command.args, command.host),
        ["build" | "bake"] | ["image" | "buildx" | "builder" | "farm", "build" | "bake"] => {
            build(shell, call, command.args)
        }
        ["cp"] => copy(shell, call, command.args),
        ["rm" | "rmi" | "stop" | "kill" | "restart" | "pause" | "unpause" | "remove"] | ["image", "rm" | "remove"] => {
            removal(shell, call, words, &command)
        }
        ["save" | "export"] | ["image", "save"] => {
            let line = Line::read(command.args, "-o --output --format");
            if let Some(file) = line.value(&["-o", "--output"]) {
                shell.write(&file, Write::Replace);
            }
            call.output()
        }
        _ => {
            let line = Line::read(command.args, "");
            if line.asks_for_help() && !line.words.first().is_some_and(|word| word.is("version")) {
                return call.output();
            }
            let all: Vec<Arg> = words.iter().map(|word| Arg::text(*word, call.span)).collect();
            let joined: Vec<&Arg> = all.iter().chain(line.words.iter().copied()).collect();
            let path = Line::of_words(&joined);
            if words == ["system", "prune"] && line.has(&["--volumes"]) {
                return Deed::Tell(&VOLUME_DELETE).done(shell, call, &path);
            }
            if words == ["swarm", "ca"] && line.has(&["--rotate"]) {
                return Deed::Tell(&SWARM).done(shell, call, &path);
            }
            if words == ["image", "prune"] && !line.has(&["-a", "--all"]) {
                return call.output();
            }
            // From here on the text speaks to another machine.
            if let (["context", "use"], Some(context)) = (words, line.words.first()) {
                shell.set_variable("DOCKER_CONTEXT", Variable::Scalar(vec![context.value.clone()]), context.span);
            }
            DOCKER.deed(&path).done(shell, call, &path)
        }
    }
}

static VERBS: ByVerb = ByVerb { destroys: Deed::Tell(&SWARM), changes: Deed::Tell(&SWARM), unclear: Deed::Harmless };

static DOCKER: Tool = Tool {
    values: "",
    dry: &[],
    deeds: &[
        (Deed::Tell(&VOLUME_DELETE), "volume rm, volume remove, volume prune, system reset"),
        (Deed::Tell(&PRUNE), "system prune, container prune, prune, image prune, pod prune, pod rm"),
        (
            Deed::Harmless,
            "\
            builder prune, buildx prune, network prune, network rm, network remove, buildx rm, buildx stop, \
            buildx du",
        ),
        (
            Deed::Tell(&PUSH),
            "\
            push, image push, manifest push, compose push, plugin push, buildx imagetools create, trust sign, \
            model push, artifact push",
        ),
        (Deed::Tell(&LOGIN), "login, logout"),
        (
            Deed::Tell(&CONTEXT),
            "\
            context rm, context update, context import, plugin install, plugin rm, \
            plugin enable, plugin disable, plugin upgrade, plugin set, trust revoke, trust signer, trust key, \
            desktop, mcp",
        ),
        (Deed::Harmless, "desktop status, desktop version, desktop logs, mcp catalog, mcp tools"),
        (Deed::Tell(&MACHINE_DELETE), "machine rm, machine reset"),
        (Deed::ByVerb(&VERBS), "swarm, stack, service, node, secret, config"),
        (
            Deed::Harmless,
            "stack ps, stack services, service ps, service logs, node ps, stack config, swarm ca, config, node ls",
        ),
    ],
    otherwise: Deed::Harmless,
};

/// The containers that a filter lets through; without one, all of them.
fn listing(call: &Call, args: &[Arg]) -> Feed {
    let line = Line::read(args, "-f --filter --format -n --last");
    let filters: Vec<String> =
        line.all_values(&["-f", "--filter"]).iter().map(|value| value.shown().into_owned()).collect();
    if filters.is_empty() { call.output() } else { Feed::from(Origin::listing(call.name.clone(), filters.join(" "))) }
}

/// Whether a filter names what tests have put up.
fn is_test_filter(filter: &str) -> bool {
    filter.split(' ').any(|part| {
        let named = part
            .strip_prefix("label=")
            .or_else(|| part.strip_prefix("name="))
            .or_else(|| part.strip_prefix("ancestor="));
        named.is_some_and(|name| says(name, OF_TESTS))
    })
}

/// What tests call what they put up. A filter finds these within longer names, so a shorter word says nothing there.
const OF_TESTS: &[&str] = &["test", "tests", "testing", "testcontainers", "e2e"];

/// Whether one of these words stands in a name.
fn says(name: &str, words: &[&str]) -> bool {
    crate::lexicon::words(name).iter().any(|word| words.contains(&word.as_str()))
}

/// Whether a name says that tests have put it up, or that it is thrown away.
fn is_of_test(name: &str) -> bool {
    says(name, OF_TESTS) || says(name, &["tmp", "temp", "ci"])
}

/// Containers or images that are named are throw-away; whatever a list gives is not.
fn removal(shell: &mut Shell<'_>, call: &Call, words: &[&str], command: &Command<'_>) -> Feed {
    let line = Line::read(command.args, "-t --time -s --signal --timeout --filter");
    if line.asks_for_help() {
        return call.output();
    }
    let verb = words.last().copied().unwrap_or_default();
    let names: Vec<String> = line.words.iter().map(|word| word.shown().into_owned()).collect();
    let named = names.join(" ");
    let span = line.span().unwrap_or(call.span);
    let listed = line.words.iter().any(|word| {
        word.splits()
            || word.value.origins().any(|origin| matches!(origin, Origin::Listing { .. } | Origin::Program(_)))
    });
    let of_tests = line
        .words
        .iter()
        .flat_map(|word| word.value.origins())
        .all(|origin| matches!(origin, Origin::Listing { by, under } if *by == call.name && is_test_filter(under)))
        && line.words.iter().all(|word| word.value.has_unknown());
    // What the text itself has started is nobody else's.
    let own = line
        .words
        .iter()
        .all(|word| word.value.has_unknown() && word.value.origins().all(|origin| *origin == Origin::Started));
    let listed = listed && !of_tests && !own;
    let many = listed || line.has(&["-a", "--all"]);
    let is_image = verb == "rmi" || words.first() == Some(&"image");
    let with_volumes = !is_image && matches!(verb, "rm" | "remove") && line.has(&["-v", "--volumes"]);
    let rule = match verb {
        _ if command.host == Host::Another => &REMOTE,
        _ if many => &DELETE_MANY,
        // The volumes that have no name go with it. What a test has put up holds nothing else.
        _ if with_volumes && !names.iter().all(|name| is_of_test(name)) => &VOLUME_DELETE,
        "rm" | "remove" | "rmi" => &DELETE,
        _ => &STOP,
    };
    shell.tell(rule, if named.is_empty() { format!("{verb} --all") } else { named }, span);
    call.output()
}

fn build(shell: &mut Shell<'_>, call: &Call, args: &[Arg]) -> Feed {
    let line = Line::read(
        args,
        "\
        -t --tag -f --file --build-arg --target --platform -o --output --cache-to --cache-from --secret \
        --ssh --builder --label --network --add-host --iidfile --metadata-file --progress --set",
    );
    if line.asks_for_help() {
        return call.output();
    }
    let sends = |arg: &Arg| {
        let shown = arg.shown();
        shown.contains("type=registry") || shown.contains("push=true")
    };
    let outputs = line.all_values(&["-o", "--output"]);
    if line.has(&["--push"])
        || outputs.iter().any(sends)
        || line.all_values(&["--set"]).iter().any(|set| set.shown().contains("push=true"))
    {
        let name = line.value(&["-t", "--tag"]).map_or_else(|| line.named("build"), |tag| tag.shown().into_owned());
        shell.tell(&PUSH, name, call.span);
    }
    for output in &outputs {
        let shown = output.shown();
        let path = shown.split(',').find_map(|part| part.strip_prefix("dest=")).map(str::to_owned);
        let path = path.or_else(|| (!shown.contains('=') && shown != "-").then(|| shown.into_owned()));
        if let Some(path) = path {
            shell.write(&Arg::text(path, output.span), Write::Append);
        }
    }
    call.output()
}

/// Into a container or out of it; only what comes out lands on this machine.
fn copy(shell: &mut Shell<'_>, call: &Call, args: &[Arg]) -> Feed {
    let line = Line::read(args, "");
    if let [from, to] = line.words.as_slice() {
        if !to.shown().contains(':') && !to.is("-") {
            bring(shell, from, to);
        } else if !from.shown().contains(':') && !from.is("-") {
            shell.read(from);
        }
    }
    call.output()
}

static IMAGE_VERBS: ByVerb =
    ByVerb { destroys: Deed::Tell(&DELETE_MANY), changes: Deed::Harmless, unclear: Deed::Harmless };

static IMAGES: Tool = Tool {
    values: "\
        --authfile --creds --src-creds --dest-creds --platform -n --namespace --address -a -r \
        --runtime-endpoint -i --image-endpoint --root --storage-driver -t --tag -f --file -u --username -p \
        --password --timeout --debug-level --workspace-folder",
    dry: &["--dry-run"],
    deeds: &[
        (
            Deed::Tell(&PUSH),
            "\
            push, append, mutate, rebase, tag, copy, cp, image push, images push, i push, image copy, attach, \
            sign, artifact put, sync, index append, flatten, image mod",
        ),
        (Deed::Judge(buildah_tag), "commit"),
        (Deed::Tell(&DELETE_MANY), "rm, rmp, rmi, stop, stopp"),
        (Deed::Tell(&LOGIN), "login, logout, auth login, auth logout, registry login, registry set"),
        (Deed::Tell(&REGISTRY_DELETE), "delete, blob delete, tag delete, manifest delete, tag rm, manifest rm"),
        (
            Deed::Harmless,
            "\
            auth get, auth token, pull, manifest, digest, config, ls, catalog, validate, export, inspect, \
            list-tags, ps, images, pods, logs, stats, info, blob, registry serve",
        ),
        (Deed::Judge(run_inside), "exec, run, enter"),
    ],
    otherwise: Deed::ByVerb(&IMAGE_VERBS),
};

fn buildah_tag(_shell: &mut Shell<'_>, call: &Call, _line: &Line<'_>) -> Feed {
    call.output()
}

/// Options with a value between the verb and what runs.
const INSIDE: &str = "\
    -c --container -d --distro -r --release -n --name -b --bind -B -e --env --env-file -H --home --no-home -W --workdir \
    -u --user -w --pwd --cwd -v --volume --mount --isolation --net --network --overlay -o --tty-path -s --timeout \
    --cap-add --cap-drop --runtime --exec-id --fifo-dir --log-uri --cni-plugin-dir --cgroup -a --additional-flags";

/// `crictl exec c ls`, `apptainer exec image.sif cmd`, `buildah run c -- cmd`, `toolbox run cmd`.
fn run_inside(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let verb = line.words.first().map(|verb| verb.span);
    let behind = call.args.iter().position(|arg| Some(arg.span) == verb).map_or(0, |at| at + 1);
    let inner = Line::leading(call.args.get(behind..).unwrap_or_default(), INSIDE).rest;
    // A toolbox has its container behind an option, and a name space has none.
    let is_bare = line.word(0) == Some("unshare");
    let is_named = call.name != "toolbox" && !is_bare;
    let (name, argv) = match inner.split_first() {
        Some((name, argv)) if is_named => (name.shown().into_owned(), argv),
        _ => (String::new(), inner),
    };
    let argv = if line.rest.is_empty() { argv } else { line.rest };
    // These see the home directory unless told otherwise, so what runs in them counts as running here.
    let shares_home = matches!(call.name.as_str(), "apptainer" | "singularity" | "toolbox" | "distrobox");
    if shares_home || is_bare {
        return shell.subshell(|shell| shell.run(argv, call.stdin.clone(), call.span));
    }
    if ends_container(shell, &name, argv, call.span) {
        return Feed::none();
    }
    shell.elsewhere(crate::shell::Locus::Remote(name), |shell| shell.run(argv, call.stdin.clone(), call.span))
}

fn images(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, IMAGES.values);
    let local = |word: Option<&&Arg>| {
        word.is_some_and(|word| {
            let shown = word.shown();
            ["dir:", "oci:", "docker-archive:", "oci-archive:", "containers-storage:", "docker-daemon:"]
                .iter()
                .any(|kind| shown.starts_with(kind))
        })
    };
    match (call.name.as_str(), line.word(0)) {
        // Copies to this machine are downloads.
        ("skopeo", Some("copy" | "sync"))
            if local(line.words.last()) || line.value(&["--dest"]).is_some_and(|kind| kind.is("dir")) =>
        {
            call.output()
        }
        ("buildah" | "ctr" | "podman", Some("tag" | "copy" | "config" | "add" | "attach")) => call.output(),
        ("buildah", Some("rm" | "rmi")) if !line.has(&["-a", "--all", "-p", "--prune"]) => {
            Deed::Tell(&DELETE).done(shell, call, &line)
        }
        ("crane", Some("append" | "mutate" | "flatten" | "rebase")) if line.has(&["--output", "-o"]) => call.output(),
        ("buildah", Some("unshare")) => run_inside(shell, call, &line),
        ("cosign", Some("verify" | "tree" | "download" | "triangulate" | "generate-key-pair")) => call.output(),
        ("dive" | "devcontainer" | "kaniko", _) | ("apptainer" | "singularity", Some("cache")) => call.output(),
        ("docker-machine", Some("rm" | "kill")) => Deed::Tell(&MACHINE_DELETE).done(shell, call, &line),
        (
            "docker-machine",
            Some("ls" | "env" | "ip" | "status" | "inspect" | "active" | "config" | "url" | "version"),
        ) => call.output(),
        ("docker-machine", Some(_)) => Deed::Tell(&MACHINE_CHANGE).done(shell, call, &line),
        ("crictl" | "ctr" | "distrobox" | "toolbox", Some("rm" | "rmi" | "stop")) if !line.has(&["-a", "--all"]) => {
            Deed::Tell(&DELETE).done(shell, call, &line)
        }
        _ => IMAGES.judge_line(shell, call, &line),
    }
}

/// Used by the virtual machine tools: their disks are files of this machine.
fn delete_file(shell: &mut Shell<'_>, file: &Arg) {
    shell.delete(file, Depth::Single);
}

#[cfg(test)]
mod tests;
