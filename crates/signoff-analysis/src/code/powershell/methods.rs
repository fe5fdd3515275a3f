//! Methods of .NET and of objects.

use signoff_model::Unread;

use super::{
    Reader, decoding,
    evaluate::{format, joined, number, split},
    rules,
    things::Thing,
};
use crate::{
    path_effects::{Depth, Write},
    value::{Feed, Origin, Origins},
};

impl Reader<'_, '_> {
    pub(super) fn method(&mut self, of: &Thing, name: &str, args: &[Thing]) -> Thing {
        if let Thing::Either(ways) = of {
            let ways: Vec<Thing> = ways.iter().map(|way| self.method(way, name, args)).collect();
            return ways.into_iter().reduce(Thing::or).unwrap_or_else(Thing::nothing);
        }
        match name {
            "foreach" | "where" | "invoke" | "invokereturnasis" | "begininvoke" | "getnewclosure" | "invokescript"
            | "addscript" | "addcommand" => return self.invoke_method(of, name, args),
            _ => {}
        }
        if let Some(out) = self.web(name, args) {
            return out;
        }
        match of {
            Thing::Object(class, origins) => {
                let class = class.clone();
                match self.of_class(&class, name, args) {
                    Some(out) => out,
                    None => {
                        self.by_name(of, name);
                        let mut all = origins.clone();
                        all.extend(args.iter().flat_map(Thing::origins));
                        Thing::Object(format!("{class}.{name}"), all)
                    }
                }
            }
            _ => self.of_text(of, name, args),
        }
    }

    /// Methods that run code.
    fn invoke_method(&mut self, of: &Thing, name: &str, args: &[Thing]) -> Thing {
        match (of, args) {
            (_, [Thing::Block(body, _), ..]) if name != "invoke" => {
                self.run_block(&body.clone(), Vec::new(), of.clone())
            }
            (Thing::Block(body, _), args) => self.run_block(&body.clone(), args.to_vec(), Thing::nothing()),
            (_, [code, ..]) if matches!(name, "invokescript" | "addscript" | "addcommand") => {
                self.evaluate_code(&code.clone())
            }
            (of, _) if matches!(name, "invoke" | "invokereturnasis") => {
                let fetched =
                    of.origins().iter().any(|origin| matches!(origin, Origin::Download { .. } | Origin::Decoded));
                if fetched {
                    return self.evaluate_code(of);
                }
                Thing::unknown("$(…)", of.origins())
            }
            _ => Thing::unknown("$(…)", of.origins()),
        }
    }

    /// Methods that fetch and send, whatever object they belong to.
    fn web(&mut self, name: &str, args: &[Thing]) -> Option<Thing> {
        let first = args.first().map(Thing::value).unwrap_or_default();
        Some(match name {
            "downloadstring"
            | "downloaddata"
            | "getstringasync"
            | "downloadstringtaskasync"
            | "getbytearrayasync"
            | "openread"
            | "getasync" => self.fetched(&first),
            "downloadfile" | "downloadfileasync" | "downloadfiletaskasync" => {
                let content = self.fetched(&first);
                if let Some(file) = args.get(1) {
                    self.save(file, &content);
                }
                Thing::nothing()
            }
            "uploadfile"
            | "uploadstring"
            | "uploaddata"
            | "uploadvalues"
            | "postasync"
            | "putasync"
            | "uploadfiletaskasync"
            | "uploadstringtaskasync" => {
                let mut feed = Feed::none();
                for arg in args.iter().skip(1) {
                    feed = feed.then(Feed::from_all(arg.origins()));
                    if name.starts_with("uploadfile") {
                        for path in arg.paths(self.span) {
                            feed = feed.then(self.shell.read(&path));
                        }
                    }
                }
                let to = first.shown().into_owned();
                let to = if to.is_empty() { "another machine".to_owned() } else { to };
                if !super::network::is_local(&to) {
                    self.shell.send(&to, std::iter::once(&first), &feed, self.span);
                }
                Thing::unknown("$(…)", Vec::new())
            }
            _ => return None,
        })
    }

    /// Static methods, and those of objects whose class is known.
    fn of_class(&mut self, class: &str, name: &str, args: &[Thing]) -> Option<Thing> {
        let first = args.first().cloned().unwrap_or_else(Thing::nothing);
        let second = args.get(1).cloned().unwrap_or_else(Thing::nothing);
        let class = class.strip_prefix("system.").unwrap_or(class);
        Some(match (class, name) {
            ("io.file", "delete") => self.removed(&first, Depth::Single),
            ("io.directory", "delete") => self.removed(&first, Depth::Recursive),
            ("io.file", "writealltext" | "writeallbytes" | "writealllines" | "create" | "openwrite") => {
                self.put(&first, Write::Replace, &second);
                Thing::nothing()
            }
            ("io.file", "appendalltext" | "appendalllines") => {
                self.put(&first, Write::Append, &second);
                Thing::nothing()
            }
            ("io.file", "readalltext" | "readallbytes" | "readalllines" | "openread" | "opentext") => {
                let mut out = Thing::nothing();
                for path in first.paths(self.span) {
                    let read = self.shell.read(&path);
                    out = out.and(Thing::of_feed(read));
                }
                out
            }
            ("io.file" | "io.directory", "move") => {
                for (from, to) in first.paths(self.span).into_iter().zip(second.paths(self.span)) {
                    self.shell.relocate(&from, &to, Write::Replace);
                }
                Thing::nothing()
            }
            ("io.file", "copy") => {
                for path in second.paths(self.span) {
                    self.shell.write(&path, Write::Append);
                }
                Thing::nothing()
            }
            (
                "io.directory",
                "getfiles" | "getdirectories" | "enumeratefiles" | "enumeratedirectories" | "getfilesystementries",
            ) => {
                let under = first.value().shown().replace('\\', "/");
                Thing::unknown("$_", vec![Origin::Listing { by: "GetFiles".to_owned(), under }])
            }
            ("io.path", "combine" | "join") => {
                let mut all = first;
                for part in args.iter().skip(1) {
                    all = all.joined(&Thing::text("/")).joined(part);
                }
                all
            }
            ("io.path", "gettemppath") => Thing::text("/tmp/"),
            ("io.path", "gettempfilename") => Thing::text("/tmp/tmp.tmp"),
            ("io.path", _) => first,
            ("environment", "getfolderpath") => {
                let home = self.shell.whereabouts().home.clone();
                match first.value().shown().to_ascii_lowercase().as_str() {
                    "userprofile" => Thing::text(home),
                    "windows" => Thing::text("C:\\Windows"),
                    "system" => Thing::text("C:\\Windows\\System32"),
                    "applicationdata" => Thing::text(format!("{home}/AppData/Roaming")),
                    "startup" => {
                        Thing::text(format!("{home}/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup"))
                    }
                    _ => Thing::text(format!("{home}/Documents")),
                }
            }
            ("environment", "getenvironmentvariable") => {
                let name = first.value().shown().to_ascii_lowercase();
                self.evaluate(&super::tree::Expression::Variable(format!("env:{name}")))
            }
            ("environment", "getenvironmentvariables") => {
                self.shell.tell(&rules::SHOW_ENVIRONMENT, "GetEnvironmentVariables", self.span);
                Thing::unknown("$(…)", vec![Origin::Secret("Env:".to_owned())])
            }
            ("environment", "expandenvironmentvariables") => {
                let text = first.value().shown().into_owned();
                Thing::text(crate::shell::families::windows::path(&text))
            }
            ("environment", "setenvironmentvariable") => {
                let lasting = args.get(2).is_some_and(|scope| !scope.value().shown().eq_ignore_ascii_case("process"));
                if lasting {
                    self.shell.tell(
                        &rules::CODE_SYSTEM,
                        format!("SetEnvironmentVariable {}", first.value().shown()),
                        self.span,
                    );
                }
                Thing::nothing()
            }
            ("environment", "exit" | "failfast") => Thing::nothing(),
            ("string", "join") => joined(
                &args.get(1..).map_or_else(Thing::nothing, |rest| match rest {
                    [only] => only.clone(),
                    rest => Thing::List(rest.to_vec()),
                }),
                &first.value().shown(),
            ),
            ("string", "concat") => joined(&Thing::List(args.to_vec()), ""),
            ("string", "format") => format(&first, &Thing::List(args.get(1..).unwrap_or_default().to_vec())),
            ("string", "new") => first,
            ("convert", "frombase64string") => match first.known().and_then(|text| decoding::base64_bytes(&text)) {
                Some(bytes) => Thing::unknown("$(…)", vec![Origin::Bytes(bytes), Origin::Decoded]),
                None => Thing::unknown("$(…)", vec![Origin::Decoded]),
            },
            ("convert", "tobase64string" | "tohexstring") => Thing::unknown("$(…)", first.origins()),
            ("convert", "tochar") => match first.known().and_then(|text| number(&text)).and_then(char::from_u32) {
                Some(letter) => Thing::text(letter.to_string()),
                None => first,
            },
            ("array", "reverse") => Thing::nothing(),
            ("regex", "replace") => Thing::unknown("$(…)", first.origins()),
            ("regex", "unescape") => first,
            ("scriptblock", "create") => self.block_of(&first),
            ("diagnostics.process", "start") => {
                let file = match &first {
                    Thing::Table(table) => {
                        let part = |name: &str| {
                            table
                                .iter()
                                .find(|(key, _)| key == name)
                                .map(|(_, thing)| thing.value().shown().into_owned())
                        };
                        Thing::text(format!(
                            "{} {}",
                            part("filename").unwrap_or_default(),
                            part("arguments").unwrap_or_default()
                        ))
                    }
                    Thing::Object(..) => Thing::nothing(),
                    other if !second.is_nothing() => other.joined(&Thing::text(" ")).joined(&second),
                    other => other.clone(),
                };
                match file.known() {
                    Some(code) => self.command_line(&code),
                    None if file.is_nothing() => {}
                    None => self.shell.opaque(Unread::Code, self.span),
                }
                Thing::nothing()
            }
            ("reflection.assembly", "load" | "loadfile" | "loadfrom" | "unsafeloadfrom") => {
                self.evaluate_code(&Thing::unknown(
                    "$(…)",
                    match first.origins() {
                        origins if origins.is_empty() => Origin::Decoded.into(),
                        origins => origins,
                    },
                ));
                Thing::unknown("$(…)", first.origins())
            }
            ("activator", "createinstance") => first,
            ("type", "gettypefromprogid") => Thing::Object(first.value().shown().to_ascii_lowercase(), Origins::NONE),
            (class, "run" | "exec") if class.starts_with("wscript.shell") => {
                match first.known() {
                    Some(code) => self.command_line(&code),
                    None => self.shell.opaque(Unread::Code, self.span),
                }
                Thing::nothing()
            }
            (class, "shellexecute") if class.starts_with("shell.application") => {
                let line = format!("{} {}", first.value().shown(), second.value().shown());
                self.command_line(&line);
                if args.iter().any(|arg| arg.value().shown().eq_ignore_ascii_case("runas")) {
                    self.shell.tell(&rules::CODE_SYSTEM, "runas", self.span);
                }
                Thing::nothing()
            }
            (class, "regwrite") if class.starts_with("wscript.shell") => {
                let (key, value) = (first.value().shown().to_ascii_lowercase(), second.value().shown().into_owned());
                crate::shell::families::windows::set_key(self.shell, "RegWrite", &key, &value, self.span);
                self.shell.tell(&rules::CODE_SYSTEM, format!("RegWrite {key}"), self.span);
                Thing::nothing()
            }
            (class, "create") if class.contains("win32_process") => {
                match first.known() {
                    Some(code) => self.command_line(&code),
                    None => self.shell.opaque(Unread::Code, self.span),
                }
                Thing::nothing()
            }
            (class, "getstring") if class.contains("encoding") => decoded(class, &first),
            (class, "getbytes") if class.contains("encoding") => first,
            (class, "new") => Thing::Object(class.to_owned(), args.iter().flat_map(Thing::origins).collect()),
            _ => return None,
        })
    }

    /// Methods of texts, and of entries of lists.
    fn of_text(&mut self, of: &Thing, name: &str, args: &[Thing]) -> Thing {
        let first = args.first().cloned().unwrap_or_else(Thing::nothing);
        let second = args.get(1).cloned().unwrap_or_else(Thing::nothing);
        let listed = of.origins().iter().any(|origin| matches!(origin, Origin::Listing { .. }));
        match name {
            "delete" if listed => return self.removed(of, Depth::Recursive),
            "moveto" if listed => {
                for (from, to) in of.paths(self.span).into_iter().zip(first.paths(self.span)) {
                    self.shell.relocate(&from, &to, Write::Replace);
                }
                return Thing::nothing();
            }
            _ => {}
        }
        let Some(text) = of.known() else {
            if name == "tostring" || name == "trim" || name == "readtoend" || name == "getresult" {
                return of.clone();
            }
            self.by_name(of, name);
            let mut origins = of.origins();
            origins.extend(args.iter().flat_map(Thing::origins));
            return Thing::unknown("$(…)", origins);
        };
        let plain = |value: &Thing| value.known();
        match name {
            "tostring" | "getstring" | "normalize" => Thing::text(text),
            "trim" => match plain(&first) {
                Some(letters) => Thing::text(text.trim_matches(|letter| letters.contains(letter))),
                None => Thing::text(text.trim()),
            },
            "trimend" => Thing::text(text.trim_end()),
            "trimstart" => Thing::text(text.trim_start()),
            "tolower" | "tolowerinvariant" => Thing::text(text.to_lowercase()),
            "toupper" | "toupperinvariant" => Thing::text(text.to_uppercase()),
            "replace" => match (plain(&first), plain(&second)) {
                (Some(from), Some(to)) if !from.is_empty() => Thing::text(text.replace(&from, &to)),
                _ => Thing::unknown("$(…)", second.origins()),
            },
            "split" => split(of, &plain(&first).unwrap_or_else(|| " ".to_owned())),
            "tochararray" => split(of, ""),
            "substring" | "remove" => {
                let from = plain(&first).and_then(|at| at.parse::<usize>().ok());
                let length = plain(&second).and_then(|at| at.parse::<usize>().ok());
                let letters: Vec<char> = text.chars().collect();
                let Some(from) = from.filter(|from| *from <= letters.len()) else {
                    return Thing::unknown("$(…)", Vec::new());
                };
                let to = length.map_or(letters.len(), |length| (from + length).min(letters.len()));
                let middle: String = letters.get(from..to).unwrap_or_default().iter().collect();
                if name == "substring" {
                    return Thing::text(middle);
                }
                let before: String = letters.get(..from).unwrap_or_default().iter().collect();
                let behind: String = letters.get(to..).unwrap_or_default().iter().collect();
                Thing::text(before + &behind)
            }
            "insert" => match (plain(&first).and_then(|at| at.parse::<usize>().ok()), plain(&second)) {
                (Some(at), Some(more)) => {
                    let before: String = text.chars().take(at).collect();
                    let behind: String = text.chars().skip(at).collect();
                    Thing::text(before + &more + &behind)
                }
                _ => Thing::unknown("$(…)", Vec::new()),
            },
            "padleft" | "padright" => Thing::text(text),
            _ => Thing::unknown("$(…)", Vec::new()),
        }
    }

    /// A method of something that is not known, by what its name says.
    fn by_name(&mut self, of: &Thing, name: &str) {
        const DESTROYS: &[&str] = &[
            "delete",
            "terminate",
            "uninstall",
            "win32shutdown",
            "shutdown",
            "reboot",
            "format",
            "deletetree",
            "deletesubkeytree",
            "clearlog",
        ];
        if name == "getnetworkcredential" || name == "securestringtobstr" {
            self.shell.tell(&rules::SHOW_PASSWORD, name, self.span);
        } else if name == "kill" {
            self.shell.tell(&rules::CODE_PROCESS, name, self.span);
        } else if DESTROYS.contains(&name) {
            let whole = of.value().shown().into_owned();
            self.shell.tell(&rules::DESTRUCTIVE_FUNCTION, format!("{whole}.{name}"), self.span);
        }
    }

    fn removed(&mut self, of: &Thing, depth: Depth) -> Thing {
        for path in of.paths(self.span) {
            self.shell.delete(&path, depth);
        }
        Thing::nothing()
    }
}

/// Bytes as a text.
fn decoded(class: &str, bytes: &Thing) -> Thing {
    let Thing::Text(value) = bytes else {
        // A list of numbers.
        if let Thing::List(list) = bytes {
            let letters: Option<String> =
                list.iter().map(|item| item.known().and_then(|text| number(&text)).and_then(char::from_u32)).collect();
            if let Some(text) = letters {
                return Thing::text(text);
            }
        }
        return Thing::unknown("$(…)", bytes.origins());
    };
    let found = value.origins().find_map(|origin| match origin {
        Origin::Bytes(bytes) => Some(bytes.clone()),
        _ => None,
    });
    let Some(found) = found else { return bytes.clone() };
    let text = if class.contains("unicode") { decoding::utf16(&found) } else { String::from_utf8(found).ok() };
    match text {
        Some(text) => Thing::text(text),
        None => Thing::unknown("$(…)", vec![Origin::Decoded]),
    }
}
