//! Rehearsals and looks in the spellings of many programs, each beside the same in earnest.

use signoff_model::Verdict;

use crate::testing::check;

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
        ],
    );
}
