//! Ways into the gate and around it: commands in its container, everything at a time, and checkouts of its name.

use signoff_model::Verdict::{Allow, Ask, Block};

use crate::testing::check;

#[test]
fn nobody_goes_into_the_gate_to_do_there_what_nobody_sees() {
    check(
        Block,
        &[
            "docker exec -it signoff /bin/ash -l",
            "docker exec -it signoff env sh",
            "docker exec signoff busybox sh",
            "docker exec -it signoff dash",
            "docker exec -it signoff /usr/bin/bash",
            "docker exec -it signoff python3",
            "docker exec signoff sqlite3 /data/x 'delete from t'",
            "docker compose exec signoff ash",
            "docker debug signoff",
            "podman exec -it signoff \"$SHELL\"",
            "lxc exec signoff -- sh",
            "lxc exec signoff -- env sh",
            "lxc shell signoff",
            "incus exec signoff -- bash -l",
            "machinectl shell signoff",
            "kubectl exec -it signoff-0 -- sh",
            "kubectl exec -it deploy/signoff -n ops -- ash -l",
            "oc rsh signoff-0",
            "kubectl debug -it signoff-0 --image=busybox",
            "limactl shell signoff",
            "vagrant ssh signoff",
            "tmux respawn-pane -k -t signoff",
            "tmux respawn-window -k -t signoff 'sleep 1'",
        ],
    );
    check(
        Allow,
        &[
            "docker exec signoff signoff status",
            "docker exec signoff signoff --lang en doctor",
            "docker exec signoff ls /",
            "docker exec signoff ps aux",
            "docker exec -it web python3",
            "docker exec -it signoff-dev bash",
            "docker exec web grep -r shell signoff",
            "lxc exec web -- grep signoff /etc/hosts",
            "lxc exec signoff -- ps aux",
            "tmux respawn-pane -t dev 'npm start'",
        ],
    );
}

#[test]
fn whoever_takes_everything_takes_the_gate_along() {
    check(
        Block,
        &[
            "kubectl delete pod --field-selector metadata.name=signoff-0",
            "kubectl delete pod --field-selector=metadata.name=signoff-0",
            "kubectl delete all --all -n signoff",
            "kubectl -n signoff scale deploy --all --replicas=0",
            "kubectl -n signoff rollout restart deploy",
            "helm -n signoff uninstall gate",
            "helm uninstall gate --namespace=signoff",
            "systemctl stop '*'",
            "systemctl stop '*.service'",
            "supervisorctl stop '*'",
        ],
    );
    check(
        Ask,
        &[
            "kubectl delete pod web-0 -n signoff",
            "kubectl delete pod --field-selector metadata.name=web-0",
            "kubectl delete all --all -n shop",
            "helm -n shop uninstall gate",
        ],
    );
    check(
        Allow,
        &["systemctl list-units '*'", "systemctl status '*'", "helm -n signoff list", "kubectl get all -n signoff"],
    );
}

#[test]
fn a_checkout_of_the_name_is_perhaps_not_the_gate() {
    check(
        Ask,
        &[
            "cd ~/code/signoff && docker compose down",
            "cd ../signoff && docker compose restart db",
            "docker compose -f ~/signoff/compose.yml down",
        ],
    );
    check(Block, &["cd /srv/signoff && docker compose down", "docker compose -f /opt/signoff/compose.yml kill"]);
    check(Allow, &["cd ~/code/signoff && docker compose ps", "cd ~/code/shop && docker compose down"]);
}
