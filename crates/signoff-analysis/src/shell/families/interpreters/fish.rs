//! fish: the same simple commands as in other shells, with blocks that end in `end`, lists that `set` makes and
//! substitutions without a dollar. What means the same is put into the words of bash; anything else is unread.
//!
//! Every variable is a list here, and stands for all of its elements. What fish has of its own, and what only bash has, is
//! told by name: a command of another name is a program, and programs are the same to both.

use std::collections::HashMap;

use super::fish_words::{Part, Token, Word, is_own, joined, lex};
use crate::words::is_listed;

/// Blocks and substitutions nested deeper than this are not read.
const MAX_DEPTH: usize = 16;

/// Words that take another command behind them.
const BEFORE_ANOTHER: &str = "command builtin exec time";
/// What either of them has of its own. `echo`, `test`, `count` and the like are left out: they do in bash what they do in
/// fish, or print something there that is not known.
const OWN: &str = "_ abbr alias and argparse begin bind block breakpoint case cdh commandline complete dirh else emit end \
    eval export for funced funcsave function functions history if nextd not open or path prevd prompt_pwd psub read \
    select set source . suspend switch trap vared while unalias declare typeset local readonly let unset shift shopt \
    enable hash mapfile readarray getopts caller compgen compopt [[ ]] ]  case esac until coproc then fi do done elif in \
    logout times popd pushd cd";

/// What a text of fish is in the words of bash.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) text: String,
    /// Whether it does the same. Otherwise it does a part of it at most.
    pub(super) certain: bool,
}

/// The text in the words of bash; none if it holds more than is understood here.
pub(super) fn in_bash(text: &str) -> Option<Reading> {
    let mut certain = true;
    let text = translated(text, 0, &[], &mut certain)?;
    Some(Reading { text, certain })
}

fn translated(text: &str, depth: usize, around: &[String], certain: &mut bool) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    let tokens = lex(text)?;
    let mut lists = lists(&tokens);
    lists.extend_from_slice(around);
    let mut writer = Writer {
        out: String::with_capacity(text.len() * 2),
        open: Vec::new(),
        awaits: None,
        lists,
        loops: Vec::new(),
        lost: Vec::new(),
        scopes: HashMap::new(),
        depth,
        certain,
    };
    let mut before = ";";
    let mut rest = tokens.as_slice();
    loop {
        let end = rest.iter().position(|token| matches!(token, Token::Sign(_)));
        let (segment, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        let (sign, behind) = match behind.split_first() {
            Some((Token::Sign(sign), behind)) => (*sign, behind),
            _ => (";", behind),
        };
        if !segment.is_empty() {
            writer.segment(segment, before, sign)?;
            writer.sign(sign)?;
        } else if sign != ";" {
            return None;
        }
        before = sign;
        rest = behind;
        if rest.is_empty() {
            break;
        }
    }
    (writer.open.is_empty() && writer.awaits.is_none()).then_some(writer.out)
}

/// The variables that may have more than one element, or none.
fn lists(tokens: &[Token]) -> Vec<String> {
    let mut lists = Vec::new();
    for segment in tokens.split(|token| matches!(token, Token::Sign(_))) {
        let mut words = segment.iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            Token::Sign(_) | Token::Redirect(_) => None,
        });
        if words.find(|word| word.is("set")).is_some() {
            let given: Vec<&Word> = words.collect();
            let is_option = |word: &&&Word| word.literal().is_some_and(|text| text.starts_with('-'));
            let options = given.iter().take_while(is_option).count();
            // What is added stands beside what was there.
            let adds =
                given.iter().take(options).any(|word| word.literal().is_some_and(|text| text.contains(['a', 'p'])));
            let mut given = given.into_iter().skip(options);
            let name = given.next().and_then(Word::literal).unwrap_or_default();
            let values: Vec<&Word> = given.collect();
            if adds || !matches!(values.as_slice(), [only] if only.is_single()) {
                lists.push(name);
            }
        }
    }
    lists
}

/// Whether a word in the place of a command is a directory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    Surely,
    Perhaps,
}

/// `/etc` alone goes there, unless it is a program. A name with an ending, or in a directory of programs, is one.
fn goes_there(name: &str) -> Option<Goes> {
    let is_path = name.starts_with(['/', '~']) || name.starts_with("./") || name.starts_with("..");
    let last = name.rsplit('/').next().unwrap_or(name);
    match last {
        _ if !is_path => None,
        "" | "~" | ".." | "." => Some(Goes::Surely),
        last if last.contains('.') || name.contains("/bin/") => None,
        _ => Some(Goes::Perhaps),
    }
}

struct Writer<'c> {
    out: String,
    /// What closes each open block, and whether something was set or moved within it.
    open: Vec<(&'static str, bool)>,
    /// What follows a condition.
    awaits: Option<&'static str>,
    lists: Vec<String>,
    /// The variables of loops that are open, with how many blocks are.
    loops: Vec<(usize, String)>,
    /// The variables that keep their last value in fish, and have none in bash.
    lost: Vec<String>,
    /// Where each variable is set.
    scopes: HashMap<String, char>,
    depth: usize,
    certain: &'c mut bool,
}

impl Writer<'_> {
    /// What parts two commands.
    fn sign(&mut self, sign: &str) -> Option<()> {
        match (sign, self.awaits) {
            (";", Some(_)) => {
                self.out.push_str(self.awaits.take()?);
                self.out.push('\n');
            }
            (";", None) => self.out.push('\n'),
            ("&", None) => self.out.push_str(" &\n"),
            ("&", Some(_)) => return None,
            (sign, _) => {
                self.out.push(' ');
                self.out.push_str(sign);
                self.out.push(' ');
            }
        }
        Some(())
    }

    /// One command with the words before it, between two signs.
    fn segment(&mut self, tokens: &[Token], before: &str, behind: &str) -> Option<()> {
        let piped = before == "|" || behind == "|" || behind == "&";
        let (head, rest) = match tokens.split_first() {
            Some((Token::Word(head), rest)) => (head, rest),
            _ => return None,
        };
        let Some(name) = head.literal() else {
            // Whatever the variable holds runs, be it something of fish's own.
            *self.certain = false;
            return self.words(tokens);
        };
        // Behind a condition these would belong to it.
        let after_condition = self.out.trim_end().ends_with("then") || self.out.trim_end().ends_with(" do");
        match name.as_str() {
            "and" | "or" if before == ";" && !after_condition && !self.out.trim().is_empty() => {
                // It goes on from the statement before.
                let end = self.out.trim_end().len();
                self.out.truncate(end);
                self.out.push_str(if name == "and" { " && " } else { " || " });
                self.segment(rest, "&&", behind)
            }
            "not" | "!" if before != "|" => {
                self.out.push_str("! ");
                self.segment(rest, "!", behind)
            }
            "for" if before != "|" => self.for_each(rest, behind),
            "while" if before != "|" => self.condition("while ", "done", "; do", rest, behind),
            "if" if before != "|" => self.condition("if ", "fi", "; then", rest, behind),
            "else" => match rest.split_first() {
                None => {
                    self.out.push_str("else");
                    self.open.last().filter(|(close, _)| *close == "fi").map(|_| ())
                }
                Some((Token::Word(word), rest)) if word.is("if") => {
                    self.open.pop().filter(|(close, _)| *close == "fi")?;
                    self.condition("elif ", "fi", "; then", rest, behind)
                }
                Some(_) => None,
            },
            "begin" if before != "|" => {
                self.open.push(("}", false));
                self.out.push_str("{ ");
                if rest.is_empty() { Some(()) } else { self.segment(rest, ";", behind) }
            }
            "end" => {
                let (close, changes) = self.open.pop()?;
                // There everything happens in one process, and here in another one.
                let variable = self.loops.pop_if(|(depth, _)| *depth > self.open.len());
                self.lost.extend(variable.filter(|_| piped).map(|(_, name)| name));
                if changes && piped || rest.iter().step_by(2).any(|token| !matches!(token, Token::Redirect(_))) {
                    return None;
                }
                self.out.push_str(close);
                self.words(rest)
            }
            "set" if !piped && self.depth == 0 => self.set(rest),
            "cd" if !piped && self.depth == 0 => {
                self.changes();
                self.words(tokens)
            }
            "source" | "." => {
                *self.certain = false;
                if rest.is_empty() {
                    // It reads what flows in.
                    self.out.push_str("bash");
                    return Some(());
                }
                self.words(tokens)
            }
            "eval" | "alias" if !piped => self.evaluated(&name, rest),
            name if is_listed(BEFORE_ANOTHER, name) && !rest.is_empty() => {
                self.out.push_str(name);
                self.out.push(' ');
                self.program(rest)
            }
            _ => self.program(tokens),
        }
    }

    /// A command that is a program, or means the same to both.
    fn program(&mut self, tokens: &[Token]) -> Option<()> {
        let Some(Token::Word(head)) = tokens.first() else { return None };
        let name = head.literal()?;
        let words: Vec<String> = tokens
            .iter()
            .filter_map(|token| match token {
                Token::Word(word) => Some(word.literal().unwrap_or_default()),
                Token::Sign(_) | Token::Redirect(_) => None,
            })
            .collect();
        let second = words.get(1).map_or("", String::as_str);
        let differs = match name.as_str() {
            // These have other options, or set variables.
            "printf" => second.starts_with("-v"),
            "echo" => second.starts_with('-') && second.contains('s'),
            "string" => {
                tokens.iter().any(|token| matches!(token, Token::Word(word) if format!("{word:?}").contains("(?<")))
            }
            name => is_listed(OWN, name) || is_listed(BEFORE_ANOTHER, name) && tokens.len() > 1,
        };
        // `NAME=value command` sets the variable for the command.
        if let Some((variable, _)) = name.split_once('=').filter(|(variable, _)| is_name(variable)) {
            let (first, rest) = tokens.split_first()?;
            self.words(std::slice::from_ref(first))?;
            self.out.push(' ');
            return if is_own(variable) { None } else { self.program(rest) };
        }
        if differs {
            return None;
        }
        if let [only] = tokens
            && let Some(goes) = goes_there(&name)
        {
            // A directory in the place of a command is gone into.
            self.changes();
            if goes == Goes::Perhaps {
                self.words(std::slice::from_ref(only))?;
                self.out.push_str(" || ");
            }
            self.out.push_str("cd ");
            return self.words(tokens);
        }
        // Without an operand it works on what flows in.
        let told = tokens.iter().position(|token| matches!(token, Token::Redirect(_))).unwrap_or(tokens.len());
        if let ("string", [_, sub, rest @ ..]) = (name.as_str(), words.get(..told)?)
            && rest.iter().all(|word| word.starts_with('-'))
            && let Some(filter) = [("collect", "cat"), ("lower", "tr A-Z a-z"), ("upper", "tr a-z A-Z")]
                .iter()
                .find_map(|(name, filter)| (name == sub).then_some(filter))
        {
            self.out.push_str(filter);
            self.out.push(' ');
            return self.words(tokens.get(told..)?);
        }
        self.words(tokens)
    }

    fn for_each(&mut self, tokens: &[Token], behind: &str) -> Option<()> {
        let [Token::Word(name), Token::Word(within), list @ ..] = tokens else { return None };
        let name = name.literal().filter(|name| is_name(name))?;
        if !within.is("in") || behind != ";" || list.iter().any(|token| !matches!(token, Token::Word(_))) {
            return None;
        }
        self.out.push_str(&format!("for {name} in "));
        self.words(list)?;
        self.lost.retain(|lost| *lost != name);
        self.changes();
        self.open.push(("done", false));
        self.loops.push((self.open.len(), name));
        self.awaits = Some("; do");
        Some(())
    }

    fn condition(
        &mut self,
        word: &str,
        close: &'static str,
        awaits: &'static str,
        rest: &[Token],
        behind: &str,
    ) -> Option<()> {
        let starts_block = matches!(rest.first(), Some(Token::Word(word)) if word.literal().is_some_and(|name| is_listed("if while for begin end else switch function set", &name)));
        if rest.is_empty() || starts_block {
            return None;
        }
        self.out.push_str(word);
        self.open.push((close, false));
        self.segment(rest, word, behind)?;
        self.awaits = Some(awaits);
        Some(())
    }

    /// Something is set or moved within every block that is open.
    fn changes(&mut self) {
        self.open.iter_mut().for_each(|(_, changes)| *changes = true);
    }

    /// `set -l name values`: a list.
    fn set(&mut self, tokens: &[Token]) -> Option<()> {
        let words: Vec<&Word> = tokens
            .iter()
            .map(|token| match token {
                Token::Word(word) => Some(word),
                Token::Sign(_) | Token::Redirect(_) => None,
            })
            .collect::<Option<_>>()?;
        let mut words = words.as_slice();
        let (mut exports, mut scope, mut adds) = (false, None, None);
        while let Some((option, rest)) = words.split_first()
            && let Some(option) = option.literal().filter(|option| option.starts_with('-'))
        {
            let letters = match option.as_str() {
                "--local" => "l",
                "--global" => "g",
                "--function" => "f",
                "--export" => "x",
                "--append" => "a",
                "--prepend" => "p",
                option => option.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?,
            };
            for letter in letters.chars() {
                match letter {
                    'x' => exports = true,
                    'l' | 'g' | 'f' => scope = Some(letter),
                    'a' | 'p' if adds.is_none() => adds = Some(letter),
                    _ => return None,
                }
            }
            words = rest;
        }
        let (name, values) = words.split_first()?;
        let name =
            name.literal().filter(|name| is_name(name) && !is_own(name) && name != "argv" && name != "status")?;
        // What is local to a block is gone behind it, and hides what is global.
        let local = matches!(scope, Some('l' | 'f'));
        let hidden = scope.is_some_and(|scope| self.scopes.get(&name).is_some_and(|other| *other != scope));
        if local && !self.open.is_empty() || hidden {
            return None;
        }
        self.scopes.entry(name.clone()).or_insert(scope.unwrap_or('g'));
        self.lost.retain(|lost| *lost != name);
        self.changes();
        if exports && adds.is_some() {
            return None;
        }
        match (exports, values) {
            (true, [value]) => {
                self.out.push_str(&format!("export {name}="));
                if !value.is_single() {
                    return None;
                }
                self.word(value)
            }
            (true, values) => {
                // Only lists of directories are handed on with a sign between them.
                if !name.ends_with("PATH") || values.is_empty() {
                    return None;
                }
                self.out.push_str(&format!("export {name}="));
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        self.out.push(':');
                    }
                    match value.parts.as_slice() {
                        [Part::Variable(own)] if *own == name => self.out.push_str(&format!("\"${name}\"")),
                        _ if value.is_single() => self.word(value)?,
                        _ => return None,
                    }
                }
                Some(())
            }
            (false, values) => {
                let sign = if adds == Some('a') { "+=" } else { "=" };
                self.out.push_str(&format!("{name}{sign}("));
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        self.out.push(' ');
                    }
                    self.word(value)?;
                }
                if adds == Some('p') {
                    self.out.push_str(&format!(" \"${{{name}[@]}}\""));
                }
                self.out.push(')');
                Some(())
            }
        }
    }

    /// `eval` and `alias`: text that runs now or later.
    fn evaluated(&mut self, name: &str, tokens: &[Token]) -> Option<()> {
        let texts: Option<Vec<String>> = tokens
            .iter()
            .map(|token| match token {
                Token::Word(word) => word.literal(),
                Token::Sign(_) | Token::Redirect(_) => None,
            })
            .collect();
        let Some(texts) = texts else {
            *self.certain = false;
            self.out.push_str("eval ");
            return self.words(tokens);
        };
        let text = match (name, texts.as_slice()) {
            ("eval", texts) => texts.join(" "),
            (_, [one]) => one.split_once('=')?.1.to_owned(),
            (_, [.., body]) => body.clone(),
            (_, []) => return Some(()),
        };
        if name == "alias" {
            *self.certain = false;
        }
        // Variables of the outer text may be lists.
        if text.contains('$') {
            *self.certain = false;
        }
        let inner = translated(&text, self.depth + 1, &self.lists, self.certain)?;
        self.out.push_str(&format!("{{ {}\n}}", inner.trim_end()));
        Some(())
    }

    fn words(&mut self, tokens: &[Token]) -> Option<()> {
        let mut tokens = tokens.iter();
        let mut first = true;
        while let Some(token) = tokens.next() {
            if !first {
                self.out.push(' ');
            }
            first = false;
            match token {
                Token::Word(word) => self.word(word)?,
                Token::Redirect(signs) => {
                    let Some(Token::Word(target)) = tokens.next() else { return None };
                    // A list in its place is an error to both.
                    self.out.push_str(if self.out.ends_with([' ', '\n']) || self.out.is_empty() { "" } else { " " });
                    self.out.push_str(signs);
                    if !signs.ends_with('&') {
                        self.out.push(' ');
                    }
                    self.word(target)?;
                }
                Token::Sign(_) => return None,
            }
        }
        Some(())
    }

    fn word(&mut self, word: &Word) -> Option<()> {
        let alone = word.parts.len() == 1;
        for part in &word.parts {
            let uses = |name: &String| match part {
                Part::Variable(used) => used == name,
                Part::Quoted(text, None) => joined(name).is_some_and(|name| text.contains(&name)),
                Part::Plain(_) | Part::Quoted(..) | Part::Code(_) => false,
            };
            if self.lost.iter().any(uses) {
                return None;
            }
            match part {
                Part::Plain(text) | Part::Quoted(text, _) => self.out.push_str(text),
                Part::Variable(name) => match name.as_str() {
                    "argv" if alone => self.out.push_str("\"$@\""),
                    "status" => self.out.push_str("$?"),
                    name if is_own(name) || name == "argv" => return None,
                    name if alone => self.out.push_str(&format!("\"${{{name}[@]}}\"")),
                    // What stands beside a list stands beside each of its elements.
                    name if self.lists.iter().any(|list| list == name) || name.ends_with("PATH") => return None,
                    name => self.out.push_str(&format!("\"${name}\"")),
                },
                Part::Code(code) if alone && !self.lost.iter().any(|name| code.contains(name.as_str())) => {
                    let inner = translated(code, self.depth + 1, &self.lists, self.certain)?;
                    self.out.push_str(&format!("$({})", inner.trim()));
                }
                Part::Code(_) => return None,
            }
        }
        Some(())
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
