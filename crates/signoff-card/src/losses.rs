//! The rows that say what would be gone, worst first: the heart of a card.

use std::borrow::Cow;

use signoff_model::{Fate, Loss, Preview, Stock, Tally, ThingKind};

use crate::{Detail, Language, Row, RowKind, texts::Texts, visible::visible};

/// How many things get a row of their own, and how many of the lost files in one are named.
const ROWS_AT_MOST: usize = 8;

/// The rows of a preview; none where nothing would go.
pub(crate) fn draw(preview: &Preview, detail: Detail, language: Language) -> Vec<Row> {
    let texts = Texts::of(language);
    let row = |label, text| Row { kind: RowKind::Loss, label, text, note: None };
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
        let note = Some(fate(&loss.stock, texts));
        let counted = match loss.kind {
            ThingKind::Directory => {
                let inside = Stock { directories: loss.stock.directories.saturating_sub(1), ..loss.stock };
                format!("{}/  {}", visible(&loss.path), amount(&inside, texts))
            }
            ThingKind::File | ThingKind::Link | ThingKind::Special => {
                format!("{}  {}", visible(&loss.path), bytes(loss.stock.whole().bytes))
            }
        };
        rows.push(Row { kind: RowKind::Loss, label: "", text: counted, note });
        if detail == Detail::Full && loss.kind == ThingKind::Directory {
            rows.extend(loss.lost.iter().map(|path| row("", format!("  {}", visible(path)))));
            let unnamed = loss.stock.lost.files.saturating_sub(loss.lost.len() as u64);
            if unnamed > 0 {
                rows.push(row("", format!("  {}", texts.more_lost.replace("{}", &unnamed.to_string()))));
            }
        }
    }
    let omitted = losses.len().saturating_sub(shown);
    if omitted > 0 {
        rows.push(Row {
            kind: RowKind::More,
            label: "",
            text: texts.more_rows.replace("{}", &omitted.to_string()),
            note: None,
        });
    }
    if !preview.complete {
        rows.push(row("", texts.not_all_seen.to_owned()));
    }
    rows
}

/// Who could bring it back, in words.
fn fate(stock: &Stock, texts: &Texts) -> Cow<'static, str> {
    let (lost, whole) = (stock.lost.files, stock.whole().files);
    match stock.worst() {
        None => texts.nothing_in_it.into(),
        Some(Fate::Git) => texts.undo_git.into(),
        Some(Fate::Rebuilt) => texts.undo_build.into(),
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
        (number > 0).then(|| if number == 1 { one } else { many }.replace("{}", &number.to_string()))
    };
    let parts = [counted(stock.directories, texts.directories), counted(files, texts.files), Some(bytes(size))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(texts.comma)
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
    use signoff_model::{Loss, Preview, Stock, Tally, ThingKind};

    use super::{bytes, draw};
    use crate::{Detail, Language};

    fn loss(path: &str, kind: ThingKind, stock: Stock) -> Loss {
        Loss { path: path.to_owned(), kind, stock, lost: vec![format!("{path}/a")], complete: true }
    }

    fn rows(preview: &Preview, detail: Detail, language: Language) -> Vec<String> {
        let line = |row: crate::Row| format!("{}|{}|{}", row.label, row.text, row.note.unwrap_or_default());
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
            ],
            complete: true,
        }
    }

    #[test]
    fn what_is_lost_stands_first_and_is_counted() {
        assert_eq!(
            rows(&preview(), Detail::Brief, Language::English),
            [
                "in all|3 directories, 219 files, 3.1 MB|",
                "|mixed/  5 files, 18 B|2 of 5 files lost for good",
                "|notes‹U+202E›  1.2 kB|NOT in git: lost for good",
                "|cache/  212 files, 3.1 MB|a build makes it again",
                "|kept  9 B|git can restore it",
                "|empty/  0 B|nothing in it",
            ]
        );
        assert_eq!(
            rows(&preview(), Detail::Brief, Language::Chinese).first().map(String::as_str),
            Some("合计|3 个目录、219 个文件、3.1 MB|")
        );
    }

    #[test]
    fn nothing_is_left_out_without_saying_so() {
        let losses = (0..20).map(|number| loss(&format!("f{number}"), ThingKind::File, Stock::default())).collect();
        let many = Preview { losses, complete: false };
        let brief = rows(&many, Detail::Brief, Language::English);
        assert_eq!(brief.len(), 11);
        assert!(
            brief.iter().any(|row| row.contains("12 more")) && brief.iter().any(|row| row.contains("not all of it"))
        );
        let full = rows(&preview(), Detail::Full, Language::English);
        assert!(
            full.contains(&"|  mixed/a|".to_owned()) && full.contains(&"|  and 1 more that would be lost|".to_owned()),
            "{full:?}"
        );
        assert_eq!(rows(&Preview::default(), Detail::Brief, Language::English), ["|not all of it could be looked at|"]);
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
