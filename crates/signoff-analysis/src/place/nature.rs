//! What kind of thing stands at a path, told by its name.

use signoff_model::Scope;

use super::{Extent, guess, is_within, names};
use crate::{
    facts::Whereabouts,
    words::{Words, lines},
};

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

/// Tells the nature of a place. `name` is the pattern or unknown name behind the directory unless the extent is exact.
pub(super) fn classify(path: &str, scope: Scope, extent: Extent, name: &str, whereabouts: &Whereabouts) -> Nature {
    match extent {
        Extent::Pattern => {
            let nature = of_pattern(of_path(path, scope, whereabouts), name);
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
    let below = pattern.trim_start_matches("**/");
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
        return match of_pattern(project, below) {
            Nature::Rebuilt => Nature::Rebuilt,
            Nature::Secret => Nature::Secret,
            _ if exact && names::REBUILT.holds(below) => Nature::Rebuilt,
            _ if names::VITAL_ENDINGS.iter().any(|ending| lower.ends_with(ending)) => Nature::SystemTree,
            _ => Nature::SystemFile,
        };
    }
    if exact && !matches!(inside, Nature::SystemTree | Nature::SystemFile) {
        return of_path(&format!("{}/{below}", directory.trim_end_matches('/')), scope, whereabouts);
    }
    if below.split('/').any(|part| names::REBUILT.holds(part)) {
        return Nature::Rebuilt;
    }
    of_pattern(inside, below)
}

/// What a pattern matches in a directory of this nature.
fn of_pattern(inside: Nature, name: &str) -> Nature {
    match inside {
        Nature::Root => return Nature::SystemTree,
        Nature::SystemTree | Nature::SystemFile => return Nature::SystemFile,
        Nature::HomeTree | Nature::ProjectTree | Nature::Ordinary | Nature::Source => {}
        nature => return nature,
    }
    let lower = name.to_ascii_lowercase();
    let last = lower.rsplit('/').next().unwrap_or(&lower);
    if names::REBUILT_ENDINGS.holds_ending_of(last) || last.ends_with('~') {
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
    if is_within(path, "/run/secrets")
        || is_within(path, "/var/run/secrets")
        || (path.starts_with("/proc/") && path.ends_with("/environ"))
    {
        return Nature::Secret;
    }
    if scope != Scope::Project && scope != Scope::Temp && is_own_program(path) {
        return Nature::Signoff;
    }
    if names::SIGNOFF_SYSTEM.iter().any(|own| is_within(path, own)) || names::is_own_socket(path) {
        return Nature::Signoff;
    }
    if ["/proc/self/fd/", "/proc/thread-self/fd/"].iter().any(|own| path.starts_with(own)) {
        return Nature::Stream;
    }
    if path.starts_with("/dev/") && scope != Scope::Temp {
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

/// Whether the path is that of the installed program `signoff`, or of its hook.
pub fn is_own_program(path: &str) -> bool {
    let Some((directory, name)) = path.rsplit_once('/') else { return false };
    matches!(name, "signoff" | "signoff-hook") && (directory.ends_with("/bin") || directory.ends_with("/sbin"))
}

fn home_relative<'a>(path: &'a str, whereabouts: &Whereabouts) -> Option<&'a str> {
    if let Some(rest) = path.strip_prefix(whereabouts.home.as_str()).and_then(|rest| rest.strip_prefix('/')) {
        return Some(rest);
    }
    if let Some(rest) = path.strip_prefix("/root/") {
        return Some(rest);
    }
    ["/home/", "/Users/"]
        .iter()
        .find_map(|parent| path.strip_prefix(parent))
        .and_then(|rest| rest.split_once('/'))
        .map(|(_, rest)| rest)
}

pub(super) fn in_home(rest: &str) -> Option<Nature> {
    if names::LOGIN_PROFILES.holds_start_of(rest) {
        return Some(Nature::LoginProfile);
    }
    if names::START_UP.holds_start_of(rest) {
        return Some(Nature::StartUp);
    }
    if rest == ".ssh/authorized_keys" || rest == ".ssh/authorized_keys2" || rest == ".ssh/rc" {
        return Some(Nature::SshAccess);
    }
    if rest == ".aws" {
        return Some(Nature::Secret);
    }
    if is_within(rest, ".ssh") {
        let public = rest == ".ssh/config" || rest.starts_with(".ssh/known_hosts") || rest.ends_with(".pub");
        return (!public).then_some(Nature::Secret);
    }
    if rest == ".cache" || rest.starts_with(".cache/") || is_within(rest, "Library/Caches") {
        return Some(Nature::Cache);
    }
    static CACHES: Words<32> = Words::of_lines(lines![
        ".npm/_cacache",
        ".npm",
        ".cargo/registry",
        ".cargo/git",
        ".gradle/caches",
        ".m2/repository",
        ".yarn/cache",
        ".pnpm-store",
        "go/pkg/mod",
        ".local/share/Trash",
        ".bun/install/cache",
        ".ivy2/cache",
        ".nuget/packages",
        ".composer/cache",
    ]);
    if CACHES.holds_start_of(rest) && !rest.ends_with("credentials") {
        return Some(Nature::Cache);
    }
    static SECRETS: Words<256> = Words::of_lines(lines![
        ".aws/credentials",
        ".aws/sso",
        ".aws/cli/cache",
        ".netrc",
        ".pgpass",
        ".my.cnf",
        ".pypirc",
        ".npmrc",
        ".git-credentials",
        ".docker/config.json",
        ".kube",
        ".gnupg",
        ".config/gh/hosts.yml",
        ".config/gcloud",
        ".azure",
        ".vault-token",
        ".config/hub",
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".terraform.d/credentials.tfrc.json",
        ".config/rclone/rclone.conf",
        ".password-store",
        ".local/share/keyrings",
        "Library/Keychains",
        ".mozilla",
        "Library/Application Support/Google/Chrome",
        "Library/Application Support/Firefox",
        ".config/google-chrome",
        ".config/chromium",
        ".config/BraveSoftware",
        "Library/Cookies",
        ".bitcoin",
        ".ethereum",
        ".config/solana",
        ".gem/credentials",
        ".config/op",
        ".config/heroku",
        ".config/netlify",
        ".fly/config.yml",
        ".config/doctl",
        ".claude/.credentials.json",
        ".codex/auth.json",
        ".gemini/oauth_creds.json",
        ".config/sops",
        ".config/age",
        "Library/Application Support/com.apple.TCC",
        ".oci/config",
        ".boto",
        ".s3cfg",
        ".thunderbird",
        ".bash_history",
        ".zsh_history",
        ".psql_history",
        ".mysql_history",
        ".python_history",
        ".node_repl_history",
        ".local/share/fish/fish_history",
        ".electrum",
        ".authinfo",
        ".authinfo.gpg",
        ".msmtprc",
        ".config/composer/auth.json",
        "AppData/Roaming/Microsoft/Credentials",
        "AppData/Local/Microsoft/Credentials",
        "AppData/Roaming/Microsoft/Protect",
        "AppData/Local/Google/Chrome/User Data",
        "AppData/Local/BraveSoftware",
        "AppData/Roaming/gcloud",
        "AppData/Roaming/GitHub CLI",
        "AppData/Roaming/NuGet/NuGet.Config",
    ]);
    if SECRETS.holds_start_of(rest) {
        return Some(Nature::Secret);
    }
    None
}

/// Names that mean the same wherever they stand.
pub(super) fn by_name(path: &str) -> Option<Nature> {
    // Nearly everything that means something wherever it stands is hidden.
    if path.starts_with('.') || path.contains("/.") {
        // Some file systems do not tell capital letters from small ones.
        if contains_ignoring_case(path, "signoff") && names::SIGNOFF.holds_part_of(&path.to_ascii_lowercase()) {
            return Some(Nature::Signoff);
        }
        if is_agent_directory(path) {
            return Some(Nature::AgentSettings);
        }
    }
    if names::AGENT_SETTINGS.holds_part_of(path) {
        return Some(Nature::AgentSettings);
    }
    let mut below = path.split('/').skip_while(|part| !matches!(*part, ".git" | ".husky"));
    match below.next() {
        Some(".git") => {
            let below: Vec<&str> = below.filter(|part| !part.is_empty()).collect();
            return Some(match below.as_slice() {
                ["hooks", ..] | ["config" | "config.worktree"] | ["info", "attributes"] => Nature::GitHooks,
                ["modules", .., "hooks" | "config"] => Nature::GitHooks,
                _ => Nature::GitStore,
            });
        }
        Some(_) => return Some(Nature::GitHooks),
        None => {}
    }
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if is_secret_name(&last.to_ascii_lowercase(), path) {
        return Some(Nature::Secret);
    }
    None
}

/// Whether the path is that of a directory as a whole in which a coding agent keeps its settings.
pub fn is_agent_directory(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    matches!(
        name,
        ".claude" | ".codex" | ".gemini" | ".cursor" | ".kiro" | ".windsurf" | ".roo" | ".continue" | ".qwen"
    )
}

fn contains_ignoring_case(text: &str, word: &str) -> bool {
    let Some(first) = word.bytes().next() else { return true };
    text.bytes().enumerate().any(|(at, byte)| {
        byte.eq_ignore_ascii_case(&first)
            && text.as_bytes().get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// Whether a file of this name, in lower case, holds a secret. The path gives the directories.
fn is_secret_name(name: &str, path: &str) -> bool {
    // Few names get beyond this question, which is why it comes first.
    sounds_secret(name, path) && !is_known_public(name) && {
        let path = path.to_ascii_lowercase();
        !path.contains("/fixtures/") && !path.contains("/testdata/")
    }
}

/// Names that sound like a secret and are none.
fn is_known_public(name: &str) -> bool {
    const EXAMPLES: &[&str] =
        &["example", "sample", "template", "dist", "defaults", "schema", "test-fixture", "fake", "dummy", "mock"];
    // Certificates are public; only their keys are not.
    const CERTIFICATES: &[&str] = &["cert", "chain", "ca-", "ca.", "cacert", "public", "bundle", "root"];
    let names = |words: &[&str]| words.iter().any(|word| name.contains(word));
    names(EXAMPLES)
        || ((name.ends_with(".pem") || name.ends_with(".asc")) && !name.contains("key") && names(CERTIFICATES))
        || [".pub", ".md", ".rs", ".py", ".go"].iter().any(|ending| name.ends_with(ending))
}

fn sounds_secret(name: &str, path: &str) -> bool {
    if name == ".env"
        || name == ".envrc"
        || name.starts_with(".env.")
        || (name.ends_with(".env") && !name.starts_with('.'))
    {
        return true;
    }
    if name.starts_with("id_rsa")
        || name.starts_with("id_ed25519")
        || name.starts_with("id_ecdsa")
        || name.starts_with("id_dsa")
    {
        return true;
    }
    static ENDINGS: Words<32> = Words::of_lines(lines![
        ".pem",
        ".key",
        ".p12",
        ".pfx",
        ".jks",
        ".keystore",
        ".kdbx",
        ".ppk",
        ".asc.key",
        ".p8",
        ".keytab",
        ".ovpn",
        ".gpg-key",
    ]);
    if ENDINGS.holds_ending_of(name) {
        return true;
    }
    static NAMES: Words<128> = Words::of_lines(lines![
        "credentials.json",
        "credentials",
        "client_secret.json",
        "client_secrets.json",
        "secrets.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.toml",
        "secrets.env",
        "secret.json",
        "secret.yaml",
        "secret.yml",
        "service-account.json",
        "serviceaccount.json",
        "service_account.json",
        "token.json",
        ".netrc",
        ".pgpass",
        ".htpasswd",
        "master.key",
        "credentials.yml.enc",
        "wallet.dat",
        "kubeconfig",
        ".git-credentials",
        ".vault_pass",
        "vault_pass.txt",
        ".npmrc",
        ".pypirc",
        "passwords.txt",
        "password.txt",
        "terraform.tfvars",
        "secrets.auto.tfvars",
        "accesstokens.json",
        "login data",
        "cookies.sqlite",
        "logins.json",
        "key4.db",
        "shadow",
        "gshadow",
        "api_keys.json",
        "apikeys.json",
        "api_key.txt",
        "token.txt",
        "tokens.json",
        ".secrets",
        "ssh_host_rsa_key",
        "ssh_host_ed25519_key",
        "ssh_host_ecdsa_key",
        "krb5.keytab",
        "opasswd",
        "auth.json",
    ]);
    let in_etc = || path.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("/etc"));
    NAMES.holds(name) && (!matches!(name, "shadow" | "gshadow") || in_etc())
}

fn device(path: &str) -> Nature {
    static STREAMS: Words<32> = Words::of_lines(lines![
        "/dev/null",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/stdin",
        "/dev/tty",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/console",
        "/dev/ptmx",
    ]);
    if STREAMS.holds(path)
        || path.starts_with("/dev/fd/")
        || path.starts_with("/dev/pts")
        || path.starts_with("/dev/tty")
    {
        return Nature::Stream;
    }
    if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
        return Nature::Connection;
    }
    // Devices that store nothing. Any other may be a disk, whatever its name.
    const OTHERS: &[&str] = &[
        "pty", "nul", "snd", "dsp", "audio", "mixer", "input", "dri", "video", "net", "kmsg", "log", "watchdog", "rtc",
        "bus", "char", "hidraw", "i2c", "lp", "fuse", "kvm", "vhost", "usb/", "serial", "uinput", "hpet", "ppp", "cu.",
        "vcs", "std",
    ];
    let name = path.trim_start_matches("/dev/");
    if OTHERS.iter().any(|other| name.starts_with(other)) { Nature::SystemFile } else { Nature::Disk }
}

fn system(path: &str) -> Nature {
    static ACCOUNTS: Words<32> = Words::of_lines(lines![
        "/etc/passwd",
        "/etc/shadow",
        "/etc/group",
        "/etc/gshadow",
        "/etc/sudoers",
        "/etc/sudoers.d",
        "/etc/pam.d",
        "/etc/ld.so.preload",
        "/etc/doas.conf",
        "/etc/security",
        "/etc/ssh/sshd_config",
        "/etc/polkit-1",
        "/etc/passwd-",
        "/etc/shadow-",
        "/private/etc/sudoers",
    ]);
    if ACCOUNTS.holds_start_of(path) {
        return Nature::Accounts;
    }
    static START_UP: Words<64> = Words::of_lines(lines![
        "/etc/cron.d",
        "/etc/cron.daily",
        "/etc/cron.hourly",
        "/etc/cron.weekly",
        "/etc/cron.monthly",
        "/etc/crontab",
        "/var/spool/cron",
        "/etc/rc.local",
        "/etc/init.d",
        "/etc/systemd/system",
        "/lib/systemd/system",
        "/usr/lib/systemd/system",
        "/etc/profile",
        "/etc/profile.d",
        "/etc/bash.bashrc",
        "/etc/zshrc",
        "/etc/environment",
        "/etc/xdg/autostart",
        "/Library/LaunchDaemons",
        "/Library/LaunchAgents",
        "/etc/udev/rules.d",
    ]);
    if START_UP.holds_start_of(path) {
        return Nature::StartUp;
    }
    if names::SYSTEM_TREES.holds(path) {
        return Nature::SystemTree;
    }
    if is_within(path, "/var/cache") || is_within(path, "/var/lib/apt/lists") {
        return Nature::Cache;
    }
    if is_within(path, "/var/www")
        || is_within(path, "/var/lib")
        || is_within(path, "/var/backups")
        || is_within(path, "/var/spool")
    {
        return Nature::Data;
    }
    Nature::SystemFile
}

/// Whether a path in the project lies in what a build makes. Among sources or data a name such as `build` or `reports` says
/// nothing, and names that are only often used so count at the top of the project alone.
fn is_rebuilt_in_project(parts: &[&str]) -> bool {
    const SURE: &[&str] =
        &["target", "build", "dist", "out", "obj", "coverage", "_build", ".cache", "tmp", "temp", ".tmp", ".temp"];
    let Some(at) = parts.iter().position(|part| names::REBUILT_IN_PROJECT.holds(part)) else { return false };
    let before = parts.get(..at).unwrap_or_default();
    let name = parts.get(at).copied().unwrap_or_default();
    if before.iter().any(|part| {
        matches!(*part, "src" | "lib" | "source" | "sources" | "include") || names::DATA_DIRECTORIES.holds(part)
    }) {
        return false;
    }
    SURE.contains(&name) || at == 0 && parts.len() == 1
}

/// Whether a path lies among what tests and documents show, where nothing runs.
fn is_sample(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "fixtures" | "testdata" | "examples" | "templates" | "docs"))
}

fn in_project(path: &str, scope: Scope, whereabouts: &Whereabouts) -> Nature {
    let relative =
        if scope == Scope::Project { path.strip_prefix(whereabouts.project.as_str()).unwrap_or(path) } else { path };
    let parts: Vec<&str> = relative.split('/').filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| names::REBUILT.holds(part)) || relative.contains("/vendor/bundle") {
        return Nature::Rebuilt;
    }
    if names::PIPELINES.holds_part_of(relative) && !is_sample(relative) {
        return Nature::Pipeline;
    }
    let last = parts.last().copied().unwrap_or_default();
    if names::LOCK_FILES.holds(last) {
        return Nature::Rebuilt;
    }
    let lower = last.to_ascii_lowercase();
    if names::REBUILT_ENDINGS.holds_ending_of(&lower) {
        return Nature::Rebuilt;
    }
    if scope == Scope::Project
        && (is_rebuilt_in_project(&parts) || last.starts_with("cmake-build-") || last.starts_with("bazel-"))
    {
        return Nature::Rebuilt;
    }
    if scope != Scope::Project && parts.len() >= 3 && matches!(last, "target" | "build" | "dist" | "out") {
        return Nature::Rebuilt;
    }
    if names::IMPORTANT.holds(&lower) || lower.contains(".prod.") || lower.contains(".production.") {
        return Nature::Important;
    }
    if names::DATA_ENDINGS.holds_ending_of(&lower) || parts.iter().any(|part| names::DATA_DIRECTORIES.holds(part)) {
        return Nature::Data;
    }
    if parts.first().is_some_and(|first| names::SOURCES.holds(first)) {
        return Nature::Source;
    }
    Nature::Ordinary
}
