//! Questions that are put together because an agent asks too much at once: each is shown in full, and all are answered once.

use std::{collections::HashSet, time::Instant};

use serde_json::{Value, json};
use signoff_card::{Language, visible};

use super::{Desk, STAND_FOR};
use crate::{
    failure::{Failure, in_language},
    gateway::field,
    person::Reply,
};

impl Desk {
    /// Shows every question of a batch, and asks once. False where the person wants to leave.
    pub(super) fn asked_together(&mut self, batch: &str, seen: &mut HashSet<String>) -> Result<bool, Failure> {
        loop {
            let (language, columns) = (self.language.name(), self.columns);
            let found: Value = self.calls.get(&format!("/v1/batches/{batch}?lang={language}&columns={columns}"))?;
            let members = found.get("members").and_then(Value::as_array).cloned().unwrap_or_default();
            let Some(first) = members.first() else { return Ok(true) };
            let ids: Vec<String> = members.iter().map(|member| field(member, "id").to_owned()).collect();
            seen.extend(ids.iter().cloned());
            let owner = visible(field(first, "owner"));
            let mut agents: Vec<String> = members.iter().map(|member| visible(field(member, "agent"))).collect();
            agents.sort();
            agents.dedup();
            let drawn = self.all_drawn((&agents.join(", "), &owner), &members);
            self.tell(&drawn)?;
            let Some(answer) = self.said_to_all(members.len(), field(&found, "seen"))? else { return Ok(false) };
            let answer = match answer {
                Said::Skip => return Ok(true),
                Said::OneByOne => return self.one_by_one(&ids),
                Said::Answer(answer) => answer,
            };
            match self.calls.post::<Value>(&format!("/v1/batches/{batch}/answer"), &answer) {
                Ok(answered) => {
                    let told = self.told_of_all(&answered);
                    self.tell(&told)?;
                    return Ok(true);
                }
                // Others have come, or somebody was quicker: what is open now is shown.
                Err(failure) => {
                    let told = format!("{}\n", failure.told(self.language));
                    self.tell(&told)?;
                }
            }
        }
    }

    fn all_drawn(&self, (agents, owner): (&str, &str), members: &[Value]) -> String {
        let count = members.len();
        let mut text = match self.language {
            Language::English => {
                format!("\nA lot is asked at once for {owner}, by {agents}. These {count} are put together:\n")
            }
            Language::Chinese => {
                format!("\n{agents} 一次为 {owner} 提出了大量请求，以下 {count} 个合并询问：\n")
            }
        };
        for (index, member) in members.iter().enumerate() {
            text.push_str(&format!("\n({}/{count}){}", index + 1, self.drawn(member)));
        }
        text
    }

    /// What the person says to all of them; none where they want to leave.
    fn said_to_all(&mut self, count: usize, seen: &str) -> Result<Option<Said>, Failure> {
        let question = match self.language {
            Language::English => format!("Approve all {count}? [n]o [y]es to all [o]ne by one s[k]ip [q]uit: "),
            Language::Chinese => {
                format!("全部 {count} 个都批准吗？n 全部拒绝，y 全部批准，o 逐个回答，k 跳过，q 退出：")
            }
        };
        let now = Instant::now();
        let until = now.checked_add(STAND_FOR).unwrap_or(now);
        loop {
            let line = match self.person.answer(&question, until).map_err(|error| Failure::read(&error))? {
                Reply::Line(line) => line,
                Reply::Late | Reply::Elsewhere => return Ok(Some(Said::Skip)),
                Reply::Ended => return Ok(None),
            };
            match line.to_lowercase().as_str() {
                "q" => return Ok(None),
                "k" => return Ok(Some(Said::Skip)),
                "o" => return Ok(Some(Said::OneByOne)),
                "y" | "yes" | "是" => return Ok(Some(Said::Answer(json!({"answer": "approve", "seen": seen})))),
                "n" | "no" | "否" => {
                    let words = self.words(until)?;
                    return Ok(Some(Said::Answer(json!({"answer": "deny", "seen": seen, "words": words}))));
                }
                _ => {}
            }
        }
    }

    fn one_by_one(&mut self, ids: &[String]) -> Result<bool, Failure> {
        for id in ids {
            if !self.asked(id)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn told_of_all(&self, answered: &Value) -> String {
        let mut text = String::new();
        for member in answered.as_array().into_iter().flatten() {
            let approval = member.get("approval").cloned().unwrap_or_default();
            let stage = field(&approval, "stage");
            let refused = member.get("refused").and_then(Value::as_str);
            let why = refused.map(|why| format!(" ({why})")).unwrap_or_default();
            let word = in_language(self.language, "is", "：");
            let operation = approval.get("operation").map(super::told).unwrap_or_default();
            text.push_str(&format!("{operation} {word} {stage}{why}\n"));
        }
        text
    }
}

/// What somebody says to all of them.
enum Said {
    Answer(Value),
    OneByOne,
    Skip,
}
