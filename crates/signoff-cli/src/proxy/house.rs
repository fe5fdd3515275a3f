//! What this program can do for a proxy that runs in it.

use std::{sync::Arc, time::Duration};

use signoff_agents::{
    door::Door,
    passage::{Discard, Gatekeeper, House},
};
use signoff_card::{Language, visible};
use signoff_gate::{Places, judging::Look};
use signoff_server::client::CallError;

use crate::{
    decided,
    exec::{rescue, surroundings},
    failure::Failure,
    gateway::{self, standing::locked_by, unguessable},
    output,
};

/// The program around one proxy.
struct Here {
    places: Places,
    agent: String,
    session: String,
    language: Language,
}

/// Whoever stands at the door of a proxy that calls the gateway under this name, in a session of its own.
pub(super) fn gatekeeper(
    places: &Places,
    agent: String,
    language: Language,
    hold: Duration,
) -> Result<Gatekeeper, Failure> {
    Ok(Gatekeeper::new(house(places, agent, language)?, language, hold, surroundings()))
}

/// What this program does for whoever calls the gateway under this name, in a session of its own.
pub(crate) fn house(places: &Places, agent: String, language: Language) -> Result<Arc<dyn House>, Failure> {
    let session = unguessable()?.chars().take(32).collect();
    Ok(Arc::new(Here { places: places.clone(), agent, session, language }))
}

impl Here {
    fn told(&self, failure: &Failure) -> String {
        failure.message.told(self.language).to_owned()
    }
}

impl House for Here {
    fn places(&self) -> &Places {
        &self.places
    }

    fn door(&self) -> Result<Door, String> {
        let door = || {
            gateway::is_there(&self.places)?;
            gateway::door(&self.places, &self.agent, &self.session)
        };
        door().map_err(|failure| self.told(&failure))
    }

    fn note(&self, what: &str, look: &Look) {
        let by = (self.agent.as_str(), self.session.clone());
        decided::note(&self.places, what, &look.judged, &look.whereabouts.cwd, by, self.language);
    }

    fn locked_by(&self) -> Option<String> {
        locked_by(&self.places)
    }

    fn back_up(&self, look: &Look) -> Result<Discard, String> {
        let text = look.judged.operation.text();
        let copy = || {
            let interrupted = output::interrupted()?;
            let paths = rescue::paths(&look.judged.assessment);
            rescue::back_up(&self.places, &text, &paths, &interrupted, self.language)
        };
        let copied = copy().map_err(|failure| self.told(&failure))?;
        Ok(Box::new(|| copied.discard()))
    }

    fn tell(&self, words: &str) {
        output::note(&format!("signoff: {}\n", visible(words)));
    }

    fn failed(&self, error: &CallError) -> String {
        self.told(&gateway::failure(error))
    }
}

/// Where the proxy was started, which is where its operations are judged.
pub(super) fn here() -> Result<std::path::PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::internal(format!("cannot tell the working directory: {error}"), format!("无法确定工作目录：{error}"))
    })
}
