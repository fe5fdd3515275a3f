//! Programs that no family knows.

use crate::{
    rule::Rule,
    shell::{Call, Shell},
    value::{Feed, Origin},
};

/// The rules of this family.
pub static RULES: &[&Rule] = &[];

/// Judges a program that no family knows: by its name and its arguments.
pub fn judge(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    Feed::from(Origin::Program(call.name.clone()))
}
