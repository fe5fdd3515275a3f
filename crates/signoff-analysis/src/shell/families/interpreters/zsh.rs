//! The ways in which zsh splits a value into words, said in the way that every shell knows.
//!
//! zsh does not split `$x`; who wants that writes `${=x}`, `${(z)x}` or `${(s:,:)x}`. What a command prints is split
//! in zsh as well, so that `$(echo "$x")` gives the same words.

/// The text with these forms written out; none if it has none of them.
pub(super) fn split_forms(text: &str) -> Option<String> {
    let mut all = String::with_capacity(text.len());
    let mut rest = text;
    let mut found = false;
    while let Some(at) = rest.find("${") {
        let (before, tail) = rest.split_at_checked(at)?;
        all.push_str(before);
        match form(tail) {
            Some((meaning, behind)) => {
                found = true;
                all.push_str(&meaning);
                rest = behind;
            }
            None => {
                all.push_str("${");
                rest = tail.strip_prefix("${")?;
            }
        }
    }
    all.push_str(rest);
    found.then_some(all)
}

/// What one form at the beginning of the text means, and what stands behind it.
fn form(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix("${")?;
    let (separator, inner) = match inner.strip_prefix(['=', '~']) {
        Some(inner) => (None, inner),
        None => {
            let (flags, inner) = inner.strip_prefix('(')?.split_once(')')?;
            (separator(flags)?, inner)
        }
    };
    let (value, behind) = match inner.strip_prefix("${:-") {
        // A text in the place of a variable.
        Some(inner) => {
            let (text, behind) = inner.split_once("}}")?;
            let text = text.trim_matches(['"', '\'']);
            let plain = !text.contains(['"', '\'', '`', '$', '\\', '{', '}']);
            let split = separator.map_or_else(|| text.to_owned(), |separator| text.replace(separator, " "));
            (plain.then_some(split)?, behind)
        }
        None => {
            let (name, behind) = inner.split_once('}')?;
            let is_name =
                !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            is_name.then_some(())?;
            (separator.map_or_else(|| format!("${{{name}}}"), |mark| format!("${{{name}//{mark}/ }}")), behind)
        }
    };
    Some((format!("$(echo \"{value}\")"), behind))
}

/// What the flags split at: at words (none), or at a sign. No flags that do anything else are understood.
fn separator(flags: &str) -> Option<Option<char>> {
    match flags {
        "z" | "Z" | "f" => return Some(None),
        _ => {}
    }
    let mut letters = flags.strip_prefix('s')?.chars();
    let (open, sign, close) = (letters.next()?, letters.next()?, letters.next()?);
    let closes = open == close || matches!((open, close), ('(', ')') | ('[', ']') | ('<', '>'));
    let plain = sign == ' '
        || sign.is_ascii_alphanumeric()
        || matches!(sign, ',' | ':' | '_' | '-' | '.' | ';' | '+' | '@' | '=');
    (closes && plain && letters.next().is_none()).then_some((sign != ' ').then_some(sign))
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use super::split_forms;
    use crate::testing::check;

    #[test]
    fn the_forms_are_written_out() {
        for (text, meaning) in [
            ("${=x} a", Some("$(echo \"${x}\") a")),
            ("${(z)x}", Some("$(echo \"${x}\")")),
            ("${(s:,:)x}", Some("$(echo \"${x//,/ }\")")),
            ("${(s: :)${:-\"ls -l\"}}", Some("$(echo \"ls -l\")")),
            ("${x} ${(U)x} ${#x}", None),
            ("${(s:ab:)x}", None),
        ] {
            assert_eq!(split_forms(text).as_deref(), meaning, "{text}");
        }
    }

    #[test]
    fn what_zsh_splits_is_judged_by_its_words() {
        check(
            Verdict::Block,
            &[
                "zsh -c 'x=\"rm -rf /\"; ${=x}'",
                "zsh -c 'x=\"rm -rf /\"; ${(z)x}'",
                "zsh -c 'x=rm,-rf,/; ${(s:,:)x}'",
                "zsh -c '${(s: :)${:-\"dd if=/dev/zero of=/dev/sda\"}}'",
                "zsh -c 'x=\"/*\"; rm -rf ${~x}'",
            ],
        );
        check(Verdict::Allow, &["zsh -c 'x=\"ls -la\"; ${=x}'", "zsh -c 'print ${(U)x}'", "zsh -c 'echo ${(z)x}'"]);
    }
}
