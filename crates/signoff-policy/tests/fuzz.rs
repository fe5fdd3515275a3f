//! The fuzz target of the decision: assessments and contexts out of bytes, also such as no analysis makes. In `cargo test`
//! it runs for a moment; `cargo bolero test any_assessment_is_decided` runs it under a fuzzing engine.

#![allow(clippy::expect_used, reason = "a list without anything in it must fail the test")]

use signoff_model::{
    Alternative, Assessment, Choice, Coverage, Decision, Effect, EffectKind, Gap, Prohibition, Reason, Reversible,
    Risk, RuleId, Scope, Span, Target, Trust, Unread, Verdict,
};
use signoff_policy::{Context, GrantMatch, Posture, decide};

/// Takes values out of bytes; behind their end everything is the first of its kind.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        usize::from(*first)
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        let at = self.next();
        all.iter().cycle().nth(at).cloned().expect("there is one to take")
    }

    fn several<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.next() % 4).map(|_| one(self)).collect()
    }

    fn span(&mut self) -> Span {
        let start = self.next();
        Span::new(start, start + self.next())
    }

    fn name(&mut self) -> String {
        const NAMES: &[&str] = &["src", "", " ", "/", "a b", "数据", "a\u{202e}b", "\n", "\0", "`x`", "{}", "y"];
        let name = self.one_of(NAMES);
        if self.next().is_multiple_of(16) { name.repeat(70) } else { name.to_owned() }
    }

    fn assessment(&mut self) -> Assessment {
        const RISKS: &[Risk] = &[Risk::None, Risk::Low, Risk::Medium, Risk::High, Risk::Critical];
        const KINDS: &[EffectKind] = &[
            EffectKind::Read,
            EffectKind::Create,
            EffectKind::Delete,
            EffectKind::Overwrite,
            EffectKind::Move,
            EffectKind::HistoryRewrite,
            EffectKind::DatabaseWrite,
            EffectKind::DatabaseSchema,
            EffectKind::Execute,
            EffectKind::Publish,
            EffectKind::SecretRead,
            EffectKind::System,
        ];
        const SCOPES: &[Scope] =
            &[Scope::Project, Scope::Temp, Scope::Home, Scope::System, Scope::Outside, Scope::Remote, Scope::Unknown];
        const UNDONE: &[Reversible] =
            &[Reversible::Yes, Reversible::WithGit, Reversible::WithBackup, Reversible::Unknown, Reversible::No];
        let target = |bytes: &mut Self| match bytes.next() % 6 {
            0 => Target::Path(bytes.name()),
            1 => Target::Matches(bytes.name()),
            2 => Target::Listed { by: bytes.name(), under: bytes.name() },
            3 => Target::Named(bytes.name()),
            4 => Target::Unresolved(bytes.name()),
            _ => Target::DefaultRemote,
        };
        Assessment {
            effects: self.several(|bytes| Effect {
                kind: bytes.one_of(KINDS),
                target: target(bytes),
                scope: bytes.one_of(SCOPES),
                reversible: bytes.one_of(UNDONE),
                span: bytes.span(),
            }),
            risk: self.one_of(RISKS),
            prohibition: self.one_of(&[None, None, Some(Prohibition::Absurd), Some(Prohibition::OwnState)]),
            coverage: match self.next() % 3 {
                0 | 1 => Coverage::Full,
                _ => Coverage::Partial(
                    self.several(|bytes| Gap { what: Unread::Script(bytes.name()), span: bytes.span() }),
                ),
            },
            reasons: self.several(|bytes| Reason {
                rule: RuleId::new("delete-tree"),
                message: bytes.name(),
                subject: bytes.name().into(),
                risk: bytes.one_of(RISKS),
                span: bytes.span(),
            }),
            safer: self.several(|bytes| Alternative { command: bytes.name() }),
            ..Assessment::default()
        }
    }

    fn context(&mut self) -> Context {
        const TRUST: &[u16] = &[500, 0, 200, 201, 799, 800, 1000];
        let covered = [Risk::None, Risk::Low, Risk::Medium, Risk::High, Risk::Critical];
        Context {
            posture: self.one_of(&Posture::ALL),
            trust: Trust::from_thousandths(self.one_of(TRUST)),
            grant: (self.next() % 3 == 2).then(|| GrantMatch::up_to(self.one_of(&covered))),
            ..Context::default()
        }
    }
}

/// What must hold of every single decision.
fn is_lawful(assessment: &Assessment, context: &Context, decision: &Decision) {
    let risk = assessment.effective_risk();
    assert_eq!(assessment.prohibition.is_some(), decision.verdict() == Verdict::Block, "only a prohibition blocks");
    if decision.verdict() == Verdict::Allow {
        assert!(context.trust > Trust::PARANOID, "distrust asks about everything");
        assert!(risk < Risk::Critical, "nothing lifts the gravest question");
        let granted = context.grant.is_some();
        assert!(granted || risk <= Risk::Medium && context.posture == Posture::Permissive || risk <= Risk::Low);
        assert!(granted || assessment.coverage == Coverage::Full, "what was not read is asked about");
    }
    let spoken = |text: &String| text.is_empty() || assessment.reasons.iter().any(|reason| reason.message == *text);
    match decision {
        Decision::ExecuteDirectly => {}
        Decision::RequireConfirmation { reason, .. } => assert!(spoken(reason)),
        Decision::RequireChoice { question, options, default } => {
            assert!(spoken(question));
            assert_eq!(*default, Choice::Cancel, "what Enter answers is safe");
            assert!(options.contains(default));
        }
        Decision::RequireInput { prompt, placeholder, validation } => {
            assert!(spoken(prompt));
            assert_eq!(placeholder, validation);
            assert!(!validation.trim().is_empty() && validation.chars().count() <= 64, "{validation:?}");
            assert!(!validation.chars().any(|letter| letter.is_control() || letter == '\u{202e}'), "{validation:?}");
        }
        Decision::Reject { reason, suggestion } => {
            assert!(spoken(reason));
            let offered = |text: &String| assessment.safer.iter().any(|safer| safer.command == *text);
            assert!(suggestion.as_ref().is_none_or(offered));
        }
    }
}

#[test]
fn any_assessment_is_decided() {
    bolero::check!().with_iterations(20_000).with_max_len(120).for_each(|bytes: &[u8]| {
        let mut bytes = Bytes(bytes);
        let (assessment, context) = (bytes.assessment(), bytes.context());
        let decision = decide(&assessment, &context);
        is_lawful(&assessment, &context, &decision);
        assert_eq!(decide(&assessment, &context), decision, "the same gets the same");
        let verdict = |assessment: &Assessment, context: &Context| decide(assessment, context).verdict();
        let found = decision.verdict();
        // More of what is grave, and less of what excuses it, is never a step towards yes.
        let graver = Assessment { risk: Risk::Critical, ..assessment.clone() };
        assert!(verdict(&graver, &context) >= found, "graver");
        let gap = Gap { what: Unread::Rest, span: Span::new(0, 1) };
        let unread = Assessment { coverage: Coverage::Partial(vec![gap]), ..assessment.clone() };
        assert!(verdict(&unread, &context) >= found, "less understood");
        let absurd = Assessment { prohibition: Some(Prohibition::Absurd), ..assessment.clone() };
        assert_eq!(verdict(&absurd, &context), Verdict::Block);
        assert!(verdict(&assessment, &Context { grant: None, ..context }) >= found, "without a grant");
        let distrusted = Context { trust: Trust::PARANOID, ..context };
        assert!(verdict(&assessment, &distrusted) >= found, "less trusted");
        let careful = Context { posture: Posture::Strict, trust: context.trust.min(Trust::INITIAL), ..context };
        assert!(verdict(&assessment, &careful) >= found, "more careful");
    });
}
