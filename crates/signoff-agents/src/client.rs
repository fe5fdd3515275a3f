//! The clients that are known, and what has been found out about each of them.

use std::time::Duration;

/// A coding agent that asks somebody else before it calls a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// GitHub Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
    /// Qwen Code.
    Qwen,
    /// Kimi Code.
    Kimi,
    /// Cline.
    Cline,
    /// Windsurf.
    Windsurf,
    /// Goose.
    Goose,
    /// Antigravity.
    Antigravity,
    /// Amp, by its delegate.
    Amp,
    /// OpenCode, by our plugin.
    OpenCode,
}

/// How what is said here of a client is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The client was run, and did as it is said here.
    Run,
    /// It could not be run, and its documents say so.
    Experimental,
}

/// Whether a client runs a call although its hook could not say anything; none where nobody has seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsWithoutHook {
    /// Where the process of the hook is killed.
    pub killed: Option<bool>,
    /// Where its program is gone.
    pub missing: Option<bool>,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Copilot,
        Self::Cursor,
        Self::Qwen,
        Self::Kimi,
        Self::Cline,
        Self::Windsurf,
        Self::Goose,
        Self::Antigravity,
        Self::Amp,
        Self::OpenCode,
    ];

    /// What it is called on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Qwen => "qwen",
            Self::Kimi => "kimi",
            Self::Cline => "cline",
            Self::Windsurf => "windsurf",
            Self::Goose => "goose",
            Self::Antigravity => "antigravity",
            Self::Amp => "amp",
            Self::OpenCode => "opencode",
        }
    }

    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Copilot => "Copilot CLI",
            Self::Cursor => "Cursor",
            Self::Qwen => "Qwen Code",
            Self::Kimi => "Kimi Code",
            Self::Cline => "Cline",
            Self::Windsurf => "Windsurf",
            Self::Goose => "Goose",
            Self::Antigravity => "Antigravity",
            Self::Amp => "Amp",
            Self::OpenCode => "OpenCode",
        }
    }

    /// The client that is called so.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.name() == name)
    }

    /// Whether it was run.
    pub const fn standing(self) -> Standing {
        match self {
            Self::Claude
            | Self::Codex
            | Self::Gemini
            | Self::Copilot
            | Self::Qwen
            | Self::Kimi
            | Self::Cline
            | Self::OpenCode => Standing::Run,
            Self::Cursor | Self::Windsurf | Self::Goose | Self::Antigravity | Self::Amp => Standing::Experimental,
        }
    }

    /// The program by which it is started.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Cursor => "cursor-agent",
            Self::Antigravity => "agy",
            other => other.name(),
        }
    }

    /// The directory in the home of whoever uses it.
    pub const fn home(self) -> &'static str {
        match self {
            Self::Claude => ".claude",
            Self::Codex => ".codex",
            Self::Gemini => ".gemini",
            Self::Copilot => ".copilot",
            Self::Cursor => ".cursor",
            Self::Qwen => ".qwen",
            Self::Kimi => ".kimi-code",
            Self::Cline => ".cline",
            Self::Windsurf => ".codeium/windsurf",
            Self::Goose => ".config/goose",
            Self::Antigravity => ".gemini/config",
            Self::Amp => ".config/amp",
            Self::OpenCode => ".config/opencode",
        }
    }

    /// From which version on it stays closed where a hook dies, hangs or is missing; none where it never does.
    pub const fn closed_since(self) -> Option<[u32; 3]> {
        match self {
            Self::Claude => Some([2, 1, 295]),
            _ => None,
        }
    }

    /// What it does where the process of a hook is killed, and where the program of a hook is gone: whether it runs the call.
    pub const fn runs_without_hook(self) -> RunsWithoutHook {
        let (killed, missing) = match self {
            Self::Claude => (Some(false), Some(false)),
            Self::Copilot => (Some(false), Some(false)),
            Self::Gemini => (Some(true), Some(false)),
            Self::Codex | Self::Qwen | Self::Kimi | Self::Cline => (Some(true), Some(true)),
            // Our plugin throws in both cases.
            Self::OpenCode => (Some(false), Some(false)),
            Self::Cursor | Self::Windsurf | Self::Goose | Self::Antigravity | Self::Amp => (None, None),
        };
        RunsWithoutHook { killed, missing }
    }

    /// How long it really waits for a hook that is installed as [`install`](crate) does it; then it runs the call.
    pub const fn waits(self) -> Duration {
        Duration::from_secs(match self {
            // As it is told to; Kimi drops all hooks where it is told to wait longer.
            Self::Claude | Self::Codex | Self::Gemini | Self::Copilot | Self::Kimi | Self::OpenCode => 600,
            Self::Cline => 120,
            Self::Qwen => 60,
            // What it does when it is told to wait longer was not seen: no longer than it waits by itself.
            Self::Cursor | Self::Windsurf | Self::Goose | Self::Antigravity | Self::Amp => 30,
        })
    }

    /// After so long a hook says no, so that the client hears it before it gives up.
    pub const fn answer_within(self) -> Duration {
        Duration::from_secs(match self {
            Self::Claude | Self::Codex | Self::Gemini | Self::Copilot | Self::Kimi | Self::OpenCode => 540,
            Self::Cline => 100,
            Self::Qwen => 45,
            Self::Cursor | Self::Windsurf | Self::Goose | Self::Antigravity | Self::Amp => 24,
        })
    }

    /// Whether it runs what a hook has changed, as was seen. One that does not would run what it had asked for.
    pub const fn takes_changes(self) -> bool {
        matches!(self, Self::Claude | Self::Codex | Self::Gemini | Self::Copilot | Self::Cline | Self::OpenCode)
    }
}
