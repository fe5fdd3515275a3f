//! What only zsh has: tables that are its functions, aliases and files, and builtins that set variables.
//!
//! What is not followed here makes the names unknown that it could set.

use signoff_model::{Dialect, Unread};

use super::{call::Call, contents::Variable, machine::Shell, written::Written};
use crate::value::{Arg, Feed, Value};

/// Builtins that put something into variables which their arguments name, or into these of their own.
const SETTERS: &[&str] = &[
    "vared",
    "getln",
    "sysread",
    "zparseopts",
    "strftime",
    "zstat",
    "zselect",
    "zformat",
    "zregexparse",
    "zpty",
    "zstyle",
    "pcre_match",
    "zgetattr",
    "zsystem",
    "ztcp",
    "echoti",
    "sysopen",
];

/// What some of them set without being told.
const REPLIES: &[&str] = &["REPLY", "reply", "MATCH", "match"];

impl Shell<'_> {
    /// What zsh does with builtins that other shells do not have, or have with other options.
    pub(super) fn run_zsh_builtin(&mut self, call: &Call) {
        let has = |letter: char| {
            call.args.iter().any(|arg| arg.is_option() && !arg.is("--") && arg.value.prefix().contains(letter))
        };
        let behind = |option: &str| call.args.iter().skip_while(|arg| !arg.is(option)).nth(1);
        match call.name.as_str() {
            // `emulate sh -c text` runs the text.
            "emulate" => {
                if let Some(code) = behind("-c").or_else(|| behind("-Rc")).or_else(|| behind("-Lc")) {
                    let dialect = match call.args.iter().find(|arg| !arg.is_option()).and_then(Arg::known) {
                        Some("zsh") => Dialect::Zsh,
                        Some("sh") => Dialect::Sh,
                        _ => Dialect::Bash,
                    };
                    let code = code.clone();
                    self.run_text(&code, dialect, call.stdin.clone());
                }
            }
            "hash" if !has('d') => {
                for arg in &call.args {
                    if let Some((name, _)) = arg.value.prefix().split_once('=') {
                        let program = super::options::strip(&arg.value, name.len() + 1);
                        self.state.aliases.insert(name.to_owned(), vec![Some(program)]);
                    }
                }
            }
            "print" if has('s') => {
                let words: Vec<Arg> = call.args.iter().filter(|arg| !arg.is_option()).cloned().collect();
                self.remember_command(&words);
            }
            "print" if has('v') => {
                let Some(name) = behind("-v").and_then(Arg::known).map(str::to_owned) else {
                    return self.doubt_names(&call.args);
                };
                let words = call.args.iter().skip_while(|arg| !arg.is("-v")).skip(2);
                let known: Option<Vec<&str>> = words.map(Arg::known).collect();
                match known.map(|words| words.join(" ")).filter(|text| !text.contains(['\\', '%']) && !has('f')) {
                    Some(text) => self.set_variable(&name, Variable::text(Value::text(text)), call.span),
                    None => self.forget(&name),
                }
            }
            "set" if call.args.iter().any(|arg| arg.is("-A") || arg.is("+A")) => {
                let mut rest = call.args.iter().skip_while(|arg| !arg.is("-A") && !arg.is("+A")).skip(1);
                let Some(name) = rest.next() else { return };
                let Some(name) = name.known().map(str::to_owned) else { return };
                let elements = rest.map(|arg| Some(arg.value.clone())).collect();
                self.set_variable(&name, Variable::Array(elements), call.span);
            }
            // Here the letter takes no value: what comes from the other process is read.
            "read" if has('p') => self.doubt_names(&call.args),
            name if SETTERS.contains(&name) => {
                self.doubt_names(&call.args);
                REPLIES.iter().for_each(|name| self.forget(name));
            }
            _ => {}
        }
    }

    /// The names among these arguments may be variables that have any value now.
    fn doubt_names(&mut self, args: &[Arg]) {
        let is_name = |text: &&str| {
            text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        for name in args.iter().filter_map(Arg::known).filter(is_name) {
            self.forget(name);
        }
    }

    /// An element of a table that zsh itself looks into: functions, aliases, programs, files.
    pub(super) fn fill_zsh_table(&mut self, table: &str, key: Option<&str>, values: &[Value]) {
        match table {
            "functions" | "aliases" | "galiases" | "saliases" | "commands" => {
                let Some(key) = key else { return self.opaque(Unread::ProgramName, self.at) };
                self.doubt_ending(key);
                self.state.functions.remove(key);
                self.state.aliases.insert(key, values.iter().cloned().map(Some).collect());
            }
            "mapfile" => {
                let Some(key) = key else { return self.opaque(Unread::ProgramName, self.at) };
                let file = Arg::text(key, self.at);
                self.write_over(&file);
                let held = values.iter().cloned().map(Feed::of).reduce(Feed::or).unwrap_or_default();
                self.remember_written(&file, Written::Content(held));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn zsh_is_read_as_zsh() {
        check(
            Verdict::Block,
            &[
                "zsh -c 'a=(rm -rf ~); $a'",
                "zsh -c 'a=(-rf ~); rm $a'",
                "zsh -c 'a=(rm -rf ~); eval \"$a\"'",
                "zsh -c 'TRAPEXIT() { rm -rf ~ }'",
                "zsh -c 'functions[f]=\"rm -rf ~\"; f'",
                "zsh -c 'functions=(f \"rm -rf ~\"); f'",
                "zsh -c 'aliases[l]=\"rm -rf\"; l ~'",
                "zsh -c 'commands[ls]=/bin/rm; ls -rf ~'",
                "zsh -c 'print -v c rm; $c -rf ~'",
                "zsh -c 'set -A c rm -rf ~; $c'",
                "zsh -c 'emulate sh -c \"rm -rf ~\"'",
                "zsh -c 'hash ls=/bin/rm; ls -rf ~'",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "zsh -c 'TRAPINT() { rm -rf src }; make'",
                "zsh -c 'c=ls; : ${c::=rm}; $c -rf src'",
                "zsh -c 'c=ls; zstyle -s x y c; $c -rf src'",
                "zsh -c 'c=ls; coproc echo rm; read -p c; $c -rf src'",
                "zsh -c 'zmodload zsh/mapfile; mapfile[t.sh]=\"rm -rf src\"; . ./t.sh'",
                "zsh -c 'mapfile[src/main.rs]='",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "zsh -c 'a=(ls -la); $a'",
                "zsh -c 'a=(x y); print -l $a'",
                "zsh -c 'a=(rm -rf src); echo $a'",
                "zsh -c 'emulate -L zsh; ls'",
                "zsh -c 'emulate sh -c \"ls -la\"'",
                "zsh -c 'aliases[l]=\"ls -l\"; l src'",
                "zsh -c 'TRAPEXIT() { echo done }; ls'",
                "zsh -c 'hash -d p=~/projects; ls'",
                "zsh -c 'print -v c ls; $c src'",
                "a=(ls rm); $a",
                "functions[1]='rm -rf src'; ls",
                "hash ls",
            ],
        );
    }
}
