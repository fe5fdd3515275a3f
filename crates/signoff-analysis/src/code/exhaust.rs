//! What shows in the words of code as a whole: loops that take memory or disk space without end, and encryption.

use super::lexer::{Token, lex};
use crate::shell::Language;

/// The names of what makes a list, a text or a file longer.
const GROWS: &[&str] = &[
    "append",
    "push",
    "push_back",
    "extend",
    "add",
    "insert",
    "unshift",
    "concat",
    "write",
    "writelines",
    "writeFileSync",
    "appendFileSync",
    "fwrite",
    "fputs",
    "file_put_contents",
    "malloc",
    "table.insert",
    "array_push",
    "put",
    "mmap",
];

/// The names by which a loop ends, waits, or depends on something that comes from elsewhere.
const LEAVES: &[&str] = &[
    "break",
    "return",
    "last",
    "exit",
    "quit",
    "raise",
    "throw",
    "die",
    "yield",
    "await",
    "sleep",
    "usleep",
    "nanosleep",
    "wait",
    "select",
    "poll",
    "input",
    "gets",
    "readline",
    "recv",
    "recvfrom",
    "accept",
    "read",
    "get",
    "next",
    "pop",
    "popleft",
    "shift",
    "clear",
    "truncate",
    "seek",
    "stdout",
    "stderr",
    "print",
    "stdin",
    "signal",
    "goto",
    "abort",
    "_exit",
    "panic",
    "flush",
    "socket",
    "send",
    "free",
    "unlink",
    "remove",
    "unlinkSync",
    "serve",
    "setTimeout",
    "terminate",
];

/// Sizes from here on fill a machine soon.
const MUCH: i64 = 100_000;

/// Whether the text has a loop without end that takes more and more; only asked where there is such a loop.
pub(super) fn takes_without_end(text: &str, language: Language) -> bool {
    let tokens = lex(text, language).all;
    let names =
        |list: &[&str]| tokens.iter().any(|token| matches!(token, Token::Name(name) if list.contains(&&**name)));
    if names(LEAVES) {
        return false;
    }
    let adds = tokens.iter().any(|token| matches!(token, Token::Sign("+=" | "<<" | ".=" | "..")));
    (adds || names(GROWS)) && tokens.windows(3).any(is_much) || tokens.windows(3).any(doubles)
}

/// `100000000`, `10**8`, `1 << 30`, `512 * 1024`.
fn is_much(three: &[Token]) -> bool {
    match three {
        [Token::Number(base), Token::Sign("**"), Token::Number(power)] => {
            u32::try_from(*power).ok().and_then(|power| base.checked_pow(power)).is_none_or(|size| size >= MUCH)
        }
        [Token::Number(1), Token::Sign("<<"), Token::Number(bits)] => *bits >= 17,
        [Token::Number(count), Token::Sign("*"), Token::Number(size)] => {
            count.checked_mul(*size).is_none_or(|size| size >= MUCH)
        }
        // Perl: `"x"x1000000`.
        [Token::Text(_), Token::Name(times), _] | [_, Token::Text(_), Token::Name(times)] => {
            times.strip_prefix('x').and_then(|count| count.parse::<i64>().ok()).is_some_and(|count| count >= MUCH)
        }
        [Token::Number(size), ..] | [_, Token::Number(size), _] | [.., Token::Number(size)] => *size >= MUCH,
        _ => false,
    }
}

/// `x *= 2`, `x += x`.
fn doubles(three: &[Token]) -> bool {
    match three {
        [Token::Name(_), Token::Sign("*="), Token::Number(by)] => *by >= 2,
        [Token::Name(one), Token::Sign("+=" | ".="), Token::Name(other)] => one == other,
        _ => false,
    }
}

/// Whether the code encrypts something: it calls a function of that name, or a well-known cipher.
pub(super) fn encrypts(text: &str, language: Language) -> bool {
    const CIPHERS: &[&str] = &[
        "encrypt",
        "encryptor",
        "createCipheriv",
        "createCipher",
        "Fernet",
        "AES",
        "ChaCha20",
        "ChaCha20_Poly1305",
        "openssl_encrypt",
        "SecretBox",
        "pyAesCrypt",
        "encryptFile",
        "encrypt_file",
        "XORCipher",
    ];
    let decrypts = |name: &str| name.to_ascii_lowercase().contains("decrypt") || name == "createDecipheriv";
    let tokens = lex(text, language).all;
    let any =
        |check: &dyn Fn(&str) -> bool| tokens.iter().any(|token| matches!(token, Token::Name(name) if check(name)));
    any(&|name| CIPHERS.contains(&name)) && !any(&decrypts)
}
