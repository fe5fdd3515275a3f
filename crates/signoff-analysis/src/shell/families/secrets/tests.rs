use signoff_model::Verdict;

use crate::testing::check;

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
    check(Verdict::Block, &["op run -- rm -rf /", "sops exec-env s.yml 'rm -rf ~'", "doppler run -- sh -c 'rm -rf /'"]);
    check(Verdict::Allow, &["op run -- npm test", "doppler run -- cargo build", "chamber exec app -- ls"]);
}

#[test]
fn values_are_shown_by_their_names() {
    check(
        Verdict::Ask,
        &[
            "wg showconf wg0",
            "wg show wg0 private-key",
            "wg show all dump",
            "nmcli device wifi show-password",
            "nmcli -s connection show home",
            "pulumi config get dbPassword --stack prod",
            "pulumi config get db:password",
            "terraform output -raw db_password",
            "tofu output admin_token",
            "terraform output -json | jq -r .db_password.value",
            "consul kv get app/db_password",
            "etcdctl get /registry/secrets --prefix",
            "getent shadow",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "wg show",
            "wg show wg0 peers",
            "wg genkey",
            "nmcli connection show",
            "pulumi config get aws:region",
            "terraform output",
            "terraform output -raw vpc_id",
            "terraform output -json | jq -r .vpc_id.value",
            "terraform output -raw kubeconfig_path",
            "terraform output -json | jq keys",
            "consul kv get app/port",
            "etcdctl get /app/port",
            "jq .password fixtures/user.json",
            "getent passwd root",
        ],
    );
}

#[test]
fn a_filter_that_lets_a_secret_through_shows_it() {
    check(
        Verdict::Ask,
        &[
            "echo \"$GITHUB_TOKEN\" | cat",
            "echo \"$GITHUB_TOKEN\" | sed 's/x/y/'",
            "echo \"$GITHUB_TOKEN\" | awk 1",
            "echo \"$GITHUB_TOKEN\" | grep .",
            "echo \"$GITHUB_TOKEN\" | jq -R .",
            "echo \"$GITHUB_TOKEN\" | sed 's/xxx/y/'",
            "echo \"$GITHUB_TOKEN\" | sed 's/./&xxx/'",
            "echo \"$GITHUB_TOKEN\" | sed 's/./*/'",
            "echo \"$GITHUB_TOKEN\" | sed -n '/*/!p'",
            "echo \"$GITHUB_TOKEN\" | sed 's/[^a-zA-Z0-9_]/*/g'",
            "echo \"$GITHUB_TOKEN\" | sed 's/.*/***/; x; p'",
            "echo \"$GITHUB_TOKEN\" | grep -v XXX",
            "echo \"$GITHUB_TOKEN\" | grep -v length",
            "echo \"$GITHUB_TOKEN\" | awk '{print length($0), $0}'",
            "echo \"$GITHUB_TOKEN\" | awk 'length'",
            "echo \"$GITHUB_TOKEN\" | jq -R 'select(length > 1)'",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "echo \"$GITHUB_TOKEN\" | wc -c",
            "echo \"$GITHUB_TOKEN\" | grep -q ghp_",
            "echo \"$GITHUB_TOKEN\" | grep -c .",
            "echo \"$GITHUB_TOKEN\" | sed 's/./*/g'",
            "echo \"$GITHUB_TOKEN\" | sed 's/.*/REDACTED/'",
            "echo \"$GITHUB_TOKEN\" | sed -E 's/[A-Za-z0-9]/x/g'",
            "echo \"$GITHUB_TOKEN\" | awk '{print length($0)}'",
            "echo \"$GITHUB_TOKEN\" | awk '{ print length }'",
            "X=$(echo \"$GITHUB_TOKEN\" | sed 's/x/y/')",
            "echo \"$USER\" | sed 's/x/y/'",
        ],
    );
}

#[test]
fn what_runs_in_the_background_prints_where_everything_else_does() {
    check(
        Verdict::Ask,
        &[
            "echo \"$GITHUB_TOKEN\" &",
            "cat <<< \"$GITHUB_TOKEN\" &",
            "(echo \"$GITHUB_TOKEN\") &",
            "echo \"$GITHUB_TOKEN\" & wait",
            "{ echo \"$GITHUB_TOKEN\"; } & wait",
            "echo \"$GITHUB_TOKEN\" | cat &",
            "bash -c 'echo \"$GITHUB_TOKEN\" &'",
            "true | echo \"$GITHUB_TOKEN\"",
            "for i in 1; do echo \"$GITHUB_TOKEN\" & done",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "echo \"$GITHUB_TOKEN\" | wc -c &",
            "echo \"$GITHUB_TOKEN\" | ./login.sh &",
            "echo \"$GITHUB_TOKEN\" > /dev/null &",
            "npm start & echo started",
            "echo \"$HOME\" & wait",
            "x=$(echo \"$GITHUB_TOKEN\" & wait)",
        ],
    );
}

#[test]
fn a_filter_of_the_same_name_is_another_program() {
    check(
        Verdict::Ask,
        &[
            "PATH=./x:$PATH; echo \"$GITHUB_TOKEN\" | wc -l",
            "export PATH=./x:$PATH; echo \"$GITHUB_TOKEN\" | sha256sum",
            "echo \"$GITHUB_TOKEN\" | PATH=./x wc -l",
            "cp /bin/cat ./wc; echo \"$GITHUB_TOKEN\" | ./wc -l",
            "echo \"$GITHUB_TOKEN\" | ./wc -l",
            "echo \"$GITHUB_TOKEN\" | /tmp/x/md5sum",
            "wc() { cat; }; echo \"$GITHUB_TOKEN\" | wc -l",
            "alias wc=cat; echo \"$GITHUB_TOKEN\" | wc -l",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "echo \"$GITHUB_TOKEN\" | /usr/bin/wc -c",
            "PATH=./x:$PATH; ls | wc -l",
            "PATH=$PATH:~/.local/bin; cat notes.txt | ./wc",
            "grep --color TODO src/main.rs",
        ],
    );
    check(Verdict::Ask, &["grep --color . .env", "grep --colour . .env"]);
}

#[test]
fn secrets_that_are_looked_for_by_name_are_secrets() {
    check(
        Verdict::Ask,
        &[
            "ls -a | grep '^.env' | xargs cat",
            "ls -a | grep '\\.env' | xargs cat",
            "git ls-files | grep '\\.env' | xargs cat",
            "find . -type f | grep -E '\\.env|\\.pem$' | xargs cat",
            "ls ~ | grep id_rsa | xargs cat",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "ls -a | grep '^.env'",
            "git ls-files | grep '\\.env'",
            "git ls-files | grep '\\.rs$' | xargs wc -l",
            "git ls-files | grep test | xargs cat",
            "find . -name '*.rs' | grep -v target | xargs grep TODO",
            "find . -type f | grep env | xargs ls -l",
        ],
    );
}

#[test]
fn a_home_for_keys_is_found_however_it_is_named() {
    check(
        Verdict::Ask,
        &[
            "gpg --homedir /tmp/g --homed ~/.gnupg --export-secret-keys -a",
            "gpg --homedir /tmp/g --ho=$HOME/.gnupg --export-secret-keys -a",
            "rsync -a ~/.gnupg/ /tmp/g; gpg --homedir /tmp/g --export-secret-keys -a",
            "cp -r ~/.gnupg /tmp/g; gpg --homedir /tmp/g --export-secret-keys -a",
        ],
    );
    check(
        Verdict::Allow,
        &["gpg --homedir /tmp/g --export-secret-keys -a", "gpg --homed /tmp/g --export-secret-keys -a"],
    );
}

#[test]
fn a_wrapper_shows_what_it_runs_shows() {
    check(
        Verdict::Ask,
        &[
            "/bin/echo \"$GITHUB_TOKEN\"",
            "env echo \"$GITHUB_TOKEN\"",
            "timeout 5 echo \"$GITHUB_TOKEN\"",
            "nohup echo \"$GITHUB_TOKEN\" &",
            "command printf %s \"$GITHUB_TOKEN\"",
            "builtin echo \"$GITHUB_TOKEN\"",
            "echo \"$GITHUB_TOKEN\" > /dev/stderr",
            "echo \"$GITHUB_TOKEN\" > /dev/tty",
            "x=$(echo \"$GITHUB_TOKEN\" > /dev/tty)",
            "echo \"$GITHUB_TOKEN\" | env cat",
            "echo \"$GITHUB_TOKEN\" | nice -n 5 sed 's/x/y/'",
            "echo \"$GITHUB_TOKEN\" | tee /dev/tty >/dev/null",
            "echo \"$GITHUB_TOKEN\" | tee /dev/stderr | wc -l",
            "echo \"$GITHUB_TOKEN\" | xargs echo",
            "echo \"$GITHUB_TOKEN\" | xargs -n1",
            "echo \"$GITHUB_TOKEN\" | xargs",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "echo \"$GITHUB_TOKEN\" | env wc -c",
            "echo \"$GITHUB_TOKEN\" | timeout 5 grep -q ghp_",
            "x=$(env echo \"$GITHUB_TOKEN\")",
            "env GITHUB_TOKEN=\"$GITHUB_TOKEN\" ./run.sh",
            "nohup echo \"$HOME\" &",
            "/bin/echo done",
            "ls | xargs echo",
            "/bin/echo \"$GITHUB_TOKEN\" | wc -c",
        ],
    );
}
