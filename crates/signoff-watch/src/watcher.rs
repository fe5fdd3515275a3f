//! Following all panes of some servers.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::{
    sync::mpsc,
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};

use crate::{
    board::Board,
    happening::{Happening, Trouble},
    host::Host,
    pane::{Followed, Mode, Surroundings},
    scope::Scope,
    tmux::{self, Control, Link, Listed, PaneId, Socket, Woken, sessions},
};

/// Changes of windows come in groups.
const TOGETHER: Duration = Duration::from_millis(30);
/// After so many rounds also those panes are looked at of which tmux tells by itself.
const ROUNDS: u32 = 10;

/// What is followed, and how.
pub struct Order {
    /// On which servers.
    pub sockets: Vec<Socket>,
    /// Which panes.
    pub scope: Scope,
    /// How often everything is looked at.
    pub interval: Duration,
    /// Whether anything is typed.
    pub mode: Mode,
}

/// Follows panes until `end` is there. Then questions are taken back that are open.
pub async fn watch(host: Arc<dyn Host>, order: Order, end: impl Future<Output = ()>) {
    let board = Arc::new(Board::default());
    let publishing = tokio::spawn(Arc::clone(&board).publish(Arc::clone(&host)));
    let (over, _) = tokio::sync::watch::channel(false);
    let order = Arc::new(order);
    let mut servers = JoinSet::new();
    for socket in &order.sockets {
        let server = Server {
            host: Arc::clone(&host),
            board: Arc::clone(&board),
            socket: socket.clone(),
            order: Arc::clone(&order),
            sessions: HashMap::new(),
            panes: HashMap::new(),
            followed: JoinSet::new(),
            told: Vec::new(),
        };
        servers.spawn(server.follow(over.subscribe()));
    }
    end.await;
    let _ = over.send(true);
    while servers.join_next().await.is_some() {}
    publishing.abort();
    host.remember(&[]);
}

struct Server {
    host: Arc<dyn Host>,
    board: Arc<Board>,
    socket: Socket,
    order: Arc<Order>,
    /// The way to each session, by its name.
    sessions: HashMap<String, Link>,
    panes: HashMap<PaneId, Waker>,
    followed: JoinSet<()>,
    /// What was told and has not changed since.
    told: Vec<Trouble>,
}

struct Waker {
    wake: mpsc::Sender<()>,
    session: String,
    pid: u32,
}

impl Server {
    async fn follow(mut self, mut over: tokio::sync::watch::Receiver<bool>) {
        let (sender, mut woken) = mpsc::unbounded_channel();
        let mut ticks = interval(self.order.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut rounds, mut due) = (0, None);
        loop {
            let listing = async {
                match due {
                    Some(when) => sleep_until(when).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = over.changed() => break,
                _ = ticks.tick() => {
                    rounds = (rounds + 1) % ROUNDS;
                    self.list(&sender).await;
                    self.wake_all(rounds == 0);
                }
                () = listing => {
                    due = None;
                    self.list(&sender).await;
                    self.wake_all(true);
                }
                Some((session, why)) = woken.recv() => match why {
                    Woken::Pane(pane) => self.wake(pane),
                    Woken::Layout => due = due.or_else(|| Some(Instant::now() + TOGETHER)),
                    Woken::Gone => {
                        if let Some(link) = self.sessions.get(&session) {
                            link.is_through(None);
                        }
                        due = due.or_else(|| Some(Instant::now() + TOGETHER));
                    }
                },
            }
        }
        self.panes.clear();
        while self.followed.join_next().await.is_some() {}
    }

    fn wake(&self, pane: PaneId) {
        if let Some(waker) = self.panes.get(&pane) {
            // Whoever was woken already looks at what is there then.
            let _ = waker.wake.try_send(());
        }
    }

    /// Wakes those of which nobody tells, or everybody.
    fn wake_all(&self, everybody: bool) {
        for waker in self.panes.values() {
            let is_told = self.sessions.get(&waker.session).is_some_and(Link::tells);
            if everybody || !is_told {
                let _ = waker.wake.try_send(());
            }
        }
    }

    /// Says something is wrong, once.
    fn tell(&mut self, trouble: Trouble) {
        if !self.told.contains(&trouble) {
            let happening = Happening::Trouble { socket: self.socket.clone(), words: trouble.clone() };
            self.host.happened(&happening);
            self.told.push(trouble);
        }
    }

    /// Finds the panes that are to be followed.
    async fn list(&mut self, sender: &mpsc::UnboundedSender<(String, Woken)>) {
        let link = self.sessions.values().find(|link| link.tells()).cloned();
        let link = link.unwrap_or_else(|| Link::new(self.socket.clone()));
        let all = match Listed::all(&link).await {
            Ok(all) => all,
            Err(tmux::Trouble::Refused(words)) => {
                self.sessions.clear();
                self.panes.clear();
                self.tell(Trouble::NoServer(words));
                return;
            }
            // It may only be late: whoever is followed stays followed.
            Err(_) => return,
        };
        self.told.retain(|told| !matches!(told, Trouble::NoServer(_)));
        let there = sessions(&all);
        for wanted in self.order.scope.sessions.clone() {
            if there.contains(&wanted) {
                self.told.retain(|told| *told != Trouble::NoSession(wanted.clone()));
            } else {
                self.tell(Trouble::NoSession(wanted));
            }
        }
        let chosen: Vec<Listed> = all.into_iter().filter(|pane| self.order.scope.holds(pane)).collect();
        let names = sessions(&chosen);
        let ended: Vec<String> = self.sessions.keys().filter(|name| !there.contains(name)).cloned().collect();
        for session in ended {
            self.sessions.remove(&session);
            self.tell(Trouble::Ended(session));
        }
        for session in &names {
            self.attach(session, sender).await;
        }
        self.panes.retain(|pane, waker| {
            chosen
                .iter()
                .any(|listed| listed.pane == *pane && listed.session.1 == waker.session && listed.pid == waker.pid)
        });
        for listed in chosen {
            self.begin(&listed);
        }
    }

    async fn attach(&mut self, session: &str, sender: &mpsc::UnboundedSender<(String, Woken)>) {
        let link = self.sessions.entry(session.to_owned()).or_insert_with(|| Link::new(self.socket.clone())).clone();
        if link.tells() {
            return;
        }
        let (tell, mut told) = mpsc::unbounded_channel();
        match Control::attach(&self.socket, session, tell).await {
            Ok(control) => {
                let (sender, name) = (sender.clone(), session.to_owned());
                tokio::spawn(async move {
                    while let Some(why) = told.recv().await {
                        if sender.send((name.clone(), why)).is_err() {
                            break;
                        }
                    }
                });
                self.told.retain(|told| *told != Trouble::Ended(session.to_owned()));
                link.is_through(Some(control));
                // What changed before it was there, nobody has told.
                self.wake_all(true);
            }
            Err(trouble) => self.tell(Trouble::NoControl(format!("{session}: {trouble}"))),
        }
    }

    fn begin(&mut self, listed: &Listed) {
        let Some(link) = self.sessions.get(&listed.session.1).cloned() else { return };
        if self.panes.contains_key(&listed.pane) {
            return;
        }
        let around =
            Surroundings { host: Arc::clone(&self.host), board: Arc::clone(&self.board), link, mode: self.order.mode };
        let (wake, wakes) = mpsc::channel(1);
        let _ = wake.try_send(());
        self.panes.insert(listed.pane, Waker { wake, session: listed.session.1.clone(), pid: listed.pid });
        let followed = Followed::new(around, self.socket.clone(), listed);
        self.followed.spawn(followed.follow(wakes));
    }
}
