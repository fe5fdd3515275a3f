//! Rules: every reason that the analysis can give has one, with a stable name, a text in both languages of the
//! product, and its own examples.

use signoff_model::{EffectKind, Prohibition, Reversible, Risk};

/// How much people care: the order in which reasons of equal risk are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// First.
    P0,
    /// Next.
    P1,
    /// Last.
    P2,
}

/// What a rule has to say something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// What would happen.
    Deed,
    /// What was asked for, beside what would happen.
    Request,
}

/// A reason that the analysis can give.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable name, such as `force-push`.
    pub id: &'static str,
    /// What happens when it speaks.
    pub kind: EffectKind,
    /// How grave that is.
    pub risk: Risk,
    /// Whether it can be undone.
    pub reversible: Reversible,
    /// Set when no answer may lift it.
    pub prohibition: Option<Prohibition>,
    /// Its place among others of the same risk.
    pub priority: Priority,
    /// The English text; `{}` stands for the target.
    pub en: &'static str,
    /// The Chinese text; `{}` stands for the target.
    pub zh: &'static str,
    /// Commands on which this rule speaks.
    pub speaks: &'static [&'static str],
    /// Commands like them on which it is silent.
    pub silent: &'static [&'static str],
    /// Whether it speaks only where more is known than the text, such as the file system or what was asked for: then no
    /// text alone is an example of it.
    pub needs_facts: bool,
    /// What it speaks about.
    pub about: About,
}

impl Rule {
    /// A rule of a risk and kind, to be refined with the other methods.
    pub const fn new(id: &'static str, kind: EffectKind, risk: Risk, en: &'static str, zh: &'static str) -> Self {
        Self {
            id,
            kind,
            risk,
            reversible: Reversible::Unknown,
            prohibition: None,
            priority: Priority::P1,
            en,
            zh,
            speaks: &[],
            silent: &[],
            needs_facts: false,
            about: About::Deed,
        }
    }

    /// A rule that no answer can lift (law 5).
    pub const fn absurd(mut self) -> Self {
        self.prohibition = Some(Prohibition::Absurd);
        self.risk = Risk::Critical;
        self
    }

    /// A rule about Signoff's own state (law 8).
    pub const fn own_state(mut self) -> Self {
        self.prohibition = Some(Prohibition::OwnState);
        self.risk = Risk::Critical;
        self
    }

    /// Says whether the effect can be undone.
    pub const fn reversible(mut self, reversible: Reversible) -> Self {
        self.reversible = reversible;
        self
    }

    /// Puts the rule before or behind others of the same risk.
    pub const fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// Makes it a rule about what was asked for, which stands beside what is said about the deed.
    pub const fn about_request(mut self) -> Self {
        self.about = About::Request;
        self
    }

    /// Makes it a rule that speaks only where more is known than the text.
    pub const fn needs_facts(mut self) -> Self {
        self.needs_facts = true;
        self
    }

    /// Gives the rule its examples.
    pub const fn examples(mut self, speaks: &'static [&'static str], silent: &'static [&'static str]) -> Self {
        self.speaks = speaks;
        self.silent = silent;
        self
    }
}

/// Every rule that is built in.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    crate::path_effects::RULES
        .iter()
        .copied()
        .chain(crate::deception::RULES.iter().copied())
        .chain(crate::intent::RULES.iter().copied())
        .chain(crate::shell::rules::RULES.iter().copied())
        .chain(crate::shell::overwritten::RULES.iter().copied())
        .chain(crate::shell::planted::RULES.iter().copied())
        .chain(crate::shell::endless::RULES.iter().copied())
        .chain(crate::shell::hiding::RULES.iter().copied())
        .chain(crate::shell::families::rules())
        .chain(crate::tool::RULES.iter().copied())
        .chain(crate::code::RULES.iter().copied())
        .chain(crate::sql::RULES.iter().copied())
}

/// The rule of this name.
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}
