//! What a chain is said to have made, compared with bash: where deleting passes without a question, nothing is lost that
//! was there before.

use proptest::prelude::*;
use signoff_model::Verdict;

use super::bash_oracle::{bash, cases, seed};
use crate::testing::{assess, verdict};

/// Nothing climbs out of a directory as deep as this.
const SCRATCH: &str = "1/2/3/4/5/6/7/8/9/10/11/12";

/// Whether a file that stood in `src` is still somewhere after the text has run.
fn is_kept(text: &str) -> bool {
    let script = format!(
        "mkdir -p {SCRATCH}/src {SCRATCH}/sub; touch {SCRATCH}/src/kept; ln -s src {SCRATCH}/link\n\
         (cd {SCRATCH}\n{text}\n) >/dev/null 2>&1 </dev/null\nargs \"$(find . -name kept)\""
    );
    bash(&script) != [Some(String::new())]
}

fn check_against_bash(text: &str) -> Result<(), String> {
    match verdict(&assess(text)) {
        Verdict::Allow if !is_kept(text) => Err(format!("allowed, and a file is lost: {text}")),
        _ => Ok(()),
    }
}

fn command() -> impl Strategy<Value = String> {
    let commands = prop_oneof![
        4 => prop::sample::select(vec!["mkdir src", "mkdir new", "mkdir sub/src", "mkdir src new"]),
        4 => prop::sample::select(vec!["rm -rf src", "rm -rf new", "rm -rf new/*", "rm -rf new/src", "rmdir new", "rm -rf src new"]),
        2 => prop::sample::select(vec!["rm -rf new/link/*", "rm -rf ../src", "rm -rf sub/src", "rm -rf ../sub/src"]),
        2 => prop::sample::select(vec!["mv src new", "cp -a link new", "cp -r sub new", "ln -s ../src new/link", "mv src sub"]),
        2 => prop::sample::select(vec!["cd new", "cd ..", "cd sub", "cd -", "true", "false", "! true"]),
        1 => prop::sample::select(vec!["mkdir -p src", "mkdir --par src", "mkdir src 2>&1 | cat", "set -e", "x=src", "rm -rf $x"]),
        1 => prop::sample::select(vec!["! mkdir src", "find . -maxdepth 0 -exec mkdir src ';'", "X=$(mkdir src)", "command mkdir -p src"]),
    ];
    commands.prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    command().prop_recursive(4, 10, 3, |inner| {
        let joined = (inner.clone(), prop::sample::select(vec![" && ", " && ", " && ", " || ", "; "]), inner.clone());
        prop_oneof![
            6 => joined.prop_map(|(first, by, then)| format!("{first}{by}{then}")),
            1 => inner.clone().prop_map(|body| format!("{{ {body}; }}")),
            1 => inner.clone().prop_map(|body| format!("({body})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(test, body)| format!("if {test}; then {body}; fi")),
            1 => inner.clone().prop_map(|body| format!("for i in 1 2; do {body}; done")),
            1 => inner.prop_map(|body| format!("f() {{ {body}; }}; f")),
        ]
    })
}

#[test]
fn what_is_lost_in_bash_is_asked_about() {
    for text in [
        "set -e; { mkdir src; rm -rf src; } || true",
        "set -e; if mkdir src; then :; fi; rm -rf src",
        "set -e; X=$(mkdir src; rm -rf src)",
        "set -e; trap 'rm -rf src' EXIT; mkdir src",
        "find . -maxdepth 0 -exec mkdir src ';' && rm -rf src",
        "mkdir --par src && rm -rf src",
        "mkdir new || mkdir src && rm -rf src",
        "mkdir --version src && rm -rf src",
        "mkdir new && mv src new && rm -rf new",
        "mkdir new && cp -a link new && rm -rf new/link/*",
        "mkdir new && cd sub && cd .. && rm -rf new",
    ] {
        check_against_bash(text).expect("nothing is lost");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn what_is_lost_by_a_generated_text_is_asked_about(text in text()) {
        prop_assert_eq!(check_against_bash(&text), Ok(()));
    }
}
