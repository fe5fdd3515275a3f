//! Questions that are answered by typing a word in the last row.

use super::{
    Agent, View,
    block::look_for_imitation,
    foreign,
    prompt::{Change, Choice, Doubt, Keys, Prompt, Reading, Subject, Waiting, WaitingFor},
    rows::{Screen, width},
    wraps::{self, Room},
};

/// How a question wants to be answered.
struct Form {
    yes: &'static str,
    no: &'static str,
    default_is_no: bool,
    /// The words of the question.
    question: String,
    /// Whether it is written as Aider writes it, by `(Y)es/(N)o`.
    spelt_out: bool,
}

/// The forms, in small letters. Which letter is the default is told by its being a capital.
const FORMS: &[(&str, &str, &str)] =
    &[("yes/no", "yes", "no"), ("y/n", "y", "n"), ("[y]/n", "y", "n"), ("y/[n]", "y", "n")];

pub(super) fn read(screen: &Screen, view: &View<'_>) -> Option<Reading> {
    let last = screen.rows.len().checked_sub(1)?;
    let row = screen.row(last).trim();
    if let Some(cursor) = view.cursor
        && (cursor.row != last + screen.above || cursor.column < width(screen.row(last)))
    {
        return None;
    }
    if let Some(waiting) = foreign::waiting(screen) {
        return Some(Reading::Other(waiting));
    }
    let form = form(row)?;
    let Some(agent) = asker(screen, view, &form) else {
        let program = foreign::program(screen);
        return Some(Reading::Other(Waiting { program, what: WaitingFor::Confirmation }));
    };
    let mut doubts = Vec::new();
    let (subject, from) = subject(screen, last, &form, view.running.is_some(), &mut doubts);
    if form.default_is_no {
        doubts.push(Doubt::DefaultIsNo);
    }
    if agent.is_none() {
        doubts.push(Doubt::WhoseUnknown);
    }
    if crate::disguise::find(&subject.to_string()).next().is_some() {
        doubts.push(Doubt::Disguised);
    }
    doubts.sort_unstable();
    doubts.dedup();
    let choice = |label: &str| Choice { number: None, label: label.to_owned() };
    Some(Reading::Prompt(Box::new(Prompt {
        agent,
        subject,
        question: Some(form.question.clone()),
        choices: vec![choice(form.yes), choice(form.no)],
        highlighted: None,
        yes: Some(Keys::Line(form.yes.to_owned())),
        no: Some(Keys::Line(form.no.to_owned())),
        doubts,
        rows: from + screen.above..last + 1 + screen.above,
    })))
}

/// The form of a question, if the row is one that still waits.
fn form(row: &str) -> Option<Form> {
    if let Some((question, rest)) = row.split_once("(Y)es/(N)o") {
        let waits = rest.ends_with("]:") || rest.ends_with(':') || rest.is_empty();
        let default_is_no = rest.to_lowercase().contains("[no]");
        let question = question.trim().to_owned();
        return waits.then_some(Form { yes: "y", no: "n", default_is_no, question, spelt_out: true });
    }
    let open = row.trim_end_matches([':', '：', '?', '？', '>', '›', ' ']);
    let open = open.strip_suffix([')', ']']).unwrap_or(open);
    let lower = open.to_lowercase();
    for (written, yes, no) in FORMS {
        let Some(before) = lower.strip_suffix(written) else { continue };
        let at = before.len();
        let (Some(question), Some(choice)) = (open.get(..at), open.get(at..)) else { continue };
        let apart = question.is_empty() || question.ends_with(['(', '[', ' ']);
        let question = question.trim_end_matches(['(', '[', ' ', '›', '>']).trim();
        if !apart || question.is_empty() {
            continue;
        }
        let default_is_no = choice.contains("/N") || choice.contains("[n]");
        return Some(Form { yes, no, default_is_no, question: question.to_owned(), spelt_out: false });
    }
    let lower = row.to_lowercase();
    let plan = ["proceed with this plan", "按此计划执行", "执行此计划"].iter().any(|words| lower.contains(words));
    let asks = row.ends_with(['?', '？', ':', '：']);
    (plan && asks && width(row) < 100).then(|| Form {
        yes: "yes",
        no: "no",
        default_is_no: false,
        question: row.to_owned(),
        spelt_out: false,
    })
}

/// Words by which an agent asks, and hardly another program.
const OF_AGENTS: &[&str] = &[
    "this plan",
    "the plan",
    "command",
    "tool",
    "allow",
    "approve",
    "permission",
    "this edit",
    "edits",
    "this change",
    "these changes",
    "execute",
    "agent",
    "the following",
    "create file",
    "edit file",
    "write file",
    "read file",
    "modify file",
    "delete file",
    "create the",
    "write to",
    "run `",
    "计划",
    "命令",
    "允许",
    "批准",
    "工具",
    "代理",
];

/// Whose question it is: none where another program asks, and none inside where an agent does that has no name here.
fn asker(screen: &Screen, view: &View<'_>, form: &Form) -> Option<Option<Agent>> {
    if form.spelt_out {
        return Some(Some(Agent::Aider));
    }
    if let Some(running) = view.running {
        return running.asks_in_lines().then_some(Some(running));
    }
    let lower = form.question.to_lowercase();
    let launched = screen.rows.iter().rev().find_map(|row| foreign::typed(row));
    let by_agent = launched.as_deref().map(Agent::from_name);
    let says = OF_AGENTS.iter().any(|words| lower.contains(words));
    let foreign = lower.starts_with("? ") || lower.contains("will be lost") || foreign::program(screen).is_some();
    match by_agent {
        Some(Some(agent)) if agent.asks_in_lines() => Some(Some(agent)),
        Some(_) => None,
        None => (says && !foreign).then_some(None),
    }
}

/// What a question in a line is about, with the row that it begins in.
fn subject(screen: &Screen, last: usize, form: &Form, is_known: bool, doubts: &mut Vec<Doubt>) -> (Subject, usize) {
    let lower = form.question.to_lowercase();
    let (above, from) = paragraph_above(screen, last);
    if form.spelt_out {
        let named = above.last().map_or("", |row| row.trim()).to_owned();
        let about = |wanted: &str| lower.contains(wanted);
        if about("shell command") {
            // Nothing says where the command begins: a blank line may be part of it.
            doubts.push(Doubt::NotTold);
            look_for_imitation(&above, doubts);
            let rows: Vec<&str> = above.iter().map(|row| row.trim_end()).collect();
            return (
                Subject::Shell(wraps::join(&rows, screen.columns.map_or(Room::AtLeast(0), Room::Exactly), doubts)),
                from,
            );
        }
        if above.len() != 1 || named.contains(char::is_whitespace) {
            doubts.push(Doubt::NotTold);
        }
        let file = |change| Subject::File { change, path: named.clone(), shown: Vec::new() };
        let subject = if about("create new file") {
            file(Change::Create)
        } else if about("allow edits") || about("edit the file") {
            doubts.push(Doubt::NotTold);
            file(Change::Edit)
        } else if about("add file") || about("add url") || about("to the chat") {
            Subject::Mention(named)
        } else {
            Subject::Unknown(form.question.clone())
        };
        return (subject, from);
    }
    if !is_known {
        doubts.push(Doubt::Unframed);
    }
    if lower.contains("overwrite") || lower.contains("覆盖") {
        let path = quoted(&form.question).unwrap_or_default();
        return (Subject::File { change: Change::Overwrite, path, shown: Vec::new() }, last);
    }
    if lower.contains("plan") || lower.contains("计划") {
        // What the plan says may have scrolled away.
        doubts.push(Doubt::NotTold);
        return (Subject::Plan(String::new()), last);
    }
    let runs = ["run", "execute", "command", "命令", "执行"].iter().any(|word| lower.contains(word));
    if let Some(command) = quoted(&form.question).filter(|_| runs) {
        return (Subject::Shell(command), last);
    }
    // The command stands behind a colon, in the question or in the row above it.
    let behind = |text: &str| text.split_once(": ").map(|(_, command)| command.trim_end_matches(['?', ' ']).to_owned());
    let above = above.last().map_or("", |row| row.trim());
    let command =
        behind(&form.question).or_else(|| above.strip_prefix("$ ").map(str::to_owned)).or_else(|| behind(above));
    if let Some(command) = command.filter(|command| runs && !command.is_empty()) {
        doubts.push(Doubt::NotTold);
        return (Subject::Shell(command), last);
    }
    (Subject::Unknown(form.question.clone()), last)
}

/// The rows right above the question, up to a blank one.
fn paragraph_above(screen: &Screen, last: usize) -> (Vec<&str>, usize) {
    let mut from = last;
    while from > 0 && screen.row(from - 1).trim().is_empty() {
        from -= 1;
    }
    let end = from;
    while from > 0 && !screen.row(from - 1).trim().is_empty() {
        from -= 1;
    }
    ((from..end).map(|row| screen.row(row)).collect(), from)
}

/// What stands between back-ticks, if there is one such pair.
fn quoted(text: &str) -> Option<String> {
    let mut parts = text.split('`');
    let (_, inner, _) = (parts.next()?, parts.next()?, parts.next()?);
    (parts.next().is_none() && !inner.is_empty()).then(|| inner.to_owned())
}
