//! Moving files and messages: FTP and its like, mail, message brokers, remote procedure calls.

use super::{CHANGE_REQUEST, LOCAL_REQUEST, PUBLISH_MESSAGE, Reach, reach, secret_in, tell_secret};
use crate::{
    shell::{
        Call, Judge, Shell,
        families::tool::{self, Does::*, Tool, speak, tools},
        options::{Options, Syntax},
        rules as shell_rules,
    },
    value::{Arg, Feed, Origin, Value},
};

tools! { pub(super) TOOLS:
    "mosquitto_pub kafka-console-producer kafka-console-producer.sh amqp-publish stomp-publish nsq_pub slackcat tgsend \
        telegram-send wal-telegram mailsend swaks neomutt ssmtp nail sendemail" => Speaks(&PUBLISH_MESSAGE),
        bare: Fine,
        options: &[("-bp -bv -V --list-rules", Fine)];
    "signal-cli airpaste airshare ffsend transfersh" => Speaks(&PUBLISH_MESSAGE),
        bare: Fine,
        options: &[("-V --version", Fine)],
        verbs: &[("receive listDevices listContacts listGroups download exists info", Fine)];
    "twurl" => Fine,
        options: &[("-d --data -f --file", Speaks(&PUBLISH_MESSAGE))];
    "wacli" => Fine,
        verbs: &[("send", Speaks(&PUBLISH_MESSAGE))];
    "mosquitto_sub kafka-console-consumer kafka-console-consumer.sh amqp-consume amqp-get nsq_tail rsstail" => Fine;
    "kafka-topics kafka-topics.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-consumer-groups \
        kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions \
        kafka-reassign-partitions.sh" => Fine,
        options: &[("--dry-run", Fine), ("--delete --alter --create --add --remove --reset-offsets --execute --delete-offsets \
            --offset-json-file", Speaks(&PUBLISH_MESSAGE))];
    "kafka-storage kafka-storage.sh kafka-leader-election kafka-leader-election.sh kafka-features kafka-features.sh"
        => Speaks(&PUBLISH_MESSAGE),
        options: &[("--help --version", Fine)],
        verbs: &[("info random-uuid describe version-mapping", Fine)];
    "kcat kafkacat" => Fine,
        options: &[("-P", Speaks(&PUBLISH_MESSAGE))];
    "nats" => Fine,
        values: "-s --server --context --creds --nkey",
        verbs: &[
            ("pub publish request req kv+put kv+del kv+purge kv+rm stream+add stream+rm stream+purge stream+edit stream+del \
                consumer+add consumer+rm object+put object+del", Speaks(&PUBLISH_MESSAGE)),
        ];
    "rpk" => Fine,
        verbs: &[("topic+produce topic+delete topic+create topic+alter-config cluster+config group+delete acl+create acl+delete \
            security", Speaks(&PUBLISH_MESSAGE))];
    "croc wormhole magic-wormhole qrcp" => Speaks(&PUBLISH_MESSAGE),
        verbs: &[("receive recv rx", Fine)];
    "notify-send terminal-notifier noti alerter growlnotify" => Fine;
    "ntfy" => Fine,
        verbs: &[("publish pub send trigger", Speaks(&PUBLISH_MESSAGE)), ("user access token", Speaks(&CHANGE_REQUEST))];
    "ncftpput wput rpcclient smbcacls mput megaput" => Speaks(&shell_rules::SEND),
        bare: Fine,
        options: &[("-L --list", Fine)];
    "smbget ncftpget ncftpls megatools-dl gdown" => Fine;
    "ia" => Fine,
        verbs: &[("upload delete copy move", Speaks(&shell_rules::SEND))];
    "hangups irssi weechat sic ii profanity" => Fine;
    "twitter t" => Fine,
        verbs: &[("update tweet dm reply delete follow unfollow retweet block post favorite", Speaks(&PUBLISH_MESSAGE))];
    "toot" => Fine,
        verbs: &[("post delete follow unfollow block mute reblog upload favourite", Speaks(&PUBLISH_MESSAGE))];
    "imapsync offlineimap mbsync isync getmail fetchmail" => Speaks(&CHANGE_REQUEST),
        options: &[("--dry --dry-run --info -c", Fine)];
    "ipfs" => Fine,
        verbs: &[("pin+rm repo+gc name+publish key+rm files+rm pubsub+pub add", Speaks(&shell_rules::SEND))];
    "asciinema terminalizer" => Fine,
        options: &[("--local -l", Fine)],
        verbs: &[("upload stream share", Speaks(&shell_rules::SEND))];
    "finger" => Fine;
    "pastebin pastebinit termbin haste-cli sprunge wgetpaste dpaste" => Speaks(&shell_rules::SEND),
        bare: Speaks(&shell_rules::SEND);
    "gist ix" => Speaks(&shell_rules::SEND),
        options: &[("-l --list -r --read", Fine)],
        bare: Fine;
    "k6 locust artillery jmeter tsung" => Fine;
    "h2load speedtest speedtest-cli fast speed-test iperf iperf3 netperf" => Fine;
}

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "grpcurl" | "evans" | "ghz" => grpcurl,
        "getent" => getent,
        "logger" => log,
        "mail" | "mailx" | "sendmail" | "msmtp" | "mutt" | "s-nail" => mail,
        "ab" | "wrk" | "siege" | "hey" | "vegeta" | "bombardier" | "oha" | "autocannon" | "http_load" | "loadtest" => {
            load
        }
        _ => return None,
    })
}

fn grpcurl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help() || call.has_any(&["list", "describe"]) {
        return out;
    }
    let operands = tool::operands(
        call,
        "-d -H -proto -import-path -protoset -cacert -cert -key -authority -max-time \
        -connect-timeout -format -n -c --data --call --proto",
    );
    let Some(target) = operands.first().and_then(|at| call.args.get(*at)) else { return out };
    let to = target.shown().into_owned();
    if let Some(secret) = call.args.iter().find_map(|arg| arg.value.secret().and(secret_in(&arg.value))) {
        tell_secret(shell, &secret, &to, call.span);
    }
    let rule = if reach(&to) == Reach::Local { &LOCAL_REQUEST } else { &CHANGE_REQUEST };
    speak(shell, call, rule, 0);
    out
}

/// Mail goes out when somebody is named; without it the mail box is read.
fn mail(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help()
        || call.has_any(&["-bp", "-bv", "-e", "-H", "-f"])
        || call.args.is_empty() && call.stdin.is_none()
    {
        return out;
    }
    let mut feed = call.stdin.clone();
    for (at, arg) in call.args.iter().enumerate() {
        if matches!(arg.known(), Some("-a" | "-A" | "--attach"))
            && let Some(file) = call.args.get(at + 1)
        {
            let read = shell.read(file);
            if read.secret().is_some() {
                feed = feed.then(read);
            }
        }
    }
    if let Some(secret) =
        feed.secret().map(str::to_owned).or_else(|| call.args.iter().find_map(|arg| secret_in(&arg.value)))
    {
        tell_secret(shell, &secret, &tool::words_from(call, 0), call.span);
    } else {
        speak(shell, call, &PUBLISH_MESSAGE, 0);
    }
    out
}

/// Load on another machine is an attack unless its owner knows; on this machine it is a benchmark.
fn load(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    let address = call.args.iter().find(|arg| arg.value.prefix().contains("://"));
    if let Some(address) = address
        && !call.asks_for_help()
        && reach(&address.shown()) == Reach::Elsewhere
    {
        shell.tell(&super::SCAN, address.shown().into_owned(), address.span);
    }
    out
}

/// `logger -n host -f file`: a line in the log of this machine, or of another one.
fn log(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "fnpPtiSuTd",
        long_values: &["file", "server", "port", "priority", "tag", "socket", "id", "size"],
        long_flags: &[],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    let Some(host) = options.value(&["n", "server"]).filter(|host| reach(&host.shown()) == Reach::Elsewhere) else {
        return call.output();
    };
    let to = host.shown().into_owned();
    let feed = options.value(&["f", "file"]).cloned().map_or_else(|| call.stdin.clone(), |file| shell.read(&file));
    let texts: Vec<&Value> = options.operands.iter().map(|arg| &arg.value).collect();
    shell.send(&to, texts.into_iter(), &feed, call.span);
    call.output()
}

/// `getent passwd name`: one line about an account, of which the home directory matters; anything else is not known.
fn getent(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = super::judge(shell, call);
    if matches!(call.arg(0), Some("shadow" | "gshadow")) {
        let file = Arg::text(format!("/etc/{}", call.arg(0).unwrap_or_default()), call.span);
        return shell.read(&file);
    }
    // Without a name it prints all of the table.
    if let [database] = call.args.as_slice()
        && database.is("passwd")
    {
        return Feed::from_all(vec![Origin::Program("getent".into()), Origin::File("/etc/passwd".to_owned())]);
    }
    let [database, name] = call.args.as_slice() else { return out };
    if !database.is("passwd") {
        return out;
    }
    let mut home = Value::text(if name.is("root") { "/" } else { "/home/" });
    name.value.pieces().iter().for_each(|piece| home.push(piece.clone()));
    let home = crate::place::Place::resolve(&home, None, shell.whereabouts(), shell.facts());
    if home.extent != crate::place::Extent::Exact {
        return out;
    }
    let user = home.file_name();
    // Where the person's own home lies is known.
    let own = shell.whereabouts().home.rsplit('/').next() == Some(user);
    let home = if own { shell.whereabouts().home.as_str() } else { home.path.as_str() };
    Feed::of(Value::text(format!("{user}:x:1000:1000::{home}:/bin/sh\n")))
}
