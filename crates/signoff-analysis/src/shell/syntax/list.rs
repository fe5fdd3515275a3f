//! Lists, and-or lists and pipelines.

use signoff_model::Dialect;

use super::keyword::Keyword;
use super::parser::Parser;
use super::tree::{AndOr, Connector, Item, Pipeline};

/// Which list is being read, and so what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// A whole text: nothing but its end ends it.
    Text,
    /// The inside of `$(…)` or its kin: `)` ends it.
    Parenthesis,
    /// The inside of a compound command: whatever closes any compound command ends it, and the compound command
    /// complains if that is not its own.
    Inner,
    /// The condition of a short form of zsh: also ends where a command has no separator after it.
    Condition,
}

impl<'t> Parser<'t> {
    /// The items of a whole text, with its heredocs in place.
    pub(super) fn script_items(&mut self) -> &'t [Item<'t>] {
        let items = self.list(Level::Text);
        self.end_here_documents();
        items
    }

    /// The items up to the `)` of a substitution.
    pub(super) fn substitution_items(&mut self) -> &'t [Item<'t>] {
        self.list(Level::Parenthesis)
    }

    /// The items of a compound command. An empty list is an error, as it is for the shell.
    pub(super) fn inner_list(&mut self) -> &'t [Item<'t>] {
        let items = self.inner_list_or_nothing();
        if items.is_empty() && self.dialect != Dialect::Zsh {
            self.unexpected();
        }
        items
    }

    /// The items of a compound command, if any.
    pub(super) fn inner_list_or_nothing(&mut self) -> &'t [Item<'t>] {
        self.nested(|parser| parser.list(Level::Inner))
    }

    /// The condition of `if`, `while` and `until`.
    pub(super) fn condition_list(&mut self) -> &'t [Item<'t>] {
        match self.dialect {
            Dialect::Zsh => self.nested(|parser| parser.list(Level::Condition)),
            Dialect::Bash | Dialect::Sh => self.inner_list(),
        }
    }

    fn list(&mut self, level: Level) -> &'t [Item<'t>] {
        let below = self.piles.items.len();
        loop {
            self.skip_lines();
            let Some(byte) = self.peek() else { break };
            if self.at_closer() {
                let inner = matches!(level, Level::Inner | Level::Condition);
                if inner || (level == Level::Parenthesis && byte == b')') {
                    break;
                }
                self.skip_unexpected();
                continue;
            }
            let start = self.pos;
            match self.item(level) {
                Some((item, separated)) => {
                    self.piles.items.push(item);
                    if level == Level::Condition && !separated {
                        break;
                    }
                }
                None if self.dialect == Dialect::Zsh && byte == b';' => self.bump(),
                None => self.skip_unexpected(),
            }
            if self.pos == start && !self.progress.stopped {
                self.skip_unexpected();
            }
        }
        self.arena.pile(&mut self.piles.items, below)
    }

    /// Notes an error and steps over what cannot stand here, so that what follows is still read.
    fn skip_unexpected(&mut self) {
        self.unexpected();
        if self.keyword().is_some() {
            self.skip_keyword();
        } else {
            match self.peek() {
                Some(b'\n') => self.newline(),
                Some(byte) if byte.is_ascii() => self.bump(),
                Some(_) => {
                    self.take_character();
                }
                None => {}
            }
        }
    }

    /// Whether something comes next that ends a list.
    pub(super) fn at_closer(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => {
                matches!(self.peek_after(1), Some(b';' | b'&'))
                    || (self.dialect == Dialect::Zsh && self.peek_after(1) == Some(b'|'))
            }
            Some(_) => self.keyword().is_some_and(Keyword::closes),
        }
    }

    /// One and-or list with the separator after it, and whether there was one. Nothing is consumed when no command begins here.
    fn item(&mut self, level: Level) -> Option<(Item<'t>, bool)> {
        let list = self.and_or()?;
        let span = list.span();
        let mut background = false;
        let mut separated = true;
        self.skip_blanks();
        match self.peek() {
            Some(b';') if !self.at_closer() => self.bump(),
            Some(b'&') if self.peek_after(1) != Some(b'&') => {
                background = true;
                self.bump();
                if self.dialect == Dialect::Zsh && matches!(self.peek(), Some(b'!' | b'|')) {
                    self.bump();
                }
            }
            None | Some(b'\n') => {}
            // After a compound command a reserved word needs no separator before it: `{ (a) }`.
            Some(_) if self.at_closer() => {}
            Some(_) if level == Level::Condition => separated = false,
            Some(_) => self.unexpected(),
        }
        Some((Item { list, background, span }, separated))
    }

    /// Pipelines joined by `&&` and `||`. Nothing is consumed when no command begins here.
    pub(super) fn and_or(&mut self) -> Option<AndOr<'t>> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let connector = if self.at(b"&&") {
                Connector::And
            } else if self.at(b"||") {
                Connector::Or
            } else {
                break;
            };
            self.bump_by(2);
            self.skip_lines();
            match self.pipeline() {
                Some(pipeline) => rest.push((connector, pipeline)),
                None => {
                    self.unexpected();
                    break;
                }
            }
        }
        Some(AndOr { first, rest: self.arena.list(&rest) })
    }

    /// Commands joined by `|`. Nothing is consumed when no command begins here.
    pub(super) fn pipeline(&mut self) -> Option<Pipeline<'t>> {
        self.skip_blanks();
        let start = self.pos;
        let mut negated = false;
        let mut timed = false;
        loop {
            match self.keyword() {
                Some(Keyword::Bang) => {
                    negated = !negated;
                    self.skip_keyword();
                }
                Some(Keyword::Time) => {
                    timed = true;
                    self.skip_keyword();
                    self.skip_time_options();
                }
                _ => break,
            }
            self.skip_blanks();
        }
        let prefixed = self.pos != start;
        let prefix = self.span_from(start);
        let below = self.piles.commands.len();
        match self.command() {
            Some(command) => self.piles.commands.push(command),
            // A lone `!` or `time` is a command of its own, but only at the end of a list.
            None if prefixed && !self.at(b"|") && !self.at(b"&") => {}
            None if prefixed => self.unexpected(),
            None => return None,
        }
        loop {
            self.skip_blanks();
            if !self.at(b"|") || self.at(b"||") {
                break;
            }
            self.bump();
            if self.peek() == Some(b'&') {
                self.bump();
            }
            self.skip_lines();
            match self.command() {
                Some(command) => self.piles.commands.push(command),
                None => {
                    self.unexpected();
                    if self.keyword() == Some(Keyword::Bang) {
                        // Only the start of a pipeline can be negated; what follows is read all the same.
                        self.skip_keyword();
                        self.skip_blanks();
                        let command = self.command();
                        self.piles.commands.extend(command);
                        continue;
                    }
                    break;
                }
            }
        }
        // The position may be behind blanks and a comment; the last command knows where it ends.
        let commands = self.arena.pile(&mut self.piles.commands, below);
        let span = commands.last().map_or(prefix, |command| prefix.to(command.span()));
        Some(Pipeline { negated, timed, commands, span })
    }

    fn skip_time_options(&mut self) {
        self.skip_blanks();
        for option in [&b"-p"[..], b"--"] {
            let ends = self.peek_after(2).is_none_or(super::cursor::ends_word);
            if self.at(option) && ends {
                self.bump_by(2);
                self.skip_blanks();
            }
        }
    }
}
