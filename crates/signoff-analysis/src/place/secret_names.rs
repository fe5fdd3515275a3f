//! Files whose names tell that they hold a secret.

use crate::words::{Words, lines};

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
    const EXAMPLES: &[&str] =
        &["example", "sample", "template", "dist", "defaults", "schema", "test-fixture", "fake", "dummy", "mock"];
    // Certificates are public; only their keys are not.
    const CERTIFICATES: &[&str] = &["cert", "chain", "ca-", "ca.", "cacert", "public", "bundle", "root"];
    let names = |words: &[&str]| words.iter().any(|word| name.contains(word));
    names(EXAMPLES)
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
