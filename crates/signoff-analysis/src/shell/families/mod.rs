//! What each family of commands does. One module a family; each says by `find` which programs it knows.

pub mod archives;
pub mod builds;
pub mod cloud;
pub mod containers;
pub mod databases;
pub mod desktop;
pub mod editors;
pub mod files;
pub mod filters;
pub mod find;
pub mod forges;
pub mod git;
pub mod hosting;
pub mod infrastructure;
pub mod interpreters;
pub mod kubernetes;
pub mod lexicon;
pub mod migrations;
pub mod network;
pub mod own;
pub mod packages;
pub mod processes;
pub mod secrets;
pub mod system;
pub mod text;
pub mod tool;
pub mod unknown;
pub mod windows;
pub mod wrappers;

use super::machine::Judge;
use crate::rule::Rule;

type Find = fn(&str) -> Option<Judge>;

/// The families in the order in which they are asked.
const FAMILIES: &[(Find, &[&Rule])] = &[
    (filters::find, filters::RULES),
    (wrappers::find, wrappers::RULES),
    (own::find, own::RULES),
    (files::find, files::RULES),
    (find::find, find::RULES),
    (text::find, text::RULES),
    (archives::find, archives::RULES),
    (editors::find, editors::RULES),
    (git::find, git::RULES),
    (forges::find, forges::RULES),
    (packages::find, packages::RULES),
    (builds::find, builds::RULES),
    (containers::find, containers::RULES),
    (kubernetes::find, kubernetes::RULES),
    (infrastructure::find, infrastructure::RULES),
    (cloud::find, cloud::RULES),
    (hosting::find, hosting::RULES),
    (databases::find, databases::RULES),
    (migrations::find, migrations::RULES),
    (system::find, system::RULES),
    (processes::find, processes::RULES),
    (network::find, network::RULES),
    (secrets::find, secrets::RULES),
    (interpreters::find, interpreters::RULES),
    (desktop::find, desktop::RULES),
    (windows::find, windows::RULES),
];

/// The judgement for a program, by its name.
pub fn find(name: &str) -> Option<Judge> {
    FAMILIES.iter().find_map(|(find, _)| find(name))
}

/// The rules of all families.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|(_, rules)| rules.iter().copied()).chain(unknown::RULES.iter().copied())
}

#[cfg(test)]
mod neighbour_tests;
#[cfg(test)]
mod tests;
