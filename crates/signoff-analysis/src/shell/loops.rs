//! Loops: over known words and lines one round each, over others until nothing new comes of it.

use signoff_model::Span;

use super::{
    contents::Variable,
    machine::Shell,
    picks::Next,
    reading::LOST,
    syntax::tree::{Command, Compound, Connector, Item, SimpleCommand, Word, WordPart},
};
use crate::value::{Feed, Origin, Piece, Value};

/// A loop over known words is walked once for each, up to this many.
const MAX_ROUNDS: usize = 256;

/// A loop without known words is walked again while it changes variables, up to this many times.
const MAX_REPEATS: usize = 6;

/// A word that is not known and has no name of its own is called by the variable that it is in.
fn named(value: &Value, variable: &str) -> Value {
    match value.pieces() {
        [Piece::Unknown(unknown)] if unknown.shown == "$(…)" => {
            Value::unknown(format!("${variable}"), unknown.origins.clone())
        }
        _ => value.clone(),
    }
}

impl<'a> Shell<'a> {
    pub(super) fn walk_while(
        &mut self,
        until: bool,
        condition: &'a [Item<'a>],
        body: &'a [Item<'a>],
        stdin: &Feed,
    ) -> Feed {
        let mut early = Feed::none();
        // A known input is read line by line, so that `while read x` sees each of them.
        if let Some(text) = stdin.known()
            && !text.is_empty()
            && text.lines().count() <= MAX_ROUNDS
            && reads_input(condition)
        {
            let mut out = Feed::none();
            let mut rounds = Vec::new();
            let leaves = leaves_early(body);
            let left = self.left.len();
            // Whatever else the condition asks may end the loop before any of the lines.
            let sure = !until && self.only_reads(condition);
            let mut stood = Vec::new();
            let mut went_on = true;
            while went_on && self.state.taken(0) < text.len() {
                let start = self.state.taken(0);
                if !sure {
                    rounds.push(self.state.memory());
                    stood.push(self.standing());
                }
                self.walk_round(condition, &[], stdin);
                let printed = self.walk_round(&[], body, stdin);
                out = self.gather(out, printed);
                if leaves {
                    rounds.push(self.state.memory());
                }
                went_on = self.state.taken(0) > start;
            }
            if went_on && self.state.taken(0) != LOST {
                // At the end there is nothing left to read.
                self.walk_round(condition, &[], stdin);
                // A `break` may have left after any of them.
                rounds.iter().for_each(|round| self.recall(round));
                stood.iter().for_each(|standing| self.may_stand_as(standing));
                self.recall_left(left);
                return if leaves || !sure { out.or_other() } else { out };
            }
            // How far the input was read is not known: any line may come next.
            rounds.iter().for_each(|round| self.recall(round));
            stood.iter().for_each(|standing| self.may_stand_as(standing));
            self.recall_left(left);
            early = out;
        }
        let before = self.state.memory();
        let stood = self.standing();
        let left = self.left.len();
        let mut rounds = vec![before.clone()];
        self.loops += 1;
        let first = self.walk_round(condition, body, stdin);
        let mut out = self.gather(early, first);
        // The second round sees what the first has changed, and so on, as far as values can wander from one variable to
        // the next. Loops in loops would multiply the work at each level: there, one round must do.
        let most = if self.loops > 1 { 0 } else { self.state.changed_variables(&before).len().min(MAX_REPEATS) };
        let moved = usize::from(self.loops == 1 && self.standing() != stood);
        for _ in 0..most.max(moved) {
            let start = self.state.clone();
            rounds.push(self.state.memory());
            let printed = self.walk_round(condition, body, stdin);
            out = self.gather(out, printed);
            // A round that changes nothing is followed by others like it.
            if self.state == start {
                break;
            }
        }
        // What still changes from round to round has some value in the end, and in the rounds before the end.
        if rounds.last().is_some_and(|last| self.widen(last)) && self.loops == 1 {
            let printed = self.walk_round(condition, body, stdin);
            out = self.gather(out, printed);
            if let Some(last) = rounds.last() {
                self.widen(last);
            }
        }
        self.loops -= 1;
        rounds.iter().for_each(|round| self.recall(round));
        self.may_stand_as(&stood);
        self.recall_left(left);
        out.or_other()
    }

    fn walk_round(&mut self, condition: &'a [Item<'a>], body: &'a [Item<'a>], stdin: &Feed) -> Feed {
        self.in_loops += 1;
        // A round finds what the rounds before it have left.
        self.disturbed = true;
        let before = (!body.is_empty()).then(|| self.state.clone());
        let asked = self.walk_condition(condition, stdin);
        // Behind the last round stands what the condition has made, and not what the body makes of it.
        if before.is_some_and(|before| before != self.state) {
            self.leave_here();
        }
        // The loop ends where the condition fails, and goes on where it does not, or the other way round.
        self.go_on_anyway();
        let printed = self.walk_through(body, stdin);
        self.in_loops -= 1;
        self.gather(asked, printed)
    }

    pub(super) fn walk_for(
        &mut self,
        names: &[&str],
        words: Option<&'a [Word<'a>]>,
        body: &'a [Item<'a>],
        stdin: &Feed,
    ) -> Feed {
        let (values, several) = match words {
            Some(words) => self.loop_words(words),
            None => match &self.state.positional {
                Some(args) => (args.iter().map(|arg| arg.value.clone()).collect(), false),
                None => (vec![Value::unknown("$@", vec![Origin::Variable("@".to_owned())])], true),
            },
        };
        let mut out = Feed::none();
        // A word that is not known may be any number of words.
        let vanishes = |value: &Value| self.patterns_vanish && value.has_glob();
        let unknown =
            several || values.len() > MAX_ROUNDS || values.iter().any(|value| value.has_unknown() || vanishes(value));
        let rounds: Vec<Value> = if values.len() <= MAX_ROUNDS {
            values
        } else {
            vec![Value::unknown(format!("${}", names.first().unwrap_or(&"x")), Vec::new())]
        };
        let leaves = leaves_early(body);
        let left = self.left.len();
        let mut before = vec![self.state.memory()];
        let mut stood = vec![self.standing()];
        for value in &rounds {
            for name in names {
                match (self.state.variables.get(name), value.known()) {
                    // A reference refers to each of the words in turn.
                    (Some(Variable::Reference(_)), Some(other)) => {
                        self.state.variables.insert((*name).to_owned(), Variable::Reference(other.to_owned()));
                    }
                    _ => self.set_variable(name, Variable::Scalar(vec![named(value, name)]), Span::default()),
                }
            }
            let printed = self.walk_round(&[], body, stdin);
            out = self.gather(out, printed);
            if leaves {
                before.push(self.state.memory());
            }
            if leaves || unknown {
                stood.push(self.standing());
            }
        }
        if let Some(last) = before.last()
            && unknown
        {
            self.widen(last);
        }
        if leaves || unknown || rounds.is_empty() {
            before.iter().for_each(|round| self.recall(round));
            stood.iter().for_each(|standing| self.may_stand_as(standing));
        }
        self.recall_left(left);
        if leaves {
            out = out.or_other();
        }
        out
    }

    /// Whether a condition holds for every line that is left: it reads one, or asks something else only where none is left.
    fn only_reads(&self, condition: &'a [Item<'a>]) -> bool {
        let [Item { list, background: false, .. }] = condition else { return false };
        let [Command::Simple(simple)] = list.first.commands else { return false };
        let Some((name, args)) = simple.words.split_first() else { return false };
        let is_plain = |word: &Word| match word.parts {
            [WordPart::Literal(text)] => {
                text.strip_prefix('-').is_none_or(|letters| letters.chars().all(|it| "ra".contains(it)))
            }
            _ => false,
        };
        matches!(name.parts, [WordPart::Literal(name)] if *name == "read" && !self.state.functions.contains_key(name) && !self.state.aliases.contains_key(name))
            && !list.first.negated
            && simple.redirects.is_empty()
            && args.iter().all(is_plain)
            && list.rest.iter().all(|(connector, _)| *connector == Connector::Or)
    }

    /// The words that a loop goes over, and whether they depend on a branch, so that it may not go over all of them.
    fn loop_words(&mut self, words: &'a [Word<'a>]) -> (Vec<Value>, bool) {
        let outer = std::mem::take(&mut self.picks);
        let mut values: Vec<Value> = self.expand_words(words).into_iter().map(|arg| arg.value).collect();
        let mut several = false;
        loop {
            match self.picks.advance() {
                Next::Done => break,
                Next::TooMany => {
                    values.push(Value::unknown("…", Vec::new()));
                    break;
                }
                Next::Round => {
                    several = true;
                    for arg in self.expand_words(words) {
                        // More than are followed are told apart no further.
                        if values.len() <= MAX_ROUNDS && !values.contains(&arg.value) {
                            values.push(arg.value);
                        }
                    }
                }
            }
        }
        self.picks = outer;
        (values, several)
    }
}

/// Whether something in a loop or a function may end it, or a round of it, early.
pub(super) fn leaves_early(items: &[Item]) -> bool {
    items.iter().any(|item| {
        let rest = item.list.rest.iter().map(|(_, pipeline)| pipeline);
        std::iter::once(&item.list.first).chain(rest).flat_map(|pipeline| pipeline.commands).any(command_leaves)
    })
}

pub(super) fn command_leaves(command: &Command) -> bool {
    match command {
        Command::Simple(simple) => match simple.words.first().map(|word| word.parts) {
            Some([WordPart::Literal(name)]) => {
                is_leaving(name) || matches!(*name, "builtin" | "command") && leaves_by_detour(simple)
            }
            Some([]) | None => false,
            Some(_) => true,
        },
        Command::Compound(compound) => match &compound.kind {
            Compound::Group(items) => leaves_early(items),
            Compound::If { branches, otherwise } => {
                branches.iter().any(|(condition, body)| leaves_early(condition) || leaves_early(body))
                    || otherwise.is_some_and(leaves_early)
            }
            Compound::While { condition, body, .. } => leaves_early(condition) || leaves_early(body),
            Compound::For { body, .. } | Compound::ArithmeticFor { body, .. } => leaves_early(body),
            Compound::Case { arms, .. } => arms.iter().any(|arm| leaves_early(arm.body)),
            Compound::Subshell(_) | Compound::Arithmetic(_) | Compound::Test(_) => false,
        },
        Command::Function(_) | Command::Coproc { .. } => false,
    }
}

/// Whether a command of this name may leave what it stands in.
fn is_leaving(name: &str) -> bool {
    matches!(name, "break" | "continue" | "return" | "exit" | "exec" | "eval" | "source" | ".")
}

/// The same for `command return` and `builtin return`, and for whatever else they may be told to run.
fn leaves_by_detour(simple: &SimpleCommand) -> bool {
    let asks = |word: &Word| matches!(word.parts, [WordPart::Literal(option)] if matches!(*option, "-v" | "-V"));
    !simple.words.get(1).is_some_and(asks)
        && simple.words.iter().skip(1).any(|word| match word.parts {
            [WordPart::Literal(name)] => is_leaving(name),
            _ => true,
        })
}

/// Whether a condition takes a line of the input each time it is asked.
fn reads_input(condition: &[Item]) -> bool {
    condition.iter().any(|item| {
        item.list.first.commands.iter().any(|command| match command {
            Command::Simple(simple) => {
                matches!(simple.words.first().map(|word| word.parts), Some([WordPart::Literal(name)]) if *name == "read")
            }
            _ => false,
        })
    })
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn a_loop_that_may_not_run_changes_nothing_for_sure() {
        check(
            Verdict::Ask,
            &[
                "while read x && [ -f y ]; do cd /tmp; done <<< a; rm -rf src",
                "v=src; while read x && [ -f y ]; do v=build; done <<< a; rm -rf $v",
                "until read x; do cd /tmp; done <<< a; rm -rf src",
                "v=src; until read x; do v=build; done <<< a; rm -rf $v",
                "while ! read x; do cd /tmp; done <<< a; rm -rf src",
                "while read x; [ -f y ]; do cd /tmp; done <<< a; rm -rf src",
                "while read -t 0 x; do cd /tmp; done <<< a; rm -rf src",
                "shopt -s nullglob; v=src; for i in *.no; do v=build; done; rm -rf $v",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "v=src; while read -r x; do v=$x; done <<< build; rm -rf $v",
                "v=src; while IFS= read -r x || [ -n \"$x\" ]; do v=build; done <<< a; rm -rf $v",
                "v=src; for i in *.no; do v=build; done; rm -rf $v",
            ],
        );
    }
}
