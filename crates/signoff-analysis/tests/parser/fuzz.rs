//! The fuzz target of the parser. In `cargo test` it runs for a moment; `cargo bolero test fuzz::any_text_is_read` runs it
//! under a fuzzing engine.

use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::lister;

#[test]
fn any_text_is_read() {
    bolero::check!().with_iterations(3000).with_max_len(400).for_each(|bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
            let arena = Arena::new();
            let script = parse(&text, dialect, &Limits::default(), &arena);
            // Every name is a stretch of the text, cut on the borders of characters.
            assert!(lister::names(&script, &text).iter().all(|name| name != "?" || text.contains('?')));
            for error in script.errors {
                assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
            }
        }
    });
}
