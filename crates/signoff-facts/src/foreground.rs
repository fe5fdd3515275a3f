//! Which program has a terminal: the one to which keys go that are typed there.
//!
//! Whether it is an agent is told by its name, as strictly as can be: what keys are typed into must be the agent itself, not something that an agent has
//! started, nor a program that is given a file of that name.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::ancestry::{agent_named, bytes_of};

/// What has a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foreground {
    /// An agent.
    Agent(AgentProcess),
    /// Another program, by its name.
    Other(String),
    /// It could not be told.
    Unknown,
}

/// An agent that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentProcess {
    /// What it is called.
    pub name: String,
    /// Its process.
    pub pid: u32,
    /// Where it works; none where that could not be told.
    pub cwd: Option<PathBuf>,
}

impl AgentProcess {
    /// A variable of its environment, as it was when it was started.
    pub fn variable(&self, name: &str) -> Option<String> {
        let environment = bytes_of(&Path::new("/proc").join(self.pid.to_string()).join("environ"));
        let mut variables = environment.split(|byte| *byte == 0);
        let value = variables.find_map(|variable| variable.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

/// Programs that run what they are given.
const INTERPRETERS: &[&str] =
    &["node", "nodejs", "bun", "deno", "python", "python3", "ruby", "sh", "bash", "dash", "env"];

/// Packages whose script is not called as the agent is.
const PACKAGES: &[(&str, &str)] = &[
    ("@anthropic-ai/claude-code", "claude"),
    ("@openai/codex", "codex"),
    ("@google/gemini-cli", "gemini"),
    ("@github/copilot", "copilot"),
    ("@qwen-code/qwen-code", "qwen"),
    ("opencode-ai", "opencode"),
];

/// What has the terminal of a process: the leader of the group that is in its foreground.
pub fn foreground_of(process: u32) -> Foreground {
    of(Path::new("/proc"), process)
}

fn of(root: &Path, process: u32) -> Foreground {
    let group = stat(root, process).and_then(|fields| fields.foreground.parse::<u32>().ok());
    let Some(leader) = group.filter(|group| *group > 0) else { return Foreground::Unknown };
    let directory = root.join(leader.to_string());
    // A group whose leader has gone may be that of anybody.
    if stat(root, leader).is_none_or(|fields| fields.group != leader.to_string() || fields.state == 'Z') {
        return Foreground::Unknown;
    }
    let called = String::from_utf8_lossy(&bytes_of(&directory.join("comm"))).trim_end().to_owned();
    match agent(&directory, &called) {
        Some(name) => {
            Foreground::Agent(AgentProcess { name, pid: leader, cwd: fs::read_link(directory.join("cwd")).ok() })
        }
        None => Foreground::Other(called),
    }
}

/// The agent that a process is: by its own name, by that of its program, or by what an interpreter was given to run.
fn agent(directory: &Path, called: &str) -> Option<String> {
    let program = fs::read_link(directory.join("exe")).unwrap_or_default();
    let shown = program.to_string_lossy();
    let program = PathBuf::from(shown.strip_suffix(" (deleted)").unwrap_or(&shown));
    let own = [Path::new(called), program.as_path()].into_iter().find_map(agent_named);
    if own.is_some() {
        return own;
    }
    let command = bytes_of(&directory.join("cmdline"));
    let mut words = command.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let first = words.next().unwrap_or_default();
    let stem = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let names = [stem(&program), stem(Path::new(&first))];
    let runs = |name: &String| {
        let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        INTERPRETERS.contains(&name)
    };
    // Only the script itself: what stands behind it is for the script.
    let script = words.find(|word| !word.starts_with('-')).filter(|_| names.iter().any(runs))?;
    let packaged = PACKAGES.iter().find(|(package, _)| script.contains(package)).map(|(_, agent)| (*agent).to_owned());
    packaged.or_else(|| agent_named(Path::new(&script)))
}

/// What the system says about a process.
struct Stat {
    state: char,
    group: String,
    foreground: String,
}

fn stat(root: &Path, process: u32) -> Option<Stat> {
    let bytes = bytes_of(&root.join(process.to_string()).join("stat"));
    let text = String::from_utf8_lossy(&bytes);
    // The name stands in parentheses, and may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let [state, _parent, group, _session, _terminal, foreground, ..] = fields.as_slice() else { return None };
    Some(Stat { state: state.chars().next()?, group: (*group).to_owned(), foreground: (*foreground).to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(root: &Path, number: u32, group: u32, foreground: i64, (name, program): (&str, &str), command: &[&str]) {
        let directory = root.join(number.to_string());
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("stat"), format!("{number} ({name}) S 1 {group} 7 34816 {foreground} 0 0\n")).unwrap();
        fs::write(directory.join("comm"), format!("{name}\n")).unwrap();
        fs::write(directory.join("cmdline"), command.join("\0")).unwrap();
        std::os::unix::fs::symlink(program, directory.join("exe")).unwrap();
        std::os::unix::fs::symlink("/srv/app", directory.join("cwd")).unwrap();
    }

    #[test]
    fn an_agent_is_told_by_its_own_name() {
        for (name, program, command, expected) in [
            ("claude", "/home/u/.local/share/claude/versions/2.1.3", &["claude"][..], Some("claude")),
            ("main", "/opt/bin/codex (deleted)", &["x"], Some("codex")),
            ("node", "/usr/bin/node", &["node", "--no-warnings", "/usr/bin/gemini", "-p", "x"], Some("gemini")),
            ("python3.13", "/usr/bin/python3.13", &["python3", "/usr/bin/aider"], Some("aider")),
            ("node", "/usr/bin/node", &["node", "/x/@anthropic-ai/claude-code/cli.js"], Some("claude")),
            // A file of that name is no agent, and neither is what a script is given.
            ("cat", "/usr/bin/cat", &["cat", "claude"], None),
            ("less", "/usr/bin/less", &["less", "claude"], None),
            ("node", "/usr/bin/node", &["node", "server.js", "claude"], None),
            ("bash", "/bin/bash", &["-bash"], None),
            ("bash", "/bin/bash", &["bash", "-c", "claude --help"], None),
            ("claude) S 1 20 7 0 20 (x", "/bin/x", &["x"], None),
        ] {
            let root = tempfile::tempdir().unwrap();
            process(root.path(), 10, 10, 20, ("bash", "/bin/bash"), &["-bash"]);
            process(root.path(), 20, 20, 20, (name, program), command);
            match (of(root.path(), 10), expected) {
                (Foreground::Agent(found), Some(expected)) => {
                    assert_eq!((found.name.as_str(), found.pid), (expected, 20))
                }
                (Foreground::Other(_), None) => {}
                (found, _) => panic!("{command:?}: {found:?}"),
            }
        }
    }

    #[test]
    fn whatever_cannot_be_seen_is_nobody() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(of(root.path(), 10), Foreground::Unknown);
        process(root.path(), 10, 10, -1, ("claude", "/bin/claude"), &["claude"]);
        assert_eq!(of(root.path(), 10), Foreground::Unknown, "nobody has the terminal");
        process(root.path(), 11, 11, 30, ("bash", "/bin/bash"), &["bash"]);
        assert_eq!(of(root.path(), 11), Foreground::Unknown, "its leader has gone");
        process(root.path(), 30, 29, 30, ("claude", "/bin/claude"), &["claude"]);
        assert_eq!(of(root.path(), 11), Foreground::Unknown, "another process has that number now");
    }
}
