//! The gate against a bystander with a notebook: whatever agents and people do, in any order and at any time, both say the
//! same of it. A hundred thousand moves; `SIGNOFF_CASES=10` makes it a million.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod memory;
mod reference;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use memory::Memory;
use proptest::test_runner::Config;
use proptest_state_machine::{StateMachineTest, prop_state_machine};
use reference::{Changed, DECIDE, ESCALATE, Move, Notebook, RUN, SAME, Say, Shape, Wanted, World};
use signoff_gate::{
    Asking, Done, Event, Eyes, Gate, GateError, Looking, Mint, NoRandomness, Outcome, Refusal, Request, Seen, Sighting,
    Sought, Trusting,
    judging::{Judged, Policy},
};
use signoff_model::{
    AgentId, Answer, Answerer, ApprovalId, Assessment, Assurance, Binding, ChannelId, Choice, Clock, Dialect, Digest,
    Escalation, Form, GroupId, Manner, Modification, Operation, OwnerMay, PersonId, Question, Report, RequestKey,
    Requester, Risk, SessionId, ShellCommand, Shown, Terms, Trust, Verdict,
};
use signoff_permit::IssuerKey;

prop_state_machine! {
    #![proptest_config(Config { cases: 1_000 * cases(), failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_gate_does_what_the_notebook_says(sequential 100..101 => GateTest);
}

fn cases() -> u32 {
    std::env::var("SIGNOFF_CASES").map_or(1, |cases| cases.parse().unwrap())
}

struct GateTest;

/// The gate, with what those who use it hold in their hands.
struct Hands {
    runtime: tokio::runtime::Runtime,
    store: Arc<Memory>,
    gate: Gate,
    world: Arc<Mutex<World>>,
    ids: Vec<ApprovalId>,
    /// Who asked each of them.
    sessions: Vec<&'static str>,
    /// The permit that an agent was given for a question.
    permits: Vec<Option<String>>,
}

impl StateMachineTest for GateTest {
    type SystemUnderTest = Hands;
    type Reference = Notebook;

    fn init_test(notebook: &Notebook) -> Hands {
        let store = Arc::new(Memory::default());
        store.clock.store(notebook.now(), Ordering::SeqCst);
        let world = Arc::new(Mutex::new(World::AsShown));
        let eyes = Arc::new(Sights(Arc::clone(&world)));
        let key = IssuerKey::from_seed([5; 32]);
        let gate = Gate::new(Arc::clone(&store) as _, key, Box::new(Counting(AtomicU64::new(1))), eyes);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        Hands { runtime, store, gate, world, ids: Vec::new(), sessions: Vec::new(), permits: Vec::new() }
    }

    fn apply(mut hands: Hands, notebook: &Notebook, happens: Move) -> Hands {
        assert_eq!(hands.play(happens), notebook.said, "{happens:?}");
        hands
    }

    fn check_invariants(hands: &Hands, notebook: &Notebook) {
        // The last few are those that something happens to; all of them are looked at in the end.
        let told = notebook.told();
        for (which, told) in told.iter().enumerate().skip(told.len().saturating_sub(4)) {
            assert_eq!(&hands.told(which, notebook.session_of(which)), told, "question {which}");
        }
    }

    fn teardown(hands: Hands, notebook: Notebook) {
        for (which, told) in notebook.told().iter().enumerate() {
            assert_eq!(&hands.told(which, notebook.session_of(which)), told, "question {which}");
            let other = if notebook.session_of(which) == "s1" { "s2" } else { "s1" };
            assert_eq!(hands.told(which, other), "not found", "question {which} is not theirs");
        }
    }
}

impl Hands {
    fn play(&mut self, happens: Move) -> String {
        match happens {
            Move::Ask(wanted) => self.ask(wanted),
            Move::Pass(millis) => {
                self.store.clock.fetch_add(millis, Ordering::SeqCst);
                String::new()
            }
            Move::Answer { which, who, sureness, say } => {
                let by = Answerer {
                    person: person(who),
                    channel: ChannelId::new("inbox").unwrap(),
                    assurance: Assurance::ALL[sureness],
                };
                let answered = self.runtime.block_on(self.gate.answer(self.ids[which], by, answer(say)));
                match answered {
                    Ok((_, Done::Decided)) => {
                        self.keep_permit(which);
                        "decided".to_owned()
                    }
                    Ok((_, Done::Voted { missing })) => format!("voted, {missing} missing"),
                    Ok((_, other)) => panic!("no answer does this: {other:?}"),
                    Err(error) => said(&error),
                }
            }
            Move::Withdraw { which, session } => {
                let by = requester(session);
                let done = self.runtime.block_on(self.gate.withdraw(self.ids[which], by, String::new()));
                done.map_or_else(|error| said(&error), |()| "withdrawn".to_owned())
            }
            Move::Supersede { which } => {
                let event = Event::Supersede { by: ApprovalId::from_bits(0) };
                let happened = self.runtime.block_on(self.gate.store().happen(self.ids[which], event));
                match happened.unwrap().unwrap().outcome {
                    Ok(Done::Decided) => "decided".to_owned(),
                    Ok(other) => panic!("{other:?}"),
                    Err(refusal) => format!("refused: {}", refusal.name()),
                }
            }
            Move::Redeem { which, session, attempt, world } => {
                let Some(permit) = self.permits[which].clone() else { return "no permit".to_owned() };
                *self.world.lock().unwrap() = world;
                let redeem = self.gate.redeem(&permit, requester(session), digest(50 + attempt), digest(4));
                match self.runtime.block_on(redeem) {
                    Ok(manner) => format!("run it, with a copy: {}", manner == Manner::BackUpFirst),
                    Err(error) => said(&error),
                }
            }
            Move::Report { which, session, well } => {
                let Some(permit) = self.permits[which].clone() else { return "no permit".to_owned() };
                let report = if well { Report::Executed } else { Report::Failed("exit 1".to_owned()) };
                let done = self.runtime.block_on(self.gate.report(&permit, requester(session), report));
                done.map_or_else(|error| said(&error), |()| "reported".to_owned())
            }
        }
    }

    fn ask(&mut self, wanted: Wanted) -> String {
        match self.runtime.block_on(self.gate.ask(request(wanted))) {
            Err(error) => said(&error),
            Ok(approval) => {
                let which = self.ids.iter().position(|id| *id == approval.id).unwrap_or_else(|| {
                    self.ids.push(approval.id);
                    self.permits.push(None);
                    self.sessions.push(wanted.session);
                    self.ids.len() - 1
                });
                format!("question {which}")
            }
        }
    }

    /// The agent looks, and is given a permit, which it holds for as long as it likes.
    fn keep_permit(&mut self, which: usize) {
        let looked = self.runtime.block_on(self.gate.outcome(self.ids[which], &requester(self.sessions[which])));
        if let Ok(Outcome::Approved { permit, .. }) = looked {
            self.permits[which] = Some(permit.text().to_owned());
        }
    }

    fn told(&self, which: usize, session: &str) -> String {
        match self.runtime.block_on(self.gate.outcome(self.ids[which], &requester(session))) {
            Ok(Outcome::Open { until }) => format!("open until {}", until.millis()),
            Ok(Outcome::Approved { manner, changed, until, .. }) => format!(
                "approved until {}, with a copy: {}, changed: {}",
                until.millis(),
                manner == Manner::BackUpFirst,
                changed.is_some()
            ),
            Ok(Outcome::Denied { by, .. }) => format!("denied by {by}"),
            Ok(Outcome::Expired(Clock::Decide)) => "expired: decide".to_owned(),
            Ok(Outcome::Expired(Clock::Run)) => "expired: run".to_owned(),
            Ok(Outcome::Withdrawn) => "withdrawn".to_owned(),
            Ok(Outcome::Superseded(_)) => "superseded".to_owned(),
            Ok(Outcome::Redeemed) => "redeemed".to_owned(),
            Ok(Outcome::Executed) => "executed".to_owned(),
            Ok(Outcome::Failed(words)) => format!("failed: {words}"),
            Ok(Outcome::Unknown) => "unknown".to_owned(),
            Ok(Outcome::Stale { .. }) => "stale".to_owned(),
            Err(error) => said(&error),
        }
    }
}

/// Why something was not done, in the notebook's words.
fn said(error: &GateError) -> String {
    match error {
        GateError::Refused { refusal, .. } => format!("refused: {}", Refusal::name(refusal)),
        GateError::NotFound => "not found".to_owned(),
        GateError::NobodyToAsk => "nobody to ask".to_owned(),
        GateError::KeyTaken => "key taken".to_owned(),
        other => panic!("{other}"),
    }
}

fn digest(byte: u8) -> Digest {
    Digest::from_bytes([byte; 32])
}

fn binding(world: World) -> Binding {
    let operation = match world {
        World::AsShown => 1,
        World::AsChanged => 2,
        World::SomethingElse => 3,
    };
    Binding { operation: digest(operation), preview: digest(8), policy: digest(9) }
}

fn person(name: &str) -> PersonId {
    PersonId::new(name).unwrap()
}

fn requester(session: &str) -> Requester {
    let session = SessionId::new(session).unwrap();
    Requester { agent: AgentId::new("agent").unwrap(), session, owner: person("owner") }
}

fn shell(command: &str) -> Operation {
    Operation::Shell(ShellCommand { command: command.to_owned(), dialect: Dialect::Bash })
}

fn request(wanted: Wanted) -> Request {
    let Wanted { session, key, command, shape, quorum, apart, sureness, escalates } = wanted;
    let form = match shape {
        Shape::Plain => Form::Confirmation,
        Shape::Choice => {
            Form::Choice(vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst, Choice::ShowDifference])
        }
        Shape::OnlyWithCopy => Form::Choice(vec![Choice::Cancel, Choice::BackUpFirst]),
        Shape::OnlyCancel => Form::Choice(vec![Choice::Cancel]),
        Shape::Typed => Form::Input("main".to_owned()),
    };
    let millis = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap());
    let group = GroupId::new("on call").unwrap();
    Request {
        key: RequestKey::new(key.to_string()).unwrap(),
        requester: requester(session),
        question: Question {
            operation: shell(command),
            directory: "/project".to_owned(),
            project: "/project".to_owned(),
            risk: Risk::High,
            form,
            binding: binding(World::AsShown),
            intent: None,
            surroundings: digest(4),
            card: String::new(),
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
            quorum,
            owner: if apart { OwnerMay::OnlyDeny } else { OwnerMay::Approve },
            assurance: Assurance::ALL[sureness],
            decide_within: millis(DECIDE),
            run_within: millis(RUN),
            escalation: escalates.then(|| Escalation { after: millis(ESCALATE), group, members: vec![person("zoe")] }),
            reminding: None,
        },
    }
}

fn answer(say: Say) -> Answer {
    match say {
        Say::Yes => Answer::Approve,
        Say::No => Answer::Deny("no".to_owned()),
        Say::Cancel => Answer::Choose(Choice::Cancel),
        Say::GoAhead => Answer::Choose(Choice::GoAhead),
        Say::CopyFirst => Answer::Choose(Choice::BackUpFirst),
        Say::Show => Answer::Choose(Choice::ShowDifference),
        Say::Type(text) => Answer::Input(text.to_owned()),
        Say::Change(Changed { same, blocked, graver, strictness }) => Answer::Modify(Modification {
            operation: shell(if same { SAME } else { "rm -i a" }),
            risk: if graver { Risk::Critical } else { Risk::Medium },
            verdict: if blocked { Verdict::Block } else { Verdict::Ask },
            form: match strictness {
                0 => None,
                1 => Some(Form::Confirmation),
                2 => Some(Form::Choice(vec![Choice::Cancel, Choice::GoAhead])),
                _ => Some(Form::Input("a".to_owned())),
            },
            binding: binding(World::AsChanged),
        }),
    }
}

/// Numbers that nobody has had before.
struct Counting(AtomicU64);

impl Mint for Counting {
    fn id(&self) -> Result<ApprovalId, NoRandomness> {
        Ok(ApprovalId::from_bits(u128::from(self.0.fetch_add(1, Ordering::SeqCst))))
    }

    fn nonce(&self) -> Result<Digest, NoRandomness> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.0.fetch_add(1, Ordering::SeqCst).to_be_bytes());
        Ok(Digest::from_bytes(bytes))
    }
}

/// Eyes that see the world as it is made to be.
struct Sights(Arc<Mutex<World>>);

impl Eyes for Sights {
    fn look(&self, sought: Sought) -> Sighting<'_> {
        let assessment = Assessment::default();
        let context = signoff_policy::Context::default();
        let request = signoff_policy::Request { operation: &sought.operation, invocations: &[] };
        let judgement = signoff_policy::judge(&assessment, &context, &signoff_policy::Rules::default(), &request);
        let seen = Seen {
            judged: Judged { operation: sought.operation, assessment, judgement },
            binding: binding(*self.0.lock().unwrap()),
            directory: sought.directory.clone(),
            project: sought.directory,
            card: String::new(),
            shown: Shown::default(),
            rests: Vec::new(),
            asking: Asking {
                decide_within: Duration::ZERO,
                run_within: Duration::ZERO,
                approvers: Vec::new(),
                quorum: 1,
                owner: OwnerMay::Approve,
                assurance: Assurance::Login,
                escalation: None,
                burst: 20,
                reminding: None,
                match_from: None,
            },
            trust: Trust::INITIAL,
            policy: Arc::default(),
        };
        Box::pin(async move { Ok(seen) })
    }

    fn trusting(&self, _project: String) -> Looking<'_, Trusting> {
        let (initial, step) = (Trust::INITIAL, Trust::from_thousandths(10));
        Box::pin(std::future::ready(Ok(Trusting { initial, increment: step, decrement: step })))
    }

    fn policy(&self, _project: Option<String>) -> Looking<'_, Arc<Policy>> {
        Box::pin(std::future::ready(Ok(Arc::default())))
    }
}
