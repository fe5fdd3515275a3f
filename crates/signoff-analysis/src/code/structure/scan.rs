//! Looking through the tokens of a text for blocks: what the three ways to write them have in common.

use super::{Block, Kind, Structure};
use crate::{
    code::{
        expressions::BRANCHES,
        extents::declares,
        lexer::Token,
        reader::{Blocks, Frame},
    },
    shell::Language,
};
use std::collections::{BTreeMap, HashSet};

/// Between a head and its body stand at most this many tokens.
pub(super) const LONGEST_HEAD: usize = 64;

/// Whether what stands around a token may be left out, or be a text that runs.
fn is_uncertain(token: &Token) -> bool {
    match token {
        Token::Sign("&&" | "||" | "?" | "??") | Token::Replacement(_) => true,
        Token::Name(word) => {
            BRANCHES.contains(&&**word)
                || matches!(&**word, "and" | "or" | "eval" | "exec" | "Function" | "load" | "loadstring")
                || word.ends_with("_eval")
        }
        _ => false,
    }
}

/// Whether a token may open a block, or make it uncertain whether, how often or when something runs. Only a text without
/// any such token is plain for certain.
pub(super) fn may_open(token: &Token, blocks: Blocks) -> bool {
    match token {
        Token::Open('{') => blocks != Blocks::Lines,
        Token::Sign("=>" | "->") => true,
        Token::Name(word) => {
            is_uncertain(token)
                || matches!(
                    &**word,
                    "def"
                        | "class"
                        | "module"
                        | "lambda"
                        | "function"
                        | "sub"
                        | "func"
                        | "fn"
                        | "fun"
                        | "try"
                        | "finally"
                        | "do"
                        | "begin"
                        | "BEGIN"
                        | "END"
                        | "select"
                        | "end"
                        | "then"
                        | "cond"
                        | "receive"
                        | "defp"
                        | "macro"
                        | "struct"
                        | "quote"
                        | "ensure"
                        | "after"
                )
        }
        token => is_uncertain(token),
    }
}

/// The opening bracket of every closing one.
fn closers(frame: &Frame) -> Vec<u32> {
    let mut all = vec![0; frame.tokens.len()];
    for (at, token) in frame.tokens.iter().enumerate() {
        if matches!(token, Token::Open(_))
            && let Some(slot) = all.get_mut(frame.partner_of(at))
        {
            *slot = u32::try_from(at).unwrap_or(u32::MAX);
        }
    }
    all
}

/// What ends a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// A line that is indented no more than this.
    Line(usize),
    /// The end of a statement with as many brackets around it.
    Statement,
    /// The same, or a comma.
    Comma,
    /// The word `end`.
    Word,
    /// The word `until`.
    Until,
}

#[derive(Debug)]
pub(super) struct Open {
    pub(super) kind: Option<Kind>,
    pub(super) from: usize,
    pub(super) ends: Ends,
    /// How many brackets were open.
    pub(super) level: usize,
    /// Where the arm of a branch begins, if it has several.
    pub(super) arm: usize,
    /// Where the statement begins that is all of the body.
    pub(super) body: usize,
}

/// What a name is declared for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    Block,
    Function,
    /// It is that of what stands around the function.
    Outside,
    /// It is that of the whole text.
    Whole,
}

pub(super) struct Scan<'f> {
    pub(super) frame: &'f Frame,
    pub(super) language: Language,
    pub(super) found: Vec<(usize, usize, Kind)>,
    pub(super) open: Vec<Open>,
    /// Where variables are declared, and for how much of the text.
    pub(super) names: Vec<(usize, Box<str>, For)>,
    pub(super) closers: Vec<u32>,
    /// Brackets whose block is known already.
    pub(super) taken: HashSet<usize>,
    pub(super) confused: bool,
    /// So many tokens may still be looked at more than once.
    pub(super) work: usize,
}

impl<'f> Scan<'f> {
    /// Looks through a text.
    pub(super) fn of(frame: &'f Frame, language: Language) -> Self {
        let mut scan = Scan {
            frame,
            language,
            found: Vec::new(),
            open: Vec::new(),
            names: Vec::new(),
            closers: closers(frame),
            taken: HashSet::new(),
            confused: false,
            work: 4 * frame.tokens.len() + 1024,
        };
        match frame.blocks {
            Blocks::Lines => scan.lines(),
            Blocks::Braces => scan.braces(),
            Blocks::Words => scan.words(),
        }
        scan
    }

    pub(super) fn token(&self, at: usize) -> Option<&'f Token> {
        self.frame.tokens.get(at)
    }

    pub(super) fn before(&self, at: usize) -> Option<&'f Token> {
        at.checked_sub(1).and_then(|before| self.token(before))
    }

    pub(super) fn word(&self, at: usize) -> &'f str {
        match self.token(at) {
            Some(Token::Name(name)) => name,
            _ => "",
        }
    }

    /// Whether a word is a member or a key, and no word of the language.
    pub(super) fn is_plain_name(&self, at: usize) -> bool {
        matches!(self.before(at), Some(Token::Sign("." | "?." | "->" | "::" | "&.")))
            || matches!(self.token(at + 1), Some(Token::Sign("=" | "=>" | ".")))
            || matches!(self.token(at + 1), Some(Token::Sign(":")))
                && !matches!(self.word(at), "else" | "default" | "try" | "finally")
                && self.language != Language::Python
    }

    pub(super) fn add(&mut self, from: usize, to: usize, kind: Kind) {
        if from < to {
            self.found.push((from, to, kind));
        }
    }

    /// The variables that are declared behind a word.
    pub(super) fn declared(&mut self, at: usize) {
        let word = self.word(at);
        let declared = match word {
            "global" => For::Whole,
            "nonlocal" => For::Outside,
            "var" => For::Function,
            "local" if self.language == Language::Lua => For::Block,
            word if declares(word) && word != "our" => For::Block,
            _ => return,
        };
        let mut next = at + 1;
        while let Some(Token::Name(_) | Token::Sign("," | "*" | "...") | Token::Open(_) | Token::Close(_)) =
            self.token(next)
            && next < at + LONGEST_HEAD
        {
            if let Some(Token::Name(name)) = self.token(next) {
                if matches!(&**name, "in" | "of") {
                    break;
                }
                self.names.push((at, name.clone(), declared));
            }
            next += 1;
        }
    }

    /// The parameters between two positions: each stands behind a bracket, a comma or a bar.
    pub(super) fn parameters(&mut self, place: usize, from: usize, to: usize) {
        let mut begins = true;
        for at in from..to.min(from + 4 * LONGEST_HEAD) {
            match self.token(at) {
                Some(Token::Name(name)) if begins => {
                    self.names.push((place, name.clone(), For::Block));
                    begins = matches!(&**name, "const" | "final" | "my" | "mut");
                }
                Some(Token::Sign("," | "|") | Token::Open(_)) => begins = true,
                Some(Token::Sign("*" | "**" | "..." | "&")) => {}
                _ => begins = false,
            }
        }
    }

    pub(super) fn push(&mut self, kind: Option<Kind>, from: usize, ends: Ends, level: usize, body: usize) {
        self.open.push(Open { kind, from, ends, level, arm: from, body });
    }

    /// Closes the innermost open block before a token.
    pub(super) fn close(&mut self, to: usize) {
        let Some(open) = self.open.pop() else { return };
        if let Some(kind) = open.kind {
            self.add(open.from, to, kind);
        }
        if open.arm != open.from {
            self.add(open.arm, to, Kind::Branch);
        }
        // A statement that is nothing but this ends with it.
        let goes_on = matches!(self.word(to), "else" | "elseif" | "elsif" | "catch" | "finally" | "while");
        if !goes_on && self.open.last().is_some_and(|outer| outer.body == open.from && outer.ends == Ends::Statement) {
            self.close(to);
        }
    }

    /// Another arm of the innermost block begins.
    pub(super) fn split(&mut self, at: usize) {
        if let Some(open) = self.open.last_mut() {
            let from = std::mem::replace(&mut open.arm, at);
            self.add(from, at, Kind::Branch);
        }
    }

    /// Closes what ends with the statement, the comma or the bracket at this position.
    pub(super) fn close_statements(&mut self, at: usize, level: usize, comma: bool) {
        while let Some(open) = self.open.last() {
            let ends = match open.ends {
                Ends::Statement => !comma,
                Ends::Comma => true,
                _ => false,
            };
            let before_body = open.ends == Ends::Statement && open.body != usize::MAX && at < open.body;
            if !ends || open.level < level || before_body {
                break;
            }
            self.close(at + 1);
        }
    }

    /// Where the statement before a place begins.
    pub(super) fn statement_before(&self, at: usize) -> usize {
        let mut start = at;
        for _ in 0..4 * LONGEST_HEAD {
            match self.before(start) {
                None | Some(Token::End | Token::Open('{')) => break,
                Some(Token::Close(_)) => start = self.closers.get(start - 1).map_or(0, |open| *open as usize),
                Some(_) => start -= 1,
            }
        }
        start
    }

    /// The tree of all that was found.
    pub(super) fn finish(mut self) -> Structure {
        let length = self.frame.tokens.len();
        while !self.open.is_empty() {
            self.close(length + 1);
        }
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|(from, to, _)| (*from, std::cmp::Reverse(*to)));
        let mut all = Structure { language: Some(self.language), confused: self.confused, ..Structure::default() };
        let mut around: Vec<u32> = Vec::new();
        let mut next = found.into_iter().peekable();
        all.innermost.reserve(length);
        for at in 0..=length {
            while around.last().and_then(|id| all.block(Some(*id))).is_some_and(|block| block.to <= at) {
                around.pop();
            }
            while let Some((from, to, kind)) = next.next_if(|(from, ..)| *from <= at) {
                let parent = around.last().copied();
                let to = all.block(parent).map_or(to, |outer| to.min(outer.to));
                let id = u32::try_from(all.blocks.len()).unwrap_or(u32::MAX);
                let function = match kind {
                    Kind::Function { .. } => Some(id),
                    Kind::Branch | Kind::Loop => all.block(parent).and_then(|outer| outer.function),
                };
                around.push(id);
                all.blocks.push(Block { kind, from, to, parent, function, names: BTreeMap::new() });
            }
            all.innermost.push(around.last().copied());
        }
        all.plain = all.blocks.is_empty() && !all.confused && !self.frame.tokens.iter().any(is_uncertain);
        for (at, name, declared) in self.names {
            let id = if declared == For::Block { all.block_at(at) } else { all.function_at(at) };
            if let Some(block) = id.and_then(|id| all.blocks.get_mut(id as usize)) {
                block.names.insert(name, declared);
            }
        }
        all
    }
}
