//! PowerShell: pipelines of cmdlets, with the aliases that people use.

use signoff_model::{Dialect, Span, Unread};

use super::{decoding, network, rules, thing};

use crate::{
    path_effects::{Depth, Write},
    shell::{Language, Shell, rules as shell_rules},
    value::{Arg, Feed, INFLOW, Origin, Piece, Value},
};

mod cmdlet;
mod words;

use cmdlet::{Cmdlet, changes_system, is_cmdlet};
use words::{Word, statements};

const MAX_DEPTH: usize = 16;
const MAX_COMMANDS: usize = 1024;

/// Reads a script.
pub(super) fn run(shell: &mut Shell<'_>, text: &str, span: Span, stdin: &Feed) -> Feed {
    let compact: String = text.to_ascii_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    let endless = ["while($true)", "while(1)", "for(;;)"].iter().any(|head| compact.contains(head));
    let starts = ["start-process", "start-job", "saps"].iter().any(|name| compact.contains(name));
    if endless && starts && !compact.contains("start-sleep") && !compact.contains("wait") {
        shell.tell(&rules::CODE_FORK_BOMB, "Start-Process", span);
    }
    if obeys_another(text) {
        shell.tell(&rules::REVERSE_SHELL, "another machine", span);
    }
    let mut reader = Pipelines { shell, span, variables: Vec::new(), commands: 0 };
    reader.script(text, stdin, 0)
}

/// Whether a script opens a connection and runs what it is told: what the words between them pass on is not followed,
/// since such a script is hardly ever written for anything else.
fn obeys_another(text: &str) -> bool {
    const CONNECTIONS: &[&str] = &["sockets.tcpclient", "sockets.tcplistener", "sockets.socket", "clientwebsocket"];
    const RUNNERS: &[&str] =
        &["iex", "invoke-expression", "invokescript", "scriptblock", "diagnostics.process", "cmd", "cmd.exe"];
    let lower = text.to_ascii_lowercase();
    let word = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '.');
    CONNECTIONS.iter().any(|name| lower.contains(name))
        && (lower.split(|letter| !word(letter)).any(|part| RUNNERS.contains(&part))
            || lower.contains("diagnostics.process"))
}

struct Pipelines<'s, 'a> {
    shell: &'s mut Shell<'a>,
    span: Span,
    variables: Vec<(String, Value)>,
    commands: usize,
}

impl Pipelines<'_, '_> {
    /// Reads statements and gives back what the last one puts out.
    fn script(&mut self, text: &str, stdin: &Feed, depth: usize) -> Feed {
        if depth > MAX_DEPTH {
            self.shell.opaque(Unread::DeepCode("PowerShell".to_owned()), self.span);
            return Feed::none();
        }
        let mut out = Feed::none();
        for statement in statements(text) {
            let mut feed = stdin.clone();
            let pipeline: Vec<Vec<Word>> = statement.into_iter().map(|command| self.words(&command)).collect();
            for command in pipeline {
                self.commands += 1;
                if self.commands > MAX_COMMANDS {
                    self.shell.opaque(Unread::LongCode("PowerShell".to_owned()), self.span);
                    return Feed::none();
                }
                feed = self.command(&command, feed, depth);
            }
            out = feed;
        }
        out
    }

    fn command(&mut self, words: &[Word], stdin: Feed, depth: usize) -> Feed {
        // `$x = …`.
        if let [Word::Text(name, false), Word::Text(sign, false), rest @ ..] = words
            && let Some(variable) = name.prefix().strip_prefix('$').or_else(|| shown_variable(name))
            && matches!(sign.known(), Some("=" | "+="))
        {
            let variable = variable.to_ascii_lowercase();
            let value = match rest {
                [Word::Text(value, _)] => value.clone(),
                rest => self.command(rest, stdin, depth).into_value("$(…)"),
            };
            self.variables.push((variable, value));
            return Feed::none();
        }
        let mut inner = Vec::new();
        for word in words {
            if let Word::Group(code) | Word::Block(code) = word {
                let feed = self.script(code, &stdin, depth + 1);
                if matches!(word, Word::Group(_)) {
                    inner.push(feed);
                }
            }
        }
        let groups = inner.iter().fold(Feed::none(), |all, feed| all.then(feed.clone()));
        let Some((first, rest)) = words.split_first() else { return stdin };
        // `& name …`, `. name …` run what they name.
        if let Word::Text(mark, false) = first
            && matches!(mark.known(), Some("&" | "."))
        {
            return self.command(rest, stdin, depth);
        }
        let Word::Text(name, _) = first else {
            let feed = if groups.is_none() { stdin } else { groups };
            return self.methods(words, feed);
        };
        let Some(known) = name.known() else {
            if matches!(words, [_]) {
                return Feed::of(name.clone());
            }
            return self.methods(words, Feed::of(name.clone()));
        };
        if known.starts_with('[') || known.starts_with('$') || known.starts_with("New-Object") && known.contains('.') {
            return self.methods(words, groups);
        }
        let call = Cmdlet { name: known.to_ascii_lowercase(), words: rest, stdin, groups, span: self.span };
        self.cmdlet(known, &call)
    }

    fn cmdlet(&mut self, written: &str, call: &Cmdlet<'_>) -> Feed {
        let name = call.name.trim_end_matches(".exe");
        let dry = call.has("whatif");
        match name {
            "remove-item" | "rm" | "del" | "ri" | "rd" | "erase" | "rmdir" | "remove-itemproperty" if !dry => {
                let depth = if ["recurse", "r", "rec", "rf", "fr"].iter().any(|name| call.has(name)) {
                    Depth::Recursive
                } else {
                    Depth::Single
                };
                let paths = call.operands(&["path", "literalpath"]);
                if paths.is_empty() {
                    let listed = call.stdin.origins.iter().find_map(|origin| match origin {
                        Origin::Listing { under, .. } => Some(under.clone()),
                        _ => None,
                    });
                    let value = match listed {
                        Some(under) => thing::pattern(&Value::text(if under.is_empty() {
                            "*".to_owned()
                        } else {
                            format!("{}/*", under.trim_end_matches(['/', '\\']))
                        })),
                        None => Value::unknown(INFLOW, call.stdin.origins.clone()),
                    };
                    self.shell.delete(&Arg { value, span: self.span }, depth);
                }
                for path in paths {
                    self.shell.delete(&path, depth);
                }
                Feed::none()
            }
            "get-childitem" | "gci" | "ls" | "dir" => {
                let under = call.operands(&["path"]).first().map(|arg| arg.shown().into_owned()).unwrap_or_default();
                Feed::from(Origin::Listing { by: "Get-ChildItem".to_owned(), under })
            }
            "where-object" | "where" | "?" | "select-object" | "select" | "sort-object" | "sort" | "foreach-object"
            | "%" | "foreach" | "format-table" | "ft" | "format-list" | "fl" | "out-string" | "measure-object"
            | "select-string" | "convertfrom-json" | "convertto-json" => call.stdin.clone(),
            "set-content" | "sc" | "out-file" | "tee-object" | "export-csv" | "export-clixml" | "add-content"
            | "ac" | "new-item" | "ni" | "clear-content" | "clc"
                if !dry =>
            {
                let how = match name {
                    "add-content" | "ac" => Write::Append,
                    "new-item" | "ni" => Write::New,
                    "clear-content" | "clc" => Write::Empty,
                    _ if call.has("append") => Write::Append,
                    _ => Write::Replace,
                };
                if let Some(path) = call.operands(&["path", "literalpath", "filepath"]).first() {
                    self.shell.write(path, how);
                }
                Feed::none()
            }
            "move-item" | "mv" | "mi" | "move" | "rename-item" | "ren" | "rni" if !dry => {
                if let [from, to] = call.operands(&["path", "destination", "newname"]).as_slice() {
                    self.shell.relocate(from, to, Write::Replace);
                }
                Feed::none()
            }
            "copy-item" | "cp" | "copy" | "cpi" if !dry => {
                if let [_, to] = call.operands(&["path", "destination"]).as_slice() {
                    self.shell.write(to, Write::Append);
                }
                Feed::none()
            }
            "get-content" | "gc" | "cat" | "type" => match call.operands(&["path", "literalpath"]).first() {
                Some(path) => self.shell.read(path),
                None => call.stdin.clone(),
            },
            "invoke-expression" | "iex" => self.evaluate(call),
            "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" | "curl" | "wget" | "start-bitstransfer" => {
                self.request(call)
            }
            "start-process" | "saps" | "start" => {
                let mut argv = call.operands(&["filepath"]);
                if let Some(list) = call.value("argumentlist") {
                    argv.extend(
                        list.value
                            .shown()
                            .split([' ', ','])
                            .filter(|word| !word.is_empty())
                            .map(|word| Arg::text(word, self.span)),
                    );
                }
                if call.value("verb").is_some_and(|verb| verb.shown().eq_ignore_ascii_case("runas")) {
                    self.shell.tell(&rules::CODE_SYSTEM, "RunAs", self.span);
                }
                self.shell.run(&argv, Feed::none(), self.span)
            }
            "invoke-command" | "icm" | "enter-pssession"
                if call.has("computername") || call.has("hostname") || name == "enter-pssession" =>
            {
                self.shell.tell(&rules::CODE_REMOTE, written, self.span);
                Feed::none()
            }
            "format-volume" | "clear-disk" | "initialize-disk" | "remove-partition" | "remove-volume"
            | "reset-physicaldisk"
                if !dry =>
            {
                self.shell.tell(&rules::CODE_WIPE, written, self.span);
                Feed::none()
            }
            "stop-process" | "kill" | "spps" if !dry => {
                self.shell.tell(&rules::CODE_PROCESS, call.shown(written), self.span);
                Feed::none()
            }
            "set-location" | "cd" | "sl" | "push-location" => {
                if let Some(path) = call.operands(&["path"]).first() {
                    self.shell.run(&[Arg::text("cd", self.span), path.clone()], Feed::none(), self.span);
                }
                Feed::none()
            }
            "write-output" | "echo" | "write-host" | "write" => {
                let texts: Vec<Value> = call.operands(&[]).into_iter().map(|arg| arg.value).collect();
                let mut all = Value::default();
                for (index, value) in texts.into_iter().enumerate() {
                    if index > 0 {
                        all.push(Piece::text(" "));
                    }
                    all.extend(value);
                }
                Feed::of(all).then(call.groups.clone())
            }
            "powershell" | "pwsh" => {
                let mut argv = vec![Arg::text("pwsh", self.span)];
                argv.extend(call.all());
                self.shell.run(&argv, call.stdin.clone(), self.span)
            }
            "cmd" => {
                let text: Vec<String> = call.all().iter().skip(1).map(|arg| arg.shown().into_owned()).collect();
                self.shell.run(
                    &[Arg::text("cmd", self.span), Arg::text("/c", self.span), Arg::text(text.join(" "), self.span)],
                    Feed::none(),
                    self.span,
                )
            }
            name if changes_system(name) && !dry => {
                self.shell.tell(&rules::CODE_SYSTEM, call.shown(written), self.span);
                Feed::none()
            }
            name if is_cmdlet(name) => Feed::from(Origin::Program(written.to_owned())).then(call.groups.clone()),
            _ => {
                let mut argv = vec![Arg::text(written, self.span)];
                argv.extend(call.all());
                self.shell.run(&argv, call.stdin.clone(), self.span)
            }
        }
    }

    /// `iex "…"`, `… | iex`, `iex (iwr …)`.
    fn evaluate(&mut self, call: &Cmdlet<'_>) -> Feed {
        let operand = call.operands(&["command"]).into_iter().next();
        match operand {
            Some(code) => self.shell.run_code(Language::PowerShell, &code, Feed::none()),
            None => {
                let feed = if call.groups.is_none() { call.stdin.clone() } else { call.groups.clone() };
                if feed.is_none() {
                    self.shell.opaque(Unread::Part("Invoke-Expression".to_owned()), self.span);
                    return Feed::none();
                }
                self.shell.run_feed(Language::PowerShell, feed, self.span)
            }
        }
    }

    fn request(&mut self, call: &Cmdlet<'_>) -> Feed {
        let url = call.operands(&["uri", "source"]).first().map(|arg| arg.value.clone()).unwrap_or_default();
        let method = call.value("method").map(|arg| arg.shown().to_ascii_uppercase());
        let sends = matches!(method.as_deref(), Some("POST" | "PUT" | "DELETE" | "PATCH"))
            || call.has("body")
            || call.has("infile");
        if sends && !network::is_local(&url.shown()) {
            let file = call.value("infile").map(|file| self.shell.read(&cmdlet::with_slashes(&file)));
            let body = call
                .value("body")
                .map(|arg| Feed::of(arg.value))
                .unwrap_or_default()
                .then(call.groups.clone())
                .then(file.unwrap_or_default());
            self.shell.send(&url.shown(), std::iter::once(&url), &body, self.span);
        }
        if let Some(file) = call.value("outfile") {
            self.shell.write(&file, Write::Replace);
        }
        let shown = url.shown().into_owned();
        let encrypted = !shown.starts_with("http://");
        Feed::from(Origin::Download { url: shown, encrypted })
    }

    /// Methods of .NET, which are written like calls.
    fn methods(&mut self, words: &[Word], feed: Feed) -> Feed {
        let mut all = String::new();
        for word in words {
            match word {
                Word::Text(value, false) => all.push_str(&value.shown()),
                Word::Text(value, true) => all.push_str(&format!("'{}'", value.shown())),
                Word::Group(code) => all.push_str(&format!("({code})")),
                Word::Block(_) => {}
            }
        }
        let lower = all.to_ascii_lowercase();
        let argument = || {
            let inner = all.split_once('(').map_or("", |(_, rest)| rest).trim_end_matches(')');
            let text = inner.split(',').next().unwrap_or_default().trim();
            let quoted = text.starts_with(['\'', '"']);
            let value =
                if quoted { Value::text(text.trim_matches(['\'', '"'])) } else { Value::unknown(text, Vec::new()) };
            Arg { value, span: self.span }
        };
        if lower.contains("io.file]::delete") || lower.contains("io.directory]::delete") {
            let depth = if lower.contains("directory]") { Depth::Recursive } else { Depth::Single };
            let arg = argument();
            self.shell.delete(&arg, depth);
        } else if lower.contains("io.file]::writeall") {
            let arg = argument();
            self.shell.write(&arg, Write::Replace);
        } else if lower.contains("downloadstring") || lower.contains("downloaddata") || lower.contains("getstringasync")
        {
            let start = lower.find("http").unwrap_or(0);
            let url: String = all
                .get(start..)
                .unwrap_or_default()
                .chars()
                .take_while(|letter| !matches!(letter, '\'' | '"' | ')' | ' '))
                .collect();
            let encrypted = !url.starts_with("http://");
            return Feed::from(Origin::Download { url, encrypted });
        } else if ["uploadfile", "uploadstring", "uploaddata"].iter().any(|way| lower.contains(way)) {
            let carried = all.split(['\'', '"']).filter(|part| part.contains('/') || part.contains('\\'));
            let mut feed = Feed::none();
            for part in carried.filter(|part| !part.contains("://")) {
                let value = self.filled(part);
                feed = feed.then(self.shell.read(&cmdlet::with_slashes(&Arg { value, span: self.span })));
            }
            self.shell.send("another machine", std::iter::empty(), &feed, self.span);
        } else if lower.contains("frombase64string") {
            let arg = argument();
            return match arg.known().and_then(decoding::base64) {
                Some(text) => Feed::of(Value::text(text)),
                None => Feed::from(Origin::Decoded),
            };
        } else if lower.contains("diagnostics.process]::start") {
            let arg = argument();
            self.shell.subshell(|shell| shell.run_text(&arg, Dialect::Sh, Feed::none()));
        } else if lower.contains("scriptblock]::create") || lower.contains(".invokescript") {
            self.shell.tell_unread(&shell_rules::OPAQUE, Unread::ScriptBlock, self.span);
        }
        feed
    }
}

fn shown_variable(value: &Value) -> Option<&str> {
    match value.pieces() {
        [Piece::Unknown(unknown)] => unknown.shown.strip_prefix('$'),
        _ => None,
    }
}
