//! Sixty-four people answer a question while its agent takes it back and its time runs out: one of them decides, and everybody
//! is told the same, whoever they are and whichever node they ask.

use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures_util::future::join_all;
use serde_json::json;

use super::{Line, Reply, Running, Site};
use crate::Kept;

/// So many people answer.
pub const PEOPLE: usize = 64;

/// So many questions are raced for at a time: each of them is open for a second.
const AT_ONCE: usize = 8;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Races {
    /// How many questions were raced for.
    pub rounds: usize,
    /// How they ended, and how often.
    pub ended: BTreeMap<String, usize>,
    /// Where somebody was told something else than others, or more or fewer than one has decided.
    pub wrong: Vec<String>,
}

impl fmt::Display for Races {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rounds of {PEOPLE} answers, a withdrawal and the clock: {:?}", self.rounds, self.ended)?;
        write!(f, ", told otherwise {}", self.wrong.len())?;
        self.wrong.iter().try_for_each(|wrong| write!(f, "\n  {wrong}"))
    }
}

/// When they all call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// As soon as it is asked: time does not decide.
    AtOnce,
    /// So many milliseconds before its time is over, which is less than they take.
    Around(u64),
    /// When its time is over: nothing else decides.
    Late,
}

/// One question's callers, each on a connection of their own.
struct Ring {
    agent: Line,
    waiter: Line,
    withdrawer: Line,
    people: Vec<Line>,
}

/// Races for so many questions; on two nodes where there is a database.
pub fn run(program: &Path, kept: &Kept, rounds: usize) -> Races {
    let site = Site::new(kept.clone());
    let names: Vec<String> = (0..PEOPLE).map(|number| format!("\"person-{number}\"")).collect();
    site.configure(&format!("[approval]\ntimeout = \"1s\"\napprovers = [{}]\n", names.join(", ")));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let joined = runtime.block_on(site.join(PEOPLE, 1));
    let here = site.serve(program, &[]);
    let second = matches!(kept, Kept::InADatabase(_)).then(|| site.beside());
    let there = second.as_ref().map(|site| site.serve(program, &[]));
    let nodes: Vec<&Running> = [&here].into_iter().chain(&there).collect();
    runtime.block_on(async {
        let mut people = Vec::new();
        for (number, name) in joined.people.iter().enumerate() {
            people.push(Line::person(nodes[number % nodes.len()].address(), name).await);
        }
        let agent = Line::agent(here.address(), &joined.keys[0], "s").await;
        let mut rings = Vec::new();
        for _ in 0..AT_ONCE {
            rings.push(Ring {
                agent: agent.again().await,
                waiter: agent.again_at(nodes[nodes.len() - 1].address()).await,
                withdrawer: agent.again().await,
                people: join_all(people.iter().map(Line::again)).await,
            });
        }
        let mut races = Races::default();
        let directory = site.work().to_str().unwrap().to_owned();
        while races.rounds < rounds {
            let first = races.rounds;
            let running = rings.iter_mut().enumerate().map(|(at, ring)| ring.round(first + at, &directory));
            for (end, wrong) in join_all(running).await {
                races.rounds += 1;
                *races.ended.entry(end).or_default() += 1;
                races.wrong.extend(wrong);
            }
        }
        races
    })
}

impl Ring {
    /// One question. Gives how it ended, and what was wrong with it.
    async fn round(&mut self, number: usize, directory: &str) -> (String, Vec<String>) {
        let Self { agent, waiter, withdrawer, people } = self;
        let operation = json!({"kind": "shell", "cmd": "rm notes.txt"});
        let asked = json!({"key": format!("round {number}"), "operation": operation, "cwd": directory});
        let asked = agent.post("/v1/requests", &asked).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        let id = asked.text("approval").to_owned();
        let until = asked.body["until"].as_u64().unwrap();
        let start = match number % 5 {
            0 => Start::AtOnce,
            1 => Start::Late,
            _ => Start::Around(u64::try_from(number * 37 % 400).unwrap()),
        };
        let waiting = waiter.get_owned(format!("/v1/requests/{id}?wait_ms=30000"));
        let racing = async {
            let left = until.saturating_sub(millis());
            match start {
                Start::AtOnce => {}
                Start::Around(before) => tokio::time::sleep(Duration::from_millis(left.saturating_sub(before))).await,
                Start::Late => tokio::time::sleep(Duration::from_millis(left + 5)).await,
            }
            let answer = format!("/v1/approvals/{id}/answer");
            let answering = people.iter_mut().enumerate().map(|(at, person)| {
                let said = if at % 3 == number % 3 { json!({"answer": "deny"}) } else { json!({"answer": "approve"}) };
                person.post_owned(answer.clone(), said)
            });
            // Who is polled first differs, so that it is not always the same who wins.
            let mut answering: Vec<_> = answering.collect();
            answering.rotate_left(number % PEOPLE);
            let withdrawing = withdrawer.post_owned(format!("/v1/requests/{id}/withdraw"), json!({}));
            if number.is_multiple_of(2) {
                let (answered, withdrawn) = tokio::join!(biased; join_all(answering), withdrawing);
                (answered, withdrawn)
            } else {
                let (withdrawn, answered) = tokio::join!(biased; withdrawing, join_all(answering));
                (answered, withdrawn)
            }
        };
        let (outcome, (answered, withdrawn)) = tokio::join!(waiting, racing);
        let end = people[0].get(&format!("/v1/approvals/{id}")).await;
        let wrong = contradictions(&end, &outcome, &answered, &withdrawn, start);
        let named =
            |wrong: String| format!("round {number} ({start:?}), which ended as {}: {wrong}", end.text("stage"));
        (end.text("stage").to_owned(), wrong.into_iter().map(named).collect())
    }
}

/// Whatever does not go together with how a question has ended.
fn contradictions(end: &Reply, outcome: &Reply, answered: &[Reply], withdrawn: &Reply, start: Start) -> Vec<String> {
    let (stage, decided_by) = (end.text("stage"), end.text("decided_by"));
    let mut wrong = Vec::new();
    let winners = answered.iter().filter(|reply| reply.status == 200).count() + usize::from(withdrawn.status == 204);
    if winners != usize::from(stage != "expired") {
        wrong.push(format!("{winners} have decided"));
    }
    if (withdrawn.status == 204) != (stage == "withdrawn") {
        wrong.push(format!("the agent took it back and was told {} {}", withdrawn.status, withdrawn.body));
    }
    if outcome.text("outcome") != stage {
        wrong.push(format!("whoever waited was told {}", outcome.body));
    }
    let late = if stage == "expired" { "expired" } else { "closed" };
    let losers = answered.iter().filter(|reply| reply.status != 200);
    for loser in losers.chain((withdrawn.status != 204).then_some(withdrawn)) {
        if (loser.status, loser.text("code")) != (409, late) {
            wrong.push(format!("somebody was told {} {}", loser.status, loser.body));
        }
    }
    for reply in answered {
        let told = match reply.status {
            200 => reply.body["approval"]["stage"] == stage && reply.body["approval"]["decided_by"] == decided_by,
            _ if matches!(stage, "approved" | "denied") => {
                reply.text("detail").ends_with(&format!("{stage} by {decided_by}"))
            }
            _ => !reply.text("detail").contains(" by "),
        };
        if !told {
            wrong.push(format!("somebody was told that {} {}", reply.status, reply.body));
        }
    }
    let possible = match start {
        Start::AtOnce => stage != "expired",
        Start::Late => stage == "expired",
        Start::Around(_) => true,
    };
    if !possible || !matches!(stage, "approved" | "denied" | "withdrawn" | "expired") {
        wrong.push("it cannot have".to_owned());
    }
    wrong
}

fn millis() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn reply(status: u16, body: Value) -> Reply {
        Reply { status, body }
    }

    /// What the harness looks for is found where it is.
    #[test]
    fn contradictions_are_found() {
        let end = reply(200, json!({"stage": "approved", "decided_by": "a"}));
        let outcome = reply(200, json!({"outcome": "approved"}));
        let won = reply(200, json!({"approval": {"stage": "approved", "decided_by": "a"}}));
        let lost = reply(409, json!({"code": "closed", "detail": "it is no longer open: approved by a"}));
        let late = reply(409, json!({"code": "expired", "detail": "its time has run out; that is not a no"}));
        let other = reply(409, json!({"code": "closed", "detail": "it is no longer open: denied by b"}));
        let none = reply(204, Value::Null);
        let found = |end: &Reply, outcome: &Reply, answered: &[&Reply], withdrawn: &Reply, start| {
            let answered: Vec<Reply> = answered.iter().map(|reply| (*reply).clone()).collect();
            contradictions(end, outcome, &answered, withdrawn, start).len()
        };
        assert_eq!(found(&end, &outcome, &[&won, &lost], &lost, Start::AtOnce), 0);
        assert_eq!(found(&end, &outcome, &[&won, &won], &lost, Start::AtOnce), 1, "two winners");
        assert_eq!(found(&end, &outcome, &[&lost, &lost], &lost, Start::AtOnce), 1, "no winner");
        assert_eq!(found(&end, &outcome, &[&won, &other], &lost, Start::AtOnce), 1, "another winner");
        assert_eq!(found(&end, &outcome, &[&won, &late], &lost, Start::AtOnce), 2, "told of another end");
        assert_eq!(found(&end, &outcome, &[&won, &lost], &none, Start::AtOnce), 2, "withdrawn as well");
        assert_eq!(found(&end, &outcome, &[&won, &lost], &lost, Start::Late), 1, "too late");
        let expired = (reply(200, json!({"stage": "expired"})), reply(200, json!({"outcome": "expired"})));
        assert_eq!(found(&expired.0, &expired.1, &[&late, &late], &late, Start::Late), 0);
        assert_eq!(found(&expired.0, &outcome, &[&late, &late], &late, Start::Around(1)), 1, "whoever waits");
    }
}
