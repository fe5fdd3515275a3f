//! Law 7 as a property: whatever a project file that nobody trusts says, no decision becomes laxer by it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod house;

use house::House;
use proptest::{collection::vec, prelude::*, sample::select};
use signoff_config::{ApprovalSettings, Settings};
use signoff_model::{
    Assessment, Coverage, Dialect, Effect, EffectKind, FileAction, FileOperation, Gap, Invocation, Operation,
    Prohibition, Reason, Reversible, Risk, RuleId, Scope, ShellCommand, Span, Target, Trust, Unread, Verdict,
};
use signoff_policy::{Request, judge};

const WORDS: &[&str] = &["git", "push", "rm", "-rf", "x", "src", "status", "ls", "..", "src/a"];
const PERMITTED: &[&str] = &["git *", "git push *", "rm -rf *", "rm -rf x", "ls", "git status"];
const PATTERNS: &[&str] = &["git *", "git push *", "rm -rf *", "rm -rf x", "ls", "git status", "g* *", "x"];
const PATHS: &[&str] = &["src/**", "**", "x", "src/a"];

/// One statement of a configuration file.
fn statement() -> impl Strategy<Value = String> {
    let share = (0..=1000_u16).prop_map(|value| format!("{}.{:03}", value / 1000, value % 1000));
    let trust = select(vec!["initial", "increment", "decrement", "low_risk_auto_approve", "paranoid_mode"]);
    let list = || vec(select(PATTERNS), 0..3).prop_map(|all| format!("{all:?}"));
    let allowed = vec(select(PERMITTED), 0..3).prop_map(|all| format!("{all:?}"));
    let tool = || select(vec!["shell_execute", "delete_file", "read_file"]);
    prop_oneof![
        select(vec!["strict", "balanced", "permissive"]).prop_map(|posture| format!("policy.posture = {posture:?}")),
        any::<bool>().prop_map(|asked| format!("policy.require_confirmation = {asked}")),
        (tool(), any::<bool>()).prop_map(|(tool, on)| format!("policy.tools.{tool}.always_confirm = {on}")),
        (tool(), allowed).prop_map(|(tool, list)| format!("policy.tools.{tool}.safe_commands = {list}")),
        (tool(), list()).prop_map(|(tool, list)| format!("policy.tools.{tool}.dangerous_patterns = {list}")),
        (
            select(vec!["timeout", "run_within", "remind_after", "escalation.after"]),
            select(vec!["1s", "90s", "5m", "1h"])
        )
            .prop_map(|(name, time)| format!("approval.{name} = {time:?}")),
        (select(vec!["approvers", "escalation.to"]), select(vec!["[]", r#"["ann"]"#, r#"["ann", "bob"]"#]))
            .prop_map(|(name, list)| format!("approval.{name} = {list}")),
        (select(vec!["quorum", "burst"]), 1..=20_u16).prop_map(|(name, number)| format!("approval.{name} = {number}")),
        any::<bool>().prop_map(|on| format!("approval.separation = {on}")),
        (select(vec!["medium", "high", "critical"]), select(vec!["tap", "login", "passkey"]))
            .prop_map(|(risk, level)| format!("approval.assurance.{risk} = {level:?}")),
        select(vec!["ledger.retention = \"30d\"", "ledger.max_entries = 9", "ledger.checkpoint_every = 7"])
            .prop_map(str::to_owned),
        (trust, share).prop_map(|(name, share)| format!("trust.{name} = {share}")),
    ]
}

fn rule() -> impl Strategy<Value = String> {
    let verdict = select(vec!["allow", "ask", "block"]);
    let condition = prop_oneof![
        select(PERMITTED).prop_map(|pattern| format!("commands = [{pattern:?}]")),
        select(PATHS).prop_map(|path| format!("paths = [{path:?}]")),
        select(vec!["delete", "read", "overwrite"]).prop_map(|kind| format!("effects = [{kind:?}]")),
        select(vec!["shell_execute", "delete_*"]).prop_map(|tool| format!("tools = [{tool:?}]")),
    ];
    let lifts = prop_oneof![Just(String::new()), Just("lifts = [\"a-rule\"]\n".to_owned())];
    (verdict, condition, lifts).prop_map(|(verdict, condition, lifts)| {
        let lifts = if verdict == "block" { String::new() } else { lifts };
        format!("verdict = {verdict:?}\n{condition}\n{lifts}")
    })
}

/// A configuration file; a key that comes up twice counts once.
fn file() -> impl Strategy<Value = String> {
    (vec(statement(), 0..6), vec(rule(), 0..4)).prop_map(|(statements, rules)| {
        let mut seen = Vec::new();
        let mut text = String::new();
        for statement in statements {
            let key = statement.split(' ').next().unwrap_or_default().to_owned();
            if !seen.contains(&key) {
                text.push_str(&format!("{statement}\n"));
                seen.push(key);
            }
        }
        for (place, rule) in rules.iter().enumerate() {
            text.push_str(&format!("[[policy.rule]]\nid = \"r{place}\"\nmessage = \"m\"\n{rule}\n"));
        }
        text
    })
}

fn span() -> impl Strategy<Value = Span> {
    select(vec![Span::new(0, 0), Span::new(0, 5), Span::new(2, 4), Span::new(6, 9), Span::new(0, 10)])
}

fn assessment() -> impl Strategy<Value = Assessment> {
    let risk = || select(Risk::ALL.to_vec());
    let reason = (select(vec!["a-rule", "b-rule"]), risk(), span()).prop_map(|(rule, risk, span)| Reason {
        rule: RuleId::new(rule),
        message: "m".into(),
        subject: "s".into(),
        risk,
        span,
    });
    let kinds = vec![EffectKind::Read, EffectKind::Delete, EffectKind::Overwrite, EffectKind::NetworkWrite];
    let target = prop_oneof![
        select(vec!["src", "x", "src/a", "y"]).prop_map(|path| Target::Path(path.into())),
        Just(Target::Matches("s*".into())),
        Just(Target::Unresolved("$X".into())),
    ];
    let reversible = select(vec![Reversible::WithGit, Reversible::No]);
    let effect = (select(kinds), target, reversible, span()).prop_map(|(kind, target, reversible, span)| Effect {
        kind,
        target,
        scope: Scope::Project,
        reversible,
        span,
    });
    let prohibition = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Prohibition::Absurd)),
        1 => Just(Some(Prohibition::OwnState)),
    ];
    let coverage = prop_oneof![
        3 => Just(Coverage::Full),
        1 => span().prop_map(|span| Coverage::Partial(vec![Gap { what: Unread::Rest, span }])),
    ];
    (vec(reason, 0..3), vec(effect, 0..3), prohibition, coverage, risk()).prop_map(
        |(reasons, effects, prohibition, coverage, risk)| Assessment {
            effects,
            risk,
            prohibition,
            coverage,
            reasons,
            ..Assessment::default()
        },
    )
}

fn request() -> impl Strategy<Value = (Operation, Vec<Invocation>)> {
    let word = prop_oneof![6 => select(WORDS).prop_map(|word| Some(word.to_owned())), 1 => Just(None)];
    let invocation =
        (vec(word, 1..4), span(), any::<bool>()).prop_map(|(argv, span, plain)| Invocation { argv, span, plain });
    let shell = Operation::Shell(ShellCommand { command: "0123456789".into(), dialect: Dialect::Bash });
    let delete = FileOperation::parse(FileAction::Delete, "src").map(Operation::File).unwrap();
    (select(vec![shell.clone(), shell, delete]), vec(invocation, 0..3))
}

fn verdict(settings: &Settings, trust: u16, assessment: &Assessment, request: &Request<'_>) -> Verdict {
    let context = settings.context(Trust::from_thousandths(trust), None);
    judge(assessment, &context, &settings.policy(), request).decision.verdict()
}

fn load(user: &str, project: Option<&str>) -> Settings {
    let house = House::new();
    house.user(user);
    if let Some(project) = project {
        house.project(project);
    }
    house.load().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_untrusted_project_never_makes_anything_laxer(
        user in file(),
        project in file(),
        assessments in vec(assessment(), 12),
        (operation, invocations) in request(),
        trust in select(vec![0, 150, 200, 201, 500, 799, 800, 1000_u16]),
    ) {
        let (before, after) = (load(&user, None), load(&user, Some(&project)));
        let request = Request { operation: &operation, invocations: &invocations };
        for assessment in &assessments {
            let (before, after) =
                (verdict(&before, trust, assessment, &request), verdict(&after, trust, assessment, &request));
            prop_assert!(after >= before, "{before} became {after}\n{assessment:?}");
        }
        let (asked, asked_before) = (&after.approval, &before.approval);
        prop_assert!(asked.timeout.value <= asked_before.timeout.value);
        prop_assert!(asked.run_within.value <= asked_before.run_within.value);
        prop_assert_eq!(&asked.approvers.value, &asked_before.approvers.value);
        prop_assert!(asked.quorum.value >= asked_before.quorum.value);
        prop_assert!(asked.separation.value >= asked_before.separation.value);
        let levels = |asked: &ApprovalSettings| {
            let levels = &asked.assurance;
            [&levels.medium, &levels.high, &levels.critical].map(|level| level.value)
        };
        let mut levels = levels(asked).into_iter().zip(levels(asked_before));
        prop_assert!(levels.all(|(after, before)| after >= before));
        prop_assert_eq!(asked.escalation.after.value, asked_before.escalation.after.value);
        prop_assert_eq!(&asked.escalation.to.value, &asked_before.escalation.to.value);
        prop_assert!(asked.burst.value <= asked_before.burst.value);
        let kept = |settings: &Settings| (settings.ledger.retention.value, settings.ledger.checkpoint_every.value);
        prop_assert_eq!(kept(&after), kept(&before));
        prop_assert!(after.trust.initial.value <= before.trust.initial.value);
        prop_assert!(after.trust.increment.value <= before.trust.increment.value);
        prop_assert!(after.trust.decrement.value >= before.trust.decrement.value);
    }

    #[test]
    fn prohibitions_stand_whatever_a_project_says(
        project in file(),
        assessment in assessment(),
        (operation, invocations) in request(),
    ) {
        let request = Request { operation: &operation, invocations: &invocations };
        let found = verdict(&load("", Some(&project)), 500, &assessment, &request);
        prop_assert!(assessment.prohibition.is_none() || found == Verdict::Block);
    }

    #[test]
    fn own_state_stands_whatever_anybody_says(
        user in file(),
        assessment in assessment(),
        (operation, invocations) in request(),
    ) {
        let request = Request { operation: &operation, invocations: &invocations };
        let found = verdict(&load(&user, None), 500, &assessment, &request);
        prop_assert!(assessment.prohibition != Some(Prohibition::OwnState) || found == Verdict::Block);
    }

    #[test]
    fn no_text_breaks_the_reader(text in ".{0,200}", bytes in vec(any::<u8>(), 0..200)) {
        let _ = signoff_config::read_text(&text, "c.toml".as_ref());
        let house = House::new();
        house::write(&house.project_file(), &bytes);
        let _ = house.load();
        let _ = signoff_config::import::claude(&text);
    }

    #[test]
    fn what_an_import_makes_can_be_read(entry in "(Bash|Read|Edit|mcp__[a-z_]{1,8}|[A-Z][a-z]{2,6})(\\(.{0,20}\\))?", verdict in select(vec!["allow", "deny", "ask"])) {
        let text = serde_json::json!({"permissions": {verdict: [entry]}}).to_string();
        let imported = signoff_config::import::claude(&text).unwrap();
        let settings = signoff_config::read_text(&imported.toml, "c.toml".as_ref());
        prop_assert!(settings.is_ok_and(|settings| settings.rules.len() == imported.carried), "{}", imported.toml);
        prop_assert_eq!(imported.carried + imported.left_out.len(), 1);
    }
}
