//! Text that shows its reader something other than what would run is a reason to ask by itself, whatever it does.

use signoff_model::{EffectKind, Risk};

use crate::{
    disguise::{self, Disguise, Disguised},
    findings::Findings,
    path_effects::rules,
    rule::{Priority, Rule},
};

/// At most this many characters are reported; one is enough to ask.
const REPORTED: usize = 16;

rules! {
    HIDDEN_CHARACTERS = Rule::new("hidden-characters", EffectKind::Opaque, Risk::High, "hides or turns around what it says, with {}", "用 {} 隐藏或颠倒了内容")
        .priority(Priority::P0)
        .examples(&["rm\u{200b} -rf data", "cat notes.txt\0; ls", "echo \u{202e}txt.exe", "ls \x1b[2K"], &["echo '修复完成 ✅'", "echo '👩\u{200d}💻'"]);
    LOOK_ALIKES = Rule::new("look-alike-characters", EffectKind::Opaque, Risk::Medium, "uses {}, which looks like another character", "使用了与其他字符相似的 {}")
        .priority(Priority::P0)
        .examples(&["git rеset", "ls –la", "ls\u{a0}src"], &["git commit -m 'исправил ошибку'", "echo 'café'"]);
    NO_TEXT = Rule::new("undecodable-text", EffectKind::Opaque, Risk::Medium, "contains bytes that are no text ({}), so that nobody can be shown what would run", "包含无法解码的字节（{}），无法显示将要运行的内容")
        .priority(Priority::P0)
        .examples(&["echo \u{fffd}"], &["echo ok"]);
}

/// Reports whatever in the text deceives its reader.
pub(crate) fn look(text: &str, findings: &mut Findings) {
    let deceptive = disguise::find(text).filter_map(|disguised| Some((rule(disguised, text)?, disguised)));
    for (rule, disguised) in deceptive.take(REPORTED) {
        findings.remark(rule, format!("U+{:04X}", u32::from(disguised.character)), disguised.span);
    }
}

fn rule(disguised: Disguised, text: &str) -> Option<&'static Rule> {
    match disguised.disguise {
        // The line ends of another system are a nuisance and deceive nobody.
        Disguise::Control if disguised.character == '\r' && text.as_bytes().get(disguised.span.end) == Some(&b'\n') => {
            None
        }
        Disguise::Control | Disguise::Direction | Disguise::Invisible => Some(&HIDDEN_CHARACTERS),
        Disguise::LookAlike => Some(&LOOK_ALIKES),
        Disguise::Undecodable => Some(&NO_TEXT),
        Disguise::Private => None,
    }
}

#[cfg(test)]
mod tests {
    use super::look;
    use crate::findings::Findings;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut findings = Findings::default();
        look(text, &mut findings);
        let assessment = findings.finish();
        let mut spoken: Vec<_> = assessment.reasons.iter().map(|reason| reason.rule.as_str()).collect();
        spoken.dedup();
        assert_eq!(spoken, expected, "{text:?}");
        assert!(assessment.effects.is_empty());
    }

    #[test]
    fn every_deception_is_a_reason() {
        check("rm\u{200b} -rf data", &["hidden-characters"]);
        check("git rеset", &["look-alike-characters"]);
        check("echo \u{fffd}", &["undecodable-text"]);
        check("echo \u{fffd}\u{202e}", &["hidden-characters", "undecodable-text"]);
        check(&"\u{202e}".repeat(10_000), &["hidden-characters"]);
    }

    #[test]
    fn what_is_only_unusual_is_none() {
        check("cat <<EOF\r\na\r\nEOF\r\n", &[]);
        check("echo '\u{e0b0} main'", &[]);
        check("echo '✅ 完成'", &[]);
        check("echo a\rb", &["hidden-characters"]);
    }
}
