//! Secrets that are arguments of a program which is known to take them, behind options with short names or at a place.

use super::{Marks, Reading, quotes::closing};

/// How a program is given a secret.
struct Takes {
    programs: &'static [&'static str],
    /// Only where this word stands before.
    with: Option<&'static str>,
    /// Options whose value stands in the next word, or in the same one.
    options: &'static [&'static str],
    /// Options whose value stands in the same word, or nowhere.
    joined: &'static [&'static str],
    /// Options with a name before the secret, and what stands between them.
    pairs: &'static [(&'static str, char)],
    /// Words behind which the next one is the secret.
    verbs: &'static [&'static str],
}

const NONE: Takes = Takes { programs: &[], with: None, options: &[], joined: &[], pairs: &[], verbs: &[] };

const TABLE: &[Takes] = &[
    Takes {
        programs: &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlshow",
            "mysqlcheck",
            "mysqlbinlog",
            "mysqlpump",
            "mysqlsh",
            "mariadb",
            "mariadb-dump",
            "mariadb-admin",
            "mycli",
            "7z",
            "7za",
            "7zr",
            "7zz",
            "rar",
            "unrar",
        ],
        joined: &["-p", "-hp"],
        ..NONE
    },
    Takes {
        programs: &[
            "docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "az", "oc", "cf", "ibmcloud",
            "argocd",
        ],
        with: Some("login"),
        options: &["-p"],
        ..NONE
    },
    Takes {
        programs: &[
            "sshpass",
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongostat",
            "mongotop",
            "useradd",
            "usermod",
            "ncftpput",
            "ncftpget",
            "rdesktop",
            "pgloader",
            "kinit",
        ],
        options: &["-p"],
        ..NONE
    },
    Takes { programs: &["redis-cli", "valkey-cli", "keydb-cli"], options: &["-a"], ..NONE },
    Takes {
        programs: &[
            "sqlcmd",
            "bcp",
            "osql",
            "tsql",
            "isql",
            "ipmitool",
            "mosquitto_pub",
            "mosquitto_sub",
            "zip",
            "unzip",
            "zipcloak",
            "freetds-bcp",
        ],
        options: &["-P"],
        ..NONE
    },
    Takes {
        programs: &["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd", "ldapmodrdn"],
        options: &["-w", "-s", "-a"],
        ..NONE
    },
    Takes { programs: &["security"], options: &["-w", "-p"], ..NONE },
    Takes { programs: &["snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"], options: &["-A", "-X", "-c"], ..NONE },
    Takes { programs: &["xfreerdp", "wfreerdp", "xfreerdp3"], joined: &["/p:", "/gp:"], ..NONE },
    Takes { programs: &["openssl"], options: &["-k", "-K"], ..NONE },
    Takes { programs: &["doctl"], options: &["-t"], ..NONE },
    Takes {
        programs: &["curl", "curlie"],
        options: &["-b"],
        pairs: &[("-u", ':'), ("--user", ':'), ("-U", ':'), ("--proxy-user", ':'), ("-E", ':'), ("--cert", ':')],
        ..NONE
    },
    Takes { programs: &["http", "https", "xh", "xhs"], pairs: &[("-a", ':')], ..NONE },
    Takes { programs: &["smbclient", "rpcclient", "smbget", "smbmap", "net"], pairs: &[("-U", '%')], ..NONE },
    Takes { programs: &["lftp"], pairs: &[("-u", ',')], ..NONE },
    Takes { programs: &["ab", "wrk", "siege"], pairs: &[("-A", ':'), ("-P", ':')], ..NONE },
    Takes { programs: &["vault"], verbs: &["login", "unseal"], ..NONE },
    Takes { programs: &["cargo", "wandb", "netlify"], verbs: &["login"], ..NONE },
    Takes { programs: &["ngrok"], verbs: &["authtoken", "add-authtoken"], ..NONE },
    Takes { programs: &["snyk"], verbs: &["auth"], ..NONE },
];

/// Programs that are given a name, a secret and a place in one word: `scott/tiger@db`.
const WITH_SLASH: &[&str] = &["sqlplus", "sqlcl", "rman", "expdp", "impdp", "exp", "imp", "sqlldr"];

/// What reads a secret from its standard input.
const READERS: &[&str] =
    &["chpasswd", "--stdin", "--password-stdin", "--with-token", "--pass-stdin", "cryptsetup", "-passin"];

/// How words are told from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// Quotes keep them together.
    ByQuotes,
    /// Quotes are between words, as they are for a shell inside of a shell.
    Flat,
}

#[derive(Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
    /// Whether a command begins with it.
    first: bool,
}

pub(super) fn mark(text: &str, reading: Reading, marks: &mut Marks) {
    for telling in [Telling::ByQuotes, Telling::Flat] {
        let words = words(text, telling);
        let commands = words.chunk_by(|_, next| !next.first);
        for command in commands {
            arguments(text, command, marks);
        }
        if reading == Reading::Shell || telling == Telling::Flat {
            piped(text, &words, marks);
        }
    }
}

fn words(text: &str, telling: Telling) -> Vec<Word> {
    let bytes = text.as_bytes();
    let mut words: Vec<Word> = Vec::new();
    let mut first = true;
    let mut start = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let quote = matches!(byte, b'"' | b'\'');
        let parts = b";|&()\n`{}".contains(&byte);
        let between =
            byte.is_ascii_whitespace() || parts || matches!(byte, b'<' | b'>') || (quote && telling == Telling::Flat);
        let goes_on = byte == b'\\' && bytes.get(at + 1) == Some(&b'\n');
        if between || goes_on {
            if let Some(start) = start.take() {
                words.push(Word { start, end: at, first });
                first = false;
            }
            first |= parts;
            at += if goes_on { 2 } else { 1 };
            continue;
        }
        start.get_or_insert(at);
        at = match byte {
            b'\\' if telling == Telling::ByQuotes => at + 2,
            _ if quote => closing(bytes, at + 1, byte).map_or(bytes.len(), |close| close + 1),
            _ => at + 1,
        };
    }
    if let Some(start) = start {
        words.push(Word { start, end: bytes.len(), first });
    }
    // What is between the members of a list of JSON.
    let is_word =
        |word: &Word| !text.get(word.start..word.end).unwrap_or_default().trim_matches([',', '[', ']', ':']).is_empty();
    let mut begins = false;
    words
        .into_iter()
        .filter_map(|mut word| {
            begins |= word.first;
            is_word(&word).then(|| {
                word.first = std::mem::take(&mut begins);
                word
            })
        })
        .collect()
}

fn program(word: &str) -> &str {
    let word = word.trim_matches(['"', '\'', '\\', '$']);
    word.rsplit('/').next().unwrap_or_default()
}

/// The secrets among the words of one command. Whatever stands before a program that is known may run it.
fn arguments(text: &str, command: &[Word], marks: &mut Marks) {
    let spelled = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    for (place, word) in command.iter().enumerate() {
        let name = program(spelled(word));
        let rest = command.get(place + 1..).unwrap_or_default();
        for takes in TABLE.iter().filter(|takes| takes.programs.contains(&name)) {
            taken(text, takes, rest, marks);
        }
        if WITH_SLASH.contains(&name) {
            rest.iter().for_each(|word| behind_slash(text, *word, marks));
        }
        let by_word = |word: &Word| spelled(word).starts_with('-') && spelled(word).contains('b');
        if name == "htpasswd"
            && rest.iter().any(by_word)
            && let Some(last) = rest.last()
        {
            marks.add(last.start..last.end);
        }
        // As `openssl` takes them.
        if let Some(value) = spelled(word).trim_start_matches(['"', '\'']).strip_prefix("pass:") {
            marks.add(word.end - value.len()..word.end);
        }
    }
}

fn taken(text: &str, takes: &Takes, rest: &[Word], marks: &mut Marks) {
    let spelled = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    let mut known = takes.with.is_none();
    for (place, word) in rest.iter().enumerate() {
        let bare = spelled(word).trim_start_matches(['"', '\'']);
        let start = word.end - bare.len();
        let next = rest.get(place + 1);
        known |= takes.with.is_some_and(|with| bare == with);
        if !known {
            continue;
        }
        for option in takes.options {
            match bare.strip_prefix(option) {
                Some("") => {
                    if let Some(next) = next.filter(|next| !is_named(spelled(next))) {
                        marks.add(next.start..next.end);
                    }
                }
                Some(value) if !is_named(value) => marks.add(start + option.len()..word.end),
                Some(_) | None => {}
            }
        }
        for option in takes.joined {
            match bare.strip_prefix(option) {
                Some(value) if !value.is_empty() && !is_named(value) => marks.add(start + option.len()..word.end),
                // What was in quotes of its own stands in the next word.
                Some("") => {
                    if let Some(next) = next.filter(|next| {
                        next.start == word.end + 1 && !text_is_space(text, word.end) && !is_named(spelled(next))
                    }) {
                        marks.add(next.start..next.end);
                    }
                }
                _ => {}
            }
        }
        for (option, between) in takes.pairs {
            let value = match bare.strip_prefix(option) {
                Some("") => next.map(|next| (next.start, next.end)),
                Some(value) => Some((start + option.len(), start + option.len() + value.len())),
                None => None,
            };
            let pair = value.and_then(|(start, end)| text.get(start..end).map(|pair| (start, end, pair)));
            if let Some((start, end, pair)) = pair
                && let Some(at) = pair.find(*between)
                && !is_named(pair.get(at + 1..).unwrap_or_default())
            {
                marks.add(start + at + between.len_utf8()..end);
            }
        }
        if takes.verbs.contains(&bare)
            && let Some(next) =
                rest.get(place + 1..).and_then(|rest| rest.iter().find(|word| !spelled(word).starts_with('-')))
            && !is_named(spelled(next))
        {
            marks.add(next.start..next.end);
        }
    }
}

fn text_is_space(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_none_or(u8::is_ascii_whitespace)
}

/// Whether a word is the name of a variable and not a value.
fn is_named(value: &str) -> bool {
    let bare = value.trim_matches('"');
    let name = bare.strip_prefix('$').map(|name| name.trim_matches(['{', '}']));
    name.is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

fn behind_slash(text: &str, word: Word, marks: &mut Marks) {
    let spelled = text.get(word.start..word.end).unwrap_or_default();
    if spelled.starts_with(['-', '/', '@', '.']) {
        return;
    }
    if let Some((name, rest)) = spelled.split_once('/') {
        let secret = rest.rfind('@').unwrap_or(rest.len());
        let start = word.start + name.len() + 1;
        marks.add(start..start + secret);
    }
}

/// What is printed or written for somebody who reads a secret from standard input.
fn piped(text: &str, words: &[Word], marks: &mut Marks) {
    let spelled = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    let reads = |command: &[Word]| {
        let names: Vec<&str> = command.iter().map(spelled).map(program).collect();
        names.iter().any(|name| READERS.contains(name))
            || (names.contains(&"sudo") && names.iter().any(|name| name.starts_with('-') && name.contains('S')))
            || (names.contains(&"passwd") && names.len() <= 3)
    };
    let commands: Vec<&[Word]> = words.chunk_by(|_, next| !next.first).collect();
    if !commands.iter().any(|command| reads(command)) {
        return;
    }
    for command in commands {
        let Some(said) = command.iter().position(|word| ["echo", "printf", "print"].contains(&program(spelled(word))))
        else {
            continue;
        };
        for word in command.get(said + 1..).unwrap_or_default() {
            if !spelled(word).starts_with('-') && !is_named(spelled(word)) {
                marks.add(word.start..word.end);
            }
        }
    }
    for (at, sign) in text.match_indices("<<<") {
        let behind = at + sign.len();
        if let Some(word) = words.iter().find(|word| word.start >= behind).filter(|word| !is_named(spelled(word))) {
            marks.add(word.start..word.end);
        }
    }
    // A document for it: all of its lines.
    for (at, sign) in text.match_indices("<<") {
        let is_document = !text.get(at..).is_some_and(|rest| rest.starts_with("<<<"))
            && at.checked_sub(1).and_then(|before| text.as_bytes().get(before)) != Some(&b'<');
        let lines = text.get(at + sign.len()..).and_then(|rest| rest.find('\n')).map(|line| at + sign.len() + line + 1);
        if let (true, Some(start)) = (is_document, lines) {
            marks.add(start..text.len());
        }
    }
}
