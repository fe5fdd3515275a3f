//! The life of an approval at random, beside a bystander with a notebook.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn any_answer() -> impl Strategy<Value = Answer> {
    let changed = (0..3_usize, prop::sample::select(Risk::ALL.to_vec())).prop_map(|(verdict, risk)| {
        Answer::Modify(Modification {
            operation: shell("ls"),
            risk,
            verdict: Verdict::ALL[verdict],
            form: [None, Some(Form::Confirmation), Some(Form::Input("x".to_owned()))][verdict].clone(),
            binding: Binding { operation: digest(4), ..binding() },
        })
    });
    prop_oneof![
        4 => Just(Answer::Approve),
        1 => Just(Answer::Deny("no".to_owned())),
        2 => prop::sample::select(vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference])
            .prop_map(Answer::Choose),
        3 => prop::sample::select(vec!["main", "x", ""]).prop_map(|text| Answer::Input(text.to_owned())),
        1 => changed,
    ]
}

fn any_event() -> impl Strategy<Value = Event> {
    let who = prop::sample::select(vec!["owner", "ann", "bob", "zoe", "mallory"]);
    let assurance = prop::sample::select(Assurance::ALL.to_vec());
    let session = prop::sample::select(vec!["session", "session", "session", "another"]);
    let small = prop::sample::select(vec![9_u8, 9, 9, 8]);
    let bound = prop::sample::select(vec![1_u8, 1, 1, 1, 4, 5]);
    let attempts = prop::sample::select(vec![50_u8, 51]);
    let redeem = (session.clone(), small.clone(), attempts, bound).prop_map(|(session, nonce, attempt, operation)| {
        Event::Redeem {
            by: requester(session),
            nonce: digest(nonce),
            attempt: digest(attempt),
            binding: Binding { operation: digest(operation), ..binding() },
            deviations: Vec::new(),
            seal: seal(),
        }
    });
    prop_oneof![
           6 => (who, assurance, any_answer()).prop_map(|(who, assurance, answer)| Event::Answer {
               by: by(who, assurance),
               answer,
               steads: Vec::new(),
    number: None, nonce: digest(9), seal: seal() }),
           1 => Just(Event::Tick),
           1 => session.clone().prop_map(|session| Event::Withdraw { by: requester(session), words: String::new() }),
           1 => Just(Event::Supersede { by: ApprovalId::from_bits(8) }),
           1 => session.clone().prop_map(|session| Event::Reopen { by: requester(session), with: ApprovalId::from_bits(9) }),
           4 => redeem,
           2 => (session, small, any::<bool>()).prop_map(|(session, nonce, well)| Event::Report {
               by: requester(session),
               nonce: digest(nonce),
               report: if well { Report::Executed } else { Report::Failed("exit 1".to_owned()) },
           }),
       ]
}

fn any_approval() -> impl Strategy<Value = Approval> {
    let form = prop::sample::select(vec![
        Form::Confirmation,
        Form::Choice(vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst]),
        Form::Input("main".to_owned()),
    ]);
    let assurance = prop::sample::select(Assurance::ALL.to_vec());
    (form, assurance, 0..4_u16, any::<bool>(), any::<bool>()).prop_map(|(form, assurance, quorum, apart, escalates)| {
        let mut approval = approval(form);
        approval.terms.assurance = assurance;
        approval.terms.quorum = quorum;
        approval.terms.owner = if apart { OwnerMay::OnlyDeny } else { OwnerMay::Approve };
        let group = GroupId::new("on call").unwrap();
        approval.terms.reminding =
            apart.then_some(Reminding { after: ESCALATE, quiet: Some(Quiet { from: 2, until: 3, ahead: 0 }) });
        approval.terms.escalation =
            escalates.then(|| Escalation { after: ESCALATE, group, members: vec![person("zoe")] });
        approval
    })
}

/// What a bystander with a notebook thinks of an approval: facts that only add up, and no stages.
#[derive(Default)]
struct Notebook {
    yes: BTreeSet<String>,
    no: bool,
    decided: Option<i64>,
    used: u32,
    attempt: Option<Digest>,
    ended: bool,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    /// Events at random, in any order and at any time, against what must hold whatever happens.
    #[test]
    fn nothing_runs_that_was_not_agreed_to(
        start in any_approval(),
        events in prop::collection::vec((any_event(), 0..90_000_i64), 1..40),
    ) {
        let mut approval = start.clone();
        let mut notes = Notebook::default();
        let mut now = start.asked;
        for (event, passed) in events {
            now = Timestamp::from_millis(now.millis() + passed);
            let before = approval.stage.clone();
            let Step { stage, outcome } = step(&approval, &event, now);
            if before.is_final() && outcome == Ok(Done::Reopened) {
                prop_assert!(matches!(&before, Stage::Denied { reopened: None, .. }), "a refusal is reopened once");
                prop_assert_eq!(stage.as_ref().map(Stage::name), Some("denied"), "and stays one");
            } else if before.is_final() {
                prop_assert_eq!(&stage, &None, "what has ended has ended");
            }
            approval.stage = stage.unwrap_or(approval.stage);
            let elapsed = now.millis() - start.asked.millis();
            let in_time = elapsed < 300_000;
            match (&event, &outcome) {
                (Event::Answer { by, answer, .. }, Ok(done)) => {
                    prop_assert!(in_time && notes.decided.is_none() && !notes.ended, "an answer counts in time and once");
                    let name = by.person.as_str();
                    let asked = ["owner", "ann", "bob"].contains(&name)
                        || name == "zoe" && start.terms.escalation.is_some() && elapsed >= 120_000;
                    prop_assert!(asked || name == "owner");
                    let refuses = matches!(answer, Answer::Deny(_) | Answer::Choose(Choice::Cancel));
                    if refuses {
                        notes.no = true;
                        notes.ended = true;
                        prop_assert_eq!(approval.stage.name(), "denied");
                    } else {
                        prop_assert!(by.assurance >= start.terms.assurance);
                        prop_assert!(name != "owner" || start.terms.owner == OwnerMay::Approve && start.terms.quorum <= 1);
                        let typed = matches!(answer, Answer::Input(text) if text == "main");
                        let asks_for_text = matches!(start.question.form, Form::Input(_));
                        prop_assert!(!asks_for_text || typed || matches!(answer, Answer::Modify(_)));
                        prop_assert!(notes.yes.insert(name.to_owned()), "everybody has one voice");
                        let enough = notes.yes.len() >= usize::from(start.terms.quorum.max(1));
                        prop_assert_eq!(done == &Done::Decided, enough);
                        if enough {
                            notes.decided = Some(elapsed);
                        }
                    }
                }
                // Told again, and not used again.
                (Event::Redeem { attempt, .. }, Ok(Done::Redeemed(_))) if notes.attempt == Some(*attempt) => {
                    prop_assert_eq!(&before, &approval.stage);
                }
                (Event::Redeem { by, nonce, attempt, binding, .. }, Ok(Done::Redeemed(_))) => {
                    notes.used += 1;
                    notes.attempt = Some(*attempt);
                    prop_assert_eq!(notes.used, 1, "a yes is used once");
                    prop_assert!(!notes.no && !notes.ended);
                    prop_assert!(notes.decided.is_some_and(|decided| elapsed < decided + 60_000));
                    prop_assert_eq!(by, &start.requester);
                    prop_assert_eq!(*nonce, digest(9));
                    let changed = approval.stage.consent().is_some_and(|consent| consent.modified.is_some());
                    prop_assert_eq!(binding.operation, digest(if changed { 4 } else { 1 }));
                    let risk = approval.stage.consent().and_then(|consent| consent.modified.as_ref()).map(|new| new.risk);
                    prop_assert!(risk.is_none_or(|risk| risk <= start.question.risk));
                }
                (Event::Withdraw { .. } | Event::Supersede { .. }, Ok(Done::Decided)) => {
                    prop_assert_eq!(notes.used, 0);
                    notes.ended = true;
                }
                (Event::Report { .. }, Ok(Done::Reported)) => prop_assert_eq!(notes.used, 1),
                _ => {}
            }
            if matches!(approval.stage, Stage::Expired { .. } | Stage::Stale { .. }) {
                notes.ended = true;
                prop_assert_eq!(notes.used, 0);
            }
            // What is left open has its time before it, once the clock has struck; it strikes once.
            let Step { stage, .. } = step(&approval, &Event::Tick, now);
            prop_assert!(stage.is_none() || !matches!(event, Event::Tick));
            let struck = Approval { stage: stage.unwrap_or_else(|| approval.stage.clone()), ..approval.clone() };
            prop_assert!(next_deadline(&struck).is_none_or(|deadline| deadline > now));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Whoever speaks for whomever: a yes is as many persons with as many voices as it takes, all of whom were asked, and the
    /// person for whom the agent works is among neither where duties are apart.
    #[test]
    fn persons_and_voices_are_counted(
        quorum in 1..4_u16,
        apart in any::<bool>(),
        said in prop::collection::vec((0..6_usize, prop::collection::vec(0..6_usize, 0..4), any::<bool>()), 1..24),
    ) {
        const NAMES: [&str; 6] = ["owner", "ann", "bob", "carl", "dora", "erik"];
        let mut start = approval(Form::Confirmation);
        start.terms.quorum = quorum;
        start.terms.owner = if apart { OwnerMay::OnlyDeny } else { OwnerMay::Approve };
        start.terms.approvers = ["owner", "ann", "bob", "carl"].map(person).to_vec();
        let mut approval = start.clone();
        for (who, steads, ended) in said {
            let until = if ended { approval.asked } else { approval.asked.after(DECIDE) };
            let steads = steads.into_iter().map(|of| Stead { person: person(NAMES[of]), until }).collect();
            let by = by(NAMES[who], Assurance::Login);
            let event = Event::Answer { by, steads, answer: Answer::Approve, number: None, nonce: digest(9), seal: seal() };
            let step = step(&approval, &event, approval.asked.after(Duration::from_secs(1)));
            approval.stage = step.stage.unwrap_or(approval.stage);
        }
        let votes = match &approval.stage {
            Stage::Pending { votes, .. } => {
                prop_assert!(votes.len() < usize::from(quorum));
                votes
            }
            stage => {
                let votes = &stage.consent().unwrap().votes;
                prop_assert_eq!(votes.len(), usize::from(quorum));
                votes
            }
        };
        let persons: BTreeSet<&PersonId> = votes.iter().map(|vote| &vote.by.person).collect();
        let voices: BTreeSet<&PersonId> = votes.iter().map(|vote| vote.voice()).collect();
        prop_assert_eq!((persons.len(), voices.len()), (votes.len(), votes.len()));
        prop_assert!(voices.iter().all(|voice| start.terms.approvers.contains(voice)));
        let owner = &start.requester.owner;
        prop_assert!(!(apart || quorum > 1) || !persons.contains(owner) && !voices.contains(owner));
    }
}
