//! Whether a client is told to run no hooks, by any of the files that it reads: one of them is enough.

use std::path::{Path, PathBuf};

use jsonc_parser::{ParseOptions, cst::CstRootNode};
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use super::{Ground, Read, Scope, entries::command_of, is_ours};
use crate::Client;

/// What keeps hooks from being run, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The file.
    pub path: PathBuf,
    /// The setting.
    pub setting: String,
}

/// What keeps the hook of a client from being run that is installed for somebody; none where nothing does.
pub fn switched_off(client: Client, scope: Scope, ground: &Ground, read: Read<'_>) -> Option<Switch> {
    let at_machine = |path: &str| (Layer::Machine, ground.machine.join(path));
    let at_home = |path: &str| (Layer::User, ground.of_user(client).join(path));
    let at_project = |path: &str| (Layer::Project, ground.project.join(path));
    let layers = match client {
        Client::Claude => vec![
            at_machine("etc/claude-code/managed-settings.json"),
            at_home("settings.json"),
            at_project(".claude/settings.json"),
            at_project(".claude/settings.local.json"),
        ],
        Client::Codex => vec![
            at_machine("etc/codex/requirements.toml"),
            at_machine("etc/codex/managed_config.toml"),
            at_machine("etc/codex/config.toml"),
            at_home("config.toml"),
            at_project(".codex/config.toml"),
        ],
        Client::Gemini => vec![
            at_machine("etc/gemini-cli/settings.json"),
            at_machine("etc/gemini-cli/system-defaults.json"),
            at_home("settings.json"),
            at_project(".gemini/settings.json"),
        ],
        Client::Qwen => vec![
            at_machine("etc/qwen-code/settings.json"),
            at_machine("etc/qwen-code/system-defaults.json"),
            at_home("settings.json"),
            at_project(".qwen/settings.json"),
        ],
        Client::Copilot => vec![
            at_home("settings.json"),
            at_home("config.json"),
            at_project(".github/copilot/settings.json"),
            at_project(".github/copilot/settings.local.json"),
        ],
        _ => super::place(client, scope, ground).map(|path| (Layer::of(scope), path)).into_iter().collect(),
    };
    layers.into_iter().find_map(|(layer, path)| {
        // What the machine's administrator has written runs whatever others write.
        if scope == Scope::Managed && layer != Layer::Machine {
            return None;
        }
        let text = read(&path).ok().flatten()?;
        let setting = match path.extension().is_some_and(|ending| ending == "toml") {
            true => by_toml(client, scope, &path, &text),
            false => by_json(client, scope, layer, &text),
        }?;
        Some(Switch { path, setting })
    })
}

/// Who has written a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Machine,
    User,
    Project,
}

impl Layer {
    const fn of(scope: Scope) -> Self {
        match scope {
            Scope::Managed => Self::Machine,
            Scope::User => Self::User,
            Scope::Project => Self::Project,
        }
    }
}

fn by_json(client: Client, scope: Scope, layer: Layer, text: &str) -> Option<String> {
    let root = CstRootNode::parse(text.strip_prefix('\u{feff}').unwrap_or(text), &ParseOptions::default()).ok()?;
    let value = root.to_serde_value()?;
    let says = |pointer: &str, said: bool| value.pointer(pointer).and_then(Value::as_bool) == Some(said);
    for (pointer, said) in [
        ("/disableAllHooks", true),
        ("/hooksConfig/enabled", false),
        ("/hooks/enabled", false),
        ("/tools/enableHooks", false),
    ] {
        if says(pointer, said) {
            return Some(pointer.trim_start_matches('/').replace('/', "."));
        }
    }
    // The others are left out where only the administrator's count.
    if layer == Layer::Machine && scope != Scope::Managed && says("/allowManagedHooksOnly", true) {
        return Some("allowManagedHooksOnly".to_owned());
    }
    let is_named = |name: &Value| {
        name.as_str().is_some_and(|name| name == super::NAME || is_ours(name, client))
            || command_of(name).is_some_and(|command| is_ours(&command, client))
    };
    ["/hooksConfig/disabled", "/hooks/disabled"].into_iter().find_map(|pointer| {
        let named = value.pointer(pointer).and_then(Value::as_array)?.iter().any(is_named);
        named.then(|| format!("{} ({})", pointer.trim_start_matches('/').replace('/', "."), super::NAME))
    })
}

fn by_toml(client: Client, scope: Scope, path: &Path, text: &str) -> Option<String> {
    let document: DocumentMut = text.parse().ok()?;
    let flag = |item: Option<&Item>| item.and_then(Item::as_bool);
    match client {
        Client::Codex => {
            let features = document.get("features");
            let off = ["hooks", "codex_hooks"]
                .into_iter()
                .find(|name| flag(features.and_then(|features| features.get(name))) == Some(false));
            if let Some(name) = off {
                return Some(format!("features.{name} = false"));
            }
            let only = path.file_name().is_some_and(|name| name == "requirements.toml")
                && flag(document.get("allow_managed_hooks_only")) == Some(true);
            (only && scope != Scope::Managed).then(|| "allow_managed_hooks_only".to_owned())
        }
        Client::Kimi => super::kimi::dropped(&document),
        _ => None,
    }
}
