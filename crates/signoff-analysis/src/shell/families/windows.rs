//! The tools of Windows: those of its command line, the cmdlets of PowerShell called as commands, and names that end
//! with `.exe`.

use signoff_model::{EffectKind, Reversible, Risk};

use super::{
    system::{CHANGE_DISK, CHANGE_MACHINE, CHANGE_SERVICE, FORMAT_DISK, SCHEDULE, SYSTEM_PACKAGES},
    tool::{self, speak},
    unknown,
};
use crate::{
    code,
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Language, Shell},
    value::{Arg, Feed, Origin, Piece, Value},
};

rules! {
    DESTROY_WINDOWS = Rule::new("destroy-windows", EffectKind::System, Risk::Critical, "takes away what Windows starts from or is restored from: {}", "移除 Windows 启动或恢复所需的内容：{}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(
            &["vssadmin delete shadows /all /quiet", "bcdedit /delete '{current}' /f", "reg delete 'HKLM\\SYSTEM' /f", "wmic shadowcopy delete"],
            &["vssadmin list shadows", "bcdedit /enum", "reg query 'HKLM\\SYSTEM'"],
        );
    MIRROR = Rule::new("mirror-files", EffectKind::Delete, Risk::High, "deletes or moves files while it copies: {}", "复制的同时删除或移动文件：{}")
        .reversible(Reversible::No)
        .examples(&["robocopy src dst /MIR", "robocopy src dst /MOVE /E"], &["robocopy src dst /E", "robocopy src dst /MIR /L"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    let lower = name.to_ascii_lowercase();
    if let Some(plain) = lower.strip_suffix(".exe").or_else(|| lower.strip_suffix(".com")) {
        return super::find(plain).map(|_| without_ending as Judge);
    }
    Some(match lower.as_str() {
        "vssadmin" | "wbadmin" | "bcdedit" | "bootrec" | "wmic" | "reg" => vital,
        "diskpart" => disks,
        "robocopy" => robocopy,
        "schtasks" => schedule,
        "sc" => service_control,
        "net" | "net1" => net,
        "icacls" | "cacls" | "takeown" => rights,
        "attrib" => attributes,
        "wsl" => linux,
        "msiexec" => installer,
        "ztcp" => connect,
        _ if is_cmdlet(name) => cmdlet,
        _ => return None,
    })
}

fn out(call: &Call) -> Feed {
    Feed::from(Origin::Program(call.name.clone()))
}

/// Whether an argument is this switch, in whatever letters.
fn has(call: &Call, switch: &str) -> bool {
    call.args.iter().filter_map(Arg::known).any(|text| text.eq_ignore_ascii_case(switch))
}

/// The words in small letters, and the text that they make.
fn words(call: &Call) -> Vec<String> {
    call.args.iter().map(|arg| arg.shown().to_ascii_lowercase()).collect()
}

/// A rule speaks unless the call asks for help.
fn says(shell: &mut Shell<'_>, call: &Call, rule: &'static Rule) -> Feed {
    if !call.asks_for_help() && !has(call, "/?") {
        speak(shell, call, rule, 0);
    }
    out(call)
}

/// `sc.exe stop x` is `sc stop x`.
fn without_ending(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let lower = call.name.to_ascii_lowercase();
    let plain = lower.strip_suffix(".exe").or_else(|| lower.strip_suffix(".com")).unwrap_or(&lower).to_owned();
    match super::find(&plain) {
        Some(judge) => judge(shell, &Call { name: plain, ..call.clone() }),
        None => out(call),
    }
}

/// What Windows starts from, its settings, and what it is restored from.
fn vital(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words = words(call);
    let first = words.first().map(String::as_str).unwrap_or_default();
    let has = |word: &str| words.iter().any(|found| found == word);
    let looks = match call.name.to_ascii_lowercase().as_str() {
        "reg" => matches!(first, "query" | "export" | "save" | "compare"),
        "bcdedit" => words.is_empty() || matches!(first, "/enum" | "/v" | "/export"),
        "wmic" => !has("delete") && !has("call") && !has("set") && !has("create"),
        "bootrec" => matches!(first, "/scanos" | ""),
        _ => words.is_empty() || matches!(first, "list" | "get" | "query"),
    };
    if looks {
        return out(call);
    }
    let grave = match call.name.to_ascii_lowercase().as_str() {
        "vssadmin" => first == "delete" || first == "resize",
        "wbadmin" => first == "delete",
        "wmic" => has("shadowcopy") && has("delete"),
        "bcdedit" => {
            first.starts_with("/delete")
                || first == "/set"
                    && words.iter().any(|word| matches!(word.as_str(), "recoveryenabled" | "bootstatuspolicy"))
        }
        "reg" => first == "delete" && words.get(1).is_some_and(|key| is_hive(key)),
        _ => false,
    };
    let starts = words.get(1).is_some_and(|key| key.contains("run") && first == "add");
    if starts {
        plant_behind(shell, call, "/d");
    }
    says(shell, call, if grave { &DESTROY_WINDOWS } else { &CHANGE_MACHINE })
}

/// Whether a key of the registry is a root, or one right below the root of the machine.
fn is_hive(key: &str) -> bool {
    let key = key.replace('/', "\\").replace("\\\\", "\\");
    let mut parts = key.split('\\').filter(|part| !part.is_empty());
    let root = parts.next().unwrap_or_default();
    let machine = matches!(root, "hklm" | "hkey_local_machine" | "hku" | "hkcr" | "hkey_users" | "hkey_classes_root");
    (machine || matches!(root, "hkcu" | "hkey_current_user")) && parts.count() < if machine { 2 } else { 1 }
        // The shell has taken the backslash out of `HKLM\SYSTEM`.
        || matches!(root, "hklmsystem" | "hklmsoftware" | "hklmsam" | "hklmsecurity" | "hklmhardware")
}

/// What `diskpart` is told stands in a file or flows in.
fn disks(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const WIPES: &[&str] = &["clean", "format", "delete", "convert"];
    let told = call.stdin.known().unwrap_or_default().to_ascii_lowercase();
    let wipes = told.split(|letter: char| !letter.is_ascii_alphabetic()).any(|word| WIPES.contains(&word));
    let looks = call.stdin.known().is_some() && !wipes && !told.contains("assign") && !told.contains("create");
    if looks && call.args.is_empty() {
        return out(call);
    }
    says(shell, call, if wipes || !call.args.is_empty() { &FORMAT_DISK } else { &CHANGE_DISK })
}

/// `schtasks /create /tr command`.
fn schedule(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.args.is_empty() || has(call, "/query") {
        return out(call);
    }
    plant_behind(shell, call, "/tr");
    says(shell, call, &SCHEDULE)
}

/// What stands behind a switch will run by itself.
fn plant_behind(shell: &mut Shell<'_>, call: &Call, switch: &str) {
    let at = call.args.iter().position(|arg| arg.known().is_some_and(|text| text.eq_ignore_ascii_case(switch)));
    if let Some(code) = at.and_then(|at| call.args.get(at + 1)).and_then(Arg::known) {
        // What PowerShell is told is one text, whatever a shell of ours would make of its signs.
        let words: Vec<&str> = code.splitn(3, ' ').collect();
        let whole = match words.as_slice() {
            [program, option, text]
                if option.starts_with('-') && program.to_ascii_lowercase().contains("powershell") =>
            {
                format!("{program} {option} '{}'", text.trim_matches(['"', '\'']).replace('\'', "\""))
            }
            _ => code.to_owned(),
        };
        shell.plant_command(&call.name, &whole, call.span);
    }
}

fn robocopy(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let deletes = ["/mir", "/purge", "/move", "/mov"].iter().any(|switch| has(call, switch));
    if !deletes || has(call, "/l") {
        return out(call);
    }
    says(shell, call, &MIRROR)
}

fn service_control(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words = words(call);
    let verb = words.iter().find(|word| !word.starts_with("\\\\"));
    match verb.map(String::as_str) {
        None | Some("query" | "queryex" | "qc" | "qdescription" | "qfailure" | "getdisplayname" | "getkeyname") => {
            out(call)
        }
        Some("enumdepend" | "sdshow" | "querylock" | "qtriggerinfo" | "qprivs") => out(call),
        _ => says(shell, call, &CHANGE_SERVICE),
    }
}

fn net(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words = words(call);
    let looks = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] | [_] => true,
        ["view" | "statistics" | "config" | "help" | "helpmsg", ..] => true,
        // With a password or a switch an account changes; with a name alone it is shown.
        ["user" | "localgroup" | "group" | "accounts" | "share" | "use" | "session" | "file", rest @ ..] => {
            !matches!(*rest, [_, ..] if rest.iter().any(|word| word.starts_with('/') && *word != "/domain" || word.contains('='))
                || rest.iter().filter(|word| !word.starts_with('/')).count() > 1)
        }
        _ => false,
    };
    if looks {
        return out(call);
    }
    says(shell, call, &CHANGE_MACHINE)
}

fn rights(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let shows = call.name.eq_ignore_ascii_case("icacls") || call.name.eq_ignore_ascii_case("cacls");
    let switches =
        words(call).iter().skip(1).any(|word| !matches!(word.as_str(), "/t" | "/c" | "/q" | "/l" | "/verify"));
    if shows && !switches {
        return out(call);
    }
    says(shell, call, &CHANGE_MACHINE)
}

fn attributes(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let words = words(call);
    let changes = words.iter().any(|word| word.starts_with(['+', '-']) && word.len() == 2);
    if changes && words.iter().any(|word| word == "/s") { says(shell, call, &CHANGE_MACHINE) } else { out(call) }
}

/// `wsl command` runs in Linux; `wsl --unregister x` deletes a whole Linux.
fn linux(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut at = 0;
    while let Some(text) = call.arg(at) {
        match text {
            "-d" | "--distribution" | "-u" | "--user" | "--cd" => at += 2,
            "-e" | "--exec" | "--" | "~" => at += 1,
            "-l" | "--list" | "--status" | "--version" | "-v" | "--help" | "--export" => return out(call),
            text if text.starts_with('-') => return says(shell, call, &CHANGE_MACHINE),
            _ => break,
        }
    }
    let argv = call.args.get(at..).unwrap_or_default();
    if argv.is_empty() { out(call) } else { shell.run(argv, call.stdin.clone(), call.span) }
}

fn installer(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if call.args.is_empty() { out(call) } else { says(shell, call, &SYSTEM_PACKAGES) }
}

/// zsh opens a connection, and its number stands in `$REPLY`.
fn connect(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let host = call.args.iter().find(|arg| !arg.is_option()).map(|arg| arg.shown().into_owned());
    if let Some(host) = host {
        let opened = format!("exec 9<>/dev/tcp/{host}/{}", call.args.last().map(|arg| arg.shown()).unwrap_or_default());
        shell.run_text(&Arg::text(opened, call.span), signoff_model::Dialect::Bash, Feed::none());
    }
    out(call)
}

/// Whether a name is written as PowerShell writes its cmdlets.
fn is_cmdlet(name: &str) -> bool {
    let capital = |text: &str| text.starts_with(|letter: char| letter.is_ascii_uppercase());
    name.split_once('-').is_some_and(|(verb, noun)| {
        capital(verb) && capital(noun) && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    })
}

/// A cmdlet called as a command is read as PowerShell reads it, and by what its name says.
fn cmdlet(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut text = call.name.clone();
    for arg in &call.args {
        text.push(' ');
        text.push_str(&as_written(&arg.value));
    }
    let code = Arg { value: Value::text(text), span: tool::span_from(call, 0) };
    let feed = code::run(shell, Language::PowerShell, &code, &call.stdin);
    let understood = ["Remove-Item", "Set-Location", "Get-ChildItem", "Copy-Item", "Move-Item", "New-Item"];
    if !understood.contains(&call.name.as_str()) {
        unknown::judge(shell, call);
    }
    feed
}

/// A word as it stood in the text, as far as a shell has left of it: what is not known stays a variable.
fn as_written(value: &Value) -> String {
    let mut text = String::new();
    for piece in value.pieces() {
        match piece {
            Piece::Text(part) | Piece::Glob(part) => text.push_str(part),
            Piece::Unknown(unknown) => text.push_str(&unknown.shown),
        }
    }
    let text = path(&text);
    let joined = text.get(2..5) == Some("\\ -");
    let bare = joined
        || text.starts_with('-')
        || !text.contains([' ', ';', '(', ')', '{', '|'])
        || text.starts_with(['(', '{']);
    if bare { text } else { format!("'{}'", text.replace('\'', "''")) }
}

/// A path as Windows reads it: its variables put in, and the backslash behind a drive put back that a shell has taken.
pub fn path(text: &str) -> String {
    const VARIABLES: &[(&str, &str)] = &[
        ("%userprofile%", "C:\\Users\\user"),
        ("%homedrive%%homepath%", "C:\\Users\\user"),
        ("%homepath%", "C:\\Users\\user"),
        ("%systemroot%", "C:\\Windows"),
        ("%windir%", "C:\\Windows"),
        ("%systemdrive%", "C:"),
        ("%programfiles%", "C:\\Program Files"),
        ("%public%", "C:\\Users"),
        ("%temp%", "/tmp"),
        ("%tmp%", "/tmp"),
    ];
    let mut text = text.to_owned();
    for (name, meaning) in VARIABLES {
        if let Some(at) = text.to_ascii_lowercase().find(name) {
            text.replace_range(at..at + name.len(), meaning);
        }
    }
    let bytes = text.as_bytes();
    let drive = matches!(bytes, [letter, b':', ..] if letter.is_ascii_alphabetic());
    let rest = text.get(2..).unwrap_or_default();
    let lower = rest.to_ascii_lowercase();
    if !drive || rest.starts_with(['\\', '/']) {
        return text;
    }
    let head = text.get(..2).unwrap_or_default();
    // `C:\ -Recurse`: the shell has joined the next word.
    if rest.is_empty() || rest.starts_with(' ') || rest.starts_with('*') {
        return format!("{head}\\{rest}");
    }
    for tree in ["windowssystem32", "windows", "users", "program files", "programdata"] {
        if lower == tree {
            let name = if tree == "windowssystem32" { "Windows\\System32" } else { rest };
            return format!("{head}\\{name}");
        }
    }
    text
}
