use std::{path::PathBuf, sync::Arc};

use serde_json::json;
use signoff_model::{
    Assessment, Coverage, Decision, Dialect, Effect, EffectKind, FileAction, FileOperation, Gap, Invocation, Listing,
    Operation, Preview, Prohibition, Reason, Reversible, Risk, RuleId, Scope, ShellCommand, Span, Target, ToolCall,
    ToolHints, Trust, Unread, Verdict,
};

use crate::{
    Conditions, Confirmation, Context, Layer, Listed, Origin, Posture, Priority, Provenance, Request, Rule, Rules,
    Says, ToolRules, WordPattern, judge, tool_name,
};

fn origin(layer: Layer) -> Origin {
    Origin::in_file(layer, Arc::new(PathBuf::from("config.toml")), 3)
}

fn rule(verdict: Verdict, commands: &[&str]) -> Rule {
    Rule {
        id: format!("{verdict}-it"),
        message: format!("somebody wants {verdict}"),
        message_zh: None,
        priority: Priority::P1,
        verdict,
        conditions: Conditions {
            commands: commands.iter().map(|text| text.parse().unwrap()).collect(),
            ..Conditions::default()
        },
        lifts: vec![],
        provenance: Provenance::Written,
        origin: origin(Layer::User),
    }
}

fn only(rule: Rule) -> Rules {
    Rules { rules: vec![rule], ..Rules::default() }
}

fn listed(patterns: &[&str]) -> Vec<Listed> {
    let listed = |text: &&str| Listed { pattern: text.parse().unwrap(), origin: origin(Layer::User) };
    patterns.iter().map(listed).collect()
}

fn tool(rules: ToolRules) -> Rules {
    Rules { tools: vec![rules], ..Rules::default() }
}

fn shell(text: &str) -> Operation {
    Operation::Shell(ShellCommand { command: text.into(), dialect: Dialect::Bash })
}

/// The commands of a text whose parts are separated by `;`, each of literal words.
fn invocations(text: &str) -> Vec<Invocation> {
    let mut start = 0;
    let mut all = Vec::new();
    for part in text.split(';') {
        let blank = part.len() - part.trim_start().len();
        let span = Span::new(start + blank, start + part.trim_end().len());
        all.push(Invocation::plain(part.split_whitespace(), span));
        start += part.len() + 1;
    }
    all
}

/// Every command of the text is of this risk.
fn risky(text: &str, risk: Risk) -> Assessment {
    let reasons = invocations(text).into_iter().map(|invocation| Reason {
        rule: RuleId::new("a-rule"),
        message: "it is risky".into(),
        subject: "it".into(),
        risk,
        span: invocation.span,
    });
    Assessment { risk, reasons: reasons.collect(), ..Assessment::default() }
}

#[track_caller]
fn check(text: &str, risk: Risk, rules: &Rules, expected: Verdict) {
    let operation = shell(text);
    let invocations = invocations(text);
    let request = Request { operation: &operation, invocations: &invocations };
    let found = judge(&risky(text, risk), &Context::default(), rules, &request);
    assert_eq!(found.decision.verdict(), expected, "{text}: {found:?}");
}

#[test]
fn a_permission_reaches_the_command_that_it_names_and_no_other() {
    let allow = |pattern: &str| only(rule(Verdict::Allow, &[pattern]));
    for (pattern, text, expected) in [
        ("git status", "git status", Verdict::Allow),
        ("git status", "git status; rm -rf x", Verdict::Ask),
        ("rm -rf ./build/*", "rm -rf ./build/x", Verdict::Allow),
        ("rm -rf ./build/*", "rm -rf ./build/* ../src", Verdict::Ask),
        ("rm -rf ./build/*", "rm -rf ./build/../src", Verdict::Ask),
        ("git push *", "git push origin main", Verdict::Allow),
        ("git push *", "/tmp/git push origin main", Verdict::Ask),
        ("git diff", "git diff --output=x", Verdict::Ask),
    ] {
        check(text, Risk::High, &allow(pattern), expected);
        let safe =
            ToolRules { name: "shell_execute".into(), safe_commands: listed(&[pattern]), ..ToolRules::default() };
        check(text, Risk::High, &tool(safe), expected);
    }
}

#[test]
fn a_permission_needs_literal_words_and_a_known_place() {
    let operation = shell("git push");
    let rules = only(rule(Verdict::Allow, &["git push"]));
    let plain = Invocation::plain(["git", "push"], Span::new(0, 8));
    let verdict = |invocation: &Invocation, assessment: &Assessment| {
        let request = Request { operation: &operation, invocations: std::slice::from_ref(invocation) };
        judge(assessment, &Context::default(), &rules, &request).decision.verdict()
    };
    let assessment = risky("git push", Risk::High);
    assert_eq!(verdict(&plain, &assessment), Verdict::Allow);
    assert_eq!(verdict(&Invocation { plain: false, ..plain.clone() }, &assessment), Verdict::Ask, "not plain");
    let mut placeless = assessment.clone();
    placeless.reasons[0].span = Span::default();
    assert_eq!(verdict(&plain, &placeless), Verdict::Ask, "a reason about the whole stays");
    let unexplained = Assessment { reasons: vec![], ..assessment.clone() };
    assert_eq!(verdict(&plain, &unexplained), Verdict::Ask, "risk that nothing explains stays");
    let gap = |span| Coverage::Partial(vec![Gap { what: Unread::Rest, span }]);
    let inside = Assessment { coverage: gap(Span::new(0, 8)), ..assessment.clone() };
    assert_eq!(verdict(&plain, &inside), Verdict::Allow, "what the permitted program does is permitted");
    let beside = Assessment { coverage: gap(Span::new(9, 12)), ..assessment.clone() };
    assert_eq!(verdict(&plain, &beside), Verdict::Ask, "what is unread elsewhere is not");
    let placeless = Assessment { coverage: Coverage::Partial(vec![]), ..assessment.clone() };
    assert_eq!(verdict(&plain, &placeless), Verdict::Ask);
    let many = Assessment { reasons: vec![assessment.reasons[0].clone(); 200], ..assessment };
    assert_eq!(verdict(&plain, &many), Verdict::Ask, "some reasons may have been left out");
}

#[test]
fn dangerous_patterns_are_words_and_not_text() {
    let rules = |pattern: &str| {
        tool(ToolRules { name: "shell_execute".into(), dangerous_patterns: listed(&[pattern]), ..ToolRules::default() })
    };
    for (pattern, text, expected) in [
        ("kill", "skill", Verdict::Allow),
        ("kill", "kill 1", Verdict::Ask),
        ("kill", "/bin/kill 1", Verdict::Ask),
        (":", "curl https://example.com", Verdict::Allow),
        (":", "docker pull image:tag", Verdict::Allow),
        (":", "git push origin a:b", Verdict::Allow),
        ("format", "git log --format=%H", Verdict::Allow),
        ("format", "npm run format", Verdict::Allow),
        ("format", "format c:", Verdict::Ask),
        ("rm -rf", "rm -rf x", Verdict::Ask),
        ("rm -rf", "ls; rm -rf x", Verdict::Ask),
    ] {
        check(text, Risk::None, &rules(pattern), expected);
    }
}

#[test]
fn dangerous_patterns_of_a_tool_look_into_its_arguments() {
    let rules =
        tool(ToolRules { name: "query".into(), dangerous_patterns: listed(&["drop table"]), ..ToolRules::default() });
    for (name, text, expected) in [
        ("query", "DROP  TABLE users", Verdict::Ask),
        ("mcp__db__query", "x; drop table y", Verdict::Ask),
        ("query", "raindrop tables", Verdict::Allow),
        ("other", "drop table x", Verdict::Allow),
    ] {
        let args = json!({"statements": [text]});
        let operation = Operation::Tool(ToolCall { name: name.into(), args, hints: ToolHints::default() });
        let request = Request { operation: &operation, invocations: &[] };
        let found = judge(&Assessment::default(), &Context::default(), &rules, &request);
        assert_eq!(found.decision.verdict(), expected, "{name}: {text}");
    }
}

#[test]
fn rules_that_ask_and_block_raise() {
    for risk in [Risk::None, Risk::Low, Risk::Medium, Risk::High, Risk::Critical] {
        check("git push", risk, &only(rule(Verdict::Block, &["git push *"])), Verdict::Block);
        check("git push", risk, &only(rule(Verdict::Ask, &["git push *"])), Verdict::Ask);
    }
    check("git pull", Risk::None, &only(rule(Verdict::Block, &["git push *"])), Verdict::Allow);
    check("git pull", Risk::None, &only(rule(Verdict::Block, &[])), Verdict::Allow);
    let both = Rules {
        rules: vec![rule(Verdict::Allow, &["git *"]), rule(Verdict::Ask, &["git push *"])],
        ..Rules::default()
    };
    check("git push", Risk::High, &both, Verdict::Ask);
    check("git fetch", Risk::High, &both, Verdict::Allow);
}

#[test]
fn a_judgement_says_which_rule_spoke() {
    let operation = shell("git push");
    let invocations = invocations("git push");
    let request = Request { operation: &operation, invocations: &invocations };
    let assessment = risky("git push", Risk::High);
    let found = judge(&assessment, &Context::default(), &only(rule(Verdict::Block, &["git push"])), &request);
    assert_eq!(found.decision, Decision::Reject { reason: "somebody wants block".into(), suggestion: None });
    let [voice] = found.voices.as_slice() else { panic!("{found:?}") };
    assert_eq!((voice.id.as_str(), &voice.says), ("block-it", &Says::Raises(Verdict::Block)));
    assert_eq!(voice.origin.to_string(), "user (config.toml:3)");
    assert_eq!(voice.span, Some(Span::new(0, 8)));

    let found = judge(&assessment, &Context::default(), &only(rule(Verdict::Allow, &["git push"])), &request);
    let [voice] = found.voices.as_slice() else { panic!("{found:?}") };
    assert_eq!(voice.says, Says::Lifts(vec![RuleId::new("a-rule")]));
}

#[test]
fn what_only_the_shell_knows_is_a_question() {
    let operation = shell("git $WHAT");
    let argv = vec![Some("git".to_owned()), None];
    let invocations = [Invocation { argv, span: Span::new(0, 9), plain: false }];
    let request = Request { operation: &operation, invocations: &invocations };
    let mut rules = only(rule(Verdict::Block, &["git push *"]));
    let verdict =
        |rules: &Rules| judge(&Assessment::default(), &Context::default(), rules, &request).decision.verdict();
    assert_eq!(verdict(&rules), Verdict::Ask);
    rules.confirmation = Confirmation::Waived(origin(Layer::User));
    assert_eq!(verdict(&rules), Verdict::Ask, "a block that may be meant is not waived");
    rules.rules[0].verdict = Verdict::Ask;
    assert_eq!(verdict(&rules), Verdict::Allow);
}

#[test]
fn without_confirmation_questions_are_answered_and_blocks_stay() {
    let waived = Rules { confirmation: Confirmation::Waived(origin(Layer::User)), ..Rules::default() };
    for risk in Risk::ALL {
        check("x", risk, &waived, Verdict::Allow);
    }
    let operation = shell("x");
    let request = Request { operation: &operation, invocations: &[] };
    for prohibition in [Prohibition::Absurd, Prohibition::OwnState] {
        let assessment = Assessment { prohibition: Some(prohibition), ..risky("x", Risk::Critical) };
        let found = judge(&assessment, &Context::default(), &waived, &request);
        assert_eq!(found.decision.verdict(), Verdict::Block, "law 5 holds");
    }
    let mut blocking = only(rule(Verdict::Block, &["x"]));
    blocking.confirmation = waived.confirmation;
    check("x", Risk::None, &blocking, Verdict::Block);
}

#[test]
fn a_tool_that_always_confirms_asks_about_the_harmless() {
    let of_layer = |layer: Layer, name: &str| {
        let origin = Origin { layer, place: None };
        tool(ToolRules { name: name.into(), always_confirm: Some(origin), ..ToolRules::default() })
    };
    let rules = |name: &str| of_layer(Layer::User, name);
    let delete = FileOperation::parse(FileAction::Delete, "target/x").map(Operation::File).unwrap();
    let call =
        |name: &str| Operation::Tool(ToolCall { name: name.into(), args: json!({}), hints: ToolHints::default() });
    for (name, operation, expected) in [
        ("delete_file", delete.clone(), Verdict::Ask),
        ("read_file", delete.clone(), Verdict::Allow),
        ("shell_execute", shell("ls"), Verdict::Ask),
        ("delete_file", call("mcp__fs__delete-file"), Verdict::Ask),
        ("delete_file", call("delete_files"), Verdict::Allow),
    ] {
        let request = Request { operation: &operation, invocations: &[] };
        let found = judge(&Assessment::default(), &Context::default(), &rules(name), &request);
        assert_eq!(found.decision.verdict(), expected, "{name} on {}", tool_name(&operation));
    }
    // What is built in is about tools that others bring along: a file operation is judged by what it deletes.
    for (operation, expected) in [(delete, Verdict::Allow), (call("delete_file"), Verdict::Ask)] {
        let request = Request { operation: &operation, invocations: &[] };
        let found =
            judge(&Assessment::default(), &Context::default(), &of_layer(Layer::Default, "delete_file"), &request);
        assert_eq!(found.decision.verdict(), expected, "{}", tool_name(&operation));
    }
}

#[test]
fn prohibitions_are_lifted_by_their_name_and_by_a_person_alone() {
    let text = "rm -rf /srv/x";
    let operation = shell(text);
    let invocations = invocations(text);
    let request = Request { operation: &operation, invocations: &invocations };
    let absurd = Assessment { prohibition: Some(Prohibition::Absurd), ..risky(text, Risk::Critical) };
    let own = Assessment { prohibition: Some(Prohibition::OwnState), ..absurd.clone() };
    let verdict = |assessment: &Assessment, rule: Rule| {
        judge(assessment, &Context::default(), &only(rule), &request).decision.verdict()
    };
    let named = Rule { lifts: vec!["a-rule".into()], ..rule(Verdict::Allow, &["rm -rf /srv/x"]) };
    assert_eq!(verdict(&absurd, named.clone()), Verdict::Allow);
    assert_eq!(verdict(&own, named.clone()), Verdict::Block, "own state is out of reach");
    assert_eq!(
        verdict(&absurd, Rule { verdict: Verdict::Ask, ..named.clone() }),
        Verdict::Ask,
        "or becomes a question"
    );
    assert_eq!(verdict(&absurd, Rule { lifts: vec![], ..named.clone() }), Verdict::Block);
    assert_eq!(verdict(&absurd, Rule { lifts: vec!["b-rule".into()], ..named.clone() }), Verdict::Block);
    assert_eq!(verdict(&absurd, Rule { origin: origin(Layer::Project), ..named.clone() }), Verdict::Block);
    assert_eq!(verdict(&absurd, Rule { provenance: Provenance::Imported, ..named.clone() }), Verdict::Block);
    assert_eq!(
        verdict(&absurd, Rule { conditions: rule(Verdict::Allow, &["ls"]).conditions, ..named.clone() }),
        Verdict::Block
    );
    let mut second = absurd.clone();
    second.reasons.push(Reason { rule: RuleId::new("b-rule"), ..absurd.reasons[0].clone() });
    assert_eq!(verdict(&second, named.clone()), Verdict::Block, "one that is not named is enough");
    assert_eq!(verdict(&Assessment { reasons: vec![], ..absurd }, named), Verdict::Block, "nothing says which it is");
    let critical = risky(text, Risk::Critical);
    assert_eq!(verdict(&critical, rule(Verdict::Allow, &["rm *"])), Verdict::Ask, "what is critical has to be named");
}

#[test]
fn paths_effects_and_tools_narrow_a_rule() {
    let operation = FileOperation::parse(FileAction::Write, "docs/a.md").map(Operation::File).unwrap();
    let effect = |kind, path: &str| Effect {
        kind,
        target: Target::Path(path.into()),
        scope: Scope::Project,
        reversible: Reversible::No,
        span: Span::new(0, 15),
    };
    let writes = |paths: &[&str]| Assessment {
        effects: paths.iter().map(|path| effect(EffectKind::Overwrite, path)).collect(),
        ..risky("write docs/a.md", Risk::Medium)
    };
    let request = Request { operation: &operation, invocations: &[] };
    let conditions = |paths: &[&str], effects: &[EffectKind], tools: &[&str]| Conditions {
        commands: vec![],
        paths: paths.iter().map(|path| path.parse().unwrap()).collect(),
        effects: effects.to_vec(),
        tools: tools.iter().map(|tool| WordPattern::new(tool)).collect(),
    };
    for (conditions, touched, allowed, blocked) in [
        (conditions(&["docs/**"], &[], &[]), &["docs/a.md"][..], true, true),
        (conditions(&["docs/**"], &[EffectKind::Overwrite], &["write_file"]), &["docs/a.md"], true, true),
        (conditions(&["docs/**"], &[], &[]), &["docs/a.md", "src/b"], false, true),
        (conditions(&["docs/**"], &[EffectKind::Delete], &[]), &["docs/a.md"], false, false),
        (conditions(&["docs/**"], &[], &["read_*"]), &["docs/a.md"], false, false),
        (conditions(&["src/**"], &[], &[]), &["docs/a.md"], false, false),
        (conditions(&["docs/**"], &[], &[]), &[], false, false),
        (conditions(&[], &[], &["write_*"]), &["docs/a.md"], true, true),
    ] {
        let verdict = |verdict| {
            let rules = only(Rule { conditions: conditions.clone(), ..rule(verdict, &[]) });
            judge(&writes(touched), &Context::default(), &rules, &request).decision.verdict()
        };
        assert_eq!(verdict(Verdict::Allow) == Verdict::Allow, allowed, "allow {conditions:?} on {touched:?}");
        assert_eq!(verdict(Verdict::Block) == Verdict::Block, blocked, "block {conditions:?} on {touched:?}");
    }
}

#[test]
fn distrust_asks_even_about_what_is_permitted() {
    let operation = shell("git push");
    let invocations = invocations("git push");
    let request = Request { operation: &operation, invocations: &invocations };
    let rules = only(rule(Verdict::Allow, &["git push"]));
    let mut context = Context { trust: Trust::from_thousandths(200), ..Context::default() };
    let verdict =
        |context: &Context| judge(&risky("git push", Risk::High), context, &rules, &request).decision.verdict();
    assert_eq!(verdict(&context), Verdict::Ask);
    context.thresholds.paranoid_mode = Trust::from_thousandths(199);
    assert_eq!(verdict(&context), Verdict::Allow, "the threshold is a setting");
}

#[test]
fn a_permission_lets_a_small_change_pass_under_the_strict_posture() {
    let operation = shell("mkdir a");
    let invocations = invocations("mkdir a");
    let request = Request { operation: &operation, invocations: &invocations };
    let effect = Effect {
        kind: EffectKind::Create,
        target: Target::Path("a".into()),
        scope: Scope::Project,
        reversible: Reversible::Yes,
        span: Span::new(0, 7),
    };
    let strict = Context { posture: Posture::Strict, ..Context::default() };
    let rules = only(rule(Verdict::Allow, &["mkdir *"]));
    let verdict = |span| {
        let effects = vec![Effect { span, ..effect.clone() }];
        let assessment = Assessment { risk: Risk::Low, effects, ..Assessment::default() };
        judge(&assessment, &strict, &rules, &request)
    };
    let found = verdict(Span::new(0, 7));
    assert_eq!((found.decision.verdict(), found.voices.len()), (Verdict::Allow, 1));
    assert_eq!(verdict(Span::new(9, 12)).decision.verdict(), Verdict::Ask);
}

#[test]
fn the_strictest_rule_wins_in_any_order() {
    let rules = |order: &[Verdict]| Rules {
        rules: order.iter().map(|verdict| rule(*verdict, &["git push"])).collect(),
        ..Rules::default()
    };
    use Verdict::{Allow, Ask, Block};
    for order in [[Allow, Ask, Block], [Block, Ask, Allow], [Ask, Block, Allow]] {
        check("git push", Risk::High, &rules(&order), Block);
        check("git push", Risk::High, &rules(&order[..2]), *order[..2].iter().max().unwrap());
    }
}

/// What a delete leaves of a question: whether it has to be typed.
#[test]
fn what_is_not_listed_is_typed() {
    let delete = |target: Target, scope: Scope, reversible: Reversible| Effect {
        kind: EffectKind::Delete,
        target,
        scope,
        reversible,
        span: Span::new(0, 2),
    };
    let found = || Target::Listed { by: "find".into(), under: "w".into() };
    let typed = |effect: Effect, listing: Listing, risk: Risk, preview: Option<Preview>| {
        let assessment = Assessment { effects: vec![effect], listing, preview, ..risky("rm x", risk) };
        let before = judge_alone(&assessment).with_preview(&assessment);
        let running = before.clone().before_running(&assessment);
        let is_typed = |decision: &Decision| matches!(decision, Decision::RequireInput { .. });
        (is_typed(&before.decision), is_typed(&running.decision))
    };
    let cut = |complete: bool| Some(Preview { complete, ..Preview::default() });
    for (effect, listing, risk, preview, expected) in [
        (delete(found(), Scope::Project, Reversible::No), Listing::Partial, Risk::High, None, (false, true)),
        (delete(found(), Scope::Project, Reversible::No), Listing::Whole, Risk::High, None, (false, false)),
        (delete(found(), Scope::Project, Reversible::No), Listing::Whole, Risk::High, cut(true), (false, false)),
        (delete(found(), Scope::Project, Reversible::No), Listing::Whole, Risk::High, cut(false), (true, true)),
        (delete(found(), Scope::Project, Reversible::WithGit), Listing::Partial, Risk::High, None, (false, false)),
        (delete(found(), Scope::Remote, Reversible::No), Listing::Partial, Risk::High, None, (false, false)),
        (
            delete(Target::Named("v".into()), Scope::Project, Reversible::No),
            Listing::Partial,
            Risk::High,
            None,
            (false, false),
        ),
        (delete(found(), Scope::Project, Reversible::No), Listing::Partial, Risk::Medium, None, (false, false)),
        // What is let through is not asked about.
        (delete(found(), Scope::Project, Reversible::No), Listing::Partial, Risk::None, None, (false, false)),
    ] {
        assert_eq!(typed(effect.clone(), listing, risk, preview), expected, "{effect:?} {listing:?} {risk:?}");
    }
}

fn judge_alone(assessment: &Assessment) -> crate::Judgement {
    let operation = shell("rm x");
    let request = Request { operation: &operation, invocations: &[] };
    judge(assessment, &Context::default(), &Rules::default(), &request)
}
