//! A program is judged in one place: a second entry for its name would be dead, and nobody would notice.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::{FAMILIES, Find, network, processes, secrets, system, tool, unknown};

/// Every source file of the families.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Every word in the sources that could be the name of a program.
fn words() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shell/families"), &mut files);
    let part = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+' | '/' | '@'));
    files
        .iter()
        .flat_map(|file| fs::read_to_string(file).unwrap().split(part).map(str::to_owned).collect::<Vec<_>>())
        .filter(|word| !word.is_empty() && !word.ends_with('.') && !word.starts_with('-'))
        .collect()
}

#[test]
fn no_name_stands_in_two_tables() {
    let last: Find = |name| tool::find(&unknown::DESCRIPTIONS, name).and_then(|_| super::find("ls"));
    let tables: Vec<Find> = FAMILIES.iter().flat_map(|(tables, _)| tables.iter().copied()).chain([last]).collect();
    let words = words();
    let known = words.iter().filter(|word| tables.iter().any(|find| find(word).is_some())).count();
    assert!(known > 2000, "only {known} names were found in the sources");
    let twice: Vec<String> = words
        .into_iter()
        .filter_map(|word| {
            let claims: Vec<usize> = (0..tables.len()).filter(|at| tables[*at](&word).is_some()).collect();
            (claims.len() > 1).then(|| format!("{word}: tables {claims:?}"))
        })
        .collect();
    assert!(twice.is_empty(), "{} names stand twice:\n{}", twice.len(), twice.join("\n"));
}

fn descriptions() -> impl Iterator<Item = &'static tool::Tools> {
    let others = [&processes::DESCRIPTIONS, &secrets::DESCRIPTIONS, &unknown::DESCRIPTIONS, &unknown::BACKUPS];
    system::DESCRIPTIONS.iter().chain(&network::DESCRIPTIONS).copied().chain(others)
}

/// The marks of a table rule out none of its own names.
#[test]
fn every_name_of_a_table_is_found_in_it() {
    for tools in descriptions() {
        for name in tools.all.iter().flat_map(|tool| tool.names.split_whitespace()) {
            assert!(tool::find(tools, name).is_some(), "{name}");
        }
    }
}

#[test]
fn no_name_is_described_twice() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for name in descriptions().flat_map(|tools| tools.all).flat_map(|tool| tool.names.split_whitespace()) {
        *seen.entry(name).or_default() += 1;
    }
    let twice: Vec<_> = seen.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect();
    assert!(twice.is_empty(), "described twice: {}", twice.join(" "));
}
