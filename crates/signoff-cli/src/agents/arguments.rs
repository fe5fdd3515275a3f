//! The command line of `signoff install`, `uninstall` and `doctor`.

use clap::{Args, builder::TypedValueParser};
use signoff_agents::{Client, install::Scope};
use signoff_card::Language;

use crate::arguments::language_parser;

pub(crate) const INSTALL_HELP: &str = "\
Let coding agents ask Signoff before they do something

Writes the hook into the agent's own settings, by the whole path of this program. What you have written there stays, with its comments \
and its order; a copy of the file as it was is kept beside it. Once more changes nothing.";

pub(crate) const INSTALL_EXAMPLES: &str = "\
Examples:
  signoff install claude
  signoff install all                  every agent that is used here
  signoff install --project gemini     for whoever works in this project
  sudo signoff install --managed claude
  signoff install --dry-run codex
  signoff doctor";

pub(crate) const UNINSTALL_HELP: &str = "\
Take the hook out of an agent's settings

From then on the agent runs what it likes. This is for a person, at a terminal of their own.";

pub(crate) const DOCTOR_HELP: &str = "\
Say which agents are guarded, and which are not and why

Looks for the agents that are used here, at what stands in their settings, and puts a call to the hook that must be refused, and one that \
nobody can read. What no hook can prevent is said as well.";

pub(crate) const DOCTOR_EXAMPLES: &str = "\
Examples:
  signoff doctor
  signoff doctor claude codex
  signoff doctor --json

Exit status:
  0  every agent that is used here is guarded
  1  one is not";

/// Which agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agents {
    /// One.
    One(Client),
    /// Every one that is used here.
    All,
}

#[derive(Args)]
pub(crate) struct InstallArguments {
    /// The agent, or `all` that are used here
    #[arg(value_name = "AGENT", value_parser = agents_parser())]
    pub(crate) agents: Agents,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

/// For whom.
#[derive(Args)]
pub(crate) struct Place {
    /// For whoever works in this project, in its directory
    #[arg(long, conflicts_with = "managed")]
    project: bool,
    /// For everybody on this machine, as its administrator
    #[arg(long)]
    managed: bool,
}

impl Place {
    pub(crate) const fn scope(&self) -> Scope {
        match (self.project, self.managed) {
            (true, _) => Scope::Project,
            (false, true) => Scope::Managed,
            (false, false) => Scope::User,
        }
    }
}

#[derive(Args)]
pub(crate) struct DoctorArguments {
    /// Only these agents [default: every one that is used here]
    #[arg(value_name = "AGENT", value_parser = crate::arguments::client_parser())]
    pub(crate) clients: Vec<Client>,
    /// Answer with JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Language of the answer: en or zh [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = language_parser())]
    pub(crate) lang: Option<Language>,
}

fn agents_parser() -> impl TypedValueParser<Value = Agents> {
    let names = Client::ALL.map(Client::name).into_iter().chain(["all"]);
    clap::builder::PossibleValuesParser::new(names)
        .map(|name| Client::from_name(&name).map_or(Agents::All, Agents::One))
}
