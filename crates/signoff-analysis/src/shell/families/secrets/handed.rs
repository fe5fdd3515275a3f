//! Private keys that a program is handed which has no use for one: it shows what is in them, in what it prints or in what
//! it complains about.

use crate::{
    path_effects::READ_SECRET,
    shell::{Call, Shell, options::strip},
    value::Arg,
    words::Words,
};

/// Programs that use a key without showing it, that only look at the file, or whose own family says what they do with it.
static USERS: Words<512> = Words::new(
    "ssh scp sftp rsync mosh autossh sshfs sshpass ssh-keygen ssh-add ssh-copy-id ssh-keyscan ssh-agent keychain puttygen \
    plink pscp git gh glab openssl gpg gpg2 age rage sops ansible ansible-playbook ansible-console terraform tofu packer \
    vagrant vault kubectl docker podman docker-compose aws gcloud az doctl hcloud chmod chown chgrp chattr setfacl ls ll \
    stat test [ [[ echo printf print rm mv cp ln shred find fd touch basename dirname realpath readlink du df wc sha1sum \
    sha256sum sha512sum md5sum b2sum shasum cksum install export declare typeset local readonly cd pushd mkdir rmdir \
    which type command grep egrep fgrep rgrep zgrep rg ag ack ugrep restic borg cmp lsof fuser getfacl namei exit return set unset read mapfile trap tar zip \
    srm unlink trash mysql psql capistrano cap fab mitogen deploy dokku eksctl juju kops nixops true false : shift",
);

/// Words in the names of options whose values are keys to be used.
const KEY_WORDS: &[&str] = &["key", "identity", "secret", "cert", "pem", "ssh", "auth", "cred"];

/// Whether a program takes private keys and shows nothing of them.
pub fn uses_keys(name: &str) -> bool {
    USERS.holds(name)
}

/// Says so if a call hands a private key to a program that does not use keys. `told` is how many reasons there were before
/// the program was judged: who was told about it already need not be told again.
pub fn judge(shell: &mut Shell<'_>, call: &Call, told: usize) {
    // Few calls name anything of the kind.
    let names_key = |arg: &Arg| arg.value.shown().as_bytes().windows(3).any(|letters| letters == b"id_");
    if !call.args.iter().any(names_key) || call.asks_for_help() {
        return;
    }
    if shell.findings.reasons().iter().skip(told).any(|reason| reason.rule.as_str() == READ_SECRET.id) {
        return;
    }
    for (at, arg) in call.args.iter().enumerate().filter(|(_, arg)| names_key(arg)) {
        let option = match (arg.is_option(), at.checked_sub(1).and_then(|before| call.args.get(before))) {
            (true, _) => Some(arg),
            (false, before) => before.filter(|before| before.is_option()),
        };
        let says_key = option.is_some_and(|option| {
            let name = option.value.prefix().split('=').next().unwrap_or_default().to_ascii_lowercase();
            name == "-i" || KEY_WORDS.iter().any(|word| name.contains(word))
        });
        if says_key {
            continue;
        }
        // `--from=key`, `@key`.
        let text = arg.value.prefix();
        let start = text.strip_prefix('@').map(|_| 1).or_else(|| text.find('=').map(|at| at + 1)).unwrap_or(0);
        let mut value = strip(&arg.value, start);
        if let Some(rest) = value.known().and_then(|text| text.strip_prefix("~/")) {
            value = crate::value::Value::text(format!("{}/{rest}", shell.whereabouts().home));
        }
        let place = shell.place(&value);
        if is_private_key(&place.path) {
            shell.read(&Arg { value, span: arg.span });
        }
    }
}

/// Whether the name of a file is one that `ssh-keygen` gives to a private key.
fn is_private_key(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    // In code, the name ends with its quote.
    let name = name.split(['"', '\'', '`']).next().unwrap_or(name);
    let kinds = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];
    kinds.iter().any(|kind| name.starts_with(kind)) && !name.ends_with(".pub")
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn who_complains_about_a_key_shows_it() {
        check(
            Verdict::Ask,
            &[
                "bash -v ~/.ssh/id_rsa",
                "date -f ~/.ssh/id_ed25519",
                "file -f ~/.ssh/id_rsa",
                "gcc -E -x c ~/.ssh/id_rsa",
                "gcc @$HOME/.ssh/id_rsa",
                "python3 ~/.ssh/id_ecdsa",
                "someprogram --input=$HOME/.ssh/id_rsa",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "ls -l ~/.ssh/id_rsa",
                "chmod 600 ~/.ssh/id_rsa",
                "ssh-add ~/.ssh/id_ed25519",
                "ssh-keygen -lf ~/.ssh/id_rsa",
                "stat ~/.ssh/id_rsa",
                "test -f ~/.ssh/id_rsa && echo yes",
                "someprogram ~/.ssh/id_rsa.pub",
                "someprogram --private-key ~/.ssh/id_rsa list",
                "date -f dates.txt",
                "file src/id_map.rs",
            ],
        );
    }
}
