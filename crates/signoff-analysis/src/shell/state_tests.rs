//! The state of the shell compared with bash: whatever bash has in a variable or a file in the end is among what we
//! think possible. Thinking more possible costs a question; thinking less possible would cost a yes that nobody meant.

use proptest::prelude::*;
use signoff_model::Verdict;

use super::{
    bash_oracle::{bash_or_nothing, before_the_last, cases, seed},
    picks::{Next, Picks},
    standing::FEW,
};
use crate::testing::check;

/// Every list of words that the last command may get; none for a word that is not known. Nothing at all if we gave up
/// and asked.
fn possible(text: &str) -> Option<Vec<Vec<Option<String>>>> {
    before_the_last(text, |shell, simple| {
        shell.picks = Picks::default();
        let mut lists = Vec::new();
        loop {
            let args = shell.expand_words(simple.words);
            lists.push(args.into_iter().skip(1).map(|arg| arg.value.known().map(str::to_owned)).collect());
            match shell.picks.advance() {
                Next::Round => {}
                Next::Done => return Some(lists),
                Next::TooMany => return None,
            }
        }
    })
}

fn fits(ours: &[Option<String>], bash: &[Option<String>]) -> bool {
    ours.len() == bash.len() && ours.iter().zip(bash).all(|(ours, bash)| ours.is_none() || ours == bash)
}

const START: &str = "x=0; y=0; n=0; a=(); declare -A m; g() { :; }; echo 0 > o; echo 0 > p; set -- 0 0\n";
const END: &str = "\nargs \"$x\" \"$y\" \"$(cat o)\" \"$(cat p)\" \"$1\"";

/// Whether what bash ends with is among what was thought possible, or we gave up and asked.
fn holds(text: &str, body: &str, bash: &[Option<String>]) -> Result<(), String> {
    match possible(text) {
        Some(lists) if !lists.iter().any(|ours| fits(ours, bash)) => {
            Err(format!("{body}\n  bash {bash:?}\n  ours {lists:?}"))
        }
        _ => Ok(()),
    }
}

fn check_against_bash(body: &str) -> Result<(), String> {
    let text = format!("{START}{body}{END}");
    let Some(bash) = bash_or_nothing(&text) else { return Ok(()) };
    holds(&text, body, &bash)
}

#[test]
fn what_bash_ends_with_is_among_what_is_thought_possible() {
    let bodies = [
        "readonly x=1; declare x=2",
        "readonly x=1; read x <<< 2",
        "readonly x=1; export x=2",
        "declare -r x=1; printf -v x 2",
        "declare -n r=x; read r <<< 1",
        "declare -n r=x; printf -v r 1",
        "declare -n r=y; for r in x; do :; done; r=1",
        "while read x; do break; done <<< $'1\\n2'",
        "while read x; do [ $x = 1 ] && break; done < <(printf '1\\n2\\n')",
        "while read x; do y=$x; done <<< $'1\\n2'",
        "a=1 b=2; i=0; while [ $i -lt 5 ]; do x=$y; y=$a; a=$b; b=3; i=$((i+1)); done",
        "exec 3>o; echo 1 >&3; echo 2 >&3; exec 3>&-",
        "echo 1 2>o >&2",
        "echo 1 > o > p",
        "{ echo 1 >&2; } 2>o",
        "{ echo 1 >&2; echo 2; } &>o",
        "{ echo 1 >&2; echo 2; } >o 2>&1",
        "f() { echo 1 >&4; }; f 4>o",
        "sh -c 'echo 1 >&5' 5>o",
        "exec {n}>o; echo 1 >&$n",
        "exec 3>&1 >o; echo 1; exec >&3 3>&-",
        "exec 3>&1 >o; x=$(echo 1); echo 2 | cat >p; exec >&3 3>&-",
        "exec 3<<< 1; read -u 3 x",
        "exec 3<<< 1; x=$(cat /dev/fd/3)",
        "exec < o; read x",
        "false && echo 1 > o",
        "if false; then echo 1 > o; else echo 2 > p; fi",
        "case 1 in 2) echo 1 > o;; esac",
        "for i in 1 2; do break; echo 1 > o; done",
        "while false; do echo 1 > o; done",
        "echo 1 > o; cp o p",
        "echo 1 > o; mv o p; echo 2 > o",
        "mkdir d; echo 1 > d/a; mv d e; x=$(cat e/a)",
        "mkdir d; echo 1 > d/a; cp -r d e; x=$(cat e/a)",
        "echo 1 | tee o > p",
        "x=$(<o)",
        "export x=1; y=$(env -i sh -c 'echo \"[$x]\"')",
        "export x=1; y=$(env -u x sh -c 'echo \"[$x]\"')",
        "export x=1; export -n x; y=$(sh -c 'echo \"[$x]\"')",
        "x=1; y=$(sh -c 'echo \"[$x]\"')",
        "set -a; x=1; y=$(sh -c 'echo \"[$x]\"')",
        "a=(1); a+=2; x=$a",
        "a=1; a+=(2); x=${a[1]}",
        "read 'a[0]' <<< 1; x=${a[0]}",
        "printf -v 'a[2]' 1; x=${a[2]}",
        "x=1 true; y=$x",
        "x=1 :; y=$x",
        "f() { local x=1; y=$x; }; f",
        "f() { x=1; }; x=2 f",
        "unset x; : ${x:=1}",
        "x=1; unset x; y=a${x}b",
        "eval 'x=1'; eval y=\\$x",
        "shift",
        "set -- 1 2; shift",
        "x=1 | true",
        "x=1 & wait",
        "(x=1); { y=1; }",
        "true && x=1 || y=1",
        "false || x=1 && y=2",
        "for x in 1 2; do [ $x = 1 ] && continue; y=$x; done",
        "until [ $x = 1 ]; do x=1; done",
        "coproc { x=1; }; y=2; wait",
        "trap 'x=1' DEBUG; y=2; trap - DEBUG",
        "echo 1 >> o; echo 2 >> o",
        "sed -i 's/0/1/' o",
        "echo 1 | sed -n 'w o'",
        "awk 'BEGIN { print 1 > \"o\" }'",
        "python3 -c 'open(\"o\", \"w\").write(\"1\")'",
        "ln -sf p o; echo 1 > o",
        "ln -f p o; echo 1 > o",
        "dd if=p of=o 2>/dev/null; echo 1 > p",
        "install p o",
        "truncate -s 0 o",
        "rm o; echo 1 > o",
        "printf 1 > o; printf 2 >> o",
        "cat <<< 1 > o; cat o o > p",
        "f() { local x=6; export x=1; }; f; y=$(sh -c 'echo \"[$x]\"')",
        "false && x=1; true || y=1",
        "[ $y = 1 ] && x=1; for x in $x; do :; done",
        "[ $y = 1 ] && y=p || y=o; { echo 1; } > $y",
        "[ $y = 1 ] && y=p || y=o; > $y",
        "[ $y = 1 ] && y=p || y=o; export x=1 > $y",
        "if false; then x=1; elif true; then y=1; fi",
        "false() { true; }; false && x=1",
        "! false && x=1",
        "f() { (( $1 > 0 )) && f $(( $1 - 1 )); x=$x$1; }; f 3",
        "x=$(echo 1 > o; echo 2)",
        "y=$(x=1; echo $x)$x",
        // What a function hides on one way only.
        "f() { if [ $x = 1 ]; then declare y=1; else y=8; fi; }; f",
        "f() { [ $x = 0 ] && { y=8; return; }; local y=1; }; f",
        "f() { [ $x = 1 ] && local y; y=9; }; f",
        "f() { local x; x=1; declare -g x=2; y=$x; }; f",
        "f() { typeset -g y=2; }; f",
        "f() { declare -g \"$1=3\"; }; f x; f y",
        "f() { local x=1; g; y=$x; }; g() { unset x; x=4; }; f",
        "f() { local x=1; g; y=$x; }; g() { local x=2; declare -g x=5; }; f",
        "f() { local x=1; unset x; y=${x-u}; }; f",
        // Functions and aliases with several definitions.
        "if [ $x = 1 ]; then f() { y=1; }; else f() { y=2; }; fi; f",
        "f() { y=1; }; [ $x = 1 ] && f() { y=2; }; f",
        "f() { y=1; }; [ $x = 0 ] && f() { y=2; }; f",
        "f() { y=1; }; false && f() { y=2; }; f",
        "f() { y=1; }; [ $x = 1 ] && unset -f f; f",
        "f() { y=1; }; unset -v f; f",
        "f() { y=1; }; f=1; unset f; f",
        "f() { y=1; }; unset f; f 2>/dev/null",
        "f() { y=1; }; f=1; unset f; unset f; f 2>/dev/null",
        "x=1; unset -f x",
        "case $x in 1) f() { y=1; };; 0) f() { y=2; };; esac; f",
        // Declarations however they are spelt.
        "builtin declare x=1; command export y=2",
        "\\export x=1; \"declare\" y=2",
        "e=export; $e x=1",
        "de''clare x=1",
        "declare {x,y}=3",
        "declare -l x; x=ABC; declare -u y=abc",
        "typeset -i x; x=2+3; y=2; declare -i y; y+=3",
        "f() { local -l x; x=AB; y=$x; }; f; x=CD",
        "declare -a x='(1 2)'; y=${x[1]}",
        "a=(1); declare a+=(2 3); x=${a[2]}; y=${#a[@]}",
        "declare -A m=([k]=1 [l]=2); x=${m[l]}; y=${m[z]-none}",
        "printf -vx %s 1; printf -v y %s 2",
        "i=0; let i+=1; a=(5 6); x=${a[$i]}",
        "i=0; : $((i+=1)); a=(5 6); x=${a[i]}",
        "i=0; : $((++i)); x=$i",
        "i=1; a=(5 6); x=${a[i-1]}; y=${a[i]}",
        "declare -n r=y; [ $x = 1 ] && declare -n r=x; r=4",
        "export x=1 y=2; declare +x x; readonly y",
        // Arrays.
        "a=(1 2 3); unset a[0]; set -- \"${a[@]}\"; x=${#a[@]}; y=${a[1]}",
        "a=(1 2 3); unset 'a[-1]'; x=\"${a[*]}\"; y=${a[-1]}",
        "a=([1]=b [2]=c [0]=a); x=\"${a[*]}\"",
        "a=([3]=b c [1]=a d); x=\"${a[*]}\"; y=\"${!a[*]}\"",
        "a[5]=1; a[7]=2; a[9]=3; x=\"${a[*]}\"; y=${#a[@]}",
        "a[5]=1; a+=(2); x=\"${a[*]}\"; y=${a[6]}",
        "a=(1 2); a=3; x=\"${a[*]}\"",
        "a=(1 2); a[1]+=x; x=\"${a[*]}\"",
        "a=(1 2); [ $x = 1 ] && a=(); x=\"${a[*]}\"; y=${#a[@]}",
        "a=(1 2); [ $x = 0 ] && a+=(3); x=\"${a[*]}\"; y=${a[2]-none}",
        "[ $y = 1 ] && y=5; a=($y 6); x=\"${a[*]}\"",
        "[ $y = 0 ] && a=(7) || a=(8 9); set -- \"${a[@]}\" z; x=${a[0]}",
        "a=(); x=${a-unset}; y=${a[@]:-none}",
        "a=(1); unset a; x=${a-unset}; y=\"[${a[*]}]\"",
        "a=(1 2); y=$(sh -c 'echo \"[$a]\"')",
        "a=(3 4); for i in \"${!a[@]}\"; do x=$x$i${a[$i]}; done",
        "p_a=1; p_b=2; for v in ${!p_@}; do x=$x${!v}; done",
        // Not set is not empty.
        "unset x; y=${x-u}; unset y; : ${y=3}",
        "f() { local x; y=${x-u}; }; f",
        "unset x; y=${x+set}${x:+set}; x=; y=$y${x+set}${x:+set}",
        "f() { y=${1-u}${2-v}; }; f ''",
        "set --; x=${1-u}; y=${@:-none}",
        "x=1; y=$(sh -c 'echo ${x-unset}')",
        "[ $y = 1 ] && unset x; y=${x-u}",
        "[ $y = 0 ] && unset x; y=${x-u}",
        "unset x; x+=1; a=(1); unset a; a+=(2); y=${a[0]}",
        // Several that read one input by turns.
        "{ read x; read y; } <<< $'1\\n2'",
        "printf '1\\n2\\n' | { read x; read y; echo $y > o; }; wait",
        "exec 3<<< $'1\\n2'; read -u3 x; read -u 3 y",
        "{ read x <&3; read y <&3; } 3<<< $'1\\n2'",
        "printf '1\\n2\\n' > o; { read x; read y; } < o",
        "while :; do read -r x || break; y=$y$x; done <<< $'1\\n2'",
        "for i in 1 2; do read x; y=$y$x; done <<< $'1\\n2'",
        "while read x; do read y; done <<< $'1\\n2\\n3\\n4'",
        "while read x; do (read y; echo $y > o); done <<< $'1\\n2\\n3\\n4'",
        "{ read; read x; y=$REPLY; } <<< $' a \\n2'",
        "{ (read x); read y; } <<< $'1\\n2'",
        "{ [ $x = 1 ] && read x; read y; } <<< $'1\\n2'",
        "{ [ $x = 0 ] && read x; read y; } <<< $'1\\n2'",
        "f() { read x; }; { f; read y; } <<< $'1\\n2'",
        "{ eval 'read x'; read y; } <<< $'1\\n2'",
        "{ cat > o; read y; } <<< $'1\\n2'",
        "{ read x; cat > o; } <<< $'1\\n2'",
        "{ command read x; builtin read y; } <<< $'1\\n2'",
        "{ read x <<< 5; read y; } <<< $'1\\n2'",
        "read -n2 x <<< rmxyz; read -N 3 y <<< $'a\\nbcd'",
        "{ read -n1 x; read y; } <<< rmxyz",
        "read -d: x <<< 'a:b'; read -d '' y <<< $'a\\nb'",
        "IFS=: read -ra a <<< '1:2::3'; x=${#a[@]}; y=\"${a[*]}\"",
        "IFS=, read x y <<< '1,2,3'",
        "IFS=, read x y <<< '1,2,'",
        "IFS=, read x <<< '1,'",
        "IFS=', ' read x y <<< ' 1 , 2 , 3 '",
        "IFS= read x <<< '  1 '",
        "read x <<< 'r\\m'; read -r y <<< 'r\\m'",
        "read x y <<< 'a\\ b c'",
        "read x y <<< $'a\\\\\\nb c'",
        "readarray -d ' ' -t a <<< '1 2 3 '; x=${#a[@]}; y=${a[1]}",
        "mapfile -t -s 1 -n 2 a < <(printf '%s\\n' 1 2 3 4); x=${#a[@]}; y=\"${a[*]}\"",
        "mapfile a <<< $'1\\n2'; x=${a[0]}; y=${#a[1]}",
        "{ mapfile -n 1 -t a; read x; } <<< $'1\\n2'",
        "shopt -s lastpipe; echo 1 | read x; echo 2 | { read y; }",
        "echo 1 | read x",
        "read x y <<< 1",
        "read -a a <<< '1 2'; unset a[0]; x=\"${a[*]}\"",
        // Traps see the values of their moment.
        "f() { local x=5; trap 'y=$x' RETURN; }; f",
        "(trap 'echo $x > o' EXIT; x=1; exit; x=2)",
        "(trap 'echo $x > o' EXIT; x=1; [ $y = 0 ] && exit; x=2)",
        "(trap 'echo $x > o' EXIT; x=1; [ $y = 1 ] && exit; x=2)",
        "(trap 'echo $x > o' EXIT; x=3)",
        "(set -e; trap 'echo $x > o' EXIT; x=1; false; x=2)",
        "trap 'y=$x' ERR; x=1; false; x=2; trap - ERR",
        "f() { exit; }; (trap 'echo $x > o' EXIT; x=1; f; x=2)",
        "bash -c 'x=7; trap \"echo \\$x > o\" EXIT; x=8'",
        // Directories that lead back.
        "cd /usr; cd /tmp; x=$OLDPWD; y=~-",
        "cd /usr; cd /tmp; cd - > /dev/null; x=$PWD; y=$OLDPWD; cd /",
        "OLDPWD=/usr; cd - > /dev/null; x=$PWD",
        "cd /; pushd /usr > q; pushd /tmp > /dev/null; pushd +1 > /dev/null; x=$PWD; popd > /dev/null; y=$PWD",
        "cd /; pushd /usr > /dev/null; pushd /tmp > /dev/null; pushd -0 > /dev/null; x=$PWD; y=$OLDPWD",
        "cd /tmp; pushd -n /usr > /dev/null; popd > /dev/null; x=$PWD",
        "cd /; pushd /usr > /dev/null; pushd > /dev/null; x=$PWD; y=$OLDPWD",
        "cd /; pushd /usr > /dev/null; pushd /tmp > /dev/null; popd +1 > /dev/null; popd > /dev/null; x=$PWD",
        "cd /; pushd /usr > /dev/null; pushd /tmp > /dev/null; popd -n > /dev/null; popd > /dev/null; x=$PWD",
        "HOME=/usr; cd; x=$PWD",
        // The last argument.
        ": 1 2; x=$_",
        "true 1; true $_ 2; y=$_",
        "f() { : 3; }; f 4; x=$_",
        ": 1; [ $y = 1 ] && : 2; x=$_",
        ": 1; x=5; y=$_",
        ": 1; declare x=5; y=$_",
        ": 1 | : 2; x=$_",
        // The rest.
        "x=m; y=${x/m/r&}; x=${x/#m/<&>}",
        "x='\\x72m'; y=${x@E}; x=${y@U}",
        "a=(p \"q r'\"); eval \"x=${a[1]@Q}\"",
        "set - 1 2",
        "set -- 5 6; set -",
        "set -- 1 2; x=\"${*:1}\"; y=\"${@:2:1}\"",
        "f() { while getopts d:v o; do x=$x$OPTARG; done; }; f -vd7",
        "f() { while getopts d:v o; do x=$x$OPTARG; done; }; f -v -d 7 8",
        "BASH_ARGV0=q; x=$0",
        "set -e; cd /nowhere 2> /dev/null || true; x=1",
        "(set -e; echo 1 > o; false; echo 2 > o)",
        "(set -e; x=1; false || x=2; echo $x > o)",
        "set -- 1 2; shift 3; x=$1",
        "set -- 1 2 3; n=$(printf 2); shift $n; x=$1",
        "e=$(printf ''); set -- $e 1 2; x=$2; y=$#",
        "e=$(printf 'a b'); f() { x=$2; shift; y=$1; }; f $e 1 2",
        "e=$(printf ''); a=($e 1 2); x=${a[1]}; y=${#a[@]}",
    ];
    let wrong: Vec<String> = bodies.iter().filter_map(|body| check_against_bash(body).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Statements that change the state in some way, nested in others.
fn statement() -> impl Strategy<Value = String> {
    let value = prop_oneof![Just("1"), Just("2"), Just("$x"), Just("$y"), Just("$1"), Just("\"$(cat o)\""), Just("''")];
    let name = prop_oneof![Just("x"), Just("y")];
    let file = prop_oneof![Just("o"), Just("p")];
    let simple = (name, file, value, 0..50usize).prop_map(|(name, file, value, form)| match form {
        0 => format!("{name}={value}"),
        1 => format!("{name}+={value}"),
        2 => format!("declare {name}={value}"),
        3 => format!("export {name}={value}"),
        4 => format!("read {name} <<< {value}"),
        5 => format!("printf -v {name} %s {value}"),
        6 => format!("unset {name}"),
        7 => format!("echo {value} > {file}"),
        8 => format!("echo {value} >> {file}"),
        9 => format!("{name}=$(cat {file})"),
        10 => format!("{name}=$(sh -c 'echo \"${name}\"')"),
        11 => format!("exec 3>{file}; echo {value} >&3"),
        12 => format!("echo {value} 2>{file} >&2"),
        13 => format!("set -- {value} 3"),
        14 => "shift".to_owned(),
        15 => format!("declare -n r={name}; r={value}"),
        16 => format!("{name}={value} :"),
        17 => format!("eval '{name}={value}'"),
        18 => format!("read -u 3 {name} 3<<< {value}"),
        19 => format!("{name}=${{{name}:-{value}}}"),
        20 => format!("cp {file} o"),
        21 => format!("while read {name}; do break; done < <(echo {value}; echo 9)"),
        22 => format!("for {name} in {value} 7; do break; done"),
        23 => format!("builtin declare {name}={value}"),
        24 => format!("\\export {name}={value}"),
        25 => format!("declare -g {name}={value}"),
        26 => format!("{name}=${{{name}-{value}}}"),
        27 => format!("a=({value} 3); {name}=${{a[1]}}"),
        28 => format!("a+=({value}); {name}=\"${{a[*]}}\""),
        29 => format!("unset 'a[0]'; {name}=${{#a[@]}}"),
        30 => format!("a[2]={value}; {name}=${{a[2]}}${{a[1]-n}}"),
        31 => format!("{name}=${{a[-1]-n}}"),
        32 => format!("g() {{ {name}={value}; }}"),
        33 => "unset -f g; g() { :; }".to_owned(),
        34 => "g".to_owned(),
        35 => format!("let n+=1; {name}=$n"),
        36 => format!("printf -v{name} %s {value}"),
        37 => format!("declare -u {name}; {name}=q{value}"),
        38 => format!("m=([k]={value}); {name}=${{m[k]}}"),
        39 => "unset g".to_owned(),
        40 => format!("local {name}={value} 2>/dev/null"),
        41 => format!("local {name} 2>/dev/null"),
        42 => format!("typeset -i {name}; {name}=1+1; typeset +i {name}"),
        43 => format!("set -- \"${{a[@]}}\" {value}"),
        44 => format!("{{ read {name}; read x; }} <<< $'1\\n2'"),
        45 => format!("read {name}"),
        46 => format!("read -n1 {name}"),
        47 => format!("IFS=, read -a a <<< 6,{value}"),
        48 => format!("mapfile -t -n 1 a; {name}=${{a[0]}}"),
        _ => format!("while read {name}; do :; done"),
    });
    simple.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), inner, 0..22usize).prop_map(|(first, second, form)| match form {
            0 => format!("{first}; {second}"),
            1 => format!("if [ \"$x\" = 1 ]; then {first}; else {second}; fi"),
            2 => format!("[ \"$y\" = 2 ] && {{ {first}; }}; {second}"),
            3 => format!("({first}); {second}"),
            4 => format!("{{ {first}; {second}; }} 2>o"),
            5 => format!("f() {{ {first}; }}; {second}; f 8"),
            6 => format!("f() {{ local x=6; {first}; }}; f; {second}"),
            // Into a file that nothing else uses: the two sides run at the same time.
            7 => format!("{{ {first}; }} | cat > q; {second}"),
            8 => format!("for x in 4 5; do {first}; done; {second}"),
            9 => format!("i=0; while [ $i -lt 3 ]; do {first}; i=$((i+1)); done; {second}"),
            10 => format!("case $x in 0) {first};; *) {second};; esac"),
            11 => format!("y=$({first}; echo $x); {second}"),
            12 => format!("false || {{ {first}; }}; true && {{ {second}; }}"),
            13 => format!("exec 4>&1 >p; {first}; exec >&4; {second}"),
            14 => format!("{{ {first}; echo 5; }} > o; {second}"),
            15 => format!("f() {{ if [ \"$x\" = 0 ]; then {first}; else {second}; fi; }}; f"),
            16 => format!("f() {{ {first}; [ \"$y\" = 1 ] && return; {second}; }}; f"),
            17 => format!("if [ \"$x\" = 1 ]; then g() {{ {first}; }}; fi; {second}; g"),
            18 => format!("[ \"$y\" = 0 ] && g() {{ {first}; }}; {second}; g"),
            19 => format!("{{ {first}; {second}; }} <<< $'1\\n2 x\\n3'"),
            20 => format!("while read l; do {first}; done <<< $'1\\n2'; {second}"),
            _ => format!("(trap 'echo $x$y > o' EXIT; {first}; exit; {second})"),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(128), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn generated_texts_leave_no_state_that_was_not_thought_possible(body in statement()) {
        prop_assert_eq!(check_against_bash(&body), Ok(()));
    }
}

#[test]
fn what_a_function_is_called_with_depends_on_where_the_shell_may_stand() {
    check(
        Verdict::Block,
        &[
            r#"f() { rm -rf "$1"; }; cd ~; cd /tmp/x; f "$PWD""#,
            "zf() { cd /tmp/b || true; rm -rf *; }; cd ~; cd /tmp/x; zf",
        ],
    );
    check(Verdict::Allow, &["f() { ls \"$1\"; }; cd src; f \"$PWD\"", "cd src; g() { echo \"$1\"; }; g a; cd ..; g b"]);
}

#[test]
fn several_directories_in_a_row_may_not_be_there() {
    check(
        Verdict::Block,
        &[
            "cd ~; cd /tmp/x; cd /tmp/y; rm -rf *",
            "cd /; cd /tmp/x; ls; cd /tmp/y; rm -rf *",
            "cd ~; cd x; cd build; rm -rf *",
            "cd ~ && cd build; rm -rf *",
            "cd / && cd /tmp/x && cd /tmp/y; rm -rf *",
            "cd ~; cd /tmp/x; if cd /tmp/b; then :; fi; rm -rf *",
            "cd ~; cd /tmp/x; for i in 1 2; do cd /tmp/b; done; rm -rf *",
            "cd ~; cd /tmp/x; (cd /tmp/b; rm -rf *)",
            "cd ~; cd /tmp/x; pushd /tmp/b; rm -rf *",
            "cd ~; cd /tmp/x; cd /tmp/y || true; rm -rf *",
        ],
    );
    check(Verdict::Ask, &["cd /tmp/a; cd /tmp/b; rm -rf *", "cd build; cd sub; rm -rf *"]);
    check(
        Verdict::Allow,
        &[
            "cd ~ && cd /tmp/x && cd /tmp/y && rm -rf *",
            "set -e; cd ~; cd /tmp/x; cd /tmp/y; rm -rf *",
            "cd ~; cd /tmp/x || exit; cd /tmp/y || exit; rm -rf *",
            "cd /tmp/a && cd /tmp/b && rm -rf *",
            "cd src; make; cd ../docs; make; cd ../tests; make; cd ../web; make; cd ../api; make; cd ..; ls",
            "cd /tmp/a; ls; cd /tmp/b; ls; cd /tmp/c; ls; cd /srv; ls; cd /opt; ls; cd /usr/lib; ls; cd /var; ls",
        ],
    );
}

#[test]
fn a_variable_holds_each_directory_that_the_shell_may_stand_in() {
    check(
        Verdict::Block,
        &[
            r#"cd ~; cd /tmp/x; x=$PWD; rm -rf "$x"/*"#,
            r#"cd ~; cd /tmp/x; x=$(pwd); rm -rf "$x"/*"#,
            r#"cd ~; cd /tmp/x; for d in "$PWD"; do rm -rf "$d"; done"#,
            "cd ~; cd /tmp/x; pwd | xargs rm -rf",
            r#"cd ~; cd /tmp/x; a=("$PWD"); rm -rf "${a[0]}""#,
            "cd ~; cd /tmp/x; export d=$PWD; rm -rf $d",
            r#"cd ~; cd /tmp/x; read d <<< "$PWD"; rm -rf $d"#,
            r#"cd ~; cd /tmp/x; printf -v d %s "$PWD"; rm -rf $d"#,
            "cd ~; cd /tmp/x; d=~+; rm -rf $d",
            "cd ~; cd /tmp/x; rm -rf ~+/*",
            "cd ~; cd /tmp/x; rm -rf $PWD/*",
            r#"cd ~; cd /tmp/x; read d < <(pwd); rm -rf "$d""#,
            r#"cd ~; cd /tmp/x; d=$(realpath .); rm -rf "$d""#,
            r#"cd ~; cd /tmp/x; case $PWD in *) rm -rf "$PWD";; esac"#,
        ],
    );
    check(Verdict::Ask, &[r#"cd ~; cd /tmp/x; set -- "$PWD"; rm -rf "$1""#]);
    check(
        Verdict::Allow,
        &[
            r#"cd /tmp/x && x=$PWD; echo "$x""#,
            r#"cd src; x=$PWD; cd ../docs; y=$PWD; diff -r "$x" "$y""#,
            r#"cd build; for d in "$PWD"; do ls "$d"; done"#,
        ],
    );
}

/// Statements that change the directory, or fail to, nested in others.
fn moves() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        4 => prop::sample::select(vec!["cd d", "cd e", "cd d/f", "cd ..", "cd \"$R\"", "cd \"$R/d\"", "cd f", "cd .", "cd \"$PWD\"", "cd ~+"]),
        3 => prop::sample::select(vec!["cd none", "cd \"$R/none\"", "cd /nowhere", "cd d x", "cd d < none", "cd - && :", "cd -", "cd \"$OLDPWD\"", "cd ~-"]),
        2 => prop::sample::select(vec!["pushd d", "pushd none", "pushd e", "popd", "pushd", "pushd +1"]),
        2 => prop::sample::select(vec![":", "false", "x=$PWD", "x=$OLDPWD", "y=$(cd d; pwd)", "read x < <(pwd)", "return", "break", "continue", "set -e", "eval 'cd d'", "command cd e", "builtin cd none"]),
    ]
    .prop_map(str::to_owned);
    simple.prop_recursive(3, 6, 2, |inner| {
        (inner.clone(), inner, 0..24usize).prop_map(|(first, second, form)| match form {
            0..=2 => format!("{first}; {second}"),
            3 => format!("{first} && {second}"),
            4 => format!("{first} || {second}"),
            5 => format!("! {{ {first}; }} && {second}"),
            6 => format!("{{ {first}; }} && {{ {second}; }}"),
            7 => format!("{{ {first}; }} || {{ {second}; }}"),
            8 => format!("({first}); {second}"),
            9 => format!("if {first}; then {second}; fi"),
            10 => format!("if {first}; then :; else {second}; fi"),
            11 => format!("for i in 1 2; do {first}; {second}; done"),
            12 => format!("for i in 1 2; do {first} || break; {second}; done"),
            13 => format!("while [ ! \"$n\" ] && n=1 && {{ {first}; }}; do {second}; cd e; done"),
            14 => format!("f() {{ {first}; }}; {second}; f"),
            15 => format!("f() {{ {first} || return; {second}; }}; f && cd d"),
            16 => format!("f() {{ {first}; }}; f && {{ {second}; }}"),
            17 => format!("case $y in 0) {first};; *) {second};; esac"),
            18 => format!("{first} && {second} || cd e"),
            19 => format!("{first} || {second} && cd e"),
            20 => format!("[ $y = 1 ] && {{ {first}; }}; {second}"),
            21 => format!("until [ \"$n\" ] || ! n=1 || {{ {first}; }}; do {second}; cd e; done"),
            22 => format!("{{ {first}; }} | cat; {second}"),
            _ => format!("eval '{}'; {second}", first.replace('\'', "'\\''")),
        })
    })
}

fn check_moves_against_bash(body: &str) -> Result<(), String> {
    let start =
        "T=$PWD; R=$T/1/2/3/4/5; mkdir -p $R/d/f $R/e; cd 1/2/3/4/5 && x=0 y=0\nexec 2> /dev/null 9>&1 > /dev/null\n";
    let end = "\nexec >&9; args \"${PWD#$T}\" \"${OLDPWD#$T}\" \"${x#$T}\"";
    let text = format!("{start}{body}{end}");
    let Some(bash) = bash_or_nothing(&text) else { return Ok(()) };
    // Above the directory that bash runs in, the two do not stand in the same place.
    let above = std::env::temp_dir().to_string_lossy().into_owned();
    if bash.iter().flatten().any(|word| word == "/" || word.starts_with(&above)) {
        return Ok(());
    }
    // Of many directories of the same kind some are let go.
    if before_the_last(&text, |shell, _| shell.state.settings.elsewhere.len() >= FEW) {
        return Ok(());
    }
    holds(&text, body, &bash)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(192), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_shell_stands_where_it_was_thought_possible(body in moves()) {
        prop_assert_eq!(check_moves_against_bash(&body), Ok(()));
    }
}

#[test]
fn behind_a_cd_that_has_failed_the_shell_stands_where_it_was() {
    check(
        Verdict::Block,
        &[
            "cd ~; cd /tmp/x || rm -rf *",
            "cd ~; ! cd /tmp/x && rm -rf *",
            "cd ~ && cd /tmp/a || echo fail && rm -rf *",
            "cd ~; cd /tmp/x; cd /tmp/x; rm -rf *",
            "cd ~; cd /tmp/x; (cd /tmp/x; rm -rf *)",
            "f() { cd /tmp/x; }; cd ~; f; f; rm -rf *",
            "cd /tmp; for i in 1 2; do cd ~ && cd /tmp/a; done; rm -rf *",
            "while cd ~ && cd /tmp/a; do break; done && rm -rf *",
            "cd ~; cd /tmp/x; cd /tmp; rm -rf \"$OLDPWD\"/*",
            "cd ~; cd /tmp/x; cd /tmp && cd - && rm -rf *",
            "cd ~; cd /tmp/x; pushd /tmp && popd && rm -rf *",
            "cd ~; for i in 1 2; do cd /tmp/x; done; cd /tmp && rm -rf ~-",
            "cd /tmp; { cd ~; cd /tmp/a; } && cd /tmp/b; rm -rf *",
            "cd /tmp; f() { cd ~; cd /tmp/a; }; f && cd /tmp/b; rm -rf *",
            "cd /tmp; eval 'cd ~; cd /tmp/a' && cd /tmp/b; rm -rf *",
            "cd ~; cd /tmp/x; cd ~+; rm -rf *",
            "cd /etc; cd /tmp/x; > passwd",
            "cd /etc; cd /tmp/x; (echo root::0:0) >> passwd",
            "cd /etc; cd /tmp/x; for i in 1; do echo $i; done > passwd",
            "cd ~; while false; do cd /tmp; done; rm -rf *",
            "cd ~; for d in $(ls /nope); do cd /tmp; done; rm -rf *",
            "cd ~; cd \"$d\"; rm -rf *",
            "cd ~; cd /tmp extra; rm -rf *",
            "cd ~; cd /tmp < /nonexistent; rm -rf *",
            "cd ~; cd ~/.ssh; cd /tmp/x; rm -rf *",
            "cd /tmp; echo 'cd ~' > s.sh; mkdir -p x; echo : > x/s.sh; [ -n \"$A\" ] && cd x; . ./s.sh; rm -rf *",
            "echo 'rm -rf ~' > /tmp/s.sh; cd /tmp; mkdir -p x; cd x; echo ls > s.sh; sh /tmp/s.sh",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "cd /tmp/a || echo fail && rm -rf *",
            "cd build || mkdir build && rm -rf *",
            "cd /tmp/x || { rm -rf *; exit 1; }",
            "pushd /tmp/x || rm -rf *",
            "cd build; make; cd /tmp; cp x y; cd -; rm -rf *",
            "cd /tmp/a; cd /tmp/b; rm -rf \"$OLDPWD\"",
            "cd /tmp/a; pushd /tmp && popd && rm -rf *",
            "cd ~/.ssh; cd /tmp/x || cat *",
            "cd ~/.ssh; cd \"$d\"; cat *",
            "cd ~/.ssh; cd /usr/lib; cd /tmp/x; cat *",
            "cd ~; cd /tmp/x; { echo hi; } > .bashrc",
            "cd /etc; cd /tmp/x; while read l; do echo $l; done < shadow",
            "cd /tmp; CDPATH=~; pushd docs && rm -rf *",
            "cd /tmp; CDPATH=(~); cd docs && rm -rf *",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "cd /tmp/x || exit 1; rm -rf *",
            "cd /tmp/x || { echo no; exit 1; }; rm -rf *",
            "f() { cd /tmp/x || return; rm -rf *; }; f",
            "for d in /tmp/a /tmp/b; do cd $d || continue; rm -rf *; done",
            "die() { echo no; exit 1; }; cd /tmp/x || die; rm -rf *",
            "cd build && make || echo failed",
            "cd src; ls; cd -; ls",
            "if cd /tmp/x; then rm -rf *; fi",
            "cd a && npm ci; cd ../b && npm ci; cd ../c && npm ci; cd ../d && npm ci; cd ../e && npm ci",
            "pushd web && npm run build; popd; pushd api && cargo build; popd; cargo test",
            "case $1 in a) cd a;; b) cd b;; c) cd c;; d) cd d;; e) cd e;; f) cd f;; esac; make",
            "set -e; cd web; npm ci; cd ..; cd api; cargo build; rm -rf target",
        ],
    );
}

#[test]
fn a_shell_that_was_told_to_stop_goes_on_where_bash_goes_on() {
    check(
        Verdict::Block,
        &[
            "set -e; f() { cd /tmp/x; rm -rf *; }; cd ~; f || true",
            "set -e; f() { cd /tmp/x; rm -rf *; }; cd ~; if f; then :; fi",
            "set -e; cd ~; { cd /tmp/x; rm -rf *; } || true",
            "set -e; cd ~; (cd /tmp/x; rm -rf *) || true",
            "set -e; cd ~; echo $(cd /tmp/x; rm -rf *)",
            "set -e; cd ~; if cd /tmp/x; then :; fi; rm -rf *",
            "set -e; cd ~; cd /tmp/x && :; rm -rf *",
            "cd ~; cd /tmp/x || return; rm -rf *",
            "cd ~; cd /tmp/x || break; rm -rf *",
            "cd ~; cd /tmp/x || exec 2>/dev/null; rm -rf *",
            "cd ~; cd /tmp/x || ls || exit; rm -rf *",
            "cd ~; cd /tmp/x || die; rm -rf *",
            "f() { cd /tmp/x || return 0; }; cd ~; f && rm -rf *",
            "cd ~; f() { [ -n \"$A\" ] && return; cd /tmp; }; f && rm -rf *",
            "f() { [ -n \"$A\" ] && return; exit 1; }; cd ~; cd /tmp/x || f; rm -rf *",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "set -e; cd ~; cd /tmp/x; rm -rf *",
            "set -euo pipefail; f() { cd /tmp/x; rm -rf *; }; f",
            "set -e; cd ~; true && cd /tmp/x; rm -rf *",
        ],
    );
}

#[test]
fn a_loop_ends_behind_its_condition() {
    check(
        Verdict::Block,
        &[
            "c=echo; until c=rm; do c=echo; done; $c -rf ~",
            "c=true; while c=rm; false; do c=true; done; $c -rf ~",
            "f() { :; }; until f() { rm -rf ~; }; do f() { :; }; done; f",
            "c=(echo); until c=(rm -rf); do c=(echo); done; \"${c[@]}\" ~",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "d=build; until d=src; do d=build; done; rm -rf $d",
            "set -- ls; until set -- rm -rf; do set -- ls; done; \"$@\" ~",
            "until echo 'rm -rf src' > t.sh; do echo ls > t.sh; done; sh t.sh",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "until curl -sf localhost:8080; do sleep 1; done; rm -rf build",
            "d=build; until [ -d $d ]; do sleep 1; done; rm -rf $d",
            "while read -r f; do echo $f; done < list; rm -rf build",
            "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; rm -rf build/$i",
        ],
    );
}

#[test]
fn what_is_set_for_a_call_hides_what_it_is_called_after() {
    check(
        Verdict::Block,
        &[
            "d=rm; f(){ unset d; $d -rf ~; }; d=echo f",
            "d=echo; f(){ export d=rm; }; d=x f; $d -rf ~",
            "d=echo; f(){ readonly d=rm; }; d= f; $d -rf ~",
            "d=echo; f(){ declare -g d=rm; }; d=x f; $d -rf ~",
            "d=echo; f(){ export d; d=rm; }; d=x f; $d -rf ~",
            "d=echo; f(){ unset d; d=rm; }; d=x f; $d -rf ~",
            "bash --posix -c 'c=echo; c=rm :; $c -rf ~'",
            "set -o posix; c=echo; c=rm eval :; $c -rf ~",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "d=build; f(){ ls $d; }; d=src f; rm -rf $d",
            "f(){ local d=src; ls $d; }; d=build; d=src f; rm -rf $d",
            "d=build; DEBUG=1 eval ls; rm -rf $d",
        ],
    );
}
