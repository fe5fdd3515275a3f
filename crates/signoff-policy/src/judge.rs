//! The table and the configured rules together: what becomes of an operation, and which rule had a say in it.

use signoff_model::{
    Assessment, Decision, Effect, EffectKind, Listing, Reason, Reversible, Risk, RuleId, Scope, Span, Target, Verdict,
    WarningLevel,
};

use crate::{
    Confirmation, Context, Listed, Origin, Priority, Request, Rule, Rules, decide, lifting, question, raising,
};

/// What a configured rule did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// It wants at least this verdict.
    Raises(Verdict),
    /// It would want this verdict, depending on what only the shell will know: that is a question.
    MayRaise(Verdict),
    /// It takes these built-in reasons away; none where a small change passes that has no reason of its own.
    Lifts(Vec<RuleId>),
    /// It answers every question with yes.
    WaivesQuestions,
}

/// A configured rule or key that had a say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// The id of the rule, or the key.
    pub id: String,
    /// What it says to people.
    pub message: String,
    /// The same in Chinese, where there is one.
    pub message_zh: Option<String>,
    /// Its place among others.
    pub priority: Priority,
    /// Where it stands.
    pub origin: Origin,
    /// What it did.
    pub says: Says,
    /// The part of the operation that it is about; the whole where there is none.
    pub span: Option<Span>,
}

impl Voice {
    pub(crate) fn of(rule: &Rule, says: Says, span: Option<Span>) -> Self {
        Self {
            id: rule.id.clone(),
            message: rule.message.clone(),
            message_zh: rule.message_zh.clone(),
            priority: rule.priority,
            origin: rule.origin.clone(),
            says,
            span,
        }
    }

    fn of_key(id: String, message: String, chinese: String, origin: &Origin, says: Says, span: Option<Span>) -> Self {
        let message_zh = Some(chinese);
        Self { id, message, message_zh, priority: Priority::default(), origin: origin.clone(), says, span }
    }

    pub(crate) fn always_confirm(tool: &str, origin: &Origin) -> Self {
        Self::of_key(
            format!("policy.tools.{tool}.always_confirm"),
            format!("every call of `{tool}` is asked about"),
            format!("每次调用 `{tool}` 都须确认"),
            origin,
            Says::Raises(Verdict::Ask),
            None,
        )
    }

    pub(crate) fn dangerous_pattern(tool: &str, listed: &Listed, says: Says, span: Option<Span>) -> Self {
        Self::of_key(
            format!("policy.tools.{tool}.dangerous_patterns"),
            format!("`{}` is listed as dangerous", listed.pattern),
            format!("`{}` 被列为危险命令", listed.pattern),
            &listed.origin,
            says,
            span,
        )
    }

    pub(crate) fn safe_command(tool: &str, listed: &Listed, lifted: Vec<RuleId>, span: Span) -> Self {
        Self::of_key(
            format!("policy.tools.{tool}.safe_commands"),
            format!("`{}` is listed as safe", listed.pattern),
            format!("`{}` 被列为安全命令", listed.pattern),
            &listed.origin,
            Says::Lifts(lifted),
            Some(span),
        )
    }

    fn waiver(origin: &Origin) -> Self {
        Self::of_key(
            "policy.require_confirmation".to_owned(),
            "questions are switched off".to_owned(),
            "已关闭确认".to_owned(),
            origin,
            Says::WaivesQuestions,
            None,
        )
    }

    /// The verdict that counts, and whether nothing but a person's look can settle it.
    fn wants(&self) -> Option<(Verdict, Certainty)> {
        match self.says {
            Says::Raises(verdict) => Some((verdict, Certainty::Sure)),
            Says::MayRaise(Verdict::Block) => Some((Verdict::Ask, Certainty::MayBlock)),
            Says::MayRaise(verdict) => Some((verdict, Certainty::Sure)),
            Says::Lifts(_) | Says::WaivesQuestions => None,
        }
    }
}

/// Whether a rule that blocks may be behind a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    Sure,
    MayBlock,
}

/// What becomes of an operation, and which configured rules had a say in it, the weightiest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What becomes of it.
    pub decision: Decision,
    /// Who had a say.
    pub voices: Vec<Voice>,
    /// The configured rule that the decision comes from, where the table alone would have been laxer.
    pub raised_by: Option<Voice>,
}

impl Judgement {
    /// The same once it is known what would be lost: what could not be listed in full is not answered by habit.
    #[must_use]
    pub fn with_preview(self, assessment: &Assessment) -> Self {
        match &assessment.preview {
            Some(preview) if !preview.complete => self.typed(assessment),
            _ => self,
        }
    }

    /// The same for an operation that is about to run: nobody says yes by habit to a delete of which nobody can say what
    /// goes, since what comes along meanwhile would not be noticed either.
    #[must_use]
    pub fn before_running(self, assessment: &Assessment) -> Self {
        if goes_unlisted(assessment) { self.typed(assessment) } else { self }
    }

    fn typed(self, assessment: &Assessment) -> Self {
        let decision = match self.decision {
            Decision::RequireConfirmation { .. } | Decision::RequireChoice { .. } => question::typed(assessment),
            decision => decision,
        };
        Self { decision, ..self }
    }

    /// Whether a configured rule has taken this reason away.
    pub fn lifts(&self, reason: &Reason) -> bool {
        self.voices.iter().any(|voice| match &voice.says {
            Says::Lifts(rules) => {
                rules.contains(&reason.rule) && voice.span.is_some_and(|span| span.contains(reason.span))
            }
            Says::Raises(_) | Says::MayRaise(_) | Says::WaivesQuestions => false,
        })
    }
}

/// Whether something on this machine would be deleted for good of which nobody can say what it is.
fn goes_unlisted(assessment: &Assessment) -> bool {
    let is_gone = |effect: &Effect| {
        effect.kind == EffectKind::Delete
            && matches!(
                effect.target,
                Target::Path(_) | Target::Matches(_) | Target::Listed { .. } | Target::Unresolved(_)
            )
            && effect.scope != Scope::Remote
            && matches!(effect.reversible, Reversible::No | Reversible::Unknown)
    };
    assessment.listing != Listing::Whole
        && assessment.effective_risk() >= Risk::High
        && assessment.effects.iter().any(is_gone)
}

/// What the table says by itself.
impl From<Decision> for Judgement {
    fn from(decision: Decision) -> Self {
        Self { decision, voices: Vec::new(), raised_by: None }
    }
}

/// What becomes of an operation under the table and the configured rules.
///
/// Permissions are heard first and take away only what they reach; then the table speaks; then whatever asks or blocks
/// raises what came out. So of several rules the strictest wins, whatever their order, and the verdict of a rule that raises
/// never depends on one that permits.
pub fn judge(assessment: &Assessment, context: &Context, rules: &Rules, request: &Request<'_>) -> Judgement {
    let (rest, permitting) = lifting::lift(assessment, rules, request);
    let table = decide(&rest, context);
    let mut voices = raising::voices(assessment, rules, request);
    voices.sort_by_key(|voice| {
        let (verdict, certainty) = voice.wants().unwrap_or((Verdict::Allow, Certainty::Sure));
        (std::cmp::Reverse(verdict), certainty == Certainty::Sure, voice.priority)
    });
    let before = table.verdict();
    let raised = raise(table, &voices, assessment.effective_risk());
    let raised_by = voices.first().filter(|_| raised.verdict() > before).cloned();
    let may_block = voices.iter().any(|voice| voice.wants().is_some_and(|(_, sure)| sure == Certainty::MayBlock));
    voices.extend(permitting);
    let decision = match (&rules.confirmation, raised.verdict()) {
        (Confirmation::Waived(origin), Verdict::Ask) if !may_block => {
            voices.insert(0, Voice::waiver(origin));
            Decision::ExecuteDirectly
        }
        (Confirmation::Required | Confirmation::Waived(_), Verdict::Allow | Verdict::Ask | Verdict::Block) => raised,
    };
    let raised_by = raised_by.filter(|_| decision.verdict() > before);
    Judgement { decision, voices, raised_by }
}

/// What the table says, raised to what the weightiest voice wants. A question of the table keeps its form, which is never
/// easier to answer than a yes or no.
fn raise(table: Decision, voices: &[Voice], risk: Risk) -> Decision {
    let Some((voice, wanted)) = voices.first().and_then(|voice| voice.wants().map(|(wanted, _)| (voice, wanted)))
    else {
        return table;
    };
    match (table.verdict(), wanted) {
        (Verdict::Block, Verdict::Allow | Verdict::Ask | Verdict::Block)
        | (Verdict::Ask, Verdict::Allow | Verdict::Ask)
        | (Verdict::Allow, Verdict::Allow) => table,
        (Verdict::Allow | Verdict::Ask, Verdict::Block) => {
            Decision::Reject { reason: voice.message.clone(), suggestion: None }
        }
        (Verdict::Allow, Verdict::Ask) => Decision::RequireConfirmation {
            reason: voice.message.clone(),
            warning_level: WarningLevel::of(risk.max(Risk::Medium)),
        },
    }
}
