//! Code among the arguments: in which language it is.

use super::{
    Reader,
    arguments::{Arguments, plain},
};
use crate::{lexicon::words, shell::Language};

/// Keys whose value may be code.
pub(super) const CODE: &[&str] =
    &["code", "script", "source", "expression", "function", "javascript", "python", "snippet", "eval", "js", "program"];

/// The language that the arguments or the name of the tool give.
pub(super) fn named(reader: &Reader<'_>, args: &Arguments) -> Option<Language> {
    let given = args.groups().into_iter().flatten().find_map(|(key, value)| {
        let key = plain(key);
        let says = ["language", "lang", "runtime", "interpreter", "kernel", "codelanguage"].contains(&key.as_str());
        value.as_str().filter(|_| says).and_then(language)
    });
    given.or_else(|| words(&reader.call.name).iter().find_map(|word| language(word)))
}

/// The languages that a text may be in; none if it does not look like code at all.
pub(super) fn sniffed(text: &str) -> Vec<Language> {
    let has = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    let mut found = Vec::new();
    if has(&[
        "require(",
        "=>",
        "const ",
        "let ",
        "document.",
        "process.",
        "fetch(",
        "function",
        "await ",
        "new ",
        "console.",
    ]) {
        found.push(Language::JavaScript);
    }
    if has(&["import ", "def ", "print(", "__import__", "os.", "subprocess", "open(", "eval(", "exec(", "shutil."]) {
        found.push(Language::Python);
    }
    if found.is_empty() && text.contains('(') && text.contains(')') {
        found.extend([Language::JavaScript, Language::Python]);
    }
    found
}

fn language(name: &str) -> Option<Language> {
    use signoff_model::Dialect;
    Some(match name.to_ascii_lowercase().as_str() {
        "python" | "python3" | "py" | "ipython" | "jupyter" => Language::Python,
        "javascript" | "js" | "node" | "nodejs" | "typescript" | "ts" | "deno" | "bun" => Language::JavaScript,
        "bash" | "shell" | "sh" => Language::Shell(Dialect::Bash),
        "zsh" => Language::Shell(Dialect::Zsh),
        "ruby" | "rb" => Language::Ruby,
        "perl" => Language::Perl,
        "php" => Language::Php,
        "lua" => Language::Lua,
        "powershell" | "pwsh" | "ps1" => Language::PowerShell,
        "applescript" | "osascript" => Language::AppleScript,
        "go" | "golang" => Language::Go,
        "rust" => Language::Rust,
        _ => return None,
    })
}
