//! How far loops and functions reach: where their bodies end, and whether what they set is used behind that.

use super::{
    lexer::Token,
    reader::{Blocks, Frame},
};
use std::collections::HashSet;

/// Between the parameters of a function and its body stand at most this many tokens.
const LONGEST_HEAD: usize = 48;
/// A longer statement is not looked through for a name.
const LONGEST_STATEMENT: usize = 256;

impl Frame {
    /// Where the body of a loop ends whose list ends at a position. It may say that it ends later, but never earlier.
    pub(super) fn end_of_loop(&self, from: usize) -> usize {
        if self.blocks == Blocks::Lines {
            return self.end_of_lines(from);
        }
        match self.tokens.get(from) {
            // The block or the function that gets each element.
            Some(Token::Open(_)) => return self.partner_of(from),
            Some(Token::Name(word)) if &**word == "do" => return self.end_of_words(from),
            _ => {}
        }
        let mut at = from;
        while matches!(self.tokens.get(at), Some(Token::Name(_) | Token::Sign("=>"))) {
            at += 1;
        }
        at += usize::from(matches!(self.tokens.get(at), Some(Token::Close(')'))));
        while matches!(self.tokens.get(at), Some(Token::End)) {
            at += 1;
        }
        match self.tokens.get(at) {
            Some(Token::Open('{')) => self.partner_of(at),
            _ if self.blocks == Blocks::Words => self.end_of_words(from),
            Some(Token::Name(word)) if !continues(word) => self.end_of_statement(at),
            _ => self.tokens.len(),
        }
    }

    /// Where the body of a function ends whose parameters begin at a position. It may say that it ends later.
    pub(super) fn end_of_function(&self, from: usize) -> usize {
        match self.blocks {
            Blocks::Lines => return self.end_of_lines(from),
            Blocks::Words => return self.end_of_words(from),
            Blocks::Braces => {}
        }
        let whole = self.tokens.len();
        let mut at = self.partner_of(from) + 1;
        let last = at + LONGEST_HEAD;
        while at < last {
            match self.tokens.get(at) {
                Some(Token::Open('{')) => {
                    let end = self.partner_of(at);
                    // What stands in the first braces is the type of the result.
                    match self.tokens.get(end + 1) {
                        Some(Token::Open('{')) => return self.partner_of(end + 1),
                        Some(Token::Sign(_)) => return whole,
                        _ => return end,
                    }
                }
                Some(Token::Open(_)) => at = self.partner_of(at) + 1,
                Some(Token::Name(_) | Token::Sign(_) | Token::End) => at += 1,
                _ => return whole,
            }
        }
        whole
    }

    /// The first line that is indented no more than the one with the head.
    fn end_of_lines(&self, from: usize) -> usize {
        let behind = self.lines.partition_point(|(at, _)| *at <= from);
        let own = behind.checked_sub(1).and_then(|index| self.lines.get(index)).map_or(0, |(_, indent)| *indent);
        let rest = self.lines.get(behind..).unwrap_or_default();
        rest.iter().find(|(_, indent)| *indent <= own).map_or(self.tokens.len(), |(at, _)| *at)
    }

    /// The `end` of a block that is opened by a word. What may open another one counts as if it did.
    fn end_of_words(&self, from: usize) -> usize {
        let mut depth = 1_usize;
        // The `do` of a loop that stands before its own block.
        let mut awaited = !matches!(self.tokens.get(from), Some(Token::Name(word)) if &**word == "do");
        let mut before: Option<&Token> = None;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            if let Token::Name(word) = token
                && !matches!(before, Some(Token::Sign("." | "::" | "?." | "&.")))
                && !matches!(self.tokens.get(at + 1), Some(Token::Sign(":" | "=>")))
            {
                match &**word {
                    "end" => match depth.checked_sub(1) {
                        None | Some(0) => return at,
                        Some(less) => depth = less,
                    },
                    "do" if awaited || at == from => awaited = false,
                    "for" | "while" | "until" if !ends_operand(before) => {
                        depth += 1;
                        awaited = true;
                    }
                    "if" | "unless" | "case" if !ends_operand(before) => depth += 1,
                    "do" | "def" | "class" | "module" | "begin" | "function" | "fn" | "quote" | "try" | "cond"
                    | "with" | "receive" | "let" | "struct" | "macro" => depth += 1,
                    _ => {}
                }
            }
            if matches!(token, Token::End) {
                awaited = false;
            }
            before = Some(token);
        }
        self.tokens.len()
    }

    /// The end of a statement without a block.
    fn end_of_statement(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            match token {
                Token::Open(_) => at = self.partner_of(at),
                Token::Close(_) => return at,
                Token::End if !matches!(self.tokens.get(at + 1), Some(Token::Sign(_) | Token::End)) => return at,
                // A word within it may open a block of its own.
                Token::Name(word) if at > from && continues(word) => return self.tokens.len(),
                _ => {}
            }
            at += 1;
        }
        self.tokens.len()
    }

    /// Whether something that a loop or function sets is used behind its end before it is set again: then what happens
    /// there depends on what happened here. It is asked of each loop and looks at the whole text, so it says yes when
    /// the work that is left does not reach that far.
    pub(super) fn escapes(&self, from: usize, end: usize, work: &mut usize) -> bool {
        let Some(left) = work.checked_sub(self.tokens.len()) else { return true };
        *work = left;
        let mut set = self.head_names(from);
        if self.blocks == Blocks::Lines {
            // What is done with each element may stand before the list: `any(p := a for a in …)`.
            let pairs = self.tokens.get(..from).unwrap_or_default().windows(2);
            set.extend(pairs.filter_map(|pair| match pair {
                [Token::Name(name), Token::Sign(":=")] => Some(&**name),
                _ => None,
            }));
        }
        for at in from..end {
            match self.tokens.get(at) {
                Some(Token::Name(name)) if moves(name) || reaches_variables(name) => return true,
                Some(Token::Name(name)) if !self.is_member(at) && evaluates(name) => return true,
                Some(Token::Name(name)) if !self.is_member(at) && self.sets(at) => drop(set.insert(name)),
                _ => {}
            }
        }
        for at in end..self.tokens.len() {
            if set.is_empty() {
                break;
            }
            if let Some(Token::Name(name)) = self.tokens.get(at)
                && set.contains(&**name)
                && !self.is_member(at)
            {
                if !self.binds(at) {
                    return true;
                }
                set.remove(&**name);
            }
        }
        false
    }

    /// The variables of a loop whose list ends here, or the parameters that begin here.
    fn head_names(&self, from: usize) -> HashSet<&str> {
        let before = self.tokens.get(..from).unwrap_or_default();
        let start = before.iter().rposition(|token| matches!(token, Token::End | Token::Open('{') | Token::Close('}')));
        let head = before.get(start.unwrap_or(0)..).unwrap_or_default();
        let word = |token: &Token, words: &[&str]| matches!(token, Token::Name(name) if words.contains(&&**name));
        let keyword = head.iter().rposition(|token| word(token, &["for", "foreach"]));
        if let Some(keyword) = keyword {
            let head = head.get(keyword + 1..).unwrap_or_default();
            // PHP names the variable last.
            if let Some(at) = head.iter().position(|token| word(token, &["as"])) {
                let more = self.tokens.get(from..from + 3).unwrap_or_default();
                return names(head.get(at + 1..).unwrap_or_default()).chain(names(more)).collect();
            }
            let end = head.iter().position(|token| word(token, &["in", "of", "range"]));
            let before = head.get(..end.unwrap_or(1).min(head.len())).unwrap_or_default();
            return names(before).chain(["$_"]).collect();
        }
        let rest = self.tokens.get(from..).unwrap_or_default();
        let arrow = rest.iter().take(16).position(|token| matches!(token, Token::Sign("=>" | "->")));
        let bar = rest.iter().take(16).rposition(|token| matches!(token, Token::Sign("|")));
        let end = match (arrow, bar) {
            (Some(end), _) | (None, Some(end)) => end,
            (None, None) => self.partner_of(from).saturating_sub(from),
        };
        names(rest.get(..end.min(64)).unwrap_or_default()).chain(["$_", "it"]).collect()
    }

    /// Whether the name at a position is set, or what it holds grows.
    fn sets(&self, at: usize) -> bool {
        match self.tokens.get(at + 1) {
            _ if self.is_grown(at) => true,
            Some(Token::Sign(sign)) if assigns(sign) => true,
            Some(Token::Open('[' | '{')) => {
                matches!(self.tokens.get(self.partner_of(at + 1) + 1), Some(Token::Sign(sign)) if assigns(sign))
            }
            Some(Token::Sign(",") | Token::Close(_)) => {
                let targets = self.targets.get_or_init(|| targets(&self.tokens));
                targets.get(at + 1).copied().unwrap_or_default()
            }
            Some(Token::Sign("." | "->" | "::" | "?.")) => {
                matches!(self.tokens.get(at + 2), Some(Token::Name(method)) if grows(method))
                    || matches!(self.tokens.get(at + 3), Some(Token::Sign(sign)) if assigns(sign))
            }
            Some(Token::Name(word)) => matches!(&**word, "in" | "of"),
            _ => {
                let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
                matches!(before, Some(Token::Name(word)) if matches!(&**word, "as" | "foreach" | "my" | "let" | "var"))
                    || matches!(before, Some(Token::Sign("|")))
            }
        }
    }

    /// Whether the name at a position is what a function puts something into: `push @list, …`, `array_push($list, …)`.
    fn is_grown(&self, at: usize) -> bool {
        let before = |step: usize| at.checked_sub(step).and_then(|at| self.tokens.get(at));
        let function = if matches!(before(1), Some(Token::Open('('))) { before(2) } else { before(1) };
        matches!(function, Some(Token::Name(name)) if grows_first(name))
    }

    /// Whether the name at a position is that of a member.
    fn is_member(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        matches!(before, Some(Token::Sign("." | "?." | "->" | "::")))
    }

    /// Whether the name at a position gets a value that has nothing to do with its old one.
    fn binds(&self, at: usize) -> bool {
        let Some(name @ Token::Name(_)) = self.tokens.get(at) else { return false };
        let word = |at: Option<usize>| match at.and_then(|at| self.tokens.get(at)) {
            Some(Token::Name(word)) => &**word,
            _ => "",
        };
        let declared = declares(word(at.checked_sub(1)));
        match self.tokens.get(at + 1) {
            Some(Token::Sign("=" | ":=")) => {
                let starts = match at.checked_sub(1).and_then(|before| self.tokens.get(before)) {
                    None | Some(Token::End | Token::Open('{') | Token::Close('}') | Token::Sign(":")) => true,
                    Some(_) => declared,
                };
                let right = self.tokens.get(at + 2..).unwrap_or_default();
                starts && without(right, name, |token| matches!(token, Token::End))
            }
            Some(Token::Name(next)) if matches!(&**next, "in" | "of") => {
                let head = word(at.checked_sub(1)) == "for" || declared && self.is_head(at);
                let list = self.tokens.get(at + 1..).unwrap_or_default();
                let ends = |token: &Token| matches!(token, Token::End | Token::Open('{') | Token::Sign(":"));
                head && without(list, name, ends)
            }
            _ => self.is_parameter(at),
        }
    }

    fn is_head(&self, at: usize) -> bool {
        let before = |step: usize| at.checked_sub(step).and_then(|at| self.tokens.get(at));
        matches!(before(2), Some(Token::Open('('))) && matches!(before(3), Some(Token::Name(word)) if &**word == "for")
    }

    /// Whether the name at a position is a plain parameter in the head of a function: `def f(a, name)`.
    fn is_parameter(&self, at: usize) -> bool {
        let mut open = at;
        let mut begins = true;
        for _ in 0..LONGEST_HEAD {
            let Some(before) = open.checked_sub(1) else { return false };
            open = before;
            match self.tokens.get(open) {
                Some(Token::Open('(')) => break,
                Some(Token::Sign(",")) => begins = false,
                Some(Token::Name(_)) if !begins => {}
                Some(Token::Name(_)) => return false,
                Some(Token::Text(_) | Token::Number(_) | Token::Sign("=" | ":")) => {}
                _ => return false,
            }
        }
        let keyword = |word: &str| matches!(word, "def" | "function" | "sub" | "func" | "fun" | "fn");
        matches!(self.tokens.get(open), Some(Token::Open('(')))
            && open
                .checked_sub(2)
                .and_then(|at| self.tokens.get(at))
                .is_some_and(|token| matches!(token, Token::Name(word) if keyword(word)))
    }
}

/// The names among tokens that declare or list them.
fn names(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Name(name) if !declares(name) => Some(&**name),
        _ => None,
    })
}

/// Whether a list of targets goes on from each token to the sign that sets them all: `a, (b, c) = …`.
fn targets(tokens: &[Token]) -> Box<[bool]> {
    let mut all = vec![false; tokens.len()];
    let mut sets = false;
    for (slot, token) in all.iter_mut().zip(tokens).rev() {
        sets = match token {
            Token::Sign("," | ":" | "*") | Token::Name(_) | Token::Open(_) | Token::Close(_) => sets,
            token => matches!(token, Token::Sign("=" | ":=")),
        };
        *slot = sets;
    }
    all.into()
}

/// Whether a name does not stand before the end of a statement. In one that is very long it may.
fn without(tokens: &[Token], name: &Token, ends: impl Fn(&Token) -> bool) -> bool {
    for token in tokens.iter().take(LONGEST_STATEMENT) {
        if ends(token) {
            return true;
        }
        if token == name {
            return false;
        }
    }
    tokens.len() < LONGEST_STATEMENT
}

/// Whether a statement that begins with this word, or holds it, may have blocks of its own.
pub(super) fn continues(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "try"
            | "for"
            | "foreach"
            | "while"
            | "do"
            | "switch"
            | "match"
            | "with"
            | "unless"
            | "until"
            | "case"
            | "label"
            | "async"
            | "function"
            | "class"
            | "begin"
    )
}

/// Whether a condition behind this token stands behind what it is for: `x = 1 if y`.
pub(super) fn ends_operand(token: Option<&Token>) -> bool {
    match token {
        Some(Token::Name(word)) => !matches!(
            &**word,
            "then"
                | "else"
                | "elsif"
                | "do"
                | "begin"
                | "return"
                | "and"
                | "or"
                | "not"
                | "in"
                | "when"
                | "ensure"
                | "rescue"
                | "end"
                | "yield"
                | "puts"
                | "p"
                | "print"
                | "if"
                | "unless"
                | "while"
                | "until"
                | "local"
        ),
        Some(Token::Text(_) | Token::Number(_) | Token::Close(_) | Token::Words(_) | Token::Command(_)) => true,
        _ => false,
    }
}

/// Words that declare the variable behind them.
pub(super) fn declares(word: &str) -> bool {
    matches!(word, "my" | "our" | "let" | "const" | "var")
}

/// Signs that give the name before them another value.
fn assigns(sign: &str) -> bool {
    let compares = matches!(sign, "==" | "!=" | "<=" | ">=" | "===" | "!==" | "~=");
    sign.ends_with('=') && !compares || matches!(sign, "<<" | "=~" | "++" | "--")
}

/// Functions that put something into the first thing that they get.
fn grows_first(function: &str) -> bool {
    matches!(
        function,
        "push"
            | "unshift"
            | "splice"
            | "array_push"
            | "array_unshift"
            | "array_splice"
            | "heappush"
            | "insort"
            | "insert"
            | "strcpy"
            | "strcat"
            | "strncpy"
            | "strncat"
            | "memcpy"
            | "sprintf"
            | "snprintf"
            | "settype"
    )
}

/// Methods by which a list grows.
fn grows(method: &str) -> bool {
    matches!(
        method,
        "append"
            | "push"
            | "extend"
            | "add"
            | "insert"
            | "unshift"
            | "arg"
            | "args"
            | "update"
            | "set"
            | "concat"
            | "setdefault"
            | "appendleft"
            | "push_str"
            | "push_back"
            | "splice"
            | "fill"
            | "replace"
            | "prepend"
            | "put"
            | "store"
    )
}

/// Functions that change where everything behind them happens.
fn moves(name: &str) -> bool {
    matches!(
        name,
        "chdir" | "fchdir" | "cd" | "pushd" | "setwd" | "set_current_dir" | "Chdir" | "chroot" | "environ" | "putenv"
    )
}

/// Functions that run a text, which may set any variable.
fn evaluates(name: &str) -> bool {
    matches!(
        name,
        "exec"
            | "execfile"
            | "Function"
            | "vars"
            | "assign"
            | "extract"
            | "parse_str"
            | "load"
            | "loadstring"
            | "source"
    )
}

/// Ways to set a variable or a member by a name that is a text.
fn reaches_variables(name: &str) -> bool {
    matches!(
        name,
        "eval"
            | "builtins"
            | "__builtins__"
            | "globals"
            | "locals"
            | "setattr"
            | "__setattr__"
            | "__setitem__"
            | "__dict__"
            | "globalThis"
            | "runInThisContext"
            | "instance_variable_set"
            | "local_variable_set"
            | "instance_eval"
            | "class_eval"
            | "module_eval"
            | "const_set"
            | "delayedAssign"
            | "$GLOBALS"
            | "GLOBALS"
            | "_G"
            | "_ENV"
            | "setfenv"
    )
}
