//! `signoff inbox`: open questions, and answers to them.

mod together;
mod watch;

use std::{
    collections::HashSet,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use signoff_card::{Language, visible};
use signoff_gate::Places;

use watch::Watch;

use super::{Calls, field, noticing, people::at_desk, seconds_until, told_differences};
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{InboxArguments, InboxCommand},
    judge::language,
    output::Output,
    person::{Person, Reply},
};

/// How often the list is looked at while nothing else happens.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// How long exactly the same is allowed where somebody answers so.
const GRANTED_FOR: Duration = Duration::from_secs(3_600);
/// How often the gateway is told that somebody is there.
const ATTEND_EVERY: Duration = Duration::from_secs(45);
/// How long a question stands on the screen before the list is looked at again.
const STAND_FOR: Duration = Duration::from_secs(3_600);

pub(crate) fn run(arguments: &InboxArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.desk.lang);
    let (person, calls) = at_desk(places, &arguments.desk, language)?;
    let columns = person.columns().unwrap_or(crate::output::COLUMNS);
    let (number, json) = (arguments.number.clone(), arguments.json);
    let mut desk = Desk { calls, person, language, columns, json, number };
    match &arguments.command {
        None | Some(InboxCommand::Follow) => desk.follow(),
        Some(InboxCommand::List { all }) => desk.list(*all, output),
        Some(InboxCommand::Show { id }) => desk.show(id, output),
        Some(InboxCommand::Approve { id }) => desk.answer(id, &json!({"answer": "approve"}), output),
        Some(InboxCommand::Deny { id, words }) => {
            desk.answer(id, &json!({"answer": "deny", "words": words.join(" ")}), output)
        }
        Some(InboxCommand::Answer { id, text }) => desk.answer_as_asked(id, text, output),
        Some(InboxCommand::Modify { id, operation }) => desk.modify(id, &operation.join(" "), output),
    }
}

/// A person with their open questions.
struct Desk {
    calls: Calls,
    person: Person,
    language: Language,
    columns: usize,
    json: bool,
    /// What was read on the screen of whoever asks, for answers of scripts.
    number: Option<String>,
}

impl Desk {
    fn open(&self) -> Result<Vec<Value>, Failure> {
        let page: Value = self.calls.get("/v1/approvals?stage=pending&limit=200")?;
        let mut open = page.get("approvals").and_then(Value::as_array).cloned().unwrap_or_default();
        // Who has waited longest comes first.
        open.reverse();
        Ok(open)
    }

    fn list(&self, all: bool, output: &mut Output) -> Result<(), Failure> {
        let approvals = if all {
            let page: Value = self.calls.get("/v1/approvals?limit=200")?;
            page.get("approvals").and_then(Value::as_array).cloned().unwrap_or_default()
        } else {
            self.open()?
        };
        if self.json {
            return output.text(&format!("{}\n", Value::Array(approvals)));
        }
        if approvals.is_empty() {
            return output.text(in_language(self.language, "Nothing is waiting.\n", "没有待答的问题。\n"));
        }
        for approval in &approvals {
            let operation = approval.get("operation").map(told).unwrap_or_default();
            let operation: String = operation.chars().take(self.columns.saturating_sub(4).max(20)).collect();
            let (agent, owner) = (visible(field(approval, "agent")), visible(field(approval, "owner")));
            let asker = match self.language {
                Language::English => format!("{agent} for {owner}"),
                Language::Chinese => format!("{agent}（为 {owner}）"),
            };
            output.text(&format!(
                "{}  {:<9} {:<8} {asker}\n    {operation}\n",
                field(approval, "id"),
                field(approval, "stage"),
                field(approval, "risk"),
            ))?;
        }
        Ok(())
    }

    fn fetched(&self, id: &str, detail: &str) -> Result<Value, Failure> {
        let id = self.whole(id)?;
        let (language, columns) = (self.language.name(), self.columns);
        self.calls.get(&format!("/v1/approvals/{id}?lang={language}&detail={detail}&columns={columns}"))
    }

    /// The id that its beginning or its end names.
    fn whole(&self, id: &str) -> Result<String, Failure> {
        let plain = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if plain && id.len() == 32 {
            return Ok(id.to_owned());
        }
        let open = self.open()?;
        let meant: Vec<&str> =
            open.iter().map(|approval| field(approval, "id")).filter(|known| plain && known.ends_with(id)).collect();
        match meant.as_slice() {
            [one] => Ok((*one).to_owned()),
            _ => Err(Failure::usage(
                format!("`{}` names no open question, or several", visible(id)),
                format!("`{}` 不是待答问题，或不唯一", visible(id)),
            )
            .hint("signoff inbox list shows them", "signoff inbox list 列出全部")),
        }
    }

    fn show(&self, id: &str, output: &mut Output) -> Result<(), Failure> {
        let approval = self.fetched(id, "full")?;
        if self.json {
            return output.text(&format!("{approval}\n"));
        }
        output.text(&self.drawn(&approval))
    }

    /// A question as people see it: the card that was drawn when it was asked, below who asks.
    fn drawn(&self, approval: &Value) -> String {
        let card = approval.get("card").map(|card| field(card, "text")).unwrap_or_default();
        let left = approval.get("until").and_then(Value::as_i64).map(seconds_until).unwrap_or_default().max(0);
        let (agent, directory) = (visible(field(approval, "agent")), visible(field(approval, "directory")));
        let owner = visible(field(approval, "owner"));
        let head = match self.language {
            Language::English => format!("{agent} asks for {owner}, in {directory} ({left} s left)"),
            Language::Chinese => format!("{agent} 为 {owner} 请求，于 {directory}（剩余 {left} 秒）"),
        };
        let votes = told_votes(approval, self.language);
        let differences = told_differences(approval);
        let differences = match self.language {
            _ if differences.is_empty() => differences,
            Language::English => format!("It was not run: it is no longer what was shown{differences}\n"),
            Language::Chinese => format!("未运行：已不是所展示的内容{differences}\n"),
        };
        format!("\n{head}\n{votes}{card}{differences}")
    }

    fn answer(&self, id: &str, answer: &Value, output: &mut Output) -> Result<(), Failure> {
        let id = self.whole(id)?;
        let answer = with_number(answer.clone(), self.number.as_deref());
        let answered: Value = self.calls.post(&format!("/v1/approvals/{id}/answer"), &answer)?;
        if self.json {
            return output.text(&format!("{answered}\n"));
        }
        output.text(&self.told_of(&answered))
    }

    fn told_of(&self, answered: &Value) -> String {
        let stage = answered.get("approval").map(|approval| field(approval, "stage")).unwrap_or_default();
        let missing = answered.get("missing").and_then(Value::as_u64).unwrap_or_default();
        if answered.get("asked_anew").and_then(Value::as_bool) == Some(true) {
            let id = answered.get("approval").map(|approval| field(approval, "id")).unwrap_or_default();
            return match self.language {
                Language::English => format!("Nobody was shown that: it is asked anew, as {id}.\n"),
                Language::Chinese => format!("改动后的内容尚未向任何人展示：已作为 {id} 重新提问。\n"),
            };
        }
        match (self.language, missing) {
            (Language::English, 0) => format!("It is {stage}.\n"),
            (Language::English, more) => format!("Heard. Yeses still missing: {more}.\n"),
            (Language::Chinese, 0) => format!("结果：{stage}。\n"),
            (Language::Chinese, more) => format!("已记录。还需 {more} 人同意。\n"),
        }
    }

    /// Answers a question in the form in which it is asked: a choice by its name, or a text that has to be typed.
    fn answer_as_asked(&self, id: &str, text: &str, output: &mut Output) -> Result<(), Failure> {
        let approval = self.fetched(id, "brief")?;
        let kind = approval.get("form").map(|form| field(form, "kind")).unwrap_or_default();
        let answer = match kind {
            "choice" => json!({"answer": "choose", "choice": text}),
            _ => json!({"answer": "input", "text": text}),
        };
        self.answer(field(&approval, "id"), &answer, output)
    }

    /// Says yes to something else instead.
    fn modify(&self, id: &str, text: &str, output: &mut Output) -> Result<(), Failure> {
        let approval = self.fetched(id, "brief")?;
        let answer = json!({"answer": "modify", "operation": instead(&approval, text)?});
        self.answer(field(&approval, "id"), &answer, output)
    }

    /// Shows each question as it comes, and asks.
    fn follow(&mut self) -> Result<(), Failure> {
        let mut seen: HashSet<String> = HashSet::new();
        let mut idle = false;
        self.be_there()?;
        loop {
            let open = self.open()?;
            let next = open.iter().find(|approval| !seen.contains(field(approval, "id")));
            let Some(next) = next else {
                if !idle {
                    let text = in_language(
                        self.language,
                        "Waiting for questions; Ctrl-C ends.\n",
                        "正在等待问题；Ctrl-C 结束。\n",
                    );
                    self.tell(text)?;
                    idle = true;
                }
                thread::sleep(LOOK_EVERY);
                continue;
            };
            if idle {
                // Somebody may be looking elsewhere.
                self.tell("\u{7}")?;
                noticing::on_desktop(self.language);
                idle = false;
            }
            let (id, batch) = (field(next, "id"), field(next, "batch"));
            seen.insert(id.to_owned());
            let stays = if batch.is_empty() { self.asked(id)? } else { self.asked_together(batch, &mut seen)? };
            if !stays {
                return Ok(());
            }
        }
    }

    /// Lets the gateway know that somebody is here, however long they look at one question. It ends with this process.
    fn be_there(&self) -> Result<(), Failure> {
        let calls = self.calls.beside()?;
        let look = move || {
            while calls.get::<Value>("/v1/me").is_ok() {
                thread::sleep(ATTEND_EVERY);
            }
        };
        thread::Builder::new().name("signoff-attend".to_owned()).spawn(look).map_err(|error| Failure::read(&error))?;
        Ok(())
    }

    /// Asks about one question. False where the person wants to leave.
    fn asked(&mut self, id: &str) -> Result<bool, Failure> {
        let approval = self.fetched(id, "brief")?;
        if field(&approval, "stage") != "pending" {
            return Ok(true);
        }
        let drawn = self.drawn(&approval);
        self.tell(&drawn)?;
        let watch = Watch::on(id, self.calls.beside()?)?;
        loop {
            let form = approval.get("form").cloned().unwrap_or_default();
            let question = self.question(&form);
            let now = Instant::now();
            let until = now.checked_add(STAND_FOR).unwrap_or(now);
            let reply = self.person.answer_beside(&question, until, Some(watch.bell()));
            let line = match reply.map_err(|error| Failure::read(&error))? {
                Reply::Line(line) => line,
                Reply::Late => return Ok(true),
                Reply::Elsewhere => {
                    self.tell_ended(id)?;
                    return Ok(true);
                }
                Reply::Ended => return Ok(false),
            };
            let word = line.to_lowercase();
            let offers = |choice: &str| {
                form.get("options").and_then(Value::as_array).is_some_and(|all| all.contains(&json!(choice)))
            };
            let answer = match (field(&form, "kind"), word.as_str()) {
                (_, "s") => {
                    let full = self.fetched(id, "full")?;
                    let drawn = self.drawn(&full);
                    self.tell(&drawn)?;
                    continue;
                }
                (_, "q") => return Ok(false),
                (_, "k") => return Ok(true),
                (_, "n" | "no" | "否") => json!({"answer": "deny", "words": self.words(until)?}),
                ("confirmation" | "choice", "m") => match self.instead(&approval, until)? {
                    Some(answer) => answer,
                    None => continue,
                },
                ("confirmation" | "choice", "g") => {
                    if self.granted(id)? {
                        return Ok(true);
                    }
                    continue;
                }
                ("confirmation", "y" | "yes" | "是") => json!({"answer": "approve"}),
                ("choice", "y" | "yes" | "是") if offers("go-ahead") => {
                    json!({"answer": "choose", "choice": "go-ahead"})
                }
                ("choice", "b") if offers("back-up-first") => json!({"answer": "choose", "choice": "back-up-first"}),
                ("input", _) if !line.is_empty() => json!({"answer": "input", "text": line}),
                _ => continue,
            };
            let answer = match self.numbered(&approval, answer, until)? {
                Some(answer) => answer,
                None => continue,
            };
            let answered: Result<Value, Failure> = self.calls.post(&format!("/v1/approvals/{id}/answer"), &answer);
            match answered {
                Ok(answered) => {
                    let told = self.told_of(&answered);
                    self.tell(&told)?;
                    return Ok(true);
                }
                Err(failure) => {
                    if self.is_over(id, &failure)? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Says what has become of a question while it stood here.
    fn tell_ended(&mut self, id: &str) -> Result<(), Failure> {
        let stage = field(&self.fetched(id, "brief")?, "stage").to_owned();
        let stage = visible(&stage);
        let told = match self.language {
            Language::English => format!("Nobody needs to answer it any more: it is {stage}.\n"),
            Language::Chinese => format!("已无需回答：{stage}。\n"),
        };
        self.tell(&told)
    }

    /// Asks for the number on the screen of whoever asks, where a yes needs it. None where nothing was typed.
    fn numbered(&mut self, approval: &Value, answer: Value, until: Instant) -> Result<Option<Value>, Failure> {
        let needs = approval.get("needs_number").and_then(Value::as_bool).unwrap_or(false);
        if !needs || field(&answer, "answer") == "deny" {
            return Ok(Some(answer));
        }
        let question = in_language(
            self.language,
            "The number on the screen of whoever asks (not from this card): ",
            "请求方屏幕上的数字（不要取自此卡片）：",
        );
        let reply = self.person.answer(question, until).map_err(|error| Failure::read(&error))?;
        Ok(match reply {
            Reply::Line(number) if !number.trim().is_empty() => Some(with_number(answer, Some(number.trim()))),
            Reply::Line(_) | Reply::Late | Reply::Ended | Reply::Elsewhere => None,
        })
    }

    /// Asks for the words that go with a no. There need not be any.
    fn words(&mut self, until: Instant) -> Result<String, Failure> {
        let question = in_language(self.language, "Words for the agent: ", "给智能体的话：");
        Ok(match self.person.answer(question, until).map_err(|error| Failure::read(&error))? {
            Reply::Line(words) => words,
            Reply::Late | Reply::Ended | Reply::Elsewhere => String::new(),
        })
    }

    /// Asks what is to be done instead. None where that is nothing.
    fn instead(&mut self, approval: &Value, until: Instant) -> Result<Option<Value>, Failure> {
        let question = in_language(self.language, "Do this instead: ", "改为执行：");
        let reply = self.person.answer(question, until).map_err(|error| Failure::read(&error))?;
        let Reply::Line(text) = reply else { return Ok(None) };
        if text.trim().is_empty() {
            return Ok(None);
        }
        match instead(approval, &text) {
            Ok(operation) => Ok(Some(json!({"answer": "modify", "operation": operation}))),
            Err(failure) => {
                let told = format!("{}\n", failure.told(self.language));
                self.tell(&told)?;
                Ok(None)
            }
        }
    }

    /// Allows exactly this, here, for an hour. False where the question stays open.
    fn granted(&mut self, id: &str) -> Result<bool, Failure> {
        let wanted = json!({"kind": "exact", "for_seconds": GRANTED_FOR.as_secs()});
        let granted: Result<Value, Failure> = self.calls.post(&format!("/v1/approvals/{id}/grant"), &wanted);
        match granted {
            Ok(granted) => {
                let grant = granted.get("grant").map(|grant| field(grant, "id").to_owned()).unwrap_or_default();
                let told = match self.language {
                    Language::English => {
                        format!("It is approved, and exactly this is allowed here for an hour (grant {grant}).\n")
                    }
                    Language::Chinese => format!("已批准；一小时内在此处允许完全相同的操作（授权 {grant}）。\n"),
                };
                self.tell(&told)?;
                Ok(true)
            }
            Err(failure) => self.is_over(id, &failure),
        }
    }

    /// Tells why an answer does not count, and whether the question is closed: it stays open, was decided by somebody else, or
    /// its time is over.
    fn is_over(&mut self, id: &str, failure: &Failure) -> Result<bool, Failure> {
        let told = format!("{}\n", failure.told(self.language));
        self.tell(&told)?;
        Ok(field(&self.fetched(id, "brief")?, "stage") != "pending")
    }

    fn question(&self, form: &Value) -> String {
        let has = |choice: &str| {
            form.get("options").and_then(Value::as_array).is_some_and(|all| all.contains(&json!(choice)))
        };
        let text = visible(field(form, "text"));
        match (self.language, field(form, "kind")) {
            (Language::English, "input") => {
                format!("Type `{text}` to approve, [n]o, [s]how everything, s[k]ip, [q]uit: ")
            }
            (Language::Chinese, "input") => format!("输入 `{text}` 批准；n 拒绝，s 全部显示，k 跳过，q 退出："),
            (Language::English, _) => format!(
                "Approve? [n]o{}{} [m]odify [g]rant for an hour [s]how everything s[k]ip [q]uit: ",
                if field(form, "kind") == "confirmation" || has("go-ahead") { " [y]es" } else { "" },
                if has("back-up-first") { " [b]ack up first" } else { "" },
            ),
            (Language::Chinese, _) => format!(
                "批准吗？n 拒绝{}{}，m 改为别的，g 一小时内允许，s 全部显示，k 跳过，q 退出：",
                if field(form, "kind") == "confirmation" || has("go-ahead") { "，y 批准" } else { "" },
                if has("back-up-first") { "，b 先备份" } else { "" },
            ),
        }
    }

    fn tell(&mut self, text: &str) -> Result<(), Failure> {
        self.person.tell(text).map_err(|error| Failure::read(&error))
    }
}

/// Who has said yes so far, and who has invited them: whoever makes accounts could be two people.
fn told_votes(approval: &Value, language: Language) -> String {
    let votes = approval.get("votes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let told = votes.iter().map(|vote| {
        let (person, by) = (visible(field(vote, "person")), visible(field(vote, "invited_by")));
        match language {
            _ if by.is_empty() || by == person => person,
            Language::English => format!("{person} (invited by {by})"),
            Language::Chinese => format!("{person}（由 {by} 邀请）"),
        }
    });
    let told: Vec<String> = told.collect();
    match language {
        _ if told.is_empty() => String::new(),
        Language::English => format!("Yes so far: {}\n", told.join(", ")),
        Language::Chinese => format!("已同意：{}\n", told.join("，")),
    }
}

/// An answer with the number that somebody has read; a no needs none.
fn with_number(mut answer: Value, number: Option<&str>) -> Value {
    let says_no = field(&answer, "answer") == "deny";
    if let (Some(object), Some(number), false) = (answer.as_object_mut(), number, says_no) {
        object.insert("number".to_owned(), json!(number));
    }
    answer
}

/// What is to be done instead of what a question is about: another text for the same shell, or an operation as JSON.
fn instead(approval: &Value, text: &str) -> Result<Value, Failure> {
    let asked = approval.get("operation").cloned().unwrap_or_default();
    if field(&asked, "kind") == "shell" {
        return Ok(json!({"kind": "shell", "cmd": text, "dialect": field(&asked, "dialect")}));
    }
    let read = serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
    read.ok_or_else(|| {
        Failure::usage("this is no operation as a JSON object", "这不是 JSON 对象形式的操作")
            .hint("signoff inbox show --json shows what was asked for", "signoff inbox show --json 显示原操作")
    })
}

/// An operation on one line.
pub(super) fn told(operation: &Value) -> String {
    let text = match field(operation, "kind") {
        "shell" => field(operation, "cmd").to_owned(),
        "file" => format!("{} {}", field(operation, "op"), field(operation, "path")),
        _ => field(operation, "tool").to_owned(),
    };
    visible(&text).replace('\n', " ")
}
