//! The life of an approval, step by step and at random.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::{collections::BTreeSet, time::Duration};

use proptest::prelude::*;
use signoff_gate::{Done, Event, REPORT_WITHIN, Refusal, Step, TRIES, next_deadline, step};
use signoff_model::{
    AgentId, Answer, Answerer, Approval, ApprovalId, Assurance, Binding, Bound, ChannelId, Choice, Clock, Dialect,
    Digest, Escalation, Form, GroupId, Manner, Modification, Operation, OwnerMay, PersonId, Question, Report,
    RequestKey, Requester, Risk, SessionId, ShellCommand, Sight, Stage, Terms, Timestamp, Verdict,
};

const DECIDE: Duration = Duration::from_secs(300);
const RUN: Duration = Duration::from_secs(60);
const ESCALATE: Duration = Duration::from_secs(120);

fn person(name: &str) -> PersonId {
    PersonId::new(name).unwrap()
}

fn requester(session: &str) -> Requester {
    let agent = AgentId::new("agent").unwrap();
    Requester { agent, session: SessionId::new(session).unwrap(), owner: person("owner") }
}

fn digest(byte: u8) -> Digest {
    Digest::from_bytes([byte; 32])
}

fn binding() -> Binding {
    Binding { operation: digest(1), preview: digest(2), policy: digest(3) }
}

fn shell(command: &str) -> Operation {
    Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash })
}

fn approval(form: Form) -> Approval {
    Approval {
        id: ApprovalId::from_bits(7),
        key: RequestKey::new("key").unwrap(),
        requester: requester("session"),
        question: Question {
            operation: shell("rm -rf src"),
            directory: "/project".to_owned(),
            project: "/project".to_owned(),
            risk: Risk::High,
            form,
            binding: binding(),
            sight: Sight::Local,
            intent: Some("清理一下".to_owned()),
            surroundings: digest(4),
            card: "a card".to_owned(),
        },
        terms: Terms {
            approvers: ["owner", "ann", "bob"].map(person).to_vec(),
            quorum: 1,
            owner: OwnerMay::Approve,
            assurance: Assurance::Login,
            decide_within: DECIDE,
            run_within: RUN,
            escalation: None,
        },
        asked: Timestamp::from_millis(1_000),
        stage: Stage::Pending { votes: Vec::new(), misses: Vec::new() },
    }
}

fn by(name: &str, assurance: Assurance) -> Answerer {
    Answerer { person: person(name), channel: ChannelId::new("inbox").unwrap(), assurance }
}

fn answer(name: &str, answer: Answer) -> Event {
    Event::Answer { by: by(name, Assurance::Login), answer, nonce: digest(9) }
}

fn redeem() -> Event {
    attempt(50)
}

fn attempt(number: u8) -> Event {
    Event::Redeem { by: requester("session"), nonce: digest(9), attempt: digest(number), binding: binding() }
}

fn report() -> Event {
    Event::Report { by: requester("session"), nonce: digest(9), report: Report::Executed }
}

/// Lets events happen one after the other, one second apart, and says where the approval stands and what each has done.
fn after(mut approval: Approval, events: &[Event]) -> (Approval, Vec<Result<Done, Refusal>>) {
    let mut now = approval.asked;
    let mut outcomes = Vec::new();
    for event in events {
        now = now.after(Duration::from_secs(1));
        let Step { stage, outcome } = step(&approval, event, now);
        approval.stage = stage.unwrap_or(approval.stage);
        outcomes.push(outcome);
    }
    (approval, outcomes)
}

#[track_caller]
fn check(approval: Approval, events: &[Event], stage: &str, last: Result<Done, Refusal>) {
    let (approval, outcomes) = after(approval, events);
    assert_eq!((approval.stage.name(), outcomes.last()), (stage, Some(&last)));
}

#[test]
fn a_yes_is_used_once() {
    let yes = answer("ann", Answer::Approve);
    let start = || approval(Form::Confirmation);
    check(start(), std::slice::from_ref(&yes), "approved", Ok(Done::Decided));
    check(start(), &[yes.clone(), redeem()], "redeemed", Ok(Done::Redeemed(Manner::AsShown)));
    check(start(), &[yes.clone(), redeem(), attempt(51)], "redeemed", Err(Refusal::UsedBefore));
    // The answer was lost on the way, and the same attempt asks again.
    check(start(), &[yes.clone(), redeem(), redeem()], "redeemed", Ok(Done::Redeemed(Manner::AsShown)));
    check(start(), &[yes.clone(), redeem(), report()], "executed", Ok(Done::Reported));
    check(start(), &[yes.clone(), redeem(), report(), report()], "executed", Ok(Done::Nothing));
    check(start(), &[yes.clone(), redeem(), report(), redeem()], "executed", Err(Refusal::UsedBefore));
    check(start(), &[yes.clone(), report()], "approved", Err(Refusal::NotRedeemed));
    check(start(), &[redeem()], "pending", Err(Refusal::NotApproved));
    let failed = Event::Report { by: requester("session"), nonce: digest(9), report: Report::Failed("exit 1".into()) };
    check(start(), &[yes, redeem(), failed], "failed", Ok(Done::Reported));
}

#[test]
fn only_the_form_that_was_asked_for_is_an_answer() {
    let choices = Form::Choice(vec![Choice::Cancel, Choice::GoAhead, Choice::ShowDifference]);
    let typed = Form::Input("main".to_owned());
    for (form, given, stage, outcome) in [
        (Form::Confirmation, Answer::Choose(Choice::GoAhead), "pending", Err(Refusal::NoAnswer)),
        (Form::Confirmation, Answer::Choose(Choice::Cancel), "denied", Ok(Done::Decided)),
        (Form::Confirmation, Answer::Input("yes".to_owned()), "pending", Err(Refusal::NoAnswer)),
        (choices.clone(), Answer::Approve, "pending", Err(Refusal::NoAnswer)),
        (choices.clone(), Answer::Choose(Choice::Cancel), "denied", Ok(Done::Decided)),
        (choices.clone(), Answer::Choose(Choice::GoAhead), "approved", Ok(Done::Decided)),
        (choices.clone(), Answer::Choose(Choice::ShowDifference), "pending", Err(Refusal::NoAnswer)),
        (choices.clone(), Answer::Choose(Choice::BackUpFirst), "pending", Err(Refusal::NoAnswer)),
        (choices, Answer::Deny("not now".to_owned()), "denied", Ok(Done::Decided)),
        (typed.clone(), Answer::Approve, "pending", Err(Refusal::NoAnswer)),
        (typed.clone(), Answer::Choose(Choice::GoAhead), "pending", Err(Refusal::NoAnswer)),
        (typed.clone(), Answer::Input("main".to_owned()), "approved", Ok(Done::Decided)),
        (typed.clone(), Answer::Input("Main".to_owned()), "pending", Err(Refusal::WrongInput { tries_left: 2 })),
        (typed, Answer::Deny(String::new()), "denied", Ok(Done::Decided)),
        // A form that nothing fits is never a yes.
        (
            Form::Input(String::new()),
            Answer::Input(String::new()),
            "pending",
            Err(Refusal::WrongInput { tries_left: 2 }),
        ),
    ] {
        check(approval(form), &[answer("ann", given)], stage, outcome);
    }
}

#[test]
fn who_answers_counts() {
    let with =
        |name: &str, assurance| Event::Answer { by: by(name, assurance), answer: Answer::Approve, nonce: digest(9) };
    let deny = |name: &str| Event::Answer {
        by: by(name, Assurance::Tap),
        answer: Answer::Deny(String::new()),
        nonce: digest(9),
    };
    let start = || approval(Form::Confirmation);
    let low = Refusal::AssuranceTooLow { needed: Assurance::Login };
    check(start(), &[with("ann", Assurance::Tap)], "pending", Err(low));
    check(start(), &[with("ann", Assurance::Passkey)], "approved", Ok(Done::Decided));
    check(start(), &[deny("ann")], "denied", Ok(Done::Decided));
    check(start(), &[with("mallory", Assurance::Passkey)], "pending", Err(Refusal::NotAsked));
    check(start(), &[deny("mallory")], "pending", Err(Refusal::NotAsked));

    let apart = || {
        let mut approval = start();
        approval.terms.owner = OwnerMay::OnlyDeny;
        approval
    };
    check(apart(), &[with("owner", Assurance::Passkey)], "pending", Err(Refusal::OwnersWord));
    check(apart(), &[deny("owner")], "denied", Ok(Done::Decided));
    let mut nobody = start();
    nobody.terms.approvers.clear();
    check(nobody, &[with("owner", Assurance::Passkey)], "pending", Err(Refusal::NotAsked));
}

#[test]
fn as_many_agree_as_have_to() {
    let two = || {
        let mut approval = approval(Form::Choice(vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst]));
        approval.terms.quorum = 2;
        approval
    };
    let go = |name: &str| answer(name, Answer::Choose(Choice::GoAhead));
    let careful = answer("bob", Answer::Choose(Choice::BackUpFirst));
    check(two(), &[go("ann")], "pending", Ok(Done::Voted { missing: 1 }));
    check(two(), &[go("ann"), go("ann")], "pending", Err(Refusal::SaidBefore));
    // The agent's own person is none of several.
    check(two(), &[go("ann"), go("owner")], "pending", Err(Refusal::OwnersWord));
    check(two(), &[go("ann"), go("bob")], "approved", Ok(Done::Decided));
    check(two(), &[go("ann"), answer("bob", Answer::Deny(String::new()))], "denied", Ok(Done::Decided));
    check(two(), &[go("ann"), careful, redeem()], "redeemed", Ok(Done::Redeemed(Manner::BackUpFirst)));
    let (risk, verdict) = (Risk::None, Verdict::Allow);
    let changed = Modification { operation: shell("ls"), risk, verdict, form: None, binding: binding() };
    check(two(), &[go("ann"), answer("bob", Answer::Modify(changed))], "pending", Err(Refusal::ChangedAlone));
}

#[test]
fn a_text_is_not_guessed() {
    let start = || approval(Form::Input("main".to_owned()));
    let guess = |name: &str, text: &str| answer(name, Answer::Input(text.to_owned()));
    let wrong = || guess("ann", "x");
    let out = Refusal::WrongInput { tries_left: 0 };
    check(start(), &[wrong(), wrong(), guess("ann", "main")], "approved", Ok(Done::Decided));
    check(start(), &[wrong(), wrong(), wrong(), guess("ann", "main")], "pending", Err(out));
    // Another person has tries of their own.
    check(start(), &[wrong(), wrong(), wrong(), guess("bob", "main")], "approved", Ok(Done::Decided));
    assert_eq!(TRIES, 3);
}

#[test]
fn a_changed_form_is_no_graver() {
    let asked = |risk, verdict, form| {
        let other = Binding { operation: digest(4), ..binding() };
        let operation = shell("rm -rf x");
        answer("ann", Answer::Modify(Modification { operation, risk, verdict, form, binding: other }))
    };
    let changed = |risk, verdict| asked(risk, verdict, None);
    let start = || approval(Form::Confirmation);
    check(start(), &[changed(Risk::High, Verdict::Ask)], "modified", Ok(Done::Decided));
    check(start(), &[changed(Risk::Critical, Verdict::Ask)], "pending", Err(Refusal::Riskier));
    check(start(), &[changed(Risk::None, Verdict::Block)], "pending", Err(Refusal::Blocked));
    let choice = || Some(Form::Choice(vec![Choice::Cancel, Choice::GoAhead]));
    check(start(), &[asked(Risk::High, Verdict::Ask, choice())], "pending", Err(Refusal::Riskier));
    let typed = || approval(Form::Input("main".to_owned()));
    let other = || Some(Form::Input("x".to_owned()));
    check(typed(), &[asked(Risk::Low, Verdict::Ask, other())], "pending", Err(Refusal::Riskier));
    check(typed(), &[asked(Risk::High, Verdict::Ask, choice())], "modified", Ok(Done::Decided));
    // Who changes nothing has not answered, and who was only offered a copy first gets one.
    let same = Modification {
        operation: start().question.operation,
        risk: Risk::None,
        verdict: Verdict::Allow,
        form: None,
        binding: binding(),
    };
    check(start(), &[answer("ann", Answer::Modify(same))], "pending", Err(Refusal::NoAnswer));
    let careful = approval(Form::Choice(vec![Choice::Cancel, Choice::BackUpFirst]));
    let binding_now = Binding { operation: digest(4), ..binding() };
    let run = Event::Redeem { by: requester("session"), nonce: digest(9), attempt: digest(50), binding: binding_now };
    check(careful, &[changed(Risk::High, Verdict::Ask), run], "redeemed", Ok(Done::Redeemed(Manner::BackUpFirst)));
    // The changed form is what may run, and the one that was shown first is not.
    let low = changed(Risk::Low, Verdict::Allow);
    check(start(), &[low.clone(), redeem()], "stale", Err(Refusal::Stale(vec![Bound::Operation])));
    let binding = Binding { operation: digest(4), ..binding() };
    let as_changed = Event::Redeem { by: requester("session"), nonce: digest(9), attempt: digest(50), binding };
    check(start(), &[low, as_changed], "redeemed", Ok(Done::Redeemed(Manner::AsShown)));
}

#[test]
fn what_differs_makes_it_stale() {
    let yes = answer("ann", Answer::Approve);
    for (other, bound) in [
        (Binding { operation: digest(8), ..binding() }, Bound::Operation),
        (Binding { preview: digest(8), ..binding() }, Bound::Preview),
        (Binding { policy: digest(8), ..binding() }, Bound::Policy),
    ] {
        let swapped = Event::Redeem { by: requester("session"), nonce: digest(9), attempt: digest(50), binding: other };
        let stale = Refusal::Stale(vec![bound]);
        check(approval(Form::Confirmation), &[yes.clone(), swapped.clone()], "stale", Err(stale.clone()));
        // Putting it back does not bring the yes back.
        check(approval(Form::Confirmation), &[yes.clone(), swapped, redeem()], "stale", Err(stale));
    }
}

#[test]
fn others_cannot_use_it() {
    let yes = answer("ann", Answer::Approve);
    let start = || approval(Form::Confirmation);
    let attempt = digest(50);
    let elsewhere = Event::Redeem { by: requester("another"), nonce: digest(9), attempt, binding: binding() };
    check(start(), &[yes.clone(), elsewhere], "approved", Err(Refusal::NotRequester));
    let forged = Event::Redeem { by: requester("session"), nonce: digest(8), attempt, binding: binding() };
    check(start(), &[yes.clone(), forged], "approved", Err(Refusal::WrongPermit));
    let told = Event::Report { by: requester("another"), nonce: digest(9), report: Report::Executed };
    check(start(), &[yes.clone(), redeem(), told], "redeemed", Err(Refusal::NotRequester));
    check(
        start(),
        &[Event::Withdraw { by: requester("another"), words: String::new() }],
        "pending",
        Err(Refusal::NotRequester),
    );
    check(
        start(),
        &[Event::Withdraw { by: requester("session"), words: String::new() }],
        "withdrawn",
        Ok(Done::Decided),
    );
    check(
        start(),
        &[Event::Withdraw { by: requester("session"), words: String::new() }, yes.clone()],
        "withdrawn",
        Err(Refusal::Closed),
    );
    check(
        start(),
        &[Event::Withdraw { by: requester("session"), words: String::new() }, redeem()],
        "withdrawn",
        Err(Refusal::Closed),
    );
    check(
        start(),
        &[yes, Event::Withdraw { by: requester("session"), words: String::new() }],
        "approved",
        Err(Refusal::Closed),
    );
}

/// What an event does at a moment, counted from the question.
fn at(approval: &mut Approval, millis: i64, event: &Event) -> Result<Done, Refusal> {
    let Step { stage, outcome } = step(approval, event, Timestamp::from_millis(approval.asked.millis() + millis));
    if let Some(stage) = stage {
        approval.stage = stage;
    }
    outcome
}

#[test]
fn time_runs_out_on_the_dot_and_is_never_a_no() {
    let yes = answer("ann", Answer::Approve);
    let mut late = approval(Form::Confirmation);
    assert_eq!(at(&mut late, 299_999, &Event::Tick), Ok(Done::Nothing));
    assert_eq!(at(&mut late, 300_000, &yes), Err(Refusal::Expired(Clock::Decide)));
    assert_eq!(late.stage.name(), "expired");
    // The clock of a store may be set back; what has ended has ended.
    assert_eq!(at(&mut late, 1, &yes), Err(Refusal::Expired(Clock::Decide)));

    let mut in_time = approval(Form::Confirmation);
    assert_eq!(at(&mut in_time, 299_999, &yes), Ok(Done::Decided));
    assert_eq!(at(&mut in_time, 299_999 + 60_000, &redeem()), Err(Refusal::Expired(Clock::Run)));
    assert_eq!(in_time.stage.name(), "expired");

    let mut silent = approval(Form::Confirmation);
    assert_eq!(at(&mut silent, 1, &yes), Ok(Done::Decided));
    assert_eq!(at(&mut silent, 2, &redeem()), Ok(Done::Redeemed(Manner::AsShown)));
    let day = i64::try_from(REPORT_WITHIN.as_millis()).unwrap();
    assert_eq!(at(&mut silent, 2 + day, &Event::Tick), Ok(Done::Nothing));
    assert_eq!(silent.stage.name(), "unknown");
    assert_eq!(at(&mut silent, 3 + day, &attempt(51)), Err(Refusal::UsedBefore));
    // Late is better than never.
    assert_eq!(at(&mut silent, 4 + day, &report()), Ok(Done::Reported));
    assert_eq!(silent.stage.name(), "executed");
}

#[test]
fn others_are_asked_when_nobody_answers() {
    let mut approval = approval(Form::Confirmation);
    let group = GroupId::new("on call").unwrap();
    approval.terms.escalation = Some(Escalation { after: ESCALATE, group, members: vec![person("zoe")] });
    let zoe = answer("zoe", Answer::Approve);
    assert_eq!(at(&mut approval, 119_999, &zoe), Err(Refusal::NotAsked));
    assert_eq!(at(&mut approval, 120_000, &zoe), Ok(Done::Decided));
}

#[test]
fn one_question_takes_the_place_of_another() {
    let start = || approval(Form::Confirmation);
    let superseded = Event::Supersede { by: ApprovalId::from_bits(8) };
    let yes = answer("ann", Answer::Approve);
    check(start(), &[superseded.clone(), yes.clone()], "superseded", Err(Refusal::Closed));
    check(start(), &[superseded.clone(), redeem()], "superseded", Err(Refusal::Closed));
    check(start(), &[yes, superseded], "approved", Err(Refusal::Closed));
}

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
        }
    });
    prop_oneof![
        6 => (who, assurance, any_answer()).prop_map(|(who, assurance, answer)| Event::Answer {
            by: by(who, assurance),
            answer,
            nonce: digest(9),
        }),
        1 => Just(Event::Tick),
        1 => session.clone().prop_map(|session| Event::Withdraw { by: requester(session), words: String::new() }),
        1 => Just(Event::Supersede { by: ApprovalId::from_bits(8) }),
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
            if before.is_final() {
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
                (Event::Redeem { by, nonce, attempt, binding }, Ok(Done::Redeemed(_))) => {
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
            // What is left open has its time before it.
            prop_assert!(next_deadline(&approval).is_none_or(|deadline| deadline > now));
        }
    }
}
