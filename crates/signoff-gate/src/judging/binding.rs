//! What a yes is bound to: everything that was looked at, as digests. Whoever looks again later and finds the same gets the
//! same ones; whatever differs is another thing than the one that was shown (law 3).

use std::collections::BTreeMap;

use signoff_facts::Question;
use signoff_model::{Binding, Digest};

use super::Look;

/// What whoever runs an operation says about what surrounds it there. It is not believed, but held to: something else at the
/// time of running makes the yes stale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The variables of its environment that matter.
    pub environment: BTreeMap<String, String>,
    /// The schema of the tool.
    pub schema: Option<String>,
}

impl Surroundings {
    /// What tells these from all others. The values themselves may be secret, and are not kept.
    pub fn digest(&self) -> Digest {
        digest_of("surroundings", self)
    }
}

impl Look {
    /// What a yes to this is bound to.
    pub fn binding(&self, surroundings: Digest) -> Binding {
        let Self { judged, evidence, whereabouts, policy } = self;
        let (of_operation, of_preview): (Vec<_>, Vec<_>) =
            evidence.answers().partition(|(question, _)| is_of_operation(question));
        Binding {
            operation: digest_of(
                "operation",
                &(&judged.operation, &whereabouts.cwd, &whereabouts.project, surroundings, of_operation),
            ),
            preview: digest_of("preview", &(&judged.assessment, &judged.judgement, of_preview)),
            policy: policy.digest(),
        }
    }
}

/// Whether an answer is about what would run, and not about what would be lost.
const fn is_of_operation(question: &Question) -> bool {
    match question {
        Question::Ground(_) | Question::Text(_) | Question::Follow(_) | Question::Arriving(_) => true,
        Question::Names(_)
        | Question::Links(_)
        | Question::Matches { .. }
        | Question::Stock(_)
        | Question::Discarded { .. }
        | Question::Overlaid(_) => false,
    }
}

/// The digest of a value. Its text for developers quotes every string in it, so that no two values have the same; it differs
/// between versions of the program, and then so does the digest: what another version has asked is asked again.
fn digest_of(domain: &str, value: &impl std::fmt::Debug) -> Digest {
    Digest::of(format!("signoff {} {domain}\n{value:?}", env!("CARGO_PKG_VERSION")).as_bytes())
}
