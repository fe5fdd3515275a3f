//! What stands at a path of the project, or of anybody else's files.

use signoff_model::Scope;

use super::{names, nature::Nature};
use crate::facts::Whereabouts;

/// Whether a path in the project lies in what a build makes. Among sources or data a name such as `build` or `reports` says
/// nothing, and names that are only often used so count at the top of the project alone.
fn is_rebuilt_in_project(parts: &[&str]) -> bool {
    const SURE: &[&str] =
        &["target", "build", "dist", "out", "obj", "coverage", "_build", ".cache", "tmp", "temp", ".tmp", ".temp"];
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

/// Whether a path lies among what tests and documents show, where nothing runs.
fn is_sample(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "fixtures" | "testdata" | "examples" | "templates" | "docs"))
}

/// What stands there, by the names on the way to it.
pub(super) fn in_project(path: &str, scope: Scope, whereabouts: &Whereabouts) -> Nature {
    let relative =
        if scope == Scope::Project { path.strip_prefix(whereabouts.project.as_str()).unwrap_or(path) } else { path };
    let parts: Vec<&str> = relative.split('/').filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| names::REBUILT.holds(part)) || relative.contains("/vendor/bundle") {
        return Nature::Rebuilt;
    }
    if names::PIPELINES.holds_part_of(relative) && !is_sample(relative) {
        return Nature::Pipeline;
    }
    let last = parts.last().copied().unwrap_or_default();
    if names::LOCK_FILES.holds(last) {
        return Nature::Rebuilt;
    }
    let lower = last.to_ascii_lowercase();
    if names::REBUILT_ENDINGS.holds_ending_of(&lower) {
        return Nature::Rebuilt;
    }
    if scope == Scope::Project
        && (is_rebuilt_in_project(&parts) || last.starts_with("cmake-build-") || last.starts_with("bazel-"))
    {
        return Nature::Rebuilt;
    }
    if scope != Scope::Project && parts.len() >= 3 && matches!(last, "target" | "build" | "dist" | "out") {
        return Nature::Rebuilt;
    }
    if names::IMPORTANT.holds(&lower) || lower.contains(".prod.") || lower.contains(".production.") {
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
