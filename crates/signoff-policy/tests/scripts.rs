//! What runs from a file is judged by what the file holds, in the language that its first line or its name says.

mod judging;

use judging::decision;
use signoff_analysis::{
    assess,
    facts::{Facts, FileText, Whereabouts},
};
use signoff_model::{Assessment, Dialect, Operation, ShellCommand};

/// The files that are there, by the end of their path.
struct Files(&'static [(&'static str, &'static str)]);

impl Facts for Files {
    fn text(&self, path: &str) -> FileText {
        let found = self.0.iter().find(|(name, _)| path.ends_with(name));
        found.map_or(FileText::Missing, |(_, text)| match *text {
            "<too large>" => FileText::TooLarge,
            "<unreadable>" => FileText::Unreadable,
            "<binary>" => FileText::Binary,
            text => FileText::Text(text.to_owned()),
        })
    }

    fn follow(&self, _path: &str) -> Option<String> {
        None
    }
}

fn judge(files: &'static [(&'static str, &'static str)], command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    assess(&operation, &Whereabouts::assumed(), &Files(files))
}

/// Each command with the verdict that is wanted, and the rule that must speak if it is not let through.
fn check(files: &'static [(&'static str, &'static str)], cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (wanted, rule, command) in cases {
        let assessment = judge(files, command);
        let found = decision(&assessment).verdict().to_string();
        if found != *wanted
            || !rule.is_empty() && !assessment.reasons.iter().any(|reason| reason.rule.as_str() == *rule)
        {
            wrong.push(format!("{found} for {wanted} {rule}: {command}  {:?}", assessment.reasons));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_first_line_says_the_language() {
    const FILES: &[(&str, &str)] = &[
        ("/py", "#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('src')\n"),
        ("/perl", "#!/usr/bin/perl -w\nsystem('rm', '-rf', 'src');\n"),
        ("/ruby", "#!/usr/bin/env ruby\nrequire 'fileutils'\nFileUtils.rm_rf('src')\n"),
        ("/node", "#!/usr/bin/env node\nrequire('fs').rmSync('src', {recursive: true})\n"),
        ("/php", "#!/usr/bin/php\n<?php system('rm -rf src');\n"),
        ("/lua", "#!/usr/bin/lua5.4\nos.execute('rm -rf src')\n"),
        ("/awk", "#!/usr/bin/awk -f\nBEGIN { system(\"rm -rf src\") }\n"),
        ("/r", "#!/usr/bin/env Rscript\nunlink('src', recursive = TRUE)\n"),
        ("/zsh", "#!/bin/zsh\nrm -rf src\n"),
        ("/sh", "#!/bin/sh\nrm -rf src\n"),
        ("/bash", "#! /bin/bash -e\nrm -rf src\n"),
        ("/pwsh", "#!/usr/bin/env pwsh\nRemove-Item -Recurse src\n"),
        ("/tcl", "#!/usr/bin/tclsh\nfile delete -force src\n"),
        ("/osa", "#!/usr/bin/osascript\ndo shell script \"rm -rf src\"\n"),
        ("/env", "#!/usr/bin/env -S A=1 python3\nimport shutil\nshutil.rmtree('src')\n"),
        ("/plain", "rm -rf src\n"),
        ("/plain.py", "import shutil\nshutil.rmtree('src')\n"),
        ("/plain.zsh", "rm -rf src\n"),
        ("/harmless", "#!/usr/bin/env python3\nprint('rm -rf src')\n"),
        ("/twice", "#!/bin/sh\n./twice\nls\n"),
        ("/large", "<too large>"),
        ("/closed", "<unreadable>"),
        ("/program", "<binary>"),
    ];
    check(
        FILES,
        &[
            ("ask", "delete-tree", "./py"),
            ("ask", "delete-tree", "./perl"),
            ("ask", "delete-tree", "./ruby"),
            ("ask", "delete-tree", "./node"),
            ("ask", "delete-tree", "./php"),
            ("ask", "delete-tree", "./lua"),
            ("ask", "delete-tree", "./awk"),
            ("ask", "delete-tree", "./r"),
            ("ask", "delete-tree", "./zsh"),
            ("ask", "delete-tree", "./sh"),
            ("ask", "delete-tree", "./bash"),
            ("ask", "delete-tree", "./pwsh"),
            ("ask", "delete-tree", "./tcl"),
            ("ask", "delete-tree", "./osa"),
            ("ask", "delete-tree", "./env"),
            ("ask", "delete-tree", "./plain"),
            ("ask", "delete-tree", "./plain.py"),
            ("ask", "delete-tree", "./plain.zsh"),
            ("ask", "delete-tree", "bash plain"),
            ("ask", "delete-tree", "source plain"),
            ("ask", "delete-tree", "python3 plain.py"),
            ("ask", "delete-tree", "uv run plain.py"),
            ("allow", "", "./harmless"),
            ("allow", "", "./twice"),
            ("ask", "opaque-code", "./large"),
            ("ask", "opaque-code", "./closed"),
            ("allow", "", "./program"),
        ],
    );
}

#[test]
fn what_a_manifest_or_recipe_says_decides() {
    const FILES: &[(&str, &str)] = &[
        (
            "/package.json",
            r#"{"scripts": {"say": "echo", "wipe": "rm -rf", "test": "jest", "posttest": "rm -rf src", "build": "tsc"}}"#,
        ),
        (
            "/composer.json",
            r#"{"scripts": {"tidy": ["echo a", "rm -rf src"], "lint": ["phpcs", "phpstan"], "odd": 1}}"#,
        ),
        ("/deno.json", r#"{"tasks": {"tidy": {"command": "rm -rf src"}, "lint": {"command": "deno lint"}}}"#),
        (
            "/Makefile",
            "include other.mk\nX = src\nall:\n\t$(CC) x.c\nwipe:\n\t$(RM) -r ${X}\nnow:\n\techo $(shell rm -rf src)\nodd:\n\techo $$HOME $X\n",
        ),
        (
            "/justfile",
            "set shell := [\"bash\", \"-c\"]\nimport 'other.just'\n[private]\nwipe:\n  rm -rf src\nlint:\n  cargo clippy\n",
        ),
        ("/other.mk", "CFLAGS = -O2\n"),
        ("/other.just", "fmt:\n  cargo fmt\n"),
        ("/wipe.sql", "DROP TABLE users;"),
        ("/look.sql", "SELECT 1;"),
    ];
    check(
        FILES,
        &[
            ("allow", "", "npm run say -- 'a b'"),
            ("ask", "delete-tree", "npm run wipe -- src"),
            ("ask", "delete-unknown", "npm run wipe -- \"$X\""),
            ("ask", "delete-tree", "npm test"),
            ("allow", "", "npm run build"),
            ("ask", "delete-tree", "composer tidy"),
            ("ask", "delete-tree", "composer run-script tidy"),
            ("allow", "", "composer lint"),
            ("allow", "", "composer run odd"),
            ("ask", "delete-tree", "deno task tidy"),
            ("allow", "", "deno task lint"),
            ("allow", "", "make all"),
            ("ask", "delete-tree", "make wipe"),
            ("ask", "delete-tree", "make now"),
            ("allow", "", "make odd"),
            ("ask", "delete-tree", "just wipe"),
            ("allow", "", "just lint"),
            ("ask", "sql-drop", "psql -f wipe.sql"),
            ("allow", "", "psql -f look.sql"),
            ("ask", "sql-drop", "sqlite3 app.db -init wipe.sql"),
            ("ask", "sql-drop", "sqlcmd -i wipe.sql"),
            ("ask", "sql-drop", "mysql -e 'source wipe.sql'"),
        ],
    );
}

#[test]
fn a_manifest_that_cannot_be_read_is_asked_about() {
    const LARGE: &[(&str, &str)] =
        &[("/package.json", "<too large>"), ("/Makefile", "<unreadable>"), ("/justfile", "<too large>")];
    check(
        LARGE,
        &[
            ("ask", "opaque-code", "npm run build"),
            ("ask", "opaque-code", "make all"),
            ("ask", "opaque-code", "just lint"),
        ],
    );
}

#[test]
fn an_alias_of_git_decides() {
    const CONFIG: &[(&str, &str)] = &[(
        "/.gitconfig",
        "[alias]\n\tst = status\n\twipe = \"!rm -rf \\\"src\\\"\"\n\tback = reset --hard\n\ttab = \"!echo a\\tb\\nrm -rf src\"\n",
    )];
    check(
        CONFIG,
        &[
            ("allow", "", "git st"),
            ("ask", "delete-tree", "git wipe"),
            ("ask", "discard-changes", "git back"),
            ("ask", "delete-tree", "git tab"),
        ],
    );
}

#[test]
fn a_file_is_read_whichever_way_it_comes_to_run() {
    const FILES: &[(&str, &str)] = &[
        ("/bad.sh", "#!/bin/sh\nrm -rf ~\n"),
        ("/good.sh", "#!/bin/sh\necho hi\n"),
        ("/swap.sh", "#!/bin/sh\nmr -rf ~\n"),
        ("/bad.py", "import os\nos.system('rm -rf ~')\n"),
        ("/good.py", "print(1)\n"),
        ("/bin/lint", "#!/bin/sh\nrm -rf ~\n"),
        ("/bad.awk", "BEGIN { system(\"rm -rf ~\") }\n"),
        ("/bad.sed", "1e rm -rf ~\n"),
        ("/bad.vim", "!rm -rf ~\n"),
        ("/tools/Makefile.bad", "all:\n\trm -rf ~\n"),
    ];
    check(
        FILES,
        &[
            ("block", "delete-home", "sh < bad.sh"),
            ("block", "delete-home", "cat bad.sh | sh"),
            ("block", "delete-home", "tee /dev/null < bad.sh | bash"),
            ("block", "delete-home", "cp bad.sh x; sh x"),
            ("block", "delete-home", "cp bad.sh /tmp/x && /tmp/x"),
            ("block", "delete-home", "cat bad.sh > x; mv x y; bash y"),
            ("block", "delete-home", "cp good.sh x; cp bad.sh x; ./x"),
            ("block", "delete-home", "sed -i s/mr/rm/ swap.sh; sh swap.sh"),
            ("block", "delete-home", "echo 'echo hi' >> bad.sh; sh bad.sh"),
            ("block", "delete-home", "echo 'echo hi' | tee -a bad.sh; sh bad.sh"),
            ("block", "delete-home", "python3 < bad.py"),
            ("block", "delete-home", "coverage run bad.py"),
            ("block", "delete-home", "uvicorn bad:app"),
            ("block", "delete-home", "PATH=$PWD/bin:$PATH lint src"),
            ("block", "delete-home", "sed -f bad.sed notes.txt"),
            ("block", "delete-home", "vim -es -S bad.vim"),
            ("block", "delete-home", "cp tools/Makefile.bad Makefile; make"),
            ("block", "delete-home", "cp bad.sh good.sh; sh good.sh"),
            ("allow", "", "sh < good.sh"),
            ("allow", "", "cat good.sh | sh"),
            ("allow", "", "cp good.sh bad.sh; sh bad.sh"),
            ("allow", "", "cp good.sh /tmp/x; sh /tmp/x"),
            ("allow", "", "sed -i s/hi/there/ good.sh; sh good.sh"),
            ("allow", "", "echo 'echo more' >> good.sh; sh good.sh"),
            ("allow", "", "python3 < good.py"),
            ("allow", "", "coverage run good.py"),
            ("ask", "opaque-code", "sh < missing.sh"),
            ("ask", "opaque-code", "sed s/a/b/ good.sh | sh"),
            ("ask", "opaque-code", "cat good.sh good.sh | head -3 | sh"),
            ("ask", "opaque-code", "git show HEAD~1:good.sh > /tmp/x; sh /tmp/x"),
            ("ask", "opaque-code", "for f in scripts/*.sh; do sh \"$f\"; done"),
            ("ask", "opaque-code", "bash \"$GITHUB_WORKSPACE/good.sh\""),
        ],
    );
}

#[test]
fn what_is_sourced_stays() {
    const FILES: &[(&str, &str)] = &[
        ("/lib.sh", "wipe() { rm -rf src; }\n"),
        ("/home.sh", "wipe() { rm -rf ~; }\n"),
        ("/ls.sh", "ls() { rm -rf src; }\n"),
        ("/alias.sh", "shopt -s expand_aliases\nalias zz='rm -rf src'\n"),
        ("/root.sh", "cd /\n"),
        ("/name.sh", "DIR=src\nexport OTHER=build\n"),
        ("/trap.sh", "trap 'rm -rf src' EXIT\n"),
        ("/main.sh", "#!/bin/bash\n. ./lib.sh\nwipe\n"),
        ("/circle.sh", ". ./circle.sh\nls\n"),
        (
            "/activate",
            "deactivate() { unset -f deactivate; }\nVIRTUAL_ENV=\"$PWD/.venv\"\nexport VIRTUAL_ENV\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\nexport PATH\n",
        ),
    ];
    check(
        FILES,
        &[
            ("ask", "delete-tree", ". ./lib.sh; wipe"),
            ("ask", "delete-tree", "source lib.sh && wipe"),
            ("ask", "delete-tree", ". ./lib.sh x y; wipe"),
            ("block", "delete-home", ". ./home.sh; wipe"),
            ("ask", "delete-tree", ". ./ls.sh; ls"),
            ("ask", "delete-tree", ". ./alias.sh; zz"),
            ("ask", "", ". ./root.sh; rm -rf build"),
            ("ask", "delete-tree", ". ./name.sh; rm -rf \"$DIR\""),
            ("allow", "", ". ./name.sh; rm -rf \"$OTHER\""),
            ("ask", "delete-tree", ". ./trap.sh; ls"),
            ("ask", "delete-tree", "bash main.sh"),
            ("ask", "delete-tree", "./main.sh"),
            ("allow", "", ". ./lib.sh; ls"),
            ("allow", "", "(. ./ls.sh); ls"),
            ("allow", "", "bash -c '. ./ls.sh'; ls"),
            ("allow", "", ". ./circle.sh"),
            ("allow", "", ". ./activate && pytest -q && deactivate"),
            // It is not there before, and the tool makes it.
            ("allow", "", "python3 -m venv .env && . .env/bin/activate && pip install -r requirements.txt"),
            ("ask", "opaque-code", "python3 -m venv .env && . other/setup.sh"),
        ],
    );
}

#[test]
fn what_code_loads_runs() {
    const FILES: &[(&str, &str)] = &[
        ("/bad.js", "require('fs').rmSync('src', {recursive: true})\n"),
        ("/req.js", "const bad = require('./bad.js')\n"),
        ("/req.mjs", "import './bad.js'\n"),
        (
            "/tools.js",
            "function wipe() { require('fs').rmSync('src', {recursive: true}) }\nfunction say() { console.log(1) }\nmodule.exports = { wipe, say }\n",
        ),
        ("/x.py", "import shutil\nshutil.rmtree('src')\n"),
        ("/imp.py", "import x\n"),
        ("/far.py", "from pkg import imp\n"),
        ("/pkg/imp.py", "from . import deep\n"),
        ("/pkg/deep.py", "import shutil\nshutil.rmtree('src')\n"),
        ("/pkg/__init__.py", ""),
        (
            "/lib.py",
            "import shutil\ndef wipe():\n    shutil.rmtree('src')\ndef count():\n    return 1\nif __name__ == '__main__':\n    wipe()\n",
        ),
        ("/r.rb", "require_relative 'b'\n"),
        ("/b.rb", "require 'fileutils'\nFileUtils.rm_rf('src')\n"),
        ("/p.pl", "require './b.pl';\n"),
        ("/b.pl", "system('rm', '-rf', 'src');\n1;\n"),
        ("/cmd/ok/main.go", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }\n"),
        ("/main.go", "package main\nimport \"os\"\nfunc main() { os.RemoveAll(\"src\") }\n"),
        ("/x.cmake", "execute_process(COMMAND rm -rf src)\n"),
        ("/deploy.sh", "#!/bin/sh\nrm -rf src\n"),
        ("/self.py", "import self\nprint(1)\n"),
    ];
    check(
        FILES,
        &[
            ("ask", "delete-tree", "node req.js"),
            ("ask", "delete-tree", "node req.mjs"),
            ("ask", "delete-tree", "node -e 'require(\"./bad.js\")'"),
            ("ask", "delete-tree", "node -e 'require(\"./tools\").wipe()'"),
            ("allow", "", "node -e 'require(\"./tools\").say()'"),
            ("ask", "delete-tree", "python3 imp.py"),
            ("ask", "delete-tree", "python3 -c 'import x'"),
            ("ask", "delete-tree", "python3 far.py"),
            ("ask", "delete-tree", "python3 -c 'import lib; lib.wipe()'"),
            ("allow", "", "python3 -c 'import lib; print(lib.count())'"),
            ("allow", "", "python3 -c 'from lib import count; print(count())'"),
            ("ask", "delete-tree", "python3 lib.py"),
            ("ask", "delete-tree", "ruby r.rb"),
            ("ask", "delete-tree", "perl p.pl"),
            ("ask", "", "go run main.go"),
            ("ask", "", "go run ."),
            ("allow", "", "go run ./cmd/ok"),
            ("ask", "delete-tree", "cmake -P x.cmake"),
            ("ask", "delete-tree", "npx --no-install ./deploy.sh"),
            ("allow", "", "python3 self.py"),
        ],
    );
}

#[test]
fn a_module_that_cannot_be_read_is_asked_about() {
    const FILES: &[(&str, &str)] = &[
        ("project/large.py", "<too large>"),
        ("project/shut.js", "<unreadable>"),
        ("project/odd.rb", "<binary>"),
        ("project/plain.py", "x = 1\n"),
        ("project/two.py", "def aa():\n    pass\n\ndef bb():\n    __import__('shutil').rmtree('src')\n"),
        ("project/first.py", "from two import aa\naa()\n"),
        ("project/second.py", "from two import bb\nbb()\n"),
    ];
    check(
        FILES,
        &[
            ("ask", "", "python3 -c 'import large'"),
            ("ask", "", "node -e 'require(\"./shut\")'"),
            ("ask", "", "ruby -e 'require \"./odd\"'"),
            ("allow", "", "python3 -c 'import plain, missing, os'"),
            ("ask", "", "python3 -c 'import first, second'"),
        ],
    );
}

#[test]
fn a_source_that_cannot_be_read_is_asked_about() {
    const FILES: &[(&str, &str)] = &[
        ("project/large.go", "<too large>"),
        ("project/plain.go", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }\n"),
    ];
    check(
        FILES,
        &[("ask", "", "go run large.go"), ("allow", "", "go run plain.go"), ("allow", "", "go run missing.go")],
    );
}
