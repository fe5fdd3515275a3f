//! What a yes is bound to: everything that was looked at, as digests. Whoever looks again later and finds the same gets the
//! same ones; whatever differs is another thing than the one that was shown (law 3).

use std::collections::BTreeMap;

use signoff_facts::Question;
use signoff_model::{Aspect, Binding, Digest, Rest};

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

impl Look {
    /// What it rests on beside what would be lost, so that it can be told later which of it is another one. What is counted is told
    /// by what would be lost.
    pub fn rests(&self) -> Vec<Rest> {
        let answers = self.evidence.answers().filter_map(|(question, answer)| {
            let (aspect, about) = match question {
                Question::Ground(path) => (Aspect::Directory, path),
                Question::Text(path) | Question::Arriving(path) => (Aspect::Content, path),
                Question::Follow(path) => (Aspect::Link, path),
                Question::Names(path) => (Aspect::Listing, path),
                Question::Links(path) => (Aspect::Names, path),
                Question::Matches { pattern, .. } => (Aspect::Matches, pattern),
                Question::Stock(_) | Question::Discarded { .. } | Question::Overlaid(_) => return None,
            };
            Some(Rest { aspect, about: about.clone(), digest: Digest::from_bytes(*answer) })
        });
        let preview = self.judged.assessment.preview.iter();
        let texts = preview.flat_map(|preview| &preview.changes).map(|change| {
            let digest = digest_of("change", change);
            Rest { aspect: Aspect::Text, about: change.path.clone(), digest }
        });
        let mut room = RESTS_KEPT;
        let fits = |rest: &Rest| {
            // The digest is kept as text.
            let wanted = rest.about.len().saturating_add(100);
            room.checked_sub(wanted).inspect(|left| room = *left).is_some()
        };
        answers.chain(texts).take_while(fits).collect()
    }
}

/// So many bytes of it are kept beside a question.
const RESTS_KEPT: usize = 32 * 1024;

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
