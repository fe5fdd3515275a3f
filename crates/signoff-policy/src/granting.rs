//! Standing permissions for commands of a form: whether one reaches an operation, and which forms would reach too far.
//!
//! A grant reaches an operation only as a whole. Of a text with several commands each has to be one that the grant names, or
//! one about which nobody would be asked; how far it reaches up is for [`GrantMatch`](crate::GrantMatch) to say.

use signoff_model::{Assessment, Invocation, Verdict};

use crate::{
    CommandPattern, Conditions, Context, Origin, PathPattern, PatternError, Priority, Provenance, Request, Rule, Rules,
    decide, lifting,
};

/// Programs that run whatever they are told: a permission for all of their arguments is one for everything.
pub const RUNS_ANYTHING: &[&str] = &[
    "sudo", "doas", "su", "env", "xargs", "bash", "sh", "zsh", "dash", "fish", "eval", "exec", "command", "builtin",
    "nohup", "time", "timeout", "nice", "watch", "ssh", "script", "setsid", "parallel",
];

/// Languages, to which a text can be given as an argument as well, and others that run what they find among their words.
const RUNS_TEXTS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "node",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "lua",
    "osascript",
    "awk",
    "gawk",
    "ksh",
    "ash",
    "busybox",
    "chroot",
    "ionice",
    "stdbuf",
    "strace",
    "flock",
    "source",
    ".",
    "pwsh",
    "powershell",
];

/// Commands after which the others stand somewhere else.
const MOVES: &[&str] = &["cd", "pushd", "popd", "chdir"];

/// Why a text is no form that can be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ungrantable {
    /// It is no pattern at all.
    Pattern(PatternError),
    /// It does not name the program, or names one that runs whatever it is told: it would permit everything.
    Boundless,
}

impl From<PatternError> for Ungrantable {
    fn from(error: PatternError) -> Self {
        Self::Pattern(error)
    }
}

/// Commands of a form, as a grant means them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantPattern {
    command: CommandPattern,
    paths: Vec<PathPattern>,
}

impl GrantPattern {
    /// The form that texts mean.
    ///
    /// # Errors
    ///
    /// When one of them is no pattern, or would permit everything.
    pub fn parse(command: &str, paths: &[String]) -> Result<Self, Ungrantable> {
        let command: CommandPattern = command.parse()?;
        let paths: Vec<PathPattern> = paths.iter().map(|path| path.parse()).collect::<Result<_, _>>()?;
        let runs_anything = |program: &str| RUNS_ANYTHING.contains(&program) || RUNS_TEXTS.contains(&program);
        if !command.names_program() || (command.is_open() && command.program().is_none_or(|name| runs_anything(&name)))
        {
            return Err(Ungrantable::Boundless);
        }
        Ok(Self { command, paths })
    }

    /// Whether it means a command by its words alone.
    pub fn means(&self, invocation: &Invocation) -> bool {
        invocation.plain && self.command.permits(&invocation.argv)
    }

    /// Whether nobody would be asked about an operation but for what the form names. `context` is without a grant, and
    /// `stands_in` are the names of the directories in which the commands may run.
    pub fn reaches(
        &self,
        assessment: &Assessment,
        context: &Context,
        request: &Request<'_>,
        stands_in: &[&str],
    ) -> bool {
        let stays = request.invocations.iter().all(|invocation| stays(invocation, stands_in));
        let named = request.invocations.iter().any(|invocation| self.means(invocation));
        if !stays || !named {
            return false;
        }
        let conditions =
            Conditions { commands: vec![self.command.clone()], paths: self.paths.clone(), ..Conditions::default() };
        let permitting = Rule {
            id: "grant".to_owned(),
            message: String::new(),
            message_zh: None,
            priority: Priority::default(),
            verdict: Verdict::Allow,
            conditions,
            lifts: Vec::new(),
            provenance: Provenance::Written,
            origin: Origin::default(),
        };
        let rules = Rules { rules: vec![permitting], ..Rules::default() };
        let (rest, voices) = lifting::lift(assessment, &rules, request);
        !voices.is_empty() && decide(&rest, context).verdict() == Verdict::Allow
    }
}

/// Whether the commands behind this one still run where people were told. Of a link nobody knows where it leads.
fn stays(invocation: &Invocation, stands_in: &[&str]) -> bool {
    let Some(Some(program)) = invocation.argv.first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !MOVES.contains(&name) {
        return true;
    }
    match invocation.argv.as_slice() {
        [_, Some(to)] => invocation.plain && name == "cd" && stands_in.contains(&to.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::{Effect, EffectKind, Reason, Reversible, Risk, RuleId, Scope, Span, Subject, Target};

    use super::*;
    use crate::Posture;
    use signoff_model::{Dialect, Operation, ShellCommand};

    #[test]
    fn what_would_permit_everything_is_no_form() {
        let none: [String; 0] = [];
        for boundless in [
            "*",
            "g* push",
            "bash *",
            "sudo *",
            "/usr/bin/env *",
            "python3 *",
            "sh -c '*'",
            "ssh host *",
            "timeout 5 *",
        ] {
            assert_eq!(GrantPattern::parse(boundless, &none), Err(Ungrantable::Boundless), "{boundless}");
        }
        for bounded in
            ["git push *", "bash deploy.sh", "npm run build", "sudo systemctl restart app", "rm -rf ./build/*"]
        {
            assert!(GrantPattern::parse(bounded, &none).is_ok(), "{bounded}");
        }
        assert_eq!(GrantPattern::parse("", &none), Err(Ungrantable::Pattern(PatternError::Empty)));
        assert_eq!(GrantPattern::parse("a", &[String::new()]), Err(Ungrantable::Pattern(PatternError::Empty)));
    }

    /// A text of commands, each of which deletes `at` and is asked about.
    fn asked_about(text: &str, at: &str, risk: Risk) -> (Operation, Assessment, Vec<Invocation>) {
        let operation = Operation::Shell(ShellCommand { command: text.to_owned(), dialect: Dialect::Bash });
        let mut assessment = Assessment { risk, ..Assessment::default() };
        let mut invocations = Vec::new();
        let mut start = 0;
        for part in text.split(" && ") {
            let span = Span::new(start, start + part.len());
            start += part.len() + " && ".len();
            let unknown = part.contains('$');
            let argv = part.split(' ').map(|word| (!word.starts_with('$')).then(|| word.to_owned())).collect();
            invocations.push(Invocation { argv, span, plain: !unknown });
            if part.starts_with("ls") || part.starts_with("cd") {
                continue;
            }
            assessment.reasons.push(Reason {
                rule: RuleId::new("delete-source"),
                message: String::new(),
                risk,
                span,
                subject: Subject::Name(String::new()),
            });
            assessment.effects.push(Effect {
                kind: EffectKind::Delete,
                target: Target::Path(at.to_owned()),
                scope: Scope::Project,
                reversible: Reversible::No,
                span,
            });
        }
        (operation, assessment, invocations)
    }

    #[test]
    fn a_grant_reaches_an_operation_as_a_whole_or_not_at_all() {
        for (form, paths, text, risk, expected) in [
            ("git push *", &[][..], "git push origin x", Risk::Medium, true),
            ("git push *", &[], "git push origin x", Risk::High, true),
            ("git push *", &[], "git push origin x", Risk::Critical, false),
            ("git push *", &[], "ls -l && git push origin x", Risk::Medium, true),
            ("git push *", &[], "git push origin x && rm -rf y", Risk::Medium, false),
            ("git push *", &[], "git pull && git push", Risk::Medium, false),
            ("git push *", &[], "git push origin $B", Risk::Medium, false),
            ("git push *", &[], "cd /project && git push", Risk::Medium, true),
            ("git push *", &[], "cd /project/other && git push", Risk::Medium, false),
            ("git push *", &[], "cd other && git push", Risk::Medium, false),
            ("git push *", &[], "git -C /other push", Risk::Medium, false),
            ("git push *", &[], "ls -l", Risk::Medium, false),
            ("rm *", &["src/**"], "rm src/a", Risk::Medium, true),
            ("rm *", &["lib/**"], "rm src/a", Risk::Medium, false),
        ] {
            let paths: Vec<String> = paths.iter().map(|path: &&str| (*path).to_owned()).collect();
            let form = GrantPattern::parse(form, &paths).unwrap();
            let (operation, assessment, invocations) = asked_about(text, "src/a", risk);
            let request = Request { operation: &operation, invocations: &invocations };
            let context = Context { posture: Posture::Balanced, ..Context::default() };
            let found = form.reaches(&assessment, &context, &request, &["/project"]);
            assert_eq!(found, expected, "{form:?} on {text}");
        }
    }
}
