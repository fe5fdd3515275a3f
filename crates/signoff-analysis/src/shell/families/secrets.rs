//! Secrets: password stores, key rings, keys and certificates, and the environment.

use signoff_model::{Dialect, EffectKind, Reversible, Risk};

use super::{
    network,
    tool::{self, Does::*, Tool, speak, tools},
};
use crate::{
    path_effects::{Write, rules},
    place::Nature,
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Language, Shell, Written,
        options::{Options, Syntax},
    },
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
    TRUST = Rule::new("change-trust", EffectKind::System, Risk::High, "changes which certificates or keys are trusted: {}", "更改受信任的证书或密钥：{}")
        .examples(&["mkcert -install", "certbot renew"], &["mkcert example.test", "certbot certificates"]);
}

/// Names of variables whose value is of no concern.
const HARMLESS_NAMES: &str = "HOME PATH USER LOGNAME SHELL LANG LANGUAGE PWD OLDPWD NODE_ENV EDITOR VISUAL TERM PAGER DISPLAY \
    HOSTNAME TMPDIR TZ SHLVL \
    LC_ALL LC_CTYPE XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_SESSION_TYPE JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME VIRTUAL_ENV CONDA_PREFIX \
    PYTHONPATH RUSTFLAGS CI GITHUB_ACTIONS RAILS_ENV APP_ENV COLORTERM COLUMNS LINES MANPATH LD_LIBRARY_PATH NVM_DIR DEBUG PORT \
        HOST KUBECONFIG";

/// Whether the name of a variable says that its value is a secret.
pub fn is_secret_variable(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    if HARMLESS_NAMES.split_ascii_whitespace().any(|harmless| harmless == upper) {
        return false;
    }
    // A place where a secret lies, a number or a name about it is not the secret.
    const ABOUT: &[&str] = &[
        "_PATH", "_FILE", "_DIR", "_ID", "_NAME", "_URL", "_LENGTH", "_COUNT", "_ENABLED", "_TYPE", "_EXPIRY", "_TTL",
        "_PUB", "_PUBLIC", "_SOCK", "_INDEX", "_SIZE", "_VERSION",
    ];
    if ABOUT.iter().any(|ending| upper.ends_with(ending))
        || upper.contains("PUBLIC_KEY")
        || upper.contains("KEYBOARD")
        || upper.contains("TOKENIZER")
        || upper.contains("MAX_TOKENS")
    {
        return upper == "DATABASE_URL";
    }
    upper.split('_').any(|part| {
        matches!(
            part,
            "TOKEN"
                | "TOKENS"
                | "SECRET"
                | "SECRETS"
                | "PASSWORD"
                | "PASSWD"
                | "PASS"
                | "PASSPHRASE"
                | "PWD"
                | "CREDENTIAL"
                | "CREDENTIALS"
                | "APIKEY"
                | "PAT"
                | "KEY"
                | "AUTH"
                | "PRIVATE"
                | "DSN"
                | "WEBHOOK"
                | "SESSION"
                | "COOKIE"
                | "JWT"
                | "PASSCODE"
                | "PIN"
                | "SEED"
                | "MNEMONIC"
                | "KEYS"
        ) && (part != "KEY" || upper.len() > 3)
            && (part != "PWD" || upper != "PWD")
            && (!matches!(part, "AUTH" | "SESSION" | "SEED" | "PIN")
                || upper.contains("KEY")
                || upper.contains("TOKEN")
                || upper.contains("SECRET"))
    }) || upper.ends_with("PASSWORD")
        || upper.ends_with("SECRET")
        || upper.ends_with("TOKEN")
        || upper.ends_with("APIKEY")
}

/// Whether the value of a variable of this name must never leave the machine other than as a log-in.
pub fn is_grave_variable(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    is_secret_variable(name)
        && ["SECRET", "PRIVATE", "PASSWORD", "PASSWD", "CREDENTIAL", "MNEMONIC", "PASSPHRASE"]
            .iter()
            .any(|word| upper.contains(word))
}

tools! { TOOLS:
    "pass gopass passage rbw" => Reveals(&SHOW_SECRET),
        options: &[("-c --clip", Speaks(&SHOW_SECRET))],
        verbs: &[
            ("ls list find search help version git sync config audit history recipients which status unlocked login lock unlock \
                stop-agent fsck", Fine),
            ("generate insert add create new", Fine),
            ("init rm remove delete edit mv move cp copy purge import reencrypt", Speaks(&CHANGE_STORE)),
        ];
    "security" => Fine,
        verbs: &[
            ("find-generic-password find-internet-password dump-keychain export find-key", Reveals(&SHOW_SECRET)),
            ("delete-keychain delete-generic-password delete-internet-password delete-certificate delete-identity \
                set-keychain-password set-keychain-settings create-keychain unlock-keychain add-generic-password \
                add-internet-password import default-keychain set-key-partition-list authorizationdb", Speaks(&CHANGE_STORE)),
            ("add-trusted-cert remove-trusted-cert trust-settings-import", Speaks(&TRUST)),
        ];
    "secret-tool" => Fine,
        verbs: &[("lookup search", Reveals(&SHOW_SECRET)), ("clear", Speaks(&CHANGE_STORE))];
    "kwallet-query" => Fine,
        options: &[("-r --read-password", Reveals(&SHOW_SECRET)), ("-w --write-password", Speaks(&CHANGE_STORE))];
    "op" => Fine,
        values: "--account --vault --format --session",
        verbs: &[
            ("read inject item+get document+get item+share", Reveals(&SHOW_SECRET)),
            ("item+edit item+delete item+move vault+delete vault+edit user+delete user+edit user+provision group+delete \
                document+edit document+delete account+forget connect events-api service-account", Speaks(&CHANGE_STORE)),
        ];
    "bw" => Fine,
        values: "--session --organizationid",
        verbs: &[
            ("get export unlock", Reveals(&SHOW_SECRET)),
            ("list+items", Reveals(&SHOW_SECRET)),
            ("edit delete restore import move share confirm send", Speaks(&CHANGE_STORE)),
        ];
    "lpass" => Fine,
        verbs: &[("show export", Reveals(&SHOW_SECRET)), ("edit rm mv duplicate import passwd share", Speaks(&CHANGE_STORE))];
    "keepassxc-cli" => Fine,
        verbs: &[
            ("show clip export attachment-export open", Reveals(&SHOW_SECRET)),
            ("rm edit mv merge import db-edit rmdir attachment-rm remove attachment-import", Speaks(&CHANGE_STORE)),
        ];
    "sops" => Fine,
        options: &[
            ("-d --decrypt --extract", Reveals(&SHOW_SECRET)),
            ("-r --rotate --add-pgp --rm-pgp --set", Speaks(&CHANGE_STORE)),
            ("-e --encrypt", Fine),
        ],
        verbs: &[("decrypt exec-env exec-file edit", Reveals(&SHOW_SECRET)), ("rotate updatekeys set \
            unset", Speaks(&CHANGE_STORE)), ("encrypt filestatus publish keyservice", Fine)];
    "ansible-vault" => Fine,
        verbs: &[("view decrypt edit", Reveals(&SHOW_SECRET)), ("rekey", Speaks(&CHANGE_STORE))];
    "age rage" => Fine,
        options: &[("-d --decrypt", Fine)];
    "age-keygen rage-keygen age-inspect gpg-zip gpgv gpgsplit signify minisign" => Fine;
    "cosign" => Fine,
        verbs: &[("sign sign-blob attest upload copy clean attach import-key-pair", Speaks(&TRUST))];
    "paperkey" => Reveals(&SHOW_SECRET);
    "gpgconf" => Fine,
        options: &[("--change-options --apply-profile", Speaks(&CHANGE_STORE))];
    "gpg-card gpg-tui ykman keybase" => Fine,
        verbs: &[
            ("piv+reset oath+reset fido+reset openpgp+reset config+reset piv+change-pin piv+change-puk otp+delete oath+delete \
                piv+import generate factory-reset writekey", Speaks(&CHANGE_STORE)),
            ("oath+accounts", Fine),
            ("pgp+export", Fine),
        ];
    "oathtool ykinfo pkcs11-tool" => Fine,
        options: &[("-b --delete-object --init-token --init-pin --change-pin", Speaks(&CHANGE_STORE))];
    "keyctl" => Fine,
        verbs: &[("print read pipe", Reveals(&SHOW_SECRET)), ("clear revoke unlink purge invalidate \
            update", Speaks(&CHANGE_STORE))];
    "keytool" => Fine,
        options: &[
            ("-delete -importcert -import -storepasswd -keypasswd -changealias -importkeystore \
                -importpass", Speaks(&CHANGE_STORE)),
        ],
        whole_words: true;
    "certbot acme.sh lego certmgr dehydrated" => Speaks(&TRUST),
        options: &[("--dry-run --list -l --info --test-cert --staging", Fine)],
        verbs: &[("certificates plugins show_account help list", Fine)],
        bare: Speaks(&TRUST);
    "mkcert" => Fine,
        options: &[("-install -uninstall", Speaks(&TRUST))],
        whole_words: true;
    "step" => Fine,
        verbs: &[
            ("ca+init ca+provisioner ca+revoke ca+bootstrap certificate+install certificate+uninstall ca+renew ssh+config \
                ssh+revoke ca+token", Speaks(&TRUST)),
            ("crypto+key crypto+jwe", Fine),
        ];
    "certutil modutil" => Fine,
        options: &[("-A -D -M -F -W --delete -delete -add", Speaks(&TRUST))];
    "certtool cfssl cfssljson easyrsa gmssl htpasswd makepasswd pwgen apg pwqgen xkcdpass mcookie grub-crypt" => Fine,
        verbs: &[("revoke revoke-issued init-pki", Speaks(&TRUST))];
    "systemd-creds" => Fine,
        verbs: &[("cat decrypt", Reveals(&SHOW_SECRET))];
    "doppler infisical" => Fine,
        verbs: &[("secrets+download secrets+get secrets export secrets+list", Reveals(&SHOW_SECRET)), ("secrets+set \
            secrets+delete secrets+upload projects+delete environments+delete configs+delete", Speaks(&CHANGE_STORE))];
    "dotenvx" => Fine,
        verbs: &[("get decrypt keypair", Reveals(&SHOW_SECRET)), ("set encrypt rotate", Fine)];
    "secrethub chamber summon berglas teller envconsul aws-vault" => Fine,
        verbs: &[
            ("read inspect get export env show", Reveals(&SHOW_SECRET)),
            ("write delete rm remove import rotate clear", Speaks(&CHANGE_STORE)),
        ];
    "transcrypt git-crypt" => Fine,
        options: &[("-d --display", Reveals(&SHOW_SECRET)), ("-f --flush-credentials -u --uninstall \
            --rekey", Speaks(&CHANGE_STORE))],
        verbs: &[("export-key", Reveals(&SHOW_SECRET))];
    "electrum bitcoin-cli geth monero-wallet-cli cast solana eth" => Fine,
        verbs: &[
            ("getseed getprivatekeys dumpprivkey dumpwallet wallet+private-key wallet+decrypt-keystore", Reveals(&SHOW_SECRET)),
            ("payto paytomany broadcast sendtoaddress sendmany sendrawtransaction send transfer importprivkey sweep \
                encryptwallet walletpassphrase deploy stop account+import", Speaks(&CHANGE_STORE)),
        ];
    "impacket-secretsdump laZagne lazagne mimipenguin truffleproc keychaindump chainbreaker swap_digger" => Reveals(&SHOW_SECRET),
        bare: Reveals(&SHOW_SECRET);
    "gitleaks trufflehog noseyparker detect-secrets ggshield" => Fine;
    "elasticsearch-keystore elasticsearch-certutil elasticsearch-create-enrollment-token" => Fine,
        verbs: &[("show", Reveals(&SHOW_SECRET)), ("add remove add-file passwd upgrade create", Speaks(&CHANGE_STORE))];
    "klist kinit kdestroy kvno ktutil" => Fine;
    "wpa_passphrase" => Fine;
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "printenv" => printenv,
        "gpg" | "gpg2" | "gpg1" | "gpgsm" | "sq" => gpg,
        "openssl" => openssl,
        "unshadow" => unshadow,
        "age" | "rage" => age,
        _ => return tool::find(TOOLS, name).map(|_| judge as Judge),
    })
}

/// Programs that start another one with secrets in its environment: what stands behind runs as if it stood alone.
fn run_behind(shell: &mut Shell<'_>, call: &Call) -> Option<Feed> {
    const SYNTAX: Syntax = Syntax {
        short_values: "fpDencj",
        long_values: &[
            "env-file",
            "account",
            "project",
            "config",
            "token",
            "env",
            "path",
            "projectId",
            "domain",
            "command",
            "name-transformer",
            "mount",
            "prefix",
            "secret",
            "exec",
            "log-level",
            "duration",
            "region",
            "mfa-token",
            "backend",
            "provider",
            "environment",
            "scope",
            "fallback",
            "passphrase",
            "user",
            "type",
            "consul-addr",
            "vault-addr",
            "kill-signal",
            "once-timeout",
            "format",
            "preserve-env",
        ],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: false,
    };
    let (verbs, names): (&[&str], usize) = match call.name.as_str() {
        "op" | "doppler" | "infisical" | "teller" | "secrethub" => (&["run"], 0),
        "chamber" | "aws-vault" | "berglas" => (&["exec", "exec-env"], 1),
        "sops" => (&["exec-env", "exec-file"], 1),
        "envconsul" | "summon" => (&[], 0),
        _ => return None,
    };
    let mut from = 0;
    if !verbs.is_empty() {
        from = call.args.iter().position(|arg| arg.known().is_some_and(|text| verbs.contains(&text)))? + 1;
    }
    let rest = call.args.get(from..).unwrap_or_default();
    let one_dash = call.name == "envconsul";
    let options = Options::read(rest, &Syntax { single_dash_long: one_dash, ..SYNTAX });
    if let Some(code) = options.value(&["command", "exec"]) {
        return Some(shell.run_code(Language::Shell(Dialect::Sh), code, call.stdin.clone()));
    }
    let words = match rest.iter().position(|arg| arg.is("--")) {
        Some(at) => rest.get(at + 1..),
        None => rest.get(options.first_operand + names..),
    }?;
    let (first, last) = (words.first()?, words.last()?);
    if call.name == "sops" {
        return Some(shell.run_code(Language::Shell(Dialect::Sh), first, call.stdin.clone()));
    }
    Some(shell.run_with(call.variables.clone(), words, call.stdin.clone(), first.span.to(last.span)))
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `sops exec-env` also decrypts a file, which its table says.
    if let Some(feed) = run_behind(shell, call)
        && call.name != "sops"
    {
        return feed;
    }
    match tool::find(TOOLS, &call.name) {
        Some(described) => tool::judge(shell, call, described),
        None => Feed::none(),
    }
}

fn out(call: &Call) -> Feed {
    Feed::from(Origin::Program(call.name.clone()))
}

fn printenv(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return out(call);
    }
    let names: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    let secret = names.iter().find(|name| name.known().is_none_or(is_secret_variable));
    match secret {
        Some(name) => {
            shell.tell(&SHOW_ENVIRONMENT, name.shown().into_owned(), name.span);
            Feed::from(Origin::Secret(name.shown().into_owned()))
        }
        None if names.is_empty() => environment(shell, call),
        None => out(call),
    }
}

/// The whole environment is printed: `printenv`, `env`, `export -p`, `set`, `declare -p`.
pub fn environment(shell: &mut Shell<'_>, call: &Call) -> Feed {
    speak(shell, call, &SHOW_ENVIRONMENT, 0);
    Feed::from(Origin::Secret("the environment".to_owned()))
}

fn gpg(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SECRET: &[&str] = &["--export-secret-keys", "--export-secret-subkeys", "--export-secret-key"];
    const CHANGES: &[&str] = &[
        "--delete-keys",
        "--delete-key",
        "--delete-secret-keys",
        "--delete-secret-key",
        "--delete-secret-and-public-key",
        "--delete-secret-and-public-keys",
        "--edit-key",
        "--sign-key",
        "--lsign-key",
        "--quick-revoke-key",
        "--quick-set-expire",
        "--change-passphrase",
        "--passwd",
        "--gen-revoke",
        "--generate-revocation",
        "--import-ownertrust",
        "--quick-sign-key",
        "--card-edit",
        "--edit-card",
        "--quick-revuid",
        "--quick-revoke-uid",
        "--change-pin",
    ];
    const SENDS: &[&str] = &["--send-keys", "--send-key"];
    if call.asks_for_help() {
        return out(call);
    }
    for (at, arg) in call.args.iter().enumerate() {
        let Some(text) = arg.known() else { continue };
        let text = text.split('=').next().unwrap_or(text);
        if SECRET.contains(&text) {
            speak(shell, call, &SHOW_SECRET, at);
            return Feed::from(Origin::Secret("private keys".to_owned()));
        }
        if CHANGES.contains(&text) {
            speak(shell, call, &CHANGE_STORE, at);
        }
        if SENDS.contains(&text) {
            shell.send("key server", std::iter::empty(), &Feed::none(), tool::span_from(call, at));
        }
        if matches!(text, "--photo-viewer" | "--agent-program" | "--dirmngr-program")
            && let Some(program) = tool::attached_or_next(call, at)
        {
            shell.run_text(&program, signoff_model::Dialect::Sh, Feed::none());
        }
        if matches!(text, "-o" | "--output")
            && let Some(file) = call.args.get(at + 1)
            && !file.is("-")
        {
            shell.write(file, Write::Replace);
            let carried = carried(shell, call, file);
            shell.remember_written(file, Written::Content(carried));
        }
    }
    let decrypts = call.has_any(&["-d", "--decrypt", "-qd", "-dq"]);
    if decrypts {
        let target = call.args.iter().rev().find(|arg| !arg.is_option());
        if let Some(target) = target {
            let place = shell.place(&target.value);
            let name = place.shown.to_ascii_lowercase();
            // What somebody encrypted is meant to be kept from view; a plain archive is not shown but unpacked.
            if !call.has_any(&["-o", "--output"]) && !name.contains(".tar") {
                shell.tell(&SHOW_SECRET, place.shown.clone(), target.span);
                return Feed::from(Origin::Secret(place.shown));
            }
        }
    }
    out(call)
}

fn age(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "orRij",
        long_values: &["output", "recipient", "recipients-file", "identity"],
        long_flags: &["decrypt", "encrypt"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    let output = options.value(&["o", "output"]);
    if let Some(file) = output.filter(|file| !file.is("-")) {
        shell.write(file, Write::Replace);
        let carried = carried(shell, call, file);
        shell.remember_written(file, Written::Content(carried));
    }
    if options.has(&["d", "decrypt"]) && output.is_none_or(|file| file.is("-")) && !call.asks_for_help() {
        speak(shell, call, &SHOW_SECRET, 0);
        return Feed::from(Origin::Secret(tool::words_from(call, 0)));
    }
    out(call)
}

/// What an encrypted file holds: whoever has it may have the key as well.
fn carried(shell: &Shell<'_>, call: &Call, output: &Arg) -> Feed {
    let mut feed = Feed::none();
    for arg in call.args.iter().filter(|arg| !arg.is_option() && arg.value != output.value) {
        let place = shell.place(&arg.value);
        match shell.written(&place.path) {
            Some(Written::Content(written)) => feed = feed.then(written.clone()),
            _ if place.nature == Nature::Secret => feed = feed.then(Feed::from(Origin::Secret(place.shown))),
            _ => {}
        }
    }
    feed.then(call.stdin.clone()).changed_by(&call.name)
}

fn unshadow(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut feed = Feed::none();
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        feed = feed.then(shell.read(arg));
    }
    feed
}

/// `openssl`: connections and authorities first, then private keys on display; the rest changes what flows through.
fn openssl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(verb) = call.arg(0) else { return out(call) };
    if call.asks_for_help() {
        return out(call);
    }
    let value = |names: &[&str]| {
        let at = call.args.iter().position(|arg| arg.known().is_some_and(|text| names.contains(&text)))?;
        call.args.get(at + 1)
    };
    if let Some(library) = value(&["-engine", "-provider-path", "-config"]) {
        let path = library.shown().into_owned();
        if path.contains('/') && (path.contains(".so") || path.starts_with("/tmp")) {
            shell.opaque(path, library.span);
        }
    }
    match verb {
        "s_client" => return network::tls_client(shell, call),
        "s_server" => speak(shell, call, &network::LISTEN, 0),
        "ca" => speak(shell, call, &TRUST, 0),
        "rsa" | "pkey" | "ec" | "dsa" | "pkcs8" | "pkcs12" => {
            let shows_other =
                call.has_any(&["-pubout", "-pubin", "-noout", "-nokeys", "-check", "-modulus", "-export", "-topk8"]);
            let goes_to_file = value(&["-out"]).is_some_and(|file| !file.is("-"));
            if !shows_other && !goes_to_file && value(&["-in", "-inkey"]).is_some() {
                speak(shell, call, &SHOW_SECRET, 0);
                return Feed::from(Origin::Secret(tool::words_from(call, 0)));
            }
        }
        // A fresh key in a new file is not the change of an old one.
        "genrsa" | "genpkey" | "req" | "ecparam" | "gendsa" | "dhparam" | "rand" => {
            if let Some(file) = value(&["-out", "-keyout"]).filter(|file| !file.is("-")) {
                shell.write(file, Write::New);
            }
            return out(call);
        }
        _ => {}
    }
    // What is decoded is the filters' matter; here remain encryption, signatures, digests and certificates.
    let public = matches!(verb, "x509" | "req" | "crl" | "verify" | "dgst" | "ocsp" | "ts" | "asn1parse")
        || call.has_any(&["-pubout", "-pubin", "-nokeys"]);
    let feed = match value(&["-in"]) {
        Some(_) if public => out(call),
        Some(file) => shell.read(file),
        None => call.stdin.clone(),
    };
    if let Some(file) = value(&["-out"]).filter(|file| !file.is("-")) {
        shell.write(file, Write::Replace);
        shell.remember_written(file, Written::Content(feed.changed_by("openssl")));
        return out(call);
    }
    feed.changed_by("openssl")
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use super::*;
    use crate::testing::check;

    #[test]
    fn names_of_variables_tell_secrets() {
        for name in [
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "DB_PASSWORD",
            "OPENAI_API_KEY",
            "NPM_TOKEN",
            "PGPASSWORD",
            "SLACK_WEBHOOK",
            "MY_PAT",
        ] {
            assert!(is_secret_variable(name), "{name}");
        }
        for name in [
            "HOME",
            "PATH",
            "PWD",
            "NODE_ENV",
            "KEYBOARD",
            "AWS_ACCESS_KEY_ID",
            "SSH_AUTH_SOCK",
            "MAX_TOKENS",
            "KEY",
            "MONKEY",
            "PASSED",
            "GPG_KEY_ID",
            "XDG_SESSION_TYPE",
        ] {
            assert!(!is_secret_variable(name), "{name}");
        }
    }

    #[test]
    fn looking_at_names_is_fine() {
        check(
            Verdict::Allow,
            &[
                "printenv HOME",
                "printenv PATH",
                "printenv NODE_ENV",
                "pass ls",
                "pass find x",
                "gpg --list-keys",
                "gpg \
                    --verify a.sig a",
                "security list-keychains",
                "op vault list",
                "bw status",
                "openssl genrsa",
                "openssl x509 -in cert.crt -noout -text",
                "openssl rand -hex 16",
                "openssl rsa -in a.txt \
                    -pubout",
                "mkcert example.test",
                "certbot certificates",
                "gitleaks detect --no-git -v",
                "gpg --import key.asc",
                "gpg --armor --export me@example.com",
                "sops -e file.yaml",
                "ssh-keygen -l -f \
                    a.pub",
                "gpg -c file.txt",
                "age-keygen -o x.txt",
                "openssl dgst -sha256 file",
            ],
        );
    }

    #[test]
    fn showing_or_changing_secrets_asks() {
        check(
            Verdict::Ask,
            &[
                "printenv",
                "printenv GITHUB_TOKEN",
                "pass show github",
                "pass github",
                "pass init x",
                "pass rm x",
                "gpg \
                    --export-secret-keys me",
                "gpg -d secrets.gpg",
                "security find-generic-password -s x -w",
                "secret-tool lookup a b",
                "op read op://v/i/f",
                "op item get x",
                "bw get password x",
                "lpass show \
                    x",
                "keepassxc-cli show db.kdbx x",
                "sops -d secrets.yaml",
                "ansible-vault view x.yml",
                "age -d x.age",
                "mkcert -install",
                "certbot renew",
                "openssl rsa -in key.txt -text",
                "gpg --delete-secret-keys x",
                "keytool \
                    -delete -alias x",
            ],
        );
    }

    #[test]
    fn what_runs_with_secrets_is_judged_as_if_it_stood_alone() {
        check(
            Verdict::Ask,
            &[
                "op run -- rm -rf src",
                "op run --env-file=.env -- rm -rf src",
                "doppler run -- rm -rf src",
                "doppler run --command 'rm -rf src'",
                "infisical run --env=dev -- rm -rf src",
                "chamber exec app -- rm -rf src",
                "aws-vault exec prod -- rm -rf src",
                "aws-vault exec prod rm -rf src",
                "sops exec-env secrets.yml 'rm -rf src'",
                "envconsul -prefix app rm -rf src",
                "teller run -- rm -rf src",
                "summon -p x rm -rf src",
            ],
        );
        check(
            Verdict::Block,
            &["op run -- rm -rf /", "sops exec-env s.yml 'rm -rf ~'", "doppler run -- sh -c 'rm -rf /'"],
        );
        check(Verdict::Allow, &["op run -- npm test", "doppler run -- cargo build", "chamber exec app -- ls"]);
    }
}
