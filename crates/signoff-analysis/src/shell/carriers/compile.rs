//! Compilers: what they make of sources that the text has written, or of the project's own.

use signoff_model::Dialect;

use super::{
    super::{Call, Language, Shell, Written, options::strip, run::base_name, scripts::language_of_name},
    stem,
};
use crate::{
    value::{Arg, Feed, Value},
    words::Words,
};

/// Programs that make a program from sources, by any of their names: `gcc-12`, `aarch64-linux-gnu-gcc`, `clang++-15`.
pub(super) fn compiles(name: &str) -> bool {
    static COMPILERS: Words<128> = Words::new(
        "gcc g++ cc c++ clang clang++ tcc icc rustc swiftc gccgo ghc ocamlopt ocamlc ocamlfind javac kotlinc scalac \
         groovyc mcs csc dmd ldc ldc2 gdc nim crystal zig go nvcc emcc c89 c99 cpp fpc dart gfortran ifort ifx flang \
         nvfortran mpicc mpicxx mpic++ mpif90 mpifort icx icpx nvc hipcc cobc gnatmake gnat valac ponyc odin v ld",
    );
    let is_version = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    let bytes = name.as_bytes();
    let end = bytes.iter().rposition(|byte| !is_version(byte)).map_or(0, |last| last + 1);
    let start = bytes.iter().take(end).rposition(|byte| *byte == b'-').map_or(0, |dash| dash + 1);
    let plain = name.get(start..end).unwrap_or_default();
    COMPILERS.holds(name) || plain.len() != name.len() && COMPILERS.holds(plain)
}

impl Shell<'_> {
    /// Remembers what a compiler makes of sources that the text has written.
    pub(super) fn compile(&mut self, call: &Call) {
        let mut source = Feed::none();
        let mut language = None;
        let mut first = None;
        let (mut output, mut directory) = (None, None);
        let mut args = call.args.iter();
        while let Some(arg) = args.next() {
            let text = arg.value.prefix();
            match text {
                "-o" | "--out" | "-out" => output = args.next().cloned(),
                "-d" | "--out-dir" => directory = args.next().cloned(),
                "-x" => language = args.next().and_then(|arg| arg.known()).map(language_of_option).or(language),
                "-" => source = source.then(call.stdin.clone()),
                _ if text.starts_with("-x") && text.len() > 2 => {
                    language = text.get(2..).map(language_of_option);
                }
                _ if text.starts_with("-o") && text.len() > 2 && call.name != "go" => {
                    let ways = ["-out:", "-of=", "-of", "-o:", "-o="];
                    let skipped = ways.iter().find(|way| text.starts_with(**way)).map_or(2, |way| way.len());
                    output = Some(Arg { value: strip(&arg.value, skipped), span: arg.span });
                }
                _ if text.starts_with('-') => {}
                "/dev/stdin" => source = source.then(call.stdin.clone()),
                _ => {
                    let place = self.place(&arg.value);
                    if let Some(Written::Content(feed)) = self.state.written.get(&place.path) {
                        source = source.then(feed.clone());
                        let by_name = language_of_name(base_name(&place.path));
                        language = language.or(Some(by_name).filter(|found| !matches!(found, Language::Shell(_))));
                        first.get_or_insert(place.path.clone());
                    }
                }
            }
        }
        if call.name == "go" && call.has("build") && source.is_none() {
            // `go build` takes what lies in the directory.
            let files = self.state.written.iter().filter_map(|(path, written)| match written {
                Written::Content(feed) if path.ends_with(".go") => Some((path, feed)),
                _ => None,
            });
            let mut files: Vec<(&str, &Feed)> = files.collect();
            files.sort_unstable_by_key(|(path, _)| *path);
            for (path, feed) in files {
                source = source.then(feed.clone());
                first.get_or_insert_with(|| path.to_owned());
                language = Some(Language::Go);
            }
        }
        if source.is_none() {
            return;
        }
        let language = language.unwrap_or(match call.name.as_str() {
            "go" => Language::Go,
            "rustc" => Language::Rust,
            "javac" | "kotlinc" | "scalac" | "groovyc" | "mcs" | "csc" => Language::Java,
            _ => Language::C,
        });
        let runs_at_once = match call.name.as_str() {
            "tcc" | "zig" | "nim" | "crystal" | "go" | "dart" => call.has_any(&["-run", "run", "-r", "eval", "e"]),
            _ => false,
        };
        if runs_at_once {
            self.subshell(|shell| shell.run_feed(language, source, call.span));
            return;
        }
        let name = first.as_deref().map_or("a", base_name);
        let made = match (&output, call.name.as_str()) {
            (Some(output), _) => output.clone(),
            (None, "javac" | "kotlinc" | "scalac" | "groovyc") => Arg::text(format!("{}.class", stem(name)), call.span),
            (None, "mcs" | "csc") => Arg::text(format!("{}.exe", stem(name)), call.span),
            (None, "rustc" | "ghc" | "swiftc" | "go" | "dmd" | "nim" | "crystal" | "fpc") => {
                Arg::text(stem(name), call.span)
            }
            (None, _) => Arg::text("a.out", call.span),
        };
        let made = match directory {
            Some(directory) if output.is_none() => {
                let mut value: Value = directory.value;
                value.push(crate::value::Piece::text("/"));
                value.extend(made.value);
                Arg { value, span: made.span }
            }
            _ => made,
        };
        self.replaces(&made);
        self.remember_written(&made, Written::Compiled(language, source));
    }
}

/// The language that `-x` names.
fn language_of_option(name: &str) -> Language {
    match name {
        "go" => Language::Go,
        "assembler" | "assembler-with-cpp" => Language::Shell(Dialect::Sh),
        _ => Language::C,
    }
}
