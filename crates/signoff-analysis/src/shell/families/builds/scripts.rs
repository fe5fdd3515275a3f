//! The scripts of build systems as far as they run programs or delete: `cmake -P`, the files of ninja.

use signoff_model::Dialect;

use crate::{
    facts::FileText,
    path_effects::{Depth, Write},
    shell::{Call, Language, Shell, Written},
    value::{Arg, Feed},
};

/// The content of a script: what the text has written, what flows in, or what can be read.
pub(super) fn content(shell: &Shell<'_>, call: &Call, file: &Arg) -> Option<String> {
    if file.is("-") || file.is("/dev/stdin") {
        return call.stdin.known().map(str::to_owned);
    }
    let path = shell.place(&file.value).path.clone();
    match shell.written(&path) {
        Some(Written::Content(feed)) => feed.known().map(str::to_owned),
        _ => match shell.facts().text(&path) {
            FileText::Text(text) => Some(text),
            _ => None,
        },
    }
}

/// Does what a script of cmake does while it is read.
pub fn cmake_script(shell: &mut Shell<'_>, code: &Arg) {
    let text = code.shown().into_owned();
    for (command, words) in cmake_commands(&text) {
        let path = |word: &String| Arg::text(word.replace("$ENV{HOME}", &shell.whereabouts().home), code.span);
        let paths: Vec<Arg> = words.iter().map(path).collect();
        match (command.as_str(), words.first().map(String::as_str)) {
            ("file", Some("REMOVE" | "REMOVE_RECURSE")) => {
                let depth =
                    if words.first().is_some_and(|verb| verb == "REMOVE") { Depth::Single } else { Depth::Recursive };
                paths.iter().skip(1).for_each(|path| shell.delete(path, depth));
            }
            ("file", Some("WRITE" | "DOWNLOAD" | "COPY_FILE")) => {
                let position = if words.first().is_some_and(|verb| verb == "WRITE") { 1 } else { 2 };
                if let Some(path) = paths.get(position) {
                    shell.write(path, Write::Replace);
                }
            }
            ("execute_process" | "exec_program", _) => {
                let stops = [
                    "WORKING_DIRECTORY",
                    "RESULT_VARIABLE",
                    "OUTPUT_VARIABLE",
                    "ERROR_VARIABLE",
                    "TIMEOUT",
                    "OUTPUT_QUIET",
                    "ERROR_QUIET",
                    "COMMAND_ERROR_IS_FATAL",
                    "INPUT_FILE",
                    "OUTPUT_FILE",
                    "ARGS",
                ];
                for part in paths.split(|word| word.is("COMMAND")) {
                    let end = part
                        .iter()
                        .position(|word| word.known().is_some_and(|word| stops.contains(&word)))
                        .unwrap_or(part.len());
                    shell.run(part.get(..end).unwrap_or_default(), Feed::none(), code.span);
                }
            }
            _ => {}
        }
    }
}

/// The commands of a script with their words.
fn cmake_commands(text: &str) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let (mut word, mut inside, mut quoted) = (String::new(), false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends = !quoted && (letter.is_whitespace() || matches!(letter, '(' | ')' | ';'));
        match letter {
            '\\' => word.extend(letters.next()),
            '"' => quoted = !quoted,
            '#' if !quoted => while letters.next_if(|letter| *letter != '\n').is_some() {},
            '(' if !quoted && !inside => {
                all.push((std::mem::take(&mut word).to_ascii_lowercase(), Vec::new()));
                inside = true;
            }
            _ if ends => {
                if inside
                    && !word.is_empty()
                    && let Some((_, words)) = all.last_mut()
                {
                    words.push(std::mem::take(&mut word));
                }
                if letter == ')' {
                    inside = false;
                    word.clear();
                }
            }
            letter => word.push(letter),
        }
    }
    all
}

/// Runs the commands of a file of ninja.
pub(super) fn ninja_file(shell: &mut Shell<'_>, call: &Call, text: &str) {
    for line in text.lines() {
        if let Some((name, command)) = line.trim().split_once('=')
            && name.trim() == "command"
        {
            shell.run_code(
                Language::Shell(Dialect::Sh),
                &Arg::text(command.trim().replace("$$", "$"), call.span),
                Feed::none(),
            );
        }
    }
}
