//! What the ledger says of an event: by one name what was done, and by another what was refused.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use signoff_gate::{Event, NewApproval, record, step};
use signoff_model::{
    AgentId, Answer, Answerer, Approval, ApprovalId, Assurance, Binding, ChannelId, Deed, Dialect, Digest, Form,
    Operation, OwnerMay, PersonId, Question, Report, RequestKey, Requester, Risk, SessionId, ShellCommand, Shown,
    Terms, Timestamp,
};

fn seal() -> signoff_permit::MacKey {
    signoff_permit::MacKey::from_bytes([3; 32])
}

fn digest(byte: u8) -> Digest {
    Digest::from_bytes([byte; 32])
}

fn binding() -> Binding {
    Binding { operation: digest(1), preview: digest(2), policy: digest(3) }
}

fn requester(agent: &str) -> Requester {
    Requester {
        agent: AgentId::new(agent).unwrap(),
        session: SessionId::new("s").unwrap(),
        owner: PersonId::new("owner").unwrap(),
    }
}

fn answer(name: &str) -> Event {
    let (person, channel) = (PersonId::new(name).unwrap(), ChannelId::new("inbox").unwrap());
    Event::Answer {
        by: Answerer { person, channel, assurance: Assurance::Login },
        answer: Answer::Approve,
        steads: Vec::new(),
        number: None,
        nonce: digest(9),
        seal: seal(),
    }
}

fn redeem(operation: u8) -> Event {
    let binding = Binding { operation: digest(operation), ..binding() };
    Event::Redeem {
        by: requester("agent"),
        nonce: digest(9),
        attempt: digest(50),
        binding,
        deviations: Vec::new(),
        seal: seal(),
    }
}

fn report() -> Event {
    Event::Report { by: requester("agent"), nonce: digest(9), report: Report::Executed }
}

fn asked() -> Approval {
    let command = "rm -rf x".to_owned();
    let new = NewApproval {
        id: ApprovalId::from_bits(1),
        key: RequestKey::new("key").unwrap(),
        requester: requester("agent"),
        question: Question {
            operation: Operation::Shell(ShellCommand { command, dialect: Dialect::Bash }),
            directory: "/".to_owned(),
            project: "/".to_owned(),
            risk: Risk::High,
            form: Form::Confirmation,
            binding: binding(),
            intent: None,
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
            approvers: vec![PersonId::new("ann").unwrap()],
            quorum: 1,
            owner: OwnerMay::Approve,
            assurance: Assurance::Login,
            decide_within: Duration::from_secs(300),
            run_within: Duration::from_secs(60),
            escalation: None,
            reminding: None,
        },
    };
    new.at(Timestamp::from_millis(0))
}

/// The names of what is written while events happen one after the other, at these seconds.
fn written(events: &[(i64, Event)]) -> Vec<&'static str> {
    let mut approval = asked();
    let mut names = Vec::new();
    for (second, event) in events {
        let step = step(&approval, event, Timestamp::from_millis(second * 1_000));
        let deed: Option<Deed> = record::of_step(&approval, event, &step, 0);
        names.extend(deed.map(|deed| deed.what));
        approval.stage = step.stage.unwrap_or(approval.stage);
    }
    names
}

#[test]
fn what_was_refused_is_not_named_as_done() {
    let withdraw = |agent: &str| Event::Withdraw { by: requester(agent), words: String::new() };
    let supersede = || Event::Supersede { by: ApprovalId::from_bits(2) };
    for (events, expected) in [
        (
            vec![(1, answer("mallory")), (2, answer("ann")), (3, redeem(1)), (4, report())],
            vec!["answer-refused", "answered", "redeemed", "reported"],
        ),
        (
            vec![(1, redeem(1)), (2, report()), (3, withdraw("other"))],
            vec!["redemption-refused", "report-refused", "withdrawal-refused"],
        ),
        // These change where it stands, and yet they have not done what they were meant to.
        (vec![(1, answer("ann")), (2, redeem(7))], vec!["answered", "redemption-refused"]),
        (vec![(301, answer("ann"))], vec!["answer-refused"]),
        (vec![(300, Event::Tick)], vec!["ran-out"]),
        (vec![(1, Event::Tick)], vec![]),
        (vec![(1, withdraw("agent")), (2, supersede())], vec!["withdrawn", "superseding-refused"]),
        (vec![(1, supersede())], vec!["superseded"]),
    ] {
        assert_eq!(written(&events), expected, "{events:?}");
    }
}

/// The last refusal that is written says so, and what changes something is always written.
#[test]
fn refusals_are_written_so_often() {
    let approval = asked();
    let now = Timestamp::from_millis(1_000);
    let written = |event: &Event, before| record::of_step(&approval, event, &step(&approval, event, now), before);
    let says_so = |deed: &Deed| deed.details.contains(&("further", "not-written".to_owned()));
    for before in 0..record::REFUSALS_AT_MOST {
        let deed = written(&answer("mallory"), before).expect("it is one of the first");
        assert_eq!(says_so(&deed), before + 1 == record::REFUSALS_AT_MOST, "{before}");
    }
    for before in [record::REFUSALS_AT_MOST, u32::MAX] {
        assert_eq!(written(&answer("mallory"), before), None);
        assert!(!says_so(&written(&answer("ann"), before).expect("it changes something")));
    }
}
