use signoff_model::{Assessment, Dialect, Operation, ShellCommand, Verdict};

use crate::{
    facts::{Facts, FileText, Whereabouts},
    testing::{check, verdict},
};

#[test]
fn building_and_testing_is_allowed() {
    check(
        Verdict::Allow,
        &[
            "./gradlew test -Pversion=1 -Denv=prod",
            "./gradlew publish -m",
            "ant -Dname=x compile",
            "fastlane ios test",
            "fastlane ios build_beta",
            "make",
            "make clean",
            "make -j8 all",
            "make -n deploy",
            "make test CC=clang",
            "make install-deps",
            "make print-golangci-lint-version",
            "make PREFIX=/usr/local",
            "just --list",
            "just build",
            "task build",
            "rake test",
            "tox -e py311",
            "cmake -B build -DCMAKE_BUILD_TYPE=Release",
            "cmake --build build --target all",
            "ninja -C build",
            "mvn clean package",
            "mvn install -DskipTests",
            "mvn -B verify",
            "gradle build",
            "./gradlew test",
            "gradle publishToMavenLocal",
            "gradle :app:assembleRelease",
            "gradle tasks",
            "bazel build //...",
            "bazel run //:gazelle",
            "sbt test",
            "sbt publishLocal",
            "nx run-many -t build",
            "turbo run build --filter=web",
            "twine check dist/*",
            "goreleaser build --snapshot",
            "goreleaser release --snapshot --clean",
            "changeset version",
            "pytest -k 'drop_table or delete'",
            "eslint . --fix",
            "prettier --write .",
            "cross-env NODE_ENV=test jest",
            "concurrently 'npm run dev' 'npm run watch'",
            "semantic-release --dry-run",
        ],
    );
}

#[test]
fn deploying_and_destroying_is_asked() {
    check(
        Verdict::Ask,
        &[
            "make deploy ENV=prod",
            "make install",
            "make -C infra destroy",
            "make db-reset",
            "just release",
            "task deploy:staging",
            "rake release",
            "mvn deploy",
            "mvn -B clean deploy -DskipTests",
            "mvn site-deploy",
            "mvn deploy:deploy-file -Dfile=x.jar",
            "mvn release:perform",
            "gradle publish",
            "./gradlew publish",
            "gradle :lib:publishAllPublicationsToCentral",
            "gradle uploadArchives",
            "sbt publishSigned",
            "bazel run //app:deploy",
            "nx run app:deploy",
            "turbo run deploy",
            "lerna publish",
            "nx release",
            "twine upload --repository-url repository_url dist/*",
            "goreleaser release",
            "changeset publish",
            "semantic-release",
            "cmake --install build",
            "make -f /tmp/Makefile",
            "tox -e release",
            "fastlane release",
            "cd ios && bundle exec fastlane beta changelog:'internal build' --verbose",
            "fastlane ios alpha",
            "fastlane android closed_testing",
            "./gradlew publish -Pversion=1.2.3",
            "./gradlew :app:publishReleaseBundle -Denv=prod",
            "./gradlew flywayClean -Denv=prod",
            "./gradlew deploy -Dhost=web1",
            "./gradlew dropAll -P env=production",
            "./gradlew dropAll update -PrunList=main",
            "ant -Dhost=prod deploy",
            "phing -Dhost=x deploy",
        ],
    );
}

/// Ends of paths, and the texts of these files.
type Contents = &'static [(&'static str, &'static str)];

struct Files(Contents);

impl Facts for Files {
    fn text(&self, path: &str) -> FileText {
        let found = self.0.iter().find(|(name, _)| path.ends_with(name));
        found.map_or(FileText::Missing, |(_, text)| FileText::Text((*text).to_owned()))
    }

    fn follow(&self, _path: &str) -> Option<String> {
        None
    }
}

fn with_files(files: Contents, command: &str) -> Assessment {
    let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
    crate::assess(&operation, &Whereabouts::assumed(), &Files(files))
}

#[test]
fn a_recipe_that_can_be_read_decides() {
    let files: &[(&str, &str)] = &[(
        "/Makefile",
        "OUT = build\nall:\n\tcc x.c\nclean:\n\tgit clean -fdx $(OUT)\ntidy: wipe\nwipe:\n\tgit clean -fdx\ndeploy:\n\techo nothing\nagain:\n\t$(MAKE) again\n",
    )];
    for (command, expected) in [
        ("make", Verdict::Allow),
        ("make clean", Verdict::Allow),
        ("make tidy", Verdict::Ask),
        ("make OUT=src clean", Verdict::Ask),
        ("make deploy", Verdict::Allow),
        ("make again", Verdict::Allow),
        ("make CC='git clean -fdx #' all", Verdict::Ask),
    ] {
        let assessment = with_files(files, command);
        assert_eq!(verdict(&assessment), expected, "{command}: {:?}", assessment.reasons);
    }
}

#[test]
fn what_a_makefile_pulls_in_or_runs_by_itself_is_judged() {
    const HARMLESS: &str = "all:\n\tcc x.c\n";
    let cases: &[(Contents, &str, Verdict)] = &[
        (&[("/Makefile", "include inc.mk\n"), ("/inc.mk", "inc:\n\trm -rf ~\n")], "make inc", Verdict::Block),
        (
            &[("/Makefile", "D = mk\n-include $(D)/inc.mk\n"), ("/mk/inc.mk", "inc:\n\tgit clean -fdx\n")],
            "make inc",
            Verdict::Ask,
        ),
        (
            &[("/sub/Makefile", "sinclude inc.mk\n"), ("/sub/inc.mk", "inc:\n\tgit clean -fdx\n")],
            "make -C sub inc",
            Verdict::Ask,
        ),
        (
            &[("/Makefile", "include inc.mk\n"), ("/lib/inc.mk", "inc:\n\tgit clean -fdx\n")],
            "make -I lib inc",
            Verdict::Ask,
        ),
        (
            &[("/Makefile", "include inc.mk\nall:\n\tcc x.c\n"), ("/inc.mk", "OUT = build\n")],
            "make all",
            Verdict::Allow,
        ),
        (&[("/Makefile", "include *.mk\nall:\n\tcc x.c\n")], "make all", Verdict::Ask),
        (&[("/Makefile", "include nowhere.mk\nall:\n\tcc x.c\n")], "make all", Verdict::Ask),
        (&[("/Makefile", "-include nowhere.mk\nall:\n\tcc x.c\n")], "make all", Verdict::Allow),
        (&[("/Makefile", "X := $(shell git clean -fdx)\nall:\n\tcc x.c\n")], "make all", Verdict::Ask),
        (&[("/Makefile", "X := $(shell git clean -fdx)\nall:\n\tcc x.c\n")], "make -n all", Verdict::Ask),
        (&[("/Makefile", "X != git clean -fdx\nall:\n\tcc x.c\n")], "make nothing", Verdict::Ask),
        (&[("/Makefile", "V := $(shell git rev-parse HEAD)\nall:\n\tcc -DV=$(V) x.c\n")], "make", Verdict::Allow),
        (&[("/Makefile", "%:\n\tgit clean -fdx\n")], "make anything", Verdict::Ask),
        (&[("/Makefile", ".DEFAULT:\n\tgit clean -fdx\n")], "make anything", Verdict::Ask),
        (
            &[("/Makefile", "all:\n\t$(MAKE) -f other.mk all\n"), ("/other.mk", "all:\n\tgit clean -fdx\n")],
            "make",
            Verdict::Ask,
        ),
        (&[("/Makefile", "SHELL = ./evil\nall:\n\tcc x.c\n")], "make", Verdict::Ask),
        (&[("/Makefile", HARMLESS)], "make -f /nonexist clean", Verdict::Ask),
        (&[("/Makefile", HARMLESS), ("/b.mk", "b:\n\tgit clean -fdx\n")], "make -f Makefile -f b.mk b", Verdict::Ask),
        (&[("/Makefile", HARMLESS), ("/b.mk", "X := $(shell git clean -fdx)\n")], "MAKEFILES=b.mk make", Verdict::Ask),
        (
            &[(
                "/Makefile",
                "ifeq ($(OS),Windows_NT)\nRM = del\nelse\nRM = rm -f\nendif\nQ = $(if $(V),,@)\nOBJS = $(patsubst %.c,%.o,$(wildcard *.c))\nall: $(OBJS)\n\t$(Q)$(CC) -o app $^\n%.o: %.c\n\t$(Q)$(CC) -c $< -o $@\nclean:\n\t$(RM) *.o\n.PHONY: all clean\n",
            )],
            "make clean all",
            Verdict::Allow,
        ),
        (
            &[("/justfile", "import 'more.just'\n"), ("/more.just", "tidy:\n  git clean -fdx\n")],
            "just tidy",
            Verdict::Ask,
        ),
        (&[("/justfile", "import 'more.just'\nx:\n  ls\n")], "just x", Verdict::Ask),
        (&[("/justfile", "now := `git clean -fdx`\nx:\n  ls\n")], "just x", Verdict::Ask),
        (&[("project/justfile", "up:\n  git clean -fdx\n")], "cd src && just up", Verdict::Ask),
        (&[("/justfile", "run what:\n  {{what}}\n")], "just run 'git clean -fdx'", Verdict::Ask),
        (&[("/justfile", "now := `date`\nx:\n  echo {{now}}\n")], "just x", Verdict::Allow),
    ];
    for (files, command, expected) in cases {
        let assessment = with_files(files, command);
        assert_eq!(verdict(&assessment), *expected, "{command} {files:?}: {:?}", assessment.reasons);
    }
}

#[test]
fn the_files_of_other_runners_are_read_or_named() {
    let cases: &[(Contents, &str, Verdict)] = &[
        (&[("/Rakefile", "task :x do\n  sh 'git clean -fdx'\nend\n")], "rake x", Verdict::Ask),
        (&[("/Rakefile", "task :x do\n  puts 1\nend\n")], "rake x", Verdict::Allow),
        (&[("/tools/r.rb", "task :x do\n  sh 'git clean -fdx'\nend\n")], "rake -f tools/r.rb x", Verdict::Ask),
        (&[("/gulpfile.js", "require('child_process').execSync('git clean -fdx')\n")], "gulp x", Verdict::Ask),
        (&[("/gulpfile.js", "exports.x = () => console.log(1)\n")], "gulp x", Verdict::Allow),
        (&[("/tox.ini", "[testenv]\ncommands =\n    pytest {posargs}\n    git clean -fdx\n")], "tox", Verdict::Ask),
        (
            &[("/tox.ini", "[testenv]\ndeps = pytest\ncommands =\n    pytest {posargs}\n")],
            "tox -e py311",
            Verdict::Allow,
        ),
        (
            &[("/Taskfile.yml", "tasks:\n  x:\n    cmds:\n      - git clean -fdx\n      - cmd: ls\n")],
            "task x",
            Verdict::Ask,
        ),
        (
            &[("/Taskfile.yml", "tasks:\n  x: go test ./...\n  y:\n    cmds:\n      - go build ./...\n")],
            "task x",
            Verdict::Allow,
        ),
        (&[("/Taskfile.yml", "includes:\n  a: ./a\ntasks:\n  x: ls\n")], "task x", Verdict::Ask),
        (
            &[("/Taskfile.yml", "tasks:\n  x:\n    cmds:\n      - |\n        cd .\n        git clean -fdx\n")],
            "task x",
            Verdict::Ask,
        ),
        (&[("/Taskfile.yml", "vars:\n  V:\n    sh: git clean -fdx\ntasks:\n  x: ls\n")], "task x", Verdict::Ask),
        (
            &[("/noxfile.py", "import nox\n@nox.session\ndef t(session):\n    session.run('pytest')\n")],
            "nox -s t",
            Verdict::Ask,
        ),
        (&[("/tasks.py", "@task\ndef x(c):\n    c.run('git clean -fdx')\n")], "invoke x", Verdict::Ask),
        (&[("/turbo.json", "{}")], "turbo run build", Verdict::Ask),
        (&[("/build.xml", "<project/>")], "ant x", Verdict::Ask),
        (&[], "task x", Verdict::Allow),
        (&[], "rake test", Verdict::Allow),
        (&[], "rake -f nowhere.rb test", Verdict::Ask),
        (&[], "task -t nowhere.yml x", Verdict::Ask),
        (&[], "nox -s t", Verdict::Allow),
        (&[], "turbo run build", Verdict::Allow),
        (&[("/Taskfile.yml", "tasks:\n  x:\n    cmds:\n      - git clean -fdx\n")], "task --list", Verdict::Allow),
    ];
    for (files, command, expected) in cases {
        let assessment = with_files(files, command);
        assert_eq!(verdict(&assessment), *expected, "{command} {files:?}: {:?}", assessment.reasons);
    }
}

#[test]
fn functions_of_make_in_variables_run() {
    check(Verdict::Block, &["make CFLAGS='$(shell rm -rf $(HOME))' all", "make 'X=a $(shell rm -rf /) b'"]);
    check(Verdict::Ask, &["make X='$(shell rm -rf src)'", "make X='$(shell echo a)$(shell rm -rf src)'"]);
    check(Verdict::Allow, &["make CFLAGS='-O2 $(shell pkg-config --cflags gtk4)' all", "make X='$(HOME)/x' all"]);
}

#[test]
fn names_in_chinese_and_japanese_say_as_much_as_those_in_english() {
    check(
        Verdict::Ask,
        &[
            "bash 清空数据库.sh",
            "./scripts/删除全部数据.sh",
            "npm run 发布",
            "npm run 重置数据库",
            "make 部署",
            "just 上线",
            "python3 工具/销毁环境.py",
            "bash リセット.sh",
            "npm run clear:database",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "bash 检查.sh",
            "npm run 构建",
            "make 测试",
            "npm run 测试:删除",
            "cat scripts/清空数据库.sh",
            "node test/删除用户.test.js",
            "npm run 格式化",
            "bash clear_cache.sh",
        ],
    );
}
