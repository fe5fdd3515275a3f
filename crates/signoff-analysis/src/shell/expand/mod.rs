//! Words as bash would build them: braces, tildes, variables, substitutions, arithmetic, splitting.
//!
//! What cannot be known stays unknown. Substitutions are walked on the way, so whatever they do is found even if the
//! word itself is never used.

mod arithmetic;
mod braces;
mod lookup;
mod parameter;
pub mod pattern;
#[cfg(test)]
mod tests;
mod zsh;

use std::collections::HashSet;

use braces::Made;
pub(super) use parameter::{MAX_ALTERNATIVES, any_of};
use signoff_model::{Dialect, Span, Unread};

use super::{
    contents::Variable,
    machine::Shell,
    reading::LOST,
    syntax::tree::{ParameterOperation, ProcessKind, Substitution, Word, WordPart},
    written::Written,
};
use crate::place::TOP_DIRECTORIES;
use crate::value::{Arg, Feed, Origin, Origins, Piece, Unknown, Value};

/// Whether a path from the root, as a pattern, begins with a directory that machines have there.
fn may_be_at_the_top(path: &str) -> bool {
    let Some(below) = path.strip_prefix('/') else { return false };
    let first = below.split('/').find(|part| !matches!(*part, "" | "." | ".."));
    first.is_some_and(|first| {
        let pattern = pattern::Pattern::new(first);
        TOP_DIRECTORIES.iter().any(|name| pattern.has_room_for(name.len()) && pattern.matches(name))
    })
}

/// A command has at most this many arguments that are looked at.
const MAX_ARGUMENTS: usize = 8192;

/// An arithmetic expression with more brackets than this is not read.
const MAX_BRACKETS: usize = 256;

/// The texts of at most so many variables are looked at for what one expression evaluates.
const MAX_EVALUATED: usize = 256;

/// So many signs of a word as it is written are one step, each time that it is built.
pub(super) const SIGNS: usize = 16;

/// So many letters that are put into a word are one step.
const LETTERS: usize = 64;

/// So many signs of an arithmetic text are one step, each time that it is evaluated.
pub(super) const EVALUATED: usize = 8;

/// Whether the shell splits and globs what an expansion gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Unquoted.
    Bare,
    /// In double quotes, a heredoc or an assignment.
    Quoted,
}

/// Where a part stands in its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is all of it.
    Alone,
    /// At its beginning, with something behind.
    First,
    /// Behind something else.
    Later,
}

impl Stands {
    const fn of(index: usize, count: usize) -> Self {
        match (index, count) {
            (0, 1) => Self::Alone,
            (0, _) => Self::First,
            _ => Self::Later,
        }
    }
}

/// The fields that a word becomes.
struct Fields {
    done: Vec<Value>,
    current: Option<Value>,
}

impl Fields {
    fn push(&mut self, piece: Piece) {
        self.current.get_or_insert_default().push(piece);
    }

    fn append(&mut self, value: Value) {
        match &mut self.current {
            Some(current) => current.extend(value),
            None => self.current = Some(value),
        }
    }

    /// Adds a value that is needed elsewhere as well.
    fn append_copy(&mut self, value: &Value) {
        match &mut self.current {
            Some(current) => current.extend_from(value),
            None => self.current = Some(value.clone()),
        }
    }

    /// Adds text that stands for itself.
    fn append_text(&mut self, text: &str) {
        match &mut self.current {
            Some(current) if !current.is_empty() => current.push_text(text),
            _ => self.current = Some(Value::text(text)),
        }
    }

    /// Makes arguments of the fields.
    fn into_args(self, span: Span, args: &mut Vec<Arg>) {
        args.extend(self.done.into_iter().map(|value| Arg { value, span }));
        if let Some(value) = self.current {
            args.push(Arg { value, span });
        }
    }

    fn end_field(&mut self) {
        self.done.extend(self.current.take());
    }
}

/// The bytes that make unquoted text more than itself.
#[expect(clippy::indexing_slicing, reason = "a byte is below 256, and this runs when it is compiled")]
static MEANS_MORE: [bool; 256] = {
    let mut means_more = [false; 256];
    let signs = b"*?[{~=";
    let mut at = 0;
    while at < signs.len() {
        means_more[signs[at] as usize] = true;
        at += 1;
    }
    means_more
};

/// Fields as one value, with spaces between them.
fn joined(fields: Fields) -> Value {
    // Only a list is more than one.
    if fields.done.is_empty() {
        return fields.current.unwrap_or_default();
    }
    let mut all = Value::default();
    for (index, value) in fields.done.into_iter().chain(fields.current).enumerate() {
        if index > 0 {
            all.push(Piece::text(" "));
        }
        all.extend(value);
    }
    all
}

impl<'a> Shell<'a> {
    /// The arguments that words become.
    pub(super) fn expand_words(&mut self, words: &'a [Word<'a>]) -> Vec<Arg> {
        let mut args = Vec::with_capacity(words.len());
        for word in words {
            if args.len() >= MAX_ARGUMENTS {
                self.spend_out(word.span);
                break;
            }
            self.expand_word(word, &mut args);
        }
        args
    }

    fn expand_word(&mut self, word: &'a Word<'a>, args: &mut Vec<Arg>) {
        if self.dialect == Dialect::Zsh
            && let Some(program) = zsh::program_of(word.parts)
        {
            args.push(Arg::text(program, word.span));
            return;
        }
        let qualified = self.dialect == Dialect::Zsh && zsh::bare(word.parts).is_some();
        // The common case: one stretch of plain text.
        if !qualified
            && let [WordPart::Literal(text)] = word.parts
            && !text.bytes().any(|byte| MEANS_MORE.get(usize::from(byte)) == Some(&true))
        {
            args.push(Arg::text(*text, word.span));
            return;
        }
        self.step(word.span.length() / SIGNS);
        match braces::expand(word.parts) {
            Ok(None) => self.expand_fields(word.parts, word.span, args),
            Ok(Some(words)) => {
                for made in words {
                    self.fields_of(&made, Quoting::Bare).into_args(word.span, args);
                }
            }
            Err(braces::TooMany) => {
                let value = self.unknown_of_braces(word);
                args.push(Arg { value, span: word.span });
            }
        }
    }

    /// The values that each of the words may have which the braces in a word make of it, without splitting.
    pub(super) fn expand_braced(&mut self, word: &'a Word<'a>) -> Vec<Vec<Value>> {
        self.step(word.span.length() / SIGNS);
        match braces::expand(word.parts) {
            Ok(None) => vec![self.expand_alternatives(word)],
            Ok(Some(words)) => words.iter().map(|made| self.alternatives_of(made)).collect(),
            Err(braces::TooMany) => vec![vec![self.unknown_of_braces(word)]],
        }
    }

    fn alternatives_of(&mut self, made: &[Made<'a>]) -> Vec<Value> {
        if made.iter().any(|made| matches!(made, Made::OfRange)) {
            return vec![joined(self.fields_of(made, Quoting::Quoted))];
        }
        let plain = match made {
            [Made::Text(text)] => !text.starts_with('~'),
            made => matches!(made, [Made::Part(WordPart::SingleQuoted(_))] | []),
        };
        self.alternatives(plain, |shell| joined(shell.fields_of(made, Quoting::Quoted)))
    }

    /// The fields of a word that the braces make. What comes out of a long range is one unknown piece.
    fn fields_of(&mut self, made: &[Made<'a>], quoting: Quoting) -> Fields {
        let mut fields = Fields { done: Vec::new(), current: None };
        let count = made.len();
        for (index, made) in made.iter().enumerate() {
            let stands = Stands::of(index, count);
            match made {
                Made::Text(text) => self.literal(text, stands, quoting, &mut fields),
                Made::Part(part) => self.expand_part(part, stands, quoting, &mut fields),
                Made::OfRange => {
                    fields
                        .push(Piece::from(Unknown { shown: "{…}".to_owned(), origins: Origins::NONE, splits: true }));
                }
            }
        }
        fields
    }

    /// What is known of a word with more results than are followed: what stands before its first brace and behind its
    /// last one. The substitutions in it run all the same.
    fn unknown_of_braces(&mut self, word: &'a Word<'a>) -> Value {
        let value = self.expand_value(word.parts);
        self.spend_out(word.span);
        let mut known = Value::default();
        if let Some(WordPart::Literal(first)) = word.parts.first() {
            known.push(Piece::text(first.split('{').next().unwrap_or_default()));
        }
        let origins = value.origins().cloned().collect();
        known.push(Piece::from(Unknown { shown: "{…}".to_owned(), origins, splits: true }));
        if let Some(WordPart::Literal(last)) = word.parts.last() {
            known.push(Piece::text(last.rsplit('}').next().unwrap_or_default()));
        }
        known
    }

    fn expand_fields(&mut self, parts: &'a [WordPart<'a>], span: Span, args: &mut Vec<Arg>) {
        if let Some(name) = self.root_unless_set(parts) {
            let value = Value::unknown(format!("${name}/"), vec![Origin::Variable(name.to_owned())]);
            args.push(Arg { value, span });
            return;
        }
        let mut fields = Fields { done: Vec::new(), current: None };
        let bare = if self.dialect == Dialect::Zsh { zsh::bare(parts) } else { None };
        for (index, part) in parts.iter().enumerate() {
            let stands = Stands::of(index, parts.len());
            match bare.filter(|_| index + 1 == parts.len()) {
                Some(bare) => self.literal(bare, stands, Quoting::Bare, &mut fields),
                None => self.expand_part(part, stands, Quoting::Bare, &mut fields),
            }
        }
        fields.into_args(span, args);
    }

    /// The variable for temporary things that a word begins with, where the word is the root, all that is in it, or one of the
    /// directories that every machine has there if nobody has set the variable: `"$TMPDIR"/*`, `$TMPDIR/home`. Elsewhere it is
    /// taken for set, as on most systems it is.
    fn root_unless_set(&self, parts: &'a [WordPart<'a>]) -> Option<&'a str> {
        let (first, rest) = parts.split_first()?;
        let (first, inside) = match first {
            WordPart::DoubleQuoted(inside) => inside.split_first()?,
            first => (first, [].as_slice()),
        };
        let WordPart::Parameter(parameter) = first else { return None };
        let temporary = matches!(parameter.name, "TMPDIR" | "TMP" | "TEMP" | "RUNNER_TEMP")
            && matches!(parameter.operation, ParameterOperation::Value)
            && !parameter.indirect
            && !self.state.variables.contains_key(parameter.name);
        if !temporary {
            return None;
        }
        let mut behind = String::new();
        for part in inside.iter().chain(rest) {
            match part {
                WordPart::Literal(text) | WordPart::SingleQuoted(text) => behind.push_str(text),
                WordPart::DoubleQuoted([]) => {}
                WordPart::DoubleQuoted([WordPart::Literal(text)]) => behind.push_str(text),
                // Whatever follows, it lies below a directory whose name is known.
                _ if behind.trim_start_matches('/').contains('/') => break,
                _ => return None,
            }
        }
        let is_root = !behind.is_empty() && behind.bytes().all(|byte| b"/*.".contains(&byte));
        (is_root || may_be_at_the_top(&behind)).then_some(parameter.name)
    }

    /// The one value of a word that is not split: an assignment, a redirection, a `case` word.
    pub(super) fn expand_single(&mut self, word: &'a Word<'a>) -> Value {
        self.step(word.span.length() / SIGNS);
        self.expand_value(word.parts)
    }

    /// The one value of some parts, without splitting.
    pub(super) fn expand_value(&mut self, parts: &'a [WordPart<'a>]) -> Value {
        let mut fields = Fields { done: Vec::new(), current: None };
        for (index, part) in parts.iter().enumerate() {
            self.expand_part(part, Stands::of(index, parts.len()), Quoting::Quoted, &mut fields);
        }
        joined(fields)
    }

    fn expand_part(&mut self, part: &'a WordPart<'a>, stands: Stands, quoting: Quoting, fields: &mut Fields) {
        self.step(1);
        if self.fuel == 0
            && !matches!(part, WordPart::Literal(_) | WordPart::SingleQuoted(_) | WordPart::DoubleQuoted(_))
        {
            self.spend_out(self.at);
            fields.push(Piece::from(Unknown { shown: "…".to_owned(), origins: Origins::NONE, splits: true }));
            return;
        }
        match part {
            WordPart::Literal(text) => self.literal(text, stands, quoting, fields),
            WordPart::SingleQuoted(text) => fields.append_text(text),
            WordPart::DoubleQuoted(parts) => {
                // `"$@"` gives as many fields as there are arguments; everything else in quotes stays one field.
                if !matches!(parts, [WordPart::Parameter(parameter)] if parameter.is_list() && !parameter.joins()) {
                    fields.append(Value::default());
                }
                for part in *parts {
                    self.expand_part(part, Stands::Later, Quoting::Quoted, fields);
                }
            }
            WordPart::Parameter(parameter) => {
                if quoting == Quoting::Quoted
                    && let Some(value) = self.one_value(parameter)
                {
                    let steps = 1 + value.size() / LETTERS;
                    fields.append_copy(value);
                    return self.step(steps);
                }
                let values = self.parameter(parameter);
                // Only zsh has several values where the form is not that of a list; in quotes they are one word.
                let joins = quoting == Quoting::Quoted && (parameter.joins() || !parameter.is_list());
                for (index, value) in values.into_iter().enumerate() {
                    if index > 0 && joins {
                        fields.push(Piece::Text(self.separators().chars().take(1).collect()));
                    } else if index > 0 {
                        fields.end_field();
                    }
                    self.place_expansion(value, quoting, fields);
                }
            }
            WordPart::Command(substitution) => {
                let value = self.substitute(substitution);
                self.place_expansion(value, quoting, fields);
            }
            WordPart::Process { kind, inner } => {
                let value = self.process_substitution(*kind, inner);
                fields.append(value);
            }
            WordPart::Arithmetic(parts) => {
                let value = self.arithmetic(parts);
                fields.append(value);
            }
            WordPart::ExtendedGlob { operator, inside } => {
                let inside = self.expand_value(inside);
                let pattern = format!("{operator}({})", inside.shown());
                fields.push(match quoting {
                    Quoting::Bare => Piece::glob(pattern),
                    Quoting::Quoted => Piece::text(pattern),
                });
            }
            WordPart::Array(elements) => {
                // The walker takes arrays of declarations apart itself; elsewhere only what they do matters.
                for element in *elements {
                    let value = self.expand_single(&element.value);
                    fields.append(value);
                }
            }
        }
    }

    fn literal(&mut self, text: &str, stands: Stands, quoting: Quoting, fields: &mut Fields) {
        // `name=~` too, as bash does it outside of POSIX mode.
        let tilde = if stands != Stands::Later { memchr::memchr(b'~', text.as_bytes()) } else { None };
        let text = match tilde.and_then(|_| text.find("=~")) {
            Some(at) if is_name(text.get(..at).unwrap_or_default()) => {
                let (head, text) = text.split_at(at + 1);
                fields.append(Value::text(head));
                text
            }
            _ => text,
        };
        let rest = match text.strip_prefix('~') {
            // A name that an expansion or a quote goes on with is none: `~$USER` stays as it is.
            Some(rest) if stands == Stands::Alone || stands == Stands::First && rest.contains('/') => {
                let (user, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                match user {
                    "" => fields.append(Value::text(self.whereabouts.home.as_str())),
                    "+" => {
                        let here = self.here("~+");
                        fields.append(here);
                    }
                    "-" => {
                        let there = self.variable("OLDPWD").cloned().unwrap_or_else(|| self.there("~-"));
                        fields.append(there);
                    }
                    user if user.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter)) => {
                        let home = if user == "root" { "/root".to_owned() } else { format!("/home/{user}") };
                        fields.append(Value::text(home));
                    }
                    _ => fields.append(Value::text(format!("~{user}"))),
                }
                after
            }
            _ => text,
        };
        match quoting {
            Quoting::Bare => {
                let value = with_globs(rest);
                self.step(value.size() / LETTERS);
                fields.append(value);
            }
            Quoting::Quoted => fields.append_text(rest),
        }
    }

    /// Puts the result of an expansion into the fields, split and globbed where the shell would.
    fn place_expansion(&mut self, value: Value, quoting: Quoting, fields: &mut Fields) {
        let separators = if quoting == Quoting::Bare { self.separators().len() } else { 0 };
        // Every letter is compared with every separator, of which there are three usually.
        self.step(1 + value.size().saturating_mul(1 + separators / 4) / LETTERS);
        if quoting == Quoting::Quoted {
            fields.append(value);
            return;
        }
        if self.fuel == 0 {
            self.spend_out(self.at);
            fields.push(Piece::from(Unknown { shown: "…".to_owned(), origins: Origins::NONE, splits: true }));
            return;
        }
        let separators = self.separators();
        let before = fields.done.len();
        for piece in value.pieces() {
            match piece {
                Piece::Text(text) => split(text, separators, fields),
                Piece::Glob(text) => fields.push(Piece::Glob(text.clone())),
                Piece::Unknown(unknown) => {
                    fields.push(Piece::from(Unknown { splits: true, ..Unknown::clone(unknown) }))
                }
            }
        }
        // However short a field is, it is made, copied and looked at.
        let made = fields.done.len() - before;
        self.step(made);
        if made > MAX_ARGUMENTS {
            self.spend_out(self.at);
            fields.done.truncate(before + MAX_ARGUMENTS);
            fields.push(Piece::from(Unknown { shown: "…".to_owned(), origins: Origins::NONE, splits: true }));
        }
    }

    pub(super) fn separators(&self) -> &str {
        let set = match self.state.variables.get("IFS") {
            Some(Variable::Scalar(values)) => values.first().and_then(Value::known),
            _ => None,
        };
        set.unwrap_or(" \t\n")
    }

    /// What a command substitution prints.
    pub(super) fn substitute(&mut self, substitution: &'a Substitution<'a>) -> Value {
        let outer = std::mem::replace(&mut self.captured, true);
        let reads = self.reads.mark();
        let feed = self.subshell(|shell| {
            shell.state.capture_output();
            // Bash does not stop at a failure in there, whatever it was told outside.
            shell.state.stops_at_failure = false;
            let taken = std::mem::take(&mut shell.state.taken);
            let feed = shell.hearing(|shell| shell.walk(substitution.script, Feed::none()));
            // What it has read of an input that it shares is gone for the others, and how much that is is not known.
            let read = std::mem::replace(&mut shell.state.taken, taken);
            for (descriptor, _) in read {
                shell.state.set_taken(descriptor, LOST);
            }
            feed
        });
        self.captured = outer;
        // It has ended before the redirections of the command around it are opened.
        self.reads.forget_since(reads);
        let feed = match feed.alternatives() {
            [] => feed,
            _ => self.settle(feed, &format!("$({})", substitution.span.start)),
        };
        feed.into_value("$(…)")
    }

    fn process_substitution(&mut self, kind: ProcessKind, inner: &'a Substitution<'a>) -> Value {
        let path = format!("/dev/fd/{}", 63 + self.state.written.len() + self.outlets.len());
        match kind {
            // It runs when it is known what flows into it.
            ProcessKind::Input => self.outlets.push(inner.script),
            ProcessKind::Output => {
                let feed = self.subshell(|shell| {
                    shell.state.capture_output();
                    shell.hearing(|shell| shell.walk(inner.script, Feed::none()))
                });
                let feed = if feed.is_none() { Feed::from(Origin::Program("a command".into())) } else { feed };
                self.state.written.insert(path.clone(), Written::Content(feed));
            }
        }
        Value::text(path)
    }

    /// Arithmetic evaluates the text of variables, and substitutions in their subscripts run: `x='a[$(cmd)]'; ((x))`.
    pub(super) fn run_subscripts(&mut self, expression: &Value, span: Span) {
        let shown = expression.shown();
        // Every name in it is looked up, whatever comes of that.
        self.step(1 + shown.len() / SIGNS);
        if self.fuel == 0 {
            return self.spend_out(self.at);
        }
        let words = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
        let apart = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
        let is_set = |name: &[u8]| {
            let name = str::from_utf8(name).unwrap_or_default();
            matches!(name, "_" | "BASH_REMATCH")
                || is_name(name) && self.state.variables.contains_key(self.referred(name))
        };
        // Most expressions have no subscript, and name nothing that the text has set.
        if !shown.contains('[') && !shown.as_bytes().split(apart).any(is_set) {
            return;
        }
        let mut texts = vec![shown.into_owned()];
        let mut names: HashSet<String> = HashSet::new();
        let mut at = 0;
        // The text of a variable may name other variables, whose texts are evaluated in turn.
        while let Some(text) = texts.get(at).cloned() {
            at += 1;
            self.step(1 + text.len() / SIGNS);
            for name in text.split(words) {
                if texts.len() > MAX_EVALUATED || !is_name(name) || names.contains(name) {
                    continue;
                }
                let name = self.referred(name).to_owned();
                match name.as_str() {
                    "_" => texts.extend(self.state.last.as_deref().and_then(Value::known).map(str::to_owned)),
                    "BASH_REMATCH" => texts.extend(self.matched_subscripts()),
                    _ => {}
                }
                if let Some(variable) = self.state.variables.get(&name) {
                    let held = variable.alternatives().into_iter().flat_map(|one| match one {
                        Variable::Scalar(values) => values,
                        other => other.elements(),
                    });
                    texts.extend(held.filter_map(|value| value.known().map(str::to_owned)));
                }
                names.insert(name);
            }
        }
        for text in texts.iter().filter(|text| text.contains('[') && (text.contains("$(") || text.contains('`'))) {
            self.run_text(&Arg::text(format!(": \"{text}\""), span), self.dialect, Feed::none());
        }
    }

    /// What a regular expression may have matched that has a substitution in a subscript: which of the texts that are
    /// written down it was is not followed.
    fn matched_subscripts(&self) -> Vec<String> {
        if !self.source.contains("=~") {
            return Vec::new();
        }
        let subscript = |line: &str| {
            let start = ["[$(", "[`"].iter().filter_map(|open| line.find(open)).min()?;
            let end = line.rfind(']').filter(|end| *end > start)?;
            Some(line.get(start..=end)?.replace(['\'', '"'], ""))
        };
        self.source.lines().filter_map(subscript).take(MAX_EVALUATED).collect()
    }

    /// The value of an arithmetic expression.
    pub(super) fn arithmetic(&mut self, parts: &'a [WordPart<'a>]) -> Value {
        let text = self.expand_value(parts);
        let is_set = |name: &str| self.state.variables.contains_key(name) || lookup::is_always_set(name);
        if text.known().is_some_and(|text| arithmetic::may_be_refused(text, &is_set)) {
            self.refused_expansion();
        }
        self.compute(&text, Span::default())
    }

    /// The shell refuses an expansion: it gives up the rest of the line, and goes on with the next one. What then counts is
    /// not followed.
    pub(super) fn refused_expansion(&mut self) {
        let span = self.blamed(self.at);
        self.findings.gap(Unread::BadExpansion, span);
    }

    /// The value of an arithmetic text.
    pub(super) fn compute(&mut self, text: &Value, span: Span) -> Value {
        self.run_subscripts(text, span);
        let shown = text.shown();
        self.step(shown.len() / EVALUATED);
        if shown.bytes().filter(|byte| matches!(byte, b'(' | b'[')).count() > MAX_BRACKETS {
            self.spend_out(self.at);
        }
        let number = text.known_with_globs().and_then(|text| self.number(&text));
        // What the expression assigns has some other value from now on.
        let assigned = arithmetic::assigned(&shown);
        self.step(assigned.len());
        for name in assigned {
            self.forget(&name);
        }
        match number {
            Some(number) => Value::text(number.to_string()),
            None => Value::unknown("$((…))", text.origins().cloned().collect::<Origins>()),
        }
    }

    /// The number that a text evaluates to; none if that is not known, or if it assigns something.
    pub(super) fn number(&self, text: &str) -> Option<i64> {
        arithmetic::evaluate(text, &|name| self.variable(name).and_then(Value::known)?.trim().parse().ok())
    }
}

/// Whether it could be the name of a variable.
fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Splits text into fields: white separators in any number part two fields, each other separator parts two by itself.
/// Behind one more than a command has arguments, nothing is split any more.
fn split(text: &str, separators: &str, fields: &mut Fields) {
    let is_white = |letter: char| letter.is_ascii_whitespace() && separators.contains(letter);
    let mut rest = text;
    let enough = fields.done.len() + MAX_ARGUMENTS;
    while !rest.is_empty() && fields.done.len() <= enough {
        let end = next_separator(rest, separators).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if !word.is_empty() {
            fields.append(with_globs(word));
        }
        let trimmed = after.trim_start_matches(is_white);
        let hard = trimmed.chars().next().filter(|letter| separators.contains(*letter));
        rest = match hard {
            Some(letter) => {
                fields.current.get_or_insert_default();
                trimmed.get(letter.len_utf8()..).unwrap_or_default().trim_start_matches(is_white)
            }
            None => trimmed,
        };
        if !after.is_empty() {
            fields.end_field();
        }
    }
}

/// Where the first separator stands. There are three of them nearly always.
fn next_separator(text: &str, separators: &str) -> Option<usize> {
    match separators.as_bytes() {
        [first, second, third] if separators.is_ascii() => memchr::memchr3(*first, *second, *third, text.as_bytes()),
        _ => text.find(|letter| separators.contains(letter)),
    }
}

/// Text with its glob characters alive.
pub(super) fn with_globs(text: &str) -> Value {
    if !text.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[')) {
        return Value::text(text);
    }
    let mut value = Value::default();
    let mut rest = text;
    // Behind a bracket that is never closed none is, and a long text of them is looked through once.
    let mut living: &[char] = &['*', '?', '['];
    while let Some(at) = rest.find(living) {
        let (before, from) = rest.split_at(at);
        value.push(Piece::text(before));
        let end = if from.starts_with('[') {
            match from.char_indices().skip(2).find(|(_, letter)| *letter == ']') {
                Some((close, _)) => close + 1,
                None => {
                    living = &['*', '?'];
                    rest = from;
                    continue;
                }
            }
        } else {
            from.find(|letter| letter != '*' && letter != '?').unwrap_or(from.len())
        };
        let (glob, after) = from.split_at(end);
        value.push(Piece::glob(glob));
        // It has more parts than are followed, and what comes behind them makes it no better known.
        if value.has_unknown() {
            return value;
        }
        rest = after;
    }
    value.push(Piece::text(rest));
    value
}
