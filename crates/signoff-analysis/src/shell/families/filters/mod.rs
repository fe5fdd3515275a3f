//! Programs whose output follows from their input: what a text decodes to. When all of it is known the output is
//! computed, so that `printf … | base64 -d | sh` is judged by what it runs; otherwise the origins of the input stay.

mod codec;
pub mod jq;
pub mod lines;
mod numbers;
mod printf;
mod sed;
mod translate;

pub use sed::{sed_commands, sed_text};
use signoff_model::Dialect;

use crate::{
    path_effects::Write,
    rule::Rule,
    shell::{
        Call, Judge, Shell, Written,
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Origins, Piece, Value},
};

/// The rules of this family: it has none, since printing is harmless.
pub static RULES: &[&Rule] = &[];

/// Nothing longer than this is computed.
pub const MOST: usize = 64 * 1024;

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "echo" | "gecho" => echo,
        "printf" | "gprintf" => printf,
        "base64" | "gbase64" | "base32" | "basenc" => base,
        "xxd" => xxd,
        "zlib-flate" | "inflate" => unpacker,
        "uudecode" | "base58" | "b58" | "unhex" => decoder,
        "rev" | "tac" | "gtac" | "fold" | "paste" | "cut" | "gcut" | "tr" | "gtr" | "ts" => filter,
        "seq" | "gseq" => numbers::seq,
        "yes" => yes,
        "basename" | "gbasename" | "dirname" | "gdirname" => path_part,
        "expr" => numbers::expr,
        "openssl" => openssl,
        "date" | "gdate" => date,
        _ => return None,
    })
}

/// What flows in flows out as it is.
pub fn pass(call: &Call) -> Feed {
    if call.stdin.is_none() { call.output() } else { call.stdin.clone() }
}

/// A feed after decoding that could not be followed: code made from it is hidden code.
pub fn decoded(feed: Feed) -> Feed {
    let mut origins = feed.into_flow().origins;
    origins.add(Origin::Decoded);
    Feed::from_all(origins)
}

/// What a filter does to lines that are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// It lets some of them through, in whatever order, each as it is.
    Chosen,
    /// It writes others.
    Changed,
}

impl Lines {
    /// Lines that stay as they are if the condition holds.
    pub const fn chosen_if(condition: bool) -> Self {
        if condition { Self::Chosen } else { Self::Changed }
    }

    /// What comes out of a program that does this.
    pub fn of(self, feed: Feed, program: &str) -> Feed {
        match self {
            Self::Chosen => feed.chosen_by(program),
            Self::Changed => feed.changed_by(program),
        }
    }
}

/// Changes a feed whose text is known, or keeps its origins.
pub fn mapped(feed: Feed, program: &str, change: impl FnOnce(&str) -> Option<Vec<u8>>) -> Feed {
    by_lines(feed, program, Lines::Changed, change)
}

/// Changes a feed whose text is known, or does to its lines what the program does to lines.
pub fn by_lines(feed: Feed, program: &str, lines: Lines, change: impl FnOnce(&str) -> Option<Vec<u8>>) -> Feed {
    let changed = feed
        .known()
        .and_then(change)
        .filter(|bytes| bytes.len() <= MOST)
        .and_then(|bytes| String::from_utf8(bytes).ok());
    match changed {
        Some(text) => Feed::known_from(Value::text(text), feed.into_flow().origins),
        None => lines.of(feed, program),
    }
}

/// The input of a filter: its files one after the other, or what flows in.
pub fn input(shell: &mut Shell<'_>, call: &Call, files: &[&Arg]) -> Feed {
    let mut all: Option<Feed> = None;
    for file in files {
        let feed = if file.is("-") { call.stdin.clone() } else { shell.read(file) };
        all = Some(match all {
            Some(before) => before.then(feed),
            None => feed,
        });
    }
    all.unwrap_or_else(|| call.stdin.clone())
}

/// `echo`, as the shell of the text reads it.
fn echo(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut escapes = shell.dialect != Dialect::Bash && call.program.known() == Some("echo");
    let mut newline = true;
    let mut rest = call.args.as_slice();
    while let Some((first, more)) = rest.split_first() {
        let Some(flags) = first.known().and_then(|text| text.strip_prefix('-')) else { break };
        if flags.is_empty() || !flags.chars().all(|flag| matches!(flag, 'n' | 'e' | 'E')) {
            break;
        }
        for flag in flags.chars() {
            match flag {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        rest = more;
    }
    let mut value = Value::default();
    for (index, arg) in rest.iter().enumerate() {
        if index > 0 {
            value.push(Piece::text(" "));
        }
        value.extend(arg.value.clone());
    }
    if escapes {
        let (changed, stopped) = printf::unescape_value(&value);
        value = changed;
        newline &= !stopped;
    }
    if newline {
        value.push(Piece::text("\n"));
    }
    Feed::of(value)
}

fn printf(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let args = match call.args.as_slice() {
        [first, rest @ ..] if first.is("--") => rest,
        args => args,
    };
    let Some((format, values)) = args.split_first() else { return Feed::from(Origin::Program("printf".into())) };
    let values: Vec<&Value> = values.iter().map(|arg| &arg.value).collect();
    match format.known().map(|format| printf::format(format, &values)) {
        Some(value) => Feed::of(value),
        None => {
            let all = call.args.iter().flat_map(|arg| arg.value.origins()).cloned().collect::<Vec<_>>();
            Feed::from_all(if all.is_empty() { vec![Origin::Program("printf".into())] } else { all })
        }
    }
}

/// `base64`, `base32` and `basenc`.
fn base(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "wbo",
            long_values: &["wrap", "input", "output", "break"],
            long_flags: &[
                "decode",
                "ignore-garbage",
                "base64",
                "base64url",
                "base32",
                "base32hex",
                "base16",
                "base2msbf",
                "base2lsbf",
                "z85",
                "help",
                "version",
            ],
            ..Syntax::default()
        },
    );
    if options.has(&["help", "version"]) {
        return call.output();
    }
    let mut files = options.operands.to_vec();
    files.extend(options.values(&["input"]));
    if call.name == "base64"
        && let Some(file) = options.value(&["o", "output"])
    {
        shell.write(file, Write::Replace);
    }
    let feed = input(shell, call, &files);
    if call.name == "basenc" && options.has(&["base2msbf", "base2lsbf", "z85", "base58"]) {
        return decoded(feed);
    }
    let alphabet = match call.name.as_str() {
        "base32" => codec::Alphabet::Base32,
        "basenc" if options.has(&["base32"]) => codec::Alphabet::Base32,
        "basenc" if options.has(&["base32hex"]) => codec::Alphabet::Base32Hex,
        "basenc" if options.has(&["base16"]) => codec::Alphabet::Base16,
        "basenc" if options.has(&["base64url"]) => codec::Alphabet::Base64Url,
        _ => codec::Alphabet::Base64,
    };
    if options.has(&["d", "D", "decode"]) {
        return decode(feed, |text| codec::decode(text, alphabet));
    }
    let wrap = options.value(&["w", "wrap"]).and_then(|width| width.known()?.parse().ok()).unwrap_or(76);
    mapped(feed, &call.name, |text| Some(codec::encode(text.as_bytes(), alphabet, wrap).into_bytes()))
}

/// Decodes a feed whose text is known; otherwise what comes out is hidden.
fn decode(feed: Feed, change: impl FnOnce(&str) -> Option<Vec<u8>>) -> Feed {
    let Some(bytes) = feed.known().and_then(change).filter(|bytes| bytes.len() <= MOST) else { return decoded(feed) };
    match String::from_utf8(bytes) {
        Ok(text) => Feed::known_from(Value::text(text), feed.into_flow().origins),
        // No text, and still known: an unpacker may make a text of it.
        Err(error) => decoded(feed).also_from(Origin::Bytes(error.into_bytes())),
    }
}

/// Unpackers of what flows in that have no files of their own.
fn unpacker(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    call.stdin.inflated().unwrap_or_else(|| decoded(call.stdin.clone().changed_by(&call.name)))
}

fn xxd(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax {
            short_values: "cglos",
            long_values: &["cols", "groupsize", "len", "seek", "offset", "name"],
            long_flags: &["ps", "plain", "postscript", "revert", "bits", "include", "uppercase"],
            single_dash_long: false,
            ..Syntax::default()
        },
    );
    let reverse = options.has(&["r", "revert"]);
    let plain = options.has(&["p", "ps", "plain", "postscript"]);
    let feed = input(shell, call, options.operands.get(..1).unwrap_or_default());
    let feed = match (reverse, plain) {
        (true, true) => decode(feed, |text| Some(codec::hex_bytes(text))),
        (true, false) => decode(feed, codec::undump),
        (false, true) => mapped(feed, "xxd", |text| Some(codec::hex_lines(text.as_bytes()).into_bytes())),
        (false, false) => feed.changed_by("xxd"),
    };
    if let Some(file) = options.operands.get(1) {
        shell.write(file, Write::Replace);
        shell.remember_written(file, Written::Content(feed.clone()));
    }
    feed
}

/// Decoders that are not followed.
fn decoder(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "o", long_values: &["output-file"], ..Syntax::default() });
    if let Some(file) = options.value(&["o", "output-file"])
        && !file.is("-")
        && !file.is("/dev/stdout")
    {
        shell.write(file, Write::Replace);
    }
    let feed = input(shell, call, &options.operands);
    decoded(feed)
}

/// Filters that are computed when their input is known.
fn filter(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match call.name.trim_start_matches('g') {
        "tr" => translate::tr(call),
        "cut" => lines::cut(shell, call),
        "rev" => {
            let files: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
            mapped(input(shell, call, &files), "rev", |text| Some(lines::rev(text).into_bytes()))
        }
        "tac" => {
            let options = Options::read(
                &call.args,
                &Syntax { short_values: "s", long_values: &["separator"], ..Syntax::default() },
            );
            let plain = options.given.is_empty();
            by_lines(input(shell, call, &options.operands), "tac", Lines::chosen_if(plain), |text| {
                plain.then(|| lines::tac(text).into_bytes())
            })
        }
        "fold" => {
            let options =
                Options::read(&call.args, &Syntax { short_values: "w", long_values: &["width"], ..Syntax::default() });
            let width = options.value(&["w", "width"]).map_or(Some(80), |width| width.known()?.parse().ok());
            let plain = !options.has(&["s", "spaces"]);
            mapped(input(shell, call, &options.operands), "fold", |text| {
                lines::fold(text, width.filter(|_| plain)?).map(String::into_bytes)
            })
        }
        "paste" => {
            let options = Options::read(
                &call.args,
                &Syntax { short_values: "d", long_values: &["delimiters"], ..Syntax::default() },
            );
            let delimiter =
                options.value(&["d", "delimiters"]).map_or(Some("\t"), |text| text.known()).map(str::to_owned);
            let serial = options.has(&["s", "serial"]) && options.operands.len() < 2;
            // Blanks between the lines part them as well as line ends do.
            let parted = serial && matches!(delimiter.as_deref(), Some(" " | "\t" | "\\t" | "\\n"));
            by_lines(input(shell, call, &options.operands), "paste", Lines::chosen_if(parted), |text| {
                serial.then(|| lines::join(text, &delimiter?)).flatten().map(String::into_bytes)
            })
        }
        name => pass(call).changed_by(name),
    }
}

/// What `head`, `tail`, `sort` and `uniq` print of a text that is known; with files or other options they are readers.
pub fn computed(call: &Call) -> Option<Feed> {
    let text = call.stdin.known().and_then(|text| lines::compute(call, text))?;
    Some(Feed::known_from(Value::text(text), call.stdin.origins.clone()))
}

/// `yes` never ends; a few lines stand for all of them.
fn yes(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut line = Value::default();
    for (index, arg) in call.args.iter().enumerate() {
        if index > 0 {
            line.push(Piece::text(" "));
        }
        line.extend(arg.value.clone());
    }
    if call.args.is_empty() {
        line.push(Piece::text("y"));
    }
    line.push(Piece::text("\n"));
    let mut all = Value::default();
    for _ in 0..8 {
        all.extend(line.clone());
    }
    Feed::of(all)
}

/// `basename` and `dirname` of a text.
fn path_part(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options =
        Options::read(&call.args, &Syntax { short_values: "s", long_values: &["suffix"], ..Syntax::default() });
    let Some(first) = options.operands.first() else { return call.output() };
    let base = call.name.ends_with("basename");
    let several = options.operands.len() > 1 + usize::from(base) || options.has(&["a", "multiple"]);
    // What a temporary file lies in is not temporary itself.
    let leaves = !base && first.value.pieces().len() == 1;
    let kept = |origin: &&Origin| !leaves || **origin != Origin::TemporaryName;
    let unknown = || {
        let mut origins: Origins = first.value.origins().filter(kept).cloned().collect();
        // A part of the path of something that is listed leads elsewhere.
        if first.value.origins().any(|origin| origin.list().is_some()) {
            origins.blurred_by(Origin::Program(call.name.clone()));
        }
        Feed::from_all(if origins.is_empty() { Origin::Program(call.name.clone()).into() } else { origins })
    };
    let Some(path) = first.known().filter(|_| !several || options.operands.len() == 1) else { return unknown() };
    let bare = path.trim_end_matches('/');
    let part = match base {
        true => {
            let name = bare.rsplit('/').next().unwrap_or(bare);
            let suffix = options.value(&["s", "suffix"]).or_else(|| options.operands.get(1).copied());
            match suffix.map(|suffix| suffix.known()) {
                Some(None) => return unknown(),
                Some(Some(suffix)) => name.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(name),
                None => name,
            }
        }
        false => match bare.rsplit_once('/') {
            Some((directory, _)) => directory.trim_end_matches('/'),
            None if bare.is_empty() => "",
            None => ".",
        },
    };
    let part = if part.is_empty() && path.starts_with('/') { "/" } else { part };
    Feed::of(Value::text(format!("{part}\n")))
}

/// `openssl enc -d` and `openssl base64 -d`; everything else is about keys and judged where secrets are.
fn openssl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let verb = call.arg(0).unwrap_or_default();
    if !matches!(verb, "enc" | "base64") || !call.has("-d") {
        return super::secrets::openssl(shell, call);
    }
    let after = |name: &str| {
        call.args.windows(2).find_map(|pair| match pair {
            [flag, value] if flag.is(name) => Some(value.clone()),
            _ => None,
        })
    };
    let feed = match after("-in") {
        Some(file) => shell.read(&file),
        None => call.stdin.clone(),
    };
    let plain = verb == "base64" || call.has("-base64") || call.has("-a");
    let ciphers = ["aes", "des", "chacha", "camellia", "aria", "sm4", "rc4", "bf"];
    let ciphered =
        call.args.iter().any(|arg| arg.known().is_some_and(|text| ciphers.iter().any(|cipher| text.contains(cipher))));
    let feed = if plain && !ciphered {
        decode(feed, |text| codec::decode(text, codec::Alphabet::Base64))
    } else {
        decoded(feed)
    };
    if let Some(file) = after("-out") {
        shell.write(&file, Write::Replace);
        shell.remember_written(&file, Written::Content(feed.clone()));
    }
    feed
}

/// `date` prints; setting the clock belongs to the system.
fn date(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "dfrsIvz", long_values: &["date", "file", "reference", "set"], ..Syntax::default() },
    );
    // `date 010112002026` sets the clock; with a date to show, the digits are that date or its format.
    let digits = |arg: &&Arg| {
        let text = arg.value.prefix();
        text.len() >= 2 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let shows = options.has(&["d", "date", "r", "reference", "f", "file", "j", "v", "help", "version"]);
    if options.has(&["s", "set"]) || !shows && options.operands.iter().copied().any(|arg| digits(&arg)) {
        shell.tell(&super::wrappers::SET_CLOCK, "date", call.span);
    }
    Feed::from(Origin::Program("date".into()))
}

#[cfg(test)]
mod tests;
