//! Functions of the text: how they are defined and called.

use std::rc::Rc;

use signoff_model::{Dialect, Span, Unread};

use super::{
    loops::command_leaves,
    machine::{Running, Shell},
    rules,
    syntax::tree::{Command, FunctionDefinition},
};
use crate::value::{Arg, Feed};

/// A function that calls itself with ever new arguments is followed so far.
const MAX_RECURSION: usize = 8;

/// The body of a function. One that was read twice is the same, wherever its tree lies.
#[derive(Clone, Copy, Debug, Eq)]
pub(super) struct Body<'a>(pub(super) &'a Command<'a>);

impl PartialEq for Body<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0) || self.0 == other.0
    }
}

impl<'a> Shell<'a> {
    /// The text defines a function.
    pub(super) fn define(&mut self, function: &FunctionDefinition<'a>) {
        self.doubt_ending(function.name);
        self.state.functions.insert(function.name.to_owned(), vec![Some(Body(function.body))]);
        if self.dialect == Dialect::Zsh {
            self.set_trap_function(function.name, function.span);
        }
        // The shell calls these by itself.
        if matches!(
            function.name,
            "command_not_found_handle" | "command_not_found_handler" | "precmd" | "preexec" | "chpwd"
        ) {
            self.call_function(function.name, function.body, &[], &Feed::none(), function.span);
        }
    }

    /// Calls a function of the text.
    pub(super) fn call_function(
        &mut self,
        name: &str,
        body: &'a Command<'a>,
        args: &[Arg],
        stdin: &Feed,
        span: Span,
    ) -> Feed {
        let running = self.calls.iter().filter(|call| call.name == name);
        let levels = running.clone().count();
        let same = |call: &Running<'a>| {
            let state = call.variables == self.state.variables && call.functions.is(&self.state.functions);
            call.args.as_slice() == args && (state || levels >= MAX_RECURSION)
        };
        let repeated = running.clone().any(same);
        if levels > 0 && self.concurrent {
            self.tell(&rules::FORK_BOMB, name, span);
        }
        // The same in the same state again tells nothing new; ever new ones are not followed for ever.
        if repeated {
            return Feed::none();
        }
        if levels >= MAX_RECURSION {
            self.opaque(Unread::Recursion(name.to_owned()), span);
            return Feed::none();
        }
        let running = self.running(name, args);
        self.calls.push(running);
        self.locals.push(Vec::new());
        let before = self.concurrent;
        self.concurrent = false;
        let positional = self.state.positional.replace(Rc::new(args.to_vec()));
        let leaves = command_leaves(body);
        let left = self.left.len();
        let loops = std::mem::take(&mut self.in_loops);
        self.in_returnable += 1;
        let mut feed = self.walk_command(body, stdin.clone());
        self.in_returnable -= 1;
        self.in_loops = loops;
        if self.left.len() > left {
            // Whether a function that is left early has failed is not known.
            self.go_on_anyway();
        }
        self.recall_left(left);
        if leaves {
            feed = feed.or_other();
        }
        self.state.positional = positional;
        self.concurrent = before;
        self.return_here();
        self.leave_scope();
        self.calls.pop();
        feed
    }

    /// A function or alias that begins to run now.
    pub(super) fn running(&self, name: &str, args: &[Arg]) -> Running<'a> {
        Running {
            name: name.to_owned(),
            args: args.to_vec(),
            variables: self.state.variables.clone(),
            functions: self.state.functions.clone(),
        }
    }
}
