//! Loops in loops around a command that is full of small work: each piece is cheap, and there are very many of them.

use crate::pieces::filled;

/// Values, functions and files for the pieces to use: long and short, plain and odd.
const BEFORE: &str = "y='a b';z=/srv/a.tar.gz;n=7;a=(p 'q r' s);set -- k l m;f() { :; };";

/// The letters of the long value.
const LONG: usize = 1000;

/// Where the pieces stand: before and behind them.
const PLACES: &[(&str, &str)] = &[
    ("echo ", ""),
    ("echo \"", "\""),
    ("v=", ""),
    ("v=\"", "\""),
    ("a=(", ")"),
    ("a[", "]=1"),
    ("export v=\"", "\""),
    ("[[ -n ", " ]]"),
    ("[[ $y == ", " ]]"),
    ("[[ $x =~ ", " ]]"),
    ("[ -n ", " ]"),
    ("case \"", "\" in a*) b;; esac"),
    ("case $y in ", ") b;; esac"),
    ("for k in ", "; do :; done"),
    (": > \"", "\""),
    (": <<< ", ""),
    ("cat <<E\n", "\nE\n"),
    ("(( n + ", " ))"),
    ("let \"n=", "\""),
    ("f ", ""),
    ("rm \"", "\""),
    ("cd \"", "\""),
    ("eval \": ", "\""),
    ("read v <<< \"", "\""),
    ("printf -v v %s ", ""),
    ("grep -q ", " b"),
    ("while [ \"", "\" ]; do break; done"),
];

/// What is repeated there.
const PIECES: &[&str] = &[
    "$x",
    "${x}",
    "$y",
    "${!x}",
    "${!y}",
    "${x#b}",
    "${x##*a}",
    "${x%%*b}",
    "${x%b}",
    "${x/a/b}",
    "${x//b*/c}",
    "${y//a/&b}",
    "${x^^}",
    "${x:1:3}",
    "${x: -2}",
    "${#x}",
    "${x:-$y}",
    "${q:-$y}",
    "${q:+$y}",
    "${x@Q}",
    "${x@E}",
    "${z##*/}",
    "${z%%.*}",
    "${a[@]}",
    "${a[1]}",
    "${a[$n]}",
    "${#a[@]}",
    "${!a[@]}",
    "${a[@]/p/q}",
    "${a[@]:1}",
    "${!n@}",
    "$@",
    "$*",
    "${@:2}",
    "$1",
    "$((n+1))",
    "$((n))",
    "$(:)",
    "$(echo a)",
    "`echo a`",
    "{a,b}",
    "{1..9}",
    "~",
    "a*b",
    "[a-z]?",
    "@(a|b)",
    "\\a",
    "$'a'",
    "'a'",
    "$n+",
];

/// The name and the text of every piece in every place.
pub(crate) fn kinds() -> impl Iterator<Item = (String, Loops)> {
    PLACES.iter().flat_map(|&(before, behind)| {
        PIECES.iter().map(move |&piece| (format!("{before}{piece}{behind} in rounds"), Loops { before, piece, behind }))
    })
}

/// Loops around one command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loops {
    before: &'static str,
    piece: &'static str,
    behind: &'static str,
}

impl Loops {
    pub(crate) fn of_length(self, bytes: usize) -> String {
        let long = "a".repeat(LONG);
        let before = format!("x={long};{BEFORE}for i in {{1..90}}; do for j in {{1..90}}; do {}", self.before);
        filled(before, self.piece, format!("{}; done; done", self.behind), bytes)
    }
}
