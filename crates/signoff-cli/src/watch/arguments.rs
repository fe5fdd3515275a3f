//! The command line of `signoff watch`.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use signoff_card::Language;

use crate::arguments::language_parser;

pub(crate) const WATCH_HELP: &str = "\
Answer the prompts of agents in tmux

Follows panes of tmux, sees when an agent waits for permission, and judges the command in its dialog as everything else is judged. What is harmless \
gets the plain yes for this once, typed into exactly the dialog that was judged. About the rest people are asked at the gateway, and what they say \
is typed in the same way; the line in the log has what to paste into a shell instead. What cannot be read whole, trust in a folder, \
rights, plans and questions of the agent are left to whoever sits before the pane.

An agent that has Signoff's hook is better off with that, and is left to it.";

pub(crate) const WATCH_EXAMPLES: &str = "\
Examples:
  signoff watch start -n 3 -- claude
  signoff watch --session swarm
  signoff watch -L work --pattern 'agent-*' --json
  signoff watch --dry-run
  signoff watch status
  signoff watch pause agent-1
  signoff watch stop agent-1

Switching it off:
  `auto_confirm = false` below `[watch]` in the configuration

Exit status:
  0  ended by a signal, or what was asked for was done
  1  there is no tmux, it is too old, or something does not play along
  2  wrong usage";

/// Which panes.
#[derive(Args, Clone)]
pub(crate) struct Panes {
    /// The session; may be given several times [default: every session]
    #[arg(long, value_name = "S")]
    pub(crate) session: Vec<String>,
    /// The window, by its name or number [default: every window]
    #[arg(long, value_name = "W")]
    pub(crate) window: Option<String>,
    /// Only agents whose name, session or window fits, with `*` for any text
    #[arg(long, value_name = "P")]
    pub(crate) pattern: Option<String>,
    #[command(flatten)]
    pub(crate) servers: Servers,
}

/// Which servers of tmux.
#[derive(Args, Clone)]
pub(crate) struct Servers {
    /// The server of tmux by its name, as tmux takes it; may be given several times [default: that of this pane, or tmux's own]
    #[arg(short = 'L', value_name = "NAME")]
    pub(crate) named: Vec<String>,
    /// The server of tmux by the path of its socket; may be given several times
    #[arg(short = 'S', value_name = "PATH")]
    pub(crate) at: Vec<PathBuf>,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct WatchArguments {
    #[command(subcommand)]
    pub(crate) command: Option<WatchCommand>,
    #[command(flatten)]
    pub(crate) panes: Panes,
    /// Look at every pane so often where tmux tells nothing by itself, in seconds [default: as configured, else 3]
    #[arg(short, long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) interval: Option<u64>,
    /// Type nothing and ask nobody; say what would have been
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write a JSON object for each thing that happens
    #[arg(long)]
    pub(crate) json: bool,
    /// Language of the log: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

impl WatchArguments {
    pub(crate) fn interval(&self) -> Option<Duration> {
        self.interval.map(Duration::from_secs)
    }

    /// The language that was asked for by name.
    pub(crate) const fn language(&self) -> Option<Language> {
        match &self.command {
            None => self.lang,
            Some(WatchCommand::Status(arguments)) => arguments.lang,
            Some(WatchCommand::Start(arguments)) => arguments.lang,
            Some(WatchCommand::Stop(arguments) | WatchCommand::Pause(arguments) | WatchCommand::Resume(arguments)) => {
                arguments.lang
            }
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum WatchCommand {
    /// Say what each agent does: idle, working, waiting and for what, stuck, gone
    Status(StatusArguments),
    /// Open a session of tmux with some agents
    Start(StartArguments),
    /// Interrupt an agent
    Stop(AgentArguments),
    /// Answer nothing of an agent until it is resumed
    Pause(AgentArguments),
    /// Answer an agent again
    Resume(AgentArguments),
}

#[derive(Args)]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    pub(crate) panes: Panes,
    /// Answer with a JSON array
    #[arg(long)]
    pub(crate) json: bool,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

#[derive(Args)]
pub(crate) struct StartArguments {
    /// How many agents
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) number: u8,
    /// What the session is called; there must be none of this name
    #[arg(long, value_name = "NAME", default_value = "swarm")]
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) servers: Servers,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// The agent, and its arguments
    #[arg(value_name = "AGENT", last = true, required = true)]
    pub(crate) agent: Vec<OsString>,
}

#[derive(Args)]
pub(crate) struct AgentArguments {
    /// The agent, as the status calls it, or its pane: agent-1, swarm:0.1, %3
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) servers: Servers,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}
