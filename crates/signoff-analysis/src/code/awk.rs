//! What only awk has: output that goes to files and programs.

use signoff_model::Dialect;

use super::{
    lexer::Token,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{
    path_effects::Write,
    shell::Written,
    value::{Feed, Origin, Value},
};

impl Reader<'_, '_> {
    /// `print > "file"`, `print | "command"`, `"command" | getline`, behind an expression.
    pub(super) fn awk_redirection(&mut self, sign: &'static str, left: &Thing) -> Option<Thing> {
        if matches!(sign, "|" | "|&") {
            self.frame.at += 1;
            if self.take_name("getline") {
                let inet = left.known().is_some_and(|known| known.starts_with("/inet"));
                let feed = if inet {
                    let peer = left.known().unwrap_or_default().to_owned();
                    self.seen.connects = Some(peer.clone());
                    super::network::connection(Some(peer))
                } else {
                    self.run_shell_text(left)
                };
                if matches!(self.peek(), Some(Token::Name(_)))
                    && let Some(name) = self.take_any_name()
                {
                    self.bind(&name, feed.clone());
                }
                return Some(feed);
            }
            let command = self.operand_joined();
            if command.known().is_some_and(|known| known.starts_with("/inet")) {
                self.seen.connects = Some(command.known().unwrap_or_default().to_owned());
                let sent = Args { items: vec![left.clone(), self.input()], named: Vec::new() };
                super::network::send(self, Some(&command), &sent);
                return Some(Thing::unknown());
            }
            let value = left.value();
            let feed = match value.known() {
                Some(_) if self.straight => Feed::of(value),
                _ => {
                    let from = left.origins().and(self.stdin.origins.clone());
                    Feed::from_all(from.and([Origin::Program("awk".into())]))
                }
            };
            let arg = command.arg(self.span);
            self.shell.subshell(|shell| shell.run_text(&arg, Dialect::Sh, feed));
            return Some(Thing::unknown());
        }
        // Behind `print` a greater-than sign writes a file; elsewhere it compares.
        let writes = self.printing && !self.frame.grouped || sign == ">>";
        self.frame.at += 1;
        let right = self.operand_joined();
        if writes {
            let how = if sign == ">>" { Write::Append } else { Write::Replace };
            if !matches!(right.known(), Some("/dev/stderr" | "/dev/stdout" | "/dev/null")) {
                let file = right.arg(self.span);
                self.shell.write(&file, how);
                let printed = left.value();
                let feed = match printed.known() {
                    Some(text) if !text.is_empty() && how == Write::Replace => {
                        Feed::of(Value::text(format!("{text}\n")))
                    }
                    _ => Feed::from_all(left.origins().and(self.stdin.origins.clone())),
                };
                if !feed.is_none() {
                    self.shell.remember_written(&file, Written::Content(feed));
                }
            }
        }
        Some(Thing::unknown())
    }

    /// `getline`, `getline name`, `getline name < "file"`; the name of the function was just read.
    pub(super) fn awk_getline(&mut self) -> Thing {
        let name = self.take_any_name();
        let line = if self.take_sign("<") {
            let file = self.operand();
            Thing::result("getline", self.read_file(Some(&file), "getline").origins())
        } else {
            self.input()
        };
        // Without a name it is the line that is printed without a name.
        if name.is_none() {
            self.line = Some(line.clone());
        }
        if let Some(name) = name {
            self.bind(&name, line.clone());
        }
        line
    }

    /// An operand with what is put behind it without a sign.
    fn operand_joined(&mut self) -> Thing {
        let mut all = self.operand();
        while matches!(self.peek(), Some(Token::Text(_) | Token::Name(_) | Token::Sign("$") | Token::Number(_)))
            && self.may_step()
        {
            let more = self.operand();
            all = all.joined(&more);
        }
        all
    }
}
