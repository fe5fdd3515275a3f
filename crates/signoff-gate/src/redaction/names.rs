//! Values behind names that say that they are secret: `PASSWORD=…`, `--token …`, `"secret": "…"`, `Authorization: …`.

use signoff_analysis::shell::families::secrets::SECRET_WORDS;

use super::{
    Marks, Reading,
    quotes::{Quotes, closing},
    shapes::{end_of, scheme},
};

/// How much a name says about what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// That it is secret.
    Much,
    /// That it is, if it looks like it.
    Little,
}

/// Names that are told by a part of them, without the signs between their words, beside those that the analysis knows
/// ([`SECRET_WORDS`]).
const PARTS: &[&str] = &[
    "passwort",
    "kennwort",
    "kubeconfig",
    "accesskey",
    "accountkey",
    "authkey",
    "privatekey",
    "sharedkey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "licensekey",
    "sessionkey",
    "sharedaccess",
    "authoriz",
    "bearer",
    "cookie",
    "jwt",
    "connectionstring",
    "webhook",
    "mnemonic",
];

/// Words of a name that tell.
const WORDS: &[&str] =
    &["pass", "passcode", "pwd", "pw", "pin", "otp", "totp", "psk", "cred", "creds", "pat", "auth", "unlock"];

/// Words of a name that tell little.
const HINTS: &[&str] = &[
    "key",
    "keys",
    "tokens",
    "session",
    "sid",
    "sig",
    "signature",
    "salt",
    "seed",
    "nonce",
    "hash",
    "dsn",
    "sas",
    "code",
    "access",
    "private",
];

/// Last words of names that are about a secret and hold none.
const TAME: &[&str] = &[
    "file", "files", "path", "dir", "stdin", "name", "names", "type", "length", "len", "ttl", "expiry", "expires",
    "count", "size", "field", "prompt", "command", "cmd", "policy", "manager", "jar", "store", "keyring", "helper",
    "provider", "url", "uri", "endpoint", "version", "format", "mode", "limit", "scope", "scopes", "env", "izer",
];

/// Who looks for words and is given the names of secrets rather than secrets.
const SEARCHERS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "awk", "find", "fd", "cat", "ls", "man", "git", "less", "head",
    "tail", "vim", "vi", "nano", "code", "cd", "cp", "mv", "rm", "mkdir", "touch", "wc", "diff",
];

pub(super) fn mark(text: &str, quotes: &Quotes, reading: Reading, marks: &mut Marks) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = end_of(bytes, at, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        if let Some(telling) = text.get(at..end).and_then(telling) {
            Behind { text, quotes, reading, name: at, end, telling }.mark(marks);
        }
        at = end.max(at) + 1;
    }
    in_chinese(text, marks);
    identified(text, marks);
}

/// How much a name tells.
pub(super) fn telling(name: &str) -> Option<Telling> {
    let name = name.trim_matches(['-', '.', '_']);
    if name.is_empty() || name.len() > 128 {
        return None;
    }
    let words = words_of(name);
    let last = words.last()?;
    if TAME.contains(&last.as_str()) {
        return None;
    }
    let whole: String = words.concat();
    if whole.contains("tokeniz") || whole.contains("secretar") {
        return None;
    }
    // Numbers of tokens are no tokens.
    let counts = last == "tokens";
    let pass = |word: &String| {
        let ends =
            word.ends_with("pass") || word.ends_with("pwd") || word.ends_with("passin") || word.ends_with("passout");
        ends && !["bypass", "compass", "surpass", "trespass"].contains(&word.as_str())
    };
    let much = words.iter().any(|word| WORDS.contains(&word.as_str()) || pass(word))
        || (!counts && SECRET_WORDS.iter().chain(PARTS).any(|part| whole.contains(part)));
    if much {
        Some(Telling::Much)
    } else {
        let little = counts || words.iter().any(|word| HINTS.contains(&word.as_str())) || last.ends_with("key");
        little.then_some(Telling::Little)
    }
}

/// The words of a name in small letters, without digits at their ends.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for sign in name.chars() {
        if !sign.is_ascii_alphanumeric() || (small && sign.is_ascii_uppercase()) {
            words.push(String::new());
        }
        small = sign.is_ascii_lowercase() || sign.is_ascii_digit();
        if let (true, Some(word)) = (sign.is_ascii_alphanumeric(), words.last_mut()) {
            word.push(sign.to_ascii_lowercase());
        }
    }
    let plain = |word: String| word.trim_end_matches(|sign: char| sign.is_ascii_digit()).to_owned();
    words.into_iter().map(plain).filter(|word| !word.is_empty()).collect()
}

/// What lies between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Equals,
    Colon,
    Gap,
    Bracket,
}

/// A name in a text, with what stands behind it.
struct Behind<'t> {
    text: &'t str,
    quotes: &'t Quotes,
    reading: Reading,
    name: usize,
    end: usize,
    telling: Telling,
}

impl Behind<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn spaces(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = end_of(bytes, from, |byte| byte == b' ' || byte == b'\t');
        // A line that goes on in the next one.
        while bytes.get(at..at + 2) == Some(b"\\\n") {
            at = end_of(bytes, at + 2, |byte| byte == b' ' || byte == b'\t');
        }
        at
    }

    fn mark(&self, marks: &mut Marks) {
        // The name itself may be in quotes, and these in others.
        let mut behind = self.end;
        let around = self.quotes.around(self.name);
        let mut quoted = false;
        while let Some(sign) = self.byte(behind) {
            let escaped = sign == b'\\' && matches!(self.byte(behind + 1), Some(b'"' | b'\''));
            let closes = matches!(sign, b'"' | b'\'' | b']');
            if !escaped && !closes {
                break;
            }
            quoted = true;
            behind += 1;
        }
        let first = self.spaces(behind);
        let (between, value) = match self.byte(first) {
            Some(b'=') => (Between::Equals, end_of(self.text.as_bytes(), first, |byte| matches!(byte, b'=' | b'>'))),
            Some(b':') if self.byte(first + 1) == Some(b'=') => (Between::Equals, first + 2),
            Some(b':') => (Between::Colon, first + 1),
            Some(b'(') if self.telling == Telling::Much => (Between::Bracket, first + 1),
            _ if first > behind => (Between::Gap, first),
            _ => return,
        };
        let start = self.spaces(value);
        match between {
            Between::Equals if start > value && first == behind => self.gap(start, marks),
            Between::Gap => self.gap(start, marks),
            Between::Bracket => {
                if matches!(self.byte(start), Some(b'"' | b'\'')) {
                    self.value(start, Extent::Word, marks);
                }
            }
            Between::Equals => self.value(start, Extent::Word, marks),
            Between::Colon if self.text.get(value..).is_some_and(|rest| rest.starts_with("//")) => {}
            Between::Colon if quoted => self.value(start, Extent::Member, marks),
            Between::Colon if around.is_some() || start > value => self.value(start, Extent::Line, marks),
            Between::Colon => self.value(start, Extent::Word, marks),
        }
    }

    /// What follows behind a space: the value of an option, or the next word.
    fn gap(&self, start: usize, marks: &mut Marks) {
        let end = self.extent(start, Extent::Word);
        let value = self.text.get(start..end).unwrap_or_default();
        // The name of a variable where its value is meant says nothing about the next word.
        if self.name.checked_sub(1).and_then(|before| self.byte(before)).is_some_and(|before| b"${".contains(&before)) {
            return;
        }
        if self.byte(self.name) == Some(b'-') {
            let option =
                value.starts_with("--") && value.bytes().skip(2).all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            if !option {
                self.value(start, Extent::Word, marks);
            }
            return;
        }
        let name = self.text.get(self.name..self.end).unwrap_or_default().to_ascii_lowercase();
        let plain = ["password", "passwd", "passphrase", "psk", "pwd"].contains(&name.as_str());
        let quoted = value.starts_with(['"', '\'']);
        let searched = self.is_searched();
        let named = self.telling == Telling::Much && !searched && (quoted || plain);
        if named || looks_secret(value) {
            self.value(start, Extent::Word, marks);
        }
    }

    /// Whether the command around the name looks for words.
    fn is_searched(&self) -> bool {
        let before = self.text.get(..self.name).unwrap_or_default();
        let command = before.rsplit([';', '|', '&', '\n', '(', '`']).next().unwrap_or_default();
        let program =
            command.split(|sign: char| sign.is_whitespace() || "'\"".contains(sign)).find(|word| !word.is_empty());
        program.and_then(|word| word.rsplit('/').next()).is_some_and(|word| SEARCHERS.contains(&word))
    }

    fn value(&self, start: usize, extent: Extent, marks: &mut Marks) {
        let mut start = start;
        let mut end = self.extent(start, extent);
        let inner = self.text.get(start..end).unwrap_or_default();
        let opening = inner.len() - inner.trim_start_matches(['"', '\'', '\\']).len();
        if let Some(length) = inner.get(opening..).and_then(scheme) {
            start += opening + length;
            // What is in no quotes ends with its word, and so it was only the name of the scheme.
            end = end.max(self.extent(start, Extent::Word));
        } else if extent == Extent::Word
            && self.byte(end) == Some(b' ')
            && scheme(&format!("{inner} ")).is_some()
            && self.telling == Telling::Much
        {
            start = self.spaces(end);
            end = self.extent(start, Extent::Word);
        }
        let value = self.text.get(start..end).unwrap_or_default();
        let bare = value.trim_matches(['"', '\'', '\\']);
        if bare.is_empty() || ["true", "false", "null", "none"].contains(&bare) || self.is_named(value) {
            return;
        }
        if self.telling == Telling::Much || looks_secret(bare) {
            marks.add(start..end);
        }
    }

    /// Whether a value is only the name of one, or what a command says.
    fn is_named(&self, value: &str) -> bool {
        if self.reading != Reading::Shell || value.starts_with('\'') {
            return false;
        }
        let bare = value.trim_matches('"');
        let Some(rest) = bare.strip_prefix('$') else {
            return bare.starts_with('`') && !says_itself(bare.trim_start_matches('`'));
        };
        if let Some(inner) = rest.strip_prefix('(') {
            return !says_itself(inner);
        }
        let name = rest.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(rest);
        let plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        !name.is_empty() && !name.starts_with(|sign: char| sign.is_ascii_digit()) && name.bytes().all(plain)
    }

    /// Where a value ends that begins at a place.
    fn extent(&self, start: usize, extent: Extent) -> usize {
        let bytes = self.text.as_bytes();
        let around = self.quotes.around(start);
        // Quotes within quotes.
        if let Some([b'\\', sign @ (b'"' | b'\'')]) = bytes.get(start..start + 2) {
            let rest = bytes.get(start + 2..).unwrap_or_default();
            let close = rest.windows(2).position(|pair| pair == [b'\\', *sign]);
            return close.map_or(bytes.len(), |close| start + 2 + close);
        }
        if let Some(close) = match self.byte(start) {
            Some(b'{') => Some(b'}'),
            Some(b'[') => Some(b']'),
            _ => None,
        } {
            return self.matching(start, close);
        }
        let mut at = start;
        while let Some(sign) = self.byte(at) {
            let ends = match (sign, extent) {
                (b'\n' | b'\r', _) => true,
                (sign, _) if Some(sign) == around => {
                    self.quotes.around(at).is_none() || at > start || self.ends_word(at + 1)
                }
                (b' ' | b'\t', Extent::Word) => true,
                (b';' | b'|' | b'&', Extent::Word) => around.is_none() || sign == b';',
                (b')' | b'<' | b'>', Extent::Word) => around.is_none(),
                (b',' | b'}' | b']', Extent::Member) => true,
                (b';' | b'|' | b'&', Extent::Line) => {
                    around.is_none() && self.byte(at + 1).is_none_or(|next| matches!(next, b' ' | b'&' | b'|'))
                }
                _ => false,
            };
            if ends {
                break;
            }
            let begins =
                matches!(sign, b'"' | b'\'' | b'`') && Some(sign) != around && (at == start || around.is_none());
            at = match sign {
                b'\\' => at + 2,
                b'$' if self.byte(at + 1) == Some(b'(') => self.matching(at + 1, b')'),
                _ if begins => closing(bytes, at + 1, sign).map_or(bytes.len(), |close| close + 1),
                _ => at + 1,
            };
            if begins && extent == Extent::Member {
                break;
            }
        }
        at.min(bytes.len())
    }

    fn ends_word(&self, at: usize) -> bool {
        self.byte(at).is_none_or(|byte| byte.is_ascii_whitespace() || b";|&)".contains(&byte))
    }

    /// Behind the bracket that closes what one at a place opens.
    fn matching(&self, at: usize, close: u8) -> usize {
        let bytes = self.text.as_bytes();
        let open = self.byte(at).unwrap_or_default();
        let mut depth = 0_usize;
        for (place, byte) in bytes.iter().enumerate().skip(at) {
            if *byte == open {
                depth += 1;
            } else if *byte == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place + 1;
                }
            }
        }
        bytes.len()
    }
}

/// How far a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// As far as a word of a shell.
    Word,
    /// To the end of the line, or of the quotes around it.
    Line,
    /// As far as a value of JSON.
    Member,
}

/// Whether a command prints the words that it is given.
fn says_itself(command: &str) -> bool {
    let word = command.split_whitespace().next().unwrap_or_default();
    ["echo", "printf", "print", "<<<"].iter().any(|name| word.ends_with(name))
}

/// Whether a text looks as if nobody had thought of it: letters and digits, and no path.
pub(super) fn looks_secret(value: &str) -> bool {
    let value = value.trim_matches(['"', '\'', '\\']);
    let (letters, digits) =
        (value.bytes().any(|byte| byte.is_ascii_alphabetic()), value.bytes().any(|byte| byte.is_ascii_digit()));
    let odd = value.bytes().any(|byte| b"!@#%^*+=?".contains(&byte)) && letters;
    !is_path(value)
        && !value.starts_with('$')
        && ((value.len() >= 8 && letters && (digits || odd)) || value.len() >= 20)
}

fn is_path(value: &str) -> bool {
    let ending = value.rsplit_once('.').map_or("", |(_, ending)| ending);
    let named = (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase());
    let first = value.trim_start_matches(['.', '~', '/']).split('/').next().unwrap_or_default();
    let begins = ["/", "./", "../", "~/"].iter().any(|start| value.starts_with(start));
    let plain = !value.contains(['=', '+']);
    plain && (named || (begins && first.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_')))
}

/// Names in Chinese, with whatever stands between them and their values.
fn in_chinese(text: &str, marks: &mut Marks) {
    for name in ["密码", "口令", "密钥", "令牌"] {
        for (at, _) in text.match_indices(name) {
            let behind = at + name.len();
            let rest = text.get(behind..).unwrap_or_default();
            let value = rest.trim_start_matches(['是', '为', '：', ':', '=', ' ', '"', '\'', '“']);
            let start = behind + (rest.len() - value.len());
            let end = value
                .find(|sign: char| sign.is_whitespace() || "\"'`”，。；、,;".contains(sign))
                .unwrap_or(value.len());
            if start > behind && value.starts_with(|sign: char| sign.is_ascii_graphic() && sign != '$') {
                marks.add(start..start + end);
            }
        }
    }
}

/// `IDENTIFIED BY 'word'` of SQL.
fn identified(text: &str, marks: &mut Marks) {
    let lower = text.to_ascii_lowercase();
    let bytes = text.as_bytes();
    for (at, word) in lower.match_indices("identified") {
        let behind = at + word.len();
        let rest = lower.get(behind..).unwrap_or_default().split(';').next().unwrap_or_default();
        let Some(by) = rest.find(" by ").or_else(|| rest.find(" as ")) else { continue };
        let start = end_of(bytes, behind + by + 4, |byte| byte.is_ascii_whitespace() || byte == b'\\');
        let end = match bytes.get(start) {
            Some(sign @ (b'\'' | b'"')) => closing(bytes, start + 1, *sign).map_or(bytes.len(), |close| close + 1),
            _ => end_of(bytes, start, |byte| !byte.is_ascii_whitespace() && !b";'\")".contains(&byte)),
        };
        marks.add(start..end);
    }
}
