//! Lines of text with or without colour.

use super::Colour;

/// How something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Quiet,
    Good,
    Careful,
    Bad,
    /// For a line that goes.
    Gone,
    /// For what would not be seen by itself.
    Revealed,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Quiet => "\x1b[2m",
            Self::Good => "\x1b[32m",
            Self::Careful => "\x1b[1;33m",
            Self::Bad => "\x1b[1;31m",
            Self::Gone => "\x1b[31m",
            Self::Revealed => "\x1b[7;35m",
        }
    }
}

/// What is being written: one line at a time, which goes to whoever takes it.
pub(super) struct Paper<'p> {
    hand_over: &'p mut dyn FnMut(&str),
    text: String,
    line: Vec<(Ink, String)>,
    colour: Colour,
}

impl<'p> Paper<'p> {
    pub(super) fn new(colour: Colour, hand_over: &'p mut dyn FnMut(&str)) -> Self {
        Self { hand_over, text: String::new(), line: Vec::new(), colour }
    }

    pub(super) fn write(&mut self, ink: Ink, text: &str) {
        match self.line.last_mut() {
            Some((last, written)) if *last == ink => written.push_str(text),
            _ => self.line.push((ink, text.to_owned())),
        }
    }

    /// Ends the line, without blanks at its end.
    pub(super) fn end_line(&mut self) {
        while let Some((_, last)) = self.line.last_mut() {
            last.truncate(last.trim_end_matches(' ').len());
            if !last.is_empty() {
                break;
            }
            self.line.pop();
        }
        for (ink, written) in self.line.drain(..) {
            match self.colour {
                Colour::On if ink != Ink::Plain => {
                    self.text.push_str(ink.code());
                    self.text.push_str(&written);
                    self.text.push_str("\x1b[0m");
                }
                Colour::On | Colour::Off => self.text.push_str(&written),
            }
        }
        self.text.push('\n');
        (self.hand_over)(&self.text);
        self.text.clear();
    }
}
