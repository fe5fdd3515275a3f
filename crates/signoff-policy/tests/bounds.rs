//! Hostile input: a verdict that is never allow, without a panic. How long it takes is measured by `cargo xtask hostile`;
//! here only what grows out of all proportion is noticed.

mod judging;

use std::time::{Duration, Instant};

use judging::{decision, file, shell, tool, verdict};
use serde_json::json;
use signoff_model::{Coverage, FileAction, Verdict};
use signoff_policy::{Context, decide};

/// Twenty times what a text of a whole mebibyte may take, for one of 40 KiB and in a debug build: what takes longer grows
/// with the square of the length. No machine is so slow that a text which is read once takes as long.
const CEILING: Duration = Duration::from_secs(2);

/// The time this thread has had on a processor, where the system says so: other work on the machine is not ours.
fn time_spent(started: Instant) -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = schedule.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    spent.map_or_else(|| started.elapsed(), Duration::from_nanos)
}

/// Every second kind of the one list, so that two threads share the work.
fn nothing_grows_out_of_proportion(first: usize) {
    let started = Instant::now();
    let mut wrong = Vec::new();
    for kind in signoff_hostile::all().into_iter().skip(first).step_by(2) {
        let text = kind.of_length(40 * 1024);
        let begin = time_spent(started);
        let assessment = shell(&text);
        let verdict = decide(&assessment, &Context::default()).verdict();
        let taken = time_spent(started) - begin;
        if taken > CEILING {
            wrong.push(format!("{} takes {taken:?}", kind.name));
        }
        if verdict == Verdict::Allow && assessment.coverage != Coverage::Full {
            wrong.push(format!("{} is let through without being read", kind.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_grows_out_of_proportion_in_one_half() {
    nothing_grows_out_of_proportion(0);
}

#[test]
fn nothing_grows_out_of_proportion_in_the_other_half() {
    nothing_grows_out_of_proportion(1);
}

/// Every kind with something harmful behind it: where the text before it ends as it should, the harm is found; where it
/// does not, what follows is not known.
fn nothing_hides_behind(first: usize) {
    let mut wrong = Vec::new();
    for kind in signoff_hostile::all().into_iter().skip(first).step_by(2) {
        for length in [400, 4000] {
            if kind.with_harm_behind(length).iter().all(|text| verdict(text) == Verdict::Allow) {
                wrong.push(format!("{} of {length} bytes hides what stands behind it", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_hides_behind_one_half() {
    nothing_hides_behind(0);
}

#[test]
fn nothing_hides_behind_the_other_half() {
    nothing_hides_behind(1);
}

/// Short texts whose functions are called in more ways than are read one by one, the last of which does harm.
#[test]
fn nothing_hides_in_functions_in_functions() {
    let calls = |call: &str, harm: &str| -> String {
        let plain = (0..40).map(|number| call.replace("{}", &format!("x{number}")));
        plain.chain([call.replace("{}", harm)]).collect()
    };
    for harm in ["x; rm -rf ~", "$(rm -rf ~)", "../../.."] {
        let node = calls("f('{}');", harm);
        let python = calls("f('{}')\n", harm);
        let lua = calls("f('{}') ", harm);
        for (name, text) in [
            (
                "node",
                format!(
                    "node <<'E'\nfunction f(a){{ function g(b){{ function h(c){{ require('child_process').execSync('rm -r build/'+c) }} h(b); h('y') }} g(a); g('z') }} {node}\nE"
                ),
            ),
            (
                "python",
                format!(
                    "python3 <<'E'\nimport os\ndef f(a):\n def g(b,d='y'):\n  def h(c):\n   os.system('rm -r build/'+c)\n  h(b)\n  h(d)\n g(a)\n g('z')\n{python}E"
                ),
            ),
            (
                "lua",
                format!(
                    "lua <<'E'\nfunction f(a) local function g(b) os.execute('rm -r build/'..b) end g(a) g('y') end {lua}\nE"
                ),
            ),
        ] {
            never_allowed(name, &text);
        }
    }
}

fn never_allowed(name: &str, text: &str) {
    assert_ne!(verdict(text), Verdict::Allow, "{name}");
}

#[test]
fn nesting_without_end_asks() {
    for (name, open) in [
        ("substitutions", "$("),
        ("subshells", "("),
        ("groups", "{ "),
        ("quoted substitutions", "\"$("),
        ("parameters", "${x:-"),
        ("arithmetic", "$(("),
        ("conditions", "if "),
        ("loops", "while "),
        ("tests", "[[ ( "),
        ("process substitutions", "<("),
        ("functions", "f() { "),
    ] {
        for count in [300, 10_000, 20_000] {
            never_allowed(name, &open.repeat(count));
            // Behind a program, reserved words are arguments like any other.
            if open.starts_with(['$', '"', '`', '<']) {
                never_allowed(name, &format!("echo {}", open.repeat(count)));
            }
        }
    }
    let closed = format!("echo {}rm -rf data{}", "$(".repeat(10_000), ")".repeat(10_000));
    never_allowed("closed substitutions", &closed);
    let closed = format!("{}rm -rf data{}", "(".repeat(20_000), ")".repeat(20_000));
    never_allowed("closed brackets", &closed);
}

#[test]
fn values_that_grow_with_every_command_ask() {
    let numbered = |make: fn(usize) -> String| (0..60_000).map(make).collect::<String>();
    for (name, text) in [
        ("directories", "cd a;".repeat(200_000)),
        ("directories put aside", "pushd a;".repeat(100_000)),
        ("lists", numbered(|at| format!("x+=({at});"))),
        ("paths", numbered(|at| format!("PATH=a{at}:$PATH;"))),
        ("wrappers", format!("{}ls", "sudo ".repeat(200_000))),
        ("wrappers with values", format!("{}ls", "env a=b ".repeat(100_000))),
        ("branches", "if a; then x=$x$y; else y=$y$x; fi;".repeat(20_000)),
    ] {
        never_allowed(name, &text);
    }
}

/// Each of these took the program down: readers that called themselves for every sign, and values that doubled.
#[test]
fn what_is_absurd_stays_so_among_any_number_of_operands() {
    let operands: Vec<String> = (0..8_000).map(|number| format!("a{number}")).collect();
    let operands = operands.join(" ");
    assert_eq!(verdict(&format!("rm -rf / {operands}")), Verdict::Block);
    assert_eq!(verdict(&format!("rm -rf {operands} /")), Verdict::Block);
    never_allowed("many things to look at", &format!("ls {operands}"));
    never_allowed("many names", &format!("export {operands}"));
}

#[test]
fn what_once_broke_a_reader_asks() {
    let many = |before: &str, piece: &str| format!("{before}{}", piece.repeat(20_000));
    for (name, text) in [
        ("signs of arithmetic", format!("rm -rf $(({}1))", "-".repeat(20_000))),
        ("a search turned round", many("find . ", "! ") + "-delete"),
        ("statements in statements", many("psql -c \"", "prepare a as ") + "\""),
        ("batch values that double", many("@echo off\r\nset a=xxxxxxxx\r\n", "set a=%a%%a%\r\n")),
        ("batch loops over their own list", many("@echo off\r\n", "for %a in (%a%a%a) do ")),
    ] {
        never_allowed(name, &text);
    }
    // Nothing harmful is in these, and they are read in the time that they deserve.
    shell(&format!("{}'", many("awk '", "$")));
    for text in ["a=[a,a];", "a=[a];", "a={a:a};"] {
        shell(&format!("{}'", many("node -e 'a=1;", text)));
    }
}

/// What no system takes for a name or a path is not read in all of its ways, and asks; what else is there is read.
#[test]
fn names_and_paths_beyond_all_measure_ask() {
    let started = Instant::now();
    for piece in ["aB", "a_", "a.", "get", "é", "%61", "<a>"] {
        let name = piece.repeat((1 << 20) / piece.len());
        let assessment = tool(&name, json!({"a": 1}));
        assert_eq!(decision(&assessment).verdict(), Verdict::Ask, "a name of {piece}");
        let assessment = tool(&name, json!({"command": "rm -rf /"}));
        assert_eq!(decision(&assessment).verdict(), Verdict::Block, "a command behind a name of {piece}");
        let mut keys = serde_json::Map::new();
        keys.insert(name.clone(), json!("x"));
        assert_ne!(decision(&tool("get_x", keys.into())).verdict(), Verdict::Allow, "a key of {piece}");
        let carried = json!({"calls": [{"tool": name, "args": {}}]});
        assert_ne!(decision(&tool("get_things", carried)).verdict(), Verdict::Allow, "a carried name of {piece}");
    }
    for piece in ["~/", "*/", "../", "a/", "a\\", "%2e", "http://a/ ", "A/"] {
        let path = piece.repeat((1 << 20) / piece.len());
        for action in [FileAction::Read, FileAction::Write, FileAction::Delete, FileAction::List] {
            let assessment = file(action, &path);
            assert_ne!(decision(&assessment).verdict(), Verdict::Allow, "{action:?} of {piece}");
            assert_ne!(assessment.coverage, Coverage::Full, "{action:?} of {piece}");
        }
        // Many paths are as much work as a long one.
        let many: Vec<String> =
            (0..64).map(|number| format!("{}{number}", piece.repeat((16 << 10) / piece.len()))).collect();
        for args in [json!({"path": path}), json!({"paths": many})] {
            assert_ne!(
                decision(&tool("read_file", args.clone())).verdict(),
                Verdict::Allow,
                "a tool's path of {piece}"
            );
            assert_ne!(decision(&tool("run_path", args)).verdict(), Verdict::Allow, "a path of {piece}");
        }
    }
    assert!(time_spent(started) < 30 * CEILING, "took {:?}", time_spent(started));
}

#[test]
fn a_range_that_is_too_long_is_not_a_file_of_that_name() {
    for text in ["rm -rf data{1..600}", "rm -rf {1..99}{1..99}"] {
        let shown = format!("{:?}", shell(text).reasons);
        assert!(shown.contains("{…}"), "{shown}");
        never_allowed(text, text);
    }
}

#[test]
fn nested_evaluation_asks() {
    let mut text = "rm -rf data".to_owned();
    for _ in 0..12 {
        text = format!("bash -c {}", shell_quote(&text));
    }
    never_allowed("a command behind twelve shells", &text);
    let mut text = "eval \"$x\"".to_owned();
    for _ in 0..200 {
        text = format!("eval '{text}'", text = text.replace('\'', "'\\''")).chars().take(60_000).collect();
    }
    never_allowed("eval of eval", &text);
}

fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn a_tail_behind_a_mebibyte_is_not_lost() {
    never_allowed("padded with spaces", &format!("echo ok{}; rm -rf data", " ".repeat(1 << 20)));
    never_allowed("padded with a comment", &format!("# {}\nrm -rf data", "x".repeat(1 << 20)));
    never_allowed("padded with commands", &format!("{}rm -rf data", "true;".repeat(1 << 18)));
    never_allowed("padded with an argument", &format!("echo {}; rm -rf data", "x".repeat(1 << 20)));
}

#[test]
fn a_mebibyte_is_never_allowed() {
    let fill = |piece: &str| piece.repeat((1 << 20) / piece.len());
    for piece in ["a", " ", "a ", "true;", "# x\n", "'", "é", "\n"] {
        never_allowed(piece, &fill(piece));
    }
}

#[test]
fn work_without_end_asks() {
    never_allowed("a value that doubles", &format!("x=aaaaaaaa\n{}\n$x", "x=$x$x\n".repeat(64)));
    never_allowed("braces that multiply", "rm {1..99}{1..99}{1..99}{1..99}");
    never_allowed(
        "loops in loops",
        &format!("{}rm -rf data{}", "for i in {1..200}; do ".repeat(6), "; done".repeat(6)),
    );
    never_allowed(
        "more functions than are kept",
        &format!("{}\nls() {{ rm -rf data; }}; ls", (0..600).map(|n| format!("f{n}() {{ :; }}\n")).collect::<String>()),
    );
    never_allowed(
        "loops in loops over an input",
        &format!("{}rm -rf data; {}", "while read a; do b=$b$a; ".repeat(7), "done; ".repeat(7)),
    );
    never_allowed(
        "an array that doubles",
        &format!("a=(x y); {}rm -rf \"${{a[@]}}\"", "a+=(\"${a[@]}\"); ".repeat(22)),
    );
    never_allowed("a pattern full of stars", &format!("x={}; rm -rf ${{x//*a*a*a*a*a*a*a*a*a*ab/}}", "a".repeat(1000)));
    never_allowed(
        "a text that sed makes grow",
        &format!("echo {} | sed '{}' | sh", "a".repeat(100), "s/a/aaaaaaaaaa/g;".repeat(12)),
    );
    never_allowed("a function that calls itself", "f() { f; f; rm -rf data; }; f");
    never_allowed("aliases in a circle", "alias a=b; alias b=a; a; rm -rf data");
}

#[test]
fn binary_text_is_never_allowed() {
    let bytes: Vec<u8> = (0..=255u8).cycle().take(4096).collect();
    never_allowed("all bytes", &String::from_utf8_lossy(&bytes));
    never_allowed("an invalid sequence", &String::from_utf8_lossy(b"echo \xff\xfe; ls"));
    never_allowed("a null byte", "cat notes.txt\0; ls");
}

#[test]
fn a_long_harmless_script_is_read_to_its_end() {
    let script =
        "echo building\ncargo build --release\nif [ -f x ]; then cat x; fi\nfor f in a b; do wc -l \"$f\"; done\n"
            .repeat(500);
    assert!(script.len() > 40_000);
    assert_eq!(verdict(&script), Verdict::Allow, "{:?}", shell(&script).reasons);
    assert_eq!(verdict(&format!("{script}\nrm -rf data")), Verdict::Ask);
}
