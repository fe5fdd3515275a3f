//! Programs outside the other families whose words need explaining: what the lexicon would misread or miss.

use super::{SAYS_CHANGES, SAYS_DESTROYS, SAYS_PUBLISHES};
use crate::shell::families::tool::{
    self,
    Does::{Fine, Speaks},
    Tool, tools,
};

/// The description of a program.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    tool::find(TOOLS, name)
}

tools! { TOOLS:
    // The lexicon would misread these.
    "reset clear tput resize rmlint unimatrix wipeclean flash lsb_release http-server-upload postcss act semver quickget \
        trash-list submit decompile disassemble \
        plasma-apply-colorscheme plasma-apply-cursortheme plasma-apply-desktoptheme plasma-apply-lookandfeel" => Fine;
    // And it would miss these.
    "rip gomi trash trash-put" => Speaks(&SAYS_DESTROYS),
        options: &[("-s --seance -u --unbury --restore -l --list", Fine)],
        verbs: &[("list graveyard help", Fine)];
    "trash-empty trash-rm srm rmlint.sh" => Speaks(&SAYS_DESTROYS),
        options: &[("--dry-run", Fine)],
        bare: Speaks(&SAYS_DESTROYS);
    // Backups: what is forgotten is gone, what is restored overwrites.
    "borg" => Fine,
        values: "--rsh --remote-path --lock-wait",
        options: &[("-n --dry-run", Fine)],
        verbs: &[("delete prune compact recreate break-lock", Speaks(&SAYS_DESTROYS))];
    "restic rustic kopia duplicity duplicacy rdiff-backup bup tarsnap resticprofile backup" => Fine,
        values: "-r --repo -p --password-file --repository -d --bup-dir --host --tag --path",
        options: &[("-n --dry-run", Fine), ("--remove-older-than --remove-all-but-n-full --nuke", Speaks(&SAYS_DESTROYS))],
        verbs: &[
            ("forget prune remove-older-than remove-all-but-n-full cleanup rm gc maintenance snapshot+delete policy+delete \
                repair remove", Speaks(&SAYS_DESTROYS)),
            ("restore", Speaks(&SAYS_CHANGES)),
        ];
    "czkawka_cli fclones jdupes fdupes rdfind duperemove" => Fine,
        options: &[("-D --delete-method -d --delete -N --noprompt -deleteduplicates", Speaks(&SAYS_DESTROYS))],
        verbs: &[("remove link move", Speaks(&SAYS_DESTROYS))];
    "gphoto2" => Fine,
        options: &[("-D --delete-all-files -d --delete-file", Speaks(&SAYS_DESTROYS))];
    // Services of others, steered from here.
    "openstack linode-cli ibmcloud k8sec kaggle loft hut komac magento pvenode pvesh pveum pvesubscription pveam pvesm pvecm qm \
        pct VBoxManage \
        cf cli53 cli4 flarectl exo stripe balena dokku doppler resend cloudflared vcluster knife zapier spark travis jira gcalcli todoist tod \
        hcloud scw civo vultr-cli upctl ionosctl kcadm.sh rundeck jenkins-cli nova octopus bosh tgcloud gdrive filen skicka \
        immich immich-go wlc transifex tx crowdin propelauth chainctl expose ohdear sentry-cli newrelic datadog-ci pagerduty opsgenie slack \
        discord mattermost mmctl shopify snowsql odpscmd dbx octez-client solana-keygen hsd-cli hsw-cli bq cbt gsutil skopeo \
            crane regctl oras" => Speaks(&SAYS_CHANGES),
        options: &[("--help -h", Fine)],
        verbs: &[
            ("login logout auth whoami init pull export download copy-from open browse agenda calw calm today search build dev \
                serve validate digest manifest catalog config blob ls tag head query extract cat", Fine),
        ];
    "goreleaser" => Fine,
        options: &[("--snapshot --skip=publish --single-target", Fine)],
        verbs: &[("release publish continue announce", Speaks(&SAYS_PUBLISHES))];
    "dist" => Fine,
        verbs: &[("host", Speaks(&SAYS_PUBLISHES))];
    "rustup-init rustup-init.sh ghcup-init" => Speaks(&SAYS_CHANGES),
        bare: Speaks(&SAYS_CHANGES);
}
