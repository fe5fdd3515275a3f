//! The shells of Windows.

use signoff_model::Unread;

use super::{run_code, run_file, run_stdin};
use crate::{
    code,
    shell::{Call, Language, Shell},
    value::{Arg, Feed, Value},
};

/// Parameters of PowerShell that take a value.
const VALUES: &[&str] = &[
    "executionpolicy",
    "ex",
    "ep",
    "exec",
    "windowstyle",
    "w",
    "win",
    "version",
    "inputformat",
    "outputformat",
    "configurationname",
    "psconsolefile",
    "workingdirectory",
    "wd",
    "settingsfile",
    "custompipename",
];

pub(super) fn powershell(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut at = 0;
    while let Some(arg) = call.args.get(at) {
        let text = arg.value.prefix();
        let rest = call.args.get(at + 1..).unwrap_or_default();
        // A slash begins a parameter on Windows, and a path everywhere else.
        let is_path = text.starts_with('/') && (text.matches('/').count() > 1 || text.contains('.'));
        let Some(name) = text.strip_prefix(['-', '/']).filter(|name| !name.is_empty() && !is_path) else {
            // The old one takes a command, the new one a script.
            let is_file = text.to_ascii_lowercase().ends_with(".ps1");
            return match is_file {
                true => script(shell, call, arg, rest),
                false => command(shell, call, call.args.get(at..).unwrap_or_default()),
            };
        };
        let name = name.trim_start_matches('-').to_ascii_lowercase();
        match name.as_str() {
            "help" | "h" | "?" | "version" if rest.is_empty() => return call.output(),
            "c" | "commandwithargs" | "cwa" => return command(shell, call, rest),
            name if "command".starts_with(name) && name.len() > 1 => return command(shell, call, rest),
            "e" | "ec" => return encoded(shell, call, rest),
            name if "encodedcommand".starts_with(name) && name.len() > 1 => return encoded(shell, call, rest),
            name if "file".starts_with(name) => {
                return match rest.split_first() {
                    Some((file, args)) => script(shell, call, file, args),
                    None => call.output(),
                };
            }
            // Nobody sees what runs in a window that is not shown.
            "w" | "win" | "windowstyle" if rest.first().is_some_and(|style| is_hidden(&style.shown())) => {
                shell.opaque("-WindowStyle hidden".to_owned(), arg.span);
                at += 2;
            }
            name if VALUES.contains(&name) || name.len() > 3 && VALUES.iter().any(|value| value.starts_with(name)) => {
                at += 2
            }
            _ => at += 1,
        }
    }
    run_stdin(shell, Language::PowerShell, &[], call)
}

fn is_hidden(style: &str) -> bool {
    style == "1" || "hidden".starts_with(&style.to_ascii_lowercase()) && !style.is_empty()
}

/// A script runs. One on a drive, outside of the project, is not read here.
fn script(shell: &mut Shell<'_>, call: &Call, file: &Arg, args: &[Arg]) -> Feed {
    let path = file.shown().replace('\\', "/");
    let on_drive = path.starts_with("//") || path.as_bytes().get(1) == Some(&b':');
    let project = shell.whereabouts().project.replace('\\', "/");
    if on_drive && !path.to_ascii_lowercase().starts_with(&project.to_ascii_lowercase()) {
        shell.opaque(Unread::Script(file.shown().into_owned()), file.span);
        return call.output();
    }
    run_file(shell, Language::PowerShell, file, args, call)
}

/// Everything behind `-Command` is one text.
fn command(shell: &mut Shell<'_>, call: &Call, words: &[Arg]) -> Feed {
    if let [only] = words
        && only.is("-")
    {
        return run_stdin(shell, Language::PowerShell, &[], call);
    }
    let mut code = Arg::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            code.value.extend(Value::text(" "));
        }
        code.value.extend(word.value.clone());
        code.span = if index == 0 { word.span } else { code.span.to(word.span) };
    }
    run_code(shell, Language::PowerShell, &code, &[], call.stdin.clone())
}

/// `-EncodedCommand`: UTF-16 in base64.
fn encoded(shell: &mut Shell<'_>, call: &Call, rest: &[Arg]) -> Feed {
    let Some(arg) = rest.first() else { return call.output() };
    match arg.known().and_then(code::utf16_in_base64) {
        Some(text) => run_code(shell, Language::PowerShell, &Arg::text(text, arg.span), &[], call.stdin.clone()),
        None => {
            shell.run_feed(Language::PowerShell, Feed::from(crate::value::Origin::Decoded), arg.span);
            call.output()
        }
    }
}
