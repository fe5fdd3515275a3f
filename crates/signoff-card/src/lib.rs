//! The trusted renderer: what a person sees of an operation.
//!
//! A card is drawn from the operation itself and from its assessment, never from an agent's words about it. Drawing has
//! two steps that know nothing of each other: a [`Card`] says *what* is shown, in the words of a language and with every
//! deceptive character made visible; a painter such as [`terminal`] says *how*. Nothing is left out without saying so.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod card;
mod changes;
mod deviations;
mod effects;
mod kept;
mod language;
mod losses;
mod names;
mod origin;
mod question;
mod source;
pub mod terminal;
mod texts;
mod visible;

pub use card::{Card, Detail, Row, RowKind};
pub use deviations::deviation_line;
pub use kept::{NotACard, keep, kept};
pub use language::Language;
pub use losses::bytes;
pub use names::{of_subject as subject_name, of_unread as unread_name};
pub use origin::origin_rows;
pub use question::{in_words, reason_message, voice_message};
pub use source::{Line, Piece, Source, SourcePart};
pub use visible::{visible, visible_name};

/// How grave something is, in a language.
pub const fn risk_name(risk: signoff_model::Risk, language: Language) -> &'static str {
    texts::Texts::of(language).risk_name(risk)
}

/// What a rule says, with `{}` for its subject.
pub const fn rule_text(rule: &signoff_analysis::rule::Rule, language: Language) -> &'static str {
    match language {
        Language::English => rule.en,
        Language::Chinese => rule.zh,
    }
}

/// What a rule says about its subject, in a language, with everything in it made visible.
pub fn rule_message(
    rule: &signoff_analysis::rule::Rule,
    subject: &signoff_model::Subject,
    language: Language,
) -> String {
    rule_text(rule, language).replace("{}", &names::of_subject(subject, language))
}
