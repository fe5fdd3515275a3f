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
    "reset clear tput resize rmlint unimatrix wipeclean flash lsb_release http-server-upload postcss act semver quickget trash-list \
        plasma-apply-colorscheme plasma-apply-cursortheme plasma-apply-desktoptheme plasma-apply-lookandfeel" => Fine;
    // And it would miss these.
    "rip gomi trash trash-put" => Speaks(&SAYS_DESTROYS),
        options: &[("-s --seance -u --unbury --restore -l --list", Fine)],
        verbs: &[("list graveyard help", Fine)];
    "trash-empty trash-rm srm rmlint.sh" => Speaks(&SAYS_DESTROYS),
        options: &[("--dry-run", Fine)],
        bare: Speaks(&SAYS_DESTROYS);
    "dist" => Fine,
        verbs: &[("host", Speaks(&SAYS_PUBLISHES))];
    "rustup-init rustup-init.sh ghcup-init" => Speaks(&SAYS_CHANGES),
        bare: Speaks(&SAYS_CHANGES);
}
