//! The words of a question in the language of whoever is asked. What decides stays as it is: only what people read is
//! put into words here, with every deceptive character in it made visible.

use signoff_analysis::rule;
use signoff_model::{Assessment, Coverage, Decision, Reason, Risk, Target, Unread, Verdict};
use signoff_policy::{Judgement, Says, Voice};

use crate::{Detail, Language, effects, names, rule_message, rule_text, texts::Texts, visible::visible};

/// The decision in the words of a language. The answer that has to be typed is not touched.
pub fn in_words(judgement: &Judgement, assessment: &Assessment, command: &str, language: Language) -> Decision {
    let texts = Texts::of(language);
    let why = || why(judgement, assessment, command, language);
    match &judgement.decision {
        Decision::ExecuteDirectly => Decision::ExecuteDirectly,
        Decision::RequireConfirmation { warning_level, .. } => {
            Decision::RequireConfirmation { reason: why(), warning_level: *warning_level }
        }
        Decision::RequireChoice { options, default, .. } => {
            Decision::RequireChoice { question: why(), options: options.clone(), default: *default }
        }
        Decision::RequireInput { placeholder, validation, .. } => {
            let to_type = texts.type_this.replace("{}", &visible(validation));
            Decision::RequireInput {
                prompt: format!("{}{}{to_type}", why(), texts.semicolon),
                placeholder: visible(placeholder),
                validation: validation.clone(),
            }
        }
        Decision::Reject { suggestion, .. } => {
            Decision::Reject { reason: why(), suggestion: suggestion.as_deref().map(visible) }
        }
    }
}

/// What a reason says about an operation, in a language.
pub fn reason_message(reason: &Reason, assessment: &Assessment, language: Language) -> String {
    let Some(rule) = rule::find(reason.rule.as_str()) else { return visible(&reason.message) };
    // What a program lists is no pattern, although the rule speaks of both in the same words.
    let listed = assessment.effects.iter().find(|effect| {
        let is_listed = matches!(effect.target, Target::Listed { .. });
        is_listed && effect.span == reason.span && effect.kind == rule.kind
    });
    let pattern = Texts::of(language).matches;
    match (listed, rule_text(rule, language).split_once(pattern)) {
        (Some(effect), Some((before, after))) => {
            let space = if before.is_empty() || before.ends_with(' ') { "" } else { " " };
            format!("{before}{space}{}{after}", effects::name(&effect.target, language))
        }
        _ => rule_message(rule, &reason.subject, language),
    }
}

/// What a configured rule says, in a language as far as its writer knew it.
pub fn voice_message(voice: &Voice, language: Language) -> String {
    let written = match (language, &voice.message_zh) {
        (Language::Chinese, Some(chinese)) => chinese,
        (Language::Chinese, None) | (Language::English, _) => &voice.message,
    };
    let message = visible(written);
    match voice.says {
        Says::MayRaise(_) => Texts::of(language).may_be_meant.replace("{}", &message),
        Says::Raises(_) | Says::Lifts(_) | Says::WaivesQuestions => message,
    }
}

/// Why it asks or refuses: the configured rule that wants it so, else the first of the gravest reasons that are left, else
/// what could not be read, else what would change.
fn why(judgement: &Judgement, assessment: &Assessment, command: &str, language: Language) -> String {
    let texts = Texts::of(language);
    let verdict = judgement.decision.verdict();
    if let Some(voice) = &judgement.raised_by {
        return voice_message(voice, language);
    }
    let gravest =
        |all: &mut dyn DoubleEndedIterator<Item = &Reason>| all.rev().max_by_key(|reason| reason.risk).cloned();
    let left = gravest(&mut assessment.reasons.iter().filter(|reason| !judgement.lifts(reason)));
    if let Some(reason) = &left.or_else(|| gravest(&mut assessment.reasons.iter())) {
        return reason_message(reason, assessment, language);
    }
    if let (Verdict::Ask, Coverage::Partial(gaps)) = (verdict, &assessment.coverage) {
        let unread = gaps.first().map(|gap| names::of_unread(&gap.what, language));
        let unread = unread.unwrap_or_else(|| names::of_unread(&Unread::Rest, language));
        return texts.part_unread.replace("{}", &unread);
    }
    match verdict {
        Verdict::Ask if assessment.risk > Risk::None => {
            let (rows, _) = effects::draw(assessment, command, Detail::Brief, language);
            let changes: Vec<String> = rows.iter().map(|row| format!("{} {}", row.label, row.text)).collect();
            let mut parts = changes.join(texts.semicolon);
            if !parts.is_empty() {
                parts.push_str(texts.semicolon);
            }
            parts + texts.posture_asks
        }
        Verdict::Ask => texts.policy_asks.to_owned(),
        Verdict::Allow | Verdict::Block => texts.forbidden.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::{
        Assessment, Choice, Coverage, Decision, Effect, EffectKind, Gap, Reason, Reversible, Risk, RuleId, Scope, Span,
        Target, Unread, WarningLevel,
    };

    use super::{in_words, reason_message};
    use crate::Language;

    const TRICK: &str = "a\u{202e}b\u{200b}\x1b[2J\u{e0041}";

    fn forms() -> [Decision; 4] {
        let text = || TRICK.to_owned();
        [
            Decision::RequireConfirmation { reason: text(), warning_level: WarningLevel::Danger },
            Decision::RequireChoice { question: text(), options: vec![Choice::Cancel], default: Choice::Cancel },
            Decision::RequireInput { prompt: text(), placeholder: text(), validation: text() },
            Decision::Reject { reason: text(), suggestion: Some(text()) },
        ]
    }

    fn reason(rule: &'static str) -> Reason {
        Reason {
            rule: RuleId::new(rule),
            message: TRICK.to_owned(),
            subject: TRICK.into(),
            risk: Risk::High,
            span: Span::new(0, 1),
        }
    }

    fn assessments() -> Vec<Assessment> {
        let gap = Gap { what: Unread::Script(TRICK.to_owned()), span: Span::new(0, 1) };
        let effect = Effect {
            kind: EffectKind::Create,
            target: Target::Path(TRICK.to_owned()),
            scope: Scope::Project,
            reversible: Reversible::Yes,
            span: Span::new(0, 1),
        };
        vec![
            Assessment::default(),
            Assessment { reasons: vec![reason("delete-root")], ..Assessment::default() },
            Assessment { reasons: vec![reason("no-such-rule")], ..Assessment::default() },
            Assessment { coverage: Coverage::Partial(vec![gap]), ..Assessment::default() },
            Assessment { effects: vec![effect], risk: Risk::Low, ..Assessment::default() },
        ]
    }

    fn texts(decision: Decision) -> Vec<String> {
        match decision {
            Decision::ExecuteDirectly => Vec::new(),
            Decision::RequireConfirmation { reason, .. } => vec![reason],
            Decision::RequireChoice { question, .. } => vec![question],
            Decision::RequireInput { prompt, placeholder, .. } => vec![prompt, placeholder],
            Decision::Reject { reason, suggestion } => [Some(reason), suggestion].into_iter().flatten().collect(),
        }
    }

    #[test]
    fn no_form_of_a_question_shows_what_deceives() {
        let mut said = 0;
        for language in Language::ALL {
            for assessment in assessments() {
                for form in forms() {
                    for text in texts(in_words(&form.clone().into(), &assessment, TRICK, language)) {
                        said += 1;
                        assert!(!text.contains(['\u{202e}', '\u{200b}', '\x1b', '\u{e0041}']), "{text:?}");
                        assert!(!text.is_empty() && !text.contains("{}"), "{text:?}");
                    }
                }
            }
        }
        assert_eq!(said, 2 * 5 * 6);
        let [.., input, _] = forms();
        let Decision::RequireInput { validation, .. } =
            in_words(&input.into(), &Assessment::default(), "", Language::English)
        else {
            panic!("the form changed")
        };
        assert_eq!(validation, TRICK, "what has to be typed is compared as it is");
    }

    #[test]
    fn what_a_program_lists_is_no_pattern() {
        for (rule, kind, expected) in [
            (
                "bulk-delete",
                EffectKind::Delete,
                ["deletes whatever find lists under /srv", "删除 find 在 /srv 下列出的一切"],
            ),
            (
                "bulk-write",
                EffectKind::Overwrite,
                ["changes whatever find lists under /srv", "更改 find 在 /srv 下列出的一切"],
            ),
            ("bulk-move", EffectKind::Move, ["moves whatever find lists under /srv", "移动 find 在 /srv 下列出的一切"]),
        ] {
            let target = Target::Listed { by: "find".to_owned(), under: "/srv".to_owned() };
            let span = Span::new(0, 1);
            let effect = Effect { kind, target, scope: Scope::Outside, reversible: Reversible::No, span };
            let reason = Reason { subject: "/srv/**".into(), ..reason(rule) };
            let listed = Assessment { effects: vec![effect], ..Assessment::default() };
            assert_eq!(Language::ALL.map(|language| reason_message(&reason, &listed, language)), expected);
            let matched = reason_message(&reason, &Assessment::default(), Language::English);
            assert!(matched.ends_with("whatever matches /srv/**"), "{matched}");
        }
    }

    #[test]
    fn a_change_that_no_rule_speaks_about_is_named() {
        let effect = |name: &str| Effect {
            kind: EffectKind::Create,
            target: Target::Path(name.to_owned()),
            scope: Scope::Project,
            reversible: Reversible::Yes,
            span: Span::new(0, 1),
        };
        let assessment = Assessment { effects: vec![effect("a")], risk: Risk::Low, ..Assessment::default() };
        let [confirmation, ..] = forms();
        let said = Language::ALL
            .map(|language| texts(in_words(&confirmation.clone().into(), &assessment, "touch a", language)).remove(0));
        assert_eq!(
            said,
            [
                "creates a; the strict posture and low trust ask about every change",
                "新建 a；严格策略或低信任等级会询问每项更改"
            ]
        );
    }
}
