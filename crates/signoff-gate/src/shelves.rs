//! Reading along a shelf. Most shelves hold a few things, which a store reads at once; for many it has somebody wait.

use crate::{Item, Store, StoreError};

/// So many things a store reads at once.
const A_FEW: u32 = 64;

/// The things on a shelf behind this name whose names begin with it, so many at most.
pub(crate) async fn below(
    store: &dyn Store,
    shelf: &'static str,
    name: &str,
    at_most: u32,
) -> Result<Vec<Item>, StoreError> {
    read(store, shelf, Some(name), at_most, |item| item.name.starts_with(name)).await
}

/// All things on a shelf, so many at most.
pub(crate) async fn all(store: &dyn Store, shelf: &'static str, at_most: u32) -> Result<Vec<Item>, StoreError> {
    read(store, shelf, None, at_most, |_| true).await
}

/// A few at a time, as long as they belong to what is wanted.
async fn read(
    store: &dyn Store,
    shelf: &'static str,
    after: Option<&str>,
    at_most: u32,
    belongs: impl Fn(&Item) -> bool,
) -> Result<Vec<Item>, StoreError> {
    let mut found: Vec<Item> = Vec::new();
    let mut left = at_most;
    while left > 0 {
        let wanted = left.min(A_FEW);
        let after = found.last().map(|last| last.name.as_str()).or(after);
        let page = store.items(shelf, after, wanted).await?;
        let there = u32::try_from(page.len()).unwrap_or(u32::MAX);
        let before = found.len();
        found.extend(page.into_iter().take_while(|item| belongs(item)));
        if there < wanted || found.len() - before < usize::try_from(there).unwrap_or(usize::MAX) {
            break;
        }
        left -= wanted;
    }
    Ok(found)
}
