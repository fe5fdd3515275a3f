//! Programs of `awk`, read as far as it takes to know that they let lines through and write none.

/// Whether a program lets whole lines through and does nothing else to them: each rule is a condition, or prints the line
/// as it is. Anything that may set a field, a variable or the input asks for more than is read here.
pub(super) fn only_chooses(program: &str) -> bool {
    let Some(mut rest) = without_literals(program) else { return false };
    loop {
        let (condition, behind) = match rest.split_once('{') {
            Some((condition, behind)) => (condition.to_owned(), Some(behind.to_owned())),
            None => (rest.clone(), None),
        };
        // Conditions by themselves end where their line does.
        if !condition.split(['\n', ';']).all(only_asks) {
            return false;
        }
        let Some(behind) = behind else { return true };
        let Some((action, behind)) = behind.split_once('}') else { return false };
        let is_harmless = |step: &str| matches!(step.trim(), "" | "print" | "print $0" | "print($0)" | "next" | "exit");
        if !action.split([';', '\n']).all(is_harmless) {
            return false;
        }
        rest = behind.to_owned();
    }
}

/// Whether a condition only asks: about fields, numbers of lines and whether a line was seen before.
fn only_asks(condition: &str) -> bool {
    let condition = without_memory(condition.trim());
    let compared = ["==", "!=", "<=", ">=", "||"].iter().fold(condition, |rest, sign| rest.replace(sign, " "));
    let changes = ["=", "++", "--", "|"].iter().any(|sign| compared.contains(sign));
    let mut words = compared.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_known = |word: &str| {
        matches!(word, "" | "NR" | "NF" | "FNR" | "length" | "substr" | "index" | "tolower" | "toupper" | "match")
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    !changes && words.all(is_known)
}

/// A condition without `!seen[$0]++`, which lets each line through once.
fn without_memory(condition: &str) -> String {
    let Some((name, rest)) = condition.strip_prefix('!').and_then(|rest| rest.split_once('[')) else {
        return condition.to_owned();
    };
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match rest.split_once("]++") {
        Some((key, behind)) if is_name && is_field(key) => behind.to_owned(),
        _ => condition.to_owned(),
    }
}

fn is_field(key: &str) -> bool {
    key.strip_prefix('$').is_some_and(|number| number == "NF" || number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The program with a number in the place of each text and each pattern; none if it cannot be told where one ends.
fn without_literals(program: &str) -> Option<String> {
    let mut plain = String::with_capacity(program.len());
    let mut letters = program.chars();
    while let Some(letter) = letters.next() {
        let before = plain.trim_end().chars().next_back();
        let begins_pattern = letter == '/' && before.is_none_or(|before| "!~(&|,;{}\n".contains(before));
        match letter {
            '"' | '/' if letter == '"' || begins_pattern => {
                loop {
                    match letters.next()? {
                        '\\' => drop(letters.next()?),
                        // Within brackets a slash ends nothing, for some of them.
                        '[' if letter == '/' && letters.as_str().split(']').next()?.contains('/') => return None,
                        '\n' => return None,
                        end if end == letter => break,
                        _ => {}
                    }
                }
                plain.push('0');
            }
            '#' | '\\' | '/' => return None,
            letter => plain.push(letter),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::only_chooses;

    #[test]
    fn lines_are_chosen_or_written_anew() {
        for program in [
            "/x/",
            "!/x/",
            "NR>5",
            "NR > 5 && NR <= 10",
            "NR==1 || /x/",
            "!seen[$0]++",
            "!a[$1]++",
            "{print}",
            "{ print $0 }",
            "/a/ { print } /b/ { next }",
            "NR%2==0{print;next}",
            "length($0) > 80",
            "$1 ~ /x/",
            "$3 == \"root\" {print $0}",
            "1",
        ] {
            assert!(only_chooses(program), "{program}");
        }
        for program in [
            "{print $1}",
            "{print \"../\" $0}",
            "{print $0 \"x\"}",
            "{printf $0}",
            "{sub(/a/,\"b\")}1",
            "sub(/a/,\"b\")",
            "$0=\"src\"",
            "$1=\"src\"",
            "$1++",
            "$x[1]++",
            "!$x[1]++",
            "!$0++",
            "getline",
            "BEGIN{RS=\"/\"}1",
            "END{print \"src\"}",
            "BEGIN {print}",
            "{$1=\"\";print}",
            "{x=1}1",
            "gsub(/[/]/,\"\")",
            "\"ls\" | getline",
            "{print > \"f\"}",
            "{print | \"sh\"}",
            "# x\n{print}",
            "1;{print 2}",
        ] {
            assert!(!only_chooses(program), "{program}");
        }
    }
}
