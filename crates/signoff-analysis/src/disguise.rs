//! Characters that make a text look other than it is: what hides, what turns the reading direction, what borrows the
//! shape of another character. The analysis asks about them, the card makes them visible, and both mean the same ones.
//!
//! Ordinary writing in any script is left alone: a Russian commit message is full of letters shaped like Latin ones, so a
//! borrowed shape counts only where it stands among the letters that it imitates.

use std::{collections::VecDeque, iter::Peekable, str::CharIndices};

use signoff_model::Span;

/// In what way a character is not what it seems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Disguise {
    /// Steers a terminal or ends a text early.
    Control,
    /// Changes the order in which the text is read.
    Direction,
    /// Shows nothing.
    Invisible,
    /// Looks like another character.
    LookAlike,
    /// Stands for bytes that are no text.
    Undecodable,
    /// Means whatever a font makes of it. It is made visible, but many people use it for harmless symbols.
    Private,
}

/// A character that is not what it seems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disguised {
    /// Where it stands.
    pub span: Span,
    /// Which character it is.
    pub character: char,
    /// In what way it deceives.
    pub disguise: Disguise,
}

/// Every character of the text that is not what it seems, in order. Found one by one, so that a text full of them costs no
/// more memory than any other.
pub fn find(text: &str) -> impl Iterator<Item = Disguised> + '_ {
    let plain = |byte: u8| byte == b'\n' || byte == b'\t' || (0x20..0x7f).contains(&byte);
    // Whole stretches at a time: nearly every text is plain to its end.
    let is_plain =
        text.as_bytes().chunks(1024).all(|stretch| stretch.iter().fold(true, |all, byte| all & plain(*byte)));
    Search {
        characters: if is_plain { "" } else { text }.char_indices().peekable(),
        other_writing_is_meant: !is_plain && text.chars().any(|c| c.is_alphabetic() && writing(c) == Writing::Distinct),
        before: None,
        word: Vec::new(),
        found: VecDeque::new(),
    }
}

/// A walk over a text. What a word hides is known at its end, so that findings wait until the word is over.
struct Search<'a> {
    characters: Peekable<CharIndices<'a>>,
    /// Whether something in the text shows that letters of another writing are what they seem.
    other_writing_is_meant: bool,
    before: Option<char>,
    word: Vec<(usize, char)>,
    found: VecDeque<Disguised>,
}

impl Iterator for Search<'_> {
    type Item = Disguised;

    fn next(&mut self) -> Option<Disguised> {
        loop {
            if self.word.is_empty()
                && let Some(disguised) = self.found.pop_front()
            {
                return Some(disguised);
            }
            match self.characters.next() {
                Some((start, character)) => self.take(start, character),
                None if self.word.is_empty() => return None,
                None => self.end_word(),
            }
        }
    }
}

impl Search<'_> {
    fn take(&mut self, start: usize, character: char) {
        let before = self.before.replace(character);
        // The letter behind a backslash belongs to an escape such as `\n` and not to the word.
        if !character.is_alphanumeric() {
            self.end_word();
        } else if before != Some('\\') {
            self.word.push((start, character));
        }
        let after = self.characters.peek().map(|(_, next)| *next);
        if let Some(disguise) = by_itself(character, before, after) {
            self.found.push_back(at(start, character, disguise));
        }
    }

    /// Marks letters that borrow the shape of ASCII letters: in a word that mixes the two, and in a word that only has
    /// such letters while nothing in the text shows that the other writing is meant.
    fn end_word(&mut self) {
        let has = |wanted: Writing| self.word.iter().any(|(_, c)| c.is_alphabetic() && writing(*c) == wanted);
        let reads_as_ascii = has(Writing::Borrowed) && !has(Writing::Distinct);
        let deceives = reads_as_ascii && (has(Writing::Plain) || !self.other_writing_is_meant);
        for (start, character) in self.word.drain(..) {
            if deceives && writing(character) == Writing::Borrowed {
                self.found.push_back(at(start, character, Disguise::LookAlike));
            }
        }
    }
}

const fn at(start: usize, character: char, disguise: Disguise) -> Disguised {
    Disguised { span: Span::new(start, start + character.len_utf8()), character, disguise }
}

/// Tells a character that deceives wherever it stands, or between the given neighbours.
fn by_itself(character: char, before: Option<char>, after: Option<char>) -> Option<Disguise> {
    Some(match character {
        '\n' | '\t' => return None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Disguise::Control,
        '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' => Disguise::Control,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Disguise::Direction,
        '\u{200c}' | '\u{200d}' if joins_letters(before, after) => return None,
        '\u{fe0e}' | '\u{fe0f}' if belongs_to_symbol(before, after) => return None,
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Disguise::Invisible,
        '\u{fffd}' => Disguise::Undecodable,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => Disguise::Private,
        '\u{3000}' if [before, after].into_iter().flatten().any(is_beyond_ascii_letter) => return None,
        _ if is_false_space(character) || is_false_operator(character) => Disguise::LookAlike,
        _ if is_false_dash(character) && begins_option(before, after) => Disguise::LookAlike,
        _ => return None,
    })
}

/// Joiners are ordinary inside Arabic and Indic words and between the parts of an emoji.
fn joins_letters(before: Option<char>, after: Option<char>) -> bool {
    let joined = |c: Option<char>| {
        c.is_some_and(
            |c| matches!(c, '\u{600}'..='\u{dff}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}'),
        )
    };
    joined(before) && joined(after)
}

/// The wide space is ordinary in Chinese and Japanese text.
fn is_beyond_ascii_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphanumeric()
}

/// Variation selectors are ordinary behind a symbol and in a keycap.
fn belongs_to_symbol(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|c| !c.is_alphanumeric() && !c.is_ascii()) || after == Some('\u{20e3}')
}

const fn is_false_space(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Characters shaped like `/`, `;`, `|` and `&` that no script needs.
const fn is_false_operator(c: char) -> bool {
    matches!(c, '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{37e}' | '\u{1c0}' | '\u{2223}')
}

const fn is_false_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Whether a dash between these neighbours would be read as the beginning of an option. Elsewhere it is punctuation.
fn begins_option(before: Option<char>, after: Option<char>) -> bool {
    before.is_none_or(char::is_whitespace) && after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The writing that a letter comes from, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    /// ASCII letters.
    Plain,
    /// A letter of another writing that no ASCII letter looks like.
    Distinct,
    /// A letter of another writing that looks like an ASCII letter.
    Borrowed,
}

fn writing(c: char) -> Writing {
    if c.is_ascii() {
        return Writing::Plain;
    }
    let borrowed = matches!(c,
        // Cyrillic.
        'а' | 'е' | 'о' | 'р' | 'с' | 'у' | 'х' | 'і' | 'ј' | 'ѕ' | 'һ' | 'ԁ' | 'ԛ' | 'ԝ' | 'ӏ' | 'ѵ' | 'ь' | 'г'
        | 'А' | 'В' | 'Е' | 'К' | 'М' | 'Н' | 'О' | 'Р' | 'С' | 'Т' | 'У' | 'Х' | 'І' | 'Ј' | 'Ѕ' | 'Ԁ' | 'Ԛ' | 'Ԝ'
        // Greek.
        | 'ο' | 'ν' | 'ρ' | 'ι' | 'κ' | 'υ' | 'χ'
        | 'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι' | 'Κ' | 'Μ' | 'Ν' | 'Ο' | 'Ρ' | 'Τ' | 'Υ' | 'Χ'
        // Armenian.
        | 'օ' | 'ս' | 'ո' | 'հ' | 'ց'
        // Latin letters of phonetic writing, Roman numerals, full-width and mathematical letters.
        | 'ɑ' | 'ɡ' | 'ɩ' | 'ʀ' | 'ᴍ' | 'ᴏ' | 'ᴄ' | 'ⅰ'..='ⅿ' | 'Ⅰ'..='Ⅿ' | '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | 'ℓ'
        | '\u{1d400}'..='\u{1d7ff}'
    );
    // Accented Latin letters belong to words in ASCII letters, so they say nothing about another writing.
    match c {
        _ if borrowed => Writing::Borrowed,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Writing::Plain,
        _ => Writing::Distinct,
    }
}

#[cfg(test)]
mod tests {
    use super::{Disguise, find};

    #[track_caller]
    fn check(text: &str, expected: &[(char, Disguise)]) {
        let found: Vec<_> = find(text).map(|d| (d.character, d.disguise)).collect();
        assert_eq!(found, expected, "{text:?}");
        for disguised in find(text) {
            assert_eq!(disguised.span.of(text), Some(disguised.character.to_string().as_str()));
        }
    }

    #[test]
    fn what_hides_or_steers_is_found() {
        use Disguise::{Control, Direction, Invisible, LookAlike, Private, Undecodable};
        for (character, disguise) in [
            ('\0', Control),
            ('\x1b', Control),
            ('\r', Control),
            ('\u{8}', Control),
            ('\u{9b}', Control),
            ('\u{2028}', Control),
            ('\u{202e}', Direction),
            ('\u{2066}', Direction),
            ('\u{200f}', Direction),
            ('\u{200b}', Invisible),
            ('\u{200d}', Invisible),
            ('\u{feff}', Invisible),
            ('\u{ad}', Invisible),
            ('\u{3164}', Invisible),
            ('\u{fe01}', Invisible),
            ('\u{e0041}', Invisible),
            ('\u{a0}', LookAlike),
            ('\u{2003}', LookAlike),
            ('\u{2215}', LookAlike),
            ('\u{37e}', LookAlike),
            ('\u{fffd}', Undecodable),
            ('\u{e0b0}', Private),
            ('\u{10fffd}', Private),
        ] {
            check(&format!("rm{character} -rf data"), &[(character, disguise)]);
        }
    }

    #[test]
    fn ordinary_writing_is_left_alone() {
        for text in [
            "rm -rf build",
            "tab\tand\nnewline",
            "git commit -m 'fix: café, naïve, über, señor, yapıldı'",
            "git commit -m 'исправил ошибку в тестах'",
            "printf 'Текст\\nсообщение\\n'",
            "echo 'оса и сор'",
            "git commit -m '修复：支持中文（ＡＰＩ）'",
            "echo '第一章　开始'",
            "echo 'Ελληνικά κείμενο'",
            "echo 'µs and Δx'",
            "echo '✅ done ⚠️ careful 1️⃣ 👩‍💻'",
            "echo 'می‌خواهم'",
            "echo “quoted” — and a – dash, 3–5 pages",
            "echo '├── src │ └── main.rs'",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn borrowed_shapes_are_found_among_what_they_imitate() {
        use Disguise::LookAlike;
        check("git rеset --hard", &[('е', LookAlike)]);
        check("сurl https://example.com", &[('с', LookAlike)]);
        check("ѕԛӏ", &[('ѕ', LookAlike), ('ԛ', LookAlike), ('ӏ', LookAlike)]);
        check("ｒｍ -rf x", &[('ｒ', LookAlike), ('ｍ', LookAlike)]);
        check("𝐫𝐦 x", &[('𝐫', LookAlike), ('𝐦', LookAlike)]);
        check("rm –rf x", &[('–', LookAlike)]);
        check("git push ‑-force", &[('‑', LookAlike)]);
        check("curl gοοgle.com", &[('ο', LookAlike), ('ο', LookAlike)]);
    }
}
