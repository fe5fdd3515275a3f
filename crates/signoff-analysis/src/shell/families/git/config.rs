//! Settings of git that run programs, wherever they are set: on the command line, in a variable, or for good.

use signoff_model::{EffectKind, Unread};

use super::{Alias, Step, aliases, local, rules};
use crate::{
    facts::FileText,
    shell::{Call, Shell, options::Syntax, options::strip},
    value::{Arg, Feed, Value},
};

/// What a setting does to those who use git afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    /// The value is a command.
    Code,
    /// The value is a directory of hooks.
    Hooks,
    /// The value is a file of further settings.
    Include,
    /// The value is an alias.
    Alias,
    /// The key holds an address that stands for another.
    Redirect,
    /// The value may turn a safeguard off.
    Safeguard,
    /// Nothing special.
    Plain,
}

/// Keys whose value is a command, as section and last part; the part between is free.
const CODE: &[(&str, &str)] = &[
    ("core", "pager"),
    ("core", "editor"),
    ("core", "sshcommand"),
    ("core", "fsmonitor"),
    ("core", "askpass"),
    ("core", "gitproxy"),
    ("core", "alternaterefscommand"),
    ("sequence", "editor"),
    ("diff", "external"),
    ("diff", "command"),
    ("diff", "textconv"),
    ("filter", "clean"),
    ("filter", "smudge"),
    ("filter", "process"),
    ("merge", "driver"),
    ("mergetool", "cmd"),
    ("mergetool", "path"),
    ("difftool", "cmd"),
    ("difftool", "path"),
    ("credential", "helper"),
    ("gpg", "program"),
    ("gpg", "defaultkeycommand"),
    ("interactive", "difffilter"),
    ("uploadpack", "packobjectshook"),
    ("remote", "uploadpack"),
    ("remote", "receivepack"),
    ("trailer", "cmd"),
    ("trailer", "command"),
    ("browser", "cmd"),
    ("browser", "path"),
    ("man", "cmd"),
    ("man", "path"),
    ("guitool", "cmd"),
    ("hook", "command"),
    ("imap", "tunnel"),
    ("instaweb", "httpd"),
    ("instaweb", "browser"),
    ("sendemail", "sendmailcmd"),
    ("sendemail", "tocmd"),
    ("sendemail", "cccmd"),
    ("sendemail", "headercmd"),
    ("submodule", "update"),
    ("tar", "command"),
    ("lfs", "path"),
    ("web", "browser"),
];

/// Variables whose value git runs as a command.
pub(crate) const CODE_VARIABLES: &[&str] = &[
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "EDITOR",
    "VISUAL",
    "GIT_PAGER",
    "PAGER",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_PROXY_COMMAND",
    "BROWSER",
];

/// Those among them that stand between git and another machine, and so see what passes.
const TRANSPORT: &[&str] = &["GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS"];

/// Variables that name a directory or file from which git takes programs, hooks or settings.
pub(crate) const PLACE_VARIABLES: &[&str] =
    &["GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"];

/// Programs that people give to git as editor, pager, credential helper, filter and so on.
const USUAL_TOOLS: &[&str] = &[
    "vim",
    "vi",
    "nvim",
    "nano",
    "emacs",
    "emacsclient",
    "code",
    "code-insiders",
    "cursor",
    "zed",
    "subl",
    "micro",
    "hx",
    "helix",
    "kak",
    "gedit",
    "kate",
    "notepad",
    "notepad++",
    "atom",
    "mate",
    "less",
    "more",
    "cat",
    "most",
    "bat",
    "delta",
    "diff-so-fancy",
    "diff-highlight",
    "difft",
    "difftastic",
    "ydiff",
    "true",
    ":",
    "cache",
    "osxkeychain",
    "manager",
    "manager-core",
    "libsecret",
    "wincred",
    "gh",
    "glab",
    "oauth",
    "git-lfs",
    "git-crypt",
    "nbstripout",
    "ssh",
    "gpg",
    "gpg2",
    "ssh-keygen",
    "op-ssh-sign",
    "meld",
    "kdiff3",
    "p4merge",
    "opendiff",
    "vimdiff",
    "nvimdiff",
    "bc",
    "bcompare",
    "tkdiff",
    "smerge",
    "exiftool",
    "hexdump",
    "xxd",
    "pandoc",
    "pdftotext",
    "odt2txt",
    "docx2txt",
    "unzip",
    "base64",
    "firefox",
    "chromium",
    "xdg-open",
    "open",
    "lynx",
    "checkout",
    "merge",
    "rebase",
    "none",
    "lighttpd",
    "true",
    "false",
    "1",
    "0",
    "on",
    "off",
    "yes",
    "no",
    "auto",
    "git-credential-manager",
    "tig",
    "moar",
    "ov",
];

/// Settings given to this call or to the shell by variables.
pub(super) fn from_variables(shell: &mut Shell<'_>, call: &Call) -> Vec<Alias> {
    let mut aliases = Vec::new();
    for (name, value) in &call.variables {
        aliases.extend(variable(shell, name, value, call));
    }
    for name in CODE_VARIABLES.iter().chain(PLACE_VARIABLES) {
        if let Some(value) = shell.variable(name).cloned() {
            aliases.extend(variable(shell, name, &value, call));
        }
    }
    aliases
}

fn variable(shell: &mut Shell<'_>, name: &str, value: &Value, call: &Call) -> Vec<Alias> {
    let mut aliases = Vec::new();
    let arg = Arg { value: value.clone(), span: call.span };
    if CODE_VARIABLES.contains(&name) {
        run(shell, &arg);
        let foreign = if TRANSPORT.contains(&name) { !is_transport(&arg) } else { starts_shell(&arg) };
        if foreign {
            shell.tell(&rules::FOREIGN_CONFIG, format!("{name}={}", value.shown()), call.span);
        }
    } else if PLACE_VARIABLES.contains(&name) {
        if !matches!(value.known(), Some("" | "/dev/null")) {
            shell.tell(&rules::FOREIGN_CONFIG, value.shown(), call.span);
        }
    } else if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
        let wanted = format!("GIT_CONFIG_VALUE_{number}");
        let given = call.variables.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.clone());
        let given = Arg { value: given.unwrap_or_default(), span: call.span };
        match value.known() {
            Some(key) => aliases.extend(once(shell, key, &given)),
            None => shell.opaque(format!("{name}={}", value.shown()), call.span),
        }
    } else if name == "GIT_CONFIG_PARAMETERS" {
        for pair in value.shown().split('\'').filter(|part| part.contains('=')) {
            aliases.extend(from_pair(shell, &Arg::text(pair, call.span)));
        }
    }
    aliases
}

/// `-c key=value`: the alias if it is one.
pub(super) fn from_pair(shell: &mut Shell<'_>, pair: &Arg) -> Option<Alias> {
    let text = pair.value.prefix();
    // A key may hold an address, and an address an equals sign: the last dot in front of it ends the key's middle.
    let Some(at) = text.find('=') else {
        if pair.known().is_none() {
            shell.opaque(format!("git -c {}", pair.shown()), pair.span);
        }
        return None;
    };
    let key = text.get(..at).unwrap_or_default();
    let value = Arg { value: strip(&pair.value, at + 1), span: pair.span };
    once(shell, key, &value)
}

/// A setting that a new repository keeps: a program in it runs again and again.
pub(super) fn stays(shell: &mut Shell<'_>, pair: &Arg) {
    let text = pair.value.prefix();
    let key = text.split('=').next().unwrap_or(text);
    let value = text.get(key.len() + 1..).unwrap_or_default();
    // One word for a pager or an editor names an ordinary one.
    let off = matches!(value, "true" | "false" | "0" | "1" | "")
        || (key.ends_with("pager") || key.ends_with("editor")) && !value.contains([' ', '/', ';', '$', '`', '|']);
    if matches!(power(key), Power::Code) && !off {
        shell.tell(&rules::FOREIGN_CONFIG, pair.shown(), pair.span);
    }
}

/// `--config-env=key=VARIABLE`: the value is not to be seen.
pub(super) fn from_environment(shell: &mut Shell<'_>, pair: &Arg) {
    let shown = pair.shown();
    let text = shown.trim_start_matches("--config-env=");
    let (key, variable) = text.split_once('=').unwrap_or((text, ""));
    match shell.variable(variable).cloned() {
        Some(value) => {
            once(shell, key, &Arg { value, span: pair.span });
        }
        None if matches!(power(key), Power::Plain | Power::Safeguard) => {}
        None => shell.tell(&rules::FOREIGN_CONFIG, text, pair.span),
    }
}

/// A setting for one call: its program runs now.
fn once(shell: &mut Shell<'_>, key: &str, value: &Arg) -> Option<Alias> {
    match power(key) {
        Power::Code => {
            run(shell, value);
            let transport = ["core.sshcommand", "core.gitproxy", "core.askpass"];
            if transport.iter().any(|name| key.eq_ignore_ascii_case(name)) && !is_transport(value) {
                shell.tell(&rules::FOREIGN_CONFIG, format!("{key}={}", value.shown()), value.span);
            }
        }
        Power::Alias => {
            let name = key.split_once('.').map_or("", |(_, name)| name).to_owned();
            return Some(Alias { name, meaning: value.clone() });
        }
        power => special(shell, power, key, value),
    }
    None
}

/// What a setting means that is neither a command nor an alias.
fn special(shell: &mut Shell<'_>, power: Power, key: &str, value: &Arg) {
    match power {
        Power::Hooks if !matches!(value.known(), Some("" | "/dev/null")) => {
            shell.tell(&rules::HOOKS, value.shown(), value.span)
        }
        Power::Include => shell.tell(&rules::FOREIGN_CONFIG, value.shown(), value.span),
        Power::Redirect => {
            let base = key.get(4..).and_then(|rest| rest.rsplit_once('.')).map_or("", |(base, _)| base);
            let instead = value.shown();
            if leads_elsewhere(base, &instead) {
                shell.tell(&rules::REDIRECT, format!("{instead} → {base}"), value.span);
            }
        }
        Power::Safeguard if is_weak(key, value) => {
            shell.tell(&rules::WEAKEN, format!("{key}={}", value.shown()), value.span)
        }
        _ => {}
    }
}

/// Runs the value of a setting as git would: through a shell, or as the name of a helper.
fn run(shell: &mut Shell<'_>, value: &Arg) {
    let text = value.value.prefix();
    if value.known().is_some_and(|known| USUAL_TOOLS.contains(&known) || known.is_empty()) {
        return;
    }
    let code =
        if text.starts_with('!') { Arg { value: strip(&value.value, 1), span: value.span } } else { value.clone() };
    super::run_shell(shell, &code);
}

/// Whether a shell or a program that talks to other machines stands where an editor or a pager is expected.
fn starts_shell(value: &Arg) -> bool {
    let first = value.value.prefix().split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or_default();
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh" | "curl" | "wget" | "nc" | "ncat" | "socat")
}

/// Whether a value names an ordinary way to another machine, or an answer to the question for a password.
fn is_transport(value: &Arg) -> bool {
    const USUAL: &[&str] = &[
        "ssh",
        "ssh.exe",
        "plink",
        "plink.exe",
        "tortoiseplink",
        "autossh",
        "true",
        "false",
        "echo",
        ":",
        "sshpass",
        "env",
        "ssh-askpass",
        "ksshaskpass",
        "gnome-ssh-askpass",
        "x11-ssh-askpass",
        "git-gui--askpass",
        "gh",
        "glab",
        "proxytunnel",
        "connect-proxy",
        "corkscrew",
    ];
    // What follows the name is unknown only in options such as the file of a key.
    let text = value.value.prefix();
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or_default();
    let script = first.starts_with("./") || first.starts_with("scripts/") || first.starts_with("bin/");
    text.trim().is_empty() && value.known().is_some()
        || (USUAL.contains(&name) || script || name.ends_with("askpass.sh"))
            && !text.contains([';', '|', '`', '&'])
            && !text.contains("$(")
            && !text.contains("ProxyCommand")
}

fn power(key: &str) -> Power {
    let lower = key.to_ascii_lowercase();
    let Some((section, rest)) = lower.split_once('.') else { return Power::Plain };
    let last = rest.rsplit('.').next().unwrap_or(rest);
    match (section, last) {
        ("alias", _) => Power::Alias,
        ("pager", _) => Power::Code,
        ("core", "hookspath") | ("init", "templatedir") => Power::Hooks,
        ("include" | "includeif", "path") => Power::Include,
        ("url", "insteadof" | "pushinsteadof") => Power::Redirect,
        ("http" | "https", "sslverify") | ("protocol", "allow") | ("gpg", "allowedsignersfile") => Power::Safeguard,
        ("core", "protectntfs" | "protecthfs") | ("transfer" | "fetch" | "receive", "fsckobjects") => Power::Safeguard,
        ("http", "proxy" | "sslcainfo") | ("remote", "proxy") => Power::Safeguard,
        pair if CODE.contains(&pair) => Power::Code,
        _ => Power::Plain,
    }
}

fn is_weak(key: &str, value: &Arg) -> bool {
    let lower = key.to_ascii_lowercase();
    let Some(known) = value.known() else { return true };
    match lower.rsplit('.').next().unwrap_or_default() {
        "allow" => known != "never" && known != "user",
        "proxy" | "sslcainfo" | "allowedsignersfile" => false,
        _ => matches!(known, "false" | "0" | "no" | "off"),
    }
}

/// Whether an address leads to another machine than the one that it stands for.
fn leads_elsewhere(base: &str, instead: &str) -> bool {
    let (Some(to), Some(from)) = (host(base), host(instead)) else { return false };
    !to.eq_ignore_ascii_case(from)
}

/// The machine in an address such as `https://user@host/path` or `git@host:path`.
fn host(address: &str) -> Option<&str> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?']).next().unwrap_or(rest);
    let rest = rest.rsplit('@').next().unwrap_or(rest);
    let host = rest.split(':').next().unwrap_or(rest);
    (!host.is_empty()).then_some(host)
}

/// Whether the value of a command setting names only programs that people usually give to git.
fn is_usual(value: &Arg) -> bool {
    let Some(text) = value.known() else { return false };
    if text.contains([';', '&', '$', '`', '>', '<', '\n']) {
        return false;
    }
    text.trim_start_matches('!').split('|').all(|part| {
        let first = part.split_whitespace().next().unwrap_or_default().trim_matches('"');
        let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        USUAL_TOOLS.contains(&name)
            && (!first.contains('/') || !first.starts_with(['.', '/']) || first.starts_with("/usr/"))
            || matches!(part.split_whitespace().take(2).collect::<Vec<_>>().as_slice(), ["git", "lfs" | "lfs-filter"])
    })
}

const CONFIG: Syntax = Syntax {
    short_values: "ft",
    long_values: &["file", "blob", "type", "default", "comment", "value", "url"],
    long_flags: &[
        "global",
        "system",
        "local",
        "worktree",
        "get",
        "get-all",
        "get-regexp",
        "get-urlmatch",
        "get-color",
        "get-colorbool",
        "list",
        "unset",
        "unset-all",
        "rename-section",
        "remove-section",
        "replace-all",
        "add",
        "edit",
        "fixed-value",
        "show-origin",
        "show-scope",
        "name-only",
        "null",
        "includes",
    ],
    stops_at_operand: false,
    single_dash_long: false,
};

/// `git config …`: reading is free, writing depends on the key.
pub(super) fn command(shell: &mut Shell<'_>, step: &Step<'_>) -> Feed {
    let options = step.options(&CONFIG);
    if options.has(&["get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l"]) {
        return step.output();
    }
    // A person edits: the editor itself comes from variables and settings that are looked at elsewhere.
    if options.has(&["edit", "e"]) {
        return step.output();
    }
    // Newer git has verbs: `git config set key value`.
    let mut operands = options.operands.as_slice();
    let mut unsets = options.has(&["unset", "unset-all", "rename-section", "remove-section"]);
    match operands.first().and_then(|first| first.known()) {
        Some("list" | "get" | "get-all" | "edit") => return step.output(),
        Some("set") => operands = operands.get(1..).unwrap_or_default(),
        Some("unset" | "remove-section" | "rename-section") => unsets = true,
        _ => {}
    }
    if let Some(file) = options.value(&["file", "f"]).filter(|_| operands.len() > 1 || unsets) {
        shell.write(file, crate::path_effects::Write::Edit);
    }
    if options.has(&["system"]) && (operands.len() > 1 || unsets) {
        shell.tell(&rules::SYSTEM_CONFIG, step.shown(), step.span());
    }
    for alias in operands.iter().filter(|_| unsets).filter_map(|key| key.known()?.strip_prefix("alias.")) {
        aliases::remove(shell, alias, step.span());
    }
    let (Some(key), Some(value)) = (operands.first(), operands.get(1)) else {
        return if unsets { local(shell, EffectKind::Overwrite, step) } else { step.output() };
    };
    if unsets {
        return local(shell, EffectKind::Overwrite, step);
    }
    let Some(name) = key.known() else {
        // An address in the key may be unknown in part; what the key does is said by its end.
        if key.shown().to_ascii_lowercase().ends_with("insteadof") {
            shell.tell(&rules::REDIRECT, key.shown(), step.span());
        } else {
            shell.opaque(format!("git config {}", key.shown()), step.span());
        }
        return step.output();
    };
    match power(name) {
        Power::Code if name.eq_ignore_ascii_case("credential.helper") && value.value.prefix().starts_with("store") => {
            shell.tell(&rules::WEAKEN, format!("{name}={}", value.shown()), step.span());
        }
        Power::Code if is_usual(value) || value.value.is_empty() => {}
        Power::Code => {
            run(shell, value);
            shell.tell(&rules::CONFIG_CODE, format!("{name} = {}", value.shown()), step.span());
        }
        Power::Alias => {
            let alias = name.split_once('.').map_or("", |(_, alias)| alias);
            aliases::define(shell, alias, value);
            match value.known() {
                // Of a text for the shell the part that is known runs.
                _ if value.value.prefix().starts_with('!') => run(shell, value),
                None => shell.opaque(Unread::GitAlias(value.shown().into_owned()), value.span),
                // Whoever defines it means to use it.
                Some(text) => {
                    let words: Vec<Arg> = text.split_whitespace().map(|word| Arg::text(word, value.span)).collect();
                    if !words.is_empty() {
                        super::history::run_git(shell, step, &words);
                    }
                }
            }
        }
        power => special(shell, power, name, value),
    }
    local(shell, EffectKind::Overwrite, step)
}

/// What an alias means in the settings of the project or the user, if they can be read.
pub(super) fn stored_alias(shell: &Shell<'_>, name: &str) -> Option<String> {
    let project = format!("{}/.git/config", shell.whereabouts().project);
    let user = format!("{}/.gitconfig", shell.whereabouts().home);
    [project, user].iter().find_map(|path| match shell.facts().text(path) {
        FileText::Text(text) => alias_in(&text, name),
        _ => None,
    })
}

/// Finds an alias in the text of a settings file.
fn alias_in(text: &str, name: &str) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[alias]");
        } else if inside
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case(name)
        {
            found = Some(unquoted(value.trim()));
        }
    }
    found
}

/// A value of a settings file without its quotes.
fn unquoted(value: &str) -> String {
    let mut all = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {}
            '\\' => match letters.next() {
                Some('n') => all.push('\n'),
                Some('t') => all.push('\t'),
                Some(other) => all.push(other),
                None => {}
            },
            letter => all.push(letter),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_found_in_a_settings_file() {
        let text = "[user]\n\tname = x\n[alias]\n\tst = status -sb\n\tnuke = \"!git reset --hard && git clean -fdx\"\n";
        assert_eq!(alias_in(text, "st").as_deref(), Some("status -sb"));
        assert_eq!(alias_in(text, "nuke").as_deref(), Some("!git reset --hard && git clean -fdx"));
        assert_eq!(alias_in(text, "name"), None);
    }

    #[test]
    fn hosts_in_addresses() {
        assert_eq!(host("https://user:pw@github.com:443/x"), Some("github.com"));
        assert_eq!(host("git@github.com:"), Some("github.com"));
        assert_eq!(host("https://"), None);
        assert!(!leads_elsewhere("git@github.com:", "https://github.com/"));
        assert!(leads_elsewhere("https://evil.example/", "https://github.com/"));
    }
}
