//! The list of commands that the shell remembers: what a text puts there can be run again, and written to a file.

use signoff_model::Unread;

use super::{call::Call, contents::Variable, machine::Shell, written::Written};
use crate::{
    path_effects::Write,
    value::{Arg, Feed, Origin, Piece, Value},
};

/// The name under which the commands are kept.
const LIST: &str = "the history";

impl Shell<'_> {
    /// `history -s words`, `print -s words`: the words are remembered as one command.
    pub(super) fn remember_command(&mut self, words: &[Arg]) {
        let mut command = Value::default();
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                command.push(Piece::text(" "));
            }
            command.extend(word.value.clone());
        }
        self.keep(LIST, command);
    }

    /// The commands that the text has put into the list, if the list holds no others that count.
    fn remembered(&self) -> Vec<Value> {
        self.kept(LIST).to_vec()
    }

    /// Remembers a value with the others of this list. No variable can be called as the lists are: there is a blank in it.
    pub(crate) fn keep(&mut self, list: &'static str, value: Value) {
        let mut all = self.kept(list).to_vec();
        all.push(value);
        self.state.variables.insert(list.to_owned(), Variable::Scalar(all));
    }

    /// What the text has put into this list.
    pub(crate) fn kept(&self, list: &'static str) -> &[Value] {
        match self.state.variables.get(list) {
            Some(Variable::Scalar(values)) => values,
            _ => &[],
        }
    }

    /// `history`: adds to the list, or writes it.
    pub(super) fn change_history(&mut self, call: &Call) {
        let options = call.args.iter().take_while(|arg| arg.is_option()).count();
        let (options, words) = call.args.split_at_checked(options).unwrap_or_default();
        let has = |letter: char| options.iter().any(|arg| arg.value.prefix().contains(letter));
        if has('s') {
            return self.remember_command(words);
        }
        let Some(file) = words.first() else { return };
        if has('a') {
            self.write(file, Write::Append);
        } else if has('w') {
            self.write_over(file);
        } else if has('r') || has('n') {
            let feed = self.read(file);
            let lines = feed.known().map(|text| text.lines().map(Value::text).collect::<Vec<_>>());
            for line in lines.unwrap_or_else(|| vec![feed.clone().into_value("history")]) {
                self.remember_command(&[Arg { value: line, span: file.span }]);
            }
            return;
        } else {
            return;
        }
        let mut text = String::new();
        for command in self.remembered() {
            text.push_str(&command.shown());
            text.push('\n');
        }
        let held =
            if text.is_empty() { Feed::from(Origin::Program("history".into())) } else { Feed::of(Value::text(text)) };
        self.remember_written(file, Written::Content(held));
    }

    /// `fc -s`, `fc -e -`, `r`: a command of the list runs again. Which one is not followed: any of them may.
    pub(super) fn run_history(&mut self, call: &Call) -> Feed {
        let letters = |arg: &Arg, wanted: &str| {
            arg.is_option() && arg.value.prefix().bytes().skip(1).any(|letter| wanted.as_bytes().contains(&letter))
        };
        // It lists, reads and writes with these letters, which in zsh are the large ones.
        if call.name == "fc" && call.args.iter().any(|arg| letters(arg, "lRWApPI")) {
            if let Some(at) = call.args.iter().position(|arg| letters(arg, "WA"))
                && let Some(file) = call.args.get(at + 1)
            {
                self.write_over(file);
            }
            return call.output();
        }
        let commands = self.remembered();
        if commands.is_empty() {
            self.opaque(Unread::Rest, call.span);
            return call.output();
        }
        // `old=new` is put in before the command runs.
        let changes: Vec<(String, String)> = call
            .args
            .iter()
            .filter_map(|arg| arg.known()?.split_once('='))
            .map(|(old, new)| (old.to_owned(), new.to_owned()))
            .collect();
        let mut printed = Feed::none();
        for command in commands {
            let value = match command.known() {
                Some(text) => {
                    let changed = changes.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
                    Value::text(changed)
                }
                None => command,
            };
            printed = printed.or(self.run_text(&Arg { value, span: call.span }, self.dialect, Feed::none()));
        }
        printed
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_is_remembered_runs_again() {
        check(
            Verdict::Block,
            &[
                "history -s 'rm -rf ~'; fc -s",
                "history -s rm -rf \\~; fc -e -",
                "history -s ls; history -s 'echo -rf ~'; fc -s echo=rm",
                "history -a ~/.ssh/authorized_keys",
                // Whoever writes the list anew leaves out of it what nobody shall see.
                "history -w src/main.rs",
                "zsh -c 'print -s \"rm -rf ~\"; r'",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "fc -s",
                "fc -e - make",
                "fc",
                "history -s 'rm -rf src'; fc -s",
                "history -s 'rm -rf src'; history -a t.sh; sh t.sh",
                "history -w ~/.bashrc",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "history",
                "history 20",
                "history | grep make",
                "fc -l",
                "fc -ln -10",
                "history -s 'ls -la'; fc -s",
                "history -s 'rm -rf src'",
                "history -a /tmp/session.txt",
            ],
        );
    }
}
