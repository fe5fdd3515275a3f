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
        ],
    );
}

struct Files(&'static [(&'static str, &'static str)]);

impl Facts for Files {
    fn text(&self, path: &str) -> FileText {
        let found = self.0.iter().find(|(name, _)| path.ends_with(name));
        found.map_or(FileText::Missing, |(_, text)| FileText::Text((*text).to_owned()))
    }

    fn follow(&self, _path: &str) -> Option<String> {
        None
    }
}

fn with_files(files: &'static [(&'static str, &'static str)], command: &str) -> Assessment {
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
