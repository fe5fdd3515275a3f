//! Files whose names tell that they hold a secret.

use crate::words::{Words, is_listed, lines};

/// Whether a file of this name, in lower case, holds a secret. The path gives the directories.
pub(super) fn is_secret_name(name: &str, path: &str) -> bool {
    // Few names get beyond this question, which is why it comes first.
    sounds_secret(name, path) && !is_known_public(name) && {
        let path = path.to_ascii_lowercase();
        !path.contains("/fixtures/") && !path.contains("/testdata/")
    }
}

/// Names that sound like a secret and are none.
fn is_known_public(name: &str) -> bool {
    const EXAMPLES: &str =
        "example examples sample samples template tmpl tpl default defaults schema fixture fixtures fake dummy mock";
    // Certificates are public; only their keys are not.
    const CERTIFICATES: &[&str] = &["cert", "chain", "ca-", "ca.", "cacert", "public", "bundle", "root"];
    let names = |words: &[&str]| words.iter().any(|word| name.contains(word));
    // A key of the host `example.com` is a key.
    let without_host =
        ["example.com", "example.org", "example.net"].iter().fold(name.to_owned(), |name, host| name.replace(host, ""));
    let mut words = without_host.split(|sign: char| !sign.is_alphanumeric());
    // Elsewhere in a name, `dist` is short for the distribution of an app, and its certificate is real.
    name.ends_with(".dist")
        || words.any(|word| is_listed(EXAMPLES, word))
        || ((name.ends_with(".pem") || name.ends_with(".asc")) && !name.contains("key") && names(CERTIFICATES))
        || [".pub", ".md", ".rs", ".py", ".go", ".enc"].iter().any(|ending| name.ends_with(ending))
}

fn sounds_secret(name: &str, path: &str) -> bool {
    if name.ends_with(".tfstate")
        || name == ".env"
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
        "terraform.tfvars.json",
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
    let is_meant = match name {
        "shadow" | "gshadow" => in_etc(),
        "tokens.json" => !is_of_design(path),
        _ => true,
    };
    NAMES.holds(name) && is_meant || says_so(name, path)
}

/// Whether a path leads to where colours and spacings are kept, which designers call tokens.
fn is_of_design(path: &str) -> bool {
    path.split('/').any(|part| is_listed("style styles design design-tokens tokens theme themes css ui", part))
}

/// Whether the words of a name, or a directory above it, say that something is kept secret there. Only of what holds data:
/// code, pages and templates about passwords have such names as well.
fn says_so(name: &str, path: &str) -> bool {
    let (stem, ending) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""));
    static DATA: Words<64> = Words::new(
        "txt csv tsv xls xlsx doc docx ods odt numbers json jsonc yaml yml toml ini conf cfg cnf properties xml plist bak old tfvars",
    );
    if !ending.is_empty() && !DATA.holds(ending) {
        return name == "wp-config.php";
    }
    (!ending.is_empty() && stem_says_so(stem)) || is_kept_among_secrets(path)
}

fn stem_says_so(stem: &str) -> bool {
    if !stem.is_ascii() {
        // In other languages, wherever in the name.
        const FOREIGN: &[&str] = &[
            "密码",
            "密碼",
            "口令",
            "密钥",
            "密鑰",
            "私钥",
            "私鑰",
            "凭证",
            "凭据",
            "憑證",
            "令牌",
            "秘钥",
            "パスワード",
            "秘密鍵",
            "비밀번호",
            "비밀키",
            "пароль",
            "пароли",
            "contraseña",
            "passwörter",
        ];
        return FOREIGN.iter().any(|word| stem.contains(word));
    }
    let mut words = stem.rsplit(['-', '_', '.', ' ']);
    match words.next().unwrap_or_default() {
        "password" | "passwords" | "passwd" | "secret" | "secrets" | "credential" | "credentials" | "creds"
        | "apikey" | "apikeys" | "contrasenas" | "passwort" | "passwoerter" | "senha" | "senhas" => true,
        // A key may also be one of a table, of a map or of a translation.
        "key" => words.next().is_some_and(|before| {
            is_listed(
                "account service gcp gcloud google firebase aws azure api private admin sa deploy signing",
                before,
            )
        }),
        "passe" => stem.contains("mot"),
        _ => false,
    }
}

/// Whether a file lies in a directory of secrets that are in use.
fn is_kept_among_secrets(path: &str) -> bool {
    if !path.contains("secret") && !path.contains("credentials") && path.is_ascii() {
        return path.starts_with("/etc/wireguard/") || path == "/etc/kubernetes/admin.conf";
    }
    let Some((above, _)) = path.rsplit_once('/') else { return false };
    const FOREIGN: &[&str] = &["秘密", "密钥", "密码", "凭证", "凭据"];
    let keeps = |part: &str| {
        matches!(part, "secret" | "secrets" | ".secret" | ".secrets" | "credentials" | ".credentials")
            || FOREIGN.contains(&part)
    };
    let only_shows =
        |part: &str| is_listed("test tests __tests__ spec specs example examples docs templates crates", part);
    above.split('/').any(keeps) && !above.split('/').any(only_shows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_directories_say_what_is_secret() {
        for path in [
            "/p/secrets/prod.yml",
            "/p/secret/prod.json",
            "/p/.secrets/token",
            "/p/secret.txt",
            "/p/db_password.txt",
            "/p/aws-credentials.csv",
            "/p/service-account-key.json",
            "/p/gcp-key.json",
            "/p/wp-config.php",
            "/p/配置/密码.txt",
            "/p/密码.xlsx",
            "/p/配置/凭证.json",
            "/p/秘密/生产.yaml",
            "/p/パスワード.txt",
            "/p/비밀번호.txt",
            "/p/пароли.txt",
            "/p/contraseñas.csv",
            "/p/mots_de_passe.txt",
            "/p/certs/apple_distribution.p12",
            "/p/certs/dist.p12",
            "/p/dist_key.pem",
            "/p/mocking_bird.key",
            "/p/certs/www.example.com.key",
            "/p/infra/secrets.tfvars",
            "/p/terraform.tfvars.json",
            "/p/tokens.json",
            "/etc/wireguard/wg0.conf",
            "/etc/kubernetes/admin.conf",
        ] {
            let name = path.rsplit('/').next().unwrap_or_default();
            assert!(is_secret_name(name, path), "{path}");
        }
        for path in [
            "/p/src/secrets/mod.rs",
            "/p/src/password.ts",
            "/p/docs/secrets.md",
            "/p/tests/secrets/case.json",
            "/p/charts/app/templates/secrets/db.yaml",
            "/p/design-tokens.json",
            "/p/src/styles/tokens.json",
            "/p/.env.dist",
            "/p/.env.example",
            "/p/.env.sample.local",
            "/p/credentials.json.tmpl",
            "/p/tokenizer.json",
            "/p/secret-santa.json",
            "/p/password-reset.html",
            "/p/primary-key.json",
            "/p/public-key.json",
            "/p/secrets.example.yaml",
            "/p/密码学/讲义.md",
            "/p/wp-config-sample.php",
            "/p/locales/keys.json",
        ] {
            let name = path.rsplit('/').next().unwrap_or_default();
            assert!(!is_secret_name(name, path), "{path}");
        }
    }
}
