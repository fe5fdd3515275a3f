use signoff_model::{
    Assessment, Choice, Coverage, Decision, Effect, EffectKind, Gap, Prohibition, Reason, Reversible, Risk, RuleId,
    Scope, Span, Target, Trust, Unread, Verdict, WarningLevel,
};

use crate::{Context, GrantMatch, Posture, decide};

const TRUSTS: [u16; 6] = [0, 200, 201, 500, 799, 800];

fn effect(kind: EffectKind, reversible: Reversible) -> Effect {
    Effect { kind, target: Target::Path("src".into()), scope: Scope::Project, reversible, span: Span::new(0, 4) }
}

fn reason(risk: Risk) -> Reason {
    Reason {
        rule: RuleId::new("a-rule"),
        message: "deletes src".into(),
        subject: "src".into(),
        risk,
        span: Span::new(0, 4),
    }
}

fn at(risk: Risk) -> Assessment {
    Assessment { risk, reasons: vec![reason(risk)], ..Assessment::default() }
}

fn deleting(risk: Risk, reversible: Reversible) -> Assessment {
    Assessment { effects: vec![effect(EffectKind::Delete, reversible)], ..at(risk) }
}

fn under(posture: Posture) -> Context {
    Context { posture, ..Context::default() }
}

fn contexts() -> impl Iterator<Item = Context> {
    let grants = || std::iter::once(None).chain(Risk::ALL.into_iter().map(|risk| Some(GrantMatch::up_to(risk))));
    Posture::ALL.into_iter().flat_map(move |posture| {
        TRUSTS.into_iter().flat_map(move |trust| {
            grants().map(move |grant| Context {
                posture,
                trust: Trust::from_thousandths(trust),
                grant,
                ..Context::default()
            })
        })
    })
}

fn coverages() -> [Coverage; 3] {
    let gap = Gap { what: Unread::Script("x.sh".into()), span: Span::default() };
    [Coverage::Full, Coverage::Partial(Vec::new()), Coverage::Partial(vec![gap])]
}

/// Every assessment that differs in something the policy looks at.
fn assessments() -> Vec<Assessment> {
    let mut all = Vec::new();
    for risk in Risk::ALL {
        for coverage in coverages() {
            for prohibition in [None, Some(Prohibition::Absurd), Some(Prohibition::OwnState)] {
                for effects in [
                    vec![],
                    vec![effect(EffectKind::Read, Reversible::Yes)],
                    vec![effect(EffectKind::Delete, Reversible::WithGit)],
                    vec![effect(EffectKind::Delete, Reversible::No)],
                ] {
                    for reasons in [vec![], vec![reason(risk)]] {
                        let coverage = coverage.clone();
                        all.push(Assessment {
                            effects: effects.clone(),
                            risk,
                            prohibition,
                            coverage,
                            reasons,
                            safer: vec![],
                            ..Assessment::default()
                        });
                    }
                }
            }
        }
    }
    all
}

#[test]
fn the_table_by_posture() {
    use Verdict::{Allow, Ask};
    let table = [
        (Risk::None, [Allow, Allow, Allow]),
        (Risk::Low, [Ask, Allow, Allow]),
        (Risk::Medium, [Ask, Ask, Ask]),
        (Risk::High, [Ask, Ask, Ask]),
        (Risk::Critical, [Ask, Ask, Ask]),
    ];
    for (risk, row) in table {
        for (posture, expected) in Posture::ALL.into_iter().zip(row) {
            let decision = decide(&deleting(risk, Reversible::No), &under(posture));
            assert_eq!(decision.verdict(), expected, "{risk} under {posture}");
        }
    }
}

#[test]
fn strict_lets_low_risk_pass_from_the_threshold_on() {
    for (thousandths, expected) in [(799, Verdict::Ask), (800, Verdict::Allow), (1000, Verdict::Allow)] {
        let context = Context { trust: Trust::from_thousandths(thousandths), ..under(Posture::Strict) };
        assert_eq!(decide(&at(Risk::Low), &context).verdict(), expected, "trust {thousandths}");
        assert_eq!(
            decide(&at(Risk::Medium), &context).verdict(),
            Verdict::Ask,
            "trust never covers more than low risk"
        );
    }
}

#[test]
fn permissive_lets_pass_what_can_be_restored() {
    use Reversible::{No, Unknown, WithBackup, WithGit, Yes};
    let verdict = |assessment: &Assessment| decide(assessment, &under(Posture::Permissive)).verdict();
    for (reversible, expected) in [
        (Yes, Verdict::Allow),
        (WithGit, Verdict::Allow),
        (WithBackup, Verdict::Allow),
        (No, Verdict::Ask),
        (Unknown, Verdict::Ask),
    ] {
        assert_eq!(verdict(&deleting(Risk::Medium, reversible)), expected, "{reversible:?}");
    }

    let mut mixed = deleting(Risk::Medium, WithGit);
    mixed.effects.push(effect(EffectKind::Read, No));
    assert_eq!(verdict(&mixed), Verdict::Allow, "a read leaves nothing to undo");
    mixed.effects.push(effect(EffectKind::Overwrite, No));
    assert_eq!(verdict(&mixed), Verdict::Ask, "one loss is enough");

    assert_eq!(verdict(&at(Risk::Medium)), Verdict::Ask, "without a known change nothing is proven");
    let partial = Assessment { coverage: Coverage::Partial(vec![]), ..deleting(Risk::Medium, WithGit) };
    assert_eq!(verdict(&partial), Verdict::Ask, "what was not read cannot be restored");
    assert_eq!(verdict(&deleting(Risk::High, WithGit)), Verdict::Ask, "high risk always asks");
}

#[test]
fn the_gravest_questions_take_a_form_that_habit_cannot_answer() {
    let local = deleting(Risk::Critical, Reversible::No);
    let typed =
        Decision::RequireInput { prompt: "deletes src".into(), placeholder: "src".into(), validation: "src".into() };
    assert_eq!(
        decide(&local, &under(Posture::Balanced)),
        Decision::RequireChoice {
            question: "deletes src".into(),
            options: vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference],
            default: Choice::Cancel,
        }
    );
    assert_eq!(decide(&local, &under(Posture::Strict)), typed);
    assert_eq!(
        decide(&local, &under(Posture::Permissive)),
        Decision::RequireConfirmation { reason: "deletes src".into(), warning_level: WarningLevel::Danger }
    );
    assert_eq!(decide(&at(Risk::Critical), &under(Posture::Balanced)), typed, "nothing to back up");

    let mut remote_too = local;
    remote_too.effects.push(Effect { scope: Scope::Remote, ..effect(EffectKind::Delete, Reversible::No) });
    let decision = decide(&remote_too, &under(Posture::Balanced));
    assert_eq!(decision.name(), "require_input", "a backup that saves only a part is not offered");
}

#[test]
fn a_name_that_cannot_be_typed_is_not_asked_for() {
    let long = "x".repeat(65);
    for (name, expected) in [
        ("main", "main"),
        (" main ", "main"),
        ("数据库", "数据库"),
        ("my dir/a b", "my dir/a b"),
        ("", "a-rule"),
        ("   ", "a-rule"),
        ("a\u{202e}b", "a-rule"),
        ("a\nb", "a-rule"),
        ("a\u{200b}", "a-rule"),
        (long.as_str(), "a-rule"),
    ] {
        let mut assessment = at(Risk::Critical);
        for reason in &mut assessment.reasons {
            reason.subject = name.into();
        }
        let Decision::RequireInput { validation, .. } = decide(&assessment, &under(Posture::Strict)) else {
            panic!("{name:?} does not ask for input");
        };
        assert_eq!(validation, expected, "{name:?}");
    }
}

#[test]
fn what_is_typed_names_what_is_lost_or_else_what_is_done() {
    for (name, expected) in [
        ("prod", "prod"),
        ("kubectl delete ns prod", "ns prod"),
        ("kubectl delete ns reset-prod", "ns reset-prod"),
        ("az group delete --name rg-prod", "rg-prod"),
        ("docker volume rm shop_pgdata", "shop_pgdata"),
        ("heroku apps:destroy acme-web", "acme-web"),
        ("aws rds delete-db-instance orders-prod", "orders-prod"),
        ("scw instance server delete 11111111 with-volumes=all", "11111111"),
        ("terraform destroy", "terraform destroy"),
        ("docker compose down", "docker compose down"),
        ("gcloud compute disks delete $(…)", "gcloud compute disks delete"),
        ("filter-branch -f --env-filter export GIT_AUTHOR_EMAIL=a@example.com -- --all", "filter-branch"),
        ("alter table orders drop column total", "orders"),
        ("…", "a-rule"),
        ("/", "a-rule"),
    ] {
        let span = Span::new(0, 4);
        let target = Target::Named(name.into());
        let effect = Effect { target, scope: Scope::Remote, ..effect(EffectKind::NetworkWrite, Reversible::No) };
        let mut assessment = Assessment { effects: vec![Effect { span, ..effect }], ..at(Risk::Critical) };
        for reason in &mut assessment.reasons {
            reason.subject = name.into();
        }
        let Decision::RequireInput { validation, .. } = decide(&assessment, &under(Posture::Balanced)) else {
            panic!("{name:?} does not ask for input");
        };
        assert_eq!(validation, expected, "{name:?}");
    }
}

#[test]
fn of_several_effects_at_one_place_the_one_is_named_that_the_reason_is_about() {
    let named = |name: &str| Effect {
        target: Target::Named(name.into()),
        scope: Scope::Remote,
        ..effect(EffectKind::NetworkWrite, Reversible::No)
    };
    let mut assessment = Assessment { effects: vec![named("staging"), named("prod")], ..at(Risk::Critical) };
    for reason in &mut assessment.reasons {
        reason.subject = "prod".into();
    }
    let Decision::RequireInput { validation, .. } = decide(&assessment, &under(Posture::Balanced)) else {
        panic!("it does not ask for input");
    };
    assert_eq!(validation, "prod");
}

#[test]
fn a_rejection_says_why_and_what_else() {
    let mut assessment = Assessment { prohibition: Some(Prohibition::Absurd), ..at(Risk::Critical) };
    assessment.safer.push(signoff_model::Alternative { command: "rm -r build".into() });
    assert_eq!(
        decide(&assessment, &Context::default()),
        Decision::Reject { reason: "deletes src".into(), suggestion: Some("rm -r build".into()) }
    );
}

#[test]
fn a_grant_lifts_up_to_its_reach_and_never_critical() {
    for covers in Risk::ALL {
        for risk in Risk::ALL {
            let context = Context { grant: Some(GrantMatch::up_to(covers)), ..under(Posture::Strict) };
            let verdict = decide(&at(risk), &context).verdict();
            let lifted = risk <= covers && risk <= Risk::High;
            let expected = if lifted || risk == Risk::None { Verdict::Allow } else { Verdict::Ask };
            assert_eq!(verdict, expected, "grant up to {covers}, risk {risk}");
        }
    }
}

#[test]
fn the_laws_hold_in_every_combination() {
    for assessment in assessments() {
        let plain = Context::default();
        for context in contexts() {
            let decision = decide(&assessment, &context);
            let shown = format!("{assessment:?}\n{context:?}\n{decision:?}");
            let verdict = decision.verdict();
            if assessment.prohibition.is_some() {
                assert_eq!(verdict, Verdict::Block, "law 5 is not lifted\n{shown}");
                continue;
            }
            assert_ne!(verdict, Verdict::Block, "only a prohibition blocks\n{shown}");
            if context.trust <= Trust::PARANOID {
                assert_eq!(verdict, Verdict::Ask, "distrust asks about everything\n{shown}");
                continue;
            }
            let unread = assessment.coverage != Coverage::Full;
            if context.grant.is_none() && (unread || assessment.risk >= Risk::High) {
                assert_eq!(verdict, Verdict::Ask, "the unread and the grave are asked about\n{shown}");
            }
            if assessment.risk == Risk::Critical {
                assert_eq!(verdict, Verdict::Ask, "no grant reaches critical\n{shown}");
            }
            if context.posture == Posture::Strict && context.grant.is_none() {
                let balanced = decide(&assessment, &plain).verdict();
                let trusted = context.trust >= Trust::LOW_RISK_AUTO_APPROVE;
                assert!(verdict >= balanced || trusted, "strict is never looser than balanced\n{shown}");
            }
            if let Decision::RequireChoice { options, default, .. } = &decision {
                assert!(
                    options.contains(default) && *default == Choice::Cancel,
                    "the default is the safe one\n{shown}"
                );
            }
            if let Decision::RequireInput { validation, .. } = &decision {
                assert!(!validation.trim().is_empty(), "Enter alone is never a yes\n{shown}");
            }
        }
    }
}

#[test]
fn the_risk_of_a_reason_counts_even_if_the_assessment_forgot_it() {
    let forgetful = Assessment { reasons: vec![reason(Risk::High)], ..Assessment::default() };
    assert_eq!(decide(&forgetful, &Context::default()).verdict(), Verdict::Ask);
}
