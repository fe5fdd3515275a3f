//! Decisions that were made without the gateway, on their way into the ledger. Whoever lets something harmless pass by itself adds
//! a line to a file and goes on; the gateway takes the files in later.
//!
//! Nobody is believed more than their word: an entry says who has told it, which the owner of the file says and not the line, and so
//! that the gate has not seen it. What it tells is masked and cut here once more, whoever has written it: nobody has to be honest.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};
use signoff_gate::{Change, Store, StoreError, redaction::Redacted};
use signoff_model::{Actor, AgentId, Deed, PersonId, Requester, Risk, SessionId};

/// A file that is longer takes no more lines.
const FILE_AT_MOST: u64 = 8 * 1024 * 1024;
/// A line that is longer is none.
const LINE_AT_MOST: usize = 64 * 1024;
/// So many times somebody tries to add a line to a file that is held.
const TRIES: usize = 20;
/// So many lines go into the ledger together.
const AT_ONCE: usize = 512;
/// So many lines of one user are taken in at a time: whatever they have piled up, the gate has time for others in between.
const A_ROUND: usize = 4 * AT_ONCE;
/// And so many bytes of them, which is three times as much as that many usual ones.
const BYTES_A_ROUND: usize = 2 * 1024 * 1024;
/// So many rules are told, and no longer names of them.
const RULES_AT_MOST: usize = 64;
const RULE_AT_MOST: usize = 128;
/// The shelf that says how far a file was taken in, for whoever dies between that and its end.
const SHELF: &str = "spool";
/// What the name of a file begins with that is being taken in.
const TAKEN: &str = "taking-";

/// What can be said in a line: whoever runs something by themselves lets it pass or does not, asks whoever sits at the terminal, refuses what
/// nobody could be asked about, or leaves it to the dialog of an agent's own client.
const WHAT: [&str; 6] =
    ["allowed", "blocked", "approved-at-terminal", "denied-at-terminal", "refused", "asked-at-client"];

/// A decision that was made without the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spooled {
    /// When, in milliseconds since 1970, by the clock of whoever says so.
    pub at: i64,
    /// What: allowed, blocked, approved-at-terminal, denied-at-terminal; refused, where nobody was or could be asked; asked-at-client,
    /// where the agent asks its user by itself.
    pub what: String,
    /// Which agent wanted it.
    pub agent: String,
    /// In which session.
    pub session: String,
    /// Whatever else is worth knowing, by name. Nothing in it is secret.
    pub details: Vec<(String, String)>,
}

impl Spooled {
    fn deed(self, teller: &Teller) -> Option<Deed> {
        let what = WHAT.into_iter().find(|said| *said == self.what)?;
        let (agent, session) = (AgentId::new(self.agent).ok()?, SessionId::new(self.session).ok()?);
        let by = Actor::Agent(Requester { agent, session, owner: teller.person.clone() });
        let said = |name: &str| self.details.iter().find(|(said, _)| said == name).map(|(_, value)| value.as_str());
        let count = |name: &str| said(name).and_then(|count| count.parse::<u32>().ok()).unwrap_or_default() as usize;
        let mut details = Vec::new();
        if let Some(text) = said("text") {
            let Redacted { text, masked, cut } = Redacted::of_text(text);
            // What is masked already is found again, and not counted twice.
            let (masked, cut) = (masked.max(count("masked")), cut.saturating_add(count("cut")));
            details.extend(Redacted { text, masked, cut }.details());
        }
        details.extend(said("directory").map(|directory| ("directory", Redacted::of_text(directory).text)));
        details.extend(said("why").map(|why| ("why", Redacted::of_text(why).text)));
        let risk = Risk::ALL.into_iter().find(|risk| said("risk") == Some(risk.name()));
        details.extend(risk.map(|risk| ("risk", risk.name().to_owned())));
        let rules: Vec<&str> = said("rules").unwrap_or_default().split(' ').filter(|rule| is_rule(rule)).collect();
        details.push(("rules", rules.get(..RULES_AT_MOST).unwrap_or(&rules).join(" ")));
        details.push(("spooled-at", self.at.to_string()));
        details.push(("told-by", format!("{} (uid {})", teller.person, teller.uid)));
        Some(Deed { what, by, approval: None, details })
    }
}

/// Whether this could be the name of a rule.
fn is_rule(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '/');
    !name.is_empty() && name.len() <= RULE_AT_MOST && name.chars().all(plain)
}

/// Whose file it is: the system says so.
#[derive(Clone, Debug)]
struct Teller {
    uid: u32,
    person: PersonId,
}

/// How much of one user is taken in at a time.
#[derive(Clone, Copy, Debug)]
struct Room {
    lines: usize,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { lines: A_ROUND, bytes: BYTES_A_ROUND }
    }
}

impl Room {
    /// Takes the room of a line, if there is any. One that is longer than all of it comes first or not at all.
    fn take(&mut self, line: &[u8]) -> bool {
        let fits = self.lines > 0 && (self.bytes >= line.len() || self.bytes == BYTES_A_ROUND);
        if fits {
            self.lines -= 1;
            self.bytes = self.bytes.saturating_sub(line.len());
        }
        fits
    }
}

/// Adds a line to the file of the user of this process. It is not waited for until it is on the disk: what is harmless is not
/// worth that.
///
/// # Errors
///
/// When there is no such directory, the file is full, or the system does not play along.
pub fn spool(directory: &Path, line: &Spooled) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    if text.len() > LINE_AT_MOST {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge));
    }
    let path = directory.join(format!("{}.jsonl", rustix::process::geteuid().as_raw()));
    loop {
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o640)
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
            .open(&path)?;
        let kept = file.metadata()?;
        // Nobody's line goes into somebody else's file.
        if kept.uid() != rustix::process::geteuid().as_raw() || !kept.is_file() {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        // Whatever the user's files are like otherwise, the gateway reads this one.
        if kept.mode() & 0o777 != 0o640 {
            file.set_permissions(fs::Permissions::from_mode(0o640))?;
        }
        held(&file)?;
        // Whoever takes it in has renamed it first: then there is another one by now, or will be.
        if fs::symlink_metadata(&path).is_ok_and(|there| there.ino() == kept.ino() && there.dev() == kept.dev()) {
            if kept.len() > FILE_AT_MOST {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            return file.write_all(text.as_bytes());
        }
    }
}

/// Keeps whoever takes the file in from doing so while something is added. Nobody is waited for long: others may hold it as well.
fn held(file: &File) -> io::Result<()> {
    for _ in 0..TRIES {
        if file.try_lock_shared().is_ok() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Err(io::Error::from(io::ErrorKind::WouldBlock))
}

/// Takes in what lies in a directory, each file for the person of the user that owns it, and says how many lines that were. What a
/// user has too much of is there the next time.
///
/// # Errors
///
/// When the store fails; what was not taken in yet is still there.
pub async fn take_in(
    directory: &Path,
    store: &dyn Store,
    owner: impl Fn(u32) -> Option<PersonId>,
) -> Result<usize, StoreError> {
    let mut taken = 0;
    // Whose last file is not finished keeps the next one, and all files of one user take only so much.
    let mut busy = BTreeSet::new();
    let mut rooms: BTreeMap<u32, Room> = BTreeMap::new();
    for path in files(directory) {
        if fs::symlink_metadata(&path).is_ok_and(|there| busy.contains(&there.uid())) {
            continue;
        }
        let Opened { name, teller, text } = match opened(&path, &owner) {
            Ok(Some(opened)) => opened,
            // What belongs to nobody, or is no file, is nobody's word.
            Ok(None) => {
                let _ = fs::remove_file(&path);
                continue;
            }
            // It is still there the next time.
            Err(_) => continue,
        };
        let room = rooms.entry(teller.uid).or_default();
        let (lines, end) = lines_in(&name, &teller, &text, room, store).await?;
        taken += lines;
        if end == End::Later {
            busy.insert(teller.uid);
            continue;
        }
        // As long as the file is there, it is remembered how far it was taken in.
        if fs::remove_file(directory.join(&name)).is_ok() {
            forget(&name, store).await?;
        }
    }
    Ok(taken)
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    // Those that somebody has begun with and died come first.
    files.sort_by_key(|path| !path.to_string_lossy().contains(TAKEN));
    files
}

/// A file that is being taken in: its name, whose it is, and what it says.
struct Opened {
    name: String,
    teller: Teller,
    text: Vec<u8>,
}

/// Whether a file was taken in to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Reached,
    Later,
}

/// Takes a file out of the way of its writers and reads it, once the last of them has gone. None for what is nobody's word.
fn opened(path: &Path, owner: &impl Fn(u32) -> Option<PersonId>) -> io::Result<Option<Opened>> {
    let there = fs::symlink_metadata(path)?;
    let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| there.is_file()) else {
        return Ok(None);
    };
    let (path, name) = if name.starts_with(TAKEN) {
        (path.to_owned(), name.to_owned())
    } else {
        let name = format!("{TAKEN}{:x}-{:x}-{}", there.ino(), there.ctime_nsec(), there.mtime());
        let taken = path.with_file_name(&name);
        fs::rename(path, &taken)?;
        (taken, name)
    };
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let kept = file.metadata()?;
    let Some(owner) = owner(kept.uid()).filter(|_| kept.is_file()) else { return Ok(None) };
    // Somebody still writes: the next time, then.
    file.try_lock().map_err(|_| io::Error::from(io::ErrorKind::WouldBlock))?;
    let mut text = Vec::new();
    // Whatever is behind that was put there by somebody who does not keep to the limit.
    let limit = FILE_AT_MOST.saturating_add(u64::try_from(LINE_AT_MOST).unwrap_or(u64::MAX));
    file.take(limit).read_to_end(&mut text)?;
    Ok(Some(Opened { name, teller: Teller { uid: kept.uid(), person: owner }, text }))
}

/// Takes lines in, so many in one transaction, with how far that is: whoever dies goes on from there, and so does the next round.
async fn lines_in(
    name: &str,
    teller: &Teller,
    text: &[u8],
    room: &mut Room,
    store: &dyn Store,
) -> Result<(usize, End), StoreError> {
    let begun = store.item(SHELF, name).await?;
    let mut done: usize = begun.as_deref().and_then(|begun| begun.parse().ok()).unwrap_or(0);
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let first = done;
    let left = lines.get(done..).unwrap_or_default();
    let fitting = left.iter().take_while(|line| room.take(line)).count();
    for chunk in left.get(..fitting).unwrap_or(left).chunks(AT_ONCE) {
        let mut changes = Vec::new();
        for line in chunk {
            let read = serde_json::from_slice::<Spooled>(line).ok().filter(|_| line.len() <= LINE_AT_MOST);
            let deed = read.and_then(|line| line.deed(teller)).unwrap_or_else(|| Deed {
                what: "spool-unreadable",
                by: Actor::Gate,
                approval: None,
                details: vec![("person", teller.person.to_string())],
            });
            let from = (done > 0).then(|| done.to_string());
            done += 1;
            let (name, to) = (name.to_owned(), Some(done.to_string()));
            changes.push(Change { shelf: SHELF, name, from, to, deed: Some(deed) });
        }
        if !store.change(changes).await? {
            return Err(StoreError::Unavailable("another gateway takes the same in".to_owned()));
        }
    }
    Ok((done - first, if left.len() > fitting { End::Later } else { End::Reached }))
}

async fn forget(name: &str, store: &dyn Store) -> Result<(), StoreError> {
    if let Some(from) = store.item(SHELF, name).await? {
        let change = Change { shelf: SHELF, name: name.to_owned(), from: Some(from), to: None, deed: None };
        store.change(vec![change]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

    use std::sync::Arc;

    use super::*;
    use crate::{Sqlite, system_clock, told};

    fn line(number: usize) -> Spooled {
        Spooled {
            at: 1,
            what: "allowed".to_owned(),
            agent: "exec".to_owned(),
            session: "s".to_owned(),
            details: vec![("text".to_owned(), format!("ls {number}")), ("made-up".to_owned(), "x".to_owned())],
        }
    }

    fn somebody(_: u32) -> Option<PersonId> {
        PersonId::new("dev").ok()
    }

    async fn ledger(store: &Sqlite) -> Vec<String> {
        let entries = store.ledger(0, 1_000).await.unwrap();
        entries.iter().map(|entry| format!("{} {}", told(&entry.body).unwrap().what, entry.body)).collect()
    }

    #[tokio::test]
    async fn what_was_decided_elsewhere_comes_into_the_ledger_once() {
        let root = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap();
        let directory = root.path().join("spool");
        assert!(spool(&directory, &line(0)).is_err(), "nobody makes the directory but the gateway");
        fs::create_dir(&directory).unwrap();
        for number in 0..3 {
            spool(&directory, &line(number)).unwrap();
        }
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), 3);
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), 0);
        let written = ledger(&store).await;
        assert_eq!(written.len(), 3);
        assert!(written.iter().all(|entry| entry.starts_with("allowed ") && !entry.contains("made-up")), "{written:?}");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        assert!(store.items(SHELF, None, 9).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn whoever_dies_in_between_goes_on_from_there() {
        let root = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap();
        let text: Vec<u8> =
            (0..3).flat_map(|number| serde_json::to_vec(&line(number)).unwrap().into_iter().chain(*b"\n")).collect();
        let name = format!("{TAKEN}1");
        // It had taken in two of them, or all, and died before the file was gone.
        let dev = Teller { uid: 0, person: somebody(0).unwrap() };
        let first: Vec<u8> = text.split_inclusive(|byte| *byte == b'\n').take(2).flatten().copied().collect();
        assert_eq!(lines_in(&name, &dev, &first, &mut Room::default(), &store).await.unwrap(), (2, End::Reached));
        fs::write(root.path().join(&name), &text).unwrap();
        fs::create_dir(root.path().join("spool")).unwrap();
        fs::rename(root.path().join(&name), root.path().join("spool").join(&name)).unwrap();
        assert_eq!(take_in(&root.path().join("spool"), &store, somebody).await.unwrap(), 1);
        assert_eq!(ledger(&store).await.len(), 3);
    }

    /// Whoever has piled up more than a round takes is gone on with in the next one, and keeps what comes meanwhile.
    #[tokio::test]
    async fn a_huge_file_is_taken_in_over_several_rounds() {
        let root = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap();
        let directory = root.path().join("spool");
        fs::create_dir(&directory).unwrap();
        let much = 2 * A_ROUND + 7;
        let text: Vec<u8> =
            (0..much).flat_map(|number| serde_json::to_vec(&line(number)).unwrap().into_iter().chain(*b"\n")).collect();
        let own = format!("{}.jsonl", rustix::process::geteuid().as_raw());
        fs::write(directory.join(&own), text).unwrap();
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), A_ROUND);
        spool(&directory, &line(much)).unwrap();
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), A_ROUND);
        assert!(directory.join(&own).exists(), "it waits for the one before");
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), 7 + 1);
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), 0);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        let last = store.ledger(u64::try_from(much).unwrap(), 10).await.unwrap();
        assert!(last.len() == 1 && last[0].body.contains(&format!("ls {much}")), "each line once, in its order");
    }

    #[tokio::test]
    async fn what_is_no_line_is_said_to_be_none() {
        let root = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap();
        let directory = root.path().join("spool");
        fs::create_dir(&directory).unwrap();
        let approved = r#"{"at":1,"what":"approved","agent":"a","session":"s","details":[]}"#;
        fs::write(directory.join("1.jsonl"), format!("{approved}\nnot json\n\n{{}}\n")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", directory.join("2.jsonl")).unwrap();
        fs::create_dir(directory.join("3.jsonl")).unwrap();
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), 3);
        let written = ledger(&store).await;
        assert!(written.iter().all(|entry| entry.starts_with("spool-unreadable ")), "{written:?}");
        // And where nobody is behind it, nothing at all.
        spool(&directory, &line(0)).unwrap();
        assert_eq!(take_in(&directory, &store, |_| None).await.unwrap(), 0);
        assert_eq!(ledger(&store).await.len(), 3);
    }

    /// Whoever leaves a line need not have masked or cut anything, and may say what they like.
    #[tokio::test]
    async fn what_is_told_is_masked_and_cut_and_said_to_be_told() {
        let root = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap();
        let directory = root.path().join("spool");
        fs::create_dir(&directory).unwrap();
        let said = |details: &[(&str, &str)]| Spooled {
            details: details.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..line(0)
        };
        let long = "echo ".to_owned() + &"word ".repeat(4_000);
        let lines = [
            said(&[("text", "deploy --password hunter2hunter2"), ("risk", "harmless"), ("rules", "shell.rm <b>x</b>")]),
            said(&[("text", &long), ("directory", &"/d".repeat(9_000)), ("cut", "7")]),
            said(&[("text", "deploy --password [masked]"), ("masked", "1"), ("told-by", "the gate"), ("risk", "low")]),
        ];
        lines.iter().for_each(|line| spool(&directory, line).unwrap());
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), 3);
        let entries = store.ledger(0, 10).await.unwrap();
        let told: Vec<_> = entries.iter().map(|entry| told(&entry.body).unwrap().details).collect();
        let teller = format!("dev (uid {})", rustix::process::geteuid().as_raw());
        assert!(told.iter().all(|details| details["told-by"] == teller), "{told:?}");
        assert_eq!(told[0]["text"], "deploy --password [masked]");
        assert_eq!((told[0]["masked"].as_str(), told[0]["rules"].as_str()), ("1", "shell.rm"));
        assert_eq!(told[0].get("risk"), None);
        let whole = told[1]["text"].len() + told[1]["cut"].parse::<usize>().unwrap();
        assert_eq!(whole, long.len() + 7);
        assert!(entries.iter().all(|entry| entry.body.len() < 10_000));
        assert_eq!((told[2]["masked"].as_str(), told[2]["risk"].as_str()), ("1", "low"));
    }

    /// Nobody gets more room by more files, or by longer lines.
    #[tokio::test]
    async fn one_user_has_so_much_room_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap();
        let directory = root.path().join("spool");
        fs::create_dir(&directory).unwrap();
        let text = |line: &Spooled| format!("{}\n", serde_json::to_string(line).unwrap());
        for file in 0..3 {
            fs::write(directory.join(format!("{file}.jsonl")), text(&line(file)).repeat(A_ROUND)).unwrap();
        }
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), A_ROUND);
        while take_in(&directory, &store, somebody).await.unwrap() > 0 {}
        let long = Spooled { details: vec![("text".to_owned(), "x ".repeat(20_000))], ..line(0) };
        fs::write(directory.join("long.jsonl"), text(&long).repeat(200)).unwrap();
        assert_eq!(take_in(&directory, &store, somebody).await.unwrap(), BYTES_A_ROUND / (text(&long).len() - 1));
    }

    #[tokio::test]
    async fn nothing_is_lost_while_it_is_taken_in() {
        let root = tempfile::tempdir().unwrap();
        let store = Arc::new(Sqlite::open(&root.path().join("s.db"), system_clock()).unwrap());
        let directory = root.path().join("spool");
        fs::create_dir(&directory).unwrap();
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let directory = directory.clone();
                std::thread::spawn(move || {
                    (0..100).for_each(|number| spool(&directory, &line(writer * 100 + number)).unwrap())
                })
            })
            .collect();
        let mut taken = 0;
        while !writers.iter().all(std::thread::JoinHandle::is_finished) {
            taken += take_in(&directory, &*store, somebody).await.unwrap();
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        taken += take_in(&directory, &*store, somebody).await.unwrap();
        assert_eq!((taken, ledger(&store).await.len()), (400, 400));
    }
}
