//! What a path may lead to when a part of it is a pattern or is not known: only what would be grave is guessed.

use signoff_model::Scope;

use super::{Nature, home::in_home, is_within, names, nature};
use crate::{facts::Whereabouts, shell::expand::pattern::Pattern, words::is_listed};

/// Files and directories in a home that a pattern is tried on.
const IN_HOME: &[&str] = &[
    ".ssh",
    ".ssh/id_rsa",
    ".ssh/id_ed25519",
    ".ssh/id_ecdsa",
    ".ssh/authorized_keys",
    ".aws",
    ".aws/credentials",
    ".gnupg",
    ".netrc",
    ".pgpass",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".docker/config.json",
    ".kube",
    ".kube/config",
    ".config/gcloud",
    ".config/gh/hosts.yml",
    ".bash_history",
    ".claude/settings.json",
    ".claude/.credentials.json",
    ".signoff",
    ".config/signoff",
    ".local/share/signoff",
    ".local/state/signoff",
    ".cache/signoff",
];

/// The same anywhere else.
const ELSEWHERE: &[&str] = &[
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/passwd",
    "/proc/self/environ",
    "/proc/1/environ",
    "/proc/1/mem",
    "/etc/signoff",
    "/var/lib/signoff",
    "/run/signoff",
];

/// Names of files that a search through a home or a whole machine is tried on.
const SEARCHED: &[&str] = &[
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    ".netrc",
    ".pgpass",
    ".git-credentials",
    ".npmrc",
    "credentials",
    ".bash_history",
    "authorized_keys",
];

/// No path that a pattern is tried on has more parts behind any directory.
const MOST_PARTS: usize = 16;
/// A pattern with fewer letters of its own says nothing about what is meant.
const LETTERS: usize = 2;
/// A pattern that is to mean one name, and nothing but that name, has this many letters.
const TELLING_LETTERS: usize = 3;

/// Whether somebody should look at what happens at a place of this nature even if it is only likely to be one.
pub(super) fn is_grave(nature: Nature) -> bool {
    matches!(
        nature,
        Nature::Signoff
            | Nature::AgentSettings
            | Nature::LoginProfile
            | Nature::StartUp
            | Nature::SshAccess
            | Nature::Secret
            | Nature::GitHooks
            | Nature::Accounts
    )
}

/// What a pattern behind a directory could match that would be grave.
pub(super) fn of_pattern(directory: &str, name: &str, whereabouts: &Whereabouts) -> Option<Nature> {
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
    if letters(name) == 0 {
        return None;
    }
    // No candidate has more parts than these, and each part is tried on all of them.
    let patterns: Vec<Pattern> = parts.iter().take(MOST_PARTS).map(|part| Pattern::new(part)).collect();
    let try_on = |candidate: &str| {
        let rest = if is_within(candidate, directory) { candidate.strip_prefix(directory)? } else { return None };
        let wanted: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        let fits = patterns.len() >= wanted.len()
            && parts.iter().zip(&patterns).zip(&wanted).all(|((written, pattern), part)| {
                // A wildcard does not match a leading dot.
                written == part || (!part.starts_with('.') || written.starts_with(['.', '['])) && pattern.matches(part)
            });
        // Parts behind the candidate lie in it.
        let behind = parts.get(wanted.len()..).unwrap_or_default();
        let said = wanted.len().checked_sub(1).and_then(|last| parts.get(last)).is_some_and(|part| letters(part) > 0);
        if !fits || !said {
            return None;
        }
        let whole = std::iter::once(candidate).chain(behind.iter().copied()).collect::<Vec<_>>().join("/");
        let exact = behind.iter().all(|part| letters(part) == part.len());
        let scope = super::scope_of(&whole, whereabouts);
        let found = nature::of_path(if exact { &whole } else { candidate }, scope, whereabouts);
        let telling = found != Nature::Signoff || {
            let last = wanted.len().checked_sub(1).and_then(|last| parts.get(last)).copied().unwrap_or_default();
            letters(last) >= TELLING_LETTERS
        };
        (is_grave(found) && telling).then_some(found)
    };
    let home = IN_HOME.iter().filter_map(|relative| try_on(&format!("{}/{relative}", whereabouts.home)));
    let others = ELSEWHERE.iter().filter_map(|path| try_on(path));
    let environment = environment_of(directory, name);
    home.chain(others).chain(environment).max_by_key(|nature| weight(*nature))
}

/// An environment file may lie in any directory, and a pattern of hidden names may match it.
fn environment_of(directory: &str, name: &str) -> Option<Nature> {
    let last = name.rsplit('/').next().unwrap_or_default();
    let matches = last.starts_with(['.', '[']) && letters(last) > 0 && Pattern::new(last).matches(".env");
    if matches { nature::by_name(&format!("{directory}/.env")) } else { None }
}

/// What a search below a directory finds that would be grave: `pattern` is that of a name, or of the end of a path.
pub(super) fn of_search(directory: &str, scope: Scope, pattern: &str) -> Option<Nature> {
    // In a project such names are ordinary ones.
    if is_within(directory, "/proc") && matches!(pattern.rsplit('/').next(), Some("environ" | "mem")) {
        return Some(Nature::Secret);
    }
    let personal = directory == "/" || matches!(scope, Scope::Home | Scope::System);
    let lower = pattern.to_ascii_lowercase();
    let last = lower.rsplit('/').next().unwrap_or_default();
    if !personal || letters(last) < LETTERS {
        return None;
    }
    let (tried, count) = (Pattern::new(last), letters(last));
    if count >= TELLING_LETTERS && (lower.contains("signoff") || tried.matches("signoff")) {
        return Some(Nature::Signoff);
    }
    let below = |tree: &str| directory == "/" || is_within(directory, tree);
    let secret = SEARCHED.iter().any(|name| count >= TELLING_LETTERS && tried.matches(name))
        || below("/etc") && ["shadow", "gshadow"].iter().any(|name| count >= 4 && tried.matches(name))
        || lower.split('/').any(|part| {
            let stem = part.trim_matches(['*', '.', '?']);
            matches!(stem, "ssh" | "aws" | "gnupg" | "kube" | "id_rsa" | "id_ed25519")
        });
    secret.then_some(Nature::Secret)
}

/// What stands behind a beginning that is not known: a directory of some home, as often as not.
pub(super) fn of_ending(before: &str, ending: &str) -> Option<Nature> {
    let relative = ending.strip_prefix('/')?.trim_start_matches('/');
    if before == "/proc/" && nature::is_inside_process(ending) {
        return Some(Nature::Secret);
    }
    in_home(relative)
        .or_else(|| nature::by_name(ending))
        .or_else(|| runs_by_itself(relative))
        .filter(|nature| is_grave(*nature))
}

/// What runs by itself wherever such a directory is: `$(git rev-parse --git-path hooks)/pre-commit`.
fn runs_by_itself(relative: &str) -> Option<Nature> {
    const PROFILES: &[&str] = &["profile.d/", "etc/bashrc.d/", "site-packages/"];
    let name = relative.rsplit('/').next().unwrap_or(relative);
    if names::is_hook(name) {
        return Some(Nature::GitHooks);
    }
    let starts = name.ends_with(".pth") || is_listed("sitecustomize.py usercustomize.py", name);
    let is_profile = relative.ends_with(".sh") && PROFILES.iter().any(|tree| relative.contains(tree));
    (starts || is_profile).then_some(Nature::LoginProfile)
}

/// What stands behind a variable that names one of a person's own directories.
pub(super) fn of_variable(variable: &str, ending: &str) -> Option<Nature> {
    let base = match variable {
        "XDG_CONFIG_HOME" => "/.config",
        "XDG_DATA_HOME" => "/.local/share",
        "XDG_STATE_HOME" => "/.local/state",
        "XDG_CACHE_HOME" => "/.cache",
        "XDG_RUNTIME_DIR" => {
            return names::is_own_socket(&format!("/run/user/0{ending}")).then_some(Nature::Signoff);
        }
        _ => return None,
    };
    of_ending("", &format!("{base}{ending}"))
}

/// The number of letters in a pattern that stand for themselves.
fn letters(pattern: &str) -> usize {
    let mut count = 0;
    let mut class = false;
    for letter in pattern.chars() {
        match letter {
            '[' => class = true,
            ']' if class => {
                class = false;
                count += 1;
            }
            '*' | '?' | '/' | '.' => {}
            _ if class => {}
            _ => count += 1,
        }
    }
    count
}

/// How grave it is to be wrong about a place.
fn weight(nature: Nature) -> u8 {
    match nature {
        Nature::Signoff => 3,
        Nature::SshAccess | Nature::Accounts => 2,
        _ => 1,
    }
}
