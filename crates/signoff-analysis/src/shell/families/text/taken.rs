//! What a filter of `jq` takes out of an object in which some values are secrets: only names, or values that it names
//! one by one, so that their names say whether they are secrets.

use crate::words::is_listed;

/// The filter among the arguments of `jq`; none if it stands in a file.
pub fn filter_of<'a>(args: &[&'a str]) -> Option<&'a str> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match *arg {
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" | "--argfile" => {
                args.next();
                args.next();
            }
            "--indent" | "-L" | "--library-path" => {
                args.next();
            }
            "-f" | "--from-file" => return None,
            cluster if cluster.starts_with('-') && !cluster.starts_with("--") && cluster.contains('f') => return None,
            option if option.len() > 1 && option.starts_with('-') => {}
            filter => return Some(filter),
        }
    }
    None
}

/// Whether nothing comes out of a filter but names, numbers, and values that it names.
pub fn takes_by_name(filter: &str) -> bool {
    let stages = split(filter, '|');
    let Some((first, rest)) = stages.split_first() else { return false };
    // The next text is one that nobody has taken anything out of.
    let is_sign = |letter: char| !letter.is_alphanumeric() && letter != '_';
    if filter.split(is_sign).any(|word| matches!(word, "input" | "inputs")) {
        return false;
    }
    // What is bound to a name leaves the whole object flowing on.
    if rest.iter().any(|stage| stage.contains(" as ")) || first.contains(" as ") {
        return false;
    }
    match (*first, rest) {
        ("keys" | "keys[]" | "keys_unsorted" | "keys_unsorted[]" | "length" | "to_entries[].key", _) => true,
        ("to_entries[]" | "to_entries | .[]", [key, ..]) => *key == ".key",
        ("to_entries", [key, ..]) => matches!(*key, "map(.key)" | ".[].key"),
        (first, _) => {
            let object = first.strip_prefix('{').and_then(|first| first.strip_suffix('}'));
            match object {
                Some(fields) => split(fields, ',').iter().all(|field| {
                    // `{vpc_id}` is short for `{vpc_id: .vpc_id}`.
                    field.split_once(':').map_or_else(|| is_word(field), |(_, value)| names_one(value.trim()))
                }),
                None => split(first, ',').iter().all(|path| names_one(path)),
            }
        }
    }
}

/// Whether nothing comes out of a filter of a whole state but numbers, and what resources are called.
pub fn takes_what_things_are_called(filter: &str) -> bool {
    let is_sign = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let speaks_beside = |word: &str| {
        matches!(word, "input" | "inputs" | "debug" | "stderr" | "error" | "halt_error" | "input_line_number")
    };
    let Some(last) = split(filter, '|').last().copied() else { return false };
    let is_path =
        last.starts_with('.') && last.chars().all(|letter| letter.is_alphanumeric() || "._[]?".contains(letter));
    let name = last.rsplit('.').next().unwrap_or_default().trim_end_matches("[]");
    !filter.split(is_sign).any(speaks_beside)
        && (matches!(last, "length" | "keys" | "keys[]")
            || is_path && matches!(name, "address" | "type" | "name" | "mode" | "provider_name"))
}

/// Whether a path leads to one value, and not to whatever is kept beside it: `.outputs` names nothing in particular.
fn names_one(path: &str) -> bool {
    let is_container = |step: &str| matches!(step, "" | "outputs" | "values" | "value" | "root_module" | "resources");
    is_path(path) && !path.replace(['"', '?', '['], ".").split(['.', ']']).all(is_container)
}

/// Whether nothing comes out of a filter but names, kinds and numbers: a path, then what takes the names, then what does
/// something to them. An error shows the value in which there are no names, so the path must not lead to a secret itself.
pub fn takes_names(filter: &str) -> bool {
    let stages = split(filter, '|');
    let mut steps = stages.iter().copied();
    let mut path = Vec::new();
    let mut step = steps.next();
    while let Some(part) = step.filter(|part| *part == "." || is_path(part)) {
        path.push(part);
        step = steps.next();
    }
    let is_argument = |text: &str| {
        let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        quoted.is_some_and(|text| !text.contains(['"', '\\']))
            || !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let given = |step: &str, name: &str| {
        let inside =
            step.strip_prefix(name).and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.strip_suffix(')'));
        inside.is_some_and(is_argument)
    };
    let takes = match step {
        Some("length" | "type") => true,
        Some("keys" | "keys[]" | "keys_unsorted" | "keys_unsorted[]" | "to_entries[].key") => {
            path.iter().all(|path| holds_names(path))
        }
        Some("map_values(type)" | "map(type)") => path.iter().all(|path| holds_names(path)),
        Some(step) => given(step, "has"),
        None => false,
    };
    takes
        && steps.all(|step| {
            matches!(step, ".[]" | "length" | "sort" | "unique" | "@csv" | "@tsv" | ".[0]" | "first" | "last" | "add")
                || given(step, "join")
        })
}

/// Whether what a path leads to holds several things, as its name says, and is not a value that is secret itself.
fn holds_names(path: &str) -> bool {
    const SEVERAL: &str = "data stringData env environment config auths secrets users clusters contexts services variables \
        outputs values resources items servers mcpServers hooks dependencies scripts";
    let name = path.trim_start_matches(['.', '[', '"']).trim_end_matches(['"', ']', '?']);
    path == "." || is_word(name) && is_listed(SEVERAL, name)
}

/// The parts of a filter between signs that stand in no bracket and no text.
fn split(filter: &str, sign: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut escaped, mut start) = (0_usize, false, false, 0);
    for (at, letter) in filter.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            letter if letter == sign && depth == 0 => {
                parts.push(filter.get(start..at).unwrap_or_default().trim());
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(filter.get(start..).unwrap_or_default().trim());
    parts
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
}

/// `.vpc_id.value`, `."vpc-id"`, `.["vpc_id"].value[0]`: the first step is a name.
fn is_path(path: &str) -> bool {
    let Some(steps) = path.strip_prefix('.') else { return false };
    let plain = steps.replace(['"', '?'], "");
    let mut steps = plain.split(['.', '[']).map(|step| step.trim_end_matches(']'));
    let first = steps.next().filter(|first| !first.is_empty()).or_else(|| steps.next());
    // A number takes whichever stands there, which has no name.
    first.is_some_and(|first| is_word(first) && !first.bytes().all(|byte| byte.is_ascii_digit()))
        && steps.all(|step| step.is_empty() || is_word(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_taken_by_name() {
        for filter in [
            "keys",
            "keys[]",
            ".vpc_id.value",
            ".vpc_id.value, .name.value",
            "to_entries[] | .key",
            "{vpc: .vpc_id.value}",
            "{vpc_id}",
            ".[\"vpc_id\"].value[0]",
            ".\"vpc-id\".value | split(\",\")",
            ".subnets.value[]",
            ".outputs.vpc_id.value",
            ".input_bucket.value",
        ] {
            assert!(takes_by_name(filter), "{filter}");
        }
        for filter in [
            ".",
            "..",
            ". ",
            ".vpc_id, .",
            ".x, .[]",
            ".[]",
            ".[0]",
            "to_entries[]",
            "to_entries[] | .value",
            "map_values(.value)",
            ".vpc_id.value as $x | .",
            "{a: .}",
            "{a: .x, b: ..}",
            ".outputs | ..",
            ".outputs[]",
            ".\"outputs\"[]",
            ".values | to_entries",
            ".values.outputs[]",
            "keys | input",
            "keys | map(input)",
            ".vpc_id | inputs",
            "{a: .outputs}",
            "",
        ] {
            assert!(!takes_by_name(filter), "{filter}");
        }
    }

    #[test]
    fn names_are_taken_and_nothing_else() {
        for filter in [
            "keys",
            ".auths | keys[]",
            ". | keys",
            ".data | keys | .[]",
            ".secrets | keys",
            ".token | length",
            "has(\"token\")",
            "has(0)",
            "map_values(type)",
            "keys | join(\",\")",
            "keys|length",
        ] {
            assert!(takes_names(filter), "{filter}");
        }
        for filter in [
            ".",
            "",
            ".token",
            "keys, .token",
            "keys | .token",
            ".token | keys",
            ".[] | keys",
            ".x[] | keys",
            ".auths.h.auth | keys",
            ".pat | keys",
            ".pass | keys",
            ".access | keys",
            ".passwords | keys",
            ".address | keys",
            ".tokens[] | map(type)",
            "has(error(.token))",
            "has(debug)",
            "has(\"\\(error)\")",
            "keys as $k | .token",
            "keys | join(\"\\(input)\")",
            "keys | join(\"\" + input)",
            "$keys",
            "to_entries",
        ] {
            assert!(!takes_names(filter), "{filter}");
        }
    }

    #[test]
    fn the_value_of_an_option_is_not_the_filter() {
        for (args, filter) in [
            (&["-r", ".x"][..], Some(".x")),
            (&["--arg", ".x", "y", "."], Some(".")),
            (&["-L", ".x", "."], Some(".")),
            (&["-rf", ".x"], None),
            (&["--tab", "-c", ".x", "f.json"], Some(".x")),
        ] {
            assert_eq!(filter_of(args), filter, "{args:?}");
        }
    }
}
