//! The programs: ours, which hooks call, and those of the clients.

use std::{
    env, fs,
    io::{self, Read as _},
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};
use signoff_agents::Client;
use signoff_card::visible;
use signoff_facts::Above;

use crate::failure::Failure;

/// So long a client may take to say which version it is.
const VERSION_WITHIN: Duration = Duration::from_secs(10);
/// More than this it need not say.
const SAID_AT_MOST: usize = 4_096;

/// Where this program lies, once it is certain that nobody else can put another one in its place: hooks call it by this path.
pub(crate) fn own() -> Result<PathBuf, Failure> {
    let found = env::current_exe().and_then(fs::canonicalize).map_err(|error| {
        Failure::internal(format!("cannot find this program: {error}"), format!("找不到本程序：{error}"))
    })?;
    if let Some(part) = changeable(&found).map_err(|error| Failure::read(&error))? {
        let shown = visible(&part.to_string_lossy());
        return Err(Failure::usage(
            format!("somebody else can change `{shown}`, and with it what every hook runs"),
            format!("其他人可以修改 `{shown}`，从而改变每个钩子运行的内容"),
        )
        .hint(
            "install signoff where only you or the administrator can write, such as ~/.cargo/bin or /usr/local/bin",
            "请将 signoff 安装在只有您或管理员可写的位置，例如 ~/.cargo/bin 或 /usr/local/bin",
        ));
    }
    Ok(found)
}

/// The part of a path that somebody else than its user and the administrator can change, if there is one.
fn changeable(path: &Path) -> io::Result<Option<PathBuf>> {
    let own = rustix::process::geteuid().as_raw();
    for part in path.ancestors() {
        let about = fs::metadata(part)?;
        let foreign = about.uid() != 0 && about.uid() != own;
        // In a directory like /tmp others may add something, and replace nothing of ours.
        let guarded = about.is_dir() && about.mode() & 0o1000 != 0;
        let by_group = about.mode() & 0o020 != 0 && !is_private(about.gid());
        if foreign || ((by_group || about.mode() & 0o002 != 0) && !guarded) {
            return Ok(Some(part.to_owned()));
        }
    }
    Ok(None)
}

/// Whether a group is the one that many systems make for one user alone.
fn is_private(group: u32) -> bool {
    let text = |path: &str| signoff_config::text_of_file(Path::new(path)).ok().flatten().unwrap_or_default();
    is_private_in(group, rustix::process::geteuid().as_raw(), &text("/etc/passwd"), &text("/etc/group"))
}

/// The same by what is written about users and groups: it is called like the user, and nobody else is in it.
fn is_private_in(group: u32, user: u32, users: &str, groups: &str) -> bool {
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect()
    };
    let number = |row: &[String], at: usize| row.get(at).and_then(|field| field.parse::<u32>().ok());
    let users = rows(users);
    let Some(name) = users.iter().find(|row| number(row, 2) == Some(user)).and_then(|row| row.first()) else {
        return false;
    };
    let nobody_else = users
        .iter()
        .all(|row| number(row, 3) != Some(group) || row.first() == Some(name) && number(row, 2) == Some(user));
    let mut found = rows(groups).into_iter().filter(|row| number(row, 2) == Some(group));
    let (Some(row), None) = (found.next(), found.next()) else { return false };
    let members = row.get(3).map(String::as_str).unwrap_or_default();
    nobody_else && row.first() == Some(name) && members.split(',').all(|member| member.is_empty() || member == name)
}

/// Where the program of a client lies.
pub(super) fn found(client: Client) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths).map(|directory| directory.join(client.program())).find(|path| is_program(path))
}

pub(super) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// What a client says about its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// This one.
    Said([u32; 3]),
    /// It says none, or is not there.
    Unknown,
    /// It was not started: an agent has called this, or could have put another program there.
    Unasked,
}

impl Version {
    pub(super) const fn number(self) -> Option<[u32; 3]> {
        match self {
            Self::Said(number) => Some(number),
            Self::Unknown | Self::Unasked => None,
        }
    }
}

/// The version that a client says it is. Whatever an agent could have put into its place is not started by us.
pub(super) fn version(client: Client, project: &Path) -> Version {
    let Some(program) = found(client) else { return Version::Unknown };
    let Ok(program) = fs::canonicalize(program) else { return Version::Unknown };
    let is_ours_alone = changeable(&program).is_ok_and(|part| part.is_none()) && !program.starts_with(project);
    if !is_ours_alone || signoff_facts::agent_above(std::process::id()) != Above::NoAgent {
        return Version::Unasked;
    }
    asked(&program).map_or(Version::Unknown, Version::Said)
}

/// Asks a program. Whatever it leaves behind is neither waited for nor left.
fn asked(program: &Path) -> Option<[u32; 3]> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    let mut stdout = child.stdout.take()?;
    let (say, hear) = mpsc::channel();
    thread::spawn(move || {
        let mut part = [0; 4_096];
        while let Ok(length @ 1..) = stdout.read(&mut part) {
            let said = part.get(..length).unwrap_or_default().to_vec();
            if say.send(said).is_err() {
                return;
            }
        }
    });
    let (begun, mut text) = (Instant::now(), Vec::new());
    let is_over = loop {
        match hear.recv_timeout(Duration::from_millis(50)) {
            Ok(part) if text.len() < SAID_AT_MOST => text.extend(part),
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break true,
            // It has ended, and something that it has started holds its output.
            Err(mpsc::RecvTimeoutError::Timeout) if matches!(child.try_wait(), Ok(Some(_))) => break false,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if begun.elapsed() > VERSION_WITHIN {
            break false;
        }
    };
    if !is_over {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
    parsed(&String::from_utf8_lossy(&text))
}

/// The first three numbers with dots between them.
fn parsed(text: &str) -> Option<[u32; 3]> {
    text.split(|letter: char| !(letter.is_ascii_digit() || letter == '.')).find_map(|word| {
        let mut numbers = word.split('.').map(str::parse::<u32>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok(patch))) => Some([major, minor, patch]),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use std::{fs, os::unix::fs::PermissionsExt as _, time::Instant};

    use super::{VERSION_WITHIN, asked, is_private_in, parsed};

    #[test]
    fn a_version_is_heard_whatever_a_client_leaves_behind() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("claude");
        fs::write(&program, "#!/bin/sh\nsleep 300 &\necho '2.1.325 (Claude Code)'\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let begun = Instant::now();
        assert_eq!(asked(&program), Some([2, 1, 325]));
        assert!(begun.elapsed() < VERSION_WITHIN, "what it has left behind is not waited for");
    }

    #[test]
    fn a_group_of_one_is_nobody_elses() {
        let users = "root:x:0:0::/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\nyou:x:1001:1001::/home/you:/bin/sh\n";
        let groups = "me:x:1000:\nyou:x:1001:me\nstaff:x:50:me\n";
        assert!(is_private_in(1000, 1000, users, groups));
        assert!(!is_private_in(1001, 1000, users, groups), "somebody else's");
        assert!(!is_private_in(50, 1000, users, groups), "called otherwise");
        assert!(!is_private_in(1000, 1000, users, "me:x:1000:you\n"), "with somebody else in it");
        assert!(
            !is_private_in(1000, 1000, &users.replace("1001:1001", "1001:1000"), groups),
            "the first of somebody else"
        );
        assert!(!is_private_in(1000, 1000, users, "me:x:1000:\nme:x:1000:you\n"), "said twice");
        assert!(!is_private_in(7, 1000, users, groups) && !is_private_in(1000, 9, users, groups), "unknown");
    }

    #[test]
    fn versions_are_found_in_what_clients_say() {
        for (text, version) in [
            ("2.1.325 (Claude Code)\n", Some([2, 1, 325])),
            ("codex-cli 0.166.0", Some([0, 166, 0])),
            ("v1.0.102 commit abc", Some([1, 0, 102])),
            ("no version", None),
            ("1.2", None),
        ] {
            assert_eq!(parsed(text), version, "{text}");
        }
    }
}
