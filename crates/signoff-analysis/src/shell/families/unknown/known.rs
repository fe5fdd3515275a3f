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
    "reset clear tput resize rmlint unimatrix flush-print semver prune-deps restic-stats postcss post releasenotes" => Fine;
    "rip gomi trash trash-put del-to-trash" => Speaks(&SAYS_DESTROYS),
        options: &[("-s --seance -u --unbury --restore -l --list", Fine)],
        verbs: &[("list graveyard help", Fine)];
    "trash-list trash-restore gio-list" => Fine;
    "trash-empty trash-rm srm sfill rmlint.sh" => Speaks(&SAYS_DESTROYS),
        bare: Speaks(&SAYS_DESTROYS),
        options: &[("--dry-run", Fine)];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_used() {
        let _ = (&SAYS_CHANGES, &SAYS_PUBLISHES);
    }
}
