mod differences;

use insta::assert_snapshot;
use signoff_model::{
    Alternative, Assessment, Choice, Coverage, Decision, Dialect, Effect, EffectKind, Gap, Operation, Reason, Refs,
    Reversible, Risk, RuleId, Scope, ShellCommand, Span, Target, Unread, WarningLevel,
};
use unicode_width::UnicodeWidthStr;

use super::{Colour, paint};
use crate::{Card, Detail, Language};

/// An assessment of a command, built up part by part. Parts of the command are named by their text.
struct Sketch {
    command: String,
    assessment: Assessment,
    decision: Decision,
}

impl Sketch {
    fn new(command: &str) -> Self {
        Self { command: command.to_owned(), assessment: Assessment::default(), decision: Decision::ExecuteDirectly }
    }

    fn span(&self, part: &str) -> Span {
        let start = self.command.find(part).unwrap_or_else(|| panic!("no {part:?} in {:?}", self.command));
        Span::new(start, start + part.len())
    }

    fn effect(mut self, part: &str, kind: EffectKind, target: Target, scope: Scope, reversible: Reversible) -> Self {
        let span = self.span(part);
        self.assessment.effects.push(Effect { kind, target, scope, reversible, span });
        self
    }

    fn reason(mut self, part: &str, rule: &'static str, risk: Risk, subject: &str) -> Self {
        let span = self.span(part);
        let message = format!("says {rule} about {subject}");
        self.assessment.reasons.push(Reason { rule: RuleId::new(rule), message, subject: subject.into(), risk, span });
        self.assessment.risk = self.assessment.risk.max(risk);
        self.decision = Decision::RequireConfirmation { reason: String::new(), warning_level: WarningLevel::of(risk) };
        self
    }

    fn safer(mut self, command: &str) -> Self {
        self.assessment.safer.push(Alternative { command: command.to_owned() });
        self
    }

    fn gap(mut self, part: &str, what: &str) -> Self {
        let gap = Gap { what: Unread::Part(what.to_owned()), span: self.span(part) };
        match &mut self.assessment.coverage {
            Coverage::Partial(gaps) => gaps.push(gap),
            full @ Coverage::Full => *full = Coverage::Partial(vec![gap]),
        }
        self
    }

    fn decided(mut self, decision: Decision) -> Self {
        self.decision = decision;
        self
    }

    fn painted(&self, columns: usize, language: Language, detail: Detail) -> String {
        let operation = Operation::Shell(ShellCommand { command: self.command.clone(), dialect: Dialect::Bash });
        let card = Card::draw(&operation, &self.assessment, &self.decision.clone().into(), language, detail);
        paint(&card, columns, Colour::Off)
    }
}

fn clean_up_and_push() -> Sketch {
    Sketch::new(r#"cd /srv && find . -name "*.log" | xargs rm -rf && git push -f origin main"#)
        .effect("find .", EffectKind::Read, Target::Path("/srv".into()), Scope::Outside, Reversible::Yes)
        .effect(
            "xargs rm -rf",
            EffectKind::Delete,
            Target::Listed { by: "find".into(), under: "/srv".into() },
            Scope::Outside,
            Reversible::No,
        )
        .effect(
            "git push -f origin main",
            EffectKind::HistoryRewrite,
            Target::Ref { name: Refs::Named("main".into()), remote: Some("origin".into()) },
            Scope::Remote,
            Reversible::No,
        )
        .reason("xargs rm -rf", "bulk-delete", Risk::High, "/srv")
        .reason("git push -f origin main", "force-push", Risk::High, "main")
        .safer("git push --force-with-lease origin main")
}

#[test]
fn the_example_of_the_readme() {
    assert_snapshot!(clean_up_and_push().painted(100, Language::English, Detail::Brief), @r#"
    ask   cd /srv && find . -name "*.log" | xargs rm -rf && git push -f origin main            risk high
                                            ────────────    ───────────────────────
      deletes   whatever find lists under /srv, outside this project          cannot be undone
      rewrites  branch main on origin                                         cannot be undone from here
      why       bulk-delete: deletes whatever find lists under /srv
                force-push: replaces the history of main for everybody
      safer     git push --force-with-lease origin main
    "#);
}

#[test]
fn the_same_in_chinese() {
    assert_snapshot!(clean_up_and_push().painted(100, Language::Chinese, Detail::Brief), @r#"
    询问  cd /srv && find . -name "*.log" | xargs rm -rf && git push -f origin main               高风险
                                            ────────────    ───────────────────────
      删除    find 在 /srv 下列出的一切，在本项目之外                                     无法撤销
      改写    分支 main（origin）                                                         无法从这里撤销
      原因    bulk-delete：删除 find 在 /srv 下列出的一切
              force-push：强制改写共享的 main 的历史
      更安全  git push --force-with-lease origin main
    "#);
}

#[test]
fn the_same_on_a_narrow_screen() {
    assert_snapshot!(clean_up_and_push().painted(40, Language::English, Detail::Brief), @r#"
    ask   risk high
          cd /srv && find . -name "*.log" |
          xargs rm -rf && git push -f
          ────────────    ───────────
          origin main
          ───────────
      deletes   whatever find lists under
                /srv, outside this project
                cannot be undone
      rewrites  branch main on origin
                cannot be undone from here
      why       bulk-delete: deletes
                whatever find lists under
                /srv
                force-push: replaces the
                history of main for
                everybody
      safer     git push --force-with-lease
                origin main
    "#);
    assert_snapshot!(clean_up_and_push().painted(40, Language::Chinese, Detail::Brief), @r#"
    询问  高风险
          cd /srv && find . -name "*.log" |
          xargs rm -rf && git push -f
          ────────────    ───────────
          origin main
          ───────────
      删除    find 在 /srv 下列出的一切，在
              本项目之外
              无法撤销
      改写    分支 main（origin）
              无法从这里撤销
      原因    bulk-delete：删除 find 在 /srv
              下列出的一切
              force-push：强制改写共享的
              main 的历史
      更安全  git push --force-with-lease
              origin main
    "#);
}

#[test]
fn in_full_every_rule_says_its_words() {
    // Rules that do not exist say what the reason says, so that the test stays as it is when a rule changes its words.
    let sketch = Sketch::new("rm -rf src && git gc")
        .effect("src", EffectKind::Delete, Target::Path("src".into()), Scope::Project, Reversible::No)
        .reason("src", "first-rule", Risk::High, "src")
        .reason("git gc", "second-rule", Risk::Medium, "the store");
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Full), @"
    ask   rm -rf src && git gc                                             risk high
                 ───    ──────
      deletes  src                                                  cannot be undone
      why      first-rule: says first-rule about src
               second-rule: says second-rule about the store
    ");
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @"
    ask   rm -rf src && git gc                                             risk high
                 ───    ──────
      deletes  src                                                  cannot be undone
      why      first-rule: says first-rule about src
               second-rule: says second-rule about the store
    ");
}

#[test]
fn a_rule_speaks_the_language_of_the_card() {
    let sketch = Sketch::new("rm -rf src").reason("src", "delete-tree", Risk::High, "src");
    let rule = signoff_analysis::rule::find("delete-tree").unwrap();
    for (language, template) in [(Language::English, rule.en), (Language::Chinese, rule.zh)] {
        let painted = sketch.painted(80, language, Detail::Full);
        assert!(painted.contains(&template.replace("{}", "src")), "{painted}");
    }
}

#[test]
fn something_harmless_takes_one_line() {
    assert_snapshot!(Sketch::new("cargo test").painted(80, Language::English, Detail::Brief), @"allow cargo test                                                       risk none");
}

#[test]
fn reads_are_told_only_where_there_is_nothing_else() {
    let reading = Sketch::new("cat a.txt b.txt")
        .effect("a.txt", EffectKind::Read, Target::Path("a.txt".into()), Scope::Project, Reversible::Yes)
        .effect("b.txt", EffectKind::Read, Target::Path("b.txt".into()), Scope::Project, Reversible::Yes);
    assert_snapshot!(reading.painted(80, Language::English, Detail::Brief), @"
    allow cat a.txt b.txt                                                  risk none
      reads  a.txt, b.txt
    ");
}

#[test]
fn deceptive_characters_are_made_visible_wherever_they_stand() {
    let sketch = Sketch::new("rm -rf \u{202e}crs\u{202c} # \x1b[2J rеset")
        .effect(
            "\u{202e}crs\u{202c}",
            EffectKind::Delete,
            Target::Path("\u{202e}crs\u{202c}".into()),
            Scope::Project,
            Reversible::Unknown,
        )
        .reason("\u{202e}crs\u{202c}", "some-rule", Risk::High, "turned \u{202e} around")
        .safer("ls \u{202e}");
    let painted = sketch.painted(80, Language::English, Detail::Brief);
    assert!(!painted.contains(['\u{202e}', '\u{202c}', '\x1b', 'е']));
    assert_snapshot!(painted, @"
    ask   rm -rf ‹U+202E›crs‹U+202C› # ‹U+001B›[2J r‹U+0435›set            risk high
                 ───────────────────
      deletes  ‹U+202E›crs‹U+202C›                              may be lost for good
      why      some-rule: says some-rule about turned ‹U+202E› around
      safer    ls ‹U+202E›
    ");
}

#[test]
fn several_lines_are_numbered() {
    let sketch = Sketch::new("set -e\nfor d in a b; do\n\trm -rf \"$d\"\ndone\n")
        .effect("rm -rf \"$d\"", EffectKind::Delete, Target::Unresolved("$d".into()), Scope::Unknown, Reversible::No)
        .reason("rm -rf \"$d\"", "delete-unknown", Risk::High, "$d");
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @r#"
    ask   1 │ set -e                                                       risk high
          2 │ for d in a b; do
          3 │ ⇥rm -rf "$d"
            │  ───────────
          4 │ done
      deletes  $d, known only when it runs                          cannot be undone
      why      delete-unknown: deletes $d, and what that is cannot be known from the
               text
    "#);
}

#[test]
fn a_reason_about_many_lines_stands_in_the_margin() {
    let body = "python3 - <<'E'\nimport os\nimport shutil\nshutil.rmtree(os.environ['D'])\nE";
    let sketch = Sketch::new(&format!("echo start\n{body}\necho done"))
        .effect(body, EffectKind::Opaque, Target::Named("python3".into()), Scope::Unknown, Reversible::Unknown)
        .reason(body, "opaque-code", Risk::Medium, "python3")
        .gap(body, "a program for python3");
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @"
    ask   1 │ echo start                                                 risk medium
          2 ┃ python3 - <<'E'
          3 ┃ import os
          4 ┃ import shutil
          5 ┃ shutil.rmtree(os.environ['D'])
          6 ┃ E
          7 │ echo done
      runs    something that cannot be read from here: python3
      why     opaque-code
      unread  a program for python3
    ");
}

#[test]
fn a_long_line_is_broken_and_nothing_is_lost() {
    let files: Vec<String> = (1..=30).map(|n| format!("src/module_{n}.rs")).collect();
    let command = format!("rm {} && echo ok", files.join(" "));
    let mut sketch = Sketch::new(&command).reason(&command, "some-rule", Risk::Medium, "src/module_1.rs");
    for file in &files {
        sketch =
            sketch.effect(file, EffectKind::Delete, Target::Path(file.clone()), Scope::Project, Reversible::WithGit);
    }
    let painted = sketch.painted(80, Language::English, Detail::Brief);
    for file in &files {
        assert!(painted.contains(file.as_str()), "{file} is lost");
    }
    assert!(painted.lines().all(|line| line.width() <= 80));
    let table: Vec<&str> = painted.lines().skip_while(|line| !line.starts_with("  deletes")).collect();
    assert_snapshot!(table.join("\n"), @"
    deletes  src/module_1.rs, src/module_2.rs,                  git can restore it
             src/module_3.rs, src/module_4.rs,
             src/module_5.rs, src/module_6.rs, and 24 more
             (--full lists them)
    why      some-rule: says some-rule about src/module_1.rs
    ");
}

#[test]
fn a_long_text_is_shown_in_part_and_says_so() {
    let mut lines: Vec<String> = (1..=200).map(|n| format!("echo {n}")).collect();
    lines[119] = "rm -rf data".into();
    let sketch = Sketch::new(&lines.join("\n"))
        .effect("rm -rf data", EffectKind::Delete, Target::Path("data".into()), Scope::Project, Reversible::No)
        .reason("rm -rf data", "delete-data", Risk::High, "data");
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @"
    ask     1 │ echo 1                                                     risk high
            2 │ echo 2
            3 │ echo 3
            4 │ echo 4
            5 │ echo 5
            6 │ echo 6
            7 │ echo 7
            8 │ echo 8
            9 │ echo 9
           10 │ echo 10
              ⋮ 107 lines not shown here, --full shows them
          118 │ echo 118
          119 │ echo 119
          120 │ rm -rf data
              │ ───────────
          121 │ echo 121
          122 │ echo 122
              ⋮ 73 lines not shown here, --full shows them
          196 │ echo 196
          197 │ echo 197
          198 │ echo 198
          199 │ echo 199
          200 │ echo 200
      deletes  data                                                 cannot be undone
      why      delete-data: deletes data that no build brings back: data
    ");
    let full = sketch.painted(80, Language::English, Detail::Full);
    assert!((1..=200).all(|n| full.contains(&format!("{n} │ "))));
}

#[test]
fn a_long_stretch_is_shown_in_part_and_says_so() {
    let sketch = Sketch::new(&format!("echo {} && rm -rf data", "x".repeat(5000)))
        .effect("rm -rf data", EffectKind::Delete, Target::Path("data".into()), Scope::Project, Reversible::No)
        .reason("rm -rf data", "delete-data", Risk::High, "data");
    let painted = sketch.painted(100, Language::English, Detail::Brief);
    assert!(painted.contains("‹4220 characters not shown here, --full shows them›"), "{painted}");
    assert!(painted.contains("rm -rf data"));
    assert_eq!(sketch.painted(100, Language::English, Detail::Full).matches('x').count(), 5000);
}

#[test]
fn what_is_hidden_many_times_is_counted() {
    let sketch = Sketch::new(&format!("echo {}x{}", "\0".repeat(1 << 20), "\u{202e}".repeat(2)));
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Full), @"allow echo ‹U+0000 ×1048576›x‹U+202E ×2›                               risk none");
    let mixed: String = (0..10_000).map(|n| if n % 2 == 0 { '\u{202e}' } else { '\u{200b}' }).collect();
    let painted = Sketch::new(&mixed).painted(80, Language::English, Detail::Brief);
    assert!(painted.len() < 20_000, "{} bytes", painted.len());
    assert!(painted.contains("characters not shown here"));
}

#[test]
fn many_findings_do_not_flood_the_screen() {
    let commands: Vec<String> = (0..200).map(|n| format!("rm -rf {n}{}", "x".repeat(700))).collect();
    let mut sketch = Sketch::new(&commands.join("\n"));
    for command in &commands {
        let target = Target::Named(command.clone());
        sketch = sketch
            .effect(command, EffectKind::Opaque, target, Scope::Unknown, Reversible::Unknown)
            .reason(command, "some-rule", Risk::High, &format!("about {command}"))
            .gap(command, command);
    }
    let painted = sketch.painted(100, Language::English, Detail::Brief);
    assert!(painted.lines().count() < 500, "{} lines", painted.lines().count());
    assert!(painted.contains("194 more, --full lists them"));
    let full = sketch.painted(100, Language::English, Detail::Full);
    assert!(!full.contains("--full"), "in full nothing is left out");
}

#[test]
fn grave_questions_say_how_they_are_answered() {
    let sketch = Sketch::new("rm -rf .")
        .effect("rm -rf .", EffectKind::Delete, Target::Path(".".into()), Scope::Project, Reversible::No)
        .reason("rm -rf .", "delete-project", Risk::Critical, ".");
    let choice = Decision::RequireChoice {
        question: String::new(),
        options: vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference],
        default: Choice::Cancel,
    };
    let sketch = sketch.decided(choice);
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @"
    ask   rm -rf .                                                     risk critical
          ────────
      deletes  the whole project or more: .                         cannot be undone
      why      delete-project
      answer   cancel (default) · go ahead · back up first · show the difference
    ");
    assert_snapshot!(sketch.painted(80, Language::Chinese, Detail::Brief), @"
    询问  rm -rf .                                                          严重风险
          ────────
      后果  删除整个项目甚至更多：.                                         无法撤销
      原因  delete-project
      回答  取消（默认） · 继续 · 先备份 · 查看差异
    ");
    let input =
        Decision::RequireInput { prompt: String::new(), placeholder: String::new(), validation: "prod\u{202e}".into() };
    assert_snapshot!(sketch.decided(input).painted(80, Language::English, Detail::Brief), @"
    ask   rm -rf .                                                     risk critical
          ────────
      deletes  the whole project or more: .                         cannot be undone
      why      delete-project
      answer   type `prod‹U+202E›` to go ahead
    ");
}

#[test]
fn a_question_without_a_rule_says_where_it_comes_from() {
    let asked = Decision::RequireConfirmation { reason: String::new(), warning_level: WarningLevel::Notice };
    assert_snapshot!(Sketch::new("ls").decided(asked).painted(80, Language::English, Detail::Brief), @"
    ask   ls                                                               risk none
      why  this posture or this level of trust asks about everything
    ");
    let asked = Decision::RequireConfirmation { reason: String::new(), warning_level: WarningLevel::Notice };
    let mut changing = Sketch::new("touch a").decided(asked).effect(
        "a",
        EffectKind::Create,
        Target::Path("a".into()),
        Scope::Project,
        Reversible::Yes,
    );
    changing.assessment.risk = Risk::Low;
    assert_snapshot!(changing.painted(80, Language::English, Detail::Brief), @"
    ask   touch a                                                           risk low
      creates  a
      why      the strict posture and low trust ask about every change
    ");
}

#[test]
fn what_is_named_by_its_command_is_told_by_its_rule() {
    let command = "terraform destroy";
    let sketch = Sketch::new(command)
        .effect(command, EffectKind::NetworkWrite, Target::Named(command.into()), Scope::Remote, Reversible::No)
        .reason(command, "infra-destroy", Risk::Critical, command);
    let rule = signoff_analysis::rule::find("infra-destroy").unwrap();
    assert_eq!(rule.kind, EffectKind::NetworkWrite);
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @"
    ask   terraform destroy                                            risk critical
          ─────────────────
      destroys  infrastructure: terraform destroy         cannot be undone from here
      why       infra-destroy
    ");
    assert_snapshot!(sketch.painted(80, Language::Chinese, Detail::Brief), @"
    询问  terraform destroy                                                 严重风险
          ─────────────────
      后果  销毁基础设施：terraform destroy                           无法从这里撤销
      原因  infra-destroy
    ");
    let discard = Sketch::new("git reset --hard")
        .effect("git reset --hard", EffectKind::Delete, Target::Path(".".into()), Scope::Project, Reversible::No)
        .reason("git reset --hard", "discard-changes", Risk::High, ".");
    assert_snapshot!(discard.painted(80, Language::English, Detail::Brief), @"
    ask   git reset --hard                                                 risk high
          ────────────────
      throws away  uncommitted work in .                            cannot be undone
      why          discard-changes
    ");
    let commit = "git commit -m x";
    let noted = Sketch::new(commit).effect(
        commit,
        EffectKind::Create,
        Target::Named(commit.into()),
        Scope::Project,
        Reversible::Yes,
    );
    assert_snapshot!(noted.painted(80, Language::English, Detail::Brief), @"
    allow git commit -m x                                                  risk none
      runs  git commit -m x
    ");
    let quoted = r#"git commit -m "remove rm -rf from docs""#;
    let name = Target::Named("git commit -m remove rm -rf from docs".into());
    let noted = Sketch::new(quoted).effect(quoted, EffectKind::Create, name, Scope::Project, Reversible::Yes);
    assert_snapshot!(noted.painted(80, Language::English, Detail::Brief), @r#"
    allow git commit -m "remove rm -rf from docs"                          risk none
      runs  git commit -m "remove rm -rf from docs"
    "#);
}

#[test]
fn nothing_is_called_undoable_that_is_gone() {
    let path = |name: &str| Target::Path(name.into());
    let sketch = Sketch::new("rm -rf target /tmp/x; cp a b")
        .effect("target", EffectKind::Delete, path("target"), Scope::Project, Reversible::Yes)
        .reason("target", "delete-rebuilt", Risk::Low, "target")
        .effect("/tmp/x", EffectKind::Delete, path("/tmp/x"), Scope::Temp, Reversible::Yes)
        .effect("b", EffectKind::Overwrite, path("b"), Scope::Temp, Reversible::Yes);
    assert_snapshot!(sketch.painted(80, Language::English, Detail::Brief), @"
    ask   rm -rf target /tmp/x; cp a b                                      risk low
                 ──────
      deletes     target                                      a build makes it again
      deletes     /tmp/x
      overwrites  b
      why         delete-rebuilt: deletes target, which a build makes again
    ");
}

#[test]
fn no_card_is_wider_than_its_terminal() {
    for columns in [1, 30, 40, 59, 60, 61, 79, 100, 120, 500] {
        for language in Language::ALL {
            for detail in [Detail::Brief, Detail::Full] {
                let painted = clean_up_and_push().painted(columns, language, detail);
                let widest = painted.lines().map(UnicodeWidthStr::width).max().unwrap();
                assert!(widest <= columns.clamp(30, 120), "{columns}: {widest}\n{painted}");
            }
        }
    }
}

#[test]
fn colour_adds_nothing_but_colour() {
    let operation = Operation::Shell(ShellCommand { command: "rm \u{200b}x".into(), dialect: Dialect::Bash });
    let sketch = clean_up_and_push();
    let card = Card::draw(&operation, &sketch.assessment, &sketch.decision.into(), Language::English, Detail::Brief);
    let coloured = paint(&card, 100, Colour::On);
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_ne!(plain, coloured);
    assert_eq!(plain, paint(&card, 100, Colour::Off));
}

/// A wish that did not ask for it is told beside what would happen, and does not take its words.
#[test]
fn what_was_asked_for_stands_beside_what_happens() {
    let mut sketch = Sketch::new("git clean -fd")
        .effect("git clean -fd", EffectKind::Delete, Target::Path(".".into()), Scope::Project, Reversible::No)
        .reason("git clean -fd", "wider-than-asked", Risk::Critical, ".")
        .reason("git clean -fd", "clean-untracked", Risk::High, ".");
    for (language, row, why) in [
        (Language::English, "deletes  files that git does not track in .", "wider-than-asked: "),
        (Language::Chinese, "删除 . 中未被 git 跟踪的文件", "wider-than-asked："),
    ] {
        let painted = sketch.painted(100, language, Detail::Brief);
        assert!(painted.contains(row) && painted.contains(why), "{painted}");
    }
    sketch.assessment.reasons.remove(0);
    assert!(!sketch.painted(100, Language::English, Detail::Brief).contains("asked"));
}

/// A long name is shown whole, with what is said about it below.
#[test]
fn no_word_is_broken_to_make_room_for_a_note() {
    let name = "a/rather/long/path/to/some/measurements-of-last-year.csv";
    let card = Sketch::new("cp -r new/. a && rm it")
        .effect("rm it", EffectKind::Delete, Target::Path(name.into()), Scope::Project, Reversible::No)
        .effect("cp -r new/. a", EffectKind::Create, Target::Path("a/".into()), Scope::Project, Reversible::Yes)
        .reason("rm it", "delete-file", Risk::High, name);
    for columns in [70, 80, 100] {
        let painted = card.painted(columns, Language::English, Detail::Brief);
        assert!(painted.contains(name), "{columns}:\n{painted}");
        assert!(painted.lines().all(|line| line.width() <= columns), "{columns}:\n{painted}");
        assert!(painted.contains("cannot be undone"), "{columns}:\n{painted}");
        assert!(painted.contains("adds to  a/"), "{columns}:\n{painted}");
    }
}

#[test]
fn what_is_thrown_away_changes_no_system() {
    let sketch = |rule: Option<&'static str>| {
        let sketch = Sketch::new("ls > /dev/null").effect(
            "/dev/null",
            EffectKind::Overwrite,
            Target::Path("/dev/null".into()),
            Scope::System,
            Reversible::Yes,
        );
        match rule {
            Some(rule) => sketch.reason("/dev/null", rule, Risk::High, "/dev/null"),
            None => sketch,
        }
    };
    assert!(!sketch(None).painted(80, Language::English, Detail::Full).contains("overwrites"));
    assert!(sketch(Some("write-system")).painted(80, Language::English, Detail::Full).contains("overwrites"));
}
