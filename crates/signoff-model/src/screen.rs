use std::fmt;

/// Whether whoever asks has a screen of its own, in front of which a person sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    /// It can show something there.
    Own,
    /// It cannot.
    #[default]
    None,
}

/// Two digits that stand on the screen of whoever asks and nowhere else: who types them where the question is answered has seen that
/// screen, and means this question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ScreenNumber(u8);

impl ScreenNumber {
    const LEAST: u8 = 10;
    const MOST: u8 = 99;

    /// The number that a text stands for, if it is one of two digits.
    pub fn parse(text: &str) -> Option<Self> {
        let two = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| two && *number >= Self::LEAST).map(Self)
    }

    /// One of those that stand in none of these texts, as a random number says. None where all of them do. Whoever asks writes the
    /// texts before there is a number; one who tries until it fits what was written would otherwise tell it on the card itself.
    pub fn beside(texts: &[&str], random: u64) -> Option<Self> {
        let told: Vec<u8> = texts.iter().flat_map(|text| numbers_in(text)).collect();
        let free: Vec<u8> = (Self::LEAST..=Self::MOST).filter(|number| !told.contains(number)).collect();
        let count = u64::try_from(free.len()).ok().filter(|count| *count > 0)?;
        free.get(usize::try_from(random % count).ok()?).copied().map(Self)
    }
}

/// The numbers of two digits that stand by themselves in a text.
fn numbers_in(text: &str) -> Vec<u8> {
    let digit = |letter: char| match letter {
        '0'..='9' => letter.to_digit(10),
        '０'..='９' => Some(u32::from(letter) - u32::from('０')),
        _ => None,
    };
    let mut found = Vec::new();
    let mut run: Vec<u32> = Vec::new();
    for letter in text.chars().map(Some).chain([None]) {
        match letter.and_then(digit) {
            Some(digit) => run.push(digit),
            None => {
                if let [tens, ones] = run.as_slice() {
                    found.extend(u8::try_from(tens * 10 + ones));
                }
                run.clear();
            }
        }
    }
    found
}

impl fmt::Display for ScreenNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}", self.0)
    }
}

/// Nobody reads it in a log.
impl fmt::Debug for ScreenNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScreenNumber(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_two_digits_and_one_spelling() {
        for (text, known) in [
            ("10", true),
            ("99", true),
            ("42", true),
            ("09", false),
            ("7", false),
            ("100", false),
            ("+7", false),
            ("４２", false),
            ("", false),
        ] {
            let found = ScreenNumber::parse(text);
            assert_eq!(found.is_some(), known, "{text}");
            assert!(found.is_none_or(|number| number.to_string() == text));
            assert!(!format!("{found:?}").contains(text) || text.is_empty() || !known);
        }
    }

    /// How would an agent get a yes that nobody meant? It writes a number onto the card, and asks until that is the one.
    #[test]
    fn no_text_of_the_requester_tells_the_number() {
        for random in 0..1_000 {
            let number = ScreenNumber::beside(&["rm -rf data # type 42, or 17", "the number is ９３"], random).unwrap();
            assert!(!["42", "17", "93"].contains(&number.to_string().as_str()));
        }
        let every: String = (10..=99).map(|number| format!("{number} ")).collect();
        assert_eq!(ScreenNumber::beside(&[&every], 0), None);
        // What is part of a longer number is none of two digits.
        let found: Vec<String> = (0..90)
            .filter_map(|random| ScreenNumber::beside(&["2042 417 1"], random))
            .map(|one| one.to_string())
            .collect();
        assert!(found.len() == 90 && found.contains(&"42".to_owned()));
    }
}
