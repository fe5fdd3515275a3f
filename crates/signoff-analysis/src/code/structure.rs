//! The blocks of a text: what may run, what may run again, and what runs when somebody calls it.
//!
//! It is found from the tokens alone, in one pass. Where the form of a text is not understood it says so, and then every
//! value of a variable counts everywhere.

use super::{
    extents::{declares, ends_operand},
    lexer::Token,
    reader::{Blocks, Frame},
};
use crate::shell::Language;
use std::collections::{HashMap, HashSet};

/// Between a head and its body stand at most this many tokens.
const LONGEST_HEAD: usize = 64;
/// Blocks around a place are followed this far out.
const FARTHEST: usize = 64;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It may be left out.
    Branch,
    /// It may run again, or not at all.
    Loop,
    /// It runs when it is called, however often that is.
    Function {
        /// Whether it knows no variables but its own.
        closed: bool,
    },
}

#[derive(Clone, Debug)]
struct Block {
    kind: Kind,
    from: usize,
    /// The first token that is no part of it.
    to: usize,
    parent: Option<u32>,
    /// The function that it is, or stands in.
    function: Scope,
    /// The variables that it declares.
    names: HashMap<Box<str>, For>,
}

/// A block of the text, or all of it.
pub(super) type Scope = Option<u32>;

/// The blocks of a text.
#[derive(Debug, Default)]
pub(super) struct Structure {
    blocks: Vec<Block>,
    /// The innermost block of every token.
    innermost: Vec<Option<u32>>,
    /// Whether the blocks do not come out even.
    confused: bool,
    /// Whether everything runs once, and in order.
    plain: bool,
    language: Option<Language>,
}

impl Structure {
    /// Finds the blocks of a text.
    pub(super) fn of(frame: &Frame, language: Language) -> Self {
        let mut scan = Scan {
            frame,
            language,
            found: Vec::new(),
            open: Vec::new(),
            names: Vec::new(),
            closers: closers(frame),
            taken: HashSet::new(),
            confused: false,
        };
        match frame.blocks {
            Blocks::Lines => scan.lines(),
            Blocks::Braces => scan.braces(),
            Blocks::Words => scan.words(),
        }
        scan.finish()
    }

    /// Whether everything runs once and in the order of the text.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether the blocks are not known.
    pub(super) fn is_confused(&self) -> bool {
        self.confused
    }

    fn block(&self, id: Option<u32>) -> Option<&Block> {
        self.blocks.get(id? as usize)
    }

    fn block_at(&self, at: usize) -> Option<u32> {
        self.innermost.get(at).copied().flatten()
    }

    /// The blocks around a place, from the innermost.
    fn around(&self, at: usize) -> impl Iterator<Item = &Block> {
        std::iter::successors(self.block(self.block_at(at)), |block| self.block(block.parent))
    }

    /// Whether everything that is around one place is around another as well.
    pub(super) fn is_around(&self, at: usize, other: usize) -> bool {
        self.block(self.block_at(at)).is_none_or(|block| block.from <= other && other < block.to)
    }

    /// The function that a place stands in.
    pub(super) fn function_at(&self, at: usize) -> Scope {
        self.block(self.block_at(at)).and_then(|block| block.function)
    }

    /// Whether a place stands within a function.
    pub(super) fn is_within(&self, function: Scope, at: usize) -> bool {
        self.block(function).is_none_or(|block| block.from <= at && at < block.to)
    }

    /// Where the innermost loop begins that is around both places and in the same function as they are.
    pub(super) fn common_loop(&self, first: usize, second: usize) -> Option<usize> {
        let in_function = self.around(first).take_while(|block| !matches!(block.kind, Kind::Function { .. }));
        for (count, block) in in_function.enumerate() {
            if count > FARTHEST || block.kind == Kind::Loop && block.from <= second && second < block.to {
                return Some(block.from);
            }
        }
        None
    }

    /// Whether a place stands in a loop of its function.
    pub(super) fn is_looped(&self, at: usize) -> bool {
        self.common_loop(at, at).is_some()
    }

    /// The block whose variable a name is at a place; none for what the whole text shares. Some languages keep what a
    /// function sets to itself: `sets` says whether it does.
    pub(super) fn owner(&self, name: &str, at: usize, sets: impl Fn(Scope) -> bool) -> Scope {
        if name.contains('.') {
            return None;
        }
        let mut next = self.block_at(at);
        for _ in 0..FARTHEST {
            let (id, block) = (next, self.block(next)?);
            next = block.parent;
            match block.names.get(name) {
                Some(For::Block | For::Function) => return id,
                Some(For::Outside) => continue,
                Some(For::Whole) => return None,
                None => {}
            }
            let keeps = match (block.kind, self.language) {
                (Kind::Function { closed: true }, Some(Language::Ruby)) => {
                    name.starts_with(|letter: char| letter.is_lowercase())
                }
                (Kind::Function { closed }, Some(Language::Php)) => closed,
                (Kind::Function { .. }, Some(Language::Python)) => sets(id),
                _ => false,
            };
            if keeps {
                return id;
            }
        }
        None
    }

    /// Whether a function can be called only behind its definition.
    pub(super) fn runs_in_order(&self) -> bool {
        matches!(self.language, Some(Language::Python | Language::Ruby | Language::Lua))
    }

    /// Whether what a block owns is made anew with every call of a function.
    pub(super) fn is_fresh(&self, owner: Scope, function: Scope) -> bool {
        function.is_none() || self.block(owner).is_some_and(|block| block.function == function)
    }
}

/// Words behind which a condition says whether they count.
fn leaves(word: &str) -> bool {
    matches!(word, "return" | "next" | "break" | "redo" | "retry" | "raise" | "exit" | "abort" | "yield" | "end")
}

/// Whether what stands around a token may be left out, or be a text that runs.
fn is_uncertain(token: &Token) -> bool {
    match token {
        Token::Sign("&&" | "||" | "?" | "??") | Token::Replacement(_) => true,
        Token::Name(word) => {
            super::expressions::BRANCHES.contains(&&**word)
                || matches!(&**word, "and" | "or" | "eval" | "exec" | "Function" | "load" | "loadstring")
                || word.ends_with("_eval")
        }
        _ => false,
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
enum Ends {
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
struct Open {
    kind: Option<Kind>,
    from: usize,
    ends: Ends,
    /// How many brackets were open.
    level: usize,
    /// Where the arm of a branch begins, if it has several.
    arm: usize,
    /// Where the statement begins that is all of the body.
    body: usize,
}

/// What a name is declared for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Block,
    Function,
    /// It is that of what stands around the function.
    Outside,
    /// It is that of the whole text.
    Whole,
}

struct Scan<'f> {
    frame: &'f Frame,
    language: Language,
    found: Vec<(usize, usize, Kind)>,
    open: Vec<Open>,
    /// Where variables are declared, and for how much of the text.
    names: Vec<(usize, Box<str>, For)>,
    closers: Vec<u32>,
    /// Brackets whose block is known already.
    taken: HashSet<usize>,
    confused: bool,
}

impl<'f> Scan<'f> {
    fn token(&self, at: usize) -> Option<&'f Token> {
        self.frame.tokens.get(at)
    }

    fn before(&self, at: usize) -> Option<&'f Token> {
        at.checked_sub(1).and_then(|before| self.token(before))
    }

    fn word(&self, at: usize) -> &'f str {
        match self.token(at) {
            Some(Token::Name(name)) => name,
            _ => "",
        }
    }

    /// Whether a word is a member or a key, and no word of the language.
    fn is_plain_name(&self, at: usize) -> bool {
        matches!(self.before(at), Some(Token::Sign("." | "?." | "->" | "::" | "&.")))
            || matches!(self.token(at + 1), Some(Token::Sign("=" | "=>" | ".")))
            || matches!(self.token(at + 1), Some(Token::Sign(":")))
                && !matches!(self.word(at), "else" | "default" | "try" | "finally")
                && self.language != Language::Python
    }

    fn add(&mut self, from: usize, to: usize, kind: Kind) {
        if from < to {
            self.found.push((from, to, kind));
        }
    }

    /// The variables that are declared behind a word.
    fn declared(&mut self, at: usize) {
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
    fn parameters(&mut self, place: usize, from: usize, to: usize) {
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

    fn push(&mut self, kind: Option<Kind>, from: usize, ends: Ends, level: usize, body: usize) {
        self.open.push(Open { kind, from, ends, level, arm: from, body });
    }

    /// Closes the innermost open block before a token.
    fn close(&mut self, to: usize) {
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
    fn split(&mut self, at: usize) {
        if let Some(open) = self.open.last_mut() {
            let from = std::mem::replace(&mut open.arm, at);
            self.add(from, at, Kind::Branch);
        }
    }

    /// Closes what ends with the statement, the comma or the bracket at this position.
    fn close_statements(&mut self, at: usize, level: usize, comma: bool) {
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

    fn lines(&mut self) {
        let mut lines = self.frame.lines.iter().copied().peekable();
        let mut level = 0;
        for at in 0..self.frame.tokens.len() {
            if let Some((_, indent)) = lines.next_if(|(start, _)| *start <= at) {
                while let Some(open) = self.open.last() {
                    if matches!(open.ends, Ends::Line(own) if own < indent) {
                        break;
                    }
                    self.close(at);
                }
                let head = at + usize::from(self.word(at) == "async");
                let kind = match self.word(head) {
                    "for" | "while" => Some(Kind::Loop),
                    "if" | "elif" | "else" | "try" | "except" | "finally" | "match" | "case" | "class"
                        if !self.is_plain_name(head) =>
                    {
                        Some(Kind::Branch)
                    }
                    "def" => Some(Kind::Function { closed: false }),
                    _ => None,
                };
                if let Some(kind) = kind {
                    self.push(Some(kind), at, Ends::Line(indent), 0, usize::MAX);
                }
                if self.word(head) == "def" && matches!(self.token(head + 2), Some(Token::Open('('))) {
                    self.parameters(at, head + 3, self.frame.partner_of(head + 2));
                }
            }
            match self.token(at) {
                Some(Token::Open(_)) => level += 1,
                Some(Token::Close(_)) => {
                    self.close_statements(at, level, false);
                    level = level.saturating_sub(1);
                }
                Some(Token::End) if level == 0 => self.close_statements(at, level, false),
                Some(Token::Sign(",")) if !self.in_parameters() => self.close_statements(at, level, true),
                Some(Token::Sign(":")) => {
                    if let Some(open) =
                        self.open.last_mut().filter(|open| open.ends == Ends::Comma && open.level == level)
                    {
                        open.body = 0;
                    }
                }
                Some(Token::Name(name)) => match &**name {
                    "global" | "nonlocal" => self.declared(at),
                    "lambda" => {
                        let end = (at..at + LONGEST_HEAD).find(|at| matches!(self.token(*at), Some(Token::Sign(":"))));
                        self.push(Some(Kind::Function { closed: false }), at, Ends::Comma, level, usize::MAX);
                        self.parameters(at, at + 1, end.unwrap_or(at));
                    }
                    // Within brackets: `[x for x in xs]`.
                    "for" if level > 0 => self.comprehension(at),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Whether a comma belongs to the parameters of a lambda.
    fn in_parameters(&self) -> bool {
        self.open.last().is_some_and(|open| open.ends == Ends::Comma && open.body == usize::MAX)
    }

    /// A list that is made of another one has a variable of its own.
    fn comprehension(&mut self, at: usize) {
        let mut open = at;
        for _ in 0..4 * LONGEST_HEAD {
            let Some(before) = open.checked_sub(1) else { return };
            open = before;
            match self.token(open) {
                Some(Token::Open(_)) => break,
                Some(Token::Close(_)) => open = self.closers.get(open).map_or(0, |at| *at as usize),
                _ => {}
            }
        }
        if !matches!(self.token(open), Some(Token::Open(_))) {
            self.confused = true;
            return;
        }
        let to = self.frame.partner_of(open) + 1;
        if self.taken.insert(open) {
            self.add(open, to, Kind::Loop);
        }
        let targets = (at..at + LONGEST_HEAD).find(|at| self.word(*at) == "in").unwrap_or(at);
        self.parameters(open, at + 1, targets);
    }

    fn braces(&mut self) {
        let mut level = 0;
        for at in 0..self.frame.tokens.len() {
            match self.token(at) {
                Some(Token::Open(mark)) => {
                    if *mark == '{' && !self.taken.contains(&at) {
                        self.anonymous(at);
                    }
                    level += 1;
                }
                Some(Token::Close(_)) => {
                    self.close_statements(at, level, false);
                    level = level.saturating_sub(1);
                }
                Some(Token::End) => self.close_statements(at, level, false),
                Some(Token::Sign(",")) => self.close_statements(at, level, true),
                Some(Token::Sign("=>")) if matches!(self.language, Language::JavaScript | Language::Php) => {
                    self.arrow(at, level)
                }
                Some(Token::Sign("->")) if self.language == Language::Java => self.arrow(at, level),
                Some(Token::Name(_)) if !self.is_plain_name(at) => self.head(at, level),
                _ => {}
            }
        }
    }

    /// Words that open a block in braces, or a statement without them.
    fn head(&mut self, at: usize, level: usize) {
        self.declared(at);
        let word = self.word(at);
        let kind = match word {
            "for" | "foreach" | "while" | "until" | "do" | "loop" => Kind::Loop,
            "if" | "else" | "elseif" | "elsif" | "unless" | "switch" | "try" | "catch" | "finally" | "match"
            | "except" | "select" | "eval" => Kind::Branch,
            "function" | "sub" | "func" | "fn" | "fun" => Kind::Function {
                closed: self.language == Language::Php && matches!(self.token(at + 1), Some(Token::Name(_))),
            },
            _ => return,
        };
        if word == "eval" && !matches!(self.token(at + 1), Some(Token::Open('{'))) {
            return;
        }
        // In Perl and awk a condition may stand behind what it is for; then it is seen when the variable is set.
        let left = at > 0 && matches!(self.word(at - 1), "return" | "next" | "last" | "redo" | "die" | "exit");
        let behind = self.language == Language::Perl && (left || ends_operand(self.before(at)));
        if behind && !matches!(kind, Kind::Function { .. }) {
            if kind == Kind::Loop {
                let start = self.statement_before(at);
                self.push(Some(Kind::Loop), start, Ends::Statement, level, usize::MAX);
            }
            return;
        }
        let switches = matches!(word, "switch" | "match");
        let mut body = at + 1;
        while body < at + LONGEST_HEAD {
            match self.token(body) {
                Some(Token::Open('(')) => {
                    let partner = self.frame.partner_of(body);
                    if matches!(kind, Kind::Function { .. }) {
                        self.parameters(at, body + 1, partner);
                    }
                    body = partner + 1;
                    // Languages without brackets around the head may go on behind them.
                    if !matches!(self.language, Language::Go | Language::Rust) && !matches!(kind, Kind::Function { .. })
                    {
                        break;
                    }
                }
                Some(Token::Open('{') | Token::End) | None => break,
                Some(Token::Open(_)) => body = self.frame.partner_of(body) + 1,
                Some(_) if matches!(word, "else" | "do" | "try" | "finally" | "loop") => break,
                Some(_) => body += 1,
            }
        }
        while matches!(self.token(body), Some(Token::End)) && !matches!(word, "while") {
            body += 1;
        }
        match self.token(body) {
            Some(Token::Open('{')) => {
                let to = self.frame.partner_of(body) + 1;
                self.taken.insert(body);
                self.add(at, to, kind);
                if switches {
                    self.arms(body, to);
                }
                if self.open.last().is_some_and(|outer| outer.body == at && outer.ends == Ends::Statement) {
                    // The statement that this is all of ends with it.
                    if let Some(outer) = self.open.pop()
                        && let Some(kind) = outer.kind
                    {
                        self.add(outer.from, to, kind);
                    }
                }
            }
            // `if (…): … endif;`
            Some(Token::Sign(":")) if self.language == Language::Php => self.alternative(at, body, kind),
            _ => self.push(Some(kind), at, Ends::Statement, level, body),
        }
    }

    /// The cases of a block, each of which may run without those before it.
    fn arms(&mut self, open: usize, to: usize) {
        let mut at = open + 1;
        let mut arm = None;
        while at < to {
            match self.token(at) {
                Some(Token::Open(_)) => at = self.frame.partner_of(at),
                Some(Token::Name(word)) if matches!(&**word, "case" | "default") => {
                    if let Some(from) = arm.replace(at) {
                        self.add(from, at, Kind::Branch);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if let Some(from) = arm {
            self.add(from, to.saturating_sub(1), Kind::Branch);
        }
    }

    /// A block of PHP that ends with a word of its own.
    fn alternative(&mut self, at: usize, body: usize, kind: Kind) {
        let word = self.word(at).to_owned();
        let first = match &*word {
            "else" | "elseif" => "if",
            word => word,
        };
        let ends = format!("end{first}");
        let mut depth = 0_usize;
        let mut to = body + 1;
        while to < self.frame.tokens.len() {
            match self.word(to) {
                "else" | "elseif" if depth == 0 && first == "if" => break,
                found if found == ends => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                found if found == first => depth += 1,
                _ => {}
            }
            to += 1;
            if to > body + 64 * LONGEST_HEAD {
                self.confused = true;
                break;
            }
        }
        self.add(at, to, kind);
    }

    /// A function that is written as an arrow.
    fn arrow(&mut self, at: usize, level: usize) {
        let from = match self.before(at) {
            Some(Token::Name(_)) => at - 1,
            Some(Token::Close(')')) => self.closers.get(at - 1).map_or(at, |open| *open as usize),
            _ => return,
        };
        // In PHP only behind `fn`, which is a head of its own.
        if self.language == Language::Php {
            return;
        }
        self.parameters(from, from, at);
        if matches!(self.token(at + 1), Some(Token::Open('{'))) {
            self.taken.insert(at + 1);
            self.add(from, self.frame.partner_of(at + 1) + 1, Kind::Function { closed: false });
        } else {
            self.push(Some(Kind::Function { closed: false }), from, Ends::Comma, level, usize::MAX);
        }
    }

    /// Braces without a word that says what they are for.
    fn anonymous(&mut self, at: usize) {
        let to = self.frame.partner_of(at) + 1;
        let mut behind = at;
        while matches!(self.before(behind), Some(Token::End)) {
            behind -= 1;
        }
        let same_line = behind == at;
        match self.before(behind) {
            // A rule of awk runs for every line.
            Some(Token::Name(word)) if self.language == Language::Awk && matches!(&**word, "BEGIN" | "END") => {}
            _ if self.language == Language::Awk => self.add(at, to, Kind::Loop),
            Some(Token::Name(word)) if matches!(&**word, "map" | "grep" | "sort" | "first" | "any" | "all") => {
                self.add(at, to, Kind::Loop)
            }
            Some(Token::Name(word)) if matches!(&**word, "BEGIN" | "END" | "return" | "unsafe" | "static") => {}
            // A method: `name(…) {`.
            Some(Token::Close(')')) => {
                let open = self.closers.get(behind - 1).map_or(at, |open| *open as usize);
                self.parameters(open, open + 1, behind - 1);
                let from = open.saturating_sub(1);
                self.add(from, to, Kind::Function { closed: false });
            }
            Some(Token::Name(_)) if same_line => self.add(at, to, Kind::Branch),
            _ => {}
        }
    }

    /// Where the statement before a place begins.
    fn statement_before(&self, at: usize) -> usize {
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

    fn words(&mut self) {
        let mut level = 0;
        let mut awaited = false;
        for at in 0..self.frame.tokens.len() {
            match self.token(at) {
                Some(Token::Open(mark)) => {
                    // A block of Ruby stands behind what it is handed to.
                    let behind = ends_operand(self.before(at)) || matches!(self.before(at), Some(Token::Sign("->")));
                    if *mark == '{' && self.language != Language::Lua && behind {
                        self.block(at);
                    }
                    level += 1;
                }
                Some(Token::Close(_)) => {
                    self.close_statements(at, level, false);
                    level = level.saturating_sub(1);
                }
                Some(Token::End) => {
                    awaited = false;
                    self.close_statements(at, level, false);
                }
                Some(Token::Name(_)) if !self.is_plain_name(at) => self.opening(at, level, &mut awaited),
                _ => {}
            }
        }
        self.confused |= self.open.iter().any(|open| matches!(open.ends, Ends::Word | Ends::Until));
    }

    /// `{ |a| … }`, or the same with words, which ends elsewhere.
    fn block(&mut self, at: usize) {
        self.add(at, self.frame.partner_of(at) + 1, Kind::Function { closed: false });
        self.bars(at);
    }

    fn bars(&mut self, at: usize) {
        if !matches!(self.token(at + 1), Some(Token::Sign("|"))) {
            return;
        }
        let to = (at + 2..at + LONGEST_HEAD).find(|at| matches!(self.token(*at), Some(Token::Sign("|"))));
        self.parameters(at, at + 2, to.unwrap_or(at));
    }

    fn opening(&mut self, at: usize, level: usize, awaited: &mut bool) {
        self.declared(at);
        let lua = self.language == Language::Lua;
        let behind = !lua && (ends_operand(self.before(at)) || at > 0 && leaves(self.word(at - 1)));
        let word = self.word(at).to_owned();
        match &*word {
            "end" => match self.open.last() {
                Some(open) if open.ends == Ends::Word => {
                    // `begin … end while …`.
                    let again = matches!(self.word(at + 1), "while" | "until");
                    if let Some(open) = self.open.last_mut().filter(|open| again && open.kind == Some(Kind::Branch)) {
                        open.kind = Some(Kind::Loop);
                    }
                    self.close(at + 1);
                }
                _ => self.confused = true,
            },
            "until" if lua => {
                if matches!(self.open.last(), Some(open) if open.ends == Ends::Until) {
                    if let Some(open) = self.open.last_mut() {
                        open.ends = Ends::Statement;
                        open.level = level;
                    }
                } else {
                    self.confused = true;
                }
            }
            "repeat" if lua => self.push(Some(Kind::Loop), at, Ends::Until, level, usize::MAX),
            "for" | "while" | "until" if behind => {
                let start = self.statement_before(at);
                self.push(Some(Kind::Loop), start, Ends::Statement, level, usize::MAX);
            }
            "for" | "while" | "until" => {
                *awaited = true;
                self.push(Some(Kind::Loop), at, Ends::Word, level, usize::MAX);
            }
            "do" if *awaited => *awaited = false,
            "do" if lua => self.push(None, at, Ends::Word, level, usize::MAX),
            "do" => {
                self.push(Some(Kind::Function { closed: false }), at, Ends::Word, level, usize::MAX);
                self.bars(at);
            }
            "if" | "unless" | "case" if !behind => {
                self.push(Some(Kind::Branch), at, Ends::Word, level, usize::MAX);
            }
            "begin" | "try" | "cond" | "receive" => self.push(Some(Kind::Branch), at, Ends::Word, level, usize::MAX),
            "else" | "elsif" | "elseif" | "when" | "rescue" | "ensure" | "catch" | "after"
                if !behind || word == "else" || word == "elsif" || word == "elseif" =>
            {
                self.split(at);
            }
            "def" | "function" | "fn" | "defp" | "macro" => {
                let mut head = at + 1;
                while matches!(self.token(head), Some(Token::Name(_) | Token::Sign("." | ":" | "::"))) && head < at + 8
                {
                    head += 1;
                }
                if matches!(self.token(head), Some(Token::Open('('))) {
                    let partner = self.frame.partner_of(head);
                    self.parameters(at, head + 1, partner);
                    head = partner + 1;
                }
                let short = matches!(self.token(head), Some(Token::Sign("="))) && !lua;
                let ends = if short { Ends::Statement } else { Ends::Word };
                let closed = self.language == Language::Ruby;
                self.push(Some(Kind::Function { closed }), at, ends, level, usize::MAX);
            }
            "class" | "module" | "struct" | "quote" if !lua => {
                self.push(Some(Kind::Branch), at, Ends::Word, level, usize::MAX);
            }
            _ => {}
        }
    }

    /// The tree of all that was found.
    fn finish(mut self) -> Structure {
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
                all.blocks.push(Block { kind, from, to, parent, function, names: HashMap::new() });
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
