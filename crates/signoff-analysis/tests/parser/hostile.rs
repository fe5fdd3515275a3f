//! Hostile input: long, deep or made to be read again and again. It ends soon, with an error if it was not read whole.

use std::time::{Duration, Instant};

use signoff_analysis::shell::syntax::tree::{Script, SyntaxErrorKind};
use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_hostile::{MEBIBYTE, all};
use signoff_model::Dialect;

/// The time one text may take in a release build. Debug builds and busy machines get more.
const ALLOWED: Duration = if cfg!(debug_assertions) { Duration::from_millis(1500) } else { Duration::from_millis(50) };

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
        let kinds = all();
        let texts = kinds.iter().flat_map(|kind| {
            let of = |length| (format!("{} for {length} bytes", kind.name), kind.of_length(length));
            // A length at which most is read to its end, and more than is ever read.
            [of(60_000), of(MEBIBYTE)]
        });
        for (name, text) in texts {
            // The other dialects take the same ways; a release build, which is quick, tries them too.
            let dialects: &[Dialect] =
                if cfg!(debug_assertions) { &[Dialect::Bash] } else { &[Dialect::Bash, Dialect::Zsh, Dialect::Sh] };
            for &dialect in dialects {
                // The best of three: this measures the parser, not what else the machine does.
                let mut best = Duration::MAX;
                for _ in 0..3 {
                    let begin = time_spent(started);
                    parse(&text, dialect, &Limits::default(), &Arena::new());
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
        (format!("a;{}", " ".repeat(MEBIBYTE)), SyntaxErrorKind::TooLong),
        ("a ".repeat(MEBIBYTE / 2), SyntaxErrorKind::OutOfFuel),
    ] {
        let arena = Arena::new();
        let script = parse(&text, Dialect::Bash, &limits, &arena);
        assert!(kinds(&script).contains(&kind), "{:?} of {:.20}", kinds(&script), text);
    }
}

#[test]
fn what_stands_before_a_limit_is_kept() {
    let limits = Limits { bytes: 10, ..Limits::default() };
    let arena = Arena::new();
    let script = parse("rm a; rm b; rm c", Dialect::Bash, &limits, &arena);
    assert_eq!(kinds(&script), [SyntaxErrorKind::TooLong]);
    assert_eq!(script.items.len(), 2);
}

#[test]
fn ordinary_nesting_is_no_limit() {
    for (open, close) in [("$(", ")"), ("(", ")"), ("{ ", ";}"), ("\"$(", ")\""), ("if a; then ", "; fi")] {
        let text = format!("{}a{}", open.repeat(40), close.repeat(40));
        let arena = Arena::new();
        let script = parse(&text, Dialect::Bash, &Limits::default(), &arena);
        assert!(script.errors.is_empty(), "{text}: {:?}", script.errors);
    }
}
