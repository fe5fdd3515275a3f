//! `signoff watch`: agents in tmux.

pub(crate) mod arguments;
mod host;
mod manage;
mod memory;
mod status;
mod told;

use std::{process::ExitCode, sync::Arc, time::Duration};

use signoff_card::{Language, visible};
use signoff_facts::Above;
use signoff_gate::{Places, judging::Policies};
use signoff_watch::{
    Mode, Order,
    scope::Scope,
    tmux::{OLDEST, Socket, Trouble},
};

use self::{
    arguments::{Panes, Servers, WatchArguments, WatchCommand},
    host::Here,
};
use crate::{failure::Failure, judge::language, output::Output, proxy::told_to_end};

pub(crate) fn run(arguments: &WatchArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    let language = language(arguments.language());
    match &arguments.command {
        None => follow(arguments, places, language)?,
        Some(WatchCommand::Status(status)) => status::run(status, places, output, language)?,
        Some(WatchCommand::Start(start)) => manage::start(start, output, language)?,
        Some(WatchCommand::Stop(agent)) => manage::stop(agent, output, language)?,
        Some(WatchCommand::Pause(agent)) => manage::pause(agent, places, output, language)?,
        Some(WatchCommand::Resume(agent)) => manage::resume(agent, places, output, language)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn follow(arguments: &WatchArguments, places: &Places, language: Language) -> Result<(), Failure> {
    not_an_agent()?;
    let interval = match arguments.interval() {
        Some(interval) => interval,
        None => configured_interval(places),
    };
    let mode = if arguments.dry_run { Mode::DryRun } else { Mode::Live };
    let order = Order { sockets: sockets(&arguments.panes.servers), scope: scope(&arguments.panes), interval, mode };
    let host = Arc::new(Here::new(places, language, arguments.json, mode));
    runtime()?.block_on(async {
        Socket::checked().await.map_err(|trouble| failure(&trouble))?;
        signoff_watch::watch(host, order, told_to_end()).await;
        Ok(())
    })
}

/// An agent that steers what answers it would answer itself.
fn not_an_agent() -> Result<(), Failure> {
    let set = signoff_facts::agent_in_environment(|name| std::env::var_os(name).is_some()).map(str::to_owned);
    let found = match (set, signoff_facts::agent_above(std::process::id())) {
        (Some(agent), _) | (None, Above::Agent(agent)) => visible(&agent),
        (None, Above::NoAgent) => return Ok(()),
        (None, Above::Unknown) => "?".to_owned(),
    };
    Err(Failure::usage(
        format!("this is for a person, and an agent has started it: {found}"),
        format!("此命令仅供人使用，而它由智能体启动：{found}"),
    )
    .hint("run it in a terminal of your own", "请在您自己的终端中运行"))
}

fn configured_interval(places: &Places) -> Duration {
    let policies = Policies::new(places).going_on_strictly();
    policies.of(None).map_or(Duration::from_secs(3), |policy| policy.settings.watch.interval.value)
}

fn sockets(servers: &Servers) -> Vec<Socket> {
    let named = servers.named.iter().cloned().map(Socket::Named);
    let mut all: Vec<Socket> = named.chain(servers.at.iter().cloned().map(Socket::At)).collect();
    if all.is_empty() {
        all.push(Socket::around(std::env::var_os("TMUX")));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn scope(panes: &Panes) -> Scope {
    Scope { sessions: panes.session.clone(), window: panes.window.clone(), pattern: panes.pattern.clone() }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    built.map_err(|error| Failure::internal(format!("cannot start: {error}"), format!("无法启动：{error}")))
}

fn failure(trouble: &Trouble) -> Failure {
    let english = visible(&trouble.to_string());
    match trouble {
        Trouble::NoTmux(_) => Failure::internal(english, "未安装 tmux").hint("install tmux", "请安装 tmux"),
        Trouble::TooOld(version) => {
            let version = visible(version);
            Failure::internal(english, format!("tmux {version} 版本过旧"))
                .hint(format!("tmux {OLDEST} or newer is needed"), format!("需要 tmux {OLDEST} 或更新版本"))
        }
        Trouble::Refused(words) => {
            let words = visible(words);
            Failure::internal(format!("tmux says: {words}"), format!("tmux 报告：{words}"))
        }
        Trouble::Silent(_) | Trouble::Unasked(_) => {
            Failure::internal(english.clone(), format!("tmux 没有应答：{english}"))
        }
    }
}
