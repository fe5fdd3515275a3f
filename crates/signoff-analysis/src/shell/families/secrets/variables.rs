//! Variables whose names tell that their value is a secret.

/// Names of variables whose value is of no concern.
const HARMLESS_NAMES: &str = "HOME PATH USER LOGNAME SHELL LANG LANGUAGE PWD OLDPWD NODE_ENV EDITOR VISUAL TERM PAGER DISPLAY \
    HOSTNAME TMPDIR TZ SHLVL \
    LC_ALL LC_CTYPE XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_SESSION_TYPE JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME VIRTUAL_ENV CONDA_PREFIX \
    PYTHONPATH RUSTFLAGS CI GITHUB_ACTIONS RAILS_ENV APP_ENV COLORTERM COLUMNS LINES MANPATH LD_LIBRARY_PATH NVM_DIR DEBUG PORT \
        HOST KUBECONFIG";

/// Whether the value of a variable of this name is of no concern.
pub fn is_harmless_variable(name: &str) -> bool {
    HARMLESS_NAMES.split_ascii_whitespace().any(|harmless| harmless == name)
}

/// Whether the name of a variable says that its value is a secret.
pub fn is_secret_variable(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    if is_harmless_variable(&upper) {
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

/// Words that say of whatever they name that it is a secret. Whoever masks secrets masks behind each of them, and in doubt behind
/// more.
pub const SECRET_WORDS: &[&str] = &["password", "passwd", "passphrase", "secret", "token", "credential", "apikey"];

/// Whether a name that people give to a value, in whatever case, says that the value itself is a secret: `dbPassword`,
/// `app/db-password`, `admin_token`. What only speaks about one, such as its path or number, is none.
pub fn is_secret_name(name: &str) -> bool {
    const ABOUT: &[&str] = &[
        "path", "file", "dir", "id", "ids", "name", "names", "arn", "url", "uri", "endpoint", "length", "count",
        "enabled", "type", "ttl", "expiry", "version", "policy", "engine", "store", "vault", "limit", "limits", "max",
        "min", "quota", "usage", "budget", "size", "rate",
    ];
    let last = name.rsplit(['/', ':', '.']).find(|part| !part.is_empty()).unwrap_or_default();
    let words = crate::lexicon::words(last);
    let pair = |pair: &[String]| {
        matches!(pair, [first, second] if second.starts_with("key")
            && matches!(first.as_str(), "private" | "api" | "access" | "secret" | "signing" | "encryption"))
    };
    let tells = |word: &String| {
        let one = word.strip_suffix('s').filter(|_| !word.ends_with("ss")).unwrap_or(word);
        SECRET_WORDS.contains(&one) || word == "kubeconfig" || word.ends_with("password")
    };
    let says = words.iter().any(tells)
        || words.windows(2).any(pair)
        || words.windows(2).any(|pair| matches!(pair, [first, second] if first == "connection" && second == "string"));
    says && !words.last().is_some_and(|word| ABOUT.contains(&word.as_str()))
}

/// Whether the value of a variable of this name must never leave the machine other than as a log-in.
pub fn is_grave_variable(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    is_secret_variable(name)
        && ["SECRET", "PRIVATE", "PASSWORD", "PASSWD", "CREDENTIAL", "MNEMONIC", "PASSPHRASE"]
            .iter()
            .any(|word| upper.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{is_secret_name, is_secret_variable};

    #[test]
    fn names_of_values_tell_secrets() {
        for name in
            ["dbPassword", "db:password", "app/db-password", "admin_token", "kubeconfig", "apiKey", "privateKey"]
        {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["region", "kubeconfig_path", "secretArn", "token_ttl", "tokenizer", "keys", "vpc_id", "", "/"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

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
}
