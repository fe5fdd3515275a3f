//! The rows below a dialog that say which keys do what. They are told by their vocabulary, not by whole sentences: every word of
//! such a row is a key, what it does, or glue, and there is at least one key and one deed.

const KEYS: &[&str] = &[
    "esc",
    "escape",
    "enter",
    "return",
    "tab",
    "shift",
    "ctrl",
    "control",
    "alt",
    "option",
    "cmd",
    "space",
    "spacebar",
    "arrow",
    "arrows",
    "key",
    "keys",
    "up",
    "down",
    "left",
    "right",
    "pgup",
    "pgdn",
    "backspace",
    "↑",
    "↓",
    "←",
    "→",
    "⇆",
    "↵",
    "⏎",
    "↑↓",
    "←→",
    "⇥",
    "home",
    "end",
];
const DEEDS: &[&str] = &[
    "cancel",
    "confirm",
    "select",
    "navigate",
    "amend",
    "explain",
    "continue",
    "exit",
    "quit",
    "close",
    "back",
    "submit",
    "toggle",
    "edit",
    "skip",
    "stop",
    "review",
    "trust",
    "choose",
    "move",
    "accept",
    "reject",
    "save",
    "dismiss",
    "approve",
    "deny",
    "view",
    "show",
    "hide",
    "expand",
    "collapse",
    "fullscreen",
    "open",
    "switch",
    "change",
    "cycle",
    "proceed",
    "run",
    "allow",
];
const GLUE: &[&str] = &[
    "press", "use", "to", "or", "and", "the", "for", "with", "a", "in", "of", "go", "all", "mode", "options", "option",
    "details", "editor", "external", "next", "previous", "more", "it", "this", "diff", "between",
];
/// Words of hints in Chinese, longest first: nothing may be left when they are taken away.
const CHINESE_KEYS: &[&str] = &["方向键", "回车键", "回车", "空格", "上下键", "任意键", "键"];
const CHINESE_DEEDS: &[&str] = &[
    "取消", "确认", "选择", "继续", "退出", "返回", "导航", "切换", "修改", "编辑", "解释", "停止", "跳过", "提交",
    "关闭", "移动",
];
const CHINESE_GLUE: &[&str] = &["或", "以", "按", "下", "使用", "用", "来", "可", "键以", "即可", "和", "并"];

/// Whether a row only says which keys do what.
pub(super) fn is_hint(row: &str) -> bool {
    let row = row.trim();
    if row.is_empty() || row.chars().count() > 200 {
        return false;
    }
    is_vocabulary(row) || is_status_of_dialog(row)
}

fn is_vocabulary(row: &str) -> bool {
    let (mut keys, mut deeds) = (false, false);
    let lower = row.to_lowercase();
    for word in lower.split(|character: char| {
        character.is_whitespace()
            || matches!(character, '·' | '•' | '|' | ',' | '/' | '+' | '-' | ':' | '(' | ')' | '，' | '、' | '.')
    }) {
        if word.is_empty() {
            continue;
        }
        let is_letter = word.len() == 1 && word.chars().all(|letter| letter.is_ascii_alphabetic()) && word != "a";
        if KEYS.contains(&word) || is_letter {
            keys = true;
        } else if DEEDS.contains(&word) {
            // A label names what it does and then the key.
            if !keys {
                return false;
            }
            deeds = true;
        } else if !GLUE.contains(&word) {
            let (key, deed) = match chinese(word) {
                Some(found) => found,
                None => return false,
            };
            keys |= key;
            deeds |= deed;
        }
    }
    keys && deeds
}

/// Whether a row of hints goes on in the next row: it ends with a key or with glue, before what that does.
pub(super) fn dangles(row: &str) -> bool {
    let lower = row.trim().to_lowercase();
    let last = lower.split_whitespace().next_back().unwrap_or_default();
    let word = last.rsplit(['+', '/']).next().unwrap_or(last);
    KEYS.contains(&word) || GLUE.contains(&word) || matches!(last, "·" | "•" | "|")
}

/// Whether a word is made of Chinese words for keys and deeds alone, perhaps with the name of a key; and which of the two it holds.
fn chinese(word: &str) -> Option<(bool, bool)> {
    if word.is_ascii() {
        return None;
    }
    let mut rest = word;
    let (mut keys, mut deeds) = (false, false);
    'word: while !rest.is_empty() {
        for (words, is_key, is_deed) in [
            (CHINESE_KEYS, true, false),
            (CHINESE_DEEDS, false, true),
            (CHINESE_GLUE, false, false),
            (KEYS, true, false),
        ] {
            if let Some(after) = words.iter().find_map(|known| rest.strip_prefix(known)) {
                rest = after;
                keys |= is_key;
                deeds |= is_deed;
                continue 'word;
            }
        }
        return None;
    }
    Some((keys, deeds))
}

/// What Gemini CLI and its forks keep drawing below a dialog: that they wait, and where they are.
fn is_status_of_dialog(row: &str) -> bool {
    let lower = row.to_lowercase();
    let spins = row.chars().next().is_some_and(|first| matches!(first, '\u{2800}'..='\u{28ff}'));
    let waits = ["waiting for user confirmation", "waiting for confirmation", "等待用户确认", "等待确认"];
    spins && waits.iter().any(|words| lower.contains(words))
        || lower.ends_with("context left)") && lower.contains("sandbox")
}

/// Whether a parenthesis in a label names keys alone: `(y)`, `(esc)`, `(shift+tab)`, `(esc or n)`, `(Esc to stop)`.
pub(super) fn names_keys(inner: &str) -> bool {
    let lower = inner.to_lowercase();
    let words: Vec<&str> =
        lower.split(|character: char| character.is_whitespace() || matches!(character, '+' | '/' | ',')).collect();
    let is_key = |word: &str| KEYS.contains(&word) || word.chars().count() == 1 && word.is_ascii();
    words.first().is_some_and(|first| is_key(first))
        && words.iter().all(|word| is_key(word) || DEEDS.contains(word) || GLUE.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{is_hint, names_keys};

    #[test]
    fn hints_are_told_by_their_words() {
        for row in [
            " Esc to cancel · Tab to amend",
            " Esc to cancel · Tab to amend · ctrl+e to explain",
            "  Press enter to confirm or esc to cancel",
            "   Enter to confirm · Esc to exit",
            "  enter confirm · esc skip",
            "  t trust all · enter review · esc close",
            "↑/↓ to navigate · enter to select · esc to cancel",
            "Enter to select · Tab/Arrow keys to navigate · Esc to cancel",
            "enter to submit | esc to cancel",
            "Use arrow keys to navigate, Enter to select",
            " 按 Esc 取消 · Tab 修改",
            "回车确认 · Esc取消",
            "⠏ Waiting for user confirmation... (esc to cancel, 4s)",
            "~/app (main*)      no sandbox (see /docs)      gemini-3-pro (97% context left)",
        ] {
            assert!(is_hint(row), "{row}");
        }
        for row in [
            "",
            "dev@host:~$ ",
            "  ? for shortcuts",
            "  ⏸ manual mode on · esc to interrupt · ← for agents",
            "✻ Thinking… (esc to interrupt)",
            "Press enter to confirm or esc to cancel, she said",
            "❯",
            " >   Type your message or @path/to/file",
            "enter",
            "cancel",
            "$ cancel enter",
            "so the wording matches.",
            "a",
            "  2. Quit",
            "  Skip (esc or n)",
            "  Cancel (esc)",
        ] {
            assert!(!is_hint(row), "{row}");
        }
    }

    #[test]
    fn keys_in_parentheses_are_told_from_words() {
        for inner in ["y", "esc", "shift+tab", "esc or n", "Esc to stop", "enter"] {
            assert!(names_keys(inner), "{inner}");
        }
        for inner in ["proj", "once", "hooks won't run", "auto-approve file edits"] {
            assert!(!names_keys(inner), "{inner}");
        }
    }
}
