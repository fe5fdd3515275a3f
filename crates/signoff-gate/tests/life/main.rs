//! The life of an approval, step by step here and at random beside it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod at_random;

use std::time::Duration;

use signoff_gate::{Done, Event, REPORT_WITHIN, Refusal, Step, TRIES, next_deadline, reminds_at, step};
use signoff_model::{
    AgentId, Answer, Answerer, Approval, ApprovalId, Assurance, Binding, Bound, ChannelId, Choice, Clock, Dialect,
    Digest, Escalation, FileAction, FileOperation, Form, GroupId, Manner, Modification, Operation, OwnerMay, PersonId,
    PlanStep, Question, Quiet, Reminding, Report, RequestKey, Requester, Risk, ScreenNumber, SessionId, Settled,
    ShellCommand, Shown, ShownFile, ShownThing, Stage, Stead, Tally, Terms, Timestamp, Verdict,
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

fn seal() -> signoff_permit::MacKey {
    signoff_permit::MacKey::from_bytes([3; 32])
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
            intent: Some("清理一下".to_owned()),
            surroundings: digest(4),
            card: "a card".to_owned(),
            origin: None,
            batch: None,
            number: None,
            rules: Vec::new(),
            shown: Shown::default(),
            rests: Vec::new(),
            steps: Vec::new(),
        },
        terms: Terms {
            approvers: ["owner", "ann", "bob"].map(person).to_vec(),
            quorum: 1,
            owner: OwnerMay::Approve,
            assurance: Assurance::Login,
            decide_within: DECIDE,
            run_within: RUN,
            escalation: None,
            reminding: None,
        },
        asked: Timestamp::from_millis(1_000),
        stage: Stage::Pending { votes: Vec::new(), misses: Vec::new(), reminded: None },
    }
}

fn by(name: &str, assurance: Assurance) -> Answerer {
    Answerer { person: person(name), channel: ChannelId::new("inbox").unwrap(), assurance }
}

fn answer(name: &str, answer: Answer) -> Event {
    Event::Answer {
        by: by(name, Assurance::Login),
        answer,
        steads: Vec::new(),
        number: None,
        nonce: digest(9),
        seal: seal(),
    }
}

fn redeem() -> Event {
    attempt(50)
}

fn attempt(number: u8) -> Event {
    Event::Redeem {
        by: requester("session"),
        nonce: digest(9),
        attempt: digest(number),
        binding: binding(),
        deviations: Vec::new(),
        seal: seal(),
    }
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
    let with = |name: &str, assurance| Event::Answer {
        by: by(name, assurance),
        answer: Answer::Approve,
        steads: Vec::new(),
        number: None,
        nonce: digest(9),
        seal: seal(),
    };
    let deny = |name: &str| Event::Answer {
        by: by(name, Assurance::Tap),
        answer: Answer::Deny(String::new()),
        steads: Vec::new(),
        number: None,
        nonce: digest(9),
        seal: seal(),
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
    // Nobody has chosen, nor seen what the changed form would lose.
    check(typed(), &[asked(Risk::High, Verdict::Ask, choice())], "pending", Err(Refusal::Riskier));
    check(typed(), &[asked(Risk::High, Verdict::Ask, Some(Form::Confirmation))], "modified", Ok(Done::Decided));
    // Whoever would run the one could not run this: another shell, or no shell at all.
    for operation in [
        Operation::Shell(ShellCommand { command: "ls".to_owned(), dialect: Dialect::Zsh }),
        Operation::File(FileOperation::parse(FileAction::Read, "x").unwrap()),
    ] {
        let (risk, verdict) = (Risk::None, Verdict::Allow);
        let other = Modification { operation, risk, verdict, form: None, binding: binding() };
        check(start(), &[answer("ann", Answer::Modify(other))], "pending", Err(Refusal::NoAnswer));
    }
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
    let run = Event::Redeem {
        by: requester("session"),
        nonce: digest(9),
        attempt: digest(50),
        binding: binding_now,
        deviations: Vec::new(),
        seal: seal(),
    };
    check(careful, &[changed(Risk::High, Verdict::Ask), run], "redeemed", Ok(Done::Redeemed(Manner::BackUpFirst)));
    // The changed form is what may run, and the one that was shown first is not.
    let low = changed(Risk::Low, Verdict::Allow);
    check(start(), &[low.clone(), redeem()], "stale", Err(Refusal::Stale(vec![Bound::Operation])));
    let binding = Binding { operation: digest(4), ..binding() };
    let as_changed = Event::Redeem {
        by: requester("session"),
        nonce: digest(9),
        attempt: digest(50),
        binding,
        deviations: Vec::new(),
        seal: seal(),
    };
    check(start(), &[low, as_changed], "redeemed", Ok(Done::Redeemed(Manner::AsShown)));
}

/// Somebody says yes, or no, and may speak for others until half a minute after the question.
fn in_stead(name: &str, of: &[&str], said: Answer) -> Event {
    let until = Timestamp::from_millis(31_000);
    let steads = of.iter().map(|name| Stead { person: person(name), until }).collect();
    Event::Answer { by: by(name, Assurance::Login), steads, answer: said, number: None, nonce: digest(9), seal: seal() }
}

/// Whoever speaks for another may say what they could have said, and it is still one voice of one person.
#[test]
fn one_voice_stays_one_voice() {
    let yes = |name: &str, of: &[&str]| in_stead(name, of, Answer::Approve);
    let start = || approval(Form::Confirmation);
    let decided = || Ok(Done::Decided);
    let said_before = || Err(Refusal::SaidBefore);
    check(start(), &[yes("dora", &[])], "pending", Err(Refusal::NotAsked));
    check(start(), &[yes("dora", &["ann"])], "approved", decided());
    check(start(), &[yes("dora", &["zoe"])], "pending", Err(Refusal::NotAsked));
    check(start(), &[in_stead("dora", &["ann"], Answer::Deny("no".to_owned()))], "denied", decided());
    // For the owner one may refuse as they could, where they are not asked.
    let mut others = start();
    others.terms.approvers = vec![person("ann")];
    check(others.clone(), &[yes("dora", &["owner"])], "pending", Err(Refusal::NotAsked));
    check(others, &[in_stead("dora", &["owner"], Answer::Deny(String::new()))], "denied", decided());
    let several = |quorum| {
        let mut approval = start();
        approval.terms.quorum = quorum;
        approval.terms.approvers = ["ann", "bob", "carl"].map(person).to_vec();
        approval
    };
    let one_more = || Ok(Done::Voted { missing: 1 });
    // One person, however many have handed over to them.
    check(several(2), &[yes("dora", &["ann", "bob"])], "pending", one_more());
    check(several(2), &[yes("dora", &["ann", "bob"]), yes("dora", &["ann", "bob"])], "pending", said_before());
    check(several(2), &[yes("carl", &["ann"]), yes("carl", &["ann"])], "pending", said_before());
    // One voice, whoever raises it.
    check(several(2), &[yes("dora", &["ann"]), yes("ann", &[])], "pending", said_before());
    check(several(2), &[yes("ann", &[]), yes("dora", &["ann"])], "pending", said_before());
    check(several(2), &[yes("dora", &["ann"]), yes("erik", &["ann"])], "pending", said_before());
    // Two persons with two voices are two.
    check(several(2), &[yes("dora", &["ann"]), yes("bob", &[])], "approved", decided());
    check(several(2), &[yes("carl", &["ann"]), yes("ann", &[])], "approved", decided());
    check(several(2), &[yes("dora", &["ann"]), yes("erik", &["ann", "bob"])], "approved", decided());
}

/// Duties stay apart: for whom the agent works may not say yes with another's voice, and nobody may with theirs.
#[test]
fn duties_stay_apart_whoever_speaks() {
    let yes = |name: &str, of: &[&str]| in_stead(name, of, Answer::Approve);
    let mut apart = approval(Form::Confirmation);
    apart.terms.owner = OwnerMay::OnlyDeny;
    let owners_word = || Err(Refusal::OwnersWord);
    check(apart.clone(), &[yes("owner", &["ann"])], "pending", owners_word());
    check(apart.clone(), &[yes("dora", &["owner"])], "pending", owners_word());
    check(apart.clone(), &[yes("dora", &["owner", "ann"])], "approved", Ok(Done::Decided));
    apart.terms.assurance = Assurance::Passkey;
    let needed = Assurance::Passkey;
    check(apart, &[yes("dora", &["ann"])], "pending", Err(Refusal::AssuranceTooLow { needed }));
    // It ends by the clock by which the answer is heard.
    let tick = Event::Tick;
    let mut events = vec![tick; 29];
    events.push(yes("dora", &["ann"]));
    check(approval(Form::Confirmation), &events, "pending", Err(Refusal::NotAsked));
    events.remove(0);
    check(approval(Form::Confirmation), &events, "approved", Ok(Done::Decided));
}

/// People are reminded once, outside of the quiet hours, as long as there is something to decide; and nothing else comes of it.
#[test]
fn people_are_reminded_once() {
    let at = |seconds: i64| Timestamp::from_millis(1_000 + seconds * 1_000);
    let minute = Duration::from_secs(60);
    let with = |quiet| {
        let mut approval = approval(Form::Confirmation);
        approval.terms.reminding = Some(Reminding { after: minute, quiet });
        approval
    };
    // The question is asked a second after midnight, and there are five minutes for it.
    let quiet = |from, until| Some(Quiet { from, until, ahead: 0 });
    for (name, approval, due) in [
        ("nobody has said so", approval(Form::Confirmation), None),
        ("after a minute", with(None), Some(at(60))),
        ("in the quiet", with(quiet(1, 3)), Some(Timestamp::from_millis(180_000))),
        ("not in the quiet", with(quiet(3, 8)), Some(at(60))),
        ("when the quiet is over there is nothing to decide", with(quiet(0, 8)), None),
    ] {
        assert_eq!(reminds_at(&approval), due, "{name}");
        let end = approval.asked.after(DECIDE);
        assert_eq!(next_deadline(&approval), Some(due.unwrap_or(end)), "{name}");
    }
    let early = step(&with(None), &Event::Tick, at(59));
    assert_eq!((early.stage, early.outcome), (None, Ok(Done::Nothing)));
    let Step { stage, outcome } = step(&with(None), &Event::Tick, at(61));
    assert_eq!(outcome, Ok(Done::Reminded));
    let reminded = Approval { stage: stage.unwrap(), ..with(None) };
    assert_eq!((reminded.stage.name(), reminds_at(&reminded)), ("pending", None));
    assert_eq!(step(&reminded, &Event::Tick, at(200)).outcome, Ok(Done::Nothing), "it does not repeat itself");
    // The time to decide is what it was, and a time-out is one.
    assert_eq!(next_deadline(&reminded), Some(reminded.asked.after(DECIDE)));
    assert_eq!(step(&reminded, &Event::Tick, at(300)).stage.map(|stage| stage.name()), Some("expired"));
    // Whoever slept through it finds that its time is over, and is not reminded any more.
    let slept = step(&with(None), &Event::Tick, at(300));
    assert_eq!((slept.stage.map(|stage| stage.name()), slept.outcome), (Some("expired"), Ok(Done::Nothing)));
    // A vote does not make it be said again.
    let mut two = reminded;
    two.terms.quorum = 2;
    let voted = step(&two, &answer("ann", Answer::Approve), at(62)).stage.unwrap();
    assert!(matches!(voted, Stage::Pending { reminded: Some(_), .. }));
}

/// Whoever has not seen the screen of whoever asks says no yes, in no form, and does not find the number out by trying.
#[test]
fn a_yes_brings_the_number_along() {
    let number = |text: &str| ScreenNumber::parse(text);
    let with = |form| {
        let mut approval = approval(form);
        approval.question.number = number("42");
        approval
    };
    let said = |name: &str, answer, typed: &str| Event::Answer {
        by: by(name, Assurance::Login),
        steads: Vec::new(),
        answer,
        number: number(typed),
        nonce: digest(9),
        seal: seal(),
    };
    let changed = || {
        let (risk, verdict) = (Risk::None, Verdict::Allow);
        Answer::Modify(Modification { operation: shell("ls"), risk, verdict, form: None, binding: binding() })
    };
    let choice = Form::Choice(vec![Choice::Cancel, Choice::GoAhead]);
    let wrong = |tries_left| Err(Refusal::WrongNumber { tries_left });
    for (form, yes, stage) in [
        (Form::Confirmation, Answer::Approve, "approved"),
        (Form::Confirmation, changed(), "modified"),
        (choice, Answer::Choose(Choice::GoAhead), "approved"),
        (Form::Input("main".to_owned()), Answer::Input("main".to_owned()), "approved"),
    ] {
        check(with(form.clone()), &[said("ann", yes.clone(), "")], "pending", Err(Refusal::NumberNeeded));
        check(with(form.clone()), &[said("ann", yes.clone(), "43")], "pending", wrong(2));
        check(with(form), &[said("ann", yes, "42")], stage, Ok(Done::Decided));
    }
    let start = || with(Form::Confirmation);
    let guess = |name: &str, typed: &str| said(name, Answer::Approve, typed);
    // Everybody's tries count together, and after the last of them it is refused for good.
    check(start(), &[guess("ann", "10"), guess("bob", "11")], "pending", wrong(1));
    check(start(), &[guess("ann", "10"), guess("bob", "11"), guess("ann", "42")], "approved", Ok(Done::Decided));
    check(start(), &[guess("ann", "10"), guess("bob", "11"), guess("ann", "12")], "denied", wrong(0));
    let late = [guess("ann", "10"), guess("ann", "11"), guess("ann", "12"), guess("bob", "42")];
    check(start(), &late, "denied", Err(Refusal::Closed));
    // Whoever has no say in it does not use them up, and a no needs none.
    check(start(), &[guess("mallory", "10")], "pending", Err(Refusal::NotAsked));
    check(start(), &[said("ann", Answer::Deny(String::new()), "")], "denied", Ok(Done::Decided));
    // Everybody who has to agree has to have seen it.
    let mut two = start();
    two.terms.quorum = 2;
    check(two, &[guess("ann", "42"), guess("bob", "")], "pending", Err(Refusal::NumberNeeded));
    // Where nobody shows one, nobody has to type one.
    check(approval(Form::Confirmation), &[guess("ann", "42")], "approved", Ok(Done::Decided));
}

#[test]
fn what_differs_makes_it_stale() {
    let yes = answer("ann", Answer::Approve);
    for (other, bound) in [
        (Binding { operation: digest(8), ..binding() }, Bound::Operation),
        (Binding { preview: digest(8), ..binding() }, Bound::Preview),
        (Binding { policy: digest(8), ..binding() }, Bound::Policy),
    ] {
        let swapped = Event::Redeem {
            by: requester("session"),
            nonce: digest(9),
            attempt: digest(50),
            binding: other,
            deviations: Vec::new(),
            seal: seal(),
        };
        let stale = Refusal::Stale(vec![bound]);
        check(approval(Form::Confirmation), &[yes.clone(), swapped.clone()], "stale", Err(stale.clone()));
        // Putting it back does not bring the yes back.
        check(approval(Form::Confirmation), &[yes.clone(), swapped, redeem()], "stale", Err(stale));
    }
}

#[test]
fn a_step_that_was_changed_in_the_store_makes_no_yes() {
    let planned = || {
        let mut approval = approval(Form::Confirmation);
        approval.question.steps = vec![PlanStep {
            operation: shell("rm -rf out"),
            directory: "/project".to_owned(),
            project: "/project".to_owned(),
            risk: Risk::Medium,
            bound: digest(6),
            shown: Shown { complete: true, ..Shown::default() },
            card: "a card".to_owned(),
            settled: Settled::ByTheYes,
        }];
        after(approval, &[answer("ann", Answer::Approve)]).0
    };
    check(planned(), &[redeem()], "redeemed", Ok(Done::Redeemed(Manner::AsShown)));
    let changes: [fn(&mut PlanStep); 10] = [
        |step| step.bound = digest(7),
        |step| step.directory.push('x'),
        |step| step.project.push('x'),
        |step| step.risk = Risk::Low,
        |step| step.settled = Settled::Harmless,
        |step| step.shown.complete = false,
        |step| step.shown.total.files += 1,
        |step| step.shown.total.bytes += 1,
        |step| step.shown.lost.push(ShownFile { path: "/x".to_owned(), bytes: 1 }),
        |step| step.shown.things.push(ShownThing { path: "/x".to_owned(), all: Tally::default() }),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut changed = planned();
        change(&mut changed.question.steps[0]);
        let (_, outcomes) = after(changed, &[redeem()]);
        assert_eq!(outcomes, [Err(Refusal::Unsealed)], "change {at}");
    }
}

#[test]
fn others_cannot_use_it() {
    let yes = answer("ann", Answer::Approve);
    let start = || approval(Form::Confirmation);
    let attempt = digest(50);
    let elsewhere = Event::Redeem {
        by: requester("another"),
        nonce: digest(9),
        attempt,
        binding: binding(),
        deviations: Vec::new(),
        seal: seal(),
    };
    check(start(), &[yes.clone(), elsewhere], "approved", Err(Refusal::NotRequester));
    let forged = Event::Redeem {
        by: requester("session"),
        nonce: digest(8),
        attempt,
        binding: binding(),
        deviations: Vec::new(),
        seal: seal(),
    };
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
