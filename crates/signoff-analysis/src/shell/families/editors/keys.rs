//! Keys as typed in normal mode, by `:normal`, `-s` and `--remote-send`.

use signoff_model::Unread;

use super::commands::{Step, inner};

/// Keys behind which everything is typed into the text, up to the escape key.
const INSERTS: &[char] = &['i', 'a', 'o', 'I', 'A', 'O', 'c', 'C', 's', 'S', 'R'];
/// Keys that take the next one with them.
const TAKES_ONE: &[char] = &['f', 'F', 't', 'T', 'r', 'm', '\'', '"'];

/// Reads keys: what they type in, and the commands that they give.
pub(super) fn read(keys: &str, steps: &mut Vec<Step>, depth: usize) {
    let keys = &plain(keys);
    if keys.contains("ggdG") || keys.contains("dG") {
        steps.push(Step::Empties);
    }
    let mut letters = keys.char_indices();
    while let Some((at, letter)) = letters.next() {
        let behind = letters.as_str();
        match letter {
            // The rest of a motion with an object inside is no text: `ciw`, `dap`.
            'c' | 'd' | 'y' | 'v' | '=' | '<' | '>' if behind.starts_with(['i', 'a']) && letter != 'c' => {
                letters.next();
                letters.next();
            }
            _ if TAKES_ONE.contains(&letter) => drop(letters.next()),
            ':' => {
                let end = behind.find(['\r', '\n']).unwrap_or(behind.len());
                let (command, rest) = behind.split_at_checked(end).unwrap_or((behind, ""));
                inner(command, steps, depth);
                letters = rest.char_indices();
            }
            // A filter, a recorded command, a program that explains a word, another mode.
            '!' | '@' | 'K' | 'Q' => {
                let from = keys.get(at..).unwrap_or(behind);
                // What is typed behind `!` and a motion is a command of the shell.
                if letter == '!' {
                    let typed = from.trim_start_matches(['!', 'G', 'j', 'k', '}', '{', 'i', 'p']);
                    steps.push(Step::Filters(typed.trim_end_matches(['\r', '\n']).to_owned()));
                }
                return steps.push(Step::Opaque(Unread::EditorCommand));
            }
            'Z' if behind.starts_with('Z') => steps.push(Step::Writes),
            _ if INSERTS.contains(&letter) => {
                let end = behind.find('\u{1b}').unwrap_or(behind.len());
                let (text, rest) = behind.split_at_checked(end).unwrap_or((behind, ""));
                if !text.is_empty() {
                    steps.push(Step::Adds(text.to_owned()));
                }
                // What an expression gives is typed in as well.
                if text.contains(['\u{12}', '\u{0f}']) {
                    steps.push(Step::Opaque(Unread::EditorCommand));
                }
                letters = rest.char_indices();
            }
            _ => {}
        }
    }
}

/// Keys by their names as the keys themselves.
fn plain(keys: &str) -> String {
    let mut plain = keys.to_owned();
    for (name, key) in [
        ("<CR>", "\r"),
        ("<cr>", "\r"),
        ("<Enter>", "\r"),
        ("<Return>", "\r"),
        ("<Esc>", "\u{1b}"),
        ("<esc>", "\u{1b}"),
        ("<ESC>", "\u{1b}"),
        ("<C-[>", "\u{1b}"),
        ("<C-R>", "\u{12}"),
        ("<c-r>", "\u{12}"),
        ("<C-r>", "\u{12}"),
        ("<C-O>", "\u{0f}"),
        ("<C-o>", "\u{0f}"),
        ("<C-\\><C-N>", "\u{1b}"),
        ("<C-\\><C-n>", "\u{1b}"),
        ("<bar>", "|"),
        ("<Bar>", "|"),
    ] {
        if plain.contains(name) {
            plain = plain.replace(name, key);
        }
    }
    plain
}
