//! `signoff ledger`: what happened, and whether the record of it is as it was written. Nothing is written here but where a person
//! removes what is old, and no checkpoint is made: that is for the gateway.

use std::{
    collections::VecDeque,
    fs::{self, File, OpenOptions},
    io::{BufReader, BufWriter, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use serde_json::json;
use signoff_card::{Language, visible};
use signoff_gate::{Item, Places, Store};
use signoff_model::{ApprovalId, Digest, LedgerEntry, Timestamp};
use signoff_permit::VerifierKey;
use signoff_server::Statistics;
use signoff_store::{
    Broken, CHECKPOINTS, Doer, Export, Flaw, Flawed, Impossible, Pages, Told, Verified, Verifier, beginning, length,
    stats, told, verify_export,
};
use tokio::runtime::Runtime;

use super::{ANSWER_WITHIN, Calls, failure, of_store, people::logged_in, pruning, runtime, serve, somebody};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{LedgerArguments, LedgerCommand},
    judge::language,
    output::{self, Output, Progress},
};

/// So many entries are read at a time.
const PAGE: u32 = 200;

pub(crate) fn run(arguments: &LedgerArguments, places: &Places, output: &mut Output) -> Result<ExitCode, Failure> {
    let language = language(arguments.lang);
    if let LedgerCommand::Verify { file: Some(file), key, json } = &arguments.command {
        let keys = keys(key, places)?;
        let lines = BufReader::new(File::open(file).map_err(|error| unopened(file, &error))?);
        return judged(verify_export(lines, &keys), Telling { language, json: *json }, output);
    }
    if let LedgerCommand::Prune { older_than, json } = &arguments.command {
        // Before anything is looked at: whoever is no person at a terminal gets nowhere.
        somebody()?;
        let gone = match Source::of(arguments, places, language)? {
            Source::Gateway(calls) => pruning::at_gateway(&calls, *older_than),
            Source::Store { store, runtime } => runtime.block_on(pruning::in_store(&*store, places, *older_than)),
        }?;
        pruning::told(gone, language, *json, output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let reader = Reader { source: Source::of(arguments, places, language)?, language };
    match &arguments.command {
        LedgerCommand::List { after, limit, approval, what, json } => {
            let wanted = Wanted { approval: approval.as_deref().map(plain_id).transpose()?, what: what.clone() };
            reader.list(*after, *limit, &wanted, *json, output)
        }
        LedgerCommand::Show { number, json } => reader.show(*number, *json, output),
        LedgerCommand::Verify { key, json, .. } => {
            let verified = reader.verified(&keys(key, places)?)?;
            return judged(verified, Telling { language, json: *json }, output);
        }
        LedgerCommand::Export { file: None } => reader.export(|lines| output.text(lines)),
        LedgerCommand::Export { file: Some(file) } => reader.export_into(file),
        LedgerCommand::Stats { json } => reader.stats(*json, output),
        LedgerCommand::Prune { .. } => Ok(()),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Where the ledger is read.
enum Source {
    /// At a gateway, by a person who is logged in.
    Gateway(Box<Calls>),
    /// In the store itself, which is the user's own file or asks for a password of its own.
    Store { store: Arc<dyn Store>, runtime: Runtime },
}

impl Source {
    fn of(arguments: &LedgerArguments, places: &Places, language: Language) -> Result<Self, Failure> {
        let asked = arguments.store.as_deref();
        if asked.is_none() {
            match Calls::on_port(places, arguments.gateway) {
                Ok(calls) if arguments.gateway.is_some() || calls.answers() => {
                    let mut person = somebody()?;
                    let calls = logged_in(calls, arguments.person.as_deref(), &mut person, language)?;
                    return Ok(Self::Gateway(Box::new(calls)));
                }
                Err(failure) if arguments.gateway.is_some() => return Err(failure),
                Ok(_) | Err(_) => {}
            }
        }
        let is_address = asked.is_some_and(|asked| asked.contains("://"));
        let path = asked.map_or_else(|| places.store(), Into::into);
        // Whoever only reads makes no store.
        if !is_address && !path.exists() {
            let path = visible(&path.to_string_lossy());
            return Err(Failure::usage(format!("there is no ledger at `{path}`"), format!("`{path}` 处没有账本"))
                .hint("a gateway makes one: signoff serve", "网关会创建账本：signoff serve"));
        }
        let runtime = runtime()?;
        let store = runtime.block_on(serve::store(asked, places))?;
        Ok(Self::Store { store, runtime })
    }

    fn wait<F: Future>(&self, future: F) -> F::Output {
        match self {
            Self::Gateway(calls) => calls.runtime.block_on(future),
            Self::Store { runtime, .. } => runtime.block_on(future),
        }
    }

    /// The number of the last entry.
    async fn length(&self) -> Result<u64, Failure> {
        match self {
            Self::Gateway(calls) => {
                let last: Vec<Line> = got(calls, "/v1/ledger?last=1").await?;
                Ok(last.first().map_or(0, |line| line.number))
            }
            Self::Store { store, .. } => length(&**store).await.map_err(|error| of_store(&error)),
        }
    }

    async fn statistics(&self) -> Result<Statistics, Failure> {
        match self {
            Self::Gateway(calls) => got(calls, "/v1/stats").await,
            Self::Store { store, .. } => Ok(stats(&**store).await.map_err(|error| of_store(&error))?.into()),
        }
    }
}

async fn got<T: serde::de::DeserializeOwned>(calls: &Calls, path: &str) -> Result<T, Failure> {
    let called = calls.client.call(http::Method::GET, path, None, ANSWER_WITHIN).await;
    called.map_err(|error| failure(&error))
}

impl Pages for Source {
    type Error = Failure;

    async fn beginning(&self) -> Result<Option<Item>, Failure> {
        match self {
            Self::Gateway(calls) => {
                let begins: Option<Begins> = got(calls, "/v1/ledger/beginning").await?;
                Ok(begins.map(|one| Item { name: one.name, text: one.beginning }))
            }
            Self::Store { store, .. } => beginning(&**store).await.map_err(|error| of_store(&error)),
        }
    }

    async fn entries(&self, after: u64, at_most: u32) -> Result<Vec<LedgerEntry>, Failure> {
        match self {
            Self::Gateway(calls) => {
                let lines: Vec<Line> = got(calls, &format!("/v1/ledger?after={after}&limit={at_most}")).await?;
                lines.into_iter().map(|line| line.entry().ok_or_else(unread)).collect()
            }
            Self::Store { store, .. } => store.ledger(after, at_most).await.map_err(|error| of_store(&error)),
        }
    }

    async fn checkpoints(&self, after: Option<&str>, at_most: u32) -> Result<Vec<Item>, Failure> {
        match self {
            Self::Gateway(calls) => {
                // A name that is no number came from a store that somebody has written to.
                let after = after.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
                let after = after.map(|name| format!("&after={name}")).unwrap_or_default();
                let signed: Vec<Signed> = got(calls, &format!("/v1/checkpoints?limit={at_most}{after}")).await?;
                Ok(signed.into_iter().map(|one| Item { name: one.name, text: one.checkpoint }).collect())
            }
            Self::Store { store, .. } => {
                store.items(CHECKPOINTS, after, at_most).await.map_err(|error| of_store(&error))
            }
        }
    }
}

fn unread() -> Failure {
    Failure::internal("the gateway gave an entry that is none", "网关给出的条目无法识别")
}

/// An entry on the wire, spelled as in an export.
#[derive(Deserialize, Serialize)]
struct Line {
    number: u64,
    at: i64,
    #[serde(default)]
    approval: Option<String>,
    body: String,
    digest: String,
}

/// A checkpoint on the wire.
#[derive(Deserialize)]
struct Signed {
    name: String,
    checkpoint: String,
}

/// The beginning of a ledger on the wire.
#[derive(Deserialize)]
struct Begins {
    name: String,
    beginning: String,
}

impl Line {
    fn of(entry: &LedgerEntry) -> Self {
        let LedgerEntry { number, at, approval, body, digest } = entry;
        let approval = approval.map(|id| id.to_string());
        Self { number: *number, at: at.millis(), approval, body: body.clone(), digest: digest.to_string() }
    }

    fn entry(self) -> Option<LedgerEntry> {
        let Self { number, at, approval, body, digest } = self;
        let approval = match approval {
            Some(id) => Some(ApprovalId::parse(&id)?),
            None => None,
        };
        Some(LedgerEntry { number, at: Timestamp::from_millis(at), approval, body, digest: Digest::parse(&digest)? })
    }

    fn text(&self) -> String {
        // Texts and numbers: there is nothing in it that JSON cannot say.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Which entries are listed.
struct Wanted {
    approval: Option<String>,
    what: Option<String>,
}

impl Wanted {
    const fn is_everything(&self) -> bool {
        self.approval.is_none() && self.what.is_none()
    }

    fn fits(&self, entry: &LedgerEntry) -> bool {
        let about = self.approval.as_ref();
        let about = about.is_none_or(|id| entry.approval.is_some_and(|approval| approval.to_string().ends_with(id)));
        about && self.what.as_ref().is_none_or(|what| told(&entry.body).is_some_and(|told| told.what == *what))
    }
}

fn plain_id(id: &str) -> Result<String, Failure> {
    if !id.is_empty() && id.len() <= 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(id.to_ascii_lowercase());
    }
    let id = visible(id);
    Err(Failure::usage(format!("`{id}` is no id of a question"), format!("`{id}` 不是问题的编号"))
        .hint("it has 32 hexadecimal digits; its end will do", "编号为 32 位十六进制数；给出末尾几位即可"))
}

/// Somebody who reads a ledger.
struct Reader {
    source: Source,
    language: Language,
}

impl Reader {
    fn list(
        &self,
        after: Option<u64>,
        limit: u32,
        wanted: &Wanted,
        json: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let entries = self.source.wait(self.wanted(after, limit, wanted))?;
        if json {
            return entries.iter().try_for_each(|entry| output.text(&format!("{}\n", Line::of(entry).text())));
        }
        if entries.is_empty() {
            return output.text(in_language(self.language, "There is no such entry.\n", "没有这样的条目。\n"));
        }
        let columns = output::terminal_columns();
        for entry in &entries {
            let line = in_one_line(entry);
            let line = match columns {
                Some(columns) => line.chars().take(columns.max(40)).collect(),
                None => line,
            };
            output.text(&format!("{line}\n"))?;
        }
        Ok(())
    }

    /// The entries behind a number, or the last ones.
    async fn wanted(&self, after: Option<u64>, limit: u32, wanted: &Wanted) -> Result<Vec<LedgerEntry>, Failure> {
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut at = match after {
            Some(after) => after,
            None if wanted.is_everything() => self.source.length().await?.saturating_sub(u64::from(limit)),
            None => 0,
        };
        let mut found = VecDeque::new();
        loop {
            let page = self.source.entries(at, PAGE).await?;
            let Some(last) = page.last() else { break };
            at = last.number;
            found.extend(page.into_iter().filter(|entry| wanted.fits(entry)));
            if after.is_some() {
                found.truncate(most);
                if found.len() == most {
                    break;
                }
            } else {
                found.drain(..found.len().saturating_sub(most));
            }
        }
        Ok(found.into())
    }

    fn show(&self, number: u64, json: bool, output: &mut Output) -> Result<(), Failure> {
        let found = self.source.wait(self.source.entries(number.saturating_sub(1), 1))?;
        let Some(entry) = found.first().filter(|entry| entry.number == number) else {
            return Err(Failure::usage(format!("there is no entry {number}"), format!("没有条目 {number}"))
                .hint("signoff ledger list shows the last ones", "signoff ledger list 列出最近的条目"));
        };
        if json {
            return output.text(&format!("{}\n", Line::of(entry).text()));
        }
        output.text(&self.drawn(entry))
    }

    fn drawn(&self, entry: &LedgerEntry) -> String {
        let name = |english, chinese| in_language(self.language, english, chinese).to_owned();
        let mut rows = vec![(name("entry", "条目"), entry.number.to_string()), (name("at", "时间"), moment(entry.at))];
        match told(&entry.body) {
            Some(Told { what, by, details }) => {
                rows.push((name("what", "事件"), what));
                rows.push((name("by", "由谁"), who(&by)));
                rows.extend(entry.approval.map(|id| (name("approval", "问题"), id.to_string())));
                rows.extend(details);
            }
            None => rows.push((name("text", "原文"), entry.body.clone())),
        }
        rows.push((name("digest", "摘要"), entry.digest.to_string()));
        rows.iter().map(|(name, value)| format!("{:<10} {}\n", visible(name), visible(value))).collect()
    }

    /// Checks everything, line by line.
    fn verified(&self, keys: &[VerifierKey]) -> Result<Result<Verified, Flawed>, Failure> {
        let mut verifier = Verifier::new(keys);
        let mut flawed = None;
        self.lines(|lines| {
            if flawed.is_none() {
                flawed = lines.lines().find_map(|line| verifier.line(line.as_bytes()).err());
            }
            Ok(())
        })?;
        Ok(flawed.map_or_else(|| verifier.end(), Err))
    }

    fn export(&self, write: impl FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure> {
        self.lines(write)
    }

    /// Writes a new file. What could not be written whole is taken away: half of a ledger looks like one.
    fn export_into(&self, file: &Path) -> Result<(), Failure> {
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
        let mut written = BufWriter::new(opened.map_err(|error| unopened(file, &error))?);
        let done = self.lines(|lines| written.write_all(lines.as_bytes()).map_err(|error| Failure::write(&error)));
        let done = done.and_then(|()| written.flush().map_err(|error| Failure::write(&error)));
        done.and_then(|()| written.get_ref().sync_all().map_err(|error| Failure::write(&error))).inspect_err(|_| {
            let _ = fs::remove_file(file);
        })
    }

    /// Hands over all lines, some at a time.
    fn lines(&self, mut take: impl FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut progress = Progress::new();
        let mut export = Export::new(&self.source);
        let mut count = 0;
        let done = loop {
            match self.source.wait(export.next()) {
                Ok(None) => break Ok(()),
                Ok(Some(lines)) => {
                    count += lines.lines().count();
                    if let Err(failure) = take(&lines) {
                        break Err(failure);
                    }
                    progress.tell(|| match self.language {
                        Language::English => format!("{count} lines"),
                        Language::Chinese => format!("{count} 行"),
                    });
                }
                Err(failure) => break Err(failure),
            }
        };
        progress.clear();
        done
    }

    fn stats(&self, json: bool, output: &mut Output) -> Result<(), Failure> {
        let statistics = self.source.wait(self.source.statistics())?;
        if json {
            return output.text(&format!("{}\n", json!(statistics)));
        }
        output.text(&added_up(&statistics, self.language))
    }
}

/// What a ledger adds up to, for people.
fn added_up(statistics: &Statistics, language: Language) -> String {
    let Statistics { entries, what, risk, agents, answers, median_to_decide_ms, expired, stale } = statistics;
    let name = |english, chinese| in_language(language, english, chinese);
    let median = median_to_decide_ms
        .map_or_else(|| "-".to_owned(), |millis| humantime::format_duration(Duration::from_millis(millis)).to_string());
    let mut text = String::new();
    for (name, value) in [
        (name("entries", "条目数"), entries.to_string()),
        (name("median time to decide", "作答时间中位数"), median),
        (name("expired", "已过期"), expired.to_string()),
        (name("stale", "已失效"), stale.to_string()),
    ] {
        text.push_str(&format!("{name}: {value}\n"));
    }
    let mut table = |title: &str, rows: Vec<(String, u64)>| {
        if !rows.is_empty() {
            text.push_str(&format!("\n{title}\n"));
            rows.iter().for_each(|(name, count)| text.push_str(&format!("  {count:>8}  {}\n", visible(name))));
        }
    };
    let sorted = |counts: &std::collections::BTreeMap<String, u64>| {
        let mut rows: Vec<(String, u64)> = counts.iter().map(|(name, count)| (name.clone(), *count)).collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        rows
    };
    table(name("what happened", "事件"), sorted(what));
    table(name("decisions by risk", "按风险统计的决定"), sorted(risk));
    table(name("decisions by agent", "按智能体统计的决定"), sorted(agents));
    let said = answers.iter().flat_map(|(person, counts)| {
        sorted(counts).into_iter().map(move |(answer, count)| (format!("{person}: {answer}"), count))
    });
    table(name("answers by person", "按人统计的回答"), said.collect());
    text
}

fn in_one_line(entry: &LedgerEntry) -> String {
    let head = format!("{:>6}  {}", entry.number, moment(entry.at));
    let Some(Told { what, by, details }) = told(&entry.body) else {
        return format!("{head}  {}", visible(&entry.body));
    };
    let detail = |name: &str| details.get(name).map(String::as_str);
    // What was wanted says most, then what came of it.
    let said = detail("text").or_else(|| detail("answer")).or_else(|| detail("stage")).unwrap_or_default();
    // Whose score, and from where to where: without these the entry says nothing.
    let score = detail("agent").zip(detail("to")).filter(|_| what == "trust-changed");
    let rest = match (score, detail("from")) {
        (None, _) => visible(said).replace('\n', " "),
        (Some((agent, to)), None) => format!("{} {}", visible(agent), visible(to)),
        (Some((agent, to)), Some(from)) => format!("{} {} → {}", visible(agent), visible(from), visible(to)),
    };
    let about = entry.approval.map(|id| id.to_string());
    let about = about.as_deref().and_then(|id| id.get(24..)).map(|id| format!("{id} ")).unwrap_or_default();
    let risk = detail("risk").map(|risk| format!("{} ", visible(risk))).unwrap_or_default();
    format!("{head}  {:<16} {:<12} {about}{risk}{rest}", visible(&what), visible(&who(&by)))
}

fn who(by: &Doer) -> String {
    match by {
        Doer::Agent { agent, session, owner } => format!("{agent} ({session}, {owner})"),
        Doer::Person { person, channel, assurance } => format!("{person} ({channel}, {assurance})"),
        Doer::Gate => "-".to_owned(),
    }
}

/// A moment as everybody writes it.
fn moment(at: Timestamp) -> String {
    let since = u64::try_from(at.millis()).ok().map(Duration::from_millis);
    // Beyond the year 9999 there is no way to write it.
    let known = since.filter(|since| since.as_secs() < 253_402_300_800).and_then(|since| UNIX_EPOCH.checked_add(since));
    known.map_or_else(|| at.millis().to_string(), |time| humantime::format_rfc3339_seconds(time).to_string())
}

/// The keys to check with.
fn keys(given: &[String], places: &Places) -> Result<Vec<VerifierKey>, Failure> {
    if given.is_empty() {
        let known = super::key::verifier(places).map_err(|_| {
            Failure::usage("there is no key to check with", "没有用于验证的密钥")
                .hint("name the public key of the gate: --key sgk1.…", "请给出网关的公钥：--key sgk1.…")
        })?;
        return Ok(vec![known]);
    }
    let parsed = given.iter().map(|text| {
        VerifierKey::parse(text.trim()).map_err(|_| {
            Failure::usage("that is no key", "这不是密钥").hint("a key begins with `sgk1.`", "密钥以 `sgk1.` 开头")
        })
    });
    parsed.collect()
}

/// In which form it is told.
#[derive(Clone, Copy)]
struct Telling {
    language: Language,
    json: bool,
}

/// Says whether a ledger is whole, also by the exit code.
fn judged(verified: Result<Verified, Flawed>, telling: Telling, output: &mut Output) -> Result<ExitCode, Failure> {
    let (text, code) = match &verified {
        Ok(verified) => (whole(verified, telling), ExitCode::SUCCESS),
        Err(flawed) => (broken(flawed, telling), ExitCode::FAILURE),
    };
    output.text(&text)?;
    Ok(code)
}

fn whole(verified: &Verified, telling: Telling) -> String {
    let Verified { begins, last, up_to } = verified;
    let removed = begins.map_or(0, |place| place.number);
    let entries = last.saturating_sub(removed);
    let sealed = up_to.map_or(0, |checkpoint| checkpoint.number);
    let open = last.saturating_sub(sealed);
    let at = up_to.map(|checkpoint| moment(Timestamp::from_millis(checkpoint.at)));
    if telling.json {
        let sealed_at = up_to.map(|checkpoint| checkpoint.at);
        let mut value = json!({
            "whole": true,
            "entries": entries,
            "sealed": up_to.map(|checkpoint| checkpoint.number),
            "sealed_at": sealed_at,
            "unsealed": open,
        });
        if let (Some(place), Some(fields)) = (begins, value.as_object_mut()) {
            fields.insert("removed_up_to".to_owned(), place.number.into());
            fields.insert("removed_at".to_owned(), place.at.into());
        }
        return format!("{value}\n");
    }
    let begun = begins.map(|place| (place.number, moment(Timestamp::from_millis(place.at)))).map(|(number, when)| {
        match telling.language {
            Language::English => format!(
                "It begins behind entry {number}: the gate has removed everything up to there at {when}, and signed that.\n"
            ),
            Language::Chinese => format!("账本从条目 {number} 之后开始：网关已于 {when} 移除此前的全部条目并签名。\n"),
        }
    });
    let begun = begun.unwrap_or_default();
    match (telling.language, at) {
        (Language::English, Some(at)) => format!(
            "Whole: {entries} entries follow on each other.\n{begun}\
             Sealed up to entry {sealed}, by the checkpoint of {at}. Behind it, not sealed yet: {open}.\n"
        ),
        (Language::English, None) => format!(
            "Whole: {entries} entries follow on each other.\n\
             No checkpoint seals any of them: nobody can tell whether they were written anew.\n"
        ),
        (Language::Chinese, Some(at)) => format!(
            "完整：{entries} 个条目前后相接。\n{begun}已由 {at} 的检查点封存至条目 {sealed}。其后尚未封存的条目：{open}。\n"
        ),
        (Language::Chinese, None) => {
            format!("完整：{entries} 个条目前后相接。\n没有检查点封存其中任何条目：无法断定是否被重写。\n")
        }
    }
}

fn broken(flawed: &Flawed, telling: Telling) -> String {
    let Flawed { line, flaw } = flawed;
    let entry = match flaw {
        Flaw::Broken(Broken::Gap { expected }) | Flaw::NoLine { expected } => Some(*expected),
        Flaw::Broken(
            Broken::Changed { number } | Broken::Checkpoint { number } | Broken::Impossible { number, .. },
        )
        | Flaw::Beginning { number }
        | Flaw::Untold { number } => Some(*number),
        _ => None,
    };
    let english = visible(&flaw.to_string());
    if telling.json {
        return format!("{}\n", json!({"whole": false, "line": line, "entry": entry, "flaw": english}));
    }
    match telling.language {
        Language::English => format!("Broken, in line {line} of its export: {english}.\n"),
        Language::Chinese => {
            let told = match flaw {
                Flaw::Broken(Broken::Gap { expected }) => format!("缺少条目 {expected}"),
                Flaw::Broken(Broken::Changed { number }) => format!("条目 {number} 或其之前的条目被改动"),
                Flaw::Broken(Broken::Checkpoint { number }) => format!("条目 {number} 的检查点不符"),
                Flaw::Broken(Broken::Impossible { number, why }) => {
                    format!("条目 {number} 所述之事不可能发生：{}", impossible(*why))
                }
                Flaw::NoLine { expected } => format!("此行不是导出的内容；应为条目 {expected}"),
                Flaw::Beginning { number } => format!("账本并非从条目 {number} 之后开始"),
                Flaw::Untold { number } => format!("缺少记录“移除至条目 {number}”的条目"),
                Flaw::Checkpoint(_) => format!("检查点无效（{english}）"),
                _ => english,
            };
            format!("已损坏，导出的第 {line} 行：{told}。\n")
        }
    }
}

/// Why something cannot have happened, in Chinese.
fn impossible(why: Impossible) -> String {
    match why {
        Impossible::AskedTwice => "同一问题此前已经提出".to_owned(),
        Impossible::NotOpen => "它回答的问题并未处于待答状态".to_owned(),
        Impossible::TooFew => "同意的人数不足".to_owned(),
        Impossible::NoYes => "没有有效的同意就已兑现".to_owned(),
        Impossible::Otherwise => "兑现的操作与批准的不同".to_owned(),
        Impossible::NoGrant => "使用了并不存在的授权".to_owned(),
        Impossible::TooMuch => "同时待答的内容过多，无法检查".to_owned(),
        other => visible(&other.to_string()),
    }
}

fn unopened(file: &Path, error: &std::io::Error) -> Failure {
    let file = visible(&file.to_string_lossy());
    Failure::usage(format!("cannot open `{file}`: {error}"), format!("无法打开 `{file}`：{error}"))
        .hint("an export goes into a new file", "导出须写入新文件")
}

#[cfg(test)]
mod tests {
    use signoff_permit::{Checkpoint, CheckpointError};

    use super::*;

    const ENGLISH: Telling = Telling { language: Language::English, json: false };
    const CHINESE: Telling = Telling { language: Language::Chinese, json: false };
    const JSON: Telling = Telling { language: Language::English, json: true };

    #[test]
    fn what_is_whole_is_told_with_how_far_it_is_sealed() {
        let checkpoint = Checkpoint { number: 8, digest: [0; 32], at: 1_700_000_000_000 };
        let verified = Verified { begins: None, last: 10, up_to: Some(checkpoint) };
        assert_eq!(
            whole(&verified, ENGLISH),
            "Whole: 10 entries follow on each other.\n\
             Sealed up to entry 8, by the checkpoint of 2023-11-14T22:13:20Z. Behind it, not sealed yet: 2.\n"
        );
        assert!(whole(&verified, CHINESE).contains("封存至条目 8"));
        assert_eq!(
            whole(&verified, JSON),
            "{\"entries\":10,\"sealed\":8,\"sealed_at\":1700000000000,\"unsealed\":2,\"whole\":true}\n"
        );
        assert!(whole(&Verified { begins: None, last: 3, up_to: None }, ENGLISH).contains("No checkpoint"));
        let shortened = Verified { begins: Some(Checkpoint { number: 6, ..checkpoint }), ..verified };
        let told = whole(&shortened, ENGLISH);
        assert!(told.contains("Whole: 4 entries") && told.contains("begins behind entry 6"), "{told}");
        assert!(whole(&shortened, CHINESE).contains("从条目 6 之后开始"));
        assert!(whole(&shortened, JSON).contains("\"removed_up_to\":6"));
    }

    #[test]
    fn the_first_broken_entry_is_named() {
        for (flaw, english, chinese) in [
            (Broken::Gap { expected: 7 }.into(), "entry 7 is missing", "缺少条目 7"),
            (
                Broken::Changed { number: 7 }.into(),
                "entry 7, or one before it, was changed",
                "条目 7 或其之前的条目被改动",
            ),
            (Broken::Checkpoint { number: 7 }.into(), "the checkpoint of entry 7 does not fit", "条目 7 的检查点不符"),
            (
                Broken::Impossible { number: 7, why: Impossible::NoYes }.into(),
                "entry 7 tells what cannot have happened: something was redeemed without a yes",
                "条目 7 所述之事不可能发生：没有有效的同意",
            ),
            (Flaw::NoLine { expected: 7 }, "entry 7 should have come", "应为条目 7"),
            (Flaw::Beginning { number: 7 }, "does not begin behind entry 7", "并非从条目 7 之后开始"),
            (Flaw::Untold { number: 7 }, "tells of the removal up to entry 7", "移除至条目 7"),
            (CheckpointError::OtherKey.into(), "another key", "检查点无效"),
        ] {
            let flawed = Flawed { line: 9, flaw };
            let told = broken(&flawed, ENGLISH);
            assert!(told.contains(english) && told.contains("line 9"), "{told}");
            let told = broken(&flawed, CHINESE);
            assert!(told.contains(chinese) && told.contains("第 9 行"), "{told}");
            assert!(broken(&flawed, JSON).contains("\"line\":9"));
        }
    }

    #[test]
    fn an_entry_is_told_in_one_line() {
        let body = r#"{"v":1,"at":0,"what":"asked","by":{"kind":"agent","agent":"claude","session":"s","owner":"olga"},"details":{"risk":"high","text":"rm -rf x\nls"}}"#;
        let approval = Some(ApprovalId::from_bits(0xabcd));
        let entry = LedgerEntry {
            number: 3,
            at: Timestamp::from_millis(0),
            approval,
            body: body.to_owned(),
            digest: Digest::of(b""),
        };
        let line = in_one_line(&entry);
        assert!(
            line.starts_with("     3  1970-01-01T00:00:00Z  asked            claude (s, olga) 0000abcd high rm -rf x"),
            "{line}"
        );
        assert!(!line.contains('\n'));
        let by = r#"{"v":1,"at":0,"what":"trust-changed","by":{"kind":"gate"},"details":"#;
        for (details, told) in [
            (r#"{"agent":"claude","from":"500","person":"olga","project":"/p","to":"450"}}"#, "claude 500 → 450"),
            (r#"{"agent":"claude","person":"olga","project":"/p","to":"begun anew"}}"#, "claude begun anew"),
        ] {
            let line = in_one_line(&LedgerEntry { body: format!("{by}{details}"), ..entry.clone() });
            assert!(line.ends_with(told), "{line}");
        }
        let wanted = |approval: &str, what: &str| Wanted { approval: Some(approval.into()), what: Some(what.into()) };
        assert!(wanted("abcd", "asked").fits(&entry));
        assert!(!wanted("abcd", "allowed").fits(&entry) && !wanted("1234", "asked").fits(&entry));
        assert!(plain_id("xyz").is_err() && plain_id("").is_err() && plain_id("ABCD").is_ok_and(|id| id == "abcd"));
    }
}
