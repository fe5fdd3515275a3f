//! `signoff mcp --proxy`: in front of a server of tools.

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use signoff_agents::passage::Gatekeeper;
use signoff_card::visible;
use signoff_gate::Places;
use signoff_mcp::{Proxy, ServerName, Target, WrongTarget};
use tokio::io::AsyncRead;

use super::{
    HOLD,
    arguments::McpArguments,
    house::{gatekeeper, here},
    name::name_of,
    standing_between::{Between, Sides, stand, stand_before},
};
use crate::{failure::Failure, judge::language};

pub(crate) fn run(arguments: &McpArguments, places: &Places) -> Result<ExitCode, Failure> {
    let url = match &arguments.url_env {
        None => arguments.url.clone(),
        Some(variable) => Some(std::env::var(variable).map_err(|error| {
            let variable = visible(variable);
            Failure::usage(format!("variable `{variable}`: {error}"), format!("环境变量 `{variable}`：{error}"))
        })?),
    };
    let target = url.as_deref().map(|url| target(url, arguments)).transpose()?;
    if arguments.server.is_empty() && target.is_none() {
        return Err(Failure::usage("no server is named", "未指定服务器")
            .hint("signoff mcp --proxy -- npx some-server", "signoff mcp --proxy -- npx some-server"));
    }
    let name = arguments.name.clone().unwrap_or_else(|| match &target {
        Some(target) => name_of(&[target.host().replace('.', "-").into()]),
        None => name_of(&arguments.server),
    });
    let server = ServerName::new(&name).map_err(|_| {
        let name = visible(&name);
        Failure::usage(format!("`{name}` is no name for a server"), format!("`{name}` 不能作为服务器名称")).hint(
            "letters, digits, `-` and single `_`, without `signoff`: --name files",
            "字母、数字、`-` 与单个 `_`，且不含 `signoff`：--name files",
        )
    })?;
    let language = language(arguments.lang);
    let keeper = gatekeeper(places, format!("mcp-{}", server.as_str()), language, arguments.wait.unwrap_or(HOLD))?;
    let cwd = here()?;
    match target {
        Some(target) => stand_before(target, |sides| between(server, cwd, keeper, sides)),
        None => stand(&arguments.server, |sides| between(server, cwd, keeper, sides)),
    }
}

/// The proxy between two sides.
fn between(
    server: ServerName,
    cwd: PathBuf,
    keeper: Gatekeeper,
    sides: Sides<impl AsyncRead + Send + Unpin + 'static>,
) -> (Between, impl Future<Output = ()>) {
    let proxy = Proxy::new(server, cwd, keeper, sides.to_client, sides.to_server);
    let from_client = tokio::spawn(Arc::clone(&proxy).from_client(sides.client));
    let from_server = tokio::spawn(Arc::clone(&proxy).from_server(sides.server));
    (Between { from_client, from_server }, async move { proxy.leave().await })
}

/// The server at an address, with the headers that are sent along.
fn target(url: &str, arguments: &McpArguments) -> Result<Target, Failure> {
    let wrong = |why: WrongTarget| {
        // What stands behind a question mark may be a key.
        let url = visible(url.split('?').next().unwrap_or_default());
        Failure::usage(format!("`{url}` cannot be spoken to: {why}"), format!("无法连接 `{url}`：{}", in_chinese(why)))
    };
    let mut target = Target::new(url).map_err(wrong)?;
    let from_environment = arguments.header_env.iter().map(|named| (named, HeaderFrom::Environment));
    let from_files = arguments.header_file.iter().map(|named| (named, HeaderFrom::File));
    for (named, from) in from_environment.chain(from_files) {
        let shown = visible(named);
        let unusable = |why: String, chinese: String| {
            Failure::usage(format!("header `{shown}`: {why}"), format!("请求头 `{shown}`：{chinese}")).hint(
                "name it and where its value is: --header-env Authorization=MY_VARIABLE",
                "请给出名称及其值所在之处：--header-env Authorization=MY_VARIABLE",
            )
        };
        let (name, place) =
            named.split_once('=').ok_or_else(|| unusable("it has no `=`".to_owned(), "缺少 `=`".to_owned()))?;
        let failed = |error: std::env::VarError| unusable(error.to_string(), error.to_string());
        let unread = |error: std::io::Error| unusable(error.to_string(), error.to_string());
        let value = match from {
            HeaderFrom::Environment => std::env::var(place).map_err(failed)?,
            HeaderFrom::File => std::fs::read_to_string(place).map_err(unread)?,
        };
        target =
            target.with_header(name, &value).map_err(|why| unusable(why.to_string(), in_chinese(why).to_owned()))?;
    }
    Ok(target)
}

const fn in_chinese(why: WrongTarget) -> &'static str {
    match why {
        WrongTarget::NoAddress => "须为形如 https://example.com/mcp 的地址",
        WrongTarget::Secret => "地址中含有用户名或密码：请改用请求头",
        WrongTarget::InTheClear => "不使用 TLS 时只能连接本机：请使用 https",
        WrongTarget::Header => "此请求头不能附带",
    }
}

/// Where the value of a header is.
enum HeaderFrom {
    Environment,
    File,
}
