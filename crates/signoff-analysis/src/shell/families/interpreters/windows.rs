//! The shells of Windows.

use super::{run_code, run_file, run_stdin};
use crate::{
    code,
    path_effects::Depth,
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
        let Some(name) = text.strip_prefix(['-', '/']).filter(|name| !name.is_empty()) else {
            // The old one takes a command, the new one a script.
            let is_file = text.to_ascii_lowercase().ends_with(".ps1");
            return match is_file {
                true => run_file(shell, Language::PowerShell, arg, rest, call),
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
                    Some((file, args)) => run_file(shell, Language::PowerShell, file, args, call),
                    None => call.output(),
                };
            }
            name if VALUES.contains(&name) || name.len() > 3 && VALUES.iter().any(|value| value.starts_with(name)) => {
                at += 2
            }
            _ => at += 1,
        }
    }
    run_stdin(shell, Language::PowerShell, &[], call)
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

/// `cmd /c text`.
pub(super) fn cmd(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(at) = call.args.iter().position(|arg| {
        arg.known().is_some_and(|text| text.eq_ignore_ascii_case("/c") || text.eq_ignore_ascii_case("/k"))
    }) else {
        return call.output();
    };
    let rest = call.args.get(at + 1..).unwrap_or_default();
    let text: Vec<String> = rest.iter().map(|arg| arg.shown().into_owned()).collect();
    let span = call.span;
    for command in text.join(" ").split(['&', '|', '\n']) {
        let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches('"')).collect();
        let Some((program, args)) = words.split_first() else { continue };
        let program = program.to_ascii_lowercase();
        let operands = || args.iter().filter(|word| !word.starts_with('/') || word.len() > 3);
        match program.trim_end_matches(".exe") {
            "del" | "erase" | "rd" | "rmdir" => {
                let tree = args.iter().any(|word| word.eq_ignore_ascii_case("/s")) || program.starts_with("rd");
                for path in operands() {
                    let value = code::file_pattern(&path.replace('\\', if path.contains(':') { "\\" } else { "/" }));
                    shell.delete(&Arg { value, span }, if tree { Depth::Recursive } else { Depth::Single });
                }
            }
            "format" | "diskpart" | "cipher" => shell.tell(&code::WIPE, command.trim().to_owned(), span),
            "dir" | "echo" | "type" | "cd" | "set" | "ver" | "where" | "findstr" | "copy" | "mkdir" | "md" | "more"
            | "cls" => {}
            _ => {
                let argv: Vec<Arg> = words.iter().map(|word| Arg::text(*word, span)).collect();
                shell.run(&argv, Feed::none(), span);
            }
        }
    }
    call.output()
}
