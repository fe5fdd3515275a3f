//! The walk over the tree: every part of a compound command by itself, in the order in which the shell would run it.
//!
//! Conditions are not trusted: both branches are walked, and what a branch changes is kept as one possibility more.

use std::rc::Rc;

use signoff_model::{Dialect, Span, Unread};

use super::{
    branches::Memory,
    declarations::DECLARATIONS,
    endings::opens_surely,
    machine::{MAX_DEPTH, Shell, State},
    rules,
    standing::IfFailed,
    syntax::tree::{
        AndOr, AssignedValue, CaseArm, Command, Compound, CompoundCommand, Connector, Item, Pipeline, RedirectOperator,
        Script, SimpleCommand, SyntaxErrorKind, Word, WordPart,
    },
};
use crate::value::{Arg, Feed, Origin, Value};

/// Comparisons of numbers in `[[ … ]]`.
pub(super) const COMPARISONS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// This many commands that run in the background are gone through again for what is written behind them.
const MAX_RUNNING: usize = 4;

/// Looking at an argument of so many bytes costs no more than the command itself.
const SHORT: usize = 32;

impl<'a> Shell<'a> {
    /// Walks a whole script and returns what it prints.
    pub(super) fn walk(&mut self, script: &Script<'a>, stdin: Feed) -> Feed {
        for error in script.errors {
            let rule = match error.kind {
                // Bash warns and takes the rest of the text as the body.
                SyntaxErrorKind::UnclosedHereDocument => continue,
                SyntaxErrorKind::TooDeep | SyntaxErrorKind::TooLong | SyntaxErrorKind::OutOfFuel => &rules::BUDGET,
                SyntaxErrorKind::Unexpected
                | SyntaxErrorKind::UnclosedQuote
                | SyntaxErrorKind::UnclosedBracket
                | SyntaxErrorKind::UnclosedCompound
                | SyntaxErrorKind::BadExpansion => {
                    if self.gives_way() {
                        continue;
                    }
                    &rules::SYNTAX
                }
            };
            let what = error.kind.unread();
            self.findings.gap(what.clone(), self.blamed(error.span));
            self.tell_unread(rule, what, error.span);
        }
        self.walk_items(script.items, &stdin)
    }

    /// Walks commands and goes on behind them whether the last one has failed or not.
    pub(super) fn walk_through(&mut self, items: &'a [Item<'a>], stdin: &Feed) -> Feed {
        let feed = self.walk_items(items, stdin);
        self.go_on_anyway();
        feed
    }

    /// Walks commands that decide what comes next: a failure there does not end the shell.
    pub(super) fn walk_condition(&mut self, items: &'a [Item<'a>], stdin: &Feed) -> Feed {
        self.tolerant += 1;
        let feed = self.walk_items(items, stdin);
        self.tolerant -= 1;
        feed
    }

    pub(super) fn walk_items(&mut self, items: &'a [Item<'a>], stdin: &Feed) -> Feed {
        let mut out = Feed::none();
        let mut running: Vec<(&'a Item<'a>, Memory)> = Vec::new();
        for item in items {
            self.go_on_anyway();
            if self.is_spent() {
                self.spend_out(item.list.first.commands.first().map_or(self.at, Command::span));
                break;
            }
            if self.nested > 0 && self.state.stops_at_failure {
                self.may_end_here();
            }
            let before = self.concurrent;
            self.concurrent |= item.background;
            let outer = self.conditional;
            self.conditional |= item.background;
            let feed = if item.background {
                self.leaves_running = true;
                self.subshell(|shell| shell.walk_list(&item.list, stdin))
            } else {
                self.walk_list(&item.list, stdin)
            };
            self.concurrent = before;
            self.conditional = outer;
            out = self.gather(out, feed);
            if item.background && running.len() < MAX_RUNNING {
                running.push((item, self.state.memory()));
            }
        }
        for (item, then) in running {
            // What was started may come to a file only after something later has written it.
            if self.state.has_written_since(&then) {
                let outer = (self.concurrent, self.conditional);
                (self.concurrent, self.conditional) = (true, true);
                self.subshell(|shell| shell.walk_list(&item.list, stdin));
                (self.concurrent, self.conditional) = outer;
            }
        }
        out
    }

    fn walk_list(&mut self, list: &'a AndOr<'a>, stdin: &Feed) -> Feed {
        if list.rest.is_empty() {
            return self.walk_last(&list.first, stdin);
        }
        self.begin_chain();
        let out = self.walk_chain(list, stdin);
        self.end_chain();
        out
    }

    /// Walks the pipeline that a list ends with. If the shell stops at a failure, nothing follows that of this one.
    fn walk_last(&mut self, pipeline: &'a Pipeline<'a>, stdin: &Feed) -> Feed {
        let feed = self.walk_pipeline(pipeline, stdin);
        // In brackets, each command has ended the shell or was allowed to fail.
        let grouped = matches!(pipeline.commands, [Command::Compound(only)] if matches!(only.kind, Compound::Group(_)));
        if self.state.stops_at_failure && self.tolerant == 0 && !pipeline.negated && !grouped {
            self.if_failed = IfFailed::Never;
        }
        feed
    }

    fn walk_chain(&mut self, list: &'a AndOr<'a>, stdin: &Feed) -> Feed {
        self.go_on_in_chain(&list.first);
        self.tolerant += 1;
        let mut written = self.state.written.clone();
        let mut out = self.walk_pipeline(&list.first, stdin);
        self.tolerant -= 1;
        let mut sure = self.outcome(&list.first);
        if sure == Some(true) {
            self.if_failed = IfFailed::Never;
        }
        // What is known of files where everything so far has run: behind `&&` alone.
        let mut chain = Some(self.state.presence.clone());
        let start = self.state.presence.clone();
        for (at, (connector, pipeline)) in list.rest.iter().enumerate() {
            // `false && …` and `true || …` never run.
            if sure == Some(*connector == Connector::Or) {
                continue;
            }
            sure = None;
            // What follows `&&` or `||` may run or not: variables that it sets have both values afterwards.
            chain = chain.filter(|_| *connector == Connector::And);
            let before = self.state.memory();
            let worked = self.standing();
            let failed = self.failed_standing();
            if *connector == Connector::Or
                && let Some(failed) = &failed
            {
                self.stand_as(failed.clone());
            }
            let outer = std::mem::replace(&mut self.conditional, true);
            if let Some(chain) = &chain {
                self.state.presence = chain.clone();
            }
            if *connector == Connector::Or {
                self.break_chain();
                // What has failed may have written nothing.
                self.keep_written(&written);
            }
            written = self.state.written.clone();
            self.go_on_in_chain(pipeline);
            // Behind more than one it is not sure which of them has run.
            let test = if at == 0 { Some(&list.first) } else { None };
            let last = at + 1 == list.rest.len();
            self.tolerant += usize::from(!last);
            let more = self.knowing(test, *connector == Connector::And, |shell| match last {
                true => shell.walk_last(pipeline, stdin),
                false => shell.walk_pipeline(pipeline, stdin),
            });
            self.tolerant -= usize::from(!last);
            out = self.gather(out, if self.heard { more.or(Feed::none()) } else { more });
            self.conditional = outer;
            chain = chain.is_some().then(|| self.state.presence.clone());
            self.recall(&before);
            if self.state.presence != start {
                self.state.presence.in_both(&start);
            }
            match connector {
                // `cd a && cd b` fails where either fails.
                Connector::And => {
                    if let Some(failed) = failed {
                        let then = self.standing();
                        if let Some(later) = self.failed_standing() {
                            self.stand_as(later);
                            self.may_stand_as(&failed);
                        } else {
                            self.stand_as(failed);
                        }
                        let failed = self.standing();
                        self.if_failed = if failed == then { IfFailed::There } else { IfFailed::In(failed) };
                        self.stand_as(then);
                    }
                }
                // `cd a || exit`: what follows, follows only if the first has worked.
                Connector::Or if self.surely_leaves(pipeline) => {
                    self.stand_as(worked);
                    self.if_failed = IfFailed::Never;
                }
                // `cd a || cd b`: the shell stands where either has led.
                Connector::Or => {
                    if self.if_failed == IfFailed::There {
                        self.if_failed = IfFailed::In(self.standing());
                    }
                    self.may_stand_as(&worked);
                }
            }
        }
        out
    }

    /// How a pipeline ends, if that is certain: that of `true` and `false` themselves.
    fn outcome(&self, pipeline: &'a Pipeline<'a>) -> Option<bool> {
        let [Command::Simple(simple)] = pipeline.commands else { return None };
        let [word] = simple.words else { return None };
        let [WordPart::Literal(name)] = word.parts else { return None };
        let ends = match *name {
            "true" | ":" => true,
            "false" => false,
            _ => return None,
        };
        let redefined = self.state.functions.contains_key(name) || self.state.aliases.contains_key(name);
        let plain = simple.assignments.is_empty() && simple.redirects.is_empty() && !pipeline.negated;
        (plain && !redefined).then_some(ends)
    }

    fn walk_pipeline(&mut self, pipeline: &'a Pipeline<'a>, stdin: &Feed) -> Feed {
        let outer = self.reads.begin();
        self.tolerant += usize::from(pipeline.negated);
        let feed = self.walk_stages(pipeline, stdin);
        self.tolerant -= usize::from(pipeline.negated);
        self.reads.end(outer);
        if pipeline.negated
            && let IfFailed::In(failed) = std::mem::take(&mut self.if_failed)
        {
            // `! cd a` works where `cd a` fails.
            self.if_failed = IfFailed::In(self.standing());
            self.stand_as(failed);
        }
        feed
    }

    fn walk_stages(&mut self, pipeline: &'a Pipeline<'a>, stdin: &Feed) -> Feed {
        if let [only] = pipeline.commands {
            return self.walk_command(only, stdin.clone());
        }
        let before = self.concurrent;
        let shows = std::mem::replace(&mut self.last_stage, false);
        self.concurrent = true;
        let mut feed = stdin.clone();
        for (index, command) in pipeline.commands.iter().enumerate() {
            let input = feed;
            let last = index + 1 == pipeline.commands.len();
            self.last_stage = last && (shows || !before);
            // Each takes from a pipe of its own.
            let taken = (index > 0).then(|| std::mem::take(&mut self.state.taken));
            feed = if last && (self.state.lastpipe || self.dialect == Dialect::Zsh) {
                // The last one may run in this shell.
                let before = self.state.clone();
                let feed = self.walk_command(command, input);
                self.merge(before);
                feed
            } else {
                self.subshell(|shell| {
                    if last {
                        return shell.walk_command(command, input);
                    }
                    shell.state.capture_output();
                    shell.hearing(|shell| shell.walk_command(command, input))
                })
            };
            if let Some(taken) = taken {
                self.state.taken = taken;
            }
            if feed.is_none() {
                // Something flows between the two, even if nothing is known about it.
                feed = Feed::from(Origin::Program("".into()));
            }
        }
        self.concurrent = before;
        self.last_stage = shows;
        // Which of them has failed is not known.
        self.go_on_anyway();
        feed
    }

    pub(super) fn walk_command(&mut self, command: &'a Command<'a>, stdin: Feed) -> Feed {
        if self.is_spent() || self.depth >= MAX_DEPTH {
            self.spend_out(command.span());
            return Feed::none();
        }
        // A long path is copied again and again.
        let paths = self.state.settings.elsewhere.iter().chain(&self.state.cwd).map(|path| path.len()).sum::<usize>();
        self.spend(1 + paths / 64);
        self.depth += 1;
        let outlets = self.outlets.len();
        let outer = std::mem::replace(&mut self.at, command.span());
        self.if_failed = IfFailed::There;
        let feed = match command {
            Command::Simple(simple) if opens_surely(simple.redirects) => self.walk_simple(simple, stdin),
            Command::Simple(simple) => {
                let before = (self.state.memory(), self.standing());
                let feed = self.walk_simple(simple, stdin);
                // A plain assignment is made even then.
                if !simple.words.is_empty() {
                    self.may_not_have_run(&before.0, before.1);
                }
                feed
            }
            Command::Compound(compound) if opens_surely(compound.redirects) => self.walk_compound(compound, stdin),
            Command::Compound(compound) => {
                let before = (self.state.memory(), self.standing());
                let feed = self.walk_compound(compound, stdin);
                self.may_not_have_run(&before.0, before.1);
                feed
            }
            // zsh runs one without a name at once.
            Command::Function(function) if function.name.is_empty() => {
                let args = self.expand_words(function.args);
                // One inside another is no call of itself.
                let name = format!("(anon) {}", function.span.start);
                self.call_function(&name, function.body, &args, &stdin, function.span)
            }
            Command::Function(function) => {
                self.define(function);
                Feed::none()
            }
            Command::Coproc { body, .. } => {
                self.leaves_running = true;
                self.subshell(|shell| shell.walk_command(body, Feed::from(Origin::Input)))
            }
        };
        self.fill_outlets(outlets, &Feed::none());
        self.at = outer;
        self.depth -= 1;
        feed
    }

    /// What a command prints flows into the `>(…)` that stand in it.
    fn fill_outlets(&mut self, from: usize, feed: &Feed) {
        while self.outlets.len() > from
            && let Some(script) = self.outlets.pop()
        {
            let input = if feed.is_none() { Feed::from(Origin::Input) } else { feed.clone() };
            self.leaves_running = true;
            self.subshell(|shell| shell.walk(script, input));
        }
    }

    /// Whether nothing more is walked here: the work is done that may be done, or more has changed than is followed.
    pub(crate) fn is_spent(&self) -> bool {
        self.fuel == 0 || self.state.overflowed()
    }

    /// The budget is spent: says so once.
    pub(super) fn spend_out(&mut self, span: Span) {
        let span = self.blamed(span);
        if !self.findings.has(&rules::BUDGET) {
            self.findings.gap(Unread::Budget, span);
            self.tell_unread(&rules::BUDGET, Unread::Rest, span);
        }
    }

    fn walk_compound(&mut self, compound: &'a CompoundCommand<'a>, stdin: Feed) -> Feed {
        if compound.redirects.is_empty() {
            return self.walk_redirected(compound, stdin);
        }
        self.in_every_round(compound.span, |shell| shell.walk_redirected(compound, stdin.clone()))
    }

    fn walk_redirected(&mut self, compound: &'a CompoundCommand<'a>, stdin: Feed) -> Feed {
        let outlets = self.outlets.len();
        // What is redirected in each of several directories is so in one of them.
        let several = !compound.redirects.is_empty() && !self.state.settings.elsewhere.is_empty();
        let before = several.then(|| self.state.clone());
        let plumbing = self.plumb_everywhere(compound.redirects, stdin);
        let outer = self.conditional;
        self.conditional |= !matches!(compound.kind, Compound::Group(_) | Compound::Subshell(_));
        let feed = self.with_streams(&plumbing, |shell| shell.walk_body(&compound.kind, plumbing.stdin.clone()));
        self.check_inputs_kept(&plumbing, &[]);
        self.conditional = outer;
        self.fill_outlets(outlets, &feed);
        let feed = self.flow_out(&plumbing, feed);
        if let Some(before) = before {
            self.keep_weakly(&before);
        }
        feed
    }

    fn walk_body(&mut self, compound: &'a Compound<'a>, stdin: Feed) -> Feed {
        match compound {
            Compound::Group(items) => self.walk_items(items, &stdin),
            Compound::Subshell(items) => self.subshell(|shell| shell.walk_items(items, &stdin)),
            Compound::If { branches, otherwise } => self.walk_if(branches, *otherwise, &stdin),
            Compound::While { until, condition, body } => self.walk_while(*until, condition, body, &stdin),
            Compound::For { names, words, body, .. } => self.walk_for(names, *words, body, &stdin),
            Compound::ArithmeticFor { header, body } => {
                self.arithmetic(header);
                self.walk_while(false, &[], body, &stdin)
            }
            Compound::Case { word, arms } => self.walk_case(word, arms, &stdin),
            Compound::Arithmetic(parts) => {
                self.arithmetic(parts);
                Feed::none()
            }
            Compound::Test(words) => {
                let values: Vec<Value> = words.iter().map(|word| self.expand_single(word)).collect();
                for (at, word) in words.iter().enumerate() {
                    let sides = match values.get(at).and_then(Value::known) {
                        // Around these, both sides are arithmetic.
                        Some(sign) if COMPARISONS.contains(&sign) => [at.checked_sub(1), at.checked_add(1)],
                        // The name behind these may have a subscript.
                        Some("-v" | "-R") => [None, at.checked_add(1)],
                        _ => continue,
                    };
                    for side in sides.into_iter().flatten().filter_map(|side| words.get(side)) {
                        for value in self.expand_alternatives(side) {
                            self.run_subscripts(&value, word.span);
                        }
                    }
                }
                Feed::none()
            }
        }
    }

    fn walk_if(
        &mut self,
        branches: &'a [(&'a [Item<'a>], &'a [Item<'a>])],
        otherwise: Option<&'a [Item<'a>]>,
        stdin: &Feed,
    ) -> Feed {
        let mut asked = Feed::none();
        let mut outs: Vec<Feed> = Vec::with_capacity(branches.len());
        let mut ends: Vec<State<'a>> = Vec::with_capacity(branches.len());
        for (condition, body) in branches {
            let printed = self.walk_condition(condition, stdin);
            asked = self.gather(asked, printed);
            let failed = self.failed_standing();
            if let [only] = *condition
                && only.list.rest.is_empty()
                && self.outcome(&only.list.first) == Some(false)
            {
                continue;
            }
            let before = self.state.clone();
            let printed = self.knowing(only_test(condition), true, |shell| shell.walk_through(body, stdin));
            outs.push(self.gather(asked.clone(), printed));
            ends.push(std::mem::replace(&mut self.state, before));
            if let Some(failed) = failed {
                self.stand_as(failed);
            }
        }
        let mut out = match otherwise {
            Some(body) => {
                let test = branches.first().and_then(|(condition, _)| only_test(condition));
                let printed = self.knowing(test, false, |shell| shell.walk_through(body, stdin));
                self.gather(asked, printed)
            }
            None => asked,
        };
        self.merge_all(ends);
        for other in outs {
            out = out.or(other);
        }
        out
    }

    fn walk_case(&mut self, word: &'a Word<'a>, arms: &'a [CaseArm<'a>], stdin: &Feed) -> Feed {
        self.expand_single(word);
        let mut out = Feed::none();
        let before = self.state.clone();
        let mut ends = Vec::new();
        let mut falls = false;
        for arm in arms {
            for pattern in arm.patterns {
                self.expand_single(pattern);
            }
            let printed = self.walk_through(arm.body, stdin);
            // Falling through, it is printed before what the next one prints.
            out = if falls { out.then(printed.or(Feed::none())) } else { out.or(printed) };
            falls = arm.falls_through;
            let start = if falls { self.state.clone() } else { before.clone() };
            ends.push(std::mem::replace(&mut self.state, start));
        }
        self.merge_all(ends);
        out
    }

    fn walk_simple(&mut self, simple: &'a SimpleCommand<'a>, stdin: Feed) -> Feed {
        // `exec < file` has given the shell itself another input.
        let stdin = match self.state.stream(0).and_then(|stream| stream.input.as_ref()) {
            Some(feed) if stdin.is_none() => feed.clone(),
            _ => stdin,
        };
        if simple.words.is_empty() {
            self.state.last = None;
            // What a variable says may decide what a program takes for the thing that was made.
            self.forget_made();
            for assignment in simple.assignments {
                self.assign(assignment);
            }
            return self.in_every_round(simple.span, |shell| {
                let several = !simple.redirects.is_empty() && !shell.state.settings.elsewhere.is_empty();
                let before = several.then(|| shell.state.clone());
                let plumbing = shell.plumb_everywhere(simple.redirects, stdin.clone());
                // `$(< file)` is what is in the file.
                let reads =
                    shell.captured && matches!(simple.redirects, [only] if only.operator == RedirectOperator::Read);
                let feed = shell.flow_out(&plumbing, if reads { plumbing.stdin.clone() } else { Feed::none() });
                if let Some(before) = before {
                    shell.keep_weakly(&before);
                }
                feed
            });
        }
        if let Some([WordPart::Literal(name)]) = simple.words.first().map(|word| word.parts)
            && DECLARATIONS.holds(name)
            && !self.state.functions.contains_key(name)
        {
            self.state.last = None;
            self.forget_made();
            if simple.redirects.is_empty() {
                return self.declare(name, simple, stdin);
            }
            return self.in_every_round(simple.span, |shell| shell.declare(name, simple, stdin.clone()));
        }
        // A plain command is the same in every round.
        let plain = simple.assignments.is_empty() && simple.redirects.is_empty() && stdin.alternatives().is_empty();
        let same = |word: &Word| matches!(word.parts, [WordPart::Literal(text)] if !text.contains('~'));
        if plain && simple.words.iter().all(same) {
            return self.run_everywhere(simple, &stdin);
        }
        self.in_every_round(simple.span, |shell| shell.run_everywhere(simple, &stdin))
    }

    /// Runs a command in each directory that it may stand in.
    fn run_everywhere(&mut self, simple: &'a SimpleCommand<'a>, stdin: &Feed) -> Feed {
        // What it prints is another thing there, and so may be what it reads, defines and enters.
        let join = |all: &mut Feed, printed: Feed| {
            if printed != *all {
                *all = std::mem::take(all).or(printed);
            }
        };
        self.everywhere(|shell| shell.run_simple(simple, stdin.clone()), join)
    }

    fn run_simple(&mut self, simple: &'a SimpleCommand<'a>, stdin: Feed) -> Feed {
        let mut variables = Vec::with_capacity(simple.assignments.len());
        for assignment in simple.assignments {
            let value = match &assignment.value {
                AssignedValue::Scalar(word) => self.expand_single(word),
                AssignedValue::Array(elements) => {
                    for element in *elements {
                        self.expand_single(&element.value);
                    }
                    Value::unknown("(…)", Vec::new())
                }
            };
            variables.push((assignment.name.to_string(), value));
        }
        let outlets = self.outlets.len();
        let argv = self.expand_words(simple.words);
        // Families look through their arguments several times.
        self.spend(argv.iter().map(|arg| arg.value.size().saturating_sub(SHORT)).sum::<usize>() / SHORT);
        let last = if self.follows_last { argv.last().map(|arg| Rc::new(arg.value.clone())) } else { None };
        let known = last.is_some()
            && argv.first().and_then(Arg::known).is_some_and(|name| !self.state.functions.contains_key(name));
        let mut plumbing = self.plumb(simple.redirects, stdin);
        plumbing.stdin = self.settle(std::mem::take(&mut plumbing.stdin), "<");
        let keeps_streams = matches!(argv.as_slice(), [only] if only.is("exec"));
        let words = if plumbing.replaces() { argv.clone() } else { Vec::new() };
        let feed = self.with_streams(&plumbing, |shell| shell.run_words(argv, variables, &plumbing, simple.span));
        self.check_inputs_kept(&plumbing, &words);
        if self.follows_last {
            self.state.last = last.filter(|_| known);
        }
        if keeps_streams {
            self.keep_streams(&plumbing);
            return Feed::none();
        }
        self.fill_outlets(outlets, &feed);
        self.flow_out(&plumbing, feed)
    }
}

/// The test that a condition consists of, if it is a single one.
fn only_test<'t>(condition: &'t [Item<'t>]) -> Option<&'t Pipeline<'t>> {
    match condition {
        [only] if only.list.rest.is_empty() && !only.background => Some(&only.list.first),
        _ => None,
    }
}

impl SyntaxErrorKind {
    /// What stays unread because of it.
    fn unread(self) -> Unread {
        match self {
            Self::Unexpected => Unread::Misplaced,
            Self::UnclosedQuote => Unread::OpenQuote,
            Self::UnclosedBracket => Unread::OpenBracket,
            Self::UnclosedCompound => Unread::OpenCompound,
            Self::UnclosedHereDocument => Unread::OpenHereDocument,
            Self::BadExpansion => Unread::BadExpansion,
            Self::TooDeep => Unread::TooDeep,
            Self::TooLong => Unread::TooLong,
            Self::OutOfFuel => Unread::TooMuchWork,
        }
    }
}
