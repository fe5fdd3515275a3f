//! Texts made to break the reader: it must come to an end, quickly, whatever it is given.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use signoff_model::{Dialect, Span};

use crate::{
    facts::{NoFacts, Whereabouts},
    shell::{Language, Shell, syntax::Arena},
    value::{Arg, Feed},
};

const LANGUAGES: &[Language] = &[
    Language::Python,
    Language::Perl,
    Language::Ruby,
    Language::JavaScript,
    Language::Php,
    Language::Lua,
    Language::Awk,
    Language::R,
    Language::Java,
    Language::C,
    Language::Go,
    Language::Rust,
    Language::PowerShell,
    Language::AppleScript,
    Language::Tcl,
    Language::Other,
];

fn read(language: Language, text: &str) {
    let whereabouts = Whereabouts::assumed();
    let arena = Arena::new();
    let mut shell = Shell::new(&whereabouts, &NoFacts, Dialect::Bash, &arena);
    shell.run_code(language, &Arg::text(text, Span::new(0, text.len())), Feed::none());
    shell.findings.finish();
}

/// Pieces that the languages are made of, so that random texts come close to code.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "import os",
            "os.system(",
            "'rm -rf x'",
            "\"a #{b} ${c} $d\"",
            "`x`",
            "${",
            "}",
            "{",
            "(",
            ")",
            "[",
            "]",
            "[::-1]",
            "=>",
            "->",
            "|x|",
            "for x in y:",
            "while True:",
            "eval(",
            "require('fs')",
            ".rm(",
            "unlink",
            " <*.db>",
            "<<EOF\n",
            "EOF\n",
            "%w[a b]",
            "s/a/b/e",
            "/re/",
            "/",
            "q(",
            "qw(",
            "lambda x:",
            "function f(",
            "x = ",
            "x += ",
            ";",
            "\n",
            ",",
            "f'{a[",
            "'''",
            "\"\"\"",
            "[[",
            "]]",
            "--[[",
            "/*",
            "*/",
            "#",
            "//",
            "\\",
            "\\x",
            "@{[",
            "<?php",
            "?>",
            ":",
            "::",
            ".",
            "..",
            "?",
            "print ",
            "$ENV{",
            "print > ",
            "| getline",
            "do shell script \"",
            "@(",
            "@{",
            "if",
            "else",
            "new ",
            "await ",
            "~c\"",
            "=begin\n",
            "__END__",
            "import(",
            ".then(",
            "0x",
            "9999999999999999999",
            "é",
            "\u{202e}",
            "\0",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_to_its_end(pieces in prop::collection::vec(piece(), 0..60)) {
        let text = pieces.concat();
        for language in LANGUAGES {
            read(*language, &text);
        }
    }
}

/// Texts on which a reader once stood still.
#[test]
fn texts_that_once_took_for_ever_come_to_an_end() {
    for text in ["\u{fffd}\u{13}<<`A\u{fffd}'f", "<<'A\u{e9}x", "<<\"A", "<<~'\u{4f60}"] {
        for language in LANGUAGES {
            read(*language, text);
        }
    }
}

#[test]
fn any_bytes_are_read_to_their_end() {
    bolero::check!().with_iterations(2000).with_max_len(300).for_each(|bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        for language in LANGUAGES {
            read(*language, &text);
        }
    });
}

/// Long texts that repeat what costs the most must take time in proportion to their length.
#[test]
fn long_texts_take_time_in_proportion() {
    let size = 10_000;
    let units = [
        "(",
        "[",
        "{",
        "${",
        "\"${",
        "`${`",
        "f'{",
        "a.b(",
        "x=",
        "x+=x\n",
        "/",
        "/[",
        "<",
        "<<E\n",
        "%w[",
        "q{",
        "[x for x in ",
        "a,",
        "'a'+",
        "\"a\".",
        "if x:\n",
        "lambda:",
        "[[",
        "--[[",
        "/*",
        "@{[",
        "eval(",
        "eval('",
        "$(",
        "f(x => ",
        "s//",
        "|",
        "print > ",
        "os.system('ls')\n",
        "x = [1, 2, {'a': f(3)}]\n",
        "const a = await b.c({d: 1, e: `x${f}`});\n",
        "!",
        "-",
        "not ",
        "new ",
    ];
    for language in LANGUAGES {
        for unit in units {
            let text = unit.repeat(size / unit.len());
            let start = Instant::now();
            read(*language, &text);
            let time = start.elapsed();
            assert!(time < Duration::from_millis(2000), "{language:?} takes {time:?} for {unit:?} repeated");
        }
    }
}
