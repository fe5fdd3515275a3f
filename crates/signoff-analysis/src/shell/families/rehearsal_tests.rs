//! Rehearsals and looks in the spellings of many programs, each beside the same in earnest.

use signoff_model::Verdict;

use crate::testing::{assess, check, verdict};

#[test]
fn what_only_shows_what_it_would_do_passes() {
    check(
        Verdict::Allow,
        &[
            "git checkout-index -a -f --prefix=/tmp/export-$$/",
            "git checkout-index -f -a --prefix=/tmp/out/",
            "git --work-tree=/tmp/x checkout-index -a -f --prefix=build/out/",
            "nix-store --gc --print-dead | wc -l; nix-collect-garbage --dry-run",
            "nix-store --gc --print-roots",
            "nix-store --gc --print-live",
            "mvn -B release:prepare -DdryRun=true && mvn release:clean",
            "mvn release:prepare -DdryRun",
            "spctl -a -vv dist/App.app",
            "spctl --assess --verbose dist/App.app",
            "spctl --status",
            "npx del-cli --dry-run 'public/**' '!public'",
            "del-cli -d 'data/**'",
            "kops update cluster --name k8s.acme.example",
            "kops delete cluster --name k8s.acme.example",
            "kops rolling-update cluster --name x",
            "kops get clusters",
            "trash-empty --dry-run",
            "cargo clean --dry-run",
            "gh-pages --help",
            "pip uninstall --help",
            "fclones remove --dry-run < dups.txt",
            "rclone delete remote:x --dry-run",
            "s3cmd del --dry-run s3://b/x",
            "aws s3 rm s3://b/x --recursive --dryrun",
            "ansible-playbook site.yml --check",
            "helm upgrade app ./chart --dry-run",
            "npm publish --dry-run",
            "docker compose down --dry-run",
            "brew cleanup -n",
            "brew cleanup --dry-run",
            "conda remove --dry-run numpy",
            "dnf remove --assumeno vim",
            "zypper rm --dry-run vim",
            "pacman -Rp vim",
            "certbot renew --dry-run",
            "logrotate -d /etc/logrotate.conf",
            "sgdisk --pretend -o /dev/sda",
            "poetry publish --dry-run",
            "semantic-release --dry-run",
            "lerna publish --help",
            "goreleaser release --snapshot",
            "rsync -an --delete src/ dst/",
            "flyway migrate -dryRunOutput=x.sql",
            "alembic upgrade head --sql",
            "rails db:migrate:status",
            "pulumi preview",
            "sceptre --help",
            "kops toolbox dump --name x",
            "lein test app.deploy-test",
            "lein do clean, test",
            "mill foo.test app.PublishSpec",
            "mill foo.test + foo.compile",
            "gpg --homedir=/tmp/gh --homedir /tmp/gi --export-secret-keys",
            "export GNUPGHOME=$(mktemp -d); gpg --import tests/keys/signer.asc; gpg --export-secret-keys",
        ],
    );
}

#[test]
fn the_same_in_earnest_is_asked_about() {
    check(
        Verdict::Ask,
        &[
            "git checkout-index -a -f",
            "git checkout-index -a -f --prefix=../other/",
            "nix-store --gc",
            "mvn release:prepare -DdryRun=false",
            "mvn release:prepare",
            "mvn deploy -DdryRun=true",
            "spctl --master-disable",
            "spctl --add dist/App.app",
            "npx del-cli 'public/**' '!public'",
            "npx rimraf data",
            "npx rimraf --dry-run=false data",
            "kops update cluster --name k8s.acme.example --yes",
            "kops delete cluster --name x --yes",
            "kops rolling-update cluster --name x --yes",
            "kops create secret x",
            "npx rimraf --dry-run data",
            "mvn -DdryRun=true release:prepare -DdryRun=false",
            "gpg --homedir=/tmp/gh --homedir ~/.gnupg --export-secret-keys",
            "gpg --homedir ~/.gnupg --homedir=/tmp/gh --export-secret-keys",
            "export GNUPGHOME=$(mktemp -d); gpg --import ~/backup/secret.asc; gpg --export-secret-keys",
            "export GNUPGHOME=$(mktemp -d); gpg --import < ~/backup/secret.asc; gpg --export-secret-keys",
            "GNUPGHOME=/tmp/g gpg --import ~/k.asc; gpg --homedir /tmp/g --export-secret-keys",
            "spctl -a --master-disable",
            "spctl --status --master-disable",
            "spctl --assess --global-disable",
            "lein do test, deploy clojars",
            "lein do test , deploy",
            "lein test deploy",
            "mill foo.test + foo.publishSonatypeCentral",
            "./mill -i foo.test + foo.publish",
            "mill __.test __.publish",
            "kops toolbox addons apply",
        ],
    );
    check(
        Verdict::Block,
        &["sgdisk -Z -P /dev/sda", "sgdisk --zap-all --pretend /dev/sda", "sgdisk -o /dev/sda -- --pretend"],
    );
}

/// A command in earnest, and the switch that makes it a rehearsal.
const PAIRS: &[(&str, &str)] = &[
    ("alembic upgrade head", "--sql"),
    ("ansible-playbook site.yml", "--check"),
    ("apk del x", "--simulate"),
    ("apt-get remove vim", "--dry-run"),
    ("apt-get remove vim", "-s"),
    ("argocd app sync x", "--dry-run"),
    ("atlas schema apply", "--dry-run"),
    ("aws s3 rm s3://b/x --recursive", "--dryrun"),
    ("borg delete repo::x", "--dry-run"),
    ("brew uninstall x", "--dry-run"),
    ("bun publish", "--dry-run"),
    ("cargo publish", "--dry-run"),
    ("certbot renew", "--dry-run"),
    ("chef-client", "--why-run"),
    ("chezmoi apply", "--dry-run"),
    ("del-cli 'data/**'", "--dry-run"),
    ("del-cli 'data/**'", "-d"),
    ("dnf remove vim", "--assumeno"),
    ("duplicity remove-all-but-n-full 1 --force file:///x", "--dry-run"),
    ("e2fsck /dev/sda1", "-n"),
    ("emerge -C x", "--pretend"),
    ("firebase deploy", "--dry-run"),
    ("git clean -fdx", "--dry-run"),
    ("git push --force origin main", "--dry-run"),
    ("goreleaser release", "--snapshot"),
    ("gradle publish", "--dry-run"),
    ("gradle publish", "-m"),
    ("guix remove x", "--dry-run"),
    ("helm uninstall x", "--dry-run"),
    ("helm upgrade app ./chart", "--dry-run"),
    ("istioctl install", "--dry-run"),
    ("kubectl delete pod x", "--dry-run=client"),
    ("logrotate -f x", "--debug"),
    ("lvremove vg/x", "--test"),
    ("make deploy", "--dry-run"),
    ("mkfs.ext4 /dev/sda", "-n"),
    ("mvn release:prepare", "-DdryRun"),
    ("nix-collect-garbage", "--dry-run"),
    ("nix-store --gc", "--print-dead"),
    ("npm publish", "--dry-run"),
    ("npx del-cli 'public/**'", "--dry-run"),
    ("pacman -R vim", "--print"),
    ("php artisan migrate:fresh", "--pretend"),
    ("pkg delete x", "--dry-run"),
    ("poetry publish", "--dry-run"),
    ("puppet apply x.pp", "--noop"),
    ("rclone delete remote:x", "--dry-run"),
    ("release-it", "--dry-run"),
    ("rename 's/a/b/' *", "--nono"),
    ("restic forget x --prune", "--dry-run"),
    ("rsync -a --delete src/ dst/", "--dry-run"),
    ("s3cmd del s3://b/x", "--dry-run"),
    ("semantic-release", "--dry-run"),
    ("sgdisk -o /dev/sda", "--pretend"),
    ("trash-empty", "--dry-run"),
    ("uv publish", "--dry-run"),
    ("wipefs -a /dev/sda", "--no-act"),
    ("wrangler deploy", "--dry-run"),
    ("xbps-remove x", "-n"),
    ("zpool destroy x", "-n"),
    ("zypper rm vim", "--dry-run"),
];

#[test]
fn a_switch_behind_the_end_of_the_options_or_taken_back_is_no_rehearsal() {
    let mut wrong = Vec::new();
    let mut expect = |expected: Verdict, command: String| {
        let found = verdict(&assess(&command));
        wrong.extend((found != expected).then(|| format!("{found}, not {expected}: {command}")));
    };
    for (earnest, switch) in PAIRS {
        let expected = verdict(&assess(earnest));
        let name = switch.split('=').next().unwrap_or(switch);
        expect(Verdict::Allow, format!("{earnest} {switch}"));
        expect(expected, format!("{earnest} -- {switch}"));
        if name.len() > 2 {
            expect(expected, format!("{earnest} {name}=false"));
            expect(expected, format!("{earnest} {switch} {name}=false"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
