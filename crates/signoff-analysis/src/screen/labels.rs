//! What a choice means, by its label. The first choice may be the no, and most that begin with yes give more than one yes away.

use super::{
    hints::names_keys,
    prompt::{Key, Subject},
};

/// What choosing it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Agrees to this one time.
    Once,
    /// Agrees to more than that.
    Standing,
    /// Refuses.
    Refusal,
    /// Something else.
    Else,
}

const AGREEING: &[&str] = &[
    "yes", "y", "allow", "approve", "accept", "proceed", "run", "apply", "continue", "ok", "okay", "confirm",
    "execute", "grant", "go", "sure",
];
const AGREEING_IN_CHINESE: &[&str] =
    &["是", "允许", "同意", "批准", "确认", "确定", "继续", "接受", "运行", "执行", "应用", "好", "授权"];

const REFUSING: &[&str] = &[
    "no", "n", "reject", "deny", "decline", "cancel", "don't", "dont", "quit", "exit", "abort", "skip", "stop",
    "refuse", "disallow", "never", "keep", "back",
];
const REFUSING_IN_CHINESE: &[&str] = &["否", "不", "拒绝", "取消", "退出", "跳过", "停止", "放弃", "中止", "返回"];
const REFUSING_PHRASES: &[&str] = &["do not ", "continue without", "not now", "go back"];
/// Begins like a refusal, and is none.
const NOT_REFUSING: &[&str] =
    &["don't ask", "dont ask", "do not ask", "never ask", "keep asking", "不再询问", "不再提示"];

/// Words of more than one time. A label that holds one of them is not the plain yes, whatever else it says.
const STANDING: &[&str] = &[
    "all",
    "always",
    "again",
    "session",
    "remember",
    "auto",
    "automatic",
    "automatically",
    "every",
    "everything",
    "forever",
    "permanently",
    "future",
    "anymore",
    "allowlist",
    "whitelist",
    "bypass",
    "full",
    "yolo",
    "unrestricted",
    "similar",
    "pattern",
    "never",
    "save",
    "mode",
    "project",
    "repo",
    "repository",
    "conversation",
    "host",
    "domain",
    "parent",
    "edits",
    "trust",
    "start",
    "prefix",
    "like",
    "any",
    "and",
    "then",
    "but",
    "until",
    "whenever",
    "now",
    "rest",
    "global",
    "globally",
    "default",
    "don't",
];
const STANDING_IN_CHINESE: &[&str] = &[
    "不再",
    "总是",
    "始终",
    "一直",
    "永久",
    "会话",
    "自动",
    "全部",
    "所有",
    "记住",
    "以后",
    "今后",
    "每次",
    "白名单",
    "项目",
    "模式",
    "信任",
    "，且",
    "，并",
    "并且",
    "以及",
    "任何",
    "默认",
];
/// Words that take a yes to one time back to what it is, although it goes on behind an *and*.
const BY_HAND: &[&str] = &["manually", "手动"];

/// What a label means in a dialog about something.
pub(super) fn meaning(label: &str, subject: &Subject) -> Meaning {
    let text = normal(label);
    let words: Vec<&str> = text
        .split(|character: char| !(character.is_alphanumeric() || matches!(character, '\'' | '-')))
        .flat_map(|word| word.split('-'))
        .filter(|word| !word.is_empty())
        .collect();
    let first = words.first().copied().unwrap_or_default();
    let not_refusing = NOT_REFUSING.iter().any(|start| text.starts_with(start));
    let refuses = REFUSING.contains(&first)
        || REFUSING_IN_CHINESE.iter().chain(REFUSING_PHRASES).any(|start| text.starts_with(start));
    if refuses && !not_refusing {
        return Meaning::Refusal;
    }
    let is_trust = matches!(subject, Subject::FolderTrust | Subject::HookTrust);
    if is_trust {
        let wide = ["parent", "all", "remember", "always", "future"].iter().any(|word| words.contains(word));
        let trusts = matches!(first, "trust" | "yes" | "accept" | "continue" | "proceed")
            || ["信任", "是"].iter().any(|start| text.starts_with(start));
        return match (trusts, wide) {
            (true, false) => Meaning::Once,
            (true, true) => Meaning::Standing,
            (false, _) => Meaning::Else,
        };
    }
    let agrees = AGREEING.contains(&first) || AGREEING_IN_CHINESE.iter().any(|start| text.starts_with(start));
    let goes_on = STANDING.iter().any(|word| words.contains(word))
        || STANDING_IN_CHINESE.iter().any(|part| text.contains(part))
        || text.contains('&');
    let by_hand = BY_HAND.iter().any(|part| text.contains(part));
    match (agrees, goes_on) {
        (true, true) if by_hand => Meaning::Once,
        (true, false) => Meaning::Once,
        (true, true) => Meaning::Standing,
        (false, _) if not_refusing => Meaning::Standing,
        (false, true) if ["always", "总是", "始终"].iter().any(|start| text.starts_with(start)) => {
            Meaning::Standing
        }
        (false, _) => Meaning::Else,
    }
}

/// Whether a label says by its own words that it is for one time.
pub(super) fn says_once(label: &str) -> bool {
    let text = normal(label);
    text.contains("once") || text.contains("一次") || matches!(text.as_str(), "yes" | "是" | "allow" | "允许")
}

/// In small letters, with plain apostrophes and without the keys that it names.
fn normal(label: &str) -> String {
    let mut text = label.to_lowercase().replace(['’', '‘', 'ʼ'], "'");
    for inner in parentheses(label) {
        if names_keys(inner) {
            text = text.replace(&format!("({})", inner.to_lowercase()), " ");
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The key that a label names in parentheses: a letter before Escape.
pub(super) fn key(label: &str) -> Option<Key> {
    let named: Vec<String> = parentheses(label).filter(|inner| names_keys(inner)).map(str::to_lowercase).collect();
    let mut escapes = false;
    for inner in &named {
        for word in inner.split(|character: char| character.is_whitespace() || matches!(character, '/' | ',')) {
            let mut letters = word.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) if letter.is_ascii_alphabetic() => return Some(Key::Character(letter)),
                _ => escapes |= matches!(word, "esc" | "escape"),
            }
        }
    }
    escapes.then_some(Key::Escape)
}

fn parentheses(label: &str) -> impl Iterator<Item = &str> {
    label.split('(').skip(1).filter_map(|rest| rest.split_once(')').map(|(inner, _)| inner))
}

#[cfg(test)]
mod tests {
    use super::{Key, Meaning, Subject, key, meaning};

    #[test]
    fn labels_mean_what_they_say() {
        use Meaning::{Else, Once, Refusal, Standing};
        for (label, expected) in [
            ("Yes", Once),
            ("Yes, proceed (y)", Once),
            ("Yes, just this once (y)", Once),
            ("Allow once", Once),
            ("Yes, allow once", Once),
            ("Allow", Once),
            ("Run (once) (y) (enter)", Once),
            ("Yes, grant these permissions for this turn (y)", Once),
            ("Yes, and manually approve edits", Once),
            ("是", Once),
            ("允许一次", Once),
            ("Yes, and don’t ask again for: make build *", Standing),
            ("Yes, and don't ask again for these files (a)", Standing),
            ("Yes, and always allow access to src/ from this project", Standing),
            ("Yes, and switch to auto mode · auto mode handles these prompts for you", Standing),
            ("Yes, and auto-accept edits", Standing),
            ("Yes, grant these permissions for this session (a)", Standing),
            ("Yes, allow all edits during this session", Standing),
            ("Allow for this session", Standing),
            ("Allow always", Standing),
            ("Always allow", Standing),
            ("Don't ask again", Standing),
            ("Auto-run all commands (shift+tab)", Else),
            ("是，且不再询问", Standing),
            ("是，本次会话内允许", Standing),
            ("总是允许", Standing),
            ("No", Refusal),
            ("No, exit", Refusal),
            ("No, and tell Claude what to do differently (esc)", Refusal),
            ("No, continue without permissions (d)", Refusal),
            ("Reject", Refusal),
            ("Cancel", Refusal),
            ("Skip (esc or n)", Refusal),
            ("Don't allow", Refusal),
            ("否，并告诉它换一种做法 (esc)", Refusal),
            ("不允许", Refusal),
            ("拒绝", Refusal),
            ("Modify with external editor", Else),
            ("Full Access       It can edit files outside this workspace", Else),
            ("Notes", Else),
            ("Yesterday", Else),
        ] {
            assert_eq!(meaning(label, &Subject::Menu), expected, "{label}");
        }
    }

    #[test]
    fn trust_is_agreed_to_in_its_own_words() {
        use Meaning::{Once, Refusal, Standing};
        for (label, expected) in [
            ("Yes, I trust this folder", Once),
            ("Trust and continue", Once),
            ("Trust folder (shop)", Once),
            ("Trust parent folder (code)", Standing),
            ("Yes, and remember this folder for future sessions", Standing),
            ("Don't trust", Refusal),
            ("No, exit", Refusal),
            ("Quit", Refusal),
            ("Continue without trusting (hooks won't run)", Refusal),
        ] {
            assert_eq!(meaning(label, &Subject::FolderTrust), expected, "{label}");
        }
        assert_eq!(meaning("Trust folder (shop)", &Subject::Menu), Meaning::Else);
    }

    #[test]
    fn keys_are_those_that_the_label_names() {
        for (label, expected) in [
            ("Yes, proceed (y)", Some(Key::Character('y'))),
            ("Reject (esc or n)", Some(Key::Character('n'))),
            ("No (Esc to stop)", Some(Key::Escape)),
            ("Run (once) (y) (enter)", Some(Key::Character('y'))),
            ("Trust folder (shop)", None),
            ("Yes", None),
        ] {
            assert_eq!(key(label), expected, "{label}");
        }
    }
}
