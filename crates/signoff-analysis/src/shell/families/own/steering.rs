//! What a program that steers services, containers, deployments and machines is asked to do, and with which of them.
//!
//! The verb stands where the family of the program reads it. A container may be called `logs`, so no other word counts
//! as a verb. Of services and containers every word counts as a name, even one that may be the value of an option; in
//! clusters and clouds only what the program takes for a thing that runs: a bucket, a repository or a namespace of the
//! name is not the gate.

use crate::{
    shell::{
        Call, Shell,
        families::{containers, kubernetes::KUBECTL_VALUES, tool},
        options::strip,
        subcommands::Line,
    },
    value::Arg,
    words::Words,
};

/// What becomes of the things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They stop or change, whatever else the program says.
    Ends,
    /// They stay as they are: the program looks, or makes something under the name.
    Stays,
    /// As the judgement of the family says.
    AsJudged,
    /// Files go into them or come out of them.
    Copied,
    /// They stop or change, but whether they are the gate is open: the name is that of a directory which may hold no more
    /// than its sources.
    MayEnd,
}

/// How a thing is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// By the name that somebody gave it.
    Given,
    /// By the name that `compose` makes: `project-service-1`.
    Composed,
    /// As a volume, which `compose` calls `project_volume`.
    Stored,
    /// As a service, for which a pattern of names may stand, even one that fits them all.
    Matched,
}

/// An order to a program that steers things.
pub(super) struct Order {
    pub(super) fate: Fate,
    pub(super) naming: Naming,
    pub(super) things: Vec<Arg>,
}

/// Managers of services whose verb comes before the names.
static SERVICES: Words<128> = Words::new(
    "systemctl launchctl rc-update initctl sv supervisorctl pm2 forever monit god circusctl loginctl machinectl \
    lxc incus virsh vagrant limactl multipass docker-machine net net.exe sc sc.exe nssm nssm.exe s6-rc brew \
    runc crun youki minikube",
);

/// Managers of services whose verb comes behind the name.
const NAME_FIRST: &[&str] = &["service", "rc-service", "invoke-rc.d", "update-rc.d", "chkconfig"];

/// Managers whose options say what they do; their own judgement decides.
static BY_OPTIONS: Words<32> = Words::new(
    "start-stop-daemon s6-svc insserv busctl taskkill taskkill.exe tskill synoservice synoservicectl runit ctr",
);

static CONTAINERS: Words<16> =
    Words::new("docker podman nerdctl finch docker-compose podman-compose nerdctl-compose crictl");

static CLUSTERS: Words<16> = Words::new("kubectl oc kubecolor helm helmfile nomad k microk8s.kubectl");

static CLOUDS: Words<16> = Words::new("aws gcloud az flyctl fly heroku consul");

/// Whether what a program steers is read here.
pub(super) fn steers(name: &str) -> bool {
    SERVICES.holds(name)
        || BY_OPTIONS.holds(name)
        || CONTAINERS.holds(name)
        || CLUSTERS.holds(name)
        || CLOUDS.holds(name)
        || NAME_FIRST.contains(&name)
}

/// Reads what a call orders, in every way that its options may be meant; nothing if it steers nothing.
pub(super) fn read(shell: &Shell<'_>, call: &Call) -> Vec<Order> {
    match call.name.as_str() {
        name if CONTAINERS.holds(name) => of_containers(shell, call),
        name if CLUSTERS.holds(name) => of_cluster(call).into_iter().collect(),
        name if CLOUDS.holds(name) => of_cloud(call).into_iter().collect(),
        name if SERVICES.holds(name) => of_services(call, 0),
        name if NAME_FIRST.contains(&name) => of_services(call, 1),
        name if BY_OPTIONS.holds(name) => {
            vec![Order { fate: Fate::AsJudged, naming: Naming::Given, things: call.args.clone() }]
        }
        _ => Vec::new(),
    }
}

/// Verbs that stop, change, replace or copy what runs, whatever the program says about them.
static ENDS: Words<256> = Words::new(
    "stop kill rm remove restart reload pause suspend update rename disconnect delete del scale disable mask rollout \
    patch edit set cordon drain evict down try-restart force-reload unload bootout remove-instance upgrade rollback \
    uninstall deploy halt sendsignal signal commit checkpoint restore attach destroy undefine shutdown reset reboot \
    poweroff terminate quit unmonitor unset replace annotate label taint remove-unit reload-or-restart unregister",
);

fn fate(verb: &str) -> Fate {
    /// Verbs that leave what runs as it is: they look, or start, build or make something under the name.
    static STAYS: Words<128> = Words::new(
        "run create build tag push pull apply up install start enable load import login cat status show logs inspect \
        get describe list ls ps top images rmi history explain is-active is-enabled search port stats wait events \
        diff pid info tail thaw reset-failed",
    );
    let verb = verb.to_ascii_lowercase();
    if ENDS.holds(&verb) {
        Fate::Ends
    } else if STAYS.holds(&verb) {
        Fate::Stays
    } else {
        Fate::AsJudged
    }
}

/// Verbs that open a way into what runs, for a command or for whatever somebody types there.
const ENTERS: &[&str] = &["exec", "rsh", "shell", "ssh", "console", "enter", "debug", "execute"];

/// What becomes of a thing in which a command runs. The gate's own verbs and a plain look are judged by themselves; what any
/// other program does in there, or what is typed into it, nobody sees.
fn entered(command: &[Arg]) -> Fate {
    static LOOKS: Words<128> = Words::new(
        "ls ps top df du id whoami date uname hostname uptime cat head tail grep egrep stat wc netstat ss free pwd test \
        true echo ping nslookup dig getent which readlink realpath find sha256sum md5sum printenv mount curl wget kill",
    );
    let Some(first) = command.first() else { return Fate::Ends };
    let program = first.known().map(|text| text.rsplit('/').next().unwrap_or(text));
    match program {
        Some("signoff") if super::is_own_command(command) => Fate::AsJudged,
        Some(name) if LOOKS.holds(name) => Fate::AsJudged,
        _ => Fate::Ends,
    }
}

/// Every word that is no option. Some may be values of options: a thing that is named at all counts, so that no option
/// which is not known here hides it.
fn plain(args: &[Arg]) -> impl Iterator<Item = &Arg> {
    args.iter().filter(|arg| !arg.is_option())
}

fn of_containers(shell: &Shell<'_>, call: &Call) -> Vec<Order> {
    let Some(order) = containers::order(shell, call) else { return Vec::new() };
    let steered = of_container_words(&order);
    // A directory of the name is more often where somebody works on the gate than where it runs.
    let checkouts = order.checkouts;
    let may_end = steered.as_ref().filter(|steered| steered.fate == Fate::Ends && !checkouts.is_empty());
    let may_end = may_end.map(|steered| Order { fate: Fate::MayEnd, naming: steered.naming, things: checkouts });
    steered.into_iter().chain(may_end).collect()
}

fn of_container_words(order: &containers::Order<'_>) -> Option<Order> {
    let (verb, groups) = order.words.split_last()?;
    // An image, a network or a log-in of the name is not what runs.
    const THINGS: &[&str] = &["container", "compose", "service", "stack", "pod", "volume", "system", "checkpoint"];
    let cuts_off = order.words == ["network", "disconnect"];
    if groups.first().is_some_and(|group| !THINGS.contains(group)) && !cuts_off || *verb == "rmi" {
        return None;
    }
    let composed = groups.contains(&"compose");
    let given = |names: &[&str]| order.args.iter().any(|arg| arg.known().is_some_and(|text| names.contains(&text)));
    let mut fate = match *verb {
        "cp" => Fate::Copied,
        // What flows out is all that the container holds.
        "export" => Fate::Ends,
        "create" if groups.contains(&"checkpoint") => Fate::Ends,
        "up" if composed && given(&["--force-recreate", "-V", "--renew-anon-volumes"]) => Fate::Ends,
        // The file of a project is shown.
        "config" if composed => Fate::Stays,
        verb => fate(verb),
    };
    let naming = if groups.contains(&"volume") { Naming::Stored } else { Naming::Composed };
    let things: Vec<Arg> = match *verb {
        // Only the container counts: the words behind it are a command, which is judged by itself.
        "exec" | "run" | "create" if !groups.contains(&"checkpoint") => {
            let line = Line::leading(order.args, "-e --env -w --workdir -u --user --env-file --index --detach-keys");
            if let ([_, command @ ..], "exec") = (line.rest, *verb) {
                fate = entered(command);
            }
            line.rest.first().cloned().into_iter().collect()
        }
        // A stack writes its own name before that of a service.
        _ if groups.contains(&"service") => {
            let below = |word: &Arg| Some(Arg::text(word.known()?.split_once('_')?.1, word.span));
            plain(order.args).flat_map(|word| [Some(word.clone()), below(word)]).flatten().collect()
        }
        verb if ENTERS.contains(&verb) => {
            fate = Fate::Ends;
            plain(order.args).take(1).cloned().collect()
        }
        _ => plain(order.args).cloned().collect(),
    };
    if composed {
        let scaled = Line::read(order.args, "--scale").all_values(&["--scale"]);
        if scaled.iter().any(|scaled| scaled.shown().ends_with("=0")) {
            return Some(Order { fate: Fate::Ends, naming, things: scaled });
        }
    }
    // Whatever services are named, they are those of the project.
    let things =
        if matches!(*verb, "exec" | "run" | "cp") { things } else { [things, order.projects.clone()].concat() };
    Some(Order { fate, naming, things })
}

fn of_cluster(call: &Call) -> Option<Order> {
    const NOMAD: &str = "-address -namespace -region -token";
    const HELM: &str = "-n --namespace --kube-context --kubeconfig -f --values --set --version --repo --timeout -o \
        --output -l --selector -e --environment --file";
    let values = match call.name.as_str() {
        "helm" | "helmfile" => HELM,
        "nomad" => NOMAD,
        _ => KUBECTL_VALUES,
    };
    let line = Line::read(&call.args, values);
    let skip = usize::from(call.name == "nomad" && matches!(line.word(0), Some("job" | "alloc")));
    let verb = line.word(skip)?;
    let fate = match (verb, line.word(skip + 1)) {
        ("cp", _) => Fate::Copied,
        // What the program itself remembers about clusters.
        ("config", _) => return None,
        ("rollout", Some("status" | "history")) => Fate::Stays,
        (verb, _) if ENTERS.contains(&verb) => {
            let behind = line.words_from(skip + 2).iter().map(|word| (*word).clone());
            entered(&if line.rest.is_empty() { behind.collect() } else { line.rest.to_vec() })
        }
        (verb, _) => fate(verb),
    };
    let words = line.words_from(skip + 1);
    let words = if ENTERS.contains(&verb) { words.get(..1).unwrap_or_default() } else { words };
    let mut things: Vec<Arg> = words.iter().map(|word| (*word).clone()).collect();
    // Whoever takes everything of a namespace takes the gate that lives there; a release is all that its chart has put up.
    let takes_all = line.has(&["--all", "-A", "--all-namespaces"]) || verb == "rollout" && words.len() == 2;
    if takes_all || matches!(call.name.as_str(), "helm" | "helmfile") {
        things.extend(line.all_values(&["-n", "--namespace"]));
    }
    for selector in line.all_values(&["-l", "--selector", "--field-selector"]) {
        match selector.value.known_with_globs() {
            Some(text) => things.extend(selected(&text).into_iter().map(|name| Arg::text(name, selector.span))),
            None => things.push(selector),
        }
    }
    Some(Order { fate, naming: Naming::Given, things })
}

/// The values that a selector asks for: `app=a,tier in (b, c)`. Those that it leaves out are not chosen.
fn selected(selector: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut excluded = false;
    let spaced = selector.replace("!=", " notin ").replace("==", " in ").replace('=', " in ");
    for (at, group) in spaced.split(['(', ')']).enumerate() {
        // Between brackets stand values, and a comma does not end what is said about them.
        let inside = at % 2 == 1;
        for requirement in group.split(',') {
            for word in requirement.split_whitespace() {
                match word {
                    "in" => excluded = false,
                    "notin" => excluded = true,
                    word if !excluded => names.push(word.to_owned()),
                    _ => {}
                }
            }
            excluded &= inside || requirement.trim_end().ends_with("notin");
        }
        excluded &= !inside;
    }
    names
}

/// Clouds have a thousand kinds of things. Only those that run a program are meant.
fn of_cloud(call: &Call) -> Option<Order> {
    static RUNS: Words<128> = Words::new(
        "ecs lambda apprunner lightsail elasticbeanstalk cloudformation run app functions compute webapp container \
        containerapp functionapp vm aks apps machine machines scale ps services ps:stop ps:scale apps:destroy \
        ps:restart ps:kill maintenance:on destroy suspend deploy secrets config config:set config:unset restart",
    );
    const NAMES: &[&str] = &[
        "--service",
        "--services",
        "--app",
        "-a",
        "--name",
        "-n",
        "--function-name",
        "--service-name",
        "--container-name",
        "--stack-name",
        "-id",
    ];
    let line = Line::read(
        &call.args,
        "--service --services --app -a --name -n --function-name --service-name --container-name --stack-name -id \
        --region --profile --project --zone -g --resource-group --cluster --output --format --endpoint-url --query \
        --ca-bundle --cli-read-timeout --cli-connect-timeout --account --configuration --impersonate-service-account \
        --verbosity --subscription --access-token -t --org -o -c",
    );
    // Commands that are not settled yet have a word of their own before them.
    let stage = usize::from(matches!(line.word(0), Some("alpha" | "beta" | "preview")));
    let topic = line.word(stage)?;
    if !RUNS.holds(topic) {
        return None;
    }
    let mut things: Vec<Arg> = line.words_from(stage + 1).iter().map(|word| (*word).clone()).collect();
    things.extend(line.all_values(NAMES));
    let words = || line.words_from(stage).iter().filter_map(|word| word.known()).take(4);
    let parts = || words().flat_map(|word| word.split(['-', ':']));
    let looks = |word: &str| matches!(word, "list" | "show" | "describe" | "get" | "ls" | "status" | "logs" | "info");
    let fate = if words().any(|word| word.starts_with("create")) {
        Fate::Stays
    } else if parts().any(|word| ENDS.holds(word)) && !parts().any(looks) {
        Fate::Ends
    } else {
        // Whether it only looks, the family says best.
        Fate::AsJudged
    };
    Some(Order { fate, naming: Naming::Given, things })
}

/// The same letter takes a value in one program and none in the next. Both readings count.
fn of_services(call: &Call, at: usize) -> Vec<Order> {
    const VALUES: &str = "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --job-mode -s \
        --signal --root -c -u -i --instances --name --namespace --connect --profile";
    let named: Vec<Arg> = plain(&call.args).cloned().chain(call.args.iter().filter_map(inline_value)).collect();
    let known: Vec<&Arg> = tool::operands(call, VALUES).into_iter().filter_map(|at| call.args.get(at)).collect();
    let bare: Vec<&Arg> = plain(&call.args).collect();
    let readings = if known.len() == bare.len() { vec![known] } else { vec![known, bare] };
    readings.iter().filter_map(|words| of_service_words(call, words, at, &named)).collect()
}

fn of_service_words(call: &Call, words: &[&Arg], at: usize, named: &[Arg]) -> Option<Order> {
    let words = match (call.name.as_str(), words) {
        ("brew", [topic, rest @ ..]) if topic.is("services") => rest,
        // A formula of the name is not what runs.
        ("brew", _) => return None,
        // The machine that is spoken to may come first.
        ("sc" | "sc.exe", [machine, rest @ ..]) if machine.value.prefix().starts_with("\\\\") => rest,
        (_, words) => words,
    };
    let verb = words.get(at)?;
    let fate = match (call.name.as_str(), verb.known().unwrap_or_default(), words.get(at + 1).and_then(|w| w.known())) {
        ("lxc" | "incus", "config", Some("show" | "get" | "metadata" | "trust" | "template")) => Fate::Stays,
        ("lxc" | "incus" | "sc" | "sc.exe", "config" | "failure" | "sdset", _) => Fate::Ends,
        (_, verb, _) if at == 0 && ENTERS.contains(&verb) => {
            let command: Vec<Arg> = words.iter().skip(2).map(|word| (*word).clone()).collect();
            let things = words.iter().skip(1).take(1).map(|word| (*word).clone()).collect();
            return Some(Order { fate: entered(&command), naming: Naming::Given, things });
        }
        (_, verb, _) => fate(verb),
    };
    Some(Order { fate, naming: Naming::Matched, things: named.to_vec() })
}

/// What stands behind the sign in `--only=name`.
fn inline_value(arg: &Arg) -> Option<Arg> {
    let (option, _) = arg.value.prefix().split_once('=').filter(|_| arg.is_option())?;
    Some(Arg { value: strip(&arg.value, option.len() + 1), span: arg.span })
}
