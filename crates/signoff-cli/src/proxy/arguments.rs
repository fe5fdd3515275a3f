//! The command line of the proxies.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::Args;
use signoff_card::Language;

use crate::arguments::language_parser;

pub(crate) const MCP_HELP: &str = "\
Serve agents that speak MCP, or stand in front of another MCP server

Speaks MCP on standard input and output, for a client that starts it: tools to judge an operation, to run a command through the gate, and to \
ask people. What needs an answer is asked at the gateway, and the call waits for it. No tool approves, grants or answers anything.

With --proxy it starts another server, or speaks to one at --url, and passes on what client and server say to each other, byte for byte. Each tool call is judged first: what is \
harmless passes, what is absurd is refused, and about everything else a person is asked at the gateway while the call is held. A \
refusal is told to the model as the result of the call. A yes is for one call of the tool as the server has described it.

With --wrap it puts every server in a client's file behind such a proxy, shows the difference and keeps a backup.";

pub(crate) const MCP_EXAMPLES: &str = "\
Examples:
  signoff mcp                          as the command of an MCP server in a client's settings
  claude mcp add signoff -- signoff mcp
  claude -p --permission-prompt-tool mcp__signoff__approval_prompt 'TASK'
  signoff mcp --proxy -- npx -y @modelcontextprotocol/server-filesystem /srv/data
  signoff mcp --proxy --name github -- github-mcp-server stdio
  claude mcp add files -- signoff mcp --proxy -- uvx mcp-server-files
  signoff mcp --proxy --url https://mcp.example.com/mcp --header-env Authorization=EXAMPLE_AUTHORIZATION
  signoff mcp --wrap .mcp.json         every server in it; --undo takes them out again

Exit status of the proxy:
  1  the server cannot be started, or Signoff failed; with --wrap: a server is left unguarded
  2  wrong usage
  any other is the server's own

Secrets:
  are never an argument: a header comes from the environment or a file, and is sent to that
  server alone, wherever it leads";

#[derive(Args)]
pub(crate) struct McpArguments {
    /// Stand in front of another server
    #[arg(long)]
    pub(crate) proxy: bool,
    /// What the server is called in questions and rules [default: the name of its program or package]
    #[arg(long, value_name = "NAME", requires = "proxy")]
    pub(crate) name: Option<String>,
    /// The server at this address, over streamable HTTP; without TLS only on this machine
    #[arg(long, value_name = "URL", requires = "proxy", conflicts_with = "server")]
    pub(crate) url: Option<String>,
    /// The same address from this variable of the environment, where it holds a key
    #[arg(long, value_name = "VARIABLE", requires = "proxy", conflicts_with_all = ["server", "url"])]
    pub(crate) url_env: Option<String>,
    /// Send this header to the server at --url, with what this variable of the environment holds
    #[arg(long, value_name = "HEADER=VARIABLE", requires = "proxy", conflicts_with = "server")]
    pub(crate) header_env: Vec<String>,
    /// Send this header to the server at --url, with what this file holds
    #[arg(long, value_name = "HEADER=FILE", requires = "proxy", conflicts_with = "server")]
    pub(crate) header_file: Vec<String>,
    /// The session that asks at the gateway, without --proxy; only the same one runs what was approved [default: a new one]
    #[arg(long, value_name = "NAME", conflicts_with = "proxy")]
    pub(crate) session: Option<String>,
    /// Put every server in this file of a client (`mcpServers`) behind a proxy of its own
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proxy", "session"])]
    pub(crate) wrap: Option<PathBuf>,
    /// Take them out from behind it again
    #[arg(long, requires = "wrap")]
    pub(crate) undo: bool,
    /// Show what --wrap would change, and change nothing
    #[arg(long, requires = "wrap")]
    pub(crate) dry_run: bool,
    /// How long a call is held while people decide: 5m, 1h [default: 9m]
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration, requires = "proxy")]
    pub(crate) wait: Option<Duration>,
    /// Language of what is told: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// The server, and its arguments
    #[arg(value_name = "SERVER", last = true, requires = "proxy")]
    pub(crate) server: Vec<OsString>,
}

pub(crate) const ACP_HELP: &str = "\
Stand between an editor and an agent: what it asks permission for goes through the gate

Starts the agent and passes on what editor and agent say to each other in the Agent Client Protocol. A request for permission is \
answered here: yes once where it is harmless or a person has agreed, no otherwise, and never for more than this once. Without a \
gateway it goes on to the editor where its user may decide alone, and is refused everywhere else.";

pub(crate) const ACP_EXAMPLES: &str = "\
Examples:
  signoff acp -- gemini --acp
  signoff acp -- copilot --acp
  signoff acp --wait 30m -- opencode acp

Exit status:
  1  the agent cannot be started, or Signoff failed
  2  wrong usage
  any other is the agent's own";

#[derive(Args)]
pub(crate) struct AcpArguments {
    /// How long a request is held while people decide: 5m, 1h [default: 9m]
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration)]
    pub(crate) wait: Option<Duration>,
    /// Language of what is told: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
    /// The agent, and its arguments
    #[arg(value_name = "AGENT", last = true, required = true)]
    pub(crate) agent: Vec<OsString>,
}
