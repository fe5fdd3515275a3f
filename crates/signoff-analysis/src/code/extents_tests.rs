//! Tests: where loops end, and what they set that is used behind them.

use super::{
    lexer::{Token, lex},
    reader::Frame,
};
use crate::shell::Language::{self, JavaScript, Lua, Perl, Php, Python, Ruby};

/// A loop, by what stands up to the end of its list, what belongs to it behind that, and what follows.
type Row = (Language, &'static str, &'static str, &'static str);

fn tokens(language: Language, code: &str) -> usize {
    let all = lex(code, language).all;
    all.iter().rposition(|token| !matches!(token, Token::End)).map_or(0, |last| last + 1)
}

fn frame((language, head, body, rest): Row) -> (Frame, usize, usize) {
    let whole = Frame::of(lex(&format!("{head}{body}{rest}"), language), language);
    (whole, tokens(language, head), tokens(language, &format!("{head}{body}")))
}

const LOOPS: &[Row] = &[
    (Python, "for a in ['x','y']", ":\n  b = a\n  c = b\n", "d = 1\n"),
    (Python, "if x:\n  for a in ['x','y']", ":\n    b = a\n", "  c = 1\n"),
    (Python, "for a in ['x','y']", ":\n  if a:\n    b = a\n\n  c = b\n", "print(c)\n"),
    (JavaScript, "for (const a of ['x','y']", ") { b = a; { c = 1 } }", " d = 1;"),
    (JavaScript, "for (const a of ['x','y']", ") b = a;", " d = 1;"),
    (JavaScript, "['x','y'].forEach", "(a => { b = a; })", "; d = 1;"),
    (Perl, "for my $a ('x','y')", " { $b = $a; }", " $d = 1;"),
    (Php, "foreach ($l", " as $a) { $b = $a; }", " $d = 1;"),
    (Ruby, "for a in ['x','y']", " do\n  if a\n    b = a\n  end\nend", "\nd = 1\n"),
    (Ruby, "['x','y'].each", " do |a|\n  b = a\nend", "\nd = 1\n"),
    (Ruby, "['x','y'].each", " { |a| b = a }", "\nd = 1\n"),
    (Lua, "for _, a in ipairs({'x','y'})", " do\n  b = a\nend", "\nd = 1\n"),
];

#[test]
fn a_loop_ends_with_its_body_and_never_before_it() {
    for row in LOOPS {
        let (frame, from, last) = frame(*row);
        let end = frame.end_of_loop(from);
        // The last token may be the one that closes the body.
        assert!(end + 1 >= last, "too early: {row:?}: {end} of {last}");
        assert!(end <= last + 1, "too late: {row:?}: {end} of {last}");
    }
}

#[test]
fn what_cannot_be_told_ends_with_the_text() {
    for row in [
        (JavaScript, "for (const a of ['x','y']", ") if (a) b = a; else c = a;", " d = 1;"),
        (JavaScript, "for (const a of ['x','y']", ") for (const b of l) { c = b }", " d = 1;"),
        (Ruby, "for a in ['x','y']", " do\n  x = if a then 1 else 2 end\nend", "\nd = 1\n"),
        (Python, "for a in ['x','y']", ": b = a", ""),
    ] {
        let (frame, from, last) = frame(row);
        assert!(frame.end_of_loop(from) + 1 >= last, "{row:?}");
    }
}

#[test]
fn what_is_set_within_and_used_behind_escapes() {
    const HEAD: &str = "for a in ['x','y']";
    for (body, rest, escapes) in [
        (":\n  p = a\n", "f(p)\n", true),
        (":\n  p = a\n", "f(q)\n", false),
        (":\n  p = a\n", "p = 1\nf(p)\n", false),
        (":\n  p = a\n", "p = p + 1\nf(p)\n", true),
        (":\n  f(a)\n", "f(a)\n", true),
        (":\n  f(a)\n", "for a in l:\n  f(a)\n", false),
        (":\n  f(a)\n", "x.a = 1\n", false),
        (":\n  p, q = a, 1\n", "f(q)\n", true),
        (":\n  (p, [q, *r]) = a\n", "f(p)\n", true),
        (":\n  f(p, q)\n", "f(p)\n", false),
        (":\n  p %= a\n", "f(p)\n", true),
        (":\n  p[0] = a\n", "f(p)\n", true),
        (":\n  p.append(a)\n", "f(p)\n", true),
        (":\n  p.q = a\n", "f(p)\n", true),
        (":\n  heappush(p, a)\n", "f(p)\n", true),
        (":\n  os.chdir(a)\n", "f(1)\n", true),
        (":\n  exec('p=a')\n", "f(p)\n", true),
        (":\n  eval('p')\n", "f(p)\n", true),
        (":\n  setattr(o, 'p', a)\n", "f(1)\n", true),
        (":\n  globals()['p'] = a\n", "f(1)\n", true),
        (":\n  m.exec(a)\n", "f(1)\n", false),
        (":\n  re.compile(a)\n", "json.load(f)\n", false),
    ] {
        let (frame, from, _) = frame((Python, HEAD, body, rest));
        let mut work = 1 << 20;
        assert_eq!(frame.escapes(from, frame.end_of_loop(from), &mut work), escapes, "{body}{rest}");
    }
    let before = frame((Python, "any((p := a) for a in ['x','y']", ")\n", "f(p)\n"));
    assert!(before.0.escapes(before.1, before.2, &mut 1000));
    let perl = frame((Perl, "for my $a ('x','y')", " { push @p, $a; }", " f(@p);"));
    assert!(perl.0.escapes(perl.1, perl.0.end_of_loop(perl.1), &mut 1000));
    let long = frame((Python, HEAD, ":\n  f(a)\n", "f(q)\n"));
    assert!(long.0.escapes(long.1, long.2, &mut 3), "no work is left");
}
