//! The gate on a real store: what agents and people get to hear.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod suite;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use signoff_gate::{
    Asking, Event, Eyes, Gate, GateError, Looking, Mint, NoRandomness, Outcome, Refusal, Request, Seen, Sighting,
    Sought, Store, Trusting, judging::Judged,
};
use signoff_model::{
    Answer, Answerer, ApprovalId, Assessment, Assurance, Binding, Bound, ChannelId, Choice, Clock, Digest, Form,
    Manner, OwnerMay, PersonId, Report, SessionId, Shown, Stage,
};
use signoff_permit::{IssuerKey, PermitError};
use signoff_store::Sqlite;
use suite::{Hands, question, requester};
use tempfile::TempDir;

struct Counting(AtomicU64);

impl Mint for Counting {
    fn id(&self) -> Result<ApprovalId, NoRandomness> {
        Ok(ApprovalId::from_bits(u128::from(self.0.fetch_add(1, Ordering::SeqCst))))
    }

    fn nonce(&self) -> Result<Digest, NoRandomness> {
        let number = u8::try_from(self.0.fetch_add(1, Ordering::SeqCst)).unwrap();
        Ok(Digest::from_bytes([number; 32]))
    }
}

struct Fixture {
    directory: TempDir,
    hands: Hands,
    gate: Arc<Gate>,
    sights: Arc<Sights>,
}

/// Eyes that see what they are told to.
struct Sights(Mutex<Binding>);

impl Default for Sights {
    fn default() -> Self {
        Self(Mutex::new(binding()))
    }
}

impl Eyes for Sights {
    fn look(&self, sought: Sought) -> Sighting<'_> {
        let assessment = Assessment::default();
        let context = signoff_policy::Context::default();
        let request = signoff_policy::Request { operation: &sought.operation, invocations: &[] };
        let judgement = signoff_policy::judge(&assessment, &context, &signoff_policy::Rules::default(), &request);
        let seen = Seen {
            judged: Judged { operation: sought.operation, assessment, judgement },
            binding: *self.0.lock().unwrap(),
            directory: sought.directory.clone(),
            project: sought.directory,
            card: String::new(),
            shown: Shown::default(),
            rests: Vec::new(),
            asking: Asking {
                decide_within: SOON,
                run_within: SOON,
                approvers: Vec::new(),
                quorum: 1,
                owner: OwnerMay::Approve,
                assurance: Assurance::Login,
                escalation: None,
                burst: 20,
                reminding: None,
                match_from: None,
            },
            trust: signoff_model::Trust::INITIAL,
            policy: Arc::default(),
        };
        Box::pin(async move { Ok(seen) })
    }

    fn trusting(&self, _project: String) -> Looking<'_, Trusting> {
        let step = signoff_model::Trust::from_thousandths(10);
        let trusting = Trusting { initial: signoff_model::Trust::INITIAL, increment: step, decrement: step };
        Box::pin(std::future::ready(Ok(trusting)))
    }

    fn policy(&self, _project: Option<String>) -> Looking<'_, Arc<signoff_gate::judging::Policy>> {
        Box::pin(std::future::ready(Ok(Arc::default())))
    }
}

impl Fixture {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let hands = Hands::new();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&directory.path().join("s.db"), hands.clock()).unwrap());
        let sights = Arc::new(Sights::default());
        let mint = Box::new(Counting(AtomicU64::new(1)));
        let gate = Gate::new(store, IssuerKey::from_seed([3; 32]), mint, Arc::clone(&sights) as Arc<dyn Eyes>);
        Self { directory, hands, gate: Arc::new(gate), sights }
    }

    async fn ask(&self, key: &str) -> ApprovalId {
        self.gate.ask(request(key)).await.unwrap().id
    }

    async fn approve(&self, id: ApprovalId) {
        self.gate.answer(id, ann(), Answer::Approve).await.unwrap();
    }

    async fn permit(&self, id: ApprovalId) -> String {
        match self.gate.outcome(id, &requester("agent")).await.unwrap() {
            Outcome::Approved { permit, .. } => permit.text().to_owned(),
            other => panic!("it is approved: {other:?}"),
        }
    }
}

fn request(key: &str) -> Request {
    let new = question("agent", key);
    Request { key: new.key, requester: new.requester, question: new.question, terms: new.terms }
}

fn ann() -> Answerer {
    let channel = ChannelId::new("inbox").unwrap();
    Answerer { person: PersonId::new("ann").unwrap(), channel, assurance: Assurance::Login }
}

fn binding() -> Binding {
    request("any").question.binding
}

fn surroundings() -> Digest {
    request("any").question.surroundings
}

fn attempt() -> Digest {
    Digest::from_bytes([50; 32])
}

const SOON: Duration = Duration::from_secs(20);
const AT_ONCE: Duration = Duration::from_millis(1);

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_is_woken_by_the_answer() {
    let fixture = Fixture::new();
    let id = fixture.ask("key").await;
    let waiting = tokio::spawn({
        let gate = Arc::clone(&fixture.gate);
        async move { (gate.wait(id, &requester("agent"), SOON).await, Instant::now()) }
    });
    // It waits by now, and not a look before the time is over is what wakes it.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let answered = Instant::now();
    fixture.approve(id).await;
    let (outcome, woken) = waiting.await.unwrap();
    assert!(woken.duration_since(answered) < SOON / 2, "the answer wakes, and not the clock");
    let Outcome::Approved { permit, manner, changed, .. } = outcome.unwrap() else {
        panic!("a yes is a yes");
    };
    assert_eq!((manner, changed), (Manner::AsShown, None));
    // Who asks again is handed the same permit: it is one yes.
    assert_eq!(fixture.permit(id).await, permit.text());
    assert_eq!(
        fixture.gate.redeem(permit.text(), requester("agent"), attempt(), surroundings()).await,
        Ok(Manner::AsShown)
    );
    // The same attempt asks again because it did not hear the answer; another one is another run.
    assert_eq!(
        fixture.gate.redeem(permit.text(), requester("agent"), attempt(), surroundings()).await,
        Ok(Manner::AsShown)
    );
    let again =
        fixture.gate.redeem(permit.text(), requester("agent"), Digest::from_bytes([51; 32]), surroundings()).await;
    assert_eq!(again, Err(GateError::refused(Refusal::UsedBefore)));
    fixture.gate.report(permit.text(), requester("agent"), Report::Executed).await.unwrap();
    assert_eq!(fixture.gate.outcome(id, &requester("agent")).await, Ok(Outcome::Executed));
}

/// Who answers and hangs up before they hear that it counts leaves nobody asleep.
#[tokio::test]
async fn who_waits_is_woken_whoever_has_gone_away() {
    let fixture = Fixture::new();
    let id = fixture.ask("key").await;
    let waiting = tokio::spawn({
        let gate = Arc::clone(&fixture.gate);
        async move { gate.wait(id, &requester("agent"), SOON).await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let begun = Instant::now();
    // Long enough for the store to get it, on most runs, and never long enough to be told.
    let mut answering = Box::pin(fixture.gate.answer(id, ann(), Answer::Approve));
    let heard = std::future::poll_fn(|context| std::task::Poll::Ready(answering.as_mut().poll(context))).await;
    assert!(heard.is_pending());
    drop(answering);
    // Nobody has to have got it: then it is answered anew.
    let again = fixture.gate.answer(id, ann(), Answer::Approve).await;
    assert!(matches!(again, Ok(_) | Err(GateError::Refused { .. })), "{again:?}");
    let outcome = waiting.await.unwrap().unwrap();
    assert!(matches!(outcome, Outcome::Approved { .. }), "{outcome:?}");
    assert!(begun.elapsed() < SOON / 2);
}

/// Of what happens without the gate, as time does, whoever waits hears as well.
#[tokio::test]
async fn who_waits_hears_of_what_the_clock_does() {
    let fixture = Fixture::new();
    let id = fixture.ask("key").await;
    let waiting = tokio::spawn({
        let gate = Arc::clone(&fixture.gate);
        async move { gate.wait(id, &requester("agent"), SOON).await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let begun = Instant::now();
    fixture.hands.pass(Duration::from_secs(365 * 24 * 3_600));
    assert_eq!(fixture.gate.store().tick(9).await.unwrap().ended.len(), 1);
    assert_eq!(waiting.await.unwrap(), Ok(Outcome::Expired(Clock::Decide)));
    assert!(begun.elapsed() < SOON / 2, "the ledger wakes, and not the end of waiting");
}

/// What has become of a yes that was used is told, and none of it can be taken for another.
#[tokio::test]
async fn what_became_of_a_use_is_told() {
    let fixture = Fixture::new();
    let (id, other) = (fixture.ask("key").await, fixture.ask("other").await);
    for id in [id, other] {
        fixture.approve(id).await;
        let permit = fixture.permit(id).await;
        fixture.gate.redeem(&permit, requester("agent"), attempt(), surroundings()).await.unwrap();
    }
    let told = |id| {
        let gate = Arc::clone(&fixture.gate);
        async move { gate.outcome(id, &requester("agent")).await.unwrap() }
    };
    assert_eq!(told(id).await, Outcome::Redeemed);
    fixture.hands.pass(signoff_gate::REPORT_WITHIN);
    assert_eq!(told(id).await, Outcome::Unknown);
    let nonce = fixture.gate.store().approval(id).await.unwrap().unwrap().stage.consent().unwrap().nonce;
    let report = Event::Report { by: requester("agent"), nonce, report: Report::Failed("exit 1".to_owned()) };
    fixture.gate.store().happen(id, report).await.unwrap();
    assert_eq!(told(id).await, Outcome::Failed("exit 1".to_owned()));
    assert_eq!(told(other).await, Outcome::Unknown);
}

/// Who answers too late is told who has decided; who has no say in it is not.
#[tokio::test]
async fn who_comes_too_late_is_told_who_has_decided() {
    let fixture = Fixture::new();
    let (denied, lapsed) = (fixture.ask("a").await, fixture.ask("b").await);
    fixture.gate.answer(denied, ann(), Answer::Deny("no".to_owned())).await.unwrap();
    fixture.approve(lapsed).await;
    fixture.hands.pass(Duration::from_secs(60));
    let named = |name: &str| Answerer { person: PersonId::new(name).unwrap(), ..ann() };
    let late = async |id, name| match fixture.gate.answer(id, named(name), Answer::Approve).await {
        Err(GateError::Refused { refusal, stage }) => (refusal, stage.map(|stage| *stage)),
        other => panic!("it is too late: {other:?}"),
    };
    let (refusal, stage) = late(denied, "bob").await;
    assert_eq!(refusal, Refusal::Closed);
    assert!(matches!(stage, Some(Stage::Denied { by, .. }) if by == ann()));
    let (refusal, stage) = late(lapsed, "bob").await;
    assert_eq!(refusal, Refusal::Expired(Clock::Run));
    let votes = stage.as_ref().and_then(Stage::consent).map(|consent| consent.votes.clone()).unwrap();
    assert_eq!(votes.iter().map(|vote| vote.by.clone()).collect::<Vec<_>>(), [ann()]);
    assert_eq!(late(denied, "mallory").await, (Refusal::Closed, None));
}

#[tokio::test]
async fn waiting_ends_and_the_question_stays() {
    let fixture = Fixture::new();
    let id = fixture.ask("key").await;
    let open = fixture.gate.wait(id, &requester("agent"), AT_ONCE).await.unwrap();
    assert!(matches!(open, Outcome::Open { .. }));
    // A late yes is found by whoever comes back.
    fixture.approve(id).await;
    assert_eq!(fixture.ask("key").await, id);
    fixture.permit(id).await;
}

#[tokio::test]
async fn each_end_is_told_as_what_it_is() {
    let fixture = Fixture::new();
    let (denied, expired, withdrawn, lapsed) =
        (fixture.ask("a").await, fixture.ask("b").await, fixture.ask("c").await, fixture.ask("d").await);
    fixture.gate.answer(denied, ann(), Answer::Deny("use git mv".to_owned())).await.unwrap();
    fixture.gate.withdraw(withdrawn, requester("agent"), String::new()).await.unwrap();
    fixture.approve(lapsed).await;
    // Nobody has looked since: the clock of the store tells, and not when somebody came by.
    fixture.hands.pass(Duration::from_secs(300));
    let told = |id| {
        let gate = Arc::clone(&fixture.gate);
        async move { gate.wait(id, &requester("agent"), AT_ONCE).await.unwrap() }
    };
    let by = PersonId::new("ann").unwrap();
    assert_eq!(told(denied).await, Outcome::Denied { by, words: "use git mv".to_owned(), reopened: None });
    assert_eq!(told(expired).await, Outcome::Expired(Clock::Decide));
    assert_eq!(told(withdrawn).await, Outcome::Withdrawn);
    assert_eq!(told(lapsed).await, Outcome::Expired(Clock::Run));
}

/// Other sessions and other agents neither see, take back nor use it, whatever they hold.
#[tokio::test]
async fn others_get_nothing() {
    let fixture = Fixture::new();
    let id = fixture.ask("key").await;
    let mut session = requester("agent");
    session.session = SessionId::new("another").unwrap();
    for other in [requester("another"), session] {
        let gate = &fixture.gate;
        assert_eq!(gate.outcome(id, &other).await, Err(GateError::NotFound));
        assert_eq!(gate.wait(id, &other, AT_ONCE).await, Err(GateError::NotFound));
        assert_eq!(gate.withdraw(id, other, String::new()).await, Err(GateError::NotFound));
    }
    fixture.approve(id).await;
    let permit = fixture.permit(id).await;
    let stolen = fixture.gate.redeem(&permit, requester("another"), attempt(), surroundings()).await;
    assert_eq!(stolen, Err(GateError::refused(Refusal::NotRequester)));
}

#[tokio::test]
async fn permits_of_others_open_nothing() {
    let fixture = Fixture::new();
    let id = fixture.ask("key").await;
    fixture.approve(id).await;
    let permit = fixture.permit(id).await;
    let gate = &fixture.gate;
    for text in ["", "yes", "sgp1.AA.AA", &permit.replace("sgp1.", "sgp1.A")] {
        let refused = gate.redeem(text, requester("agent"), attempt(), surroundings()).await;
        assert!(matches!(refused, Err(GateError::Permit(_))), "{text}");
    }
    // The same approval in another gate, with another key.
    let other = Fixture::new();
    let refused = Gate::new(
        Arc::new(Sqlite::open(&other.directory.path().join("t.db"), other.hands.clock()).unwrap()),
        IssuerKey::from_seed([4; 32]),
        Box::new(Counting(AtomicU64::new(1))),
        Arc::new(Sights::default()),
    )
    .redeem(&permit, requester("agent"), attempt(), surroundings())
    .await;
    assert_eq!(refused, Err(GateError::Permit(PermitError::OtherKey)));
    // What would run is looked at when it runs.
    let swapped = Binding { preview: Digest::from_bytes([200; 32]), ..binding() };
    *fixture.sights.0.lock().unwrap() = swapped;
    let stale = gate.redeem(&permit, requester("agent"), attempt(), surroundings()).await;
    assert!(matches!(stale, Err(GateError::Refused { refusal: Refusal::Stale(_), .. })));
    let told = gate.outcome(id, &requester("agent")).await;
    assert!(matches!(told, Ok(Outcome::Stale { differing, .. }) if differing == [Bound::Preview]));
}

/// What nobody could say yes to is refused at once.
#[tokio::test]
async fn a_question_needs_somebody_to_answer_it() {
    let fixture = Fixture::new();
    let nobody: [fn(&mut Request); 5] = [
        |request| request.terms.approvers.clear(),
        |request| request.terms.quorum = 3,
        |request| {
            request.terms.owner = OwnerMay::OnlyDeny;
            request.terms.approvers = vec![request.requester.owner.clone()];
        },
        |request| request.question.form = Form::Input(String::new()),
        |request| request.question.form = Form::Choice(vec![Choice::Cancel, Choice::ShowDifference]),
    ];
    for (number, change) in nobody.iter().enumerate() {
        let mut request = request(&number.to_string());
        change(&mut request);
        assert_eq!(fixture.gate.ask(request).await, Err(GateError::NobodyToAsk), "{number}");
    }
}

/// Whoever writes into the store beside the gate makes no yes of it: not one of another question, not one that has run out, not one
/// that was used, and none that an earlier version has kept without a seal.
#[tokio::test]
async fn what_somebody_has_written_into_the_store_is_no_yes() {
    type Edit = fn(&mut serde_json::Value, &serde_json::Value);
    let edits: [(&str, Edit); 5] = [
        ("the yes to another question", |one, other| one["stage"] = other["stage"].clone()),
        ("one that lasts longer", |one, _| one["stage"]["consent"]["until"] = 9_999_999_999_999_i64.into()),
        ("one in another manner", |one, _| one["stage"]["consent"]["manner"] = "back-up-first".into()),
        ("one to something else", |one, _| one["question"]["binding"]["preview"] = "05".repeat(32).into()),
        ("one without a seal", |one, _| _ = one["stage"]["consent"].as_object_mut().unwrap().remove("seal")),
    ];
    for (what, edit) in edits {
        let fixture = Fixture::new();
        let (id, other) = (fixture.ask("a").await, fixture.ask("b").await);
        fixture.approve(other).await;
        let copied = what.contains("another question");
        let permit = if copied {
            String::new()
        } else {
            fixture.approve(id).await;
            fixture.permit(id).await
        };
        let template = fixture.record(other);
        fixture.edit(id, |record| edit(record, &template));
        let unsealed = || GateError::refused(Refusal::Unsealed);
        assert_eq!(fixture.gate.outcome(id, &requester("agent")).await, Err(unsealed()), "{what}");
        if !copied {
            let redeemed = fixture.gate.redeem(&permit, requester("agent"), attempt(), surroundings()).await;
            assert_eq!(redeemed, Err(unsealed()), "{what}");
        }
        let told = fixture.told().await;
        assert!(told.contains(&"permit-refused".to_owned()), "{what}: {told:?}");
        assert!(!told.contains(&"redeemed".to_owned()), "{what}: {told:?}");
        // The other one is as good as before.
        let permit = fixture.permit(other).await;
        fixture.gate.redeem(&permit, requester("agent"), attempt(), surroundings()).await.unwrap();
    }
}

/// Whoever writes a voice into the store has not raised one: where two have to agree, two do.
#[tokio::test]
async fn a_voice_that_was_written_into_the_store_is_none() {
    type Edit = fn(&mut serde_json::Value);
    let edits: [(&str, Edit); 4] = [
        ("a voice of somebody else", |record| {
            let mut invented = record["stage"]["votes"][0].clone();
            invented["by"]["person"] = "bob".into();
            record["stage"]["votes"] = serde_json::json!([invented]);
        }),
        ("a voice without a mark", |record| {
            record["stage"]["votes"][0]["by"]["person"] = "bob".into();
            _ = record["stage"]["votes"][0].as_object_mut().unwrap().remove("seal");
        }),
        ("a voice in somebody's stead", |record| record["stage"]["votes"][0]["stead"] = "bob".into()),
        ("another manner", |record| record["stage"]["votes"][0]["manner"] = "back-up-first".into()),
    ];
    for (what, edit) in edits {
        let fixture = Fixture::new();
        let mut request = request("a");
        request.terms.quorum = 2;
        request.terms.approvers = ["ann", "bob", "zoe"].map(|name| PersonId::new(name).unwrap()).to_vec();
        let id = fixture.gate.ask(request).await.unwrap().id;
        let by = |name: &str| Answerer { person: PersonId::new(name).unwrap(), ..ann() };
        fixture.approve(id).await;
        fixture.edit(id, edit);
        // One yes of a person is still missing, and nothing is approved by the next one.
        let (approval, done) = fixture.gate.answer(id, by("zoe"), Answer::Approve).await.unwrap();
        assert_eq!(done, signoff_gate::Done::Voted { missing: 1 }, "{what}");
        let signoff_model::Stage::Pending { votes, .. } = approval.stage else { panic!("{what}: it is open") };
        assert_eq!(votes.len(), 1, "{what}: what nobody has said is gone");
        let (approval, done) = fixture.gate.answer(id, ann(), Answer::Approve).await.unwrap();
        assert_eq!((approval.stage.name(), done), ("approved", signoff_gate::Done::Decided), "{what}");
    }
    // Untouched, two are enough.
    let fixture = Fixture::new();
    let mut request = request("a");
    request.terms.quorum = 2;
    request.terms.approvers = ["ann", "zoe"].map(|name| PersonId::new(name).unwrap()).to_vec();
    let id = fixture.gate.ask(request).await.unwrap().id;
    fixture.approve(id).await;
    let zoe = Answerer { person: PersonId::new("zoe").unwrap(), ..ann() };
    assert_eq!(fixture.gate.answer(id, zoe, Answer::Approve).await.unwrap().1, signoff_gate::Done::Decided);
}

/// A yes that was never used is not made one that was, by which its holder would be let through as if the answer had been lost.
#[tokio::test]
async fn nobody_has_used_what_only_the_store_says_to_be_used() {
    let fixture = Fixture::new();
    let id = fixture.ask("a").await;
    fixture.approve(id).await;
    let permit = fixture.permit(id).await;
    fixture.edit(id, |record| {
        let consent = record["stage"]["consent"].clone();
        let attempt = attempt().to_string();
        record["stage"] = serde_json::json!({"kind": "redeemed", "consent": consent, "attempt": attempt, "at": 0});
    });
    let redeemed = fixture.gate.redeem(&permit, requester("agent"), attempt(), surroundings()).await;
    assert_eq!(redeemed, Err(GateError::refused(Refusal::Unsealed)));
}

impl Fixture {
    fn record(&self, id: ApprovalId) -> serde_json::Value {
        let query = "SELECT record FROM approvals WHERE id = ?1";
        let text: String = self.connection().query_row(query, [id.bits().to_be_bytes()], |row| row.get(0)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Changes an approval beside the gate.
    fn edit(&self, id: ApprovalId, edit: impl FnOnce(&mut serde_json::Value)) {
        let mut record = self.record(id);
        edit(&mut record);
        let row = (id.bits().to_be_bytes(), record["stage"]["kind"].as_str().unwrap().to_owned(), record.to_string());
        let query = "UPDATE approvals SET stage = ?2, record = ?3 WHERE id = ?1";
        assert_eq!(self.connection().execute(query, row).unwrap(), 1);
    }

    fn connection(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.directory.path().join("s.db")).unwrap()
    }

    async fn told(&self) -> Vec<String> {
        let entries = self.gate.store().ledger(0, 1_000).await.unwrap();
        entries.iter().map(|entry| signoff_store::told(&entry.body).unwrap().what).collect()
    }
}
