//! The signs and words of a program.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    Number(i64),
    Text(String),
    Sign(&'static str),
    /// A name with its bracket right behind it.
    Call(String),
}

/// The signs, longer ones first.
const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "%=", "{", "}", "(", ")", "[", "]", ";", "\n",
    ",", "+", "-", "*", "/", "%", "^", "!", ">", "<", "?", ":", "$", "=",
];

pub(super) fn tokens(program: &str) -> Option<Vec<Token>> {
    let mut all = Vec::new();
    let mut rest = program;
    while let Some(letter) = rest.chars().next() {
        if letter == '#' {
            rest = rest.find('\n').and_then(|at| rest.get(at..)).unwrap_or_default();
        } else if let Some(behind) = rest.strip_prefix("\\\n") {
            rest = behind;
        } else if matches!(letter, ' ' | '\t' | '\r') {
            rest = rest.get(1..)?;
        } else if letter == '"' {
            let (text, behind) = text(rest.get(1..)?)?;
            all.push(Token::Text(text));
            rest = behind;
        } else if letter.is_ascii_digit() {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').unwrap_or(rest.len());
            let (digits, behind) = rest.split_at_checked(end)?;
            all.push(Token::Number(digits.parse().ok()?));
            rest = behind;
        } else if letter.is_ascii_alphabetic() || letter == '_' {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end)?;
            let name = name.to_owned();
            all.push(if behind.starts_with('(') { Token::Call(name) } else { Token::Name(name) });
            rest = behind;
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            all.push(Token::Sign(sign));
            rest = rest.get(sign.len()..)?;
        }
    }
    Some(all)
}

/// A text up to its closing quote, and what follows.
fn text(body: &str) -> Option<(String, &str)> {
    let mut all = String::new();
    let mut letters = body.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((all, body.get(at + 1..)?)),
            '\\' => match letters.next()?.1 {
                'n' => all.push('\n'),
                't' => all.push('\t'),
                sign @ ('"' | '\\' | '/') => all.push(sign),
                digit @ '0'..='7' => {
                    let digits: String = std::iter::once(digit)
                        .chain(body.get(at + 2..)?.chars().take(2).take_while(|digit| digit.is_digit(8)))
                        .collect();
                    for _ in 1..digits.len() {
                        letters.next();
                    }
                    all.push(char::from(u8::from_str_radix(&digits, 8).ok().filter(u8::is_ascii)?));
                }
                _ => return None,
            },
            '\n' => return None,
            letter => all.push(letter),
        }
    }
    None
}
