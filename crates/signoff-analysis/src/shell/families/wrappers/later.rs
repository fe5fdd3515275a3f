//! Programs that let a command run later or elsewhere on the machine: `at`, `batch`, `systemd-run`.

use signoff_model::Dialect;

use super::{ROOT_RIGHTS, SCHEDULE, run_from};
use crate::{
    shell::{
        Call, Language, Locus, Shell,
        options::{Options, Syntax},
    },
    value::Feed,
};

pub(super) fn at(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &Syntax { short_values: "qftcdr", long_values: &[], ..Syntax::default() });
    let idle = call.output();
    if options.has(&["l", "c", "V", "h", "help"]) {
        return idle;
    }
    shell.tell(&SCHEDULE, call.name.clone(), call.span);
    if options.has(&["d", "r"]) {
        return idle;
    }
    let language = Language::Shell(Dialect::Sh);
    match options.value(&["f"]) {
        Some(file) => shell.run_script(language, file, &[], Feed::none()),
        None if call.stdin.is_none() => return idle,
        None => shell.run_feed(language, call.stdin.clone(), call.span),
    };
    idle
}

/// `atq` lists, `atrm` takes away.
pub(super) fn jobs(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.name == "atrm" && !call.args.is_empty() && !call.asks_for_help() {
        shell.tell(&SCHEDULE, "atrm", call.span);
    }
    call.output()
}

pub(super) fn systemd_run(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "pEuHMd",
            long_values: &[
                "property",
                "setenv",
                "unit",
                "description",
                "slice",
                "host",
                "machine",
                "uid",
                "gid",
                "nice",
                "working-directory",
                "on-active",
                "on-boot",
                "on-startup",
                "on-unit-active",
                "on-unit-inactive",
                "on-calendar",
                "timer-property",
                "path-property",
                "socket-property",
                "service-type",
                "background",
                "expand-environment",
                "job-mode",
            ],
            long_flags: &["user", "scope", "wait", "pty", "pipe", "shell", "collect", "quiet", "help", "version"],
            stops_at_operand: true,
            ..Syntax::default()
        },
    );
    if options.has(&["help", "version", "h"]) || options.operands.is_empty() && !options.has(&["S", "shell"]) {
        return call.output();
    }
    let timers = ["on-active", "on-boot", "on-startup", "on-unit-active", "on-unit-inactive", "on-calendar"];
    if options.has(&timers) {
        shell.tell(&SCHEDULE, call.name.clone(), call.span);
    }
    let remote = options.value(&["H", "host", "M", "machine"]).map(|host| host.shown().into_owned());
    let own = options.has(&["user"]) && remote.is_none();
    if !own {
        let user = options.value(&["uid"]).map_or_else(|| "root".to_owned(), |user| user.shown().into_owned());
        shell.tell(&ROOT_RIGHTS, user, call.program.span);
    }
    let start = options.first_operand;
    let body = |shell: &mut Shell<'_>| run_from(shell, call, start);
    match remote {
        Some(host) => shell.elsewhere(Locus::Remote(host), body),
        None => body(shell),
    }
}
