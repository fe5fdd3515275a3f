//! Configured rules on real texts: the rows of the requirements (C4) about what a rule on commands must and must not mean.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use signoff_analysis::facts::{NoFacts, Whereabouts};
use signoff_model::{Dialect, Operation, ShellCommand, Verdict};
use signoff_policy::{
    Conditions, Confirmation, Context, Layer, Listed, Origin, Posture, Priority, Provenance, Request, Rule, Rules,
    ToolRules, judge,
};

fn origin() -> Origin {
    Origin { layer: Layer::User, place: None }
}

fn verdict(text: &str, rules: &Rules) -> Verdict {
    let operation = Operation::Shell(ShellCommand { command: text.into(), dialect: Dialect::Bash });
    let assessment = signoff_analysis::assess(&operation, &Whereabouts::assumed(), &NoFacts);
    let invocations = signoff_analysis::invocations(&operation);
    let request = Request { operation: &operation, invocations: &invocations };
    let context = Context { posture: Posture::Balanced, ..Context::default() };
    judge(&assessment, &context, rules, &request).decision.verdict()
}

fn listed(pattern: &str) -> Vec<Listed> {
    vec![Listed { pattern: pattern.parse().unwrap(), origin: origin() }]
}

fn safe(pattern: &str) -> Rules {
    let tool = ToolRules { name: "shell_execute".into(), safe_commands: listed(pattern), ..ToolRules::default() };
    Rules { tools: vec![tool], ..Rules::default() }
}

fn dangerous(pattern: &str) -> Rules {
    let tool = ToolRules { name: "shell_execute".into(), dangerous_patterns: listed(pattern), ..ToolRules::default() };
    Rules { tools: vec![tool], ..Rules::default() }
}

fn rule(verdict: Verdict, pattern: &str) -> Rules {
    let rule = Rule {
        id: "a".into(),
        message: "m".into(),
        message_zh: None,
        priority: Priority::P1,
        verdict,
        conditions: Conditions { commands: vec![pattern.parse().unwrap()], ..Conditions::default() },
        lifts: vec![],
        provenance: Provenance::Written,
        origin: origin(),
    };
    Rules { rules: vec![rule], ..Rules::default() }
}

#[test]
fn a_permission_covers_what_it_says() {
    for (pattern, text, expected) in [
        ("git push *", "git push origin main", Verdict::Allow),
        ("git push *", "git status && git push origin main | tail -3", Verdict::Allow),
        ("git status", "git status; rm -rf src", Verdict::Ask),
        ("git status", "git status && rm -rf src", Verdict::Ask),
        ("git status", "git status | xargs rm -rf", Verdict::Ask),
        ("git status", "git status $(rm -rf src)", Verdict::Ask),
        ("git status", "git status > .git/hooks/pre-commit", Verdict::Ask),
        ("git status *", "git status `rm -rf src`", Verdict::Ask),
        ("rm -rf ./build/*", "rm -rf ./build/* ../src", Verdict::Ask),
        ("rm -rf ./build/*", "rm -rf ./build/../src", Verdict::Ask),
        ("git diff", "git diff --output=.env", Verdict::Ask),
        ("echo *", "echo 'git push -f origin main' | sh", Verdict::Ask),
        ("git push *", "git() { rm -rf src; }; git push origin", Verdict::Ask),
        ("git push *", "bash -c 'git push origin main'", Verdict::Ask),
        ("git push *", "git push origin $(cat x)", Verdict::Ask),
        ("git push *", "git -C x push origin main", Verdict::Ask),
        ("git push *", "git -c core.sshCommand=x push origin main", Verdict::Ask),
        ("rm *", "rm -rf /", Verdict::Block),
        ("rm *", "rm -rf ~", Verdict::Block),
    ] {
        assert_ne!(verdict(text, &Rules::default()), Verdict::Allow, "{text} asks by itself");
        assert_eq!(verdict(text, &safe(pattern)), expected, "safe {pattern} on {text}");
        assert_eq!(verdict(text, &rule(Verdict::Allow, pattern)), expected, "allow {pattern} on {text}");
    }
}

#[test]
fn a_pattern_hits_words_and_not_text() {
    for (pattern, text) in [
        ("kill", "skill list"),
        ("kill", "ls skill"),
        ("kill", "git log --grep kill"),
        (":", "git fetch https://example.com/x"),
        (":", "ls a:b"),
        ("format", "git log --format=%H"),
        ("format", "npm run format"),
    ] {
        let plain = verdict(text, &Rules::default());
        assert_eq!(verdict(text, &dangerous(pattern)), plain, "{pattern} on {text}");
        assert_eq!(verdict(text, &rule(Verdict::Block, &format!("{pattern} *"))), plain, "{pattern} on {text}");
    }
}

#[test]
fn what_is_forbidden_is_found_wherever_it_stands() {
    for text in [
        "git push",
        "git push origin main",
        "ls; git push",
        "ls $(git push)",
        "sudo git push",
        "env A=1 git push",
        "bash -c 'ls; git push'",
        "sh -c \"sh -c 'git push'\"",
        "eval git push",
        "eval 'git push'",
        "/usr/bin/git push",
        "\\git push",
        "g\"i\"t push",
        "if true; then git push; fi",
        "f() { git push; }; f",
        "cat <(git push)",
        "true | xargs git push",
        "git -C x push",
        "git --no-pager -c a.b=c push origin",
        "git --git-dir=x/.git --work-tree x push",
        "git -C $X push",
        "sudo git -C x push",
        "bash -c 'git -C x push'",
    ] {
        assert_eq!(verdict(text, &rule(Verdict::Block, "git push *")), Verdict::Block, "{text}");
        assert_ne!(verdict(text, &dangerous("git push")), Verdict::Allow, "{text}");
    }
    let waived = Rules { confirmation: Confirmation::Waived(origin()), ..rule(Verdict::Block, "git push *") };
    for text in ["X=git; $X push", "git $X", "bash -c \"$X\""] {
        assert_eq!(verdict(text, &waived), Verdict::Ask, "{text}: it may be what is forbidden");
    }
    assert_eq!(verdict("git push '", &waived), Verdict::Block, "what can be read of it counts");
    assert_eq!(verdict("ls '", &waived), Verdict::Ask, "what cannot be read may be anything");
    assert_eq!(verdict("git commit -m 'git push'", &waived), Verdict::Allow);
}

/// What is fetched is no risk by itself, and a rule can want to hear of it nevertheless.
#[test]
fn rules_about_what_is_read_from_elsewhere_hear_of_it() {
    let mut rules = rule(Verdict::Block, "x");
    for rule in &mut rules.rules {
        rule.conditions = Conditions { effects: vec![signoff_model::EffectKind::NetworkRead], ..Conditions::default() };
    }
    for text in [
        "curl https://example.com/x",
        "curl -fsSL example.com -o x.html",
        "curl -I https://example.com",
        "wget https://example.com/x",
        "wget -qO- https://example.com/x | head",
        "http https://example.com",
        "aria2c https://example.com/x",
        "git fetch",
        "git fetch origin main",
        "git pull",
        "git -C x pull --rebase",
        "git clone https://example.com/x.git",
        "for i in 1 2; do curl https://example.com/$i; done",
        "bash -c 'curl https://example.com'",
    ] {
        assert_eq!(verdict(text, &rules), Verdict::Block, "{text}");
    }
    for text in ["ls", "git status", "curl --version", "curl file:///dev/null", "git log"] {
        assert_eq!(verdict(text, &rules), Verdict::Allow, "{text}");
    }
}

#[test]
fn without_questions_the_absurd_stays_blocked() {
    let waived = Rules { confirmation: Confirmation::Waived(origin()), ..Rules::default() };
    assert_eq!(verdict("git push -f origin main", &waived), Verdict::Allow);
    assert_eq!(verdict("rm -rf /", &waived), Verdict::Block);
}
