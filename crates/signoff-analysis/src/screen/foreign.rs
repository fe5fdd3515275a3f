//! Other programs that wait in a line. They are recognised so that nobody takes them for an agent, and never answered.

use super::{
    prompt::{Waiting, WaitingFor},
    rows::Screen,
};

const SECRETS: &[&str] =
    &["password", "passphrase", "passcode", "pin", "verification code", "otp", "token", "密码", "口令", "验证码"];
const NAMES: &[&str] = &["username for", "username:", "login:", "user name:", "用户名"];

/// What another program waits for in the last row, by the row alone. Questions for a yes or a no are not among them.
pub(super) fn waiting(screen: &Screen) -> Option<Waiting> {
    let row = screen.rows.last()?.trim();
    let lower = row.to_lowercase();
    let open = row.ends_with([':', '：']);
    let what = if is_page(row, &lower) {
        WaitingFor::Page
    } else if open && row.chars().count() < 120 && SECRETS.iter().any(|word| has_word(&lower, word)) {
        WaitingFor::Secret
    } else if open && NAMES.iter().any(|word| lower.contains(word)) {
        WaitingFor::Name
    } else if lower.contains("yes/no/[fingerprint]") {
        WaitingFor::HostKey
    } else if tool_asks(&lower) || hunk_asks(&lower) || lower.ends_with("ok to proceed? (y)") {
        WaitingFor::Confirmation
    } else if ["enter a value:", "输入值："].iter().any(|words| lower.ends_with(words)) {
        WaitingFor::Text
    } else if ["press any key", "press enter to continue", "press return to continue", "按任意键", "按回车键继续"]
        .iter()
        .any(|words| lower.contains(words))
        && row.chars().count() < 80
    {
        WaitingFor::AnyKey
    } else if row.starts_with("? ") && (row.contains('›') || row.ends_with([':', '?'])) {
        if lower.ends_with("y/n)") { WaitingFor::Confirmation } else { WaitingFor::Text }
    } else {
        return None;
    };
    Some(Waiting { program: program(screen), what })
}

/// Which program asks: by its own words, else by what was last typed at a shell.
pub(super) fn program(screen: &Screen) -> Option<String> {
    let tail = screen.rows.iter().rev().take(12).map(|row| row.to_lowercase()).collect::<Vec<_>>();
    let last = tail.first()?;
    let near = |words: &str| tail.iter().take(6).any(|row| row.contains(words));
    let by_words = [
        ("sudo", last.contains("[sudo]")),
        ("ssh", last.contains("'s password:") || last.contains("passphrase for key") || last.contains("[fingerprint]")),
        ("git", last.contains("username for 'http") || last.contains("password for 'http") || hunk_asks(last)),
        ("prisma", near("we need to reset the")),
        ("apt", near("after this operation,") || near("additional disk space will be used")),
        ("npx", last.ends_with("ok to proceed? (y)")),
        ("terraform", last.ends_with("enter a value:")),
        ("conda", last.ends_with("proceed ([y]/n)?")),
        ("dnf", last.contains("is this ok [y/")),
        ("pacman", last.starts_with(":: ")),
        ("docker", near("warning! this will remove")),
    ];
    if let Some((name, _)) = by_words.iter().find(|(_, said)| *said) {
        return Some((*name).to_owned());
    }
    if let Some(tool) = asking_tool(last) {
        return Some(tool.to_owned());
    }
    screen.rows.iter().rev().find_map(|row| typed(row))
}

/// The program of a command that was typed at the prompt of a shell in this row.
pub(super) fn typed(row: &str) -> Option<String> {
    let (_, command) = ["$ ", "# ", "% ", "➜ "].iter().find_map(|mark| {
        let (before, command) = row.split_once(mark)?;
        let is_prompt = before.is_empty() || before.contains('@') || before.contains('~') || before.ends_with(')');
        is_prompt.then_some((before, command))
    })?;
    let mut words = command.split_whitespace().skip_while(|word| *word == "sudo" || word.contains('='));
    let name = words.next()?.rsplit('/').next()?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+');
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
}

fn asking_tool(lower: &str) -> Option<&str> {
    let (name, _) = lower.split_once(": ")?;
    ["rm", "mv", "cp", "ln", "gzip", "gunzip", "unzip", "tar", "find", "rmdir"].into_iter().find(|tool| *tool == name)
}

/// `rm: remove regular file 'x'?`
fn tool_asks(lower: &str) -> bool {
    asking_tool(lower).is_some() && lower.ends_with('?')
}

/// `Stage this hunk [y,n,q,a,d,e,?]?`
fn hunk_asks(lower: &str) -> bool {
    lower.ends_with("?]?") && lower.contains("[y,n,q,a,d")
}

fn is_page(row: &str, lower: &str) -> bool {
    row == ":"
        || row.ends_with("(END)")
        || lower.starts_with("--more--")
        || lower.starts_with("manual page ")
        || (lower.starts_with("lines ") && lower.split_whitespace().nth(1).is_some_and(|span| span.contains('-')))
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let letter = |character: Option<char>| character.is_some_and(|character| character.is_ascii_alphanumeric());
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !letter(before) && !letter(after)
    })
}
