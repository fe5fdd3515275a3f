//! Programs that run other programs.

use signoff_model::Span;

use crate::{
    rule::Rule,
    shell::{Judge, Shell},
    value::Value,
};

/// The rules of this family.
pub static RULES: &[&Rule] = &[];

/// The judgement for a program of this family.
pub fn find(_name: &str) -> Option<Judge> {
    None
}

/// Variables are set that may make programs run other code.
pub fn environment(_shell: &mut Shell<'_>, _variables: &[(String, Value)], _span: Span) {}
