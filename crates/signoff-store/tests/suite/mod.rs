//! What every store has to do, asked of each of them alike.

#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod again;
pub(crate) mod checkpoints;
pub(crate) mod items;
pub(crate) mod owning;
pub(crate) mod pruning;
pub(crate) mod together;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use signoff_gate::{Asked, Done, Event, Happened, NewApproval, Refusal, Store, StoreError, Subject, Wanted, step};
use signoff_model::{
    Actor, AgentId, Answer, Answerer, Approval, ApprovalId, Assurance, Binding, ChannelId, Choice, Deed, Dialect,
    Digest, Escalation, FileAction, FileOperation, Form, GroupId, LedgerEntry, Manner, Modification, Operation,
    OwnerMay, PersonId, Question, Quiet, Reminding, Report, RequestKey, Requester, Risk, ScreenNumber, SessionId,
    ShellCommand, Shown, Stage, Stead, Terms, Timestamp, ToolCall, ToolHints, Verdict,
};
use signoff_store::{Clock, verify};

/// How many times as much is tried as usual: `SIGNOFF_CASES=40` takes minutes.
pub(crate) fn cases() -> usize {
    std::env::var("SIGNOFF_CASES").map_or(1, |cases| cases.parse().expect("SIGNOFF_CASES is a number"))
}

/// A clock that stands still until it is moved.
#[derive(Clone)]
pub(crate) struct Hands(Arc<AtomicI64>);

impl Hands {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicI64::new(1_000_000)))
    }

    pub(crate) fn clock(&self) -> Clock {
        let hands = Arc::clone(&self.0);
        Arc::new(move || Timestamp::from_millis(hands.load(Ordering::SeqCst)))
    }

    pub(crate) fn pass(&self, duration: Duration) {
        self.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Ids that grow, so that what came later sorts later. Several tests share one database server.
fn next_id() -> ApprovalId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    ApprovalId::from_bits(u128::from(NEXT.fetch_add(1, Ordering::SeqCst)))
}

pub(crate) fn seal() -> signoff_permit::MacKey {
    signoff_permit::MacKey::from_bytes([3; 32])
}

fn digest(byte: u8) -> Digest {
    Digest::from_bytes([byte; 32])
}

fn binding() -> Binding {
    Binding { operation: digest(1), preview: digest(2), policy: digest(3) }
}

pub(crate) fn requester(agent: &str) -> Requester {
    Requester {
        agent: AgentId::new(agent).unwrap(),
        session: SessionId::new("session").unwrap(),
        owner: PersonId::new("owner").unwrap(),
    }
}

pub(crate) fn question(agent: &str, key: &str) -> NewApproval {
    let command = "rm -rf ./tmp_* 'odd \u{202e} name' 清理".to_owned();
    NewApproval {
        id: next_id(),
        key: RequestKey::new(key).unwrap(),
        requester: requester(agent),
        question: Question {
            operation: Operation::Shell(ShellCommand { command, dialect: Dialect::Bash }),
            directory: "/project".to_owned(),
            project: "/project".to_owned(),
            risk: Risk::High,
            form: Form::Confirmation,
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
            approvers: ["owner", "ann", "bob"].map(|name| PersonId::new(name).unwrap()).to_vec(),
            quorum: 1,
            owner: OwnerMay::Approve,
            assurance: Assurance::Login,
            decide_within: Duration::from_secs(300),
            run_within: Duration::from_secs(60),
            escalation: None,
            reminding: None,
        },
    }
}

fn by(name: &str) -> Answerer {
    Answerer {
        person: PersonId::new(name).unwrap(),
        channel: ChannelId::new("inbox").unwrap(),
        assurance: Assurance::Login,
    }
}

pub(crate) fn answer(name: &str, answer: Answer) -> Event {
    Event::Answer { by: by(name), answer, steads: Vec::new(), number: None, nonce: digest(9), seal: seal() }
}

pub(crate) fn redeem(agent: &str) -> Event {
    Event::Redeem {
        by: requester(agent),
        nonce: digest(9),
        attempt: digest(50),
        binding: binding(),
        deviations: Vec::new(),
        seal: seal(),
    }
}

/// Another attempt to use the same yes.
pub(crate) fn redeem_again(agent: &str) -> Event {
    Event::Redeem {
        by: requester(agent),
        nonce: digest(9),
        attempt: digest(51),
        binding: binding(),
        deviations: Vec::new(),
        seal: seal(),
    }
}

pub(crate) async fn asked(store: &dyn Store, new: NewApproval) -> Approval {
    match store.ask(new).await.unwrap() {
        Asked::New(approval) => approval,
        other => panic!("it is new: {other:?}"),
    }
}

async fn happened(store: &dyn Store, id: ApprovalId, event: Event) -> Happened {
    store.happen(id, event).await.unwrap().expect("the approval is there")
}

/// Who asks again finds what was asked before, and nobody gets another's approval by its key.
pub(crate) async fn one_key_is_one_approval(store: &dyn Store) {
    let first = question("agent", "key");
    let approval = asked(store, first.clone()).await;
    assert_eq!(approval.id, first.id);
    let again = NewApproval { id: next_id(), ..first.clone() };
    assert_eq!(store.ask(again.clone()).await.unwrap(), Asked::Before(approval.clone()));
    // The world went on: what would be shown now is another thing, and the question is the same.
    let mut later = again.clone();
    later.question.binding.preview = digest(7);
    assert_eq!(store.ask(later).await.unwrap(), Asked::Before(approval.clone()));
    let mut other = again.clone();
    other.question.directory = "/elsewhere".to_owned();
    assert_eq!(store.ask(other).await.unwrap(), Asked::KeyTaken);
    // The keys of another session are its own: it neither finds nor blocks this one.
    let mut session = again;
    session.requester.session = SessionId::new("another").unwrap();
    assert!(matches!(store.ask(session).await.unwrap(), Asked::New(_)));
    let theirs = asked(store, question("another", "key")).await;
    assert_ne!(theirs.id, approval.id);
    // An agent that died comes back to the answer.
    let denied = happened(store, approval.id, answer("ann", Answer::Deny("not now".to_owned()))).await;
    assert_eq!(store.ask(first).await.unwrap(), Asked::Before(denied.approval));
}

/// What the store says is what it holds, and what it holds is what the pure step says.
pub(crate) async fn a_yes_is_kept_and_used_once(store: &dyn Store) {
    let approval = asked(store, question("agent", "key")).await;
    assert_eq!(happened(store, approval.id, redeem("agent")).await.outcome, Err(Refusal::NotApproved));
    let approved = happened(store, approval.id, answer("ann", Answer::Approve)).await;
    assert_eq!((approved.approval.stage.name(), approved.outcome), ("approved", Ok(Done::Decided)));
    let late = happened(store, approval.id, answer("bob", Answer::Deny(String::new()))).await;
    assert_eq!((late.approval.stage.name(), late.outcome), ("approved", Err(Refusal::Closed)));
    let used = happened(store, approval.id, redeem("agent")).await;
    assert_eq!(used.outcome, Ok(Done::Redeemed(Manner::AsShown)));
    // The same attempt is told the same, and another one is another use.
    let again = happened(store, approval.id, redeem("agent")).await;
    assert_eq!((again.approval, again.outcome), (used.approval, Ok(Done::Redeemed(Manner::AsShown))));
    let other = Event::Redeem {
        by: requester("agent"),
        nonce: digest(9),
        attempt: digest(51),
        binding: binding(),
        deviations: Vec::new(),
        seal: seal(),
    };
    assert_eq!(happened(store, approval.id, other).await.outcome, Err(Refusal::UsedBefore));
    let report = Event::Report { by: requester("agent"), nonce: digest(9), report: Report::Failed("exit 1".into()) };
    let reported = happened(store, approval.id, report).await;
    assert_eq!(store.approval(approval.id).await.unwrap(), Some(reported.approval));
    assert_eq!(store.approval(ApprovalId::from_bits(u128::MAX)).await.unwrap(), None);
    assert_eq!(store.happen(ApprovalId::from_bits(u128::MAX), Event::Tick).await.unwrap(), None);
}

/// Time runs out by the clock of the store, for one approval at once and for all of them by and by.
pub(crate) async fn time_runs_out(store: &dyn Store, hands: &Hands) {
    let early = asked(store, question("agent", "early")).await;
    hands.pass(Duration::from_secs(10));
    let late = asked(store, question("agent", "late")).await;
    let ticked = store.tick(100).await.unwrap();
    assert_eq!((ticked.ended.len(), ticked.next), (0, Some(early.asked.after(Duration::from_secs(300)))));
    hands.pass(Duration::from_secs(290));
    let ticked = store.tick(100).await.unwrap();
    assert_eq!(ticked.ended.iter().map(|approval| approval.id).collect::<Vec<_>>(), [early.id]);
    assert_eq!(ticked.next, Some(late.asked.after(Duration::from_secs(300))));
    hands.pass(Duration::from_secs(10));
    // Nobody has looked yet, and yet it is too late.
    let tardy = happened(store, late.id, answer("ann", Answer::Approve)).await;
    assert_eq!(tardy.approval.stage.name(), "expired");
    assert!(matches!(tardy.outcome, Err(Refusal::Expired(_))));
    assert_eq!(store.tick(100).await.unwrap().next, None);
    assert_eq!(store.approval(early.id).await.unwrap().unwrap().stage.name(), "expired");
}

/// Those who were asked are reminded by the clock of the store, once, and that is in the ledger.
pub(crate) async fn people_are_reminded_once(store: &dyn Store, hands: &Hands) {
    let mut new = question("agent", "key");
    new.terms.reminding = Some(Reminding { after: Duration::from_secs(60), quiet: None });
    new.terms.quorum = 2;
    let id = asked(store, new).await.id;
    happened(store, id, answer("ann", Answer::Approve)).await;
    hands.pass(Duration::from_secs(60));
    let ticked = store.tick(100).await.unwrap();
    assert_eq!(ticked.ended.iter().map(|one| (one.id, one.stage.name())).collect::<Vec<_>>(), [(id, "pending")]);
    hands.pass(Duration::from_secs(60));
    assert_eq!(store.tick(100).await.unwrap().ended, []);
    let bodies: Vec<String> = store.ledger(0, 100).await.unwrap().into_iter().map(|entry| entry.body).collect();
    let told: Vec<&String> = bodies.iter().filter(|body| body.contains(r#""what":"reminded""#)).collect();
    assert_eq!(told.len(), 1, "{bodies:#?}");
    // Who has said yes, and who may not, is left in peace.
    assert!(told[0].contains(r#""of":"bob""#), "{told:?}");
    hands.pass(Duration::from_secs(180));
    assert_eq!(store.tick(100).await.unwrap().ended[0].stage.name(), "expired");
}

/// The latest come first, page by page, and only those that are wanted.
pub(crate) async fn lists_are_paged(store: &dyn Store) {
    let mut ids = Vec::new();
    for number in 0..25 {
        ids.push(
            asked(store, question(if number % 5 == 0 { "rare" } else { "agent" }, &format!("key {number}"))).await.id,
        );
    }
    happened(store, ids[3], answer("ann", Answer::Deny(String::new()))).await;
    let mut seen = Vec::new();
    let mut wanted = Wanted { stage: Some("pending".to_owned()), at_most: 10, ..Wanted::default() };
    loop {
        let page: Vec<ApprovalId> = store.list(wanted.clone()).await.unwrap().iter().map(|one| one.id).collect();
        let Some(last) = page.last() else { break };
        assert!(page.len() <= 10);
        wanted.before = Some(*last);
        seen.extend(page);
    }
    let expected: Vec<ApprovalId> = ids.iter().rev().filter(|id| **id != ids[3]).copied().collect();
    assert_eq!(seen, expected);
    let rare = Wanted { agent: Some(AgentId::new("rare").unwrap()), at_most: 100, ..Wanted::default() };
    assert_eq!(store.list(rare).await.unwrap().len(), 5);
    let nobody = Wanted { session: Some(SessionId::new("nobody").unwrap()), at_most: 100, ..Wanted::default() };
    assert_eq!(store.list(nobody).await.unwrap(), []);
}

/// Everything that happens is in the ledger, in one chain, and whoever waits for it is woken.
pub(crate) async fn the_ledger_holds_together(store: Arc<dyn Store>) {
    let waiting = tokio::spawn({
        let store = Arc::clone(&store);
        async move { store.news(0).await.unwrap() }
    });
    let approval = asked(&*store, question("agent", "key")).await;
    assert!(waiting.await.unwrap() >= 1);
    happened(&*store, approval.id, answer("mallory", Answer::Approve)).await;
    happened(&*store, approval.id, answer("ann", Answer::Approve)).await;
    happened(&*store, approval.id, Event::Tick).await;
    let deed = |number: u8| Deed {
        what: "allowed",
        by: Actor::Agent(requester("agent")),
        approval: None,
        details: vec![("operation", digest(number).to_string()), ("words", "a \"quote\"\n换行".to_owned())],
    };
    store.record((0..5).map(deed).collect()).await.unwrap();
    let entries = store.ledger(0, 100).await.unwrap();
    // What did nothing has left no trace; what was refused has.
    assert_eq!(entries.len(), 3 + 5);
    let head = verify(None, &entries).unwrap().unwrap();
    assert_eq!(head.0, 8);
    assert!(entries[1].body.contains(r#""refused":"not-asked""#), "{}", entries[1].body);
    assert!(entries[1].body.contains(r#""what":"answer-refused""#), "{}", entries[1].body);
    assert_eq!(verify(Some((3, entries[2].digest)), &entries[3..]), Ok(Some(head)));
    assert_eq!(store.ledger(8, 100).await.unwrap(), []);
    assert_eq!(store.ledger(6, 1).await.unwrap().len(), 1);
}

/// Whoever is refused again and again does not fill the ledger with it; what changes something is always written.
pub(crate) async fn refusals_are_written_so_often(shared: Arc<dyn Store>) {
    let store = &*shared;
    let id = asked(store, question("agent", "key")).await.id;
    let mallory = || answer("mallory", Answer::Approve);
    for _ in 0..10 {
        assert_eq!(happened(store, id, mallory()).await.outcome, Err(Refusal::NotAsked));
    }
    // Many at once share a commit.
    let running: Vec<_> = (0..40)
        .map(|_| {
            let store = Arc::clone(&shared);
            tokio::spawn(async move { store.happen(id, answer("mallory", Answer::Approve)).await.unwrap().unwrap() })
        })
        .collect();
    for one in running {
        assert_eq!(one.await.unwrap().outcome, Err(Refusal::NotAsked));
    }
    let entries = store.ledger(0, 100).await.unwrap();
    assert_eq!(entries.len(), 1 + 16);
    let further = |entry: &signoff_model::LedgerEntry| entry.body.contains(r#""further":"not-written""#);
    assert_eq!(entries.iter().map(further).collect::<Vec<_>>(), [[false; 16].as_slice(), &[true]].concat());
    happened(store, id, answer("ann", Answer::Approve)).await;
    happened(store, id, redeem("agent")).await;
    assert_eq!(store.ledger(17, 100).await.unwrap().len(), 2);
    // It is counted for each approval on its own.
    let other = asked(store, question("agent", "other")).await.id;
    happened(store, other, mallory()).await;
    assert_eq!(store.ledger(19, 100).await.unwrap().len(), 2);
    verify_all(store).await;
}

/// What is too long is refused, and leaves no trace. Whatever was kept can come to its end.
pub(crate) async fn what_is_too_long_is_refused(store: &dyn Store, hands: &Hands) {
    const MEBIBYTE: usize = 1_024 * 1_024;
    let shell = |length| Operation::Shell(ShellCommand { command: "x".repeat(length), dialect: Dialect::Bash });
    let refused = |said: Result<(), StoreError>| assert!(matches!(said, Err(StoreError::Unkeepable(_))), "{said:?}");
    let mut new = question("agent", "huge");
    new.question.operation = shell(MEBIBYTE);
    refused(store.ask(new.clone()).await.map(|_| ()));
    // What is kept is a text, in which some letters are longer.
    new.question.operation =
        Operation::Shell(ShellCommand { command: "\0".repeat(MEBIBYTE / 5), dialect: Dialect::Bash });
    refused(store.ask(new.clone()).await.map(|_| ()));
    new.question.operation = shell(MEBIBYTE - 2_000);
    let ids = [
        asked(store, new.clone()).await.id,
        asked(store, NewApproval { id: next_id(), key: RequestKey::new("2").unwrap(), ..new }).await.id,
    ];
    let words = || "x".repeat(MEBIBYTE);
    let changed = Modification {
        operation: shell(MEBIBYTE),
        risk: Risk::Low,
        verdict: Verdict::Ask,
        form: None,
        binding: binding(),
    };
    for event in [
        answer("ann", Answer::Deny(words())),
        answer("mallory", Answer::Deny(words())),
        answer("ann", Answer::Modify(changed)),
        Event::Report { by: requester("agent"), nonce: digest(9), report: Report::Failed(words()) },
    ] {
        refused(store.happen(ids[0], event).await.map(|_| ()));
    }
    let deed = Deed { what: "allowed", by: Actor::Gate, approval: None, details: vec![("words", words())] };
    refused(store.record(vec![deed.clone()]).await);
    let change = signoff_gate::Change { deed: Some(deed), ..items::change("ann", None, Some("x")) };
    refused(store.change(vec![change]).await.map(|_| ()));
    assert_eq!(store.ledger(0, 10).await.unwrap().len(), 2);
    // A question that is as long as it may be is answered, used and reported on, or runs out, like any other.
    happened(store, ids[0], answer("ann", Answer::Approve)).await;
    happened(store, ids[0], redeem("agent")).await;
    let most = "x".repeat(MEBIBYTE - 2);
    let report = Event::Report { by: requester("agent"), nonce: digest(9), report: Report::Failed(most) };
    assert_eq!(happened(store, ids[0], report).await.approval.stage.name(), "failed");
    hands.pass(Duration::from_secs(300));
    let ticked = store.tick(10).await.unwrap();
    assert_eq!((ticked.ended.len(), ticked.next), (1, None));
    let export = checkpoints::exported(store).await;
    assert!(signoff_store::verify_export(export.as_bytes(), &[]).is_ok());
}

/// When time runs out in a round of [`one_wins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expiry {
    Before,
    Never,
    /// While all others are under way.
    Meanwhile,
}

/// Many answer at once, on all nodes, while it is withdrawn and time runs out: one of them decides, and all are told the same.
pub(crate) async fn one_wins(nodes: &[Arc<dyn Store>], hands: &Hands, rounds: usize) {
    let store = &nodes[0];
    let names: Vec<String> = (0..64).map(|number| format!("person {number}")).collect();
    for round in 0..rounds {
        let expiry = [Expiry::Before, Expiry::Meanwhile, Expiry::Never, Expiry::Meanwhile][round % 4];
        let mut new = question("agent", &format!("round {round}"));
        new.terms.approvers = names.iter().map(|name| PersonId::new(name).unwrap()).collect();
        // A yes stays one for longer than the clock jumps.
        new.terms.run_within = Duration::from_secs(24 * 60 * 60);
        let id = asked(&**store, new).await.id;
        let mut events: Vec<Event> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let said = if at % 3 == round % 3 { Answer::Deny(name.clone()) } else { Answer::Approve };
                answer(name, said)
            })
            .collect();
        events.insert(round % 64, Event::Withdraw { by: requester("agent"), words: String::new() });
        events.insert(round * 7 % 64, Event::Tick);
        if expiry == Expiry::Before {
            hands.pass(Duration::from_secs(300));
        }
        // Somewhere among them, the clock jumps behind the time to decide.
        let jump = round * 13 % events.len();
        let mut running = Vec::new();
        for (at, (event, store)) in events.into_iter().zip(nodes.iter().cycle()).enumerate() {
            if expiry == Expiry::Meanwhile && at == jump {
                let hands = hands.clone();
                running.push(tokio::spawn(async move {
                    hands.pass(Duration::from_secs(300));
                    None
                }));
            }
            let (store, is_tick) = (Arc::clone(store), event == Event::Tick);
            running.push(tokio::spawn(async move {
                let happened = store.happen(id, event).await.unwrap().unwrap();
                // A tick may come before all others, and then there is nothing to tell.
                (!is_tick || !is_pending(&happened.approval)).then_some(happened)
            }));
        }
        let mut ends = BTreeSet::new();
        let mut decided = 0;
        for one in running {
            let Some(Happened { approval, outcome, .. }) = one.await.unwrap() else { continue };
            ends.insert(format!("{:?}", approval.stage));
            decided += usize::from(outcome == Ok(Done::Decided));
        }
        assert_eq!(ends.len(), 1, "everybody is told the same: {ends:?}");
        let end = store.approval(id).await.unwrap().unwrap().stage;
        let expired = matches!(end, Stage::Expired { clock: signoff_model::Clock::Decide, consent: None, .. });
        assert_eq!(decided, usize::from(!expired), "one wins, or nobody where time has run out: {end:?}");
        match expiry {
            Expiry::Before => assert!(expired),
            Expiry::Never => assert!(!expired),
            Expiry::Meanwhile => {}
        }
    }
    verify_all(&**store).await;
}

/// Checks the whole ledger of a store.
pub(crate) async fn verify_all(store: &dyn Store) {
    let mut head = None;
    loop {
        let after = head.map_or(0, |(number, _)| number);
        let entries = store.ledger(after, 500).await.unwrap();
        // Remembered or read, as many of them as one wants to tell at a time.
        let subjects = store.subjects(after, 500).await.unwrap();
        let subject = |entry: &LedgerEntry| Subject { number: entry.number, approval: entry.approval };
        assert_eq!(subjects, entries.iter().take(subjects.len()).map(subject).collect::<Vec<_>>());
        assert_eq!(subjects.is_empty(), entries.is_empty());
        if entries.is_empty() {
            return;
        }
        head = verify(head, &entries).unwrap();
    }
}

/// What one agent sends does not fail what others do, and what cannot be kept is refused.
pub(crate) async fn one_does_not_fail_another(store: Arc<dyn Store>) {
    let tool = |args: &str| {
        let args = serde_json::from_str(args).unwrap();
        Operation::Tool(ToolCall { name: "t".to_owned(), args, hints: ToolHints::default() })
    };
    let mut odd = question("agent", "odd");
    odd.question.operation = tool(r#"{"a":1,"$serde_json::private::RawValue":"2"}"#);
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let mut nested = question("agent", "deep");
    nested.question.operation = tool(&deep);
    let others: Vec<_> = (0..20)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.ask(question("other", &format!("key {number}"))).await })
        })
        .collect();
    let refused = store.ask(odd).await;
    assert!(matches!(refused, Err(StoreError::Unkeepable(_)) | Ok(_)), "{refused:?}");
    let kept = asked(&*store, nested).await;
    assert_eq!(store.approval(kept.id).await.unwrap(), Some(kept));
    for other in others {
        assert!(matches!(other.await.unwrap(), Ok(Asked::New(_))));
    }
    store.tick(100).await.unwrap();
    assert!(store.list(Wanted { at_most: 100, ..Wanted::default() }).await.unwrap().len() >= 21);
    verify_all(&*store).await;
}

/// A random walk over several approvals: after each step, the store holds what the pure step says, and nothing else.
pub(crate) async fn agrees_with_the_pure_step(store: &dyn Store, hands: &Hands, seed: u64, steps: usize) {
    let mut random = Random(seed);
    let mut model: Vec<Approval> = Vec::new();
    for number in 0..steps {
        if model.len() < 4 || random.below(20) == 0 {
            let new = random.question(&format!("{seed} {number}"));
            model.push(asked(store, new).await);
        }
        hands.pass(Duration::from_millis(random.below(40_000)));
        let at = usize::try_from(random.below(model.len() as u64)).unwrap();
        let event = random.event();
        let expected = step(&model[at], &event, hands.now());
        model[at].stage = expected.stage.unwrap_or_else(|| model[at].stage.clone());
        let found = happened(store, model[at].id, event).await;
        assert_eq!((&found.approval, &found.outcome), (&model[at], &expected.outcome));
        assert_eq!(store.approval(model[at].id).await.unwrap().as_ref(), Some(&model[at]));
        if model[at].stage.is_final() {
            model.remove(at);
        }
    }
}

/// A source of choices that is the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()].clone()
    }

    fn operation(&mut self) -> Operation {
        match self.below(3) {
            0 => Operation::Shell(ShellCommand { command: "ls\0\u{7f}".to_owned(), dialect: Dialect::Zsh }),
            1 => Operation::File(FileOperation {
                action: FileAction::Move,
                path: "a".to_owned(),
                to: Some("b".to_owned()),
                content: None,
            }),
            _ => Operation::Tool(ToolCall {
                name: "mail.send".to_owned(),
                args: serde_json::json!({"to": ["x"], "deep": {"n": 1.5}}),
                hints: ToolHints { read_only: Some(false), destructive: None, open_world: Some(true) },
            }),
        }
    }

    fn question(&mut self, key: &str) -> NewApproval {
        let mut new = question("agent", key);
        new.question.operation = self.operation();
        let choices = vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference];
        new.question.form = self.one(&[Form::Confirmation, Form::Choice(choices), Form::Input("main".to_owned())]);
        new.question.risk = self.one(&Risk::ALL);
        new.terms.quorum = u16::try_from(self.below(3)).unwrap();
        new.terms.owner = self.one(&[OwnerMay::Approve, OwnerMay::OnlyDeny]);
        new.terms.assurance = self.one(&Assurance::ALL);
        let group = GroupId::new("on call").unwrap();
        let members = vec![PersonId::new("zoe").unwrap()];
        let escalation = Escalation { after: Duration::from_secs(120), group, members };
        new.terms.escalation = self.one(&[None, Some(escalation)]);
        let quiet = Some(Quiet { from: 17, until: 19, ahead: 0 });
        let reminding = |quiet| Some(Reminding { after: Duration::from_secs(60), quiet });
        new.terms.reminding = self.one(&[None, reminding(None), reminding(quiet)]);
        new.question.number = self.one(&[None, None, ScreenNumber::parse("42")]);
        new
    }

    fn event(&mut self) -> Event {
        let changed = Modification {
            operation: self.operation(),
            risk: self.one(&Risk::ALL),
            verdict: self.one(&Verdict::ALL),
            form: self.one(&[None, Some(Form::Confirmation), Some(Form::Choice(vec![Choice::GoAhead]))]),
            binding: Binding { operation: digest(4), ..binding() },
        };
        let person = self.one(&["owner", "ann", "bob", "zoe", "mallory"]);
        let said = self.one(&[
            Answer::Approve,
            Answer::Approve,
            Answer::Approve,
            Answer::Deny("no".to_owned()),
            Answer::Choose(Choice::GoAhead),
            Answer::Choose(Choice::BackUpFirst),
            Answer::Choose(Choice::Cancel),
            Answer::Input("main".to_owned()),
            Answer::Input("x".to_owned()),
            Answer::Modify(changed),
        ]);
        let by = Answerer { assurance: self.one(&Assurance::ALL), ..by(person) };
        let report = self.one(&[Report::Executed, Report::Failed("exit 1".to_owned())]);
        let operation = digest(self.one(&[1, 1, 1, 4, 5]));
        let nonce = digest(self.one(&[9, 9, 9, 9, 8]));
        let attempt = digest(self.one(&[50, 51]));
        let somebody = requester(self.one(&["agent", "other", "other", "other"]));
        let until = Timestamp::from_millis(self.one(&[0, i64::MAX]));
        let stead = |name: &str| Stead { person: PersonId::new(name).unwrap(), until };
        let steads = self.one(&[vec![stead("ann")], vec![stead("owner"), stead("bob")]]);
        let number = self.one(&["42", "42", "17", ""].map(ScreenNumber::parse));
        self.one(&[
            Event::Answer {
                by: by.clone(),
                answer: said.clone(),
                steads: Vec::new(),
                number,
                nonce: digest(9),
                seal: seal(),
            },
            Event::Answer { by, answer: said, steads, number, nonce: digest(9), seal: seal() },
            Event::Redeem {
                by: requester("agent"),
                nonce,
                attempt,
                binding: Binding { operation, ..binding() },
                deviations: Vec::new(),
                seal: seal(),
            },
            Event::Redeem {
                by: requester("agent"),
                nonce,
                attempt,
                binding: binding(),
                deviations: Vec::new(),
                seal: seal(),
            },
            Event::Report { by: requester("agent"), nonce, report },
            Event::Tick,
            Event::Withdraw { by: somebody, words: String::new() },
            Event::Supersede { by: ApprovalId::from_bits(0) },
            Event::Reopen { by: requester("agent"), with: ApprovalId::from_bits(1) },
        ])
    }
}

/// What an approval is when nothing has happened yet.
pub(crate) fn is_pending(approval: &Approval) -> bool {
    matches!(approval.stage, Stage::Pending { .. })
}
