//! What the services of a compose file do that the text itself has written: each one is what `docker run` would be.

use super::{Host, run};
use crate::{
    facts::FileText,
    shell::{Call, Shell, subcommands::Line, yaml::Node},
    value::{Arg, Feed},
};

/// More services of a file are not looked at.
const MAX_SERVICES: usize = 64;

/// The files that are taken when none is named, and those that are laid over them.
const USUAL: &[&str] = &[
    "compose.yaml",
    "compose.yml",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.override.yaml",
    "compose.override.yml",
    "docker-compose.override.yml",
    "docker-compose.override.yaml",
];

/// Longer files are not read.
const LONGEST: usize = 64 * 1024;
const MOST_LINES: usize = 2000;

/// A service as options of `docker run`.
pub(super) struct Service {
    pub(super) name: String,
    options: Vec<String>,
    entrypoint: Vec<String>,
    image: String,
    command: Vec<String>,
}

/// The services of the files that a call reads, of those that the text has written.
pub(super) fn written(shell: &mut Shell<'_>, call: &Call, global: &Line<'_>) -> Vec<Service> {
    let mut all = Vec::new();
    for text in texts(shell, call, global) {
        if text.len() > LONGEST || text.lines().count() > MOST_LINES {
            shell.opaque("docker compose".to_owned(), call.span);
            continue;
        }
        shell.spend(1 + text.len() / 256);
        let tree = Node::read(&text);
        let services = tree.get("services").unwrap_or(&tree).pairs();
        all.extend(services.iter().take(MAX_SERVICES).map(|(name, node)| service(name, node)));
    }
    shell.spend(all.len());
    all
}

/// Runs a service as it is described, or with another command.
pub(super) fn run(shell: &mut Shell<'_>, call: &Call, service: &Service, given: Option<&[Arg]>) -> Feed {
    let text = |word: &String| Arg::text(word.as_str(), call.span);
    let mut args: Vec<Arg> = service.options.iter().map(text).collect();
    let (program, rest) =
        service.entrypoint.split_first().map_or((None, &[][..]), |(program, rest)| (Some(program), rest));
    args.extend(program.iter().flat_map(|program| [Arg::text("--entrypoint", call.span), text(program)]));
    args.push(text(&service.image));
    args.extend(rest.iter().map(text));
    match given {
        Some(given) => args.extend(given.iter().cloned()),
        None => args.extend(service.command.iter().map(text)),
    }
    run::run(shell, call, "run", &args)
}

/// The texts of the files of a call that the text has written: others are the project's own.
fn texts(shell: &Shell<'_>, call: &Call, global: &Line<'_>) -> Vec<String> {
    let mut files: Vec<String> =
        global.all_values(&["-f", "--file"]).iter().map(|file| file.shown().into_owned()).collect();
    if files.is_empty() {
        let here = call.variables.iter().find(|(name, _)| name == "COMPOSE_FILE").map(|(_, value)| value);
        let named = here.or_else(|| shell.variable("COMPOSE_FILE")).and_then(|value| value.known());
        files = named.map(|named| named.split(':').map(str::to_owned).collect()).unwrap_or_default();
    }
    if files.is_empty() {
        let directory = global.value(&["--project-directory"]).and_then(|arg| arg.known().map(str::to_owned));
        let below = |name: &&str| directory.as_ref().map_or_else(|| (*name).to_owned(), |top| format!("{top}/{name}"));
        files = USUAL.iter().map(below).collect();
    }
    let mut all = Vec::new();
    for file in files {
        if matches!(file.as_str(), "-" | "/dev/stdin") {
            all.extend(call.stdin.known().map(str::to_owned));
            continue;
        }
        let path = shell.place(&Arg::text(file, call.span).value).path.clone();
        if let (Some(_), FileText::Text(text)) = (shell.written(&path), shell.text_at(&path)) {
            all.push(text);
        }
    }
    all
}

fn service(name: &str, node: &Node) -> Service {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let mut options = Vec::new();
    for volume in node.get("volumes").map(Node::elements).unwrap_or_default() {
        match volume {
            Node::Text(volume) => options.extend(["-v".to_owned(), volume.clone()]),
            Node::Map(_) => {
                let field = |keys: &[&str]| keys.iter().find_map(|key| volume.get(key)?.text()).unwrap_or_default();
                let read_only = if field(&["read_only"]) == "true" { ":ro" } else { "" };
                let (source, target) = (field(&["source", "src"]), field(&["target", "destination", "dst"]));
                if !source.is_empty() {
                    options.extend(["-v".to_owned(), format!("{source}:{target}{read_only}")]);
                }
            }
            Node::Empty | Node::List(_) => {}
        }
    }
    for (key, option) in [
        ("devices", "--device"),
        ("cap_add", "--cap-add"),
        ("security_opt", "--security-opt"),
        ("pid", "--pid"),
        ("ipc", "--ipc"),
        ("uts", "--uts"),
        ("userns_mode", "--userns"),
        ("cgroup", "--cgroupns"),
        ("network_mode", "--network"),
        ("volumes_from", "--volumes-from"),
        ("working_dir", "-w"),
    ] {
        for value in node.get(key).map(Node::elements).unwrap_or_default().iter().filter_map(Node::text) {
            options.extend([option.to_owned(), value.to_owned()]);
        }
    }
    if text("privileged").is_some_and(|truth| matches!(truth.as_str(), "true" | "yes" | "on")) {
        options.push("--privileged".to_owned());
    }
    Service {
        name: name.to_owned(),
        options,
        entrypoint: node.get("entrypoint").map(words).unwrap_or_default(),
        image: text("image").unwrap_or_else(|| name.to_owned()),
        command: node.get("command").map(words).unwrap_or_default(),
    }
}

/// The words of a command: a list of them, or a text that is taken apart as a shell would and not expanded.
fn words(node: &Node) -> Vec<String> {
    match node {
        Node::List(nodes) => nodes.iter().filter_map(Node::text).map(plain).collect(),
        Node::Text(text) => split(&plain(text)),
        Node::Empty | Node::Map(_) => Vec::new(),
    }
}

/// Two dollar signs stand for one that is none of the file's own variables.
fn plain(text: &str) -> String {
    text.replace("$$", "$")
}

fn split(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => all.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    all.extend(word);
    all
}

/// Runs what `up`, `create`, `start` and the like put up: every service, or those that are named.
pub(super) fn put_up(shell: &mut Shell<'_>, call: &Call, global: &Line<'_>, host: Host) {
    // What another machine has mounted is of another machine.
    if host == Host::This {
        for service in written(shell, call, global) {
            run(shell, call, &service, None);
        }
    }
}
