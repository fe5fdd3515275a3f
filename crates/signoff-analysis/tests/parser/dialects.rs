//! What zsh and a plain sh read otherwise than bash.

use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::lister;

fn check(text: &str, dialect: Dialect, names: &[&str], flagged: bool) {
    let arena = Arena::new();
    let script = parse(text, dialect, &Limits::default(), &arena);
    assert_eq!(lister::names(&script, text), names, "{text}");
    assert_eq!(!script.errors.is_empty(), flagged, "{text}: {:?}", script.errors);
}

#[test]
fn zsh_forms_are_read() {
    for (text, names) in [
        ("diff =(a) <(b)", &["diff", "a", "b"][..]),
        ("for x (a b) c", &["c"]),
        ("for x ($(a)) { b; c }", &["a", "b", "c"]),
        ("for x y in a b; do c; done", &["c"]),
        ("for x in a b; c $x", &["c"]),
        ("repeat 3 a", &["a"]),
        ("repeat $(a) do b; done", &["a", "b"]),
        ("foreach x (a b)\nc\nend; d", &["c", "d"]),
        ("ls *(.) **/*(om[1,3]) (a|b)*.c; d", &["ls", "d"]),
        ("echo ${(f)x} ${(j:,:)y} ${(@)z} ${=w} ${x:h} ${${x}:t} ${x:#a*}; b", &["echo", "b"]),
        ("echo ${(f)\"$(a)\"} ${$(b)##*/} ${x:-$(c)}", &["echo", "a", "b", "c"]),
        ("if [[ -f a ]] { b } else { c }", &["b", "c"]),
        ("if [[ -f a ]] { b } elif (( $(c) )) { d }; e", &["b", "c", "d", "e"]),
        ("if (a) b", &["a", "b"]),
        ("while (a) { b }", &["a", "b"]),
        ("while a; do b; done", &["a", "b"]),
        ("{ a } always { b }", &["a", "b"]),
        ("{ a; b } ; c", &["a", "b", "c"]),
        ("a &! b &| c", &["a", "b", "c"]),
        ("a >! b; c >>! d; e >&! f; g >>& h", &["a", "c", "e", "g"]),
        ("() { a }; b", &["a", "b"]),
        ("() { a } b $c; d", &["a", "d"]),
        ("{ () { a } b }; c", &["a", "c"]),
        ("function { a }", &["a"]),
        ("f() a; b", &["a", "b"]),
        ("case $x { a) b ;; (c) d ;| e) f ;; }", &["b", "d", "f"]),
        ("a=( *(N) $(b) ); c", &["b", "c"]),
        ("echo $+x $=y $~z; a", &["echo", "a"]),
        ("ls {} {a,b} ${x} {a}b x}y {{a,b},c}; a", &["ls", "a"]),
        ("(( x[1] > y[$(a)] )); echo $((x[2]))", &["a", "echo"]),
        ("ls <1-9> file<->.c <-5>; a", &["ls", "a"]),
        ("for x (a b) c && d; e", &["c", "d", "e"]),
        ("repeat 2 a || b", &["a", "b"]),
        ("a 12>b; c 2>d", &["a", "c"]),
    ] {
        check(text, Dialect::Zsh, names, false);
    }
}

#[test]
fn zsh_forms_that_may_run_anything_are_flagged() {
    check("ls *(e:'a':)", Dialect::Zsh, &["ls"], true);
    check("ls *(+f)", Dialect::Zsh, &["ls"], true);
    check("echo ${(e)x}", Dialect::Zsh, &["echo"], true);
    check("function f g { a }", Dialect::Zsh, &["a"], true);
    check("((a [ b))", Dialect::Zsh, &[], true);
    check("echo $((a ] b))", Dialect::Zsh, &["echo"], true);
    check("a >>(b)", Dialect::Zsh, &["a"], true);
    check("a *() b", Dialect::Zsh, &["a"], true);
    check("for x () a", Dialect::Zsh, &["a"], true);
    check("{ a b}\n}", Dialect::Zsh, &["a"], true);
    check("a $x}; b", Dialect::Zsh, &["a", "b"], true);
    check("a {b,c}d} e", Dialect::Zsh, &["a"], true);
    check("a >&-b; >&-c d", Dialect::Zsh, &["a", "c"], true);
    check("a b() c; a", Dialect::Zsh, &["a", "a"], true);
    check("a b () { c }", Dialect::Zsh, &["a"], true);
    check("{a b}", Dialect::Zsh, &["a"], true);
    check("f() {a b}; f", Dialect::Zsh, &["a", "f"], true);
    check("if [[ -n x ]] {a b}", Dialect::Zsh, &["a"], true);
    check("{ a b}", Dialect::Zsh, &["a"], true);
    check("{a,b}", Dialect::Zsh, &["a,b}"], true);
    check("() { a } b > c", Dialect::Zsh, &["a"], true);
}

#[test]
fn what_a_plain_sh_would_run_is_flagged() {
    for (text, names) in [
        ("[[ a && b ]]", &[][..]),
        ("[[ a < b ]]", &[]),
        ("((a))", &["a"]),
        ("while ((i<3)); do a; done", &["i", "a"]),
        ("function f { a; }", &["a"]),
        ("echo $'a\\'; b #'", &["echo"]),
        ("x=(a)", &[]),
        ("coproc a", &["a"]),
        (">&-a b", &["a"]),
        ("a &>f b", &["a"]),
        ("&>f a", &["a"]),
        ("a &>>f b", &["a"]),
        ("echo $[ a; b ]", &["echo"]),
        ("echo \"$[1]\"$[a|b]", &["echo"]),
    ] {
        check(text, Dialect::Sh, names, true);
    }
    for (text, names) in [
        ("a && b || c; d &", &["a", "b", "c", "d"][..]),
        ("f() a", &["a"]),
        ("[[ -f a ]] && b", &["b"]),
        ("echo \"${x:-it's}\" && a", &["echo", "a"]),
        ("echo $((1 + $(a)))", &["echo", "a"]),
        ("cat <<E\n$(a)\nE\nb", &["cat", "a", "b"]),
        ("a &>f; b &>>g && c &>h | d", &["a", "b", "c", "d"]),
        ("echo \"$[ a; b ]\"", &["echo"]),
        ("grep ^a$[0-9]", &["grep"]),
    ] {
        check(text, Dialect::Sh, names, false);
    }
}
