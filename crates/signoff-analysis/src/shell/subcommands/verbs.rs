//! What the word of a subcommand says as a verb.

use crate::{
    lexicon::{self, Meaning},
    words::Words,
};

/// What a verb says about a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// It looks at something.
    Reads,
    /// It changes something.
    Changes,
    /// It takes something away.
    Destroys,
    /// It names something that one looks at.
    Mentions,
}

// What administration tools say besides the verbs that mean the same everywhere. Their words are orders, so `down`,
// `stop` and `up` count, and a word such as `login` or `connect` changes something.
static READS: Words<64> = Words::new(
    "wait estimate simulate top filter select detect discover decode print download fetch ping stat du cat \
    calculate suggest exists details summary browse dashboard analyze ps doctor diagnose display",
);

/// Words that name what is looked at; as the only verb they mean looking, beside another verb they mean nothing.
static READ_NOUNS: Words<128> = Words::new(
    "log history usage docs doc completion events versions regions metrics monitor env examples schema test \
    about locations report audit options can who trace tree graph open types sizes quota pricing templates \
    available health outputs output watch",
);

static DESTROYS: Words<32> =
    Words::new("deregister undeploy rb rmi clear clean decommission abandon teardown down rollback");

static CHANGES: Words<256> = Words::new(
    "release detach stop run invoke disable cp mv untag associate disassociate authorize revoke allow deny \
    failover export call exec ssh connect login suspend resume cancel execute unset build launch rebuild \
    request initialize mb unlink switch use bind unbind map unmap increase decrease allocate swap undelete \
    shutdown poweroff power snapshot backup clone redeploy trigger abort pause unpause config logout sign \
    issue join leave drain cordon taint assume batch bulk post replicate rekey seal up reload reconfigure \
    purchase subscribe unsubscribe extend renew stage rollout invalidate confirm notify format load lease \
    demote toggle flip refund invite ban unban kick",
);

/// What a word says as a verb: by its first part, as in `describe-instances` and `DescribeInstances`, or else by its
/// last, as in `clusters-list`.
pub fn verb(word: &str) -> Option<Verb> {
    const AT_THE_END: &[&str] =
        &["list", "view", "show", "get", "info", "delete", "create", "update", "remove", "rm", "add", "inspect"];
    let parts = || word.split(['-', ':', '_']).filter(|part| !part.is_empty());
    let first = parts().next()?;
    let head = first_hump(first);
    if matches!(head, "batch" | "bulk" | "Batch")
        && let Some(found) = parts().nth(1).and_then(read_part)
    {
        return Some(found);
    }
    // A verb that ruins is one wherever it stands.
    let ends = |last: &&str| AT_THE_END.contains(last) || lexicon::meaning(last) == Some(Meaning::Ruins);
    read_part(head).or_else(|| parts().next_back().filter(ends).and_then(read_part))
}

/// The part of a word in camel case before its second hump.
fn first_hump(word: &str) -> &str {
    let end =
        word.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_uppercase()).map_or(word.len(), |(at, _)| at);
    if word.starts_with(|letter: char| letter.is_ascii_uppercase()) { word.get(..end).unwrap_or(word) } else { word }
}

fn read_part(part: &str) -> Option<Verb> {
    let part = part.to_ascii_lowercase();
    match lexicon::meaning(&part) {
        Some(Meaning::Looks) => return Some(Verb::Reads),
        Some(Meaning::Ruins | Meaning::Removes) => return Some(Verb::Destroys),
        Some(Meaning::Publishes | Meaning::Sends | Meaning::Changes) => return Some(Verb::Changes),
        None => {}
    }
    if READS.holds(&part) {
        Some(Verb::Reads)
    } else if DESTROYS.holds(&part) {
        Some(Verb::Destroys)
    } else if CHANGES.holds(&part) {
        Some(Verb::Changes)
    } else if READ_NOUNS.holds(&part) {
        Some(Verb::Mentions)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Verb, verb};

    #[test]
    fn verbs_are_found_in_all_their_spellings() {
        for (word, expected) in [
            ("describe-instances", Some(Verb::Reads)),
            ("DescribeInstances", Some(Verb::Reads)),
            ("clusters-list", Some(Verb::Reads)),
            ("batch-get-item", Some(Verb::Reads)),
            ("batch-write-item", Some(Verb::Changes)),
            ("TerminateInstances", Some(Verb::Destroys)),
            ("instances", None),
        ] {
            assert_eq!(verb(word), expected, "{word}");
        }
    }
}
