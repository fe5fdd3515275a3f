//! The lexicon: verbs that mean the same in the name of a program, a subcommand, a task or a tool.
//!
//! Where a word stands matters, and so every place has words of its own besides: they are with the place, and so is the
//! reason. What stands here holds for all of them.

use crate::words::Words;

/// What a verb says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It looks at something.
    Looks,
    /// It takes something away for good, whatever it is said of.
    Ruins,
    /// It takes something away, which may be small.
    Removes,
    /// It brings something out to others.
    Publishes,
    /// It hands something to somebody.
    Sends,
    /// It makes or changes something.
    Changes,
}

static LOOKS: Words<64> = Words::new(
    "list show get view info status help check diff explain lint logs plan preview validate verify ls \
    describe read search find lookup inspect query scan compare count head tail resolve version whoami",
);
static RUINS: Words<32> = Words::new("delete destroy drop erase nuke purge reset terminate truncate unpublish wipe");
static REMOVES: Words<32> = Words::new("remove rm del kill flush prune empty uninstall deprovision");
static PUBLISHES: Words<16> = Words::new("publish deploy push upload ship promote submit broadcast");
static SENDS: Words<8> = Words::new("send pay transfer announce");
static CHANGES: Words<128> = Words::new(
    "accept add apply approve assign attach change configure copy create edit enable generate grant import \
    init insert install label link lock make merge migrate modify move new patch provision put reboot \
    register reject rename replace resize restart restore rotate scale set start sync tag unassign unlock \
    update upgrade write",
);

/// What a word in lower case says, if it is a verb that means the same everywhere.
pub(crate) fn meaning(word: &str) -> Option<Meaning> {
    if LOOKS.holds(word) {
        Some(Meaning::Looks)
    } else if RUINS.holds(word) {
        Some(Meaning::Ruins)
    } else if REMOVES.holds(word) {
        Some(Meaning::Removes)
    } else if PUBLISHES.holds(word) {
        Some(Meaning::Publishes)
    } else if SENDS.holds(word) {
        Some(Meaning::Sends)
    } else if CHANGES.holds(word) {
        Some(Meaning::Changes)
    } else {
        None
    }
}

/// Words of names in Chinese and Japanese, which stand there without anything between them, and what they say.
const IDEOGRAPHIC: &[(&str, &str)] = &[
    ("清空", "wipe"),
    ("清库", "wipe"),
    ("删库", "wipe"),
    ("抹除", "wipe"),
    ("擦除", "erase"),
    ("删除", "delete"),
    ("刪除", "delete"),
    ("削除", "delete"),
    ("销毁", "destroy"),
    ("銷毀", "destroy"),
    ("重置", "reset"),
    ("初期化", "reset"),
    ("リセット", "reset"),
    ("部署", "deploy"),
    ("上线", "deploy"),
    ("デプロイ", "deploy"),
    ("发布", "publish"),
    ("發布", "publish"),
    ("数据库", "database"),
    ("データベース", "database"),
    ("生产", "production"),
    ("测试", "test"),
    ("テスト", "test"),
    ("检查", "check"),
    ("验证", "verify"),
    ("查看", "view"),
    ("列出", "list"),
    ("统计", "count"),
    ("预览", "preview"),
    ("演练", "dryrun"),
    ("构建", "build"),
    ("格式化", "format"),
    ("缓存", "cache"),
    ("本地", "local"),
];

/// The word of [`IDEOGRAPHIC`] that letters begin with: how many they are, and what it says.
fn ideographic(letters: &[char]) -> Option<(usize, &'static str)> {
    letters.first().filter(|first| !first.is_ascii())?;
    IDEOGRAPHIC.iter().find_map(|(word, says)| {
        let length = word.chars().count();
        letters.get(..length).filter(|begin| word.chars().eq(begin.iter().copied())).map(|_| (length, *says))
    })
}

/// The words of a name in snake, kebab or camel case, in lower case.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = name.chars().collect();
    let mut passed = 0;
    for (at, letter) in letters.iter().enumerate() {
        if passed > 0 {
            passed -= 1;
            continue;
        }
        if !letter.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        if let Some((written, says)) = ideographic(letters.get(at..).unwrap_or_default()) {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            words.push(says.to_owned());
            passed = written - 1;
            continue;
        }
        let after = letters.get(at + 1);
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let begins = letter.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
                || before.is_some_and(|before| before.is_uppercase())
                    && after.is_some_and(|after| after.is_lowercase()));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(letter.to_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parted_in_every_spelling() {
        for (name, expected) in [
            ("reset_database", "reset database"),
            ("reset-database.now", "reset database now"),
            ("resetDatabase", "reset database"),
            ("getURLForHTTPRequest", "get url for http request"),
            ("list-pull-requests", "list pull requests"),
            ("LS", "ls"),
            ("v2Delete", "v2 delete"),
            ("DELETE", "delete"),
            ("--", ""),
            ("清空数据库", "wipe database"),
            ("prod清空all", "prod wipe all"),
            ("测试-删除用户", "test delete 用户"),
            ("リセット", "reset"),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn a_verb_has_one_meaning() {
        for (word, expected) in [
            ("list", Some(Meaning::Looks)),
            ("wipe", Some(Meaning::Ruins)),
            ("rm", Some(Meaning::Removes)),
            ("deploy", Some(Meaning::Publishes)),
            ("pay", Some(Meaning::Sends)),
            ("update", Some(Meaning::Changes)),
            ("database", None),
            ("", None),
        ] {
            assert_eq!(meaning(word), expected, "{word}");
        }
    }
}
