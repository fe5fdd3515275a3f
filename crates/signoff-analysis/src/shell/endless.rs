//! What goes on without end until the machine can no more: scripts that start themselves, loops that start programs and
//! never wait, and files that grow for ever. It shows in the form of a text, not in what its commands do.

use compact_str::CompactString;
use signoff_model::{Dialect, EffectKind, Risk, Span};

use super::{
    Shell, Written, rules,
    syntax::{
        self, Arena, Limits,
        tree::{
            Command, Compound, Item, Pipeline, RedirectOperator, RedirectTarget, Script, SimpleCommand, Word, WordPart,
        },
    },
};
use crate::{path_effects::rules, rule::Rule, words::Words};

rules! {
    EXHAUST = Rule::new("exhaust-machine", EffectKind::System, Risk::High, "takes memory or disk space without end: {}", "无止境地占用内存或磁盘空间：{}")
        .examples(&["tail /dev/zero", "yes > filler.txt", "cat /dev/urandom > /tmp/x", "dd if=/dev/zero of=filler", "while true; do dd if=/dev/zero of=x bs=1M count=100; done"], &["dd if=/dev/zero of=x bs=1M count=100", "head -c 100 /dev/zero", "yes | head -3 > x.txt", "yes > /dev/null"]);
}

/// Programs that start others, and those that may go on without end.
static LOOKED_AT: Words<32> = Words::new("$0 . bash cat command dd exec nohup setsid sh shuf sort tac tail yes zsh");

/// Deeper nesting is not looked at.
const MAX_DEPTH: usize = 24;

/// What was seen of a script.
#[derive(Default)]
struct Seen {
    /// How often it starts itself.
    starts: usize,
    /// One of these times beside what goes on.
    beside: bool,
    /// It starts itself, or something without end, in a loop, and waits for nothing.
    bomb: bool,
    /// What takes memory or space without end.
    exhausts: Option<(String, Span)>,
}

/// Where a command stands.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: usize,
    /// In a loop.
    looped: bool,
    /// In a loop that nothing ends.
    endless: bool,
    /// Beside other commands: in the background or in a pipeline.
    beside: bool,
}

impl<'a> Shell<'a> {
    /// Looks at the form of a script, and at those that it writes.
    pub(super) fn check_endless(&mut self, script: &Script<'_>, span: Span) {
        self.check_form(script, span);
        let mut written: Vec<(String, String)> = self
            .state
            .written
            .iter()
            .filter_map(|(path, written)| match written {
                Written::Content(feed) => Some((path.to_owned(), feed.known()?.to_owned())),
                _ => None,
            })
            .collect();
        written.sort();
        for (path, text) in written.into_iter().take(32) {
            let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            let batch = compact.contains("%0|%0") || compact.contains("start%0") || compact.contains("start\"\"%0");
            let mut seen = Seen::default();
            if !text.starts_with("#!") || text.lines().next().is_some_and(|line| line.ends_with("sh")) {
                let arena = Arena::new();
                let inner = syntax::parse(&text, Dialect::Bash, &Limits::default(), &arena);
                items(inner.items, Some(&path), Around::default(), &mut seen);
            }
            if batch || seen.bomb || seen.beside && seen.starts > 1 {
                self.tell(&rules::FORK_BOMB, path, span);
            }
        }
    }
}

impl<'a> Shell<'a> {
    /// Looks at the form of a text that runs, and of nothing else.
    pub(super) fn check_form(&mut self, script: &Script<'_>, span: Span) {
        let mut seen = Seen::default();
        items(script.items, None, Around::default(), &mut seen);
        if seen.bomb || seen.beside && seen.starts > 1 {
            self.tell(&rules::FORK_BOMB, "$0", span);
        }
        if let Some((what, span)) = seen.exhausts {
            self.tell(&EXHAUST, what, span);
        }
    }
}

fn items(all: &[Item], own: Option<&str>, around: Around, seen: &mut Seen) {
    if around.depth > MAX_DEPTH {
        return;
    }
    for item in all {
        let around = Around { depth: around.depth + 1, beside: around.beside || item.background, ..around };
        stages(&item.list.first, own, around, seen);
        for (_, pipeline) in item.list.rest {
            stages(pipeline, own, around, seen);
        }
    }
}

fn stages(pipeline: &Pipeline, own: Option<&str>, around: Around, seen: &mut Seen) {
    if let [only] = pipeline.commands {
        return one(only, own, around, seen);
    }
    feeds_without_end(pipeline, seen);
    for command in pipeline.commands {
        one(command, own, Around { beside: true, ..around }, seen);
    }
}

fn one(command: &Command, own: Option<&str>, around: Around, seen: &mut Seen) {
    match command {
        Command::Simple(simple) => simple_command(simple, own, around, seen),
        Command::Compound(compound) => match &compound.kind {
            Compound::Group(body) | Compound::Subshell(body) => items(body, own, around, seen),
            Compound::If { branches, otherwise } => {
                for (condition, body) in *branches {
                    items(condition, own, around, seen);
                    items(body, own, around, seen);
                }
                items(otherwise.unwrap_or_default(), own, around, seen);
            }
            Compound::While { until, condition, body } => {
                if is_endless(condition, *until) {
                    seen.bomb |= starts_and_never_waits(body);
                }
                items(condition, own, around, seen);
                let endless = around.endless || is_endless(condition, *until) && !leaves(body);
                items(body, own, Around { looped: true, endless, ..around }, seen);
            }
            Compound::ArithmeticFor { header, body } => {
                let header = shown(&Word { parts: header, span: compound.span });
                if header.split(';').nth(1).is_some_and(|condition| condition.trim().is_empty()) {
                    seen.bomb |= starts_and_never_waits(body);
                }
                items(body, own, Around { looped: true, ..around }, seen);
            }
            Compound::For { body, .. } => items(body, own, Around { looped: true, ..around }, seen),
            _ => {}
        },
        // Whoever calls it as often as it says is not counted; a loop in it is one.
        Command::Function(function) if around.depth <= MAX_DEPTH => {
            let mut inside = Seen::default();
            one(function.body, own, Around { depth: around.depth + 1, ..Around::default() }, &mut inside);
            seen.bomb |= inside.bomb;
            seen.exhausts = seen.exhausts.take().or(inside.exhausts);
        }
        _ => {}
    }
}

/// Whether something in the body of a loop may leave it.
fn leaves(body: &[Item]) -> bool {
    body.iter().any(|item| {
        let pipelines = std::iter::once(&item.list.first).chain(item.list.rest.iter().map(|(_, pipeline)| pipeline));
        pipelines.flat_map(|pipeline| pipeline.commands).any(super::loops::command_leaves)
    })
}

/// `while :`, `while true`, `until false`.
fn is_endless(condition: &[Item], until: bool) -> bool {
    let [only] = condition else { return false };
    let [Command::Simple(simple)] = only.list.first.commands else { return false };
    let word = simple.words.first().map(shown).unwrap_or_default();
    only.list.rest.is_empty() && matches!((until, word.as_str()), (false, ":" | "true" | "1") | (true, "false"))
}

/// Whether a body starts something in the background and then waits for nothing: no pause, no answer, no end.
fn starts_and_never_waits(body: &[Item]) -> bool {
    let mut background = false;
    for item in body {
        if item.background {
            background = true;
            continue;
        }
        let pipelines = std::iter::once(&item.list.first).chain(item.list.rest.iter().map(|(_, pipeline)| pipeline));
        for command in pipelines.flat_map(|pipeline| pipeline.commands) {
            // `(program &)` ends at once.
            if let Command::Compound(compound) = command
                && let Compound::Group(body) | Compound::Subshell(body) = &compound.kind
                && starts_and_never_waits(body)
            {
                background = true;
                continue;
            }
            let Command::Simple(simple) = command else { return false };
            let word = simple.words.first().map(shown).unwrap_or_default();
            if !matches!(word.as_str(), ":" | "true" | "echo" | "printf" | "") {
                return false;
            }
        }
    }
    background
}

fn simple_command(simple: &SimpleCommand, own: Option<&str>, around: Around, seen: &mut Seen) {
    // Nearly every command is told by its first word.
    if own.is_none()
        && let Some([WordPart::Literal(name)]) = simple.words.first().map(|word| word.parts)
        && !LOOKED_AT.holds(name)
    {
        return;
    }
    let words: Vec<CompactString> = simple.words.iter().map(shown).collect();
    let start = words
        .iter()
        .position(|word| {
            !matches!(word.as_str(), "exec" | "nohup" | "setsid" | "command" | "bash" | "sh" | "zsh" | "-c" | ".")
        })
        .unwrap_or(words.len());
    let is_own = |word: &CompactString| {
        matches!(word.as_str(), "$0" | "${0}" | "$BASH_SOURCE")
            || own.is_some_and(|path| {
                word == path
                    || word.rsplit('/').next() == path.rsplit('/').next() && word.contains('/')
                    || start > 0 && path.ends_with(&format!("/{word}"))
            })
    };
    if words.get(start).is_some_and(is_own) {
        seen.starts += 1;
        seen.beside |= around.beside;
        seen.bomb |= around.looped && around.beside;
    }
    let endless = |path: &str| matches!(path, "/dev/zero" | "/dev/urandom" | "/dev/random" | "/dev/full");
    let operand = words.iter().skip(1).any(|word| endless(word));
    let whole = match words.first().map(CompactString::as_str) {
        Some("tail" | "sort" | "tac" | "shuf") => operand && !words.iter().any(|word| word.starts_with("-c")),
        Some("cat") => operand && fills(simple),
        Some("yes") => !around.beside && fills(simple),
        Some("dd") => {
            let operand = |key: &str| words.iter().rev().find_map(|word| word.strip_prefix(key));
            let stored = operand("of=").is_some_and(|path| path != "/dev/null");
            let counted = operand("count=").is_some();
            operand("if=").is_some_and(endless) && (stored && !counted || around.endless)
        }
        _ => false,
    };
    if whole {
        seen.exhausts = Some((words.join(" "), simple.span));
    }
}

/// Whether what a command prints goes to a file that lasts.
fn fills(simple: &SimpleCommand) -> bool {
    simple.redirects.iter().any(|redirect| {
        let RedirectTarget::Word(target) = &redirect.target else { return false };
        matches!(redirect.operator, RedirectOperator::Write | RedirectOperator::Append | RedirectOperator::Clobber)
            && redirect.descriptor.is_none()
            && !shown(target).starts_with("/dev/")
            && !shown(target).starts_with("/proc/")
    })
}

/// `yes | xargs -P0 …`: one program after the other, as many at a time as can be.
fn feeds_without_end(pipeline: &Pipeline, seen: &mut Seen) {
    let stage = |command: &Command| match command {
        Command::Simple(simple) => simple.words.iter().map(shown).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let [first @ Command::Simple(simple), second, ..] = pipeline.commands else { return };
    // Nearly every pipeline is told by its first word.
    if let Some([WordPart::Literal(name)]) = simple.words.first().map(|word| word.parts)
        && *name != "yes"
    {
        return;
    }
    if simple.words.first().is_none_or(|word| shown(word) != "yes") {
        return;
    }
    let (first, second) = (stage(first), stage(second));
    let many = second.iter().any(|word| word.starts_with("-P0") || word == "--max-procs=0" || word == "-j0")
        || second.windows(2).any(|pair| matches!(pair, [option, count] if option == "-P" && count == "0"));
    if first.first().is_some_and(|word| word == "yes")
        && second.first().is_some_and(|word| matches!(word.as_str(), "xargs" | "parallel"))
        && many
    {
        seen.bomb = true;
    }
}

/// A word as far as it is written out; a parameter by its name.
fn shown(word: &Word) -> CompactString {
    fn parts(all: &[WordPart], text: &mut CompactString) {
        for part in all {
            match part {
                WordPart::Literal(part) | WordPart::SingleQuoted(part) => text.push_str(part),
                WordPart::DoubleQuoted(inner) => parts(inner, text),
                WordPart::Parameter(parameter) => {
                    text.push('$');
                    text.push_str(parameter.name);
                }
                _ => text.push('…'),
            }
        }
    }
    let mut text = CompactString::default();
    parts(word.parts, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_never_ends_is_told_from_what_does() {
        check(
            Verdict::Block,
            &[
                "echo '$0 & $0 &' > /tmp/x.sh && chmod +x /tmp/x.sh && /tmp/x.sh",
                "printf '#!/bin/sh\\n\"$0\" | \"$0\" &\\n' > /tmp/b; sh /tmp/b",
                "cat > /tmp/b.sh <<'X'\n#!/bin/bash\nwhile true; do\n  bash /tmp/b.sh &\ndone\nX\nbash /tmp/b.sh",
                "echo './b.sh & ./b.sh &' > b.sh; chmod +x b.sh; ./b.sh",
                "while :; do $0 & done",
                "zf() { while :; do $0 & done; }; zf",
                "bash -c 'while :; do $0 & done'",
                "sh -c 'while true; do sleep 1000 & done'",
                "eval 'while :; do $0 & done'",
                "nohup bash -c 'while :; do bash & done' &",
                "fish -c 'while true; fish -c $argv & ; end'",
                "while true; do (while true; do :; done) & done",
                "while true; do yes > /dev/null & done",
                "until false; do sleep 1000 & done",
                "while :; do (bash &); done",
                "while :; do { sleep 1000 & }; done",
                "for ((;;)); do cat /dev/zero > /dev/null & done",
                "yes | xargs -P0 -I{} sh -c 'sleep 1000'",
                "nohup $0 & nohup $0 &",
                "echo '%0|%0' > b.bat && cmd /c b.bat",
            ],
        );
        check(Verdict::Ask, &["tail /dev/zero", "yes > filler.txt"]);
        check(
            Verdict::Allow,
            &[
                "while :; do sleep 1; done",
                "bash -c 'while true; do ./poll & sleep 5; done'",
                "serve() { while true; do ./server; done; }; serve",
                "fish -c 'while true; date; sleep 5; end'",
                "while true; do ./poll & sleep 5; done",
                "while true; do work & wait; done",
                "while true; do (work & wait); done",
                "while true; do (./poll &); sleep 5; done",
                "for i in 1 2 3; do ./work $i & done; wait",
                "while read -r line; do echo \"$line\" & done < list.txt",
                "echo \"usage: $0 file\"",
                "yes | head -5 > /tmp/x",
                "head -c 1M /dev/urandom > /tmp/x",
                "cat > run.sh <<'X'\n#!/bin/sh\necho \"$0\"\nX",
            ],
        );
    }
}
