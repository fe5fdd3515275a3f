//! What comes out of the filters that people put behind a secret: nothing of it, or only the names in lines of the form
//! `NAME=value`. A filter counts only if everything that it is told is known here; whatever else it does is for its family.

use super::{
    families::{
        secrets::is_harmless_variable,
        text::{GREP, taken},
    },
    options::{Options, Syntax},
};
use crate::{value::Arg, words::Words};

/// What comes out of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetsOut {
    /// A number, a sum, signs in the place of letters, or nothing at all, whatever flows in.
    Measure,
    /// The names, if lines of the form `NAME=value` flow in; of anything else it may be all.
    Names,
    /// The names in a structured text; the first operand is the filter, and the others are files.
    Keys,
}

/// The programs that are known here: those that let out less than flows in, those that pass it on, and those that print
/// what is secret.
pub(super) static KNOWN: Words<128> = Words::new(
    "awk b2sum b3sum cat cksum compgen cut declare egrep env export gawk gojq grep gsed head jaq jq mawk md5 md5sum \
    printenv sed set sha1sum sha224sum sha256sum sha384sum sha512sum shasum sort sum tail terraform terragrunt \
    tofu tr uniq wc yq",
);

/// What comes out of a filter, if it is known to be less than flows in.
pub(super) fn lets_out(program: &str, args: &[Arg]) -> Option<LetsOut> {
    if !KNOWN.holds(program) {
        return None;
    }
    let texts: Vec<&str> = args.iter().map(Arg::known).collect::<Option<_>>()?;
    match program {
        "wc" => {
            let options = Options::read(args, &Syntax::default());
            only(&options, "lcwmL", &["lines", "bytes", "words", "chars", "max-line-length"])
                .then_some(LetsOut::Measure)
        }
        // Passing on what flows in is what `-p` of one of them says.
        "md5" => only(&Options::read(args, &Syntax::default()), "qr", &[]).then_some(LetsOut::Measure),
        "md5sum" | "sha1sum" | "sha224sum" | "sha256sum" | "sha384sum" | "sha512sum" | "shasum" | "b2sum" | "b3sum"
        | "cksum" | "sum" => {
            let syntax = Syntax { short_values: "al", long_values: &["algorithm", "length"], ..Syntax::default() };
            let words = &["algorithm", "length", "binary", "text", "tag", "zero"];
            only(&Options::read(args, &syntax), "albtzrs0", words).then_some(LetsOut::Measure)
        }
        "cut" => takes_first_field(args).then_some(LetsOut::Names),
        "awk" | "gawk" | "mawk" => by_awk(args),
        "sed" | "gsed" => by_sed(args),
        "grep" | "egrep" => by_grep(args, &texts),
        "jq" | "gojq" | "jaq" => {
            let is_plain = |option: &str| {
                let letters = option.trim_start_matches('-');
                match option.starts_with("--") {
                    true => matches!(letters, "raw-output" | "compact-output" | "exit-status" | "sort-keys" | "tab"),
                    false => letters.chars().all(|letter| "rceSMCsja".contains(letter)),
                }
            };
            takes_keys(&texts, is_plain).then_some(LetsOut::Keys)
        }
        "yq" => takes_keys(&texts, |option| matches!(option, "-r" | "-M" | "-C" | "-N" | "-o=json" | "-oj"))
            .then_some(LetsOut::Keys),
        _ => None,
    }
}

/// Whether a program hands on what flows in, or some of its lines, and puts it nowhere else.
pub(super) fn passes_on(program: &str, args: &[Arg]) -> bool {
    match program {
        "cat" | "tr" | "grep" | "egrep" => true,
        "sort" => {
            let options = Options::read(args, &Syntax { short_values: "kt", ..Syntax::default() });
            let words = &["reverse", "unique", "numeric-sort", "version-sort", "ignore-case"];
            only(&options, "nrufbdghiMRVszkt", words)
        }
        // A second operand is where the lines are written.
        "uniq" => {
            let options = Options::read(args, &Syntax::default());
            options.operands.is_empty() && only(&options, "cdiu", &["count", "repeated", "unique", "ignore-case"])
        }
        "head" | "tail" => {
            let syntax = Syntax { short_values: "nc", long_values: &["lines", "bytes"], ..Syntax::default() };
            only(&Options::read(args, &syntax), "ncqv0123456789", &["lines", "bytes", "quiet"])
        }
        _ => false,
    }
}

/// Whether a file holds lines of the form `NAME=value`, as its name says.
pub(super) fn holds_variables(path: &str) -> bool {
    const OTHERS: &[&str] =
        &["json", "yaml", "yml", "toml", "xml", "pem", "key", "p12", "pfx", "gpg", "age", "enc", "gz", "zip", "tar"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let named = name == ".env" || name == ".envrc" || name.starts_with(".env.") || name.ends_with(".env");
    named && !path.contains('{') && !OTHERS.iter().any(|other| name.rsplit('.').next() == Some(other))
}

/// Whether no option was given but these.
fn only(options: &Options<'_>, letters: &str, words: &[&str]) -> bool {
    options.given.iter().all(|given| {
        let mut name = given.name.chars();
        match (name.next(), name.next()) {
            (Some(letter), None) => letters.contains(letter),
            _ => words.contains(&given.name.as_str()),
        }
    })
}

/// `cut -d= -f1`
fn takes_first_field(args: &[Arg]) -> bool {
    let syntax = Syntax {
        short_values: "dfbc",
        long_values: &["delimiter", "fields", "bytes", "characters", "output-delimiter"],
        long_flags: &["only-delimited", "complement", "zero-terminated"],
        ..Syntax::default()
    };
    let options = Options::read(args, &syntax);
    let all_are = |names: &[&str], wanted: &str| {
        let mut values = options.values(names).peekable();
        values.peek().is_some() && values.all(|value| value.is(wanted))
    };
    only(&options, "dfs", &["delimiter", "fields", "only-delimited"])
        && all_are(&["d", "delimiter"], "=")
        && all_are(&["f", "fields"], "1")
}

/// `awk -F= '/^AWS/ {print $1}'`, `awk '{print length($0)}'`
fn by_awk(args: &[Arg]) -> Option<LetsOut> {
    let options = Options::read(args, &Syntax { short_values: "Fvf", ..Syntax::default() });
    let (program, files) = options.operands.split_first()?;
    let (condition, body) = program.known()?.split_once('{')?;
    // An operand with `=` in it sets a variable, such as the sign between the fields.
    if !only(&options, "Fv", &[]) || files.iter().any(|file| file.shown().contains('=')) {
        return None;
    }
    let by_sign = options.given.iter().all(|given| match (given.name.as_str(), given.value.as_ref()) {
        ("F", Some(value)) => value.is("="),
        ("v", Some(value)) => value.is("FS=="),
        _ => false,
    });
    match body.replace(' ', "").as_str() {
        "printlength}" | "printlength()}" | "printlength($0)}" if condition.trim_matches(' ').is_empty() => {
            Some(LetsOut::Measure)
        }
        "printNR}" if condition.trim_matches(' ') == "END" => Some(LetsOut::Measure),
        "print$1}" | "print$1;}" if by_sign && !options.given.is_empty() && only_chooses(condition) => {
            Some(LetsOut::Names)
        }
        _ => None,
    }
}

/// Whether the condition of a rule only chooses lines: a pattern, and no more than that.
fn only_chooses(condition: &str) -> bool {
    let condition = condition.trim_matches(' ');
    let pattern = condition.trim_start_matches("$1~").trim_start_matches("$1 ~ ").trim_start_matches('!');
    let inside = pattern.strip_prefix('/').and_then(|pattern| pattern.strip_suffix('/'));
    condition.is_empty() || condition == "NF" || inside.is_some_and(|inside| !inside.contains(['/', '\n']))
}

/// `sed 's/=.*//'`, `sed 's/./*/g'`
fn by_sed(args: &[Arg]) -> Option<LetsOut> {
    let syntax = Syntax {
        short_values: "efl",
        long_values: &["expression", "file", "line-length"],
        long_flags: &["regexp-extended", "in-place", "quiet", "silent"],
        ..Syntax::default()
    };
    let options = Options::read(args, &syntax);
    if !only(&options, "Ere", &["expression", "regexp-extended"]) {
        return None;
    }
    let mut scripts = options.values(&["e", "expression"]);
    let script = match (scripts.next(), scripts.next()) {
        (Some(only), None) => only,
        (None, _) => options.operands.first()?,
        _ => return None,
    };
    let mut letters = script.known()?.strip_prefix('s')?.chars();
    let mark = letters.next().filter(|mark| mark.is_ascii_punctuation() && *mark != '\\')?;
    let parts: Vec<&str> = letters.as_str().split(mark).collect();
    let [found, by, flags] = parts.as_slice() else { return None };
    if by.contains(['&', '\\', '\n']) || !matches!(*flags, "" | "g") {
        return None;
    }
    match *found {
        "=.*" | "=.*$" => Some(LetsOut::Names),
        ".*" | "^.*" | "^.*$" => Some(LetsOut::Measure),
        "." | "[^-]" | "[^ ]" | "[A-Za-z0-9]" | "[a-zA-Z0-9]" | "[[:alnum:]]" if *flags == "g" => {
            Some(LetsOut::Measure)
        }
        _ => None,
    }
}

/// `grep -c .`, `grep -o '^[A-Z_]*'`, `grep PATH`
fn by_grep(args: &[Arg], texts: &[&str]) -> Option<LetsOut> {
    let options = Options::read(args, &GREP);
    if options.has(&["c", "count", "q", "quiet", "silent"]) {
        return Some(LetsOut::Measure);
    }
    let mut patterns = options.values(&["e", "regexp"]);
    let pattern = match (patterns.next(), patterns.next()) {
        (Some(only), None) => only,
        (None, _) => options.operands.first()?,
        _ => return None,
    };
    let names = options.has(&["o", "only-matching"])
        && only(&options, "oEPhiae", &["only-matching", "extended-regexp", "no-filename", "ignore-case", "regexp"])
        && pattern.known().is_some_and(matches_a_name);
    (names || only_harmless(texts)).then_some(LetsOut::Names)
}

/// Whether a pattern matches nothing but letters of a name from the beginning of the line on, or whatever stands before
/// the first `=`.
fn matches_a_name(pattern: &str) -> bool {
    const CLASSES: &[&str] = &["A-Z", "a-z", "0-9", "_"];
    let Some(mut rest) = pattern.strip_prefix('^') else { return false };
    while let Some(letter) = rest.chars().next() {
        rest = match rest.strip_prefix('[') {
            Some(class) => {
                let Some((inside, behind)) = class.split_once(']') else { return false };
                let mut left = inside;
                while let Some(next) = CLASSES.iter().find_map(|class| left.strip_prefix(class)) {
                    left = next;
                }
                if !left.is_empty() && inside != "^=" || inside.is_empty() {
                    return false;
                }
                behind
            }
            None if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '+' | '*') => {
                rest.get(1..).unwrap_or_default()
            }
            None => return false,
        };
    }
    true
}

/// Whether a search for lines of the form `name=value` finds only variables whose values are of no concern.
fn only_harmless(args: &[&str]) -> bool {
    // Found in the middle of a longer name, these say little about it.
    const SHORT: &[&str] = &["PWD", "USER", "HOST", "PORT", "CI", "DEBUG", "TZ", "LINES"];
    let pattern = match args {
        [pattern] | ["-i" | "-E" | "-w" | "-e" | "--", pattern] => *pattern,
        _ => return false,
    };
    pattern.split('|').all(|name| {
        let plain = name.trim_end_matches('\\').trim_start_matches('^').trim_end_matches('=').to_ascii_uppercase();
        is_harmless_variable(&plain) && !SHORT.contains(&plain.as_str())
    })
}

/// Whether a filter for structured texts takes names out of files, and is told nothing that could bring in anything else.
fn takes_keys(args: &[&str], is_plain: impl Fn(&str) -> bool) -> bool {
    args.iter().all(|arg| arg.len() < 2 || !arg.starts_with('-') || is_plain(arg))
        && taken::filter_of(args).is_some_and(taken::takes_names)
}

#[cfg(test)]
mod tests {
    use signoff_model::Span;

    use super::*;

    fn read(command: &str) -> Option<LetsOut> {
        let mut words = command.split('\u{1}').map(|word| Arg::text(word, Span::default()));
        let program = words.next().expect("a program");
        let args: Vec<Arg> = words.collect();
        lets_out(program.known().expect("a name"), &args)
    }

    #[test]
    fn what_a_filter_lets_out_depends_on_all_that_it_is_told() {
        for (words, expected) in [
            (&["wc", "-l"][..], Some(LetsOut::Measure)),
            (&["wc", "--files0-from=.env"], None),
            (&["md5", "-q"], Some(LetsOut::Measure)),
            (&["md5", "-p"], None),
            (&["md5sum", "-c"], None),
            (&["shasum", "-a", "256"], Some(LetsOut::Measure)),
            (&["cut", "-d", "=", "-f", "1"], Some(LetsOut::Names)),
            (&["cut", "-d=", "-f1", "--output-delimiter=x"], None),
            (&["cut", "-d=", "-f1", "-f2"], None),
            (&["cut", "-d=", "-f1", "--comp"], None),
            (&["awk", "-F=", "{print $1}"], Some(LetsOut::Names)),
            (&["awk", "-F=", "!/^#/ {print $1}"], Some(LetsOut::Names)),
            (&["awk", "-F=", "/KEY/; {print $1}"], None),
            (&["awk", "-F=", "/KEY/\n{print $1}"], None),
            (&["awk", "-F=", "$0=$2 {print $1}"], None),
            (&["awk", "-F=", "sub(/.*=/, \"\") {print $1}"], None),
            (&["awk", "-F=", "{print $1}", "FS=:", ".env"], None),
            (&["awk", "-F=", "-f", "x.awk", "{print $1}"], None),
            (&["awk", "-F=", "-F:", "{print $1}"], None),
            (&["awk", "{print length($0)}"], Some(LetsOut::Measure)),
            (&["awk", "{print length($0), $0}"], None),
            (&["sed", "s/=.*//"], Some(LetsOut::Names)),
            (&["sed", "s/=.*//w /tmp/x"], None),
            (&["sed", "s/=.*//", "-n"], None),
            (&["sed", "-e", "s/=.*//", "-e", "w /tmp/x"], None),
            (&["sed", "s/./*/g"], Some(LetsOut::Measure)),
            (&["sed", "s/./*/"], None),
            (&["sed", "s/.*/***/"], Some(LetsOut::Measure)),
            (&["sed", "s/.*/&***/"], None),
            (&["sed", "s/[^a-z]/*/g"], None),
            (&["grep", "-v", "-e", "-q"], None),
            (&["grep", "-ve", "-c"], None),
            (&["grep", "-c", "x"], Some(LetsOut::Measure)),
            (&["grep", "-oE", "^[A-Za-z0-9_]+"], Some(LetsOut::Names)),
            (&["grep", "-o", "^[^=]*"], Some(LetsOut::Names)),
            (&["grep", "-o", "^[^x]*"], None),
            (&["grep", "-o", "^[0-Z]*"], None),
            (&["grep", "-o", "^[+-a]*"], None),
            (&["grep", "-o", "[A-Z]*"], None),
            (&["grep", "-o", "-v", "^[A-Z]*"], None),
            (&["jq", "-r", "keys"], Some(LetsOut::Keys)),
            (&["jq", "-n", "keys"], None),
            (&["jq", "-R", "keys"], None),
            (&["jq", "--slurpfile", "keys", "s.json", "$keys"], None),
            (&["yq", "keys", "s.yaml"], Some(LetsOut::Keys)),
            (&["yq", "-p", "keys", ".token"], None),
        ] {
            assert_eq!(read(&words.join("\u{1}")), expected, "{words:?}");
        }
    }

    #[test]
    fn files_of_variables_are_known_by_their_names() {
        for path in [".env", "app/.env.local", "prod.env", ".envrc", "~/x/.env.example"] {
            assert!(holds_variables(path), "{path}");
        }
        for path in ["~/.ssh/id_rsa", ".env/key", ".env.json", "env", "{.env,~/.ssh/x.env}", "a.envx", ".env.key"] {
            assert!(!holds_variables(path), "{path}");
        }
    }

    #[test]
    fn words_that_the_shell_makes_anew_are_not_what_stands_there() {
        crate::testing::check(
            signoff_model::Verdict::Ask,
            &[
                "cat .env | cut -d= -f1 {-,--complement}",
                "cat ~/.ssh/id_rsa | sed 's/.*/x/' {-,-ep}",
                "cat .env | wc -l ?",
            ],
        );
    }
}
