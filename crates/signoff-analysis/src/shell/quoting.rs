//! From words to a text: the one place that knows what a shell leaves alone.

use signoff_model::Dialect;

use super::syntax;

/// What a shell takes for a part of a word wherever it stands.
const PLAIN: &str = "-_./=:,@%+^";

/// A word as a text from which a shell makes the same word again, as long as a word stands before it.
pub fn quote(word: &str) -> String {
    // Braces that hold no list are letters, as in `stash@{0}`; so is `~` where no directory of somebody's can begin.
    let lists = word.contains(',') || word.contains("..") || matches!(word, "{" | "}");
    let homes = word.starts_with('~') || word.contains([':', '=']);
    let is_plain = |letter: char| match letter {
        '{' | '}' => !lists,
        '~' => !homes,
        letter => letter.is_ascii_alphanumeric() || PLAIN.contains(letter),
    };
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    in_quotes(word)
}

/// A program and its arguments as a text from which a shell makes the same words again.
pub fn text_of_words(words: &[&str]) -> String {
    let Some((program, arguments)) = words.split_first() else { return String::new() };
    // Where a command begins, more is read than a word: assignments and the shell's own language.
    let begins_otherwise = program.contains('=') || syntax::is_reserved(program, Dialect::Bash);
    let mut text = if begins_otherwise { in_quotes(program) } else { quote(program) };
    for argument in arguments {
        text.push(' ');
        text.push_str(&quote(argument));
    }
    text
}

fn in_quotes(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{quote, text_of_words};

    #[test]
    fn what_a_shell_leaves_alone_stays_readable() {
        for (word, expected) in [
            ("a.b", "a.b"),
            ("HEAD~1", "HEAD~1"),
            ("HEAD^", "HEAD^"),
            ("stash@{0}", "stash@{0}"),
            ("@{u}", "@{u}"),
            ("a=b", "a=b"),
            ("", "''"),
            ("~", "'~'"),
            ("~user/x", "'~user/x'"),
            ("a=~/x", "'a=~/x'"),
            ("a:~", "'a:~'"),
            ("{a,b}", "'{a,b}'"),
            ("{1..3}", "'{1..3}'"),
            ("it's", r"'it'\''s'"),
            ("*", "'*'"),
            ("ü", "'ü'"),
        ] {
            assert_eq!(quote(word), expected);
        }
        for (words, expected) in [
            (&["if", "x"][..], "'if' x"),
            (&["A=b", "x"], "'A=b' x"),
            (&["make", "A=b"], "make A=b"),
            (&["{"], "'{'"),
            (&["!"], "'!'"),
            (&["time", "x"], "'time' x"),
            (&[], ""),
        ] {
            assert_eq!(text_of_words(words), expected);
        }
    }

    #[test]
    fn bash_makes_the_same_words_again() {
        for words in [
            &[
                "rm", "-rf", "a b", "it's", "$HOME", "*", "~", "{a,b}", "", "\n", "x=y", "\\", "!", "#", "a;b", "`ls`",
                "ü", "x=~", "a:~", "~root", "{1..3}", "@{u}", "HEAD~1", "^x", "{", "}", "a{b", "{a}", "%s",
            ][..],
            &["printf", "%s", "<(x)", "\"", "\t", "&", "|", ">", "[a]", "?", "+(x)", "if"],
        ] {
            let text = text_of_words(&[&["printf", "%s\\0"], words].concat());
            let output = Command::new("bash").args(["-c", &text]).output().unwrap();
            let found: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
            let expected: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).chain([&b""[..]]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
