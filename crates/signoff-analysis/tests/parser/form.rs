//! A tree as one line of text, without the places where things stand. Two texts that a shell reads alike have the same
//! form, so a text can be compared with what a shell prints when it is asked how it has read that text.
//!
//! What shells change when they print is evened out here: `elif` is an `if` in the `else`, a missing `in` is `"$@"`,
//! `[[ a ]]` is `[[ -n a ]]`, and `a |& b` is `a 2>&1 | b`.

use signoff_analysis::shell::syntax::tree::{
    ArrayElement, AssignedValue, Assignment, Command, Compound, Index, Item, ParameterOperation, Pipeline, Redirect,
    RedirectOperator, RedirectTarget, Script, SimpleCommand, Substitution, Word, WordPart,
};

use signoff_model::Dialect;

/// The form of a script.
pub(crate) fn of(script: &Script) -> String {
    let mut form = Form::default();
    form.items(script.items);
    form.text
}

/// Whether the shell would print the script so that it can be read again. Heredocs are not printed well: by bash 5.2
/// those inside substitutions, by zsh 5.9 all that have another redirection beside them.
pub(crate) fn is_printed_well(script: &Script, dialect: Dialect) -> bool {
    let mut form = Form::default();
    form.items(script.items);
    if dialect == Dialect::Zsh { !form.here_document } else { !form.inner_here_document }
}

#[derive(Default)]
struct Form {
    text: String,
    /// How many substitutions are around.
    substitutions: usize,
    here_document: bool,
    inner_here_document: bool,
}

impl Form {
    fn add(&mut self, piece: &str) {
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
        self.text.push_str(piece);
    }

    fn within(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.add(name);
        self.text.push('(');
        inside(self);
        self.text.push(')');
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.pipeline(&item.list.first);
            for (connector, pipeline) in item.list.rest {
                self.add(&format!("{connector:?}"));
                self.pipeline(pipeline);
            }
            self.add(if item.background { "&" } else { ";" });
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if pipeline.timed {
            self.add("time");
        }
        if pipeline.negated {
            self.add("!");
        }
        for (at, command) in pipeline.commands.iter().enumerate() {
            if at > 0 {
                self.add("|");
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple, 0),
            Command::Compound(compound) => {
                self.compound(&compound.kind);
                self.redirects(compound.redirects);
            }
            Command::Function(function) => {
                // Shells print a group around any other body.
                let group =
                    matches!(function.body, Command::Compound(compound) if matches!(compound.kind, Compound::Group(_)));
                self.within(&format!("function {:?}", function.name), |form| {
                    if group {
                        form.command(function.body);
                    } else {
                        form.within("group", |form| {
                            form.command(function.body);
                            form.add(";");
                        });
                    }
                });
            }
            Command::Coproc { name, body, .. } => {
                let name = name.unwrap_or("COPROC");
                self.within(&format!("coproc {name}"), |form| match body {
                    // Bash prints the name that it gives to a coprocess without one, before a simple command too.
                    Command::Simple(simple) => {
                        let named = simple.words.first().is_some_and(|word| is_literal(word, |text| text == "COPROC"));
                        form.simple(simple, usize::from(named));
                    }
                    other => form.command(other),
                });
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand, skipped: usize) {
        self.within("run", |form| {
            simple.assignments.iter().for_each(|assignment| form.assignment(assignment));
            simple.words.iter().skip(skipped).for_each(|word| form.word(word));
            form.redirects(simple.redirects);
        });
    }

    fn assignment(&mut self, assignment: &Assignment) {
        let append = if assignment.append { "+" } else { "" };
        self.within(&format!("{}{append}=", assignment.name), |form| {
            form.words("index", assignment.index.as_slice());
            match &assignment.value {
                AssignedValue::Scalar(word) => form.word(word),
                AssignedValue::Array(elements) => form.elements(elements),
            }
        });
    }

    fn compound(&mut self, compound: &Compound) {
        match compound {
            Compound::Group(items) => self.within("group", |form| form.items(items)),
            Compound::Subshell(items) => self.within("subshell", |form| form.items(items)),
            Compound::If { branches, otherwise } => self.branches(branches, otherwise.as_deref()),
            Compound::While { until, condition, body } => {
                self.within(if *until { "until" } else { "while" }, |form| {
                    form.items(condition);
                    form.add("do");
                    form.items(body);
                });
            }
            Compound::For { select, names, words, body } => {
                let head = if *select { "select" } else { "for" };
                self.within(&format!("{head} {}", names.join(",")), |form| {
                    match words {
                        Some(words) => form.words("in", words),
                        None => form.within("in", |form| form.add("word(\"(${@}))")),
                    }
                    form.add("do");
                    form.items(body);
                });
            }
            Compound::ArithmeticFor { header, body } => self.within("for", |form| {
                // Bash prints 1 for an expression that is missing, and puts blanks between them.
                form.parts(&expansions(header));
                form.add("do");
                form.items(body);
            }),
            Compound::Case { word, arms } => self.within("case", |form| {
                form.word(word);
                for arm in *arms {
                    form.words("arm", arm.patterns);
                    form.items(arm.body);
                    form.add(if arm.falls_through { ";&" } else { ";;" });
                }
            }),
            Compound::Arithmetic(parts) => self.within("count", |form| form.parts(&expansions(parts))),
            Compound::Test(words) => self.within("test", |form| {
                // zsh prints only the brackets that are needed.
                let changed = |word: &&Word| is_literal(word, |text| matches!(text, "-n" | "(" | ")"));
                words.iter().filter(|word| !changed(word)).for_each(|word| form.word(word));
            }),
        }
    }

    fn branches(&mut self, branches: &[(&[Item], &[Item])], otherwise: Option<&[Item]>) {
        let Some(((condition, body), rest)) = branches.split_first() else { return };
        self.within("if", |form| {
            form.items(condition);
            form.add("then");
            form.items(body);
            if !rest.is_empty() {
                form.add("else");
                form.branches(rest, otherwise);
                form.add(";");
            } else if let Some(otherwise) = otherwise {
                form.add("else");
                form.items(otherwise);
            }
        });
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            match &redirect.target {
                // What `|&` stands for.
                RedirectTarget::Word(word)
                    if redirect.operator == RedirectOperator::DuplicateOutput
                        && is_literal(word, |text| text == "1") => {}
                // `<&-` and `>&-` are one to bash.
                RedirectTarget::Word(word) if is_literal(word, |text| text == "-") => self.add("close"),
                RedirectTarget::Word(word) => self.within(&format!("{:?}", redirect.operator), |form| form.word(word)),
                RedirectTarget::HereDocument(document) => {
                    self.here_document = true;
                    self.inner_here_document |= self.substitutions > 0;
                    self.within(if document.quoted { "<<''" } else { "<<" }, |form| form.parts(document.body()));
                }
            }
        }
    }

    fn words(&mut self, name: &str, words: &[Word]) {
        if !words.is_empty() {
            self.within(name, |form| words.iter().for_each(|word| form.word(word)));
        }
    }

    fn word(&mut self, word: &Word) {
        self.within("word", |form| form.parts(word.parts));
    }

    fn elements(&mut self, elements: &[ArrayElement]) {
        self.within("array", |form| {
            for element in elements {
                form.words("index", element.index.as_slice());
                form.word(&element.value);
            }
        });
    }

    fn parts(&mut self, parts: &[WordPart]) {
        for part in parts {
            match part {
                WordPart::Literal(text) => self.add(&format!("{text:?}")),
                WordPart::SingleQuoted(text) => self.add(&format!("'{text:?}")),
                WordPart::DoubleQuoted(inside) => self.within("\"", |form| form.parts(inside)),
                WordPart::Arithmetic(inside) => self.within("$((", |form| form.parts(inside)),
                WordPart::ExtendedGlob { operator, inside } => {
                    self.within(&format!("glob{operator}"), |form| form.parts(inside));
                }
                WordPart::Command(inner) => self.substitution("$", inner),
                WordPart::Process { kind, inner } => self.substitution(&format!("{kind:?}"), inner),
                WordPart::Array(elements) => self.elements(elements),
                WordPart::Parameter(parameter) => {
                    self.add("${");
                    self.text.push_str(if parameter.indirect { "!" } else { "" });
                    self.text.push_str(parameter.name);
                    match &parameter.index {
                        Some(Index::At(word)) => self.words("index", std::slice::from_ref(word)),
                        Some(index) => self.add(&format!("{index:?}")),
                        None => {}
                    }
                    self.operation(&parameter.operation);
                    self.text.push('}');
                }
            }
        }
    }

    fn substitution(&mut self, name: &str, inner: &Substitution) {
        self.substitutions += 1;
        self.within(name, |form| form.items(inner.script.items));
        self.substitutions -= 1;
    }

    fn operation(&mut self, operation: &ParameterOperation) {
        use ParameterOperation as Op;
        match operation {
            Op::Value => {}
            Op::Length => self.add("length"),
            Op::NamesWithPrefix => self.add("names"),
            Op::Transform(letter) => self.add(&format!("@{letter}")),
            Op::Default { or_empty, word } => self.with("-", *or_empty, &[word]),
            Op::Assign { or_empty, word } => self.with("=", *or_empty, &[word]),
            Op::Require { or_empty, word } => self.with("?", *or_empty, &[word]),
            Op::Alternate { or_empty, word } => self.with("+", *or_empty, &[word]),
            Op::RemovePrefix { longest, pattern } => self.with("#", *longest, &[pattern]),
            Op::RemoveSuffix { longest, pattern } => self.with("%", *longest, &[pattern]),
            Op::Replace { which, pattern, with } => self.with(&format!("{which:?}"), false, &[pattern, with]),
            Op::Substring { offset, length } => {
                self.with("from", false, &[offset]);
                self.with("length", false, &length.iter().copied().collect::<Vec<_>>());
            }
            Op::ChangeCase { upper, all, pattern } => self.with(if *upper { "^" } else { "," }, *all, &[pattern]),
            Op::Other(word) => self.with("other", false, &[word]),
        }
    }

    fn with(&mut self, name: &str, doubled: bool, words: &[&Word]) {
        self.within(&format!("{name}{}", if doubled { "2" } else { "" }), |form| {
            words.iter().for_each(|word| form.word(word));
        });
    }
}

fn is_literal(word: &Word, is: impl Fn(&str) -> bool) -> bool {
    matches!(word.parts, [WordPart::Literal(text)] if is(text))
}

/// Arithmetic without its plain text, whose blanks shells change.
fn expansions<'t>(parts: &[WordPart<'t>]) -> Vec<WordPart<'t>> {
    parts.iter().filter(|part| !matches!(part, WordPart::Literal(_))).copied().collect()
}
