//! Groups of containers described by a file of the project.

use super::{DELETE, DELETE_MANY, Host, PUSH, STOP, VOLUME_DELETE, run, services};
use crate::{
    place::is_within,
    shell::{
        Call, Shell,
        subcommands::{Deed, Line},
    },
    value::{Arg, Feed},
};

pub(super) const GLOBAL: &str = "\
    -f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel \
    -H --host --log-level -c --context";

pub(super) fn compose(shell: &mut Shell<'_>, call: &Call) -> Feed {
    judge(shell, call, &[], &call.args, Host::This)
}

/// Judges the arguments of the program, or of the subcommand that stands at the end of the words above.
pub(super) fn judge(shell: &mut Shell<'_>, call: &Call, above: &[&str], args: &[Arg], host: Host) -> Feed {
    let global = Line::leading(args, GLOBAL);
    let Some((verb, rest)) = global.rest.split_first() else { return call.output() };
    let verb = verb.known().unwrap_or_default();
    if matches!(verb, "exec" | "run") {
        let another = host == Host::Another || super::host(shell, call, &global) == Host::Another;
        let host = if another { Host::Another } else { Host::This };
        return inner(shell, call, &global, verb, rest, host);
    }
    // To `rm` this letter says that it stops first; elsewhere it names a signal.
    let values =
        if verb == "rm" { "" } else { "-t --timeout --scale -s --signal --rmi --tail --since --format -o --output" };
    let line = Line::read(rest, values);
    if line.asks_for_help() || global.has(&["--dry-run"]) {
        return call.output();
    }
    let all: Vec<Arg> = vec![Arg::text(verb, call.span)];
    let joined: Vec<&Arg> = all.iter().chain(line.words.iter().copied()).collect();
    let above: Vec<Arg> = above.iter().map(|word| Arg::text(*word, call.span)).collect();
    let path = Line::below(&above.iter().collect::<Vec<_>>(), &joined);
    if host == Host::Another || super::host(shell, call, &global) == Host::Another {
        super::tell_remote(shell, call, &[&["compose"], [verb].as_slice()].concat());
    }
    if matches!(verb, "up" | "create" | "start" | "restart" | "watch")
        && super::host(shell, call, &global) == Host::This
    {
        services::put_up(shell, call, &global, host);
    }
    let throw_away = is_throw_away(shell, &global);
    let of_tests = !line.words.is_empty() && line.words.iter().all(|name| name.known().is_some_and(super::is_of_test));
    let deed = match verb {
        "down" | "stop" | "kill" | "rm" if throw_away => Deed::Harmless,
        "down" if line.has(&["-v", "--volumes"]) => Deed::Tell(&VOLUME_DELETE),
        "up" if line.has(&["-V", "--renew-anon-volumes"]) => Deed::Tell(&DELETE_MANY),
        // The volumes that have no name go with it. What a test has put up holds nothing else.
        "rm" if line.has(&["-v", "--volumes"]) && !of_tests => Deed::Tell(&VOLUME_DELETE),
        "down" if line.value(&["--rmi"]).is_some_and(|images| images.is("all")) => Deed::Tell(&DELETE_MANY),
        "down" | "stop" | "kill" | "restart" | "pause" | "unpause" => Deed::Tell(&STOP),
        "rm" => Deed::Tell(&DELETE),
        "push" | "publish" => Deed::Tell(&PUSH),
        "build" if line.has(&["--push"]) => Deed::Tell(&PUSH),
        _ => Deed::Harmless,
    };
    deed.done(shell, call, &path)
}

/// Where what runs on a machine is put up. Elsewhere a directory holds sources as often as not.
const DEPLOYED: &[&str] = &["/opt", "/srv", "/etc", "/var", "/usr"];

/// The names that the project of a call may go by: the given one, or that of the directory which its file lies in; apart
/// from them those of directories where nothing says that it is put up there. Within the project that is worked on, a
/// directory says nothing about what runs.
pub(super) fn projects(shell: &Shell<'_>, call: &Call, global: &Line<'_>) -> (Vec<Arg>, Vec<Arg>) {
    let set = |name: &str| {
        let here = call.variables.iter().find(|(variable, _)| variable == name).map(|(_, value)| value);
        let value = here.or_else(|| shell.variable(name)).filter(|value| !value.is_empty());
        value.map(|value| Arg { value: value.clone(), span: call.span })
    };
    let named = global.value(&["-p", "--project-name"]).or_else(|| set("COMPOSE_PROJECT_NAME"));
    let files = global.all_values(&["-f", "--file"]);
    let files = if files.is_empty() { set("COMPOSE_FILE").into_iter().collect() } else { files };
    let directories: Vec<String> = match global.value(&["--project-directory"]) {
        Some(directory) => vec![shell.place(&directory.value).path.clone()],
        None if files.is_empty() => shell.cwd().map(str::to_owned).into_iter().collect(),
        // The first gives the name, but the others belong to it as well.
        None => {
            let above = |file: &Arg| shell.place(&file.value).path.rsplit_once('/').map(|(above, _)| above.to_owned());
            files.iter().filter_map(above).collect()
        }
    };
    let project = &shell.whereabouts().project;
    let outside = directories.iter().filter(|path| !is_within(path, project));
    let (deployed, checkouts): (Vec<&String>, Vec<&String>) =
        outside.partition(|path| DEPLOYED.iter().any(|top| is_within(path, top)));
    let name = |path: &String| Some(Arg::text(path.trim_end_matches('/').rsplit('/').next()?, call.span));
    (
        named.into_iter().chain(deployed.into_iter().filter_map(name)).collect(),
        checkouts.into_iter().filter_map(name).collect(),
    )
}

/// Whether the stack is one that tests put up and take down again, by the name of its file or project.
fn is_throw_away(shell: &Shell<'_>, global: &Line<'_>) -> bool {
    let is_test = |name: &str| {
        crate::lexicon::words(name).iter().any(|word| {
            matches!(word.as_str(), "test" | "tests" | "testing" | "it" | "e2e" | "integration" | "ci" | "tmp")
        })
    };
    let file = global.value(&["-f", "--file"]).is_some_and(|file| {
        file.known().is_some_and(|file| {
            is_test(file.rsplit('/').next().unwrap_or(file).trim_end_matches(".yml").trim_end_matches(".yaml"))
        })
    });
    let named = global.value(&["-p", "--project-name"]).is_some_and(|name| is_test(name.value.prefix()));
    let set = shell.variable("COMPOSE_PROJECT_NAME").is_some_and(|name| is_test(name.prefix()));
    file || named || set
}

fn inner(shell: &mut Shell<'_>, call: &Call, global: &Line<'_>, verb: &str, args: &[Arg], host: Host) -> Feed {
    let line = Line::leading(
        args,
        "\
        -e --env -w --workdir -u --user --index --name -v --volume -p --publish --entrypoint -l --label \
        --cap-add --pull",
    );
    let Some((service, rest)) = line.rest.split_first() else { return call.output() };
    run::tell_lent_volumes(shell, &line, call.span);
    let mut argv: Vec<Arg> =
        line.value(&["--entrypoint"]).into_iter().filter(|program| !program.value.is_empty()).collect();
    argv.extend(rest.iter().cloned());
    if host == Host::This {
        // What runs in it sees what the service has mounted. Others may be put up because it needs them.
        for described in services::written(shell, call, global) {
            let given = (service.is(&described.name) && !argv.is_empty()).then_some(argv.as_slice());
            if verb == "run" || given.is_some() {
                services::run(shell, call, &described, given);
            }
        }
    }
    // Other files may say more of it than those that the text has written.
    run::inside(shell, call, service.shown().into_owned(), &argv, host)
}
