//! Expressions of vim: which functions they call. One that is not known to be harmless stays unread.

use signoff_model::Unread;

use super::{
    commands::{Step, inner},
    keys,
};
use crate::{shell::Language, words::is_listed};

/// Functions that compute, look at the text or say something about the editor.
const HARMLESS: &str = "abs acos and append argc argv argidx asin atan atan2 bufexists buflisted bufloaded bufname bufnr bufwinid \
    byteidx ceil changenr char2nr charidx clearmatches col copy cos count cursor deepcopy did_filetype diff_hlID empty escape \
    eventhandler exists extend filereadable filewritable finddir findfile flatten float2nr floor fmod fnameescape fnamemodify \
    foldclosed foldlevel foreground get getbufinfo getbufline getbufvar getchar getcharpos getcmdline getcursorcharpos getcurpos \
    getcwd getftime getftype getfsize getline getloclist getmarklist getpid getpos getqflist getreg gettabinfo getwininfo has \
    has_key haslocaldir hlexists hlID hostname indent index insert invert isdirectory islocked isnan items join json_decode \
    json_encode keys len line line2byte lispindent list2str localtime log log10 match matchend matchlist matchstr matchstrpos max \
    min mode nextnonblank nr2char or pathshorten pow prevnonblank printf range reltime reltimestr remove repeat resolve reverse \
    round screencol screenrow search searchcount searchpos setcharpos setcursorcharpos setline setpos shellescape shiftwidth \
    simplify sin split sqrt str2float str2list str2nr strcharpart strchars strdisplaywidth strftime strgetchar stridx string \
    strlen strpart strptime strridx strtrans strwidth submatch swapname synID synIDattr synIDtrans tabpagenr tan tempname \
    tolower toupper tr trim trunc type undofile undotree values virtcol visualmode wincol winheight winline winnr winwidth \
    wordcount xor stdpath nvim_get_current_line nvim_buf_line_count nvim_list_bufs nvim_list_runtime_paths";

/// Reads an expression: what its functions run.
pub(super) fn read(text: &str, steps: &mut Vec<Step>, depth: usize) {
    let mut rest = text;
    let mut word = String::new();
    while let Some(letter) = rest.chars().next() {
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        match letter {
            '"' | '\'' => {
                let (_, after) = literal(rest);
                rest = after;
                word.clear();
                continue;
            }
            '(' if !word.is_empty() => {
                called(&std::mem::take(&mut word), behind, text, steps, depth);
            }
            letter if letter.is_ascii_alphanumeric() || "_#:.".contains(letter) => word.push(letter),
            // Between a name and its bracket nothing may stand but blanks of a cautious reader.
            ' ' if behind.trim_start().starts_with('(') => {}
            _ => word.clear(),
        }
        rest = behind;
    }
}

/// Lua inside the editor: where it calls the editor back.
pub(super) fn read_lua(code: &str, steps: &mut Vec<Step>, depth: usize) {
    for (at, _) in code.match_indices("vim.") {
        let rest = code.get(at + "vim.".len()..).unwrap_or_default();
        let end =
            rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"_.".contains(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let behind = behind.trim_start();
        let arguments = behind.strip_prefix('(').unwrap_or(behind);
        let opaque = || Step::Opaque(Unread::EditorCode(format!("vim.{name}")));
        match name.split_once('.').unwrap_or((name, "")) {
            ("cmd", "") => {
                let (command, sure) = first_argument(arguments);
                inner(&command, steps, depth);
                steps.extend((!sure && behind.starts_with('(')).then(opaque));
            }
            ("cmd", _) | ("uv" | "loop", "spawn" | "fs_unlink" | "fs_rename" | "fs_rmdir") => steps.push(opaque()),
            ("fn", function) | ("api", function) if !function.is_empty() => {
                let looks = [
                    "nvim_get_",
                    "nvim_list_",
                    "nvim_buf_get_",
                    "nvim_win_get_",
                    "nvim_set_option",
                    "nvim_create_augroup",
                ];
                if !looks.iter().any(|start| function.starts_with(start))
                    && behind.starts_with(['(', '"', '\'', '[', '{'])
                {
                    called(function, arguments, code, steps, depth);
                }
            }
            _ => {}
        }
    }
}

/// A function is called with the arguments behind its bracket.
fn called(name: &str, arguments: &str, whole: &str, steps: &mut Vec<Step>, depth: usize) {
    let opaque = || Step::Opaque(Unread::EditorCode(name.to_owned()));
    let (first, sure) = first_argument(arguments);
    match name {
        _ if is_listed(HARMLESS, name) => {}
        // Words of the language itself.
        "if" | "in" | "return" | "call" | "let" => {}
        "system" | "systemlist" | "job_start" | "jobstart" | "term_start" | "termopen" => {
            steps.extend((!first.is_empty()).then_some(Step::Runs(first)));
            steps.extend((!sure).then(opaque));
        }
        "execute" | "win_execute" | "nvim_command" | "nvim_exec" | "nvim_exec2" => {
            inner(&first, steps, depth);
            steps.extend((!sure).then(opaque));
        }
        "feedkeys" | "nvim_feedkeys" | "nvim_input" => {
            keys::read(&first, steps, depth);
            steps.extend((!sure).then(opaque));
        }
        "eval" if sure => inner(&format!("eval {first}"), steps, depth),
        "luaeval" if sure => steps.push(Step::Code(Language::Lua, first)),
        "pyeval" | "py3eval" | "pyxeval" if sure => steps.push(Step::Code(Language::Python, first)),
        // A pattern of files may hold a command.
        "expand" | "glob" | "globpath" if sure && !first.contains('`') => {}
        "substitute" if !whole.contains("\\=") => {}
        // Calls of the editor look like those of Lua, and have names that Lua does not use.
        "delete" => {
            steps.push(Step::Code(Language::Lua, whole.to_owned()));
            steps.extend((!sure).then(opaque));
        }
        "readfile" if sure => steps.push(Step::Reads(first)),
        "mkdir" if sure => {}
        _ => steps.push(opaque()),
    }
}

/// The text of the first argument, and whether that is all of it. A list of words is a command line.
fn first_argument(arguments: &str) -> (String, bool) {
    let inside = arguments.trim_start();
    // Lua has another pair of signs for a text that may be long.
    if let Some((text, rest)) = inside.strip_prefix("[[").and_then(|text| text.split_once("]]")) {
        return (text.to_owned(), !rest.trim_start().starts_with(".."));
    }
    if let Some(mut rest) = inside.strip_prefix(['[', '{']) {
        let mut words = Vec::new();
        loop {
            rest = rest.trim_start_matches([' ', ',']);
            if !rest.starts_with(['"', '\'']) {
                return (words.join(" "), rest.starts_with([']', '}']));
            }
            let (word, after) = literal(rest);
            words.push(crate::shell::quote(&word));
            rest = after;
        }
    }
    if !inside.starts_with(['"', '\'']) {
        return (String::new(), false);
    }
    let (text, after) = literal(inside);
    (text, after.trim_start().is_empty() || after.trim_start().starts_with([')', ',', ';', '\n']))
}

/// The text that literals make together, as `:execute` puts them, and whether there is nothing else.
pub(super) fn joined(text: &str) -> (String, bool) {
    let (mut joined, mut sure, mut rest) = (String::new(), true, text.trim());
    let mut glued = true;
    while let Some(letter) = rest.chars().next() {
        match letter {
            '"' | '\'' => {
                let (part, after) = literal(rest);
                if !glued {
                    joined.push(' ');
                }
                joined.push_str(&part);
                (rest, glued) = (after, false);
                continue;
            }
            '.' => glued = true,
            letter if letter.is_whitespace() => {}
            _ => sure = false,
        }
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    (joined, sure)
}

/// A text in quotes without them, and what stands behind it.
fn literal(text: &str) -> (String, &str) {
    let mut letters = text.chars();
    let Some(quote) = letters.next() else { return (String::new(), "") };
    let mut inside = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            // In single quotes two of them are one.
            '\'' if quote == '\'' && letters.as_str().starts_with('\'') => {
                letters.next();
                inside.push('\'');
            }
            letter if letter == quote => break,
            '\\' if quote == '"' => match letters.next() {
                Some('n') => inside.push('\n'),
                Some('r') => inside.push('\r'),
                Some('t') => inside.push('\t'),
                Some('e') => inside.push('\u{1b}'),
                // A key by its name is read where keys are.
                Some(other) => inside.push(other),
                None => break,
            },
            letter => inside.push(letter),
        }
    }
    (inside, letters.as_str())
}
