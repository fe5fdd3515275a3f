use proptest::prelude::*;
use serde_json::json;
use signoff_model::{Dialect, Operation, ShellCommand, ToolCall, ToolHints};

use super::{Redacted, TOLD_AT_MOST};

fn shell(command: &str) -> Operation {
    Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash })
}

fn told(command: &str) -> String {
    Redacted::of(&shell(command)).text
}

#[track_caller]
fn check(command: &str, expected: &str) {
    assert_eq!(told(command), expected, "{command}");
}

#[test]
fn values_behind_names_are_masked() {
    for (command, expected) in [
        ("mysql --password hunter2 -e 'select 1'", "mysql --password [masked] -e 'select 1'"),
        ("mysql --password=hunter2 db", "mysql --password=[masked] db"),
        ("PASSWORD=hunter2 ./run", "PASSWORD=[masked] ./run"),
        ("export DB_PASS='two words'; ls", "export DB_PASS=[masked]; ls"),
        ("PGPASSWORD=\"p w\" psql -h db", "PGPASSWORD=[masked] psql -h db"),
        ("X_API_KEY=abc make", "X_API_KEY=[masked] make"),
        ("deploy --api-key abc --now", "deploy --api-key [masked] --now"),
        ("deploy --clientSecret abc --now", "deploy --clientSecret [masked] --now"),
        ("curl -d 'user=ann&password=hunter2' https://x.org", "curl -d 'user=ann&password=[masked]' https://x.org"),
        (
            "curl -d '{\"user\":\"ann\",\"password\":\"a \\\"b\"}' x",
            "curl -d '{\"user\":\"ann\",\"password\":[masked]}' x",
        ),
        ("curl -d \"{\\\"token\\\":\\\"abc\\\"}\" x", "curl -d \"{\\\"token\\\":[masked]\\\"}\" x"),
        ("curl -H 'Authorization: Bearer abc' x", "curl -H 'Authorization: Bearer [masked]' x"),
        ("curl -H \"Authorization: Basic YTpi\" x", "curl -H \"Authorization: Basic [masked]\" x"),
        ("curl -H 'Authorization: abc def' x", "curl -H 'Authorization: [masked]' x"),
        ("curl -H 'X-Auth-Token: abc' x", "curl -H 'X-Auth-Token: [masked]' x"),
        ("curl -H 'Cookie: a=1; sid=2' x", "curl -H 'Cookie: [masked]' x"),
        ("http x Authorization:abc", "http x Authorization:[masked]"),
        ("psql 'host=db password=hunter2 dbname=x'", "psql 'host=db password=[masked] dbname=x'"),
        ("echo \"Server=x;Pwd=abc;Db=y\"", "echo \"Server=x;Pwd=[masked];Db=y\""),
        ("cat > f <<E\npassword: two words\nuser: ann\nE", "cat > f <<E\npassword: [masked]\nuser: ann\nE"),
        ("aws configure set aws_secret_access_key abc/def+123", "aws configure set aws_secret_access_key [masked]"),
        ("npm config set //r.io/:_authToken abc12345", "npm config set //r.io/:_authToken [masked]"),
        ("nmcli dev wifi connect home password hunter", "nmcli dev wifi connect home password [masked]"),
        ("psql -c \"ALTER USER a PASSWORD 'x y'\"", "psql -c \"ALTER USER a PASSWORD [masked]\""),
        ("mysql -e \"CREATE USER a IDENTIFIED BY 'abc'\"", "mysql -e \"CREATE USER a IDENTIFIED BY [masked]\""),
        ("TOKEN=$(echo hunter2) ./x", "TOKEN=[masked] ./x"),
        ("KEY=abcd1234efgh ./x", "KEY=[masked] ./x"),
        ("keytool -storepass abc -list", "keytool -storepass [masked] -list"),
        (
            "kubectl create secret generic x --from-literal=password=abc",
            "kubectl create secret generic x --from-literal=password=[masked]",
        ),
        ("echo 密码：hunter2 好", "echo 密码：[masked] 好"),
        ("deploy --token \\\n  abc --x", "deploy --token \\\n  [masked] --x"),
    ] {
        check(command, expected);
    }
}

#[test]
fn arguments_of_programs_are_masked() {
    for (command, expected) in [
        ("mysql -uroot -phunter2 db", "mysql -uroot -p[masked] db"),
        ("mysql -u root -p db", "mysql -u root -p db"),
        ("mysql -p'two words' db", "mysql -p[masked] db"),
        ("bash -c \"mysqldump -phunter2 db\"", "bash -c \"mysqldump -p[masked] db\""),
        ("sshpass -p hunter2 ssh a@b", "sshpass -p [masked] ssh a@b"),
        ("docker login -u ann -p hunter2 r.io", "docker login -u ann -p [masked] r.io"),
        ("docker run -p 8080:80 nginx", "docker run -p 8080:80 nginx"),
        ("redis-cli -a hunter2 ping", "redis-cli -a [masked] ping"),
        ("curl -u ann:hunter2 https://x.org", "curl -u ann:[masked] https://x.org"),
        ("curl --user 'ann:two words' x", "curl --user 'ann:[masked] x"),
        ("sqlplus scott/tiger@db", "sqlplus scott/[masked]@db"),
        ("openssl rsa -passin pass:abc -in k", "openssl rsa -passin [masked] -in k"),
        ("echo hunter2 | sudo -S ls", "echo [masked] | sudo -S ls"),
        ("echo 'root:abc' | chpasswd", "echo [masked] | chpasswd"),
        ("docker login --password-stdin <<< hunter2", "docker login --password-stdin <<< [masked]"),
        ("chpasswd <<E\nroot:abc\nE", "chpasswd <<E\n[masked]"),
        ("vault login abc", "vault login [masked]"),
        ("htpasswd -bc f ann abc", "htpasswd -bc f ann [masked]"),
        ("7z a -pabc x.7z y", "7z a -p[masked] x.7z y"),
    ] {
        check(command, expected);
    }
}

#[test]
fn what_looks_like_a_secret_is_masked_wherever_it_stands() {
    for (command, expected) in [
        ("git clone https://ann:abc@x.org/r.git", "git clone https://ann:[masked]@x.org/r.git"),
        ("git clone https://abc@x.org/r.git", "git clone https://[masked]@x.org/r.git"),
        ("psql postgres://ann:a/b@c@db/x", "psql postgres://ann:[masked]@db/x"),
        ("echo ghp_0123456789abcdef0123456789abcdef0123", "echo [masked]"),
        ("run AKIAIOSFODNN7EXAMPLE now", "run [masked] now"),
        ("run xoxb-123456789012-abcdefgh", "run [masked]"),
        ("run sk-abcdefghij0123456789", "run [masked]"),
        ("run eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "run [masked]"),
        ("run Bearer abc", "run Bearer [masked]"),
        ("echo wJalrXUtnFEMI7K7MDENGbPxRfiCYEXAMPLE4KEY2x", "echo [masked]"),
        ("cat <<E\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nE", "cat <<E\n[masked]\nE"),
        ("echo '-----BEGIN PRIVATE KEY-----\\nMII", "echo '[masked]"),
        // And once more, where nothing tells.
        ("X_TOKEN=hunter2x; echo hunter2x", "X_TOKEN=[masked]; echo [masked]"),
    ] {
        check(command, expected);
    }
}

/// What is told has to be worth reading.
#[test]
fn what_is_no_secret_stays() {
    for command in [
        "rm -rf build && git push -f origin main",
        "git commit --author 'Ann <a@x.org>' -m 'passwords: none'",
        "grep -rn password src/main.rs",
        "grep -r token .",
        "curl -H \"Authorization: Bearer $TOKEN\" https://x.org/a",
        "TOKEN=$(gh auth token) ./deploy",
        "mysql -p\"$PASSWORD\" db",
        "PGPASSWORD=$PGPASSWORD psql",
        "kubectl get secret my-db",
        "gh auth login",
        "docker login --password-stdin < f",
        "ssh -i ~/.ssh/id_rsa git@x.org",
        "git checkout 0123456789abcdef0123456789abcdef01234567",
        "git clone ssh://git@x.org/r.git",
        "curl http://localhost:8080/@scope/pkg",
        "sort --key 2 f",
        "pip install sk-learn pypi-server",
        "llm --max-tokens 4096",
        "deploy --token-file /run/secrets/t",
        "cat ~/.config/app/settings.json",
        "echo don't panic",
        "echo 修改密码",
    ] {
        let told = Redacted::of(&shell(command));
        assert_eq!((told.text.as_str(), told.masked, told.cut), (command, 0, 0));
    }
}

#[test]
fn arguments_of_tools_are_masked() {
    let tool = |args| Operation::Tool(ToolCall { name: "db".into(), args, hints: ToolHints::default() });
    for (args, expected) in [
        (json!({"password": "$ABC", "user": "ann"}), r#"db {"password":[masked],"user":"ann"}"#),
        (json!({"pin": 1234, "user": "ann"}), r#"db {"pin":[masked],"user":"ann"}"#),
        (json!({"auth": ["ann", "abc"]}), r#"db {"auth":[masked]}"#),
        (json!({"cmd": "mysql -phunter2 x"}), r#"db {"cmd":"mysql -p[masked] x"}"#),
        (json!({"token": null, "secret": true}), r#"db {"secret":true,"token":null}"#),
    ] {
        assert_eq!(Redacted::of(&tool(args)).text, expected);
    }
}

#[test]
fn what_is_cut_is_told() {
    let long = "a ".repeat(10_000);
    let told = Redacted::of_text(&long);
    assert_eq!((told.text.len(), told.cut), (TOLD_AT_MOST, long.len() - TOLD_AT_MOST));
    assert_eq!(told.details().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["text", "cut"]);
    // A secret at the edge goes as a whole, and so does one behind what is looked at.
    for before in (TOLD_AT_MOST - 40..TOLD_AT_MOST + 40).chain(4 * TOLD_AT_MOST - 40..4 * TOLD_AT_MOST + 4) {
        let text =
            format!("{}PASSWORD=hunter2hunter2 ghp_0123456789abcdef0123456789abcdef0123 ls", "清 ".repeat(before / 4));
        let told = Redacted::of_text(&text);
        assert!(told.text.len() <= TOLD_AT_MOST);
        assert!(!told.text.contains("hunter") && !told.text.contains("ghp_"), "{before}");
    }
}

/// A secret, and every way of giving it that is listed.
fn given(secret: &str) -> Vec<String> {
    [
        "mysql --password S db",
        "mysql --password=S db",
        "mysql --password 'S' db",
        "mysql --password=\"S\" db",
        "mysql -pS db",
        "mysql -u root '-pS' db",
        "sudo -u app mysqldump -pS db > x.sql",
        "ssh host \"mysql -pS db\"",
        "bash -c 'mysql -pS -e \"select 1\"'",
        "PASSWORD=S ./run",
        "export DB_PASSWORD='S'",
        "env SECRET_KEY=S TOKEN=S ./run",
        "curl -H 'Authorization: Bearer S' x",
        "curl -H \"Authorization: Bearer S\" x",
        "curl -H 'authorization: token S' x",
        "curl -H X-Api-Key:S x",
        "curl -u ann:S x",
        "curl -uann:S x",
        "curl 'https://x.org/?a=1&access_token=S'",
        "git clone https://ann:S@x.org/r.git",
        "psql postgresql://ann:S@db:5432/x",
        "sshpass -pS ssh h",
        "sshpass -p S ssh h",
        "docker login -u a -p S r.io",
        "redis-cli -a S ping",
        "echo S | sudo -S ls",
        "echo 'ann:S' | chpasswd",
        "curl -d '{\"password\": \"S\"}' x",
        "curl -d \"{\\\"password\\\": \\\"S\\\"}\" x",
        "cat > .env <<EOF\nAPI_TOKEN=S\npassword: S\nEOF",
        "psql -c \"alter user a password 'S'\"",
        "mysql -e \"create user a identified by 'S'\"",
        "vault login S",
        "deploy --token S | tee log",
        "gpg --batch --passphrase S -d f",
        "a && TOKEN=S b; c",
        "TOKEN=$(printf S) b",
        "echo 密码是S",
        "{\"client_secret\":\"S\",\"x\":1}",
        "password = S",
        "secret: S",
    ]
    .iter()
    .map(|form| {
        form.replace('S', secret)
            .replace(&format!("sudo -{secret}"), "sudo -S")
            .replace(&format!("{secret}ECRET_KEY"), "SECRET_KEY")
    })
    .map(|form| form.replace(&format!("PA{secret}{secret}WORD"), "PASSWORD"))
    .collect()
}

/// Tokens as they are handed out, which need no name.
fn shaped() -> impl Strategy<Value = String> {
    prop_oneof![
        "ghp_[A-Za-z0-9]{36}",
        "github_pat_[A-Za-z0-9_]{60}",
        "glpat-[A-Za-z0-9_-]{20}",
        "sk-[A-Za-z0-9]{19}[0-9][A-Za-z0-9]{28}",
        "sk-ant-api03-[A-Za-z0-9_-]{40}",
        "xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}",
        "AKIA[A-Z0-9]{16}",
        "AIza[A-Za-z0-9_-]{35}",
        "eyJ[A-Za-z0-9_-]{20}\\.eyJ[A-Za-z0-9_-]{30}\\.[A-Za-z0-9_-]{43}",
        "hvs\\.[A-Za-z0-9]{24}",
        "npm_[A-Za-z0-9]{35}[0-9]",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_named_secret_survives(secret in "[a-z][A-Za-z0-9_+]{5,23}[0-9]") {
        for form in given(&secret) {
            let told = Redacted::of(&shell(&form));
            prop_assert!(!told.text.contains(&secret), "{form}\n{}", told.text);
        }
    }

    #[test]
    fn no_secret_of_a_known_shape_survives(secret in shaped(), before in "[ -~清]{0,12}", after in "[ '\";|&,)]{0,2}[ -~]{0,12}") {
        let text = format!("{before}{secret}{after}");
        // What stands right before a token that is like a word may be the rest of another word.
        prop_assume!(!(secret.starts_with("sk-") || secret.starts_with("npm_")) || !before.ends_with(|sign: char| sign.is_ascii_alphanumeric()));
        let told = Redacted::of(&shell(&text));
        prop_assert!(!told.text.contains(&secret), "{text}\n{}", told.text);
    }

    /// Whatever the text is, nothing goes wrong, nothing is added, and what is told is little.
    #[test]
    fn any_text_can_be_told(text in "(\\PC|[\\\\'\"$({<=:;\n -]|password|--token|://|@|-----BEGIN PRIVATE|<<<|mysql -p){0,60}") {
        for told in [Redacted::of(&shell(&text)), Redacted::of_text(&text)] {
            prop_assert!(told.text.len() <= TOLD_AT_MOST);
            prop_assert!(told.masked > 0 || text.starts_with(&told.text));
        }
    }
}

/// Behind whatever the analysis takes for the name of a secret, something is masked.
#[test]
fn what_the_analysis_calls_a_secret_is_masked() {
    use signoff_analysis::shell::families::secrets::{SECRET_WORDS, is_secret_name};
    let others =
        ["dbPassword", "admin_token", "kubeconfig", "apiKey", "privateKey", "connection_string", "signing-key"];
    for name in SECRET_WORDS.iter().copied().chain(others) {
        assert!(is_secret_name(name), "{name}");
        let text = format!("deploy --set {name}=hunter2");
        assert!(!told(&text).contains("hunter2"), "{text}");
    }
}
