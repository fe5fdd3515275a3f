//! Fuzz targets of the analysis and of the expansion in it. In `cargo test` they run for a moment;
//! `cargo bolero test any_operation_is_assessed` runs one under a fuzzing engine.

use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
    screen::{Cursor, Reading, View, read},
};
use signoff_model::{Assessment, Coverage, Dialect, Operation, Risk, ShellCommand, Span};

fn shell(text: &str, dialect: Dialect) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: text.to_owned(), dialect });
    assess(&operation, &Whereabouts::assumed(), &NoFacts)
}

fn passes(assessment: &Assessment) -> bool {
    assessment.prohibition.is_none() && assessment.risk <= Risk::Low && assessment.coverage == Coverage::Full
}

/// Whatever the text, the assessment is in order: every span is a stretch of the text, the risk is the gravest of the
/// reasons, and a prohibition never comes without a reason.
fn is_in_order(text: &str, assessment: &Assessment) {
    let inside = |span: Span| span.of(text).is_some();
    assert!(assessment.effects.iter().all(|effect| inside(effect.span)), "{text:?} {:?}", assessment.effects);
    assert!(assessment.reasons.iter().all(|reason| inside(reason.span)), "{text:?} {:?}", assessment.reasons);
    assert!(assessment.reasons.iter().all(|reason| reason.risk <= assessment.risk), "{text:?}");
    assert!(assessment.prohibition.is_none() || !assessment.reasons.is_empty(), "{text:?}");
}

#[test]
fn any_operation_is_assessed() {
    bolero::check!().with_iterations(1500).with_max_len(300).for_each(|bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
            is_in_order(&text, &shell(&text, dialect));
        }
    });
}

/// What shell texts are made of. A byte of the fuzzer's input picks one of them, so that its inputs are full of meaning.
const FRAGMENTS: &[&str] = &[
    " ",
    "\n",
    "; ",
    " && ",
    " || ",
    " | ",
    " & ",
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "${x}",
    "${x:-",
    "}",
    "$((",
    "))",
    "<(",
    "<<EOF\n",
    "EOF\n",
    "<<<",
    ">",
    ">>",
    "2>&1",
    "echo",
    "ls",
    "cat",
    "rm",
    "-rf",
    "data",
    "/",
    "~",
    "x=",
    "a=(",
    "{a,b}",
    "*",
    "[ab]",
    "\\",
    "if ",
    "then ",
    "fi",
    "for x in ",
    "do ",
    "done",
    "while ",
    "case x in ",
    "x) ",
    ";;",
    "esac",
    "f() { ",
    "f",
    "bash -c ",
    "eval ",
    "xargs ",
    "find . -exec ",
    "\\;",
    "python3 -c ",
    "awk ",
    "sed -i ",
    "git ",
    "push -f",
    "read x",
    "set -- ",
    "\"$@\"",
    "${!x}",
    "declare -n x=",
    "local x=",
    "trap ",
    "printf '%s' ",
    "base64 -d",
    "sudo ",
    "env ",
    "export PATH=",
    "IFS=,",
    "$'\\x72'",
    "é",
    "中",
    "\u{202e}",
    "\0",
    "curl -s https://example.com",
    "sh",
    "cd ",
    "..",
    "$HOME",
    "((x++))",
    "[[ $x ]]",
];

#[test]
fn any_words_are_expanded() {
    bolero::check!().with_iterations(1500).with_max_len(60).for_each(|bytes: &[u8]| {
        let text: String =
            bytes.iter().filter_map(|byte| FRAGMENTS.get(usize::from(*byte) % FRAGMENTS.len())).copied().collect();
        is_in_order(&text, &shell(&text, Dialect::Bash));
        // Whatever stands before it, a separate line that destroys the machine is never let through.
        let absurd = format!("{text}\nrm -rf /\n");
        let assessment = shell(&absurd, Dialect::Bash);
        let swallowed =
            ["<<", "'", "\"", "\\", "`", "${", "$(", "(", "#", "case"].iter().any(|mark| text.contains(mark));
        assert!(swallowed || !passes(&assessment), "{absurd:?}");
    });
}

/// What screens are made of.
const PARTS: &[&str] = &[
    "\n",
    "\n\n",
    " ",
    "   ",
    "────────────────────────────────────────\n",
    "╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n",
    "╭──────────────────────────────────────╮\n",
    "╰──────────────────────────────────────╯\n",
    "│ ",
    " │\n",
    "  ┃  ",
    "△ Permission required\n",
    " Bash command\n",
    "? Shell  ls\n",
    "  $ ls\n",
    "Would you like to run the following command?\n",
    "Do you want to proceed?\n",
    "Allow execution of [Shell]?\n",
    "❯ 1. Yes\n",
    "  2. No\n",
    "› 1. Yes, proceed (y)\n",
    "● 1. Allow once\n",
    "  3. No, and tell it what to do differently (esc)\n",
    "❯ No\n",
    "  Yes\n",
    "  Allow once   Allow always   Reject\n",
    " Esc to cancel · Tab to amend\n",
    "Run shell command? (Y)es/(N)o [Yes]: ",
    "Proceed? (y/n) ",
    "Password: ",
    "是否继续？\n",
    "❯ 1. 是\n",
    "… +12 lines\n",
    "rm -rf ~",
    "\u{1b}[31m",
    "\u{202e}",
];

/// Whatever is on a screen, it is read; a yes without a person is pressed only where nothing is in doubt, and the dialog lies on it.
#[test]
fn any_screen_is_read() {
    bolero::check!().with_iterations(1500).with_max_len(60).for_each(|bytes: &[u8]| {
        let parts: String =
            bytes.iter().filter_map(|byte| PARTS.get(usize::from(*byte) % PARTS.len())).copied().collect();
        for text in [parts.as_str(), &String::from_utf8_lossy(bytes)] {
            let cursor = bytes.first().map(|row| Cursor { row: usize::from(*row), column: 0 });
            for view in [View::of(text), View { columns: Some(40), cursor, ..View::of(text) }] {
                if let Reading::Prompt(prompt) = read(&view) {
                    assert!(prompt.rows.end <= view.rows.len(), "{text:?}");
                    assert!(
                        prompt.may_be_answered().is_none() || prompt.doubts.is_empty() && prompt.is_whole(),
                        "{text:?}"
                    );
                }
            }
        }
    });
}
