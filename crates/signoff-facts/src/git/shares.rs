//! Work on many things, shared out among the processors. Asking the system about each of thousands takes longer than
//! anything else, and the system answers several threads at once.

use std::{
    slice,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// More threads than this gain nothing, as git itself holds it.
const THREADS_AT_MOST: usize = 4;
/// Each of them takes a share so often: nobody knows which processor is busy with something else.
const SHARES: usize = 8;

/// Shares that nobody has taken yet.
pub(super) struct Shares<'s, T> {
    things: &'s [T],
    length: usize,
    taken: &'s AtomicUsize,
}

impl<'s, T> Iterator for Shares<'s, T> {
    type Item = slice::Iter<'s, T>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.taken.fetch_add(self.length, Ordering::Relaxed);
        let behind = self.things.get(start..)?;
        let share = behind.get(..self.length).unwrap_or(behind);
        (!share.is_empty()).then(|| share.iter())
    }
}

/// Has all of many things worked on, and gives what each thread has made of its shares; none if one of them gave none. Below
/// so many things, or where no thread can be started, this one does all of it.
pub(super) fn shared_out<T: Sync, R: Send>(
    things: &[T],
    many: usize,
    work: impl Fn(Shares<'_, T>) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let threads = match thread::available_parallelism() {
        Ok(cores) if things.len() >= many => cores.get().min(THREADS_AT_MOST),
        _ => 1,
    };
    let taken = AtomicUsize::new(0);
    let length = things.len().div_ceil(threads * SHARES).max(1);
    let work = &|| work(Shares { things, length, taken: &taken });
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let started: Vec<_> = (1..threads).filter_map(start).collect();
        let own = work();
        let others = started.into_iter().map(|thread| thread.join().ok()?);
        std::iter::once(own).chain(others).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::shared_out;

    #[test]
    fn everything_is_worked_on_once() {
        for count in [0, 1, 2, 31, 32, 33, 1_000] {
            let things: Vec<usize> = (0..count).collect();
            let parts = shared_out(&things, 3, |shares| Some(shares.flatten().copied().collect::<Vec<_>>()));
            let mut all: Vec<usize> = parts.unwrap().into_iter().flatten().collect();
            all.sort_unstable();
            assert_eq!(all, things);
        }
    }

    #[test]
    fn what_one_cannot_tell_nobody_tells() {
        let things: Vec<usize> = (0..1_000).collect();
        assert_eq!(
            shared_out(&things, 3, |mut shares| shares.all(|mut share| share.all(|n| *n < 999)).then_some(())),
            None
        );
    }
}
