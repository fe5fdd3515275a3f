//! Signoff itself, the agents around it, and answering prompts by proxy.

use crate::{rule::Rule, shell::Judge};

/// The rules of this family.
pub static RULES: &[&Rule] = &[];

/// The judgement for a program of this family.
pub fn find(_name: &str) -> Option<Judge> {
    None
}

/// Whether a text names Signoff: its program, its process or its unit.
pub fn names_signoff(text: &str) -> bool {
    text.to_ascii_lowercase().contains("signoff")
}
