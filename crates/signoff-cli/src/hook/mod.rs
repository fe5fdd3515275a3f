//! `signoff hook`: one tool call of a coding agent, held until it is decided.

mod frame;
mod held;
mod holding;

use std::{
    env,
    ffi::OsStr,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use frame::Frame;
use held::Note;
use signoff_agents::{
    Client,
    hook::{Answer, Call, Moment, Reply, last_words, operation, reply, unheeded},
    words,
};
use signoff_card::{Language, visible};
use signoff_config::OnAllow;
use signoff_gate::{
    Places, Scores,
    judging::{self, Look},
};
use signoff_model::{Digest, Operation, Risk, Sight, Verdict};
use signoff_server::client::to_wire;

use crate::{
    decided,
    gateway::standing::{is_distrusted, locked_by},
    judge::language,
    policies,
};

/// A longer call is not read.
const INPUT_AT_MOST: u64 = 16 << 20;

/// The client whose hook this process is, by its arguments: `signoff hook AGENT`, and nothing else, so that nothing that a client
/// adds has a meaning.
pub(crate) fn asked_for(mut arguments: impl Iterator<Item = std::ffi::OsString>) -> Option<std::ffi::OsString> {
    let (_, command, client) = (arguments.next()?, arguments.next()?, arguments.next()?);
    // Help is for people, who get it from the other arguments.
    let is_option = client.to_string_lossy().starts_with('-');
    (command == "hook" && !is_option && arguments.next().is_none()).then_some(client)
}

/// Answers one call, and ends this process.
pub(crate) fn run(name: &OsStr, places: impl FnOnce() -> Places) -> ! {
    let named = name.to_str().and_then(Client::from_name);
    let frame = Frame::around(named.unwrap_or(Client::Claude));
    let reply = match named {
        Some(client) => answered(client, &places(), &frame),
        None => {
            let known = Client::ALL.map(Client::name).join(", ");
            let words = format!("Signoff knows no agent `{}`: one of {known}", visible(&name.to_string_lossy()));
            unheeded(Client::Claude, &words)
        }
    };
    frame.end(&reply)
}

fn answered(client: Client, places: &Places, frame: &Frame) -> Reply {
    let unread = |client: Client, why: &str| {
        decided::note_unread(places, why, (client.name(), parent_session()), language(None));
        unheeded(client, why)
    };
    let payload = match payload() {
        Ok(payload) => payload,
        Err(why) => return unread(client, &why),
    };
    let tool = env::var("AGENT_TOOL_NAME").ok();
    let call = match Call::read(client, &payload, tool.as_deref()) {
        Ok(call) => call,
        Err(misread) => return unread(misread.client, &format!("Signoff cannot read this call: {}", misread.why)),
    };
    let hook = Hook { places, frame, language: language(None), call: &call };
    let answer = match call.moment {
        Moment::Other => Answer::Nothing,
        Moment::After { success } => {
            hook.report(success);
            Answer::Nothing
        }
        Moment::Before | Moment::Permission => hook.decide().unwrap_or_else(Answer::Deny),
    };
    reply(&call, &answer)
}

/// What the client has written, which has to be all of it and text.
fn payload() -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(INPUT_AT_MOST + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("Signoff cannot read this call: {error}"))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > INPUT_AT_MOST) {
        return Err(format!("this call is longer than {} MiB, and was not read", INPUT_AT_MOST >> 20));
    }
    String::from_utf8(bytes).map_err(|error| format!("Signoff cannot read this call, it is not UTF-8: {error}"))
}

/// One call of a tool.
struct Hook<'h> {
    places: &'h Places,
    frame: &'h Frame,
    language: Language,
    call: &'h Call,
}

impl Hook<'_> {
    /// Says what becomes of the call; an error is a no.
    fn decide(&self) -> Result<Answer, String> {
        self.forget_older_yes();
        let unjudged = |why: &String| {
            decided::note_unread(self.places, why, (self.call.client.name(), self.session()), self.language);
        };
        let cwd = self.directory().inspect_err(unjudged)?;
        let operation = operation(self.call);
        let (mut look, mut told) = self.look(operation.clone(), &cwd, None).inspect_err(unjudged)?;
        let mut intent = None;
        // What was asked for matters only where something would be done; it never makes anything less grave.
        if look.judged.assessment.effective_risk() > Risk::None {
            intent = self.call.transcript.as_deref().map(Path::new).and_then(last_words);
        }
        if intent.is_some() {
            (look, told) = self.look(operation, &cwd, intent.clone()).inspect_err(unjudged)?;
        }
        let risk = look.judged.assessment.effective_risk();
        if risk > Risk::None
            && let Some(by) = locked_by(self.places)
        {
            self.note("refused", &look);
            return Err(words::locked(&by, self.language));
        }
        let verdict = look.judged.judgement.decision.verdict();
        let why = format!("{}{told}", words::why(&look.judged, self.language));
        match verdict {
            // Whoever is not trusted has every operation asked about, which the gateway does: it knows how far that goes.
            Verdict::Allow if is_distrusted(self.places, self.call.client.name()) => {
                holding::hold(self, (&look, told.is_empty()), intent.as_deref(), &why)
            }
            Verdict::Allow => {
                self.note("allowed", &look);
                Ok(match look.policy.settings.hook.on_allow.value {
                    OnAllow::Allow if self.call.asks_its_user() => Answer::Nothing,
                    OnAllow::Allow => Answer::Allow(words::harmless(self.language)),
                    OnAllow::Defer => Answer::Nothing,
                })
            }
            Verdict::Block => {
                self.note("blocked", &look);
                Err(words::blocked(&why, self.language))
            }
            Verdict::Ask if self.call.is_only_a_question() => {
                self.note("allowed", &look);
                Ok(Answer::Nothing)
            }
            Verdict::Ask => holding::hold(self, (&look, told.is_empty()), intent.as_deref(), &why),
        }
    }

    /// A fresh look, and what is wrong with the settings that it was judged by.
    fn look(&self, operation: Operation, cwd: &Path, intent: Option<String>) -> Result<(Look, String), String> {
        let terms =
            judging::Terms { sight: Sight::Local, posture: None, intent, home: None, scores: Scores::default() };
        let judge = judging::Judge::new(terms, self.places).going_on_strictly();
        let look = judge
            .look(operation, cwd, &mut |_| {})
            .map_err(|error| words::unjudged(&error.to_string(), self.language))?;
        policies::tell(&judge.notices(), self.language);
        let faults = judge.policies().faults();
        let told = faults.iter().map(|fault| format!("\n{}", policies::failure(fault).told(self.language)));
        Ok((look, told.collect()))
    }

    /// Where the client works: as it says, or where this process was started.
    fn directory(&self) -> Result<PathBuf, String> {
        match &self.call.cwd {
            Some(cwd) => Ok(PathBuf::from(cwd)),
            None => env::current_dir().map_err(|error| format!("Signoff cannot tell the working directory: {error}")),
        }
    }

    /// What tells this call from every other one in its session. A call that is made again is the same, whatever is said about it beside what
    /// it does: Codex asks for permission with a justification that it has not told before.
    fn digest(&self) -> Digest {
        let cwd = self.call.cwd.as_deref().unwrap_or_default();
        self.digest_of(&[cwd, &to_wire(&operation(self.call)).to_string()])
    }

    fn digest_of(&self, parts: &[&str]) -> Digest {
        let (client, session) = (self.call.client.name(), self.session());
        let mut text = String::new();
        for part in [client, &session].into_iter().chain(parts.iter().copied()) {
            text.push_str(&format!("{}:{part}\n", part.len()));
        }
        Digest::of(text.as_bytes())
    }

    /// The note that this call has got its yes, for the dialog of the client.
    fn yes_note(&self) -> Note {
        Note::about(self.places, self.digest_of(&["yes", &self.digest().to_string()]))
    }

    /// The note about what this call has raised, for the hook after it: by what the client calls it, where it says so.
    fn call_note(&self) -> Note {
        match &self.call.id {
            Some(id) => Note::about(self.places, self.digest_of(&["call", "id", id])),
            None => self.nameless_note(),
        }
    }

    /// The same by what the call does. The directory is no part of it: after `cd sub` a client works elsewhere, and says so.
    fn nameless_note(&self) -> Note {
        Note::about(self.places, self.digest_of(&["call", "", &to_wire(&operation(self.call)).to_string()]))
    }

    /// A call that is made again needs a yes of its own, whether or not anybody has said what became of the one before.
    fn forget_older_yes(&self) {
        if self.call.moment == Moment::Before && self.places.held().is_dir() {
            self.yes_note().remove();
            self.nameless_note().remove();
        }
    }

    /// The session of the client; where it has none, the process that has started this one.
    fn session(&self) -> String {
        match self.call.session.as_str() {
            "" => parent_session(),
            session => session.to_owned(),
        }
    }

    fn note(&self, what: &str, look: &Look) {
        let by = (self.call.client.name(), self.session());
        decided::note(self.places, what, &look.judged, &look.whereabouts.cwd, by, self.language);
    }

    /// Says what became of a call for which somebody was asked. Nobody else has left a note.
    fn report(&self, success: bool) {
        // A dialog does not say what the client calls the call that it is about.
        for note in [self.call_note(), self.nameless_note()] {
            if let Some(held) = note.take() {
                holding::report(self, &held, success);
            }
        }
        self.yes_note().remove();
    }
}

/// Stands for the session of a client that has none.
fn parent_session() -> String {
    format!("process-{}", std::os::unix::process::parent_id())
}
