//! Secrets: password stores, key rings, keys and certificates, and the environment.

pub mod handed;
pub(crate) mod hostage;
mod keys;
mod owners;
mod stores;
#[cfg(test)]
mod tests;
mod variables;

pub use keys::openssl;
pub use owners::is_strange_to;
use signoff_model::{EffectKind, Reversible, Risk, Secret};
#[cfg(test)]
pub(super) use stores::DESCRIPTIONS;
pub use variables::{SECRET_WORDS, is_grave_variable, is_harmless_variable, is_secret_name, is_secret_variable};

use super::tool::speak;
use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell},
    value::{Arg, Feed, Origin},
};

rules! {
    SHOW_SECRET = Rule::new("show-secret", EffectKind::SecretRead, Risk::High, "shows a stored secret: {}", "显示已保存的机密：{}")
        .priority(Priority::P0)
        .examples(&["pass show github", "security find-generic-password -s github -w", "gpg --export-secret-keys", "op read op://a/b/c", "secret-tool lookup a b"], &["pass ls", "gpg --list-keys", "op vault list"]);
    SHOW_ENVIRONMENT = Rule::new("show-environment", EffectKind::SecretRead, Risk::High, "shows the environment with whatever secrets it holds: {}", "显示可能包含机密的环境变量：{}")
        .examples(&["printenv", "printenv AWS_SECRET_ACCESS_KEY", "env"], &["printenv HOME", "printenv NODE_ENV"]);
    CHANGE_STORE = Rule::new("change-secret-store", EffectKind::Overwrite, Risk::High, "changes or deletes stored secrets or keys: {}", "更改或删除已保存的机密或密钥：{}")
        .reversible(Reversible::No)
        .examples(&["pass rm github", "pass init ABCD", "gpg --delete-secret-keys x", "security delete-keychain login.keychain"], &["pass ls", "gpg --verify x.sig"]);
    ENCRYPT_EACH = Rule::new("encrypt-each", EffectKind::Overwrite, Risk::High, "encrypts each file of {}", "逐个加密 {} 中的文件")
        .examples(&["for f in ~/Documents/*; do gpg -c \"$f\"; done"], &["gpg -c notes.txt", "for f in *.log; do gpg -c \"$f\"; done"]);
    RANSOM = Rule::new("encrypt-and-remove", EffectKind::Delete, Risk::Critical, "encrypts the files of {} and leaves nothing of what they were", "加密 {} 中的文件并清除原件")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["for f in ~/Documents/*; do gpg -c \"$f\" && shred -u \"$f\"; done", "for f in ~/Documents/*; do 7z a -pX -sdel \"$f.7z\" \"$f\"; done"], &["gpg -c notes.txt && rm notes.txt", "for f in ~/Documents/*; do gpg -c \"$f\"; done"]);
    TRUST = Rule::new("change-trust", EffectKind::System, Risk::High, "changes which certificates or keys are trusted: {}", "更改受信任的证书或密钥：{}")
        .examples(&["mkcert -install", "certbot renew"], &["mkcert example.test", "certbot certificates"]);
}

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[find, stores::find];

fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "printenv" => printenv,
        "gpg" | "gpg2" | "gpg1" | "gpgsm" | "sq" => keys::gpg,
        "certutil" => certutil,
        "unshadow" => keys::unshadow,
        "age" | "rage" => keys::age,
        "ccrypt" | "ccencrypt" | "ccdecrypt" | "mcrypt" | "aescrypt" => hostage::in_place,
        _ => return None,
    })
}

/// Two programs have this name: the one of Windows also fetches and decodes files.
fn certutil(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let of_windows = |arg: &crate::value::Arg| {
        let text = arg.shown().to_ascii_lowercase();
        matches!(
            text.trim_start_matches(['-', '/']),
            "urlcache" | "verifyctl" | "decode" | "decodehex" | "addstore" | "delstore" | "importpfx"
        )
    };
    if call.args.iter().any(of_windows) {
        return super::windows::certificates(shell, call);
    }
    if call.has_any(&["-A", "-D", "-M", "-F", "-W"]) {
        speak(shell, call, &TRUST, 0);
    }
    call.output()
}

fn printenv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return call.output();
    }
    let names: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    let secret = names.iter().find(|name| name.known().is_none_or(is_secret_variable));
    match secret {
        Some(name) => {
            shell.tell(&SHOW_ENVIRONMENT, name.shown().into_owned(), name.span);
            Feed::from(Origin::Secret(name.shown().into_owned()))
        }
        None if names.is_empty() => environment(shell, call),
        None => match names.as_slice() {
            [only] => Feed::of(shell.environment_variable(only.known().unwrap_or_default())),
            _ => call.output(),
        },
    }
}

/// The whole environment is printed: `printenv`, `env`, `export -p`, `set`, `declare -p`.
pub fn environment(shell: &mut Shell<'_>, call: &Call) -> Feed {
    speak(shell, call, &SHOW_ENVIRONMENT, 0);
    Feed::from(Origin::Secret(Secret::Environment.to_string()))
}
