//! AppleScript: what it tells the shell and other applications.

use signoff_model::{Dialect, Span, Unread};

use super::{
    LONGEST_SCRIPT,
    lexer::{Part, Token, lex},
    readable, rules,
};
use crate::{
    shell::{Language, Shell},
    value::{Arg, Feed, Origin, Value},
};

/// Reads a script.
pub(super) fn run(shell: &mut Shell<'_>, text: &str, span: Span, stdin: &Feed) -> Feed {
    let (text, whole) = readable(text, LONGEST_SCRIPT);
    if !whole {
        shell.opaque(Unread::LongCode("AppleScript".to_owned()), span);
    }
    let tokens = lex(text, Language::AppleScript).all;
    let word = |index: usize| match tokens.get(index) {
        Some(Token::Name(name)) => name.to_ascii_lowercase(),
        _ => String::new(),
    };
    for index in 0..tokens.len() {
        match word(index).as_str() {
            "script" if index >= 2 && word(index - 1) == "shell" && word(index - 2) == "do" => {
                let (code, admin) = shell_text(&tokens, index + 1);
                let arg = Arg { value: code, span };
                let stdin = stdin.clone();
                shell.subshell(|shell| shell.run_text(&arg, Dialect::Sh, stdin));
                if admin {
                    shell.tell(&rules::CODE_SYSTEM, "with administrator privileges", span);
                }
            }
            "script" if index >= 1 && word(index - 1) == "do" => {
                // `do script "…"` types into a terminal.
                let (code, _) = shell_text(&tokens, index + 1);
                shell.subshell(|shell| shell.run_text(&Arg { value: code, span }, Dialect::Sh, Feed::none()));
            }
            "script" if index >= 1 && word(index - 1) == "run" => {
                shell.opaque(Unread::Part("run script".to_owned()), span)
            }
            "keystroke" | "click" => shell.tell(&rules::KEYSTROKES, word(index), span),
            "code" if index >= 1 && word(index - 1) == "key" => shell.tell(&rules::KEYSTROKES, "key code", span),
            "delete" | "empty" | "shut" | "restart" | "send" | "erase" | "eject" | "log"
                if speaks_to_application(&tokens, index) && (word(index) != "log" || word(index + 1) == "out") =>
            {
                shell.tell(&rules::APPLICATION_CHANGE, word(index), span);
            }
            _ => {}
        }
    }
    Feed::from(Origin::Program("osascript".into()))
}

/// Reads what a script of JavaScript tells other applications, beside what it does as any script does. What it calls of the
/// system through the bridge to Objective-C is not read.
pub(super) fn run_javascript(shell: &mut Shell<'_>, text: &str, span: Span) {
    let (text, _) = readable(text, LONGEST_SCRIPT);
    let tokens = lex(text, Language::JavaScript).all;
    let names = |wanted: &str| {
        let first = |name: &str| name.split('.').next() == Some(wanted);
        tokens.iter().any(|token| matches!(token, Token::Name(name) if first(name)))
    };
    if ["ObjC", "$"].into_iter().any(names) {
        shell.opaque(Unread::Part("ObjC".to_owned()), span);
    }
    if !names("Application") {
        return;
    }
    for (index, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        if !matches!(tokens.get(index + 1), Some(Token::Open('('))) {
            continue;
        }
        let verb = name.rsplit('.').next().unwrap_or(name);
        match verb {
            "doScript" => {
                let (code, _) = shell_text(&tokens, index + 1);
                shell.subshell(|shell| shell.run_text(&Arg { value: code, span }, Dialect::Sh, Feed::none()));
            }
            "keystroke" | "keyCode" | "click" => shell.tell(&rules::KEYSTROKES, verb, span),
            "delete" | "emptyTrash" | "empty" | "shutDown" | "restart" | "logOut" | "send" | "erase" | "eject" => {
                shell.tell(&rules::APPLICATION_CHANGE, verb, span);
            }
            _ => {}
        }
    }
}

/// Whether a word is a command for an application, not a variable.
fn speaks_to_application(tokens: &[Token], index: usize) -> bool {
    let told =
        tokens.iter().take(index).any(|token| matches!(token, Token::Name(name) if name.eq_ignore_ascii_case("tell")));
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    let leads = match before {
        Some(Token::End) | None => true,
        Some(Token::Name(name)) => matches!(&*name.to_ascii_lowercase(), "to" | "then" | "else"),
        Some(Token::Text(_)) => true,
        _ => false,
    };
    told && leads
}

/// The text behind `do shell script`, put together with `&`, and whether it runs as root.
fn shell_text(tokens: &[Token], from: usize) -> (Value, bool) {
    let mut value = Value::default();
    let mut admin = false;
    for token in tokens.get(from..).unwrap_or_default() {
        match token {
            Token::Text(parts) => {
                for part in parts {
                    match part {
                        Part::Text(text) | Part::Code(text) => value.extend(Value::text(text.clone())),
                    }
                }
            }
            Token::Sign("&") | Token::Open(_) | Token::Close(_) => {}
            Token::Name(name) if name.eq_ignore_ascii_case("administrator") => admin = true,
            Token::Name(name)
                if matches!(
                    &*name.to_ascii_lowercase(),
                    "with" | "privileges" | "quoted" | "form" | "of" | "password" | "user" | "name"
                ) => {}
            Token::Name(name) => value.extend(Value::unknown(name.to_string(), Vec::new())),
            _ => break,
        }
    }
    (value, admin)
}
