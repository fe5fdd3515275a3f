//! Programs that read files and print them, whole or in part.

use signoff_model::Dialect;

use super::{PLAIN, hooks, read_all, taken};
use crate::{
    path_effects::Write,
    shell::{
        Call, Language, Shell,
        families::{
            filters::{
                self, Lines,
                jq::Manner,
                lines::{self, Unit},
            },
            infrastructure::UNSEEN_OUTPUTS,
            secrets::{self, SHOW_ENVIRONMENT, SHOW_SECRET, is_secret_variable},
        },
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Value},
    words::is_listed,
};

/// Readers of which no option takes a separate value.
pub(super) fn plain(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let syntax = match call.name.as_str() {
        "bat" | "batcat" => BAT,
        "od" => Syntax { short_values: "AjNStw", ..PLAIN },
        "hexdump" | "hd" => Syntax { short_values: "efns", ..PLAIN },
        "strings" => Syntax { short_values: "net", ..PLAIN },
        _ => PLAIN,
    };
    let options = Options::read(&call.args, &syntax);
    if let Some(pager) = options.value(&["pager"])
        && !options.has(&["P", "no-paging"])
    {
        shell.run_text(pager, Dialect::Sh, Feed::none());
    }
    let expressions = matches!(call.name.as_str(), "htmlq" | "pup" | "xq" | "hxselect" | "jello" | "fx" | "jc");
    let skip = usize::from(expressions);
    let feed = read_all(shell, options.operands.iter().skip(skip).copied(), &call.stdin, &call.name);
    // A plain `cat` hands on exactly what it reads.
    let exact = call.name == "cat" && options.given.is_empty();
    if exact { feed } else { unpacked(feed, &call.name) }
}

/// What a reader of packed files prints; anything else changes what it reads in a way that is not followed.
fn unpacked(feed: Feed, program: &str) -> Feed {
    let inflated = if matches!(program, "zcat" | "gzcat" | "zless" | "zmore") { feed.inflated() } else { None };
    inflated.unwrap_or_else(|| feed.changed_by(program))
}

const BAT: Syntax = Syntax {
    short_values: "lHmr",
    long_values: &[
        "language",
        "highlight-line",
        "line-range",
        "style",
        "theme",
        "pager",
        "paging",
        "tabs",
        "wrap",
        "terminal-width",
        "color",
        "decorations",
        "map-syntax",
        "file-name",
        "diff-context",
    ],
    ..PLAIN
};

const VALUED: Syntax = Syntax {
    short_values: "",
    long_values: &[
        "lines",
        "bytes",
        "pid",
        "sleep-interval",
        "max-unchanged-times",
        "delimiter",
        "fields",
        "characters",
        "output-delimiter",
        "width",
        "separator",
        "table-columns",
        "columns",
        "table-name",
        "number-width",
        "body-numbering",
        "tabs",
        "prefix",
        "regex",
        "match",
        "file",
        "format",
        "sheet",
    ],
    ..PLAIN
};

/// Readers with options that take values.
pub(super) fn valued(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let short_values = match call.name.as_str() {
        "head" | "tail" | "ghead" | "gtail" => "ncs",
        "fmt" => "wp",
        "pr" => "DeihlNnoSsWw",
        "look" | "expand" | "unexpand" => "t",
        "nl" | "gnl" => "bdfhilnsvw",
        "column" => "csoNRHWTEO",
        name if name.starts_with("csv") || name == "in2csv" => "cdqueltmrfKpzH",
        _ => "",
    };
    let options = Options::read(&call.args, &Syntax { short_values, ..VALUED });
    let skip = usize::from(matches!(call.name.as_str(), "xsv" | "qsv" | "look" | "xan"));
    // The old form `tail -5 file` and `+5` give numbers, not files.
    let files = options
        .operands
        .iter()
        .skip(skip)
        .copied()
        .filter(|arg| !arg.value.prefix().starts_with('+') && arg.known() != Some(""));
    let files: Vec<&Arg> = files.collect();
    let feed = read_all(shell, files, &call.stdin, &call.name);
    let whole = matches!(call.name.trim_start_matches('g'), "head" | "tail") && !options.has(&["c", "bytes"]);
    filters::by_lines(feed, &call.name, Lines::chosen_if(whole), |text| {
        part_of(call, &options, text).map(|part| part.as_bytes().to_vec())
    })
}

/// `pandoc`: it reads files, writes one, and runs the filters and engines that it is told.
pub(super) fn pandoc(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const PANDOC: Syntax = Syntax {
        short_values: "frtwoVMHBADFLTcd",
        long_values: &[
            "from",
            "read",
            "to",
            "write",
            "output",
            "filter",
            "lua-filter",
            "pdf-engine",
            "template",
            "metadata",
            "metadata-file",
            "variable",
            "css",
            "include-in-header",
            "include-before-body",
            "include-after-body",
            "reference-doc",
            "resource-path",
            "bibliography",
            "csl",
            "data-dir",
            "defaults",
            "highlight-style",
            "syntax-definition",
            "toc-depth",
            "title-prefix",
            "extract-media",
            "log",
        ],
        ..PLAIN
    };
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &PANDOC);
    for program in options.values(&["F", "filter", "pdf-engine"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), program.span);
    }
    for script in options.values(&["L", "lua-filter"]) {
        shell.run_script(Language::Lua, script, &[], Feed::none());
    }
    let feed = read_all(shell, options.operands.iter().copied(), &call.stdin, &call.name);
    match options.value(&["o", "output"]) {
        Some(file) if !file.is("-") => {
            shell.write(file, Write::Replace);
            Feed::none()
        }
        _ => feed.changed_by("pandoc"),
    }
}

/// The part of a known text that `head` or `tail` prints.
fn part_of<'t>(call: &Call, options: &Options<'_>, text: &'t str) -> Option<&'t str> {
    let (unit, count) = match (options.value(&["c", "bytes"]), options.value(&["n", "lines"])) {
        (Some(bytes), _) => (Unit::Bytes, bytes.known()?.to_owned()),
        (None, Some(lines)) => (Unit::Lines, lines.known()?.to_owned()),
        (None, None) => {
            let old = options.given.iter().filter(|given| given.name.chars().all(|letter| letter.is_ascii_digit()));
            let old: String = old.map(|given| given.name.as_str()).collect();
            (Unit::Lines, if old.is_empty() { "10".to_owned() } else { old })
        }
    };
    match call.name.trim_start_matches('g') {
        "head" => lines::head(text, unit, count.parse().ok()?),
        "tail" => lines::tail(text, unit, count.trim_start_matches(['+', '-']).parse().ok()?, count.starts_with('+')),
        _ => None,
    }
}

const SORT: Syntax = Syntax {
    short_values: "koStT",
    long_values: &[
        "key",
        "output",
        "buffer-size",
        "field-separator",
        "temporary-directory",
        "compress-program",
        "parallel",
        "files0-from",
        "random-source",
        "batch-size",
        "sort",
    ],
    ..PLAIN
};

pub(super) fn sort(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(&call.args, &SORT);
    if let Some(program) = options.value(&["compress-program"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), call.span);
    }
    read_names(shell, &options);
    let feed = read_all(shell, options.operands.iter().copied(), &call.stdin, "sort");
    let plain = options.given.iter().all(|given| matches!(given.name.as_str(), "n" | "r" | "u" | "o" | "output"));
    let whole = options.given.iter().all(|given| !"debug".starts_with(given.name.as_str()) || given.name.len() == 1);
    let feed = filters::by_lines(feed, "sort", Lines::chosen_if(whole), |text| {
        plain.then(|| lines::sort(text, options.has(&["n"]), options.has(&["r"]), options.has(&["u"])).into_bytes())
    });
    written_to(shell, &options, &["o", "output"], feed)
}

/// What a program prints, or writes to the file of an option.
fn written_to(shell: &mut Shell<'_>, options: &Options<'_>, names: &[&str], feed: Feed) -> Feed {
    let Some(output) = options.value(names).filter(|output| !output.is("-")).cloned() else { return feed };
    let same = options.operands.iter().any(|operand| operand.value == output.value);
    let empty = feed.known() == Some("");
    shell.write(
        &output,
        if same {
            Write::Edit
        } else if empty {
            Write::Empty
        } else {
            Write::Replace
        },
    );
    shell.remember_written(&output, crate::shell::Written::Content(feed));
    Feed::none()
}

pub(super) fn uniq(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax = Syntax {
        short_values: "fsw",
        long_values: &["skip-fields", "skip-chars", "check-chars", "group", "all-repeated"],
        ..PLAIN
    };
    let options = Options::read(&call.args, &syntax);
    let feed = read_all(shell, options.operands.first().copied(), &call.stdin, "uniq");
    let whole = options.given.iter().all(|given| is_listed("d D u i z f s w repeated unique ignore-case", &given.name));
    let feed = filters::by_lines(feed, "uniq", Lines::chosen_if(whole), |text| {
        options.given.is_empty().then(|| lines::uniq(text).into_bytes())
    });
    match options.operands.get(1) {
        Some(output) if !output.is("-") => {
            shell.write(output, Write::Replace);
            Feed::none()
        }
        _ => feed,
    }
}

pub(super) fn shuf(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let syntax =
        Syntax { short_values: "nio", long_values: &["head-count", "input-range", "output", "random-source"], ..PLAIN };
    let options = Options::read(&call.args, &syntax);
    let files: Vec<&Arg> = if options.has(&["e", "echo"]) { Vec::new() } else { options.operands.to_vec() };
    let whole = options.given.iter().all(|given| is_listed("n r z head-count random-source repeat", &given.name));
    let feed = Lines::chosen_if(whole).of(read_all(shell, files, &call.stdin, "shuf"), "shuf");
    written_to(shell, &options, &["o", "output"], feed)
}

/// `jq`: a program, then files. The program cannot write; it can print the environment.
pub(super) fn jq(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let mut files: Vec<&Arg> = Vec::new();
    let mut filter = None;
    let mut given: Vec<(String, &Arg)> = Vec::new();
    let mut args = call.args.iter();
    let mut from_file = false;
    while let Some(arg) = args.next() {
        match arg.value.prefix() {
            "--arg" | "--argjson" => {
                let name = args.next().map(|name| name.shown().into_owned());
                given.extend(name.zip(args.next()));
            }
            "--slurpfile" | "--rawfile" | "--argfile" => {
                args.next();
                files.extend(args.next());
            }
            "-f" | "--from-file" => from_file = true,
            "--indent" | "-L" | "--library-path" => {
                args.next();
            }
            "--args" | "--jsonargs" => {
                filter = filter.or(args.next());
                break;
            }
            text if text.len() > 1 && text.starts_with('-') => {}
            _ if filter.is_none() => filter = Some(arg),
            _ => files.push(arg),
        }
    }
    if from_file && let Some(file) = filter {
        files.push(file);
    } else if let Some(filter) = filter
        && let Some(shown) = filter.known().and_then(shown_environment)
    {
        shell.tell(&SHOW_ENVIRONMENT, shown.to_owned(), filter.span);
        return Feed::from(Origin::Secret(shown.to_owned()));
    } else if let Some(filter) = filter
        && let Some(field) = filter.known().and_then(|text| secret_field(text, &call.stdin))
    {
        shell.tell(&SHOW_SECRET, field.to_owned(), filter.span);
        return Feed::from(Origin::Secret(field.to_owned()));
    }
    if let Some(filter) = filter {
        hooks::run(shell, call, filter, &given);
    }
    let is_read = !files.is_empty();
    let read = read_all(shell, files, &call.stdin, "jq");
    if let (Some(filter), Some(manner), true) = (filter.and_then(Arg::known), manner(call), given.is_empty())
        && let Some(input) = read.known().or((manner.nothing && !is_read).then_some(""))
    {
        shell.spend(1 + input.len() / 256);
        // A file in the home directory may give the names in a filter another meaning.
        let defines = shell.state.variables.contains_key("HOME")
            || call.variables.iter().any(|(name, _)| name == "HOME")
            || shell.state.written.keys().any(|path| path.ends_with("/.jq"));
        if !defines && let Some(printed) = filters::jq::output(filter, input, manner) {
            return Feed::of(Value::text(printed));
        }
    }
    let feed = read.changed_by("jq");
    // Of outputs that are secrets together, those that are named are none.
    match filter.and_then(Arg::known).is_some_and(taken::takes_by_name) && !from_file {
        true => {
            let mut flow = feed.into_flow();
            flow.origins.retain(|origin| !matches!(origin, Origin::Secret(name) if name == UNSEEN_OUTPUTS));
            flow.into()
        }
        false => feed,
    }
}

/// How a call of `jq` reads and prints; none if an option says something else.
fn manner(call: &Call) -> Option<Manner> {
    let mut manner = Manner::default();
    for text in call.args.iter().filter(|arg| arg.is_option()).map(Arg::known) {
        let text = text?;
        let letters = match text {
            "--null-input" => "n",
            "--raw-input" => "R",
            "--raw-output" => "r",
            "--join-output" => "j",
            "--compact-output" => "c",
            "--monochrome-output" | "--unbuffered" => "",
            long if long.starts_with("--") => return None,
            short => short.get(1..)?,
        };
        for letter in letters.chars() {
            match letter {
                'n' => manner.nothing = true,
                'R' => manner.lines = true,
                'r' => manner.raw = true,
                'j' => (manner.raw, manner.joined) = (true, true),
                'c' => manner.compact = true,
                'M' | 'e' => {}
                _ => return None,
            }
        }
    }
    Some(manner)
}

/// The field that a filter takes out of what a tool prints of its settings, if the name of the field says that it is a
/// secret. What a program of the project prints is its own matter.
fn secret_field<'f>(filter: &'f str, stdin: &Feed) -> Option<&'f str> {
    const TELL_SETTINGS: &str = "terraform tofu opentofu terragrunt tf pulumi consul nomad";
    let told =
        stdin.origins.iter().any(|origin| matches!(origin, Origin::Program(name) if is_listed(TELL_SETTINGS, name)));
    let fields =
        || filter.split(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-' | '.' | '"'));
    let named = |field: &&str| field.starts_with('.');
    let is_secret = |field: &&str| field.split(['.', '"']).any(secrets::is_secret_name);
    // A test for the name shows nothing of the value.
    if !told || filter.contains("has(") || filter.contains("keys") {
        return None;
    }
    fields().filter(named).find(is_secret)
}

/// The part of the environment that a filter of `jq` prints, if a secret may be in it: `env`, `$ENV.TOKEN`.
fn shown_environment(filter: &str) -> Option<&str> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    ["$ENV", "env"].iter().find_map(|name| {
        filter.match_indices(name).find_map(|(at, _)| {
            let before = filter.get(..at)?.chars().next_back();
            let behind = filter.get(at + name.len()..)?;
            // `.env` is a field, `"env"` a text, `$env` a variable of the filter.
            let free = !before.is_some_and(|letter| is_word(letter) || matches!(letter, '.' | '$' | '"' | '@'))
                && !behind.starts_with(|letter: char| is_word(letter) || matches!(letter, '"' | ':' | '('));
            let field = behind.trim_start_matches(['.', '[', '"']);
            let field = field.get(..field.find(|letter| !is_word(letter)).unwrap_or(field.len()))?;
            let harmless = behind.starts_with(['.', '[']) && !field.is_empty() && !is_secret_variable(field);
            (free && !harmless).then_some(if field.is_empty() { "env" } else { field })
        })
    })
}

/// Pagers: they read; `+!command` runs a command at the start.
pub(super) fn pager(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "bhjkoOpPtTxyz",
            long_values: &["lesskey-file", "log-file", "LOG-FILE", "pattern", "prompt", "tag"],
            ..PLAIN
        },
    );
    let mut files = Vec::new();
    for operand in &options.operands {
        match operand.known() {
            Some(text) if text.starts_with('+') => {
                if let Some(command) = text.trim_start_matches('+').strip_prefix('!') {
                    shell.run_text(&Arg::text(command, operand.span), Dialect::Sh, Feed::none());
                }
            }
            _ => files.push(*operand),
        }
    }
    if let Some(log) = options.value(&["o", "O", "log-file", "LOG-FILE"]) {
        shell.write(log, Write::Replace);
    }
    unpacked(read_all(shell, files, &call.stdin, &call.name), &call.name)
}

/// Manuals; their pager is a command.
pub(super) fn manual(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "PCMH", long_values: &["pager", "html", "config-file", "manpath"], ..PLAIN },
    );
    for command in options.values(&["P", "pager", "H", "html"]) {
        if call.name == "man" {
            shell.run_text(command, Dialect::Sh, Feed::none());
        }
    }
    call.output()
}

/// Comparing shows lines of both sides.
pub(super) fn compare(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() {
        return Feed::none();
    }
    let short_values = match call.name.as_str() {
        "diff" | "gdiff" | "colordiff" => "IxXSFCUWLD",
        "cmp" => "in",
        "join" => "aeijotv12",
        "sdiff" => "oIw",
        _ => "",
    };
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values,
            long_values: &[
                "output",
                "exclude",
                "exclude-from",
                "label",
                "delimiters",
                "unified",
                "context",
                "width",
                "ignore-matching-lines",
                "starting-file",
                "diff-program",
            ],
            ..PLAIN
        },
    );
    if let Some(program) = options.value(&["diff-program"]) {
        shell.run(std::slice::from_ref(program), Feed::none(), call.span);
    }
    let silent = options.has(&["q", "brief", "s", "quiet", "silent"]);
    let feed =
        if silent { call.output() } else { read_all(shell, options.operands.iter().copied(), &call.stdin, &call.name) };
    if call.name == "sdiff" { written_to(shell, &options, &["o", "output"], feed) } else { feed.changed_by(&call.name) }
}

/// Counting shows no content.
pub(super) fn count(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const COUNT: Syntax = Syntax { long_values: &["files0-from", "total"], ..PLAIN };
    read_names(shell, &Options::read(&call.args, &COUNT));
    call.output()
}

/// A file whose lines are taken for names of files: those that are none are shown in an error.
fn read_names(shell: &mut Shell<'_>, options: &Options<'_>) {
    if let Some(list) = options.value(&["files0-from"]) {
        shell.read(list);
    }
}

/// Filters that change what flows in.
pub(super) fn passes(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    call.stdin.clone().changed_by(&call.name)
}
