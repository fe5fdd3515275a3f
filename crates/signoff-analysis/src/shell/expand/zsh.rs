//! What zsh makes of words beyond what other shells do: `=program`, and qualifiers behind a pattern.

use crate::shell::syntax::tree::WordPart;

/// Where the programs lie that a name behind `=` finds.
const PROGRAMS: &str = "/usr/bin";

/// The path that `=name` stands for.
pub(super) fn program_of(parts: &[WordPart<'_>]) -> Option<String> {
    let [WordPart::Literal(text)] = parts else { return None };
    let name = text.strip_prefix('=')?;
    let is_name = !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-.+".contains(sign));
    is_name.then(|| format!("{PROGRAMS}/{name}"))
}

/// The last part of a word without the qualifiers behind it, if they leave whole kinds of files or all of them: `*(D)`,
/// `~(N)`, `*(.)`. Others choose among the files, and so the word is not all that it would be without them.
pub(super) fn bare<'a>(parts: &[WordPart<'a>]) -> Option<&'a str> {
    match parts.last()? {
        WordPart::ExtendedGlob { operator, inside: [WordPart::Literal(qualifiers)] } if keeps_kinds(qualifiers) => {
            match operator {
                '*' => Some("*"),
                '?' => Some("?"),
                _ => None,
            }
        }
        WordPart::Literal(text) => {
            let (bare, qualifiers) = text.strip_suffix(')')?.rsplit_once('(')?;
            (keeps_kinds(qualifiers) && (!bare.is_empty() || parts.len() > 1)).then_some(bare)
        }
        _ => None,
    }
}

/// Whether qualifiers only say which kinds of files are meant, whether hidden ones are, in which order, and what none means.
fn keeps_kinds(qualifiers: &str) -> bool {
    let qualifiers = qualifiers.strip_prefix("#q").unwrap_or(qualifiers);
    let mut signs = qualifiers.chars();
    while let Some(sign) = signs.next() {
        let known = match sign {
            'o' | 'O' => signs.next().is_some_and(|by| by.is_ascii_alphabetic()),
            sign => "DNnTMF./@-".contains(sign),
        };
        if !known {
            return false;
        }
    }
    !qualifiers.is_empty()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use super::keeps_kinds;
    use crate::testing::{check, check_zsh};

    #[test]
    fn qualifiers_that_choose_are_told_from_those_that_do_not() {
        for (qualifiers, expected) in [
            ("D", true),
            ("ND", true),
            (".", true),
            ("#qN", true),
            ("Don", true),
            ("/", true),
            ("", false),
            ("m+7", false),
            ("L+100", false),
            ("om[1]", false),
            ("a|b", false),
            ("o", false),
        ] {
            assert_eq!(keeps_kinds(qualifiers), expected, "{qualifiers}");
        }
    }

    #[test]
    fn an_equals_sign_finds_the_program() {
        check_zsh(Block, &["=rm -rf ~", "sudo =rm -rf /", "eval =rm -rf ~", "command =rm -rf ~", "zsh -c '=rm -rf ~'"]);
        check_zsh(Ask, &["=git push --force", "=rm -rf src"]);
        check_zsh(Allow, &["=ls", "=git status", "cat =python", "echo =rm", "echo a=b =", "print =(ls)", "[ a = b ]"]);
        check(Allow, &["echo =rm"]);
    }

    #[test]
    fn qualifiers_behind_a_pattern_leave_it_what_it_is() {
        check_zsh(
            Block,
            &[
                "rm -rf ~/*(D)",
                "rm -rf ~/*(ND)",
                "rm -rf ~/*(#qD)",
                "rm -rf ~(N)",
                "rm -rf /*(D)",
                "rm -rf ~/*(/)",
                "rm -rf /etc(N)",
            ],
        );
        check_zsh(
            Ask,
            &["rm -rf *(N)", "rm *.log(N)", "rm -rf src(N)", "rm -rf src/*(D)", "rm ~/*(m+7)", "rm src/*(om[1])"],
        );
        check_zsh(
            Allow,
            &[
                "ls *(.)",
                "ls -d *(/)",
                "print -l **/*(.om[1,3])",
                "rm -rf target/*(N)",
                "rm -rf build/*(D)",
                "rm -f /tmp/x/*(N)",
                "echo '*(D)'",
            ],
        );
    }

    #[test]
    fn a_function_without_a_name_runs_where_it_stands() {
        check_zsh(
            Block,
            &[
                "() { rm -rf ~ }",
                "() { rm -rf ~; }",
                "function { rm -rf ~ }",
                "() { rm -rf $1 } ~",
                "() { rm -rf \"$@\" } -- ~ x",
                "() { () { rm -rf ~ } }",
                "true && () { rm -rf ~ }",
                "zsh -c '() { rm -rf $1 } ~'",
            ],
        );
        check_zsh(Ask, &["() { git push --force }", "() { rm -rf $1 } src"]);
        check_zsh(
            Allow,
            &["() { echo hi }", "() { ls $1 } src", "function { ls }", "() { local x=1; echo $x }", "f() { rm -rf ~ }"],
        );
    }
}
