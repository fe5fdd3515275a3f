//! Texts as they are on disks. What reads them today has to read them for ever; whoever changes one of these lines changes what
//! is stored, and needs a version for it.

use std::time::Duration;

use signoff_gate::record;
use signoff_model::{
    Actor, AgentId, Answerer, Approval, ApprovalId, Assurance, Binding, Bounds, ChannelId, Choice, Clock, Consent,
    Deed, Dialect, Digest, Escalation, Form, Grant, GrantId, GroupId, Manner, Modification, Operation, OwnerMay,
    PersonId, Question, Reach, Report, RequestKey, Requester, Risk, SessionId, ShellCommand, Sight, Stage, Terms,
    Timestamp, ToolCall, ToolHints, Verdict, Vote,
};

use super::{body, kept_grant, read, read_grant, write};
use crate::chain::Head;

/// An approval up to where it stands.
const RECORD: &str = concat!(
    r#"{"v":1,"id":"019700000000700080000000000000ff","key":"key","agent":"claude","session":"s-1","owner":"李雷","#,
    r#""question":{"operation":{"kind":"shell","command":"rm -rf \"a\\b\" 清理\u001b","dialect":"bash"},"#,
    r#""directory":"/project","project":"/project","risk":"high","#,
    r#""form":{"kind":"choice","options":["cancel","go-ahead","back-up-first"]},"#,
    r#""binding":{"operation":"0101010101010101010101010101010101010101010101010101010101010101","#,
    r#""preview":"0202020202020202020202020202020202020202020202020202020202020202","#,
    r#""policy":"0303030303030303030303030303030303030303030303030303030303030303"},"#,
    r#""sight":"local","intent":"清理一下","#,
    r#""surroundings":"0505050505050505050505050505050505050505050505050505050505050505","card":"{}"},"#,
    r#""terms":{"approvers":["ann","bob"],"quorum":1,"owner_may_approve":false,"assurance":"login","#,
    r#""decide_within_ms":300000,"run_within_ms":60000,"#,
    r#""escalation":{"after_ms":120000,"group":"on call","members":["zoe"]}},"#,
    r#""asked":1700000000000,"stage":"#,
);

const PENDING: &str = r#"{"kind":"pending","votes":[],"misses":[]}"#;

const FAILED: &str = concat!(
    r#"{"kind":"failed","consent":{"votes":[{"by":{"person":"ann","channel":"inbox","assurance":"login"},"#,
    r#""at":1700000001000,"manner":"back-up-first"}],"manner":"back-up-first","at":1700000001000,"until":1700000061000,"#,
    r#""nonce":"0909090909090909090909090909090909090909090909090909090909090909","#,
    r#""modified":{"operation":{"kind":"tool","name":"mail.send","args":"{\"n\":1.5,\"to\":[\"x\"]}","#,
    r#""read_only":null,"destructive":true,"open_world":false},"risk":"low","verdict":"ask","#,
    r#""form":{"kind":"input","text":"main"},"#,
    r#""binding":{"operation":"0404040404040404040404040404040404040404040404040404040404040404","#,
    r#""preview":"0202020202020202020202020202020202020202020202020202020202020202","#,
    r#""policy":"0303030303030303030303030303030303030303030303030303030303030303"}}},"#,
    r#""words":"exit 1","at":1700000001000}"#,
);

const ASKED: &str = concat!(
    r#"{"v":1,"at":1700000002000,"what":"asked","by":{"kind":"agent","agent":"claude","session":"s-1","owner":"李雷"},"#,
    r#""approval":"019700000000700080000000000000ff","details":{"directory":"/project","#,
    r#""operation":"0101010101010101010101010101010101010101010101010101010101010101","#,
    r#""policy":"0303030303030303030303030303030303030303030303030303030303030303","#,
    r#""preview":"0202020202020202020202020202020202020202020202020202020202020202","risk":"high","#,
    r#""text":"rm -rf \"a\\b\" 清理\u001b"}}"#,
);

const RECORDED: &str = concat!(
    r#"{"v":1,"at":1700000002000,"what":"person-added","by":{"kind":"person","person":"ann","channel":"inbox","#,
    r#""assurance":"login"},"details":{"name":"\"b\"\n","role":"approver"}}"#,
);

const EXACT: &str = concat!(
    r#"{"v":1,"id":"019700000000700080000000000000aa","by":{"person":"ann","channel":"inbox","assurance":"login"},"#,
    r#""at":1700000000000,"reach":{"kind":"exact","operation":{"kind":"shell","command":"rm 清理","dialect":"sh"},"#,
    r#""directory":"/project","bound":"0101010101010101010101010101010101010101010101010101010101010101"},"#,
    r#""covers":"high","sight":"local","until":1700000060000,"uses":3,"session":"s-1","project":"/project","agent":"claude"}"#,
);

const PATTERN: &str = concat!(
    r#"{"v":1,"id":"019700000000700080000000000000aa","by":{"person":"ann","channel":"inbox","assurance":"login"},"#,
    r#""at":1700000000000,"reach":{"kind":"pattern","command":"git push *","paths":["src/**"]},"#,
    r#""covers":"medium","sight":"none","until":1700000060000,"uses":null,"session":null,"project":null,"agent":null}"#,
);

fn digest(byte: u8) -> Digest {
    Digest::from_bytes([byte; 32])
}

fn binding(byte: u8) -> Binding {
    Binding { operation: digest(byte), preview: digest(2), policy: digest(3) }
}

fn person(name: &str) -> PersonId {
    PersonId::new(name).unwrap()
}

fn ann() -> Answerer {
    let channel = ChannelId::new("inbox").unwrap();
    Answerer { person: person("ann"), channel, assurance: Assurance::Login }
}

/// A question that nobody has answered.
fn pending() -> Approval {
    let command = "rm -rf \"a\\b\" 清理\u{1b}".to_owned();
    Approval {
        id: ApprovalId::from_bits(0x0197_0000_0000_7000_8000_0000_0000_00ff),
        key: RequestKey::new("key").unwrap(),
        requester: Requester {
            agent: AgentId::new("claude").unwrap(),
            session: SessionId::new("s-1").unwrap(),
            owner: person("李雷"),
        },
        question: Question {
            operation: Operation::Shell(ShellCommand { command, dialect: Dialect::Bash }),
            directory: "/project".to_owned(),
            project: "/project".to_owned(),
            risk: Risk::High,
            form: Form::Choice(vec![Choice::Cancel, Choice::GoAhead, Choice::BackUpFirst]),
            binding: binding(1),
            sight: Sight::Local,
            intent: Some("清理一下".to_owned()),
            surroundings: digest(5),
            card: "{}".to_owned(),
        },
        terms: Terms {
            approvers: vec![person("ann"), person("bob")],
            quorum: 1,
            owner: OwnerMay::OnlyDeny,
            assurance: Assurance::Login,
            decide_within: Duration::from_secs(300),
            run_within: Duration::from_secs(60),
            escalation: Some(Escalation {
                after: Duration::from_secs(120),
                group: GroupId::new("on call").unwrap(),
                members: vec![person("zoe")],
            }),
        },
        asked: Timestamp::from_millis(1_700_000_000_000),
        stage: Stage::Pending { votes: Vec::new(), misses: Vec::new() },
    }
}

/// The same, approved in a changed form, run, and failed.
fn failed() -> Approval {
    let at = Timestamp::from_millis(1_700_000_001_000);
    let args = serde_json::json!({"to": ["x"], "n": 1.5});
    let hints = ToolHints { read_only: None, destructive: Some(true), open_world: Some(false) };
    let modified = Modification {
        operation: Operation::Tool(ToolCall { name: "mail.send".to_owned(), args, hints }),
        risk: Risk::Low,
        verdict: Verdict::Ask,
        form: Some(Form::Input("main".to_owned())),
        binding: binding(4),
    };
    let consent = Consent {
        votes: vec![Vote { by: ann(), at, manner: Manner::BackUpFirst }],
        manner: Manner::BackUpFirst,
        at,
        until: at.after(Duration::from_secs(60)),
        nonce: digest(9),
        modified: Some(modified),
    };
    let report = Report::Failed("exit 1".to_owned());
    Approval { stage: Stage::Reported { consent, report, at }, ..pending() }
}

#[test]
fn approvals_have_one_text() {
    for (approval, stage) in [(pending(), PENDING), (failed(), FAILED)] {
        let text = format!("{RECORD}{stage}}}");
        assert_eq!(write(&approval), text);
        assert_eq!(read(&text).unwrap(), approval);
    }
}

#[test]
fn grants_have_one_text() {
    let at = Timestamp::from_millis(1_700_000_000_000);
    let until = at.after(Duration::from_secs(60));
    let operation = Operation::Shell(ShellCommand { command: "rm 清理".to_owned(), dialect: Dialect::Sh });
    let exact = Grant {
        id: GrantId::from_bits(0x0197_0000_0000_7000_8000_0000_0000_00aa),
        by: ann(),
        at,
        reach: Reach::Exact { operation, directory: "/project".to_owned(), bound: digest(1) },
        covers: Risk::High,
        sight: Sight::Local,
        bounds: Bounds {
            until,
            uses: Some(3),
            session: Some(SessionId::new("s-1").unwrap()),
            project: Some("/project".to_owned()),
            agent: Some(AgentId::new("claude").unwrap()),
        },
    };
    let pattern = Grant {
        reach: Reach::Pattern { command: "git push *".to_owned(), paths: vec!["src/**".to_owned()] },
        covers: Risk::Medium,
        sight: Sight::TextAlone,
        bounds: Bounds { until, uses: None, session: None, project: None, agent: None },
        ..exact.clone()
    };
    for (grant, text) in [(exact, EXACT), (pattern, PATTERN)] {
        assert_eq!(kept_grant(&grant).unwrap(), text);
        assert_eq!(read_grant(text).unwrap(), grant);
    }
    for other in [EXACT.replace("\"v\":1", "\"v\":2"), EXACT.replace("\"uses\"", "\"use\""), "{}".to_owned()] {
        assert!(read_grant(&other).is_err(), "{other}");
    }
}

/// A yes that ran out is kept as one that was used is.
#[test]
fn a_yes_that_ran_out_has_one_text() {
    let Stage::Reported { consent, at, .. } = failed().stage else { panic!("it has failed") };
    let stage = Stage::Expired { clock: Clock::Run, consent: Some(consent), at };
    let expired = FAILED.replace(r#""kind":"failed","#, r#""kind":"expired","clock":"run","#);
    let text = format!("{RECORD}{}}}", expired.replace(r#""words":"exit 1","#, ""));
    let approval = Approval { stage, ..pending() };
    assert_eq!(write(&approval), text);
    assert_eq!(read(&text).unwrap(), approval);
}

/// The yes that ran out was not always kept.
#[test]
fn older_texts_are_read() {
    let at = Timestamp::from_millis(1);
    for (clock, name) in [(Clock::Decide, "decide"), (Clock::Run, "run")] {
        let text = format!(r#"{RECORD}{{"kind":"expired","clock":"{name}","at":1}}}}"#);
        let approval = Approval { stage: Stage::Expired { clock, consent: None, at }, ..pending() };
        assert_eq!(read(&text).unwrap(), approval);
        assert_eq!(write(&approval), text);
    }
}

#[test]
fn entries_have_one_text_and_one_digest() {
    let at = Timestamp::from_millis(1_700_000_002_000);
    let deed = Deed {
        what: "person-added",
        by: Actor::Person(ann()),
        approval: None,
        details: vec![("role", "approver".to_owned()), ("name", "\"b\"\n".to_owned())],
    };
    let bodies = [body(&record::of_question(&pending()), at), body(&deed, at)];
    assert_eq!(bodies, [ASKED, RECORDED]);
    // Anybody can count these digests with nothing but SHA-256.
    let first = Head::EMPTY.with(ASKED);
    let second = first.with(RECORDED);
    let expected = [
        "1ddc5fb4e81f27e8cd432c3f502231c0408f62d04e6fd486a6ea85c658a6acb8",
        "7e7bd65671449cab3ec4d00f09ffa4205ac33c4e766040ccf7a30afcad072c15",
    ];
    assert_eq!([first.digest, second.digest].map(|digest| digest.to_string()), expected);
}
