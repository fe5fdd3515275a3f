//! Redirections: what flows in from where, what flows out to where.

use signoff_model::Span;

use super::{
    machine::Shell,
    rules,
    syntax::tree::{Descriptor, Redirect, RedirectOperator, RedirectTarget},
};
use crate::{
    path_effects::Write,
    place::{Extent, Nature, Place},
    value::{Arg, Feed, Origin, Piece, Value},
};

/// Where a command's streams lead.
#[derive(Clone, Debug, Default)]
pub(super) struct Plumbing {
    /// What flows in.
    pub(super) stdin: Feed,
    /// What flows in on descriptors that the command itself opens.
    opened: Vec<(u32, Feed)>,
    /// The files that the output goes to.
    outputs: Vec<Output>,
    /// Whether the input comes over a network connection.
    pub(super) from_network: bool,
    /// Whether the output goes over a network connection.
    pub(super) to_network: bool,
}

impl Plumbing {
    /// Something flows in on a descriptor.
    fn feed(&mut self, descriptor: u32, feed: Feed) {
        if descriptor == 0 {
            self.stdin = feed.clone();
        }
        self.opened.push((descriptor, feed));
    }

    /// Whether the output goes where the command's caller reads it.
    pub(super) fn shows(&self) -> bool {
        !self.outputs.iter().any(|output| output.standard)
    }
}

#[derive(Clone, Debug)]
struct Output {
    place: Place,
    append: bool,
    /// Whether it is the standard output that goes there.
    standard: bool,
    span: Span,
}

impl Shell<'_> {
    /// Opens the redirections of a command.
    pub(super) fn plumb(&mut self, redirects: &[Redirect], stdin: Feed) -> Plumbing {
        let mut plumbing = Plumbing { stdin, ..Plumbing::default() };
        for redirect in redirects {
            self.open(redirect, &mut plumbing);
        }
        plumbing
    }

    fn open(&mut self, redirect: &Redirect, plumbing: &mut Plumbing) {
        let word = match &redirect.target {
            RedirectTarget::HereDocument(document) => {
                let value = self.expand_value(&document.body);
                let number = match &redirect.descriptor {
                    Some(Descriptor::Number(number)) => *number,
                    Some(Descriptor::Variable(_)) => 3,
                    None => 0,
                };
                plumbing.feed(number, Feed::of(value));
                return;
            }
            RedirectTarget::Word(word) => word,
        };
        let descriptor = match &redirect.descriptor {
            None => None,
            Some(Descriptor::Number(number)) => Some(*number),
            Some(Descriptor::Variable(_)) => Some(3),
        };
        if redirect.operator == RedirectOperator::HereString {
            let mut value = self.expand_single(word);
            value.push(Piece::Text("\n".to_owned()));
            plumbing.feed(descriptor.unwrap_or(0), Feed::of(value));
            return;
        }
        let mut args = self.expand_words(std::slice::from_ref(word));
        let arg = match (args.pop(), args.is_empty()) {
            (Some(arg), true) => arg,
            _ => Arg { value: self.expand_single(word), span: word.span },
        };
        let arg = Arg { span: redirect.span, ..arg };
        match redirect.operator {
            RedirectOperator::Read => self.open_input(&arg, descriptor.unwrap_or(0), plumbing),
            RedirectOperator::ReadWrite => {
                self.open_input(&arg, descriptor.unwrap_or(0), plumbing);
                self.open_output(&arg, true, descriptor.unwrap_or(0) == 1, plumbing);
            }
            RedirectOperator::DuplicateInput => {
                plumbing.from_network |= self.state.connected && is_opened(&arg);
                let number = arg.known().and_then(|text| text.parse::<u32>().ok());
                let opened = plumbing.opened.iter().chain(&self.state.descriptors);
                let found = opened.rev().find(|(opened, _)| Some(*opened) == number).map(|(_, feed)| feed.clone());
                // What an unknown descriptor carries is not known; it is never nothing.
                let feed = found.unwrap_or_else(|| Feed::from(Origin::Input));
                if is_opened(&arg) {
                    plumbing.feed(descriptor.unwrap_or(0), feed);
                }
            }
            RedirectOperator::DuplicateOutput if is_descriptor(&arg) => {
                plumbing.to_network |= self.state.connected && is_opened(&arg);
            }
            RedirectOperator::Write | RedirectOperator::Clobber => {
                self.open_output(&arg, false, descriptor.unwrap_or(1) == 1, plumbing);
            }
            RedirectOperator::Append => self.open_output(&arg, true, descriptor.unwrap_or(1) == 1, plumbing),
            RedirectOperator::DuplicateOutput | RedirectOperator::WriteBoth => {
                self.open_output(&arg, false, true, plumbing);
            }
            RedirectOperator::AppendBoth => self.open_output(&arg, true, true, plumbing),
            RedirectOperator::HereString | RedirectOperator::HereDocument => {}
        }
    }

    fn open_input(&mut self, arg: &Arg, descriptor: u32, plumbing: &mut Plumbing) {
        let place = self.place(&arg.value);
        if place.nature == Nature::Connection {
            plumbing.from_network = true;
            plumbing.feed(descriptor, Feed::from(Origin::Download { url: place.path, encrypted: false }));
            return;
        }
        let feed = self.read_at(&place, arg.span);
        plumbing.feed(descriptor, feed);
    }

    fn open_output(&mut self, arg: &Arg, append: bool, standard: bool, plumbing: &mut Plumbing) {
        let place = self.place(&arg.value);
        if place.nature == Nature::Connection {
            plumbing.to_network = true;
        }
        plumbing.outputs.push(Output { place, append, standard, span: arg.span });
    }

    /// Sends what a command prints to where its output goes; returns what still flows on.
    pub(super) fn flow_out(&mut self, plumbing: &Plumbing, feed: Feed) -> Feed {
        if plumbing.outputs.is_empty() {
            return feed;
        }
        let mut flows_on = feed.clone();
        for output in &plumbing.outputs {
            if output.place.nature == Nature::Connection {
                let host = output.place.path.trim_start_matches("/dev/").to_owned();
                self.send(&host, std::iter::empty::<&Value>(), &feed, output.span);
                flows_on = Feed::none();
                continue;
            }
            let empty = output.standard && !output.append && (feed.is_none() || feed.known() == Some(""));
            let how = match (output.append, empty) {
                (true, _) => Write::Append,
                (false, true) => Write::Empty,
                (false, false) => Write::Replace,
            };
            let before = self.state.written.get(&output.place.path).cloned();
            self.write_at(&output.place, how, output.span);
            if let Some(before) = before {
                self.state.written.insert(output.place.path.clone(), before);
            }
            if output.standard {
                self.read_planted(&output.place, &feed, output.span);
                if output.place.extent == Extent::Exact && output.place.nature != Nature::Stream {
                    self.remember_output(output.place.path.clone(), feed.clone(), output.append);
                }
                flows_on = Feed::none();
            }
        }
        flows_on
    }

    /// What is written where it runs by itself is read as the code that it will be.
    pub(super) fn read_planted(&mut self, place: &Place, feed: &Feed, span: Span) {
        let Some(text) = feed.known() else { return };
        let code = match place.nature {
            Nature::LoginProfile | Nature::GitHooks => text.to_owned(),
            // A unit or a desktop entry names what it runs; a table of jobs holds five fields before it.
            Nature::StartUp => text
                .lines()
                .filter_map(|line| {
                    line.split_once('=').filter(|(key, _)| key.starts_with("Exec")).map(|(_, code)| code)
                })
                .collect::<Vec<_>>()
                .join("\n"),
            _ => return,
        };
        self.subshell(|shell| shell.run_text(&Arg::text(code, span), shell.dialect, Feed::none()));
    }

    /// A shell whose streams are a network connection.
    pub(super) fn check_connection(&mut self, plumbing: &Plumbing, name: &str, span: Span) {
        if name == "exec" {
            let room = 16usize.saturating_sub(self.state.descriptors.len());
            self.state.descriptors.extend(plumbing.opened.iter().take(room).cloned());
        }
        self.state.connected |= name == "exec" && (plumbing.to_network || plumbing.from_network);
        let is_shell = matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish");
        if is_shell && (plumbing.to_network || plumbing.from_network) {
            self.tell(&rules::REVERSE_SHELL, name, span);
        }
    }
}

/// Whether the descriptor is one that the text has opened: none of the three that every program has.
fn is_opened(arg: &Arg) -> bool {
    !matches!(arg.known(), Some("0" | "1" | "2" | "-"))
}

/// Whether the word after `>&` is a descriptor and not a file.
fn is_descriptor(arg: &Arg) -> bool {
    match arg.known() {
        Some(text) => text == "-" || text.trim_end_matches('-').chars().all(|letter| letter.is_ascii_digit()),
        None => arg.value.prefix().is_empty(),
    }
}
