//! Putting the bodies of heredocs into the tree, once a script has been read.

use std::rc::Rc;

use super::heredoc::HereDocuments;
use super::tree::{Command, Compound, HereDocument, Item, Redirect, RedirectTarget};

impl HereDocuments {
    /// Puts each body where its number stands. Substitutions inside have done this for themselves.
    pub(super) fn put_bodies(&mut self, items: &mut [Item]) {
        if self.bodies.is_empty() {
            return;
        }
        let mut bodies = std::mem::take(&mut self.bodies);
        in_items(items, &mut bodies);
    }
}

fn in_items(items: &mut [Item], bodies: &mut [HereDocument]) {
    for item in items {
        let rest = item.list.rest.iter_mut().map(|(_, pipeline)| pipeline);
        for pipeline in std::iter::once(&mut item.list.first).chain(rest) {
            for command in &mut pipeline.commands {
                in_command(command, bodies);
            }
        }
    }
}

fn in_command(command: &mut Command, bodies: &mut [HereDocument]) {
    match command {
        Command::Simple(simple) => in_redirects(&mut simple.redirects, bodies),
        Command::Compound(compound) => {
            in_compound(&mut compound.kind, bodies);
            in_redirects(&mut compound.redirects, bodies);
        }
        Command::Function(function) => {
            // The tree is not shared yet, so this is always the only owner.
            if let Some(body) = Rc::get_mut(&mut function.body) {
                in_command(body, bodies);
            }
        }
        Command::Coproc { body, .. } => in_command(body, bodies),
    }
}

fn in_compound(compound: &mut Compound, bodies: &mut [HereDocument]) {
    match compound {
        Compound::Group(items) | Compound::Subshell(items) => in_items(items, bodies),
        Compound::If { branches, otherwise } => {
            for (condition, body) in branches {
                in_items(condition, bodies);
                in_items(body, bodies);
            }
            if let Some(items) = otherwise {
                in_items(items, bodies);
            }
        }
        Compound::While { condition, body, .. } => {
            in_items(condition, bodies);
            in_items(body, bodies);
        }
        Compound::For { body, .. } | Compound::ArithmeticFor { body, .. } => in_items(body, bodies),
        Compound::Case { arms, .. } => {
            for arm in arms {
                in_items(&mut arm.body, bodies);
            }
        }
        Compound::Arithmetic(_) | Compound::Test(_) => {}
    }
}

fn in_redirects(redirects: &mut [Redirect], bodies: &mut [HereDocument]) {
    for redirect in redirects {
        if let RedirectTarget::HereDocument(document) = &mut redirect.target
            && document.span.end == usize::MAX
            && let Some(body) = bodies.get_mut(document.span.start)
        {
            std::mem::swap(document, body);
        }
    }
}
