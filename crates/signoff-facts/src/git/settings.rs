//! A file of git's settings, read as git reads it as far as it matters here: sections, keys and values, nothing included.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::read_text;

/// Where the settings of a machine lie, depending on who has built its git.
const OF_THE_MACHINE: [&str; 4] =
    ["/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig", "/opt/local/etc/gitconfig"];

/// Settings by their full names in small letters.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings(Vec<(String, String)>);

impl Settings {
    /// The settings in a file; none where it is not there, and nothing at all where it cannot be read or understood.
    pub(crate) fn of(file: &Path) -> Option<Self> {
        match fs::metadata(file) {
            Ok(_) => Self::parse(&read_text(&fs::canonicalize(file).ok()?)?),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Some(Self::default())
            }
            Err(_) => None,
        }
    }

    /// Those of the user and of the machine. The home comes from the user id; where variables name other files, git reads
    /// those instead.
    pub(crate) fn around(home: &Path) -> Option<Self> {
        let own = [home.join(".gitconfig"), home.join(".config/git/config")];
        let mut all = Self::default();
        for file in OF_THE_MACHINE.iter().map(PathBuf::from).chain(own) {
            all.append(Self::of(&file)?);
        }
        Some(all)
    }

    /// Later settings count before earlier ones.
    pub(crate) fn append(&mut self, later: Self) {
        self.0.extend(later.0);
    }

    /// The last value of a setting.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Whether a setting is given and not turned off.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.value(name)
            .is_some_and(|value| !["false", "no", "off", "0"].iter().any(|off| value.eq_ignore_ascii_case(off)))
    }

    /// Whether other files are named that have settings as well.
    pub(crate) fn includes_others(&self) -> bool {
        self.0.iter().any(|(name, _)| name.starts_with("include"))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut found = Vec::new();
        let mut section = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let mut line = line.trim().to_owned();
            if let Some(header) = line.strip_prefix('[') {
                let (name, rest) = header_of(header)?;
                section = name;
                line = rest.trim().to_owned();
            }
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            // A value goes on behind a backslash at the end of the line.
            while line.ends_with('\\') && !line.ends_with("\\\\") {
                line.pop();
                line.push_str(lines.next()?);
            }
            let (key, value) = match line.split_once('=') {
                Some((key, value)) => (key.trim(), plain(value)?),
                None => (line.split(['#', ';']).next()?.trim(), "true".to_owned()),
            };
            if key.is_empty() || !key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
                return None;
            }
            found.push((format!("{section}.{}", key.to_ascii_lowercase()), value));
        }
        Some(Self(found))
    }
}

/// The name of a section, and what stands behind it on its line.
fn header_of(header: &str) -> Option<(String, &str)> {
    let end = header.find([']', '"'])?;
    let (name, rest) = header.split_at_checked(end)?;
    let name = name.trim().to_ascii_lowercase();
    let Some(quoted) = rest.strip_prefix('"') else { return Some((name, rest.strip_prefix(']')?)) };
    let mut part = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => part.push(letters.next()?.1),
            '"' => return Some((format!("{name}.{part}"), quoted.get(at + 1..)?.trim_start().strip_prefix(']')?)),
            letter => part.push(letter),
        }
    }
    None
}

/// A value without quotes, escapes and what is said about it.
fn plain(value: &str) -> Option<String> {
    let mut text = String::new();
    // Blanks count only where something follows them.
    let mut kept = 0;
    let mut quoted = false;
    let mut letters = value.trim_start().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                kept = text.len();
                continue;
            }
            '#' | ';' if !quoted => break,
            '\\' => text.push(match letters.next()? {
                'n' => '\n',
                't' => '\t',
                'b' => '\u{8}',
                other @ ('"' | '\\') => other,
                _ => return None,
            }),
            letter => text.push(letter),
        }
        if quoted || !letter.is_whitespace() {
            kept = text.len();
        }
    }
    text.truncate(kept);
    (!quoted).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let text = "[core]\n\tbare = false ; no\n WorkTree = \"../a # b\" # c\n[Remote \"or\\\"i ] gin\"] url = x\\\ny\n\
                    [core] ignorecase\n[submodule] recurse = Off\n# [core] worktree = no\n[branch \"worktree\"]\nremote=";
        let settings = Settings::parse(text).unwrap();
        for (name, expected) in [
            ("core.bare", Some("false")),
            ("core.worktree", Some("../a # b")),
            ("remote.or\"i ] gin.url", Some("xy")),
            ("core.ignorecase", Some("true")),
            ("branch.worktree.remote", Some("")),
            ("core.remote", None),
        ] {
            assert_eq!(settings.value(name), expected, "{name}");
        }
        assert!(settings.is_on("core.ignorecase") && !settings.is_on("submodule.recurse"));
        assert!(!settings.is_on("core.nothing") && !settings.includes_others());
        assert!(Settings::parse("[includeIf \"gitdir:~/x\"]\npath = y").unwrap().includes_others());
        for odd in ["[core\nx = y", "[core]\n a b = c", "[core]\nx = \"y", "[core]\nx = \\q", "[a \"b] c = d"] {
            assert_eq!(Settings::parse(odd), None, "{odd}");
        }
    }
}
