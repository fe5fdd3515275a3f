//! Processes: looking at them, stopping them, attaching to them.

use signoff_model::{EffectKind, Reversible, Risk, Secret};

use super::{
    own,
    secrets::SHOW_ENVIRONMENT,
    tool::{self, Does::*, Tool, speak, tools},
};
use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell},
    value::{Arg, Feed, Origin, Piece, Value},
};

rules! {
    STOP_EVERYTHING = Rule::new("stop-everything", EffectKind::Process, Risk::Critical, "kills every process, or the one that all others need: {}", "终止所有进程或系统的 1 号进程：{}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["kill -9 -1", "sudo kill 1", "killall5", "pkill -9 ."], &["kill -l", "kill 4242", "kill -0 1"]);
    STOP_PROCESS = Rule::new("stop-process", EffectKind::Process, Risk::Medium, "stops a process: {}", "停止进程：{}")
        .reversible(Reversible::No)
        .examples(&["kill 39919", "kill -9 $PID", "pkill -f server", "killall node", "fuser -k 3000/tcp"], &["kill -0 39919", "pgrep node", "fuser 3000/tcp"]);
    ATTACH = Rule::new("attach-process", EffectKind::Process, Risk::High, "reaches into a running process: {}", "附加到正在运行的进程：{}")
        .examples(&["strace -p 42", "gdb -p 42", "reptyr 42"], &["strace ls", "gdb ./a.out"]);
    CHANGE_PRIORITY = Rule::new("change-priority", EffectKind::Process, Risk::Low, "changes what share of the machine a process gets: {}", "更改进程的资源份额：{}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["renice -n 5 -p 42"], &["ps aux"]);
}

tools! { pub(super) DESCRIPTIONS:
    "top htop atop btop btm bpytop glances pstree netstat vmstat iostat mpstat pidstat pmap pwdx free \
          jobs procs \
        nvtop iotop iftop nethogs bmon nload sar dstat smem procinfo lslocks lsns ipcs fatrace ctop gtop zenith bottom bandwhich sockstat \
        waitpid pprof extrace" => Fine;
    "renice" => Speaks(&CHANGE_PRIORITY);
    "ss" => Fine,
        options: &[("-K --kill", Speaks(&STOP_PROCESS))];
    "xkill fkill" => Speaks(&STOP_PROCESS),
        bare: Speaks(&STOP_PROCESS);
    "reptyr criu injcode" => Speaks(&ATTACH),
        verbs: &[("check", Fine)];
    "taskkill tskill" => Speaks(&STOP_PROCESS);
    "py-spy rbspy memray austin" => Fine;
    "jstack jmap jps jhat jhsdb jcmd jinfo jstat gops" => Fine;
    "frida frida-trace" => Speaks(&ATTACH);
    "frida-ps" => Fine;
}

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[find, |name| tool::find(&DESCRIPTIONS, name).map(|_| judge as Judge)];

fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "kill" => kill,
        "ps" => ps,
        "pkill" | "killall" | "skill" | "snice" | "slay" => kill_by_name,
        "killall5" => kill_all,
        "coredumpctl" => core_dumps,
        "pgrep" | "pidof" | "psgrep" => look_up,
        "fuser" => fuser,
        "strace" | "ltrace" | "gcore" | "dtruss" | "bpftrace" => trace,
        _ => return None,
    })
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match tool::find(&DESCRIPTIONS, &call.name) {
        Some(described) => {
            let out = tool::judge(shell, call, described);
            let reached = shell.findings.has(&ATTACH) || shell.findings.has(&STOP_PROCESS);
            if reached && call.args.iter().any(own::is_own_process) {
                speak(shell, call, &own::OWN_PROCESS, 0);
            }
            out
        }
        None => Feed::none(),
    }
}

/// `ps`: with the letter `e` among options without a dash it shows the environment of every process as well.
fn ps(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let shows = |arg: &Arg| {
        let text = arg.known().unwrap_or_default();
        text == "-E"
            || text.contains('e') && !text.starts_with('-') && text.chars().all(|letter| letter.is_alphabetic())
    };
    // Behind an option that takes a value a word without a dash is that value.
    match call.args.iter().take(1).chain(call.args.iter().filter(|arg| arg.is("-E"))).find(|arg| shows(arg)) {
        Some(arg) => {
            shell.tell(&SHOW_ENVIRONMENT, format!("ps {}", arg.shown()), arg.span);
            Feed::from(Origin::Secret(Secret::Environment.to_string()))
        }
        None => call.output(),
    }
}

/// `pgrep`, `pidof`: the numbers of processes by their name.
fn look_up(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let names: Vec<_> = call.args.iter().filter(|arg| !arg.is_option()).map(Arg::shown).collect();
    Feed::from(Origin::Process(names.join(" ")))
}

/// Something reaches into a running process, perhaps into Signoff's.
fn attach(shell: &mut Shell<'_>, call: &Call, at: usize) {
    speak(shell, call, &ATTACH, at);
    if call.args.iter().any(own::is_own_process) {
        speak(shell, call, &own::OWN_PROCESS, at);
    }
}

/// A word names the process that is reached into.
pub(super) fn attach_by(shell: &mut Shell<'_>, word: &Arg) {
    shell.tell(&ATTACH, word.shown().into_owned(), word.span);
    if own::is_own_process(word) {
        shell.tell(&own::OWN_PROCESS, word.shown().into_owned(), word.span);
    }
}

/// The signal is a question and not an order: `kill -0`, `kill -l`, `kill -CONT`.
fn is_harmless_signal(text: &str) -> bool {
    let name = text.trim_start_matches('-').trim_start_matches("SIG").to_ascii_uppercase();
    matches!(name.as_str(), "0" | "L" | "LIST" | "TABLE" | "WINCH" | "CONT" | "18" | "CHLD" | "EXIT")
}

fn kill(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut args = call.args.iter();
    let mut targets: Vec<&Arg> = Vec::new();
    let mut signalled = false;
    while let Some(arg) = args.next() {
        match arg.known() {
            Some("-l" | "-L" | "--list" | "--table" | "--help" | "--version") if targets.is_empty() => {
                return call.output();
            }
            Some("-s" | "-n" | "--signal" | "-q" | "--queue") if !signalled => {
                signalled = true;
                if args.next().and_then(|signal| signal.known()).is_some_and(is_harmless_signal) {
                    return call.output();
                }
            }
            Some("--") => signalled = true,
            Some(text) if text.starts_with("--signal=") || text.starts_with("--timeout") => signalled = true,
            Some(text) if text.starts_with('-') && !signalled && text != "-1" => {
                signalled = true;
                if is_harmless_signal(text) {
                    return call.output();
                }
            }
            // The first `-1` of several is the signal to hang up, the only one or a later one is "every process".
            Some("-1") if !signalled && call.args.len() > 1 && call.args.last().is_some_and(|last| !last.is("-1")) => {
                signalled = true
            }
            _ => targets.push(arg),
        }
    }
    if targets.is_empty() {
        return call.output();
    }
    let whole = targets.iter().any(|target| matches!(target.known(), Some("-1" | "1" | "0" | "-0")) && !target.is("0"));
    let rule = if whole { &STOP_EVERYTHING } else { &STOP_PROCESS };
    let names: Vec<_> = targets.iter().map(|target| target.shown()).collect();
    let ours = targets.iter().any(|target| own::is_own_process(target));
    if ours {
        speak(shell, call, &own::OWN_PROCESS, 0);
    }
    if !targets.iter().all(|target| is_started_here(&target.value)) && names.iter().any(|name| !name.is_empty()) {
        speak(shell, call, rule, 0);
    }
    Feed::none()
}

/// Whether a process was started by the same text: a job of this very shell, which was started by the text or by
/// nobody, or the number that the shell has given for what it started, with its group or alone.
fn is_started_here(target: &Value) -> bool {
    let mut number = false;
    let own = target.pieces().iter().all(|piece| match piece {
        Piece::Text(text) => text.trim().is_empty() || text == "-" && !number,
        Piece::Unknown(unknown) => {
            number = true;
            !unknown.origins.is_empty() && unknown.origins.iter().all(|origin| *origin == Origin::Started)
        }
        Piece::Glob(_) => false,
    });
    target.prefix().starts_with('%') || own && number
}

fn kill_by_name(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || call.args.is_empty() || call.has_any(&["-l", "--list", "-0", "-L"]) {
        return call.output();
    }
    let asked = |arg: &Arg| arg.is("-s") || arg.is("--signal");
    let signal = match call.args.iter().position(asked) {
        Some(at) => call.args.get(at + 1).and_then(Arg::known),
        None => call.args.first().and_then(Arg::known).filter(|text| text.starts_with('-')),
    };
    if signal.is_some_and(|text| text.len() > 2 && is_harmless_signal(text)) {
        return call.output();
    }
    let operands = tool::operands(
        call,
        "-s --signal -g --pgroup -G --group -P --parent --session -t --terminal -u --euid -U \
        --uid -F --pidfile --ns -n -o -y -c",
    );
    let targets: Vec<&Arg> = operands.iter().filter_map(|at| call.args.get(*at)).collect();
    // `killall` takes whole names and patterns of whole names, the others a pattern of a part.
    let whole = call.name.starts_with("killall") || call.has_any(&["-x", "--exact"]);
    let is_pattern = !call.name.starts_with("killall") || call.has_any(&["-r", "--regexp"]);
    let covers = if whole { own::Covers::Whole } else { own::Covers::Part };
    let chosen = |target: &&Arg| is_pattern && own::chooses_own_process(target, covers);
    if call.args.iter().any(own::is_own_process) || targets.iter().any(chosen) {
        speak(shell, call, &own::OWN_PROCESS, 0);
    }
    let everything = targets
        .iter()
        .any(|target| matches!(target.known(), Some("." | ".*" | "" | "init" | "systemd" | "launchd" | "kernel_task")))
        || (targets.is_empty() && call.has_any(&["root"]));
    // Children of what the text itself has started, or of its own shell.
    let parent = call.args.iter().position(|arg| arg.is("-P") || arg.is("--parent"));
    let own = parent.and_then(|at| call.args.get(at + 1)).is_some_and(|parent| is_started_here(&parent.value));
    if own && !everything {
        return Feed::none();
    }
    speak(shell, call, if everything { &STOP_EVERYTHING } else { &STOP_PROCESS }, 0);
    Feed::none()
}

fn kill_all(shell: &mut Shell<'_>, call: &Call) -> Feed {
    speak(shell, call, &STOP_EVERYTHING, 0);
    Feed::none()
}

fn fuser(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let kills = call.args.iter().any(|arg| {
        let text = arg.value.prefix();
        text == "--kill"
            || (text.starts_with('-')
                && !text.starts_with("--")
                && text.contains('k')
                && !text.chars().any(|c| c.is_ascii_uppercase()))
    });
    if kills {
        speak(shell, call, &STOP_PROCESS, 0);
        if call.args.iter().any(own::is_own_process) {
            speak(shell, call, &own::OWN_PROCESS, 0);
        }
    }
    call.output()
}

fn trace(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    match call.name.as_str() {
        "gcore" => attach(shell, call, 0),
        "bpftrace" => {
            if !call.has_any(&["-l", "--list", "--info", "-d", "-V", "--version", "-h"])
                && !call.rehearses(&["--dry-run"])
            {
                attach(shell, call, 0);
            }
        }
        _ => return tracer(shell, call),
    }
    call.output()
}

/// `coredumpctl debug -A '-ex bt'`: what a program has left behind when it fell, and the debugger that is started on it.
fn core_dumps(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: crate::shell::options::Syntax = crate::shell::options::Syntax {
        short_values: "ADFnSUo",
        long_values: &[
            "debugger",
            "debugger-arguments",
            "field",
            "directory",
            "root",
            "image",
            "file",
            "output",
            "since",
            "until",
        ],
        long_flags: &[],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = crate::shell::options::Options::read(&call.args, &SYNTAX);
    if let Some(file) = options.value(&["o", "output"]) {
        shell.write(file, crate::path_effects::Write::Replace);
    }
    let debugger = options.value(&["debugger"]);
    let orders = options.value(&["A", "debugger-arguments"]);
    if debugger.is_some() || orders.is_some() {
        let mut line = debugger.map_or_else(|| Value::text("gdb"), |debugger| debugger.value.clone());
        line.push(Piece::text(" "));
        line.extend(orders.map(|orders| orders.value.clone()).unwrap_or_default());
        shell.run_text(&Arg { value: line, span: call.span }, signoff_model::Dialect::Sh, Feed::none());
    }
    call.output()
}

/// `strace program …` runs the program, `strace -p 42` attaches.
fn tracer(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: crate::shell::options::Syntax = crate::shell::options::Syntax {
        short_values: "aebEIoOpPsSuUXnlx",
        long_values: &[
            "attach",
            "output",
            "trace",
            "trace-path",
            "string-limit",
            "env",
            "user",
            "expr",
            "columns",
            "indent",
        ],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: false,
    };
    // For the second of them this letter is a flag: calls of the system are shown as well.
    const LIBRARIES: crate::shell::options::Syntax =
        crate::shell::options::Syntax { short_values: "aeloAnpsuxDFwIX", ..SYNTAX };
    let syntax = if call.name == "ltrace" { &LIBRARIES } else { &SYNTAX };
    let options = crate::shell::options::Options::read(&call.args, syntax);
    if options.has(&["p", "attach"]) {
        attach(shell, call, 0);
    }
    if let Some(file) = options.value(&["o", "output"]) {
        match file.value.prefix().strip_prefix(['|', '!']) {
            Some(code) => {
                shell.run_text(&Arg::text(code, file.span), signoff_model::Dialect::Sh, Feed::none());
            }
            None => shell.write(file, crate::path_effects::Write::Replace),
        }
    }
    match call.args.get(options.first_operand..) {
        Some(argv) if !argv.is_empty() => shell.run(argv, call.stdin.clone(), call.span),
        _ => call.output(),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn looking_at_processes_is_fine() {
        check(
            Verdict::Allow,
            &[
                "ps aux",
                "top -b -n 1",
                "pgrep -f node",
                "lsof -i :3000",
                "ss -tlnp",
                "kill -0 4242",
                "kill -l",
                "kill -l \
                    9",
                "kill -s 0 42",
                "fuser -v 8080/tcp",
                "killall --help",
                "pkill -0 node",
                "pkill -CONT node",
                "killall -s CONT node",
                "pkill --signal WINCH vim",
                "kill %1",
                "sleep 9 & kill %%",
                "kill -9 %+",
                "cat /proc/meminfo",
                "cat /proc/42/status",
                "cat /proc/self/maps",
                "strace ls -la",
                "gdb ./a.out core",
                "gdb -batch -ex bt ./a.out \
                    core",
                "renice -n 10 -p 42",
                "ltrace -c ls",
            ],
        );
    }

    #[test]
    fn stopping_processes_asks() {
        check(
            Verdict::Ask,
            &[
                "kill 39919",
                "kill -9 39919",
                "kill -HUP 42",
                "kill -1 42",
                "pkill -f global-service",
                "killall \
                    node",
                "fuser -k 3000/tcp",
                "fuser -km /mnt",
                "kill -s TERM 42",
                "strace -p 42",
                "gdb -p 42",
                "gcore 42",
                "cat /proc/42/mem",
                "cat /proc/*/mem",
                "cat /proc/$PID/mem",
                "cat /proc/42/task/43/mem",
                "dd if=/proc/42/mem bs=4096 skip=9 count=1",
                "xxd /proc/kcore",
                "python3 -c 'open(\"/proc/123/mem\",\"rb\").read()'",
                "python3 -c 'import sys; open(f\"/proc/{sys.argv[1]}/mem\",\"rb\").read()' 42",
                "python3 -c 'import ctypes; ctypes.CDLL(None).process_vm_readv(42, 0, 1, 0, 1, 0)'",
                "python3 -c 'import ctypes; ctypes.CDLL(\"libc.so.6\").ptrace(16, 42, 0, 0)'",
                "node -e 'require(\"fs\").readFileSync(\"/proc/42/mem\")'",
                "xkill",
                "pkill -STOP node",
                "pkill -s CONTROL node",
                "killall node -CONT",
            ],
        );
    }

    #[test]
    fn what_the_text_has_started_it_may_stop() {
        check(
            Verdict::Allow,
            &[
                "node server.js & pid=$!; npm test; kill $pid; wait $pid",
                "npm start & P=$!; trap \"kill $P\" EXIT; sleep 2; npm run e2e",
                "npm start & P=$!; trap 'kill $P' EXIT; sleep 2; npm run e2e",
                "./server & echo $! > /tmp/pid; sleep 1; kill $(cat /tmp/pid)",
                "a & A=$!; b & B=$!; kill $A $B 2>/dev/null || true",
                "sleep 9 & kill -9 $!",
                "./a & P=$!; kill -- -$P",
                "kill $(jobs -p)",
                "jobs -p | xargs kill",
                "pkill -P $$",
                "stop() { kill $P; }; trap stop EXIT; ./a & P=$!; curl localhost",
                "p=(); for i in 1 2 3; do ./w & p+=($!); done; kill \"${p[@]}\"",
            ],
        );
    }

    #[test]
    fn what_others_have_started_asks() {
        check(
            Verdict::Ask,
            &[
                "kill $PID",
                "kill $(cat server.pid)",
                "a & P=$!; P=$(pgrep node); kill $P",
                "a & P=$!; if x; then P=$(cat server.pid); fi; kill $P",
                "a & P=$!; kill $((P+1))",
                "a & P=$!; kill ${P%?}",
                "a & P=$!; kill ${P:0:2}",
                "a & P=$!; kill 1$P",
                "a & echo $! | sed s/1/2/ | xargs kill",
                "a & kill $! 39919",
                "kill $PPID",
                "pkill -P 1 foo",
                "jobs -p | cut -c1-2 | xargs kill",
                "jobs | xargs kill",
            ],
        );
    }

    #[test]
    fn killing_everything_is_absurd() {
        check(
            Verdict::Block,
            &[
                "kill -9 -1",
                "kill -TERM -1",
                "kill -1",
                "kill -9 1",
                "kill 1",
                "pkill -9 .",
                "killall5 \
            -9",
                "kill -- -1",
                "killall systemd",
            ],
        );
        check(
            Verdict::Block,
            &[
                "kill $(pgrep signoff)",
                "kill -9 `pidof signoff`",
                "P=$(pgrep -x signoff | head -1); kill $P",
                "pgrep signoff | xargs kill",
                "ps aux | grep signoff | awk '{print $2}' | xargs kill -9",
                "kill $(cat /run/signoff.pid)",
                "kill $(cat ~/.local/state/signoff/signoff.pid)",
                "gdb -p $(pgrep signoff)",
                "strace -p $(pidof signoff)",
                "strace -fp $(pidof signoff)",
                "gcore $(pgrep signoff)",
                "reptyr $(pgrep signoff)",
                "gdb -ex \"attach $(pgrep signoff)\"",
                "cat /proc/$(pgrep signoff)/mem",
                "dd if=/proc/$(pidof signoff)/mem bs=1 skip=4096 count=64",
                "for p in $(pgrep signoff); do cat /proc/$p/mem; done",
                "python3 -c 'import ctypes, subprocess; p = int(subprocess.check_output([\"pgrep\", \"signoff\"])); ctypes.CDLL(None).process_vm_readv(p, 0, 1, 0, 1, 0)'",
                "python3 -c 'import subprocess; p = subprocess.check_output([\"pgrep\", \"signoff\"]).decode().strip(); open(f\"/proc/{p}/mem\", \"rb\").read()'",
            ],
        );
        check(Verdict::Allow, &["pgrep signoff", "pidof signoff", "ps aux | grep signoff"]);
        check(Verdict::Block, &["pkill signoff", "killall -9 signoff", "pkill -f signoff-server"]);
    }
}
