//! Options that name the file or directory which a program makes: compilers, bundlers, generators, reports.
//!
//! What such a program does besides is for its own family to say. Here only the place counts that is written.

use crate::{
    path_effects::Write,
    place::Extent,
    shell::{Call, Shell, families::tool, options::strip},
    value::Arg,
    words::{Words, is_listed},
};

/// Programs with the options that name what they make. Lists are texts, separated by spaces.
#[derive(Debug)]
pub struct Making {
    names: &'static str,
    /// One of these words must be there; without any, the program always does it.
    when: &'static str,
    /// Options that name a file.
    files: &'static str,
    /// Options that name a directory.
    directories: &'static str,
    /// The endings of what it makes by its trade: such a file is made again by the next run, even if it is code.
    made: &'static str,
    /// Where a relative path begins that one of these options names.
    from: From,
    /// Options with values, of a program whose second operand names what it makes.
    second_behind: Option<&'static str>,
}

/// Where a relative path begins.
#[derive(Debug, PartialEq, Eq)]
enum From {
    /// Where the program runs.
    Here,
    /// At a file or a package that the program is given.
    Elsewhere,
}

const NOTHING: Making =
    Making { names: "", when: "", files: "", directories: "", made: "", from: From::Here, second_behind: None };

/// All that is known of one program stands together.
static TABLE: &[Making] = &[
    Making {
        names: "gcc g++ cc c++ clang clang++ tcc icc gfortran gdc nvcc emcc em++ ifort ifx flang nvfortran mpicc mpicxx \
            mpic++ mpif90 mpifort icx icpx nvc hipcc cobc gnatmake valac",
        files: "-o -MF --output",
        directories: "-dumpdir",
        made: "s i ii js",
        ..NOTHING
    },
    Making {
        names: "ld lld ld.lld gold mold as nasm yasm llc opt llvm-as llvm-dis llvm-link zig swiftc ghc ocamlc ocamlopt \
            fpc nim crystal v odin",
        files: "-o -out",
        made: "s ll js",
        ..NOTHING
    },
    Making { names: "ldc2 ldmd2 dmd", files: "-o -of", made: "s ll", ..NOTHING },
    Making { names: "rustc", files: "-o", directories: "--out-dir", made: "s", ..NOTHING },
    Making { names: "rustdoc", directories: "-o --out-dir", ..NOTHING },
    Making { names: "go", when: "build test", files: "-o -coverprofile -cpuprofile -memprofile -trace", ..NOTHING },
    Making { names: "tree", files: "-o", ..NOTHING },
    Making { names: "ctags exuberant-ctags universal-ctags etags gotags", files: "-f -o", ..NOTHING },
    Making {
        names: "esbuild",
        files: "--outfile --metafile",
        directories: "--outdir",
        made: "js mjs cjs css json",
        ..NOTHING
    },
    Making {
        names: "tsc",
        files: "--outFile --tsBuildInfoFile",
        directories: "--outDir --declarationDir",
        made: "js d.ts",
        ..NOTHING
    },
    Making { names: "rollup", files: "-o --file", directories: "-d --dir", made: "js mjs cjs", ..NOTHING },
    Making { names: "webpack", directories: "-o --output-path", ..NOTHING },
    Making { names: "swc babel", files: "-o --out-file", directories: "-d --out-dir", made: "js mjs cjs", ..NOTHING },
    Making { names: "wasm-pack", when: "build", directories: "-d --out-dir", from: From::Elsewhere, ..NOTHING },
    Making { names: "wasm-bindgen", directories: "--out-dir", ..NOTHING },
    Making { names: "uglifyjs terser browserify", files: "-o --output --outfile", made: "js mjs", ..NOTHING },
    Making { names: "tailwindcss postcss", files: "-o --output", directories: "-d --dir", made: "css", ..NOTHING },
    Making {
        names: "pytest py.test",
        files: "--junitxml --junit-xml --html --report-log --csv --resultlog",
        ..NOTHING
    },
    Making {
        names: "coverage",
        when: "xml html json lcov report",
        files: "-o",
        directories: "-d --directory",
        ..NOTHING
    },
    Making { names: "lcov gcovr", files: "-o --output-file --output", ..NOTHING },
    Making { names: "genhtml", directories: "-o --output-directory", ..NOTHING },
    Making { names: "eslint stylelint ruff pylint jshint", files: "-o --output-file --output", ..NOTHING },
    Making { names: "jest vitest", files: "--outputFile --output-file", ..NOTHING },
    Making { names: "git", when: "format-patch", directories: "-o --output-directory", ..NOTHING },
    Making { names: "git", when: "archive diff log show", files: "--output", ..NOTHING },
    Making {
        names: "bison yacc byacc flex lex re2c ragel antlr4",
        files: "-o --output --defines --graph",
        made: "c cc cpp cxx h hh hpp go java",
        ..NOTHING
    },
    Making {
        names: "protoc buf",
        files: "-o --descriptor_set_out --dependency_out",
        directories: "--cpp_out --python_out --java_out --go_out --js_out --ts_out --csharp_out --ruby_out --php_out \
            --kotlin_out --objc_out --grpc_out --go-grpc_out --grpc_python_out --pyi_out",
        ..NOTHING
    },
    Making { names: "dot neato fdp sfdp twopi circo", files: "-o", ..NOTHING },
    Making { names: "xsltproc", files: "-o --output", made: "html xml md txt", ..NOTHING },
    Making {
        names: "asciidoctor asciidoc rst2html",
        files: "-o --out-file",
        directories: "-D --destination-dir",
        made: "html md",
        ..NOTHING
    },
    Making { names: "javac", directories: "-d -s -h", ..NOTHING },
    Making { names: "javadoc kotlinc scalac", files: "-o", directories: "-d", ..NOTHING },
    Making { names: "mmdc", files: "-o --output", ..NOTHING },
    Making { names: "plantuml", directories: "-o -output", from: From::Elsewhere, ..NOTHING },
    Making {
        names: "sass lessc",
        made: "css",
        second_behind: Some("-I --load-path --style -s --include-path"),
        ..NOTHING
    },
    Making {
        names: "objcopy llvm-objcopy",
        second_behind: Some(
            "-I -O -B -j -R -F -K -N -L -W -G --input-target --output-target --only-section --remove-section",
        ),
        ..NOTHING
    },
    Making { names: "xcodebuild", files: "-resultBundlePath", ..NOTHING },
    Making { names: "hyperfine", files: "--export-json --export-csv --export-markdown", ..NOTHING },
    Making { names: "golangci-lint", files: "--out --output.json.path", ..NOTHING },
];

/// The names of the table, for the many programs that are not in it.
static NAMES: Words<512> = Words::new(
    "gcc g++ cc c++ clang clang++ tcc icc gfortran gdc ldc2 nvcc emcc em++ ifort ifx flang nvfortran mpicc mpicxx mpic++ \
    mpif90 mpifort icx icpx nvc hipcc cobc gnatmake valac ldmd2 ld lld ld.lld gold mold as nasm yasm llc opt \
    llvm-as llvm-dis llvm-link dmd zig swiftc ghc ocamlc ocamlopt fpc nim crystal v odin rustc rustdoc go tree ctags \
    exuberant-ctags universal-ctags etags gotags esbuild tsc rollup webpack swc babel wasm-pack wasm-bindgen uglifyjs \
    terser browserify tailwindcss postcss pytest py.test coverage lcov gcovr genhtml eslint stylelint ruff pylint jshint \
    jest vitest git bison yacc byacc flex lex re2c ragel antlr4 protoc buf dot neato fdp sfdp twopi circo xsltproc \
    asciidoctor asciidoc rst2html javac javadoc kotlinc scalac mmdc plantuml xcodebuild hyperfine golangci-lint sass lessc \
    objcopy llvm-objcopy",
);

/// The name in the table for a program: compilers carry the machine before their name and a version behind it.
fn plain_name(name: &str) -> Option<&str> {
    if NAMES.holds(name) {
        return Some(name);
    }
    let version = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let short = name.rsplit_once('-').filter(|(_, last)| version(last)).map_or(name, |(short, _)| short);
    let bare = short.rsplit('-').next().unwrap_or(short);
    [short, bare]
        .into_iter()
        .find(|name| matches!(*name, "gcc" | "g++" | "clang" | "clang++" | "ld" | "as" | "cc" | "c++" | "gfortran"))
}

/// What options may tell a program to make; nothing for most.
pub fn makings(name: &str) -> &'static [Making] {
    let Some(name) = plain_name(name) else { return &[] };
    let names = |row: &Making| is_listed(row.names, name);
    let first = TABLE.iter().position(names).unwrap_or(TABLE.len());
    let (_, rest) = TABLE.split_at(first);
    let (rows, _) = rest.split_at(rest.iter().take_while(|row| names(row)).count());
    rows
}

/// Says what the options of a call make a program write.
pub fn judge(shell: &mut Shell<'_>, call: &Call, makings: &[Making]) {
    if call.asks_for_help() {
        return;
    }
    let given = |list: &str| call.args.iter().any(|arg| arg.known().is_some_and(|text| is_listed(list, text)));
    for row in makings {
        if !row.when.is_empty() && !given(row.when) {
            continue;
        }
        for (at, arg) in call.args.iter().enumerate().take_while(|(_, arg)| !arg.is("--")) {
            if let Some(file) = named(call, at, arg, row.files) {
                make(shell, &file, row);
            } else if let Some(directory) = named(call, at, arg, row.directories)
                && shell.place(&directory.value).extent == Extent::Exact
                && (row.from == From::Here || directory.value.prefix().starts_with('/'))
            {
                shell.write(&directory, Write::New);
            }
        }
        let operands = row.second_behind.map(|values| tool::operands(call, values)).unwrap_or_default();
        if let [_, second] = operands.as_slice()
            && let Some(file) = call.args.get(*second)
        {
            make(shell, file, row);
        }
    }
}

/// The value of the option at a position, if it is one of these.
fn named(call: &Call, at: usize, arg: &Arg, options: &str) -> Option<Arg> {
    let text = arg.value.prefix();
    if !text.starts_with('-') || options.is_empty() {
        return None;
    }
    let behind = |bytes: usize| Arg { value: strip(&arg.value, bytes), span: arg.span };
    if arg.known().is_some_and(|text| is_listed(options, text)) {
        return call.args.get(at + 1).filter(|next| !next.is_option()).cloned();
    }
    if let Some((name, _)) = text.split_once('=').filter(|(name, _)| is_listed(options, name)) {
        return Some(behind(name.len() + 1));
    }
    // Only what is plainly a path is taken for the value of a letter: other options begin with the same letter.
    let (letter, rest) = text.split_at_checked(2)?;
    let is_path = rest.bytes().any(|byte| matches!(byte, b'/' | b'.' | b'~'));
    (is_path && letter != "--" && is_listed(options, letter)).then(|| behind(letter.len()))
}

fn make(shell: &mut Shell<'_>, file: &Arg, row: &Making) {
    let place = shell.place(&file.value);
    // A name that is put together elsewhere is the name of something that is built there.
    if place.extent != Extent::Exact || file.is("-") {
        return;
    }
    // A program has no ending, and may be called like a directory of sources.
    let Some((_, ending)) = place.file_name().split_once('.') else { return shell.write(file, Write::Replace) };
    let last = ending.rsplit('.').next().unwrap_or_default();
    if is_listed(row.made, ending) || is_listed(row.made, last) {
        shell.write(file, Write::Replace);
    } else {
        shell.write_over(file);
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use super::{NAMES, TABLE, makings};
    use crate::{testing::check, words::is_listed};

    #[test]
    fn every_row_is_reached_by_its_names() {
        for name in TABLE.iter().flat_map(|row| row.names.split_whitespace()) {
            assert!(NAMES.holds(name), "{name}");
            let all = TABLE.iter().filter(|row| is_listed(row.names, name)).count();
            assert_eq!(makings(name).len(), all, "{name}");
        }
    }

    #[test]
    fn what_a_program_makes_is_written_there() {
        check(
            Verdict::Ask,
            &[
                "gcc a.c -o src/main.rs",
                "gcc -MMD -MF ~/.bashrc -c a.c",
                "x86_64-linux-gnu-g++-12 a.cc -o ~/.profile",
                "clang -o/etc/hosts a.c",
                "rustc a.rs -o ~/.bashrc",
                "ld -o ~/.zshrc a.o",
                "go build -o ~/.bashrc .",
                "go test -coverprofile=src/main.go ./...",
                "tree -o src/main.rs",
                "ctags -R -f ~/.bashrc",
                "esbuild a.ts --outfile=$HOME/.bashrc",
                "npx esbuild a.ts --outfile=src/main.rs",
                "tsc --outFile ~/.bashrc a.ts",
                "pytest --junitxml=src/main.rs",
                "python -m pytest --junit-xml ~/.bashrc",
                "git format-patch -o ~/.ssh HEAD~1",
                "bison -o src/main.rs a.y",
                "eslint --output-file src/main.ts src",
                "javac -d ~/.ssh A.java",
                "dot -Tpng a.dot -o src/main.rs",
                "wasm-pack build --out-dir ~/.ssh",
                "sass a.scss ~/.bashrc",
                "objcopy -O binary a.o ~/.bashrc",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "gcc a.c -o a",
                "gcc -O2 -Wall a.c b.c -o build/app",
                "gcc -MMD -MF build/a.d -c a.c -o build/a.o",
                "gcc -o /tmp/a a.c",
                "gcc -o \"$out\" a.c",
                "clang++ -std=c++20 x.cc -o x && ./x",
                "rustc --out-dir target/x a.rs",
                "go build -o bin/app ./cmd/app",
                "go test -coverprofile=coverage.out ./...",
                "tree -o tree.txt",
                "ctags -R -f tags",
                "esbuild src/a.ts --bundle --outfile=dist/a.js",
                "tsc --outDir dist",
                "pytest --junitxml=report.xml",
                "git format-patch -o patches HEAD~3",
                "bison -d -o src/parser.c src/parser.y",
                "protoc --go_out=. a.proto",
                "eslint -f json -o eslint.json src",
                "dot -Tsvg a.dot -o a.svg",
                "wasm-pack build crates/web --out-dir ../../www/pkg",
                "sass src/a.scss dist/a.css",
                "objcopy -O binary build/a.elf build/a.bin",
                "objcopy --strip-debug a.o",
            ],
        );
    }
}
