//! Tools of the machine whose arguments need more than a table.

use signoff_model::{Dialect, Secret};

use super::{
    CHANGE_DEVICE, CHANGE_DISK, CHANGE_KERNEL, CHANGE_MACHINE, CHANGE_NETWORK, CHANGE_SERVICE, EDIT_ACCOUNTS,
    ERASE_FIRMWARE, FORMAT_DISK, HIDE_TRACES, RAISE_RIGHTS, REMOVE_ESSENTIAL, SCHEDULE, SYSTEM_PACKAGES, disks,
    packages,
};
use crate::{
    path_effects::{Depth, Write},
    place::{Nature, is_within},
    rule::Rule,
    shell::{
        Call, Judge, Locus, Shell, Written,
        families::{
            files,
            secrets::SHOW_SECRET,
            tool::{self, operands, speak},
            windows,
        },
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Origin, Value},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "mke2fs" | "mkfs" | "mkswap" | "newfs" | "mkdosfs" | "mkntfs" | "newfs_hfs" | "newfs_apfs" | "newfs_msdos" => {
            make_file_system
        }
        _ if name.starts_with("mkfs.") => make_file_system,
        "parted" => parted,
        "fdisk" | "gdisk" | "sfdisk" | "cgdisk" => partition,
        "apt" | "apt-get" => apt,
        "dpkg" | "dpkg-deb" => dpkg,
        "useradd" | "usermod" | "adduser" | "gpasswd" | "dseditgroup" | "groupmems" => account,
        "crontab" => crontab,
        "history" => history,
        "service" | "rc-service" | "invoke-rc.d" => service,
        "ip" | "bridge" | "tc" | "devlink" | "rdma" => ip,
        "ifconfig" | "iwconfig" => interface,
        "route" | "arp" => route,
        "nmcli" => nmcli,
        "wg" | "awg" => tunnel,
        "iw" | "iwctl" => wireless,
        "resolvectl" | "systemd-resolve" => resolver,
        "networksetup" | "systemsetup" => mac_setup,
        "vtysh" | "imish" | "FastCli" | "sonic-cli" | "bgpctl" | "ospfctl" => device_shell,
        "sysctl" => sysctl,
        "adb" => adb,
        "avrdude" => programmer,
        "flashrom" => flash_chip,
        "zfs" => data_set,
        "btrfs" => volume,
        _ if tool::find(&disks::IMAGERS, name).is_some() => imager,
        "cmd" => windows_shell,
        "rd" | "del" | "erase" => windows_delete,
        _ => return None,
    })
}

/// A rule speaks unless the call only asks for help.
fn says(shell: &mut Shell<'_>, call: &Call, rule: &'static Rule, at: usize) -> Feed {
    if !call.asks_for_help() {
        speak(shell, call, rule, at);
    }
    call.output()
}

/// What is printed is a secret.
fn reveals(shell: &mut Shell<'_>, call: &Call) -> Feed {
    tool::act(shell, call, tool::Does::Reveals(&SHOW_SECRET), 0)
}

/// `wg`: the keys of a tunnel are all that guards it, and they stand among what else can be asked for.
fn tunnel(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let keys = || call.args.iter().any(|arg| matches!(arg.known(), Some("private-key" | "preshared-keys" | "dump")));
    match call.arg(0) {
        _ if call.asks_for_help() => call.output(),
        Some("showconf") => reveals(shell, call),
        Some("show") if keys() => reveals(shell, call),
        Some("set" | "setconf" | "addconf" | "syncconf") => says(shell, call, &CHANGE_NETWORK, 0),
        _ => call.output(),
    }
}

fn make_file_system(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help()
        || (matches!(call.name.as_str(), "mke2fs" | "mkfs.ext2" | "mkfs.ext3" | "mkfs.ext4") && call.rehearses(&["-n"]))
    {
        return call.output();
    }
    let target = call.args.iter().rev().find(|arg| !arg.is_option());
    let Some(target) = target else { return call.output() };
    let of_disk = call.args.iter().any(|arg| {
        let place = shell.place(&arg.value);
        place.nature == Nature::Disk && (arg.value.prefix().starts_with("/dev/") || is_within(&place.path, "/dev"))
    });
    let place = shell.place(&target.value);
    // `$(findmnt -no SOURCE /)`: whichever it is, somebody uses it.
    let in_use = disks::names_disk(&target.value);
    let rule = match place.nature {
        _ if in_use && call.name != "mkswap" => &FORMAT_DISK,
        // It leaves a disk alone on which it finds something, unless it is told not to look.
        _ if of_disk && call.name == "mkswap" && !call.has_any(&["-f", "--force"]) => &CHANGE_DISK,
        _ if of_disk => &FORMAT_DISK,
        Nature::Temporary | Nature::Rebuilt => return call.output(),
        _ => &CHANGE_DISK,
    };
    says(shell, call, rule, 0)
}

fn parted(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-a --align");
    if call.has_any(&["-l", "--list", "-v"]) || operands.is_empty() {
        return call.output();
    }
    let mut orders: Vec<&str> = operands.iter().skip(1).filter_map(|at| call.arg(*at)).collect();
    orders.extend(call.stdin.text.as_ref().and_then(|text| text.known()).unwrap_or_default().split_whitespace());
    let rule = if orders.iter().any(|word| matches!(*word, "mklabel" | "mktable" | "rm")) {
        &FORMAT_DISK
    } else if orders.iter().any(|word| matches!(*word, "print" | "p" | "help" | "align-check" | "version"))
        && !orders
            .iter()
            .any(|word| matches!(*word, "mkpart" | "resizepart" | "set" | "name" | "toggle" | "rescue" | "move"))
    {
        return call.output();
    } else {
        &CHANGE_DISK
    };
    says(shell, call, rule, operands.first().copied().unwrap_or_default())
}

/// `fdisk`, `gdisk`, `sfdisk`: what flows in is what they do. A new table that is written takes what the old one held.
fn partition(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let on_disk = call
        .args
        .iter()
        .any(|arg| arg.value.prefix().starts_with("/dev/") && shell.place(&arg.value).nature == Nature::Disk);
    let orders = call.stdin.text.as_ref().map(|text| text.shown().into_owned()).unwrap_or_default();
    let harmless =
        call.asks_for_help() || call.has_any(&["-l", "--list", "-n", "--no-act", "-d", "--dump", "-s", "-J"]);
    if on_disk && !harmless && writes_table(&call.name, &orders) {
        return says(shell, call, &FORMAT_DISK, 0);
    }
    let only_shows = |line: &str| matches!(line.trim(), "p" | "q" | "i" | "F" | "l" | "m" | "v" | "");
    if call.name != "sfdisk" && orders.lines().next().is_some() && orders.lines().all(only_shows) {
        return call.output();
    }
    tool::find(&super::disks::PARTITIONERS, &call.name)
        .map_or_else(|| call.output(), |found| tool::judge(shell, call, found))
}

/// Whether orders for a program that makes partitions write another table than the one that is there.
fn writes_table(program: &str, orders: &str) -> bool {
    let mut lines = orders.lines().map(str::trim);
    if program == "sfdisk" {
        // Every line that is no remark and no question is a partition or the head of a new table.
        return lines.any(|line| !line.is_empty() && !line.starts_with('#') && line != "quit" && line != "print");
    }
    let changes = orders.lines().any(|line| matches!(line.trim(), "o" | "g" | "n" | "d" | "G" | "s" | "z"));
    changes && lines.any(|line| line == "w" || program == "gdisk" && line == "z")
}

fn apt(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "octa",
        long_values: &["option", "config-file", "target-release", "default-release", "host-architecture"],
        long_flags: &["simulate", "just-print", "dry-run", "recon", "no-act", "print-uris", "download-only"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    for setting in options.values(&["o", "option"]) {
        setting_runs(shell, setting);
    }
    if let Some(file) = options.value(&["c", "config-file"]) {
        shell.opaque(file.shown().into_owned(), file.span);
    }
    if call.asks_for_help()
        || options.has(&["s", "simulate", "just-print", "dry-run", "recon", "no-act", "print-uris", "v", "h"])
        || options.has(&["d", "download-only"])
    {
        return call.output();
    }
    match options.operand(0) {
        None if options.operands.is_empty() => {}
        Some(
            "list" | "search" | "show" | "showsrc" | "policy" | "depends" | "rdepends" | "changelog" | "download"
            | "source" | "indextargets" | "check" | "moo" | "clean" | "autoclean" | "why" | "why-not" | "madison"
            | "showpkg" | "help",
        ) => {}
        _ if packages::removes_essential(call) => speak(shell, call, &REMOVE_ESSENTIAL, 0),
        _ => speak(shell, call, &SYSTEM_PACKAGES, options.first_operand),
    }
    call.output()
}

/// A setting of the package manager may name programs that it runs.
fn setting_runs(shell: &mut Shell<'_>, setting: &Arg) {
    let text = setting.value.prefix();
    let lower = text.to_ascii_lowercase();
    let runs = ["invoke", "dir::bin", "auto-detect", "proxyautodetect", "pre-install-pkgs", "dpkg::tools", "::pager"];
    if !runs.iter().any(|name| lower.contains(name)) {
        return;
    }
    let at = text.find('=').map_or(text.len(), |at| at + 1);
    let code = Arg { value: strip(&setting.value, at), span: setting.span };
    shell.run_text(&code, Dialect::Sh, Feed::none());
    shell.opaque(setting.shown().into_owned(), setting.span);
}

fn dpkg(shell: &mut Shell<'_>, call: &Call) -> Feed {
    for (at, arg) in call.args.iter().enumerate() {
        let text = arg.value.prefix();
        if text.starts_with("--pre-invoke") || text.starts_with("--post-invoke") || text.starts_with("--status-logger")
        {
            if let Some(code) = tool::attached_or_next(call, at) {
                shell.run_text(&code, Dialect::Sh, Feed::none());
            }
            shell.opaque(arg.shown().into_owned(), arg.span);
        }
    }
    if call.name == "dpkg-deb"
        || call.asks_for_help()
        || call.args.is_empty()
        || call.rehearses(&["--dry-run", "--simulate", "--no-act"])
    {
        return call.output();
    }
    const LOOKS: &[&str] = &[
        "--list",
        "--listfiles",
        "--search",
        "--status",
        "--print-avail",
        "--get-selections",
        "--print-architecture",
        "--audit",
        "--verify",
        "--compare-versions",
        "--contents",
        "--info",
        "--field",
        "--print-foreign-architectures",
        "--yet-to-unpack",
        "--build",
        "--extract",
        "--vextract",
        "--show",
        "--validate-version",
        "--validate-pkgname",
        "--assert-support-predepends",
        "--control",
        "--fsys-tarfile",
        "--predep-package",
    ];
    let looks = call.args.iter().find(|arg| arg.is_option()).and_then(|arg| arg.known()).is_some_and(|text| {
        LOOKS.iter().any(|name| text == *name || text.split('=').next() == Some(name))
            || (!text.starts_with("--") && text.get(1..2).is_some_and(|letter| "lLSspcIfCVxXWb".contains(letter)))
    });
    if !looks {
        let essential = packages::removes_essential(call);
        speak(shell, call, if essential { &REMOVE_ESSENTIAL } else { &SYSTEM_PACKAGES }, 0);
    }
    call.output()
}

/// Groups whose members are root, or can become root with one step.
const MIGHTY_GROUPS: &[&str] = &["sudo", "wheel", "admin", "root"];

fn account(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "bcdefgGkKpPsuxRMaotAn",
        long_values: &[
            "uid",
            "gid",
            "groups",
            "comment",
            "home",
            "home-dir",
            "shell",
            "password",
            "expiredate",
            "inactive",
            "login",
            "add",
            "members",
            "ingroup",
            "base-dir",
            "skel",
            "root",
            "key",
        ],
        long_flags: &["non-unique", "system", "append", "defaults"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    // `usermod -aG sudo` clusters a flag with the option; only for `gpasswd` and the like does `-a` take a value.
    const MODIFY: Syntax = Syntax { short_values: "bcdefgGkKpPsuxRzZ", ..SYNTAX };
    let takes = matches!(call.name.as_str(), "gpasswd" | "groupmems" | "dseditgroup");
    let options = Options::read(&call.args, if takes { &SYNTAX } else { &MODIFY });
    if call.asks_for_help()
        || call.args.is_empty()
        || (call.name == "useradd" && call.args.len() == 1 && options.has(&["D", "defaults"]))
    {
        return call.output();
    }
    let is_root =
        options.values(&["u", "uid"]).any(|uid| uid.is("0")) || options.values(&["g", "gid"]).any(|gid| gid.is("0"));
    let names_mighty =
        |arg: &Arg| arg.known().is_some_and(|text| text.split(',').any(|group| MIGHTY_GROUPS.contains(&group)));
    let joins = options.values(&["G", "groups", "g", "gid", "ingroup"]).any(names_mighty)
        || (call.name != "useradd"
            && call.name != "usermod"
            && options.operands.iter().skip(usize::from(!takes)).any(|arg| names_mighty(arg))
            && !options.has(&["d", "delete"]));
    // A person may be meant to become an administrator; a new account with those rights is a way in.
    let makes = matches!(call.name.as_str(), "useradd" | "adduser") && options.operands.len() < 2;
    let rule = if is_root || joins && makes { &RAISE_RIGHTS } else { &EDIT_ACCOUNTS };
    speak(shell, call, rule, 0);
    call.output()
}

fn crontab(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_by(&["-l", "-T", "-V", "--help"]) {
        // The jobs are not known, but what is put behind them is.
        return Feed::of(Value::unknown("crontab -l", vec![Origin::Program(call.name.clone())]));
    }
    let file = operands(call, "-u").first().and_then(|at| call.args.get(*at)).filter(|file| !file.is("-"));
    let content = match file.map(|file| shell.place(&file.value).path.clone()) {
        Some(path) => match shell.written(&path) {
            Some(Written::Content(feed)) => feed.clone(),
            _ => Feed::none(),
        },
        None => call.stdin.clone(),
    };
    shell.plant_jobs(call, &content);
    says(shell, call, &SCHEDULE, 0)
}

fn history(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.args.iter().all(|arg| arg.known().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()))) {
        // People type passwords and tokens into commands.
        return Feed::from(Origin::Secret(Secret::History.to_string()));
    }
    if call.args.iter().any(|arg| arg.is_option() && arg.value.prefix().contains(['c', 'd', 'w'])) || call.has("clear")
    {
        return says(shell, call, &HIDE_TRACES, 0);
    }
    call.output()
}

fn service(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.args.len() < 2
        || call.has_any(&["--status-all", "status", "--list", "--exists", "-l", "-e", "configtest", "describe"])
    {
        return call.output();
    }
    says(shell, call, &CHANGE_SERVICE, 0)
}

/// Shells of routers and switches: `-c` gives their commands one by one, a file or what flows in gives many.
fn device_shell(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    let steers = matches!(call.name.as_str(), "bgpctl" | "ospfctl");
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "cfdp", long_values: &["command", "inputfile", "daemon"], ..Syntax::default() },
    );
    let only_looks = |text: &str| {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let first = if first == "do" { words.next().unwrap_or_default() } else { first };
        matches!(
            first,
            "" | "show"
                | "sh"
                | "sho"
                | "ping"
                | "traceroute"
                | "enable"
                | "en"
                | "exit"
                | "end"
                | "quit"
                | "list"
                | "terminal"
                | "find"
                | "echo"
        )
    };
    let mut orders: Vec<&Arg> = options.values(&["c", "command"]).collect();
    if steers || call.name == "imish" {
        orders.extend(options.operands.first());
    }
    let changes = orders.iter().any(|order| !order.known().is_some_and(only_looks));
    let fed = match call.stdin.text.as_ref().and_then(Value::known) {
        Some(text) => !text.lines().all(|line| only_looks(line.trim())),
        None => !call.stdin.is_none(),
    };
    if changes || fed && orders.is_empty() || options.has(&["f", "inputfile", "b", "boot"]) {
        return says(shell, call, &CHANGE_NETWORK, 0);
    }
    call.output()
}

/// Whether a word, possibly shortened, asks only for a look.
fn looks(word: &str) -> bool {
    const LOOKS: &[&str] = &[
        "show",
        "list",
        "lst",
        "ls",
        "get",
        "monitor",
        "help",
        "save",
        "identify",
        "dump",
        "attributes",
        "status",
        "stats",
    ];
    LOOKS.iter().any(|full| full.starts_with(word))
}

fn ip(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-f -family -l -loops -n -netns -N -rc -rcvbuf -c");
    let words: Vec<&str> = operands.iter().filter_map(|at| call.arg(*at)).collect();
    match words.as_slice() {
        ["netns", "exec", ..] => {
            let from = operands.get(3).copied().unwrap_or(call.args.len());
            let argv = call.args.get(from..).unwrap_or_default();
            return shell.run(argv, call.stdin.clone(), call.span);
        }
        ["vrf", "exec", ..] => {
            let from = operands.get(3).copied().unwrap_or(call.args.len());
            return shell.run(call.args.get(from..).unwrap_or_default(), call.stdin.clone(), call.span);
        }
        _ if call.has_any(&["-b", "-batch", "-B"]) => {}
        [] | [_] => return call.output(),
        [_, verb, ..] if looks(verb) => return call.output(),
        ["monitor" | "help", ..] => return call.output(),
        ["netns", "identify" | "pids", ..] => return call.output(),
        _ => {}
    }
    says(shell, call, &CHANGE_NETWORK, operands.first().copied().unwrap_or_default())
}

fn interface(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if operands(call, "").len() < 2 {
        return call.output();
    }
    says(shell, call, &CHANGE_NETWORK, 0)
}

fn route(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words = operands(call, "-i -f -H -A");
    let changes = call.has_any(&["-d", "-s", "-f", "--delete", "--set", "--file", "-D", "-S"]) && call.name == "arp"
        || words
            .first()
            .and_then(|at| call.arg(*at))
            .is_some_and(|word| matches!(word, "add" | "del" | "delete" | "change" | "flush"));
    if changes { says(shell, call, &CHANGE_NETWORK, 0) } else { call.output() }
}

fn nmcli(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-f --fields -g --get-values -m --mode -c --colors -e --escape -w --wait");
    let words: Vec<&str> = operands.iter().filter_map(|at| call.arg(*at)).collect();
    match words.as_slice() {
        [] | [_] => return call.output(),
        ["d" | "dev" | "device", "wifi", "show-password", ..] => return reveals(shell, call),
        ["d" | "dev" | "device", "wifi", rest @ ..]
            if rest.first().is_none_or(|word| matches!(*word, "list" | "rescan")) =>
        {
            return call.output();
        }
        [_, verb, _, ..] if looks(verb) && call.has_any(&["-s", "--show-secrets"]) => return reveals(shell, call),
        [_, verb, ..]
            if looks(verb) || matches!(*verb, "connectivity" | "permissions" | "logging") && words.len() == 2 =>
        {
            return call.output();
        }
        ["networking", "connectivity", ..]
        | ["general" | "g", "hostname"]
        | ["radio" | "r", "wifi" | "wwan" | "all"]
        | ["agent" | "a", ..] => return call.output(),
        _ => {}
    }
    says(shell, call, &CHANGE_NETWORK, operands.first().copied().unwrap_or_default())
}

fn wireless(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words: Vec<&str> = call.args.iter().filter_map(|arg| arg.known()).collect();
    let changes = [
        "set",
        "connect",
        "disconnect",
        "add",
        "del",
        "join",
        "leave",
        "forget",
        "start-ap",
        "connect-hidden",
        "set-property",
        "switch",
    ];
    if words.iter().any(|word| changes.contains(word)) { says(shell, call, &CHANGE_NETWORK, 0) } else { call.output() }
}

fn resolver(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-t --type -c --class -i --interface -p --protocol");
    if let Some(arg) = call.args.iter().find(|arg| arg.value.secret().is_some()) {
        shell.send("a name server", std::iter::once(&arg.value), &Feed::none(), arg.span);
    }
    let sets = operands.len() > 2
        && operands.first().and_then(|at| call.arg(*at)).is_some_and(|verb| {
            matches!(verb, "dns" | "domain" | "llmnr" | "mdns" | "dnssec" | "dnsovertls" | "nta" | "default-route")
        });
    if sets || call.has_any(&["revert", "--set-dns", "--revert"]) {
        says(shell, call, &CHANGE_NETWORK, 0)
    } else {
        call.output()
    }
}

fn mac_setup(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let looks = call.args.first().and_then(|arg| arg.known()).is_none_or(|order| {
        ["-get", "-list", "-show", "-is", "-print", "-version", "-help"].iter().any(|start| order.starts_with(start))
    });
    let rule = if call.name == "networksetup" { &CHANGE_NETWORK } else { &CHANGE_MACHINE };
    if looks { call.output() } else { says(shell, call, rule, 0) }
}

fn sysctl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let changes = call.args.iter().any(|arg| !arg.is_option() && arg.value.prefix().contains('='))
        || call.has_any(&["-w", "--write", "-p", "--system", "--load", "-f"])
        || call.args.iter().any(|arg| arg.value.prefix().starts_with("--load="));
    if changes { says(shell, call, &CHANGE_KERNEL, 0) } else { call.output() }
}

/// `avrdude -U memory:operation:file:format`: what is read or compared leaves the chip as it is.
fn programmer(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    let options = Options::read(&call.args, &Syntax { short_values: "pPcbBCEiTUlxr", ..Syntax::default() });
    // The orders of its terminal: all that do more than look change the chip.
    const LOOKS: &[&str] = &["read", "dump", "sig", "signature", "part", "parms", "help", "quit", "vtarg", "factory"];
    let acts = |order: &Arg| !order.shown().split_whitespace().next().is_some_and(|verb| LOOKS.contains(&verb));
    if options.has(&["e"]) || options.values(&["T"]).any(acts) || options.has(&["t"]) && !call.stdin.is_none() {
        return says(shell, call, &CHANGE_DEVICE, 0);
    }
    for order in options.values(&["U"]) {
        let shown = order.shown().into_owned();
        let mut parts = shown.splitn(3, ':');
        match (parts.next(), parts.next(), parts.next()) {
            (_, Some("v"), _) => {}
            (_, Some("r"), Some(file)) => {
                // A last letter says in which form the file is written.
                let file = match file.rsplit_once(':') {
                    Some((file, form)) if form.len() == 1 => file,
                    _ => file,
                };
                if file != "-" {
                    shell.write(&Arg::text(file, order.span), Write::Replace);
                }
            }
            // Without an operation it writes.
            _ => return says(shell, call, &CHANGE_DEVICE, 0),
        }
    }
    call.output()
}

/// `flashrom`: nothing, or noise, in place of the firmware erases it.
fn flash_chip(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "pwrvlicN",
        long_values: &["programmer", "write", "read", "verify", "layout", "image", "chip", "wp-range", "output"],
        long_flags: &["erase", "wp-enable", "wp-disable"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    let blank = |image: &Arg| image.known().is_some_and(files::is_blank);
    let written = options.value(&["w", "write"]);
    if options.has(&["E", "erase"]) || written.is_some_and(blank) {
        return says(shell, call, &ERASE_FIRMWARE, 0);
    }
    if written.is_some() || options.has(&["w", "write", "wp-enable", "wp-disable", "wp-range"]) {
        return says(shell, call, &CHANGE_DEVICE, 0);
    }
    if let Some(file) = options.value(&["r", "read"]).filter(|_| !call.asks_for_help()) {
        shell.write(file, Write::Replace);
    }
    call.output()
}

/// `zfs destroy`: a data set with everything below it may be the system or everybody's home.
fn data_set(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-o -O -t -s -S -d");
    let whole = call.args.iter().any(|arg| {
        arg.known().is_some_and(|text| {
            text.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains(['r', 'R']))
        })
    });
    let rehearses = call.args.iter().any(|arg| {
        arg.known().is_some_and(|text| {
            text.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains('n'))
        })
    });
    let mut words = operands.iter().filter_map(|at| call.arg(*at));
    if words.next() == Some("destroy") && whole && !rehearses && words.any(is_vital_data_set) {
        return says(shell, call, &FORMAT_DISK, 0);
    }
    disks::by_table(shell, call)
}

/// Whether the machine starts from a data set, or people have their homes in it. One of its snapshots is neither.
fn is_vital_data_set(name: &str) -> bool {
    const POOLS: &[&str] = &["rpool", "bpool", "zroot", "syspool"];
    const SETS: &[&str] = &["USERDATA", "ROOT", "BOOT", "home", "HOME"];
    if name.contains(['@', '#']) {
        return false;
    }
    let mut parts = name.split('/');
    let pool = parts.next().unwrap_or_default();
    let last = parts.next_back();
    match last {
        None => POOLS.contains(&pool),
        Some(last) => SETS.contains(&last) || parts.next_back().is_some_and(|above| matches!(above, "ROOT" | "BOOT")),
    }
}

/// `btrfs subvolume delete`: a subvolume is a directory with all that is in it.
fn volume(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-i --subvolid");
    let words: Vec<&str> = operands.iter().filter_map(|at| call.arg(*at)).collect();
    if let ["subvolume" | "subvol" | "su" | "sub", "delete" | "del" | "d", ..] = words.as_slice() {
        for at in operands.iter().skip(2) {
            call.args.get(*at).into_iter().for_each(|path| shell.delete(path, Depth::Recursive));
        }
    }
    disks::by_table(shell, call)
}

const CLONES: Syntax = Syntax {
    short_values: "soOLE",
    long_values: &["source", "output", "overwrite", "logfile"],
    long_flags: &[],
    stops_at_operand: false,
    single_dash_long: false,
};

/// Programs that put an image on a whole disk: which disk that is decides.
fn imager(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(described) = tool::find(&disks::IMAGERS, &call.name) else { return call.output() };
    let risk = shell.findings.risk();
    let out = tool::judge(shell, call, described);
    if shell.findings.risk() == risk && risk < signoff_model::Risk::Critical {
        // What is taken from one disk may be put on another right away.
        let options = Options::read(&call.args, &CLONES);
        let onto = options.value(&["o", "output", "O", "overwrite"]);
        match onto.filter(|_| call.name.starts_with("partclone.")) {
            Some(onto) if onto.value.prefix().starts_with("/dev/") && !onto.is("/dev/null") => {
                speak(shell, call, &CHANGE_DISK, 0);
            }
            _ => return out,
        }
    }
    for (at, arg) in call.args.iter().enumerate() {
        let device = match arg.value.prefix() {
            text if text.starts_with("/dev/") => Some(arg.clone()),
            text if text.starts_with('-') && text.contains("=/dev/") => tool::attached_or_next(call, at),
            text => text.find("=/dev/").map(|equals| Arg { value: strip(&arg.value, equals + 1), span: arg.span }),
        };
        // A card or a stick is what these programs are for; the disk that the machine starts from is not.
        if let Some(device) = device.filter(|device| is_first_disk(device.value.prefix())) {
            shell.write(&device, Write::Replace);
        }
    }
    out
}

/// Whether a device is of the kind that a machine starts from, and not one that is plugged in later.
fn is_first_disk(device: &str) -> bool {
    const FIRST: &[&str] = &["nvme", "sda", "vda", "xvda", "hda", "disk0", "rdisk0", "mapper/", "md", "dm-"];
    device.strip_prefix("/dev/").is_some_and(|name| FIRST.iter().any(|first| name.starts_with(first)))
}

fn adb(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = operands(call, "-s -t -H -P -L");
    let Some(&first) = operands.first() else { return call.output() };
    let emulated =
        call.args.windows(2).any(
            |pair| matches!(pair, [option, name] if option.is("-s") && name.value.prefix().starts_with("emulator-")),
        ) || call.has("-e");
    let words: Vec<&str> = operands.iter().skip(1).filter_map(|at| call.arg(*at)).collect();
    let harmless = match call.arg(first) {
        Some(
            "devices" | "logcat" | "pull" | "version" | "help" | "get-state" | "get-serialno" | "get-devpath"
            | "bugreport" | "start-server" | "kill-server" | "forward" | "reverse" | "connect" | "disconnect" | "pair"
            | "mdns" | "features" | "host-features" | "jdwp" | "track-devices" | "reconnect",
        ) => true,
        Some("wait-for-device") if words.is_empty() => true,
        // A device that is only a program on this machine is there to be tried out on.
        Some("install" | "install-multiple" | "push" | "uninstall" | "emu") if emulated => true,
        Some("shell" | "exec-out" | "exec-in") => return adb_shell(shell, call, &operands, first),
        _ => false,
    };
    if harmless { call.output() } else { says(shell, call, &CHANGE_DEVICE, first) }
}

fn adb_shell(shell: &mut Shell<'_>, call: &Call, operands: &[usize], first: usize) -> Feed {
    let text: String = operands.iter().skip(1).filter_map(|at| call.arg(*at)).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let harmless = match words.as_slice() {
        ["pm" | "cmd", "list" | "path" | "dump" | "package", ..] => true,
        ["settings", "get" | "list", ..] => true,
        ["wm", "size" | "density"] => true,
        ["am", "start" | "force-stop" | "start-activity" | "instrument" | "kill" | "stack" | "monitor", ..] => {
            !text.contains(['>', ';', '|', '&'])
        }
        [
            "ls" | "cat" | "getprop" | "dumpsys" | "logcat" | "ps" | "top" | "df" | "du" | "id" | "whoami" | "uname"
            | "date" | "ip" | "netstat" | "screencap" | "uptime" | "find" | "grep" | "head" | "tail" | "echo" | "pwd"
            | "stat" | "input" | "printenv" | "vmstat" | "screenrecord",
            ..,
        ] => !text.contains(['>', ';', '|', '&']) || text.contains("2>&1"),
        _ => false,
    };
    if harmless {
        return call.output();
    }
    speak(shell, call, &CHANGE_DEVICE, first);
    if text.is_empty() {
        return call.output();
    }
    let span = tool::span_from(call, first + 1);
    shell.elsewhere(Locus::Remote("device".to_owned()), |shell| {
        shell.run_text(&Arg::text(text.clone(), span), Dialect::Sh, Feed::none())
    })
}

/// `cmd.exe /c …`: the parts that matter of the Windows shell.
fn windows_shell(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let start = call.args.iter().position(|arg| {
        arg.known().is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "/c" | "/k" | "//c" | "/r"))
    });
    let Some(start) = start else { return call.output() };
    let rest = call.args.get(start + 1..).unwrap_or_default();
    if rest.iter().any(|arg| arg.value.has_unknown()) {
        shell.opaque(tool::words_from(call, start + 1), tool::span_from(call, start + 1));
        return call.output();
    }
    let span = tool::span_from(call, start + 1);
    let text = rest.iter().map(|arg| arg.shown().into_owned()).collect::<Vec<_>>().join(" ");
    crate::code::batch::run(shell, &text, span, &call.stdin)
}

fn windows_delete(shell: &mut Shell<'_>, call: &Call) -> Feed {
    delete_windows(shell, &call.args);
    Feed::none()
}

fn delete_windows(shell: &mut Shell<'_>, args: &[Arg]) {
    let recursive = args.iter().any(|arg| arg.known().is_some_and(|text| text.eq_ignore_ascii_case("/s")));
    let depth = if recursive { Depth::Recursive } else { Depth::Single };
    for arg in args {
        let is_switch =
            arg.known().is_some_and(|text| text.len() == 2 && text.starts_with('/') || text.starts_with("/a:"));
        if is_switch {
            continue;
        }
        let plain = match arg.known() {
            Some(text) => Arg { value: Value::text(windows::path(&text.replace("\\\\", "\\"))), span: arg.span },
            None => arg.clone(),
        };
        shell.delete(&plain, depth);
    }
}
