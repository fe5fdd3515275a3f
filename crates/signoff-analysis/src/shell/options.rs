//! Options as programs read them: clustered, separated, long, abbreviated, and ended by `--`.

use compact_str::{CompactString, ToCompactString};
use smallvec::SmallVec;

use crate::value::Arg;

/// How a program reads its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax {
    /// Short options that take a value, each a character.
    pub short_values: &'static str,
    /// Long options that take a value, without dashes. They may be abbreviated.
    pub long_values: &'static [&'static str],
    /// Long options without a value that matter to the caller, so that abbreviations of them are recognised.
    pub long_flags: &'static [&'static str],
    /// Whether the first operand ends the options (`sudo`, `env`, `timeout`, `xargs`, …).
    pub stops_at_operand: bool,
    /// Whether a single dash begins a long option (`terraform -auto-approve`, `find -delete`, `java -jar`).
    pub single_dash_long: bool,
}

/// One option as it was given.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    /// Its name: one character for a short option, the full word for a long one; without dashes.
    pub name: CompactString,
    /// Its value: the next argument, or what follows `=` or the letter.
    pub value: Option<Arg>,
    /// The argument that it stands in.
    pub arg: &'a Arg,
}

/// Arguments read as options and operands.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The options in order.
    pub given: SmallVec<[Given<'a>; 2]>,
    /// The operands in order.
    pub operands: SmallVec<[&'a Arg; 4]>,
    /// The index, in the arguments, of the first operand; the length if there is none.
    pub first_operand: usize,
    /// Whether some argument is unknown and might be an option.
    pub uncertain: bool,
}

/// Of more options than this, a letter that was given before is not kept again.
const MANY: usize = 64;

impl<'a> Options<'a> {
    /// Reads arguments (without the program itself).
    pub fn read(args: &'a [Arg], syntax: &Syntax) -> Self {
        let mut options = Self { first_operand: args.len(), ..Self::default() };
        let mut rest = args.iter().enumerate();
        let mut ended = false;
        while let Some((index, arg)) = rest.next() {
            let text = arg.value.prefix();
            let is_operand = ended || !text.starts_with('-') || text == "-" && arg.known() == Some("-");
            if is_operand {
                if !ended && text.is_empty() && arg.value.has_unknown() {
                    options.uncertain = true;
                }
                options.first_operand = options.first_operand.min(index);
                options.operands.push(arg);
                if syntax.stops_at_operand {
                    ended = true;
                }
                continue;
            }
            if arg.known() == Some("--") {
                ended = true;
                continue;
            }
            if let Some(body) = text.strip_prefix("--") {
                options.read_long(body, arg, &mut rest, syntax);
            } else if syntax.single_dash_long && text.len() > 2 {
                options.read_long(text.trim_start_matches('-'), arg, &mut rest, syntax);
            } else {
                options.read_cluster(arg, &mut rest, syntax);
            }
        }
        options.drop_rehearsals_that_are_off();
        options
    }

    /// A dry run that is turned off, by its value or by a later option, is none.
    fn drop_rehearsals_that_are_off(&mut self) {
        // None of them is a single letter, and most calls have nothing else.
        if self.given.iter().all(|given| given.name.len() == 1) {
            return;
        }
        // A value that is not known may turn it off.
        let off = |given: &Given<'_>| given.value.as_ref().is_some_and(|value| value.known().is_none_or(is_off));
        let undoes = |given: &Given<'_>| undoes_rehearsal(&given.name) || is_rehearsal(&given.name) && off(given);
        let undone = self.given.iter().rposition(undoes);
        let mut at = 0;
        self.given.retain(|given| {
            let before = undone.is_some_and(|undone| at < undone);
            at += 1;
            !(is_rehearsal(&given.name) && (off(given) || before) || given.name == "n" && before)
        });
    }

    fn read_long(
        &mut self,
        body: &str,
        arg: &'a Arg,
        rest: &mut (impl Iterator<Item = (usize, &'a Arg)> + Clone),
        syntax: &Syntax,
    ) {
        let (name, inline) = match body.split_once('=') {
            Some((name, _)) => (name, Some(behind(arg, "="))),
            None => (body, None),
        };
        let full = complete(name, syntax);
        let takes = syntax.long_values.contains(&full);
        let value = match inline {
            Some(value) => Some(value),
            None if takes || is_dry(full) && rest.clone().next().is_some_and(|(_, next)| is_truth(next)) => {
                rest.next().map(|(_, next)| next.clone())
            }
            None => None,
        };
        self.given.push(Given { name: full.into(), value, arg });
    }

    fn read_cluster(&mut self, arg: &'a Arg, rest: &mut impl Iterator<Item = (usize, &'a Arg)>, syntax: &Syntax) {
        let text = arg.value.prefix();
        let letters = text.char_indices().skip(1);
        for (at, letter) in letters {
            let mut value = None;
            if syntax.short_values.contains(letter) {
                let after = at + letter.len_utf8();
                let attached = Arg { value: strip(&arg.value, after), span: arg.span };
                value =
                    if attached.value.is_empty() { rest.next().map(|(_, next)| next.clone()) } else { Some(attached) };
                self.given.push(Given { name: letter.to_compact_string(), value, arg });
                return;
            }
            // A letter says nothing new when it comes again and again.
            let known = |given: &Given<'_>| given.value.is_none() && given.name.chars().eq([letter]);
            if self.given.len() < MANY || !self.given.iter().any(known) {
                self.given.push(Given { name: letter.to_compact_string(), value: value.take(), arg });
            }
        }
        if arg.value.has_unknown() {
            self.uncertain = true;
        }
    }

    /// Whether one of these options was given; short ones by their letter, long ones by their word.
    pub fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name.as_str()))
    }

    /// The last value of one of these options.
    pub fn value(&self, names: &[&str]) -> Option<&Arg> {
        self.given
            .iter()
            .rev()
            .find(|given| names.contains(&given.name.as_str()))
            .and_then(|given| given.value.as_ref())
    }

    /// Every value of one of these options.
    pub fn values(&self, names: &[&str]) -> impl Iterator<Item = &Arg> {
        self.given
            .iter()
            .filter(move |given| names.contains(&given.name.as_str()))
            .filter_map(|given| given.value.as_ref())
    }

    /// The known text of the operand at this position.
    pub fn operand(&self, index: usize) -> Option<&str> {
        self.operands.get(index).and_then(|arg| arg.known())
    }
}

/// Switches that make a call a dry run, without their dashes.
pub fn is_dry(name: &str) -> bool {
    matches!(name, "dry-run" | "dryrun" | "dry_run" | "dryRun" | "dry" | "what-if" | "whatif" | "WhatIf" | "whatIf")
}

/// Switches that make a call look and not act, without their dashes.
fn is_rehearsal(name: &str) -> bool {
    is_dry(name)
        || matches!(
            name,
            "simulate"
                | "simulation"
                | "pretend"
                | "noop"
                | "nono"
                | "no-op"
                | "no-act"
                | "just-print"
                | "recon"
                | "plan"
                | "preview"
                | "check"
                | "snapshot"
                | "list-only"
                | "print-only"
                | "plan-only"
                | "preview-only"
                | "check-only"
                | "validate-only"
                | "test-only"
                | "show-only"
        )
}

/// `--no-dry-run`: whether an option turns an earlier one off that makes a call look and not act.
fn undoes_rehearsal(name: &str) -> bool {
    name.strip_prefix("no-").is_some_and(is_rehearsal)
}

/// Values that turn a switch off.
pub fn is_off(value: &str) -> bool {
    matches!(value, "false" | "False" | "FALSE" | "no" | "off" | "0" | "none" | "")
}

/// Whether a word behind a switch is its value in programs that take one there.
pub fn is_truth(arg: &Arg) -> bool {
    matches!(arg.known(), Some("true" | "false"))
}

/// The switches among arguments that make a call look and not act, and where they are turned off.
#[derive(Clone, Debug)]
pub struct Rehearsals<'a> {
    args: &'a [Arg],
    /// Where the options end: what stands behind `--` is no switch, however it is spelt.
    end: usize,
    /// The position of the last option that turns earlier ones off.
    undone: Option<usize>,
    /// The positions of options that turn one of their own name off.
    taken_back: Vec<usize>,
}

/// Of more options that turn others off, nobody looks for the one of the right name.
const MANY_TAKEN_BACK: usize = 32;

impl<'a> Rehearsals<'a> {
    /// Looks through arguments up to `--`.
    pub fn of(args: &'a [Arg]) -> Self {
        let end = args.iter().position(|arg| arg.is("--")).unwrap_or(args.len());
        let undoes = |arg: &Arg| {
            let (name, value) = name_and_value(arg);
            arg.is_option() && (undoes_rehearsal(name) || is_rehearsal(name) && value.is_some_and(is_off))
        };
        let takes_back = |arg: &Arg| {
            let (name, value) = name_and_value(arg);
            arg.is_option() && (value.is_some_and(is_off) || name.starts_with("no-"))
        };
        let options = || args.iter().take(end);
        let taken_back = options().enumerate().filter(|(_, arg)| takes_back(arg)).map(|(at, _)| at);
        Self { args, end, undone: options().rposition(undoes), taken_back: taken_back.take(MANY_TAKEN_BACK).collect() }
    }

    /// Whether the switch at this position, if it makes a call look and not act, is turned off: by its value, by the word
    /// behind it, by a later option, or because it stands where no switch is read.
    pub fn is_off(&self, at: usize) -> bool {
        let Some(arg) = self.args.get(at) else { return false };
        if at > self.end {
            return true;
        }
        let text = arg.value.prefix();
        let (name, value) = name_and_value(arg);
        let undone = self.undone.is_some_and(|undone| at < undone);
        if !text.starts_with("--") && !is_rehearsal(name) {
            return name.contains('n') && undone;
        }
        is_rehearsal(name)
            && (value.is_some_and(is_off)
                || is_dry(name) && value.is_none() && self.args.get(at + 1).is_some_and(|next| next.is("false"))
                || undone)
    }

    /// The same for a switch of which the caller knows that it makes the program look and not act, whatever its name.
    pub fn is_taken_back(&self, at: usize) -> bool {
        let Some(arg) = self.args.get(at) else { return false };
        let (name, _) = name_and_value(arg);
        let takes_back = |later: usize| {
            later >= at
                && self.args.get(later).is_some_and(|arg| {
                    let (other, value) = name_and_value(arg);
                    other == name && value.is_some_and(is_off) || other.strip_prefix("no-") == Some(name)
                })
        };
        self.is_off(at)
            || self.taken_back.len() == MANY_TAKEN_BACK
            || self.taken_back.iter().any(|later| takes_back(*later))
    }
}

/// An option without its dashes, and the value behind `=`.
fn name_and_value(arg: &Arg) -> (&str, Option<&str>) {
    let body = arg.value.prefix().trim_start_matches('-');
    body.split_once('=').map_or((body, None), |(name, value)| (name, Some(value)))
}

/// The full word that an abbreviation of a long option stands for.
fn complete<'n>(name: &'n str, syntax: &Syntax) -> &'n str {
    // Behind one dash, a letter or two are something else.
    let shortest = if syntax.single_dash_long { 3 } else { 1 };
    if name.len() < shortest || syntax.long_values.contains(&name) || syntax.long_flags.contains(&name) {
        return name;
    }
    let mut candidates = syntax.long_values.iter().chain(syntax.long_flags).filter(|full| full.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (Some(full), None) => full,
        _ => name,
    }
}

/// What follows the first `mark` in an argument.
fn behind(arg: &Arg, mark: &str) -> Arg {
    let at = arg.value.prefix().find(mark).map_or(0, |at| at + mark.len());
    Arg { value: strip(&arg.value, at), span: arg.span }
}

/// A value without the first `bytes` of its leading text.
pub fn strip(value: &crate::value::Value, bytes: usize) -> crate::value::Value {
    use crate::value::{Piece, Value};
    let mut rest = Value::default();
    for (index, piece) in value.pieces().iter().enumerate() {
        match piece {
            Piece::Text(text) if index == 0 => rest.push(Piece::text(text.get(bytes..).unwrap_or_default())),
            piece => rest.push(piece.clone()),
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use signoff_model::Span;

    use super::*;

    #[test]
    fn a_dry_run_counts_only_when_it_is_on() {
        for (text, dry) in [
            ("publish --dry-run", true),
            ("publish --dry-run=true", true),
            ("publish --dry-run true", true),
            ("publish --dry-run=client", true),
            ("publish --no-dry-run --dry-run", true),
            ("clean -fd --no-dry-run -n", true),
            ("publish --dry-run=false", false),
            ("publish --dry-run=none", false),
            ("publish --dry-run false", false),
            ("publish --dry-run --no-dry-run", false),
            ("publish --dry-run --dry-run=false", false),
            ("publish --dry-run=client --dry-run=none", false),
            ("publish --dry-run=false --dry-run", true),
            ("publish -- --dry-run", false),
            ("clean -fdn --dry-run=false", false),
            ("clean -fdn --no-dry-run", false),
            ("publish", false),
        ] {
            let args: Vec<Arg> = text.split(' ').map(|word| Arg::text(word, Span::default())).collect();
            assert_eq!(Options::read(&args, &Syntax::default()).has(&["n", "dry-run"]), dry, "{text}");
            let given = |arg: &Arg| arg.value.prefix().starts_with("--dry-run") || arg.is("-n") || arg.is("-fdn");
            let switches = Rehearsals::of(&args);
            let on = args.iter().enumerate().any(|(at, arg)| given(arg) && !switches.is_off(at));
            assert_eq!(on, dry, "{text}");
        }
    }
}
