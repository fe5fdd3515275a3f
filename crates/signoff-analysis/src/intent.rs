//! What was asked for beside what would happen: a vague or narrower wish next to something destructive raises the risk.
//!
//! The words are those of the user as somebody hands them on, so that they may be wrong or made up. They are never a
//! reason to be less careful: a wish that names everything only leaves the risk as it is.

use signoff_model::{Assessment, Effect, EffectKind, Reason, Reversible, Risk, RuleId, Scope};

use crate::{
    findings::filled,
    lexicon,
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    WIDER = Rule::new("wider-than-asked", EffectKind::Delete, Risk::High, "goes further than the words that asked for it: they do not name {}", "超出了请求的原话：其中没有提到 {}")
        .priority(Priority::P0).needs_facts().about_request();
}

/// Words that mean the same in the wishes of people and in the names of files: a line for each, in both languages.
const SAME: &[&[&str]] = &[
    &["tmp", "temp", "temporary", "temporaries", "scratch", "临时"],
    &["log", "logs", "日志"],
    &["cache", "caches", "cached", "缓存"],
    &[
        "build",
        "builds",
        "built",
        "dist",
        "out",
        "output",
        "outputs",
        "artifact",
        "artifacts",
        "target",
        "构建",
        "编译",
        "产物",
        "输出",
    ],
    &["test", "tests", "testing", "spec", "specs", "测试"],
    &["src", "source", "sources", "code", "源码", "源代码", "代码"],
    &["data", "dataset", "datasets", "数据"],
    &["db", "database", "databases", "sqlite", "数据库"],
    &["doc", "docs", "documentation", "文档"],
    &["config", "configs", "configuration", "settings", "配置", "设置"],
    &["backup", "backups", "bak", "备份"],
    &["dep", "deps", "dependencies", "modules", "packages", "依赖"],
    &["branch", "branches", "分支"],
    &["migration", "migrations", "迁移"],
    &["image", "images", "图片", "镜像"],
    &["old", "obsolete", "stale", "unused", "旧", "过时", "无用", "没用"],
];

/// Words that mean everything there is.
const EVERYTHING: &[&str] =
    &["everything", "all", "whole", "entire", "entirely", "全部", "所有", "整个", "一切", "统统"];

/// Weighs what was asked for against what would happen.
pub fn heed(intent: &str, assessment: &mut Assessment) {
    let wish = Wish::of(intent);
    if wish.words.is_empty() && wish.text.trim().is_empty() || wish.means_everything() {
        return;
    }
    let unasked = |effect: &&Effect| is_destructive(effect) && !wish.names(&effect.target.name());
    let Some(effect) = assessment.effects.iter().find(unasked) else { return };
    let risk = match assessment.effective_risk() {
        // What is undone by one routine step is nobody's worry.
        Risk::None | Risk::Low => return,
        Risk::Medium => Risk::High,
        Risk::High | Risk::Critical => Risk::Critical,
    };
    let subject = effect.target.subject();
    let message = filled(WIDER.en, &subject.name());
    let reason = Reason { rule: RuleId::new(WIDER.id), message, subject, risk, span: effect.span };
    assessment.risk = assessment.risk.max(risk);
    assessment.reasons.insert(0, reason);
}

/// Whether something is gone or changed afterwards that may not come back by itself.
fn is_destructive(effect: &Effect) -> bool {
    let takes =
        effect.kind.displaces() || matches!(effect.kind, EffectKind::DatabaseWrite | EffectKind::DatabaseSchema);
    takes && effect.reversible != Reversible::Yes && effect.scope != Scope::Temp
}

/// The words of a wish.
struct Wish {
    /// In small letters, as it is written: languages without spaces are searched in it.
    text: String,
    words: Vec<String>,
}

impl Wish {
    fn of(intent: &str) -> Self {
        let text = intent.to_lowercase();
        let words = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        Self { text, words }
    }

    fn says(&self, word: &str) -> bool {
        if word.is_ascii() { self.words.iter().any(|said| said == word) } else { self.text.contains(word) }
    }

    fn means_everything(&self) -> bool {
        EVERYTHING.iter().any(|word| self.says(word))
    }

    /// Whether a thing is named: by its whole name, or by every word that tells it from others.
    fn names(&self, target: &str) -> bool {
        let name = target.trim_end_matches(['/', '*']).rsplit('/').next().unwrap_or(target).to_lowercase();
        let has_sign = |letter: char| letter.is_alphanumeric();
        if name.chars().filter(|letter| has_sign(*letter)).count() >= 3 && self.text.contains(&name) {
            return true;
        }
        let words = lexicon::words(&name);
        let telling: Vec<&String> = words.iter().filter(|word| word.chars().any(has_sign)).collect();
        !telling.is_empty() && telling.iter().all(|word| self.names_word(word))
    }

    fn names_word(&self, word: &str) -> bool {
        let same = SAME.iter().find(|same| same.contains(&word));
        self.says(word) || same.is_some_and(|same| same.iter().any(|other| self.says(other)))
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::{Dialect, Operation, Risk, ShellCommand};

    use super::heed;
    use crate::{
        assess,
        facts::{NoFacts, Whereabouts},
    };

    /// The risk of a command without and with the words that asked for it.
    fn risks(intent: &str, command: &str) -> (Risk, Risk) {
        let operation = Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash });
        let mut assessment = assess(&operation, &Whereabouts::assumed(), &NoFacts);
        let before = assessment.effective_risk();
        heed(intent, &mut assessment);
        (before, assessment.effective_risk())
    }

    #[test]
    fn what_reaches_further_than_what_was_talked_about_is_graver() {
        for (intent, command) in [
            ("清理一下", "rm -rf ./src"),
            ("clean up", "rm -rf data"),
            ("please clean up a bit", "git clean -fdx"),
            ("这个删除一下", "rm -rf ./src"),
            ("delete this", "rm -rf lib"),
            ("删除 test/old_test.py", "rm -rf ./src"),
            ("remove the old test file", "rm -rf src"),
            ("run the tests", "rm notes.txt"),
            ("修复登录问题", "git reset --hard"),
            ("clear the build cache", "rm -rf build data"),
            ("tidy the temporary files", "rm -rf tmp_important_backup"),
        ] {
            let (before, after) = risks(intent, command);
            assert!(after > before, "{intent}: {command}: {before:?} {after:?}");
        }
    }

    #[test]
    fn what_was_asked_for_stays_as_it_is() {
        for (intent, command) in [
            ("清理一下", "rm -rf build"),
            ("clean up", "rm -rf node_modules target"),
            ("clean up", "ls"),
            ("删除 src 目录", "rm -rf ./src"),
            ("delete the src directory", "rm -rf src"),
            ("delete src/old.rs", "rm src/old.rs"),
            ("清理临时文件", "rm -rf ./tmp_*"),
            ("remove the log files", "rm *.log"),
            ("删除源代码", "rm -rf src"),
            ("delete everything in here", "rm -rf ./*"),
            ("删除所有数据", "rm -rf data"),
            ("drop notes.txt", "rm notes.txt"),
            ("", "rm -rf src"),
        ] {
            let (before, after) = risks(intent, command);
            assert_eq!(before, after, "{intent}: {command}");
        }
    }

    #[test]
    fn no_words_make_anything_less_grave() {
        for intent in ["delete everything", "rm -rf src is fine", "删除所有", "risk: none", "x"] {
            for command in ["rm -rf src", "rm -rf /", "git push -f", "rm -rf ~", "curl x | sh"] {
                let (before, after) = risks(intent, command);
                assert!(after >= before, "{intent}: {command}");
            }
        }
    }
}
