//! Texts as they are on disks. What reads them today has to read them for ever; whoever changes one of these lines changes what
//! is stored, and needs a version for it.

use std::time::Duration;

use signoff_gate::{Order, Trusted, record};
use signoff_model::{
    Actor, AgentId, Answerer, Approval, ApprovalId, Aspect, Assurance, Binding, Bound, Bounds, ChannelId, Choice,
    Clock, Consent, Deed, Delegation, Deviation, Dialect, Digest, Escalation, Form, Grant, GrantId, GroupId, Manner,
    Measure, Modification, Operation, Origin, OwnerMay, PersonId, PlanStep, Question, Quiet, Reach, Reminding, Report,
    RequestKey, Requester, Rest, Risk, ScreenNumber, SessionId, Settled, ShellCommand, Shown, ShownFile, ShownThing,
    Stage, Tally, Terms, Timestamp, ToolCall, ToolHints, Trust, Verdict, Vote,
};

use super::{
    body, kept_delegation, kept_grant, kept_order, kept_trust, read, read_delegation, read_grant, read_order,
    read_trust, write,
};
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
    r#""intent":"清理一下","#,
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
    r#""covers":"high","until":1700000060000,"uses":3,"session":"s-1","project":"/project","agent":"claude"}"#,
);

const PATTERN: &str = concat!(
    r#"{"v":1,"id":"019700000000700080000000000000aa","by":{"person":"ann","channel":"inbox","assurance":"login"},"#,
    r#""at":1700000000000,"reach":{"kind":"pattern","command":"git push *","paths":["src/**"]},"#,
    r#""covers":"medium","until":1700000060000,"uses":null,"session":null,"project":null,"agent":null}"#,
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
            intent: Some("清理一下".to_owned()),
            surroundings: digest(5),
            card: "{}".to_owned(),
            origin: None,
            batch: None,
            number: None,
            rules: Vec::new(),
            shown: Shown::default(),
            rests: Vec::new(),
            steps: Vec::new(),
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
            reminding: None,
        },
        asked: Timestamp::from_millis(1_700_000_000_000),
        stage: Stage::Pending { votes: Vec::new(), misses: Vec::new(), reminded: None },
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
        votes: vec![Vote { by: ann(), at, manner: Manner::BackUpFirst, stead: None, seal: None }],
        manner: Manner::BackUpFirst,
        at,
        until: at.after(Duration::from_secs(60)),
        nonce: digest(9),
        modified: Some(modified),
        seal: None,
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

/// A question that comes from another says from which, and how.
#[test]
fn origins_have_one_text() {
    let from = ApprovalId::from_bits(0x0197_0000_0000_7000_8000_0000_0000_00ee);
    let changed = concat!(
        r#""card":"{}","origin":{"kind":"changed","from":"019700000000700080000000000000ee","#,
        r#""by":{"person":"ann","channel":"inbox","assurance":"login"}}}"#,
    );
    let reopened = concat!(
        r#""card":"{}","origin":{"kind":"reopened","from":"019700000000700080000000000000ee","refused_by":"ann","#,
        r#""words":"not \"now\"","reason":"因为"}}"#,
    );
    let (words, reason) = ("not \"now\"".to_owned(), "因为".to_owned());
    let after = Origin::Reopened { from, refused_by: person("ann"), words, reason };
    for (origin, written) in [(Origin::Changed { from, by: ann() }, changed), (after, reopened)] {
        let mut approval = pending();
        approval.question.origin = Some(origin);
        let text = format!("{RECORD}{PENDING}}}").replace(r#""card":"{}"}"#, written);
        assert_eq!(write(&approval), text);
        assert_eq!(read(&text).unwrap(), approval);
    }
}

/// A question that is put together with others names the first of them.
#[test]
fn batches_have_one_text() {
    let mut approval = pending();
    approval.question.batch = Some(ApprovalId::from_bits(0x0197_0000_0000_7000_8000_0000_0000_00ee));
    let written = r#""card":"{}","batch":"019700000000700080000000000000ee"}"#;
    let text = format!("{RECORD}{PENDING}}}").replace(r#""card":"{}"}"#, written);
    assert_eq!(write(&approval), text);
    assert_eq!(read(&text).unwrap(), approval);
}

/// What later versions keep beside a yes and a question stands behind what was always there.
#[test]
fn the_seal_and_the_rules_are_kept() {
    let Stage::Reported { mut consent, report, at } = failed().stage else { panic!("it is reported") };
    consent.seal = Some(digest(10));
    let mut approval = Approval { stage: Stage::Reported { consent, report, at }, ..pending() };
    approval.question.rules = vec!["shell.rm".to_owned()];
    let text = write(&approval);
    assert!(text.contains(&format!(r#","seal":"{}"}}"#, "0a".repeat(32))), "{text}");
    assert!(text.contains(r#","rules":["shell.rm"]}"#), "{text}");
    assert_eq!(read(&text).unwrap(), approval);
}

/// A voice that somebody else has raised is told apart, and who may do so is kept on a shelf.
#[test]
fn delegations_have_one_text() {
    let vote = concat!(
        r#"{"by":{"person":"ann","channel":"inbox","assurance":"login"},"#,
        r#""at":1700000000000,"manner":"as-shown","stead":"bob"}"#,
    );
    let at = Timestamp::from_millis(1_700_000_000_000);
    let votes = vec![Vote { by: ann(), at, manner: Manner::AsShown, stead: Some(person("bob")), seal: None }];
    let approval = Approval { stage: Stage::Pending { votes, misses: Vec::new(), reminded: None }, ..pending() };
    let text = format!("{RECORD}{}}}", PENDING.replace(r#""votes":[]"#, &format!(r#""votes":[{vote}]"#)));
    assert_eq!(write(&approval), text);
    assert_eq!(read(&text).unwrap(), approval);
    let delegation = Delegation { by: ann(), to: person("李雷"), at, until: at.after(Duration::from_secs(60)) };
    let text = concat!(
        r#"{"v":1,"by":{"person":"ann","channel":"inbox","assurance":"login"},"to":"李雷","#,
        r#""at":1700000000000,"until":1700000060000}"#,
    );
    assert_eq!(kept_delegation(&delegation).unwrap(), text);
    assert_eq!(read_delegation(text).unwrap(), delegation);
    for other in [text.replace("\"v\":1", "\"v\":2"), text.replace("\"to\"", "\"too\""), "{}".to_owned()] {
        assert!(read_delegation(&other).is_err(), "{other}");
    }
}

/// Orders and scores, also as the first version has written them.
#[test]
fn orders_and_scores_have_one_text() {
    let until = Timestamp::from_millis(1_795_000_000_000);
    for (order, text, first) in [
        (
            Order { by: person("李 雷"), until: Some(until) },
            r#"{"v":1,"by":"李 雷","until":1795000000000}"#,
            "1795000000000 李 雷",
        ),
        (Order { by: person("dev"), until: None }, r#"{"v":1,"by":"dev"}"#, "0 dev"),
    ] {
        assert_eq!(kept_order(&order).unwrap(), text);
        assert_eq!(read_order(text).unwrap(), order);
        assert_eq!(read_order(first).unwrap(), order);
    }
    for other in
        ["", "12", "x dev", "12 ", "{}", r#"{"v":2,"by":"dev"}"#, r#"{"v":1,"by":"dev","to":1}"#, r#"{"v":1,"by":""}"#]
    {
        assert!(read_order(other).is_err(), "{other}");
    }
    let score = Trusted {
        owner: person("a person"),
        agent: AgentId::new("agent").unwrap(),
        project: "/odd\nname".to_owned(),
        score: Trust::from_thousandths(510),
        at: Timestamp::from_millis(7),
    };
    let text = r#"{"v":1,"person":"a person","agent":"agent","project":"/odd\nname","score":510,"at":7}"#;
    assert_eq!(kept_trust(&score).unwrap(), text);
    assert_eq!(read_trust(text).unwrap(), score);
    assert_eq!(read_trust("510 7\na person\nagent\n/odd\nname").unwrap(), score);
    let (newer, higher) = (text.replace("\"v\":1", "\"v\":2"), text.replace("510", "1001"));
    for other in ["", "1", "1 2", "1 2\na\nb", "x 2\na\nb\n/c", "{}", &newer, &higher] {
        assert!(read_trust(other).is_err(), "{other:?}");
    }
}

/// When people are reminded is part of the terms, and that they were is part of the stage.
#[test]
fn reminders_have_one_text() {
    let quiet = Quiet { from: 1_320, until: 420, ahead: -300 };
    let terms =
        |quiet| Terms { reminding: Some(Reminding { after: Duration::from_secs(60), quiet }), ..pending().terms };
    let reminded = Some(Timestamp::from_millis(1_700_000_060_000));
    let stage = Stage::Pending { votes: Vec::new(), misses: Vec::new(), reminded };
    for (quiet, written) in [
        (None, r#""reminding":{"after_ms":60000}"#),
        (Some(quiet), r#""reminding":{"after_ms":60000,"quiet":{"from":1320,"until":420,"ahead":-300}}"#),
    ] {
        let record = RECORD.replace(r#""members":["zoe"]}}"#, &format!(r#""members":["zoe"]}},{written}}}"#));
        let text =
            format!("{record}{}}}", PENDING.replace(r#""misses":[]"#, r#""misses":[],"reminded":1700000060000"#));
        let approval = Approval { terms: terms(quiet), stage: stage.clone(), ..pending() };
        assert_eq!(write(&approval), text);
        assert_eq!(read(&text).unwrap(), approval);
    }
}

/// The number on the screen of whoever asks is kept beside what is asked.
#[test]
fn numbers_have_one_text() {
    let mut approval = pending();
    approval.question.number = ScreenNumber::parse("42");
    let text = format!("{RECORD}{PENDING}}}").replace(r#""card":"{}"}"#, r#""card":"{}","number":"42"}"#);
    assert_eq!(write(&approval), text);
    assert_eq!(read(&text).unwrap(), approval);
    assert!(read(&text.replace(r#""42""#, r#""4""#)).is_err());
    // Nobody reads it in the ledger.
    let deed = record::of_question(&approval);
    assert!(!body(&deed, approval.asked).contains(r#""42""#));
}

/// A refusal that was reopened says by which question; most are not.
#[test]
fn refusals_have_one_text() {
    let plain = concat!(
        r#"{"kind":"denied","by":{"person":"ann","channel":"inbox","assurance":"login"},"#,
        r#""at":1700000001000,"words":"no"}"#,
    );
    let again = plain.replace(r#""no"}"#, r#""no","reopened":"019700000000700080000000000000ee"}"#);
    let from = ApprovalId::from_bits(0x0197_0000_0000_7000_8000_0000_0000_00ee);
    for (reopened, written) in [(None, plain), (Some(from), &again)] {
        let at = Timestamp::from_millis(1_700_000_001_000);
        let stage = Stage::Denied { by: ann(), at, words: "no".to_owned(), reopened };
        let approval = Approval { stage, ..pending() };
        let text = format!("{RECORD}{written}}}");
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
        reach: Reach::Exact {
            operation,
            directory: "/project".to_owned(),
            bound: digest(1),
            shown: Shown::default(),
            plan: None,
        },
        covers: Risk::High,
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

/// What was shown, what came after it, and what differed from it stand behind what was always there.
#[test]
fn what_was_shown_has_one_text() {
    let tally = Tally { files: 2, bytes: 7 };
    let shown = Shown {
        things: vec![ShownThing { path: "build".to_owned(), all: tally }],
        lost: vec![ShownFile { path: "build/清".to_owned(), bytes: 7 }],
        total: tally,
        complete: true,
    };
    let kept = r#"{"things":[["build",2,7]],"lost":[["build/清",7]],"files":2,"bytes":7,"complete":true}"#;
    let mut approval = pending();
    approval.question.shown = shown.clone();
    let rest = Rest { aspect: Aspect::Content, about: "a.sh".to_owned(), digest: digest(1) };
    approval.question.rests = vec![rest];
    approval.question.steps = vec![PlanStep {
        operation: Operation::Shell(ShellCommand { command: "make".to_owned(), dialect: Dialect::Sh }),
        directory: "/project".to_owned(),
        project: "/project".to_owned(),
        risk: Risk::High,
        bound: digest(2),
        shown: shown.clone(),
        card: "{}".to_owned(),
        settled: Settled::ByTheYes,
    }];
    let text = write(&approval);
    for part in [
        format!(
            r#""card":"{{}}","shown":{kept},"rests":[{{"aspect":"content","about":"a.sh","digest":"{}"}}]"#,
            "01".repeat(32)
        ),
        format!(
            r#""risk":"high","bound":"{}","shown":{kept},"card":"{{}}","settled":"by-the-yes"}}]"#,
            "02".repeat(32)
        ),
    ] {
        assert!(text.contains(&part), "{part}\n{text}");
    }
    assert_eq!(read(&text).unwrap(), approval);

    let Stage::Reported { mut consent, at, .. } = failed().stage else { panic!("it is reported") };
    consent.votes.iter_mut().for_each(|vote| vote.seal = Some(digest(3)));
    let deviation = |was, is| Deviation { aspect: Aspect::Loss, about: "build".to_owned(), was, is };
    let deviations = vec![
        deviation(Measure::Absent, Measure::Amount(tally)),
        deviation(Measure::There, Measure::Grave(Risk::Critical)),
    ];
    let stage = Stage::Stale { consent, differing: vec![Bound::Preview], deviations, at };
    let approval = Approval { stage, ..pending() };
    let text = write(&approval);
    let part = concat!(
        r#""differing":["preview"],"deviations":[{"aspect":"loss","about":"build","was":{"kind":"absent"},"#,
        r#""is":{"kind":"amount","files":2,"bytes":7}},"#,
        r#"{"aspect":"loss","about":"build","was":{"kind":"there"},"is":{"kind":"grave","risk":"critical"}}]"#,
    );
    assert!(text.contains(part), "{text}");
    assert!(text.contains(&format!(r#","seal":"{}"}}]"#, "03".repeat(32))), "{text}");
    assert_eq!(read(&text).unwrap(), approval);

    let bound = format!(r#""bound":"{}""#, "01".repeat(32));
    let plan = "019700000000700080000000000000ee";
    let text = EXACT.replace(&bound, &format!(r#"{bound},"shown":{kept},"plan":"{plan}""#));
    let grant = read_grant(&text).unwrap();
    let Reach::Exact { shown: again, plan, .. } = &grant.reach else { panic!("it is exact") };
    assert_eq!((again, plan.is_some(), grant.reach.name()), (&shown, true, "plan-step"));
    assert_eq!(kept_grant(&grant).unwrap(), text);
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
