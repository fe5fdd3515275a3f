//! fish: the same simple commands as in other shells, with blocks that end in `end`, lists that `set` makes and
//! substitutions without a dollar. What is plain is put into the words of bash; anything else is left as it is, and then
//! counts as unread.

/// Blocks nested deeper than this are not read.
const MAX_DEPTH: usize = 16;

/// The text in the words of bash; none if it holds more than is understood here.
pub(super) fn in_bash(text: &str) -> Option<String> {
    translated(text, 0)
}

fn translated(text: &str, depth: usize) -> Option<String> {
    // Escapes, indices and what fish takes for plain text do not mean the same.
    if depth > MAX_DEPTH || text.contains(['\\', '`']) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut open: Vec<&str> = Vec::new();
    for statement in statements(text)? {
        let words = substituted(&statement, depth)?;
        let words = words.trim();
        let (head, rest) =
            words.split_once(char::is_whitespace).map_or((words, ""), |(head, rest)| (head, rest.trim()));
        let line = match head {
            "" => continue,
            "for" => {
                open.push("done");
                format!("for {rest}; do")
            }
            "while" => {
                open.push("done");
                format!("while {}; do", condition(rest)?)
            }
            "if" => {
                open.push("fi");
                format!("if {}; then", condition(rest)?)
            }
            "else" => match rest.strip_prefix("if ") {
                Some(rest) => format!("elif {}; then", condition(rest)?),
                None if rest.is_empty() => "else".to_owned(),
                None => return None,
            },
            "begin" => {
                open.push("}");
                format!("{{ {}", plain(rest)?)
            }
            "end" => format!("{} {rest}", open.pop()?),
            "and" | "or" => {
                let sign = if head == "and" { "&&" } else { "||" };
                // It goes on from the statement before.
                let before = out.trim_end().len();
                out.truncate(before);
                format!(" {sign} {}", plain(rest)?)
            }
            "set" => set(rest)?,
            _ => plain(words)?,
        };
        out.push_str(&line);
        out.push('\n');
    }
    open.is_empty().then_some(out)
}

/// A condition, or what follows `and`: another command.
fn condition(words: &str) -> Option<String> {
    match words.split_once(char::is_whitespace) {
        Some(("not", rest)) => Some(format!("! {}", plain(rest)?)),
        _ => plain(words),
    }
}

/// A command in which no block begins.
fn plain(words: &str) -> Option<String> {
    const BLOCKS: &[&str] = &["for", "while", "if", "begin", "function", "switch", "case", "end", "else"];
    let heads = words.split(['|', '&']).filter_map(|part| part.split_whitespace().next());
    if heads.into_iter().any(|head| BLOCKS.contains(&head) || matches!(head, "set" | "and" | "or")) {
        return None;
    }
    Some(match words.split_once(char::is_whitespace) {
        Some(("not", rest)) => format!("! {rest}"),
        _ => words.to_owned(),
    })
}

/// `set -l name values`: a variable.
fn set(rest: &str) -> Option<String> {
    let mut rest = rest;
    let mut exports = false;
    while let Some(option) = rest.split_whitespace().next().filter(|word| word.starts_with('-')) {
        let letters = option.trim_start_matches('-');
        if !matches!(letters, "l" | "g" | "x" | "gx" | "xg" | "lx" | "f" | "local" | "global" | "export") {
            return None;
        }
        exports |= letters.contains('x') || letters == "export";
        rest = rest.get(option.len()..)?.trim_start();
    }
    let (name, values) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let values = values.trim();
    // The words of a list are separate; one value is one text.
    let one = !values.contains([' ', '(', '*', '?', '{']);
    Some(match (exports, one) {
        (true, true) => format!("export {name}={values}"),
        (false, true) => format!("{name}={values}"),
        (true, false) => format!("{name}=({values}); export {name}"),
        (false, false) => format!("{name}=({values})"),
    })
}

/// The statements of a text, parted at ends of lines and semicolons.
fn statements(text: &str) -> Option<Vec<String>> {
    let mut all = vec![String::new()];
    let (mut quote, mut brackets) = (None, 0usize);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => brackets += 1,
            (None, ')') => brackets = brackets.checked_sub(1)?,
            (None, ';' | '\n') if brackets == 0 => {
                all.push(String::new());
                continue;
            }
            // A comment may hold anything.
            (None, '#') => return None,
            _ => {}
        }
        all.last_mut()?.push(letter);
    }
    (quote.is_none() && brackets == 0).then_some(all)
}

/// A statement whose substitutions have a dollar before them.
fn substituted(statement: &str, depth: usize) -> Option<String> {
    let mut out = String::with_capacity(statement.len() + 8);
    let mut quote = None;
    let mut inner: Option<(usize, String)> = None;
    for letter in statement.chars() {
        if let Some((level, code)) = &mut inner {
            match letter {
                '(' => *level += 1,
                ')' if *level == 0 => {
                    out.push_str("$(");
                    out.push_str(translated(code, depth + 1)?.trim());
                    out.push(')');
                    inner = None;
                    continue;
                }
                ')' => *level -= 1,
                _ => {}
            }
            code.push(letter);
            continue;
        }
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            // Only newer ones substitute in double quotes.
            (Some('"'), '(') => return None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => {
                if out.ends_with('$') {
                    out.pop();
                }
                inner = Some((0, String::new()));
                continue;
            }
            // An index, unless it is the name of a test.
            (None, '[') if !out.is_empty() && !out.ends_with(' ') => return None,
            _ => {}
        }
        out.push(letter);
    }
    (quote.is_none() && inner.is_none()).then_some(out)
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use super::in_bash;
    use crate::testing::check;

    #[test]
    fn blocks_lists_and_substitutions_are_put_into_bash() {
        for (fish, bash) in [
            ("for f in src/*.ts; wc -l $f; end", Some("for f in src/*.ts; do\nwc -l $f\ndone \n")),
            ("set -l n (count *.rs); echo $n", Some("n=($(count *.rs))\necho $n\n")),
            ("if test -f a; echo b; else; echo c; end", Some("if test -f a; then\necho b\nelse\necho c\nfi \n")),
            ("test -f a; and echo b; or echo c", Some("test -f a && echo b || echo c\n")),
            ("set -gx A b", Some("export A=b\n")),
            ("function f; rm x; end", None),
            ("echo $argv[1]", None),
            ("echo \"(rm x)\"", None),
            ("for f in *; rm $f", None),
            ("echo a\\;b", None),
        ] {
            assert_eq!(in_bash(fish).as_deref(), bash, "{fish}");
        }
    }

    #[test]
    fn what_it_does_is_judged() {
        check(
            Allow,
            &[
                "fish -c 'for f in src/*.ts; wc -l $f; end'",
                "fish -c 'set -l n (count src/*.rs); if test $n -gt 3; echo many; end'",
                "fish -c 'for f in *.md; echo $f; end | sort | head'",
                "fish -c 'if git diff --quiet; echo clean; else; echo dirty; end'",
                "fish -c 'begin; echo a; echo b; end'",
                "fish -c 'test -d src; and ls src; or echo none'",
            ],
        );
        check(
            Ask,
            &[
                "fish -c 'for f in src/*; rm -rf $f; end'",
                "fish -c 'set -l d data; rm -rf $d'",
                "fish -c 'echo (rm -rf data)'",
                "fish -c 'if true; rm -rf data; end'",
                "fish -c 'test -d data; and rm -rf data'",
                "fish -c 'function f; rm -rf data; end; f'",
                "fish -c 'set -gx LD_PRELOAD ./x.so; ls'",
                "fish -c 'ls | while read l; rm $l; end'",
            ],
        );
        check(Block, &["fish -c 'for d in / /etc; rm -rf $d; end'", "fish -c 'set -l d ~; rm -rf $d'"]);
    }
}
