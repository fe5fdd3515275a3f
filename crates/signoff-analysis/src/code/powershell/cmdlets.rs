//! What each cmdlet does. Any other name is a program, and is run as one.

use signoff_model::Unread;

use super::{
    Reader,
    call::{Bound, Call, program},
    names::{changes_system, is_cmdlet, is_drive_of_settings},
    rules,
    things::Thing,
};
use crate::{
    path_effects::Write,
    shell::{
        Call as ShellCall, families,
        families::{own, windows},
    },
    value::{Arg, Feed, Origin, Origins, Piece, Value},
};

impl Reader<'_, '_> {
    pub(super) fn cmdlet(&mut self, call: &Call) -> Thing {
        let name = call.name.trim_end_matches(".exe");
        let bound = call.bound(switches(name));
        let dry = bound.has("whatif");
        match name {
            "remove-item" | "clear-item" => {
                if !dry {
                    self.remove(call, &bound);
                }
                Thing::nothing()
            }
            "remove-itemproperty" | "clear-itemproperty" => {
                if !dry {
                    self.tell_system(call, &bound);
                }
                Thing::nothing()
            }
            "get-childitem" => self.list(&bound),
            "where-object" => self.filter(call, &bound),
            "foreach-object" => self.each(call, &bound),
            "select-object" | "sort-object" | "format-table" | "format-list" | "get-unique" | "out-host"
            | "tee-variable" | "get-item" | "resolve-path" | "out-string" | "convert-path" | "get-random" => {
                self.through(call, &bound)
            }
            "measure-object"
            | "group-object"
            | "select-string"
            | "convertfrom-json"
            | "convertto-json"
            | "convertto-csv"
            | "convertfrom-csv"
            | "convertto-xml"
            | "format-hex"
            | "convertto-html"
            | "compare-object"
            | "convertfrom-stringdata"
            | "select-xml" => self.changed(call, &bound),
            "set-content" | "sc" | "out-file" | "tee-object" | "export-csv" | "export-clixml" | "add-content"
            | "new-item" | "clear-content" => self.write(name, call, &bound, dry),
            "move-item" | "rename-item" if !dry => {
                self.relocate(call, &bound);
                Thing::nothing()
            }
            "copy-item" if !dry => {
                self.copy(call, &bound);
                Thing::nothing()
            }
            "get-content" | "import-csv" | "import-clixml" | "get-filehash" => {
                let from = bound.at(&["path", "literalpath"], 0).unwrap_or(&call.input).clone();
                let mut out = Thing::nothing();
                for path in from.paths(self.span) {
                    let read = self.shell.read(&path);
                    out = out.and(Thing::of_feed(read));
                }
                out
            }
            "compress-archive" | "expand-archive" => {
                self.archive(name, call, &bound);
                Thing::nothing()
            }
            "invoke-expression" => {
                let code = bound.at(&["command"], 0).unwrap_or(&call.input).clone();
                self.evaluate_code(&code)
            }
            "invoke-webrequest" | "invoke-restmethod" | "start-bitstransfer" => self.request(call, &bound),
            "curl" | "wget" if !is_of_another_system(call) => self.request(call, &bound),
            "send-mailmessage" | "resolve-dnsname" | "test-connection" | "test-netconnection" => {
                self.tell_away(call, &bound)
            }
            "start-process" | "invoke-item" => self.start(&bound),
            "start-job"
            | "start-threadjob"
            | "measure-command"
            | "trace-command"
            | "invoke-scriptblock"
            | "use-transaction"
            | "register-objectevent"
            | "register-engineevent" => {
                self.run_blocks(call, &bound);
                Thing::unknown("$(…)", Vec::new())
            }
            "invoke-command" | "enter-pssession" | "new-pssession" => self.elsewhere(call, &bound),
            "invoke-wmimethod" | "invoke-cimmethod" => self.ask_machine(call, &bound),
            "format-volume" | "clear-disk" | "initialize-disk" | "remove-partition" | "remove-volume"
            | "reset-physicaldisk" => {
                if !dry {
                    self.shell.tell(&rules::CODE_WIPE, call.written.as_str(), self.span);
                }
                Thing::nothing()
            }
            "stop-process" => {
                if !dry {
                    let whom = bound.shown(&["name", "id"], 0);
                    own::steered_by_code(self.shell, &whom, self.span);
                    self.shell.tell(&rules::CODE_PROCESS, format!("{} {whom}", call.written), self.span);
                }
                Thing::nothing()
            }
            "set-location" | "push-location" => {
                if let Some(path) = bound.at(&["path", "literalpath"], 0) {
                    let path = program(path, self.span);
                    self.shell.go_to(path, self.span);
                }
                Thing::nothing()
            }
            "write-output" | "write-host" | "write-verbose" | "write-information" | "write-warning" | "write-error"
            | "write-debug" => {
                let free: Vec<Thing> = bound.all(&["object", "message", "inputobject"]);
                let mut all = Value::default();
                for (index, thing) in free.iter().enumerate() {
                    if index > 0 {
                        all.push(Piece::text(" "));
                    }
                    all.extend(thing.value());
                }
                match free.as_slice() {
                    [only @ Thing::List(_)] => only.clone(),
                    [] => call.input.clone(),
                    _ => Thing::Text(all),
                }
            }
            "join-path" => {
                let first = bound.at(&["path"], 0).cloned().unwrap_or_else(|| Thing::text(""));
                let position = usize::from(bound.get(&["path"]).is_none());
                let second = bound.at(&["childpath"], position).cloned().unwrap_or_else(|| Thing::text(""));
                first.joined(&Thing::text("\\")).joined(&second)
            }
            "split-path" => Thing::unknown("$(…)", bound.at(&["path"], 0).map(Thing::origins).unwrap_or_default()),
            "get-location" => Thing::text("."),
            "get-variable" | "get-date" | "new-guid" | "new-timespan" | "get-culture" => {
                Thing::unknown("$(…)", Vec::new())
            }
            "set-variable" | "new-variable" => {
                let name = bound.shown(&["name"], 0).to_ascii_lowercase();
                let position = usize::from(bound.get(&["name"]).is_none());
                let value = bound.at(&["value"], position).cloned().unwrap_or_else(|| call.input.clone());
                self.set(&name, value);
                Thing::nothing()
            }
            "set-alias" | "new-alias" => {
                let alias = bound.shown(&["name"], 0).to_ascii_lowercase();
                let position = usize::from(bound.get(&["name"]).is_none());
                let meant = bound.shown(&["value"], position).to_ascii_lowercase();
                self.aliases.insert(alias, super::names::resolve(&meant).to_owned());
                Thing::nothing()
            }
            "new-object" => {
                let class = bound.shown(&["typename", "comobject"], 0).to_ascii_lowercase();
                let class = class.strip_prefix("system.").map(str::to_owned).unwrap_or(class);
                let origins = bound.free.iter().flat_map(Thing::origins).collect();
                Thing::Object(class, origins)
            }
            "get-secret" | "get-storedcredential" | "convertfrom-securestring" | "get-clipboard" => {
                let what = bound.shown(&["name", "target"], 0);
                if name != "get-clipboard" {
                    self.shell.tell(&rules::SHOW_PASSWORD, format!("{} {what}", call.written), self.span);
                }
                Thing::unknown("$(…)", vec![Origin::Secret(call.written.clone())])
            }
            "set-itemproperty" | "new-itemproperty" | "set-item" if !dry => {
                self.set_property(call, &bound);
                Thing::nothing()
            }
            "new-scheduledtaskaction" => {
                let code = format!("{} {}", bound.shown(&["execute"], 0), bound.shown(&["argument"], 1));
                windows::plant(self.shell, &call.written, &code, self.span);
                Thing::unknown("$(…)", Vec::new())
            }
            "new-service" | "register-scheduledjob" => {
                if let Some(code) = bound.get(&["binarypathname"]) {
                    let code = code.value().shown().into_owned();
                    windows::plant(self.shell, &call.written, &code, self.span);
                }
                for thing in bound.all(&["scriptblock"]) {
                    if let Thing::Block(_, source) = thing {
                        self.plant(&call.written, &source);
                    }
                }
                self.tell_system(call, &bound);
                Thing::nothing()
            }
            "clear-eventlog" | "remove-eventlog" | "limit-eventlog" => {
                if !dry {
                    self.shell.tell(&windows::CLEAR_LOGS, call.written.as_str(), self.span);
                }
                Thing::nothing()
            }
            "add-type" | "import-module" => {
                if let Some(code) = bound.get(&["typedefinition", "memberdefinition"]) {
                    let code = Arg { value: code.value(), span: self.span };
                    self.shell.run_code(crate::shell::Language::Java, &code, Feed::none());
                }
                let path = bound.shown(&["name", "path"], 0);
                if name == "import-module" && path.ends_with(".ps1") {
                    return self.program(call);
                }
                Thing::nothing()
            }
            "cmd" => {
                let argv: Vec<Arg> = call.given.iter().flat_map(|word| word.args(self.span)).collect();
                let text: Vec<String> = argv.iter().skip(1).map(|arg| arg.shown().into_owned()).collect();
                let words =
                    [Arg::text("cmd", self.span), Arg::text("/c", self.span), Arg::text(text.join(" "), self.span)];
                Thing::of_feed(self.shell.run(&words, call.input.feed(), self.span))
            }
            name if is_pure(name) => self.changed(call, &bound),
            name if changes_system(name) => {
                // For this session alone, nothing lasts.
                let passing =
                    name == "set-executionpolicy" && bound.shown(&["scope"], 99).eq_ignore_ascii_case("process");
                if !dry && !passing {
                    self.tell_system(call, &bound);
                    self.judge_name(call);
                }
                Thing::nothing()
            }
            name if is_cmdlet(name) => {
                self.run_blocks(call, &bound);
                self.judge_name(call);
                let mut origins: Origins = bound.free.iter().flat_map(Thing::origins).collect();
                origins.add(Origin::Program(call.written.as_str().into()));
                Thing::unknown("$(…)", origins)
            }
            _ => self.program(call),
        }
    }

    /// A cmdlet that is not known, by what its name says.
    fn judge_name(&mut self, call: &Call) {
        let mut name = String::new();
        for (index, part) in call.name.split('-').enumerate() {
            if index > 0 {
                name.push('-');
            }
            let mut letters = part.chars();
            name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
            name.push_str(letters.as_str());
        }
        // As it is written, if that is how names of cmdlets are written.
        let written = call.written.split('-').all(|part| part.starts_with(|letter: char| letter.is_ascii_uppercase()));
        let name = if written { call.written.clone() } else { name };
        let words = ShellCall {
            name: name.as_str().into(),
            program: Arg::text(name, self.span),
            args: call.given.iter().flat_map(|word| word.args(self.span)).collect(),
            variables: Vec::new(),
            stdin: Feed::none(),
            span: self.span,
        };
        families::unknown::judge(self.shell, &words);
    }

    pub(super) fn tell_system(&mut self, call: &Call, bound: &Bound) {
        let what = bound.shown(&["name", "path"], 0);
        own::steered_by_code(self.shell, &what, self.span);
        self.shell.tell(&rules::CODE_SYSTEM, format!("{} {what}", call.written).trim_end().to_owned(), self.span);
    }

    /// The blocks among the words run.
    pub(super) fn run_blocks(&mut self, call: &Call, bound: &Bound) {
        let named = bound.named.iter().filter_map(|(_, value)| value.clone());
        for thing in named.chain(bound.free.iter().cloned()).collect::<Vec<_>>() {
            if let Thing::Block(body, _) = thing {
                self.run_block(&body, Vec::new(), call.input.clone());
            }
        }
    }

    /// What flows in flows on; a path that is given flows on in its place.
    fn through(&mut self, call: &Call, bound: &Bound) -> Thing {
        self.run_blocks(call, bound);
        if !call.input.is_nothing() {
            return match bound.get(&["expandproperty"]).and_then(Thing::known) {
                Some(name) if !is_entry(&name) => Thing::unknown("$_", call.input.origins()),
                _ => call.input.clone(),
            };
        }
        bound.at(&["path", "literalpath", "inputobject"], 0).cloned().unwrap_or_else(Thing::nothing)
    }

    /// Something else is made from what flows in.
    fn changed(&mut self, call: &Call, bound: &Bound) -> Thing {
        self.run_blocks(call, bound);
        let mut origins = call.input.origins();
        for thing in &bound.free {
            origins.extend(thing.origins());
        }
        if call.name == "select-string" {
            for path in bound
                .get(&["path", "literalpath"])
                .or(bound.free.get(1))
                .map(|thing| thing.paths(self.span))
                .unwrap_or_default()
            {
                let read = self.shell.read(&path);
                origins.extend(read.into_flow().origins);
            }
        }
        let only = matches!(call.name.as_str(), "convertto-json" | "convertfrom-json");
        match call.input.known() {
            Some(_) if origins.is_empty() && only => call.input.clone(),
            _ => Thing::unknown("$(…)", origins),
        }
    }

    /// A program runs.
    pub(super) fn program(&mut self, call: &Call) -> Thing {
        let named = program(&Thing::text(call.written.as_str()), self.span);
        let mut argv = vec![self.here(named)];
        argv.extend(call.given.iter().flat_map(|word| word.args(self.span)));
        Thing::of_feed(self.shell.run(&argv, call.input.feed(), self.span))
    }

    /// A program that the script itself has written is run from where it lies, without a path as well.
    pub(super) fn here(&self, named: Arg) -> Arg {
        let Some(text) = named.known() else { return named };
        if text.contains('/') {
            return named;
        }
        for ending in ["", ".exe", ".bat", ".cmd", ".ps1"] {
            let local = Value::text(format!("./{text}{ending}"));
            if self.shell.written(&self.shell.place(&local).path).is_some() {
                return Arg { value: local, span: named.span };
            }
        }
        named
    }

    /// `Set-Content`, `Out-File`, `New-Item` and their like.
    fn write(&mut self, name: &str, call: &Call, bound: &Bound, dry: bool) -> Thing {
        let how = match name {
            "add-content" => Write::Append,
            "new-item" => Write::New,
            "clear-content" => Write::Empty,
            _ if bound.has("append") => Write::Append,
            _ => Write::Replace,
        };
        let path = bound.at(&["path", "literalpath", "filepath"], 0).cloned().unwrap_or_else(Thing::nothing);
        let position = usize::from(bound.get(&["path", "literalpath", "filepath"]).is_none());
        let given = bound.at(&["value", "inputobject"], position).cloned();
        let content = given.unwrap_or_else(|| call.input.clone());
        if dry {
            return Thing::nothing();
        }
        let shown = path.value().shown().to_ascii_lowercase();
        if is_drive_of_settings(&shown) {
            self.tell_system(call, bound);
            return Thing::nothing();
        }
        if name == "new-item" {
            let kind = bound.shown(&["itemtype", "type"], 9).to_ascii_lowercase();
            let target = bound.get(&["value", "target"]).cloned();
            let named = bound.get(&["name"]).cloned();
            let path = match (named, path.is_nothing()) {
                (Some(name), true) => name,
                (Some(name), false) => path.joined(&Thing::text("/")).joined(&name),
                (None, _) => path,
            };
            match (kind.as_str(), target) {
                ("symboliclink" | "junction" | "hardlink", Some(target)) => {
                    for (link, target) in path.paths(self.span).into_iter().zip(target.paths(self.span)) {
                        let words = [Arg::text("ln", self.span), Arg::text("-s", self.span), target, link];
                        self.shell.run(&words, Feed::none(), self.span);
                    }
                }
                ("directory", _) => self.put(&path, Write::New, &Thing::nothing()),
                (_, Some(content)) => {
                    let how = if bound.has("force") { Write::Replace } else { Write::New };
                    self.put(&path, how, &content);
                }
                _ => self.put(&path, Write::New, &Thing::nothing()),
            }
            return Thing::nothing();
        }
        self.put(&path, how, &content);
        if name == "tee-object" { call.input.clone() } else { Thing::nothing() }
    }

    /// The registry and other settings.
    fn set_property(&mut self, call: &Call, bound: &Bound) {
        let path = bound.shown(&["path", "literalpath"], 0).to_ascii_lowercase();
        if path.starts_with("env:") || path.starts_with("variable:") || path.starts_with("function:") {
            return;
        }
        let value = bound.get(&["value"]).or(bound.free.last()).map(|thing| thing.value().shown().into_owned());
        let on_disk = !is_drive_of_settings(&path);
        if on_disk {
            return;
        }
        windows::set_key(self.shell, &call.written, &path, value.as_deref().unwrap_or_default(), self.span);
        self.tell_system(call, bound);
    }

    /// `Invoke-Command`: here, or on another machine.
    fn elsewhere(&mut self, call: &Call, bound: &Bound) -> Thing {
        let away = call.name == "enter-pssession"
            || call.name == "new-pssession"
            || bound.has("computername")
            || bound.has("hostname")
            || bound.has("session")
            || bound.has("cn");
        if away {
            let place = bound.shown(&["computername", "hostname", "session", "cn"], 0);
            self.shell.tell(&rules::CODE_REMOTE, format!("{} {place}", call.written).trim_end().to_owned(), self.span);
            if call.name == "invoke-command" {
                let blocks: Vec<Thing> = bound.all(&["scriptblock"]);
                let code: Vec<String> = blocks
                    .iter()
                    .filter_map(|thing| match thing {
                        Thing::Block(_, source) => Some(source.to_string()),
                        _ => None,
                    })
                    .collect();
                let (span, place) = (self.span, place);
                for code in code {
                    self.shell.elsewhere(crate::shell::Locus::Remote(place.clone()), |shell| {
                        shell.run_code(crate::shell::Language::PowerShell, &Arg::text(code, span), Feed::none())
                    });
                }
            }
            return Thing::unknown("$(…)", Vec::new());
        }
        let mut out = Thing::nothing();
        let args: Vec<Thing> = bound.get(&["argumentlist"]).map(Thing::items).unwrap_or_default();
        for thing in bound.all(&["scriptblock"]) {
            if let Thing::Block(body, _) = thing {
                let printed = self.run_block(&body, args.clone(), call.input.clone());
                out = out.and(printed);
            } else if thing.origins().iter().any(|origin| matches!(origin, Origin::Download { .. })) {
                self.shell.opaque(Unread::ScriptBlock, self.span);
            }
        }
        out
    }
}

/// Whether a property is another name of an entry itself.
fn is_entry(name: &str) -> bool {
    matches!(name.to_ascii_lowercase().as_str(), "fullname" | "name" | "path" | "content" | "line" | "value" | "pspath")
}

/// The switches of a cmdlet besides the usual ones.
fn switches(name: &str) -> &'static [&'static str] {
    match name {
        "get-childitem" => &["file", "directory", "name", "ad", "af", "hidden", "attributes"],
        "get-content" | "compress-archive" | "expand-archive" => &["update"],
        "select-string" => &["quiet", "context"],
        "get-command" => &["syntax"],
        _ => &[],
    }
}

/// Whether a cmdlet only looks at something or makes another value of it.
fn is_pure(name: &str) -> bool {
    let verb = name.split_once('-').map_or("", |(verb, _)| verb);
    matches!(
        verb,
        "get"
            | "test"
            | "measure"
            | "compare"
            | "convertto"
            | "convertfrom"
            | "format"
            | "show"
            | "find"
            | "wait"
            | "read"
            | "trace"
            | "debug"
            | "assert"
            | "should"
    ) || matches!(
        name,
        "out-null"
            | "out-default"
            | "out-gridview"
            | "clear-host"
            | "start-sleep"
            | "set-strictmode"
            | "pop-location"
            | "write-progress"
            | "receive-job"
            | "remove-job"
            | "remove-variable"
            | "clear-variable"
            | "remove-module"
            | "set-psdebug"
            | "start-transcript"
            | "stop-transcript"
            | "new-timespan"
            | "set-psreadlineoption"
            | "new-temporaryfile"
            | "join-string"
            | "split-string"
            | "invoke-pester"
            | "invoke-build"
            | "invoke-scriptanalyzer"
            | "invoke-psake"
            | "invoke-history"
            | "new-psdrive"
            | "update-typedata"
            | "add-member"
            | "set-psrepository"
            | "update-help"
            | "import-powershelldatafile"
            | "stop-job"
            | "new-modulemanifest"
            | "remove-alias"
            | "remove-psdrive"
            | "remove-event"
            | "clear-history"
            | "unblock-file"
    )
}

/// Whether `curl` and `wget` are written as the programs of that name are.
fn is_of_another_system(call: &Call) -> bool {
    call.written.to_ascii_lowercase().ends_with(".exe")
        || call.given.iter().any(|word| match word {
            super::call::Given::Name(raw, _) => {
                let lower = raw.to_ascii_lowercase();
                let own = [
                    "-uri",
                    "-outfile",
                    "-method",
                    "-body",
                    "-infile",
                    "-usebasicparsing",
                    "-headers",
                    "-contenttype",
                    "-timeoutsec",
                    "-useb",
                ];
                !own.contains(&lower.as_str())
            }
            super::call::Given::Value(thing) => thing.known().is_some_and(|text| text.starts_with("--")),
        })
}
