//! Files that run: what the text has made of them, what they are a copy of, or what can be read of them.

use std::rc::Rc;

use signoff_model::{Dialect, Risk, Scope, Span, Unread};

use super::{
    call::Call,
    families,
    machine::Shell,
    run::{Language, base_name},
    written::Written,
};
use crate::{
    facts::FileText,
    place::{Extent, Nature, Place},
    value::{Arg, Feed, Origin, Value},
};

/// So many files are run of those that a pattern or a list names.
const MAX_EACH: usize = 64;

/// Which shell a file runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    /// A shell or interpreter of its own: nothing that it sets stays.
    Apart,
    /// This shell, as `source` does it.
    Here,
}

impl Shell<'_> {
    /// Runs a script file with arguments: reads it when that is possible, otherwise follows the rule for the project's
    /// own scripts.
    pub fn run_script(&mut self, language: Language, file: &Arg, args: &[Arg], stdin: Feed) -> Feed {
        self.subshell(|shell| {
            shell.with_arguments(args, |shell| {
                if !matches!(language, Language::Shell(_)) {
                    return shell.read_and_run(Setting::Apart, language, file, args, stdin);
                }
                // A script looks for what lies beside it by its own name.
                shell.with_name(Some(file.value.clone()), |shell| {
                    shell.read_and_run(Setting::Apart, language, file, args, stdin)
                })
            })
        })
    }

    /// Runs a script file in this shell.
    pub(super) fn source_script(&mut self, file: &Arg, call: &Call) -> Feed {
        let args = call.args.get(1..).unwrap_or_default();
        let language = Language::Shell(self.dialect);
        if args.is_empty() {
            return self.read_and_run(Setting::Here, language, file, args, call.stdin.clone());
        }
        self.with_arguments(args, |shell| shell.read_and_run(Setting::Here, language, file, args, call.stdin.clone()))
    }

    /// Runs `body` with these as the positional parameters.
    pub(super) fn with_arguments<T>(&mut self, args: &[Arg], body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.positional.replace(Rc::new(args.to_vec()));
        let result = body(self);
        self.state.positional = before;
        result
    }

    fn read_and_run(&mut self, setting: Setting, language: Language, file: &Arg, args: &[Arg], stdin: Feed) -> Feed {
        let usual = self.usual_place(&file.value).filter(|value| self.is_set_up(value));
        let usual = usual.map(|value| Arg { value, span: file.span });
        let file = usual.as_ref().unwrap_or(file);
        let place = self.place(&file.value);
        if self.is_pouring(&place.path) {
            self.opaque(Unread::Script(place.shown.clone()), file.span);
        }
        if let Some(written) = self.state.written.get(&place.path).cloned() {
            let mut out: Option<Feed> = None;
            for one in written.alternatives() {
                let feed = match one {
                    Written::Content(feed) if let Some(original) = feed.copied_from() => {
                        self.run_copied(language, &Arg::text(original, file.span), args)
                    }
                    Written::Content(feed) if let Some(name) = feed.committed_as() => {
                        self.run_committed(name, file, args)
                    }
                    Written::Content(feed) if setting == Setting::Here => self.source_feed(feed.clone(), file.span),
                    Written::Content(feed) => self.run_feed(language, feed.clone(), file.span),
                    Written::Program(name) => {
                        self.opaque(Unread::Copy(name.clone()), file.span);
                        Feed::none()
                    }
                    Written::Compiled(language, source) => self.run_feed(*language, source.clone(), file.span),
                    Written::Edited(texts) => {
                        texts.iter().for_each(|text| self.run_fragment(language, text, file.span));
                        continue;
                    }
                    Written::Link(_)
                    | Written::Tree { .. }
                    | Written::Built
                    | Written::Moved(_)
                    | Written::Either(_) => continue,
                };
                out = Some(out.map_or(feed.clone(), |before| before.or(feed)));
            }
            if let Some(out) = out {
                return out;
            }
        }
        if let Some(original) = self.original_of(&place.path) {
            return self.run_copied(language, &Arg::text(original, file.span), args);
        }
        if let Some(feed) = self.run_fetched(&place, file.span) {
            return feed;
        }
        if matches!(place.path.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
            return self.run_feed(language, stdin, file.span);
        }
        if let Some(feed) = self.read_descriptor(&place.path) {
            return self.run_feed(language, feed, file.span);
        }
        if place.extent != Extent::Exact && self.run_each(language, &place, file, args) {
            return Feed::from(Origin::Program("".into()));
        }
        if place.extent != Extent::Exact {
            let origins = file.value.origins().cloned().collect();
            return self.run_unknown(origins, Unread::Part(place.shown.clone()), file.span);
        }
        self.run_strewn(language, self.strewn_at(&place.path), file.span);
        match (setting, self.facts.text(&place.path)) {
            (Setting::Here, FileText::Text(text)) => self.source_text(&place.path, text, file.span),
            (_, text) => self.run_file(language, &place, text, file, args, stdin),
        }
    }

    /// Runs the text of a file in this shell, so that what it sets, defines and enters stays.
    fn source_text(&mut self, path: &str, text: String, span: Span) -> Feed {
        if self.reading.iter().any(|reading| reading == path) {
            return Feed::none();
        }
        self.reading.push(path.to_owned());
        let code = Arg { value: Value::text(text), span };
        let feed = self.blaming(span, |shell| shell.run_text(&code, shell.dialect, Feed::none()));
        self.reading.pop();
        feed
    }

    /// Runs whichever files of the project a pattern or a list names: each that the text has written, and the others
    /// by the rule for the project's own scripts. Whether it did: where files can be read, nobody has read these.
    fn run_each(&mut self, language: Language, place: &Place, file: &Arg, args: &[Arg]) -> bool {
        let pattern = file.value.known_with_globs().and_then(|text| crate::place::join(self.cwd(), &text));
        let mut written: Vec<(String, Feed)> = Vec::new();
        for (path, written_there) in self.state.written.iter() {
            let fits = match &pattern {
                Some(pattern) => super::expand::pattern::matches(pattern, path),
                None => !place.path.is_empty() && crate::place::is_within(path, &place.path),
            };
            written.extend(written_there.content().filter(|_| fits).map(|feed| (path.to_owned(), feed)));
        }
        written.sort_by(|(first, _), (second, _)| first.cmp(second));
        for (path, feed) in self.first_of(written, MAX_EACH, file.span) {
            self.run_written(language, path, feed, file.span);
        }
        if !place.path.is_empty() {
            self.run_strewn(language, self.strewn_below(&place.path), file.span);
        }
        // What was unpacked into the directory is among them.
        if self.run_unpacked(place, file.span) {
            return true;
        }
        // Scripts by their name: whatever else lies there is nothing that anybody runs.
        let listed = match &pattern {
            Some(pattern) => is_script_name(pattern),
            None => file
                .value
                .origins()
                .all(|origin| matches!(origin, Origin::Listing { under, .. } if is_script_name(under))),
        };
        let own =
            place.scope == Scope::Project && place.extent != Extent::Anywhere && place.nature != Nature::Temporary;
        if let Some(paths) = pattern.as_deref().and_then(|pattern| self.matching(pattern)) {
            for path in paths {
                self.run_copied(language, &Arg::text(path, file.span), args);
            }
            return true;
        }
        if !listed || !own || !matches!(self.facts.text(&place.path), FileText::NotKnown) {
            return false;
        }
        let named = Place { extent: Extent::Exact, ..place.clone() };
        self.run_file(language, &named, FileText::NotKnown, file, args, Feed::none());
        true
    }

    /// The files that a pattern in the last part of a path matches, if that can be known.
    fn matching(&self, pattern: &str) -> Option<Vec<String>> {
        const MOST: usize = 64;
        let (directory, last) = pattern.rsplit_once('/')?;
        if directory.contains(['*', '?', '[']) {
            return None;
        }
        let hidden = last.starts_with('.');
        let fits = |name: &String| hidden == name.starts_with('.') && super::expand::pattern::matches(last, name);
        let mut names: Vec<String> = self.facts.names(directory)?.into_iter().filter(fits).collect();
        names.sort();
        (names.len() <= MOST).then(|| names.iter().map(|name| format!("{directory}/{name}")).collect())
    }

    fn run_file(
        &mut self,
        language: Language,
        place: &Place,
        text: FileText,
        file: &Arg,
        args: &[Arg],
        stdin: Feed,
    ) -> Feed {
        match text {
            FileText::Text(text) => {
                if self.reading.contains(&place.path) {
                    return Feed::none();
                }
                let language = match language {
                    Language::Shell(_) if file.span == Span::default() => language_of_text(&text),
                    language => language,
                };
                self.reading.push(place.path.clone());
                let code = Arg { value: Value::text(text), span: file.span };
                let feed = self.blaming(file.span, |shell| shell.run_code(language, &code, stdin));
                self.reading.pop();
                feed
            }
            // What is not there yet and what the text itself builds before, such as an environment of Python, is like what
            // nobody has looked at.
            FileText::NotKnown | FileText::Missing
                if self.is_built(&place.path) || text == FileText::NotKnown && place.nature != Nature::Temporary =>
            {
                // The rubric's rule for the project's own scripts: the name and the arguments say what it is for.
                let call = Call {
                    name: place.file_name().into(),
                    program: file.clone(),
                    args: args.to_vec(),
                    variables: Vec::new(),
                    stdin,
                    span: file.span,
                };
                families::unknown::judge(self, &call)
            }
            FileText::NotKnown | FileText::Missing | FileText::Binary | FileText::TooLarge | FileText::Unreadable => {
                self.opaque(Unread::Script(place.shown.clone()), file.span);
                Feed::none()
            }
        }
    }

    /// Runs a program that the text has made. None if what is known of it says nothing about what it does.
    pub(super) fn run_made(&mut self, written: &Written, call: &Call) -> Option<Feed> {
        match written {
            Written::Program(name) => {
                let mut argv = vec![Arg::text(name, call.program.span)];
                argv.extend(call.args.iter().cloned());
                Some(self.run_program(argv, call.variables.clone(), call.stdin.clone(), call.span))
            }
            Written::Content(feed) => {
                if let Some(path) = feed.copied_from() {
                    let named = is_script_name(path) || self.place(&Value::text(path)).nature == Nature::Rebuilt;
                    if !named && self.facts.text(path) == FileText::NotKnown {
                        self.opaque(Unread::Script(path.to_owned()), call.span);
                        return Some(call.output());
                    }
                    let argv = std::iter::once(Arg::text(path, call.program.span)).chain(call.args.iter().cloned());
                    return Some(self.aside(|shell| {
                        shell.run_program(argv.collect(), call.variables.clone(), call.stdin.clone(), call.span)
                    }));
                }
                let language = feed.known().map_or(Language::Shell(self.dialect), language_of_text);
                Some(self.with_arguments(&call.args, |shell| shell.run_feed(language, feed.clone(), call.span)))
            }
            Written::Compiled(language, source) => {
                Some(self.with_arguments(&call.args, |shell| shell.run_feed(*language, source.clone(), call.span)))
            }
            Written::Edited(texts) => {
                let language = language_of_name(&call.name);
                texts.iter().for_each(|text| self.run_fragment(language, text, call.span));
                None
            }
            Written::Link(_) | Written::Tree { .. } | Written::Built | Written::Moved(_) | Written::Either(_) => None,
        }
    }

    /// Runs `body` without what the text has written: the file on the disk is meant.
    fn aside<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let written = std::mem::take(&mut self.state.written);
        let result = body(self);
        self.state.written = written;
        result
    }

    /// Runs what a script may hold since it was written to some file.
    pub(super) fn run_strewn(&mut self, language: Language, strewn: Vec<Feed>, span: Span) {
        for feed in strewn {
            match feed.text.clone().filter(|text| text.known().is_some()) {
                Some(text) => self.run_fragment(language, &text, span),
                None => {
                    self.run_feed(language, feed, span);
                }
            }
        }
    }

    /// Runs a text that stands somewhere in a script. That it is no whole text by itself is no reason.
    fn run_fragment(&mut self, language: Language, text: &Value, span: Span) {
        if text.known().is_none() && text.origins().any(|origin| *origin == Origin::Decoded) {
            self.opaque(Unread::Rest, span);
            return;
        }
        let before = std::mem::take(&mut self.findings);
        self.run_code(language, &Arg { value: text.clone(), span }, Feed::none());
        let found = std::mem::replace(&mut self.findings, before);
        if found.is_prohibited() || found.risk() > Risk::Low && !found.has_gaps() {
            self.findings.append(found);
        }
    }

    /// Runs a file of the project as it was committed once: nobody can read that here, but it is the project's own.
    fn run_committed(&mut self, name: &str, file: &Arg, args: &[Arg]) -> Feed {
        let place = self.place(&Value::text(name));
        match self.facts.text(&place.path) {
            FileText::NotKnown => self.run_copied(Language::Other, &Arg::text(name, file.span), args),
            _ => {
                self.opaque(Unread::Script(place.shown.clone()), file.span);
                Feed::none()
            }
        }
    }

    /// Runs what is the same as a file that the text has not touched.
    pub(super) fn run_copied(&mut self, language: Language, file: &Arg, args: &[Arg]) -> Feed {
        let place = self.place(&file.value);
        let text = self.facts.text(&place.path);
        // What is copied elsewhere and has no name that says what it is might be anything.
        let named = is_script_name(&place.path) || place.nature == Nature::Rebuilt || self.is_built(&place.path);
        if text == FileText::NotKnown && !named {
            self.opaque(Unread::Script(place.shown.clone()), file.span);
            return Feed::none();
        }
        self.run_file(language, &place, text, file, args, Feed::none())
    }
}

/// The language of a script, by its first line.
pub(super) fn language_of_text(text: &str) -> Language {
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else {
        return Language::Shell(Dialect::Bash);
    };
    let mut words = line.split_whitespace().map(base_name).filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = match words.next() {
        Some("env") => words.next(),
        other => other,
    };
    language_of_program(program.unwrap_or("sh"))
}

fn language_of_program(program: &str) -> Language {
    match program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.') {
        "python" | "pypy" | "uv" | "pipx" => Language::Python,
        "perl" => Language::Perl,
        "ruby" => Language::Ruby,
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" | "zx" => Language::JavaScript,
        "php" => Language::Php,
        "lua" | "luajit" => Language::Lua,
        "awk" | "gawk" | "mawk" => Language::Awk,
        "Rscript" => Language::R,
        "zsh" => Language::Shell(Dialect::Zsh),
        "sh" | "dash" | "ash" => Language::Shell(Dialect::Sh),
        "bash" | "ksh" => Language::Shell(Dialect::Bash),
        "pwsh" | "powershell" => Language::PowerShell,
        "expect" | "tclsh" | "wish" => Language::Tcl,
        "osascript" => Language::AppleScript,
        _ => Language::Other,
    }
}

/// Whether a name, or a pattern of names, has an ending that scripts have.
fn is_script_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "sh" | "bash" | "zsh" | "bats") || !matches!(language_of_name(name), Language::Shell(_))
}

/// The language of a script, by its name.
pub(super) fn language_of_name(name: &str) -> Language {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("py") => Language::Python,
        Some("pl" | "pm") => Language::Perl,
        Some("rb") => Language::Ruby,
        Some("js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx") => Language::JavaScript,
        Some("php") => Language::Php,
        Some("lua") => Language::Lua,
        Some("java" | "kt" | "kts" | "scala" | "sc" | "groovy" | "gradle" | "cs" | "csx") => Language::Java,
        Some("c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "m" | "mm" | "C" | "cu") => Language::C,
        Some("go") => Language::Go,
        Some("rs") => Language::Rust,
        Some("swift" | "hs" | "ml" | "nim" | "cr" | "d" | "jl" | "ex" | "exs" | "erl" | "zig" | "v" | "dart") => {
            Language::Other
        }
        Some("zsh") => Language::Shell(Dialect::Zsh),
        _ => Language::Shell(Dialect::Bash),
    }
}
