//! Words that make a person answer although a command is harmless. They only tighten: nothing here makes anything harmless.

/// The words, in small letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// One of these makes a person answer.
    pub danger: Vec<String>,
    /// Without one of these a person answers, where there are any.
    pub safe: Vec<String>,
}

/// Why a person answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// This word stands there.
    Danger(String),
    /// None of those stands there that have to.
    NoSafeWord,
}

/// Whether there is an objection to a dialog of these rows, below these.
pub fn objection(words: &Words, dialog: &[String], above: &[String]) -> Option<Objection> {
    let around: Vec<String> = above.iter().chain(dialog).cloned().collect();
    let found = words.danger.iter().find(|word| stands(word, &around));
    if let Some(word) = found {
        return Some(Objection::Danger(word.clone()));
    }
    let is_safe = words.safe.is_empty() || words.safe.iter().any(|word| stands(word, dialog));
    (!is_safe).then_some(Objection::NoSafeWord)
}

/// Whether a word or phrase stands in some rows, also across the end of one: a terminal breaks a line wherever it is full.
fn stands(word: &str, rows: &[String]) -> bool {
    let plain: Vec<String> = rows.iter().map(|row| bare(row)).collect();
    ["", " "].iter().any(|between| has_word(&squeezed(&plain.join(between)), word))
}

/// A row without what is drawn around it.
fn bare(row: &str) -> String {
    let drawn = |letter: char| ('\u{2500}'..='\u{259f}').contains(&letter);
    let inner = row.trim().trim_matches(drawn);
    // A blank at the end of a full row is lost; one at its beginning only sets it off.
    inner.trim_start().to_lowercase()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a phrase stands in a text by itself. Beside a sign that is not of our alphabet nothing separates words.
fn has_word(text: &str, phrase: &str) -> bool {
    if phrase.is_empty() {
        return false;
    }
    let part_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.match_indices(phrase).any(|(at, found)| {
        let joined =
            |one: Option<char>, other: Option<char>| one.is_some_and(part_of_word) && other.is_some_and(part_of_word);
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + found.len()..).and_then(|behind| behind.chars().next());
        !joined(before, found.chars().next()) && !joined(found.chars().next_back(), behind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(danger: &[&str], safe: &[&str]) -> Words {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Words { danger: owned(danger), safe: owned(safe) }
    }

    fn rows(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn whole_words_count_and_parts_of_words_do_not() {
        let danger = words(&["drop", "force", "rm -rf", "delete", "删除"], &[]);
        for (dialog, found) in [
            ("DROP TABLE x", Some("drop")),
            ("DROPDOWN menu", None),
            ("enforce lint rules", None),
            ("git push --force", Some("force")),
            ("│ rm   -rf build │", Some("rm -rf")),
            // A word that the edge of the pane has cut in two.
            ("│ rm -│\n│rf /data │", Some("rm -rf")),
            ("del\nete it", Some("delete")),
            ("rm\n-rf x", Some("rm -rf")),
            ("删除所有文件", Some("删除")),
            ("deleted: a.txt", None),
            ("cargo test", None),
        ] {
            let expected = found.map(|word| Objection::Danger(word.to_owned()));
            assert_eq!(objection(&danger, &rows(dialog), &[]), expected, "{dialog}");
            assert_eq!(objection(&danger, &[], &rows(dialog)), expected, "above: {dialog}");
        }
    }

    #[test]
    fn safe_words_are_asked_for_only_where_there_are_any_and_only_in_the_dialog() {
        assert_eq!(objection(&words(&[], &[]), &rows("make x"), &[]), None);
        assert_eq!(objection(&words(&[], &["list"]), &rows("list it"), &[]), None);
        let missing = Some(Objection::NoSafeWord);
        assert_eq!(objection(&words(&[], &["list", "read"]), &rows("already"), &rows("list")), missing);
        let both = objection(&words(&["drop"], &["list"]), &rows("list"), &rows("drop"));
        assert_eq!(both, Some(Objection::Danger("drop".to_owned())));
    }
}
