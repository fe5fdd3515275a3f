//! Tools that their words describe: which subcommands and options only look, and which ones change something.
//!
//! Most administration tools need no code of their own. A table says which words matter; this module reads a call by
//! the table.
//!
//! This describes programs whose options decide, the first of them wins, or that have few words. Programs whose words form
//! a tree are described in [`subcommands`](crate::shell::subcommands).

use signoff_model::{Dialect, EffectKind, Scope, Span};

use super::{
    lexicon,
    system::{CHANGE_DISK, FORMAT_DISK},
};
use crate::{
    path_effects::Write,
    place::Nature,
    rule::Rule,
    shell::{Call, Locus, Shell, options::Rehearsals},
    value::{Arg, Feed, Origin},
    words::is_listed,
};

/// What a word of a tool makes it do.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// It looks, prints, or makes something new: no reason to ask.
    Fine,
    /// A rule speaks.
    Speaks(&'static Rule),
    /// A rule speaks, and what flows out is a secret.
    Reveals(&'static Rule),
    /// The value of the option, or the next argument, runs as shell text.
    Runs,
    /// Whatever the lexicon makes of the words.
    Words,
}

/// A tool, described by its words. Lists are texts, separated by spaces.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The names of the programs.
    pub names: &'static str,
    /// Options that take the next argument as their value.
    pub values: &'static str,
    /// Options that decide, the first that is given anywhere wins: dry runs come first.
    pub options: &'static [(&'static str, Does)],
    /// Subcommands that decide, the first that matches wins; `a+b` is a subcommand of a subcommand.
    pub verbs: &'static [(&'static str, Does)],
    /// What the call does when it has no subcommand or operand.
    pub bare: Does,
    /// What the call does when nothing of the above decides.
    pub other: Does,
    /// Whether `-abc` is one word and not three letters.
    pub whole_words: bool,
    /// What the names have in common, so that most other names are told apart without reading the list.
    pub marks: Marks<4>,
}

/// A table of tools.
#[derive(Debug)]
pub struct Tools {
    /// The tools.
    pub all: &'static [Tool],
    /// The same for all of them, so that most tables need not be gone through.
    marks: Marks<32>,
}

impl Tools {
    /// A table of these.
    #[expect(clippy::indexing_slicing, reason = "the compiler makes the tables")]
    pub const fn of(all: &'static [Tool]) -> Self {
        let mut marks = Marks([0; 32]);
        let mut at = 0;
        while at < all.len() {
            marks = marks.with(all[at].names);
            at += 1;
        }
        Self { all, marks }
    }
}

impl Tool {
    /// A tool that does this unless its words say otherwise, and that only prints something when it is called alone.
    pub const fn new(names: &'static str, other: Does) -> Self {
        let marks = Marks([0; 4]).with(names);
        Self { names, values: "", options: &[], verbs: &[], bare: Does::Fine, other, whole_words: false, marks }
    }
}

/// A set of names without the names: one bit for each, by its hash. Every program that runs is looked up in some hundred
/// tools, nearly all of which one bit rules out.
#[derive(Clone, Copy, Debug)]
pub struct Marks<const WORDS: usize>([u64; WORDS]);

/// The hash of a name, whose upper bits say where its mark stands.
#[derive(Clone, Copy)]
struct Mark(u32);

impl<const WORDS: usize> Marks<WORDS> {
    /// The same with these names as well.
    #[expect(clippy::indexing_slicing, reason = "the compiler makes the tables")]
    const fn with(mut self, names: &str) -> Self {
        let bytes = names.as_bytes();
        let (mut hash, mut at) = (Mark::SEED, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                let mark = Mark::at(hash);
                self.0[mark.word(WORDS)] |= mark.bit();
                hash = Mark::SEED;
            } else {
                hash = Mark::step(hash, bytes[at]);
            }
            at += 1;
        }
        self
    }

    fn have(&self, mark: Mark) -> bool {
        self.0.get(mark.word(WORDS)).is_some_and(|word| word & mark.bit() != 0)
    }
}

impl Mark {
    const SEED: u32 = 5381;

    fn of(name: &str) -> Self {
        Self::at(name.bytes().fold(Self::SEED, Self::step))
    }

    const fn step(hash: u32, byte: u8) -> u32 {
        hash.wrapping_mul(33) ^ byte as u32
    }

    const fn at(hash: u32) -> Self {
        Self(hash.wrapping_mul(0x9e37_79b1))
    }

    const fn bit(self) -> u64 {
        1 << (self.0 >> 26)
    }

    const fn word(self, words: usize) -> usize {
        (self.0 >> 16 & 0x3ff) as usize % words
    }
}

/// A table of tools: the names, what they do unless their words say otherwise, then what the words say.
macro_rules! tools {
    ($visibility:vis $table:ident: $($names:literal => $other:expr $(, $field:ident: $value:expr)*;)*) => {
        #[doc = "What the tools of this module do, by their words."]
        $visibility static $table: $crate::shell::families::tool::Tools = {
            const ALL: &[Tool] = &[$(Tool { $($field: $value,)* ..Tool::new($names, $other) }),*];
            $crate::shell::families::tool::Tools::of(ALL)
        };
    };
}
pub(crate) use tools;

/// The tool of this name.
pub fn find(tools: &Tools, name: &str) -> Option<&'static Tool> {
    let mark = Mark::of(name);
    if !tools.marks.have(mark) {
        return None;
    }
    tools.all.iter().find(|tool| tool.marks.have(mark) && is_listed(tool.names, name))
}

/// Judges a call by the description of its tool.
pub fn judge(shell: &mut Shell<'_>, call: &Call, tool: &Tool) -> Feed {
    let out = call.output();
    if asks_for_help(call) {
        return out;
    }
    if let Some((does, at)) = decided_by_option(call, tool) {
        return act(shell, call, does, at);
    }
    let operands = operands(call, tool.values);
    let Some(&first) = operands.first() else {
        let ordered = !only_looks(call) && call.args.iter().any(|arg| arg.known().is_some_and(gives_order));
        return act(shell, call, if ordered { tool.other } else { tool.bare }, 0);
    };
    let Some(verb) = call.arg(first) else {
        // A subcommand that is not known may be any of them.
        let worst = tool
            .verbs
            .iter()
            .map(|(_, does)| *does)
            .chain([tool.other])
            .find(|does| matches!(does, Does::Speaks(_) | Does::Reveals(_)));
        return act(shell, call, worst.unwrap_or(tool.other), first);
    };
    let second = operands.get(1).and_then(|at| call.arg(*at));
    for (words, does) in tool.verbs {
        let matches = words.split(' ').any(|word| match word.split_once('+') {
            Some((one, two)) => one == verb && Some(two) == second,
            None => word == verb,
        });
        if matches {
            if matches!(does, Does::Fine) {
                super::unknown::carried::judge(shell, call);
            }
            return act(shell, call, *does, first);
        }
    }
    let words = operands.iter().map_while(|at| call.arg(*at));
    if matches!(tool.other, Does::Fine) {
        super::unknown::carried::judge(shell, call);
        let words = operands.iter().map_while(|at| call.arg(*at));
        if !tool.verbs.is_empty() && asks_to_ruin(words) {
            return act(shell, call, Does::Words, first);
        }
    }
    let looks =
        matches!(tool.other, Does::Speaks(_)) && (only_looks(call) || (!tool.verbs.is_empty() && asks_to_look(words)));
    act(shell, call, if looks { Does::Fine } else { tool.other }, first)
}

/// Words that order something, whatever the tool.
const ORDERS: &str = "start stop restart reload enable disable install add set update upgrade create edit mask unmask run exec kill attach sync move";

/// Whether an option alone is an order: `--upgrade`, `--disable-updates`.
fn gives_order(text: &str) -> bool {
    let Some(body) = text.strip_prefix("--") else { return false };
    let name = body.split('=').next().unwrap_or(body);
    let ends = [name.split('-').next(), name.rsplit('-').next()];
    ends.into_iter().flatten().any(|word| is_listed(ORDERS, word)) || lexicon::flag(text).is_some()
}

/// Whether subcommands that the table does not know ask for a look: `list-keys`, `profile show`, `a b list`.
fn asks_to_look<'w>(words: impl Iterator<Item = &'w str>) -> bool {
    const DEEPEST: usize = 4;
    for (depth, word) in words.take(DEEPEST).enumerate() {
        // Behind `--` an option is none, and says nothing.
        if is_listed(ORDERS, word) || word.starts_with('-') {
            return false;
        }
        let says = if depth == 0 { lexicon::subcommand(word) } else { lexicon::word(word) };
        if let Some(says) = says {
            return says == lexicon::Says::Looks;
        }
    }
    false
}

/// Whether a subcommand that the table does not know takes something away for good, whatever it is said of.
fn asks_to_ruin<'w>(words: impl Iterator<Item = &'w str>) -> bool {
    const DEEPEST: usize = 3;
    for word in words.take(DEEPEST) {
        match crate::lexicon::meaning(word) {
            Some(crate::lexicon::Meaning::Ruins) => return true,
            Some(_) => return false,
            None => {}
        }
    }
    false
}

/// The positions of the operands: what is neither an option nor the value of one.
pub fn operands(call: &Call, values: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut args = call.args.iter().enumerate();
    let mut ended = false;
    while let Some((at, arg)) = args.next() {
        if !ended && arg.is("--") {
            ended = true;
        } else if !ended && arg.is_option() {
            if arg.known().is_some_and(|text| is_listed(values, text)) {
                args.next();
            }
        } else {
            found.push(at);
        }
    }
    found
}

fn decided_by_option(call: &Call, tool: &Tool) -> Option<(Does, usize)> {
    let rehearsals = Rehearsals::of(&call.args);
    for (words, does) in tool.options {
        let given = |arg: &Arg| words.split(' ').any(|word| is_given(arg, word, tool.whole_words));
        let decides = |at: &usize| {
            call.args.get(*at).is_some_and(|arg| arg.is_option() && given(arg))
                && !(matches!(does, Does::Fine) && rehearsals.is_taken_back(*at))
        };
        if let Some(at) = (0..call.args.len()).find(decides) {
            return Some((*does, at));
        }
    }
    None
}

/// Whether an argument gives this option: alone, with a value behind `=`, or in a cluster of letters.
fn is_given(arg: &Arg, option: &str, whole_words: bool) -> bool {
    let text = arg.value.prefix();
    let Some(rest) = text.strip_prefix(option) else {
        return !whole_words && in_cluster(text, option);
    };
    rest.is_empty() || rest.starts_with('=') || (!whole_words && in_cluster(text, option))
}

fn in_cluster(text: &str, option: &str) -> bool {
    let letter = match option.strip_prefix('-') {
        Some(letter) if letter.len() == 1 && !letter.starts_with('-') => letter,
        _ => return false,
    };
    match text.strip_prefix('-') {
        Some(cluster) => !cluster.starts_with('-') && !cluster.contains('=') && cluster.contains(letter),
        None => false,
    }
}

/// Does what a table says. `at` is the position of the argument that decides.
pub fn act(shell: &mut Shell<'_>, call: &Call, does: Does, at: usize) -> Feed {
    let out = call.output();
    match does {
        Does::Fine => out,
        Does::Speaks(rule) => {
            speak(shell, call, rule, at);
            out
        }
        Does::Reveals(rule) => {
            speak(shell, call, rule, at);
            Feed::from(Origin::Secret(words_from(call, at)))
        }
        Does::Runs => {
            if let Some(text) = attached_or_next(call, at) {
                shell.run_text(&text, Dialect::Bash, Feed::none());
            }
            out
        }
        Does::Words => {
            super::unknown::judge_words(shell, call);
            out
        }
    }
}

/// A rule speaks about a call, from the argument that decides to the end. In a container that is thrown away, what
/// happens to the machine is no matter.
pub fn speak(shell: &mut Shell<'_>, call: &Call, rule: &'static Rule, at: usize) {
    let of_machine = matches!(rule.kind, EffectKind::System | EffectKind::Process | EffectKind::Privilege);
    if of_machine && *shell.locus() == Locus::ThrowAway && !reaches_disk(shell, call) {
        return;
    }
    if (rule.id == FORMAT_DISK.id || rule.id == CHANGE_DISK.id)
        && let Some(image) = image_at(shell, call)
        && (rule.id == FORMAT_DISK.id || shell.place(&image.value).scope == Scope::Temp)
    {
        return shell.write(&image, Write::Replace);
    }
    super::network::takes_files_along(shell, call, rule);
    shell.tell(rule, words_from(call, at), span_from(call, at));
}

/// The file with the image of a disk that a call is about: what is lost is what is in that file. Only of programs whose operands
/// are paths, and where every operand is one, but for the orders of those that take some: elsewhere it may be a name.
fn image_at(shell: &Shell<'_>, call: &Call) -> Option<Arg> {
    const ON_PATHS: &str =
        "sgdisk wipefs blkdiscard sfdisk mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.vfat mkfs.fat mkfs.xfs mke2fs mkswap";
    const ENDINGS: &[&str] = &[".img", ".raw", ".qcow2", ".vdi", ".vmdk", ".dd", ".image"];
    let orders = is_listed("parted cryptsetup", &call.name);
    if !orders && !is_listed(ON_PATHS, &call.name) {
        return None;
    }
    let mut image = None;
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        let place = shell.place(&arg.value);
        let is_image = arg.known().is_some_and(|text| ENDINGS.iter().any(|ending| text.ends_with(ending)))
            && place.nature != Nature::Disk
            && !place.path.starts_with("/dev/");
        match is_image {
            true => image = Some(arg.clone()),
            false
                if orders && arg.known().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_alphanumeric())) => {}
            false => return None,
        }
    }
    image
}

/// Whether a call names a disk of this machine that the container at hand sees.
fn reaches_disk(shell: &Shell<'_>, call: &Call) -> bool {
    call.args.iter().any(|arg| {
        arg.value.prefix().starts_with("/dev/") && {
            let place = shell.place(&arg.value);
            place.nature == Nature::Disk && place.scope != Scope::Remote && shell.sees_this_machine()
        }
    })
}

/// The beginning of a call, as a person would write it: the program and what it is told to do.
pub fn shown(call: &Call) -> String {
    let mut all = call.name.to_string();
    for arg in call.args.iter().take(4) {
        all.push(' ');
        all.push_str(&arg.shown());
    }
    all
}

/// The words of a call from a position on, with the program before them, as a person would write them.
pub fn words_from(call: &Call, at: usize) -> String {
    const SHOWN: usize = 100;
    let mut text = call.name.to_string();
    for arg in call.args.iter().skip(at) {
        let word = arg.shown();
        if text.len() + word.len() > SHOWN {
            text.push_str(" …");
            break;
        }
        text.push(' ');
        text.push_str(&word);
    }
    text
}

/// The span from an argument to the end of the call.
pub fn span_from(call: &Call, at: usize) -> Span {
    match (call.args.get(at), call.args.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => call.span,
    }
}

/// The value of the option at this position: behind `=`, or the next argument.
pub fn attached_or_next(call: &Call, at: usize) -> Option<Arg> {
    let arg = call.args.get(at)?;
    match arg.value.prefix().find('=') {
        Some(equals) => Some(Arg { value: crate::shell::options::strip(&arg.value, equals + 1), span: arg.span }),
        None => call.args.get(at + 1).cloned(),
    }
}

/// Whether the words of a call ask only for a look: a dry run, a plan, a list.
pub fn only_looks(call: &Call) -> bool {
    let rehearsals = Rehearsals::of(&call.args);
    asks_for_help(call)
        || call
            .args
            .iter()
            .take_while(|arg| !arg.is("--"))
            .enumerate()
            .filter_map(|(at, arg)| arg.known().filter(|_| !rehearsals.is_taken_back(at)).map(|text| (at, text)))
            .any(|(at, text)| {
                // A word that is not known may be a value.
                let next = call.args.get(at + 1).map(|next| next.known().unwrap_or_default());
                !matches!(text, "--help" | "--version") && lexicon::is_harmless_flag(text, next)
            })
}

/// Whether a call only asks for help. In the middle of the arguments, `--version` has a value: the version of something.
fn asks_for_help(call: &Call) -> bool {
    let names_version = |arg: &Arg| arg.is("--version");
    call.asks_for_help()
        && (call.asks_by(&["--help"])
            || !call.args.iter().any(names_version)
            || call.args.first().is_some_and(names_version)
            || call.args.last().is_some_and(names_version))
}
