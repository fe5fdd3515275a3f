//! Scripts that package managers start by themselves, put into a manifest by a filter of `jq` or `yq`: they count as run.

use signoff_model::Dialect;

use crate::{
    shell::{Language, Shell},
    value::{Arg, Feed, Value},
};

/// Scripts of a package that run without being asked for.
const HOOKS: &[&str] = &[
    "preinstall",
    "postinstall",
    "install",
    "prepare",
    "prepublish",
    "prepublishOnly",
    "preprepare",
    "postprepare",
    "prepack",
    "postpack",
];

/// Runs the code that a filter gives to hooks of a package: `.scripts.postinstall = "code"`,
/// `.scripts += {"prepare": $code}`. `given` are the variables of the filter.
pub(super) fn run(shell: &mut Shell<'_>, filter: &Arg, given: &[(String, &Arg)]) {
    let Some(text) = filter.known() else { return };
    for code in planted(text) {
        let code = match code {
            Code::Text(text) => Value::text(text),
            Code::Variable(name) => match given.iter().find(|(own, _)| *own == name) {
                Some((_, value)) => value.value.clone(),
                None => Value::unknown(format!("${name}"), Vec::new()),
            },
        };
        shell.run_code(Language::Shell(Dialect::Sh), &Arg { value: code, span: filter.span }, Feed::none());
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Code {
    Text(String),
    Variable(String),
}

/// What each hook behind `scripts` is set to.
fn planted(filter: &str) -> Vec<Code> {
    let Some((_, scripts)) = filter.split_once("scripts") else { return Vec::new() };
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | ':');
    let mut found = Vec::new();
    for hook in HOOKS {
        for (at, _) in scripts.match_indices(hook) {
            let before = scripts.get(..at).unwrap_or_default();
            let behind = scripts.get(at + hook.len()..).unwrap_or_default();
            if before.ends_with(is_word) || behind.starts_with(|letter: char| is_word(letter) && letter != ':') {
                continue;
            }
            found.extend(set_to(behind));
        }
    }
    found
}

/// What stands behind a name and `=`, `|=`, `+=` or `:`.
fn set_to(behind: &str) -> Option<Code> {
    let behind = behind.trim_start_matches(['"', '\'', ']', ' ', '\t', '\n']);
    let value = match behind.trim_start_matches(['|', '+', '/']) {
        // A comparison sets nothing.
        equals if equals.starts_with("==") => return None,
        set => set.strip_prefix(['=', ':'])?.trim_start().trim_start_matches('('),
    };
    if let Some(name) = value.strip_prefix('$') {
        return Some(Code::Variable(
            name.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect(),
        ));
    }
    // `strenv(NAME)` of `yq`.
    if let Some(name) = value.strip_prefix("strenv(").or_else(|| value.strip_prefix("env(")) {
        return Some(Code::Variable(name.split(')').next().unwrap_or_default().to_owned()));
    }
    let mut letters = value.strip_prefix('"')?.chars();
    let mut code = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some(Code::Text(code)),
            '\\' => code.extend(letters.next()),
            letter => code.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Block};

    use super::*;
    use crate::testing::check;

    #[test]
    fn every_hook_that_is_set_is_found() {
        let text = |text: &str| Code::Text(text.to_owned());
        assert_eq!(planted(".scripts.prepare=\"a\" | .scripts.preinstall = \"b\""), [text("b"), text("a")]);
        assert_eq!(planted(".scripts += {\"postinstall\": $c}"), [Code::Variable("c".to_owned())]);
        assert_eq!(planted(".scripts[\"install\"] |= \"a \\\"b\\\"\""), [text("a \"b\"")]);
        assert_eq!(planted("select(.scripts.prepare == \"a\")"), []);
        assert_eq!(planted(".scripts.prepare"), []);
    }

    #[test]
    fn hooks_in_manifests_count_as_run() {
        check(
            Block,
            &[
                "jq '.scripts.prepare=\"rm -rf ~\" | .scripts.preinstall=\"true\"' package.json > p && mv p package.json",
                "jq --arg c 'rm -rf ~' '.scripts.postinstall=$c' package.json > p && mv p package.json",
                "yq -i '.scripts.postinstall=\"rm -rf ~\"' package.json",
                "C='rm -rf ~' yq -i '.scripts.postinstall = strenv(C)' package.json",
            ],
        );
        check(
            Allow,
            &[
                "jq '.scripts.prepare=\"husky\"' package.json > /tmp/p",
                "yq -i '.scripts.test=\"vitest\"' package.json",
                "jq '.scripts.prepare' package.json",
                "jq --arg v 2.0.0 '.version=$v' package.json > /tmp/p",
            ],
        );
    }
}
