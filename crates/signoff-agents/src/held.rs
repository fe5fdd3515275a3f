//! What is held while people decide, and the question that it has raised.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;

use crate::door::Door;

/// Something that is held.
#[derive(Default)]
pub struct Held(Mutex<Standing>);

#[derive(Default)]
struct Standing {
    /// The question that it has raised, and where.
    question: Option<(Arc<Door>, String)>,
    /// Why nobody waits for it any more.
    taken_back: Option<&'static str>,
}

impl Held {
    /// It has raised a question. Where it was taken back before that was known, so is the question.
    pub fn has_raised(&self, door: &Arc<Door>, id: &str) {
        let mut standing = self.standing();
        let (door, id) = (Arc::clone(door), id.to_owned());
        match standing.taken_back {
            Some(words) => drop(tokio::spawn(async move { door.withdraw(&id, words).await })),
            None => standing.question = Some((door, id)),
        }
    }

    /// Takes it back, and with it the question, where one was raised or will be.
    pub async fn take_back(&self, words: &'static str) {
        let question = {
            let mut standing = self.standing();
            standing.taken_back = Some(words);
            standing.question.take()
        };
        if let Some((door, id)) = question {
            door.withdraw(&id, words).await;
        }
    }

    /// Whether nobody waits for it any more.
    pub fn is_taken_back(&self) -> bool {
        self.standing().taken_back.is_some()
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes all of them back, at once.
pub async fn take_all_back(all: Vec<Arc<Held>>, words: &'static str) {
    let mut taken: JoinSet<()> = all.into_iter().map(|held| async move { held.take_back(words).await }).collect();
    while taken.join_next().await.is_some() {}
}
