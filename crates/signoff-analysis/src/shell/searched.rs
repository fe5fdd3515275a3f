//! Files that the text has written and a program finds by a name alone: programs on the search path, modules of a
//! language.

use std::rc::Rc;

use signoff_model::{Span, Unread};

use super::{Language, Shell, Written, contents::Variable};
use crate::{
    facts::FileText,
    place::Nature,
    value::{Arg, Feed, Origin, Piece, Value},
};

/// Modules that modules load are read so deep.
const MAX_LOADED_DEPTH: usize = 12;
/// So many modules are read, and so much of them.
const MAX_MODULES: usize = 256;
const MAX_MODULE_BYTES: usize = 1024 * 1024;

impl Shell<'_> {
    /// The path of a program that lies in a directory which the text has put on the search path: one that the text has
    /// made there, or that can be read.
    pub(super) fn on_search_path(&self, name: &str) -> Option<String> {
        if name.is_empty() || name.contains('/') {
            return None;
        }
        self.directories_in("PATH").into_iter().find_map(|directory| {
            let path = crate::place::join(self.cwd(), &format!("{directory}/{name}"))?;
            let made = self.state.written.get(&path).is_some_and(|written| !matches!(written, Written::Tree { .. }));
            let own = self.place(&Value::text(directory.as_str())).scope == signoff_model::Scope::Project;
            let read = || own && matches!(self.facts.text(&path), FileText::Text(_));
            (made || read()).then_some(path)
        })
    }

    /// A path below a directory that a variable from outside names by convention: the root of the project on a build
    /// server, the home of a version manager. Where files can be read, nobody knows that it is there.
    pub(super) fn usual_place(&self, value: &Value) -> Option<Value> {
        const ROOTS: &[&str] = &[
            "GITHUB_WORKSPACE",
            "CI_PROJECT_DIR",
            "TRAVIS_BUILD_DIR",
            "BUILD_SOURCESDIRECTORY",
            "BITBUCKET_CLONE_DIR",
            "CIRCLE_WORKING_DIRECTORY",
            "DRONE_WORKSPACE",
        ];
        const MANAGERS: &[(&str, &str)] = &[
            ("NVM_DIR", ".nvm"),
            ("PYENV_ROOT", ".pyenv"),
            ("RBENV_ROOT", ".rbenv"),
            ("ASDF_DIR", ".asdf"),
            ("ASDF_DATA_DIR", ".asdf"),
            ("SDKMAN_DIR", ".sdkman"),
            ("CARGO_HOME", ".cargo"),
            ("VOLTA_HOME", ".volta"),
            ("CONDA_PREFIX", "miniconda3"),
            ("CONDA", "miniconda3"),
            ("BUN_INSTALL", ".bun"),
            ("DENO_INSTALL", ".deno"),
            ("PNPM_HOME", ".local/share/pnpm"),
            ("ANDROID_HOME", "Android/Sdk"),
            ("ANDROID_SDK_ROOT", "Android/Sdk"),
            ("ANDROID_NDK_HOME", "Android/Sdk/ndk"),
            ("ANDROID_NDK_ROOT", "Android/Sdk/ndk"),
            ("JAVA_HOME", ".jdks/current"),
            ("GOPATH", "go"),
            ("GOROOT", "sdk/go"),
            ("FLUTTER_ROOT", "flutter"),
            ("FLUTTER_HOME", "flutter"),
            ("MAVEN_HOME", ".local/share/maven"),
            ("M2_HOME", ".local/share/maven"),
            ("GRADLE_HOME", ".local/share/gradle"),
            ("CUDA_HOME", "cuda"),
            ("IDF_PATH", "esp/esp-idf"),
            ("ZEPHYR_BASE", "zephyrproject/zephyr"),
            ("EMSDK", "emsdk"),
            ("PICO_SDK_PATH", "pico/pico-sdk"),
            ("VCPKG_ROOT", "vcpkg"),
        ];
        let [Piece::Unknown(first), Piece::Text(rest)] = value.pieces() else { return None };
        if !rest.starts_with('/') || rest.contains("..") {
            return None;
        }
        let in_home = |known: &[(&str, &str)], name: &str| {
            let (_, directory) = known.iter().find(|(known, _)| *known == name)?;
            Some(format!("{}/{directory}", self.whereabouts.home))
        };
        let name = match &*first.origins {
            [Origin::Variable(name)] if !self.state.variables.contains_key(name) => name,
            _ => return None,
        };
        let root =
            if ROOTS.contains(&name.as_str()) { self.whereabouts.project.clone() } else { in_home(MANAGERS, name)? };
        let path = format!("{root}{rest}");
        matches!(self.facts.text(&path), FileText::NotKnown).then(|| Value::text(path))
    }

    /// Whether a script below such a directory is the project's own, or one by which a kit is known to be set up.
    pub(super) fn is_set_up(&self, path: &Value) -> bool {
        const ENDS: &[&str] = &[
            "/nvm.sh",
            "/bash_completion",
            "/export.sh",
            "/zephyr-env.sh",
            "/emsdk_env.sh",
            "/asdf.sh",
            "/asdf.bash",
            "/sdkman-init.sh",
            "/.cargo/env",
            "/profile.d/conda.sh",
            "/profile.d/mamba.sh",
            "/bin/activate",
        ];
        let text = path.known().unwrap_or_default();
        text.starts_with(&self.whereabouts.project)
            || text.contains("/completions/")
            || ENDS.iter().any(|end| text.ends_with(end))
    }

    /// The directories that the text itself has put into a variable such as `PATH`.
    fn directories_in(&self, variable: &str) -> Vec<String> {
        let Some(held) = self.state.variables.get(variable) else { return Vec::new() };
        let values = held.alternatives().iter().flat_map(Variable::elements).collect::<Vec<Value>>();
        let mut all: Vec<String> = Vec::new();
        for value in &values {
            let pieces = value.pieces();
            for (at, piece) in pieces.iter().enumerate() {
                let Piece::Text(text) = piece else { continue };
                let parts: Vec<&str> = text.split(':').collect();
                for (index, part) in parts.iter().enumerate() {
                    // What an unknown part stands before or behind is no whole name of a directory.
                    let cut = index == 0 && at > 0 || index + 1 == parts.len() && at + 1 < pieces.len();
                    let directory = if part.is_empty() && !cut { "." } else { part };
                    if !directory.is_empty() && !cut && !all.iter().any(|known| known == directory) {
                        all.push(directory.to_owned());
                    }
                }
            }
        }
        all
    }

    /// Code imports a module: one that the text has written runs then, and so does one of the project that can be read.
    pub(crate) fn import(&mut self, language: Language, module: &str, span: Span) {
        let readable = self.facts.reads_files();
        if module.is_empty() || self.state.written.len() == 0 && !readable {
            return;
        }
        let mut directories: Vec<String> =
            self.reading.last().and_then(|path| Some(path.rsplit_once('/')?.0.to_owned())).into_iter().collect();
        directories.extend(self.cwd().map(str::to_owned));
        let names = match language {
            Language::Python => {
                directories.extend(self.directories_in("PYTHONPATH"));
                python_files(module)
            }
            Language::JavaScript => script_files(module),
            Language::Ruby => {
                directories.extend(self.directories_in("RUBYLIB"));
                vec![module.to_owned(), format!("{module}.rb"), format!("lib/{module}.rb")]
            }
            Language::Perl => {
                directories.extend(self.directories_in("PERL5LIB"));
                let path = module.replace("::", "/");
                vec![format!("{path}.pm"), format!("lib/{path}.pm"), path]
            }
            Language::Lua => {
                let path = module.replace('.', "/");
                vec![format!("{path}.lua"), format!("{path}/init.lua")]
            }
            _ => return,
        };
        for name in names {
            let paths: Vec<String> = directories
                .iter()
                .filter_map(|directory| crate::place::join(Some(&crate::place::join(self.cwd(), directory)?), &name))
                .collect();
            let written =
                |path: &String| Some((path.clone(), self.state.written.get(path).and_then(Written::content)?));
            if let Some((path, feed)) = paths.iter().find_map(written) {
                self.run_written(language, path, feed, span);
            } else if readable {
                self.run_module(language, &paths, span);
            }
        }
    }

    /// Runs the first of these files that is a module of the project: what of it the loading code names. One that is
    /// there and cannot be read, or is one too many, might do anything.
    fn run_module(&mut self, language: Language, paths: &[String], span: Span) {
        // Code is read several times over; a module is not.
        let loader = self.loaders.last().cloned().unwrap_or_default();
        let again =
            |(by, first, _): &&(Rc<str>, String, usize)| Rc::ptr_eq(by, &loader) && paths.first() == Some(first);
        let again = self.loaded.iter().find(again).and_then(|(.., index)| self.modules.get(*index));
        if let Some((.., found)) = again {
            return self.findings.append(found.clone());
        }
        let own = |path: &&String| {
            let place = self.place(&Value::text(path.as_str()));
            place.scope == signoff_model::Scope::Project && place.nature != Nature::Rebuilt
        };
        let found = paths.iter().filter(own).find_map(|path| match self.facts.text(path) {
            FileText::Missing | FileText::NotKnown => None,
            FileText::Binary if is_picture(path) => None,
            // A directory holds modules and is none.
            FileText::Unreadable if self.facts.names(path).is_some() => None,
            FileText::Text(text) => Some((path.clone(), Some(text))),
            FileText::Binary | FileText::TooLarge | FileText::Unreadable => Some((path.clone(), None)),
        });
        let Some((path, text)) = found else { return };
        let circular = self.reading.contains(&path);
        let Some(text) = text else {
            if !circular {
                self.opaque(Unread::Script(path), span);
            }
            return;
        };
        let runs = crate::code::reachable(language, &text, &loader);
        // A module that is being read is read again if it is now used for something else.
        if circular && self.loaders.iter().any(|being_read| **being_read == *runs || **being_read == *text) {
            return;
        }
        let known = self.modules.iter().enumerate().find(|(_, (known, text, _))| *known == path && *text == runs);
        if let Some((index, (.., found))) = known {
            self.findings.append(found.clone());
            self.loaded.extend(paths.first().map(|first| (loader, first.clone(), index)));
            return;
        }
        let read: usize = self.modules.iter().map(|(_, text, _)| text.len()).sum();
        if self.reading.len() > MAX_LOADED_DEPTH
            || self.modules.len() >= MAX_MODULES
            || read + runs.len() > MAX_MODULE_BYTES
        {
            return self.opaque(Unread::Script(path), span);
        }
        let before = std::mem::take(&mut self.findings);
        self.reading.push(path.clone());
        self.run_code(language, &Arg { value: Value::text(runs.as_str()), span }, Feed::none());
        self.reading.pop();
        let found = std::mem::replace(&mut self.findings, before);
        self.loaded.extend(paths.first().map(|first| (loader, first.clone(), self.modules.len())));
        self.modules.push((path, runs, found.clone()));
        self.findings.append(found);
    }

    /// A program will load a file before anything else: one that the text has written runs then.
    pub(crate) fn run_loaded(&mut self, path: &str, span: Span) {
        if self.state.written.len() == 0 || path.is_empty() {
            return;
        }
        let path = self.place(&Value::text(path)).path.clone();
        if let Some(feed) = self.state.written.get(&path).and_then(Written::content) {
            let language = super::scripts::language_of_name(super::run::base_name(&path));
            self.run_written(language, path, feed, span);
        }
    }

    /// Runs the content of a file that a tool or a module loads, if the text says what is in it or that nobody has seen
    /// it. What a program has printed into it is the tool's own business.
    pub(super) fn run_written(&mut self, language: Language, path: String, feed: Feed, span: Span) {
        let seen = feed.text.is_some() || !feed.alternatives().is_empty();
        if self.reading.contains(&path) || !seen && !feed.is_foreign() {
            return;
        }
        self.reading.push(path);
        self.subshell(|shell| shell.run_feed(language, feed, span));
        self.reading.pop();
    }
}

/// Whether a name is that of something that a page shows, and that no interpreter runs.
fn is_picture(path: &str) -> bool {
    const ENDINGS: &[&str] =
        &["png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "woff", "woff2", "ttf", "mp3", "mp4"];
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// The files that `import a.b` loads.
fn python_files(module: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut path = String::new();
    for part in module.split('.').filter(|part| !part.is_empty()).take(8) {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
        all.push(format!("{path}/__init__.py"));
        all.push(format!("{path}.py"));
    }
    all
}

/// The files that `require('./a')` may load.
fn script_files(module: &str) -> Vec<String> {
    let base = if module.starts_with(['.', '/']) { module.to_owned() } else { format!("node_modules/{module}") };
    ["", ".js", ".cjs", ".mjs", ".ts", "/index.js", "/index.mjs", "/index.ts"]
        .iter()
        .map(|end| format!("{base}{end}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use signoff_model::{Dialect, Operation, ShellCommand, Verdict};

    use crate::{
        facts::{Facts, FileText, Whereabouts},
        testing::{check, verdict},
    };

    /// Ends of paths, and the texts of these files.
    type Contents<'t> = &'t [(&'t str, &'t str)];

    struct Files<'t>(Contents<'t>);

    impl Facts for Files<'_> {
        fn text(&self, path: &str) -> FileText {
            let found = self.0.iter().find(|(name, _)| path.ends_with(name));
            found.map_or(FileText::Missing, |(_, text)| FileText::Text((*text).to_owned()))
        }

        fn follow(&self, _path: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_program_of_a_kit_is_known_by_its_name() {
        check(
            Verdict::Allow,
            &[
                "$ANDROID_HOME/build-tools/34.0.0/aapt dump badging app.apk | head -20",
                "$ANDROID_HOME/platform-tools/adb devices",
                "\"$JAVA_HOME/bin/javac\" -version",
                ". $IDF_PATH/export.sh >/dev/null && idf.py build size",
                "source \"$ZEPHYR_BASE/zephyr-env.sh\"",
                "source $NVM_DIR/nvm.sh && nvm use 20",
                "source \"$GITHUB_WORKSPACE/scripts/x.sh\"",
                "source $CARGO_HOME/env",
                "source $PYENV_ROOT/completions/pyenv.bash",
                "source $CONDA_PREFIX/etc/profile.d/conda.sh",
                ". $EMSDK/emsdk_env.sh",
                "source $SDKMAN_DIR/bin/sdkman-init.sh",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "$FOO/adb devices",
                "$ANDROID_HOME/../x/adb devices",
                "ANDROID_HOME=$(cat x); $ANDROID_HOME/platform-tools/adb devices",
                "$ANDROID_HOME/platform-tools/adb uninstall com.x",
                "source \"$(cat x)/y.sh\"",
                "source $JAVA_HOME/x.sh",
                "source $JAVA_HOME/env",
                "source $ANDROID_HOME/x.sh",
                ". \"$GOPATH/x.sh\"",
            ],
        );
    }

    #[test]
    fn what_a_module_runs_when_it_is_used_is_judged() {
        let cases: &[(&str, Contents<'_>, Verdict)] = &[
            (
                "node -e \"require('./t')()\"",
                &[(
                    "/t.js",
                    "const {execSync} = require('child_process');\nfunction go(){ execSync('rm -rf /etc') }\nmodule.exports = go;\n",
                )],
                Verdict::Block,
            ),
            (
                "node -e \"require('./m').x()\"",
                &[(
                    "/m.js",
                    "const {execSync} = require('child_process');\nfunction go(){ execSync('rm -rf /etc') }\nmodule.exports = { x: go };\n",
                )],
                Verdict::Block,
            ),
            (
                "node -e \"require('./m').used()\"",
                &[(
                    "/m.js",
                    "const {execSync} = require('child_process');\nfunction go(){ execSync('rm -rf /etc') }\nfunction used() { }\nmodule.exports = { used, go };\n",
                )],
                Verdict::Allow,
            ),
            (
                "ruby -e 'require \"./m\"; Foo.new'",
                &[("/m.rb", "class Foo\n  def initialize\n    system('rm -rf /etc')\n  end\nend\n")],
                Verdict::Block,
            ),
            (
                "python3 run.py refresh",
                &[
                    ("/run.py", "from cli import app\napp()\n"),
                    (
                        "/cli.py",
                        "import os, typer\napp = typer.Typer()\n@app.command()\ndef refresh():\n    os.system('rm -rf /etc')\n",
                    ),
                ],
                Verdict::Block,
            ),
            (
                "python3 -c 'import m'",
                &[
                    ("/m.py", "import os\ndef evil():\n    os.system('rm -rf /etc')\nimport n\n"),
                    ("/n.py", "def go():\n    import m\n    m.evil()\ngo()\n"),
                ],
                Verdict::Block,
            ),
            (
                "python3 -c 'import m'",
                &[("/m.py", "import n\ndef a():\n    print(1)\n"), ("/n.py", "import m\ndef b():\n    m.a()\n")],
                Verdict::Allow,
            ),
            ("python3 -c 'import m'", &[("/m.py", "import os\n# x\ros.system('rm -rf /etc')\n")], Verdict::Block),
            (
                "python3 -c 'import m'",
                &[("/m.py", "import os\ndef never():\n    os.system('rm -rf /etc')\n")],
                Verdict::Allow,
            ),
        ];
        for (command, files, expected) in cases {
            let operation = Operation::Shell(ShellCommand { command: (*command).to_owned(), dialect: Dialect::Bash });
            let assessment = crate::assess(&operation, &Whereabouts::assumed(), &Files(files));
            assert_eq!(verdict(&assessment), *expected, "{command} {files:?}: {:?}", assessment.reasons);
        }
    }
}
