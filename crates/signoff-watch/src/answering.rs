//! Typing an answer: into exactly the dialog that was judged, key by key, and never again where it was not taken.
//!
//! Before each key the pane is looked at once more, and tmux types only if the pane is still what was seen then ([`guard`]). After each key something has to
//! be seen: that the dialog has gone, that the mark has moved, or that what was typed stands there. An Enter is never sent on trust.

use std::time::Duration;

use signoff_analysis::screen::{Key, Keys, Prompt};
use signoff_facts::{Foreground, foreground_of};
use tokio::time::{Instant, sleep};

use crate::{
    reading::{Dialog, Sight, read},
    tmux::{Command, Link, PaneId, Snapshot, guard},
    unread::unread,
};

/// So long a key may take until its effect is seen.
const TAKEN_WITHIN: Duration = Duration::from_millis(2_000);
/// So long a digit may take to act by itself, before Enter is thought of.
const ACTS_WITHIN: Duration = Duration::from_millis(900);
/// So often the look and the key may miss each other.
const TRIES: usize = 3;
/// The longest pause between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(80);

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// It was typed, and the dialog has gone.
    Taken,
    /// Nothing was typed: the pane is not what was judged.
    Changed,
    /// Nothing was typed: it kept changing under the key.
    Restless,
    /// Nothing was typed: it cannot be told which keys would do it.
    NoKeys,
    /// Something was typed, and the dialog is still there, or nobody knows.
    NotTaken,
}

/// What is pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stroke {
    Text(String),
    Named(&'static str),
}

/// What has to be seen afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Effect {
    /// The dialog has gone.
    Gone,
    /// The dialog has gone; or, after a while, its mark stands at this choice, which Enter then takes.
    GoneOrMarked(Option<usize>),
    /// The mark stands at this choice.
    Marked(usize),
    /// What was typed stands behind the question.
    Echo(String),
}

/// The strokes of an answer. None where keys depend on something that was not seen.
fn strokes(keys: &Keys, prompt: &Prompt) -> Option<Vec<(Stroke, Effect)>> {
    match keys {
        Keys::Line(text) if !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric()) => {
            Some(vec![(Stroke::Text(text.clone()), Effect::Echo(text.clone())), (Stroke::Named("Enter"), Effect::Gone)])
        }
        Keys::Line(_) => None,
        Keys::Press(keys) => match keys.as_slice() {
            [Key::Character(letter)] if letter.is_ascii_alphanumeric() => {
                let number = letter.to_digit(10);
                let is_chosen = |choice: &signoff_analysis::screen::Choice| number.is_some() && choice.number == number;
                let choice = prompt.choices.iter().position(is_chosen);
                Some(vec![(Stroke::Text(letter.to_string()), Effect::GoneOrMarked(choice))])
            }
            [Key::Escape] => Some(vec![(Stroke::Named("Escape"), Effect::Gone)]),
            [steps @ .., Key::Enter] => {
                let mut at = prompt.highlighted?;
                let mut all = Vec::new();
                for step in steps {
                    at = match step {
                        Key::Up | Key::Left => at.checked_sub(1)?,
                        Key::Down | Key::Right => at + 1,
                        Key::Character(_) | Key::Enter | Key::Escape => return None,
                    };
                    all.push((Stroke::Named(step.tmux_name()?), Effect::Marked(at)));
                }
                all.push((Stroke::Named("Enter"), Effect::Gone));
                (at < prompt.choices.len()).then_some(all)
            }
            _ => None,
        },
    }
}

/// A pane whose dialog is answered.
pub struct Pane<'p> {
    /// The way to its server.
    pub link: &'p Link,
    /// Which.
    pub pane: PaneId,
    /// What the agent in it is called.
    pub agent: &'p str,
    /// Its process.
    pub process: u32,
}

impl Pane<'_> {
    /// Types keys into a dialog.
    pub async fn answer(&self, dialog: &Dialog, keys: &Keys) -> Typed {
        let Some(strokes) = strokes(keys, &dialog.prompt) else { return Typed::NoKeys };
        let mut has_typed = false;
        let mut typed_there: Option<(Snapshot, String)> = None;
        for (stroke, effect) in strokes {
            let sent = self.stroke(dialog, &stroke, typed_there.as_ref()).await;
            match sent {
                Ok(before) => {
                    has_typed = true;
                    if !self.is_seen(dialog, &effect, &before).await {
                        return Typed::NotTaken;
                    }
                    typed_there = match effect {
                        Effect::Echo(text) => Some((before, text)),
                        Effect::Gone | Effect::GoneOrMarked(_) | Effect::Marked(_) => None,
                    };
                }
                Err(_) if has_typed => return Typed::NotTaken,
                Err(nothing) => return nothing,
            }
        }
        Typed::Taken
    }

    /// Whether the dialog is still there, as it was judged.
    pub async fn is_there(&self, dialog: &Dialog) -> bool {
        self.same(dialog).await.is_some()
    }

    /// Presses one key, if the pane is what it has to be. Gives back how it was right before.
    async fn stroke(
        &self,
        dialog: &Dialog,
        stroke: &Stroke,
        echo: Option<&(Snapshot, String)>,
    ) -> Result<Snapshot, Typed> {
        for _ in 0..TRIES {
            let seen = match echo {
                None => self.same(dialog).await.map(|(seen, now)| (seen, now.prompt.rows)),
                Some((before, text)) => self.echoed(before, text).await.map(|seen| {
                    let rows = dialog.prompt.rows.clone();
                    (seen, rows)
                }),
            };
            let Some((seen, rows)) = seen else { return Err(Typed::Changed) };
            match self.send(&seen, rows, stroke).await {
                Some(true) => return Ok(seen),
                Some(false) => {}
                // Nobody knows whether it was typed.
                None => return Err(Typed::NotTaken),
            }
        }
        Err(Typed::Restless)
    }

    /// The pane, if the dialog in it is still the one that was judged and keys reach the agent that it is of.
    async fn same(&self, dialog: &Dialog) -> Option<(Snapshot, Dialog)> {
        let seen = Snapshot::of(self.link, self.pane).await.ok()?;
        if !seen.takes_keys() || !self.has_terminal(&seen) {
            return None;
        }
        match read(&seen, self.agent) {
            Sight::Dialog(now) if now.fingerprint == dialog.fingerprint => Some((seen, *now)),
            Sight::Dialog(_) | Sight::Other(_) | Sight::Nothing => None,
        }
    }

    fn has_terminal(&self, seen: &Snapshot) -> bool {
        matches!(foreground_of(seen.pid), Foreground::Agent(agent) if agent.pid == self.process && agent.name == self.agent)
    }

    /// The pane, if nothing has changed in it but that a text stands behind the cursor.
    async fn echoed(&self, before: &Snapshot, text: &str) -> Option<Snapshot> {
        let seen = Snapshot::of(self.link, self.pane).await.ok()?;
        (seen.takes_keys() && self.has_terminal(&seen) && is_echo(before, &seen, text)).then_some(seen)
    }

    /// Has tmux type something if the pane is what was seen. None where nobody knows.
    async fn send(&self, seen: &Snapshot, rows: std::ops::Range<usize>, stroke: &Stroke) -> Option<bool> {
        let pane = self.pane.to_string();
        let keys = match stroke {
            Stroke::Text(text) => format!("send-keys -t {pane} -l {text}"),
            Stroke::Named(key) => format!("send-keys -t {pane} {key}"),
        };
        let then = format!("{keys} ; display-message -p typed");
        let command = ["if-shell", "-F", "-t", &pane, &guard(seen, rows), &then, "display-message -p kept"];
        let blocks = self.link.run(&vec![Command::new(command)]).await.ok()?;
        let said = |word: &str| blocks.iter().any(|block| block.lines.as_slice() == [word]);
        match (said("typed"), said("kept")) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// Waits until something is seen, for a bounded time.
    async fn is_seen(&self, dialog: &Dialog, effect: &Effect, before: &Snapshot) -> bool {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(10);
        loop {
            sleep(pause).await;
            pause = (pause * 2).min(LOOK_AGAIN);
            // A pane that has gone has taken its dialog with it, and nobody knows what it did.
            let Ok(seen) = Snapshot::of(self.link, self.pane).await else { return false };
            let now = match read(&seen, self.agent) {
                Sight::Dialog(now) if now.fingerprint == dialog.fingerprint => Some(now.prompt),
                Sight::Dialog(_) | Sight::Other(_) | Sight::Nothing => None,
            };
            match (effect, &now) {
                // Behind a line that was typed the question stays, and is none any more once the cursor has left it.
                (Effect::Gone, None)
                    if seen.cursor.1 != before.cursor.1
                        || seen.history != before.history
                        || seen.rows != before.rows =>
                {
                    return true;
                }
                (Effect::GoneOrMarked(_), None) => return true,
                (Effect::Marked(at), Some(prompt)) if prompt.highlighted == Some(*at) => return true,
                (Effect::Echo(text), _) if is_echo(before, &seen, text) => return true,
                (Effect::GoneOrMarked(Some(at)), Some(prompt)) if begun.elapsed() >= ACTS_WITHIN => {
                    return prompt.highlighted == Some(*at) && self.enter(dialog).await;
                }
                _ => {}
            }
            if begun.elapsed() >= TAKEN_WITHIN {
                return false;
            }
        }
    }

    /// Takes the choice that a digit has marked. Only where the digit was read: otherwise it would act later, and Enter in whatever comes then.
    async fn enter(&self, dialog: &Dialog) -> bool {
        if unread(self.process) != Some(0) {
            return false;
        }
        match self.stroke(dialog, &Stroke::Named("Enter"), None).await {
            Ok(before) => Box::pin(self.is_seen(dialog, &Effect::Gone, &before)).await,
            Err(_) => false,
        }
    }
}

/// Whether the only difference between two moments is that a text stands where the cursor was.
fn is_echo(before: &Snapshot, now: &Snapshot, text: &str) -> bool {
    let ((column, row), length) = (before.cursor, text.chars().count());
    let same = |at: usize| before.rows.get(at) == now.rows.get(at);
    let typed = before.rows.get(row).zip(now.rows.get(row)).is_some_and(|(was, is)| {
        // Blanks at the end of a row are not shown.
        is.strip_prefix(was.as_str()).is_some_and(|rest| rest.trim_start() == text)
    });
    now.cursor == (column + length, row)
        && now.history == before.history
        && before.rows.len() == now.rows.len()
        && (0..now.rows.len()).all(|at| at == row || same(at))
        && typed
}

/// What a person types instead, ready to be pasted.
pub fn by_hand(socket: &crate::tmux::Socket, pane: PaneId, keys: &Keys) -> String {
    let tmux = socket.spoken();
    let literal = |text: &str| format!("{tmux} send-keys -t {pane} -l {}", crate::tmux::quoted(text));
    match keys {
        Keys::Line(text) => format!("{} && {tmux} send-keys -t {pane} Enter", literal(text)),
        Keys::Press(keys) => match keys.as_slice() {
            [Key::Character(letter)] => literal(&letter.to_string()),
            keys => {
                let names: Vec<String> =
                    keys.iter().map(|key| key.tmux_name().map_or_else(|| key.to_string(), str::to_owned)).collect();
                format!("{tmux} send-keys -t {pane} {}", names.join(" "))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use signoff_analysis::screen::{Choice, Subject};

    use super::*;
    use crate::tmux::Socket;

    fn prompt(choices: &[(Option<u32>, &str)], highlighted: Option<usize>) -> Prompt {
        Prompt {
            agent: None,
            subject: Subject::Shell("ls".to_owned()),
            question: None,
            choices: choices
                .iter()
                .map(|(number, label)| Choice { number: *number, label: (*label).to_owned() })
                .collect(),
            highlighted,
            yes: None,
            no: None,
            doubts: Vec::new(),
            rows: 0..1,
        }
    }

    #[test]
    fn an_enter_follows_only_what_can_be_seen() {
        let numbered = prompt(&[(Some(1), "Yes"), (Some(2), "No")], Some(1));
        let press = |keys: &[Key]| Keys::Press(keys.to_vec());
        let text = |text: &str| Stroke::Text(text.to_owned());
        assert_eq!(
            strokes(&press(&[Key::Character('1')]), &numbered),
            Some(vec![(text("1"), Effect::GoneOrMarked(Some(0)))])
        );
        assert_eq!(
            strokes(&press(&[Key::Character('y')]), &numbered),
            Some(vec![(text("y"), Effect::GoneOrMarked(None))])
        );
        assert_eq!(
            strokes(&press(&[Key::Up, Key::Enter]), &numbered),
            Some(vec![(Stroke::Named("Up"), Effect::Marked(0)), (Stroke::Named("Enter"), Effect::Gone)])
        );
        assert_eq!(
            strokes(&Keys::Line("yes".to_owned()), &numbered),
            Some(vec![(text("yes"), Effect::Echo("yes".to_owned())), (Stroke::Named("Enter"), Effect::Gone)])
        );
        let unmarked = prompt(&[(None, "Yes"), (None, "No")], None);
        for (keys, prompt) in [
            // Nobody sees what Enter would take.
            (press(&[Key::Enter]), &unmarked),
            (press(&[Key::Down, Key::Enter]), &unmarked),
            // There is nothing below the last one, and nothing above the first.
            (press(&[Key::Down, Key::Enter]), &numbered),
            (press(&[Key::Up, Key::Up, Key::Enter]), &numbered),
            (press(&[Key::Character('1'), Key::Enter]), &numbered),
            (press(&[Key::Character(';')]), &numbered),
            (press(&[]), &numbered),
            (Keys::Line("y; kill-server".to_owned()), &numbered),
            (Keys::Line(String::new()), &numbered),
        ] {
            assert_eq!(strokes(&keys, prompt), None, "{keys:?}");
        }
    }

    fn moment(rows: &[&str], cursor: (usize, usize)) -> Snapshot {
        Snapshot {
            pane: PaneId::parse("%1").unwrap(),
            rows: rows.iter().map(|row| (*row).to_owned()).collect(),
            width: 40,
            height: rows.len(),
            cursor,
            cursor_shown: true,
            history: 0,
            in_mode: false,
            dead: false,
            synchronized: false,
            input_off: false,
            alternate: false,
            pid: 7,
        }
    }

    #[test]
    fn an_echo_is_what_was_typed_and_nothing_else() {
        let before = moment(&["Run it?", "(y/n)"], (6, 1));
        assert!(is_echo(&before, &moment(&["Run it?", "(y/n) yes"], (9, 1)), "yes"));
        for (why, now) in [
            ("nothing", moment(&["Run it?", "(y/n)"], (6, 1))),
            ("something else", moment(&["Run it?", "(y/n) no"], (8, 1))),
            ("more", moment(&["Run it?", "(y/n) yesyes"], (12, 1))),
            ("another question", moment(&["Drop it?", "(y/n) yes"], (9, 1))),
            ("the cursor is elsewhere", moment(&["Run it?", "(y/n) yes"], (9, 0))),
        ] {
            assert!(!is_echo(&before, &now, "yes"), "{why}");
        }
    }

    #[test]
    fn what_a_person_pastes_is_for_that_pane_and_that_form() {
        let (socket, pane) = (Socket::Named("swarm".to_owned()), PaneId::parse("%3").unwrap());
        for (keys, expected) in [
            (Keys::Press(vec![Key::Character('1')]), "tmux -L swarm send-keys -t %3 -l 1"),
            (
                Keys::Line("yes".to_owned()),
                "tmux -L swarm send-keys -t %3 -l yes && tmux -L swarm send-keys -t %3 Enter",
            ),
            (Keys::Press(vec![Key::Down, Key::Enter]), "tmux -L swarm send-keys -t %3 Down Enter"),
            (Keys::Press(vec![Key::Escape]), "tmux -L swarm send-keys -t %3 Escape"),
        ] {
            assert_eq!(by_hand(&socket, pane, &keys), expected);
        }
    }
}
