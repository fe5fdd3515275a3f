//! Lists the simple commands of a tree, wherever they stand, as a reader of the text would: the words of each as they are
//! written, then what is nested in it.

use signoff_analysis::shell::syntax::tree::{
    ArrayElement, AssignedValue, Command, Compound, Index, Item, ParameterOperation, Redirect, RedirectTarget, Script,
    SimpleCommand, Word, WordPart,
};

/// The names of the simple commands in `script`, which was parsed from `text`.
pub(crate) fn names(script: &Script, text: &str) -> Vec<String> {
    commands(script, text).into_iter().filter_map(|words| words.into_iter().next()).collect()
}

/// The words of the simple commands in `script`, which was parsed from `text`.
pub(crate) fn commands(script: &Script, text: &str) -> Vec<Vec<String>> {
    let mut lister = Lister { text, commands: Vec::new() };
    lister.items(script.items);
    lister.commands
}

struct Lister<'a> {
    text: &'a str,
    commands: Vec<Vec<String>>,
}

impl Lister<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            for pipeline in std::iter::once(&item.list.first).chain(item.list.rest.iter().map(|(_, rest)| rest)) {
                for command in pipeline.commands {
                    self.command(command);
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => {
                self.compound(&compound.kind);
                self.redirects(compound.redirects);
            }
            Command::Function(function) => self.command(function.body),
            Command::Coproc { body, .. } => self.command(body),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        if !simple.words.is_empty() {
            let words = simple.words.iter().map(|word| word.span.of(self.text).unwrap_or("?").to_owned());
            self.commands.push(words.collect());
        }
        for assignment in simple.assignments {
            self.words(assignment.index.as_slice());
            match &assignment.value {
                AssignedValue::Scalar(word) => self.word(word),
                AssignedValue::Array(elements) => self.elements(elements),
            }
        }
        self.words(simple.words);
        self.redirects(simple.redirects);
    }

    fn compound(&mut self, compound: &Compound) {
        match compound {
            Compound::Group(items) | Compound::Subshell(items) => self.items(items),
            Compound::If { branches, otherwise } => {
                for (condition, body) in *branches {
                    self.items(condition);
                    self.items(body);
                }
                self.items(otherwise.as_deref().unwrap_or_default());
            }
            Compound::While { condition, body, .. } => {
                self.items(condition);
                self.items(body);
            }
            Compound::For { words, body, .. } => {
                self.words(words.as_deref().unwrap_or_default());
                self.items(body);
            }
            Compound::ArithmeticFor { header, body } => {
                self.parts(header);
                self.items(body);
            }
            Compound::Case { word, arms } => {
                self.word(word);
                for arm in *arms {
                    self.words(arm.patterns);
                    self.items(arm.body);
                }
            }
            Compound::Arithmetic(parts) => self.parts(parts),
            Compound::Test(words) => self.words(words),
        }
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            match &redirect.target {
                RedirectTarget::Word(word) => self.word(word),
                RedirectTarget::HereDocument(document) => self.parts(document.body()),
            }
        }
    }

    fn words(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.word(word));
    }

    fn word(&mut self, word: &Word) {
        self.parts(word.parts);
    }

    fn elements(&mut self, elements: &[ArrayElement]) {
        for element in elements {
            self.words(element.index.as_slice());
            self.word(&element.value);
        }
    }

    fn parts(&mut self, parts: &[WordPart]) {
        for part in parts {
            match part {
                WordPart::Literal(_) | WordPart::SingleQuoted(_) => {}
                WordPart::DoubleQuoted(inside) | WordPart::Arithmetic(inside) => self.parts(inside),
                WordPart::ExtendedGlob { inside, .. } => self.parts(inside),
                WordPart::Command(substitution) | WordPart::Process { inner: substitution, .. } => {
                    self.items(substitution.script.items);
                }
                WordPart::Array(elements) => self.elements(elements),
                WordPart::Parameter(parameter) => {
                    if let Some(Index::At(word)) = &parameter.index {
                        self.word(word);
                    }
                    self.operation(&parameter.operation);
                }
            }
        }
    }

    fn operation(&mut self, operation: &ParameterOperation) {
        use ParameterOperation as Op;
        match operation {
            Op::Value | Op::Length | Op::Transform(_) | Op::NamesWithPrefix => {}
            Op::Default { word, .. } | Op::Assign { word, .. } | Op::Require { word, .. } => self.word(word),
            Op::Alternate { word, .. } | Op::Other(word) => self.word(word),
            Op::RemovePrefix { pattern, .. } | Op::RemoveSuffix { pattern, .. } => self.word(pattern),
            Op::ChangeCase { pattern, .. } => self.word(pattern),
            Op::Replace { pattern, with, .. } => {
                self.word(pattern);
                self.word(with);
            }
            Op::Substring { offset, length } => {
                self.word(offset);
                length.iter().for_each(|length| self.word(length));
            }
        }
    }
}
