//! What has to be written so that a client calls our hook, and what has to go so that it does no longer.
//!
//! Texts become texts here; nobody touches a file. What the user has written stays as it is, with comments and order; what is ours
//! is told by the command that it runs, and is replaced where it is there already.

mod codex_trust;
mod entries;
mod json;
mod kimi;
mod mcp_servers;
mod own_files;
mod readable;
mod survey;
mod switches;

use std::path::{Path, PathBuf};

pub use codex_trust::{Trusted, trust};
pub use mcp_servers::{Fate, Hindrance, IsName, Servers, StrangeServers, bare_servers, guard_servers};
pub use survey::{Presence, presence};
pub use switches::{Switch, switched_off};

use crate::Client;

/// For whom a hook is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For one user, in their home.
    User,
    /// For whoever works in a project, in its directory.
    Project,
    /// For everybody on a machine, by its administrator.
    Managed,
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The home of the user.
    pub home: PathBuf,
    /// The project.
    pub project: PathBuf,
    /// Where the files of the machine begin.
    pub machine: PathBuf,
    /// The program that is to be called, by its whole path.
    pub program: PathBuf,
    /// Clients whose user has put their directory elsewhere, and where.
    pub moved: Vec<(Client, PathBuf)>,
}

/// What our hook is called where hooks have names.
const NAME: &str = "signoff";

impl Ground {
    /// The directory of a client in the home of its user, or wherever they have put it.
    pub fn of_user(&self, client: Client) -> PathBuf {
        let moved = self.moved.iter().find(|(moved, _)| *moved == client);
        moved.map_or_else(|| self.home.join(client.home()), |(_, path)| path.clone())
    }
}

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub path: PathBuf,
    /// What is in it; none where there is no such file.
    pub before: Option<String>,
    /// What will be; none where there will be no such file.
    pub after: Option<String>,
    /// Whether it is run.
    pub is_program: bool,
    /// What is written there, in a few words: the events, and what is called.
    pub events: Vec<&'static str>,
}

impl Change {
    /// Whether anything changes at all.
    pub fn is_one(&self) -> bool {
        self.before != self.after
    }
}

/// Why nothing can be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The client has no such place.
    #[error("signoff knows no place for hooks of {} {}", client.title(), match scope {
        Scope::User => "for one user",
        Scope::Project => "in a project",
        Scope::Managed => "for a whole machine",
    })]
    NoPlace {
        /// Which client.
        client: Client,
        /// For whom.
        scope: Scope,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {why}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A file holds something else than it should, and is left alone.
    #[error("`{}` is not what {} reads: {why}", path.display(), client.title())]
    Strange {
        /// Which.
        path: PathBuf,
        /// Whose.
        client: Client,
        /// What is wrong.
        why: String,
    },
    /// The path of the program cannot be written down.
    #[error("the path of the program is not valid Unicode, or holds a sign that cannot be quoted")]
    Program,
}

/// Somebody who reads files; none where there is no such file.
pub type Read<'r> = &'r dyn Fn(&Path) -> Result<Option<String>, String>;

/// What has to be written so that a client calls our hook.
///
/// # Errors
///
/// When it has no such place, or what is there cannot be understood.
pub fn install(client: Client, scope: Scope, ground: &Ground, read: Read<'_>) -> Result<Vec<Change>, Unwritable> {
    let program = ground.program.to_str().filter(|path| !path.contains(['\'', '\n'])).ok_or(Unwritable::Program)?;
    changes(client, scope, ground, read, Some(program))
}

/// What has to go so that it does no longer.
///
/// # Errors
///
/// As above.
pub fn uninstall(client: Client, scope: Scope, ground: &Ground, read: Read<'_>) -> Result<Vec<Change>, Unwritable> {
    changes(client, scope, ground, read, None)
}

/// What an uninstalled file becomes: to the letter what it was, where it is still what installing has made of one of these, newest first,
/// or of nothing; else what it is without ours.
pub fn restored(
    (client, scope): (Client, Scope),
    ground: &Ground,
    read: Read<'_>,
    change: Change,
    backups: Vec<String>,
) -> Change {
    let made_of = |text: &Option<String>| {
        let read = |path: &Path| if path == change.path { Ok(text.clone()) } else { read(path) };
        let made = install(client, scope, ground, &read).ok()?;
        made.into_iter().find(|made| made.path == change.path)?.after
    };
    let was = |text: &Option<String>| *text != change.before && made_of(text) == change.before;
    match backups.into_iter().map(Some).chain([None]).find(was) {
        Some(after) if change.is_one() => Change { after, ..change },
        _ => change,
    }
}

/// A file, as it is written with a program, or without any.
#[derive(Clone)]
struct File<'f> {
    client: Client,
    scope: Scope,
    path: PathBuf,
    program: Option<&'f str>,
}

impl File<'_> {
    fn strange(&self, why: impl Into<String>) -> Unwritable {
        Unwritable::Strange { path: self.path.clone(), client: self.client, why: why.into() }
    }

    /// The text of a shell that calls the hook.
    fn command(&self) -> Option<String> {
        let program = self.program?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
        let quoted = if program.chars().all(is_plain) { program.to_owned() } else { format!("'{program}'") };
        Some(format!("{quoted} hook {}", self.client.name()))
    }

    fn change(&self, before: Option<String>, after: Option<String>, events: &[&'static str]) -> Change {
        let events = if self.program.is_some() { events.to_vec() } else { Vec::new() };
        Change { path: self.path.clone(), before, after, is_program: false, events }
    }
}

fn changes(
    client: Client,
    scope: Scope,
    ground: &Ground,
    read: Read<'_>,
    program: Option<&str>,
) -> Result<Vec<Change>, Unwritable> {
    let Some(path) = place(client, scope, ground) else { return Err(Unwritable::NoPlace { client, scope }) };
    let file = File { client, scope, path, program };
    let text = |path: &Path| read(path).map_err(|why| Unwritable::Unreadable { path: path.to_owned(), why });
    match client {
        Client::Kimi => Ok(vec![kimi::change(&file, text(&file.path)?)?]),
        Client::Cline | Client::OpenCode | Client::Copilot | Client::Goose | Client::Amp => {
            own_files::changes(&file, &text)
        }
        Client::Claude if scope == Scope::Project => {
            // Earlier releases have written into the file that a project shares, by the path of one machine.
            let shared = File { path: file.path.with_file_name("settings.json"), program: None, ..file.clone() };
            let shared = json::change(&shared, text(&shared.path)?).ok().filter(Change::is_one);
            Ok([json::change(&file, text(&file.path)?)?].into_iter().chain(shared).collect())
        }
        Client::Codex if scope != Scope::Managed => {
            let hooks = json::change(&file, text(&file.path)?)?;
            // Codex skips a hook that nobody has trusted, without a word. It takes that from its user alone, wherever the hook is.
            let config = ground.of_user(client).join("config.toml");
            let trusted = codex_trust::change(&file, &hooks, &config, text(&config)?)?;
            Ok([hooks].into_iter().chain(trusted).collect())
        }
        _ => Ok(vec![json::change(&file, text(&file.path)?)?]),
    }
}

/// Where a client looks for its hooks.
pub fn place(client: Client, scope: Scope, ground: &Ground) -> Option<PathBuf> {
    let (user, project, managed) = match client {
        Client::Claude => {
            (".claude/settings.json", ".claude/settings.local.json", "etc/claude-code/managed-settings.json")
        }
        Client::Codex => (".codex/hooks.json", ".codex/hooks.json", ""),
        Client::Gemini => (".gemini/settings.json", ".gemini/settings.json", "etc/gemini-cli/settings.json"),
        Client::Copilot => {
            (".copilot/hooks/signoff.json", ".github/hooks/signoff.json", "etc/github-copilot/policy.d/signoff.json")
        }
        Client::Cursor => (".cursor/hooks.json", ".cursor/hooks.json", "etc/cursor/hooks.json"),
        Client::Qwen => (".qwen/settings.json", ".qwen/settings.json", ""),
        Client::Kimi => (".kimi-code/config.toml", "", ""),
        Client::Cline => (".cline/hooks", ".cline/hooks", ""),
        Client::Windsurf => (".codeium/windsurf/hooks.json", ".windsurf/hooks.json", "etc/windsurf/hooks.json"),
        Client::Goose => (".agents/plugins/signoff/hooks/hooks.json", "", ""),
        Client::Antigravity => (".gemini/config/hooks.json", ".agents/hooks.json", ""),
        Client::Amp => (".config/amp/settings.json", "", ""),
        Client::OpenCode => (".config/opencode/plugin/signoff.js", ".opencode/plugin/signoff.js", ""),
    };
    if scope == Scope::User
        && let Ok(within) = Path::new(user).strip_prefix(client.home())
    {
        return Some(ground.of_user(client).join(within));
    }
    let (base, path) = match scope {
        Scope::User => (&ground.home, user),
        Scope::Project => (&ground.project, project),
        Scope::Managed => (&ground.machine, managed),
    };
    (!path.is_empty()).then(|| base.join(path))
}

/// Whether a command calls our hook for a client: `…/signoff hook CLIENT`.
pub(crate) fn is_ours(command: &str, client: Client) -> bool {
    if client == Client::Amp && Path::new(command).file_name().is_some_and(|name| name == entries::DELEGATE) {
        return true;
    }
    let Some(program) = command.trim().strip_suffix(&format!(" hook {}", client.name())) else { return false };
    let program = program.trim().trim_matches(['\'', '"']);
    Path::new(program).file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("signoff"))
}
