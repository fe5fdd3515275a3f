//! The gate taken out of the settings of an agent: settings are changed for many reasons, but an edit that picks out what
//! names Signoff and drops it has only one.

use signoff_model::Span;

use super::{
    Call, Shell, Written,
    families::own::{self, names_signoff},
};
use crate::{
    path_effects,
    place::Nature,
    value::{Feed, Origin, Value},
};

/// What code says where it leaves something out.
const OMISSIONS: &[&str] = &[
    ".replace(",
    ".pop(",
    "del ",
    "delete ",
    " not in ",
    "!=",
    ".filter(",
    ".remove(",
    ".splice(",
    ".sub(",
    "unless",
    "reject",
    "delete_if",
    ".includes(",
    "delete(",
    "gsub(",
];

/// What a filter of structured texts says where it leaves something out.
const DELETIONS: &[&str] = &["del(", "delpaths(", "| not", "|not", "!=", "without", "sub("];

impl Shell<'_> {
    /// Keeps in mind that a command leaves out whatever names Signoff, if it has to do with the settings of an agent: other
    /// texts may lose the word as they like.
    pub(super) fn note_ungating(&mut self, call: &Call) {
        if self.ungated.is_none()
            && call.args.iter().any(|arg| names_signoff(&arg.shown()))
            && drops(call)
            && self.handles_settings(call)
        {
            self.ungated = Some(call.span);
        }
    }

    /// Whether a command is an agent, or reads, writes or names a file that decides what one may do.
    fn handles_settings(&self, call: &Call) -> bool {
        // Who only prints, commits or steers says the word and changes nothing that it is said of.
        if matches!(call.name.as_str(), "echo" | "printf" | "git" | "docker" | "podman") {
            return false;
        }
        let is_settings = |path: &str| self.place(&Value::text(path)).nature == Nature::AgentSettings;
        let is_copy = |path: &str| {
            let written = self.written(&self.place(&Value::text(path)).path).and_then(Written::content);
            written.is_some_and(|content| comes_from(&content, &is_settings))
        };
        own::is_agent(&call.name)
            || comes_from(&call.stdin, &is_settings)
            || call.args.iter().any(|arg| {
                let shown = arg.shown();
                let apart = |letter: char| letter.is_whitespace() || "'\"()=,;<>".contains(letter);
                shown
                    .split(apart)
                    .filter(|part| part.contains(['/', '.']))
                    .any(|part| is_settings(part) || is_copy(part))
            })
    }

    /// Says so if the settings of an agent change, and with that Signoff is taken out of them.
    pub(super) fn check_gate(&mut self) {
        let Some(span) = self.ungated else { return };
        let changes = [&path_effects::WRITE_AGENT, &own::AGENT_PERMISSIONS];
        let reasons = self.findings.reasons();
        if reasons.iter().any(|reason| changes.iter().any(|rule| reason.rule.as_str() == rule.id)) {
            let span: Span = self.blamed(span);
            self.tell(&own::OWN_PROCESS, "the settings of an agent", span);
        }
    }
}

fn comes_from(feed: &Feed, is_settings: &dyn Fn(&str) -> bool) -> bool {
    feed.origins.iter().any(|origin| match origin {
        Origin::File(path) | Origin::Exactly(path) | Origin::Secret(path) => is_settings(path),
        _ => false,
    })
}

/// Whether a command that names Signoff leaves it out of what it writes or prints.
fn drops(call: &Call) -> bool {
    let any = |wanted: &dyn Fn(&str) -> bool| {
        call.args.iter().any(|arg| {
            let text = arg.shown();
            names_signoff(&text) && wanted(&text)
        })
    };
    let has_word = |words: &[&str]| call.args.iter().any(|arg| arg.known().is_some_and(|text| words.contains(&text)));
    match call.name.as_str() {
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ugrep" | "ggrep" => call.args.iter().any(|arg| {
            let text = arg.value.prefix();
            text == "--invert-match" || text.starts_with('-') && !text.starts_with("--") && text.contains('v')
        }),
        "jq" | "yq" | "gojq" | "jaq" | "dasel" | "fx" | "tomlq" | "taplo" => {
            any(&|text| DELETIONS.iter().any(|deletion| text.contains(deletion)))
                || has_word(&["d", "delete", "rm", "unset", "remove"])
        }
        // Agents and managers of settings have words for it.
        _ if has_word(&["remove", "rm", "delete", "uninstall", "disable", "unset", "--unset", "off"]) => true,
        _ => any(&|text| is_picked(text) || OMISSIONS.iter().any(|omission| text.contains(omission))),
    }
}

/// Whether a script for an editor of lines looks for Signoff: it stands in an address or is what is replaced, and not what
/// comes instead.
fn is_picked(script: &str) -> bool {
    let is_start = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_ascii_alphanumeric());
    let lower = script.to_ascii_lowercase();
    lower.match_indices("signoff").any(|(at, _)| {
        let before = lower.get(..at).unwrap_or_default();
        let Some(delimiter) = before.rfind(['/', '|', '#', '@']) else { return false };
        let mut letters = before.get(..delimiter).unwrap_or_default().chars().rev();
        match letters.next() {
            Some('s' | 'g' | 'v' | 'm') => is_start(letters.next()),
            other => is_start(other),
        }
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn an_edit_that_drops_the_gate_from_settings_is_blocked() {
        check(
            Block,
            &[
                "sed -i '/signoff/d' ~/.codex/config.toml ~/.claude/settings.json",
                "sed -i 's/signoff//g' ~/.claude/settings.json",
                "sed -i '' -e '/signoff hook/,+3d' .claude/settings.json",
                "perl -ni -e 'print unless /signoff/' ~/.codex/config.toml",
                "grep -v signoff ~/.codex/config.toml > /tmp/c && mv /tmp/c ~/.codex/config.toml",
                "grep -v signoff .claude/settings.json | sponge .claude/settings.json",
                r#"jq 'del(.hooks.PreToolUse[]|select(.command|test("signoff")))' ~/.claude/settings.json | sponge ~/.claude/settings.json"#,
                r#"jq 'del(.hooks.PreToolUse[] | select(.command|test("signoff")))' .claude/settings.json > /tmp/s && cp /tmp/s .claude/settings.json"#,
                r#"jq '.hooks.PreToolUse |= map(select(.command | contains("signoff") | not))' .claude/settings.json > t && mv t .claude/settings.json"#,
                "yq -i 'del(.mcpServers.signoff)' .mcp.json",
                "jq 'del(.mcpServers.signoff)' ~/.claude.json > /tmp/x && mv /tmp/x ~/.claude.json",
                "awk '!/signoff/' ~/.codex/config.toml > /tmp/c; cp /tmp/c ~/.codex/config.toml",
                r#"python3 -c "import re;p='/home/user/.claude/settings.json';s=open(p).read();open(p,'w').write(s.replace('signoff',''))""#,
                "cat ~/.claude/settings.json | grep -v signoff > /tmp/c; mv /tmp/c ~/.claude/settings.json",
                "cp ~/.claude/settings.json /tmp/s; grep -v signoff /tmp/s > /tmp/t; cp /tmp/t ~/.claude/settings.json",
                "F=~/.claude/settings.json; sed -i '/signoff/d' \"$F\"",
                "cd ~/.claude && sed -i '/signoff/d' settings.json",
                "grep -v signoff < ~/.codex/config.toml > /tmp/c && mv /tmp/c ~/.codex/config.toml",
                "claude mcp remove signoff",
                "codex mcp remove signoff",
            ],
        );
    }

    #[test]
    fn other_edits_and_a_look_are_judged_by_what_they_do() {
        check(
            Ask,
            &[
                r#"sed -i 's/"model": "a"/"model": "b"/' ~/.claude/settings.json"#,
                r#"jq '.hooks.PreToolUse += [{"command":"signoff hook"}]' .claude/settings.json > /tmp/s && cp /tmp/s .claude/settings.json"#,
                "sed -i '/deny/d' ~/.claude/settings.json",
                "git commit -m 'hooks: delete signoff entry' && echo '{}' > .claude/settings.local.json",
                "echo 'please delete signoff notes' && jq '.model=\"x\"' ~/.claude/settings.json | sponge ~/.claude/settings.json",
                "docker rm -f signoff-test; claude config set theme dark",
                "grep -rv signoff docs | head; claude config set -g theme dark",
            ],
        );
        check(
            Allow,
            &[
                "grep signoff ~/.claude/settings.json",
                "sed -i '/signoff/d' notes.md",
                "grep -v signoff ~/.claude/settings.json",
            ],
        );
    }
}
