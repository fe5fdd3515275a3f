//! The ledger as lines of JSON, with its checkpoints among them, and what can be told of such lines by whoever has nothing but
//! the gate's public key.
//!
//! Each line has one spelling. An entry is `{"number":…,"at":…,"approval":…,"body":…,"digest":…}`, and behind the entry that it
//! is about stands `{"checkpoint":"sgc1.…"}`. Where old entries were removed, it begins with `{"beginning":"sgb1.…"}`.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Read},
};

use serde::{Deserialize, Serialize};
use signoff_gate::Item;
use signoff_model::{ApprovalId, Digest, LedgerEntry, Timestamp};
use signoff_permit::{Checkpoint, CheckpointError, VerifierKey};

use crate::{
    chain::{Broken, verify},
    pages::Pages,
    pruning::PRUNED,
    story::Story,
    wire::told,
};

/// So many entries are read at a time. Each may be as long as a store keeps them.
const PAGE: u32 = 64;

/// So many checkpoints are read at a time.
const CHECKPOINTS_PAGE: u32 = 1_000;

/// No line is longer: a store keeps no entry that would make one.
const LINE_AT_MOST: usize = 4 * 1_024 * 1_024;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    number: u64,
    at: i64,
    approval: Option<String>,
    body: String,
    digest: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CheckpointLine {
    checkpoint: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BeginningLine {
    beginning: String,
}

/// A ledger on its way out, piece by piece: however long it is, little of it is in memory.
pub struct Export<'p, P: Pages + ?Sized> {
    pages: &'p P,
    /// The entry that was given last.
    after: u64,
    /// The checkpoint that was read last.
    read: Option<String>,
    /// Checkpoints that were read and not given yet, with the numbers of their entries.
    waiting: VecDeque<(u64, String)>,
    /// Whether there may be more of them.
    rest: Rest,
    /// Whether it was looked where the ledger begins.
    begun: Begun,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Begun {
    Yes,
    No,
}

/// Whether what was read of the checkpoints is all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Read,
    Unread,
}

impl<'p, P: Pages + ?Sized> Export<'p, P> {
    /// An export from the first entry on.
    pub fn new(pages: &'p P) -> Self {
        Self { pages, after: 0, read: None, waiting: VecDeque::new(), rest: Rest::Unread, begun: Begun::No }
    }

    /// The next lines, each with its end. None behind the last one.
    pub async fn next(&mut self) -> Result<Option<String>, P::Error> {
        let mut lines = String::new();
        if self.begun == Begun::No {
            self.push_beginning(&mut lines).await?;
        }
        // Checkpoints first: whatever entry one of these is about has been there before it.
        if self.waiting.is_empty() {
            self.read_checkpoints().await?;
        }
        let mut entries = self.pages.entries(self.after, PAGE).await?;
        if entries.first().is_some_and(|entry| entry.number != self.after.saturating_add(1)) {
            // What would have come next may have been removed since the last look.
            if self.push_beginning(&mut lines).await? {
                entries = self.pages.entries(self.after, PAGE).await?;
            }
        }
        self.push_fitting(&mut lines);
        if entries.is_empty() {
            // What is left is about entries that are gone, which is for whoever reads it to see.
            self.waiting.drain(..).for_each(|(_, text)| push_checkpoint(&mut lines, text));
        }
        for (at, entry) in entries.into_iter().enumerate() {
            if at > 0 && entry.number != self.after.saturating_add(1) {
                // The next look says whether that was removed.
                break;
            }
            self.after = entry.number;
            push_entry(&mut lines, entry);
            self.push_fitting(&mut lines);
            if self.waiting.is_empty() && self.rest == Rest::Unread {
                // There may be one about the very next entry.
                break;
            }
        }
        Ok((!lines.is_empty()).then_some(lines))
    }

    /// Goes on behind the beginning of the ledger, if it begins behind what was given last.
    async fn push_beginning(&mut self, lines: &mut String) -> Result<bool, P::Error> {
        self.begun = Begun::Yes;
        let Some(Item { name, text }) = self.pages.beginning().await? else { return Ok(false) };
        let number = name.parse().unwrap_or_default();
        if number <= self.after {
            return Ok(false);
        }
        push(lines, &BeginningLine { beginning: text });
        self.after = number;
        Ok(true)
    }

    /// Gives the checkpoint of the entry that was given last. One that was made when its entry was gone by already is left to
    /// the next export.
    fn push_fitting(&mut self, lines: &mut String) {
        while let Some((number, text)) = self.waiting.pop_front_if(|(number, _)| *number <= self.after) {
            if number == self.after {
                push_checkpoint(lines, text);
            }
        }
    }

    async fn read_checkpoints(&mut self) -> Result<(), P::Error> {
        let read: Vec<Item> = self.pages.checkpoints(self.read.as_deref(), CHECKPOINTS_PAGE).await?;
        let full = usize::try_from(CHECKPOINTS_PAGE).is_ok_and(|page| read.len() >= page);
        self.rest = if full { Rest::Unread } else { Rest::Read };
        if let Some(last) = read.last() {
            self.read = Some(last.name.clone());
        }
        // One with a name that is no number is given at the end: it fits nowhere.
        self.waiting.extend(read.into_iter().map(|item| (item.name.parse().unwrap_or(u64::MAX), item.text)));
        Ok(())
    }
}

fn push_entry(lines: &mut String, entry: LedgerEntry) {
    let LedgerEntry { number, at, approval, body, digest } = entry;
    let approval = approval.map(|id| id.to_string());
    push(lines, &EntryLine { number, at: at.millis(), approval, body, digest: digest.to_string() });
}

fn push_checkpoint(lines: &mut String, checkpoint: String) {
    push(lines, &CheckpointLine { checkpoint });
}

fn push(lines: &mut String, line: &impl Serialize) {
    lines.push_str(&spelled(line));
    lines.push('\n');
}

fn spelled(line: &impl Serialize) -> String {
    // Texts and numbers: there is nothing in it that JSON cannot say.
    serde_json::to_string(line).unwrap_or_default()
}

/// What is certain of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The place behind which it begins: the gate has removed everything up to there, and signed that it has. None for a ledger
    /// from its first entry on.
    pub begins: Option<Checkpoint>,
    /// The number of the last entry. All from the first one on follow on each other, or on the beginning.
    pub last: u64,
    /// The last checkpoint. Up to its entry, everything is as the gate has signed it. What stands behind it follows on it, and
    /// nobody can tell whether there was more, or whether it was written by somebody else. Where there is none, that is true of
    /// all entries.
    pub up_to: Option<Checkpoint>,
}

/// The first thing that is wrong with an export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {flaw}")]
pub struct Flawed {
    /// The line in which it shows, from one on.
    pub line: u64,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What is wrong with a line of an export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// An entry is missing or was changed, or a checkpoint does not fit what stands before it.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// A checkpoint that counts for nothing.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It is not spelled as an export is.
    #[error("this is no line of an export; entry {expected} should have come")]
    NoLine {
        /// The number of the entry that should have come.
        expected: u64,
    },
    /// A beginning that is before what stands above it.
    #[error("the ledger does not begin behind entry {number}")]
    Beginning {
        /// The entry that it is said to begin behind.
        number: u64,
    },
    /// No entry tells of what was removed, though the gate has written one together with it: the end is missing.
    #[error("the entry is missing that tells of the removal up to entry {number}")]
    Untold {
        /// The last entry that was removed.
        number: u64,
    },
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unread(String),
}

/// Checks an export against the keys that the gate has had, without asking anybody: that it is what was written, and that what it
/// tells can have happened. However long it is, one line of it is in memory, and the names of what is open there.
pub fn verify_export(mut lines: impl BufRead, keys: &[VerifierKey]) -> Result<Verified, Flawed> {
    let mut verifier = Verifier::new(keys);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read =
            read_line(&mut lines, &mut line).map_err(|error| verifier.flawed(Flaw::Unread(error.to_string())))?;
        if read == 0 {
            return verifier.end();
        }
        verifier.line(&line)?;
    }
}

/// Somebody who checks an export line by line.
pub struct Verifier<'k> {
    keys: &'k [VerifierKey],
    /// So many lines were looked at.
    lines: u64,
    head: Option<(u64, Digest)>,
    verified: Verified,
    /// The last entry that was removed, with its digest, as long as no entry was read that tells of it.
    untold: Option<(u64, Digest)>,
    story: Story,
}

impl<'k> Verifier<'k> {
    /// Somebody who knows the keys that the gate has had, before the first line.
    pub const fn new(keys: &'k [VerifierKey]) -> Self {
        let verified = Verified { begins: None, last: 0, up_to: None };
        Self { keys, lines: 0, head: None, verified, untold: None, story: Story::new() }
    }

    /// Looks at the next line.
    pub fn line(&mut self, line: &[u8]) -> Result<(), Flawed> {
        let text = line.trim_ascii();
        if !text.is_empty() {
            self.check(text).map_err(|flaw| self.flawed(flaw))?;
        }
        self.lines = self.lines.saturating_add(1);
        Ok(())
    }

    /// What is certain once all lines were looked at.
    pub fn end(self) -> Result<Verified, Flawed> {
        match self.untold {
            Some((number, _)) => Err(self.flawed(Flaw::Untold { number })),
            None => Ok(self.verified),
        }
    }

    /// Checks one line behind those before it.
    fn check(&mut self, line: &[u8]) -> Result<(), Flaw> {
        let expected = self.head.map_or(0, |(number, _)| number).saturating_add(1);
        let no_line = || Flaw::NoLine { expected };
        let text = str::from_utf8(line).map_err(|_| no_line())?;
        if text.starts_with("{\"checkpoint\":") {
            let CheckpointLine { checkpoint } = parsed(text).ok_or_else(no_line)?;
            let checkpoint = signed(self.keys, |key| key.checkpoint(&checkpoint))?;
            if self.head != Some((checkpoint.number, Digest::from_bytes(checkpoint.digest))) {
                return Err(Broken::Checkpoint { number: checkpoint.number }.into());
            }
            self.verified.up_to = Some(checkpoint);
            return Ok(());
        }
        if text.starts_with("{\"beginning\":") {
            let BeginningLine { beginning } = parsed(text).ok_or_else(no_line)?;
            return self.begin(signed(self.keys, |key| key.beginning(&beginning))?);
        }
        let entry = parsed(text).and_then(entry_of).ok_or_else(no_line)?;
        self.head = verify(self.head, [&entry])?;
        self.story.entry(&entry)?;
        self.verified.last = entry.number;
        if self.untold.is_some() && self.untold == removed(&entry) {
            self.untold = None;
        }
        Ok(())
    }

    /// Goes on behind a beginning. One in the middle was made while the export was: what is between them is gone as well.
    fn begin(&mut self, place: Checkpoint) -> Result<(), Flaw> {
        if self.head.is_some_and(|(number, _)| number >= place.number) {
            return Err(Flaw::Beginning { number: place.number });
        }
        self.head = Some((place.number, Digest::from_bytes(place.digest)));
        self.untold = self.head;
        self.story.goes_on_behind_a_beginning();
        self.verified = Verified { begins: Some(place), last: place.number, up_to: Some(place) };
        Ok(())
    }

    fn flawed(&self, flaw: Flaw) -> Flawed {
        Flawed { line: self.lines.saturating_add(1), flaw }
    }
}

fn read_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let at_most = u64::try_from(LINE_AT_MOST).unwrap_or(u64::MAX);
    lines.take(at_most).read_until(b'\n', line)
}

/// The last of the entries whose removal an entry tells of.
fn removed(entry: &LedgerEntry) -> Option<(u64, Digest)> {
    // Most entries are about something else, which is not read for it.
    let told = entry.body.contains(PRUNED).then(|| told(&entry.body)).flatten().filter(|told| told.what == PRUNED)?;
    Some((told.details.get("to")?.parse().ok()?, Digest::parse(told.details.get("digest")?)?))
}

/// What a line says, if that is how it is spelled: no two texts say the same.
fn parsed<L: for<'l> Deserialize<'l> + Serialize>(text: &str) -> Option<L> {
    let line = serde_json::from_str(text).ok()?;
    (spelled(&line) == text).then_some(line)
}

fn entry_of(line: EntryLine) -> Option<LedgerEntry> {
    let EntryLine { number, at, approval, body, digest } = line;
    let approval = match approval {
        Some(id) => Some(ApprovalId::parse(&id)?),
        None => None,
    };
    Some(LedgerEntry { number, at: Timestamp::from_millis(at), approval, body, digest: Digest::parse(&digest)? })
}

/// What a statement says, by whichever key it was signed with.
fn signed(
    keys: &[VerifierKey],
    read: impl Fn(&VerifierKey) -> Result<Checkpoint, CheckpointError>,
) -> Result<Checkpoint, CheckpointError> {
    let mut known = Err(CheckpointError::OtherKey);
    for key in keys {
        known = read(key);
        if known != Err(CheckpointError::OtherKey) {
            break;
        }
    }
    known
}
