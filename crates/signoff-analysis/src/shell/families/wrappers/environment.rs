//! Variables: `env`, and what a variable makes of the programs that see it.

use signoff_model::{Dialect, Scope, Secret, Span};

use super::{FOREIGN_PATH, PRELOADED, PRODUCTION, root, run_words};
use crate::{
    place::is_within,
    shell::{
        Call, Language, Shell,
        families::{git, network},
    },
    value::{Arg, Feed, Origin, Piece, Value},
};

/// Variables that name a library or a script which every program, or every program of one kind, loads by itself.
const LOADED: &[&str] = &[
    "LD_PRELOAD",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "GCONV_PATH",
    "BASH_ENV",
    "PYTHONSTARTUP",
    "PERL5DB",
    "PYTHONBREAKPOINT",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "ZDOTDIR",
];

/// Variables with directories in which libraries and modules are looked up first.
const SEARCHED: &[&str] = &[
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PERL5LIB",
    "PERLLIB",
    "RUBYLIB",
    "NODE_PATH",
    "CLASSPATH",
    "GEM_PATH",
];

/// Variables whose value is a command that programs start.
const COMMANDS: &[&str] = &[
    "EDITOR",
    "VISUAL",
    "SUDO_EDITOR",
    "FCEDIT",
    "KUBE_EDITOR",
    "SYSTEMD_EDITOR",
    "HGEDITOR",
    "SVN_EDITOR",
    "CVSEDITOR",
    "PSQL_EDITOR",
    "BUNDLER_EDITOR",
    "PAGER",
    "MANPAGER",
    "SYSTEMD_PAGER",
    "AWS_PAGER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "PSQL_PAGER",
    "HGPAGER",
    "PERLDOC_PAGER",
    "BROWSER",
    "PROMPT_COMMAND",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "RSYNC_RSH",
    "CVS_RSH",
    "SVN_SSH",
    "HGMERGE",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "TEXEDIT",
    "LESSEDIT",
    "FZF_DEFAULT_COMMAND",
    "ANSIBLE_PAGER",
    "GH_PAGER",
    "GH_EDITOR",
    "GLAB_PAGER",
];

/// Variables whose options make programs of one kind load or start other code.
const OPTIONS: &[&str] = &[
    "ENV",
    "NODE_OPTIONS",
    "PERL5OPT",
    "RUBYOPT",
    "GOFLAGS",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JAVA_OPTS",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "CATALINA_OPTS",
];

/// Whether programs load or start what a variable names, so that a text means something else where it is set.
pub fn carries_code(name: &str) -> bool {
    [LOADED, SEARCHED, COMMANDS, OPTIONS, git::CODE_VARIABLES, git::PLACE_VARIABLES]
        .iter()
        .any(|names| names.contains(&name))
        || name.starts_with("BASH_FUNC_")
        || name.eq_ignore_ascii_case("npm_config_script_shell")
}

/// `env`: options, variables, then a command; alone it prints the environment.
pub(super) fn env(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut args = call.args.clone();
    let mut at = 0;
    let mut directory = None;
    let (mut clears, mut removed) = (false, Vec::new());
    // `-S` puts the words of its value in the place of itself, options among them, so that they are read like the rest.
    let mut splits = 0;
    while let Some(arg) = args.get(at).cloned() {
        let text = arg.value.prefix().to_owned();
        if arg.is("--help") || arg.is("--version") {
            return Feed::from(Origin::Program("env".into()));
        }
        if arg.is("--") {
            at += 1;
            break;
        }
        if !text.starts_with('-') {
            break;
        }
        at += 1;
        let short = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        clears |=
            text == "-" || text == "--ignore-environment" || short.is_some_and(|letters| letters.starts_with('i'));
        if text == "-" {
            continue;
        }
        let (taken, value) = if let Some(long) = text.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or(long);
            let inline = long.contains('=').then(|| tail(&arg, name.len() + 3));
            // A long option may be cut short as long as it is clear which one is meant.
            let known = [("split-string", 'S'), ("chdir", 'C'), ("unset", 'u'), ("argv0", 'a')];
            match known.iter().find(|(full, _)| !name.is_empty() && full.starts_with(name)) {
                Some((_, letter)) => (*letter, inline),
                None => continue,
            }
        } else {
            let found = text.char_indices().skip(1).find(|(_, letter)| "SCuaP".contains(*letter));
            match found {
                Some((index, letter)) => {
                    let attached = tail(&arg, index + 1);
                    (letter, (!attached.value.is_empty()).then_some(attached))
                }
                None => continue,
            }
        };
        let value = match value {
            Some(value) => value,
            None => {
                let next = args.get(at).cloned();
                at += 1;
                match next {
                    Some(next) => next,
                    None => break,
                }
            }
        };
        match taken {
            'S' if splits < 4 => {
                splits += 1;
                let Some(code) = value.known() else {
                    shell.opaque(value.shown(), value.span);
                    return Feed::none();
                };
                let words = split_string(shell, code).into_iter().map(|word| Arg { value: word, span: value.span });
                args.splice(..at, words);
                at = 0;
            }
            'C' => directory = Some(value),
            'u' => removed.extend(value.known().map(str::to_owned)),
            _ => {}
        }
    }
    let rest = args.get(at..).unwrap_or_default();
    let (assigned, words) = assignments(rest);
    if words.is_empty() {
        if assigned.is_empty() && at == 0 {
            return shell.print_environment("env", call.span);
        }
        return Feed::from(Origin::Secret(Secret::Environment.to_string()));
    }
    environment(shell, &assigned, call.span);
    let mut inner = call.clone();
    inner.variables.extend(assigned);
    shell.subshell(|shell| {
        shell.withhold(|name| clears || removed.iter().any(|removed| removed == name));
        if let Some(directory) = &directory {
            root::enter(shell, directory);
        }
        run_words(shell, &inner, words, call.stdin.clone())
    })
}

/// An argument without its first bytes.
fn tail(arg: &Arg, bytes: usize) -> Arg {
    Arg { value: crate::shell::options::strip(&arg.value, bytes), span: arg.span }
}

/// Leading `NAME=value` words, and the words behind them.
pub(super) fn assignments(words: &[Arg]) -> (Vec<(String, Value)>, &[Arg]) {
    let mut assigned = Vec::new();
    let mut rest = words;
    while let Some((word, more)) = rest.split_first() {
        let Some((name, _)) = word.value.prefix().split_once('=') else { break };
        if name.is_empty() || name.contains('/') {
            break;
        }
        assigned.push((name.to_owned(), tail(word, name.len() + 1).value));
        rest = more;
    }
    (assigned, rest)
}

/// The words that `env -S` makes of its text. It has its own quoting, which is close to a shell's but not the same.
fn split_string(shell: &Shell<'_>, code: &str) -> Vec<Value> {
    let mut words = Vec::new();
    let mut word: Option<Value> = None;
    let mut quote = None;
    let mut letters = code.chars().peekable();
    let push = |word: &mut Option<Value>, text: char| word.get_or_insert_default().push(Piece::text(text.to_string()));
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}') => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), letter) if open == letter => quote = None,
            (Some('\''), '\\') => match letters.peek() {
                Some('\'' | '\\') => push(&mut word, letters.next().unwrap_or('\\')),
                _ => push(&mut word, '\\'),
            },
            (_, '\\') => match letters.next() {
                Some('c') => break,
                Some('_') if quote.is_none() => words.extend(word.take()),
                Some('_') => push(&mut word, ' '),
                Some('n') => push(&mut word, '\n'),
                Some('t') => push(&mut word, '\t'),
                Some('r') => push(&mut word, '\r'),
                Some('f') => push(&mut word, '\u{c}'),
                Some('v') => push(&mut word, '\u{b}'),
                Some(other) => push(&mut word, other),
                None => {}
            },
            (None | Some('"'), '$') if letters.peek() == Some(&'{') => {
                let name: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                let value = shell.variable(&name).cloned();
                let value =
                    value.unwrap_or_else(|| Value::unknown(format!("${{{name}}}"), vec![Origin::Variable(name)]));
                word.get_or_insert_default().extend(value);
            }
            (_, letter) => push(&mut word, letter),
        }
    }
    words.extend(word);
    words
}

/// Judges variables that are set for a command or exported: some make programs load or start other code.
pub fn environment(shell: &mut Shell<'_>, variables: &[(String, Value)], span: Span) {
    for (name, value) in variables {
        if !value.is_empty() {
            judge_variable(shell, name, value, span);
        }
    }
}

fn judge_variable(shell: &mut Shell<'_>, name: &str, value: &Value, span: Span) {
    let shown = || format!("{name}={}", value.shown());
    let known = value.known();
    if points_at_production(name, value) {
        shell.tell(&PRODUCTION, shown(), span);
    }
    if name.starts_with("BASH_FUNC_") {
        // An exported function: the next shell calls it instead of a program.
        let body = known.map(|text| text.trim_start().trim_start_matches("()").to_owned());
        if let Some(body) = body {
            shell.subshell(|shell| shell.run_text(&Arg::text(body, span), Dialect::Bash, Feed::none()));
        }
        // Whatever it does, what it stands for is not done: a `cd` that goes nowhere, an `exit` that does not end.
        shell.tell(&PRELOADED, shown(), span);
        return;
    }
    if LOADED.contains(&name) || matches!(name, "ENV" | "NODE_OPTIONS" | "PERL5OPT" | "RUBYOPT") {
        let words = known.into_iter().flat_map(|text| text.split([' ', '=', ':']));
        words.for_each(|word| shell.run_loaded(word.trim_start_matches("-r"), span));
    }
    match name {
        "PATH" => judge_path(shell, value, span),
        "ENV" if !known.is_some_and(|text| text.contains('/') || text.contains('$') || text.contains('`')) => {}
        "ENV" => shell.tell(&PRELOADED, shown(), span),
        "BASH_ENV" | "PYTHONSTARTUP" | "OPENSSL_CONF" if known == Some("/dev/null") => {}
        "OPENSSL_CONF" | "ZDOTDIR" if !names_temporary(shell, value) => {}
        "PYTHONBREAKPOINT" if known.is_some_and(|text| text == "0" || text.ends_with("set_trace")) => {}
        name if LOADED.contains(&name) => shell.tell(&PRELOADED, shown(), span),
        name if SEARCHED.contains(&name) && names_temporary(shell, value) => shell.tell(&PRELOADED, shown(), span),
        "NODE_OPTIONS" => {
            let loads = |word: &str| {
                ["--require", "-r", "--import", "--loader", "--experimental-loader", "--eval"]
                    .contains(&word.split('=').next().unwrap_or(word))
            };
            if value.shown().split_whitespace().any(loads) {
                shell.tell(&PRELOADED, shown(), span);
            }
            if network::exposed::opens_debugger(&value.shown()) {
                shell.tell(&network::OPEN_SERVICE, shown(), span);
            }
        }
        "GOFLAGS" => {
            let runs = |word: &str| {
                let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
                matches!(name, "exec" | "toolexec" | "vettool")
            };
            if value.shown().split_whitespace().any(runs) {
                shell.tell(&PRELOADED, shown(), span);
            }
        }
        // The shell in which every script of a package runs.
        name if name.eq_ignore_ascii_case("npm_config_script_shell")
            && (!known.is_some_and(is_usual_shell) || names_temporary(shell, value)) =>
        {
            shell.tell(&PRELOADED, shown(), span);
        }
        "PERL5OPT" | "RUBYOPT" => {
            let loads = |word: &str| {
                ["-M", "-m", "-r", "-e", "-I", "-d"].iter().any(|option| word.starts_with(option))
                    && word != "-rubygems"
            };
            if known.is_some_and(|text| text.split_whitespace().any(loads)) {
                shell.tell(&PRELOADED, shown(), span);
            }
        }
        "JAVA_TOOL_OPTIONS" | "_JAVA_OPTIONS" | "JDK_JAVA_OPTIONS" | "JAVA_OPTS" | "MAVEN_OPTS" | "GRADLE_OPTS"
        | "CATALINA_OPTS" => {
            let loads = [
                "-javaagent:",
                "-agentpath:",
                "-agentlib:",
                "-XX:OnError",
                "-XX:OnOutOfMemoryError",
                "-Xbootclasspath",
            ];
            // A debugger's port and the usual measure of coverage are no foreign code, unless they lie where anybody writes.
            let usual =
                |word: &str| word.starts_with("-agentlib:jdwp") || word.contains("jacoco") && !word.contains("/tmp/");
            let foreign = |word: &str| loads.iter().any(|option| word.starts_with(option)) && !usual(word);
            if value.shown().split_whitespace().any(foreign) {
                shell.tell(&PRELOADED, shown(), span);
            }
        }
        "PS0" | "PS1" | "PS2" | "PS4" => {
            if let Some(text) = known.filter(|text| text.contains("$(") || text.contains('`')) {
                let code = Arg::text(format!(": \"{text}\""), span);
                shell.run_code(Language::Shell(Dialect::Bash), &code, Feed::none());
            }
        }
        "LESSOPEN" | "LESSCLOSE" => {
            if let Some(text) = known {
                let code = Arg::text(text.trim_start_matches(['|', '-', ' ']), span);
                shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
            }
        }
        "TAR_OPTIONS" | "RIPGREP_CONFIG_PATH" | "WGETRC" | "CURL_HOME"
            if known.is_some_and(|text| text.contains("checkpoint-action") || text.contains("to-command"))
                || names_temporary(shell, value) =>
        {
            shell.tell(&PRELOADED, shown(), span);
        }
        // One word names an ordinary editor or pager; it is started on a file, so nothing follows from it alone.
        name if COMMANDS.contains(&name)
            && known.is_some_and(|text| {
                text.split_whitespace().count() > 1 || text.contains(['/', ';', '|', '$', '`'])
            }) =>
        {
            let code = Arg { value: value.clone(), span };
            shell.run_code(Language::Shell(Dialect::Sh), &code, Feed::none());
        }
        _ => {}
    }
}

/// Whether a variable that says where a database or a queue is gets an address in production. One that is named so itself
/// only keeps it.
fn points_at_production(name: &str, value: &Value) -> bool {
    const STORES: &[&str] = &[
        "database",
        "db",
        "pg",
        "pghost",
        "pgdatabase",
        "postgres",
        "postgresql",
        "mysql",
        "mariadb",
        "redis",
        "mongo",
        "mongodb",
        "amqp",
        "rabbitmq",
        "kafka",
        "broker",
        "queue",
        "sqlalchemy",
        "datasource",
        "elasticsearch",
        "jdbc",
        "dsn",
        "clickhouse",
        "cassandra",
    ];
    const ADDRESSES: &[&str] = &[
        "url",
        "uri",
        "host",
        "dsn",
        "addr",
        "address",
        "endpoint",
        "brokers",
        "broker",
        "connection",
        "servers",
        "pghost",
        "pgdatabase",
        "string",
    ];
    // What a development server reloads by is alive in another sense.
    const LIVELY: &[&str] = &["reload", "server", "view", "preview", "share", "coding"];
    let is_production = |text: &str| {
        // A dot begins another name: `live.server.example.com` is a machine that is called `live`.
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_')).any(|name| {
            let mut words = name.split(['-', '_']).peekable();
            while let Some(word) = words.next() {
                let word = word.to_ascii_lowercase();
                let lively = word == "live" && words.peek().is_some_and(|next| LIVELY.contains(next));
                if matches!(word.as_str(), "prod" | "production" | "prd" | "live") && !lively {
                    return true;
                }
            }
            false
        })
    };
    let lower = name.to_ascii_lowercase();
    let has = |list: &[&str]| lower.split('_').any(|word| list.contains(&word));
    if is_production(name) || !has(STORES) || !has(ADDRESSES) {
        return false;
    }
    let from_variable = |origin: &Origin| matches!(origin, Origin::Variable(name) if is_production(name));
    // A password out of a variable does not hide the host behind it.
    let text: String =
        value.pieces().iter().map(|piece| if let Piece::Text(text) = piece { text } else { "x" }).collect();
    let bare = text.split_once("://").map_or(text.as_str(), |(_, rest)| rest);
    let bare = bare.split(['/', '?']).next().unwrap_or(bare);
    let host = bare.rsplit('@').next().unwrap_or(bare);
    value.origins().any(from_variable) || is_production(host)
}

/// Whether a shell is one that a system brings, by its name alone or by the place where systems keep it.
fn is_usual_shell(path: &str) -> bool {
    const PLACES: &[&str] = &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
    const OF_WINDOWS: &[&str] = &["c:/windows/", "c:/program files/", "c:/program files (x86)/"];
    let path = path.replace('\\', "/");
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let lower = format!("{}/", directory.to_ascii_lowercase());
    let at_home = directory.is_empty() && !path.contains('/')
        || PLACES.contains(&directory)
        || OF_WINDOWS.iter().any(|place| lower.starts_with(place)) && !lower.contains("/../");
    let name = name.trim_end_matches(".exe");
    at_home && matches!(name, "sh" | "bash" | "zsh" | "dash" | "pwsh" | "powershell" | "cmd")
}

/// Whether some entry of a list of paths lies where anybody may put files, or where what was fetched lies.
fn names_temporary(shell: &Shell<'_>, value: &Value) -> bool {
    value.shown().split(':').filter(|entry| entry.starts_with('/')).any(|entry| is_anybodys(shell, entry))
}

fn is_anybodys(shell: &Shell<'_>, directory: &str) -> bool {
    const OPEN: &[&str] = &["/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/run/shm"];
    let place = shell.place(&Value::text(directory));
    let fetched = place.path.strip_prefix(shell.whereabouts().home.as_str());
    place.scope == Scope::Temp
        || OPEN.contains(&place.path.as_str())
        || OPEN.iter().any(|open| is_within(&place.path, open))
        || fetched.is_some_and(|rest| is_within(rest, "/Downloads"))
}

/// An interpreter looks for modules in a directory before anywhere else, and is told to load one by its name.
pub fn search_modules(shell: &mut Shell<'_>, directory: &Arg) {
    if names_temporary(shell, &directory.value) {
        shell.tell(&PRELOADED, directory.shown(), directory.span);
    }
}

/// Directories before the old value decide what a name means.
fn judge_path(shell: &mut Shell<'_>, value: &Value, span: Span) {
    let text = value.prefix();
    let complete = value.known().is_some();
    let mut entries: Vec<&str> = text.split(':').collect();
    if !complete {
        // The last entry runs on into something unknown, mostly the old value.
        entries.pop();
    }
    for entry in entries {
        let foreign = match entry {
            "." => true,
            entry if entry.starts_with('/') => shell.place(&Value::text(entry)).scope == Scope::Temp,
            _ => false,
        };
        if foreign {
            shell.tell(&FOREIGN_PATH, entry, span);
            return;
        }
        if matches!(entry, "/usr/bin" | "/bin" | "/usr/local/bin") {
            return;
        }
    }
}
