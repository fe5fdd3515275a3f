//! `signoff watch start`, `stop`, `pause` and `resume`.

use signoff_card::{Language, visible};
use signoff_gate::Places;
use signoff_watch::{
    swarm::{self, Swarm},
    tmux::{Link, Listed, Socket},
};

use super::{
    arguments::{AgentArguments, Servers, StartArguments},
    failure,
    memory::{Memory, Paused},
    not_an_agent, runtime, sockets,
};
use crate::{failure::Failure, output::Output};

pub(super) fn start(arguments: &StartArguments, output: &mut Output, language: Language) -> Result<(), Failure> {
    not_an_agent()?;
    let socket = only_one(&arguments.servers)?;
    let words = |word: &std::ffi::OsString| word.to_str().map(str::to_owned);
    let command: Option<Vec<String>> = arguments.agent.iter().map(words).collect();
    let directory = std::env::current_dir().map_err(|error| Failure::read(&error))?;
    let directory = directory.to_str().map(str::to_owned);
    let (Some(command), Some(directory)) = (command, directory) else {
        return Err(Failure::usage("a name is not valid Unicode", "名称不是有效的 Unicode"));
    };
    let named = !arguments.session.is_empty()
        && arguments.session.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
    if !named {
        let name = visible(&arguments.session);
        return Err(Failure::usage(format!("`{name}` is no name for a session"), format!("`{name}` 不能作为会话名称"))
            .hint("letters, digits, `-` and `_`", "字母、数字、`-` 与 `_`"));
    }
    let swarm = Swarm { session: arguments.session.clone(), count: usize::from(arguments.number), directory, command };
    let runtime = runtime()?;
    let started = runtime.block_on(async {
        Socket::checked().await?;
        swarm::start(&socket, &swarm).await
    });
    let started = started.map_err(|trouble| failure(&trouble))?;
    for (name, pane) in &started {
        output.text(&format!("{name}  {pane}\n"))?;
    }
    let options: String = socket.options().iter().map(|option| format!(" {}", visible(option))).collect();
    let (session, tmux) = (&arguments.session, visible(&socket.spoken()));
    output.text(&match language {
        Language::English => format!("answer them:  signoff watch{options} --session {session}\nsee them:     {tmux} attach-session -t {session}\n"),
        Language::Chinese => format!("自动应答：signoff watch{options} --session {session}\n查看：    {tmux} attach-session -t {session}\n"),
    })
}

pub(super) fn stop(arguments: &AgentArguments, output: &mut Output, language: Language) -> Result<(), Failure> {
    not_an_agent()?;
    let (socket, listed) = meant(arguments)?;
    let stopped = runtime()?.block_on(swarm::stop(&socket, &listed));
    let sent = stopped.map_err(|why| {
        let words = visible(&why.to_string());
        Failure::internal(
            format!("{}: {words}", visible(&listed.name())),
            format!("{}：{words}", visible(&listed.name())),
        )
        .hint(
            format!("{} send-keys -t {} C-c", visible(&socket.spoken()), listed.pane),
            format!("{} send-keys -t {} C-c", visible(&socket.spoken()), listed.pane),
        )
    })?;
    let name = visible(&listed.name());
    output.text(&match language {
        Language::English => format!("interrupted {name} (sent: {sent})\n"),
        Language::Chinese => format!("已中断 {name}（发送：{sent}）\n"),
    })
}

pub(super) fn pause(
    arguments: &AgentArguments,
    places: &Places,
    output: &mut Output,
    language: Language,
) -> Result<(), Failure> {
    not_an_agent()?;
    let (socket, listed) = meant(arguments)?;
    let paused = Paused::new(socket.options(), listed.pane.to_string());
    Memory::at(places).pause(|all| all.insert(paused)).map_err(|error| Failure::write(&error))?;
    let name = visible(&listed.name());
    output.text(&match language {
        Language::English => format!("{name} is paused: its prompts are left to you\n"),
        Language::Chinese => format!("{name} 已暂停：其提示由您自行回答\n"),
    })
}

pub(super) fn resume(
    arguments: &AgentArguments,
    places: &Places,
    output: &mut Output,
    language: Language,
) -> Result<(), Failure> {
    not_an_agent()?;
    let (socket, listed) = meant(arguments)?;
    let paused = Paused::new(socket.options(), listed.pane.to_string());
    Memory::at(places).pause(|all| all.remove(&paused)).map_err(|error| Failure::write(&error))?;
    let name = visible(&listed.name());
    output.text(&match language {
        Language::English => format!("{name} is answered again, from its next prompt on\n"),
        Language::Chinese => format!("{name} 将从下一个提示起恢复自动应答\n"),
    })
}

fn only_one(servers: &Servers) -> Result<Socket, Failure> {
    match sockets(servers).as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(Failure::usage("name one server of tmux", "请只指定一个 tmux 服务器")),
    }
}

/// The pane that is meant: by the name of its agent, its place or its number.
fn meant(arguments: &AgentArguments) -> Result<(Socket, Listed), Failure> {
    let runtime = runtime()?;
    let mut found = Vec::new();
    for socket in sockets(&arguments.servers) {
        let all = runtime.block_on(Listed::all(&Link::new(socket.clone()))).map_err(|trouble| failure(&trouble))?;
        let is_meant = |pane: &Listed| {
            let names = [pane.name(), pane.place(), pane.pane.to_string()];
            names.contains(&arguments.agent)
        };
        found.extend(all.into_iter().filter(is_meant).map(|pane| (socket.clone(), pane)));
    }
    let name = visible(&arguments.agent);
    match found.len() {
        1 => found.pop().ok_or_else(Failure::defect),
        0 => Err(Failure::usage(format!("there is no agent `{name}`"), format!("没有智能体 `{name}`"))
            .hint("see them: signoff watch status", "查看：signoff watch status")),
        _ => Err(Failure::usage(format!("there are several agents `{name}`"), format!("有多个智能体 `{name}`"))
            .hint("name the pane: %3", "请指定窗格：%3")),
    }
}
