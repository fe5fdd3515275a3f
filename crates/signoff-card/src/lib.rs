//! The trusted renderer: what a person sees of an operation.
//!
//! A card is drawn from the operation itself and from its assessment, never from an agent's words about it. Drawing has
//! two steps that know nothing of each other: a [`Card`] says *what* is shown, in the words of a language and with every
//! deceptive character made visible; a painter such as [`terminal`] says *how*. Nothing is left out without saying so.

mod card;
mod effects;
mod language;
mod names;
mod source;
pub mod terminal;
mod texts;
mod visible;

pub use card::{Card, Detail, Row, RowKind};
pub use language::Language;
pub use source::{Line, Piece, SourcePart};
pub use visible::visible;

/// What a rule says about its subject, in a language, with everything in it made visible.
pub fn rule_message(
    rule: &signoff_analysis::rule::Rule,
    subject: &signoff_model::Subject,
    language: Language,
) -> String {
    let template = match language {
        Language::English => rule.en,
        Language::Chinese => rule.zh,
    };
    template.replace("{}", &names::of_subject(subject, language))
}
