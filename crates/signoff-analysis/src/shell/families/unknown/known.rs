//! Programs outside the other families whose words need explaining: what the lexicon would misread or miss.

use super::{SAYS_CHANGES, SAYS_DESTROYS};
use crate::shell::families::tool::{
    self,
    Does::{Fine, Speaks},
    Tool, tools,
};

/// The description of a program.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    tool::find(DESCRIPTIONS, name)
}

tools! { pub(in crate::shell::families) DESCRIPTIONS:
    // The lexicon would misread these.
    "reset clear tput resize rmlint unimatrix wipeclean flash lsb_release http-server-upload semver quickget \
         submit decompile disassemble \
        plasma-apply-colorscheme plasma-apply-cursortheme plasma-apply-desktoptheme plasma-apply-lookandfeel" => Fine;
    // And it would miss these.
    "rmlint.sh" => Speaks(&SAYS_DESTROYS),
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
    "czkawka_cli duperemove" => Fine,
        options: &[("-D --delete-method -d --delete -N --noprompt -deleteduplicates", Speaks(&SAYS_DESTROYS))],
        verbs: &[("remove link move", Speaks(&SAYS_DESTROYS))];
    "gphoto2" => Fine,
        options: &[("-D --delete-all-files -d --delete-file", Speaks(&SAYS_DESTROYS))];
    // Services of others, steered from here.
    "k8sec loft komac pvesubscription \
         \
              gcalcli todoist tod \
           ionosctl kcadm.sh rundeck jenkins-cli octopus filen skicka \
        immich immich-go wlc transifex tx crowdin ohdear opsgenie slack \
        discord mattermost mmctl odpscmd dbx octez-client solana-keygen hsd-cli hsw-cli cbt \
" => Speaks(&SAYS_CHANGES),
        options: &[("--help -h", Fine)],
        verbs: &[
            ("login logout auth whoami init pull export download copy-from open browse agenda calw calm today search build dev \
                serve validate digest manifest catalog config blob ls tag head query extract cat", Fine),
        ];
    "rustup-init rustup-init.sh ghcup-init" => Speaks(&SAYS_CHANGES),
        bare: Speaks(&SAYS_CHANGES);
}
