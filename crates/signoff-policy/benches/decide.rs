//! From an operation to a decision, in process and on the text alone.
#![allow(missing_docs, reason = "the benchmarks are named for what they measure")]

use std::{collections::BTreeMap, fmt};

use divan::{Bencher, black_box};
use signoff_analysis::{
    assess,
    facts::{NoFacts, Whereabouts},
};
use signoff_model::{Decision, Dialect, Operation, ShellCommand};
use signoff_policy::{Context, decide};

fn main() {
    divan::main();
}

fn shell(command: &str) -> Operation {
    Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash })
}

fn judge(operation: &Operation, whereabouts: &Whereabouts) -> Decision {
    decide(&assess(operation, whereabouts, &NoFacts), &Context::default())
}

/// A command that is shown on one short line.
struct Shown(&'static str);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line: String = self.0.chars().map(|c| if c == '\n' { ' ' } else { c }).take(40).collect();
        f.write_str(&line)
    }
}

/// Commands as agents send them all day.
const TYPICAL: [&str; 12] = [
    "git status",
    "ls -la src",
    "cargo test --workspace 2>&1 | tail -20",
    "grep -rn \"fn main\" --include='*.rs' . | head -5",
    "cd crates/api && npm run build && npm test",
    "sed -n '1,80p' src/lib.rs",
    "git commit -m \"$(cat <<'EOF'\nfix: don't lose the last line\n\nThe reader stopped one byte early.\nEOF\n)\"",
    "find . -name '*.log' -mtime +7 -print0 | xargs -0 rm -f",
    "python3 -c 'import json,sys; print(json.load(sys.stdin)[\"name\"])' < package.json",
    "for f in src/*.rs; do wc -l \"$f\"; done | sort -n",
    "rm -rf node_modules && npm ci",
    "git push -f origin main",
];

#[divan::bench(args = TYPICAL.map(Shown))]
fn typical_command(bencher: Bencher<'_, '_>, command: &Shown) {
    let (operation, whereabouts) = (shell(command.0), Whereabouts::assumed());
    bencher.bench_local(|| judge(black_box(&operation), &whereabouts));
}

/// A script of about 50 kB, made of what such scripts are made of.
fn script() -> String {
    let mut script = "#!/usr/bin/env bash\nset -euo pipefail\n".to_owned();
    let mut number = 0;
    while script.len() < 50_000 {
        number += 1;
        script.push_str(&format!(
            "step_{number}() {{\n\
             \x20 local name=\"$1\" out=\"build/step_{number}\"\n\
             \x20 mkdir -p \"$out\"\n\
             \x20 if [[ -f \"src/$name.c\" ]]; then\n\
             \x20   gcc -O2 -o \"$out/$name\" \"src/$name.c\" 2>> build/log.txt || return 1\n\
             \x20 else\n\
             \x20   echo \"no $name\" >&2\n\
             \x20 fi\n\
             \x20 find \"$out\" -name '*.tmp' -print0 | xargs -0 rm -f\n\
             \x20 echo \"step {number} took $(( SECONDS - start )) s\" | tee -a build/log.txt\n\
             }}\n\
             step_{number} part_{number}\n"
        ));
    }
    script
}

#[divan::bench]
fn script_of_50_kb(bencher: Bencher<'_, '_>) {
    let (operation, whereabouts) = (shell(&script()), Whereabouts::assumed());
    bencher.bench_local(|| judge(black_box(&operation), &whereabouts));
}

/// The words of the script are counted so many times.
const COUNTS: usize = 5;

/// Work of a known amount that has nothing to do with Signoff: the words of the script, each kept as a text of its own, are
/// counted in a map, [`COUNTS`] times. It takes about as long as the script, and looks through text, compares, allocates and
/// branches as that does. How far its median is above its fastest sample is how much the machine was disturbed.
#[divan::bench]
fn yardstick(bencher: Bencher<'_, '_>) {
    let script = script();
    let count = |script: &str| {
        let mut counted: BTreeMap<String, usize> = BTreeMap::new();
        for word in script.split_ascii_whitespace() {
            *counted.entry(word.to_owned()).or_default() += 1;
        }
        counted.len()
    };
    bencher.bench_local(|| (0..COUNTS).map(|_| count(black_box(&script))).sum::<usize>());
}

/// A choice of the hostile texts; `cargo xtask hostile` times all of them.
const HOSTILE: [&str; 16] = [
    "\"a\"",
    "arguments",
    "\"a;\"",
    "deletes",
    "\"$(\" \")\"",
    "\"(\"",
    "\"\\\"$(\"",
    "heredocs without a body",
    "braces without a close",
    "sets without a close",
    "a comment of parameters",
    "a value that doubles and is used",
    "an exported value that grows",
    "PowerShell assignments",
    "\"\\u{202e}\"",
    "random bytes",
];

fn hostile(name: &str) -> String {
    let kinds = signoff_hostile::all();
    let found = kinds.iter().find(|kind| kind.name == name);
    assert!(found.is_some(), "no hostile text is called {name}");
    found.map(|kind| kind.of_length(signoff_hostile::MEBIBYTE)).unwrap_or_default()
}

#[divan::bench(args = HOSTILE, max_time = 2)]
fn hostile_input(bencher: Bencher<'_, '_>, name: &str) {
    let (operation, whereabouts) = (shell(&hostile(name)), Whereabouts::assumed());
    bencher.bench_local(|| judge(black_box(&operation), &whereabouts));
}
