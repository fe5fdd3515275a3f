//! Aliases that the text itself defines: what they mean where they are used, with the words that are added there.

use super::Alias;
use crate::{
    shell::{Shell, Written},
    value::{Arg, Feed},
};

/// Where an alias is remembered: git takes those of the project and those of the user alike, and no case counts.
fn key(shell: &Shell<'_>, name: &str, span: signoff_model::Span) -> Arg {
    Arg::text(format!("{}/.gitconfig#alias.{}", shell.whereabouts().home, name.to_ascii_lowercase()), span)
}

/// Remembers what an alias means from now on.
pub(super) fn define(shell: &mut Shell<'_>, name: &str, meaning: &Arg) {
    let key = key(shell, name, meaning.span);
    shell.remember_written(&key, Written::Content(Feed::of(meaning.value.clone())));
}

/// Forgets an alias.
pub(super) fn remove(shell: &mut Shell<'_>, name: &str, span: signoff_model::Span) {
    let key = key(shell, name, span);
    let path = shell.place(&key.value).path.clone();
    shell.state.written.remove(&path);
}

/// What a verb may mean: what this call says, or else each definition of the text that may be the last one.
pub(super) fn meanings(shell: &Shell<'_>, given: &[Alias], verb: &Arg, name: &str) -> Vec<Arg> {
    if let Some(alias) = given.iter().rev().find(|alias| alias.name.eq_ignore_ascii_case(name)) {
        return vec![alias.meaning.clone()];
    }
    let key = key(shell, name, verb.span);
    let Some(written) = shell.written(&shell.place(&key.value).path) else { return Vec::new() };
    let texts = written.alternatives().iter().filter_map(|one| one.content()?.text.clone());
    texts.map(|value| Arg { value, span: verb.span }).collect()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::{assess, check};

    #[test]
    fn an_alias_means_what_the_text_has_defined() {
        check(
            Ask,
            &[
                "git config alias.r reset; git r --hard",
                "git config --global alias.r reset && git r --hard HEAD~3",
                "git config --add alias.r reset; cd sub; git r --hard",
                "git config set alias.R reset; git r --hard",
                "git config alias.r reset; bash -c 'git r --hard'",
                "git config alias.a r; git config alias.r reset; git a --hard",
                "git config alias.r status; git config alias.r reset; git r --hard",
                "if make; then git config alias.r reset; fi; git r --hard",
                "git -c alias.r=reset r --hard",
                "git -c alias.r=status -c alias.r=reset r --hard",
                "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p -f",
                "git config alias.x '!rm -rf'; git x src",
            ],
        );
        check(Block, &["git config alias.x '!rm -rf'; git x ~", "git config alias.x '!sudo rm'; git x -rf /etc"]);
    }

    #[test]
    fn the_force_that_is_added_where_an_alias_is_used_counts() {
        for text in [
            "git config alias.p push; git p --force",
            "git config alias.p push; git -C . p -f",
            "git -c alias.p=push p --force",
        ] {
            let rules = assess(text).reasons;
            assert!(rules.iter().any(|reason| reason.rule.as_str() == "force-push"), "{text}: {rules:?}");
        }
    }

    #[test]
    fn an_alias_whose_text_is_not_known_asks() {
        check(
            Ask,
            &[
                "git config alias.r \"$X\"",
                "git config alias.r \"$(cat f)\"; git r",
                "git config --global alias.r \"!$CODE\"",
                "git -c alias.r=\"$X\" r",
            ],
        );
    }

    #[test]
    fn an_alias_for_what_harms_nobody_is_harmless() {
        check(
            Allow,
            &[
                "git config alias.st status; git st",
                "git config alias.st 'status -sb'; git st --ignored",
                "git config --global alias.l 'log --oneline'; git l -3",
                "git config alias.ci commit; git ci -m x",
                "git config alias.r reset; git r --soft HEAD~1",
                "git config alias.r reset; git config --unset alias.r; git r",
                "git config alias.root '!pwd'; git root",
                "git config --get alias.r",
                "git config --get-regexp '^alias'",
                "git -c alias.l=log l -1",
                "git config alias.status 'reset --soft'; git status",
            ],
        );
    }
}
