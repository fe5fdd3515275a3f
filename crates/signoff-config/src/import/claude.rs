//! The permissions of Claude Code: `permissions.allow`, `deny` and `ask` of its settings.

use serde_json::Value;
use signoff_model::{Digest, Verdict};

use super::{Imported, LeftOut, NotSettings, entries};
use crate::{fault::Words, settings::quoted};

/// Makes rules from the text of a settings file of Claude Code.
///
/// Each entry becomes one rule with `imported_from = "claude"`, so that it lifts nothing that is critical or blocked.
///
/// # Errors
///
/// When the text is no JSON object.
pub fn claude(text: &str) -> Result<Imported, NotSettings> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let settings: Value = serde_json::from_str(text).map_err(|error| not_settings(&error.to_string()))?;
    let Value::Object(settings) = settings else { return Err(not_settings("there is no object in it")) };
    let mut imported = Imported::default();
    let permissions = match settings.get("permissions") {
        None => return Ok(imported),
        Some(Value::Object(permissions)) => permissions,
        Some(_) => return Err(not_settings("`permissions` is no object")),
    };
    for (list, verdict) in [("deny", Verdict::Block), ("ask", Verdict::Ask), ("allow", Verdict::Allow)] {
        match permissions.get(list) {
            None => {}
            Some(Value::Array(entries)) => entries.iter().for_each(|entry| carry(&mut imported, list, verdict, entry)),
            Some(other) => imported.leave_out(list, other, Words::new("this is no list", "这不是列表")),
        }
    }
    for (key, value) in permissions.iter().filter(|(key, _)| !matches!(key.as_str(), "allow" | "deny" | "ask")) {
        let reason = Words::new(
            "this is no permission; `policy.posture` says how careful Signoff is",
            "这不是权限条目；Signoff 的谨慎程度由 `policy.posture` 决定",
        );
        imported.leave_out(key, value, reason);
    }
    Ok(imported)
}

impl Imported {
    fn leave_out(&mut self, list: &str, entry: &Value, reason: Words) {
        let entry = entry.as_str().map_or_else(|| entry.to_string(), str::to_owned);
        self.left_out.push(LeftOut { list: list.to_owned(), entry, reason });
    }
}

fn carry(imported: &mut Imported, list: &str, verdict: Verdict, entry: &Value) {
    let Some(text) = entry.as_str() else {
        return imported.leave_out(list, entry, Words::new("this is no text", "这不是文本"));
    };
    match entries::conditions(text, verdict) {
        Err(reason) => imported.leave_out(list, entry, reason),
        Ok(conditions) => {
            let digest = Digest::of(text.as_bytes()).to_string();
            let id = format!("claude-{list}-{}", digest.get(..8).unwrap_or_default());
            let begins = format!("id = {}\n", quoted(&id));
            // The same entry twice is one rule.
            if imported.toml.contains(&begins) {
                return;
            }
            let rule = format!(
                "[[policy.rule]]\n{begins}message = {}\nmessage_zh = {}\nverdict = {}\nimported_from = \"claude\"\n{conditions}\n",
                quoted(&format!("Claude Code's settings {list} {text}")),
                quoted(&format!("来自 Claude Code 的设置（{list}）：{text}")),
                quoted(verdict.name()),
            );
            imported.toml.push_str(&rule);
            imported.carried += 1;
        }
    }
}

fn not_settings(why: &str) -> NotSettings {
    NotSettings {
        message: Words::new(
            format!("these are not the settings of Claude Code: {why}"),
            format!("这不是 Claude Code 的设置文件：{why}"),
        ),
        hint: Words::new("give a file such as `~/.claude/settings.json`", "请指定如 `~/.claude/settings.json` 的文件"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::claude;
    use crate::read_text;

    #[test]
    fn entries_become_rules_that_can_be_read() {
        for (list, entry, expected) in [
            ("allow", "Bash(npm run build)", Some(r#"commands = ["npm run build"]"#)),
            ("allow", "Bash(npm run test:*)", Some(r#"commands = ["npm run test *"]"#)),
            ("allow", "Bash(npm *)", Some(r#"commands = ["npm *"]"#)),
            ("allow", "Bash(npm run test*)", Some(r#"commands = ["npm run test* *"]"#)),
            ("allow", "Bash(git * main)", Some(r#"commands = ["git * main"]"#)),
            ("deny", "Bash(git * main)", None),
            ("deny", "Bash(git push:*)", Some(r#"commands = ["git push *"]"#)),
            ("deny", "Bash", Some(r#"tools = ["shell_execute"]"#)),
            ("ask", "Bash(*)", Some(r#"tools = ["shell_execute"]"#)),
            ("allow", "Bash", None),
            ("allow", "Bash(*)", None),
            ("allow", "Bash(:*)", None),
            ("allow", "Bash(sudo:*)", None),
            ("allow", "Bash(/bin/bash:*)", None),
            ("allow", "Bash(git status && rm x)", None),
            ("allow", "Bash(FOO=1 npm test)", None),
            ("allow", "Bash(echo $HOME)", None),
            ("allow", "Bash()", None),
            ("deny", "Read(./.env)", Some("effects = [\"read\", \"secret-read\"]\npaths = [\".env/**\"]")),
            ("deny", "Read(.env)", Some("effects = [\"read\", \"secret-read\"]\npaths = [\"**/.env/**\"]")),
            ("deny", "Read(~/.ssh/**)", Some("effects = [\"read\", \"secret-read\"]\npaths = [\"~/.ssh/**\"]")),
            ("deny", "Read(//etc/passwd)", Some("effects = [\"read\", \"secret-read\"]\npaths = [\"/etc/passwd/**\"]")),
            ("allow", "Read(/src/**)", Some("effects = [\"read\"]\npaths = [\"src/**\"]")),
            ("allow", "Edit(docs/**)", Some("effects = [\"read\", \"create\", \"overwrite\"]\npaths = [\"docs/**\"]")),
            ("deny", "Read(a[bc])", None),
            ("deny", "Read(../x)", None),
            ("allow", "Edit", None),
            (
                "deny",
                "Edit",
                Some(
                    r#"tools = ["create_file", "write_file", "edit_file", "append_file", "overwrite_file", "truncate_file"]"#,
                ),
            ),
            ("allow", "WebFetch(domain:example.com)", None),
            ("allow", "WebSearch", Some(r#"tools = ["WebSearch"]"#)),
            ("allow", "mcp__db__query", Some(r#"tools = ["mcp__db__query"]"#)),
            ("deny", "mcp__db", Some(r#"tools = ["mcp__db", "mcp__db__*"]"#)),
            ("deny", "mcp__db__*", Some(r#"tools = ["mcp__db__*"]"#)),
            ("allow", "Task(x)", None),
            ("allow", "*", None),
            ("allow", "", None),
            ("allow", "Bash(git status", None),
        ] {
            let imported = claude(&json!({"permissions": {list: [entry]}}).to_string()).unwrap();
            match expected {
                Some(conditions) => {
                    assert!(imported.toml.contains(conditions), "{list} {entry}: {}", imported.toml);
                    assert_eq!((imported.carried, imported.left_out.len()), (1, 0), "{list} {entry}");
                    let settings = read_text(&imported.toml, Path::new("imported.toml")).unwrap();
                    assert_eq!(settings.rules.len(), 1);
                }
                None => {
                    assert_eq!(imported.toml, "", "{list} {entry}");
                    assert_eq!(imported.left_out.len(), 1, "{list} {entry}");
                }
            }
        }
    }

    #[test]
    fn everything_is_carried_or_listed() {
        let text = json!({
            "hooks": {},
            "permissions": {
                "allow": ["Bash(ls)", "Bash(ls)", 3],
                "deny": "x",
                "defaultMode": "bypassPermissions",
                "additionalDirectories": ["/tmp"],
            }
        });
        let imported = claude(&format!("\u{feff}{text}")).unwrap();
        assert_eq!(imported.carried, 1);
        let mut left: Vec<_> = imported.left_out.iter().map(|left| left.list.as_str()).collect();
        left.sort_unstable();
        assert_eq!(left, ["additionalDirectories", "allow", "defaultMode", "deny"]);
    }

    #[test]
    fn what_is_no_settings_file_is_an_error() {
        for text in ["", "[]", "{", "permissions", r#"{"permissions": []}"#, &"[".repeat(10_000)] {
            let error = claude(text).unwrap_err();
            assert!(!error.hint.english.is_empty() && !error.hint.chinese.is_empty());
        }
        assert_eq!(claude("{}").unwrap().carried, 0);
    }

    #[test]
    fn odd_characters_stay_inside_their_text() {
        let entry = "mcp__a\"\n[policy]\nposture = \"permissive\"\u{7f}\\__b";
        let imported = claude(&json!({"permissions": {"deny": [entry]}}).to_string()).unwrap();
        let settings = read_text(&imported.toml, Path::new("imported.toml")).unwrap();
        assert_eq!(settings.posture.value, signoff_policy::Posture::Balanced);
    }
}
