//! Files that code deletes, opens, writes, copies, or changes the rights of.

use signoff_model::Scope;

use super::{
    lexer::{Part, Token},
    names::{self, Act},
    network,
    reader::Reader,
    thing::{Args, Thing, pattern},
};
use crate::{
    path_effects::{Depth, Rights, Write},
    place::{Extent, Nature},
    shell::{Language, Written},
    value::{Arg, Feed, Origin, Piece, Value},
};

impl Reader<'_, '_> {
    pub(super) fn delete_each(&mut self, args: &Args, depth: Depth) -> Thing {
        let mut things = args.flat();
        if things.is_empty() {
            // Swift names the argument: `removeItem(atPath: …)`.
            things.extend(["atPath", "at"].iter().find_map(|name| args.named(name)).cloned());
        }
        if things.is_empty() {
            things.push(self.look_up("$_"));
        }
        things.iter().for_each(|thing| self.ruin(thing));
        if !self.chooses() {
            if things.iter().any(|thing| self.is_walked(thing)) {
                self.delete_walked();
            }
            let each =
                |thing: &Thing| matches!(thing, Thing::Name(name) if name == "$_" || name.ends_with("File.Find.name"));
            self.seen.deletes_each |= self.language == Language::Perl && things.iter().any(each);
        }
        for thing in things {
            match thing {
                Thing::Record(_) | Thing::Truth(_) | Thing::Number(_) => {}
                thing => self.delete(&thing, depth),
            }
        }
        Thing::unknown()
    }

    /// Deletes whatever a thing is the path of.
    pub(super) fn delete(&mut self, thing: &Thing, depth: Depth) {
        for path in self.paths(thing) {
            self.shell.delete(&path, depth);
        }
    }

    /// What a thing leads to when it is taken for a path. The names in a directory are none: such a name leads to
    /// something of that name in the working directory, unless the directory stands before it.
    pub(super) fn paths(&self, thing: &Thing) -> Vec<Arg> {
        let mut arg = thing.arg(self.span);
        // R takes a tilde for the home directory wherever it wants a path.
        if self.language == Language::R
            && let Some(rest) = arg.value.known().and_then(|path| path.strip_prefix('~'))
            && (rest.is_empty() || rest.starts_with('/'))
        {
            arg.value = Value::text(format!("{}{rest}", self.shell.whereabouts().home));
        }
        let names = |origin: &Origin| match origin {
            Origin::Listing { by, under } => self.lists_names(by) && !matches!(under.as_str(), "" | "." | "./"),
            _ => false,
        };
        let [Piece::Unknown(first), ..] = arg.value.pieces() else { return vec![arg] };
        if !first.origins.iter().any(names) {
            return vec![arg];
        }
        let mut here = Value::text("./");
        here.extend(Value::unknown(first.shown.clone(), Vec::new()));
        for piece in arg.value.pieces().iter().skip(1) {
            here.push(piece.clone());
        }
        let here = Arg { value: here, span: self.span };
        vec![arg, here]
    }

    /// Whether a function gives the names in a directory, and not their paths.
    fn lists_names(&self, function: &str) -> bool {
        const ENTRIES: &[&str] =
            &["os.scandir", "Files.list", "Files.newDirectoryStream", "directory_iterator", "fs.read_dir"];
        names::act(self.language, function) == Some(Act::Listing) && !ENTRIES.contains(&function)
    }

    /// What lists the names in a directory, in the language at hand.
    pub(super) fn names_in(&self, under: &Thing) -> Thing {
        let by = match self.language {
            Language::Ruby => "Dir.children",
            Language::JavaScript => "fs.readdirSync",
            _ => "os.listdir",
        };
        let under = under.value().shown().into_owned();
        Thing::result(by, vec![Origin::Listing { by: by.to_owned(), under }])
    }

    /// The secret place in whose list something was found, whatever was made of it.
    fn secret_list(&self, value: &Value) -> Option<Arg> {
        value.origins().find_map(|origin| match origin {
            Origin::Listing { under, .. } => {
                let listed = pattern(&Value::text(under.as_str()));
                let secret = self.shell.place(&listed).nature == Nature::Secret;
                secret.then_some(Arg { value: listed, span: self.span })
            }
            _ => None,
        })
    }

    /// Whether something is what a walk over a tree comes to.
    fn is_walked(&self, thing: &Thing) -> bool {
        let walks = |origin: &Origin| matches!(origin, Origin::Listing { by, .. } if names::act(self.language, by) == Some(Act::Tree));
        thing.origins().iter().any(walks)
    }

    /// Whatever a walk comes to is deleted: of the machine or of a home nothing is left.
    pub(super) fn delete_walked(&mut self) {
        let Some(top) = self.seen.walked.clone() else { return };
        let nature = self.shell.place(&top.value()).nature;
        if matches!(nature, Nature::Root | Nature::SystemTree | Nature::HomeTree) {
            self.shell.delete(&top.arg(self.span), Depth::Recursive);
        }
    }

    /// Notes that what stands at a path goes, if the path is whatever a walk outside the project comes to.
    fn ruin(&mut self, path: &Thing) {
        let place = self.shell.place(&path.value());
        let many = place.is_pattern() || place.extent == Extent::Below;
        if many && matches!(place.scope, Scope::Home | Scope::System | Scope::Outside) {
            self.seen.ruins.get_or_insert(place.shown.clone());
        }
    }

    /// Whether a condition decides about what is deleted here: one before it in the walk, or one behind it in the same
    /// statement.
    fn chooses(&self) -> bool {
        const FARTHEST: usize = 64;
        let behind = (0..FARTHEST)
            .map_while(|offset| {
                self.peek_at(offset).filter(|token| !matches!(token, Token::End)).map(|token| (offset, token))
            })
            .find(|(_, token)| matches!(token, Token::Name(name) if matches!(&**name, "if" | "unless")));
        self.seen.chosen || behind.is_some_and(|(offset, _)| !self.only_checks(offset + 1))
    }

    /// Whether a condition only asks if there is a file: every file that a walk comes to is there.
    pub(super) fn only_checks(&self, from: usize) -> bool {
        const FARTHEST: usize = 16;
        // Leaving out what is no file system at all leaves nothing out.
        const NO_FILES: &[&str] = &["/proc", "/sys", "/dev", "/run"];
        let mut asks = false;
        let mut begins = false;
        for offset in from..from + FARTHEST {
            match self.peek_at(offset) {
                Some(Token::Name(name)) => match &**name {
                    "isfile" | "exists" | "islink" | "isdir" | "lexists" | "is_file" | "is_symlink" | "is_dir"
                    | "file?" | "exist?" | "file" | "exist" | "existsSync" => asks = true,
                    "startswith" | "start_with" | "startsWith" => begins = true,
                    "and" | "in" | "endswith" | "end_with" | "match" => return false,
                    _ => {}
                },
                Some(Token::Text(parts)) if begins => {
                    let spared = matches!(parts.as_slice(), [Part::Text(text)] if NO_FILES.contains(&text.trim_end_matches('/')));
                    if !spared {
                        return false;
                    }
                    asks = true;
                }
                Some(Token::Sign("==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "=~")) => return false,
                Some(Token::Sign(":") | Token::End | Token::Open('{') | Token::Close('}')) | None => break,
                Some(_) => {}
            }
        }
        asks
    }

    pub(super) fn open(&mut self, args: &Args) -> Thing {
        let Some(path) = args.either(0, &["file", "path"]).cloned() else { return Thing::unknown() };
        if path.number() == Some(0) {
            return self.input();
        }
        let mode = args.either(1, &["mode", "flags", "open"]);
        let how = match mode {
            None => None,
            Some(mode) => match mode.known() {
                Some(mode) if mode.starts_with('w') => Some(Write::Replace),
                Some(mode) if mode.starts_with('a') => Some(Write::Append),
                Some(mode) if mode.starts_with(['x', 'c']) => Some(Write::New),
                Some(mode) if mode.contains('+') => Some(Write::Edit),
                Some(_) => None,
                None => Some(Write::Edit),
            },
        };
        match how {
            Some(how) => {
                if how != Write::Append {
                    self.ruin(&path);
                }
                // Whatever a walk comes to is emptied: that is as good as deleted.
                if how == Write::Replace && !self.chooses() && self.is_walked(&path) {
                    self.delete_walked();
                }
                self.shell.write(&path.arg(self.span), how);
                if matches!(how, Write::Replace | Write::New) {
                    self.opened(&path.arg(self.span));
                }
                Thing::File(path.value())
            }
            None => self.read_file(Some(&path), "open"),
        }
    }

    /// `open(F, "> path")`, `open(F, "cmd |")`, `open(F, "|-", "cmd")`, `open("| cmd")`.
    pub(super) fn open_or_run(&mut self, args: &Args) -> Thing {
        let skip = usize::from(self.language == Language::Perl);
        let handle = args.get(0).cloned();
        let Some(first) = args.get(skip).cloned() else { return Thing::unknown() };
        let text = first.value();
        let known = text.prefix().trim().to_owned();
        let second = args.get(skip + 1).cloned();
        let path = |mark: &str| {
            let skipped = text.prefix().find(mark).map_or(0, |at| at + mark.len());
            let gap = text.prefix().get(skipped..).map_or(0, |rest| rest.len() - rest.trim_start().len());
            second.clone().unwrap_or_else(|| Thing::Text(crate::shell::options::strip(&text, skipped + gap)))
        };
        // `open P, "|command"`: what is printed there is typed into the command.
        let typed = if known.starts_with('|') { Feed::from(Origin::Input) } else { Feed::none() };
        let thing = if known.starts_with('|') || known == "-|" || text.shown().trim_end().ends_with('|') {
            let mut rest = args.items.get(skip + 1..).unwrap_or_default().to_vec();
            if rest.is_empty() {
                let command = text.shown().trim().trim_matches('|').to_owned();
                let command = if text.known().is_some() { Thing::text(command) } else { Thing::Text(text.clone()) };
                self.run_shell_typed(&command, typed)
            } else if rest.len() == 1 {
                let command = rest.pop().unwrap_or_else(Thing::unknown);
                self.run_shell_typed(&command, typed)
            } else {
                let feed = self.run_program(&rest, typed);
                self.outcome(feed, false)
            }
        } else if known.starts_with(">&") || known.starts_with("<&") {
            self.seen.hands_over = true;
            Thing::unknown()
        } else if known.starts_with(">>") {
            self.file_written(&path(">>"), Write::Append)
        } else if known.starts_with('>') || known.starts_with("+>") {
            self.file_written(&path(">"), Write::Replace)
        } else if known.starts_with('<') {
            self.read_file(Some(&path("<")), "open")
        } else if self.language == Language::Ruby {
            return self.open(args);
        } else {
            self.read_file(Some(&first), "open")
        };
        if let Some(Thing::Name(name)) = handle.filter(|_| skip == 1) {
            self.bind(&name, thing.clone());
        }
        thing
    }

    pub(super) fn file_written(&mut self, path: &Thing, how: Write) -> Thing {
        self.shell.write(&path.arg(self.span), how);
        if how != Write::Append {
            self.opened(&path.arg(self.span));
        }
        Thing::File(path.value())
    }

    /// A file is opened and emptied: what comes to stand in it is not known until something is written.
    fn opened(&mut self, path: &Arg) {
        let nothing = Feed::from(Origin::Program(OPENED.into()));
        self.shell.remember_written(path, Written::Content(nothing));
    }

    /// Something is written to a file that is open.
    pub(super) fn put_into(&mut self, path: &Value, content: &Thing) {
        let arg = Arg { value: path.clone(), span: self.span };
        self.plant(&arg, content);
        let place = self.shell.place(path);
        let opened = matches!(self.shell.written(&place.path), Some(Written::Content(feed)) if is_opened(feed));
        if opened && empties(path, content) {
            self.shell.write(&arg, Write::Empty);
        }
        let value = content.value();
        if self.is_edit(&place, &value) {
            return;
        }
        let before = self.shell.written(&place.path).cloned();
        match before {
            Some(Written::Content(feed)) if !is_opened(&feed) => {
                self.shell.remember_more(&place, Some(Written::Content(feed)), Feed::of(value));
            }
            Some(_) => self.shell.remember_written(&arg, Written::Content(Feed::of(value))),
            None => self.shell.remember_more(&place, None, Feed::of(value)),
        }
    }

    /// Whether a text is what the file held before, with changes: the known parts of it are put in, and the rest stays.
    fn is_edit(&mut self, place: &crate::place::Place, value: &Value) -> bool {
        let same = |origin: &Origin| match origin {
            Origin::Exactly(path) => *path == place.path,
            Origin::File(shown) => *shown == place.shown,
            _ => false,
        };
        if !value.origins().any(same) || value.origins().any(|origin| matches!(origin, Origin::Download { .. })) {
            return false;
        }
        // It was emptied only to be written again.
        self.shell.unmark(place, is_opened);
        for piece in value.pieces() {
            if let Piece::Text(text) = piece {
                self.shell.remember_added(place, Value::text(text.as_str()));
            }
        }
        true
    }

    /// A path is written, maybe with a known content.
    pub(super) fn write_to(&mut self, path: Option<&Thing>, how: Write, content: Option<&Thing>, args: &Args) -> Thing {
        let Some(path) = path.filter(|path| !matches!(path, Thing::Truth(_))) else { return Thing::unknown() };
        let appends = matches!(args.named("flag").and_then(Thing::known), Some("a"))
            || args.is_set("append")
            || matches!(args.get(2), Some(Thing::Name(name)) if name.contains("FILE_APPEND"));
        if !appends {
            self.ruin(path);
        }
        let path = path.arg(self.span);
        let empties = how == Write::Replace && content.is_some_and(|content| empties(&path.value, content));
        self.shell.write(
            &path,
            match how {
                Write::Replace if appends => Write::Append,
                Write::Replace if empties => Write::Empty,
                how => how,
            },
        );
        if let Some(content) = content {
            self.plant(&path, content);
            let place = self.shell.place(&path.value);
            if !self.is_edit(&place, &content.value()) && !appends {
                self.shell.remember_written(&path, Written::Content(Feed::of(content.value())));
            } else if appends {
                let before = self.shell.written(&place.path).cloned();
                self.shell.remember_more(&place, before, Feed::of(content.value()));
            }
        }
        Thing::File(path.value)
    }

    /// Whether one of the arguments is the path of a secret.
    pub(super) fn names_secret(&self, args: &Args) -> bool {
        args.items.iter().any(|thing| self.is_secret_path(thing))
    }

    /// Whether it names a secret.
    pub(super) fn is_secret_path(&self, thing: &Thing) -> bool {
        matches!(thing, Thing::Text(_) | Thing::Path(_)) && self.shell.place(&thing.value()).nature == Nature::Secret
    }

    /// A text comes to stand where it may run by itself.
    pub(super) fn plant(&mut self, path: &Arg, content: &Thing) {
        if let Some(text) = content.known() {
            let place = self.shell.place(&path.value);
            self.shell.plant(&place, text, self.span);
        }
    }

    /// A file is read; what comes out remembers a secret.
    pub(super) fn read_file(&mut self, path: Option<&Thing>, name: &str) -> Thing {
        let Some(path) = path else { return Thing::unknown() };
        if path.number() == Some(0) || matches!(path.known(), Some("php://stdin" | "/dev/stdin" | "-")) {
            return self.input();
        }
        if matches!(path, Thing::Name(name) if matches!(name.as_str(), "STDIN" | "sys.stdin" | "process.stdin.fd")) {
            return self.input();
        }
        if let Some(url) = path.known().filter(|path| path.contains("://")) {
            return network::downloaded(self, url);
        }
        let value = path.value();
        if value.prefix().contains("://")
            && let Some(secret) = value.secret()
        {
            // An address with a secret in it takes the secret along.
            let to = value.prefix().to_owned();
            let feed = Feed::from(Origin::Secret(secret.to_owned()));
            self.shell.send(&to, std::iter::empty(), &feed, self.span);
        }
        let listed = self.secret_list(&value);
        if value.prefix().is_empty() && value.has_unknown() && listed.is_none() {
            return Thing::result(name, vec![Origin::File(value.shown().into_owned())]);
        }
        let feed = self.shell.read(&listed.unwrap_or_else(|| path.arg(self.span)));
        if let Some(secret) = feed.secret() {
            self.seen.secret = Some(secret.to_owned());
        }
        let flow = feed.into_flow();
        match flow.text {
            Some(value) => Thing::Text(value),
            None => Thing::result(name, flow.origins),
        }
    }

    /// An archive is unpacked into a directory, as the program for it would do.
    pub(super) fn unpack(&mut self, archive: Option<&Thing>, to: Option<&Thing>) {
        let mut argv = vec![Thing::text("tar"), Thing::text("xf")];
        argv.push(archive.cloned().unwrap_or_else(|| Thing::text("archive")));
        if let Some(to) = to {
            argv.extend([Thing::text("-C"), to.clone()]);
        }
        self.run_program(&argv, Feed::none());
    }

    pub(super) fn copy(&mut self, args: &Args, options: &[&str]) {
        let (Some(from), Some(to)) = (args.either(0, &["src"]).cloned(), args.either(1, &["dst"]).cloned()) else {
            return;
        };
        if self.absent.as_ref() == Some(&to.value()) {
            self.shell.write(&to.arg(self.span), Write::New);
            return;
        }
        let words = std::iter::once("cp").chain(options.iter().copied()).map(Thing::text);
        self.run_program(&words.chain([from, to]).collect::<Vec<Thing>>(), Feed::none());
    }

    pub(super) fn change_rights(&mut self, mode: Option<&Thing>, path: Option<&Thing>) {
        let Some(path) = path else { return };
        let rights = match mode {
            Some(Thing::Number(mode)) if mode & 0o6000 != 0 => Rights::SetUser,
            Some(Thing::Number(mode)) if mode & 0o002 != 0 => Rights::Open,
            Some(Thing::Number(mode)) if mode & 0o400 == 0 => Rights::Closed,
            Some(Thing::Number(mode)) if mode & 0o044 != 0 => Rights::Shown,
            Some(Thing::Text(text))
                if text
                    .known()
                    .is_some_and(|mode| mode.contains('s') || mode.len() == 4 && mode.starts_with(['4', '6', '2'])) =>
            {
                Rights::SetUser
            }
            Some(Thing::Text(text)) if text.known().is_some_and(|mode| mode.ends_with(['2', '3', '6', '7'])) => {
                Rights::Open
            }
            _ => Rights::Usual,
        };
        self.shell.change_rights(&path.arg(self.span), rights, Depth::Single);
    }
}

/// How a file is remembered that was opened for writing and nothing is known to be written to.
const OPENED: &str = "an open file";

/// Whether nothing is written to a file, which is then empty. Files whose names say all there is to say always are.
fn empties(path: &Value, content: &Thing) -> bool {
    const MARKERS: &[&str] = &["__init__.py", "py.typed", ".gitkeep", ".keep", ".nojekyll"];
    let marker = path.known().and_then(|path| path.rsplit('/').next()).is_some_and(|name| MARKERS.contains(&name));
    content.known().is_some_and(|text| text.trim().is_empty()) && !marker
}

fn is_opened(feed: &Feed) -> bool {
    matches!(&*feed.origins, [Origin::Program(name)] if name == OPENED) && feed.text.is_none()
}
