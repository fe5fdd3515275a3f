//! Whose dialog it is.

/// A coding agent whose dialogs are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Qwen Code, which began as Gemini CLI and draws the same dialogs.
    Qwen,
    /// Copilot CLI.
    Copilot,
    /// `OpenCode`.
    OpenCode,
    /// Aider.
    Aider,
    /// Cursor's agent.
    Cursor,
    /// Another one, of which no more is known than that it is an agent.
    Unnamed,
}

impl Agent {
    /// Every agent.
    pub const ALL: [Self; 9] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Qwen,
        Self::Copilot,
        Self::OpenCode,
        Self::Aider,
        Self::Cursor,
        Self::Unnamed,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini-cli",
            Self::Qwen => "qwen-code",
            Self::Copilot => "copilot-cli",
            Self::OpenCode => "opencode",
            Self::Aider => "aider",
            Self::Cursor => "cursor-agent",
            Self::Unnamed => "agent",
        }
    }

    /// The agent of a name, or of the program that runs in a pane.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "claude" | "claude-code" => Self::Claude,
            "codex" => Self::Codex,
            "gemini" | "gemini-cli" => Self::Gemini,
            "qwen" | "qwen-code" => Self::Qwen,
            "copilot" | "copilot-cli" => Self::Copilot,
            "opencode" => Self::OpenCode,
            "aider" => Self::Aider,
            "cursor" | "cursor-agent" => Self::Cursor,
            "agent" => Self::Unnamed,
            _ => return None,
        })
    }

    /// Whether it asks in a line that is typed into, and not in a dialog.
    pub(super) const fn asks_in_lines(self) -> bool {
        match self {
            Self::Aider | Self::Unnamed => true,
            Self::Claude | Self::Codex | Self::Gemini | Self::Qwen | Self::Copilot | Self::OpenCode | Self::Cursor => {
                false
            }
        }
    }

    /// Whether a dialog that looks like this agent's may be that of the other: the same program under another name.
    pub(super) fn may_be(self, running: Self) -> bool {
        let kin = |one, other| one == Self::Gemini && other == Self::Qwen;
        self == running || kin(self, running) || kin(running, self) || running == Self::Unnamed
    }
}
