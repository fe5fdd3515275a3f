//! Generated texts: a marker command wrapped into contexts, in all orders, and such texts with a few bytes changed.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::{lister, oracle};

const MARKER: &str = "marker";

/// Contexts in which a command runs. `¤` is the command, which may have several lines; `§` is the depth, for names that
/// must differ.
const CONTEXTS: [&str; 74] = [
    "echo $(¤)",
    "echo \"$(¤)\"",
    "echo \"a $(b; ¤) c\"",
    "echo ${v:-$(¤)}",
    "echo \"${v:-$(¤)}\"",
    "echo ${v:-\"$(¤)\"}",
    "echo \"${v:-\"$(¤)\"}\"",
    "echo ${v/a/$(¤)}",
    "echo \"${v//$(¤)/b}\"",
    "echo ${v#$(¤)}",
    "echo ${v:$(¤):1}",
    "echo ${v:1:$(¤)}",
    "echo ${v[$(¤)]}",
    "echo \"${v^^$(¤)}\"",
    "echo ${v?$(¤)}",
    "x=$(¤)",
    "x=\"$(¤)\" y",
    "x[$(¤)]=1",
    "x=(1 $(¤) 2)",
    "x+=([$(¤)]=1)",
    "declare -A x=([k]=$(¤))",
    "export x=(\"$(¤)\")",
    "echo $((1 + $(¤)))",
    "echo \"$(( ($(¤)) * 2 ))\"",
    " (( x = $(¤) ))",
    "echo $[ $(¤) ]",
    "[[ -n $(¤) ]]",
    "[[ a == b && ( \"$(¤)\" < c ) ]]",
    "[[ a =~ ^($(¤)|b)$ ]]",
    "[[ a == @(b|$(¤)) ]]",
    "echo @(a|$(¤))",
    "case $(¤) in a) b;; esac",
    "case a in $(¤)) b;; esac",
    "case a in b) ¤\n;; c) d;; esac",
    "case a in (b) ¤\nesac",
    "if ¤\nthen a; fi",
    "if a; then ¤\nfi",
    "if a; then b; elif ¤\nthen c; else d; fi",
    "if a; then b; else ¤\nfi",
    "while ¤\ndo a; done",
    "until a; do ¤\ndone",
    "for i in $(¤); do a; done",
    "for i; do ¤\ndone",
    "for ((i=$(¤);i<1;i++)); do a; done",
    "for ((;;)) { ¤\n}",
    "select i in a; do ¤\ndone",
    "f§() { ¤\n}",
    "function f§ { ¤\n}",
    "f§() ( ¤\n)",
    "{ ¤\n}",
    " ( ¤\n)",
    " ((a); ¤\n)",
    "! ¤",
    "a; ¤",
    "a && ¤",
    "a || ¤",
    "a & ¤",
    "a |\n¤",
    "coproc { ¤\n}",
    "time { ¤\n}",
    "a <(¤)",
    "a > >(¤)",
    "a >$(¤)",
    "a <<<\"$(¤)\"",
    "{ a; } 2>\"$(¤)\"",
    "a <<E§\n$(¤)\nE§\n",
    "a <<-E§\n\t'$(¤)' \"\nE§\n",
    "a <<E§ | b <<'F§'\n${v:-$(¤)}\nE§\n$(\nF§\n",
    "a <<'E§'; b\n\"' $( `\nE§\n¤",
    "echo \"$(a <<'E§'\n)\"'\nE§\n¤)\"",
    "echo # comment ' \" $(\n¤",
    "echo $'\\'' $\"$(¤)\"",
    // Single quotes that do not quote: what is between them ends at the next one all the same.
    "(( '$(¤)' ))",
    "echo \"${v:='$(¤)'}\"",
];

/// Back-quotes around a command take a backslash more for each level.
fn back_quoted(command: &str, double: bool) -> String {
    let mut inside = String::new();
    for character in command.chars() {
        if matches!(character, '\\' | '`' | '$') || (double && character == '"') {
            inside.push('\\');
        }
        inside.push(character);
    }
    if double { format!("echo \"`{inside}`\"") } else { format!("echo `{inside}`") }
}

fn wrap(choices: &[usize]) -> String {
    let mut command = format!("{MARKER} x");
    for (depth, choice) in choices.iter().enumerate() {
        command = match CONTEXTS.get(*choice) {
            Some(context) => context.replace('§', &depth.to_string()).replace('¤', &command),
            None => back_quoted(&command, choice % 2 == 0),
        };
    }
    command
}

fn choices() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..CONTEXTS.len() + 4, 1..7)
}

/// Whether the marker is listed, and whether there is an error.
fn found(text: &str, dialect: Dialect) -> (bool, bool) {
    let arena = Arena::new();
    let script = parse(text, dialect, &Limits::default(), &arena);
    (lister::names(&script, text).iter().any(|name| name == MARKER), !script.errors.is_empty())
}

proptest! {
    #![proptest_config(Config { cases: 2000, ..Config::default() })]

    #[test]
    fn a_wrapped_command_is_found(choices in choices()) {
        let text = wrap(&choices);
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
            let (listed, flagged) = found(&text, dialect);
            prop_assert!(listed || flagged, "{dialect:?} lost the command in {text}");
        }
    }
}

#[test]
fn every_context_is_read_without_an_error() {
    for choice in 0..CONTEXTS.len() + 2 {
        let text = wrap(&[choice]);
        assert_eq!(found(&text, Dialect::Bash), (true, false), "{text}");
        assert!(oracle::bash_accepts(&text), "{text}");
    }
}

proptest! {
    #![proptest_config(Config { cases: 60, ..Config::default() })]

    #[test]
    fn what_bash_accepts_is_read_without_an_error(choices in choices()) {
        let text = wrap(&choices);
        let simple_quotes = choices.iter().all(|choice| CONTEXTS.get(*choice).is_none_or(|context| !context.contains("'$(¤)'")));
        // Bash reads what stands in back-quotes, in heredocs and behind `=~` only when it runs it: what is wrapped has to be a
        // text that it accepts by itself, at every depth.
        let mut depths = (1..=choices.len()).filter_map(|depth| choices.get(..depth)).map(wrap);
        if simple_quotes && depths.all(|inside| oracle::bash_accepts(&inside)) {
            prop_assert_eq!(found(&text, Dialect::Bash), (true, false), "{}", text);
        }
    }
}

/// A tool: prints where bash and we disagree about texts with a few bytes changed.
///
/// `SIGNOFF_DIFFERENCES=<count> cargo test -p signoff-analysis --release --test parser differences -- --nocapture`
#[test]
fn differences_from_bash() {
    let Some(count) = std::env::var("SIGNOFF_DIFFERENCES").ok().and_then(|count| count.parse::<usize>().ok()) else {
        println!("SIGNOFF_DIFFERENCES is not set: nothing was compared");
        return;
    };
    let signs = "$(){}[]<>|&;'\"`\\\n #=!@*ax/:-";
    let change = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(signs.chars().collect::<Vec<_>>()));
    let strategy = (choices(), prop::collection::vec(change, 1..4));
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..count {
        let (choices, changes) = strategy.new_tree(&mut runner).expect("a text").current();
        let mut characters: Vec<char> = wrap(&choices[..choices.len().min(3)]).chars().collect();
        for (index, kind, sign) in changes {
            let at = index.index(characters.len().max(1));
            match kind {
                0 if !characters.is_empty() => drop(characters.remove(at)),
                1 if !characters.is_empty() => characters[at] = sign,
                _ => characters.insert(at, sign),
            }
        }
        let text: String = characters.into_iter().collect();
        let (listed, flagged) = found(&text, Dialect::Bash);
        let accepted = oracle::bash_accepts(&text);
        match (accepted, flagged, listed) {
            (true, true, _) => println!("REFUSED {text:?}"),
            (false, false, _) => println!("ACCEPTED {text:?}"),
            (true, false, false) if text.contains(MARKER) => println!("UNLISTED {text:?}"),
            _ => {}
        }
    }
}
