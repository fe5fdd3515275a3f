//! `signoff mcp --wrap`: every server of a client behind a proxy of its own, by its own file.

use std::process::ExitCode;

use signoff_agents::install::{Change, Fate, Hindrance, Servers, StrangeServers, bare_servers, guard_servers};
use signoff_card::{Language, visible};
use signoff_mcp::ServerName;

use super::arguments::McpArguments;
use crate::{
    agents::{install::difference, program, writing},
    failure::{Failure, in_language},
    gateway::somebody,
    judge::language,
    output::Output,
};

pub(crate) fn run(arguments: &McpArguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    let path = arguments.wrap.clone().unwrap_or_default();
    let shown = visible(&path.to_string_lossy());
    let strange = |why: String, chinese: String| {
        Failure::usage(format!("`{shown}` is left alone: {why}"), format!("`{shown}` 未作更改：{chinese}"))
            .hint("nothing was changed: mend the file, and try again", "未作任何更改：请修正该文件后重试")
    };
    let before = std::fs::read_to_string(&path).map_err(|error| strange(error.to_string(), error.to_string()))?;
    let changed = match arguments.undo {
        false => {
            let own = program::own()?;
            let no_text =
                || strange("the path of this program is no text".to_owned(), "本程序的路径不是文本".to_owned());
            let own = own.to_str().ok_or_else(no_text)?;
            guard_servers(&before, own, &|name| ServerName::new(name).is_ok())
        }
        true => {
            // A server without its proxy does what it is told.
            if !arguments.dry_run {
                somebody()?;
            }
            bare_servers(&before)
        }
    };
    let Servers { text, fates } = changed.map_err(|why| strange(visible(&why.to_string()), in_chinese(&why)))?;
    let change = Change { path, before: Some(before), after: Some(text), is_program: false, events: Vec::new() };
    let kept = match change.is_one() && !arguments.dry_run {
        true => writing::carry_out(&change)?,
        false => None,
    };
    for (name, fate) in &fates {
        output.text(&format!("{}   {}\n", visible(name), told(fate, arguments.undo, language)))?;
    }
    if change.is_one() {
        output.text(&difference(&change))?;
    }
    if let Some(backup) = kept {
        let backup = visible(&backup.to_string_lossy());
        output.text(&match language {
            Language::English => format!("What was there before is in `{backup}`.\n"),
            Language::Chinese => format!("原内容保存在 `{backup}`。\n"),
        })?;
    }
    if arguments.dry_run {
        output.text(in_language(language, "Nothing was written.\n", "未写入任何内容。\n"))?;
    }
    let is_left = |(_, fate): &(String, Fate)| matches!(fate, Fate::Left(_));
    Ok(if !arguments.undo && fates.iter().any(is_left) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn told(fate: &Fate, undo: bool, language: Language) -> String {
    match fate {
        Fate::Guarded => in_language(language, "is behind the proxy", "已置于代理之后").to_owned(),
        Fate::Already => in_language(language, "was behind the proxy before", "此前已在代理之后").to_owned(),
        Fate::Itself => in_language(language, "is Signoff itself", "即 Signoff 自身").to_owned(),
        Fate::Bare => in_language(language, "is no longer behind the proxy", "已移出代理").to_owned(),
        Fate::Left(why) => {
            let what = match undo {
                true => in_language(language, "is left as it is", "保持原样"),
                false => in_language(language, "is NOT GUARDED", "未受保护"),
            };
            format!("{what}: {}", because(*why, language))
        }
    }
}

const fn because(why: Hindrance, language: Language) -> &'static str {
    let (english, chinese) = match why {
        Hindrance::Name => ("rules could have no such name; rename it", "其名称不能用于规则，请改名"),
        Hindrance::Command => ("its `command` is no text, or its `args` are not", "其 `command` 或 `args` 不是文本"),
        Hindrance::OlderTransport => ("it speaks the older transport `sse`", "它使用较旧的 `sse` 传输"),
        Hindrance::NoServer => ("it has neither a `command` nor a `url`", "它既无 `command` 也无 `url`"),
        Hindrance::Headers => ("one of its `headers` is no text", "其 `headers` 之一不是文本"),
        Hindrance::NotBehind => ("it is not behind the proxy", "它不在代理之后"),
        Hindrance::ByHand => ("it was changed by hand: bring the backup back", "它已被手动修改：请恢复备份"),
    };
    in_language(language, english, chinese)
}

fn in_chinese(why: &StrangeServers) -> String {
    match why {
        StrangeServers::NotJson(error) => format!("不是 JSON：{}", visible(error)),
        StrangeServers::None => "其中没有 `mcpServers`".to_owned(),
        StrangeServers::Twice(name) => format!("`{}` 出现两次", visible(name)),
        StrangeServers::SameName(name) => format!("`{}` 与另一服务器在规则中同名：请改名", visible(name)),
    }
}
