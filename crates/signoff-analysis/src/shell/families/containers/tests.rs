use signoff_model::Verdict;

use crate::testing::{assess, check};

#[test]
fn a_description_that_is_too_long_is_not_read_and_asks() {
    for body in ["[\n".repeat(3000), "\"\n".repeat(3000), "a".repeat(70_000)] {
        check(Verdict::Ask, &[&format!("cat > compose.yml <<'E'\na: {body}\nE\ndocker compose up")]);
    }
    check(Verdict::Allow, &["cat > compose.yml <<'E'\nservices:\n  a:\n    image: alpine\nE\ndocker compose up"]);
}

#[test]
fn looking_building_and_throw_away_containers_are_allowed() {
    check(
        Verdict::Allow,
        &[
            "docker ps -a --filter status=exited",
            "docker images --filter dangling=true",
            "docker system df",
            "docker inspect pgdata",
            "docker logs --tail 100 app",
            "docker build --rm -t app .",
            "docker buildx build --platform linux/amd64 -t app --load .",
            "docker pull alpine",
            "docker run --rm alpine ls /",
            "docker run -d --name db -p 5432:5432 -e POSTGRES_PASSWORD=x postgres",
            "docker run --rm -v \"$PWD:/src\" -w /src node:20 npm test",
            "docker run --rm alpine rm -rf /",
            "docker run --rm alpine apk add curl",
            "docker run -v /etc/localtime:/etc/localtime:ro alpine date",
            "docker rm -f testdb",
            "docker rm \"$NAME\"",
            "docker stop web",
            "docker compose up -d",
            "docker compose down",
            "docker-compose logs -f web",
            "docker compose exec web ls /app",
            "docker exec db ls /var/lib",
            "docker exec db psql -U postgres -c 'SELECT 1'",
            "docker builder prune -f",
            "docker volume ls",
            "docker service ls",
            "docker context ls",
            "docker tag a b",
            "docker buildx imagetools inspect a",
            "docker cp web:/app/log.txt .",
            "podman ps",
            "crane auth --help",
            "crane manifest alpine",
            "skopeo inspect docker://alpine",
            "vagrant up",
            "vagrant ssh -c 'ls /'",
            "virsh list --all",
            "qm list",
            "qemu-img info a.qcow2",
        ],
    );
}

#[test]
fn loss_and_power_ask() {
    check(
        Verdict::Ask,
        &[
            "docker system prune -af --volumes",
            "docker volume prune -f",
            "docker volume rm pgdata",
            "docker rm -fv $(docker ps -aq)",
            "docker rmi -f $(docker images -q)",
            "docker compose down -v",
            "docker compose -f prod.yml down --volumes",
            "docker push acme/app",
            "docker buildx build --push -t acme/app .",
            "docker buildx imagetools create -t acme/app a b",
            "docker login -u me",
            "docker exec db psql -U postgres -c 'DROP DATABASE app'",
            "docker compose exec db mysql -e 'DROP TABLE t'",
            "docker run --privileged alpine",
            "docker run --rm -v /var/run/docker.sock:/var/run/docker.sock alpine",
            "docker run --rm -v ~/.ssh:/keys alpine ls /keys",
            "docker run --rm --pid host alpine nsenter -t 1 -a sh",
            "docker run --rm -it --mount type=bind,source=/,target=/host alpine",
            "docker -H ssh://prod rm -f web",
            "docker stack rm app",
            "docker swarm leave --force",
            "docker run --rm hashicorp/terraform destroy -auto-approve",
            "skopeo copy docker://a/b docker://c/d",
            "crane delete acme/app:1",
            "vagrant destroy -f",
            "virsh undefine web --remove-all-storage",
            "qm cleanup 100 true true",
            "VBoxManage import path/to/file.ovf",
        ],
    );
}

#[test]
fn what_a_container_does_to_mounted_places_counts() {
    check(
        Verdict::Block,
        &["docker run --rm -v /:/host alpine rm -rf /host/home", "docker run -v /:/mnt alpine sh -c 'rm -rf /mnt/etc'"],
    );
    check(
        Verdict::Ask,
        &[
            "docker run --rm -v \"$PWD:/src\" alpine rm -rf /src/src",
            "docker run --rm -v $(pwd):/src -w /src alpine sh -c 'rm -rf .git'",
            "docker run --rm -v pgdata:/data alpine rm -rf /data/base",
        ],
    );
}

#[test]
fn a_mounted_machine_is_the_machine() {
    check(
        Verdict::Block,
        &["docker run --rm -v /:/h alpine find /h -delete", "docker run --rm -v ~:/w alpine find /w -delete"],
    );
}

#[test]
fn a_mounted_project_is_the_project() {
    check(
        Verdict::Ask,
        &[
            "docker run -v .:/w alpine find /w -delete",
            "docker run --rm -v .:/w alpine find /w -delete",
            r#"docker run -v $PWD:/w alpine sh -c 'find /w -name "*.rs" -delete'"#,
            "docker run -v .:/w alpine rm -rf /w",
            "docker run --mount type=bind,src=.,dst=/w alpine find /w -delete",
        ],
    );
}

#[test]
fn what_is_inside_goes_with_the_container() {
    check(
        Verdict::Allow,
        &["docker run --rm -v .:/w alpine find /w -name '*.rs'", "docker run --rm alpine find / -delete"],
    );
}

#[test]
fn a_subcommand_of_a_subcommand_is_named_as_the_text_does() {
    for (command, named) in [
        ("docker compose down -v", "docker compose down"),
        ("podman compose -f a.yml push web", "podman compose push web"),
        ("docker-compose down -v", "docker-compose down"),
        ("docker volume rm data", "docker volume rm data"),
        ("gcloud beta compute instances delete web", "gcloud beta compute instances delete web"),
        ("terragrunt run --all -- destroy", "terragrunt run destroy"),
    ] {
        let reasons = assess(command).reasons;
        assert!(reasons.iter().any(|reason| reason.subject.name() == named), "{command}: {reasons:?}");
    }
}

#[test]
fn disks_of_this_machine_are_its_own_in_a_container_too() {
    check(
        Verdict::Block,
        &[
            "docker run --privileged -v /dev:/dev alpine mkfs.ext4 /dev/sda1",
            "docker run --rm --privileged alpine mkfs.ext4 /dev/sda1",
            "docker run --rm --device /dev/sda alpine mkfs.ext4 /dev/sda",
            "docker run -v /dev:/dev alpine dd if=/dev/zero of=/dev/sda",
        ],
    );
    check(
        Verdict::Allow,
        &["docker run --rm alpine mkfs.ext4 /dev/sda1", "docker run --rm -v $PWD:/src alpine mkfs.ext4 /dev/sda1"],
    );
}

#[test]
fn containers_of_another_machine_ask_unless_looked_at() {
    check(
        Verdict::Ask,
        &[
            "DOCKER_HOST=ssh://ops@web1 docker compose up -d",
            "DOCKER_HOST=ssh://ops@web1 docker-compose up -d",
            "export DOCKER_HOST=ssh://ops@web1; docker compose up -d",
            "docker -H ssh://prod run -d nginx",
            "docker --context prod compose up -d",
            "docker context use prod && docker compose up -d",
            "docker -H ssh://prod compose restart web",
            "docker -H ssh://prod volume create x",
            "DOCKER_HOST=tcp://10.0.0.5:2375 docker run -d x",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "docker -H ssh://prod ps",
            "DOCKER_HOST=ssh://ops@web1 docker compose ps",
            "DOCKER_HOST=ssh://ops@web1 docker logs web",
            "docker --context prod inspect web",
            "docker --context default compose up -d",
            "DOCKER_HOST=unix:///run/user/1000/docker.sock docker compose up -d",
            "docker --context colima run --rm alpine ls",
            "DOCKER_HOST=tcp://localhost:2375 docker compose up -d",
            "docker --context prod compose config",
            "docker context use default && docker compose up -d",
        ],
    );
}

#[test]
fn a_container_of_the_text_itself_may_go() {
    check(
        Verdict::Allow,
        &[
            "cid=$(docker run -d -p 18080:8080 acme/api:ci)\ndocker logs \"$cid\"\ndocker stop \"$cid\" && docker rm \"$cid\"",
            "cid=$(docker run -d x); docker rm -f $cid",
            "id=$(podman create x); podman cp $id:/a /tmp/a; podman rm $id",
            "docker run -d --cidfile /tmp/cid x; docker rm -f $(cat /tmp/cid)",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "cid=$(docker ps -q); docker rm -f $cid",
            "cid=$(cat cid); docker rm -f $cid",
            "cid=$(docker run -d x); docker rm -f $cid $(docker ps -q)",
            "docker rm -f $(docker run --rm x list)",
        ],
    );
}

#[test]
fn volumes_go_with_the_container_if_it_is_told_so() {
    check(
        Verdict::Ask,
        &["docker compose rm -fsv db", "docker rm -fv db", "docker rm -v -f db cache", "podman rm --volumes db"],
    );
    check(
        Verdict::Allow,
        &["docker compose rm -fs db", "docker rm -f db", "docker rm -fv test-db", "docker compose kill -s SIGINT web"],
    );
}

#[test]
fn the_first_process_of_a_container_is_not_the_machine() {
    check(
        Verdict::Ask,
        &[
            "docker exec web kill 1",
            "docker exec web kill -9 1",
            "docker compose exec web kill -TERM 1",
            "kubectl exec web-1 -- kill 1",
        ],
    );
    check(Verdict::Block, &["ssh web1 kill -9 -1"]);
}

#[test]
fn a_filter_that_finds_parts_of_names_says_little() {
    check(Verdict::Ask, &["docker rm -f $(docker ps -aq --filter name=ci)", "docker compose rm -fsv db"]);
    check(
        Verdict::Allow,
        &[
            "docker rm -f $(docker ps -aq --filter name=e2e)",
            "docker rm -f ci-db",
            "docker compose rm -fsv test",
            "docker compose rm -fsv test-db e2e",
        ],
    );
}
