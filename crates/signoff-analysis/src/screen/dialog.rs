//! Dialogs: choices at the bottom of the screen, with what they are about above them.

use super::{
    Agent, View,
    block::{asks, look_for_imitation},
    choices::Choices,
    frame::{Frame, Kind},
    prompt::{Doubt, Key, Keys, Prompt, Reading, Subject, Waiting, WaitingFor},
    rows::{Screen, indent, is_fence, is_top},
    subject::Head,
};

/// A cursor may rest so many rows below the last row that is drawn.
const BELOW: usize = 2;
/// How many lines a question may be away from choices that nothing is drawn around.
const NEAR: usize = 4;

pub(super) fn read(screen: &Screen, view: &View<'_>) -> Option<Reading> {
    let frame = Frame::at_bottom_of(screen);
    let choices = match frame.kind {
        Kind::Barred => Choices::side_by_side(&frame.lines).or_else(|| Choices::at_end_of(&frame.lines)),
        Kind::Boxed | Kind::Ruled | Kind::Open => Choices::at_end_of(&frame.lines),
    }?;
    // Several marks are a quotation: in a list one choice is marked.
    if choices.marked.len() > 1 {
        return None;
    }
    let above = frame.lines.get(..choices.from)?;
    let mut doubts = Vec::new();
    let start = start(&frame, above, &mut doubts);
    let lines = above.get(start..)?;
    let head = head(&frame, lines);
    let from = frame.from + start;
    if let Some(cursor) = view.cursor
        && !(from + screen.above..frame.to + BELOW + screen.above).contains(&cursor.row)
    {
        return None;
    }
    let is_framed = frame.kind != Kind::Open
        || frame.has_hints
        || choices.name_keys() && choices.all.iter().all(|one| one.number.is_none());
    if !is_framed && let Some(reading) = unframed(&head, &choices, above)? {
        return Some(reading);
    }
    if !is_framed || choices.sign.is_none() && frame.kind != Kind::Barred {
        doubts.push(Doubt::Unframed);
    }
    if !frame.has_bottom || !choices.complete {
        doubts.push(Doubt::ChoicesCut);
    }
    if !frame.has_top && frame.kind != Kind::Open || !frame.is_straight {
        doubts.push(Doubt::TopCut);
    }
    let found = whose(screen, &frame, &choices);
    let agent = match (found, view.running) {
        (Some(Agent::Gemini), Some(Agent::Qwen)) => Some(Agent::Qwen),
        (found, running) => found.or(running),
    };
    if !found.is_some_and(|found| view.running.is_none_or(|running| found.may_be(running)))
        && view.running != Some(Agent::Unnamed)
    {
        doubts.push(Doubt::WhoseUnknown);
    }
    let subject = head.subject(&choices, &mut doubts);
    let is_question = matches!(subject, Subject::Question(_));
    if !is_question && !choices.is_permission(&subject) {
        return menu(found, &choices, &frame, from + screen.above..frame.to + screen.above);
    }
    let (yes, no) =
        if is_question { (None, Some(Keys::Press(vec![Key::Escape]))) } else { choices.keys(&subject, &mut doubts) };
    look_deeper(&head, &subject, &choices, &mut doubts);
    doubts.sort_unstable();
    doubts.dedup();
    Some(Reading::Prompt(Box::new(Prompt {
        agent,
        subject,
        question: head.question,
        highlighted: choices.highlighted(),
        choices: choices.all,
        yes,
        no,
        doubts,
        rows: from + screen.above..frame.to + screen.above,
    })))
}

/// Where the dialog begins in what stands above its choices. A box or a line says so; else it is the question, and it counts as the
/// beginning only if something above stands further left than any row of the dialog does: text inside the dialog cannot.
fn start(frame: &Frame<'_>, above: &[&str], doubts: &mut Vec<Doubt>) -> usize {
    match frame.kind {
        Kind::Boxed | Kind::Ruled => return 0,
        Kind::Barred => {
            let titles: Vec<usize> = above
                .iter()
                .enumerate()
                .filter(|(_, line)| line.trim_start().starts_with('△'))
                .map(|(place, _)| place)
                .collect();
            if titles.len() != 1 {
                doubts.push(if titles.is_empty() { Doubt::TopCut } else { Doubt::Imitation });
            }
            return titles.first().copied().unwrap_or(0);
        }
        Kind::Open => {}
    }
    let begins = |place: usize| {
        place.checked_sub(1).and_then(|before| above.get(before)).is_none_or(|line| line.trim().is_empty())
    };
    let questions: Vec<usize> =
        above.iter().enumerate().filter(|(place, line)| begins(*place) && asks(line)).map(|(place, _)| place).collect();
    // A box that holds what it is about stands above the question.
    let boxed = above.iter().rposition(|line| is_top(line)).filter(|top| above.len() - top < 40);
    let first = match (questions.as_slice(), boxed) {
        // The first of several, so that nothing which a second one follows is overlooked.
        ([first, ..], None) => *first,
        (_, Some(top)) => return top,
        ([], None) => {
            doubts.push(Doubt::TopCut);
            let end = above.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
            let gap = (0..end).rev().find(|place| above.get(*place).is_some_and(|line| line.trim().is_empty()));
            return titled(above, end, gap);
        }
    };
    if questions.len() > 1 {
        doubts.push(Doubt::Imitation);
    }
    let margin = above.get(first).map_or(0, |line| indent(line));
    let stands_left = |line: &&str| !line.trim().is_empty() && indent(line) < margin;
    if !above.get(..first).unwrap_or_default().iter().any(stands_left) {
        doubts.push(Doubt::TopCut);
    }
    first
}

/// The beginning of a dialog without a question as others ask it: the paragraphs above the choices that are indented like the last.
fn titled(above: &[&str], end: usize, gap: Option<usize>) -> usize {
    let Some(gap) = gap else { return 0 };
    let margin = above.get(end.saturating_sub(1)).map_or(0, |line| indent(line));
    let mut start = gap + 1;
    for place in (0..=gap).rev() {
        match above.get(place) {
            Some(line) if line.trim().is_empty() => {}
            Some(line) if indent(line) == margin && end - place < 20 => start = place,
            _ => break,
        }
    }
    start
}

/// The parts of what stands above the choices.
fn head<'s>(frame: &Frame<'s>, lines: &[&'s str]) -> Head<'s> {
    let mut titles = lines.iter().copied().filter(|line| !line.trim().is_empty() && !is_top(line));
    let title = titles.next().unwrap_or("");
    // A bar is headed by the same words for everything; what it is about stands below.
    let title = if frame.kind == Kind::Barred { titles.next().unwrap_or(title) } else { title };
    let title = title.trim_start_matches(['#', '→', '←', ' ']);
    let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let ends_with_question = |line: &str| line.trim_end().ends_with(['?', '？']);
    let mut first = end;
    // Behind the sign of a shell everything up to the choices is the command.
    let is_command = lines.iter().any(|line| line.trim_start().starts_with("$ "));
    if let Some(last) = end
        .checked_sub(1)
        .filter(|_| !is_command)
        .filter(|last| lines.get(*last).is_some_and(|line| ends_with_question(line)))
    {
        first = last;
        // A question that is longer than a row begins with a capital further up.
        let begins = |line: &str| {
            line.trim_start().chars().next().is_none_or(|letter| !letter.is_lowercase() && letter.is_alphabetic())
        };
        while first > 0 && last - first < 3 && lines.get(first).is_some_and(|line| !begins(line)) {
            let before = lines.get(first - 1).copied().unwrap_or_default();
            if before.trim().is_empty() || is_fence(before) {
                break;
            }
            first -= 1;
        }
    }
    let words = |rows: &[&str]| rows.iter().map(|row| row.trim()).collect::<Vec<_>>().join(" ");
    let (question, body) = if first < end {
        (lines.get(first..end).map(words), lines.get(..first))
    } else {
        // Some ask first and then say about what.
        let place = lines.iter().rposition(|line| asks(line) && (line.contains(['?', '？'])));
        let asked = place.filter(|_| frame.kind != Kind::Barred).and_then(|place| {
            let rows: Vec<&str> = lines.iter().skip(place).take(3).copied().collect();
            let until = rows.iter().position(|row| ends_with_question(row) || row.contains("? "))?;
            Some(words(rows.get(..=until)?))
        });
        (asked, lines.get(..end))
    };
    Head {
        body: body.unwrap_or_default().to_vec(),
        title,
        question,
        room: frame.room,
        is_open: frame.kind == Kind::Open,
    }
}

/// Choices that nothing is drawn around: another program's, or perhaps an agent's. None where they are a text that somebody reads.
fn unframed(head: &Head<'_>, choices: &Choices, lines: &[&str]) -> Option<Option<Reading>> {
    let asked =
        lines.iter().rev().filter(|line| !line.trim().is_empty()).take(NEAR).find(|line| line.contains(['?', '？']));
    let inquires = lines.iter().rev().take(NEAR).any(|line| line.starts_with("? "));
    let choice = Reading::Other(Waiting { program: None, what: WaitingFor::Choice });
    if inquires {
        return Some(Some(choice));
    }
    let numbered = choices.all.iter().all(|choice| choice.number.is_some());
    let question = asked.filter(|_| head.question.is_some())?;
    let place = lines.iter().rposition(|line| line == question)?;
    let before = lines.get(..place)?.iter().rev().find(|line| !line.trim().is_empty());
    if before.is_some_and(|line| line.trim_end().ends_with([':', '：'])) {
        return None;
    }
    if !numbered {
        return choices.is_permission(&Subject::Menu).then_some(Some(choice));
    }
    choices.is_permission(&Subject::Menu).then_some(None)
}

/// A list that one cannot refuse.
fn menu(agent: Option<Agent>, choices: &Choices, frame: &Frame<'_>, rows: std::ops::Range<usize>) -> Option<Reading> {
    choices.sign.filter(|_| frame.has_hints)?;
    if agent.is_none() {
        return Some(Reading::Other(Waiting { program: None, what: WaitingFor::Choice }));
    }
    Some(Reading::Prompt(Box::new(Prompt {
        agent,
        subject: Subject::Menu,
        question: None,
        choices: choices.all.clone(),
        highlighted: choices.highlighted(),
        yes: None,
        no: None,
        doubts: Vec::new(),
        rows,
    })))
}

/// What else speaks against answering: characters that deceive, and words around the subject that look like a dialog.
fn look_deeper(head: &Head<'_>, subject: &Subject, choices: &Choices, doubts: &mut Vec<Doubt>) {
    let deceives = |text: &str| crate::disguise::find(text).next().is_some();
    let labels = choices.all.iter().any(|choice| deceives(&choice.label));
    if labels || deceives(&subject.to_string()) || head.body.iter().any(|line| deceives(line)) {
        doubts.push(Doubt::Disguised);
    }
    let below_title = head.body.iter().copied().skip_while(|line| line.trim().is_empty()).skip(1);
    // Where the question is not the last line, it is one of these.
    let own = below_title.clone().position(|line| {
        head.question.as_deref().is_some_and(|asked| !line.trim().is_empty() && asked.starts_with(line.trim()))
    });
    let questions: Vec<&str> = below_title
        .enumerate()
        .filter(|(place, line)| asks(line) && Some(*place) != own)
        .map(|(_, line)| line)
        .collect();
    look_for_imitation(&questions, doubts);
    if head.body.iter().any(|line| super::choices::looks_like_choice(line) && line.contains(['❯', '›', '●'])) {
        doubts.push(Doubt::Imitation);
    }
}

fn whose(screen: &Screen, frame: &Frame<'_>, choices: &Choices) -> Option<Agent> {
    let labels: Vec<String> = choices.all.iter().map(|choice| choice.label.to_lowercase()).collect();
    let named =
        [("claude", Agent::Claude), ("codex", Agent::Codex), ("copilot", Agent::Copilot), ("qwen", Agent::Qwen)];
    let in_labels =
        named.iter().find(|(name, _)| labels.iter().any(|label| label.contains(name))).map(|(_, agent)| *agent);
    if in_labels.is_some() {
        return in_labels;
    }
    let on_screen = |name: &str| screen.rows.iter().any(|row| row.contains(name));
    match (choices.sign, frame.kind) {
        (None, Kind::Barred) => frame.lines.iter().any(|line| line.contains("△")).then_some(Agent::OpenCode),
        (Some('●'), Kind::Boxed) => Some(if on_screen("Qwen") { Agent::Qwen } else { Agent::Gemini }),
        (Some('›'), Kind::Boxed) if on_screen("Qwen") => Some(Agent::Qwen),
        (Some('›'), Kind::Open | Kind::Ruled) if frame.has_hints => Some(Agent::Codex),
        (Some('❯'), Kind::Boxed) if frame.has_hints_inside => Some(Agent::Copilot),
        (Some('❯'), Kind::Boxed | Kind::Ruled) => Some(Agent::Claude),
        (Some('❯'), Kind::Open) if frame.has_hints => Some(Agent::Claude),
        (Some('→' | '❯'), Kind::Open) if labels.iter().any(|label| label.contains("(y)")) => Some(Agent::Cursor),
        _ => None,
    }
}
