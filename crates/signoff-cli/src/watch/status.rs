//! `signoff watch status`: what each agent does.

use serde_json::json;
use signoff_card::{Language, visible};
use signoff_gate::Places;
use signoff_watch::{happening::Remembered, status::survey, tmux::Trouble};

use super::{
    arguments::StatusArguments,
    failure,
    memory::{Memory, Paused},
    runtime, scope, sockets,
};
use crate::{
    failure::{Failure, in_language},
    output::{self, Output},
};

pub(super) fn run(
    arguments: &StatusArguments,
    places: &Places,
    output: &mut Output,
    language: Language,
) -> Result<(), Failure> {
    let (scope, memory) = (scope(&arguments.panes), Memory::at(places));
    let runtime = runtime()?;
    let mut agents = Vec::new();
    for socket in sockets(&arguments.panes.servers) {
        match runtime.block_on(survey(&socket, &scope)) {
            Ok(found) => agents.extend(found),
            Err(trouble @ Trouble::NoTmux(_)) => return Err(failure(&trouble)),
            // The others may be there.
            Err(trouble) => {
                output::note(&format!("{}: {}\n", visible(&socket.spoken()), visible(&trouble.to_string())))
            }
        }
    }
    let known = memory.known();
    let paused = memory.paused();
    let now = u64::try_from(signoff_store::system_clock()().millis()).unwrap_or_default();
    // An agent that has gone is told only by who has seen it.
    let gone = known.iter().filter(|known| known.state == "gone" && !agents.iter().any(|agent| is_same(agent, known)));
    let gone: Vec<Remembered> = gone.cloned().collect();
    agents.extend(gone);
    let rows: Vec<Row> = agents
        .into_iter()
        .map(|agent| {
            let remembered = known.iter().find(|known| is_same(&agent, known));
            let is_paused =
                paused.as_ref().is_none_or(|all| all.contains(&Paused::new(agent.socket.clone(), agent.pane.clone())));
            Row::new(agent, remembered, is_paused, now)
        })
        .collect();
    if arguments.json {
        let all: Vec<_> = rows.iter().map(Row::object).collect();
        return output.text(&format!("{}\n", json!(all)));
    }
    if rows.is_empty() {
        return output.text(in_language(
            language,
            "No agent runs in tmux here.\n",
            "此处没有在 tmux 中运行的智能体。\n",
        ));
    }
    output.text(&table(&rows, language))
}

fn is_same(one: &Remembered, other: &Remembered) -> bool {
    (&one.socket, &one.pane) == (&other.socket, &other.pane)
}

/// What is told about one agent.
struct Row {
    agent: Remembered,
    watched: bool,
    paused: bool,
    waits_ms: Option<u64>,
}

impl Row {
    /// What is seen now counts; a watcher knows since when, and what was done about it.
    fn new(mut agent: Remembered, remembered: Option<&Remembered>, paused: bool, now: u64) -> Self {
        if let Some(remembered) = remembered {
            let agrees = remembered.what == agent.what && remembered.state != "gone";
            if agrees && (agent.state == remembered.state || remembered.state == "stuck") {
                agent.state.clone_from(&remembered.state);
                agent.since = remembered.since;
            }
            agent.note = remembered.note.clone().or(agent.note);
        }
        let waits_ms = agent.since.map(|since| now.saturating_sub(since));
        Self { agent, watched: remembered.is_some(), paused, waits_ms }
    }

    fn object(&self) -> serde_json::Value {
        let Remembered { name, socket, pane, place, program, state, what, note, .. } = &self.agent;
        json!({
            "agent": name, "pane": pane, "place": place, "tmux": socket, "program": program, "state": state, "waiting_for": what,
            "waiting_ms": self.waits_ms, "note": note, "watched": self.watched, "paused": self.paused,
        })
    }

    fn cells(&self, language: Language) -> [String; 6] {
        let agent = &self.agent;
        let state = match (agent.state.as_str(), language) {
            (state, Language::English) => state.to_owned(),
            ("idle", _) => "空闲".to_owned(),
            ("working", _) => "工作中".to_owned(),
            ("waiting", _) => "等待".to_owned(),
            ("stuck", _) => "卡住".to_owned(),
            ("gone", _) => "已退出".to_owned(),
            (other, _) => other.to_owned(),
        };
        let long =
            self.waits_ms.map(|ms| humantime::format_duration(std::time::Duration::from_secs(ms / 1000)).to_string());
        let mut notes: Vec<String> = agent.note.iter().map(|note| visible(note)).collect();
        if self.paused {
            notes.push(in_language(language, "paused", "已暂停").to_owned());
        }
        let what = agent.what.as_deref().map(visible).unwrap_or_default();
        let notes =
            if notes.is_empty() { what } else { format!("{what} [{}]", notes.join(", ")).trim_start().to_owned() };
        [
            visible(&agent.name),
            format!("{} {}", agent.pane, visible(&agent.place)),
            agent.program.as_deref().map(visible).unwrap_or_default(),
            state,
            long.unwrap_or_else(|| "–".to_owned()),
            notes,
        ]
    }
}

fn table(rows: &[Row], language: Language) -> String {
    let head = match language {
        Language::English => ["AGENT", "PANE", "PROGRAM", "STATE", "FOR", "WAITING FOR"],
        Language::Chinese => ["智能体", "窗格", "程序", "状态", "时长", "等待内容"],
    };
    let mut lines = vec![head.map(str::to_owned)];
    lines.extend(rows.iter().map(|row| row.cells(language)));
    let width = |text: &str| text.chars().map(|letter| if u32::from(letter) >= 0x2e80 { 2 } else { 1 }).sum::<usize>();
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            lines.iter().filter_map(|line| line.get(column)).map(|cell| width(cell)).max().unwrap_or_default()
        })
        .collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line
            .iter()
            .zip(&widths)
            .map(|(cell, wide)| format!("{cell}{}", " ".repeat(wide.saturating_sub(width(cell)))));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}
