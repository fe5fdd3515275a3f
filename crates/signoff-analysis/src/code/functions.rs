//! Functions whose result can be computed: texts put together, taken apart, encoded and decoded, and names of places.

use super::{
    decoding,
    expressions::home,
    names::{self, Act},
    pure::is_pure,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{
    shell::Language,
    value::{Origin, Piece, Value},
};

/// The name of what a decoder has made and is no text.
pub(super) const DECODED: &str = "decoded";

/// Whether a name stands for the whole environment.
pub(super) fn is_environment(name: &str) -> bool {
    matches!(
        name,
        "os.environ" | "process.env" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER" | "Bun.env" | "Deno.env" | "ENVIRON"
    )
}

/// Whether a name is that of a module that runs programs or deletes files, or of a function in it: whatever is taken out
/// of it may do the same.
pub(super) fn can_do_harm(name: &str) -> bool {
    const MODULES: &[&str] =
        &["os", "subprocess", "shutil", "builtins", "__builtins__", "child_process", "fs", "posix", "pty", "FileUtils"];
    const DATA: &[&str] = &["path", "environ", "environb", "sep", "linesep", "name", "curdir", "pardir", "constants"];
    // Constants and the names of mistakes.
    let is_data = |part: &str| {
        DATA.contains(&part)
            || part.ends_with("Error")
            || part.ends_with("Expired")
            || part.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
    };
    let mut parts = name.split('.');
    parts.next().is_some_and(|module| MODULES.contains(&module)) && !parts.next().is_some_and(is_data)
}

/// Whether it is a space of names in which the functions of the text are as well.
pub(super) fn is_namespace(name: &str) -> bool {
    const SPACES: &[&str] = &[
        "globals",
        "$GLOBALS",
        "locals",
        "vars",
        "globalThis",
        "window",
        "global",
        "sys.modules",
        "__main__",
        "main",
        "exports",
        "module.exports",
        "_G",
        "_ENV",
        "__dict__",
        "__globals__",
    ];
    SPACES.iter().any(|space| name == *space || name.strip_prefix(space).is_some_and(|rest| rest.starts_with('.')))
}

/// The name of a module without what does not matter.
pub(super) fn module_name(name: &str) -> String {
    let name = name.strip_prefix("node:").unwrap_or(name);
    match name {
        "fs/promises" | "fs-extra" | "graceful-fs" | "original-fs" => "fs".to_owned(),
        "zx/globals" => "zx".to_owned(),
        "http" | "https" => name.to_owned(),
        other => other.to_owned(),
    }
}

impl Reader<'_, '_> {
    /// Whether something is known about a function.
    pub(super) fn knows(&self, name: &str) -> bool {
        let plain = names::plain(self.language, name);
        names::act(self.language, &plain).is_some() || is_pure(&plain)
    }

    /// Calls what a thing stands for.
    pub(super) fn call(&mut self, thing: &Thing, args: &Args) -> Thing {
        // A function without a name is called where it stands.
        if !matches!(thing, Thing::Name(_)) {
            self.change_handed(args);
        }
        match thing {
            Thing::Name(name) => self.call_name(name, args),
            // In PHP and Perl a text can be called by the name that it holds.
            Thing::Text(value) if matches!(self.language, Language::Php | Language::Perl | Language::Awk) => {
                match value.known() {
                    Some(name) => self.call_name(name, args),
                    None => self.unfollowed("", args),
                }
            }
            Thing::Result { of, origins } => {
                if is_namespace(of) {
                    self.call_own(args);
                }
                let harmful = origins.iter().find_map(|origin| match origin {
                    Origin::Dangerous(name) => Some(name.clone()),
                    _ => None,
                });
                if let Some(name) = harmful.or_else(|| self.harm_in(&args.origins())) {
                    self.shell.opaque(format!("{name}.…"), self.span);
                }
                let mut all = origins.clone();
                all.extend(args.origins());
                Thing::result(of, all)
            }
            _ => {
                if let Some(name) = self.harm_in(&args.origins()) {
                    self.shell.opaque(format!("{name}(…)"), self.span);
                }
                self.unfollowed("", args)
            }
        }
    }

    /// Calls a function by its full name.
    pub(super) fn call_name(&mut self, name: &str, args: &Args) -> Thing {
        let plain = names::plain(self.language, name);
        // `os.__getattribute__('system')` and `object.__getattribute__(os, 'system')` are members by their names.
        if let Some(base) = plain.strip_suffix(".__getattribute__").or_else(|| plain.strip_suffix(".__getattr__")) {
            let mut args = args.clone();
            if args.items.len() == 1 {
                args.items.insert(0, Thing::Name(base.to_owned()));
            }
            return self.perform(Act::Member, &plain, &args);
        }
        // The same by way of the table of its members.
        if let Some((base, "get" | "__getitem__" | "pop" | "setdefault")) = plain.rsplit_once('.')
            && let Some(base) = base.strip_suffix(".__dict__")
        {
            let items = std::iter::once(Thing::Name(base.to_owned())).chain(args.items.iter().cloned()).collect();
            return self.perform(Act::Member, &plain, &Args { items, named: Vec::new() });
        }
        // `setattr(thing, 'name', value)` sets a member.
        if let ("setattr", Some(Thing::Name(base)), Some(member), Some(value)) =
            (plain.as_str(), args.get(0), args.known(1), args.get(2))
        {
            self.set_member(&format!("{base}.{member}"), value.clone());
        }
        // What is counted or repeated for ever is looped over without end.
        self.seen.endless |= matches!(plain.as_str(), "itertools.count" | "itertools.cycle" | "itertools.repeat")
            || plain == "iter" && args.items.len() == 2
            || plain == "setInterval";
        // In Ruby a class is called by its maker.
        if self.language == Language::Ruby
            && let Some(class) = plain.strip_suffix(".new")
            && self.classes.contains(class)
            && self.own.contains("initialize")
        {
            self.remember_call("initialize", args);
        }
        if let Some(function) = self.own_function(&plain) {
            self.remember_call(&function, args);
            self.change_handed(args);
            // Who calls a class calls what makes its objects.
            for maker in ["__init__", "constructor", "initialize", "new"] {
                if self.classes.contains(&function) && self.own.contains(maker) {
                    self.remember_call(maker, args);
                }
            }
            if function == plain {
                return self.unfollowed(&plain, args);
            }
        }
        // Of these the result is known, and what they call on the way to it is not in that.
        if matches!(plain.as_str(), "sorted" | "Array.from" | "functools.partial")
            && self.call_handed(args).is_none()
            && plain != "functools.partial"
            && args.items.iter().chain(args.named.iter().map(|(_, thing)| thing)).count() > 1
            && let Some(handed) = self.handed_function(args)
        {
            // Nothing is known of what it is called with, only that it is.
            self.call_name(&handed, &Args { items: vec![Thing::unknown()], named: Vec::new() });
        }
        if plain.starts_with("process.binding") || plain.starts_with("process._linkedBinding") {
            self.shell.opaque(format!("{plain}(…)"), self.span);
        }
        self.change_given(&plain, args);
        if let Some(thing) = self.compute(&plain, args) {
            return thing;
        }
        match names::act(self.language, &plain) {
            Some(act) => self.perform(act, &plain, args),
            None => self.call_unknown(&plain, args),
        }
    }

    /// The function of the text that a name stands for: its own name, or behind the object or the space of names that it
    /// is a member of.
    pub(super) fn own_function(&self, name: &str) -> Option<String> {
        let name = name.trim_start_matches(['&', '*', '\\']);
        if self.own.contains(name) {
            return Some(name.to_owned());
        }
        let (base, last) = name.rsplit_once('.')?;
        let first = base.split('.').next().unwrap_or(base);
        let within = is_namespace(base) || matches!(first, "self" | "this" | "cls" | "super" | "$this");
        (self.own.contains(last) && (within || self.classes.contains(first))).then(|| last.to_owned())
    }

    /// Something is called that was taken out of a space of names: it may be any function of the text.
    fn call_own(&mut self, args: &Args) {
        let mut own: Vec<String> = self.own.iter().cloned().collect();
        own.sort();
        for function in own {
            self.remember_call(&function, args);
        }
    }

    /// The name of a function of the text stands here and is not called: whoever gets it may call it.
    pub(super) fn hand_out(&mut self, name: &str) {
        let name = name.trim_start_matches(['&', '*', '\\']);
        if self.own.contains(name) && !self.classes.contains(name) {
            self.readings.loosen(name);
        }
    }

    /// The result of a function that only computes; none if it is no such function.
    fn compute(&mut self, name: &str, args: &Args) -> Option<Thing> {
        let first = args.get(0);
        let last = name.rsplit('.').next().unwrap_or(name);
        if !is_pure(name) {
            return None;
        }
        let text = first.and_then(Thing::known);
        Some(match name {
            "bytes" | "bytearray" if matches!(first, Some(Thing::List(_))) => {
                let letters: Option<String> = args.flat().iter().map(|thing| letter(self.code_of(thing)?)).collect();
                letters.map_or_else(|| hidden(args), Thing::text)
            }
            "Bun.file" | "path" | "Path" | "pathlib.Path" | "PurePath" | "pathlib.PosixPath" | "os.path.join"
            | "path.join" | "path.posix.join" | "File.join" | "file.path" | "Paths.get" | "Path.of" | "File"
            | "Pathname.new" | "Pathname" | "os.Path" | "File.Spec.catfile" | "joinpath" | "filepath.Join"
            | "PathBuf.from" | "Path.new" | "path.PathBuf.from" | "path.Path.new" | "Path.Combine" | "fs.path"
            | "filesystem.path" => self.path_of(&args.items),
            "path.resolve"
            | "os.path.abspath"
            | "os.path.realpath"
            | "os.path.normpath"
            | "File.absolute_path"
            | "realpath"
            | "File.realpath"
            | "os.fspath"
            | "str"
            | "String"
            | "bytes"
            | "bytearray"
            | "string"
            | "os.fsencode"
            | "Buffer.from.toString"
            | "normalizePath"
            | "path.normalize" => match first {
                Some(Thing::Many(value)) => Thing::Text(value.clone()),
                Some(thing) if args.items.len() == 1 => Thing::Text(thing.value()),
                _ if name == "path.resolve" => self.path_of(&args.items),
                Some(thing) => Thing::Text(thing.value()),
                None => Thing::text(""),
            },
            "os.path.expanduser" | "File.expand_path" | "path.expand" | "expanduser" | "expand"
            | "expand-file-name" | "vim.fn.expand" | "vim.fs.normalize" => {
                match text.and_then(|text| text.strip_prefix('~')) {
                    Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                        Thing::Text(Value::text(format!("{}{rest}", self.shell.whereabouts().home)))
                    }
                    _ => first.cloned().unwrap_or_else(Thing::unknown),
                }
            }
            "System.getProperty" | "Environment.GetFolderPath" => match first {
                Some(Thing::Name(name)) if name.ends_with("UserProfile") => {
                    Thing::Path(home(&self.shell.whereabouts().home))
                }
                _ if text == Some("user.home") => Thing::Path(home(&self.shell.whereabouts().home)),
                _ => Thing::unknown(),
            },
            "os.path.expandvars" | "os.ExpandEnv" => match text.and_then(|text| text.strip_prefix("$HOME")) {
                Some(rest) => Thing::Text(Value::text(format!("{}{rest}", self.shell.whereabouts().home))),
                None => first.cloned().unwrap_or_else(Thing::unknown),
            },
            "Path.home" | "pathlib.Path.home" | "os.homedir" | "Dir.home" | "homedir" | "NSHomeDirectory"
            | "os.UserHomeDir" | "env.home_dir" | "dirs.home_dir" | "home.home_dir" | "getHomeDirectory"
            | "System.user_home" | "System.user_home!" => Thing::Path(home(&self.shell.whereabouts().home)),
            "Path.cwd" | "pathlib.Path.cwd" | "os.getcwd" | "process.cwd" | "Dir.pwd" | "getcwd" | "cwd" | "getwd"
            | "Deno.cwd" => match self.shell.cwd() {
                Some(cwd) => Thing::Path(Value::text(cwd)),
                None => Thing::unknown(),
            },
            "tempfile.gettempdir" | "os.tmpdir" | "Dir.tmpdir" | "sys_get_temp_dir" => Thing::text("/tmp"),
            "tempfile.mkdtemp"
            | "tempfile.mkstemp"
            | "tempfile.mktemp"
            | "tempfile.TemporaryDirectory"
            | "tempfile.NamedTemporaryFile"
            | "tempfile.TemporaryFile"
            | "fs.mkdtempSync"
            | "fs.mkdtemp"
            | "Dir.mktmpdir"
            | "Tempfile.new"
            | "Tempfile.create"
            | "tempdir"
            | "tempfile"
            | "tempnam"
            | "tmpfile"
            | "os.tmpname"
            | "Deno.makeTempDir"
            | "Deno.makeTempFile"
            | "Files.createTempDirectory"
            | "Files.createTempFile"
            | "File.Temp.tempdir"
            | "mktempdir" => Thing::Path(Value::unknown("…", vec![Origin::TemporaryName])),
            "chr"
            | "String.fromCharCode"
            | "String.fromCodePoint"
            | "string.char"
            | "utf8.char"
            | "intToUtf8"
            | "rawToChar"
            | "as.character" => {
                // Perl takes what goes by no name.
                let given = match self.variables.get("$_") {
                    Some(one) if args.items.is_empty() && self.language == Language::Perl => vec![one.clone()],
                    _ => args.flat(),
                };
                // Greater numbers begin again.
                let range = match name {
                    "chr" if self.language == Language::Php => 1 << 8,
                    "String.fromCharCode" => 1 << 16,
                    _ => i64::MAX,
                };
                let letters: Option<String> =
                    given.iter().map(|thing| letter(self.code_of(thing)?.rem_euclid(range))).collect();
                letters.map_or_else(|| hidden(args), Thing::text)
            }
            "ord" => match text.and_then(|text| text.chars().next()) {
                Some(letter) => Thing::Number(i64::from(u32::from(letter))),
                None => Thing::unknown(),
            },
            "bytes.fromhex" | "bytearray.fromhex" | "binascii.unhexlify" | "hex2bin" | "codecs.decode.hex"
            | "base64.b16decode" => decoded_bytes(text.and_then(decoding::hexadecimal_bytes), args),
            "base64.b64decode"
            | "base64.decodebytes"
            | "base64.standard_b64decode"
            | "base64.urlsafe_b64decode"
            | "atob"
            | "base64_decode"
            | "decode_base64"
            | "MIME.Base64.decode_base64"
            | "Base64.decode64"
            | "Base64.strict_decode64"
            | "Base64.urlsafe_decode64"
            | "binascii.a2b_base64"
            | "jsonlite.base64_dec"
            | "base64enc.base64decode"
            | "Base64.getDecoder.decode"
            | "MIME.Base64.decode" => decoded_bytes(text.and_then(decoding::base64_bytes), args),
            "base64.b32decode" => decoded_bytes(text.and_then(decoding::base32), args),
            "base64.b85decode" => decoded_bytes(text.and_then(decoding::base85), args),
            "base64.a85decode" if args.named.is_empty() && args.items.len() == 1 => {
                decoded_bytes(text.and_then(decoding::ascii85), args)
            }
            "base64.a85decode" | "bz2.decompress" | "lzma.decompress" | "marshal.loads" | "convert_uudecode" => {
                decoded(None, args)
            }
            "urllib.parse.unquote"
            | "urllib.parse.unquote_to_bytes"
            | "urllib.unquote"
            | "decodeURIComponent"
            | "rawurldecode"
            | "uri_unescape"
            | "URI.Escape.uri_unescape" => text.and_then(decoding::percent).map_or_else(|| hidden(args), Thing::text),
            // It leaves some signs as they are, and the other one knows `%u0072`.
            "decodeURI" | "unescape" => {
                let simple = |text: &&str| !text.contains("%u") && !text.contains("%U") && !names_reserved(text);
                text.filter(simple).and_then(decoding::percent).map_or_else(|| hidden(args), Thing::text)
            }
            "urllib.parse.unquote_plus" | "urldecode" | "CGI.unescape" | "URI.decode_www_form_component" => {
                let plain = text.and_then(|text| decoding::percent(&text.replace('+', " ")));
                plain.map_or_else(|| hidden(args), Thing::text)
            }
            "str.maketrans" | "bytes.maketrans" => match (first, text, args.known(1), args.items.len()) {
                (Some(Thing::Record(_)), _, _, 1) => first.cloned().unwrap_or_else(Thing::unknown),
                // Of letters that come twice the last counts.
                (_, Some(from), Some(to), 2 | 3) if !comes_twice(from) => {
                    let pairs =
                        from.chars().zip(to.chars()).map(|(from, to)| (from.to_string(), Thing::text(to.to_string())));
                    let gone = args.known(2).unwrap_or_default();
                    let gone = gone.chars().map(|letter| (letter.to_string(), Thing::text("")));
                    Thing::Record(pairs.chain(gone).collect())
                }
                _ => hidden(args),
            },
            "zlib.decompress"
            | "gzip.decompress"
            | "zlib.gunzipSync"
            | "zlib.inflateSync"
            | "zlib.unzipSync"
            | "zlib.inflateRawSync"
            | "gzinflate"
            | "gzuncompress"
            | "gzdecode"
            | "Zlib.Inflate.inflate"
            | "Zlib.gunzip"
            | "Zlib.inflate" => {
                let packed = crate::value::Feed::from_all(first.map(Thing::origins).unwrap_or_default());
                match packed.inflated().and_then(|feed| feed.into_flow().text) {
                    Some(text) => Thing::Text(text),
                    None => decoded(None, args),
                }
            }
            "codecs.decode" => match args.known(1) {
                Some("rot13" | "rot_13" | "rot-13") => decoded(text.map(decoding::rot13), args),
                Some("hex") => decoded(text.and_then(decoding::hexadecimal), args),
                Some("base64") => decoded(text.and_then(decoding::base64), args),
                _ => first.cloned().unwrap_or_else(Thing::unknown),
            },
            "str_rot13" => decoded(text.map(decoding::rot13), args),
            "strrev" | "reverse" | "reversed" | "string.reverse" => first.map_or_else(Thing::unknown, reversed),
            "Buffer.from" => match (first, args.known(1)) {
                (Some(Thing::Text(_)), Some("base64" | "base64url")) => {
                    decoded_bytes(text.and_then(decoding::base64_bytes), args)
                }
                (Some(Thing::Text(_)), Some("hex")) => decoded(text.and_then(decoding::hexadecimal), args),
                (Some(Thing::List(_)), _) => {
                    let letters: Option<String> = args.flat().iter().map(|thing| letter(thing.number()?)).collect();
                    letters.map_or_else(|| hidden(args), Thing::text)
                }
                (Some(thing), _) => thing.clone(),
                (None, _) => Thing::unknown(),
            },
            "pack" => match args.known(0) {
                Some(format) if format.starts_with(['H', 'h']) => {
                    decoded(args.known(1).and_then(decoding::hexadecimal), args)
                }
                Some(format) if format.starts_with(['C', 'c', 'U', 'W']) => {
                    // A byte begins again behind the last.
                    let range = if format.starts_with(['C', 'c']) { 1 << 8 } else { i64::MAX };
                    let letters: Option<String> = args
                        .flat()
                        .iter()
                        .skip(1)
                        .map(|thing| letter(self.code_of(thing)?.rem_euclid(range)))
                        .collect();
                    letters.map_or_else(|| hidden(args), Thing::text)
                }
                _ => hidden(args),
            },
            "join" | "implode" | "table.concat" => match (first, args.get(1)) {
                (Some(Thing::List(things)), between) => joined(things, &between.map(Thing::value).unwrap_or_default()),
                (Some(between), Some(Thing::List(things))) => joined(things, &between.value()),
                (Some(between), Some(_)) => joined(args.items.get(1..).unwrap_or_default(), &between.value()),
                _ => Thing::result("", args.origins()),
            },
            "paste" | "paste0" => {
                let between =
                    args.named("sep").map_or_else(|| Value::text(if name == "paste" { " " } else { "" }), Thing::value);
                joined(&args.items, &between)
            }
            "sprintf" | "format" | "string.format" | "String.format" | "util.format" | "format!" | "fmt.Sprintf" => {
                match first {
                    Some(format_text) => format(
                        format_text,
                        &Args { items: args.items.get(1..).unwrap_or_default().to_vec(), named: args.named.clone() },
                    ),
                    None => Thing::unknown(),
                }
            }
            "str_replace" => match (args.known(0), args.known(1), args.known(2)) {
                (Some(from), Some(to), Some(text)) if !from.is_empty() => Thing::text(text.replace(from, to)),
                _ => hidden(args),
            },
            "lc" | "strtolower" | "tolower" => {
                text.map_or_else(|| hidden(args), |text| Thing::text(text.to_lowercase()))
            }
            "uc" | "strtoupper" | "toupper" => {
                text.map_or_else(|| hidden(args), |text| Thing::text(text.to_uppercase()))
            }
            "trim" | "ltrim" | "rtrim" | "trimws" => text.map_or_else(|| hidden(args), |text| Thing::text(text.trim())),
            "staticmethod" | "classmethod" | "util.promisify" | "promisify" | "Promise.resolve" | "shlex.quote"
            | "shlex.split" | "list" | "tuple" | "sorted" | "set" | "Array.from" | "c" | "array" | "escapeshellarg"
            | "URL" | "encodeURIComponent" | "File.basename" | "os.path.basename" | "basename"
            | "functools.partial" | "iter" | "enumerate" | "String.raw" => match (name, first) {
                ("shlex.split", Some(thing)) => split_words(thing),
                ("sorted", Some(Thing::List(things))) => sorted(things, args),
                ("c" | "array", _) => Thing::List(args.items.clone()),
                ("File.basename" | "os.path.basename" | "basename", Some(thing)) => thing.rewritten(),
                (_, Some(thing)) => thing.clone(),
                _ => Thing::unknown(),
            },
            "sys.stdin" | "STDIN" => self.input(),
            _ => return Some(Thing::result(last, args.origins())),
        })
    }

    /// The number of a letter among bytes: what Python takes out of bytes are numbers.
    pub(super) fn code_of(&self, thing: &Thing) -> Option<i64> {
        let mut letters = thing.known().filter(|_| self.language == Language::Python).unwrap_or_default().chars();
        match (thing, letters.next(), letters.next()) {
            (Thing::Number(number), ..) => Some(*number),
            (_, Some(letter), None) => Some(i64::from(u32::from(letter))),
            // Perl makes a number of a text wherever it needs one.
            _ if self.language == Language::Perl => thing.known()?.trim().parse().ok(),
            _ => None,
        }
    }

    fn path_of(&mut self, items: &[Thing]) -> Thing {
        let mut parts = items.iter();
        let mut path = match parts.next() {
            Some(Thing::Many(value)) | Some(Thing::Path(value)) | Some(Thing::Text(value)) => {
                Thing::Path(value.clone())
            }
            Some(other) => Thing::Path(other.value()),
            None => Thing::Path(Value::text(".")),
        };
        for part in parts {
            path = path.below(part);
        }
        path
    }
}

/// A text that was made by a decoder: known, or hidden.
fn decoded(text: Option<String>, args: &Args) -> Thing {
    match text {
        Some(text) => Thing::text(text),
        None => hidden_as_decoded(args),
    }
}

/// Like a text that was made by a decoder; bytes that are no text can still be unpacked.
fn decoded_bytes(bytes: Option<Vec<u8>>, args: &Args) -> Thing {
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => Thing::text(text),
        Some(Err(error)) => {
            let origins = vec![Origin::Decoded, Origin::Bytes(error.into_bytes())];
            Thing::result(DECODED, origins)
        }
        None => hidden_as_decoded(args),
    }
}

fn hidden_as_decoded(args: &Args) -> Thing {
    let mut origins = args.origins();
    origins.add(Origin::Decoded);
    Thing::result(DECODED, origins)
}

/// Whether a text holds one of the signs that `decodeURI` leaves as they are written.
fn names_reserved(text: &str) -> bool {
    const RESERVED: &[&str] = &["23", "24", "26", "2b", "2c", "2f", "3a", "3b", "3d", "3f", "40"];
    let mut parts = text.split('%');
    parts.next();
    parts.any(|part| part.get(..2).is_some_and(|code| RESERVED.contains(&code.to_ascii_lowercase().as_str())))
}

/// Whether a letter stands in a text more than once.
fn comes_twice(text: &str) -> bool {
    let mut seen = std::collections::HashSet::new();
    !text.chars().all(|letter| seen.insert(letter))
}

fn hidden(args: &Args) -> Thing {
    Thing::result("", args.origins())
}

fn letter(number: i64) -> Option<char> {
    u32::try_from(number).ok().and_then(char::from_u32)
}

/// The elements of a list in their order, as far as that is known; each of them is still there if it is not.
fn sorted(things: &[Thing], args: &Args) -> Thing {
    let texts: Option<Vec<&str>> = things.iter().map(Thing::known).collect();
    match texts {
        Some(mut texts) if args.named.is_empty() => {
            texts.sort_unstable();
            Thing::List(texts.into_iter().map(Thing::text).collect())
        }
        _ => Thing::List(things.to_vec()),
    }
}

/// The text of several things with something between them.
pub(super) fn joined(things: &[Thing], between: &Value) -> Thing {
    let mut all = Thing::text("");
    for (index, thing) in things.iter().enumerate() {
        if index > 0 {
            all = all.joined(&Thing::Text(between.clone()));
        }
        all = all.joined(thing);
    }
    all
}

/// The words of a text as a list.
pub(super) fn split_words(thing: &Thing) -> Thing {
    let mut words = vec![Value::default()];
    for piece in thing.value().pieces() {
        match piece {
            Piece::Text(text) => {
                for (index, part) in text.split(char::is_whitespace).enumerate() {
                    if index > 0 {
                        words.push(Value::default());
                    }
                    if let Some(last) = words.last_mut() {
                        last.push(Piece::text(part));
                    }
                }
            }
            piece => {
                if let Some(last) = words.last_mut() {
                    last.push(piece.clone());
                }
            }
        }
    }
    Thing::List(words.into_iter().filter(|word| !word.is_empty()).map(Thing::Text).collect())
}

/// A text or a list from its end to its beginning.
pub(super) fn reversed(thing: &Thing) -> Thing {
    match thing {
        Thing::Text(value) => match value.known() {
            Some(known) => Thing::text(known.chars().rev().collect::<String>()),
            None => Thing::result("", thing.origins()),
        },
        Thing::List(things) => Thing::List(things.iter().rev().cloned().collect()),
        other => other.clone(),
    }
}

/// A text with values put in: `%s`, `{}`, `{0}`, `{name}`.
pub(super) fn format(text: &Thing, args: &Args) -> Thing {
    let flat = args.flat();
    let Some(known) = text.known() else { return Thing::result("", text.origins().and(args.origins())) };
    let mut all = Thing::text("");
    let mut rest = known;
    let mut position = 0;
    while let Some(at) = rest.find(['%', '{']) {
        all = all.joined(&Thing::text(rest.get(..at).unwrap_or_default()));
        let tail = rest.get(at..).unwrap_or_default();
        let (field, length) = if tail.starts_with('{') {
            match tail.find('}') {
                Some(end) => {
                    (tail.get(1..end).unwrap_or_default().split([':', '!']).next().unwrap_or_default(), end + 1)
                }
                None => break,
            }
        } else {
            let end = tail
                .char_indices()
                .skip(1)
                .find(|(_, letter)| letter.is_ascii_alphabetic() || *letter == '%')
                .map_or(tail.len(), |(end, _)| end + 1);
            ("", end)
        };
        if tail.starts_with("%%") {
            all = all.joined(&Thing::text("%"));
        } else if let Some(thing) = args.named(field) {
            all = all.joined(thing);
        } else {
            let index = field.parse().unwrap_or(position);
            let letter_wanted = tail.starts_with('%') && tail.get(..length).is_some_and(|field| field.ends_with('c'));
            let part = flat.get(index).cloned().unwrap_or_else(Thing::unknown);
            let part = match part.number().filter(|_| letter_wanted) {
                // Greater numbers are another byte in one language and a letter in the next.
                Some(number) => {
                    let byte = u8::try_from(number).ok();
                    byte.map_or_else(Thing::unknown, |byte| Thing::text(char::from(byte).to_string()))
                }
                None => part,
            };
            all = all.joined(&part);
            position += 1;
        }
        rest = tail.get(length..).unwrap_or_default();
    }
    all.joined(&Thing::text(rest))
}
