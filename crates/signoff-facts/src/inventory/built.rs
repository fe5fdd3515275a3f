//! What builds make again, as far as a name tells it, and as far as something is there that builds.

use std::{fs, path::Path};

use signoff_analysis::{
    facts::Whereabouts,
    place::{Nature, Place},
};

/// Names that people give to other things as well: by these, something is made again only where something makes it.
const COMMON: &[&str] = &["build", "dist", "out", "target", "obj", "bin", "output", "release", "_build", "public"];

/// What tells how something is built. With a star before it, any file with that ending does.
const MAKERS: &[&str] = &[
    "*akefile",
    "*.mk",
    "Cargo.toml",
    "package.json",
    "deno.json",
    "tsconfig.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    "requirements.txt",
    "CMakeLists.txt",
    "meson.build",
    "configure",
    "configure.ac",
    "BUILD",
    "*.bazel",
    "WORKSPACE",
    "go.mod",
    "pom.xml",
    "build.xml",
    "*.gradle",
    "*.gradle.kts",
    "build.sbt",
    "*.csproj",
    "*.fsproj",
    "*.vbproj",
    "*.vcxproj",
    "*.sln",
    "*.pro",
    "Gemfile",
    "*.gemspec",
    "composer.json",
    "mix.exs",
    "rebar.config",
    "*.cabal",
    "stack.yaml",
    "dune-project",
    "justfile",
    "Justfile",
    ".justfile",
    "Taskfile.yml",
    "Taskfile.yaml",
    "Package.swift",
    "Podfile",
    "*.xcodeproj",
    "pubspec.yaml",
    "build.zig",
    "elm.json",
    "*.nix",
    "SConstruct",
    "wscript",
    "xmake.lua",
    "premake5.lua",
    "platformio.ini",
    "*.ino",
    "book.toml",
    "mkdocs.yml",
    "hugo.toml",
    "_config.yml",
    "Dockerfile",
    "gulpfile.js",
    "Gruntfile.js",
    "vite.config.js",
    "vite.config.ts",
    "webpack.config.js",
    "rollup.config.js",
    "build.sh",
    "build.py",
    "build.rs",
    "build.ps1",
    "conanfile.txt",
    "conanfile.py",
    "latexmkrc",
    ".latexmkrc",
    "*.tex",
    "project.clj",
    "deps.edn",
    "shard.yml",
    "*.nimble",
    "*.rockspec",
    "Earthfile",
    "foundry.toml",
    "hardhat.config.js",
    "truffle.js",
];

/// More names than this are not read to find what builds.
const NAMES_AT_MOST: usize = 4_096;

/// Whether builds are known to make what stands at a path, by its name; by less of a name where git has to agree.
pub(crate) fn is_built(path: &Path, whereabouts: &Whereabouts, git_agrees: bool) -> bool {
    path.to_str().is_some_and(|text| {
        let place = Place::exactly(text.to_owned(), whereabouts);
        match place.nature {
            Nature::Rebuilt => has_maker(path, Path::new(&whereabouts.project)),
            Nature::Cache => true,
            _ => git_agrees && calls_itself_cache(place.file_name()),
        }
    })
}

/// Whether something is there that makes what has a common name: beside it, or above it in the project.
fn has_maker(path: &Path, project: &Path) -> bool {
    let is_common =
        |path: &&Path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| COMMON.contains(&name));
    let inside = path.ancestors().take_while(|above| *above != project);
    // What lies in something with a name of its own is known by that.
    let Some(outermost) = inside.filter(is_common).last() else { return true };
    outermost.ancestors().skip(1).take_while(|above| above.starts_with(project)).any(holds_maker)
}

fn holds_maker(directory: &Path) -> bool {
    let is_maker = |name: &str| {
        MAKERS.iter().any(|maker| match maker.strip_prefix('*') {
            Some(ending) => name.ends_with(ending),
            None => name == *maker,
        })
    };
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.take(NAMES_AT_MOST).flatten().any(|entry| entry.file_name().to_str().is_some_and(is_maker))
}

/// Whether a name has the word in it. Alone it would prove as little as being ignored does.
fn calls_itself_cache(name: &str) -> bool {
    name.split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| word.eq_ignore_ascii_case("cache") || word.eq_ignore_ascii_case("caches"))
}
