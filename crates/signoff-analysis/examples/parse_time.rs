//! How long parsing takes, over everyday commands or over the lines of a file.
//!
//! `cargo run -p signoff-analysis --release --example parse_time [FILE]`

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a tool for people at a terminal")]

use std::hint::black_box;
use std::time::Instant;

use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

const EVERYDAY: [&str; 12] = [
    "ls -la",
    "git status --short && git diff --stat",
    "cargo test -p signoff-analysis -- --nocapture 2>&1 | tail -20",
    "cd src && grep -rn \"TODO\" --include='*.rs' . | head -50",
    "git add -A && git commit -m \"$(cat <<'EOF'\nfix: keep the order of heredocs\n\nMore words.\nEOF\n)\"",
    "find . -name '*.log' -mtime +7 -print0 | xargs -0 rm -f",
    "for f in *.txt; do mv \"$f\" \"${f%.txt}.md\"; done",
    "if [ -f package.json ]; then npm ci && npm test; else echo none; fi",
    "docker run --rm -v \"$PWD:/src\" -w /src rust:1 cargo build --release",
    "python3 - <<'PY'\nimport json, sys\nprint(json.load(open('a.json'))['k'])\nPY",
    "curl -sSf https://example.org/x.json | jq -r '.items[] | select(.a > 1) | .name' > names.txt",
    "X=$(git rev-parse HEAD); echo \"${X:0:7}\" >> versions.txt",
];

fn main() {
    let file = std::env::args().nth(1).map(|path| std::fs::read_to_string(path).expect("a readable text"));
    let texts: Vec<&str> = file.as_deref().map_or(EVERYDAY.to_vec(), |text| text.lines().collect());
    let limits = Limits::default();
    let rounds = 2_000_000 / texts.iter().map(|text| text.len()).sum::<usize>().max(1) + 1;
    let begin = Instant::now();
    for _ in 0..rounds {
        for text in &texts {
            let arena = Arena::new();
            black_box(parse(black_box(text), Dialect::Bash, &limits, &arena));
        }
    }
    let parses = u32::try_from(rounds * texts.len()).unwrap_or(u32::MAX);
    println!("{} texts, {:?} each", texts.len(), begin.elapsed() / parses);
}
