//! What lies in a directory that goes: every file that is lost, as a tree, and then where the rest lies.

use std::collections::BTreeMap;

use signoff_model::{Loss, SparedExtent};

use super::{amount, bytes, fate, row, unbroken};
use crate::{Row, texts::Texts, visible::visible_name};

/// How far each level stands to the right.
const STEP: usize = 2;

/// Deeper than this, names stand no further to the right: there would be no room left for them.
const DEEPEST: usize = 8;

/// The rows below a directory.
pub(super) fn draw(loss: &Loss, texts: &Texts) -> Vec<Row> {
    let mut rows = Vec::new();
    // Where everything has the same fate, the row of the directory has said it.
    let mixed = !loss.lost.is_empty() && !loss.spared.is_empty();
    let depth = if mixed { 2 } else { 1 };
    if mixed {
        rows.push(at(1, row("", texts.lost_heading.to_owned())));
    }
    let mut tree = Directory::default();
    for file in &loss.lost {
        tree.add(&file.below, file.bytes);
    }
    tree.draw(depth, &mut rows);
    let unnamed = loss.stock.lost.files.saturating_sub(loss.lost.len() as u64);
    if unnamed > 0 {
        rows.push(at(depth, row("", texts.more_lost.replace("{}", &unnamed.to_string()))));
    }
    if mixed {
        rows.push(at(1, row("", texts.spared_heading.to_owned())));
        rows.extend(spared(loss, texts));
    }
    rows
}

/// Where the files lie that come back, a row for each directory.
fn spared(loss: &Loss, texts: &Texts) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut told = 0;
    for spared in &loss.spared {
        let stock = &spared.stock;
        told += stock.whole().files;
        let text = match (spared.extent, spared.below.as_str()) {
            (SparedExtent::Beside, "") => {
                let files = stock.whole().files;
                let [one, many] = texts.files_here;
                let counted = if files == 1 { one } else { many }.replace("{}", &files.to_string());
                format!("{counted}{}{}", texts.comma, unbroken(&bytes(stock.whole().bytes)))
            }
            (_, below) => format!("{}/  {}", visible_name(below), amount(stock, texts)),
        };
        rows.push(at(2, Row { note: Some(fate(stock, texts)), ..row("", text) }));
    }
    let whole = loss.stock.whole().files.saturating_sub(loss.stock.lost.files);
    let untold = whole.saturating_sub(told);
    if untold > 0 {
        rows.push(at(2, row("", texts.more_spared.replace("{}", &untold.to_string()))));
    }
    rows
}

fn at(depth: usize, row: Row) -> Row {
    Row { margin: " ".repeat(STEP * depth.min(DEEPEST)), ..row }
}

/// A directory with the files in it that are lost.
#[derive(Default)]
struct Directory<'a> {
    directories: BTreeMap<&'a str, Self>,
    files: Vec<(&'a str, u64)>,
}

impl<'a> Directory<'a> {
    fn add(&mut self, path: &'a str, length: u64) {
        match path.split_once('/') {
            Some((first, rest)) => self.directories.entry(first).or_default().add(rest, length),
            None => self.files.push((path, length)),
        }
    }

    fn draw(&self, depth: usize, rows: &mut Vec<Row>) {
        for (name, directory) in &self.directories {
            let mut name = visible_name(name);
            let mut directory = directory;
            // A way with nothing on it is one name.
            while let (true, Some((next, inner))) = (directory.files.is_empty(), directory.only()) {
                name = format!("{name}/{}", visible_name(next));
                directory = inner;
            }
            rows.push(at(depth, row("", format!("{name}/"))));
            directory.draw(depth + 1, rows);
        }
        let file = |(name, length): &(&str, u64)| {
            at(depth, row("", format!("{}  {}", visible_name(name), unbroken(&bytes(*length)))))
        };
        rows.extend(self.files.iter().map(file));
    }

    /// The only directory in it.
    fn only(&self) -> Option<(&'a str, &Self)> {
        let mut all = self.directories.iter();
        all.next().filter(|_| self.directories.len() == 1).map(|(name, inner)| (*name, inner))
    }
}
