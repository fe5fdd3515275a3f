//! A way to a server of tmux: a client that stays, or one process after the other as long as that is not to be had.

use std::sync::{Arc, PoisonError, RwLock};

use super::{call::Socket, command::List, control::Control, exchange::Trouble, protocol::Block};

/// The way. All copies of it are the same way: whoever follows a pane keeps what it knows when a client goes and another one comes.
#[derive(Clone)]
pub struct Link {
    socket: Socket,
    control: Arc<RwLock<Option<Arc<Control>>>>,
}

impl Link {
    /// A way by a process for each list.
    pub fn new(socket: Socket) -> Self {
        Self { socket, control: Arc::default() }
    }

    /// From now on a client stands for it, or none.
    pub fn is_through(&self, control: Option<Arc<Control>>) {
        *self.control.write().unwrap_or_else(PoisonError::into_inner) = control;
    }

    /// Whether a client stands for it, which tells by itself what changes.
    pub fn tells(&self) -> bool {
        self.client().is_some()
    }

    fn client(&self) -> Option<Arc<Control>> {
        self.control.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs commands, one behind the other, with nothing in between.
    ///
    /// # Errors
    ///
    /// When one of them fails, or tmux does not answer. Then nobody knows whether they were run.
    pub async fn run(&self, list: &List) -> Result<Vec<Block>, Trouble> {
        match self.client() {
            Some(control) => control.run(list).await,
            None => self.socket.run(list).await,
        }
    }
}
