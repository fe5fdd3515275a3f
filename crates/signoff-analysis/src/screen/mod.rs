//! What waits for an answer on a terminal screen: an agent's own permission dialog, another program's question, or nothing.
//!
//! Everything on a screen was written by somebody, and much of it by those who want a yes. So a dialog is recognised by its
//! structure and its place, never by a phrase alone: it stands at the bottom of what is visible, with nothing below it but hints
//! about keys, and its choices are read by their labels. Whatever is not certain about it is said ([`Doubt`]), and a dialog with a
//! doubt is never answered without a person. Nothing here decides whether a command may run, and nothing presses a key.

mod agent;
mod block;
mod choices;
mod dialog;
mod foreign;
mod frame;
mod hints;
mod labels;
mod line_prompt;
mod prompt;
mod rows;
mod subject;
#[cfg(test)]
mod tests;
mod wraps;

pub use self::{
    agent::Agent,
    prompt::{Change, Choice, Doubt, Key, Keys, Prompt, Reading, Subject, Waiting, WaitingFor},
};

/// What is visible of a terminal: its rows without what has scrolled away, and what else is known.
#[derive(Clone, Debug, Default)]
pub struct View<'a> {
    /// The rows from the top, as `tmux capture-pane -p` prints them.
    pub rows: Vec<&'a str>,
    /// How many columns the terminal has.
    pub columns: Option<usize>,
    /// Where the cursor is. Without it the structure alone has to tell.
    pub cursor: Option<Cursor>,
    /// The agent that runs in the foreground, where the caller knows it. A hint: the screen is read all the same.
    pub running: Option<Agent>,
}

/// A place on the screen, counted from zero at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
}

impl<'a> View<'a> {
    /// The view of a captured text, of which nothing else is known.
    pub fn of(text: &'a str) -> Self {
        Self { rows: text.split('\n').collect(), ..Self::default() }
    }
}

/// Says what waits for an answer at the bottom of a screen.
pub fn read(view: &View<'_>) -> Reading {
    let screen = rows::Screen::of(view);
    if screen.is_blank() {
        return Reading::Nothing;
    }
    dialog::read(&screen, view).or_else(|| line_prompt::read(&screen, view)).unwrap_or(Reading::Nothing)
}
