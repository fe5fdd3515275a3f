//! One question after the other, by so many clients at once.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;
use signoff_e2e::gateway::{Joined, Line, Running, Site};

const SESSION: &str = "s";

/// What was measured of one number of clients.
#[derive(Default)]
pub(super) struct Measured {
    took: Duration,
    /// From asking until the agent holds the permit.
    pub(super) rounds: Vec<Duration>,
    /// From when the person hears that the answer is kept until the agent is awake; nothing where the agent was earlier.
    pub(super) woken: Vec<Duration>,
    changes: u64,
    flushes: u64,
}

impl Measured {
    pub(super) fn a_second(&self) -> f64 {
        self.rounds.len() as f64 / self.took.as_secs_f64()
    }

    pub(super) fn changes_a_flush(&self) -> f64 {
        self.changes as f64 / self.flushes.max(1) as f64
    }
}

/// So many questions are asked with one key. Each is two calls, one to ask and one to wait, and a gateway hears 6,000 calls of an
/// agent in a minute.
const QUESTIONS_A_KEY: usize = 2_900;

/// So many questions of one client are answered in a second at most, with room.
const QUESTIONS_A_SECOND: u64 = 5_000;

/// How many keys a client needs that asks for so long.
pub(super) fn keys_for(during: Duration) -> usize {
    let questions = QUESTIONS_A_SECOND.saturating_mul(during.as_secs());
    usize::try_from(questions).unwrap_or(usize::MAX) / QUESTIONS_A_KEY + 1
}

/// Each client is an agent on a connection of its own, and a person on another connection who answers what that agent asks. A
/// client has several keys, and goes on with the next one before the limit of the gateway for one agent is reached.
pub(super) async fn measured(
    running: &Running,
    site: &Site,
    joined: &Joined,
    during: Duration,
) -> anyhow::Result<Measured> {
    let address = running.address();
    let person = Line::person(address, joined.people.first().context("nobody has joined")?).await;
    let directory = site.work().to_string_lossy().into_owned();
    let mut lines = Vec::new();
    for keys in joined.keys.chunks(keys_for(during)) {
        let keys = keys.to_vec();
        let first = keys.first().context("a client without a key")?;
        lines.push((Line::agent(address, first, SESSION).await, person.again().await, keys));
    }
    let (changes, flushes) = counted(&person).await?;
    let begun = Instant::now();
    let until = begun + during;
    let running: Vec<_> = lines
        .into_iter()
        .map(|(mut agent, mut person, keys)| {
            let directory = directory.clone();
            tokio::spawn(async move {
                let mut measured = Measured::default();
                for number in 0.. {
                    if Instant::now() >= until {
                        break;
                    }
                    if number % QUESTIONS_A_KEY == 0 {
                        let key = keys.get(number / QUESTIONS_A_KEY).context("more questions than keys for them")?;
                        agent.becomes_agent(key, SESSION);
                    }
                    let (round, woken) = round(&mut agent, &mut person, &directory, number).await?;
                    measured.rounds.push(round);
                    measured.woken.push(woken);
                }
                anyhow::Ok(measured)
            })
        })
        .collect();
    let mut all = Measured::default();
    for one in running {
        let one = one.await??;
        all.rounds.extend(one.rounds);
        all.woken.extend(one.woken);
    }
    all.took = begun.elapsed();
    let (changes_now, flushes_now) = counted(&person).await?;
    (all.changes, all.flushes) = (changes_now - changes, flushes_now - flushes);
    Ok(all)
}

async fn round(
    agent: &mut Line,
    person: &mut Line,
    directory: &str,
    number: usize,
) -> anyhow::Result<(Duration, Duration)> {
    let begun = Instant::now();
    let operation = json!({"kind": "shell", "cmd": "rm notes.txt"});
    let asked =
        agent.post("/v1/requests", &json!({"key": number.to_string(), "operation": operation, "cwd": directory})).await;
    ensure!(asked.status == 202, "{}", asked.body);
    let id = asked.text("approval").to_owned();
    let wait = format!("/v1/requests/{id}?wait_ms=60000");
    let answer = format!("/v1/approvals/{id}/answer");
    // The agent waits first, and the person answers then.
    let ((outcome, woken), (answered, kept)) = tokio::join!(
        biased;
        async { (agent.get(&wait).await, Instant::now()) },
        async { (person.post(&answer, &json!({"answer": "approve"})).await, Instant::now()) },
    );
    ensure!(answered.status == 200, "{}", answered.body);
    ensure!(outcome.text("outcome") == "approved" && !outcome.text("permit").is_empty(), "{}", outcome.body);
    Ok((woken - begun, woken.saturating_duration_since(kept)))
}

/// What the gateway says of its store: changes, and commits that have waited for the disk.
async fn counted(person: &Line) -> anyhow::Result<(u64, u64)> {
    let text = person.again().await.plain("/metrics").await;
    let figure = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|figure| figure.trim().parse().ok()).with_context(|| format!("no {name} in {text}"))
    };
    Ok((figure("signoff_store_changes_total ")?, figure("signoff_store_flushes_total ")?))
}
