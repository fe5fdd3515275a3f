//! Building, testing, checking: harmless, unless a task deploys or an option brings in foreign code.

pub mod emptied;
mod justfile;
mod launchers;
mod make;
mod makefile;
mod rules;
mod runners;
mod scripts;
mod systems;
pub mod tasks;
#[cfg(test)]
mod tests;

pub use self::{rules::RULES, scripts::cmake_script};
use crate::{
    shell::{Call, Judge, Shell, families::unknown},
    value::Feed,
    words::Words,
};

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "make" | "gmake" | "bmake" | "nmake" | "remake" | "mingw32-make" | "colormake" => make::make,
        "just" => make::just,
        "task" | "go-task" | "rake" | "invoke" | "inv" | "ant" | "grunt" | "gulp" | "mage" | "tox" | "nox"
        | "fastlane" | "jake" | "poe" | "doit" | "scons" | "waf" | "drake" | "thor" | "fab" | "cake" | "psake"
        | "nake" | "phing" | "robo" | "castor" | "pyinvoke" => runners::runner,
        "mvn" | "mvnw" | "mvnd" => systems::maven,
        "gradle" | "gradlew" | "gradlew.bat" => systems::gradle,
        "sbt" | "sbtn" | "mill" | "lein" | "clj" | "clojure" | "bleep" => systems::lisp_and_scala,
        "cmake" => systems::cmake,
        "ninja" | "meson" | "samu" => systems::ninja,
        "bazel" | "bazelisk" | "buck" | "buck2" | "pants" | "plz" => systems::bazel,
        "nx" | "turbo" | "lerna" | "moon" | "wireit" | "lage" => systems::monorepo,
        "npm-run-all" | "npm-run-all2" | "run-s" | "run-p" | "wsrun" => launchers::run_all,
        "start-server-and-test" | "server-test" | "start-test" => launchers::served,
        "cross-env" | "cross-env-shell" | "with-env" => launchers::with_environment,
        "tsc-watch" => launchers::watcher,
        "pio" | "platformio" => launchers::platformio,
        "shx" => launchers::shx,
        "rimraf" | "del-cli" => launchers::rimraf,
        "twine" | "dist" | "cargo-dist" | "flit" | "goreleaser" | "semantic-release" | "changeset" | "np"
        | "release-it" | "standard-version" | "auto" | "bumpp" | "release-please" | "jreleaser" | "vsce" | "ovsx"
        | "web-ext" | "npm-publish" | "bumpversion" | "bump2version" | "bump-my-version" | "pkg-pr-new" | "shipit"
        | "cap" | "mina" | "cz" | "release-plz" | "git-sumi" | "electron-builder" | "electron-forge" | "expo-cli"
        | "snapcraft" => systems::publisher,
        name if HARMLESS.holds(name) => harmless,
        _ => return None,
    })
}

/// Tools that read sources, and write build output, reports or formatted sources.
static HARMLESS: Words<512> = Words::new(
    "tsc webpack vite rollup esbuild parcel swc babel jest vitest mocha ava jasmine karma cypress playwright tap c8 \
     nyc eslint eslint_d prettier stylelint biome oxlint dprint xo standard tslint markdownlint markdownlint-cli2 \
     knip depcheck madge pytest py.test unittest coverage ruff black isort mypy pyright pylint flake8 bandit yapf \
     autopep8 pyflakes pydocstyle vulture autoflake pyupgrade ty basedpyright sphinx-build mkdocs-build phpunit \
     phpstan psalm phpcs phpcbf php-cs-fixer pest rector pint rspec rubocop standardrb minitest reek brakeman \
     sorbet srb erb_lint golangci-lint staticcheck gofmt goimports gofumpt govulncheck gotestsum revive golint \
     mockgen stringer ginkgo shellcheck shfmt hadolint yamllint actionlint zizmor ansible-lint tflint sqlfluff \
     clang-format clang-tidy cppcheck cpplint rustfmt rustc rustdoc clippy-driver gcc g++ cc c++ clang clang++ \
     javac scalac ktlint detekt checkstyle scalafmt hlint ormolu fourmolu ocamlfind dune ocamlformat zig swiftlint \
     swiftformat xcodebuild protoc openapi-generator-cli openapi-generator graphql-codegen typedoc jsdoc tsup \
     unbuild microbundle ncc pkgroll lighthouse size-limit bundlesize storybook start-storybook build-storybook \
     next-build svelte-check vue-tsc astro-check tailwindcss postcss sass lessc uglifyjs terser html-minifier svgo \
     lint-staged codespell typos vale textlint cspell alex lychee djlint taplo ajv spectral stryker mutmut \
     cosmic-ray locust-lint act editorconfig-checker semgrep trivy grype syft snyk osv-scanner checkov tfsec gosec \
     license-checker commitizen ncu npm-check-updates npm-check taze syncpack manypkg publint attw \
     are-the-types-wrong api-extractor dart-format ctest cpack autoconf automake autoreconf libtool pkg-config \
     ccache sccache ld ranlib as nasm yasm asciidoctor bibtex biber doxygen wasm-bindgen trunk tarpaulin \
     elm-test elm-format purs bsb rescript iverilog verilator gcov lcov genhtml gcovr valgrind-report",
);

fn harmless(shell: &mut Shell<'_>, call: &Call) -> Feed {
    unknown::carried::judge(shell, call);
    call.output()
}
