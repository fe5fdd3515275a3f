//! What the user has said last, out of the file in which a client writes that down. It is read from its end, as far as is worth the
//! while; what cannot be read says nothing.

use std::{
    fs::{File, OpenOptions},
    io::{Read as _, Seek as _, SeekFrom},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use rustix::fs::OFlags;
use serde_json::Value;

/// So much is read from the end of the file.
const READ_AT_MOST: u64 = 512 * 1024;
/// So much of what the user has said is handed on.
const WORDS_AT_MOST: usize = 4_000;

/// What the user has said last, according to such a file.
pub fn last_words(path: &Path) -> Option<String> {
    let text = tail(path)?;
    text.lines().rev().find_map(said_in)
}

/// The end of a file, from the first whole line on.
fn tail(path: &Path) -> Option<String> {
    // What is no file is not waited for.
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let mut file: File = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let about = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let begin = about.len().saturating_sub(READ_AT_MOST);
    file.seek(SeekFrom::Start(begin)).ok()?;
    let mut bytes = Vec::new();
    file.take(READ_AT_MOST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match begin {
        0 => Some(text),
        _ => text.split_once('\n').map(|(_, rest)| rest.to_owned()),
    }
}

/// What the user says in a line; none where it is about something else.
fn said_in(line: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    // What a client puts in by itself is not the user's.
    if line.get("isMeta").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let message = ["/payload", "/message"].into_iter().find_map(|pointer| line.pointer(pointer)).unwrap_or(&line);
    let is = |value: &Value, name: &str| {
        value.get(name).and_then(Value::as_str).is_some_and(|who| matches!(who, "user" | "user_message"))
    };
    if !(is(message, "role") || is(&line, "type") || is(message, "type")) {
        return None;
    }
    let content = ["content", "parts", "message", "text"].into_iter().find_map(|name| message.get(name))?;
    let words = match content {
        Value::String(words) => words.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part.get("tool_use_id").is_none());
            let texts: Vec<&str> = texts.filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            texts.join("\n")
        }
        _ => return None,
    };
    let words = words.trim();
    // What stands in angle brackets was put there by the client.
    (!words.is_empty() && !words.starts_with('<')).then(|| words.chars().take(WORDS_AT_MOST).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::fs;

    use super::*;

    fn words(lines: &[&str]) -> Option<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.jsonl");
        fs::write(&path, lines.join("\n")).unwrap();
        last_words(&path)
    }

    #[test]
    fn the_last_words_are_found_in_every_form() {
        for (line, expected) in [
            (r#"{"type":"user","message":{"role":"user","content":"clean up"}}"#, Some("clean up")),
            (
                r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"clean up"}]}}"#,
                Some("clean up"),
            ),
            (
                r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"清理一下"}]}}"#,
                Some("清理一下"),
            ),
            (r#"{"type":"event_msg","payload":{"type":"user_message","message":"go"}}"#, Some("go")),
            (r#"{"type":"user","message":{"parts":[{"text":"go"}]}}"#, Some("go")),
            (r#"{"type":"user","content":"go"}"#, Some("go")),
            (r#"{"type":"user","isMeta":true,"message":{"role":"user","content":"x"}}"#, None),
            (
                r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","text":"x"}]}}"#,
                None,
            ),
            (r#"{"type":"assistant","message":{"role":"assistant","content":"x"}}"#, None),
            ("no json", None),
        ] {
            assert_eq!(words(&[line]).as_deref(), expected, "{line}");
        }
        let user = |words: &str| format!(r#"{{"type":"user","message":{{"role":"user","content":"{words}"}}}}"#);
        let later = r#"{"type":"assistant","message":{"role":"assistant","content":"later"}}"#;
        assert_eq!(words(&[&user("first"), &user("second"), later]).as_deref(), Some("second"));
    }

    #[test]
    fn only_the_end_of_a_file_is_read_and_nothing_that_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.jsonl");
        let line = r#"{"type":"user","message":{"role":"user","content":"old"}}"#;
        fs::write(&path, format!("{line}\n{}", "x".repeat(600 * 1024))).unwrap();
        assert_eq!(last_words(&path), None);
        assert_eq!(last_words(directory.path()), None);
        assert_eq!(last_words(Path::new("/dev/zero")), None);
        assert_eq!(last_words(Path::new("/nonexistent/x")), None);
    }
}
