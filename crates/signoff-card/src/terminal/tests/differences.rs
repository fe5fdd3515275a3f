//! Cards with the difference between a file and what it would become, and with the tree of what would be lost.

use insta::assert_snapshot;
use signoff_model::{
    Basis, Change, Comparison, DiffLine, Difference, EffectKind, Hunk, LineEnd, Loss, LostFile, Preview, Reversible,
    Risk, Scope, Side, Spared, SparedExtent, Stock, Tally, Target, ThingKind,
};
use unicode_width::UnicodeWidthStr;

use super::Sketch;
use crate::{Detail, Language};

/// Lines written as in a unified diff; a backslash at the end of one says that no line break follows.
fn hunk(start: u64, lines: &[&str]) -> Hunk {
    let line = |line: &&str| {
        let (sign, text) = line.split_at(1);
        let side = match sign {
            "-" => Side::Old,
            "+" => Side::New,
            _ => Side::Both,
        };
        match text.strip_suffix('\\') {
            Some(text) => DiffLine { side, text: text.to_owned(), end: LineEnd::Text },
            None => DiffLine { side, text: text.to_owned(), end: LineEnd::Break },
        }
    };
    Hunk { old_start: start, new_start: start, lines: lines.iter().map(line).collect() }
}

fn change(path: &str, basis: Basis, hunks: Vec<Hunk>) -> Change {
    let count = |side| hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.side == side).count() as u64;
    let (added, removed) = (count(Side::New), count(Side::Old));
    Change { path: path.into(), comparison: Comparison::Lines(Difference { basis, hunks, added, removed }) }
}

fn file(path: &str, bytes: u64) -> Loss {
    Loss {
        path: path.into(),
        kind: ThingKind::File,
        stock: Stock { lost: Tally { files: 1, bytes }, ..Stock::default() },
        lost: vec![LostFile { below: String::new(), bytes }],
        spared: Vec::new(),
        complete: true,
    }
}

fn overwrite(changes: Vec<Change>) -> Sketch {
    let mut sketch = Sketch::new("write notes.txt")
        .effect(
            "notes.txt",
            EffectKind::Overwrite,
            Target::Path("notes.txt".into()),
            Scope::Project,
            Reversible::WithBackup,
        )
        .reason("notes.txt", "overwrite-lost", Risk::Medium, "notes.txt");
    sketch.assessment.preview = Some(Preview { losses: vec![file("notes.txt", 412)], changes, complete: true });
    sketch
}

fn edited() -> Sketch {
    overwrite(vec![change(
        "notes.txt",
        Basis::File,
        vec![
            hunk(
                8,
                &[" [server]", "-port = 80", "+port = 8080  ", "+host = \"аpple.example\"", " # \u{202e}end", "  "],
            ),
            hunk(120, &[" last", "-\tmode = \"safe\"", "+\tmode = \"fast and with a value that is rather long\"\\"]),
        ],
    )])
}

#[test]
fn a_difference_is_shown_line_by_line() {
    assert_snapshot!(edited().painted(80, Language::English, Detail::Brief), @r#"
    ask   write notes.txt                                                risk medium
                ─────────
      overwrites  notes.txt                                a backup could restore it
      in all      1 file, 412 B
                  notes.txt  412 B                         old text NOT in git: lost
      differs     notes.txt  +3 -2
                    8   [server]
                    9 - port = 80
                    9 + port = 8080··
                   10 + host = "‹U+0430›pple.example"
                   10   # ‹U+202E›end
                   11
                    ⋮
                  120   last
                  121 - ⇥mode = "safe"
                  121 + ⇥mode = "fast and with a value that is rather long"
                        no line break at the end
      why         overwrite-lost: replaces notes.txt, which git cannot bring back
    "#);
    assert_snapshot!(edited().painted(80, Language::Chinese, Detail::Brief), @r#"
    询问  write notes.txt                                                     中风险
                ─────────
      覆盖  notes.txt                                      备份可以恢复
      合计  1 个文件、412 B
            notes.txt  412 B                               原内容不在 git 中：将丢失
      差异  notes.txt  +3 -2
              8   [server]
              9 - port = 80
              9 + port = 8080··
             10 + host = "‹U+0430›pple.example"
             10   # ‹U+202E›end
             11
              ⋮
            120   last
            121 - ⇥mode = "safe"
            121 + ⇥mode = "fast and with a value that is rather long"
                  末尾没有换行符
      原因  overwrite-lost：覆盖 notes.txt，git 无法恢复它
    "#);
    assert_snapshot!(edited().painted(44, Language::English, Detail::Brief), @r#"
    ask   risk medium
          write notes.txt
                ─────────
      overwrites  notes.txt
                  a backup could restore it
      in all      1 file, 412 B
                  notes.txt  412 B
                  old text NOT in git: lost
      differs     notes.txt  +3 -2
                    8   [server]
                    9 - port = 80
                    9 + port = 8080··
                   10 + host = "‹U+0430›pple.exa
                        mple"
                   10   # ‹U+202E›end
                   11
                    ⋮
                  120   last
                  121 - ⇥mode = "safe"
                  121 + ⇥mode = "fast and with a
                         value that is rather lo
                        ng"
                        no line break at the end
      why         overwrite-lost: replaces
                  notes.txt, which git cannot
                  bring back
    "#);
    assert_snapshot!(edited().painted(44, Language::Chinese, Detail::Brief), @r#"
    询问  中风险
          write notes.txt
                ─────────
      覆盖  notes.txt
            备份可以恢复
      合计  1 个文件、412 B
            notes.txt  412 B
            原内容不在 git 中：将丢失
      差异  notes.txt  +3 -2
              8   [server]
              9 - port = 80
              9 + port = 8080··
             10 + host = "‹U+0430›pple.example"
             10   # ‹U+202E›end
             11
              ⋮
            120   last
            121 - ⇥mode = "safe"
            121 + ⇥mode = "fast and with a value
                   that is rather long"
                  末尾没有换行符
      原因  overwrite-lost：覆盖 notes.txt，git
            无法恢复它
    "#);
}

#[test]
fn a_long_difference_is_cut_and_says_so() {
    let lines: Vec<String> = (1..=200).map(|n| format!("+line {n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let sketch = overwrite(vec![change("notes.txt", Basis::Nothing, vec![hunk(1, &lines)])]);
    let brief = sketch.painted(80, Language::English, Detail::Brief);
    assert!(brief.lines().count() < 25, "{brief}");
    let end: Vec<&str> = brief.lines().skip(18).collect();
    assert_snapshot!(end.join("\n"), @"
                 13 + line 13
                 14 + line 14
                 15 + line 15
                 16 + line 16
                184 more lines: show everything (--full)
    why         overwrite-lost: replaces notes.txt, which git cannot bring back
    ");
    let full = sketch.painted(80, Language::English, Detail::Full);
    assert!((1..=200).all(|n| full.contains(&format!("{n:>3} + line {n}"))) && !full.contains("--full"), "{full}");
    assert!(sketch.painted(80, Language::Chinese, Detail::Brief).contains("另有 184 行：全部显示（--full）"));
}

#[test]
fn what_cannot_be_compared_says_why() {
    let changes = [
        Comparison::Same,
        Comparison::Binary,
        Comparison::TooLarge,
        Comparison::Unreadable,
        Comparison::Secret,
        Comparison::TooMany,
    ]
    .map(|comparison| Change { path: format!("dir/{}", comparison.name()), comparison });
    let parts = [0, 3].map(|found| change("part", Basis::Part { found }, vec![hunk(1, &["-a", "+b"])]));
    let sketch = overwrite(changes.into_iter().chain(parts).collect());
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Full), @"
    ask   write notes.txt                                                risk medium
                ─────────
      overwrites  notes.txt                                a backup could restore it
      in all      1 file, 412 B
                  notes.txt  412 B                         NOT in git: lost for good
      differs     dir/same: nothing differs
                  dir/binary: no text, so no difference can be shown
                  dir/too_large: longer than 1 MiB, the difference is not shown
                  dir/unreadable: could not be read, or changes right now
                  dir/secret: holds secrets, the difference is not shown
                  dir/too_many: not compared, there are too many files
                  part: the part to be replaced is not in it  +1 -1
                  1 - a
                  1 + b
      differs     part: the part to be replaced stands 3 times in it; which is meant
                  is not known  +1 -1
                  1 - a
                  1 + b
      why         overwrite-lost: replaces notes.txt, which git cannot bring back
    ");
    assert_snapshot!(sketch.painted(80, Language::Chinese, Detail::Full), @"
    询问  write notes.txt                                                     中风险
                ─────────
      覆盖  notes.txt                                        备份可以恢复
      合计  1 个文件、412 B
            notes.txt  412 B                                 不在 git 中：将永久丢失
      差异  dir/same：没有差异
            dir/binary：不是文本，无法显示差异
            dir/too_large：超过 1 MiB，不显示差异
            dir/unreadable：无法读取，或正在变化
            dir/secret：含有机密，不显示差异
            dir/too_many：文件过多，未作比较
            part：其中没有要替换的内容  +1 -1
            1 - a
            1 + b
      差异  part：要替换的内容在其中出现 3 次，无法确定是哪一处  +1 -1
            1 - a
            1 + b
      原因  overwrite-lost：覆盖 notes.txt，git 无法恢复它
    ");
    assert!(sketch.painted(80, Language::English, Detail::Brief).contains("4 more, --full lists them"));
}

fn tree() -> Sketch {
    let tally = |files, bytes| Tally { files, bytes };
    let lost = |below: &str, bytes| LostFile { below: below.to_owned(), bytes };
    let spared = |below: &str, extent, stock| Spared { below: below.to_owned(), extent, stock };
    let built = Stock { rebuilt: tally(200, 3_000_000), ..Stock::default() };
    let mut sketch = Sketch::new("rm -rf data docs")
        .effect("data", EffectKind::Delete, Target::Path("data".into()), Scope::Project, Reversible::No)
        .reason("data", "delete-data", Risk::High, "data");
    let data = Loss {
        path: "data".into(),
        kind: ThingKind::Directory,
        stock: Stock {
            git: tally(3, 27),
            rebuilt: built.rebuilt,
            lost: tally(14, 812_030),
            directories: 5,
            ..Stock::default()
        },
        lost: vec![lost("customers/2026/april.csv", 412_000), lost("customers/2026/march.csv", 400_000), lost("n", 30)],
        spared: vec![
            spared("cache", SparedExtent::Whole, built),
            spared("", SparedExtent::Beside, Stock { git: tally(3, 27), ..Stock::default() }),
        ],
        complete: true,
    };
    let docs = Loss {
        path: "docs".into(),
        kind: ThingKind::Directory,
        stock: Stock { git: tally(4, 99), directories: 1, ..Stock::default() },
        lost: Vec::new(),
        spared: vec![spared("", SparedExtent::Whole, Stock { git: tally(4, 99), ..Stock::default() })],
        complete: true,
    };
    sketch.assessment.preview = Some(Preview { losses: vec![docs, data], changes: Vec::new(), complete: true });
    sketch
}

#[test]
fn what_is_lost_is_a_tree_and_comes_first() {
    assert_snapshot!(tree().painted(80, Language::English, Detail::Full), @"
    ask   rm -rf data docs                                                 risk high
                 ────
      deletes  data                                    cannot be undone
      in all   6 directories, 221 files, 3.8 MB
               data/  4 directories, 217 files,        14 of 217 files lost for good
               3.8 MB
                 lost for good:
                   customers/2026/
                     april.csv  412 kB
                     march.csv  400 kB
                   n  30 B
                   and 11 more that would be lost; `find` lists them
                 comes back:
                   cache/  200 files, 3.0 MB           a build makes it again
                   3 files here, 27 B                  git can restore it
               docs/  4 files, 99 B                    git can restore it
      why      delete-data: deletes data that no build brings back: data
    ");
    assert_snapshot!(tree().painted(80, Language::Chinese, Detail::Full), @"
    询问  rm -rf data docs                                                    高风险
                 ────
      删除  data                                             无法撤销
      合计  6 个目录、221 个文件、3.8 MB
            data/  4 个目录、217 个文件、3.8 MB              14/217 个文件将永久丢失
              将永久丢失：
                customers/2026/
                  april.csv  412 kB
                  march.csv  400 kB
                n  30 B
                另有 11 个文件将丢失，可用 `find` 列出
              可以恢复：
                cache/  200 个文件、3.0 MB                   构建会重新生成
                此处 3 个文件、27 B                          git 可以恢复
            docs/  4 个文件、99 B                            git 可以恢复
      原因  delete-data：删除无法重新生成的数据：data
    ");
    assert_snapshot!(tree().painted(44, Language::English, Detail::Full), @"
    ask   risk high
          rm -rf data docs
                 ────
      deletes  data
               cannot be undone
      in all   6 directories, 221 files, 3.8 MB
               data/  4 directories, 217 files,
               3.8 MB
               14 of 217 files lost for good
                 lost for good:
                   customers/2026/
                     april.csv  412 kB
                     march.csv  400 kB
                   n  30 B
                   and 11 more that would be
                   lost; `find` lists them
                 comes back:
                   cache/  200 files, 3.0 MB
                   a build makes it again
                   3 files here, 27 B
                   git can restore it
               docs/  4 files, 99 B
               git can restore it
      why      delete-data: deletes data that no
               build brings back: data
    ");
    assert_snapshot!(tree().painted(44, Language::Chinese, Detail::Full), @"
    询问  高风险
          rm -rf data docs
                 ────
      删除  data
            无法撤销
      合计  6 个目录、221 个文件、3.8 MB
            data/  4 个目录、217 个文件、3.8 MB
            14/217 个文件将永久丢失
              将永久丢失：
                customers/2026/
                  april.csv  412 kB
                  march.csv  400 kB
                n  30 B
                另有 11 个文件将丢失，可用
                `find` 列出
              可以恢复：
                cache/  200 个文件、3.0 MB
                构建会重新生成
                此处 3 个文件、27 B
                git 可以恢复
            docs/  4 个文件、99 B
            git 可以恢复
      原因  delete-data：删除无法重新生成的数
            据：data
    ");
}

/// Far down in a tree, and far down in a file.
fn deep() -> Sketch {
    let lines = ["-a line that goes, and is longer than the room that is left for it", "+b"];
    let mut sketch = overwrite(vec![change("notes.txt", Basis::File, vec![hunk(1_048_000, &lines)])]);
    let below = "a/b/".repeat(40) + "the-name-of-a-file";
    let mut loss = file("data", 5);
    loss.kind = ThingKind::Directory;
    loss.lost = vec![LostFile { below, bytes: 5 }, LostFile { below: "a/x".into(), bytes: 5 }];
    let nested = (0..12).map(|depth| LostFile { below: format!("{}x", "n/".repeat(depth)), bytes: 5 });
    loss.lost.extend(nested);
    if let Some(preview) = &mut sketch.assessment.preview {
        preview.losses = vec![loss];
    }
    sketch
}

#[test]
fn no_difference_and_no_tree_is_wider_than_its_terminal() {
    for sketch in [edited, tree, deep] {
        for columns in [30, 44, 59, 60, 80, 120] {
            for language in Language::ALL {
                for detail in [Detail::Brief, Detail::Full] {
                    let painted = sketch().painted(columns, language, detail);
                    let widest = painted.lines().map(UnicodeWidthStr::width).max().unwrap();
                    assert!(widest <= columns, "{columns}: {widest}\n{painted}");
                    assert!(!painted.contains(['\u{202e}', 'а']), "{painted}");
                }
            }
        }
    }
}
