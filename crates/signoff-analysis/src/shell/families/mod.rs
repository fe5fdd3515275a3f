//! What each family of commands does. One module a family; each says by `find` which programs it knows.

pub mod archives;
mod backups;
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
pub mod outputs;
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

/// A table of names: what judges the program of this name, if the table has it.
type Find = fn(&str) -> Option<Judge>;

/// The families, each with the tables of names that it asks and the rules that it speaks. No name stands in two tables.
const FAMILIES: &[(&[Find], &[&Rule])] = &[
    (&[filters::find], filters::RULES),
    (wrappers::TABLES, wrappers::RULES),
    (&[own::find], own::RULES),
    (&[files::find], files::RULES),
    (&[find::find], find::RULES),
    (&[text::find], text::RULES),
    (&[archives::find], archives::RULES),
    (&[editors::find], editors::RULES),
    (git::TABLES, git::RULES),
    (&[forges::find], forges::RULES),
    (packages::TABLES, packages::RULES),
    (&[builds::find], builds::RULES),
    (containers::TABLES, containers::RULES),
    (&[kubernetes::find], kubernetes::RULES),
    (&[infrastructure::find], infrastructure::RULES),
    (&[cloud::find], cloud::RULES),
    (&[hosting::find], hosting::RULES),
    (&[databases::find], databases::RULES),
    (migrations::TABLES, migrations::RULES),
    (system::TABLES, system::RULES),
    (processes::TABLES, processes::RULES),
    (network::TABLES, network::RULES),
    (secrets::TABLES, secrets::RULES),
    (&[interpreters::find], interpreters::RULES),
    (&[desktop::find], desktop::RULES),
    (&[windows::find], windows::RULES),
];

/// The judgement for a program, by its name.
pub fn find(name: &str) -> Option<Judge> {
    FAMILIES.iter().find_map(|(tables, _)| first(tables, name))
}

/// The judgement of the first table that knows the name.
fn first(tables: &[Find], name: &str) -> Option<Judge> {
    tables.iter().find_map(|find| find(name))
}

/// The rules of all families.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|(_, rules)| rules.iter().copied()).chain(unknown::RULES.iter().copied())
}

#[cfg(test)]
mod name_tests;
#[cfg(test)]
mod neighbour_tests;
#[cfg(test)]
mod rehearsal_tests;
#[cfg(test)]
mod scratch_tests;
#[cfg(test)]
mod tests;
