//! `signoff acp`: between an editor and an agent.

use std::{process::ExitCode, sync::Arc};

use signoff_agents::acp::Proxy;
use signoff_gate::Places;

use super::{
    HOLD,
    arguments::AcpArguments,
    house::{gatekeeper, here},
    name::name_of,
    standing_between::{Between, stand},
};
use crate::{failure::Failure, judge::language};

pub(crate) fn run(arguments: &AcpArguments, places: &Places) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    let agent = format!("acp-{}", name_of(&arguments.agent));
    let keeper = gatekeeper(places, agent, language, arguments.wait.unwrap_or(HOLD))?;
    let cwd = here()?;
    stand(&arguments.agent, |sides| {
        let proxy = Proxy::new(cwd, keeper, sides.to_client, sides.to_server);
        let from_client = tokio::spawn(Arc::clone(&proxy).from_editor(sides.client));
        let from_server = tokio::spawn(Arc::clone(&proxy).from_agent(sides.server));
        (Between { from_client, from_server }, async move { proxy.leave().await })
    })
}
