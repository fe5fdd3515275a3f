//! Reading code: statements and expressions in the order of the text, every call on the way.
//!
//! It is no parser of any of the languages: it follows what they have in common, evaluates what is literal, and steps
//! over what it does not know, so that no call is lost. Branches and bodies of functions count as run.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use signoff_model::Span;

use super::{
    changes::Receiver,
    lexer::{Flavour, Part, Token, Tokens, lex},
    line_ends, programs,
    readings::Readings,
    structure::Structure,
    thing::{Args, Thing},
};
use crate::{
    shell::{Language, Shell},
    value::{Feed, Origin, Origins, Value},
};

/// Deeper nesting is not read.
const MAX_DEPTH: usize = 48;
/// The work for each byte of the text, against texts made to take long.
const STEPS_PER_BYTE: usize = 4;
/// A reading goes over parts of the text again for the elements of lists, so many of them in all.
const REPEATS: usize = 512;
/// So many tokens are found with the work of one step.
const TOKENS_PER_STEP: usize = 4;
/// Longer texts are not read.
const LONGEST: usize = super::LONGEST_SCRIPT;

/// What has been seen in the text as a whole, for what only shows in combination.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// A connection to another machine is opened; the address if it is known.
    pub(super) connects: Option<String>,
    /// A secret is read.
    pub(super) secret: Option<String>,
    /// A port is opened for others.
    pub(super) listens: bool,
    /// A connection or a terminal becomes the input and output of a program.
    pub(super) hands_over: bool,
    /// A text or a program that is not known runs.
    pub(super) runs_unknown: bool,
    /// A shell is started that reads commands.
    pub(super) opens_shell: bool,
    /// New processes are forked.
    pub(super) forks: bool,
    /// There is a loop without end.
    pub(super) endless: bool,
    /// Something waits: for a client, a child, or time.
    pub(super) waits: bool,
    /// A stretch of the text was not read: it is too large, too deep or too much work, or its quotes do not match. What
    /// it holds may be anything, whatever its words are.
    pub(super) unread: bool,
    /// Whatever a walk over a tree comes to is deleted, before it is said which tree that is.
    pub(super) deletes_each: bool,
    /// The top of a tree that is walked over.
    pub(super) walked: Option<Thing>,
    /// What a walk comes to is overwritten or removed, below this directory.
    pub(super) ruins: Option<String>,
    /// A condition chooses among what the walk comes to.
    pub(super) chosen: bool,
    /// What a person types is recorded.
    pub(super) keys: bool,
    /// Something goes to another machine, which this is.
    pub(super) sent: Option<String>,
    /// In Perl: the environment is named as a whole.
    pub(super) every_variable: bool,
    /// Something is typed into the programs that are started.
    pub(super) answers: bool,
}

/// What the code prints.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The text, while it is certain.
    text: String,
    /// Where the rest comes from.
    origins: Origins,
    printed: bool,
    uncertain: bool,
}

/// What ends the body of a loop or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    /// A line that is indented less.
    Lines,
    /// A closing brace.
    Braces,
    /// The word `end`.
    Words,
}

impl Blocks {
    fn of(language: Language) -> Self {
        match language {
            Language::Python => Self::Lines,
            Language::Ruby | Language::Lua | Language::Other => Self::Words,
            _ => Self::Braces,
        }
    }
}

/// The code of one text, and where the reading stands.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) tokens: Rc<[Token]>,
    /// For an opening bracket the index of its partner.
    partners: Rc<[u32]>,
    /// The first token of each line, and how far the line is indented.
    pub(super) lines: Rc<[(usize, usize)]>,
    /// What ends a block.
    pub(super) blocks: Blocks,
    /// Where lists of targets lead to the sign that sets them; found when it is first asked.
    pub(super) targets: Rc<OnceCell<Box<[bool]>>>,
    pub(super) at: usize,
    /// Inside round or square brackets the end of a line means nothing.
    pub(super) grouped: bool,
}

/// Reads code.
pub(super) struct Reader<'r, 'a> {
    pub(super) shell: &'r mut Shell<'a>,
    pub(super) language: Language,
    pub(super) flavour: Flavour,
    /// The part of the input that is to blame.
    pub(super) span: Span,
    pub(super) stdin: &'r Feed,
    pub(super) frame: Frame,
    pub(super) depth: usize,
    pub(super) steps: usize,
    /// How many steps were taken.
    pub(super) taken: usize,
    /// How many times a part may be read again.
    repeats: usize,
    pub(super) variables: HashMap<String, Thing>,
    /// Functions that the text defines itself.
    pub(super) own: HashSet<String>,
    /// The modules whose functions go by their names alone: `from os import *`, `with (fs) { … }`.
    pub(super) stars: Vec<String>,
    /// The classes among them.
    pub(super) classes: HashSet<String>,
    pub(super) seen: Seen,
    pub(super) output: Output,
    /// Whether what follows runs exactly once.
    pub(super) straight: bool,
    /// In Perl: the file that the statement at hand prints to.
    pub(super) handle: Option<Value>,
    /// In awk: the line at hand, if the code itself has read it.
    pub(super) line: Option<Thing>,
    /// In awk: whether a statement prints, so that a greater-than sign behind it writes a file.
    pub(super) printing: bool,
    /// The path about which the code last asked whether it exists.
    pub(super) checked: Option<Value>,
    /// A path that does not exist where the reading stands.
    pub(super) absent: Option<Value>,
    /// What the parameter of the next block or lambda stands for.
    pub(super) element: Option<Thing>,
    /// What the next step of the chain at hand is about.
    pub(super) receiver: Receiver,
    /// What the text is read several times for.
    pub(super) readings: Readings,
    /// The full name of the operand that was read last, if it is one that can be set, and where it ends.
    pub(super) target: Option<(String, usize)>,
    /// The variable that the operand began with which was read last, if more stood behind it, and where that ends.
    pub(super) root: Option<(String, usize)>,
    /// Where the statement at hand begins.
    pub(super) statement_at: usize,
    /// In a text within the text: where that stands.
    pub(super) around: Option<usize>,
}

impl Frame {
    /// The beginning of a text.
    pub(super) fn of(tokens: Tokens, language: Language) -> Self {
        Self {
            partners: partners(&tokens.all),
            lines: tokens.lines.into(),
            blocks: Blocks::of(language),
            tokens: tokens.all.into(),
            targets: Rc::default(),
            at: 0,
            grouped: false,
        }
    }

    /// The index of the bracket that closes the one at this index; the end of the text if none does.
    pub(super) fn partner_of(&self, index: usize) -> usize {
        self.partners.get(index).map_or(self.tokens.len(), |partner| *partner as usize)
    }
}

impl<'r, 'a> Reader<'r, 'a> {
    /// A reader for a text.
    pub(super) fn new(shell: &'r mut Shell<'a>, language: Language, span: Span, stdin: &'r Feed) -> Self {
        Self {
            shell,
            language,
            flavour: Flavour::of(language),
            span,
            stdin,
            frame: Frame::of(Tokens::default(), language),
            depth: 0,
            steps: 0,
            taken: 0,
            repeats: REPEATS,
            variables: HashMap::new(),
            own: HashSet::new(),
            classes: HashSet::new(),
            stars: Vec::new(),
            seen: Seen::default(),
            output: Output::default(),
            straight: true,
            printing: false,
            line: None,
            handle: None,
            element: None,
            receiver: Receiver::Other,
            readings: Readings::default(),
            target: None,
            root: None,
            statement_at: 0,
            around: None,
            checked: None,
            absent: None,
        }
    }

    /// Reads a whole text: the code itself, or a text inside it that runs as code.
    pub(super) fn run(&mut self, code: &str) -> Thing {
        if self.depth >= MAX_DEPTH || code.len() > LONGEST {
            self.seen.unread = true;
            return Thing::unknown();
        }
        let (frame, confused) = match self.readings.whole.clone().filter(|_| self.depth == 0) {
            Some(whole) => whole,
            None => {
                let tokens = lex(&line_ends::unified(self.language, code), self.language);
                let confused = tokens.confused;
                self.taken += tokens.all.len() / TOKENS_PER_STEP;
                (Frame::of(tokens, self.language), confused)
            }
        };
        self.seen.unread |= confused;
        if self.depth == 0 {
            self.steps = code.len() * STEPS_PER_BYTE + 1000;
            self.seen.answers = programs::types_answers(&frame.tokens);
            // Behind a function, the lexer takes the sigil for a sign.
            let all = |name: &str| matches!(name, "%ENV" | "ENV") && self.language == Language::Perl;
            self.seen.every_variable = frame.tokens.iter().any(|token| matches!(token, Token::Name(name) if all(name)));
            // Every reading finds the same tokens.
            self.readings.whole.get_or_insert_with(|| (frame.clone(), confused));
        }
        self.find_own(&frame.tokens);
        let outer = std::mem::replace(&mut self.frame, frame);
        let (around, statement_at) = (self.around, self.statement_at);
        if self.depth == 0 {
            self.readings.held.begin(|| Structure::of(&self.frame, self.language));
        } else {
            self.around.get_or_insert(outer.at.saturating_sub(1));
        }
        self.depth += 1;
        let mut last = Thing::unknown();
        while self.frame.at < self.frame.tokens.len() {
            match self.peek() {
                Some(Token::End | Token::Close(_) | Token::Sign(",")) => self.frame.at += 1,
                _ => last = self.statement(),
            }
        }
        self.depth -= 1;
        self.frame = outer;
        (self.around, self.statement_at) = (around, statement_at);
        last
    }

    /// The names of the functions that the text defines: calling them needs no other judgement than their bodies.
    fn find_own(&mut self, tokens: &[Token]) {
        for pair in tokens.windows(2) {
            if let [Token::Name(keyword), Token::Name(name)] = pair
                && matches!(&**keyword, "def" | "function" | "sub" | "func" | "fun" | "fn" | "class" | "defp")
            {
                self.own.insert(name.to_string());
                if &**keyword == "class" {
                    self.classes.insert(name.to_string());
                }
            }
        }
        for four in tokens.windows(4).filter(|_| self.language == Language::Ruby) {
            if let [Token::Name(keyword), Token::Name(class), Token::Sign("."), Token::Name(name)] = four
                && (&**keyword, &**class) == ("def", "self")
            {
                self.own.insert(name.to_string());
            }
        }
        for four in tokens.windows(4).filter(|_| self.language == Language::JavaScript) {
            if let [Token::Name(name), Token::Sign("="), Token::Name(_), Token::Sign("=>")] = four {
                self.own.insert(name.to_string());
            }
        }
        for three in tokens.windows(3) {
            if let [Token::Name(name), Token::Sign("="), Token::Name(keyword)] = three
                && matches!(&**keyword, "lambda" | "function" | "async")
            {
                self.own.insert(name.to_string());
            } else if let [Token::Name(name), Token::Sign("="), Token::Open('(')] = three
                && self.language == Language::JavaScript
            {
                self.own.insert(name.to_string());
            }
        }
    }

    /// The first quoted text of the code that is such a name.
    pub(super) fn names_in_texts(&self, is_name: fn(&str) -> bool) -> Option<String> {
        self.frame.tokens.iter().find_map(|token| match token {
            Token::Text(parts) => parts.iter().find_map(|part| match part {
                Part::Text(text) if is_name(text) => Some(text.clone()),
                Part::Text(_) | Part::Code(_) => None,
            }),
            _ => None,
        })
    }

    // ---- tokens ----

    pub(super) fn peek(&self) -> Option<&Token> {
        self.frame.tokens.get(self.frame.at)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<&Token> {
        self.frame.tokens.get(self.frame.at + offset)
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    pub(super) fn is_open(&self, mark: char) -> bool {
        matches!(self.peek(), Some(Token::Open(found)) if *found == mark)
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(found)) if **found == *name)
    }

    /// Takes the sign, if it is the next token.
    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.frame.at += usize::from(found);
        found
    }

    /// Takes the name, if it is the next token.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        self.frame.at += usize::from(found);
        found
    }

    /// Takes any name, if one is next.
    pub(super) fn take_any_name(&mut self) -> Option<String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.to_string();
                self.frame.at += 1;
                Some(name)
            }
            _ => None,
        }
    }

    pub(super) fn skip_ends(&mut self) {
        while matches!(self.peek(), Some(Token::End)) {
            self.frame.at += 1;
        }
    }

    /// The index of the bracket that closes the one at this index; the end of the text if none does.
    pub(super) fn partner(&self, index: usize) -> usize {
        self.frame.partner_of(index)
    }

    /// The token behind the bracket that closes the one at the current position.
    pub(super) fn behind_partner(&self) -> Option<&Token> {
        self.frame.tokens.get(self.partner(self.frame.at) + 1)
    }

    /// Takes one step of the work that is left.
    pub(super) fn may_step(&mut self) -> bool {
        // When the shell has no work left, nothing that the code runs is looked at any more.
        if self.steps == 0 || self.shell.is_spent() {
            self.seen.unread = true;
            self.frame.at = self.frame.tokens.len();
            return false;
        }
        self.steps -= 1;
        self.taken += 1;
        true
    }

    /// Whether there is work left to read a part again; what is read again is paid from a purse of its own.
    pub(super) fn may_repeat(&mut self) -> bool {
        if self.repeats == 0 {
            return false;
        }
        self.repeats -= 1;
        self.steps += 32;
        true
    }

    /// Runs `body` one level deeper; too deep, the bracket at the current position is stepped over.
    pub(super) fn deeper(&mut self, body: impl FnOnce(&mut Self) -> Thing) -> Thing {
        if self.depth >= MAX_DEPTH {
            self.seen.unread = true;
            let partner = self.partner(self.frame.at);
            self.frame.at = if matches!(self.peek(), Some(Token::Open(_))) { partner + 1 } else { self.frame.at + 1 };
            return Thing::unknown();
        }
        self.depth += 1;
        let thing = body(self);
        self.depth -= 1;
        thing
    }

    // ---- texts ----

    /// The value of a quoted text: what is put in is evaluated.
    pub(super) fn text_of(&mut self, parts: &[Part]) -> Thing {
        let mut all = Thing::text("");
        for part in parts {
            let piece = match part {
                Part::Text(text) => Thing::text(text.clone()),
                Part::Code(code) => self.run(code),
            };
            all = all.joined(&piece);
        }
        all
    }

    // ---- output ----

    /// Something is printed.
    pub(super) fn print(&mut self, things: &[Thing], between: &str, end: &str) {
        self.output.printed = true;
        for (index, thing) in things.iter().enumerate() {
            let value = thing.value();
            match value.known() {
                Some(known) if self.straight && self.output.text.len() + known.len() < LONGEST => {
                    if index > 0 {
                        self.output.text.push_str(between);
                    }
                    self.output.text.push_str(known);
                }
                _ => self.output.uncertain = true,
            }
            for origin in thing.origins() {
                self.output.origins.add(origin);
            }
        }
        self.output.text.push_str(end);
    }

    /// What flows out.
    pub(super) fn take_output(&mut self, program: &str) -> Feed {
        let output = std::mem::take(&mut self.output);
        if output.printed && !output.uncertain && output.origins.is_empty() {
            return Feed::of(Value::text(output.text));
        }
        let mut origins = output.origins;
        if origins.is_empty() {
            origins.add(Origin::Program(program.into()));
        }
        // What is printed of an entry of a list, or beside it, may be anything.
        origins.blurred_by(Origin::Program(program.into()));
        Feed::from_all(origins)
    }

    /// A call without a judgement of its own.
    pub(super) fn unfollowed(&self, of: &str, args: &Args) -> Thing {
        let kept = of.char_indices().nth(160).map_or(of, |(at, _)| of.get(..at).unwrap_or(of));
        let last = of.rsplit('.').next().unwrap_or(of);
        // A function that gets the environment, or a setting from it, works with it; its result is no copy of it. Only
        // those that merely write a value in another form pass it on.
        let uses = |origin: &Origin| {
            matches!(origin, Origin::Variable(_)) || origin.secret() == Some(super::thing::ENVIRONMENT)
        };
        let keeps = super::lexicon::rewrites(last);
        // What is only said about a function cannot be called.
        let describes = super::lexicon::only_looks(last) && !matches!(last, "vars" | "type" | "getmembers");
        let stays =
            |origin: &Origin| (keeps || !uses(origin)) && !(describes && matches!(origin, Origin::Dangerous(_)));
        Thing::result(kept, args.origins().into_iter().filter(stays).collect::<Origins>())
    }
}

/// The partner of every opening bracket.
fn partners(tokens: &[Token]) -> Rc<[u32]> {
    let mut all = vec![u32::try_from(tokens.len()).unwrap_or(u32::MAX); tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => open.push(index),
            Token::Close(_) => {
                if let Some(opening) = open.pop()
                    && let Some(partner) = all.get_mut(opening)
                {
                    *partner = u32::try_from(index).unwrap_or(u32::MAX);
                }
            }
            _ => {}
        }
    }
    all.into()
}
