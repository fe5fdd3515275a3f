//! Signoff itself, and answering in somebody's place: an agent must neither approve, nor change policy, nor stop the
//! gate, nor type the answer into the terminal of the person who is asked.

mod agents;
mod guard;
mod pattern;
mod steering;
#[cfg(test)]
mod steering_tests;
mod terminals;

pub use guard::{
    chooses_own_process, is_inside_own_process, is_own_process, is_own_session, is_own_volume, is_watched,
    joins_own_container, lists_things, looked_up, looks_up, may_reach, shares_own_files, steered_by_code, volume_at,
    watch,
};
pub use pattern::Covers;

use signoff_model::{Dialect, EffectKind, Reversible, Risk};

use crate::{
    facts::FileText,
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Language, Shell,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
    words::Words,
};

rules! {
    OWN_STATE = Rule::new("signoff-state", EffectKind::SelfState, Risk::Critical, "answers or changes policy in Signoff in place of a person: {}", "代替人在 Signoff 中答复或更改策略：{}")
        .own_state().priority(Priority::P0)
        .examples(&["signoff inbox approve 7", "yes a | signoff inbox", "signoff grant 'rm *'", "signoff pause 1h", "signoff config set policy.posture permissive"],
            &["signoff inbox list", "signoff check 'rm -rf /'", "signoff config", "signoff --help"]);
    OWN_PROCESS = Rule::new("signoff-process", EffectKind::SelfState, Risk::Critical, "stops or tampers with Signoff itself: {}", "停止或篡改 Signoff 自身：{}")
        .own_state().priority(Priority::P0)
        .examples(&["signoff uninstall claude", "signoff serve stop", "kill $(pgrep signoff)", "cargo uninstall signoff"], &["signoff doctor", "pgrep signoff"]);
    PERHAPS_OWN = Rule::new("perhaps-signoff", EffectKind::Process, Risk::Medium, "stops or changes what may be Signoff itself: {}", "停止或更改可能是 Signoff 自身的程序：{}")
        .examples(&["cd ~/code/signoff && docker compose down"], &["cd ~/code/signoff && docker compose ps", "cd ~/code/shop && docker compose down"]);
    PROXY_ANSWER = Rule::new("answer-by-proxy", EffectKind::Privilege, Risk::High, "types an answer into another terminal, perhaps to a question meant for a person: {}", "向另一个终端输入回答，可能是在代人答复：{}")
        .priority(Priority::P0)
        .examples(&["tmux send-keys -t 0 y Enter", "screen -S main -X stuff 1", "xdotool key Return"], &["tmux ls", "tmux send-keys -t 0 'make test' Enter"]);
    TYPE_ELSEWHERE = Rule::new("type-elsewhere", EffectKind::Execute, Risk::Medium, "types into another terminal or window: {}", "向另一个终端或窗口输入：{}")
        .examples(&["tmux send-keys -t dev 'npm test' Enter", "xdotool type hello"], &["tmux capture-pane -p"]);
    END_SESSION = Rule::new("end-session", EffectKind::Process, Risk::Medium, "ends terminal sessions and what runs in them: {}", "结束终端会话及其中运行的程序：{}")
        .reversible(Reversible::No)
        .examples(&["tmux kill-server", "screen -S main -X quit"], &["tmux ls", "screen -ls"]);
    UNGUARDED_AGENT = Rule::new("unguarded-agent", EffectKind::Privilege, Risk::High, "starts an agent that no longer asks before it acts: {}", "启动一个行动前不再询问的智能体：{}")
        .priority(Priority::P0)
        .examples(&["claude --dangerously-skip-permissions -p 'fix it'", "codex exec --dangerously-bypass-approvals-and-sandbox x", "gemini --yolo -p x", "codex -a never"],
            &["claude --version", "codex --help", "claude -p 'explain'"]);
    AGENT_PERMISSIONS = Rule::new("agent-permissions", EffectKind::Privilege, Risk::High, "changes what an agent may do: {}", "更改智能体的权限：{}")
        .examples(&["claude config set allowedTools Bash", "claude mcp add x -- npx x", "codex mcp add x"], &["claude mcp list", "claude config list"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "signoff" | "signoff-hook" => signoff,
        // Some file systems do not tell capital letters from small ones.
        _ if name.eq_ignore_ascii_case("signoff") => signoff,
        "tmux" | "byobu" | "byobu-tmux" | "tmate" => terminals::tmux,
        "screen" => terminals::screen,
        "zellij" => terminals::zellij,
        "kitty" | "kitten" => terminals::kitty,
        "wezterm" => terminals::wezterm,
        "xdotool" | "ydotool" | "wtype" | "dotool" | "xte" | "cliclick" | "ttyecho" => terminals::typist,
        "abduco" | "dtach" => terminals::detached,
        "xterm"
        | "rxvt"
        | "urxvt"
        | "konsole"
        | "gnome-terminal"
        | "alacritty"
        | "foot"
        | "st"
        | "xfce4-terminal"
        | "x-terminal-emulator"
        | "terminator"
        | "tilix"
        | "lxterminal"
        | "mate-terminal"
        | "ghostty" => terminals::window,
        _ if is_agent(name) => agents::agent,
        _ => return None,
    })
}

/// Whether a program is a coding agent.
pub fn is_agent(name: &str) -> bool {
    static AGENTS: Words<64> = Words::new(
        "claude codex gemini aider cursor-agent copilot opencode qwen kimi amp goose crush droid cline auggie grok agy",
    );
    AGENTS.holds(name)
}

/// Whether a text, the name of a process, unit, user or file, names Signoff.
#[inline]
pub fn names_signoff(text: &str) -> bool {
    // Nearly every text is told by its length.
    text.len() >= "signoff".len() && has_word_signoff(text)
}

fn has_word_signoff(text: &str) -> bool {
    // Of the others, two letters tell that few words have together.
    let bytes = text.as_bytes();
    if !memchr::memchr2_iter(b'g', b'G', bytes).any(|at| matches!(bytes.get(at + 1), Some(b'n' | b'N'))) {
        return false;
    }
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| word.eq_ignore_ascii_case("signoff") || word.eq_ignore_ascii_case("signoffd"))
}

/// Whether a program installs and removes others.
pub fn manages_packages(name: &str) -> bool {
    static MANAGERS: Words<128> = Words::new(
        "cargo brew port apt apt-get aptitude dpkg dnf yum zypper rpm pacman yay paru \
         apk snap flatpak nix-env nix npm pnpm yarn bun pip pip3 pipx uv mise \
         asdf scoop choco winget xbps-remove emerge pkg rustup volta conda guix",
    );
    MANAGERS.holds(name)
}

/// Says so if a program that [manages packages](manages_packages) would remove Signoff, whatever else it does. It is not
/// asked about others, of which the words mean something else.
pub fn removed_by_manager(shell: &mut Shell<'_>, call: &Call) {
    const REMOVES: &[&str] = &[
        "uninstall",
        "remove",
        "rm",
        "un",
        "purge",
        "autoremove",
        "erase",
        "del",
        "delete",
        "unlink",
        "deinstall",
        "unmerge",
        "-r",
        "-R",
        "-P",
        "-e",
        "--remove",
        "--purge",
        "--erase",
        "--uninstall",
        "--unmerge",
        "-C",
    ];
    if call.asks_for_help() {
        return;
    }
    let removes = |arg: &Arg| {
        let text = arg.value.prefix();
        // `pacman -Rns` writes further letters behind the one that removes.
        REMOVES.contains(&text) || text.starts_with("-R") || call.name == "xbps-remove"
    };
    let is_own = |arg: &Arg| {
        let text = arg.value.prefix();
        let name = text.rsplit('/').next().unwrap_or(text);
        let name = name.split(['@', ':', '=']).next().unwrap_or(name);
        name == "signoff" || name.starts_with("signoff-")
    };
    // Another program of this name in its place.
    let replaces = call.name == "cargo"
        && call.has("install")
        && call.args.iter().any(|arg| {
            ["--path", "--git", "--force", "-f", "--index", "--registry"]
                .iter()
                .any(|option| arg.is(option) || arg.value.prefix().starts_with(&format!("{option}=")))
        })
        && call.args.iter().any(|arg| !arg.is_option() && is_own(arg));
    if replaces {
        shell.tell(&OWN_PROCESS, "cargo install", call.span);
        return;
    }
    let Some(at) = call.args.iter().position(removes) else { return };
    if call.args.iter().skip(at).any(is_own) {
        shell.tell(
            &OWN_PROCESS,
            format!("{} {}", call.name, call.args.get(at).map_or("".into(), Arg::shown)),
            call.span,
        );
    }
}

/// Whether something is typed into the program: a feed that may hold an answer.
fn is_fed(feed: &Feed) -> bool {
    !feed.is_none() && feed.known() != Some("")
}

/// Whether what flows in may answer a question, rather than being the data of a program: keys that a script types, the
/// endless answers of `yes`, or a text that begins with an answer.
fn may_answer(feed: &Feed) -> bool {
    let begins = |text: &str| terminals::is_answer(text.lines().next().unwrap_or_default().trim());
    let typed = feed.origins.iter().any(|origin| match origin {
        Origin::Input => true,
        Origin::Program(name) => name == "yes",
        _ => false,
    });
    typed || feed.text.as_ref().is_some_and(|text| !text.is_empty() && begins(text.prefix()))
}

/// Whether a path of a socket is Signoff's.
pub fn is_own_socket(path: &str) -> bool {
    names_signoff(path)
}

/// Whether an address on this machine is a part of Signoff's interface where people answer or change policy.
pub fn is_own_address(url: &str) -> bool {
    const ROUTES: &[&str] = &[
        "approvals",
        "inbox",
        "answers",
        "grants",
        "policy",
        "permits",
        "ledger",
        "trust",
        "channels",
        "pause",
        "config",
        "rules",
        "people",
        "invitations",
        "lockdown",
        "standing",
        "agents",
        "login",
        "password",
        "batches",
        "delegations",
    ];
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
    let host = host.rsplit('@').next().unwrap_or(host);
    let local = ["localhost", "127.", "[::1]", "0.0.0.0", "signoff"].iter().any(|name| host.starts_with(name));
    let mut parts = path.split(['/', '?']);
    local
        && (names_signoff(host)
            || parts.next() == Some("v1") && parts.next().is_some_and(|part| ROUTES.contains(&part)))
}

/// What a verb of `signoff` does when an agent uses it.
enum Verb {
    /// It tells something or goes through the gate itself.
    Harmless,
    /// Only these actions are harmless; the empty text stands for no action.
    Only(&'static [&'static str]),
    /// It takes the gate away.
    Process,
}

const SHOWS: &[&str] = &[
    "", "list", "ls", "show", "print", "get", "status", "help", "path", "schema", "explain", "test", "verify",
    "export", "check", "head",
];

fn verb(name: &str) -> Option<Verb> {
    Some(match name {
        "check" | "sql" | "hook" | "doctor" | "mcp" | "request" | "plan" | "agent" | "help" | "version"
        | "completions" | "man" | "undo" | "status" => Verb::Harmless,
        "inbox" => Verb::Only(&["", "list", "ls", "show"]),
        "people" => Verb::Only(&["", "list", "ls", "agents", "help"]),
        "serve" => Verb::Only(&[""]),
        "watch" => Verb::Only(&["status"]),
        "grant" | "grants" | "trust" | "ledger" | "permit" | "channel" | "channels" | "config" | "rules" => {
            Verb::Only(SHOWS)
        }
        "pause" | "resume" | "lockdown" | "approve" | "deny" | "answer" | "init" => Verb::Only(&["status"]),
        // Under which user id the gate runs.
        "separate" => Verb::Only(&[]),
        "uninstall" | "stop" | "kill" | "disable" => Verb::Process,
        _ => return None,
    })
}

/// Whether a command that is given to an image of Signoff only makes the gate do its own work: nothing, or one of its verbs.
pub fn is_own_command(args: &[Arg]) -> bool {
    let args = args.split_first().filter(|(first, _)| first.is("signoff")).map_or(args, |(_, rest)| rest);
    let first = Options::read(args, &SYNTAX).operands.first().copied();
    first.is_none_or(|first| first.known().is_some_and(|name| verb(name).is_some()))
}

/// The options of `signoff` that come before its verb.
const SYNTAX: Syntax = Syntax {
    short_values: "",
    long_values: &[
        "cwd", "posture", "dialect", "facts", "intent", "kind", "timeout", "approval", "config", "lang", "db",
    ],
    long_flags: &[],
    stops_at_operand: true,
    single_dash_long: false,
};

/// Whether arguments for the program that a project builds would answer or change policy if that program is Signoff. In
/// another project the same words mean something else: only those that no other program has count there.
pub fn answers_in_tree(shell: &Shell<'_>, args: &[Arg]) -> bool {
    let options = Options::read(args, &SYNTAX);
    let rest = args.get(options.first_operand + 1..).unwrap_or_default();
    let verb_name = options.operand(0).unwrap_or_default();
    let action = rest.iter().find(|arg| !arg.is_option()).and_then(Arg::known).unwrap_or_default();
    let acts = match verb(verb_name) {
        Some(Verb::Only(actions)) => !actions.contains(&action),
        Some(Verb::Process) => true,
        Some(Verb::Harmless) | None => false,
    };
    let only_ours =
        matches!((verb_name, action), ("inbox", "approve" | "deny" | "answer" | "modify") | ("permit" | "lockdown", _));
    let project = &shell.whereabouts().project;
    let in_own_tree = || {
        let manifest = shell.facts().text(&format!("{}/Cargo.toml", project.trim_end_matches('/')));
        project.rsplit('/').next().is_some_and(names_signoff)
            || matches!(manifest, FileText::Text(text) if names_signoff(&text))
    };
    acts && (only_ours || in_own_tree())
}

fn signoff(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let idle = Feed::from(Origin::Program("signoff".into()));
    let runs_others = matches!(call.arg(0), Some("exec" | "acp" | "mcp"));
    if call.name == "signoff-hook" || call.asks_for_help() && !runs_others {
        return idle;
    }
    let options = Options::read(&call.args, &SYNTAX);
    let Some(name) = options.operands.first() else { return idle };
    let Some(text) = name.known() else {
        shell.tell(&OWN_STATE, name.shown().into_owned(), call.span);
        return idle;
    };
    let rest = call.args.get(options.first_operand + 1..).unwrap_or_default();
    match text {
        "exec" | "acp" => {
            // The gate may ask before it runs the command: what is typed in advance would be the answer.
            if may_answer(&call.stdin) {
                shell.tell(&OWN_STATE, format!("signoff {text}"), call.span);
            }
            return run_behind_dashes(shell, call, options.first_operand + 1);
        }
        "install" => {
            shell.tell(&AGENT_PERMISSIONS, "signoff install", call.span);
            return idle;
        }
        "mcp" => return mcp(shell, call, options.first_operand + 1),
        _ => {}
    }
    let action = rest.iter().find(|arg| !arg.is_option()).map_or(Some(""), |arg| arg.known());
    match verb(text) {
        // Options of the watcher take values, and one of those may be called `status`.
        Some(Verb::Only(_)) if text == "watch" && rest.first().is_some_and(Arg::is_option) => {
            shell.tell(&OWN_STATE, "signoff watch", call.span);
        }
        // Without a verb the inbox listens to keys: a program that types there answers in a person's place.
        Some(Verb::Only(_)) if text == "inbox" && action == Some("") && is_fed(&call.stdin) => {
            shell.tell(&OWN_STATE, "signoff inbox", call.span);
        }
        // What was kept so that it can be brought back is not an agent's to throw away.
        Some(Verb::Harmless)
            if text == "undo"
                && rest.iter().any(|arg| arg.value.prefix().starts_with("--pr") || arg.known().is_none()) =>
        {
            shell.tell(&OWN_STATE, "signoff undo --prune", call.span);
        }
        Some(Verb::Harmless) => {}
        Some(Verb::Only(actions))
            if action.is_some_and(|action| actions.contains(&action))
                && !(text == "serve" && rest.iter().any(|arg| arg.is("--stop"))) => {}
        Some(Verb::Only(_)) if text == "separate" && rest.iter().any(|arg| arg.is("--dry-run")) => {}
        Some(Verb::Only(_)) if matches!(text, "serve" | "watch") && matches!(action, Some("stop")) => {
            shell.tell(&OWN_PROCESS, format!("signoff {text} stop"), call.span);
        }
        Some(Verb::Only(_)) => shell.tell(
            &OWN_STATE,
            format!("signoff {text} {}", action.unwrap_or_default()).trim_end().to_owned(),
            call.span,
        ),
        Some(Verb::Process) => shell.tell(&OWN_PROCESS, format!("signoff {text}"), call.span),
        None => shell.opaque(format!("signoff {text}"), call.span),
    }
    idle
}

/// The server of tools is the gate itself; its proxy starts a program, or speaks to somebody with a secret in hand.
fn mcp(shell: &mut Shell<'_>, call: &Call, from: usize) -> Feed {
    let idle = Feed::from(Origin::Program("signoff".into()));
    let rest = call.args.get(from..).unwrap_or_default();
    let behind = rest.iter().position(|arg| arg.is("--"));
    let own = rest.get(..behind.unwrap_or(rest.len())).unwrap_or_default();
    // An option may be shortened, and may be anything where it is not known.
    let has = |option: &str| {
        let fits = |given: &str| given.len() > 2 && option.starts_with(given.split('=').next().unwrap_or_default());
        own.iter().any(|arg| arg.known().is_none_or(|given| given.starts_with("--") && fits(given)))
    };
    if has("--undo") {
        shell.tell(&OWN_PROCESS, "signoff mcp --wrap --undo", call.span);
    } else if has("--wrap") {
        shell.tell(&AGENT_PERMISSIONS, "signoff mcp --wrap", call.span);
    }
    if ["--url", "--url-env", "--header-env", "--header-file"].into_iter().any(has) {
        shell.opaque("signoff mcp --proxy --url".to_owned(), call.span);
    }
    match behind {
        Some(_) => run_behind_dashes(shell, call, from),
        None => idle,
    }
}

/// Runs what stands behind `--`: one word is a text for bash, several are an argument list.
fn run_behind_dashes(shell: &mut Shell<'_>, call: &Call, from: usize) -> Feed {
    let rest = call.args.get(from..).unwrap_or_default();
    let start = rest.iter().position(|arg| arg.is("--")).map_or(0, |at| at + 1);
    match rest.get(start..).unwrap_or_default() {
        [] => Feed::none(),
        [code] => shell.run_code(Language::Shell(Dialect::Bash), code, call.stdin.clone()),
        words @ [first, .., last] => {
            shell.run_with(call.variables.clone(), words, call.stdin.clone(), first.span.to(last.span))
        }
    }
}

#[cfg(test)]
mod tests;
