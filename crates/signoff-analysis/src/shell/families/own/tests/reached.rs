//! Ways to the gate that do not name it: containers, mounts, patterns, lookups, names of projects.

use signoff_model::Verdict::{Allow, Ask, Block};

use crate::testing::check;

#[test]
fn nobody_reaches_the_files_of_the_gate_through_its_container() {
    check(
        Block,
        &[
            "docker cp evil.toml signoff:/etc/signoff/config.toml",
            "docker cp signoff:/var/lib/signoff/signoff.db /tmp/x",
            "docker cp evil.toml proj-signoff-1:/etc/x",
            "docker compose cp evil.toml signoff:/etc/signoff/config.toml",
            "kubectl cp evil.toml ops/signoff-0:/etc/signoff/config.toml",
            "kubectl -n ops cp signoff-0:/var/lib/signoff/signoff.db /tmp/x",
            "docker run --volumes-from signoff alpine sh -c 'rm -rf /var/lib/signoff'",
            "docker export signoff -o /tmp/all.tar",
            "docker run --rm -v signoff-data:/d alpine rm -rf /d/x",
        ],
    );
    check(
        Allow,
        &[
            "docker cp web:/app/log /tmp/log",
            "docker cp signoff:/tmp/report.txt .",
            "docker run --volumes-from web x ls",
            "docker run -v signoff-cargo-cache:/c rust cargo test",
            "docker run -d -v signoff-data:/var/lib/signoff acme/signoff serve",
        ],
    );
}

#[test]
fn patterns_and_options_do_not_hide_signoff() {
    check(
        Block,
        &[
            "pkill 'signof{2}'",
            "pkill -f 's\\ignoff'",
            "killall -r '(sign)(off)'",
            "pkill -9 -f '[s]ignoff serve'",
            "docker ps | grep signoff | awk '{print $1}' | xargs docker stop",
            "docker stop $(docker ps | grep [s]ignoff | cut -d' ' -f1)",
            "kubectl get pods -o name | grep signoff | xargs kubectl delete",
            "cargo run -- --config x inbox approve 1",
            "cargo run -- --lang en permit issue 3",
        ],
    );
    check(Allow, &["cargo run -- --config x inbox list"]);
}

#[test]
fn no_option_hides_what_is_steered() {
    check(
        Block,
        &[
            "docker compose -p signoff down -t 0",
            "docker compose -p signoff stop --timeout 5",
            "docker compose -p signoff restart -t 1",
            "docker compose -p signoff kill -s SIGKILL",
            "docker-compose -p signoff down -t 0",
            "docker compose -p signoff down --rmi all",
            "docker compose -p signoff stop db",
            "pm2 stop -s signoff",
            "pm2 -s stop signoff",
            "forever -s stop signoff",
            "pm2 delete -s signoff",
            "pm2 delete ecosystem.config.js --only=signoff",
            "rc-service -s signoff stop",
            "rc-service -i signoff stop",
        ],
    );
    check(
        Allow,
        &[
            "docker compose -p signoff ps -q",
            "docker compose -p signoff logs -t",
            "docker compose -p signoff config",
            "docker compose -p shop down -t 0",
            "pm2 -s list signoff",
            "systemctl -t service status signoff",
            "systemctl -n 50 status signoff",
            "systemctl show -p MainPID --value signoff",
        ],
    );
}

#[test]
fn a_container_that_was_looked_up_is_the_one_that_was_asked_for() {
    check(
        Block,
        &[
            "docker cp evil $(docker ps -qf name=signoff):/etc/signoff/config.toml",
            "C=$(docker ps -qf name=signoff); docker cp evil.toml $C:/etc/signoff/config.toml",
            "docker cp \"$(docker ps -qf name=signoff):/var/lib/signoff/key\" /tmp/k",
            "docker run --volumes-from $(docker ps -qf name=signoff) alpine sh -c 'rm -rf /var/lib/signoff'",
            "docker cp evil.toml gate:/etc/signoff/config.toml",
            "docker run -it --pid=container:signoff alpine kill 1",
            "docker run --network container:signoff alpine sh",
            "docker run --pid=container:$(docker ps -qf name=signoff) alpine kill 1",
            "docker exec -it signoff sh",
            "docker service rm ops_signoff",
            "docker compose -f a.yml -f /opt/signoff/compose.yml down",
        ],
    );
    check(
        Allow,
        &[
            "docker cp $(docker ps -qf name=web):/app/log /tmp/log",
            "docker run --volumes-from $(docker ps -qf name=web) alpine ls",
            "docker cp build:/src/target/release/signoff .",
            "docker run --network container:web alpine ls",
            "docker exec signoff signoff status",
            "docker exec -it web sh",
            "docker cp config.toml signoff-test:/etc/signoff/config.toml",
        ],
    );
}

#[test]
fn nobody_mounts_what_the_gate_has_stored() {
    check(
        Block,
        &[
            "docker run --rm --mount type=volume,source=signoff-data,target=/d alpine tar c /d",
            "docker run --rm --mount source=signoff-data,target=/d alpine cat /d/key",
            "docker run --rm -v signoff-data:/d:ro acme/signoff-x cat /d/key",
            "docker run --rm --entrypoint sh -v signoff-data:/d acme/signoff -c 'rm -rf /d/x'",
            "docker run --rm -v ops_signoff-data:/d alpine rm -rf /d/x",
            "docker run --rm -v /var/lib/docker/volumes/signoff-data:/d alpine cat /d/key",
            "docker run --rm -v /var/lib/docker/volumes/ops_signoff-data/_data:/d alpine cat /d/key",
            "docker compose run --rm -v signoff-data:/d web cat /d/key",
            "docker volume rm ops_signoff-data",
            "docker volume rm signoff-data",
        ],
    );
    check(
        Allow,
        &[
            "docker run -d -v signoff-data:/var/lib/signoff acme/signoff",
            "docker run -d -v signoff-data:/var/lib/signoff acme/signoff signoff --lang en serve",
            "docker run --rm --mount type=volume,source=pgdata,target=/d alpine ls /d",
            "docker run --rm -v signoff_node-modules:/d node npm test",
            "docker volume inspect signoff-data",
        ],
    );
}

#[test]
fn a_pattern_of_names_names_the_gate() {
    check(
        Block,
        &[
            "systemctl stop 'signoff*'",
            "systemctl stop 'sign*'",
            "systemctl stop sign*.service",
            "systemctl stop 'signof?'",
            "systemctl stop 'sig[n]off'",
            "systemctl mask --now 'signoff*'",
            "supervisorctl stop 'signoff*'",
            "supervisorctl stop 'sign*:*'",
            "kubectl delete pod -l 'app in (signoff)'",
            "kubectl delete pod -l 'app in (web, signoff),tier=x'",
            "kubectl delete pod -l tier=x,app=signoff",
            "pm2 stop /sign/",
            "kubectl delete pod $(kubectl get pod signoff-0 -o name)",
            "pkill '[[:alpha:]]ignoff'",
            "pkill '[(s]ignoff'",
            "pkill -f '[s]ignoff|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
        ],
    );
    check(
        Ask,
        &[
            "systemctl stop 'nginx*'",
            "systemctl restart 'sshd@*'",
            "kubectl delete pod -l 'app notin (signoff)'",
            "kubectl delete pod -l 'app!=signoff,tier=x'",
            "pkill -f 'python (s|t)erver.py'",
            "pkill -f 'node.*'",
        ],
    );
    check(Allow, &["systemctl status 'signoff*'", "pm2 stop /api/"]);
}

#[test]
fn verbs_that_change_the_gate_end_it() {
    check(
        Block,
        &[
            "sc config signoff start= disabled",
            "sc.exe config signoff binPath= C:\\evil.exe",
            "lxc config set signoff limits.cpu 0",
            "incus config device remove signoff eth0",
            "helm upgrade signoff ./evil --set replicas=0",
            "docker compose up -d --force-recreate signoff",
            "gcloud run deploy signoff --image evil",
            "pm2 sendSignal SIGKILL signoff",
            "vagrant halt signoff",
            "docker commit signoff x",
            "docker attach signoff",
            "docker checkpoint create signoff c1",
            "fly apps restart signoff",
            "gcloud beta run services delete signoff",
            "aws --endpoint-url https://x ecs delete-service --service signoff",
            "aws cloudformation delete-stack --stack-name signoff",
            "heroku config:set POLICY=off --app signoff",
            "fly secrets set X=1 -a signoff",
            "runc kill signoff KILL",
        ],
    );
    check(
        Allow,
        &[
            "lxc config show signoff",
            "lxc config get signoff limits.cpu",
            "helm status signoff",
            "vagrant up signoff",
            "docker commit web x",
            "fly secrets list -a signoff",
            "fly scale show -a signoff",
            "gcloud beta run services describe signoff",
            "runc list",
        ],
    );
    check(Ask, &["heroku config:get POLICY --app signoff"]);
}

#[test]
fn the_gate_is_known_by_its_project_cluster_and_window() {
    check(
        Block,
        &[
            "COMPOSE_PROJECT_NAME=signoff docker compose down",
            "export COMPOSE_PROJECT_NAME=signoff; docker compose down",
            "docker compose -f /opt/signoff/docker-compose.yml down",
            "COMPOSE_FILE=/opt/signoff/docker-compose.yml docker compose down",
            "docker compose --project-directory /opt/signoff down",
            "cd /opt/signoff && docker compose down",
            "minikube kubectl -- delete pod signoff-0",
            "microk8s.kubectl delete pod signoff-0",
            "microk8s kubectl delete pod signoff-0",
            "minikube stop -p signoff",
            "tmux send-keys -t main:signoff y Enter",
            "tmux send-keys -t signoff-approvals y Enter",
        ],
    );
    check(
        Allow,
        &[
            "docker compose -f signoff/compose.yml down",
            "cd /opt/signoff && docker compose ps",
            "cd signoff && docker compose up -d",
            "cd /opt/shop && docker compose down",
            "minikube kubectl -- get pod signoff-0",
            "minikube status -p signoff",
        ],
    );
    check(Ask, &["tmux send-keys -t main:signoff-ui y Enter"]);
}
