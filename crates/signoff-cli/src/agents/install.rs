//! `signoff install` and `signoff uninstall`.

use std::process::ExitCode;

use signoff_agents::{
    Client, Standing,
    install::{Change, Ground, Scope, Unwritable, install, restored, uninstall},
};
use signoff_card::{Language, visible};
use signoff_gate::Places;

use super::{
    arguments::{Agents, InstallArguments},
    ground, is_used, program, text, writing,
};
use crate::{
    failure::{Failure, in_language},
    gateway::somebody,
    judge::language,
    output::Output,
};

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

pub(crate) fn put_in(arguments: &InstallArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    run(arguments, places, output, Way::In)
}

pub(crate) fn take_out(
    arguments: &InstallArguments,
    places: &Places,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    // An agent without its hook does what it likes.
    if !arguments.dry_run {
        somebody()?;
    }
    run(arguments, places, output, Way::Out)
}

fn run(arguments: &InstallArguments, places: &Places, output: &mut Output, way: Way) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    let (ground, scope) = (ground(places)?, arguments.place.scope());
    let clients: Vec<Client> = match arguments.agents {
        Agents::One(client) => vec![client],
        Agents::All => Client::ALL.into_iter().filter(|client| is_used(*client, &ground)).collect(),
    };
    if clients.is_empty() {
        return Err(Failure::usage("no agent is used here", "此处未使用任何代理")
            .hint("name one: signoff install claude", "请指定一个：signoff install claude"));
    }
    for client in clients {
        let planned = match way {
            Way::In => install(client, scope, &ground, &text),
            Way::Out => uninstall(client, scope, &ground, &text).map(|changes| {
                let back = |change: Change| {
                    let backups = writing::backups(&change.path);
                    restored((client, scope), &ground, &text, change, backups)
                };
                changes.into_iter().map(back).collect()
            }),
        };
        let changes = match planned {
            Ok(changes) => changes,
            // Of all agents some have no such place.
            Err(Unwritable::NoPlace { .. }) if arguments.agents == Agents::All => continue,
            Err(error) => return Err(failure(&error)),
        };
        for change in &changes {
            let backup = match (arguments.dry_run, change.is_one()) {
                (true, _) => None,
                (false, true) => writing::carry_out(change)?,
                (false, false) => {
                    writing::make_runnable(change)?;
                    None
                }
            };
            output.text(&line(change, client, &ground, backup.is_some(), language))?;
            if change.is_one() {
                output.text(&difference(change))?;
            }
        }
        if way == Way::In && !arguments.dry_run {
            output.text(&remarks(client, scope, &ground, language))?;
        }
    }
    if arguments.dry_run {
        output.text(in_language(language, "Nothing was written.\n", "未写入任何内容。\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn failure(error: &Unwritable) -> Failure {
    let words = visible(&error.to_string());
    let failure = Failure::usage(words.clone(), words);
    match error {
        Unwritable::Strange { .. } | Unwritable::Unreadable { .. } => {
            failure.hint("nothing was changed: mend the file, and try again", "未作任何更改：请修正该文件后重试")
        }
        Unwritable::NoPlace { .. } => failure.hint("leave --project or --managed out", "请去掉 --project 或 --managed"),
        Unwritable::Program => failure.hint("install signoff under another path", "请将 signoff 安装到其他路径"),
    }
}

/// What becomes of a file, on one line.
fn line(change: &Change, client: Client, ground: &Ground, kept: bool, language: Language) -> String {
    let shown = match change.path.strip_prefix(&ground.home) {
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => change.path.display().to_string(),
    };
    let shown = visible(&shown);
    let kept = if kept { in_language(language, "   (backup kept)", "   （已保留备份）") } else { "" };
    if !change.is_one() {
        return format!("{shown}   {}\n", in_language(language, "is as it should be", "已是应有的状态"));
    }
    if change.events.is_empty() {
        return format!("{shown}   - signoff hook {}{kept}\n", client.name());
    }
    format!("{shown}   + {} → signoff hook {}{kept}\n", change.events.join(", "), client.name())
}

/// The lines that come and go.
pub(crate) fn difference(change: &Change) -> String {
    let (before, after) = (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let mut text = String::new();
    for line in similar::TextDiff::from_lines(before, after).iter_all_changes() {
        let sign = match line.tag() {
            similar::ChangeTag::Equal => continue,
            similar::ChangeTag::Delete => '-',
            similar::ChangeTag::Insert => '+',
        };
        text.push_str(&format!("    {sign} {}\n", visible(line.value().trim_end_matches('\n'))));
    }
    text
}

/// What the user should know about a client.
fn remarks(client: Client, scope: Scope, ground: &Ground, language: Language) -> String {
    let mut text = String::new();
    let mut say = |english: String, chinese: String| {
        text.push_str(match language {
            Language::English => &english,
            Language::Chinese => &chinese,
        });
    };
    let title = client.title();
    if client.standing() == Standing::Experimental {
        say(
            format!("  note: {title} was never run with this hook; what it does is known from its documents alone\n"),
            format!("  注意：{title} 未与此钩子实际运行过；其行为仅来自其文档\n"),
        );
    }
    if let Some(since) = client.closed_since()
        && let Some(version) = program::version(client, &ground.project).number()
        && version < since
    {
        let dotted = |version: [u32; 3]| version.map(|number| number.to_string()).join(".");
        let (has, needs) = (dotted(version), dotted(since));
        say(
            format!("  note: {title} {has} runs a call when its hook dies; from {needs} on it does not: update it\n"),
            format!("  注意：{title} {has} 在钩子中止时仍会运行调用；自 {needs} 起不会：请升级\n"),
        );
    }
    if client == Client::Codex && scope != Scope::Managed {
        say(
            "  Codex runs only hooks that are trusted: the trust is written into the user's config.toml\n".to_owned(),
            "  Codex 只运行受信任的钩子：信任已写入用户的 config.toml\n".to_owned(),
        );
    }
    if scope == Scope::Project {
        let program = visible(&ground.program.to_string_lossy());
        say(
            format!(
                "  note: `{program}` is a path of this machine: keep the file out of what you share, or others cannot work\n"
            ),
            format!("  注意：`{program}` 是本机路径：请勿共享该文件，否则他人无法工作\n"),
        );
        if client == Client::Codex {
            say(
                "  note: Codex reads nothing in a project that its user has not trusted\n".to_owned(),
                "  注意：Codex 不会读取用户未信任的项目中的任何内容\n".to_owned(),
            );
        }
    }
    text
}
