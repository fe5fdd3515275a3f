//! Hostile input: long, deep or made to be read again and again. It ends soon, with an error if it was not read whole.

use std::time::{Duration, Instant};

use signoff_analysis::shell::syntax::tree::{Script, SyntaxErrorKind};
use signoff_analysis::shell::syntax::{Limits, parse};
use signoff_model::Dialect;

/// The time one text may take in a release build. Debug builds and busy machines get more.
const ALLOWED: Duration = if cfg!(debug_assertions) { Duration::from_millis(1500) } else { Duration::from_millis(50) };

const MIB: usize = 1 << 20;

fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut add = |name: &str, text: String| texts.push((name.to_owned(), text));
    // Openings that never close, at the depth the threat model names and as much as the limit lets in.
    let openings = [
        "$(",
        "(",
        "((",
        "$((",
        "{ ",
        "${x:-",
        "${x:-\"",
        "\"$(",
        "\"${x:-'",
        "`",
        "\\`",
        "[[ ( ",
        "[[ ! ( ",
        "$[",
        "a=(",
        "a[",
        "${a[",
        "if ",
        "while ",
        "if a; then ",
        "for x in a; do ",
        "case x in a) ",
        "case $(",
        "f() { ",
        "f() (",
        "function f { ",
        "coproc ",
        "coproc x { ",
        "! ",
        "time ",
        "<(",
        "@(",
        "a@(",
        "[[ a == @(",
        "[[ a =~ (",
        "${",
        "${#",
        "${!",
        "$'",
        "$\"",
        "'",
        "\"",
        "<<",
        "<<a ",
        "<<-",
        "<<<",
        "a|",
        "a&&",
        "a;",
        "a&",
        "\\",
        "\\\n",
        "#",
        "\n",
        " ",
        "a ",
        "a",
        "=",
        "a=",
        "$",
        "$$",
        "$x",
        "((a) ",
        "(( (a) ",
        "$((a) ",
        "$(( $((a) ",
        "(($((",
        "((\"",
        "(('",
        "x=((",
        "${x:(",
        "${x:?",
        "${x/",
        "${x//a/",
        "{a,",
        "*",
        "!(",
        "?(",
        ">(",
        ">",
        "&>",
        "1>",
        "{x}>",
        "1",
        "}",
        ")",
        "]]",
        ";;",
        "fi ",
        "done ",
        "then ",
        "esac ",
        "$(cat <<A\n",
        "$(cat <<A)\n",
        "cat <<A\n$(",
        "cat <<-A\n\t$(cat <<-B\n\t",
        "`cat <<A\n",
        "\0",
        "\r",
        "\r\n",
        "é",
        "\u{1f600}",
        "a=(\n",
        "declare x=(",
        "eval a=(",
        "select x in ",
        "until ",
        "elif ",
        "foreach x (",
        "repeat 3 ",
        "${(f)",
        "=(",
        "{ } always { ",
        "((;",
        "for ((",
        "for ((;;)) { ",
        "${ ",
        "${| ",
        "$(case x in ",
        "a[$(",
        "${x[$(",
        "${x:$(",
        "$((x[$(",
        "\"$((",
        "\"`",
        "\"\\`",
    ];
    for opening in openings {
        for size in [10_000 * opening.len(), 20_000 * opening.len(), MIB - opening.len()] {
            add(&format!("{opening:?} for {size} bytes"), opening.repeat(size.min(MIB - 16) / opening.len()));
        }
    }
    // The same, closed, so that what is nested is really there.
    for (open, close) in [
        ("$(", ")"),
        ("(", ")"),
        ("((", "))"),
        ("$((", "))"),
        ("((", ") )"),
        ("$((", ") )"),
        ("{ ", "; }"),
        ("${x:-", "}"),
        ("\"$(", ")\""),
        ("[[ ( ", " ) ]]"),
        ("if a; then ", "; fi;"),
        ("case x in a) ", ";; esac;"),
        ("<(", ")"),
        ("f() { ", "; };"),
        ("( ", " )"),
        ("\"${x:-", "}\""),
        ("${x:-'", "'}"),
        ("$[", "]"),
        ("a=(", ")"),
        ("@(", ")"),
    ] {
        for depth in [150, 10_000, 100_000] {
            let depth = depth.min(MIB / (open.len() + close.len()) - 1);
            add(&format!("{open:?} {depth} times, closed"), format!("{}a{}", open.repeat(depth), close.repeat(depth)));
        }
    }
    // Many heredocs.
    let documents = |count: usize, head: &str| format!("cat{}\n{}", head.repeat(count), "x\nA\n".repeat(count));
    add("many heredocs on a line", documents(100_000, " <<A"));
    add("many stripped heredocs on a line", documents(100_000, " <<-A"));
    add("many heredocs without an end", format!("cat{}\n{}", " <<A".repeat(100_000), "b\n".repeat(100_000)));
    add("many heredocs one after another", "cat <<A\n$(b)\nA\n".repeat(60_000));
    add("a heredoc of short lines", format!("cat <<A\n{}", "\n".repeat(MIB - 32)));
    add("a heredoc of joined lines", format!("cat <<A\n{}", "\\\n".repeat(MIB / 2 - 16)));
    add("a heredoc of tabs", format!("cat <<-A\n{}", "\t\n".repeat(MIB / 2 - 16)));
    add("a heredoc of back-quotes", format!("cat <<A\n{}\nA\n", "``".repeat(MIB / 2 - 16)));
    let mut nested = String::new();
    for level in 0..190 {
        nested.push_str(&format!("$(cat <<-D{level}\n"));
    }
    nested.push_str(&"a ".repeat(400_000));
    add("heredocs in heredocs", format!("x={nested}"));
    let mut closed = String::new();
    for level in 0..60 {
        closed.push_str(&format!("$(cat <<-D{level}\n"));
    }
    closed.push_str(&"\t$a\n".repeat(200_000));
    for level in (0..60).rev() {
        closed.push_str(&format!("\nD{level}\n)"));
    }
    add("heredocs in heredocs, closed", format!("x={closed}"));
    add("late heredocs", format!("a {}\n", "$(cat <<A)".repeat(90_000)));
    add("words", "ab ".repeat(MIB / 3 - 8));
    add("errors", "a ) ".repeat(MIB / 4 - 8));
    add("errors in substitutions", format!("{}{}", "$(".repeat(100), ") ;; fi ".repeat(100_000)));
    add("single quotes in an operand", format!("\"${{x:-{}", "'a'".repeat(300_000)));
    add("comments", "#\n".repeat(MIB / 2 - 8));
    add("continued operators", format!("a{}b", "&\\\n&\\\n".repeat(MIB / 6 - 8)));
    add("continued word", format!("a{}b", "\\\nc".repeat(MIB / 3 - 8)));
    add("dollars over continuations", "$\\\n\\\n\\\n".repeat(MIB / 7 - 8));
    add("too long", "a;".repeat(MIB));
    let seed = (0u32..).map(|index| index.wrapping_mul(2_654_435_761) >> 24);
    let noise: Vec<u8> = seed.take(MIB / 2).map(|byte| u8::try_from(byte).unwrap_or_default()).collect();
    add("noise", String::from_utf8_lossy(&noise).into_owned());
    let signs = b"$(){}[]<>|&;'\"`\\\n #=!@*ax ";
    let noise = (0u64..).map(|index| {
        let mixed = (index + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        char::from(signs[usize::try_from(mixed >> 40).unwrap_or_default() % signs.len()])
    });
    add("noise of signs", noise.take(MIB - 16).collect());
    texts
}

/// The time this thread has had on a processor, where the system says so, and otherwise the time since the start: other
/// work on the machine is not the parser's.
fn time_spent(started: Instant) -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = schedule.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    spent.map_or_else(|| started.elapsed(), Duration::from_nanos)
}

#[test]
fn hostile_input_ends_soon() {
    // A small stack, as the threads of a server have.
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let mut slow = Vec::new();
        let started = Instant::now();
        for (name, text) in texts() {
            // The other dialects take the same ways; a release build, which is quick, tries them too.
            let dialects: &[Dialect] =
                if cfg!(debug_assertions) { &[Dialect::Bash] } else { &[Dialect::Bash, Dialect::Zsh, Dialect::Sh] };
            for &dialect in dialects {
                // The best of three: this measures the parser, not what else the machine does.
                let mut best = Duration::MAX;
                for _ in 0..3 {
                    let begin = time_spent(started);
                    drop(parse(&text, dialect, &Limits::default()));
                    best = best.min(time_spent(started) - begin);
                    if best < ALLOWED {
                        break;
                    }
                }
                if best >= ALLOWED {
                    slow.push(format!("{name} ({dialect:?}): {best:?}"));
                }
            }
        }
        assert!(slow.is_empty(), "{}", slow.join("\n"));
    });
    thread.expect("a thread starts").join().expect("no text is slow or overflows the stack");
}

fn kinds(script: &Script) -> Vec<SyntaxErrorKind> {
    script.errors.iter().map(|error| error.kind).collect()
}

#[test]
fn limits_are_errors() {
    let limits = Limits::default();
    for (text, kind) in [
        (format!("{}a{}", "$(".repeat(10_000), ")".repeat(10_000)), SyntaxErrorKind::TooDeep),
        (format!("{}a{}", "( ".repeat(20_000), " )".repeat(20_000)), SyntaxErrorKind::TooDeep),
        (format!("{}a{}", "{ ".repeat(20_000), "; }".repeat(20_000)), SyntaxErrorKind::TooDeep),
        (format!("a {}b{}", "${x:-".repeat(20_000), "}".repeat(20_000)), SyntaxErrorKind::TooDeep),
        (format!("a;{}", " ".repeat(MIB)), SyntaxErrorKind::TooLong),
        ("a ".repeat(MIB / 2), SyntaxErrorKind::OutOfFuel),
    ] {
        let script = parse(&text, Dialect::Bash, &limits);
        assert!(kinds(&script).contains(&kind), "{:?} of {:.20}", kinds(&script), text);
    }
}

#[test]
fn what_stands_before_a_limit_is_kept() {
    let limits = Limits { bytes: 10, ..Limits::default() };
    let script = parse("rm a; rm b; rm c", Dialect::Bash, &limits);
    assert_eq!(kinds(&script), [SyntaxErrorKind::TooLong]);
    assert_eq!(script.items.len(), 2);
}

#[test]
fn ordinary_nesting_is_no_limit() {
    for (open, close) in [("$(", ")"), ("(", ")"), ("{ ", ";}"), ("\"$(", ")\""), ("if a; then ", "; fi")] {
        let text = format!("{}a{}", open.repeat(40), close.repeat(40));
        let script = parse(&text, Dialect::Bash, &Limits::default());
        assert!(script.errors.is_empty(), "{text}: {:?}", script.errors);
    }
}
