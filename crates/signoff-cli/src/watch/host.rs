//! What this program can do for the watcher that runs in it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use signoff_agents::{
    Client,
    door::Door,
    install::{Ground, Presence, presence},
    passage::{Discard, Gatekeeper, House},
};
use signoff_card::Language;
use signoff_facts::AgentProcess;
use signoff_gate::{
    Places,
    judging::{Look, Policies},
};
use signoff_server::client::CallError;
use signoff_watch::{
    Mode,
    happening::{Happening, Remembered, Who},
    host::{Host, Terms},
    tightening::Words,
};

use super::{
    memory::{Memory, Paused},
    told,
};
use crate::{
    agents,
    exec::surroundings_of,
    output::{self, Output},
    proxy::house::house,
};

/// A question at the gateway is open for less.
const HOLD: Duration = Duration::from_secs(24 * 3600);
/// For so long it is believed whether an agent has a hook.
const HOOK_KNOWN_FOR: Duration = Duration::from_secs(5);

/// Of which agent it was found where, when, and whether it has a hook.
type Hooks = BTreeMap<(String, PathBuf), (Instant, bool)>;

/// The program around the watcher.
pub(super) struct Here {
    pub(super) places: Places,
    pub(super) memory: Memory,
    pub(super) language: Language,
    pub(super) json: bool,
    pub(super) mode: Mode,
    output: Mutex<Output>,
    hooks: Mutex<Hooks>,
}

impl Here {
    pub(super) fn new(places: &Places, language: Language, json: bool, mode: Mode) -> Self {
        let memory = Memory::at(places);
        let (output, hooks) = (Mutex::new(Output::new()), Mutex::new(BTreeMap::new()));
        Self { places: places.clone(), memory, language, json, mode, output, hooks }
    }

    /// Whether one of the hooks that an agent reads is ours, and is heeded.
    fn has_hook(&self, client: Client, cwd: &Path) -> bool {
        let project =
            signoff_facts::whereabouts(cwd).map_or_else(|_| cwd.to_owned(), |there| PathBuf::from(there.project));
        let ground = |program: PathBuf| Ground {
            home: self.places.home().to_owned(),
            project: project.clone(),
            machine: self.places.machine().to_owned(),
            program,
            // Where the agent was told to look instead is in its environment, and not in ours.
            moved: Vec::new(),
        };
        let Ok(own) = std::env::current_exe() else { return false };
        let ground = ground(own);
        agents::SCOPES.into_iter().any(|scope| {
            // One that another version has written is called as well.
            matches!(presence(client, scope, &ground, &agents::text), Ok(Presence::Current | Presence::Different))
        })
    }
}

impl Host for Here {
    fn keeper(&self, who: &Who, agent: &AgentProcess) -> Result<Gatekeeper, String> {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '-' };
        let name: String = format!("watch-{}", who.name).chars().map(plain).take(60).collect();
        let there = house(&self.places, name, self.language).map_err(|failure| failure.told(self.language))?;
        let there: Arc<dyn House> = match self.mode {
            Mode::Live => there,
            Mode::DryRun => Arc::new(Silent(there)),
        };
        // What runs has the environment of the agent, not ours.
        let environment = surroundings_of(|name| agent.variable(name));
        Ok(Gatekeeper::new(there, self.language, HOLD, environment))
    }

    fn terms(&self, cwd: &Path) -> Terms {
        let project = signoff_facts::whereabouts(cwd).ok().map(|there| PathBuf::from(there.project));
        let policies = Policies::new(&self.places).going_on_strictly();
        match policies.of(project.as_deref()) {
            Ok(policy) => {
                let watch = &policy.settings.watch;
                Terms {
                    auto_confirm: watch.auto_confirm.value,
                    context_lines: usize::from(watch.context_lines.value),
                    words: Words { danger: watch.danger_words.value.clone(), safe: watch.safe_words.value.clone() },
                }
            }
            Err(_) => Terms::default(),
        }
    }

    fn is_hooked(&self, agent: &str, cwd: &Path) -> bool {
        let named = |client: &Client| client.program() == agent || client.name() == agent;
        let Some(client) = Client::ALL.into_iter().find(named) else { return false };
        let key = (agent.to_owned(), cwd.to_owned());
        let known = self.hooks.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some((when, hooked)) = known.filter(|(when, _)| when.elapsed() < HOOK_KNOWN_FOR) {
            let _ = when;
            return hooked;
        }
        let hooked = self.has_hook(client, cwd);
        self.hooks.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (Instant::now(), hooked));
        hooked
    }

    fn is_paused(&self, who: &Who) -> bool {
        self.memory.paused().is_none_or(|paused| paused.contains(&Paused::of(who)))
    }

    fn happened(&self, what: &Happening) {
        let line = if self.json { told::object(what, self.now()).to_string() } else { told::line(what, self.language) };
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever reads the log may have gone; agents are still there.
        let _ = output.text(&format!("{line}\n")).and_then(|()| output.deliver());
    }

    fn remember(&self, all: &[Remembered]) {
        if let Err(error) = self.memory.keep(all) {
            output::note(&format!("signoff: {error}\n"));
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(signoff_store::system_clock()().millis()).unwrap_or_default()
    }
}

/// A house in which nothing that was only foreseen is noted.
struct Silent(Arc<dyn House>);

impl House for Silent {
    fn places(&self) -> &Places {
        self.0.places()
    }

    fn door(&self) -> Result<Door, String> {
        self.0.door()
    }

    fn note(&self, _what: &str, _look: &Look) {}

    fn locked_by(&self) -> Option<String> {
        self.0.locked_by()
    }

    fn back_up(&self, look: &Look) -> Result<Discard, String> {
        self.0.back_up(look)
    }

    fn tell(&self, words: &str) {
        self.0.tell(words);
    }

    fn failed(&self, error: &CallError) -> String {
        self.0.failed(error)
    }
}
