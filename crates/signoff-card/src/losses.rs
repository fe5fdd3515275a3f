//! The rows that say what would be gone, worst first: the heart of a card.

mod tree;

use std::borrow::Cow;

use signoff_model::{Fate, Loss, Preview, Stock, Tally, ThingKind};

use crate::{Detail, Language, Row, RowKind, texts::Texts, visible::visible_name};

/// How many things get a row of their own, and how many of the lost files in one are named.
const ROWS_AT_MOST: usize = 8;

/// The rows of a preview; none where nothing would go.
pub(crate) fn draw(preview: &Preview, detail: Detail, language: Language) -> Vec<Row> {
    let texts = Texts::of(language);
    let mut rows = Vec::new();
    if !preview.losses.is_empty() {
        rows.push(row(texts.in_all, amount(&preview.stock(), texts)));
    }
    let mut losses: Vec<&Loss> = preview.losses.iter().collect();
    losses.sort_by_key(|loss| std::cmp::Reverse(loss.stock.worst()));
    let shown = match detail {
        Detail::Brief => ROWS_AT_MOST,
        Detail::Full => usize::MAX,
    };
    for loss in losses.iter().take(shown) {
        // Of a file that is written anew it is the old text that goes, as far as it differs.
        let is_rewritten = preview.changes.iter().any(|change| change.path == loss.path);
        let note = Some(match loss.stock.worst() {
            Some(Fate::Lost) if is_rewritten => texts.old_text_lost.into(),
            _ => fate(&loss.stock, texts),
        });
        let counted = match loss.kind {
            ThingKind::Directory => {
                let inside = Stock { directories: loss.stock.directories.saturating_sub(1), ..loss.stock };
                format!("{}/  {}", visible_name(&loss.path), amount(&inside, texts))
            }
            ThingKind::File | ThingKind::Link | ThingKind::Special => {
                format!("{}  {}", visible_name(&loss.path), unbroken(&bytes(loss.stock.whole().bytes)))
            }
        };
        rows.push(Row { note, ..row("", counted) });
        if detail == Detail::Full && loss.kind == ThingKind::Directory {
            rows.extend(tree::draw(loss, texts));
        }
    }
    let omitted = losses.len().saturating_sub(shown);
    if omitted > 0 {
        rows.push(Row { kind: RowKind::More, ..row("", texts.more_rows.replace("{}", &omitted.to_string())) });
    }
    if !preview.complete {
        rows.push(row("", texts.not_all_seen.to_owned()));
    }
    rows
}

fn row(label: &'static str, text: String) -> Row {
    Row { kind: RowKind::Loss, label: label.into(), margin: String::new(), text, note: None }
}

/// Who could bring it back, in words.
fn fate(stock: &Stock, texts: &Texts) -> Cow<'static, str> {
    let (lost, whole) = (stock.lost.files, stock.whole().files);
    match stock.worst() {
        None => texts.nothing_in_it.into(),
        Some(Fate::Git) => texts.undo_git.into(),
        Some(Fate::Rebuilt) => texts.undo_build.into(),
        Some(Fate::Linked) => texts.stays_linked.into(),
        Some(Fate::Lost) if lost == whole => texts.lost_for_good.into(),
        Some(Fate::Lost) => {
            let [before, between, behind] = texts.lost_in_part;
            format!("{before}{lost}{between}{whole}{behind}").into()
        }
    }
}

/// Directories, files and bytes, as far as there are any.
fn amount(stock: &Stock, texts: &Texts) -> String {
    let Tally { files, bytes: size } = stock.whole();
    let counted = |number: u64, [one, many]: [&str; 2]| {
        (number > 0).then(|| unbroken(&if number == 1 { one } else { many }.replace("{}", &number.to_string())))
    };
    let size = unbroken(&bytes(size));
    let parts = [counted(stock.directories, texts.directories), counted(files, texts.files), Some(size)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(texts.comma)
}

/// A number and its unit, which stay on one line.
fn unbroken(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// A length as people say it.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if number < 1000 {
        return format!("{number} B");
    }
    let mut tenths = number / 100;
    let mut unit = UNITS.iter();
    let mut name = unit.next().copied().unwrap_or_default();
    while tenths >= 10_000 {
        tenths /= 1000;
        name = unit.next().copied().unwrap_or(name);
    }
    if tenths < 100 { format!("{}.{} {name}", tenths / 10, tenths % 10) } else { format!("{} {name}", tenths / 10) }
}

#[cfg(test)]
mod tests {
    use signoff_model::{Loss, LostFile, Preview, Spared, SparedExtent, Stock, Tally, ThingKind};

    use super::{bytes, draw};
    use crate::{Detail, Language};

    fn loss(path: &str, kind: ThingKind, stock: Stock) -> Loss {
        let lost = vec![LostFile { below: "a".into(), bytes: 5 }];
        Loss { path: path.to_owned(), kind, stock, lost, spared: Vec::new(), complete: true }
    }

    fn rows(preview: &Preview, detail: Detail, language: Language) -> Vec<String> {
        let line = |row: crate::Row| {
            let text = row.text.replace('\u{a0}', " ");
            format!("{}|{}{text}|{}", row.label, row.margin, row.note.unwrap_or_default())
        };
        draw(preview, detail, language).into_iter().map(line).collect()
    }

    fn preview() -> Preview {
        let tally = |files, bytes| Tally { files, bytes };
        Preview {
            losses: vec![
                loss(
                    "cache",
                    ThingKind::Directory,
                    Stock { rebuilt: tally(212, 3_100_000), directories: 1, ..Stock::default() },
                ),
                loss("kept", ThingKind::File, Stock { git: tally(1, 9), ..Stock::default() }),
                loss(
                    "mixed",
                    ThingKind::Directory,
                    Stock { git: tally(3, 9), lost: tally(2, 9), directories: 1, ..Stock::default() },
                ),
                loss("notes\u{202e}", ThingKind::File, Stock { lost: tally(1, 1234), ..Stock::default() }),
                loss("empty", ThingKind::Directory, Stock { directories: 1, ..Stock::default() }),
                loss("linked", ThingKind::File, Stock { linked: tally(1, 7), ..Stock::default() }),
            ],
            changes: Vec::new(),
            complete: true,
        }
    }

    #[test]
    fn what_is_lost_stands_first_and_is_counted() {
        assert_eq!(
            rows(&preview(), Detail::Brief, Language::English),
            [
                "in all|3 directories, 220 files, 3.1 MB|",
                "|mixed/  5 files, 18 B|2 of 5 files lost for good",
                "|notes‹U+202E›  1.2 kB|NOT in git: lost for good",
                "|linked  7 B|stays under another name (hard link)",
                "|cache/  212 files, 3.1 MB|a build makes it again",
                "|kept  9 B|git can restore it",
                "|empty/  0 B|nothing in it",
            ]
        );
        assert_eq!(
            rows(&preview(), Detail::Brief, Language::Chinese).first().map(String::as_str),
            Some("合计|3 个目录、220 个文件、3.1 MB|")
        );
    }

    #[test]
    fn nothing_is_left_out_without_saying_so() {
        let losses = (0..20).map(|number| loss(&format!("f{number}"), ThingKind::File, Stock::default())).collect();
        let many = Preview { losses, changes: Vec::new(), complete: false };
        let brief = rows(&many, Detail::Brief, Language::English);
        assert_eq!(brief.len(), 11);
        assert!(
            brief.iter().any(|row| row.contains("12 more")) && brief.iter().any(|row| row.contains("not all of it"))
        );
        let full = rows(&preview(), Detail::Full, Language::English);
        assert!(
            full.contains(&"|  a  5 B|".to_owned())
                && full.contains(&"|  and 1 more that would be lost; `find` lists them|".to_owned()),
            "{full:?}"
        );
        assert_eq!(rows(&Preview::default(), Detail::Brief, Language::English), ["|not all of it could be looked at|"]);
    }

    #[test]
    fn everything_that_is_lost_stands_in_a_tree_before_the_rest() {
        let tally = |files, bytes| Tally { files, bytes };
        let lost = |below: &str, bytes| LostFile { below: below.to_owned(), bytes };
        let spared = |below: &str, extent, stock| Spared { below: below.to_owned(), extent, stock };
        let git = |files| Stock { git: tally(files, 9), ..Stock::default() };
        let loss = Loss {
            path: "data".into(),
            kind: ThingKind::Directory,
            stock: Stock {
                git: tally(7, 27),
                rebuilt: tally(200, 3_000_000),
                lost: tally(5, 1032),
                directories: 7,
                ..Stock::default()
            },
            lost: vec![
                lost("a\u{202e}.csv", 9),
                lost("deep/er/one", 9),
                lost("deep/er/two", 9),
                lost("raw/x.csv", 1000),
                lost("z", 5),
            ],
            spared: vec![
                spared("", SparedExtent::Beside, git(1)),
                spared("cache", SparedExtent::Whole, Stock { rebuilt: tally(200, 3_000_000), ..Stock::default() }),
                spared("raw", SparedExtent::Beside, git(2)),
            ],
            complete: true,
        };
        let preview = Preview { losses: vec![loss], changes: Vec::new(), complete: true };
        assert_eq!(
            rows(&preview, Detail::Full, Language::English),
            [
                "in all|7 directories, 212 files, 3.0 MB|",
                "|data/  6 directories, 212 files, 3.0 MB|5 of 212 files lost for good",
                "|  lost for good:|",
                "|    deep/er/|",
                "|      one  9 B|",
                "|      two  9 B|",
                "|    raw/|",
                "|      x.csv  1.0 kB|",
                "|    a‹U+202E›.csv  9 B|",
                "|    z  5 B|",
                "|  comes back:|",
                "|    1 file here, 9 B|git can restore it",
                "|    cache/  200 files, 3.0 MB|a build makes it again",
                "|    raw/  2 files, 9 B|git can restore it",
                "|    and 4 more files|",
            ]
        );
        assert_eq!(rows(&preview, Detail::Brief, Language::English).len(), 2);
    }

    #[test]
    fn lengths_are_said_as_people_say_them() {
        for (number, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (1234, "1.2 kB"),
            (99_949, "99 kB"),
            (999_999, "999 kB"),
            (1_000_000, "1.0 MB"),
            (3_149_999, "3.1 MB"),
            (u64::MAX, "18 EB"),
        ] {
            assert_eq!(bytes(number), expected, "{number}");
        }
    }
}
