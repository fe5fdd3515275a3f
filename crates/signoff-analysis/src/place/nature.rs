//! What kind of thing stands at a path, told by its name.

use std::borrow::Cow;

use signoff_model::Scope;

use super::{
    Extent, components, guess,
    home::{home_relative, in_home},
    in_project::{in_project, is_rebuilt_behind},
    is_within, names,
    secret_names::is_secret_name,
    system::{device, may_be_disk, system},
};
use crate::facts::Whereabouts;

/// What kind of thing stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// The root of the file system, or of a drive.
    Root,
    /// A whole tree of the operating system.
    SystemTree,
    /// A single file or directory of the operating system.
    SystemFile,
    /// Files that decide who may log in and who may become root.
    Accounts,
    /// A home directory as a whole, or all of them.
    HomeTree,
    /// A disk or partition.
    Disk,
    /// `/dev/null`, `/dev/stdout`, a terminal: nothing is stored there.
    Stream,
    /// `/dev/tcp/…`: bash opens a connection.
    Connection,
    /// Signoff's own files.
    Signoff,
    /// Configuration that decides what an agent may do.
    AgentSettings,
    /// What a login shell runs.
    LoginProfile,
    /// What starts by itself: autostart, cron, units.
    StartUp,
    /// Who may log in over ssh.
    SshAccess,
    /// A secret: keys, tokens, environment files.
    Secret,
    /// The repository's own store.
    GitStore,
    /// The repository's settings and hooks: they run programs.
    GitHooks,
    /// What a build server runs, with its secrets, as soon as it is pushed.
    Pipeline,
    /// The project as a whole, or a directory that holds it.
    ProjectTree,
    /// A file that the project does not work without: its main source, its manifest, its database settings.
    Important,
    /// Sources.
    Source,
    /// Data that nobody can build again.
    Data,
    /// What a build, a package manager or a test run makes again.
    Rebuilt,
    /// A cache.
    Cache,
    /// A temporary file.
    Temporary,
    /// Anything else.
    Ordinary,
}

impl Nature {
    /// Whether what stands there comes again, or is nobody's.
    pub fn is_passing(self) -> bool {
        matches!(self, Self::Temporary | Self::Rebuilt | Self::Cache | Self::Stream | Self::Connection)
    }
}

/// Tells the nature of a place. `name` is the pattern or unknown name behind the directory unless the extent is exact.
pub(super) fn classify(path: &str, scope: Scope, extent: Extent, name: &str, whereabouts: &Whereabouts) -> Nature {
    match extent {
        Extent::Pattern => {
            if scope == Scope::Project && is_rebuilt_behind(path, name, whereabouts) {
                return Nature::Rebuilt;
            }
            if path == "/dev" && may_be_disk(name) {
                return Nature::Disk;
            }
            let nature = of_pattern(of_path(path, scope, whereabouts), scope, name);
            // Below the root it is the last name that counts for what is read, and the first for what is deleted.
            let plain = matches!(nature, Nature::Ordinary | Nature::SystemFile | Nature::Data | Nature::Cache)
                || path == "/" && name.contains('/');
            return guess::of_pattern(path, name, whereabouts).filter(|_| plain).unwrap_or(nature);
        }
        Extent::Listed if !name.is_empty() => return of_list(path, scope, name, whereabouts),
        _ => {}
    }
    let nature = of_path(path, scope, whereabouts);
    if extent != Extent::Below {
        return nature;
    }
    // A name that is not known below a directory: the directory as a whole is not meant, what lies in it may be.
    match nature {
        Nature::Root | Nature::SystemTree => Nature::SystemFile,
        Nature::HomeTree | Nature::ProjectTree => Nature::Ordinary,
        nature => nature,
    }
}

/// What a list holds that is limited to a pattern, such as `**/*.pyc` or `**/node_modules`.
fn of_list(directory: &str, scope: Scope, pattern: &str, whereabouts: &Whereabouts) -> Nature {
    let mut below = pattern;
    while let Some(deeper) = below.strip_prefix("**/") {
        below = deeper;
    }
    if directory == "/dev" && may_be_disk(below) {
        return Nature::Disk;
    }
    let exact = !below.contains(['*', '?', '[']);
    let inside = of_path(directory, scope, whereabouts);
    if pattern == "*" && matches!(inside, Nature::Root | Nature::HomeTree | Nature::SystemTree) {
        return inside;
    }
    if let Some(grave) = guess::of_search(directory, scope, below) {
        return grave;
    }
    if inside == Nature::Root {
        // Machine-wide: what a system cannot run without, or anything else, but never the whole of it.
        let lower = below.to_ascii_lowercase();
        let project = of_path(&whereabouts.project, Scope::Project, whereabouts);
        return match of_pattern(project, scope, below) {
            Nature::Rebuilt => Nature::Rebuilt,
            Nature::Secret => Nature::Secret,
            _ if exact && names::REBUILT.holds(below) => Nature::Rebuilt,
            _ if names::VITAL_ENDINGS.iter().any(|ending| lower.ends_with(ending)) => Nature::SystemTree,
            _ => Nature::SystemFile,
        };
    }
    if exact && !matches!(inside, Nature::SystemTree | Nature::SystemFile) {
        let path = format!("{}/{below}", directory.trim_end_matches('/'));
        // What lies in a temporary directory is temporary; the directory itself belongs to the system.
        return of_path(&path, super::scope_of(&path, whereabouts), whereabouts);
    }
    if components(below).any(|part| names::REBUILT.holds(part))
        || scope == Scope::Project && is_rebuilt_behind(directory, pattern, whereabouts)
    {
        return Nature::Rebuilt;
    }
    of_pattern(inside, scope, below)
}

/// What a pattern matches in a directory of this nature.
fn of_pattern(inside: Nature, scope: Scope, name: &str) -> Nature {
    match inside {
        Nature::Root => return Nature::SystemTree,
        Nature::SystemTree | Nature::SystemFile => return Nature::SystemFile,
        Nature::HomeTree | Nature::ProjectTree | Nature::Ordinary | Nature::Source => {}
        nature => return nature,
    }
    let lower = name.to_ascii_lowercase();
    let last = lower.rsplit('/').next().unwrap_or(&lower);
    let left_over = scope == Scope::Project && names::LEFT_OVER.holds_ending_of(last);
    if names::REBUILT_ENDINGS.holds_ending_of(last) || last.ends_with('~') || left_over {
        return Nature::Rebuilt;
    }
    let first = name.split('/').next().unwrap_or(name);
    let stem = first.trim_end_matches('*').trim_end_matches(['-', '_', '.']);
    if name.split('/').any(|part| names::REBUILT.holds(part))
        || ["cmake-build", "bazel", "npm-debug.log"].contains(&stem)
    {
        return Nature::Rebuilt;
    }
    if is_secret_name(&lower.replace(['*', '?'], "x"), &lower) || last.starts_with(".env") {
        return Nature::Secret;
    }
    if names::DATA_ENDINGS.holds_ending_of(last) {
        return Nature::Data;
    }
    Nature::Ordinary
}

pub(super) fn of_path(path: &str, scope: Scope, whereabouts: &Whereabouts) -> Nature {
    if path == "/" {
        return Nature::Root;
    }
    // Most paths lie in none of the trees of the system that mean something of their own.
    let special = matches!(path.as_bytes().get(1..4), Some(b"run" | b"var" | b"pro" | b"etc" | b"dev"));
    if special
        && (is_within(path, "/run/secrets")
            || is_within(path, "/var/run/secrets")
            || path.strip_prefix("/proc").is_some_and(is_inside_process))
    {
        return Nature::Secret;
    }
    if scope != Scope::Project && scope != Scope::Temp && is_own_program(path) {
        return Nature::Signoff;
    }
    if special && names::SIGNOFF_SYSTEM.iter().any(|own| is_within(path, own)) || names::is_own_socket(path) {
        return Nature::Signoff;
    }
    if special && ["/proc/self/fd/", "/proc/thread-self/fd/"].iter().any(|own| path.starts_with(own)) {
        return Nature::Stream;
    }
    if special && path.starts_with("/dev/") && scope != Scope::Temp {
        return device(path);
    }
    if let Some(rest) = home_relative(path, whereabouts)
        && let Some(nature) = in_home(rest)
    {
        return nature;
    }
    if let Some(nature) = by_name(path) {
        return nature;
    }
    if scope == Scope::Temp {
        return Nature::Temporary;
    }
    if names::TEMPORARY.holds(path) {
        return Nature::Temporary;
    }
    if names::is_home_tree(path) || path == whereabouts.home {
        return Nature::HomeTree;
    }
    if scope == Scope::System {
        return system(path);
    }
    if path == whereabouts.project || is_within(&whereabouts.project, path) {
        return Nature::ProjectTree;
    }
    in_project(path, scope, whereabouts)
}

/// Whether a path below `/proc` leads to what a process keeps to itself: its variables, or the memory of another one, in
/// which there are passwords and keys.
pub(super) fn is_inside_process(below: &str) -> bool {
    let own = below.starts_with("/self/") || below.starts_with("/thread-self/");
    below.ends_with("/environ") || below.ends_with("/mem") && !own || below == "/kcore"
}

/// Whether the path is that of the installed program `signoff`, or of its hook.
pub fn is_own_program(path: &str) -> bool {
    let Some((directory, name)) = path.rsplit_once('/') else { return false };
    matches!(name, "signoff" | "signoff-hook") && (directory.ends_with("/bin") || directory.ends_with("/sbin"))
}

/// Names that mean the same wherever they stand.
pub(super) fn by_name(path: &str) -> Option<Nature> {
    // Nearly everything that means something wherever it stands is hidden.
    let bytes = path.as_bytes();
    let begins = |dot: usize| dot.checked_sub(1).is_none_or(|before| bytes.get(before) == Some(&b'/'));
    let hidden = memchr::memchr_iter(b'.', bytes).any(begins);
    if hidden {
        // Some file systems do not tell capital letters from small ones.
        if contains_ignoring_case(path, "signoff") && names::SIGNOFF.holds_part_of(&path.to_ascii_lowercase()) {
            return Some(Nature::Signoff);
        }
        if is_agent_directory(path) || names::AGENT_SETTINGS.holds_part_of(path) {
            return Some(Nature::AgentSettings);
        }
    }
    let last = path.trim_end_matches('/');
    let last = memchr::memrchr(b'/', last.as_bytes()).and_then(|slash| last.get(slash + 1..)).unwrap_or(last);
    if names::PLAIN_AGENT_SETTINGS.holds(last) {
        return Some(Nature::AgentSettings);
    }
    let mut below = components(path).skip_while(|part| !matches!(*part, ".git" | ".husky" | ".githooks"));
    match if hidden { below.next() } else { None } {
        Some(".git") => {
            let below: Vec<&str> = below.filter(|part| !part.is_empty()).collect();
            return Some(match below.as_slice() {
                ["hooks", ..] | ["config" | "config.worktree"] | ["info", "attributes"] => Nature::GitHooks,
                ["modules", .., "hooks" | "config"] => Nature::GitHooks,
                // What git puts there while it works, and leaves behind only when it was stopped.
                [lock] if lock.ends_with(".lock") => Nature::Temporary,
                _ => Nature::GitStore,
            });
        }
        Some(_) => return Some(Nature::GitHooks),
        None => {}
    }
    // Python runs these whenever it starts.
    if matches!(last, "sitecustomize.py" | "usercustomize.py") {
        return Some(Nature::StartUp);
    }
    if is_profile_of_powershell(last) {
        return Some(Nature::LoginProfile);
    }
    if is_secret_name(&lower(last), path) {
        return Some(Nature::Secret);
    }
    None
}

/// Whether PowerShell runs a file of this name whenever it starts, in one of the directories where it looks.
fn is_profile_of_powershell(name: &str) -> bool {
    name.len() > 11
        && name.get(name.len() - 11..).is_some_and(|end| end.eq_ignore_ascii_case("profile.ps1"))
        && name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("microsoft."))
}

/// The text in small letters; most names are written so.
pub(super) fn lower(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// Whether the path is that of a directory as a whole in which a coding agent keeps its settings.
pub fn is_agent_directory(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    matches!(
        name,
        ".claude"
            | ".codex"
            | ".gemini"
            | ".cursor"
            | ".kiro"
            | ".windsurf"
            | ".roo"
            | ".continue"
            | ".qwen"
            | ".cline"
            | ".kimi-code"
    )
}

fn contains_ignoring_case(text: &str, word: &str) -> bool {
    let Some(first) = word.bytes().next() else { return true };
    text.bytes().enumerate().any(|(at, byte)| {
        byte.eq_ignore_ascii_case(&first)
            && text.as_bytes().get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_look_lets_no_tree_of_the_system_pass() {
        let whereabouts = Whereabouts::assumed();
        let of = |path: &str| of_path(path, Scope::System, &whereabouts);
        for own in names::SIGNOFF_SYSTEM {
            assert_eq!(of(own), Nature::Signoff, "{own}");
            assert_eq!(of(&format!("{own}/x")), Nature::Signoff, "{own}/x");
        }
        for secret in ["/run/secrets", "/run/secrets/db", "/var/run/secrets/db", "/proc/1/environ", "/proc/1/mem"] {
            assert_eq!(of(secret), Nature::Secret, "{secret}");
        }
        for stream in ["/proc/self/fd/1", "/proc/thread-self/fd/1"] {
            assert_eq!(of(stream), Nature::Stream, "{stream}");
        }
        assert_eq!(of("/dev/sda"), Nature::Disk);
    }
}
