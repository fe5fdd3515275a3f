//! The rules that people write, as values. Where they come from and how they are written down is for others to know.

use signoff_model::{Assessment, EffectKind, Risk, Verdict};

use crate::{CommandPattern, Layer, Origin, PathPattern, WordPattern};

/// How much people care: the order in which rules of the same verdict are heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// First.
    P0,
    /// Next.
    #[default]
    P1,
    /// Last.
    P2,
}

impl Priority {
    /// Every priority, the first one first.
    pub const ALL: [Self; 3] = [Self::P0, Self::P1, Self::P2];

    /// The stable name used in configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::P0 => "P0",
            Self::P1 => "P1",
            Self::P2 => "P2",
        }
    }

    /// The priority of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.name() == name)
    }
}

/// How a rule came to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// A person wrote it.
    #[default]
    Written,
    /// It was made from another program's settings, and nobody may have read it.
    Imported,
}

/// When a rule speaks: each kind of condition that is given must hold, and of each kind one entry is enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The words of a command.
    pub commands: Vec<CommandPattern>,
    /// What an effect touches.
    pub paths: Vec<PathPattern>,
    /// What an effect does.
    pub effects: Vec<EffectKind>,
    /// Which tool is called.
    pub tools: Vec<WordPattern>,
}

impl Conditions {
    /// Whether there is none, so that the rule would speak about everything.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.paths.is_empty() && self.effects.is_empty() && self.tools.is_empty()
    }
}

/// A rule that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub id: String,
    /// What it says to people.
    pub message: String,
    /// The same in Chinese, where somebody has written it.
    pub message_zh: Option<String>,
    /// Its place among others.
    pub priority: Priority,
    /// What it wants.
    pub verdict: Verdict,
    /// When it speaks.
    pub conditions: Conditions,
    /// The built-in rules that it overrules by name, prohibitions among them.
    pub lifts: Vec<String>,
    /// How it came to be written.
    pub provenance: Provenance,
    /// Where it stands.
    pub origin: Origin,
}

impl Rule {
    /// Whether it overrules a built-in rule by its name. A project and an import cannot do that (law 5).
    pub(crate) fn lifts_by_name(&self, rule: &str) -> bool {
        self.origin.layer.is_a_persons()
            && self.provenance == Provenance::Written
            && self.lifts.iter().any(|lifted| lifted == rule)
    }
}

/// An entry of a list, with its own origin, since a list may be put together from several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The pattern.
    pub pattern: CommandPattern,
    /// Where it stands.
    pub origin: Origin,
}

/// What is said about one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolRules {
    /// What the tool is called.
    pub name: String,
    /// Set when every call has to be confirmed: who wants that.
    pub always_confirm: Option<Origin>,
    /// Commands that need no question.
    pub safe_commands: Vec<Listed>,
    /// Commands that always need one.
    pub dangerous_patterns: Vec<Listed>,
}

/// Whether people are asked at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Confirmation {
    /// They are.
    #[default]
    Required,
    /// They are not: who wants that. What is blocked stays blocked.
    Waived(Origin),
}

/// Everything that people have configured about verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The rules.
    pub rules: Vec<Rule>,
    /// What is said about single tools.
    pub tools: Vec<ToolRules>,
    /// Whether people are asked at all.
    pub confirmation: Confirmation,
}

impl Rules {
    /// Whether anything here depends on the single commands of an operation: they take time to be told. The built-in list
    /// of safe commands does not count, since it holds nothing that the analysis finds fault with.
    pub fn ask_for_commands(&self, assessment: &Assessment) -> bool {
        let permits = |rule: &Rule| rule.verdict == Verdict::Allow || !rule.lifts.is_empty();
        let is_somebodys = |listed: &Listed| listed.origin.layer != Layer::Default;
        let may_lift =
            self.rules.iter().any(permits) || self.tools.iter().any(|tool| tool.safe_commands.iter().any(is_somebodys));
        let may_raise =
            self.rules.iter().any(|rule| rule.verdict > Verdict::Allow && !rule.conditions.commands.is_empty())
                || self.tools.iter().any(|tool| !tool.dangerous_patterns.is_empty());
        may_raise || may_lift && assessment.effective_risk() > Risk::None
    }
}
