//! What builds make again, as far as a name tells it.

use std::path::Path;

use signoff_analysis::{
    facts::Whereabouts,
    place::{Nature, Place},
};

/// Whether builds are known to make what stands at a path, by its name; by less of a name where git has to agree.
pub(crate) fn is_built(path: &Path, whereabouts: &Whereabouts, git_agrees: bool) -> bool {
    path.to_str().is_some_and(|path| {
        let place = Place::exactly(path.to_owned(), whereabouts);
        matches!(place.nature, Nature::Rebuilt | Nature::Cache) || git_agrees && calls_itself_cache(place.file_name())
    })
}

/// Whether a name has the word in it. Alone it would prove as little as being ignored does.
fn calls_itself_cache(name: &str) -> bool {
    name.split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| word.eq_ignore_ascii_case("cache") || word.eq_ignore_ascii_case("caches"))
}
