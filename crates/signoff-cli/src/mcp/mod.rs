//! `signoff mcp`: what the server of agents that speak MCP stands in.

use std::{
    env,
    io::{self, IsTerminal as _},
    sync::Arc,
};

use signoff_agents::door::Door;
use signoff_gate::Places;
use signoff_mcp::server::{self, Hands, House};
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    exec::surroundings,
    failure::Failure,
    gateway::{self, on_demand, unguessable},
    judge::language,
    proxy::arguments::McpArguments,
};

/// How the gateway knows who asks.
const AGENT: &str = "mcp";
/// The session of Claude Code, as it tells those that it starts.
const CLIENT_SESSION: &str = "CLAUDE_CODE_SESSION_ID";

pub(crate) fn run(arguments: &McpArguments, places: &Places) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure::usage(
            "this is spoken by programs, not at a terminal",
            "此命令供程序使用，而非在终端上交谈",
        )
        .hint(
            "put it into the settings of an MCP client; signoff mcp --help shows how",
            "请写入 MCP 客户端的设置；详见 signoff mcp --help",
        ));
    }
    let house = house(arguments, places)?;
    let runtime = gateway::runtime()?;
    let served = runtime.block_on(async {
        let ended = async {
            // Where it cannot be heard, the signal ends this process as it ends any other.
            match signal(SignalKind::terminate()) {
                Ok(mut told) => drop(told.recv().await),
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            served = server::serve_stdio(house) => served.map_err(|error| error.to_string()),
            () = ended => Ok(()),
        }
    });
    // Whatever still runs for a call is ended with it; a thread that reads standard input is not waited for.
    runtime.shutdown_background();
    served.map_err(|why| {
        Failure::internal(format!("the client does not speak MCP: {why}"), format!("客户端使用的不是 MCP：{why}"))
    })
}

fn house(arguments: &McpArguments, places: &Places) -> Result<House, Failure> {
    let session = match &arguments.session {
        Some(session) => session.clone(),
        None => format!("mcp-{}", unguessable()?.get(..16).unwrap_or_default()),
    };
    let here = |error: io::Error| {
        Failure::internal(
            format!("cannot tell where this program is: {error}"),
            format!("无法确定本程序的位置：{error}"),
        )
    };
    let language = language(arguments.lang);
    let (places, asking) = (places.clone(), session.clone());
    let door = move || {
        let told = |failure: Failure| failure.told(language);
        on_demand::be_there(&places).map_err(told)?;
        let client = gateway::local_client(&places, AGENT, &asking).map_err(told)?;
        let places = places.clone();
        Ok(Door::new(client, move || drop(on_demand::be_there(&places))))
    };
    let hands = Hands {
        program: env::current_exe().map_err(here)?,
        directory: env::current_dir().map_err(here)?,
        client_session: env::var(CLIENT_SESSION).ok().filter(|session| !session.is_empty()),
        environment: surroundings(),
    };
    Ok(House { agent: AGENT.to_owned(), session, language, door: Arc::new(door), hands: Some(hands) })
}
