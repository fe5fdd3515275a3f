//! Redirections.

use signoff_model::Dialect;

use super::cursor::{Class, begins_name, ends_word};
use super::parser::Parser;
use super::parts::Parts;
use super::tree::{Descriptor, HereDocument, Redirect, RedirectOperator, RedirectTarget, Word};
use super::word::Place;

/// The operators of bash, the longer before those they begin with.
const OPERATORS: [(&[u8], RedirectOperator); 12] = [
    (b"<<<", RedirectOperator::HereString),
    (b"<<-", RedirectOperator::HereDocument),
    (b"<<", RedirectOperator::HereDocument),
    (b"<>", RedirectOperator::ReadWrite),
    (b"<&", RedirectOperator::DuplicateInput),
    (b"<", RedirectOperator::Read),
    (b">>", RedirectOperator::Append),
    (b">|", RedirectOperator::Clobber),
    (b">&", RedirectOperator::DuplicateOutput),
    (b">", RedirectOperator::Write),
    (b"&>>", RedirectOperator::AppendBoth),
    (b"&>", RedirectOperator::WriteBoth),
];

impl<'t> Parser<'t> {
    /// A redirection. Nothing is consumed when none begins here.
    pub(super) fn redirect(&mut self) -> Option<Redirect<'t>> {
        // It is looked for before every word.
        if self.peek().is_some_and(|byte| Class::Redirect.holds(byte)) { self.redirect_here() } else { None }
    }

    fn redirect_here(&mut self) -> Option<Redirect<'t>> {
        let start = self.pos;
        let descriptor = match self.peek()? {
            b'<' | b'>' => None,
            b'&' if self.peek_after(1) == Some(b'>') => None,
            b'0'..=b'9' => Some(self.descriptor_number()?),
            b'{' => Some(self.descriptor_variable()?),
            _ => return None,
        };
        let substitution = matches!(self.peek(), Some(b'<' | b'>')) && self.peek_after(1) == Some(b'(');
        if substitution || self.at_numeric_glob() {
            self.go_to(start);
            return None;
        }
        let (text, operator) = OPERATORS.iter().find(|(text, _)| self.at(text))?;
        self.bump_by(text.len());
        if !self.spend(2) {
            return None;
        }
        if self.dialect == Dialect::Zsh && self.peek() == Some(b'(') {
            // In zsh `>>(…)` is `> >(…)`: what is in the brackets runs.
            self.unexpected();
        }
        if *operator == RedirectOperator::HereDocument {
            let target = self.begin_here_document(text.len() == 3, start);
            return Some(Redirect { descriptor, operator: *operator, target, span: self.span_from(start) });
        }
        let operator = if self.dialect == Dialect::Zsh { self.zsh_operator(*operator) } else { *operator };
        let word = match self.closing_dash(operator) {
            Some(word) => word,
            None => {
                self.skip_blanks();
                self.word(Place::Argument)
            }
        };
        if word.parts.is_empty() {
            self.unexpected();
        }
        Some(Redirect { descriptor, operator, target: RedirectTarget::Word(word), span: self.span_from(start) })
    }

    /// The `-` of `>&-` and `<&-`, which ends there in bash: in `>&-a` the command is `a`.
    fn closing_dash(&mut self, operator: RedirectOperator) -> Option<Word<'t>> {
        let duplicates = matches!(operator, RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput);
        if !duplicates || self.peek() != Some(b'-') || self.peek_after(1).is_none_or(ends_word) {
            return None;
        }
        if self.dialect != Dialect::Bash {
            // Other shells take what follows for the descriptor.
            self.unexpected();
        }
        let start = self.pos;
        let mut parts = Parts::new(self.arena);
        parts.literal("-");
        self.bump();
        Some(Word { parts: parts.finish(), span: self.span_from(start) })
    }

    /// In zsh `!` or `|` after an operator overwrites in spite of `noclobber`, and `>>&` appends both streams.
    fn zsh_operator(&mut self, operator: RedirectOperator) -> RedirectOperator {
        let mut operator = operator;
        if operator == RedirectOperator::Append && self.eat(b"&") {
            operator = RedirectOperator::AppendBoth;
        }
        let writes = matches!(
            operator,
            RedirectOperator::Write
                | RedirectOperator::Append
                | RedirectOperator::DuplicateOutput
                | RedirectOperator::WriteBoth
                | RedirectOperator::AppendBoth
        );
        if writes && (self.eat(b"!") || self.eat(b"|")) {
            return match operator {
                RedirectOperator::Write => RedirectOperator::Clobber,
                RedirectOperator::DuplicateOutput => RedirectOperator::WriteBoth,
                other => other,
            };
        }
        operator
    }

    /// A number right before `<` or `>`.
    fn descriptor_number(&mut self) -> Option<Descriptor<'t>> {
        let start = self.pos;
        let mut number = Some(0u32);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.and_then(|value| value.checked_mul(10)?.checked_add(u32::from(digit - b'0')));
            self.bump();
        }
        // In zsh only one digit is a descriptor; more of them are an argument.
        let too_long = self.dialect == Dialect::Zsh && self.pos > start + 1;
        match (self.peek(), number) {
            (Some(b'<' | b'>'), Some(number)) if !too_long => Some(Descriptor::Number(number)),
            _ => {
                self.go_to(start);
                None
            }
        }
    }

    /// `{name}` right before `<` or `>`.
    fn descriptor_variable(&mut self) -> Option<Descriptor<'t>> {
        let start = self.pos;
        self.bump();
        let name = if self.peek().is_some_and(begins_name) { self.take_name() } else { "" };
        if !name.is_empty() && self.eat(b"}") && matches!(self.peek(), Some(b'<' | b'>')) {
            return Some(Descriptor::Variable(name));
        }
        self.go_to(start);
        None
    }

    /// The operator `<<` was read: the delimiter comes next, the body after the end of the line.
    fn begin_here_document(&mut self, strip_tabs: bool, start: usize) -> RedirectTarget<'t> {
        self.skip_blanks();
        let delimiter = self.word(Place::Argument);
        if delimiter.parts.is_empty() {
            self.unexpected();
            let document = HereDocument::expected(false, self.span_from(start));
            return RedirectTarget::HereDocument(self.arena.node(document));
        }
        self.expect_here_document(&delimiter, strip_tabs, start)
    }
}
