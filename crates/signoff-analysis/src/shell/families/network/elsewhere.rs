//! Commands for another machine: which of them only look, as far as their words tell.
//!
//! On this machine the scripts of the project are the agent's own business. What they do in a cluster, on a cloud machine
//! or on a server, they do to others.

use crate::{value::Arg, words::is_listed};

/// Programs that only look, whatever their arguments.
const READERS: &str = "ls cat head tail grep egrep fgrep zgrep zcat df du uptime hostname whoami id ps free uname date pwd echo \
    printf wc sort uniq cut \
    stat file which whereis lsblk lscpu lsof ss netstat w who last nproc getent test [ true false cd dmesg vmstat iostat tr column jq less more \
    md5sum sha256sum readlink realpath basename dirname journalctl pgrep lsb_release ping arch rpm tree diff cmp awk";

/// Words after which a program with many uses only looks.
const READING_PAIRS: &str = "systemctl+status systemctl+is-active systemctl+list-units systemctl+show systemctl+cat \
    systemctl+is-enabled docker+ps docker+logs \
    docker+images docker+inspect docker+stats docker+version docker+info git+status git+log git+diff git+show git+rev-parse git+branch kubectl+get kubectl+describe \
    kubectl+logs service+--status-all apt+list dpkg+-l rpm+-qa rpm+-q crontab+-l nginx+-t nginx+-v ip+a ip+addr ip+r ip+route pm2+list pm2+status pm2+logs \
    node+-v node+--version python3+--version python+--version java+-version npm+-v go+version sed+-n find+. find+/ tar+-tf \
        tar+tf";

/// Programs that their own families judge by what they are told to do, wherever they run: databases, requests, looks.
const JUDGED: &str = "psql mysql mariadb sqlite3 mongosh mongo redis-cli valkey-cli cqlsh clickhouse-client influx pg_dump \
    pg_dumpall mysqldump mariadb-dump mongodump pg_isready mysqladmin rabbitmqctl rabbitmq-diagnostics nodetool etcdctl vault \
    kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh curl wget nc nslookup dig host traceroute \
    tracepath mtr telnet openssl printenv nginx jstack jcmd jmap jstat jps top htop find sed tar gzip kill sleep \
    supervisorctl apachectl ip iptables tcpdump strace promtool amtool rm rmdir mv cp chmod chown dd truncate shred";

/// Programs that run the one behind their own words.
const WRAPPERS: &str = "env timeout time nice ionice nohup sudo xargs stdbuf";

/// Whether the command of a text for another machine only looks.
pub(super) fn only_reads(text: &str) -> bool {
    all_parts(text, reads)
}

/// Whether the words of a command for another machine are judged well enough by themselves, since they only look or their
/// program says what it does; what else runs there is worth a question.
pub(crate) fn is_judged_by_itself(argv: &[Arg]) -> bool {
    let Some((program, args)) = argv.split_first() else { return true };
    let Some(name) = program.known() else { return false };
    if matches!(base(name), "sh" | "bash" | "ash" | "dash" | "zsh") {
        let is_code = |arg: &Arg| {
            let text = arg.value.prefix();
            arg.is_option() && !text.starts_with("--") && text.ends_with('c')
        };
        let text = args.iter().position(is_code).and_then(|at| args.get(at + 1));
        // Without a text it is fed, and what flows in is judged as it is.
        return text.is_none_or(|text| is_text_judged_by_itself(&text.shown()));
    }
    let words: Vec<&str> = argv.iter().map(|arg| arg.value.prefix()).collect();
    is_known(&words)
}

/// The same for a text.
pub(crate) fn is_text_judged_by_itself(text: &str) -> bool {
    all_parts(text, is_known)
}

fn is_known(words: &[&str]) -> bool {
    let is_own =
        |word: &&&str| word.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit()) || word.contains('=');
    let mut words = words;
    while let [wrapper, rest @ ..] = words
        && is_listed(WRAPPERS, base(wrapper))
    {
        words = rest.get(rest.iter().take_while(is_own).count()..).unwrap_or_default();
    }
    let [program, rest @ ..] = words else { return true };
    let (program, first) = (base(program), rest.first().copied().unwrap_or_default());
    // Code that is written out is judged like any other; a file of it is a script.
    let is_code = matches!(program, "python" | "python3" | "node" | "ruby" | "perl" | "php")
        && matches!(first, "-c" | "-e" | "-r" | "-p");
    reads(words)
        || is_code
        || is_listed(JUDGED, program)
        || rest.len() == 1 && matches!(first, "--version" | "-version" | "-v" | "-V" | "--help" | "version" | "help")
}

fn reads(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return true };
    let program = base(program);
    let is_pair = |pair: &str| {
        pair.split_once('+').is_some_and(|(one, two)| one == program && (rest.first() == Some(&two) || one == "find"))
    };
    is_listed(READERS, program) || READING_PAIRS.split_ascii_whitespace().any(is_pair)
}

/// The name of a program without its directory.
fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether every command of a text is of a kind, by its words.
fn all_parts(text: &str, is_kind: impl Fn(&[&str]) -> bool) -> bool {
    const SILENCERS: &[&str] = &["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null"];
    let plain = SILENCERS.iter().fold(text.to_owned(), |text, silencer| text.replace(silencer, ""));
    if ["$(", "`", ">", "-exec", "-delete", "-ok"].iter().any(|mark| plain.contains(mark)) {
        return false;
    }
    plain.split(['|', ';', '&', '\n']).all(|part| {
        let words: Vec<&str> = part.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
        is_kind(&words)
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_runs_in_a_cluster_or_on_a_machine_of_others_is_asked_about() {
        check(
            Verdict::Ask,
            &[
                "kubectl exec api-0 -- npm run migrate",
                "oc exec api-0 -- npm run migrate",
                "oc rsh api-0 npm run migrate",
                "kubectl exec api-0 -- python manage.py clear_sessions",
                "kubectl exec api-0 -- python manage.py shell -c 'from django.core.cache import cache; cache.clear()'",
                "kubectl exec api-0 -- pip install x",
                "kubectl exec api-0 -- npm install lodash",
                "kubectl exec api-0 -- mkdir /app/x",
                "kubectl exec api-0 -- php artisan queue:restart",
                "kubectl exec api-0 -- sh -c 'cd app && npm run migrate'",
                "kubectl exec api-0 -- ./run.sh",
                "kubectl exec api-0 -- env A=b timeout 5 ./run.sh",
                "kubectl exec api-0 -- \"$CMD\"",
                "kubectl exec api-0 -- rm -rf /data",
                "gcloud compute ssh web1 --command make",
                "gcloud compute ssh web1 --command 'pip install x'",
                "docker -H ssh://prod exec web npm run migrate",
                "docker --context prod exec web npm run migrate",
                "DOCKER_HOST=ssh://prod docker exec web npm run migrate",
                "docker --context prod compose exec web npm run migrate",
                "ansible all -a make",
                "salt '*' cmd.run make",
            ],
        );
    }

    #[test]
    fn a_look_there_and_the_own_container_are_judged_by_themselves() {
        check(
            Verdict::Allow,
            &[
                "kubectl exec api-0 -- cat /etc/hosts",
                "kubectl exec api-0 -- grep -E 'a|b;c' /var/log/app.log",
                "kubectl exec $POD -- ls $DIR",
                "kubectl exec api-0 -- sh -c 'ls /app | wc -l; df -h'",
                "kubectl exec api-0 -- psql -c 'select 1'",
                "kubectl exec db-0 -- pg_dump app > backup.sql",
                "kubectl exec api-0 -- curl -s localhost:8080/health",
                "kubectl exec api-0 -- python3 -c 'print(1)'",
                "kubectl exec api-0 -- java -version",
                "kubectl exec api-0 -- timeout 5 psql -c 'select 1'",
                "kubectl exec api-0 -- nginx -t",
                "gcloud compute ssh web1 --command 'uptime; df -h'",
                "docker exec web npm run migrate",
                "docker exec web pytest -q",
                "docker --context prod exec web ls",
                "docker compose exec web npm test",
                "ansible all -a uptime",
                "salt '*' cmd.run 'df -h'",
            ],
        );
    }
}
