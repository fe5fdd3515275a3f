//! Who started a process: whether an agent stands behind whoever sits at a terminal.
//!
//! An agent can open a terminal of its own and answer there. Its process is then among those above, and an answer from
//! below it is none.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

/// Nobody has more processes above than this.
const GENERATIONS_AT_MOST: usize = 256;

/// So many words behind its options may say what an interpreter runs.
const WORDS_AT_MOST: usize = 4;

/// A longer command line, or a larger environment, is looked at no further.
const BYTES_AT_MOST: u64 = 1 << 20;

/// Programs whose arguments are names that people choose: of sessions, hosts and files. What they run is a process of its
/// own, and known by itself.
const NAMING: &[&str] = &[
    "tmux",
    "screen",
    "zellij",
    "byobu",
    "dtach",
    "abduco",
    "ssh",
    "sshd",
    "mosh",
    "mosh-server",
    "vi",
    "vim",
    "nvim",
    "view",
    "emacs",
    "nano",
    "hx",
    "less",
    "more",
    "man",
    "sudo",
    "su",
    "login",
    "signoff",
];

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

/// The agent that a process is, if it is one: by its program, by its name, by what an interpreter was given to run, or by
/// what an agent has left in its environment.
fn agent_in(directory: &Path) -> Option<String> {
    let name = String::from_utf8_lossy(&bytes_of(&directory.join("comm"))).trim_end().to_owned();
    let program = fs::read_link(directory.join("exe")).unwrap_or_default();
    // A program that was replaced while it runs is still what it was.
    let shown = program.to_string_lossy();
    let program = PathBuf::from(shown.strip_suffix(" (deleted)").unwrap_or(&shown));
    let command = bytes_of(&directory.join("cmdline"));
    let mut arguments = command.split(|byte| *byte == 0).map(|argument| String::from_utf8_lossy(argument).into_owned());
    let called = arguments.next().unwrap_or_default();
    let is_naming = |word: &Path| word.file_name().is_some_and(|name| NAMING.iter().any(|naming| name == *naming));
    let names_only = is_naming(&program) || program.as_os_str().is_empty() && is_naming(Path::new(&called));
    let interpreted = arguments.filter(|argument| !argument.starts_with('-') && !names_only).take(WORDS_AT_MOST);
    let mut words: Vec<PathBuf> = vec![PathBuf::from(name), program, PathBuf::from(called)];
    words.extend(interpreted.map(PathBuf::from));
    words.iter().find_map(|word| agent_named(word)).or_else(|| agent_behind(directory))
}

/// The agent that a process has its environment from. Whoever cleans the environment of one process has not cleaned that
/// of those above it.
fn agent_behind(directory: &Path) -> Option<String> {
    let environment = bytes_of(&directory.join("environ"));
    let is_set = |name: &str| {
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'=')))
    };
    agent_in_environment(is_set).map(str::to_owned)
}

pub(crate) fn bytes_of(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What may not be read belongs to somebody else, and is not an agent of this user.
    let _ = fs::File::open(path).and_then(|file| file.take(BYTES_AT_MOST).read_to_end(&mut bytes));
    bytes
}

pub(crate) fn agent_named(word: &Path) -> Option<String> {
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
            ("vim", &["vim", "claude"], None),
            ("tmux: server", &["tmux", "new", "-s", "claude"], None),
            ("ssh", &["ssh", "codex"], None),
            ("node", &["node", "--a", "--b", "--c", "--d", "/usr/bin/gemini"], Some("gemini")),
            ("python3", &["python3", "-X", "dev", "-W", "ignore", "-m", "aider"], Some("aider")),
            ("MainThread", &["npm", "exec", "@google/gemini-cli"], Some("gemini-cli")),
            ("less", &["less", "README"], None),
            ("signoff", &["signoff", "uninstall", "claude"], None),
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
    fn an_environment_that_was_cleaned_below_gives_the_agent_away_above() {
        let root = tempfile::tempdir().unwrap();
        process(root.path(), 1, 0, "init", &["init"]);
        process(root.path(), 20, 1, "tmux: server", &["tmux", "new-session", "-d"]);
        process(root.path(), 21, 20, "bash", &["bash"]);
        fs::write(root.path().join("20/environ"), "HOME=/x\0NOTCLAUDECODE=1\0").unwrap();
        assert_eq!(above(root.path(), 21), Above::NoAgent);
        fs::write(root.path().join("20/environ"), "HOME=/x\0CLAUDECODE=1\0PATH=/bin\0").unwrap();
        assert_eq!(above(root.path(), 21), Above::Agent("claude".to_owned()));
    }

    #[test]
    fn a_program_that_was_replaced_is_still_what_it_was() {
        let root = tempfile::tempdir().unwrap();
        process(root.path(), 5, 0, "main", &["/proc/self/exe"]);
        std::os::unix::fs::symlink("/opt/bin/codex (deleted)", root.path().join("5/exe")).unwrap();
        assert_eq!(above(root.path(), 5), Above::Agent("codex".to_owned()));
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
