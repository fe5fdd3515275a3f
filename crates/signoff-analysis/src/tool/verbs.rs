//! The words of a tool's name: what they say it does.

use crate::{
    lexicon::{self, Meaning, words},
    words::{Words, is_listed},
};

/// What the name of a tool says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It looks.
    Reads,
    /// It changes or makes something.
    Changes,
    /// It takes something away.
    Destroys,
    /// It sends, publishes or pays.
    Sends,
    /// It runs something.
    Runs,
    /// It hands out secrets.
    Secrets,
    /// Nothing.
    Unknown,
}

// What the name of a tool says besides the verbs that mean the same everywhere. A tool acts in an application, for an
// account: `close`, `ban` and `cancel` take something away there, and `click` or `vote` change something.

/// Words that say it wherever they stand.
static DESTROYS: Words<64> = Words::new(
    "clear revoke unlink discard expunge shred detach ban kick overwrite stop shutdown disable cancel abort \
    close rollback revert evict drain cordon force",
);
static SENDS: Words<64> = Words::new(
    "charge refund purchase buy checkout invite tweet dispatch notify reply withdraw mint trade swap donate \
    subscribe dm forward",
);
static CHANGES: Words<128> = Words::new(
    "upsert append save store mark toggle increment click press fill drag hover_click tap swipe type keyboard \
    mouse decline reopen rebase commit fork mutate unarchive unlabel pin unpin vote react complete finish \
    transition mute unmute silence snooze acknowledge escalate dismiss suspend pause follow unfollow \
    bookmark impersonate takeover",
);
static RUNS: Words<32> = Words::new(
    "execute exec eval evaluate invoke spawn shell bash terminal script javascript python powershell cmd repl",
);
static SECRETS: Words<64> = Words::new(
    "secret secrets password passwords passphrase credential credentials apikey privatekey token tokens otp totp reveal unseal decrypt",
);

/// Words that are verbs in front and things elsewhere: they count only where nothing says that the tool looks.
static WEAK: Words<128> = Words::new(
    "post message email mail release order book comment share schedule trigger run archive star sign call \
    request query process handle manage action perform do use issue ticket booking event job task build \
    workflow pipeline convert",
);
static READS: Words<256> = Words::new(
    "fetch summarize summarise analyze analyse ping browse screenshot snapshot wait think thinking log \
    history glob grep tree stat retrieve test tests typecheck format compile calculate compute parse ask \
    todo todoread todowrite docs documentation schema schemas metrics trace monitor watch audit navigate \
    scroll hover back select exists is has download dashboard report weather time date now translate suggest \
    recommend autocomplete outline symbols definition references diagnostics blame graph topology health \
    aggregate sequentialthinking messages requests errors results",
);

/// Judges a name by its words.
pub(super) fn judge(name: &str) -> Judgement {
    let words = words(tool_part(name));
    let has = |says: fn(&str) -> bool| words.iter().any(|word| says(word));
    if has(destroys) {
        return Judgement::Destroys;
    }
    if has(sends) {
        return Judgement::Sends;
    }
    if has(|word| RUNS.holds(word)) {
        return Judgement::Runs;
    }
    if has(|word| SECRETS.holds(word)) {
        // Counting tokens of a text is nothing secret; fetching a token is.
        let counts =
            words.iter().any(|word| matches!(word.as_str(), "count" | "list" | "estimate" | "limit" | "usage"));
        if !counts {
            return Judgement::Secrets;
        }
    }
    if has(changes) {
        return Judgement::Changes;
    }
    // A name or a conflict is resolved by looking; what somebody is waiting for is settled by it.
    const SETTLED: &str = "issue issues incident incidents alert alerts thread threads comment comments conversation ticket tickets case review discussion";
    if matches!(words.as_slice(), [.., verb, thing] if verb == "resolve" && is_listed(SETTLED, thing)) {
        return Judgement::Changes;
    }
    // Many interfaces take a search by POST.
    let asked = words.iter().any(|word| word == "post")
        && words.last().is_some_and(|last| matches!(last.as_str(), "query" | "search"));
    if has(|word| reads(word) && !WEAK.holds(word)) || asked || words.first().is_some_and(|first| reads(first)) {
        return Judgement::Reads;
    }
    if has(|word| WEAK.holds(word)) { Judgement::Changes } else { Judgement::Unknown }
}

fn destroys(word: &str) -> bool {
    matches!(lexicon::meaning(word), Some(Meaning::Ruins | Meaning::Removes)) || DESTROYS.holds(word)
}

fn sends(word: &str) -> bool {
    matches!(lexicon::meaning(word), Some(Meaning::Publishes | Meaning::Sends)) || SENDS.holds(word)
}

fn changes(word: &str) -> bool {
    lexicon::meaning(word) == Some(Meaning::Changes) || CHANGES.holds(word)
}

fn reads(word: &str) -> bool {
    lexicon::meaning(word) == Some(Meaning::Looks) || READS.holds(word)
}

/// The name of the tool itself, without the server's.
pub(super) fn tool_part(name: &str) -> &str {
    let name = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or(name, |(_, tool)| tool);
    name.rsplit(['.', '/', ':']).next().unwrap_or(name)
}
