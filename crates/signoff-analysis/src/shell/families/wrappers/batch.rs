//! Programs that run a command for what flows in: `xargs`, `parallel`.

use signoff_model::{Dialect, Span, Unread};

use super::{
    joined, run_words,
    words::{Cut, items, substitute, unknown_item},
};
use crate::{
    shell::{
        Call, Language, Locus, Shell, Variable,
        options::{Options, Syntax},
        quote,
    },
    value::{Arg, Feed, Origin, Origins, Value},
};

/// Batches beyond this are not run one by one: what is left is one more batch.
const MOST_BATCHES: usize = 64;

const XARGS: Syntax = Syntax {
    short_values: "aEILnPsdJRS",
    long_values: &["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "max-lines", "process-slot-var"],
    long_flags: &[
        "null",
        "replace",
        "no-run-if-empty",
        "verbose",
        "interactive",
        "help",
        "version",
        "show-limits",
        "open-tty",
        "exit",
        "eof",
    ],
    stops_at_operand: true,
    single_dash_long: false,
};

pub(super) fn xargs(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &XARGS);
    if options.has(&["help", "version"]) {
        return Feed::from(Origin::Program("xargs".into()));
    }
    let mark = replaced_mark(&options);
    let cut = match options.value(&["d", "delimiter"]).and_then(|value| value.known()) {
        _ if options.has(&["0", "null"]) => Cut::At('\0'),
        Some(delimiter) => Cut::At(delimiter_of(delimiter)),
        None if mark.is_some() => Cut::Lines,
        None => Cut::Words,
    };
    let feed = match options.value(&["a", "arg-file"]) {
        Some(file) => shell.read(file),
        None => call.stdin.clone(),
    };
    let echo = [Arg::text("echo", call.span)];
    let words = match call.args.get(options.first_operand..).unwrap_or_default() {
        [] => echo.as_slice(),
        words => words,
    };
    // What stands between other signs than line ends is a part of a line.
    let is_line = |delimiter: &Arg| delimiter.known().is_some_and(|text| matches!(delimiter_of(text), '\n' | '\0'));
    let feed = match options.value(&["d", "delimiter"]) {
        Some(delimiter) if !is_line(delimiter) && feed.text.is_none() => feed.changed_by("xargs"),
        _ => feed,
    };
    let span = words.iter().fold(call.program.span, |all, word| all.to(word.span));
    let Some(items) = items(&feed, cut) else {
        return run_batch(shell, call, words, mark.as_deref(), &[unknown_item(&feed, "xargs")], span);
    };
    if items.is_empty() {
        // GNU runs the command once on nothing unless told not to; that is the command as it stands.
        return run_batch(shell, call, words, None, &[], span);
    }
    let most =
        options.value(&["n", "max-args", "L", "max-lines"]).and_then(|value| value.known()?.parse::<usize>().ok());
    let size = if mark.is_some() { 1 } else { most.unwrap_or(usize::MAX).max(1) };
    let mut printed = Feed::none();
    let mut rest = items.as_slice();
    for _ in 0..MOST_BATCHES {
        let (batch, more) = rest.split_at(size.min(rest.len()));
        if batch.is_empty() {
            return printed;
        }
        printed = printed.then(run_batch(shell, call, words, mark.as_deref(), batch, span));
        rest = more;
    }
    if rest.is_empty() { printed } else { printed.then(run_batch(shell, call, words, None, rest, span)) }
}

/// The text that stands for an item: `-I R`, `-i[R]`, `--replace[=R]`, BSD's `-J R`.
fn replaced_mark(options: &Options<'_>) -> Option<String> {
    let given = options.given.iter().rev().find(|given| matches!(given.name.as_str(), "I" | "J" | "i" | "replace"))?;
    let text = match given.name.as_str() {
        "i" => given.arg.known()?.split_once('i').map(|(_, mark)| mark.to_owned()),
        _ => given.value.as_ref().and_then(|value| value.known().map(str::to_owned)),
    };
    Some(text.filter(|mark| !mark.is_empty()).unwrap_or_else(|| "{}".to_owned()))
}

fn delimiter_of(text: &str) -> char {
    match text {
        "\\n" => '\n',
        "\\t" => '\t',
        "\\0" => '\0',
        "\\r" => '\r',
        "\\\\" => '\\',
        text => text.chars().next().unwrap_or('\n'),
    }
}

fn run_batch(
    shell: &mut Shell<'_>,
    call: &Call,
    words: &[Arg],
    mark: Option<&str>,
    items: &[Value],
    span: Span,
) -> Feed {
    let mut argv: Vec<Arg> = Vec::with_capacity(words.len() + items.len());
    match (mark, items) {
        (Some(mark), [item]) => {
            // BSD's -J puts the items in the place of the word; the others replace the text within each word.
            argv.extend(words.iter().map(|word| Arg { value: substitute(&word.value, mark, item).0, span: word.span }));
        }
        _ => {
            argv.extend_from_slice(words);
            argv.extend(items.iter().map(|item| Arg { value: item.clone(), span }));
        }
    }
    run_words(shell, call, &argv, Feed::none())
}

const PARALLEL: Syntax = Syntax {
    short_values: "jaInNLCdSPJDMslE",
    long_values: &[
        "jobs",
        "arg-file",
        "max-args",
        "max-replace-args",
        "max-lines",
        "colsep",
        "delimiter",
        "delay",
        "timeout",
        "retries",
        "results",
        "joblog",
        "tmpdir",
        "tempdir",
        "workdir",
        "wd",
        "sshlogin",
        "sshloginfile",
        "slf",
        "tagstring",
        "halt",
        "halt-on-error",
        "load",
        "memfree",
        "nice",
        "header",
        "env",
        "max-procs",
        "replace",
        "basefile",
        "return",
        "block",
        "recstart",
        "recend",
        "shellquote-level",
        "termseq",
        "limit",
        "semaphorename",
        "rpl",
        "trim",
        "parens",
    ],
    long_flags: &[
        "dry-run",
        "dryrun",
        "help",
        "version",
        "keep-order",
        "null",
        "bar",
        "eta",
        "will-cite",
        "progress",
        "tag",
        "pipe",
    ],
    stops_at_operand: true,
    single_dash_long: false,
};

pub(super) fn parallel(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &PARALLEL);
    let idle = Feed::from(Origin::Program("parallel".into()));
    if options.has(&["help", "version", "V", "dry-run", "dryrun", "citation"]) {
        return idle;
    }
    let rest = call.args.get(options.first_operand..).unwrap_or_default();
    let is_mark = |arg: &&Arg| matches!(arg.known(), Some(":::" | "::::" | ":::+" | "::::+" | "--"));
    let end = rest.iter().position(|arg| is_mark(&arg)).unwrap_or(rest.len());
    let (words, lists) = rest.split_at(end);
    let mut items_given: Vec<Value> = Vec::new();
    let mut unknown = Feed::none();
    let mut from_files = false;
    for arg in lists {
        match arg.known() {
            Some(":::" | ":::+" | "--") => from_files = false,
            Some("::::" | "::::+") => from_files = true,
            _ if from_files => unknown = unknown.then(shell.read(arg)),
            _ => items_given.push(arg.value.clone()),
        }
    }
    if let Some(file) = options.value(&["a", "arg-file"]) {
        unknown = unknown.then(shell.read(file));
    } else if lists.is_empty() {
        unknown = call.stdin.clone();
    }
    if options.has(&["pipe", "pipepart", "spreadstdin"]) {
        // What flows in goes to the command as it is.
        return match joined(words) {
            Some(code) => shell.run_code(Language::Shell(Dialect::Bash), &code, unknown),
            None => idle,
        };
    }
    let cut = if options.has(&["0", "null"]) { Cut::At('\0') } else { Cut::PlainLines };
    if !unknown.is_none() {
        match items(&unknown, cut) {
            Some(found) => items_given.extend(found),
            None => items_given.push(unknown_item(&unknown, "parallel")),
        }
    }
    // What is cut or changed on the way is no item any more.
    if options.has(&["C", "colsep", "trim", "rpl", "plus", "d", "delimiter", "recstart", "recend", "parens"]) {
        items_given.iter_mut().filter(|item| item.known().is_none()).for_each(|item| *item = part_of(item));
    }
    if words.iter().any(|word| word.shown().contains("{=")) || options.has(&["rpl", "parens"]) {
        shell.opaque(Unread::Part(joined(words).map_or_else(String::new, |code| code.shown().into_owned())), call.span);
    }
    let hosts =
        options.values(&["S", "sshlogin"]).next().filter(|host| !host.is(":")).map(|host| host.shown().into_owned());
    let body = |shell: &mut Shell<'_>| {
        let mut printed = Feed::none();
        for item in items_given.iter().take(MOST_BATCHES) {
            printed = printed.then(run_one(shell, call, words, item));
        }
        if items_given.is_empty() { run_one(shell, call, words, &Value::default()) } else { printed }
    };
    match hosts {
        Some(host) => shell.elsewhere(Locus::Remote(host), body),
        None => body(shell),
    }
}

/// The name of the variable that stands for an item which is not known, in the text that a shell would get.
const ITEM: &str = "SIGNOFF_ITEM";
/// The same for a part of it.
const PART: &str = "SIGNOFF_PART";

/// A part of an item that is not known: it leads elsewhere than the item does.
fn part_of(item: &Value) -> Value {
    let mut origins: Origins = item.origins().cloned().collect();
    // What a pattern matches is a list as well.
    if let Some(pattern) = item.known_with_globs() {
        origins.add(Origin::listing("parallel", pattern));
    }
    origins.blurred_by(Origin::Program("parallel".into()));
    Value::unknown(item.shown().into_owned(), origins)
}

/// Runs the template of `parallel` for one item: the words are a text for a shell, the item is quoted into it. Without a
/// template the item itself is the text.
fn run_one(shell: &mut Shell<'_>, call: &Call, words: &[Arg], item: &Value) -> Feed {
    let Some(template) = joined(words) else {
        let code = Arg { value: item.clone(), span: call.span };
        return shell.run_code(Language::Shell(Dialect::Bash), &code, Feed::none());
    };
    let shown = match item.known() {
        Some(text) => quote(text),
        None => format!("\"${ITEM}\""),
    };
    let base = item.known().map(|text| text.rsplit('/').next().unwrap_or(text));
    let stem = |text: &str| match text.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() && !stem.ends_with('/') => stem.to_owned(),
        _ => text.to_owned(),
    };
    let directory = item.known().map(|text| text.rsplit_once('/').map_or(".", |(directory, _)| directory));
    let or_part = |text: Option<String>| text.map_or_else(|| format!("\"${PART}\""), |text| quote(&text));
    let whole_marks = ["", "1", "2", "3", "4"];
    let mut marks: Vec<(String, String)> = vec![("{#}".to_owned(), "1".to_owned()), ("{%}".to_owned(), "1".to_owned())];
    for number in whole_marks {
        marks.extend([
            (format!("{{{number}/.}}"), or_part(base.map(stem))),
            (format!("{{{number}//}}"), or_part(directory.map(str::to_owned))),
            (format!("{{{number}.}}"), or_part(item.known().map(stem))),
            (format!("{{{number}/}}"), or_part(base.map(str::to_owned))),
            (format!("{{{number}}}"), shown.clone()),
        ]);
    }
    let mut value = template.value.clone();
    let mut placed = false;
    for (mark, text) in marks {
        let (changed, found) = substitute(&value, &mark, &Value::text(text));
        value = changed;
        placed |= found;
    }
    if !placed && !item.is_empty() {
        value.extend(Value::text(format!(" {shown}")));
    }
    let code = Arg { value, span: template.span };
    shell.subshell(|shell| {
        if item.known().is_none() {
            shell.state.variables.insert(ITEM.to_owned(), Variable::Scalar(vec![item.clone()]));
            shell.state.variables.insert(PART.to_owned(), Variable::Scalar(vec![part_of(item)]));
        }
        shell.run_code(Language::Shell(Dialect::Bash), &code, Feed::none())
    })
}
