//! Texts that the shell evaluates once more than it looks: subscripts in names, and whatever is computed.
//!
//! That bash 5.2 runs the substitution was tried with each text for bash.

use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn a_substitution_in_a_subscript_runs_wherever_the_subscript_is_evaluated() {
    check(
        Verdict::Ask,
        &[
            "[[ -v 'a[$(rm -rf data)]' ]]",
            "[[ ! -v 'a[$(rm -rf data)]' ]]",
            "[[ -n x && ( -v 'a[$(rm -rf data)]' ) ]]",
            "v='a[$(rm -rf data)]'; [[ -v $v ]]",
            "x='a[$(rm -rf data)]'; [[ -v b[x] ]]",
            "declare -i n='x[$(rm -rf data)]'",
            "typeset -i n='x[$(rm -rf data)]'",
            "declare -i n='x[`rm -rf data`]'",
            "declare -i 'n=a[$(rm -rf data)]'",
            ": 'a[$(rm -rf data)]'; ((_))",
            ": 'a[$(rm -rf data)]'; echo $((_ + 1))",
            "x=_; : 'a[$(rm -rf data)]'; ((x))",
            "[[ 'a[$(rm -rf data)]' =~ .* ]]; ((BASH_REMATCH))",
            "[[ 'x a[`rm -rf data`]' =~ x\\ (.*) ]] && echo $((BASH_REMATCH[1]))",
            "f() { local -i n=$1; }; f 'a[$(rm -rf data)]'",
            "declare -i n; n='x[$(rm -rf data)]'",
            "declare -i n; n+='x[$(rm -rf data)]'",
            "declare -i n; export n='x[$(rm -rf data)]'",
            "declare -i n; for n in 'a[$(rm -rf data)]'; do :; done",
            "declare -i n; read n <<< 'a[$(rm -rf data)]'",
            "declare -i n; printf -v n %s 'a[$(rm -rf data)]'",
            "declare -i n; : ${n:='a[$(rm -rf data)]'}",
            "declare -ai n=('a[$(rm -rf data)]')",
            "declare -ai n; n[0]='a[$(rm -rf data)]'",
            "declare -ai n; n+=('a[$(rm -rf data)]')",
            "declare -ai n; mapfile n <<< 'a[$(rm -rf data)]'",
            "n='a[$(rm -rf data)]'; declare -i m=n",
            "n='a[$(rm -rf data)]'; declare -i n; n+=1",
            "true & wait -n -p 'a[$(rm -rf data)]'",
            "read 'a[$(rm -rf data)]' <<< x",
            "v='a[$(rm -rf data)]'; echo ${!v}",
            "v='a[$(rm -rf data)]'; echo ${!v:-x}",
            "declare -n r='a[$(rm -rf data)]'; echo $r",
            "declare -n r='a[$(rm -rf data)]'; r=1",
            "x='a[$(rm -rf data)]'; echo ${PATH:x}",
            "x='a[$(rm -rf data)]'; echo ${PATH:0:x}",
            "echo ${PATH:'a[$(rm -rf data)]'}",
            "x='a[$(rm -rf data)]'; b=(1 2); echo ${b[@]:x}",
            "x='a[$(rm -rf data)]'; y=x; z=y; echo $((z))",
            "x='a[$(rm -rf data)]'; b=([x]=1)",
            "b=(['a[$(rm -rf data)]']=1)",
            "x='a[$(rm -rf data)]'; b[x]=1",
            "x='a[$(rm -rf data)]'; echo ${b[x]}",
            "x='a[$(rm -rf data)]'; b=(1); unset 'b[x]'",
            "x='a[$(rm -rf data)]'; for ((i=x;i<0;)); do :; done",
            "x='a[$(rm -rf data)]'; [[ x -eq 1 ]]",
            "declare 'a[$(rm -rf data)]=1'",
            "declare -a 'b=([a[$(rm -rf data)]]=1)'",
            "let 'x=a[$(rm -rf data)]'",
            "RANDOM='a[$(rm -rf data)]'",
            "OPTIND='a[$(rm -rf data)]'",
            "compgen -W '$(rm -rf data)'",
            "v='a[$(rm -rf data)]'; echo ${v@P}",
            "x='a[$(rm -rf data)]'; : $[x]",
            "test -v 'a[0]' -o -v 'a[$(rm -rf data)]'",
            "n='a[$(rm -rf data)]' bash -c '(( n > 1 ))'",
            "export n='a[$(rm -rf data)]'; bash -c 'echo $((n))'",
            "b=('a[$(rm -rf data)]'); ((b))",
            "b=(1 'a[$(rm -rf data)]'); ((b[1]))",
            r#"[ -n "$1" ] && x=1 || x='a[$(rm -rf data)]'; ((x++))"#,
            r#"zsh -c '[ "a[\$(rm -rf data)]" -eq 1 ]'"#,
            "echo 'a[$(rm -rf data)]' | { read x; echo $((x+1)); }",
            "env 'n=a[$(rm -rf data)]' bash -c 'echo $((n))'",
            "set -- 'a[$(rm -rf data)]'; (( $1 > 2 ))",
            "bash -c '[[ $1 -gt 2 ]]' _ 'a[$(rm -rf data)]'",
            "bash -c 'echo $(($0))' 'a[$(rm -rf data)]'",
            "f() { (( $1 )); }; f 'a[$(rm -rf data)]'",
            "f() { [[ -v $1 ]]; }; f 'a[$(rm -rf data)]'",
            r#"f() { printf -v "$1" x; }; f 'a[$(rm -rf data)]'"#,
            r#"f() { local -n r=$1; echo "$r"; }; f 'a[$(rm -rf data)]'"#,
        ],
    );
}

#[test]
fn the_same_text_is_harmless_where_nothing_is_evaluated() {
    check(
        Verdict::Allow,
        &[
            "declare -i n=3; n+=4; echo $n",
            r#"declare -i total=0; for f in *.txt; do total+=$(wc -l < "$f"); done; echo $total"#,
            "[[ -v HOME ]] && echo yes",
            "declare -A m=([a]=1); [[ -v 'm[a]' ]] && echo ${m[a]}",
            r#"v='a[$(rm -rf data)]'; echo "$v""#,
            "declare n='x[$(rm -rf data)]'",
            "test -v 'm[x]' || echo no",
            "RANDOM=42; echo $RANDOM",
            "compgen -W 'start stop' -- st",
            "i=0; a=(x y); while [[ $i -lt ${#a[@]} ]]; do echo ${a[$i]}; i=$((i+1)); done",
        ],
    );
}
