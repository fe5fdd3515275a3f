//! Web clients: `curl`, `wget`, HTTPie and their like.

use signoff_model::{Dialect, EffectKind, Scope, Target};

use super::{
    CHANGE_REQUEST, OPTION_FILE, carries_secret, is_encrypted, read_to_send,
    request::Request,
    secret_in, tell_secret,
    web_options::{CURL, WGET},
    web_variables,
};
use crate::{
    path_effects::Write,
    shell::{
        Call, Judge, Shell, Written,
        families::{databases, own},
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Origin, Value},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "curl" | "curlie" | "wcurl" => curl,
        "wget" | "wget2" => wget,
        "http" | "https" | "xh" | "xhs" | "ht" => httpie,
        "aria2c" | "axel" | "lftpget" | "fetch" | "lwp-download" => download,
        _ => return None,
    })
}

fn curl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.asks_for_help() || call.args.first().is_some_and(|arg| arg.is("-h") || arg.is("-M") || arg.is("--manual")) {
        return call.output();
    }
    let args = web_variables::expanded(shell, call);
    let options = Options::read(&args, &CURL);
    let mut request =
        Request { urls: options.operands.iter().map(|arg| (*arg).clone()).collect(), ..Request::default() };
    let as_query = options.has(&["G", "get"]);
    let mut outputs: Vec<Arg> = Vec::new();
    let mut remote_names = call.name == "wcurl";
    for given in &options.given {
        let Some(value) = given.value.clone() else {
            match given.name.as_str() {
                "O" | "remote-name" | "remote-name-all" | "J" => remote_names = true,
                "k" | "insecure" => request.insecure = true,
                "I" | "head" => request.method = request.method.or(Some("HEAD".to_owned())),
                _ => {}
            }
            continue;
        };
        match given.name.as_str() {
            "url" => request.urls.push(value.clone()),
            "X" | "request" => request.method = Some(value.shown().to_ascii_uppercase()),
            "d" | "data" | "data-ascii" | "data-binary" | "json" => send_data(shell, call, &mut request, &value),
            "url-query" if value.value.prefix().starts_with('+') => request.texts.push(value.clone()),
            "data-urlencode" | "url-query" => send_encoded(shell, call, &mut request, &value),
            "data-raw" | "form-string" => request.texts.push(value.clone()),
            "F" | "form" => send_form(shell, call, &mut request, &value),
            "T" | "upload-file" => {
                let feed = file_or_stdin(shell, call, &value);
                request.files.push(feed);
                request.method = request.method.or(Some("PUT".to_owned()));
            }
            "Q" | "quote" | "mail-rcpt" => {
                request.method = Some(value.shown().into_owned());
            }
            "K" | "config" => shell.tell(&OPTION_FILE, value.shown().into_owned(), value.span),
            "o" | "output" => outputs.push(value.clone()),
            "D" | "dump-header" | "c" | "cookie-jar" | "trace" | "trace-ascii" | "stderr" | "etag-save" | "libcurl"
            | "hsts" | "alt-svc"
                if !value.is("-") =>
            {
                shell.write(&value, Write::Replace);
            }
            "u" | "user" | "oauth2-bearer" | "proxy-user" | "U" | "b" | "cookie" | "pass" | "tlspassword" => {
                request.credentials.push(value.clone())
            }
            "H" | "header" | "proxy-header" => header(shell, call, &mut request, &value),
            "A" | "user-agent" | "e" | "referer" => {
                if let Some(secret) = secret_in(&value.value) {
                    tell_secret(shell, &secret, &request.target(), value.span);
                }
            }
            "unix-socket" | "abstract-unix-socket" => socket(shell, &value, call, &options),
            _ => {}
        }
        let sends = matches!(
            given.name.as_str(),
            "X" | "request" | "T" | "upload-file" | "F" | "form" | "form-string" | "json" | "d"
        ) || given.name.starts_with("data");
        if sends && request.sending.is_none() {
            request.sending = Some(Arg { value: value.value, span: given.arg.span.to(value.span) });
        }
    }
    // These protocols hand what stands in the address, or flows in, to whoever listens there.
    let speaks = |url: &Arg| {
        let address = url.value.prefix().to_ascii_lowercase();
        let says = |scheme: &str| {
            address.strip_prefix(scheme).and_then(|rest| rest.split_once('/')).is_some_and(|(_, said)| said.len() > 1)
        };
        says("gopher://") || says("dict://") || address.starts_with("telnet://") && call.stdin.text.is_some()
    };
    if request.method.is_none() && request.urls.iter().any(speaks) {
        request.method = Some("POST".to_owned());
        // A gopher's address has one letter before what is said.
        let paths = request.urls.iter().filter_map(|url| url.value.prefix().rsplit('/').next().map(str::to_owned));
        let said: Vec<String> = paths.map(|said| said.trim_start_matches(['_', '1']).replace(':', " ")).collect();
        for text in said.iter().map(String::as_str).chain(call.stdin.known()) {
            databases::over_connection(shell, text, call.span);
        }
    }
    if as_query {
        // The data becomes a part of the address: a fetch like any other, unless a secret or a file is in it.
        let texts = std::mem::take(&mut request.texts);
        request.urls.extend(texts.into_iter().filter(|text| secret_in(&text.value).is_some()));
    } else if options.has(&["json"]) && request.method.is_none() {
        request.method = Some("POST".to_owned());
    }
    local_files(shell, &request);
    request.judge(shell, call);
    let content = if request.method.as_deref() == Some("HEAD") { call.output() } else { request.download() };
    store(shell, call, &request, &options, &outputs, remote_names, content)
}

/// What a `file://` address gives is read from this machine.
fn local_files(shell: &mut Shell<'_>, request: &Request) {
    for url in &request.urls {
        if let Some(path) = local_path(&url.value) {
            shell.read(&Arg { value: path, span: url.span });
        }
    }
}

/// The path in a `file:` address, with or without the name of this machine.
fn local_path(url: &Value) -> Option<Value> {
    let prefix = url.prefix();
    let scheme = prefix.get(.."file:".len())?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let rest = prefix.get("file:".len()..)?;
    let start = match rest.strip_prefix("//") {
        Some(authority) => "file://".len() + authority.find('/').unwrap_or_default(),
        None => "file:".len(),
    };
    Some(strip(url, start))
}

/// Says what is written where, remembers downloads by their file, and returns what flows out.
fn store(
    shell: &mut Shell<'_>,
    call: &Call,
    request: &Request,
    options: &Options<'_>,
    outputs: &[Arg],
    remote_names: bool,
    content: Feed,
) -> Feed {
    let secret = request.urls.iter().find_map(|url| local_path(&url.value)).map(|path| shell.place(&path));
    let content = match secret {
        Some(place) if place.nature == crate::place::Nature::Secret => Feed::from(Origin::Secret(place.shown.clone())),
        Some(place) => Feed::from(Origin::File(place.shown.clone())),
        None => content,
    };
    let mut flows = outputs.is_empty() && !remote_names;
    let directory = options.value(&["output-dir"]);
    for output in outputs {
        if output.is("-") || output.is("/dev/stdout") {
            flows = true;
            continue;
        }
        let target = beneath(directory, output);
        shell.write(&target, Write::Replace);
        shell.remember_written(&target, Written::Content(content.clone()));
    }
    if remote_names {
        for url in &request.urls {
            let target = beneath(directory, &Arg { value: base_name(&url.value), span: url.span });
            shell.write(&target, Write::New);
            shell.replaces(&target);
            shell.remember_written(&target, Written::Content(content.clone()));
        }
    }
    // What stands there may stay, or be the beginning of what is there then.
    if options.has(&["z", "time-cond", "C", "continue-at", "no-clobber", "skip-existing"]) {
        shell.forget_presence();
    }
    if flows { content } else { call.output() }
}

fn beneath(directory: Option<&Arg>, file: &Arg) -> Arg {
    match directory {
        None => file.clone(),
        Some(directory) => {
            let mut value = directory.value.clone();
            value.extend(Value::text("/"));
            value.extend(file.value.clone());
            Arg { value, span: file.span }
        }
    }
}

/// The last part of a URL, as a file name.
fn base_name(url: &Value) -> Value {
    match url.known() {
        Some(text) => {
            let path = text.split(['?', '#']).next().unwrap_or(text).trim_end_matches('/');
            let name = path.rsplit('/').next().unwrap_or_default();
            Value::text(if name.is_empty() { "index.html" } else { name })
        }
        None => url.clone(),
    }
}

fn file_or_stdin(shell: &mut Shell<'_>, call: &Call, file: &Arg) -> Feed {
    if file.is("-") || file.is(".") || file.is("/dev/stdin") {
        return call.stdin.clone();
    }
    read_to_send(shell, file)
}

fn send_data(shell: &mut Shell<'_>, call: &Call, request: &mut Request, value: &Arg) {
    if value.value.prefix().starts_with('@') {
        let file = Arg { value: strip(&value.value, 1), span: value.span };
        send_file(shell, call, request, &file);
    } else {
        request.texts.push(value.clone());
    }
}

/// A file becomes the body of a request. What flows in and is known is as good as a text.
fn send_file(shell: &mut Shell<'_>, call: &Call, request: &mut Request, file: &Arg) {
    let feed = file_or_stdin(shell, call, file);
    match &feed.text {
        Some(text) if feed.secret().is_none() => request.texts.push(Arg { value: text.clone(), span: file.span }),
        _ => request.files.push(feed),
    }
}

fn send_encoded(shell: &mut Shell<'_>, call: &Call, request: &mut Request, value: &Arg) {
    let prefix = value.value.prefix();
    match (prefix.find('@'), prefix.find('=')) {
        (Some(at), equals) if equals.is_none_or(|equals| at < equals) => {
            let file = Arg { value: strip(&value.value, at + 1), span: value.span };
            send_file(shell, call, request, &file);
        }
        _ => request.texts.push(value.clone()),
    }
}

fn send_form(shell: &mut Shell<'_>, call: &Call, request: &mut Request, value: &Arg) {
    let prefix = value.value.prefix();
    let at = ["=@", "=<"].iter().filter_map(|mark| prefix.find(mark)).min();
    match at {
        Some(at) => {
            let path = strip(&value.value, at + 2);
            let plain = match path.known().and_then(|text| text.split_once(';')) {
                Some((file, _)) => Value::text(file),
                None => path,
            };
            let feed = file_or_stdin(shell, call, &Arg { value: plain, span: value.span });
            request.files.push(feed);
        }
        None => request.texts.push(value.clone()),
    }
}

/// A header that says who asks may hold a secret; any other one would carry it away.
fn header(shell: &mut Shell<'_>, call: &Call, request: &mut Request, value: &Arg) {
    let prefix = value.value.prefix();
    if prefix.starts_with('@') {
        let file = Arg { value: strip(&value.value, 1), span: value.span };
        let feed = file_or_stdin(shell, call, &file);
        if let Some(secret) = feed.secret() {
            let secret = secret.to_owned();
            tell_secret(shell, &secret, &request.target(), value.span);
        }
        return;
    }
    let name = prefix.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let says_who = ["auth", "token", "key", "cookie", "secret", "credential", "session", "signature"]
        .iter()
        .any(|word| name.contains(word));
    if says_who {
        request.credentials.push(value.clone());
    } else if let Some(secret) = value.value.secret() {
        let secret = secret.to_owned();
        tell_secret(shell, &secret, &request.target(), value.span);
    }
}

/// A socket file stands for the program behind it.
fn socket(shell: &mut Shell<'_>, path: &Arg, call: &Call, options: &Options<'_>) {
    let name = path.shown().into_owned();
    if own::is_own_socket(&name) {
        shell.tell(&own::OWN_STATE, name, path.span);
        return;
    }
    let changes = options.has(&["d", "data", "json", "data-raw", "data-binary", "T", "F", "form"])
        || options.value(&["X", "request"]).is_some_and(|method| !method.is("GET") && !method.is("HEAD"));
    if changes {
        shell.tell(&CHANGE_REQUEST, name, path.span.to(call.span));
    }
}

fn wget(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help() {
        return out;
    }
    let mut args = call.args.clone();
    // `-nc`, `-nv`, `-nd`, `-np`, `-nH` are two letters for one option.
    args.retain(|arg| {
        !arg.known()
            .is_some_and(|text| text.len() == 3 && text.starts_with("-n") && text.ends_with(['c', 'v', 'd', 'p', 'H']))
    });
    let options = Options::read(&args, &WGET);
    let mut request =
        Request { urls: options.operands.iter().map(|arg| (*arg).clone()).collect(), ..Request::default() };
    request.insecure = options.has(&["no-check-certificate"]);
    for given in &options.given {
        let Some(value) = given.value.clone() else { continue };
        match given.name.as_str() {
            "post-data" | "body-data" => {
                request.method = request.method.or(Some("POST".to_owned()));
                request.sending.get_or_insert_with(|| value.clone());
                request.texts.push(value);
            }
            "post-file" | "body-file" => {
                let feed = file_or_stdin(shell, call, &value);
                request.sending.get_or_insert_with(|| value.clone());
                request.files.push(feed);
            }
            "method" => request.method = Some(value.shown().to_ascii_uppercase()),
            "header" => header(shell, call, &mut request, &value),
            "U" | "user-agent" | "referer" => {
                if let Some(secret) = secret_in(&value.value) {
                    tell_secret(shell, &secret, &request.target(), value.span);
                }
            }
            "use-askpass" => {
                shell.run_text(&value, Dialect::Sh, Feed::none());
                shell.opaque(value.shown().into_owned(), value.span);
            }
            "config" => shell.tell(&OPTION_FILE, value.shown().into_owned(), value.span),
            "e" | "execute" => {
                let lower = value.shown().to_ascii_lowercase();
                if ["askpass", "post_file", "post_data", "input", "output_document", "dir_prefix"]
                    .iter()
                    .any(|name| lower.contains(name))
                {
                    shell.tell(&OPTION_FILE, value.shown().into_owned(), value.span);
                }
            }
            "o" | "output-file" | "a" | "append-output" | "save-cookies" | "rejected-log" | "warc-file"
                if !value.is("-") =>
            {
                shell.write(&value, if given.name.starts_with('a') { Write::Append } else { Write::Replace });
            }
            "i" | "input-file" if !value.is("-") && shell.read(&value).secret().is_some() => {
                request.files.push(Feed::from(Origin::Secret(value.shown().into_owned())));
            }
            _ => {}
        }
    }
    request.judge(shell, call);
    if options.has(&["spider", "delete-after"]) {
        return out;
    }
    let content = request.download();
    match options.value(&["O", "output-document"]) {
        Some(file) if file.is("-") || file.is("/dev/stdout") => content,
        Some(file) => {
            shell.write(file, Write::Replace);
            shell.remember_written(file, Written::Content(content));
            if call.has("-nc") || options.has(&["c", "continue", "no-clobber", "N", "timestamping"]) {
                shell.forget_presence();
            }
            out
        }
        None => {
            let directory = options.value(&["P", "directory-prefix"]);
            for url in &request.urls {
                let target = beneath(directory, &Arg { value: base_name(&url.value), span: url.span });
                shell.write(&target, Write::New);
                shell.remember_written(&target, Written::Content(content.clone()));
            }
            out
        }
    }
}

fn httpie(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "oaAspP",
        long_values: &[
            "output",
            "auth",
            "auth-type",
            "style",
            "print",
            "session",
            "session-read-only",
            "proxy",
            "verify",
            "cert",
            "cert-key",
            "timeout",
            "pretty",
            "raw",
            "max-redirects",
            "response-charset",
            "format-options",
            "default-scheme",
            "boundary",
            "bearer",
        ],
        long_flags: &["offline", "download", "form", "json", "multipart"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let out = call.output();
    let options = Options::read(&call.args, &SYNTAX);
    if call.asks_for_help() || options.operands.is_empty() || options.has(&["offline"]) {
        return out;
    }
    let mut request = Request::default();
    let mut operands = options.operands.iter().peekable();
    let is_method = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let lower_method = |text: &str| matches!(text, "get" | "post" | "put" | "patch" | "delete" | "head" | "options");
    if let Some(first) = operands.next_if(|arg| {
        arg.known().is_some_and(|text| (is_method(text) || lower_method(text)) && options.operands.len() > 1)
    }) {
        request.method = Some(first.shown().to_ascii_uppercase());
        request.sending = Some((*first).clone());
    }
    request.urls.extend(operands.next().map(|url| (*url).clone()));
    for item in operands {
        let prefix = item.value.prefix();
        let mark = prefix.find(['=', ':', '@']);
        match mark.map(|at| (at, prefix.get(at..).unwrap_or_default())) {
            Some((_, rest)) if rest.starts_with("==") => {}
            Some((at, rest)) if rest.starts_with('@') || rest.starts_with("=@") || rest.starts_with(":=@") => {
                let skip = at + rest.find('@').map_or(0, |found| found + 1);
                let feed = file_or_stdin(shell, call, &Arg { value: strip(&item.value, skip), span: item.span });
                request.files.push(feed);
            }
            Some((_, rest)) if rest.starts_with(":=") || rest.starts_with('=') => request.texts.push((*item).clone()),
            _ => request.credentials.push((*item).clone()),
        }
    }
    request.texts.extend(options.value(&["raw"]).cloned());
    if !call.stdin.is_none()
        && !options.has(&["ignore-stdin"])
        && matches!(request.method.as_deref(), Some("POST" | "PUT" | "PATCH") | None)
    {
        let from_file = call.stdin.origins.iter().any(|origin| matches!(origin, Origin::File(_) | Origin::Secret(_)));
        if from_file {
            request.files.push(call.stdin.clone());
        }
    }
    if request.method.is_none() && !request.texts.is_empty() {
        request.method = Some("POST".to_owned());
    }
    request.judge(shell, call);
    let content = request.download();
    match options.value(&["o", "output"]) {
        Some(file) => {
            shell.write(file, Write::Replace);
            shell.remember_written(file, Written::Content(content));
            out
        }
        None => content,
    }
}

fn download(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let out = call.output();
    if call.asks_for_help() || carries_secret(shell, call) {
        return out;
    }
    const SYNTAX: Syntax = Syntax {
        short_values: "doijxsklMTUnNaS",
        long_values: &[
            "dir",
            "out",
            "input-file",
            "on-download-complete",
            "on-download-start",
            "on-download-stop",
            "on-download-error",
            "on-download-pause",
            "on-bt-download-complete",
            "conf-path",
            "max-concurrent-downloads",
            "split",
            "header",
            "load-cookies",
            "save-session",
            "output",
            "max-speed",
            "num-connections",
        ],
        long_flags: &[],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    for given in options.given.iter().filter(|given| given.name.starts_with("on-")) {
        if let Some(program) = &given.value {
            shell.run(std::slice::from_ref(program), Feed::none(), program.span);
            shell.opaque(program.shown().into_owned(), program.span);
        }
    }
    let directory = options.value(&["d", "dir"]);
    for url in &options.operands {
        let shown = url.shown().into_owned();
        shell.note(EffectKind::NetworkRead, Target::Named(shown.clone()), Scope::Remote, url.span);
        let content = Feed::from(Origin::Download { encrypted: is_encrypted(&shown), url: shown });
        let named = options.value(&["o", "out", "output"]);
        let file = named.cloned().unwrap_or_else(|| Arg { value: base_name(&url.value), span: url.span });
        let target = beneath(directory, &file);
        shell.write(&target, if named.is_some() { Write::Replace } else { Write::New });
        shell.remember_written(&target, Written::Content(content));
    }
    out
}
