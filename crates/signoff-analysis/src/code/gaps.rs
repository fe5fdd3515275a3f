//! Tests: what of a text of code was not read, or not followed to its end, is a gap and never nothing.

use signoff_model::Verdict;

use crate::testing::check;

/// The code within so many brackets.
fn nested(code: &str, depth: usize) -> String {
    format!("{}{code}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn brackets_hide_nothing() {
    let python = [
        "getattr(__import__('os'),'sys'+'tem')('r'+'m -r'+'f /et'+'c')",
        "open('/et'+'c/passw'+'d','w')",
        "print(open('/home/user/.ssh/id_rsa').read())",
    ];
    let mut commands: Vec<String> = python.iter().map(|code| format!("python3 -c \"{}\"", nested(code, 60))).collect();
    let script = nested("require('fs').writeFileSync('.git/hooks/pre-commit','x')", 60);
    commands.push(format!("node -e \"{script}\""));
    commands.push("python3 -c 'print(\"a'".to_owned());
    check(Verdict::Ask, &commands.iter().map(String::as_str).collect::<Vec<_>>());
    check(Verdict::Allow, &[&format!("python3 -c \"print({})\"", nested("1", 12))]);
}

#[test]
fn everyday_code_is_read_to_its_end() {
    check(
        Verdict::Allow,
        &[
            "node -e 'const q = /\\x27/; console.log(\"it\".replace(/\"/g, \"\"))'",
            "python3 -c \"print('it\\'s', r'\\d+', f'{1:>3}', '''a'b''')\"",
            "perl -ne 'print if m{^\"}' notes.txt",
            "ruby -e 'puts \"it#{1 + 1}s\"; puts %w[a b].join(\"|\")'",
            "node -e 'const t = `a ${[1,2].map(x => `<${x}>`).join(\"\")} b`; console.log(t)'",
            "awk '/\"/ {print $1}' notes.txt",
        ],
    );
}
