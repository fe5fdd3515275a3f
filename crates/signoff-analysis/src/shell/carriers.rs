//! Files that the text itself writes and a later command runs or translates: the source of a program, the script of a
//! package, a test. A tool that would pass as a build of the project is judged by what the text has put before it.

use signoff_model::Dialect;

use super::{
    Call, Language, Shell, Written,
    run::{base_name, language_of_name},
};
use crate::value::{Arg, Feed, Value};

/// A tool that runs files of the project by their names.
struct Carrier {
    programs: &'static [&'static str],
    /// One of these words must be there; none if the tool always does it.
    verbs: &'static [&'static str],
    /// Beginnings and ends of the names of the files that it runs.
    files: &'static [(&'static str, &'static str)],
}

static CARRIERS: &[Carrier] = &[
    Carrier {
        programs: &["pip", "pip3", "pipx", "uv", "poetry", "pdm", "hatch", "easy_install", "rye", "build"],
        verbs: &["install", "wheel", "develop", "build", "sync", "download", "add"],
        files: &[("setup.py", ""), ("hatch_build.py", ""), ("build.py", "")],
    },
    Carrier {
        programs: &["pytest", "py.test", "tox", "nox", "ward", "nose2", "nosetests", "unittest", "trial"],
        verbs: &[],
        files: &[("conftest.py", ""), ("test_", ".py"), ("", "_test.py"), ("noxfile.py", "")],
    },
    Carrier {
        programs: &["cargo"],
        verbs: &["build", "b", "run", "r", "test", "t", "check", "c", "bench", "clippy", "install", "doc", "nextest"],
        files: &[("build.rs", "")],
    },
    Carrier { programs: &["cargo"], verbs: &["run", "r", "test", "t", "bench", "nextest"], files: &[("", ".rs")] },
    Carrier { programs: &["go"], verbs: &["run", "generate"], files: &[("", ".go")] },
    Carrier { programs: &["go"], verbs: &["test"], files: &[("", "_test.go")] },
    Carrier {
        programs: &["jest", "vitest", "mocha", "ava", "jasmine", "tap", "cypress", "playwright", "karma", "bun"],
        verbs: &[],
        files: &[
            ("", ".test.js"),
            ("", ".test.ts"),
            ("", ".spec.js"),
            ("", ".spec.ts"),
            ("", ".test.mjs"),
            ("", ".test.tsx"),
            ("jest.config.", ""),
            ("jest.setup.", ""),
            ("vitest.config.", ""),
            (".mocharc.", "js"),
            ("playwright.config.", ""),
        ],
    },
    Carrier {
        programs: &[
            "vite",
            "webpack",
            "rollup",
            "eslint",
            "next",
            "nuxt",
            "astro",
            "gulp",
            "grunt",
            "esbuild",
            "parcel",
            "prettier",
            "tailwindcss",
            "postcss",
        ],
        verbs: &[],
        files: &[
            ("vite.config.", ""),
            ("webpack.config.", ""),
            ("rollup.config.", ""),
            ("eslint.config.", ""),
            (".eslintrc.", "js"),
            ("next.config.", ""),
            ("nuxt.config.", ""),
            ("astro.config.", ""),
            ("gulpfile.", ""),
            ("Gruntfile.", ""),
            ("prettier.config.", ""),
            ("tailwind.config.", ""),
            ("postcss.config.", ""),
        ],
    },
    Carrier { programs: &["npm", "pnpm", "yarn"], verbs: &[], files: &[("binding.gyp", ""), (".pnpmfile.cjs", "")] },
    Carrier { programs: &["rake"], verbs: &[], files: &[("Rakefile", "")] },
    Carrier { programs: &["bundle", "bundler", "gem"], verbs: &[], files: &[("Gemfile", ""), ("", ".gemspec")] },
    Carrier { programs: &["rspec"], verbs: &[], files: &[("", "_spec.rb"), ("spec_helper.rb", "")] },
    Carrier { programs: &["gradle", "gradlew"], verbs: &[], files: &[("build.gradle", ""), ("settings.gradle", "")] },
    Carrier { programs: &["cmake", "ctest"], verbs: &[], files: &[("CMakeLists.txt", "")] },
    Carrier { programs: &["scons"], verbs: &[], files: &[("SConstruct", "")] },
    Carrier { programs: &["waf"], verbs: &[], files: &[("wscript", "")] },
    Carrier { programs: &["invoke", "inv", "fab"], verbs: &[], files: &[("tasks.py", ""), ("fabfile.py", "")] },
    Carrier {
        programs: &["git"],
        verbs: &["commit", "merge", "rebase"],
        files: &[("pre-commit", ""), ("commit-msg", ""), ("prepare-commit-msg", ""), ("post-commit", "")],
    },
    Carrier { programs: &["git"], verbs: &["push"], files: &[("pre-push", "")] },
    Carrier { programs: &["git"], verbs: &["checkout", "switch", "clone"], files: &[("post-checkout", "")] },
    Carrier { programs: &["git"], verbs: &["merge", "pull"], files: &[("post-merge", "")] },
    Carrier { programs: &["direnv"], verbs: &["allow", "exec", "reload"], files: &[(".envrc", "")] },
    Carrier { programs: &["configure"], verbs: &[], files: &[("configure", "")] },
];

/// Programs that make a program from sources.
fn compiles(name: &str) -> bool {
    let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    matches!(
        plain.rsplit('-').next().unwrap_or(plain),
        "gcc"
            | "g++"
            | "cc"
            | "c++"
            | "clang"
            | "clang++"
            | "tcc"
            | "icc"
            | "rustc"
            | "swiftc"
            | "gccgo"
            | "ghc"
            | "ocamlopt"
            | "ocamlc"
            | "ocamlfind"
            | "javac"
            | "kotlinc"
            | "scalac"
            | "groovyc"
            | "mcs"
            | "csc"
            | "dmd"
            | "ldc"
            | "gdc"
            | "nim"
            | "crystal"
            | "zig"
            | "go"
            | "nvcc"
            | "emcc"
            | "c89"
            | "c99"
            | "cpp"
            | "fpc"
            | "dart"
    )
}

impl Shell<'_> {
    /// Judges what a command runs of the files that the text has written before, and remembers what it makes of them.
    pub(super) fn run_carried(&mut self, call: &Call) {
        let name = call.name.as_str();
        for carrier in CARRIERS.iter().filter(|carrier| carrier.programs.contains(&name)) {
            if carrier.verbs.is_empty() || call.has_any(carrier.verbs) {
                self.run_files(call, carrier.files);
            }
        }
        match name {
            "dotnet" | "dotnet-script" | "csharp" | "rust-script" | "scala-cli" | "kscript" | "yaegi" | "gorun"
            | "cling" | "root" | "v" | "zig" | "swift" | "cargo-script" => self.run_named(call),
            _ => {}
        }
        match name {
            "java" | "scala" | "kotlin" | "mono" | "dotnet" | "ocamlrun" => self.run_classes(call),
            name if compiles(name) => self.compile(call),
            _ => {}
        }
    }

    /// Runs the written files whose names fit.
    fn run_files(&mut self, call: &Call, files: &[(&str, &str)]) {
        let fits = |path: &str| {
            let name = base_name(path);
            files.iter().any(|(start, end)| {
                name.starts_with(start)
                    && name.ends_with(end)
                    && (!end.is_empty() || start.ends_with('.') || name.trim_end_matches(".kts") == *start)
            })
        };
        let mut found: Vec<String> = self.state.written.keys().filter(|path| fits(path)).cloned().collect();
        found.sort();
        for path in found.into_iter().take(16) {
            let Some(Written::Content(feed)) = self.state.written.get(&path).cloned() else { continue };
            if self.reading.contains(&path) || feed.text.is_none() {
                continue;
            }
            let language = match base_name(&path) {
                "Rakefile" | "Gemfile" => Language::Ruby,
                "SConstruct" | "wscript" => Language::Python,
                "CMakeLists.txt" => {
                    if let Some(text) = feed.known() {
                        super::families::builds::cmake_script(self, &Arg::text(text, call.span));
                    }
                    continue;
                }
                name if name.ends_with(".gemspec") => Language::Ruby,
                name => language_of_name(name),
            };
            self.reading.push(path);
            self.subshell(|shell| shell.run_feed(language, feed, call.span));
            self.reading.pop();
        }
    }

    /// Runs the written files that the command line names.
    fn run_named(&mut self, call: &Call) {
        for arg in call.args.iter().filter(|arg| !arg.is_option()) {
            let path = self.place(&arg.value).path;
            if let Some(Written::Content(feed)) = self.state.written.get(&path).cloned() {
                let language = language_of_name(base_name(&path));
                self.subshell(|shell| shell.run_feed(language, feed, call.span));
            }
        }
    }

    /// `java Name` runs the class that was made from `Name.java` before.
    fn run_classes(&mut self, call: &Call) {
        let names: Vec<&str> = call.args.iter().filter_map(Arg::known).map(base_name).collect();
        let mut found: Vec<(String, Language, Feed)> = Vec::new();
        for (path, written) in self.state.written.iter() {
            if let Written::Compiled(language, source) = written
                && names.iter().any(|name| stem(name) == stem(base_name(path)) || *name == base_name(path))
            {
                found.push((path.clone(), *language, source.clone()));
            }
        }
        found.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        if let Some((_, language, source)) = found.into_iter().next() {
            self.subshell(|shell| shell.run_feed(language, source, call.span));
        }
    }

    /// Remembers what a compiler makes of sources that the text has written.
    fn compile(&mut self, call: &Call) {
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
                    let skipped = if text.starts_with("-out:") { 5 } else { 2 };
                    output = Some(Arg { value: super::options::strip(&arg.value, skipped), span: arg.span });
                }
                _ if text.starts_with('-') => {}
                "/dev/stdin" => source = source.then(call.stdin.clone()),
                _ => {
                    let place = self.place(&arg.value);
                    if let Some(Written::Content(feed)) = self.state.written.get(&place.path) {
                        source = source.then(feed.clone());
                        let by_name = language_of_name(base_name(&place.path));
                        language = language.or(Some(by_name).filter(|found| !matches!(found, Language::Shell(_))));
                        first.get_or_insert(place.path);
                    }
                }
            }
        }
        if call.name == "go" && call.has("build") && source.is_none() {
            // `go build` takes what lies in the directory.
            let found = self.state.written.iter().find_map(|(path, written)| match written {
                Written::Content(feed) if path.ends_with(".go") => Some((path.clone(), feed.clone())),
                _ => None,
            });
            if let Some((path, feed)) = found {
                (source, first, language) = (feed, Some(path), Some(Language::Go));
            }
        }
        if source.is_none() {
            return;
        }
        let language = language.unwrap_or(Language::C);
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
                value.push(crate::value::Piece::Text("/".to_owned()));
                value.extend(made.value);
                Arg { value, span: made.span }
            }
            _ => made,
        };
        self.remember_written(&made, Written::Compiled(language, source));
    }
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The language that `-x` names.
fn language_of_option(name: &str) -> Language {
    match name {
        "go" => Language::Go,
        "assembler" | "assembler-with-cpp" => Language::Shell(Dialect::Sh),
        _ => Language::C,
    }
}
