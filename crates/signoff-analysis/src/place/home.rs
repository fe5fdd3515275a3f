//! What stands at a path below a home directory.

use super::{is_within, names, nature::Nature};
use crate::{
    facts::Whereabouts,
    value::{Origin, Piece, Unknown, Value},
    words::{Words, lines},
};

/// The same path with the name of the person in it who is logged in: `/home/$USER`, `/Users/$(whoami)`, `~$USER`. None if
/// nothing in it stands for that name.
pub fn with_user(value: &Value, whereabouts: &Whereabouts) -> Option<Value> {
    if !value.unknowns().any(is_user) {
        return None;
    }
    let user = whereabouts.home.rsplit('/').next().unwrap_or_default();
    let mut named = Value::default();
    for piece in value.pieces() {
        match piece {
            Piece::Unknown(unknown) if is_user(unknown) && named.known() == Some("~") => {
                named = Value::text(whereabouts.home.as_str());
            }
            Piece::Unknown(unknown) if is_user(unknown) => named.push(Piece::text(user)),
            piece => named.push(piece.clone()),
        }
    }
    Some(named)
}

/// Whether something unknown is the name of the person who is logged in.
pub fn is_user(unknown: &Unknown) -> bool {
    !unknown.origins.is_empty()
        && unknown.origins.iter().all(|origin| match origin {
            Origin::Variable(name) => matches!(name.as_str(), "USER" | "LOGNAME" | "USERNAME" | "SUDO_USER"),
            Origin::Program(name) => matches!(name.as_str(), "whoami" | "logname" | "id"),
            _ => false,
        })
}

/// The path below whoever's home directory it lies in.
pub(super) fn home_relative<'a>(path: &'a str, whereabouts: &Whereabouts) -> Option<&'a str> {
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

/// What stands there, if its place in a home directory tells.
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
    if matches!(rest, ".cache/huggingface/token" | ".cache/huggingface/stored_tokens") {
        return Some(Nature::Secret);
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
        ".huggingface/token",
        ".kaggle/kaggle.json",
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
