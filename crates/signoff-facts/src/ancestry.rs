//! Who started a process: whether an agent stands behind whoever sits at a terminal.
//!
//! An agent can open a terminal of its own and answer there. Its process is then among those above, and an answer from
//! below it is none.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Nobody has more processes above than this.
const GENERATIONS_AT_MOST: usize = 256;

/// A longer command line is looked at no further.
const ARGUMENTS_AT_MOST: usize = 3;

/// Programs that are agents, by the names that they run under.
const AGENTS: &[&str] = &[
    "aider",
    "amp",
    "auggie",
    "claude",
    "cline",
    "codebuff",
    "codex",
    "copilot",
    "crush",
    "cursor-agent",
    "droid",
    "gemini",
    "goose",
    "gptme",
    "iflow",
    "junie",
    "kilocode",
    "kimi",
    "kiro-cli",
    "mini",
    "opencode",
    "openhands",
    "plandex",
    "qwen",
    "sweagent",
    "trae-cli",
];

/// Parts of paths that give away an agent which an interpreter runs.
const AGENT_PACKAGES: &[&str] = &[
    "@anthropic-ai/claude-code",
    "@openai/codex",
    "@google/gemini-cli",
    "@github/copilot",
    "@qwen-code/qwen-code",
    "@sourcegraph/amp",
    "@augmentcode/auggie",
    "opencode-ai",
];

/// Variables that agents set for what they run.
const AGENT_VARIABLES: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CURSOR_AGENT", "cursor-agent"),
    ("GEMINI_CLI", "gemini"),
    ("OPENCODE", "opencode"),
    ("QWEN_CODE", "qwen"),
];

/// What was found above a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Above {
    /// No agent.
    NoAgent,
    /// This one.
    Agent(String),
    /// It could not be told.
    Unknown,
}

/// Whether an agent is among a process and those that started it.
pub fn agent_above(process: u32) -> Above {
    above(Path::new("/proc"), process)
}

/// The agent that has set a variable for what it runs. A variable can be taken away, so that its absence says nothing.
pub fn agent_in_environment(is_set: impl Fn(&str) -> bool) -> Option<&'static str> {
    AGENT_VARIABLES.iter().find(|(variable, _)| is_set(variable)).map(|(_, agent)| *agent)
}

fn above(root: &Path, process: u32) -> Above {
    let mut current = process;
    for _ in 0..GENERATIONS_AT_MOST {
        if current == 0 {
            return Above::NoAgent;
        }
        let directory = root.join(current.to_string());
        let Some(parent) = parent_of(&directory) else {
            // Somebody else's first process may be hidden; one of our own line may not.
            return if current == process { Above::Unknown } else { Above::NoAgent };
        };
        if let Some(agent) = agent_in(&directory) {
            return Above::Agent(agent);
        }
        current = parent;
    }
    Above::Unknown
}

fn parent_of(directory: &Path) -> Option<u32> {
    let status = fs::read_to_string(directory.join("status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// The agent that a process is, if it is one: by its program, by its name, or by what an interpreter was given to run.
fn agent_in(directory: &Path) -> Option<String> {
    let command = fs::read(directory.join("cmdline")).unwrap_or_default();
    let arguments = command.split(|byte| *byte == 0).take(ARGUMENTS_AT_MOST);
    let arguments: Vec<String> = arguments.map(|argument| String::from_utf8_lossy(argument).into_owned()).collect();
    let name = fs::read_to_string(directory.join("comm")).unwrap_or_default();
    let program = fs::read_link(directory.join("exe")).unwrap_or_default();
    let interpreted = arguments.iter().filter(|argument| !argument.starts_with('-'));
    let mut words: Vec<PathBuf> = vec![PathBuf::from(name.trim_end()), program];
    words.extend(interpreted.map(PathBuf::from));
    words.iter().find_map(|word| agent_named(word))
}

fn agent_named(word: &Path) -> Option<String> {
    let text = word.to_string_lossy();
    let stem = word.file_stem()?.to_string_lossy();
    let is_package = AGENT_PACKAGES.iter().any(|package| text.contains(package));
    (is_package || AGENTS.contains(&stem.as_ref())).then(|| stem.into_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{Above, above, agent_above, agent_in_environment};

    fn process(root: &Path, number: u32, parent: u32, name: &str, command: &[&str]) {
        let directory = root.join(number.to_string());
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("status"), format!("Name:\t{name}\nPPid:\t{parent}\n")).unwrap();
        fs::write(directory.join("comm"), format!("{name}\n")).unwrap();
        fs::write(directory.join("cmdline"), command.join("\0")).unwrap();
    }

    #[test]
    fn agents_are_found_at_any_height() {
        for (name, command, expected) in [
            ("bash", &["-bash"][..], None),
            ("claude", &["claude"], Some("claude")),
            ("node", &["node", "--no-warnings", "/usr/bin/gemini"], Some("gemini")),
            ("node", &["/opt/node", "/x/node_modules/@anthropic-ai/claude-code/cli.js"], Some("cli")),
            ("python3", &["python3", "/usr/local/bin/aider", "--model", "x"], Some("aider")),
            ("codex", &["/opt/codex/codex-cli", "exec"], Some("codex")),
            ("vim", &["vim", "docs/claude.md.txt"], None),
            ("less", &["less", "README"], None),
        ] {
            let root = tempfile::tempdir().unwrap();
            process(root.path(), 1, 0, "init", &["init"]);
            process(root.path(), 20, 1, name, command);
            process(root.path(), 21, 20, "script", &["script", "-qc", "signoff exec"]);
            process(root.path(), 22, 21, "signoff", &["signoff", "exec"]);
            let expected = expected.map_or(Above::NoAgent, |agent| Above::Agent(agent.to_owned()));
            assert_eq!(above(root.path(), 22), expected, "{command:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_not_known() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(above(root.path(), 5), Above::Unknown);
        process(root.path(), 5, 4, "a", &[]);
        assert_eq!(above(root.path(), 5), Above::NoAgent, "above lies another name space");
        process(root.path(), 4, 5, "b", &[]);
        assert_eq!(above(root.path(), 5), Above::Unknown, "a circle");
        assert_ne!(agent_above(std::process::id()), Above::Unknown);
    }

    #[test]
    fn variables_give_agents_away() {
        assert_eq!(agent_in_environment(|name| name == "CLAUDECODE"), Some("claude"));
        assert_eq!(agent_in_environment(|_| false), None);
    }
}
