//! The commands in a text, as words: for rules that people write about commands. Nothing is judged here.
//!
//! Whoever permits by words must know that the words are all there is, so a command is plain only where nothing around it
//! could give it another meaning. Whoever forbids by words wants to hear of every command, so those inside substitutions and
//! behind `sudo` or `bash -c` are named as well, and what cannot be read is one command of unknown words.

use serde_json::Value;
use signoff_model::{Dialect, Invocation, Operation, Span};

use super::{
    families::git,
    invocation_words::{is_filter, writes_a_file, written},
    syntax::{
        self, Arena, Limits,
        tree::{
            ArrayElement, AssignedValue, Command, Compound, Index, Item, Parameter, ParameterOperation, Pipeline,
            Redirect, RedirectTarget, Script, SimpleCommand, Word, WordPart,
        },
    },
};
use crate::{disguise, tool::COMMANDS};

/// So many commands are named; whether there are more is then unknown.
const NAMED_AT_MOST: usize = 2048;

/// So deep texts in texts are read.
const TEXTS_DEEP: usize = 8;

/// So many bytes of texts are read in all: a text behind many wrappers is met once behind each of them.
const BYTES_READ: usize = 1 << 20;

/// So many words of a command may be where the command behind a wrapper begins.
const BEHIND_WRAPPER: usize = 24;

/// Programs that run the command which stands among their words.
const WRAPPERS: &[&str] = &[
    "sudo", "doas", "env", "nohup", "nice", "ionice", "time", "timeout", "command", "builtin", "exec", "xargs",
    "stdbuf", "setsid", "chroot", "flock", "watch", "find", "fd", "parallel", "ssh", "strace", "busybox", "script",
    "noglob", "chronic",
];

/// Shells, to which a text can be given with `-c`.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash"];

/// Programs that change what later words mean: names, options, what runs under a name, where output goes.
const REDEFINES: &[&str] = &[
    "alias",
    "unalias",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "eval",
    "source",
    ".",
    "set",
    "shopt",
    "setopt",
    "unsetopt",
    "trap",
    "hash",
    "enable",
    "disable",
    "unset",
    "exec",
    "read",
    "mapfile",
    "readarray",
    "printf",
    "getopts",
    "autoload",
    "zmodload",
    "emulate",
    "bind",
    "ulimit",
    "umask",
    "let",
];

/// Whether a command means what it says where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// Nothing around it matters.
    Clear,
    /// What it reads, prints or means depends on what is around it.
    Entangled,
}

/// Every command of an operation, at any depth.
pub(crate) fn of(operation: &Operation) -> Vec<Invocation> {
    let arena = Arena::new();
    let mut walk = Walk { arena: &arena, all: Vec::new(), blame: None, redefined: false, bytes_left: BYTES_READ };
    match operation {
        Operation::Shell(command) => {
            walk.text(&command.command, command.dialect, Around::Clear, TEXTS_DEEP);
            walk.redefined |= disguise::find(&command.command).next().is_some();
        }
        Operation::Tool(call) => {
            walk.blame = Some(Span::new(0, operation.text().len()));
            walk.arguments(&call.args, None, TEXTS_DEEP);
        }
        Operation::File(_) => {}
    }
    let Walk { mut all, redefined, .. } = walk;
    if redefined {
        all.iter_mut().for_each(|invocation| invocation.plain = false);
    }
    all
}

struct Walk<'t> {
    arena: &'t Arena,
    all: Vec<Invocation>,
    /// The part of the operation that brings what is read now, where that is a text of its own.
    blame: Option<Span>,
    /// Whether something in the text changes what other words mean.
    redefined: bool,
    /// How much may still be read.
    bytes_left: usize,
}

impl<'t> Walk<'t> {
    fn text(&mut self, text: &str, dialect: Dialect, around: Around, deep: usize) {
        let whole = Span::new(0, text.len());
        let Some(deep) = deep.checked_sub(1) else { return self.unknown(whole) };
        // Even an empty text is some work.
        let left = self.bytes_left.checked_sub(text.len().saturating_add(64));
        let Some(left) = left.filter(|_| !self.arena.is_full()) else {
            self.redefined = true;
            return self.unknown(whole);
        };
        self.bytes_left = left;
        let script = syntax::parse(self.arena.text(text), dialect, &Limits::default(), self.arena);
        // What was read of a text with errors may not be what a shell would read.
        if !script.errors.is_empty() {
            self.redefined = true;
            self.unknown(whole);
        }
        self.script(&script, dialect, around, deep);
    }

    /// A command of which nothing is known.
    fn unknown(&mut self, span: Span) {
        self.push(Invocation { argv: vec![None], span, plain: false });
    }

    fn push(&mut self, mut invocation: Invocation) {
        if let Some(blame) = self.blame {
            invocation.span = blame;
            invocation.plain = false;
        }
        match self.all.len().cmp(&NAMED_AT_MOST) {
            std::cmp::Ordering::Less => self.all.push(invocation),
            std::cmp::Ordering::Equal => {
                self.redefined = true;
                self.all.push(Invocation { argv: vec![None], span: invocation.span, plain: false });
            }
            std::cmp::Ordering::Greater => {}
        }
    }

    fn script(&mut self, script: &Script<'t>, dialect: Dialect, around: Around, deep: usize) {
        self.items(script.items, dialect, around, deep);
    }

    fn items(&mut self, items: &[Item<'t>], dialect: Dialect, around: Around, deep: usize) {
        for item in items {
            self.pipeline(&item.list.first, dialect, around, deep);
            for (_, pipeline) in item.list.rest {
                self.pipeline(pipeline, dialect, around, deep);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline<'t>, dialect: Dialect, around: Around, deep: usize) {
        let others_filter = |place: usize| {
            pipeline.commands.iter().enumerate().all(|(other, command)| other == place || is_filter(command))
        };
        for (place, command) in pipeline.commands.iter().enumerate() {
            let around = if others_filter(place) { around } else { Around::Entangled };
            self.command(command, dialect, around, deep);
        }
    }

    fn command(&mut self, command: &Command<'t>, dialect: Dialect, around: Around, deep: usize) {
        match command {
            Command::Simple(simple) => self.simple(simple, dialect, around, deep),
            Command::Compound(compound) => {
                let around = if compound.redirects.is_empty() { around } else { Around::Entangled };
                self.redirects(compound.redirects, dialect, deep);
                self.compound(&compound.kind, dialect, around, deep);
            }
            Command::Function(function) => {
                self.redefined = true;
                self.words(function.args, dialect, deep);
                self.command(function.body, dialect, Around::Entangled, deep);
            }
            Command::Coproc { body, .. } => {
                self.redefined = true;
                self.command(body, dialect, Around::Entangled, deep);
            }
        }
    }

    fn compound(&mut self, compound: &Compound<'t>, dialect: Dialect, around: Around, deep: usize) {
        match compound {
            Compound::Group(items) | Compound::Subshell(items) => self.items(items, dialect, around, deep),
            Compound::If { branches, otherwise } => {
                for (condition, body) in *branches {
                    self.items(condition, dialect, around, deep);
                    self.items(body, dialect, around, deep);
                }
                self.items(otherwise.unwrap_or_default(), dialect, around, deep);
            }
            Compound::While { condition, body, .. } => {
                self.items(condition, dialect, around, deep);
                self.items(body, dialect, around, deep);
            }
            Compound::For { words, body, .. } => {
                // The variable may be one that programs look at.
                self.redefined = true;
                self.words(words.unwrap_or_default(), dialect, deep);
                self.items(body, dialect, around, deep);
            }
            Compound::ArithmeticFor { header, body } => {
                self.redefined = true;
                self.parts(header, dialect, deep);
                self.items(body, dialect, around, deep);
            }
            Compound::Case { word, arms } => {
                self.word(word, dialect, deep);
                for arm in *arms {
                    self.words(arm.patterns, dialect, deep);
                    self.items(arm.body, dialect, around, deep);
                }
            }
            Compound::Arithmetic(parts) => {
                self.redefined = true;
                self.parts(parts, dialect, deep);
            }
            Compound::Test(words) => self.words(words, dialect, deep),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand<'t>, dialect: Dialect, around: Around, deep: usize) {
        for assignment in simple.assignments {
            if let Some(index) = &assignment.index {
                self.word(index, dialect, deep);
            }
            match &assignment.value {
                AssignedValue::Scalar(word) => self.word(word, dialect, deep),
                AssignedValue::Array(elements) => self.elements(elements, dialect, deep),
            }
        }
        self.redirects(simple.redirects, dialect, deep);
        self.words(simple.words, dialect, deep);
        self.redefined |= simple.words.is_empty() && !simple.assignments.is_empty();
        if simple.words.is_empty() {
            return;
        }
        let mut literal = simple.assignments.is_empty() && simple.redirects.is_empty();
        let mut argv = Vec::with_capacity(simple.words.len());
        for word in simple.words {
            let (text, is_literal) = written(word, dialect);
            literal &= is_literal;
            argv.push(text);
        }
        let program = argv.first().and_then(Option::as_deref).map(base_name);
        // A program that is not known may be one that redefines.
        self.redefined |= program.is_none_or(|program| REDEFINES.contains(&program));
        self.inside(&argv, simple.span, dialect, deep);
        self.push(Invocation { argv, span: simple.span, plain: literal && around == Around::Clear });
    }

    /// The commands that a command is told to run by its words.
    fn inside(&mut self, argv: &[Option<String>], span: Span, dialect: Dialect, deep: usize) {
        let Some(Some(program)) = argv.first() else { return };
        let program = base_name(program);
        self.without_globals(argv, span);
        if WRAPPERS.contains(&program) {
            for start in 1..argv.len().min(BEHIND_WRAPPER) {
                let behind = argv.get(start..).unwrap_or_default();
                let begins =
                    behind.first().is_some_and(|word| word.as_deref().is_none_or(|word| !word.starts_with('-')));
                if begins {
                    self.without_globals(behind, span);
                    self.push(Invocation { argv: behind.to_vec(), span, plain: false });
                    self.texts(behind, span, dialect, deep);
                }
            }
        }
        self.texts(argv, span, dialect, deep);
    }

    /// The same command without the options before its verb: whoever forbids `git push` means `git -C x push` as well.
    /// Whoever permits it does not, since such an option can give the verb another meaning; so this is never plain.
    fn without_globals(&mut self, argv: &[Option<String>], span: Span) {
        let Some((Some(program), rest)) = argv.split_first() else { return };
        if let Some(behind) = git::without_globals(base_name(program), rest).filter(|behind| behind.len() < rest.len())
        {
            let words = argv.iter().take(1).chain(behind).cloned();
            self.push(Invocation { argv: words.collect(), span, plain: false });
        }
    }

    /// The texts that a command hands to a shell.
    fn texts(&mut self, argv: &[Option<String>], span: Span, dialect: Dialect, deep: usize) {
        let Some((Some(program), rest)) = argv.split_first() else { return };
        let program = base_name(program);
        let text = if program == "eval" {
            let words: Option<Vec<&str>> = rest.iter().map(Option::as_deref).collect();
            Some(words.map(|words| words.join(" ")))
        } else if SHELLS.contains(&program) {
            let is_text = |word: &Option<String>| {
                word.as_deref()
                    .is_some_and(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))
            };
            let behind = rest.iter().position(is_text).and_then(|at| rest.get(at + 1..));
            let is_option = |word: &&Option<String>| word.as_deref().is_some_and(|word| word.starts_with(['-', '+']));
            behind.and_then(|behind| behind.iter().find(|word| !is_option(word))).cloned()
        } else {
            None
        };
        let blame = self.blame;
        self.blame = blame.or(Some(span));
        match text {
            None => {}
            Some(None) => self.unknown(span),
            Some(Some(text)) => self.text(&text, dialect, Around::Entangled, deep),
        }
        self.blame = blame;
    }

    fn redirects(&mut self, redirects: &[Redirect<'t>], dialect: Dialect, deep: usize) {
        for redirect in redirects {
            match &redirect.target {
                RedirectTarget::Word(word) => {
                    self.word(word, dialect, deep);
                    self.redefined |= writes_a_file(redirect.operator, word, dialect);
                }
                RedirectTarget::HereDocument(document) => self.parts(document.body(), dialect, deep),
            }
        }
    }

    fn words(&mut self, words: &[Word<'t>], dialect: Dialect, deep: usize) {
        words.iter().for_each(|word| self.word(word, dialect, deep));
    }

    fn word(&mut self, word: &Word<'t>, dialect: Dialect, deep: usize) {
        self.parts(word.parts, dialect, deep);
    }

    fn elements(&mut self, elements: &[ArrayElement<'t>], dialect: Dialect, deep: usize) {
        for element in elements {
            if let Some(index) = &element.index {
                self.word(index, dialect, deep);
            }
            self.word(&element.value, dialect, deep);
        }
    }

    fn parts(&mut self, parts: &[WordPart<'t>], dialect: Dialect, deep: usize) {
        for part in parts {
            match part {
                WordPart::Literal(_) | WordPart::SingleQuoted(_) => {}
                WordPart::DoubleQuoted(inner) | WordPart::Arithmetic(inner) => self.parts(inner, dialect, deep),
                WordPart::ExtendedGlob { inside, .. } => self.parts(inside, dialect, deep),
                WordPart::Array(elements) => self.elements(elements, dialect, deep),
                WordPart::Parameter(parameter) => self.parameter(parameter, dialect, deep),
                WordPart::Command(inner) | WordPart::Process { inner, .. } => {
                    self.script(inner.script, dialect, Around::Entangled, deep);
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter<'t>, dialect: Dialect, deep: usize) {
        match parameter.index {
            Some(Index::At(word)) => self.word(word, dialect, deep),
            Some(Index::All | Index::Joined) | None => {}
        }
        match parameter.operation {
            ParameterOperation::Value
            | ParameterOperation::Length
            | ParameterOperation::Transform(_)
            | ParameterOperation::NamesWithPrefix => {}
            ParameterOperation::Assign { word, .. } => {
                self.redefined = true;
                self.word(word, dialect, deep);
            }
            ParameterOperation::Default { word, .. }
            | ParameterOperation::Require { word, .. }
            | ParameterOperation::Alternate { word, .. }
            | ParameterOperation::RemovePrefix { pattern: word, .. }
            | ParameterOperation::RemoveSuffix { pattern: word, .. }
            | ParameterOperation::ChangeCase { pattern: word, .. }
            | ParameterOperation::Other(word) => self.word(word, dialect, deep),
            ParameterOperation::Replace { pattern, with, .. } => {
                self.word(pattern, dialect, deep);
                self.word(with, dialect, deep);
            }
            ParameterOperation::Substring { offset, length } => {
                self.word(offset, dialect, deep);
                if let Some(length) = length {
                    self.word(length, dialect, deep);
                }
            }
        }
    }

    /// The texts among the arguments of a tool that stand under a name for commands.
    fn arguments(&mut self, value: &Value, key: Option<&str>, deep: usize) {
        let Some(left) = deep.checked_sub(1) else { return self.unknown(Span::default()) };
        match value {
            Value::String(text) => {
                let plain = key.map(|key| key.to_ascii_lowercase().replace(['_', '-'], ""));
                if plain.is_some_and(|key| COMMANDS.contains(&key.as_str())) {
                    self.text(text, Dialect::Bash, Around::Entangled, TEXTS_DEEP);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self.arguments(value, key, left)),
            Value::Object(fields) => fields.iter().for_each(|(key, value)| self.arguments(value, Some(key), left)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
#[path = "invocations_tests.rs"]
mod tests;
