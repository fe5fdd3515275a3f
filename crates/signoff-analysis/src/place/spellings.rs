//! Other ways to read a path.
//!
//! A path that a tool hands over is data: nobody knows whether the tool trims it or decodes it, and whether the file
//! system minds the case of letters or strips a final dot. Each reading that some system would follow is listed here, so
//! that a path which *could* be a secret or a part of the system is judged as that.

use super::join;
use crate::facts::Whereabouts;

/// How a reading came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As it is written.
    Written,
    /// As another file system or a forgiving tool reads it.
    Otherwise,
    /// As it would be if the project lay elsewhere: it climbs out of a directory whose depth nobody knows.
    Climbing,
}

/// The path as it is written, with the home directory filled in, and then every other reading of it.
pub fn spellings(path: &str, whereabouts: &Whereabouts) -> Vec<(String, Reading)> {
    let mut all = vec![(expanded(path, whereabouts), Reading::Written)];
    if is_usual(path) {
        return all;
    }
    let mut forms = vec![path.to_owned()];
    let bare = path.split('\0').next().unwrap_or(path).trim_matches(|letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '"' | '\'' | '`' | '<' | '>')
    });
    forms.push(bare.to_owned());
    // Whoever decodes once may meet somebody who decodes again.
    let mut decoded = bare.to_owned();
    for _ in 0..3 {
        let next = percent_decoded(&decoded);
        if next == decoded {
            break;
        }
        forms.push(next.clone());
        decoded = next;
    }
    let slashed = from_windows(without_scheme(&decoded));
    forms.push(clean(&slashed));
    forms.push(long_names(&clean(&slashed)));
    forms.push(slashed);
    for form in &forms {
        add(&mut all, expanded(form, whereabouts), Reading::Otherwise);
    }
    for (known, _) in all.clone() {
        add(&mut all, folded(&known, whereabouts), Reading::Otherwise);
    }
    if whereabouts.is_assumed() {
        for form in &forms {
            climbed(form, whereabouts).into_iter().for_each(|other| add(&mut all, other, Reading::Climbing));
        }
    }
    all
}

fn add(all: &mut Vec<(String, Reading)>, path: String, reading: Reading) {
    if !path.is_empty() && !all.iter().any(|(known, _)| *known == path) {
        all.push((path, reading));
    }
}

/// Whether there is only one way to read the path, as there is for nearly all of them.
fn is_usual(path: &str) -> bool {
    let plain = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'+' | b'@')
    };
    path.bytes().all(plain)
        && !path.split('/').any(|part| part.ends_with('.') && part != ".")
        && !path.starts_with("//")
        && !path.starts_with("/mnt/")
        && !path.starts_with("/cygdrive/")
        && !path.starts_with("/private/")
        && path.as_bytes().get(2) != Some(&b'/')
}

/// A path without what tools put around it: a scheme, the home directory by its sign or its variable.
fn expanded(path: &str, whereabouts: &Whereabouts) -> String {
    let path = without_scheme(path);
    let home = whereabouts.home.as_str();
    let variables = [
        ("~", home.to_owned()),
        ("$HOME", home.to_owned()),
        ("${HOME}", home.to_owned()),
        ("$env:HOME", home.to_owned()),
        ("$env:USERPROFILE", home.to_owned()),
        ("%USERPROFILE%", home.to_owned()),
        ("%HOMEDRIVE%%HOMEPATH%", home.to_owned()),
        ("%HOMEPATH%", home.to_owned()),
        ("%APPDATA%", format!("{home}/AppData/Roaming")),
        ("$env:APPDATA", format!("{home}/AppData/Roaming")),
        ("%LOCALAPPDATA%", format!("{home}/AppData/Local")),
        ("$env:LOCALAPPDATA", format!("{home}/AppData/Local")),
        ("%SYSTEMROOT%", "C:/Windows".to_owned()),
        ("%WINDIR%", "C:/Windows".to_owned()),
        ("$env:windir", "C:/Windows".to_owned()),
        ("%SYSTEMDRIVE%", "C:".to_owned()),
    ];
    for (name, value) in variables {
        let (start, rest) = path.split_at_checked(name.len()).unwrap_or(("", path));
        if start.eq_ignore_ascii_case(name) && (rest.is_empty() || rest.starts_with(['/', '\\'])) {
            return format!("{value}{rest}");
        }
    }
    if let Some(rest) = path.strip_prefix('~') {
        let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let home = if user == "root" { "/root".to_owned() } else { format!("/home/{user}") };
        return format!("{home}/{rest}");
    }
    path.to_owned()
}

/// A path without the scheme of a URL that stays on this machine.
fn without_scheme(path: &str) -> &str {
    let mut path = path;
    for scheme in ["view-source:", "file://localhost/", "file://127.0.0.1/", "file://", "file:/"] {
        let (start, rest) = path.split_at_checked(scheme.len()).unwrap_or(("", path));
        if start.eq_ignore_ascii_case(scheme) {
            let slash = scheme.ends_with('/') && scheme != "file://";
            path = if slash { path.get(scheme.len() - 1..).unwrap_or(rest) } else { rest };
            if scheme != "view-source:" {
                // What follows the path of a URL is no part of it; and a drive stands behind a slash there.
                path = path.split(['?', '#']).next().unwrap_or(path);
                let drive = matches!(path.as_bytes(), [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
                return if drive { path.get(1..).unwrap_or(path) } else { path };
            }
        }
    }
    path
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).filter(|_| *byte == b'%') {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

/// A path as Windows reads it, with slashes: the long form without its sign, shares and mounts of a drive as the drive,
/// and the other names that macOS has for its root.
fn from_windows(text: &str) -> String {
    let path = text.replace('\\', "/");
    let path = ["//?/UNC/", "//?/", "//./", "/??/"]
        .iter()
        .find_map(|sign| {
            let rest = path.strip_prefix(sign)?;
            Some(if sign.ends_with("UNC/") { format!("//{rest}") } else { rest.to_owned() })
        })
        .unwrap_or(path);
    if let Some(share) = path.strip_prefix("//") {
        let mut parts = share.splitn(3, '/');
        let (host, name, rest) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if host.eq_ignore_ascii_case("wsl$") || host.eq_ignore_ascii_case("wsl.localhost") {
            return format!("/{rest}");
        }
        if let [letter, b'$'] = name.as_bytes()
            && letter.is_ascii_alphabetic()
        {
            return format!("{}:/{rest}", char::from(*letter));
        }
    }
    for root in ["/System/Volumes/Data", "/private"] {
        if let Some(rest) = path.strip_prefix(root).filter(|rest| rest.starts_with('/')) {
            return rest.to_owned();
        }
    }
    for mount in ["/mnt/", "/cygdrive/", "/"] {
        if let Some(rest) = path.strip_prefix(mount)
            && let [letter, b'/', ..] | [letter] = rest.as_bytes()
            && letter.is_ascii_alphabetic()
        {
            return format!("{}:/{}", char::from(*letter), rest.get(2..).unwrap_or_default());
        }
    }
    // `\Windows` is the directory of that name on the drive at hand.
    if text.starts_with('\\') && path.starts_with('/') && !path.starts_with("//") { format!("C:{path}") } else { path }
}

/// A path without what Windows drops from each name: blanks and dots at its end, and a stream behind a colon.
fn clean(path: &str) -> String {
    let name = |(at, part): (usize, &str)| {
        if matches!(part, "" | "." | "..") || at == 0 && part.len() == 2 && part.ends_with(':') {
            return part.to_owned();
        }
        let named = part.split(':').next().unwrap_or(part).trim_end_matches(['.', ' ']).trim_start();
        if named.is_empty() { part.to_owned() } else { named.to_owned() }
    };
    path.split('/').enumerate().map(name).collect::<Vec<_>>().join("/")
}

/// A path with the short names of Windows written out where they stand for a hidden name: `GIT~1` is `.git`.
fn long_names(path: &str) -> String {
    let name = |part: &str| match part.split_once('~') {
        Some((stem, number))
            if !stem.is_empty()
                && stem.len() <= 6
                && stem.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && number.len() == 1
                && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            format!(".{}", stem.to_ascii_lowercase())
        }
        _ => part.to_owned(),
    };
    path.split('/').map(name).collect::<Vec<_>>().join("/")
}

/// Names that are written with capitals among those that are recognised.
const CAPITALS: &[&str] = &[
    "Users",
    "System",
    "Library",
    "Applications",
    "Volumes",
    "Keychains",
    "Cookies",
    "Application Support",
    "Google",
    "Chrome",
    "Firefox",
    "BraveSoftware",
    "LaunchAgents",
    "LaunchDaemons",
    "com.apple.TCC",
    "AppData",
    "Roaming",
    "Local",
    "Microsoft",
    "Credentials",
    "Protect",
    "Windows",
    "PowerShell",
    "Start Menu",
    "Programs",
    "Startup",
    "User Data",
    "GitHub CLI",
    "Documents",
    "WindowsPowerShell",
    "Jenkinsfile",
];

/// The absolute path as a file system reads it that does not mind the case of letters. Where the project and the home
/// directory lie is known, so their own case is kept.
fn folded(path: &str, whereabouts: &Whereabouts) -> String {
    if super::is_windows_path(path) {
        return path.to_owned();
    }
    let Some(whole) = join(Some(&whereabouts.cwd), path) else { return path.to_owned() };
    let below = |root: &str| {
        let (start, rest) = whole.split_at_checked(root.len())?;
        (start.eq_ignore_ascii_case(root) && (rest.is_empty() || rest.starts_with('/')))
            .then(|| (root.to_owned(), rest.to_owned()))
    };
    let (root, rest) = below(&whereabouts.project)
        .or_else(|| below(&whereabouts.home))
        .unwrap_or_else(|| (String::new(), whole.clone()));
    let name = |part: &str| {
        CAPITALS
            .iter()
            .find(|known| known.eq_ignore_ascii_case(part))
            .map_or_else(|| part.to_lowercase(), |known| (*known).to_owned())
    };
    root + &rest.split('/').map(name).collect::<Vec<_>>().join("/")
}

/// Where a path may lead that climbs out of a project of which nobody knows how deep it lies: into the home directory,
/// or into the root.
fn climbed(path: &str, whereabouts: &Whereabouts) -> Vec<String> {
    let mut climbs = 0;
    let mut rest: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" if rest.is_empty() && climbs == 0 => return Vec::new(),
            "" | "." => {}
            ".." if rest.pop().is_none() => climbs += 1,
            ".." => {}
            part => rest.push(part),
        }
    }
    if climbs == 0 || rest.is_empty() {
        return Vec::new();
    }
    let rest = rest.join("/");
    let mut found = vec![format!("{}/{rest}", whereabouts.home)];
    if climbs > 1 {
        found.push(format!("/{rest}"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(path: &str) -> Vec<String> {
        spellings(path, &Whereabouts::assumed()).into_iter().skip(1).map(|(path, _)| path).collect()
    }

    #[test]
    fn an_ordinary_path_has_one_reading() {
        for path in
            ["src/main.rs", "docs/a-b_c.md", ".env", "/etc/passwd", "./x", "target/debug/x.d", "node_modules/@a/b"]
        {
            assert_eq!(others(path), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn a_path_is_read_as_some_system_reads_it() {
        let project = Whereabouts::assumed().project;
        let home = Whereabouts::assumed().home;
        for (path, reading) in [
            ("%2eenv", ".env".to_owned()),
            ("%252eenv", ".env".to_owned()),
            (" .env\n", ".env".to_owned()),
            ("\".env\"", ".env".to_owned()),
            (".env\0.png", ".env".to_owned()),
            (".ENV", format!("{project}/.env")),
            ("~/.SSH/Id_Rsa", format!("{home}/.ssh/id_rsa")),
            ("~/library/keychains/x", format!("{home}/Library/Keychains/x")),
            ("..\\..\\.ssh\\id_rsa", "../../.ssh/id_rsa".to_owned()),
            ("../../.ssh/id_rsa", format!("{home}/.ssh/id_rsa")),
            ("../../etc/passwd", "/etc/passwd".to_owned()),
            ("\\\\?\\C:\\x", "C:/x".to_owned()),
            ("\\\\?\\UNC\\localhost\\C$\\x", "C:/x".to_owned()),
            ("\\Windows", "C:/Windows".to_owned()),
            ("%SystemRoot%\\x", "C:/Windows/x".to_owned()),
            ("%userprofile%\\.ssh", format!("{home}/.ssh")),
            ("/mnt/c/Windows", "c:/Windows".to_owned()),
            ("\\\\wsl$\\Ubuntu\\etc\\passwd", "/etc/passwd".to_owned()),
            ("/private/etc/passwd", "/etc/passwd".to_owned()),
            (".git./hooks ./x", ".git/hooks/x".to_owned()),
            (".git::$INDEX_ALLOCATION/config", ".git/config".to_owned()),
            ("GIT~1/config", ".git/config".to_owned()),
            ("FILE:///etc/passwd", "/etc/passwd".to_owned()),
            ("file:///C:/x?y", "C:/x".to_owned()),
        ] {
            let all: Vec<String> = spellings(path, &Whereabouts::assumed()).into_iter().map(|(path, _)| path).collect();
            assert!(all.contains(&reading), "{path:?}: {reading} not among {all:?}");
        }
    }

    #[test]
    fn the_project_keeps_its_own_case() {
        let whereabouts = Whereabouts {
            cwd: "/Work/Some App".to_owned(),
            home: "/Users/Ann".to_owned(),
            project: "/Work/Some App".to_owned(),
        };
        assert_eq!(folded("Src/Main.RS", &whereabouts), "/Work/Some App/src/main.rs");
        assert_eq!(folded("/users/ann/.SSH", &whereabouts), "/Users/Ann/.ssh");
    }
}
