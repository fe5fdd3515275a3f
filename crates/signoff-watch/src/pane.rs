//! One pane that is followed: looked at when something changes in it, and answered at most once for each dialog.

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash as _, Hasher as _},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use signoff_agents::{
    held::Held,
    passage::{Asked, Case, Gatekeeper, Refusal, Way},
};
use signoff_analysis::screen::{Agent, Keys};
use signoff_facts::{AgentProcess, Foreground, foreground_of};
use tokio::{
    sync::mpsc,
    task::spawn_blocking,
    time::{sleep, timeout},
};

use crate::{
    answering::{self, Typed, by_hand},
    board::Board,
    happening::{Answered, By, Deed, Happening, Who, Why},
    host::{Host, Terms},
    reading::{Dialog, Fingerprint, Sight, read},
    state::{self, Met},
    tightening::{Objection, objection},
    tmux::{Link, Listed, Snapshot, Socket},
};

/// A screen that has not changed for so long has been drawn.
const DRAWN_AFTER: Duration = Duration::from_millis(10);
/// One that never stops changing is looked at all the same.
const LOOK_AFTER: Duration = Duration::from_millis(60);
/// Between two looks.
const BREATH: Duration = Duration::from_millis(20);
/// So often a pane is looked at again without being woken.
const AGAIN_AT_MOST: u8 = 3;
/// A moment after the last change somebody looks whether the agent has become idle.
const SETTLED: Duration = Duration::from_secs(6);

/// Whether anything is typed at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is.
    Live,
    /// It is only said what would be.
    DryRun,
}

/// What a pane is followed with.
#[derive(Clone)]
pub(crate) struct Surroundings {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) board: Arc<Board>,
    pub(crate) link: Link,
    pub(crate) mode: Mode,
}

/// A pane that is followed.
pub(crate) struct Followed {
    around: Surroundings,
    who: Who,
    agent: Option<AgentProcess>,
    keeper: Option<Gatekeeper>,
    state: state::Pane,
    note: Option<String>,
    /// So many dialogs were new: each is a question of its own.
    count: u64,
    question: Option<Question>,
    answers: (mpsc::Sender<Said>, mpsc::Receiver<Said>),
    /// Below this line of its history nothing has been answered yet.
    answered_at: u64,
    /// So often something was not typed since somebody woke it.
    again: u8,
}

/// A question at the gateway.
struct Question {
    dialog: Dialog,
    held: Arc<Held>,
}

/// What the gateway has said to a question.
struct Said {
    to: Fingerprint,
    case: Box<Case>,
    what: Result<Asked, Refusal>,
}

/// What is typed, and on whose word.
struct Answer<'d> {
    keys: &'d Keys,
    by: By,
}

impl Followed {
    pub(crate) fn new(around: Surroundings, socket: Socket, listed: &Listed) -> Self {
        let who = Who { name: listed.name(), socket, pane: listed.pane, place: listed.place(), program: None };
        Self {
            around,
            who,
            agent: None,
            keeper: None,
            state: state::Pane::default(),
            note: None,
            count: 0,
            question: None,
            answers: mpsc::channel(4),
            answered_at: 0,
            again: 0,
        }
    }

    /// Follows it until nobody wakes it any more.
    pub(crate) async fn follow(mut self, mut wakes: mpsc::Receiver<()>) {
        loop {
            tokio::select! {
                woken = timeout(SETTLED, wakes.recv()) => match woken {
                    Ok(Some(())) => {
                        let drawn = async { while let Ok(Some(())) = timeout(DRAWN_AFTER, wakes.recv()).await {} };
                        let _ = timeout(LOOK_AFTER, drawn).await;
                        self.again = 0;
                        self.look().await;
                        sleep(BREATH).await;
                        // What was judged was not there any more: what is there instead has not been judged.
                        for round in 1..=AGAIN_AT_MOST {
                            if self.again < round {
                                break;
                            }
                            self.look().await;
                            sleep(BREATH).await;
                        }
                    }
                    Ok(None) => break,
                    Err(_) => self.put_up(),
                },
                Some(said) = self.answers.1.recv() => self.heard(said).await,
            }
        }
        self.take_back().await;
        self.around.board.take_down(&self.who);
    }

    fn now(&self) -> u64 {
        self.around.host.now()
    }

    fn put_up(&self) {
        if self.agent.is_some() || self.who.program.is_some() {
            self.around.board.put(&self.who, &self.state.state(self.now()), self.note.clone());
        }
    }

    fn tell(&self, deed: Deed) {
        self.around.host.happened(&Happening::Agent(self.who.clone(), deed));
    }

    async fn look(&mut self) {
        // A pane that has gone is taken from the list; what cannot be read is answered by nobody.
        let Ok(seen) = Snapshot::of(&self.around.link, self.who.pane).await else { return };
        let foreground = if seen.dead { Foreground::Unknown } else { foreground_of(seen.pid) };
        let Foreground::Agent(agent) = foreground else {
            self.is_left().await;
            return;
        };
        self.is_agent(agent);
        let now = self.now();
        self.state.shows(number_of(&seen), now);
        let sight = if seen.in_mode { Sight::Nothing } else { read(&seen, self.program()) };
        match sight {
            Sight::Dialog(dialog) => self.meet(&seen, *dialog).await,
            Sight::Other(what) => {
                self.miss().await;
                self.note = Some(what);
            }
            Sight::Nothing => {
                self.miss().await;
                self.note = seen.in_mode.then(|| "copy mode".to_owned());
            }
        }
        self.put_up();
    }

    fn program(&self) -> &str {
        self.agent.as_ref().map_or("", |agent| agent.name.as_str())
    }

    /// An agent has the terminal.
    fn is_agent(&mut self, agent: AgentProcess) {
        if self.agent.as_ref().is_none_or(|known| known.pid != agent.pid) {
            self.keeper = None;
        }
        self.who.program = Some(agent.name.clone());
        self.agent = Some(agent);
    }

    /// No agent has the terminal.
    async fn is_left(&mut self) {
        if self.agent.take().is_some() {
            self.take_back().await;
            self.state.is_left();
            self.note = None;
            self.put_up();
        }
    }

    /// No dialog is there.
    async fn miss(&mut self) {
        self.state.misses(self.now());
        self.take_back().await;
    }

    /// A question whose dialog has gone is nobody's any more.
    async fn take_back(&mut self) {
        if let Some(question) = self.question.take() {
            question
                .held
                .take_back("the agent's own prompt is gone: superseded by what happened in its terminal")
                .await;
            self.tell(Deed::Superseded { subject: question.dialog.subject() });
        }
    }

    async fn meet(&mut self, seen: &Snapshot, dialog: Dialog) {
        match self.state.meets(&dialog.fingerprint, &dialog.subject(), self.now()) {
            Met::Known => {}
            Met::Back => {
                self.note = Some("not taken".to_owned());
                let keys = dialog.prompt.yes.as_ref();
                let sent = keys.map(ToString::to_string).unwrap_or_default();
                self.tell(Deed::Stuck { subject: dialog.subject(), sent, by_hand: self.by_hand(keys) });
            }
            Met::New => {
                self.take_back().await;
                self.count += 1;
                self.consider(seen, dialog).await;
            }
        }
    }

    /// What becomes of a new dialog.
    async fn consider(&mut self, seen: &Snapshot, dialog: Dialog) {
        let Some(agent) = self.agent.clone() else { return };
        let host = Arc::clone(&self.around.host);
        let (who, cwd) = (self.who.clone(), agent.cwd.clone());
        let known = spawn_blocking(move || {
            let cwd: PathBuf = cwd?;
            let hooked = who.program.as_deref().is_some_and(|program| host.is_hooked(program, &cwd));
            Some((hooked, host.is_paused(&who), host.terms(&cwd), cwd))
        });
        let Ok(Some((hooked, paused, terms, cwd))) = known.await else {
            return self.leave(&dialog, Why::Nowhere);
        };
        if hooked {
            return self.leave(&dialog, Why::Hooked);
        }
        if paused {
            return self.leave(&dialog, Why::Paused);
        }
        if !seen.takes_keys() {
            return self.leave(&dialog, Why::NotListening);
        }
        if is_anothers(&dialog, &agent.name) {
            return self.leave(&dialog, Why::AnotherAgent);
        }
        let Some(operation) = dialog.operation() else {
            let doubts = dialog.prompt.doubts.clone();
            let why = if doubts.is_empty() { Why::ForPeople } else { Why::Doubts(doubts) };
            return self.leave(&dialog, why);
        };
        let Some(keeper) = self.keeper(&agent).await else { return self.leave(&dialog, Why::Nowhere) };
        // What the words object to is not let go, and so it is not judged as if it were.
        let objection = self.objection(&terms, seen, &dialog);
        let certain = dialog.certain_yes().is_some() && terms.auto_confirm && objection.is_none();
        let judged =
            spawn_blocking(
                move || if certain { keeper.judge(operation, &cwd) } else { keeper.foresee(operation, &cwd) },
            );
        let way = judged.await.unwrap_or_else(|defect| Way::Shut(defect.to_string()));
        match way {
            Way::Shut(why) => self.leave(&dialog, Why::Blocked(why)),
            Way::Ask(case) => self.ask(dialog, case).await,
            Way::Free => match (dialog.certain_yes().cloned(), objection) {
                (_, Some(Objection::Danger(word))) => self.leave(&dialog, Why::Danger(word)),
                (_, Some(Objection::NoSafeWord)) => self.leave(&dialog, Why::NoSafeWord),
                (Some(_), None) if !terms.auto_confirm => self.leave(&dialog, Why::SwitchedOff),
                (Some(keys), None) => {
                    let answer = Answer { keys: &keys, by: By::Policy };
                    self.answer(&dialog, answer).await;
                }
                (None, None) if dialog.prompt.doubts.is_empty() => self.leave(&dialog, Why::ForPeople),
                (None, None) => self.leave(&dialog, Why::Doubts(dialog.prompt.doubts.clone())),
            },
        }
    }

    async fn keeper(&mut self, agent: &AgentProcess) -> Option<Gatekeeper> {
        if self.keeper.is_none() {
            let (host, who, agent) = (Arc::clone(&self.around.host), self.who.clone(), agent.clone());
            self.keeper = spawn_blocking(move || host.keeper(&who, &agent)).await.ok().and_then(Result::ok);
        }
        self.keeper.clone()
    }

    fn objection(&self, terms: &Terms, seen: &Snapshot, dialog: &Dialog) -> Option<Objection> {
        let rows = &dialog.prompt.rows;
        // What was answered before is over.
        let over = usize::try_from(self.answered_at.saturating_sub(seen.history)).unwrap_or(usize::MAX);
        let from = rows.start.saturating_sub(terms.context_lines).max(over.min(rows.start));
        let above = seen.rows.get(from..rows.start).unwrap_or_default();
        objection(&terms.words, seen.rows.get(rows.clone()).unwrap_or_default(), above)
    }

    /// Types an answer, and says what became of it.
    async fn answer(&mut self, dialog: &Dialog, answer: Answer<'_>) -> Typed {
        let said = Answered { subject: dialog.subject(), sent: answer.keys.to_string(), by: answer.by };
        if self.around.mode == Mode::DryRun {
            self.note = Some(format!("would type {}", said.sent));
            self.tell(Deed::WouldAnswer(said));
            return Typed::Changed;
        }
        let Some(agent) = self.agent.clone() else { return Typed::Changed };
        let pane =
            answering::Pane { link: &self.around.link, pane: self.who.pane, agent: &agent.name, process: agent.pid };
        let typed = pane.answer(dialog, answer.keys).await;
        match typed {
            Typed::Taken => {
                self.state.answered();
                self.note = None;
                self.remember_line().await;
                self.tell(Deed::Answered(said));
                self.state.misses(self.now());
            }
            Typed::NotTaken => {
                self.state.answered();
                self.state.did_not_take_it();
                self.note = Some("not taken".to_owned());
                let by_hand = self.by_hand(Some(answer.keys));
                self.tell(Deed::Stuck { subject: said.subject, sent: said.sent, by_hand });
            }
            // The next look says what is there instead.
            Typed::Changed => {
                self.state.is_to_be_considered_again();
                self.again = self.again.saturating_add(1);
            }
            Typed::Restless => self.leave(dialog, Why::Restless),
            Typed::NoKeys => self.leave(dialog, Why::NoKeys),
        }
        typed
    }

    async fn remember_line(&mut self) {
        if let Ok(seen) = Snapshot::of(&self.around.link, self.who.pane).await {
            self.answered_at = seen.history + u64::try_from(seen.cursor.1).unwrap_or_default();
        }
    }

    /// Leaves a dialog to whoever sits before the pane.
    fn leave(&mut self, dialog: &Dialog, why: Why) {
        self.note = Some(why.name().to_owned());
        // What nobody should agree to is refused.
        let keys = if matches!(why, Why::Blocked(_)) { dialog.no() } else { dialog.prompt.yes.as_ref() };
        let by_hand = self.by_hand(keys);
        self.tell(Deed::LeftToPerson { subject: dialog.subject(), why, by_hand });
    }

    fn by_hand(&self, keys: Option<&Keys>) -> String {
        match keys {
            Some(keys) => by_hand(&self.who.socket, self.who.pane, keys),
            None => {
                let session = self.who.place.rsplit_once(':').map_or("", |(session, _)| session);
                format!("{} attach-session -t {}", self.who.socket.spoken(), crate::tmux::quoted(session))
            }
        }
    }

    /// Asks people at the gateway, aside.
    async fn ask(&mut self, dialog: Dialog, case: Box<Case>) {
        if self.around.mode == Mode::DryRun {
            self.note = Some("would ask".to_owned());
            return self.tell(Deed::WouldAsk { subject: dialog.subject(), why: case.why });
        }
        if dialog.approved_yes().is_none() {
            let doubts = dialog.prompt.doubts.clone();
            return self.leave(&dialog, if doubts.is_empty() { Why::NoKeys } else { Why::Doubts(doubts) });
        }
        let Some(keeper) = self.keeper.clone() else { return self.leave(&dialog, Why::Nowhere) };
        let held = Arc::new(Held::default());
        let key = format!("watch-{}-{}", dialog.fingerprint, self.count);
        let (sender, to, raised) = (self.answers.0.clone(), dialog.fingerprint.clone(), Arc::clone(&held));
        let (host, who, subject) = (Arc::clone(&self.around.host), self.who.clone(), dialog.subject());
        let by_hand = self.by_hand(dialog.prompt.yes.as_ref());
        self.note = Some("asked at the gateway".to_owned());
        self.question = Some(Question { dialog, held });
        tokio::spawn(async move {
            let asked = keeper.ask(&key, &case, &case.wish, |door, id| {
                raised.has_raised(door, id);
                let (subject, why, by_hand) = (subject.clone(), case.why.clone(), by_hand.clone());
                let deed = Deed::Asked { subject, why, approval: id.to_owned(), by_hand };
                host.happened(&Happening::Agent(who.clone(), deed));
            });
            let what = asked.await;
            let _ = sender.send(Said { to, case, what }).await;
        });
    }

    /// The gateway has said something. It counts only for the dialog that it was asked about, as long as that is there.
    async fn heard(&mut self, said: Said) {
        let Some(question) = self.question.take_if(|question| question.dialog.fingerprint == said.to) else { return };
        let dialog = question.dialog;
        let (Some(agent), Some(keeper)) = (self.agent.clone(), self.keeper.clone()) else { return };
        let link = self.around.link.clone();
        let pane = answering::Pane { link: &link, pane: self.who.pane, agent: &agent.name, process: agent.pid };
        if !self.state.is_open(&dialog.fingerprint) || !pane.is_there(&dialog).await {
            return self.tell(Deed::Superseded { subject: dialog.subject() });
        }
        match said.what {
            // A grant, or a policy that has changed meanwhile: as if it had been harmless here.
            Ok(Asked::Free) => match dialog.certain_yes().cloned() {
                Some(keys) => drop(self.answer(&dialog, Answer { keys: &keys, by: By::Policy }).await),
                None => self.leave(&dialog, Why::ForPeople),
            },
            Ok(Asked::Yes(yes)) => {
                let Some(keys) = dialog.approved_yes().cloned() else { return self.leave(&dialog, Why::NoKeys) };
                match keeper.redeem(yes, &said.case, None).await {
                    Ok(permit) => {
                        let typed = self.answer(&dialog, Answer { keys: &keys, by: By::Person }).await;
                        let (taken, words) = match typed {
                            Typed::Taken => (true, "typed into the agent's own prompt, which took it"),
                            Typed::NotTaken => (false, "typed into the agent's own prompt, which did not go away"),
                            Typed::Changed | Typed::Restless | Typed::NoKeys => {
                                (false, "nothing was typed: the agent's own prompt had changed")
                            }
                        };
                        keeper.report(&permit, taken, words).await;
                    }
                    Err(refusal) => self.leave(&dialog, Why::Unasked(refusal.words().to_owned())),
                }
            }
            Err(Refusal::Denied(words)) => match dialog.no().cloned() {
                Some(keys) => drop(self.answer(&dialog, Answer { keys: &keys, by: By::Refused(words) }).await),
                None => self.leave(&dialog, Why::Unasked(words)),
            },
            Err(refusal) => self.leave(&dialog, Why::Unasked(refusal.words().to_owned())),
        }
        self.put_up();
    }
}

/// Whether a dialog is that of another agent than the one that has the terminal.
fn is_anothers(dialog: &Dialog, running: &str) -> bool {
    let kin = |agent: Agent| if agent == Agent::Qwen { Agent::Gemini } else { agent };
    match (dialog.prompt.agent, Agent::from_name(running)) {
        (Some(Agent::Unnamed) | None, _) => false,
        (Some(drawn), Some(running)) => kin(drawn) != kin(running),
        (Some(_), None) => true,
    }
}

/// By what a screen is known again.
fn number_of(seen: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&seen.rows, seen.cursor, seen.history).hash(&mut hasher);
    hasher.finish()
}
