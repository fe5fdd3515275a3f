//! Other machines: `ssh` and what comes with it.

use signoff_model::{Dialect, Span};

use super::{CHANGE_KEY, GRANT_LOGIN, REMOTE_COMMAND, TUNNEL, carries_secret, elsewhere, is_here, sessions};
use crate::{
    path_effects::Write,
    shell::{
        Call, Judge, Locus, Shell, Written,
        families::files::bring,
        families::tool::{self, Does::*, Tool, speak, tools},
        options::{Options, Syntax, strip},
    },
    value::{Arg, Feed, Origin, Piece, Value},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "ssh" | "autossh" | "slogin" | "dbclient" | "rsh" | "rlogin" | "rexec" | "plink" | "mosh" | "xxh" | "et"
        | "tsh" => ssh,
        "scp" | "pscp" | "rcp" | "qcp" => scp,
        "sftp" | "psftp" => sftp,
        "sshpass" => sshpass,
        "ssh-keygen" => ssh_keygen,
        "ssh-copy-id" => ssh_copy_id,
        "ssh-add" => ssh_add,
        "ssh-agent" => ssh_agent,
        "pssh" | "parallel-ssh" | "pdsh" | "clush" | "cssh" | "mssh" | "dsh" | "prsync" | "pslurp" => many,
        _ => return None,
    })
}

tools! { pub(super) TOOLS:
    "ssh-keyscan ssh-argv0" => Fine;
    "sshuttle wstunnel gost rathole iodine dnscat dnscat2 ptunnel gsocket gs-netcat \
" => Speaks(&TUNNEL),
        verbs: &[("help version status", Fine)];
    "rdesktop xfreerdp krdc vncviewer remote-viewer remmina waypipe putty bvnc bssh" => Fine;
    "sshmux" => Speaks(&REMOTE_COMMAND);
}

const SSH: Syntax = Syntax {
    short_values: "BbcDEeFIiJLlmOopQRSWwPM",
    long_values: &["ssh", "server", "client", "predict", "port", "bind-server"],
    long_flags: &[],
    stops_at_operand: true,
    single_dash_long: false,
};

fn ssh(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let options = Options::read(&call.args, &SSH);
    if call.asks_for_help() && options.operands.is_empty() || options.has(&["V", "Q", "G"]) || call.args.is_empty() {
        return call.output();
    }
    settings(shell, &options);
    if let Some(program) = options.value(&["ssh", "client", "server"]) {
        shell.run_text(program, Dialect::Sh, Feed::none());
    }
    if matches!(options.value(&["O"]).and_then(Arg::known), Some("check" | "exit" | "stop")) {
        return call.output();
    }
    let Some(host) = options.operands.first() else { return call.output() };
    let name = host.shown().into_owned();
    if carries_secret(shell, call) {
        return Feed::none();
    }
    if options.has(&["L", "R", "D", "w", "W"]) {
        speak(shell, call, &TUNNEL, 0);
    }
    // Options may follow the host; a second reading of what is left finds them.
    let mut command = call.args.get(options.first_operand + 1..).unwrap_or_default();
    let mut direct = goes_directly(&options);
    while command.first().is_some_and(Arg::is_option) {
        let rest = Options::read(command, &SSH);
        settings(shell, &rest);
        direct &= goes_directly(&rest);
        if rest.has(&["L", "R", "D", "w", "W"]) {
            speak(shell, call, &TUNNEL, 0);
        }
        command = command.get(rest.first_operand..).unwrap_or_default();
    }
    let greets_forge =
        ["git@github.com", "git@gitlab.com", "git@bitbucket.org", "git@ssh.dev.azure.com", "git@codeberg.org"]
            .contains(&name.as_str());
    if command.is_empty() {
        let forwards_only = options.has(&["N"]) && options.has(&["L", "R", "D", "w", "W"]);
        if !greets_forge && !forwards_only {
            shell.tell(&REMOTE_COMMAND, name.as_str(), host.span);
        }
        let there = if direct { reached(shell, host) } else { Locus::Remote(name.clone()) };
        run_fed(shell, call, there);
        return call.output();
    }
    let text = joined(command);
    if !text.known().is_some_and(elsewhere::only_reads) {
        shell.tell(&REMOTE_COMMAND, format!("{name}: {}", text.shown()), text.span);
    }
    let carries = call
        .stdin
        .origins
        .iter()
        .any(|origin| origin.list().is_some() || matches!(origin, Origin::File(_) | Origin::Secret(_)));
    if carries {
        shell.send(&name, std::iter::empty(), &call.stdin, call.span);
    }
    let there = if direct { reached(shell, host) } else { Locus::Remote(name.clone()) };
    shell.logged_in(there, |shell| shell.run_text(&text, Dialect::Sh, call.stdin.clone()))
}

/// Whether nothing among the options leads over another machine, or to a port at which something else answers.
fn goes_directly(options: &Options<'_>) -> bool {
    let usual_port = options.values(&["p", "port"]).all(|port| port.is("22"));
    usual_port && !options.has(&["J"]) && options.values(&["o"]).all(|setting| !leads_on(&setting.shown()))
}

/// Where a command runs that is sent to a host: the names of this machine lead back to it.
fn reached(shell: &Shell<'_>, host: &Arg) -> Locus {
    let shown = host.shown().to_ascii_lowercase();
    let authority = shown.split_once("://").map_or("", |(_, rest)| rest).split('/').next().unwrap_or_default();
    let other_port = authority.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']') && port != "22");
    let is_own = is_here(&shown) || names_this_machine(&host.value);
    if is_own && !other_port && *shell.locus() == Locus::Here {
        Locus::Here
    } else {
        Locus::Remote(host.shown().into_owned())
    }
}

/// Whether a setting makes `ssh` go to another place than its host names.
fn leads_on(setting: &str) -> bool {
    let name = setting.split(['=', ' ']).next().unwrap_or(setting).to_ascii_lowercase();
    let port = setting.split(['=', ' ']).next_back();
    matches!(name.as_str(), "proxycommand" | "proxyjump" | "hostname") || name == "port" && port != Some("22")
}

/// Whether a value is what this machine says that it is called: `$(hostname)`, `me@$HOSTNAME`.
fn names_this_machine(value: &Value) -> bool {
    let bare = |piece: &&Piece| !matches!(piece, Piece::Text(text) if text.ends_with('@') || text.is_empty());
    let mut pieces = value.pieces().iter().skip_while(|piece| !bare(piece));
    let (Some(Piece::Unknown(unknown)), None) = (pieces.next(), pieces.next()) else { return false };
    !unknown.origins.is_empty()
        && unknown.origins.iter().all(|origin| match origin {
            Origin::Program(name) => matches!(name.as_str(), "hostname" | "uname"),
            Origin::Variable(name) => matches!(name.as_str(), "HOSTNAME" | "HOST"),
            _ => false,
        })
}

/// A text that flows into a remote shell runs there.
fn run_fed(shell: &mut Shell<'_>, call: &Call, there: Locus) {
    if let Some(text) = &call.stdin.text {
        let code = Arg { value: text.clone(), span: call.span };
        shell.logged_in(there, |shell| shell.run_text(&code, Dialect::Sh, Feed::none()));
    } else if let (Locus::Remote(host), true) = (there, call.stdin.secret().is_some()) {
        shell.send(&host, std::iter::empty(), &call.stdin, call.span);
    }
}

/// Settings given as `-o Name=value` that run programs on this machine.
fn settings(shell: &mut Shell<'_>, options: &Options<'_>) {
    for setting in options.values(&["o"]) {
        let text = setting.value.prefix();
        let at = text.find(['=', ' ']).map_or(text.len(), |at| at + 1);
        let name = text.get(..at).unwrap_or_default().trim_end_matches(['=', ' ']).to_ascii_lowercase();
        if !matches!(
            name.as_str(),
            "proxycommand"
                | "localcommand"
                | "knownhostscommand"
                | "xauthlocation"
                | "securitykeyprovider"
                | "pkcs11provider"
        ) {
            continue;
        }
        let code = Arg { value: strip(&setting.value, at), span: setting.span };
        if code.known().is_some_and(|code| code.trim().eq_ignore_ascii_case("none")) {
            continue;
        }
        if matches!(name.as_str(), "securitykeyprovider" | "pkcs11provider" | "xauthlocation") {
            shell.opaque(code.shown().into_owned(), setting.span);
            continue;
        }
        shell.run_text(&code, Dialect::Sh, Feed::none());
    }
    if let Some(library) = options.value(&["I"]) {
        shell.opaque(library.shown().into_owned(), library.span);
    }
}

/// Several arguments as the one text that the remote shell gets.
fn joined(args: &[Arg]) -> Arg {
    let mut value = Value::default();
    let mut span: Option<Span> = None;
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            value.push(Piece::text(" "));
        }
        value.extend(arg.value.clone());
        span = Some(span.map_or(arg.span, |before| before.to(arg.span)));
    }
    Arg { value, span: span.unwrap_or_default() }
}

/// The host and the path of a remote file, if it names one.
fn remote_part(text: &str) -> Option<&str> {
    if text.starts_with("scp://") || text.starts_with("sftp://") {
        return Some(text);
    }
    if text.starts_with(['/', '.', '~', '-']) {
        return None;
    }
    let (host, path) = text.split_once(':')?;
    // A single letter before a slash is a drive.
    (!host.contains('/') && (host.len() > 1 || !path.starts_with(['/', '\\']))).then_some(host)
}

fn scp(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "cDFiJloPSX",
        long_values: &[],
        long_flags: &[],
        stops_at_operand: false,
        single_dash_long: false,
    };
    if call.asks_for_help() {
        return call.output();
    }
    let options = Options::read(&call.args, &SYNTAX);
    settings(shell, &options);
    other_program(shell, &options);
    let Some((target, sources)) = options.operands.split_last() else { return call.output() };
    let shown = target.shown().into_owned();
    let uploads = remote_part(&shown).is_some() || target.value.has_unknown() && shown.contains(':');
    if uploads {
        let mut sent = Feed::none();
        for source in sources {
            if remote_part(&source.shown()).is_none() {
                sent = sent.then(shell.read(source));
            }
        }
        shell.send(&shown, sources.iter().map(|source| &source.value), &sent, call.span);
        return call.output();
    }
    let from_remote = sources.iter().any(|source| remote_part(&source.shown()).is_some() || source.value.has_unknown());
    if from_remote {
        sources.iter().for_each(|source| bring(shell, source, target));
        let url = sources.first().map_or_else(String::new, |source| source.shown().into_owned());
        let content = Written::Content(Feed::from(Origin::Download { url, encrypted: true }));
        let whole = options.has(&["r"]);
        // What arrives in a directory has the name that it had.
        for source in sources {
            let from = source.shown().into_owned();
            let name = from.rsplit(['/', ':']).next().unwrap_or_default();
            let inside = Arg::text(format!("{}/{name}", shown.trim_end_matches('/')), target.span);
            if whole {
                shell.remember_clone(source, Some(&inside));
            } else if target.known().is_some() && !name.is_empty() {
                shell.remember_written(&inside, content.clone());
            }
        }
        shell.remember_written(target, content);
    } else if !sources.is_empty() {
        // Between two names on this machine it is a plain copy.
        for source in sources {
            shell.read(source);
        }
        shell.write(target, Write::Replace);
    }
    call.output()
}

fn sftp(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "BbcDFiJloPRSsX",
        long_values: &[],
        long_flags: &[],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    settings(shell, &options);
    other_program(shell, &options);
    let Some(host) = options.operands.first() else { return call.output() };
    let name = host.shown().into_owned();
    // `sftp host:file` only fetches.
    if remote_part(&name).is_some()
        && !options.has(&["b"])
        && name.rsplit(':').next().is_some_and(|path| !path.is_empty() && !path.ends_with('/'))
    {
        if let Some(target) = options.operands.get(1) {
            bring(shell, host, target);
        }
        return call.output();
    }
    let mut texts: Vec<Arg> = call.stdin.text.clone().map(|value| Arg { value, span: call.span }).into_iter().collect();
    texts.extend(options.value(&["b"]).and_then(|file| sessions::written(shell, file)));
    let mut sent = false;
    for text in &texts {
        sent |= sessions::orders(shell, text, &name);
    }
    if !sent {
        shell.send(&name, std::iter::empty(), &call.stdin, call.span);
    }
    call.output()
}

/// `-S program`, `-D program`: what is run instead of `ssh`, or as the server.
fn other_program(shell: &mut Shell<'_>, options: &Options<'_>) {
    for program in options.values(&["S", "D"]) {
        shell.run_text(program, Dialect::Sh, Feed::none());
        shell.opaque(program.shown().into_owned(), program.span);
    }
}

fn sshpass(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "fdpPe",
        long_values: &[],
        long_flags: &[],
        stops_at_operand: true,
        single_dash_long: false,
    };
    const PLAIN: Syntax = Syntax { short_values: "fdpP", ..SYNTAX };
    let options = Options::read(&call.args, &PLAIN);
    if let Some(file) = options.value(&["f"]) {
        shell.read(file);
    }
    shell.run(call.args.get(options.first_operand..).unwrap_or_default(), call.stdin.clone(), call.span)
}

fn ssh_keygen(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "aBbCDEFfIJjKmMNnOPRrSsTtVWwYZz",
        long_values: &[],
        long_flags: &[],
        stops_at_operand: false,
        single_dash_long: false,
    };
    // These are flags when they stand alone; reading them as flags keeps their neighbours.
    const FLAGS: Syntax = Syntax { short_values: "abCDEFfIJjmMNnOPRrsTtVWwYZz", ..SYNTAX };
    let options = Options::read(&call.args, &FLAGS);
    if call.asks_for_help() {
        return call.output();
    }
    if let Some(library) = options.value(&["D", "w"]) {
        shell.opaque(library.shown().into_owned(), library.span);
        return call.output();
    }
    if options.has(&["p", "c", "A"]) {
        speak(shell, call, &CHANGE_KEY, 0);
        return call.output();
    }
    if options.has(&["l", "F", "B", "L", "Q", "y", "e", "R", "H", "Y", "r", "M", "K", "i"]) {
        return call.output();
    }
    if let Some(file) = options.value(&["f"]) {
        let place = shell.place(&file.value);
        if place.scope == signoff_model::Scope::System {
            shell.write(file, Write::Replace);
        }
    }
    // Over an existing key it asks by itself, unless the answer is piped in.
    if call.stdin.known().is_some_and(|text| text.trim_start().starts_with(['y', 'Y']))
        || call.stdin.origins.contains(&Origin::Program("yes".into()))
    {
        speak(shell, call, &CHANGE_KEY, 0);
    }
    call.output()
}

fn ssh_copy_id(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help() && !call.has("-n") && !call.args.is_empty() {
        speak(shell, call, &GRANT_LOGIN, 0);
    }
    call.output()
}

fn ssh_add(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if let Some(at) = call.args.iter().position(|arg| matches!(arg.known(), Some("-s" | "-S")))
        && let Some(library) = call.args.get(at + 1)
    {
        shell.opaque(library.shown().into_owned(), library.span);
    }
    call.output()
}

fn ssh_agent(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = tool::operands(call, "-a -t -E -P -O");
    match operands.first() {
        Some(&first) => shell.run(call.args.get(first..).unwrap_or_default(), call.stdin.clone(), call.span),
        None => call.output(),
    }
}

fn many(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !call.asks_for_help() && !call.args.is_empty() {
        speak(shell, call, &REMOTE_COMMAND, 0);
    }
    call.output()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn a_log_in_to_this_machine_leads_back_to_it() {
        check(
            Block,
            &[
                "ssh localhost 'rm -rf ~'",
                "ssh 127.0.0.1 'rm -rf ~'",
                "ssh ::1 'rm -rf ~'",
                "ssh $(hostname) 'rm -rf ~'",
                "ssh \"$(hostname -f)\" 'rm -rf ~'",
                "ssh me@$HOSTNAME 'rm -rf ~'",
                "ssh me@localhost 'rm -rf ~'",
                "ssh LOCALHOST 'rm -rf ~'",
                "ssh $(uname -n) 'rm -rf ~'",
                "ssh localhost -p 22 'rm -rf ~'",
                "ssh -p 22 -o BatchMode=yes me@localhost rm -rf '~'",
                "ssh ssh://me@localhost 'rm -rf ~'",
                "ssh localhost 'rm -rf *'",
                "echo 'rm -rf ~' | ssh localhost",
                "echo 'rm -rf ~' | ssh localhost bash",
            ],
        );
        check(Ask, &["ssh localhost 'cat .env'", "ssh localhost rm -rf src", "ssh localhost make deploy"]);
    }

    #[test]
    fn what_answers_elsewhere_under_this_name_is_another_machine() {
        check(
            Ask,
            &[
                "ssh -J bastion localhost 'rm -rf ~'",
                "ssh -o ProxyJump=bastion localhost 'rm -rf ~'",
                "ssh -p 2222 localhost 'rm -rf ~'",
                "ssh localhost -p 2222 'rm -rf ~'",
                "ssh -o Port=2222 localhost 'rm -rf ~'",
                "ssh ssh://me@localhost:2222 'rm -rf ~'",
                "ssh web 'ssh localhost rm -rf x'",
                "ssh localhost.example.com 'rm -rf ~'",
                "ssh $HOST_OF_OTHERS 'rm -rf ~'",
                "ssh $(cat host) 'rm -rf ~'",
            ],
        );
        check(
            Allow,
            &["ssh localhost ls", "ssh localhost uptime", "ssh me@$(hostname) uptime", "ssh localhost 'echo hi'"],
        );
    }
}
