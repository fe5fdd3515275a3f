//! Words compared with bash: what our expansion says is what bash says.

use proptest::prelude::*;

use crate::shell::bash_oracle::{bash, before_the_last, cases, seed};

/// What the words of the last command of a text become: none for a word that is not known.
fn ours(text: &str) -> Vec<Option<String>> {
    let args = before_the_last(text, |shell, simple| shell.expand_words(simple.words));
    args.into_iter().skip(1).map(|arg| arg.value.known_with_globs().map(|text| text.into_owned())).collect()
}

#[test]
fn words_become_what_bash_makes_of_them() {
    let texts = [
        "args a b c",
        "args 'a b' \"c d\" e\\ f",
        "args r''m r\"m\" r\\m \"r\"'m'",
        "args $'\\162\\155' $'a\\tb' $'\\x41\\u00e9' $'it\\'s'",
        "args {rm,-r,-f,src} {a,b}{1,2} x{,y} {1..4} {a..e..2} {01..03} {3..1} a{b,{c,d}}e",
        "args {a} {} { {,} a{b 'a{b,c}' \"{1,2}\" \\{a,b\\} {a..} {1..2..} {x,}",
        "args ~ ~/x x~ '~' \"~\" a=~ ~/{a,b}",
        "x=rm; args $x \"$x\" ${x} pre${x}post '$x' \\$x",
        "x='a  b c'; args $x \"$x\" p$x",
        "x=' a b '; args q${x}r",
        "x=; args $x \"$x\" a${x}b ''",
        "args rm${IFS}-rf${IFS}x",
        "IFS=,; x=rm,-rf,data; args $x",
        "IFS=:; x=a::b; args $x",
        "IFS=': '; x='a : b  c:'; args $x",
        "IFS=; x='a b'; args $x",
        "IFS=-; set -- a b; args \"$*\"",
        "x=abc; args ${#x} ${x:1} ${x:1:1} ${x: -1} ${x:0:-1} ${x^^} ${x^} ${x,,}",
        "x=/a/b/c.tar.gz; args ${x##*/} ${x%/*} ${x%.*} ${x%%.*} ${x#*/} ${x/b/X} ${x//\\//:} ${x/#\\/a/Q} ${x/%gz/bz2}",
        "args ${x:-d} ${x-d} ${x:=s} $x ${x:+n} ${x+m}",
        "x=; args \"${x:-d}\" \"${x-d}\" \"${x:+n}\" \"${x+n}\"",
        "a=(x 'y z' w); args ${a[@]} \"${a[@]}\" ${a[0]} \"${a[1]}\" ${#a[@]} \"${a[*]}\"",
        "a=(git clean); a+=(-fdx); args \"${a[@]}\"",
        "v=c; c=value; args ${!v}",
        "args $((1+2*3)) $(( (2**8) % 10 )) $((0x1f)) $((010)) $((5/2)) $((3>2)) $((1<<4)) $((-3+1)) $((!0))",
        "x=4; args $((x*2)) $(($x+1))",
        "set -- p 'q r' s; args $1 \"$2\" $# \"$@\" $* \"x$@y\"",
        "f() { y=$1; }; f deep; args $y",
        "f() { local y=in; }; y=out; f; args $y",
        "x=a; x+=b; args $x",
        "read -r c d <<< 'one two three'; args \"$c\" \"$d\"",
        "read -rp 'name? ' c <<< 'one two'; args \"$c\"",
        "read -r -n 3 c <<< 'one'; args \"$c\"",
        "read -a c <<< 'one two'; args \"${c[0]}\"",
        "declare x='q r'; export z=1; args \"$x\" $z",
        "x=; for i in 1 2; do x=$x$i; done; args $x",
        "x=1; (x=2); args $x",
        "args \"a\\\"b\" \"a\\$b\" \"a\\\\b\" \"a\\nb\" a\\\nb",
        "args 中文 'é' $'\\xe4\\xb8\\xad'",
        "args [ ] '[a]' a\\* \"*\"",
        "cat=dog; args $cat$cat \"$cat\"s",
        "x='*'; args \"$x\"",
        "unset x; args a$x",
        "args $'a' $\"b\"",
        "x=aXbXc; args ${x//X/} ${x/X} ${x//[abc]/.}",
        "args \"${x:-a b}\" ${x:-a b}",
        "x=ab; args ${x:${#x}-1:1}",
    ];
    let wrong: Vec<String> = texts
        .iter()
        .filter(|text| ours(text) != bash(text))
        .map(|text| format!("{text}\n   ours {:?}\n   bash {:?}", ours(text), bash(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_known_is_unknown_and_never_empty() {
    for text in
        ["args \"$FOO\"", "args $(date)", "args $RANDOM", "args a$FOO", "args ${FOO%x}", "args ${FOO/a/b}", "args $?"]
    {
        assert_eq!(ours(text), [None], "{text}");
    }
}

#[test]
fn braces_with_more_words_than_are_followed_are_unknown() {
    let nested = format!("args {}a{}", "{b,".repeat(40), "}".repeat(40));
    for text in ["args {1..600}", "args a{1..600}b", "args {1..99}{1..99}", "args {-9223372036854775808..1}", &nested] {
        assert_eq!(ours(text), [None], "{text}");
    }
    // What stands beside a long range is known.
    let known = |text: &str| Some(text.to_owned());
    assert_eq!(ours("args {a,x{1..600}}"), [known("a"), None]);
    assert_eq!(ours("args {1..600}{a,b} c"), [None, None, known("c")]);
    // What never closes is what it is, however long.
    let open = "{a,".repeat(5000);
    assert_eq!(ours(&format!("args {open}")), [Some(open)]);
    let sets = "[".repeat(5000);
    assert_eq!(ours(&format!("args {sets}")), [Some(sets)]);
}

/// Pieces of words whose value does not depend on the machine.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        Just("'a b'".to_owned()),
        Just("\"$x y\"".to_owned()),
        Just("${x}".to_owned()),
        Just("${y}".to_owned()),
        Just("\"${a[@]}\"".to_owned()),
        Just("${a[@]}".to_owned()),
        Just("{p,q}".to_owned()),
        Just("{1..3}".to_owned()),
        Just("$'\\x41'".to_owned()),
        Just("\\ ".to_owned()),
        Just("$((2+3))".to_owned()),
        Just("${x:-d}".to_owned()),
        Just("${z:-d e}".to_owned()),
        Just("${y#h}".to_owned()),
        Just("\"$@\"".to_owned()),
        Just("$*".to_owned()),
        Just("''".to_owned()),
        Just("\"\"".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just(",".to_owned()),
        Just("~/k".to_owned()),
        Just("\"$*\"".to_owned()),
        Just("\"${a[*]}\"".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(96), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn generated_words_become_what_bash_makes_of_them(words in prop::collection::vec(prop::collection::vec(piece(), 1..5), 1..4)) {
        let words: Vec<String> = words.into_iter().map(|pieces| pieces.concat()).collect();
        // A lone brace is a reserved word only at the beginning of a command; here it never is.
        let text = format!("x='v w'; y=hi; z=; a=(m 'n o'); set -- s 't u'; args {}", words.join(" "));
        prop_assert_eq!(ours(&text), bash(&text), "{}", text);
    }
}

/// Pieces of patterns, few enough that they match often.
fn pattern_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "é", "*", "?", "[ab]", "[!a]", "\\*", "'?'", "[[:digit:]]", "1"])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn generated_patterns_cut_what_bash_cuts(value in "[abé1*?]{0,8}", pieces in prop::collection::vec(pattern_piece(), 1..5)) {
        let pattern = pieces.concat();
        let operators = ["#", "##", "%", "%%"].map(|operator| format!("\"${{v{operator}{pattern}}}\""));
        let replacing = ["/", "//", "/#", "/%"].map(|operator| format!("\"${{v{operator}{pattern}/-}}\""));
        let text = format!("v='{value}'; args {} {}", operators.join(" "), replacing.join(" "));
        // Which letters a class has beyond ASCII depends on the locale.
        if value.is_ascii() || !pattern.contains("[:") {
            prop_assert_eq!(ours(&text), bash(&text), "{}", text);
        }
    }
}

#[test]
fn what_takes_too_long_to_cut_is_unknown() {
    let long = "ab".repeat(40_000);
    for operation in ["%%*c*", "#*b*b*b*b*c", "//a*c/d"] {
        assert_eq!(ours(&format!("x={long}; args \"${{x{operation}}}\"")), [None], "{operation}");
    }
    assert_eq!(ours(&format!("x={long}; args \"${{x%%b*}}\"")), [Some("a".to_owned())]);
}

#[test]
fn a_long_range_hides_nothing_beside_it() {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    check(
        Ask,
        &[
            "cat {~/.ssh/id_rsa,x{1..600}}",
            "cp {~/.ssh/id_rsa,x{1..600}} /tmp/o",
            "echo x | tee {.git/hooks/pre-commit,x{1..600}}",
            "cat {x{1..600},{1..9999},~/.ssh/id_rsa}",
        ],
    );
    check(Block, &["rm -rf {/etc,x{1..600}}", "A=({/etc,x{1..600}}); rm -rf \"${A[@]}\""]);
    check(Allow, &["cat {a,x{1..600}}.txt", "touch /tmp/{a,x{1..600}}", "for i in {1..5000}; do echo $i; done"]);
}

#[test]
fn what_a_pattern_cuts_is_not_what_it_seems() {
    use signoff_model::Verdict::{Ask, Block};

    use crate::testing::check;

    check(Block, &["x=; rm -rf \"${x/#/$HOME}\"", "x=; rm -rf \"${x/*/$HOME}\"", "x=; rm -rf \"${x//*/~}\""]);
    check(
        Ask,
        &[
            "x=build; rm -rf \"${x/%//../../..}\"",
            "set -- build dist; rm -rf \"${@/%//../../..}\"",
            "x=build/etc; rm -rf \"${x#[\\b]uild}\"",
            "x=build/etc; rm -rf \"${x#[\"b\"]uild}\"",
            "p=b; x=build/etc; rm -rf \"${x#[$p]uild}\"",
            "p='\\build'; x=build/etc; rm -rf \"${x#$p}\"",
            "x='-/etc'; rm -rf \"${x#[a\\-b]}\"",
            "x=build/etc; rm -rf \"${x#[[=b=]]uild}\"",
            "shopt -s extglob\nx=build/etc; rm -rf \"${x#+(build)}\"",
            "shopt -s nocasematch; x=build/etc; rm -rf \"${x/BUILD}\"",
        ],
    );
}
