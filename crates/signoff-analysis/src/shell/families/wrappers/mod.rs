//! Programs that run other programs: what they run is judged as if it stood there alone, to any depth.

mod batch;
mod environment;
mod later;
mod root;
mod shells;
mod starters;
mod texts;
mod words;

pub use environment::{carries_code, environment, search_modules};
use signoff_model::{EffectKind, Reversible, Risk, Span};

use crate::{
    path_effects::{Write, rules},
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Value},
};

rules! {
    ROOT_RIGHTS = Rule::new("root-rights", EffectKind::Privilege, Risk::Medium, "runs with the rights of {}", "以 {} 的权限运行")
        .priority(Priority::P2)
        .examples(&["sudo ls", "doas -u www ls", "su -c 'ls'", "pkexec ls"], &["sudo --version", "ls", "sudo -l"]);
    PRELOADED = Rule::new("preloaded-code", EffectKind::Opaque, Risk::High, "makes programs load code of its own: {}", "让程序加载额外的代码：{}")
        .examples(&["env LD_PRELOAD=./x.so ls", "env BASH_ENV=/tmp/x.sh bash -c true", "env NODE_OPTIONS='--require /tmp/x.js' node app.js"],
            &["env NODE_OPTIONS=--max-old-space-size=4096 node app.js", "env LD_LIBRARY_PATH=target/debug ./app"]);
    PRODUCTION = Rule::new("production-address", EffectKind::DatabaseWrite, Risk::High, "points what runs at a database or queue in production: {}", "让所运行的程序指向生产环境的数据库或队列：{}")
        .examples(&["DATABASE_URL=$PROD_DATABASE_URL npx jest", "export REDIS_URL=$PRODUCTION_REDIS_URL"], &["DATABASE_URL=$TEST_DATABASE_URL npx jest", "NODE_ENV=production npm run build"]);
    FOREIGN_PATH = Rule::new("foreign-path", EffectKind::Opaque, Risk::Medium, "looks for programs in {} before anywhere else", "优先在 {} 中查找程序")
        .examples(&["env PATH=/tmp/bin:/usr/bin git status"], &["env PATH=./node_modules/.bin:/usr/bin tsc"]);
    SCHEDULE = Rule::new("schedule-command", EffectKind::System, Risk::High, "lets a command run later, when nobody looks: {}", "安排命令稍后在无人值守时运行：{}")
        .reversible(Reversible::Yes)
        .examples(&["at -f job.sh now", "batch"], &["at -l", "atq"]);
    NAMESPACE = Rule::new("enter-namespace", EffectKind::Privilege, Risk::High, "runs inside another process's view of the machine: {}", "进入另一个进程的命名空间运行：{}")
        .examples(&["nsenter -t 1 -m sh"], &["unshare -r ls"]);
    SET_CLOCK = Rule::new("set-clock", EffectKind::System, Risk::High, "sets the clock of the machine with {}", "用 {} 设置系统时钟")
        .examples(&["date -s '2020-01-01'"], &["date +%F", "date -d yesterday"]);
    TRUST_ENVIRONMENT = Rule::new("trust-environment", EffectKind::Opaque, Risk::Medium, "lets {} run code whenever the directory is entered", "允许 {} 在每次进入目录时运行代码")
        .reversible(Reversible::Yes)
        .examples(&["direnv allow ."], &["direnv status"]);
    FOREIGN_PACKAGE = Rule::new("run-foreign-package", EffectKind::Opaque, Risk::Medium, "fetches and runs {}, code from elsewhere", "获取并运行外部代码 {}")
        .examples(&["nix run github:owner/repo"], &["nix run .#app", "nix run nixpkgs#hello"]);
    TOOL_STATE = Rule::new("tool-state", EffectKind::System, Risk::Medium, "changes or removes installed tools: {}", "更改或移除已安装的工具：{}")
        .examples(&["nix profile remove hello", "nix store delete /nix/store/x"], &["nix profile list", "nix build"]);
}

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[find, starters::find, prefix_of];

fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "sudo" | "sudoedit" => root::sudo,
        "doas" => root::doas,
        "su" => root::su,
        "runuser" => root::runuser,
        "pkexec" | "run0" | "gksudo" | "kdesudo" | "gksu" | "please" => root::plain,
        "chroot" | "proot" | "arch-chroot" | "systemd-nspawn" => root::chroot,
        "nsenter" => root::nsenter,
        "env" | "genv" => environment::env,
        "command" => command,
        "xargs" | "gxargs" => batch::xargs,
        "parallel" | "rush" | "parallel.moreutils" => batch::parallel,
        "at" | "batch" => later::at,
        "atq" | "atrm" => later::jobs,
        "systemd-run" => later::systemd_run,
        "watch" | "viddy" | "hwatch" => texts::watch,
        "script" => texts::script,
        "flock" => texts::flock,
        "hyperfine" => texts::hyperfine,
        "entr" => texts::entr,
        "busybox" | "toybox" => texts::busybox,
        "nodemon" | "watchexec" | "cargo-watch" | "reflex" => texts::on_change,
        "concurrently" | "mprocs" | "poop" | "parallelshell" => texts::all_texts,
        "run-parts" => texts::run_parts,
        "fzf" | "sk" | "fzf-tmux" => texts::finder,
        "perf" | "rr" => texts::recorder,
        "mise" | "rtx" | "asdf" => shells::mise,
        "nix-shell" | "nix" => shells::nix,
        "pkgx" => shells::pkgx,
        "direnv" => shells::direnv,
        "dotenv" | "dotenvx" | "env-cmd" => shells::dotenv,
        "devbox" | "flox" | "pixi" => shells::devbox,
        _ => return None,
    })
}

fn prefix_of(name: &str) -> Option<Judge> {
    find_prefix(name).map(|_| prefixed as Judge)
}

fn find_prefix(name: &str) -> Option<&'static Prefix> {
    // Every program is asked about, and nearly all are told by the first letter and the length.
    static LENGTHS: [u32; 128] = lengths_by_first(PREFIXES);
    let first = usize::from(*name.as_bytes().first()?);
    if LENGTHS.get(first)? & 1_u32.checked_shl(name.len() as u32)? == 0 {
        return None;
    }
    PREFIXES.iter().find(|prefix| prefix.names.contains(&name))
}

/// The lengths of the names that begin with a letter, as bits.
#[expect(clippy::indexing_slicing, reason = "it runs in the compiler, which then refuses the list")]
const fn lengths_by_first(prefixes: &[Prefix]) -> [u32; 128] {
    let mut lengths = [0; 128];
    let mut at = 0;
    while at < prefixes.len() {
        let names = prefixes[at].names;
        let mut name = 0;
        while name < names.len() {
            lengths[names[name].as_bytes()[0] as usize] |= 1 << names[name].len();
            name += 1;
        }
        at += 1;
    }
    lengths
}

/// A program that takes its own options and perhaps a few operands, and runs the rest.
struct Prefix {
    names: &'static [&'static str],
    /// Short options that take a value.
    short: &'static str,
    /// Long options that take a value.
    long: &'static [&'static str],
    /// Operands before the command.
    operands: usize,
    /// Options that name a file which is written.
    writes: &'static [&'static str],
}

const fn prefix(names: &'static [&'static str], short: &'static str, long: &'static [&'static str]) -> Prefix {
    Prefix { names, short, long, operands: 0, writes: &[] }
}

impl Prefix {
    const fn behind(mut self, operands: usize) -> Self {
        self.operands = operands;
        self
    }

    const fn writes(mut self, options: &'static [&'static str]) -> Self {
        self.writes = options;
        self
    }
}

/// Programs that only change how another one runs.
const PREFIXES: &[Prefix] = &[
    prefix(
        &[
            "nohup",
            "chronic",
            "unbuffer",
            "linux32",
            "linux64",
            "i386",
            "x86_64",
            "fakechroot",
            "proxychains",
            "proxychains4",
            "torsocks",
            "torify",
            "tsocks",
        ],
        "f",
        &[],
    ),
    prefix(&["nice"], "n", &["adjustment"]),
    prefix(&["ionice"], "cnpPu", &["class", "classdata", "pid", "pgid", "uid"]),
    prefix(&["chrt"], "TPD", &["sched-runtime", "sched-period", "sched-deadline"]).behind(1),
    prefix(&["taskset"], "", &[]).behind(1),
    prefix(
        &["numactl"],
        "iwPmNCIlp",
        &["interleave", "membind", "cpunodebind", "physcpubind", "preferred", "weighted-interleave"],
    ),
    prefix(&["time", "gtime"], "of", &["output", "format"]).writes(&["o", "output"]),
    prefix(&["timeout", "gtimeout"], "ks", &["kill-after", "signal"]).behind(1),
    prefix(&["stdbuf", "gstdbuf"], "ioe", &["input", "output", "error"]),
    prefix(
        &["setsid", "setpriv", "choom"],
        "n",
        &[
            "reuid",
            "regid",
            "groups",
            "inh-caps",
            "ambient-caps",
            "bounding-set",
            "securebits",
            "pdeathsig",
            "selinux-label",
            "apparmor-profile",
        ],
    ),
    prefix(&["setarch"], "p", &["personality"]).behind(1),
    prefix(&["arch"], "e", &["arch"]),
    prefix(
        &["prlimit", "softlimit", "cpulimit", "cgexec", "systemd-inhibit"],
        "lpgme",
        &["pid", "limit", "output", "what", "who", "why", "mode"],
    ),
    prefix(
        &["unshare"],
        "RSGwl",
        &[
            "root",
            "wd",
            "setuid",
            "setgid",
            "map-user",
            "map-group",
            "map-users",
            "map-groups",
            "propagation",
            "setgroups",
            "monotonic",
            "boottime",
            "kill-child",
        ],
    ),
    prefix(&["dbus-run-session"], "", &["config-file", "dbus-daemon"]),
    prefix(&["dbus-launch"], "", &[]),
    prefix(
        &["xvfb-run"],
        "efnpsw",
        &["error-file", "auth-file", "server-num", "xauth-protocol", "server-args", "wait"],
    ),
    // The program of whichever package has one of that name.
    prefix(&[",", "comma"], "", &["delete-entry"]),
    prefix(&["cage", "xinit", "startx", "gamemoderun", "mangohud", "prime-run", "primusrun", "optirun"], "", &[]),
    prefix(&["lockfile-run", "with-lock-ex", "lckdo"], "", &[]).behind(1),
    prefix(&["setlock", "softlock"], "", &[]).behind(1),
    prefix(&["caffeinate"], "tw", &[]),
    prefix(&["fakeroot"], "lsib", &["lib", "faked", "save", "load", "fd-base"]),
    prefix(&["faketime"], "pf", &["exclude-monotonic"]).behind(1),
    prefix(&["valgrind", "heaptrack"], "o", &["output"]).writes(&["o", "output", "log-file"]),
    prefix(&["retry"], "tdsmx", &["times", "delay", "max", "min", "until", "tries", "sleep"]),
    prefix(
        &[
            "ratelimit",
            "eatmydata",
            "nocache",
            "catchsegv",
            "trickle",
            "wine",
            "wine64",
            "box64",
            "qemu-x86_64",
            "qemu-aarch64",
            "rlwrap",
            "rlfe",
            "ledit",
            "annotate-output",
            "sem",
            "tini",
            "dumb-init",
            "gosu",
            "su-exec",
            "with-contenv",
        ],
        "duH",
        &[],
    ),
    prefix(&["firejail", "bubblewrap", "minijail0"], "", &[]),
    prefix(&["chpst"], "uUebndopfcrtm/", &[]),
    prefix(&["envdir", "envuidgid", "setuidgid", "s6-envdir", "s6-setuidgid", "s6-envuidgid", "s6-setlock"], "", &[])
        .behind(1),
    prefix(&["s6-softlimit", "s6-nice", "pw-jack", "aoss", "padsp", "apulse"], "amdstfopcrlH", &[]),
    prefix(
        &["mpirun", "mpiexec", "orterun", "prterun", "mpirun.openmpi", "mpiexec.hydra", "horovodrun", "aprun", "jsrun"],
        "nHxcN",
        &[
            "np",
            "n",
            "host",
            "hosts",
            "hostfile",
            "machinefile",
            "mca",
            "map-by",
            "bind-to",
            "rank-by",
            "ppn",
            "wdir",
            "env",
            "genv",
            "path",
        ],
    ),
    prefix(&["runcon"], "turl", &["type", "user", "role", "range"]),
    prefix(
        &[
            "xtrace",
            "apitrace",
            "uftrace",
            "samply",
            "flamegraph",
            "cargo-flamegraph",
            "coz",
            "likwid-perfctr",
            "operf",
            "kcov",
        ],
        "oCgcF",
        &["output"],
    ),
    prefix(&["bwrap"], "", &[]),
];

fn prefixed(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(prefix) = find_prefix(&call.name) else {
        return call.output();
    };
    if call.name == "bwrap" || call.name == "bubblewrap" {
        return bwrap(shell, call);
    }
    let syntax = Syntax {
        short_values: prefix.short,
        long_values: prefix.long,
        stops_at_operand: true,
        // `mpirun -np 4`.
        single_dash_long: prefix.long.contains(&"np"),
        ..Syntax::default()
    };
    let options = Options::read(&call.args, &syntax);
    for file in options.values(prefix.writes) {
        shell.write(file, Write::Replace);
    }
    if call.name == "gosu" || call.name == "su-exec" {
        return run_from(shell, call, options.first_operand.saturating_add(1));
    }
    // `taskset -p`, `ionice -p` and the like look at or change a process that is running: there is no command.
    if matches!(call.name.as_str(), "taskset" | "ionice" | "chrt" | "prlimit")
        && options.has(&["p", "pid", "P", "pgid"])
    {
        return call.output();
    }
    // Its operand may be left out: `setarch -R make`.
    let names_machine = || options.operands.first().and_then(|name| name.known()).is_some_and(is_machine);
    if call.name == "setarch" {
        let behind = options.first_operand + usize::from(names_machine());
        let more = Options::read(call.args.get(behind..).unwrap_or_default(), &syntax);
        return run_from(shell, call, behind + more.first_operand);
    }
    run_from(shell, call, options.first_operand.saturating_add(prefix.operands))
}

/// Whether a word is the name of a kind of machine and not of a program. Some are both, and then mean the machine.
fn is_machine(name: &str) -> bool {
    const KINDS: [&str; 16] = [
        "linux", "i386", "i486", "i586", "i686", "athlon", "x86", "ppc", "arm", "aarch", "alpha", "ia64", "mips",
        "s390", "sparc", "riscv",
    ];
    KINDS.iter().any(|kind| name.starts_with(kind)) || matches!(name, "uname26" | "parisc" | "parisc64" | "loongarch64")
}

/// Runs the arguments from this position on as a command, in the same way as the wrapper itself runs.
fn run_from(shell: &mut Shell<'_>, call: &Call, start: usize) -> Feed {
    let rest = call.args.get(start..).unwrap_or_default();
    run_words(shell, call, rest, call.stdin.clone())
}

/// Runs words as a command with the variables of the wrapper.
fn run_words(shell: &mut Shell<'_>, call: &Call, words: &[Arg], stdin: Feed) -> Feed {
    let words = match words {
        [first, rest @ ..] if first.is("--") => rest,
        words => words,
    };
    match span_of(words) {
        Some(span) => shell.run_with(call.variables.clone(), words, stdin, span),
        None => call.output(),
    }
}

/// The part of the input that these words cover.
fn span_of(words: &[Arg]) -> Option<Span> {
    let (first, last) = (words.first()?, words.last()?);
    Some(first.span.to(last.span))
}

/// Words joined with spaces, as programs do that hand their arguments to a shell.
pub(crate) fn joined(words: &[Arg]) -> Option<Arg> {
    let span = span_of(words)?;
    let mut value = Value::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            value.extend(Value::text(" "));
        }
        value.extend(word.value.clone());
    }
    Some(Arg { value, span })
}

/// `command`: the shell's own word for "not a function". With `-v` or `-V` it only tells what would run.
fn command(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { stops_at_operand: true, ..Syntax::default() });
    if options.has(&["v", "V"]) {
        return Feed::from(Origin::Program("command".into()));
    }
    run_from(shell, call, options.first_operand)
}

/// Options of `bwrap` with one and with two values; all others have none.
const BWRAP_ONE: &[&str] = &[
    "--chdir",
    "--unsetenv",
    "--uid",
    "--gid",
    "--hostname",
    "--proc",
    "--dev",
    "--tmpfs",
    "--mqueue",
    "--dir",
    "--lock-file",
    "--sync-fd",
    "--exec-label",
    "--file-label",
    "--info-fd",
    "--json-status-fd",
    "--block-fd",
    "--userns",
    "--userns2",
    "--pidns",
    "--args",
    "--seccomp",
    "--remount-ro",
    "--cap-add",
    "--cap-drop",
    "--perms",
    "--size",
    "--argv0",
    "--userns-block-fd",
    "--overlay-src",
    "--tmp-overlay",
    "--ro-overlay",
];
const BWRAP_TWO: &[&str] = &[
    "--bind",
    "--bind-try",
    "--dev-bind",
    "--dev-bind-try",
    "--ro-bind",
    "--ro-bind-try",
    "--symlink",
    "--file",
    "--bind-data",
    "--ro-bind-data",
    "--setenv",
    "--chmod",
    "--bind-fd",
    "--ro-bind-fd",
];

fn bwrap(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut at = 0;
    while let Some(option) = call.args.get(at).filter(|arg| arg.is_option()) {
        let name = option.known().unwrap_or_default();
        if name == "--" {
            break;
        }
        at += match name {
            name if BWRAP_TWO.contains(&name) => 3,
            name if BWRAP_ONE.contains(&name) => 2,
            "--overlay" => 4,
            _ => 1,
        };
    }
    run_from(shell, call, at)
}

#[cfg(test)]
mod tests;
