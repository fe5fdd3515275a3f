//! What a program that steers services, containers, deployments and machines is asked to do, and with which of them.
//!
//! The verb stands where the family of the program reads it. A container may be called `logs`, so no other word counts
//! as a verb, and of the operands only those count that the program takes for a thing that runs: a bucket, a repository
//! or a namespace of the name is not the gate.

use crate::{
    shell::{
        Call,
        families::{containers, kubernetes::KUBECTL_VALUES, tool},
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
}

/// How a thing is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// By the name that somebody gave it.
    Given,
    /// By the name that `compose` makes: `project-service-1`.
    Composed,
}

/// An order to a program that steers things.
pub(super) struct Order {
    pub(super) fate: Fate,
    pub(super) naming: Naming,
    pub(super) things: Vec<Arg>,
}

/// Managers of services whose verb comes before the names.
static SERVICES: Words<64> = Words::new(
    "systemctl launchctl rc-update initctl sv supervisorctl pm2 forever monit god circusctl loginctl machinectl \
    lxc incus virsh vagrant limactl multipass docker-machine net net.exe sc sc.exe nssm nssm.exe s6-rc brew",
);

/// Managers of services whose verb comes behind the name.
const NAME_FIRST: &[&str] = &["service", "rc-service", "invoke-rc.d", "update-rc.d", "chkconfig"];

/// Managers whose options say what they do; their own judgement decides.
static BY_OPTIONS: Words<32> = Words::new(
    "start-stop-daemon s6-svc insserv busctl taskkill taskkill.exe tskill synoservice synoservicectl runit ctr",
);

static CONTAINERS: Words<16> =
    Words::new("docker podman nerdctl finch docker-compose podman-compose nerdctl-compose crictl");

static CLUSTERS: Words<16> = Words::new("kubectl oc kubecolor helm helmfile nomad");

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

/// Reads what a call orders; none if it steers nothing.
pub(super) fn read(call: &Call) -> Option<Order> {
    match call.name.as_str() {
        name if CONTAINERS.holds(name) => of_containers(call),
        name if CLUSTERS.holds(name) => of_cluster(call),
        name if CLOUDS.holds(name) => of_cloud(call),
        name if SERVICES.holds(name) => of_services(call, 0),
        name if NAME_FIRST.contains(&name) => of_services(call, 1),
        name if BY_OPTIONS.holds(name) => {
            Some(Order { fate: Fate::AsJudged, naming: Naming::Given, things: call.args.clone() })
        }
        _ => None,
    }
}

fn fate(verb: &str) -> Fate {
    /// Verbs that leave what runs as it is: they look, or start, build or make something under the name.
    static STAYS: Words<128> = Words::new(
        "run create build tag push pull apply up install start enable upgrade load import login cat status show logs \
        inspect get describe list ls ps top images rmi history explain is-active is-enabled search config port stats \
        wait events diff pid info tail",
    );
    /// Verbs that stop or change what runs, whatever the program says about them.
    static ENDS: Words<64> = Words::new(
        "stop kill rm remove restart reload pause suspend update rename disconnect delete del scale disable mask \
        rollout patch edit set cordon drain evict down try-restart force-reload unload bootout remove-instance",
    );
    if ENDS.holds(verb) {
        Fate::Ends
    } else if STAYS.holds(verb) {
        Fate::Stays
    } else {
        Fate::AsJudged
    }
}

fn plain(args: &[Arg]) -> impl Iterator<Item = &Arg> {
    args.iter().filter(|arg| !arg.is_option())
}

fn of_containers(call: &Call) -> Option<Order> {
    let order = containers::order(call)?;
    let (verb, groups) = order.words.split_last()?;
    // An image, a network or a log-in of the name is not what runs.
    const THINGS: &[&str] = &["container", "compose", "service", "stack", "pod", "volume", "system"];
    let cuts_off = order.words == ["network", "disconnect"];
    if groups.first().is_some_and(|group| !THINGS.contains(group)) && !cuts_off || *verb == "rmi" {
        return None;
    }
    let mut fate = match *verb {
        "cp" => Fate::Copied,
        // What flows out is all that the container holds.
        "export" => Fate::Ends,
        verb => fate(verb),
    };
    let mut things: Vec<Arg> = match *verb {
        // Only the container counts: the words behind it are a command, which is judged by itself.
        "exec" | "run" | "create" | "attach" => {
            let line = Line::leading(order.args, "-e --env -w --workdir -u --user --env-file --index --detach-keys");
            line.rest.first().cloned().into_iter().collect()
        }
        _ => plain(order.args).cloned().collect(),
    };
    if groups.contains(&"compose") {
        // Without the name of a service it is the whole project.
        if things.is_empty() {
            things.extend(order.project);
        }
        let scaled = Line::read(order.args, "--scale").all_values(&["--scale"]);
        if scaled.iter().any(|scaled| scaled.shown().ends_with("=0")) {
            fate = Fate::Ends;
            things = scaled;
        }
    }
    Some(Order { fate, naming: Naming::Composed, things })
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
        ("rollout", Some("status" | "history")) => Fate::Stays,
        (verb, _) => fate(verb),
    };
    let words = line.words_from(skip + 1);
    let words = if verb == "exec" { words.get(..1).unwrap_or_default() } else { words };
    let mut things: Vec<Arg> = words.iter().map(|word| (*word).clone()).collect();
    things.extend(line.all_values(&["-l", "--selector"]));
    Some(Order { fate, naming: Naming::Given, things })
}

/// Clouds have a thousand kinds of things. Only those that run a program are meant.
fn of_cloud(call: &Call) -> Option<Order> {
    static RUNS: Words<64> = Words::new(
        "ecs lambda apprunner lightsail elasticbeanstalk run app functions compute webapp container containerapp \
        functionapp vm aks apps machine machines scale ps services ps:stop ps:scale apps:destroy ps:restart \
        maintenance:on destroy suspend",
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
        "-id",
    ];
    let line = Line::read(
        &call.args,
        "--service --services --app -a --name -n --function-name --service-name --container-name -id --region --profile \
        --project --zone -g --resource-group --cluster --output --format",
    );
    let topic = line.word(0)?;
    if !RUNS.holds(topic) {
        return None;
    }
    let mut things: Vec<Arg> = line.words_from(1).iter().map(|word| (*word).clone()).collect();
    things.extend(line.all_values(NAMES));
    // Whether it only looks, the family says best.
    let makes = |word: &str| word.starts_with("create") || word == "deploy";
    let made = line.words.iter().filter_map(|word| word.known()).take(3).any(makes);
    let fate = if made { Fate::Stays } else { Fate::AsJudged };
    Some(Order { fate, naming: Naming::Given, things })
}

fn of_services(call: &Call, at: usize) -> Option<Order> {
    const VALUES: &str = "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --job-mode -s \
        --signal --root -c -u -i --instances --name --namespace --connect";
    let words: Vec<&Arg> = tool::operands(call, VALUES).into_iter().filter_map(|at| call.args.get(at)).collect();
    let words = match (call.name.as_str(), words.as_slice()) {
        ("brew", [topic, rest @ ..]) if topic.is("services") => rest,
        // A formula of the name is not what runs.
        ("brew", _) => return None,
        // The machine that is spoken to may come first.
        ("sc" | "sc.exe", [machine, rest @ ..]) if machine.value.prefix().starts_with("\\\\") => rest,
        (_, words) => words,
    };
    let verb = words.get(at)?.known().unwrap_or_default();
    let things = words.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, word)| (*word).clone()).collect();
    Some(Order { fate: fate(verb), naming: Naming::Given, things })
}
