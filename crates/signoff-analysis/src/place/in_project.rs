//! What stands at a path of the project, or of anybody else's files.

use signoff_model::Scope;
use smallvec::SmallVec;

use super::{
    components, names,
    nature::{Nature, lower},
};
use crate::facts::Whereabouts;

/// Whether a path in the project lies in what a build makes. Among sources or data a name such as `build` or `reports` says
/// nothing, and names that are only often used so count at the top of the project alone.
fn is_rebuilt_in_project(parts: &[&str]) -> bool {
    const SURE: &[&str] = &[
        "target", "build", "dist", "out", "obj", "coverage", "_build", ".cache", "tmp", "temp", ".tmp", ".temp", "ebin",
    ];
    let Some(at) = parts.iter().position(|part| names::REBUILT_IN_PROJECT.holds(part)) else { return false };
    let before = parts.get(..at).unwrap_or_default();
    let name = parts.get(at).copied().unwrap_or_default();
    if before.iter().any(|part| {
        matches!(*part, "src" | "lib" | "source" | "sources" | "include") || names::DATA_DIRECTORIES.holds(part)
    }) {
        return false;
    }
    SURE.contains(&name) || at == 0 && parts.len() == 1
}

/// Whether what a pattern behind a directory of the project matches is what a build makes: `packages/*/dist`, `*.a`.
pub(super) fn is_rebuilt_behind(directory: &str, pattern: &str, whereabouts: &Whereabouts) -> bool {
    let relative = directory.strip_prefix(whereabouts.project.as_str()).unwrap_or(directory);
    let parts: SmallVec<[&str; 12]> =
        components(relative).chain(components(pattern)).filter(|part| !part.is_empty()).collect();
    is_rebuilt_in_project(&parts)
        || is_rebuilt_pair(&parts)
        || is_linked(&parts)
        || parts.last().is_some_and(|last| is_measured(last))
}

/// Whether two names one behind the other are what a framework keeps for itself, each of which says little alone.
fn is_rebuilt_pair(parts: &[&str]) -> bool {
    parts.windows(2).any(|pair| matches!(pair, ["vendor", "bundle"] | ["var" | "bootstrap", "cache"]))
        || parts.windows(3).any(|three| matches!(three, ["storage", "framework", "cache" | "views"]))
}

/// `.coverage.host.4711.x`, `.coverage.*`: what test runs side by side have measured, until it is combined. Settings have
/// names of their own.
fn is_measured(name: &str) -> bool {
    const SETTINGS: &[&str] = &[".toml", ".yml", ".yaml", ".ini", ".cfg", ".conf", ".py", ".sh", ".md"];
    name.starts_with(".coverage.") && !SETTINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether a path, or what a pattern matches, is what a linker makes, and lies where the project's own files lie.
fn is_linked(parts: &[&str]) -> bool {
    let Some((last, before)) = parts.split_last() else { return false };
    names::LINKED.holds_ending_of(&lower(last))
        && !before.iter().any(|part| {
            part.contains(['*', '?', '[']) || names::FOREIGN.holds(part) || names::DATA_DIRECTORIES.holds(part)
        })
}

/// Whether a path lies among what tests and documents show, where nothing runs.
fn is_sample(path: &str) -> bool {
    components(path).any(|part| matches!(part, "fixtures" | "testdata" | "examples" | "templates" | "docs"))
}

/// Whether a file is the one for production among several of its kind: `settings.prod.json`.
fn is_for_production(name: &str) -> bool {
    // Nearly every name is told by this.
    if !name.as_bytes().windows(4).any(|part| part == b"prod") {
        return false;
    }
    let mut parts = name.split('.');
    // What comes first is the name, and what comes last is the ending.
    parts.next();
    parts.next_back();
    parts.any(|part| matches!(part, "prod" | "production"))
}

/// What stands there, by the names on the way to it.
pub(super) fn in_project(path: &str, scope: Scope, whereabouts: &Whereabouts) -> Nature {
    let relative =
        if scope == Scope::Project { path.strip_prefix(whereabouts.project.as_str()).unwrap_or(path) } else { path };
    let parts: SmallVec<[&str; 12]> = components(relative).filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| names::REBUILT.holds(part)) || is_rebuilt_pair(&parts) {
        return Nature::Rebuilt;
    }
    if names::PIPELINES.holds_part_of(relative) && !is_sample(relative) {
        return Nature::Pipeline;
    }
    // Whatever the last name says, it says nothing else of what a build makes.
    if scope == Scope::Project && is_rebuilt_in_project(&parts) {
        return Nature::Rebuilt;
    }
    let last = parts.last().copied().unwrap_or_default();
    if names::LOCK_FILES.holds(last) {
        return Nature::Rebuilt;
    }
    let lower = lower(last);
    if names::REBUILT_ENDINGS.holds_ending_of(&lower) {
        return Nature::Rebuilt;
    }
    if matches!(
        last,
        "CMakeFiles" | "CMakeCache.txt" | "cmake_install.cmake" | "CTestTestfile.cmake" | ".ninja_deps" | ".ninja_log"
    ) {
        return Nature::Rebuilt;
    }
    let left_over = names::LEFT_OVER.holds_ending_of(&lower) || names::LEFT_OVER_FILES.holds(&lower);
    if scope == Scope::Project && (left_over || is_linked(&parts) || is_measured(last)) {
        return Nature::Rebuilt;
    }
    if scope == Scope::Project && (last.starts_with("cmake-build-") || last.starts_with("bazel-")) {
        return Nature::Rebuilt;
    }
    if scope != Scope::Project && parts.len() >= 3 && matches!(last, "target" | "build" | "dist" | "out") {
        return Nature::Rebuilt;
    }
    if names::IMPORTANT.holds(&lower) || is_for_production(&lower) {
        return Nature::Important;
    }
    if names::DATA_ENDINGS.holds_ending_of(&lower) || parts.iter().any(|part| names::DATA_DIRECTORIES.holds(part)) {
        return Nature::Data;
    }
    if parts.first().is_some_and(|first| names::SOURCES.holds(first)) {
        return Nature::Source;
    }
    Nature::Ordinary
}
