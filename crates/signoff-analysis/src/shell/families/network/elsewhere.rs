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
    tracepath mtr telnet openssl printenv nginx jstack jstat jps top htop find sed tar kill sleep \
    supervisorctl apachectl ip iptables tcpdump promtool amtool rm rmdir mv cp chmod chown dd truncate shred";

/// A wrapper: its name, its flags, its options with a value, and its long options.
type Wrapper = (&'static str, &'static str, &'static str, &'static str);

/// Programs that run the one behind their own words: the letters of their options without a value and with one, and
/// their long ones, of which those with a value have it behind `=`.
const WRAPPERS: &[Wrapper] = &[
    ("env", "i0v", "uC", "ignore-environment null unset= chdir="),
    ("timeout", "fpv", "sk", "foreground preserve-status verbose signal= kill-after="),
    ("time", "pv", "fo", "portability verbose"),
    ("nice", "", "n", "adjustment="),
    ("ionice", "t", "cn", "ignore class= classdata="),
    ("nohup", "", "", ""),
    ("command", "p", "", ""),
    ("builtin", "", "", ""),
    ("exec", "cl", "a", ""),
    ("setsid", "cfw", "", "ctty fork wait"),
    ("doas", "n", "u", ""),
    ("busybox", "", "", ""),
    ("sudo", "nEHS", "ug", "non-interactive preserve-env user= group="),
    ("xargs", "0rt", "InPLsd", "null no-run-if-empty max-args= max-procs= replace= delimiter="),
    ("stdbuf", "", "ioe", "input= output= error="),
];

/// Where a system keeps its programs. Anywhere else a name is only a name.
const DIRECTORIES: &[&str] = &["/bin/", "/usr/", "/sbin/"];

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
        // Without a text or a script it is fed, and what flows in is judged as it is.
        return match text {
            Some(text) => is_text_judged_by_itself(&text.shown()),
            None => args.iter().all(Arg::is_option),
        };
    }
    let words: Vec<&str> = argv.iter().map(|arg| arg.value.prefix()).collect();
    is_known(&words)
}

/// The same for a text.
pub(crate) fn is_text_judged_by_itself(text: &str) -> bool {
    all_parts(text, is_known)
}

fn is_known(words: &[&str]) -> bool {
    let Some(words) = unwrapped(words) else { return false };
    let [program, rest @ ..] = words else { return true };
    let (program, first) = (base(program), rest.first().copied().unwrap_or_default());
    // Code that is written out is judged like any other; a file of it is a script.
    let is_code = matches!(program, "python" | "python3" | "node" | "ruby" | "perl" | "php")
        && matches!(first, "-c" | "-e" | "-r" | "-p")
        && rest.get(1).is_some_and(|code| brings_nothing_in(program, code));
    reads(words)
        || is_code
        || is_listed(JUDGED, program) && !runs_others(program, rest)
        || matches!(program, "jcmd" | "jmap") && rest.iter().all(|word| only_looks_at_java(word))
        || rest.len() == 1 && matches!(first, "--version" | "-version" | "-v" | "-V" | "--help" | "version" | "help")
}

/// The words of a command without the wrappers in front of them; all of them if a wrapper is told what is not known here.
pub(crate) fn bare(argv: &[Arg]) -> &[Arg] {
    // Most commands have none.
    let first = argv.first().map_or("", |arg| arg.value.prefix());
    if wrapper(first).is_none() {
        return argv;
    }
    let words: Vec<&str> = argv.iter().map(|arg| arg.value.prefix()).collect();
    let left = unwrapped(&words).map_or(words.len(), <[&str]>::len);
    argv.get(argv.len() - left..).unwrap_or(argv)
}

/// Whether a program of this name runs the one behind its own words.
pub(crate) fn wraps(name: &str) -> bool {
    wrapper(name).is_some()
}

/// What is known of a wrapper, by its name.
fn wrapper(program: &str) -> Option<&'static Wrapper> {
    let program = base(program);
    WRAPPERS.iter().find(|(name, ..)| *name == program)
}

/// The words without the wrappers in front of them. None if a wrapper is told what is not known here.
fn unwrapped<'a>(words: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let mut words = words;
    while let [first, rest @ ..] = words
        && let Some((name, flags, values, long)) = wrapper(first)
    {
        words = rest;
        while let [option, rest @ ..] = words
            && let Some(body) = option.strip_prefix('-').filter(|body| !body.is_empty())
        {
            words = rest;
            if let Some(word) = body.strip_prefix('-') {
                let word = word.split_inclusive('=').next().unwrap_or_default();
                if word.is_empty() {
                    break;
                }
                if !is_listed(long, word) && !matches!(word, "help" | "version") {
                    return None;
                }
                continue;
            }
            // `nice -10`
            if *name == "nice" && body.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let plain = body.find(|letter| !flags.contains(letter)).unwrap_or(body.len());
            match body.get(plain..).and_then(|left| left.chars().next().map(|letter| (letter, left))) {
                None => {}
                // Its value is the rest of the word, or the next one.
                Some((letter, left)) if values.contains(letter) => {
                    words = words.get(usize::from(left.len() == letter.len_utf8())..)?;
                }
                Some(_) => return None,
            }
        }
        // What is set for it, and how long it may take.
        let is_own = |word: &&&str| match *name {
            "env" | "sudo" => word.contains('=') && !word.starts_with(['/', '.']),
            _ => false,
        };
        words = words.get(words.iter().take_while(is_own).count()..)?;
        if *name == "timeout" {
            let (limit, rest) = words.split_first()?;
            if !limit.starts_with(|letter: char| letter.is_ascii_digit()) {
                return None;
            }
            words = rest;
        }
    }
    Some(words)
}

/// Whether code brings in no other code of that machine.
fn brings_nothing_in(program: &str, code: &str) -> bool {
    const PYTHON: &str = "sys os json re time datetime platform socket urllib urllib.request urllib.parse ssl math collections \
        pathlib sqlite3 http http.client base64 hashlib random string itertools functools textwrap pprint struct csv io ssl \
        uuid glob stat resource statistics decimal fractions site sysconfig locale getpass pwd grp";
    const NODE: &str =
        "fs os path http https net dns util crypto url querystring process v8 zlib assert buffer events stream";
    match program {
        "python" | "python3" => {
            // `import x; print(x.__version__)` looks at what is there.
            let only_version = code.to_ascii_lowercase().contains("version") && code.matches('(').count() == 1;
            let modules = code
                .split(['\n', ';'])
                .map(str::trim)
                .filter_map(|statement| statement.strip_prefix("import ").or_else(|| statement.strip_prefix("from ")));
            let known = |modules: &str| {
                let modules = modules.split(" import ").next().unwrap_or_default();
                modules.split(',').all(|one| is_listed(PYTHON, one.trim().split(' ').next().unwrap_or_default()))
            };
            only_version
                || modules.into_iter().all(known) && !code.contains("import_module") && !code.contains("__import__")
        }
        "node" => {
            let mut brought = code.split("require(").skip(1).map(|rest| rest.split(')').next().unwrap_or_default());
            let known = |name: &str| {
                let name = name.trim_matches(['"', '\'', '`', ' ']);
                is_listed(NODE, name.strip_prefix("node:").unwrap_or(name)) || name.ends_with("package.json")
            };
            brought.all(known) && !code.contains("import")
        }
        _ => !["require", "include", "load", "do "].iter().any(|word| code.contains(word)),
    }
}

/// Whether a program that its family judges runs another one here, which is one of that machine's.
fn runs_others(program: &str, rest: &[&str]) -> bool {
    let any = |runs: &dyn Fn(&str) -> bool| rest.iter().any(|word| runs(word));
    match program {
        "find" => any(&|word| word.starts_with("-exec") || word.starts_with("-ok")),
        "sed" => any(&super::super::text::runs_commands),
        "less" | "more" => any(&|word| word.starts_with('+')),
        "openssl" => any(&|word| word.contains("engine") || word.contains("provider")),
        "rpm" => any(&|word| word.contains("%(") || word.contains("pipe") || word.contains("load")),
        "sort" => any(&|word| word.starts_with("--comp")),
        // A word to the client and not to the server.
        "psql" | "mysql" | "mariadb" | "sqlite3" | "cqlsh" | "clickhouse-client" => any(&|word| {
            ["\\!", ".shell", ".system", "system ", "\\i", "\\o", "\\g", "\\copy"]
                .iter()
                .any(|order| word.contains(order))
        }),
        "mongo" | "mongosh" => any(&|word| word.contains("load(") || word.contains("require(")),
        "tar" => any(&|word| word.contains("checkpoint") || word.contains("command") || word.starts_with("-I")),
        _ => false,
    }
}

/// `jcmd 1 Thread.print`, `jmap -histo 1`: not what is dumped into a file there, or changed.
fn only_looks_at_java(word: &str) -> bool {
    const LOOKS: &str = "-l -histo -histo:live -clstats -finalizerinfo help VM.version VM.flags VM.command_line VM.uptime \
        VM.system_properties VM.info VM.native_memory VM.metaspace Thread.print GC.heap_info GC.class_histogram Compiler.queue \
        summary";
    is_listed(LOOKS, word) || !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn reads(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return true };
    let program = base(program);
    let is_pair = |pair: &str| {
        pair.split_once('+').is_some_and(|(one, two)| one == program && (rest.first() == Some(&two) || one == "find"))
    };
    // A search and a program for lines can be told to run others.
    let runs = match program {
        "awk" => {
            rest.iter().any(|word| word.contains(['|', '>']) || word.contains("system") || word.contains("getline"))
        }
        _ => runs_others(program, rest),
    };
    !runs && (is_listed(READERS, program) || READING_PAIRS.split_ascii_whitespace().any(is_pair))
}

/// The name of a program without its directory, if that is one of the system; nothing else is known by its name.
fn base(program: &str) -> &str {
    let Some((directory, name)) = memchr::memrchr(b'/', program.as_bytes()).and_then(|_| program.rsplit_once('/'))
    else {
        return program;
    };
    let is_packaged = || program.starts_with("/opt/") && directory.ends_with("/bin");
    let of_system = || DIRECTORIES.iter().any(|start| program.starts_with(start)) && !program.contains("/../");
    if of_system() || is_packaged() { name } else { "" }
}

/// Whether every command of a text is of a kind, by its words.
fn all_parts(text: &str, is_kind: impl Fn(&[&str]) -> bool) -> bool {
    const SILENCERS: &[&str] = &["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null"];
    let plain = SILENCERS.iter().fold(text.to_owned(), |text, silencer| text.replace(silencer, ""));
    if ["$(", "`", ">", "<(", "-exec", "-delete", "-ok"].iter().any(|mark| plain.contains(mark)) {
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
                "kubectl exec api-0 -- timeout -s kill 5 ./wipe",
                "kubectl exec api-0 -- timeout --signal kill 5 ./wipe",
                "kubectl exec api-0 -- env -u ls ./wipe",
                "kubectl exec api-0 -- env -S 'ls ./wipe'",
                "kubectl exec api-0 -- xargs -I ls ./wipe",
                "kubectl exec api-0 -- nice -n 5 ./wipe",
                "kubectl exec api-0 -- sudo -u ls ./wipe",
                "kubectl exec api-0 -- sh -c 'ls <(./wipe)'",
                "kubectl exec api-0 -- sh ./wipe.sh",
                "kubectl exec api-0 -- sh -c './ls; env -u cat ./wipe'",
                "kubectl exec api-0 -- node -e 'require(\"./wipe\")'",
                "kubectl exec api-0 -- node -e 'import(\"./wipe.mjs\")'",
                "kubectl exec api-0 -- python3 -c 'import app; app.wipe()'",
                "kubectl exec api-0 -- ruby -e 'load \"./wipe.rb\"'",
                "kubectl exec api-0 -- ./psql",
                "kubectl exec api-0 -- /data/ls",
                "kubectl exec api-0 -- /usr/../data/ls",
                "kubectl exec api-0 -- gzip /data/x",
                "kubectl exec api-0 -- jmap -dump:file=/x 1",
                "kubectl exec api-0 -- jcmd 1 GC.heap_dump /x",
                "kubectl exec api-0 -- find / -exec ./wipe \\;",
                "kubectl exec api-0 -- awk 'BEGIN{system(\"./wipe\")}'",
                "kubectl exec api-0 -- strace ./wipe",
                "kubectl exec api-0 -- sed -n '1e ./wipe' /etc/hosts",
                "kubectl exec api-0 -- sed -n 's/x/ls/e' /etc/hosts",
                "kubectl exec api-0 -- less +'!./wipe' x",
                "kubectl exec api-0 -- psql -c '\\! ./wipe'",
                "kubectl exec api-0 -- mysql -e '\\! ./wipe'",
                "kubectl exec api-0 -- sqlite3 x.db '.shell ./wipe'",
                "kubectl exec api-0 -- rpm --eval '%(./wipe)'",
                "kubectl exec api-0 -- sort --compress-program=./wipe x",
                "kubectl exec api-0 -- mongosh --eval 'load(\"x.js\")'",
                "docker --context prod exec web timeout -s kill 5 ./wipe",
                "ssh host '/data/ls'",
                "ssh host 'ls <(./wipe)'",
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
                "kubectl exec api-0 -- timeout -s KILL 5 psql -c 'select 1'",
                "kubectl exec api-0 -- timeout --signal=KILL 5s cat /etc/hosts",
                "kubectl exec api-0 -- env PGHOST=x psql -c 'select 1'",
                "kubectl exec api-0 -- nice -n 10 du -sh /data",
                "kubectl exec api-0 -- /usr/lib/postgresql/15/bin/psql -c 'select 1'",
                "kubectl exec api-0 -- /opt/kafka/bin/kafka-topics.sh --list --bootstrap-server localhost:9092",
                "kubectl exec api-0 -- /bin/sh -c 'cat /etc/hosts'",
                "kubectl exec api-0 -- jcmd 1 Thread.print",
                "kubectl exec api-0 -- jmap -histo 1",
                "kubectl exec api-0 -- jstack 1",
                "kubectl exec api-0 -- node -e 'console.log(process.version)'",
                "kubectl exec api-0 -- node -p 'require(\"os\").cpus().length'",
                "kubectl exec api-0 -- python3 -c 'import torch; print(torch.__version__)'",
                "kubectl exec api-0 -- python3 -c 'import sys, os; print(sys.path)'",
                "kubectl exec api-0 -- find /app -name '*.log'",
                "kubectl exec api-0 -- sh -c 'ls /app | xargs -n1 basename'",
                "kubectl exec api-0 -- awk '{print $1}' /var/log/app.log",
                "kubectl exec api-0 -- sed -n '1,20p' /etc/hosts",
                "kubectl exec api-0 -- sed 's/the e/x/' /etc/hosts",
                "kubectl exec api-0 -- rpm -qa",
                "kubectl exec api-0 -- sqlite3 x.db '.tables'",
                "kubectl exec api-0 -- psql -c '\\dt'",
                "kubectl exec api-0 -- psql -c \"select a || b from t\"",
                "kubectl exec api-0 -- python -c 'import django; print(django.VERSION)'",
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
