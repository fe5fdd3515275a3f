//! What becomes of a file that another one takes the place of, as programs of GNU are told by options and variables.

use super::super::{Call, Shell, options::Options};
use crate::value::Value;

/// Which backups are made where no option says so.
const CONTROL: &str = "VERSION_CONTROL";

/// What is put behind the name of a backup where no option says so.
const ENDING: &str = "SIMPLE_BACKUP_SUFFIX";

/// What is kept of a file that stands where another one comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Backup {
    /// Nothing.
    None,
    /// All of it, under its name with this behind it.
    As(String),
    /// All of it, under a name that nothing has.
    Anew,
}

/// Which backups a call makes: one of the first options asks for them, and one of the second names their ending.
pub(super) fn made(options: &Options<'_>, asking: &[&str], ending: &[&str], shell: &Shell<'_>, call: &Call) -> Backup {
    if !options.has(asking) {
        return Backup::None;
    }
    let kind = options.given.iter().rev().find(|given| given.name == "backup").and_then(|given| given.value.as_ref());
    match kind {
        Some(kind) => match kind.known() {
            Some("none" | "off") | None => return Backup::None,
            Some("numbered" | "t") => return Backup::Anew,
            Some(_) => {}
        },
        // Nobody knows what a program makes of a word that says how, unless it is one of those that keep something.
        None if told(shell, call, CONTROL).is_some_and(|kind| !keeps(&kind)) => return Backup::None,
        None => {}
    }
    let ending = match options.value(ending) {
        Some(ending) => ending.known().map(str::to_owned),
        // A file may be kept under another name than the one that is looked at.
        None => told(shell, call, ENDING).is_none().then(|| "~".to_owned()),
    };
    ending.filter(|ending| !ending.is_empty()).map_or(Backup::None, Backup::As)
}

fn keeps(kind: &Value) -> bool {
    matches!(kind.known(), Some("existing" | "nil" | "numbered" | "t" | "simple" | "never"))
}

/// What the text sets a variable to, for this call or before it; something unknown where that may be several things.
fn told(shell: &Shell<'_>, call: &Call, name: &str) -> Option<Value> {
    let own = call.variables.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| value.clone());
    let before = || shell.sets(name).then(|| shell.environment_variable(name));
    own.or_else(before).filter(|value| !value.is_empty())
}
