//! What stands between an editor and an agent: requests for permission are answered by the gate, and everything else passes as it is.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, value::RawValue};
use tokio::io::AsyncRead;

use super::permission::{self, Permission};
use crate::{
    held::{Held, take_all_back},
    jsonrpc::{Fault, Id, Line, Lines, Message, Outlet, error, is_blank},
    passage::{Asked, Case, Gatekeeper, Refusal, Way},
    words,
};

/// A longer message is not read, and so not passed on.
const MESSAGE_AT_MOST: usize = 64 << 20;
/// The code of JSON-RPC for a request that is none.
const NO_REQUEST: i32 = -32600;
/// So many sessions, and calls that were let go, are remembered.
const REMEMBERED_AT_MOST: usize = 10_000;

/// A proxy between one editor and one agent.
pub struct Proxy {
    keeper: Gatekeeper,
    to_editor: Outlet,
    to_agent: Outlet,
    /// Where operations are judged whose session says nothing else.
    cwd: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Requests of the agent that are held, with their sessions.
    held: HashMap<Id, (String, Arc<Held>)>,
    /// Directories of sessions that the editor has asked for and that have no name yet.
    asked_for: HashMap<Id, String>,
    /// Directories of sessions.
    sessions: HashMap<String, String>,
    /// What was let go, by the call of the tool.
    let_go: HashMap<String, String>,
}

impl Proxy {
    /// Between these two.
    pub fn new(cwd: PathBuf, keeper: Gatekeeper, to_editor: Outlet, to_agent: Outlet) -> Arc<Self> {
        Arc::new(Self { keeper, to_editor, to_agent, cwd, state: Mutex::default() })
    }

    /// Passes on what an editor says, until it says nothing more.
    ///
    /// # Errors
    ///
    /// When one of the two sides cannot be reached.
    pub async fn from_editor(self: Arc<Self>, editor: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut lines = Lines::new(editor);
        loop {
            match lines.line(MESSAGE_AT_MOST).await? {
                Line::End => return Ok(()),
                Line::TooLong => self.drop_unread("the editor", "it is too long"),
                Line::Whole(line) if is_blank(&line) => self.to_agent.send(&line).await?,
                Line::Whole(line) => match Message::read(&line) {
                    Err(fault) => self.drop_unread("the editor", &fault.to_string()),
                    Ok(message) if self.answers_for_us(&message) => {
                        self.drop_unread("the editor", "it answers what it was not asked");
                    }
                    Ok(message) => {
                        self.heed_editor(&message).await?;
                        self.to_agent.pass(&line).await?;
                    }
                },
            }
        }
    }

    /// Passes on what an agent says, until it says nothing more.
    ///
    /// # Errors
    ///
    /// When one of the two sides cannot be reached.
    pub async fn from_agent(self: Arc<Self>, agent: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut lines = Lines::new(agent);
        loop {
            let line = match lines.line(MESSAGE_AT_MOST).await? {
                Line::End => return Ok(()),
                Line::TooLong => {
                    self.drop_unread("the agent", "it is too long");
                    continue;
                }
                Line::Whole(line) => line,
            };
            if is_blank(&line) {
                self.to_editor.send(&line).await?;
                continue;
            }
            match Message::read(&line) {
                // The editor might read a request in it.
                Err(fault) => self.drop_unread("the agent", &fault.to_string()),
                Ok(message) if message.method.as_deref() == Some(permission::METHOD) => {
                    match Permission::read(&message) {
                        Ok(permission) => self.take(permission, line).await?,
                        Err(fault) => self.to_agent.send(&refused(message.raw_id, &fault)).await?,
                    }
                }
                Ok(message) => {
                    self.heed_agent(&message);
                    self.to_editor.pass(&line).await?;
                }
            }
        }
    }

    /// Takes back whatever was asked: nobody is there any more who would be told.
    pub async fn leave(&self) {
        let all: Vec<Arc<Held>> = self.state().held.drain().map(|(_, (_, held))| held).collect();
        take_all_back(all, "the editor or the agent has gone").await;
    }

    /// A request for permission: answered aside, while everything else goes on.
    async fn take(self: &Arc<Self>, permission: Permission, line: Vec<u8>) -> io::Result<()> {
        let held = Arc::new(Held::default());
        let is_new = self.state().holds(&permission, &held);
        if !is_new {
            let words = "another request of this id is under way";
            return self.to_agent.send(&error(Some(&permission.raw_id), NO_REQUEST, words)).await;
        }
        let proxy = Arc::clone(self);
        // Where a side is gone, whoever reads from it says so.
        tokio::spawn(async move { drop(proxy.answer(&permission, &line, &held).await) });
        Ok(())
    }

    async fn answer(&self, permission: &Permission, line: &[u8], held: &Arc<Held>) -> io::Result<()> {
        if permission.yes.is_none() {
            return self.refuse(permission, held, "the agent offers no option that means yes to this once").await;
        }
        let way = self.judged(permission).await;
        match way {
            Way::Free => self.let_go(permission, held, None, words::harmless(self.keeper.language)).await,
            Way::Shut(words) => self.refuse(permission, held, &words).await,
            Way::Ask(case) => {
                // One that is taken back ends by itself, once its question is.
                match self.decide(permission, held, &case).await {
                    Ok(permit) => self.let_go(permission, held, permit, words::approved(self.keeper.language)).await,
                    // Whoever sits in front of the editor may decide alone.
                    Err(Refusal::Unreached(_)) if case.owner_decides => match self.forget(permission, held) {
                        true => self.to_editor.pass(line).await,
                        false => Ok(()),
                    },
                    Err(refusal) => self.refuse(permission, held, refusal.words()).await,
                }
            }
        }
    }

    async fn judged(&self, permission: &Permission) -> Way {
        let (keeper, cwd) = (self.keeper.clone(), self.directory(permission));
        let (operation, said) = (permission.operation.clone(), permission.said.clone());
        let judging = tokio::task::spawn_blocking(move || {
            // What is only said to be run can be absurd; it can not be harmless.
            match said.and_then(|said| keeper.absurd(said, &cwd)) {
                Some(words) => Way::Shut(words),
                None => keeper.judge(operation, &cwd),
            }
        });
        judging.await.unwrap_or_else(|defect| Way::Shut(defect.to_string()))
    }

    async fn decide(&self, permission: &Permission, held: &Arc<Held>, case: &Case) -> Result<Option<String>, Refusal> {
        let raised = |door: &_, id: &str| held.has_raised(door, id);
        match self.keeper.ask(&permission.key(), case, &case.wish, raised).await? {
            Asked::Free => Ok(None),
            Asked::Yes(yes) => self.keeper.redeem(yes, case, None).await.map(Some),
        }
    }

    /// Where something would be done: as is said, in the directory of its session, or where this program was started.
    fn directory(&self, permission: &Permission) -> PathBuf {
        let of_session = self.state().sessions.get(&permission.session).cloned();
        let base = of_session.map_or_else(|| self.cwd.clone(), PathBuf::from);
        permission.cwd.as_ref().map_or_else(|| base.clone(), |cwd| base.join(Path::new(cwd)))
    }

    async fn let_go(
        &self,
        permission: &Permission,
        held: &Arc<Held>,
        permit: Option<String>,
        words: String,
    ) -> io::Result<()> {
        if !self.forget(permission, held) {
            if let Some(permit) = permit {
                self.keeper.report(&permit, false, "the request was taken back").await;
            }
            return Ok(());
        }
        if let (Some(call), Some(permit)) = (&permission.tool_call, permit) {
            let mut state = self.state();
            if state.let_go.len() < REMEMBERED_AT_MOST {
                state.let_go.insert(call.clone(), permit);
            }
        }
        self.to_agent.send(&permission.answer(permission.yes.as_deref(), &words)).await
    }

    async fn refuse(&self, permission: &Permission, held: &Arc<Held>, words: &str) -> io::Result<()> {
        if !self.forget(permission, held) {
            return Ok(());
        }
        self.keeper.tell(words);
        self.to_agent.send(&permission.answer(permission.no.as_deref(), words)).await
    }

    /// Forgets this very request, and says whether anybody was still waiting for its answer: another one may have its id by now.
    fn forget(&self, permission: &Permission, held: &Arc<Held>) -> bool {
        let mut state = self.state();
        let waits = state.held.get(&permission.id).is_some_and(|(_, there)| Arc::ptr_eq(there, held));
        if waits {
            state.held.remove(&permission.id);
        }
        waits
    }

    /// Whether an editor answers a request that only we have heard.
    fn answers_for_us(&self, message: &Message<'_>) -> bool {
        message.method.is_none() && message.id.as_ref().is_some_and(|id| self.state().held.contains_key(id))
    }

    /// What an editor says about its sessions.
    async fn heed_editor(&self, message: &Message<'_>) -> io::Result<()> {
        let Some(method) = message.method.as_deref().filter(|method| method.starts_with("session/")) else {
            return Ok(());
        };
        let params: Value = message.params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let text = |name: &str| params.get(name).and_then(Value::as_str).map(str::to_owned);
        let (session, cwd) = (text("sessionId"), text("cwd"));
        if method == "session/cancel" {
            let Some(session) = session else { return Ok(()) };
            return self.cancelled(&session).await;
        }
        let Some(cwd) = cwd else { return Ok(()) };
        let mut state = self.state();
        if let Some(id) = message.id.clone().filter(|_| matches!(method, "session/new" | "session/fork")) {
            if state.asked_for.len() < REMEMBERED_AT_MOST {
                state.asked_for.insert(id, cwd);
            }
        } else if let Some(session) = session {
            state.knows(session, cwd);
        }
        Ok(())
    }

    /// What was held for a session is answered as the protocol wants it: nothing was chosen.
    async fn cancelled(&self, session: &str) -> io::Result<()> {
        let ended: Vec<(Id, Arc<Held>)> = {
            let mut state = self.state();
            let ids: Vec<Id> =
                state.held.iter().filter(|(_, (of, _))| of == session).map(|(id, _)| id.clone()).collect();
            ids.into_iter().filter_map(|id| state.held.remove(&id).map(|(_, held)| (id, held))).collect()
        };
        for (id, held) in ended {
            let id = match id {
                Id::Number(number) => Value::from(number),
                Id::Text(text) => Value::from(text),
            };
            let answer =
                serde_json::json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": {"outcome": "cancelled"}}});
            self.to_agent.send(format!("{answer}\n").as_bytes()).await?;
            tokio::spawn(async move { held.take_back("the editor took the request back").await });
        }
        Ok(())
    }

    /// What an agent says about sessions, and about calls that were let go.
    fn heed_agent(&self, message: &Message<'_>) {
        if message.method.is_none() {
            let Some(id) = &message.id else { return };
            let Some(cwd) = self.state().asked_for.remove(id) else { return };
            let result: Value = message.result.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
            if let Some(session) = result.get("sessionId").and_then(Value::as_str) {
                self.state().knows(session.to_owned(), cwd);
            }
            return;
        }
        if message.method.as_deref() != Some("session/update") || self.state().let_go.is_empty() {
            return;
        }
        let params: Value = message.params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let text = |name: &str| params.pointer(&format!("/update/{name}")).and_then(Value::as_str);
        let success = match text("status") {
            Some("completed") => true,
            Some("failed") => false,
            _ => return,
        };
        let Some(permit) = text("toolCallId").and_then(|call| self.state().let_go.remove(call)) else { return };
        let keeper = self.keeper.clone();
        let words = if success { "" } else { "the agent says that it failed" };
        tokio::spawn(async move { keeper.report(&permit, success, words).await });
    }

    fn drop_unread(&self, who: &str, why: &str) {
        self.keeper.tell(&format!("a message of {who} was not passed on: {why}"));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Holds a request, unless another one of its id is held.
    fn holds(&mut self, permission: &Permission, held: &Arc<Held>) -> bool {
        let is_new = !self.held.contains_key(&permission.id);
        if is_new {
            self.held.insert(permission.id.clone(), (permission.session.clone(), Arc::clone(held)));
        }
        is_new
    }

    fn knows(&mut self, session: String, cwd: String) {
        if self.sessions.len() < REMEMBERED_AT_MOST {
            self.sessions.insert(session, cwd);
        }
    }
}

fn refused(id: Option<&RawValue>, fault: &Fault) -> Vec<u8> {
    error(id, NO_REQUEST, &format!("Signoff did not read this request: {fault}"))
}
